//! The table `[files]` of a record: what a program does to files. The build script writes it as the rows of
//! `src/files/rows.rs`.

use std::collections::BTreeSet;

use super::{OptionRecord, RecordMistake, ResolvedRecord, SourcePlace, report};

/// What a program does to a file, as pairs of the word in TOML and the variant of the Rust enum `FileUse`.
pub(crate) const USES: &[(&str, &str)] =
    &[("reads", "Read"), ("writes", "Write"), ("deletes", "Delete"), ("changes", "Change")];

/// What a program does to the file in an option's value, as pairs of the word in TOML and the variant of `FileUse`.
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
    ("dest", "Dest"),
];

/// Which operands are files, as pairs of the word in TOML and its meaning.
pub(crate) const WHICH: &[(&str, FileOperandSelection)] = &[
    ("operands", FileOperandSelection::Each),
    ("first", FileOperandSelection::First),
    ("rest", FileOperandSelection::Rest),
];

/// What a program writes to its output files, as pairs of the word in TOML and the variant of the Rust enum
/// `WrittenContent`.
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
    /// How the program uses its operands.
    pub(crate) operands: FilesTableOperands,
    /// How many operands in front of those are not files.
    pub(crate) skip: i64,
    /// Options that replace the first operand: with `chown --reference=f`, no operand is the owner.
    pub(crate) instead: Vec<String>,
    /// Options with which the program works on a directory and everything in it.
    pub(crate) recursive: Vec<String>,
    /// Options with which the program follows links to directories. Only these spellings count, not other spellings of
    /// the same options.
    pub(crate) follows: Vec<String>,
    /// Options with which the program does nothing to its operands.
    pub(crate) idle: Vec<String>,
    /// The options whose values name files, grouped by the variant of `FileUse` for these files.
    pub(crate) values: Vec<(&'static str, Vec<String>)>,
    /// The environment variables whose values name files, grouped by the variant of `FileUse` for these files.
    pub(crate) variables: Vec<(&'static str, Vec<String>)>,
    /// Environment variables that name directories whose contents the program deletes.
    pub(crate) empties: Vec<String>,
    /// Whether the program does more to files than its words show, for example by a script that it runs.
    pub(crate) is_partial: bool,
    /// What the program writes to its output files, as a variant of `WrittenContent`.
    pub(crate) content: Option<&'static str>,
    /// Whether the program may change its input files: `sed -i`, `vim`.
    pub(crate) edits: bool,
    /// Whether the program takes names of descriptors such as `/dev/stdin` for its own streams, so that it does not
    /// open them: `awk`.
    pub(crate) streams: bool,
    /// Whether one of its operands is the destination of the others: `scp`.
    pub(crate) collects: bool,
    /// The extensions that the program removes from the names of files when it unpacks them: `.gz`.
    pub(crate) unpacks: Vec<String>,
}

/// What the operands of a program are.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) enum FilesTableOperands {
    /// None of them is a file.
    #[default]
    None,
    /// These of them are files. The text is the variant of `FileUse` for what is done to the files.
    Files(FileOperandSelection, &'static str),
    /// A function of `src/files` determines which are files. The text is its path, `module::function`.
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
    /// Whether the table has a key about the contents of files. Only programs may have these keys, not subcommands.
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

/// Reports each name that is not one of `options`. If there are no `options` to compare with, because the words of the
/// record are not parsed, reports each name that does not begin with a dash.
pub(crate) fn report_unknown_options(
    table: &str,
    place: &SourcePlace,
    names: &[String],
    options: Option<&[&OptionRecord]>,
    mistakes: &mut Vec<RecordMistake>,
) {
    for name in names {
        match options {
            Some(options) => {
                if !options.iter().any(|option| option.names.contains(name)) {
                    report(mistakes, place, format!("`{table}`: there is no option `{name}`"), "add it to the options");
                }
            }
            None => {
                if !name.starts_with('-') {
                    report(mistakes, place, format!("`{table}`: `{name}` has no dash"), "write one dash or two");
                }
            }
        }
    }
}

/// Reports options that are listed twice, under two uses of their value.
fn report_duplicate_values(files: &FilesTable, mistakes: &mut Vec<RecordMistake>) {
    let mut seen = BTreeSet::new();
    for name in files.values.iter().flat_map(|(_, names)| names) {
        if !seen.insert(name) {
            let message = format!("`files.values`: the option `{name}` stands twice");
            report(mistakes, &files.place, message, "keep the use that is right");
        }
    }
}
