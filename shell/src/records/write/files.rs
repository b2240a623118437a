//! Writes what programs do to files: the rows of `src/files/rows.rs` and `src/files/contents.rs`.

use std::fmt::Write as _;

use super::super::records::files::{FileOperandSelection, FilesTable, FilesTableOperands};
use super::super::records::{Arity, OptionEffect, OptionRecord, ResolvedRecord};
use super::write_groups;

/// Writes the rows of the tables `[files]`, for `src/files/rows.rs`, grouped by program.
pub(super) fn write(programs: &[ResolvedRecord]) -> String {
    write_groups("const GROUPS: &[&[FileRow]]", programs, |program, out| {
        write_row(program, program, &[], RecordCoverage::Whole, out)
    })
}

/// Writes the rows of the keys about contents (`content`, `edits`, …), for `src/files/contents.rs`, grouped by
/// program.
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

/// Writes the row of a program or a subcommand, and the rows of its subcommands. `under` are the names of the
/// subcommands up to this one.
fn write_row(
    program: &ResolvedRecord,
    at: &ResolvedRecord,
    under: &[&[String]],
    above: RecordCoverage,
    out: &mut String,
) {
    let is_partial = above == RecordCoverage::Partial || at.files.as_ref().is_some_and(|files| files.is_partial);
    if let Some(files) = &at.files {
        let files = if program.is_as_written || at.is_as_written { at.with_option_files(files) } else { files.clone() };
        let FilesTable { place, recursive, follows, idle, empties, values, variables, .. } = &files;
        let uses = |uses: &[(&str, Vec<String>)]| -> String {
            uses.iter().map(|(becomes, names)| format!("(&{names:?}, FileUse::{becomes}), ")).collect()
        };
        let (values, variables) = (uses(values), uses(variables));
        let under: String = under.iter().map(|names| format!("&{names:?}, ")).collect();
        // If the function does not exist, the compiler's error shows this line, and with it the record.
        let _infallible = writeln!(
            out,
            "FileRow {{ names: &{:?}, under: &[{under}],\noperands: {}, // programs/{}:{}\nrecursive: &{recursive:?}, \
             follows: &{follows:?}, values: &[{values}], idle: &{idle:?}, variables: &[{variables}], empties: &{empties:?}, is_partial: {is_partial} }},",
            program.record.names,
            operands(&files),
            place.file,
            place.line,
        );
    }
    for command in &at.commands {
        let under: Vec<&[String]> = under.iter().copied().chain([command.record.names.as_slice()]).collect();
        write_row(
            program,
            command,
            &under,
            if is_partial { RecordCoverage::Partial } else { RecordCoverage::Whole },
            out,
        );
    }
}

impl ResolvedRecord {
    /// Returns the table with all that usually comes from the options of the record, for a record whose options do
    /// not exist at run time.
    fn with_option_files(&self, files: &FilesTable) -> FilesTable {
        let all = |names: &[String]| self.all_spellings(names);
        let mut values: Vec<_> = files.values.iter().map(|(becomes, names)| (*becomes, all(names))).collect();
        for (does, becomes) in [(OptionEffect::Reads, "Read"), (OptionEffect::Writes, "Write")] {
            let is_open = |option: &&OptionRecord| {
                !values.iter().any(|(_, names)| option.names.iter().any(|name| names.contains(name)))
            };
            let options = self.all_options().filter(|option| (option.arity, option.does) == (Arity::Value, does));
            let names: Vec<_> = options.filter(is_open).flat_map(|option| option.names.clone()).collect();
            values.push((becomes, names));
        }
        values.retain(|(_, names)| !names.is_empty());
        FilesTable {
            instead: all(&files.instead),
            recursive: all(&files.recursive),
            idle: all(&files.idle),
            values,
            ..files.clone()
        }
    }

    /// Returns all spellings of some options.
    pub(super) fn all_spellings(&self, names: &[String]) -> Vec<String> {
        names.iter().flat_map(|name| self.spellings(name)).collect()
    }

    /// Returns all spellings of an option; only the given one if the record does not have the option.
    fn spellings(&self, name: &str) -> Vec<String> {
        let option = self.all_options().find(|option| option.names.iter().any(|other| other == name));
        option.map_or_else(|| vec![name.to_owned()], |option| option.names.clone())
    }
}

/// Returns the Rust expression for what the operands are.
fn operands(files: &FilesTable) -> String {
    match &files.operands {
        FilesTableOperands::None => "FileOperands::None".to_owned(),
        FilesTableOperands::By(function) => format!("FileOperands::By({function})"),
        FilesTableOperands::Files(FileOperandSelection::Each, becomes) => {
            format!("FileOperands::Each(FileUse::{becomes})")
        }
        FilesTableOperands::Files(FileOperandSelection::First, becomes) => {
            format!("FileOperands::First(FileUse::{becomes})")
        }
        FilesTableOperands::Files(FileOperandSelection::Rest, becomes) => {
            format!("FileOperands::Rest(&{:?}, FileUse::{becomes})", files.instead)
        }
    }
}
