//! Decides which of several registrations acts on an event: a host starts all that differ in an argument, at the same
//! time and with the same payload. One of them runs, records and notifies; the others only decide.
//!
//! A file for each session counts, for the last events, how often each registration has seen an event, and how often
//! one has acted. The n-th time that one registration sees an event is the n-th time for the others too, so that an
//! event that repeats, byte for byte, is acted on again. A registration whose commands decide holds the lock of a file
//! while they run, and then removes the file: another one that finds the file with its lock free takes over from one
//! that died.
//!
//! Where nothing can be kept, every registration acts.
#![expect(clippy::disallowed_methods, reason = "what was done long ago is no reason to leave it")]

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::place::{Access, Directory};
use super::sweep::sweep;
use crate::names::component;
use crate::record_place::CLAIMS;

/// The most events that a session's file keeps, the last ones.
const EVENTS: usize = 48;

/// The most bytes of it that are read.
const LARGEST: u64 = 64 << 10;

/// How long another hook that reads or writes it is waited for.
const PATIENCE: Duration = Duration::from_millis(500);

/// A host starts all hooks of an event at once. What was acted on longer ago was another event, or somebody who made
/// it up before it came.
const TOGETHER: Duration = Duration::from_secs(10);

/// One event, as one registration sees it.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'s> {
    /// The session.
    pub session: &'s str,
    /// What is the same for every registration of the event, and for no other event but one that comes again.
    pub event: u64,
    /// What tells this registration from the others.
    pub registration: u64,
    /// When the host stops waiting.
    pub deadline: Option<Instant>,
    /// What there is to do may decide something.
    pub decides: Deciding,
}

/// Whether what there is to do may decide about the event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deciding {
    /// A command may refuse.
    Yes,
    /// Nothing of it may.
    No,
}

/// What this process does about an event.
#[derive(Debug)]
pub enum Part {
    /// All that follows from it. The claim is let go once commands are done.
    Acts(Option<Claim>),
    /// Another registration acts.
    Decides,
}

/// The right to act on an event; a process that ends without [`Claim::done`] has not done it.
#[derive(Debug)]
pub struct Claim {
    directory: Directory,
    name: String,
    _lock: File,
}

impl Claim {
    /// Says that what decides is done.
    pub fn done(self) {
        // While its lock is held: nobody can find it and take it for one of a process that died.
        let _stays = self.directory.remove(&self.name);
    }
}

/// Claims an event.
#[must_use]
pub fn claim(state_dir: Option<&Path>, seen: &Seen<'_>) -> Part {
    let kept = state_dir.map(|state_dir| claimed(state_dir, seen, now()));
    kept.and_then(Result::ok).unwrap_or(Part::Acts(None))
}

fn claimed(state_dir: &Path, seen: &Seen<'_>, now: u64) -> std::io::Result<Part> {
    let directory = Directory::of_state(state_dir)?.enter(CLAIMS)?;
    let session = component(seen.session);
    let Some(mut file) = directory.locked(&session, Access::Append, PATIENCE)? else { return Ok(Part::Acts(None)) };
    let mut text = String::new();
    (&mut file).take(LARGEST).read_to_string(&mut text)?;
    if text.is_empty() {
        sweep(&directory, &session);
    }
    let mut entries: Vec<Entry> = text.lines().filter_map(Entry::read).collect();
    let at = entries.iter().position(|entry| entry.event == seen.event);
    let mut entry = at.map_or_else(|| Entry::new(seen.event), |at| entries.remove(at));
    let acts = entry.arrive(seen.registration, now);
    entries.push(entry);
    let dropped = entries.len().saturating_sub(EVENTS);
    let lines: String = entries.iter().skip(dropped).map(Entry::line).collect();
    let name = format!("{session}.{:016x}", seen.event);
    let lock = match (acts, seen.decides) {
        (true, Deciding::Yes) => directory.locked(&name, Access::Append, Duration::ZERO)?,
        _ => None,
    };
    file.set_len(0)?;
    file.write_all(lines.as_bytes())?;
    drop(file);
    if acts {
        return Ok(Part::Acts(lock.map(|lock| Claim { directory, name, _lock: lock })));
    }
    if seen.decides == Deciding::No {
        return Ok(Part::Decides);
    }
    let left = seen.deadline.map_or(PATIENCE, |deadline| deadline.saturating_duration_since(Instant::now()));
    match directory.locked(&name, Access::Read, left) {
        Ok(Some(lock)) => Ok(Part::Acts(Some(Claim { directory, name, _lock: lock }))),
        Ok(None) => Ok(Part::Decides),
        // It is removed by who has done it.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Part::Decides),
        Err(error) => Err(error),
    }
}

/// Returns the milliseconds of the clock.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// What a session's file says of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Entry {
    event: u64,
    /// How often somebody has acted on it, and when the last time.
    acted: u64,
    at: u64,
    /// How often each registration has seen it.
    seen: Vec<(u64, u64)>,
}

impl Entry {
    fn new(event: u64) -> Self {
        Self { event, acted: 0, at: 0, seen: Vec::new() }
    }

    /// Counts that a registration sees the event; tells whether it is the first to see it this time.
    fn arrive(&mut self, registration: u64, now: u64) -> bool {
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
        // Who has missed one, or has come long after it, is level with the others from here on.
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
