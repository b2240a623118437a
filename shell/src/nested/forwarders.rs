//! Programs that pass words on to another program: words that are not subcommands of their own (`rtk git push`), or
//! those after a subcommand.

use super::call::OuterCommand;
use super::words::{self, join, without_version};
use super::{CodeSource, NestedCommand, NestedSetting, Runnable, argv, containers_and_remote, script};
use crate::word::{Cause, Unknown, Word};

/// Returns the index of the first word that is neither an option nor one of the program's subcommands; `None` if a
/// subcommand is called.
fn first_unlisted(call: &OuterCommand<'_>) -> Option<usize> {
    if call.argv.records.len() > 1 {
        return None;
    }
    let first = call.argv.subcommands.first().copied().or_else(|| call.operand(0))?;
    call.word_index(first)
}

/// Returns the words that a program passes on, without the first `skip` of them: `git push` of `rtk git push`.
pub(super) fn handed_on<'a>(call: &OuterCommand<'a>, skip: usize) -> &'a [Word] {
    first_unlisted(call).and_then(|at| call.words.get(at + skip..)).unwrap_or_default()
}

/// Returns the arguments that a program passes on to one fixed program, including options that its own record lacks,
/// but without the first `skip`: `-c a=b push` of `yadm -c a=b push`, which go to git.
pub(super) fn arguments<'a>(call: &OuterCommand<'a>, skip: usize) -> &'a [Word] {
    let Some(first) = first_unlisted(call) else { return &[] };
    let unknown = call.argv.options.iter().filter(|given| given.option.is_none()).map(|given| given.word_index).min();
    call.words.get(unknown.map_or(first, |at| at.min(first)) + skip..).unwrap_or_default()
}

/// Returns the words that a program may pass on, and the reason for the doubt: the word before the first of them is
/// taken for the value of an option without a record.
pub(super) fn possibly_handed_on<'a>(call: &OuterCommand<'a>, skip: usize) -> Option<(&'a [Word], Unknown)> {
    let at = first_unlisted(call)?.checked_sub(1)?;
    let option = call.words.get(at.checked_sub(1)?)?;
    call.words.get(at).filter(|word| call.argv.may_be_value(word))?;
    Some((call.words.get(at + skip..)?, Unknown::new(Cause::Option, option.display_text())))
}

/// Returns the call of git in `chezmoi git push -- --force`: the first `--` is read by chezmoi.
pub(super) fn git(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let words: Vec<Word> =
        std::iter::once(Word::text("git")).chain(call.argv.operands.iter().copied().cloned()).collect();
    argv(&words, setting)
}

/// Returns the command of `rtk proxy` or `srt`, which split a single word at its spaces.
pub(super) fn proxy(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    match call.tail(0) {
        [only] => argv(&words::split(only), setting),
        words => argv(words, setting),
    }
}

/// Returns the command of `pkgx +git git push` or `pkgx npm@10 install`: the packages with a `+` are only provided.
pub(super) fn pkgx(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let tail = call.tail(0);
    let provided = tail.iter().take_while(|word| word.prefix().starts_with('+')).count();
    let words = match tail.get(provided..).unwrap_or_default() {
        [dashes, rest @ ..] if dashes.known_text() == Some("--") => rest,
        words => words,
    };
    argv(&words::package_program(words), setting)
}

/// Returns the tool of `proto run node 20 -- x.js` with the words after `--`.
pub(super) fn tool(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let Some(name) = call.operand(0) else { return Vec::new() };
    let rest = call.words_after_dashes().unwrap_or_default();
    let words: Vec<Word> = std::iter::once(without_version(name)).chain(rest.iter().cloned()).collect();
    argv(&words, setting)
}

/// Returns the command of `repo forall -c TEXT ARGUMENT`: all words after the option.
pub(super) fn forall(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let at = call.words.iter().position(|word| matches!(word.known_text(), Some("-c" | "--command")));
    match at.and_then(|at| call.words.get(at + 1..)).unwrap_or_default() {
        [] => Vec::new(),
        [text] => vec![script(text.clone(), setting)],
        [first, rest @ ..] if first.known_text().is_none_or(|text| text.contains([' ', ';', '|', '&', '$'])) => {
            let arguments = std::iter::once(first).chain(rest).cloned().collect();
            vec![NestedCommand::new(Runnable::Script(first.clone(), arguments), setting)]
        }
        words => argv(words, setting),
    }
}

/// Returns the command of `appraisal NAME COMMAND` or `appraisal COMMAND`: the first word is either.
pub(super) fn appraisal(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let words = handed_on(call, 0);
    let mut found = argv(words, setting);
    found.extend(argv(words.get(1..).unwrap_or_default(), setting));
    found
}

/// Returns the command of `assume PROFILE --exec TEXT` or `assume PROFILE --exec -- COMMAND`.
pub(super) fn assume(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let given = call.words.iter().enumerate().find_map(|(at, word)| match word.known_text() {
        Some("--exec" | "-exec") => Some(call.words.get(at + 1).cloned()),
        _ => word.strip_prefix("--exec=").or_else(|| word.strip_prefix("-exec=")).map(Some),
    });
    let after_dashes = call.words_after_dashes().unwrap_or_default();
    match given.flatten() {
        Some(dashes) if dashes.known_text() == Some("--") => argv(after_dashes, setting),
        Some(text) => {
            let words: Vec<Word> = std::iter::once(text).chain(after_dashes.iter().cloned()).collect();
            vec![script(join(&words), setting)]
        }
        None => Vec::new(),
    }
}

/// Returns the command of `vpx package@1 x`, of `vpx -c TEXT`, which is for a shell, or the code of `vpx x.ts`.
pub(super) fn vpx(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    const CODE: &[&str] = &["ts", "mts", "cts", "tsx", "js", "mjs", "cjs", "jsx"];
    let Some(name) = call.operand(0) else { return Vec::new() };
    let words = words::package_program(call.tail(0));
    if call.has_option("-c") {
        return vec![script(join(&words), setting)];
    }
    let end = name.known_text().and_then(|name| name.rsplit_once('.')).map(|(_, end)| end);
    match end.filter(|end| CODE.contains(end)) {
        Some(_) => vec![NestedCommand::new(Runnable::Foreign(CodeSource::File(name.clone())), setting)],
        None => argv(&words, setting),
    }
}

/// Returns what a program runs whose operands are arguments of ssh without the name of the machine:
/// `gh codespace ssh -- -L 80:h:80 ls`.
pub(super) fn ssh(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let skipped = usize::from(call.has_name_at(0, &["render"]));
    containers_and_remote::ssh_to("machine", call.argv.operands.iter().skip(skipped).copied(), setting)
}

/// Returns the command of `runcon CONTEXT COMMAND`, or of `runcon -t TYPE COMMAND` without a whole context.
pub(super) fn runcon(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let has_context = !call.has_any_option(&["-t", "-u", "-r", "-l", "-c"]);
    argv(call.tail(usize::from(has_context)), setting)
}
