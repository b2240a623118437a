//! Decides whether all accesses of a command to files are known. If not, a rule must not allow the command because of
//! those that are.

use super::call::ParsedCommand;
use super::rows;
use crate::analysis::{SimpleCommand, are_harmless};
use crate::files::StdinKind;

/// Subcommands of git that change no file of the working tree. A change of git's own files is no access here.
const READING_SUBCOMMANDS: &[&str] = &[
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
    "diff-index",
    "diff-files",
    "range-diff",
    "cherry",
    "show-branch",
    "symbolic-ref",
    "check-attr",
    "check-ref-format",
    "verify-commit",
    "verify-tag",
    "version",
    "count-objects",
    "fsck",
];

/// Subcommands of git that change no file with one of these options, even if others of their options do.
const PREVIEWS: &[(&str, &[&str])] = &[
    ("add", &["-n", "--dry-run"]),
    ("apply", &["--stat", "--numstat", "--summary", "--check"]),
    ("clean", &["-n", "--dry-run"]),
    ("format-patch", &["--stdout"]),
    ("mv", &["-n", "--dry-run"]),
    ("rm", &["-n", "--dry-run"]),
];

/// Options with which the subcommands of [`PREVIEWS`] change files all the same.
const NO_PREVIEW: &[&str] = &["--apply", "--reject", "--index", "--cached", "-3", "--3way", "-o", "--output-directory"];

/// The same for pairs of subcommands, such as `git stash list`, if `git stash` itself changes other files.
const READING_PAIRS: &[(&str, &[&str])] = &[
    ("stash", &["list", "show"]),
    ("worktree", &["list"]),
    ("bundle", &["list-heads", "verify"]),
    ("rerere", &["status", "diff", "remaining"]),
    ("sparse-checkout", &["list"]),
    ("bisect", &["log"]),
    ("notes", &["list", "show", "get-ref"]),
    ("submodule", &["status", "summary"]),
];

/// Whether a command follows links below a directory, so that it may reach files elsewhere.
fn follows_links(call: &ParsedCommand<'_>) -> bool {
    !call.has_option(&["--no-dereference"]) && is_spelled(call, rows::link_options(call))
}

/// Whether an option is given in one of these spellings, in a cluster (`-aL`), or abbreviated (`--derefer`). The words
/// themselves are compared, because a record may treat `-r` and `-R` alike, and lacks some options of `find`.
fn is_spelled(call: &ParsedCommand<'_>, spellings: &[&str]) -> bool {
    let letters = call.argv.options.iter().filter_map(|given| given.letter);
    let mut clustered = letters.map(|letter| format!("-{letter}"));
    let may_be_abbreviated = |text: &str| text.len() > 2 && text.starts_with("--");
    let is_given =
        |text: &str| spellings.iter().any(|own| *own == text || may_be_abbreviated(text) && own.starts_with(text));
    clustered.any(|option| spellings.contains(&&*option))
        || call.words.iter().skip(1).filter_map(|word| word.known_text()).any(is_given)
}

/// Whether a command has an option that the record of its program does not list. Such an option may write any file.
fn has_unlisted_option(call: &ParsedCommand<'_>) -> bool {
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
    // A function of the program's name runs instead of it, and a variable may name another program or a file.
    if command.is_shadowed || !are_harmless(&command.environment) {
        return false;
    }
    if call.is_program(&["git"]) {
        return is_reading_git_command(&call);
    }
    !follows_links(&call) && !has_unlisted_option(&call) && (rows::is_complete(&call) || command.has_read_code())
}

/// Whether a git command only reads, apart from git's own files. The files that it prints are named by its words.
fn is_reading_git_command(call: &ParsedCommand<'_>) -> bool {
    let operand = |at: usize| call.operands().get(at).and_then(|word| word.known_text());
    let Some(subcommand) = operand(0) else { return false };
    let is_reading_pair = || {
        let mut pairs = READING_PAIRS.iter();
        pairs.any(|(outer, inner)| *outer == subcommand && operand(1).is_some_and(|name| inner.contains(&name)))
    };
    // A `git config` that writes may write a file in the home directory.
    let is_reading_config = || {
        const READING: &[&str] = &["--get", "--get-all", "--get-regexp", "--get-urlmatch", "-l", "--list"];
        let is_name_alone = || call.operands().len() == 2 && call.argv.options.iter().all(|given| given.is_global);
        subcommand == "config" && (call.has_option(READING) || is_name_alone())
    };
    // With `--batch`, the objects to print are named on standard input.
    let reads_names_from_stdin = subcommand == "cat-file" && call.has_option(&["--batch", "--batch-command"]);
    let is_preview = || {
        let mut previews = PREVIEWS.iter();
        previews.any(|(name, options)| *name == subcommand && call.has_option(options)) && !call.has_option(NO_PREVIEW)
    };
    let reads_only =
        READING_SUBCOMMANDS.contains(&subcommand) || is_reading_pair() || is_reading_config() || is_preview();
    !reads_names_from_stdin && reads_only
}
