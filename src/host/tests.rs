//! Tests of decoded payloads, and of the bytes of encoded verdicts.

mod conformance;
mod documented;
mod every_host;
mod outputs;
mod payloads;
mod unsent;
mod wave;

use serde_json::json;

use super::*;
use crate::schema::Event;
use crate::verdict::{Decision, Note, Vote};

fn decoded(text: impl AsRef<[u8]>) -> DecodedPayload {
    decode(Host::CLAUDE_CODE, text.as_ref())
}

/// Decodes a payload that must not be damaged.
#[track_caller]
fn event(text: impl AsRef<[u8]>) -> Payload {
    match decoded(text) {
        DecodedPayload::Event { payload, damage: None } => payload,
        other => panic!("{other:?}"),
    }
}

/// Decodes a payload that must be damaged; returns it with the damage.
#[track_caller]
fn damaged(text: impl AsRef<[u8]>) -> (Payload, String) {
    match decoded(text) {
        DecodedPayload::Event { payload, damage: Some(damage) } => (payload, damage),
        other => panic!("{other:?}"),
    }
}

/// Decodes a payload that must be unreadable; returns the reason.
#[track_caller]
fn unreadable(text: impl AsRef<[u8]>) -> String {
    match decoded(text) {
        DecodedPayload::Unreadable { reason, .. } => reason,
        other => panic!("{other:?}"),
    }
}

