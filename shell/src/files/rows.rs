//! The meaning of a program's operands and option values: the table `[files]` of its record in `programs/`, compiled by
//! the build script.

use super::accesses::FileAccesses;
use super::call::ParsedCommand;
use super::{archives, copies, databases, edits, formatters, git, mounts, network, search, system};
use crate::access::{AccessExtent, FileAccess, FileFilter, Verb};
use crate::by_name::{NameTable, by_name};
use crate::programs::{Arity, OptionEffect};
use crate::word::Word;

/// A program, or a subcommand of one, that touches the files named by its words.
#[derive(Clone, Copy)]
pub(super) struct FileRow {
    /// Names of the program.
    pub(super) names: &'static [&'static str],
    /// The subcommands, from the outermost to the innermost, each with all its names.
    pub(super) under: &'static [&'static [&'static str]],
    /// What its operands are.
    pub(super) operands: FileOperands,
    /// Options with which a directory means the whole tree.
    pub(super) recursive: &'static [&'static str],
    /// Options, as they are spelled, with which it follows links to directories.
    pub(super) follows: &'static [&'static str],
    /// Options whose value names a file, and what is done to it. Those whose option entry in the record already says
    /// that they read or write need no entry here; an entry here takes precedence.
    pub(super) values: &'static [(&'static [&'static str], FileUse)],
    /// Options with which it does nothing to its operands.
    pub(super) idle: &'static [&'static str],
    /// Environment variables that name directories which it empties.
    pub(super) empties: &'static [&'static str],
    /// Whether it does more to files than its words reveal.
    pub(super) is_partial: bool,
}

/// What the operands are.
#[derive(Clone, Copy)]
pub(super) enum FileOperands {
    /// Not files.
    None,
    /// Each is a file.
    Each(FileUse),
    /// All but the first, which is a pattern, a program or a mode unless one of these options gives that.
    Rest(&'static [&'static str], FileUse),
    /// The first alone is a file.
    First(FileUse),
    /// As the function determines.
    By(fn(&ParsedCommand<'_>, &mut FileAccesses)),
}

/// What is done to a file that a word names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FileUse {
    /// Nothing: the value only looks like a file.
    Nothing,
    Read,
    Write,
    Delete,
    /// Read and written.
    Change,
    /// A file that is read, after an `@`.
    At,
    /// A file that is read, after `name=@`, `name=<` or `name@`.
    Field,
    /// As [`FileUse::Field`], but several files are separated by commas.
    Form,
    /// A file that is read, with or without `name=` before it.
    Named,
}

// `GROUPS`, the rows of each program in a list of their own.
include!(concat!(env!("OUT_DIR"), "/files.rs"));

static BY_NAME: NameTable<FileRow> = by_name!(FileRow, GROUPS);

/// Whether a row covers all that a command does to files.
pub(super) fn is_complete(call: &ParsedCommand<'_>) -> bool {
    find_row(call).is_some_and(|row| !row.is_partial)
}

