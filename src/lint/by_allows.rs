//! Finds an `allow` or an exception for an agent by its name, or by an environment variable. Neither proves anything:
//! anybody who can define agents can choose the name, and a variable has the value that somebody gave it.

use super::comparison::visit_tests;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::lint::agents::MAIN;
use crate::ruleset::{
    Condition, ConditionExpr, DerivedField, DirOperand, FactName, Patterns, Rule, RuleMode, ValueReference, ValueTest,
    WhereField,
};
use crate::schema::Event;
use hookrules_shell::Pattern;

pub(super) const LINT: Lint = Lint { codes: &[Code::BY_ALLOWS, Code::TAUTOLOGY], check };

/// Reports an `allow` for a subagent that is named after `by`, and each exception of a `use` that rests on a name.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    report_allowed_agent(rule, findings);
    if rule.traits.mode != RuleMode::Active || rule.can_allow || !rule.can_block {
        return;
    }
    visit_tests(rule, &mut |seen| {
        let ConditionExpr::Certain(exception) = &seen.test.kind else { return };
        if holds_for_all(rule, exception, seen.filtered_patterns) {
            findings.push(
                Diagnostic::new(Code::TAUTOLOGY, "an exception that holds for every match of the rule")
                    .label(exception.span, "leaves nothing of the rule")
                    .help("narrow it; to leave the rule out, write `except` and its name alone"),
            );
        }
        exception.visit_tests(&mut |test, is_negated| {
            report_exception(written, test, seen.is_exception != is_negated, findings);
        });
    });
}

/// Whether an exception certainly holds for all that its rule matches: `where push_target like "*"`, `where program ==
/// "git"` for a rule about `git push`.
fn holds_for_all(rule: &Rule, exception: &Condition, patterns: Option<&Patterns>) -> bool {
    let each = |part: &Condition| holds_for_all(rule, part, patterns);
    match &exception.kind {
        ConditionExpr::And(parts) => parts.iter().all(each),
        ConditionExpr::Or(parts) => parts.iter().any(each),
        ConditionExpr::Def(inner) => each(inner),
        ConditionExpr::Compare { source, negated: false, test, .. } => match (source, test) {
            (_, ValueTest::LikeText(globs)) => globs.patterns().any(|glob| matches!(glob, "*" | "**")),
            (_, ValueTest::LikePath(globs)) => globs.patterns().any(|glob| glob == "**"),
            (ValueReference::Where(WhereField::Program), ValueTest::Equal(value)) => {
                let program = value.as_text();
                let begins = |pattern: &Pattern| pattern.text().split_whitespace().next() == program;
                program.is_some() && patterns.is_some_and(|patterns| patterns.iter().all(begins))
            }
            (ValueReference::Derived(DerivedField::Event), ValueTest::Equal(value)) => {
                rule.head.event_set().into_iter().all(|event| value.as_text() == Some(event.name()))
            }
            (ValueReference::Derived(DerivedField::Project), ValueTest::Under(dirs)) => {
                dirs.iter().any(|dir| matches!(dir, DirOperand::Project))
            }
            _ => false,
        },
        _ => false,
    }
}

/// Reports an `allow` for a subagent that is named after `by`.
fn report_allowed_agent(rule: &Rule, findings: &mut FindingSink) {
    let asks_permission = |event| matches!(event, Event::PreToolUse | Event::PermissionRequest);
    if !rule.can_allow
        || rule.traits.mode != RuleMode::Active
        || !rule.head.event_set().into_iter().any(asks_permission)
    {
        return;
    }
    let Some(agents) = &rule.head.agents else { return };
    let Some((name, span)) =
        agents.0.written.iter().find(|(name, _)| name != MAIN && agents.0.includes.iter().any(|it| it == name))
    else {
        return;
    };
    findings.push(
        Diagnostic::new(Code::BY_ALLOWS, "an `allow` for an agent by its name")
            .label(*span, format!("a file in `.claude/agents` gives any agent the name `{name}`"))
            .help("allow it for every agent, or for none: `by` can make a rule stricter, and proves nothing"),
    );
}

/// What to do instead of trusting a name.
const NO_PROOF: &str = "test what the call does, or let the user decide: `ask \"…\"`";

/// Reports a test of an agent's name or of an environment variable if a call that satisfies it escapes the rule.
/// `is_exception` is whether an odd number of `not` and `unless` apply to the test.
fn report_exception(written: &SourceTexts<'_>, test: &Condition, is_exception: bool, findings: &mut FindingSink) {
    let (source, is_negated) = match &test.kind {
        // A test for an empty value is about whether there is one.
        ConditionExpr::Compare { test: ValueTest::Equal(value), .. } if value.as_text() == Some("") => return,
        ConditionExpr::Compare { source, negated, .. } => (source, *negated),
        ConditionExpr::Exists(source) => (source, false),
        _ => return,
    };
    if is_exception == is_negated {
        return;
    }
    let (message, label) = match source {
        ValueReference::Derived(DerivedField::Agent | DerivedField::AgentType) => {
            let names = written.comparison(test).and_then(|comparison| comparison.texts);
            if names.is_some_and(|names| names.iter().all(|name| name.text == MAIN)) {
                return;
            }
            let label = "a file in `.claude/agents` gives any agent this name".to_owned();
            ("an exception for an agent by its name", label)
        }
        ValueReference::Fact(FactName::Env(name)) => {
            let label = format!("the settings of the host, and whoever starts it, can set `{name}`");
            ("an exception by an environment variable", label)
        }
        _ => return,
    };
    findings.push(Diagnostic::new(Code::BY_ALLOWS, message).label(test.span, label).help(NO_PROOF));
}
