//! Caches the compiled values of a layer. A `let` is checked once as a definition and once at each use, and several
//! rules may test the same list.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::diagnostic::Diagnostic;
use crate::ruleset::LazyRegex;
use crate::span::Span;
use crate::syntax::ast::ValueKind;

use super::account::LayerAccount;
use super::names::ScopedValue;

/// A cache of parsed regexes, with their sizes.
#[derive(Default)]
pub(super) struct RegexCache {
    parsed: RefCell<BTreeMap<String, (LazyRegex, u64)>>,
}

impl RegexCache {
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

/// The key of a value in a cache. Within a file, a name always refers to the same value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ValueIdentity<'a> {
    /// A name, with the file in which it is used.
    Name(usize, &'a str),
    /// The span of any other value, with the file in whose scope its names are looked up.
    Location(usize, Span),
}

impl<'a> ValueIdentity<'a> {
    /// Returns the identity of a value.
    fn new(ScopedValue { file, value }: ScopedValue<'a>) -> Self {
        match &value.kind {
            ValueKind::Name(name) => name.as_single_name().map(|name| Self::Name(file, &name.text)),
            _ => None,
        }
        .unwrap_or(Self::Location(file, value.span))
    }
}

/// A cache of the values that were compiled without a finding, with the number of their parts.
pub(super) struct ValueCache<'a, T>(RefCell<BTreeMap<ValueIdentity<'a>, (T, u64)>>);

impl<T> Default for ValueCache<'_, T> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

impl<'a, T: Clone> ValueCache<'a, T> {
    /// Returns the compiled value, and compiles it on first use.
    ///
    /// A value with a finding is not cached. A value whose parts would exceed the limit is compiled again, so that
    /// its parts are counted one by one and the finding names the one that exceeds the limit.
    pub(super) fn get_or_compile(
        &self,
        scoped: ScopedValue<'a>,
        account: &LayerAccount<'_>,
        diagnostics: &mut Vec<Diagnostic>,
        compile: impl FnOnce(&mut Vec<Diagnostic>) -> Option<T>,
    ) -> Option<T> {
        let identity = ValueIdentity::new(scoped);
        if let Some(compiled_value) = self.get_cached(identity, account) {
            return Some(compiled_value);
        }
        let (before, parts) = (diagnostics.len(), account.parts());
        let compiled_value = compile(diagnostics)?;
        if diagnostics.len() == before {
            self.0.borrow_mut().insert(identity, (compiled_value.clone(), account.parts().saturating_sub(parts)));
        }
        Some(compiled_value)
    }

    /// Returns the cached value, and charges its parts again; `None` if it is not cached, or the limit would be
    /// exceeded.
    fn get_cached(&self, identity: ValueIdentity<'a>, account: &LayerAccount<'_>) -> Option<T> {
        let compiled = self.0.borrow();
        let (compiled_value, parts) = compiled.get(&identity)?;
        account.charge_again(*parts).map(|()| compiled_value.clone())
    }
}
