//! Patterns over the words of a command: `"git push (--force|--mirror)"`.
//!
//! A pattern is compared with the parsed words of a program, not with text. [`Pattern::runs`] is generous: a command
//! may have words that the pattern does not name. [`Pattern::runs_only`] is strict: a command may not.
//!
//! ```
//! use std::path::Path;
//!
//! use hookrules_shell::glob::Fit;
//! use hookrules_shell::{Pattern, StartDirectories, analyse};
//!
//! let start = StartDirectories { cwd: Path::new("/home/dev"), home: None };
//! let analysis = analyse("git -C app push -f origin main", &start);
//! let push = &analysis.commands[0];
//! assert_eq!(Pattern::new("git push --force").expect("a pattern").runs(push), Fit::Yes);
//! assert_eq!(Pattern::new("git push !--force").expect("a pattern").runs(push), Fit::No);
//! ```

mod bytes;
mod covering;
mod incidental;
mod inspect;
mod looks;
mod named;
mod names;
mod only;
mod parse;
mod runner_parts;
mod runs;
mod scripts;
mod sequence;
mod star;
mod surroundings;
mod uncovered;
mod word_bits;

pub use inspect::UnknownWord;
pub(super) use named::{NamedWord, NamedWords};
pub use names::{NameCoverage, PossibleProgram, ProgramName, RequiredWords};
pub use parse::{BadPattern, words};
pub use runner_parts::{CallPart, RunnerCall, RunnerFit};
pub use uncovered::{UncoveredReason, UncoveredWord};

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::analysis::SimpleCommand;
use crate::argv::{Argv, GivenOption};
use crate::few::ShortList;
use crate::glob::{Fit, Glob, GlobToken};
use crate::programs::{NUMBER, ProgramOption, Programs, WordSyntax};
use crate::unseen::UnseenText;
pub use crate::unseen::possible_program_names;
use sequence::{OperandSequence, Strictness};

/// A pattern of one command, parsed.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The source text of the pattern.
    text: String,
    /// The records, in addition to the built-in ones, by which the words of a command are parsed.
    added: Programs,
    /// The alternatives for the base name of the program.
    programs: Vec<Glob>,
    /// The files of that name that a strict test accepts.
    place: ProgramPlace,
    /// The subcommands and operands before a `--`, in order.
    front: Vec<PatternOperand>,
    /// The operands after a `--`; `None` if the pattern has no `--`.
    after_dashes: Option<Vec<PatternOperand>>,
    /// The flags that a command must or must not have.
    flags: Vec<PatternFlag>,
    /// The words that a command may have after the last operand.
    end: PatternEnd,
}

/// A word of a pattern that is not a flag: `push`, `(push|pull)`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct PatternOperand {
    alternatives: Vec<Glob>,
    /// The index in [`Pattern::flags`] of the flag right before the operand, which is the value of that flag if the
    /// flag takes one.
    preceding_flag: Option<usize>,
}

/// A word of a pattern with a leading dash: `--force`, `!(-f|--force)`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct PatternFlag {
    presence: Presence,
    alternatives: Vec<FlagSpelling>,
}

/// Whether a command must or must not have a flag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Presence {
    /// A command must have one of the alternatives.
    Given,
    /// A command must have none of the alternatives: `!--force`.
    Absent,
}

/// One spelling of a flag: `--depth=*`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct FlagSpelling {
    /// The name in the source, without a value: `--depth`.
    name: String,
    /// The name as a glob, if it contains wildcards.
    glob: Option<Glob>,
    /// The pattern of the value after a `=`, if there is one.
    value: Option<Glob>,
    /// Whether the flag is before all operands in the pattern, so that it belongs to the program and not to a
    /// subcommand: `git -C * push`.
    precedes_operands: bool,
    /// How many operands precede the flag in the pattern, at most 255.
    operands_before: u8,
    /// How many of them are certainly no value of a flag, and not `*`, which may also be an option.
    plain_before: u8,
}

/// Patterns are equal if their parsed words are, even if their texts differ.
impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        let Self { text: _, added, programs, place, front, after_dashes, flags, end } = self;
        (added, programs, place, front, after_dashes, flags, end)
            == (
                &other.added,
                &other.programs,
                &other.place,
                &other.front,
                &other.after_dashes,
                &other.flags,
                &other.end,
            )
    }
}

impl Eq for Pattern {}