/// Returns the options, as they are spelled, with which a command follows links to directories.
pub(super) fn link_options(call: &ParsedCommand<'_>) -> &'static [&'static str] {
    find_row(call).map_or(&[], |row| row.follows)
}

/// Returns the row of a command; if several match, the one with the most subcommands.
fn find_row(call: &ParsedCommand<'_>) -> Option<&'static FileRow> {
    let names = call.names();
    let fits = |row: &&FileRow| {
        row.names.iter().any(|name| names.clone().any(|own| own == *name)) && call.has_subcommands(row.under)
    };
    BY_NAME.candidates_of_any(names.clone()).filter(fits).max_by_key(|row| row.under.len())
}

/// Adds what a program does.
pub(super) fn apply(call: &mut ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let row = find_row(call);
    let values = row.map_or(&[][..], |row| row.values);
    call.descend(row.map_or(0, |row| row.under.len()));
    option_values(call, values, accesses);
    if let Some(row) = row.filter(|row| !call.has_option(row.idle)) {
        row.apply(call, accesses);
        for directory in row.empties.iter().filter_map(|name| call.variable(name)) {
            accesses.add_with_extent(Verb::Deletes, directory, AccessExtent::Everything);
        }
    }
    call.descend(0);
}

/// Adds what is done to the values of options.
fn option_values(call: &ParsedCommand<'_>, rows: &[(&[&str], FileUse)], accesses: &mut FileAccesses) {
    for given in call.argv.options.iter() {
        let row = rows.iter().find(|(names, _)| given.has_spelling(names)).map(|(_, becomes)| *becomes);
        // For a program without an option table, only the row says that an option has a value.
        let next = || call.words.get(given.word_index + 1).filter(|_| row.is_some() && given.option.is_none());
        let Some(value) = given.value.as_ref().or_else(next) else { continue };
        // An optional attached value is a suffix or a mode more often than a file.
        let does = given.option.filter(|option| option.arity == Arity::Value).map(|option| option.does);
        match (row, does) {
            (Some(becomes), _) => becomes.apply(value, &AccessExtent::PathOnly, accesses),
            (None, Some(OptionEffect::Reads)) => accesses.add_read(value),
            (None, Some(OptionEffect::Writes)) => accesses.add_write(value),
            _ => {}
        }
    }
}

impl FileRow {
    fn apply(&self, call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
        let extent = if call.has_option(self.recursive) {
            AccessExtent::Below(FileFilter::default())
        } else {
            AccessExtent::PathOnly
        };
        let operands = call.operands();
        let (files, becomes) = match self.operands {
            FileOperands::None => return,
            FileOperands::By(function) => return function(call, accesses),
            FileOperands::Each(becomes) => (operands, becomes),
            FileOperands::Rest(given, becomes) => {
                let skipped = usize::from(!call.has_option(given));
                (operands.get(skipped..).unwrap_or_default(), becomes)
            }
            FileOperands::First(becomes) => (operands.get(..1).unwrap_or_default(), becomes),
        };
        for file in files {
            becomes.apply(file, &extent, accesses);
        }
    }
}

impl FileUse {
    pub(super) fn apply(self, file: &Word, extent: &AccessExtent, accesses: &mut FileAccesses) {
        let whole =
            || if *extent == AccessExtent::PathOnly { AccessExtent::PathOnly } else { AccessExtent::Everything };
        match self {
            Self::Nothing => {}
            Self::Read => accesses.add_with_extent(Verb::Reads, file, extent.clone()),
            Self::Write => accesses.add_with_extent(Verb::Writes, file, extent.clone()),
            Self::Delete => accesses.add_with_extent(Verb::Deletes, file, whole()),
            Self::Change => {
                accesses.add_with_extent(Verb::Reads, file, extent.clone());
                accesses.add_with_extent(Verb::Writes, file, extent.clone());
            }
            Self::Named => match file.split_at_equals() {
                Some((_, file)) => accesses.add_read(&file),
                None => accesses.add_read(file),
            },
            Self::At => self.add_attached(file.strip_prefix("@"), file, accesses),
            Self::Field | Self::Form => {
                let start = file.prefix();
                let marks = ["=@", "=<", "@"].into_iter().filter_map(|mark| Some((start.find(mark)?, mark)));
                let first = marks.min_by_key(|(at, mark)| (*at, std::cmp::Reverse(mark.len())));
                let path = first.and_then(|(at, mark)| file.strip_prefix(start.get(..at + mark.len())?));
                self.add_attached(path, file, accesses);
            }
        }
    }

    /// Adds a read of the path after a mark; an unknown value may contain the mark.
    fn add_attached(self, path: Option<Word>, value: &Word, accesses: &mut FileAccesses) {
        match (path, value.unknown_reason()) {
            // `@a;type=b` and `@a,@b` have more after the file.
            (Some(path), _) => match path.known_text().filter(|text| self == Self::Form && text.contains(',')) {
                Some(text) => text.split(',').for_each(|path| {
                    let path = path.split(';').next().unwrap_or(path);
                    accesses.add_read(&Word::text(path.trim_matches('"')));
                }),
                None => accesses.add_read(&before_semicolon(&path)),
            },
            (None, Some(why)) if self.may_be_marked(value) => accesses.add(FileAccess {
                verb: Verb::Reads,
                path: Word::unknown(why.clone()),
                extent: AccessExtent::PathOnly,
                certainty: crate::access::AccessCertainty::Maybe(why),
            }),
            _ => {}
        }
    }

    fn may_be_marked(self, value: &Word) -> bool {
        match self {
            Self::At => value.prefix().is_empty(),
            _ => value.prefix().is_empty() || value.prefix().ends_with('='),
        }
    }
}

/// Returns a path up to a `;`.
fn before_semicolon(path: &Word) -> Word {
    match path.prefix().split_once(';') {
        Some((path, _)) => Word::text(path),
        None => path.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_name::check_lookups;

    #[test]
    fn every_row_is_found_by_its_names() {
        check_lookups(&BY_NAME, |row| row.names);
    }
}
