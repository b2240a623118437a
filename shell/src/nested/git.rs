//! What git runs: aliases and programs in its configuration, and commands of its subcommands.
//!
//! The words of a subcommand that takes a command are parsed here, since a record cannot describe them.

use super::call::OuterCommand;
use super::words::{self, inserted_word, join};
use super::{CodeSource, NestedCommand, NestedSetting, Runnable};
use crate::analysis::Assignment;
use crate::word::{Cause, Unknown, Word, WordPart};

/// The settings whose value is a program or a text for a shell, in lower case.
const CONFIGURED: &[&str] = &[
    "core.pager",
    "core.editor",
    "core.sshcommand",
    "core.askpass",
    "core.gitproxy",
    "core.fsmonitor",
    "sequence.editor",
    "diff.external",
    "interactive.difffilter",
    "gpg.program",
    "gpg.ssh.program",
    "gpg.x509.program",
    "gpg.ssh.defaultkeycommand",
    "credential.helper",
    "uploadpack.packobjectshook",
    "instaweb.httpd",
    "instaweb.browser",
    "imap.tunnel",
    "core.alternaterefscommand",
    "sendemail.headercmd",
    "sendemail.smtpserver",
    "sendemail.sendmailcmd",
    "sendemail.tocmd",
    "sendemail.cccmd",
    "help.browser",
];

/// The settings whose value is a program or a text for a shell and whose name has a part that the user chooses: the
/// section before that part, and the keys after it (`filter.NAME.clean`). Without keys, the part is the last one.
const NAMED: &[(&str, &[&str])] = &[
    ("filter", &["clean", "smudge", "process"]),
    ("diff", &["command", "textconv"]),
    ("merge", &["driver"]),
    ("difftool", &["cmd", "path"]),
    ("mergetool", &["cmd", "path"]),
    ("guitool", &["cmd"]),
    ("browser", &["cmd", "path"]),
    ("man", &["cmd", "path"]),
    ("trailer", &["command", "cmd"]),
    ("remote", &["uploadpack", "receivepack", "vcs"]),
    ("credential", &["helper"]),
    ("tar", &["command"]),
    ("pager", &[]),
    ("submodule", &["update"]),
    ("web", &["browser"]),
];

/// Returns what git runs because of settings in its environment: the pairs `GIT_CONFIG_KEY_0` and
/// `GIT_CONFIG_VALUE_0`, `GIT_CONFIG_PARAMETERS`, and the variables that `--config-env` names.
pub(super) fn environment_commands(
    words: &[Word],
    environment: &[Assignment],
    setting: &NestedSetting,
) -> Vec<NestedCommand> {
    let value = |name: &str| {
        let last = environment.iter().rev().find(|assignment| assignment.name == name);
        last.and_then(|assignment| assignment.value.as_ref())
    };
    let mut settings: Vec<(String, Word)> = Vec::new();
    for assignment in environment {
        if let Some(number) = assignment.name.strip_prefix("GIT_CONFIG_KEY_")
            && let (Some(key), Some(value)) =
                (assignment.value.as_ref().and_then(Word::known_text), value(&format!("GIT_CONFIG_VALUE_{number}")))
        {
            settings.push((key.to_ascii_lowercase(), value.clone()));
        }
    }
    if let Some(parameters) = value("GIT_CONFIG_PARAMETERS") {
        for word in words::split(parameters) {
            let text = word.prefix().to_owned();
            if let Some((name, _)) = text.split_once('=') {
                let value = word.strip_prefix(&format!("{name}="));
                settings.extend(value.map(|value| (name.to_ascii_lowercase(), value)));
            }
        }
    }
    for word in words {
        let given = word.known_text().and_then(|text| text.strip_prefix("--config-env="));
        if let Some((name, variable)) = given.and_then(|given| given.rsplit_once('=')) {
            settings.extend(value(variable).map(|value| (name.to_ascii_lowercase(), value.clone())));
        }
    }
    let mut found = default_pagers(words, &value, setting);
    if !settings.is_empty() {
        found.extend(commands_of_settings(words, &settings, setting));
    }
    found
}

/// Returns what a call of git on this machine runs because of settings that are not among its words.
pub(crate) fn with_git_settings(words: &[Word], settings: &[(String, Word)]) -> Vec<NestedCommand> {
    commands_of_settings(words, settings, &NestedSetting::default())
}

