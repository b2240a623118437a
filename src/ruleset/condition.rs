//! Compiled conditions: names are resolved, and types are checked.

use std::fmt;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

use crate::span::Span;
use crate::syntax::ast::FileVerb;
use crate::time::TimeRange;
use crate::wire::Lazy;
use hookrules_shell::path::{PathGlobs, TextGlobs};

use super::{HostTest, LazyRegex, Measure, PastTest, Patterns, Template, ValueReference};

/// A condition with its span, which `rules explain` underlines.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The kind of condition, with its operands.
    pub kind: ConditionExpr,
    /// Its span in the source.
    pub span: Span,
}

/// The condition of a `where`. It is decoded when a command first matches the pattern before the `where`.
#[derive(Clone, Debug)]
pub struct WhereFilter(pub(super) Lazy<Condition>);

impl From<Condition> for WhereFilter {
    fn from(condition: Condition) -> Self {
        Self(condition.into())
    }
}

impl Deref for WhereFilter {
    type Target = Condition;

    fn deref(&self) -> &Condition {
        &self.0
    }
}

/// The stand-in for a condition that cannot be decoded: it never holds. The decoder reports the damage.
impl Default for Condition {
    fn default() -> Self {
        Self { kind: ConditionExpr::Constant(false), span: Span::default() }
    }
}

impl Condition {
    /// Calls `see` with every single test, including those in definitions, and with whether the test is under an odd
    /// number of `not`s.
    pub fn visit_tests<'c>(&'c self, see: &mut dyn FnMut(&'c Self, bool)) {
        match &self.kind {
            ConditionExpr::And(parts) | ConditionExpr::Or(parts) => parts.iter().for_each(|part| part.visit_tests(see)),
            ConditionExpr::Not(inner) => inner.visit_tests(&mut |test, is_negated| see(test, !is_negated)),
            ConditionExpr::Def(inner) => inner.visit_tests(see),
            ConditionExpr::Certain(inner) => inner.visit_tests(see),
            _ => see(self, false),
        }
    }

    /// Returns the question that a test asks about the past; `None` for any other condition.
    #[must_use]
    pub fn past(&self) -> Option<&PastTest> {
        match &self.kind {
            ConditionExpr::Happened(past) => Some(past),
            ConditionExpr::Compare { source: ValueReference::Measured(Measure::Past(past)), .. } => Some(past),
            _ => None,
        }
    }

    /// Whether the condition tests what commands are, or what they do to files and over the network.
    #[must_use]
    pub fn tests_commands_or_files(&self) -> bool {
        let mut found = false;
        self.visit_tests(&mut |test, _| {
            found |= matches!(
                test.kind,
                ConditionExpr::Command(_)
                    | ConditionExpr::Touches { .. }
                    | ConditionExpr::TouchesFilled { .. }
                    | ConditionExpr::Connects(_)
            );
        });
        found
    }

    /// Whether the condition includes a test that certain files are touched.
    #[must_use]
    pub fn tests_files(&self) -> bool {
        let mut found = false;
        self.visit_tests(&mut |test, is_negated| {
            let is_of_files = matches!(test.kind, ConditionExpr::Touches { .. } | ConditionExpr::TouchesFilled { .. });
            found |= is_of_files && !is_negated;
        });
        found
    }

    /// Whether the condition tests which files are touched, even below a `not`.
    #[must_use]
    pub fn mentions_files(&self) -> bool {
        let mut found = false;
        self.visit_tests(&mut |test, _| found |= test.kind.file_verb().is_some());
        found
    }

    /// Whether the condition, including its `where` filters, uses a `def`.
    pub(super) fn has_def(&self) -> bool {
        match &self.kind {
            ConditionExpr::And(parts) | ConditionExpr::Or(parts) => parts.iter().any(Self::has_def),
            ConditionExpr::Not(inner) | ConditionExpr::Certain(inner) => inner.has_def(),
            ConditionExpr::Def(_) => true,
            ConditionExpr::Command(CommandTest::Runs { filter, .. }) => {
                filter.as_ref().is_some_and(|filter| filter.has_def())
            }
            ConditionExpr::Constant(_)
            | ConditionExpr::Compare { .. }
            | ConditionExpr::Exists(_)
            | ConditionExpr::Truth(_)
            | ConditionExpr::Command(_)
            | ConditionExpr::Touches { .. }
            | ConditionExpr::TouchesFilled { .. }
            | ConditionExpr::Connects(_)
            | ConditionExpr::Happened(_) => false,
        }
    }
}

