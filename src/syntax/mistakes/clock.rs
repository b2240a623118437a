//! Times of day in the notations of other languages.

use crate::syntax::ast::{AstElement, AstValue, Operator, ValueKind};
use crate::time::TimeOfDay;

/// The signs and words between the two ends of a part of the day or week. One that contains another precedes it.
const BETWEEN_ENDS: [&str; 9] = ["..=", "...", "..", " until ", " till ", " and ", " to ", "-", "–"];

/// Returns the part of the day that a comparison of the time in another form probably means: from 22:00 to 24:00 for
/// `time > "10pm"`. `None` if its meaning is not known.
#[must_use]
pub fn meant_part_of_day(operator: Operator, value: &AstValue) -> Option<(TimeOfDay, TimeOfDay)> {
    let (midnight, end) = (TimeOfDay::from_minutes(0)?, "24:00".parse().ok()?);
    let texts: Vec<String> = match &value.kind {
        ValueKind::Text(text) => match both_ends(&text.value).or_else(|| text.value.split_once(',')) {
            Some((from, to)) => vec![from.to_owned(), to.to_owned()],
            None => vec![text.value.clone()],
        },
        ValueKind::Number(_, digits) => vec![digits.clone()],
        ValueKind::List(elements) => elements
            .iter()
            .map(|element| match element {
                AstElement::Value(AstValue { kind: ValueKind::Text(text), .. }) => Some(text.value.clone()),
                _ => None,
            })
            .collect::<Option<_>>()?,
        _ => return None,
    };
    let times: Vec<TimeOfDay> = texts.iter().map(|text| time_in_another_notation(text)).collect::<Option<_>>()?;
    match (times.as_slice(), operator) {
        ([from, to], Operator::In | Operator::Equal | Operator::Like) if from != to => Some((*from, *to)),
        ([from], Operator::Greater | Operator::GreaterEqual) => Some((*from, end)),
        ([to], Operator::Less | Operator::LessEqual) if *to != midnight => Some((midnight, *to)),
        _ => None,
    }
}

/// Returns the time that a text in another notation names, such as `9:00`, `22`, `10pm` or `10:30 PM`; `None` if it
/// names none.
#[must_use]
pub fn time_in_another_notation(text: &str) -> Option<TimeOfDay> {
    let text = text.trim().to_ascii_lowercase();
    let (text, noon) = match (text.strip_suffix("am"), text.strip_suffix("pm")) {
        (Some(text), _) => (text, Some(0)),
        (_, Some(text)) => (text, Some(12)),
        _ => (text.strip_suffix('h').unwrap_or(&text), None),
    };
    let (hour, minute) = text.trim().split_once([':', '.']).unwrap_or((text.trim(), "0"));
    let (hour, minute) = (hour.parse::<u16>().ok()?, minute.parse::<u16>().ok().filter(|minute| *minute < 60)?);
    let hour = match noon {
        Some(noon) => (1..=12).contains(&hour).then_some(hour % 12 + noon)?,
        None => hour,
    };
    TimeOfDay::from_minutes(hour.checked_mul(60)?.checked_add(minute)?)
}

/// Returns a text without the quotes and spaces around it.
pub(in crate::syntax) fn bare(text: &str) -> &str {
    text.trim_matches(['"', '\'', ' '])
}

/// Returns the source texts of both ends of a part of the day or week: `9am` and `5pm` for `9am to 5pm`. `None` if
/// there are no two ends.
pub(in crate::syntax) fn both_ends(written: &str) -> Option<(&str, &str)> {
    let inner = written.trim_matches(['"', '\'', '[', ']', '(', ')', ' ']);
    let (from, to) = BETWEEN_ENDS.iter().find_map(|sign| inner.split_once(sign))?;
    Some((bare(from), bare(to)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_other_notations_are_understood() {
        let meant = |text: &str| time_in_another_notation(text).map(|time| time.to_string());
        for (written, time) in [
            ("9:00", "09:00"),
            ("22", "22:00"),
            ("22h", "22:00"),
            ("10pm", "22:00"),
            ("12 AM", "00:00"),
            ("9.30", "09:30"),
        ] {
            assert_eq!(meant(written).as_deref(), Some(time), "{written}");
        }
        for other in ["", "night", "25", "13pm", "0am", "12:60", "99999999"] {
            assert_eq!(meant(other), None, "{other}");
        }
    }
}
