//! An evaluation as plain data: a line of `rules eval`, and the JSON for embedding programs.

use std::path::Path;

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value as Json};

use super::{ConditionTrace, Evaluation, RuleJudgement, RuleOutcome, Truth};
use crate::context::Reason;
use crate::ruleset::{Effect, Rewrite, Rule, RuleMode, RuleSet};
use crate::span::Sources;
use crate::verdict::{Command, Note, Run, Verdict, Vote};

/// An evaluation in its printed form.
#[derive(Debug, Default, Serialize)]
pub struct EvaluationReport<'e> {
    /// The name of the event.
    pub event: &'e str,
    /// The keyword of the decision: `deny`.
    pub decision: &'e str,
    /// The message that explains the decision.
    pub message: String,
    /// The authors of the votes that made the decision, in evaluation order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decided_by: Vec<&'e str>,
    /// The rules that match or are unknown, in evaluation order. With explanations, every rule that the event
    /// selects.
    pub rules: Vec<RuleReport<'e>>,
    /// The effects besides the decision, which are planned and not performed.
    pub effects: Vec<PlannedEffect<'e>>,
    /// The rules that were judged again after rewrites.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub again: Vec<RuleReport<'e>>,
    /// The votes of `@observe` rules, which do not affect the decision.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub observed: Vec<VoteReport<'e>>,
    /// A description of the parts of the payload that could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damage: Option<&'e str>,
}

/// The outcome of judging one rule.
#[derive(Debug, Serialize)]
pub struct RuleReport<'e> {
    rule: &'e str,
    outcome: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(flatten)]
    explained: Option<RuleExplained<'e>>,
}

/// Details of a rule's judgement, for explanations.
#[derive(Debug, Serialize)]
struct RuleExplained<'e> {
    /// If the rule is unknown, advice on how to write the call so that it can be judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'e str>,
    /// The position of the rule's name in its file: `FILE:LINE:COLUMN`.
    place: String,
    /// The keywords of the rule's effects, each once.
    effects: Vec<&'static str>,
    /// Whether the rule is `@observe`, so that its votes do not count.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    observed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    matched: Option<&'e str>,
    /// Whether the judgement on paths with symbolic links resolved was the decisive one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    through_link: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    tree: Option<&'e Path>,
    parts: Vec<PartReport<'e>>,
}

/// The result of a part of a condition.
#[derive(Debug, Serialize)]
struct PartReport<'e> {
    /// The source text of the part.
    text: &'e str,
    place: String,
    truth: &'static str,
    /// A clause about the value that was examined: ``it is `a.rs` ``.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'e str>,
    /// The value that decided, in the form in which it was compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'e str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<PartReport<'e>>,
}

impl<'e> PartReport<'e> {
    /// Makes the report on a part of a condition.
    fn from_node(node: &'e ConditionTrace, sources: &'e Sources) -> Self {
        let reason = match &node.truth {
            Truth::Unknown(reason) => Some(reason.as_ref()),
            Truth::True | Truth::False => None,
        };
        Self {
            text: sources.file(node.span).map(|file| file.slice(node.span)).unwrap_or_default(),
            place: sources.location(node.span),
            truth: node.truth.display_word(),
            // The note on an unknown part would only repeat the reason.
            note: node.note.as_deref().filter(|_| reason.is_none()),
            value: node.value.as_deref(),
            reason: reason.map(Reason::sentence),
            help: reason.and_then(Reason::help),
            parts: node.parts.iter().map(|part| Self::from_node(part, sources)).collect(),
        }
    }
}

/// Returns the keyword of an effect.
#[must_use]
pub fn effect_word(effect: &Effect) -> &'static str {
    match effect {
        Effect::Vote { decision, .. } => decision.keyword(),
        Effect::Exit { .. } => "exit",
        Effect::Context(_) => "context",
        Effect::Warn(_) => "warn",
        Effect::Rewrite(Rewrite::Runs(_) | Rewrite::Set(..) | Rewrite::Replace(..)) => "rewrite",
        Effect::Notify { .. } => "notify",
        Effect::Run(_) => "run",
        Effect::Record(_) => "record",
        Effect::Mark(_) => "mark",
    }
}

