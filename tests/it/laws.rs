//! The ten laws of the language (section 2), each clause of each.

mod decide;
mod index;
mod negate;
mod order;
mod properties;
mod rewrite;
mod truth;
