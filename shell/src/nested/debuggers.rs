//! What debuggers run because of their commands: `gdb -ex 'shell ls'`, `lldb -o 'platform shell ls'`.

use super::call::OuterCommand;
use super::{CodeSource, NestedCommand, NestedSetting, Runnable};
use crate::word::Word;

/// Returns what `gdb` or `lldb` runs.
pub(super) fn debugger(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    if call.program() == Some("lldb") { lldb(call, setting) } else { gdb(call, setting) }
}

/// Returns what `gdb` runs: the program after `--args`, and the gdb commands of `-ex` that run a shell, `shell ls`
/// and `!ls`.
fn gdb(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut found = Vec::new();
    let is_batch =
        |word: &Word| word.known_text().is_some_and(|text| matches!(text, "-batch" | "--batch" | "-batch-silent"));
    if !call.words.iter().any(is_batch) {
        // More commands come from standard input.
        found.push(Runnable::Foreign(CodeSource::Input));
    }
    let mut at = 1;
    while let Some(word) = call.words.get(at) {
        at += 1;
        match word.known_text().map(|text| text.trim_start_matches('-')) {
            Some("args") if word.prefix().starts_with('-') => {
                let rest = call.words.get(at..).unwrap_or_default();
                let option_count = rest
                    .iter()
                    .take_while(|word| word.prefix().starts_with('-') && word.known_text() != Some("--"))
                    .count();
                let program = rest.get(option_count..).unwrap_or_default();
                found.extend(Runnable::argv(program));
                break;
            }
            Some(text)
                if text
                    .split_once('=')
                    .is_some_and(|(name, _)| matches!(name, "ex" | "eval-command" | "iex" | "init-eval-command")) =>
            {
                let name = word.prefix().split_inclusive('=').next().unwrap_or_default().to_owned();
                found.extend(word.strip_prefix(&name).as_ref().and_then(debugger_command));
            }
            Some("ex" | "eval-command" | "iex" | "init-eval-command") => {
                let command = call.words.get(at);
                at += 1;
                found.extend(command.and_then(debugger_command));
            }
            Some("x" | "command" | "ix" | "init-command") => {
                found.extend(call.words.get(at).cloned().map(|file| Runnable::Foreign(CodeSource::File(file))));
                at += 1;
            }
            _ => {}
        }
    }
    found.into_iter().map(|what| NestedCommand::new(what, setting)).collect()
}

/// Commands of a debugger that run the program, or show or change its state.
const PLAIN: &[&str] = &[
    "r",
    "run",
    "start",
    "starti",
    "c",
    "continue",
    "n",
    "next",
    "s",
    "step",
    "si",
    "stepi",
    "ni",
    "nexti",
    "fin",
    "finish",
    "until",
    "advance",
    "b",
    "br",
    "break",
    "breakpoint",
    "tbreak",
    "hbreak",
    "rbreak",
    "watch",
    "rwatch",
    "awatch",
    "catch",
    "delete",
    "disable",
    "enable",
    "bt",
    "backtrace",
    "where",
    "info",
    "i",
    "frame",
    "f",
    "up",
    "down",
    "thread",
    "t",
    "list",
    "l",
    "disassemble",
    "disas",
    "x",
    "p",
    "print",
    "po",
    "display",
    "ptype",
    "whatis",
    "quit",
    "q",
    "exit",
    "detach",
    "kill",
    "k",
    "attach",
    "target",
    "file",
    "symbol-file",
    "handle",
    "signal",
    "directory",
    "maint",
    "maintenance",
    "show",
    "help",
    "h",
    "apropos",
    "process",
    "image",
    "register",
    "memory",
    "v",
    "expr",
    "inferior",
    "sharedlibrary",
    "core-file",
    "set",
    "unset",
];

/// Settings of gdb that name a file which it writes.
const WRITTEN: &[&str] = &["logging", "history", "trace", "record"];

/// Returns what a command of a debugger runs: a shell command, Python, a file with commands, or code that may run and
/// change anything; `None` if it only debugs.
fn debugger_command(text: &Word) -> Option<Runnable> {
    let starts = ["shell ", "!", "platform shell ", "pipe ", "make "];
    if let Some(shell) = starts.iter().find_map(|start| text.strip_prefix(start)) {
        return Some(Runnable::script(shell));
    }
    let python = ["python ", "py ", "python-interactive ", "pi "].iter().find_map(|start| text.strip_prefix(start));
    if let Some(code) = python {
        return Some(Runnable::Argv(vec![Word::text("python3"), Word::text("-c"), code]));
    }
    let Some(known) = text.known_text() else { return Some(Runnable::foreign(text.clone())) };
    let (name, rest) = known.trim().split_once([' ', '/']).unwrap_or((known.trim(), ""));
    match name {
        "source" | "so" => Some(Runnable::Foreign(CodeSource::File(Word::text(rest.trim())))),
        // An expression may call a function of the program.
        _ if PLAIN.contains(&name) && !rest.contains('(') && !WRITTEN.iter().any(|set| rest.starts_with(set)) => None,
        _ => Some(Runnable::foreign(text.clone())),
    }
}

/// Returns what `lldb` runs: the commands of `-o` and `-O`, and the program after `--`.
fn lldb(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut found = Vec::new();
    let mut words = call.words.iter().enumerate().skip(1);
    while let Some((at, word)) = words.next() {
        match word.known_text() {
            Some("-o" | "--one-line" | "-O" | "--one-line-before-file") => {
                found.extend(words.next().and_then(|(_, text)| debugger_command(text)));
            }
            Some("--") => {
                found.extend(Runnable::argv(call.words.get(at + 1..).unwrap_or_default()));
                break;
            }
            _ => {}
        }
    }
    found.into_iter().map(|what| NestedCommand::new(what, setting)).collect()
}
