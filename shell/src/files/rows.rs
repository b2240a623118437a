//! What programs do with the files that their operands and the values of their options name. This is the table
//! `[files]` in the records in `programs/`, which the build script compiles.

use super::accesses::FileAccesses;
use super::call::ParsedCommand;
use super::{archives, copies, databases, edits, formatters, git, mounts, network, search, system};
use crate::access::{AccessExtent, FileAccess, FileFilter, Verb};
use crate::by_name::{NameTable, by_name};
use crate::programs::{Arity, OptionEffect};
use crate::word::Word;

/// The row of a program, or of one of its subcommands.
#[derive(Clone, Copy)]
pub(super) struct FileRow {
    /// The names of the program.
    pub(super) names: &'static [&'static str],
    /// The subcommands, from the outermost to the innermost, each with all of its names.
    pub(super) under: &'static [&'static [&'static str]],
    /// Which of the operands are files, and what is done to them.
    pub(super) operands: FileOperands,
    /// How many operands in front of those are not files.
    pub(super) skip: usize,
    /// Options with which an access to a directory includes everything below it: `-r`.
    pub(super) recursive: &'static [&'static str],
    /// The spellings of options with which the program follows links to directories.
    pub(super) follows: &'static [&'static str],
    /// Options whose value names a file, and what is done to the file. An option that the record already marks as
    /// reading or writing its value needs no entry here. If it has one, that takes precedence.
    pub(super) values: &'static [(&'static [&'static str], FileUse)],
    /// Options with which the program leaves its operands alone: `--help`.
    pub(super) idle: &'static [&'static str],
    /// Environment variables whose value names a file, and what is done to the file. A `*` in the name of a variable
    /// matches any text.
    pub(super) variables: &'static [(&'static [&'static str], FileUse)],
    /// Environment variables whose values are directories that the program empties.
    pub(super) empties: &'static [&'static str],
    /// Whether the program accesses more files than its words show.
    pub(super) is_partial: bool,
}

/// Which operands of a program are files.
#[derive(Clone, Copy)]
pub(super) enum FileOperands {
    /// No operand is a file.
    None,
    /// Every operand is a file.
    Each(FileUse),
    /// All operands except the first one are files. The first one is a pattern, a program or a mode, unless one of
    /// these options states it; then all operands are files.
    Rest(&'static [&'static str], FileUse),
    /// The first operand is a file, the others are not.
    First(FileUse),
    /// This function adds the accesses.
    By(fn(&ParsedCommand<'_>, &mut FileAccesses)),
}

/// What is done to a file that a word names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FileUse {
    /// The file is only named: nothing is done to it.
    Nothing,
    Read,
    Write,
    Delete,
    /// The file is read and written.
    Change,
    /// The word is `@file`, and the file is read.
    At,
    /// The word is `name=@file`, `name=<file` or `name@file`, and the file is read.
    Field,
    /// Like [`FileUse::Field`], but the word may name several files, separated by commas.
    Form,
    /// The word is `file` or `name=file`, and the file is read.
    Named,
    /// The word is `file`, or fields with commas between them, of which `dest=` and `file=` name a file. The file is
    /// written.
    Dest,
}

// Defines `GROUPS`, a list of rows for each program.
include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The rows, by the names of programs.
static BY_NAME: NameTable<FileRow> = by_name!(FileRow, GROUPS);

/// Whether a command has a row, and the row shows all of its accesses to files.
pub(super) fn is_complete(call: &ParsedCommand<'_>) -> bool {
    find_row(call).is_some_and(|row| !row.is_partial)
}

