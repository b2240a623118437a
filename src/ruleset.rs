//! The immutable compiled form of a policy: rules in evaluation order, with an index for each event.
//!
//! Plain data. Expensive parts are built when a policy is compiled and stored with it; parts of a rule that only some
//! calls need are decoded on demand.

mod bytes;
mod condition;
mod effect;
mod head;
mod hosts;
pub mod index;
mod json_path;
mod patterns;
mod regex;
mod rules;
mod source;
mod stored;

pub use condition::{
    CommandTest, Condition, ConditionExpr, DirOperand, Globs, Literal, OrderOperator, PolicyValue, TouchTest,
    ValueTest, WhereFilter,
};
pub use effect::{
    ArgvWord, Effect, RecordSpec, RecordValue, Rewrite, RewriteTarget, RewriteValue, RunCommand, RunSpec,
};
pub use head::{AgentSelectors, EventSelector, Head, HeadMatch, SelectorList};
pub use hosts::HostTest;
pub use json_path::JsonPath;
pub use patterns::Patterns;
pub use regex::{LazyRegex, MAX_REGEX, SearchFailure, TextEdge, is_light_pattern, regex_size};
pub use rules::{RuleSet, Rules};
pub use source::{DerivedField, FactName, Template, TemplatePart, ValueReference, WhereField};
pub use stored::StoredRules;

use std::sync::Arc;

use crate::config::LayerKind;
use crate::schema::Event;
use crate::span::Span;
use crate::syntax::ast;
use crate::verdict::Decision;
use crate::wire::Lazy;

/// A rule, resolved and typed. Parts that only a matching rule or a human reader needs are decoded from its bytes on
/// first access.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The name within its layer: `no-force-push`, `std/git/no-force-push`.
    pub name: String,
    /// The displayed name: with the layer's prefix, if it has one.
    pub display_name: String,
    /// The layer that it belongs to.
    pub layer: LayerKind,
    /// The `##` lines above it.
    pub docs: Lazy<Vec<String>>,
    /// The parsed annotations.
    pub traits: RuleTraits,
    /// The events and the acting agents that it selects.
    pub head: Head,
    /// `when`.
    pub when: Option<Condition>,
    /// `unless`.
    pub unless: Option<Condition>,
    /// Its vote if its condition is unknown.
    pub unknown: UnknownClause,
    /// In source order.
    pub effects: Lazy<Vec<Effect>>,
    /// The span of each effect's keyword, in the same order.
    pub effect_spans: Lazy<Vec<Span>>,
    /// Whether it has an `allow`.
    pub can_allow: bool,
    /// Whether it has a vote of its own that stops the call without asking: a deny, a halt, `exit 2`.
    pub can_deny: bool,
    /// Whether it can block: a deny, ask, halt, `exit 2`, or a `run` that can deny.
    pub can_block: bool,
    /// Whether its condition names `permission_mode`: its allow then counts in plan mode too.
    pub names_mode: bool,
    /// Whether its conditions test paths, so that they are judged on both forms.
    pub looks_at_paths: bool,
    /// Whether its conditions test commands and, outside of `where`, git's state or the existence of files: these are
    /// then judged where and when the commands run.
    pub looks_at_surroundings: bool,
    /// Whether its conditions test git's state or the existence of files anywhere; the call may have changed both once
    /// it has run.
    pub hangs_on_surroundings: bool,
    /// `fires on`, `quiet on`, `unknown on`. They do not affect judging, so a rule decoded from its bytes has none.
    pub examples: Vec<(ast::ExampleKind, Arc<[ast::Example]>)>,
    /// The span of its name.
    pub name_span: Span,
    /// The span of the whole item.
    pub span: Span,
}

/// The annotations of a rule.
#[derive(Clone, Debug, Default)]
pub struct RuleTraits {
    /// `@off`, `@observe`.
    pub mode: RuleMode,
    /// `@in_files`.
    pub commands: CommandCoverage,
    /// The annotations for people.
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

/// Which commands a rule judges.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CommandCoverage {
    /// The commands that the call runs.
    #[default]
    Call,
    /// `@in_files`: also the commands that the call writes into files which run.
    CallAndFiles,
}

/// Whether a rule is active.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RuleMode {
    /// It is evaluated and it votes.
    #[default]
    Active,
    /// `@observe`: evaluated, and recorded with the vote that it would have cast.
    Observe,
    /// `@off`: checked, but never fires.
    Off,
}

/// The vote of a rule whose condition is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnknownClause {
    /// Without an `unknown` clause: an ask if the rule can block (a warning if the event cannot ask), else no vote.
    Default,
    /// `unknown deny`.
    Deny,
    /// `unknown ask`.
    Ask,
    /// `unknown ignore`.
    Ignore,
}

impl Rule {
    /// Whether the rule's own votes (not those of its commands) can deny, ask or halt.
    #[must_use]
    pub fn can_vote_against(&self) -> bool {
        self.effects.iter().filter_map(Effect::decision).any(|decision| decision > Decision::Allow)
    }

    /// Whether a command of the rule can vote against the call.
    #[must_use]
    pub fn has_command_votes(&self) -> bool {
        self.effects.iter().any(|effect| matches!(effect, Effect::Run(run) if run.can_block()))
    }

    /// Whether the rule can stop or change what an event announces: by a vote, a command, a rewrite or `unknown`.
    #[must_use]
    pub fn can_stop(&self, event: Event) -> bool {
        let answers = event.spec().answers;
        let takes = |decision| match decision {
            Decision::Pass | Decision::Allow => false,
            Decision::Ask => answers.ask,
            Decision::Deny => answers.deny,
            Decision::Halt => answers.halt,
        };
        self.traits.mode == RuleMode::Active
            && (takes(self.vote_on_unknown())
                || self.effects.iter().any(|effect| match effect {
                    Effect::Rewrite(_) => answers.rewrite,
                    Effect::Run(run) => answers.deny && run.options.can_block_on(event),
                    effect => effect.decision().is_some_and(takes),
                }))
    }

    /// Whether the rule can vote at all, if only by its `unknown` clause: such a rule is also judged on the rewritten
    /// call (law 8).
    #[must_use]
    pub fn can_vote(&self) -> bool {
        self.can_allow || self.can_block || matches!(self.unknown, UnknownClause::Deny | UnknownClause::Ask)
    }

    /// The vote of the rule if its condition is unknown; `Pass` if it then has none.
    #[must_use]
    pub fn vote_on_unknown(&self) -> Decision {
        match self.unknown {
            UnknownClause::Deny => Decision::Deny,
            UnknownClause::Ask => Decision::Ask,
            UnknownClause::Default if self.can_block => Decision::Ask,
            UnknownClause::Default | UnknownClause::Ignore => Decision::Pass,
        }
    }

    /// Whether a rule with these effects can apply to commands in files: it must neither allow nor rewrite.
    #[must_use]
    pub fn can_apply_to_files(effects: &[Effect]) -> bool {
        let is_of_call =
            |effect: &Effect| effect.decision() == Some(Decision::Allow) || matches!(effect, Effect::Rewrite(_));
        !effects.iter().any(is_of_call)
    }

    /// Whether it can block only through the result of a `run` command.
    #[must_use]
    pub fn is_command_only_blocker(&self) -> bool {
        self.can_block && !self.can_vote_against()
    }

    /// Whether its head alone makes it a wildcard rule (law 3).
    #[must_use]
    pub fn is_wildcard(&self) -> bool {
        self.head.is_wildcard()
    }
}
