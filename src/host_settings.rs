//! The settings files of hosts: where they are, which hooks they register, what is wrong with them, and edits that
//! register or remove our hook without changing any other byte.
//!
//! This module reads files and computes edited texts. Writing them is left to the subcommands of `rules`.

mod agents;
mod claude_code;
mod document;
mod installation;
mod other_agents;
mod review;
mod settings_schema;
mod version;

pub use agents::{
    AgentDirectories, AgentEdits, AgentFileEdit, AgentHook, AgentPlace, AgentRegistration, AgentSettings, agent_events,
};
pub use claude_code::{
    Handler, RegisteredHook, SettingsFile, SettingsPlaces, SettingsScope, StartForm, UnreadableSettings,
    shared_local_settings,
};
use document::NodePath;
pub use document::{JsonDialect, JsonDocument, JsonMistake, JsonNode, NodeValue};
pub use installation::{
    AUDIT, EventRegistrations, OnFailure, PASSED, RegistrationChanges, WantedRegistration, audit, events_to_register,
    install, installed_id, installed_options, is_installed, is_newer, policy_events, uninstall,
};
pub use other_agents::other_agents;
pub use review::{RegistrationFinding, RegistrationProblem, RegistrationReview};
#[cfg(any(test, feature = "internals"))]
pub use settings_schema::{GOOD, ROWS, Row};
pub use settings_schema::{IgnoredPart, Violation, violations};
pub use version::{BLOCKS_FAILURES, HAS_NEWER_EVENTS};
