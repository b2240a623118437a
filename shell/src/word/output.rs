//! What is known of the output of a command.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Unknown, ValueSource, Word, WordPart};

/// The output of one command.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CommandOutput {
    /// The command, after all expansions: two outputs are equal if their commands are. Nested outputs are removed, so
    /// that no chain of substitutions makes a value deep, or larger than its text.
    words: Vec<Word>,
    pub(crate) prints: Option<PrintedValue>,
    pub(crate) is_revision: bool,
}

impl CommandOutput {
    /// Makes the output of a command with a known kind of output.
    pub(crate) fn new(words: &[Word], prints: Option<PrintedValue>) -> Self {
        Self { words: words.iter().map(forget_outputs).collect(), prints, is_revision: false }
    }

    /// Makes the output of a command that prints a revision of git's, or begins with one.
    pub(crate) fn from_revision(words: &[Word], prints: Option<PrintedValue>) -> Self {
        Self { is_revision: true, ..Self::new(words, prints) }
    }

    /// Returns the program, if it is known.
    pub(crate) fn program(&self) -> Option<&str> {
        self.words.first()?.known_text()
    }

    /// Whether it may be the output of a command.
    pub(crate) fn is_output_of(&self, words: &[Word]) -> bool {
        self.words.len() == words.len() && self.words.iter().zip(words).all(|(own, word)| *own == forget_outputs(word))
    }
}

/// Returns a word without knowledge of the outputs in it.
fn forget_outputs(word: &Word) -> Word {
    let mut word = word.clone();
    for part in word.parts.iter_mut() {
        if let WordPart::Unknown(unknown) = part
            && let ValueSource::Output(_) = unknown.reason.source
        {
            unknown.reason.source = ValueSource::Any;
        }
    }
    word
}

/// The kind of output of a command. On failure it may print nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PrintedValue {
    /// The root of the repository that contains this directory: absolute, normalised.
    Root(PathBuf),
    /// The name of the current branch: one word, and not an option.
    Branch,
    /// The name of a tag, with the suffix that `git describe` adds.
    Tag,
    /// Hexadecimal names of commits.
    Commits,
    /// The path of a file created by `mktemp`.
    TemporaryFile,
    /// The path of a directory created by `mktemp`.
    TemporaryDirectory,
    /// A path that `mktemp` created from a template.
    FromTemplate(Arc<MktempTemplate>),
    /// One name without a slash, other than `..`.
    Name,
    /// One name without slashes and dots.
    Plain,
}

/// The template of `mktemp`: `/tmp/x.XXXX`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct MktempTemplate {
    /// The absolute directory; `None`: the directory for temporary files.
    pub directory: Option<PathBuf>,
    /// The text before the random letters.
    pub before: String,
    /// The number of random letters.
    pub letters: usize,
    /// The text after them.
    pub after: String,
}

/// The directory that a command runs in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Directory {
    /// Absolute, normalised.
    Known(PathBuf),
    /// An earlier `cd` went to an unknown directory.
    Unknown(Unknown),
}
