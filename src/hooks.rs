//! The processing of one event: from the bytes of its payload to the answer, and then the follow-up work (records,
//! notifications, the log).
//!
//! Nothing here decides: an event passes through the stages of [`stages`], each of which calls the module that does its
//! work. Besides [`answer_event`], which judges any payload, there is a handler for each event that accepts only
//! complete payloads.

mod block_on;
mod deferred_texts;
mod duplicate_registrations;
mod edits;
mod failure;
mod fuse;
mod guard;
mod handlers;
mod nested;
mod post_answer;
mod process;
mod registration_check;
mod stages;
mod strict;

use std::path::{Path, PathBuf};

use crate::cache::{self, CacheMode, CompiledPolicy, ReadyPolicy};
use crate::facts::MachineFacts;
use crate::host::{self, DecodedPayload, Host, HostOutput};
use crate::image::DamagedImage;
use crate::project::{self, MachinePlaces, TrustRequirement};
use crate::record_place::CACHE;
use crate::schema::{Event, Subject};
use crate::types::Payload;
use crate::verdict::Verdict;

use post_answer::FollowUp;
use stages::hook_log_line;

pub use block_on::block_on;
pub use failure::{FailurePolicy, answer_engine_failure};
pub use fuse::Fuse;
pub use guard::Guard;
pub use handlers::handle_event;
pub use nested::{NestedJudgement, NestedJudgements, NestedPolicySource, load_without_cache};
pub use process::{
    PAYLOAD_LIMIT, PayloadInput, absolute_path_in, host_of_environment, own_directory, project_of_environment,
    settings_of_environment,
};
pub use stages::{Completed, Encoded, HookPolicy, Judged, Performed, Received};
pub use strict::HookResult;
#[cfg(feature = "internals")]
pub use strict::{HandlerResult, HookError, handle};

/// The registration of a hook, as this process knows it: which host calls it, for which project, and the directories of
/// policy and state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Registration {
    /// The calling host.
    pub host: Host,
    /// The project directory, if the host names one.
    pub project: Option<PathBuf>,
    /// The directory in which the process was started. It counts as the project if neither `project` nor the payload's
    /// `cwd` exists.
    pub start_directory: Option<PathBuf>,
    /// The directories of policy and state. The project is not set yet: each event determines its own.
    pub places: MachinePlaces,
    /// Whether a missing policy is a failure, like a policy that does not load.
    pub requires_policy: bool,
    /// An error in the registration, as a sentence; a failure, like a policy that does not load.
    pub problem: Option<String>,
}

impl Registration {
    /// Returns the directories of policy and state for an event, including its project.
    ///
    /// The project is the first of these directories that exists: the one that the host names, the payload's `cwd`, the
    /// one in which the process was started. If none exists, it is the first. The missing ones before it are listed in
    /// `missing_projects`, so that the policies above them still apply.
    pub(crate) fn places(&self, payload: &Payload) -> MachinePlaces {
        self.places_from_directory(payload.nonempty_text("cwd").map(Path::new))
    }

    /// Returns the same directories as [`Self::places`] without a payload's `cwd`, for a caller that has no payload, or
    /// several.
    pub(crate) fn places_without_payload(&self) -> MachinePlaces {
        self.places_from_directory(None)
    }

    /// Returns the directory in which commands run and below which records are written; `None` without a project.
    ///
    /// If the host does not name the project, `project` may be a subdirectory in which the agent works; then the root
    /// of the project around it is looked up, but only for a verdict that has commands or records.
    fn root_of_effects(&self, project: Option<&Path>, verdict: &Verdict) -> Option<PathBuf> {
        let project = project?;
        let is_named = self.project.as_deref() == Some(project);
        let has_effects = !verdict.runs.is_empty() || !verdict.records.is_empty();
        Some(if is_named || !has_effects { project.to_path_buf() } else { project::project_around(project) })
    }

