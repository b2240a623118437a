//! The stages of an event on its way to the answer. Each is created from the previous one:
//!
//! - [`Judged`]: the rules have judged it.
//! - [`Completed`]: the guard and the failure policy have added their votes and texts.
//! - [`Performed`]: its commands have run, or another registration runs them.
//! - [`Encoded`]: the host's answer is fixed, and so is the work after it.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Instant;

use std::collections::BTreeSet;

use crate::action::{self, Claim, EffectEnvironment, JournalAdditions, ProcessRole};
use crate::budget::Budget;
use crate::cache::{CachedPolicy, CompiledPolicy};
use crate::config::{EffectiveSettings, PolicyTrust};
use crate::context::{Context, event_digest, input_digest};
use crate::eval::{Evaluation, TraceDetail, decide_reporting_votes};
use crate::facts::{Facts, SessionPast};
use crate::history::MarkId;
use crate::host::{Host, HostOutput};
use crate::journal::{JournalEnd, SessionPlace, WrittenEvent};
use crate::policy::Policy;
use crate::project::MachinePlaces;
use crate::ruleset::Rules;
use crate::schema::{Event, OUTPUT};
use crate::time::unix_milliseconds;
use crate::types::Payload;
use crate::verdict::{Verdict, Vote};

use super::nested::judges_nested;
use super::post_answer::{self, FollowUp, LoggedJudgements};
use super::{
    FailurePolicy, Fuse, Guard, NestedJudgements, NestedPolicySource, Registration, deferred_texts,
    duplicate_registrations, failure, guard, registration_check,
};

/// A decoded event, and the hook that answers it.
#[derive(Clone, Copy, Debug)]
pub struct Received<'e> {
    /// The payload.
    pub payload: &'e Payload,
    /// A description of the parts of the payload that could not be read, if any.
    pub damage: Option<&'e str>,
    /// The registration of the hook.
    pub registration: &'e Registration,
    /// The directories of policy and state.
    pub places: &'e MachinePlaces,
}

/// The policy that judges an event, by where it comes from.
#[derive(Clone, Copy, Debug)]
pub enum HookPolicy<'p> {
    /// A policy from the cache. It certainly loads and has rules, but its layers are not available.
    Cached(&'p CachedPolicy),
    /// A policy that was compiled from its sources.
    Compiled(&'p CompiledPolicy),
    /// The policy of an event that is only explained (`rules explain`).
    Explained(&'p Policy),
}

impl<'p> HookPolicy<'p> {
    /// Returns the merged settings of the policy.
    fn settings(self) -> &'p EffectiveSettings {
        match self {
            Self::Cached(kept) => &kept.settings,
            Self::Compiled(compiled) => &compiled.policy.settings,
            Self::Explained(policy) => &policy.settings,
        }
    }

    /// Returns the policy with its layers; `None` for a cached one.
    fn policy(self) -> Option<&'p Policy> {
        match self {
            Self::Cached(_) => None,
            Self::Compiled(compiled) => Some(&compiled.policy),
            Self::Explained(policy) => Some(policy),
        }
    }

    /// Whether the cached policy differed from the one compiled from its sources.
    fn is_forged(self) -> bool {
        matches!(self, Self::Compiled(compiled) if compiled.was_forged)
    }

    /// Returns the files from which the policy was compiled.
    fn files(self) -> Vec<PathBuf> {
        match self {
            Self::Cached(kept) => kept.sources().map(Path::to_path_buf).collect(),
            Self::Compiled(compiled) => compiled.policy.files(),
            Self::Explained(policy) => policy.files(),
        }
    }
}

/// Whether completing an event may have side effects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SideEffects {
    /// Side effects are allowed: the event is answered.
    Allowed,
    /// Side effects are not allowed: the event is only explained.
    Forbidden,
}

impl SideEffects {
    /// Judges the event by the nested policies. If side effects are allowed and the event ends a call, their marks are
    /// remembered instead.
    fn judge_nested(self, context: &Context<'_>, places: &MachinePlaces, verdict: &Verdict) -> NestedJudgements {
        match self {
            Self::Forbidden => NestedJudgements::judge(context, places, verdict, NestedPolicySource::FOR_EXPLANATION),
            Self::Allowed if judges_nested(verdict.event) => {
                NestedJudgements::judge(context, places, verdict, NestedPolicySource::FOR_ANSWER)
            }
            Self::Allowed => NestedJudgements::remember_end(context, places),
        }
    }
}

