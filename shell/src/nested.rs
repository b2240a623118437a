//! The commands that a command runs: `sudo`, `xargs`, `sh -c`, `ssh`, `eval`, `git submodule foreach`.
//!
//! One level only; the caller recurses. The records list a program's options and which of its words it runs; functions
//! here handle what data cannot express. Nothing is known here about pipes, files or earlier commands.
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
mod code;
mod configured;
mod containers_and_remote;
mod databases;
mod git;
mod loader;
mod make;
mod placeholders;
mod powershell;
mod repeaters;
mod run_variables;
mod runner;
mod runners;
pub(crate) mod sed;
mod shells;
mod terminals;
mod tools;
mod words;
mod wrappers;

pub use awk::{AwkCommands, awk_commands};
pub use run_variables::{environment_commands, is_run_variable};
pub(crate) use runner::nested_from_input;
pub use runner::{is_wrapper, reads_statements};

use call::OuterCommand;
pub(crate) use configured::{configurations, configured_command};
pub(crate) use shells::{OptionSign, dialects_of, has_letter, option_name};

use crate::analysis::{Assignment, CommandScope, InheritedEnvironment, SimpleCommand};
use crate::dialect::{DialectSet, ScriptLanguage};
use crate::word::{Unknown, Word};

/// A command or a text that another command runs.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct NestedCommand {
    /// What is run.
    pub runnable: Runnable,
    /// How its setting differs from that of the outer command.
    pub setting: NestedSetting,
    /// Why something else may run, or nothing: `$OPTIONS` in `timeout $OPTIONS 5 rm x` is an option or the time. `None`
    /// if it is certain.
    pub doubt: Option<Unknown>,
}

/// What is run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Runnable {
    /// These words, as a program with its arguments. An unknown part that splits is a placeholder for further words
    /// (`xargs`, `{}`).
    Argv(Vec<Word>),
    /// This text, read by bash or a similar shell, and its `$0`, `$1`, ….
    Script(Word, Vec<Word>),
    /// The text on standard input, read by bash or a similar shell, and its `$1`, `$2`, ….
    Input(Vec<Word>),
    /// A file, read by bash or a similar shell.
    File(Word),
    /// Code in a language that is not parsed: the text if it is among the words, else standard input or the file.
    Foreign(CodeSource),
}

/// The source of code in another language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CodeSource {
    /// It is among the words.
    Text(Word),
    /// Standard input.
    Input,
    /// A file.
    File(Word),
}

/// The differences from the setting of the outer command.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct NestedSetting {
    /// Where it runs, if elsewhere.
    pub scope: Option<CommandScope>,
    /// The directory in which it runs; an unknown part if that is not known.
    pub directory: Option<Word>,
    /// Variables that are set or removed.
    pub environment: Vec<Assignment>,
    /// The rest of its environment.
    pub(crate) inherited: InheritedEnvironment,
    /// Whether it runs more than once.
    pub repeats: bool,
    /// Whether it runs in the background.
    pub in_background: bool,
    /// Whether the descriptors above standard error are closed before it starts.
    pub(crate) closes_files: bool,
    /// Whether it runs in the same process, so that its variables persist (`eval`, `.`, `command`, `builtin`).
    pub in_this_shell: bool,
    /// The shell that reads the script; empty if it may be any.
    pub(crate) reader: DialectSet,
    /// The names of the shell options with which it starts.
    pub(crate) options: Vec<(String, OptionSign)>,
    /// The language of the script.
    pub(crate) language: ScriptLanguage,
}

/// How many unknown words of a command are removed in turn to parse it without them.
const GUESSES: usize = 4;

/// Returns what a command runs, in the order of its words.
///
/// If words of the outer command are not known, what it may run in addition comes last, with its doubt.
#[must_use]
pub fn nested(words: &[Word]) -> Vec<NestedCommand> {
    find_nested(&OuterCommand::new(words), GUESSES)
}

/// As [`nested`], for a command whose words are parsed once for all callers.
pub(super) fn commands_nested_in(command: &SimpleCommand) -> Vec<NestedCommand> {
    find_nested(&OuterCommand::from_command(command), GUESSES)
}

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
    if let Some((without, why)) =
        guesses.checked_sub(1).and_then(|_| call.without_uncertain_word(runner.own_operands()))
    {
        let certain = |other: &NestedCommand| found.iter().any(|inner| inner.runnable == other.runnable);
        let possible: Vec<NestedCommand> = find_nested(&OuterCommand::new(&without), guesses - 1)
            .into_iter()
            .filter(|inner| inner.is_runnable() && !certain(inner))
            .map(|inner| NestedCommand { doubt: Some(why.clone()), ..inner })
            .collect();
        found.extend(possible);
    }
    found
}

/// Returns what a program of unknown name may run: the name may be a wrapper's, or no word at all (`$SUDO rm x`).
fn nested_of_unnamed(words: &[Word]) -> Vec<NestedCommand> {
    let Some(why) = words.first().and_then(Word::unknown_reason) else {
        return Vec::new();
    };
    let is_own = |word: &&Word| word.prefix().starts_with('-') || words::assignment(word).is_some();
    let behind = words.get(1..).unwrap_or_default();
    let own = behind.iter().take_while(is_own).count();
    let last = own.checked_sub(1).and_then(|last| behind.get(last));
    // The last option may take the next word as its value.
    let takes = |word: &Word| word.prefix().starts_with('-') && word.known_text() != Some("--");
    let starts = [Some(own), last.is_some_and(takes).then_some(own + 1)];
    let possible = |from: usize| behind.get(from..).filter(|words| words.first().is_some_and(words::may_be_program));
    let found = starts.into_iter().flatten().filter_map(possible);
    found
        .map(|words| NestedCommand { doubt: Some(why.clone()), ..NestedCommand::from(Runnable::Argv(words.to_vec())) })
        .collect()
}

impl NestedCommand {
    /// Whether it can be a program: no program's name begins with a dash.
    fn is_runnable(&self) -> bool {
        match &self.runnable {
            Runnable::Argv(words) => words.first().is_some_and(words::may_be_program),
            _ => true,
        }
    }

    fn new(what: Runnable, setting: &NestedSetting) -> Self {
        Self { runnable: what, setting: setting.clone(), doubt: None }
    }
}

/// Returns words as a program with its arguments, if there are any.
fn argv(words: &[Word], setting: &NestedSetting) -> Vec<NestedCommand> {
    Runnable::argv(words).map(|what| NestedCommand::new(what, setting)).into_iter().collect()
}

/// Returns the nested script of a text.
fn script(text: Word, setting: &NestedSetting) -> NestedCommand {
    NestedCommand::new(Runnable::script(text), setting)
}

/// Returns a nested shell that reads its standard input.
fn shell(setting: &NestedSetting) -> Vec<NestedCommand> {
    vec![NestedCommand::new(Runnable::Input(Vec::new()), setting)]
}

impl From<Runnable> for NestedCommand {
    fn from(what: Runnable) -> Self {
        Self { runnable: what, setting: NestedSetting::default(), doubt: None }
    }
}

impl Runnable {
    /// A shell script without arguments.
    fn script(text: Word) -> Self {
        Self::Script(text, Vec::new())
    }

    /// A program with its arguments, if there is one.
    fn argv(words: &[Word]) -> Option<Self> {
        if words.is_empty() { None } else { Some(Self::Argv(words.to_vec())) }
    }

    fn foreign(text: Word) -> Self {
        Self::Foreign(CodeSource::Text(text))
    }
}

#[cfg(test)]
mod tests;
