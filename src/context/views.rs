//! One event as the rules of each layer see it.

use super::Context;
use crate::config::LayerKind;

/// One event as the rules of each layer see it: alike, but where a layer says of the call's tool which member of its
/// input is a command, which holds from that layer down.
pub struct Views<'c> {
    /// What the lowest layer sees, and every other one that is not in the list.
    whole: &'c Context<'c>,
    apart: Vec<(LayerKind, Context<'c>)>,
}

impl<'c> Views<'c> {
    /// Makes the views of what the lowest layer sees. Their work goes to the same account.
    #[must_use]
    pub fn of(whole: &'c Context<'c>) -> Self {
        let apart = whole.tool_name.map(|tool| whole.shell_tools.reading_apart(tool)).unwrap_or_default();
        let seen = |layer| {
            let context = whole.with_payload(whole.payload).seen_by(layer);
            (layer, Context { asked_again: whole.asked_again, ..context })
        };
        Self { whole, apart: apart.into_iter().map(seen).collect() }
    }

    /// Returns what the rules of the lowest layer see.
    #[must_use]
    pub fn whole(&self) -> &'c Context<'c> {
        self.whole
    }

    /// Returns what the rules of a layer see.
    #[must_use]
    pub fn seen_by(&self, layer: LayerKind) -> &Context<'c> {
        self.apart.iter().find(|(kind, _)| *kind == layer).map_or(self.whole, |(_, context)| context)
    }

    /// Returns each view once, that of the lowest layer first.
    pub fn each(&self) -> impl Iterator<Item = &Context<'c>> {
        std::iter::once(self.whole).chain(self.apart.iter().map(|(_, context)| context))
    }
}
