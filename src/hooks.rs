//! The path of every event of every host: payload bytes in, an answer out, then the follow-up work.
//!
//! Nothing here decides: it loads, evaluates, performs and encodes, and applies the failure policy if one of these
//! fails. Besides [`answer`], which judges any payload, there is a handler for each event that accepts only complete
//! payloads.

mod after;
mod block_on;
mod edits;
mod failure;
mod fuse;
mod guard;
mod handlers;
mod process;
mod registered;
mod strict;
mod together;
mod waiting;

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use crate::action::{self, Claim, Part, World};
use crate::budget::Budget;
use crate::cache::{self, Compiled, Ready, Wanted};
use crate::config::{Effective, Standing};
use crate::context::Context;
use crate::eval::{Detail, Evaluation, Judged, decide_telling};
use crate::facts::MachineFacts;
use crate::host::{self, Decoded, Host, HostOutput};
use crate::image::Damaged;
use crate::policy::Policy;
use crate::project::{self, Places, Trust};
use crate::record_place::CACHE;
use crate::ruleset::Rules;
use crate::schema::{Event, OUTPUT, Subject};
use crate::types::Payload;
use crate::verdict::{Verdict, Vote};

pub use block_on::block_on;
pub use failure::{FailurePolicy, last_resort};
pub use fuse::Fuse;
pub use guard::Guard;
pub use handlers::handle_event;
pub use process::{
    Input, PAYLOAD_LIMIT, host_of_environment, own_directory, project_of_environment, settings_of_environment,
};
pub use strict::HookResult;
#[cfg(feature = "internals")]
pub use strict::{HookError, Result, handle};

/// The registration of a hook.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Registration {
    /// The calling host.
    pub host: Host,
    /// The project directory that the host names; without it, the payload's `cwd` is used.
    pub project: Option<PathBuf>,
    /// The directory that the process was started in: the project if neither of those exists.
    pub here: Option<PathBuf>,
    /// The places of policy and state, except the project's.
    pub places: Places,
    /// Whether a missing policy counts as one that does not load.
    pub requires_policy: bool,
    /// A problem of the registration itself; it counts as a layer that does not load.
    pub problem: Option<String>,
}

impl Registration {
    /// Returns the places of policy and state for an event.
    ///
    /// The project directory is the one that the host names, else that of the agent, else the one in which the process
    /// was started. A directory that does not exist would lose its policy silently, so the next one is preferred to it;
    /// the policy above the missing one still counts.
    pub(crate) fn places_of(&self, payload: &Payload) -> Places {
        self.places_at(payload.text("cwd").map(Path::new))
    }

    /// Returns the places of policy and state if there is no payload, or more than one.
    pub(crate) fn places_without_payload(&self) -> Places {
        self.places_at(None)
    }

    /// Returns the directory in which commands run and below which records are written. If the host does not name the
    /// project, the agent may be anywhere in it.
    fn root_of_effects(&self, project: Option<&Path>, verdict: &Verdict) -> Option<PathBuf> {
        let project = project?;
        let is_named = self.project.as_deref() == Some(project);
        let has_effects = !verdict.runs.is_empty() || !verdict.records.is_empty();
        Some(if is_named || !has_effects { project.to_path_buf() } else { project::project_around(project) })
    }

    fn places_at(&self, cwd: Option<&Path>) -> Places {
        let stated = [self.project.as_deref(), cwd, self.here.as_deref()];
        let stated: Vec<&Path> = stated.into_iter().flatten().filter(|path| path.is_absolute()).collect();
        let at = stated.iter().position(|path| project::is_directory(path));
        let gone = stated.iter().take(at.unwrap_or(stated.len())).map(|path| path.to_path_buf()).collect();
        let project = at.or(Some(0)).and_then(|at| stated.get(at)).map(|path| path.to_path_buf());
        Places { project, gone, ..self.places.clone() }
    }
}

/// An answer, and the work that follows once it is written.
#[derive(Debug)]
pub struct Answer {
    /// The output of the process.
    pub output: HostOutput,
    follow_up: Option<Box<FollowUp>>,
}

#[derive(Debug)]
struct FollowUp {
    payload: Payload,
    agent_name: Option<String>,
    verdict: Verdict,
    observed: Vec<Vote>,
    observed_effects: Vec<String>,
    judged: Vec<Judged>,
    /// The time until the answer.
    took: Option<Duration>,
    host: Host,
    settings: Effective,
    problems: Vec<String>,
    only_decides: bool,
    project: Option<PathBuf>,
    /// The directory below which records are written.
    root: Option<PathBuf>,
    state: Option<PathBuf>,
    ready: Ready,
    /// The line for the hook log.
    line: Option<String>,
}

