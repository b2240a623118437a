//! Judges the cases of `test` blocks. Each describes a payload, which is judged by a whole policy.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value as Json;

use super::input::{ExampleInput, input_in_session, json_literal};
use super::session::{ExampleSession, results_of_steps};
use super::{ExampleFailure, ExampleSetting, KeptResults, ObservedResults};
use crate::context::Context;
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::eval::{Evaluation, RuleJudgement, RuleOutcome, TraceDetail, decide, evaluate};
use crate::host::sent_answer;
use crate::policy::TestedRules;
use crate::ruleset::{Rule, RuleNames};
use crate::schema::{OUTPUT, WRITTEN_TEXTS};
use crate::span::Span;
use crate::syntax::ast::{self, Expectation, FieldName, Name, TestCase};
use crate::verdict::{Command, Decision, Run, Verdict};

const DECISIONS: &[&str] = &["pass", "allow", "ask", "deny", "halt"];

/// The words that `sends` accepts besides decisions.
const OTHER_ANSWERS: &[&str] = &[REWRITE, CONTEXT];
const REWRITE: &str = "rewrite";
const CONTEXT: &str = "context";

/// Judges one `given … expect …`. Returns whether it passes and, if all results are kept, the results that coverage
/// needs.
pub(super) fn judge_case(
    case: &TestCase,
    rules: &TestedRules,
    setting: &ExampleSetting,
    keep: KeptResults,
) -> (Result<(), ExampleFailure>, ObservedResults) {
    let detail = if keep == KeptResults::All { TraceDetail::Conditions } else { TraceDetail::Outcomes };
    let mut observed = ObservedResults::default();
    let (given, evaluation) = match evaluate_case(case, rules, setting, detail) {
        Ok(judged) => judged,
        Err(diagnostic) => return (Err(diagnostic.into()), observed),
    };
    if keep == KeptResults::All {
        observed.add(results_of_steps(case.steps().chain(case.given.after.iter().flatten()), setting));
        let judged = evaluation.trace.rules.iter().chain(&evaluation.trace.rejudged);
        judged
            .filter_map(|judged| find_judged_rule(rules, judged))
            .for_each(|(rule, judged)| observed.add_judged(rule, judged));
    }
    let Err(diagnostic) = check_expectations(case, rules, (&given, &evaluation)) else { return (Ok(()), observed) };
    let failure = match evaluate_case(case, rules, setting, TraceDetail::Conditions) {
        Ok((_, evaluation)) => ExampleFailure {
            diagnostic,
            judged: concerned_rules(case, rules, &evaluation),
            verdict: Some(evaluation.verdict),
        },
        Err(_) => diagnostic.into(),
    };
    (Err(failure), observed)
}

/// Whether a case passes under these rules. Judges only the rules that the index finds for the call, so there is no
/// full trace.
#[must_use]
pub fn case_passes(case: &TestCase, rules: &TestedRules, setting: &ExampleSetting) -> bool {
    let decided = judge_with(case, rules, setting, |context| {
        let Ok(evaluation) = decide(rules.set(), context, TraceDetail::Outcomes);
        evaluation
    });
    decided.is_ok_and(|(given, evaluation)| check_expectations(case, rules, (&given, &evaluation)).is_ok())
}

/// Whether the `by` of a case names one of these rules, with or without a path or layer before the name.
#[must_use]
pub fn names_any_rule(case: &TestCase, rules: &[&str]) -> bool {
    let last_segment = |name: &str| name.rsplit(['/', ':']).next().map(str::to_owned);
    let is_listed = |name: &str| rules.iter().any(|rule| *rule == name || last_segment(rule) == last_segment(name));
    case.expect.by.iter().any(|rule| is_listed(rule.text()))
}

