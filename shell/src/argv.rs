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
mod word_bits;

pub use crate::few::ShortList;
pub use word_bits::WordBits;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;

use crate::programs::{
    Arity, NUMBER, OptionEffect, Program, ProgramOption, Programs, ShortOptionSyntax, SubcommandSyntax,
    UnlistedSubcommand, WordSyntax, program,
};
use crate::word::{Unknown, Word, WordPart};
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
    pub dashed: Option<&'a str>,
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
    /// Whether the option has one of these spellings. Without a record entry, only the spelling in the command
    /// counts.
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
    let dashed = || {
        let (outer, inner) = name.split_once('-').filter(|_| program(name).is_none())?;
        dashed_entry(programs.added(outer)?, inner)
    };
    let entry = programs.added(name).map(|table| ([table].into_iter().collect(), None)).or_else(dashed)?;
    Some((name, entry))
}

/// Parses words by the records of the program.
fn parse_by_entry<'a>(words: &'a [Word], name: Option<&'a str>, (tables, dashed): ProgramEntry<'a>) -> Argv<'a> {
    let argv = Argv {
        words,
        name,
        dashed,
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
    let mut reader = ArgvReader { words, at: 1, argv };
    while let Some(word) = words.get(reader.at) {
        reader.at += 1;
        reader.read_word(word);
    }
    let mut argv = reader.argv;
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
        let takes_next = given.option.is_some_and(|option| option.arity == Arity::Value);
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
        self.dashed.or_else(|| self.subcommands.first().and_then(|word| word.known_text()))
    }

    /// Returns the options with a canonical name that no later option cancels: of `--force` and `--no-force`, the
    /// last counts.
    pub fn options_named<'g>(&'g self, name: &'g str) -> impl Iterator<Item = &'g GivenOption> {
        self.options.iter().filter(move |given| given.name == name && !given.is_cancelled)
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
        // Only an option directly after the program or after the last subcommand counts.
        let is_first =
            |given: &&GivenOption| [1, self.command_at + 1].contains(&given.word_index) && !given.is_abbreviated;
        self.options.iter().find(|given| explains(given) && is_first(given))
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
            let whole = table.full_subcommand(name);
            let same = table.same_commands(whole.unwrap_or(name)).iter().copied();
            whole.into_iter().chain(same.filter(move |other| Some(*other) != whole))
        });
        found.into_iter().flatten().filter(move |other| word.known_text() != Some(*other) && !other.contains(' '))
    }

    /// Returns the other names of the subcommand if it or one of them has several words, such as `container run` for
    /// `run`.
    pub(super) fn nested_synonyms(&self) -> impl Iterator<Item = &'static str> {
        let groups = self.records.first().map(|table| table.far_aliases).unwrap_or_default();
        let is_own = |group: &&&[&str]| group.iter().any(|name| self.is_command(name));
        let own = self.synonyms.get_or_init(|| groups.iter().find(is_own).copied().unwrap_or_default());
        own.iter().copied().filter(|name| !self.is_command(name))
    }

    /// Whether these words name the subcommand of this command. Each word may be a synonym.
    fn is_command(&self, words: &str) -> bool {
        let mut names = words.split(' ');
        let mut is_meant = |(at, word): (usize, &str)| {
            let same = self.records.get(at).map(|table| table.same_commands(word)).unwrap_or_default();
            names.next().is_some_and(|name| name == word || same.contains(&name))
        };
        let known = self.subcommands.iter().map(|command| command.known_text().unwrap_or_default());
        let mut written = self.dashed.into_iter().chain(known).enumerate();
        self.subcommand_count() > 0 && !self.is_unlisted() && written.all(&mut is_meant) && names.next().is_none()
    }

    /// Whether a word is an abbreviation of a subcommand's name: `npm pub`.
    pub(super) fn is_shortened(&self, word: &Word) -> bool {
        self.record_with_subcommand(word).is_some_and(|(table, name)| table.full_subcommand(name).is_some())
    }

    /// Returns the record whose subcommand a word names, and the text of the word. Returns `None` if no subcommand in
    /// the record has several names or can be abbreviated.
    fn record_with_subcommand<'w>(&self, word: &'w Word) -> Option<(&'static Program, &'w str)> {
        let at = self.subcommands.iter().position(|command| std::ptr::eq(*command, word))?;
        let table = self.records.get(at + usize::from(self.dashed.is_some()))?;
        let has_several = !table.aliases.is_empty() || table.subcommands == SubcommandSyntax::Shortened;
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
        self.subcommands.len() + usize::from(self.dashed.is_some())
    }

    /// Returns the records whose options are accepted at the parser's position, the innermost first. The options of a
    /// program that end at its subcommand are not accepted after the subcommand.
    fn entries(&self) -> impl Iterator<Item = &'static Program> {
        // A subcommand without a record is one level further in than the innermost record.
        let is_beyond = usize::from(self.is_unlisted());
        let ends = move |(at, table): &(usize, &'static Program)| *at > 0 && table.reading == WordSyntax::Leading;
        let inner = self.records.iter().rev().copied().enumerate().map(move |(at, table)| (at + is_beyond, table));
        inner.take_while(move |entry| !ends(entry)).map(|(_, table)| table)
    }
}

