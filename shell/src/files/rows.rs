//! The meaning of a program's operands and option values: the table `[files]` of its record in `programs/`, compiled by
//! the build script.

use super::accesses::FileAccesses;
use super::call::Call;
use super::{archives, copies, databases, edits, formatters, git, mounts, network, search, system};
use crate::access::{Extent, FileAccess, Filter, Verb};
use crate::by_name::{ByName, by_name};
use crate::programs::{Arity, Does};
use crate::word::Word;

/// A program, or a subcommand of one, that touches the files named by its words.
#[derive(Clone, Copy)]
pub(super) struct Row {
    /// Names of the program.
    pub(super) names: &'static [&'static str],
    /// The subcommands, from the outermost to the innermost, each with all its names.
    pub(super) under: &'static [&'static [&'static str]],
    /// What its operands are.
    pub(super) operands: Operands,
    /// Options with which a directory means the whole tree.
    pub(super) recursive: &'static [&'static str],
    /// Options, as they are spelled, with which it follows links to directories.
    pub(super) follows: &'static [&'static str],
    /// Options whose value names a file, and what is done to it. Those whose option entry in the record already says
    /// that they read or write need no entry here; an entry here takes precedence.
    pub(super) values: &'static [(&'static [&'static str], Use)],
    /// Options with which it does nothing to its operands.
    pub(super) idle: &'static [&'static str],
    /// Environment variables that name directories which it empties.
    pub(super) empties: &'static [&'static str],
    /// Whether it does more to files than its words reveal.
    pub(super) is_partial: bool,
}

/// What the operands are.
#[derive(Clone, Copy)]
pub(super) enum Operands {
    /// Not files.
    None,
    /// Each is a file.
    Each(Use),
    /// All but the first, which is a pattern, a program or a mode unless one of these options gives that.
    Rest(&'static [&'static str], Use),
    /// The first alone is a file.
    First(Use),
    /// As the function determines.
    By(fn(&Call<'_>, &mut FileAccesses)),
}

/// What is done to a file that a word names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
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
    /// As [`Use::Field`], but several files are separated by commas.
    Form,
    /// A file that is read, with or without `name=` before it.
    Named,
}

// `GROUPS`, the rows of each program in a list of their own.
include!(concat!(env!("OUT_DIR"), "/files.rs"));

static BY_NAME: ByName<Row> = by_name!(Row, GROUPS);

/// Whether a row covers all that a command does to files.
pub(super) fn says_all(call: &Call<'_>) -> bool {
    row(call).is_some_and(|row| !row.is_partial)
}

