//! Splits the words of a command into subcommands, options and operands, as its program does.
//!
//! The program's record in `programs/` describes its syntax. The words of a program without a record are read as they
//! are: a word that begins with a dash is an option, which has a value only after a `=`.
//!
//! ```
//! use hookrules_shell::Word;
//! use hookrules_shell::argv::parse_argv;
//!
//! let words = ["git", "-C", "dir", "push", "--dry", "origin"].map(Word::text);
//! let argv = parse_argv(&words);
//! assert_eq!(argv.subcommand(), Some("push"));
//! assert!(argv.options_named("--dry-run").next().is_some_and(|given| given.is_abbreviated));
//! assert_eq!(argv.operands[0].known_text(), Some("origin"));
//! ```

mod memo;
mod name;
mod reader;
mod word_bits;

pub use crate::few::ShortList;
pub use word_bits::WordBits;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;

use crate::programs::{
    Arity, NUMBER, OptionEffect, Program, ProgramOption, Programs, SubcommandSyntax, UnlistedSubcommand, WordSyntax,
    program,
};
use crate::word::{Unknown, Word};
pub(super) use memo::ArgvCache;
pub(super) use name::{base_name, program_name};

/// The parsed words of a command.
#[derive(Clone, Debug)]
pub struct Argv<'a> {
    /// The words themselves, the program first.
    pub words: &'a [Word],
    /// The base name of the program, if it is known; without `.exe` at its end.
    pub name: Option<&'a str>,
    /// The subcommand that is a part of the program's name: `push` in `git-push`.
    pub subcommand_in_name: Option<&'a str>,
    /// The records of the program and of its subcommands, from the outermost to the innermost: `git`, `git push`.
    pub records: ShortList<&'static Program>,
    /// The subcommands that are separate words. The last may have no record.
    pub subcommands: ShortList<&'a Word>,
    /// A word before the subcommands that changes nothing: `beta` in `gcloud beta compute`.
    pub(super) track: Option<&'a Word>,
    /// The options, in the order of the words.
    pub options: Cow<'a, [GivenOption]>,
    /// The words that are neither the program nor subcommands, options or their values.
    pub operands: ShortList<&'a Word>,
    /// The index in [`Argv::operands`] of the first operand after a `--`; `None` without a `--`.
    pub after_dashes: Option<usize>,
    /// Words that may be options, because they are unknown, or may be split into several words.
    pub maybe_options: ShortList<&'a Word>,
    /// The reason why the subcommand may be another one: a word before it may be split into several.
    pub maybe_subcommand: Option<Unknown>,
    /// The subcommands and operands that may be the value of an option without a record entry.
    maybe_values: ShortList<&'a Word>,
    /// The index in `words` of the last subcommand; 0, the program, without a subcommand.
    command_at: usize,
    /// The names of the subcommand, if one of them has several words (`run` and `container run`); computed once.
    synonyms: OnceCell<&'static [&'static str]>,
}

/// An option among the words of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct GivenOption {
    /// Its entry in a record; `None` if no record lists it.
    pub option: Option<&'static ProgramOption>,
    /// The canonical name (`--force` for `-f`). Without a record entry, it is the spelling in the command.
    pub name: Cow<'static, str>,
    /// Its value, if it has one.
    pub value: Option<Word>,
    /// Whether it is before the subcommand: `-C` in `git -C dir push`.
    pub is_global: bool,
    /// Whether its name is abbreviated (`--dry` for `--dry-run`). If the abbreviation is ambiguous, `option` is
    /// `None`.
    pub is_abbreviated: bool,
    /// The index of the word that contains its name.
    pub word_index: usize,
    /// Its letter, if the command has it as a letter: `f` in `-f` and in `-rf`.
    pub letter: Option<char>,
    /// Whether its own value cancels it: `--force=false`.
    is_negated: bool,
    /// Whether a later option, or its own value, cancels it.
    is_cancelled: bool,
}

