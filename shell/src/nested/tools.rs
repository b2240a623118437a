//! Programs that name what they run in their own notation: after a keyword, in a setting, within a text.

use super::call::OuterCommand;
use super::words::split;
use super::{CodeSource, NestedCommand, NestedSetting, Runnable, argv, script};
use crate::word::Word;

/// Returns the command of `ip netns exec NAME command` or `ip vrf exec NAME command`.
pub(super) fn ip(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    words_after_keyword(call, &["exec"], 1, setting)
}

/// Returns what `ksu user -e command` or `ksu user -a arguments of a shell` runs.
pub(super) fn ksu(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let shell =
        call.words.iter().position(|word| word.known_text() == Some("-a")).and_then(|at| call.words.get(at + 1..));
    let mut found = words_after_keyword(call, &["-e"], 0, setting);
    if let Some(rest) = shell {
        let words: Vec<Word> = std::iter::once(Word::text("sh")).chain(rest.iter().cloned()).collect();
        found.extend(argv(&words, setting));
    }
    found
}

/// Returns the command of `genie -c command`.
pub(super) fn genie(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    words_after_keyword(call, &["-c", "--command"], 0, setting)
}

/// Returns the command of `pidstat -e command`.
pub(super) fn pidstat(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    words_after_keyword(call, &["-e"], 0, setting)
}

/// Returns all words after one of the keywords as a command, without the first `skip` of them.
fn words_after_keyword(
    call: &OuterCommand<'_>,
    keywords: &[&str],
    skip: usize,
    setting: &NestedSetting,
) -> Vec<NestedCommand> {
    let at = call.words.iter().position(|word| word.known_text().is_some_and(|text| keywords.contains(&text)));
    argv(at.and_then(|at| call.words.get(at + 1 + skip..)).unwrap_or_default(), setting)
}

/// Returns the command of `csvtool call command file`.
pub(super) fn csvtool(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    call.operand(0).map(|text| script(text.clone(), setting)).into_iter().collect()
}

/// Returns the command of `fail2ban-client set JAIL action NAME actionban command`, which runs at every ban.
pub(super) fn banned(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    const ACTIONS: &[&str] = &["actionstart", "actionstop", "actioncheck", "actionban", "actionunban"];
    let is_action = |word: &Word| word.known_text().is_some_and(|text| ACTIONS.contains(&text));
    let at = call.words.iter().position(is_action);
    at.and_then(|at| call.words.get(at + 1)).map(|text| script(text.clone(), setting)).into_iter().collect()
}

/// Returns the address of `busctl --address=unixexec:path=…`, which starts a program.
pub(super) fn busctl(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let addresses = call
        .values("--address")
        .filter(|address| address.has_known_text("unixexec:") || address.known_text().is_none());
    addresses.map(|address| NestedCommand::new(Runnable::foreign(address.clone()), setting)).collect()
}

/// Returns the values of the settings of `hg` that a shell runs: `--config alias.x='!command'`.
pub(super) fn hg(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    const RUN: &[&str] = &["hooks.", "ui.editor", "ui.ssh", "ui.merge", "pager.pager", "extdiff.cmd.", "merge-tools."];
    let mut found = Vec::new();
    let mut words = call.words.iter().skip(1);
    while let Some(word) = words.next() {
        let given = match word.known_text() {
            Some("--config") => words.next().cloned(),
            _ => word.strip_prefix("--config="),
        };
        let Some(given) = given else { continue };
        let Some((name, value)) = given.split_at_equals() else { continue };
        if name.starts_with("alias.") {
            found.extend(value.strip_prefix("!").map(|text| script(text, setting)));
        } else if value.prefix().starts_with("python:") {
            found.push(NestedCommand::new(Runnable::foreign(value), setting));
        } else if RUN.iter().any(|start| name.starts_with(start)) {
            found.push(script(value, setting));
        }
    }
    found
}

