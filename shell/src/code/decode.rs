//! Decoded texts: base64, hexadecimal digits, percent-encoding and JSON.

use super::arguments::LibraryCall;
use super::evaluate::{At, Elements, Evaluator, computed};
use super::library::returned::DecodedText;
use super::operators::bounded;
use super::value::{Origin, Value};
use crate::base64::{Alphabet, decode};
use crate::word::Word;

impl Evaluator<'_> {
    /// Runs a module that is contained in a `data:` URL.
    pub(super) fn load_data(&mut self, at: At, url: &str) {
        let text = url.split_once(',').map(|(_, text)| text).unwrap_or_default();
        let text = percent(text).and_then(|bytes| String::from_utf8(bytes).ok());
        match text.filter(|_| !url.contains(";base64,")) {
            Some(text) => {
                self.code(at, &Value::text(text));
            }
            None => self.unseen(computed(url), None),
        }
    }

    pub(super) fn decoded_text(&mut self, call: LibraryCall<'_>, text: DecodedText) -> Value {
        match text {
            DecodedText::Base64(place) => decoded(call.argument(place), base64),
            DecodedText::Hex(place) => decoded(call.argument(place), hex),
            DecodedText::By(place, encoding) => decoded_by(call.argument(place), call.argument(encoding)),
            DecodedText::Percent(place) => match call.argument(place) {
                Some(text) if text.known().is_some_and(|text| text.contains('%')) => decoded(Some(text), percent),
                Some(text @ Value::Text(..)) => text,
                text => data_of(text),
            },
            DecodedText::FilePath(place) => match call.argument(place) {
                Some(Value::Text(url, origin)) => match url.after("file://") {
                    Some(path) if !path.mentions("%") => Value::Text(path, origin),
                    _ => Value::Data(origin),
                },
                url => data_of(url),
            },
            DecodedText::Url(place, base) => match (call.argument(place), call.argument(base)) {
                (Some(url @ Value::Text(..)), None) => url,
                (url, _) => data_of(url),
            },
            DecodedText::Json(place) => json(call.argument(place)),
            DecodedText::Packed(list, format) => self.packed(call.argument(list), call.argument(format)),
        }
    }

    /// `pack(format, values)`
    pub(super) fn packed(&mut self, values: Option<Value>, format: Option<Value>) -> Value {
        let first = match values.map(|list| self.elements(&list)) {
            Some(Elements::Known(values)) => values.into_iter().next(),
            _ => None,
        };
        let format = format.as_ref().and_then(Value::known);
        match format.map(|format| format.trim_end_matches(['*', '0', '1', '2'])) {
            Some("H") => decoded(first, hex),
            Some("m") => decoded(first, base64),
            Some("a" | "A") => first.unwrap_or(Value::COMPUTED),
            _ => Value::COMPUTED,
        }
    }
}

/// Decodes a text by the name of its encoding; without one it stays the same.
fn decoded_by(text: Option<Value>, encoding: Option<Value>) -> Value {
    let encoding = encoding.map(|name| name.known().map(str::to_ascii_lowercase).unwrap_or_default());
    match encoding.as_deref() {
        None | Some("utf8" | "utf-8" | "ascii" | "latin1" | "binary") => text.unwrap_or(Value::Nothing).into_text(),
        Some("base64" | "base64url") => decoded(text, base64),
        Some("hex") => decoded(text, hex),
        Some(_) => data_of(text),
    }
}

/// Returns a value as JSON.
fn json(value: Option<Value>) -> Value {
    match value {
        Some(Value::Text(word, origin)) => match word.known() {
            Some(text) => bounded(Word::text(format!("{text:?}")), origin),
            None => Value::Data(origin),
        },
        Some(Value::Number(number)) => Value::text(number.to_string()),
        value => data_of(value),
    }
}

/// Returns unknown data with the origin of a value.
fn data_of(value: Option<Value>) -> Value {
    Value::Data(value.map_or(Origin::Computed, |value| value.origin()))
}

fn decoded(value: Option<Value>, decode: fn(&str) -> Option<Vec<u8>>) -> Value {
    let origin = value.as_ref().map_or(Origin::Computed, Value::origin);
    let text = value.as_ref().and_then(Value::known).and_then(decode).and_then(|bytes| String::from_utf8(bytes).ok());
    text.map_or(Value::Data(origin), |text| bounded(Word::text(text), origin))
}

fn base64(text: &str) -> Option<Vec<u8>> {
    decode(text, Alphabet::Any)
}

fn percent(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let mut digit = || rest.next().and_then(|byte| char::from(byte).to_digit(16));
        match byte {
            b'%' => bytes.push(u8::try_from(digit()? * 16 + digit()?).ok()?),
            byte => bytes.push(byte),
        }
    }
    Some(bytes)
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u32> =
        text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_digit(16)).collect::<Option<_>>()?;
    digits
        .chunks(2)
        .map(|pair| match pair {
            [high, low] => u8::try_from(high * 16 + low).ok(),
            _ => None,
        })
        .collect()
}
