//! `${#x}`, and whether the characters of a parameter can be counted.

use super::Expander;
use super::parameter::ParameterValue;
use crate::characters;
use crate::stream::ShellValue;

impl Expander<'_> {
    /// `${#name}`
    pub(super) fn length(&mut self, name: &str) -> Option<usize> {
        let meant = self.parameter_value(name);
        self.note_unset(name, &meant);
        match meant {
            ParameterValue::Unset => Some(0),
            ParameterValue::One(value) => value.word.known_text().and_then(characters::length),
            ParameterValue::Elements(values) | ParameterValue::Joined(values) => {
                (!values.iter().any(|value| value.word.may_split())).then_some(values.len())
            }
            ParameterValue::Unknown(_) | ParameterValue::Number => None,
        }
    }

    /// Whether the characters of a parameter are the same in every locale.
    pub(super) fn is_same_in_locales(&mut self, meant: &ParameterValue) -> bool {
        let state = self.shell.state();
        let is_clear = |value: &ShellValue| value.word.known_text().is_none_or(|text| state.is_same_in_locales(text));
        match meant {
            ParameterValue::One(value) => is_clear(value),
            ParameterValue::Elements(values) | ParameterValue::Joined(values) => values.iter().all(is_clear),
            ParameterValue::Unset | ParameterValue::Unknown(_) | ParameterValue::Number => true,
        }
    }
}
