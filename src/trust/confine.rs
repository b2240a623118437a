//! The restriction of a rule that the user does not trust: its denial or question, marked, about the event and the
//! project alone.

use std::sync::Arc;

use crate::ruleset::{
    CommandTest, Condition, Dir, Effect, FactName, Kind, Mode, Part, Rule, Source, Template, Test, TouchTest, Unknown,
    Value, WhereField,
};
use crate::verdict::Decision;

/// The prefix of such a rule's message.
const MARK: &str = "This repository's policy (not trusted) says: ";

/// The message of such a rule without its own.
const SILENT: &str = "A rule of this repository's policy (not trusted) is against this.";

/// Returns the restricted rule; `None` if it can neither deny nor ask.
#[must_use]
pub fn confined(rule: &Rule) -> Option<Rule> {
    if rule.traits.mode != Mode::Active {
        return None;
    }
    let mut head = rule.head.clone();
    let (mut effects, mut effect_spans) = (Vec::new(), Vec::new());
    for (effect, span) in rule.effects.iter().zip(rule.effect_spans.iter()) {
        let (decision, message) = match effect {
            Effect::Vote { decision: decision @ (Decision::Ask | Decision::Deny), message, .. } => (*decision, message),
            Effect::Vote { decision: Decision::Halt, message, .. } | Effect::Exit { code: 2, message } => {
                // On other events, neither is a denial.
                head.events.retain(|selector| selector.event.spec().answers.deny);
                (Decision::Deny, message)
            }
            _ => continue,
        };
        effects.push(Effect::Vote { decision, message: marked(message), interrupt: false });
        effect_spans.push(*span);
    }
    if effects.is_empty() || head.events.is_empty() {
        return None;
    }
    // On events that cannot ask, an unknown condition would only produce a text for the user.
    let can_ask = head.events.iter().any(|selector| selector.event.spec().answers.ask);
    let unknown = match rule.unknown {
        Unknown::Default | Unknown::Ask if !can_ask => Unknown::Ignore,
        unknown => unknown,
    };
    // The program chooses what a pack examines, which is nothing that a repository could want to learn.
    let confine = |whole: &Condition| if is_of_pack(rule) { whole.clone() } else { condition(whole) };
    Some(Rule {
        head,
        effects: effects.into(),
        effect_spans: effect_spans.into(),
        unknown,
        when: rule.when.as_ref().map(confine),
        unless: rule.unless.as_ref().map(confine),
        can_allow: false,
        can_block: true,
        ..rule.clone()
    })
}

/// Whether a rule is from a pack. No other rule has a slash in its name.
fn is_of_pack(rule: &Rule) -> bool {
    rule.name.contains('/')
}

fn marked(message: &Template) -> Template {
    let is_blank = message.parts.iter().all(|part| matches!(part, Part::Text(text) if text.trim().is_empty()));
    if is_blank {
        return Template { parts: vec![Part::Text(SILENT.to_owned())] };
    }
    let parts = message.parts.iter().map(|part| match part {
        Part::Value(value) => Part::Value(source(value)),
        text @ Part::Text(_) => text.clone(),
    });
    Template { parts: std::iter::once(Part::Text(MARK.to_owned())).chain(parts).collect() }
}

/// Restricts a condition to the event, git's state and project files: a rule without trust could leak any other fact
/// through a denial message.
fn condition(whole: &Condition) -> Condition {
    let kind = match &whole.kind {
        Kind::And(parts) => Kind::And(parts.iter().map(condition).collect()),
        Kind::Or(parts) => Kind::Or(parts.iter().map(condition).collect()),
        Kind::Not(inner) => Kind::Not(Box::new(condition(inner))),
        Kind::Def(inner) => Kind::Def(Arc::new(condition(inner))),
        Kind::Constant(truth) => Kind::Constant(*truth),
        Kind::Compare { source: compared, all, negated, test: with } => {
            Kind::Compare { source: source(compared), all: *all, negated: *negated, test: test(with) }
        }
        Kind::Exists(found) => Kind::Exists(source(found)),
        Kind::Truth(truth) => Kind::Truth(source(truth)),
        Kind::Command(CommandTest::Runs { patterns, filter }) => Kind::Command(CommandTest::Runs {
            patterns: patterns.clone(),
            filter: filter.as_ref().map(|filter| condition(filter).into()),
        }),
        Kind::Command(command) => Kind::Command(command.clone()),
        Kind::Connects(test) => Kind::Connects(test.clone()),
        Kind::Touches { verb, test } => Kind::Touches { verb: *verb, test: touches(test) },
    };
    Condition { kind, span: whole.span }
}

fn test(whole: &Test) -> Test {
    match whole {
        Test::Equal(with) => Test::Equal(value(with)),
        Test::Order(order, with) => Test::Order(*order, value(with)),
        Test::In(with) => Test::In(with.iter().map(value).collect::<Vec<_>>().into()),
        Test::Contains(with) => Test::Contains(value(with)),
        Test::StartsWith(with) => Test::StartsWith(value(with)),
        Test::EndsWith(with) => Test::EndsWith(value(with)),
        Test::Under(dirs) => Test::Under(dirs.iter().map(directory).collect::<Vec<_>>().into()),
        Test::Outside(dirs) => Test::Outside(dirs.iter().map(directory).collect::<Vec<_>>().into()),
        Test::LikeText(_) | Test::LikePath(_) | Test::Matches(_) => whole.clone(),
    }
}

fn touches(test: &TouchTest) -> TouchTest {
    match test {
        TouchTest::Like(globs) => TouchTest::Like(globs.clone()),
        TouchTest::Under(dirs) => TouchTest::Under(dirs.iter().map(directory).collect::<Vec<_>>().into()),
        TouchTest::Outside(dirs) => TouchTest::Outside(dirs.iter().map(directory).collect::<Vec<_>>().into()),
    }
}

fn directory(dir: &Dir) -> Dir {
    match dir {
        Dir::Source(found) => Dir::Source(source(found)),
        Dir::Project | Dir::Tmp | Dir::Home | Dir::Literal(_) => dir.clone(),
    }
}

fn value(whole: &Value) -> Value {
    match whole {
        Value::Source(found) => Value::Source(source(found)),
        Value::Literal(_) => whole.clone(),
    }
}

fn source(whole: &Source) -> Source {
    match whole {
        Source::Fact(FactName::Env(name)) => Source::Fact(FactName::Withheld(name.clone())),
        Source::Fact(FactName::File(fact, file)) => Source::Fact(FactName::OwnFile(*fact, Box::new(value(file)))),
        Source::Where(WhereField::Env(name)) => Source::Where(WhereField::SetEnv(name.clone())),
        _ => whole.clone(),
    }
}
