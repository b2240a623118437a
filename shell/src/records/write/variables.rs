//! Writes the variables that contain code that programs run, and the startup files of shells: the rows of
//! `src/nested/environment.rs` and `src/startup.rs`.

use std::fmt::Write as _;

use super::super::records::Resolved;
use super::HEAD;

/// Writes the rows of the programs.
pub(super) fn write(programs: &[Resolved]) -> String {
    let mut out = String::from(HEAD);
    out.push_str("const ROWS: &[(&[&str], &[&str], Held)] = &[\n");
    for program in programs {
        for (held, variables) in program.variables.iter().flatten() {
            let _infallible = writeln!(out, "(&{:?}, &{variables:?}, Held::{held}),", program.record.names);
        }
    }
    out.push_str("];\n");
    out
}

/// Writes the startup files of shells, for `src/startup.rs`.
pub(super) fn startup(programs: &[Resolved]) -> String {
    let mut out = String::from(HEAD);
    out.push_str("const ROWS: &[(&[&str], When, &[&str])] = &[\n");
    for program in programs {
        for (when, files) in &program.startup {
            let _infallible = writeln!(out, "(&{:?}, When::{when}, &{files:?}),", program.record.names);
        }
    }
    out.push_str("];\n");
    out
}