/// Judges the payload of a case by all rules, with a trace of each.
fn evaluate_case(
    case: &TestCase,
    rules: &TestedRules,
    setting: &ExampleSetting,
    detail: TraceDetail,
) -> Result<(ExampleInput, Evaluation), Diagnostic> {
    judge_with(case, rules, setting, |context| evaluate(rules.set(), context, detail))
}

/// Builds the payload of a case, and judges it with `judge`. Returns the input and the result.
fn judge_with(
    case: &TestCase,
    rules: &TestedRules,
    setting: &ExampleSetting,
    judge: impl FnOnce(&Context<'_>) -> Evaluation,
) -> Result<(ExampleInput, Evaluation), Diagnostic> {
    check_expected_names(case, rules)?;
    let session = ExampleSession::of_case(case, rules, setting)?;
    let given = input_in_session(&case.given, None, setting, &session)?;
    let evaluation = judge(&Context::new(&given.payload, given.host.name(), &given.facts, &setting.tools));
    Ok((given, evaluation))
}

/// Returns the rules to show for a failed case, each with its result: the rules that the case expects, and those that
/// decided. If there are neither, those that match or are unknown.
fn concerned_rules(case: &TestCase, rules: &TestedRules, evaluation: &Evaluation) -> Vec<(Arc<Rule>, RuleJudgement)> {
    let winners: Vec<&str> = evaluation.verdict.winning_votes().filter_map(|vote| vote.author.rule()).collect();
    let expected: Vec<&str> = case.expect.by.iter().filter_map(|rule| rules.display_name(rule)).collect();
    let is_concerned = |judged: &RuleJudgement| match winners.is_empty() && expected.is_empty() {
        true => judged.outcome != RuleOutcome::NoMatch,
        false => winners.contains(&judged.display_name.as_str()) || expected.contains(&judged.display_name.as_str()),
    };
    let judged = evaluation.trace.rules.iter().filter(|judged| is_concerned(judged));
    judged
        .filter_map(|judged| find_judged_rule(rules, judged))
        .map(|(rule, judged)| (Arc::clone(rule), judged.clone()))
        .collect()
}

/// Returns the rule that a result belongs to, together with the result.
fn find_judged_rule<'r, 'j>(
    rules: &'r TestedRules,
    judged: &'j RuleJudgement,
) -> Option<(&'r Arc<Rule>, &'j RuleJudgement)> {
    Some((rules.rules().get(judged.index)?, judged))
}

/// Reports an unknown decision, rule or answer in an `expect`, before the case is judged.
fn check_expected_names(case: &TestCase, rules: &TestedRules) -> Result<(), Diagnostic> {
    let decision = &case.expect.decision;
    if !DECISIONS.contains(&decision.text.as_str()) {
        return Err(unknown_decision(decision));
    }
    let answers = || DECISIONS.iter().chain(OTHER_ANSWERS).copied();
    if let Some(unknown) = case.expect.sends.iter().find(|name| answers().all(|answer| answer != name.text)) {
        return Err(unknown_answer(unknown, answers()));
    }
    for name in &case.expect.by {
        let text = name.text();
        match rules.named(name).as_slice() {
            [_] => {}
            [] => {
                let known: BTreeSet<String> = rules.rules().iter().map(|rule| rules.unique_name(rule)).collect();
                return Err(Diagnostic::new(Code::UNKNOWN_NAME, format!("unknown rule `{text}`"))
                    .label(name.span(), "not a rule")
                    .help_if_any(suggest("rule", text, known.iter().map(String::as_str)).or_else(|| {
                        let help = "a path names a rule of a directory above; it is loaded where no PATH is given";
                        RuleNames::is_path(text).then(|| help.to_owned())
                    })));
            }
            several => {
                let names: Vec<String> = several.iter().map(|rule| format!("`{}`", rules.unique_name(rule))).collect();
                return Err(Diagnostic::new(Code::UNKNOWN_NAME, format!("`{text}` may be one of several rules"))
                    .label(name.span(), "which one?")
                    .help(format!("write {}", names.join(" or "))));
            }
        }
    }
    Ok(())
}

/// Each decision, with the words that people know for it from other tools, for suggestions.
const FOREIGN_DECISIONS: &[(&str, &[&str])] = &[
    ("pass", &["ignore", "none", "nothing", "quiet", "silent", "skip"]),
    ("allow", &["accept", "approve", "approved", "grant", "ok", "permit", "permitted"]),
    ("ask", &["confirm", "nod", "prompt"]),
    ("deny", &["block", "blocked", "denied", "forbid", "forbidden", "refuse", "refused", "reject", "rejected"]),
    ("halt", &["abort", "stop", "stopped"]),
];

/// Returns the finding about a word that is not a decision.
fn unknown_decision(decision: &Name) -> Diagnostic {
    let found = Diagnostic::new(Code::BAD_EXAMPLE, format!("`{}` is not a decision", decision.text))
        .label(decision.span, "not a decision");
    let lower = decision.text.to_ascii_lowercase();
    match FOREIGN_DECISIONS.iter().find(|(_, others)| others.contains(&lower.as_str())) {
        Some((ours, _)) => found.help(format!("write `expect {ours}`")).fix(decision.span, *ours),
        None => found.suggest_name(decision.span, "decision", &decision.text, DECISIONS.iter().copied()),
    }
}

/// Returns the finding about a word after `sends` that is not an answer.
fn unknown_answer<'n>(name: &Name, answers: impl Iterator<Item = &'n str>) -> Diagnostic {
    let found = Diagnostic::new(Code::BAD_EXAMPLE, format!("`{}` is not an answer", name.text))
        .label(name.span, "not an answer");
    let lower = name.text.to_ascii_lowercase();
    match FOREIGN_DECISIONS.iter().find(|(_, others)| others.contains(&lower.as_str())) {
        Some((ours, _)) => found.help(format!("write `sends {ours}`")).fix(name.span, *ours),
        None => found.suggest_name(name.span, "answer", &name.text, answers),
    }
}

