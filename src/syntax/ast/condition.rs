//! The parts of the syntax tree for conditions.

use super::{AstValue, FieldName, Name, StringLiteral};
use crate::span::Span;

/// A condition.
#[derive(Clone, Debug)]
pub struct AstCondition {
    /// The kind of condition, with its operands.
    pub kind: ConditionKind,
    /// The span, including parentheses around the whole condition.
    pub span: Span,
}

/// The kinds of conditions. The tests of an `and` or `or` are one flat list; a mix of both without parentheses is
/// [`ConditionKind::Mixed`].
#[derive(Clone, Debug)]
pub enum ConditionKind {
    /// `a and b and c`
    And(Vec<AstCondition>),
    /// `a or b or c`
    Or(Vec<AstCondition>),
    /// `a and b or c`: an error with a fix, kept so that its tests are checked too. The connective at index N is
    /// between the tests at N and N + 1.
    Mixed(Vec<AstCondition>, Vec<Connective>),
    /// `not a`
    Not(Box<AstCondition>),
    /// `F OP V`, `F not OP V`, `all F OP V`
    Compare(AstComparison),
    /// `exists F`
    Exists(Operand),
    /// `F`: a boolean field or fact, or the name of a `def`
    Truth(Operand),
    /// `runs P [where C]`, `only runs P`
    Runs(RunsCondition),
    /// `pipes P into Q`
    Pipes(PipesCondition),
    /// A test of file accesses: `reads T`, `writes T`, `deletes T`, `sends T`.
    Touches(TouchesCondition),
    /// `connects`, with a test of the hosts if one follows.
    Connects(Option<HostsTest>),
    /// `happened M …`
    Happened(PastEvents),
}

/// The past events that a condition asks about: `M [of F] [by same agent|by another agent] [since N] [within 10m]`.
#[derive(Clone, Debug)]
pub struct PastEvents {
    /// The mark M that remembers the events.
    pub mark: Name,
    /// `of F`: the key that the events must have.
    pub of: Option<Box<Operand>>,
    /// `by … agent`: whose events they must be.
    pub by: Option<PastActor>,
    /// `since N`: the mark after whose last event they must have happened.
    pub since: Option<Name>,
    /// `within 10m`: how long ago they may have happened; a duration, which `compile` checks.
    pub within: Option<Box<AstValue>>,
    /// From the mark to the last of these parts.
    pub span: Span,
}

/// Whose past events a condition asks about, compared with the agent of the judged event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PastActor {
    /// `by same agent`
    Same,
    /// `by another agent`
    Another,
}

impl PastActor {
    /// Returns the word before `agent`.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Another => "another",
        }
    }
}

/// The word between two tests: `and` or `or`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Connective {
    /// `and`
    And,
    /// `or`
    Or,
}

/// A comparison `F OP V`: a field, an operator and a value.
#[derive(Clone, Debug)]
pub struct AstComparison {
    /// Whether `all` precedes the comparison: every value of the field must satisfy it, and there must be at least
    /// one.
    pub all: bool,
    /// The left operand.
    pub operand: Operand,
    /// Whether `not` precedes the operator (`!=` is a separate operator).
    pub negated: bool,
    /// The operator.
    pub operator: Operator,
    /// The operator's span, `not` included.
    pub operator_span: Span,
    /// The right operand.
    pub value: AstValue,
}

impl AstComparison {
    /// Whether the comparison is negated: by `not` or by `!=`; the two cancel each other out.
    #[must_use]
    pub fn is_negated(&self) -> bool {
        self.negated ^ (self.operator == Operator::NotEqual)
    }
}

/// The comparison operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `in`
    In,
    /// `contains`
    Contains,
    /// `starts_with`
    StartsWith,
    /// `ends_with`
    EndsWith,
    /// `like`
    Like,
    /// `matches`
    Matches,
    /// `under`
    Under,
    /// `outside`
    Outside,
}

impl Operator {
    /// Returns the operator as it is written in a policy.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::In => "in",
            Self::Contains => "contains",
            Self::StartsWith => "starts_with",
            Self::EndsWith => "ends_with",
            Self::Like => "like",
            Self::Matches => "matches",
            Self::Under => "under",
            Self::Outside => "outside",
        }
    }
}

