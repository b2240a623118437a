//! What programs do to files, from their records to the rows of `src/files/rows.rs`.

use std::collections::BTreeSet;

use super::{Mistake, OptionRecord, Place, Resolved, report};

/// What becomes of a file: as it is written, and in Rust.
pub(crate) const USES: &[(&str, &str)] =
    &[("reads", "Read"), ("writes", "Write"), ("deletes", "Delete"), ("changes", "Change")];

/// What becomes of the value of an option.
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

/// Which operands are files.
pub(crate) const WHICH: &[(&str, Which)] = &[("operands", Which::Each), ("first", Which::First), ("rest", Which::Rest)];

/// What comes to stand in the files that a program writes: as it is written, and in Rust.
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
pub(crate) struct Files {
    pub(crate) place: Place,
    pub(crate) operands: Operands,
    /// Options that give what else the first operand is.
    pub(crate) instead: Vec<String>,
    pub(crate) recursive: Vec<String>,
    /// Options, as they are spelled, with which it goes through links to directories.
    pub(crate) follows: Vec<String>,
    pub(crate) idle: Vec<String>,
    /// What becomes of the values of options, and their spellings.
    pub(crate) values: Vec<(&'static str, Vec<String>)>,
    /// Variables of the environment that name directories which it empties.
    pub(crate) empties: Vec<String>,
    pub(crate) is_partial: bool,
    /// What comes to stand in the files that it writes, in Rust.
    pub(crate) content: Option<&'static str>,
    /// It may change the files that it is given.
    pub(crate) edits: bool,
    /// One of its operands says where the others go.
    pub(crate) collects: bool,
    /// The ends of the names that it takes off the files it unpacks.
    pub(crate) unpacks: Vec<String>,
}

/// What the operands of a program are.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) enum Operands {
    #[default]
    None,
    /// Files, and what becomes of them.
    Files(Which, &'static str),
    /// What a function of `src/files` says.
    By(String),
}

/// Which operands are files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    Each,
    First,
    Rest,
}

impl Files {
    /// Tells whether it says what becomes of what is in files.
    pub(crate) fn follows_contents(&self) -> bool {
        self.content.is_some() || self.edits || self.collects || !self.unpacks.is_empty()
    }

    /// Returns its lists of options.
    fn lists(&self) -> impl Iterator<Item = &[String]> {
        let values = self.values.iter().map(|(_, names)| names.as_slice());
        [&self.instead, &self.recursive, &self.follows, &self.idle].into_iter().map(Vec::as_slice).chain(values)
    }
}

/// Holds the table of a program or a subcommand to its options; without any, it is read as it is written.
pub(crate) fn check(program: &Resolved, options: Option<&[&OptionRecord]>, mistakes: &mut Vec<Mistake>) {
    let Some(files) = &program.files else { return };
    for names in files.lists() {
        unlisted("files", &files.place, names, options, mistakes);
    }
    twice(files, mistakes);
}

/// Reports what is no option at all, or none of the record.
pub(crate) fn unlisted(
    table: &str,
    place: &Place,
    names: &[String],
    options: Option<&[&OptionRecord]>,
    mistakes: &mut Vec<Mistake>,
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

/// Reports options of whose values two things are said.
fn twice(files: &Files, mistakes: &mut Vec<Mistake>) {
    let mut seen = BTreeSet::new();
    for name in files.values.iter().flat_map(|(_, names)| names) {
        if !seen.insert(name) {
            let message = format!("`files.values`: the option `{name}` stands twice");
            report(mistakes, &files.place, message, "keep the use that is right");
        }
    }
}
