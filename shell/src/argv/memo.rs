//! A cache of the parsed words, stored with the command: every pattern needs them, and most commands are tested by
//! many.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;

use super::{Argv, Few, GivenOption, Program, Programs, Unknown, Word, WordBits, added, read, read_by};

/// The result of [`read`] for the words of a command, computed on first use. It belongs to these words only: a copy of
/// the command, whose words may be changed, starts with an empty cache.
#[derive(Default)]
pub(crate) struct Memo {
    /// By the built-in table.
    built_in: OnceCell<Box<Read>>,
    /// By an added record: all rules of a policy, in its layer and below, use the same records.
    added: OnceCell<Box<Read>>,
    /// The bit set of the words.
    words: OnceCell<WordBits>,
}

/// The indices of some words.
type Places = Few<usize>;

/// An [`Argv`] with indices in place of words.
struct Read {
    dashed: bool,
    tables: Few<&'static Program>,
    commands: Places,
    track: Option<usize>,
    options: Vec<GivenOption>,
    operands: Places,
    behind_dashes: Option<usize>,
    maybe_options: Places,
    maybe_command: Option<Unknown>,
    maybe_values: Places,
    command_at: usize,
}

impl Memo {
    /// Returns the words as parsed by their program. They must be the words of the first call.
    pub(crate) fn argv<'a>(&'a self, words: &'a [Word]) -> Argv<'a> {
        self.built_in.get_or_init(|| Box::new(Read::new(read(words)))).argv(words)
    }

    /// Like [`Memo::argv`], by the built-in table and added records.
    pub(crate) fn argv_with<'a>(&'a self, words: &'a [Word], programs: &Programs) -> Argv<'a> {
        let Some((name, entry)) = added(words, programs) else { return self.argv(words) };
        let table = entry.0.first().copied();
        let known = self.added.get_or_init(|| Box::new(Read::new(read_by(words, Some(name), entry.clone()))));
        match (known.tables.first(), table) {
            (Some(known_by), Some(table)) if std::ptr::eq(*known_by, table) => known.argv(words),
            _ => read_by(words, Some(name), entry),
        }
    }
}

impl Memo {
    /// Returns the bit set of the words, which must be those of the first call.
    pub(crate) fn word_bits(&self, make: impl FnOnce() -> WordBits) -> WordBits {
        *self.words.get_or_init(make)
    }
}

impl Read {
    fn argv<'a>(&'a self, words: &'a [Word]) -> Argv<'a> {
        let read = self;
        let at = |places: &[usize]| -> Few<&'a Word> { places.iter().filter_map(|at| words.get(*at)).collect() };
        let name = words.first().and_then(super::program_name);
        Argv {
            words,
            name,
            dashed: name.filter(|_| read.dashed).and_then(|name| name.split_once('-')).map(|(_, inner)| inner),
            tables: read.tables.clone(),
            commands: at(&read.commands),
            track: read.track.and_then(|at| words.get(at)),
            options: Cow::Borrowed(&read.options),
            operands: at(&read.operands),
            behind_dashes: read.behind_dashes,
            maybe_options: at(&read.maybe_options),
            maybe_command: read.maybe_command.clone(),
            maybe_values: at(&read.maybe_values),
            command_at: read.command_at,
            others: OnceCell::new(),
        }
    }

    fn new(argv: Argv<'_>) -> Self {
        let places = |some: &[&Word]| places(argv.words, some);
        Self {
            dashed: argv.dashed.is_some(),
            commands: places(&argv.commands),
            track: argv.track.and_then(|track| places(&[track]).first().copied()),
            operands: places(&argv.operands),
            behind_dashes: argv.behind_dashes,
            maybe_options: places(&argv.maybe_options),
            maybe_values: places(&argv.maybe_values),
            command_at: argv.command_at,
            tables: argv.tables,
            options: argv.options.into_owned(),
            maybe_command: argv.maybe_command,
        }
    }
}

/// Returns the indices of some of the words. They are in order, with few exceptions.
fn places(words: &[Word], some: &[&Word]) -> Places {
    let mut at = 0;
    let mut find = |word: &Word| {
        let is_it = |other: &Word| std::ptr::eq(other, word);
        let ahead = words.iter().skip(at).position(is_it).map(|ahead| at + ahead);
        at = ahead.or_else(|| words.iter().position(is_it))?;
        Some(at)
    };
    some.iter().filter_map(|word| find(word)).collect()
}

impl Clone for Memo {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// A cache does not affect the equality of commands.
impl PartialEq for Memo {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Memo {}

impl fmt::Debug for Memo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Memo")
    }
}
