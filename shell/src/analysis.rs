//! The result of analysing a text: one record for each simple command that could run.
//!
//! ```
//! use std::path::Path;
//!
//! use hookrules_shell::analysis::{CommandScope, SimpleCommand};
//! use hookrules_shell::{StartDirectories, analyse};
//!
//! let start = StartDirectories { cwd: Path::new("/home/dev"), home: None };
//! let analysis = analyse("ssh host 'rm -rf build' > log", &start);
//! let [ssh, remove]: [SimpleCommand; 2] = analysis.commands.try_into().expect("two commands");
//! assert_eq!(ssh.redirects[0].target.known_text(), Some("log"));
//! assert_eq!((ssh.scope, remove.scope), (CommandScope::Local, CommandScope::Remote));
//! ```

pub use crate::evaluated::{EvaluatedText, EvaluatorKind};
pub use crate::word::source::CommandId;

mod variables;

pub use variables::is_harmless_variable;
pub(crate) use variables::{are_harmless, is_own_variable};

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::argv::{Argv, ArgvCache};
use crate::open_files::{OpenFile, OpenFiles};
use crate::programs::Programs;
use crate::stream::{InputStream, StreamContent, WrittenFile};
use crate::unseen::UnseenText;
use crate::word::{Cause, Directory, Unknown, Word, WordPart};

/// The directories that are known before the text runs.
#[derive(Clone, Copy, Debug)]
pub struct StartDirectories<'a> {
    /// The directory in which the text runs: absolute, normalised.
    pub cwd: &'a Path,
    /// The home directory of the account; `None` if it is not known.
    pub home: Option<&'a Path>,
}

/// The result of analysing a text: every command that it could run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Analysis {
    /// The commands, in the order of the text. A command that another command runs comes after that one.
    pub commands: Vec<SimpleCommand>,
    /// The script files that commands run, each as a separate program: `python -u train.py x` runs `train.py x`. The
    /// id of the first one comes after the id of the last command.
    pub(super) scripts: Vec<SimpleCommand>,
    /// Code that may also run, and whose commands are not among `commands`.
    pub opaque: Vec<OpaqueCode>,
    /// The work of the analysis, in steps of about 40 ns.
    pub steps: usize,
    /// The texts that something evaluates and that a marked value reaches: see [`crate::interpret::analyse_marked`].
    pub evaluated: Vec<EvaluatedText>,
    /// The files that the text writes, with their content as far as it is known.
    pub(super) written: Rc<BTreeMap<PathBuf, WrittenFile>>,
}

impl Analysis {
    /// Returns a command or a script by its id; `None` if the id belongs to another analysis.
    #[must_use]
    pub fn command(&self, id: CommandId) -> Option<&SimpleCommand> {
        self.commands.get(id.0).or_else(|| self.scripts.get(id.0.checked_sub(self.commands.len())?))
    }

    /// Returns the scripts that commands run, with their ids. The interpreter that runs a script is a separate
    /// command.
    pub fn scripts(&self) -> impl Iterator<Item = (CommandId, &SimpleCommand)> {
        let count = self.commands.len();
        self.scripts.iter().enumerate().map(move |(index, script)| (CommandId(count + index), script))
    }

    /// Returns the command in whose process a command or a script runs: for a script, its interpreter; for a command,
    /// the command itself.
    #[must_use]
    pub fn process(&self, id: CommandId) -> CommandId {
        let script = id.0.checked_sub(self.commands.len()).and_then(|index| self.scripts.get(index));
        script.and_then(|script| script.outer_commands.last().copied()).unwrap_or(id)
    }

    /// Returns the commands with their ids, in order.
    pub fn iter(&self) -> impl Iterator<Item = (CommandId, &SimpleCommand)> {
        self.commands.iter().enumerate().map(|(index, command)| (CommandId(index), command))
    }

    /// Returns the files that the text writes with known content. An unknown part of the content becomes a variable
    /// that is never set, so that it stays unknown if the content is analysed as shell text.
    #[must_use]
    pub fn written_files(&self) -> Vec<(PathBuf, String)> {
        let text = |word: &Word| {
            let parts = word.parts.iter().map(|part| match part {
                WordPart::Text(text) => text.as_str(),
                WordPart::Glob(_) | WordPart::Unknown(_) => "${UNKNOWN_TEXT}",
            });
            parts.collect::<String>()
        };
        let known = self.written.iter().filter_map(|(path, written)| match &written.content {
            StreamContent::Known(value) => Some((path.clone(), text(&value.word))),
            StreamContent::Unset | StreamContent::File(_) | StreamContent::Program(_) | StreamContent::Unknown => None,
        });
        known.collect()
    }
}

