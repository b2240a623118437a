//! Commands of git that change what it runs by itself, or where it finds the repository.

use hookrules_shell::{Simple, Word};

/// The settings by which git runs something else or finds another repository, in lower case; `*` is any name.
const SETTINGS: &[&str] = &[
    "core.hookspath",
    "core.fsmonitor",
    "core.worktree",
    "core.sshcommand",
    "core.pager",
    "core.askpass",
    "core.gitproxy",
    "init.templatedir",
    "include.path",
    "includeif.*.path",
    "filter.*.clean",
    "filter.*.smudge",
    "filter.*.process",
    "diff.external",
    "diff.*.command",
    "diff.*.textconv",
    "merge.*.driver",
    "gpg.program",
    "gpg.*.program",
];

/// Those whose value is a text for a shell where it begins with `!`.
const SHELL: &[&str] = &["alias.*", "credential.helper", "credential.*.helper"];

/// What only reads settings, as a command and as options.
const READING: &[&str] = &["get", "list", "get-color", "get-colorbool"];
const READING_OPTIONS: &[&str] =
    &["--get", "--get-all", "--get-regexp", "--get-urlmatch", "--get-color", "--get-colorbool", "--list", "-l"];

/// What changes settings: as a command, and as options.
const CHANGING: &[&str] = &["set", "unset", "remove-section", "rename-section"];
const CHANGING_OPTIONS: &[&str] =
    &["--unset", "--unset-all", "--remove-section", "--rename-section", "--add", "--replace-all"];

/// The options of `git config` with a value in the next word.
const VALUED: &[&str] = &["-f", "--file", "--blob", "--type", "-t", "--default", "--comment", "--value", "--url"];

/// Tells whether a command changes what git runs, or where it finds the repository.
pub(super) fn judge(command: &Simple) -> bool {
    let argv = command.argv();
    let name = argv.commands.first().and_then(|word| word.known());
    let args = command.words.get(1..).unwrap_or_default();
    let behind = |name: &str| {
        let at = args.iter().position(|word| word.known() == Some(name));
        at.and_then(|at| args.get(at + 1..)).unwrap_or_default()
    };
    match name {
        Some("config") => configures(behind("config")),
        Some("init") => behind("init").iter().any(|word| {
            let text = word.known().unwrap_or(word.prefix());
            // Git takes the beginning of an option for it.
            let option = text.split('=').next().unwrap_or(text);
            option.len() > 3 && ["--template", "--separate-git-dir"].iter().any(|full| full.starts_with(option))
        }),
        _ => false,
    }
}

fn configures(args: &[Word]) -> bool {
    let known = || args.iter().filter_map(Word::known);
    if known().any(|word| READING_OPTIONS.contains(&word)) {
        return false;
    }
    let mut operands: Vec<Option<&str>> = Vec::new();
    let mut words = args.iter();
    while let Some(word) = words.next() {
        match word.known() {
            Some(text) if VALUED.contains(&text) => drop(words.next()),
            Some(text) if text.starts_with('-') && text.len() > 1 => {}
            text => operands.push(text),
        }
    }
    let first = operands.first().copied().flatten();
    if first.is_some_and(|first| READING.contains(&first)) {
        return false;
    }
    let has_verb = first.is_some_and(|first| CHANGING.contains(&first));
    let operands = operands.get(usize::from(has_verb)..).unwrap_or_default();
    let of_section =
        |name: &str| first == Some(name) && has_verb || known().any(|word| word.strip_prefix("--") == Some(name));
    let Some(key) = operands.first().copied().flatten().map(str::to_ascii_lowercase) else { return false };
    if of_section("remove-section") || of_section("rename-section") {
        return operands.iter().flatten().any(|name| is_section(&name.to_ascii_lowercase()));
    }
    let changes = has_verb || operands.len() > 1 || known().any(|word| CHANGING_OPTIONS.contains(&word));
    let value = operands.get(1);
    let runs = value.is_some_and(|value| value.is_none_or(|value| value.starts_with('!')));
    changes && (is_setting(&key) || runs && SHELL.iter().any(|setting| is_of(setting, &key)))
}

/// Tells whether a key, in lower case, is a setting by which git runs something or finds the repository.
pub(super) fn is_setting(key: &str) -> bool {
    SETTINGS.iter().any(|setting| is_of(setting, key))
}

fn is_of(setting: &str, key: &str) -> bool {
    match setting.split_once('*') {
        Some((start, end)) => {
            let rest = key.strip_prefix(start);
            rest.and_then(|rest| rest.strip_suffix(end)).is_some_and(|name| !name.is_empty())
        }
        None => setting == key,
    }
}

/// Tells whether a section holds such settings, or is made one that does.
fn is_section(name: &str) -> bool {
    let of = |setting: &str| setting.split('.').next() == name.split('.').next();
    SETTINGS.iter().any(|setting| of(setting)) || name.split('.').next() == Some("alias")
}
