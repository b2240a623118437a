//! The one integration test binary: a module per surface.
//!
//! `layering`, `style`, `book` and `generated` read the repository itself, so that what the documents promise stays true.
#![expect(clippy::disallowed_methods, reason = "the tests read the repository from disk")]

#[cfg(test)]
mod book;
#[cfg(test)]
mod generated;
#[cfg(test)]
mod kit;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod layering;
#[cfg(test)]
mod semantics;
#[cfg(test)]
mod source;
#[cfg(test)]
mod style;
