//! Facts about the output of a command that are known before it runs, and the directories of commands.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Unknown, ValueSource, Word, WordPart};

/// The facts about the output of one command that are known before it runs.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CommandOutput {
    /// The words of the command after all expansions. Outputs of equal commands are equal. The words contain no facts
    /// about the outputs of other commands; a chain of substitutions (`a=$(x); b=$(y $a); …`) would nest such facts
    /// deeper with each step.
    words: Vec<Word>,
    /// The words of the commands that may leave lines of the output out: `head -1` of `$(ls | head -1)`.
    filters: Vec<Vec<Word>>,
    /// The kind of value that the command prints; `None` if it is unknown.
    pub(crate) prints: Option<PrintedValue>,
    /// Whether the output is, or begins with, a revision of git.
    pub(crate) is_revision: bool,
}

impl CommandOutput {
    /// Creates the facts about the output of the command with these words. `prints` is the kind of value that it
    /// prints, if known.
    pub(crate) fn new(words: &[Word], prints: Option<PrintedValue>) -> Self {
        Self { words: words.iter().map(forget_outputs).collect(), filters: Vec::new(), prints, is_revision: false }
    }

    /// Creates the facts about the output of a command that prints a revision of git, or a text that begins with one.
    pub(crate) fn from_revision(words: &[Word], prints: Option<PrintedValue>) -> Self {
        Self { is_revision: true, ..Self::new(words, prints) }
    }

    /// Returns the facts about the lines that commands with these words leave of the output.
    pub(crate) fn filtered<'w>(self, filters: impl Iterator<Item = &'w [Word]>) -> Self {
        let filters: Vec<Vec<Word>> = filters.map(|words| words.iter().map(forget_outputs).collect()).collect();
        let is_kept = |prints: &PrintedValue| filters.is_empty() || prints.is_identifier();
        Self { prints: self.prints.filter(is_kept), filters, ..self }
    }

    /// Whether other commands may leave lines of the output out.
    pub(crate) fn is_filtered(&self) -> bool {
        !self.filters.is_empty()
    }

    /// Returns the first word of the command, which names the program; `None` if it is unknown.
    pub(crate) fn program(&self) -> Option<&str> {
        self.words.first()?.known_text()
    }

    /// Whether the output is names of existing files, revisions or branches. None of these is assumed to be an option.
    pub(crate) fn is_listing(&self) -> bool {
        const PROGRAMS: &[&str] = &[
            "find", "fd", "fdfind", "git", "rg", "grep", "ls", "dirname", "basename", "readlink", "realpath", "pwd",
            "which",
        ];
        let is_format =
            |word: &Word| ["-printf", "--format", "--pretty"].iter().any(|start| word.prefix().starts_with(start));
        self.program().is_some_and(|name| PROGRAMS.contains(&name)) && !self.words.iter().any(is_format)
    }

    /// Whether the output is that of a command with these words, in which the files that a glob matches may be in place
    /// of the glob: `matches` tells that. The sources of outputs of other commands in them are not compared.
    pub(crate) fn is_output_of(&self, words: &[Word], matches: impl Fn(&Word, &Word) -> bool) -> bool {
        let mut rest = words.iter().peekable();
        let is_next = |own_word: &Word| match rest.next() {
            Some(word) if *own_word == forget_outputs(word) => true,
            Some(word) if matches(own_word, word) => {
                while rest.next_if(|word| matches(own_word, word)).is_some() {}
                true
            }
            _ => false,
        };
        self.words.iter().all(is_next) && rest.next().is_none()
    }
}

/// Returns a copy of the word in which the source of each part that is the output of a command is replaced by
/// [`ValueSource::Any`].
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
    /// Hexadecimal names of containers or images: `docker ps --quiet`.
    Identifiers,
    /// Numbers, each on its own line: `seq 1 $((n + 1))`.
    Numbers,
    /// One number: `nproc`.
    Number,
    /// The path of a file created by `mktemp`.
    TemporaryFile,
    /// The path of a directory created by `mktemp`.
    TemporaryDirectory,
    /// A path that `mktemp` created from a template.
    FromTemplate(Arc<MktempTemplate>),
    /// One file name: it has no slash and is not `..`.
    Name,
    /// One file name that has neither a slash nor a dot, such as a date.
    Plain,
    /// The path of the program with this name, in an unknown directory: `which python3`.
    Program(Arc<str>),
}

impl PrintedValue {
    /// Whether each word is the name of a branch, a commit or a container, and so no option.
    pub(crate) fn is_identifier(&self) -> bool {
        matches!(self, Self::Branch | Self::Commits | Self::Identifiers)
    }

    /// Whether the value is a number, or one name without slashes and dots.
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self, Self::Number | Self::Plain)
    }
}

/// The template of a call of `mktemp`, such as `/tmp/x.XXXX`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct MktempTemplate {
    /// The absolute path of the directory; `None` for the directory for temporary files.
    pub directory: Option<PathBuf>,
    /// The part of the file name before the random letters: `x.`.
    pub before: String,
    /// The number of random letters: 4.
    pub letters: usize,
    /// The part of the file name after the random letters.
    pub after: String,
}

/// The working directory of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Directory {
    /// The absolute, normalised path of the directory.
    Known(PathBuf),
    /// The directory is unknown for this reason: an earlier `cd` went to an unknown directory.
    Unknown(Unknown),
}

impl Directory {
    /// Returns the path of the directory, if it is known.
    ///
    /// # Errors
    /// Returns the reason why the directory is unknown.
    pub fn known(self) -> Result<PathBuf, Unknown> {
        match self {
            Self::Known(path) => Ok(path),
            Self::Unknown(why) => Err(why),
        }
    }
}
