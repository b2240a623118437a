//! Computes the output of `printf` for texts, integers and single characters. Directives such as `%f` are not
//! evaluated.

use super::output::decode_escapes;
use crate::dialect::{DialectFeature, DialectReading};
use crate::escapes::{EscapeDecoder, decode};
use crate::integer;
use crate::stream::{LONGEST, ShellValue};
use crate::word::{Cause, Unknown, ValueSource, Word, WordPart};

/// The maximum width and precision that are evaluated.
const MAX_WIDTH: usize = 256;

/// Returns the output of `printf` with these arguments; `None` if it is not certain.
pub(super) fn printf(arguments: &[ShellValue], reading: &DialectReading) -> Option<ShellValue> {
    let (format, values) = match arguments.split_first()? {
        (first, rest) if first.word.known_text() == Some("--") => rest.split_first()?,
        // Some shells print such a word, others parse it as an option.
        (first, _) if first.word.prefix().starts_with('-') => return None,
        format_and_values => format_and_values,
    };
    let format = format.word.known_text()?;
    // In some shells, `\c` ends the output.
    let is_certain = !format.contains("\\c") && are_decoded(format, IN_FORMATS, reading);
    if !is_certain || values.iter().any(|value| value.word.may_split()) {
        return None;
    }
    let (mut output, missing_value) = (ShellValue::default(), ShellValue::default());
    let mut values = values.iter();
    let mut remaining_length = LONGEST;
    loop {
        // The format is repeated until the arguments are used up.
        remaining_length = remaining_length.checked_sub(format.len() + 1)?;
        let mut rest = format;
        let mut has_directive = false;
        while let Some((before, after_sign)) = rest.split_once('%') {
            output.word.push(WordPart::Text(decode(before, EscapeDecoder::Format).0));
            if let Some(after_sign) = after_sign.strip_prefix('%') {
                output.word.push(WordPart::Text("%".to_owned()));
                rest = after_sign;
                continue;
            }
            let (directive, after_sign) = PrintfDirective::read(after_sign)?;
            rest = after_sign;
            has_directive = true;
            remaining_length =
                remaining_length.checked_sub(directive.width + directive.precision.unwrap_or_default())?;
            let value = values.next().unwrap_or(&missing_value);
            if directive.kind == 'b' {
                let is_certain = directive.is_plain() && has_portable_escapes(value, reading);
                let (value, is_over) = is_certain.then(|| decode_escapes(value, EscapeDecoder::Argument))?;
                output.append(&value);
                if is_over {
                    return Some(output);
                }
            } else {
                output.append(&directive.format_value(value, reading)?);
            }
        }
        output.word.push(WordPart::Text(decode(rest, EscapeDecoder::Format).0));
        if !has_directive || values.len() == 0 {
            return Some(output);
        }
    }
}

/// Whether it is certain how the escapes in the value of a `%b` are decoded.
fn has_portable_escapes(value: &ShellValue, reading: &DialectReading) -> bool {
    value.word.parts.iter().filter_map(WordPart::text).all(|text| are_decoded(text, IN_VALUES, reading))
}

/// The characters after a backslash that all shells decode in a format.
const IN_FORMATS: &str = "abefnrtv\\01234567";

/// The characters after a backslash that all shells decode in the value of a `%b`.
const IN_VALUES: &str = "abcefnrtv\\0";

/// Whether the current shell decodes all escapes of a text. `common` has the escapes that every shell decodes.
fn are_decoded(text: &str, common: &str, reading: &DialectReading) -> bool {
    let mut rest = text;
    while let Some((_, escape)) = rest.split_once('\\') {
        let Some(c) = escape.chars().next() else { break };
        if !common.contains(c) {
            return reading.has(DialectFeature::MoreEscapes);
        }
        rest = escape.get(c.len_utf8()..).unwrap_or_default();
    }
    true
}

/// A parsed directive: `%-5.2d` has flags `-`, width 5, precision 2 and kind `d`.
struct PrintfDirective<'f> {
    flags: &'f str,
    width: usize,
    precision: Option<usize>,
    kind: char,
}

impl<'f> PrintfDirective<'f> {
    /// Parses the directive after a `%`, and returns it with the rest of the text; `None` if it is not valid or too
    /// wide.
    fn read(text: &'f str) -> Option<(Self, &'f str)> {
        let (flags, rest) = text.split_at_checked(text.find(|c| !"-+ #0".contains(c))?)?;
        let (width, rest) = leading_number(rest)?;
        let (precision, rest) = match rest.strip_prefix('.') {
            Some(rest) => leading_number(rest).map(|(precision, rest)| (Some(precision), rest))?,
            None => (None, rest),
        };
        let kind = rest.chars().next()?;
        Some((Self { flags, width, precision, kind }, rest.get(kind.len_utf8()..)?))
    }

    /// Whether the directive has no flags, width or precision, so that `%s` prints a text unchanged.
    fn is_plain(&self) -> bool {
        self.flags.is_empty() && self.width == 0 && self.precision.is_none()
    }

