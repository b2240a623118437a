//! A policy engine for the hooks of coding agents, to embed in a program.
//!
//! An [`Engine`] is a policy that loads. It judges events (a tool is about to be called, a session starts) with facts
//! that the program gives, or that are looked up on this machine:
//!
//! ```
//! use hookrules::{Decision, Engine, HookEvent, StatedFacts};
//!
//! let engine = Engine::parse("guard.rules", r#"
//! rule no-force-push {
//!   on PreToolUse
//!   when runs "git push (--force|-f)"
//!   deny "Push without --force."
//! }
//! "#)?;
//! let call = br#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "cd x && git  push -f"}}"#;
//! let judgement = engine.judge(&HookEvent::from_json(call)?, &StatedFacts::default());
//! assert_eq!(judgement.decision(), Decision::Deny);
//! assert_eq!(judgement.message(), "Push without --force.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - **A policy**: [`Engine::parse`] takes a text, [`Engine::load`] files and directories, [`Engine::discover`] what a
//!   hook would find. One that does not load is a [`PolicyError`], which displays as `rules check` does.
//! - **An event**: [`HookEvent::from_json`] reads what a host sends, [`HookEvent::tool_call`] states a call.
//! - **Facts**: [`StatedFacts`] for tests and replays, [`MachineFacts`] for calls on this machine, [`Facts`] for a
//!   source of your own.
//! - **The result**: a [`Judgement`] has the decision and its [reasons](Judgement::reasons), the
//!   [rules](Judgement::rules) that match or cannot be judged, and the [effects](Judgement::effects) that are to
//!   follow; it serializes to JSON. [`Engine::explain`] also says which part of which condition held.
//!
//! A [`hook::Hook`] also answers the host that sent the event, as `rules hook` does.
//!
//! A condition that cannot be known is neither true nor false ([`MatchOutcome::Unknown`]): then a rule that could
//! deny asks the user, and one that could allow does not. Judging performs no effects, and a test that would take too
//! much work counts as unknown.
//!
//! The language of policies is described in the project's book, the program `rules` by `rules --help`.
//!
//! # Features
//!
//! The feature `cli`, which is on by default, is the program `rules`. A program that embeds the engine needs none of
//! it, nor the dozen crates that only its commands use:
//!
//! ```toml
//! hookrules = { version = "0.1", default-features = false }
//! ```
//!
//! The feature `internals` makes every module public for the project's own tests, benches and fuzz targets; it is
//! exempt from semantic versioning.

#![cfg_attr(not(feature = "internals"), allow(unreachable_pub, reason = "what `internals` makes public is `pub`"))]
#![cfg_attr(
    not(feature = "cli"),
    allow(dead_code, unused_imports, reason = "the commands use what the engine does not")
)]
// Callers can name every type in the API: no type of a private module is exposed.
#![cfg_attr(not(feature = "internals"), deny(unnameable_types))]
#![cfg_attr(not(test), deny(clippy::too_many_lines))]

pub use crate::diagnostic::Severity;
pub use engine::{
    Engine, EventError, Finding, HookEvent, JudgedCondition, JudgedRule, Judgement, MatchOutcome, Place, PolicyError,
    RuleDecision,
};
pub use eval::PlannedEffect;
pub use facts::{DirectoryEntry, Fact, Facts, FactsError, GitState, MachineFacts, SessionPast, StatedFacts};
pub use schema::Event;
pub use time::{TimeOfDay, Weekday};
pub use verdict::{Command, Decision, OnFail, OutputKind, Run, RunOptions, Stdin};

/// A whole hook in a program: from the bytes of a host to its answer.
///
/// An event passes through stages, each of which is a type made from the one before:
/// [`JudgedEvent`](hook::JudgedEvent) by the rules, [`CompletedEvent`](hook::CompletedEvent) by the guard and the
/// failure policy, [`PerformedEvent`](hook::PerformedEvent) with the commands of the policy, and
/// [`AnsweredEvent`](hook::AnsweredEvent).
///
/// ```
/// use hookrules::hook::Hook;
///
/// # let directory = std::env::temp_dir().join(format!("hookrules-{}", std::process::id()));
/// # let nowhere = directory.join("nowhere");
/// # let project = directory.join("project");
/// # std::fs::create_dir_all(project.join(".rules"))?;
/// # let text = "rule no-rm {\n  on PreToolUse(Bash)\n  when runs \"rm\"\n  deny \"No.\"\n}\n";
/// # std::fs::write(project.join(".rules/project.rules"), text)?;
/// let hook = Hook::of_project(&project).trusting_project();
/// # let hook = hook.managed_dir(&nowhere).config_dir(&nowhere).state_dir(&nowhere);
/// let hook = hook.load();
/// let payload = br#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm a"}}"#;
/// let answer = match hook.decode(payload) {
///     Ok(event) => {
///         let facts = hook.facts();
///         let completed = hook.judge(&event, &facts).complete();
///         assert!(completed.effects().is_empty());
///         completed.perform().encode().answer().clone()
///     }
///     Err(answer) => answer,
/// };
/// assert!(answer.stdout.contains("\"permissionDecision\":\"deny\""));
/// # std::fs::remove_dir_all(&directory)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub mod hook {
    pub use crate::engine::{
        AnsweredEvent, CompletedEvent, Hook, HookAnswer, HookBuilder, JudgedEvent, PerformedEvent, add_host_records,
    };
}

