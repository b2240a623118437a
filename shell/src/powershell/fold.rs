//! Constant folding: operators with known operands, and encoded texts.

use super::value::{Item, Kind, Piece, Value, known};

/// Evaluates `left operator right`.
pub(super) fn binary(operator: &str, left: &Value, right: &Value) -> Value {
    match operator {
        "+" => added(left, right),
        "-f" => formatted(left, right).unwrap_or_else(|| Value::made_of([left, right])),
        "-join" => match right.known() {
            Some(between) => Value::one(left.joined(&between)),
            None => Value::made_of([left, right]),
        },
        "-replace" | "-ireplace" | "-creplace" => {
            replaced(left, right).unwrap_or_else(|| Value::made_of([left, right]))
        }
        "-as" => left.clone(),
        _ => Value::made_of([left, right]),
    }
}

fn added(left: &Value, right: &Value) -> Value {
    let is_number = |value: &Value| value.known().is_some_and(|text| text.parse::<f64>().is_ok());
    match (left.items.len(), right.items.len()) {
        (1, 1) if is_number(left) && is_number(right) => Value::made_of([left, right]),
        (1, _) => {
            let mut item = left.joined(" ");
            item.extend(right.joined(" "));
            Value::one(item)
        }
        _ => Value { items: left.items.iter().chain(&right.items).cloned().collect(), kind: Kind::Plain },
    }
}

/// `'{1}{0}' -f 'a', 'b'`
fn formatted(format: &Value, values: &Value) -> Option<Value> {
    let format = format.known()?;
    let mut item: Item = Vec::new();
    let mut rest = format.as_str();
    while let Some((before, behind)) = rest.split_once(['{', '}']) {
        item.push(Piece::Text(before.to_owned()));
        if behind.starts_with(['{', '}']) {
            item.push(Piece::Text(behind.get(..1)?.to_owned()));
            rest = behind.get(1..)?;
            continue;
        }
        let (number, after) = behind.split_once('}')?;
        let at: usize = number.parse().ok()?;
        item.extend(values.items.get(at)?.iter().cloned());
        rest = after;
    }
    item.push(Piece::Text(rest.to_owned()));
    Some(Value::one(item))
}

/// Evaluates `'rXm' -replace 'X', ''`, if the pattern is plain text.
fn replaced(left: &Value, right: &Value) -> Option<Value> {
    let text = left.known()?;
    let with = right.all_known()?;
    let pattern = with.first()?;
    let is_plain = pattern.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-' | '#' | '@' | '~'));
    let replacement = with.get(1).map_or("", String::as_str);
    if !is_plain || pattern.is_empty() || replacement.contains('$') {
        return None;
    }
    let mut result = String::new();
    let mut rest = text.as_str();
    while let Some(c) = rest.chars().next() {
        let length = pattern.len();
        match rest.get(..length) {
            Some(start) if start.eq_ignore_ascii_case(pattern) => {
                result.push_str(replacement);
                rest = rest.get(length..)?;
            }
            _ => {
                result.push(c);
                rest = rest.get(c.len_utf8()..)?;
            }
        }
    }
    Some(Value::text(result))
}

/// `[char]114`
pub(super) fn character(value: &Value) -> Option<Value> {
    let item = value.items.first()?;
    let number = known(item)?;
    let number = number.trim();
    let code = match number.strip_prefix("0x").or_else(|| number.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok()?,
        None => number.parse().ok()?,
    };
    let c = char::from_u32(code).filter(|c| *c != '\0')?;
    (value.items.len() == 1).then(|| Value::text(c.to_string()))
}

/// Decodes little-endian UTF-16.
pub(crate) fn from_utf16(bytes: &[u8]) -> Option<String> {
    let units = bytes.chunks(2).map(|pair| match pair {
        [low, high] => Some(u16::from_le_bytes([*low, *high])),
        _ => None,
    });
    let units: Vec<u16> = units.collect::<Option<_>>()?;
    let text = String::from_utf16(&units).ok()?;
    Some(text.trim_start_matches('\u{feff}').to_owned())
}
