//! Patterns over the words of a command: `"git push (--force|--mirror)"`.
//!
//! A pattern is matched against the parsed words of a program, not against text. [`Pattern::runs`] is generous: it
//! permits words that the pattern does not name. [`Pattern::runs_only`] is strict: it permits none.
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
mod inspect;
mod named;
mod names;
mod only;
mod parse;
mod runs;
mod sequence;
mod word_bits;

pub use inspect::UnknownWord;
pub(super) use named::{NamedWord, NamedWords};
pub use names::{NameCoverage, PossibleProgram, ProgramName, RequiredWords};
pub use parse::BadPattern;

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::analysis::SimpleCommand;
use crate::argv::{Argv, GivenOption};
use crate::few::ShortList;
use crate::glob::{Fit, Glob};
use crate::programs::{NUMBER, ProgramOption, Programs, WordSyntax};
use sequence::OperandSequence;

/// A pattern of one command.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// As written.
    text: String,
    /// The records besides the built-in table by which the words of its programs are parsed.
    added: Programs,
    /// The program's base name.
    programs: Vec<Glob>,
    /// The subcommands and operands, in order.
    front: Vec<PatternOperand>,
    /// The operands after a `--`, if it has one.
    after_dashes: Option<Vec<PatternOperand>>,
    /// The flags that must be present or absent.
    flags: Vec<PatternFlag>,
    /// What may follow the last word.
    end: PatternEnd,
}

/// A word other than a flag.
#[derive(Clone, PartialEq, Eq, Debug)]
struct PatternOperand {
    alternatives: Vec<Glob>,
    /// The flag that it directly follows, by index in [`Pattern::flags`]: it is that flag's value, if that takes one.
    preceding_flag: Option<usize>,
}

/// A word with a leading dash.
#[derive(Clone, PartialEq, Eq, Debug)]
struct PatternFlag {
    presence: Presence,
    alternatives: Vec<FlagSpelling>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Presence {
    Given,
    Absent,
}

/// A spelling of a flag.
#[derive(Clone, PartialEq, Eq, Debug)]
struct FlagSpelling {
    /// As written, without its value.
    name: String,
    /// The name as a glob, if it is one.
    glob: Option<Glob>,
    /// The pattern of its value.
    value: Option<Glob>,
    /// It precedes every word that is not a flag: it is the program's own, not its subcommand's.
    precedes_operands: bool,
}

/// Patterns are equal if they have the same meaning, regardless of their spelling.
impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        let Self { text: _, added, programs, front, after_dashes: behind, flags, end } = self;
        (added, programs, front, behind, flags, end)
            == (&other.added, &other.programs, &other.front, &other.after_dashes, &other.flags, &other.end)
    }
}

impl Eq for Pattern {}

/// What may follow the last word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PatternEnd {
    /// Anything that the pattern does not forbid.
    Open,
    /// `*`: explicitly anything or nothing.
    Anything,
    /// `!*`: no further operand.
    Nothing,
}

/// A command that several patterns are tested against: its words are parsed once.
pub struct TestedCommand<'c> {
    command: &'c SimpleCommand,
    argv: OnceCell<Argv<'c>>,
}

impl<'c> TestedCommand<'c> {
    /// Prepares a command for tests.
    #[must_use]
    pub fn new(command: &'c SimpleCommand) -> Self {
        Self { command, argv: OnceCell::new() }
    }

    /// Returns its words as parsed by its program, by the built-in table and these records.
    fn argv(&self, programs: &Programs) -> Cow<'_, Argv<'c>> {
        if programs.is_empty() {
            return Cow::Borrowed(self.argv.get_or_init(|| self.command.argv()));
        }
        Cow::Owned(self.command.argv_with(programs))
    }
}

/// A pattern as parsed by one program: words that are a flag's value are not operands.
struct ProgramView<'p> {
    front: OperandSequence<'p>,
    flags: ShortList<(&'p PatternFlag, Option<&'p PatternOperand>)>,
}

impl Pattern {
    /// Returns the source text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the records besides the built-in table by which the words of its programs are parsed.
    #[must_use]
    pub fn programs(&self) -> &Programs {
        &self.added
    }

