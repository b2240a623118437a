//! Lists what a project's policy could do besides denying and asking, so that a person can read it before trusting
//! the policy.

use serde::Serialize;

use crate::escape::line;
use crate::eval::effect_word as word;
use crate::policy::{Policy, PolicyLayer};
use crate::ruleset::{Effect, EventSelector, Rule, RuleMode};
use crate::span::Span;
use crate::verdict::Decision;

/// The maximum number of characters shown of a line of a policy or setting.
const MAX_LINE_CHARS: usize = 200;

/// An effect or a setting of a policy that is in force only if the policy is trusted.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub(super) struct Power {
    /// The keyword of the effect (`run`), or `set` for a setting.
    pub(super) effect: &'static str,
    /// The rule's full name; `None` for a setting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rule: Option<String>,
    /// The events of the rule with their selectors, as in the source: `PreToolUse(Bash)`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) on: Vec<String>,
    /// The whole command of a `run`, or the line of another effect in the source.
    pub(super) text: String,
}

/// Returns the powers of the project's layer and the local one, the commands first.
pub(super) fn powers(policy: &Policy) -> Vec<Power> {
    let layers = || policy.layers.iter().filter(|layer| layer.kind.is_of_project());
    let rules = layers().flat_map(|layer| &layer.rules).filter(|rule| rule.traits.mode == RuleMode::Active);
    let mut powers: Vec<Power> = rules.flat_map(|rule| rule_powers(rule, policy)).collect();
    powers.extend(layers().flat_map(settings_powers));
    let ranks = ["run", "allow", "rewrite", "context", "record", "notify", "halt", "exit", "warn", "set"];
    powers.sort_by_key(|power| ranks.iter().position(|rank| *rank == power.effect));
    powers
}

/// Returns the number of active rules that deny or ask, which they also do without trust.
pub(super) fn guards(policy: &Policy) -> usize {
    let layers = policy.layers.iter().filter(|layer| layer.kind.is_of_project());
    let denies_or_asks = |rule: &&std::sync::Arc<Rule>| {
        rule.traits.mode == RuleMode::Active && rule.effects.iter().any(|effect| !is_power(effect))
    };
    layers.flat_map(|layer| &layer.rules).filter(denies_or_asks).count()
}

/// Whether an effect needs trust: any effect except a vote to deny or ask that does not interrupt the agent.
fn is_power(effect: &Effect) -> bool {
    !matches!(effect, Effect::Vote { decision: Decision::Deny | Decision::Ask, interrupt: false, .. })
}

/// Returns the powers of a rule.
fn rule_powers(rule: &Rule, policy: &Policy) -> Vec<Power> {
    let power = |(effect, span): (&Effect, &Span)| Power {
        effect: word(effect),
        rule: Some(rule.display_name.clone()),
        on: if rule.head.every_event { vec!["*".to_owned()] } else { rule.head.events.iter().map(selector).collect() },
        text: match effect {
            Effect::Run(run) => run.shown.clone(),
            _ => effect_source_line(policy, *span, rule.span),
        },
    };
    let effects = rule.effects.iter().zip(rule.effect_spans.iter());
    effects.filter(|(effect, _)| is_power(effect)).map(power).collect()
}

/// Returns a selector of the head as in the source: `PreToolUse(Edit|Write)`.
fn selector(selector: &EventSelector) -> String {
    let subjects = selector.subjects.as_ref().map(|list| {
        let written: Vec<&str> = list.written.iter().map(|(text, _)| text.as_str()).collect();
        format!("({})", line(&written.join("|"), MAX_LINE_CHARS))
    });
    format!("{}{}", selector.event.name(), subjects.unwrap_or_default())
}

/// Returns the first line of an effect in the source, from its keyword on; empty if the source is unknown.
fn effect_source_line(policy: &Policy, effect: Span, rule: Span) -> String {
    let Some(source) = policy.sources.file(effect) else { return String::new() };
    let text = source.slice(Span { end: rule.end, ..effect });
    let first = text.lines().next().unwrap_or_default().trim_end();
    line(first, MAX_LINE_CHARS)
}

/// Returns the powers of a layer's `rules.toml`.
fn settings_powers(layer: &PolicyLayer) -> Vec<Power> {
    let settings = &layer.settings;
    let set = |text: String| Power { effect: "set", rule: None, on: Vec::new(), text };
    let mut powers = Vec::new();
    if let Some(level) = settings.log {
        powers.push(set(format!("how much is logged: {level:?}").to_lowercase()));
    }
    if settings.on_error.is_some() {
        powers.push(set("what happens where its policy does not load".to_owned()));
    }
    if settings.notifications.enabled == Some(true) {
        powers.push(set("notifications about events".to_owned()));
    }
    for (tool, member) in &settings.shell_tools {
        powers.push(set(format!(
            "`{}` of the tool `{}` is a command",
            line(member, MAX_LINE_CHARS),
            line(tool, MAX_LINE_CHARS)
        )));
    }
    for record in &settings.tool_records {
        let names = record.names.join(", ");
        powers.push(set(format!("what the tool `{}` does with its input", line(&names, MAX_LINE_CHARS))));
    }
    powers
}
