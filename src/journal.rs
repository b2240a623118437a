//! The journal of a session: the file in the user's state directory that holds what marks remember.
//!
//! Each line is one entry and ends with a checksum, which shows whether a part of the line is missing. A hook parses
//! only the lines on which an answer depends. Keys and agents are stored as digests, salted for each file. What cannot
//! be read is unknown, never absent.

mod end;
mod lines;
mod lookup;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::time::Duration;

use crate::history::{
    Actor, CallDigest, Certainty, EventDigest, History, InputDigest, KeyDigest, Keys, MarkId, Moment, NestedMarks,
    PastEvent, PlannedMark, PlannedMoment, PolicyAge,
};
use crate::names::{digest, file_name_component};
use crate::place::{AccessMode, OpenDirectory};
use crate::record_place::JOURNALS;
use crate::schema::Event;

pub use end::JournalEnd;
use lines::{PlacedLine, checked, line_at, lines_from};
pub use lookup::Journal;
use lookup::moment;

/// The length of a block in bytes. The length of a journal is a multiple of it.
pub const BLOCK: u64 = lines::BLOCK as u64;

/// The maximum size of a journal that is read, in bytes. The writer shortens ([`folded`]) a journal of half this size.
pub const LARGEST: u64 = 1 << 20;

/// The number of last events of each mark that a fold keeps.
pub const KEPT_EVENTS: usize = 64;

/// The time to wait for other hooks of the session. Each holds the file for less than a millisecond.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// The word in a `nested` line which says that the policy has watched for its marks since the session began.
const WHOLE: &str = "whole";

/// The first letter of the text that a `mark` line has instead of a call for an event that ends none. The call's tool
/// and input follow if the event is the one before a call.
const NO_CALL: char = '-';

/// The text in a `mark` line for an id or an agent that is not known, as long as the digest in its place.
const UNKNOWN: &str = "????????????????";

/// The beginning of the first line of a journal; the salt follows.
const HEAD: &str = "rules-journal-2";

/// Identifies the journal of a session.
#[derive(Clone, Copy, Debug)]
pub struct SessionPlace<'s> {
    /// The user's state directory.
    pub state: &'s Path,
    /// The id of the session.
    pub session: &'s str,
}

impl SessionPlace<'_> {
    /// Returns the name of the journal's file.
    #[must_use]
    pub fn file(&self) -> String {
        file_name_component(self.session)
    }
}

/// Returns the salt of a new journal: random bits, and the digest of the session, so that the journal of another
/// session is not taken for this one's.
#[must_use]
pub fn new_salt(session: &str, random: u64) -> String {
    format!("{random:016x}{}", session_digest(session))
}

/// Whether a journal with this salt is that of a session.
#[must_use]
pub fn is_of_session(salt: &str, session: &str) -> bool {
    salt.ends_with(&session_digest(session))
}

fn session_digest(session: &str) -> String {
    format!("{:016x}", digest([session.as_bytes()]))
}

/// Reads the journal of a session. If there is none, returns an empty journal, in which everything is unknown.
///
/// # Errors
/// The reason why the journal cannot be read.
pub fn read(place: SessionPlace<'_>) -> Result<Journal, String> {
    parse_of_session(text_or_nothing(place)?, place)
}

/// Reads the journal of a session as it was when it ended at `end`.
///
/// # Errors
/// The reason why the journal cannot be read, or that it was shortened since.
pub fn read_until(place: SessionPlace<'_>, end: JournalEnd) -> Result<Journal, String> {
    let text = end.cut(text_or_nothing(place)?);
    parse_of_session(text.ok_or("the session's journal was shortened after the event")?, place)
}

/// Reads the bytes of a journal, which are none if it does not exist.
fn text_or_nothing(place: SessionPlace<'_>) -> Result<Vec<u8>, String> {
    match read_text(place) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(format!("the session's journal cannot be used: {error}")),
    }
}

/// Indexes the text of a journal, which must be that of the session.
fn parse_of_session(text: Vec<u8>, place: SessionPlace<'_>) -> Result<Journal, String> {
    let journal = Journal::new(text);
    // A journal with a damaged first line has no salt, and nothing in it is known.
    let salt = String::from_utf8_lossy(&journal.stated().salt);
    match salt.is_empty() || is_of_session(&salt, place.session) {
        true => Ok(journal),
        false => Err("its journal is that of another session".to_owned()),
    }
}

