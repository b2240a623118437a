//! Reports lines of a rule that are not clauses: a word in place of the closing brace (`end`), and the message of an
//! effect on a separate line.

use std::ops::Range;

use super::super::diagnose::{self, ForeignReader};
use super::super::mistakes::SyntaxMistake;
use super::super::token::{Token, TokenKind};
use super::super::words;
use super::Recovery;
use crate::span::Span;

impl Recovery<'_> {
    /// Reports and removes a last line that is only a word such as `end`, in place of a rule's closing brace. Returns
    /// whether there was one.
    pub(super) fn report_closing_word(&mut self, ranges: &mut Vec<Range<usize>>) -> bool {
        let Some(last) = ranges.last().map(|range| self.layout.significant(range.clone())) else { return false };
        let [word] = last.as_slice() else { return false };
        let (text, place) = (word.text(self.source), Span::new(self.id, word.start, word.end));
        if !diagnose::ENDS.contains(&text) {
            return false;
        }
        self.diagnostics.push(SyntaxMistake::ClosedByWord { word: text }.at(place).fix(place, "}"));
        ranges.pop();
        true
    }

    /// Reports each `reason: "…"` on the line above or below an effect without a message, and removes both lines.
    /// Returns whether there was one.
    pub(super) fn report_separate_messages(&mut self, ranges: &mut Vec<Range<usize>>) -> bool {
        let lines: Vec<Vec<Token>> = ranges.iter().map(|range| self.layout.significant(range.clone())).collect();
        let mut reported = Vec::new();
        for (at, pair) in lines.windows(2).enumerate() {
            let [one, other] = pair else { continue };
            let (effect, message, is_below) = match (self.bare_effect(one), self.bare_effect(other)) {
                (Some(effect), _) if self.is_message(other) => (effect, other, true),
                (_, Some(effect)) if self.is_message(one) => (effect, one, false),
                _ => continue,
            };
            let (Some(word), Some(text)) = (message.first(), message.last()) else { continue };
            let written = text.text(self.source);
            let shown = if written.chars().count() > 60 { "\"…\"" } else { written };
            let (effect, end, verb) = effect;
            let right = format!("{verb} {shown}");
            let (first, last) = if is_below { (effect, *text) } else { (*word, end) };
            let between = self.source.get(first.end..last.start).unwrap_or_default();
            let mistake = SyntaxMistake::MessageApart { word: word.text(self.source), right: &right };
            let diagnostic = mistake.at(Span::new(self.id, word.start, word.end));
            // A comment between them would be lost.
            self.diagnostics.push(match between.contains('#') {
                true => diagnostic,
                false => diagnostic.fix(Span::new(self.id, first.start, last.end), format!("{verb} {written}")),
            });
            reported.extend([at, at + 1]);
        }
        let mut index = 0;
        ranges.retain(|_| {
            index += 1;
            !reported.contains(&(index - 1))
        });
        !reported.is_empty()
    }

    /// Returns the first token, the last token and the keyword of an effect that takes a message but has none, such
    /// as `deny` or `decision: "block"`; else `None`.
    fn bare_effect(&self, tokens: &[Token]) -> Option<(Token, Token, &'static str)> {
        let (first, last) = (*tokens.first()?, *tokens.last()?);
        let clause = match tokens {
            [word] => word.text(self.source).to_owned(),
            [word, mark] if mark.text(self.source) == ":" => word.text(self.source).to_owned(),
            _ => diagnose::foreign_clause(&mut ForeignReader::new(self.source, tokens))?.right?,
        };
        let verb = clause.strip_suffix(" \"…\"").unwrap_or(&clause);
        Some((first, last, words::MESSAGE_EFFECTS.iter().copied().find(|known| *known == verb)?))
    }

    /// Whether a line is a message with a key: `reason: "…"`.
    fn is_message(&self, tokens: &[Token]) -> bool {
        let is_word = |token: &Token| {
            let word = token.text(self.source).to_ascii_lowercase();
            matches!(
                word.as_str(),
                "reason" | "message" | "msg" | "because" | "text" | "with" | "permissiondecisionreason" | "stopreason"
            )
        };
        match tokens {
            [word, text] => is_word(word) && text.kind == TokenKind::Text,
            [word, mark, text] => {
                is_word(word) && matches!(mark.text(self.source), ":" | "=" | "=>") && text.kind == TokenKind::Text
            }
            _ => false,
        }
    }
}
