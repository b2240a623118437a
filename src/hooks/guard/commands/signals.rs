//! Signals to the processes that guard, and to those that call them.

use super::{Surely, What};
use crate::context::{Context, Form, ShellText};
use crate::ruleset::{FactName, Source};
use hookrules_shell::{Argv, Part, Simple, Source as Origin, Word};
use regex::RegexBuilder;

/// What finds processes for a signal, by words of its arguments; `pgrep`, `pidof` and `grep` aside.
const FINDERS: &[&str] = &["ps", "awk", "gawk", "mawk", "lsof", "fuser"];
const GREPS: &[&str] = &["grep", "egrep", "fgrep", "rg"];

/// The names of the processes that guard, and of those that call them.
const NAMES: &[&str] = &["rules", "hookrules", "claude", "codex"];
/// Their command lines.
const LINES: &[&str] = &["rules hook claude-code", "hookrules hook claude-code", "claude", "codex"];
/// Further words that say which process is meant.
const WORDS: &[&str] = &["claude-code", "ppid"];

/// The variables that hold the number of the process that calls the hooks, `PPID` aside.
const PARENTS: &[&str] = &["CLAUDE_PID"];

/// The options of `pkill` and `killall` that choose processes by something else than a name.
const CHOOSING: &[&str] = &[
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

/// The longest pattern that is compiled, and the size that it may compile to.
const LONGEST: usize = 1000;
const LARGEST: usize = 1 << 20;

/// Judges what a signal goes to.
pub(super) fn judge(context: &Context<'_>, shell: &ShellText, command: &Simple, name: &str) -> Option<(What, Surely)> {
    let args = command.words.get(1..).unwrap_or_default();
    let known = || args.iter().filter_map(Word::known);
    // These only ask.
    let only_asks = |word: &str| word == "-0" || name == "kill" && matches!(word, "-l" | "-L" | "--list" | "--table");
    if known().any(only_asks) {
        return None;
    }
    let is_named = match name {
        "kill" => false,
        "pkill" => finds(&command.argv(), By::Pattern),
        "killall" => finds(&command.argv(), By::Name),
        _ => known().any(is_name),
    };
    if is_named {
        return Some((What::Signal, Surely::Yes));
    }
    let hosts = || {
        let pids = context.lookup(&Source::Fact(FactName::HostPids), Form::Lexical).unwrap_or_default();
        pids.iter().filter_map(|value| pid(value.as_text()?)).collect::<Vec<i64>>()
    };
    // Behind the signal, a number with a dash is a group, which has that of the process that began it.
    let groups = known().skip(1).filter_map(pid).filter_map(i64::checked_neg);
    let mut numbers = known().filter_map(pid).chain(groups).filter(|pid| *pid > 1).peekable();
    if numbers.peek().is_some() {
        let hosts = hosts();
        if numbers.any(|number| hosts.contains(&number)) {
            return Some((What::Signal, Surely::Yes));
        }
    }
    let unknown = || {
        args.iter().flat_map(|word| &word.parts).filter_map(|part| match part {
            Part::Unknown(unknown) => Some(&unknown.why),
            _ => None,
        })
    };
    let is_parent = |origin: &Origin| match origin {
        Origin::Parent => true,
        Origin::Variable(name) => PARENTS.contains(&&**name),
        _ => false,
    };
    // Behind the signal, -1 is every process that can be reached, and 0 is the whole group.
    let is_everyone = || args.iter().skip(1).any(|word| word.known().and_then(pid) == Some(-1));
    let is_group = || {
        let follows_signal = |at: usize| {
            let before = at.checked_sub(1).and_then(|at| args.get(at)).and_then(Word::known);
            matches!(before, Some("-s" | "-n" | "--signal"))
        };
        let mut zeros = args.iter().enumerate().filter(|(_, word)| word.known().and_then(pid) == Some(0));
        name == "kill"
            && zeros.any(|(at, _)| !follows_signal(at))
            && !known().any(|word| word == "-s0" || word == "-n0")
    };
    let tests = || {
        args.windows(2).any(|pair| {
            matches!(pair, [option, value]
                if matches!(option.known(), Some("-s" | "-n" | "--signal")) && value.known() == Some("0"))
        })
    };
    if is_everyone() || is_group() && !tests() || unknown().any(|why| is_parent(&why.source)) {
        return Some((What::Signal, Surely::Yes));
    }
    // Whatever the number is, what looked for it says whose it is.
    let is_found = unknown().next().is_some() || !command.via.is_empty();
    (is_found && shell.analysis.commands.iter().any(looks_for_us)).then_some((What::Signal, Surely::Maybe))
}

/// Reads the number of a process, or of a group behind a dash, as `kill` does: decimal, with blanks around.
fn pid(word: &str) -> Option<i64> {
    word.trim().parse().ok()
}

/// Tells whether a command finds one of our processes.
fn looks_for_us(other: &Simple) -> bool {
    let argv = other.argv();
    let Some(name) = argv.name else { return false };
    let args = other.words.get(1..).unwrap_or_default();
    let mut known = args.iter().filter_map(Word::known);
    match name {
        "pgrep" => finds(&argv, By::Pattern),
        "pidof" => finds(&argv, By::Name),
        name if GREPS.contains(&name) => {
            let folds = known.clone().any(|word| is_flag(word, 'i'));
            let is_pattern = |word: &&str| !word.starts_with('-') && !word.contains('/') && *word != ".";
            // One that matches nothing too looks for nobody.
            let mut patterns = known.filter(is_pattern).filter(|pattern| !matches(pattern, folds, false, &[""]));
            patterns.any(|pattern| matches(pattern, folds, false, LINES))
        }
        name if FINDERS.contains(&name) => known.any(is_name),
        _ => false,
    }
}

/// How a program chooses processes by its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum By {
    /// Each is a name, or with `-r` a regex.
    Name,
    /// One is a regex.
    Pattern,
}