impl GivenOption {
    /// Whether the option has one of these spellings. Without a record entry, only the spelling in the command is
    /// compared.
    #[must_use]
    pub fn has_spelling(&self, names: &[&str]) -> bool {
        match self.option {
            Some(option) => option.names.iter().any(|name| names.contains(name)),
            None => names.contains(&&*self.name),
        }
    }
}

/// Parses the words of a command by the built-in record of its program.
#[must_use]
pub fn parse_argv(words: &[Word]) -> Argv<'_> {
    let name = words.first().and_then(program_name);
    parse_by_entry(words, name, name.map(tables).unwrap_or_default())
}

/// Parses the words of a command by the added record of its program, if there is one, else by the built-in record.
#[must_use]
pub fn parse_argv_with<'a>(words: &'a [Word], programs: &Programs) -> Argv<'a> {
    match added_entry(words, programs) {
        Some((name, entry)) => parse_by_entry(words, Some(name), entry),
        None => parse_argv(words),
    }
}

/// The records that a program's name leads to (`git` and `git push` for `git-push`), and the subcommand in the name.
type ProgramEntry<'a> = (ShortList<&'static Program>, Option<&'a str>);

/// Returns the name of a command's program and its entry; `None` unless the entry is from an added record.
fn added_entry<'a>(words: &'a [Word], programs: &Programs) -> Option<(&'a str, ProgramEntry<'a>)> {
    if programs.is_empty() {
        return None;
    }
    let name = words.first().and_then(program_name)?;
    // `tool-show` is `tool show`, unless it has a built-in record of its own.
    let subcommand_in_name = || {
        let (outer, inner) = name.split_once('-').filter(|_| program(name).is_none())?;
        dashed_entry(programs.added(outer)?, inner)
    };
    let entry = programs.added(name).map(|table| ([table].into_iter().collect(), None)).or_else(subcommand_in_name)?;
    Some((name, entry))
}

/// Parses words by the records of the program.
fn parse_by_entry<'a>(
    words: &'a [Word],
    name: Option<&'a str>,
    (tables, subcommand_in_name): ProgramEntry<'a>,
) -> Argv<'a> {
    let argv = Argv {
        words,
        name,
        subcommand_in_name,
        records: tables,
        subcommands: ShortList::new(),
        track: None,
        options: Cow::default(),
        operands: ShortList::new(),
        after_dashes: None,
        maybe_options: ShortList::new(),
        maybe_subcommand: None,
        maybe_values: ShortList::new(),
        command_at: 0,
        synonyms: OnceCell::new(),
    };
    let mut argv = reader::read_words(argv);
    // A single option can only be cancelled by its own value.
    if argv.options.len() > 1 || argv.options.iter().any(|given| given.is_negated) {
        mark_cancelled(argv.options.to_mut());
    }
    argv
}

/// Returns the entry of a program's name in the built-in records; empty if it has none.
fn tables(name: &str) -> ProgramEntry<'_> {
    if let Some(table) = program(name) {
        return ([table].into_iter().collect(), None);
    }
    name.split_once('-').and_then(|(outer, inner)| dashed_entry(program(outer)?, inner)).unwrap_or_default()
}

/// Returns the entry of a name such as `git-push`, given the record of `git` and the rest `push`. Returns `None` if
/// the program has no such subcommand, or no programs of its own for subcommands.
fn dashed_entry<'a>(table: &'static Program, inner: &'a str) -> Option<ProgramEntry<'a>> {
    // Only a program whose users can define subcommands, such as git, is taken to have its subcommands as separate
    // programs.
    let command = (table.unlisted == UnlistedSubcommand::Alias).then(|| table.command(inner))??;
    Some(([table, command].into_iter().collect(), Some(inner)))
}

