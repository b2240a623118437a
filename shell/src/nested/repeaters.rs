//! Programs that run commands repeatedly, in parallel, or later.

use super::call::OuterCommand;
use super::words::{inserted_word, join, replace};
use super::{NestedCommand, NestedSetting, Runnable, argv, script};
use crate::nested::CodeSource;
use crate::word::{Cause, Word};

/// Returns the command of `watch`: a text for a shell, or words with `-x`.
pub(super) fn watch(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    match call.tail(0) {
        [] => Vec::new(),
        words if call.has_option("-x") => argv(words, setting),
        words => vec![script(join(words), setting)],
    }
}

/// Returns the command of `entr`, in which `/_` is the placeholder for the file that changed first.
pub(super) fn entr(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let file = inserted_word(Cause::Input, "/_");
    let filled: Vec<Word> = call.tail(0).iter().map(|word| replace(word, "/_", &file).0).collect();
    match filled.split_first() {
        Some((text, arguments)) if call.has_option("-s") => {
            vec![NestedCommand::new(Runnable::Script(text.clone(), arguments.to_vec()), setting)]
        }
        // Without `-s`, only a whole word is a placeholder.
        _ => {
            let whole = |word: &Word| if word.known_text() == Some("/_") { file.clone() } else { word.clone() };
            argv(&call.tail(0).iter().map(whole).collect::<Vec<_>>(), setting)
        }
    }
}

/// Returns the command of `watchexec`: a text for a shell, or words without a shell.
pub(super) fn watchexec(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let has_shell = !call.has_option("-n") && !call.values("--shell").any(|shell| shell.known_text() == Some("none"));
    match call.tail(0) {
        [] => Vec::new(),
        words if has_shell => vec![script(join(words), setting)],
        words => argv(words, setting),
    }
}

/// Returns what `nodemon` runs: the command of `--exec` with the operands appended, or node with the script.
pub(super) fn nodemon(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let rest = call.tail(0);
    if let Some(command) = call.value("-x") {
        let mut words = vec![command.clone()];
        words.extend(rest.iter().cloned());
        return vec![script(join(&words), setting)];
    }
    rest.first()
        .map(|file| NestedCommand::new(Runnable::Foreign(CodeSource::File(file.clone())), setting))
        .into_iter()
        .collect()
}

/// Returns what `cargo` runs: the programs in its settings, and the commands of `cargo watch`.
pub(super) fn cargo(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut found: Vec<NestedCommand> =
        call.values("--config").flat_map(|value| cargo_configured(value, setting)).collect();
    found.extend(cargo_command(call, setting));
    found
}

/// The endings, in lower case, of the keys of Cargo settings whose value is a program.
const CARGO_PROGRAMS: &[&str] = &[
    "build.rustc",
    "build.rustdoc",
    "build.rustc-wrapper",
    "build.rustc-workspace-wrapper",
    ".runner",
    ".linker",
    "credential-provider",
    "doc.browser",
];

/// Returns what `--config KEY=VALUE` runs, where the value is TOML; a value without `=` is a settings file, which may
/// run anything.
fn cargo_configured(value: &Word, setting: &NestedSetting) -> Vec<NestedCommand> {
    let Some((key, written)) = value.split_at_equals() else {
        return vec![NestedCommand::new(Runnable::Foreign(CodeSource::File(value.clone())), setting)];
    };
    let key = key.trim().to_ascii_lowercase();
    let quotes = |c: char| matches!(c, '"' | '\'' | '[' | ']' | ',');
    let words: Vec<Word> = match written.known_text() {
        Some(text) => text.split(quotes).flat_map(str::split_whitespace).map(Word::text).collect(),
        None => vec![written.clone()],
    };
    if key.starts_with("alias.") {
        let words: Vec<Word> = std::iter::once(Word::text("cargo")).chain(words).collect();
        return argv(&words, setting);
    }
    if CARGO_PROGRAMS.iter().any(|end| key.ends_with(end)) { argv(&words, setting) } else { Vec::new() }
}

/// Returns what a subcommand of cargo runs: only `watch` runs commands.
fn cargo_command(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let command = call.words.iter().skip(1).find(|word| !word.prefix().starts_with(['-', '+']));
    if command.and_then(Word::known_text) == Some("watch") { cargo_watch(call, setting) } else { Vec::new() }
}

/// Returns what `cargo watch` runs: `-x` gives a subcommand of cargo, `-s` a text for a shell, and a command may come
/// after `--`.
pub(super) fn cargo_watch(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut found = Vec::new();
    let mut words = call.words.iter().enumerate().skip(1);
    while let Some((at, word)) = words.next() {
        match word.known_text() {
            Some("-x" | "--exec") => {
                let text = words.next().map(|(_, text)| join(&[Word::text("cargo"), text.clone()]));
                found.extend(text.map(|text| script(text, setting)));
            }
            Some("-s" | "--shell") => found.extend(words.next().map(|(_, text)| script(text.clone(), setting))),
            Some("--") => {
                found.extend(argv(call.words.get(at + 1..).unwrap_or_default(), setting));
                break;
            }
            _ => {}
        }
    }
    found
}

/// Returns the commands of `at`, which come from a file or from standard input.
pub(super) fn at(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let what = call.value("-f").map_or_else(|| Runnable::Input(Vec::new()), |file| Runnable::File(file.clone()));
    vec![NestedCommand::new(what, setting)]
}