/// Which files the program of a pattern stands for in a strict test. In a generous one, these are the files of that
/// name in any directory.
#[derive(Clone, PartialEq, Eq, Debug)]
enum ProgramPlace {
    /// The program that the shell finds by its name, or one in a directory of the system.
    Installed,
    /// The file in this directory of the project: `scripts` of `./scripts/test.sh`, and an empty one of `./gradlew`.
    Project(String),
}

/// The words that a command may have after the last word of a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PatternEnd {
    /// Any words in generous matching, none in strict matching.
    Open,
    /// Any words or none, even in strict matching: a trailing `*`.
    Anything,
    /// No further operand: a trailing `!*`.
    Nothing,
    /// The words with which the command only looks according to its record: a trailing `@looks` or `@reads`.
    Looks(Looks),
}

/// The words of a record with which a program only looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Looks {
    /// All of them: `@looks`.
    All,
    /// Those with which it may read files of the user: `@reads`.
    Reading,
}

/// A command that several patterns are compared with. Its words are parsed only once.
pub struct TestedCommand<'c> {
    command: &'c SimpleCommand,
    argv: OnceCell<Argv<'c>>,
}

impl<'c> TestedCommand<'c> {
    /// Prepares a command for comparisons. Its words are parsed when they are first needed.
    #[must_use]
    pub fn new(command: &'c SimpleCommand) -> Self {
        Self { command, argv: OnceCell::new() }
    }

    /// Returns the command.
    #[must_use]
    pub fn command(&self) -> &'c SimpleCommand {
        self.command
    }

    /// Returns the words of the command as its program parses them, by the built-in records and `programs`.
    fn argv(&self, programs: &Programs) -> Cow<'_, Argv<'c>> {
        if programs.is_empty() {
            return Cow::Borrowed(self.argv.get_or_init(|| self.command.argv()));
        }
        Cow::Owned(self.command.argv_with(programs))
    }
}

/// The words of a pattern as one program parses them, with the values of flags separated from the operands.
struct ProgramView<'p> {
    /// The operands that are not values of flags.
    front: OperandSequence<'p>,
    /// The flags, each with the operand that is its value.
    flags: ShortList<(&'p PatternFlag, Option<&'p PatternOperand>)>,
}

impl Pattern {
    /// Returns the source text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the records, in addition to the built-in ones, by which the words of a command are parsed.
    #[must_use]
    pub fn programs(&self) -> &Programs {
        &self.added
    }

    /// Returns the name of the program if it has no record, so that other spellings of its options are not known.
    /// Returns `None` if it has a record, or if it is not a plain name.
    #[must_use]
    pub fn unrecorded(&self) -> Option<&str> {
        let name = self.text.split_whitespace().next()?;
        let is_plain =
            name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'+'));
        (is_plain && !self.added.has(name)).then_some(name)
    }

    /// Whether a text that is not shell code may contain a command that this pattern matches: the names of the program
    /// and of the subcommands occur in the text as words.
    #[must_use]
    pub fn is_named_in(&self, text: &UnseenText) -> bool {
        let matches = |globs: &[Glob], word: &str| globs.iter().any(|glob| glob.matches(word));
        let subcommands = self.subcommand_count();
        if subcommands == 0 {
            return text.names_program_alone(|word| matches(&self.programs, word));
        }
        let occurs = |globs: &[Glob]| possible_program_names(text.as_str()).any(|word| matches(globs, word));
        occurs(&self.programs) && self.front.iter().take(subcommands).all(|operand| occurs(&operand.alternatives))
    }

    /// Returns how many of the operands are subcommands, according to the records of the programs; the largest number
    /// if they differ.
    fn subcommand_count(&self) -> usize {
        let names = self.programs.iter().filter_map(Glob::literal);
        let depths = names.filter_map(|name| self.added.program(name)).map(|table| {
            let mut tables = vec![table];
            let mut depth = 0;
            for operand in &self.front {
                if tables.iter().all(|table| table.commands.is_empty()) || operand.alternatives.iter().any(Glob::is_any)
                {
                    break;
                }
                depth += 1;
                let inner = tables.iter().flat_map(|table| table.commands);
                let matches_operand = |name: &str| operand.alternatives.iter().any(|glob| glob.matches(name));
                tables = inner.filter(|table| table.names.iter().any(|name| matches_operand(name))).collect();
            }
            depth
        });
        depths.max().unwrap_or(0)
    }

    /// Whether the pattern names a program of this name. A builtin with two names, `[` and `test`, matches by either.
    fn names_program(&self, name: &str) -> bool {
        let other = names::other_name(name);
        self.programs.iter().any(|glob| glob.matches(name) || other.is_some_and(|other| glob.matches(other)))
    }

    /// Returns the words of the pattern as a program parses them. With [`ValuePlacement::Apart`], the word after a
    /// flag that takes a value is that value.
    fn view_for(&self, argv: &Argv<'_>, values: ValuePlacement) -> ProgramView<'_> {
        let mut flags: ShortList<_> = self.flags.iter().map(|flag| (flag, None)).collect();
        if values == ValuePlacement::Attached || self.front.iter().all(|operand| operand.preceding_flag.is_none()) {
            return ProgramView { front: OperandSequence::All(&self.front), flags };
        }
        let is_in_order = values == ValuePlacement::InOrder;
        let mut front = Vec::with_capacity(self.front.len());
        for operand in &self.front {
            match operand.preceding_flag.and_then(|at| flags.get_mut(at)) {
                Some((flag, value)) if flag.takes_value(argv) && !(is_in_order && flag.follows_operand(argv)) => {
                    *value = Some(operand);
                }
                _ => front.push(operand),
            }
        }
        ProgramView { front: OperandSequence::Some(front), flags }
    }

    /// Whether a word of the pattern can be an operand or, for this program, the value of the flag before it.
    fn has_possible_values(&self, argv: &Argv<'_>) -> bool {
        let flag = |operand: &PatternOperand| operand.preceding_flag.and_then(|at| self.flags.get(at));
        self.front.iter().filter_map(flag).any(|flag| flag.takes_value(argv))
    }
}

