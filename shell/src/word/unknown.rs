//! The reasons why something about a command is unknown before it runs.

use super::{ValueSource, Word, WordPart};

/// A cause, and the word that it concerns.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Unknown {
    /// The cause.
    pub cause: Cause,
    /// The word, as written: for display only.
    pub word: String,
    /// The source of the value.
    pub source: ValueSource,
}

/// The cause of an unknown value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cause {
    /// A variable that the text does not set, or sets to an unknown value.
    Variable,
    /// The output of a command.
    Output,
    /// An argument of a script or function.
    Argument,
    /// A glob, which expands to the matching files.
    Glob,
    /// Parentheses after a glob, in which zsh runs code (`*(e:'rm x':)`).
    Qualifier,
    /// Words from standard input (`xargs`, `parallel`).
    Input,
    /// Text that a shell receives from another program: decoded, changed, downloaded.
    Decoded,
    /// The commands in an executed file.
    ScriptFile,
    /// The contents of a file.
    FileText,
    /// Code in a language that is not analysed.
    Foreign,
    /// A value that a program computes.
    Computed,
    /// The effect of an unlisted library function.
    Library,
    /// Not valid bash; bash itself would stop there.
    Syntax,
    /// Longer than the limit of the analysis.
    TooLong,
    /// Nested deeper than the limit of the analysis.
    TooDeep,
    /// A NUL, which no program can receive.
    NulCharacter,
    /// The working directory.
    Directory,
    /// Whether an option without a record takes the next word as its value.
    Option,
    /// A prefix of several options: which of them it is depends on the program's version.
    Abbreviation,
    /// A dash and several letters, for a program without a record: an option with its value, or one option.
    Letters,
    /// A name that may be an alias of the user or of the program (`git fp`).
    Alias,
    /// The contents of another directory, or the files that `git clean` deletes.
    Contents,
    /// The contents of an archive or a patch.
    ArchiveContents,
    /// Which files an option or a test selects (`-newer f`, `--filter=…`).
    FileSelection,
    /// The change that an editor or a script makes to a file.
    Editing,
    /// The home directory of another account.
    Account,
    /// A word that is either a file or something else (`git checkout x`).
    AmbiguousWord,
    /// Which branches exist.
    Branches,
    /// The result of an earlier command of the same text.
    EarlierCommand,
    /// The file that a descriptor is open on.
    Descriptor,
    /// The machine that a program connects to, if its words name none (`git push`, `npm install`).
    Peer,
    /// The shell that reads a text, if not all shells read it alike (`sh -c 'a &>b c'`).
    Dialect,
}

impl Unknown {
    /// Makes a cause that concerns a word.
    #[must_use]
    pub fn new(cause: Cause, word: impl Into<String>) -> Self {
        Self { cause, word: word.into(), source: ValueSource::Any }
    }

    /// Makes a cause with a known source.
    #[must_use]
    pub fn with_source(cause: Cause, word: impl Into<String>, source: ValueSource) -> Self {
        Self { cause, word: word.into(), source }
    }

    /// Makes a cause that concerns a word. A fully unknown word keeps its source.
    #[must_use]
    pub fn for_word(cause: Cause, word: &Word) -> Self {
        let source = match word.parts.as_slice() {
            [WordPart::Unknown(unknown)] => unknown.reason.source.clone(),
            _ => ValueSource::Any,
        };
        Self { cause, word: word.display_text(), source }
    }

    /// Returns the cause as a lowercase fragment, without the word.
    #[must_use]
    pub fn text(&self) -> &'static str {
        match self.cause {
            Cause::Variable => "the value of a variable is not known before it runs",
            Cause::Output => "the output of a command is not known before it runs",
            Cause::Argument => "an argument of the script is not known",
            Cause::Glob => "a glob expands to whatever files match",
            Cause::Qualifier => "zsh may run code in parentheses after a glob",
            Cause::Input => "words from standard input are not known",
            Cause::Decoded => "what is executed is not written in the call",
            Cause::ScriptFile => "what a script file runs is not seen",
            Cause::FileText => "the contents of the file are not read",
            Cause::Foreign => "code in another language is not parsed",
            Cause::Computed => "the program computes it when it runs",
            Cause::Library => "what the function does is not known",
            Cause::Syntax => "this is not valid bash",
            Cause::TooLong => "the command is too long to analyse",
            Cause::TooDeep => "the command is nested too deeply to analyse",
            Cause::NulCharacter => "the command contains a NUL character",
            Cause::Directory => "the directory it runs in is not known",
            Cause::Option => "the option may take the next word as its value",
            Cause::Abbreviation => "the option may be short for another",
            Cause::Letters => "the letters may be an option and its value",
            Cause::Alias => "the name may be an alias",
            Cause::Contents | Cause::ArchiveContents => "which files it writes or deletes is not seen",
            Cause::FileSelection => "which files it selects is not seen",
            Cause::Editing => "what it does to the file is not seen",
            Cause::Account => "the home directory of another account is not known",
            Cause::AmbiguousWord => "it may be a file or something else",
            Cause::Branches => "which branches exist is not known",
            Cause::EarlierCommand => "an earlier command may change it",
            Cause::Descriptor => "which file the descriptor is open on is not known",
            Cause::Peer => "the host it talks to is configured elsewhere",
            Cause::Dialect => "bash and other shells read this text differently",
        }
    }

    /// Returns advice on how to write it so that it is known, if there is any.
    #[must_use]
    pub fn help(&self) -> Option<&'static str> {
        match self.cause {
            Cause::Variable | Cause::Argument => Some("write the value itself"),
            Cause::Output => Some("run that command first, then write its output"),
            Cause::Glob => Some("write the names, or begin with `./`"),
            Cause::Qualifier => Some("write the names"),
            Cause::Input => Some("write the words as arguments"),
            Cause::Decoded => Some("write the commands as they are"),
            Cause::ScriptFile | Cause::Foreign | Cause::Library => None,
            Cause::Computed => Some("write the value itself"),
            Cause::FileText => Some("write the text in the command"),
            Cause::Syntax => Some("write valid bash"),
            Cause::TooLong | Cause::TooDeep => Some("split it into several calls"),
            Cause::NulCharacter => Some("leave the character out"),
            Cause::Directory => Some("write absolute paths"),
            Cause::Option => Some("write `--` after the options"),
            Cause::Abbreviation => Some("write the option in full"),
            Cause::Letters => Some("put a blank in front of the value"),
            Cause::Alias => Some("write the command that it stands for"),
            Cause::Contents | Cause::ArchiveContents => Some("name the files, or use a separate directory"),
            Cause::FileSelection => Some("name the files"),
            Cause::Editing => None,
            Cause::Account => Some("write the path"),
            Cause::AmbiguousWord => Some("write `--` before the files"),
            Cause::Branches => Some("name the branch"),
            Cause::EarlierCommand => Some("run that command in a separate call"),
            Cause::Descriptor => Some("write the name of the file"),
            Cause::Peer => Some("write the URL of the host"),
            Cause::Dialect => Some("write what every shell reads alike, or call `bash -c`"),
        }
    }
}