/// Reads the bytes of a journal. Refuses one that other accounts can write to.
fn read_text(place: SessionPlace<'_>) -> std::io::Result<Vec<u8>> {
    let directory = OpenDirectory::open_existing_state(place.state)?.private(JOURNALS)?;
    drop(directory.private_file(&place.file())?);
    // The lock keeps it from reading a part of a line that another hook is writing. Where nothing can be appended, the
    // journal may lack events.
    let Some(file) = directory.locked(&place.file(), AccessMode::Append, PATIENCE)? else {
        return Err(std::io::Error::new(ErrorKind::TimedOut, "it is locked by another process"));
    };
    let length = file.metadata()?.len().min(LARGEST).saturating_add(1);
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > LARGEST {
        return Err(std::io::Error::other(format!("it is larger than {} KiB", LARGEST >> 10)));
    }
    Ok(bytes)
}

/// Parses all lines of a journal. A damaged line may have been any entry, which makes the past before it uncertain.
#[must_use]
pub fn parse(text: &str) -> History {
    let mut parser = Parser::default();
    let Some(head) = line_at(text.as_bytes(), 0) else { return parser.history };
    parser.head(head_salt(head.bytes));
    lines_from(text.as_bytes(), 1).for_each(|line| parser.line(line));
    parser.history
}

/// Returns the salt of a journal; `None` if its first line is damaged.
#[must_use]
pub fn salt(text: &str) -> Option<&str> {
    head_salt(line_at(text.as_bytes(), 0)?.bytes)
}

/// Returns the text that completes an unfinished last line of a journal with this length in bytes.
#[must_use]
pub fn completion(length: u64) -> String {
    lines::completion(length)
}

fn head_salt(line: &[u8]) -> Option<&str> {
    checked(line)?.strip_prefix(HEAD)?.strip_prefix(' ')
}

/// Returns the marks of the last policy in a journal; `None` if it names none.
#[must_use]
pub fn last_policy(text: &str) -> Option<BTreeSet<MarkId>> {
    let policy_in = |line: PlacedLine<'_>| {
        if !line.bytes.starts_with(b"start") && !line.bytes.starts_with(b"policy") {
            return None;
        }
        let mut words = checked(line.bytes)?.split(' ');
        let word = words.next()?;
        matches!(word, "start" | "policy").then(|| ids(words.next()?))?
    };
    lines_from(text.as_bytes(), 1).filter_map(policy_in).last()
}

/// The state of parsing a journal.
#[derive(Default)]
struct Parser {
    history: History,
    /// The marks in the last `start` or `policy` line; `None` before the first such line.
    policy: Option<BTreeSet<MarkId>>,
    /// Since which line the policy lacks a mark that an earlier one had, for each such mark.
    unwatched_from: BTreeMap<MarkId, Moment>,
    /// The events so far, to skip those that another registration reported already.
    seen: BTreeSet<(MarkId, EventDigest)>,
}

impl Parser {
    /// Records the salt of the first line; without it, nothing in the journal is known.
    fn head(&mut self, salt: Option<&str>) {
        match salt {
            Some(salt) => self.history.salt = salt.as_bytes().to_vec(),
            None => self.history.unseen_until.push(Moment::MAX),
        }
    }

    /// Parses a line, which may have been any entry if it is damaged.
    fn line(&mut self, line: PlacedLine<'_>) {
        let moment = moment(line.block);
        if checked(line.bytes).and_then(|entry| self.entry(entry, moment)).is_none() {
            self.history.unseen_until.push(moment);
        }
    }

