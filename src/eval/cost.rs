//! What the judgement of an event took: counts, and no clock.

use super::Judged;
use crate::ruleset::index::Looked;
use crate::schema::Event;

/// What the judgement of an event took.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// What was looked at in the index of each event, for each time that the call was judged.
    pub looked: Vec<(Event, Looked)>,
    /// How many rules were judged.
    pub rules: u32,
    /// How many parts of conditions were looked at.
    pub steps: u32,
}

impl Cost {
    pub(super) fn add(&mut self, judged: &Judged) {
        self.rules = self.rules.saturating_add(1);
        self.steps = self.steps.saturating_add(judged.steps);
    }
}
