//! The settings of agents other than Claude Code: where they are, which hooks they register, and edits that register or
//! remove our hook without changing any other byte.
//!
//! The paths and the form of an entry are in the host's record. There is one module for each form.

mod bridge;
mod executables;
mod json;
mod toml;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Map, Value as Json};

use super::claude_code::registration_in_shell_text;
use super::installation::{hook_words, quote_for_shell};
use super::{
    EventRegistrations, OnFailure, RegisteredHook, RegistrationChanges, SettingsScope, is_installed, policy_events,
};
use crate::files::{self, ReadError};
use crate::host::{EntryHole, EntryValue, Host, HostSettings, SettingsForm, SettingsPlace, TimeUnit};
use crate::policy::Policy;
use crate::ruleset::RuleMode;
use crate::schema::Event;
use bridge::WantedBridge;

/// The maximum size of a settings file, in bytes; a larger one is an error.
const MAX_FILE_BYTES: u64 = 4 << 20;

/// The path and the form of an agent's settings in one scope.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgentPlace {
    /// The agent.
    pub host: Host,
    /// The scope of the settings: the user's, or a project's.
    pub scope: SettingsScope,
    /// The path of the file, or of the directory with executables.
    pub path: PathBuf,
    settings: &'static HostSettings,
    place: SettingsPlace,
}

/// The directories in which the settings of agents are searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgentDirectories {
    /// The user's home.
    pub home: Option<PathBuf>,
    /// The directory of the project.
    pub project: Option<PathBuf>,
}

/// The content of an agent's settings in one scope.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgentSettings {
    /// The path and the form of the settings.
    pub place: AgentPlace,
    /// The files, including those that do not exist.
    files: Vec<AgentFile>,
}

/// One file of an agent's settings.
#[derive(Clone, PartialEq, Eq, Debug)]
struct AgentFile {
    path: PathBuf,
    /// The name of the event, if the file is an executable for one event.
    event: Option<&'static str>,
    /// The text of the file; `None` if it does not exist.
    text: Option<String>,
}

/// A hook in an agent's settings that runs this program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgentHook {
    /// The file.
    pub path: PathBuf,
    /// The number of the hook's line, counted from 1.
    pub line: usize,
    /// The name of the event in the settings. The agent may not have such an event.
    pub event: String,
    /// The command line that a shell runs.
    pub command: String,
    /// The timeout, in the unit of the agent.
    pub timeout: Option<String>,
    /// The program and the arguments in the command.
    pub registered: RegisteredHook,
}

/// A hook in the text of a file, of any program.
#[derive(Clone, PartialEq, Debug)]
struct FoundHook {
    event: String,
    command: String,
    timeout: Option<String>,
    place: Range<usize>,
}

/// A registration to write into an agent's settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgentRegistration {
    /// The program: an absolute path or, in a project's settings, which are used on several machines, only a name.
    pub program: String,
    /// Arguments that the user added with `--pass`.
    pub user_arguments: Vec<String>,
    /// The events to register.
    pub events: EventRegistrations,
}

/// The entry that is to be written for one event.
#[derive(Clone, PartialEq, Eq, Debug)]
struct WantedEntry {
    /// The name of the event in the settings.
    event: &'static str,
    /// The command line that a shell runs.
    command: String,
    /// The timeout, in the unit of the agent.
    timeout: Option<u64>,
    /// Whether the agent is to block the event if the hook fails.
    closes: bool,
}

impl WantedEntry {
    /// An empty entry, for members that are not part of an entry.
    const NONE: Self = Self { event: "", command: String::new(), timeout: None, closes: false };
}

/// The edit of one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgentFileEdit {
    /// The file.
    pub path: PathBuf,
    /// The text before the edit; `None` if the file does not exist.
    pub before: Option<String>,
    /// The text after the edit; `None` if the file is to be deleted.
    pub after: Option<String>,
    /// Whether the file is an executable.
    pub is_executable: bool,
}

/// The edits of an agent's settings.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct AgentEdits {
    /// The edits of the files that change.
    pub files: Vec<AgentFileEdit>,
    /// The names of the events whose registration changes.
    pub changes: RegistrationChanges,
}

