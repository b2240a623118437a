//! The path of every event of every host: payload bytes in, an answer out, then the follow-up work.
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
pub use process::{
    PAYLOAD_LIMIT, PayloadInput, host_of_environment, own_directory, project_of_environment, settings_of_environment,
};
pub use stages::{Completed, Encoded, HookPolicy, Judged, Performed, Received};
pub use strict::HookResult;
#[cfg(feature = "internals")]
pub use strict::{HandlerResult, HookError, handle};

/// The registration of a hook.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Registration {
    /// The calling host.
    pub host: Host,
    /// The project directory that the host names; without it, the payload's `cwd` is used.
    pub project: Option<PathBuf>,
    /// The directory that the process was started in: the project if neither of those exists.
    pub start_directory: Option<PathBuf>,
    /// The places of policy and state, except the project's.
    pub places: MachinePlaces,
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
    pub(crate) fn places(&self, payload: &Payload) -> MachinePlaces {
        self.places_from_directory(payload.nonempty_text("cwd").map(Path::new))
    }

    /// Returns the places of policy and state if there is no payload, or more than one.
    pub(crate) fn places_without_payload(&self) -> MachinePlaces {
        self.places_from_directory(None)
    }

    /// Returns the directory in which commands run and below which records are written. If the host does not name the
    /// project, the agent may be anywhere in it.
    fn root_of_effects(&self, project: Option<&Path>, verdict: &Verdict) -> Option<PathBuf> {
        let project = project?;
        let is_named = self.project.as_deref() == Some(project);
        let has_effects = !verdict.runs.is_empty() || !verdict.records.is_empty();
        Some(if is_named || !has_effects { project.to_path_buf() } else { project::project_around(project) })
    }

    fn places_from_directory(&self, cwd: Option<&Path>) -> MachinePlaces {
        let stated = [self.project.as_deref(), cwd, self.start_directory.as_deref()];
        let stated: Vec<&Path> = stated.into_iter().flatten().filter(|path| path.is_absolute()).collect();
        let at = stated.iter().position(|path| project::is_directory(path));
        let gone = stated.iter().take(at.unwrap_or(stated.len())).map(|path| path.to_path_buf()).collect();
        let project = at.or(Some(0)).and_then(|at| stated.get(at)).map(|path| path.to_path_buf());
        MachinePlaces { project, missing_projects: gone, ..self.places.clone() }
    }
}

/// An answer, and the work that follows once it is written.
#[derive(Debug)]
pub struct Answer {
    /// The output of the process.
    pub output: HostOutput,
    pending: Option<Box<PendingWork>>,
}

/// The work after an answer, with all that it needs.
#[derive(Debug)]
struct PendingWork {
    payload: Payload,
    follow_up: FollowUp,
    policy: ReadyPolicy,
    /// The line for the hook log.
    line: Option<String>,
}

/// Answers one event.
///
/// Before the answer, only the policy's commands have side effects; all others wait for [`Answer::settle`].
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

/// Decodes an event: its payload, and the parts of it that were lost.
///
/// # Errors
/// There is nothing to judge; the error is the answer. An event that this version does not know passes, one that cannot
/// be read is blocked.
pub fn receive(
    bytes: &[u8],
    registration: &Registration,
) -> std::result::Result<(Payload, Option<String>), HostOutput> {
    match host::decode(registration.host, bytes) {
        DecodedPayload::Event { payload, damage } => Ok((payload, damage)),
        DecodedPayload::UnknownEvent(_) => Err(HostOutput::default()),
        DecodedPayload::Unreadable { reason, sender } => {
            let problem = registration.problem.iter().map(|problem| format!("rules: {problem}\n"));
            let mut stderr: String = problem.collect();
            stderr.push_str(&format!("rules: this event cannot be read, so it is blocked: {reason}\n"));
            let stdout = host::refusal(sender, &stderr);
            Err(HostOutput { stdout, stderr, exit: 2, ..HostOutput::default() })
        }
    }
}

fn judge(payload: Payload, damage: Option<&str>, registration: &Registration) -> Answer {
    if let Some(fuse) = Fuse::for_process() {
        fuse.begin_event(&payload);
    }
    let places = registration.places(&payload);
    // A session starts from the sources, regardless of the cache and its writer. Which failures a settings change may
    // let pass depends on all rules.
    let reads_sources = matches!(payload.event, Event::SessionStart | Event::ConfigChange);
    let wanted = if reads_sources { CacheMode::Recompiled } else { CacheMode::Cached };
    let received = Received { payload: &payload, damage, registration, places: &places };
    let (policy, completed) = complete_event(received, cache::policy(&places, wanted));
    let settings = policy.settings().clone();
    let performed = completed.perform(received, &settings);
    let Encoded { output, follow_up } = performed.encode(received, settings, policy.identity());
    Answer { output, pending: Some(Box::new(PendingWork { payload, follow_up, policy, line: None })) }
}

/// Judges and completes an event. A damaged cached policy is recompiled from its sources.
fn complete_event(received: Received<'_>, policy: ReadyPolicy) -> (ReadyPolicy, Completed) {
    let facts = MachineFacts::new(received.places.project.clone());
    let compiled = match policy {
        ReadyPolicy::Compiled(compiled) => compiled,
        ReadyPolicy::Cached(kept) => {
            let judged = received.judge(&kept.rules, HookPolicy::Cached(&kept), &facts);
            match judged.and_then(Judged::complete) {
                Ok(completed) => return (ReadyPolicy::Cached(kept), completed),
                Err(DamagedImage) => Box::new(CompiledPolicy::from_sources(received.places)),
            }
        }
    };
    let facts = MachineFacts::new(received.places.project.clone());
    let Ok(judged) = received.judge(&compiled.policy.rules, HookPolicy::Compiled(&compiled), &facts);
    let Ok(completed) = judged.complete();
    (ReadyPolicy::Compiled(compiled), completed)
}

impl Answer {
    /// Creates an answer without follow-up work.
    #[must_use]
    pub fn without_follow_up(output: HostOutput) -> Self {
        Self { output, pending: None }
    }

    /// Writes records, notifications and the log. The answer has been given; nothing here can change it.
    pub fn settle(&mut self) {
        if let Some(line) = self.pending.as_ref().and_then(|pending| pending.line.as_deref()) {
            self.log_hook(line);
        }
        if let Some(pending) = &mut self.pending {
            pending.follow_up.settle(&pending.payload);
            pending.policy.keep();
        }
    }

    /// Writes a line to the hook log, unless the settings want no log.
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

/// Whether an event announces something other than a tool call. `false` for an unknown name.
#[must_use]
pub fn is_system_event_hook(hook_name: &str) -> bool {
    Event::from_name(hook_name).is_some_and(|event| event.spec().subject != Subject::Tool)
}

/// Returns the places of this machine, replaced by those that a registration names.
#[must_use]
pub fn places(
    managed: Option<&Path>,
    user: Option<&Path>,
    state: Option<&Path>,
    cache: Option<&Path>,
) -> MachinePlaces {
    let machine = MachinePlaces::on_this_machine(None);
    // A named state directory is meant for everything that is written, so the cache moves there too.
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
