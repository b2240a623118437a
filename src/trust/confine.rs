//! Restricts a rule to its denials and questions. If the user does not trust the rule, its messages are also marked,
//! and its conditions see only the event and the project.

use std::sync::Arc;

use crate::config::PolicyBase;
use crate::ruleset::{
    CaptureReference, CommandTest, Condition, ConditionExpr, DirOperand, Effect, FactName, FilledGlob, FilledGlobs,
    KeySource, MarkSpec, Measure, PastTest, PolicyValue, Rule, RuleMode, Template, TemplatePart, TouchTest,
    UnknownClause, ValueReference, ValueTest, WhereField,
};
use crate::verdict::{Decision, UNTRUSTED};

/// The message of a restricted rule that has none of its own.
const SILENT: &str = "A rule of this repository's policy (not trusted) is against this.";

/// Restricts a rule that the user does not trust; `None` if it could neither deny nor ask.
#[must_use]
pub fn confined(rule: &Rule) -> Option<Rule> {
    let rule = only_restricting(rule)?;
    let marked = |effect: &Effect| match effect {
        Effect::Vote { decision, message, interrupt } => {
            Effect::Vote { decision: *decision, message: mark_message(message, &rule.base), interrupt: *interrupt }
        }
        Effect::Mark(mark) => {
            let key = mark.key.as_ref().map(|key| key_source(key, &rule.base));
            Effect::Mark(MarkSpec { key, ..mark.clone() })
        }
        other => other.clone(),
    };
    // The conditions of a pack's rule are not restricted: a pack is part of this program, so a repository cannot
    // choose what they read.
    let confine = |unrestricted: &Condition| {
        if is_of_pack(&rule) { unrestricted.clone() } else { condition(unrestricted, &rule.base) }
    };
    Some(Rule {
        effects: rule.effects.iter().map(marked).collect::<Vec<_>>().into(),
        when: rule.when.as_ref().map(confine),
        unless: rule.unless.as_ref().map(confine),
        ..rule.clone()
    })
}

/// Reduces a rule to its denials and questions; `None` if it could neither deny nor ask. A mark is kept as it is: it
/// only remembers.
#[must_use]
pub fn only_restricting(rule: &Rule) -> Option<Rule> {
    if rule.mark().is_some() {
        return Some(rule.clone());
    }
    if rule.traits.mode != RuleMode::Active {
        return None;
    }
    let mut head = rule.head.clone();
    let (mut effects, mut effect_spans) = (Vec::new(), Vec::new());
    for (effect, span) in rule.effects.iter().zip(rule.effect_spans.iter()) {
        let (decision, message) = match effect {
            Effect::Vote { decision: decision @ (Decision::Ask | Decision::Deny), message, .. } => (*decision, message),
            Effect::Vote { decision: Decision::Halt, message, .. } | Effect::Exit { code: 2, message } => {
                // On events that cannot be denied, neither of these effects is a denial.
                head.events.retain(|selector| selector.event.spec().answers.deny);
                (Decision::Deny, message)
            }
            _ => continue,
        };
        effects.push(Effect::Vote { decision, message: message.clone(), interrupt: false });
        effect_spans.push(*span);
    }
    if effects.is_empty() || head.events.is_empty() {
        return None;
    }
    // If no event of the rule can ask, an unknown condition would only produce a text for the user.
    let can_ask = head.events.iter().any(|selector| selector.event.spec().answers.ask);
    let unknown = match rule.unknown {
        UnknownClause::Default | UnknownClause::Ask if !can_ask => UnknownClause::Ignore,
        unknown => unknown,
    };
    Some(Rule {
        head,
        effects: effects.into(),
        effect_spans: effect_spans.into(),
        unknown,
        can_allow: false,
        can_block: true,
        ..rule.clone()
    })
}

/// Whether a rule is from a pack: only those have a slash in their name.
fn is_of_pack(rule: &Rule) -> bool {
    rule.name.contains('/')
}

