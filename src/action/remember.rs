//! Adds what marks remember of an event to the journal of its session, before the answer is sent.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use super::place::{AccessMode, OpenDirectory};
use super::sweep::sweep;
use crate::history::{MarkId, NestedMarks, PlannedMark, key_digest};
use crate::journal::{self, LARGEST, NewLines, PATIENCE, SessionPlace, WrittenEvent};
use crate::names::digest;
use crate::record_place::JOURNALS;

/// What an event adds to the journal of its session.
#[derive(Clone, Debug, Default)]
pub struct JournalAdditions {
    /// The marks of the policy, if the session begins with the event.
    pub start: Option<BTreeSet<MarkId>>,
    /// The marks of the policy, if it was compiled for the event.
    pub policy: Option<BTreeSet<MarkId>>,
    /// The marks of policies of directories that the session is not in, as far as the journal does not have them.
    pub nested: Vec<NestedMarks>,
    /// Whether such a policy may have missed the event.
    pub has_nested_gap: bool,
    /// The marks that were asked for, and are looked for only from here on.
    pub asked: BTreeSet<MarkId>,
    /// What the marks remember of the event.
    pub marks: Vec<PlannedMark>,
}

impl JournalAdditions {
    /// Whether nothing is added, except perhaps the marks of the policy.
    #[must_use]
    pub fn is_empty_but_for_policy(&self) -> bool {
        let is_nested = !self.nested.is_empty() || self.has_nested_gap;
        self.start.is_none() && self.asked.is_empty() && self.marks.is_empty() && !is_nested
    }
}

/// Whether a session has a journal.
#[must_use]
pub fn has_journal(place: SessionPlace<'_>) -> bool {
    place.state.join(JOURNALS).join(place.file()).exists()
}

/// Adds to the journal of a session.
///
/// If that fails, the journal is removed, so that what is missing in it is unknown.
///
/// # Errors
/// Returns why nothing could be added.
pub fn remember(place: SessionPlace<'_>, of: WrittenEvent<'_>, added: &JournalAdditions) -> io::Result<()> {
    let directory = OpenDirectory::open_or_create_state(place.state)?.open_or_create(JOURNALS)?;
    let name = place.file();
    let written = append(&directory, &name, of, added);
    if written.is_err() {
        let _stays = directory.remove(&name);
    }
    written
}

fn append(directory: &OpenDirectory, name: &str, of: WrittenEvent<'_>, added: &JournalAdditions) -> io::Result<()> {
    let Some(mut file) = directory.locked(name, AccessMode::Append, PATIENCE)? else {
        return Err(io::Error::new(io::ErrorKind::TimedOut, "the journal is locked by another process"));
    };
    let length = file.metadata()?.len();
    if length == 0 {
        sweep(directory, name);
    }
    if length > LARGEST / 2 {
        return fold_and_append(directory, name, &mut file, of, added);
    }
    let (salt, mut text) = beginning(&mut file, length, of)?;
    // Only a new policy is compared with what the journal has: that is read in full.
    let known = match added.policy.is_some() && length > 0 {
        true => Some(read_whole(&mut file)?),
        false => None,
    };
    text.push_str(lines(&salt, known.as_deref(), of, added).text());
    file.write_all(text.as_bytes())
}

/// Returns the salt of a journal, and what is written in front of new lines: the first line of a new journal, or the end of
/// a line that was not finished.
fn beginning(file: &mut File, length: u64, of: WrittenEvent<'_>) -> io::Result<(String, String)> {
    if length == 0 {
        let process = std::process::id().to_le_bytes();
        let salt =
            format!("{:016x}", digest([&of.time.to_le_bytes()[..], &process, of.call.unwrap_or_default().as_bytes()]));
        let head = NewLines::head(&salt).text().to_owned();
        return Ok((salt, head));
    }
    let mut first = [0; 128];
    file.seek(SeekFrom::Start(0))?;
    let count = file.read(&mut first)?;
    let first = String::from_utf8_lossy(first.get(..count).unwrap_or_default()).into_owned();
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    let is_finished = last == *b"\n" && length.is_multiple_of(journal::BLOCK);
    let finished = if is_finished { String::new() } else { journal::completion(length) };
    // Without its salt, no key of the journal is found again, and its head says that nothing in it is known.
    Ok((journal::salt(&first).unwrap_or_default().to_owned(), finished))
}

/// Reads a whole journal.
fn read_whole(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the lines that are added.
fn lines(salt: &str, known: Option<&str>, of: WrittenEvent<'_>, added: &JournalAdditions) -> NewLines {
    let mut lines = NewLines::default();
    if let Some(marks) = &added.start {
        lines.start(marks, of.time);
    }
    if let Some(marks) = &added.policy
        && known.is_none_or(|known| journal::last_policy(known).as_ref() != Some(marks))
    {
        lines.policy(marks);
    }
    added.nested.iter().for_each(|policy| lines.nested(policy, |key| key_digest(salt.as_bytes(), key)));
    if added.has_nested_gap {
        lines.missed();
    }
    if !added.asked.is_empty() {
        lines.asked(&added.asked);
    }
    for mark in &added.marks {
        lines.mark(mark, of, |key| key_digest(salt.as_bytes(), key));
    }
    lines
}

/// Writes a shorter journal in place of a long one, and adds to it.
fn fold_and_append(
    directory: &OpenDirectory,
    name: &str,
    file: &mut File,
    of: WrittenEvent<'_>,
    added: &JournalAdditions,
) -> io::Result<()> {
    let text = read_whole(file)?;
    let mut folded = journal::folded(&text).unwrap_or(text);
    let salt = journal::salt(&folded).unwrap_or_default().to_owned();
    let new = lines(&salt, Some(&folded), of, added);
    folded.push_str(new.text());
    let next = format!("{name}.next");
    let _absent = directory.remove(&next);
    directory.file(&next, AccessMode::New)?.write_all(folded.as_bytes())?;
    directory.rename(&next, name)
}
