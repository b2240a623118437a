//! Describes an edit of a policy in one sentence: which rules are added, removed, switched off, or guard less.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use crate::config::OnError;
use crate::escape::line;
use crate::policy::Policy;
use crate::ruleset::{
    CommandCoverage, CommandTest, Condition, ConditionExpr, Effect, HostTest, Patterns, Rule, RuleMode, TouchTest,
    ValueTest,
};
use crate::verdict::{Decision, OnFail, OutputKind};

/// The maximum number of rules that are named for each kind of change.
const MAX_NAMED_RULES: usize = 5;

/// The maximum number of characters of a rule's name that are shown.
const MAX_NAME_CHARS: usize = 80;

/// Describes the change from one policy to another: "removes `a`; adds `b`". A change of `on_error` comes first, then
/// the changes of rules, the gravest kind first.
pub(super) fn describe_change(before: &Policy, after: &Policy) -> String {
    let (old, new) = (rules_by_name(before), rules_by_name(after));
    let mut rules_by_change: BTreeMap<RuleChange, Vec<String>> = BTreeMap::new();
    let mut add = |what: RuleChange, rule: String| rules_by_change.entry(what).or_default().push(rule);
    for (name, rule) in &old {
        match new.get(name) {
            None => add(RuleChange::Remove, (*name).to_owned()),
            Some(other) => {
                if let Some((what, how)) = change(rule, other) {
                    add(what, if how.is_empty() { (*name).to_owned() } else { format!("{name} ({how})") });
                }
            }
        }
    }
    for name in new.keys().filter(|name| !old.contains_key(*name)) {
        add(RuleChange::Add, (*name).to_owned());
    }
    let mut parts: Vec<String> =
        rules_by_change.iter().map(|(what, rules)| format!("{} {}", what.verb(), quote_names(rules))).collect();
    let (from, to) = (before.settings.on_error, after.settings.on_error);
    if from != to {
        parts.insert(0, format!("changes `on_error` from {} to {}", on_error_words(from), on_error_words(to)));
    }
    if parts.is_empty() { "changes no rule".to_owned() } else { parts.join("; ") }
}

/// The kind of a change of one rule, the gravest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum RuleChange {
    /// The rule no longer exists.
    Remove,
    /// The rule is switched off.
    Off,
    /// The rule only observes from now on.
    Observe,
    /// The rule votes less strictly.
    Weaken,
    /// The rule probably applies to fewer calls.
    Narrow,
    /// The rule differs in another respect.
    Change,
    /// The rule is switched on, or votes where it only observed before.
    On,
    /// The rule is new.
    Add,
}

impl RuleChange {
    /// Returns the verb for the sentence about the change.
    fn verb(self) -> &'static str {
        match self {
            Self::Remove => "removes",
            Self::Off => "switches off",
            Self::Observe => "only observes",
            Self::Weaken => "weakens",
            Self::Narrow => "narrows",
            Self::Change => "changes",
            Self::On => "switches on",
            Self::Add => "adds",
        }
    }
}

fn rules_by_name(policy: &Policy) -> BTreeMap<&str, &Arc<Rule>> {
    policy.rules.rules().iter().map(|rule| (rule.display_name.as_str(), rule)).collect()
}

/// Lists the names of rules, at most [`MAX_NAMED_RULES`] of them, and the number of the rest.
fn quote_names(rules: &[String]) -> String {
    let named: Vec<String> =
        rules.iter().take(MAX_NAMED_RULES).map(|rule| format!("`{}`", line(rule, MAX_NAME_CHARS))).collect();
    let mut text = named.join(", ");
    let unnamed = rules.len().saturating_sub(MAX_NAMED_RULES);
    if unnamed > 0 {
        // Writing to memory does not fail.
        let _written = write!(text, " and {unnamed} more");
    }
    text
}

/// Returns the keyword of an `on_error` in backticks.
fn on_error_words(on_error: OnError) -> &'static str {
    match on_error {
        OnError::Allow => "`allow`",
        OnError::Ask => "`ask`",
        OnError::Deny => "`deny`",
    }
}

