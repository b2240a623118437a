//! What editors run because of their commands: `vim -c '!ls'`, `+so FILE`, `ed` with commands on standard input.

use super::call::OuterCommand;
use super::{CodeSource, NestedCommand, NestedSetting, Runnable};
use crate::word::Word;

/// Returns what `vim` runs because of editor commands in `-c`, `--cmd` or `+`, in which `!` begins a shell command,
/// and because of files with commands.
pub(super) fn vim(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut found = Vec::new();
    let is_ex = call.program() == Some("ex") || call.words.iter().skip(1).any(is_ex_mode);
    let mut words = call.words.iter().skip(1);
    while let Some(word) = words.next() {
        match word.known_text() {
            Some("--") => break,
            Some("-c" | "--cmd") => found.extend(words.next().map(ex_commands).unwrap_or_default()),
            Some("-S" | "-l" | "-u" | "-U") => {
                found.extend(words.next().cloned().map(|file| Runnable::Foreign(CodeSource::File(file))))
            }
            // Without a screen, `-s` is a flag; otherwise, it names a file with keys to type.
            Some("-s") if !is_ex => {
                found.extend(words.next().cloned().map(|file| Runnable::Foreign(CodeSource::File(file))))
            }
            Some(cluster) if is_ex_cluster(cluster) => found.extend(words.next().map(ex_commands).unwrap_or_default()),
            _ => {
                let given = word.strip_prefix("+").or_else(|| word.strip_prefix("-c"));
                found.extend(given.as_ref().map(ex_commands).unwrap_or_default());
            }
        }
    }
    if is_ex {
        // In this mode without a screen, more commands come from standard input.
        found.push(Runnable::Foreign(CodeSource::Input));
    }
    found.into_iter().map(|what| NestedCommand::new(what, setting)).collect()
}

/// Whether a word of `vim` is a cluster of flags that switches to the mode without a screen: `-es`.
fn is_ex_mode(word: &Word) -> bool {
    word.known_text().is_some_and(|text| text.starts_with('-') && !text.starts_with("--") && text.contains(['e', 'E']))
}

/// Whether a word is a cluster of flags whose last letter, `c`, takes a command: `-sc`, `-esc`.
fn is_ex_cluster(text: &str) -> bool {
    let letters = text.strip_prefix('-').and_then(|letters| letters.strip_suffix('c'));
    letters.is_some_and(|flags| !flags.is_empty() && flags.chars().all(|c| "bdeEhlmnRsvVyZ".contains(c)))
}

/// Commands of `vim` that only move in the file, change its text, save it under its own name, or leave the editor.
const PLAIN: &[&str] = &[
    "",
    "q",
    "qa",
    "qall",
    "quit",
    "quitall",
    "cq",
    "w",
    "wa",
    "wall",
    "write",
    "wq",
    "wqa",
    "wqall",
    "x",
    "xa",
    "xall",
    "xit",
    "exit",
    "up",
    "update",
    "d",
    "delete",
    "j",
    "join",
    "sort",
    "noh",
    "nohlsearch",
    "syntax",
    "syn",
    "p",
    "print",
    "u",
    "undo",
    "red",
    "redo",
    "$",
    "help",
    "version",
    "only",
    "split",
    "vsplit",
    "tabnew",
];

/// Returns what the editor commands of `vim` in one word run: a shell command, a file with commands, or code that may
/// run and change anything; empty if they only edit.
fn ex_commands(text: &Word) -> Vec<Runnable> {
    let bare = command_start(text.prefix());
    let shell = ["!", "r!", "r !", "read !", "w !", "write !"].iter().find_map(|start| bare.strip_prefix(start));
    if let Some(command) = shell {
        let start_length = text.prefix().len() - command.len();
        let rest = text.prefix().get(..start_length).and_then(|start| text.strip_prefix(start));
        return rest.map(Runnable::script).into_iter().collect();
    }
    let Some(known) = text.known_text() else { return vec![Runnable::foreign(text.clone())] };
    if known.split('|').all(is_plain) {
        return Vec::new();
    }
    let files = known.split('|').filter_map(sourced_file).map(|file| Runnable::Foreign(CodeSource::File(file)));
    files.chain([Runnable::foreign(text.clone())]).collect()
}

/// Returns a command without the modifiers before its name.
fn command_start(text: &str) -> &str {
    let bare = text.trim_start_matches([':', ' ', '%']);
    ["silent!", "silent", "sil!", "sil"].iter().find_map(|word| bare.strip_prefix(word)).unwrap_or(bare).trim_start()
}

/// Whether a command only edits, or saves the file under its own name: a line number, a search, a substitution.
fn is_plain(command: &str) -> bool {
    let bare = command_start(command);
    let name = bare.trim_end().trim_end_matches('!');
    let substitutes = bare.strip_prefix('s').and_then(|rest| rest.chars().next());
    let sets = bare.strip_prefix("se").is_some_and(|rest| rest.starts_with(['t', ' ']));
    PLAIN.contains(&name)
        || name.chars().all(|c| c.is_ascii_digit())
        || bare.starts_with(['/', '?'])
        || substitutes.is_some_and(|sign| sign.is_ascii_punctuation()) && !bare.contains("\\=")
        || sets && !bare.contains(['=', ':'])
}

/// Returns the file that `source FILE` or `runtime FILE` reads commands from; `None` for another command.
fn sourced_file(command: &str) -> Option<Word> {
    let (name, file) = command_start(command).split_once([' ', '!'])?;
    let is_source =
        matches!(name, "so" | "sou" | "sour" | "sourc" | "source" | "ru" | "runtime" | "luafile" | "pyfile");
    is_source.then(|| Word::text(file.trim_start_matches(['!', ' ']).trim_end()))
}

/// Returns what `ed` runs: the command after a `!` in place of the file, and its commands on standard input.
pub(super) fn ed(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let commands = call.words.iter().skip(1).filter_map(|word| word.strip_prefix("!")).map(Runnable::script);
    let found = commands.chain([Runnable::Foreign(CodeSource::Input)]);
    found.map(|what| NestedCommand::new(what, setting)).collect()
}
