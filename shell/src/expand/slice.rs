//! Slices of values and of lists: `${x:from:length}`.

use std::ops::Range;

use super::Expander;
use super::parameter::Meant;
use crate::characters::agreed;
use crate::state::Arguments;
use crate::stream::Value;
use crate::word::{Cause, Word};

impl Expander<'_> {
    /// Prepends `$0` to the arguments: slices of them are counted from there.
    pub(super) fn with_zero(&mut self, meant: Meant) -> Meant {
        let Arguments::Known(zero, _) = &*self.shell.state().arguments else { return meant };
        let zero = zero.clone();
        let prepended = |values: Vec<Value>| std::iter::once(zero.clone()).chain(values).collect();
        match meant {
            Meant::Each(values) => Meant::Each(prepended(values)),
            Meant::Joined(values) => Meant::Joined(prepended(values)),
            other => other,
        }
    }

    /// `${x:from:length}`
    pub(super) fn slice(&mut self, meant: Meant, rest: &str) -> Meant {
        let (from, length) = match rest.split_once(':') {
            Some((from, length)) => (from, Some(length)),
            None => (rest, None),
        };
        let mut number =
            |text: &str| super::arithmetic(self.shell, text).word.known().and_then(|n| n.parse::<i64>().ok());
        let slice = Slice { from: number(from), length: length.map(number) };
        let sliced = match meant {
            Meant::One(value) => value.word.known().and_then(|text| {
                let part = |text: &str| {
                    let range = slice.within(text.chars().count())?;
                    Some(text.chars().take(range.end).skip(range.start).collect::<String>())
                };
                let text = agreed(text, part, part)?;
                Some(Meant::One(Value { word: Word::text(text), from: value.from.clone() }))
            }),
            Meant::Each(values) => slice.elements(&values).map(Meant::Each),
            Meant::Joined(values) => slice.elements(&values).map(Meant::Joined),
            Meant::Unset => Some(Meant::Unset),
            _ => None,
        };
        sliced.unwrap_or_else(|| {
            // A negative length may reach before the start, which is an error.
            if slice.length.is_some_and(|length| length.is_none_or(|length| length < 0)) {
                self.shell.may_end();
            }
            Meant::Unknown(Cause::Variable)
        })
    }
}

/// The numbers of a slice, `None` if unknown.
struct Slice {
    from: Option<i64>,
    length: Option<Option<i64>>,
}

impl Slice {
    /// Returns the indices that it takes from so many characters or elements; `None` if they are unknown or invalid.
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

    /// Returns the elements that it takes from a list, for which a negative length is an error.
    fn elements(&self, values: &[Value]) -> Option<Vec<Value>> {
        let is_plain = values.iter().all(|value| !value.word.splits());
        let is_valid = self.length.flatten().is_none_or(|length| length >= 0);
        let range = self.within(values.len()).filter(|_| is_plain && is_valid)?;
        Some(values.get(range).unwrap_or_default().to_vec())
    }
}
