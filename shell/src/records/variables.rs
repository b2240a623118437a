//! Variables that hold what programs run, from their records to the rows of `src/nested/environment.rs`.

use std::fmt::Write as _;

use super::Program;

/// What the value of a variable is: as it is written, and in Rust.
pub(super) const KINDS: &[(&str, &str)] = &[("script", "Script"), ("file", "File"), ("piped", "Piped")];

/// Writes the rows of the programs.
pub(super) fn write(programs: &[Program]) -> String {
    let mut out = String::from("// Written by build.rs from the records in programs/.\n\n");
    out.push_str("const ROWS: &[(&[&str], &[&str], Held)] = &[\n");
    for program in programs {
        for (held, variables) in program.variables.iter().flatten() {
            let _infallible = writeln!(out, "(&{:?}, &{variables:?}, Held::{held}),", program.names);
        }
    }
    out.push_str("];\n");
    out
}
