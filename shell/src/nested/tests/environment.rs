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
    check("LESSOPEN='|rm %s' less f", "sh: rm f");
    check("LESSOPEN='|-rm %s' less f", "sh: rm f");
    check("LESSOPEN='rm %s' less f", "sh: rm f");
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
    check("GIT_EXTERNAL_DIFF=rm git diff", "sh: rm <git...> in <git>");
    check("GIT_PAGER=rm PAGER=x git grep -O a", "sh: rm <git...> in <git> ; sh: rm in <git> ; sh: x in <git>");
    check("PAGER=rm git grep -nO a", "sh: rm <git...> in <git> ; sh: rm in <git>");
    check("LESSCLOSE='rm %s %s' less", "sh: rm  ");
    check(
        "ZDOTDIR=d zsh -c :",
        "file: d/.zshenv ; file: d/.zshrc ; file: d/.zprofile ; file: d/.zlogin ; file: d/.zlogout",
    );
    check("WGETRC=f wget u", "code file: f");
    check("APT_CONFIG=f apt-get update", "code file: f");
    check("RSYNC_CONNECT_PROG='rm x' rsync rsync://h/x .", "sh: rm x");
    check("PARALLEL=--dry-run parallel rm ::: a", "parallel --dry-run rm ::: a -PARALLEL");
    check("ZIPOPT=-m zip a b", "zip -m a b -ZIPOPT");
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
