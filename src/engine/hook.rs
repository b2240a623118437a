//! A whole hook for programs that embed it: from the bytes of a host to the answer, in stages.

use std::fmt;
use std::path::PathBuf;

use crate::cache::CompiledPolicy;
use crate::eval::PlannedEffect;
use crate::facts::{Facts, MachineFacts};
use crate::hooks::{self, HookPolicy, Received, Registration};
use crate::host::{Host, HostOutput};
use crate::project::{MachinePlaces, TrustRequirement};
use crate::record_place::CACHE;
use crate::ruleset::RuleSet;
use crate::types::Payload;
use crate::verdict::{Decision, Verdict};

use super::judgement::reasons;
use super::{EventError, HookEvent, RuleDecision};

/// A hook with its policy, ready to answer the events of a host.
///
/// The policy is loaded once, and the hook answers any number of events, from all threads. If a layer does not load,
/// the failure policy (`on_error` in rules.toml) replaces that layer, as in `rules hook`.
#[derive(Debug)]
pub struct Hook {
    registration: Registration,
    places: MachinePlaces,
    compiled: CompiledPolicy,
}

/// The registration of a [`Hook`] that is not loaded yet: its host, its project and its directories, like the options
/// of `rules hook`.
#[derive(Clone, Debug)]
pub struct HookBuilder {
    registration: Registration,
}

/// The output that a host expects of a hook.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct HookAnswer {
    /// The text for standard output: empty, or one JSON object for a host that reads JSON.
    pub stdout: String,
    /// The text for standard error.
    pub stderr: String,
    /// The exit code of the process.
    pub exit: u8,
}

/// An event that the rules have judged: the first stage.
pub struct JudgedEvent<'h> {
    received: Received<'h>,
    hook: &'h Hook,
    judged: hooks::Judged<'h, RuleSet>,
}

/// A judged event with the votes and texts of the guard and of the failure policy: the second stage. No effect has
/// been performed.
#[derive(Debug)]
pub struct CompletedEvent<'h> {
    received: Received<'h>,
    hook: &'h Hook,
    completed: hooks::Completed,
}

/// A completed event whose commands have run, or were left to the embedding program: the third stage.
#[derive(Debug)]
pub struct PerformedEvent<'h> {
    received: Received<'h>,
    hook: &'h Hook,
    performed: hooks::Performed,
}

/// An event with its encoded answer: the last stage. Records and notifications are still to be written.
#[derive(Debug)]
pub struct AnsweredEvent<'h> {
    payload: &'h Payload,
    answer: HookAnswer,
    encoded: hooks::Encoded,
}

impl Hook {
    /// Creates the registration of a hook of Claude Code in a project directory, with the directories of this machine
    /// and account.
    ///
    /// The project's policy only denies and asks until the user has trusted it, as if the hook were registered in the
    /// user's own settings.
    #[must_use]
    pub fn of_project(project: impl Into<PathBuf>) -> HookBuilder {
        let places = MachinePlaces { trust: TrustRequirement::Required, ..MachinePlaces::on_this_machine(None) };
        let registration = Registration {
            host: Host::CLAUDE_CODE,
            project: Some(project.into()),
            start_directory: None,
            places,
            requires_policy: false,
            problem: None,
        };
        HookBuilder { registration }
    }

    /// Decodes the bytes that a host passes to a hook. Parts that cannot be read are omitted, and
    /// [`complete`](JudgedEvent::complete) adds the vote of the failure policy for them.
    ///
    /// # Errors
    /// There is nothing to judge; the error is the answer. An event that this version does not know passes, and bytes
    /// that cannot be read are blocked.
    pub fn decode(&self, bytes: &[u8]) -> Result<HookEvent, HookAnswer> {
        let (payload, damage) = hooks::receive(bytes, &self.registration).map_err(HookAnswer::from_output)?;
        Ok(HookEvent::from_payload(payload, self.registration.host, damage))
    }

    /// Judges an event by the rules. This has no effects.
    ///
    /// `facts` are usually the facts of this machine, which [`facts`](Self::facts) returns.
    #[must_use]
    pub fn judge<'h>(&'h self, event: &'h HookEvent, facts: &'h dyn Facts) -> JudgedEvent<'h> {
        let received = Received {
            payload: event.raw_payload(),
            damage: event.damage(),
            registration: &self.registration,
            places: &self.places,
        };
        let Ok(judged) = received.judge(&self.compiled.policy.rules, HookPolicy::Compiled(&self.compiled), facts);
        JudgedEvent { received, hook: self, judged }
    }

    /// Returns the facts of this machine, as seen from the project.
    #[must_use]
    pub fn facts(&self) -> MachineFacts {
        MachineFacts::new(self.places.project.clone())
    }

    /// Returns the names of the rules, in evaluation order.
    pub fn rules(&self) -> impl Iterator<Item = &str> {
        self.compiled.policy.rules.rules().iter().map(|rule| rule.display_name.as_str())
    }
}

impl HookBuilder {
    /// Sets the host, by its name in `rules hook HOST`.
    ///
    /// # Errors
    /// There is no such host.
    pub fn host(mut self, name: &str) -> Result<Self, EventError> {
        self.registration.host = Host::from_name(name).ok_or_else(|| EventError::UnknownHost(name.to_owned()))?;
        Ok(self)
    }

