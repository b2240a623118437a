//! Converts a configuration of conclaude to rules, with a note on each value that means less or more in a policy.

mod events;
mod files;
mod permission;
mod prompts;
mod runs;
mod stop;
mod tools;

use super::NoteRank;
use super::conclaude::{self, ConclaudeConfig, NotificationConfig};
use super::draft::{DraftRule, MappedPolicy, PolicyDraft};
use super::globs;
use super::mapping_reader::{ImportFindings, PlacedValue};
use super::names::TakenNames;
use super::samples::with_samples;
use super::yaml;
use crate::schema::Event;
use crate::span::{SourceFile, Span};

/// The tools that change a file.
const FILE_TOOLS: &str = "Write|Edit|MultiEdit|NotebookEdit";

/// Converts the sections of a configuration to rules and notes, one after the other.
struct Mapper<'f, 's> {
    draft: PolicyDraft,
    /// The names of the rules so far.
    names: TakenNames,
    notifications: Option<&'f NotificationConfig>,
    findings: &'f mut ImportFindings<'s>,
}

/// Reads and converts a configuration; `None` if it has mistakes, which are in `findings`.
pub(super) fn import(files: &[&SourceFile], findings: &mut ImportFindings<'_>) -> Option<MappedPolicy> {
    let [source] = files else {
        for source in files.iter().skip(1) {
            let help = "import each into a directory of its own";
            findings.report_invalid(super::start_of_file(source), "conclaude reads a single file", "another one", help);
        }
        return None;
    };
    let tree = match yaml::parse(source) {
        Ok(tree) => tree,
        Err(error) => {
            findings.diagnostics.push(*error);
            return None;
        }
    };
    let config = conclaude::read_config(&tree, findings)?;
    if !findings.diagnostics.is_empty() {
        return None;
    }
    let mapped = map_config(&config, findings);
    findings.note_unused(&tree, "");
    Some(mapped)
}

/// Converts a configuration to rules and settings.
fn map_config<'f>(config: &'f ConclaudeConfig, findings: &'f mut ImportFindings<'_>) -> MappedPolicy {
    let notifications = config.notifications.as_ref();
    let mut mapper = Mapper { draft: PolicyDraft::default(), names: TakenNames::default(), notifications, findings };
    mapper.findings.rank = NoteRank::Denial;
    mapper.files(&config.files);
    mapper.tools(&config.tools);
    if let Some(permission) = &config.permission {
        mapper.permission(permission);
    }
    mapper.findings.rank = NoteRank::Text;
    mapper.contexts(&config.contexts);
    mapper.prompts(&config.prompts);
    mapper.events(&config.events);
    if let Some(worktree) = &config.worktree {
        mapper.worktree(worktree);
    }
    mapper.findings.rank = NoteRank::Denial;
    mapper.stop(&config.stop);
    mapper.findings.rank = NoteRank::Text;
    let settings = config.notifications.as_ref().map(|wanted| settings(wanted, mapper.findings));
    MappedPolicy { draft: mapper.draft, settings }
}

impl Mapper<'_, '_> {
    /// Adds a rule, with examples that hold. If its name is taken, a number is appended.
    fn add_rule(&mut self, name: &str, rule: DraftRule) {
        let name = self.names.reserve(name);
        let rule = with_samples(DraftRule { name, ..rule }, &self.draft.lets);
        self.draft.rules.push(rule);
    }

    fn leave_out(&mut self, span: Span, text: impl Into<String>) {
        self.findings.leave_out(span, text);
    }

    fn add_note(&mut self, span: Span, text: impl Into<String>) {
        self.findings.add_note(span, text);
    }
}

/// Writes a glob on agents as the selectors after `by`; `None` if it matches every agent.
///
/// After `by`, a glob matches only subagents, so `main` is added if the glob matches that word.
fn agent_selectors(agent: Option<&PlacedValue<String>>) -> Option<String> {
    let glob = agent.map(|agent| agent.value().as_str()).filter(|glob| !glob.trim_matches('*').is_empty())?;
    let mut selected = globs::glob_selectors(glob);
    if glob != "main" && globs::is_match(glob, "main") {
        selected.push("main".to_owned());
    }
    Some(super::draft::format_selectors(&selected, ""))
}

/// Returns the part of a rule's name that names the agents of an entry: `-for-coder`; empty if the entry is for every
/// agent.
fn agent_suffix(preposition: &str, agent: Option<&PlacedValue<String>>) -> String {
    let name = agent.and_then(|agent| super::names::glob_name(agent.value(), "agent"));
    name.map_or_else(String::new, |name| format!("-{preposition}-{name}"))
}

/// Returns the section `[notifications]` of rules.toml, and notes hooks that name no event.
fn settings(wanted: &NotificationConfig, findings: &mut ImportFindings) -> String {
    let mut lines = vec!["[notifications]".to_owned()];
    let flag = |name: &str, value: &Option<PlacedValue<bool>>| {
        value.as_ref().map(|value| format!("{name} = {}", value.value()))
    };
    lines.extend(flag("enabled", &wanted.enabled));
    let mut hooks = Vec::new();
    for hook in &wanted.hooks {
        let name = hook.value();
        if name == "*" || Event::from_name(name).is_some() {
            hooks.push(format!("\"{name}\""));
        } else {
            let text = format!("`notifications.hooks`: no event is named `{name}`, left out");
            findings.add_note(hook.span, text);
        }
    }
    // Without `hooks`, every event would notify here, but none does in conclaude.
    lines.push(format!("hooks = [{}]", hooks.join(", ")));
    lines.extend(flag("show_errors", &wanted.show_errors));
    lines.extend(flag("show_success", &wanted.show_success));
    lines.extend(flag("show_system_events", &wanted.show_system_events));
    format!("{}\n", lines.join("\n"))
}
