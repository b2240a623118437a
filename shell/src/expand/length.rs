//! `${#x}`, and whether the characters of a parameter are the same in every locale.

use super::Expander;
use super::parameter::ParameterValue;
use crate::characters;
use crate::stream::ShellValue;

impl Expander<'_> {
    /// Returns the value of `${#name}`: the number of characters, or of the elements of a list; `None` if it is
    /// unknown.
    pub(super) fn length(&mut self, name: &str) -> Option<usize> {
        let parameter = self.parameter_value(name);
        self.note_unset(name, &parameter);
        match parameter {
            ParameterValue::Unset => Some(0),
            ParameterValue::One(value) => value.word.known_text().and_then(characters::length),
            ParameterValue::Elements(values) | ParameterValue::Joined(values) => {
                (!values.iter().any(|value| value.word.may_split())).then_some(values.len())
            }
            ParameterValue::Unknown(_) | ParameterValue::Number => None,
        }
    }

    /// Whether the text of a parameter expands to the same characters in every locale. An unknown value counts as the
    /// same.
    pub(super) fn is_same_in_locales(&mut self, parameter: &ParameterValue) -> bool {
        let state = self.shell.state();
        let is_clear = |value: &ShellValue| value.word.known_text().is_none_or(|text| state.is_same_in_locales(text));
        match parameter {
            ParameterValue::One(value) => is_clear(value),
            ParameterValue::Elements(values) | ParameterValue::Joined(values) => values.iter().all(is_clear),
            ParameterValue::Unset | ParameterValue::Unknown(_) | ParameterValue::Number => true,
        }
    }
}
