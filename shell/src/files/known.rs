//! Whether all accesses of a command to files are known: a rule must not allow a command because of accesses that are
//! not seen.

use super::call::ParsedCommand;
use super::rows;
use crate::analysis::{SimpleCommand, are_harmless};
use crate::files::StdinKind;

/// Subcommands of git that change nothing but git's own files.
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

/// The same for subcommands of a subcommand, if other ones change files.
const READING_OF: &[(&str, &[&str])] = &[("stash", &["list", "show"]), ("worktree", &["list"])];

/// Whether a command follows links below a directory. Where they lead is not examined.
fn follows_links(call: &ParsedCommand<'_>) -> bool {
    !call.has_option(&["--no-dereference"]) && is_spelled(call, rows::link_options(call))
}

/// Whether an option is given in one of these spellings, possibly in a cluster (`-aL`) or abbreviated (`--derefer`).
/// The words are compared, because a record may treat `-r` and `-R` alike and lacks some of `find`'s options.
fn is_spelled(call: &ParsedCommand<'_>, spellings: &[&str]) -> bool {
    let letters = call.argv.options.iter().filter_map(|given| given.letter);
    let mut clustered = letters.map(|letter| format!("-{letter}"));
    let is_cut = |text: &str| text.len() > 2 && text.starts_with("--");
    let is_one = |text: &str| spellings.iter().any(|own| *own == text || is_cut(text) && own.starts_with(text));
    clustered.any(|option| spellings.contains(&&*option))
        || call.words.iter().skip(1).filter_map(|word| word.known_text()).any(is_one)
}

/// Whether a command has an option that its record does not list: that may write any file.
fn has_unlisted(call: &ParsedCommand<'_>) -> bool {
    let has_options = call.argv.table().is_some_and(|table| !table.options.is_empty() || !table.shared.is_empty());
    has_options && call.argv.options.iter().any(|given| given.option.is_none())
}

/// Whether the words of a command show all of its accesses to files.
#[must_use]
pub fn all_accesses_known(command: &SimpleCommand) -> bool {
    if command.words.is_empty() {
        return true;
    }
    let call = ParsedCommand::from_command(command, StdinKind::Inherited);
    if call.program().is_none() {
        return false;
    }
    if call.is_program(&["git"]) {
        let operand = |at: usize| call.operands().get(at).and_then(|word| word.known_text());
        let reads_of = |name| {
            READING_OF
                .iter()
                .any(|(outer, inner)| *outer == name && operand(1).is_some_and(|name| inner.contains(&name)))
        };
        // A `git config` that writes may write a file in the home directory.
        let is_asked = call.has_option(&["--get", "--get-all", "--get-regexp", "--get-urlmatch", "-l", "--list"]);
        let reads = |name| READING.contains(&name) || reads_of(name) || name == "config" && is_asked;
        // With `--batch`, the objects to print are named on standard input.
        let is_asked_later = operand(0) == Some("cat-file") && call.has_option(&["--batch", "--batch-command"]);
        return operand(0).is_some_and(reads) && !is_asked_later;
    }
    if follows_links(&call) || has_unlisted(&call) || !are_harmless(&command.environment) {
        return false;
    }
    !command.is_shadowed && (rows::is_complete(&call) || command.has_read_code())
}
