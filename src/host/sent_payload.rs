//! Completes a call in the schema's words as if a certain host had sent it, so that its answer has the host's names.
//!
//! This is the inverse of `decode`, but only as far as answers depend on it.

use serde_json::{Map, Value as Json};

use super::record::{HostEvent, HostRecord};
use crate::schema::{Event, Subject};
use crate::types::{InputChange, Payload};

/// Notes the host's names in the origin of a payload. `None` for an event that the host never sends.
pub(super) fn sent_payload(record: &HostRecord, mut payload: Payload) -> Option<Payload> {
    let tool = payload.nonempty_text("tool_name").map(str::to_owned).unwrap_or_default();
    let row = row_of_call(record, payload.event, &tool)?;
    payload.origin = record.silences();
    payload.origin.event = row.names.first().filter(|name| **name != row.event).map(|name| (*name).to_owned());
    payload.other_names =
        row.tools.iter().filter(|_| row.tools.contains(&&*tool)).map(|name| (*name).to_owned()).collect();
    payload.other_names.retain(|name| *name != tool);
    let known = record.tools.iter().find(|known| known.tool == tool);
    if let (Subject::Tool, Some(known), Some(Json::Object(input))) =
        (payload.event.spec().subject, known, payload.json.get("tool_input"))
        && !row.has_schema_tools
    {
        payload.origin.input_changes = input_changes(known.members, input);
        if known.refusal.is_some() && input.contains_key("command") {
            payload.origin.refusal_member = known.refusal;
            payload.origin.input_changes.push(InputChange::Joined { member: "command".to_owned(), count: 1 });
        }
    }
    Some(payload)
}

/// Returns the first row of an event that is sent for this tool, or else the first row of the event.
fn row_of_call(record: &HostRecord, event: Event, tool: &str) -> Option<&'static HostEvent> {
    let is_about = |row: &&HostEvent| row.event == event.name() && (row.tools.is_empty() || row.tools.contains(&tool));
    record.events.iter().find(is_about).or_else(|| record.event(event))
}

/// Returns the changes by which an input of the host would have become this one. If the host has several names for a
/// member, the first is used.
fn input_changes(members: &[(&str, &str)], input: &Map<String, Json>) -> Vec<InputChange> {
    let mut changes = Vec::new();
    for (at, (theirs, ours)) in members.iter().enumerate() {
        let is_first = !members.iter().take(at).any(|(_, earlier)| earlier == ours);
        if is_first && input.contains_key(*ours) {
            changes.push(InputChange::Renamed { from: (*theirs).to_owned(), to: (*ours).to_owned() });
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::host::{Host, encode_for, sent_payload};
    use crate::verdict::{Decision, Verdict, Vote};

    fn sent(host: &str, event: Event, tool: &str, input: Json) -> Payload {
        let json = json!({"tool_name": tool, "tool_input": input});
        let Json::Object(json) = json else { panic!() };
        sent_payload(Host::from_name(host).unwrap(), Payload::new(event, json)).unwrap()
    }

    fn answer(host: &str, payload: &Payload, verdict: &Verdict) -> String {
        encode_for(Host::from_name(host).unwrap(), &payload.origin, verdict).stdout
    }

    #[test]
    fn a_rewrite_goes_back_under_the_names_of_the_host() {
        let mut verdict = Verdict::pass(Event::PreToolUse);
        verdict.updated_input = Some(json!({"file_path": "a", "content": "b"}));
        for (host, expected) in [
            ("claude-code", r#""updatedInput":{"file_path":"a","content":"b"}"#),
            ("opencode", r#"{"args":{"content":"b","filePath":"a"}}"#),
            ("copilot", r#"{"modifiedArgs":{"file_path":"a","content":"b"}}"#),
            ("gemini", r#"{"tool_input":{"file_path":"a","content":"b"}}"#),
        ] {
            let payload = sent(host, Event::PreToolUse, "Write", json!({"file_path": "x", "content": "y"}));
            let answer = answer(host, &payload, &verdict);
            assert!(answer.contains(expected), "{host}: {answer}");
        }
    }

    #[test]
    fn a_denied_command_of_cline_becomes_one_that_prints_the_reason() {
        let mut verdict = Verdict::pass(Event::PreToolUse);
        verdict.votes.push(Vote::from_program(Decision::Deny, "No."));
        let payload = sent("cline", Event::PreToolUse, "Bash", json!({"command": "ls"}));
        assert!(answer("cline", &payload, &verdict).contains(r#""overrideInput":{"commands":["printf"#));
        let sent = crate::host::sent_answer(Host::from_name("cline").unwrap(), &payload.origin, &verdict);
        assert_eq!((sent.decision, sent.is_rewritten), (Decision::Deny, false));
    }

    #[test]
    fn the_event_has_the_name_that_the_host_uses_for_the_call() {
        let name = |host, event, tool| sent(host, event, tool, json!({})).event_name().to_owned();
        assert_eq!(name("gemini", Event::PreToolUse, "Bash"), "BeforeTool");
        assert_eq!(name("windsurf", Event::PreToolUse, "Read"), "pre_read_code");
        assert_eq!(name("cursor", Event::PreToolUse, "Bash"), "preToolUse");
        assert_eq!(name("codex", Event::PreToolUse, "Bash"), "PreToolUse");
        assert_eq!(sent("windsurf", Event::PreToolUse, "Write", json!({})).other_names, ["Edit"]);
    }

    #[test]
    fn an_event_that_is_never_sent_has_no_payload() {
        let payload = Payload::new(Event::Notification, Map::new());
        assert_eq!(sent_payload(Host::from_name("codex").unwrap(), payload), None);
    }
}
