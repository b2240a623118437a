//! Commands that send signals to this program's processes, or to the host that calls its hooks.

use super::{Certainty, CommandThreat};
use crate::context::{Context, PathForm, ShellText};
use crate::ruleset::{FactName, ValueReference};
use hookrules_shell::Word;
use hookrules_shell::analysis::SimpleCommand;
use hookrules_shell::argv::Argv;
use hookrules_shell::word::{ValueSource as Origin, WordPart};
use regex::RegexBuilder;

/// The programs that list or filter processes, except `pgrep`, `pidof` and [`GREPS`]: a name in their arguments shows
/// which process they search for.
const FINDERS: &[&str] = &["ps", "awk", "gawk", "mawk", "lsof", "fuser"];
/// The programs that filter the lines of a list of processes by a pattern: `ps | grep claude`.
const GREPS: &[&str] = &["grep", "egrep", "fgrep", "rg"];

/// The names of this program's processes and of the hosts that start them.
const PROCESS_NAMES: &[&str] = &["rules", "hookrules", "claude", "codex"];
/// The command lines of this program's processes and of the hosts that start them. Patterns are compared with these.
const COMMAND_LINES: &[&str] = &["rules hook claude-code", "hookrules hook claude-code", "claude", "codex"];
/// Further words that refer to the host's process, such as a variable with its process ID.
const HOST_WORDS: &[&str] = &["claude-code", "ppid"];

/// The variables, besides `PPID`, that hold the process ID of the hooks' caller.
const PARENT_VARIABLES: &[&str] = &["CLAUDE_PID"];

/// The options of `pkill` and `killall` that select processes by something other than a name.
const SELECTING_OPTIONS: &[&str] = &[
    "--euid",
    "--uid",
    "--user",
    "--pgroup",
    "--group",
    "--session",
    "--terminal",
    "--runstates",
    "--cgroup",
    "--context",
];

/// The length of the longest pattern that is compiled, in bytes.
const MAX_PATTERN_BYTES: usize = 1000;
/// The maximum size of a compiled pattern, in bytes.
const MAX_COMPILED_BYTES: usize = 1 << 20;

/// Returns the threat of a command that may send a signal; `None` if there is no sign that the signal reaches the host
/// or this program.
pub(super) fn judge(
    context: &Context<'_>,
    shell: &ShellText,
    command: &SimpleCommand,
    name: &str,
) -> Option<(CommandThreat, Certainty)> {
    let signal = SignalCommand { name, command, args: command.words.get(1..).unwrap_or_default() };
    if signal.is_query() {
        return None;
    }
    if signal.names_guarding_process() || signal.is_for_host(context) || signal.is_for_all() {
        return Some((CommandThreat::Signal, Certainty::Certain));
    }
    // If the process ID is unknown, another command in the text searched for it: `kill $(pgrep claude)`.
    let has_unknown_target = signal.unknown().next().is_some() || !command.outer_commands.is_empty();
    (has_unknown_target && shell.analysis.commands.iter().any(is_searching_for_us))
        .then_some((CommandThreat::Signal, Certainty::Maybe))
}

/// A command that sends a signal.
struct SignalCommand<'c> {
    /// The name of the program, such as `pkill`.
    name: &'c str,
    command: &'c SimpleCommand,
    /// The words after the program.
    args: &'c [Word],
}

