//! Variables whose values a program runs.

use super::{show, words};
use crate::nested::{environment_commands, words::assignment};

/// Asserts what `NAME=value… command` runs because of its variables.
#[track_caller]
fn check(text: &str, expected: &str) {
    let words = words(text);
    let environment: Vec<_> = words.iter().map_while(assignment).collect();
    let found = environment_commands(&words[environment.len()..], &environment);
    assert_eq!(found.iter().map(show).collect::<Vec<_>>().join(" ; "), expected, "{text}");
}

#[test]
fn variables_hold_commands() {
    check("GIT_SEQUENCE_EDITOR='rm x' git rebase -i", "sh: rm x in <git>");
    check("GIT_SSH_COMMAND='ssh -i k' PAGER=less git fetch", "sh: ssh -i k in <git> ; sh: less in <git>");
    check("EDITOR=$X crontab -e", "sh: <$X...>");
    check("RSYNC_RSH='ssh -p 1' rsync a b", "sh: ssh -p 1");
    check("LESSOPEN='|rm %s' less f", "sh: rm %s");
    check("LESSOPEN='|-rm %s' less f", "sh: rm %s");
    check("LESSOPEN='rm %s' less f", "sh: rm %s");
    check(
        "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.fsmonitor GIT_CONFIG_VALUE_0='rm x' git status",
        "sh: rm x in <git>",
    );
    check("GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0='rm x' git status", "");
    check("GIT_CONFIG_PARAMETERS=\"'core.fsmonitor=rm x'\" git status", "sh: rm x in <git>");
    check("X='rm x' git --config-env=core.fsmonitor=X status", "sh: rm x in <git>");
    check("BASH_ENV=f bash x.sh", "file: f");
    check("SSH_ASKPASS='rm x' sftp h", "sh: rm x");
    check("SSH_ASKPASS='rm x' autossh h", "sh: rm x");
    check("FZF_DEFAULT_COMMAND='rm x' fzf", "sh: rm x");
    check("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER='rm x' cargo run", "sh: rm x");
    check("GIT_CONFIG_GLOBAL=f git status", "code file: f in <git>");
    check("CC='rm x' make", "sh: rm x ?");
    check("CC=clang NAME='a b' make", "");
}

#[test]
fn other_variables_and_programs_hold_none() {
    check("GIT_AUTHOR_NAME=rm git commit", "");
    check("EDITOR='rm x' ls", "");
    check("PAGER= git log", "");
    check("PAGER=rm PAGER= git log", "");
    check("A=1", "");
}