/// Returns the keywords of a rule's effects, each once.
#[must_use]
pub fn effect_words(rule: &Rule) -> Vec<&'static str> {
    let mut words: Vec<&str> = Vec::new();
    for word in rule.effects.iter().map(effect_word) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// The vote of an `@observe` rule.
#[derive(Debug, Serialize)]
pub struct VoteReport<'e> {
    rule: &'e str,
    decision: &'e str,
    message: Cow<'e, str>,
}

impl<'e> EvaluationReport<'e> {
    /// Creates the report on an event that this version does not know. Its decision is `pass`.
    #[must_use]
    pub fn from_unknown_event(event: &'e str) -> Self {
        Self { event, decision: "pass", ..Self::default() }
    }

    /// Creates the report on an evaluation with explanations: every rule that the event selects and whose index is
    /// wanted, with the result of each part of its condition. The evaluation must have been made with
    /// [`TraceDetail::Conditions`](super::TraceDetail::Conditions).
    #[must_use]
    pub fn with_explanations(
        evaluation: &'e Evaluation,
        rules: &'e RuleSet,
        sources: &'e Sources,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Self {
        let explain = |judged: &'e [RuleJudgement]| {
            let wanted = judged.iter().filter(|judged| is_wanted(judged.index));
            wanted.map(|judged| RuleReport::with_explanation(judged, rules, sources)).collect()
        };
        let (rules, again) = (explain(&evaluation.trace.rules), explain(&evaluation.trace.rejudged));
        Self { rules, again, ..Self::from_evaluation(evaluation) }
    }

    /// Creates the report on an evaluation, with only the rules that match or are unknown.
    #[must_use]
    pub fn from_evaluation(evaluation: &'e Evaluation) -> Self {
        let verdict = &evaluation.verdict;
        let vote = |vote: &'e Vote| {
            let (rule, decision, message) = (vote.author.name(), vote.decision.keyword(), vote.displayed_message());
            VoteReport { rule, decision, message }
        };
        Self {
            event: verdict.event.name(),
            decision: verdict.decision().keyword(),
            message: verdict.message(),
            decided_by: verdict.winning_votes().map(|vote| vote.author.name()).collect(),
            rules: judgements(&evaluation.trace.rules),
            effects: PlannedEffect::from_verdict(verdict),
            again: judgements(&evaluation.trace.rejudged),
            observed: evaluation.observed.iter().map(vote).collect(),
            damage: None,
        }
    }
}

/// Returns the outcomes of the rules that match or are unknown. `rules eval` prints one line for each event, which
/// would be too long with all other rules.
fn judgements(judged: &[RuleJudgement]) -> Vec<RuleReport<'_>> {
    let relevant = judged.iter().filter(|judged| judged.outcome != RuleOutcome::NoMatch);
    relevant.map(RuleReport::new).collect()
}

impl<'e> RuleReport<'e> {
    fn new(judged: &'e RuleJudgement) -> Self {
        Self {
            rule: &judged.display_name,
            outcome: judged.outcome.display_word(),
            reason: judged.outcome.reason().map(Reason::sentence),
            explained: None,
        }
    }

    /// Creates the report on a rule with the details of its judgement.
    fn with_explanation(judged: &'e RuleJudgement, rules: &'e RuleSet, sources: &'e Sources) -> Self {
        let rule = rules.rules().get(judged.index);
        let explained = RuleExplained {
            help: judged.outcome.reason().and_then(Reason::help),
            place: rule.map(|rule| sources.location(rule.name_span)).unwrap_or_default(),
            effects: rule.map(|rule| effect_words(rule)).unwrap_or_default(),
            observed: rule.is_some_and(|rule| rule.traits.mode == RuleMode::Observe),
            matched: judged.matched.as_ref().map(|matched| matched.text.as_str()),
            through_link: judged.through_link,
            tree: judged.tree.as_deref(),
            parts: judged.parts.iter().map(|part| PartReport::from_node(part, sources)).collect(),
        };
        Self { explained: Some(explained), ..Self::new(judged) }
    }
}

