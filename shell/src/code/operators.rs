//! Evaluates operators and text literals: concatenates texts, joins paths, fills in formats.

use std::rc::Rc;

use super::CodeLanguage;
use super::evaluate::{Evaluator, IterationElements, LEVELS, NodeRef, computed_reason};
use super::state::join_paths;
use super::tree::TextPiece;
use super::value::{CodeValue, DataOrigin};
use crate::word::{Cause, Unknown, Word, WordPart};

/// The maximum length of a computed text, in bytes.
const MAX_LENGTH: usize = 1 << 16;

impl Evaluator<'_> {
    /// Evaluates a text literal: concatenates its pieces.
    pub(super) fn text(&mut self, at: NodeRef, pieces: &[TextPiece]) -> CodeValue {
        let mut word = Word::default();
        let mut origin = DataOrigin::Computed;
        for piece in pieces {
            match piece {
                TextPiece::Text(text) => word.push(WordPart::Text(text.clone())),
                TextPiece::Hole(hole) => {
                    let parts = self.holes.get(*hole).into_iter().flat_map(|word| &word.parts);
                    parts.for_each(|part| word.push(unsplit_part(part)));
                }
                TextPiece::Value(id) => {
                    let inner = NodeRef { id: *id, ..at };
                    let value = self.value(inner);
                    origin = origin.max(value.origin());
                    // A literal that consists of a single value keeps the alternatives of the value.
                    if let (CodeValue::AnyOf(values), [_]) = (&value, pieces) {
                        return CodeValue::AnyOf(Rc::clone(values));
                    }
                    let piece = self.word(&value, inner);
                    piece.parts.iter().for_each(|part| word.push(part.clone()));
                }
            }
        }
        // A step is charged for every 16 bytes of a text.
        self.spend(word.literal().len() / 16);
        text_within_limit(word, origin)
    }

    /// Returns a value as a word. An unknown value is displayed as the source text of the node `at`.
    pub(super) fn word(&self, value: &CodeValue, at: NodeRef) -> Word {
        match value {
            CodeValue::Text(word, _) | CodeValue::Path(word) | CodeValue::File(word) => word.clone(),
            CodeValue::Number(number) => Word::text(number.to_string()),
            CodeValue::Several(inner) => self.word(inner, at),
            CodeValue::AnyOf(values) => match values.first() {
                Some(_) => Word::unknown(computed_reason(&self.source(at))),
                None => Word::default(),
            },
            _ => Word::unknown(computed_reason(&self.source(at))),
        }
    }

    /// Evaluates `left + right`: the sum of numbers, or a concatenation of texts or lists; in Ruby, also a joined
    /// path. The result is unknown data for any other operands.
    pub(super) fn add(&mut self, left: &CodeValue, right: &CodeValue) -> CodeValue {
        let origin = left.origin().max(right.origin());
        if let (CodeValue::Path(path), CodeLanguage::Ruby) = (left, self.language)
            && let CodeValue::Text(word, _) | CodeValue::Path(word) = right
        {
            return CodeValue::Path(join_paths(path, word));
        }
        match (left, right) {
            (CodeValue::Number(one), CodeValue::Number(other)) => {
                one.checked_add(*other).map_or(CodeValue::Data(origin), CodeValue::Number)
            }
            (CodeValue::List(_) | CodeValue::Several(_), _) | (_, CodeValue::List(_) | CodeValue::Several(_)) => {
                let mut values = Vec::new();
                for side in [left, right] {
                    match self.elements(side) {
                        IterationElements::Known(more) => values.extend(more),
                        IterationElements::Several(value) => values.push(CodeValue::several(value)),
                    }
                }
                self.new_list(values)
            }
            (CodeValue::AnyOf(values), other) => self.apply_to_each(values, |this, one| this.add(one, other)),
            (other, CodeValue::AnyOf(values)) => self.apply_to_each(values, |this, one| this.add(other, one)),
            (CodeValue::Text(..) | CodeValue::Path(_), _) | (_, CodeValue::Text(..) | CodeValue::Path(_)) => {
                let mut word = Word::default();
                for side in [left, right] {
                    let piece = match side {
                        CodeValue::Text(word, _) | CodeValue::Path(word) => word.clone(),
                        CodeValue::Number(number) => Word::text(number.to_string()),
                        other => Word::unknown(self.unknown_operand(other)),
                    };
                    piece.parts.into_iter().for_each(|part| word.push(part));
                }
                self.spend(word.literal().len() / 16);
                text_within_limit(word, origin)
            }
            _ => CodeValue::Data(origin),
        }
    }

    /// Applies an operation to each of several alternatives, and returns a value that may be any of the results. It is
    /// unknown if the alternatives are nested too deeply.
    fn apply_to_each(&mut self, values: &[CodeValue], apply: impl Fn(&mut Self, &CodeValue) -> CodeValue) -> CodeValue {
        if self.depth >= LEVELS {
            return CodeValue::Dynamic;
        }
        self.depth += 1;
        let results: Vec<CodeValue> = values.iter().map(|value| apply(self, value)).collect();
        self.depth -= 1;
        results.into_iter().reduce(CodeValue::either).unwrap_or(CodeValue::Nothing)
    }

    /// Returns the reason why the text of an operand is unknown.
    fn unknown_operand(&self, value: &CodeValue) -> Unknown {
        match value.origin() {
            DataOrigin::Input => Unknown::new(Cause::Input, "stdin"),
            _ => computed_reason("…"),
        }
    }

    /// Evaluates `left / right`: a joined path if an operand is a path object, else unknown data.
    pub(super) fn divide(&mut self, at: NodeRef, left: &CodeValue, right: &CodeValue) -> CodeValue {
        match (left, right) {
            (CodeValue::AnyOf(values), other) => self.apply_to_each(values, |this, one| this.divide(at, one, other)),
            (other, CodeValue::AnyOf(values)) => self.apply_to_each(values, |this, one| this.divide(at, other, one)),
            (CodeValue::Several(inner), other) => CodeValue::several(self.divide_one(at, inner, other)),
            (left, right) => self.divide_one(at, left, right),
        }
    }

    /// Evaluates `left / right` for operands without alternatives.
    fn divide_one(&mut self, at: NodeRef, left: &CodeValue, right: &CodeValue) -> CodeValue {
        match (left, right) {
            (CodeValue::Path(directory), right) => CodeValue::Path(join_paths(directory, &self.word(right, at))),
            (left, CodeValue::Path(path)) => CodeValue::Path(join_paths(&self.word(left, at), path)),
            _ => CodeValue::Data(left.origin().max(right.origin())),
        }
    }

    /// Evaluates `"…" % values`: fills in `%s`, `%d` and `%i`. The result is unknown data for any other format, and
    /// in JavaScript, where `%` is arithmetic.
    pub(super) fn remainder(&mut self, at: NodeRef, left: &CodeValue, right: &CodeValue) -> CodeValue {
        let origin = left.origin().max(right.origin());
        let Some(format) = left.known_text().filter(|_| self.language != CodeLanguage::JavaScript).map(str::to_owned)
        else {
            return CodeValue::Data(origin);
        };
        let mut values = match right {
            CodeValue::List(_) => match self.elements(right) {
                IterationElements::Known(values) => values,
                IterationElements::Several(_) => return CodeValue::Data(origin),
            },
            value => vec![value.clone()],
        }
        .into_iter();
        let mut word = Word::default();
        let mut rest = format.as_str();
        while let Some((before, directive)) = rest.split_once('%') {
            word.push(WordPart::Text(before.to_owned()));
            let kind = directive.chars().next();
            rest = directive.get(kind.map_or(0, char::len_utf8)..).unwrap_or_default();
            match kind {
                Some('%') => word.push(WordPart::Text("%".to_owned())),
                Some('s' | 'd' | 'i') => {
                    let value = values.next().unwrap_or(CodeValue::Data(origin));
                    self.word(&value, at).parts.into_iter().for_each(|part| word.push(part));
                }
                _ => return CodeValue::Data(origin),
            }
        }
        word.push(WordPart::Text(rest.to_owned()));
        text_within_limit(word, origin)
    }
}

/// Returns a part of a word as a part of a literal, in which an unknown part cannot expand to several words.
fn unsplit_part(part: &WordPart) -> WordPart {
    match part {
        WordPart::Unknown(unknown) => {
            let mut unknown = unknown.clone();
            unknown.may_split = false;
            WordPart::Unknown(unknown)
        }
        part => part.clone(),
    }
}

/// Returns a word as a text; unknown data if it is longer than `MAX_LENGTH` or has more than 64 parts.
pub(super) fn text_within_limit(word: Word, origin: DataOrigin) -> CodeValue {
    if word.literal().len() > MAX_LENGTH || word.parts.len() > 64 {
        CodeValue::Data(origin)
    } else {
        CodeValue::Text(word, origin)
    }
}