    /// Parses an entry, the text of a line without its checksum; `None` if it is malformed.
    fn entry(&mut self, entry: &str, moment: Moment) -> Option<()> {
        let mut words = entry.split_ascii_whitespace();
        match words.next()? {
            "start" => {
                let marks = ids(words.next()?)?;
                if self.policy.is_none() {
                    self.history.started = words.next().and_then(|time| time.parse().ok());
                }
                self.set_policy(&marks, 0, moment);
            }
            "policy" => self.set_policy(&ids(words.next()?)?, moment, moment),
            "asked" => {
                for id in ids(words.next()?)? {
                    self.history.known_from.entry(id).or_insert(moment);
                }
            }
            "nested" => {
                let (directory, marks) = (KeyDigest(hex(words.next()?)?), ids(words.next()?)?);
                let age = if words.next()? == WHOLE { PolicyAge::WholeSession } else { PolicyAge::Unclear };
                self.history.note_nested(directory, &marks, age, moment);
            }
            "missed" => self.history.note_nested_gap(moment),
            "begin" => {
                let (id, call) = (MarkId(hex(words.next()?)?), CallDigest(hex(words.next()?)?));
                self.history.known_from.entry(id).or_insert(moment);
                self.history.begin(id, call, words.next().and_then(directory_of), moment);
            }
            "dropped" => {
                let (id, certain, possible) = (MarkId(hex(words.next()?)?), words.next()?, words.next()?);
                self.history.dropped.insert(id, (certain.parse().ok()?, possible.parse().ok()?, moment));
            }
            "mark" => self.mark(&mut words, moment)?,
            _ => return None,
        }
        Some(())
    }

    /// Sets the marks of the policy that holds from the line at `moment` on. A mark that the previous policy lacked is
    /// known from there on, and one that only the previous policy has is not known until a later line names it. If there
    /// is no previous policy, the marks are known from `first_known` on: 0, the beginning of the session, for a `start`
    /// line.
    fn set_policy(&mut self, ids: &BTreeSet<MarkId>, first_known: Moment, moment: Moment) {
        let previous = self.policy.replace(ids.clone());
        for id in previous.iter().flatten().filter(|id| !ids.contains(id)) {
            self.history.known_from.remove(id);
            self.unwatched_from.insert(*id, moment);
        }
        for id in ids {
            self.unwatched_from.remove(id);
            let was_missing = previous.as_ref().is_some_and(|previous| !previous.contains(id));
            match self.history.known_from.get_mut(id) {
                // While the previous policy held, nothing looked for the mark.
                Some(known_from) if was_missing => *known_from = moment,
                Some(_) => {}
                None => {
                    self.history.known_from.insert(*id, if previous.is_none() { first_known } else { moment });
                }
            }
        }
    }

    /// Parses the words of a `mark` line, an event that a mark remembers; `None` if they are malformed.
    fn mark<'l>(&mut self, words: &mut impl Iterator<Item = &'l str>, moment: Moment) -> Option<()> {
        let mark = MarkId(hex(words.next()?)?);
        let time = hex(words.next()?)?;
        let (event, call) = (EventDigest(hex(words.next()?)?), words.next()?);
        let certainty = Certainty::of_letter(words.next()?.chars().next()?)?;
        let actor = match words.next()? {
            UNKNOWN => Actor::Unknown,
            id => Actor::Known(KeyDigest(hex(id)?)),
        };
        let may_end_later = words.next()? == "later";
        let mut keys = Keys::default();
        for key in words.next()?.split(',').filter(|key| *key != "-") {
            match key {
                "*" => keys.has_others = true,
                key => {
                    keys.certain.insert(KeyDigest(hex(key)?));
                }
            }
        }
        let pattern = words.next().and_then(|number| number.parse().ok());
        let began = match call {
            call if call.starts_with(NO_CALL) => Some(moment),
            UNKNOWN => None,
            call => self.history.beginning(mark, CallDigest(hex(call)?)),
        };
        self.history.known_from.entry(mark).or_insert(moment);
        if !self.seen.insert((mark, event)) {
            return Some(());
        }
        self.history.events.push(PastEvent {
            mark,
            certainty,
            actor,
            keys,
            event,
            input: call.strip_prefix(NO_CALL).and_then(hex).map(InputDigest::new),
            began,
            reported: moment,
            may_end_later,
            pattern,
            time,
        });
        Some(())
    }
}

/// Parses a list of marks; `None` if it is malformed.
fn ids(list: &str) -> Option<BTreeSet<MarkId>> {
    list.split(',').filter(|id| *id != "-").map(|id| hex(id).map(MarkId)).collect()
}

fn hex(word: &str) -> Option<u64> {
    u64::from_str_radix(word, 16).ok()
}

