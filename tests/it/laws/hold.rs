//! Laws that hold for any rules and calls, as checks of one case.
//!
//! The search at volume uses this file too.

use std::sync::LazyLock;

use hookrules::config::LayerKind;
use hookrules::context::{Context, ShellTools};
use hookrules::eval::{Evaluation, RuleJudgement, RuleOutcome, TraceDetail, decide, evaluate};
use hookrules::policy::Policy;
use hookrules::ruleset::{RuleSet, StoredRules};
use hookrules::span::Sources;
use hookrules::verdict::{Decision, Verdict};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use super::generate::{Placed, Setting};
use crate::kit::*;

static TOOLS: LazyLock<ShellTools> = LazyLock::new(|| {
    let mut tools = ShellTools::default();
    tools.add_shell_member(LayerKind::Managed, "mcp__shell__run", "command");
    // Rules of the project interpret some calls differently than those of the local layer.
    tools.add_shell_member(LayerKind::Local, "Unknown", "command");
    tools
});

fn context_of(given: &Given) -> Context<'_> {
    Context::new(&given.payload, "claude-code", &*given.facts, &TOOLS)
}

pub(crate) fn judged(rules: &RuleSet, given: &Given, detail: TraceDetail) -> Evaluation {
    evaluate(rules, &context_of(given), detail)
}

/// Returns the observable result of a rule.
fn told(judged: &RuleJudgement) -> (usize, &RuleOutcome, Option<&hookrules::eval::Matched>, String) {
    (judged.index, &judged.outcome, judged.matched.as_ref(), format!("{:?}", judged.role))
}

/// Law 10: a call is judged alike with the index, without it, and by the stored image.
pub(crate) fn alike(policy: &Policy, given: &Given) -> Result<(), TestCaseError> {
    let plain = judged(&policy.rules.without_index(), given, TraceDetail::Outcomes);
    for detail in [TraceDetail::Outcomes, TraceDetail::Conditions] {
        let indexed = judged(&policy.rules, given, detail);
        let shape = |evaluation: &Evaluation| format!("{:#?} {:#?}", evaluation.verdict, evaluation.observed);
        for (one, other) in
            [(&indexed.trace.rules, &plain.trace.rules), (&indexed.trace.rejudged, &plain.trace.rejudged)]
        {
            let one: Vec<_> = one.iter().map(told).collect();
            let other: Vec<_> = other.iter().map(told).collect();
            prop_assert_eq!(one, other);
        }
        prop_assert_eq!(shape(&indexed), shape(&plain));
    }
    let stored =
        StoredRules::open(policy.rules.image()).map_err(|_| TestCaseError::fail("the image cannot be opened"))?;
    let kept = decide(&stored, &context_of(given), TraceDetail::Outcomes);
    let kept = kept.map_err(|_| TestCaseError::fail("the image cannot be read"))?;
    // The image does not report rules that do not match.
    let counts = |all: &[RuleJudgement]| -> Vec<String> {
        let counting = all.iter().filter(|judged| judged.outcome != RuleOutcome::NoMatch);
        counting.map(|judged| format!("{:?}", told(judged))).collect()
    };
    prop_assert_eq!(counts(&kept.trace.rules), counts(&plain.trace.rules));
    prop_assert_eq!(counts(&kept.trace.rejudged), counts(&plain.trace.rejudged));
    prop_assert_eq!(
        format!("{:#?} {:#?}", kept.verdict, kept.observed),
        format!("{:#?} {:#?}", plain.verdict, plain.observed)
    );
    Ok(())
}

/// Returns a policy of the rules that load, each under a unique name.
pub(crate) fn policy_of(rules: &[String]) -> Policy {
    policy_with("", rules)
}

/// Returns a policy of some items and the rules that load with them, each under a unique name.
pub(crate) fn policy_with(items: &str, rules: &[String]) -> Policy {
    let named = |rule: &String, number: usize| rule.replace("NAME", &format!("r{number}"));
    let with_names = |text: &str| format!("let no = false\nlet nothing = []\n{items}{text}");
    let loads = |rule: &&String| one_file(&with_names(&named(rule, 0))).layers.iter().all(|layer| layer.is_loaded());
    let text: String = rules.iter().filter(loads).enumerate().map(|(number, rule)| named(rule, number)).collect();
    policy(&with_names(&text))
}
/// Returns a policy of the rules that load and the settings of some layers.
fn policy_of_layers(all: &[Placed], kinds: &[LayerKind]) -> Policy {
    let mut sources = Sources::default();
    let layers: Vec<_> = kinds
        .iter()
        .map(|kind| {
            let own = all.iter().enumerate().filter(|(_, (layer, ..))| layer == kind);
            let mut text = "let no = false\nlet nothing = []\n".to_owned();
            let mut tools = Vec::new();
            for (number, (_, rule, setting)) in own {
                text.push_str(&rule.replace("NAME", &format!("r{number}")));
                if let Setting::ShellTool(tool, member) = setting {
                    tools.push(((*tool).to_owned(), (*member).to_owned()));
                }
            }
            let mut layer = layer(*kind, &[("a.rules", &text)], &mut sources);
            layer.settings.shell_tools.extend(tools);
            layer
        })
        .collect();
    Policy::new(sources, &layers)
}

/// Whether a rule loads on its own.
pub(crate) fn loads_alone(rule: &str) -> bool {
    let text = format!("let no = false\nlet nothing = []\n{}", rule.replace("NAME", "r0"));
    one_file(&text).layers.iter().all(|layer| layer.is_loaded())
}

/// A lower layer never weakens: if the layers above it object to a call, they still do with it, at least as strictly;
/// and a command of theirs that may deny the call still runs, unless the call is denied anyway.
pub(crate) fn never_weakens(all: &[Placed], given: &Given) -> Result<(), TestCaseError> {
    let mut above: Option<(Decision, Vec<String>)> = None;
    for count in 1..=LayerKind::ALL.len() {
        let policy = policy_of_layers(all, &LayerKind::ALL[..count]);
        let tools = &policy.settings.shell_tools;
        let context = Context::new(&given.payload, "claude-code", &*given.facts, tools);
        let Evaluation { verdict, trace, .. } = evaluate(&policy.rules, &context, TraceDetail::Outcomes);
        let decision = verdict.decision();
        let gates = gates(&verdict);
        // A denied call is not rewritten, so objections only to the rewritten call do not count.
        let counts = if trace.rejudged.is_empty() { decision } else { decision.min(Decision::Deny) };
        if let Some((before, gates_before)) = above {
            prop_assert!(
                before < Decision::Ask || decision >= before,
                "{before:?} becomes {decision:?} by the {} layer",
                LayerKind::ALL[count - 1].name()
            );
            let lost = gates_before.iter().find(|gate| !gates.contains(gate));
            prop_assert!(decision >= Decision::Deny || lost.is_none(), "{lost:?} does not run any more");
        }
        above = Some((counts, gates));
    }
    Ok(())
}

/// Returns the rules whose commands run.
fn gates(verdict: &Verdict) -> Vec<String> {
    verdict.runs.iter().map(|run| run.rule.clone()).collect()
}