/// Returns a payload of PreToolUse for a command of Bash.
fn bash(command: &str) -> String {
    format!(r#"{{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{{"command":"{command}"}}}}"#)
}

#[test]
fn hosts_have_names() {
    for (host, name) in Host::all().zip(Host::names()) {
        assert_eq!((host.name(), Host::from_name(name)), (name, Some(host)));
    }
    assert_eq!(Host::from_name("Claude"), None);
}

#[test]
fn a_lone_surrogate_hides_no_command() {
    let payload = event(bash(r"rm -rf ~ # \ud800"));
    assert_eq!(payload.event, Event::PreToolUse);
    assert_eq!(payload.tool_input(), Some(&json!({"command": "rm -rf ~ # \u{fffd}"})));
}

#[test]
fn a_nested_input_hides_no_command() {
    for depth in [150, MAX_DEPTH - 1] {
        let text = bash("x").replace(r#""x""#, &format!("{}{}", "[".repeat(depth - 1), "]".repeat(depth - 1)));
        assert_eq!(event(text).tool_name(), Some("Bash"), "{depth}");
    }
}

#[test]
fn an_input_that_is_nested_too_deep_is_damage() {
    let text = bash("x").replace(r#""x""#, &format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)));
    let (payload, damage) = damaged(text);
    assert_eq!(payload.tool_name(), Some("Bash"));
    assert_eq!(damage, "values nested deeper than 200 levels");
}

#[test]
fn a_number_out_of_range_hides_no_command() {
    let text = r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"timeout":1e999,"command":"ls"}}"#;
    assert_eq!(event(text).tool_input(), Some(&json!({"timeout": null, "command": "ls"})));
}

#[test]
fn a_string_of_ten_megabytes_hides_no_command() {
    let long = "x".repeat(10_000_000);
    assert_eq!(event(bash(&long)).tool_input(), Some(&json!({"command": long})));
}

#[test]
fn a_truncated_payload_keeps_what_was_complete() {
    let text = bash("rm -rf ~");
    let (payload, damage) = damaged(text.trim_end_matches("~\"}}"));
    assert_eq!(payload.event, Event::PreToolUse);
    assert_eq!((payload.tool_name(), payload.tool_input()), (Some("Bash"), None));
    assert_eq!(damage, "the text ends early");
}

#[test]
fn what_follows_the_payload_is_damage() {
    let (payload, _) = damaged(format!("{}{{}}", bash("ls")));
    assert_eq!(payload.tool_input(), Some(&json!({"command": "ls"})));
}

#[test]
fn a_payload_without_an_event_is_unreadable() {
    for text in [
        "",
        "null",
        "[]",
        "{}",
        r#"{"hook_event_name":null}"#,
        r#"{"hook_event_name":""}"#,
        r#"{"hook_event_name":["PreToolUse"]}"#,
        r#"{"a":{"hook_event_name":"Stop"}}"#,
        r#"{"tool_name":"Bash","tool_inp"#,
    ] {
        let reason = unreadable(text);
        assert!(reason.starts_with("the payload "), "{text}: {reason}");
    }
}

#[test]
fn an_event_that_we_do_not_know_is_named() {
    for name in ["Teleport", "pretooluse", "PreToolUse "] {
        let text = format!(r#"{{"hook_event_name":"{name}","session_id":"s"}}"#);
        assert_eq!(decoded(text), DecodedPayload::UnknownEvent(name.to_owned()));
    }
}

#[test]
fn the_event_alone_is_a_payload() {
    for event_name in Event::ALL {
        let payload = event(format!(r#"{{"hook_event_name":"{}"}}"#, event_name.name()));
        assert_eq!(payload.event, *event_name);
        assert_eq!((payload.tool_name(), payload.agent_id(), payload.agent_type()), (None, None, None));
    }
}

#[test]
fn null_and_empty_fields_have_no_value() {
    let payload = event(r#"{"hook_event_name":"SubagentStop","agent_id":null,"agent_type":"","permission_mode":7}"#);
    assert_eq!(
        (payload.agent_id(), payload.agent_type(), payload.nonempty_text("permission_mode")),
        (None, None, None)
    );
}

#[test]
fn fields_that_nobody_knows_are_kept() {
    let payload = event(r#"{"hook_event_name":"Stop","new_thing":{"x":[1,null]}}"#);
    assert_eq!(payload.json.get("new_thing"), Some(&json!({"x": [1, null]})));
}

#[test]
fn the_old_name_of_the_agent_type_is_read() {
    for agent_type in ["", r#","agent_type":"""#, r#","agent_type":null"#] {
        let text = format!(r#"{{"hook_event_name":"SubagentStop","subagent_type":"coder"{agent_type}}}"#);
        assert_eq!(event(text).json.get("agent_type"), Some(&json!("coder")));
    }
    let both = event(r#"{"hook_event_name":"SubagentStop","subagent_type":"coder","agent_type":"reviewer"}"#);
    assert_eq!(both.agent_type(), Some("reviewer"));
}

#[test]
fn the_agent_type_is_there_under_both_names_where_it_is_the_subject() {
    for name in ["SubagentStart", "SubagentStop"] {
        for lacking in ["", r#","subagent_type":null"#] {
            let payload = event(format!(r#"{{"hook_event_name":"{name}","agent_type":"coder"{lacking}}}"#));
            assert_eq!(payload.json.get("subagent_type"), Some(&json!("coder")), "{name}{lacking}");
        }
        for sent in [json!("reviewer"), json!(""), json!(7)] {
            let payload =
                event(format!(r#"{{"hook_event_name":"{name}","agent_type":"coder","subagent_type":{sent}}}"#));
            assert_eq!(payload.json.get("subagent_type"), Some(&sent), "{name}: what is sent stays");
            assert_eq!(payload.agent_type(), Some("coder"), "{name}");
        }
    }
    assert_eq!(event(r#"{"hook_event_name":"Stop","agent_type":"coder"}"#).json.get("subagent_type"), None);
}

/// Returns the path of a subagent's conversation that the decoder derives.
fn agent_transcript(event_name: &str, members: &str) -> Option<serde_json::Value> {
    event(format!(r#"{{"hook_event_name":"{event_name}"{members}}}"#)).json.get("agent_transcript_path").cloned()
}

#[test]
fn the_agents_transcript_lies_beside_the_sessions() {
    let members = r#","transcript_path":"/p/t/s1.jsonl","agent_id":"a.B_9-c""#;
    for name in ["SubagentStart", "SubagentStop"] {
        for lacking in ["", r#","agent_transcript_path":null"#] {
            let path = agent_transcript(name, &format!("{members}{lacking}"));
            assert_eq!(path, Some(json!("/p/t/s1/subagents/agent-a.B_9-c.jsonl")), "{name}{lacking}");
        }
        for sent in [json!("/else/where"), json!(""), json!(" "), json!(7)] {
            let path = agent_transcript(name, &format!(r#"{members},"agent_transcript_path":{sent}"#));
            assert_eq!(path, Some(sent), "{name}: what is sent stays");
        }
    }
    // Hosts and users choose their own ids: an id only has to be a single component.
    for id in ["coder@2", "a b", "é", "..a", "a\\b", "-"] {
        let members = json!({ "transcript_path": "/s1.jsonl", "agent_id": id }).to_string();
        let members = members.strip_prefix('{').and_then(|members| members.strip_suffix('}')).unwrap();
        let path = agent_transcript("SubagentStart", &format!(",{members}"));
        assert_eq!(path, Some(json!(format!("/s1/subagents/agent-{id}.jsonl"))));
    }
    assert_eq!(agent_transcript("Stop", members), None);
    let root = agent_transcript("SubagentStart", r#","transcript_path":"/s1.jsonl","agent_id":"a""#);
    assert_eq!(root, Some(json!("/s1/subagents/agent-a.jsonl")));
}

#[test]
fn a_place_that_cannot_be_sure_is_not_derived() {
    let mut derived = Vec::new();
    for id in
        [r#""..""#, r#"".""#, r#""a/b""#, r#""../a""#, r#""a\nb""#, r#""a\u0000""#, r#""\u009b""#, r#""""#, "null", "7"]
    {
        derived
            .extend(agent_transcript("SubagentStart", &format!(r#","transcript_path":"/t/s.jsonl","agent_id":{id}"#)));
    }
    for transcript in [
        "s.jsonl",
        "t/s.jsonl",
        "~/s.jsonl",
        "/t/s.json",
        "/t/.jsonl",
        "/t/...jsonl",
        "/t/..jsonl",
        "/t/s",
        "",
        "C:\\\\t\\\\s.jsonl",
    ] {
        let members = format!(r#","transcript_path":"{transcript}","agent_id":"a""#);
        derived.extend(agent_transcript("SubagentStart", &members));
    }
    assert_eq!(derived, Vec::<serde_json::Value>::new());
    assert_eq!(agent_transcript("SubagentStart", r#","agent_id":"a""#), None);
}

#[test]
fn a_name_that_stands_twice_is_the_last_one() {
    assert_eq!(event(r#"{"hook_event_name":"Stop","hook_event_name":"PreCompact"}"#).event, Event::PreCompact);
}

fn vote(decision: Decision, message: &str) -> Vote {
    Vote::from_rule("r", decision, message)
}

fn note(text: &str) -> Note {
    Note::from_rule("r", text.to_owned())
}

/// Encodes a verdict for Claude Code; returns the JSON on standard output (null if there is none) and the whole
/// output.
fn output(event: Event, change: impl FnOnce(&mut Verdict)) -> (serde_json::Value, HostOutput) {
    let mut verdict = Verdict::pass(event);
    change(&mut verdict);
    let output = encode(Host::CLAUDE_CODE, &verdict);
    (serde_json::from_str(&output.stdout).unwrap_or_default(), output)
}

#[test]
fn a_denial_without_a_message_names_the_rule() {
    let (_, output) = output(Event::PreToolUse, |it| it.votes.push(vote(Decision::Deny, "")));
    assert_eq!((output.stderr.as_str(), output.exit), ("The rule r says deny.\n", 2));
}

#[test]
fn what_an_event_cannot_do_is_said_to_the_user() {
    let (json, output) = output(Event::SessionStart, |it| it.votes.push(vote(Decision::Ask, "Sure?")));
    assert_eq!((json, output.exit), (json!({"systemMessage": "Sure?"}), 0));
    let (json, _) = super::tests::output(Event::Stop, |it| it.contexts.push(note("Note.")));
    assert_eq!(json, json!({"systemMessage": "Note."}), "a context would make the agent go on");
}

#[test]
fn halt_is_at_least_a_denial_where_the_agent_cannot_be_stopped() {
    let (json, output) = output(Event::PreCompact, |it| it.votes.push(vote(Decision::Halt, "No.")));
    assert_eq!((json, output.exit), (json!({"decision": "block", "reason": "No."}), 2));
}

#[test]
fn a_denied_call_is_not_rewritten() {
    for decision in [Decision::Deny, Decision::Halt] {
        let (_, output) = output(Event::PreToolUse, |it| {
            it.votes.push(vote(decision, "No."));
            it.updated_input = Some(json!({"command": "ls"}));
        });
        assert!(!output.stdout.contains("updatedInput"), "{}", output.stdout);
    }
}

#[test]
fn what_the_user_is_asked_about_is_the_rewritten_call() {
    let (json, _) = output(Event::PreToolUse, |it| {
        it.votes.push(vote(Decision::Ask, "Sure?"));
        it.updated_input = Some(json!({"command": "ls"}));
    });
    assert_eq!(json["hookSpecificOutput"]["permissionDecision"], "ask");
    assert_eq!(json["hookSpecificOutput"]["updatedInput"], json!({"command": "ls"}));
}

#[test]
fn an_input_that_is_no_object_is_asked_about_and_never_sent() {
    for input in [json!(null), json!([1]), json!("ls")] {
        let (json, _) = output(Event::PreToolUse, |it| {
            it.votes.push(vote(Decision::Allow, ""));
            it.updated_input = Some(input);
        });
        assert_eq!(json["hookSpecificOutput"]["permissionDecision"], "ask");
        assert!(json["hookSpecificOutput"].get("updatedInput").is_none());
    }
}

#[test]
fn a_rewrite_keeps_keys_and_numbers_as_they_are() {
    let sent = r#"{"z":5.414424577358208e-134,"a":1,"m":null}"#;
    let (_, output) = output(Event::PreToolUse, |it| it.updated_input = serde_json::from_str(sent).ok());
    assert!(output.stdout.contains(sent), "{}", output.stdout);
}

#[test]
fn on_a_dialog_a_rewrite_without_allow_is_said_to_the_user() {
    let (json, output) = output(Event::PermissionRequest, |it| it.updated_input = Some(json!({"command": "ls"})));
    // The user would not see it there.
    assert!(output.deferred.unwrap().contains("needs an allow"));
    assert_eq!(json, serde_json::Value::Null);
}

/// Claude Code counts UTF-16 units: with one more than its limit, a context is replaced with the name of a file.
#[test]
fn every_reader_gets_the_beginning_and_the_end_of_what_is_too_long() {
    for (long, is_cut) in [
        ("é".repeat(10_000), false),
        ("é".repeat(10_001), true),
        ("😀".repeat(5_000), false),
        ("😀".repeat(5_001), true),
        ("one line\n".repeat(1_111), false),
        ("one line\n".repeat(5_000), true),
    ] {
        let (json, output) = output(Event::PreToolUse, |it| {
            it.votes.push(vote(Decision::Deny, &long));
            it.warnings.push(note(&long));
            it.contexts.push(note(&long));
        });
        let specific = &json["hookSpecificOutput"];
        let texts = [&specific["permissionDecisionReason"], &json["systemMessage"], &specific["additionalContext"]];
        for text in texts.map(|text| text.as_str().unwrap()).into_iter().chain([output.stderr.trim_end_matches('\n')]) {
            assert!(text.encode_utf16().count() <= 10_000 && text.len() > 9_000, "{}", text.len());
            assert_eq!(text.contains(" left out]"), is_cut, "{text}");
            assert!(is_cut || text == long.trim_end() || text == long);
            let ends = [text.chars().next(), text.trim_end().chars().next_back()];
            assert_eq!(ends, [long.chars().next(), long.trim_end().chars().next_back()]);
        }
    }
}

#[test]
fn all_contexts_of_an_answer_are_within_the_hosts_limit() {
    let (json, _) = output(Event::PostToolUse, |it| {
        it.contexts.extend((0..8).map(|n| note(&format!("begin {n}\n{}end {n}", "one line 😀\n".repeat(400)))));
        it.contexts.push(note("short"));
    });
    let told = json["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(told.encode_utf16().count() <= 10_000, "{}", told.encode_utf16().count());
    for n in 0..8 {
        assert!(told.contains(&format!("begin {n}\n")) && told.contains(&format!("\nend {n}")), "{told}");
    }
    assert!(told.ends_with("\n\nshort"));
}

#[test]
fn all_messages_together_are_bounded_and_the_deciding_one_stays() {
    let (json, output) = output(Event::PreToolUse, |it| {
        it.votes.push(vote(Decision::Deny, "No."));
        it.warnings.extend((0..30).map(|n| note(&format!("{n}{}", "x".repeat(1_998)))));
    });
    let told = json["systemMessage"].as_str().unwrap();
    assert_eq!(output.stderr, "No.\n");
    assert!(told.chars().count() <= 10_000 && told.ends_with("\n(and 10 more)"), "{}", told.len());
}

#[test]
fn no_reason_of_several_keeps_the_others_from_being_read() {
    let (_, output) = output(Event::PreToolUse, |it| {
        for n in 0..3 {
            let long = format!("begin {n}\n{}end {n}", "line\n".repeat(5_000));
            it.votes.push(Vote::from_rule(&format!("r{n}"), Decision::Deny, long.as_str()));
        }
    });
    assert!(output.stderr.encode_utf16().count() <= 10_001, "{}", output.stderr.len());
    for n in 0..3 {
        assert!(output.stderr.contains(&format!("begin {n}\n")) && output.stderr.contains(&format!("end {n}")));
    }
}

#[test]
fn the_same_warning_is_said_once() {
    let (json, _) = output(Event::Stop, |it| it.warnings.extend([note("A"), note("A"), note("")]));
    assert_eq!(json, json!({"systemMessage": "A"}));
}

#[test]
fn a_worktrees_path_is_a_line() {
    let path = |it: &mut Verdict| it.worktree_path = Some("/wt/a b".to_owned());
    let (_, said) = output(Event::WorktreeCreate, path);
    assert_eq!(said, HostOutput { stdout: "/wt/a b\n".to_owned(), ..HostOutput::default() });
    let (_, denied) = output(Event::WorktreeCreate, |it| {
        path(it);
        it.votes.push(vote(Decision::Deny, "No."));
    });
    assert_eq!((denied.stdout.as_str(), denied.stderr.as_str(), denied.exit), ("", "No.\n", 2));
    let (_, failed) = output(Event::WorktreeCreate, |it| it.warnings.push(note("`mk` failed")));
    assert_eq!((failed.stdout.as_str(), failed.stderr.as_str(), failed.exit), ("", "`mk` failed\n", 2));
}