    /// Returns a value as the directive prints it; `None` if that is not certain.
    fn format_value(&self, value: &ShellValue, reading: &DialectReading) -> Option<ShellValue> {
        let text = match self.kind {
            's' if self.is_plain() => return Some(value.clone()),
            's' => self.pad("", self.text(value)?),
            'c' if self.precision.is_none() => self.pad("", self.text(value)?.get(..1)?),
            'd' | 'i' | 'u' | 'o' | 'x' | 'X' => match number(&value.word, reading) {
                Some(number) => self.number(number)?,
                None => {
                    let word = self.is_plain().then(|| self.unknown(&value.word))?;
                    return Some(ShellValue { word, writers: value.writers.clone() });
                }
            },
            _ => return None,
        };
        Some(ShellValue { word: Word::text(text), writers: value.writers.clone() })
    }

    /// Returns a text truncated to the precision. `None` if it is unknown or not ASCII (what a character is depends on
    /// the locale), or if there is a flag other than `-`.
    fn text<'v>(&self, value: &'v ShellValue) -> Option<&'v str> {
        let is_simple = self.flags.chars().all(|flag| flag == '-');
        let text = value.word.known_text().filter(|text| is_simple && text.is_ascii())?;
        text.get(..self.precision.unwrap_or(text.len()).min(text.len()))
    }

    /// Returns a number as an integer directive prints it; `None` for the flag `#`.
    fn number(&self, number: i64) -> Option<String> {
        let bits = number.cast_unsigned();
        let (sign, digits) = match self.kind {
            _ if self.flags.contains('#') => return None,
            'd' | 'i' => {
                let flag = |sign: char| self.flags.contains(sign);
                let sign = if flag('+') {
                    "+"
                } else if flag(' ') {
                    " "
                } else {
                    ""
                };
                (if number < 0 { "-" } else { sign }, number.unsigned_abs().to_string())
            }
            'u' => ("", bits.to_string()),
            'o' => ("", format!("{bits:o}")),
            'x' => ("", format!("{bits:x}")),
            _ => ("", format!("{bits:X}")),
        };
        let digits = match self.precision {
            Some(0) if number == 0 => String::new(),
            Some(precision) => format!("{digits:0>precision$}"),
            None if self.flags.contains('0') && !self.flags.contains('-') => {
                let width = self.width.saturating_sub(sign.len());
                format!("{digits:0>width$}")
            }
            None => digits,
        };
        Some(self.pad(sign, &digits))
    }

    /// Pads the sign and the text with spaces to the field width.
    fn pad(&self, sign: &str, text: &str) -> String {
        let width = self.width;
        match self.flags.contains('-') {
            true => format!("{:<width$}", format!("{sign}{text}")),
            false => format!("{:>width$}", format!("{sign}{text}")),
        }
    }

    /// Returns what the directive prints for an unknown number. `%d` prints a value that is certainly a number, such as
    /// `$$`, unchanged. For any other value, the result is an unknown number.
    fn unknown(&self, word: &Word) -> Word {
        match word.parts.as_slice() {
            [WordPart::Unknown(part)]
                if matches!(self.kind, 'd' | 'i')
                    && matches!(
                        part.reason.source,
                        ValueSource::Number | ValueSource::Process | ValueSource::Parent
                    ) =>
            {
                word.clone()
            }
            parts => {
                let cause = parts.iter().find_map(|part| match part {
                    WordPart::Unknown(part) => Some(part.reason.cause),
                    WordPart::Text(_) | WordPart::Glob(_) => None,
                });
                let cause = cause.unwrap_or(Cause::Computed);
                Word::unknown(Unknown::with_source(cause, word.display_text(), ValueSource::Number))
            }
        }
    }
}

/// Parses the number at the start of a text; 0 if there are no digits, and `None` if it exceeds [`MAX_WIDTH`].
fn leading_number(text: &str) -> Option<(usize, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end)?;
    let count = if digits.is_empty() { 0 } else { digits.parse().ok()? };
    (count <= MAX_WIDTH).then_some((count, rest))
}

/// Parses a value as `printf` does: an integer in C notation, or a quote and a character, which stand for the
/// character's code. `None` if the value is unknown, or if shells differ.
fn number(word: &Word, reading: &DialectReading) -> Option<i64> {
    let text = word.known_text()?;
    if text.is_empty() {
        return Some(0);
    }
    if let Some(quoted) = text.strip_prefix(['\'', '"']) {
        let [byte] = quoted.as_bytes() else { return None };
        return byte.is_ascii().then(|| i64::from(*byte));
    }
    let text = text.trim_start_matches([' ', '\t', '\n']);
    let digits = text.trim_start_matches(['-', '+']);
    // For the builtin of zsh it is decimal, for the program `printf` octal.
    let is_octal =
        digits.len() > 1 && digits.starts_with('0') && !(digits.starts_with("0x") || digits.starts_with("0X"));
    let is_certain = !is_octal || reading.has(DialectFeature::OctalNumbers);
    integer::parse_signed(text, reading).filter(|_| is_certain)
}