/// Returns the options, as they are spelled, with which a command follows links to directories.
pub(super) fn follows(call: &Call<'_>) -> &'static [&'static str] {
    row(call).map_or(&[], |row| row.follows)
}

/// Returns the row of a command; if several match, the one with the most subcommands.
fn row(call: &Call<'_>) -> Option<&'static Row> {
    let names = call.names();
    let fits =
        |row: &&Row| row.names.iter().any(|name| names.clone().any(|own| own == *name)) && call.is_under(row.under);
    BY_NAME.near_any(names.clone()).filter(fits).max_by_key(|row| row.under.len())
}

/// Adds what a program does.
pub(super) fn apply(call: &mut Call<'_>, accesses: &mut FileAccesses) {
    let row = row(call);
    let values = row.map_or(&[][..], |row| row.values);
    call.descend(row.map_or(0, |row| row.under.len()));
    option_values(call, values, accesses);
    if let Some(row) = row.filter(|row| !call.has(row.idle)) {
        row.apply(call, accesses);
        for directory in row.empties.iter().filter_map(|name| call.variable(name)) {
            accesses.reaching(Verb::Deletes, directory, Extent::Whole);
        }
    }
    call.descend(0);
}

/// Adds what is done to the values of options.
fn option_values(call: &Call<'_>, rows: &[(&[&str], Use)], accesses: &mut FileAccesses) {
    for given in call.argv.options.iter() {
        let row = rows.iter().find(|(names, _)| given.is_named(names)).map(|(_, becomes)| *becomes);
        // For a program without an option table, only the row says that an option has a value.
        let next = || call.words.get(given.at + 1).filter(|_| row.is_some() && given.option.is_none());
        let Some(value) = given.value.as_ref().or_else(next) else { continue };
        // An optional attached value is a suffix or a mode more often than a file.
        let does = given.option.filter(|option| option.arity == Arity::Value).map(|option| option.does);
        match (row, does) {
            (Some(becomes), _) => becomes.apply(value, &Extent::Alone, accesses),
            (None, Some(Does::Reads)) => accesses.reads(value),
            (None, Some(Does::Writes)) => accesses.writes(value),
            _ => {}
        }
    }
}

impl Row {
    fn apply(&self, call: &Call<'_>, accesses: &mut FileAccesses) {
        let extent = if call.has(self.recursive) { Extent::Below(Filter::default()) } else { Extent::Alone };
        let operands = call.operands();
        let (files, becomes) = match self.operands {
            Operands::None => return,
            Operands::By(function) => return function(call, accesses),
            Operands::Each(becomes) => (operands, becomes),
            Operands::Rest(given, becomes) => {
                let skipped = usize::from(!call.has(given));
                (operands.get(skipped..).unwrap_or_default(), becomes)
            }
            Operands::First(becomes) => (operands.get(..1).unwrap_or_default(), becomes),
        };
        for file in files {
            becomes.apply(file, &extent, accesses);
        }
    }
}

impl Use {
    pub(super) fn apply(self, file: &Word, extent: &Extent, accesses: &mut FileAccesses) {
        let whole = || if *extent == Extent::Alone { Extent::Alone } else { Extent::Whole };
        match self {
            Self::Nothing => {}
            Self::Read => accesses.reaching(Verb::Reads, file, extent.clone()),
            Self::Write => accesses.reaching(Verb::Writes, file, extent.clone()),
            Self::Delete => accesses.reaching(Verb::Deletes, file, whole()),
            Self::Change => {
                accesses.reaching(Verb::Reads, file, extent.clone());
                accesses.reaching(Verb::Writes, file, extent.clone());
            }
            Self::Named => match file.pair() {
                Some((_, file)) => accesses.reads(&file),
                None => accesses.reads(file),
            },
            Self::At => self.attached(file.after("@"), file, accesses),
            Self::Field | Self::Form => {
                let start = file.prefix();
                let marks = ["=@", "=<", "@"].into_iter().filter_map(|mark| Some((start.find(mark)?, mark)));
                let first = marks.min_by_key(|(at, mark)| (*at, std::cmp::Reverse(mark.len())));
                let path = first.and_then(|(at, mark)| file.after(start.get(..at + mark.len())?));
                self.attached(path, file, accesses);
            }
        }
    }

    /// Adds a read of the path after a mark; an unknown value may contain the mark.
    fn attached(self, path: Option<Word>, value: &Word, accesses: &mut FileAccesses) {
        match (path, value.why()) {
            // `@a;type=b` and `@a,@b` have more after the file.
            (Some(path), _) => match path.known().filter(|text| self == Self::Form && text.contains(',')) {
                Some(text) => text.split(',').for_each(|path| {
                    let path = path.split(';').next().unwrap_or(path);
                    accesses.reads(&Word::text(path.trim_matches('"')));
                }),
                None => accesses.reads(&cut(&path)),
            },
            (None, Some(why)) if self.may_be_marked(value) => accesses.add(FileAccess {
                verb: Verb::Reads,
                path: Word::unknown(why.clone()),
                extent: Extent::Alone,
                certainty: crate::access::Certainty::Maybe(why),
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
fn cut(path: &Word) -> Word {
    match path.prefix().split_once(';') {
        Some((path, _)) => Word::text(path),
        None => path.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_name::finds_what_is_there;

    #[test]
    fn every_row_is_found_by_its_names() {
        finds_what_is_there(&BY_NAME, |row| row.names);
    }
}