/// Answers one event.
///
/// Before the answer, only the policy's commands have side effects; all others wait for [`Answer::settle`].
#[must_use]
pub fn answer(bytes: &[u8], registration: &Registration) -> Answer {
    let host = registration.host;
    match host::decode(host, bytes) {
        Decoded::Event { payload, damage } => {
            // Every subagent leaves a line, even if the policy does not mention it.
            let is_subagents = matches!(payload.event, Event::SubagentStart | Event::SubagentStop);
            let line = is_subagents.then(|| action::processing(&payload));
            let mut answer = judge(payload, damage.as_deref(), registration);
            if let Some(follow_up) = &mut answer.follow_up {
                follow_up.line = line;
            }
            answer
        }
        Decoded::UnknownEvent(_) => Answer::of(HostOutput::default()),
        Decoded::Unreadable { reason, sender } => {
            let problem = registration.problem.iter().map(|problem| format!("rules: {problem}\n"));
            let mut stderr: String = problem.collect();
            stderr.push_str(&format!("rules: this event cannot be read, so it is blocked: {reason}\n"));
            let stdout = host::refusal(sender, &stderr);
            Answer::of(HostOutput { stdout, stderr, exit: 2, ..HostOutput::default() })
        }
    }
}

fn judge(payload: Payload, damage: Option<&str>, registration: &Registration) -> Answer {
    let fuse = Fuse::of_process();
    if let Some(fuse) = fuse {
        fuse.begin(&payload);
    }
    let places = registration.places_of(&payload);
    let project = places.project.clone();
    // A session starts from the sources, regardless of the cache and its writer. Which failures a settings change may
    // let pass depends on all rules.
    let reads_sources = matches!(payload.event, Event::SessionStart | Event::ConfigChange);
    let wanted = if reads_sources { Wanted::Verified } else { Wanted::Fast };
    let inputs = Inputs { payload: &payload, damage, registration, places: &places, effects: Effects::Had };
    let (ready, decided) = inputs.judge(cache::policy(&places, wanted));
    let Decided { mut verdict, observed, observed_effects, judged, agent_name, mut problems } = decided;

    let settings = ready.settings().clone();
    let wanted = &settings.notifications;
    let listed = after::is_listed(wanted, payload.event);
    let until = match fuse {
        Some(fuse) => fuse.deadline(payload.event),
        None => deadline(registration.host, payload.event),
    };
    let part = together::part(&payload, registration, (&places, settings.standing), &verdict, listed, until);
    let only_decides = matches!(part, Part::Decides);
    if only_decides {
        together::leave_to_others(&mut verdict);
    }
    let stdin = stdin_of(&payload, &verdict);
    let root = registration.root_of_effects(project.as_deref(), &verdict);
    let world = World {
        payload: &payload,
        stdin: &stdin,
        answers: payload.event.spec().answers,
        project: root.as_deref(),
        state_dir: places.state.as_deref(),
        agent_name: agent_name.as_deref(),
        is_prompt_of_user: registration.host.is_prompt_of_user(&payload),
        deadline: until,
        announces_failures: listed && wanted.show_errors,
        announces_successes: listed && wanted.show_success,
        channel: &wanted.channel,
    };
    if let Some(fuse) = fuse {
        fuse.votes(&verdict.votes);
    }
    if let Part::Acts(claim) = part {
        action::perform(&mut verdict, &world);
        claim.into_iter().for_each(Claim::done);
    }
    let output = waiting::encode(registration.host, &payload, places.state.as_deref(), &mut verdict);
    after::unsent(registration.host, &mut verdict, &mut problems);
    let state = places.state;
    let line = None;
    let follow_up = FollowUp {
        payload,
        agent_name,
        verdict,
        observed,
        observed_effects,
        judged,
        took: fuse.map(Fuse::elapsed),
        host: registration.host,
        settings,
        problems,
        only_decides,
        project,
        root,
        state,
        ready,
        line,
    };
    Answer { output, follow_up: Some(Box::new(follow_up)) }
}

/// An event and the inputs of its judgement, except the policy.
struct Inputs<'g> {
    payload: &'g Payload,
    damage: Option<&'g str>,
    registration: &'g Registration,
    places: &'g Places,
    effects: Effects,
}