/// The kinds of conditions: combinations and single tests.
#[derive(Clone, Debug)]
pub enum ConditionExpr {
    /// Every part holds.
    And(Vec<Condition>),
    /// At least one part holds.
    Or(Vec<Condition>),
    /// The inner condition does not hold.
    Not(Box<Condition>),
    /// The inner condition certainly holds; false if it is unknown. So an unknown exception of a `use` excepts nothing.
    Certain(Box<Condition>),
    /// A `def`, shared by all its uses.
    Def(Arc<Condition>),
    /// The value of a boolean `let`.
    Constant(bool),
    /// A test of values. It holds if at least one value satisfies it, or, with `all`, if there is at least one value
    /// and all of them do.
    Compare {
        /// The tested values.
        source: ValueReference,
        /// Whether the test begins with `all`.
        all: bool,
        /// Whether it is negated: `not` before the operator, or `!=`.
        negated: bool,
        /// The test of one value.
        test: ValueTest,
    },
    /// The reference has at least one value: `exists path`.
    Exists(ValueReference),
    /// The value is the boolean true: a field alone, such as `in_loop`.
    Truth(ValueReference),
    /// A test of the call's commands: `runs`, `only runs`, `pipes … into …`.
    Command(CommandTest),
    /// A test of the files that the call accesses: `reads`, `writes`, `deletes`, `sends`.
    Touches {
        /// The kind of access to the file.
        verb: FileVerb,
        /// The test of the file's path.
        test: TouchTest,
    },
    /// A test of the accessed files with `like`, whose globs have placeholders.
    TouchesFilled {
        /// The kind of access to the file.
        verb: FileVerb,
        /// The globs with placeholders.
        globs: FilledGlobs,
    },
    /// A test of the hosts that the call connects to: `connects`.
    Connects(HostTest),
    /// A test of the session's past: `happened`.
    Happened(PastTest),
}

impl ConditionExpr {
    /// Returns the kind of access that the condition tests; `None` if it does not test accessed files.
    #[must_use]
    pub fn file_verb(&self) -> Option<FileVerb> {
        match self {
            Self::Touches { verb, .. } | Self::TouchesFilled { verb, .. } => Some(*verb),
            _ => None,
        }
    }
}

/// A test of one value.
#[derive(Clone, Debug)]
pub enum ValueTest {
    /// `==`
    Equal(PolicyValue),
    /// `<`, `<=`, `>`, `>=`
    Order(OrderOperator, PolicyValue),
    /// `in`
    In(Lazy<Vec<PolicyValue>>),
    /// `contains`
    Contains(PolicyValue),
    /// `starts_with`
    StartsWith(PolicyValue),
    /// `ends_with`
    EndsWith(PolicyValue),
    /// `like` on a text
    LikeText(Lazy<TextGlobs>),
    /// `like` on a path
    LikePath(Arc<Globs>),
    /// `like` with placeholders in the globs
    LikeFilled(FilledGlobs),
    /// `matches`
    Matches(LazyRegex),
    /// `under`
    Under(Lazy<Vec<DirOperand>>),
    /// `outside`
    Outside(Lazy<Vec<DirOperand>>),
    /// `in` on a time of day
    InTime(TimeRange),
}

impl ValueTest {
    /// Whether the right side refers to git's state.
    #[must_use]
    pub fn names_git(&self) -> bool {
        self.references().into_iter().any(ValueReference::is_of_git)
    }

    /// Returns the references on the right side of the test.
    #[must_use]
    pub fn references(&self) -> Vec<&ValueReference> {
        match self {
            Self::Equal(value)
            | Self::Order(_, value)
            | Self::Contains(value)
            | Self::StartsWith(value)
            | Self::EndsWith(value) => value.references(),
            Self::In(values) => values.iter().flat_map(PolicyValue::references).collect(),
            Self::Under(dirs) | Self::Outside(dirs) => dirs.iter().flat_map(DirOperand::references).collect(),
            Self::LikeFilled(globs) => globs.references().collect(),
            Self::LikeText(_) | Self::LikePath(_) | Self::Matches(_) | Self::InTime(_) => Vec::new(),
        }
    }
}

