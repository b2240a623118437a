//! What the milder rules of higher priority take from a rule, as its exceptions.

use super::{GeminiRule, Subject};
use crate::import::commands::{CommandPrefix, ImportedDecision, permission_pattern};
use crate::import::mapping_reader::ImportFindings;
use crate::syntax::format_one_or_list;

/// What a milder rule of a higher priority takes from a rule.
#[derive(Default)]
pub(super) struct Exceptions {
    /// Commands by their first words, each with the pattern that allows them.
    commands: Vec<(CommandPrefix, String)>,
    /// Globs on the names of excepted tools.
    tools: Vec<String>,
}

impl Exceptions {
    /// Returns the patterns of the excepted commands that may begin with this prefix.
    pub(super) fn commands_overlapping(&self, prefix: &CommandPrefix) -> Vec<String> {
        let overlapping = self.commands.iter().filter(|(words, _)| words.overlaps(prefix));
        overlapping.map(|(_, pattern)| pattern.clone()).collect()
    }

    /// Returns the condition, for `unless`, that is true for an excepted call; `None` without exceptions.
    pub(super) fn condition(&self) -> Option<String> {
        let patterns: Vec<String> = self.commands.iter().map(|(_, pattern)| pattern.clone()).collect();
        let commands = (!patterns.is_empty()).then(|| format!("only runs {}", format_one_or_list(&patterns)));
        let tools = (!self.tools.is_empty()).then(|| format!("tool_name like {}", format_one_or_list(&self.tools)));
        let parts: Vec<String> = commands.into_iter().chain(tools).collect();
        (!parts.is_empty()).then(|| parts.join(" or "))
    }
}

/// Returns the exceptions of a rule, which the milder ones among the earlier rules make. Notes what cannot be excepted:
/// there, the rule stays stricter than in Gemini CLI.
pub(super) fn exceptions(
    rule: &GeminiRule,
    earlier_rules: &[GeminiRule],
    findings: &mut ImportFindings<'_>,
) -> Exceptions {
    let mut exceptions_of_rule = Exceptions::default();
    if rule.decision == ImportedDecision::Allow {
        return exceptions_of_rule;
    }
    let milder =
        earlier_rules.iter().filter(|other| other.decision > rule.decision && other.tools.overlaps(&rule.tools));
    for other in milder {
        let is_excepted = match (&other.subject, &rule.subject) {
            (Subject::Commands(prefixes), subject) => {
                let patterns = prefixes.iter().map(|prefix| Some((prefix.clone(), permission_pattern(prefix)?)));
                let patterns: Option<Vec<_>> = patterns.collect();
                let overlaps = match subject {
                    Subject::Commands(words) => {
                        words.iter().any(|words| prefixes.iter().any(|prefix| prefix.overlaps(words)))
                    }
                    Subject::Every | Subject::Test { .. } => true,
                };
                if !overlaps {
                    continue;
                }
                patterns.map(|patterns| exceptions_of_rule.commands.extend(patterns)).is_some()
            }
            (Subject::Every, Subject::Every | Subject::Test { .. }) if !other.tools.is_every() => {
                exceptions_of_rule.tools.extend(other.tools.names().iter().cloned());
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
    exceptions_of_rule
}