/// Whether judging an event may leave a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effects {
    /// Yes: the event is answered.
    Had,
    /// No: the event is only explained.
    None,
}

/// The policy's part of a judgement, except the rules.
#[derive(Clone, Copy)]
struct From<'f> {
    settings: &'f Effective,
    /// `None` for a cached policy: only that it loads and has rules is known.
    policy: Option<&'f Policy>,
    was_forged: bool,
    /// Returns the files that the policy was compiled from.
    sources: &'f dyn Fn() -> Vec<PathBuf>,
}

/// A verdict, before any of its effects.
struct Decided {
    verdict: Verdict,
    observed: Vec<Vote>,
    observed_effects: Vec<String>,
    judged: Vec<Judged>,
    agent_name: Option<String>,
    problems: Vec<String>,
}

impl Inputs<'_> {
    /// Judges the event. A damaged cached policy is recompiled from its sources.
    fn judge(&self, ready: Ready) -> (Ready, Decided) {
        let compiled = match ready {
            Ready::Compiled(compiled) => compiled,
            Ready::Kept(kept) => {
                let sources = || kept.sources().map(Path::to_path_buf).collect();
                match self.decided(&kept.rules, &kept.settings, None, &sources) {
                    Ok(decided) => return (Ready::Kept(kept), decided),
                    Err(Damaged) => Box::new(Compiled::from_sources(self.places)),
                }
            }
        };
        let policy = &compiled.policy;
        let sources = || policy.files();
        let Ok(decided) = self.decided(&policy.rules, &policy.settings, Some(&compiled), &sources);
        (Ready::Compiled(compiled), decided)
    }

    /// Judges the event by rules; `compiled` is `None` if they come from the cache.
    ///
    /// # Errors
    /// Fails if the rules cannot be read.
    fn decided<R: Rules>(
        &self,
        rules: &R,
        settings: &Effective,
        compiled: Option<&Compiled>,
        sources: &dyn Fn() -> Vec<PathBuf>,
    ) -> std::result::Result<Decided, R::Error> {
        let Self { payload, registration, places, .. } = *self;
        let facts = MachineFacts::new(places.project.clone());
        let fuse = Fuse::of_process();
        let budget = Rc::new(fuse.map_or_else(Budget::default, |fuse| Budget::watched(|| fuse.watch())));
        if let Some(fuse) = fuse {
            fuse.fails_by(failure::at_least(settings.on_error, registration.requires_policy));
        }
        let context = Context::new(payload, registration.host.name(), &facts, &settings.shell_tools);
        let context = context.charging(Rc::clone(&budget));
        let tell = |votes: &[Vote]| {
            if let Some(fuse) = fuse {
                fuse.more_votes(votes);
            }
        };
        let Evaluation { mut verdict, observed, observed_effects, trace, .. } =
            decide_telling(rules, &context, Detail::Outcomes, &tell)?;

        // Commands get the name in their environment; otherwise it is looked up only if a rule asks for it.
        let agent_name =
            if verdict.runs.is_empty() { None } else { context.agent_type().ok().flatten().map(str::to_owned) };
        let (policy, was_forged) =
            (compiled.map(|compiled| &compiled.policy), compiled.is_some_and(|it| it.was_forged));
        let from = From { settings, policy, was_forged, sources };
        let problems = self.complete(rules, &context, &from, &mut verdict)?;
        Ok(Decided { verdict, observed, observed_effects, judged: trace.rules, agent_name, problems })
    }

    /// Adds the hook's own votes and warnings to a verdict, regardless of the rules. Returns the problems for the log.
    ///
    /// # Errors
    /// Fails if the rules cannot be read.
    fn complete<R: Rules>(
        &self,
        rules: &R,
        context: &Context<'_>,
        from: &From<'_>,
        verdict: &mut Verdict,
    ) -> std::result::Result<Vec<String>, R::Error> {
        let From { settings, policy, was_forged, sources } = *from;
        let Self { payload, registration, places, .. } = *self;
        let (state, session) = (places.state.as_deref(), payload.text("session_id"));
        let remembers = state.filter(|_| self.effects == Effects::Had);
        let mut failures = FailurePolicy::new(settings, registration.requires_policy, remembers, session);
        if let Some(policy) = policy {
            failures.broken_layers(policy, verdict);
        }
        if was_forged {
            failures.forged(verdict);
        }
        // Only at the start of a session: without a usable state directory, no marker can record that it was reported.
        let begins = payload.event == Event::SessionStart;
        if let Some(problem) = state.filter(|_| begins).and_then(action::state_problem) {
            failures.state(&problem, verdict);
        }
        if settings.standing == Standing::Untrusted {
            failures.untrusted(places.project.as_deref(), verdict);
        }
        if let Some(problem) = &registration.problem {
            failures.registration(problem, verdict);
        }
        // The sources are always read at the start of a session.
        if let Some(policy) = policy.filter(|_| begins) {
            registered::check(registration.host, policy, places, verdict);
        }
        if let Some(damage) = self.damage {
            failures.unreadable(damage, verdict);
        }
        if !policy.is_some_and(Policy::guards_nothing) {
            if self.damage.is_none() {
                failures.nameless_tool(payload, verdict);
            }
            failures.unknown_event(payload, verdict);
        }
        // A policy without rules is not cached.
        if registration.requires_policy && policy.is_some_and(Policy::guards_nothing) {
            failures.no_policy(verdict);
        }
        Guard { payload, context, policy, sources, places }.check(rules, verdict)?;
        if self.effects == Effects::Had {
            guard::remember(payload, context, places, policy);
        }
        if let Some(problem) = context.transcript_problem() {
            failures.nameless(&problem, verdict);
        }
        if context.budget().is_out_of_time() {
            failures.out_of_time(verdict);
        }
        Ok(failures.problems)
    }
}

