//! Special parameters, and the elements of lists.

use super::parameter::Meant;
use crate::state::{Arguments, State};
use crate::stream::Value;
use crate::word::Cause;

/// What a glob without matches expands to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NoMatch {
    Itself,
    /// Possibly to no word: `shopt -s nullglob`.
    Vanishes,
}

impl NoMatch {
    pub(super) fn of(state: &State) -> Self {
        if state.options.nullglob { Self::Vanishes } else { Self::Itself }
    }
}

/// Returns the value of a special parameter; `None` for any other name.
pub(super) fn special(state: &State, name: &str) -> Option<Meant> {
    let index = name.parse::<usize>().ok();
    if let ("@" | "*" | "#", Arguments::Known(_, rest)) = (name, &*state.arguments) {
        state.charge(2 * rest.len());
    }
    let meant = match (name, &*state.arguments) {
        ("?" | "$" | "!" | "RANDOM" | "SECONDS" | "LINENO" | "UID" | "EUID" | "PPID" | "BASHPID", _) => {
            // Another shell may keep a value that the text assigns.
            match state.variables.contains_key(name) {
                true => Meant::Unknown(Cause::Variable),
                false => Meant::Number,
            }
        }
        ("-" | "_", _) => Meant::Unknown(Cause::Variable),
        ("#", Arguments::Unknown) => Meant::Number,
        ("@" | "*", Arguments::Unknown) => Meant::Unknown(Cause::Argument),
        (_, Arguments::Unknown) if index.is_some() => Meant::Unknown(Cause::Argument),
        ("@", Arguments::Known(_, rest)) => Meant::Each(rest.clone()),
        ("*", Arguments::Known(_, rest)) => Meant::Joined(rest.clone()),
        ("#", Arguments::Known(_, rest)) => match rest.iter().any(|value| value.word.splits()) {
            true => Meant::Number,
            false => Meant::One(Value::text(rest.len().to_string())),
        },
        (_, Arguments::Known(zero, rest)) => match index? {
            0 => Meant::One(zero.clone()),
            index => argument(rest, index - 1, NoMatch::of(state)),
        },
        _ => return None,
    };
    Some(meant)
}

/// Returns an argument by its index. From an argument that splits on, all are unknown, except that a glob at index 0
/// stands for its first match.
fn argument(rest: &[Value], index: usize, nothing: NoMatch) -> Meant {
    let before = rest.get(..index.saturating_add(1).min(rest.len())).unwrap_or_default();
    // With `shopt -s nullglob` the glob may expand to nothing.
    let is_glob = |value: &Value| nothing == NoMatch::Itself && value.word.as_matched().is_some();
    if before.iter().any(|value| value.word.splits()) && !(index == 0 && before.iter().all(is_glob)) {
        return Meant::Unknown(Cause::Argument);
    }
    rest.get(index).cloned().map_or(Meant::Unset, Meant::One)
}

/// Returns the element of a list at an index that starts at 0.
pub(super) fn element_at(values: &[Value], index: i64, nothing: NoMatch) -> Option<Value> {
    match element(values, &index.to_string(), nothing) {
        Meant::One(value) => Some(value),
        _ => None,
    }
}

pub(super) fn element(values: &[Value], index: &str, nothing: NoMatch) -> Meant {
    let Ok(index) = index.parse::<i64>() else { return Meant::Unknown(Cause::Variable) };
    let count = i64::try_from(values.len()).unwrap_or(i64::MAX);
    let index = usize::try_from(if index < 0 { count + index } else { index }).unwrap_or(usize::MAX);
    match argument(values, index, nothing) {
        Meant::Unknown(_) => Meant::Unknown(Cause::Variable),
        meant => meant,
    }
}
