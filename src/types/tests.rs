//! Tests the typed payloads against the specification, the schema's table, and payloads that real hosts sent.
#![expect(clippy::disallowed_methods, reason = "reads fixtures")]

use std::path::PathBuf;

use serde_json::{Map, Value as Json, json};

use super::events::members;
use super::members::wire_name;
use super::*;
use crate::host::{DecodedPayload, Host, decode};
use crate::schema::{BASE_FIELDS, Event, Field, FieldType};

/// Returns the payload of the start of a subagent, as in the specification.
fn start() -> Json {
    json!({
        "session_id": "abc123",
        "transcript_path": "/tmp/main.json",
        "hook_event_name": "SubagentStart",
        "cwd": "/home/user/project",
        "permission_mode": "default",
        "agent_id": "coder",
        "subagent_type": "coder",
        "agent_transcript_path": "/tmp/agent_coder.json",
    })
}

/// Returns the payload of [`start`] with the value of one member replaced; null removes the member.
fn start_with(name: &str, value: Json) -> Json {
    let mut json = start();
    match value {
        Json::Null => drop(json.as_object_mut().unwrap().remove(name)),
        value => json[name] = value,
    }
    json
}

#[track_caller]
fn typed(json: Json) -> SubagentStartPayload {
    serde_json::from_value(json).unwrap()
}

/// Validates the payload of [`start`] with the value of one member replaced.
fn validated(name: &str, value: &str) -> Result<(), String> {
    validate_subagent_start_payload(&typed(start_with(name, json!(value))))
}

fn empty(name: &str) -> Result<(), String> {
    Err(format!("{name} cannot be empty"))
}

/// Specification 000: Valid SubagentStartPayload deserialization
#[test]
fn a_start_is_read_member_by_member() {
    let base = BasePayload {
        session_id: "abc123".to_owned(),
        transcript_path: "/tmp/main.json".to_owned(),
        hook_event_name: "SubagentStart".to_owned(),
        cwd: "/home/user/project".to_owned(),
        permission_mode: Some("default".to_owned()),
    };
    let expected = SubagentStartPayload {
        base,
        agent_id: "coder".to_owned(),
        subagent_type: "coder".to_owned(),
        agent_transcript_path: "/tmp/agent_coder.json".to_owned(),
    };
    let read: SubagentStartPayload = serde_json::from_str(&start().to_string()).unwrap();
    assert_eq!(read, expected);
    assert_eq!(serde_json::to_value(&read).unwrap(), start());
}

#[test]
fn a_permission_mode_may_lack() {
    for value in [Json::Null, json!("plan")] {
        let json = start_with("permission_mode", value.clone());
        let read = typed(json.clone());
        assert_eq!(read.base.permission_mode.as_deref(), value.as_str());
        assert_eq!(serde_json::to_value(&read).unwrap(), json);
    }
}

/// Specification 000: Missing agent_id field
/// Specification 000: Missing subagent_type field
#[test]
fn a_start_that_lacks_a_member_is_refused_by_its_name() {
    for name in ["agent_id", "subagent_type", "agent_transcript_path", "session_id", "transcript_path", "cwd"] {
        let json = start_with(name, Json::Null);
        let expected = format!("missing field `{name}`");
        let error = serde_json::from_value::<SubagentStartPayload>(json.clone()).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert_eq!(serde_json::from_value::<HookPayload>(json).unwrap_err().to_string(), expected);
    }
}

/// Specification 000: Complete valid payload passes validation
/// Specification 000: Unit tests validate payload fields
#[test]
fn a_whole_start_is_valid() {
    assert_eq!(validate_subagent_start_payload(&typed(start())), Ok(()));
    // Surrounding white space is not an error.
    for name in ["agent_id", "subagent_type", "agent_transcript_path", "session_id"] {
        assert_eq!(validated(name, "  coder\t"), Ok(()), "{name}");
    }
}

/// Specification 000: Empty agent_id value
/// Specification 000: Empty agent_id fails validation
/// Specification 000: Unit tests validate payload fields
#[test]
fn an_empty_agent_id_is_refused() {
    for value in ["", " ", " \t\r\n", "\u{3000}", "\u{200b}", "\u{feff} \u{2060}"] {
        assert_eq!(validated("agent_id", value), Err("agent_id cannot be empty".to_owned()), "{value:?}");
    }
}

