//! Writes how programs use their project: the rows of `src/project.rs`.

use std::fmt::Write as _;

use super::super::records::ResolvedRecord;
use super::super::records::project::ProjectTable;
use super::super::records::runs::OptionCondition;
use super::HEAD;

/// Writes the rows of the tables `[project]`.
pub(super) fn write(programs: &[ResolvedRecord]) -> String {
    let mut out = String::from(HEAD);
    out.push_str("static ROWS: &[ProjectRow] = &[\n");
    for program in programs {
        write_row(program, program, &[], &mut out);
    }
    out.push_str("];\n\n// Most programs work in one directory alone.\nstatic PACKAGE_ROWS: &[PackageRow] = &[\n");
    for program in programs {
        write_package_row(program, program, &[], &mut out);
    }
    out.push_str("];\n");
    out
}

/// Writes what a program or a subcommand says about the packages that it works in, and what its subcommands say.
fn write_package_row(program: &ResolvedRecord, at: &ResolvedRecord, under: &[&[String]], out: &mut String) {
    let says = |project: &&ProjectTable| {
        !project.packages.is_empty()
            || project.has_package_operand
            || !matches!(project.every_package, OptionCondition::Never)
    };
    if let Some(project) = at.project.as_ref().filter(says) {
        let every = project.every_package.rust(["Never", "Always", "With", "Without"]);
        let under: String = under.iter().map(|names| format!("&{names:?}, ")).collect();
        let _infallible = writeln!(
            out,
            "PackageRow {{ names: &{:?}, under: &[{under}], options: &{:?}, has_operand: {}, every: CheckCondition::{every} }},",
            program.record.names, project.packages, project.has_package_operand,
        );
    }
    for command in &at.commands {
        let under: Vec<&[String]> = under.iter().copied().chain([command.record.names.as_slice()]).collect();
        write_package_row(program, command, &under, out);
    }
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
