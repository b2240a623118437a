//! Finds the words of a command that match words of a pattern, which a rewrite replaces.

use crate::analysis::SimpleCommand;
use crate::argv::{Argv, GivenOption};
use crate::glob::{Fit, Glob};
use crate::values;
use crate::word::Word;

use super::runs::dashes;
use super::sequence::Strictness;
use super::{FlagSpelling, Pattern, PatternOperand, Presence, ProgramView, ResolvedSpelling, ValuePlacement};

/// The words of a command that match words of a pattern.
pub(crate) struct NamedWords<'p> {
    /// The program, and then the subcommands, operands and the `--`, in the order of the pattern.
    pub words: Vec<NamedWord<'p>>,
    /// The options that match flags of the pattern, as indices into [`Argv::options`].
    pub options: Vec<usize>,
}

/// A word of a command, and the part of the pattern that it matches.
#[derive(Clone, Copy)]
pub(crate) struct NamedWord<'p> {
    /// The alternatives in the pattern; `None` for the `--`.
    globs: Option<&'p [Glob]>,
    /// The index of the word in the command. A program whose name contains its subcommand (`git-push`) is the word of
    /// both.
    pub word_index: usize,
}

impl NamedWord<'_> {
    /// Whether the pattern has exactly this text, and no alternatives, for the word.
    pub(crate) fn has_exact(&self, text: &str) -> bool {
        match self.globs {
            Some([glob]) => glob.literal().is_some_and(|literal| literal == text),
            Some(_) => false,
            None => text == "--",
        }
    }

    /// Whether the pattern has a wildcard for the word.
    pub(crate) fn is_glob(&self) -> bool {
        self.globs.is_some_and(|globs| !globs.iter().all(Glob::is_literal))
    }
}

impl Pattern {
    /// Returns the words that match words of the pattern in a command that certainly matches; `None` if they are
    /// ambiguous.
    pub(crate) fn named_words(&self, argv: &Argv<'_>) -> Option<NamedWords<'_>> {
        let name = argv.name?;
        let subcommand_in_name = argv.subcommand_in_name.map(Word::text);
        // The pattern may name `git-push` as a whole, or `git` with the subcommand `push` that is part of the name.
        let plain = self.names_program(name).then_some(None);
        let in_program_name = subcommand_in_name.as_ref().map(Some);
        let readings = plain.into_iter().chain(in_program_name);
        let mut interpretations = readings.flat_map(|subcommand_in_name| {
            [ValuePlacement::Attached, ValuePlacement::Apart].map(|values| (subcommand_in_name, values))
        });
        interpretations.find_map(|(subcommand_in_name, values)| {
            let is_match = self.test_words(argv, subcommand_in_name, values) == Fit::Yes;
            is_match.then(|| self.find_named_words(argv, subcommand_in_name, values)).flatten()
        })
    }

    /// Returns the operands of a command that certainly matches, without those that the pattern has literally: in
    /// `pip install x`, `install` is not an operand.
    #[must_use]
    pub fn operands_of(&self, command: &SimpleCommand) -> values::FieldValues {
        let argv = command.argv_with(&self.added);
        let named = self.named_words(&argv).map(|named| named.words).unwrap_or_default();
        let literal_word = |own: &NamedWord<'_>| argv.words.get(own.word_index).filter(|_| !own.is_glob());
        argv.operand_values(|word| named.iter().filter_map(literal_word).any(|own| std::ptr::eq(own, word)))
    }

    /// Returns the words that match words of the pattern, for one interpretation of the command and the pattern.
    /// Returns `None` if they are ambiguous.
    fn find_named_words(
        &self,
        argv: &Argv<'_>,
        subcommand_in_name: Option<&Word>,
        values: ValuePlacement,
    ) -> Option<NamedWords<'_>> {
        let view = self.view_for(argv, values);
        let index_of = |word: &Word| argv.words.iter().position(|other| std::ptr::eq(other, word));
        let mut command_words: Vec<(usize, &Word)> = subcommand_in_name.map(|word| (0, word)).into_iter().collect();
        for word in argv.sequence() {
            command_words.push((index_of(word)?, word));
        }
        let mut words = vec![NamedWord { globs: Some(&self.programs), word_index: 0 }];
        if argv.has_pairs() {
            // The words of a program with `name=value` options have no order, so only a pattern without operands is
            // unambiguous.
            return (view.front.len() == 0)
                .then(|| Some(NamedWords { words, options: named_options(&view, argv)? }))?;
        }
        match (&self.after_dashes, dashes(argv)) {
            (None, _) => words.extend(match_operands(view.front.iter(), &command_words, argv)?),
            (Some(after_dashes), Some(dashes)) => {
                // The operands before the `--` and those after it are matched separately.
                let at = usize::from(subcommand_in_name.is_some()) + argv.subcommands.len() + dashes.operands;
                words.extend(match_operands(view.front.iter(), command_words.get(..at)?, argv)?);
                let is_dashes = |word: &Word| word.known_text() == Some("--");
                let from = words.last().map_or(0, |word| word.word_index);
                let (dashes_index, _) = argv.words.iter().enumerate().skip(from).find(|(_, word)| is_dashes(word))?;
                words.push(NamedWord { globs: None, word_index: dashes_index });
                words.extend(match_operands(after_dashes.iter(), command_words.get(at + dashes.skip..)?, argv)?);
            }
            (Some(_), None) => return None,
        }
        Some(NamedWords { words, options: named_options(&view, argv)? })
    }
}