/// How the words of a pattern right after a flag that takes a value are interpreted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValuePlacement {
    /// An operand is never the value of a flag: values are attached, as in `--depth=1`.
    Attached,
    /// An operand right after the flag is the value, as in `--depth 1`.
    Apart,
    /// The same, but a flag behind an operand that ends the options of the program is a word, and so is the next one.
    InOrder,
}

impl PatternOperand {
    /// Whether the operand is certainly no value of a flag, and not `*`, which may also be an option.
    fn is_plain(&self) -> bool {
        self.preceding_flag.is_none() && !self.alternatives.iter().any(Glob::is_any)
    }

    /// Whether one of the alternatives matches a text.
    fn matches(&self, text: &str) -> bool {
        self.alternatives.iter().any(|glob| glob.matches(text))
    }

    /// Tests whether one of the alternatives matches a word, which may have unknown parts.
    fn test(&self, word: &crate::word::Word) -> Fit {
        self.alternatives.iter().fold(Fit::No, |fit, glob| match fit {
            Fit::Yes => Fit::Yes,
            fit => fit.or(glob.test(word)),
        })
    }
}

impl PatternFlag {
    /// Whether the flag is a word of the operand that it follows: see [`FlagSpelling::follows_operand`].
    fn follows_operand(&self, argv: &Argv<'_>) -> bool {
        self.alternatives.iter().any(|spelled| spelled.follows_operand(argv))
    }

    /// Whether the flag takes the next word as its value: all of its spellings take a value, and the pattern has none
    /// after a `=`.
    fn takes_value(&self, argv: &Argv<'_>) -> bool {
        let needs_next_word = |spelled: &FlagSpelling| {
            let option = spelled.option(argv).or_else(|| spelled.last_letter(argv));
            spelled.value.is_none() && option.is_some_and(|option| option.arity == crate::programs::Arity::Value)
        };
        self.alternatives.iter().all(needs_next_word)
    }
}

