//! Reports selectors that are written as a regex: `PreToolUse(^Bash$)`, `by ^coder`.

use super::ClauseCursor;
use crate::schema::{Event, Subject};
use crate::syntax::RegexSelector;
use crate::syntax::mistakes::SyntaxMistake;
use crate::syntax::token::Token;

/// The characters that may occur in the names that a selector matches.
#[derive(Clone, Copy)]
enum NameCharacters {
    /// Names of tools or agents, which consist of letters, digits and a few signs.
    Plain,
    /// Names of files, which may contain any character.
    OfFiles,
}

impl ClauseCursor<'_> {
    /// Reports a regex in the parentheses after an event: `PreToolUse(^Bash$)`. Returns whether there was one.
    pub(super) fn regex_in_parentheses(&mut self, event: Option<Event>) -> bool {
        let Some(from) = self.peek().map(|first| first.start) else { return false };
        let line = self.source.get(from..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        let mut depth = 0_usize;
        // The end is the first `)` that closes no group of the regex.
        let end = line.find(|c: char| {
            depth += usize::from(c == '(');
            let is_end = c == ')' && depth == 0;
            depth = depth.saturating_sub(usize::from(c == ')'));
            is_end
        });
        let regex = end.and_then(|end| line.get(..end)).unwrap_or_default();
        let has_files = event.is_some_and(|event| matches!(event.spec().subject, Subject::BaseName(_)));
        if !self.regex_selector(regex, if has_files { NameCharacters::OfFiles } else { NameCharacters::Plain }) {
            return false;
        }
        self.at += 1;
        true
    }

    /// Reports a regex after `by`: `by ^coder`. Returns whether there was one.
    pub(super) fn regex_agents(&mut self) -> bool {
        let Some(from) = self.peek().map(|first| first.start) else { return false };
        let rest = self.source.get(from..).unwrap_or_default();
        let regex = rest.split(|c: char| c.is_whitespace() || c == ',').next().unwrap_or_default();
        self.regex_selector(regex, NameCharacters::Plain)
    }

    /// Reports and skips the text at the cursor if it looks like a regex. Returns whether it does.
    fn regex_selector(&mut self, text: &str, names: NameCharacters) -> bool {
        let text = text.trim_end();
        let (Some(first), false) = (self.peek(), text.contains(['"', '\'', '/', ','])) else { return false };
        // A selector is taken for a regex only if it contains a sign that no glob has.
        let is_whole = text.starts_with(['^', '(']) || text.ends_with('$');
        let has_regex_sign = !text.contains('(') && (text.contains(['^', '$', '\\']) || text.contains(".+"));
        let is_server = text.starts_with("mcp__") && text.contains('(') && text.contains('|');
        if !is_whole && !has_regex_sign && !is_server {
            return false;
        }
        let end = first.start + text.len();
        let rest = self.tokens.get(self.at..).unwrap_or_default();
        let count = rest.iter().take_while(|token| token.start < end).count();
        let Some(last) = rest.get(..count).and_then(<[Token]>::last).copied().filter(|last| last.end == end) else {
            return false;
        };
        let span = self.across(first, last);
        let selector = RegexSelector::from_regex(text);
        let instead = match (&selector, names) {
            (Some(selector), NameCharacters::OfFiles) => selector.replacement_or_file(text),
            (selector, _) => RegexSelector::replacement_for(selector.as_ref()),
        };
        let mistake = SyntaxMistake::RegexSelector { instead: &instead };
        match selector.filter(|selector| matches!(names, NameCharacters::Plain) && selector.is_certain()) {
            Some(selector) => self.report_with_fix(mistake, span, selector.selectors()),
            None => self.report(mistake, span),
        }
        self.at += count;
        true
    }
}
