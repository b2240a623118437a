//! Writes to the journal of a session what its marks remember of an event, before the answer is sent.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use super::place::{AccessMode, OpenDirectory, refuse_unless_private};
use super::sweep::sweep_from;
use crate::history::{MarkId, NestedMarks, PlannedMark, key_digest};
use crate::journal::{self, LARGEST, NewLines, PATIENCE, SessionPlace, WrittenEvent};
use crate::names::digest;
use crate::record_place::JOURNALS;

/// The number of journals from which the oldest ones are removed: many short sessions must not end the budget of a long
/// one.
const MAX_JOURNALS: usize = 1_024;

/// The lines that an event adds to the journal of its session.
#[derive(Clone, Debug, Default)]
pub struct JournalAdditions {
    /// The marks of the policy, if the event begins the session.
    pub start: Option<BTreeSet<MarkId>>,
    /// The marks of the policy, if it was compiled for this event and the session has already begun.
    pub policy: Option<BTreeSet<MarkId>>,
    /// The marks of a policy from the cache, which a new journal has to name: they are watched from this event on.
    pub if_new: BTreeSet<MarkId>,
    /// The marks that the policies of subdirectories define, for each policy that is not in the journal yet.
    pub nested: Vec<NestedMarks>,
    /// Whether a nested policy may have missed the event.
    pub has_nested_gap: bool,
    /// The marks that conditions asked about although the journal did not know them. They are watched from this event
    /// on.
    pub asked: BTreeSet<MarkId>,
    /// The marks that the event sets.
    pub marks: Vec<PlannedMark>,
}

impl JournalAdditions {
    /// Whether nothing is added, apart from [`Self::policy`].
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

/// Writes the additions to the journal of a session.
///
/// If that fails, the journal is removed, so that its marks become unknown; an incomplete journal would give wrong
/// answers.
///
/// # Errors
/// Fails if another process locks the journal for too long, or if the file system fails.
pub fn remember(place: SessionPlace<'_>, event: WrittenEvent<'_>, added: &JournalAdditions) -> io::Result<()> {
    let name = place.file();
    let written = OpenDirectory::open_or_create_state(place.state)
        .and_then(|state| state.open_or_create(JOURNALS))
        .and_then(|directory| append(&directory, &name, place.session, event, added));
    if written.is_err() {
        // By its path, as no directory may be opened any more.
        let _stays = std::fs::remove_file(place.state.join(JOURNALS).join(&name));
    }
    written
}

fn append(
    directory: &OpenDirectory,
    name: &str,
    session: &str,
    event: WrittenEvent<'_>,
    added: &JournalAdditions,
) -> io::Result<()> {
    let Some(mut file) = directory.locked(name, AccessMode::Append, PATIENCE)? else {
        return Err(io::Error::new(io::ErrorKind::TimedOut, "the journal is locked by another process"));
    };
    let metadata = file.metadata()?;
    refuse_unless_private(&metadata)?;
    let length = metadata.len();
    if length == 0 {
        sweep_from(MAX_JOURNALS, directory, name);
    }
    if length > LARGEST / 2 {
        return fold_and_append(directory, name, &mut file, event, added);
    }
    let (salt, mut text) = beginning(&mut file, length, session, event)?;
    if !journal::is_of_session(&salt, session) {
        return Err(io::Error::other("the journal is damaged, or that of another session"));
    }
    // Only the marks of a newly compiled policy are compared with those in the journal, which has to be read in full
    // for that.
    let needs_comparison = added.policy.is_some() && length > 0;
    let known = if needs_comparison { Some(read_whole(&mut file)?) } else { None };
    if length == 0 && added.start.is_none() && added.policy.is_none() && !added.if_new.is_empty() {
        let mut policy = NewLines::default();
        policy.policy(&added.if_new);
        text.push_str(policy.text());
    }
    text.push_str(lines(&salt, known.as_deref(), event, added).text());
    file.write_all(text.as_bytes())
}

/// Returns the salt of a journal, and the text to write before new lines: the first line of a new journal, or the
/// completion of an unfinished line.
fn beginning(file: &mut File, length: u64, session: &str, event: WrittenEvent<'_>) -> io::Result<(String, String)> {
    if length == 0 {
        let process = std::process::id().to_le_bytes();
        let random = digest([&event.time.to_le_bytes()[..], &process, event.call.unwrap_or_default().as_bytes()]);
        let salt = journal::new_salt(session, random);
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
    let completion = if is_finished { String::new() } else { journal::completion(length) };
    // A journal whose first line is damaged has no salt.
    Ok((journal::salt(&first).unwrap_or_default().to_owned(), completion))
}

/// Reads a whole journal.
fn read_whole(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the new lines. `known` is the text of the journal, if there is one and the marks of the policy have to be
/// compared with it.
fn lines(salt: &str, known: Option<&str>, event: WrittenEvent<'_>, added: &JournalAdditions) -> NewLines {
    let mut lines = NewLines::default();
    if let Some(marks) = &added.start {
        lines.start(marks, event.time);
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
        lines.mark(mark, event, |key| key_digest(salt.as_bytes(), key));
    }
    lines
}

/// Replaces a long journal by a shorter one, with the new lines at its end.
fn fold_and_append(
    directory: &OpenDirectory,
    name: &str,
    file: &mut File,
    event: WrittenEvent<'_>,
    added: &JournalAdditions,
) -> io::Result<()> {
    let text = read_whole(file)?;
    let mut folded = journal::folded(&text).unwrap_or(text);
    let salt = journal::salt(&folded).unwrap_or_default().to_owned();
    let new = lines(&salt, Some(&folded), event, added);
    folded.push_str(new.text());
    if u64::try_from(folded.len()).unwrap_or(u64::MAX) > LARGEST {
        return Err(io::Error::other("the journal stays too large"));
    }
    directory.replace(name, folded.as_bytes())
}
