//! Judges examples. Each describes a payload, which is judged by a single rule.

use std::sync::Arc;

use super::input::{ExampleInput, ExampleSetting, example_input, text_member};
use super::session::results_of_steps;
use super::{ExampleFailure, KeptResults, ObservedResults};
use crate::context::{Context, ShellTools};
use crate::diagnostic::{Code, Diagnostic};
use crate::eval::{ConditionTrace, RuleJudgement, RuleOutcome, TraceDetail, Truth, judge_example};
use crate::ruleset::{
    CommandTest, Condition, ConditionExpr, Head, LazyRegex, Rule, TouchTest, ValueReference, ValueTest, WhereField,
};
use crate::schema::{FieldType, tool_spec as spec};
use crate::span::Span;
use crate::syntax::ast::{Example, ExampleKind};

/// The maximum number of variants of a failing example that are judged to find the clause that it lacks.
const MAX_SIBLINGS: usize = 16;

/// Judges an example of a rule. Returns whether it passes and, if all results are kept, the results that coverage
/// needs.
pub(super) fn judge_example_of_rule(
    rule: &Arc<Rule>,
    kind: ExampleKind,
    example: &Example,
    setting: &ExampleSetting,
    keep: KeptResults,
) -> (Result<(), ExampleFailure>, ObservedResults) {
    let given = match example_input(example, Some(&rule.head), setting) {
        Ok(given) => given,
        Err(diagnostic) => return (Err(diagnostic.into()), ObservedResults::default()),
    };
    let judge = |detail| judge_input(rule, &given, &setting.tools, detail);
    let first = judge(if keep == KeptResults::All { TraceDetail::Conditions } else { TraceDetail::Outcomes });
    let mut observed = ObservedResults::default();
    if keep == KeptResults::All {
        first.iter().for_each(|judged| observed.add_judged(rule, judged));
        observed.add(results_of_steps(example.after.iter().flatten(), setting));
    }
    if has_expected_outcome(kind, first.as_ref()) {
        return (Ok(()), observed);
    }
    let judged = if keep == KeptResults::All { first } else { judge(TraceDetail::Conditions) };
    let mut diagnostic = failure_diagnostic(rule, kind, example, judged.as_ref());
    let other_member = || other_member_hint(rule, example, &given).filter(|_| kind == ExampleKind::Fires);
    let one_level_glob = || {
        let clause = match kind {
            ExampleKind::Quiet => rule.unless.as_ref(),
            ExampleKind::Fires => rule.when.as_ref(),
            ExampleKind::Unknown => None,
        };
        one_level_glob_hint(clause?, &given)
    };
    if let Some(help) = missing_clause_hint(rule, kind, example, setting).or_else(other_member).or_else(one_level_glob)
    {
        diagnostic = diagnostic.help(help);
    } else if diagnostic.help.is_none() {
        diagnostic = diagnostic.help(advice(rule, kind, judged.as_ref()));
    }
    let judged = judged.map(|judged| (Arc::clone(rule), judged)).into_iter().collect();
    (Err(ExampleFailure { diagnostic, verdict: None, judged }), observed)
}

/// Returns a hint if a failing example would pass with the `with { … }`, `by "…"` or `on …` of another example of the
/// rule: authors expect such a clause to hold for all examples, but it applies only to its own.
fn missing_clause_hint(rule: &Rule, kind: ExampleKind, example: &Example, setting: &ExampleSetting) -> Option<String> {
    let others = || rule.examples.iter().flat_map(|(_, examples)| examples.iter());
    let passes = |changed: &Example| {
        PreparedExample::new(kind, changed, &rule.head, setting).is_some_and(|prepared| prepared.passes_with(rule))
    };
    let with = others().filter(|other| example.with.is_none() && other.with.is_some());
    let with = with.map(|other| (Example { with: other.with.clone(), ..example.clone() }, "with { … }"));
    let by = others().filter(|other| example.by.is_none() && other.by.is_some());
    let by = by.map(|other| (Example { by: other.by.clone(), ..example.clone() }, "by \"…\""));
    let on = others().filter(|other| example.host.is_none() && other.host.is_some());
    let on = on.map(|other| (Example { host: other.host.clone(), ..example.clone() }, "on HOST"));
    let (_, part) = with.chain(by).chain(on).take(MAX_SIBLINGS).find(|(changed, _)| passes(changed))?;
    Some(format!("`{part}` holds for its own example alone: write it behind this one too"))
}

