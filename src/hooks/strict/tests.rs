//! Payloads that a handler rejects without any effects, and its answers to the others.

use std::path::Path;

use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::hooks::places;

/// A registration whose only policy is the user's.
fn registered(directory: &Path, policy: &str) -> Registration {
    let user = directory.join("user");
    std::fs::create_dir_all(&user).unwrap();
    #[expect(clippy::disallowed_methods, reason = "the policy lies in a file")]
    std::fs::write(user.join("account.rules"), policy).unwrap();
    Registration {
        host: Host::CLAUDE_CODE,
        project: Some(directory.to_path_buf()),
        start_directory: None,
        places: places(Some(&directory.join("managed")), Some(&user), Some(&directory.join("state")), None),
        requires_policy: false,
        problem: None,
    }
}

fn start() -> Json {
    json!({
        "session_id": "s1", "transcript_path": "/t/s1.jsonl", "cwd": "/", "hook_event_name": "SubagentStart",
        "agent_id": "a7", "agent_type": "coder",
    })
}

fn handled(policy: &str, event: Event, payload: &Json) -> HandlerResult<HookResult> {
    let directory = tempfile::tempdir().unwrap();
    handle(event, payload.to_string().as_bytes(), &registered(directory.path(), policy))
}

/// Returns the error of the SubagentStart handler for some bytes, after checking that it had no effects.
#[track_caller]
fn refused(bytes: &[u8]) -> HookError {
    let directory: TempDir = tempfile::tempdir().unwrap();
    let touched = directory.path().join("touched");
    let policy =
        format!("rule r {{\n  on *\n  run [\"touch\", {touched:?}]\n  record \"seen.jsonl\" {{ agent_id }}\n}}\n");
    let registration = registered(directory.path(), &policy);
    let error = handle(Event::SubagentStart, bytes, &registration).unwrap_err();
    assert!(!touched.exists() && !directory.path().join("state").exists(), "{error}");
    // With the same registration, a complete payload has all these effects.
    handle(Event::SubagentStart, start().to_string().as_bytes(), &registration).unwrap();
    assert!(touched.exists() && directory.path().join("state/seen.jsonl").exists());
    error
}

#[track_caller]
fn refused_with(name: &str, value: Json) -> HookError {
    let mut payload = start();
    payload[name] = value;
    refused(payload.to_string().as_bytes())
}

#[test]
fn what_is_no_object_is_refused() {
    for bytes in [
        &b""[..],
        b"nonsense",
        b"{",
        b"[]",
        b"7",
        b"{} {}",
        b"{\"a\":\"\\ud800\"}",
        b"{\"a\":1e999}",
        b"\xef\xbb\xbf{}",
    ] {
        let error = refused(bytes);
        assert!(matches!(error, HookError::Json(_)), "{error:?}");
        assert!(error.to_string().starts_with("JSON parsing failed: "), "{error}");
    }
    for bytes in [&b"[]"[..], b"7", b"null", b"\"{}\""] {
        assert_eq!(refused(bytes).to_string(), "JSON parsing failed: not a JSON object");
    }
}

#[test]
fn a_payload_without_an_event_is_refused() {
    for (value, what) in [(json!(null), "is missing"), (json!(""), "is empty"), (json!(7), "is not a string")] {
        let error = refused_with("hook_event_name", value);
        assert!(matches!(error, HookError::Unreadable(_)), "{error:?}");
        assert!(error.to_string().ends_with(&format!("`hook_event_name` {what}")), "{error}");
    }
}

