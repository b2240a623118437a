//! The engine for programs that embed it: an [`Engine`] judges events by a policy, and a [`Hook`] also answers them.
//!
//! An engine performs nothing: the judgement lists the follow-up actions of an event (commands to run, records to
//! write), and the embedding program decides whether to carry them out. The crate's root re-exports this module;
//! nothing else in the crate uses it.

mod added_hosts;
mod event;
mod finding;
mod hook;
mod judgement;

pub use added_hosts::add_host_records;
pub use event::{EventError, HookEvent};
pub use finding::{Finding, Place, PolicyError};
pub use hook::{AnsweredEvent, CompletedEvent, Hook, HookAnswer, HookBuilder, JudgedEvent, PerformedEvent};
pub use judgement::{JudgedCondition, JudgedRule, Judgement, MatchOutcome, RuleDecision};

use std::path::{Path, PathBuf};

use crate::context::Context;
use crate::diagnostic::{Diagnostic, Levels};
use crate::eval::{TraceDetail, decide, evaluate};
use crate::facts::Facts;
use crate::host::Host;
use crate::lint;
use crate::policy::Policy;
use crate::project::{self, LoadedSources, MachinePlaces};

/// A policy that loads, ready to judge events.
///
/// It is compiled once. Judging needs no exclusive access, so one engine serves all threads.
///
/// ```
/// use hookrules::{Decision, Engine, HookEvent, StatedFacts};
/// use serde_json::json;
///
/// let engine = Engine::parse("guard.rules", r#"
/// rule secrets-stay-secret {
///   on PreToolUse(Read)
///   when path like [".env", "**/*.pem"]
///   deny "`{match}` holds secrets."
/// }
/// "#)?;
/// let facts = StatedFacts::default().with_project("/work");
/// let event = HookEvent::tool_call("Read", json!({ "file_path": "/work/keys/a.pem" }))?;
/// let judgement = engine.judge(&event, &facts);
/// assert_eq!(judgement.decision(), Decision::Deny);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Engine {
    policy: Policy,
}

impl Engine {
    /// Compiles the text of one policy file. The text may use the packs of the library (`use "std/git"`) and no other
    /// files.
    ///
    /// Findings refer to the text by `name`, as if it were the name of a file.
    ///
    /// # Errors
    /// The policy does not load.
    pub fn parse(name: &str, text: &str) -> Result<Self, PolicyError> {
        Self::from_sources(project::load_text(name, text))
    }

    /// Reads and compiles policies, files or directories, like `rules check PATH…`.
    ///
    /// # Errors
    /// One of them does not load, or there is none.
    pub fn load<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Self, PolicyError> {
        let paths: Vec<PathBuf> = paths.into_iter().map(|path| path.as_ref().to_path_buf()).collect();
        Self::from_sources(project::load_paths(&paths))
    }

    /// Finds, reads and compiles the policy that applies to hooks in a project directory: the administrator's, the
    /// account's, the project's and the local one.
    ///
    /// # Errors
    /// One of them does not load, or there is none. A hook would replace a policy that does not load by the failure
    /// policy and continue; an embedding program decides what to do.
    pub fn discover(project: impl Into<PathBuf>) -> Result<Self, PolicyError> {
        Self::from_sources(project::load(&MachinePlaces::on_this_machine(Some(project.into()))))
    }

    /// Compiles the sources. An error of any layer is an error, and so is the absence of a policy.
    fn from_sources(LoadedSources { sources, layers, .. }: LoadedSources) -> Result<Self, PolicyError> {
        let policy = Policy::new(sources, &layers);
        let errors: Vec<Diagnostic> = policy.errors().cloned().collect();
        if errors.is_empty() && policy.is_found() {
            return Ok(Self { policy });
        }
        Err(PolicyError::new(&errors, &policy.sources))
    }

    /// Judges an event: returns the decision, its reasons, and the follow-up actions.
    ///
    /// `facts` answers the conditions about anything besides the event, such as git's branch:
    /// [`StatedFacts`](crate::StatedFacts), [`MachineFacts`](crate::MachineFacts), which reads this machine, or an
    /// implementation of your own.
    ///
    /// Only the policy is applied. `rules hook` adds questions and denials of its own, such as for an edit that would
    /// break the policy; use a [`Hook`](crate::hook::Hook) to get these as well.
    #[must_use]
    pub fn judge(&self, event: &HookEvent, facts: &dyn Facts) -> Judgement {
        let Ok(evaluation) = decide(&self.policy.rules, &self.context(event, facts), TraceDetail::Outcomes);
        Judgement::new(evaluation, None)
    }

    /// Judges an event like [`judge`](Self::judge), and also returns the outcome of every rule that the event selects
    /// and of every part of its condition. This takes longer.
    #[must_use]
    pub fn explain(&self, event: &HookEvent, facts: &dyn Facts) -> Judgement {
        let evaluation = evaluate(&self.policy.rules, &self.context(event, facts), TraceDetail::Conditions);
        Judgement::new(evaluation, Some(&self.policy.sources))
    }

    /// Creates the context in which an event is judged.
    fn context<'e>(&'e self, event: &'e HookEvent, facts: &'e dyn Facts) -> Context<'e> {
        Context::new(event.raw_payload(), event.host().name(), facts, &self.policy.settings.shell_tools)
    }

    /// Returns the names of the rules, in evaluation order.
    pub fn rules(&self) -> impl Iterator<Item = &str> {
        self.policy.rules.rules().iter().map(|rule| rule.display_name.as_str())
    }

    /// Returns the findings about probable mistakes in a policy that loads, as `rules check` reports them for Claude
    /// Code.
    #[must_use]
    pub fn warnings(&self) -> Vec<Finding> {
        let found = lint::check_policy(&self.policy, &[Host::CLAUDE_CODE], &Levels::default());
        found.iter().map(|diagnostic| Finding::new(diagnostic, &self.policy.sources)).collect()
    }
}

#[cfg(test)]
mod tests;
