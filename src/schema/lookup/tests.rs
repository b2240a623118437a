//! Tests lookups of fields and tools by name, and the consistency of the tables.

use super::*;
use crate::schema::{OTHER_TOOLS, Subject, tool_spec};

fn found(event: Event, tools: &[&ToolSpec], path: &str) -> FieldLookup {
    let path: Vec<&str> = path.split('.').collect();
    field_type(event, tools, &path)
}

#[test]
fn every_row_is_at_its_events_place() {
    for event in Event::ALL {
        assert_eq!(EVENTS[*event as usize].event, *event);
        assert_eq!(event.spec().name, event.name());
        assert_eq!(Event::from_name(event.name()), Some(*event));
    }
    assert_eq!(Event::from_name("pretooluse"), None);
}

#[test]
fn every_name_in_the_table_is_a_field_of_its_event() {
    for spec in EVENTS {
        let has = |name: &str| spec.event.fields().any(|field| field.name == name);
        match spec.subject {
            Subject::Field(name) | Subject::BaseName(name) => {
                assert!(has(name), "{}: {name}", spec.name);
            }
            Subject::Tool => assert!(has("tool_name") && has("tool_input"), "{}", spec.name),
            Subject::None => {}
        }
        if let Some(name) = spec.example_text {
            assert!(has(name), "{}: {name}", spec.name);
        }
    }
}

#[test]
fn every_member_that_a_tool_row_names_is_in_its_input() {
    for tool in TOOLS {
        let files = tool.files.iter().map(|file| file.member);
        for name in files.chain(tool.command).chain(tool.url).chain(tool.example_text) {
            assert!(tool.input.iter().any(|field| field.name == name), "{}: {name}", tool.name);
        }
    }
}

#[test]
fn tools_are_sorted_and_stand_once() {
    let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
    assert!(names.is_sorted(), "{names:?}");
    assert!(OTHER_TOOLS.iter().all(|name| tool_spec(name).is_none()));
}

#[test]
fn no_field_stands_twice_in_an_event() {
    for event in Event::ALL {
        let mut names: Vec<&str> = event.fields().map(|field| field.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "{}", event.name());
    }
}

#[test]
fn a_tools_member_has_its_type() {
    let bash = tool_spec("Bash").unwrap();
    assert_eq!(found(Event::PreToolUse, &[bash], "tool_input.timeout"), FieldLookup::Found(FieldType::Number));
    assert_eq!(found(Event::PreToolUse, &[bash], "tool_input.file_path"), FieldLookup::NotCarried);
    let FieldLookup::Unknown { known_siblings } = found(Event::PreToolUse, &[bash], "tool_input.comand") else {
        panic!("a misspelt member is unknown");
    };
    assert!(known_siblings.contains(&"command"));
}

#[test]
fn without_tools_a_member_is_open() {
    assert_eq!(found(Event::PreToolUse, &[], "tool_input.anything.at.all"), FieldLookup::Untyped);
}

#[test]
fn a_member_of_one_of_several_tools_is_found() {
    let tools = [tool_spec("Edit").unwrap(), tool_spec("Write").unwrap()];
    assert_eq!(found(Event::PreToolUse, &tools, "tool_input.content"), FieldLookup::Found(FieldType::String));
    assert_eq!(found(Event::PreToolUse, &tools, "tool_input.file_path"), FieldLookup::Found(FieldType::Path));
}

#[test]
fn paths_go_through_lists() {
    assert_eq!(found(Event::PostToolBatch, &[], "tool_calls.tool_name"), FieldLookup::Found(FieldType::String));
    assert_eq!(found(Event::PostToolBatch, &[], "tool_calls.tool_input.x"), FieldLookup::Untyped);
    assert_eq!(found(Event::Stop, &[], "background_tasks.status"), FieldLookup::Found(FieldType::String));
}

#[test]
fn a_field_of_another_event_is_not_carried() {
    assert_eq!(found(Event::SubagentStart, &[], "stop_hook_active"), FieldLookup::NotCarried);
    assert_eq!(found(Event::PermissionRequest, &[], "tool_use_id"), FieldLookup::NotCarried);
}

#[test]
fn subagent_type_reads_agent_type() {
    assert_eq!(found(Event::SubagentStart, &[], "subagent_type"), FieldLookup::Found(FieldType::String));
}

#[test]
fn nothing_lies_below_a_text() {
    let FieldLookup::Unknown { known_siblings } = found(Event::Stop, &[], "cwd.x") else {
        panic!("a text has no members");
    };
    assert!(known_siblings.is_empty());
}

#[test]
fn every_sentence_of_the_table_is_one() {
    let sentence = |text: &str| text.starts_with(|c: char| c.is_uppercase()) && text.ends_with('.');
    for spec in EVENTS {
        assert!(sentence(spec.doc), "{}: {}", spec.name, spec.doc);
    }
    let of_events = Event::ALL.iter().flat_map(|event| event.fields());
    for field in of_events.chain(TOOLS.iter().flat_map(|tool| tool.input)) {
        assert!(sentence(field.doc), "{}: {}", field.name, field.doc);
    }
}

#[test]
fn the_old_name_of_agent_is_read() {
    assert_eq!(tool_spec("Task").map(|tool| tool.name), Some("Agent"));
    assert_eq!(tool_spec("task"), None);
}

#[test]
fn an_event_that_takes_votes_can_carry_a_denial() {
    for spec in EVENTS {
        let can = spec.answers;
        // A rewrite of PostToolUse changes the output of the call, which has already run.
        let rewrites_input = can.rewrite && spec.event != Event::PostToolUse;
        assert!(can.deny || !(can.ask || can.allow || rewrites_input), "{}", spec.name);
    }
}

#[test]
fn tools_that_disagree_on_a_member_leave_it_open() {
    let tools = [tool_spec("Projects").unwrap(), tool_spec("Grep").unwrap()];
    assert_eq!(found(Event::PreToolUse, &tools, "tool_input.path"), FieldLookup::Untyped, "a text and a path");
}
