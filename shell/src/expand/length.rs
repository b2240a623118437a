//! `${#x}`, and whether the characters of a parameter can be counted.

use super::Expander;
use super::parameter::Meant;
use crate::characters;
use crate::stream::Value;

impl Expander<'_> {
    /// `${#name}`
    pub(super) fn length(&mut self, name: &str) -> Option<usize> {
        let meant = self.meant(name);
        self.note_unset(name, &meant);
        match meant {
            Meant::Unset => Some(0),
            Meant::One(value) => value.word.known().and_then(characters::length),
            Meant::Each(values) | Meant::Joined(values) => {
                (!values.iter().any(|value| value.word.splits())).then_some(values.len())
            }
            Meant::Unknown(_) | Meant::Number => None,
        }
    }

    /// Whether the characters of a parameter are the same in every locale.
    pub(super) fn is_of_every_locale(&mut self, meant: &Meant) -> bool {
        let state = self.shell.state();
        let is_clear = |value: &Value| value.word.known().is_none_or(|text| state.is_of_every_locale(text));
        match meant {
            Meant::One(value) => is_clear(value),
            Meant::Each(values) | Meant::Joined(values) => values.iter().all(is_clear),
            Meant::Unset | Meant::Unknown(_) | Meant::Number => true,
        }
    }
}
