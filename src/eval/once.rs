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
    /// Whether a command matches a list of patterns, by the address of the list and the index of the command. An
    /// uncertain result is not stored.
    fits: RefCell<BTreeMap<(*const Patterns, usize), bool>>,
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
        let key = (std::ptr::from_ref(patterns), id.index());
        if let Some(known) = self.fits.borrow().get(&key) {
            return Fit::from(*known);
        }
        let fit = lenient_fit(patterns, command);
        if !matches!(fit, Fit::Maybe(_)) {
            self.fits.borrow_mut().insert(key, fit == Fit::Yes);
        }
        fit
    }
}
