//! Finds a `run` that denies with `exit 2` in a rule whose condition can be unknown. In that case, the command does not
//! run, and nobody is asked.

use super::comparison::visit_tests;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{ConditionExpr, Effect, Rule, RuleMode, RunCommand, UnknownClause};
use crate::schema::Event;

pub(super) const LINT: Lint = Lint { codes: &[Code::GATE_OPEN_ON_UNKNOWN], check };

/// Reports a `run` with `exit 2` on PreToolUse, if the condition tests what a call does and the rule has no
/// `unknown`.
fn check(_: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    let is_before_calls = rule.head.events.iter().any(|selector| selector.event == Event::PreToolUse);
    if !is_before_calls || rule.can_block || rule.unknown != UnknownClause::Default || rule.traits.mode == RuleMode::Off
    {
        return;
    }
    // What a call does may be unknown; the fields of the call are known.
    let mut tests_call = false;
    visit_tests(rule, &mut |seen| {
        tests_call |= matches!(
            seen.test.kind,
            ConditionExpr::Command(_)
                | ConditionExpr::Touches { .. }
                | ConditionExpr::TouchesFilled { .. }
                | ConditionExpr::Connects(_)
        );
    });
    let is_gate = |effect: &Effect| matches!(effect, Effect::Run(run) if is_refusal(&run.command, &run.shown));
    let gate = rule.effects.iter().zip(rule.effect_spans.iter()).find(|(effect, _)| is_gate(effect));
    findings.extend(gate.filter(|_| tests_call).map(|(_, span)| {
        Diagnostic::new(Code::GATE_OPEN_ON_UNKNOWN, "a check that a call passes if it is not known what it does")
            .label(*span, "does not run then, and nobody is asked")
            .help("write `unknown ask` above it, or `unknown ignore` if that is meant")
    }));
}

/// Whether a command is shell text that contains `exit 2`.
fn is_refusal(command: &RunCommand, shown: &str) -> bool {
    let mut words = shown.split(|c: char| c.is_whitespace() || matches!(c, ';' | '}' | ')'));
    let exits = |word: &str| word == "exit" || word.ends_with("{exit");
    let mut before = "";
    let is_refused = words.any(|word| exits(std::mem::replace(&mut before, word)) && word == "2");
    matches!(command, RunCommand::Shell(..)) && is_refused
}
