//! The size of a compiled regex, computed from its tree without compiling it. The build script uses it too.
//!
//! The size is an upper bound of the automaton's states and transitions, with repetitions multiplied out. It bounds the
//! time and memory of compiling, and the work for every byte of a text.

use std::cell::RefCell;
use std::collections::VecDeque;

use regex_syntax::hir::{Class, ClassUnicode, Hir, HirKind};
use regex_syntax::utf8::Utf8Sequences;

/// The size of the parts that every automaton has besides its pattern: the unanchored prefix, the match state, the
/// group of the whole match.
const FRAME: u64 = 8;

/// The maximum number of classes whose sizes are cached.
const REMEMBERED: usize = 8;

thread_local! {
    /// The classes that were counted last, with their sizes: `\w` has 750 ranges and occurs in many regexes.
    static COUNTED: RefCell<VecDeque<(ClassUnicode, u64)>> = const { RefCell::new(VecDeque::new()) };
}

/// Returns the size of a parsed regex.
pub(crate) fn regex_size(parsed: &Hir) -> u64 {
    part_size(parsed).saturating_add(FRAME)
}

/// Returns the size of a part of a regex.
fn part_size(parsed: &Hir) -> u64 {
    match parsed.kind() {
        HirKind::Empty | HirKind::Look(_) => 1,
        HirKind::Literal(literal) => count(literal.0.len()),
        HirKind::Class(Class::Bytes(class)) => count(class.ranges().len()).saturating_add(1),
        HirKind::Class(Class::Unicode(class)) => class_size(class),
        HirKind::Repetition(repetition) => {
            let times = u64::from(repetition.max.unwrap_or(repetition.min).max(repetition.min).max(1));
            part_size(&repetition.sub).saturating_add(1).saturating_mul(times).saturating_add(2)
        }
        HirKind::Capture(capture) => part_size(&capture.sub).saturating_add(2),
        HirKind::Concat(parts) => sum(parts),
        HirKind::Alternation(parts) => sum(parts).saturating_add(count(parts.len())).saturating_add(2),
    }
}

fn sum(parts: &[Hir]) -> u64 {
    parts.iter().fold(1, |sum: u64, part| sum.saturating_add(part_size(part)))
}

/// Returns the size of a Unicode class, from the cache if possible.
fn class_size(class: &ClassUnicode) -> u64 {
    if class.is_ascii() {
        return count(class.ranges().len()).saturating_add(1);
    }
    COUNTED.with_borrow_mut(|counted| {
        if let Some((_, size)) = counted.iter().find(|(known, _)| known == class) {
            return *size;
        }
        let size = class_tree_size(class);
        counted.push_front((class.clone(), size));
        counted.truncate(REMEMBERED);
        size
    })
}

/// Returns the number of nodes and edges for a class with multi-byte characters: a tree with one level per byte.
/// Adjacent byte sequences share the nodes of their common beginning.
fn class_tree_size(class: &ClassUnicode) -> u64 {
    let mut size = 2_u64;
    let mut previous = [(0_u8, 0_u8); 4];
    let mut length = 0;
    for range in class.ranges() {
        for sequence in Utf8Sequences::new(range.start(), range.end()) {
            let bytes = sequence.as_slice().iter().map(|range| (range.start, range.end));
            let shared = bytes
                .clone()
                .zip(previous.iter().take(length))
                .take_while(|(bytes, previous)| bytes == *previous)
                .count();
            let added = count(sequence.len().saturating_sub(shared));
            size = size.saturating_add(added).saturating_add(added.saturating_sub(1));
            length = sequence.len();
            previous.iter_mut().zip(bytes).for_each(|(previous, bytes)| *previous = bytes);
        }
    }
    size
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex_automata::nfa::thompson::{NFA, State};

    use super::*;

    fn size(pattern: &str) -> u64 {
        regex_size(&regex_syntax::parse(pattern).unwrap())
    }

    /// Returns the number of states of the engine's automaton, and the number of states and transitions.
    fn automaton(pattern: &str) -> (u64, u64) {
        let automaton = NFA::new(pattern).unwrap();
        let transitions = automaton.states().iter().map(|state| match state {
            State::Sparse(sparse) => sparse.transitions.len(),
            State::Union { alternates } => alternates.len(),
            _ => 1,
        });
        (count(automaton.states().len()), count(transitions.sum()))
    }

    #[test]
    fn the_size_is_never_below_that_of_the_automaton() {
        for pattern in [
            "",
            "a",
            "é",
            r"\w",
            r"\W",
            r"\d{3,9}",
            r"\pL+\PL*",
            r"(?i)\p{Greek}k",
            "[^a]",
            "(?s:.)",
            r"[\u{3f}-\u{80}\u{7ff}-\u{800}\u{ffff}-\u{10000}]",
            r"\bticket-5\d{2,4}\b",
            "((a{1,50}){1,50}){1,20}0",
            "(a|b|cd|e*)*(f?){7}",
            "(?:(?:){3}){3}x*",
            "a{0}b{0,}c{2,}",
        ] {
            let (states, transitions) = automaton(pattern);
            assert!(
                size(pattern) >= states.max(transitions),
                "{pattern}: {} for {states}, {transitions}",
                size(pattern)
            );
        }
    }

    #[test]
    fn repetitions_multiply() {
        assert!(size("((a{1,50}){1,50}){1,20}0") > 50 * 50 * 20);
        assert_eq!(size("(((((a{1000}){1000}){1000}){1000}){1000}){1000}{1000}{1000}"), u64::MAX);
    }

    #[test]
    fn a_class_counts_the_same_wherever_it_stands() {
        assert_eq!(size(r"\w{3}") - size(r"\w{2}"), size(r"\w\w") - size(r"\w"));
        assert!(size(r"\w") < 2_000);
    }

    proptest! {
        #[test]
        fn no_automaton_is_larger_than_said(
            pattern in r"(\PC|[a-z]|\\[wdsWDS]|\[[a-z]-[é-\u{ffff}]\]|\(|\)|\||\*|\+|\?|\{[0-9],[0-9]\}){0,12}",
        ) {
            if regex_syntax::parse(&pattern).is_ok() {
                let (states, transitions) = automaton(&pattern);
                let said = size(&pattern);
                prop_assert!(said >= states.max(transitions), "{said} for {states}, {transitions}");
            }
        }
    }
}
