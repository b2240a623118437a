//! Reports an unescaped `/` inside a regex, which ends the regex: `/^/etc/`, `/https://example.com/`.

use super::ClauseCursor;
use crate::span::Span;
use crate::syntax::mistakes::SyntaxMistake;

impl ClauseCursor<'_> {
    /// Reports and skips a regex that ends too early at an inner slash. Returns whether there was one.
    pub(super) fn slash_in_regex(&mut self) -> bool {
        let Some(first) = self.peek() else { return false };
        let continues = |c: char| !c.is_whitespace() && !matches!(c, ')' | ']' | ',' | '}' | '#');
        let next = self.source.get(first.end..).and_then(|rest| rest.chars().next());
        if !next.is_some_and(continues) {
            return false;
        }
        let written = self.source.get(first.start..).unwrap_or_default().split_whitespace().next().unwrap_or_default();
        let Some((whole, body)) = whole_regex(written) else {
            self.report(SyntaxMistake::SlashInUnknownRegex {}, self.span_of(first));
            self.stop();
            return true;
        };
        let span = Span::new(self.file, first.start, first.start + whole.len());
        let flags = whole.rsplit_once('/').map_or("", |(_, flags)| flags);
        let right = format!("/{}/{flags}", escaped(body));
        match host(body) {
            Some(host) => {
                self.report_with_fix(SyntaxMistake::SlashInUrlRegex { right: &right, host: &host }, span, &right)
            }
            None => self.report_with_fix(SyntaxMistake::SlashInRegex { right: &right }, span, &right),
        }
        let end = first.start + whole.len();
        while let Some(token) = self.peek().filter(|token| token.start < end) {
            self.at += 1;
            if token.end > end {
                // The rest of the line was tokenised as a part of it.
                self.stop();
            }
        }
        true
    }
}

/// Returns the regex at the start of a text without white space, including its last slash and flag, and the text
/// between its first and its last slash. `None` if its end cannot be determined.
fn whole_regex(written: &str) -> Option<(&str, &str)> {
    let whole = written.trim_end_matches([')', ']', ',']);
    // A closing bracket may belong to the regex, but not after its last slash.
    let (body, flags) = whole.strip_prefix('/')?.rsplit_once('/')?;
    (flags.bytes().all(|byte| byte.is_ascii_alphabetic()) && flags.len() <= 1 && !body.is_empty())
        .then_some((whole, body))
}

/// Escapes each slash of a regex that is not yet escaped.
fn escaped(body: &str) -> String {
    let mut text = String::new();
    let mut is_escaped = false;
    for character in body.chars() {
        if character == '/' && !is_escaped {
            text.push('\\');
        }
        is_escaped = character == '\\' && !is_escaped;
        text.push(character);
    }
    text
}

/// Returns the host in a regex that matches the beginning of a URL, if it is a literal name: `example.com` for
/// `^https://example\.com/`; else `None`.
fn host(body: &str) -> Option<String> {
    let body = body.replace('\\', "");
    let body = body.strip_prefix('^').unwrap_or(&body);
    let rest = ["https://", "http://", "https?://"].iter().find_map(|scheme| body.strip_prefix(scheme))?;
    let host = rest.split(['/', '$', ':']).next()?;
    let is_name = |host: &str| host.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'));
    (host.contains('.') && is_name(host) && !host.ends_with('.')).then(|| host.to_ascii_lowercase())
}
