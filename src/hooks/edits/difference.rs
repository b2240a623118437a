//! Describes an edit of a policy in one sentence: which rules are added, removed, switched off, or guard less.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use crate::config::OnError;
use crate::escape::line;
use crate::policy::Policy;
use crate::ruleset::{CommandTest, Commands, Condition, Effect, HostTest, Kind, Mode, Patterns, Rule, Test, TouchTest};
use crate::verdict::Decision;

/// The number of rules that are named for each kind of change.
const NAMED: usize = 5;

/// The most characters of a name that are shown.
const NAME: usize = 80;

/// Describes the change of a policy: "removes `a`; adds `b`".
pub(super) fn sentence(before: &Policy, after: &Policy) -> String {
    let (old, new) = (by_name(before), by_name(after));
    let mut does: BTreeMap<Does, Vec<String>> = BTreeMap::new();
    let mut add = |what: Does, rule: String| does.entry(what).or_default().push(rule);
    for (name, rule) in &old {
        match new.get(name) {
            None => add(Does::Remove, (*name).to_owned()),
            Some(other) => {
                if let Some((what, how)) = change(rule, other) {
                    add(what, if how.is_empty() { (*name).to_owned() } else { format!("{name} ({how})") });
                }
            }
        }
    }
    for name in new.keys().filter(|name| !old.contains_key(*name)) {
        add(Does::Add, (*name).to_owned());
    }
    let mut parts: Vec<String> =
        does.iter().map(|(what, rules)| format!("{} {}", what.word(), listed(rules))).collect();
    let (from, to) = (before.settings.on_error, after.settings.on_error);
    if from != to {
        parts.insert(0, format!("changes `on_error` from {} to {}", word(from), word(to)));
    }
    if parts.is_empty() { "changes no rule".to_owned() } else { parts.join("; ") }
}

/// The change of a rule, the gravest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Does {
    Remove,
    Off,
    Observe,
    Weaken,
    Narrow,
    Change,
    On,
    Add,
}

impl Does {
    fn word(self) -> &'static str {
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

fn by_name(policy: &Policy) -> BTreeMap<&str, &Arc<Rule>> {
    policy.rules.rules().iter().map(|rule| (rule.shown.as_str(), rule)).collect()
}

fn listed(rules: &[String]) -> String {
    let named: Vec<String> = rules.iter().take(NAMED).map(|rule| format!("`{}`", line(rule, NAME))).collect();
    let mut text = named.join(", ");
    let more = rules.len().saturating_sub(NAMED);
    if more > 0 {
        // Writing to memory does not fail.
        let _written = write!(text, " and {more} more");
    }
    text
}

fn word(on_error: OnError) -> &'static str {
    match on_error {
        OnError::Allow => "`allow`",
        OnError::Ask => "`ask`",
        OnError::Deny => "`deny`",
    }
}

