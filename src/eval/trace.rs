//! What was examined, and with which result: the raw material of `explain`, `eval` and the log.

use crate::context::Reason;
use crate::schema::Event;
use crate::span::Span;

use super::Truth;

/// The rules whose heads select the event.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// On the original input, in evaluation order.
    pub rules: Vec<RuleJudgement>,
    /// The rules whose rewrite became unknown after the rewrites of others, then the deciding rules on the rewritten
    /// input, for their votes only (law 8).
    pub rejudged: Vec<RuleJudgement>,
}

/// The parts of a rule that count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleRole {
    /// All parts.
    Full,
    /// Its votes, because a permission request asks about the same call again.
    VotesOfPreToolUse,
    /// Everything in a PreToolUse rule except its commands: a skill's command runs now, and raises no PreToolUse.
    PreToolUseWithoutCommands,
}

impl RuleRole {
    /// Returns the role of PreToolUse rules on another event about a call.
    pub(super) fn for_pre_tool_use(event: Event) -> Option<Self> {
        match event {
            Event::PermissionRequest => Some(Self::VotesOfPreToolUse),
            Event::PreSkillShellCommand => Some(Self::PreToolUseWithoutCommands),
            _ => None,
        }
    }
}

/// One rule's judgement.
#[derive(Clone, Debug)]
pub struct RuleJudgement {
    /// Its position in the rule set.
    pub index: usize,
    /// Its shown name.
    pub display_name: String,
    /// The parts of it that count.
    pub role: RuleRole,
    /// The outcome.
    pub outcome: RuleOutcome,
    /// `{match}`: the word or path of the first test that is true.
    pub matched: Option<String>,
    /// The parts of `when` and of `unless`, if they are kept.
    pub parts: Vec<ConditionTrace>,
    /// Whether the form with links resolved was decisive.
    pub through_link: bool,
    /// The number of condition parts that were evaluated.
    pub steps: u32,
}

/// Whether a rule matches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RuleOutcome {
    /// It does.
    Match,
    /// It does not.
    NoMatch,
    /// It is unknown, with the reason.
    Unknown(Reason),
}

impl RuleOutcome {
    /// Returns the word that `eval` prints.
    #[must_use]
    pub fn display_word(&self) -> &'static str {
        match self {
            Self::Match => "match",
            Self::NoMatch => "no-match",
            Self::Unknown(_) => "unknown",
        }
    }

    /// Returns the reason of an unknown.
    #[must_use]
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Self::Unknown(reason) => Some(reason),
            _ => None,
        }
    }

    pub(super) fn rank(&self) -> u8 {
        match self {
            Self::NoMatch => 0,
            Self::Unknown(_) => 1,
            Self::Match => 2,
        }
    }
}

impl From<Truth> for RuleOutcome {
    fn from(truth: Truth) -> Self {
        match truth {
            Truth::True => Self::Match,
            Truth::False => Self::NoMatch,
            Truth::Unknown(reason) => Self::Unknown(*reason),
        }
    }
}

/// A part of a condition.
#[derive(Clone, Debug)]
pub struct ConditionTrace {
    /// Its place in the source.
    pub span: Span,
    /// Its result.
    pub truth: Truth,
    /// What was examined: ``it is `src/a.rs` ``.
    pub note: Option<String>,
    /// The deciding value, as it is compared; `None` if a test compares no value, or is about commands, files or hosts.
    pub value: Option<String>,
    /// Its parts, in source order; those after the deciding one are left out.
    pub parts: Vec<ConditionTrace>,
}
