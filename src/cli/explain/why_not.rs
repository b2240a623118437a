//! `rules explain --why-not`: what keeps a rule from matching a call, and the smallest change of the call that makes
//! it match.
//!
//! Possible changes are derived from the failing parts of the rule and from its examples; each is judged before it is
//! shown.

mod change;
mod search;

use serde::Serialize;
use serde_json::{Map, Value as Json};

use crate::cli::print::{Printer, Style, count};
use crate::context::Context;
use crate::escape::line;
use crate::eval::{Evaluation, RuleJudgement, RuleOutcome, TraceDetail, evaluate};
use crate::facts::{Facts, PartlyStatedFacts};
use crate::lint;
use crate::policy::Policy;
use crate::ruleset::{Rule, RuleMode, RuleSet};
use crate::syntax::ast::ExampleKind;
use crate::types::Payload;

use change::{Candidate, Difference};

/// The maximum number of characters of a value that are shown.
const MAX_VALUE_CHARS: usize = 200;

/// The maximum number of differences from an example that are shown.
const MAX_DIFFERENCES: usize = 5;

/// A call, the policy that judges it, and the facts about it: the start of a search for a change.
pub(super) struct UnmatchedCall<'c> {
    pub(super) policy: &'c Policy,
    pub(super) payload: &'c Payload,
    pub(super) host: &'c str,
    /// The source of the facts that `facts` lacks: the machine.
    pub(super) base: &'c dyn Facts,
    /// The facts given in the typed call: `with { git.branch: "main" }`.
    pub(super) facts: &'c Map<String, Json>,
}

/// The result of a search: the smallest change or, if none was found, the nearest example.
#[derive(Debug, Serialize)]
pub(super) struct WhyNotReport {
    /// The name of the rule.
    rule: String,
    /// Whether the rule already matches the call, so there was nothing to search for.
    matches: bool,
    /// The smallest change found that makes the rule match.
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<Vec<Difference>>,
    /// If no such change was found, the `fires on` example that differs least from the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    example: Option<NearestExample>,
    /// The number of changes that were judged.
    tried: usize,
}

/// A `fires on` example of the rule, and its differences from the call.
#[derive(Debug, Serialize)]
struct NearestExample {
    /// The example as in the source.
    text: String,
    /// The file and line of the example.
    place: String,
    differences: Vec<Difference>,
}

impl UnmatchedCall<'_> {
    /// Judges a changed call by the given rules, and passes the evaluation to `take`; `None` if the changed facts are
    /// invalid.
    fn judge_changed<T>(
        &self,
        rules: &RuleSet,
        changed: &Candidate,
        take: impl FnOnce(&Evaluation, &Context<'_>) -> T,
    ) -> Option<T> {
        let facts = PartlyStatedFacts::new(&changed.facts, self.base).ok()?;
        let context = Context::new(&changed.payload, self.host, &facts, &self.policy.settings.shell_tools);
        Some(take(&evaluate(rules, &context, TraceDetail::Conditions), &context))
    }

    /// Whether the rule matches the changed call when the whole policy judges it.
    fn is_match(&self, index: usize, changed: &Candidate) -> bool {
        let is_match = |judged: &RuleJudgement| judged.index == index && judged.outcome == RuleOutcome::Match;
        let found = self
            .judge_changed(&self.policy.rules, changed, |evaluation, _| evaluation.trace.rules.iter().any(is_match));
        found.unwrap_or(false)
    }
}

/// Searches for a change of the call that makes a rule match. Searches nothing if the rule already matches or is off.
pub(super) fn search_change(
    call: &UnmatchedCall<'_>,
    index: usize,
    rule: &Rule,
    evaluation: &Evaluation,
) -> WhyNotReport {
    let is_match = |judged: &RuleJudgement| judged.index == index && judged.outcome == RuleOutcome::Match;
    let matches = evaluation.trace.rules.iter().any(is_match);
    let mut report = WhyNotReport { rule: rule.display_name.clone(), matches, change: None, example: None, tried: 0 };
    if matches || rule.traits.mode == RuleMode::Off {
        return report;
    }
    let start = Candidate { payload: call.payload.clone(), facts: call.facts.clone() };
    let result = search::find_smallest_change(call, index, &start);
    report.tried = result.tried;
    report.change = result.best.map(|best| start.differences(&best));
    if report.change.is_none() {
        let examples = search::moved_examples(call, rule).into_iter();
        let comparable = examples.filter(|(_, example)| !start.loses_a_command(example));
        let nearest = comparable.min_by_key(|(_, example)| start.cost(example));
        report.example = nearest.map(|(span, example)| NearestExample {
            text: call.policy.sources.file(span).map(|file| file.slice(span).to_owned()).unwrap_or_default(),
            place: call.policy.sources.location(span),
            differences: start.differences(&example),
        });
    }
    report
}

/// Prints the result of a search: the change, the nearest example, or why there is none.
pub(super) fn print(report: &WhyNotReport, rule: &Rule, policy: &Policy, printer: &mut Printer) {
    printer.out("\n");
    if report.matches {
        let text = if rule.traits.mode == RuleMode::Observe {
            "it matches this call; `@observe` keeps it from voting"
        } else {
            "it matches this call"
        };
        printer.out(&printer.wrapped("", "  ", text));
        return;
    }
    if rule.traits.mode == RuleMode::Off {
        let text = format!("`@off` in {} keeps it from matching anything", policy.sources.location(rule.span));
        printer.out(&printer.wrapped("", "  ", &text));
        return;
    }
    if let Some(change) = &report.change {
        printer.out("it would match with this change:\n");
        print_differences(change, usize::MAX, printer);
        return;
    }
    let text = format!("no change of this call was found with which it matches ({} tried)", report.tried);
    printer.out(&printer.wrapped("", "  ", &text));
    match &report.example {
        None if lint::has_example_of_kind(rule, ExampleKind::Fires) => {}
        None => printer.out(&printer.wrapped("", "  ", "it has no `fires on` example to compare with")),
        Some(example) => {
            printer.out("the nearest example that it matches:\n");
            let text =
                format!("{}  {}", line(&example.text, MAX_VALUE_CHARS), printer.paint(Style::Dim, &example.place));
            printer.out(&printer.wrapped("  ", "    ", &text));
            printer.out("there, other than here:\n");
            print_differences(&example.differences, MAX_DIFFERENCES, printer);
        }
    }
}

/// Prints up to `limit` differences, one on a line: `tool_input.command: "ls" → "rm"`.
fn print_differences(differences: &[Difference], limit: usize, printer: &mut Printer) {
    let shown = |value: &Option<Json>| match value {
        None => "nothing".to_owned(),
        Some(value) => line(&value.to_string(), MAX_VALUE_CHARS),
    };
    for Difference { what, from, to } in differences.iter().take(limit) {
        let text = format!("{what}: {} {} {}", shown(from), printer.signs().arrow, shown(to));
        printer.out(&printer.wrapped("  ", "    ", &text));
    }
    if let Some(more) = differences.len().checked_sub(limit).filter(|more| *more > 0) {
        printer.out(&format!("  {} and {}\n", printer.signs().more, count(more, "more member")));
    }
}
