//! Lines about events, and remembered asks.
#![expect(clippy::disallowed_methods, reason = "the tests look at files")]

#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use serde_json::{Value as Json, json};

use super::*;
use crate::decision_log::{FILE, RuleVote};

const PROJECT: &str = "/work/my app";

fn path(state: &Path) -> PathBuf {
    state.join(LOG).join(directory_name(Some(Path::new(PROJECT)))).join(FILE)
}

fn payload(event: Event, json: &Json) -> Payload {
    Payload::new(event, json.as_object().unwrap().clone())
}

fn call() -> Payload {
    let json = json!({
        "hook_event_name": "PreToolUse", "session_id": "s1", "cwd": "/work", "agent_id": "a7", "agent_type": "coder",
        "tool_name": "Bash", "tool_use_id": "toolu_1", "tool_input": { "command": "export API_KEY=abc123" },
    });
    payload(Event::PreToolUse, &json)
}

fn entry() -> LogEntry {
    LogEntry {
        event: "PreToolUse".to_owned(),
        project: Some(PROJECT.to_owned()),
        decision: "deny".to_owned(),
        message: "no `API_KEY=abc123`".to_owned(),
        rules: vec![RuleVote::new("a", "deny")],
        ..LogEntry::default()
    }
}

fn log_to(state: &Path, kept: PayloadDetail) -> Vec<Json> {
    log(entry(), &call(), kept, Some(Path::new(PROJECT)), state).unwrap();
    let text = std::fs::read_to_string(path(state)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
#[cfg(unix)]
fn a_decision_is_a_redacted_chained_line_in_a_private_file() {
    let state = tempfile::tempdir().unwrap();
    let state = state.path().join("not/yet");
    log_to(&state, PayloadDetail::Call);
    let mut lines = log_to(&state, PayloadDetail::Call);
    assert_eq!(lines.len(), 2);
    assert_eq!(std::fs::metadata(path(&state)).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(lines[1]["after"].as_str().unwrap().len(), 64);
    let first = lines[0].as_object_mut().unwrap();
    assert!(first.shift_remove("time").is_some_and(|time| time.is_string()));
    let expected = json!({
        "after": "", "number": 1, "event": "PreToolUse", "session_id": "s1", "agent_id": "a7", "subagent_type": "coder",
        "tool": "Bash", "tool_use_id": "toolu_1", "decision": "deny", "message": "no `API_KEY=[redacted]`",
        "rules": [{ "rule": "a", "decision": "deny" }],
        "call": { "tool_input": { "command": "export API_KEY=[redacted]" } }, "incomplete": ["tool_input.command"],
        "cwd": "/work", "project": PROJECT,
    });
    assert_eq!(lines[0], expected);
}

#[test]
fn the_whole_payload_stands_in_the_place_of_the_call() {
    let state = tempfile::tempdir().unwrap();
    let lines = log_to(state.path(), PayloadDetail::Payload);
    assert_eq!(lines[0]["payload"]["tool_name"], "Bash");
    assert_eq!(lines[0]["call"], Json::Null);
}

#[test]
fn long_texts_are_cut() {
    let mut text = "é".repeat(MAX_TEXT_CHARS + 5);
    redact_and_truncate(&mut text, MAX_TEXT_CHARS);
    assert_eq!(text, format!("{}…", "é".repeat(MAX_TEXT_CHARS)));
    let mut text = "x".repeat(MAX_TEXT_CHARS);
    redact_and_truncate(&mut text, MAX_TEXT_CHARS);
    assert_eq!(text, "x".repeat(MAX_TEXT_CHARS));
}

#[test]
fn what_misleads_is_escaped_in_a_line() {
    let hidden = payload(Event::PreToolUse, &json!({ "tool_input": { "command": "a\u{202e}b\u{1b}[1m" } }));
    let body = String::from_utf8(entry_body(entry(), &hidden, PayloadDetail::Call).unwrap()).unwrap();
    assert!(body.contains("a\\u202eb\\u001b[1m") && body.is_ascii(), "{body}");
}

#[test]
fn an_ask_ends_once_with_what_its_call_did() {
    let state = tempfile::tempdir().unwrap();
    let project = Some(Path::new(PROJECT));
    let after = |event, id: &str| end_of_ask(&payload(event, &json!({ "tool_use_id": id })), project, state.path());
    assert_eq!(after(Event::PostToolUse, "toolu_1"), None);
    remember_ask(&call(), project, state.path()).unwrap();
    remember_ask(&call(), project, state.path()).unwrap();
    assert_eq!(after(Event::PostToolUse, "toolu_2"), None);
    assert_eq!(after(Event::PreToolUse, "toolu_1"), None);
    assert_eq!(after(Event::PostToolUseFailure, "toolu_1"), Some(AskOutcome::Failed));
    assert_eq!(after(Event::PostToolUse, "toolu_1"), None);
}

#[test]
fn no_id_of_a_call_leads_out_of_the_directory_of_asks() {
    let state = tempfile::tempdir().unwrap();
    let project = Some(Path::new(PROJECT));
    log_to(state.path(), PayloadDetail::Call);
    let end = payload(Event::PostToolUse, &json!({ "tool_use_id": "../decisions.jsonl" }));
    assert_eq!(end_of_ask(&end, project, state.path()), None);
    assert!(path(state.path()).exists());
}