/// Marks the options that are cancelled: by their own value, or by a later option, such as `--no-force` after
/// `--force`, or `--force` after `--no-force`.
fn mark_cancelled(options: &mut [GivenOption]) {
    let mut undone: BTreeSet<Cow<'static, str>> = BTreeSet::new();
    for given in options.iter_mut().rev() {
        given.is_cancelled = undone.contains(&given.name);
        if given.is_negated {
            given.is_cancelled = true;
            undone.insert(given.name.clone());
        }
        undone.extend(given.option.and_then(|option| option.undoes).map(Cow::Borrowed));
        if let Some(bare) = given.name.strip_prefix("--no-") {
            undone.insert(Cow::Owned(format!("--{bare}")));
        }
        if let Some(bare) = given.name.strip_prefix("--") {
            undone.insert(Cow::Owned(format!("--no-{bare}")));
        }
    }
}

/// The values that switch off an option without a value, as Go's `strconv.ParseBool` reads them: `--force=false`.
const NO: &[&str] = &["false", "False", "FALSE", "f", "F", "0"];

/// The maximum number of letters whose options are cached for one word: more than any program has.
const KNOWN_LETTERS: usize = 64;

/// Parses the words of one command.
struct ArgvReader<'a> {
    words: &'a [Word],
    /// The index of the next word. While a word is parsed, that of the word after it.
    at: usize,
    argv: Argv<'a>,
}

impl<'a> ArgvReader<'a> {
    /// Returns the syntax of the words at this position. Words without a record are parsed like those of GNU
    /// programs.
    fn reading(&self) -> WordSyntax {
        self.argv.table().filter(|_| !self.argv.is_as_written()).map_or(WordSyntax::Gnu, |table| table.reading)
    }

    /// Parses a word: an option with its value, a subcommand or an operand.
    fn read_word(&mut self, word: &'a Word) {
        let reading = self.reading();
        // Whether all words from here on are operands.
        let is_over = match reading {
            WordSyntax::Operands => true,
            WordSyntax::Leading => !self.argv.operands.is_empty(),
            _ => false,
        };
        if is_over || self.argv.after_dashes.is_some() {
            return self.operand(word);
        }
        let start = word.prefix();
        match reading {
            WordSyntax::Pairs => self.read_pair(word),
            // The first word of `tar xzf x`.
            WordSyntax::Bundled if self.at == 2 && !start.starts_with('-') && !start.is_empty() => {
                self.read_bundle(word)
            }
            _ if word.known_text() == Some("--") => self.argv.after_dashes = Some(self.argv.operands.len()),
            // A word with an unknown beginning may begin with a dash, and so be an option. Names of branches and of
            // files are taken not to: only a file with an odd name begins with one.
            _ if start.is_empty()
                && matches!(word.parts.first(), Some(WordPart::Unknown(it)) if !it.is_branch() && !it.is_one_of_files() && it.matched_glob().is_none()) =>
            {
                self.add_maybe_option(word);
                self.operand(word);
            }
            _ if word.known_text() == Some("-") || !start.starts_with('-') => {
                self.split(word);
                self.operand(word);
            }
            WordSyntax::Words => self.read_long_option(word, start),
            _ if start.starts_with("--") => self.read_long_option(word, start),
            // Without a record, `-abc` may be one option or three, and is read as one.
            _ if self.argv.is_as_written() => self.read_long_option(word, start),
            // Some options with several letters have one dash: `wget -nc`.
            _ if start.len() > 2 && self.argv.option(start).is_some() => self.read_long_option(word, start),
            _ => self.cluster(word, start.get(1..).unwrap_or_default()),
        }
    }

    /// Records a word that may be an option, and so may also change which word is the subcommand.
    fn add_maybe_option(&mut self, word: &'a Word) {
        self.argv.maybe_options.push(word);
        self.note_maybe_subcommand(word);
    }

    /// Records a word that is not an option but may be split into several words, one of which may be an option.
    fn split(&mut self, word: &'a Word) {
        if word.may_split_at_blanks() {
            self.add_maybe_option(word);
        }
    }

