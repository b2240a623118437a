//! The judgement of an event, for an embedding program.

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
    after_rewrites: Vec<JudgedRule>,
}

/// The vote of a rule on the decision.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RuleDecision {
    /// The rule; `rules` for a vote of the program itself.
    pub rule: String,
    /// Its decision; never [`Decision::Pass`].
    pub decision: Decision,
    /// The reason; may be empty for an allow.
    pub message: String,
    /// Whether it is one of the strictest, which determine the decision.
    pub prevails: bool,
}

/// The outcome of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct JudgedRule {
    /// The rule's name; `user/NAME` and the like for a rule of another layer than the project's.
    pub name: String,
    /// Whether it matches.
    pub outcome: MatchOutcome,
    /// The value of `{match}` in its texts: the word or path of the first test that holds.
    pub matched: Option<String>,
    /// The outcomes of its conditions, `when` before `unless`. Only [`Engine::explain`](crate::Engine::explain) keeps
    /// them.
    pub conditions: Vec<JudgedCondition>,
}

/// The outcome of a part of a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct JudgedCondition {
    /// The source text of the part.
    pub text: String,
    /// Its place.
    pub place: Option<Place>,
    /// Whether it holds.
    pub outcome: MatchOutcome,
    /// The value that was tested.
    pub note: Option<String>,
    /// Its parts, in source order, without those after the one that decided it.
    pub parts: Vec<JudgedCondition>,
}

/// Whether a rule matches, or a condition holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MatchOutcome {
    /// It does.
    Match,
    /// It does not.
    NoMatch,
    /// It is unknown, for this reason. A rule that could deny then asks the user; one that could allow does not.
    Unknown(String),
}

impl Judgement {
    pub(super) fn new(evaluation: Evaluation, explained: Option<&Sources>) -> Self {
        let told = |judged: &&RuleJudgement| explained.is_some() || judged.outcome != RuleOutcome::NoMatch;
        let all =
            |judged: &[RuleJudgement]| judged.iter().filter(told).map(|it| JudgedRule::new(it, explained)).collect();
        let (rules, after_rewrites) = (all(&evaluation.trace.rules), all(&evaluation.trace.rejudged));
        Self { evaluation, rules, after_rewrites }
    }

    /// Returns the decision: that of the strictest rule.
    #[must_use]
    pub fn decision(&self) -> Decision {
        self.evaluation.verdict.decision()
    }

    /// Returns the message of the decision: the messages of the rules that made it, each once.
    #[must_use]
    pub fn message(&self) -> String {
        self.evaluation.verdict.message()
    }

    /// Returns the votes of the rules, in evaluation order.
    #[must_use]
    pub fn reasons(&self) -> Vec<RuleDecision> {
        reasons(&self.evaluation.verdict)
    }

    /// Returns the rules that match or cannot be judged, in evaluation order;
    /// [`Engine::explain`](crate::Engine::explain) includes those that do not match.
    #[must_use]
    pub fn rules(&self) -> &[JudgedRule] {
        &self.rules
    }

    /// Returns the rules that were judged again on the rewritten call.
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
    fn new(judged: &RuleJudgement, sources: Option<&Sources>) -> Self {
        let conditions = sources.map(|sources| judged.parts.iter().map(|part| JudgedCondition::new(part, sources)));
        Self {
            name: judged.display_name.clone(),
            outcome: MatchOutcome::new(&judged.outcome),
            matched: judged.matched.clone(),
            conditions: conditions.into_iter().flatten().collect(),
        }
    }
}

impl JudgedCondition {
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