/// An example converted to a payload once, to be judged with its rule and with many mutants of the rule.
#[derive(Clone, Debug)]
pub struct PreparedExample {
    /// The outcome that the example expects: a match, no match, or an unknown result.
    kind: ExampleKind,
    given: ExampleInput,
    tools: Arc<ShellTools>,
}

impl PreparedExample {
    /// Builds the payload of an example, which takes from the rule's head what it does not state. `None` if the example
    /// does not describe a payload.
    #[must_use]
    pub fn new(kind: ExampleKind, example: &Example, head: &Head, setting: &ExampleSetting) -> Option<Self> {
        let given = example_input(example, Some(head), setting).ok()?;
        Some(Self { kind, given, tools: Arc::clone(&setting.tools) })
    }

    /// Whether judging the payload by a rule has the result that the example expects.
    #[must_use]
    pub fn passes_with(&self, rule: &Rule) -> bool {
        has_expected_outcome(self.kind, judge_input(rule, &self.given, &self.tools, TraceDetail::Outcomes).as_ref())
    }

    /// Whether the example would pass if the rule did not exist, because it expects no match.
    #[must_use]
    pub fn passes_without_rule(&self) -> bool {
        self.kind == ExampleKind::Quiet
    }
}

/// Judges the payload of an example by a rule; `None` if the head of the rule does not select the event.
fn judge_input(rule: &Rule, given: &ExampleInput, tools: &ShellTools, detail: TraceDetail) -> Option<RuleJudgement> {
    let context = Context::new(&given.payload, given.host.name(), &given.facts, tools);
    judge_example(rule, &context, detail)
}

/// Whether a result is the one that an example expects. No result, because the head does not select the event, counts
/// as no match.
fn has_expected_outcome(kind: ExampleKind, judged: Option<&RuleJudgement>) -> bool {
    let outcome = judged.map_or(&RuleOutcome::NoMatch, |judged| &judged.outcome);
    match kind {
        ExampleKind::Fires => *outcome == RuleOutcome::Match,
        ExampleKind::Quiet => *outcome == RuleOutcome::NoMatch,
        ExampleKind::Unknown => matches!(outcome, RuleOutcome::Unknown(_)),
    }
}

/// Returns the finding about a failed example, with the part of the condition that explains the actual result.
fn failure_diagnostic(rule: &Rule, kind: ExampleKind, example: &Example, judged: Option<&RuleJudgement>) -> Diagnostic {
    let outcome = judged.map_or(&RuleOutcome::NoMatch, |judged| &judged.outcome);
    let claimed = match kind {
        ExampleKind::Fires => "fires",
        ExampleKind::Quiet => "is quiet",
        ExampleKind::Unknown => "is unknown",
    };
    let is = match outcome {
        RuleOutcome::Match => "it fires".to_owned(),
        RuleOutcome::NoMatch => "it is quiet".to_owned(),
        RuleOutcome::Unknown(reason) => format!("it is unknown: {}", reason.sentence()),
    };
    let mut diagnostic = Diagnostic::new(Code::WRONG_EXAMPLE, format!("an example of `{}` fails", rule.name))
        .label(example.span, format!("the example says that it {claimed}, but {is}"));
    let parts = judged.map(|judged| judged.parts.as_slice()).unwrap_or_default();
    match parts.iter().find_map(|part| decisive_node(part, outcome)) {
        Some(part) => {
            let note = part.note.as_ref().map(|note| format!(": {note}")).unwrap_or_default();
            diagnostic = diagnostic.label(part.span, format!("this is {}{note}", part.truth.display_word()));
        }
        None if judged.is_none() => {
            diagnostic = diagnostic.help("`on` and `by` of the rule do not select it");
        }
        None => {}
    }
    // A rule that should have been quiet was not stopped by its `unless`: show the part of it that is false.
    let exception = rule.unless.as_ref().filter(|_| kind == ExampleKind::Quiet && *outcome == RuleOutcome::Match);
    let part = exception.and_then(|unless| parts.iter().find(|part| part.span == unless.span));
    match part.and_then(|part| decisive_node(part, &RuleOutcome::NoMatch)) {
        Some(part) => {
            let note = part.note.as_ref().map(|note| format!(": {note}")).unwrap_or_default();
            diagnostic.label(part.span, format!("this exception is {}{note}", part.truth.display_word()))
        }
        None => diagnostic,
    }
}

