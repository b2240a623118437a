//! The compiled form of a policy, which never changes: rules in evaluation order, with an index for each event.
//!
//! Plain data. Expensive parts are computed when a policy is compiled, and stored with it. Parts of a rule that only
//! some calls need are decoded when they are first used.

mod bytes;
mod condition;
mod effect;
mod head;
mod hosts;
pub mod index;
mod json_path;
mod mark;
mod names;
mod never_certain;
mod patterns;
mod references;
mod regex;
mod rules;
mod source;
mod stored;

pub use condition::{
    CommandTest, Condition, ConditionExpr, DirOperand, FilledGlob, FilledGlobs, Globs, Literal, OrderOperator,
    PolicyValue, TouchTest, ValueTest, WhereFilter,
};
pub use effect::{
    ArgvWord, Effect, RecordSpec, RecordValue, Rewrite, RewriteTarget, RewriteValue, RunCommand, RunSpec,
};
pub use head::{AgentSelectors, EventSelector, Head, HeadMatch, SelectorList};
pub use hosts::HostTest;
pub use json_path::JsonPath;
pub use mark::{KeySource, MarkPhase, MarkSpec, MarkedEvents, PastTest, may_move, or_moves};
pub use names::RuleNames;
pub use never_certain::NeverCertain;
pub use patterns::Patterns;
pub use regex::{CountedText, LazyRegex, MAX_REGEX, SearchFailure, TextEdge, is_light_pattern, regex_size};
pub use rules::{RuleSet, Rules};
pub use source::{
    CaptureReference, DerivedField, FactName, Measure, PLACES, Template, TemplatePart, ValueReference, WhereField,
    place_word,
};
pub use stored::StoredRules;

use std::sync::Arc;

use crate::config::{LayerKind, PolicyBase};
use crate::schema::Event;
use crate::span::Span;
use crate::syntax::ast;
use crate::verdict::Decision;
use crate::wire::{Lazy, to_bytes};

/// A compiled rule: names are resolved, and types are checked. The parts in `Lazy`, which only a matching rule or a
/// human reader needs, are decoded when they are first used.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The name within its layer: `no-force-push`, `std/git/no-force-push`.
    pub name: String,
    /// The displayed name: the name with the prefix of the layer, if that has one, as in `user/no-sudo`.
    pub display_name: String,
    /// The layer that the rule belongs to.
    pub layer: LayerKind,
    /// The directory that the rule's policy is about.
    pub base: PolicyBase,
    /// The lines of its doc comment (`##`).
    pub docs: Lazy<Vec<String>>,
    /// The other directories whose policies have the same rule. They do not affect judging, so they are not encoded: a
    /// decoded rule has none.
    pub also_of: Vec<PolicyBase>,
    /// The annotations, such as `@off`.
    pub traits: RuleTraits,
    /// The events and the acting agents that it selects.
    pub head: Head,
    /// The condition of `when`.
    pub when: Option<Condition>,
    /// The condition of `unless`.
    pub unless: Option<Condition>,
    /// The clause `unknown …`, which determines the vote if the condition is unknown.
    pub unknown: UnknownClause,
    /// The effects, in source order.
    pub effects: Lazy<Vec<Effect>>,
    /// The span of each effect's keyword, in the same order.
    pub effect_spans: Lazy<Vec<Span>>,
    /// Whether one of the effects is `allow`.
    pub can_allow: bool,
    /// Whether one of the effects stops the call without a question: `deny`, `halt` or `exit 2`.
    pub can_deny: bool,
    /// Whether one of the effects can stop the call: `deny`, `ask`, `halt`, `exit 2`, or a `run` with `on_fail: deny`
    /// or `output: hook`. A `run` that denies only by the exit code of its command does not count.
    pub can_block: bool,
    /// Whether its condition tests `permission_mode`. Only then is its allow valid in plan mode.
    pub names_mode: bool,
    /// Whether its conditions test paths. They are then judged twice: on the paths as given, and with symbolic links
    /// resolved.
    pub looks_at_paths: bool,
    /// Whether its conditions test commands, and also (outside of `where`) git's state or the existence of files. They
    /// are then judged once for each directory and moment in which commands of the call run.
    pub looks_at_surroundings: bool,
    /// Whether its conditions test git's state outside of `where`. They are then judged in each directory in which the
    /// call works.
    pub looks_at_git: bool,
    /// Whether its conditions test the existence or size of files by relative names outside of `where`. If the project
    /// has linked worktrees, they are then judged in each directory in which the call works.
    pub looks_at_relative_files: bool,
    /// Whether its conditions test git's state or the existence of files anywhere. The call may change both, so the
    /// result may be another one after the call.
    pub depends_on_surroundings: bool,
    /// The examples: `fires on`, `quiet on`, `unknown on`. They do not affect judging, so they are not encoded: a
    /// decoded rule has none.
    pub examples: Vec<(ast::ExampleKind, Arc<[ast::Example]>)>,
    /// The span of its name.
    pub name_span: Span,
    /// The span of the whole rule.
    pub span: Span,
}

/// The annotations of a rule.
#[derive(Clone, Debug, Default)]
pub struct RuleTraits {
    /// Whether the rule is active: `@off`, `@observe`.
    pub mode: RuleMode,
    /// The commands that the rule judges: `@in_files`.
    pub commands: CommandCoverage,
    /// The annotations that only inform people.
    pub labels: Lazy<RuleLabels>,
}

