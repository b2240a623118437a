//! What is known of the output of a command.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Unknown, ValueSource, Word, WordPart};

/// The known facts about the output of one command.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CommandOutput {
    /// The words of the command after all expansions: two outputs are equal if their commands are. The words contain
    /// no facts about other outputs, so that a chain of substitutions makes no value deep, or larger than its text.
    words: Vec<Word>,
    /// The kind of value that the command prints; `None` if it is unknown.
    pub(crate) prints: Option<PrintedValue>,
    /// The output is, or begins with, a revision of git.
    pub(crate) is_revision: bool,
}

impl CommandOutput {
    /// Makes the output of a command; `prints` is the kind of value that the command prints, if known.
    pub(crate) fn new(words: &[Word], prints: Option<PrintedValue>) -> Self {
        Self { words: words.iter().map(forget_outputs).collect(), prints, is_revision: false }
    }

    /// Makes the output of a command that prints a revision of git, or a text that begins with one.
    pub(crate) fn from_revision(words: &[Word], prints: Option<PrintedValue>) -> Self {
        Self { is_revision: true, ..Self::new(words, prints) }
    }

    /// Returns the name of the program, if it is known.
    pub(crate) fn program(&self) -> Option<&str> {
        self.words.first()?.known_text()
    }

    /// Whether the output may be that of the command `words`.
    pub(crate) fn is_output_of(&self, words: &[Word]) -> bool {
        self.words.len() == words.len() && self.words.iter().zip(words).all(|(own, word)| *own == forget_outputs(word))
    }
}

/// Returns a word in which the source of each output of a command is replaced by [`ValueSource::Any`].
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

/// The kind of value that a command prints. A command that fails may print nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PrintedValue {
    /// The root of the repository that contains this directory, absolute and normalised:
    /// `git rev-parse --show-toplevel`.
    Root(PathBuf),
    /// The name of the current branch: one word, and not an option.
    Branch,
    /// The name of a tag, perhaps with the suffix that `git describe --tags` adds: `v1.2-3-gabc`.
    Tag,
    /// Hexadecimal names of commits: `git rev-list`, `git merge-base`.
    Commits,
    /// The path of a file created by `mktemp`.
    TemporaryFile,
    /// The path of a directory created by `mktemp`.
    TemporaryDirectory,
    /// A path that `mktemp` created from a template.
    FromTemplate(Arc<MktempTemplate>),
    /// One file name without a slash, other than `..`.
    Name,
    /// One file name without slashes and dots, such as a date.
    Plain,
    /// The path of the program with this name, in an unknown directory: `which python3`.
    Program(Arc<str>),
}

/// The template that a call of `mktemp` gives: `/tmp/x.XXXX`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct MktempTemplate {
    /// The absolute directory of the template; `None` is the directory for temporary files.
    pub directory: Option<PathBuf>,
    /// The text of the name before the random letters: `x.`.
    pub before: String,
    /// The number of random letters: 4.
    pub letters: usize,
    /// The text of the name after the random letters.
    pub after: String,
}

/// The directory that a command runs in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Directory {
    /// The path of the directory: absolute, normalised.
    Known(PathBuf),
    /// An earlier `cd` went to an unknown directory, for this reason.
    Unknown(Unknown),
}

impl Directory {
    /// Returns the path of the directory.
    ///
    /// # Errors
    /// The reason why it is unknown.
    pub fn known(self) -> Result<PathBuf, Unknown> {
        match self {
            Self::Known(path) => Ok(path),
            Self::Unknown(why) => Err(why),
        }
    }
}