impl<'c> SignalCommand<'c> {
    fn known(&self) -> impl Iterator<Item = &'c str> {
        self.args.iter().filter_map(Word::known_text)
    }

    /// Returns the origins of the unknown parts of the arguments.
    fn unknown(&self) -> impl Iterator<Item = &'c Origin> {
        self.args.iter().flat_map(|word| &word.parts).filter_map(|part| match part {
            WordPart::Unknown(unknown) => Some(&unknown.reason.source),
            _ => None,
        })
    }

    /// Whether the command sends nothing: `kill -l`, `kill -0`.
    fn is_query(&self) -> bool {
        let is_list = |word: &str| matches!(word, "-l" | "-L" | "--list" | "--table");
        self.known().any(|word| word == "-0" || self.name == "kill" && is_list(word))
    }

    /// Whether the command selects processes by a name that the host or this program has.
    fn names_guarding_process(&self) -> bool {
        match self.name {
            "kill" => false,
            "pkill" => is_selecting_us(&self.command.argv(), ProcessSelection::Pattern),
            "killall" => is_selecting_us(&self.command.argv(), ProcessSelection::Name),
            _ => self.known().any(is_name),
        }
    }

    /// Whether the command names the process ID of a process of the host, or of its process group.
    fn is_for_host(&self, context: &Context<'_>) -> bool {
        // A negative number after the signal is a process group; its ID is that of the process that created it.
        let groups = self.known().skip(1).filter_map(pid).filter_map(i64::checked_neg);
        let mut numbers = self.known().filter_map(pid).chain(groups).filter(|pid| *pid > 1).peekable();
        if numbers.peek().is_none() {
            return false;
        }
        let hosts = context.lookup(&ValueReference::Fact(FactName::HostPids), PathForm::Lexical).unwrap_or_default();
        let hosts: Vec<i64> = hosts.iter().filter_map(|value| pid(value.as_text()?)).collect();
        numbers.any(|number| hosts.contains(&number))
    }

    /// Whether the command signals every process that it may signal (`-1` after the signal), its whole process group
    /// (`0`), or its parent.
    fn is_for_all(&self) -> bool {
        let is_everyone = self.args.iter().skip(1).any(|word| word.known_text().and_then(pid) == Some(-1));
        let is_parent = |origin: &Origin| match origin {
            Origin::Parent => true,
            Origin::Variable(name) => PARENT_VARIABLES.contains(&&**name),
            _ => false,
        };
        is_everyone || self.name == "kill" && self.is_for_group() || self.unknown().any(is_parent)
    }

    /// Whether the command signals process 0, which means its whole process group: a zero among its arguments is not
    /// the number of a signal, and the signal that it sends is not 0, which only tests.
    fn is_for_group(&self) -> bool {
        let is_option = |word: Option<&str>| matches!(word, Some("-s" | "-n" | "--signal"));
        let is_signal = |at: usize| {
            let before = at.checked_sub(1).and_then(|at| self.args.get(at));
            is_option(before.and_then(Word::known_text))
        };
        let mut zeros = self.args.iter().enumerate().filter(|(_, word)| word.known_text().and_then(pid) == Some(0));
        let sends_nothing = self.known().any(|word| word == "-s0" || word == "-n0")
            || self.args.windows(2).any(|pair| match pair {
                [option, value] => is_option(option.known_text()) && value.known_text() == Some("0"),
                _ => false,
            });
        zeros.any(|(at, _)| !is_signal(at)) && !sends_nothing
    }
}

/// Parses a process ID, or a negative process group, as `kill` does: in decimal, with blanks around it.
fn pid(word: &str) -> Option<i64> {
    word.trim().parse().ok()
}

/// Whether a command searches for a process of the host or of this program.
fn is_searching_for_us(command: &SimpleCommand) -> bool {
    let argv = command.argv();
    let Some(name) = argv.name else { return false };
    let args = command.words.get(1..).unwrap_or_default();
    let mut known = args.iter().filter_map(Word::known_text);
    match name {
        "pgrep" => is_selecting_us(&argv, ProcessSelection::Pattern),
        "pidof" => is_selecting_us(&argv, ProcessSelection::Name),
        name if GREPS.contains(&name) => {
            let folds = known.clone().any(|word| is_flag(word, 'i'));
            let is_pattern = |word: &&str| !word.starts_with('-') && !word.contains('/') && *word != ".";
            // A pattern that also matches the empty text searches for no process in particular.
            let mut patterns = known.filter(is_pattern).filter(|pattern| !is_any_match(pattern, folds, false, &[""]));
            patterns.any(|pattern| is_any_match(pattern, folds, false, COMMAND_LINES))
        }
        name if FINDERS.contains(&name) => known.any(is_name),
        _ => false,
    }
}

