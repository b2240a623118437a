//! Regex searches that are charged by their cost. A search with a lazy DFA costs the bytes of the text. If the DFA
//! becomes too big, another engine has to search, which costs the number of the regex's states for each byte.

use std::sync::{Mutex, PoisonError};

use regex_automata::hybrid::BuildError;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::util::prefilter::Prefilter;
use regex_automata::{Input, MatchKind};

use super::{SIZE_LIMIT, pattern};
use crate::budget::{Budget, Exhaustion};

/// The memory for the states of the lazy DFA, in bytes. It is cleared when it is full. The work until a search is
/// given up is charged only afterwards, so the limit is low.
const CACHE_BYTES: usize = 1 << 20;

/// A search is given up after the memory has been cleared this often, unless it searched at least `BYTES_PER_STATE`
/// bytes for each state that it created.
const CLEARS: usize = 1;
const BYTES_PER_STATE: usize = 10;

/// The number of bytes of new states that one unit of the budget pays for.
const BYTES_PER_UNIT: usize = 2;

/// The charge for each state of a regex that is compiled.
const PRICE_PER_STATE: u64 = 20;

/// With more states than this, each costs more than one unit per byte, because they do not fit into the processor's
/// cache.
const MANY_STATES: usize = 4_096;

/// A lazy DFA of a regex, with the numbers from which the cost of a search is computed.
#[derive(Debug)]
pub(super) struct RegexSearch {
    dfa: DFA,
    /// The states that have been created so far.
    cache: Mutex<Cache>,
    /// The number of states of the regex.
    states: usize,
    /// The number of classes of bytes that the regex distinguishes.
    classes: usize,
}

/// The result of a search.
pub(super) enum SearchAttempt {
    /// The end of the first match; `None` if there is no match.
    End(Option<usize>),
    /// Another engine has to search: the lazy DFA would need too much memory, or cannot handle a character of the
    /// text.
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
            .cache_capacity(CACHE_BYTES)
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

    /// Returns the number of states of the regex.
    pub(super) fn states(&self) -> usize {
        self.states
    }

    /// Returns the charge for compiling the regex.
    pub(super) fn price(&self) -> u64 {
        PRICE_PER_STATE.saturating_mul(u64::try_from(self.states).unwrap_or(u64::MAX))
    }

    /// Searches for the earliest end of a match that begins at or after `from`. Charges the new states; the caller
    /// charges the bytes of the text.
    ///
    /// # Errors
    /// The budget is exhausted by the search, or would be by the other engine that has to search.
    pub(super) fn find(&self, text: &str, from: usize, budget: &Budget) -> Result<SearchAttempt, Exhaustion> {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let before = cache.memory_usage().saturating_add(cache.clear_count().saturating_mul(CACHE_BYTES));
        let input = Input::new(text).span(from..text.len()).earliest(true);
        let found = self.dfa.try_search_fwd(&mut cache, &input);
        let after = cache.memory_usage().saturating_add(cache.clear_count().saturating_mul(CACHE_BYTES));
        // Each new state may lead to a further one for each byte class, and creating that takes a pass over all regex
        // states in it.
        let charge = after.saturating_sub(before).saturating_mul(self.classes) / BYTES_PER_UNIT;
        budget.charge_each(1, charge.min(text.len().saturating_mul(self.states)))?;
        match found {
            Ok(found) => Ok(SearchAttempt::End(found.map(|found| found.offset()))),
            Err(_) => {
                charge_slow(self.states, text, budget)?;
                Ok(SearchAttempt::OtherEngine)
            }
        }
    }
}

/// Charges a search by an engine that visits all states of a regex at every byte of the text.
pub(super) fn charge_slow(states: usize, text: &str, budget: &Budget) -> Result<(), Exhaustion> {
    let each = states.saturating_add(states.saturating_mul(states) / MANY_STATES);
    budget.charge_each(u64::try_from(each).unwrap_or(u64::MAX), text.len())
}
