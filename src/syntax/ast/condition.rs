//! The syntax trees of conditions.

use super::{AstValue, FieldName, StringLiteral};
use crate::span::Span;

/// A condition.
#[derive(Clone, Debug)]
pub struct AstCondition {
    /// The kind of condition, with its operands.
    pub kind: ConditionKind,
    /// Its span, without redundant parentheses.
    pub span: Span,
}

/// The kinds of conditions. `and` and `or` are flat: a mix without parentheses is [`ConditionKind::Mixed`].
#[derive(Clone, Debug)]
pub enum ConditionKind {
    /// `a and b and c`
    And(Vec<AstCondition>),
    /// `a or b or c`
    Or(Vec<AstCondition>),
    /// `a and b or c`: an error with a fix, kept so that its parts are checked too. Each connective is between the
    /// tests with the same and the next index.
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
    /// `reads T`, `writes T`, `deletes T`
    Touches(TouchesCondition),
    /// `connects`, alone or with a test of the hosts.
    Connects(Option<HostsTest>),
}

/// `and` or `or`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Connective {
    /// `and`
    And,
    /// `or`
    Or,
}

/// `F OP V`.
#[derive(Clone, Debug)]
pub struct AstComparison {
    /// Whether `all` precedes it: every value must satisfy it, and there must be one.
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
    /// `tool_input.x`, `git.branch`, `project`, a `let`, a `def`
    Field(FieldName),
    /// `` `$.a.b` ``
    JsonPath(JsonPathLiteral),
    /// `option "-m"`, in `where`
    Option(StringLiteral, Span),
    /// `file_exists V`, `file_size V`
    File(FileFact, Box<AstValue>, Span),
}

impl Operand {
    /// Returns its span.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Field(name) => name.span,
            Self::JsonPath(path) => path.span,
            Self::Option(_, span) | Self::File(_, _, span) => *span,
        }
    }
}

/// The facts about a named file.
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

/// `runs P [where C]` or `only runs P`.
#[derive(Clone, Debug)]
pub struct RunsCondition {
    /// Whether `only` precedes it.
    pub only: bool,
    /// A string, a list, or a `let`.
    pub patterns: AstValue,
    /// The condition after `where`.
    pub filter: Option<Box<AstCondition>>,
}

/// `pipes P into Q`.
#[derive(Clone, Debug)]
pub struct PipesCondition {
    /// P.
    pub from: AstValue,
    /// Q.
    pub into: AstValue,
}

/// `reads|writes|deletes|sends like|under|outside V`.
#[derive(Clone, Debug)]
pub struct TouchesCondition {
    /// The verb.
    pub verb: FileVerb,
    /// [`Operator::Like`], [`Operator::Under`] or [`Operator::Outside`].
    pub operator: Operator,
    /// A glob or list, a DIR or list.
    pub value: AstValue,
}

/// `like|under|outside V`, of hosts.
#[derive(Clone, Debug)]
pub struct HostsTest {
    /// [`Operator::Like`], [`Operator::Under`] or [`Operator::Outside`].
    pub operator: Operator,
    /// A glob or a domain, or a list of them.
    pub value: AstValue,
}

/// The kind of access to a file.
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
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Reads, Self::Writes, Self::Deletes, Self::Sends];

    /// Returns the verb for a keyword.
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