#[test]
fn a_payload_of_another_event_is_refused() {
    for found in ["SubagentStop", "Brand"] {
        let error = refused_with("hook_event_name", json!(found));
        let expected = HookError::OtherEvent { expected: Event::SubagentStart, found: found.to_owned() };
        assert_eq!(error, expected);
        assert_eq!(error.to_string(), format!("the payload is for another event: \"{found}\", not `SubagentStart`"));
    }
    let error = refused_with("hook_event_name", json!("Foo\nrules: all is well"));
    assert!(error.to_string().contains(r#""Foo\u{a}rules: all is well""#), "{error}");
}

#[test]
fn a_member_that_lacks_or_is_no_text_is_refused() {
    for name in ["session_id", "transcript_path", "cwd", "agent_id"] {
        let mut payload = start();
        payload.as_object_mut().unwrap().remove(name);
        let error = refused(payload.to_string().as_bytes());
        assert_eq!(error, HookError::Members(format!("missing field `{name}`")));
        assert_eq!(refused_with(name, json!(7)), HookError::Members(format!("`{name}` is not a text")));
    }
}

/// An empty `agent_id` is rejected (specification 000).
#[test]
fn a_member_that_is_empty_is_refused() {
    for name in ["session_id", "transcript_path", "cwd", "agent_id", "agent_type"] {
        for value in ["", "  ", " \t", "\u{200b}"] {
            let empty = HookError::Invalid(format!("{name} cannot be empty"));
            // In the first case the transcript's path is derived from the other members; below it is sent.
            assert_eq!(refused_with(name, json!(value)), empty, "{value:?}");
            let mut payload = start();
            payload["agent_transcript_path"] = json!("/t/a7.jsonl");
            payload[name] = json!(value);
            assert_eq!(refused(payload.to_string().as_bytes()), empty, "{value:?}");
        }
    }
    let error = refused_with("agent_transcript_path", json!(""));
    assert_eq!(error, HookError::Invalid("agent_transcript_path cannot be empty".to_owned()));
}

#[test]
fn an_empty_member_is_told_before_one_that_lacks() {
    let mut payload = start();
    payload["agent_id"] = json!("");
    payload.as_object_mut().unwrap().remove("session_id");
    let error = refused(payload.to_string().as_bytes());
    assert_eq!(error, HookError::Invalid("agent_id cannot be empty".to_owned()));
}

#[test]
fn what_can_be_derived_need_not_be_sent() {
    assert_eq!(handled("", Event::SubagentStart, &start()), Ok(HookResult::silent()));
}

#[test]
fn a_member_that_names_no_transcript_is_told() {
    for (name, value, shown) in [
        ("agent_id", "../../x", r#"`agent_id` "../../x" names no transcript"#),
        ("agent_id", "a\nb", r#"`agent_id` "a\u{a}b" names no transcript"#),
        ("agent_id", "..", r#"`agent_id` ".." names no transcript"#),
        ("transcript_path", "s1.jsonl", r#"`transcript_path` "s1.jsonl" is no session's transcript"#),
        ("transcript_path", "/t/s1.json", r#"`transcript_path` "/t/s1.json" is no session's transcript"#),
    ] {
        let waiting = format!("missing field `agent_transcript_path`, and {shown}");
        assert_eq!(refused_with(name, json!(value)), HookError::Members(waiting));
        // If the path is sent, it need not be derived from the other members.
        let mut payload = start();
        payload[name] = json!(value);
        payload["agent_transcript_path"] = json!("/t/a7.jsonl");
        assert_eq!(handled("", Event::SubagentStart, &payload), Ok(HookResult::silent()));
    }
}

#[test]
fn a_result_is_what_the_host_is_told() {
    let policy = "rule brief {\n  on SubagentStart(coder)\n  context \"Read first.\"\n}\n";
    let result = handled(policy, Event::SubagentStart, &start()).unwrap();
    assert!(!result.is_blocked() && result.output().exit == 0, "{result:?}");
    assert!(result.output().stdout.contains(r#""additionalContext":"Read first.""#), "{result:?}");
    assert_ne!(result, HookResult::silent());
    let mut other = start();
    other["agent_type"] = json!("tester");
    let silent = handled(policy, Event::SubagentStart, &other).unwrap();
    assert_eq!(silent, HookResult::silent());
    assert!(silent.log_line().unwrap().ends_with("session_id=s1 agent_id=a7 subagent_type=tester"), "{silent:?}");
}

#[test]
fn a_blocked_event_is_told_as_such() {
    let call = |event: &str| {
        json!({
            "session_id": "s1", "transcript_path": "/t/s1.jsonl", "cwd": "/", "hook_event_name": event,
            "tool_name": "Bash", "tool_input": { "command": "ls" }, "tool_use_id": "t1",
        })
    };
    let policy = "rule no {\n  on PreToolUse, PermissionRequest\n  deny \"No.\"\n}\n\
                  rule start {\n  on SubagentStart\n  exit 2 \"Not now.\"\n}\n";
    let blocked = |event: Event, payload: &Json| {
        let result = handled(policy, event, payload).unwrap();
        assert!(result.is_blocked(), "{result:?}");
        result.output().exit
    };
    assert_eq!(blocked(Event::PreToolUse, &call("PreToolUse")), 2);
    // On PermissionRequest the host ignores the exit code.
    assert_eq!(blocked(Event::PermissionRequest, &call("PermissionRequest")), 0);
    assert_eq!(blocked(Event::SubagentStart, &start()), 2);
}

#[test]
fn a_problem_of_the_registration_is_answered_by_the_failure_policy() {
    let directory = tempfile::tempdir().unwrap();
    let mut registration = registered(directory.path(), "# Nothing.\n");
    registration.problem = Some("It is registered oddly.".to_owned());
    let result = handle(Event::SubagentStart, start().to_string().as_bytes(), &registration).unwrap();
    assert_eq!(result.output().stdout, "");
    // The user would not see the text in this answer, so the next event that shows texts shows it.
    let next = json!({
        "session_id": "s1", "transcript_path": "/t/s1.jsonl", "cwd": "/", "hook_event_name": "UserPromptSubmit",
        "prompt": "Go on.",
    });
    let result = handle(Event::UserPromptSubmit, next.to_string().as_bytes(), &registration).unwrap();
    assert_eq!(result.output().stdout, r#"{"systemMessage":"SubagentStart: It is registered oddly."}"#);
}
