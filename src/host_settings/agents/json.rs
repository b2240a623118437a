//! Settings in a JSON file with a list of entries for each event.
//!
//! As in [`JsonDocument`], the layout shows what `rules install` created. If it created a file that needs further
//! members, the events come before them. A created file ends with a newline, which is not added to an existing empty
//! file.

use std::ops::Range;

use serde_json::Value as Json;

use super::{Editing, FoundHook, WantedEntry, filled};
use crate::host::{EntryHole, EntryValue, HostSettings};
use crate::host_settings::document::NodeValue;
use crate::host_settings::{JsonDialect, JsonDocument, JsonMistake, JsonNode, NodePath, RegistrationChanges};

/// A hook in a JSON document.
#[derive(Clone)]
struct JsonHook {
    event: String,
    /// The path of the entry in the list of its event.
    entry: NodePath,
    /// The path of the object with the command: the entry itself, or an object in it.
    handler: NodePath,
    /// Whether the entry has no other hook.
    is_alone: bool,
    range: Range<usize>,
    command: String,
    timeout: Option<String>,
}

/// Returns all hooks in the text of a settings file.
pub(super) fn hooks(text: &str, settings: &HostSettings) -> Result<Vec<FoundHook>, String> {
    let document = parse(text, settings).map_err(|mistake| place(&mistake))?;
    let hooks = document_hooks(&document, settings).into_iter();
    Ok(hooks
        .map(|hook| FoundHook { event: hook.event, command: hook.command, timeout: hook.timeout, place: hook.range })
        .collect())
}

/// Returns the members at the top of a file that make the agent ignore the whole file.
pub(super) fn other_members(text: &str, settings: &HostSettings) -> Vec<String> {
    if settings.only.is_empty() {
        return Vec::new();
    }
    let document = parse(text, settings);
    let members = document.as_ref().ok().and_then(JsonDocument::root).map_or(&[][..], JsonNode::members);
    let others = members.iter().filter(|member| !settings.only.contains(&member.name.as_str()));
    others.map(|member| member.name.clone()).collect()
}

impl Editing<'_> {
    /// Returns the text with the wanted entries.
    pub(super) fn install_json(
        &self,
        before: Option<&str>,
        wanted: &[WantedEntry],
        changes: &mut RegistrationChanges,
    ) -> Result<String, String> {
        let text = before.unwrap_or_default();
        let document = parse(text, self.settings).map_err(|mistake| place(&mistake))?;
        if document.root().is_none() {
            changes.added.extend(wanted.iter().map(|entry| entry.event.to_owned()));
            let object = self.new_object(wanted);
            return Ok(match before {
                None => format!("{object}\n"),
                // At the end, the object would be part of the comment.
                Some(_) if document.ends_in_comment() => {
                    let (mark, comments) = text.split_at(text.len() - text.trim_start_matches('\u{feff}').len());
                    format!("{mark}{object}{comments}")
                }
                Some(_) => format!("{text}{object}"),
            });
        }
        let document = self.installed(document, wanted, changes).map_err(|mistake| place(&mistake))?;
        Ok(document.text().to_owned())
    }

    fn installed(
        &self,
        mut document: JsonDocument,
        wanted: &[WantedEntry],
        changes: &mut RegistrationChanges,
    ) -> Result<JsonDocument, JsonMistake> {
        let under = self.settings.under;
        for entry in wanted {
            let value = Json::Object(filled(self.settings.entry, entry));
            let own_hooks = self.own_json(&document).into_iter().filter(|hook| hook.event == entry.event);
            let own_hooks: Vec<JsonHook> = own_hooks.collect();
            let Some((first, others)) = own_hooks.split_first() else {
                document = document.append(&[under, entry.event], &value)?;
                changes.added.push(entry.event.to_owned());
                continue;
            };
            let present_value = document.node_at(&first.entry).map(JsonNode::to_json);
            if others.is_empty() && present_value.as_ref() == Some(&value) {
                continue;
            }
            changes.changed.push(entry.event.to_owned());
            // From the last to the first, so that the paths of the remaining hooks stay valid.
            for other in others.iter().rev() {
                document = document.remove(other.removed())?.unwrap_or(document);
            }
            if first.is_alone {
                document = document.replace(&first.entry, &value)?;
            } else {
                document = document.remove(&first.handler)?.unwrap_or(document);
                document = document.append(&[under, entry.event], &value)?;
            }
        }
        let is_stale = |hook: &JsonHook| wanted.iter().all(|entry| entry.event != hook.event);
        while let Some(hook) = self.own_json(&document).into_iter().rfind(|hook| !self.keeps_others && is_stale(hook)) {
            changes.removed.push(hook.event.clone());
            let Some(rest) = document.remove(hook.removed())? else { break };
            document = rest;
        }
        Ok(document)
    }

    /// Returns the text without the entries that `rules install` wrote; `None` if it created the file.
    pub(super) fn uninstall_json(
        &self,
        text: &str,
        changes: &mut RegistrationChanges,
    ) -> Result<Option<String>, String> {
        let original = parse(text, self.settings).map_err(|mistake| place(&mistake))?;
        let mut document = original.clone();
        let mut is_empty = false;
        while let Some(hook) = self.own_json(&document).pop() {
            changes.removed.push(hook.event.clone());
            match document.remove(hook.removed()).map_err(|mistake| place(&mistake))? {
                Some(rest) => document = rest,
                None => {
                    is_empty = true;
                    break;
                }
            }
        }
        let Some(root) = original.root().filter(|_| document != original || is_empty) else {
            return Ok(Some(text.to_owned()));
        };
        let is_first = root.members().first().is_some_and(|member| member.name == self.settings.under);
        let head = self.pretty(Json::Object(filled(self.settings.head, &WantedEntry::NONE)));
        let rest = document.root().and_then(|root| document.text().get(root.range.clone()));
        let is_head = is_first && !self.settings.head.is_empty() && rest == Some(&head);
        if !is_empty && !is_head {
            return Ok(Some(document.text().to_owned()));
        }
        let before = text.get(..root.range.start).unwrap_or_default();
        let after = text.get(root.range.end..).unwrap_or_default();
        Ok(if before.is_empty() && after == "\n" { None } else { Some(format!("{before}{after}")) })
    }

    /// Returns the text of the object in a new file.
    fn new_object(&self, wanted: &[WantedEntry]) -> String {
        let mut events = serde_json::Map::new();
        for entry in wanted {
            let value = Json::Object(filled(self.settings.entry, entry));
            events.insert(entry.event.to_owned(), Json::Array(vec![value]));
        }
        let mut object = serde_json::Map::new();
        object.insert(self.settings.under.to_owned(), Json::Object(events));
        object.extend(filled(self.settings.head, &WantedEntry::NONE));
        self.pretty(Json::Object(object))
    }

    fn pretty(&self, value: Json) -> String {
        serde_json::to_string_pretty(&value).unwrap_or_default()
    }

    /// Returns the hooks that `rules install` wrote, in the order of the document.
    fn own_json(&self, document: &JsonDocument) -> Vec<JsonHook> {
        let hooks = document_hooks(document, self.settings).into_iter();
        hooks.filter(|hook| (self.is_ours)(&hook.command)).collect()
    }
}