/// A spelling of a flag with its option in the records of one command, resolved once for all given options.
enum ResolvedSpelling<'s> {
    /// A single option, with its description in the record, if there is one.
    One(&'s FlagSpelling, Option<&'static ProgramOption>),
    /// The options that the spelling is short for: `-rf` for `-r -f`.
    Parts(Vec<(FlagSpelling, Option<&'static ProgramOption>)>),
}

impl ResolvedSpelling<'_> {
    /// Whether a given option is the spelling's option, or one of them; its value is not compared.
    fn names(&self, given: &GivenOption) -> bool {
        self.has_any(|spelled, option| spelled.names(given, option))
    }

    /// Whether a given option undoes the spelling's option, or one of them: `--no-dry-run` after `--dry-run`.
    fn is_undone_by(&self, given: &GivenOption) -> bool {
        let undone = given.option.and_then(|option| option.undoes);
        let is_undone = |spelled: &FlagSpelling, option: Option<&ProgramOption>| {
            let names = option.map_or(&[][..], |option| option.names).iter().copied().chain([&*spelled.name]);
            names.into_iter().any(|name| undone == Some(name) || is_opposite(name, &given.name))
        };
        self.has_any(is_undone)
    }

    /// Whether a test holds for the spelling's option, or for one of them.
    fn has_any(&self, test: impl Fn(&FlagSpelling, Option<&'static ProgramOption>) -> bool) -> bool {
        match self {
            Self::One(spelled, option) => test(spelled, *option),
            Self::Parts(parts) => parts.iter().any(|(part, option)| test(part, *option)),
        }
    }
}

/// Whether one of two options is the other one with `no-`: `--dry-run` and `--no-dry-run`.
fn is_opposite(one: &str, other: &str) -> bool {
    let negates = |long: &str, short: &str| {
        let bare = long.strip_prefix("--no-");
        bare.is_some() && bare == short.strip_prefix("--")
    };
    negates(one, other) || negates(other, one)
}

impl FlagSpelling {
    /// Finds the options of the spelling in the records of a command.
    fn resolve(&self, argv: &Argv<'_>) -> ResolvedSpelling<'_> {
        match self.parts(argv) {
            Ok(parts) => ResolvedSpelling::Parts(
                parts
                    .into_iter()
                    .map(|part| {
                        let option = part.option(argv);
                        (part, option)
                    })
                    .collect(),
            ),
            Err(option) => ResolvedSpelling::One(self, option),
        }
    }

    /// Returns the description of the option in the records; `None` if they lack the option.
    fn option(&self, argv: &Argv<'_>) -> Option<&'static ProgramOption> {
        let outer = || argv.outer_option(&self.name);
        let inner = || argv.option(&self.name);
        if self.precedes_operands && !argv.subcommands.is_empty() {
            outer().or_else(inner)
        } else {
            inner().or_else(outer)
        }
    }

    /// Returns the spellings that this one is short for: the options that the record names as its meaning, or the
    /// letters of a cluster (`-rf`).
    ///
    /// # Errors
    /// The spelling is a single option. The error is its description in the record, if there is one.
    fn parts(&self, argv: &Argv<'_>) -> Result<Vec<Self>, Option<&'static ProgramOption>> {
        let spelling = |name: String| Self { name, glob: None, value: None, ..self.clone() };
        if let Some(number) = self.number(argv) {
            return Ok(vec![Self { value: Some(Glob::new(number)), ..spelling(NUMBER.to_owned()) }]);
        }
        if let Some(option) = self.option(argv) {
            let parts = || option.means.iter().map(|name| spelling((*name).to_owned())).collect();
            return (!option.means.is_empty()).then(parts).ok_or(Some(option));
        }
        let letters = self.letters().filter(|_| self.glob.is_none() && argv.has_clusters()).ok_or(None)?;
        let mut parts: Vec<Self> = letters.chars().map(|letter| spelling(format!("-{letter}"))).collect();
        if let Some(last) = parts.last_mut() {
            last.value.clone_from(&self.value);
        }
        Ok(parts)
    }

    /// Returns the digits of an option that is a number, if the program accepts such an option: `5` for `head -5`.
    fn number(&self, argv: &Argv<'_>) -> Option<&str> {
        let is_number = |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = self.name.strip_prefix('-').filter(is_number)?;
        argv.option(NUMBER).map(|_| number)
    }

    /// Returns the letters of a word that may be a cluster: `rf` for `-rf`; `None` for one letter or two dashes.
    fn letters(&self) -> Option<&str> {
        self.name.strip_prefix('-').filter(|letters| !letters.starts_with('-') && letters.chars().nth(1).is_some())
    }

    /// Returns the description of the option that is the last letter of a cluster.
    fn last_letter(&self, argv: &Argv<'_>) -> Option<&'static ProgramOption> {
        let last = self.letters().filter(|_| argv.has_clusters())?.chars().next_back()?;
        argv.letter(last)
    }

    /// Whether a given option is this spelling, whose description in the record is `option`; the value is not
    /// compared.
    fn names(&self, given: &GivenOption, option: Option<&'static ProgramOption>) -> bool {
        if let Some(glob) = &self.glob {
            let recorded = given.option.map(|option| option.names).unwrap_or_default();
            let is_digit = given.letter.is_some_and(|letter| letter.is_ascii_digit());
            let number = given.value.as_ref().filter(|_| is_digit && recorded.contains(&NUMBER));
            let is_number =
                number.and_then(|word| word.known_text()).is_some_and(|number| glob.matches(&format!("-{number}")));
            return is_number || glob.matches(&given.name) || recorded.iter().any(|name| glob.matches(name));
        }
        match option {
            Some(option) => given.option.is_some_and(|recorded| std::ptr::eq(recorded, option) || recorded == option),
            None => given.name == self.name,
        }
    }
}

impl FlagSpelling {
    /// Whether the flag can be an option of a command. A command that takes every word as an operand may have options in
    /// front of its subcommand: `pnpm -r test`.
    fn may_be_option(&self, argv: &Argv<'_>) -> bool {
        !argv.has_words_alone() || self.precedes_operands && !argv.subcommands.is_empty()
    }

    /// Whether the flag follows an operand that ends the options of the program, so that it is a word of that operand:
    /// `node x.js --fix`.
    fn follows_operand(&self, argv: &Argv<'_>) -> bool {
        let is_leading = argv.table().is_some_and(|table| table.reading == WordSyntax::Leading);
        if !is_leading || argv.is_unlisted() {
            return false;
        }
        // The pattern may name the subcommand by more words than the command does: `docker container run`.
        let by_synonym = argv.nested_synonyms().map(|words| words.split(' ').count()).max().unwrap_or_default();
        let subcommands = usize::from(argv.track.is_some()) + argv.subcommands.len();
        usize::from(self.plain_before) > subcommands.max(by_synonym)
    }

    /// Tests whether a word among the operands of a command equals this flag.
    fn test_among_words(&self, argv: &Argv<'_>) -> Fit {
        argv.operands.iter().fold(Fit::No, |fit, word| fit.or(self.test_word(word)))
    }

    /// Tests whether a known word among the operands of a command has the name of this flag, with any value.
    fn is_named_among_words(&self, argv: &Argv<'_>) -> Fit {
        let is_named = |text: &str| {
            let name = text.split_once('=').map_or(text, |(name, _)| name);
            self.glob.as_ref().map_or(name == self.name, |glob| glob.matches(name))
        };
        argv.operands.iter().any(|word| word.known_text().is_some_and(is_named)).into()
    }

    /// Tests whether a word equals this flag, with its value.
    fn test_word(&self, word: &crate::word::Word) -> Fit {
        if word.may_split_at_blanks() {
            word.unknown_reason().map_or(Fit::No, Fit::Maybe)
        } else {
            self.as_word().test(word)
        }
    }

    /// Returns a glob of the flag as one word, with its value: `--depth=*`.
    fn as_word(&self) -> Glob {
        let name = self.glob.clone().unwrap_or_else(|| Glob::from_text(self.name.clone()));
        match &self.value {
            Some(value) => Glob::from_tokens([&*name.tokens(), &[GlobToken::Char('=')], &*value.tokens()].concat()),
            None => name,
        }
    }
}

impl Pattern {
    /// Whether a word among the operands of a command equals a flag of the pattern that may be one.
    fn is_flag_word(&self, word: &crate::word::Word, argv: &Argv<'_>, strictness: Strictness) -> bool {
        let flags = self.flags.iter().filter(|flag| flag.presence == Presence::Given);
        let mut spellings = flags.flat_map(|flag| &flag.alternatives);
        spellings.any(|spelled| {
            let may_be_word = argv.has_words_alone()
                // A strict test compares these in the order of the pattern.
                || strictness == Strictness::Generous && spelled.follows_operand(argv);
            may_be_word && spelled.test_word(word) == Fit::Yes
        })
    }
}

impl Argv<'_> {
    /// Whether the program takes every word as an operand: `test -f x`.
    fn has_words_alone(&self) -> bool {
        self.table().is_some_and(|table| table.reading == WordSyntax::Operands)
    }

    /// Whether the program takes options of the form `name=value`, as `dd` does.
    fn has_pairs(&self) -> bool {
        self.table().is_some_and(|table| table.reading == WordSyntax::Pairs)
    }
}

#[cfg(test)]
mod tests;