impl<'e> Received<'e> {
    /// Judges the event by the rules of a policy.
    ///
    /// # Errors
    /// Fails if the rules cannot be read.
    pub fn judge<R: Rules>(
        self,
        rules: &'e R,
        policy: HookPolicy<'e>,
        facts: &'e dyn Facts,
    ) -> Result<Judged<'e, R>, R::Error> {
        let settings = policy.settings();
        let fuse = Fuse::for_process();
        let budget = Rc::new(fuse.map_or_else(Budget::default, |fuse| Budget::with_watchdog(|| fuse.start_watching())));
        if let Some(fuse) = fuse {
            fuse.set_on_error(failure::stricter_on_error(settings.on_error, self.registration.requires_policy));
        }
        let context = Context::new(self.payload, self.registration.host.name(), facts, &settings.shell_tools);
        let context = context.with_budget(budget);
        let report_votes = |votes: &[Vote]| {
            if let Some(fuse) = fuse {
                fuse.add_votes(votes);
            }
        };
        let evaluation = decide_reporting_votes(rules, &context, TraceDetail::Outcomes, &report_votes)?;
        Ok(Judged { received: self, rules, policy, context, evaluation })
    }

    /// Completes an evaluation as the hook would, but without side effects.
    pub(crate) fn explain(self, policy: &Policy, context: &Context<'_>, evaluation: Evaluation) -> Completed {
        let Ok(completed) =
            self.complete(&policy.rules, HookPolicy::Explained(policy), context, SideEffects::Forbidden, evaluation);
        completed
    }

    /// Adds the votes and texts of the nested policies, of the failure policy and of the guard to an evaluation.
    ///
    /// # Errors
    /// Fails if the rules cannot be read.
    fn complete<R: Rules>(
        self,
        rules: &R,
        policy_source: HookPolicy<'_>,
        context: &Context<'_>,
        effects: SideEffects,
        evaluation: Evaluation,
    ) -> Result<Completed, R::Error> {
        let Self { payload, registration, places, .. } = self;
        // Commands get the agent's name in their environment. If there are no commands, the lookup is left to the rules
        // that need the name.
        let agent_name = if evaluation.verdict.runs.is_empty() || effects == SideEffects::Forbidden {
            None
        } else {
            context.agent_type().ok().flatten().map(str::to_owned)
        };
        let policy = policy_source.policy();
        let session = payload.nonempty_text("session_id");
        let state_of_answer = places.state.as_deref().filter(|_| effects == SideEffects::Allowed);
        let settings = (policy_source.settings(), registration.requires_policy);
        let mut failures = FailurePolicy::new(payload.event, settings, state_of_answer, session);
        self.add_failures(policy_source, &mut failures);
        let Evaluation { verdict, trace, observed, observed_effects, cost } = evaluation;
        let nested = effects.judge_nested(context, places, &verdict);
        nested.report_broken(&mut failures);
        let verdict = nested.restrict(verdict).with_additions(failures.take_additions());
        let sources = || policy_source.files();
        let guarded = Guard { payload, context, policy, sources: &sources, places, nested: &nested.directories() }
            .check(rules, &verdict)?;
        if effects == SideEffects::Allowed {
            guard::record_existing_damage(payload, context, places, policy);
        }
        if let Some(problem) = context.transcript_problem() {
            failures.report_nameless_agent(&problem);
        }
        if context.machine().budget().is_out_of_time() {
            failures.vote_out_of_time();
        }
        let verdict = verdict.with_additions(guarded).with_additions(failures.take_additions());
        let journal = match effects {
            SideEffects::Allowed => journal_additions(payload, policy_source, &verdict, &nested),
            SideEffects::Forbidden => JournalAdditions::default(),
        };
        let evaluation = Evaluation { verdict, trace, observed, observed_effects, cost };
        Ok(Completed { evaluation, nested, agent_name, problems: failures.problems, journal, journal_end: None })
    }

    /// Adds the votes and texts about everything that is wrong with the policy, the registration or the payload.
    fn add_failures(self, by: HookPolicy<'_>, failures: &mut FailurePolicy<'_>) {
        let Self { payload, damage, registration, places } = self;
        let policy = by.policy();
        if let Some(policy) = policy {
            failures.vote_for_broken_layers(policy, None);
        }
        if by.is_forged() {
            failures.report_forged_cache();
        }
        // Reported only at the start of a session: without a usable state directory, later events could not know that
        // it was reported before.
        let begins_session = payload.event == Event::SessionStart;
        let state = places.state.as_deref().filter(|_| begins_session);
        if let Some(problem) = state.and_then(action::state_problem) {
            failures.report_unusable_state(&problem);
        }
        if by.settings().trust == PolicyTrust::Untrusted {
            failures.report_untrusted_policy(places.project.as_deref());
        }
        if let Some(problem) = &registration.problem {
            failures.vote_bad_registration(problem);
        }
        // At the start of a session, the policy is always compiled from its sources, so it is available.
        if let Some(policy) = policy.filter(|_| begins_session) {
            failures.report_settings_problems(registration_check::check(registration.host, policy, places));
        }
        if let Some(damage) = damage {
            failures.vote_unreadable_payload(damage);
        }
        if !policy.is_some_and(Policy::is_without_guard) {
            failures.deny_nameless_tool(payload);
            failures.report_unknown_event(payload);
        }
        // A policy without rules is not cached, so a cached policy is never missing.
        if registration.requires_policy && policy.is_some_and(Policy::is_without_guard) {
            failures.vote_missing_policy();
        }
    }
}

