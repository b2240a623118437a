//! What is known of the output of a command.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Part, Source, Unknown, Word};

/// The output of one command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    /// The command, after all expansions: two outputs are one where their commands are. None of them holds an output
    /// itself, so that no chain of substitutions makes a value deep, or larger than its text.
    words: Vec<Word>,
    pub(crate) prints: Option<Prints>,
    pub(crate) is_revision: bool,
}

impl Output {
    /// Makes the output of a command of which is known what it prints.
    pub(crate) fn new(words: &[Word], prints: Option<Prints>) -> Self {
        Self { words: words.iter().map(without_outputs).collect(), prints, is_revision: false }
    }

    /// Makes the output of a command that prints what git says of revisions, or begins with it.
    pub(crate) fn of_revision(words: &[Word], prints: Option<Prints>) -> Self {
        Self { is_revision: true, ..Self::new(words, prints) }
    }

    /// Returns the program, where it is known.
    pub(crate) fn program(&self) -> Option<&str> {
        self.words.first()?.known()
    }

    /// Tells whether it may be that of a command.
    pub(crate) fn is_of(&self, words: &[Word]) -> bool {
        self.words.len() == words.len() && self.words.iter().zip(words).all(|(own, word)| *own == without_outputs(word))
    }
}

/// Returns a word in which nothing is known of the outputs in it.
fn without_outputs(word: &Word) -> Word {
    let mut word = word.clone();
    for part in &mut word.parts {
        if let Part::Unknown(unknown) = part
            && let Source::Output(_) = unknown.why.source
        {
            unknown.why.source = Source::Any;
        }
    }
    word
}

/// What a command prints. It may print nothing where it fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Prints {
    /// The root of the repository that this directory lies in: absolute, normalised.
    Root(PathBuf),
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
    /// The path of what `mktemp` made by a template.
    Made(Arc<Template>),
    /// One name without a slash, which is not `..`.
    Name,
    /// One name without slashes and dots.
    Plain,
}

/// What `mktemp` makes names of: `/tmp/x.XXXX`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    /// Where it is made: absolute. None: where temporary files are made.
    pub directory: Option<PathBuf>,
    /// What stands in front of the letters that are drawn.
    pub before: String,
    /// How many they are.
    pub letters: usize,
    /// What stands behind them.
    pub after: String,
}

/// The directory that a command runs in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Directory {
    /// Absolute, normalised.
    Known(PathBuf),
    /// An earlier `cd` went where is not known.
    Unknown(Unknown),
}
