//! How often a rule has refused to let an agent stop.
//!
//! A file for each rule below `attempts/SESSION/AGENT/` in the user's state directory; its length is the count, so that
//! a refusal is one appended byte and needs no lock. A stop that is not a continuation resets the count, except in a
//! turn that the host itself began: nobody has answered the refusals, and a background agent that ends would start them
//! again. If the host does not report continuations, a stop is the continuation of the last refused one, and a prompt
//! of the user resets the count.
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

/// The name of the main agent's directory.
const MAIN: &str = "main";

/// The file that marks a turn as begun by the host itself. No agent's directory begins with a dot.
const OWN: &str = ".own-turn";

/// The counters of the stopping agent.
#[derive(Debug)]
pub(super) struct Attempts {
    /// `None` if nothing is counted: on another event, or without a state directory.
    directory: Option<PathBuf>,
    /// Whether this stop is a continuation, according to the host.
    continuation: Continuation,
    /// The results for rules during this event; two commands of a rule count once.
    refusals: BTreeMap<String, StopRefusal>,
}

/// Whether a stop follows a refused one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Continuation {
    /// The host reports that it does.
    Yes,
    /// The host reports that it does not.
    No,
    /// The host does not report it.
    Unreported,
}

/// Whether a rule may refuse a stop once more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StopRefusal {
    /// It may.
    Allowed,
    /// It has refused as often as it may.
    Exhausted,
}

impl Attempts {
    /// Finds the counters, and clears them if the stop is not a continuation.
    pub(super) fn open_for_stop(world: &EffectEnvironment<'_>) -> Self {
        // Anyone who can write a counter could release refusals.
        let state = world.state_dir.filter(|state| state_problem(state).is_none());
        let session = state.zip(world.payload.nonempty_text("session_id"));
        let session = session.map(|(state, session)| state.join(ATTEMPTS).join(file_name_component(session)));
        let counts = matches!(world.payload.event, Event::Stop | Event::SubagentStop);
        let told = match world.payload.json.get("stop_hook_active").and_then(Json::as_bool) {
            Some(true) => Continuation::Yes,
            Some(false) => Continuation::No,
            None => Continuation::Unreported,
        };
        // The main agent's refusals are over; those of a subagent that still runs are not.
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

    /// Resets the count when a stop goes through, if the host does not report continuations.
    pub(super) fn reset_after_stop(&self, verdict: &Verdict) {
        if self.continuation == Continuation::Unreported && verdict.decision() != Decision::Deny {
            self.clear();
        }
    }

    fn clear(&self) {
        self.directory.iter().for_each(|directory| drop(std::fs::remove_dir_all(directory)));
    }

    /// Counts a refusal, if the rule has one left. If nothing can be counted, every refusal is allowed: the host has
    /// its own limit.
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

/// Marks a turn that the host itself began, if anything was refused before.
fn mark_turn(session: &Path) {
    if std::fs::symlink_metadata(session.join(MAIN)).is_ok() {
        let flags = (OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits();
        let mut options = std::fs::File::options();
        let _unmarked = options.append(true).create(true).mode(0o600).custom_flags(flags).open(session.join(OWN));
    }
}

fn is_marked(session: &Path) -> bool {
    std::fs::symlink_metadata(session.join(OWN)).is_ok()
}