/// Returns what git runs in addition if some settings are given by `-c`.
fn commands_of_settings(words: &[Word], settings: &[(String, Word)], setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut with_settings: Vec<Word> = words.iter().take(1).cloned().collect();
    for (name, value) in settings {
        let mut given = Word::text(format!("{name}="));
        words::append(&mut given, value);
        with_settings.extend([Word::text("-c"), given]);
    }
    with_settings.extend(words.iter().skip(1).cloned());
    let call = OuterCommand::new(&with_settings);
    let without_settings = git(&OuterCommand::new(words), setting);
    git(&call, setting).into_iter().filter(|one| !without_settings.contains(one)).collect()
}

/// Returns the pagers of `git grep -O` that variables name, with the files that match.
fn default_pagers<'w>(
    words: &[Word],
    variable: &impl Fn(&str) -> Option<&'w Word>,
    setting: &NestedSetting,
) -> Vec<NestedCommand> {
    let call = OuterCommand::new(words);
    let at = call.argv.subcommands.first().and_then(|command| call.word_index(command));
    let opens_files = at.is_some_and(|at| opens_in_pager(words.get(at), words.get(at + 1..).unwrap_or_default()));
    let named = ["GIT_PAGER", "PAGER"].into_iter().filter(|_| opens_files).find_map(variable);
    let found = named.into_iter().filter(|pager| !pager.parts.is_empty());
    found.map(|pager| NestedCommand::new(Runnable::script(with_files(pager)), setting)).collect()
}

/// Whether a subcommand opens files in the pager that the settings name: `git grep -O`.
fn opens_in_pager(command: Option<&Word>, rest: &[Word]) -> bool {
    command.and_then(Word::known_text) == Some("grep") && grep_pagers(rest).contains(&None)
}

/// Returns what a call of git runs: because of its settings `-c name=value`, and because of its subcommand.
pub(super) fn git(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let command = call.argv.subcommands.first().copied();
    let at = command.and_then(|command| call.word_index(command));
    let own_words = call.words.get(1..at.unwrap_or(call.words.len())).unwrap_or_default();
    let rest = at.and_then(|at| call.words.get(at + 1..)).unwrap_or_default();
    // git runs its programs at the top of the working tree, which is not known here.
    let setting = NestedSetting { directory: Some(inserted_word(Cause::Directory, "git")), ..setting.clone() };
    let mut found = Vec::new();
    let settings = option_settings(own_words, "-c", None);
    let is_external = |value: &Word| value.has_known_text("ext::");
    let opens_files = opens_in_pager(command, rest);
    for (name, value) in &settings {
        if opens_files && name == "core.pager" {
            found.push(NestedCommand::new(Runnable::script(with_files(value)), &setting));
        }
        found.extend(setting_commands(name, value, command.and_then(Word::known_text), rest, &setting));
        // `remote.x.vcs=ext` runs its URL as a command, and so does a URL that `url.ext::sh -c x.insteadOf` replaces.
        let is_helper = name.ends_with(".vcs") && value.known_text() == Some("ext");
        let urls = settings.iter().filter(|(name, _)| is_helper && name.ends_with(".url")).map(|(_, url)| url.clone());
        let external_url = value.strip_prefix("ext::").filter(|_| is_external(value));
        let rewritten_url = name
            .strip_prefix("url.ext::")
            .and_then(|rest| rest.rsplit_once('.'))
            .map(|(url, _)| Word::text(url.trim()));
        found.extend(
            urls.chain(external_url)
                .chain(rewritten_url)
                .map(|text| NestedCommand::new(Runnable::script(helper_command(&text)), &setting)),
        );
    }
    found.extend(match command.and_then(Word::known_text) {
        Some(name) => subcommand_commands(name, rest, &setting),
        None => Vec::new(),
    });
    found
}

