//! The subcommands and operands of a pattern against those of a command, in order, where some may be none or several.

use crate::argv::Argv;
use crate::glob::Fit;
use crate::word::{Unknown, Word};

use super::{End, Operand};

/// How words that are not sure to be one operand are taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    /// What may be the value of an option that is not in the table may be passed over; more words may follow.
    Generously,
    /// Every word is one that the pattern has to name.
    Strictly,
}

/// Tests words from the first one on.
pub(super) fn fit<'a>(
    pattern: &[&Operand],
    words: impl Iterator<Item = &'a Word>,
    argv: &Argv<'_>,
    end: End,
    taken: Taken,
) -> Fit {
    let is_open = end == End::Anything || (end == End::Open && taken == Taken::Generously);
    // How sure it is that this many words of the pattern are matched by what has been read.
    let mut states = vec![Fit::No; pattern.len() + 1];
    if let Some(first) = states.first_mut() {
        *first = Fit::Yes;
    }
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

fn step(pattern: &[&Operand], at: usize, state: &Fit, step: &Step<'_>, next: &mut [Fit]) {
    let word = step.word;
    let mut reach = |at: usize, fit: Fit| {
        if let Some(place) = next.get_mut(at) {
            *place = std::mem::replace(place, Fit::No).or(state.clone().and(fit));
        }
    };
    let fit = pattern.get(at).map_or(Fit::No, |operand| operand.fit(word));
    if step.taken == Taken::Generously && step.argv.may_be_value(word) {
        reach(at, Fit::Yes);
    }
    let more = more(word, step.argv);
    match &more {
        More::One => {}
        More::Option(why) => reach(at, Fit::Maybe(why.clone())),
        More::Several(why) => {
            // Each of the files that a glob becomes is like the others.
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

/// What a word may be beside one operand.
enum More {
    One,
    /// An option.
    Option(Unknown),
    /// Several words like it.
    Several(Unknown),
    /// None, or several, whatever they are.
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
