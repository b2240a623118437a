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
