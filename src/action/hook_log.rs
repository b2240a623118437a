//! The hook log, for people who want to know what happened when: one line for each start and stop of a subagent, and
//! for each event that a strict handler processes.
//!
//! Its lines contain only names and identifiers from a payload, so nothing has to be redacted.

use std::fmt::Write;
use std::io;
use std::path::Path;

use super::log_file;
use crate::escape::quote_word;
use crate::time;
use crate::types::Payload;

/// The file's name, in the directory of the decision log.
const FILE: &str = "hooks.log";

/// The maximum number of characters of one value.
const MAX_VALUE_CHARS: usize = 200;

/// Returns the line about an event: `TIME Processing EVENT hook session_id=… agent_id=… subagent_type=… tool_name=…`,
/// with the members that the payload has. It never contains a newline.
#[must_use]
pub fn processing(payload: &Payload) -> String {
    let mut line = format!("{} Processing {} hook", time::rfc3339_now(), payload.event.name());
    let members = [
        ("session_id", payload.nonempty_text("session_id")),
        ("agent_id", payload.agent_id()),
        ("subagent_type", payload.subagent_type()),
        ("tool_name", payload.tool_name()),
    ];
    for (name, value) in members {
        let Some(value) = value else { continue };
        // Writing to a string does not fail.
        let _ = write!(line, " {name}={}", quote_if_needed(value));
    }
    line
}

/// Returns a value unchanged, or in quotes if it could be misread.
fn quote_if_needed(value: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | ':' | '/');
    if value.len() <= MAX_VALUE_CHARS && value.chars().all(plain) {
        value.to_owned()
    } else {
        quote_word(value, MAX_VALUE_CHARS)
    }
}

/// Appends a line from [`processing`] to the hook log of a project, without waiting for other processes.
///
/// # Errors
///
/// Fails if the file system does, or if the log is a link, a pipe or a file with several hard links.
pub fn log_hook(line: &str, project: Option<&Path>, state_dir: &Path) -> io::Result<()> {
    log_file::append(state_dir, project, FILE, format!("{line}\n").as_bytes())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "the tests look at files")]

    use serde_json::{Value as Json, json};

    use super::*;
    use crate::schema::Event;

    /// The line about an event after its time.
    #[track_caller]
    fn line_about(event: Event, json: &Json) -> String {
        let line = processing(&Payload::new(event, json.as_object().unwrap().clone()));
        let (time, rest) = line.split_once(' ').unwrap();
        assert!(time.len() == 24 && time.ends_with('Z'), "{line}");
        rest.to_owned()
    }

    #[test]
    fn every_event_is_told_in_one_format() {
        let start = json!({ "session_id": "s1", "agent_id": "a7", "subagent_type": "coder", "tool_input": "secret" });
        assert_eq!(
            line_about(Event::SubagentStart, &start),
            "Processing SubagentStart hook session_id=s1 agent_id=a7 subagent_type=coder"
        );
        assert_eq!(line_about(Event::Stop, &json!({ "session_id": "s1" })), "Processing Stop hook session_id=s1");
        let call = json!({ "session_id": "s1", "agent_id": "a7", "agent_type": "coder", "tool_name": "mcp__srv__do" });
        assert_eq!(
            line_about(Event::PreToolUse, &call),
            "Processing PreToolUse hook session_id=s1 agent_id=a7 subagent_type=coder tool_name=mcp__srv__do"
        );
        assert_eq!(line_about(Event::Setup, &json!({ "agent_id": null })), "Processing Setup hook");
        // A session that was started as an agent is not a subagent.
        assert_eq!(line_about(Event::Stop, &json!({ "agent_type": "reviewer" })), "Processing Stop hook");
    }

    #[test]
    fn no_value_can_be_read_as_another_line_or_member() {
        let start = json!({ "session_id": "s\n2026", "agent_id": "a session_id=s2", "agent_type": "\u{1b}[1mé\"" });
        assert_eq!(
            line_about(Event::SubagentStart, &start),
            r#"Processing SubagentStart hook session_id="s\u{a}2026" agent_id="a session_id=s2" subagent_type="\u{1b}[1mé\"""#
        );
        let long = line_about(Event::Stop, &json!({ "session_id": "x".repeat(5_000) }));
        assert!(long.len() < 300 && long.ends_with("x…\""), "{long}");
    }

    #[test]
    fn a_line_is_appended_beside_the_decisions() {
        let state = tempfile::tempdir().unwrap();
        let project = Path::new("/work/app");
        log_hook("one", Some(project), state.path()).unwrap();
        log_hook("two", Some(project), state.path()).unwrap();
        let path = log_file::path(state.path(), Some(project), FILE);
        assert_eq!(std::fs::read_to_string(path).unwrap(), "one\ntwo\n");
    }
}
