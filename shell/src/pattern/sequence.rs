//! Compares the subcommands and operands of a pattern with those of a command, in order. An unknown word of the
//! command may be no word or several.

use crate::argv::Argv;
use crate::few::ShortList;
use crate::glob::{Fit, Glob};
use crate::network;
use crate::programs::Program;
use crate::word::{Unknown, Word};

use super::covering::covers;
use super::incidental::other_script_call;
use super::{PatternEnd, PatternOperand};

/// How strictly a sequence of words is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Strictness {
    /// A command may have more words, and a word that may be the value of an option without a record may be skipped.
    Generous,
    /// The pattern has to name every word of the command.
    Strict,
}

/// Operands of a pattern, in order.
pub(super) enum OperandSequence<'p> {
    /// All operands.
    All(&'p [PatternOperand]),
    /// The operands that are not the value of a flag.
    Some(Vec<&'p PatternOperand>),
}

impl<'p> OperandSequence<'p> {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::All(all) => all.len(),
            Self::Some(some) => some.len(),
        }
    }

    /// Returns an operand by its index.
    fn get(&self, at: usize) -> Option<&'p PatternOperand> {
        match self {
            Self::All(all) => all.get(at),
            Self::Some(some) => some.get(at).copied(),
        }
    }

    /// Returns the operands in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &'p PatternOperand> {
        (0..self.len()).filter_map(|at| self.get(at))
    }
}

/// Runs `test` on the subcommands of a command as written, and on synonyms of several words (`container run` for
/// `run`). The words include a neutral one before the subcommand (`beta` in `gcloud beta compute`); in generous
/// matching, they are also tested without it.
pub(super) fn test_with_synonyms(
    argv: &Argv<'_>,
    written: &ShortList<&Word>,
    strictness: Strictness,
    test: impl Fn(&ShortList<&Word>) -> Fit,
) -> Fit {
    if let Some(track) = argv.track {
        let whole = test(&std::iter::once(track).chain(written.iter().copied()).collect());
        if whole == Fit::Yes || strictness == Strictness::Strict {
            return whole;
        }
    }
    let fit = argv.nested_synonyms().fold(test(written), |fit, words| match fit {
        Fit::Yes => Fit::Yes,
        fit => {
            let words: Vec<Word> = words.split(' ').map(Word::text).collect();
            fit.or(test(&words.iter().collect()))
        }
    });
    match fit {
        Fit::Yes => fit,
        fit => other_script_call(argv, strictness).map_or(fit.clone(), |words| fit.or(test(&words.iter().collect()))),
    }
}

/// Tests whether the words of a command match those of a pattern, from the first word on.
pub(super) fn test_sequence<'a>(
    pattern: &OperandSequence<'_>,
    mut words: impl Iterator<Item = &'a Word>,
    argv: &Argv<'_>,
    end: PatternEnd,
    strictness: Strictness,
) -> Fit {
    let accepts_more = end == PatternEnd::Anything || (end == PatternEnd::Open && strictness == Strictness::Generous);
    // Bit n is set if the first n words of the pattern match the words of the command so far. Since these are known,
    // the bit is certain. From the first unknown word on, or with 64 words, `test_states` continues.
    let mut matched_counts = 1_u64;
    let count = pattern.len();
    let is_complete = |matched_counts: u64| {
        matched_counts.checked_shr(u32::try_from(count).unwrap_or(u32::MAX)).is_some_and(|bits| bits & 1 == 1)
    };
    while let Some(word) = words.next() {
        if accepts_more && is_complete(matched_counts) {
            return Fit::Yes;
        }
        if matched_counts == 0 {
            return Fit::No;
        }
        let Some(text) = word.known_text().filter(|_| count < 64) else {
            let states = (0..=count).map(|at| (at < 64 && matched_counts >> at & 1 == 1).into()).collect();
            return test_states(states, pattern, std::iter::once(word).chain(words), argv, (accepts_more, strictness));
        };
        let may_be_value = strictness == Strictness::Generous && argv.may_be_value(word);
        let mut next = if may_be_value { matched_counts } else { 0 };
        let mut rest = matched_counts;
        while rest != 0 {
            let at = rest.trailing_zeros();
            rest &= rest - 1;
            let operand = usize::try_from(at).ok().and_then(|at| pattern.get(at));
            let matches = |operand: &PatternOperand| match strictness {
                Strictness::Strict => operand.test_strictly(word, argv) == Fit::Yes,
                Strictness::Generous => operand.matches(text),
            };
            let is_match = operand.is_some_and(|operand| {
                matches(operand)
                    || operand.matches_other_name(word, argv, strictness)
                    || operand.matches_script(text, argv, strictness)
            });
            next |= u64::from(is_match) << at << 1;
        }
        matched_counts = next;
    }
    is_complete(matched_counts).into()
}

impl PatternOperand {
    /// Tests strictly whether one of the alternatives matches a word: see [`covers`].
    fn test_strictly(&self, word: &Word, argv: &Argv<'_>) -> Fit {
        let covered = |glob: &Glob| covers(glob, word, || network::is_url(argv, word));
        self.alternatives.iter().fold(Fit::No, |fit, glob| if fit == Fit::Yes { fit } else { fit.or(covered(glob)) })
    }