    /// Records that the subcommand may be another one, if this word is before the subcommand and may be split into
    /// several.
    fn note_maybe_subcommand(&mut self, word: &'a Word) {
        let awaits = self.argv.table().is_some_and(|table| !table.commands.is_empty());
        if awaits && self.argv.subcommand_count() < self.argv.records.len() && word.may_split_at_blanks() {
            let why = word.unknown_reason();
            self.argv.maybe_subcommand = self.argv.maybe_subcommand.take().or(why);
        }
    }

    /// Adds a word that is not an option: a subcommand, or an operand.
    fn operand(&mut self, word: &'a Word) {
        // The previous word is an option without a record entry, which may take this one as its value.
        let may_be_value = self.argv.after_dashes.is_none()
            && self.argv.options.last().is_some_and(|given| {
                given.option.is_none()
                    && given.value.is_none()
                    && given.word_index + 2 == self.at
                    && given.name.starts_with('-')
            });
        if may_be_value {
            self.argv.maybe_values.push(word);
        }
        let tracks = self.argv.table().map(|table| table.tracks).unwrap_or_default();
        if !tracks.is_empty()
            && self.argv.operands.is_empty()
            && word.known_text().is_some_and(|name| tracks.contains(&name))
        {
            self.argv.track = Some(word);
            return;
        }
        let may_have_commands = self.argv.table().is_some_and(|table| !table.commands.is_empty());
        let is_command = may_have_commands && self.argv.operands.is_empty() && self.argv.after_dashes.is_none();
        // The word cannot be a subcommand: the record lists none, or the word before it is one without a record.
        if !is_command || self.argv.subcommand_count() >= self.argv.records.len() {
            self.argv.operands.push(word);
            return;
        }
        // In `cargo +nightly test`, the toolchain is not a subcommand.
        if word.prefix().starts_with('+') {
            return self.add_option(None, word.prefix(), None, self.at - 1);
        }
        let command = word.known_text().and_then(|name| self.argv.table().and_then(|table| table.command(name)));
        if may_be_value && command.is_none() && self.words.get(self.at).is_some() {
            // The word may be the value of the previous option, and the next word the subcommand.
            return;
        }
        self.argv.subcommands.push(word);
        self.argv.command_at = self.at - 1;
        self.argv.records.extend(command);
    }

    /// Parses `--name`, `--name=value` or `--name value`, also as an unambiguous abbreviation.
    fn read_long_option(&mut self, word: &'a Word, start: &str) {
        let (spelling, has_value) = match start.split_once('=') {
            Some((spelling, _)) => (spelling, true),
            None => (start, false),
        };
        // The name of the option itself is not fully known.
        if !has_value && word.known_text().is_none() {
            // The unknown rest of the name determines its effect.
            self.add_maybe_option(word);
            return;
        }
        self.split(word);
        let exact = self.argv.option(spelling);
        let (mut lengthened, mut is_several) = (None, false);
        if exact.is_none() && spelling.len() > 2 && spelling.starts_with("--") && !self.argv.is_as_written() {
            let mut all = self.argv.entries().flat_map(|table| table.options_with_prefix(spelling));
            let first = all.next();
            is_several = first.is_some_and(|first| all.any(|other| other != first));
            lengthened = first.filter(|_| !is_several);
        }
        let option = exact.or(lengthened);
        let at = self.at - 1;
        let value = match option.map(|option| option.arity) {
            _ if has_value => word.strip_prefix(start.get(..=spelling.len()).unwrap_or(start)),
            Some(Arity::Value) => self.next_word(),
            Some(Arity::Command) => {
                self.command();
                None
            }
            _ => None,
        };
        self.add_option(option, spelling, value, at);
        if (lengthened.is_some() || is_several)
            && let Some(given) = self.argv.options.to_mut().last_mut()
        {
            given.is_abbreviated = true;
        }
    }

    /// Whether a `=` between a letter and its value is not part of the value: the value of `-o=x` is `x`.
    fn has_equals_syntax(&self) -> bool {
        self.argv.table().is_some_and(|table| table.short_options == ShortOptionSyntax::Equals)
    }

