//! What lists of globs say of paths, kept from one form of paths for the other: where no link leads elsewhere the forms
//! are the same, and no directory is searched twice.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use crate::context::{Form, Reach};
use crate::ruleset::TouchTest;
use hookrules_shell::CommandId;
use hookrules_shell::path::Case;

use super::touches::{Held, Target};

/// How many answers are kept for one rule: hardly any call touches more files.
const ANSWERS: usize = 16;

/// The answers of one rule's tests in the first of both forms.
#[derive(Default)]
pub(super) struct BothForms(RefCell<Vec<Answer>>);

struct Answer {
    test: *const TouchTest,
    /// The command that the test is about, in a `where`.
    command: Option<CommandId>,
    case: Case,
    path: PathBuf,
    reach: Reach,
    held: Held,
}

impl BothForms {
    /// Tests a path, as [`Target::path`] does.
    pub(super) fn test(&self, target: &Target<'_>, path: &Path, reach: &Reach) -> Held {
        if !matches!(target.test, TouchTest::Like(_)) {
            return target.path(path, reach);
        }
        match target.form {
            Form::Lexical => self.test_first(target, path, reach),
            Form::Physical => self.known(target, path, reach).unwrap_or_else(|| target.path(path, reach)),
        }
    }

    fn test_first(&self, target: &Target<'_>, path: &Path, reach: &Reach) -> Held {
        let budget = target.context.budget();
        let before = budget.refused();
        let held = target.path(path, reach);
        let mut answers = self.0.borrow_mut();
        // What was left out for want of work is told to whoever asks again: it is not kept.
        if answers.len() < ANSWERS && budget.refused() == before {
            answers.push(Answer {
                test: target.test,
                command: target.context.command_asked_about(),
                case: target.case,
                path: path.to_owned(),
                reach: reach.clone(),
                held: held.clone(),
            });
        }
        held
    }

    fn known(&self, target: &Target<'_>, path: &Path, reach: &Reach) -> Option<Held> {
        let context = target.context;
        let answers = self.0.borrow();
        let answer = answers.iter().find(|answer| {
            std::ptr::eq(answer.test, target.test)
                && answer.case == target.case
                && answer.command == context.command_asked_about()
                && answer.path.as_os_str() == path.as_os_str()
                && answer.reach == *reach
        })?;
        (context.roots_in(Form::Lexical) == context.roots_in(Form::Physical)).then(|| answer.held.clone())
    }
}