/// Specification 000: Empty subagent_type fails validation
/// Specification 000: Unit tests validate payload fields
#[test]
fn an_empty_subagent_type_is_refused() {
    for value in ["", " \t\n"] {
        assert_eq!(validated("subagent_type", value), Err("subagent_type cannot be empty".to_owned()), "{value:?}");
    }
}

/// Specification 000: Empty agent_transcript_path fails validation
/// Specification 000: Unit tests validate payload fields
#[test]
fn an_empty_agent_transcript_path_is_refused() {
    for value in ["", " \t\n"] {
        let refused = Err("agent_transcript_path cannot be empty".to_owned());
        assert_eq!(validated("agent_transcript_path", value), refused, "{value:?}");
    }
}

/// Specification 000: Invalid base payload fails validation
/// Specification 000: Unit tests validate payload fields
#[test]
fn the_base_is_validated_first_and_in_order() {
    let all = ["session_id", "transcript_path", "hook_event_name", "cwd"];
    let own = ["agent_id", "subagent_type", "agent_transcript_path"];
    let mut payload = start();
    for name in all.iter().chain(&own) {
        payload[*name] = json!(" ");
    }
    for name in all.iter().chain(&own) {
        let typed = typed(payload.clone());
        assert_eq!(validate_subagent_start_payload(&typed), empty(name));
        let of_base = if all.contains(name) { empty(name) } else { Ok(()) };
        assert_eq!(validate_base_payload(&typed.base), of_base, "{name}");
        payload[*name] = json!("x");
    }
    assert_eq!(validate_subagent_start_payload(&typed(payload)), Ok(()));
}

/// Specification 000: SubagentStart variant added to enum
#[test]
fn a_hook_payload_is_the_start_of_a_subagent() {
    let payload: HookPayload = serde_json::from_str(&start().to_string()).unwrap();
    assert_eq!(payload, HookPayload::SubagentStart(typed(start())));
    assert_eq!(serde_json::to_value(&payload).unwrap(), start(), "it is written as what it holds");
    assert_eq!(payload.event(), Event::SubagentStart);
    assert_eq!(payload.session_id(), "abc123");
    assert_eq!(payload.transcript_path(), "/tmp/main.json");
    assert_eq!(payload.hook_event_name(), "SubagentStart");
    assert_eq!(payload.cwd(), "/home/user/project");
    assert_eq!(payload.permission_mode(), Some("default"));
    assert_eq!(payload.validate(), Ok(()));
}

#[test]
fn a_hook_payload_needs_an_event_that_there_is() {
    let refused = |json: Json| serde_json::from_value::<HookPayload>(json).unwrap_err().to_string();
    assert_eq!(refused(start_with("hook_event_name", Json::Null)), "missing field `hook_event_name`");
    assert_eq!(refused(start_with("hook_event_name", json!(7))), "`hook_event_name` is not a text");
    assert_eq!(refused(start_with("hook_event_name", json!("Start"))), "there is no event \"Start\"");
    assert!(refused(json!([])).contains("expected a map"));
}

/// The members that the schema has for every event, but no typed payload has: they describe the state of the session
/// at that moment.
const LEFT_OUT: &[&str] = &["prompt_id", "effort"];

/// Returns the schema's fields of an event under the names of the typed payload.
fn fields(event: Event) -> Vec<Field> {
    let spec = event.spec();
    let own = |name: &str| spec.fields.iter().any(|field| field.name == name);
    let subject = matches!(event, Event::SubagentStart | Event::SubagentStop);
    let fields = event.fields().filter(|field| !LEFT_OUT.contains(&field.name));
    // Only some events identify the acting agent.
    let fields = fields.filter(|field| own(field.name) || spec.has_agent || !field.name.starts_with("agent_"));
    let named = fields.map(|field| match field.name {
        "agent_type" if subject => Field { name: "subagent_type", ..*field },
        // The specification requires this member, and the decoder derives it if the host does not send it.
        "agent_transcript_path" => Field { required: true, ..*field },
        _ => *field,
    });
    named.collect()
}

