//! Finds the settings of Claude Code in a project: permissions and hooks that exist already.

use std::collections::BTreeMap;

use super::findings::ProjectFinding;
use super::signs::FindingTopic;
use super::tree::ProjectTree;
use crate::escape::line;
use crate::host_settings::{SettingsFile, SettingsScope};

/// The settings files of Claude Code in a project.
const SETTINGS: &[&str] = &[".claude/settings.json", ".claude/settings.local.json"];

/// The names of the lists with permissions that deny or ask, whose entries are shown one by one.
const STRICT: &[&str] = &["deny", "ask"];

/// The maximum number of permissions in a list that are named.
const SHOWN: usize = 4;

/// The maximum length of a displayed permission or event.
const WIDTH: usize = 60;

/// What the project's settings of Claude Code contain.
#[derive(Debug, Default)]
pub(super) struct ExistingSettings {
    /// A finding for each settings file.
    pub(super) findings: Vec<ProjectFinding>,
    /// A sentence about each list of denials or questions, and each hook, that stays in effect next to the new policy.
    pub(super) unconverted: Vec<String>,
}

/// Summarises the settings files of Claude Code in a project.
pub(super) fn existing_settings(tree: &ProjectTree) -> ExistingSettings {
    let mut existing = ExistingSettings::default();
    for path in SETTINGS {
        let Some(text) = tree.text(path) else { continue };
        let settings = SettingsFile::from_text(SettingsScope::Project, path.into(), text.to_owned());
        if settings.document.is_err() {
            existing.unconverted.push(format!("`{path}` is not JSON: Claude Code ignores it, hooks included"));
            continue;
        }
        existing.add_settings(path, &settings);
    }
    existing
}

impl ExistingSettings {
    /// Adds the finding about a settings file, and the sentences about what stays in effect.
    fn add_settings(&mut self, path: &str, settings: &SettingsFile) {
        let mut notes = Vec::new();
        let permissions =
            |list: &str| -> Vec<String> { settings.permissions(list).into_iter().map(|(rule, _)| rule).collect() };
        let counted = [("allow", "allowed"), ("deny", "denied"), ("ask", "asked about")]
            .map(|(list, word)| (permissions(list).len(), word));
        let counted: Vec<String> = counted
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        if !counted.is_empty() {
            notes.push(format!("permissions: {}", counted.join(", ")));
        }
        // Not converted to rules: Claude Code compares the text of a command, a rule compares what it runs, so
        // neither can express the other exactly.
        for list in STRICT {
            let rules = permissions(list);
            if rules.is_empty() {
                continue;
            }
            let named: Vec<String> = rules.iter().take(SHOWN).map(|rule| format!("`{}`", line(rule, WIDTH))).collect();
            let more = rules.len().saturating_sub(SHOWN);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let sentence =
                format!("`permissions.{list}` in `{path}`: {}{more}; the host goes on applying them", named.join(", "));
            self.unconverted.push(sentence);
        }
        let hooks = hooks(settings);
        for (event, commands) in &hooks {
            let sentence =
                format!("a hook on {} in `{path}`: `{}`", line(event, WIDTH), line(&commands.join("`, `"), 2 * WIDTH));
            self.unconverted.push(sentence);
        }
        if !hooks.is_empty() {
            notes.push(format!(
                "hooks on {}",
                hooks.keys().map(|event| line(event, WIDTH)).collect::<Vec<_>>().join(", ")
            ));
        }
        if settings.switch("disableAllHooks").is_some() {
            notes.push("`disableAllHooks` is true: no hook runs, `rules` included".to_owned());
        }
        let note = if notes.is_empty() { None } else { Some(notes.join("; ")) };
        let name = "Claude Code".to_owned();
        self.findings.push(ProjectFinding {
            topic: FindingTopic::Agent,
            name,
            paths: vec![path.to_owned()],
            more: 0,
            note,
        });
    }
}

/// Returns the commands of the hooks in a settings file, by event.
fn hooks(settings: &SettingsFile) -> BTreeMap<String, Vec<String>> {
    let mut hooks: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for handler in settings.handlers() {
        if let Some(command) = handler.command {
            hooks.entry(handler.event).or_default().push(command);
        }
    }
    hooks
}
