//! Writes the environment variables whose values programs run, and the startup files of shells: the rows of
//! `src/nested/run_variables.rs` and `src/startup.rs`.

use std::fmt::Write as _;

use super::super::records::ResolvedRecord;
use super::HEAD;

/// Writes the rows of the tables `[variables]`.
pub(super) fn write(programs: &[ResolvedRecord]) -> String {
    let mut out = String::from(HEAD);
    out.push_str("const ROWS: &[(&[&str], &[&str], VariableUse)] = &[\n");
    for program in programs {
        for (held, variables) in program.variables.iter().flatten() {
            let _infallible = writeln!(out, "(&{:?}, &{variables:?}, VariableUse::{held}),", program.record.names);
        }
    }
    out.push_str("];\n");
    out
}

/// Writes the rows of the tables `[startup]`, for `src/startup.rs`.
pub(super) fn startup(programs: &[ResolvedRecord]) -> String {
    let mut out = String::from(HEAD);
    out.push_str("const ROWS: &[(&[&str], StartupCondition, &[&str])] = &[\n");
    for program in programs {
        for (when, files) in &program.startup {
            let _infallible = writeln!(out, "(&{:?}, StartupCondition::{when}, &{files:?}),", program.record.names);
        }
    }
    out.push_str("];\n");
    out
}
