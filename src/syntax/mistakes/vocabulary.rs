//! Words of other languages, of hosts and of plain English that are not in the phrasebook.

use crate::phrases::{self, PhrasePlace};

/// The names of effect options, each with an effect that has it: some authors write an option as a clause, or after
/// the effect without braces.
pub(in crate::syntax) const OPTIONS: &[(&str, &str)] = &[
    ("timeout", "run \"…\""),
    ("on_fail", "run \"…\""),
    ("background", "run \"…\""),
    ("stdin", "run \"…\""),
    ("output", "run \"…\""),
    ("show_stdout", "run \"…\""),
    ("show_stderr", "run \"…\""),
    ("max_output_lines", "run \"…\""),
    ("attempts", "run \"…\""),
    ("cwd", "run \"…\""),
    ("env", "run \"…\""),
];

/// The names of accounts with all permissions.
pub(in crate::syntax) const ROOTS: &[&str] = &["root", "admin", "administrator", "superuser"];

/// Returns a path without another system's variable for a directory at its beginning: `src/a.rs` for
/// `$CLAUDE_PROJECT_DIR/src/a.rs`, `~/a` for `$HOME/a`; `None` if it has none.
pub fn path_after_variable(path: &str) -> Option<String> {
    let (variable, rest) = path.split_once('/')?;
    let meant = phrases::meaning(PhrasePlace::PathPrefix, variable)?;
    Some(if meant == "home" { format!("~/{rest}") } else { rest.to_owned() })
}
