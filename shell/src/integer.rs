//! Integers in C notation, as shells and `printf` parse them: `10`, `0x1f`, `010`.
//!
//! Texts that shells parse differently, or with a warning, are rejected.

use crate::dialect::{DialectFeature, DialectReading};

/// Parses an integer with an optional sign: decimal, octal after `0` in most dialects, hexadecimal after `0x`.
pub(crate) fn parse_signed(text: &str, reading: &DialectReading) -> Option<i64> {
    parse_after_sign(text, |text| parse_constant(text, reading))
}

/// Parses the text after an optional sign with `parse`, and applies the sign.
pub(crate) fn parse_after_sign(text: &str, parse: impl FnOnce(&str) -> Option<i64>) -> Option<i64> {
    match text.strip_prefix('-') {
        Some(rest) => parse(rest)?.checked_neg(),
        None => parse(text.strip_prefix('+').unwrap_or(text)),
    }
}

/// Parses an integer without a sign.
pub(crate) fn parse_constant(text: &str, reading: &DialectReading) -> Option<i64> {
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return parse_digits(digits, 16);
    }
    match text.strip_prefix('0') {
        None | Some("") => parse_digits(text, 10),
        // In these dialects, `08` is an error.
        Some(_) if reading.has(DialectFeature::OctalNumbers) => parse_digits(text, 8),
        Some(_) => parse_digits(text, 10),
    }
}

/// Parses a text that consists of digits in a base. Unlike Rust's own function, it accepts no sign.
pub(crate) fn parse_digits(text: &str, base: u32) -> Option<i64> {
    let is_digits = text.chars().all(|c| c.is_digit(base));
    i64::from_str_radix(text, base).ok().filter(|_| is_digits)
}

/// The largest number that every `seq` prints in full: BSD's prints `1e+06` for the next one.
const LARGEST: usize = 999_999;

/// The maximum number of lines of `seq` that are written out.
const MAX_LINES: usize = 256;

/// Whether a text is a decimal number without a sign or a leading zero.
pub(super) fn is_plain_decimal(text: &str) -> bool {
    text == "0" || !text.is_empty() && !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the numbers that `seq LAST`, `seq FIRST LAST` or `seq FIRST STEP LAST` prints. `None` for other arguments, if
/// they are too many, and if there are none, since BSD's `seq` counts down then.
pub(super) fn sequence<'t>(arguments: impl Iterator<Item = Option<&'t str>>) -> Option<impl Iterator<Item = usize>> {
    let number = |text: Option<&str>| {
        let text = text?;
        text.parse().ok().filter(|number| is_plain_decimal(text) && *number <= LARGEST)
    };
    let numbers: Vec<usize> = arguments.map(number).collect::<Option<_>>()?;
    let (first, step, last) = match *numbers.as_slice() {
        [last] => (1, 1, last),
        [first, last] => (first, 1, last),
        [first, step, last] if step > 0 => (first, step, last),
        _ => return None,
    };
    let is_few = last.checked_sub(first).is_some_and(|distance| distance / step < MAX_LINES);
    is_few.then(|| (first..=last).step_by(step))
}
