//! Policies for the hooks of coding agents.
//!
//! Text becomes a syntax tree, a tree a rule set; bytes become a payload, a payload a context; rule set and
//! context give a verdict; a verdict becomes effects and host output. ARCHITECTURE.md draws the picture.

pub mod action;
pub mod budget;
pub mod cache;
pub mod cli;
pub mod command;
pub mod compile;
pub mod config;
pub mod context;
pub mod diagnostic;
pub mod eval;
pub mod examples;
pub mod excerpt;
pub mod facts;
pub mod files;
pub mod hooks;
pub mod host;
pub mod image;
pub mod import;
pub mod layer;
pub mod limits;
pub mod lint;
pub mod packs;
pub mod path;
pub mod policy;
pub mod project;
pub mod record_place;
pub mod ruleset;
pub mod schema;
pub mod shell_text;
pub mod span;
pub mod syntax;
pub mod types;
pub mod verdict;
pub mod visible;
pub mod wire;
