//! `rules explain --format json`: one JSON object, whose members are described in the book.

use serde::Serialize;

use super::asked::AskedRule;
use super::why_not::WhyNotReport;
use crate::context::Context;
use crate::eval::{Evaluation, EvaluationReport};
use crate::hooks::{NestedJudgement, NestedJudgements};
use crate::host::{Host, HostOutput};
use crate::platform::paths::shown;
use crate::policy::Policy;

/// Everything that the JSON object shows.
pub(super) struct ExplainedEvent<'e> {
    pub(super) evaluation: &'e Evaluation,
    pub(super) nested: &'e NestedJudgements,
    pub(super) context: &'e Context<'e>,
    pub(super) policy: &'e Policy,
    pub(super) output: &'e HostOutput,
    pub(super) host: Host,
    /// The rule that `--rule` or `--why-not` names; the object then has no other rule.
    pub(super) asked_rule: Option<&'e AskedRule>,
    /// The result of the search for `--why-not`.
    pub(super) why_not: Option<&'e WhyNotReport>,
    /// The damage to the payload, if it could not be read completely.
    pub(super) payload_damage: Option<&'e str>,
}

/// The printed JSON object.
#[derive(Serialize)]
struct ExplanationJson<'e> {
    #[serde(flatten)]
    report: EvaluationReport<'e>,
    /// What the event is about: its tool, agent, model or file.
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<&'e str>,
    /// The directory of the project, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<String>,
    /// The files of the tool records that describe the call's tool.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_records: Vec<&'e str>,
    /// The judgements by nested policies.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nested: Vec<NestedReport<'e>>,
    sent: SentOutput<'e>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why_not: Option<&'e WhyNotReport>,
}

/// The judgement by a nested policy.
#[derive(Serialize)]
struct NestedReport<'e> {
    /// The directory of the policy, relative to the project if it is below it.
    directory: &'e str,
    #[serde(flatten)]
    report: EvaluationReport<'e>,
}

/// The output that the host gets.
#[derive(Serialize)]
struct SentOutput<'e> {
    host: &'static str,
    exit: u8,
    stdout: &'e str,
    stderr: &'e str,
    /// The number of the policy's commands that a hook would run; their results may change this output.
    #[serde(skip_serializing_if = "is_none")]
    commands: usize,
}

/// Whether there are no commands, so the member is omitted.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_none(commands: &usize) -> bool {
    *commands == 0
}

impl<'e> NestedReport<'e> {
    /// Returns the report on a judgement, with the rules whose index `is_wanted` accepts. `None` if the judgement has
    /// no policy.
    fn new(nested: &'e NestedJudgement, is_wanted: impl Fn(usize) -> bool) -> Option<Self> {
        let policy = nested.policy()?;
        let report = EvaluationReport::with_explanations(&nested.evaluation, &policy.rules, &policy.sources, is_wanted);
        Some(Self { directory: &nested.directory, report })
    }
}

impl ExplainedEvent<'_> {
    /// Returns the JSON object with a newline.
    pub(super) fn to_json_line(&self) -> String {
        let Self { evaluation, nested, context, policy, output, host, asked_rule, why_not, payload_damage } = self;
        let is_asked = |nested: Option<usize>, index| {
            asked_rule.is_none_or(|asked| (asked.nested, asked.index) == (nested, index))
        };
        let of_session = |index| is_asked(None, index);
        let report = EvaluationReport::with_explanations(evaluation, &policy.rules, &policy.sources, of_session);
        let nested = nested.iter().enumerate();
        let nested =
            nested.filter_map(|(position, judged)| NestedReport::new(judged, |index| is_asked(Some(position), index)));
        let object = ExplanationJson {
            report: EvaluationReport { damage: *payload_damage, ..report },
            subject: context.head_subject(),
            project: context.machine().roots().project.as_ref().map(|project| shown(&project).to_string()),
            tool_records: context.call().record_origins(),
            nested: nested.collect(),
            sent: SentOutput {
                host: host.name(),
                exit: output.exit,
                stdout: &output.stdout,
                stderr: &output.stderr,
                commands: evaluation.verdict.runs.len(),
            },
            why_not: *why_not,
        };
        format!("{}\n", serde_json::to_string(&object).unwrap_or_default())
    }
}

/// Returns the JSON object, with a newline, for an event that is not in the schema.
pub(super) fn unknown_event_json(event: &str) -> String {
    format!("{}\n", serde_json::to_string(&EvaluationReport::from_unknown_event(event)).unwrap_or_default())
}
