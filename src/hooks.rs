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
    PAYLOAD_LIMIT, PayloadInput, host_of_environment, own_directory, project_of_environment, settings_of_environment,
};
pub use stages::{Completed, Encoded, HookPolicy, Judged, Performed, Received};
pub use strict::HookResult;
#[cfg(feature = "internals")]
pub use strict::{HandlerResult, HookError, handle};

/// The registration of a hook: the host that calls it, its project, and the places of policy and state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Registration {
    /// The calling host.
    pub host: Host,
    /// The project directory, if the host names one.
    pub project: Option<PathBuf>,
    /// The directory that the process was started in; the project, if neither `project` nor the payload's `cwd`
    /// exists.
    pub start_directory: Option<PathBuf>,
    /// The places of policy and state; the project is added to them for each event.
    pub places: MachinePlaces,
    /// Whether a missing policy is a failure, like a policy that does not load.
    pub requires_policy: bool,
    /// An error in the registration, as a sentence; a failure, like a policy that does not load.
    pub problem: Option<String>,
}

impl Registration {
    /// Returns the places of policy and state for an event.
    ///
    /// The project directory is the first existing one of: the directory that the host names, the payload's `cwd`,
    /// and the directory in which the process was started. If none exists, it is the first of them. A missing
    /// directory is listed in `missing_projects`, so that the policy in the directories above it still counts.
    pub(crate) fn places(&self, payload: &Payload) -> MachinePlaces {
        self.places_from_directory(payload.nonempty_text("cwd").map(Path::new))
    }

    /// Returns the places of policy and state without any payload's `cwd`: for a caller that has no payload, or
    /// several.
    pub(crate) fn places_without_payload(&self) -> MachinePlaces {
        self.places_from_directory(None)
    }

    /// Returns the directory in which commands run and below which records are written; `None` without a project. If
    /// the host does not name the project, `project` may be a subdirectory that the agent works in, so the project
    /// around it is searched for, provided that the verdict has commands or records.
    fn root_of_effects(&self, project: Option<&Path>, verdict: &Verdict) -> Option<PathBuf> {
        let project = project?;
        let is_named = self.project.as_deref() == Some(project);
        let has_effects = !verdict.runs.is_empty() || !verdict.records.is_empty();
        Some(if is_named || !has_effects { project.to_path_buf() } else { project::project_around(project) })
    }

    /// Returns the places for a payload's `cwd`, if there is one, as [`Self::places`] describes. Relative paths are
    /// ignored.
    fn places_from_directory(&self, cwd: Option<&Path>) -> MachinePlaces {
        let stated = [self.project.as_deref(), cwd, self.start_directory.as_deref()];
        let stated: Vec<&Path> = stated.into_iter().flatten().filter(|path| path.is_absolute()).collect();
        let at = stated.iter().position(|path| project::is_directory(path));
        let gone = stated.iter().take(at.unwrap_or(stated.len())).map(|path| path.to_path_buf()).collect();
        let project = at.or(Some(0)).and_then(|at| stated.get(at)).map(|path| path.to_path_buf());
        MachinePlaces { project, missing_projects: gone, ..self.places.clone() }
    }
}

/// The answer to an event, and the work that remains after it is written.
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
    /// The policies of other directories that judged it, which are written there, too.
    nested: NestedJudgements,
    /// The line for the hook log.
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
            let mut told: String = problem.collect();
            told.push_str(&format!("rules: this event cannot be read, so it is blocked: {reason}"));
            Err(host::refusal(sender, &told))
        }
    }
}

/// Judges an event, runs the policy's commands, and encodes the answer; the rest of the work is pending in the
/// answer.
fn judge(payload: Payload, damage: Option<&str>, registration: &Registration) -> Answer {
    if let Some(fuse) = Fuse::for_process() {
        fuse.begin_event(&payload);
    }
    let places = registration.places(&payload);
    // A session starts with a policy compiled from its sources, so a forged cache is noticed. A change of settings is
    // compared with the events of all rules, which a cached policy does not list.
    let reads_sources = matches!(payload.event, Event::SessionStart | Event::ConfigChange);
    let wanted = if reads_sources { CacheMode::Recompiled } else { CacheMode::Cached };
    let received = Received { payload: &payload, damage, registration, places: &places };
    let (policy, mut completed) = complete_event(received, cache::policy(&places, wanted));
    let nested = completed.take_nested();
    let settings = policy.settings().clone();
    let performed = completed.perform(received, &settings);
    let Encoded { output, follow_up } = performed.encode(received, settings, policy.identity());
    Answer { output, pending: Some(Box::new(PendingWork { payload, follow_up, policy, nested, line: None })) }
}

/// Judges and completes an event, and returns the policy that was used: if the cached one is damaged, it is compiled
/// again from its sources.
fn complete_event(received: Received<'_>, policy: ReadyPolicy) -> (ReadyPolicy, Completed) {
    let facts = || {
        let session = received.payload.nonempty_text("session_id");
        let facts = MachineFacts::new(received.places.project.clone());
        facts.in_session(received.places.state.as_deref(), session)
    };
    let of_machine = facts();
    let compiled = match policy {
        ReadyPolicy::Compiled(compiled) => compiled,
        ReadyPolicy::Cached(kept) => {
            let judged = received.judge(&kept.rules, HookPolicy::Cached(&kept), &of_machine);
            match judged.and_then(Judged::complete) {
                Ok(completed) => {
                    let completed = completed.with_unknown_marks(of_machine.unknown_marks());
                    return (ReadyPolicy::Cached(kept), completed);
                }
                Err(DamagedImage) => Box::new(CompiledPolicy::from_sources(received.places)),
            }
        }
    };
    let of_machine = facts();
    let Ok(judged) = received.judge(&compiled.policy.rules, HookPolicy::Compiled(&compiled), &of_machine);
    let Ok(completed) = judged.complete();
    let completed = completed.with_unknown_marks(of_machine.unknown_marks());
    (ReadyPolicy::Compiled(compiled), completed)
}

impl Answer {
    /// Creates an answer without follow-up work.
    #[must_use]
    pub fn without_follow_up(output: HostOutput) -> Self {
        Self { output, pending: None }
    }

    /// Writes records, notifications and the log, and then the cached policy. The answer has been given, so nothing
    /// here can change it.
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

/// Returns this machine's places of policy and state; each given argument replaces one of them. There is no project
/// yet.
#[must_use]
pub fn places(
    managed: Option<&Path>,
    user: Option<&Path>,
    state: Option<&Path>,
    cache: Option<&Path>,
) -> MachinePlaces {
    let machine = MachinePlaces::on_this_machine(None);
    // A state directory that is given is meant for everything that the program writes, so the cache moves there too.
    let beside_state = state.map(|state| state.join(CACHE));
    MachinePlaces {
        cache: cache.map(Path::to_path_buf).or(beside_state).or(machine.cache),
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
