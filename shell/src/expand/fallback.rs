//! The word that replaces a parameter, or is assigned to it, depending on whether it is set: `${x:-word}`, `${x=word}`.

use std::sync::Arc;

use super::Expander;
use super::parameter::{Meant, Written};
use crate::parse::is_name;
use crate::state::Binding;
use crate::stream::Value;
use crate::word::{Cause, Defaulted, Source, Unknown, Word};

/// `${name-word}`, `${name=word}`, `${name?word}` or `${name+word}`, each perhaps with a `:`.
pub(super) struct Fallback<'t> {
    name: &'t str,
    sign: char,
    /// The word, as written.
    word: &'t str,
    emptiness: Emptiness,
}

/// Whether an empty value is treated like an unset one: the `:` of `${x:-word}`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Emptiness {
    Ignored,
    Counts,
}

impl<'t> Fallback<'t> {
    /// Reads an operator and its word, if it is one of these.
    pub(super) fn read(name: &'t str, operator: &'t str) -> Option<Self> {
        let (emptiness, signed) = match operator.strip_prefix(':') {
            Some(signed) => (Emptiness::Counts, signed),
            None => (Emptiness::Ignored, operator),
        };
        let sign = signed.chars().next().filter(|sign| matches!(sign, '-' | '=' | '+' | '?'))?;
        Some(Self { name, sign, word: signed.get(1..).unwrap_or_default(), emptiness })
    }
}

impl Expander<'_> {
    /// `${x:-word}` and similar expansions.
    pub(super) fn fall_back(&mut self, fallback: &Fallback<'_>, meant: Meant, written: Written<'_>) {
        match (fallback.sign, self.is_set(&meant, fallback.emptiness)) {
            ('-' | '=' | '?', Some(true)) => self.emit(meant, Source::Any, written),
            ('+', Some(false)) => {}
            ('-', Some(false)) | ('+', Some(true)) => self.operand(fallback.word, written.quoting),
            ('=', Some(false)) => {
                let value = super::word(self.shell, fallback.word);
                self.give(fallback.name, Binding::One(value.clone()));
                self.fields.value(&value, written.quoting);
            }
            _ => {
                let cause = if let Meant::Unknown(cause) = meant { cause } else { Cause::Variable };
                self.may_fall_back(fallback, cause, written);
            }
        }
    }

    /// Whether a parameter is set, and not empty if that counts; `None` if that is unknown.
    fn is_set(&mut self, meant: &Meant, emptiness: Emptiness) -> Option<bool> {
        match meant {
            Meant::Unset => Some(false),
            Meant::One(value) => match value.word.known() {
                Some(text) => Some(!text.is_empty() || emptiness == Emptiness::Ignored),
                None => value.word.prefix().chars().next().map(|_| true),
            },
            Meant::Each(values) | Meant::Joined(values) => match values.as_slice() {
                [] => Some(false),
                [one] if one.word.splits() => None,
                // In zsh a list with an empty element is not null.
                [_] if emptiness == Emptiness::Counts && self.is_zsh() => None,
                [one] if emptiness == Emptiness::Counts => one.word.known().map(|text| !text.is_empty()),
                // The elements are joined before they are tested.
                all if emptiness == Emptiness::Counts && all.iter().all(|one| one.word.parts.is_empty()) => None,
                _ => Some(true),
            },
            Meant::Number => Some(true),
            Meant::Unknown(_) => None,
        }
    }

    /// Adds the value of an expansion if it is unknown whether the parameter is set: the word may be used, so its
    /// substitutions run.
    fn may_fall_back(&mut self, fallback: &Fallback<'_>, cause: Cause, written: Written<'_>) {
        let &Fallback { name, sign, word, emptiness } = fallback;
        if sign == '?' || sign == '=' && !is_name(name) {
            self.shell.may_end();
        }
        let mut value = super::word(self.shell, word);
        if sign == '=' {
            let mut given = Value::variable(name);
            given.joins(&value.from);
            self.give(name, Binding::One(given));
        }
        let source = match sign {
            '-' if is_name(name) => Source::Defaulted(Arc::new(Defaulted {
                name: name.to_owned(),
                default: value.word.known().map(str::to_owned),
                for_empty: emptiness == Emptiness::Counts,
            })),
            '+' => Source::of_alternative(&value.word),
            _ => Source::Any,
        };
        value.word = Word::unknown(Unknown::of(cause, written.whole, source));
        self.fields.value(&value, written.quoting);
    }
}
