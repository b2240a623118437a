//! An event as the rules of each layer see it.

use super::Context;
use crate::config::LayerKind;

/// An event as the rules of each layer see it. Views differ only if a layer declares which member of the tool's input
/// is a command: the declaration applies to that layer and those below.
pub struct Views<'c> {
    /// The view of the lowest layer, and of every layer that is not listed.
    whole: &'c Context<'c>,
    apart: Vec<(LayerKind, Context<'c>)>,
}

impl<'c> Views<'c> {
    /// Creates the views from that of the lowest layer. They share its budget.
    #[must_use]
    pub fn new(whole: &'c Context<'c>) -> Self {
        let apart = whole
            .call
            .tool_name
            .map(|tool| whole.call.shell_tools.layers_reading_differently(tool))
            .unwrap_or_default();
        Self { whole, apart: apart.into_iter().map(|layer| (layer, whole.for_layer(layer))).collect() }
    }

    /// Returns the view of the lowest layer.
    #[must_use]
    pub fn lowest_layer(&self) -> &'c Context<'c> {
        self.whole
    }

    /// Returns the view of a layer.
    #[must_use]
    pub fn for_layer(&self, layer: LayerKind) -> &Context<'c> {
        self.apart.iter().find(|(kind, _)| *kind == layer).map_or(self.whole, |(_, context)| context)
    }

    /// Returns each view once, beginning with that of the lowest layer.
    pub fn distinct(&self) -> impl Iterator<Item = &Context<'c>> {
        std::iter::once(self.whole).chain(self.apart.iter().map(|(_, context)| context))
    }
}