/// Returns the linker of `rustc -C linker=command`.
pub(super) fn rustc(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let linkers = call.values("-C").filter_map(|given| given.strip_prefix("linker="));
    linkers.flat_map(|linker| argv(&split(&linker), setting)).collect()
}

/// Returns the command of `gcc -wrapper command,argument`.
pub(super) fn compiler(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let wrappers = call.values("-wrapper").filter_map(Word::known_text);
    wrappers.flat_map(|text| argv(&text.split(',').map(Word::text).collect::<Vec<_>>(), setting)).collect()
}

/// Returns the commands of `fzf --preview command` and `fzf --bind 'key:execute(command)'`.
pub(super) fn fzf(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    const BOUND: &[&str] = &["execute", "execute-silent", "become", "reload", "reload-sync", "preview", "transform"];
    let mut found = Vec::new();
    let mut words = call.words.iter().skip(1).peekable();
    while let Some(word) = words.next() {
        let mut value = |name: &str| match word.known_text() {
            Some(text) if text == name => words.peek().map(|word| (*word).clone()),
            _ => word.strip_prefix(&format!("{name}=")),
        };
        if let Some(text) = value("--preview") {
            found.push(script(text, setting));
        }
        let Some(bound) = value("--bind") else { continue };
        let text = bound.literal();
        // Each opening bracket or colon may end the name of an action.
        for (at, _) in text.match_indices(['(', ':', '[', '{']) {
            let Some(action) = text.get(..at).and_then(|before| before.rsplit([':', '+', ',']).next()) else {
                continue;
            };
            let action = action.split('-').next().filter(|start| *start == "transform").unwrap_or(action);
            if BOUND.contains(&action) {
                let rest = text.get(at + 1..).unwrap_or_default();
                let end =
                    rest.rfind([')', ']', '}']).filter(|_| !text.get(at..).is_some_and(|rest| rest.starts_with(':')));
                found.push(script(Word::text(rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()), setting));
            }
        }
    }
    found
}

/// Returns the spelling checker of `nano --speller command`.
pub(super) fn nano(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut found = Vec::new();
    let mut words = call.words.iter().skip(1);
    while let Some(word) = words.next() {
        let text = match word.known_text() {
            Some("-s" | "--speller") => words.next().cloned(),
            _ => word.strip_prefix("--speller="),
        };
        found.extend(text.map(|text| script(text, setting)));
    }
    found
}

/// Returns the TeX code of a call, which may run commands (`\write18{…}`), if options allow that.
pub(super) fn tex(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    const ALLOWED: &[&str] = &["shell-escape", "enable-write18", "shell-escape=1"];
    let is_allowed =
        |word: &Word| word.known_text().is_some_and(|text| ALLOWED.contains(&text.trim_start_matches('-')));
    if !call.words.iter().any(is_allowed) {
        return Vec::new();
    }
    let operands = call.words.iter().skip(1).filter(|word| !word.prefix().starts_with('-'));
    let code = operands.map(|word| match word.prefix().starts_with('\\') {
        true => CodeSource::Text(word.clone()),
        false => CodeSource::File(word.clone()),
    });
    code.map(|code| NestedCommand::new(Runnable::Foreign(code), setting)).collect()
}

/// Returns the code that a debugger runs: the file of the first operand, and the statements on standard input.
pub(super) fn debugged(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut found = first(call, setting);
    if call.operand(0).is_some() {
        found.push(NestedCommand::new(Runnable::Foreign(CodeSource::Input), setting));
    }
    found
}

/// Returns the code in the file of the first operand; without operands and options, the code on standard input.
pub(super) fn first(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let code = match call.operand(0) {
        Some(file) => CodeSource::File(file.clone()),
        None if call.argv.options.is_empty() => CodeSource::Input,
        None => return Vec::new(),
    };
    vec![NestedCommand::new(Runnable::Foreign(code), setting)]
}
