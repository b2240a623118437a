//! Bit sets of the words of a command and of the words that a pattern requires, computed from the keys of
//! [`Analysis::words_named`](crate::Analysis::words_named). Most patterns of a program are about another subcommand,
//! and disjoint bits exclude them before the words are parsed.

use crate::analysis::SimpleCommand;
use crate::argv::WordBits;

use super::{Pattern, PossibleProgram};

impl Pattern {
    /// Returns the bits of the words of which a command must have at least one for [`Pattern::runs_in`] to match.
    #[must_use]
    pub fn word_bits(&self) -> WordBits {
        let Some(words) = self.words_required() else { return WordBits::ANY };
        let mut bits = WordBits::default();
        words.for_each(|word| bits.add(word));
        bits
    }
}

impl SimpleCommand {
    /// Returns the bits of the words of the command.
    #[must_use]
    pub fn word_bits(&self) -> WordBits {
        match self.possible_program() {
            PossibleProgram::Nothing => WordBits::default(),
            PossibleProgram::Anything => WordBits::ANY,
            PossibleProgram::Name(name, outer) => self.memo.word_bits(|| {
                let mut bits = WordBits::default();
                let names = [Some(name), outer].into_iter().flatten();
                names.for_each(|name| self.report_words(name, &mut |word| bits.add(word)));
                bits
            }),
        }
    }

    /// Calls `see` with the keys of the words of the command, under each of these names of its program, and caches
    /// their bits.
    pub(super) fn report_all_words(&self, names: [Option<&str>; 2], see: &mut dyn FnMut(&str)) {
        let mut bits = WordBits::default();
        let mut report = |word: &str| {
            bits.add(word);
            see(word);
        };
        names.into_iter().flatten().for_each(|name| self.report_words(name, &mut report));
        self.memo.word_bits(|| bits);
    }
}
