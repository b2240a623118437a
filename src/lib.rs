//! Policies for the hooks of coding agents.
//!
//! Text becomes a syntax tree, a tree a rule set; bytes become a payload, a payload a context; rule set and
//! context give a verdict; a verdict becomes effects and host output. ARCHITECTURE.md draws the picture.
//!
//! A program that embeds the engine needs four names of it:
//!
//! ```
//! use hookrules::facts::StatedFacts;
//! use hookrules::verdict::Decision;
//! use hookrules::{Engine, event};
//!
//! let engine = Engine::parse("guard.rules", r#"
//! rule no-force-push {
//!   on PreToolUse
//!   when runs "git push (--force|-f)"
//!   deny "Push without --force."
//! }
//! "#)?;
//! let call = br#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "cd x && git  push -f"}}"#;
//! let judged = engine.judge(&event(call)?, &StatedFacts::default());
//! assert_eq!(judged.verdict.decision(), Decision::Deny);
//! assert_eq!(judged.verdict.message(), "Push without --force.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use engine::{Engine, NoEvent, Rejected, event};

pub mod action;
pub mod budget;
pub mod cache;
pub mod cli;
pub mod compile;
pub mod config;
pub mod context;
pub mod diagnostic;
pub mod engine;
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