/// Returns the spellings of the options with which a command follows links to directories.
pub(super) fn link_options(call: &ParsedCommand<'_>) -> &'static [&'static str] {
    find_row(call).map_or(&[], |row| row.follows)
}

/// Returns the row of a command. If several match, it is the one with the most subcommands. `None` if no row matches.
fn find_row(call: &ParsedCommand<'_>) -> Option<&'static FileRow> {
    let names = call.names();
    let fits = |row: &&FileRow| {
        row.names.iter().any(|name| names.clone().any(|own| own == *name)) && call.has_subcommands(row.under)
    };
    BY_NAME.candidates_of_any(names.clone()).filter(fits).max_by_key(|row| row.under.len())
}

/// Adds the accesses of a command according to its row. If it has no row, only the options that the record marks count.
pub(super) fn apply(call: &mut ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let row = find_row(call);
    let values = row.map_or(&[][..], |row| row.values);
    variable_values(call, accesses);
    call.descend(row.map_or(0, |row| row.under.len()));
    option_values(call, values, accesses);
    if let Some(row) = row.filter(|row| !call.has_option(row.idle)) {
        call.descend(row.under.len() + row.skip);
        row.apply(call, accesses);
        for directory in row.empties.iter().filter_map(|name| call.variable(name)) {
            accesses.add_with_extent(Verb::Deletes, directory, AccessExtent::Everything);
        }
    }
    call.descend(0);
}

/// Adds the accesses to the files that environment variables name. The variables of a program also apply to its
/// subcommands.
fn variable_values(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    if !call.has_variables() {
        return;
    }
    let names = call.names();
    let fits = |row: &&FileRow| {
        row.names.iter().any(|name| names.clone().any(|own| own == *name)) && call.has_subcommands(row.under)
    };
    for row in BY_NAME.candidates_of_any(names.clone()).filter(fits) {
        for (patterns, file_use) in row.variables {
            for value in call.variables_named(patterns) {
                file_use.apply(value, &AccessExtent::PathOnly, accesses);
            }
        }
    }
}

/// Adds the accesses to the files that option values name.
fn option_values(call: &ParsedCommand<'_>, rows: &[(&[&str], FileUse)], accesses: &mut FileAccesses) {
    for given in call.argv.options.iter() {
        let row = rows.iter().find(|(names, _)| given.has_spelling(names)).map(|(_, file_use)| *file_use);
        // If the record does not list the option, only the row shows that the next word is its value.
        let next = || call.words.get(given.word_index + 1).filter(|_| row.is_some() && given.option.is_none());
        let Some(value) = given.value.as_ref().or_else(next) else { continue };
        let does = given.option.map(|option| option.arity).zip(call.argv.effect(given));
        match (row, does) {
            (Some(file_use), _) => file_use.apply(value, &AccessExtent::PathOnly, accesses),
            (None, Some((Arity::Value, OptionEffect::Reads))) => accesses.add_read(value),
            (None, Some((Arity::Value | Arity::Attached, OptionEffect::Writes))) => accesses.add_write(value),
            _ => {}
        }
    }
}

impl FileRow {
    /// Adds the accesses to the operands.
    fn apply(&self, call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
        let extent = if call.has_option(self.recursive) {
            AccessExtent::Below(FileFilter::default())
        } else {
            AccessExtent::PathOnly
        };
        let operands = call.operands();
        let (files, file_use) = match self.operands {
            FileOperands::None => return,
            FileOperands::By(function) => return function(call, accesses),
            FileOperands::Each(file_use) => (operands, file_use),
            FileOperands::Rest(given, file_use) => {
                let skipped = usize::from(!call.has_option(given));
                (operands.get(skipped..).unwrap_or_default(), file_use)
            }
            FileOperands::First(file_use) => (operands.get(..1).unwrap_or_default(), file_use),
        };
        for file in files {
            file_use.apply(file, &extent, accesses);
        }
    }
}

impl FileUse {
    /// Adds the accesses to a file that a word names. If the extent is more than the path, a deletion is of everything
    /// below the path.
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
            Self::Dest => written_fields(file).iter().for_each(|file| accesses.add_write(file)),
            Self::At => self.add_attached(file.strip_prefix("@"), file, accesses),
            Self::Field | Self::Form => {
                let start = file.prefix();
                let marks = ["=@", "=<", "@"].into_iter().filter_map(|mark| Some((start.find(mark)?, mark)));
                // What is behind `name=` is a text, and so is `name=me@host`.
                let is_text = |at: usize| start.find('=').is_some_and(|equals| equals < at);
                let marks = marks.filter(|(at, mark)| *mark != "@" || !is_text(*at));
                let first = marks.min_by_key(|(at, mark)| (*at, std::cmp::Reverse(mark.len())));
                let path = first.and_then(|(at, mark)| file.strip_prefix(start.get(..at + mark.len())?));
                self.add_attached(path, file, accesses);
            }
        }
    }

    /// Adds a read of the path after a mark such as `@`. If no mark is known, but the value is unknown and may contain
    /// one, any file may be read.
    fn add_attached(self, path: Option<Word>, value: &Word, accesses: &mut FileAccesses) {
        match (path, value.unknown_reason()) {
            // In `@a;type=b` and `@a,@b`, there is more after the file.
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

    /// Whether an unknown value may contain the mark, judging by its known beginning.
    fn may_be_marked(self, value: &Word) -> bool {
        match self {
            Self::At => value.prefix().is_empty(),
            _ => value.prefix().is_empty() || value.prefix().ends_with('='),
        }
    }
}

/// Returns the files in `type=local,dest=FILE`; the whole word if it has no fields.
fn written_fields(word: &Word) -> Vec<Word> {
    const FIELDS: &[&str] = &["dest=", "file="];
    if !word.prefix().contains('=') {
        return vec![word.clone()];
    }
    match word.known_text() {
        Some(text) => {
            let named = |field: &str| FIELDS.iter().find_map(|name| field.strip_prefix(name)).map(Word::text);
            text.split(',').filter_map(named).collect()
        }
        None => {
            let start = word.prefix();
            let end = FIELDS.iter().filter_map(|name| Some(start.rfind(name)? + name.len())).max();
            end.and_then(|end| word.strip_prefix(start.get(..end)?)).into_iter().collect()
        }
    }
}

/// Returns the part of a path before a `;`.
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
