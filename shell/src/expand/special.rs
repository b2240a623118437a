//! Special parameters, and the elements of lists.

use super::parameter::ParameterValue;
use crate::state::{PositionalParameters, ShellState};
use crate::stream::ShellValue;
use crate::word::Cause;

/// What a glob without matches expands to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum UnmatchedGlob {
    Literal,
    /// Possibly to no word: `shopt -s nullglob`.
    Dropped,
}

impl UnmatchedGlob {
    pub(super) fn from_state(state: &ShellState) -> Self {
        if state.options.nullglob { Self::Dropped } else { Self::Literal }
    }
}

/// Returns the value of a special parameter; `None` for any other name.
pub(super) fn special_parameter(state: &ShellState, name: &str) -> Option<ParameterValue> {
    let index = name.parse::<usize>().ok();
    if let ("@" | "*" | "#", PositionalParameters::Known(_, rest)) = (name, &*state.arguments) {
        state.charge(2 * rest.len());
    }
    let meant = match (name, &*state.arguments) {
        ("?" | "$" | "!" | "RANDOM" | "SECONDS" | "LINENO" | "UID" | "EUID" | "PPID" | "BASHPID", _) => {
            // Another shell may keep a value that the text assigns.
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
    Some(meant)
}

/// Returns an argument by its index. From an argument that splits on, all are unknown, except that a glob at index 0
/// stands for its first match.
fn argument(rest: &[ShellValue], index: usize, nothing: UnmatchedGlob) -> ParameterValue {
    let before = rest.get(..index.saturating_add(1).min(rest.len())).unwrap_or_default();
    // With `shopt -s nullglob` the glob may expand to nothing.
    let is_glob = |value: &ShellValue| nothing == UnmatchedGlob::Literal && value.word.as_matched().is_some();
    if before.iter().any(|value| value.word.may_split()) && !(index == 0 && before.iter().all(is_glob)) {
        return ParameterValue::Unknown(Cause::Argument);
    }
    rest.get(index).cloned().map_or(ParameterValue::Unset, ParameterValue::One)
}

/// Returns the element of a list at an index that starts at 0.
pub(super) fn element_at(values: &[ShellValue], index: i64, nothing: UnmatchedGlob) -> Option<ShellValue> {
    match element(values, &index.to_string(), nothing) {
        ParameterValue::One(value) => Some(value),
        _ => None,
    }
}

pub(super) fn element(values: &[ShellValue], index: &str, nothing: UnmatchedGlob) -> ParameterValue {
    let Ok(index) = index.parse::<i64>() else { return ParameterValue::Unknown(Cause::Variable) };
    let count = i64::try_from(values.len()).unwrap_or(i64::MAX);
    let index = usize::try_from(if index < 0 { count + index } else { index }).unwrap_or(usize::MAX);
    match argument(values, index, nothing) {
        ParameterValue::Unknown(_) => ParameterValue::Unknown(Cause::Variable),
        meant => meant,
    }
}