impl AgentPlace {
    /// Finds the path of an agent's settings. `None` if the agent has no settings in this scope, or their directory is
    /// unknown. `variable` returns the value of an environment variable if it is an absolute path.
    pub fn new(
        host: Host,
        scope: SettingsScope,
        directories: &AgentDirectories,
        variable: impl Fn(&str) -> Option<PathBuf>,
    ) -> Option<Self> {
        let settings = host.settings()?;
        let (place, directory) = match scope {
            SettingsScope::User => {
                let place = settings.user?;
                let named = place.variable.and_then(variable);
                (place, named.or_else(|| Some(directories.home.as_ref()?.join(place.directory)))?)
            }
            SettingsScope::Project => (settings.project?, directories.project.clone()?),
            SettingsScope::Managed | SettingsScope::Local => return None,
        };
        Some(Self { host, scope, path: directory.join(place.file), settings, place })
    }

    /// Returns a sentence about what the user must do before the agent calls the hook; `None` if nothing is needed.
    #[must_use]
    pub fn trust(&self) -> Option<&'static str> {
        self.place.trust
    }

    /// Returns a sentence about a case in which the registration does not help, if there is one.
    #[must_use]
    pub fn limit(&self) -> Option<&'static str> {
        self.settings.limit
    }

    /// Whether the settings are a directory with executables.
    #[must_use]
    pub fn is_directory(&self) -> bool {
        self.settings.form == SettingsForm::Executables
    }

    /// Converts a timeout in the settings into seconds; `None` if it is not a number.
    #[must_use]
    pub fn seconds(&self, timeout: &str) -> Option<f64> {
        let number: f64 = timeout.parse().ok()?;
        Some(match self.settings.time_unit {
            TimeUnit::Seconds => number,
            TimeUnit::Milliseconds => number / 1000.0,
        })
    }

    /// Reads the files of the settings.
    ///
    /// # Errors
    /// Returns why a file that exists cannot be read.
    pub fn read(self) -> Result<AgentSettings, String> {
        let read = |path: &Path| match files::read_following(path, MAX_FILE_BYTES) {
            Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| "it is not UTF-8".to_owned()),
            Err(ReadError::NotFound) => Ok(None),
            Err(error) => Err(error.to_string()),
        };
        let files = if self.is_directory() {
            let names = Event::ALL.iter().flat_map(|event| self.host.registered_names(*event));
            let one = |name: &'static str| {
                let path = self.path.join(name);
                read(&path).map(|text| AgentFile { path, event: Some(name), text })
            };
            names.map(one).collect::<Result<_, _>>()?
        } else {
            vec![AgentFile { path: self.path.clone(), event: None, text: read(&self.path)? }]
        };
        Ok(AgentSettings { place: self, files })
    }

    /// Whether a command in these settings was written by `rules install`.
    fn is_ours(&self, command: &str) -> bool {
        registration_in_shell_text(command).is_some_and(|registered| {
            is_installed(self.scope, &registered)
                && registered.words.get(1).is_some_and(|name| name == self.host.name())
        })
    }
}

impl AgentSettings {
    /// Returns the hooks that run this program, including those that were written by hand.
    ///
    /// # Errors
    /// Returns why the agent cannot read the file.
    pub fn own_hooks(&self) -> Result<Vec<AgentHook>, String> {
        let mut hooks = Vec::new();
        for file in &self.files {
            let Some(text) = &file.text else { continue };
            let found = match (self.place.settings.form, file.event) {
                (SettingsForm::JsonLists, _) => json::hooks(text, self.place.settings)?,
                (SettingsForm::TomlTables, _) => toml::hooks(text, self.place.settings)?,
                (SettingsForm::Executables, event) => executables::hooks(text, event.unwrap_or_default()),
                (SettingsForm::Bridge(plugin), _) => bridge::hooks(text, plugin),
            };
            hooks.extend(found.into_iter().filter_map(|hook| {
                let registered = registration_in_shell_text(&hook.command)?;
                let line = text.get(..hook.place.start).map_or(1, |before| before.matches('\n').count() + 1);
                let FoundHook { event, command, timeout, .. } = hook;
                Some(AgentHook { path: file.path.clone(), line, event, command, timeout, registered })
            }));
        }
        Ok(hooks)
    }

