//! The cost of judging an event: counts, not times.

use super::{Call, Judged};
use crate::ruleset::index::Looked;
use crate::schema::Event;

/// The cost of judging an event.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// The index lookups per event, for each time that the call was judged.
    pub looked: Vec<(Event, Looked)>,
    /// The number of rules that were judged.
    pub rules: u32,
    /// The number of condition parts that were evaluated.
    pub steps: u32,
    /// Whether a shell command was analysed.
    pub shell: bool,
}

impl Cost {
    pub(super) fn add(&mut self, judged: &Judged) {
        self.rules = self.rules.saturating_add(1);
        self.steps = self.steps.saturating_add(judged.steps);
    }

    /// Notes whether a call's command was analysed, once the call is judged.
    pub(super) fn close(&mut self, call: &Call<'_>) {
        let mut views = std::iter::once(&call.now).chain(&call.first);
        self.shell |= views.any(|views| views.each().any(|view| view.commands().has_analysed_shell()));
    }
}
