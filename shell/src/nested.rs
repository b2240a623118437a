//! The commands that a command runs: `sudo`, `xargs`, `sh -c`, `ssh`, `eval`, `git submodule foreach`.
//!
//! Only one level is found; the caller recurses. The records list a program's options and which of its words it runs;
//! functions here handle what data cannot express. This module knows nothing about pipes, files or earlier commands.
//!
//! ```
//! use hookrules_shell::Word;
//! use hookrules_shell::nested::{Runnable, nested};
//!
//! let found = nested(&["sudo", "-u", "deploy", "rm", "x"].map(Word::text));
//! let Runnable::Argv(words) = &found[0].runnable else { panic!() };
//! assert_eq!(words[0].known_text(), Some("rm"));
//! ```

pub(crate) mod awk;
mod call;
mod chroot;
mod cloud_commands;
mod code;
mod configured;
mod containers_and_remote;
mod databases;
mod debuggers;
mod editors;
mod forwarders;
mod git;
mod input_words;
mod loader;
mod make;
mod packages;
mod placeholders;
mod powershell;
mod repeaters;
mod run_variables;
mod runner;
mod runners;
pub(crate) mod sed;
mod settings;
mod shells;
mod terminals;
mod tools;
mod words;
mod wrappers;

pub use awk::{AwkCommands, awk_commands};
pub(crate) use git::with_git_settings;
pub(crate) use packages::{json_members, json_text, package_stages};
pub(crate) use run_variables::matches_any;
pub use run_variables::{environment_commands, is_run_variable};
pub(crate) use runner::{SharedFiles, called_as, shared_files};
pub use runner::{goes_on_in_background, is_wrapper, reads_statements};
pub(crate) use runner::{loaded_by_convention, nested_from_input};
pub(crate) use runners::installed_program;
pub(crate) use words::{join, ssh_setting};

use call::OuterCommand;
pub(crate) use configured::{configurations, configured_command};
pub(crate) use shells::{OptionSign, dialects_of, has_letter, option_name};

use crate::analysis::{Assignment, CommandScope, InheritedEnvironment, SimpleCommand};
use crate::dialect::{DialectSet, ScriptLanguage};
use crate::word::{Unknown, Word};

/// A command or a script that another command runs.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct NestedCommand {
    /// The words or the code that is run.
    pub runnable: Runnable,
    /// How the setting in which it runs (directory, variables, machine) differs from that of the outer command.
    pub setting: NestedSetting,
    /// Why this command may not be run: in `timeout $OPTIONS 5 rm x`, `$OPTIONS` may be an option or the time. `None`
    /// if it is certainly run.
    pub doubt: Option<Unknown>,
}

/// The words or the code that a command runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Runnable {
    /// A program with its arguments. An unknown part that may split represents further words, such as the input that
    /// `xargs` appends.
    Argv(Vec<Word>),
    /// A text that bash or a similar shell reads, and its `$0`, `$1`, …: `sh -c TEXT NAME ARGUMENT`.
    Script(Word, Vec<Word>),
    /// The text on standard input, which bash or a similar shell reads, and its `$1`, `$2`, …: `sh -s ARGUMENT`.
    Input(Vec<Word>),
    /// A file that bash or a similar shell reads: `sh FILE`.
    File(Word),
    /// Code in another language: `python -c CODE`.
    Foreign(CodeSource),
}

/// The location of code in another language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CodeSource {
    /// The code itself, which is one of the words of the command: `python -c CODE`.
    Text(Word),
    /// The text on standard input.
    Input,
    /// A file with the code.
    File(Word),
}

impl CodeSource {
    /// Returns the code that an operand names, where `-` is standard input.
    pub(crate) fn of_operand(word: &Word) -> Self {
        match word.known_text() {
            Some("-") => Self::Input,
            _ => Self::File(word.clone()),
        }
    }
}

/// The differences between the setting of a command and that of the outer command that runs it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct NestedSetting {
    /// Where the command runs, if not where the outer command does: on another machine, in a container.
    pub scope: Option<CommandScope>,
    /// The directory in which the command runs, an unknown part if it is not known; `None` if it is that of the outer
    /// command.
    pub directory: Option<Word>,
    /// The variables that the outer command sets or removes.
    pub environment: Vec<Assignment>,
    /// Which other variables of the environment the command inherits.
    pub(crate) inherited: InheritedEnvironment,
    /// Whether the project may define a task of this name, which runs instead of the program: `pnpm prisma`.
    pub may_be_task: bool,
    /// Whether the command may run more than once.
    pub repeats: bool,
    /// Whether words of the command come from the standard input of the outer command, which the command itself then
    /// does not read.
    pub(crate) takes_input_words: bool,
    /// Whether the command runs in the background.
    pub in_background: bool,
    /// Whether the command runs in the directory of the outer command although it runs in another place, because that
    /// directory is there too.
    pub(crate) shares_directory: bool,
    /// Whether the descriptors above standard error are closed before the command starts, as `sudo` does.
    pub(crate) closes_files: bool,
    /// Whether the command runs in the process of the shell, so that its variables persist (`eval`, `.`, `command`,
    /// `builtin`).
    pub in_this_shell: bool,
    /// The shells that may read the script; empty if the outer command does not determine them.
    pub(crate) reader: DialectSet,
    /// The names of the shell options with which the shell starts, and whether each is set or unset.
    pub(crate) options: Vec<(String, OptionSign)>,
    /// The language of the script: that of bash, fish, PowerShell or cmd.
    pub(crate) language: ScriptLanguage,
}