/// Compares two versions of a rule; `None` if they judge alike.
fn change(before: &Rule, after: &Rule) -> Option<(Does, String)> {
    match (before.traits.mode, after.traits.mode) {
        (old, new) if old == new => {}
        (_, Mode::Off) => return Some((Does::Off, String::new())),
        (Mode::Active, Mode::Observe) => return Some((Does::Observe, String::new())),
        _ => return Some((Does::On, String::new())),
    }
    let (old, new) = (strictest(before), strictest(after));
    if new < old {
        return Some((Does::Weaken, format!("{old} to {new}")));
    }
    let (old, new) = (before.vote_on_unknown(), after.vote_on_unknown());
    if new < old {
        return Some((Does::Weaken, format!("where it is unknown, {old} to {new}")));
    }
    if (before.traits.commands, after.traits.commands) == (Commands::InFilesToo, Commands::OfCall) {
        return Some((Does::Narrow, "no commands in files".to_owned()));
    }
    let (old, new) = (before.head.event_set(), after.head.event_set());
    if !old.is_subset(&new) {
        return Some((Does::Narrow, "fewer events".to_owned()));
    }
    let size = |condition: &Option<Condition>| condition.as_ref().map_or(0, reach);
    let text = |condition: &Option<Condition>| condition.as_ref().map(meaning).unwrap_or_default();
    if before.unless.is_none() && after.unless.is_some() {
        return Some((Does::Narrow, "new `unless`".to_owned()));
    }
    if size(&after.unless) > size(&before.unless) {
        return Some((Does::Narrow, "larger `unless`".to_owned()));
    }
    if before.when.is_none() && after.when.is_some() {
        return Some((Does::Narrow, "new `when`".to_owned()));
    }
    if after.when.is_some() && size(&after.when) < size(&before.when) {
        return Some((Does::Narrow, "smaller `when`".to_owned()));
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
    (!is_same).then(|| (Does::Change, String::new()))
}

/// Returns the effects of a rule, without its messages.
fn effects(rule: &Rule) -> Vec<String> {
    let shown = |effect: &Effect| match effect {
        Effect::Vote { decision, interrupt, .. } => format!("{decision} {interrupt}"),
        Effect::Exit { code, .. } => format!("exit {code}"),
        other => format!("{other:?}"),
    };
    rule.effects.iter().map(shown).collect()
}

/// Returns the strictest vote of a rule.
fn strictest(rule: &Rule) -> Decision {
    let votes = rule.effects.iter().map(|effect| match effect {
        Effect::Vote { decision, .. } => *decision,
        Effect::Exit { code: 2, .. } => Decision::Deny,
        Effect::Run(run) if run.can_block() => Decision::Deny,
        _ => Decision::Pass,
    });
    votes.max().unwrap_or_default()
}

/// Returns the size of a condition: the number of values and patterns that it names.
fn reach(condition: &Condition) -> usize {
    match &condition.kind {
        Kind::And(parts) | Kind::Or(parts) => parts.iter().map(reach).sum(),
        Kind::Not(part) => reach(part),
        Kind::Def(part) => reach(part),
        Kind::Constant(_) | Kind::Exists(_) | Kind::Truth(_) => 1,
        Kind::Compare { test, .. } => match test {
            Test::In(values) => values.len(),
            Test::LikeText(globs) => globs.patterns().len(),
            Test::LikePath(globs) => globs.patterns().len(),
            Test::Under(dirs) | Test::Outside(dirs) => dirs.len(),
            _ => 1,
        },
        Kind::Command(CommandTest::Runs { patterns, .. } | CommandTest::OnlyRuns { patterns }) => patterns.count(),
        Kind::Command(CommandTest::Pipes { from, into }) => from.count().saturating_add(into.count()),
        Kind::Connects(test) => test.weight(),
        Kind::Touches { test, .. } => match test {
            TouchTest::Like(globs) => globs.patterns().len(),
            TouchTest::Under(dirs) | TouchTest::Outside(dirs) => dirs.len(),
        },
    }
}

/// Returns the meaning of a condition, independent of its position in the source.
fn meaning(condition: &Condition) -> String {
    let joined = |parts: &[Condition]| parts.iter().map(meaning).collect::<Vec<_>>().join(",");
    let patterns =
        |patterns: &Patterns| patterns.iter().map(hookrules_shell::Pattern::text).collect::<Vec<_>>().join("|");
    match &condition.kind {
        Kind::And(parts) => format!("and({})", joined(parts)),
        Kind::Or(parts) => format!("or({})", joined(parts)),
        Kind::Not(part) => format!("not({})", meaning(part)),
        Kind::Def(part) => meaning(part),
        Kind::Constant(truth) => truth.to_string(),
        Kind::Compare { source, all, negated, test } => format!("{source:?} {all} {negated} {}", tested(test)),
        Kind::Exists(source) => format!("exists {source:?}"),
        Kind::Truth(source) => format!("{source:?}"),
        Kind::Command(CommandTest::Runs { patterns: of, filter }) => {
            format!("runs {} where {}", patterns(of), filter.as_ref().map(|filter| meaning(filter)).unwrap_or_default())
        }
        Kind::Command(CommandTest::OnlyRuns { patterns: of }) => format!("only {}", patterns(of)),
        Kind::Command(CommandTest::Pipes { from, into }) => format!("{} into {}", patterns(from), patterns(into)),
        Kind::Connects(HostTest::Like(globs, _)) => format!("connects like {:?}", &**globs),
        Kind::Connects(test) => format!("connects {test:?}"),
        Kind::Touches { verb, test } => match test {
            TouchTest::Like(globs) => format!("{verb:?} like {:?}", &**globs),
            TouchTest::Under(dirs) => format!("{verb:?} under {dirs:?}"),
            TouchTest::Outside(dirs) => format!("{verb:?} outside {dirs:?}"),
        },
    }
}

fn tested(test: &Test) -> String {
    match test {
        Test::LikeText(globs) => format!("like {:?}", &**globs),
        Test::LikePath(globs) => format!("like {:?}", &**globs),
        Test::Matches(regex) => format!("matches {}", regex.pattern()),
        other => format!("{other:?}"),
    }
}
