//! Whether all that a command does to files is known: for an allow, which must not rest on what is not seen.

use super::call::Call;
use super::rows;
use crate::analysis::Simple;
use crate::files::Input;

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

/// Tells whether a command goes through links below a directory: what lies behind them is not looked at.
fn follows_links(call: &Call<'_>) -> bool {
    !call.has(&["--no-dereference"]) && is_spelled(call, rows::follows(call))
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
pub fn all_accesses_known(command: &Simple) -> bool {
    if command.words.is_empty() {
        return true;
    }
    let call = Call::of(command, Input::Open);
    if call.program().is_none() {
        return false;
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
    !command.is_shadowed && (rows::says_all(&call) || command.has_read_code())
}