/// How a program compares its operands with the names of processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ProcessSelection {
    /// Each operand is a name, or with `-r` a regex.
    Name,
    /// Each operand is a regex.
    Pattern,
}

/// Whether a command such as `pkill` selects a process of the host or of this program.
fn is_selecting_us(argv: &Argv<'_>, by: ProcessSelection) -> bool {
    let operands: Vec<&str> = argv.operands.iter().filter_map(|word| word.known_text()).collect();
    if operands.is_empty() {
        // Without a name, another option has to select: `pkill --user x` selects all processes of a user.
        let chooses = SELECTING_OPTIONS.iter().any(|name| argv.options_named(name).next().is_some());
        return chooses && argv.words.iter().skip(1).all(|word| word.known_text().is_some());
    }
    // The record parses no clusters of short options and no abbreviated long ones for these programs, because their
    // first argument may be a signal. So those are recognised here.
    let has = |short: char, long: &str| {
        let is_it = |name: &str| is_flag(name, short) || name.len() > 2 && long.starts_with(name);
        argv.options_named(long).next().is_some()
            || argv.options.iter().any(|given| given.option.is_none() && is_it(&given.name))
    };
    match by {
        ProcessSelection::Pattern => {
            let (folds, is_exact) = (has('i', "--ignore-case"), has('x', "--exact"));
            let texts = if has('f', "--full") { COMMAND_LINES } else { PROCESS_NAMES };
            has('v', "--inverse") || operands.iter().any(|pattern| is_any_match(pattern, folds, is_exact, texts))
        }
        ProcessSelection::Name => {
            let folds = has('I', "--ignore-case");
            let is_regex = has('r', "--regexp") || has('m', "-m");
            operands.iter().any(|operand| {
                let name = operand.rsplit('/').next().unwrap_or(operand);
                let is_it = |own: &str| if folds { own.eq_ignore_ascii_case(name) } else { own == name };
                if is_regex {
                    is_any_match(operand, folds, false, PROCESS_NAMES)
                } else {
                    PROCESS_NAMES.iter().any(|own| is_it(own))
                }
            })
        }
    }
}

/// Whether a word is a cluster of short options that contains a letter: `-if` has `i`. A signal such as `-HUP` is not a
/// cluster.
fn is_flag(word: &str, letter: char) -> bool {
    let Some(cluster) = word.strip_prefix('-') else { return false };
    let is_cluster = cluster.chars().filter(char::is_ascii_uppercase).count() < 2;
    is_cluster && !cluster.starts_with('-') && cluster.contains(letter)
}

/// Whether a regex matches one of the texts. If it is invalid or too large, its words are compared with
/// [`PROCESS_NAMES`] instead.
fn is_any_match(pattern: &str, folds: bool, is_exact: bool, texts: &[&str]) -> bool {
    let whole = if is_exact { format!("^(?:{pattern})$") } else { pattern.to_owned() };
    let regex = (pattern.len() <= MAX_PATTERN_BYTES)
        .then(|| RegexBuilder::new(&whole).case_insensitive(folds).size_limit(MAX_COMPILED_BYTES).build().ok())
        .flatten();
    match regex {
        Some(regex) => texts.iter().any(|text| regex.is_match(text)),
        None => is_name(pattern),
    }
}

/// Whether one of the words of a text refers to a process of the host or of this program.
pub(super) fn is_name(text: &str) -> bool {
    let is_separator = |c: char| !c.is_alphanumeric() && c != '-' && c != '_';
    text.split(is_separator).any(|word| PROCESS_NAMES.contains(&word) || HOST_WORDS.contains(&word))
}