    /// Sets the directory of the administrator's policy.
    #[must_use]
    pub fn managed_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.registration.places.managed = directory.into();
        self
    }

    /// Sets the directory of the account's policy.
    #[must_use]
    pub fn config_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.registration.places.user = Some(directory.into());
        self
    }

    /// Sets the directory of the log of decisions, of trust, of the cache, and of the data that a session keeps.
    #[must_use]
    pub fn state_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        let directory = directory.into();
        self.registration.places.cache = Some(directory.join(CACHE));
        self.registration.places.state = Some(directory);
        self
    }

    /// Applies the project's policy in full, as if the project itself had registered the hook.
    #[must_use]
    pub fn trusting_project(mut self) -> Self {
        self.registration.places.trust = TrustRequirement::NotRequired;
        self
    }

    /// Makes the failure policy apply if there is no policy at all.
    #[must_use]
    pub fn requiring_policy(mut self) -> Self {
        self.registration.requires_policy = true;
        self
    }

    /// Finds, reads and compiles the policy. A layer that does not load is replaced by the failure policy.
    #[must_use]
    pub fn load(self) -> Hook {
        let Self { registration } = self;
        // The policy stays in memory, so it is not cached.
        let places = MachinePlaces { cache: None, ..registration.places_without_payload() };
        let compiled = CompiledPolicy::from_sources(&places);
        Hook { places: MachinePlaces { cache: registration.places.cache.clone(), ..places }, registration, compiled }
    }
}

impl<'h> JudgedEvent<'h> {
    /// Returns the decision of the rules.
    #[must_use]
    pub fn decision(&self) -> Decision {
        self.judged.evaluation().verdict.decision()
    }

    /// Adds the votes and texts of the hook itself: of the guard, which protects the policy, the program and the
    /// host's settings, and of the failure policy, if something is wrong with a layer or with the event.
    #[must_use]
    pub fn complete(self) -> CompletedEvent<'h> {
        let Self { received, hook, judged } = self;
        let Ok(completed) = judged.complete();
        CompletedEvent { received, hook, completed }
    }
}

impl<'h> CompletedEvent<'h> {
    /// Returns the decision, before the policy's commands have run.
    #[must_use]
    pub fn decision(&self) -> Decision {
        self.verdict().decision()
    }

    /// Returns the message of the decision.
    #[must_use]
    pub fn message(&self) -> String {
        self.verdict().message()
    }

    /// Returns the votes, in evaluation order.
    #[must_use]
    pub fn reasons(&self) -> Vec<RuleDecision> {
        reasons(self.verdict())
    }

    /// Lists the effects besides the decision.
    #[must_use]
    pub fn effects(&self) -> Vec<PlannedEffect<'_>> {
        PlannedEffect::from_verdict(self.verdict())
    }

    /// Runs the commands of the policy and waits for them, except for commands in the background. If another hook of
    /// the host answers the same event, only one of the two hooks runs the commands.
    #[must_use]
    pub fn perform(self) -> PerformedEvent<'h> {
        let Self { received, hook, completed } = self;
        let performed = completed.perform(received, &hook.compiled.policy.settings);
        PerformedEvent { received, hook, performed }
    }

    /// Leaves the commands, records and notifications that [`effects`](Self::effects) lists to the embedding program.
    /// If there are commands, a vote to allow is removed, since a command may deny.
    #[must_use]
    pub fn leave(self) -> PerformedEvent<'h> {
        let Self { received, hook, completed } = self;
        let performed = completed.leave_to_caller(&hook.places);
        PerformedEvent { received, hook, performed }
    }

    /// Returns the verdict with the additions of the guard and the failure policy.
    fn verdict(&self) -> &Verdict {
        &self.completed.evaluation().verdict
    }
}

impl<'h> PerformedEvent<'h> {
    /// Returns the decision, with the votes of the commands.
    #[must_use]
    pub fn decision(&self) -> Decision {
        self.performed.verdict().decision()
    }

    /// Encodes the answer for the host. A text for the user that the host cannot show on this event is stored in the
    /// state directory until an event on which the host can.
    #[must_use]
    pub fn encode(self) -> AnsweredEvent<'h> {
        let Self { received, hook, performed } = self;
        let CompiledPolicy { policy, .. } = &hook.compiled;
        let mut encoded = performed.encode(received, policy.settings.clone(), hook.compiled.identity());
        let answer = HookAnswer::from_output(std::mem::take(&mut encoded.output));
        AnsweredEvent { payload: received.payload, answer, encoded }
    }
}

impl AnsweredEvent<'_> {
    /// Returns the answer. It must be written before [`settle`](Self::settle): the host waits for it.
    #[must_use]
    pub fn answer(&self) -> &HookAnswer {
        &self.answer
    }

    /// Writes the records and the log of decisions, and sends the notifications.
    pub fn settle(self) {
        let Self { payload, encoded, .. } = self;
        encoded.settle(payload);
    }
}

impl HookAnswer {
    fn from_output(HostOutput { stdout, stderr, exit, .. }: HostOutput) -> Self {
        Self { stdout, stderr, exit }
    }
}

impl fmt::Debug for JudgedEvent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Judged").field("evaluation", self.judged.evaluation()).finish_non_exhaustive()
    }
}
