//! Writes how programs use their project: the rows of `src/project.rs`.

use std::fmt::Write as _;

use super::super::records::Resolved;
use super::HEAD;

/// Writes the rows of the programs.
pub(super) fn write(programs: &[Resolved]) -> String {
    let mut out = String::from(HEAD);
    out.push_str("static ROWS: &[Row] = &[\n");
    for program in programs {
        row(program, program, &[], &mut out);
    }
    out.push_str("];\n");
    out
}

/// Writes the row of a program or a subcommand, and those of the subcommands below.
fn row(program: &Resolved, at: &Resolved, under: &[&[String]], out: &mut String) {
    if let Some(project) = &at.project {
        let checks = project.checks.spelled(|names| at.all_spellings(names));
        let checks = checks.rust(["Never", "Always", "With", "Without"]);
        let tasks = project.tasks.map_or_else(|| "None".to_owned(), |tasks| format!("Some(Tasks::{tasks})"));
        let under: String = under.iter().map(|names| format!("&{names:?}, ")).collect();
        let _infallible = writeln!(
            out,
            "Row {{ names: &{:?}, under: &[{under}], checks: Checks::{checks}, tasks: {tasks}, runs_code: {}, files: &{:?}, fails_with: {:?} }},",
            program.record.names, project.runs_code, project.files, project.fails_with,
        );
    }
    for command in &at.commands {
        let under: Vec<&[String]> = under.iter().copied().chain([command.record.names.as_slice()]).collect();
        row(program, command, &under, out);
    }
}
