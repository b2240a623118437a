//! Compares the answers to every event with every possible effect, byte by byte, with a table that people have
//! reviewed; and checks that each answer has the form that the host accepts.

use serde_json::{Map, Value as Json, json};

use super::{note, vote};
use crate::host::{Host, HostOutput, encode, encode_for};
use crate::schema::Event;
use crate::types::PayloadOrigin;
use crate::verdict::{Decision, PlainExit, Verdict};

/// The reviewed table for Claude Code.
const TABLE: &str = include_str!("../../../tests/fixtures/host/claude-code.conformance");

/// The effects, by the names of the table.
pub(super) const EFFECTS: &[&str] = &[
    "nothing",
    "deny",
    "deny-interrupt",
    "ask",
    "allow",
    "allow-why",
    "halt",
    "context",
    "two-contexts",
    "warn",
    "exit-2",
    "exit-3",
    "rewrite",
    "deny+context",
    "allow+rewrite",
    "ask+rewrite",
    "exit-2+rewrite",
    "path",
];

pub(super) fn verdict(event: Event, effect: &str) -> Verdict {
    let mut verdict = Verdict::pass(event);
    for part in effect.split('+') {
        match part {
            "nothing" => {}
            "deny" => verdict.votes.push(vote(Decision::Deny, "No: \"why\".")),
            "deny-interrupt" => {
                verdict.votes.push(crate::verdict::Vote { interrupt: true, ..vote(Decision::Deny, "No.") });
            }
            "ask" => verdict.votes.push(vote(Decision::Ask, "Sure?")),
            "allow" => verdict.votes.push(vote(Decision::Allow, "")),
            "allow-why" => verdict.votes.push(vote(Decision::Allow, "Known.")),
            "halt" => verdict.votes.push(vote(Decision::Halt, "Stop.")),
            "context" => verdict.contexts.push(note("Note.")),
            "two-contexts" => verdict.contexts.extend([note("One."), note("Two.")]),
            "warn" => verdict.warnings.extend([note("Hey."), note("You.")]),
            "exit-2" | "exit-3" => verdict.exits.push(PlainExit {
                rule: "r".to_owned(),
                code: if part == "exit-2" { 2 } else { 3 },
                message: "Out.".to_owned(),
            }),
            "rewrite" if event == Event::PostToolUse => {
                verdict.updated_output = Some(json!({"stdout": "[key]", "x": null}));
            }
            "rewrite" => verdict.updated_input = Some(json!({"command": "ls", "x": null})),
            "path" => verdict.worktree_path = Some("/wt/a".to_owned()),
            other => panic!("{other}"),
        }
    }
    verdict
}

/// Whether a policy can have this effect on the event: any other is an error at load.
pub(super) fn answerable(event: Event, effect: &str) -> bool {
    let can = event.spec().answers;
    effect.split('+').all(|part| match part {
        "nothing" => true,
        "deny" => can.deny,
        "deny-interrupt" => event == Event::PermissionRequest,
        "ask" => can.ask,
        "allow" | "allow-why" => can.allow,
        "halt" => can.halt,
        "context" | "two-contexts" => can.context,
        "warn" | "exit-3" => can.warn,
        // On an event that it denies, it is a vote.
        "exit-2" => can.warn && !can.deny,
        "rewrite" => can.rewrite,
        "path" => event == Event::WorktreeCreate,
        other => panic!("{other}"),
    })
}

pub(super) fn row(host: Host, origin: &PayloadOrigin, event: Event, effect: &str) -> String {
    let HostOutput { stdout, stderr, exit, deferred: held } = encode_for(host, origin, &verdict(event, effect));
    let stdout = if stdout.is_empty() { "-".to_owned() } else { stdout.replace('\n', "\\n") };
    let stderr = if stderr.is_empty() { String::new() } else { format!(" ! {}", stderr.replace('\n', "\\n")) };
    let held = held.map(|text| format!(" ~ {}", text.replace('\n', "\\n"))).unwrap_or_default();
    let name = origin.event.as_ref().map(|name| format!("({name})")).unwrap_or_default();
    format!("{}{name} {effect} {exit} {stdout}{stderr}{held}", event.name())
}

/// Compares the answers to a host, on the events that it sends, with a table.
#[track_caller]
pub(super) fn check_table(host: Host, table: &str) {
    let events = Event::ALL.iter().filter(|event| host.capabilities(**event).is_some());
    let cases = events.flat_map(|event| EFFECTS.iter().map(move |effect| (*event, *effect)));
    let cases = cases.filter(|(event, effect)| answerable(*event, effect));
    let now: Vec<String> = cases.map(|(event, effect)| row(host, &PayloadOrigin::default(), event, effect)).collect();
    let table: Vec<&str> = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    for (now, stated) in now.iter().zip(&table) {
        assert_eq!(now, stated);
    }
    assert_eq!(now.len(), table.len(), "{}", now.join("\n"));
}

#[test]
fn every_answer_is_the_one_in_the_table() {
    check_table(Host::CLAUDE_CODE, TABLE);
}

