//! What the agents of a project are told and allowed already: Claude Code's settings, and traces of others.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::find::Finding;
use super::signs::Topic;
use super::tree::Tree;
use crate::escape::line;

/// The settings of Claude Code that a project has.
const SETTINGS: &[&str] = &[".claude/settings.json", ".claude/settings.local.json"];

/// The lists of permissions that forbid or ask.
const STRICT: &[&str] = &["deny", "ask"];

/// How many permissions of a list are named.
const SHOWN: usize = 4;

/// How much of a text from the settings is shown.
const WIDTH: usize = 60;

/// What stands already.
#[derive(Debug, Default)]
pub(super) struct Standing {
    pub(super) findings: Vec<Finding>,
    pub(super) left_alone: Vec<String>,
}

/// Reads what stands already.
pub(super) fn agents(tree: &Tree) -> Standing {
    let mut standing = Standing::default();
    for path in SETTINGS {
        let Some(text) = tree.text(path) else { continue };
        let Ok(json) = serde_json::from_str::<Json>(text) else {
            standing.left_alone.push(format!("`{path}` is not JSON: Claude Code ignores it, hooks included"));
            continue;
        };
        standing.settings(path, &json);
    }
    standing
}

impl Standing {
    fn settings(&mut self, path: &str, json: &Json) {
        let mut notes = Vec::new();
        let permissions = |list: &str| -> Vec<&str> {
            let list = json.get("permissions").and_then(|all| all.get(list)).and_then(Json::as_array);
            list.into_iter().flatten().filter_map(Json::as_str).collect()
        };
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
        // The host compares the text of a command, a rule compares commands: neither can be exactly the other.
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
            self.left_alone.push(sentence);
        }
        let hooks = hooks(json);
        for (event, commands) in &hooks {
            let sentence =
                format!("a hook on {} in `{path}`: `{}`", line(event, WIDTH), line(&commands.join("`, `"), 2 * WIDTH));
            self.left_alone.push(sentence);
        }
        if !hooks.is_empty() {
            notes.push(format!(
                "hooks on {}",
                hooks.keys().map(|event| line(event, WIDTH)).collect::<Vec<_>>().join(", ")
            ));
        }
        if json.get("disableAllHooks").and_then(Json::as_bool) == Some(true) {
            notes.push("`disableAllHooks` is true: no hook runs, `rules` included".to_owned());
        }
        let note = if notes.is_empty() { None } else { Some(notes.join("; ")) };
        let name = "Claude Code".to_owned();
        self.findings.push(Finding { topic: Topic::Agent, name, paths: vec![path.to_owned()], more: 0, note });
    }
}

/// Returns the commands of the hooks of each event.
fn hooks(json: &Json) -> BTreeMap<&str, Vec<&str>> {
    let mut hooks: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let events = json.get("hooks").and_then(Json::as_object).into_iter().flatten();
    for (event, entries) in events {
        let handlers = entries.as_array().into_iter().flatten().filter_map(|entry| entry.get("hooks")?.as_array());
        let commands = handlers.flatten().filter_map(|handler| handler.get("command")?.as_str());
        let commands: Vec<&str> = commands.collect();
        if !commands.is_empty() {
            hooks.insert(event, commands);
        }
    }
    hooks
}