    /// Does the work of [`Self::places`] for the `cwd` of a payload, if there is one. Relative paths are ignored.
    fn places_from_directory(&self, cwd: Option<&Path>) -> MachinePlaces {
        let candidates = [self.project.as_deref(), cwd, self.start_directory.as_deref()];
        let candidates: Vec<&Path> = candidates.into_iter().flatten().filter(|path| path.is_absolute()).collect();
        let first_existing = candidates.iter().position(|path| project::is_directory(path));
        let missing_projects =
            candidates.iter().take(first_existing.unwrap_or(candidates.len())).map(|path| path.to_path_buf()).collect();
        let project = candidates.get(first_existing.unwrap_or(0)).map(|path| path.to_path_buf());
        MachinePlaces { project, missing_projects, ..self.places.clone() }
    }
}

/// The answer to an event, and the work to do once it is written.
#[derive(Debug)]
pub struct Answer {
    /// The output of the process.
    pub output: HostOutput,
    /// The work after the answer; `None` if the event was not judged.
    pending: Option<Box<PendingWork>>,
}

/// The work after an answer, and all its inputs.
#[derive(Debug)]
struct PendingWork {
    payload: Payload,
    follow_up: FollowUp,
    /// The policy that judged the event, to be written to the cache.
    policy: ReadyPolicy,
    /// The nested policies that judged the event, also to be written to the cache.
    nested: NestedJudgements,
    /// The line to append to the hook log.
    line: Option<String>,
}

/// Answers one event.
///
/// Before the function returns, the policy's commands run, and markers and deferred texts are written to the state
/// directory. Records, notifications and the log wait for [`Answer::settle`].
#[must_use]
pub fn answer_event(bytes: &[u8], registration: &Registration) -> Answer {
    match receive(bytes, registration) {
        Ok((payload, damage)) => {
            let line = hook_log_line(&payload);
            let mut answer = judge(payload, damage.as_deref(), registration);
            if let Some(pending) = &mut answer.pending {
                pending.line = line;
            }
            answer
        }
        Err(output) => Answer::without_follow_up(output),
    }
}

/// Decodes a payload. The second value describes the parts of it that were lost, if any.
///
/// # Errors
/// Fails if there is nothing to judge. The error is the answer to the host: an event that this version does not know
/// passes, and a payload that cannot be read is blocked.
pub fn receive(
    bytes: &[u8],
    registration: &Registration,
) -> std::result::Result<(Payload, Option<String>), HostOutput> {
    match host::decode(registration.host, bytes) {
        DecodedPayload::Event { payload, damage } => Ok((payload, damage)),
        DecodedPayload::UnknownEvent(_) => Err(HostOutput::default()),
        DecodedPayload::Unreadable { reason, sender } => {
            let problem = registration.problem.iter().map(|problem| format!("rules: {problem}\n"));
            let mut message: String = problem.collect();
            message.push_str(&format!("rules: this event cannot be read, so it is blocked: {reason}"));
            Err(host::refusal(sender, &message))
        }
    }
}

/// Judges an event, runs the policy's commands, and encodes the answer. The answer keeps the rest of the work for
/// [`Answer::settle`].
fn judge(payload: Payload, damage: Option<&str>, registration: &Registration) -> Answer {
    if let Some(fuse) = Fuse::for_process() {
        fuse.begin_event(&payload);
    }
    let places = registration.places(&payload);
    // A session starts with a policy compiled from its sources, so a forged cache is noticed. For a change of the
    // host's settings, the events of all rules are needed, which a cached policy does not list.
    let reads_sources = matches!(payload.event, Event::SessionStart | Event::ConfigChange);
    let cache_mode = if reads_sources { CacheMode::Recompiled } else { CacheMode::Cached };
    let received = Received { payload: &payload, damage, registration, places: &places };
    let (policy, mut completed) = complete_event(received, cache::policy(&places, cache_mode));
    let nested = completed.take_nested();
    let settings = policy.settings().clone();
    let performed = completed.perform(received, &settings);
    let Encoded { output, follow_up } = performed.encode(received, settings, policy.identity());
    Answer { output, pending: Some(Box::new(PendingWork { payload, follow_up, policy, nested, line: None })) }
}