    /// Parses a word of letters after one dash: `-abc`, `-ovalue`, or `-o value`.
    fn cluster(&mut self, word: &'a Word, letters: &str) {
        self.split(word);
        let at = self.at - 1;
        let mut done = word.prefix().len() - letters.len();
        let mut rest = letters;
        // A word may contain the same letter thousands of times.
        let mut known: ShortList<(char, Option<&'static ProgramOption>)> = ShortList::new();
        // The rest of the word from an offset on, with its unknown parts.
        let from = |offset: usize| word.strip_prefix(word.prefix().get(..offset).unwrap_or_default());
        while let Some(letter) = rest.chars().next() {
            let before = known.iter().find(|(other, _)| *other == letter);
            let option = before.map_or_else(|| self.argv.letter(letter), |(_, option)| *option);
            if before.is_none() && known.len() < KNOWN_LETTERS {
                known.push((letter, option));
            }
            if letter.is_ascii_digit()
                && let Some(number) = self.argv.option(NUMBER)
            {
                let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit());
                let digits = rest.get(..rest.len() - behind.len()).unwrap_or_default();
                // An unknown part after the digits may be further digits, and belongs to the value.
                let value = if behind.is_empty() { from(done) } else { Some(Word::text(digits)) };
                self.add_letter(Some(number), letter, value, at);
                done += digits.len();
                rest = behind;
                continue;
            }
            rest = rest.get(letter.len_utf8()..).unwrap_or_default();
            done += letter.len_utf8();
            let is_known = option.is_some_and(|option| option.arity != Arity::Command);
            if rest.starts_with('=') && is_known && self.has_equals_syntax() {
                return self.add_letter(option, letter, from(done + 1), at);
            }
            match option.map(|option| option.arity) {
                Some(arity @ (Arity::Value | Arity::Attached)) => {
                    let attached = from(done).filter(|rest| !rest.parts.is_empty());
                    let value = if arity == Arity::Value { attached.or_else(|| self.next_word()) } else { attached };
                    return self.add_letter(option, letter, value, at);
                }
                Some(Arity::Command) => {
                    self.add_letter(option, letter, None, at);
                    return self.command();
                }
                _ => self.add_letter(option, letter, None, at),
            }
        }
        // Further letters.
        if word.known_text().is_none() {
            self.add_maybe_option(word);
        }
    }

    /// Parses the first word of `tar xzf archive`: each letter is an option, and the next words are their values, in
    /// order.
    fn read_bundle(&mut self, word: &'a Word) {
        let at = self.at - 1;
        for letter in word.prefix().chars() {
            let option = self.argv.letter(letter);
            let value = match option.map(|option| option.arity) {
                Some(Arity::Value) => self.next_word(),
                _ => None,
            };
            self.add_letter(option, letter, value, at);
        }
        // The unknown part of the word may be further letters.
        if word.known_text().is_none() {
            self.add_maybe_option(word);
        }
    }

    /// Parses `name=value` as an option. A word without a `=` is an operand.
    fn read_pair(&mut self, word: &'a Word) {
        self.split(word);
        match word.split_at_equals() {
            Some((name, value)) => self.add_option(self.argv.option(name), name, Some(value), self.at - 1),
            None => self.argv.operands.push(word),
        }
    }

    /// Skips the words of the command that an option runs, up to a `;`, or to a `+` after `{}`: `find -exec rm {} +`.
    fn command(&mut self) {
        let mut before = "";
        while let Some(word) = self.words.get(self.at) {
            self.at += 1;
            match word.known_text() {
                Some(";") => return,
                Some("+") if before == "{}" => return,
                known => before = known.unwrap_or_default(),
            }
        }
    }

    /// Takes the next word, as the value of an option; `None` if there is none.
    fn next_word(&mut self) -> Option<Word> {
        let words = self.words;
        let word = words.get(self.at)?;
        self.at += 1;
        self.split(word);
        Some(word.clone())
    }

    /// Adds an option with one letter. If it is short for several options, all of them have that letter.
    fn add_letter(&mut self, option: Option<&'static ProgramOption>, letter: char, value: Option<Word>, at: usize) {
        let before = self.argv.options.len();
        match option {
            Some(_) => self.add_option(option, "", value, at),
            None => self.add_option(None, &format!("-{letter}"), value, at),
        }
        self.argv.options.to_mut().iter_mut().skip(before).for_each(|given| given.letter = Some(letter));
    }

    /// Adds an option whose name is in the word with the index `at`. An option that means others, such as `cp -a`, is
    /// replaced by them.
    fn add_option(&mut self, option: Option<&'static ProgramOption>, spelling: &str, value: Option<Word>, at: usize) {
        if let Some(option) = option.filter(|option| !option.means.is_empty()) {
            for meant in option.means {
                let own = self.argv.option(meant);
                self.add_option(own.filter(|own| own.means.is_empty()), meant, None, at);
            }
            return;
        }
        let name = option.map_or_else(|| Cow::Owned(spelling.to_owned()), |option| Cow::Borrowed(option.name()));
        let is_global = self.argv.subcommands.is_empty();
        let is_switch = option.is_some_and(|option| option.arity == Arity::None) && self.has_equals_syntax();
        let says_no = is_switch && value.as_ref().and_then(Word::known_text).is_some_and(|value| NO.contains(&value));
        self.argv.options.to_mut().push(GivenOption {
            option,
            name,
            value,
            is_global,
            is_abbreviated: false,
            word_index: at,
            letter: None,
            is_negated: says_no,
            is_cancelled: false,
        });
    }
}

#[cfg(test)]
mod tests;
