//! The ten laws of the language (section 2), each clause of each.

mod decide;
pub(crate) mod generate;
pub(crate) mod hold;
mod index;
mod layers;
mod negate;
mod order;
mod properties;
mod rewrite;
mod truth;
