//! Judges `test` blocks: payloads for a whole policy.

use std::sync::Arc;

use serde_json::Value as Json;

use super::given::{given, literal};
use super::{Failure, HOST, Keep, Seen};
use crate::context::{Context, ShellTools};
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::eval::{Detail, Evaluation, Judged, Outcome, decide, evaluate};
use crate::ruleset::{Rule, RuleSet};
use crate::schema::{OUTPUT, WRITTEN_TEXTS};
use crate::span::Span;
use crate::syntax::ast::{self, Case, Expect, FieldName, Name};
use crate::verdict::{Command, Decision, Run, Verdict};

const DECISIONS: &[&str] = &["pass", "allow", "ask", "deny", "halt"];

/// Judges one `given … expect …`.
pub(super) fn judge(case: &Case, rules: &RuleSet, tools: &ShellTools, keep: Keep) -> (Result<(), Failure>, Seen) {
    let detail = if keep == Keep::Parts { Detail::Conditions } else { Detail::Outcomes };
    let mut seen = Seen::default();
    let evaluation = match evaluated(case, rules, tools, detail) {
        Ok(evaluation) => evaluation,
        Err(diagnostic) => return (Err(diagnostic.into()), seen),
    };
    if keep == Keep::Parts {
        let judged = evaluation.trace.rules.iter().chain(&evaluation.trace.again);
        judged.filter_map(|judged| rule_of(rules, judged)).for_each(|(rule, judged)| seen.judged(rule, judged));
    }
    let Err(diagnostic) = compare(case, rules, &evaluation) else { return (Ok(()), seen) };
    let failure = match evaluated(case, rules, tools, Detail::Conditions) {
        Ok(evaluation) => {
            Failure { diagnostic, judged: concerned(case, rules, &evaluation), verdict: Some(evaluation.verdict) }
        }
        Err(_) => diagnostic.into(),
    };
    (Err(failure), seen)
}

/// Whether a case passes under some rules. Rules that the call does not concern are skipped.
#[must_use]
pub fn holds(case: &Case, rules: &RuleSet, tools: &ShellTools) -> bool {
    let decided = judged(case, rules, tools, |context| {
        let Ok(evaluation) = decide(rules, context, Detail::Outcomes);
        evaluation
    });
    decided.is_ok_and(|evaluation| compare(case, rules, &evaluation).is_ok())
}

/// Whether a case names one of some rules.
#[must_use]
pub fn names(case: &Case, rules: &[&str]) -> bool {
    let is_meant = |name: &str| rules.iter().any(|rule| *rule == name || rule.rsplit(['/', ':']).next() == Some(name));
    case.expect.by.iter().any(|name| is_meant(&name.text))
}

fn evaluated(case: &Case, rules: &RuleSet, tools: &ShellTools, detail: Detail) -> Result<Evaluation, Diagnostic> {
    judged(case, rules, tools, |context| evaluate(rules, context, detail))
}