/// Marks a message with the prefix [`UNTRUSTED`], and withholds values that are neither of the event nor of the
/// project.
fn mark_message(message: &Template, base: &PolicyBase) -> Template {
    let is_blank = message.parts.iter().all(|part| matches!(part, TemplatePart::Text(text) if text.trim().is_empty()));
    if is_blank {
        return Template { parts: vec![TemplatePart::Text(SILENT.to_owned())] };
    }
    let parts = message.parts.iter().map(|part| match part {
        TemplatePart::Value(value) => TemplatePart::Value(source(value, base)),
        TemplatePart::Component(value) => TemplatePart::Component(source(value, base)),
        text @ TemplatePart::Text(_) => text.clone(),
    });
    Template { parts: std::iter::once(TemplatePart::Text(UNTRUSTED.to_owned())).chain(parts).collect() }
}

/// Restricts a condition to the event, git's state and the project's files. Any other fact, such as an environment
/// variable, could leak through the message of a denial.
fn condition(whole: &Condition, base: &PolicyBase) -> Condition {
    let kind = match &whole.kind {
        ConditionExpr::And(parts) => ConditionExpr::And(parts.iter().map(|it| condition(it, base)).collect()),
        ConditionExpr::Or(parts) => ConditionExpr::Or(parts.iter().map(|it| condition(it, base)).collect()),
        ConditionExpr::Not(inner) => ConditionExpr::Not(Box::new(condition(inner, base))),
        ConditionExpr::Certain(inner) => ConditionExpr::Certain(Box::new(condition(inner, base))),
        ConditionExpr::Def(inner) => ConditionExpr::Def(Arc::new(condition(inner, base))),
        ConditionExpr::Constant(truth) => ConditionExpr::Constant(*truth),
        ConditionExpr::Compare { source: compared, all, negated, test: with } => ConditionExpr::Compare {
            source: source(compared, base),
            all: *all,
            negated: *negated,
            test: test(with, base),
        },
        ConditionExpr::Exists(found) => ConditionExpr::Exists(source(found, base)),
        ConditionExpr::Truth(truth) => ConditionExpr::Truth(source(truth, base)),
        ConditionExpr::Command(CommandTest::Runs { patterns, filter }) => ConditionExpr::Command(CommandTest::Runs {
            patterns: patterns.clone(),
            filter: filter.as_ref().map(|filter| condition(filter, base).into()),
        }),
        ConditionExpr::Command(command) => ConditionExpr::Command(command.clone()),
        ConditionExpr::Connects(test) => ConditionExpr::Connects(test.clone()),
        ConditionExpr::Happened(test) => ConditionExpr::Happened(past(test, base)),
        ConditionExpr::Touches { verb, test } => ConditionExpr::Touches { verb: *verb, test: touches(test, base) },
        ConditionExpr::TouchesFilled { verb, globs } => {
            ConditionExpr::TouchesFilled { verb: *verb, globs: filled_globs(globs, base) }
        }
    };
    Condition { kind, span: whole.span }
}

/// Restricts the values in a test, as [`source`] does.
fn test(whole: &ValueTest, base: &PolicyBase) -> ValueTest {
    match whole {
        ValueTest::Equal(with) => ValueTest::Equal(value(with, base)),
        ValueTest::Order(order, with) => ValueTest::Order(*order, value(with, base)),
        ValueTest::In(with) => ValueTest::In(with.iter().map(|it| value(it, base)).collect::<Vec<_>>().into()),
        ValueTest::Contains(with) => ValueTest::Contains(value(with, base)),
        ValueTest::StartsWith(with) => ValueTest::StartsWith(value(with, base)),
        ValueTest::EndsWith(with) => ValueTest::EndsWith(value(with, base)),
        ValueTest::Under(dirs) => {
            ValueTest::Under(dirs.iter().map(|it| directory(it, base)).collect::<Vec<_>>().into())
        }
        ValueTest::Outside(dirs) => {
            ValueTest::Outside(dirs.iter().map(|it| directory(it, base)).collect::<Vec<_>>().into())
        }
        ValueTest::LikeFilled(globs) => ValueTest::LikeFilled(filled_globs(globs, base)),
        ValueTest::LikeText(_) | ValueTest::LikePath(_) | ValueTest::Matches(_) | ValueTest::InTime(_) => whole.clone(),
    }
}

