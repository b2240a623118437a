//! Decides which of several registrations acts on an event: a host starts all those with different arguments, at the
//! same time and with the same payload. One of them runs, records and notifies; the others only decide.
//!
//! A file for each session counts, for the last events, how often each registration has seen an event, and how often
//! one has acted. The n-th time that one registration sees an event is the n-th time for the others too, so that an
//! event that repeats, byte for byte, is acted on again. A registration whose commands may decide holds the lock of a
//! file while they run, and then removes the file: if another one finds the file with its lock free, it takes over from
//! one that died.
//!
//! If nothing can be kept, every registration acts.
#![expect(clippy::disallowed_methods, reason = "what was done long ago is no reason to leave it")]

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::place::{AccessMode, OpenDirectory};
use super::sweep::sweep;
use crate::names::file_name_component;
use crate::record_place::CLAIMS;

/// The number of most recent events that a session's file keeps.
const EVENTS: usize = 48;

/// The most bytes that are read of it.
const LARGEST: u64 = 64 << 10;

/// How long to wait for another hook that reads or writes the file.
const PATIENCE: Duration = Duration::from_millis(500);

/// A host starts all hooks of an event at once. An action longer ago was on another event, or forged before the event.
const TOGETHER: Duration = Duration::from_secs(10);

/// An event of one registration.
#[derive(Clone, Copy, Debug)]
pub struct RegisteredEvent<'s> {
    /// The session.
    pub session: &'s str,
    /// A hash that is the same for every registration of the event, and for no other event unless it repeats.
    pub event: u64,
    /// A hash that distinguishes this registration from the others.
    pub registration: u64,
    /// When the host stops waiting.
    pub deadline: Option<Instant>,
    /// Whether the pending commands may decide something.
    pub decides: DecisionRight,
}

/// Whether pending commands may decide about the event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecisionRight {
    /// A command may refuse.
    Yes,
    /// No command may refuse.
    No,
}

/// The role of this process in an event.
#[derive(Debug)]
pub enum ProcessRole {
    /// It performs all effects. The claim is released once commands are done.
    Actor(Option<Claim>),
    /// Another registration acts.
    Decider,
}

/// The right to act on an event; a process that ends without [`Claim::release`] did not finish acting.
#[derive(Debug)]
pub struct Claim {
    directory: OpenDirectory,
    name: String,
    _lock: File,
}

impl Claim {
    /// Releases the claim once the deciding commands are done.
    pub fn release(self) {
        // Removed while it is locked: nobody can find it and take it for that of a process that died.
        let _stays = self.directory.remove(&self.name);
    }
}

/// Claims an event.
#[must_use]
pub fn claim_event(state_dir: Option<&Path>, seen: &RegisteredEvent<'_>) -> ProcessRole {
    let kept = state_dir.map(|state_dir| try_claim(state_dir, seen, unix_milliseconds()));
    kept.and_then(Result::ok).unwrap_or(ProcessRole::Actor(None))
}

fn try_claim(state_dir: &Path, seen: &RegisteredEvent<'_>, now: u64) -> std::io::Result<ProcessRole> {
    let directory = OpenDirectory::open_or_create_state(state_dir)?.open_or_create(CLAIMS)?;
    let session = file_name_component(seen.session);
    let Some(mut file) = directory.locked(&session, AccessMode::Append, PATIENCE)? else {
        return Ok(ProcessRole::Actor(None));
    };
    let mut text = String::new();
    (&mut file).take(LARGEST).read_to_string(&mut text)?;
    if text.is_empty() {
        sweep(&directory, &session);
    }
    let mut entries: Vec<EventEntry> = text.lines().filter_map(EventEntry::read).collect();
    let at = entries.iter().position(|entry| entry.event == seen.event);
    let mut entry = at.map_or_else(|| EventEntry::new(seen.event), |at| entries.remove(at));
    let acts = entry.record_arrival(seen.registration, now);
    entries.push(entry);
    let dropped = entries.len().saturating_sub(EVENTS);
    let lines: String = entries.iter().skip(dropped).map(EventEntry::line).collect();
    let name = format!("{session}.{:016x}", seen.event);
    let lock = match (acts, seen.decides) {
        (true, DecisionRight::Yes) => directory.locked(&name, AccessMode::Append, Duration::ZERO)?,
        _ => None,
    };
    file.set_len(0)?;
    file.write_all(lines.as_bytes())?;
    drop(file);
    if acts {
        return Ok(ProcessRole::Actor(lock.map(|lock| Claim { directory, name, _lock: lock })));
    }
    if seen.decides == DecisionRight::No {
        return Ok(ProcessRole::Decider);
    }
    let left = seen.deadline.map_or(PATIENCE, |deadline| deadline.saturating_duration_since(Instant::now()));
    match directory.locked(&name, AccessMode::Read, left) {
        Ok(Some(lock)) => Ok(ProcessRole::Actor(Some(Claim { directory, name, _lock: lock }))),
        Ok(None) => Ok(ProcessRole::Decider),
        // The process that has acted removes it.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(ProcessRole::Decider),
        Err(error) => Err(error),
    }
}

/// Returns the clock's time in milliseconds.
fn unix_milliseconds() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// The state of an event in a session's file.
#[derive(Clone, PartialEq, Eq, Debug)]
struct EventEntry {
    event: u64,
    /// How often it was acted on, and when last.
    acted: u64,
    at: u64,
    /// The registrations that have seen it, each with how often.
    seen: Vec<(u64, u64)>,
}

impl EventEntry {
    fn new(event: u64) -> Self {
        Self { event, acted: 0, at: 0, seen: Vec::new() }
    }

    /// Counts that a registration sees the event; returns whether it is the first to see it this time.
    fn record_arrival(&mut self, registration: u64, now: u64) -> bool {
        let at = self.seen.iter().position(|(who, _)| *who == registration).unwrap_or_else(|| {
            self.seen.push((registration, 0));
            self.seen.len() - 1
        });
        let Some((_, times)) = self.seen.get_mut(at) else { return true };
        *times += 1;
        let is_long_ago = u128::from(now.abs_diff(self.at)) > TOGETHER.as_millis();
        if *times <= self.acted && !is_long_ago {
            return false;
        }
        // A registration that missed one, or comes long after it, is level with the others from here on.
        self.acted = self.acted.max(*times);
        *times = self.acted;
        self.at = now;
        true
    }

    fn line(&self) -> String {
        let seen: String = self.seen.iter().map(|(who, times)| format!(" {who:016x}={times}")).collect();
        format!("{:016x} {} {}{seen}\n", self.event, self.acted, self.at)
    }

    fn read(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let event = u64::from_str_radix(words.next()?, 16).ok()?;
        let (acted, at) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let one = |word: &str| {
            let (who, times) = word.split_once('=')?;
            Some((u64::from_str_radix(who, 16).ok()?, times.parse().ok()?))
        };
        Some(Self { event, acted, at, seen: words.map(one).collect::<Option<_>>()? })
    }
}

#[cfg(test)]
mod tests;
