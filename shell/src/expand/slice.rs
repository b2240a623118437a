//! Slices of values and of lists: `${x:from:length}`.

use std::ops::Range;

use super::Expander;
use super::parameter::ParameterValue;
use crate::characters::locale_independent;
use crate::state::PositionalParameters;
use crate::stream::ShellValue;
use crate::word::{Cause, Word};

impl Expander<'_> {
    /// Prepends `$0` to the arguments, since `${@:0}` begins with it. Unknown arguments stay as they are.
    pub(super) fn prepend_zero(&mut self, parameter: ParameterValue) -> ParameterValue {
        let PositionalParameters::Known(zero, _) = &*self.shell.state().arguments else { return parameter };
        let zero = zero.clone();
        let prepended = |values: Vec<ShellValue>| std::iter::once(zero.clone()).chain(values).collect();
        match parameter {
            ParameterValue::Elements(values) => ParameterValue::Elements(prepended(values)),
            ParameterValue::Joined(values) => ParameterValue::Joined(prepended(values)),
            other => other,
        }
    }

    /// Returns the value of `${x:from:length}`, where `rest` is `from:length` or `from`.
    pub(super) fn slice(&mut self, parameter: ParameterValue, rest: &str) -> ParameterValue {
        let (from, length) = match rest.split_once(':') {
            Some((from, length)) => (from, Some(length)),
            None => (rest, None),
        };
        let mut number =
            |text: &str| super::arithmetic(self.shell, text).word.known_text().and_then(|n| n.parse::<i64>().ok());
        let slice = Slice { from: number(from), length: length.map(number) };
        let sliced = match parameter {
            ParameterValue::One(value) => value.word.known_text().and_then(|text| {
                let part = |text: &str| {
                    let range = slice.within(text.chars().count())?;
                    Some(text.chars().take(range.end).skip(range.start).collect::<String>())
                };
                let text = locale_independent(text, part, part)?;
                Some(ParameterValue::One(ShellValue { word: Word::text(text), writers: value.writers.clone() }))
            }),
            ParameterValue::Elements(values) => slice.elements(&values).map(ParameterValue::Elements),
            ParameterValue::Joined(values) => slice.elements(&values).map(ParameterValue::Joined),
            ParameterValue::Unset => Some(ParameterValue::Unset),
            _ => None,
        };
        sliced.unwrap_or_else(|| {
            // A negative length may end the slice before its start, which is an error.
            if slice.length.is_some_and(|length| length.is_none_or(|length| length < 0)) {
                self.shell.note_possible_exit();
            }
            ParameterValue::Unknown(Cause::Variable)
        })
    }
}

/// The offset and the length of a slice, before they are applied to a value.
struct Slice {
    /// The offset of the start, counted from the end if it is negative; `None` if it is unknown.
    from: Option<i64>,
    /// The length: `None` if there is none, `Some(None)` if it is unknown.
    length: Option<Option<i64>>,
}

impl Slice {
    /// Returns the range of the slice in a value of `count` characters or elements; `None` if the range is unknown or
    /// invalid.
    fn within(&self, count: usize) -> Option<Range<usize>> {
        let count = i64::try_from(count).ok()?;
        let start = self.from.map(|from| if from < 0 { count + from } else { from }).filter(|start| *start >= 0)?;
        let end = match self.length {
            None => count,
            Some(length) => {
                length.map(|length| if length < 0 { count + length } else { start.saturating_add(length) })?
            }
        };
        if end < start && self.length.is_some() && start <= count {
            return None;
        }
        let clamp = |at: i64| usize::try_from(at.clamp(0, count)).ok();
        Some(clamp(start)?..clamp(end)?.max(clamp(start)?))
    }

    /// Returns the elements of a list in the slice; `None` if they are unknown, or if the length is negative, an
    /// error for lists.
    fn elements(&self, values: &[ShellValue]) -> Option<Vec<ShellValue>> {
        let is_plain = values.iter().all(|value| !value.word.may_split());
        let is_valid = self.length.flatten().is_none_or(|length| length >= 0);
        let range = self.within(values.len()).filter(|_| is_plain && is_valid)?;
        Some(values.get(range).unwrap_or_default().to_vec())
    }
}
