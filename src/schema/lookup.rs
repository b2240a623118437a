//! Resolves a dotted path in an event's payload to a type: what a condition may test.
//!
//! A path passes through objects and through every element of lists. Input that a tool or a server defines freely is
//! open: its type is not known in advance.

use super::{BASE_FIELDS, EVENTS, Event, Field, FieldType, TOOLS, ToolSpec};

/// The meaning of a dotted path on an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FieldLookup {
    /// A field of this type; within a list, of each element.
    Found(FieldType),
    /// Any value: below [`FieldType::Any`], or in the input of a tool without a row.
    Untyped,
    /// A field of another event, or of another tool's input, that this one never has.
    NotCarried,
    /// Not a field.
    Unknown {
        /// The names that are valid where the path goes wrong, in table order.
        known_siblings: Vec<&'static str>,
    },
}

impl Event {
    /// Returns the fields that the event may have: its own, then the base fields that it does not redefine.
    pub(crate) fn fields(self) -> impl Iterator<Item = &'static Field> {
        let own = self.spec().fields;
        own.iter().chain(BASE_FIELDS.iter().filter(|base| own.iter().all(|field| field.name != base.name)))
    }
}

/// Returns the meaning of a dotted path on an event, with one of these tools; with any tool if the list is empty.
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

/// Resolves a path in the inputs of these tools.
fn tool_input_type(tools: &[&ToolSpec], path: &[&str]) -> FieldLookup {
    // Every built-in tool with one of these members takes a file, and so do servers that copied the names.
    let open = match path {
        ["file_path" | "notebook_path"] => FieldLookup::Found(FieldType::Path),
        _ => FieldLookup::Untyped,
    };
    if tools.is_empty() {
        return open;
    }
    let if_open = open;
    let mut found = Vec::new();
    let mut open = false;
    let mut known_siblings = Vec::new();
    for tool in tools {
        match member_type(tool.input, path) {
            FieldLookup::Found(ty) => found.push(ty),
            FieldLookup::Untyped => open = true,
            FieldLookup::NotCarried => {}
            FieldLookup::Unknown { known_siblings: more } => {
                known_siblings
                    .extend(more.into_iter().filter(|name| !known_siblings.contains(name)).collect::<Vec<_>>());
            }
        }
    }
    match found.split_first() {
        // If tools disagree, the type stays open.
        Some((first, others)) if !open && others.iter().all(|ty| ty == first) => FieldLookup::Found(*first),
        Some(_) => if_open,
        None if open => if_open,
        None if TOOLS.iter().any(|tool| !matches!(member_type(tool.input, path), FieldLookup::Unknown { .. })) => {
            FieldLookup::NotCarried
        }
        None => FieldLookup::Unknown { known_siblings },
    }
}

/// Resolves a path that begins with one of these members.
fn member_type(fields: &[Field], path: &[&str]) -> FieldLookup {
    let Some((first, rest)) = path.split_first() else { return FieldLookup::Untyped };
    match fields.iter().find(|field| field.name == *first) {
        Some(field) => type_below(field.ty, rest),
        None => FieldLookup::Unknown { known_siblings: fields.iter().map(|field| field.name).collect() },
    }
}

/// Resolves a path below a type.
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
