//! Writes how programs use files: the rows of `src/files/rows.rs` and `src/files/contents.rs`.

use std::fmt::Write as _;

use super::super::records::files::{FileOperandSelection, FilesTable, FilesTableOperands};
use super::super::records::{Arity, OptionEffect, OptionRecord, ResolvedRecord};
use super::write_groups;

/// Returns the code for `src/files/rows.rs`: the rows of the tables `[files]`, grouped by program.
pub(super) fn write(programs: &[ResolvedRecord]) -> String {
    write_groups("const GROUPS: &[&[FileRow]]", programs, |program, out| {
        write_row(program, program, &[], RecordCoverage::Whole, out)
    })
}

/// Returns the code for `src/files/contents.rs`: the rows of the keys about contents (`content`, `edits`, …), grouped
/// by program.
pub(super) fn contents(programs: &[ResolvedRecord]) -> String {
    write_groups("const GROUPS: &[&[ContentRow]]", programs, |program, out| {
        let Some(files) = program.files.as_ref().filter(|files| files.follows_contents()) else { return };
        let content =
            files.content.map_or_else(|| "None".to_owned(), |content| format!("Some(WrittenContent::{content})"));
        let _infallible = writeln!(
            out,
            "ContentRow {{ names: &{:?}, content: {content}, edits: {}, streams: {}, collects: {}, unpacks: &{:?} }},",
            program.record.names, files.edits, files.streams, files.collects, files.unpacks,
        );
    })
}

/// Whether the table `[files]` describes everything that a program does to files.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RecordCoverage {
    Whole,
    Partial,
}

/// Writes the row of `command`, which is `program` itself or one of its subcommands, and the rows of the subcommands
/// below it. `path` has the names of each subcommand from the program to `command`, and is empty for the program.
/// `parent_coverage` is the coverage of the table of the command above.
fn write_row(
    program: &ResolvedRecord,
    command: &ResolvedRecord,
    path: &[&[String]],
    parent_coverage: RecordCoverage,
    out: &mut String,
) {
    let is_partial =
        parent_coverage == RecordCoverage::Partial || command.files.as_ref().is_some_and(|files| files.is_partial);
    if let Some(files) = &command.files {
        let files = if program.is_as_written || command.is_as_written {
            command.with_option_files(files)
        } else {
            files.clone()
        };
        let FilesTable { place, skip, recursive, follows, idle, empties, values, variables, .. } = &files;
        let uses = |uses: &[(&str, Vec<String>)]| -> String {
            uses.iter().map(|(file_use, names)| format!("(&{names:?}, FileUse::{file_use}), ")).collect()
        };
        let (values, variables) = (uses(values), uses(variables));
        let path: String = path.iter().map(|names| format!("&{names:?}, ")).collect();
        // If the function does not exist, the compiler's error shows this line, and with it the record.
        let _infallible = writeln!(
            out,
            "FileRow {{ names: &{:?}, under: &[{path}],\noperands: {}, // programs/{}:{}\nskip: {skip}, recursive: &{recursive:?}, \
             follows: &{follows:?}, values: &[{values}], idle: &{idle:?}, variables: &[{variables}], empties: &{empties:?}, is_partial: {is_partial} }},",
            program.record.names,
            operands(&files),
            place.file,
            place.line,
        );
    }
    for subcommand in &command.commands {
        let path: Vec<&[String]> = path.iter().copied().chain([subcommand.record.names.as_slice()]).collect();
        write_row(
            program,
            subcommand,
            &path,
            if is_partial { RecordCoverage::Partial } else { RecordCoverage::Whole },
            out,
        );
    }
}

impl ResolvedRecord {
    /// Returns the table with all spellings of its options, and with the options that read or write files added to its
    /// `values`. It is for a record whose options do not exist at run time, so that the row alone must have these
    /// facts.
    fn with_option_files(&self, files: &FilesTable) -> FilesTable {
        let spellings = |names: &[String]| self.all_spellings(names);
        let mut values: Vec<_> = files.values.iter().map(|(file_use, names)| (*file_use, spellings(names))).collect();
        for (effect, file_use) in [(OptionEffect::Reads, "Read"), (OptionEffect::Writes, "Write")] {
            let has_no_use_yet = |option: &&OptionRecord| {
                !values.iter().any(|(_, names)| option.names.iter().any(|name| names.contains(name)))
            };
            let options = self.all_options().filter(|option| (option.arity, option.does) == (Arity::Value, effect));
            let names: Vec<_> = options.filter(has_no_use_yet).flat_map(|option| option.names.clone()).collect();
            values.push((file_use, names));
        }
        values.retain(|(_, names)| !names.is_empty());
        FilesTable {
            instead: spellings(&files.instead),
            recursive: spellings(&files.recursive),
            idle: spellings(&files.idle),
            values,
            ..files.clone()
        }
    }

    /// Returns all spellings of the options with these names.
    pub(super) fn all_spellings(&self, names: &[String]) -> Vec<String> {
        names.iter().flat_map(|name| self.spellings(name)).collect()
    }

    /// Returns all spellings of the option with this name; only the name itself if the record does not have the option.
    fn spellings(&self, name: &str) -> Vec<String> {
        let option = self.all_options().find(|option| option.names.iter().any(|other| other == name));
        option.map_or_else(|| vec![name.to_owned()], |option| option.names.clone())
    }
}

/// Returns the Rust expression for how the program uses its operands.
fn operands(files: &FilesTable) -> String {
    match &files.operands {
        FilesTableOperands::None => "FileOperands::None".to_owned(),
        FilesTableOperands::By(function) => format!("FileOperands::By({function})"),
        FilesTableOperands::Files(FileOperandSelection::Each, file_use) => {
            format!("FileOperands::Each(FileUse::{file_use})")
        }
        FilesTableOperands::Files(FileOperandSelection::First, file_use) => {
            format!("FileOperands::First(FileUse::{file_use})")
        }
        FilesTableOperands::Files(FileOperandSelection::Rest, file_use) => {
            format!("FileOperands::Rest(&{:?}, FileUse::{file_use})", files.instead)
        }
    }
}