/// Judges and completes an event, and returns the policy that was used. If the cached policy turns out to be damaged,
/// it is compiled again from its sources, and that policy judges the event from the start.
fn complete_event(received: Received<'_>, policy: ReadyPolicy) -> (ReadyPolicy, Completed) {
    let facts = || {
        let session = received.payload.nonempty_text("session_id");
        let facts = MachineFacts::new(received.places.project.clone());
        facts.in_session(received.places.state.as_deref(), session)
    };
    let machine_facts = facts();
    let compiled = match policy {
        ReadyPolicy::Compiled(compiled) => compiled,
        ReadyPolicy::Cached(cached) => {
            let judged = received.judge(&cached.rules, HookPolicy::Cached(&cached), &machine_facts);
            match judged.and_then(Judged::complete) {
                Ok(completed) => {
                    let completed = completed.with_read_past(machine_facts.read_past());
                    return (ReadyPolicy::Cached(cached), completed);
                }
                Err(DamagedImage) => Box::new(CompiledPolicy::from_sources(received.places)),
            }
        }
    };
    let machine_facts = facts();
    let Ok(judged) = received.judge(&compiled.policy.rules, HookPolicy::Compiled(&compiled), &machine_facts);
    let Ok(completed) = judged.complete();
    let completed = completed.with_read_past(machine_facts.read_past());
    (ReadyPolicy::Compiled(compiled), completed)
}

impl Answer {
    /// Creates an answer without follow-up work.
    #[must_use]
    pub fn without_follow_up(output: HostOutput) -> Self {
        Self { output, pending: None }
    }

    /// Writes records, notifications and the log, and then the policy to the cache. The answer has been given, so
    /// nothing here can change it.
    pub fn settle(&mut self) {
        if let Some(line) = self.pending.as_ref().and_then(|pending| pending.line.as_deref()) {
            self.log_hook(line);
        }
        if let Some(pending) = &mut self.pending {
            pending.follow_up.settle(&pending.payload);
            pending.policy.keep();
            pending.nested.keep();
        }
    }

    /// Writes a line to the hook log, unless the settings switch the log off.
    fn log_hook(&self, line: &str) {
        if let Some(pending) = &self.pending {
            pending.follow_up.log_hook(line);
        }
    }

    /// Returns the verdict, if the event was judged.
    fn verdict(&self) -> Option<&Verdict> {
        self.pending.as_ref().map(|pending| &pending.follow_up.verdict)
    }
}

/// Whether the event with this name is about something other than a tool call, such as `SessionStart`. `false` for an
/// unknown name.
#[must_use]
pub fn is_system_event_hook(hook_name: &str) -> bool {
    Event::from_name(hook_name).is_some_and(|event| event.spec().subject != Subject::Tool)
}

/// Returns the directories of policy and state of this machine, without a project. Each argument that is given replaces
/// one of them.
#[must_use]
pub fn places(
    managed: Option<&Path>,
    user: Option<&Path>,
    state: Option<&Path>,
    cache: Option<&Path>,
) -> MachinePlaces {
    let machine = MachinePlaces::on_this_machine(None);
    // Whoever sets the state directory wants everything that the program writes in it, so the cache moves there too.
    let cache_in_state = state.map(|state| state.join(CACHE));
    MachinePlaces {
        cache: cache.map(Path::to_path_buf).or(cache_in_state).or(machine.cache),
        managed: managed.map_or(machine.managed, Path::to_path_buf),
        user: user.map(Path::to_path_buf).or(machine.user),
        state: state.map(Path::to_path_buf).or(machine.state),
        project: None,
        missing_projects: Vec::new(),
        trust: TrustRequirement::NotRequired,
    }
}

#[cfg(test)]
mod tests;
