//! The contexts in which the rules of each layer see one event.

use super::Context;
use crate::config::LayerKind;

/// The contexts in which the rules of each layer see one event. They differ only if a layer declares which member of
/// the tool's input is a command, or has records of the tool: both apply to that layer and the layers below it.
pub struct Views<'c> {
    /// The context of the lowest layer, and of every layer that is not in `different`.
    lowest: &'c Context<'c>,
    /// The contexts of the layers that see the event differently.
    different: Vec<(LayerKind, Context<'c>)>,
}

impl<'c> Views<'c> {
    /// Makes the contexts of all layers from that of the lowest one. They share its budget.
    #[must_use]
    pub fn new(lowest: &'c Context<'c>) -> Self {
        let different = lowest
            .call
            .tool_name
            .map(|tool| lowest.call.shell_tools.layers_reading_differently(tool))
            .unwrap_or_default();
        Self { lowest, different: different.into_iter().map(|layer| (layer, lowest.for_layer(layer))).collect() }
    }

    /// Returns the context in which the rules of the lowest layer see the event.
    #[must_use]
    pub fn lowest_layer(&self) -> &'c Context<'c> {
        self.lowest
    }

    /// Returns the context in which the rules of this layer see the event.
    #[must_use]
    pub fn for_layer(&self, layer: LayerKind) -> &Context<'c> {
        self.different.iter().find(|(kind, _)| *kind == layer).map_or(self.lowest, |(_, context)| context)
    }

    /// Returns each distinct context once, that of the lowest layer first.
    pub fn distinct(&self) -> impl Iterator<Item = &Context<'c>> {
        std::iter::once(self.lowest).chain(self.different.iter().map(|(_, context)| context))
    }
}
