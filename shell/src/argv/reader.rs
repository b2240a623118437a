//! Parses the words of a command from left to right, by the options and subcommands of its records.

use std::borrow::Cow;

use super::{Argv, GivenOption, ShortList};
use crate::programs::{Arity, NUMBER, ProgramOption, ShortOptionSyntax, WordSyntax};
use crate::word::{Word, WordPart};

/// The values that switch off an option without a value, as Go's `strconv.ParseBool` reads them: `--force=false`.
const FALSE_VALUES: &[&str] = &["false", "False", "FALSE", "f", "F", "0"];

/// The maximum number of letters whose options are cached for one word: more than any program has.
const CACHED_LETTERS: usize = 64;

/// Parses the words of a command into `argv`, which has nothing but the words and the records of their program yet.
pub(super) fn read_words(argv: Argv<'_>) -> Argv<'_> {
    let words = argv.words;
    let mut reader = ArgvReader { words, at: 1, argv };
    while let Some(word) = words.get(reader.at) {
        reader.at += 1;
        reader.read_word(word);
    }
    reader.argv
}

/// Parses the words of one command.
struct ArgvReader<'a> {
    words: &'a [Word],
    /// The index of the next word; while a word is parsed, the index of the word after it.
    at: usize,
    argv: Argv<'a>,
}

impl<'a> ArgvReader<'a> {
    /// Returns the syntax of the words from here on. Words without a record are parsed like those of GNU programs.
    fn reading(&self) -> WordSyntax {
        self.argv.table().filter(|_| !self.argv.is_as_written()).map_or(WordSyntax::Gnu, |table| table.reading)
    }

    /// Parses a word: an option with its value, a subcommand or an operand.
    fn read_word(&mut self, word: &'a Word) {
        let reading = self.reading();
        let are_options_over = match reading {
            WordSyntax::Operands => true,
            WordSyntax::Leading => !self.argv.operands.is_empty(),
            _ => false,
        };
        if are_options_over || self.argv.after_dashes.is_some() {
            return self.add_non_option(word);
        }
        let start = word.prefix();
        match reading {
            WordSyntax::Pairs => self.read_pair(word),
            // The first word of `tar xzf x`.
            WordSyntax::Bundled if self.at == 2 && !start.starts_with('-') && !start.is_empty() => {
                self.read_bundle(word)
            }
            _ if word.known_text() == Some("--") => self.argv.after_dashes = Some(self.argv.operands.len()),
            // A word with an unknown beginning may begin with a dash, and so be an option. Names of branches, of
            // commits and of files are taken not to: only a file with an odd name begins with one.
            _ if start.is_empty()
                && matches!(word.parts.first(), Some(WordPart::Unknown(part)) if !part.is_identifier() && !part.is_one_of_files() && part.matched_glob().is_none()) =>
            {
                self.add_maybe_option(word);
                self.add_non_option(word);
            }
            _ if word.known_text() == Some("-") || !start.starts_with('-') => {
                self.note_possible_split(word);
                self.add_non_option(word);
            }
            WordSyntax::Words => self.read_long_option(word, start),
            _ if start.starts_with("--") => self.read_long_option(word, start),
            // Without a record, `-abc` may be one option or three, and is read as one.
            _ if self.argv.is_as_written() => self.read_long_option(word, start),
            // Some options with several letters have one dash: `wget -nc`.
            _ if start.len() > 2 && self.argv.option(start).is_some() => self.read_long_option(word, start),
            _ => self.read_cluster(word, start.get(1..).unwrap_or_default()),
        }
    }

    /// Records a word that may be an option. It may also be the reason why another word is the subcommand.
    fn add_maybe_option(&mut self, word: &'a Word) {
        self.argv.maybe_options.push(word);
        self.note_maybe_subcommand(word);
    }

    /// Records a word that is not an option, but that the shell may split into words with an option among them.
    fn note_possible_split(&mut self, word: &'a Word) {
        if word.may_split_at_blanks() {
            self.add_maybe_option(word);
        }
    }

    /// Records that the subcommand may be another one, if this word is before the subcommand and may be split into
    /// several.
    fn note_maybe_subcommand(&mut self, word: &'a Word) {
        let has_subcommands = self.argv.table().is_some_and(|table| !table.commands.is_empty());
        if has_subcommands && self.argv.subcommand_count() < self.argv.records.len() && word.may_split_at_blanks() {
            let reason = word.unknown_reason();
            self.argv.maybe_subcommand = self.argv.maybe_subcommand.take().or(reason);
        }
    }

    /// Adds a word that is not an option: a subcommand, or an operand.
    fn add_non_option(&mut self, word: &'a Word) {
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
        // The word cannot be a subcommand: the record lists none, or the previous subcommand has no record.
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
        let at = self.at - 1;
        let exact = self.argv.option(spelling);
        let may_be_attached = !has_value && (exact.is_none() || word.known_text().is_none());
        if let Some((option, letter, number)) = self.attached_number(word).filter(|_| may_be_attached) {
            return self.add_letter(Some(option), letter, Some(number), at);
        }
        if !has_value && word.known_text().is_none() {
            // The name of the option has an unknown rest, which determines its effect.
            self.add_maybe_option(word);
            return;
        }
        self.note_possible_split(word);
        let (mut lengthened, mut is_ambiguous) = (None, false);
        if exact.is_none() && spelling.len() > 2 && spelling.starts_with("--") && !self.argv.is_as_written() {
            let mut candidates = self.argv.entries().flat_map(|table| table.options_with_prefix(spelling));
            let first = candidates.next();
            is_ambiguous = first.is_some_and(|first| candidates.any(|other| other != first));
            lengthened = first.filter(|_| !is_ambiguous);
        }
        let option = exact.or(lengthened);
        let value = match option.map(|option| option.arity) {
            _ if has_value => word.strip_prefix(start.get(..=spelling.len()).unwrap_or(start)),
            Some(Arity::Value) => self.next_word(),
            Some(Arity::Number) => self.next_number(),
            Some(Arity::Command) => {
                self.skip_command();
                None
            }
            _ => None,
        };
        self.add_option(option, spelling, value, at);
        if (lengthened.is_some() || is_ambiguous)
            && let Some(given) = self.argv.options.to_mut().last_mut()
        {
            given.is_abbreviated = true;
        }
    }

