//! The exceptions of a rule from the milder rules that come before it.

use super::{GeminiRule, Subject};
use crate::import::commands::{CommandPrefix, ImportedDecision, permission_pattern};
use crate::import::mapping_reader::ImportFindings;
use crate::syntax::format_one_or_list;

/// What a milder rule of a higher priority takes from a rule.
#[derive(Default)]
pub(super) struct Exceptions {
    /// The words of commands, and the patterns that allow them.
    commands: Vec<(CommandPrefix, String)>,
    /// Globs of the names of tools.
    tools: Vec<String>,
}

impl Exceptions {
    /// Returns the patterns of the commands that begin like a prefix, or that the prefix begins like.
    pub(super) fn commands_overlapping(&self, prefix: &CommandPrefix) -> Vec<String> {
        let overlapping = self.commands.iter().filter(|(words, _)| words.overlaps(prefix));
        overlapping.map(|(_, pattern)| pattern.clone()).collect()
    }

    /// Returns the condition of a call that is excepted.
    pub(super) fn condition(&self) -> Option<String> {
        let patterns: Vec<String> = self.commands.iter().map(|(_, pattern)| pattern.clone()).collect();
        let commands = (!patterns.is_empty()).then(|| format!("only runs {}", format_one_or_list(&patterns)));
        let tools = (!self.tools.is_empty()).then(|| format!("tool_name like {}", format_one_or_list(&self.tools)));
        let parts: Vec<String> = commands.into_iter().chain(tools).collect();
        (!parts.is_empty()).then(|| parts.join(" or "))
    }
}

/// Returns the exceptions of a rule from the rules before it. What cannot be excepted is noted: it stays as strict as
/// the rule.
pub(super) fn exceptions(rule: &GeminiRule, before: &[GeminiRule], findings: &mut ImportFindings<'_>) -> Exceptions {
    let mut found = Exceptions::default();
    if rule.decision == ImportedDecision::Allow {
        return found;
    }
    let milder = before.iter().filter(|other| other.decision > rule.decision && other.tools.overlaps(&rule.tools));
    for other in milder {
        let is_excepted = match (&other.subject, &rule.subject) {
            (Subject::Commands(prefixes), subject) => {
                let patterns = prefixes.iter().map(|prefix| Some((prefix.clone(), permission_pattern(prefix)?)));
                let patterns: Option<Vec<_>> = patterns.collect();
                let is_about = match subject {
                    Subject::Commands(own) => own.iter().any(|own| prefixes.iter().any(|prefix| prefix.overlaps(own))),
                    Subject::Every | Subject::Test { .. } => true,
                };
                if !is_about {
                    continue;
                }
                patterns.map(|patterns| found.commands.extend(patterns)).is_some()
            }
            (Subject::Every, Subject::Every | Subject::Test { .. }) if !other.tools.is_every() => {
                found.tools.extend(other.tools.names().iter().cloned());
                true
            }
            _ => false,
        };
        if !is_excepted {
            let line = findings.line(other.span);
            let text = format!("the milder rule {line} has a higher priority; here this one decides where both match");
            let rank = std::mem::replace(&mut findings.rank, other.decision.rank());
            findings.add_note(rule.span, text);
            findings.rank = rank;
        }
    }
    found
}