#[test]
fn the_structs_have_the_members_of_the_schema() {
    for event in Event::ALL {
        let members = members(*event);
        let names = |required: bool| {
            let base = |name: &str| BASE_FIELDS.iter().any(|base| base.name == name && !name.starts_with("agent_"));
            let own = fields(*event).into_iter().filter(|field| field.required == required && !base(field.name));
            let mut names: Vec<&str> = own.map(|field| field.name).collect();
            names.sort_unstable();
            names
        };
        let sorted = |names: &[&'static str]| {
            let mut names: Vec<&str> = names.iter().map(|name| wire_name(name)).collect();
            names.sort_unstable();
            names
        };
        assert_eq!(sorted(members.required), names(true), "{event:?} requires");
        assert_eq!(sorted(members.optional), names(false), "{event:?} may have");
    }
}

/// Creates a value of a type; an object has every member.
fn sample(ty: FieldType) -> Json {
    match ty {
        FieldType::Any => json!({ "any": [1.5, null] }),
        FieldType::String => json!("text"),
        FieldType::Path => json!("/a/path"),
        FieldType::Enum(words) => json!(words[0]),
        FieldType::Number => json!(7),
        FieldType::Boolean => json!(true),
        FieldType::List(element) => json!([sample(*element), sample(*element)]),
        FieldType::Object(fields) => Json::Object(samples(fields)),
    }
}

fn samples(fields: &[Field]) -> Map<String, Json> {
    fields.iter().map(|field| (field.name.to_owned(), sample(field.ty))).collect()
}

/// Returns a payload with every member of its struct.
fn whole(event: Event) -> Map<String, Json> {
    let mut json = samples(&fields(event));
    json.insert("hook_event_name".to_owned(), json!(event.name()));
    json
}

#[test]
fn every_member_of_the_schema_is_read_and_written_again() {
    for event in Event::ALL {
        let json = whole(*event);
        let payload = HookPayload::from_json(*event, &json).unwrap();
        assert_eq!(payload.validate(), Ok(()));
        assert_eq!(payload.event(), *event);
        assert_eq!(serde_json::to_value(&payload).unwrap(), Json::Object(json.clone()), "{event:?}");
        let raw = Payload::new(*event, json);
        assert_eq!(HookPayload::from_json(raw.event, &raw.json).unwrap(), payload);
    }
}

#[test]
fn what_the_schema_requires_is_required_and_nothing_else_is() {
    for event in Event::ALL {
        for field in fields(*event) {
            let mut json = whole(*event);
            json.remove(field.name);
            let absent = HookPayload::from_json(*event, &json);
            json.insert(field.name.to_owned(), Json::Null);
            let null = HookPayload::from_json(*event, &json).map_err(|error| error.to_string());
            if field.required {
                let missing = format!("missing field `{}`", field.name);
                assert_eq!(absent.unwrap_err().to_string(), missing, "{event:?}");
                let refused = null.and_then(|payload| payload.validate()).unwrap_err();
                assert!(refused.trim_start_matches('`').starts_with(field.name), "{event:?}.{}: {refused}", field.name);
            } else {
                let absent = absent.unwrap();
                assert_eq!(null.as_ref(), Ok(&absent), "{event:?}.{}", field.name);
                assert_eq!(absent.validate(), Ok(()));
            }
        }
    }
}

#[test]
fn a_required_text_that_is_empty_is_refused_by_its_name() {
    for event in Event::ALL {
        for field in fields(*event) {
            let mut json = whole(*event);
            if !json[field.name].is_string() {
                continue;
            }
            json[field.name] = json!(" ");
            let payload = HookPayload::from_json(*event, &json).unwrap();
            let expected = if field.required { empty(field.name) } else { Ok(()) };
            assert_eq!(payload.validate(), expected, "{event:?}.{}", field.name);
        }
    }
}