/// Finds the operands of a pattern among the words of a command, in order; `None` if a word in between cannot be
/// skipped.
fn match_operands<'p>(
    pattern: impl Iterator<Item = &'p PatternOperand>,
    words: &[(usize, &Word)],
    argv: &Argv<'_>,
) -> Option<Vec<NamedWord<'p>>> {
    let mut words = words.iter();
    let mut named = Vec::new();
    for operand in pattern {
        let (at, _) = words
            .by_ref()
            .find_map(|(at, word)| match operand.test(word) {
                Fit::Yes => Some((*at, true)),
                _ if operand.matches_other_name(word, argv, Strictness::Generous) => Some((*at, true)),
                _ if argv.may_be_value(word) => None,
                _ => Some((*at, false)),
            })
            .filter(|(_, fits)| *fits)?;
        named.push(NamedWord { globs: Some(&operand.alternatives), word_index: at });
    }
    Some(named)
}

/// Returns the indices of the given options that match flags of the pattern; `None` if the value of one may be the next
/// word.
fn named_options(view: &ProgramView<'_>, argv: &Argv<'_>) -> Option<Vec<usize>> {
    let mut named = Vec::new();
    let flags = view.flags.iter().filter(|(flag, _)| flag.presence == Presence::Given);
    let spelled = flags.flat_map(|(flag, value)| flag.alternatives.iter().map(move |one| (one, *value)));
    let spellings: Vec<_> = spelled.map(|(spelled, value)| (spelled, spelled.resolve(argv), value)).collect();
    for (at, given) in argv.options.iter().enumerate() {
        let matching =
            spellings.iter().find(|(spelled, resolved, value)| spelled.is_option(given, *value, (resolved, argv)));
        let Some((matching, _, value)) = matching else { continue };
        let has_value = matching.value.is_some() || value.is_some();
        if has_value && given.option.is_none() && given.value.is_none() {
            return None;
        }
        named.push(at);
    }
    Some(named)
}

impl FlagSpelling {
    /// Whether a given option matches this flag, or one of the options that the flag is short for.
    fn is_option(
        &self,
        given: &GivenOption,
        value: Option<&PatternOperand>,
        (resolved, argv): (&ResolvedSpelling<'_>, &Argv<'_>),
    ) -> bool {
        let has_value = || match resolved {
            ResolvedSpelling::Parts(_) => true,
            ResolvedSpelling::One(..) => self.value_fit(given, value, argv) == Fit::Yes,
        };
        resolved.names(given) && has_value()
    }
}
