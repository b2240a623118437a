//! Finds questions about the past that mean something other than what they seem to say.

use std::collections::BTreeSet;

use super::comparison::SourceTexts;
use super::{FindingSink, Lint};
use crate::diagnostic::{Code, Diagnostic};
use crate::host::Host;
use crate::ruleset::{
    Condition, ConditionExpr, MarkedEvents, NeverCertain, OrderOperator, PastTest, Rule, UnknownClause, ValueTest,
};
use crate::schema::{Event, Subject};
use crate::verdict::Decision;

pub(super) const LINT: Lint = Lint {
    codes: &[
        Code::GATE_OPEN_ON_PAST,
        Code::NEVER_SINCE,
        Code::BUDGET_AFTERWARDS,
        Code::NEVER_CERTAIN,
        Code::CONTRADICTORY_CONDITION,
    ],
    check,
};

/// Returns the findings about gates that a successful call opens, on a host that does not tell whether a call succeeded.
pub(super) fn untold_success_findings(rule: &Rule, host: Host) -> Vec<Diagnostic> {
    let finding = |question: &Question<'_>| {
        let mark = opening_mark(rule, question).filter(|mark| mark.is_of_ended_calls && !mark.counts_possible)?;
        let found = Diagnostic::new(Code::NOT_TOLD, format!("no `{}` is certain", mark.name));
        Some(found.label(question.test.span, "the agent does not tell whether a call succeeded").help(format!(
            "`unknown counts` in `mark {}` counts calls that may have failed; `@allow(not-told-by-host, \"…\")` accepts it",
            mark.name
        )))
    };
    match host.hides_failures() {
        true => questions_of(rule).iter().filter_map(finding).collect(),
        false => Vec::new(),
    }
}

/// Returns the questions of a rule about the past.
fn questions_of(rule: &Rule) -> Vec<Question<'_>> {
    let mut questions = Vec::new();
    for (condition, is_exception) in [(&rule.when, false), (&rule.unless, true)] {
        let Some(condition) = condition else { continue };
        condition.visit_tests(&mut |test, is_negated| {
            if let Some(question) = Question::of(test, is_negated != is_exception) {
                questions.push(question);
            }
        });
    }
    questions
}

fn check(_: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    let questions = questions_of(rule);
    let Some(first) = questions.first() else { return };
    let since_itself: Vec<Diagnostic> = questions.iter().filter_map(since_itself).collect();
    if !since_itself.is_empty() {
        return findings.extend(since_itself);
    }
    findings.extend(gate_open_on_unknown(rule, first));
    findings.extend(questions.iter().filter_map(|question| never_since(rule, question)));
    findings.extend(questions.iter().filter_map(|question| never_certain(rule, question)));
    let mut counted = BTreeSet::new();
    let budgets = questions.iter().filter(|question| question.is_budget() && counted.insert(question.past.mark.id));
    findings.extend(budgets.filter_map(|question| budget_afterwards(rule, question)));
}

/// A test that asks about earlier events: `happened`, or a count of events.
struct Question<'c> {
    test: &'c Condition,
    past: &'c PastTest,
    /// Whether it counts the events, instead of asking whether one happened.
    counts: bool,
    is_negated: bool,
}

impl<'c> Question<'c> {
    fn of(test: &'c Condition, is_negated: bool) -> Option<Self> {
        let counts = !matches!(test.kind, ConditionExpr::Happened(_));
        test.past().map(|past| Self { test, past, counts, is_negated })
    }

    /// Whether it is true of a large number of events, and of no smaller one.
    fn is_budget(&self) -> bool {
        match &self.test.kind {
            ConditionExpr::Compare { test: ValueTest::Order(operator, _), .. } => {
                matches!(operator, OrderOperator::Greater | OrderOperator::GreaterEqual) != self.is_negated
            }
            _ => false,
        }
    }
}

