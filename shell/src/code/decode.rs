//! Decoded texts: base64, hexadecimal digits, percent-encoding and JSON.

use super::call::Given;
use super::evaluate::{At, Evaluator, computed};
use super::library::Gives;
use super::operators::bounded;
use super::value::{Held, Origin, Value};
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

    /// Evaluates the return values that decode a text.
    pub(super) fn gives_text(&mut self, gives: Gives, this: Option<&Value>, given: &Given) -> Value {
        let argument = |place| self.given(place, this, given);
        match gives {
            Gives::Decoded(place, by) => {
                let by = argument(by).map(|by| by.known().map(str::to_ascii_lowercase).unwrap_or_default());
                match by.as_deref() {
                    None | Some("utf8" | "utf-8" | "ascii" | "latin1" | "binary") => {
                        argument(place).unwrap_or(Value::Nothing).into_text()
                    }
                    Some("base64" | "base64url") => decoded(argument(place), base64),
                    Some("hex") => decoded(argument(place), hex),
                    Some(_) => Value::Data(argument(place).map_or(Origin::Computed, |text| text.origin())),
                }
            }
            Gives::Percent(place) => match argument(place) {
                Some(text) if text.known().is_some_and(|text| text.contains('%')) => decoded(Some(text), percent),
                Some(text @ Value::Text(..)) => text,
                text => Value::Data(text.map_or(Origin::Computed, |text| text.origin())),
            },
            Gives::FilePath(place) => match argument(place) {
                Some(Value::Text(url, origin)) => match url.after("file://") {
                    Some(path) if !path.mentions("%") => Value::Text(path, origin),
                    _ => Value::Data(origin),
                },
                url => Value::Data(url.map_or(Origin::Computed, |url| url.origin())),
            },
            Gives::Url(place, base) => match (argument(place), argument(base)) {
                (Some(url @ Value::Text(..)), None) => url,
                (url, _) => Value::Data(url.map_or(Origin::Computed, |url| url.origin())),
            },
            Gives::Json(place) => match argument(place) {
                Some(Value::Text(word, origin)) => match word.known() {
                    Some(text) => bounded(Word::text(format!("{text:?}")), origin),
                    None => Value::Data(origin),
                },
                Some(Value::Number(number)) => Value::text(number.to_string()),
                value => Value::Data(value.map_or(Origin::Computed, |value| value.origin())),
            },
            Gives::Assigned => {
                let target = given.plain.first().cloned().unwrap_or(Value::Nothing);
                for more in given.plain.iter().skip(1) {
                    match (&target, more) {
                        (Value::Library(_), Value::Keys(place)) => {
                            let keys = match self.state.held(*place) {
                                Some(Held::Keys(keys)) => keys.clone(),
                                _ => Default::default(),
                            };
                            keys.into_iter().for_each(|(name, value)| self.set_member(&target, &name, value));
                        }
                        _ => {
                            self.pushed(Some(&target), &Given::of(vec![more.clone()]));
                        }
                    }
                }
                target
            }
            Gives::Line => match self.outside.input() {
                Some(word) if word.known().is_some_and(|text| text.trim_end_matches('\n').lines().count() == 1) => {
                    let line = word.known().unwrap_or_default().trim_end_matches('\n').to_owned();
                    Value::Text(Word::text(line), Origin::Input)
                }
                _ => Value::Data(Origin::Input),
            },
            _ => Value::Data(Origin::Computed),
        }
    }
}

pub(super) fn decoded(value: Option<Value>, decode: fn(&str) -> Option<Vec<u8>>) -> Value {
    let origin = value.as_ref().map_or(Origin::Computed, Value::origin);
    let text = value.as_ref().and_then(Value::known).and_then(decode).and_then(|bytes| String::from_utf8(bytes).ok());
    text.map_or(Value::Data(origin), |text| bounded(Word::text(text), origin))
}

pub(super) fn base64(text: &str) -> Option<Vec<u8>> {
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

pub(super) fn hex(text: &str) -> Option<Vec<u8>> {
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