/// Tells whether a command, read so, chooses one of our processes.
fn finds(argv: &Argv<'_>, by: By) -> bool {
    let operands: Vec<&str> = argv.operands.iter().filter_map(|word| word.known()).collect();
    if operands.is_empty() {
        let chooses = CHOOSING.iter().any(|name| argv.given(name).next().is_some());
        return chooses && argv.words.iter().skip(1).all(|word| word.known().is_some());
    }
    // Letters behind one dash are no option of the record where a signal may stand there, nor are beginnings of names.
    let has = |short: char, long: &str| {
        let is_it = |name: &str| is_flag(name, short) || name.len() > 2 && long.starts_with(name);
        argv.given(long).next().is_some()
            || argv.options.iter().any(|given| given.option.is_none() && is_it(&given.name))
    };
    match by {
        By::Pattern => {
            let (folds, is_exact) = (has('i', "--ignore-case"), has('x', "--exact"));
            let texts = if has('f', "--full") { LINES } else { NAMES };
            has('v', "--inverse") || operands.iter().any(|pattern| matches(pattern, folds, is_exact, texts))
        }
        By::Name => {
            let folds = has('I', "--ignore-case");
            let is_regex = has('r', "--regexp") || has('m', "-m");
            operands.iter().any(|operand| {
                let name = operand.rsplit('/').next().unwrap_or(operand);
                let is_it = |own: &str| if folds { own.eq_ignore_ascii_case(name) } else { own == name };
                if is_regex { matches(operand, folds, false, NAMES) } else { NAMES.iter().any(|own| is_it(own)) }
            })
        }
    }
}

/// Tells whether a cluster of options has a letter; a signal such as `-HUP` is none.
fn is_flag(word: &str, letter: char) -> bool {
    let Some(cluster) = word.strip_prefix('-') else { return false };
    let is_cluster = cluster.chars().filter(char::is_ascii_uppercase).count() < 2;
    is_cluster && !cluster.starts_with('-') && cluster.contains(letter)
}

/// Tells whether a regex matches one of some texts. One that cannot be read, or is too large, is taken by its words.
fn matches(pattern: &str, folds: bool, is_exact: bool, texts: &[&str]) -> bool {
    let whole = if is_exact { format!("^(?:{pattern})$") } else { pattern.to_owned() };
    let regex = (pattern.len() <= LONGEST)
        .then(|| RegexBuilder::new(&whole).case_insensitive(folds).size_limit(LARGEST).build().ok())
        .flatten();
    match regex {
        Some(regex) => texts.iter().any(|text| regex.is_match(text)),
        None => is_name(pattern),
    }
}

/// Tells whether a text has the name of one of the processes among its words.
pub(super) fn is_name(text: &str) -> bool {
    let is_between = |c: char| !c.is_alphanumeric() && c != '-' && c != '_';
    text.split(is_between).any(|word| NAMES.contains(&word) || WORDS.contains(&word))
}
