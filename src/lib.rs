//! Policies for the hooks of coding agents.
//!
//! Text becomes a syntax tree, a tree a rule set; bytes become a payload, a payload a context; rule set and
//! context give a verdict; a verdict becomes effects and host output. ARCHITECTURE.md draws the picture.

pub mod action;
pub mod diagnostic;
pub mod schema;
pub mod shell_text;
pub mod span;
pub mod syntax;
pub mod types;
pub mod verdict;
