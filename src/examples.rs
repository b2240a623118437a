//! Examples and tests: payloads written in a policy, judged by the same functions as the hook's.
//!
//! Nothing is read from the machine and nothing is executed.

mod given;
mod test;

pub use given::given;

use std::sync::Arc;

use crate::context::{Context, ShellTools};
use crate::diagnostic::{Code, Diagnostic};
use crate::eval::{Detail, Node, Outcome, Truth, judge_conditions, judge_example};
use crate::policy::PolicyLayer;
use crate::ruleset::{Rule, RuleSet};
use crate::syntax::ast::{Example, ExampleKind};

/// The host that examples are written for.
const HOST: &str = "claude-code";

/// What came of the examples and tests of a layer.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How many came out as written.
    pub passed: usize,
    /// Those that came out otherwise, or are no payloads.
    pub failed: Vec<Diagnostic>,
}

impl Report {
    /// Adds another report.
    pub fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed.extend(other.failed);
    }

    fn count(&mut self, result: Result<(), Diagnostic>) {
        match result {
            Ok(()) => self.passed += 1,
            Err(diagnostic) => self.failed.push(diagnostic),
        }
    }
}

/// Judges every example and test of a layer that loads, as [`own_examples`] does.
#[must_use]
pub fn run(layer: &PolicyLayer) -> Report {
    let mut report = own_examples(layer);
    let rules = RuleSet::new(crate::compile::in_order(layer.rules.clone()));
    for test in &layer.tests {
        for case in &test.cases {
            report.count(test::judge(case, &rules));
        }
    }
    report
}

/// Judges every example of a layer.
///
/// Those of a pack are not among them: they hold for the pack as it is shipped, and the layer may have replaced its
/// `let`s.
#[must_use]
pub fn own_examples(layer: &PolicyLayer) -> Report {
    // INVARIANT: the rules of a pack alone have a `/` in their names.
    let own: Vec<Arc<Rule>> = layer.rules.iter().filter(|rule| !rule.name.contains('/')).cloned().collect();
    examples(&own)
}

/// Judges every example of some rules.
#[must_use]
pub fn examples(rules: &[Arc<Rule>]) -> Report {
    let mut report = Report::default();
    for rule in rules {
        for (kind, examples) in &rule.examples {
            examples.iter().for_each(|example| report.count(judge(rule, *kind, example)));
        }
    }
    report
}

fn judge(rule: &Rule, kind: ExampleKind, example: &Example) -> Result<(), Diagnostic> {
    let given = given(example, Some(&rule.head))?;
    let tools = ShellTools::default();
    let context = Context::new(&given.payload, HOST, &given.facts, &tools);
    let outcome = judge_example(rule, &context);
    let as_written = match kind {
        ExampleKind::Fires => outcome == Outcome::Match,
        ExampleKind::Quiet => outcome == Outcome::NoMatch,
        ExampleKind::Unknown => matches!(outcome, Outcome::Unknown(_)),
    };
    if as_written { Ok(()) } else { Err(wrong(rule, kind, example, &outcome, &context)) }
}

fn wrong(rule: &Rule, kind: ExampleKind, example: &Example, outcome: &Outcome, context: &Context<'_>) -> Diagnostic {
    let claimed = match kind {
        ExampleKind::Fires => "fires",
        ExampleKind::Quiet => "is quiet",
        ExampleKind::Unknown => "is unknown",
    };
    let is = match outcome {
        Outcome::Match => "it fires".to_owned(),
        Outcome::NoMatch => "it is quiet".to_owned(),
        Outcome::Unknown(reason) => format!("it is unknown: {}", reason.sentence()),
    };
    let mut diagnostic = Diagnostic::new(Code::WRONG_EXAMPLE, format!("an example of `{}` fails", rule.name))
        .label(example.span, format!("the example says that it {}, but {is}", claimed));
    let judged = judge_conditions(rule, context, Detail::Conditions);
    match judged.parts.iter().find_map(|part| decisive(part, outcome)) {
        Some(part) => {
            let note = part.note.as_ref().map(|note| format!(": {note}")).unwrap_or_default();
            diagnostic = diagnostic.label(part.span, format!("this is {}{note}", part.truth.word()));
        }
        None if *outcome == Outcome::NoMatch => {
            diagnostic = diagnostic.help("`on` and `by` of the rule do not select it");
        }
        None => {}
    }
    diagnostic
}

/// Finds the innermost part that explains the outcome.
fn decisive<'n>(node: &'n Node, outcome: &Outcome) -> Option<&'n Node> {
    let wanted = |truth: &Truth| match outcome {
        Outcome::Match => *truth == Truth::True,
        Outcome::NoMatch => *truth == Truth::False,
        Outcome::Unknown(_) => matches!(truth, Truth::Unknown(_)),
    };
    if !wanted(&node.truth) {
        return None;
    }
    node.parts.iter().find_map(|part| decisive(part, outcome)).or(Some(node))
}