    /// Tests strictly whether one of the alternatives matches the value of an option.
    pub(super) fn test_value_strictly(&self, word: &Word) -> Fit {
        self.alternatives.iter().fold(Fit::No, |fit, glob| fit.or(covers(glob, word, || false)))
    }

    /// Whether the operand is the path of a script with `./` in front, which a command of an interpreter leaves out.
    fn matches_script(&self, text: &str, argv: &Argv<'_>, strictness: Strictness) -> bool {
        let is_script = || argv.table().is_some_and(Program::is_interpreter);
        fn without_dot(path: &str) -> &str {
            path.strip_prefix("./").unwrap_or(path)
        }
        let is_same = |glob: &Glob| glob.literal().is_some_and(|path| without_dot(path) == without_dot(text));
        let may_differ = |path: &str| path.starts_with("./");
        let mut globs = self.alternatives.iter();
        let may_be_same = may_differ(text) || globs.any(|glob| glob.literal().is_some_and(may_differ));
        may_be_same
            && (strictness == Strictness::Generous || without_dot(text).contains('/'))
            && is_script()
            && self.alternatives.iter().any(is_same)
    }

    /// Whether the operand names a subcommand by a synonym. In strict matching, an abbreviation does not match, since
    /// it could be another subcommand in another version of the program.
    pub(super) fn matches_other_name(&self, word: &Word, argv: &Argv<'_>, strictness: Strictness) -> bool {
        let is_accepted = || strictness == Strictness::Generous || !argv.is_shortened(word);
        argv.subcommand_synonyms(word).any(|name| self.matches(name)) && is_accepted()
    }
}

/// Tests the rest of the words, of which some are unknown. State n is how certainly the first n words of the pattern
/// match the words of the command so far.
fn test_states<'a>(
    mut states: Vec<Fit>,
    pattern: &OperandSequence<'_>,
    words: impl Iterator<Item = &'a Word>,
    argv: &Argv<'_>,
    (accepts_more, strictness): (bool, Strictness),
) -> Fit {
    let mut matched = Fit::No;
    for word in words {
        if accepts_more {
            matched = matched.or(states.last().cloned().unwrap_or(Fit::No));
            if matched == Fit::Yes {
                return matched;
            }
        }
        let mut next = vec![Fit::No; pattern.len() + 1];
        for (at, state) in states.into_iter().enumerate().filter(|(_, state)| *state != Fit::No) {
            advance_state(pattern, at, &state, &SequenceStep { word, argv, strictness }, &mut next);
        }
        states = next;
    }
    matched.or(states.pop().unwrap_or(Fit::No))
}

/// A word of the command that is compared, and its context.
struct SequenceStep<'a> {
    word: &'a Word,
    argv: &'a Argv<'a>,
    strictness: Strictness,
}

/// Computes the states after a word from the state `at`, and joins them with those in `next`.
fn advance_state(pattern: &OperandSequence<'_>, at: usize, state: &Fit, step: &SequenceStep<'_>, next: &mut [Fit]) {
    let word = step.word;
    let mut reach = |at: usize, fit: Fit| {
        if let Some(slot) = next.get_mut(at) {
            *slot = std::mem::replace(slot, Fit::No).or(state.clone().and(fit));
        }
    };
    let fit =
        pattern.get(at).map_or(Fit::No, |operand| match operand.matches_other_name(word, step.argv, step.strictness) {
            true => Fit::Yes,
            false if step.strictness == Strictness::Strict => operand.test_strictly(word, step.argv),
            false => operand.test(word),
        });
    if step.strictness == Strictness::Generous && step.argv.may_be_value(word) {
        reach(at, Fit::Yes);
    }
    let more = extra_words(word, step.argv);
    match &more {
        ExtraWords::One => {}
        ExtraWords::Option(why) => reach(at, Fit::Maybe(why.clone())),
        ExtraWords::Several(why) => {
            // Each of the files that a glob expands to matches the same operands as the glob.
            let similar = pattern.iter().skip(at).take_while(|operand| operand.test(word) != Fit::No).count();
            (at + 2..=at + similar).for_each(|at| reach(at, Fit::Maybe(why.clone())));
        }
        ExtraWords::Any(why) => (at..=pattern.len()).for_each(|at| reach(at, Fit::Maybe(why.clone()))),
    }
    let fit = match more {
        ExtraWords::Option(why) | ExtraWords::Several(why) | ExtraWords::Any(why)
            if step.strictness == Strictness::Strict =>
        {
            fit.and(Fit::Maybe(why))
        }
        _ => fit,
    };
    reach(at + 1, fit);
}

/// What a word of a command may be, in addition to one operand.
enum ExtraWords {
    /// The word is exactly one operand.
    One,
    /// The word may be an option.
    Option(Unknown),
    /// The word may be several words of the same form: `*.c`.
    Several(Unknown),
    /// The word may be any number of arbitrary words, or none: an unquoted `$X`.
    Any(Unknown),
}

/// Returns the words that a word of a command may be.
fn extra_words(word: &Word, argv: &Argv<'_>) -> ExtraWords {
    let Some(why) = word.unknown_reason() else { return ExtraWords::One };
    match () {
        () if word.may_split_at_blanks() => ExtraWords::Any(why),
        () if argv.may_be_option(word) => ExtraWords::Option(why),
        () if word.may_split() => ExtraWords::Several(why),
        () => ExtraWords::One,
    }
}
