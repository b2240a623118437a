//! Tests of the typed answers: their JSON, how they are parsed, and JSON that is no answer.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json, json};

use super::output;
use crate::host::{Interrupt, PermissionDecision, PermissionRequestHookOutput, SubagentStartHookOutput};
use crate::schema::Event;
use crate::verdict::Decision;

fn input() -> Map<String, Json> {
    // A null inside the input is the tool's own business and is kept.
    json!({"command": "ls", "x": null}).as_object().cloned().unwrap()
}

/// Checks that a value serializes to this JSON, and that the JSON deserializes to the value.
#[track_caller]
fn both_ways<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(output: &T, text: &str) {
    assert_eq!(serde_json::to_string(output).unwrap(), text);
    assert_eq!(serde_json::from_str::<T>(text).unwrap(), *output);
}

/// Checks that a JSON text is rejected.
#[track_caller]
fn is_none<T: DeserializeOwned + std::fmt::Debug>(text: &str, why: &str) {
    let error = serde_json::from_str::<T>(text).unwrap_err().to_string();
    assert!(error.starts_with(why), "{text}: {error}");
}

#[test]
fn answers_to_a_dialog_are_read_as_they_are_written() {
    both_ways(
        &PermissionRequestHookOutput::allow(),
        r#"{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}"#,
    );
    both_ways(
        &PermissionRequestHookOutput::allow_with(input()),
        r#"{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{"command":"ls","x":null}}}"#,
    );
    both_ways(
        &PermissionRequestHookOutput::allow_with(Map::new()),
        r#"{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{}}}"#,
    );
    both_ways(
        &PermissionRequestHookOutput::deny("No: \"why\".", Interrupt::No),
        r#"{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"No: \"why\"."}}"#,
    );
    both_ways(
        &PermissionRequestHookOutput::deny("No.", Interrupt::Turn),
        r#"{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"No.","interrupt":true}}"#,
    );
}

#[test]
fn a_dialogs_answer_tells_its_decision() {
    let denied = PermissionRequestHookOutput::deny("No.", Interrupt::Turn);
    let decision = PermissionDecision::Deny { message: "No.".to_owned(), interrupt: Interrupt::Turn };
    assert_eq!(denied.decision(), &decision);
    let stated: PermissionRequestHookOutput = serde_json::from_str(
        r#"{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"No.","interrupt":false}}"#,
    )
    .unwrap();
    assert_eq!(stated, PermissionRequestHookOutput::deny("No.", Interrupt::No));
}

#[test]
fn an_answer_to_a_dialog_that_cannot_be_made_cannot_be_read() {
    let of = |decision: &str| format!(r#"{{"hookEventName":"PermissionRequest","decision":{decision}}}"#);
    for (decision, why) in [
        (r#"{"behavior":"deny","message":"No.","updatedInput":{}}"#, "unknown field `updatedInput`"),
        (r#"{"behavior":"allow","message":"Why."}"#, "unknown field `message`"),
        (r#"{"behavior":"allow","interrupt":true}"#, "unknown field `interrupt`"),
        (r#"{"behavior":"allow","updatedInput":null}"#, "invalid type: null"),
        (r#"{"behavior":"allow","updatedInput":"ls"}"#, "invalid type: string"),
        (r#"{"behavior":"deny"}"#, "missing field `message`"),
        (r#"{"behavior":"deny","message":null}"#, "invalid type: null"),
        (r#"{"behavior":"deny","message":"No.","interrupt":null}"#, "invalid type: null"),
        (r#"{"behavior":"deny","message":"No.","interrupt":"yes"}"#, "invalid type: string"),
        (r#"{"behavior":"ask","message":"Sure?"}"#, "unknown variant `ask`"),
        (r#"{"message":"No."}"#, "missing field `behavior`"),
        (r#""allow""#, "invalid type: string"),
    ] {
        is_none::<PermissionRequestHookOutput>(&of(decision), why);
    }
    for (text, why) in [
        (r#"{"hookEventName":"PreToolUse","decision":{"behavior":"allow"}}"#, "unknown variant `PreToolUse`"),
        (r#"{"decision":{"behavior":"allow"}}"#, "missing field `hookEventName`"),
        (r#"{"hookEventName":"PermissionRequest"}"#, "missing field `decision`"),
        (
            r#"{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"},"additionalContext":"x"}"#,
            "unknown field `additionalContext`",
        ),
    ] {
        is_none::<PermissionRequestHookOutput>(text, why);
    }
}

#[test]
fn answers_to_a_subagents_start_are_read_as_they_are_written() {
    both_ways(&SubagentStartHookOutput::new(), r#"{"hookEventName":"SubagentStart"}"#);
    let told = SubagentStartHookOutput::with_context("Keep\n\"functions\" short.");
    both_ways(&told, r#"{"hookEventName":"SubagentStart","additionalContext":"Keep\n\"functions\" short."}"#);
    assert_eq!(told.additional_context(), Some("Keep\n\"functions\" short."));
}

#[test]
fn an_empty_context_is_none() {
    assert_eq!(SubagentStartHookOutput::with_context(""), SubagentStartHookOutput::new());
    let empty = r#"{"hookEventName":"SubagentStart","additionalContext":""}"#;
    assert_eq!(serde_json::from_str::<SubagentStartHookOutput>(empty).unwrap(), SubagentStartHookOutput::new());
}

#[test]
fn an_answer_to_a_start_that_cannot_be_made_cannot_be_read() {
    for (text, why) in [
        (r#"{"hookEventName":"SubagentStop","additionalContext":"x"}"#, "unknown variant `SubagentStop`"),
        (r#"{"additionalContext":"x"}"#, "missing field `hookEventName`"),
        (r#"{"hookEventName":"SubagentStart","additionalContext":null}"#, "invalid type: null"),
        (r#"{"hookEventName":"SubagentStart","additionalContext":["x"]}"#, "invalid type: sequence"),
        (r#"{"hookEventName":"SubagentStart","decision":"block"}"#, "unknown field `decision`"),
    ] {
        is_none::<SubagentStartHookOutput>(text, why);
    }
}

#[test]
fn what_is_said_on_these_events_is_a_typed_answer() {
    let (json, said) = output(Event::PermissionRequest, |it| {
        it.votes.push(crate::verdict::Vote { interrupt: true, ..super::vote(Decision::Deny, "No.") });
        it.warnings.push(super::note("Hey."));
    });
    let answer: PermissionRequestHookOutput = serde_json::from_value(json["hookSpecificOutput"].clone()).unwrap();
    assert_eq!(answer, PermissionRequestHookOutput::deny("No.", Interrupt::Turn));
    assert_eq!(said.deferred.as_deref(), Some("Hey."));
    let (json, _) = output(Event::SubagentStart, |it| it.contexts.push(super::note("Note.")));
    let answer: SubagentStartHookOutput = serde_json::from_value(json["hookSpecificOutput"].clone()).unwrap();
    assert_eq!(answer, SubagentStartHookOutput::with_context("Note."));
}