/// An event that the rules have judged.
pub struct Judged<'e, R> {
    received: Received<'e>,
    rules: &'e R,
    policy: HookPolicy<'e>,
    context: Context<'e>,
    evaluation: Evaluation,
}

impl<R: Rules> Judged<'_, R> {
    /// Returns the evaluation by the rules alone.
    #[must_use]
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Adds the votes and texts of the guard and of the failure policy.
    ///
    /// # Errors
    /// Fails if the rules cannot be read.
    pub fn complete(self) -> Result<Completed, R::Error> {
        let Self { received, rules, policy, context, evaluation } = self;
        received.complete(rules, policy, &context, SideEffects::Allowed, evaluation)
    }
}

/// A judged event with the votes and texts of the hook itself, before its commands run.
#[derive(Debug)]
pub struct Completed {
    evaluation: Evaluation,
    /// The judgements of the nested policies.
    nested: NestedJudgements,
    /// The name of the acting agent, if commands may need it.
    agent_name: Option<String>,
    /// The problems, as sentences for the log.
    problems: Vec<String>,
    /// The lines that the event adds to the journal of its session.
    journal: JournalAdditions,
    /// The end of the session's journal before the event; `None` if no rule asked about the past.
    journal_end: Option<JournalEnd>,
}

/// Returns the lines that an event adds to the journal of its session: the marks of the policy, and those that the
/// event sets.
fn journal_additions(
    payload: &Payload,
    by: HookPolicy<'_>,
    verdict: &Verdict,
    nested: &NestedJudgements,
) -> JournalAdditions {
    // A policy from the cache is the same as at earlier events, so its marks are in the journal already.
    let marks_of_compiled = by.policy().map(|policy| policy.rules.marks());
    let (start, policy) = match marks_of_compiled {
        Some(marks) if payload.begins_session() => (Some(marks).filter(|marks| !marks.is_empty()), None),
        marks_of_compiled => (None, marks_of_compiled),
    };
    let marks = verdict.marks.clone();
    let if_new = match by {
        HookPolicy::Cached(cached) => cached.marks(),
        HookPolicy::Compiled(_) | HookPolicy::Explained(_) => BTreeSet::new(),
    };
    let mut added = JournalAdditions { start, policy, if_new, marks, ..JournalAdditions::default() };
    nested.add_memory(&mut added);
    added
}

impl Completed {
    /// Adds what follows from the past that conditions asked about, if any did. Marks that the journal does not know yet
    /// are recorded in it, to know since when they are watched.
    #[must_use]
    pub(super) fn with_read_past(mut self, past: Option<&SessionPast>) -> Self {
        let Some(past) = past else { return self };
        // The line of a nested policy already has its marks.
        let is_in_nested_line = |id: &MarkId| self.journal.nested.iter().any(|policy| policy.marks.contains(id));
        self.journal.asked = past.unknown_marks().into_iter().filter(|id| !is_in_nested_line(id)).collect();
        self.journal_end = past.journal_end();
        self
    }

    /// Creates a completed event without the votes of the guard and the failure policy, for an event that no hook
    /// answers.
    #[must_use]
    pub fn from_rules_only(evaluation: Evaluation) -> Self {
        Self {
            evaluation,
            nested: NestedJudgements::default(),
            agent_name: None,
            problems: Vec::new(),
            journal: JournalAdditions::default(),
            journal_end: None,
        }
    }

