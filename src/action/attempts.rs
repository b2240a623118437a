//! How often a rule has refused to let an agent stop.
//!
//! A file for each rule below `attempts/SESSION/AGENT/` in the user's state directory; its length is the
//! count, so that a refusal is one appended byte and needs no lock. Any stop that is not already a
//! continuation begins anew.
#![expect(clippy::disallowed_methods, reason = "counters are files")]

use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::PathBuf;

use nix::fcntl::OFlag;
use serde_json::Value as Json;

use crate::schema::Event;
use crate::verdict::Run;

use super::World;
use super::names::component;

/// The directory of the counters, in the state directory.
pub(super) const DIRECTORY: &str = "attempts";

/// The counters of the stopping agent.
#[derive(Debug)]
pub(super) struct Attempts {
    /// `None` where nothing is counted: another event, or no state directory.
    directory: Option<PathBuf>,
    /// What was said about a rule during this event; two of its commands count once.
    said: BTreeMap<String, Refusal>,
}

/// Whether a rule may refuse once more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refusal {
    /// It may.
    Stands,
    /// It has refused as often as it may.
    Released,
}

impl Attempts {
    /// Finds the counters, and clears them when the agent stops by itself.
    pub(super) fn begin(world: &World<'_>) -> Self {
        let session = world.state_dir.zip(world.payload.text("session_id"));
        let session = session.map(|(state, session)| state.join(DIRECTORY).join(component(session)));
        let counts = matches!(world.payload.event, Event::Stop | Event::SubagentStop);
        if world.payload.event == Event::SessionEnd {
            session.iter().for_each(|session| drop(std::fs::remove_dir_all(session)));
        }
        let agent = component(world.payload.agent_id().unwrap_or("main"));
        let directory = session.filter(|_| counts).map(|session| session.join(agent));
        if world.payload.json.get("stop_hook_active") != Some(&Json::Bool(true)) {
            directory.iter().for_each(|directory| drop(std::fs::remove_dir_all(directory)));
        }
        Self { directory, said: BTreeMap::new() }
    }

    /// Counts a refusal, if the rule has one left. Where nothing can be counted every refusal stands: the
    /// host has a limit of its own.
    pub(super) fn refuse(&mut self, run: &Run) -> Refusal {
        let Some(directory) = &self.directory else {
            return Refusal::Stands;
        };
        *self.said.entry(run.rule.clone()).or_insert_with(|| {
            let path = directory.join(component(&run.rule));
            let count = std::fs::symlink_metadata(&path).map_or(0, |file| file.len());
            if count >= u64::from(run.attempts) {
                return Refusal::Released;
            }
            let _ = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(directory);
            let mut options = std::fs::File::options();
            let flags = (OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits();
            let file = options.append(true).create(true).mode(0o600).custom_flags(flags).open(&path);
            let _ = file.and_then(|mut file| file.write_all(b"."));
            Refusal::Stands
        })
    }
}
