//! Finds advice that the policy itself denies: the message of one rule tells the agent to run a command that another
//! rule denies.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};

use super::FindingSink;
use super::sources::effect_texts;
use crate::context::{Context, ShellTools};
use crate::diagnostic::{Code, Diagnostic};
use crate::eval::{TraceDetail, decide};
use crate::facts::StatedFacts;
use crate::host::Host;
use crate::policy::Policy;
use crate::ruleset::{Rule, RuleMode, Template, TemplatePart};
use crate::schema::Event;
use crate::span::Span;
use crate::types::Payload;
use crate::verdict::{Author, Decision};

/// Verbs that, directly before a command, advise it.
const VERBS: &[&str] = &["use", "run", "write", "try", "prefer", "call", "type", "with"];

/// Words that turn the sentence before a command into a prohibition.
const NEGATIONS: &[&str] = &["not", "never", "don't", "cannot", "instead"];

/// Finds advised commands that the policy denies, with a cache of the commands that were judged.
pub(super) struct AdviceCheck<'p> {
    policy: &'p Policy,
    /// For each command that was judged, the rule that denies it, if one does.
    deniers: BTreeMap<String, Option<String>>,
}

impl<'p> AdviceCheck<'p> {
    pub(super) fn new(policy: &'p Policy) -> Self {
        Self { policy, deniers: BTreeMap::new() }
    }

    /// Reports a command in backticks that a message of the rule advises but the policy denies; at most one for each
    /// effect.
    pub(super) fn check(&mut self, rule: &Rule, findings: &mut FindingSink) {
        if rule.traits.mode != RuleMode::Active {
            return;
        }
        for (effect, span) in rule.effects.iter().zip(rule.effect_spans.iter()) {
            let commands = effect_texts(effect).into_iter().flat_map(advised_commands);
            let denied = commands.into_iter().find_map(|command| Some((self.cached_denying_rule(&command)?, command)));
            findings.extend(denied.map(|(by, command)| denied_advice_finding(&command, &by, *span)));
        }
    }

    /// Like [`denying_rule`], with a cache.
    fn cached_denying_rule(&mut self, command: &str) -> Option<String> {
        if let Some(known) = self.deniers.get(command) {
            return known.clone();
        }
        let by = denying_rule(command, self.policy);
        self.deniers.insert(command.to_owned(), by.clone());
        by
    }
}

fn denied_advice_finding(command: &str, by: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::DENIED_ADVICE, format!("the policy denies `{command}`, which this advises"))
        .label(span, format!("denied by `{by}`"))
        .help("advise something that the policy lets through, or narrow that rule")
}

/// Returns the commands in backticks that a text advises: ``Use `git push` instead``.
fn advised_commands(text: &Template) -> Vec<String> {
    let whole: String = text
        .parts
        .iter()
        .map(|part| match part {
            TemplatePart::Text(text) => text.as_str(),
            // A placeholder becomes a character that no command has, so that a command with a placeholder is not
            // judged.
            TemplatePart::Value(_) | TemplatePart::Component(_) => "\u{fffc}",
        })
        .collect();
    let pieces: Vec<&str> = whole.split('`').collect();
    let mut advised = Vec::new();
    for (index, command) in pieces.iter().enumerate().filter(|(index, _)| index % 2 == 1) {
        let is_closed = index + 1 < pieces.len();
        let before = index.checked_sub(1).and_then(|before| pieces.get(before)).copied().unwrap_or_default();
        if is_closed && is_instruction(before) && is_command(command) {
            advised.push((*command).to_owned());
        }
    }
    advised
}

/// Whether the sentence before a command ends with a verb such as "use", and has no negation.
fn is_instruction(before: &str) -> bool {
    let sentence = before.rsplit(['.', ';', ':', '!', '?', '\n']).next().unwrap_or_default().to_lowercase();
    let words: Vec<&str> = sentence.split_whitespace().map(|word| word.trim_matches([',', '(', '"'])).collect();
    let verb = words.last().is_some_and(|last| VERBS.contains(last));
    verb && !words.iter().any(|word| NEGATIONS.contains(word))
}

/// Whether a text is a program with arguments, without placeholders.
fn is_command(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    let is_program = first.starts_with(|c: char| c.is_ascii_lowercase())
        && first.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'));
    is_program && words.next().is_some() && !text.contains(['\u{fffc}', '…', '<', '>', '{', '[', '$'])
}

/// Returns the rule that denies a command of the tool Bash; `None` if no rule certainly does.
fn denying_rule(command: &str, policy: &Policy) -> Option<String> {
    let input: Map<String, Json> = [("command".to_owned(), Json::from(command))].into_iter().collect();
    let members = [
        ("hook_event_name", Json::from(Event::PreToolUse.name())),
        ("tool_name", Json::from("Bash")),
        ("tool_input", Json::Object(input)),
        ("cwd", Json::from("/project")),
    ];
    let json = members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let payload = Payload::new(Event::PreToolUse, json);
    let facts = StatedFacts::for_examples();
    let tools = ShellTools::default();
    let context = Context::new(&payload, Host::CLAUDE_CODE.name(), &facts, &tools);
    let Ok(evaluation) = decide(&policy.rules, &context, TraceDetail::Outcomes);
    let verdict = &evaluation.verdict;
    let certain_denial = verdict.winning_votes().find(|vote| matches!(vote.message, crate::verdict::Message::Plain(_)));
    match certain_denial.filter(|_| verdict.decision() >= Decision::Deny).map(|vote| &vote.author) {
        Some(by @ Author::Rule { .. }) => Some(by.name().to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_is_a_command_that_somebody_is_told_to_run() {
        let advised = |text: &str| advised_commands(&Template { parts: vec![TemplatePart::Text(text.to_owned())] });
        let cases: &[(&str, &[&str])] = &[
            ("Use `git push` instead.", &["git push"]),
            ("It is lost. Run `git stash list`, then try `git stash pop`.", &["git stash list", "git stash pop"]),
            ("Then try `git stash pop`.", &["git stash pop"]),
            ("Do not use `git push -f`.", &[]),
            ("`git push -f` rewrites history.", &[]),
            ("Use `git push <remote>`.", &[]),
            ("Use `Read`.", &[]),
            ("Use `cargo`.", &[]),
            ("Use `git push", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(advised(text), *expected, "{text}");
        }
    }
}
