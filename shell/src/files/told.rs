//! Whether all that a command does to files is told: for an allow, which must not hang on what is not seen.

use super::call::Call;
use super::rows;
use crate::analysis::Simple;
use crate::files::Input;

/// Programs that touch no file at all, or only look at names.
const IDLE: &[&str] = &[
    ":", "[", "[[", "arch", "basename", "bg", "break", "cal", "cd", "clear", "continue", "date", "declare", "df",
    "dirname", "dirs", "du", "echo", "env", "exit", "expr", "factor", "false", "fg", "file", "free", "getconf",
    "groups", "hostname", "id", "jobs", "kill", "let", "local", "locale", "ls", "nproc", "popd", "printenv", "printf",
    "ps", "pushd", "pwd", "read", "readlink", "readonly", "realpath", "return", "seq", "set", "shift", "shopt",
    "sleep", "stat", "test", "tput", "tr", "tree", "true", "tty", "type", "typeset", "ulimit", "umask", "uname",
    "unset", "uptime", "wait", "whereis", "which", "who", "whoami", "yes", "export", "sudo", "doas", "nohup", "nice",
    "ionice", "timeout", "time", "stdbuf", "setsid", "xargs", "command", "builtin", "exec",
];

/// Subcommands of git that change no file but its own.
const READING: &[&str] = &[
    "status",
    "log",
    "diff",
    "show",
    "rev-parse",
    "ls-files",
    "ls-tree",
    "blame",
    "grep",
    "describe",
    "branch",
    "remote",
    "cat-file",
    "shortlog",
    "check-ignore",
    "rev-list",
    "for-each-ref",
    "merge-base",
    "name-rev",
    "show-ref",
    "var",
    "tag",
    "reflog",
    "annotate",
    "whatchanged",
    "diff-tree",
    "count-objects",
];

/// The same of subcommands that others beside them change files.
const READING_OF: &[(&str, &[&str])] = &[("stash", &["list", "show"]), ("worktree", &["list"])];

/// Options with which a program goes through links to directories, wherever they lead.
const FOLLOWING: &[(&[&str], &[&str])] = &[
    (&["grep", "egrep", "fgrep", "ggrep"], &["-R", "--dereference-recursive"]),
    (&["rg"], &["-L", "--follow"]),
    (&["ag", "ack", "ack-grep"], &["-f", "--follow"]),
    (&["fd", "fdfind"], &["-L", "--follow"]),
    (&["find", "gfind"], &["-L", "-follow"]),
    (&["diff", "gdiff", "colordiff"], &["-r", "--recursive"]),
    (&["cp", "gcp"], &["-L", "--dereference"]),
    (&["rsync"], &["-L", "--copy-links", "--copy-dirlinks", "-k"]),
    (&["tar", "gtar", "bsdtar"], &["-h", "--dereference", "-L"]),
];

/// Tells whether a command goes through links below a directory: what lies behind them is not looked at.
fn follows_links(call: &Call<'_>) -> bool {
    let keeps_to_links = call.has(&["--no-dereference"]);
    FOLLOWING.iter().any(|(names, options)| call.is(names) && !keeps_to_links && is_spelled(call, options))
}

/// Tells whether an option is given in one of these spellings, be it in a cluster or cut short: for the table `-r` and
/// `-R` are one, and it does not have all of find's.
fn is_spelled(call: &Call<'_>, spellings: &[&str]) -> bool {
    let letters = call.argv.options.iter().filter_map(|given| given.letter);
    let mut clustered = letters.map(|letter| format!("-{letter}"));
    let is_cut = |text: &str| text.len() > 2 && text.starts_with("--");
    let is_one = |text: &str| spellings.iter().any(|own| *own == text || is_cut(text) && own.starts_with(text));
    clustered.any(|option| spellings.contains(&&*option))
        || call.words.iter().skip(1).filter_map(|word| word.known()).any(is_one)
}

/// Tells whether all that a command does to files can be told from its words.
#[must_use]
pub fn is_told(command: &Simple) -> bool {
    if command.words.is_empty() {
        return true;
    }
    let call = Call::of(command, Input::Open);
    let Some(name) = call.program() else { return false };
    if IDLE.contains(&name) {
        return true;
    }
    if call.is(&["git"]) {
        let operand = |at: usize| call.operands().get(at).and_then(|word| word.known());
        let reads_of = |name| {
            READING_OF
                .iter()
                .any(|(outer, inner)| *outer == name && operand(1).is_some_and(|name| inner.contains(&name)))
        };
        // What it sets may lie in the home directory.
        let is_asked = call.has(&["--get", "--get-all", "--get-regexp", "--get-urlmatch", "-l", "--list"]);
        let reads = |name| READING.contains(&name) || reads_of(name) || name == "config" && is_asked;
        // What it prints of objects is asked for on its input.
        let is_asked_later = operand(0) == Some("cat-file") && call.has(&["--batch", "--batch-command"]);
        return operand(0).is_some_and(reads) && !is_asked_later;
    }
    if follows_links(&call) {
        return false;
    }
    !command.is_shadowed && rows::says_all(&call)
}
