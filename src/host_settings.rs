//! The settings files of hosts: which ones exist, the hooks in them, and edits of them.
//!
//! It reads texts and plans edits; the installing commands write them.

mod claude_code;
mod document;
mod installation;
mod other_agents;
mod review;
mod settings_schema;
mod version;

pub use claude_code::{Form, Handler, Registered, Scope, Settings, SettingsPlaces, Unreadable};
use document::Way;
pub use document::{Document, Mistake, Node};
pub use installation::{
    AUDIT, Changes, Events, NEWER, OnFailure, PASSED, Wanted, audit, events_for, events_of, install, installed_id,
    installed_options, is_installed, uninstall,
};
pub use other_agents::other_agents;
pub use review::{Finding, Problem, Review};
#[cfg(any(test, feature = "internals"))]
pub use settings_schema::{GOOD, ROWS, Row};
pub use settings_schema::{Ignored, Violation, violations};
pub use version::{BLOCKS_FAILURES, HAS_NEWER_EVENTS};