impl Answer {
    /// Creates an answer without follow-up work.
    #[must_use]
    pub fn of(output: HostOutput) -> Self {
        Self { output, follow_up: None }
    }

    /// Writes records, notifications and the log. The answer has been given; nothing here can change it.
    pub fn settle(&mut self) {
        if let Some(line) = self.follow_up.as_ref().and_then(|follow_up| follow_up.line.as_deref()) {
            self.log_hook(line);
        }
        if let Some(follow_up) = &mut self.follow_up {
            follow_up.settle();
        }
    }
}

/// Adds a hook's own votes and warnings for an event to a verdict, as for this registration, without effects.
pub(crate) fn complete(
    (payload, damage): (&Payload, Option<&str>),
    context: &Context<'_>,
    policy: &Policy,
    (registration, places): (&Registration, &Places),
    verdict: &mut Verdict,
) {
    let inputs = Inputs { payload, damage, registration, places, effects: Effects::None };
    let sources = || policy.files();
    let from = From { settings: &policy.settings, policy: Some(policy), was_forged: false, sources: &sources };
    let Ok(_told) = inputs.complete(&policy.rules, context, &from, verdict);
}

/// Returns the host output for a verdict, without the results of the policy's commands and without texts that wait for
/// the user from earlier events. It has no effects.
pub(crate) fn preview(host: Host, payload: &Payload, verdict: &Verdict) -> HostOutput {
    waiting::preview(host, payload, verdict)
}

/// Whether an event announces something other than a tool call. `false` for an unknown name.
#[must_use]
pub fn is_system_event_hook(hook_name: &str) -> bool {
    Event::from_name(hook_name).is_some_and(|event| event.spec().subject != Subject::Tool)
}

/// Returns the payload that commands read: with the verdict's rewrites applied.
fn stdin_of(payload: &Payload, verdict: &Verdict) -> Vec<u8> {
    if verdict.runs.is_empty() {
        return Vec::new();
    }
    // By reference: a payload may be large, and memory allows only a few copies of it.
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

/// Returns when the host stops waiting, minus the time that the answer itself needs.
#[expect(clippy::disallowed_methods, reason = "commands are bounded by the host's clock")]
fn deadline(host: Host, event: Event) -> Option<Instant> {
    Instant::now().checked_add(host.patience(event))
}

/// Returns the places of this machine, replaced by those that a registration names.
#[must_use]
pub fn places(managed: Option<&Path>, user: Option<&Path>, state: Option<&Path>, cache: Option<&Path>) -> Places {
    let machine = Places::of_machine(None);
    // A named state directory is meant for everything that is written, so the cache moves there too.
    let beside_state = state.map(|state| state.join(CACHE));
    Places {
        cache: cache.map(Path::to_path_buf).or(beside_state).or(machine.cache),
        managed: managed.map_or(machine.managed, Path::to_path_buf),
        user: user.map(Path::to_path_buf).or(machine.user),
        state: state.map(Path::to_path_buf).or(machine.state),
        project: None,
        gone: Vec::new(),
        trust: Trust::Given,
    }
}

#[cfg(test)]
mod tests;
