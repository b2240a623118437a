//! Programs that pass words on to another program: words that are not subcommands of their own (`rtk git push`), or
//! those after a subcommand.

use super::call::OuterCommand;
use super::words::{self, join};
use super::{
    CodeSource, NestedCommand, NestedSetting, Runnable, argv, containers_and_remote, script, versioned_program,
};
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
    versioned_program(name, rest, setting)
}

/// Returns the command of `repo forall -c TEXT ARGUMENT`: all words after the option.
pub(super) fn forall(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let words = words_behind(call, &["-c", "--command"]);
    match words {
        [first, _, ..] if first.known_text().is_none_or(|text| text.contains([' ', ';', '|', '&', '$'])) => {
            vec![NestedCommand::new(Runnable::Script(first.clone(), words.to_vec()), setting)]
        }
        words => text_or_words(words, setting),
    }
}

/// Returns the words behind the option `-c` or `-t`: a program with its arguments, or one text for a shell, as in
/// `lean-ctx -c git push` and `lean-ctx -c "git push"`.
pub(super) fn behind_option(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    text_or_words(words_behind(call, &["-c", "--command", "-t"]), setting)
}

/// Returns all words behind the first of these options.
fn words_behind<'a>(call: &OuterCommand<'a>, options: &[&str]) -> &'a [Word] {
    let is_option = |word: &Word| word.known_text().is_some_and(|text| options.contains(&text));
    call.words.iter().position(is_option).and_then(|at| call.words.get(at + 1..)).unwrap_or_default()
}

/// Returns what words run that are one text for a shell, or a program with its arguments.
fn text_or_words(words: &[Word], setting: &NestedSetting) -> Vec<NestedCommand> {
    match words {
        [] => Vec::new(),
        [text] => vec![script(text.clone(), setting)],
        words => argv(words, setting),
    }
}

/// Returns the text of `scw instance server ssh ID command=TEXT`.
pub(super) fn command_field(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let text = call.words.iter().find_map(|word| word.strip_prefix("command="));
    text.map(|text| script(text, setting)).into_iter().collect()
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
    if call.has_name_at(0, &["render"]) {
        return containers_and_remote::ssh_to("machine", call.tail(1).iter(), setting);
    }
    containers_and_remote::ssh_to("machine", call.argv.operands.iter().copied(), setting)
}

/// Returns the command of `runcon CONTEXT COMMAND`, or of `runcon -t TYPE COMMAND` without a whole context.
pub(super) fn runcon(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let has_context = !call.has_any_option(&["-t", "-u", "-r", "-l", "-c"]);
    argv(call.tail(usize::from(has_context)), setting)
}

/// Returns the command after the name of a machine and further options: `prlctl exec box --user me rm x`. `sky` joins
/// it to a text.
pub(super) fn after_name(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let without_name: Vec<Word> =
        call.words.iter().take(1).chain(subcommands(call)).chain(call.tail(1)).cloned().collect();
    let is_option = |word: &Word| word.prefix().starts_with('-') && word.known_text() != Some("--");
    let again = OuterCommand::new(&without_name);
    let own = again.tail(0);
    let words = own.get(own.iter().take_while(|word| is_option(word)).count()..).unwrap_or_default();
    match call.has_name_at(0, &["sky"]) && !words.is_empty() {
        true => vec![script(join(words), setting)],
        false => argv(words, setting),
    }
}

/// Returns the words of the subcommands of a call.
fn subcommands<'a>(call: &OuterCommand<'a>) -> Vec<&'a Word> {
    let count = call.argv.records.len().saturating_sub(1);
    call.argv.subcommands.iter().copied().take(count).collect()
}

/// Returns the text of `vmrun runScriptInGuest VM INTERPRETER TEXT`.
pub(super) fn interpreter_in_guest(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let text = call.argv.operands.iter().skip(2).copied().find(|word| !word.prefix().starts_with('-'));
    text.map(|text| script(text.clone(), setting)).into_iter().collect()
}

