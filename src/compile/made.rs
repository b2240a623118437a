//! What is made of the values of a layer, once for all who name them: a `let` is checked by itself and where it is used,
//! and several rules test one list.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ruleset::{Globs, LazyRegex};

use super::account::Account;

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

/// A name as a file sees it.
pub(super) type NameOf<'a> = (usize, &'a str);

/// The globs that lists with names were compiled to without a finding, with what they counted for.
#[derive(Default)]
pub(super) struct NamedGlobs<'a> {
    compiled: RefCell<BTreeMap<NameOf<'a>, (Arc<Globs>, u64)>>,
}

impl<'a> NamedGlobs<'a> {
    /// Returns the globs of a list that were compiled before, counted as they were then. Nothing where that would be too
    /// much: to count them one by one tells which it is.
    pub(super) fn again(&self, name: NameOf<'a>, account: &Account<'_>) -> Option<Arc<Globs>> {
        let compiled = self.compiled.borrow();
        let (globs, parts) = compiled.get(&name)?;
        account.charge_again(*parts).map(|()| Arc::clone(globs))
    }

    /// Keeps the globs of a list, and what they counted for.
    pub(super) fn keep(&self, name: NameOf<'a>, globs: &Arc<Globs>, parts: u64) {
        self.compiled.borrow_mut().insert(name, (Arc::clone(globs), parts));
    }
}