impl DirOperand {
    /// Returns the references whose values the directory depends on.
    pub fn references(&self) -> impl Iterator<Item = &ValueReference> {
        let (source, template) = match self {
            Self::Source(source) => (Some(source), None),
            Self::Filled(template) => (None, Some(template)),
            Self::Project | Self::Tmp | Self::Home | Self::Literal(_) => (None, None),
        };
        source.into_iter().chain(template.into_iter().flat_map(Template::references))
    }
}

/// The ordering operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "internals", expect(missing_docs, reason = "the names say it"))]
pub enum OrderOperator {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// A value on the right side of a test.
#[derive(Clone, Debug)]
pub enum PolicyValue {
    /// A literal of the policy.
    Literal(Literal),
    /// A value that depends on the event.
    Source(ValueReference),
    /// The name of a file with placeholders. Each value becomes a single component of it.
    FileName(Template),
}

impl PolicyValue {
    /// Returns the references whose values the value depends on.
    #[must_use]
    pub fn references(&self) -> Vec<&ValueReference> {
        match self {
            Self::Literal(_) => Vec::new(),
            Self::Source(source) => vec![source],
            Self::FileName(name) => name.references().collect(),
        }
    }

    /// Returns the text if the value is a text literal; else `None`.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Literal(Literal::Text(text)) => Some(text),
            _ => None,
        }
    }
}

/// A literal of the policy. Durations are in milliseconds, sizes in bytes.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "internals", expect(missing_docs, reason = "the names say it"))]
pub enum Literal {
    Text(String),
    Number(f64),
    Boolean(bool),
}

/// A directory after `under` or `outside`.
#[derive(Clone, Debug)]
pub enum DirOperand {
    /// `project`: the host's project directory and its linked worktrees.
    Project,
    /// `tmp`.
    Tmp,
    /// `home`.
    Home,
    /// A path from the policy's text: absolute, or relative to the home directory or the project.
    Literal(PathBuf),
    /// A directory that depends on the event, such as `cwd`.
    Source(ValueReference),
    /// A path with placeholders. Each value becomes a single component of it.
    Filled(Template),
}

/// A test of the commands of a call. P and Q are command patterns, C is a condition.
#[derive(Clone, Debug)]
pub enum CommandTest {
    /// `runs P [where C]`: the call runs a command that matches P and for which C holds.
    Runs {
        /// The patterns P.
        patterns: Patterns,
        /// The condition C.
        filter: Option<WhereFilter>,
    },
    /// `only runs P`: every command that the call runs matches P.
    OnlyRuns {
        /// The patterns P.
        patterns: Patterns,
    },
    /// `pipes P into Q`: the output of a command that matches P is the input of one that matches Q.
    Pipes {
        /// The patterns P.
        from: Patterns,
        /// The patterns Q.
        into: Patterns,
    },
}

impl CommandTest {
    /// Whether the result depends only on the words of commands, and so is the same in every directory. False for a
    /// test with `where`.
    #[must_use]
    pub fn is_of_commands_alone(&self) -> bool {
        !matches!(self, Self::Runs { filter: Some(_), .. })
    }
}

/// A list of path globs. It is decoded when a path is first compared with it.
#[derive(Clone)]
pub struct Globs(pub(super) Lazy<PathGlobs>);

impl Globs {
    /// Whether another list is the same. Two encoded lists are compared without being decoded.
    #[must_use]
    pub fn is_same_list(&self, other: &Self) -> bool {
        self.0.is_equal_when_encoded(&other.0)
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

/// A list of globs with placeholders. Each value becomes a literal part of one component.
#[derive(Clone, Debug)]
pub struct FilledGlobs {
    /// The globs, in order.
    pub globs: Vec<FilledGlob>,
    /// Whether they are about paths.
    pub are_paths: bool,
}

/// A glob with placeholders.
#[derive(Clone, Debug)]
pub struct FilledGlob {
    /// The glob, including the `!` of an exclusion.
    pub pattern: Template,
    /// The directory of a relative glob, as for [`PathGlobs::in_directories`].
    pub directory: String,
}

impl FilledGlobs {
    /// Returns the references whose values replace the placeholders.
    pub fn references(&self) -> impl Iterator<Item = &ValueReference> {
        self.globs.iter().flat_map(|glob| glob.pattern.references())
    }
}

/// A test of the path of a file that the call accesses.
#[derive(Clone, Debug)]
pub enum TouchTest {
    /// `like`
    Like(Arc<Globs>),
    /// `under`
    Under(Lazy<Vec<DirOperand>>),
    /// `outside`
    Outside(Lazy<Vec<DirOperand>>),
}
