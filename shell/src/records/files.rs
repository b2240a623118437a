//! The effects of programs on files, from their records to the rows of `src/files/rows.rs`.

use std::collections::BTreeSet;

use super::{OptionRecord, RecordMistake, ResolvedRecord, SourcePlace, report};

/// The uses of a file: the TOML word, and the Rust name.
pub(crate) const USES: &[(&str, &str)] =
    &[("reads", "Read"), ("writes", "Write"), ("deletes", "Delete"), ("changes", "Change")];

/// The uses of an option's value.
pub(crate) const VALUE_USES: &[(&str, &str)] = &[
    ("reads", "Read"),
    ("writes", "Write"),
    ("deletes", "Delete"),
    ("changes", "Change"),
    ("nothing", "Nothing"),
    ("at", "At"),
    ("field", "Field"),
    ("form", "Form"),
    ("named", "Named"),
];

/// The operands that are files.
pub(crate) const WHICH: &[(&str, FileOperandSelection)] = &[
    ("operands", FileOperandSelection::Each),
    ("first", FileOperandSelection::First),
    ("rest", FileOperandSelection::Rest),
];

/// The content that a program writes to its output files: the TOML word, and the Rust name.
pub(crate) const CONTENTS: &[(&str, &str)] = &[
    ("copies", "Copies"),
    ("input", "Input"),
    ("lines", "Lines"),
    ("values", "Values"),
    ("compiled", "Compiled"),
    ("other", "Other"),
];

/// The table `[files]` of a record.
#[derive(Clone, Default)]
pub(crate) struct FilesTable {
    pub(crate) place: SourcePlace,
    pub(crate) operands: FilesTableOperands,
    /// Options that supply what is otherwise the first operand.
    pub(crate) instead: Vec<String>,
    pub(crate) recursive: Vec<String>,
    /// Options, with their spellings, that make it follow links to directories.
    pub(crate) follows: Vec<String>,
    pub(crate) idle: Vec<String>,
    /// The uses of the values of options, with the spellings of these.
    pub(crate) values: Vec<(&'static str, Vec<String>)>,
    /// Environment variables that name directories that it empties.
    pub(crate) empties: Vec<String>,
    pub(crate) is_partial: bool,
    /// The content that it writes to its output files, as a Rust name.
    pub(crate) content: Option<&'static str>,
    /// It may change its input files.
    pub(crate) edits: bool,
    /// Some names of descriptors are its own streams.
    pub(crate) streams: bool,
    /// One of its operands is the destination of the others.
    pub(crate) collects: bool,
    /// The file name extensions that it removes from the files that it unpacks.
    pub(crate) unpacks: Vec<String>,
}

/// The role of a program's operands.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) enum FilesTableOperands {
    #[default]
    None,
    /// Files, and their use.
    Files(FileOperandSelection, &'static str),
    /// Determined by a function of `src/files`.
    By(String),
}

/// Which of the operands are files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileOperandSelection {
    Each,
    First,
    Rest,
}

impl FilesTable {
    /// Whether it describes the contents of files.
    pub(crate) fn follows_contents(&self) -> bool {
        self.content.is_some() || self.edits || self.streams || self.collects || !self.unpacks.is_empty()
    }

    /// Returns its lists of options.
    fn lists(&self) -> impl Iterator<Item = &[String]> {
        let values = self.values.iter().map(|(_, names)| names.as_slice());
        [&self.instead, &self.recursive, &self.follows, &self.idle].into_iter().map(Vec::as_slice).chain(values)
    }
}

/// Checks the table of a program or a subcommand against its options; `None`: its words are read as written.
pub(crate) fn check(program: &ResolvedRecord, options: Option<&[&OptionRecord]>, mistakes: &mut Vec<RecordMistake>) {
    let Some(files) = &program.files else { return };
    for names in files.lists() {
        report_unknown_options("files", &files.place, names, options, mistakes);
    }
    report_duplicate_values(files, mistakes);
}

/// Reports names that are not options, or not options of the record.
pub(crate) fn report_unknown_options(
    table: &str,
    place: &SourcePlace,
    names: &[String],
    options: Option<&[&OptionRecord]>,
    mistakes: &mut Vec<RecordMistake>,
) {
    for name in names {
        let is_known = |options: &[&OptionRecord]| options.iter().any(|option| option.names.contains(name));
        if !name.starts_with('-') && options.is_none() {
            report(mistakes, place, format!("`{table}`: `{name}` has no dash"), "write one dash or two");
        } else if !options.is_none_or(is_known) {
            report(mistakes, place, format!("`{table}`: there is no option `{name}`"), "add it to the options");
        }
    }
}

/// Reports options whose values are listed twice.
fn report_duplicate_values(files: &FilesTable, mistakes: &mut Vec<RecordMistake>) {
    let mut seen = BTreeSet::new();
    for name in files.values.iter().flat_map(|(_, names)| names) {
        if !seen.insert(name) {
            let message = format!("`files.values`: the option `{name}` stands twice");
            report(mistakes, &files.place, message, "keep the use that is right");
        }
    }
}
