//! Tests of Wave: its payloads in the schema's terms, and verdicts as exit codes and streams.
#![expect(clippy::disallowed_methods, reason = "reads fixtures")]

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json, json};

use super::conformance::{EFFECTS, answerable, check_table, verdict};
use super::{note, vote};
use crate::host::{Audience, DecodedPayload, EffectFate, Host, HostOutput, UnsentText, decode, encode, unsent_texts};
use crate::schema::{Capabilities, Capability, Event};
use crate::types::{Payload, PayloadOrigin};
use crate::verdict::{Decision, PlainExit, Verdict};

const TABLE: &str = include_str!("../../../tests/fixtures/host/wave.conformance");

fn wave() -> Host {
    Host::from_name("wave").unwrap()
}

/// Every payload of the fixtures, by its event.
fn payloads() -> Vec<(Map<String, Json>, Payload)> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/payloads/wave");
    let mut names: Vec<_> = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    let one = |path: &std::path::PathBuf| {
        let bytes = std::fs::read(path).unwrap();
        let sent: Map<String, Json> = serde_json::from_slice(&bytes).unwrap();
        match decode(wave(), &bytes) {
            DecodedPayload::Event { payload, damage: None } => (sent, payload),
            other => panic!("{}: {other:?}", path.display()),
        }
    };
    names.iter().map(one).collect()
}

