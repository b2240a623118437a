//! Finds rules that no example and no test shows to fire, rules without a `quiet` example, and repeated examples and
//! tests.

use std::collections::{BTreeMap, BTreeSet};

use super::findings::{FindingSink, LintFinding};
use crate::diagnostic::{Code, Diagnostic};
use crate::policy::PolicyLayer;
use crate::ruleset::{Rule, RuleMode};
use crate::span::{Sources, Span};
use crate::syntax::ast::{ExampleKind, PastCall, SessionStep, TestCase};
use crate::syntax::print_example;

/// Returns the rules that are written in a layer itself and are not off. Each comes with whether an example or a test
/// expects it to fire.
fn own_active_rules(layer: &PolicyLayer) -> impl Iterator<Item = (&Rule, bool)> {
    let expected = || layer.tests.iter().flat_map(|test| &test.cases).flat_map(|case| &case.expect.by);
    let mut tested: BTreeSet<Span> = BTreeSet::new();
    if expected().next().is_some() {
        let rules = layer.tested_rules();
        tested.extend(expected().flat_map(|rule| rules.named(rule)).map(|rule| rule.name_span));
    }
    // The examples of a pack are tested with the packs.
    let rules_of_layer = layer.rules.iter().map(|rule| &**rule);
    // A mark is tested by the rules that ask about it.
    let needs_test = |rule: &&Rule| rule.traits.mode != RuleMode::Off && rule.mark().is_none();
    let rules_of_layer = rules_of_layer.filter(|rule| !rule.name.contains('/')).filter(needs_test);
    rules_of_layer
        .map(move |rule| (rule, has_example_of_kind(rule, ExampleKind::Fires) || tested.contains(&rule.name_span)))
}

/// Whether a rule has an example of this kind.
#[must_use]
pub fn has_example_of_kind(rule: &Rule, wanted: ExampleKind) -> bool {
    rule.examples.iter().any(|(kind, all)| *kind == wanted && !all.is_empty())
}

/// Returns the rules of a layer that no example and no test expects to fire.
pub fn untested_rules(layer: &PolicyLayer) -> impl Iterator<Item = &Rule> {
    own_active_rules(layer).filter(|(_, fires)| !fires).map(|(rule, _)| rule)
}

/// Whether a rule has examples, all of them such in which it is quiet.
#[must_use]
pub fn has_only_quiet_examples(rule: &Rule) -> bool {
    has_example_of_kind(rule, ExampleKind::Quiet) && !has_example_of_kind(rule, ExampleKind::Fires)
}

/// Reports the rules of a layer that nothing shows to fire, and those with a condition but without a `quiet` example.
pub(super) fn check_rules<'r>(layer: &'r PolicyLayer, findings: &mut FindingSink<LintFinding<'r>>) {
    for (rule, fires) in own_active_rules(layer) {
        if !fires {
            let finding = Diagnostic::new(Code::RULE_UNTESTED, format!("nothing shows that `{}` fires", rule.name))
                .label(rule.name_span, "no `fires on`, and no test expects it")
                .help("add `fires on …` to the rule");
            findings.push(LintFinding::for_rule(rule, finding));
        } else if has_example_of_kind(rule, ExampleKind::Fires)
            && !has_example_of_kind(rule, ExampleKind::Quiet)
            && (rule.when.is_some() || rule.unless.is_some())
        {
            let finding =
                Diagnostic::new(Code::RULE_TESTED_ONE_SIDED, format!("nothing shows where `{}` is quiet", rule.name))
                    .label(rule.name_span, "no `quiet on`")
                    .help("add `quiet on …` with a call that is nearly the same");
            findings.push(LintFinding::for_rule(rule, finding));
        }
    }
}

/// Reports repeated examples of a rule, and repeated cases of tests.
pub(super) fn check_repeated(layer: &PolicyLayer, sources: &Sources, findings: &mut FindingSink) {
    for rule in layer.rules.iter().filter(|rule| !rule.name.contains('/')) {
        let mut seen = BTreeMap::new();
        for (kind, examples) in &rule.examples {
            for example in examples.iter() {
                report_if_repeated(
                    format!("{kind:?} {}", normalised_source(sources, example.span)),
                    example.span,
                    &mut seen,
                    findings,
                );
            }
        }
    }
    // The cases of each directory are about a session there.
    let mut seen: BTreeMap<Option<usize>, BTreeMap<String, Span>> = BTreeMap::new();
    for case in layer.tests.iter().flat_map(|test| &test.cases) {
        let file = layer.files.iter().find(|file| file.id == case.given.span.file);
        let seen = seen.entry(file.map(|file| file.directory)).or_default();
        let earlier_steps: String = case.steps().map(step_text).collect();
        let key = format!("{earlier_steps}{}", normalised_source(sources, case_span(case)));
        report_if_repeated(key, case.given.span, seen, findings);
    }
}

/// Reports an example or case whose key has been seen before; remembers a new key.
fn report_if_repeated(key: String, span: Span, seen: &mut BTreeMap<String, Span>, findings: &mut FindingSink) {
    match seen.get(&key) {
        Some(first) => findings.push(
            Diagnostic::new(Code::DUPLICATE_TEST, "the same case twice")
                .label(span, "the second")
                .label(*first, "the first")
                .help("remove one of them, or write the case that was meant"),
        ),
        None => {
            seen.insert(key, span);
        }
    }
}

/// Returns a key that is equal for equal steps of a session.
fn step_text(step: &SessionStep) -> String {
    match step {
        SessionStep::Call(PastCall { times, call, end }) => {
            let times = times.map(|(times, _)| times);
            format!("{times:?} {} {:?}\n", print_example(call), end.as_ref().map(|end| &end.text))
        }
        SessionStep::Wait(time) => format!("wait {:?}\n", time.kind),
    }
}

/// Returns the span of a case, from its `given` to the end of its `expect`.
fn case_span(case: &TestCase) -> Span {
    let expect = &case.expect;
    let texts = [&expect.message, &expect.context, &expect.run].into_iter().flatten().map(|text| text.span);
    let rewrites = expect.rewrites.iter().map(|(_, value)| value.span);
    let last = expect.by.iter().map(|rule| rule.span()).chain(texts).chain(rewrites).max_by_key(|span| span.end);
    case.given.span.joined_with(last.unwrap_or(expect.decision.span))
}

/// Returns the source text at a span, with each line break and the indentation after it as one space.
fn normalised_source(sources: &Sources, span: Span) -> String {
    let text = sources.file(span).map(|file| file.slice(span)).unwrap_or_default();
    // In a string of several lines, white space is part of the text, so the source stays as it is.
    if text.contains("\"\"\"") { text.to_owned() } else { text.lines().map(str::trim).collect::<Vec<_>>().join(" ") }
}