    /// Returns the option, its letter and the number of a word such as `-j8`, for programs whose options are whole words.
    fn attached_number(&self, word: &Word) -> Option<(&'static ProgramOption, char, Word)> {
        let letter = word.prefix().strip_prefix('-')?.chars().next().filter(char::is_ascii_alphabetic)?;
        let name = word.prefix().get(..2)?;
        let number = word.strip_prefix(name).filter(is_unsigned)?;
        let takes_number = |option: &&ProgramOption| matches!(option.arity, Arity::Value | Arity::Number);
        let option = self.argv.option(name).filter(takes_number)?;
        Some((option, letter, number))
    }

    /// Whether a `=` between a letter and its value is not part of the value: the value of `-o=x` is `x`.
    fn has_equals_syntax(&self) -> bool {
        self.argv.table().is_some_and(|table| table.short_options == ShortOptionSyntax::Equals)
    }

    /// Parses a word of letters after one dash: `-abc`, `-ovalue`, or `-o value`.
    fn read_cluster(&mut self, word: &'a Word, letters: &str) {
        self.note_possible_split(word);
        let at = self.at - 1;
        let mut offset = word.prefix().len() - letters.len();
        let mut rest = letters;
        // A word may contain the same letter thousands of times, so the option of each is looked up once.
        let mut cache: ShortList<(char, Option<&'static ProgramOption>)> = ShortList::new();
        // Returns the word from an offset on, with its unknown parts.
        let word_from = |offset: usize| word.strip_prefix(word.prefix().get(..offset).unwrap_or_default());
        while let Some(letter) = rest.chars().next() {
            let cached = cache.iter().find(|(other, _)| *other == letter);
            let option = cached.map_or_else(|| self.argv.letter(letter), |(_, option)| *option);
            if cached.is_none() && cache.len() < CACHED_LETTERS {
                cache.push((letter, option));
            }
            if letter.is_ascii_digit()
                && let Some(number) = self.argv.option(NUMBER)
            {
                let after_digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
                let digits = rest.get(..rest.len() - after_digits.len()).unwrap_or_default();
                // An unknown part after the digits may be further digits, and belongs to the value.
                let value = if after_digits.is_empty() { word_from(offset) } else { Some(Word::text(digits)) };
                self.add_letter(Some(number), letter, value, at);
                offset += digits.len();
                rest = after_digits;
                continue;
            }
            rest = rest.get(letter.len_utf8()..).unwrap_or_default();
            offset += letter.len_utf8();
            let may_have_value = option.is_some_and(|option| option.arity != Arity::Command);
            if rest.starts_with('=') && may_have_value && self.has_equals_syntax() {
                return self.add_letter(option, letter, word_from(offset + 1), at);
            }
            match option.map(|option| option.arity) {
                Some(arity @ (Arity::Value | Arity::Attached | Arity::Number)) => {
                    let attached = word_from(offset).filter(|rest| !rest.parts.is_empty());
                    let value = attached.or_else(|| match arity {
                        Arity::Value => self.next_word(),
                        Arity::Number => self.next_number(),
                        _ => None,
                    });
                    return self.add_letter(option, letter, value, at);
                }
                Some(Arity::Command) => {
                    self.add_letter(option, letter, None, at);
                    return self.skip_command();
                }
                _ => self.add_letter(option, letter, None, at),
            }
        }
        // The unknown part of the word may be further letters.
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
        self.note_possible_split(word);
        match word.split_at_equals() {
            Some((name, value)) => self.add_option(self.argv.option(name), name, Some(value), self.at - 1),
            None => self.argv.operands.push(word),
        }
    }

    /// Skips the words of the command that an option runs, up to a `;`, or to a `+` after `{}`: `find -exec rm {} +`.
    fn skip_command(&mut self) {
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
        self.note_possible_split(word);
        Some(word.clone())
    }

    /// Reads the next word if it is a number.
    fn next_number(&mut self) -> Option<Word> {
        self.words.get(self.at).filter(|word| is_unsigned(word))?;
        self.next_word()
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
                let entry = self.argv.option(meant);
                self.add_option(entry.filter(|entry| entry.means.is_empty()), meant, None, at);
            }
            return;
        }
        let name = option.map_or_else(|| Cow::Owned(spelling.to_owned()), |option| Cow::Borrowed(option.name()));
        let is_global = self.argv.subcommands.is_empty();
        let is_switch = option.is_some_and(|option| option.arity == Arity::None) && self.has_equals_syntax();
        let is_negated =
            is_switch && value.as_ref().and_then(Word::known_text).is_some_and(|value| FALSE_VALUES.contains(&value));
        self.argv.options.to_mut().push(GivenOption {
            option,
            name,
            value,
            is_global,
            is_abbreviated: false,
            word_index: at,
            letter: None,
            is_negated,
            is_cancelled: false,
        });
    }
}

/// Whether a word is a number without a sign, known or not: `4`, `2.5`.
fn is_unsigned(word: &Word) -> bool {
    let is_decimal = |text: &str| {
        text.contains(|c: char| c.is_ascii_digit()) && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    word.known_text().map_or_else(|| word.is_number(), is_decimal)
}
