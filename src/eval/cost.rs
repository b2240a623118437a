//! What judging an event took: counts, not times.

use super::{Call, Judged};
use crate::context::Context;
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
    /// A shell command was analysed.
    pub shell: bool,
}

impl Cost {
    pub(super) fn add(&mut self, judged: &Judged) {
        self.rules = self.rules.saturating_add(1);
        self.steps = self.steps.saturating_add(judged.steps);
    }

    /// Adds what a call had to be looked at for, once it is judged.
    pub(super) fn close(&mut self, call: &Call<'_>) {
        let mut views = std::iter::once(&call.now).chain(&call.first);
        self.shell |= views.any(|views| views.each().any(Context::has_analysed_shell));
    }
}