/// Restricts the directories in a test of file accesses, as [`source`] does.
fn touches(test: &TouchTest, base: &PolicyBase) -> TouchTest {
    match test {
        TouchTest::Like(globs) => TouchTest::Like(globs.clone()),
        TouchTest::Under(dirs) => {
            TouchTest::Under(dirs.iter().map(|it| directory(it, base)).collect::<Vec<_>>().into())
        }
        TouchTest::Outside(dirs) => {
            TouchTest::Outside(dirs.iter().map(|it| directory(it, base)).collect::<Vec<_>>().into())
        }
    }
}

/// Restricts the values that are filled in globs, as [`source`] does.
fn filled_globs(globs: &FilledGlobs, base: &PolicyBase) -> FilledGlobs {
    let glob =
        |glob: &FilledGlob| FilledGlob { pattern: file_name(&glob.pattern, base), directory: glob.directory.clone() };
    FilledGlobs { globs: globs.globs.iter().map(glob).collect(), are_paths: globs.are_paths }
}

/// Restricts a directory in a test, as [`source`] does.
fn directory(dir: &DirOperand, base: &PolicyBase) -> DirOperand {
    match dir {
        DirOperand::Source(found) => DirOperand::Source(source(found, base)),
        DirOperand::Filled(path) => DirOperand::Filled(file_name(path, base)),
        DirOperand::Project | DirOperand::Tmp | DirOperand::Home | DirOperand::Literal(_) => dir.clone(),
    }
}

/// Restricts a value in a test, as [`source`] does.
fn value(whole: &PolicyValue, base: &PolicyBase) -> PolicyValue {
    match whole {
        PolicyValue::Source(found) => PolicyValue::Source(source(found, base)),
        PolicyValue::FileName(name) => PolicyValue::FileName(file_name(name, base)),
        PolicyValue::Literal(_) => whole.clone(),
    }
}

/// Restricts the keys of a test of the past, as [`source`] does.
fn past(test: &PastTest, base: &PolicyBase) -> PastTest {
    PastTest { of: test.of.as_ref().map(|key| key_source(key, base)), ..test.clone() }
}

/// Restricts the key of a mark, as [`source`] does.
fn key_source(key: &KeySource, base: &PolicyBase) -> KeySource {
    match key {
        KeySource::Value(found) => KeySource::Value(source(found, base)),
        KeySource::Match | KeySource::Call => key.clone(),
    }
}

/// Restricts the placeholders in the name of a file, as [`source`] does.
fn file_name(whole: &Template, base: &PolicyBase) -> Template {
    let restricted = |part: &TemplatePart| match part {
        TemplatePart::Value(found) => TemplatePart::Value(source(found, base)),
        TemplatePart::Component(found) => TemplatePart::Component(source(found, base)),
        TemplatePart::Text(_) => part.clone(),
    };
    Template { parts: whole.parts.iter().map(restricted).collect() }
}

/// Restricts a value reference: the environment is withheld, and files are examined only in the directory that holds
/// the policy.
fn source(whole: &ValueReference, base: &PolicyBase) -> ValueReference {
    match whole {
        ValueReference::Fact(FactName::Env(name)) => ValueReference::Fact(FactName::Withheld(name.clone())),
        ValueReference::Fact(FactName::File(fact, file)) => {
            ValueReference::Fact(FactName::OwnFile(*fact, base.clone(), Box::new(value(file, base))))
        }
        ValueReference::Where(WhereField::Env(name)) => ValueReference::Where(WhereField::SetEnv(name.clone())),
        ValueReference::Measured(Measure::Length(values)) => {
            ValueReference::Measured(Measure::Length(Box::new(source(values, base))))
        }
        ValueReference::Measured(Measure::Count(values)) => {
            ValueReference::Measured(Measure::Count(Box::new(source(values, base))))
        }
        ValueReference::Measured(Measure::Past(test)) => {
            ValueReference::Measured(Measure::Past(Box::new(past(test, base))))
        }
        ValueReference::Capture(capture) => ValueReference::Capture(Box::new(CaptureReference {
            values: source(&capture.values, base),
            regex: capture.regex.clone(),
            group: capture.group.clone(),
        })),
        ValueReference::Raw { .. }
        | ValueReference::JsonPath(_)
        | ValueReference::Derived(_)
        | ValueReference::Fact(_)
        | ValueReference::Where(_)
        | ValueReference::Constant(_)
        | ValueReference::Measured(Measure::Files(_)) => whole.clone(),
    }
}
