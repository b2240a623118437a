//! Programs that run their arguments on this machine: as another user, with limits, measured, in another environment.

use super::call::OuterCommand;
use super::{NestedCommand, NestedSetting, Runnable, argv, called_as, nested, shell, words};
use crate::analysis::{CommandScope, InheritedEnvironment};
use crate::argv::program_name;
use crate::programs::is_shell;
use crate::startup::{StartupCondition, startup};
use crate::word::{Cause, Unknown, Word};

/// Returns what `cmake -E` runs: `env A=1 make`, and the tools that cmake includes under names of its own (`remove`).
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

/// Returns the command of `just --command git push`: all words after the option.
pub(super) fn just(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let given = call.argv.options.iter().find(|given| given.has_spelling(&["--command", "-c"]));
    argv(given.and_then(|given| call.words.get(given.word_index + 1..)).unwrap_or_default(), setting)
}

/// Returns the values of the settings of `apt` that a shell runs: `-o DPkg::Pre-Invoke::=text`.
pub(super) fn apt(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    // Parts of the names of these settings.
    const RUN: &[&str] = &["-invoke", "pre-install-pkgs", "-detect", "::commands", "dir::bin::"];
    let mut found: Vec<NestedCommand> = super::settings::code_files(call, &["-c"], setting).collect();
    for given in call.values("-o") {
        let Some((name, text)) = given.split_at_equals() else { continue };
        let lower = name.to_ascii_lowercase();
        if RUN.iter().any(|part| lower.contains(part)) {
            found.push(super::script(text, setting));
        }
    }
    found
}

/// Returns the command of a program that is several ones: `busybox rm x`, `coreutils --coreutils-prog=rm x`.
pub(super) fn applet(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let named = call.value("--coreutils-prog").cloned();
    argv(&named.into_iter().chain(call.tail(0).iter().cloned()).collect::<Vec<Word>>(), setting)
}

/// Returns the command of `exec`, under the name that `-a` gives it.
pub(super) fn exec(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    match call.value("-a") {
        Some(name) => argv(&called_as(name, call.tail(0)), setting),
        None => argv(call.tail(0), setting),
    }
}

/// Splits words into the command and the assignments before it, which are added to a copy of the setting.
fn take_assignments<'w>(words: &'w [Word], setting: &NestedSetting) -> (&'w [Word], NestedSetting) {
    let mut setting = setting.clone();
    let mut rest = words;
    while let Some((assignment, after)) =
        rest.split_first().and_then(|(word, rest)| Some((words::assignment(word)?, rest)))
    {
        setting.environment.push(assignment);
        rest = after;
    }
    (rest, setting)
}

/// Returns the command of `sudo`, which accepts further options after the variables that it sets: `sudo A=1 -b ls`.
pub(super) fn sudo(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let tail = call.tail(0);
    let has_dashes = call.argv.after_dashes == Some(0);
    let (rest, mut setting) = if has_dashes { (tail, setting.clone()) } else { take_assignments(tail, setting) };
    if call.has_option("-R") {
        setting.scope = Some(CommandScope::Container);
    }
    let has_further_options =
        rest.len() < tail.len() && rest.first().is_some_and(|word| word.prefix().starts_with('-'));
    if has_further_options {
        let without_assignments: Vec<Word> = call.words.iter().take(1).chain(rest).cloned().collect();
        let further_call = OuterCommand::new(&without_assignments);
        setting.directory = further_call.value("-D").cloned().or(setting.directory);
        setting.in_background |= further_call.has_option("-b");
        let (rest, setting) = take_assignments(further_call.tail(0), &setting);
        return argv(rest, &setting);
    }
    match rest {
        [] if call.has_any_option(&["-s", "-i"]) => shell(&setting),
        _ => argv(rest, &setting),
    }
}

/// Returns the command of `doas`, or a shell with `-s`.
pub(super) fn doas(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    match call.tail(0) {
        [] if call.has_option("-s") => shell(setting),
        words => argv(words, setting),
    }
}

/// Returns what `su [options] [-] [user [arguments of the shell]]` runs: a shell with these arguments.
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
        // A call of `sh -c TEXT` would only be unpacked to the script again.
        ([_, _, _], Some(command), false) => vec![NestedCommand::new(Runnable::script(command.clone()), &setting)],
        ([_], None, false) => self::shell(&setting),
        _ => argv(&shell, &setting),
    }
}

