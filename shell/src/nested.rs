//! The commands that a command runs: `sudo`, `xargs`, `sh -c`, `ssh`, `eval`, `git submodule foreach`.
//!
//! One level only; the caller recurses. The records list a program's options and which of its words it runs; functions
//! here handle what data cannot express. Nothing is known here about pipes, files or earlier commands.
//!
//! ```
//! use hookrules_shell::Word;
//! use hookrules_shell::nested::{What, nested};
//!
//! let found = nested(&["sudo", "-u", "deploy", "rm", "x"].map(Word::text));
//! let What::Argv(words) = &found[0].what else { panic!() };
//! assert_eq!(words[0].known(), Some("rm"));
//! ```

pub(crate) mod awk;
mod call;
mod chroot;
mod code;
mod configured;
mod containers_and_remote;
mod databases;
mod environment;
mod git;
mod loader;
mod make;
mod placeholders;
mod powershell;
mod repeaters;
mod runner;
mod runners;
pub(crate) mod sed;
mod shells;
mod terminals;
mod tools;
mod words;
mod wrappers;

pub use awk::{AwkCommands, awk_commands};
pub use environment::{by_environment, is_run_variable};
pub(crate) use runner::from_input;
pub use runner::{is_wrapper, reads_statements};

use call::Call;
pub(crate) use configured::{configurations, configured};
pub(crate) use shells::{Sign, dialects_of, has_letter, option_name};

use crate::analysis::{Assignment, Inherited, Scope, Simple};
use crate::dialect::{Dialects, Language};
use crate::word::{Unknown, Word};

/// A command or a text that another command runs.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Nested {
    /// What is run.
    pub what: What,
    /// How its setting differs from that of the outer command.
    pub setting: Setting,
    /// Why something else may run, or nothing: `$OPTIONS` in `timeout $OPTIONS 5 rm x` is an option or the time. `None`
    /// if it is certain.
    pub doubt: Option<Unknown>,
}

/// What is run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
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
    Foreign(Code),
}

/// The source of code in another language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Code {
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
pub struct Setting {
    /// Where it runs, if elsewhere.
    pub scope: Option<Scope>,
    /// The directory in which it runs; an unknown part if that is not known.
    pub directory: Option<Word>,
    /// Variables that are set or removed.
    pub environment: Vec<Assignment>,
    /// The rest of its environment.
    pub(crate) inherited: Inherited,
    /// Whether it runs more than once.
    pub repeats: bool,
    /// Whether it runs in the background.
    pub in_background: bool,
    /// Whether the descriptors above standard error are closed before it starts.
    pub(crate) closes_files: bool,
    /// Whether it runs in the same process, so that its variables persist (`eval`, `.`, `command`, `builtin`).
    pub in_this_shell: bool,
    /// The shell that reads the script; empty if it may be any.
    pub(crate) reader: Dialects,
    /// The names of the shell options with which it starts.
    pub(crate) options: Vec<(String, Sign)>,
    /// The language of the script.
    pub(crate) language: Language,
}

/// How many unknown words of a command are removed in turn to parse it without them.
const GUESSES: usize = 4;

/// Returns what a command runs, in the order of its words.
///
/// If words of the outer command are not known, what it may run in addition comes last, with its doubt.
#[must_use]
pub fn nested(words: &[Word]) -> Vec<Nested> {
    within(&Call::new(words), GUESSES)
}

/// As [`nested`], for a command whose words are parsed once for all callers.
pub(super) fn nested_in(command: &Simple) -> Vec<Nested> {
    within(&Call::of(command), GUESSES)
}

fn within(call: &Call<'_>, guesses: usize) -> Vec<Nested> {
    if call.program().is_none() {
        if call.words.first().is_some_and(Word::is_shell) {
            return shells::any(call.words);
        }
        return unnamed(call.words);
    }
    let Some(runner) = runner::find(call) else {
        return loader::runs(call);
    };
    let mut found = runner.runs(call);
    if let Some((without, why)) = guesses.checked_sub(1).and_then(|_| call.without_doubtful(runner.own())) {
        let certain = |other: &Nested| found.iter().any(|inner| inner.what == other.what);
        let possible: Vec<Nested> = within(&Call::new(&without), guesses - 1)
            .into_iter()
            .filter(|inner| inner.can_run() && !certain(inner))
            .map(|inner| Nested { doubt: Some(why.clone()), ..inner })
            .collect();
        found.extend(possible);
    }
    found
}

/// Returns what a program of unknown name may run: the name may be a wrapper's, or no word at all (`$SUDO rm x`).
fn unnamed(words: &[Word]) -> Vec<Nested> {
    let Some(why) = words.first().and_then(Word::why) else {
        return Vec::new();
    };
    let is_own = |word: &&Word| word.prefix().starts_with('-') || words::assignment(word).is_some();
    let behind = words.get(1..).unwrap_or_default();
    let own = behind.iter().take_while(is_own).count();
    let last = own.checked_sub(1).and_then(|last| behind.get(last));
    // The last option may take the next word as its value.
    let takes = |word: &Word| word.prefix().starts_with('-') && word.known() != Some("--");
    let starts = [Some(own), last.is_some_and(takes).then_some(own + 1)];
    let possible = |from: usize| behind.get(from..).filter(|words| words.first().is_some_and(words::may_be_program));
    let found = starts.into_iter().flatten().filter_map(possible);
    found.map(|words| Nested { doubt: Some(why.clone()), ..Nested::from(What::Argv(words.to_vec())) }).collect()
}

impl Nested {
    /// Whether it can be a program: no program's name begins with a dash.
    fn can_run(&self) -> bool {
        match &self.what {
            What::Argv(words) => words.first().is_some_and(words::may_be_program),
            _ => true,
        }
    }

    fn with(what: What, setting: &Setting) -> Self {
        Self { what, setting: setting.clone(), doubt: None }
    }
}

/// Returns words as a program with its arguments, if there are any.
fn argv(words: &[Word], setting: &Setting) -> Vec<Nested> {
    What::argv(words).map(|what| Nested::with(what, setting)).into_iter().collect()
}

/// Returns the nested script of a text.
fn script(text: Word, setting: &Setting) -> Nested {
    Nested::with(What::script(text), setting)
}

/// Returns a nested shell that reads its standard input.
fn shell(setting: &Setting) -> Vec<Nested> {
    vec![Nested::with(What::Input(Vec::new()), setting)]
}

impl From<What> for Nested {
    fn from(what: What) -> Self {
        Self { what, setting: Setting::default(), doubt: None }
    }
}

impl What {
    /// A shell script without arguments.
    fn script(text: Word) -> Self {
        Self::Script(text, Vec::new())
    }

    /// A program with its arguments, if there is one.
    fn argv(words: &[Word]) -> Option<Self> {
        if words.is_empty() { None } else { Some(Self::Argv(words.to_vec())) }
    }

    fn foreign(text: Word) -> Self {
        Self::Foreign(Code::Text(text))
    }
}

#[cfg(test)]
mod tests;
