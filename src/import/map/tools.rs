//! Converts `toolUsageValidation`: entries that block matching calls, and entries that block all other calls.

use crate::import::conclaude::{MatchMode, ToolAction, ToolRule};
use crate::import::draft::{DraftRule, DraftTextPart, format_selectors, template};
use crate::import::mapping_reader::PlacedValue;
use crate::import::{globs, names};
use crate::syntax::{format_one_or_list, string_literal};

use super::{Mapper, agent_selectors, agent_suffix};

/// The comment above the first rule that compares the text of a command.
const ABOUT_TEXT: &str = "This compares the text of a command, as conclaude does: `cd x && …`, quotes and other \
    spellings evade it. `when runs \"git push --force\"` would test the commands themselves.";

impl Mapper<'_, '_> {
    /// Adds a rule for the command pattern of each entry, and one for its file pattern. A command pattern that follows
    /// an `allow` for the same agents is never reached, so it is left out.
    pub(super) fn tools(&mut self, entries: &[ToolRule]) {
        // An `allow` decides about every command, so a later entry for the same agents has no effect.
        let mut allows: Vec<&ToolRule> = Vec::new();
        let mut is_explained = false;
        for entry in entries {
            let reaches_bash = matches!(entry.tool.value().as_str(), "Bash" | "*");
            if let Some(pattern) = entry.command.as_ref().filter(|_| reaches_bash) {
                let covering_allow = allows.iter().find(|allow| covers(allow, entry));
                if let Some(allow) = covering_allow {
                    let line = self.findings.line(allow.span);
                    let text = format!(
                        "`toolUsageValidation`: never reached, the `allow` {line} decides about every command before"
                    );
                    self.leave_out(entry.span, text);
                } else {
                    if allows.iter().any(|allow| allow.agent.is_some()) {
                        let text =
                            "`toolUsageValidation`: an earlier `allow` for some agents does not except them here";
                        self.add_note(entry.span, text);
                    }
                    let comments = if is_explained { Vec::new() } else { vec![ABOUT_TEXT.to_owned()] };
                    is_explained = true;
                    self.command_rule(entry, pattern.value(), comments);
                }
                if *entry.action.value() == ToolAction::Allow {
                    allows.push(entry);
                }
            }
            // If the entry has a command pattern too, the file pattern is about tools other than Bash.
            let has_files = entry.tool.value() != "Bash";
            match &entry.pattern {
                Some(pattern) if has_files => self.file_rule(entry, pattern.value()),
                _ if entry.command.is_some() && reaches_bash => {
                    // Nothing is lost, because conclaude ignores this pattern too: reading it marks it as carried
                    // over.
                    let _carried_over = entry.pattern.as_ref().map(PlacedValue::value);
                }
                _ => {
                    let text =
                        format!("`toolUsageValidation`: conclaude never matches this on `{}`", entry.tool.value());
                    self.leave_out(entry.span, format!("{text}, left out"));
                }
            }
        }
    }

    /// Adds the rule for the command pattern of an entry.
    fn command_rule(&mut self, entry: &ToolRule, pattern: &str, comments: Vec<String>) {
        let mut patterns = vec![globs::text_glob(pattern)];
        let is_prefix = entry.mode.as_ref().is_some_and(|mode| *mode.value() == MatchMode::Prefix);
        if is_prefix && !pattern.ends_with('*') {
            patterns.push(format!("{} *", globs::text_glob(pattern)));
        }
        let globs_text = format_one_or_list(&patterns);
        let slug = names::slug(pattern, "commands");
        let agent = agent_suffix("for", entry.agent.as_ref());
        let (name, when, message) = match entry.action.value() {
            ToolAction::Block => {
                (format!("no-{slug}{agent}"), format!("command like {globs_text}"), "This command must not be run.")
            }
            ToolAction::Allow => (
                format!("only-{slug}{agent}"),
                format!("command not like {globs_text}"),
                "Only some commands may be run here, and this is not one of them.",
            ),
        };
        let effects = vec![format!("deny {}", rule_message(entry, &[DraftTextPart::Text(message)]))];
        let on = "PreToolUse(Bash)".to_owned();
        self.add_rule(
            &name,
            DraftRule {
                source: entry.span,
                comments,
                on,
                by: agent_selectors(entry.agent.as_ref()),
                when: Some(when),
                effects,
                ..DraftRule::default()
            },
        );
    }

    /// Adds the rule for the file pattern of an entry.
    fn file_rule(&mut self, entry: &ToolRule, pattern: &str) {
        let globs_text = format_one_or_list(&globs::path_globs(pattern));
        let tool = entry.tool.value().as_str();
        let (on, tool_slug) = match tool {
            "*" => ("PreToolUse".to_owned(), None),
            tool => {
                let selector = format_selectors(&[globs::name_selector(tool)], "");
                (format!("PreToolUse({selector})"), Some(names::slug(tool, "tool")))
            }
        };
        let slug = names::slug(pattern, "files");
        let agent = agent_suffix("for", entry.agent.as_ref());
        let default_message = [
            DraftTextPart::Text("`"),
            DraftTextPart::Field("path"),
            DraftTextPart::Text("` must not be touched by "),
            DraftTextPart::Field("tool_name"),
            DraftTextPart::Text("."),
        ];
        let (name, when) = match entry.action.value() {
            ToolAction::Block => {
                let tool_slug = tool_slug.unwrap_or_else(|| "tools".to_owned());
                (format!("no-{tool_slug}-on-{slug}{agent}"), format!("path like {globs_text}"))
            }
            ToolAction::Allow => {
                // The rule is not about calls without a file.
                let has_file = crate::schema::tool_spec(tool).is_some_and(|tool| !tool.files.is_empty());
                let exists = if has_file { "" } else { "exists path and " };
                let stays_words =
                    tool_slug.map_or_else(|| "tools-stay".to_owned(), |tool_slug| format!("{tool_slug}-stays"));
                (format!("{stays_words}-in-{slug}{agent}"), format!("{exists}path not like {globs_text}"))
            }
        };
        let effects = vec![format!("deny {}", rule_message(entry, &default_message))];
        self.add_rule(
            &name,
            DraftRule {
                source: entry.span,
                on,
                by: agent_selectors(entry.agent.as_ref()),
                when: Some(when),
                effects,
                ..DraftRule::default()
            },
        );
    }
}

/// Whether the entry `earlier` applies to every agent that `entry` applies to.
fn covers(earlier: &ToolRule, entry: &ToolRule) -> bool {
    let agent_glob = |rule: &'_ ToolRule| {
        rule.agent.as_ref().map(|agent_glob| agent_glob.value().clone()).filter(|agent_glob| agent_glob != "*")
    };
    agent_glob(earlier).is_none() || agent_glob(earlier) == agent_glob(entry)
}

/// Returns the message of an entry as source text, or `default` if it has none.
fn rule_message(entry: &ToolRule, default: &[DraftTextPart<'_>]) -> String {
    match entry.message.as_ref().map(|message| message.value().trim_end_matches('\n')) {
        Some(message) if !message.trim().is_empty() => string_literal(message, "  "),
        _ => template(default),
    }
}