/// Compares two versions of a rule, and returns the kind of the change and a detail, which may be empty. `None` if the
/// versions judge alike. Conditions are compared by size: a smaller `when` or a larger `unless` is taken for narrower.
fn change(before: &Rule, after: &Rule) -> Option<(RuleChange, String)> {
    match (before.traits.mode, after.traits.mode) {
        (old, new) if old == new => {}
        (_, RuleMode::Off) => return Some((RuleChange::Off, String::new())),
        (RuleMode::Active, RuleMode::Observe) => return Some((RuleChange::Observe, String::new())),
        _ => return Some((RuleChange::On, String::new())),
    }
    let (old, new) = (strictest(before), strictest(after));
    if new < old {
        return Some((RuleChange::Weaken, format!("{old} to {new}")));
    }
    let (old, new) = (before.vote_on_unknown(), after.vote_on_unknown());
    if new < old {
        return Some((RuleChange::Weaken, format!("where it is unknown, {old} to {new}")));
    }
    if (before.traits.commands, after.traits.commands) == (CommandCoverage::CallAndFiles, CommandCoverage::Call) {
        return Some((RuleChange::Narrow, "no commands in files".to_owned()));
    }
    let (old, new) = (before.head.event_set(), after.head.event_set());
    if !old.is_subset(&new) {
        return Some((RuleChange::Narrow, "fewer events".to_owned()));
    }
    let size = |condition: &Option<Condition>| condition.as_ref().map_or(0, condition_size);
    let text = |condition: &Option<Condition>| condition.as_ref().map(condition_meaning).unwrap_or_default();
    if before.unless.is_none() && after.unless.is_some() {
        return Some((RuleChange::Narrow, "new `unless`".to_owned()));
    }
    if size(&after.unless) > size(&before.unless) {
        return Some((RuleChange::Narrow, "larger `unless`".to_owned()));
    }
    if before.when.is_none() && after.when.is_some() {
        return Some((RuleChange::Narrow, "new `when`".to_owned()));
    }
    if after.when.is_some() && size(&after.when) < size(&before.when) {
        return Some((RuleChange::Narrow, "smaller `when`".to_owned()));
    }
    let heads = |rule: &Rule| {
        let subjects = |subjects: &crate::ruleset::SelectorList| (subjects.includes.clone(), subjects.excludes.clone());
        let events = rule.head.events.iter().map(|event| (event.event, event.subjects.as_ref().map(subjects)));
        (events.collect::<Vec<_>>(), rule.head.agents.as_ref().map(|agents| subjects(&agents.0)))
    };
    let is_same = text(&before.when) == text(&after.when)
        && text(&before.unless) == text(&after.unless)
        && before.unknown == after.unknown
        && before.traits.commands == after.traits.commands
        && heads(before) == heads(after)
        && effects(before) == effects(after);
    (!is_same).then(|| (RuleChange::Change, String::new()))
}

/// Returns the effects of a rule as texts to compare; its messages are left out.
fn effects(rule: &Rule) -> Vec<String> {
    let shown = |effect: &Effect| match effect {
        Effect::Vote { decision, interrupt, .. } => format!("{decision} {interrupt}"),
        Effect::Exit { code, .. } => format!("exit {code}"),
        other => format!("{other:?}"),
    };
    rule.effects.iter().map(shown).collect()
}

/// Returns the strictest decision for which a rule can vote, whether directly or through a command that it runs.
fn strictest(rule: &Rule) -> Decision {
    let votes = rule.effects.iter().map(|effect| match effect {
        Effect::Vote { decision, .. } => *decision,
        Effect::Exit { code: 2, .. } => Decision::Deny,
        Effect::Run(run) if run.options.on_fail == Some(OnFail::Ask) && run.options.output != OutputKind::Hook => {
            Decision::Ask
        }
        Effect::Run(run) if run.can_block() => Decision::Deny,
        _ => Decision::Pass,
    });
    votes.max().unwrap_or_default()
}

