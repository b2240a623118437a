//! The payloads of the host, compared with the schema.
//!
//! A payload that lacks a member that the schema requires, or has it with another type, contradicts the schema: that is
//! a failure. Anything unknown to the schema is news, and is listed.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

use hookrules::HookEvent;
use hookrules::schema::{BASE_FIELDS, Event, Field, FieldType, tool_spec};
use serde_json::{Map, Value as Json};

/// A payload that the host sent.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// The name of its event.
    pub(crate) event: String,
    /// The directory of the project, which the host names in the environment.
    pub(crate) project: PathBuf,
    members: Map<String, Json>,
}

impl Seen {
    pub(crate) fn read(bytes: &[u8], project: PathBuf) -> io::Result<Self> {
        let members: Map<String, Json> = serde_json::from_slice(bytes)?;
        let event = members.get("hook_event_name").and_then(Json::as_str).unwrap_or_default().to_owned();
        Ok(Self { event, project, members })
    }
}

/// Differences between payloads and the schema.
#[derive(Default, Debug)]
pub(crate) struct Differences {
    /// Contradictions to the schema.
    pub(crate) contradictions: BTreeSet<String>,
    /// Anything that the schema does not know.
    pub(crate) unknown: BTreeSet<String>,
}

impl Differences {
    /// Adds the differences of a payload.
    pub(crate) fn add(&mut self, version: &str, seen: &Seen) {
        let name = &seen.event;
        let Some(event) = Event::from_name(name) else {
            self.unknown.insert(format!("{version}: the event {name}"));
            return;
        };
        let text = Json::Object(seen.members.clone()).to_string();
        let typed = HookEvent::from_json(text.as_bytes()).map_err(|error| error.to_string());
        let typed = typed.and_then(|payload| payload.typed().map_err(|error| error.to_string()));
        if let Err(problem) = typed.and_then(|typed| typed.validate()) {
            self.contradictions.insert(format!("{version}: {name}: {problem}"));
        }
        let fields: Vec<&Field> = event.spec().fields.iter().chain(BASE_FIELDS).collect();
        self.compare(version, name, &seen.members, &fields);
        let input = seen.members.get("tool_input").and_then(Json::as_object);
        if let (Some(called), Some(input)) = (seen.members.get("tool_name").and_then(Json::as_str), input) {
            match tool_spec(called) {
                Some(spec) => {
                    self.compare(version, &format!("input of {called}"), input, &spec.input.iter().collect::<Vec<_>>())
                }
                None if called.starts_with("mcp__") => {}
                None => drop(self.unknown.insert(format!("{version}: the tool {called}"))),
            }
        }
    }

    fn compare(&mut self, version: &str, what: &str, members: &Map<String, Json>, fields: &[&Field]) {
        for (name, value) in members {
            let place = format!("{version}: {what}: {name}");
            match fields.iter().find(|field| field.name == name) {
                None => drop(self.unknown.insert(place)),
                Some(field) => self.fits(&place, value, field.ty),
            }
        }
    }

    /// Compares a value with its type. The host writes null for a missing value.
    fn fits(&mut self, place: &str, value: &Json, ty: FieldType) {
        let fits = match (ty, value) {
            (_, Json::Null) | (FieldType::Any, _) | (FieldType::String | FieldType::Path, Json::String(_)) => true,
            (FieldType::Number, Json::Number(_)) | (FieldType::Boolean, Json::Bool(_)) => true,
            (FieldType::Enum(values), Json::String(text)) => {
                if !values.contains(&text.as_str()) {
                    self.unknown.insert(format!("{place} is {text:?}"));
                }
                true
            }
            (FieldType::List(inner), Json::Array(values)) => {
                values.iter().for_each(|value| self.fits(place, value, *inner));
                true
            }
            (FieldType::Object(fields), Json::Object(members)) => {
                for (name, value) in members {
                    match fields.iter().find(|field| field.name == name) {
                        None => drop(self.unknown.insert(format!("{place}.{name}"))),
                        Some(field) => self.fits(&format!("{place}.{name}"), value, field.ty),
                    }
                }
                true
            }
            _ => false,
        };
        if !fits {
            self.contradictions.insert(format!("{place} is {value}, and not of the type {ty:?}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn differences(change: impl FnOnce(&mut Json)) -> Differences {
        let mut payload = json!({
            "session_id": "s", "transcript_path": "/t.jsonl", "cwd": "/p", "hook_event_name": "PreToolUse",
            "permission_mode": "default", "tool_name": "Bash", "tool_input": { "command": "ls" }, "tool_use_id": "t",
        });
        change(&mut payload);
        let mut found = Differences::default();
        found.add("v", &Seen::read(payload.to_string().as_bytes(), PathBuf::new()).unwrap());
        found
    }

    #[test]
    fn what_the_schema_says_is_neither_news_nor_a_contradiction() {
        let found = differences(|_| {});
        assert!(found.unknown.is_empty() && found.contradictions.is_empty(), "{found:?}");
    }

    #[test]
    fn what_the_schema_does_not_know_is_news() {
        for (change, news) in [
            (json!({ "brand_new": 1 }), "v: PreToolUse: brand_new"),
            (json!({ "tool_input": { "command": "ls", "speed": 9 } }), "v: input of Bash: speed"),
            (json!({ "tool_name": "Bosh" }), "v: the tool Bosh"),
            (json!({ "hook_event_name": "PreThought" }), "v: the event PreThought"),
        ] {
            let found = differences(|payload| {
                payload.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            });
            assert_eq!(found.unknown.iter().collect::<Vec<_>>(), [news], "{found:?}");
            assert!(found.contradictions.is_empty(), "{found:?}");
        }
    }

    #[test]
    fn what_the_schema_says_otherwise_is_a_contradiction() {
        for (name, value) in [("tool_use_id", Json::Null), ("cwd", json!("")), ("permission_mode", json!(7))] {
            let found = differences(|payload| payload[name] = value);
            assert!(!found.contradictions.is_empty(), "{name}: {found:?}");
        }
    }
}
