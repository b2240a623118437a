//! Entries about commands: `Bash(npm run test *)`.
//!
//! Without a `*`, the text is the whole command. A ` *` or `:*` at the end allows any further words. Any other `*`
//! stands for any text, even several words.

use super::Entry;
use crate::import::calls::CallRule;
use crate::import::commands::{CommandPrefix, CommandRule, ImportedDecision, PrefixEnd, bash_call};
use crate::import::mapping_reader::ImportFindings;
use crate::import::names::slug;
use crate::syntax::string_literal;

/// The kind of rule that an entry about commands is converted to.
pub(super) enum CommandEntry {
    /// A rule that tests the words of commands.
    Words(CommandRule),
    /// A rule that searches the text of a command.
    Text(CallRule),
}

/// Characters with a meaning in the shell: a text with them is more than a list of words.
const SHELL_CHARS: &[char] = &['"', '\'', '$', '|', ';', '&', '<', '>', '`', '\\', '(', ')', '#'];

/// Converts the text in the parentheses of an entry; `None` if no condition means the same, which is noted.
pub(super) fn read(entry: &Entry, specifier: &str, findings: &mut ImportFindings<'_>) -> Option<CommandEntry> {
    let (words, end) = match specifier.strip_suffix(":*").or_else(|| specifier.strip_suffix(" *")) {
        Some(words) => (words.trim(), PrefixEnd::Anything),
        None => (specifier, PrefixEnd::Nothing),
    };
    let first = words.split_whitespace().next().unwrap_or_default();
    let is_odd_program = first.len() > 1 && first.trim_end_matches('*').contains('*') || first == "**";
    if words.contains(SHELL_CHARS) || is_odd_program {
        return text_rule(entry, words, findings).map(CommandEntry::Text);
    }
    if !words.contains('*') {
        let rule = CommandRule::new(entry.span, entry.decision, CommandPrefix::of_text(words, end));
        return Some(CommandEntry::Words(rule));
    }
    let prefix = CommandPrefix::of_wildcards(words, end);
    if entry.decision == ImportedDecision::Allow {
        let why = "a `*` there allows any options, too; write out the commands that are meant";
        findings.leave_out(entry.span, format!("`{}`: {why}; left out", entry.text));
        return None;
    }
    Some(CommandEntry::Words(CommandRule::new(entry.span, entry.decision, prefix)))
}

/// Returns a rule that searches the text of a command for what is around the `*`s; `None` for a permission, which such a
/// test would make too wide.
fn text_rule(entry: &Entry, words: &str, findings: &mut ImportFindings<'_>) -> Option<CallRule> {
    if entry.decision == ImportedDecision::Allow {
        let why = "only commands without quotes, redirections and `$` can be allowed by their words";
        findings.leave_out(entry.span, format!("`{}`: {why}; left out", entry.text));
        return None;
    }
    let parts: Vec<&str> = words.split('*').map(str::trim).filter(|part| !part.is_empty()).collect();
    let (tests, sample) =
        if parts.is_empty() { (vec![words], words.to_owned()) } else { (parts.clone(), parts.join(" x ")) };
    let tests: Vec<String> =
        tests.iter().map(|part| format!("command contains {}", string_literal(part, "  "))).collect();
    let order = if parts.len() > 1 { ", wherever they are" } else { "" };
    let note = format!("`{}`: compared as text, which other quotes and spaces evade{order}", entry.text);
    findings.add_note(entry.span, note);
    Some(CallRule {
        source: entry.span,
        decision: entry.decision,
        name: format!("{}-{}", entry.decision.verb(), slug(&parts.join(" "), "command")),
        tools: "Bash".to_owned(),
        by: None,
        when: Some(tests.join(" and ")),
        unless: None,
        message: match entry.decision {
            ImportedDecision::Ask => "\"Run `{command}`?\"".to_owned(),
            ImportedDecision::Deny | ImportedDecision::Allow => "\"`{command}` must not be run here.\"".to_owned(),
        },
        fires: vec![bash_call(&sample)],
        quiet: quiet_call(&parts),
    })
}

/// Returns examples that a rule about texts does not match: a command with only the first of several texts, or one with
/// none.
fn quiet_call(parts: &[&str]) -> Vec<String> {
    match parts {
        [first, _, ..] => vec![bash_call(first), bash_call("ls")],
        _ => vec![bash_call("ls")],
    }
}