/// Returns a directory as a word of a line: bytes that are not letters, digits or one of `/._-` become `%` and two
/// hexadecimal digits.
fn directory_word(directory: &str) -> String {
    let mut word = String::with_capacity(directory.len());
    for byte in directory.bytes() {
        match byte {
            b'/' | b'.' | b'_' | b'-' => word.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => word.push(char::from(byte)),
            byte => word.push_str(&format!("%{byte:02x}")),
        }
    }
    word
}

/// Returns the directory of a word that [`directory_word`] made; `None` if it is malformed.
fn directory_of(word: &str) -> Option<String> {
    let mut pieces = word.split('%');
    let mut bytes = pieces.next()?.as_bytes().to_vec();
    for piece in pieces {
        let (code, rest) = piece.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(code, 16).ok()?);
        bytes.extend_from_slice(rest.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

/// The event whose marks are written to a journal.
#[derive(Clone, Copy, Debug)]
pub struct WrittenEvent<'e> {
    /// The event.
    pub event: Event,
    /// Its digest, the same in every registration's hook; `None` if the host does not identify the event.
    pub digest: Option<EventDigest>,
    /// The id of its call, if it has one.
    pub call: Option<&'e str>,
    /// The tool and the input of a call that is about to run; `None` for any other event.
    pub input: Option<InputDigest>,
    /// The time, in milliseconds since 1970.
    pub time: u64,
}

/// Lines to add to a journal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NewLines(String);

impl NewLines {
    /// Returns the first line of a journal.
    #[must_use]
    pub fn head(salt: &str) -> Self {
        let mut lines = Self::default();
        lines.push(&format!("{HEAD} {salt}"));
        lines
    }

    /// Returns the text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Adds that a session begins at a time, and that these marks are looked for from its beginning.
    pub fn start(&mut self, marks: &BTreeSet<MarkId>, time: u64) {
        self.push(&format!("start {} {time}", id_list(marks)));
    }

    /// Adds the marks of a nested policy.
    pub fn nested(&mut self, policy: &NestedMarks, key: impl Fn(&str) -> KeyDigest) {
        let age = if policy.age == PolicyAge::WholeSession { WHOLE } else { "now" };
        self.push(&format!("nested {:x} {} {age}", key(&policy.directory).0, id_list(&policy.marks)));
    }

    /// Adds that a nested policy may have missed an event.
    pub fn missed(&mut self) {
        self.push("missed");
    }

    /// Adds the marks of the session's policy from here on.
    pub fn policy(&mut self, marks: &BTreeSet<MarkId>) {
        self.push(&format!("policy {}", id_list(marks)));
    }

    /// Adds that these marks are looked for from here on.
    pub fn asked(&mut self, marks: &BTreeSet<MarkId>) {
        self.push(&format!("asked {}", id_list(marks)));
    }

    /// Adds how many events of a mark a fold has dropped.
    pub fn dropped(&mut self, mark: MarkId, certain: usize, possible: usize) {
        self.push(&format!("dropped {:x} {certain} {possible}", mark.0));
    }

    /// Adds what a mark remembers of an event.
    pub fn mark(&mut self, mark: &PlannedMark, written: WrittenEvent<'_>, key: impl Fn(&str) -> KeyDigest) {
        let (certainty, keys, may_end_later, pattern) = match &mark.moment {
            PlannedMoment::Happens { certainty, keys, may_end_later, pattern } => {
                (certainty, keys, may_end_later, pattern)
            }
            PlannedMoment::Begins(directory) => {
                if let Some(call) = written.call {
                    let (call, directory) = (CallDigest::of(call).0, directory_word(directory));
                    self.push(&format!("begin {:016x} {call:016x} {directory}", mark.id.0));
                }
                return;
            }
        };
        // Without an id from the host, the event is taken for a new one: its time is used as the id.
        let event = written.digest.map_or_else(|| digest([&written.time.to_le_bytes()[..]]), |event| event.0);
        let call = match written.call {
            _ if !written.event.ends_call() => input_text(written.input),
            Some(call) => format!("{:016x}", CallDigest::of(call).0),
            None => UNKNOWN.to_owned(),
        };
        let letter = certainty.letter();
        let actor = mark.actor.as_ref().map(|id| format!("{:016x}", key(id).0));
        let later = if *may_end_later { "later" } else { "ended" };
        let keys = keys.digested(key);
        let mut digests: Vec<String> = keys.certain.iter().map(|key| format!("{:016x}", key.0)).collect();
        if keys.has_others {
            digests.push("*".to_owned());
        }
        let keys = if digests.is_empty() { "-".to_owned() } else { digests.join(",") };
        let actor = actor.as_deref().unwrap_or(UNKNOWN);
        let (id, time) = (mark.id.0, written.time);
        // The fields are at the offsets of `MarkColumn`.
        let pattern = pattern.map(|number| format!(" {number}")).unwrap_or_default();
        self.push(&format!("mark  {id:016x} {time:016x} {event:016x} {call} {letter} {actor} {later} {keys}{pattern}"));
    }

    /// Adds an entry as a line with its checksum.
    fn push(&mut self, entry: &str) {
        self.0.push_str(&lines::line(entry));
    }
}

/// Returns what a `mark` line has instead of a call for an event that ends none.
fn input_text(input: Option<InputDigest>) -> String {
    input.map_or_else(|| NO_CALL.to_string().repeat(16), |input| format!("{NO_CALL}{:015x}", input.bits()))
}

fn id_list(marks: &BTreeSet<MarkId>) -> String {
    if marks.is_empty() {
        return "-".to_owned();
    }
    marks.iter().map(|mark| format!("{:x}", mark.0)).collect::<Vec<_>>().join(",")
}

/// Returns a shorter journal, which keeps the last [`KEPT_EVENTS`] events of each mark and only counts the older ones.
/// `None` if it would not be shorter.
#[must_use]
pub fn folded(text: &str) -> Option<String> {
    let salt = salt(text)?;
    let history = parse(text);
    let mut by_mark: BTreeMap<MarkId, Vec<&PastEvent>> = BTreeMap::new();
    history.events.iter().for_each(|event| by_mark.entry(event.mark).or_default().push(event));
    let first_kept: BTreeMap<MarkId, Moment> = by_mark
        .iter()
        .filter_map(|(mark, events)| Some((*mark, events.get(events.len().checked_sub(KEPT_EVENTS)?)?.reported)))
        .collect();
    let is_kept = |event: &PastEvent| first_kept.get(&event.mark).is_none_or(|first| event.reported >= *first);
    let mut out = NewLines::head(salt);
    for (mark, events) in &by_mark {
        let dropped: Vec<_> = events.iter().filter(|event| !is_kept(event)).collect();
        let certain = dropped.iter().filter(|event| event.certainty.counts()).count();
        let before = history.dropped.get(mark).copied().unwrap_or_default();
        if !dropped.is_empty() || before.0 + before.1 > 0 {
            out.dropped(*mark, before.0 + certain, before.1 + dropped.len() - certain);
        }
    }
    let kept = || history.events.iter().filter(|event| is_kept(event));
    let kept_events: BTreeSet<Moment> = kept().map(|event| event.reported).collect();
    let mut kept_calls: BTreeSet<Moment> = kept().filter_map(|event| event.began).collect();
    kept_calls.extend(open_calls(&history));
    for line in lines_from(text.as_bytes(), 1) {
        let moment = moment(line.block);
        let line = std::str::from_utf8(line.bytes).unwrap_or_default();
        let word = line.split(' ').next().unwrap_or_default();
        let keeps = match word {
            "mark" => kept_events.contains(&moment),
            "begin" => kept_calls.contains(&moment),
            "dropped" => false,
            _ => true,
        };
        if keeps {
            out.0.push_str(line);
        }
    }
    (out.0.len() < text.len()).then_some(out.0)
}

/// Returns when calls without an end began, because they may still run: the last [`KEPT_EVENTS`] of each mark.
fn open_calls(history: &History) -> Vec<Moment> {
    let ended: BTreeSet<Moment> = history.events.iter().filter_map(|event| event.began).collect();
    let mut open: BTreeMap<MarkId, BTreeSet<Moment>> = BTreeMap::new();
    for ((mark, _), began) in &history.beginnings {
        if !ended.contains(began) {
            open.entry(*mark).or_default().insert(*began);
        }
    }
    open.values().flat_map(|began| began.iter().rev().take(KEPT_EVENTS)).copied().collect()
}

#[cfg(test)]
mod tests;
