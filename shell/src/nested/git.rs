//! What git runs: aliases and programs of its configuration, commands of its subcommands.
//!
//! For a subcommand that takes a command, the words themselves are parsed, not the table's result.

use super::call::Call;
use super::words::{self, join, placed};
use super::{Code, Nested, Setting, What};
use crate::analysis::Assignment;
use crate::word::{Cause, Part, Word};

/// Settings whose value is a program or a text for a shell: the last part of their name, or all of it.
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

/// Sections with a subsection name: `filter.NAME.clean`.
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

/// Returns what git runs because of settings in its environment: `GIT_CONFIG_KEY_0` with its value, and
/// `GIT_CONFIG_PARAMETERS`; `--config-env` names other variables.
pub(super) fn by_environment(words: &[Word], environment: &[Assignment], setting: &Setting) -> Vec<Nested> {
    let value = |name: &str| {
        let last = environment.iter().rev().find(|assignment| assignment.name == name);
        last.and_then(|assignment| assignment.value.as_ref())
    };
    let mut settings: Vec<(String, Word)> = Vec::new();
    for assignment in environment {
        if let Some(number) = assignment.name.strip_prefix("GIT_CONFIG_KEY_")
            && let (Some(key), Some(value)) =
                (assignment.value.as_ref().and_then(Word::known), value(&format!("GIT_CONFIG_VALUE_{number}")))
        {
            settings.push((key.to_ascii_lowercase(), value.clone()));
        }
    }
    if let Some(parameters) = value("GIT_CONFIG_PARAMETERS") {
        for word in words::split(parameters) {
            let text = word.prefix().to_owned();
            if let Some((name, _)) = text.split_once('=') {
                let value = word.after(&format!("{name}="));
                settings.extend(value.map(|value| (name.to_ascii_lowercase(), value)));
            }
        }
    }
    for word in words {
        let given = word.known().and_then(|text| text.strip_prefix("--config-env="));
        if let Some((name, variable)) = given.and_then(|given| given.rsplit_once('=')) {
            settings.extend(value(variable).map(|value| (name.to_ascii_lowercase(), value.clone())));
        }
    }
    if settings.is_empty() {
        return Vec::new();
    }
    // The words as they would be with these settings given by `-c`.
    let mut all: Vec<Word> = words.iter().take(1).cloned().collect();
    for (name, value) in &settings {
        let mut given = Word::text(format!("{name}="));
        words::append(&mut given, value);
        all.extend([Word::text("-c"), given]);
    }
    all.extend(words.iter().skip(1).cloned());
    let call = Call::new(&all);
    let others = git(&Call::new(words), setting);
    git(&call, setting).into_iter().filter(|one| !others.contains(one)).collect()
}

pub(super) fn git(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    let command = call.argv.commands.first().copied();
    let at = command.and_then(|command| call.place(command));
    let own = call.words.get(1..at.unwrap_or(call.words.len())).unwrap_or_default();
    let rest = at.and_then(|at| call.words.get(at + 1..)).unwrap_or_default();
    // git works from the top of the tree, which is not known.
    let setting = Setting { directory: Some(placed(Cause::Directory, "git")), ..setting.clone() };
    let mut found = Vec::new();
    let settings = configured(own, "-c", None);
    let is_external = |value: &Word| value.mentions("ext::");
    for (name, value) in &settings {
        found.extend(of_configuration(name, value, command.and_then(Word::known), rest, &setting));
        // `remote.x.vcs=ext` makes a command of its URL, and `url.ext::sh -c x.insteadOf` of a URL that it replaces.
        let is_helper = name.ends_with(".vcs") && value.known() == Some("ext");
        let urls = settings.iter().filter(|(name, _)| is_helper && name.ends_with(".url")).map(|(_, url)| url.clone());
        let own = value.after("ext::").filter(|_| is_external(value));
        let renamed = name
            .strip_prefix("url.ext::")
            .and_then(|rest| rest.rsplit_once('.'))
            .map(|(url, _)| Word::text(url.trim()));
        found.extend(urls.chain(own).chain(renamed).map(|text| Nested::with(What::script(helper(&text)), &setting)));
    }
    found.extend(match command.and_then(Word::known) {
        Some(name) => of_command(name, rest, &setting),
        None => Vec::new(),
    });
    found
}

/// Returns the `NAME=value` pairs of an option, with the names in lower case.
fn configured(words: &[Word], short: &str, long: Option<&str>) -> Vec<(String, Word)> {
    let mut found = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let value = if word.known().is_some_and(|text| text == short || Some(text) == long) {
            words.next().cloned()
        } else {
            let attached = word.after(short).filter(|rest| !rest.parts.is_empty() && !word.prefix().starts_with("--"));
            attached.or_else(|| word.after(&format!("{}=", long?)))
        };
        let Some(value) = value else { continue };
        found.extend(value.pair().map(|(name, value)| (name.to_ascii_lowercase(), value)));
    }
    found
}