/// Returns the first deciding rule if it is written in another file than the test. Rules of packs are ignored. `shown`
/// has the display names of the deciding rules.
fn deciding_rule_in_other_file<'r>(case: &TestCase, rules: &'r TestedRules, shown: &[&str]) -> Option<&'r Rule> {
    let is_deciding = |rule: &&Arc<Rule>| !rule.name.contains('/') && shown.contains(&rule.display_name.as_str());
    let rule = rules.rules().iter().find(is_deciding)?;
    (rule.name_span.file != case.given.span.file).then_some(&**rule)
}

/// Compares the result of a case with each part of its `expect`. The error is the finding about the first difference.
fn check_expectations(
    case: &TestCase,
    rules: &TestedRules,
    (given, evaluation): (&ExampleInput, &Evaluation),
) -> Result<(), Diagnostic> {
    let comparison = Comparison { case, expect: &case.expect, rules, given, verdict: &evaluation.verdict };
    // Each comparison returns the finding about its first difference, and ends the function with it.
    comparison.decision()?;
    comparison.deciding_rules()?;
    comparison.answers()?;
    comparison.message()?;
    comparison.contexts()?;
    comparison.rewrites()?;
    comparison.commands()
}

/// A case and the verdict on its payload, which are compared part by part.
struct Comparison<'c> {
    case: &'c TestCase,
    expect: &'c Expectation,
    rules: &'c TestedRules,
    given: &'c ExampleInput,
    verdict: &'c Verdict,
}