/// Returns the settings `NAME=value` that an option gives, with the names in lower case.
fn option_settings(words: &[Word], short: &str, long: Option<&str>) -> Vec<(String, Word)> {
    let mut found = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let value = if word.known_text().is_some_and(|text| text == short || Some(text) == long) {
            words.next().cloned()
        } else {
            let attached =
                word.strip_prefix(short).filter(|rest| !rest.parts.is_empty() && !word.prefix().starts_with("--"));
            attached.or_else(|| word.strip_prefix(&format!("{}=", long?)))
        };
        let Some(value) = value else { continue };
        found.extend(value.split_at_equals().map(|(name, value)| (name.to_ascii_lowercase(), value)));
    }
    found
}

/// Returns what git runs because of one setting. `command` and `rest` are the subcommand and the words after it.
fn setting_commands(
    name: &str,
    value: &Word,
    command: Option<&str>,
    rest: &[Word],
    setting: &NestedSetting,
) -> Vec<NestedCommand> {
    if let Some(alias) = name.strip_prefix("alias.") {
        let is_called = command.is_none_or(|command| command.eq_ignore_ascii_case(alias));
        return if is_called { alias_command(value, rest, setting) } else { Vec::new() };
    }
    // Another file has more settings, which may be any of those above.
    if name == "include.path" || name.starts_with("includeif.") && name.ends_with(".path") {
        return vec![NestedCommand::new(Runnable::Foreign(CodeSource::File(value.clone())), setting)];
    }
    // These values switch a feature on or off, and name no program.
    let is_switch = matches!(value.known_text(), Some("" | "true" | "false" | "1" | "0" | "yes" | "no" | "on" | "off"));
    let is_named = || {
        NAMED.iter().any(|(section, keys)| {
            let rest = name.strip_prefix(section).and_then(|rest| rest.strip_prefix('.'));
            rest.is_some_and(|rest| {
                keys.is_empty() || rest.rsplit_once('.').is_some_and(|(_, key)| keys.contains(&key))
            })
        })
    };
    if is_switch || !(CONFIGURED.contains(&name) || is_named()) {
        return Vec::new();
    }
    // A helper that is neither a path nor begins with `!` is the program `git-credential-NAME`.
    let is_helper_name = name.ends_with("helper") && !value.prefix().starts_with(['!', '/', '~', '.']);
    // The value of `submodule.NAME.update` is a keyword, or a command after a `!`.
    if name.starts_with("submodule.") && !value.prefix().starts_with('!') {
        return Vec::new();
    }
    let gets_files = name.starts_with("diff.");
    let text = match value.strip_prefix("!") {
        Some(text) => text,
        None if is_helper_name => join(&[Word::text("git"), append_text("credential-", value)]),
        None if gets_files => with_files(value),
        None => value.clone(),
    };
    vec![NestedCommand::new(Runnable::script(text), setting)]
}

/// Returns the text of a program with the files appended that git chooses: `git difftool -x PROGRAM`.
pub(super) fn with_files(program: &Word) -> Word {
    join(&[program.clone(), Word::unknown_words(Unknown::new(Cause::FileSelection, "git"))])
}

/// Returns a text with a word appended.
fn append_text(start: &str, word: &Word) -> Word {
    let mut text = Word::text(start);
    words::append(&mut text, word);
    text
}

/// Returns what an alias runs: for `!text`, a shell runs the text with the arguments appended; any other value
/// consists of words for git.
fn alias_command(value: &Word, rest: &[Word], setting: &NestedSetting) -> Vec<NestedCommand> {
    if let Some(mut text) = value.strip_prefix("!") {
        let mut arguments = vec![text.clone()];
        arguments.extend(rest.iter().cloned());
        text.push(WordPart::Text(" \"$@\"".to_owned()));
        return vec![NestedCommand::new(Runnable::Script(text, arguments), setting)];
    }
    let mut words = vec![Word::text("git")];
    words.extend(words::split(value));
    words.extend(rest.iter().cloned());
    // Git runs these words itself, in the same directory.
    let here = NestedSetting { directory: None, ..setting.clone() };
    let mut found = vec![NestedCommand::new(Runnable::Argv(words), &here)];
    // An unknown value may begin with `!`.
    let why = value.parts.first().filter(|_| value.prefix().is_empty()).and(value.unknown_reason());
    found.extend(
        why.map(|why| NestedCommand {
            doubt: Some(why),
            ..NestedCommand::new(Runnable::script(value.clone()), setting)
        }),
    );
    found
}

