//! The results for an embedding program: the same as for a hook, and errors with advice.

use serde_json::json;

use super::*;
use crate::eval::PlannedEffect;
use crate::facts::StatedFacts;
use crate::schema::Event;
use crate::types::HookPayload;
use crate::verdict::Decision;

const PUSH: &[u8] = br#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git push -f"}}"#;

fn judged(text: &str) -> Result<Judgement, PolicyError> {
    let engine = Engine::parse("a.rules", text)?;
    Ok(engine.judge(&HookEvent::from_json(PUSH).unwrap(), &StatedFacts::default()))
}

#[test]
fn a_text_is_a_policy_and_may_use_packs() {
    let guard = "rule a {\n  on PreToolUse\n  when runs \"git push -f\"\n  deny \"No.\"\n}\n";
    assert_eq!(judged(guard).unwrap().decision(), Decision::Deny);
    assert_ne!(judged("use \"std/git\"\n").unwrap().decision(), Decision::Pass);
}

#[test]
fn what_does_not_load_says_where_and_why() {
    let error = |text: &str| judged(text).unwrap_err();
    let broken = error("rule a {\n  on PreToolUse\n}\n");
    assert!(broken.to_string().starts_with("a.rules:1:"), "{broken}");
    assert!(format!("{broken:#}").contains("rule a {"), "{broken:#}");
    let [finding] = broken.findings() else { panic!("{broken}") };
    assert_eq!(finding.place.as_ref().unwrap().to_string(), "a.rules:1:6");
    assert_eq!(finding.to_string(), broken.to_string());
    assert!(error("use \"./b.rules\"\n").to_string().contains("R0"));
    assert!(error("use \"std/gti\"\n").to_string().contains("std/git"));
    assert_eq!((error("").to_string().as_str(), error("").findings()), ("there is no policy", [].as_slice()));
}

#[test]
fn what_is_probably_not_meant_is_a_warning() {
    let engine = Engine::parse("a.rules", "rule a {\n  on PreToolUse(Rad)\n  deny \"No.\"\n}\n").unwrap();
    let found: Vec<&str> = engine.warnings().iter().map(|finding| finding.name).collect();
    assert_eq!(found, ["unknown-tool"]);
}

#[test]
fn an_engine_is_shared_by_threads_and_its_results_are_sent() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Engine>();
    is_shared::<HookEvent>();
    is_shared::<Judgement>();
    is_shared::<PolicyError>();
    is_shared::<Hook>();
    is_shared::<HookBuilder>();
    is_shared::<CompletedEvent<'_>>();
    is_shared::<PerformedEvent<'_>>();
    is_shared::<AnsweredEvent<'_>>();
}

#[test]
fn what_is_no_event_is_told() {
    let error = |json: &[u8]| HookEvent::from_json(json).unwrap_err();
    assert_eq!(error(br#"{"hook_event_name":"Nothing"}"#).to_string(), "no event is named `Nothing`");
    assert!(matches!(error(b"{"), EventError::Unreadable(_)));
    assert!(matches!(error(br#"{"hook_event_name":"Stop","x":"#), EventError::Unreadable(_)));
    let host = HookEvent::from_host("wabe", PUSH).unwrap_err();
    assert_eq!(
        host.to_string(),
        "no host is named `wabe`; hosts: claude-code, amp, antigravity, auggie, cline, codex, continue, copilot, cursor, droid, gemini, kimi, kiro, opencode, qwen, wave, windsurf"
    );
    let deep = (0..1_000).fold(json!(1), |inner, _| json!([inner]));
    assert!(matches!(HookEvent::tool_call("Bash", deep), Err(EventError::Unreadable(_))));
}

#[test]
fn a_stated_call_is_the_call_that_a_host_sends() {
    let stated = HookEvent::tool_call("Bash", json!({ "command": "git push -f" })).unwrap();
    assert_eq!(stated, HookEvent::from_json(PUSH).unwrap());
    let stated = stated.with_cwd("/w").with_agent("a1", "coder").with_permission_mode("plan");
    let sent = json!({
        "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": { "command": "git push -f" },
        "cwd": "/w", "agent_id": "a1", "agent_type": "coder", "permission_mode": "plan",
    });
    assert_eq!(stated, HookEvent::from_value(&sent).unwrap());
}

#[test]
fn a_typed_payload_is_an_event_and_back() {
    let sent = json!({
        "session_id": "s", "transcript_path": "/t.jsonl", "hook_event_name": "Stop", "cwd": "/w",
        "stop_hook_active": false,
    });
    let event = HookEvent::from_value(&sent).unwrap();
    let typed = event.typed().unwrap();
    assert_eq!(typed.event(), Event::Stop);
    assert_eq!(HookEvent::try_from(&typed).unwrap(), event);
    assert!(matches!(HookEvent::from_json(PUSH).unwrap().typed(), Err(EventError::Unreadable(_))));
    let _: &HookPayload = &typed;
}

#[test]
fn a_judgement_says_which_rules_decided() {
    let judged = judged(
        "rule hard {\n  on PreToolUse\n  when runs \"git push -f\"\n  deny \"No.\"\n}\n\
         rule soft {\n  on PreToolUse\n  when runs \"git push\"\n  ask \"Sure?\"\n  context \"Read it.\"\n}\n\
         rule other {\n  on PreToolUse\n  when runs \"cargo\"\n  deny \"Never.\"\n}\n",
    )
    .unwrap();
    let reasons = judged.reasons();
    let said = |reason: &RuleDecision| (reason.rule.clone(), reason.decision, reason.prevails);
    let expected = [("hard".to_owned(), Decision::Deny, true), ("soft".to_owned(), Decision::Ask, false)];
    assert_eq!(reasons.iter().map(said).collect::<Vec<_>>(), expected);
    assert_eq!(judged.rules().iter().map(|rule| rule.name.as_str()).collect::<Vec<_>>(), ["hard", "soft"]);
    assert_eq!(judged.message(), "No.");
    assert_eq!(judged.effects(), [PlannedEffect::Context { rule: "soft", text: "Read it." }]);
}

#[test]
fn an_explanation_has_every_rule_and_the_parts_of_its_conditions() {
    let engine = Engine::parse(
        "a.rules",
        "rule a {\n  on PreToolUse\n  when tool_name == \"Bash\" and runs \"git $X\"\n  deny \"No.\"\n}\n\
         rule b {\n  on PreToolUse\n  when git.branch == \"main\"\n  deny \"No.\"\n}\n",
    )
    .unwrap();
    struct Nothing;
    impl Facts for Nothing {}
    let judged = engine.explain(&HookEvent::from_json(PUSH).unwrap(), &Nothing);
    let [a, b] = judged.rules() else { panic!("{judged:?}") };
    assert_eq!(a.outcome, MatchOutcome::NoMatch);
    let whole = &a.conditions[0];
    assert_eq!(whole.place.as_ref().unwrap().to_string(), "a.rules:3:8");
    let parts: Vec<_> = whole.parts.iter().map(|part| (part.text.as_str(), &part.outcome)).collect();
    assert_eq!(parts[0], ("tool_name == \"Bash\"", &MatchOutcome::Match), "{parts:?}");
    assert!(matches!(&b.outcome, MatchOutcome::Unknown(why) if why.contains("no source states it")), "{:?}", b.outcome);
    assert_eq!(judged.decision(), Decision::Ask);
}