impl JsonHook {
    /// Returns the path of the value to remove in order to remove the hook: its entry, if that has no other hook.
    fn removed(&self) -> &[usize] {
        if self.is_alone { &self.entry } else { &self.handler }
    }
}

/// Returns the hooks of a document, in order.
fn document_hooks(document: &JsonDocument, settings: &HostSettings) -> Vec<JsonHook> {
    let mut hooks = Vec::new();
    let Some(root) = document.root() else { return hooks };
    // Of several members with the same name, the agent reads the last.
    let Some(at) = root.members().iter().rposition(|member| member.name == settings.under) else { return hooks };
    let events = root.members().get(at).map_or(&[][..], |events| events.node.members());
    for (event_at, event) in events.iter().enumerate() {
        for (entry_at, entry) in event.node.elements().iter().enumerate() {
            let path = vec![at, event_at, entry_at];
            let hook = JsonHook {
                event: event.name.clone(),
                entry: path.clone(),
                handler: path,
                is_alone: true,
                range: entry.range.clone(),
                command: String::new(),
                timeout: None,
            };
            collect(entry, settings.entry, &hook, &mut hooks);
        }
    }
    hooks
}

/// Adds the hooks in an object, which is an entry or inside one. `form` has the members that such an object has, and
/// `found` what is known about the hooks already.
fn collect(node: &JsonNode, form: &[(&str, EntryValue)], found: &JsonHook, hooks: &mut Vec<JsonHook>) {
    let text = |hole: EntryHole| {
        let (name, _) = form.iter().find(|(_, value)| *value == EntryValue::Hole(hole))?;
        match &node.member(name)?.node.value {
            NodeValue::String(text) | NodeValue::Number(text) => Some(text.clone()),
            _ => None,
        }
    };
    if let Some(command) = text(EntryHole::CommandLine) {
        hooks.push(JsonHook {
            command,
            timeout: text(EntryHole::TimeLimit),
            range: node.range.clone(),
            ..found.clone()
        });
    }
    for (name, value) in form {
        let EntryValue::List([EntryValue::Object(inner)]) = value else { continue };
        let Some(at) = node.members().iter().rposition(|member| member.name == *name) else { continue };
        let elements = node.members().get(at).map_or(&[][..], |list| list.node.elements());
        for (element_at, element) in elements.iter().enumerate() {
            let mut handler = found.handler.clone();
            handler.extend([at, element_at]);
            let is_alone = found.is_alone && elements.len() == 1;
            collect(element, inner, &JsonHook { handler, is_alone, ..found.clone() }, hooks);
        }
    }
}

/// Parses the text of a settings file as the agent does.
fn parse(text: &str, settings: &HostSettings) -> Result<JsonDocument, JsonMistake> {
    let dialect = JsonDialect { comments: settings.takes_comments, trailing_commas: settings.takes_trailing_commas };
    JsonDocument::parse_dialect(text.to_owned(), dialect)
}

/// Formats a mistake with its position, to be printed after the name of the file.
fn place(mistake: &JsonMistake) -> String {
    format!("{}:{}: {}", mistake.line, mistake.column, mistake.message)
}
