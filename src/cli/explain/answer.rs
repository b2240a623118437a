//! The three forms of the answer: one JSON object, the decision alone, or text for people.

use super::asked::AskedRule;
use super::question::Question;
use super::rules::Explainer;
use super::why_not::WhyNotReport;
use super::{ExplainDetail, cost, json, layers, notes, sent, verdict, why_not};
use crate::cli::print::Printer;
use crate::context::Context;
use crate::eval::{RuleJudgement, Trace};
use crate::facts::{CountedFacts, Facts};
use crate::hooks::{Completed, NestedJudgement};
use crate::host::HostOutput;
use crate::verdict::Verdict;

/// A judged event, with all that the three forms of the answer show.
pub(super) struct Explanation<'e> {
    pub(super) question: &'e Question<'e>,
    pub(super) context: &'e Context<'e>,
    /// The facts by which the event was judged: those given with the call, the rest from the machine.
    pub(super) facts: &'e dyn Facts,
    /// The evaluation, with the votes that the hook adds to those of the rules (the guard's, the failure policy's).
    pub(super) completed: Completed,
    /// The verdict of the rules alone, without the votes that the hook adds.
    pub(super) by_rules: Verdict,
    /// What the hook would send to the host.
    pub(super) output: HostOutput,
    /// The rule that `--rule` or `--why-not` names.
    pub(super) asked_rule: Option<AskedRule>,
    /// The result of the search for `--why-not`.
    pub(super) why_not_report: Option<WhyNotReport>,
    /// The damage to the payload, if it could not be read completely.
    pub(super) payload_damage: Option<&'e str>,
}

impl Explanation<'_> {
    /// Prints the answer as one JSON object.
    pub(super) fn print_json(&self, printer: &mut Printer) {
        let explained = json::ExplainedEvent {
            evaluation: self.completed.evaluation(),
            nested: self.completed.nested(),
            context: self.context,
            policy: &self.question.policy,
            output: &self.output,
            host: self.question.input.host,
            asked_rule: self.asked_rule.as_ref(),
            why_not: self.why_not_report.as_ref(),
            payload_damage: self.payload_damage,
        };
        printer.out(&explained.to_json_line());
    }

    /// Prints the decision alone.
    pub(super) fn print_decision(&self, printer: &mut Printer) {
        notes::warn_about_options(self.question.args, printer);
        // A rewrite is not a vote, but the decision is about the rewritten call.
        let verdict = &self.completed.evaluation().verdict;
        let rewritten = if verdict.updated_input.is_some() { ", rewritten" } else { "" };
        printer.out(&format!("{}{rewritten}\n", verdict.decision().keyword()));
    }

    /// Prints the answer for people.
    pub(super) fn print(&self, printer: &mut Printer) {
        let Self { question, context, completed, .. } = self;
        let evaluation = completed.evaluation();
        let Question { args, input, policy, .. } = question;
        let shown = if args.all { ExplainDetail::All } else { ExplainDetail::Decisive };
        input.announce(printer);
        notes::warn_about_options(args, printer);
        notes::warn_about_rule_name(args, policy, printer);
        notes::warn_about_tool(args, printer);
        verdict::headline(context, &evaluation.verdict, printer);
        let mut explainer = Explainer::new(policy, &evaluation.verdict, shown, printer);
        explainer.skip_reason_of_headline(&evaluation.trace.rules);
        match &self.asked_rule {
            Some(asked) => self.print_asked_rule(asked, &mut explainer, printer),
            None => self.print_rules(shown, &mut explainer, printer),
        }
    }

    /// Prints the rule of `--rule` or `--why-not`, and for `--why-not` what would make it match.
    fn print_asked_rule(&self, asked: &AskedRule, explainer: &mut Explainer<'_>, printer: &mut Printer) {
        let Self { question, context, completed, .. } = self;
        let rule = (asked.index, &*asked.rule);
        let nested = asked.nested.and_then(|index| completed.nested().iter().nth(index));
        if let Some(nested) = nested
            && let Some(policy) = nested.policy()
        {
            print_nested_title(nested, printer);
            let mut explainer = Explainer::new(policy, &nested.evaluation.verdict, ExplainDetail::All, printer);
            explainer.print_single_rule(rule, &nested.evaluation, context, printer);
            return;
        }
        explainer.print_single_rule(rule, completed.evaluation(), context, printer);
        if let Some(report) = &self.why_not_report {
            why_not::print(report, &asked.rule, &question.policy, printer);
        }
    }

    /// Prints the effects, all rules with their results, the cost (`--cost`), the notes, and the output to the host.
    fn print_rules(&self, shown: ExplainDetail, explainer: &mut Explainer<'_>, printer: &mut Printer) {
        let Self { question, context, completed, .. } = self;
        let evaluation = completed.evaluation();
        let Question { args, input, policy, places, .. } = question;
        let payload = context.payload();
        let counted = CountedFacts::new(self.facts);
        let hook = args.cost.then(|| cost::evaluation(policy, payload, input.host.name(), &counted));
        // The indexes of the rules that a hook would judge; the other rules are marked as left out. `None` without
        // `--cost`.
        let looked_at = |trace: fn(&Trace) -> &Vec<RuleJudgement>| {
            hook.as_ref().map(|hook| trace(&hook.trace).iter().map(|judged| judged.index).collect())
        };
        verdict::effects(context, &evaluation.verdict, printer);
        explainer.print_rules(&evaluation.trace.rules, looked_at(|trace| &trace.rules), printer);
        if !evaluation.trace.rejudged.is_empty() {
            printer.out("\nagain, on the input after the rewrites:\n");
            explainer.print_rules(&evaluation.trace.rejudged, looked_at(|trace| &trace.rejudged), printer);
        }
        for nested in completed.nested().iter() {
            print_nested(nested, shown, printer);
        }
        if let Some(hook) = &hook {
            cost::print(&hook.cost, &counted, printer);
        }
        notes::footer(policy, context, evaluation.trace.rules.len(), shown, printer);
        if !args.as_hook && args.policy.is_none() {
            layers::note_of_trust(places, (input.host, payload), self.facts, &self.by_rules, printer);
        }
        let sent_detail = if input.is_host_stated { ExplainDetail::All } else { shown };
        sent::print((input.host, payload), &self.output, &evaluation.verdict, sent_detail, printer);
    }
}

/// Prints how a nested policy judged the call.
fn print_nested(nested: &NestedJudgement, shown: ExplainDetail, printer: &mut Printer) {
    let Some(policy) = nested.policy() else { return };
    print_nested_title(nested, printer);
    if policy.broken_layers().next().is_some() {
        let note = "it does not load, and a hook decides by `on_error`: `rules check` says why";
        printer.out(&printer.wrapped("", "  ", note));
    }
    let mut explainer = Explainer::new(policy, &nested.evaluation.verdict, shown, printer);
    explainer.print_rules(&nested.evaluation.trace.rules, None, printer);
}

fn print_nested_title(nested: &NestedJudgement, printer: &mut Printer) {
    printer.out(&format!("\nby the policy of `{}`, which only denies and asks:\n", nested.directory));
}