    /// Returns its program if it is a plain name without a record: no other spellings of its options are known.
    #[must_use]
    pub fn unrecorded(&self) -> Option<&str> {
        let name = self.text.split_whitespace().next()?;
        let is_plain =
            name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'+'));
        (is_plain && !self.added.has(name)).then_some(name)
    }

    /// Whether a text that is not shell code may mean this pattern: its program and its subcommands occur in the text
    /// as words.
    #[must_use]
    pub fn is_named_in(&self, text: &str) -> bool {
        let named =
            |globs: &[Glob]| possible_program_names(text).any(|word| globs.iter().any(|glob| glob.matches(word)));
        let subcommands = self.front.iter().take(self.subcommand_count());
        named(&self.programs) && subcommands.into_iter().all(|operand| named(&operand.alternatives))
    }

    /// Returns how many of its words are subcommands, according to the records of its programs.
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
                let meant = |name: &str| operand.alternatives.iter().any(|glob| glob.matches(name));
                tables = inner.filter(|table| table.names.iter().any(|name| meant(name))).collect();
            }
            depth
        });
        depths.max().unwrap_or(0)
    }

    /// Whether a program's name matches. A builtin with two names matches by either.
    fn names(&self, name: &str) -> bool {
        let other = names::other_name(name);
        self.programs.iter().any(|glob| glob.matches(name) || other.is_some_and(|other| glob.matches(other)))
    }

    /// Returns the pattern as a program parses it: the word after a flag that takes a value is that value.
    fn view_for(&self, argv: &Argv<'_>, values: ValuePlacement) -> ProgramView<'_> {
        let mut flags: ShortList<_> = self.flags.iter().map(|flag| (flag, None)).collect();
        if values == ValuePlacement::Attached || self.front.iter().all(|operand| operand.preceding_flag.is_none()) {
            return ProgramView { front: OperandSequence::All(&self.front), flags };
        }
        let mut front = Vec::with_capacity(self.front.len());
        for operand in &self.front {
            match operand.preceding_flag.and_then(|at| flags.get_mut(at)) {
                Some((flag, value)) if flag.takes_value(argv) => *value = Some(operand),
                _ => front.push(operand),
            }
        }
        ProgramView { front: OperandSequence::Some(front), flags }
    }

    /// Whether some of its words can be either an operand or the value of a flag.
    fn has_values(&self, argv: &Argv<'_>) -> bool {
        let flag = |operand: &PatternOperand| operand.preceding_flag.and_then(|at| self.flags.get(at));
        self.front.iter().filter_map(flag).any(|flag| flag.takes_value(argv))
    }
}

/// Whether a word after a flag that takes a value is that value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValuePlacement {
    Attached,
    Apart,
}

impl PatternOperand {
    fn matches(&self, text: &str) -> bool {
        self.alternatives.iter().any(|glob| glob.matches(text))
    }

    fn test(&self, word: &crate::word::Word) -> Fit {
        self.alternatives.iter().fold(Fit::No, |fit, glob| match fit {
            Fit::Yes => Fit::Yes,
            fit => fit.or(glob.test(word)),
        })
    }
}

impl PatternFlag {
    /// Whether its spellings take a value, and the pattern does not contain one.
    fn takes_value(&self, argv: &Argv<'_>) -> bool {
        let takes = |spelled: &FlagSpelling| {
            let option = spelled.option(argv).or_else(|| spelled.last_letter(argv));
            spelled.value.is_none() && option.is_some_and(|option| option.arity == crate::programs::Arity::Value)
        };
        self.alternatives.iter().all(takes)
    }
}

/// A spelling resolved for one command, once for all of its options.
enum ResolvedSpelling<'s> {
    /// A single option, with its entry.
    One(&'s FlagSpelling, Option<&'static ProgramOption>),
    /// The options that it is equivalent to.
    Parts(Vec<(FlagSpelling, Option<&'static ProgramOption>)>),
}

impl ResolvedSpelling<'_> {
    /// Whether it names a given option, ignoring the value.
    fn names(&self, given: &GivenOption) -> bool {
        match self {
            Self::One(spelled, option) => spelled.names(given, *option),
            Self::Parts(parts) => parts.iter().any(|(part, option)| part.names(given, *option)),
        }
    }
}

impl FlagSpelling {
    /// Resolves it.
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

