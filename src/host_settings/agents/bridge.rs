//! Settings that are a plugin of an agent that starts no programs: one file, with the command and the events in it.

use serde_json::Value as Json;

use super::{Editing, FoundHook};
use crate::host_settings::RegistrationChanges;
use crate::host_settings::installation::quote_for_shell;

/// The beginning of the line with the program and its arguments, a list of texts.
const COMMAND: &str = "const command = ";

/// The beginning of the line with the names of the events, a list of texts.
const EVENTS: &str = "const events = ";

/// The registration that is to be written into a plugin.
pub(super) struct WantedBridge<'w> {
    /// The text of the plugin.
    pub(super) text: &'static str,
    /// The program and its arguments.
    pub(super) command: Vec<String>,
    /// The names of the events.
    pub(super) events: Vec<&'w str>,
}

/// Returns a hook for each event in a plugin. Empty if the file is not the plugin of `rules install`, or a copy of it.
pub(super) fn hooks(text: &str, bridge: &str) -> Vec<FoundHook> {
    let Some((command, events)) = list_in(text, COMMAND).zip(list_in(text, EVENTS)).filter(|_| is_ours(text, bridge))
    else {
        return Vec::new();
    };
    let start = text.find(COMMAND).unwrap_or_default();
    let line = command.iter().map(|word| quote_for_shell(word)).collect::<Vec<_>>().join(" ");
    let hook = |event| FoundHook { event, command: line.clone(), timeout: None, place: start..text.len() };
    events.into_iter().map(hook).collect()
}

impl Editing<'_> {
    /// Returns the text of the plugin with the wanted registration.
    ///
    /// # Errors
    /// Fails if the file is another plugin.
    pub(super) fn install_bridge(
        &self,
        text: Option<&str>,
        wanted: &WantedBridge<'_>,
        changes: &mut RegistrationChanges,
    ) -> Result<String, String> {
        if text.is_some_and(|text| !is_ours(text, wanted.text)) {
            return Err("there is another plugin in this file".to_owned());
        }
        let before = text.and_then(|text| list_in(text, EVENTS)).unwrap_or_default();
        let is_wanted = |event: &String| wanted.events.contains(&event.as_str());
        let (kept, others): (Vec<&String>, Vec<&String>) = before.iter().partition(|event| is_wanted(event));
        let mut events: Vec<String> = wanted.events.iter().map(|event| (*event).to_owned()).collect();
        changes.added.extend(events.iter().filter(|event| !before.contains(event)).cloned());
        if self.keeps_others {
            events.extend(others.into_iter().cloned());
        } else {
            changes.removed.extend(others.into_iter().cloned());
        }
        let after = with_lists(wanted.text, &wanted.command, &events);
        let is_only_events = |text: &str| {
            list_in(text, COMMAND).is_some_and(|command| command == wanted.command)
                && without_lists(text) == without_lists(&after)
        };
        if text.is_some_and(|text| !is_only_events(text)) {
            changes.changed.extend(kept.into_iter().cloned());
        }
        Ok(after)
    }

    /// Returns the text of a file without the registration: `None` for the plugin that `rules install` wrote.
    pub(super) fn uninstall_bridge(text: &str, bridge: &str, changes: &mut RegistrationChanges) -> Option<String> {
        if !is_ours(text, bridge) {
            return Some(text.to_owned());
        }
        changes.removed.extend(list_in(text, EVENTS).unwrap_or_default());
        None
    }
}

/// Whether a file is this plugin, in any version: its first line, which says what the file is, never changes.
fn is_ours(text: &str, bridge: &str) -> bool {
    text.lines().next() == bridge.lines().next()
}

/// Returns the list of texts in the first line with this beginning; `None` if there is no such line, or no list.
fn list_in(text: &str, beginning: &str) -> Option<Vec<String>> {
    let list = text.lines().find_map(|line| line.strip_prefix(beginning))?;
    serde_json::from_str(list.trim_end_matches(';')).ok()
}

/// Returns the text of a plugin with this command and these events.
fn with_lists(bridge: &str, command: &[String], events: &[String]) -> String {
    let line = |line: &str| match line {
        line if line.starts_with(COMMAND) => format!("{COMMAND}{}\n", Json::from(command)),
        line if line.starts_with(EVENTS) => format!("{EVENTS}{}\n", Json::from(events)),
        line => format!("{line}\n"),
    };
    bridge.lines().map(line).collect()
}

/// Returns the lines of a plugin that no registration changes.
fn without_lists(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.starts_with(COMMAND) && !line.starts_with(EVENTS)).collect()
}
