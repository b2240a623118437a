//! Finds rules that never decide: whenever such a rule allows, asks or rewrites, a more general rule of the same layer
//! denies.
//!
//! The more general rule is looked up by its condition: it is empty, a part of the other rule's condition, or a test
//! for the first words of the other rule's pattern.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::findings::{FindingSink, LintFinding};
use super::one_exempts_all::{NeededTest, collect_needed_tests};
use super::reason::{condition_key, head_key};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{CommandTest, Condition, ConditionExpr, Effect, EventSelector, Head, Rule, RuleMode};
use crate::verdict::Decision;
use hookrules_shell::Pattern;

/// The maximum number of rules with the same condition that one rule is compared with.
const MAX_RULES_COMPARED: usize = 8;

/// A condition by which denying rules are looked up.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum GuardKey {
    /// The condition is empty: the rule denies everything that it selects.
    Anything,
    /// The condition is this one, serialised.
    Condition(Vec<u8>),
    /// The condition is that a command matches this pattern.
    Runs(String),
}

/// Reports each rule that another rule with a more general condition always outvotes.
pub(super) fn check<'r>(rules: &'r [Arc<Rule>], findings: &mut FindingSink<LintFinding<'r>>) {
    let mut denying: BTreeMap<(u8, GuardKey), Vec<&Rule>> = BTreeMap::new();
    let is_own = |rule: &&Arc<Rule>| !rule.name.contains('/') && rule.traits.mode == RuleMode::Active;
    for rule in rules.iter().filter(is_own).filter(|rule| rule.unless.is_none() && can_deny(rule)) {
        for guard in sufficient_keys(rule.when.as_ref()) {
            denying.entry((rule.layer as u8, guard)).or_default().push(rule);
        }
    }
    if denying.is_empty() {
        return;
    }
    for rule in rules.iter().filter(is_own) {
        let Some(word) = void_effect_verb(rule) else { continue };
        let keys = implied_keys(rule.when.as_ref());
        let more_general = keys.into_iter().find_map(|guard| {
            let candidates = denying.get(&(rule.layer as u8, guard))?;
            candidates
                .iter()
                .take(MAX_RULES_COMPARED)
                .filter(|other| other.base == rule.base)
                .find(|other| covers(&other.head, &rule.head) && !are_compared_as_copies(rule, other))
        });
        if let Some(other) = more_general {
            let message = format!("`{}` is outvoted by `{}`", rule.name, other.name);
            let finding = Diagnostic::new(Code::SHADOWED_RULE, message)
                .label(rule.name_span, format!("never {word}"))
                .label(other.name_span, "denies all that this rule is about, and more")
                .help("a denial wins wherever it stands: except this case there (`unless only runs …`), or remove one");
            findings.push(LintFinding::for_rule(rule, finding));
        }
    }
}

/// Whether the lint `duplicate_rules` compares two rules, because they apply to exactly the same events.
fn are_compared_as_copies(rule: &Rule, other: &Rule) -> bool {
    let is_vote = rule.effects.iter().all(|effect| matches!(effect, Effect::Vote { .. }));
    let when = |rule: &Rule| rule.when.as_ref().map(condition_key);
    is_vote
        && rule.unless.is_none()
        && rule.unknown == other.unknown
        && head_key(&rule.head) == head_key(&other.head)
        && when(rule) == when(other)
}

fn can_deny(rule: &Rule) -> bool {
    rule.effects.iter().any(|effect| matches!(effect, Effect::Vote { decision: Decision::Deny | Decision::Halt, .. }))
}

/// Returns what a rule never does if every call is denied, as the verb of a message. `None` if the rule has effects
/// that a denial does not cancel.
fn void_effect_verb(rule: &Rule) -> Option<&'static str> {
    let mut word = None;
    for effect in rule.effects.iter() {
        word = Some(match effect {
            Effect::Vote { decision: Decision::Allow | Decision::Ask, .. } => "decides",
            Effect::Rewrite(_) => word.unwrap_or("rewrites anything"),
            _ => return None,
        });
    }
    word
}

