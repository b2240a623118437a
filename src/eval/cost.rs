//! The cost of judging an event, as counts of work, not as times.

use super::{JudgedCall, RuleJudgement};
use crate::ruleset::index::LookupStats;
use crate::schema::Event;

/// The cost of judging an event.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct JudgingCost {
    /// The lookups in the indexes, each with its event. There are several if the call is judged again after a
    /// rewrite, or layers see it differently.
    pub lookups: Vec<(Event, LookupStats)>,
    /// The number of rules that were judged.
    pub rules: u32,
    /// The number of condition parts that were evaluated.
    pub steps: u32,
    /// Whether a shell command was analysed.
    pub shell: bool,
}

impl JudgingCost {
    /// Adds the cost of judging one rule.
    pub(super) fn add(&mut self, judged: &RuleJudgement) {
        self.rules = self.rules.saturating_add(1);
        self.steps = self.steps.saturating_add(judged.steps);
    }

    /// Records whether the shell command of a call was analysed, after the call has been judged.
    pub(super) fn note_analysis(&mut self, call: &JudgedCall<'_>) {
        let mut views = std::iter::once(&call.event_views).chain(&call.pre_tool_use_views);
        self.shell |= views.any(|views| views.distinct().any(|view| view.commands().has_analysed_shell()));
    }
}
