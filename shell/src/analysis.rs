//! What the analysis of a text comes to: one record for each simple command that could run.

use crate::open_files::{OpenFile, OpenFiles};
use crate::stream::{CommandId, Content, Written};
use crate::word::{Directory, Part};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::argv::{Argv, Memo};
use crate::programs::Programs;
use crate::stream::Input;
use crate::word::{Cause, Unknown, Word};

/// What is known before the text runs.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// Where it runs: absolute, normalised.
    pub cwd: &'a Path,
    /// The home directory of the account.
    pub home: Option<&'a Path>,
}

/// Every command that a text could run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Analysis {
    /// In the order in which the text has them; what a command runs in its turn stands behind it.
    pub commands: Vec<Simple>,
    /// The files with code that commands run, each as the program that it is: `python -u train.py x` runs `train.py x`.
    /// Its ids follow those of the commands.
    pub(super) scripts: Vec<Simple>,
    /// What may run too and is not seen.
    pub opaque: Vec<Opaque>,
    /// How much was done to find that out, in steps of about 40 ns.
    pub steps: usize,
    /// The files that the text writes, with what it writes.
    pub(super) written: Rc<BTreeMap<PathBuf, Written>>,
}

impl Analysis {
    /// Returns a command, or a script.
    #[must_use]
    pub fn command(&self, id: CommandId) -> Option<&Simple> {
        self.commands.get(id.0).or_else(|| self.scripts.get(id.0.checked_sub(self.commands.len())?))
    }

    /// Returns the scripts that commands run, with their ids: what matches one is run, whatever interpreter reads it, but
    /// the interpreter is a command that runs beside it.
    pub fn scripts(&self) -> impl Iterator<Item = (CommandId, &Simple)> {
        let count = self.commands.len();
        self.scripts.iter().enumerate().map(move |(at, script)| (CommandId(count + at), script))
    }

    /// Returns the command in whose process a command or a script runs.
    #[must_use]
    pub fn process(&self, id: CommandId) -> CommandId {
        let script = id.0.checked_sub(self.commands.len()).and_then(|at| self.scripts.get(at));
        script.and_then(|script| script.via.last().copied()).unwrap_or(id)
    }

    /// Returns the commands with their ids, in order.
    pub fn iter(&self) -> impl Iterator<Item = (CommandId, &Simple)> {
        self.commands.iter().enumerate().map(|(at, command)| (CommandId(at), command))
    }

    /// Returns the files that the text writes and of which it says what comes into them. A part that is not known is a
    /// variable that nobody sets, so that who reads the text as shell text does not know it either.
    #[must_use]
    pub fn written_files(&self) -> Vec<(PathBuf, String)> {
        let text = |word: &Word| {
            let parts = word.parts.iter().map(|part| match part {
                Part::Text(text) => text.as_str(),
                Part::Glob(_) | Part::Unknown(_) => "${UNKNOWN_TEXT}",
            });
            parts.collect::<String>()
        };
        let known = self.written.iter().filter_map(|(path, written)| match &written.content {
            Content::Known(value) => Some((path.clone(), text(&value.word))),
            Content::Unsaid | Content::File(_) | Content::Unknown => None,
        });
        known.collect()
    }
}

/// A simple command: a program with its arguments, or assignments and redirections alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Simple {
    /// The program and its arguments after all expansions; empty where there is no program. Builtins and functions
    /// that the text does not define are programs too.
    pub words: Vec<Word>,
    /// The assignments in front of the program, in order.
    pub assignments: Vec<Assignment>,
    /// Its redirections, and those of the groups and loops around it.
    pub redirects: Vec<Redirect>,
    /// The commands that run this one (`sudo`, `xargs`, `sh -c`, `find -exec`), outermost first.
    pub via: Vec<CommandId>,
    /// Why it may not be run at all: a word of the command that runs it is not known. None where it is certain.
    pub doubt: Option<Unknown>,
    /// Where it runs.
    pub scope: Scope,
    /// In which directory.
    pub cwd: Directory,
    /// What the text sets in its environment, the last of a name counts; `None` is removed, or all of it is not known.
    pub environment: Vec<Assignment>,
    /// Why its environment may hold further variables, or others than before the text ran (`. ./x`, `export $X`).
    pub environment_hidden: Option<Unknown>,
    /// It stands in the body or the condition of a loop, or is repeated by its wrapper.
    pub in_loop: bool,
    /// It is not waited for.
    pub in_background: bool,
    /// Its output becomes a part of another command's words.
    pub in_substitution: bool,
    /// The name of its program is a function, an alias or a keyword that the text defines, or the text changes where
    /// programs are looked for (`PATH=`, `hash`, `enable`).
    pub is_shadowed: bool,
    /// It is a file with code that another command runs.
    pub is_script: bool,
    /// The commands whose output is its standard input directly.
    pub piped_from: Vec<CommandId>,
    /// The command that gets its output directly.
    pub piped_to: Vec<CommandId>,
    /// The commands whose output, changed or not, reaches its standard input.
    pub stdin_from: Vec<CommandId>,
    /// What is on its standard input, shared with the commands that read the same.
    pub(super) input: Rc<Input>,
    /// The files that its descriptors are open on.
    pub(super) open_files: OpenFiles,
    /// The commands whose output, changed or not, reaches what it executes as code: a script on standard input, the
    /// text of `eval` or `-c`, a file that the text wrote before.
    pub code_from: Vec<CommandId>,
    /// The commands whose output, changed or not, is in its words (`curl -d "$(cat x)"`).
    pub words_from: Vec<CommandId>,
    /// What its program does that it was given as code, where that is read.
    pub(super) code: Option<Rc<CodeRead>>,
    /// Its place in the text of the call, in bytes, from its first word to its last; none in nested texts. The body of
    /// a loop or function is the place of as many commands as it is gone through.
    pub span: Option<Range<usize>>,
    /// How its program reads the words, once it was asked.
    pub(super) memo: Memo,
}

