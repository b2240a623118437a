//! What `where` asks of a command: its values, as far as they are known.

use crate::analysis::{Analysis, RedirectKind, Simple};
use crate::argv::{Argv, GivenOption, program_name};
use crate::glob::Fit;
use crate::nested::{What, nested};
use crate::programs::Programs;
use crate::stream::CommandId;
use crate::stream::Content;
use crate::word::{Cause, Part, Source, Unknown, Word};

/// The values of a field of a command.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Values {
    /// Those that it has for certain; a part of one may not be known.
    pub words: Vec<Word>,
    /// Why it may have others.
    pub others: Option<Unknown>,
}

/// A variable as a command sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variable<'a> {
    /// The text sets it.
    Set(&'a Word),
    /// The text removes it.
    Removed,
    /// The text leaves it as it was.
    Inherited,
    /// The text may set it.
    Unknown(&'a Unknown),
}

impl Values {
    /// Tests whether one of the values satisfies a test. Without a value it is no.
    pub fn any(&self, mut test: impl FnMut(&Word) -> Fit) -> Fit {
        let known = self.words.iter().fold(Fit::No, |fit, word| match fit {
            Fit::Yes => Fit::Yes,
            fit => fit.or(test(word)),
        });
        known.or(self.others.clone().map_or(Fit::No, Fit::Maybe))
    }

    /// Tests whether there is a value, and every one satisfies a test.
    pub fn all(&self, mut test: impl FnMut(&Word) -> Fit) -> Fit {
        let known = self.words.iter().fold(self.exists(), |fit, word| match fit {
            Fit::No => Fit::No,
            fit => fit.and(test(word)),
        });
        known.and(self.others.clone().map_or(Fit::Yes, Fit::Maybe))
    }

    /// Tests whether there is a value.
    #[must_use]
    pub fn exists(&self) -> Fit {
        match &self.others {
            _ if !self.words.is_empty() => Fit::Yes,
            Some(why) => Fit::Maybe(why.clone()),
            None => Fit::No,
        }
    }

    fn one(word: Word) -> Self {
        Self { words: vec![word], others: None }
    }

    /// Adds a word of a command. One that may be none or several has no value that is certain.
    pub(super) fn push(&mut self, word: &Word) {
        if word.may_break() {
            self.others = self.others.take().or_else(|| word.why());
        } else {
            self.words.push(word.clone());
        }
    }
}

impl Simple {
    /// Returns the base name of the program: `program`.
    #[must_use]
    pub fn program(&self) -> Values {
        match self.words.first() {
            None => Values::default(),
            Some(word) => match program_name(word) {
                Some(name) => Values::one(Word::text(name)),
                None => Values { words: Vec::new(), others: word.why() },
            },
        }
    }

    /// Returns the words behind the program: `args`.
    #[must_use]
    pub fn args(&self) -> Values {
        let mut values = Values::default();
        self.words.iter().skip(1).for_each(|word| values.push(word));
        values
    }

    /// Returns the names of the variables whose values stand in those words, or in a text that it gets as its input (`<<<`,
    /// `<<`), and that the text did not give them: `variables`.
    #[must_use]
    pub fn variables(&self) -> Values {
        let texts = self.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Text);
        let words = self.words.iter().skip(1).chain(texts.map(|redirect| &*redirect.target));
        let unknown = words.flat_map(|word| &word.parts).filter_map(|part| match part {
            Part::Unknown(unknown) => Some(&unknown.why),
            Part::Text(_) | Part::Glob(_) => None,
        });
        let mut values = Values::default();
        for why in unknown {
            match why.source.variable_within() {
                Some(name) => values.words.push(Word::text(name)),
                None if why.source == Source::Indirect => values.others = Some(why.clone()),
                None => {}
            }
        }
        values
    }

    /// Returns the words behind the subcommands that are no flag and no flag's value: `operands`.
    #[must_use]
    pub fn operands(&self) -> Values {
        self.argv().operand_values(|_| false)
    }

    /// As [`Simple::operands`], where the words are read by these records too.
    #[must_use]
    pub fn operands_with(&self, programs: &Programs) -> Values {
        self.argv_with(programs).operand_values(|_| false)
    }

    /// Returns the values of an option, in whichever of its spellings: `option "-m"`. One that is given without a value
    /// has the empty text.
    #[must_use]
    pub fn option(&self, name: &str) -> Values {
        self.argv().option_values(name)
    }

    /// As [`Simple::option`], where the words are read by these records too.
    #[must_use]
    pub fn option_with(&self, name: &str, programs: &Programs) -> Values {
        self.argv_with(programs).option_values(name)
    }

    /// Returns the commands whose output is what the program reads: its standard input, unless that is code. An
    /// interpreter executes what comes there, or has its script from elsewhere and may do anything with it.
    pub fn input_from(&self) -> impl Iterator<Item = &CommandId> {
        let all = self.stdin_from.iter().chain(&self.piped_from);
        all.filter(|_| !self.is_interpreter())
    }

    /// Returns the text that the program reads on its standard input, without newlines at its end, as far as the text
    /// of the call says it: `input`. Without a redirection or a pipe there is none.
    #[must_use]
    pub fn input(&self) -> Values {
        let unknown = |cause, word: String| Values { words: Vec::new(), others: Some(Unknown::new(cause, word)) };
        match &self.input.content {
            Content::Unsaid => Values::default(),
            Content::Known(value) => Values::one(value.clone().whole().without_newlines().word),
            Content::File(file) if file.known() == Some("/dev/null") => Values::one(Word::default()),
            Content::File(file) => unknown(Cause::FileText, file.shown()),
            Content::Unknown => unknown(Cause::Output, String::new()),
        }
    }

    /// Returns how long that text is, in bytes.
    #[must_use]
    pub fn input_size(&self) -> usize {
        match &self.input.content {
            Content::Known(value) => value.size(),
            _ => 0,
        }
    }

    /// Tells whether the program executes text: a shell, an interpreter, `eval`.
    fn is_interpreter(&self) -> bool {
        self.argv().tables.first().is_some_and(|table| table.is_interpreter())
            || nested(&self.words).iter().any(|inner| !matches!(inner.what, What::Argv(_)))
    }

    /// Returns a variable as the program sees it: `env.NAME`.
    #[must_use]
    pub fn variable(&self, name: &str) -> Variable<'_> {
        // What stands in front of the program comes after what is exported before.
        let mut set = self.environment.iter().chain(&self.assignments).rev();
        match set.find(|assignment| assignment.name == name) {
            None => self.environment_hidden.as_ref().map_or(Variable::Inherited, Variable::Unknown),
            Some(assignment) => assignment.value.as_ref().map_or(Variable::Removed, Variable::Set),
        }
    }
}

