//! Caches of the compiled values of a layer: a `let` is checked on its own and at each use, and several rules may test
//! the same list.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::diagnostic::Diagnostic;
use crate::ruleset::LazyRegex;
use crate::span::Span;
use crate::syntax::ast::ValueKind;

use super::account::Account;
use super::names::Scoped;

/// Parsed regexes, with their sizes.
#[derive(Default)]
pub(super) struct Regexes {
    parsed: RefCell<BTreeMap<String, (LazyRegex, u64)>>,
}

impl Regexes {
    /// Parses a pattern like [`LazyRegex::parse`].
    pub(super) fn parse(&self, pattern: String) -> Result<(LazyRegex, u64), Box<regex_syntax::Error>> {
        if let Some(parsed) = self.parsed.borrow().get(&pattern) {
            return Ok(parsed.clone());
        }
        let parsed = LazyRegex::parse(pattern.clone())?;
        self.parsed.borrow_mut().insert(pattern, parsed.clone());
        Ok(parsed)
    }
}

/// The identity of a value in a policy: a name always refers to the same value within a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Written<'a> {
    /// A name, as seen by a file.
    Name(usize, &'a str),
    /// The value at a span of a file: a `def` is compiled for each rule that names it.
    At(usize, Span),
}

impl<'a> Written<'a> {
    /// Returns the identity of a value.
    fn of(Scoped { file, value }: Scoped<'a>) -> Self {
        match &value.kind {
            ValueKind::Name(name) => name.single().map(|name| Self::Name(file, &name.text)),
            _ => None,
        }
        .unwrap_or(Self::At(file, value.span))
    }
}

/// The values that were compiled without a finding, with the parts that they counted for.
pub(super) struct Compiled<'a, T>(RefCell<BTreeMap<Written<'a>, (T, u64)>>);

impl<T> Default for Compiled<'_, T> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

impl<'a, T: Clone> Compiled<'a, T> {
    /// Returns a compiled value, compiling it on first use. A value with a finding is compiled again each time, and so
    /// is one that would exceed the limit: counting it part by part shows which part does.
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

    /// Returns a value that was compiled before, and counts its parts again.
    fn again(&self, written: Written<'a>, account: &Account<'_>) -> Option<T> {
        let compiled = self.0.borrow();
        let (made, parts) = compiled.get(&written)?;
        account.charge_again(*parts).map(|()| made.clone())
    }
}
