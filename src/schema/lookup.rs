//! Determines the type of a dotted path in an event's payload, such as `tool_input.timeout`.
//!
//! A path continues through objects and through the elements of lists. Input whose members are defined by a tool or
//! server outside the table is *open*: the types of its members are not known in advance.

use super::{BASE_FIELDS, EVENTS, Event, Field, FieldType, TOOLS, ToolSpec};

/// The meaning of a dotted path on an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FieldLookup {
    /// The path is a field of this type; within a list, each element has the type.
    Found(FieldType),
    /// The path may have any value: it is below [`FieldType::Any`], or in the input of a tool without a row.
    Untyped,
    /// The path is a field of another event or of another tool's input, which this event or tool never has.
    NotCarried,
    /// The path is not a field of any event or tool.
    Unknown {
        /// The valid names for the first segment of the path that is unknown, in the order of the table.
        known_siblings: Vec<&'static str>,
    },
}

impl Event {
    /// Returns the fields that the event may have: the fields of its row, then the base fields with other names.
    pub(crate) fn fields(self) -> impl Iterator<Item = &'static Field> {
        let of_event = self.spec().fields;
        of_event.iter().chain(BASE_FIELDS.iter().filter(|base| of_event.iter().all(|field| field.name != base.name)))
    }

    /// Whether the event is the end of a call that ran, whether it succeeded or not.
    pub(crate) fn ends_call(self) -> bool {
        matches!(self, Self::PostToolUse | Self::PostToolUseFailure)
    }

    /// Whether the event is the beginning or the end of a subagent, which the host names.
    pub(crate) fn is_about_subagent(self) -> bool {
        matches!(self, Self::SubagentStart | Self::SubagentStop)
    }
}

/// Returns the meaning of a dotted path on an event whose tool is one of the given tools; any tool if the list is
/// empty.
///
/// A path that only some of the tools have is found. `subagent_type` is an alias of `agent_type`.
#[must_use]
pub fn field_type(event: Event, tools: &[&ToolSpec], path: &[&str]) -> FieldLookup {
    let Some((first, rest)) = path.split_first() else {
        return FieldLookup::Unknown { known_siblings: event.fields().map(|field| field.name).collect() };
    };
    let first = if *first == "subagent_type" { "agent_type" } else { *first };
    match event.fields().find(|field| field.name == first) {
        Some(field) if field.name == "tool_input" && !rest.is_empty() => tool_input_type(tools, rest),
        Some(field) => type_below(field.ty, rest),
        None if EVENTS.iter().any(|other| other.fields.iter().any(|field| field.name == first)) => {
            FieldLookup::NotCarried
        }
        None => FieldLookup::Unknown { known_siblings: event.fields().map(|field| field.name).collect() },
    }
}

/// Returns the meaning of a path in the input of one of the given tools; `path` begins after `tool_input`.
fn tool_input_type(tools: &[&ToolSpec], path: &[&str]) -> FieldLookup {
    // The meaning if the input is open. Every built-in tool with one of these members accesses a file, and so do the
    // tools of servers that copied the names.
    let if_open = match path {
        ["file_path" | "notebook_path"] => FieldLookup::Found(FieldType::Path),
        _ => FieldLookup::Untyped,
    };
    if tools.is_empty() {
        return if_open;
    }
    let mut found = Vec::new();
    let mut is_open = false;
    let mut known_siblings = Vec::new();
    for tool in tools {
        match member_type(tool.input, path) {
            FieldLookup::Found(ty) => found.push(ty),
            FieldLookup::Untyped => is_open = true,
            FieldLookup::NotCarried => {}
            FieldLookup::Unknown { known_siblings: more } => {
                known_siblings
                    .extend(more.into_iter().filter(|name| !known_siblings.contains(name)).collect::<Vec<_>>());
            }
        }
    }
    match found.split_first() {
        // If the tools have different types for the path, the type is open.
        Some((first, others)) if !is_open && others.iter().all(|ty| ty == first) => FieldLookup::Found(*first),
        Some(_) => if_open,
        None if is_open => if_open,
        None if TOOLS.iter().any(|tool| !matches!(member_type(tool.input, path), FieldLookup::Unknown { .. })) => {
            FieldLookup::NotCarried
        }
        None => FieldLookup::Unknown { known_siblings },
    }
}

/// Returns the meaning of a path whose first segment is one of the given fields.
fn member_type(fields: &[Field], path: &[&str]) -> FieldLookup {
    let Some((first, rest)) = path.split_first() else { return FieldLookup::Untyped };
    match fields.iter().find(|field| field.name == *first) {
        Some(field) => type_below(field.ty, rest),
        None => FieldLookup::Unknown { known_siblings: fields.iter().map(|field| field.name).collect() },
    }
}

/// Returns the meaning of the rest of a path that continues below a value of this type.
fn type_below(ty: FieldType, path: &[&str]) -> FieldLookup {
    if path.is_empty() {
        return FieldLookup::Found(ty);
    }
    match ty {
        FieldType::Any => FieldLookup::Untyped,
        FieldType::Object(fields) => member_type(fields, path),
        FieldType::List(element) => type_below(*element, path),
        FieldType::String | FieldType::Path | FieldType::Enum(_) | FieldType::Number | FieldType::Boolean => {
            FieldLookup::Unknown { known_siblings: Vec::new() }
        }
    }
}

#[cfg(test)]
mod tests;