    /// Adds the votes of the nested policies, and the votes and texts of the guard, but not those of the failure
    /// policy.
    ///
    /// # Errors
    /// Fails if the rules cannot be read.
    pub fn with_guard_only<R: Rules>(
        evaluation: Evaluation,
        guard: Guard<'_>,
        rules: &R,
        policies: NestedPolicySource<'_>,
    ) -> Result<Self, R::Error> {
        let Evaluation { verdict, trace, observed, observed_effects, cost } = evaluation;
        let nested = NestedJudgements::judge(guard.context, guard.places, &verdict, policies);
        let verdict = nested.restrict(verdict);
        let added = Guard { nested: &nested.directories(), ..guard }.check(rules, &verdict)?;
        let verdict = verdict.with_additions(added);
        let evaluation = Evaluation { verdict, trace, observed, observed_effects, cost };
        Ok(Self { nested, ..Self::from_rules_only(evaluation) })
    }

    /// Returns the judgements of the nested policies.
    #[must_use]
    pub fn nested(&self) -> &NestedJudgements {
        &self.nested
    }

    /// Takes the judgements of the nested policies out, so that these can be written to the cache.
    pub(super) fn take_nested(&mut self) -> NestedJudgements {
        std::mem::take(&mut self.nested)
    }

    /// Returns the evaluation, with the completed verdict.
    #[must_use]
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Returns the output that the host would get, without side effects. It lacks the results of the policy's commands,
    /// and the texts that earlier events deferred.
    pub(crate) fn preview(&self, host: Host, payload: &Payload) -> HostOutput {
        deferred_texts::preview(host, payload, &self.evaluation.verdict)
    }

    /// Runs the commands, unless another registration for the same event runs them.
    #[must_use]
    pub fn perform(self, received: Received<'_>, settings: &EffectiveSettings) -> Performed {
        let Received { payload, registration, places, .. } = received;
        let Self { evaluation, agent_name, mut problems, journal, journal_end, .. } = self;
        let Evaluation { verdict, observed, observed_effects, trace, .. } = evaluation;
        let project = places.project.as_deref();
        let fuse = Fuse::for_process();
        let notifications = &settings.notifications;
        let is_listed = post_answer::is_listed(notifications, payload.event);
        let of_host = || deadline(registration.host, payload.event);
        let command_deadline = fuse.map_or_else(of_host, |fuse| fuse.deadline(payload.event));
        let role = duplicate_registrations::process_role(
            payload,
            registration,
            (places, settings.trust),
            &verdict,
            is_listed,
            command_deadline,
        );
        let only_decides = matches!(role, ProcessRole::Decider);
        let note_votes = |verdict: &Verdict| fuse.inspect(|fuse| fuse.set_votes(&verdict.votes));
        let (root, performed) = match role {
            ProcessRole::Decider => {
                let performed = action::PerformedVerdict::for_other_registration(verdict);
                note_votes(performed.verdict());
                (project.map(Path::to_path_buf), performed)
            }
            ProcessRole::Actor(claim) => {
                problems.extend(remember(payload, places, &journal));
                let stdin = command_stdin(payload, &verdict);
                let root = registration.root_of_effects(project, &verdict);
                let environment = EffectEnvironment {
                    payload,
                    stdin: &stdin,
                    answers: payload.event.spec().answers,
                    project: root.as_deref(),
                    state_dir: places.state.as_deref(),
                    agent_name: agent_name.as_deref(),
                    is_prompt_of_user: registration.host.is_prompt_of_user(payload),
                    deadline: command_deadline,
                    announces_failures: is_listed && notifications.show_errors,
                    announces_successes: is_listed && notifications.show_success,
                    channel: &notifications.channel,
                };
                note_votes(&verdict);
                let performed = action::perform(verdict, &environment);
                claim.into_iter().for_each(Claim::release);
                (root, performed)
            }
        };
        let logged = LoggedJudgements { observed, observed_effects, judged: trace.rules, journal_end };
        Performed { performed, logged, agent_name, problems, only_decides, root }
    }
}

impl Completed {
    /// Runs no commands, and leaves records and notifications to the caller as well.
    #[must_use]
    pub fn leave_to_caller(self, places: &MachinePlaces) -> Performed {
        let Self { evaluation, agent_name, problems, journal_end, .. } = self;
        let Evaluation { verdict, observed, observed_effects, trace, .. } = evaluation;
        Performed {
            performed: action::PerformedVerdict::for_caller(verdict),
            logged: LoggedJudgements { observed, observed_effects, judged: trace.rules, journal_end },
            agent_name,
            problems,
            only_decides: false,
            root: places.project.clone(),
        }
    }
}

/// A completed event whose commands have run.
#[derive(Debug)]
pub struct Performed {
    /// The verdict, with the results of the commands.
    performed: action::PerformedVerdict,
    /// How the rules judged the event.
    logged: LoggedJudgements,
    agent_name: Option<String>,
    problems: Vec<String>,
    /// Whether another registration performs the effects.
    only_decides: bool,
    /// The directory below which records are written.
    root: Option<PathBuf>,
}

