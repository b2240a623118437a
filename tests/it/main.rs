//! The one integration test binary: a module per surface.
//!
//! `layering`, `style`, `book` and `generated` read the repository itself, so that what the documents promise stays true.
#![expect(clippy::disallowed_methods, reason = "the tests read the repository from disk")]

#[cfg(test)]
mod book;
#[cfg(test)]
mod cli;
#[cfg(test)]
mod docs;
#[cfg(test)]
mod generated;
#[cfg(test)]
mod hook;
#[cfg(test)]
mod layering;
#[cfg(test)]
mod machine;
#[cfg(test)]
mod mistakes;
#[cfg(test)]
mod robust;
#[cfg(test)]
mod source;
#[cfg(test)]
mod style;