impl<'c> Comparison<'c> {
    /// Returns the names of the deciding rules.
    fn winners(&self) -> Vec<&'c str> {
        self.verdict.winning_votes().map(|vote| vote.author.name()).collect()
    }

    /// Returns the finding that the part of `expect` at a span is wrong; `is` says what the result is instead.
    fn fails(&self, span: Span, is: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Code::WRONG_EXAMPLE, "a test fails").label(span, is).label(self.case.given.span, "given this")
    }

    /// Compares the verdict's decision with the expected one.
    fn decision(&self) -> Result<(), Diagnostic> {
        let (expected, is) = (&self.expect.decision, self.verdict.decision().keyword());
        if is == expected.text {
            return Ok(());
        }
        let winners = self.winners();
        let (by, by_rules) = match winners.as_slice() {
            [] => (String::new(), String::new()),
            winners => {
                let names: Vec<String> = winners.iter().map(|name| self.rules.full_reference(name)).collect();
                (format!(" by {}", quoted(winners)), format!(" by {}", names.join(", ")))
            }
        };
        let right = format!("expect {is}{by_rules}");
        let finding = self.fails(expected.span, format!("it is `{is}`{by}"));
        Err(match deciding_rule_in_other_file(self.case, self.rules, &winners) {
            Some(rule) => finding.label(rule.name_span, "a rule of another file").help(format!(
                "a test is about all files that are checked together: name this one alone, or write `{right}`"
            )),
            None => finding.help(format!(
                "if the policy is right, write `{right}`; `rules explain` shows what each rule comes to"
            )),
        })
    }

    /// Checks that each rule after `by` is among the deciding ones.
    fn deciding_rules(&self) -> Result<(), Diagnostic> {
        for name in &self.expect.by {
            let rule = self.rules.display_name(name).unwrap_or_default();
            if self.verdict.winning_votes().any(|vote| vote.author.is_rule(rule)) {
                continue;
            }
            let winners = self.winners();
            let who = match self.verdict.decision() {
                Decision::Pass => "no rule votes".to_owned(),
                _ => format!("the deciding rule is {}", quoted(&winners)),
            };
            let right: Vec<String> = winners.iter().map(|name| self.rules.reference(name)).collect();
            let help = match right.is_empty() {
                true => "delete `by`, or write a rule that decides this".to_owned(),
                false => format!("if the policy is right, write `by {}`", right.join(", ")),
            };
            return Err(self.fails(name.span(), who).help(help));
        }
        Ok(())
    }

    /// Checks that each answer after `sends` is in what the host is sent.
    fn answers(&self) -> Result<(), Diagnostic> {
        let ExampleInput { payload, host, .. } = self.given;
        let sent = sent_answer(*host, &payload.origin, self.verdict);
        let is_sent = |name: &&Name| match name.text.as_str() {
            REWRITE => sent.is_rewritten,
            CONTEXT => sent.has_context,
            decision => decision == sent.decision.keyword(),
        };
        let Some(missing) = self.expect.sends.iter().find(|name| !is_sent(name)) else { return Ok(()) };
        let (title, event) = (host.title(), payload.event.name());
        let rewrites = self.verdict.updated_input.is_some() || self.verdict.updated_output.is_some();
        let why = match missing.text.as_str() {
            REWRITE if !rewrites => "nothing is rewritten".to_owned(),
            CONTEXT if self.verdict.contexts.is_empty() => "there is no context".to_owned(),
            CONTEXT => format!("{title} takes no context on {event}, so it is not sent"),
            _ => {
                let as_decided = || format!("{title} is sent {}", sent.noun());
                sent.difference(*host, self.verdict).unwrap_or_else(as_decided)
            }
        };
        let is_decision = DECISIONS.contains(&missing.text.as_str());
        let right = is_decision.then(|| format!("if the policy is right, write `sends {}`; ", sent.decision.keyword()));
        let shown = format!("`rules explain --host {}` shows every byte", host.name());
        Err(self.fails(missing.span, why).help(format!("{}{shown}", right.unwrap_or_default())))
    }

    /// Checks that the verdict's message contains each expected text.
    fn message(&self) -> Result<(), Diagnostic> {
        let is_missing = |text: &&ast::StringLiteral| !self.verdict.message().contains(&text.value);
        let Some(text) = self.expect.message.iter().find(is_missing) else { return Ok(()) };
        Err(self.fails(text.span, format!("the message is {}", quoted(&[self.verdict.message().as_str()]))))
    }

    /// Checks that each expected text is in one of the contexts.
    fn contexts(&self) -> Result<(), Diagnostic> {
        let contexts: Vec<&str> = self.verdict.contexts.iter().map(|context| context.text.as_str()).collect();
        match self.expect.context.iter().find(|text| !contexts.iter().any(|context| context.contains(&text.value))) {
            Some(text) if contexts.is_empty() => Err(self.fails(text.span, "there is no context")),
            Some(text) => Err(self.fails(text.span, format!("the context is {}", quoted(&contexts)))),
            None => Ok(()),
        }
    }

    /// Checks that each expected field has the expected value after the rewrites.
    fn rewrites(&self) -> Result<(), Diagnostic> {
        for (field, value) in &self.expect.rewrites {
            let wanted = json_literal(value)?;
            let of_output = field.segments.first().is_some_and(|segment| segment.text == OUTPUT);
            let updated = if of_output { &self.verdict.updated_output } else { &self.verdict.updated_input };
            match updated.as_ref().map(|updated| rewritten_member(updated, field)) {
                Some(is) if is == wanted => {}
                Some(is) => return Err(self.fails(field.span, format!("it becomes {is}"))),
                None => return Err(self.fails(field.span, "nothing is rewritten")),
            }
        }
        Ok(())
    }

    /// Checks that each expected text is in one of the commands that the verdict runs, expanded or as it is written.
    fn commands(&self) -> Result<(), Diagnostic> {
        let runs = &self.verdict.runs;
        let is_run = |text: &str| runs.iter().any(|run| run_text(run).contains(text) || run.source_text.contains(text));
        let Some(text) = self.expect.run.iter().find(|text| !is_run(&text.value)) else { return Ok(()) };
        let command_texts: Vec<String> = runs.iter().map(run_text).collect();
        let command_texts: Vec<&str> = command_texts.iter().map(String::as_str).collect();
        Err(match command_texts.is_empty() {
            true => self.fails(text.span, "no command runs"),
            false => self.fails(text.span, format!("the command is {}", quoted(&command_texts))),
        })
    }
}

