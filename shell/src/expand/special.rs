//! Special parameters, and the elements of lists.

use super::parameter::ParameterValue;
use crate::state::{PositionalParameters, ShellState};
use crate::stream::ShellValue;
use crate::word::Cause;

/// The expansion of a glob that no file matches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum UnmatchedGlob {
    /// The glob stays as it is.
    Literal,
    /// The glob may be dropped: `shopt -s nullglob`.
    Dropped,
}

impl UnmatchedGlob {
    /// Returns the behaviour that the options of a shell select.
    pub(super) fn from_state(state: &ShellState) -> Self {
        if state.options.nullglob { Self::Dropped } else { Self::Literal }
    }
}

/// Returns the value of a special or positional parameter: `$?`, `$#`, `$1`; `None` for the name of a variable.
pub(super) fn special_parameter(state: &ShellState, name: &str) -> Option<ParameterValue> {
    let index = name.parse::<usize>().ok();
    if let ("@" | "*" | "#", PositionalParameters::Known(_, rest)) = (name, &*state.arguments) {
        state.charge(2 * rest.len());
    }
    let parameter = match (name, &*state.arguments) {
        ("?" | "$" | "!" | "RANDOM" | "SECONDS" | "LINENO" | "UID" | "EUID" | "PPID" | "BASHPID", _) => {
            // A shell that does not treat the name as special keeps the value that the text assigns.
            match state.variables.contains_key(name) {
                true => ParameterValue::Unknown(Cause::Variable),
                false => ParameterValue::Number,
            }
        }
        ("-" | "_", _) => ParameterValue::Unknown(Cause::Variable),
        ("#", PositionalParameters::Unknown) => ParameterValue::Number,
        ("@" | "*", PositionalParameters::Unknown) => ParameterValue::Unknown(Cause::Argument),
        (_, PositionalParameters::Unknown) if index.is_some() => ParameterValue::Unknown(Cause::Argument),
        ("@", PositionalParameters::Known(_, rest)) => ParameterValue::Elements(rest.clone()),
        ("*", PositionalParameters::Known(_, rest)) => ParameterValue::Joined(rest.clone()),
        ("#", PositionalParameters::Known(_, rest)) => match rest.iter().any(|value| value.word.may_split()) {
            true => ParameterValue::Number,
            false => ParameterValue::One(ShellValue::text(rest.len().to_string())),
        },
        (_, PositionalParameters::Known(zero, rest)) => match index? {
            0 => ParameterValue::One(zero.clone()),
            index => argument(rest, index - 1, UnmatchedGlob::from_state(state)),
        },
        _ => return None,
    };
    Some(parameter)
}

/// Returns an argument by its index, which starts at 0. The result is unknown if an argument up to the index may be
/// several words; but a glob at index 0 represents its first match.
fn argument(arguments: &[ShellValue], index: usize, unmatched: UnmatchedGlob) -> ParameterValue {
    let up_to_index = arguments.get(..index.saturating_add(1).min(arguments.len())).unwrap_or_default();
    // With `shopt -s nullglob` the glob may expand to no word.
    let is_glob = |value: &ShellValue| unmatched == UnmatchedGlob::Literal && value.word.as_glob_match().is_some();
    if up_to_index.iter().any(|value| value.word.may_split()) && !(index == 0 && up_to_index.iter().all(is_glob)) {
        return ParameterValue::Unknown(Cause::Argument);
    }
    arguments.get(index).cloned().map_or(ParameterValue::Unset, ParameterValue::One)
}

/// Returns the element of a list at an index that starts at 0, or that counts from the end if it is negative; `None`
/// if it is unknown or absent.
pub(super) fn element_at(values: &[ShellValue], index: i64, unmatched: UnmatchedGlob) -> Option<ShellValue> {
    match element(values, &index.to_string(), unmatched) {
        ParameterValue::One(value) => Some(value),
        _ => None,
    }
}

/// Returns the element of a list at an index in decimal digits, which counts from the end if it is negative.
pub(super) fn element(values: &[ShellValue], index: &str, unmatched: UnmatchedGlob) -> ParameterValue {
    let Ok(index) = index.parse::<i64>() else { return ParameterValue::Unknown(Cause::Variable) };
    let count = i64::try_from(values.len()).unwrap_or(i64::MAX);
    let index = usize::try_from(if index < 0 { count + index } else { index }).unwrap_or(usize::MAX);
    match argument(values, index, unmatched) {
        ParameterValue::Unknown(_) => ParameterValue::Unknown(Cause::Variable),
        parameter => parameter,
    }
}
