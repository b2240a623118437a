//! What was looked at, and with which result: the raw material of `explain`, `eval` and the log.

use crate::context::Reason;
use crate::schema::Event;
use crate::span::Span;

use super::Truth;

/// Every rule that the head selected.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// On the input as it came, in evaluation order.
    pub rules: Vec<Judged>,
    /// The rules whose rewrite is not known once others have rewritten the input, then the deciding rules on the input
    /// after the rewrites, for their votes only (law 8).
    pub again: Vec<Judged>,
}

/// What counts of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// All of it.
    Full,
    /// Its votes, because a permission request is the same call asked again.
    VotesOfPreToolUse,
    /// All of a rule of PreToolUse but its commands: a skill's command runs now, and raises no PreToolUse.
    PreToolUseWithoutCommands,
}

impl Role {
    /// Returns what counts of the rules of PreToolUse on another event about a call.
    pub(super) fn of_pre_tool_use(event: Event) -> Option<Self> {
        match event {
            Event::PermissionRequest => Some(Self::VotesOfPreToolUse),
            Event::PreSkillShellCommand => Some(Self::PreToolUseWithoutCommands),
            _ => None,
        }
    }
}

/// One rule's judgement.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Its position in the rule set.
    pub index: usize,
    /// Its shown name.
    pub shown: String,
    /// What counts of it.
    pub role: Role,
    /// What came out.
    pub outcome: Outcome,
    /// `{match}`: the word or path of the first test that came out true.
    pub matched: Option<String>,
    /// The parts of `when` and of `unless`, where they were asked for.
    pub parts: Vec<Node>,
    /// The form with links resolved decided it.
    pub through_link: bool,
    /// How many parts of conditions were looked at.
    pub steps: u32,
}

/// Whether a rule matches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It does.
    Match,
    /// It does not.
    NoMatch,
    /// It cannot be known, and why.
    Unknown(Reason),
}

impl Outcome {
    /// Returns the word that `eval` prints.
    #[must_use]
    pub fn word(&self) -> &'static str {
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

impl From<Truth> for Outcome {
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
pub struct Node {
    /// Where it stands.
    pub span: Span,
    /// What it came to.
    pub truth: Truth,
    /// What was looked at: `path is src/a.rs`.
    pub note: Option<String>,
    /// The value that decided, as it is compared; absent where a test compares none, or several commands or files.
    pub value: Option<String>,
    /// Its parts, in source order; those after the one that decided are not there.
    pub parts: Vec<Node>,
}
