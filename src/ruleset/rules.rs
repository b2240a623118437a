//! The trait for access to the rules of a policy, wherever they are stored, and the implementation for rules in
//! memory.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

use super::Rule;
use super::index::{Candidates, Index, IndexedCall, LookupStats, build};
use crate::history::MarkId;
use crate::image::ImageSection;
use crate::schema::Event;

/// Access to the rules of a policy. A rule is identified by its position in evaluation order.
pub trait Rules {
    /// The reason why rules cannot be read.
    type Error;

    /// Returns the rules of an event that may match a call. Every other rule certainly does not match.
    ///
    /// # Errors
    /// The index cannot be read.
    fn candidates(&self, event: Event, call: &dyn IndexedCall) -> Result<Candidates, Self::Error>;

    /// Returns the rule at a position; `None` past the end.
    ///
    /// # Errors
    /// The rule cannot be read.
    fn rule(&self, id: u32) -> Result<Option<&Rule>, Self::Error>;

    /// Fails if a part of a rule that was decoded on first use turned out to be damaged. All results so far are then
    /// invalid.
    ///
    /// # Errors
    /// A part was damaged.
    fn check_intact(&self) -> Result<(), Self::Error>;
}

/// The rules of all layers that loaded, in evaluation order, in memory.
#[derive(Clone, Debug, Default)]
pub struct RuleSet {
    rules: Vec<Arc<Rule>>,
    /// For each event, the positions of the rules that name it.
    by_event: Vec<Vec<u32>>,
    /// For each event, its index, which is built when the event is first judged; empty if no index is to be used.
    indexes: Vec<OnceLock<LoadedIndex>>,
}

/// An index and its bytes; the index is `None` if they cannot be read.
#[derive(Clone, Debug, Default)]
struct LoadedIndex {
    bytes: Vec<u8>,
    index: Option<Index>,
}

impl RuleSet {
    /// Creates a rule set from rules that are already in evaluation order.
    #[must_use]
    pub fn new(rules: Vec<Arc<Rule>>) -> Self {
        let mut by_event = vec![Vec::new(); Event::ALL.len()];
        for (id, rule) in (0_u32..).zip(&rules) {
            for event in rule.head.event_set() {
                if let Some(list) = by_event.get_mut(event as usize) {
                    list.push(id);
                }
            }
        }
        let indexes = by_event.iter().map(|_| OnceLock::new()).collect();
        Self { rules, by_event, indexes }
    }

    /// Returns the same rules without an index: every rule of the event is then a candidate for every call.
    #[cfg(feature = "internals")]
    #[must_use]
    pub fn without_index(&self) -> Self {
        Self { indexes: Vec::new(), ..self.clone() }
    }

    /// Returns the rules in evaluation order.
    #[must_use]
    pub fn rules(&self) -> &[Arc<Rule>] {
        &self.rules
    }

    /// Returns the number of rules that people have written, not counting marks.
    #[must_use]
    pub fn count_without_marks(&self) -> usize {
        self.rules.iter().filter(|rule| rule.mark().is_none()).count()
    }

    /// Returns the ids of the marks that the rules define.
    #[must_use]
    pub fn marks(&self) -> BTreeSet<MarkId> {
        self.rules.iter().filter_map(|rule| rule.mark()).map(|mark| mark.id).collect()
    }

    /// Returns the rules that name an event, with their positions, in evaluation order.
    pub fn rules_on_event(&self, event: Event) -> impl Iterator<Item = (u32, &Rule)> {
        let ids = self.by_event.get(event as usize).map(Vec::as_slice).unwrap_or_default();
        ids.iter().filter_map(|id| Some((*id, self.rule_at(*id)?)))
    }

    /// Returns the encoded index of an event, built on first use; empty if no rule names the event.
    #[must_use]
    pub fn index_bytes(&self, event: Event) -> &[u8] {
        self.indexed(event).map(|indexed| indexed.bytes.as_slice()).unwrap_or_default()
    }

    /// Returns the index of an event, and builds it if necessary; `None` for a set without indexes.
    fn indexed(&self, event: Event) -> Option<&LoadedIndex> {
        let make = || {
            let bytes = build(event, &self.rules);
            let len = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
            let index = Index::open(&bytes, ImageSection { position: 0, len }).ok();
            LoadedIndex { bytes, index }
        };
        self.indexes.get(event as usize).map(|indexed| indexed.get_or_init(make))
    }

    fn rule_at(&self, id: u32) -> Option<&Rule> {
        self.rules.get(usize::try_from(id).ok()?).map(AsRef::as_ref)
    }

    /// Returns all rules of an event as candidates.
    fn all_candidates(&self, event: Event) -> Candidates {
        let ids = self.by_event.get(event as usize).cloned().unwrap_or_default();
        let count = u32::try_from(ids.len()).unwrap_or(u32::MAX);
        Candidates {
            ids,
            stats: LookupStats { rules: count, candidates: count, always: count, ..LookupStats::default() },
        }
    }
}

impl Rules for RuleSet {
    type Error = Infallible;

    fn candidates(&self, event: Event, call: &dyn IndexedCall) -> Result<Candidates, Infallible> {
        if self.by_event.get(event as usize).is_none_or(Vec::is_empty) {
            return Ok(Candidates::default());
        }
        let indexed = self.indexed(event);
        let found = indexed.and_then(|indexed| indexed.index.as_ref()?.candidates(&indexed.bytes, call).ok());
        // Without a readable index, every rule is a candidate.
        Ok(found.unwrap_or_else(|| self.all_candidates(event)))
    }

    fn rule(&self, id: u32) -> Result<Option<&Rule>, Infallible> {
        Ok(self.rule_at(id))
    }

    fn check_intact(&self) -> Result<(), Infallible> {
        Ok(())
    }
}
