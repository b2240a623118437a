//! Searching by a regex, charged by what it takes: as much as its text has bytes, with the automaton that is made on
//! the way; where that becomes too big to be kept, for each byte as much as the regex has states.

use std::sync::{Mutex, PoisonError};

use regex_automata::hybrid::BuildError;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::util::prefilter::Prefilter;
use regex_automata::{Input, MatchKind};

use super::{SIZE_LIMIT, pattern};
use crate::budget::{Budget, Spent};

/// The memory for the states that are made on the way, in bytes: when it is full it is emptied. All that is done until
/// the search is given up is charged afterwards, so it is little.
const CACHE: usize = 1 << 20;

/// How often it is emptied before the search is given up, and how many bytes each state has to have been good for not
/// to.
const CLEARS: usize = 1;
const BYTES_PER_STATE: usize = 10;

/// How many bytes of states are gone through in one unit.
const BYTES_PER_UNIT: usize = 2;

/// What making one state of a regex takes when it is compiled.
const STATE: u64 = 20;

/// From this many states on each takes more than one unit at each byte: they no longer fit in the processor's cache.
const MANY: usize = 4_096;

/// A compiled regex that can tell whether and where it matches, and what it cost to find that out.
#[derive(Debug)]
pub(super) struct Search {
    dfa: DFA,
    cache: Mutex<Cache>,
    /// How many states the regex has, and how many kinds of bytes it tells apart.
    states: usize,
    classes: usize,
}

/// What came of a search.
pub(super) enum Found {
    /// The end of the first match, or that there is none.
    End(Option<usize>),
    /// Another engine has to look: this one would need too much memory, or meets characters that it has no table for.
    Nothing,
}

impl Search {
    /// Compiles a pattern; `None` where this kind of search cannot be made of it.
    pub(super) fn new(pattern: &str) -> Option<Self> {
        let hir = pattern::parse(pattern).ok();
        let prefilter = hir.as_ref().and_then(|hir| Prefilter::from_hir_prefix(MatchKind::LeftmostFirst, hir));
        let hir = hir?;
        let thompson =
            thompson::Config::new().nfa_size_limit(Some(SIZE_LIMIT)).which_captures(thompson::WhichCaptures::None);
        let nfa = thompson::Compiler::new().configure(thompson).build_from_hir(&hir).ok()?;
        let states = nfa.states().len();
        let config = DFA::config()
            .prefilter(prefilter)
            .unicode_word_boundary(true)
            .cache_capacity(CACHE)
            .skip_cache_capacity_check(true)
            .minimum_cache_clear_count(Some(CLEARS))
            .minimum_bytes_per_state(Some(BYTES_PER_STATE));
        let built: Result<DFA, BuildError> = DFA::builder().configure(config).build_from_nfa(nfa);
        built.ok().map(|dfa| {
            let cache = Mutex::new(dfa.create_cache());
            let classes = dfa.byte_classes().alphabet_len();
            Self { dfa, cache, states, classes }
        })
    }

    /// How many states it has.
    pub(super) fn states(&self) -> usize {
        self.states
    }

    /// What it took to compile it.
    pub(super) fn price(&self) -> u64 {
        STATE.saturating_mul(u64::try_from(self.states).unwrap_or(u64::MAX))
    }

    /// Looks for the first match that begins at a place or behind it. The bytes of the text are charged by the caller.
    ///
    /// # Errors
    /// What was found cost more than the account has; or another engine has to look, and that would.
    pub(super) fn find(&self, text: &str, from: usize, budget: &Budget) -> Result<Found, Spent> {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let before = cache.memory_usage().saturating_add(cache.clear_count().saturating_mul(CACHE));
        let input = Input::new(text).span(from..text.len()).earliest(true);
        let found = self.dfa.try_search_fwd(&mut cache, &input);
        let after = cache.memory_usage().saturating_add(cache.clear_count().saturating_mul(CACHE));
        // From each new state one may come to another by each kind of byte, by going through all that it stands for.
        let made = after.saturating_sub(before).saturating_mul(self.classes) / BYTES_PER_UNIT;
        budget.charge_each(1, made.min(text.len().saturating_mul(self.states)))?;
        match found {
            Ok(found) => Ok(Found::End(found.map(|found| found.offset()))),
            Err(_) => {
                charge_slow(self.states, text, budget)?;
                Ok(Found::Nothing)
            }
        }
    }
}

/// Takes what an engine costs that goes through all states at every byte.
pub(super) fn charge_slow(states: usize, text: &str, budget: &Budget) -> Result<(), Spent> {
    let each = states.saturating_add(states.saturating_mul(states) / MANY);
    budget.charge_each(u64::try_from(each).unwrap_or(u64::MAX), text.len())
}