/// Returns what `runuser` runs: with `-u`, its operands are a command; without it, it is like `su`.
pub(super) fn runuser(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    if call.has_option("-u") { argv(call.tail(0), setting) } else { su(call, setting) }
}

/// The maximum number of times that the words of an `env` may themselves result from an `env -S`.
const SPLITS: usize = 4;

/// Returns the words of `env -S TEXT …` with the words of the text in place of the option; `None` without `-S`.
fn expand_split_string(call: &OuterCommand<'_>) -> Option<Vec<Word>> {
    let text = call.value("-S")?;
    let mut expanded: Vec<Word> = call.words.iter().take(1).cloned().collect();
    expanded.extend(words::split(text));
    expanded.extend(call.tail(0).iter().cloned());
    Some(expanded)
}

/// Returns the command of `env`. `-S` is replaced by the words into which its value splits.
pub(super) fn env(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    if let Some(expanded) = expand_split_string(call) {
        let mut last = expanded.clone();
        for _ in 0..SPLITS {
            let Some(further) = expand_split_string(&OuterCommand::new(&last)) else {
                return nested_of_expanded(&expanded, setting);
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
    let (rest, mut setting) = take_assignments(tail, setting);
    if is_cleared && is_bare_shell(rest) {
        setting.inherited = InheritedEnvironment::Nothing;
    }
    match call.value("-a").filter(|_| !rest.is_empty()) {
        Some(name) => argv(&called_as(name, rest), &setting),
        None => argv(rest, &setting),
    }
}

/// Whether words start a shell that reads none of the user's startup files, which could set variables.
fn is_bare_shell(words: &[Word]) -> bool {
    let Some((program, rest)) = words.split_first() else { return false };
    let is_bare = |shell: &str| is_shell(shell) && startup(shell).all(|(when, _)| when != StartupCondition::Always);
    let mut options = rest.iter().map_while(|word| word.known_text()).take_while(|word| word.starts_with(['-', '+']));
    program_name(program).is_some_and(is_bare)
        && options.all(|option| option.chars().skip(1).all(|letter| "ceuxv".contains(letter)))
}

/// Returns what an `env` runs whose words result from splitting the value of `-S`.
fn nested_of_expanded(expanded: &[Word], setting: &NestedSetting) -> Vec<NestedCommand> {
    let in_setting = |found: NestedCommand| {
        let mut merged = setting.clone();
        merged.environment.extend(found.setting.environment);
        merged.directory = found.setting.directory.or(merged.directory);
        NestedCommand { setting: merged, ..found }
    };
    nested(expanded).into_iter().map(in_setting).collect()
}

/// Returns the command of bash's `jobs -x COMMAND`.
pub(super) fn jobs(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    if call.has_option("-x") { argv(call.tail(0), setting) } else { Vec::new() }
}

/// Returns the command of `chrt`, after the priority, which some policies omit.
pub(super) fn chrt(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let is_priority = |word: &Word| word.known_text().is_none_or(|text| text.bytes().all(|b| b.is_ascii_digit()));
    let skip = usize::from(call.operand(0).is_some_and(is_priority));
    argv(call.tail(skip), setting)
}

/// Returns what `flock FILE -c TEXT` or `flock FILE COMMAND` runs; `flock DESCRIPTOR` runs nothing.
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

/// Returns what `script` runs. With util-linux, the command is the value of `-c`; on BSD and macOS, it follows the
/// file.
pub(super) fn script(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    match call.tail(1) {
        [] if call.has_option("-c") => Vec::new(),
        [] => shell(setting),
        words => argv(words, setting),
    }
}

/// Returns what `strace` runs: its command, and the command in a value of `-o` that begins with `|` or `!`.
pub(super) fn strace(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let written = call.values("-o").filter_map(|file| file.strip_prefix("|").or_else(|| file.strip_prefix("!")));
    let mut found: Vec<NestedCommand> = written.map(|text| Runnable::script(text).into()).collect();
    found.extend(argv(call.tail(0), setting));
    found
}

/// Returns the command of `systemd-run`, or a shell with `-S`. `-H` names another machine, `-M` a container.
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

/// Returns the program of `start-stop-daemon -S --exec PROGRAM -- ARGUMENTS`.
pub(super) fn start_stop_daemon(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let program = call.value("--startas").or_else(|| call.value("--exec"));
    let words: Vec<Word> = program.into_iter().chain(call.tail(0)).cloned().collect();
    argv(&words, setting)
}
