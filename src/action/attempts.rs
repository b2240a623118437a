//! Counts how often a rule has refused to let an agent stop.
//!
//! Each rule has a file in `attempts/SESSION/AGENT/` in the user's state directory. The length of the file is the
//! count, so that counting a refusal appends one byte and needs no lock.
//!
//! The host reports with each stop whether the agent only went on because an earlier stop was refused (a continuation).
//! A stop that is no continuation resets the counts, except in a turn that the host itself began: there, no person has
//! reacted to the refusals yet, and each background agent that ends would make the refusals start again. If the host
//! does not report continuations, every stop is taken for one until a stop is not refused, or the user writes a prompt.
#![expect(clippy::disallowed_methods, reason = "counters are files")]

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::platform::file::append_private;
use crate::platform::rights::create_directories;
use crate::record_place::ATTEMPTS;
use crate::schema::Event;
use crate::verdict::{Decision, Run, Verdict};

use super::EffectEnvironment;
use super::place::state_problem;
use crate::names::file_name_component;

/// The name of the main agent's directory in that of the session.
const MAIN_AGENT: &str = "main";

/// The file whose existence says that the host itself began the current turn. It cannot be mistaken for an agent's
/// directory, because no name of one begins with a dot.
const HOST_TURN_MARK: &str = ".own-turn";

/// The counters of the agent that is about to stop.
#[derive(Debug)]
pub(super) struct Attempts {
    /// The directory of the counters; `None` if nothing is counted, because the event is not a stop or there is no
    /// usable state directory.
    directory: Option<PathBuf>,
    /// Whether this stop is a continuation, according to the host.
    continuation: Continuation,
    /// The result for each rule during this event, so that a rule with two commands is counted once.
    refusals: BTreeMap<String, StopRefusal>,
}

/// Whether a stop is a continuation: the agent only went on because its previous stop was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Continuation {
    /// The host reports that the stop is a continuation.
    Yes,
    /// The host reports that the stop is not a continuation.
    No,
    /// The host does not report continuations.
    Unreported,
}

/// Whether a rule may refuse a stop once more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StopRefusal {
    /// The rule may refuse.
    Allowed,
    /// The rule has refused as often as it may.
    Exhausted,
}

impl Attempts {
    /// Opens the counters of the agent that is about to stop, and resets them if the stop is not a continuation. On
    /// other events it maintains the counters of the session: a prompt by the user resets the main agent's, a turn that
    /// the host began is marked, and the end of the session removes all.
    pub(super) fn open_for_stop(world: &EffectEnvironment<'_>) -> Self {
        // A state directory that others can write to is not used: a counter that they changed would let a stop pass.
        let state = world.state_dir.filter(|state| state_problem(state).is_none());
        let session = state.zip(world.payload.nonempty_text("session_id"));
        let session = session.map(|(state, session)| state.join(ATTEMPTS).join(file_name_component(session)));
        let is_stop = matches!(world.payload.event, Event::Stop | Event::SubagentStop);
        let continuation = match world.payload.json.get("stop_hook_active").and_then(Json::as_bool) {
            Some(true) => Continuation::Yes,
            Some(false) => Continuation::No,
            None => Continuation::Unreported,
        };
        // A prompt ends the refusals of the main agent, but not those of a subagent that still runs.
        if world.is_prompt_of_user {
            session.iter().for_each(|session| drop(std::fs::remove_dir_all(session.join(MAIN_AGENT))));
            session.iter().for_each(|session| drop(std::fs::remove_file(session.join(HOST_TURN_MARK))));
        } else if world.payload.event == Event::UserPromptSubmit {
            session.iter().for_each(|session| mark_turn(session));
        }
        if world.payload.event == Event::SessionEnd {
            session.iter().for_each(|session| drop(std::fs::remove_dir_all(session)));
        }
        let agent = file_name_component(world.payload.agent_id().unwrap_or(MAIN_AGENT));
        let is_host_turn = agent == MAIN_AGENT && session.as_ref().is_some_and(|session| is_marked(session));
        let directory = session.filter(|_| is_stop).map(|session| session.join(agent));
        let attempts = Self { directory, continuation, refusals: BTreeMap::new() };
        if continuation == Continuation::No && !is_host_turn {
            attempts.clear();
        }
        attempts
    }

    /// Resets the counts if the stop is not refused and the host does not report continuations.
    pub(super) fn reset_after_stop(&self, verdict: &Verdict) {
        if self.continuation == Continuation::Unreported && verdict.decision() != Decision::Deny {
            self.clear();
        }
    }

    /// Removes the counters of the agent.
    fn clear(&self) {
        self.directory.iter().for_each(|directory| drop(std::fs::remove_dir_all(directory)));
    }

    /// Counts a refusal by the rule of a command, unless the rule has used up its attempts. If nothing can be counted,
    /// every refusal is allowed, because the host has a limit too.
    pub(super) fn refuse(&mut self, run: &Run) -> StopRefusal {
        let Some(directory) = &self.directory else {
            return StopRefusal::Allowed;
        };
        *self.refusals.entry(run.rule.clone()).or_insert_with(|| {
            let path = directory.join(file_name_component(&run.rule));
            let count = std::fs::symlink_metadata(&path).map_or(0, |file| file.len());
            if count >= u64::from(run.options.attempts) {
                return StopRefusal::Exhausted;
            }
            let _ = create_directories(directory, 0o700);
            let _ = append_private(&path).and_then(|mut file| file.write_all(b"."));
            StopRefusal::Allowed
        })
    }
}

/// Marks the current turn as begun by the host itself, if a stop of the main agent has been refused before.
fn mark_turn(session: &Path) {
    if std::fs::symlink_metadata(session.join(MAIN_AGENT)).is_ok() {
        let _unmarked = append_private(&session.join(HOST_TURN_MARK));
    }
}

/// Whether the current turn is marked as begun by the host itself.
fn is_marked(session: &Path) -> bool {
    std::fs::symlink_metadata(session.join(HOST_TURN_MARK)).is_ok()
}
