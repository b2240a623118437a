//! Bit sets of the words of a command and of those that a pattern requires, in the form of
//! [`Analysis::words_named`](crate::Analysis::words_named): most patterns of one program are about another subcommand,
//! and the bits rule these out before the words are parsed.

use crate::analysis::SimpleCommand;
use crate::argv::WordBits;

use super::{Pattern, PossibleProgram};

impl Pattern {
    /// Returns the bits of the words one of which a command must have for [`Pattern::runs_in`] to match.
    #[must_use]
    pub fn word_bits(&self) -> WordBits {
        let Some(words) = self.words_required() else { return WordBits::ANY };
        let mut bits = WordBits::default();
        words.for_each(|word| bits.add(word));
        bits
    }
}

impl SimpleCommand {
    /// Returns the bits of its words.
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

    /// Reports its words as those of programs of these names, and remembers their bits.
    pub(super) fn report_all_words(&self, names: [Option<&str>; 2], see: &mut dyn FnMut(&str)) {
        let mut bits = WordBits::default();
        let mut tell = |word: &str| {
            bits.add(word);
            see(word);
        };
        names.into_iter().flatten().for_each(|name| self.report_words(name, &mut tell));
        self.memo.word_bits(|| bits);
    }
}
