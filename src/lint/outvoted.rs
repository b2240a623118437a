//! Rules that never decide: whenever one allows, asks or rewrites, a more general rule of the same layer denies.
//!
//! The more general rule is looked up by its condition: none at all, a part of the other's condition, or the first
//! words of the other's pattern.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::findings::{Finding, FindingSink};
use super::one_exempts_all::{NeededTest, parts};
use super::reason::{key_of, key_of_head};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{CommandTest, Condition, Effect, EventSelector, Head, Kind, Mode, Rule};
use crate::verdict::Decision;
use hookrules_shell::Pattern;

/// The maximum number of rules with the same condition that a rule is compared with.
const MOST: usize = 8;

/// A condition under which a rule denies.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum GuardKey {
    /// Every selected call.
    Anything,
    /// This condition.
    Condition(Vec<u8>),
    /// A command matches this pattern.
    Runs(String),
}

/// Reports the rules that another one with a different condition always outvotes.
pub(super) fn check<'r>(rules: &'r [Arc<Rule>], findings: &mut FindingSink<Finding<'r>>) {
    let mut denying: BTreeMap<(u8, GuardKey), Vec<&Rule>> = BTreeMap::new();
    let is_own = |rule: &&Arc<Rule>| !rule.name.contains('/') && rule.traits.mode == Mode::Active;
    for rule in rules.iter().filter(is_own).filter(|rule| rule.unless.is_none() && denies(rule)) {
        for guard in guards(rule.when.as_ref()) {
            denying.entry((rule.layer as u8, guard)).or_default().push(rule);
        }
    }
    if denying.is_empty() {
        return;
    }
    for rule in rules.iter().filter(is_own) {
        let Some(word) = weaker(rule) else { continue };
        let all = implied(rule.when.as_ref());
        let wider = all.into_iter().find_map(|guard| {
            let several = denying.get(&(rule.layer as u8, guard))?;
            several.iter().take(MOST).find(|other| covers(&other.head, &rule.head) && !is_alike(rule, other))
        });
        if let Some(other) = wider {
            let message = format!("`{}` is outvoted by `{}`", rule.name, other.name);
            let finding = Diagnostic::new(Code::SHADOWED_RULE, message)
                .label(rule.name_span, format!("never {word}"))
                .label(other.name_span, "denies all that this rule is about, and more")
                .help("a denial wins wherever it stands: except this case there (`unless only runs …`), or remove one");
            findings.push(Finding::about(rule, finding));
        }
    }
}

/// Whether two rules are compared as copies by another lint.
fn is_alike(rule: &Rule, other: &Rule) -> bool {
    let is_vote = rule.effects.iter().all(|effect| matches!(effect, Effect::Vote { .. }));
    let when = |rule: &Rule| rule.when.as_ref().map(key_of);
    is_vote
        && rule.unless.is_none()
        && rule.unknown == other.unknown
        && key_of_head(&rule.head) == key_of_head(&other.head)
        && when(rule) == when(other)
}

fn denies(rule: &Rule) -> bool {
    rule.effects.iter().any(|effect| matches!(effect, Effect::Vote { decision: Decision::Deny | Decision::Halt, .. }))
}

/// Returns a verb for a rule whose effects are void if the call is denied; `None` if it has other effects.
fn weaker(rule: &Rule) -> Option<&'static str> {
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

/// Returns the keys of a condition, each of which suffices for it to hold.
fn guards(when: Option<&Condition>) -> Vec<GuardKey> {
    let Some(when) = when else { return vec![GuardKey::Anything] };
    match patterns(when) {
        Some(texts) => texts.map(|text| GuardKey::Runs(words(text).join(" "))).collect(),
        None => vec![GuardKey::Condition(key_of(when))],
    }
}

/// Returns the keys of everything that a condition implies.
fn implied(when: Option<&Condition>) -> Vec<GuardKey> {
    let mut all = vec![GuardKey::Anything];
    let mut needed: Vec<NeededTest<'_>> = Vec::new();
    when.iter().for_each(|when| parts(when, false, &mut needed));
    for part in needed.iter().filter(|part| !part.is_negated) {
        all.push(GuardKey::Condition(key_of(part.test)));
        if let Kind::Command(CommandTest::Runs { patterns, .. } | CommandTest::OnlyRuns { patterns }) = &part.test.kind
        {
            // Several patterns match several commands, and one of them might not be denied.
            let mut texts = patterns.iter().map(Pattern::text);
            if let (Some(text), None) = (texts.next(), texts.next()) {
                let words = words(text);
                all.extend((1..=words.len()).filter_map(|count| Some(GuardKey::Runs(words.get(..count)?.join(" ")))));
            }
        }
    }
    when.iter().for_each(|when| all.push(GuardKey::Condition(key_of(when))));
    all
}

/// Returns the patterns of a plain `runs P`, which uses no records of the policy.
fn patterns(condition: &Condition) -> Option<impl Iterator<Item = &str>> {
    match &condition.kind {
        Kind::Def(inner) => match &inner.kind {
            Kind::Command(CommandTest::Runs { patterns, filter: None }) => Some(patterns.iter().map(Pattern::text)),
            _ => None,
        },
        Kind::Command(CommandTest::Runs { patterns, filter: None }) => Some(patterns.iter().map(Pattern::text)),
        _ => None,
    }
}

fn words(pattern: &str) -> Vec<&str> {
    pattern.split_whitespace().collect()
}

/// Whether a head selects everything that another does.
fn covers(wide: &Head, narrow: &Head) -> bool {
    let agents = match (&wide.agents, &narrow.agents) {
        (None, _) => true,
        (Some(wide), Some(narrow)) => wide.0.includes == narrow.0.includes && wide.0.excludes == narrow.0.excludes,
        (Some(wide), None) => wide.0.is_star(),
    };
    let selects = |narrow: &EventSelector| wide.events.iter().any(|wide| covers_selector(wide, narrow));
    agents && !narrow.events.is_empty() && narrow.events.iter().all(selects)
}

fn covers_selector(wide: &EventSelector, narrow: &EventSelector) -> bool {
    if wide.event != narrow.event {
        return false;
    }
    match (&wide.subjects, &narrow.subjects) {
        (None, _) => true,
        (Some(wide), _) if wide.is_star() => true,
        (Some(wide), Some(narrow)) => {
            let has = |glob: &String| wide.includes.contains(glob);
            wide.excludes.iter().all(|glob| narrow.excludes.contains(glob))
                && (wide.includes.is_empty() || !narrow.includes.is_empty() && narrow.includes.iter().all(has))
        }
        (Some(_), None) => false,
    }
}
