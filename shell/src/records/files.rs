//! What programs do to files, from their records to the rows of `src/files/rows.rs`.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::{Mistake, Opt, Place, Program, report};

/// What becomes of a file: as it is written, and in Rust.
pub(super) const USES: &[(&str, &str)] =
    &[("reads", "Read"), ("writes", "Write"), ("deletes", "Delete"), ("changes", "Change")];

/// What becomes of the value of an option: [`USES`], and what is said of values alone.
pub(super) const VALUE_USES: &[(&str, &str)] = &[
    ("reads", "Read"),
    ("writes", "Write"),
    ("deletes", "Delete"),
    ("changes", "Change"),
    ("nothing", "Nothing"),
    ("at", "At"),
    ("field", "Field"),
    ("named", "Named"),
];

/// Which operands are files.
pub(super) const WHICH: &[(&str, Which)] = &[("operands", Which::Each), ("first", Which::First), ("rest", Which::Rest)];

/// The table `[files]` of a record.
#[derive(Clone, Default)]
pub(super) struct Files {
    pub(super) place: Place,
    pub(super) operands: Operands,
    /// Options that give what else the first operand is.
    pub(super) instead: Vec<String>,
    pub(super) recursive: Vec<String>,
    /// Options, as they are spelled, with which it goes through links to directories.
    pub(super) follows: Vec<String>,
    pub(super) idle: Vec<String>,
    /// What becomes of the values of options, and their spellings.
    pub(super) values: Vec<(&'static str, Vec<String>)>,
    pub(super) is_partial: bool,
}

/// What the operands of a program are.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) enum Operands {
    #[default]
    None,
    /// Files, and what becomes of them.
    Files(Which, &'static str),
    /// What a function of `src/files` says.
    By(String),
}

/// Which operands are files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    Each,
    First,
    Rest,
}

impl Files {
    /// Returns its lists of options.
    fn lists(&self) -> impl Iterator<Item = &[String]> {
        let values = self.values.iter().map(|(_, names)| names.as_slice());
        [&self.instead, &self.recursive, &self.follows, &self.idle].into_iter().map(Vec::as_slice).chain(values)
    }
}

/// Holds the table of a program or a subcommand to its options; without any, it is read as it is written.
pub(super) fn check(program: &Program, options: Option<&[&Opt]>, mistakes: &mut Vec<Mistake>) {
    let Some(files) = &program.files else { return };
    for names in files.lists() {
        unlisted("files", &files.place, names, options, mistakes);
    }
    twice(files, mistakes);
}

/// Reports what is no option at all, or none of the record.
pub(super) fn unlisted(
    table: &str,
    place: &Place,
    names: &[String],
    options: Option<&[&Opt]>,
    mistakes: &mut Vec<Mistake>,
) {
    for name in names {
        let is_known = |options: &[&Opt]| options.iter().any(|option| option.names.contains(name));
        if !name.starts_with('-') && options.is_none() {
            report(mistakes, place, format!("`{table}`: `{name}` has no dash, and options have one or two"));
        } else if !options.is_none_or(is_known) {
            report(mistakes, place, format!("`{table}`: there is no option `{name}`; add it to the options"));
        }
    }
}

/// Reports options of whose values two things are said.
fn twice(files: &Files, mistakes: &mut Vec<Mistake>) {
    let mut seen = BTreeSet::new();
    for name in files.values.iter().flat_map(|(_, names)| names) {
        if !seen.insert(name) {
            report(mistakes, &files.place, format!("`files.values`: the option `{name}` stands twice"));
        }
    }
}

/// Writes the rows of the programs, for `src/files/rows.rs`; those of each program in a list of their own.
pub(super) fn write(programs: &[Program]) -> String {
    let mut out = String::from("// Written by build.rs from the records in programs/.\n\n");
    out.push_str("const GROUPS: &[&[Row]] = &[\n");
    for program in programs {
        let mut rows = String::new();
        row(program, program, &[], false, &mut rows);
        if !rows.is_empty() {
            let _infallible = writeln!(out, "&[\n{rows}],");
        }
    }
    out.push_str("];\n");
    out
}

/// Writes the row of a program or a subcommand, and those of the subcommands below.
fn row(program: &Program, at: &Program, under: &[&[String]], is_partial: bool, out: &mut String) {
    let is_partial = is_partial || at.files.as_ref().is_some_and(|files| files.is_partial);
    if let Some(files) = &at.files {
        let files = if program.is_as_written || at.is_as_written { at.spelled_out(files) } else { files.clone() };
        let Files { place, recursive, follows, idle, values, .. } = &files;
        let values: String = values.iter().map(|(becomes, names)| format!("(&{names:?}, Use::{becomes}), ")).collect();
        let under: String = under.iter().map(|names| format!("&{names:?}, ")).collect();
        // What the compiler says of a function that does not exist shows its line, and with it the record.
        let _infallible = writeln!(
            out,
            "Row {{ names: &{:?}, under: &[{under}],\noperands: {}, // programs/{}:{}\nrecursive: &{recursive:?}, follows: &{follows:?}, \
             values: &[{values}], idle: &{idle:?}, is_partial: {is_partial} }},",
            program.names,
            operands(&files),
            place.file,
            place.line,
        );
    }
    for command in &at.commands {
        let under: Vec<&[String]> = under.iter().copied().chain([command.names.as_slice()]).collect();
        row(program, command, &under, is_partial, out);
    }
}

impl Program {
    /// Returns a table with everything in it that is otherwise left to the options: what is read as it is written has
    /// none when it is called, and those of its kin are known here alone.
    fn spelled_out(&self, files: &Files) -> Files {
        let all = |names: &[String]| self.all_spellings(names);
        let mut values: Vec<_> = files.values.iter().map(|(becomes, names)| (*becomes, all(names))).collect();
        for (does, becomes) in [("Reads", "Read"), ("Writes", "Write")] {
            let is_open =
                |option: &&Opt| !values.iter().any(|(_, names)| option.names.iter().any(|name| names.contains(name)));
            let options = self.all_options().filter(|option| (option.arity, option.does) == ("Value", does));
            let names: Vec<_> = options.filter(is_open).flat_map(|option| option.names.clone()).collect();
            values.push((becomes, names));
        }
        values.retain(|(_, names)| !names.is_empty());
        Files {
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

    /// Returns all spellings of an option; without an entry, the one.
    fn spellings(&self, name: &str) -> Vec<String> {
        let option = self.all_options().find(|option| option.names.iter().any(|other| other == name));
        option.map_or_else(|| vec![name.to_owned()], |option| option.names.clone())
    }
}

fn operands(files: &Files) -> String {
    match &files.operands {
        Operands::None => "Operands::None".to_owned(),
        Operands::By(function) => format!("Operands::By({function})"),
        Operands::Files(Which::Each, becomes) => format!("Operands::Each(Use::{becomes})"),
        Operands::Files(Which::First, becomes) => format!("Operands::First(Use::{becomes})"),
        Operands::Files(Which::Rest, becomes) => format!("Operands::Rest(&{:?}, Use::{becomes})", files.instead),
    }
}
