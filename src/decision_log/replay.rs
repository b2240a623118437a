//! Reconstructs the payload of an event from its line in the log, as far as the line contains it.

use serde_json::{Map, Value as Json};

use super::LogEntry;

/// A payload that was reconstructed from a line of the log.
#[derive(Clone, PartialEq, Debug)]
pub struct ReplayedPayload {
    /// The payload.
    pub payload: Map<String, Json>,
    /// The names of the members that differ from the original payload.
    pub incomplete: Vec<String>,
}

/// Whether an object is a line of the log rather than a payload.
#[must_use]
pub fn is_line_of_log(members: &Map<String, Json>) -> bool {
    let has = |name: &str| members.get(name).is_some_and(Json::is_string);
    has("event") && has("decision") && has("time") && !members.contains_key("hook_event_name")
}

/// Reconstructs a payload from a line; `None` if the line contains neither the call nor the payload.
#[must_use]
pub fn replay(entry: &LogEntry) -> Option<ReplayedPayload> {
    let call = entry.payload.as_ref().or(entry.call.as_ref())?;
    let mut payload = Map::new();
    let members = [
        ("hook_event_name", Some(&entry.event)),
        ("session_id", entry.session_id.as_ref()),
        ("cwd", entry.cwd.as_ref()),
        ("permission_mode", entry.permission_mode.as_ref()),
        ("tool_name", entry.tool.as_ref()),
        ("tool_use_id", entry.tool_use_id.as_ref()),
        ("agent_id", entry.agent_id.as_ref()),
        ("agent_type", entry.subagent_type.as_ref()),
    ];
    for (name, value) in members {
        if let Some(value) = value {
            payload.insert(name.to_owned(), Json::String(value.clone()));
        }
    }
    payload.extend(call.clone());
    Some(ReplayedPayload { payload, incomplete: entry.incomplete.clone() })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(line: &Json) -> Option<ReplayedPayload> {
        replay(&serde_json::from_value(line.clone()).unwrap())
    }

    #[test]
    fn a_line_is_the_payload_again_and_says_what_it_lacks() {
        let line = json!({
            "time": "t", "event": "PreToolUse", "decision": "deny", "session_id": "s", "agent_id": "a", "cwd": "/w",
            "subagent_type": "coder", "tool": "Write", "call": { "tool_input": { "file_path": "/w/a" } },
            "incomplete": ["tool_input.content"],
        });
        let expected = json!({
            "hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/w", "tool_name": "Write", "agent_id": "a",
            "agent_type": "coder", "tool_input": { "file_path": "/w/a" },
        });
        let replayed = read(&line).unwrap();
        assert_eq!(Json::Object(replayed.payload), expected);
        assert_eq!(replayed.incomplete, ["tool_input.content"]);
        assert!(is_line_of_log(line.as_object().unwrap()) && !is_line_of_log(expected.as_object().unwrap()));
    }

    #[test]
    fn a_line_without_a_call_is_no_payload() {
        assert_eq!(read(&json!({ "time": "t", "event": "Stop", "decision": "pass" })), None);
    }
}
