//! What each program runs, a table per group; a wrapper leaves its command unchanged.

use proptest::prelude::*;

use super::*;
use crate::programs::{Arity, Program, programs};
use crate::word::{Cause, UnknownPart, WordPart};

mod code;
mod doubt;
mod elsewhere;
mod environment;
mod examples;
mod forwarder_examples;
mod forwarders;
mod git;
mod runners;
mod shells;
mod wrappers;

/// Splits a command as a shell would: quotes, and `$NAME` as an unknown part that splits if it is not quoted.
fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut word: Option<Word> = None;
    let mut quote = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None | Some('"'), '$') if chars.peek().is_some_and(char::is_ascii_uppercase) => {
                let mut name = "$".to_owned();
                while let Some(c) = chars.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
                    name.push(c);
                }
                let why = Unknown::new(Cause::Variable, name);
                word.get_or_insert_default()
                    .push(WordPart::Unknown(UnknownPart { reason: why, may_split: quote.is_none() }));
            }
            (None, ' ') => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(WordPart::Text(c.to_string())),
        }
    }
    words.extend(word);
    words
}

/// Formats a word: unknown parts in `<…>`, with dots if they split.
fn shown(word: &Word) -> String {
    let parts = word.parts.iter().map(|part| match part {
        WordPart::Text(text) | WordPart::Glob(text) => text.replace('\n', "\\n"),
        WordPart::Unknown(unknown) => {
            format!("<{}{}>", unknown.reason.word, if unknown.may_split { "..." } else { "" })
        }
    });
    let text: String = parts.collect();
    if text.is_empty() || text.contains(' ') { format!("'{text}'") } else { text }
}

fn line(words: &[Word]) -> String {
    words.iter().map(shown).collect::<Vec<_>>().join(" ")
}

/// Formats what is run, then its setting: `@scope`, `in DIRECTORY`, `NAME=value`, `-NAME`, and a final `?` for a doubt.
fn show(inner: &NestedCommand) -> String {
    let behind = |words: &[Word]| if words.is_empty() { String::new() } else { format!(" | {}", line(words)) };
    let mut text = match &inner.runnable {
        Runnable::Argv(words) => line(words),
        Runnable::Script(text, arguments) => format!("sh: {}{}", shown(text).trim_matches('\''), behind(arguments)),
        Runnable::Input(arguments) => format!("stdin{}", behind(arguments)),
        Runnable::File(file) => format!("file: {}", shown(file)),
        Runnable::Foreign(CodeSource::Text(text)) => format!("code: {}", shown(text).trim_matches('\'')),
        Runnable::Foreign(CodeSource::Input) => "code: stdin".to_owned(),
        Runnable::Foreign(CodeSource::File(file)) => format!("code file: {}", shown(file)),
    };
    let setting = &inner.setting;
    if let Some(scope) = setting.scope {
        text.push_str(&format!(" @{scope:?}").to_lowercase());
    }
    if let Some(directory) = &setting.directory {
        text.push_str(&format!(" in {}", shown(directory)));
    }
    for Assignment { name, value } in &setting.environment {
        text.push_str(&match value {
            Some(value) => format!(" {name}={}", shown(value)),
            None => format!(" -{name}"),
        });
    }
    for (is, name) in [
        (setting.repeats, " repeats"),
        (setting.in_background, " background"),
        (setting.in_this_shell, " here"),
        (setting.may_be_task, " or a task"),
        (inner.doubt.is_some(), " ?"),
    ] {
        text.push_str(if is { name } else { "" });
    }
    text
}