/// The left operand of a test.
#[derive(Clone, Debug)]
pub enum Operand {
    /// A name: `tool_input.x`, `git.branch`, `project`, a `let` or a `def`.
    Field(FieldName),
    /// `` `$.a.b` ``
    JsonPath(JsonPathLiteral),
    /// The value of a command's option, after `where`: `option "-m"`.
    Option(StringLiteral, Span),
    /// A fact about a file: `file_exists V`, `file_size V`.
    File(FileFact, Box<AstValue>, Span),
    /// A number that is derived from values, file accesses or past events: `length F`, `count F`, `count deletes`.
    Measure(AstMeasure, Span),
    /// An operand of a command by its position, after `where`: `operand 1`, `last operand`.
    Position(OperandPosition, Span),
}

impl Operand {
    /// Returns its span.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Field(name) => name.span,
            Self::JsonPath(path) => path.span,
            Self::Option(_, span) | Self::File(_, _, span) | Self::Measure(_, span) | Self::Position(_, span) => *span,
        }
    }
}

/// A number that a condition tests.
#[derive(Clone, Debug)]
pub enum AstMeasure {
    /// `length F`: the number of bytes of each value.
    Length(Box<Operand>),
    /// `count F`: the number of values.
    Count(Box<Operand>),
    /// `count reads` and the like: the number of files.
    Files(FileVerb),
    /// `count M since N` and the like: the number of past events.
    Past(PastEvents),
}

/// The position of an operand among the operands of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandPosition {
    /// `operand N`, from 1.
    Nth(u32),
    /// `last operand`
    Last,
}

/// The facts about a file that a condition can test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileFact {
    /// `file_exists`
    Exists,
    /// `file_size`
    Size,
}

/// A JSONPath between backticks.
#[derive(Clone, Debug)]
pub struct JsonPathLiteral {
    /// The text without the backticks.
    pub text: String,
    /// The span, including the backticks.
    pub span: Span,
}

/// A test of the commands that a call runs: `runs P [where C]` or `only runs P`.
#[derive(Clone, Debug)]
pub struct RunsCondition {
    /// Whether `only` precedes `runs`: every command must match.
    pub only: bool,
    /// The command patterns: a string, a list, or the name of a `let`.
    pub patterns: AstValue,
    /// The condition after `where`.
    pub filter: Option<Box<AstCondition>>,
}

/// A test of the output that a command passes to another: `pipes P into Q`.
#[derive(Clone, Debug)]
pub struct PipesCondition {
    /// P: the patterns of the command that writes.
    pub from: AstValue,
    /// Q: the patterns of the command that reads.
    pub into: AstValue,
}

/// A test of the files that a call accesses: `reads|writes|deletes|sends like|under|outside V`.
#[derive(Clone, Debug)]
pub struct TouchesCondition {
    /// The kind of access.
    pub verb: FileVerb,
    /// [`Operator::Like`], [`Operator::Under`] or [`Operator::Outside`].
    pub operator: Operator,
    /// Globs for `like`, directories for `under` and `outside`: one or a list.
    pub value: AstValue,
}

/// The test of the hosts after `connects`: `like|under|outside V`.
#[derive(Clone, Debug)]
pub struct HostsTest {
    /// [`Operator::Like`], [`Operator::Under`] or [`Operator::Outside`].
    pub operator: Operator,
    /// Globs for `like`, domains for `under` and `outside`: one or a list.
    pub value: AstValue,
}

/// The kind of access to a file that a condition tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileVerb {
    /// `reads`
    Reads,
    /// `writes`
    Writes,
    /// `deletes`
    Deletes,
    /// `sends`
    Sends,
}

impl FileVerb {
    /// All verbs.
    pub const ALL: [Self; 4] = [Self::Reads, Self::Writes, Self::Deletes, Self::Sends];

    /// Returns the verb for a keyword; `None` for any other word.
    #[must_use]
    pub fn from_keyword(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verb| verb.keyword() == word)
    }

    /// Returns the keyword.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Reads => "reads",
            Self::Writes => "writes",
            Self::Deletes => "deletes",
            Self::Sends => "sends",
        }
    }
}
