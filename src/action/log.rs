//! The decision log: one line of JSON for each event. Lines are redacted and chained, and files are rotated.
//!
//! The log of each project is in the user's state directory and never in the project: a log that the agent can write
//! proves nothing, and one in the repository could be published.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use super::{keep, log_chain, log_file, redact, sweep};
use crate::decision_log::{ASKED, AskOutcome, LogEntry, directory_name};
use crate::escape::is_misleading;
use crate::names::file_name_component;
use crate::record_place::LOG;
use crate::schema::Event;
use crate::time;
use crate::types::Payload;

use super::place::AccessMode;
use keep::{KeptPayload, PayloadLimits};

/// The maximum number of characters of a message or a problem.
const MAX_TEXT_CHARS: usize = 4_000;

/// The maximum number of characters of a name, which can have any length in a payload.
const MAX_NAME_CHARS: usize = 1_000;

/// The maximum number of reasons why rules were unknown, and of the rules for each reason.
const MAX_UNKNOWNS: usize = 32;

/// The initial capacity of the buffer for a line, in bytes; most lines are shorter.
const INITIAL_CAPACITY: usize = 1_024;

/// How much of a payload a log line contains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PayloadDetail {
    /// A short form of the call.
    Call,
    /// The whole payload, except for members that are never logged.
    Payload,
}

/// Appends a line about an event to the decision log, with the time and without secrets. Waits at most half a second
/// for other processes.
///
/// # Errors
///
/// Fails if the file system does, or if the log is a link, a pipe or a file with several hard links.
pub fn log(
    entry: LogEntry,
    payload: &Payload,
    kept: PayloadDetail,
    project: Option<&Path>,
    state_dir: &Path,
) -> io::Result<()> {
    let body = entry_body(entry, payload, kept)?;
    let directory = log_file::directory(state_dir, project)?;
    log_chain::append(&directory, &body)
}

/// Remembers that the user is asked about a call, so that [`end_of_ask`] can find out how the question was answered.
/// Does nothing for a call without an ID.
pub fn remember_ask(payload: &Payload, project: Option<&Path>, state_dir: &Path) -> io::Result<()> {
    let Some(id) = payload.nonempty_text("tool_use_id") else { return Ok(()) };
    let asked = log_file::directory(state_dir, project)?.open_or_create(ASKED)?;
    let name = file_name_component(id);
    match asked.file(&name, AccessMode::New) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => sweep::sweep(&asked, &name),
    }
    Ok(())
}

/// Returns how the call of an event ended, if the user was asked about that call, and forgets the question. `None` also
/// for an event that does not end a call.
#[must_use]
pub fn end_of_ask(payload: &Payload, project: Option<&Path>, state_dir: &Path) -> Option<AskOutcome> {
    let ask = match payload.event {
        Event::PostToolUse => AskOutcome::Ran,
        Event::PostToolUseFailure => AskOutcome::Failed,
        Event::PermissionDenied => AskOutcome::Refused,
        _ => return None,
    };
    let id = payload.nonempty_text("tool_use_id")?;
    let asked = state_dir.join(LOG).join(directory_name(project)).join(ASKED);
    std::fs::remove_file(asked.join(file_name_component(id))).ok().map(|()| ask)
}

/// Returns the JSON of a log line, without the members that chain it to the line before.
fn entry_body(mut entry: LogEntry, payload: &Payload, kept: PayloadDetail) -> io::Result<Vec<u8>> {
    entry.time = time::rfc3339_now();
    let text = |name: &str| payload.nonempty_text(name).map(str::to_owned);
    entry.session_id = text("session_id");
    entry.tool_use_id = text("tool_use_id");
    entry.cwd = text("cwd");
    entry.permission_mode = text("permission_mode");
    entry.tool = payload.tool_name().map(str::to_owned);
    entry.agent_id = payload.agent_id().map(str::to_owned);
    entry.subagent_type = payload.subagent_type().map(str::to_owned);
    entry.project = entry.project.take().filter(|project| Some(project) != entry.cwd.as_ref());
    entry.unknown.truncate(MAX_UNKNOWNS);
    entry.unknown.iter_mut().for_each(|unknown| unknown.rules.truncate(MAX_UNKNOWNS));
    let KeptPayload { members, incomplete } = match kept {
        PayloadDetail::Call => keep::keep(&payload.json, PayloadLimits::CALL),
        PayloadDetail::Payload => keep::keep(&payload.json, PayloadLimits::PAYLOAD),
    };
    entry.incomplete = incomplete;
    let place = if kept == PayloadDetail::Call { &mut entry.call } else { &mut entry.payload };
    *place = Some(members);
    redact_texts(&mut entry);
    let mut json = Vec::with_capacity(INITIAL_CAPACITY);
    serde_json::to_writer(&mut json, &entry)?;
    escape_misleading_characters(json)
}

/// Redacts and then shortens the texts of a line, except those of the call, which `keep` has already redacted.
/// Redacting comes first, because half a token would not be recognised.
fn redact_texts(entry: &mut LogEntry) {
    let names = [
        &mut entry.session_id,
        &mut entry.tool_use_id,
        &mut entry.cwd,
        &mut entry.project,
        &mut entry.permission_mode,
        &mut entry.tool,
        &mut entry.agent_id,
        &mut entry.subagent_type,
    ];
    names.into_iter().flatten().for_each(|name| redact_and_truncate(name, MAX_NAME_CHARS));
    redact_and_truncate(&mut entry.message, MAX_TEXT_CHARS);
    entry.unknown.iter_mut().for_each(|unknown| redact_and_truncate(&mut unknown.reason, MAX_NAME_CHARS));
    entry.problems.iter_mut().for_each(|problem| redact_and_truncate(problem, MAX_TEXT_CHARS));
}

/// Removes secrets from a text, and then shortens it.
fn redact_and_truncate(text: &mut String, longest: usize) {
    if let Cow::Owned(redacted) = redact::redact_text(text) {
        *text = redacted;
    }
    keep::truncate_chars(text, longest);
}

/// Escapes characters that a terminal would obey or a reader would not see: `\u202e`. A JSON parser still reads the
/// same text.
fn escape_misleading_characters(json: Vec<u8>) -> io::Result<Vec<u8>> {
    if json.is_ascii() {
        return Ok(json);
    }
    let json = String::from_utf8(json).map_err(io::Error::other)?;
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if is_misleading(c) {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    Ok(out.into_bytes())
}

#[cfg(test)]
mod tests;
