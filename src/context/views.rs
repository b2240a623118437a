//! The contexts of one event, as the rules of each layer see it.

use super::Context;
use crate::config::LayerKind;

/// The contexts of one event, as the rules of each layer see it. They differ only if a layer declares which member of
/// the tool's input is a command: the declaration applies to that layer and to the layers below it.
pub struct Views<'c> {
    /// The context of the lowest layer, and of every layer that is not in `apart`.
    whole: &'c Context<'c>,
    /// The contexts of the layers that see the event differently.
    apart: Vec<(LayerKind, Context<'c>)>,
}

impl<'c> Views<'c> {
    /// Makes the contexts of all layers from that of the lowest one. They share its budget.
    #[must_use]
    pub fn new(whole: &'c Context<'c>) -> Self {
        let apart = whole
            .call
            .tool_name
            .map(|tool| whole.call.shell_tools.layers_reading_differently(tool))
            .unwrap_or_default();
        Self { whole, apart: apart.into_iter().map(|layer| (layer, whole.for_layer(layer))).collect() }
    }

    /// Returns the context of the lowest layer.
    #[must_use]
    pub fn lowest_layer(&self) -> &'c Context<'c> {
        self.whole
    }

    /// Returns the context of a layer.
    #[must_use]
    pub fn for_layer(&self, layer: LayerKind) -> &Context<'c> {
        self.apart.iter().find(|(kind, _)| *kind == layer).map_or(self.whole, |(_, context)| context)
    }

    /// Returns each distinct context once, that of the lowest layer first.
    pub fn distinct(&self) -> impl Iterator<Item = &Context<'c>> {
        std::iter::once(self.whole).chain(self.apart.iter().map(|(_, context)| context))
    }
}