/// Returns the keys of a `when` that each suffice: if the condition of one is true, the rule denies.
fn sufficient_keys(when: Option<&Condition>) -> Vec<GuardKey> {
    let Some(when) = when else { return vec![GuardKey::Anything] };
    match plain_patterns(when) {
        Some(texts) => texts.map(|text| GuardKey::Runs(pattern_words(text).join(" "))).collect(),
        None => vec![GuardKey::Condition(condition_key(when))],
    }
}

/// Returns the keys of all conditions that are certainly true if a `when` is true.
fn implied_keys(when: Option<&Condition>) -> Vec<GuardKey> {
    let mut keys = vec![GuardKey::Anything];
    let mut needed: Vec<NeededTest<'_>> = Vec::new();
    when.iter().for_each(|when| collect_needed_tests(when, false, &mut needed));
    for part in needed.iter().filter(|part| !part.is_negated) {
        keys.push(GuardKey::Condition(condition_key(part.test)));
        if let ConditionExpr::Command(CommandTest::Runs { patterns, .. } | CommandTest::OnlyRuns { patterns }) =
            &part.test.kind
        {
            // Several patterns can match several commands, one of which may not be denied.
            let mut texts = patterns.iter().map(Pattern::text);
            if let (Some(text), None) = (texts.next(), texts.next()) {
                let words = pattern_words(text);
                keys.extend((1..=words.len()).filter_map(|count| Some(GuardKey::Runs(words.get(..count)?.join(" ")))));
            }
        }
    }
    when.iter().for_each(|when| keys.push(GuardKey::Condition(condition_key(when))));
    keys
}

/// Returns the patterns of a `runs` without a `where`; `None` for any other condition.
fn plain_patterns(condition: &Condition) -> Option<impl Iterator<Item = &str>> {
    match &condition.kind {
        ConditionExpr::Def(inner) => match &inner.kind {
            ConditionExpr::Command(CommandTest::Runs { patterns, filter: None }) => {
                Some(patterns.iter().map(Pattern::text))
            }
            _ => None,
        },
        ConditionExpr::Command(CommandTest::Runs { patterns, filter: None }) => {
            Some(patterns.iter().map(Pattern::text))
        }
        _ => None,
    }
}

fn pattern_words(pattern: &str) -> Vec<&str> {
    pattern.split_whitespace().collect()
}

/// Whether the head `wide` certainly selects everything that `narrow` selects.
fn covers(wide: &Head, narrow: &Head) -> bool {
    let covers_agents = match (&wide.agents, &narrow.agents) {
        (None, _) => true,
        (Some(wide), Some(narrow)) => wide.0.includes == narrow.0.includes && wide.0.excludes == narrow.0.excludes,
        (Some(wide), None) => wide.0.is_star(),
    };
    let is_selected = |narrow: &EventSelector| wide.events.iter().any(|wide| covers_selector(wide, narrow));
    covers_agents && !narrow.events.is_empty() && narrow.events.iter().all(is_selected)
}

/// Whether the selector `wide` certainly selects everything that `narrow` selects.
fn covers_selector(wide: &EventSelector, narrow: &EventSelector) -> bool {
    if wide.event != narrow.event {
        return false;
    }
    match (&wide.subjects, &narrow.subjects) {
        (None, _) => true,
        (Some(wide), _) if wide.is_star() => true,
        (Some(wide), Some(narrow)) => {
            let is_included = |glob: &String| wide.includes.contains(glob);
            wide.excludes.iter().all(|glob| narrow.excludes.contains(glob))
                && (wide.includes.is_empty() || !narrow.includes.is_empty() && narrow.includes.iter().all(is_included))
        }
        (Some(_), None) => false,
    }
}
