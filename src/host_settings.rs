//! The settings files of hosts: which ones exist, which hooks they register, their mistakes, and edits that change
//! nothing else.
//!
//! The module reads files and computes edited texts; the commands of the command line write them.

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
pub use document::{JsonDocument, JsonMistake, JsonNode, NodeValue};
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
