//! The registration of the program with the host, and the rest of the host's settings.
//!
//! `arguments` is the only place that knows the command line of a registration.

use std::path::{Path, PathBuf};

use hookrules::host_settings::Row;
use serde_json::{Map, Value as Json, json};

use crate::host::Version;
use crate::scratch::Scratch;

/// The registered events: all but those that break or flood a session without a rule for them.
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

/// Events that the oldest version does not have: for an unknown event it opens with a dialog.
const NEWER: &[&str] = &["PreModelSwitch", "PostModelSwitch", "DirectoryAdded"];

/// Events that only the newest version has.
const NEWEST: &[&str] = &["PreSkillShellCommand"];

/// The program that the host starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binary {
    /// The program under test.
    Ours,
    /// A path without a file.
    Gone,
    /// A program that is killed by a signal.
    Crashes,
    /// A program that fails without output.
    Fails,
}

/// How an entry starts the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// Directly, with a list of arguments and `onFailure`, for hosts that support it.
    Exec,
    /// By a shell that blocks if the program fails, for hosts that do not.
    Shell,
}

/// The settings that have the entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Project,
    User,
    Both,
    Nowhere,
    /// The settings of the plugin, which starts the program by its name.
    Plugin,
}

/// The entries for the program.
#[derive(Clone, Debug)]
pub(crate) struct Registration {
    pub(crate) binary: Binary,
    pub(crate) form: Form,
    pub(crate) place: Place,
    /// The events with an entry; all of them if empty.
    pub(crate) events: &'static [&'static str],
    /// Arguments in addition to those of every entry.
    pub(crate) words: &'static [&'static str],
    /// The project's settings, if they are more than the registration.
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

    /// Returns the user's settings, which also register the recorder of payloads.
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

/// Returns the arguments of a registration in the settings of a place. They name the session's directories: the program
/// finds the default ones by the account, not by `HOME`.
fn arguments(scratch: &Scratch, place: Place, more: &[&str]) -> Vec<String> {
    let mut words = vec!["hook".to_owned(), "claude-code".to_owned()];
    let scope = match place {
        Place::Project => Some("project"),
        Place::User => Some("user"),
        // The plugin has no scope, and `Both` never gets here: the settings of each place are written separately.
        Place::Both | Place::Nowhere | Place::Plugin => None,
    };
    words.extend(scope.into_iter().flat_map(|scope| ["--scope".to_owned(), scope.to_owned()]));
    for (option, directory) in scratch.directories() {
        words.extend([option.to_owned(), directory.display().to_string()]);
    }
    words.extend(more.iter().map(|&word| word.to_owned()));
    words
}

/// Returns the script that has the name of the program: the plugin cannot know the session's directories.
pub(crate) fn by_name(scratch: &Scratch) -> String {
    let words = arguments(scratch, Place::Plugin, &[]).into_iter().skip(2).map(|word| quoted(&word));
    let words: Vec<String> = words.collect();
    format!("#!/bin/sh\nexec {} \"$@\" {}\n", quoted(&scratch.program.display().to_string()), words.join(" "))
}

/// Returns a hook that writes each payload to its own file, and the directory of the project to another.
fn recorder(scratch: &Scratch) -> Json {
    let script = r#"printf %s "$CLAUDE_PROJECT_DIR" >"$1/$$.project" && cat >"$1/$$" && mv "$1/$$" "$1/$$.json""#;
    let words = ["-c", script, "sh", &scratch.seen().display().to_string()].map(str::to_owned);
    json!({ "type": "command", "command": "/bin/sh", "args": words })
}

/// Returns the events to register with a version.
fn all(version: Version) -> impl Iterator<Item = &'static str> {
    let newer = if version >= Version::Previous { NEWER } else { &[] };
    let newest = if version >= Version::New { NEWEST } else { &[] };
    EVENTS.iter().chain(newer).chain(newest).copied()
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Returns the host's data about its user before the session: the onboarding is done, and the project and the key are
/// accepted.
pub(crate) fn known_user(project: &Path, key: &str) -> Json {
    let accepted = json!({ "hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true });
    let end = key.get(key.len().saturating_sub(20)..).unwrap_or(key);
    json!({
        "hasCompletedOnboarding": true, "theme": "dark", "numStartups": 9, "autoUpdates": false,
        "projects": { (project.display().to_string()): accepted },
        "customApiKeyResponses": { "approved": [end], "rejected": [] },
    })
}
