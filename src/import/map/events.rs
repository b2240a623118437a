//! Converts the sections with commands for an event, such as `subagentStop`.

use crate::import::conclaude::{ConclaudeCommand, EventCommands, FailureEffect, PatternSubject};
use crate::import::draft::{DraftRule, format_selectors};
use crate::import::mapping_reader::PlacedValue;
use crate::import::{globs, names};
use crate::schema::Event;
use crate::syntax::format_one_or_list;

use super::Mapper;
use super::runs::{DefaultTimeout, SectionDefaults};

impl Mapper<'_, '_> {
    /// Adds a rule for each pattern of each section. The patterns of a section are in the order in which conclaude
    /// runs them: `*` first, then sorted by their text.
    pub(super) fn events(&mut self, entries: &[EventCommands]) {
        let mut sorted: Vec<&EventCommands> = entries.iter().collect();
        sorted.sort_by_key(|entry| {
            let first = entries.iter().position(|other| other.section.key == entry.section.key);
            let pattern = entry.pattern.as_ref().map(|pattern| pattern.peek().as_str());
            (first, pattern != Some("*"), pattern)
        });
        for entry in sorted {
            self.event(entry);
        }
    }

    /// Adds the rules of one pattern: a rule for each group of consecutive commands with the same `tool`.
    fn event(&mut self, entry: &EventCommands) {
        let section = entry.section;
        let defaults = SectionDefaults {
            // Where exit code 2 would block here but does not in conclaude, the failure becomes a warning.
            on_fail: (section.failure_effect == FailureEffect::Reported && has_exit_2_effect(section.event))
                .then_some("warn"),
            timeout: if section.event == Event::MessageDisplay { DefaultTimeout::Own } else { DefaultTimeout::Host },
            variables: section.variables,
            ..SectionDefaults::for_event(section.event)
        };
        let pattern = entry.pattern.as_ref().map(|pattern| match section.event {
            // In this event, the name of a command has no slash.
            Event::UserPromptExpansion => {
                pattern.clone().map(|name| name.strip_prefix('/').map(str::to_owned).unwrap_or(name))
            }
            _ => pattern.clone(),
        });
        for (tool, commands) in group_by_tool(&entry.commands) {
            let pattern = pattern.as_ref().or(tool);
            let effects: Vec<String> =
                commands.into_iter().flat_map(|command| self.runs(command, defaults)).map(|run| run.effect).collect();
            let Some(first) = entry.commands.first().filter(|_| !effects.is_empty()) else { continue };
            let source = pattern.map_or(first.run.span, |pattern| pattern.span);
            let name = rule_name(section.name, pattern);
            let (on, subject) = rule_head(section.event, section.subject, pattern);
            let when = entry.when.map(str::to_owned).or(subject);
            self.add_rule(&name, DraftRule { source, on, when, effects, ..DraftRule::default() });
        }
    }
}

/// Returns the name for the rule of a pattern: `coder-stops`, `any-task-is-created`, `manual-compaction-is-done`.
fn rule_name((noun, verb): (&str, &str), pattern: Option<&PlacedValue<String>>) -> String {
    let is_agent = matches!(noun, "subagent" | "teammate");
    match pattern.and_then(|pattern| names::glob_name(pattern.value(), noun)) {
        None => format!("any-{noun}-{verb}"),
        Some(name) if is_agent || name.ends_with(noun) => format!("{name}-{verb}"),
        Some(name) => format!("{name}-{noun}-{verb}"),
    }
}

/// Whether exit code 2 of a command denies this event, or sends a message to the agent.
fn has_exit_2_effect(event: Event) -> bool {
    let answers = event.spec().answers;
    !matches!(event, Event::SubagentStart | Event::SubagentStop) && (answers.deny || answers.context)
}

/// Groups consecutive commands with the same `tool`, which only the commands of `postToolUse` have.
fn group_by_tool(commands: &[ConclaudeCommand]) -> Vec<(Option<&PlacedValue<String>>, Vec<&ConclaudeCommand>)> {
    let mut groups: Vec<(Option<&PlacedValue<String>>, Vec<&ConclaudeCommand>)> = Vec::new();
    for command in commands {
        let tool = command.tool.as_ref();
        match groups.last_mut() {
            Some((last, group)) if last.map(PlacedValue::peek) == tool.map(PlacedValue::peek) => group.push(command),
            _ => groups.push((tool, vec![command])),
        }
    }
    groups
}

/// Returns the `on` of a rule for a pattern, and its condition. The pattern becomes a selector, or a condition if it is
/// not about the subject of the event.
fn rule_head(event: Event, subject: PatternSubject, pattern: Option<&PlacedValue<String>>) -> (String, Option<String>) {
    let name = event.name();
    let Some(pattern) = pattern.map(|pattern| pattern.value().as_str()) else { return (name.to_owned(), None) };
    match subject {
        PatternSubject::Selector => {
            let mut globs = globs::glob_selectors(pattern);
            if event == Event::UserPromptExpansion {
                globs.iter_mut().for_each(|glob| *glob = glob.trim_start_matches('/').to_owned());
            }
            (format!("{name}({})", format_selectors(&globs, "")), None)
        }
        _ if pattern == "*" => (name.to_owned(), None),
        PatternSubject::Text(field) => {
            (name.to_owned(), Some(format!("{field} like {}", format_one_or_list(&[globs::text_glob(pattern)]))))
        }
        PatternSubject::Name(field) => {
            (name.to_owned(), Some(format!("{field} like {}", format_one_or_list(&globs::name_globs(pattern)))))
        }
        PatternSubject::Path(field) => {
            (name.to_owned(), Some(format!("{field} like {}", format_one_or_list(&globs::path_globs(pattern)))))
        }
    }
}
