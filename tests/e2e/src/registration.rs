//! How the program is registered with the host, and what else is in its settings.
//!
//! `arguments` is the one place that knows the command line of a registration.

use std::path::{Path, PathBuf};

use hookrules::host_settings::Row;
use serde_json::{Map, Value as Json, json};

use crate::host::Version;
use crate::scratch::Scratch;

/// The events that are registered: all but those that break or flood a session which has no rule for them.
const EVENTS: &[&str] = &[
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "Notification",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "SessionStart",
    "SessionEnd",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "PermissionRequest",
    "PermissionDenied",
    "Setup",
    "TeammateIdle",
    "TaskCreated",
    "TaskCompleted",
    "Elicitation",
    "ElicitationResult",
    "ConfigChange",
    "WorktreeRemove",
    "InstructionsLoaded",
    "CwdChanged",
    "FileChanged",
];

/// Those that the oldest version does not have. It greets a person with a dialog about an event that it does not know.
const NEWER: &[&str] = &["PreModelSwitch", "PostModelSwitch", "DirectoryAdded"];

/// Those that only the newest version has.
const NEWEST: &[&str] = &["PreSkillShellCommand"];

/// What the host starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binary {
    /// The program.
    Ours,
    /// A path where nothing is.
    Gone,
    /// A program that dies of a signal.
    Crashes,
    /// A program that fails and says nothing.
    Fails,
}

/// How an entry starts it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// Directly, with a list of arguments and `onFailure`, for hosts that know it.
    Exec,
    /// By a shell that blocks where the program fails, for hosts that do not.
    Shell,
}

/// Whose settings have the entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Project,
    User,
    Both,
    Nowhere,
    /// Those of the plugin, which starts the program by its name.
    Plugin,
}

/// The entries for the program.
#[derive(Clone, Debug)]
pub(crate) struct Registration {
    pub(crate) binary: Binary,
    pub(crate) form: Form,
    pub(crate) place: Place,
    /// The events with an entry; all of them, if none is named.
    pub(crate) events: &'static [&'static str],
    /// Arguments beside those that every entry has.
    pub(crate) words: &'static [&'static str],
    /// The project's settings, where they are not only the registration.
    pub(crate) row: Option<&'static Row>,
}

impl Registration {
    pub(crate) const PROJECT: Self =
        Self { binary: Binary::Ours, form: Form::Exec, place: Place::Project, events: &[], words: &[], row: None };

    /// Returns the text of the project's settings.
    pub(crate) fn of_project(&self, scratch: &Scratch, version: Version) -> String {
        match self.row {
            Some(row) => row.settings_with(&self.handler(scratch, Place::Project).to_string()),
            None => json!({ "hooks": self.hooks(scratch, version, Place::Project) }).to_string(),
        }
    }

    /// Returns the user's settings, which also have what keeps every payload.
    pub(crate) fn of_user(&self, scratch: &Scratch, version: Version) -> Json {
        let mut hooks = self.hooks(scratch, version, Place::User);
        for event in all(version) {
            let groups = hooks.entry(event).or_insert_with(|| json!([]));
            if let Some(groups) = groups.as_array_mut() {
                groups.push(json!({ "matcher": "*", "hooks": [recorder(scratch)] }));
            }
        }
        json!({ "hooks": hooks })
    }

    /// Returns the entries for the program in the settings of a place.
    fn hooks(&self, scratch: &Scratch, version: Version, place: Place) -> Map<String, Json> {
        if self.place != place && self.place != Place::Both {
            return Map::new();
        }
        let groups = json!([{ "matcher": "*", "hooks": [self.handler(scratch, place)] }]);
        let is_meant = |event: &&str| self.events.is_empty() || self.events.contains(event);
        all(version).filter(is_meant).map(|event| (event.to_owned(), groups.clone())).collect()
    }

    fn handler(&self, scratch: &Scratch, place: Place) -> Json {
        let program = self.program(scratch);
        let words = arguments(scratch, place, self.words);
        match self.form {
            Form::Exec => json!({ "type": "command", "command": program, "args": words, "onFailure": "block" }),
            Form::Shell => {
                let words: Vec<String> =
                    std::iter::once(program.display().to_string()).chain(words).map(|word| quoted(&word)).collect();
                json!({ "type": "command", "command": format!("{} || exit 2", words.join(" ")) })
            }
        }
    }

    fn program(&self, scratch: &Scratch) -> PathBuf {
        match self.binary {
            Binary::Ours => scratch.program.clone(),
            Binary::Gone => scratch.path("gone/rules"),
            Binary::Crashes => scratch.path("bin/crashes"),
            Binary::Fails => scratch.path("bin/fails"),
        }
    }
}

/// Returns the arguments of a registration, by whose settings have it. The directories are the session's own: the program
/// finds those of the account by the account, not by `HOME`.
fn arguments(scratch: &Scratch, place: Place, more: &[&str]) -> Vec<String> {
    let mut words = vec!["hook".to_owned(), "claude-code".to_owned()];
    let scope = match place {
        Place::Project => Some("project"),
        Place::User => Some("user"),
        // The plugin has none, and places of which there are several are asked for one by one.
        Place::Both | Place::Nowhere | Place::Plugin => None,
    };
    words.extend(scope.into_iter().flat_map(|scope| ["--scope".to_owned(), scope.to_owned()]));
    for (option, directory) in scratch.directories() {
        words.extend([option.to_owned(), directory.display().to_string()]);
    }
    words.extend(more.iter().map(|&word| word.to_owned()));
    words
}

/// Returns what is called by the name of the program: the plugin cannot know the session's directories.
pub(crate) fn by_name(scratch: &Scratch) -> String {
    let words = arguments(scratch, Place::Plugin, &[]).into_iter().skip(2).map(|word| quoted(&word));
    let words: Vec<String> = words.collect();
    format!("#!/bin/sh\nexec {} \"$@\" {}\n", quoted(&scratch.program.display().to_string()), words.join(" "))
}

/// Keeps each payload in a file of its own, in the order in which they came.
fn recorder(scratch: &Scratch) -> Json {
    let script = "cat >\"$1/$$\" && mv \"$1/$$\" \"$1/$$.json\"";
    let words = ["-c", script, "sh", &scratch.seen().display().to_string()].map(str::to_owned);
    json!({ "type": "command", "command": "/bin/sh", "args": words })
}

/// Returns the events that are registered with a version.
fn all(version: Version) -> impl Iterator<Item = &'static str> {
    let newer = if version >= Version::Previous { NEWER } else { &[] };
    let newest = if version >= Version::New { NEWEST } else { &[] };
    EVENTS.iter().chain(newer).chain(newest).copied()
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Returns what the host knows of its user before the session: that nobody needs to be welcomed, and that the project
/// and the key are fine.
pub(crate) fn known_user(project: &Path, key: &str) -> Json {
    let accepted = json!({ "hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true });
    let end = key.get(key.len().saturating_sub(20)..).unwrap_or(key);
    json!({
        "hasCompletedOnboarding": true, "theme": "dark", "numStartups": 9, "autoUpdates": false,
        "projects": { (project.display().to_string()): accepted },
        "customApiKeyResponses": { "approved": [end], "rejected": [] },
    })
}
