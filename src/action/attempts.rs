//! Counts how often a rule has refused to let an agent stop.
//!
//! Each rule has a file in `attempts/SESSION/AGENT/` in the user's state directory. The length of the file is the
//! count, so a refusal appends one byte and needs no lock.
//!
//! A stop that does not continue a refused one resets the counts, except in a turn that the host itself began: no
//! person has reacted to the refusals yet, and a background agent that ends would start them again. If the host does
//! not report continuations, each stop counts as one until a stop is not refused, or the user writes a prompt.
#![expect(clippy::disallowed_methods, reason = "counters are files")]

use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use nix::fcntl::OFlag;
use serde_json::Value as Json;

use crate::record_place::ATTEMPTS;
use crate::schema::Event;
use crate::verdict::{Decision, Run, Verdict};

use super::EffectEnvironment;
use super::place::state_problem;
use crate::names::file_name_component;

/// The directory of the main agent.
const MAIN: &str = "main";

/// The file that marks the current turn as begun by the host itself. No agent's directory begins with a dot.
const OWN: &str = ".own-turn";

/// The counters of the agent that stops.
#[derive(Debug)]
pub(super) struct Attempts {
    /// The directory of the counters; `None` if nothing is counted, on another event or without a state directory.
    directory: Option<PathBuf>,
    /// Whether this stop continues a refused one, according to the host.
    continuation: Continuation,
    /// The results for the rules during this event: two commands of one rule count once.
    refusals: BTreeMap<String, StopRefusal>,
}

/// Whether a stop continues a refused one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Continuation {
    /// The host reports that the stop continues a refused one.
    Yes,
    /// The host reports that the stop continues no refused one.
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
    /// Finds the counters of the agent that stops, and resets them if the stop continues no refused one. On other
    /// events it maintains the session: a user's prompt resets the main agent's counters, a turn begun by the host is
    /// marked, and the end of the session removes everything.
    pub(super) fn open_for_stop(world: &EffectEnvironment<'_>) -> Self {
        // A state directory that others can write to is not used: a changed counter would let a stop pass.
        let state = world.state_dir.filter(|state| state_problem(state).is_none());
        let session = state.zip(world.payload.nonempty_text("session_id"));
        let session = session.map(|(state, session)| state.join(ATTEMPTS).join(file_name_component(session)));
        let counts = matches!(world.payload.event, Event::Stop | Event::SubagentStop);
        let told = match world.payload.json.get("stop_hook_active").and_then(Json::as_bool) {
            Some(true) => Continuation::Yes,
            Some(false) => Continuation::No,
            None => Continuation::Unreported,
        };
        // The refusals of the main agent are over, but not those of a subagent that still runs.
        if world.is_prompt_of_user {
            session.iter().for_each(|session| drop(std::fs::remove_dir_all(session.join(MAIN))));
            session.iter().for_each(|session| drop(std::fs::remove_file(session.join(OWN))));
        } else if world.payload.event == Event::UserPromptSubmit {
            session.iter().for_each(|session| mark_turn(session));
        }
        if world.payload.event == Event::SessionEnd {
            session.iter().for_each(|session| drop(std::fs::remove_dir_all(session)));
        }
        let agent = file_name_component(world.payload.agent_id().unwrap_or(MAIN));
        let is_own_turn = agent == MAIN && session.as_ref().is_some_and(|session| is_marked(session));
        let directory = session.filter(|_| counts).map(|session| session.join(agent));
        let attempts = Self { directory, continuation: told, refusals: BTreeMap::new() };
        if told == Continuation::No && !is_own_turn {
            attempts.clear();
        }
        attempts
    }

    /// Resets the counts when a stop is not refused, if the host does not report continuations.
    pub(super) fn reset_after_stop(&self, verdict: &Verdict) {
        if self.continuation == Continuation::Unreported && verdict.decision() != Decision::Deny {
            self.clear();
        }
    }

    /// Removes the counters of the agent.
    fn clear(&self) {
        self.directory.iter().for_each(|directory| drop(std::fs::remove_dir_all(directory)));
    }

    /// Counts a refusal of a rule, unless its attempts are exhausted. If nothing can be counted, every refusal is
    /// allowed, because the host has a limit too.
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
            let _ = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(directory);
            let mut options = std::fs::File::options();
            let flags = (OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits();
            let file = options.append(true).create(true).mode(0o600).custom_flags(flags).open(&path);
            let _ = file.and_then(|mut file| file.write_all(b"."));
            StopRefusal::Allowed
        })
    }
}

/// Marks the current turn as begun by the host itself, if the main agent was refused a stop before.
fn mark_turn(session: &Path) {
    if std::fs::symlink_metadata(session.join(MAIN)).is_ok() {
        let flags = (OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits();
        let mut options = std::fs::File::options();
        let _unmarked = options.append(true).create(true).mode(0o600).custom_flags(flags).open(session.join(OWN));
    }
}

/// Whether the current turn is marked as begun by the host itself.
fn is_marked(session: &Path) -> bool {
    std::fs::symlink_metadata(session.join(OWN)).is_ok()
}
