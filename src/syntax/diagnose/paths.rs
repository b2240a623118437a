//! Reports absolute paths without quotes, which permissions may follow: `/etc/** rw`, as in AppArmor profiles.

use super::ClauseCursor;
use crate::syntax::mistakes::{SyntaxMistake, forms};
use crate::syntax::token::TokenKind;

/// A path without quotes, and the permissions after it.
struct UnquotedPath<'a> {
    path: &'a str,
    /// The permission letters; empty if there are none.
    permissions: &'a str,
    /// The offset in the source after the path and its permissions.
    end: usize,
}

/// Whether a word consists of AppArmor's permission letters: `r` for reading, `w` for writing, `x` for executing.
fn is_permission(word: &str) -> bool {
    !word.is_empty() && word.len() <= 5 && word.bytes().all(|b| b"rwaxkmlidpPuUcC".contains(&b))
}

impl ClauseCursor<'_> {
    /// Reports a path without quotes in place of a test: `when /etc/** rw`. Returns whether there was one.
    pub(super) fn bare_absolute(&mut self) -> bool {
        let Some(bare) = self.bare_path_here() else { return false };
        let right = forms::test_for_permissions(bare.path, bare.permissions);
        let (Some(first), end) = (self.peek(), bare.end) else { return false };
        let span = crate::span::Span::new(self.file, first.start, end);
        self.report_with_fix(SyntaxMistake::BareAbsolute { right: &right }, span, &right);
        self.skip_to(end);
        true
    }

    /// Reports a path without quotes in place of a message: `deny /etc/shadow r`. Returns whether there was one.
    pub(super) fn path_as_message(&mut self, verb: &str) -> bool {
        let Some(bare) = self.bare_path_here() else { return false };
        let right = forms::when_clause(&forms::test_for_permissions(bare.path, bare.permissions));
        let (Some(first), end) = (self.peek(), bare.end) else { return false };
        let span = crate::span::Span::new(self.file, first.start, end);
        self.report(SyntaxMistake::PathAsMessage { verb, right: &right }, span);
        self.stop();
        true
    }

    /// Returns the path that begins at the next token, which was tokenised as a regex; `None` if the token may be
    /// meant as a regex.
    fn bare_path_here(&self) -> Option<UnquotedPath<'_>> {
        let first = self.peek().filter(|token| matches!(token.kind, TokenKind::Regex | TokenKind::UnclosedRegex))?;
        let line = self.source.get(first.start..)?.lines().next()?;
        let path = line.split([' ', '\t', ',', ')']).next()?;
        let rest = line.get(path.len()..)?.trim_start();
        let word = rest.split([' ', '\t', ',', ')']).next().unwrap_or_default();
        let permissions = if is_permission(word) { word } else { "" };
        // `/a|b/i` is a regex; a path continues after its last slash, or permissions follow it.
        let (_, last) = path.rsplit_once('/')?;
        let goes_on = path.len() > 2 && !last.is_empty() && !matches!(last, "i" | "m" | "s" | "x" | "im" | "is");
        let is_plain = path.bytes().all(|b| b.is_ascii_alphanumeric() || b"/._-*{},@~".contains(&b));
        let end = match permissions {
            "" => first.start + path.len(),
            word => first.start + line.len() - rest.len() + word.len(),
        };
        (is_plain && path.len() > 2 && (goes_on || !permissions.is_empty())).then_some(UnquotedPath {
            path,
            permissions,
            end,
        })
    }

    /// Skips every token that begins before an offset.
    fn skip_to(&mut self, end: usize) {
        while self.peek().is_some_and(|token| token.start < end) {
            self.at += 1;
        }
    }
}
