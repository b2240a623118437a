//! The trace of a judgement: which rules were judged, what they examined, and with what result. `rules explain`,
//! `rules eval` and the log display it.

use std::path::PathBuf;

use crate::context::{Context, LookupPlace, Reason};
use crate::ruleset::Rule;
use crate::schema::Event;
use crate::span::Span;
use hookrules_shell::analysis::{CommandScope, SimpleCommand};
use hookrules_shell::network::place_of_work;

use super::Truth;
use super::places::depends_on_trees;

/// The judgements of the rules whose heads select the event.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The judgements on the original call, in evaluation order.
    pub rules: Vec<RuleJudgement>,
    /// The rules whose rewrites became unknown after the rewrites of earlier rules, then the judgements on the
    /// rewritten call, of which only the votes count (law 8).
    pub rejudged: Vec<RuleJudgement>,
}

/// Which effects of a rule count on an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleRole {
    /// All effects count.
    Full,
    /// Only the votes of a PreToolUse rule count: a permission request is about a call that the rule has already
    /// judged.
    VotesOfPreToolUse,
    /// All effects of a PreToolUse rule count except its commands: a command of a skill is about to run, for which no
    /// PreToolUse happens.
    PreToolUseWithoutCommands,
}

impl RuleRole {
    /// Returns the role of PreToolUse rules on another event about a call; `None` if they do not apply to it.
    pub(super) fn for_pre_tool_use(event: Event) -> Option<Self> {
        match event {
            Event::PermissionRequest => Some(Self::VotesOfPreToolUse),
            Event::PreSkillShellCommand => Some(Self::PreToolUseWithoutCommands),
            _ => None,
        }
    }
}

/// The command, path or word that satisfied a test, for `{match}` and `{place}` in texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matched {
    /// The value of `{match}`.
    pub text: String,
    /// Where the command runs. This machine if it is not a command, and `None` if the command is unknown.
    pub place: Option<CommandScope>,
}

impl Matched {
    /// Makes the match of something that is not a command.
    pub(super) fn here(text: String) -> Self {
        Self { text, place: Some(CommandScope::Local) }
    }

    /// Makes the match of a command, which is shown as `text`.
    pub(super) fn command(text: String, command: &SimpleCommand) -> Self {
        Self { text, place: Some(place_of_work(command)) }
    }
}

/// How one rule was judged, and with what outcome.
#[derive(Clone, Debug)]
pub struct RuleJudgement {
    /// The position of the rule in the rule set.
    pub index: usize,
    /// The name of the rule as it is displayed.
    pub display_name: String,
    /// Which effects of the rule count.
    pub role: RuleRole,
    /// Whether the rule matches.
    pub outcome: RuleOutcome,
    /// What satisfied the first test of a command, path or word, if the rule matches.
    pub matched: Option<Matched>,
    /// The parts of `when` and of `unless`, if they are kept.
    pub parts: Vec<ConditionTrace>,
    /// Whether the decisive judgement was the one with symbolic links resolved.
    pub through_link: bool,
    /// The place that was decisive, if the rule is judged for places.
    pub place: Option<LookupPlace>,
    /// The root of the working tree of that place, if it is not that of the session.
    pub tree: Option<PathBuf>,
    /// The number of condition parts that were evaluated.
    pub steps: u32,
}

/// Whether a rule matches an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RuleOutcome {
    /// The rule matches.
    Match,
    /// The rule does not match.
    NoMatch,
    /// It is unknown whether the rule matches, for this reason.
    Unknown(Reason),
}

impl RuleOutcome {
    /// Returns the word for the outcome that `rules eval` prints.
    #[must_use]
    pub fn display_word(&self) -> &'static str {
        match self {
            Self::Match => "match",
            Self::NoMatch => "no-match",
            Self::Unknown(_) => "unknown",
        }
    }

    /// Returns the reason of an unknown outcome; `None` for another outcome.
    #[must_use]
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Self::Unknown(reason) => Some(reason),
            _ => None,
        }
    }

    /// Returns a number that is higher, the closer the outcome is to a match.
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

/// The result of a part of a condition, with the results of its own parts.
#[derive(Clone, Debug)]
pub struct ConditionTrace {
    /// The position of the part in the source.
    pub span: Span,
    /// The result of the part.
    pub truth: Truth,
    /// A clause about the value that was examined: ``it is `src/a.rs` ``.
    pub note: Option<String>,
    /// The value that decided, in the form in which it was compared. `None` if the test compares no value, or is
    /// about commands, files or hosts.
    pub value: Option<String>,
    /// The results of the part's own parts, in source order, up to the one that decided.
    pub parts: Vec<ConditionTrace>,
}

impl RuleJudgement {
    /// Returns the place that was decisive, if the rule depends on the working trees of the call.
    pub(super) fn decisive_place(&self, rule: &Rule, context: &Context<'_>) -> Option<&LookupPlace> {
        self.place.as_ref().filter(|_| depends_on_trees(rule, context) && self.outcome != RuleOutcome::NoMatch)
    }
}