/// The maximum number of uncertain words of a command that are left out, one after the other, to parse the command as
/// if they were absent.
const GUESSES: usize = 4;

/// Returns what a command runs, in the order of its words.
///
/// If words of the command are uncertain, the commands that may be run in addition come last, each with its doubt.
#[must_use]
pub fn nested(words: &[Word]) -> Vec<NestedCommand> {
    find_nested(&OuterCommand::new(words), GUESSES)
}

/// Like [`nested`], for a command whose words may already be parsed.
pub(super) fn commands_nested_in(command: &SimpleCommand) -> Vec<NestedCommand> {
    find_nested(&OuterCommand::from_command(command), GUESSES)
}

/// Returns what a command runs. Up to `guesses` uncertain words are left out in turn.
fn find_nested(call: &OuterCommand<'_>, guesses: usize) -> Vec<NestedCommand> {
    if call.program().is_none() {
        if call.words.first().is_some_and(Word::is_shell) {
            return shells::any_shell(call.words);
        }
        return nested_of_unnamed(call.words);
    }
    let Some(runner) = runner::find(call) else {
        return loader::runs(call);
    };
    let mut found = runner.runs(call);
    if let Some((other_words, why)) =
        guesses.checked_sub(1).and_then(|_| call.without_uncertain_word(runner.own_operands()))
    {
        let is_certain = |other: &NestedCommand| found.iter().any(|inner| inner.runnable == other.runnable);
        let possible: Vec<NestedCommand> = find_nested(&OuterCommand::new(&other_words), guesses - 1)
            .into_iter()
            .filter(|inner| inner.is_runnable() && !is_certain(inner))
            .map(|inner| NestedCommand { doubt: Some(why.clone()), ..inner })
            .collect();
        found.extend(possible);
    }
    found
}

/// Returns what a program with an unknown name may run: the name may be that of a wrapper, or no word at all
/// (`$SUDO rm x`).
fn nested_of_unnamed(words: &[Word]) -> Vec<NestedCommand> {
    let Some(why) = words.first().and_then(Word::unknown_reason) else {
        return Vec::new();
    };
    let is_option_or_assignment = |word: &&Word| word.prefix().starts_with('-') || words::assignment(word).is_some();
    let after_name = words.get(1..).unwrap_or_default();
    let option_count = after_name.iter().take_while(is_option_or_assignment).count();
    let last = option_count.checked_sub(1).and_then(|last| after_name.get(last));
    // The last option may take the next word as its value.
    let may_take_value = |word: &Word| word.prefix().starts_with('-') && word.known_text() != Some("--");
    let possible_starts = [Some(option_count), last.is_some_and(may_take_value).then_some(option_count + 1)];
    let possible =
        |from: usize| after_name.get(from..).filter(|words| words.first().is_some_and(words::may_be_program));
    let found = possible_starts.into_iter().flatten().filter_map(possible);
    found
        .map(|words| NestedCommand { doubt: Some(why.clone()), ..NestedCommand::from(Runnable::Argv(words.to_vec())) })
        .collect()
}

impl NestedCommand {
    /// Whether the command can be run: the name of a program is not empty and does not begin with a dash.
    fn is_runnable(&self) -> bool {
        match &self.runnable {
            Runnable::Argv(words) => words.first().is_some_and(words::may_be_program),
            _ => true,
        }
    }

    /// Creates a command that certainly runs.
    fn new(what: Runnable, setting: &NestedSetting) -> Self {
        Self { runnable: what, setting: setting.clone(), doubt: None }
    }
}

/// Returns words as a program with its arguments, in a list that is empty if there are no words.
fn argv(words: &[Word], setting: &NestedSetting) -> Vec<NestedCommand> {
    Runnable::argv(words).map(|what| NestedCommand::new(what, setting)).into_iter().collect()
}

/// Returns a program, whose name may have a version behind it (`prisma@5`), with its arguments.
fn versioned_program(name: &Word, arguments: &[Word], setting: &NestedSetting) -> Vec<NestedCommand> {
    let words: Vec<Word> = std::iter::once(words::without_version(name)).chain(arguments.iter().cloned()).collect();
    argv(&words, setting)
}

/// Returns a text as a script for a shell.
fn script(text: Word, setting: &NestedSetting) -> NestedCommand {
    NestedCommand::new(Runnable::script(text), setting)
}

/// Returns a shell that reads commands from its standard input.
fn shell(setting: &NestedSetting) -> Vec<NestedCommand> {
    vec![NestedCommand::new(Runnable::Input(Vec::new()), setting)]
}

impl From<Runnable> for NestedCommand {
    fn from(what: Runnable) -> Self {
        Self { runnable: what, setting: NestedSetting::default(), doubt: None }
    }
}

impl Runnable {
    /// Creates a shell script without arguments.
    fn script(text: Word) -> Self {
        Self::Script(text, Vec::new())
    }

    /// Creates a program with its arguments; `None` if there are no words.
    fn argv(words: &[Word]) -> Option<Self> {
        if words.is_empty() { None } else { Some(Self::Argv(words.to_vec())) }
    }

    /// Creates code in another language from its text.
    fn foreign(text: Word) -> Self {
        Self::Foreign(CodeSource::Text(text))
    }
}

#[cfg(test)]
mod tests;