fn of_configuration(name: &str, value: &Word, command: Option<&str>, rest: &[Word], setting: &Setting) -> Vec<Nested> {
    if let Some(alias) = name.strip_prefix("alias.") {
        let is_called = command.is_none_or(|command| command.eq_ignore_ascii_case(alias));
        return if is_called { of_alias(value, rest, setting) } else { Vec::new() };
    }
    // Settings from another file, which may be any of these.
    if name == "include.path" || name.starts_with("includeif.") && name.ends_with(".path") {
        return vec![Nested::with(What::Foreign(Code::File(value.clone())), setting)];
    }
    let is_switch = matches!(value.known(), Some("" | "true" | "false" | "1" | "0" | "yes" | "no" | "on" | "off"));
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
    // A helper without `!` or a slash is a program `git-credential-NAME`.
    let helper = name.ends_with("helper") && !value.prefix().starts_with(['!', '/', '~', '.']);
    // A submodule is updated in the way that a keyword selects, or by a command after a `!`.
    if name.starts_with("submodule.") && !value.prefix().starts_with('!') {
        return Vec::new();
    }
    let text = match value.after("!") {
        Some(text) => text,
        None if helper => join(&[Word::text("git"), appended("credential-", value)]),
        None => value.clone(),
    };
    vec![Nested::with(What::script(text), setting)]
}

fn appended(start: &str, word: &Word) -> Word {
    let mut text = Word::text(start);
    words::append(&mut text, word);
    text
}

/// An alias `!text` is run by a shell with the arguments appended; any other consists of words for git.
fn of_alias(value: &Word, rest: &[Word], setting: &Setting) -> Vec<Nested> {
    if let Some(mut text) = value.after("!") {
        let mut arguments = vec![text.clone()];
        arguments.extend(rest.iter().cloned());
        text.push(Part::Text(" \"$@\"".to_owned()));
        return vec![Nested::with(What::Script(text, arguments), setting)];
    }
    let mut words = vec![Word::text("git")];
    words.extend(words::split(value));
    words.extend(rest.iter().cloned());
    // It is the same git, in the same directory.
    let here = Setting { directory: None, ..setting.clone() };
    let mut found = vec![Nested::with(What::Argv(words), &here)];
    // An unknown value may begin with `!`.
    let why = value.parts.first().filter(|_| value.prefix().is_empty()).and(value.why());
    found.extend(why.map(|why| Nested { doubt: Some(why), ..Nested::with(What::script(value.clone()), setting) }));
    found
}

/// Returns the values of options among a subcommand's words, before a `--`.
fn values(words: &[Word], names: &[&str]) -> Vec<Word> {
    let mut found = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word.known() == Some("--") {
            break;
        }
        if word.known().is_some_and(|text| names.contains(&text)) {
            found.extend(words.next().cloned());
            continue;
        }
        found.extend(names.iter().find_map(|name| {
            let is_long = name.starts_with("--");
            let rest = word.after(&if is_long { format!("{name}=") } else { (*name).to_owned() })?;
            // `-x` alone is handled above, and a `--long` option is not a cluster.
            (is_long || !word.prefix().starts_with("--") && !rest.parts.is_empty()).then_some(rest)
        }));
        if let Some(in_cluster) = in_cluster(word, names) {
            found.extend(if in_cluster.parts.is_empty() { words.next().cloned() } else { Some(in_cluster) });
        }
    }
    found
}

/// Returns the text after one of these letters in a cluster: `-ix`, `-ixmake`. The letters before it are treated as
/// flags, except for those that have a value in some subcommand.
fn in_cluster(word: &Word, names: &[&str]) -> Option<Word> {
    const VALUED: &[char] = &['s', 'S', 'X', 'C', 't', 'O', 'b', 'o', 'j'];
    let letters = word.prefix().strip_prefix('-').filter(|letters| !letters.starts_with('-'))?;
    let is_meant = |c: char| names.iter().any(|name| name.strip_prefix('-').is_some_and(|own| own.chars().eq([c])));
    let at = letters.find(is_meant).filter(|at| *at > 0)?;
    let before = letters.get(..at)?;
    if before.contains(VALUED) || !before.chars().all(|c| c.is_ascii_alphabetic()) {
        return None;
    }
    word.after(word.prefix().get(..at + 2)?)
}

