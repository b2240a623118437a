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
    /// The value of a variable: `$x`, `${x}`.
    Variable(Arc<str>),
    /// The value of a variable, or something else where it has none: `${x:-default}`.
    Defaulted(Arc<Defaulted>),
    /// A number, whichever: `$RANDOM`, `$((x))`.
    Number,
    /// The name of a file that a glob becomes, with an end or a beginning cut off: `${f%.txt}`.
    CutName,
    /// What flows between two commands: `<(…)`, `>(…)`, a `coproc`.
    Stream(StreamId),
    /// A file that a search found, in place of its `{}`.
    Found,
    /// The words that a program reads and puts behind its own: `xargs`.
    Listed,
    /// So many letters and digits that a program draws: the `X`s of `mktemp`.
    Letters(usize),
}

/// `${name:-default}`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defaulted {
    /// The variable.
    pub name: String,
    /// What takes its place; none where that is not known.
    pub default: Option<String>,
    /// The default takes the place of an empty value too.
    pub for_empty: bool,
}

/// What flows between two commands has no name; this is which of those of a text it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct StreamId(pub(super) usize);

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
    /// Returns the variable whose value it is, and nothing else.
    #[must_use]
    pub fn variable(&self) -> Option<&str> {
        match self {
            Self::Variable(name) => Some(name),
            _ => None,
        }
    }

    /// Returns what the command prints that gives it, where that is known.
    #[must_use]
    pub fn prints(&self) -> Option<&Prints> {
        match self {
            Self::Output(output) => output.prints.as_ref(),
            _ => None,
        }
    }

    /// Tells whether it is, or begins with, what git says of revisions: no file.
    pub(super) fn is_revision(&self) -> bool {
        matches!(self, Self::Output(output) if is_revision(&output.words))
    }
}
