//! Programs that run their arguments on this machine: as another user, limited, measured, in an environment.

use super::call::OuterCommand;
use super::{NestedCommand, NestedSetting, Runnable, argv, nested, shell, words};
use crate::analysis::{CommandScope, InheritedEnvironment};
use crate::argv::program_name;
use crate::programs::is_shell;
use crate::startup::{StartupCondition, startup};
use crate::word::{Cause, Unknown, Word};

/// `cmake -E env A=1 make`, and the tools that it includes under its own names.
pub(super) fn cmake(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    const TOOLS: &[(&str, &[&str])] = &[
        ("rm", &["rm"]),
        ("remove", &["rm"]),
        ("remove_directory", &["rm", "-r"]),
        ("rename", &["mv"]),
        ("copy", &["cp"]),
        ("copy_if_different", &["cp"]),
        ("copy_directory", &["cp", "-r"]),
        ("create_symlink", &["ln", "-s"]),
        ("create_hardlink", &["ln"]),
        ("make_directory", &["mkdir", "-p"]),
        ("touch", &["touch"]),
        ("cat", &["cat"]),
        ("tar", &["tar"]),
        ("env", &["env"]),
        ("time", &[]),
    ];
    let Some(at) = call.words.iter().position(|word| word.known_text() == Some("-E")) else { return Vec::new() };
    let Some((tool, rest)) = call.words.get(at + 1..).and_then(<[Word]>::split_first) else { return Vec::new() };
    if tool.known_text() == Some("chdir") {
        let (directory, words) = rest.split_first().map_or((None, rest), |(first, words)| (Some(first), words));
        return argv(words, &NestedSetting { directory: directory.cloned(), ..setting.clone() });
    }
    let Some((_, program)) = TOOLS.iter().find(|(name, _)| tool.known_text() == Some(name)) else { return Vec::new() };
    let words: Vec<Word> = program.iter().copied().map(Word::text).chain(rest.iter().cloned()).collect();
    argv(&words, setting)
}

/// `just --command git push`: all words after the option.
pub(super) fn just(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let at = call.words.iter().position(|word| matches!(word.known_text(), Some("--command" | "-c")));
    argv(at.and_then(|at| call.words.get(at + 1..)).unwrap_or_default(), setting)
}

/// `apt -o DPkg::Pre-Invoke::=text`, and the other settings whose value a shell runs.
pub(super) fn apt(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    const RUN: &[&str] = &["-invoke", "pre-install-pkgs", "-detect", "::commands"];
    let mut found = Vec::new();
    for given in call.values("-o") {
        let Some((name, text)) = given.split_at_equals() else { continue };
        let lower = name.to_ascii_lowercase();
        if RUN.iter().any(|part| lower.contains(part)) {
            found.push(super::script(text, setting));
        }
    }
    found
}

/// Moves assignments before a command into its setting.
fn assigned<'w>(words: &'w [Word], setting: &NestedSetting) -> (&'w [Word], NestedSetting) {
    let mut setting = setting.clone();
    let mut rest = words;
    while let Some((assignment, behind)) =
        rest.split_first().and_then(|(word, rest)| Some((words::assignment(word)?, rest)))
    {
        setting.environment.push(assignment);
        rest = behind;
    }
    (rest, setting)
}

/// `sudo` parses further options after the variables that it sets.
pub(super) fn sudo(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let tail = call.tail(0);
    let is_over = call.argv.after_dashes == Some(0);
    let (rest, mut setting) = if is_over { (tail, setting.clone()) } else { assigned(tail, setting) };
    if call.has_option("-R") {
        setting.scope = Some(CommandScope::Container);
    }
    let goes_on = rest.len() < tail.len() && rest.first().is_some_and(|word| word.prefix().starts_with('-'));
    if goes_on {
        let again: Vec<Word> = call.words.iter().take(1).chain(rest).cloned().collect();
        let further = OuterCommand::new(&again);
        setting.directory = further.value("-D").cloned().or(setting.directory);
        setting.in_background |= further.has_option("-b");
        let (rest, setting) = assigned(further.tail(0), &setting);
        return argv(rest, &setting);
    }
    match rest {
        [] if call.has_any_option(&["-s", "-i"]) => shell(&setting),
        _ => argv(rest, &setting),
    }
}

pub(super) fn doas(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    match call.tail(0) {
        [] if call.has_option("-s") => shell(setting),
        words => argv(words, setting),
    }
}

/// `su [options] [-] [user [arguments of the shell]]`
pub(super) fn su(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut operands = call.argv.operands.iter().copied().peekable();
    let mut setting = setting.clone();
    if operands.next_if(|word| word.known_text() == Some("-")).is_some() && setting.directory.is_none() {
        setting.directory = Some(words::inserted_word(crate::word::Cause::Directory, "su"));
    }
    let _user = operands.next();
    let command = call.value("-c").or_else(|| call.value("--session-command"));
    let mut shell = vec![call.value("-s").cloned().unwrap_or_else(|| Word::text("sh"))];
    if let Some(command) = command {
        shell.extend([Word::text("-c"), command.clone()]);
    }
    shell.extend(operands.cloned());
    match (shell.as_slice(), command, call.has_option("-s")) {
        // A call of `sh -c` would only yield the same script.
        ([_, _, _], Some(command), false) => vec![NestedCommand::new(Runnable::script(command.clone()), &setting)],
        ([_], None, false) => self::shell(&setting),
        _ => argv(&shell, &setting),
    }
}

