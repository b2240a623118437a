//! Words of other languages, of hosts and of plain English, with their equivalents.

use crate::phrases::{self, PhrasePlace};

/// Names of effect options, with the effect: people write them as clauses, or after the effect without braces.
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

/// Names of accounts with all rights.
pub(in crate::syntax) const ROOTS: &[&str] = &["root", "admin", "administrator", "superuser"];

/// Returns the path without another system's variable for a directory at its beginning: a path in the project needs
/// none.
pub fn path_after_variable(path: &str) -> Option<String> {
    let (variable, rest) = path.split_once('/')?;
    let meant = phrases::meaning(PhrasePlace::PathPrefix, variable)?;
    Some(if meant == "home" { format!("~/{rest}") } else { rest.to_owned() })
}