/// Returns the size of a condition: the number of values and patterns that it names.
fn condition_size(condition: &Condition) -> usize {
    match &condition.kind {
        ConditionExpr::And(parts) | ConditionExpr::Or(parts) => parts.iter().map(condition_size).sum(),
        ConditionExpr::Not(part) | ConditionExpr::Certain(part) => condition_size(part),
        ConditionExpr::Def(part) => condition_size(part),
        ConditionExpr::Constant(_)
        | ConditionExpr::Exists(_)
        | ConditionExpr::Truth(_)
        | ConditionExpr::Happened(_) => 1,
        ConditionExpr::Compare { test, .. } => match test {
            ValueTest::In(values) => values.len(),
            ValueTest::LikeText(globs) => globs.patterns().len(),
            ValueTest::LikePath(globs) => globs.patterns().len(),
            ValueTest::LikeFilled(globs) => globs.globs.len(),
            ValueTest::Under(dirs) | ValueTest::Outside(dirs) => dirs.len(),
            _ => 1,
        },
        ConditionExpr::Command(CommandTest::Runs { patterns, .. } | CommandTest::OnlyRuns { patterns }) => {
            patterns.count()
        }
        ConditionExpr::Command(CommandTest::Pipes { from, into }) => from.count().saturating_add(into.count()),
        ConditionExpr::Connects(test) => test.host_count(),
        ConditionExpr::Touches { test, .. } => match test {
            TouchTest::Like(globs) => globs.patterns().len(),
            TouchTest::Under(dirs) | TouchTest::Outside(dirs) => dirs.len(),
        },
        ConditionExpr::TouchesFilled { globs, .. } => globs.globs.len(),
    }
}

/// Returns a text that is equal for conditions that test the same, wherever they are in the sources.
fn condition_meaning(condition: &Condition) -> String {
    let joined = |parts: &[Condition]| parts.iter().map(condition_meaning).collect::<Vec<_>>().join(",");
    let patterns =
        |patterns: &Patterns| patterns.iter().map(hookrules_shell::Pattern::text).collect::<Vec<_>>().join("|");
    match &condition.kind {
        ConditionExpr::And(parts) => format!("and({})", joined(parts)),
        ConditionExpr::Or(parts) => format!("or({})", joined(parts)),
        ConditionExpr::Not(part) => format!("not({})", condition_meaning(part)),
        ConditionExpr::Certain(part) => format!("certain({})", condition_meaning(part)),
        ConditionExpr::Def(part) => condition_meaning(part),
        ConditionExpr::Constant(truth) => truth.to_string(),
        ConditionExpr::Compare { source, all, negated, test } => {
            format!("{source:?} {all} {negated} {}", test_meaning(test))
        }
        ConditionExpr::Exists(source) => format!("exists {source:?}"),
        ConditionExpr::Truth(source) => format!("{source:?}"),
        ConditionExpr::Command(CommandTest::Runs { patterns: of, filter }) => {
            format!(
                "runs {} where {}",
                patterns(of),
                filter.as_ref().map(|filter| condition_meaning(filter)).unwrap_or_default()
            )
        }
        ConditionExpr::Command(CommandTest::OnlyRuns { patterns: of }) => format!("only {}", patterns(of)),
        ConditionExpr::Command(CommandTest::Pipes { from, into }) => {
            format!("{} into {}", patterns(from), patterns(into))
        }
        ConditionExpr::Connects(HostTest::Like(globs, _)) => format!("connects like {:?}", &**globs),
        ConditionExpr::Connects(test) => format!("connects {test:?}"),
        ConditionExpr::Touches { verb, test } => match test {
            TouchTest::Like(globs) => format!("{verb:?} like {:?}", &**globs),
            TouchTest::Under(dirs) => format!("{verb:?} under {dirs:?}"),
            TouchTest::Outside(dirs) => format!("{verb:?} outside {dirs:?}"),
        },
        ConditionExpr::TouchesFilled { verb, globs } => format!("{verb:?} like {globs:?}"),
        ConditionExpr::Happened(test) => format!("happened {test:?}"),
    }
}

/// Returns a text that is equal for two tests of a value if they test the same.
fn test_meaning(test: &ValueTest) -> String {
    match test {
        ValueTest::LikeText(globs) => format!("like {:?}", &**globs),
        ValueTest::LikePath(globs) => format!("like {:?}", &**globs),
        ValueTest::Matches(regex) => format!("matches {}", regex.pattern()),
        other => format!("{other:?}"),
    }
}
