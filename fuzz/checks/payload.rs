//! Any bytes as a payload: decoding terminates, and for every answer to the event, the host gets one object or nothing.

use hookrules::host::{DecodedPayload, Host, decode, encode, parse_json};
use hookrules::schema::Event;
use hookrules::types::Payload;
use hookrules::verdict::{Decision, Note, PlainExit, Verdict, Vote};
use serde_json::Value as Json;

/// Panics if this does not hold.
pub fn check(bytes: &[u8]) {
    if let DecodedPayload::Event { payload, .. } = decode(Host::CLAUDE_CODE, bytes) {
        // The texts of the answer come from the payload, as they may through placeholders.
        let text = Json::Object(payload.json.clone()).to_string();
        for decision in [Decision::Pass, Decision::Allow, Decision::Ask, Decision::Deny, Decision::Halt] {
            answer(&verdict(&payload, decision, &text));
        }
    }
}

/// Returns a verdict with every effect at once.
fn verdict(payload: &Payload, decision: Decision, text: &str) -> Verdict {
    let mut verdict = Verdict::pass(payload.event);
    let note = || Note::from_rule("fuzz", text.to_owned());
    if decision != Decision::Pass {
        verdict.votes.push(Vote { interrupt: true, ..Vote::from_rule("fuzz", decision, text) });
    }
    verdict.contexts.extend([note(), note()]);
    verdict.warnings.push(note());
    verdict.updated_input = payload.tool_input().cloned();
    verdict.updated_output = payload.json.get("tool_response").filter(|output| !output.is_null()).cloned();
    for code in [2, 3] {
        verdict.exits.push(PlainExit { rule: "fuzz".to_owned(), code, message: text.to_owned() });
    }
    verdict.worktree_path = payload.nonempty_text("name").map(str::to_owned);
    verdict
}

fn answer(verdict: &Verdict) {
    let output = encode(Host::CLAUDE_CODE, verdict);
    assert!(output.exit == 0 || output.exit == 2);
    if verdict.event == Event::WorktreeCreate || output.stdout.is_empty() {
        return;
    }
    // serde_json stops at 128 levels, which an input may exceed.
    let read = parse_json(output.stdout.as_bytes()).expect("an object");
    assert_eq!(read.damage, None, "{}", output.stdout);
    assert!(read.members.values().all(|value| !value.is_null()), "{}", output.stdout);
    if let Some(specific) = read.members.get("hookSpecificOutput") {
        assert_eq!(specific.get("hookEventName").and_then(Json::as_str), Some(verdict.event.name()));
    }
}