/// Returns the members of `hookSpecificOutput` that the host knows on an event, from the type definitions of 2.1.330.
fn specific_keys(event: Event) -> &'static [&'static str] {
    match event {
        Event::PreToolUse => {
            &["hookEventName", "permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext"]
        }
        Event::PreSkillShellCommand => &["hookEventName", "permissionDecision", "permissionDecisionReason"],
        Event::PermissionRequest => &["hookEventName", "decision"],
        Event::PreModelSwitch => &["hookEventName", "permissionDecision", "permissionDecisionReason"],
        Event::Elicitation | Event::ElicitationResult => &["hookEventName", "action", "content"],
        Event::PostToolUse => &["hookEventName", "additionalContext", "updatedToolOutput"],
        Event::PostToolUseFailure
        | Event::PostToolBatch
        | Event::UserPromptSubmit
        | Event::UserPromptExpansion
        | Event::SessionStart
        | Event::SubagentStart
        | Event::PostModelSwitch => &["hookEventName", "additionalContext"],
        _ => &[],
    }
}

/// Whether the host accepts `decision: block` on an event.
fn takes_block(event: Event) -> bool {
    matches!(
        event,
        Event::UserPromptSubmit
            | Event::UserPromptExpansion
            | Event::Stop
            | Event::SubagentStop
            | Event::PreCompact
            | Event::ConfigChange
            | Event::TaskCreated
            | Event::TaskCompleted
            | Event::TeammateIdle
    )
}

/// Checks that an object has only known members, and none that is null.
#[track_caller]
fn check_keys(map: &Map<String, Json>, known: &[&str]) {
    for (key, value) in map {
        assert!(known.contains(&key.as_str()), "{key} is not known");
        assert!(!value.is_null(), "{key} is null");
    }
}

/// Checks an answer as the host parses it.
#[track_caller]
pub(super) fn check_shape(event: Event, output: &HostOutput) {
    assert!(output.exit == 0 || output.exit == 2, "{}", output.exit);
    assert!(output.stderr.is_empty() || output.stderr.ends_with('\n'), "{output:?}");
    if event == Event::WorktreeCreate || output.stdout.is_empty() {
        return;
    }
    if event == Event::PreCompact && output.exit == 0 {
        // Instructions for the summary, which are not a member of an object.
        assert!(!output.stdout.trim_start().starts_with('{'), "{}", output.stdout);
        return;
    }
    let Ok(Json::Object(top)) = serde_json::from_str(&output.stdout) else {
        panic!("not one object: {}", output.stdout)
    };
    assert!(output.stdout.starts_with('{') && output.stdout.ends_with('}'));
    check_keys(&top, &["continue", "stopReason", "decision", "reason", "systemMessage", "hookSpecificOutput"]);
    assert!(top.get("continue").is_none_or(|it| *it == json!(false)));
    assert!(top.get("decision").is_none_or(|it| *it == json!("block") && takes_block(event)));
    for text in ["stopReason", "reason", "systemMessage"] {
        assert!(top.get(text).is_none_or(|it| it.as_str().is_some_and(|it| !it.is_empty())), "{text}");
    }
    let Some(specific) = top.get("hookSpecificOutput") else { return };
    let specific = specific.as_object().expect("an object");
    check_keys(specific, specific_keys(event));
    assert_eq!(specific.get("hookEventName"), Some(&json!(event.name())));
    assert!(specific.len() > 1, "nothing is said");
    assert!(specific.get("updatedInput").is_none_or(Json::is_object));
    let words = ["allow", "deny", "ask"];
    assert!(specific.get("permissionDecision").is_none_or(|it| words.contains(&it.as_str().unwrap())));
    if let Some(decision) = specific.get("decision") {
        let decision = decision.as_object().expect("an object");
        if decision.get("behavior") == Some(&json!("allow")) {
            check_keys(decision, &["behavior", "updatedInput"]);
            assert!(decision.get("updatedInput").is_none_or(Json::is_object));
        } else {
            assert_eq!(decision.get("behavior"), Some(&json!("deny")));
            check_keys(decision, &["behavior", "message", "interrupt"]);
        }
    }
}

#[test]
fn every_answer_has_the_hosts_shape() {
    for event in Event::ALL {
        for one in EFFECTS {
            for other in EFFECTS {
                let verdict = verdict(*event, &format!("{one}+{other}"));
                check_shape(*event, &encode(Host::CLAUDE_CODE, &verdict));
            }
        }
    }
}

#[test]
fn no_denial_is_lost() {
    for event in Event::ALL.iter().filter(|event| event.spec().answers.deny) {
        for other in EFFECTS {
            let verdict = verdict(*event, &format!("deny+{other}"));
            let output = encode(Host::CLAUDE_CODE, &verdict);
            let halted = verdict.decision() == Decision::Halt && *event == Event::Stop;
            let by_json = output.stdout.contains(r#""behavior":"deny""#);
            assert!(halted || by_json || output.exit == 2, "{} {other}", event.name());
            assert!(
                output.stdout.contains("No: ")
                    || output.stderr.contains("No: ")
                    || verdict.decision() == Decision::Halt
            );
        }
    }
}

#[test]
fn no_text_is_lost() {
    for event in Event::ALL {
        for (effect, text) in [
            ("deny", "why"),
            ("ask", "Sure?"),
            ("halt", "Stop."),
            ("two-contexts", "Two."),
            ("warn", "You."),
            ("exit-2", "Out."),
            ("exit-3", "Out."),
        ] {
            let output = encode(Host::CLAUDE_CODE, &verdict(*event, effect));
            let leaves_the_dialog = *event == Event::PermissionRequest && effect == "ask";
            let held = output.deferred.as_ref().is_some_and(|held| held.contains(text));
            let said = output.stdout.contains(text) || output.stderr.contains(text) || held;
            assert!(said || leaves_the_dialog, "{} {effect}: {output:?}", event.name());
        }
    }
}
