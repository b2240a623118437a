//! Patterns over the words of a command: `"git push (--force|--mirror)"`.
//!
//! A pattern is matched against what a program reads, not against text. [`Pattern::runs`] is generous: whatever is not
//! named may stand there too. [`Pattern::only`] is strict: nothing may.

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
pub(super) use named::NamedWord;
pub use names::{Called, Coverage, ProgramName, RequiredWords};
pub use parse::BadPattern;

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::analysis::Simple;
use crate::argv::{Argv, GivenOption};
use crate::few::Few;
use crate::glob::{Fit, Glob};
use crate::programs::{NUMBER, Opt, Programs, Reading};
use sequence::Row;

/// A pattern of one command.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// As written.
    text: String,
    /// The records beside the built-in table that its programs are read by.
    added: Programs,
    /// The program's base name.
    programs: Vec<Glob>,
    /// The subcommands and operands, in order, from the first one on.
    front: Vec<Operand>,
    /// Those behind a `--`, where it has one.
    behind: Option<Vec<Operand>>,
    /// What must be given, or must not.
    flags: Vec<Flag>,
    /// What may follow the last word.
    end: End,
}

/// A word that is no flag.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Operand {
    alternatives: Vec<Glob>,
    /// The flag that it follows directly, by its place in [`Pattern::flags`]: it is the value if that takes one.
    behind: Option<usize>,
}

/// A word with a dash.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Flag {
    presence: Presence,
    alternatives: Vec<Spelled>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Presence {
    Given,
    Absent,
}

/// A spelling of a flag.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Spelled {
    /// As written, without the value.
    name: String,
    /// The name as a glob, where it is one.
    glob: Option<Glob>,
    /// What its value must match.
    value: Option<Glob>,
    /// It stands in front of every word that is no flag: it is the program's own, not its subcommand's.
    leads: bool,
}

/// Patterns are the same that say the same, however they are written.
impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        let Self { text: _, added, programs, front, behind, flags, end } = self;
        (added, programs, front, behind, flags, end)
            == (&other.added, &other.programs, &other.front, &other.behind, &other.flags, &other.end)
    }
}

impl Eq for Pattern {}

/// What may follow the last word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// Nothing that the pattern speaks of.
    Open,
    /// `*`: anything or nothing, said so.
    Anything,
    /// `!*`: no further operand.
    Nothing,
}

/// A command that several patterns are asked about: its words are read once.
pub struct Asked<'c> {
    command: &'c Simple,
    argv: OnceCell<Argv<'c>>,
}

impl<'c> Asked<'c> {
    /// Asks about a command.
    #[must_use]
    pub fn of(command: &'c Simple) -> Self {
        Self { command, argv: OnceCell::new() }
    }

    /// Returns its words as its program reads them, by the built-in table and these records.
    fn argv(&self, programs: &Programs) -> Cow<'_, Argv<'c>> {
        if programs.is_empty() {
            return Cow::Borrowed(self.argv.get_or_init(|| self.command.argv()));
        }
        Cow::Owned(self.command.argv_with(programs))
    }
}

/// A pattern as one program reads it: words that are a flag's value are no operands.
struct View<'p> {
    front: Row<'p>,
    flags: Few<(&'p Flag, Option<&'p Operand>)>,
}

impl Pattern {
    /// Returns the text that it was made of.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the records beside the built-in table that its programs are read by.
    #[must_use]
    pub fn programs(&self) -> &Programs {
        &self.added
    }

    /// Returns its program where one plain word names it and no record has it: of its options no other spelling is known.
    #[must_use]
    pub fn unrecorded(&self) -> Option<&str> {
        let name = self.text.split_whitespace().next()?;
        let is_plain =
            name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'+'));
        (is_plain && !self.added.has(name)).then_some(name)
    }

    /// Returns the words of a text in another language, or in none, in which this pattern can be meant: its program
    /// and its subcommands occur in it as words.
    #[must_use]
    pub fn is_named_in(&self, text: &str) -> bool {
        let named = |globs: &[Glob]| words_in(text).any(|word| globs.iter().any(|glob| glob.matches(word)));
        let subcommands = self.front.iter().take(self.depth());
        named(&self.programs) && subcommands.into_iter().all(|operand| named(&operand.alternatives))
    }

    /// Returns how many of its words are subcommands, by the tables of its programs.
    fn depth(&self) -> usize {
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

    /// Tests the name of a program. A builtin that has two names is meant by either.
    fn names(&self, name: &str) -> bool {
        let other = names::other_name(name);
        self.programs.iter().any(|glob| glob.matches(name) || other.is_some_and(|other| glob.matches(other)))
    }

    /// Reads the pattern as a program does: behind a flag that takes a value, the next word is the value.
    fn view(&self, argv: &Argv<'_>, values: Values) -> View<'_> {
        let mut flags: Few<_> = self.flags.iter().map(|flag| (flag, None)).collect();
        if values == Values::Attached || self.front.iter().all(|operand| operand.behind.is_none()) {
            return View { front: Row::All(&self.front), flags };
        }
        let mut front = Vec::with_capacity(self.front.len());
        for operand in &self.front {
            match operand.behind.and_then(|at| flags.get_mut(at)) {
                Some((flag, value)) if flag.takes_value(argv) => *value = Some(operand),
                _ => front.push(operand),
            }
        }
        View { front: Row::Some(front), flags }
    }

    /// Tells whether some word of it can be read as an operand or as the value of a flag.
    fn has_values(&self, argv: &Argv<'_>) -> bool {
        let flag = |operand: &Operand| operand.behind.and_then(|at| self.flags.get(at));
        self.front.iter().filter_map(flag).any(|flag| flag.takes_value(argv))
    }
}

/// Whether a word behind a flag that takes a value is that value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Values {
    Attached,
    Apart,
}