/// Annotations that only inform people.
#[derive(Clone, Debug, Default)]
pub struct RuleLabels {
    /// `@severity(…)`.
    pub severity: Option<String>,
    /// `@tags(…)`.
    pub tags: Vec<String>,
    /// `@owner("…")`.
    pub owner: Option<String>,
    /// `@url("…")`.
    pub url: Option<String>,
}

/// The set of commands that a rule judges.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CommandCoverage {
    /// The rule judges the commands that the call runs.
    #[default]
    Call,
    /// `@in_files`: the rule also judges the commands in files that the call writes, if the files are ones that run,
    /// such as a script or a workflow.
    CallAndFiles,
}

/// Whether a rule is active.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RuleMode {
    /// The rule is evaluated and votes.
    #[default]
    Active,
    /// `@observe`: the rule is evaluated, and the vote that it would have cast is only logged.
    Observe,
    /// `@off`: the rule is compiled, but never applies.
    Off,
}

/// The vote of a rule whose condition is unknown: the clause `unknown …`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnknownClause {
    /// There is no clause. A rule that can block asks (or warns, on an event without questions), and any other does
    /// not vote.
    Default,
    /// `unknown deny`.
    Deny,
    /// `unknown ask`.
    Ask,
    /// `unknown ignore`.
    Ignore,
}

impl Rule {
    /// Whether another rule has the same effects.
    #[must_use]
    pub fn has_same_effects(&self, other: &Self) -> bool {
        to_bytes(&*self.effects) == to_bytes(&*other.effects)
    }

    /// Whether the rule is judged in each directory in which the call works.
    #[must_use]
    pub fn has_places(&self) -> bool {
        self.looks_at_surroundings || self.looks_at_git
    }

    /// Whether the rule itself, without its commands, can vote to deny, ask or halt.
    #[must_use]
    pub fn can_vote_against(&self) -> bool {
        self.effects.iter().filter_map(Effect::decision).any(|decision| decision > Decision::Allow)
    }

    /// Whether the result of one of the rule's commands can be a vote against the call.
    #[must_use]
    pub fn has_command_votes(&self) -> bool {
        self.effects.iter().any(|effect| matches!(effect, Effect::Run(run) if run.can_block()))
    }

    /// Whether the rule can stop or change the action that an event announces: by a vote, a command, a rewrite, or
    /// the vote for an unknown condition. False if it is not active, or if the event accepts none of these answers.
    #[must_use]
    pub fn can_stop(&self, event: Event) -> bool {
        let answers = event.spec().answers;
        let is_accepted = |decision| match decision {
            Decision::Pass | Decision::Allow => false,
            Decision::Ask => answers.ask,
            Decision::Deny => answers.deny,
            Decision::Halt => answers.halt,
        };
        self.traits.mode == RuleMode::Active
            && (is_accepted(self.vote_on_unknown())
                || self.effects.iter().any(|effect| match effect {
                    Effect::Rewrite(_) => answers.rewrite,
                    Effect::Run(run) => answers.deny && run.options.can_block_on(event),
                    effect => effect.decision().is_some_and(is_accepted),
                }))
    }

    /// Whether the rule can vote at all, even if only for an unknown condition. Such a rule is also judged on the
    /// rewritten call (law 8).
    #[must_use]
    pub fn can_vote(&self) -> bool {
        self.can_allow || self.can_block || matches!(self.unknown, UnknownClause::Deny | UnknownClause::Ask)
    }

    /// Returns the vote of the rule if its condition is unknown; `Pass` if the rule then has no vote.
    #[must_use]
    pub fn vote_on_unknown(&self) -> Decision {
        match self.unknown {
            UnknownClause::Deny => Decision::Deny,
            UnknownClause::Ask => Decision::Ask,
            UnknownClause::Default if self.can_block => Decision::Ask,
            UnknownClause::Default | UnknownClause::Ignore => Decision::Pass,
        }
    }

    /// Whether a rule with these effects may have `@in_files`: it must neither allow nor rewrite, because both
    /// concern the call itself.
    #[must_use]
    pub fn can_apply_to_files(effects: &[Effect]) -> bool {
        let is_of_call =
            |effect: &Effect| effect.decision() == Some(Decision::Allow) || matches!(effect, Effect::Rewrite(_));
        !effects.iter().any(is_of_call)
    }

    /// Whether the rule can block, but only by the result of a `run` command.
    #[must_use]
    pub fn is_command_only_blocker(&self) -> bool {
        self.can_block && !self.can_vote_against()
    }

    /// Returns the mark for which the rule was compiled; `None` for an ordinary rule.
    #[must_use]
    pub fn mark(&self) -> Option<&MarkSpec> {
        self.effects.iter().find_map(|effect| match effect {
            Effect::Mark(spec) => Some(spec),
            _ => None,
        })
    }

    /// Whether the compiler has added the rule, to remember when the calls of a mark begin.
    #[must_use]
    pub fn is_generated(&self) -> bool {
        self.mark().is_some_and(|mark| mark.phase == MarkPhase::Begins)
    }

    /// Whether the rule's head selects every subject and every agent (law 3).
    #[must_use]
    pub fn is_wildcard(&self) -> bool {
        self.head.is_wildcard()
    }
}
