//! The judgement of an event, for programs that embed the engine.

use serde::{Serialize, Serializer};

use super::Place;
use crate::eval::{ConditionTrace, Evaluation, EvaluationReport, PlannedEffect, RuleJudgement, RuleOutcome};
use crate::span::Sources;
use crate::verdict::{Decision, Verdict, Vote};

/// The judgement of an event: the decision and its reasons, the rules that match, and the follow-up actions.
///
/// It serializes to the object that `rules eval` prints:
///
/// ```
/// # use hookrules::{Engine, HookEvent, StatedFacts};
/// # use serde_json::json;
/// let engine = Engine::parse("a.rules", "rule no-sudo {\n  on PreToolUse\n  when runs \"sudo\"\n  deny \"No.\"\n}\n")?;
/// let event = HookEvent::tool_call("Bash", json!({ "command": "sudo ls" }))?;
/// let judgement = engine.judge(&event, &StatedFacts::default());
/// assert_eq!(serde_json::to_value(&judgement)?, json!({
///     "event": "PreToolUse", "decision": "deny", "message": "No.", "decided_by": ["no-sudo"],
///     "rules": [{ "rule": "no-sudo", "outcome": "match" }], "effects": [],
/// }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Judgement {
    evaluation: Evaluation,
    rules: Vec<JudgedRule>,
    /// The rules that were judged again on the rewritten call.
    after_rewrites: Vec<JudgedRule>,
}

/// The vote of a rule on the decision.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RuleDecision {
    /// The name of the rule; `rules` for a vote of the program itself.
    pub rule: String,
    /// The decision that the rule votes for; never [`Decision::Pass`].
    pub decision: Decision,
    /// The reason; may be empty for an allow.
    pub message: String,
    /// Whether the vote is one of the strictest, which make the decision.
    pub prevails: bool,
}

/// The outcome of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct JudgedRule {
    /// The rule's name; with a prefix such as `user/` for a rule that is not in the project's layer.
    pub name: String,
    /// Whether it matches.
    pub outcome: MatchOutcome,
    /// The value of `{match}` in the rule's texts: the word or path that satisfied the first test with such a value.
    pub matched: Option<String>,
    /// The outcomes of the rule's conditions, `when` before `unless`. Empty unless the judgement is from
    /// [`Engine::explain`](crate::Engine::explain).
    pub conditions: Vec<JudgedCondition>,
}

/// The outcome of a part of a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct JudgedCondition {
    /// The source text of the part.
    pub text: String,
    /// The place of the part in the policy.
    pub place: Option<Place>,
    /// Whether the part holds.
    pub outcome: MatchOutcome,
    /// A text about the tested value, such as the command that matched.
    pub note: Option<String>,
    /// The parts of this part, in source order, up to the one that decided the outcome.
    pub parts: Vec<JudgedCondition>,
}

/// Whether a rule matches, or a condition holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MatchOutcome {
    /// The rule matches, or the condition holds.
    Match,
    /// The rule does not match, or the condition does not hold.
    NoMatch,
    /// The outcome is unknown, for this reason. A rule that could deny then asks the user; a rule that could only
    /// allow does nothing.
    Unknown(String),
}

impl Judgement {
    /// Creates the judgement of an evaluation. With `explained`, the sources of the policy, it includes rules that do
    /// not match and the outcomes of conditions.
    pub(super) fn new(evaluation: Evaluation, explained: Option<&Sources>) -> Self {
        let is_included = |judged: &&RuleJudgement| explained.is_some() || judged.outcome != RuleOutcome::NoMatch;
        let convert = |judgements: &[RuleJudgement]| {
            judgements.iter().filter(is_included).map(|judged| JudgedRule::new(judged, explained)).collect()
        };
        let (rules, after_rewrites) = (convert(&evaluation.trace.rules), convert(&evaluation.trace.rejudged));
        Self { evaluation, rules, after_rewrites }
    }

    /// Returns the decision: the strictest of the votes.
    #[must_use]
    pub fn decision(&self) -> Decision {
        self.evaluation.verdict.decision()
    }

    /// Returns the message of the decision: the messages of the votes that made it, each once.
    #[must_use]
    pub fn message(&self) -> String {
        self.evaluation.verdict.message()
    }

    /// Returns the votes of the rules, in evaluation order.
    #[must_use]
    pub fn reasons(&self) -> Vec<RuleDecision> {
        reasons(&self.evaluation.verdict)
    }

    /// Returns the rules that match or cannot be judged, in evaluation order. A judgement from
    /// [`Engine::explain`](crate::Engine::explain) also has the rules that do not match.
    #[must_use]
    pub fn rules(&self) -> &[JudgedRule] {
        &self.rules
    }

    /// Returns the outcomes of the rules that were judged a second time, on the rewritten call.
    #[must_use]
    pub fn rules_after_rewrites(&self) -> &[JudgedRule] {
        &self.after_rewrites
    }

    /// Returns the follow-up actions besides the decision. None of them has been carried out.
    #[must_use]
    pub fn effects(&self) -> Vec<PlannedEffect<'_>> {
        PlannedEffect::from_verdict(&self.evaluation.verdict)
    }
}

/// Returns the votes of a verdict, in evaluation order.
pub(super) fn reasons(verdict: &Verdict) -> Vec<RuleDecision> {
    let decision = verdict.decision();
    let reason = |vote: &Vote| RuleDecision {
        rule: vote.author.name().to_owned(),
        decision: vote.decision,
        message: vote.displayed_message().into_owned(),
        prevails: vote.decision == decision,
    };
    verdict.votes.iter().map(reason).collect()
}

impl Serialize for Judgement {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        EvaluationReport::from_evaluation(&self.evaluation).serialize(serializer)
    }
}

impl JudgedRule {
    /// Converts the outcome of a rule. Its conditions are included only if `sources` is given.
    fn new(judged: &RuleJudgement, sources: Option<&Sources>) -> Self {
        let conditions = sources.map(|sources| judged.parts.iter().map(|part| JudgedCondition::new(part, sources)));
        Self {
            name: judged.display_name.clone(),
            outcome: MatchOutcome::new(&judged.outcome),
            matched: judged.matched.as_ref().map(|matched| matched.text.clone()),
            conditions: conditions.into_iter().flatten().collect(),
        }
    }
}

impl JudgedCondition {
    /// Converts the outcome of a condition and of its parts.
    fn new(node: &ConditionTrace, sources: &Sources) -> Self {
        Self {
            text: sources.file(node.span).map(|file| file.slice(node.span).to_owned()).unwrap_or_default(),
            place: Place::from_span(node.span, sources),
            outcome: MatchOutcome::new(&RuleOutcome::from(node.truth.clone())),
            note: node.note.clone(),
            parts: node.parts.iter().map(|part| Self::new(part, sources)).collect(),
        }
    }
}

impl MatchOutcome {
    fn new(outcome: &RuleOutcome) -> Self {
        match outcome {
            RuleOutcome::Match => Self::Match,
            RuleOutcome::NoMatch => Self::NoMatch,
            RuleOutcome::Unknown(reason) => Self::Unknown(reason.sentence()),
        }
    }
}
