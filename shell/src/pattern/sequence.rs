//! Matches the subcommands and operands of a pattern with those of a command, in order; unknown words may be none or
//! several.

use crate::argv::Argv;
use crate::few::Few;
use crate::glob::Fit;
use crate::word::{Unknown, Word};

use super::{End, Operand};

/// How words that may not be exactly one operand are taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    /// A word that may be the value of an unlisted option may be skipped; more words may follow.
    Generously,
    /// The pattern has to name every word.
    Strictly,
}

/// A sequence of words of a pattern.
pub(super) enum Row<'p> {
    /// All of its operands.
    All(&'p [Operand]),
    /// Those that are not the value of a flag.
    Some(Vec<&'p Operand>),
}

impl<'p> Row<'p> {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::All(all) => all.len(),
            Self::Some(some) => some.len(),
        }
    }

    fn get(&self, at: usize) -> Option<&'p Operand> {
        match self {
            Self::All(all) => all.get(at),
            Self::Some(some) => some.get(at).copied(),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &'p Operand> {
        (0..self.len()).filter_map(|at| self.get(at))
    }
}

/// Tests a command as written, and with the multi-word synonyms of its subcommand. A neutral word before the subcommand
/// is included and, in generous matching, also left out.
pub(super) fn by_any_name(
    argv: &Argv<'_>,
    written: &Few<&Word>,
    taken: Taken,
    test: impl Fn(&Few<&Word>) -> Fit,
) -> Fit {
    if let Some(track) = argv.track {
        let whole = test(&std::iter::once(track).chain(written.iter().copied()).collect());
        if whole == Fit::Yes || taken == Taken::Strictly {
            return whole;
        }
    }
    argv.other_commands().fold(test(written), |fit, words| match fit {
        Fit::Yes => Fit::Yes,
        fit => {
            let words: Vec<Word> = words.split(' ').map(Word::text).collect();
            fit.or(test(&words.iter().collect()))
        }
    })
}

/// Tests a sequence of words from the first one on.
pub(super) fn fit<'a>(
    pattern: &Row<'_>,
    mut words: impl Iterator<Item = &'a Word>,
    argv: &Argv<'_>,
    end: End,
    taken: Taken,
) -> Fit {
    let is_open = end == End::Anything || (end == End::Open && taken == Taken::Generously);
    // Bit n is set if n words of the pattern are matched by the words so far: for known words that is certain either
    // way.
    let mut live = 1_u64;
    let count = pattern.len();
    let is_matched =
        |live: u64| live.checked_shr(u32::try_from(count).unwrap_or(u32::MAX)).is_some_and(|bits| bits & 1 == 1);
    while let Some(word) = words.next() {
        if is_open && is_matched(live) {
            return Fit::Yes;
        }
        if live == 0 {
            return Fit::No;
        }
        let Some(text) = word.known().filter(|_| count < 64) else {
            let states = (0..=count).map(|at| (at < 64 && live >> at & 1 == 1).into()).collect();
            return by_states(states, pattern, std::iter::once(word).chain(words), argv, (is_open, taken));
        };
        let may_be_value = taken == Taken::Generously && argv.may_be_value(word);
        let mut next = if may_be_value { live } else { 0 };
        let mut rest = live;
        while rest != 0 {
            let at = rest.trailing_zeros();
            rest &= rest - 1;
            let own = usize::try_from(at).ok().and_then(|at| pattern.get(at));
            let is_meant = own.is_some_and(|own| own.matches(text) || own.matches_other_name(word, argv, taken));
            next |= u64::from(is_meant) << at << 1;
        }
        live = next;
    }
    is_matched(live).into()
}

impl Operand {
    /// Whether it names a subcommand by a synonym. A mere prefix of a name could be another subcommand in another
    /// version of the program, so strict matching does not accept it.
    pub(super) fn matches_other_name(&self, word: &Word, argv: &Argv<'_>, taken: Taken) -> bool {
        let is_whole = || taken == Taken::Generously || !argv.is_shortened(word);
        argv.other_names(word).any(|name| self.matches(name)) && is_whole()
    }
}

/// Tests words some of which are unknown. A state is the certainty that this many words of the pattern are matched so
/// far.
fn by_states<'a>(
    mut states: Vec<Fit>,
    pattern: &Row<'_>,
    words: impl Iterator<Item = &'a Word>,
    argv: &Argv<'_>,
    (is_open, taken): (bool, Taken),
) -> Fit {
    let mut matched = Fit::No;
    for word in words {
        if is_open {
            matched = matched.or(states.last().cloned().unwrap_or(Fit::No));
            if matched == Fit::Yes {
                return matched;
            }
        }
        let mut next = vec![Fit::No; pattern.len() + 1];
        for (at, state) in states.into_iter().enumerate().filter(|(_, state)| *state != Fit::No) {
            step(pattern, at, &state, &Step { word, argv, taken }, &mut next);
        }
        states = next;
    }
    matched.or(states.pop().unwrap_or(Fit::No))
}

struct Step<'a> {
    word: &'a Word,
    argv: &'a Argv<'a>,
    taken: Taken,
}

fn step(pattern: &Row<'_>, at: usize, state: &Fit, step: &Step<'_>, next: &mut [Fit]) {
    let word = step.word;
    let mut reach = |at: usize, fit: Fit| {
        if let Some(place) = next.get_mut(at) {
            *place = std::mem::replace(place, Fit::No).or(state.clone().and(fit));
        }
    };
    let fit =
        pattern.get(at).map_or(Fit::No, |operand| match operand.matches_other_name(word, step.argv, step.taken) {
            true => Fit::Yes,
            false => operand.fit(word),
        });
    if step.taken == Taken::Generously && step.argv.may_be_value(word) {
        reach(at, Fit::Yes);
    }
    let more = more(word, step.argv);
    match &more {
        More::One => {}
        More::Option(why) => reach(at, Fit::Maybe(why.clone())),
        More::Several(why) => {
            // Each of the files that a glob expands to matches alike.
            let like = pattern.iter().skip(at).take_while(|operand| operand.fit(word) != Fit::No).count();
            (at + 2..=at + like).for_each(|at| reach(at, Fit::Maybe(why.clone())));
        }
        More::Any(why) => (at..=pattern.len()).for_each(|at| reach(at, Fit::Maybe(why.clone()))),
    }
    let fit = match more {
        More::Option(why) | More::Several(why) | More::Any(why) if step.taken == Taken::Strictly => {
            fit.and(Fit::Maybe(why))
        }
        _ => fit,
    };
    reach(at + 1, fit);
}

/// What a word may be besides one operand.
enum More {
    One,
    /// An option.
    Option(Unknown),
    /// Several words of the same form.
    Several(Unknown),
    /// Any number of arbitrary words, including none.
    Any(Unknown),
}

fn more(word: &Word, argv: &Argv<'_>) -> More {
    let Some(why) = word.why() else { return More::One };
    match () {
        () if word.may_break() => More::Any(why),
        () if argv.may_be_option(word) => More::Option(why),
        () if word.splits() => More::Several(why),
        () => More::One,
    }
}
