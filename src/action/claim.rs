//! Decides which of several registrations acts on an event. A host starts the processes of all registrations that
//! differ in their arguments at the same time, with the same payload. One of these processes runs commands, records and
//! notifies; the others only decide.
//!
//! Each session has a file. For each of the last events, the file counts how often each registration has seen the
//! event, and how often any registration has acted on it. A registration that sees the event for the n-th time, because
//! the same payload has come again, acts if fewer than n actions are counted.
//!
//! New counts are a new line at the end of the file, and the last line of an event is valid. A long file is replaced by
//! a shorter one. So a process that is killed loses no counts but its own.
//!
//! If the commands may decide about the event, the process that runs them also holds a lock on a file for the event,
//! and removes the file once they have ended. Another process that finds this file without a lock concludes that the
//! first one has died, and takes over.
//!
//! If nothing can be written, every registration acts.
#![expect(clippy::disallowed_methods, reason = "what was done long ago is no reason to leave it")]

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use super::place::{AccessMode, OpenDirectory};
use super::sweep::sweep;
use crate::names::file_name_component;
use crate::record_place::CLAIMS;
use crate::time::unix_milliseconds;

/// The size in bytes from which a session's file is replaced by a shorter one.
const MAX_FILE_BYTES: usize = 16 << 10;

/// The maximum number of bytes of a replaced file, which has the counts of the most recent events.
const MAX_KEPT_BYTES: usize = MAX_FILE_BYTES / 2;

/// The end of a line that a process could not finish, because the disk was full.
const UNFINISHED: &str = " ?\n";

/// How long to wait for another process that has locked the file.
const PATIENCE: Duration = Duration::from_millis(500);

/// The time within which a host starts all processes of an event. An action longer ago belongs to an earlier event with
/// the same payload, or is forged.
const MAX_START_INTERVAL: Duration = Duration::from_secs(10);

/// An event, as the process of one registration sees it.
#[derive(Clone, Copy, Debug)]
pub struct RegisteredEvent<'s> {
    /// The session.
    pub session: &'s str,
    /// A hash that is equal for all registrations of the event. Another event has the same hash only if its payload is
    /// the same.
    pub event: u64,
    /// A hash that distinguishes this registration from the others.
    pub registration: u64,
    /// The time at which this process stops waiting for another one that acts.
    pub deadline: Option<Instant>,
    /// Whether the commands that are to run may decide about the event.
    pub decides: DecisionRight,
}

/// Whether the commands that are to run may decide about the event.
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
    /// This process performs all effects. If it has a claim, it releases it once the commands have ended.
    Actor(Option<Claim>),
    /// This process only decides: that of another registration acts.
    Decider,
}

/// The right to act on an event, held as the lock on a file. A process that ends without [`Claim::release`] has not
/// finished, so another one may take over.
#[derive(Debug)]
pub struct Claim {
    directory: OpenDirectory,
    /// The name of the locked file.
    name: String,
    /// The locked file.
    _lock: File,
}

impl Claim {
    /// Releases the claim. Called once the commands have ended.
    pub fn release(self) {
        // The file is removed while it is locked, so that no process finds it unlocked and concludes that this one has
        // died.
        let _stays = self.directory.remove(&self.name);
    }
}

/// Returns the role of this process in an event. If the state cannot be read or written, the process acts.
#[must_use]
pub fn claim_event(state_dir: Option<&Path>, seen: &RegisteredEvent<'_>) -> ProcessRole {
    let role = state_dir.map(|state_dir| try_claim(state_dir, seen, unix_milliseconds()));
    role.and_then(Result::ok).unwrap_or(ProcessRole::Actor(None))
}

