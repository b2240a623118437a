//! Slices of values and of lists: `${x:from:length}`.

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
        let from = number(from);
        let length = length.map(number);
        let bounds = |count: usize| {
            let count = i64::try_from(count).ok()?;
            let start = from.map(|from| if from < 0 { count + from } else { from }).filter(|start| *start >= 0)?;
            let end = match length {
                None => count,
                Some(length) => {
                    length.map(|length| if length < 0 { count + length } else { start.saturating_add(length) })?
                }
            };
            if end < start && length.is_some() && start <= count {
                return None;
            }
            let clamp = |at: i64| usize::try_from(at.clamp(0, count)).ok();
            Some((clamp(start)?, clamp(end)?.max(clamp(start)?)))
        };
        let sliced = match meant {
            Meant::One(value) => value.word.known().and_then(|text| {
                let part = |text: &str| {
                    let (start, end) = bounds(text.chars().count())?;
                    Some(text.chars().take(end).skip(start).collect::<String>())
                };
                let text = agreed(text, part, part)?;
                Some(Meant::One(Value { word: Word::text(text), from: value.from.clone() }))
            }),
            // For a list, a negative length is an error.
            Meant::Each(values)
                if values.iter().all(|value| !value.word.splits())
                    && length.flatten().is_none_or(|length| length >= 0) =>
            {
                bounds(values.len())
                    .map(|(start, end)| Meant::Each(values.get(start..end).unwrap_or_default().to_vec()))
            }
            Meant::Joined(values)
                if values.iter().all(|value| !value.word.splits())
                    && length.flatten().is_none_or(|length| length >= 0) =>
            {
                bounds(values.len())
                    .map(|(start, end)| Meant::Joined(values.get(start..end).unwrap_or_default().to_vec()))
            }
            Meant::Unset => Some(Meant::Unset),
            _ => None,
        };
        sliced.unwrap_or_else(|| {
            // A negative length may reach before the start, which is an error.
            if length.is_some_and(|length| length.is_none_or(|length| length < 0)) {
                self.shell.may_end();
            }
            Meant::Unknown(Cause::Variable)
        })
    }
}
