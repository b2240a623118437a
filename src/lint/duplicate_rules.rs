//! Finds rules that apply to exactly the same events: copies, and rules that another one always outvotes.
//!
//! Rules are compared by sortable keys, so that the work grows with their number, not with its square.

use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Unbounded};
use std::sync::Arc;

use super::findings::{FindingSink, LintFinding};
use super::reason::{condition_key, head_key};
use super::rewrites;
use crate::config::PolicyBase;
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{ConditionExpr, Effect, Rule, RuleMode};
use crate::span::Span;
use crate::verdict::Decision;
use crate::wire::to_bytes;

/// Rules with the same condition, and the span of the condition in each.
type RuleSpans<'r> = Vec<(&'r Rule, Span)>;

/// Reports rules of one layer that apply to exactly the same events and repeat or outvote each other, and conditions
/// that at least three rules repeat, for which a `def` would be better.
pub(super) fn check<'r>(rules: &'r [Arc<Rule>], findings: &mut FindingSink<LintFinding<'r>>) {
    let mut by_guard: BTreeMap<Vec<u8>, Vec<&Rule>> = BTreeMap::new();
    let mut by_condition: BTreeMap<(u8, &PolicyBase, Vec<u8>), RuleSpans> = BTreeMap::new();
    // Rules of packs are not compared.
    for rule in rules.iter().filter(|rule| !rule.name.contains('/')) {
        let when = rule.when.as_ref().map(condition_key).unwrap_or_default();
        // A rule that is off or only observes is no copy of an active one.
        if rule.traits.mode == RuleMode::Active {
            by_guard.entry(guard_key(rule, &when)).or_default().push(rule);
        }
        // A single test is hardly longer than a name for it would be.
        if let Some(condition) =
            rule.when.as_ref().filter(|when| matches!(when.kind, ConditionExpr::And(_) | ConditionExpr::Or(_)))
        {
            by_condition.entry((rule.layer as u8, &rule.base, when)).or_default().push((rule, condition.span));
        }
    }
    for group in by_guard.values().filter(|group| group.len() > 1) {
        check_same_guard(group, findings);
        rewrites::check_conflicts(group, findings);
    }
    for group in by_condition.values() {
        let [(_, first), _, (rule, third), ..] = group.as_slice() else { continue };
        let finding = Diagnostic::new(Code::DUPLICATED_GUARD, format!("{} rules have this condition", group.len()))
            .label(*third, "the third")
            .label(*first, "the first")
            .help("give it a name: `def NAME = …`, and write `when NAME`");
        findings.push(LintFinding::for_rule(rule, finding));
    }
}

/// Reports problems of rules that apply to the same events. Each rule is compared with only one other: the first that
/// has the same effects, the same vote, or a stricter vote.
fn check_same_guard<'r>(rules: &[&'r Rule], findings: &mut FindingSink<LintFinding<'r>>) {
    let mut first_with_effects: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    let mut first_with_vote: BTreeMap<Decision, usize> = BTreeMap::new();
    for (index, rule) in rules.iter().enumerate() {
        first_with_effects.entry(to_bytes(&*rule.effects)).or_insert(index);
        if let Some(vote) = strictest_vote(rule) {
            first_with_vote.entry(vote).or_insert(index);
        }
    }
    for (index, rule) in rules.iter().enumerate() {
        // Of each, the first rule. Equal ones count only if they come before this rule.
        let same_effects = first_with_effects.get(&to_bytes(&*rule.effects)).copied().filter(|first| *first < index);
        let vote = only_vote(rule);
        let same_vote = vote.and_then(|vote| first_with_vote.get(&vote).copied()).filter(|first| *first < index);
        let stricter_vote =
            vote.and_then(|vote| first_with_vote.range((Excluded(vote), Unbounded)).map(|(_, first)| *first).min());
        let other = same_effects.into_iter().chain(same_vote).chain(stricter_vote).min();
        let finding = other.and_then(|other| compare_rules(rule, rules.get(other)?, other < index));
        findings.extend(finding.map(|finding| LintFinding::for_rule(rule, finding)));
    }
}

/// Returns a key that is equal for rules that apply to the same events, and that react in the same way to an unknown
/// condition.
fn guard_key(rule: &Rule, when: &[u8]) -> Vec<u8> {
    let mut key = head_key(&rule.head);
    let unless = rule.unless.as_ref().map(condition_key).unwrap_or_default();
    for condition in [when, &unless] {
        key.extend(condition.len().to_le_bytes());
        key.extend(condition);
    }
    key.push(rule.layer as u8);
    // A relative path means another one in each directory.
    key.extend(to_bytes(&rule.base));
    key.push(rule.unknown as u8);
    key.push(rule.traits.commands as u8);
    key
}

/// Returns the finding about a rule, given another rule that applies to the same events. `is_second` says that the
/// other one comes first in the source.
fn compare_rules(rule: &Rule, other: &Rule, is_second: bool) -> Option<Diagnostic> {
    if is_second && to_bytes(&*rule.effects) == to_bytes(&*other.effects) {
        return Some(
            Diagnostic::new(Code::DUPLICATE_RULE, format!("`{}` repeats `{}`", rule.name, other.name))
                .label(rule.name_span, "the same events, the same effects")
                .label(other.name_span, "the first")
                .help("remove one of them"),
        );
    }
    let (vote, other_vote) = (only_vote(rule)?, strictest_vote(other)?);
    match (vote, other_vote) {
        (Decision::Allow, Decision::Deny | Decision::Halt | Decision::Ask) => Some(
            Diagnostic::new(
                Code::CONFLICTING_DECISIONS,
                format!("`{}` and `{}` contradict each other", rule.name, other.name),
            )
            .label(rule.name_span, "allows what the other rule stops")
            .label(other.name_span, "applies to the same events, and is stricter")
            .help("the stricter vote wins: remove one of them, or narrow its condition"),
        ),
        (vote, other_vote) if vote < other_vote => Some(
            Diagnostic::new(Code::SHADOWED_RULE, format!("`{}` is outvoted by `{}`", rule.name, other.name))
                .label(rule.name_span, "never decides")
                .label(other.name_span, "applies to the same events, and is stricter")
                .help("remove one of them, or narrow the condition of the stricter one"),
        ),
        (vote, other_vote) if vote == other_vote && is_second => Some(
            Diagnostic::new(
                Code::SUBSUMED_RULE,
                format!("`{}` decides nothing that `{}` does not", rule.name, other.name),
            )
            .label(rule.name_span, "only adds a second message")
            .label(other.name_span, "applies to the same events, and votes the same")
            .help("join the two messages in one rule"),
        ),
        _ => None,
    }
}

/// Returns the vote of a rule whose only effect is a vote; `None` for any other rule.
fn only_vote(rule: &Rule) -> Option<Decision> {
    let [effect] = rule.effects.as_slice() else { return None };
    effect_vote(effect)
}

/// Returns the strictest vote of a rule; `None` if it has no vote.
fn strictest_vote(rule: &Rule) -> Option<Decision> {
    rule.effects.iter().filter_map(effect_vote).max()
}

/// Returns the decision of a vote; `None` for other effects, and for a denial that interrupts the turn.
fn effect_vote(effect: &Effect) -> Option<Decision> {
    match effect {
        Effect::Vote { decision, interrupt: false, .. } => Some(*decision),
        _ => None,
    }
}
