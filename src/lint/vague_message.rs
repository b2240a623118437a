//! Finds denials without a reason, after which the agent tries the same by other means.

use super::comparison::SourceTexts;
use super::{FindingSink, Lint};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Effect, Rule, TemplatePart};
use crate::verdict::Decision;

pub(super) const LINT: Lint = Lint { codes: &[Code::VAGUE_MESSAGE], check };

/// Words that say no more than that the call is denied.
const VAGUE_WORDS: &[&str] = &[
    "no",
    "nope",
    "not",
    "denied",
    "deny",
    "blocked",
    "block",
    "forbidden",
    "allowed",
    "permitted",
    "stop",
    "bad",
    "is",
    "this",
    "that",
    "it",
    "access",
    "permission",
    "command",
    "operation",
    "action",
    "call",
    "was",
    "by",
    "policy",
    "rule",
    "hook",
    "the",
    "a",
    "never",
    "don't",
    "do",
    "you",
    "cannot",
    "can't",
    "error",
    "prohibited",
    "disallowed",
    "dangerous",
];

/// Reports a denial whose message consists only of words that say that the call is denied.
fn check(_: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    for (effect, span) in rule.effects.iter().zip(rule.effect_spans.iter()) {
        let Effect::Vote { decision: Decision::Deny, message, .. } = effect else { continue };
        let [TemplatePart::Text(text)] = message.parts.as_slice() else { continue };
        let lower = text.to_lowercase();
        let mut words = lower.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty());
        if words.all(|word| VAGUE_WORDS.contains(&word)) {
            findings.push(
                Diagnostic::new(
                    Code::VAGUE_MESSAGE,
                    format!("the message of `{}` says neither why nor what else", rule.name),
                )
                .label(*span, "the agent only learns that it is denied")
                .help("say why, and what to do instead: the agent reads it"),
            );
        }
    }
}
