//! C-style integers, as read by shells and `printf`: `10`, `0x1f`, `010`, `'a`.
//!
//! Texts that they read differently, or with a warning, are rejected.

use crate::dialect::{DialectFeature, DialectReading};

/// Parses an integer constant with an optional sign: decimal, octal after `0`, hexadecimal after `0x`.
pub(crate) fn parse_signed(text: &str, reading: &DialectReading) -> Option<i64> {
    parse_after_sign(text, |text| parse_constant(text, reading))
}

/// Parses the text after an optional sign, and applies the sign.
pub(crate) fn parse_after_sign(text: &str, read: impl FnOnce(&str) -> Option<i64>) -> Option<i64> {
    match text.strip_prefix('-') {
        Some(rest) => read(rest)?.checked_neg(),
        None => read(text.strip_prefix('+').unwrap_or(text)),
    }
}

/// Parses an integer constant without a sign.
pub(crate) fn parse_constant(text: &str, reading: &DialectReading) -> Option<i64> {
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return parse_digits(digits, 16);
    }
    match text.strip_prefix('0') {
        None | Some("") => parse_digits(text, 10),
        // In other dialects `08` is an error.
        Some(_) if reading.has(DialectFeature::OctalNumbers) => parse_digits(text, 8),
        Some(_) => parse_digits(text, 10),
    }
}

/// Parses digits only: Rust would accept a sign before them.
pub(crate) fn parse_digits(text: &str, base: u32) -> Option<i64> {
    let is_digits = text.chars().all(|c| c.is_digit(base));
    i64::from_str_radix(text, base).ok().filter(|_| is_digits)
}