/// Returns the values of options among the words of a subcommand, up to a `--`.
fn values(words: &[Word], names: &[&str]) -> Vec<Word> {
    let mut found = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word.known_text() == Some("--") {
            break;
        }
        if word.known_text().is_some_and(|text| names.contains(&text)) {
            found.extend(words.next().cloned());
            continue;
        }
        found.extend(names.iter().find_map(|name| {
            let is_long = name.starts_with("--");
            let rest = word.strip_prefix(&if is_long { format!("{name}=") } else { (*name).to_owned() })?;
            // `-x` alone is handled above, and a `--long` option is not a cluster.
            (is_long || !word.prefix().starts_with("--") && !rest.parts.is_empty()).then_some(rest)
        }));
        if let Some(in_cluster) = cluster_value(word, names) {
            found.extend(if in_cluster.parts.is_empty() { words.next().cloned() } else { Some(in_cluster) });
        }
    }
    found
}

/// Returns the text after one of the letters in `names` in a cluster: `make` for `-ixmake`, and an empty text for
/// `-ix`. `None` if no letter of the cluster is one of them, or if a letter before it may take a value.
fn cluster_value(word: &Word, names: &[&str]) -> Option<Word> {
    const VALUED: &[char] = &['s', 'S', 'X', 'C', 't', 'O', 'b', 'o', 'j'];
    let letters = word.prefix().strip_prefix('-').filter(|letters| !letters.starts_with('-'))?;
    let is_wanted =
        |c: char| names.iter().any(|name| name.strip_prefix('-').is_some_and(|letter| letter.chars().eq([c])));
    let at = letters.find(is_wanted).filter(|at| *at > 0)?;
    let before = letters.get(..at)?;
    if before.contains(VALUED) || !before.chars().all(|c| c.is_ascii_alphabetic()) {
        return None;
    }
    word.strip_prefix(word.prefix().get(..at + 2)?)
}

/// The options of subcommands whose values are scripts, which may run more than once.
const REPEATED: &[(&str, &[&str])] = &[
    ("rebase", &["-x", "--exec"]),
    (
        "filter-branch",
        &[
            "--setup",
            "--env-filter",
            "--tree-filter",
            "--index-filter",
            "--parent-filter",
            "--msg-filter",
            "--commit-filter",
            "--tag-name-filter",
        ],
    ),
    ("send-email", &["--sendmail-cmd", "--to-cmd", "--cc-cmd", "--header-cmd", "--smtp-server", "--batch-cmd"]),
    ("daemon", &["--access-hook"]),
];

/// Returns the values of options as scripts.
fn scripts(rest: &[Word], options: &[&str], setting: &NestedSetting) -> Vec<NestedCommand> {
    values(rest, options).into_iter().map(|text| NestedCommand::new(Runnable::script(text), setting)).collect()
}

/// Returns what a subcommand runs because of the words after it.
fn subcommand_commands(name: &str, rest: &[Word], setting: &NestedSetting) -> Vec<NestedCommand> {
    let repeated = NestedSetting { repeats: true, ..setting.clone() };
    if let Some((_, options)) = REPEATED.iter().find(|(subcommand, _)| *subcommand == name) {
        return scripts(rest, options, &repeated);
    }
    match name {
        "bisect" => match rest {
            [run, command @ ..] if run.known_text() == Some("run") => {
                Runnable::argv(command).map(|what| NestedCommand::new(what, &repeated)).into_iter().collect()
            }
            _ => Vec::new(),
        },
        "submodule" | "submodule--helper" => foreach(rest, &repeated),
        "for-each-repo" => for_each_repository(rest, &repeated),
        "grep" => grep_pagers(rest)
            .into_iter()
            .flatten()
            .map(|text| NestedCommand::new(Runnable::script(with_files(&text)), setting))
            .collect(),
        "difftool" => values(rest, &["-x", "--extcmd"])
            .iter()
            .map(|text| NestedCommand::new(Runnable::script(with_files(text)), &repeated))
            .collect(),
        "clone" | "fetch" | "pull" | "ls-remote" | "fetch-pack" | "push" | "send-pack" | "archive" | "remote" => {
            transports(name, rest, setting)
        }
        "instaweb" => scripts(rest, &["-d", "--httpd", "-b", "--browser"], setting),
        _ => Vec::new(),
    }
}

