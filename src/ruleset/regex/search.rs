//! Regex searches, charged by their cost: the bytes of the text with a lazy DFA; if that becomes too big to be kept,
//! the regex's number of states for each byte.

use std::sync::{Mutex, PoisonError};

use regex_automata::hybrid::BuildError;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::util::prefilter::Prefilter;
use regex_automata::{Input, MatchKind};

use super::{SIZE_LIMIT, pattern};
use crate::budget::{Budget, Exhaustion};

/// The memory for the states of the lazy DFA, in bytes; it is emptied when it is full. All work until the search is
/// given up is charged afterwards, so the limit is low.
const CACHE: usize = 1 << 20;

/// How often it is emptied before the search is given up, and the average number of bytes searched per state that
/// prevents giving up.
const CLEARS: usize = 1;
const BYTES_PER_STATE: usize = 10;

/// The number of bytes of states that one unit pays for.
const BYTES_PER_UNIT: usize = 2;

/// The charge for each state of a regex that is compiled.
const STATE: u64 = 20;

/// From this number of states on, each takes more than one unit per byte: they no longer fit in the processor's cache.
const MANY: usize = 4_096;

/// A compiled regex that finds whether and where it matches, and the cost of finding that out.
#[derive(Debug)]
pub(super) struct RegexSearch {
    dfa: DFA,
    cache: Mutex<Cache>,
    /// The number of states of the regex, and the number of byte classes that it distinguishes.
    states: usize,
    classes: usize,
}

/// The result of a search.
pub(super) enum SearchAttempt {
    /// The end of the first match; `None` if there is no match.
    End(Option<usize>),
    /// Another engine has to search: this one would need too much memory, or found characters that it has no table for.
    OtherEngine,
}

impl RegexSearch {
    /// Compiles a pattern; `None` if no lazy DFA can be built for it.
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

    /// Returns the number of its states.
    pub(super) fn states(&self) -> usize {
        self.states
    }

    /// Returns the charge for compiling it.
    pub(super) fn price(&self) -> u64 {
        STATE.saturating_mul(u64::try_from(self.states).unwrap_or(u64::MAX))
    }

    /// Searches for the first match that begins at or after `from`. The caller charges the bytes of the text.
    ///
    /// # Errors
    /// The search cost more than the budget has left; or another engine has to search, and that would.
    pub(super) fn find(&self, text: &str, from: usize, budget: &Budget) -> Result<SearchAttempt, Exhaustion> {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let before = cache.memory_usage().saturating_add(cache.clear_count().saturating_mul(CACHE));
        let input = Input::new(text).span(from..text.len()).earliest(true);
        let found = self.dfa.try_search_fwd(&mut cache, &input);
        let after = cache.memory_usage().saturating_add(cache.clear_count().saturating_mul(CACHE));
        // Each new state may lead to another for each byte class, which takes a pass over all the states that it
        // represents.
        let made = after.saturating_sub(before).saturating_mul(self.classes) / BYTES_PER_UNIT;
        budget.charge_each(1, made.min(text.len().saturating_mul(self.states)))?;
        match found {
            Ok(found) => Ok(SearchAttempt::End(found.map(|found| found.offset()))),
            Err(_) => {
                charge_slow(self.states, text, budget)?;
                Ok(SearchAttempt::OtherEngine)
            }
        }
    }
}

/// Charges the cost of an engine that visits all states at every byte.
pub(super) fn charge_slow(states: usize, text: &str, budget: &Budget) -> Result<(), Exhaustion> {
    let each = states.saturating_add(states.saturating_mul(states) / MANY);
    budget.charge_each(u64::try_from(each).unwrap_or(u64::MAX), text.len())
}