    /// Returns its entry in the record.
    fn option(&self, argv: &Argv<'_>) -> Option<&'static ProgramOption> {
        let outer = || argv.outer_option(&self.name);
        let inner = || argv.option(&self.name);
        if self.precedes_operands && !argv.subcommands.is_empty() {
            outer().or_else(inner)
        } else {
            inner().or_else(outer)
        }
    }

    /// Returns the spellings that it is equivalent to: those that its entry names, or the letters of a cluster.
    ///
    /// # Errors
    /// It is a single option, whose entry is the error.
    fn parts(&self, argv: &Argv<'_>) -> Result<Vec<Self>, Option<&'static ProgramOption>> {
        let one = |name: String| Self { name, glob: None, value: None, precedes_operands: self.precedes_operands };
        if let Some(number) = self.number(argv) {
            return Ok(vec![Self { value: Some(Glob::new(number)), ..one(NUMBER.to_owned()) }]);
        }
        if let Some(option) = self.option(argv) {
            let parts = || option.means.iter().map(|name| one((*name).to_owned())).collect();
            return (!option.means.is_empty()).then(parts).ok_or(Some(option));
        }
        let letters = self.letters().filter(|_| self.glob.is_none() && argv.has_clusters()).ok_or(None)?;
        let mut parts: Vec<Self> = letters.chars().map(|letter| one(format!("-{letter}"))).collect();
        if let Some(last) = parts.last_mut() {
            last.value.clone_from(&self.value);
        }
        Ok(parts)
    }

    /// Returns the number that it is, if that is the value of an option (`head -5`).
    fn number(&self, argv: &Argv<'_>) -> Option<&str> {
        let is_number = |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = self.name.strip_prefix('-').filter(is_number)?;
        argv.option(NUMBER).map(|_| number)
    }

    /// Returns the letters of a cluster.
    fn letters(&self) -> Option<&str> {
        self.name.strip_prefix('-').filter(|letters| !letters.starts_with('-') && letters.chars().nth(1).is_some())
    }

    /// Returns the entry of the last letter of a cluster.
    fn last_letter(&self, argv: &Argv<'_>) -> Option<&'static ProgramOption> {
        let last = self.letters().filter(|_| argv.has_clusters())?.chars().next_back()?;
        argv.letter(last)
    }

    /// Whether a given option is the one with this entry, ignoring the value.
    fn names(&self, given: &GivenOption, option: Option<&'static ProgramOption>) -> bool {
        if let Some(glob) = &self.glob {
            let known = given.option.map(|option| option.names).unwrap_or_default();
            let is_digit = given.letter.is_some_and(|letter| letter.is_ascii_digit());
            let number = given.value.as_ref().filter(|_| is_digit && known.contains(&NUMBER));
            let is_number =
                number.and_then(|word| word.known_text()).is_some_and(|number| glob.matches(&format!("-{number}")));
            return is_number || glob.matches(&given.name) || known.iter().any(|name| glob.matches(name));
        }
        match option {
            Some(option) => given.option.is_some_and(|own| std::ptr::eq(own, option) || own == option),
            None => given.name == self.name,
        }
    }
}

impl FlagSpelling {
    /// Whether a word of a program without options, such as `test`, equals this flag.
    fn test_among_words(&self, argv: &Argv<'_>) -> Fit {
        argv.operands.iter().fold(Fit::No, |fit, word| fit.or(self.is_word(word)))
    }

    fn is_word(&self, word: &crate::word::Word) -> Fit {
        let glob = || self.glob.clone().unwrap_or_else(|| Glob::new(&self.name));
        if word.may_split_at_blanks() { word.unknown_reason().map_or(Fit::No, Fit::Maybe) } else { glob().test(word) }
    }
}

impl Pattern {
    /// Whether a word of a program without options equals a flag of the pattern.
    fn is_flag_word(&self, word: &crate::word::Word, argv: &Argv<'_>) -> bool {
        let mut flags = self.flags.iter().filter(|flag| flag.presence == Presence::Given);
        argv.has_words_alone()
            && flags.any(|flag| flag.alternatives.iter().any(|spelled| spelled.is_word(word) == Fit::Yes))
    }
}

impl Argv<'_> {
    /// Whether every word is an operand: `test -f x`.
    fn has_words_alone(&self) -> bool {
        self.table().is_some_and(|table| table.reading == WordSyntax::Operands)
    }

    /// Whether options are `name=value`.
    fn has_pairs(&self) -> bool {
        self.table().is_some_and(|table| table.reading == WordSyntax::Pairs)
    }
}

/// Returns the words of a text that may be names of programs: runs of letters, digits, `_`, `-`, `.`, and the parts
/// between the dots. Names within a path are names of files: there, `npm.js` is not `npm`.
pub fn possible_program_names(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    text.split(move |c| !is_part(c)).flat_map(|path| {
        let names = path.split('/').filter(|word| !word.is_empty());
        names.flat_map(move |word| {
            let is_alone = word.len() == path.len();
            let parts = word.split('.').filter(move |part| is_alone && part.len() < word.len() && !part.is_empty());
            std::iter::once(word).chain(parts)
        })
    })
}

#[cfg(test)]
mod tests;