/// Returns the pagers in which `git grep` opens the files that match: `None` for the one that the settings name.
fn grep_pagers(rest: &[Word]) -> Vec<Option<Word>> {
    // The letters of `git grep` that take the rest of the word, or the next one.
    const VALUED: &[char] = &['e', 'f', 'A', 'B', 'C', 'm'];
    let pager = |word: &Word| {
        let start = word.prefix();
        if let Some(text) = word.strip_prefix("--open-files-in-pager=") {
            return Some(Some(text));
        }
        let name = start.split_once('=').map_or(start, |(name, _)| name);
        if start.len() > 3 && "--open-files-in-pager".starts_with(name) {
            return Some(word.strip_prefix(&format!("{name}=")));
        }
        let letters = start.strip_prefix('-').filter(|letters| !letters.starts_with('-'))?;
        let at = letters.find('O').filter(|at| !letters.get(..*at).unwrap_or_default().contains(VALUED))?;
        let text = word.strip_prefix(start.get(..at + 2)?)?;
        Some(Some(text).filter(|text| !text.parts.is_empty()))
    };
    rest.iter().take_while(|word| word.known_text() != Some("--")).filter_map(pager).collect()
}

/// Returns the git command that `git for-each-repo` runs.
fn for_each_repository(rest: &[Word], setting: &NestedSetting) -> Vec<NestedCommand> {
    let option_count =
        rest.iter().take_while(|word| word.prefix().starts_with('-') && word.known_text() != Some("--")).count();
    let words = rest.get(option_count..).unwrap_or_default();
    let words = words.strip_prefix(&[Word::text("--")]).unwrap_or(words);
    let git: Vec<Word> = [Word::text("git")].into_iter().chain(words.iter().cloned()).collect();
    if words.is_empty() { Vec::new() } else { vec![NestedCommand::new(Runnable::Argv(git), setting)] }
}

/// Returns the programs through which a subcommand connects to another repository.
fn transports(name: &str, rest: &[Word], setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut found = scripts(rest, TRANSPORT, setting);
    if name == "clone" {
        found.extend(scripts(rest, &["-u"], setting));
        for (name, value) in option_settings(rest, "-c", Some("--config")) {
            found.extend(setting_commands(&name, &value, Some("clone"), &[], setting));
        }
    }
    // A URL `ext::command` runs the command.
    let external = rest.iter().filter_map(|word| word.strip_prefix("ext::"));
    found.extend(external.map(|text| NestedCommand::new(Runnable::script(helper_command(&text)), setting)));
    found
}

/// Returns the command of a URL `ext::command`, in which `% ` is a space within a word and `%%` a `%`.
fn helper_command(text: &Word) -> Word {
    let mut command = Word::default();
    for part in &text.parts {
        command.push(match part {
            WordPart::Text(known) => WordPart::Text(known.replace("% ", " ").replace("%%", "%")),
            part => part.clone(),
        });
    }
    command
}

/// The options that name the program at the other end of a connection. It may run on another machine; taking it for
/// this machine misses nothing.
const TRANSPORT: &[&str] = &["--upload-pack", "--receive-pack", "--exec", "--upload-archive"];

/// Returns what `submodule foreach [--recursive] command` runs. A single word is a text for a shell.
fn foreach(rest: &[Word], setting: &NestedSetting) -> Vec<NestedCommand> {
    let is_flag = |word: &&Word| word.prefix().starts_with('-');
    let option_count = rest.iter().take_while(is_flag).count();
    let rest = rest.get(option_count..).unwrap_or_default();
    let Some((name, rest)) = rest.split_first() else { return Vec::new() };
    if name.known_text() != Some("foreach") {
        return Vec::new();
    }
    let option_count = rest
        .iter()
        .take_while(|word| matches!(word.known_text(), Some("--recursive" | "-q" | "--quiet" | "--")))
        .count();
    match rest.get(option_count..).unwrap_or_default() {
        [] => Vec::new(),
        [text] => vec![NestedCommand::new(Runnable::script(text.clone()), setting)],
        words => Runnable::argv(words).map(|what| NestedCommand::new(what, setting)).into_iter().collect(),
    }
}
