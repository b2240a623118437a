//! The origin of unknown parameter values.

use std::sync::Arc;

use super::Expander;
use super::parameter::Meant;
use super::special::special;
use crate::parse::is_name;
use crate::state::Found;
use crate::word::Source;

impl Expander<'_> {
    /// Returns the names of the variables whose values are part of the value of a parameter, or of any element of it.
    pub(super) fn variables_within(&mut self, name: &str) -> Vec<Arc<str>> {
        let base = name.split('[').next().unwrap_or_default();
        let state = self.shell.state();
        let values = match special(state, base) {
            Some(Meant::One(value)) => vec![value],
            Some(Meant::Each(values) | Meant::Joined(values)) => values,
            Some(_) => Vec::new(),
            None => match state.find(base) {
                Found::One(value) => vec![value],
                Found::List(values) => values,
                Found::Unknown | Found::Unset => Vec::new(),
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

    /// Returns the origin of an unknown value.
    pub(super) fn value_of(&mut self, name: &str) -> Source {
        // Bash sets these, unless the text does.
        const NUMBERS: &[&str] = &["SRANDOM", "EPOCHSECONDS", "SHLVL"];
        match name {
            _ if NUMBERS.contains(&name) && !self.shell.state().variables.contains_key(name) => Source::Number,
            // The caller of the text determines it.
            "SHELL" | "BASH" if !self.shell.state().variables.contains_key(name) => Source::Shell,
            _ if name == "$" || is_name(name) => Source::Variable(name.into()),
            "" => Source::Indirect,
            // One element of a list, or all of them.
            _ => match name.split_once('[') {
                Some((name, _)) if is_name(name) => Source::Changed(name.into()),
                _ => Source::Any,
            },
        }
    }
}
