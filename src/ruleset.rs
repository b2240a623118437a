//! The immutable compiled form of a policy: rules in evaluation order, with an index for each event.
//!
//! Plain data. What takes work to make is made when a policy is compiled and kept so, and what only some calls need of a
//! rule is read when one does.

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

pub use condition::{CommandTest, Condition, Dir, Filter, Globs, Kind, Literal, Order, Test, TouchTest, Value};
pub use effect::{ArgvWord, Effect, RecordSpec, RecordValue, Rewrite, RewriteValue, RunCommand, RunSpec, Target};
pub use head::{AgentSelectors, EventSelector, Head, Selected, SelectorList};
pub use hosts::HostTest;
pub use json_path::JsonPath;
pub use patterns::Patterns;
pub use regex::{Edge, LazyRegex, MAX_REGEX, NotSearched, is_light_pattern, regex_size};
pub use rules::{RuleSet, Rules};
pub use source::{Derived, FactName, Part, Source, Template, WhereField};
pub use stored::Stored;

use std::sync::Arc;

use crate::config::LayerKind;
use crate::schema::Event;
use crate::span::Span;
use crate::syntax::ast;
use crate::verdict::Decision;
use crate::wire::Lazy;

/// A rule, resolved and typed. What only a rule that matches needs, or people, is read from its bytes when it is asked
/// for.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The name within its layer: `no-force-push`, `std/git/no-force-push`.
    pub name: String,
    /// The name as it is shown: with the layer's prefix, where it has one.
    pub shown: String,
    /// The layer that it belongs to.
    pub layer: LayerKind,
    /// The `##` lines above it.
    pub docs: Lazy<Vec<String>>,
    /// What the annotations say of it.
    pub traits: Traits,
    /// On which events, and who acts.
    pub head: Head,
    /// `when`.
    pub when: Option<Condition>,
    /// `unless`.
    pub unless: Option<Condition>,
    /// What it votes when its condition is unknown.
    pub unknown: Unknown,
    /// In source order.
    pub effects: Lazy<Vec<Effect>>,
    /// Where the word of each effect stands, in the same order.
    pub effect_spans: Lazy<Vec<Span>>,
    /// It has an `allow`.
    pub can_allow: bool,
    /// It has a vote of its own that stops the call without asking: a deny, a halt, `exit 2`.
    pub can_deny: bool,
    /// It can block: a deny, ask, halt, `exit 2`, or a `run` that can deny.
    pub can_block: bool,
    /// Its condition names `permission_mode`: its allow counts in plan mode too.
    pub names_mode: bool,
    /// Its conditions look at paths, so they are judged on both forms.
    pub looks_at_paths: bool,
    /// Its conditions look at commands and, outside of `where`, at what git says or at files' being there: that is
    /// judged where and when the commands run.
    pub looks_at_surroundings: bool,
    /// Its conditions look anywhere at what git says or at files' being there, which the call may have changed once it
    /// has run.
    pub hangs_on_surroundings: bool,
    /// `fires on`, `quiet on`, `unknown on`. They judge nothing, so that a rule that is read from its bytes has none.
    pub examples: Vec<(ast::ExampleKind, Arc<[ast::Example]>)>,
    /// The place of its name.
    pub name_span: Span,
    /// The whole item.
    pub span: Span,
}

/// What annotations say.
#[derive(Clone, Debug, Default)]
pub struct Traits {
    /// `@off`, `@observe`.
    pub mode: Mode,
    /// `@in_files`.
    pub commands: Commands,
    /// What they say to people.
    pub labels: Lazy<Labels>,
}

/// What annotations say to people.
#[derive(Clone, Debug, Default)]
pub struct Labels {
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
pub enum Commands {
    /// Those that the call runs.
    #[default]
    OfCall,
    /// `@in_files`: also those that it writes into files which run.
    InFilesToo,
}

/// Whether a rule takes part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// It does.
    #[default]
    Active,
    /// `@observe`: evaluated, and recorded as what it would have done.
    Observe,
    /// `@off`: checked, never fires.
    Off,
}

/// The vote of a rule whose condition is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// Nobody wrote one: an ask if the rule can block (a warning where the event cannot ask), else nothing.
    Default,
    /// `unknown deny`.
    Deny,
    /// `unknown ask`.
    Ask,
    /// `unknown ignore`.
    Ignore,
}

impl Rule {
    /// Tells whether the rule's own votes (not those of its commands) can deny, ask or halt.
    #[must_use]
    pub fn votes_against(&self) -> bool {
        self.effects.iter().filter_map(Effect::decision).any(|decision| decision > Decision::Allow)
    }

    /// Tells whether a command of the rule can vote against the call.
    #[must_use]
    pub fn runs_against(&self) -> bool {
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
        self.traits.mode == Mode::Active
            && (takes(self.vote_on_unknown())
                || self.effects.iter().any(|effect| match effect {
                    Effect::Rewrite(_) => answers.rewrite,
                    Effect::Run(run) => answers.deny && run.options.can_block_on(event),
                    effect => effect.decision().is_some_and(takes),
                }))
    }

    /// Tells whether the rule can vote at all, be it by its `unknown` clause: such a rule is judged on what the
    /// rewrites made of a call too (law 8).
    #[must_use]
    pub fn decides(&self) -> bool {
        self.can_allow || self.can_block || matches!(self.unknown, Unknown::Deny | Unknown::Ask)
    }

    /// Returns what the rule votes where its condition is unknown; `Pass` where it has no vote then.
    #[must_use]
    pub fn vote_on_unknown(&self) -> Decision {
        match self.unknown {
            Unknown::Deny => Decision::Deny,
            Unknown::Ask => Decision::Ask,
            Unknown::Default if self.can_block => Decision::Ask,
            Unknown::Default | Unknown::Ignore => Decision::Pass,
        }
    }

    /// Tells whether a rule with these effects can hold for commands in files: it neither allows nor rewrites.
    #[must_use]
    pub fn effects_hold_in_files(effects: &[Effect]) -> bool {
        let is_of_call =
            |effect: &Effect| effect.decision() == Some(Decision::Allow) || matches!(effect, Effect::Rewrite(_));
        !effects.iter().any(is_of_call)
    }

    /// Tells whether it can block by what a command says alone.
    #[must_use]
    pub fn judges_by_command_alone(&self) -> bool {
        self.can_block && !self.votes_against()
    }

    /// Tells whether it is wildcard by its head alone (law 3).
    #[must_use]
    pub fn is_wildcard(&self) -> bool {
        self.head.is_wildcard()
    }
}
