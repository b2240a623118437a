//! Describes the errors in a payload that cannot be typed: serde reports what is wrong, but not always in which
//! member.

use serde_json::{Map, Value as Json};

use super::not_empty;
use crate::schema::{Event, Field, FieldType};

/// The required members of [`super::BasePayload`], in its order.
const BASE: &[&str] = &["session_id", "transcript_path", "hook_event_name", "cwd"];
/// The optional members of [`super::BasePayload`].
const BASE_OPTIONAL: &[&str] = &["permission_mode"];

/// The names of a payload's members other than those of the base.
#[derive(Clone, Copy, Debug)]
pub(super) struct OwnMembers {
    /// The members that are always present.
    pub(super) required: &'static [&'static str],
    /// The members that may be missing or null.
    pub(super) optional: &'static [&'static str],
}

impl OwnMembers {
    /// Rejects the first required text that is present and empty. The members that every event has are checked first;
    /// the type of a subagent may also be in `agent_type`.
    pub(super) fn refuse_empty(self, event: Event, json: &Map<String, Json>) -> Result<(), String> {
        for name in BASE.iter().chain(self.required).map(|name| wire_name(name)) {
            let name = if name == "subagent_type" && !json.contains_key(name) { "agent_type" } else { name };
            match json.get(name) {
                Some(Json::String(text)) if !matches!(member_type(event, name), FieldType::Any) => {
                    not_empty(name, text)?
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Describes the first member that is missing or has a wrong type; `None` if there is none. The members that every
    /// event has are checked first.
    pub(super) fn first_mistake(self, event: Event, json: &Map<String, Json>) -> Option<String> {
        let required = BASE.iter().chain(self.required).map(|name| wire_name(name));
        let optional = BASE_OPTIONAL.iter().chain(self.optional).map(|name| wire_name(name));
        let mut required = required.map(|name| (name, json.get(name)));
        let mut optional = optional.map(|name| (name, json.get(name).filter(|value| !value.is_null())));
        let lacks_or_misfits = required.find_map(|(name, value)| match value {
            Some(value) => type_mistake(name, member_type(event, name), value),
            None => Some(missing(name)),
        });
        lacks_or_misfits
            .or_else(|| optional.find_map(|(name, value)| type_mistake(name, member_type(event, name), value?)))
    }
}

/// Returns the name in JSON of a member of a struct: `type` for `r#type`.
pub(super) fn wire_name(name: &str) -> &str {
    name.trim_start_matches("r#")
}

/// Returns the type of a member in the schema; any type if it is not in the schema.
fn member_type(event: Event, name: &str) -> FieldType {
    let name = if name == "subagent_type" { "agent_type" } else { name };
    event.fields().find(|field| field.name == name).map_or(FieldType::Any, |field| field.ty)
}

/// Returns the error for a missing member.
fn missing(path: &str) -> String {
    format!("missing field `{path}`")
}

/// Describes the first part of a value that does not have its type; `path` is the dotted path of the value. `None` if
/// the type is right.
fn type_mistake(path: &str, ty: FieldType, value: &Json) -> Option<String> {
    let (fits, expected) = match ty {
        FieldType::Any => (true, "a value"),
        FieldType::String | FieldType::Path | FieldType::Enum(_) => (value.is_string(), "a text"),
        FieldType::Number => (value.is_number(), "a number"),
        FieldType::Boolean => (value.is_boolean(), "true or false"),
        FieldType::List(element) => match value.as_array() {
            Some(elements) => return elements.iter().find_map(|value| type_mistake(path, *element, value)),
            None => (false, "a list"),
        },
        FieldType::Object(fields) => match value.as_object() {
            Some(members) => {
                return fields.iter().find_map(|field| field_mistake(path, field, members.get(field.name)));
            }
            None => (false, "an object"),
        },
    };
    (!fits).then(|| format!("`{path}` is not {expected}"))
}

/// Describes the first mistake in a member of an object; `value` is `None` if the member is missing.
fn field_mistake(path: &str, field: &Field, value: Option<&Json>) -> Option<String> {
    let path = format!("{path}.{}", field.name);
    match value {
        None if field.required => Some(missing(&path)),
        Some(value) if field.required || !value.is_null() => type_mistake(&path, field.ty, value),
        _ => None,
    }
}