/// Returns a member of the rewritten input or output; `null` if it is absent. A derived name stands for whichever
/// member the tool uses for it: `path` for `file_path`, `notebook_path` or `path`.
fn rewritten_member(input: &Json, field: &FieldName) -> Json {
    let segments: Vec<&str> = field.segments.iter().map(|segment| segment.text.as_str()).collect();
    let value_at = |path: &[&str]| path.iter().try_fold(input, |json, name| json.get(*name)).cloned();
    let first_of = |names: &[&str]| names.iter().find_map(|name| input.get(*name)).cloned();
    let value = match segments.as_slice() {
        ["tool_input" | OUTPUT, rest @ ..] => value_at(rest),
        ["path"] => first_of(&["file_path", "notebook_path", "path"]),
        ["content"] => first_of(WRITTEN_TEXTS),
        other => value_at(other),
    };
    value.unwrap_or(Json::Null)
}

/// Returns the text of a command that a verdict runs, with its parameters inserted: `${1}` and `"${1}"` become the
/// first one.
fn run_text(run: &Run) -> String {
    match &run.command {
        Command::Argv(words) => words.join(" "),
        Command::Shell { script, parameters } => {
            let mut text = script.clone();
            for (index, parameter) in parameters.iter().enumerate() {
                let number = index + 1;
                text = text
                    .replace(&format!("\"${{{number}}}\""), parameter)
                    .replace(&format!("${{{number}}}"), parameter);
            }
            text
        }
    }
}

fn quoted(texts: &[&str]) -> String {
    texts.iter().map(|text| format!("`{text}`")).collect::<Vec<_>>().join(", ")
}
