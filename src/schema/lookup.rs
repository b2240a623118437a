//! From a dotted path to a type: what a condition may say of an event's payload.
//!
//! A path goes through objects and through every element of lists. What a tool or a server fills in freely is
//! open: nothing can be said of it before it arrives.

use super::{BASE_FIELDS, EVENTS, Event, Field, TOOLS, ToolSpec, Type};

/// What a dotted path means on an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FieldLookup {
    /// A field of this type; below a list, of each element.
    Found(Type),
    /// Whatever the host puts there: below [`Type::Any`], or in the input of a tool without a row.
    Open,
    /// A field of another event, or of another tool's input, that is never here.
    NotCarried,
    /// A field of nothing.
    Unknown {
        /// The names that could stand where the path goes wrong, in the order of the table.
        known_siblings: Vec<&'static str>,
    },
}

impl Event {
    /// Returns the fields that the event may carry: its own, then the base fields that it does not restate.
    pub fn fields(self) -> impl Iterator<Item = &'static Field> {
        let own = self.spec().fields;
        own.iter().chain(BASE_FIELDS.iter().filter(|base| own.iter().all(|field| field.name != base.name)))
    }
}

/// Returns what a dotted path means on an event with one of these tools; without tools, with any.
///
/// A path that only some of the tools carry is found. `subagent_type` reads `agent_type`.
#[must_use]
pub fn field_type(event: Event, tools: &[&ToolSpec], path: &[&str]) -> FieldLookup {
    let Some((first, rest)) = path.split_first() else {
        return FieldLookup::Unknown { known_siblings: event.fields().map(|field| field.name).collect() };
    };
    let first = if *first == "subagent_type" { "agent_type" } else { *first };
    match event.fields().find(|field| field.name == first) {
        Some(field) if field.name == "tool_input" && !rest.is_empty() => tool_input_type(tools, rest),
        Some(field) => below(field.ty, rest),
        None if EVENTS.iter().any(|other| other.fields.iter().any(|field| field.name == first)) => {
            FieldLookup::NotCarried
        }
        None => FieldLookup::Unknown { known_siblings: event.fields().map(|field| field.name).collect() },
    }
}

/// Follows a path through the inputs of these tools.
fn tool_input_type(tools: &[&ToolSpec], path: &[&str]) -> FieldLookup {
    if tools.is_empty() {
        return FieldLookup::Open;
    }
    let mut found = Vec::new();
    let mut open = false;
    let mut known_siblings = Vec::new();
    for tool in tools {
        match members(tool.input, path) {
            FieldLookup::Found(ty) => found.push(ty),
            FieldLookup::Open => open = true,
            FieldLookup::NotCarried => {}
            FieldLookup::Unknown { known_siblings: more } => {
                known_siblings
                    .extend(more.into_iter().filter(|name| !known_siblings.contains(name)).collect::<Vec<_>>());
            }
        }
    }
    match found.split_first() {
        // Tools that disagree leave the type open.
        Some((first, others)) if !open && others.iter().all(|ty| ty == first) => FieldLookup::Found(*first),
        Some(_) => FieldLookup::Open,
        None if open => FieldLookup::Open,
        None if TOOLS.iter().any(|tool| !matches!(members(tool.input, path), FieldLookup::Unknown { .. })) => {
            FieldLookup::NotCarried
        }
        None => FieldLookup::Unknown { known_siblings },
    }
}

/// Follows a path that begins with one of these members.
fn members(fields: &[Field], path: &[&str]) -> FieldLookup {
    let Some((first, rest)) = path.split_first() else { return FieldLookup::Open };
    match fields.iter().find(|field| field.name == *first) {
        Some(field) => below(field.ty, rest),
        None => FieldLookup::Unknown { known_siblings: fields.iter().map(|field| field.name).collect() },
    }
}

/// Follows a path below a type.
fn below(ty: Type, path: &[&str]) -> FieldLookup {
    if path.is_empty() {
        return FieldLookup::Found(ty);
    }
    match ty {
        Type::Any => FieldLookup::Open,
        Type::Object(fields) => members(fields, path),
        Type::List(element) => below(*element, path),
        Type::String | Type::Path | Type::Enum(_) | Type::Number | Type::Boolean => {
            FieldLookup::Unknown { known_siblings: Vec::new() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::tool;

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
                crate::schema::Subject::Field(name) | crate::schema::Subject::BaseName(name) => {
                    assert!(has(name), "{}: {name}", spec.name);
                }
                crate::schema::Subject::Tool => assert!(has("tool_name") && has("tool_input"), "{}", spec.name),
                crate::schema::Subject::None => {}
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
        assert!(crate::schema::OTHER_TOOLS.iter().all(|name| tool(name).is_none()));
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
        let bash = tool("Bash").unwrap();
        assert_eq!(found(Event::PreToolUse, &[bash], "tool_input.timeout"), FieldLookup::Found(Type::Number));
        assert_eq!(found(Event::PreToolUse, &[bash], "tool_input.file_path"), FieldLookup::NotCarried);
        let FieldLookup::Unknown { known_siblings } = found(Event::PreToolUse, &[bash], "tool_input.comand") else {
            panic!("a misspelt member is unknown");
        };
        assert!(known_siblings.contains(&"command"));
    }

    #[test]
    fn without_tools_a_member_is_open() {
        assert_eq!(found(Event::PreToolUse, &[], "tool_input.anything.at.all"), FieldLookup::Open);
    }

    #[test]
    fn a_member_of_one_of_several_tools_is_found() {
        let tools = [tool("Edit").unwrap(), tool("Write").unwrap()];
        assert_eq!(found(Event::PreToolUse, &tools, "tool_input.content"), FieldLookup::Found(Type::String));
        assert_eq!(found(Event::PreToolUse, &tools, "tool_input.file_path"), FieldLookup::Found(Type::Path));
    }

    #[test]
    fn paths_go_through_lists() {
        assert_eq!(found(Event::PostToolBatch, &[], "tool_calls.tool_name"), FieldLookup::Found(Type::String));
        assert_eq!(found(Event::PostToolBatch, &[], "tool_calls.tool_input.x"), FieldLookup::Open);
        assert_eq!(found(Event::Stop, &[], "background_tasks.status"), FieldLookup::Found(Type::String));
    }

    #[test]
    fn a_field_of_another_event_is_not_carried() {
        assert_eq!(found(Event::SubagentStart, &[], "agent_transcript_path"), FieldLookup::NotCarried);
        assert_eq!(found(Event::PermissionRequest, &[], "tool_use_id"), FieldLookup::NotCarried);
    }

    #[test]
    fn subagent_type_reads_agent_type() {
        assert_eq!(found(Event::SubagentStart, &[], "subagent_type"), FieldLookup::Found(Type::String));
    }

    #[test]
    fn nothing_lies_below_a_text() {
        let FieldLookup::Unknown { known_siblings } = found(Event::Stop, &[], "cwd.x") else {
            panic!("a text has no members");
        };
        assert!(known_siblings.is_empty());
    }
}