/// As `su`, but with `-u`, its operands are a command.
pub(super) fn runuser(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    if call.has_option("-u") { argv(call.tail(0), setting) } else { su(call, setting) }
}

/// How often the words of an `env` may result from splitting a text.
const SPLITS: usize = 4;

/// Returns the words of `env` with its `-S` replaced by the words of that option's value.
fn expand_split_string(call: &OuterCommand<'_>) -> Option<Vec<Word>> {
    let text = call.value("-S")?;
    let mut again: Vec<Word> = call.words.iter().take(1).cloned().collect();
    again.extend(words::split(text));
    again.extend(call.tail(0).iter().cloned());
    Some(again)
}

/// `env`: `-S` is replaced by the words into which its value splits.
pub(super) fn env(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    if let Some(again) = expand_split_string(call) {
        let mut last = again.clone();
        for _ in 0..SPLITS {
            let Some(further) = expand_split_string(&OuterCommand::new(&last)) else {
                return split(&again, setting);
            };
            last = further;
        }
        return argv(&[Word::unknown_words(Unknown::new(Cause::TooDeep, "env -S"))], setting);
    }
    let mut tail = call.tail(0);
    let mut is_cleared = call.has_option("-i");
    // `-` alone is `-i`.
    if let [first, rest @ ..] = tail
        && first.known_text() == Some("-")
    {
        is_cleared = true;
        tail = rest;
    }
    let (rest, mut setting) = assigned(tail, setting);
    if is_cleared && is_bare_shell(rest) {
        setting.inherited = InheritedEnvironment::Nothing;
    }
    argv(rest, &setting)
}

/// Whether words start a shell that does not first read a user's startup file, which could set variables.
fn is_bare_shell(words: &[Word]) -> bool {
    let Some((program, rest)) = words.split_first() else { return false };
    let is_bare = |shell: &str| is_shell(shell) && startup(shell).all(|(when, _)| when != StartupCondition::Always);
    let mut options = rest.iter().map_while(|word| word.known_text()).take_while(|word| word.starts_with(['-', '+']));
    program_name(program).is_some_and(is_bare)
        && options.all(|option| option.chars().skip(1).all(|letter| "ceuxv".contains(letter)))
}

/// Returns what the split words of another `env` run.
fn split(again: &[Word], setting: &NestedSetting) -> Vec<NestedCommand> {
    let with = |found: NestedCommand| {
        let mut merged = setting.clone();
        merged.environment.extend(found.setting.environment);
        merged.directory = found.setting.directory.or(merged.directory);
        NestedCommand { setting: merged, ..found }
    };
    nested(again).into_iter().map(with).collect()
}

pub(super) fn jobs(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    if call.has_option("-x") { argv(call.tail(0), setting) } else { Vec::new() }
}

/// `chrt`: the priority may be left out for a policy without one.
pub(super) fn chrt(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let is_priority = |word: &Word| word.known_text().is_none_or(|text| text.bytes().all(|b| b.is_ascii_digit()));
    let skip = usize::from(call.operand(0).is_some_and(is_priority));
    argv(call.tail(skip), setting)
}

/// `flock FILE -c TEXT`, `flock FILE COMMAND`, `flock DESCRIPTOR`.
pub(super) fn flock(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    if let Some(text) = call.value("-c") {
        return vec![NestedCommand::new(Runnable::script(text.clone()), setting)];
    }
    match call.tail(1) {
        [option, text, ..] if matches!(option.known_text(), Some("-c" | "--command")) => {
            vec![NestedCommand::new(Runnable::script(text.clone()), setting)]
        }
        words => argv(words, setting),
    }
}

/// `script`: with util-linux, the command is the value of `-c`; on BSD and macOS, it follows the file.
pub(super) fn script(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    match call.tail(1) {
        [] if call.has_option("-c") => Vec::new(),
        [] => shell(setting),
        words => argv(words, setting),
    }
}

/// `strace`: a value of `-o` that begins with `|` or `!` is a command.
pub(super) fn strace(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let written = call.values("-o").filter_map(|file| file.strip_prefix("|").or_else(|| file.strip_prefix("!")));
    let mut found: Vec<NestedCommand> = written.map(|text| Runnable::script(text).into()).collect();
    found.extend(argv(call.tail(0), setting));
    found
}

pub(super) fn systemd_run(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut setting = setting.clone();
    let scope = if call.has_option("-H") {
        Some(CommandScope::Remote)
    } else {
        call.has_option("-M").then_some(CommandScope::Container)
    };
    setting.scope = scope.or(setting.scope);
    match call.tail(0) {
        [] if call.has_option("-S") => shell(&setting),
        words => argv(words, &setting),
    }
}

/// `start-stop-daemon -S --exec PROGRAM -- ARGUMENTS`
pub(super) fn start_stop_daemon(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let program = call.value("--startas").or_else(|| call.value("--exec"));
    let words: Vec<Word> = program.into_iter().chain(call.tail(0)).cloned().collect();
    argv(&words, setting)
}