/// Asserts a table of `command => what it runs`, a row per line; an empty right side means nothing, and ` ; ` separates
/// several.
#[track_caller]
fn table(rows: &str) {
    let rows: Vec<&str> = rows.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
    let mut wrong = Vec::new();
    for row in rows {
        let (text, expected) = row.split_once(" =>").unwrap_or((row, ""));
        let is = nested(&words(text)).iter().map(show).collect::<Vec<_>>().join(" ; ");
        if is != expected.trim() {
            wrong.push(format!("{text}\n  is       {is}\n  expected {}", expected.trim()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_runs_nothing_has_nothing_inside() {
    table(
        "
        ls -la
        echo sudo rm -rf x
        which sudo
        type -a sudo
        man sudo
        apt-cache search sudo
        brew install sudo
        npm run sudo
        npm install npx
        make install
        cargo build
        docker pull npm/x
        docker push img
        docker rm -f web
        docker compose up
        kubectl get pods
        git commit -m 'rm -rf x'
        git config alias.x '!rm -rf x'
        git log --format=%x
        unknown-wrapper rm -rf x
        time
        nohup
        exec
        ",
    );
    assert!(nested(&[]).is_empty());
}

/// Calls of programs that take a command after their own words.
const PREFIXES: &[&str] = &[
    "sudo",
    "sudo -u root -E A=1",
    "sudo -nE --user=root --",
    "doas -u root",
    "env -i -u X -- A=1",
    "env A=1 B=2",
    "timeout -k 5 --signal=KILL 10",
    "nice -n 5",
    "nice -19",
    "ionice -c2 -n7",
    "chrt -f 10",
    "stdbuf -oL -eL",
    "setsid -w",
    "flock -n /tmp/l",
    "taskset -c 0-3",
    "time -p",
    "nohup",
    "command -p",
    "builtin",
    "exec -cl",
    "unshare -r",
    "setarch x86_64 -R",
    "strace -f -e trace=open -o out",
    "perf stat -e cycles",
    "valgrind --leak-check=full",
    "faketime -f '@2020-01-01'",
    "bwrap --ro-bind / / --dev /dev",
    "fakeroot --",
    "ssh-agent",
    "xvfb-run -a -s '-screen 0'",
    "systemd-run --user --wait -p A=b",
    "systemd-inhibit --what=idle",
    "busybox",
    "gosu app",
    "docker exec -it -e A=1 web",
    "docker run --rm -v a:b -e X=1 image",
    "docker compose -f c.yml exec -T web",
    "kubectl -n ns exec pod -c c --",
    "lxc exec box --",
    "npx",
    "npx -y -p pkg",
    "pnpm dlx",
    "bunx",
    "uv run --with x",
    "uvx --from x",
    "pipx run",
    "poetry run",
    "bundle exec",
    "direnv exec .",
    "mise exec node@20 --",
    "rustup run nightly",
    "dotenv -e .env --",
    "cross-env A=1",
    "conda run -n env",
    "watch -x",
    "entr -c",
    "watchexec -n -e rs --",
    "dbus-run-session --",
    "screen -dmS name",
    "chroot /mnt",
    "xcrun",
    "caffeinate -i",
];

proptest! {
    #[test]
    fn a_wrapper_in_front_leaves_the_command_as_it_is(
        prefixes in prop::collection::vec(0..PREFIXES.len(), 1..4),
        arguments in prop::collection::vec("[a-zA-Z0-9./{}:,+-]{1,6}", 0..5),
    ) {
        let mut command = vec![Word::text("innermost")];
        command.extend(arguments.iter().map(Word::text));
        let outer: Vec<Word> = prefixes.iter().flat_map(|prefix| words(PREFIXES[*prefix])).chain(command.clone()).collect();
        let mut inside = outer.clone();
        for _ in &prefixes {
            let found = nested(&inside);
            prop_assert_eq!(found.len(), 1, "{}", line(&inside));
            prop_assert_eq!(&found[0].doubt, &None, "{}", line(&inside));
            let Runnable::Argv(words) = &found[0].runnable else { panic!("{}", line(&inside)) };
            inside.clone_from(words);
        }
        prop_assert_eq!(inside, command, "{}", line(&outer));
    }

    #[test]
    fn no_words_make_it_fail(indices in prop::collection::vec(0..LOOSE.len(), 0..8)) {
        let words: Vec<Word> = indices.iter().flat_map(|index| words(LOOSE[*index])).collect();
        for inner in nested(&words) {
            prop_assert!(!matches!(&inner.runnable, Runnable::Argv(words) if words.is_empty()));
        }
    }
}

/// Words with a meaning for some program.
const LOOSE: &[&str] = &[
    "sudo",
    "env",
    "-S",
    "-u",
    "--",
    "-",
    "A=1",
    "sh",
    "-c",
    "-o",
    "+o",
    "-xec",
    "xargs",
    "-I",
    "{}",
    "find",
    "-exec",
    ";",
    "+",
    "ssh",
    "git",
    "rebase",
    "-x",
    "submodule",
    "foreach",
    "awk",
    "'{ print | \"x\" }'",
    "sed",
    "s/a/b/e",
    "1e",
    "tmux",
    "send-keys",
    "nix",
    "run",
    "docker",
    "$X",
    "'$X'",
    "\"$X\"",
    "''",
    "-$X",
    "su",
    "flock",
    "python",
    "-m",
    "parallel",
    ":::",
    "vim",
    "+!x",
    "gdb",
    "--args",
    "socat",
    "EXEC:x,y",
    "screen",
    "-X",
    "stuff",
    "pwsh",
    "-File",
    "node",
    "-p",
    "bwrap",
    "--bind",
    "perl",
    "-ne",
    "'[é/\\'",
    "setarch",
    "x86_64",
    "trap",
    "timeout",
    "5",
    "exec=rm",
    "tar",
    "--checkpoint-action",
    "dotenv",
];

/// The answer of every program of the table to an option that runs something, repeated in one word and in many.
#[test]
fn no_option_leads_to_itself_without_end() {
    fn each(words: &[&str], program: &Program, check: &dyn Fn(&[&str], &str)) {
        for option in program.all_options().filter(|option| option.arity != Arity::None) {
            option.names.iter().for_each(|name| check(words, name));
        }
        for command in program.commands {
            each(&[words, &command.names[..1]].concat(), command, check);
        }
    }
    let check = |words: &[&str], option: &str| {
        let text = |tail: String| format!("{} {tail}", words.join(" "));
        for text in
            [text(option.repeat(300)), text(format!("{option} ").repeat(300)), text(format!("{option}=").repeat(300))]
        {
            let own: Vec<Word> = text.split(' ').filter(|word| !word.is_empty()).map(Word::text).collect();
            let _ends = nested(&own);
        }
    };
    let run = move || programs().for_each(|program| each(&program.names[..1], program, &check));
    std::thread::Builder::new().stack_size(256 << 10).spawn(run).unwrap().join().unwrap();
}
