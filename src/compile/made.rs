//! What is made of the values of a layer, once for all who name them: a `let` is checked by itself and where it is used,
//! and several rules test one list.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::diagnostic::Diagnostic;
use crate::ruleset::LazyRegex;
use crate::span::Span;
use crate::syntax::ast::ValueKind;

use super::account::Account;
use super::names::Scoped;

/// The regexes that were parsed, with their sizes.
#[derive(Default)]
pub(super) struct Regexes {
    parsed: RefCell<BTreeMap<String, (LazyRegex, u64)>>,
}

impl Regexes {
    /// As [`LazyRegex::parse`].
    pub(super) fn parse(&self, pattern: String) -> Result<(LazyRegex, u64), Box<regex_syntax::Error>> {
        if let Some(parsed) = self.parsed.borrow().get(&pattern) {
            return Ok(parsed.clone());
        }
        let parsed = LazyRegex::parse(pattern.clone())?;
        self.parsed.borrow_mut().insert(pattern, parsed.clone());
        Ok(parsed)
    }
}

/// A value of a policy by what tells it from others: a name is followed to the same value wherever a file has it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Written<'a> {
    /// A name, as a file sees it.
    Name(usize, &'a str),
    /// What stands at a place of a file: a `def` is compiled for each rule that names it.
    At(usize, Span),
}

impl<'a> Written<'a> {
    /// Returns what tells a value from others.
    fn of(Scoped { file, value }: Scoped<'a>) -> Self {
        match &value.kind {
            ValueKind::Name(name) => name.single().map(|name| Self::Name(file, &name.text)),
            _ => None,
        }
        .unwrap_or(Self::At(file, value.span))
    }
}

/// What values were compiled to without a finding, with what they counted for.
pub(super) struct Compiled<'a, T>(RefCell<BTreeMap<Written<'a>, (T, u64)>>);

impl<T> Default for Compiled<'_, T> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

impl<'a, T: Clone> Compiled<'a, T> {
    /// Returns what a value comes to, compiled if it was not before. What gave a finding is compiled again each time, and
    /// so is what would be too much: to count it part by part tells which part it is.
    pub(super) fn once(
        &self,
        scoped: Scoped<'a>,
        account: &Account<'_>,
        diagnostics: &mut Vec<Diagnostic>,
        compile: impl FnOnce(&mut Vec<Diagnostic>) -> Option<T>,
    ) -> Option<T> {
        let written = Written::of(scoped);
        if let Some(made) = self.again(written, account) {
            return Some(made);
        }
        let (before, parts) = (diagnostics.len(), account.parts());
        let made = compile(diagnostics)?;
        if diagnostics.len() == before {
            self.0.borrow_mut().insert(written, (made.clone(), account.parts().saturating_sub(parts)));
        }
        Some(made)
    }

    /// Returns what a value was compiled to before, counted as it was then.
    fn again(&self, written: Written<'a>, account: &Account<'_>) -> Option<T> {
        let compiled = self.0.borrow();
        let (made, parts) = compiled.get(&written)?;
        account.charge_again(*parts).map(|()| made.clone())
    }
}
