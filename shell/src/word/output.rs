//! What is known of the output of a command.

use std::path::PathBuf;

use super::{Unknown, Word};

/// The output of one command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    /// The command, after all expansions: two outputs are one where their commands are.
    pub(crate) words: Vec<Word>,
    pub(crate) prints: Option<Prints>,
    pub(crate) is_revision: bool,
}

impl Output {
    /// Makes the output of a command of which is known what it prints, and whether that begins with what git says of
    /// revisions.
    pub(crate) fn new(words: Vec<Word>, prints: Option<Prints>, is_revision: bool) -> Self {
        Self { words, prints, is_revision }
    }
}

/// What a command prints. It may print nothing where it fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Prints {
    /// The root of the repository that this directory lies in.
    Root(Directory),
    /// The name of the branch that is checked out: one word, and no option.
    Branch,
    /// The name of a tag, with what `git describe` puts behind it.
    Tag,
    /// Names of commits by their digits alone.
    Commits,
    /// The path of a file that `mktemp` made.
    TemporaryFile,
    /// The path of a directory that `mktemp` made.
    TemporaryDirectory,
    /// One name without a slash, which is not `..`.
    Name,
    /// One name without slashes and dots.
    Plain,
}

/// The directory that a command runs in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Directory {
    /// Absolute, normalised.
    Known(PathBuf),
    /// An earlier `cd` went where is not known.
    Unknown(Unknown),
}