fn judged(
    case: &Case,
    rules: &RuleSet,
    tools: &ShellTools,
    judge: impl FnOnce(&Context<'_>) -> Evaluation,
) -> Result<Evaluation, Diagnostic> {
    check(case, rules)?;
    let given = given(&case.given, None)?;
    Ok(judge(&Context::new(&given.payload, HOST, &given.facts, tools)))
}

/// Returns the results of the rules that a failed case concerns: those that it names, and those that decided; without
/// any, those that match or are unknown.
fn concerned(case: &Case, rules: &RuleSet, evaluation: &Evaluation) -> Vec<(Arc<Rule>, Judged)> {
    let winners: Vec<&str> = evaluation.verdict.winners().filter_map(|vote| vote.by.rule()).collect();
    let expected: Vec<&str> = case.expect.by.iter().filter_map(|name| named(rules, &name.text)).collect();
    let is_meant = |judged: &Judged| match winners.is_empty() && expected.is_empty() {
        true => judged.outcome != Outcome::NoMatch,
        false => winners.contains(&judged.shown.as_str()) || expected.contains(&judged.shown.as_str()),
    };
    let judged = evaluation.trace.rules.iter().filter(|judged| is_meant(judged));
    judged
        .filter_map(|judged| rule_of(rules, judged))
        .map(|(rule, judged)| (Arc::clone(rule), judged.clone()))
        .collect()
}

fn rule_of<'r, 'j>(rules: &'r RuleSet, judged: &'j Judged) -> Option<(&'r Arc<Rule>, &'j Judged)> {
    Some((rules.rules().get(judged.index)?, judged))
}

/// Checks the words of an `expect`, independently of the result.
fn check(case: &Case, rules: &RuleSet) -> Result<(), Diagnostic> {
    let decision = &case.expect.decision;
    if !DECISIONS.contains(&decision.text.as_str()) {
        return Err(no_decision(decision));
    }
    for name in &case.expect.by {
        if named(rules, &name.text).is_none() {
            let known = rules.rules().iter().map(|rule| rule.name.as_str());
            return Err(Diagnostic::new(Code::UNKNOWN_NAME, format!("unknown rule `{}`", name.text))
                .label(name.span, "not a rule")
                .maybe_help(suggest("rule", &name.text, known)));
        }
    }
    Ok(())
}

/// Other words for the decisions, in any form.
const OTHER_WORDS: &[(&str, &[&str])] = &[
    ("pass", &["ignore", "none", "nothing", "quiet", "silent", "skip"]),
    ("allow", &["accept", "approve", "approved", "grant", "ok", "permit", "permitted"]),
    ("ask", &["confirm", "nod", "prompt"]),
    ("deny", &["block", "blocked", "denied", "forbid", "forbidden", "refuse", "refused", "reject", "rejected"]),
    ("halt", &["abort", "stop", "stopped"]),
];

fn no_decision(decision: &Name) -> Diagnostic {
    let found = Diagnostic::new(Code::BAD_EXAMPLE, format!("`{}` is not a decision", decision.text))
        .label(decision.span, "not a decision");
    let lower = decision.text.to_ascii_lowercase();
    match OTHER_WORDS.iter().find(|(_, others)| others.contains(&lower.as_str())) {
        Some((ours, _)) => found.help(format!("write `expect {ours}`")).fix(decision.span, *ours),
        None => found.meant(decision.span, "decision", &decision.text, DECISIONS.iter().copied()),
    }
}

/// Finds a rule by its name; the last part of the name suffices if it is unique.
fn named<'r>(rules: &'r RuleSet, name: &str) -> Option<&'r str> {
    let full = rules.rules().iter().find(|rule| rule.name == name || rule.shown == name);
    let mut short = rules.rules().iter().filter(|rule| rule.name.rsplit('/').next() == Some(name));
    full.or_else(|| short.next().filter(|_| short.next().is_none())).map(|rule| rule.shown.as_str())
}

/// Returns the first deciding rule that is not from a pack and is in another file than the test.
fn of_another_file<'r>(case: &Case, rules: &'r RuleSet, shown: &[&str]) -> Option<&'r Rule> {
    let decided = |rule: &&Arc<Rule>| !rule.name.contains('/') && shown.contains(&rule.shown.as_str());
    let rule = rules.rules().iter().find(decided)?;
    (rule.name_span.file != case.given.span.file).then_some(&**rule)
}

/// Compares what a case expects with the result; returns the first difference.
fn compare(case: &Case, rules: &RuleSet, evaluation: &Evaluation) -> Result<(), Diagnostic> {
    let comparison = Comparison { case, expect: &case.expect, rules, verdict: &evaluation.verdict };
    comparison.decision()?;
    comparison.deciding_rules()?;
    comparison.message()?;
    comparison.contexts()?;
    comparison.rewrites()?;
    comparison.commands()
}

/// A case with its result.
struct Comparison<'c> {
    case: &'c Case,
    expect: &'c Expect,
    rules: &'c RuleSet,
    verdict: &'c Verdict,
}