impl Operand {
    fn matches(&self, text: &str) -> bool {
        self.alternatives.iter().any(|glob| glob.matches(text))
    }

    fn fit(&self, word: &crate::word::Word) -> Fit {
        self.alternatives.iter().fold(Fit::No, |fit, glob| match fit {
            Fit::Yes => Fit::Yes,
            fit => fit.or(glob.fit(word)),
        })
    }
}

impl Flag {
    /// Tells whether its spellings take a value, and none is written in the pattern.
    fn takes_value(&self, argv: &Argv<'_>) -> bool {
        let takes = |spelled: &Spelled| {
            let option = spelled.option(argv).or_else(|| spelled.last_letter(argv));
            spelled.value.is_none() && option.is_some_and(|option| option.arity == crate::programs::Arity::Value)
        };
        self.alternatives.iter().all(takes)
    }
}

/// A spelling as one command reads it, looked up once for all of its options.
enum Resolved<'s> {
    /// The option that it is, with its entry.
    One(&'s Spelled, Option<&'static Opt>),
    /// Those that it stands for together.
    Parts(Vec<(Spelled, Option<&'static Opt>)>),
}

impl Resolved<'_> {
    /// Tells whether it names an option that was given, its value aside.
    fn names(&self, given: &GivenOption) -> bool {
        match self {
            Self::One(spelled, option) => spelled.names(given, *option),
            Self::Parts(parts) => parts.iter().any(|(part, option)| part.names(given, *option)),
        }
    }
}

impl Spelled {
    /// Looks it up.
    fn resolved(&self, argv: &Argv<'_>) -> Resolved<'_> {
        match self.parts(argv) {
            Ok(parts) => Resolved::Parts(
                parts
                    .into_iter()
                    .map(|part| {
                        let option = part.option(argv);
                        (part, option)
                    })
                    .collect(),
            ),
            Err(option) => Resolved::One(self, option),
        }
    }

    /// Returns its entry.
    fn option(&self, argv: &Argv<'_>) -> Option<&'static Opt> {
        let outer = || argv.outer_option(&self.name);
        let inner = || argv.option(&self.name);
        if self.leads && !argv.commands.is_empty() { outer().or_else(inner) } else { inner().or_else(outer) }
    }

    /// Returns the spellings that it stands for together: those that its entry names, or the letters of a cluster.
    ///
    /// # Errors
    /// It is one option. What is returned is its entry.
    fn parts(&self, argv: &Argv<'_>) -> Result<Vec<Self>, Option<&'static Opt>> {
        let one = |name: String| Self { name, glob: None, value: None, leads: self.leads };
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

    /// Returns the number that it is, where that is the value of an option (`head -5`).
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
    fn last_letter(&self, argv: &Argv<'_>) -> Option<&'static Opt> {
        let last = self.letters().filter(|_| argv.has_clusters())?.chars().next_back()?;
        argv.letter(last)
    }

    /// Tells whether an option that was given is the one that this names by its entry, its value aside.
    fn names(&self, given: &GivenOption, option: Option<&'static Opt>) -> bool {
        if let Some(glob) = &self.glob {
            let known = given.option.map(|option| option.names).unwrap_or_default();
            let is_digit = given.letter.is_some_and(|letter| letter.is_ascii_digit());
            let number = given.value.as_ref().filter(|_| is_digit && known.contains(&NUMBER));
            let is_number =
                number.and_then(|word| word.known()).is_some_and(|number| glob.matches(&format!("-{number}")));
            return is_number || glob.matches(&given.name) || known.iter().any(|name| glob.matches(name));
        }
        match option {
            Some(option) => given.option.is_some_and(|own| std::ptr::eq(own, option) || own == option),
            None => given.name == self.name,
        }
    }
}

impl Spelled {
    /// Tests whether a word of a program that has no options, such as `test`, is what is written as one.
    fn among_words(&self, argv: &Argv<'_>) -> Fit {
        argv.operands.iter().fold(Fit::No, |fit, word| fit.or(self.is_word(word)))
    }

    fn is_word(&self, word: &crate::word::Word) -> Fit {
        let glob = || self.glob.clone().unwrap_or_else(|| Glob::new(&self.name));
        if word.may_break() { word.why().map_or(Fit::No, Fit::Maybe) } else { glob().fit(word) }
    }
}

impl Pattern {
    /// Tells whether a word of a program that has no options is what the pattern writes as one.
    fn takes_for_flag(&self, word: &crate::word::Word, argv: &Argv<'_>) -> bool {
        let mut flags = self.flags.iter().filter(|flag| flag.presence == Presence::Given);
        argv.has_words_alone()
            && flags.any(|flag| flag.alternatives.iter().any(|spelled| spelled.is_word(word) == Fit::Yes))
    }
}

impl Argv<'_> {
    /// Tells whether every word is an operand: `test -f x`.
    fn has_words_alone(&self) -> bool {
        self.table().is_some_and(|table| table.reading == Reading::Operands)
    }

    /// Tells whether options are `name=value`.
    fn has_pairs(&self) -> bool {
        self.table().is_some_and(|table| table.reading == Reading::Pairs)
    }
}

/// Returns the words of a text that may be names of programs: runs of letters, digits, `_`, `-`, `.`, and the parts
/// between the dots. The names in a path are names of files: `npm.js` is no `npm` there.
pub fn words_in(text: &str) -> impl Iterator<Item = &str> {
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