impl Analysis {
    /// Returns the base names of the programs of some commands: `via`, `piped_from`, `piped_to`.
    #[must_use]
    pub fn programs(&self, ids: &[CommandId]) -> Values {
        let mut values = Values::default();
        for program in ids.iter().filter_map(|id| self.command(*id)).map(Simple::program) {
            values.words.extend(program.words);
            values.others = values.others.or(program.others);
        }
        values
    }
}

impl Argv<'_> {
    /// Returns the operands, without those that are named. A word that may be an option is a value that is not known.
    pub(crate) fn operand_values(&self, is_named: impl Fn(&Word) -> bool) -> Values {
        let mut values = Values::default();
        self.operands.iter().filter(|word| !is_named(word)).for_each(|word| values.push(word));
        // What holds blanks brings further words, wherever it stands.
        let breaks = self.maybe_options.iter().find(|word| word.may_break());
        values.others = values.others.or_else(|| breaks.and_then(|word| word.why()));
        values
    }

    /// Returns the values of an option.
    pub(super) fn option_values(&self, name: &str) -> Values {
        let mut values = Values::default();
        // The same letter may be an option of the program's and of the subcommand's.
        let is_meant = |given: &&GivenOption| {
            given.name == name || given.option.is_some_and(|option| option.names.contains(&name))
        };
        for given in self.options.iter().filter(is_meant).filter(|given| self.is_in_force(given)) {
            // Of a program that is not known, the next word may be the value.
            let next = || self.words.get(given.at + 1).filter(|word| !word.prefix().starts_with('-'));
            let value = given.value.as_ref().or_else(|| next().filter(|_| given.option.is_none()));
            values.words.push(value.cloned().unwrap_or_default());
        }
        let may_be = |word: &&&Word| word.may_break() || word.prefix().len() < 2 || name.starts_with(word.prefix());
        values.others = self.maybe_options.iter().find(may_be).and_then(|word| word.why());
        if values.others.is_none() && self.is_as_written() {
            // `-lx` of a program that is not known may be `-l x`.
            let is_letter = name.len() == 2 && !name.starts_with("--");
            let has_more = |given: &&GivenOption| given.name.len() > 2 && given.name.starts_with(name);
            let given = self.options.iter().find(has_more).filter(|_| is_letter);
            values.others = given.map(|given| Unknown::new(Cause::Letters, given.name.clone()));
        }
        values
    }
}

#[cfg(test)]
mod tests;