    /// Returns the members at the top of the file that make the agent ignore the whole file.
    #[must_use]
    pub fn refused_members(&self) -> Vec<String> {
        let texts = self.files.iter().filter_map(|file| file.text.as_deref());
        texts.flat_map(|text| json::other_members(text, self.place.settings)).collect()
    }

    /// Returns the texts of the files that exist.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.files.iter().filter_map(|file| file.text.as_deref())
    }

    /// Returns the edits that register the hook as wanted. Hooks that `rules install` wrote before are replaced. In a
    /// project, those for events that are no longer wanted are removed. Everything else stays.
    ///
    /// # Errors
    /// Returns why the settings cannot be edited.
    pub fn install(&self, wanted: &AgentRegistration) -> Result<AgentEdits, String> {
        let entries = self.place.entries(wanted);
        let refused = self.refused_members();
        if !refused.is_empty() {
            let title = self.place.host.title();
            return Err(format!("because of the member `{}`, {title} ignores the whole file", refused.join("`, `")));
        }
        let is_ours = |command: &str| self.place.is_ours(command);
        let keeps_others = self.place.scope == SettingsScope::User;
        let editing = Editing { settings: self.place.settings, is_ours: &is_ours, keeps_others };
        self.edited(|file, changes| {
            let text = file.text.as_deref();
            match (self.place.settings.form, file.event) {
                (SettingsForm::JsonLists, _) => editing.install_json(text, &entries, changes).map(Some),
                (SettingsForm::TomlTables, _) => editing.install_toml(text, &entries, changes).map(Some),
                (SettingsForm::Executables, event) => {
                    let wanted = entries.iter().find(|entry| Some(entry.event) == event);
                    editing.install_executable(text, event.unwrap_or_default(), wanted, changes)
                }
                (SettingsForm::Bridge(plugin), _) => {
                    let wanted = WantedBridge {
                        text: plugin,
                        command: self.place.command_words(wanted, None),
                        events: entries.iter().map(|entry| entry.event).collect(),
                    };
                    editing.install_bridge(text, &wanted, changes).map(Some)
                }
            }
        })
    }

    /// Returns the edits that remove what `rules install` wrote. A file that it created, and that contains nothing
    /// else, is deleted.
    ///
    /// # Errors
    /// Returns why the settings cannot be edited.
    pub fn uninstall(&self) -> Result<AgentEdits, String> {
        let is_ours = |command: &str| self.place.is_ours(command);
        let editing = Editing { settings: self.place.settings, is_ours: &is_ours, keeps_others: false };
        self.edited(|file, changes| {
            let Some(text) = &file.text else { return Ok(None) };
            match (self.place.settings.form, file.event) {
                (SettingsForm::JsonLists, _) => editing.uninstall_json(text, changes),
                (SettingsForm::TomlTables, _) => editing.uninstall_toml(text, changes),
                (SettingsForm::Executables, event) => {
                    editing.install_executable(Some(text), event.unwrap_or_default(), None, changes)
                }
                (SettingsForm::Bridge(plugin), _) => Ok(Editing::uninstall_bridge(text, plugin, changes)),
            }
        })
    }

    /// Applies `edit` to each file, and returns the edits of those that change.
    fn edited(
        &self,
        edit: impl Fn(&AgentFile, &mut RegistrationChanges) -> Result<Option<String>, String>,
    ) -> Result<AgentEdits, String> {
        let mut edits = AgentEdits::default();
        for file in &self.files {
            let after = edit(file, &mut edits.changes)?;
            if after != file.text {
                let (path, before) = (file.path.clone(), file.text.clone());
                edits.files.push(AgentFileEdit { path, before, after, is_executable: file.event.is_some() });
            }
        }
        Ok(edits)
    }
}

/// The parameters of the edits of a file.
struct Editing<'e> {
    settings: &'static HostSettings,
    /// Whether a command was written by `rules install`.
    is_ours: &'e dyn Fn(&str) -> bool,
    /// Whether events that `rules install` registered before stay registered if they are not wanted now.
    keeps_others: bool,
}

