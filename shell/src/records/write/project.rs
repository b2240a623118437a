//! Writes how programs use their project: the rows of `src/project.rs`.

use std::fmt::Write as _;

use super::super::records::ResolvedRecord;
use super::HEAD;

/// Writes the rows of the tables `[project]`.
pub(super) fn write(programs: &[ResolvedRecord]) -> String {
    let mut out = String::from(HEAD);
    out.push_str("static ROWS: &[ProjectRow] = &[\n");
    for program in programs {
        write_row(program, program, &[], &mut out);
    }
    out.push_str("];\n");
    out
}

/// Writes the row of a program or a subcommand, and the rows of its subcommands. `under` are the names of the
/// subcommands up to this one.
fn write_row(program: &ResolvedRecord, at: &ResolvedRecord, under: &[&[String]], out: &mut String) {
    if let Some(project) = &at.project {
        let checks = project.checks.with_spellings(|names| at.all_spellings(names));
        let checks = checks.rust(["Never", "Always", "With", "Without"]);
        let tasks = project.tasks.map_or_else(|| "None".to_owned(), |tasks| format!("Some(TaskWords::{tasks})"));
        let under: String = under.iter().map(|names| format!("&{names:?}, ")).collect();
        let _infallible = writeln!(
            out,
            "ProjectRow {{ names: &{:?}, under: &[{under}], checks: CheckCondition::{checks}, tasks: {tasks}, runs_code: {}, files: &{:?}, fails_with: {:?} }},",
            program.record.names, project.runs_code, project.files, project.fails_with,
        );
    }
    for command in &at.commands {
        let under: Vec<&[String]> = under.iter().copied().chain([command.record.names.as_slice()]).collect();
        write_row(program, command, &under, out);
    }
}