/// The options of subcommands whose values are scripts that may run more than once.
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
    ("difftool", &["-x", "--extcmd"]),
    ("send-email", &["--sendmail-cmd", "--to-cmd", "--cc-cmd", "--header-cmd", "--smtp-server", "--batch-cmd"]),
    ("daemon", &["--access-hook"]),
];

/// Returns the values of options, as scripts.
fn scripts(rest: &[Word], options: &[&str], setting: &Setting) -> Vec<Nested> {
    values(rest, options).into_iter().map(|text| Nested::with(What::script(text), setting)).collect()
}

fn of_command(name: &str, rest: &[Word], setting: &Setting) -> Vec<Nested> {
    let repeated = Setting { repeats: true, ..setting.clone() };
    if let Some((_, options)) = REPEATED.iter().find(|(own, _)| *own == name) {
        return scripts(rest, options, &repeated);
    }
    match name {
        "bisect" => match rest {
            [run, command @ ..] if run.known() == Some("run") => {
                What::argv(command).map(|what| Nested::with(what, &repeated)).into_iter().collect()
            }
            _ => Vec::new(),
        },
        "submodule" | "submodule--helper" => foreach(rest, &repeated),
        "for-each-repo" => for_each_repository(rest, &repeated),
        "grep" => {
            let pagers =
                rest.iter().filter_map(|word| word.after("--open-files-in-pager=").or_else(|| word.after("-O")));
            pagers.filter(|word| !word.parts.is_empty()).map(|text| Nested::with(What::script(text), setting)).collect()
        }
        "clone" | "fetch" | "pull" | "ls-remote" | "fetch-pack" | "push" | "send-pack" | "archive" | "remote" => {
            transports(name, rest, setting)
        }
        "instaweb" => scripts(rest, &["-d", "--httpd", "-b", "--browser"], setting),
        _ => Vec::new(),
    }
}

/// Returns the git commands that `git for-each-repo` runs.
fn for_each_repository(rest: &[Word], setting: &Setting) -> Vec<Nested> {
    let own = rest.iter().take_while(|word| word.prefix().starts_with('-') && word.known() != Some("--")).count();
    let words = rest.get(own..).unwrap_or_default();
    let words = words.strip_prefix(&[Word::text("--")]).unwrap_or(words);
    let git: Vec<Word> = [Word::text("git")].into_iter().chain(words.iter().cloned()).collect();
    if words.is_empty() { Vec::new() } else { vec![Nested::with(What::Argv(git), setting)] }
}

/// Returns the programs through which a subcommand talks to another repository.
fn transports(name: &str, rest: &[Word], setting: &Setting) -> Vec<Nested> {
    let mut found = scripts(rest, TRANSPORT, setting);
    if name == "clone" {
        found.extend(scripts(rest, &["-u"], setting));
        for (name, value) in configured(rest, "-c", Some("--config")) {
            found.extend(of_configuration(&name, &value, Some("clone"), &[], setting));
        }
    }
    // A remote helper that is a command.
    let external = rest.iter().filter_map(|word| word.after("ext::"));
    found.extend(external.map(|text| Nested::with(What::script(helper(&text)), setting)));
    found
}

/// Returns the command of a URL `ext::command`, where `% ` is a blank within a word and `%S` the name of a service.
fn helper(text: &Word) -> Word {
    let mut command = Word::default();
    for part in &text.parts {
        command.push(match part {
            Part::Text(known) => Part::Text(known.replace("% ", " ").replace("%%", "%")),
            part => part.clone(),
        });
    }
    command
}

/// The other side of a transport. If that is another machine, the text runs there; to assume this one misses nothing.
const TRANSPORT: &[&str] = &["--upload-pack", "--receive-pack", "--exec", "--upload-archive"];

/// `submodule foreach [--recursive] command`: one word is a text for a shell.
fn foreach(rest: &[Word], setting: &Setting) -> Vec<Nested> {
    let is_flag = |word: &&Word| word.prefix().starts_with('-');
    let own = rest.iter().take_while(is_flag).count();
    let rest = rest.get(own..).unwrap_or_default();
    let Some((name, rest)) = rest.split_first() else { return Vec::new() };
    if name.known() != Some("foreach") {
        return Vec::new();
    }
    let own =
        rest.iter().take_while(|word| matches!(word.known(), Some("--recursive" | "-q" | "--quiet" | "--"))).count();
    match rest.get(own..).unwrap_or_default() {
        [] => Vec::new(),
        [text] => vec![Nested::with(What::script(text.clone()), setting)],
        words => What::argv(words).map(|what| Nested::with(what, setting)).into_iter().collect(),
    }
}
