//! A cache of a command's parsed words, stored in the command: every pattern that is compared with the command needs
//! them, and most commands are compared with many patterns.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;

use super::{
    Argv, GivenOption, Program, Programs, ShortList, Unknown, Word, WordBits, added_entry, parse_argv, parse_by_entry,
};

/// The result of [`parse_argv`] for the words of one command, computed on first use. A clone of the command starts
/// with an empty cache, because its words may be changed.
#[derive(Default)]
pub(crate) struct ArgvCache {
    /// The words as parsed by the built-in records.
    built_in: OnceCell<Box<IndexedArgv>>,
    /// The words as parsed by the first added record that was asked for. Most patterns of a policy use the same one.
    added: OnceCell<Box<IndexedArgv>>,
    /// The bit set of the words, computed on first use.
    words: OnceCell<WordBits>,
}

/// Indices of words of a command.
type WordIndices = ShortList<usize>;

/// An [`Argv`] with the indices of words instead of references to them, so it can be stored in the same command.
struct IndexedArgv {
    /// Whether the program's name contains the subcommand.
    has_subcommand_in_name: bool,
    records: ShortList<&'static Program>,
    subcommands: WordIndices,
    track: Option<usize>,
    options: Vec<GivenOption>,
    operands: WordIndices,
    after_dashes: Option<usize>,
    maybe_options: WordIndices,
    maybe_subcommand: Option<Unknown>,
    maybe_values: WordIndices,
    command_at: usize,
}

impl ArgvCache {
    /// Returns the parsed words by the built-in records. The words have to be the same for every call.
    pub(crate) fn argv<'a>(&'a self, words: &'a [Word]) -> Argv<'a> {
        self.built_in.get_or_init(|| Box::new(IndexedArgv::new(parse_argv(words)))).argv(words)
    }

    /// Returns the parsed words by an added record if the program has one, else by the built-in records.
    pub(crate) fn argv_with<'a>(&'a self, words: &'a [Word], programs: &Programs) -> Argv<'a> {
        let Some((name, entry)) = added_entry(words, programs) else { return self.argv(words) };
        let table = entry.0.first().copied();
        let cached =
            self.added.get_or_init(|| Box::new(IndexedArgv::new(parse_by_entry(words, Some(name), entry.clone()))));
        match (cached.records.first(), table) {
            // The cached words were parsed by the record that these programs have.
            (Some(cached_table), Some(table)) if std::ptr::eq(*cached_table, table) => cached.argv(words),
            _ => parse_by_entry(words, Some(name), entry),
        }
    }
}

impl ArgvCache {
    /// Returns the bit set of the words, computed on first use. The words have to be the same for every call.
    pub(crate) fn word_bits(&self, compute: impl FnOnce() -> WordBits) -> WordBits {
        *self.words.get_or_init(compute)
    }
}

impl IndexedArgv {
    /// Returns the `Argv` with references to these words.
    fn argv<'a>(&'a self, words: &'a [Word]) -> Argv<'a> {
        let words_at = |indices: &[usize]| -> ShortList<&'a Word> {
            indices.iter().filter_map(|index| words.get(*index)).collect()
        };
        let name = words.first().and_then(super::program_name);
        Argv {
            words,
            name,
            subcommand_in_name: name
                .filter(|_| self.has_subcommand_in_name)
                .and_then(|name| name.split_once('-'))
                .map(|(_, inner)| inner),
            records: self.records.clone(),
            subcommands: words_at(&self.subcommands),
            track: self.track.and_then(|index| words.get(index)),
            options: Cow::Borrowed(&self.options),
            operands: words_at(&self.operands),
            after_dashes: self.after_dashes,
            maybe_options: words_at(&self.maybe_options),
            maybe_subcommand: self.maybe_subcommand.clone(),
            maybe_values: words_at(&self.maybe_values),
            command_at: self.command_at,
            synonyms: OnceCell::new(),
        }
    }

    /// Replaces the references to words by indices.
    fn new(argv: Argv<'_>) -> Self {
        let indices = |some: &[&Word]| word_indices(argv.words, some);
        Self {
            has_subcommand_in_name: argv.subcommand_in_name.is_some(),
            subcommands: indices(&argv.subcommands),
            track: argv.track.and_then(|track| indices(&[track]).first().copied()),
            operands: indices(&argv.operands),
            after_dashes: argv.after_dashes,
            maybe_options: indices(&argv.maybe_options),
            maybe_values: indices(&argv.maybe_values),
            command_at: argv.command_at,
            records: argv.records,
            options: argv.options.into_owned(),
            maybe_subcommand: argv.maybe_subcommand,
        }
    }
}

/// Returns the indices of some of the words. They are mostly in order, which makes the search fast.
fn word_indices(words: &[Word], some: &[&Word]) -> WordIndices {
    let mut index = 0;
    let mut find = |word: &Word| {
        let is_word = |other: &Word| std::ptr::eq(other, word);
        // Search from the previous word on first: in most cases, the word is next.
        let ahead = words.iter().skip(index).position(is_word).map(|distance| index + distance);
        index = ahead.or_else(|| words.iter().position(is_word))?;
        Some(index)
    };
    some.iter().filter_map(|word| find(word)).collect()
}

impl Clone for ArgvCache {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// All caches are equal, so that commands are compared by their other fields.
impl PartialEq for ArgvCache {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for ArgvCache {}

impl fmt::Debug for ArgvCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Memo")
    }
}
