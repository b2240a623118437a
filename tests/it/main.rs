//! The only integration test binary: a module per surface.
//!
//! `layering`, `style`, `book` and `generated` read the repository itself, so that the documents stay true.
#![cfg(test)]
#![expect(clippy::disallowed_methods, reason = "the tests read the repository from disk")]

mod added_hosts;
mod approvals;
mod book;
mod cascades;
mod check;
mod cli;
mod clock;
mod codes;
mod corpus;
mod decisions;
mod docs;
mod editors;
mod embed;
mod explain;
mod faults;
mod fmt;
mod generated;
#[cfg(unix)]
mod git_places;
mod helps;
mod hook;
mod hostile;
mod import;
mod init;
mod install;
mod install_agents;
mod kit;
mod laws;
mod layering;
mod limits;
mod link_order;
mod looks;
mod machine;
mod marks;
mod mistakes;
mod monorepo;
mod mutate;
mod needs;
mod nested;
mod nested_calls;
mod opened;
mod packaging;
mod packs;
mod picture;
mod platform;
mod public;
mod reasoning;
mod recursion;
mod robust;
mod semantics;
mod source;
mod specifications;
mod style;
mod system;
mod trust;
mod words;