impl<'c> Comparison<'c> {
    /// Returns the names of the deciding rules.
    fn winners(&self) -> Vec<&'c str> {
        self.verdict.winners().map(|vote| vote.by.name()).collect()
    }

    fn fails(&self, span: Span, is: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Code::WRONG_EXAMPLE, "a test fails").label(span, is).label(self.case.given.span, "given this")
    }

    fn decision(&self) -> Result<(), Diagnostic> {
        let (expected, is) = (&self.expect.decision, self.verdict.decision().word());
        if is == expected.text {
            return Ok(());
        }
        let winners = self.winners();
        let (by, by_rules) = match winners.as_slice() {
            [] => (String::new(), String::new()),
            winners => (format!(" by {}", quoted(winners)), format!(" by {}", winners.join(", "))),
        };
        let right = format!("expect {is}{by_rules}");
        let finding = self.fails(expected.span, format!("it is `{is}`{by}"));
        Err(match of_another_file(self.case, self.rules, &winners) {
            Some(rule) => finding.label(rule.name_span, "a rule of another file").help(format!(
                "a test is about all files that are checked together: name this one alone, or write `{right}`"
            )),
            None => finding.help(format!(
                "if the policy is right, write `{right}`; `rules explain` shows what each rule comes to"
            )),
        })
    }

    fn deciding_rules(&self) -> Result<(), Diagnostic> {
        for name in &self.expect.by {
            let rule = named(self.rules, &name.text).unwrap_or_default();
            if self.verdict.winners().any(|vote| vote.by.is_rule(rule)) {
                continue;
            }
            let winners = self.winners();
            let who = match self.verdict.decision() {
                Decision::Pass => "no rule votes".to_owned(),
                _ => format!("the deciding rule is {}", quoted(&winners)),
            };
            let right: Vec<&str> = winners.iter().map(|name| name.rsplit('/').next().unwrap_or(name)).collect();
            let help = match right.is_empty() {
                true => "delete `by`, or write a rule that decides this".to_owned(),
                false => format!("if the policy is right, write `by {}`", right.join(", ")),
            };
            return Err(self.fails(name.span, who).help(help));
        }
        Ok(())
    }

    fn message(&self) -> Result<(), Diagnostic> {
        let is_missing = |text: &&ast::Text| !self.verdict.message().contains(&text.value);
        let Some(text) = self.expect.message.iter().find(is_missing) else { return Ok(()) };
        Err(self.fails(text.span, format!("the message is {}", quoted(&[self.verdict.message().as_str()]))))
    }

    fn contexts(&self) -> Result<(), Diagnostic> {
        let all: Vec<&str> = self.verdict.contexts.iter().map(|context| context.text.as_str()).collect();
        match self.expect.context.iter().find(|text| !all.iter().any(|context| context.contains(&text.value))) {
            Some(text) if all.is_empty() => Err(self.fails(text.span, "there is no context")),
            Some(text) => Err(self.fails(text.span, format!("the context is {}", quoted(&all)))),
            None => Ok(()),
        }
    }

    fn rewrites(&self) -> Result<(), Diagnostic> {
        for (field, value) in &self.expect.rewrites {
            let wanted = literal(value)?;
            let of_output = field.segments.first().is_some_and(|segment| segment.text == OUTPUT);
            let updated = if of_output { &self.verdict.updated_output } else { &self.verdict.updated_input };
            match updated.as_ref().map(|updated| member(updated, field)) {
                Some(is) if is == wanted => {}
                Some(is) => return Err(self.fails(field.span, format!("it becomes {is}"))),
                None => return Err(self.fails(field.span, "nothing is rewritten")),
            }
        }
        Ok(())
    }

    fn commands(&self) -> Result<(), Diagnostic> {
        let runs = &self.verdict.runs;
        let is_run = |text: &str| runs.iter().any(|run| rendered(run).contains(text) || run.shown.contains(text));
        let Some(text) = self.expect.run.iter().find(|text| !is_run(&text.value)) else { return Ok(()) };
        let all: Vec<String> = runs.iter().map(rendered).collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        Err(match all.is_empty() {
            true => self.fails(text.span, "no command runs"),
            false => self.fails(text.span, format!("the command is {}", quoted(&all))),
        })
    }
}

/// Returns a member of the rewritten input or output: `null` if it is absent. Derived names refer to the members in
/// which each tool has them.
fn member(input: &Json, field: &FieldName) -> Json {
    let segments: Vec<&str> = field.segments.iter().map(|segment| segment.text.as_str()).collect();
    let get = |path: &[&str]| path.iter().try_fold(input, |json, name| json.get(*name)).cloned();
    let first = |names: &[&str]| names.iter().find_map(|name| input.get(*name)).cloned();
    let found = match segments.as_slice() {
        ["tool_input" | OUTPUT, rest @ ..] => get(rest),
        ["path"] => first(&["file_path", "notebook_path", "path"]),
        ["content"] => first(WRITTEN_TEXTS),
        other => get(other),
    };
    found.unwrap_or(Json::Null)
}

fn rendered(run: &Run) -> String {
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