/// Returns a hint if a glob such as `src/*` matches only the direct entries of a directory, but the example has a path
/// deeper below it.
fn one_level_glob_hint(condition: &Condition, given: &ExampleInput) -> Option<String> {
    let mut globs = Vec::new();
    collect_path_globs(condition, &mut globs);
    let texts = given.payload.tool_input()?.as_object()?.values().filter_map(|value| value.as_str());
    let paths: Vec<&str> = texts.filter(|text| text.contains('/') && !text.contains('\n')).collect();
    let is_below = |glob: &&str| {
        let directory = glob.strip_suffix('*').filter(|rest| rest.ends_with('/') && !rest.contains('*'));
        directory.map(|directory| directory.trim_start_matches(['.', '/'])).is_some_and(|directory| {
            paths.iter().any(|path| path.starts_with(directory) || path.contains(&format!("/{directory}")))
        })
    };
    let glob = globs.into_iter().find(is_below)?;
    Some(format!("`{glob}` is what lies directly there: write `{glob}*` for any depth"))
}

/// Collects the globs that a condition compares with paths, including those of file tests.
fn collect_path_globs<'c>(condition: &'c Condition, globs: &mut Vec<&'c str>) {
    condition.visit_tests(&mut |test, _| {
        if let ConditionExpr::Compare { test: ValueTest::LikePath(list), .. }
        | ConditionExpr::Touches { test: TouchTest::Like(list), .. } = &test.kind
        {
            globs.extend(list.patterns());
        }
    });
}

/// Returns the advice for a failing example: move it to the list for the actual result, or change the rule or the
/// example.
fn advice(rule: &Rule, kind: ExampleKind, judged: Option<&RuleJudgement>) -> String {
    let outcome = judged.map_or(&RuleOutcome::NoMatch, |judged| &judged.outcome);
    let (right, change) = match (kind, outcome) {
        (_, RuleOutcome::Unknown(_)) => ("unknown on", "write what is not known into the example"),
        (_, RuleOutcome::Match) => ("fires on", "narrow the condition, with another test or `unless`"),
        (ExampleKind::Unknown, RuleOutcome::NoMatch) => ("quiet on", "write what is not known into the example"),
        (_, RuleOutcome::NoMatch) if judged.is_some_and(|judged| needs_multiline_flag(rule, judged)) => {
            ("quiet on", "add the flag `m`: without it `^` and `$` are the start and the end of the whole text")
        }
        (_, RuleOutcome::NoMatch) if judged.is_some_and(|judged| needs_every_spelling(rule, judged)) => {
            ("quiet on", "write each spelling of the option: no record of the program says which are the same")
        }
        (_, RuleOutcome::NoMatch) => ("quiet on", "change the part that is false"),
    };
    match kind {
        ExampleKind::Unknown => format!("if the rule is right, write it behind `{right}`"),
        _ => format!("if the rule is right, write it behind `{right}`; if the example is, {change}"),
    }
}

/// Whether the part that made the condition false is a regex that would match with the flag `m`.
fn needs_multiline_flag(rule: &Rule, judged: &RuleJudgement) -> bool {
    let Some(part) = judged.parts.iter().find_map(|part| decisive_node(part, &RuleOutcome::NoMatch)) else {
        return false;
    };
    let Some(text) = part.value.as_ref().filter(|value| value.contains('\n')) else { return false };
    let condition = [&rule.when, &rule.unless].into_iter().flatten().find_map(|it| test_at(it, part.span));
    let Some(ConditionExpr::Compare { test: ValueTest::Matches(regex), .. }) = condition.map(|it| &it.kind) else {
        return false;
    };
    let multiline = LazyRegex::parse(format!("(?m){}", regex.pattern()));
    multiline.is_ok_and(|(regex, _)| regex.compiled().is_ok_and(|regex| regex.is_match(text)))
}

/// Whether the part that made the condition false looks for an option of a program that has no record. Without a
/// record, another spelling of the same option does not match.
fn needs_every_spelling(rule: &Rule, judged: &RuleJudgement) -> bool {
    let Some(part) = judged.parts.iter().find_map(|part| decisive_node(part, &RuleOutcome::NoMatch)) else {
        return false;
    };
    let has_option = |text: &str| text.split_whitespace().any(|word| word.trim_start_matches('!').starts_with('-'));
    let mut is_about_option = false;
    for clause in [&rule.when, &rule.unless].into_iter().flatten() {
        clause.visit_tests(&mut |test, _| {
            let ConditionExpr::Command(CommandTest::Runs { patterns, filter }) = &test.kind else { return };
            let is_in_pattern = test.span == part.span && patterns.iter().any(|pattern| has_option(pattern.text()));
            let is_in_filter =
                filter.as_ref().and_then(|filter| test_at(filter, part.span)).is_some_and(is_option_test);
            let is_unrecorded = patterns.iter().any(|pattern| pattern.unrecorded().is_some());
            is_about_option |= (is_in_pattern || is_in_filter) && is_unrecorded;
        });
    }
    is_about_option
}

