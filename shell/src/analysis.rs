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

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::argv::{Argv, ArgvCache};
use crate::open_files::{OpenFile, OpenFiles};
use crate::programs::Programs;
use crate::stream::{InputStream, StreamContent, WrittenFile};
use crate::word::{Cause, Directory, Unknown, Word, WordPart};

/// The known facts before the text runs.
#[derive(Clone, Copy, Debug)]
pub struct StartDirectories<'a> {
    /// The directory that it runs in: absolute, normalised.
    pub cwd: &'a Path,
    /// The home directory of the account.
    pub home: Option<&'a Path>,
}

/// Every command that a text could run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Analysis {
    /// The commands, in the order of the text; those that another command runs come after it.
    pub commands: Vec<SimpleCommand>,
    /// The script files that commands run, each as a program of its own: `python -u train.py x` runs `train.py x`.
    /// Their ids follow those of the commands.
    pub(super) scripts: Vec<SimpleCommand>,
    /// Code that may also run and that the analysis does not see.
    pub opaque: Vec<OpaqueCode>,
    /// The work of the analysis, in steps of about 40 ns.
    pub steps: usize,
    /// The texts that a marked value reaches and that something evaluates: [`crate::interpret::analyse_marked`].
    pub evaluated: Vec<EvaluatedText>,
    /// The files that the text writes, with their content.
    pub(super) written: Rc<BTreeMap<PathBuf, WrittenFile>>,
}

impl Analysis {
    /// Returns a command or a script, by its id.
    #[must_use]
    pub fn command(&self, id: CommandId) -> Option<&SimpleCommand> {
        self.commands.get(id.0).or_else(|| self.scripts.get(id.0.checked_sub(self.commands.len())?))
    }

    /// Returns the scripts that commands run, with their ids. A script that matches is run, by any interpreter; the
    /// interpreter is a separate command.
    pub fn scripts(&self) -> impl Iterator<Item = (CommandId, &SimpleCommand)> {
        let count = self.commands.len();
        self.scripts.iter().enumerate().map(move |(at, script)| (CommandId(count + at), script))
    }

    /// Returns the command in whose process a command or a script runs.
    #[must_use]
    pub fn process(&self, id: CommandId) -> CommandId {
        let script = id.0.checked_sub(self.commands.len()).and_then(|at| self.scripts.get(at));
        script.and_then(|script| script.outer_commands.last().copied()).unwrap_or(id)
    }

    /// Returns the commands with their ids, in order.
    pub fn iter(&self) -> impl Iterator<Item = (CommandId, &SimpleCommand)> {
        self.commands.iter().enumerate().map(|(at, command)| (CommandId(at), command))
    }

    /// Returns the files that the text writes with known content. An unknown part becomes a variable that is never set,
    /// so it is also unknown to a reader of the content as shell text.
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
            StreamContent::Unset | StreamContent::File(_) | StreamContent::Unknown => None,
        });
        known.collect()
    }
}

/// A simple command: a program with its arguments, or only assignments and redirections.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SimpleCommand {
    /// The program and its arguments after all expansions; empty if there is no program. Builtins are programs too, and
    /// so are functions that the text does not define.
    pub words: Vec<Word>,
    /// The assignments before the program, in order.
    pub assignments: Vec<Assignment>,
    /// Its redirections, and those of the groups and loops around it.
    pub redirects: Vec<Redirect>,
    /// The commands that run this one (`sudo`, `xargs`, `sh -c`, `find -exec`), outermost first.
    pub outer_commands: Vec<CommandId>,
    /// Why it may not run at all: a word of the command that runs it is unknown. `None` if it certainly runs.
    pub doubt: Option<Unknown>,
    /// The machine or container that it runs on.
    pub scope: CommandScope,
    /// The directory that it runs in.
    pub cwd: Directory,
    /// The variables that the text sets in its environment; the last assignment of a name wins. A removed variable has
    /// no value, an unknown one a word with unknown parts.
    pub environment: Vec<Assignment>,
    /// Why its environment may have more variables, or others than before the text ran (`. ./x`, `export $X`).
    pub environment_hidden: Option<Unknown>,
    /// Whether it is in the body or the condition of a loop, or is repeated by its wrapper.
    pub in_loop: bool,
    /// Whether it runs in the background.
    pub in_background: bool,
    /// Whether its output becomes part of another command's words.
    pub in_substitution: bool,
    /// Whether the text defines the name of its program as a function, an alias or a keyword, or changes where programs
    /// are found (`PATH=`, `hash`, `enable`).
    pub is_shadowed: bool,
    /// Whether it is a script file that another command runs.
    pub is_script: bool,
    /// The commands whose output is directly its standard input.
    pub piped_from: Vec<CommandId>,
    /// The commands that read its output directly.
    pub piped_to: Vec<CommandId>,
    /// The commands whose output, changed or not, reaches its standard input.
    pub stdin_from: Vec<CommandId>,
    /// Its standard input, shared with the commands that read the same one.
    pub(super) input: Rc<InputStream>,
    /// The files that its descriptors are open on.
    pub(super) open_files: OpenFiles,
    /// The commands whose output, changed or not, reaches the code that it executes: a script on standard input, the
    /// text of `eval` or `-c`, a file that the text wrote earlier.
    pub code_from: Vec<CommandId>,
    /// The commands whose output, changed or not, is in its words (`curl -d "$(cat x)"`).
    pub words_from: Vec<CommandId>,
    /// The effects of the code that its program was given, if it was evaluated.
    pub(super) code: Option<Rc<CodeSummary>>,
    /// Its span in the text of the call, in bytes, from its first word to its last; `None` in nested texts. Commands in
    /// the body of a loop or a function share a span if the body is walked several times.
    pub span: Option<Range<usize>>,
    /// The parsed argument list, once it was requested.
    pub(super) memo: ArgvCache,
}

