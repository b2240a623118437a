//! The sources of unknown parameter values.

use std::sync::Arc;

use super::Expander;
use super::parameter::ParameterValue;
use super::special::special_parameter;
use crate::parse::is_name;
use crate::state::VariableLookup;
use crate::word::ValueSource;

impl Expander<'_> {
    /// Returns the names of the variables whose unknown values the value of a parameter contains, in any element if it
    /// is a list.
    pub(super) fn source_variables(&mut self, name: &str) -> Vec<Arc<str>> {
        let base = name.split('[').next().unwrap_or_default();
        let state = self.shell.state();
        let values = match special_parameter(state, base) {
            Some(ParameterValue::One(value)) => vec![value],
            Some(ParameterValue::Elements(values) | ParameterValue::Joined(values)) => values,
            Some(_) => Vec::new(),
            None => match state.find(base) {
                VariableLookup::One(value) => vec![value],
                VariableLookup::List(values) => values,
                VariableLookup::Unknown | VariableLookup::Unset => Vec::new(),
            },
        };
        let mut names: Vec<Arc<str>> = Vec::new();
        for name in values.iter().flat_map(|value| value.word.variables()) {
            if !names.iter().any(|known| **known == *name) {
                names.push(name.into());
            }
        }
        names
    }

    /// Returns the source of the value of a parameter, for an unknown value.
    pub(super) fn value_source(&mut self, name: &str) -> ValueSource {
        // Bash sets these variables to numbers, unless the text assigns another value.
        const NUMBERS: &[&str] = &["SRANDOM", "EPOCHSECONDS", "SHLVL"];
        match name {
            _ if NUMBERS.contains(&name) && !self.shell.state().variables.contains_key(name) => ValueSource::Number,
            // The program that calls the shell sets these variables, unless the text does.
            "SHELL" | "BASH" if !self.shell.state().variables.contains_key(name) => ValueSource::Shell,
            _ if name == "$" || is_name(name) => ValueSource::Variable(name.into()),
            "" => ValueSource::IndirectVariable,
            // `x[1]` is one element of a list, and `x[@]` all of them.
            _ => match name.split_once('[') {
                Some((name, _)) if is_name(name) => ValueSource::DerivedVariable(name.into()),
                _ => ValueSource::Any,
            },
        }
    }
}