/// An effect of an event besides the decision. It has not been performed.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "effect", rename_all = "lowercase")]
#[cfg_attr(not(feature = "internals"), non_exhaustive)]
pub enum PlannedEffect<'v> {
    /// The tool gets another input.
    #[serde(rename = "rewrite")]
    RewriteInput {
        /// The whole new input.
        tool_input: &'v Json,
    },
    /// The agent gets another output of the tool.
    #[serde(rename = "rewrite")]
    RewriteOutput {
        /// The whole new output.
        tool_response: &'v Json,
    },
    /// The agent gets a text as context.
    Context {
        /// The rule that has the effect.
        rule: &'v str,
        /// The text that the agent gets.
        text: &'v str,
    },
    /// The user gets a warning.
    Warn {
        /// The rule that has the effect.
        rule: &'v str,
        /// The text that the user gets.
        text: &'v str,
    },
    /// The hook ends with an exit code.
    Exit {
        /// The rule that has the effect.
        rule: &'v str,
        /// The exit code.
        code: i32,
        /// The text for standard error.
        text: &'v str,
    },
    /// A command is run.
    Run(#[serde(serialize_with = "run")] &'v Run),
    /// The user gets a notification.
    Notify {
        /// The rule that has the effect.
        rule: &'v str,
        /// The title of the notification.
        title: &'v str,
        /// The body of the notification, possibly empty.
        body: &'v str,
    },
    /// An object is appended to a file.
    Record {
        /// The rule that has the effect.
        rule: &'v str,
        /// The file to which the object is appended. A name that begins with `.rules/log/` is in the project, any
        /// other is below the user's state directory.
        file: &'v str,
        /// The members of the object.
        fields: &'v Map<String, Json>,
        /// The keys whose value is the time of writing, in UTC as in RFC 3339. The writer of the object fills it in.
        times: &'v [String],
    },
}

impl<'v> PlannedEffect<'v> {
    /// Returns the effects of a verdict, in evaluation order within each kind.
    #[must_use]
    pub(crate) fn from_verdict(verdict: &'v Verdict) -> Vec<Self> {
        let text = |note: &'v Note| (note.author.name(), note.text.as_str());
        let mut effects: Vec<Self> = Vec::new();
        effects.extend(verdict.updated_input.iter().map(|tool_input| Self::RewriteInput { tool_input }));
        effects.extend(verdict.updated_output.iter().map(|tool_response| Self::RewriteOutput { tool_response }));
        effects.extend(verdict.contexts.iter().map(text).map(|(rule, text)| Self::Context { rule, text }));
        effects.extend(verdict.warnings.iter().map(text).map(|(rule, text)| Self::Warn { rule, text }));
        effects.extend(verdict.exits.iter().map(|exit| Self::Exit {
            rule: &exit.rule,
            code: exit.code,
            text: &exit.message,
        }));
        effects.extend(verdict.runs.iter().map(Self::Run));
        effects.extend(verdict.notifications.iter().map(|notification| Self::Notify {
            rule: notification.author.name(),
            title: &notification.title,
            body: &notification.body,
        }));
        effects.extend(verdict.records.iter().map(|record| Self::Record {
            rule: &record.rule,
            file: &record.file,
            fields: &record.fields,
            times: &record.times,
        }));
        effects
    }
}

/// Serializes the rule and the command of a `run`, without its options.
fn run<S: Serializer>(run: &Run, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum ReportedCommand<'r> {
        Argv { rule: &'r str, argv: &'r [String] },
        Shell { rule: &'r str, shell: &'r str, parameters: &'r [String] },
    }
    let rule = &run.rule;
    let command = match &run.command {
        Command::Argv(argv) => ReportedCommand::Argv { rule, argv },
        Command::Shell { script, parameters } => ReportedCommand::Shell { rule, shell: script, parameters },
    };
    command.serialize(serializer)
}