/// Replaces each value in turn, at any depth, and collects the changed payloads, each with the path of the replaced
/// value.
fn with_each_replaced(json: &Json, with: &Json, path: &str, found: &mut Vec<(String, Json)>) {
    match json {
        Json::Object(members) => {
            for (name, value) in members {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                let mut below = vec![(path.clone(), with.clone())];
                with_each_replaced(value, with, &path, &mut below);
                found.extend(below.into_iter().map(|(path, value)| {
                    let mut whole = members.clone();
                    whole[name] = value;
                    (path, Json::Object(whole))
                }));
            }
        }
        Json::Array(elements) => {
            let mut below = Vec::new();
            with_each_replaced(&elements[1], with, path, &mut below);
            found.extend(below.into_iter().map(|(path, value)| (path, json!([elements[0], value]))));
        }
        _ => {}
    }
}

#[test]
fn a_member_of_another_type_is_refused_by_its_place() {
    let mut refused = 0;
    for event in Event::ALL {
        let mut changed = Vec::new();
        // No member is a list of lists, so this one fits only where any value does.
        with_each_replaced(&Json::Object(whole(*event)), &json!([["odd"]]), "", &mut changed);
        for (path, json) in changed {
            match HookPayload::from_json(*event, json.as_object().unwrap()) {
                Err(error) => {
                    let error = error.to_string();
                    assert!(error.starts_with(&format!("`{path}` is not ")), "{event:?} {path}: {error}");
                    refused += 1;
                }
                // These members may have any value, which a tool, a server or a form defines.
                Ok(_) => assert!(
                    ["tool_input", "tool_response", "requested_schema", "content"].iter().any(|any| path.contains(any)),
                    "{event:?} {path}"
                ),
            }
        }
    }
    assert!(refused > 250, "{refused}");
}

#[test]
fn a_member_that_lacks_inside_another_is_named_by_its_path() {
    let mut json = whole(Event::PostToolBatch);
    json["tool_calls"][1].as_object_mut().unwrap().remove("tool_use_id");
    let error = HookPayload::from_json(Event::PostToolBatch, &json).unwrap_err();
    assert_eq!(error.to_string(), "missing field `tool_calls.tool_use_id`");
}

/// Returns every payload in the fixtures, decoded: those that a real host sent, and those that were constructed from
/// its types.
fn captured() -> Vec<(String, Payload)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/payloads/claude-code");
    let mut found = Vec::new();
    for from in ["2.1.197", "2.1.330", "2.1.332", "constructed"] {
        for entry in std::fs::read_dir(root.join(from)).unwrap() {
            let path = entry.unwrap().path();
            match decode(Host::CLAUDE_CODE, &std::fs::read(&path).unwrap()) {
                DecodedPayload::Event { payload, damage: None } => found.push((path.display().to_string(), payload)),
                other => panic!("{}: {other:?}", path.display()),
            }
        }
    }
    found
}

/// Checks that a value is part of another, with equal values.
#[track_caller]
fn is_part(name: &str, part: &Json, whole: &Json) {
    match (part, whole) {
        (Json::Object(part), Json::Object(whole)) => {
            for (member, value) in part {
                let in_whole = whole.get(member).unwrap_or_else(|| panic!("{name}: {member} did not come"));
                is_part(&format!("{name}: {member}"), value, in_whole);
            }
        }
        (Json::Array(part), Json::Array(whole)) => {
            assert_eq!(part.len(), whole.len(), "{name}");
            part.iter().zip(whole).for_each(|(part, whole)| is_part(name, part, whole));
        }
        _ => assert_eq!(part, whole, "{name}"),
    }
}

#[test]
fn every_captured_payload_is_typed_and_valid_and_written_as_it_came() {
    let captured = captured();
    assert!(captured.len() > 200, "{}", captured.len());
    for (name, payload) in captured {
        let typed =
            HookPayload::from_json(payload.event, &payload.json).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(typed.validate(), Ok(()), "{name}");
        assert_eq!(typed.event(), payload.event, "{name}");
        let whole = Json::Object(payload.json);
        is_part(&name, &serde_json::to_value(&typed).unwrap(), &whole);
        assert_eq!(serde_json::from_value::<HookPayload>(whole).unwrap(), typed, "{name}");
    }
}
