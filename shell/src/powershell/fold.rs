//! Evaluates operators with known operands (constant folding), and decodes texts.

use super::value::{PowerShellObject, PowerShellValue, PowerShellValueKind, ValuePiece, known_object_text};

/// Evaluates a binary operator. The result is unknown if an operand is, or the operator is not supported. The
/// commands of both operands are in it.
pub(super) fn binary(operator: &str, left: &PowerShellValue, right: &PowerShellValue) -> PowerShellValue {
    let result = folded(operator, left, right);
    let is_kept = |script: &str| result.scripts().any(|own| own == script);
    match left.scripts().chain(right.scripts()).all(is_kept) {
        true => result,
        false => PowerShellValue::unknown_from([left, right]),
    }
}

/// Evaluates a binary operator; the result may lack the commands of an operand.
fn folded(operator: &str, left: &PowerShellValue, right: &PowerShellValue) -> PowerShellValue {
    match operator {
        "+" => add(left, right),
        "-f" => format_text(left, right).unwrap_or_else(|| PowerShellValue::unknown_from([left, right])),
        "-join" => match right.known_text() {
            Some(between) => PowerShellValue::single(left.join_items(&between)),
            None => PowerShellValue::unknown_from([left, right]),
        },
        "-replace" | "-ireplace" | "-creplace" => {
            let matches: fn(&str, &str) -> bool =
                if operator == "-creplace" { str::eq } else { str::eq_ignore_ascii_case };
            replace_text(left, right, matches).unwrap_or_else(|| PowerShellValue::unknown_from([left, right]))
        }
        "-as" => left.clone(),
        ".." => range(left, right).unwrap_or_else(|| PowerShellValue::unknown_from([left, right])),
        _ => PowerShellValue::unknown_from([left, right]),
    }
}

/// Evaluates `+`: joins texts or lists. The sum of two numbers is unknown.
fn add(left: &PowerShellValue, right: &PowerShellValue) -> PowerShellValue {
    let is_number = |value: &PowerShellValue| value.known_text().is_some_and(|text| text.parse::<f64>().is_ok());
    match (left.items.len(), right.items.len()) {
        (1, 1) if is_number(left) && is_number(right) => PowerShellValue::unknown_from([left, right]),
        (1, _) => {
            let mut item = left.join_items(" ");
            item.extend(right.join_items(" "));
            PowerShellValue::single(item)
        }
        _ => PowerShellValue {
            items: left.items.iter().chain(&right.items).cloned().collect(),
            kind: PowerShellValueKind::Plain,
        },
    }
}

/// The most numbers that a range is written out to.
const MAX_RANGE: u64 = 100;

/// Evaluates `1..3`; `None` if an end is unknown or the numbers are too many.
fn range(left: &PowerShellValue, right: &PowerShellValue) -> Option<PowerShellValue> {
    let number = |value: &PowerShellValue| value.known_text()?.trim().parse::<i64>().ok();
    let (from, to) = (number(left)?, number(right)?);
    if from.abs_diff(to) >= MAX_RANGE {
        return None;
    }
    let (low, high) = (from.min(to), from.max(to));
    let mut items: Vec<PowerShellObject> = (low..=high).map(|n| vec![ValuePiece::Text(n.to_string())]).collect();
    if from > to {
        items.reverse();
    }
    Some(PowerShellValue { items, kind: PowerShellValueKind::Plain })
}

/// Evaluates `'{1}{0}' -f 'a', 'b'`; `None` for other formats or unknown operands.
fn format_text(format: &PowerShellValue, values: &PowerShellValue) -> Option<PowerShellValue> {
    let format = format.known_text()?;
    let mut item: PowerShellObject = Vec::new();
    let mut rest = format.as_str();
    while let Some((before, after_brace)) = rest.split_once(['{', '}']) {
        item.push(ValuePiece::Text(before.to_owned()));
        if after_brace.starts_with(['{', '}']) {
            item.push(ValuePiece::Text(after_brace.get(..1)?.to_owned()));
            rest = after_brace.get(1..)?;
            continue;
        }
        let (number, after) = after_brace.split_once('}')?;
        let at: usize = number.parse().ok()?;
        item.extend(values.items.get(at)?.iter().cloned());
        rest = after;
    }
    item.push(ValuePiece::Text(rest.to_owned()));
    Some(PowerShellValue::single(item))
}

/// Evaluates `'rXm' -replace 'X', ''`; `None` unless the pattern is plain text.
fn replace_text(
    left: &PowerShellValue,
    right: &PowerShellValue,
    matches: fn(&str, &str) -> bool,
) -> Option<PowerShellValue> {
    let text = left.known_text()?;
    let operands = right.known_texts()?;
    let pattern = operands.first()?;
    let is_plain = pattern.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-' | '#' | '@' | '~'));
    let replacement = operands.get(1).map_or("", String::as_str);
    if !is_plain || pattern.is_empty() || replacement.contains('$') {
        return None;
    }
    let mut result = String::new();
    let mut rest = text.as_str();
    while let Some(c) = rest.chars().next() {
        let length = pattern.len();
        match rest.get(..length) {
            Some(start) if matches(start, pattern) => {
                result.push_str(replacement);
                rest = rest.get(length..)?;
            }
            _ => {
                result.push(c);
                rest = rest.get(c.len_utf8()..)?;
            }
        }
    }
    Some(PowerShellValue::text(result))
}

/// Evaluates `[char]114`; `None` if the number is unknown or not a character.
pub(super) fn character(value: &PowerShellValue) -> Option<PowerShellValue> {
    let item = value.items.first()?;
    let number = known_object_text(item)?;
    let number = number.trim();
    let code = match number.strip_prefix("0x").or_else(|| number.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok()?,
        None => number.parse().ok()?,
    };
    let c = char::from_u32(code).filter(|c| *c != '\0')?;
    (value.items.len() == 1).then(|| PowerShellValue::text(c.to_string()))
}

/// Decodes little-endian UTF-16; `None` if it is not valid.
pub(crate) fn from_utf16(bytes: &[u8]) -> Option<String> {
    let units = bytes.chunks(2).map(|pair| match pair {
        [low, high] => Some(u16::from_le_bytes([*low, *high])),
        _ => None,
    });
    let units: Vec<u16> = units.collect::<Option<_>>()?;
    let text = String::from_utf16(&units).ok()?;
    Some(text.trim_start_matches('\u{feff}').to_owned())
}