impl SimpleCommand {
    /// Returns the arguments as the program parses them. The words must not be changed after the first call, except in
    /// a copy.
    #[must_use]
    pub fn argv(&self) -> Argv<'_> {
        self.memo.argv(&self.words)
    }

    /// Returns the arguments as the program parses them according to its record among `programs`, if there is one.
    #[must_use]
    pub fn argv_with(&self, programs: &Programs) -> Argv<'_> {
        self.memo.argv_with(&self.words, programs)
    }

    /// Creates a command on its own: no other command runs it, and nothing flows into it or out of it.
    pub(super) fn without_context(words: Vec<Word>, cwd: Directory) -> Self {
        Self::with_input(words, cwd, Rc::default())
    }

    /// Like [`SimpleCommand::without_context`], with a standard input.
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

/// The effects of code that an interpreter was given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct CodeSummary {
    /// The effects of the code itself, each as an equivalent command: `shutil.rmtree("x")` is `rm -rf -- x`.
    pub equivalent_commands: Vec<Vec<Word>>,
    /// The URLs that it requests or sends data to.
    pub fetched_urls: Vec<Word>,
    /// The code that it downloads and runs, as the commands that download it.
    pub downloads: Vec<Vec<Word>>,
    /// Whether all of it is evaluated: it has no other effects.
    pub is_whole: bool,
    /// Whether all of it is valid code of its language.
    pub is_parsed: bool,
}

impl CodeSummary {
    /// Returns the effects of both pieces of code.
    pub(super) fn merged_with(mut self, more: Self) -> Self {
        self.equivalent_commands.extend(more.equivalent_commands);
        self.fetched_urls.extend(more.fetched_urls);
        self.downloads.extend(more.downloads);
        Self { is_whole: self.is_whole && more.is_whole, is_parsed: self.is_parsed && more.is_parsed, ..self }
    }
}

impl SimpleCommand {
    /// Whether all code that the command was given is evaluated.
    #[must_use]
    pub fn has_read_code(&self) -> bool {
        self.code.as_ref().is_some_and(|code| code.is_whole)
    }

    /// Whether code that the command was given has effects on files of its own.
    #[must_use]
    pub fn has_acting_code(&self) -> bool {
        self.code.as_ref().is_some_and(|code| !code.equivalent_commands.is_empty())
    }

    /// Returns the URLs that its code requests or sends data to.
    pub(super) fn fetched_urls(&self) -> &[Word] {
        self.code.as_ref().map(|code| code.fetched_urls.as_slice()).unwrap_or_default()
    }

    /// Returns the commands that would download the code that its code downloads and runs:
    /// `exec(urlopen("URL").read())` runs the output of `curl URL`.
    #[must_use]
    pub fn downloads_that_run(&self) -> Vec<Self> {
        let downloads = self.code.iter().flat_map(|code| &code.downloads);
        downloads.map(|words| Self::without_context(words.clone(), self.cwd.clone())).collect()
    }
}

/// Returns the value of a variable in an environment: the last assignment of its name wins.
pub(super) fn environment_value<'e>(environment: &'e [Assignment], name: &str) -> Option<&'e Word> {
    environment.iter().rfind(|one| one.name == name)?.value.as_ref()
}

/// The environment of a process, apart from what the text sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum InheritedEnvironment {
    /// That of the caller of the shell, which is not visible.
    #[default]
    Unseen,
    /// Empty: `env -i`.
    Nothing,
}

/// `NAME=value`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Assignment {
    /// The name.
    pub name: String,
    /// The value; `None` if it is removed (`env -u`, `unset`).
    pub value: Option<Word>,
}

/// A redirection of a file or of text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Redirect {
    /// The kind.
    pub kind: RedirectKind,
    /// The file or the text. All commands of a group share it.
    pub target: Rc<Word>,
    /// The file that is opened if the target is the name of a descriptor.
    pub(super) opened: Option<Rc<OpenFile>>,
}

/// The kinds of redirections. Those that only duplicate descriptors (`2>&1`) are not recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RedirectKind {
    /// `<`
    Read,
    /// `>`, `>|`, `&>`, `>>`: the file is created or changed.
    Write,
    /// `<>`
    ReadWrite,
    /// `<<`, `<<<`: the text itself.
    Text,
}

/// Where a command runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CommandScope {
    /// On this machine, on its files.
    Local,
    /// In a container or another file system.
    Container,
    /// On another machine.
    Remote,
}

/// Code that may run and that the analysis does not see.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct OpaqueCode {
    /// The reason.
    pub reason: Unknown,
    /// Its text, if that is known: code in another language, or the text after a syntax error. Only commands whose
    /// words are in the text may run. `None`: it may be any command.
    pub text: Option<String>,
    /// The command that runs it, if any.
    pub runner: Option<CommandId>,
    /// Where it would run.
    pub scope: CommandScope,
}

impl OpaqueCode {
    /// Everything beyond the limits of the analysis.
    pub(super) fn beyond_limits() -> Self {
        Self { reason: Unknown::new(Cause::TooLong, ""), text: None, runner: None, scope: CommandScope::Local }
    }
}
