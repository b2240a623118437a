//! Caches the results of one rule's tests of commands, for all places and forms of paths in which the rule is judged.
//! A test that consists of patterns alone has the same result in each.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::ruleset::{CommandTest, Patterns};
use hookrules_shell::analysis::{CommandId, SimpleCommand};
use hookrules_shell::glob::Fit;

use super::commands::lenient_fit;
use super::{Matched, Truth};

/// The cached result of a whole test of commands, such as `runs`.
#[derive(Clone)]
pub(super) struct CommandTestResult {
    pub(super) truth: Truth,
    pub(super) note: Option<String>,
    /// The values for `{match}` and `{place}`, if the test set them.
    pub(super) matched: Option<Matched>,
}

/// The results of one rule's tests of one call's commands.
#[derive(Default)]
pub(super) struct CommandTestCache {
    /// The results of whole tests, by their addresses.
    tests: RefCell<BTreeMap<*const CommandTest, CommandTestResult>>,
    /// Whether each command matches a list of patterns, by the address of the list and the index of the command.
    /// `None` for a command that was not compared yet, or whose result is uncertain.
    fits: RefCell<BTreeMap<*const Patterns, Vec<Option<bool>>>>,
}

impl CommandTestCache {
    /// Returns the cached result of a test; `None` if it has not been judged.
    pub(super) fn cached_result(&self, test: &CommandTest) -> Option<CommandTestResult> {
        self.tests.borrow().get(&std::ptr::from_ref(test)).cloned()
    }

    /// Caches the result of a test.
    pub(super) fn store(&self, test: &CommandTest, result: CommandTestResult) {
        self.tests.borrow_mut().insert(test, result);
    }

    /// Whether a command matches one of some patterns, like `lenient_fit`, from the cache if possible.
    pub(super) fn pattern_fit(&self, patterns: &Patterns, (id, command): (CommandId, &SimpleCommand)) -> Fit {
        let mut fits = self.fits.borrow_mut();
        let fits = fits.entry(patterns).or_default();
        if let Some(Some(known)) = fits.get(id.index()) {
            return Fit::from(*known);
        }
        let fit = lenient_fit(patterns, command);
        if fits.len() <= id.index() {
            fits.resize(id.index() + 1, None);
        }
        if let Some(slot) = fits.get_mut(id.index()) {
            *slot = match &fit {
                Fit::Yes => Some(true),
                Fit::No => Some(false),
                Fit::Maybe(_) => None,
            };
        }
        fit
    }
}
