//! What is known of something unknown: where it comes from. How it is shown to people is apart from that.

use std::sync::Arc;

use super::prints::{Prints, is_revision, prints};
use super::{Simple, Word};

/// Where something unknown comes from, as far as that says something about it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Source {
    /// Nothing is known of it.
    #[default]
    Any,
    /// A command whose output takes its place, and nothing but that: `$(…)`.
    Output(Arc<Output>),
}

/// The output of one command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    /// The command, after all expansions.
    pub(super) words: Vec<Word>,
    prints: Option<Prints>,
}

impl Output {
    /// Returns the output of a command, where its program is the one that usually has the name.
    pub(super) fn of(command: &Simple) -> Option<Self> {
        let is_plain = command.assignments.is_empty() && !command.is_shadowed;
        is_plain.then(|| Self { words: command.words.clone(), prints: prints(command) })
    }
}

impl Source {
    /// Returns what the command prints that gives it, where that is known.
    #[must_use]
    pub fn prints(&self) -> Option<&Prints> {
        match self {
            Self::Output(output) => output.prints.as_ref(),
            Self::Any => None,
        }
    }

    /// Tells whether it is, or begins with, what git says of revisions: no file.
    pub(super) fn is_revision(&self) -> bool {
        matches!(self, Self::Output(output) if is_revision(&output.words))
    }
}
