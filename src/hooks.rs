//! One path for every event of every host: bytes in, an answer out, and what follows it.
//!
//! Nothing here decides: it loads, evaluates, performs and encodes, and applies the failure policy where one of these
//! fails. Beside [`answer`], which judges any payload, there is a handler for each event that takes only complete
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

/// How a hook was registered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Registration {
    /// The calling host.
    pub host: Host,
    /// What the host says its project directory is; else it is the payload's `cwd`.
    pub project: Option<PathBuf>,
    /// The directory that the process was started in: the project where neither of these is there.
    pub here: Option<PathBuf>,
    /// Where policy and state lie, the project's aside.
    pub places: Places,
    /// No policy at all counts as one that does not load.
    pub requires_policy: bool,
    /// What is wrong with the registration itself; it counts as a layer that does not load.
    pub problem: Option<String>,
}

impl Registration {
    /// Returns where policy and state lie for an event.
    ///
    /// The project directory is the one that the host names, else where the agent is, else where the process was
    /// started. One that is not there would lose its policy without a word, so the next is preferred to it; the policy
    /// above it counts all the same.
    pub(crate) fn places_of(&self, payload: &Payload) -> Places {
        self.places_at(payload.text("cwd").map(Path::new))
    }

    /// Returns where policy and state lie where there is no payload, or more than one.
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

/// An answer, and what is to follow once it is written.
#[derive(Debug)]
pub struct Answer {
    /// What the process says.
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
    /// How long it took to the answer.
    took: Option<Duration>,
    host: Host,
    settings: Effective,
    problems: Vec<String>,
    only_decides: bool,
    project: Option<PathBuf>,
    /// Where records go, below the project's own directory of records.
    root: Option<PathBuf>,
    state: Option<PathBuf>,
    ready: Ready,
    /// For the hook log.
    line: Option<String>,
}

/// Answers one event.
///
/// What has side effects before the answer are the policy's commands; all else waits for [`Answer::settle`].
#[must_use]
pub fn answer(bytes: &[u8], registration: &Registration) -> Answer {
    let host = registration.host;
    match host::decode(host, bytes) {
        Decoded::Event { payload, damage } => {
            // Every subagent leaves a line, also one that the policy says nothing about.
            let is_subagents = matches!(payload.event, Event::SubagentStart | Event::SubagentStop);
            let line = is_subagents.then(|| action::processing(&payload));
            let mut answer = judge(payload, damage.as_deref(), registration);
            if let Some(follow_up) = &mut answer.follow_up {
                follow_up.line = line;
            }
            answer
        }
        Decoded::UnknownEvent(_) => Answer::of(HostOutput::default()),
        Decoded::Unreadable(reason) => {
            let problem = registration.problem.iter().map(|problem| format!("rules: {problem}\n"));
            let mut stderr: String = problem.collect();
            stderr.push_str(&format!("rules: this event cannot be read, so it is blocked: {reason}\n"));
            Answer::of(HostOutput { stderr, exit: 2, ..HostOutput::default() })
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
    // A session begins with what the sources say, whoever has written what was kept. Which failures a change of settings
    // may let pass, all rules say.
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

/// An event and what it is judged with, the policy aside.
struct Inputs<'g> {
    payload: &'g Payload,
    damage: Option<&'g str>,
    registration: &'g Registration,
    places: &'g Places,
    effects: Effects,
}

/// Whether something may be remembered about an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effects {
    /// It may: it is answered.
    Had,
    /// It may not: it is only explained.
    None,
}

/// What an event is judged by, the rules aside.
#[derive(Clone, Copy)]
struct From<'f> {
    settings: &'f Effective,
    /// Nothing is known of one that was kept but that it loads and has rules.
    policy: Option<&'f Policy>,
    was_forged: bool,
    /// Returns the files that it was made of.
    sources: &'f dyn Fn() -> Vec<PathBuf>,
}

/// A verdict, before anything is done about it.
struct Decided {
    verdict: Verdict,
    observed: Vec<Vote>,
    observed_effects: Vec<String>,
    judged: Vec<Judged>,
    agent_name: Option<String>,
    problems: Vec<String>,
}

impl Inputs<'_> {
    /// Judges the event. A policy that was kept and is damaged is made of its sources.
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

    /// Judges the event by some rules; those that were not kept were compiled.
    ///
    /// # Errors
    /// The rules cannot be read.
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

        // Commands get the name in their environment; for anything else it is looked up only where a rule asks.
        let agent_name =
            if verdict.runs.is_empty() { None } else { context.agent_type().ok().flatten().map(str::to_owned) };
        let (policy, was_forged) =
            (compiled.map(|compiled| &compiled.policy), compiled.is_some_and(|it| it.was_forged));
        let from = From { settings, policy, was_forged, sources };
        let problems = self.complete(rules, &context, &from, &mut verdict)?;
        Ok(Decided { verdict, observed, observed_effects, judged: trace.rules, agent_name, problems })
    }

    /// Adds to a verdict what a hook says by itself, whatever the rules say. Returns what went wrong.
    ///
    /// # Errors
    /// The rules cannot be read.
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
        // Once a session: nothing can be remembered that would tell whether it was said.
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
        // The sources were read for the start of a session.
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
        // One without rules is not kept.
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
    /// Makes an answer that nothing follows.
    #[must_use]
    pub fn of(output: HostOutput) -> Self {
        Self { output, follow_up: None }
    }

    /// Writes records, notifications and the log. The answer is given by now; nothing can change it.
    pub fn settle(&mut self) {
        if let Some(line) = self.follow_up.as_ref().and_then(|follow_up| follow_up.line.as_deref()) {
            self.log_hook(line);
        }
        if let Some(follow_up) = &mut self.follow_up {
            follow_up.settle();
        }
    }
}

/// Adds what a hook of this registration says by itself of an event, whatever the rules say, and has no effects.
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

/// Returns what is sent to the host for a verdict, as long as no command of the policy adds to it and nothing from earlier
/// events waits for the user. It has no effects.
pub(crate) fn preview(host: Host, payload: &Payload, verdict: &Verdict) -> HostOutput {
    waiting::preview(host, payload, verdict)
}

/// Tells whether an event announces something that happens by itself, rather than a call of a tool. A name that is no
/// event's is none.
#[must_use]
pub fn is_system_event_hook(hook_name: &str) -> bool {
    Event::from_name(hook_name).is_some_and(|event| event.spec().subject != Subject::Tool)
}

/// Returns the payload as commands get it: after the rewrites.
fn stdin_of(payload: &Payload, verdict: &Verdict) -> Vec<u8> {
    if verdict.runs.is_empty() {
        return Vec::new();
    }
    // By reference: a payload may be long, and there is memory for few copies of it.
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

/// Returns when the host stops waiting, less what the answer itself needs.
#[expect(clippy::disallowed_methods, reason = "commands are bounded by the host's clock")]
fn deadline(host: Host, event: Event) -> Option<Instant> {
    Instant::now().checked_add(host.patience(event))
}

/// Returns the places of this machine, as far as a registration does not name others.
#[must_use]
pub fn places(managed: Option<&Path>, user: Option<&Path>, state: Option<&Path>, cache: Option<&Path>) -> Places {
    let machine = Places::of_machine(None);
    // Who names another place for what is written means all of it.
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
