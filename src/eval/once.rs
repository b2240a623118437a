//! What is asked of the commands of a call once for a rule, however many places and forms it is judged in: what is said
//! of a command by patterns alone is the same in each.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::ruleset::{CommandTest, Patterns};
use hookrules_shell::{CommandId, Fit, Simple};

use super::Truth;
use super::commands::named;

/// What a test came to.
#[derive(Clone)]
pub(super) struct Said {
    pub(super) truth: Truth,
    pub(super) note: Option<String>,
    /// What it matched, where it did.
    pub(super) matched: Option<String>,
}

/// The answers of one rule's tests of one call's commands.
#[derive(Default)]
pub(super) struct Once {
    tests: RefCell<BTreeMap<*const CommandTest, Said>>,
    /// Of each list of patterns, whether the commands are meant, as far as that was asked and is known.
    fits: RefCell<BTreeMap<*const Patterns, Vec<Option<bool>>>>,
}

impl Once {
    /// Returns what a test came to, where it was judged before.
    pub(super) fn said(&self, test: &CommandTest) -> Option<Said> {
        self.tests.borrow().get(&std::ptr::from_ref(test)).cloned()
    }

    /// Remembers what a test came to.
    pub(super) fn keep(&self, test: &CommandTest, said: Said) {
        self.tests.borrow_mut().insert(test, said);
    }

    /// Tests a command by patterns, generously.
    pub(super) fn named(&self, patterns: &Patterns, (id, command): (CommandId, &Simple)) -> Fit {
        let mut fits = self.fits.borrow_mut();
        let fits = fits.entry(patterns).or_default();
        if let Some(Some(known)) = fits.get(id.index()) {
            return Fit::from(*known);
        }
        let fit = named(patterns, command);
        if fits.len() <= id.index() {
            fits.resize(id.index() + 1, None);
        }
        if let Some(place) = fits.get_mut(id.index()) {
            *place = match &fit {
                Fit::Yes => Some(true),
                Fit::No => Some(false),
                Fit::Maybe(_) => None,
            };
        }
        fit
    }
}