/// Payloads of Claude Code's events, with a type for each event: what [`HookEvent::typed`] reads.
///
/// A payload has the members that the host always sends, and as an `Option` those that it may omit. The chapter
/// *Events* of the book documents each of them.
///
/// ```
/// use hookrules::HookEvent;
/// use hookrules::payloads::HookPayload;
/// use serde_json::json;
///
/// let event = HookEvent::from_value(&json!({
///     "session_id": "s", "transcript_path": "/t.jsonl", "cwd": "/work", "hook_event_name": "SessionEnd", "reason": "exit",
/// }))?;
/// let HookPayload::SessionEnd(payload) = event.typed()? else { panic!("another event") };
/// assert_eq!(payload.reason, "exit");
/// # Ok::<(), hookrules::EventError>(())
/// ```
pub mod payloads {
    pub use crate::types::{
        BackgroundTask, BasePayload, ConfigChangePayload, CwdChangedPayload, DirectoryAddedPayload, ElicitationPayload,
        ElicitationResultPayload, FileChangedPayload, HookPayload, InstructionsLoadedPayload, McpServer,
        MessageDisplayPayload, NotificationPayload, PermissionDeniedPayload, PermissionRequestPayload, PermissionRule,
        PermissionSuggestion, PostCompactPayload, PostModelSwitchPayload, PostToolBatchPayload,
        PostToolUseFailurePayload, PostToolUsePayload, PreCompactPayload, PreModelSwitchPayload,
        PreSkillShellCommandPayload, PreToolUsePayload, SessionCron, SessionEndPayload, SessionStartPayload,
        SetupPayload, StopFailurePayload, StopPayload, SubagentStartPayload, SubagentStopPayload, TaskCompletedPayload,
        TaskCreatedPayload, TeammateIdlePayload, ToolCall, UserPromptExpansionPayload, UserPromptSubmitPayload,
        WorktreeCreatePayload, WorktreeRemovePayload, validate_base_payload, validate_subagent_start_payload,
    };
}

cfg_if::cfg_if! {
    if #[cfg(feature = "internals")] {
        pub mod action;
        pub mod added_hosts;
        pub mod budget;
        pub mod cache;
        #[cfg(feature = "cli")]
        pub mod cli;
        pub mod compile;
        pub mod config;
        pub mod context;
        pub mod decision_log;
        pub mod diagnostic;
        pub mod domain;
        pub mod embedded;
        pub mod engine;
        pub mod escape;
        pub mod eval;
        #[cfg(feature = "cli")]
        pub mod examples;
        pub mod excerpt;
        pub mod facts;
        pub mod files;
        pub mod fingerprint;
        pub mod history;
        pub mod hooks;
        pub mod host;
        pub mod host_settings;
        pub mod image;
        #[cfg(feature = "cli")]
        pub mod import;
        #[cfg(feature = "cli")]
        pub mod init;
        pub mod journal;
        pub mod layer;
        pub mod limits;
        pub mod lint;
        #[cfg(feature = "cli")]
        pub mod mutants;
        pub mod names;
        pub mod packs;
        pub mod parallel;
        pub mod phrases;
        pub mod place;
        pub mod platform;
        pub mod policy;
        pub mod project;
        #[cfg(feature = "cli")]
        pub mod proposals;
        pub mod record_place;
        pub mod ruleset;
        pub mod schema;
        pub mod shell_text;
        pub mod span;
        pub mod syntax;
        pub mod time;
        pub mod tool_records;
        pub mod trust;
        pub mod types;
        pub mod verdict;
        pub mod wire;
        pub mod wrap;
    } else {
        mod action;
        mod added_hosts;
        mod budget;
        mod cache;
        #[cfg(feature = "cli")]
        mod cli;
        mod compile;
        mod config;
        mod context;
        mod decision_log;
        mod diagnostic;
        mod domain;
        mod embedded;
        mod engine;
        mod escape;
        mod eval;
        #[cfg(feature = "cli")]
        mod examples;
        mod excerpt;
        mod facts;
        mod files;
        mod fingerprint;
        mod history;
        mod hooks;
        mod host;
        mod host_settings;
        mod image;
        #[cfg(feature = "cli")]
        mod import;
        #[cfg(feature = "cli")]
        mod init;
        mod journal;
        mod layer;
        mod limits;
        mod lint;
        #[cfg(feature = "cli")]
        mod mutants;
        mod names;
        mod packs;
        mod parallel;
        mod phrases;
        mod place;
        mod platform;
        mod policy;
        mod project;
        #[cfg(feature = "cli")]
        mod proposals;
        mod record_place;
        mod ruleset;
        mod schema;
        mod shell_text;
        mod span;
        mod syntax;
        mod time;
        mod tool_records;
        mod trust;
        mod types;
        mod verdict;
        mod wire;
        mod wrap;
    }
}

/// Runs the program `rules` and returns its exit code.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub fn run(args: impl IntoIterator<Item = std::ffi::OsString>) -> std::process::ExitCode {
    cli::run(args)
}
