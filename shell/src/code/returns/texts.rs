//! Returned texts: formatted, joined, replaced, stripped and split ones.

use super::super::Language;
use super::super::arguments::LibraryCall;
use super::super::call::any_of;
use super::super::evaluate::{At, Elements, Evaluator};
use super::super::library::At as Place;
use super::super::library::returned::ReturnedText;
use super::super::operators::bounded;
use super::super::value::{Origin, Value};
use crate::word::{Part, Word};

impl Evaluator<'_> {
    pub(super) fn returned_text(&mut self, call: LibraryCall<'_>, text: ReturnedText) -> Value {
        let plain = &call.given.plain;
        match text {
            ReturnedText::Formatted => self.formatted(call),
            ReturnedText::Filled(format) => self.filled(call, format),
            ReturnedText::JoinedBy(by, list) => self.joined_by(call.at, call.argument(by), call.argument(list)),
            ReturnedText::Replaced => replaced(call.this, plain.first(), plain.get(1)),
            ReturnedText::Stripped => stripped(call.this, plain.first()),
            ReturnedText::Split => self.split(call.this, plain.first()),
            ReturnedText::ShellWords(place) => {
                let text = call.argument(place);
                match text.as_ref().and_then(Value::known).and_then(shell_words) {
                    Some(words) => self.new_list(words.into_iter().map(Value::text).collect()),
                    None => Value::each(Value::Data(text.map_or(Origin::Computed, |text| text.origin()))),
                }
            }
        }
    }

    /// `"{} {0} {name}".format(…)`
    fn formatted(&self, call: LibraryCall<'_>) -> Value {
        let Some(format) = call.this.and_then(Value::known).map(str::to_owned) else {
            return Value::COMPUTED;
        };
        let mut word = Word::default();
        let mut origin = Origin::Computed;
        let mut next = 0;
        let mut rest = format.as_str();
        while let Some(start) = rest.find(['{', '}']) {
            word.push(Part::Text(rest.get(..start).unwrap_or_default().to_owned()));
            let behind = rest.get(start + 1..).unwrap_or_default();
            let sign = rest.get(start..=start).unwrap_or_default();
            if let Some(doubled) = behind.strip_prefix(sign) {
                word.push(Part::Text(sign.to_owned()));
                rest = doubled;
                continue;
            }
            let Some((field, behind)) = behind.split_once('}') else { return Value::Data(origin) };
            let value = match field {
                "" => {
                    next += 1;
                    call.given.plain.get(next - 1)
                }
                field => match field.parse::<usize>() {
                    Ok(place) => call.given.plain.get(place),
                    Err(_) => call.given.named(field),
                },
            };
            let value = value.cloned().unwrap_or(Value::COMPUTED);
            origin = origin.max(value.origin());
            self.word(&value, call.at).parts.into_iter().for_each(|part| word.push(part));
            rest = behind;
        }
        word.push(Part::Text(rest.to_owned()));
        bounded(word, origin)
    }

    /// `"%s".format(…)`, `sprintf("%s", …)`
    fn filled(&mut self, call: LibraryCall<'_>, format: Place) -> Value {
        let (format, rest) = match format {
            Place::This => (call.this.cloned(), call.given.plain.first().cloned()),
            place => {
                let rest = call.given.plain.iter().skip(1).cloned().collect();
                (call.argument(place), Some(self.new_list(rest)))
            }
        };
        self.remainder(call.at, &format.unwrap_or(Value::COMPUTED), &rest.unwrap_or(Value::COMPUTED))
    }

    /// `", ".join(list)`
    pub(in super::super) fn joined_by(&mut self, at: At, by: Option<Value>, list: Option<Value>) -> Value {
        let list = list.unwrap_or(Value::Nothing);
        let by = match by {
            Some(by) => self.word(&by, at),
            None => Word::text(if self.language == Language::JavaScript { "," } else { "" }),
        };
        match self.elements(&list) {
            Elements::Known(values) if values.iter().all(|value| !matches!(value, Value::Each(_))) => {
                let mut word = Word::default();
                let mut origin = Origin::Computed;
                for (count, value) in values.iter().enumerate() {
                    if count > 0 {
                        by.parts.iter().for_each(|part| word.push(part.clone()));
                    }
                    origin = origin.max(value.origin());
                    self.word(value, at).parts.into_iter().for_each(|part| word.push(part));
                }
                self.spend(word.literal().len() / 16);
                bounded(word, origin)
            }
            Elements::Known(values) => Value::Data(any_of(values).origin()),
            Elements::Some(value) => Value::Data(value.origin()),
        }
    }

    /// Splits a text at a separator, or at blanks.
    pub(in super::super) fn split(&mut self, text: Option<&Value>, by: Option<&Value>) -> Value {
        let known = text.and_then(Value::known).map(str::to_owned);
        let parts: Option<Vec<Value>> = match (known, by.map(Value::known)) {
            (Some(text), None) => Some(text.split_whitespace().map(Value::text).collect()),
            (Some(text), Some(Some(by))) if !by.is_empty() => Some(text.split(by).map(Value::text).collect()),
            _ => None,
        };
        match parts {
            Some(parts) => self.new_list(parts),
            None => Value::each(Value::Data(text.map_or(Origin::Computed, Value::origin))),
        }
    }
}

/// Returns a text in which one part is replaced by another everywhere.
pub(in super::super) fn replaced(text: Option<&Value>, from: Option<&Value>, to: Option<&Value>) -> Value {
    let origin = text.map_or(Origin::Computed, Value::origin);
    match (text.and_then(Value::known), from.and_then(Value::known), to.and_then(Value::known)) {
        (Some(text), Some(from), Some(to)) if !from.is_empty() => bounded(Word::text(text.replace(from, to)), origin),
        _ => Value::Data(origin),
    }
}

/// Returns a text without surrounding blanks, or without certain characters at its ends.
pub(in super::super) fn stripped(text: Option<&Value>, characters: Option<&Value>) -> Value {
    match (text, characters) {
        (Some(Value::Text(word, origin)), None) if word.known().is_some() => {
            Value::Text(Word::text(word.known().unwrap_or_default().trim()), *origin)
        }
        // Leading and trailing blanks of a partly known text do not matter in a path.
        (Some(value @ Value::Text(..)), None) => value.clone(),
        (text, _) => Value::Data(text.map_or(Origin::Computed, Value::origin)),
    }
}

/// Splits a text as a shell does, with quotes and backslashes only.
fn shell_words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            c if c.is_whitespace() => words.extend(word.take()),
            quote @ ('\'' | '"') => {
                let word = word.get_or_insert_default();
                loop {
                    match rest.next()? {
                        c if c == quote => break,
                        '\\' if quote == '"' => word.push(rest.next()?),
                        c => word.push(c),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(rest.next()?),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Some(words)
}
