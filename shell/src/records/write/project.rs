//! Writes which programs check the project or run its tasks, and in which packages: the rows of `src/project.rs`.

use std::fmt::Write as _;

use super::super::records::ResolvedRecord;
use super::super::records::project::ProjectTable;
use super::super::records::runs::OptionCondition;
use super::HEAD;

/// Returns the code for `src/project.rs`: the rows of the tables `[project]`.
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

/// Writes the row for the packages that `command` works in, if its record mentions packages, and the rows of the
/// subcommands below it. The arguments are those of [`write_row`].
fn write_package_row(program: &ResolvedRecord, command: &ResolvedRecord, path: &[&[String]], out: &mut String) {
    let mentions_packages = |project: &&ProjectTable| {
        !project.packages.is_empty()
            || project.has_package_operand
            || !matches!(project.every_package, OptionCondition::Never)
    };
    if let Some(project) = command.project.as_ref().filter(mentions_packages) {
        let every = project.every_package.rust(["Never", "Always", "With", "Without"]);
        let path: String = path.iter().map(|names| format!("&{names:?}, ")).collect();
        let _infallible = writeln!(
            out,
            "PackageRow {{ names: &{:?}, under: &[{path}], options: &{:?}, has_operand: {}, every: CheckCondition::{every} }},",
            program.record.names, project.packages, project.has_package_operand,
        );
    }
    for subcommand in &command.commands {
        let path: Vec<&[String]> = path.iter().copied().chain([subcommand.record.names.as_slice()]).collect();
        write_package_row(program, subcommand, &path, out);
    }
}

/// Writes the row of `command`, which is `program` itself or one of its subcommands, and the rows of the subcommands
/// below it. `path` has the names of each subcommand from the program to `command`, and is empty for the program.
fn write_row(program: &ResolvedRecord, command: &ResolvedRecord, path: &[&[String]], out: &mut String) {
    if let Some(project) = &command.project {
        let checks = project.checks.with_spellings(|names| command.all_spellings(names));
        let checks = checks.rust(["Never", "Always", "With", "Without"]);
        let tasks = project.tasks.map_or_else(|| "None".to_owned(), |tasks| format!("Some(TaskWords::{tasks})"));
        let path: String = path.iter().map(|names| format!("&{names:?}, ")).collect();
        let _infallible = writeln!(
            out,
            "ProjectRow {{ names: &{:?}, under: &[{path}], checks: CheckCondition::{checks}, tasks: {tasks}, runs_code: {}, files: &{:?}, fails_with: {:?} }},",
            program.record.names, project.runs_code, project.files, project.fails_with,
        );
    }
    for subcommand in &command.commands {
        let path: Vec<&[String]> = path.iter().copied().chain([subcommand.record.names.as_slice()]).collect();
        write_row(program, subcommand, &path, out);
    }
}