/// Whether a test reads an option of a command: `option("--force") …`.
fn is_option_test(test: &Condition) -> bool {
    let (ConditionExpr::Compare { source, .. } | ConditionExpr::Exists(source)) = &test.kind else { return false };
    matches!(source, ValueReference::Where(WhereField::Option(_)))
}

/// Returns the test at a span; `None` if no part of the condition has exactly this span.
fn test_at(condition: &Condition, span: Span) -> Option<&Condition> {
    match &condition.kind {
        ConditionExpr::And(parts) | ConditionExpr::Or(parts) => parts.iter().find_map(|part| test_at(part, span)),
        ConditionExpr::Not(inner) | ConditionExpr::Certain(inner) => test_at(inner, span),
        ConditionExpr::Def(inner) => test_at(inner, span),
        _ => (condition.span == span).then_some(condition),
    }
}

/// Returns a hint if the rule tests an input member of the tool other than the one that the text of the example sets.
fn other_member_hint(rule: &Rule, example: &Example, given: &ExampleInput) -> Option<String> {
    example.text.as_ref()?;
    let tool = given.payload.tool_name()?;
    let text_member_name = text_member(tool)?;
    let input = given.payload.tool_input()?;
    let mut members = Vec::new();
    [&rule.when, &rule.unless]
        .into_iter()
        .flatten()
        .for_each(|condition| collect_members(condition, text_member_name, &mut members));
    let tested = members.iter().find(|member| **member != text_member_name && input.get(**member).is_none())?;
    let member_type =
        spec(tool).and_then(|spec| spec.input.iter().find(|field| field.name == *tested)).map(|field| field.ty);
    let value = match member_type {
        Some(FieldType::Boolean) => "true",
        Some(FieldType::Number) => "1",
        _ => "\"…\"",
    };
    Some(match members.contains(&text_member_name) {
        true => format!("state what is tested beside it: `{tool} \"…\" {{ tool_input.{tested}: {value} }}`"),
        false => format!(
            "the text of `{tool}` is its `{text_member_name}`: write `{tool} {{ tool_input.{tested}: {value} }}`"
        ),
    })
}

/// Collects the names of the input members that a condition tests. A test of commands or files counts as a test of
/// `text`, the member that the example's text sets.
fn collect_members<'c>(condition: &'c Condition, text: &'static str, members: &mut Vec<&'c str>) {
    condition.visit_tests(&mut |test, _| match &test.kind {
        ConditionExpr::Command(_) | ConditionExpr::Touches { .. } | ConditionExpr::TouchesFilled { .. } => {
            members.push(text)
        }
        ConditionExpr::Compare { source: ValueReference::Raw { path, .. }, .. }
        | ConditionExpr::Exists(ValueReference::Raw { path, .. })
        | ConditionExpr::Truth(ValueReference::Raw { path, .. }) => {
            if let [first, member] = path.as_slice()
                && first == "tool_input"
            {
                members.push(member);
            }
        }
        _ => {}
    });
}

/// Returns the innermost part of a condition that explains the outcome of the rule; `None` if the condition itself has
/// another result.
fn decisive_node<'n>(node: &'n ConditionTrace, outcome: &RuleOutcome) -> Option<&'n ConditionTrace> {
    let explains = |truth: &Truth| match outcome {
        RuleOutcome::Match => *truth == Truth::True,
        RuleOutcome::NoMatch => *truth == Truth::False,
        RuleOutcome::Unknown(_) => matches!(truth, Truth::Unknown(_)),
    };
    if !explains(&node.truth) {
        return None;
    }
    // The operand of a `not` has the opposite result, and contains the decisive value.
    let in_negation = match (node.parts.as_slice(), &node.truth) {
        ([part], Truth::True) if part.truth == Truth::False => decisive_node(part, &RuleOutcome::NoMatch),
        ([part], Truth::False) if part.truth == Truth::True => decisive_node(part, &RuleOutcome::Match),
        _ => None,
    };
    in_negation.or_else(|| node.parts.iter().find_map(|part| decisive_node(part, outcome))).or(Some(node))
}