impl<'a> Argv<'a> {
    /// Returns the index of the word that is an option's value; `None` if the value is attached to the option.
    #[must_use]
    pub fn value_index(&self, given: &GivenOption) -> Option<usize> {
        let takes_next = given.option.is_some_and(|option| matches!(option.arity, Arity::Value | Arity::Number));
        let value = given.value.as_ref().filter(|_| takes_next)?;
        let next = self.words.get(given.word_index + 1)?;
        // An attached value may happen to be equal to the next word.
        let is_attached = match given.letter {
            Some(letter) if letter.is_ascii_digit() && self.option(NUMBER).is_some() => true,
            Some(letter) => self.words.get(given.word_index).is_some_and(|word| word.last_char() != Some(letter)),
            None => self.words.get(given.word_index).is_some_and(|word| word.prefix().contains('=')),
        };
        (!is_attached && value == next).then_some(given.word_index + 1)
    }

    /// Returns the record of the innermost subcommand that has one, or of the program.
    #[must_use]
    pub fn table(&self) -> Option<&'static Program> {
        self.records.last().copied()
    }

    /// Whether the program's record has this name. `gcp` is `cp`, since they share a record.
    #[must_use]
    pub fn is_program(&self, name: &str) -> bool {
        self.records.first().is_some_and(|table| table.names.contains(&name))
    }

    /// Returns the subcommand: the one in the program's name, or the first that is a separate word.
    #[must_use]
    pub fn subcommand(&self) -> Option<&'a str> {
        self.subcommand_in_name.or_else(|| self.subcommands.first().and_then(|word| word.known_text()))
    }

    /// Returns the options with a canonical name that no later option cancels: of `--force` and `--no-force`, only
    /// the last takes effect.
    pub fn options_named<'g>(&'g self, name: &'g str) -> impl Iterator<Item = &'g GivenOption> {
        self.options.iter().filter(move |given| given.name == name && !given.is_cancelled)
    }

    /// Returns the options that take effect although the command does not have them, because others imply them: the
    /// method of `gh api -f x=y`. Its position is that of the option that implies it.
    pub(super) fn implied_options(&self) -> Vec<GivenOption> {
        let mut implied: Vec<GivenOption> = Vec::new();
        for given in self.options.iter().filter(|given| !given.is_cancelled) {
            let Some((name, value)) = given.option.and_then(|option| option.implies?.split_once('=')) else { continue };
            let option = self.option(name);
            let is_same = |other: &GivenOption| other.option.is_some() && other.option == option;
            if self.options.iter().chain(&implied).any(is_same) {
                continue;
            }
            implied.push(GivenOption {
                option,
                name: Cow::Borrowed(name),
                value: Some(Word::text(value)),
                is_abbreviated: false,
                letter: None,
                is_negated: false,
                is_cancelled: false,
                ..*given
            });
        }
        implied
    }

    /// Whether neither a later option nor its own value cancels this option.
    pub(super) fn is_effective(&self, given: &GivenOption) -> bool {
        !given.is_cancelled
    }

    /// Returns the record entry of an option's spelling: of the innermost subcommand that has it, or of an enclosing
    /// one.
    #[must_use]
    pub fn option(&self, spelling: &str) -> Option<&'static ProgramOption> {
        self.entries().find_map(|table| match spelling.strip_prefix('-') {
            // `-auto-approve` and `--auto-approve` are one option.
            Some(short) if table.reading == WordSyntax::Words && short.starts_with('-') => {
                table.option(spelling).or_else(|| table.option(short))
            }
            _ => table.option(spelling),
        })
    }

    /// Returns the record entry of the spelling of an option before the subcommand: of the outermost record that has
    /// it.
    pub(super) fn outer_option(&self, spelling: &str) -> Option<&'static ProgramOption> {
        self.records.iter().find_map(|table| table.option(spelling))
    }

    /// Returns the record entry of an option with one letter after one dash.
    pub(super) fn letter(&self, letter: char) -> Option<&'static ProgramOption> {
        self.entries().find_map(|table| table.letter(letter))
    }

    /// Returns the effect of an option with its value; `None` if no record lists the option.
    pub(super) fn effect(&self, given: &GivenOption) -> Option<OptionEffect> {
        let option = given.option?;
        let value = given.value.as_ref().and_then(Word::known_text);
        let is_plain = |value: &str| {
            let mut plain = self.entries().flat_map(|table| table.plain_values);
            plain.any(|(name, values)| option.names.contains(name) && values.contains(&value))
        };
        Some(if value.is_some_and(is_plain) { OptionEffect::Nothing } else { option.does })
    }

    /// Whether an option only says how the work is done, according to the records: `make -s`.
    pub(super) fn is_incidental(&self, given: &GivenOption) -> bool {
        let mut names = self.records.iter().flat_map(|table| table.incidental);
        given.option.is_some_and(|option| names.any(|name| option.names.contains(name)))
    }

    /// Whether several letters after one dash are separate options: `-rf` is `-r -f`.
    pub(super) fn has_clusters(&self) -> bool {
        !self.is_as_written()
            && self.table().is_some_and(|table| !matches!(table.reading, WordSyntax::Words | WordSyntax::Operands))
    }

    /// Whether the innermost subcommand has no record. There has to be a subcommand.
    pub(super) fn is_unlisted(&self) -> bool {
        self.records.len() < self.subcommand_count() + 1
    }

    /// Returns the option that makes the program only print its usage, such as `--help`; `None` if there is none.
    pub(super) fn usage_option(&self) -> Option<&GivenOption> {
        let explains = |given: &&GivenOption| given.option.is_some_and(|option| option.does == OptionEffect::Explains);
        // Behind any other word it may be the value of that word, so only options without a value may precede it.
        let is_flag = |index: usize| {
            let mut given = self.options.iter().filter(|given| given.word_index == index).peekable();
            let is_option = given.peek().is_some();
            is_option && given.all(|given| given.option.is_some_and(|option| option.arity == Arity::None))
        };
        let is_reached = |given: &&GivenOption| {
            let start = if given.word_index > self.command_at { self.command_at + 1 } else { 1 };
            (start..given.word_index).all(is_flag) && !given.is_abbreviated
        };
        self.options.iter().find(|given| explains(given) && is_reached(given))
    }

    /// Whether an option is in front of the innermost subcommand.
    pub(super) fn precedes_subcommand(&self, given: &GivenOption) -> bool {
        given.word_index < self.command_at
    }

    /// Whether this word may be the value of an option without a record entry. It has to be one of [`Argv::words`],
    /// not a copy.
    pub(super) fn may_be_value(&self, word: &Word) -> bool {
        self.maybe_values.iter().any(|value| std::ptr::eq(*value, word))
    }

    /// Whether this word may be an option. It has to be one of [`Argv::words`], not a copy.
    pub(super) fn may_be_option(&self, word: &Word) -> bool {
        self.maybe_options.iter().any(|option| std::ptr::eq(*option, word))
    }

    /// Returns the other names of the subcommand in a word, without those of several words. For an abbreviation, its
    /// full name is the first.
    pub(super) fn subcommand_synonyms<'w>(&self, word: &'w Word) -> impl Iterator<Item = &'static str> + use<'w> {
        let found = self.record_with_subcommand(word).map(|(table, name)| {
            let full_name = table.full_subcommand(name);
            let synonyms = table.same_commands(full_name.unwrap_or(name)).iter().copied();
            full_name.into_iter().chain(synonyms.filter(move |other| Some(*other) != full_name))
        });
        found.into_iter().flatten().filter(move |other| word.known_text() != Some(*other) && !other.contains(' '))
    }

    /// Returns the other names of the subcommand if it or one of them has several words, such as `container run` for
    /// `run`.
    pub(super) fn nested_synonyms(&self) -> impl Iterator<Item = &'static str> {
        let groups = self.records.first().map(|table| table.far_aliases).unwrap_or_default();
        let names_command = |group: &&&[&str]| group.iter().any(|name| self.is_command(name));
        let synonyms = self.synonyms.get_or_init(|| groups.iter().find(names_command).copied().unwrap_or_default());
        synonyms.iter().copied().filter(|name| !self.is_command(name))
    }

    /// Whether these words, such as `container run`, name the subcommand of this command. Each may be a synonym.
    fn is_command(&self, words: &str) -> bool {
        let mut names = words.split(' ');
        let mut is_next_name = |(level, word): (usize, &str)| {
            let synonyms = self.records.get(level).map(|table| table.same_commands(word)).unwrap_or_default();
            names.next().is_some_and(|name| name == word || synonyms.contains(&name))
        };
        let words = self.subcommands.iter().map(|command| command.known_text().unwrap_or_default());
        let mut subcommands = self.subcommand_in_name.into_iter().chain(words).enumerate();
        self.subcommand_count() > 0
            && !self.is_unlisted()
            && subcommands.all(&mut is_next_name)
            && names.next().is_none()
    }

    /// Whether a word is an abbreviation of a subcommand's name: `npm pub`.
    pub(super) fn is_shortened(&self, word: &Word) -> bool {
        self.record_with_subcommand(word).is_some_and(|(table, name)| table.full_subcommand(name).is_some())
    }

    /// Returns the record whose subcommand a word names, and the text of the word. Returns `None` if no subcommand in
    /// the record has several names or can be abbreviated.
    fn record_with_subcommand<'w>(&self, word: &'w Word) -> Option<(&'static Program, &'w str)> {
        let index = self.subcommands.iter().position(|command| std::ptr::eq(*command, word))?;
        let table = self.records.get(index + usize::from(self.subcommand_in_name.is_some()))?;
        let has_several = !table.aliases.is_empty() || table.subcommands != SubcommandSyntax::Whole;
        Some(*table).filter(|_| has_several).zip(word.known_text())
    }

    /// Returns the subcommands and then the operands.
    pub(super) fn sequence(&self) -> impl Iterator<Item = &'a Word> {
        self.subcommands.iter().chain(&self.operands).copied()
    }

    /// Whether options are read without a record: the program has none, or has an unlisted subcommand after which its
    /// own options end.
    pub(super) fn is_as_written(&self) -> bool {
        self.table().is_none_or(|table| table.reading == WordSyntax::Leading && self.is_unlisted())
    }

    /// Returns the number of subcommands, including the one in the program's name.
    fn subcommand_count(&self) -> usize {
        self.subcommands.len() + usize::from(self.subcommand_in_name.is_some())
    }

    /// Returns the records whose options are accepted at the parser's position, the innermost first. The options of a
    /// program that end at its subcommand are not accepted after the subcommand.
    fn entries(&self) -> impl Iterator<Item = &'static Program> {
        // How far a record is from the parser's position. A subcommand without a record is one level further in than
        // the innermost record.
        let unlisted_levels = usize::from(self.is_unlisted());
        let levels = self.records.iter().rev().copied().enumerate();
        let levels = levels.map(move |(level, table)| (level + unlisted_levels, table));
        let ends = move |(level, table): &(usize, &'static Program)| *level > 0 && table.reading == WordSyntax::Leading;
        levels.take_while(move |entry| !ends(entry)).map(|(_, table)| table)
    }
}

/// Marks the options that are cancelled: by their own value, or by a later option, such as `--no-force` after
/// `--force`, or `--force` after `--no-force`.
fn mark_cancelled(options: &mut [GivenOption]) {
    let mut cancelled: BTreeSet<Cow<'static, str>> = BTreeSet::new();
    for given in options.iter_mut().rev() {
        given.is_cancelled = cancelled.contains(&given.name);
        if given.is_negated {
            given.is_cancelled = true;
            cancelled.insert(given.name.clone());
        }
        cancelled.extend(given.option.and_then(|option| option.undoes).map(Cow::Borrowed));
        if let Some(bare) = given.name.strip_prefix("--no-") {
            cancelled.insert(Cow::Owned(format!("--{bare}")));
        }
        if let Some(bare) = given.name.strip_prefix("--") {
            cancelled.insert(Cow::Owned(format!("--no-{bare}")));
        }
    }
}

#[cfg(test)]
mod tests;