/// Reports a gate that opens if the past is uncertain, on an event where nobody can be asked, such as the end of a
/// turn.
fn gate_open_on_unknown(rule: &Rule, question: &Question<'_>) -> Option<Diagnostic> {
    let events = rule.head.event_set();
    let only_warns = |event: &Event| event.spec().answers.deny && !event.spec().answers.ask;
    let silent = events.into_iter().find(only_warns)?;
    let denial =
        rule.effects.iter().zip(rule.effect_spans.iter()).find(|(effect, _)| effect.decision() == Some(Decision::Deny));
    let (_, span) = denial.filter(|_| rule.unknown == UnknownClause::Default)?;
    let found = Diagnostic::new(Code::GATE_OPEN_ON_PAST, format!("`{}` opens if the past is not certain", rule.name));
    let label = format!("on {} an unknown only warns", silent.name());
    Some(
        found
            .label(*span, label)
            .label(question.test.span, "unknown for `npm test | tail` and the like")
            .help("add `unknown deny`: the agent is then told what makes it certain"),
    )
}

/// Reports `happened A since A`: after the last event of a mark there is none.
fn since_itself(question: &Question<'_>) -> Option<Diagnostic> {
    let mark = &question.past.mark;
    question.past.since.as_ref().filter(|since| since.id == mark.id)?;
    let name = &mark.name;
    Some(
        Diagnostic::new(Code::CONTRADICTORY_CONDITION, format!("no event of `{name}` is since itself"))
            .label(question.test.span, if question.is_negated { "always true" } else { "never true" })
            .help(format!("name another mark after `since`, or ask how often it happened: `count {name} >= 2`")),
    )
}

/// Reports `not happened A since B`, which is also true in a session without any B.
fn never_since(rule: &Rule, question: &Question<'_>) -> Option<Diagnostic> {
    // Before a call, it may be intended: a backup since the last migration, or before the first one.
    let is_about_calls = rule.head.event_set().iter().any(|event| event.spec().subject == Subject::Tool);
    let is_intended = is_about_calls || !question.is_negated || question.counts;
    let since = question.past.since.as_ref().filter(|_| !is_intended)?;
    let name = &question.past.mark.name;
    Some(
        Diagnostic::new(Code::NEVER_SINCE, format!("true in a session without any `{}`", since.name))
            .label(question.test.span, format!("no `{name}` since none"))
            .help(format!("write `happened {} since {name}`", since.name)),
    )
}

/// Reports a gate that a mark opens of which no event is ever certain.
fn never_certain(rule: &Rule, question: &Question<'_>) -> Option<Diagnostic> {
    let mark = opening_mark(rule, question)?;
    let name = &mark.name;
    let help = match mark.never_certain.as_ref()? {
        NeverCertain::Text => format!(
            "test the commands in `mark {name}`, as in `when runs \"npm test\"`, or let what may have happened count: \
             `unknown counts`"
        ),
        NeverCertain::Background => {
            format!("write another test in `mark {name}`: a call in the background has not ended when it is reported")
        }
        NeverCertain::Failed => format!("write `on PostToolUse` in `mark {name}`, or `unknown counts`"),
        NeverCertain::Builtin(builtin) => format!(
            "`{builtin}` may change what other commands are: name another command in `mark {name}`, or write \
             `unknown counts` there"
        ),
    };
    let found =
        Diagnostic::new(Code::NEVER_CERTAIN, format!("`{name}` is never certain, and should open `{}`", rule.name));
    Some(found.label(question.test.span, "no call makes it known").help(help))
}

/// Returns the mark of a question whose events keep a rule from voting: `happened EDITED since M`, `not happened M`.
/// For a rule that allows, the mark whose events let it.
fn opening_mark<'q>(rule: &Rule, question: &'q Question<'_>) -> Option<&'q MarkedEvents> {
    if rule.can_allow {
        return Some(&question.past.mark).filter(|_| !question.is_negated && !question.counts);
    }
    if !rule.can_block {
        return None;
    }
    match question.is_negated {
        true => Some(&question.past.mark).filter(|_| !question.counts),
        false => question.past.since.as_ref(),
    }
}

/// Reports a budget on PreToolUse that counts calls only once they have ended: calls that run at the same time all pass
/// it.
fn budget_afterwards(rule: &Rule, question: &Question<'_>) -> Option<Diagnostic> {
    let is_before = rule.head.event_set().contains(&Event::PreToolUse);
    let name = &question.past.mark.name;
    (is_before && question.past.mark.is_of_ended_calls).then(|| {
        Diagnostic::new(Code::BUDGET_AFTERWARDS, format!("`{name}` counts calls that have ended"))
            .label(question.test.span, "calls at the same time pass it together")
            .help(format!("write `on PreToolUse(…)` in `mark {name}`: it then counts attempts, also those that fail"))
    })
}
