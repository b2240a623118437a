//! The cost of judging an event: counts, not times.

use super::{JudgedCall, RuleJudgement};
use crate::ruleset::index::LookupStats;
use crate::schema::Event;

/// The cost of judging an event.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct JudgingCost {
    /// The index lookups per event, for each time that the call was judged.
    pub lookups: Vec<(Event, LookupStats)>,
    /// The number of rules that were judged.
    pub rules: u32,
    /// The number of condition parts that were evaluated.
    pub steps: u32,
    /// Whether a shell command was analysed.
    pub shell: bool,
}

impl JudgingCost {
    pub(super) fn add(&mut self, judged: &RuleJudgement) {
        self.rules = self.rules.saturating_add(1);
        self.steps = self.steps.saturating_add(judged.steps);
    }

    /// Notes whether a call's command was analysed, once the call is judged.
    pub(super) fn note_analysis(&mut self, call: &JudgedCall<'_>) {
        let mut views = std::iter::once(&call.event_views).chain(&call.pre_tool_use_views);
        self.shell |= views.any(|views| views.distinct().any(|view| view.commands().has_analysed_shell()));
    }
}