/// A simple command: a program with its arguments, or assignments and redirections without a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SimpleCommand {
    /// The program and its arguments after all expansions; empty if there is no program. The program may also be a
    /// builtin, or a function that the text does not define.
    pub words: Vec<Word>,
    /// The assignments before the program, in order.
    pub assignments: Vec<Assignment>,
    /// The redirections of the command, and those of the groups and loops around it.
    pub redirects: Vec<Redirect>,
    /// The commands that run this one (`sudo`, `xargs`, `sh -c`, `find -exec`), outermost first.
    pub outer_commands: Vec<CommandId>,
    /// Why the command may not run at all: a word of a command that runs it is unknown, or shells read the text
    /// differently. `None` if it certainly runs.
    pub doubt: Option<Unknown>,
    /// The machine or container that it runs on.
    pub scope: CommandScope,
    /// The directory that it runs in.
    pub cwd: Directory,
    /// The variables that the text sets or removes in the environment of the command. The last assignment of a name
    /// wins. An assignment without a value removes the variable; an unknown value is a word with unknown parts.
    pub environment: Vec<Assignment>,
    /// Why the environment may differ from before the text ran in other variables too (`. ./x`, `export $X`); `None`
    /// if it does not.
    pub environment_hidden: Option<Unknown>,
    /// Whether the command is in the body or the condition of a loop, or another command repeats it (`xargs`).
    pub in_loop: bool,
    /// Whether it runs in the background.
    pub in_background: bool,
    /// Whether its output becomes part of another command's words.
    pub in_substitution: bool,
    /// Whether the text defines the name of the program as a function or an alias, or changes where programs are
    /// found (`PATH=`, `hash`, `enable`).
    pub is_shadowed: bool,
    /// Whether it is a script file that another command runs, and not a command of the text.
    pub is_script: bool,
    /// Whether a package manager runs it only if the project defines no task of this name: `pnpm prisma`.
    pub may_be_task: bool,
    /// The commands whose output is directly its standard input, through pipes.
    pub piped_from: Vec<CommandId>,
    /// The commands that directly read its output, through pipes.
    pub piped_to: Vec<CommandId>,
    /// The commands whose output, changed or not, reaches its standard input.
    pub stdin_from: Vec<CommandId>,
    /// The standard input.
    pub(super) input: Rc<InputStream>,
    /// The files that the file descriptors are open on.
    pub(super) open_files: OpenFiles,
    /// The commands whose output, changed or not, reaches the code that it executes: a script on standard input, the
    /// text of `eval` or `-c`, a file that the text wrote earlier.
    pub code_from: Vec<CommandId>,
    /// The commands whose output, changed or not, is in the words of this one: `curl -d "$(cat x)"`.
    pub words_from: Vec<CommandId>,
    /// The effects of the code in another language that the command runs (`python -c`); `None` if it was not
    /// evaluated.
    pub(super) code: Option<Rc<CodeSummary>>,
    /// The byte range in the text of the call, from the first word to the last; `None` in nested texts. Commands in
    /// the body of a loop or a function share a range if the body is interpreted several times.
    pub span: Option<Range<usize>>,
    /// The parsed arguments, once they were requested.
    pub(super) memo: ArgvCache,
}

impl SimpleCommand {
    /// Returns the arguments as the program parses them. The result is cached, so the words must not be changed after
    /// the first call, except in a copy.
    #[must_use]
    pub fn argv(&self) -> Argv<'_> {
        self.memo.argv(&self.words)
    }

    /// Like [`SimpleCommand::argv`], with the records in `programs` in addition to the built-in ones.
    #[must_use]
    pub fn argv_with(&self, programs: &Programs) -> Argv<'_> {
        self.memo.argv_with(&self.words, programs)
    }

    /// Creates a command that no other command runs, without input and output.
    pub(super) fn without_context(words: Vec<Word>, cwd: Directory) -> Self {
        Self::with_input(words, cwd, Rc::default())
    }

    /// Like [`SimpleCommand::without_context`], but with a standard input.
    pub(super) fn with_input(words: Vec<Word>, cwd: Directory, input: Rc<InputStream>) -> Self {
        Self {
            words,
            assignments: Vec::new(),
            redirects: Vec::new(),
            outer_commands: Vec::new(),
            doubt: None,
            scope: CommandScope::Local,
            cwd,
            environment: Vec::new(),
            environment_hidden: None,
            in_loop: false,
            in_background: false,
            in_substitution: false,
            is_shadowed: false,
            is_script: false,
            may_be_task: false,
            piped_from: Vec::new(),
            piped_to: Vec::new(),
            stdin_from: Vec::new(),
            input,
            open_files: OpenFiles::default(),
            code_from: Vec::new(),
            words_from: Vec::new(),
            code: None,
            span: None,
            memo: ArgvCache::default(),
        }
    }
}

