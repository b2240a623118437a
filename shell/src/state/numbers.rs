//! Variables that are numbers, which arithmetic expressions and loops change.

use super::{ShellState, ShellVariable, VariableValue};
use crate::stream::ShellValue;

impl ShellVariable {
    /// Whether the value is a number, known or not.
    pub(super) fn is_number(&self) -> bool {
        matches!(&self.binding, VariableValue::One(value) if value.word.is_number())
    }

    /// Whether the value is a number that is not known.
    pub(super) fn is_any_number(&self) -> bool {
        matches!(&self.binding, VariableValue::One(value) if value.word.is_any_number())
    }
}

impl ShellState {
    /// Makes the value of a variable unknown that an arithmetic expression may assign. One that is a number stays a
    /// number, even if the expression fails or does not assign it.
    pub(crate) fn forget_digits(&mut self, name: &str) {
        let value = match self.variables.get(name) {
            Some(variable) if variable.is_number() => ShellValue::number(name),
            _ => ShellValue::variable(name),
        };
        self.set(name, VariableValue::One(value));
    }
}
