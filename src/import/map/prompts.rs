//! Converts `userPromptSubmit`: texts that are added to prompts, and commands that run on prompts.

use crate::import::conclaude::{CaseSensitivity, ConclaudeCommand, ContextRule, EntryState};
use crate::import::draft::DraftRule;
use crate::import::mapping_reader::PlacedValue;
use crate::import::names;
use crate::import::regexes::regex_literal;
use crate::schema::Event;
use crate::syntax::string_literal;

use super::Mapper;
use super::runs::{DefaultTimeout, OutputRecipient, SectionDefaults, is_shown};

impl Mapper<'_, '_> {
    /// Adds a rule for each entry of `contextRules`. If the text refers to a file as `@path`, the rule reads that file
    /// when it matches.
    pub(super) fn contexts(&mut self, rules: &[ContextRule]) {
        for rule in rules {
            let text = rule.prompt.value().trim_end_matches('\n');
            let files = file_references(text);
            let is_only_reference = files.len() == 1 && text.trim().strip_prefix('@') == files.first().copied();
            let mut effects = Vec::new();
            if !is_only_reference {
                effects.push(format!("context {}", string_literal(text, "  ")));
            }
            let cats = files
                .iter()
                .map(|file| format!("run [\"cat\", \"--\", {}] {{ stdin: none }}", string_literal(file, "  ")));
            effects.extend(cats);
            let is_off = rule.state.as_ref().is_some_and(|state| *state.value() == EntryState::Disabled);
            let annotations = if is_off { vec!["off"] } else { Vec::new() };
            let Some(when) = self.prompt_matches(&rule.pattern, rule.case.as_ref()) else { continue };
            let name = format!("about-{}", names::slug(&regex_words(rule.pattern.value()), "prompts"));
            let on = "UserPromptSubmit".to_owned();
            self.add_rule(
                &name,
                DraftRule {
                    source: rule.pattern.span,
                    annotations,
                    on,
                    when: Some(when),
                    effects,
                    ..DraftRule::default()
                },
            );
        }
    }

    /// Adds a rule for each command on prompts. The agent gets the output of a command only if the command is
    /// configured to show it.
    pub(super) fn prompts(&mut self, commands: &[ConclaudeCommand]) {
        let defaults = SectionDefaults {
            output: OutputRecipient::Context,
            timeout: DefaultTimeout::Own,
            variables: &[("CONCLAUDE_USER_PROMPT", "prompt")],
            ..SectionDefaults::for_event(Event::UserPromptSubmit)
        };
        for command in commands {
            let when = match &command.pattern {
                None => None,
                Some((pattern, case)) => match self.prompt_matches(pattern, case.as_ref()) {
                    Some(when) => Some(when),
                    None => continue,
                },
            };
            // Without visible output, the command runs in the background and cannot affect the prompt.
            let shows_output = is_shown(&command.visibility.stdout) || is_shown(&command.visibility.stderr);
            let defaults = SectionDefaults { on_fail: shows_output.then_some("warn"), ..defaults };
            let runs = self.runs(command, defaults);
            let Some(first) = runs.first() else { continue };
            let name = format!("{}-on-prompt", names::command_name(&first.text));
            let effects = runs.into_iter().map(|run| run.effect).collect();
            let on = "UserPromptSubmit".to_owned();
            self.add_rule(&name, DraftRule { source: command.run.span, on, when, effects, ..DraftRule::default() });
        }
    }

    /// Returns the condition that the prompt matches a regex. `None`, with a note, if the regex cannot be written as a
    /// literal.
    fn prompt_matches(
        &mut self,
        pattern: &PlacedValue<String>,
        case: Option<&PlacedValue<CaseSensitivity>>,
    ) -> Option<String> {
        let Some(regex) = regex_literal(pattern.value()) else {
            let text = "a regex of several lines under `(?x)` cannot be written as a literal, left out";
            self.add_note(pattern.span, text);
            return None;
        };
        let flags = if case.is_some_and(|case| *case.value() == CaseSensitivity::Insensitive) { "i" } else { "" };
        Some(format!("prompt matches /{regex}/{flags}"))
    }
}

/// Returns the literal text in a regex, without escapes, flags and classes, for the name of a rule.
fn regex_words(pattern: &str) -> String {
    let mut out = String::new();
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let skipped = match c {
            '\\' => 1 + rest.chars().nth(1).map_or(0, char::len_utf8),
            '[' => rest.find(']').map_or(1, |end| end + 1),
            '(' if rest.starts_with("(?") => rest.find([':', ')', '>']).map_or(2, |end| end + 1),
            other => {
                out.push(other);
                rest = rest.get(other.len_utf8()..).unwrap_or_default();
                continue;
            }
        };
        out.push(' ');
        rest = rest.get(skipped..).unwrap_or_default();
    }
    out
}

/// Returns the paths that a text refers to as `@path`, each once.
///
/// conclaude takes every `@` before a word for a reference, and leaves it unchanged if there is no such file. Here, a
/// reference must begin a word and contain a dot or a slash, so `me@example.com` is not one.
fn file_references(text: &str) -> Vec<&str> {
    let mut references: Vec<&str> = Vec::new();
    for (at, _) in text.match_indices('@') {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '@' | '/')) {
            continue;
        }
        let rest = text.get(at + 1..).unwrap_or_default();
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let path = rest.get(..end).unwrap_or_default().trim_end_matches(['.', '/']);
        if path.contains(['.', '/']) && !references.contains(&path) {
            references.push(path);
        }
    }
    references
}

#[cfg(test)]
mod tests;