/// The effects of code in another language that a command runs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct CodeSummary {
    /// The effects on files, each as an equivalent command: `shutil.rmtree("x")` is `rm -rf -- x`.
    pub equivalent_commands: Vec<Vec<Word>>,
    /// The URLs that the code requests or sends data to.
    pub fetched_urls: Vec<Word>,
    /// The commands that would download the code that this code downloads and runs: `curl URL`.
    pub downloads: Vec<Vec<Word>>,
    /// Whether all of the code was evaluated, so that it has no other effects.
    pub is_whole: bool,
    /// Whether all of the code is valid in its language.
    pub is_parsed: bool,
}

impl CodeSummary {
    /// Returns the effects of two pieces of code together.
    pub(super) fn merged_with(mut self, more: Self) -> Self {
        self.equivalent_commands.extend(more.equivalent_commands);
        self.fetched_urls.extend(more.fetched_urls);
        self.downloads.extend(more.downloads);
        Self { is_whole: self.is_whole && more.is_whole, is_parsed: self.is_parsed && more.is_parsed, ..self }
    }
}

impl SimpleCommand {
    /// Whether all code in other languages that the command runs was evaluated.
    #[must_use]
    pub fn has_read_code(&self) -> bool {
        self.code.as_ref().is_some_and(|code| code.is_whole)
    }

    /// Whether evaluated code that the command runs has effects on files.
    #[must_use]
    pub fn has_acting_code(&self) -> bool {
        self.code.as_ref().is_some_and(|code| !code.equivalent_commands.is_empty())
    }

    /// Returns the URLs that the command's code requests or sends data to.
    pub(super) fn fetched_urls(&self) -> &[Word] {
        self.code.as_ref().map(|code| code.fetched_urls.as_slice()).unwrap_or_default()
    }

    /// Returns the commands that would download what the command's code downloads and runs:
    /// `exec(urlopen("URL").read())` runs the output of `curl URL`.
    #[must_use]
    pub fn downloads_that_run(&self) -> Vec<Self> {
        let downloads = self.code.iter().flat_map(|code| &code.downloads);
        downloads.map(|words| Self::without_context(words.clone(), self.cwd.clone())).collect()
    }
}

/// Returns the value of a variable in an environment; `None` if it is not set there, or removed. The last assignment
/// of its name wins.
pub(super) fn environment_value<'e>(environment: &'e [Assignment], name: &str) -> Option<&'e Word> {
    environment.iter().rfind(|assignment| assignment.name == name)?.value.as_ref()
}

/// The variables of a process that the text does not set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum InheritedEnvironment {
    /// The variables of the shell's caller, which are not visible.
    #[default]
    Unseen,
    /// No variables: `env -i`.
    Nothing,
}

/// An assignment `NAME=value`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Assignment {
    /// The name of the variable.
    pub name: String,
    /// The value; `None` if the variable is removed (`env -u`, `unset`).
    pub value: Option<Word>,
}

/// A redirection to or from a file, or from a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Redirect {
    /// The kind of access.
    pub kind: RedirectKind,
    /// The name of the file, or the text. All commands of a group share it.
    pub target: Rc<Word>,
    /// The file that is opened if the target names a descriptor, as in `< /dev/fd/3`.
    pub(super) opened: Option<Rc<OpenFile>>,
}

/// The kinds of redirections. Those that only duplicate descriptors (`2>&1`) are not recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RedirectKind {
    /// `<`: the file is read.
    Read,
    /// `>`, `>|`, `&>`, `>>`: the file is created or changed.
    Write,
    /// `<>`: the file is read and changed.
    ReadWrite,
    /// `<<`, `<<<`: the target is the text itself.
    Text,
}

/// Where a command runs. If it crosses several borders, as in `ssh host docker exec db ls`, this is the one furthest
/// from this machine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CommandScope {
    /// On this machine, on its files.
    Local,
    /// In a container, or with another file system as the root.
    Container,
    /// In a container of a cluster.
    Cluster,
    /// On another machine.
    Remote,
}

/// Code that may run, and whose commands the analysis does not know.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct OpaqueCode {
    /// Why the commands are not known.
    pub reason: Unknown,
    /// The text of the code, if it is known: code in another language, or the text after a syntax error. Only
    /// commands whose words are in this text may run. With `None`, any command may run.
    pub text: Option<UnseenText>,
    /// The command that runs the code; `None` if the text itself contains it.
    pub runner: Option<CommandId>,
    /// The machine or container on which the code would run.
    pub scope: CommandScope,
}

impl OpaqueCode {
    /// Returns the opaque code that represents everything beyond a limit of the analysis.
    pub(super) fn beyond_limits() -> Self {
        Self { reason: Unknown::new(Cause::TooLong, ""), text: None, runner: None, scope: CommandScope::Local }
    }
}
