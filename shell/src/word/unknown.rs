//! The reasons why a value or an effect of a command is unknown before the command runs.

use std::sync::Arc;

use super::{BelowVariable, ValueSource, Word, WordPart};

/// The reason why a value or an effect is unknown: the cause, the word that it concerns, and the source of the value.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Unknown {
    /// What makes the value unknown; it decides the message.
    pub cause: Cause,
    /// The word that is unknown, as written in the command. It is for messages only.
    pub word: String,
    /// Where the value comes from, as far as it is known.
    pub source: ValueSource,
}

/// The cause of an unknown value or effect.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cause {
    /// The value is that of a variable that the text does not set, or sets to an unknown value.
    Variable,
    /// The value is the output of a command.
    Output,
    /// The value is an argument of a script or function.
    Argument,
    /// A glob expands to the names of the matching files, and the analysis does not list files.
    Glob,
    /// Parentheses follow a glob, and zsh may run the code in them: `*(e:'rm x':)`.
    Qualifier,
    /// The words come from standard input: `xargs`, `parallel`.
    Input,
    /// A shell runs text that another program has decoded, changed or downloaded.
    Decoded,
    /// A file is executed, and its commands are not read.
    ScriptFile,
    /// The project may define a task with the name of the program, which would run instead of it: `pnpm prisma`.
    Task,
    /// The value is in a file, whose contents are not read.
    FileText,
    /// The code is in a language that the analysis does not parse.
    Foreign,
    /// A program computes the value when it runs.
    Computed,
    /// The code calls a function of a library of which the analysis has no record.
    Library,
    /// The text is not valid bash, so that bash would stop at the mistake.
    Syntax,
    /// The text is longer than the limit of the analysis.
    TooLong,
    /// The text is nested deeper than the limit of the analysis.
    TooDeep,
    /// The text has a NUL character, which no program can receive.
    NulCharacter,
    /// A path is relative to the working directory, which is unknown.
    Directory,
    /// An option of a program without a record may take the next word as its value.
    Option,
    /// An option may be an abbreviation of several options; which one it means depends on the version of the program.
    Abbreviation,
    /// Several letters follow one dash, and the program has no record: they may be an option with its value, or one
    /// option.
    Letters,
    /// The name of a command may be an alias, defined by the user or in the configuration of the program: `git fp`.
    Alias,
    /// A command copies or deletes whatever is in a directory, which the analysis does not list: `rsync -a src/ dst`,
    /// `git clean`.
    Contents,
    /// A command writes the files that an archive or a patch names, which the analysis does not read.
    ArchiveContents,
    /// An option or a test selects files by properties that the analysis does not read: `-newer f`, `--filter=…`.
    FileSelection,
    /// An editor or a script changes a file, and the result is unknown.
    Editing,
    /// A path begins with the home directory of another account: `~bob`.
    Account,
    /// A word may name a file or something else, such as a branch: `git checkout x`.
    AmbiguousWord,
    /// The result depends on which branches exist.
    Branches,
    /// An earlier command of the same text may change the result.
    EarlierCommand,
    /// A descriptor is open on an unknown file.
    Descriptor,
    /// The host that a command connects to is configured elsewhere, and not in its words: `git push`, `npm install`.
    Peer,
    /// The shells that may run the text read it differently: `sh -c 'a &>b c'`.
    Dialect,
}

impl Unknown {
    /// Creates an unknown with a cause. `word` is the text of the command as it is shown; where the value comes from is
    /// not recorded.
    #[must_use]
    pub fn new(cause: Cause, word: impl Into<String>) -> Self {
        Self { cause, word: word.into(), source: ValueSource::Any }
    }

    /// Creates an unknown with a cause, for a value that comes from `source`. `word` is the text as it is shown.
    #[must_use]
    pub fn with_source(cause: Cause, word: impl Into<String>, source: ValueSource) -> Self {
        Self { cause, word: word.into(), source }
    }

    /// Creates the reason for an expanded word. If the word is a single unknown part, the reason has the source of that
    /// part.
    #[must_use]
    pub fn for_word(cause: Cause, word: &Word) -> Self {
        let source = match word.parts.as_slice() {
            [WordPart::Unknown(unknown)] => unknown.reason.source.clone(),
            [WordPart::Unknown(unknown), WordPart::Text(rest)] if rest.starts_with('/') => {
                let below = |name: &str| BelowVariable { name: name.to_owned(), rest: rest.clone() };
                let variable = unknown.reason.source.variable();
                variable.map_or(ValueSource::Any, |name| ValueSource::BelowVariable(Arc::new(below(name))))
            }
            _ => ValueSource::Any,
        };
        Self { cause, word: word.display_text(), source }
    }

    /// Returns the message for the cause: a clause in lowercase, which does not mention the word.
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
            Cause::Task => "the project may have a task of this name",
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

    /// Returns advice on how to write the command so that the value is known, if there is any.
    #[must_use]
    pub fn help(&self) -> Option<&'static str> {
        match self.cause {
            Cause::Variable | Cause::Argument => Some("write the value itself"),
            Cause::Output => Some("run that command first, then write its output"),
            // Behind a directory, a name cannot be an option.
            Cause::Glob if self.word.contains('/') => Some("write the names of the files"),
            Cause::Glob => Some("write the names, or begin with `./`"),
            Cause::Qualifier => Some("write the names"),
            Cause::Input => Some("write the words as arguments"),
            Cause::Decoded => Some("write the commands as they are"),
            Cause::ScriptFile | Cause::Foreign | Cause::Library => None,
            Cause::Task => Some("run the program itself, as with `npx`"),
            Cause::Computed => Some("write the value itself"),
            Cause::FileText => Some("write the text in the command"),
            Cause::Syntax => Some("write valid bash"),
            Cause::TooLong | Cause::TooDeep => Some("split it into several calls"),
            Cause::NulCharacter => Some("leave the character out"),
            Cause::Directory if names_repository(&self.word) => Some("write `git -C DIRECTORY` in its place"),
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

/// Whether a word selects a repository other than that of the working directory.
fn names_repository(word: &str) -> bool {
    matches!(word, "--git-dir" | "--work-tree" | "GIT_DIR" | "GIT_WORK_TREE")
}