/// Returns the words after `--` as a text for a shell: `fab -H host -- 'rm x'`.
pub(super) fn dashed_text(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    match call.words_after_dashes().unwrap_or_default() {
        [] => Vec::new(),
        words => vec![script(join(words), setting)],
    }
}

/// Returns the first operand as a text for a shell: `bolt command run 'rm x' --targets a,b`.
pub(super) fn text(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    call.operand(0).map(|text| script(text.clone(), setting)).into_iter().collect()
}

/// Returns the second operand as a text for a shell: `knife ssh 'role:web' 'rm x' -x me`.
pub(super) fn second_text(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    call.operand(1).map(|text| script(text.clone(), setting)).into_iter().collect()
}

/// Returns the command of `podman machine ssh [NAME] COMMAND`: the first word is either.
pub(super) fn named_or_not(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let texts = [call.tail(0), call.tail(1)].into_iter().filter(|words| !words.is_empty());
    texts.map(|words| script(join(words), setting)).collect()
}

/// Returns the command of `winrs -r:HOST COMMAND`, whose options may begin with a slash.
pub(super) fn winrs(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let tail = call.tail(0);
    let is_option = |word: &&Word| word.prefix().starts_with('/') && word.prefix().contains(':');
    match tail.get(tail.iter().take_while(is_option).count()..).unwrap_or_default() {
        [] => Vec::new(),
        words => vec![script(join(words), setting)],
    }
}

/// Returns the command of `psexec [\\HOST] [OPTIONS] COMMAND`, which runs on this machine if none is named.
pub(super) fn psexec(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let is_machine = |word: &&Word| word.prefix().starts_with('\\') || word.prefix().starts_with('@');
    if call.operand(0).filter(is_machine).is_some() {
        let without_name: Vec<Word> = call.words.iter().take(1).chain(call.tail(1)).cloned().collect();
        return argv(OuterCommand::new(&without_name).tail(0), setting);
    }
    argv(call.tail(0), &NestedSetting { scope: None, directory: None, ..setting.clone() })
}

/// Returns the command of `ntfy done COMMAND`.
pub(super) fn ntfy(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let is_done = |word: &Word| word.known_text() == Some("done");
    let at = call.words.iter().position(is_done).filter(|_| call.has_name_at(0, &["ntfy"]));
    let words = at.and_then(|at| call.words.get(at + 1..)).unwrap_or_default();
    let options = words.iter().take_while(|word| word.prefix().starts_with('-')).count();
    argv(words.get(options..).unwrap_or_default(), setting)
}

/// The maximum number of repositories before a command of `gita`.
const REPOSITORIES: usize = 4;

/// Returns the commands of `gita super [REPOSITORY…] push` and `gita shell [REPOSITORY…] rm x`: any of the first words
/// may be a repository.
pub(super) fn gita(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let tails = (0..=REPOSITORIES).map(|at| call.tail(at)).filter(|words| !words.is_empty());
    if call.has_name_at(1, &["shell"]) {
        return tails.map(|words| script(join(words), setting)).collect();
    }
    let git = Word::text("git");
    tails.flat_map(|words| argv(&std::iter::once(&git).chain(words).cloned().collect::<Vec<_>>(), setting)).collect()
}

/// Returns the command of `drush @site ssh COMMAND`; other commands of drush run nothing that its words say.
pub(super) fn drush(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let is_site = |word: &Word| word.prefix().starts_with('@');
    match call.words.get(1..).unwrap_or_default() {
        [site, command, rest @ ..]
            if is_site(site) && command.known_text().is_some_and(|name| matches!(name, "ssh" | "site:ssh")) =>
        {
            let options = rest.iter().take_while(|word| word.prefix().starts_with('-')).count();
            let words = rest.get(options..).unwrap_or_default();
            (!words.is_empty()).then(|| script(join(words), setting)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the command of `netlify dev:exec COMMAND`.
pub(super) fn dev_exec(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    match call.words.get(1..).unwrap_or_default() {
        [command, rest @ ..] if command.known_text() == Some("dev:exec") => argv(rest, setting),
        _ => Vec::new(),
    }
}
