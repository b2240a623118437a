//! The table `[files]` of a record: what a program does to files. The build script writes it as the rows of
//! `src/files/rows.rs`.

use std::collections::BTreeSet;

use super::{OptionRecord, RecordMistake, ResolvedRecord, SourcePlace, report};

/// What a program does to a file: the word in TOML, and the variant of the Rust enum `FileUse`.
pub(crate) const USES: &[(&str, &str)] =
    &[("reads", "Read"), ("writes", "Write"), ("deletes", "Delete"), ("changes", "Change")];

/// What a program does to the file in an option's value: the word in TOML, and the variant of `FileUse`.
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

/// Which operands are files, by the word in TOML.
pub(crate) const WHICH: &[(&str, FileOperandSelection)] = &[
    ("operands", FileOperandSelection::Each),
    ("first", FileOperandSelection::First),
    ("rest", FileOperandSelection::Rest),
];

/// What a program writes to its output files: the word in TOML, and the variant of the Rust enum `WrittenContent`.
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
    /// What the operands are.
    pub(crate) operands: FilesTableOperands,
    /// Options that give what is otherwise the first operand: `chown --reference=f` has no owner as an operand.
    pub(crate) instead: Vec<String>,
    /// Options with which the program works on a directory and all that is in it.
    pub(crate) recursive: Vec<String>,
    /// Options with which links to directories are followed. Only these spellings count.
    pub(crate) follows: Vec<String>,
    /// Options with which the program does nothing to its operands.
    pub(crate) idle: Vec<String>,
    /// Variants of `FileUse`, each with the options whose values are used in this manner.
    pub(crate) values: Vec<(&'static str, Vec<String>)>,
    /// Variants of `FileUse`, each with the environment variables whose values are used in this manner.
    pub(crate) variables: Vec<(&'static str, Vec<String>)>,
    /// Environment variables that name directories whose contents the program deletes.
    pub(crate) empties: Vec<String>,
    /// Whether the program does more to files than its words show, as by a script that it runs.
    pub(crate) is_partial: bool,
    /// What it writes to its output files, as a variant of `WrittenContent`.
    pub(crate) content: Option<&'static str>,
    /// Whether it may change its input files: `sed -i`, `vim`.
    pub(crate) edits: bool,
    /// Whether names of descriptors such as `/dev/stdin` are the program's own streams for it, so that it opens no
    /// file: `awk`.
    pub(crate) streams: bool,
    /// Whether one of its operands is the destination of the others: `scp`.
    pub(crate) collects: bool,
    /// The file name extensions that it removes from files that it unpacks: `.gz`.
    pub(crate) unpacks: Vec<String>,
}

/// What the operands of a program are.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) enum FilesTableOperands {
    /// They are not files.
    #[default]
    None,
    /// Some of them are files: which ones, and the variant of `FileUse` for what is done to them.
    Files(FileOperandSelection, &'static str),
    /// A function of `src/files` determines what they are, by its path `module::function`.
    By(String),
}

/// Which operands are files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileOperandSelection {
    /// Each operand.
    Each,
    /// The first operand only.
    First,
    /// All operands but the first.
    Rest,
}

impl FilesTable {
    /// Whether the table has a key about the contents of files, which only a program may have.
    pub(crate) fn follows_contents(&self) -> bool {
        self.content.is_some() || self.edits || self.streams || self.collects || !self.unpacks.is_empty()
    }

    /// Returns the lists of options in the table.
    fn lists(&self) -> impl Iterator<Item = &[String]> {
        let values = self.values.iter().map(|(_, names)| names.as_slice());
        [&self.instead, &self.recursive, &self.follows, &self.idle].into_iter().map(Vec::as_slice).chain(values)
    }
}

/// Reports the options in the table that the record does not have. `options` are those of the record, or `None` if
/// its words are not parsed.
pub(crate) fn check(program: &ResolvedRecord, options: Option<&[&OptionRecord]>, mistakes: &mut Vec<RecordMistake>) {
    let Some(files) = &program.files else { return };
    for names in files.lists() {
        report_unknown_options("files", &files.place, names, options, mistakes);
    }
    report_duplicate_values(files, mistakes);
}

/// Reports names that are not options of the record, or without `options`, names that do not begin with a dash.
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

/// Reports options that are listed under two uses of their value.
fn report_duplicate_values(files: &FilesTable, mistakes: &mut Vec<RecordMistake>) {
    let mut seen = BTreeSet::new();
    for name in files.values.iter().flat_map(|(_, names)| names) {
        if !seen.insert(name) {
            let message = format!("`files.values`: the option `{name}` stands twice");
            report(mistakes, &files.place, message, "keep the use that is right");
        }
    }
}
