//! Integers as C writes them, which is how shells and `printf` read them: `10`, `0x1f`, `010`, `'a`.
//!
//! What one of them reads otherwise than another, or with a complaint, is not read here.

use crate::dialect::{Feature, Reading};

/// Reads an integer constant with a sign in front or without: decimal, octal behind a `0`, hexadecimal behind `0x`.
pub(crate) fn signed(text: &str, reading: &Reading) -> Option<i64> {
    behind_sign(text, |text| constant(text, reading))
}

/// Reads what stands behind a sign, if there is one, and minds the sign.
pub(crate) fn behind_sign(text: &str, read: impl FnOnce(&str) -> Option<i64>) -> Option<i64> {
    match text.strip_prefix('-') {
        Some(rest) => read(rest)?.checked_neg(),
        None => read(text.strip_prefix('+').unwrap_or(text)),
    }
}

/// Reads an integer constant without a sign.
pub(crate) fn constant(text: &str, reading: &Reading) -> Option<i64> {
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return digits_of(digits, 16);
    }
    match text.strip_prefix('0') {
        None | Some("") => digits_of(text, 10),
        // Elsewhere `08` is a mistake.
        Some(_) if reading.has(Feature::OctalNumbers) => digits_of(text, 8),
        Some(_) => digits_of(text, 10),
    }
}

/// Reads digits alone: Rust would take a sign in front of them.
pub(crate) fn digits_of(text: &str, base: u32) -> Option<i64> {
    let is_digits = text.chars().all(|c| c.is_digit(base));
    i64::from_str_radix(text, base).ok().filter(|_| is_digits)
}