/// Counts the event in the session's file, and returns the role of this process. If another process acts and its
/// commands may decide, this one waits until they have ended, and takes over if that process dies.
fn try_claim(state_dir: &Path, seen: &RegisteredEvent<'_>, now: u64) -> std::io::Result<ProcessRole> {
    let directory = OpenDirectory::open_or_create_state(state_dir)?.open_or_create(CLAIMS)?;
    let session = file_name_component(seen.session);
    let Some(mut file) = directory.locked(&session, AccessMode::Append, PATIENCE)? else {
        return Ok(ProcessRole::Actor(None));
    };
    let text = read_whole(&mut file)?;
    if text.is_empty() {
        sweep(&directory, &session);
    }
    let mut entry = EventEntry::find_last(&text, seen.event).unwrap_or_else(|| EventEntry::new(seen.event));
    let acts = entry.record_arrival(seen.registration, now);
    let lock_name = format!("{session}.{:016x}", seen.event);
    let lock = match (acts, seen.decides) {
        (true, DecisionRight::Yes) => directory.locked(&lock_name, AccessMode::Append, Duration::ZERO)?,
        _ => None,
    };
    append(&directory, &session, &mut file, &text, &entry.line())?;
    drop(file);
    if acts {
        return Ok(ProcessRole::Actor(lock.map(|lock| Claim { directory, name: lock_name, _lock: lock })));
    }
    if seen.decides == DecisionRight::No {
        return Ok(ProcessRole::Decider);
    }
    let wait = seen.deadline.map_or(PATIENCE, |deadline| deadline.saturating_duration_since(Instant::now()));
    match directory.locked(&lock_name, AccessMode::Read, wait) {
        Ok(Some(lock)) => Ok(ProcessRole::Actor(Some(Claim { directory, name: lock_name, _lock: lock }))),
        Ok(None) => Ok(ProcessRole::Decider),
        // The process that acted has finished and removed the file.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(ProcessRole::Decider),
        Err(error) => Err(error),
    }
}

/// Reads a session's file. What is not text has no counts.
fn read_whole(file: &mut File) -> std::io::Result<String> {
    let mut bytes = Vec::with_capacity(usize::try_from(file.metadata()?.len()).unwrap_or(0).min(MAX_FILE_BYTES) + 1);
    // A file that is longer was not written by this program.
    file.take(MAX_FILE_BYTES as u64 * 2).read_to_end(&mut bytes)?;
    Ok(String::from_utf8(bytes).unwrap_or_default())
}

/// Appends a line to the locked file of a session, whose text is given, or replaces the file if it is long.
fn append(directory: &OpenDirectory, name: &str, file: &mut File, text: &str, line: &str) -> std::io::Result<()> {
    if text.len() + line.len() <= MAX_FILE_BYTES && !(text.is_empty() && file.metadata()?.len() > 0) {
        // The mark makes an unfinished line unreadable.
        let completion = if text.is_empty() || text.ends_with('\n') { "" } else { UNFINISHED };
        return file.write_all(format!("{completion}{line}").as_bytes());
    }
    directory.replace(name, (recent_lines(text) + line).as_bytes())
}

/// Returns the last lines of a file, as many as are kept when it is replaced. An unfinished line is left out.
fn recent_lines(text: &str) -> String {
    let mut room = MAX_KEPT_BYTES;
    let mut lines: Vec<&str> = Vec::new();
    for line in text.split_inclusive('\n').rev().filter(|line| line.ends_with('\n')) {
        let Some(left) = room.checked_sub(line.len()) else { break };
        room = left;
        lines.push(line);
    }
    lines.into_iter().rev().collect()
}

/// The counts for one event: a line in the file of a session.
#[derive(Clone, PartialEq, Eq, Debug)]
struct EventEntry {
    event: u64,
    /// How often a registration has acted on the event.
    acted: u64,
    /// The time of the last action, in milliseconds since 1970.
    at: u64,
    /// The registrations that have seen the event, each with the number of times.
    seen: Vec<(u64, u64)>,
}

impl EventEntry {
    fn new(event: u64) -> Self {
        Self { event, acted: 0, at: 0, seen: Vec::new() }
    }

    /// Counts that a registration sees the event. Returns whether it acts, which it does if no other registration has
    /// acted on this occurrence of the event.
    fn record_arrival(&mut self, registration: u64, now: u64) -> bool {
        let at = self.seen.iter().position(|(who, _)| *who == registration).unwrap_or_else(|| {
            self.seen.push((registration, 0));
            self.seen.len() - 1
        });
        let Some((_, times)) = self.seen.get_mut(at) else { return true };
        *times += 1;
        let is_long_ago = u128::from(now.abs_diff(self.at)) > MAX_START_INTERVAL.as_millis();
        if *times <= self.acted && !is_long_ago {
            return false;
        }
        // A registration that has missed an occurrence, or comes long after the last action, is set to the count of the
        // others.
        self.acted = self.acted.max(*times);
        *times = self.acted;
        self.at = now;
        true
    }

    /// Returns the entry as a line of the file.
    fn line(&self) -> String {
        let seen: String = self.seen.iter().map(|(who, times)| format!(" {who:016x}={times}")).collect();
        format!("{:016x} {} {}{seen}\n", self.event, self.acted, self.at)
    }

    /// Returns the last readable counts of an event in the text of a file.
    fn find_last(text: &str, event: u64) -> Option<Self> {
        let prefix = format!("{event:016x} ");
        text.lines().rev().filter(|line| line.starts_with(&prefix)).find_map(Self::read)
    }

    /// Parses a line of the file; `None` if it is damaged.
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
