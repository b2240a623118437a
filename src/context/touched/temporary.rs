//! The variables that name a directory for temporary files.

use crate::context::ShellText;
use hookrules_shell::Word;
use hookrules_shell::analysis::SimpleCommand;

/// The variables, by the names that `bash` has for them: PowerShell's `$env:TEMP` is `TEMP`.
const VARIABLES: [&str; 3] = ["TMPDIR", "TEMP", "TMP"];

/// The directories that a system has below `/`, although the machine of the hook may have none.
const SYSTEM_DIRECTORIES: &[&str] = &[
    "Applications",
    "Library",
    "System",
    "Users",
    "Volumes",
    "bin",
    "boot",
    "dev",
    "etc",
    "home",
    "lib",
    "lib32",
    "lib64",
    "libx32",
    "media",
    "mnt",
    "nix",
    "opt",
    "private",
    "proc",
    "root",
    "run",
    "sbin",
    "snap",
    "srv",
    "sys",
    "tmp",
    "usr",
    "var",
];

/// Whether a variable names a directory for temporary files, and a shell text never changes it.
pub(super) fn is_kept(name: &str, shell: &ShellText) -> bool {
    let Some(name) = VARIABLES.into_iter().find(|variable| *variable == name) else { return false };
    *shell.effects.kept_variables.borrow_mut().entry(name).or_insert_with(|| is_unchanged(shell, name))
}

/// Returns the first component of a text that continues a path, if it is a name that could be a new file in `/`.
pub(super) fn name_below_root(rest: &str) -> Option<&str> {
    let first = rest.strip_prefix(['/', '\\'])?.split(['/', '\\']).next()?;
    let is_new = !matches!(first, "" | "." | "..") && !SYSTEM_DIRECTORIES.contains(&first);
    is_new.then_some(first)
}

/// Whether a shell text only expands a variable and never changes it.
fn is_unchanged(shell: &ShellText, name: &str) -> bool {
    const RUNNING_CODE: &[&str] = &[".", "source", "eval"];
    let text = shell.text.to_ascii_uppercase();
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_expanded = |(at, _): (usize, &str)| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + name.len()..).unwrap_or_default();
        let is_other_name = before.ends_with(is_of_name) || after.starts_with(is_of_name);
        // `$env:TEMP` is an expansion of PowerShell.
        let before = before.strip_suffix("ENV:").unwrap_or(before);
        let is_assigned = after.trim_start().starts_with('=') || after.starts_with('[') || after.starts_with(":=");
        is_other_name || before.ends_with(['$', '{']) && !is_assigned
    };
    let may_change = |command: &SimpleCommand| {
        let first = command.words.first().and_then(Word::known_text);
        let sets_variables =
            first.is_some_and(|first| matches!(first, "read" | "mapfile" | "readarray" | "printf" | "unset"));
        first.is_some_and(|first| RUNNING_CODE.contains(&first))
            || command
                .words
                .iter()
                .any(|word| word.known_text() == Some(name) || sets_variables && word.parts.len() > 1)
    };
    text.match_indices(name).all(is_expanded) && !shell.analysis.commands.iter().any(may_change)
}
