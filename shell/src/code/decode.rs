//! Texts that a library function decodes or encodes: base64, hexadecimal digits, percent-encoding, JSON, `pack`.

use super::arguments::LibraryCall;
use super::evaluate::{Evaluator, IterationElements, NodeRef, computed_reason};
use super::library::returned::DecodedText;
use super::operators::text_within_limit;
use super::value::{CodeValue, DataOrigin};
use crate::base64::{Base64Alphabet, decode};
use crate::escapes;
use crate::word::Word;

impl Evaluator<'_> {
    /// Runs the module that a `data:` URL contains. A module in base64 is recorded as not analysed.
    pub(super) fn load_data(&mut self, at: NodeRef, url: &str) {
        let text = url.split_once(',').map(|(_, text)| text).unwrap_or_default();
        let text = percent(text).and_then(|bytes| String::from_utf8(bytes).ok());
        match text.filter(|_| !url.contains(";base64,")) {
            Some(text) => {
                self.evaluate_code(at, &CodeValue::text(text));
            }
            None => self.add_unanalysed(computed_reason(url), None),
        }
    }

    /// Returns the text that a library function decodes or encodes; unknown data if its argument is not known.
    pub(super) fn decoded_text(&mut self, call: LibraryCall<'_>, text: DecodedText) -> CodeValue {
        match text {
            DecodedText::Base64(argument) => decode_value(call.argument(argument), base64),
            DecodedText::Hex(argument) => decode_value(call.argument(argument), hex),
            DecodedText::By(argument, encoding) => decoded_by(call.argument(argument), call.argument(encoding)),
            DecodedText::Percent(argument) => match call.argument(argument) {
                Some(text) if text.known_text().is_some_and(|text| text.contains('%')) => {
                    decode_value(Some(text), percent)
                }
                Some(text @ CodeValue::Text(..)) => text,
                text => data_of(text),
            },
            DecodedText::FilePath(argument) => match call.argument(argument) {
                Some(CodeValue::Text(url, origin)) => match url.strip_prefix("file://") {
                    Some(path) if !path.has_known_text("%") => CodeValue::Text(path, origin),
                    _ => CodeValue::Data(origin),
                },
                url => data_of(url),
            },
            DecodedText::Url(argument, base) => match (call.argument(argument), call.argument(base)) {
                (Some(url @ CodeValue::Text(..)), None) => url,
                (url, _) => data_of(url),
            },
            DecodedText::Json(argument) => json(call.argument(argument)),
            DecodedText::Packed(list, format) => self.pack(call.argument(list), call.argument(format)),
            DecodedText::Unpacked(text, format) => unpack(call.argument(text), call.argument(format)),
        }
    }

    /// Evaluates `pack(format, values)` for one value: `H*` decodes hexadecimal digits, and `a` and `A` keep the text.
    /// The result of any other format is unknown data.
    pub(super) fn pack(&mut self, values: Option<CodeValue>, format: Option<CodeValue>) -> CodeValue {
        let first = match values.map(|list| self.elements(&list)) {
            Some(IterationElements::Known(values)) => values.into_iter().next(),
            _ => None,
        };
        let format = format.as_ref().and_then(CodeValue::known_text);
        match format.map(|format| format.trim_end_matches(['*', '0', '1', '2'])) {
            Some("H") => decode_value(first, hex),
            Some("a" | "A") => first.unwrap_or(CodeValue::COMPUTED),
            _ => CodeValue::COMPUTED,
        }
    }
}

/// Decodes a text as Ruby's `unpack1` does. Unless the format is `m`, base64, the result is unknown data.
fn unpack(text: Option<CodeValue>, format: Option<CodeValue>) -> CodeValue {
    match format.as_ref().and_then(CodeValue::known_text) {
        Some("m" | "m*" | "m0") => decode_value(text, base64),
        _ => data_of(text),
    }
}

/// Decodes a text by the name of its encoding: `Buffer.from(text, "hex")`. Without an encoding, the text is returned
/// unchanged; with an unsupported one, the result is unknown data.
fn decoded_by(text: Option<CodeValue>, encoding: Option<CodeValue>) -> CodeValue {
    let encoding = encoding.map(|name| name.known_text().map(str::to_ascii_lowercase).unwrap_or_default());
    match encoding.as_deref() {
        None | Some("utf8" | "utf-8" | "ascii" | "latin1" | "binary") => text.unwrap_or(CodeValue::Nothing).into_text(),
        Some("base64" | "base64url") => decode_value(text, base64),
        Some("hex") => decode_value(text, hex),
        Some(_) => data_of(text),
    }
}

/// Returns a text or a number encoded as JSON; unknown data for any other value.
fn json(value: Option<CodeValue>) -> CodeValue {
    match value {
        Some(CodeValue::Text(word, origin)) => match word.known_text() {
            Some(text) => text_within_limit(Word::text(format!("{text:?}")), origin),
            None => CodeValue::Data(origin),
        },
        Some(CodeValue::Number(number)) => CodeValue::text(number.to_string()),
        value => data_of(value),
    }
}

/// Returns unknown data that has the same origin as a value.
fn data_of(value: Option<CodeValue>) -> CodeValue {
    CodeValue::Data(value.map_or(DataOrigin::Computed, |value| value.origin()))
}

/// Decodes the text of a value. The result is unknown data if the text is not known or not valid, or is decoded to
/// bytes that are not UTF-8.
fn decode_value(value: Option<CodeValue>, decode: fn(&str) -> Option<Vec<u8>>) -> CodeValue {
    let origin = value.as_ref().map_or(DataOrigin::Computed, CodeValue::origin);
    let text =
        value.as_ref().and_then(CodeValue::known_text).and_then(decode).and_then(|bytes| String::from_utf8(bytes).ok());
    text.map_or(CodeValue::Data(origin), |text| text_within_limit(Word::text(text), origin))
}

fn base64(text: &str) -> Option<Vec<u8>> {
    decode(text, Base64Alphabet::Any)
}

/// Decodes percent-encoding: `%2F` is `/`; `None` if a `%` is not followed by two hexadecimal digits.
fn percent(text: &str) -> Option<Vec<u8>> {
    let (bytes, is_valid) = escapes::percent(text);
    is_valid.then_some(bytes)
}

/// Decodes pairs of hexadecimal digits between optional blanks; `None` if there is any other character or a single
/// digit.
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
