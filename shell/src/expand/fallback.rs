//! Expansions whose word replaces a parameter or is assigned to it if the parameter is unset: `${x:-word}`,
//! `${x=word}`. With `+`, the word replaces a parameter that is set.

use std::sync::Arc;

use super::Expander;
use super::parameter::{ExpansionText, ParameterValue};
use crate::parse::is_name;
use crate::state::VariableValue;
use crate::stream::ShellValue;
use crate::word::{Cause, DefaultedVariable, Unknown, ValueSource, Word};

/// The content of `${name-word}`, `${name=word}`, `${name?word}` or `${name+word}`, each perhaps with a `:` before
/// the sign.
pub(super) struct Fallback<'t> {
    name: &'t str,
    sign: char,
    /// The word as in the source, not expanded.
    word: &'t str,
    emptiness: EmptyValue,
}

/// Whether an empty value is treated like an unset parameter, as the `:` of `${x:-word}` demands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EmptyValue {
    /// An empty value is a value like any other: `${x-word}`.
    Ignored,
    /// An empty value is treated like an unset parameter: `${x:-word}`.
    Counts,
}

impl<'t> Fallback<'t> {
    /// Parses the operator of `${…}` and its word; `None` if the operator is not `-`, `=`, `+` or `?`, perhaps after
    /// a `:`.
    pub(super) fn read(name: &'t str, operator: &'t str) -> Option<Self> {
        let (emptiness, signed) = match operator.strip_prefix(':') {
            Some(signed) => (EmptyValue::Counts, signed),
            None => (EmptyValue::Ignored, operator),
        };
        let sign = signed.chars().next().filter(|sign| matches!(sign, '-' | '=' | '+' | '?'))?;
        Some(Self { name, sign, word: signed.get(1..).unwrap_or_default(), emptiness })
    }
}

impl Expander<'_> {
    /// Adds the expansion of `${x:-word}` or of a similar operator, for a parameter with the value `parameter`.
    pub(super) fn fall_back(&mut self, fallback: &Fallback<'_>, parameter: ParameterValue, written: ExpansionText<'_>) {
        match (fallback.sign, self.is_set(&parameter, fallback.emptiness)) {
            ('-' | '=' | '?', Some(true)) => self.add_parameter(parameter, ValueSource::Any, written),
            ('+', Some(false)) => {}
            ('-', Some(false)) | ('+', Some(true)) => self.operand(fallback.word, written.quoting),
            ('=', Some(false)) => {
                let value = super::word(self.shell, fallback.word);
                self.assign_default(fallback.name, VariableValue::One(value.clone()));
                self.fields.value(&value, written.quoting);
            }
            _ => {
                let cause = if let ParameterValue::Unknown(cause) = parameter { cause } else { Cause::Variable };
                self.may_fall_back(fallback, cause, written);
            }
        }
    }

    /// Whether a parameter is set, and also not empty if `emptiness` demands that; `None` if that is unknown.
    fn is_set(&mut self, parameter: &ParameterValue, emptiness: EmptyValue) -> Option<bool> {
        match parameter {
            ParameterValue::Unset => Some(false),
            ParameterValue::One(value) => match value.word.known_text() {
                Some(text) => Some(!text.is_empty() || emptiness == EmptyValue::Ignored),
                None => value.word.prefix().chars().next().map(|_| true),
            },
            ParameterValue::Elements(values) | ParameterValue::Joined(values) => match values.as_slice() {
                [] => Some(false),
                [element] if element.word.may_split() => None,
                // In zsh a list with an empty element is not null.
                [_] if emptiness == EmptyValue::Counts && self.is_zsh() => None,
                [element] if emptiness == EmptyValue::Counts => element.word.known_text().map(|text| !text.is_empty()),
                // The shells differ in whether they join the empty elements before the test.
                elements
                    if emptiness == EmptyValue::Counts
                        && elements.iter().all(|element| element.word.parts.is_empty()) =>
                {
                    None
                }
                _ => Some(true),
            },
            ParameterValue::Number => Some(true),
            ParameterValue::Unknown(_) => None,
        }
    }

    /// Adds an unknown value for an expansion if it is unknown whether the parameter is set. The word may be used, so
    /// its substitutions run.
    fn may_fall_back(&mut self, fallback: &Fallback<'_>, cause: Cause, written: ExpansionText<'_>) {
        let &Fallback { name, sign, word, emptiness } = fallback;
        if sign == '?' || sign == '=' && !is_name(name) {
            self.shell.note_possible_exit();
        }
        let mut value = super::word(self.shell, word);
        if sign == '=' {
            let mut given = ShellValue::variable(name);
            given.add_writers(&value.writers);
            self.assign_default(name, VariableValue::One(given));
        }
        let source = match sign {
            '-' if is_name(name) => ValueSource::Defaulted(Arc::new(DefaultedVariable {
                name: name.to_owned(),
                default: value.word.known_text().map(str::to_owned),
                for_empty: emptiness == EmptyValue::Counts,
            })),
            '+' => ValueSource::from_alternative(&value.word),
            _ => ValueSource::Any,
        };
        value.word = Word::unknown(Unknown::with_source(cause, written.whole, source));
        self.fields.value(&value, written.quoting);
    }
}
