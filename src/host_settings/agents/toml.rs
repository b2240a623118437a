//! Settings in a TOML file with a table for each entry.
//!
//! `rules install` appends each table after an empty line. The table is removed together with that line, so that the
//! text before it is the same as before the installation. In a file that `rules install` created, there is no empty
//! line before the first table.

use std::ops::Range;

use serde_json::Value as Json;
use toml::Table;
use toml::de::{DeTable, DeValue};

use super::{Editing, FoundHook, WantedEntry, filled};
use crate::host::{EntryHole, EntryValue, HostSettings};
use crate::host_settings::RegistrationChanges;

/// Returns all hooks in the text of a settings file.
pub(super) fn hooks(text: &str, settings: &HostSettings) -> Result<Vec<FoundHook>, String> {
    let document = DeTable::parse(text).map_err(|error| error.message().to_owned())?;
    let list = document.get_ref().get(settings.under).and_then(|list| list.get_ref().as_array());
    let mut hooks = Vec::new();
    for entry in list.into_iter().flat_map(|list| list.iter()) {
        let Some(table) = entry.get_ref().as_table() else { continue };
        let value = |hole: EntryHole| {
            let (name, _) = settings.entry.iter().find(|(_, value)| *value == EntryValue::Hole(hole))?;
            table.get(*name)
        };
        let text = |hole: EntryHole| match value(hole)?.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            DeValue::Integer(number) => Some(number.as_str().to_owned()),
            DeValue::Float(number) => Some(number.as_str().to_owned()),
            _ => None,
        };
        if let (Some(event), Some(command)) = (text(EntryHole::EventName), text(EntryHole::CommandLine)) {
            let place = value(EntryHole::CommandLine).map_or(0..0, |value| value.span());
            hooks.push(FoundHook { event, command, timeout: text(EntryHole::TimeLimit), place });
        }
    }
    Ok(hooks)
}

/// A table that `rules install` wrote, in the text of a file.
struct OwnTable {
    event: String,
    /// The byte range of the table, including the newline before it, if there is one.
    range: Range<usize>,
}

impl Editing<'_> {
    /// Returns the text with the wanted entries.
    pub(super) fn install_toml(
        &self,
        before: Option<&str>,
        wanted: &[WantedEntry],
        changes: &mut RegistrationChanges,
    ) -> Result<String, String> {
        let mut text = before.unwrap_or_default().to_owned();
        let rest = self.rest(&text)?;
        let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        for entry in wanted {
            let table = self.table(entry, line_end);
            let tables_of_event = self.own_tables(&text).into_iter().filter(|own| own.event == entry.event);
            let tables_of_event: Vec<OwnTable> = tables_of_event.collect();
            let Some((first, others)) = tables_of_event.split_first() else {
                let separator = if before.is_none() && text.is_empty() { "" } else { line_end };
                text.push_str(&format!("{separator}{table}"));
                changes.added.push(entry.event.to_owned());
                continue;
            };
            let present_text = text.get(first.range.clone()).unwrap_or_default();
            let separator = present_text.len() - present_text.trim_start_matches(['\r', '\n']).len();
            if others.is_empty() && present_text.get(separator..) == Some(&table) {
                continue;
            }
            changes.changed.push(entry.event.to_owned());
            for other in others.iter().rev() {
                text.replace_range(other.range.clone(), "");
            }
            text.replace_range(first.range.start + separator..first.range.end, &table);
        }
        let is_stale = |own: &OwnTable| wanted.iter().all(|entry| entry.event != own.event);
        while let Some(own) = self.own_tables(&text).into_iter().rfind(|own| !self.keeps_others && is_stale(own)) {
            changes.removed.push(own.event);
            text.replace_range(own.range, "");
        }
        self.check(&text, &rest)?;
        Ok(text)
    }

    /// Returns the text without the entries that `rules install` wrote; `None` if it created the file.
    pub(super) fn uninstall_toml(
        &self,
        before: &str,
        changes: &mut RegistrationChanges,
    ) -> Result<Option<String>, String> {
        let rest = self.rest(before)?;
        let mut text = before.to_owned();
        let is_created = self.own_tables(before).first().is_some_and(|own| own.range.start == 0)
            && before.starts_with(&format!("[[{}]]", self.settings.under));
        while let Some(own) = self.own_tables(&text).pop() {
            changes.removed.push(own.event);
            text.replace_range(own.range, "");
        }
        self.check(&text, &rest)?;
        Ok(Some(text).filter(|text| !(text.is_empty() && is_created)))
    }

    /// Parses a text, and returns its content without the hooks that `rules install` wrote.
    fn rest(&self, text: &str) -> Result<Table, String> {
        let mut table: Table = text.parse().map_err(|error: toml::de::Error| error.message().to_owned())?;
        let command = self.settings.entry.iter().find(|(_, value)| *value == EntryValue::Hole(EntryHole::CommandLine));
        let Some((command, _)) = command else { return Ok(table) };
        let Some(list) = table.get_mut(self.settings.under).and_then(toml::Value::as_array_mut) else {
            return Ok(table);
        };
        list.retain(|entry| {
            entry.get(*command).and_then(toml::Value::as_str).is_none_or(|command| !(self.is_ours)(command))
        });
        if list.is_empty() {
            table.remove(self.settings.under);
        }
        Ok(table)
    }

    /// Checks that an edit has changed only hooks that `rules install` wrote.
    fn check(&self, text: &str, rest: &Table) -> Result<(), String> {
        let is_so = self.rest(text).is_ok_and(|now| now == *rest);
        if is_so { Ok(()) } else { Err(format!("`{}` is written in another form than tables", self.settings.under)) }
    }

    /// Returns the lines of the table for an entry.
    fn table(&self, entry: &WantedEntry, end: &str) -> String {
        let mut table = format!("[[{}]]{end}", self.settings.under);
        for (name, value) in filled(self.settings.entry, entry) {
            // A JSON string is also a TOML string.
            table.push_str(&format!("{name} = {value}{end}"));
        }
        table
    }

    /// Returns the tables that `rules install` wrote, in the order of the text.
    fn own_tables(&self, text: &str) -> Vec<OwnTable> {
        let head = format!("[[{}]]", self.settings.under);
        let mut tables = Vec::new();
        let mut at = 0;
        let mut lines = text.split_inclusive('\n').peekable();
        while let Some(line) = lines.next() {
            let start = at;
            at += line.len();
            if line.trim_end() != head {
                continue;
            }
            let (mut event, mut command) = (None, None);
            for (name, value) in self.settings.entry {
                let Some(line) = lines.next_if(|line| line.starts_with(&format!("{name} = "))) else { continue };
                at += line.len();
                let written = line.get(name.len() + 3..).and_then(|value| serde_json::from_str::<Json>(value).ok());
                let written = written.as_ref().and_then(Json::as_str).map(str::to_owned);
                match value {
                    EntryValue::Hole(EntryHole::EventName) => event = written,
                    EntryValue::Hole(EntryHole::CommandLine) => command = written,
                    _ => {}
                }
            }
            let text_before = text.get(..start).unwrap_or_default();
            let separator = ["\r\n", "\n"].into_iter().find(|end| text_before.ends_with(end)).map_or(0, str::len);
            if let Some(event) = event.filter(|_| command.is_some_and(|command| (self.is_ours)(&command))) {
                tables.push(OwnTable { event, range: start - separator..at });
            }
        }
        tables
    }
}
