//! The engine for a program that embeds it: load a policy, read an event, judge it.
//!
//! It performs nothing: what a verdict asks for (commands to run, records to write) is in the verdict, for the program
//! to carry out or not.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

use crate::context::Context;
use crate::diagnostic::{Diagnostic, Format, render_all};
use crate::eval::{Detail, Evaluation, evaluate};
use crate::facts::Facts;
use crate::host::{self, Decoded, Host};
use crate::policy::Policy;
use crate::project::{self, Loaded};
use crate::types::Payload;

/// A policy that loads, ready to judge events. It is compiled once; judging needs no exclusive access.
#[derive(Clone, Debug)]
pub struct Engine {
    policy: Policy,
}

/// Why there is no engine: the policy does not load, or there is none.
#[derive(Clone, Debug)]
pub struct Rejected {
    /// Its errors; none where there is no policy at all.
    pub diagnostics: Vec<Diagnostic>,
    shown: String,
}

/// Why a text is no event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoEvent {
    /// The schema has no event of this name.
    Unknown(String),
    /// It cannot be read, or not as a whole: what is wrong.
    Unreadable(String),
}

impl Engine {
    /// Compiles the text of one policy file. It may use the packs of the library (`use "std/git"`) and no other files.
    ///
    /// `name` is what findings call the text.
    ///
    /// # Errors
    /// The policy does not load.
    pub fn parse(name: &str, text: &str) -> Result<Self, Rejected> {
        Self::of(project::load_text(name, text))
    }

    /// Reads and compiles policies: files, and directories of them, as `rules check PATH…` does.
    ///
    /// # Errors
    /// One of them does not load, or there is none.
    pub fn load(paths: &[PathBuf]) -> Result<Self, Rejected> {
        Self::of(project::load_paths(paths))
    }

    fn of(Loaded { sources, layers, .. }: Loaded) -> Result<Self, Rejected> {
        let policy = Policy::new(sources, &layers);
        let errors: Vec<Diagnostic> = policy.errors().cloned().collect();
        if !errors.is_empty() {
            let shown = render_all(&errors, &policy.sources, Format::Short);
            return Err(Rejected { diagnostics: errors, shown });
        }
        if !policy.is_found() {
            return Err(Rejected { diagnostics: Vec::new(), shown: "there is no policy\n".to_owned() });
        }
        Ok(Self { policy })
    }

    /// Returns the policy: its rules, layers, settings, and what its findings point into.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Judges an event: what is decided and why, and what would follow.
    ///
    /// Facts are what conditions may know beside the event: [`StatedFacts`](crate::facts::StatedFacts), or
    /// [`MachineFacts`](crate::facts::MachineFacts), which looks at this machine.
    #[must_use]
    pub fn judge(&self, event: &Payload, facts: &dyn Facts) -> Evaluation {
        let context = Context::new(event, Host::ClaudeCode.name(), facts, &self.policy.settings.shell_tools);
        evaluate(&self.policy.rules, &context, Detail::Outcomes)
    }
}

/// Reads an event: a JSON object as Claude Code gives it to its hooks, with `hook_event_name`.
///
/// # Errors
/// It is no such event, or a part of it cannot be read. A hook judges what is left of a damaged payload; a program that
/// made the payload itself would rather know.
pub fn event(json: &[u8]) -> Result<Payload, NoEvent> {
    match host::decode(Host::ClaudeCode, json) {
        Decoded::Event { payload, damage: None } => Ok(payload),
        Decoded::Event { damage: Some(damage), .. } => Err(NoEvent::Unreadable(damage)),
        Decoded::UnknownEvent(name) => Err(NoEvent::Unknown(name)),
        Decoded::Unreadable(reason) => Err(NoEvent::Unreadable(reason)),
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.shown.trim_end())
    }
}

impl Error for Rejected {}

impl fmt::Display for NoEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "no event is named `{name}`"),
            Self::Unreadable(reason) => f.write_str(reason),
        }
    }
}

impl Error for NoEvent {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::StatedFacts;
    use crate::verdict::Decision;

    const CALL: &[u8] =
        br#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git push -f"}}"#;

    fn judged(text: &str) -> Result<Decision, Rejected> {
        let engine = Engine::parse("a.rules", text)?;
        Ok(engine.judge(&event(CALL).unwrap(), &StatedFacts::default()).verdict.decision())
    }

    #[test]
    fn a_text_is_a_policy_and_may_use_packs() {
        let guard = "rule a {\n  on PreToolUse\n  when runs \"git push -f\"\n  deny \"No.\"\n}\n";
        assert_eq!(judged(guard).unwrap(), Decision::Deny);
        assert_ne!(judged("use \"std/git\"\n").unwrap(), Decision::Pass);
    }

    #[test]
    fn what_does_not_load_says_where_and_why() {
        let said = |text: &str| judged(text).unwrap_err().to_string();
        assert!(said("rule a {\n  on PreToolUse\n}\n").starts_with("a.rules:1:"), "{}", said("rule a {}"));
        assert!(said("use \"./b.rules\"\n").contains("R0"), "{}", said("use \"./b.rules\"\n"));
        assert!(said("use \"std/gti\"\n").contains("std/git"));
        assert_eq!(said(""), "there is no policy");
    }

    #[test]
    fn an_engine_is_shared_by_threads() {
        fn is_shared<T: Send + Sync>() {}
        is_shared::<Engine>();
    }

    #[test]
    fn what_is_no_event_is_told() {
        assert_eq!(event(b"{\"hook_event_name\":\"Nothing\"}").unwrap_err().to_string(), "no event is named `Nothing`");
        assert!(matches!(event(b"{"), Err(NoEvent::Unreadable(_))));
        assert!(matches!(event(br#"{"hook_event_name":"Stop","x":"#), Err(NoEvent::Unreadable(_))));
    }
}