impl AgentPlace {
    /// Returns the entries to write for a registration, one for each name of each event.
    fn entries(&self, wanted: &AgentRegistration) -> Vec<WantedEntry> {
        let takes_timeout = has_hole(self.settings.entry, EntryHole::TimeLimit);
        let mut entries = Vec::new();
        for (event, registration) in &wanted.events {
            let wait = Some(registration.wait).filter(|_| takes_timeout && self.host.takes_timeout(*event));
            let closes = registration.on_failure == OnFailure::Blocks;
            let mut line = self.command_line(wanted, wait);
            if closes && self.settings.is_closed_by_exit_2 {
                line.push_str(" || exit 2");
            }
            let timeout = wait.map(|wait| match self.settings.time_unit {
                TimeUnit::Seconds => wait.as_secs(),
                TimeUnit::Milliseconds => wait.as_secs() * 1000,
            });
            for name in self.host.registered_names(*event) {
                entries.push(WantedEntry { event: name, command: line.clone(), timeout, closes });
            }
        }
        entries
    }

    /// Returns the command line that a shell runs.
    fn command_line(&self, wanted: &AgentRegistration, wait: Option<Duration>) -> String {
        let words = self.command_words(wanted, wait);
        words.iter().map(|word| quote_for_shell(word)).collect::<Vec<_>>().join(" ")
    }

    /// Returns the program and its arguments.
    fn command_words(&self, wanted: &AgentRegistration, wait: Option<Duration>) -> Vec<String> {
        let mut words = vec![wanted.program.clone()];
        words.extend(hook_words(self.host, self.scope, None, wait, &wanted.user_arguments));
        words
    }
}

/// Returns the events for which the hook is registered with an agent: those of [`policy_events`] that the agent sends.
/// An event for which there is no rule is left out if the agent ignores every answer to it.
#[must_use]
pub fn agent_events(policy: &Policy, host: Host) -> EventRegistrations {
    let mut events = policy_events(policy);
    let has_rule = |event: &Event| {
        let rules = policy.rules.rules().iter().filter(|rule| rule.traits.mode != RuleMode::Off);
        rules.into_iter().any(|rule| rule.head.event_set().contains(event))
    };
    let is_obeyed = |event: &Event| {
        host.capabilities(*event).is_some_and(|answers| answers.deny || answers.context || answers.warn)
    };
    events.retain(|event, _| host.sends(*event) && (is_obeyed(event) || has_rule(event)));
    events
}

/// Whether members of an entry have this placeholder, at any depth.
fn has_hole(members: &[(&str, EntryValue)], hole: EntryHole) -> bool {
    members.iter().any(|(_, value)| value_has_hole(value, hole))
}

fn value_has_hole(value: &EntryValue, hole: EntryHole) -> bool {
    match value {
        EntryValue::Hole(found) => *found == hole,
        EntryValue::Object(members) => has_hole(members, hole),
        EntryValue::List(items) => items.iter().any(|item| value_has_hole(item, hole)),
        EntryValue::Fixed(_) | EntryValue::Count(_) => false,
    }
}

/// Fills in the placeholders in members of an entry. Members for which the registration has no value are left out.
fn filled(members: &[(&str, EntryValue)], entry: &WantedEntry) -> Map<String, Json> {
    let filled = members.iter().filter_map(|(name, value)| Some(((*name).to_owned(), filled_value(value, entry)?)));
    filled.collect()
}

fn filled_value(value: &EntryValue, entry: &WantedEntry) -> Option<Json> {
    Some(match value {
        EntryValue::Fixed(text) => Json::from(*text),
        EntryValue::Count(number) => Json::from(*number),
        EntryValue::Object(members) => Json::Object(filled(members, entry)),
        EntryValue::List(items) => Json::Array(items.iter().filter_map(|item| filled_value(item, entry)).collect()),
        EntryValue::Hole(EntryHole::CommandLine) => Json::from(entry.command.as_str()),
        EntryValue::Hole(EntryHole::EventName) => Json::from(entry.event),
        EntryValue::Hole(EntryHole::TimeLimit) => Json::from(entry.timeout?),
        EntryValue::Hole(EntryHole::Closes) => Json::from(entry.closes.then_some(true)?),
    })
}

#[cfg(test)]
mod tests;