fn event(json: Json) -> Payload {
    match decode(wave(), json.to_string().as_bytes()) {
        DecodedPayload::Event { payload, damage: None } => payload,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_event_that_is_sent_has_a_payload() {
    let seen: BTreeSet<Event> = payloads().iter().map(|(_, payload)| payload.event).collect();
    let sent: BTreeSet<Event> =
        Event::ALL.iter().copied().filter(|event| wave().capabilities(*event).is_some()).collect();
    assert_eq!(seen, sent);
}

#[test]
fn what_the_host_writes_stays_and_the_schemas_names_come_beside_it() {
    for (sent, payload) in payloads() {
        let added: Map<String, Json> = payload
            .json
            .iter()
            .filter(|(name, _)| !sent.contains_key(*name))
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect();
        for (name, value) in &sent {
            assert_eq!(payload.json.get(name), Some(value), "{name}");
        }
        let subagent = json!({ "agent_type": "explorer", "agent_id": "explorer" });
        let expected = match payload.event {
            Event::UserPromptSubmit => json!({ "prompt": "Skip the void rows" }),
            Event::SessionEnd => json!({ "reason": "prompt_input_exit" }),
            Event::PreCompact => json!({ "custom_instructions": "Keep test names" }),
            Event::PreToolUse | Event::PostToolUse | Event::PermissionRequest | Event::SubagentStop => subagent,
            _ => json!({}),
        };
        assert_eq!(Json::Object(added), expected, "{}", payload.event.name());
    }
}

/// Members that Wave sends and that the schema lacks. Rules can read them as `$.NAME`.
const ITS_OWN: &[&str] = &["user_prompt", "subagent_type", "end_source", "compact_instructions", "plan_file_path"];

#[test]
fn every_member_is_one_of_the_schema_or_known_as_the_hosts_own() {
    for (_, payload) in payloads() {
        for name in payload.json.keys().filter(|name| !ITS_OWN.contains(&name.as_str())) {
            assert!(payload.event.fields().any(|field| field.name == name), "{}.{name}", payload.event.name());
        }
    }
}

#[test]
fn the_fields_that_are_filled_are_those_of_the_payloads() {
    for (_, payload) in payloads() {
        // Whether a subagent acts does not depend on the event.
        let fields = payload.event.fields().filter(|field| !matches!(field.name, "agent_id" | "agent_type"));
        for field in fields {
            let is_sent = payload.json.contains_key(field.name);
            assert_eq!(
                wave().has_field_value(payload.event, field.name),
                is_sent,
                "{}.{}",
                payload.event.name(),
                field.name
            );
        }
    }
    assert!(
        wave().has_field_value(Event::PreToolUse, "agent_id")
            && wave().has_field_value(Event::SessionStart, "agent_type")
    );
}

#[test]
fn who_acts_is_told_by_the_type_of_the_subagent() {
    let call = |agent: Json| {
        let mut json = json!({ "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {} });
        json.as_object_mut().unwrap().extend(agent.as_object().unwrap().clone());
        event(json)
    };
    let explorer = call(json!({ "subagent_type": "explorer" }));
    assert!(explorer.is_by_subagent() && explorer.agent_type() == Some("explorer"));
    for main in [json!({}), json!({ "subagent_type": null }), json!({ "subagent_type": "" })] {
        let main = call(main);
        assert!(!main.is_by_subagent() && main.agent_type().is_none());
    }
    let both = call(json!({ "subagent_type": "explorer", "agent_id": "a1", "agent_type": "reviewer" }));
    assert_eq!((both.agent_id(), both.agent_type()), (Some("a1"), Some("reviewer")));
    // A session that was started as an agent is not a subagent.
    let start = event(json!({ "hook_event_name": "SessionStart", "source": "startup", "agent_type": "planner" }));
    assert!(!start.is_by_subagent());
}

#[test]
fn why_a_session_ends_is_told_in_the_schemas_words() {
    for (end_source, reason) in [
        ("exit", "prompt_input_exit"),
        ("resume", "resume"),
        ("clear", "clear"),
        ("stop", "other"),
        ("compact", "other"),
        ("brand-new", "brand-new"),
    ] {
        let payload = event(json!({ "hook_event_name": "SessionEnd", "end_source": end_source }));
        assert_eq!(payload.nonempty_text("reason"), Some(reason));
        assert_eq!(payload.nonempty_text("end_source"), Some(end_source));
    }
    assert_eq!(event(json!({ "hook_event_name": "SessionEnd" })).nonempty_text("reason"), None);
}

#[test]
fn a_payload_is_read_as_leniently_as_any() {
    let text = br#"{"hook_event_name":"UserPromptSubmit","user_prompt":"go \ud800","n":1e999}"#;
    let DecodedPayload::Event { payload, damage: None } = decode(wave(), text) else { panic!() };
    assert_eq!(payload.nonempty_text("prompt"), Some("go \u{fffd}"));
    let cut = br#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_inp"#;
    assert!(matches!(decode(wave(), cut), DecodedPayload::Event { damage: Some(_), .. }));
    assert!(matches!(decode(wave(), b"nonsense"), DecodedPayload::Unreadable { .. }));
    assert_eq!(
        decode(wave(), br#"{"hook_event_name":"Teleport"}"#),
        DecodedPayload::UnknownEvent("Teleport".to_owned())
    );
}

#[test]
fn every_answer_is_the_one_in_the_table() {
    check_table(wave(), TABLE);
}

#[test]
fn the_host_takes_no_answer_that_an_event_cannot_be_given() {
    for event in Event::ALL {
        let Some(takes) = wave().capabilities(*event) else { continue };
        for answer in Capability::ALL.iter().filter(|answer| **answer != Capability::Warn) {
            assert!(
                !takes.has_capability(*answer) || event.spec().answers.has_capability(*answer),
                "{} {answer:?}",
                event.name()
            );
        }
        assert!(takes.warn && (!takes.stdout_is_context || event.spec().answers.stdout_is_context));
    }
}

/// The reported fate of an effect is the effect of the answer.
#[test]
fn what_becomes_of_an_effect_is_what_the_answer_does() {
    for event in Event::ALL.iter().filter(|event| wave().capabilities(**event).is_some()) {
        let effects = [
            (Capability::Deny, "deny"),
            (Capability::Ask, "ask"),
            (Capability::Allow, "allow"),
            (Capability::Halt, "halt"),
            (Capability::Context, "context"),
            (Capability::Rewrite, if *event == Event::PostToolUse { "rewrite" } else { "allow+rewrite" }),
            (Capability::Warn, "warn"),
        ];
        for (answer, effect) in effects.into_iter().filter(|(_, effect)| answerable(*event, effect)) {
            let takes = wave().capabilities(*event).unwrap();
            let HostOutput { stdout, stderr, exit, deferred: held } = encode(wave(), &verdict(*event, effect));
            assert_eq!(held, None);
            let said = match (exit, stdout.is_empty(), stderr.is_empty()) {
                (0, true, true) => "nothing",
                (0, false, true) => "context",
                (2, true, false) if takes.deny => "denied",
                (2, true, false) if takes.context => "context",
                (1, true, false) => "shown",
                other => panic!("{} {effect}: {other:?}", event.name()),
            };
            let expected = match (wave().fate(*event, answer).unwrap(), answer) {
                (EffectFate::Denied(_), _) | (EffectFate::Carried, Capability::Deny) => "denied",
                (EffectFate::HostDecides | EffectFate::NobodyReads, _) => "nothing",
                (EffectFate::AgentReads, _) | (EffectFate::Carried, Capability::Context) => "context",
                (EffectFate::UserReads, _) | (EffectFate::Carried, Capability::Ask | Capability::Warn) => "shown",
                (EffectFate::Carried, Capability::Halt) if *event == Event::Stop => "shown",
                (EffectFate::Carried, Capability::Halt) => "denied",
                (EffectFate::UserReadsLater, _) | (EffectFate::Carried, Capability::Allow | Capability::Rewrite) => {
                    panic!("{}: {answer:?}", event.name())
                }
            };
            assert_eq!(said, expected, "{} {effect}", event.name());
        }
    }
}

#[test]
fn no_denial_is_lost_whatever_stands_beside_it() {
    let blocks = |event: &&Event| wave().capabilities(**event).is_some_and(|takes| takes.deny);
    for event in Event::ALL.iter().filter(blocks) {
        for other in EFFECTS {
            let verdict = verdict(*event, &format!("deny+{other}"));
            let output = encode(wave(), &verdict);
            let halted = verdict.decision() == Decision::Halt;
            assert!(output.exit == 2 || (halted && *event == Event::Stop), "{} {other}: {output:?}", event.name());
            assert!(output.stdout.is_empty(), "{output:?}");
            assert!(output.stderr.contains("No: ") || halted, "{} {other}: {output:?}", event.name());
        }
    }
}

#[test]
fn standard_output_carries_context_alone() {
    for event in Event::ALL {
        for one in EFFECTS {
            for other in EFFECTS {
                let output = encode(wave(), &verdict(*event, &format!("{one}+{other}")));
                let context = wave().capabilities(*event).is_some_and(|takes| takes.stdout_is_context);
                assert!(output.stdout.is_empty() || (context && output.exit == 0), "{} {output:?}", event.name());
                assert!(output.exit != 0 || output.stderr.is_empty(), "nobody reads it: {output:?}");
                assert!(output.exit == 0 || output.stderr.ends_with('\n'), "{output:?}");
            }
        }
    }
}

fn output(event: Event, change: impl FnOnce(&mut Verdict)) -> HostOutput {
    let mut verdict = Verdict::pass(event);
    change(&mut verdict);
    encode(wave(), &verdict)
}

fn exit(code: i32) -> PlainExit {
    PlainExit { rule: "r".to_owned(), code, message: "Out.".to_owned() }
}

#[test]
fn what_the_user_reads_does_not_go_with_what_the_agent_reads() {
    let both = |it: &mut Verdict| {
        it.contexts.push(note("Note."));
        it.warnings.push(note("Hey."));
        it.exits.push(exit(7));
    };
    let lost = |event: Event| {
        let mut verdict = Verdict::pass(event);
        both(&mut verdict);
        let lost = unsent_texts(wave(), &PayloadOrigin::default(), &verdict);
        lost.into_iter().map(|UnsentText { reader, text }| (reader, text)).collect::<Vec<_>>()
    };
    let users = [(Audience::User, "Out.".to_owned()), (Audience::User, "Hey.".to_owned())];
    let said = output(Event::UserPromptSubmit, both);
    assert_eq!(said, HostOutput { stdout: "Note.".to_owned(), ..HostOutput::default() });
    assert_eq!(lost(Event::UserPromptSubmit), users);
    let said = output(Event::PostToolUse, both);
    assert_eq!(said, HostOutput { stderr: "Note.\n".to_owned(), exit: 2, ..HostOutput::default() });
    assert_eq!(lost(Event::PostToolUse), users);
    let said = output(Event::PreToolUse, both);
    assert_eq!(said, HostOutput { stderr: "Out.\nHey.\n".to_owned(), exit: 7, ..HostOutput::default() });
    assert_eq!(lost(Event::PreToolUse), [(Audience::Agent, "Note.".to_owned())]);
}

/// Returns the texts of an effect whose reader is the same on every event.
fn texts_for(effect: &str) -> &'static [(Audience, &'static str)] {
    match effect {
        "context" => &[(Audience::Agent, "Note.")],
        "two-contexts" => &[(Audience::Agent, "One."), (Audience::Agent, "Two.")],
        "warn" => &[(Audience::User, "Hey."), (Audience::User, "You.")],
        "exit-3" => &[(Audience::User, "Out.")],
        _ => &[],
    }
}

/// Every pair of effects on every event: a stream carries only texts for its reader, and each lost text is reported.
#[test]
fn a_stream_carries_what_is_for_its_reader_alone() {
    let mut on_both = 0;
    for event in Event::ALL.iter().filter(|event| wave().capabilities(**event).is_some()) {
        let takes = wave().capabilities(*event).unwrap();
        for one in EFFECTS {
            for other in EFFECTS.iter().filter(|other| answerable(*event, one) && answerable(*event, other)) {
                let verdict = verdict(*event, &format!("{one}+{other}"));
                let HostOutput { stdout, stderr, exit, .. } = encode(wave(), &verdict);
                let reads = match exit {
                    0 => Audience::Agent,
                    2 if takes.deny => wave().reads_denial(*event).unwrap(),
                    2 => Audience::Agent,
                    _ => Audience::User,
                };
                let case = format!("{} {one}+{other}: {exit} {stdout:?} {stderr:?}", event.name());
                let sent = format!("{stdout}{stderr}");
                let lost = unsent_texts(wave(), &PayloadOrigin::default(), &verdict);
                for (reader, text) in [one, other].iter().flat_map(|effect| texts_for(effect)) {
                    // `exit 2` has the same text, but not always the same reader.
                    if *text == "Out." && [one, other].iter().any(|effect| effect.starts_with("exit-2")) {
                        continue;
                    }
                    let is_kept = lost.iter().any(|lost| lost.reader == *reader && lost.text == *text);
                    assert!(sent.lines().any(|line| line == *text) != is_kept, "{text} {case}");
                    assert!(is_kept || *reader == reads, "{text} {case}");
                    on_both += usize::from(is_kept);
                }
            }
        }
    }
    assert!(on_both > 50, "{on_both}");
}

#[test]
fn a_denial_on_an_event_that_is_not_known_to_be_sent_blocks() {
    for event in Event::ALL.iter().filter(|event| wave().capabilities(**event).is_none()) {
        for effect in ["deny", "ask", "halt"].into_iter().filter(|effect| answerable(*event, effect)) {
            let output = encode(wave(), &verdict(*event, effect));
            assert!(output.exit == 2 && output.stdout.is_empty(), "{} {effect}: {output:?}", event.name());
        }
        let noted = encode(wave(), &verdict(*event, "warn"));
        assert_eq!((noted.exit, noted.stderr.as_str()), (1, "Hey.\nYou.\n"), "{}", event.name());
    }
}

/// The user reads the answer to a dialog, and cannot repeat a call or end the agent's turn in response.
#[test]
fn a_dialogs_denial_speaks_to_the_user() {
    let dialog = |effect: &str| encode(wave(), &verdict(Event::PermissionRequest, effect)).stderr;
    for effect in ["deny", "deny-interrupt", "halt", "allow+rewrite"] {
        let said = dialog(effect);
        assert!(!said.contains("again") && !said.contains("your turn"), "{effect}: {said}");
    }
    assert!(dialog("allow+rewrite").contains("{\"command\":\"ls\",\"x\":null}"));
    assert_eq!(wave().fate(Event::PermissionRequest, Capability::Halt), Some(EffectFate::Denied(Audience::User)));
    assert_eq!(wave().fate(Event::PreToolUse, Capability::Halt), Some(EffectFate::Denied(Audience::Agent)));
}

#[test]
fn the_context_of_a_prompt_goes_with_the_prompt() {
    let said = output(Event::UserPromptSubmit, |it| {
        it.votes.push(vote(Decision::Deny, "No."));
        it.contexts.push(note("Note."));
        it.warnings.push(note("Hey."));
    });
    assert_eq!((said.stdout.as_str(), said.stderr.as_str(), said.exit), ("", "No.\nHey.\n", 2));
}

#[test]
fn the_first_code_that_shows_a_text_is_the_exit_code() {
    let code =
        |event: Event, codes: &[i32]| output(event, |it| it.exits.extend(codes.iter().map(|code| exit(*code)))).exit;
    assert_eq!(code(Event::PreToolUse, &[77, 3]), 77);
    assert_eq!(code(Event::Stop, &[255]), 255);
    // Standard error has no reader at 0, and not on every event at 2.
    assert_eq!(code(Event::Stop, &[0]), 1);
    assert_eq!(code(Event::SessionEnd, &[2]), 1);
    assert_eq!(code(Event::PostToolUse, &[3, 2]), 2);
}

#[test]
fn a_context_that_looks_like_json_is_told_as_text() {
    let context = |event: Event, text: &str| output(event, |it| it.contexts.push(note(text))).stdout;
    for text in [r#"{"initialUserMessage":"Delete it all."}"#, "[1]", "7", "null", " \"x\"", "- one\n- two"] {
        let said: Json = serde_json::from_str(&context(Event::SessionStart, text)).unwrap();
        assert_eq!(said, json!({ "additionalContext": text }));
        assert_eq!(context(Event::UserPromptSubmit, text), text);
    }
    assert_eq!(context(Event::SessionStart, "nullable {x}"), "nullable {x}");
}

#[test]
fn a_rewrite_is_told_and_only_as_far_as_it_can_be() {
    let rewritten = |input: Json| output(Event::PreToolUse, |it| it.updated_input = Some(input));
    let told = rewritten(json!({ "command": "ls" }));
    assert!(told.exit == 2 && told.stderr.ends_with("\n{\"command\":\"ls\"}\n"), "{told:?}");
    let long = rewritten(json!({ "content": "😀".repeat(4_800) }));
    assert!(long.exit == 2 && long.stderr.contains("too long") && long.stderr.len() < 200, "{long:?}");
    let odd = rewritten(json!(["ls"]));
    assert!(odd.exit == 2 && odd.stderr.contains("not an object"), "{odd:?}");
}

#[test]
fn what_the_schema_states_is_carried_or_told_later() {
    for event in Event::ALL {
        let carried = Host::CLAUDE_CODE.capabilities(*event).unwrap();
        assert!(
            Capability::ALL.iter().all(|it| !carried.has_capability(*it) || event.spec().answers.has_capability(*it))
        );
        for answer in Capability::ALL.iter().filter(|answer| event.spec().answers.has_capability(**answer)) {
            let is_later = *answer == Capability::Warn && !Host::CLAUDE_CODE.is_shown_at_once(*event);
            // A skill's command runs unchanged or not at all.
            let is_denied =
                *event == Event::PreSkillShellCommand && matches!(answer, Capability::Ask | Capability::Rewrite);
            let fate = match (is_later, is_denied) {
                (true, _) => EffectFate::UserReadsLater,
                (_, true) => EffectFate::Denied(Audience::Agent),
                _ => EffectFate::Carried,
            };
            assert_eq!(Host::CLAUDE_CODE.fate(*event, *answer), Some(fate));
        }
    }
    assert_eq!(wave().fate(Event::Notification, Capability::Warn), None);
    assert_eq!(wave().capabilities(Event::SessionEnd), Some(Capabilities::NOTES));
}
