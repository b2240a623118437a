//! Writes the environment variables whose values programs run, and the startup files of shells: the rows of
//! `src/nested/run_variables.rs` and `src/startup.rs`.

use std::fmt::Write as _;

use super::super::records::ResolvedRecord;
use super::HEAD;

/// Returns the code for `src/nested/run_variables.rs`: the rows of the tables `[variables]`.
pub(super) fn write(programs: &[ResolvedRecord]) -> String {
    let mut out = String::from(HEAD);
    out.push_str("const ROWS: &[(&[&str], &[&str], VariableUse)] = &[\n");
    for program in programs {
        for (variable_use, variables) in program.variables.iter().flatten() {
            let _infallible =
                writeln!(out, "(&{:?}, &{variables:?}, VariableUse::{variable_use}),", program.record.names);
        }
    }
    out.push_str("];\n");
    out
}

/// Returns the code for `src/startup.rs`: the rows of the tables `[startup]`.
pub(super) fn startup(programs: &[ResolvedRecord]) -> String {
    let mut out = String::from(HEAD);
    out.push_str("const ROWS: &[(&[&str], StartupCondition, &[&str])] = &[\n");
    for program in programs {
        for (condition, files) in &program.startup {
            let _infallible =
                writeln!(out, "(&{:?}, StartupCondition::{condition}, &{files:?}),", program.record.names);
        }
    }
    out.push_str("];\n");
    out
}
