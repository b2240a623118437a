//! The regexes of a layer, each parsed once: a `let` is checked by itself and where it is used, and so is a `def`.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::ruleset::LazyRegex;

/// The regexes that were parsed, with their sizes.
#[derive(Default)]
pub(super) struct Regexes {
    parsed: RefCell<BTreeMap<String, (LazyRegex, u64)>>,
}

impl Regexes {
    /// As [`LazyRegex::parse`].
    pub(super) fn parse(&self, pattern: String) -> Result<(LazyRegex, u64), Box<regex_syntax::Error>> {
        if LazyRegex::is_known(&pattern) {
            return LazyRegex::parse(pattern);
        }
        if let Some(parsed) = self.parsed.borrow().get(&pattern) {
            return Ok(parsed.clone());
        }
        let parsed = LazyRegex::parse(pattern.clone())?;
        self.parsed.borrow_mut().insert(pattern, parsed.clone());
        Ok(parsed)
    }
}
