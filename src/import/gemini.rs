//! Converts the policies of Gemini CLI: `[[rule]]` in `.gemini/policies/*.toml`.
//! <https://geminicli.com/docs/reference/policy-engine/>
//!
//! In Gemini CLI, the matching rule with the highest priority decides, and the first of several with the same. Here the
//! strictest decides, so a denial or a question excludes what a milder rule of a higher priority matches.

mod order;
mod read;
mod regex;
mod selectors;

use super::NoteRank;
use super::calls::CallRule;
use super::commands::{self, CommandPrefix, CommandRule, ImportedDecision};
use super::draft::{MappedPolicy, PolicyDraft};
use super::mapping_reader::ImportFindings;
use super::names::{TakenNames, slug};
use super::verify::rank_of;
use crate::span::{SourceFile, Span};
use crate::syntax::string_literal;
use selectors::ToolSelection;

/// A rule as it is written in a file.
#[derive(Clone, Debug)]
struct GeminiRule {
    span: Span,
    decision: ImportedDecision,
    priority: u32,
    tools: ToolSelection,
    subject: Subject,
    message: Option<String>,
}

/// Which calls of the tools a rule is about.
#[derive(Clone, Debug)]
enum Subject {
    /// Every call.
    Every,
    /// Commands that begin with the words of one of these prefixes.
    Commands(Vec<CommandPrefix>),
    /// Calls for which a test is true, and a call for an example, if one is known.
    Test { test: String, call: Option<String> },
}

/// Reads and converts the files; `None` if they have mistakes.
pub(super) fn import(files: &[&SourceFile], findings: &mut ImportFindings<'_>) -> Option<MappedPolicy> {
    let mut rules: Vec<GeminiRule> = files.iter().flat_map(|file| read::read_file(file, findings)).collect();
    if !findings.diagnostics.is_empty() {
        return None;
    }
    rules.sort_by_key(|rule| std::cmp::Reverse(rule.priority));
    let (mut draft, mut names) = (PolicyDraft::default(), TakenNames::default());
    let (mut about_commands, mut about_calls) = (Vec::new(), Vec::new());
    for (at, rule) in rules.iter().enumerate() {
        findings.rank = rule.decision.rank();
        let before = rules.get(..at).unwrap_or_default();
        let exceptions = order::exceptions(rule, before, findings);
        match &rule.subject {
            Subject::Commands(prefixes) => about_commands.extend(prefixes.iter().map(|prefix| CommandRule {
                message: rule.message.clone(),
                exempt: exceptions.commands_overlapping(prefix),
                ..CommandRule::new(rule.span, rule.decision, prefix.clone())
            })),
            Subject::Every if is_boundless(rule) => {
                let text =
                    "allows every call of a tool that can do anything; name the commands that are meant; left out";
                findings.leave_out(rule.span, text);
            }
            Subject::Every | Subject::Test { .. } => about_calls.push(call_rule(rule, &exceptions)),
        }
        findings.rank = NoteRank::Text;
    }
    commands::write_rules(about_commands, &mut names, &mut draft, findings);
    for rule in about_calls {
        rule.write(&mut names, &mut draft);
    }
    draft.rules.sort_by_key(rank_of);
    Some(MappedPolicy { draft, settings: None })
}

/// Whether a rule allows every call of a shell, or of tools outside MCP servers that it does not name.
fn is_boundless(rule: &GeminiRule) -> bool {
    let is_unlimited = |name: &String| name == "Bash" || name.contains('*') && !name.starts_with("mcp__");
    rule.decision == ImportedDecision::Allow && (rule.tools.is_every() || rule.tools.names().iter().any(is_unlimited))
}

/// Converts a rule about calls of tools.
fn call_rule(rule: &GeminiRule, exceptions: &order::Exceptions) -> CallRule {
    let is_command = matches!(rule.subject, Subject::Test { .. }) && rule.tools.has("Bash");
    let message = match (&rule.message, rule.decision) {
        (Some(message), _) => string_literal(message, "  "),
        (None, ImportedDecision::Ask) if is_command => "\"Run `{command}`?\"".to_owned(),
        (None, _) if is_command => "\"`{command}` must not be run here.\"".to_owned(),
        (None, ImportedDecision::Ask) => "\"Use `{tool_name}`?\"".to_owned(),
        (None, _) => "\"`{tool_name}` must not be used here.\"".to_owned(),
    };
    let (when, call) = match &rule.subject {
        Subject::Test { test, call } => (Some(test.clone()), call.clone()),
        Subject::Every | Subject::Commands(_) => (None, None),
    };
    let every = if when.is_none() { rule.tools.example_calls() } else { Vec::new() };
    CallRule {
        source: rule.span,
        decision: rule.decision,
        name: format!("{}-{}", rule.decision.verb(), slug(&rule.tools.words(), "tools")),
        tools: rule.tools.selectors(),
        by: None,
        when,
        unless: exceptions.condition(),
        message,
        fires: call.into_iter().chain(every).collect(),
        quiet: rule.tools.other_calls(),
    }
}
