//! Conditions, resolved and typed.

use std::fmt;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

use crate::span::Span;
use crate::syntax::ast::FileVerb;
use crate::wire::Lazy;
use hookrules_shell::path::{PathGlobs, TextGlobs};

use super::{HostTest, LazyRegex, Patterns, Source};

/// A condition with its place, which `explain` underlines.
#[derive(Clone, Debug)]
pub struct Condition {
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub span: Span,
}

/// The condition of a `where`, which is read when a command matches the pattern in front of it.
#[derive(Clone, Debug)]
pub struct Filter(pub(super) Lazy<Condition>);

impl From<Condition> for Filter {
    fn from(condition: Condition) -> Self {
        Self(condition.into())
    }
}

impl Deref for Filter {
    type Target = Condition;

    fn deref(&self) -> &Condition {
        &self.0
    }
}

/// A condition that cannot be read never holds; that it cannot is reported where it is read.
impl Default for Condition {
    fn default() -> Self {
        Self { kind: Kind::Constant(false), span: Span::default() }
    }
}

impl Condition {
    /// Calls `see` with every single test, those of definitions included, and whether it stands under an odd number of
    /// `not`.
    pub fn each_test<'c>(&'c self, see: &mut dyn FnMut(&'c Self, bool)) {
        match &self.kind {
            Kind::And(parts) | Kind::Or(parts) => parts.iter().for_each(|part| part.each_test(see)),
            Kind::Not(inner) => inner.each_test(&mut |test, is_negated| see(test, !is_negated)),
            Kind::Def(inner) => inner.each_test(see),
            _ => see(self, false),
        }
    }

    /// Tells whether it uses a `def`.
    pub(super) fn has_def(&self) -> bool {
        match &self.kind {
            Kind::And(parts) | Kind::Or(parts) => parts.iter().any(Self::has_def),
            Kind::Not(inner) => inner.has_def(),
            Kind::Def(_) => true,
            Kind::Command(CommandTest::Runs { filter, .. }) => filter.as_ref().is_some_and(|filter| filter.has_def()),
            Kind::Constant(_)
            | Kind::Compare { .. }
            | Kind::Exists(_)
            | Kind::Truth(_)
            | Kind::Command(_)
            | Kind::Touches { .. }
            | Kind::Connects(_) => false,
        }
    }
}

/// The kinds of conditions.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Every one holds.
    And(Vec<Condition>),
    /// One of them holds.
    Or(Vec<Condition>),
    /// It does not hold.
    Not(Box<Condition>),
    /// A `def`, shared by all its uses.
    Def(Arc<Condition>),
    /// A boolean `let`.
    Constant(bool),
    /// One of the values satisfies the test; with `all`, there is one and every one does.
    Compare {
        /// What is looked at.
        source: Source,
        /// `all` in front.
        all: bool,
        /// `not` before the operator, `!=`.
        negated: bool,
        /// The test of one value.
        test: Test,
    },
    /// It has a value.
    Exists(Source),
    /// It is true.
    Truth(Source),
    /// `runs`, `only runs`, `pipes … into …`.
    Command(CommandTest),
    /// `reads`, `writes`, `deletes`, `sends`.
    Touches {
        /// What happens to the file.
        verb: FileVerb,
        /// Which files.
        test: TouchTest,
    },
    /// `connects`
    Connects(HostTest),
}

/// A test of one value.
#[derive(Clone, Debug)]
pub enum Test {
    /// `==`
    Equal(Value),
    /// `<`, `<=`, `>`, `>=`
    Order(Order, Value),
    /// `in`
    In(Lazy<Vec<Value>>),
    /// `contains`
    Contains(Value),
    /// `starts_with`
    StartsWith(Value),
    /// `ends_with`
    EndsWith(Value),
    /// `like`, of a text
    LikeText(Lazy<TextGlobs>),
    /// `like`, of a path
    LikePath(Arc<Globs>),
    /// `matches`
    Matches(LazyRegex),
    /// `under`
    Under(Lazy<Vec<Dir>>),
    /// `outside`
    Outside(Lazy<Vec<Dir>>),
}

/// The ordering operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "internals", expect(missing_docs, reason = "the names say it"))]
pub enum Order {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// The right side of a test.
#[derive(Clone, Debug)]
pub enum Value {
    /// Written in the policy.
    Literal(Literal),
    /// Looked up.
    Source(Source),
}

impl Value {
    /// Returns the text that is written in the policy, if it is one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Literal(Literal::Text(text)) => Some(text),
            _ => None,
        }
    }
}

/// A value written in the policy. Durations are milliseconds, sizes bytes.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "internals", expect(missing_docs, reason = "the names say it"))]
pub enum Literal {
    Text(String),
    Number(f64),
    Boolean(bool),
}

/// A directory that `under` and `outside` look at.
#[derive(Clone, Debug)]
pub enum Dir {
    /// `project`: the host's project directory and its linked worktrees.
    Project,
    /// `tmp`.
    Tmp,
    /// `home`.
    Home,
    /// Written in the policy: absolute, from home, or from the project.
    Literal(PathBuf),
    /// Looked up.
    Source(Source),
}

/// A test about the commands of a call.
#[derive(Clone, Debug)]
pub enum CommandTest {
    /// `runs P [where C]`
    Runs {
        /// P.
        patterns: Patterns,
        /// C.
        filter: Option<Filter>,
    },
    /// `only runs P`
    OnlyRuns {
        /// P.
        patterns: Patterns,
    },
    /// `pipes P into Q`
    Pipes {
        /// P.
        from: Patterns,
        /// Q.
        into: Patterns,
    },
}

impl CommandTest {
    /// Tells whether it is about nothing but the words of commands, so that it says the same wherever it is judged.
    #[must_use]
    pub fn is_of_commands_alone(&self) -> bool {
        !matches!(self, Self::Runs { filter: Some(_), .. })
    }
}

/// A list of globs on paths, which is read when a path is compared with it.
#[derive(Clone)]
pub struct Globs(pub(super) Lazy<PathGlobs>);

impl Globs {
    /// Tells whether another list is written the same way, without reading what was kept of either.
    #[must_use]
    pub fn is_written_as(&self, other: &Self) -> bool {
        self.0.is_kept_as(&other.0)
    }
}

impl From<PathGlobs> for Globs {
    fn from(globs: PathGlobs) -> Self {
        Self(globs.into())
    }
}

impl Deref for Globs {
    type Target = PathGlobs;

    fn deref(&self) -> &PathGlobs {
        &self.0
    }
}

impl fmt::Debug for Globs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// Which files `reads`, `writes`, `deletes` and `sends` look for.
#[derive(Clone, Debug)]
pub enum TouchTest {
    /// `like`
    Like(Arc<Globs>),
    /// `under`
    Under(Lazy<Vec<Dir>>),
    /// `outside`
    Outside(Lazy<Vec<Dir>>),
}
