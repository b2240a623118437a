//! The decision log: a line of JSON for each event, redacted, rotated, the user's own.
//!
//! It is in the user's state directory, keyed by project, never in the project: a log that the agent can write proves
//! nothing, and one that is committed is published.

use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::{log_file, redact, time};
use crate::escape::misleads;

/// The file's name.
const FILE: &str = "decisions.jsonl";

/// Characters of one string that are kept.
const LONGEST: usize = 4_000;

/// Members of a payload that are never kept: whole files, prompts and what tools printed.
const NEVER: [&str; 7] =
    ["content", "tool_response", "new_string", "old_string", "new_source", "prompt", "last_assistant_message"];

/// What is remembered of one event.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct LogEntry {
    /// The project's root, which keys the file.
    #[serde(skip)]
    pub project: Option<PathBuf>,
    /// The session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The event's name.
    pub event: String,
    /// The tool's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The id of the subagent that acts, starts or stops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// Its type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subagent_type: Option<String>,
    /// The decision's word.
    pub decision: String,
    /// The message that was given.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// The rules that voted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleVote>,
    /// What rules under `@observe` would have voted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub observed: Vec<RuleVote>,
    /// Another registration of the hook ran, recorded and notified for this event.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub only_decided: bool,
    /// What went wrong, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
    /// The payload, at level `all`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload: Option<Map<String, Json>>,
}

/// A rule and its decision.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RuleVote {
    /// The rule's full name.
    pub rule: String,
    /// The decision's word.
    pub decision: String,
}

/// Returns where the log of a project is.
#[cfg(test)]
pub(super) fn log_path(state_dir: &Path, project: Option<&Path>) -> PathBuf {
    log_file::path(state_dir, project, FILE)
}

/// Appends a line to the log, redacted, with the time. Waits for nobody.
///
/// # Errors
///
/// Whatever the file system says; a link, a pipe or a second name in the way is refused.
pub fn log(entry: &LogEntry, state_dir: &Path) -> io::Result<()> {
    log_file::append(state_dir, entry.project.as_deref(), FILE, &line(entry)?)
}

fn line(entry: &LogEntry) -> io::Result<Vec<u8>> {
    let mut members = Map::new();
    members.insert("time".to_owned(), Json::String(time::now()));
    if let Json::Object(own) = serde_json::to_value(entry)? {
        members.extend(own);
    }
    if let Some(payload) = members.get_mut("payload") {
        leave_out(payload);
    }
    let mut json = Json::Object(members);
    redact::json(&mut json);
    // After the redaction: half a token is not recognised.
    shorten(&mut json);
    Ok(format!("{}\n", ascii_where_it_misleads(serde_json::to_string(&json)?)).into_bytes())
}

/// Writes as escapes, which JSON reads as the same, what a terminal would obey or a reader not see.
fn ascii_where_it_misleads(json: String) -> String {
    if json.is_ascii() {
        return json;
    }
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if misleads(c) {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    out
}

/// Says of the members that are never kept only that they were there.
fn leave_out(json: &mut Json) {
    match json {
        Json::Object(members) => {
            for (name, value) in members.iter_mut() {
                if NEVER.contains(&name.as_str()) {
                    *value = Json::String("[not kept]".to_owned());
                } else {
                    leave_out(value);
                }
            }
        }
        Json::Array(elements) => elements.iter_mut().for_each(leave_out),
        _ => {}
    }
}

/// Cuts long strings, so that one call does not push a week's decisions out of the log.
fn shorten(json: &mut Json) {
    match json {
        Json::String(text) => {
            let count = text.chars().count();
            if count > LONGEST {
                let head: String = text.chars().take(LONGEST).collect();
                *text = format!("{head}[{} characters left out]", count - LONGEST);
            }
        }
        Json::Array(elements) => elements.iter_mut().for_each(shorten),
        Json::Object(members) => members.iter_mut().for_each(|(_, value)| shorten(value)),
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "the tests look at files")]

    use std::os::unix::fs::PermissionsExt;

    use serde_json::json;

    use super::*;

    fn entry() -> LogEntry {
        LogEntry {
            project: Some(PathBuf::from("/work/my app")),
            session_id: Some("s1".to_owned()),
            event: "PreToolUse".to_owned(),
            tool: Some("Bash".to_owned()),
            agent_id: Some("a7".to_owned()),
            subagent_type: Some("coder".to_owned()),
            decision: "deny".to_owned(),
            message: "no `API_KEY=abc123`".to_owned(),
            rules: vec![RuleVote { rule: "a".to_owned(), decision: "deny".to_owned() }],
            ..LogEntry::default()
        }
    }

    #[test]
    fn the_first_line_of_a_machine_makes_the_state_directory() {
        let state = tempfile::tempdir().unwrap();
        log(&entry(), &state.path().join("not/yet")).unwrap();
        assert!(log_path(&state.path().join("not/yet"), entry().project.as_deref()).is_file());
    }

    #[test]
    fn a_decision_is_a_redacted_line_in_a_private_file() {
        let state = tempfile::tempdir().unwrap();
        log(&entry(), state.path()).unwrap();
        log(&entry(), state.path()).unwrap();
        let path = log_path(state.path(), entry().project.as_deref());
        assert!(path.starts_with(state.path().join("log")) && path.ends_with("decisions.jsonl"));
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<Json> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 2);
        let mut first = lines[0].clone();
        assert!(first.as_object_mut().unwrap().shift_remove("time").is_some_and(|time| time.is_string()));
        let expected = json!({
            "session_id": "s1", "event": "PreToolUse", "tool": "Bash", "agent_id": "a7", "subagent_type": "coder",
            "decision": "deny",
            "message": "no `API_KEY=[redacted]`", "rules": [{ "rule": "a", "decision": "deny" }],
        });
        assert_eq!(first, expected);
    }

    #[test]
    fn the_payload_is_kept_without_what_is_never_kept() {
        let state = tempfile::tempdir().unwrap();
        let payload = json!({
            "cwd": "/c", "prompt": "p", "tool_input": { "file_path": "/f", "content": "c", "edits": [{ "new_string": "n" }] },
            "tool_response": { "stdout": "x" }, "headers": { "Authorization": "Bearer abc" },
        });
        let entry = LogEntry { payload: payload.as_object().cloned(), ..entry() };
        log(&entry, state.path()).unwrap();
        let text = std::fs::read_to_string(log_path(state.path(), entry.project.as_deref())).unwrap();
        let line: Json = serde_json::from_str(&text).unwrap();
        let gone = "[not kept]";
        let expected = json!({
            "cwd": "/c", "prompt": gone, "tool_input": { "file_path": "/f", "content": gone, "edits": [{ "new_string": gone }] },
            "tool_response": gone, "headers": { "Authorization": "[redacted]" },
        });
        assert_eq!(line["payload"], expected);
    }

    #[test]
    fn long_strings_are_cut() {
        let mut json = json!({ "a": ["é".repeat(LONGEST + 5)], "b": "x".repeat(LONGEST) });
        shorten(&mut json);
        assert_eq!(json["a"][0], format!("{}[5 characters left out]", "é".repeat(LONGEST)));
        assert_eq!(json["b"], "x".repeat(LONGEST));
    }
}
