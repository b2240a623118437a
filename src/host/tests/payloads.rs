//! Compares payloads of real hosts, and some that were constructed from their type definitions, with the schema.
#![expect(clippy::disallowed_methods, reason = "reads fixtures")]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use serde_json::{Map, Value as Json};

use crate::host::{DecodedPayload, Host, decode};
use crate::schema::{BASE_FIELDS, Event, Field, FieldType, tool_spec};
use crate::types::Payload;

/// Members in payloads that the schema omits on purpose: `bogus` is from an experiment.
const UNDECLARED: &[&str] = &["Bash.bogus"];

/// The members that the decoder adds on SubagentStart and SubagentStop if the host does not send them.
const DERIVED: &[&str] = &["subagent_type", "agent_transcript_path"];

/// Every fixture: its source, its name and its text.
fn fixtures() -> Vec<(String, String, Vec<u8>)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/payloads/claude-code");
    let mut found = Vec::new();
    for from in ["2.1.197", "2.1.330", "2.1.332", "constructed"] {
        for entry in fs::read_dir(root.join(from)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            found.push((from.to_owned(), name, fs::read(path).unwrap()));
        }
    }
    found.sort();
    found
}

fn payloads() -> Vec<(String, bool, Payload)> {
    fixtures()
        .into_iter()
        .map(|(from, name, bytes)| match decode(Host::CLAUDE_CODE, &bytes) {
            DecodedPayload::Event { payload, damage: None } => {
                (format!("{from}/{name}"), from != "constructed", payload)
            }
            other => panic!("{from}/{name}: {other:?}"),
        })
        .collect()
}

#[test]
fn every_payload_is_its_event_and_keeps_every_member() {
    for (from, name, bytes) in fixtures() {
        let DecodedPayload::Event { payload, damage: None } = decode(Host::CLAUDE_CODE, &bytes) else {
            panic!("{from}/{name}");
        };
        assert_eq!(Some(payload.event.name()), name.split('.').next(), "{from}/{name}");
        let mut kept = payload.json;
        let sent: Map<String, Json> = serde_json::from_slice(&bytes).unwrap();
        kept.retain(|member, _| sent.contains_key(member) || !DERIVED.contains(&member.as_str()));
        assert_eq!(kept, sent, "{from}/{name}");
    }
}

#[test]
fn every_event_has_a_payload() {
    let seen: BTreeSet<Event> = payloads().iter().map(|(_, _, payload)| payload.event).collect();
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), Event::ALL);
}

/// Collects the paths at which a value does not have its type in the schema.
fn compare(at: &str, value: &Json, ty: FieldType, wrong: &mut BTreeSet<String>) {
    let fits = match ty {
        FieldType::Any => true,
        FieldType::String | FieldType::Path => value.is_string(),
        FieldType::Enum(words) => value.as_str().is_some_and(|text| words.contains(&text)),
        FieldType::Number => value.is_number(),
        FieldType::Boolean => value.is_boolean(),
        FieldType::List(element) => {
            for item in value.as_array().into_iter().flatten() {
                compare(at, item, *element, wrong);
            }
            value.is_array()
        }
        FieldType::Object(fields) => {
            if let Some(members) = value.as_object() {
                compare_members(at, members, fields, wrong);
            }
            value.is_object()
        }
    };
    if !fits {
        wrong.insert(format!("{at}: {value} is not {ty:?}"));
    }
}

fn compare_members(at: &str, members: &Map<String, Json>, fields: &[Field], wrong: &mut BTreeSet<String>) {
    for (name, value) in members {
        let at = format!("{at}.{name}");
        match fields.iter().find(|field| field.name == name) {
            Some(field) if field.required || !value.is_null() => compare(&at, value, field.ty, wrong),
            Some(_) => {}
            None => {
                wrong.insert(at);
            }
        }
    }
    for field in fields.iter().filter(|field| field.required) {
        if members.get(field.name).is_none_or(|value| value.is_null() || value.as_str() == Some("")) {
            wrong.insert(format!("{at}.{} is required", field.name));
        }
    }
}

#[test]
fn every_member_of_a_payload_is_declared_with_its_type() {
    let mut wrong = BTreeSet::new();
    for (_, _, mut payload) in payloads() {
        // The decoder adds this other name of `agent_type`.
        payload.json.remove("subagent_type");
        let fields: Vec<Field> = payload.event.fields().copied().collect();
        compare_members(payload.event.name(), &payload.json, &fields, &mut wrong);
    }
    assert_eq!(wrong.into_iter().collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn every_member_of_a_tools_input_is_declared_with_its_type() {
    let mut wrong = BTreeSet::new();
    for (name, _, payload) in payloads() {
        let Some(Json::Object(input)) = payload.tool_input() else { continue };
        let Some(spec) = payload.tool_name().and_then(tool_spec) else {
            assert!(payload.tool_name().unwrap().starts_with("mcp__"), "{name}");
            continue;
        };
        compare_members(spec.name, input, spec.input, &mut wrong);
    }
    assert_eq!(wrong.into_iter().collect::<Vec<_>>(), UNDECLARED);
}

#[test]
fn only_events_that_say_who_acts_name_a_subagent() {
    for (name, _, payload) in payloads() {
        let subject = matches!(payload.event, Event::SubagentStart | Event::SubagentStop);
        if payload.agent_id().is_some() && !subject {
            assert!(payload.event.spec().has_agent, "{name}");
        }
    }
}

#[test]
fn the_base_of_every_real_payload_is_whole() {
    for (name, _, payload) in payloads().iter().filter(|(_, real, _)| *real) {
        for field in BASE_FIELDS.iter().filter(|field| field.required) {
            assert!(payload.nonempty_text(field.name).is_some(), "{name}: {}", field.name);
        }
    }
}
