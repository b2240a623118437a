//! Reports options of commands in the notation of other languages: `option --namespace`, `flag "--force"`, `with
//! namespace "prod"`.

use super::ClauseCursor;
use crate::syntax::mistakes::{EXISTS_OPTION, OPTION, SyntaxMistake, forms};
use crate::syntax::token::TokenKind;

impl ClauseCursor<'_> {
    /// Reports a flag without quotes, `option --namespace`. The cursor is after `option`.
    pub(super) fn bare_flag(&mut self) {
        let Some(first) = self.peek().filter(|_| matches!(self.text(), "-" | "--") && self.glued(1)) else { return };
        self.at += 1;
        let mut last = first;
        while self.glued(0) && matches!(self.kind(), Some(TokenKind::Word | TokenKind::Number))
            || self.text() == "-" && self.glued(0)
        {
            let Some(next) = self.advance() else { break };
            last = next;
        }
        let right = format!("\"{}\"", self.slice(first, last));
        let span = self.across(first, last);
        self.report_with_fix(SyntaxMistake::BareText { after: OPTION, right: &right }, span, &right);
    }

    /// Reports other words for an option that is present or has a value: `flag "--force"`, `flag "--namespace" ==
    /// "prod"`.
    pub(super) fn named_flag(&mut self) {
        let (Some(first), Some(flag)) = (self.peek(), self.nth(1)) else { return };
        let text = flag.text(self.source);
        let is_compared = self.at_operator(2) || matches!(self.text_at(2), "=" | "===" | ":");
        let right = format!("{} {text}", if is_compared { OPTION } else { EXISTS_OPTION });
        let whole = self.across(first, flag);
        let written = self.written(whole);
        // A test of a command's words is possible only after `runs … where`.
        if self.filters == 0 {
            let value = self.nth(3).filter(|value| is_compared && value.kind == TokenKind::Text);
            let comparison = value.map(|value| format!(" == {}", value.text(self.source))).unwrap_or_default();
            let right = forms::any_command_where(&format!("{right}{comparison}"));
            let last = value.unwrap_or(flag);
            self.report_with_fix(
                SyntaxMistake::ForeignTest { written, right: &right },
                self.across(first, last),
                &right,
            );
            self.at += if value.is_some() { 4 } else { 2 };
            return;
        }
        self.report_with_fix(SyntaxMistake::ForeignTest { written, right: &right }, whole, &right);
        self.at += 2;
        if is_compared {
            self.comparison(&right);
        }
    }

    /// Reports an option that is given by its name after `with`: `runs "kubectl delete" with namespace "prod"`.
    /// Returns whether there was one.
    pub(super) fn option_by_name(&mut self) -> bool {
        let (Some(first), Some(name), Some(value)) = (self.peek(), self.nth(1), self.nth(2)) else { return false };
        let has_form =
            matches!(self.text(), "with" | "having") && name.kind == TokenKind::Word && value.kind == TokenKind::Text;
        let word = name.text(self.source);
        let is_name = word.len() > 1 && word.bytes().all(|b| b.is_ascii_lowercase() || matches!(b, b'-' | b'_'));
        if !has_form || !is_name || self.first_on_line() || self.at_operator(1) {
            return false;
        }
        let right = forms::where_option(&word.replace('_', "-"), value.text(self.source));
        let place = self.across(first, value);
        let mistake = SyntaxMistake::FilterWithoutWhere { word: first.text(self.source), right: &right };
        self.report_with_fix_at(mistake, self.span_of(first), place, &right);
        self.at += 3;
        true
    }
}
