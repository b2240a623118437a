//! Parses numbers, durations (`30s`) and sizes (`10KB`), which are a single token of the grammar and differ by their
//! unit.

use std::time::Duration;

use super::ast::ValueKind;
use super::mistakes::SyntaxMistake;
use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// Parses `-1.5`, `30s`, `10KB`. A unit in another spelling (`10kib`) is reported and read as the correct unit; an
/// unknown unit, a number that is not whole before a unit, and an overflow are reported and read as a number.
pub(super) fn parse_quantity(source: &str, span: Span, diagnostics: &mut Vec<Diagnostic>) -> ValueKind {
    let unit_at = source.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(source.len());
    let (digits, written_unit) = source.split_at_checked(unit_at).unwrap_or((source, ""));
    let number = || ValueKind::Number(digits.parse().unwrap_or_default(), source.to_owned());
    if written_unit.is_empty() {
        return number();
    }
    let Some(unit) = known_unit(written_unit) else {
        diagnostics.push(SyntaxMistake::UnknownUnit { unit: written_unit }.at(span));
        return number();
    };
    if unit != written_unit {
        let right = format!("{digits}{unit}");
        diagnostics.push(SyntaxMistake::ForeignUnit { unit: written_unit, right: &right }.at(span).fix(span, &right));
    }
    let Ok(count) = digits.parse::<u64>() else {
        let is_whole = digits.bytes().all(|digit| digit.is_ascii_digit());
        let (whole, other) =
            (SyntaxMistake::OutOfRange { written: source }, SyntaxMistake::NotWhole { written: source, unit });
        diagnostics.push(if is_whole { whole } else { other }.at(span));
        return number();
    };
    let scale: u64 = match unit {
        "ms" | "s" => 1,
        "m" => 60,
        "h" => 3_600,
        "KB" => 1_000,
        "MB" => 1_000_000,
        _ => 1_000_000_000,
    };
    let Some(scaled) = count.checked_mul(scale) else {
        diagnostics.push(SyntaxMistake::OutOfRange { written: source }.at(span));
        return number();
    };
    match unit {
        "ms" => ValueKind::Duration(Duration::from_millis(scaled), source.to_owned()),
        "s" | "m" | "h" => ValueKind::Duration(Duration::from_secs(scaled), source.to_owned()),
        _ => ValueKind::Size(scaled, source.to_owned()),
    }
}

/// Returns `5m` for `5 minutes`: a whole number and its unit in any notation; `None` if the number or the unit is
/// missing or unknown.
pub fn quantity_with_unit(written: &str) -> Option<String> {
    let written = written.trim();
    let end = written.bytes().position(|byte| !byte.is_ascii_digit())?;
    let (digits, word) = written.split_at_checked(end).filter(|(digits, _)| !digits.is_empty())?;
    Some(format!("{digits}{}", known_unit(word.trim_start())?))
}

/// Returns the policy language's unit for a common spelling: `KB` for `kib`; `None` if the unit is unknown. `M` is
/// `MB`, but `m` is minutes.
fn known_unit(written: &str) -> Option<&'static str> {
    match written {
        "M" => return Some("MB"),
        "m" => return Some("m"),
        _ => {}
    }
    Some(match written.to_ascii_lowercase().as_str() {
        "ms" | "msec" | "msecs" | "millis" | "milliseconds" => "ms",
        "s" | "sec" | "secs" | "second" | "seconds" => "s",
        "min" | "mins" | "minute" | "minutes" => "m",
        "h" | "hr" | "hrs" | "hour" | "hours" => "h",
        "k" | "kb" | "kib" | "kilobyte" | "kilobytes" => "KB",
        "mb" | "mib" | "megabyte" | "megabytes" => "MB",
        "g" | "gb" | "gib" | "gigabyte" | "gigabytes" => "GB",
        _ => return None,
    })
}
