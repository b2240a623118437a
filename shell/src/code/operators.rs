//! Operators and literals: concatenated texts, joined paths, filled-in formats.

use std::rc::Rc;

use super::Language;
use super::evaluate::{At, Elements, Evaluator, LEVELS, computed};
use super::state::joined;
use super::tree::Piece;
use super::value::{Origin, Value};
use crate::word::{Cause, Part, Unknown, Word};

/// The maximum length of a computed text, in bytes.
const LONGEST: usize = 1 << 16;

impl Evaluator<'_> {
    /// Evaluates a text literal.
    pub(super) fn text(&mut self, at: At, pieces: &[Piece]) -> Value {
        let mut word = Word::default();
        let mut origin = Origin::Computed;
        for piece in pieces {
            match piece {
                Piece::Text(text) => word.push(Part::Text(text.clone())),
                Piece::Hole(hole) => {
                    let parts = self.holes.get(*hole).into_iter().flat_map(|word| &word.parts);
                    parts.for_each(|part| word.push(whole(part)));
                }
                Piece::Value(id) => {
                    let inner = At { id: *id, ..at };
                    let value = self.value(inner);
                    origin = origin.max(value.origin());
                    // A text that consists of a single value keeps its alternatives apart.
                    if let (Value::Either(values), [_]) = (&value, pieces) {
                        return Value::Either(Rc::clone(values));
                    }
                    let piece = self.word(&value, inner);
                    piece.parts.iter().for_each(|part| word.push(part.clone()));
                }
            }
        }
        self.spend(word.literal().len() / 16);
        bounded(word, origin)
    }

    /// Returns a value as a word; the reason of an unknown part is the source text at `at`.
    pub(super) fn word(&self, value: &Value, at: At) -> Word {
        match value {
            Value::Text(word, _) | Value::Path(word) | Value::File(word) => word.clone(),
            Value::Number(number) => Word::text(number.to_string()),
            Value::Each(inner) => self.word(inner, at),
            Value::Either(values) => match values.first() {
                Some(_) => Word::unknown(computed(&self.source(at))),
                None => Word::default(),
            },
            _ => Word::unknown(computed(&self.source(at))),
        }
    }

    pub(super) fn add(&mut self, left: &Value, right: &Value) -> Value {
        let origin = left.origin().max(right.origin());
        if let (Value::Path(path), Language::Ruby) = (left, self.language)
            && let Value::Text(word, _) | Value::Path(word) = right
        {
            return Value::Path(joined(path, word));
        }
        match (left, right) {
            (Value::Number(one), Value::Number(other)) => {
                one.checked_add(*other).map_or(Value::Data(origin), Value::Number)
            }
            (Value::List(_) | Value::Each(_), _) | (_, Value::List(_) | Value::Each(_)) => {
                let mut values = Vec::new();
                for side in [left, right] {
                    match self.elements(side) {
                        Elements::Known(more) => values.extend(more),
                        Elements::Some(value) => values.push(Value::each(value)),
                    }
                }
                self.new_list(values)
            }
            (Value::Either(values), other) => self.each_side(values, |this, one| this.add(one, other)),
            (other, Value::Either(values)) => self.each_side(values, |this, one| this.add(other, one)),
            (Value::Text(..) | Value::Path(_), _) | (_, Value::Text(..) | Value::Path(_)) => {
                let mut word = Word::default();
                for side in [left, right] {
                    let piece = match side {
                        Value::Text(word, _) | Value::Path(word) => word.clone(),
                        Value::Number(number) => Word::text(number.to_string()),
                        other => Word::unknown(self.unknown(other)),
                    };
                    piece.parts.into_iter().for_each(|part| word.push(part));
                }
                self.spend(word.literal().len() / 16);
                bounded(word, origin)
            }
            _ => Value::Data(origin),
        }
    }

    fn each_side(&mut self, values: &[Value], apply: impl Fn(&mut Self, &Value) -> Value) -> Value {
        if self.depth >= LEVELS {
            return Value::Dynamic;
        }
        self.depth += 1;
        let all: Vec<Value> = values.iter().map(|value| apply(self, value)).collect();
        self.depth -= 1;
        all.into_iter().reduce(Value::or).unwrap_or(Value::Nothing)
    }

    fn unknown(&self, value: &Value) -> Unknown {
        match value.origin() {
            Origin::Input => Unknown::new(Cause::Input, "stdin"),
            _ => computed("…"),
        }
    }

    pub(super) fn divide(&mut self, at: At, left: &Value, right: &Value) -> Value {
        match (left, right) {
            (Value::Either(values), other) => self.each_side(values, |this, one| this.divide(at, one, other)),
            (other, Value::Either(values)) => self.each_side(values, |this, one| this.divide(at, other, one)),
            (Value::Each(inner), other) => Value::each(self.divide_one(at, inner, other)),
            (left, right) => self.divide_one(at, left, right),
        }
    }

    fn divide_one(&mut self, at: At, left: &Value, right: &Value) -> Value {
        match (left, right) {
            (Value::Path(directory), right) => Value::Path(joined(directory, &self.word(right, at))),
            (left, Value::Path(path)) => Value::Path(joined(&self.word(left, at), path)),
            _ => Value::Data(left.origin().max(right.origin())),
        }
    }

    /// `"…" % values`
    pub(super) fn remainder(&mut self, at: At, left: &Value, right: &Value) -> Value {
        let origin = left.origin().max(right.origin());
        let Some(format) = left.known().filter(|_| self.language != Language::JavaScript).map(str::to_owned) else {
            return Value::Data(origin);
        };
        let mut values = match right {
            Value::List(_) => match self.elements(right) {
                Elements::Known(values) => values,
                Elements::Some(_) => return Value::Data(origin),
            },
            value => vec![value.clone()],
        }
        .into_iter();
        let mut word = Word::default();
        let mut rest = format.as_str();
        while let Some((before, behind)) = rest.split_once('%') {
            word.push(Part::Text(before.to_owned()));
            let kind = behind.chars().next();
            rest = behind.get(kind.map_or(0, char::len_utf8)..).unwrap_or_default();
            match kind {
                Some('%') => word.push(Part::Text("%".to_owned())),
                Some('s' | 'd' | 'i') => {
                    let value = values.next().unwrap_or(Value::Data(origin));
                    self.word(&value, at).parts.into_iter().for_each(|part| word.push(part));
                }
                _ => return Value::Data(origin),
            }
        }
        word.push(Part::Text(rest.to_owned()));
        bounded(word, origin)
    }
}

/// A part as it is within a literal: unsplit.
fn whole(part: &Part) -> Part {
    match part {
        Part::Unknown(unknown) => {
            let mut unknown = unknown.clone();
            unknown.splits = false;
            Part::Unknown(unknown)
        }
        part => part.clone(),
    }
}

/// A text, or unknown data if it is too long.
pub(super) fn bounded(word: Word, origin: Origin) -> Value {
    if word.literal().len() > LONGEST || word.parts.len() > 64 {
        Value::Data(origin)
    } else {
        Value::Text(word, origin)
    }
}