impl Performed {
    /// Returns the verdict, with what the commands added.
    #[must_use]
    pub fn verdict(&self) -> &Verdict {
        self.performed.verdict()
    }

    /// Encodes the answer for the host. Texts that the host cannot show now are deferred. `mark` identifies the policy
    /// in the log.
    #[must_use]
    pub fn encode(self, received: Received<'_>, settings: EffectiveSettings, mark: &str) -> Encoded {
        let Received { payload, registration, places, .. } = received;
        let Self { performed, logged, agent_name, mut problems, only_decides, root } = self;
        let (verdict, failures) = performed.into_parts();
        let sent = deferred_texts::encode(registration.host, payload, places.state.as_deref(), verdict);
        problems.extend(sent.problems);
        let follow_up = FollowUp {
            agent_name,
            verdict: sent.verdict,
            failures,
            logged,
            took: Fuse::for_process().map(Fuse::elapsed),
            host: registration.host.sender(&payload.origin),
            settings,
            problems,
            only_decides,
            project: places.project.clone(),
            root,
            state: places.state.clone(),
            mark: mark.to_owned(),
        };
        Encoded { output: sent.output, follow_up }
    }
}

/// A performed event whose answer is encoded, and what the work after the answer needs.
#[derive(Debug)]
pub struct Encoded {
    /// The output of the process.
    pub output: HostOutput,
    pub(super) follow_up: FollowUp,
}

impl Encoded {
    /// Writes records, notifications and the log. The answer has been given, so nothing here can change the answer.
    pub fn settle(mut self, payload: &Payload) {
        if let Some(line) = hook_log_line(payload) {
            self.follow_up.log_hook(&line);
        }
        self.follow_up.settle(payload);
    }
}

/// Writes the additions to the journal of the session. If that fails, returns a sentence with the reason.
fn remember(payload: &Payload, places: &MachinePlaces, journal: &JournalAdditions) -> Option<String> {
    let session = payload.nonempty_text("session_id")?;
    let place = SessionPlace { state: places.state.as_deref()?, session };
    // That a policy has no marks is written only if there is a journal, which may have marks of an earlier policy.
    let has_marks = journal.policy.as_ref().is_some_and(|marks| !marks.is_empty());
    if journal.is_empty_but_for_policy() && !has_marks && !(journal.policy.is_some() && action::has_journal(place)) {
        return None;
    }
    let call = payload.nonempty_text("tool_use_id");
    let (digest, input, time) = (event_digest(payload), input_digest(payload), unix_milliseconds());
    let written_event = WrittenEvent { event: payload.event, digest, call, input, time };
    let failed = action::remember(place, written_event, journal).err()?;
    Some(format!("what happened was not remembered: {failed}"))
}

/// Returns the line for the hook log about the start or stop of a subagent; `None` for other events. It is the same for
/// every policy.
pub(super) fn hook_log_line(payload: &Payload) -> Option<String> {
    payload.event.is_about_subagent().then(|| action::processing(payload))
}

/// Returns the payload that commands read on standard input, as JSON with the verdict's rewrites. Empty if there are no
/// commands.
fn command_stdin(payload: &Payload, verdict: &Verdict) -> Vec<u8> {
    if verdict.runs.is_empty() {
        return Vec::new();
    }
    // The members are serialised by reference, because a payload may be too large for many copies of it in memory.
    let updated = verdict.updated_input.as_ref();
    let members = payload.json.iter().map(|(name, value)| match (name.as_str(), updated, &verdict.updated_output) {
        ("tool_input", Some(input), _) => (name.as_str(), input),
        (OUTPUT, _, Some(output)) => (name.as_str(), output),
        (name, ..) => (name, value),
    });
    let absent = updated.filter(|_| !payload.json.contains_key("tool_input")).map(|input| ("tool_input", input));
    let mut bytes = vec![b'{'];
    for (name, value) in members.chain(absent) {
        if bytes.len() > 1 {
            bytes.push(b',');
        }
        // Writing to memory does not fail.
        let _written = serde_json::to_writer(&mut bytes, name);
        bytes.push(b':');
        let _written = serde_json::to_writer(&mut bytes, value);
    }
    bytes.push(b'}');
    bytes
}

/// Returns the instant by which commands must end: when the host stops waiting, minus the time that the answer needs.
#[expect(clippy::disallowed_methods, reason = "commands are bounded by the host's clock")]
fn deadline(host: Host, event: Event) -> Option<Instant> {
    Instant::now().checked_add(host.command_time_limit(event))
}