impl Simple {
    /// Returns the words as the program reads them. Whoever changes them has to do so before the first time, or on a
    /// copy.
    #[must_use]
    pub fn argv(&self) -> Argv<'_> {
        self.memo.argv(&self.words)
    }

    /// Returns the words as the program reads them by its record, where these programs have it.
    #[must_use]
    pub fn argv_with(&self, programs: &Programs) -> Argv<'_> {
        self.memo.argv_with(&self.words, programs)
    }

    /// Makes a command that stands alone: nothing runs it, and nothing flows into it or out of it.
    pub(super) fn alone(words: Vec<Word>, cwd: Directory) -> Self {
        Self::with_input(words, cwd, Rc::default())
    }

    /// As [`Simple::alone`], with something on its standard input.
    pub(super) fn with_input(words: Vec<Word>, cwd: Directory, input: Rc<Input>) -> Self {
        Self {
            words,
            assignments: Vec::new(),
            redirects: Vec::new(),
            via: Vec::new(),
            doubt: None,
            scope: Scope::Local,
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
            memo: Memo::default(),
        }
    }
}

/// What code does that an interpreter was given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct CodeRead {
    /// What it does by itself, each as the command that does the same: `shutil.rmtree("x")` is `rm -rf -- x`.
    pub acts: Vec<Vec<Word>>,
    /// The URLs that it asks for something, or sends something to.
    pub fetched: Vec<Word>,
    /// What it downloads and runs, as the commands that download it.
    pub downloads: Vec<Vec<Word>>,
    /// All of it is read: nothing else happens.
    pub is_whole: bool,
    /// It is code of its language from start to end.
    pub is_parsed: bool,
}

impl Simple {
    /// Tells whether code that the command was given is read to the end.
    #[must_use]
    pub fn has_read_code(&self) -> bool {
        self.code.as_ref().is_some_and(|code| code.is_whole)
    }

    /// Tells whether code that the command was given does something to files by itself.
    #[must_use]
    pub fn has_acting_code(&self) -> bool {
        self.code.as_ref().is_some_and(|code| !code.acts.is_empty())
    }

    /// Returns the URLs that its code asks for something, or sends something to.
    pub(super) fn fetched(&self) -> &[Word] {
        self.code.as_ref().map(|code| code.fetched.as_slice()).unwrap_or_default()
    }

    /// Returns the commands that would download what its code downloads and runs: `exec(urlopen("URL").read())` runs what
    /// `curl URL` prints.
    #[must_use]
    pub fn downloads_that_run(&self) -> Vec<Self> {
        let downloads = self.code.iter().flat_map(|code| &code.downloads);
        downloads.map(|words| Self::alone(words.clone(), self.cwd.clone())).collect()
    }
}

/// Returns what a variable of an environment is set to: the last assignment of its name counts.
pub(super) fn value_in<'e>(environment: &'e [Assignment], name: &str) -> Option<&'e Word> {
    environment.iter().rfind(|one| one.name == name)?.value.as_ref()
}

/// What a process has in its environment beside what the text says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Inherited {
    /// Whatever whoever started the shell has.
    #[default]
    Unseen,
    /// Nothing: `env -i`.
    Nothing,
}

/// `NAME=value`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assignment {
    /// The name.
    pub name: String,
    /// The value; none where it is removed (`env -u`, `unset`).
    pub value: Option<Word>,
}

/// A redirection of a file or of text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Redirect {
    /// What it does.
    pub kind: RedirectKind,
    /// The file, or the text. All commands of a group share it.
    pub target: Rc<Word>,
    /// The file that is opened where the target is the name of a descriptor.
    pub(super) opened: Option<Rc<OpenFile>>,
}

/// The kinds of redirections. Those that only join descriptors (`2>&1`) are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RedirectKind {
    /// `<`
    Read,
    /// `>`, `>|`, `&>`, `>>`: the file is made or changed.
    Write,
    /// `<>`
    ReadWrite,
    /// `<<`, `<<<`: the text itself.
    Text,
}

/// On which machine a command runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Scope {
    /// On this one, on its files.
    Local,
    /// In a container or another file system.
    Container,
    /// On another machine.
    Remote,
}

/// What may run and is not seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opaque {
    /// Why.
    pub why: Unknown,
    /// What it says, where that is known: code in another language, text behind a syntax error. Only the words in it
    /// can be meant. None: it may be any command.
    pub text: Option<String>,
    /// The command that runs it, if one does.
    pub by: Option<CommandId>,
    /// Where it would run.
    pub scope: Scope,
}

impl Opaque {
    /// What there is beyond all that is looked at.
    pub(super) fn too_long() -> Self {
        Self { why: Unknown::new(Cause::Long, ""), text: None, by: None, scope: Scope::Local }
    }
}
