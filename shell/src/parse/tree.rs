//! The syntax tree of a text, before any word is expanded.

use std::ops::Range;
use std::rc::Rc;

/// A piece of the text, including quotes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RawText {
    /// As written.
    pub text: String,
    /// Its byte range.
    pub span: Range<usize>,
}

/// A command with its redirections.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CommandNode {
    /// The kind of command.
    pub kind: CommandKind,
    /// Its redirections, in order.
    pub redirects: Vec<Redirection>,
    /// Its byte range.
    pub span: Range<usize>,
}

/// The kinds of commands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CommandKind {
    /// An empty command (`time` alone, `$()`).
    Empty,
    /// Assignments, then a program and its arguments.
    Simple { assignments: Vec<RawText>, words: Vec<RawText> },
    /// Two or more commands, joined by `|` or `|&`.
    Pipeline(Vec<CommandNode>),
    /// A command, and those that follow after `&&` or `||`.
    Chain(Box<CommandNode>, Vec<(ChainOperator, CommandNode)>),
    /// Commands in sequence.
    List(Vec<ListItem>),
    /// `( … )`
    Subshell(Box<CommandNode>),
    /// `{ …; }`
    Group(Box<CommandNode>),
    /// Conditions with their bodies, then `else`.
    If(Vec<(CommandNode, CommandNode)>, Option<Box<CommandNode>>),
    /// `while`
    While(Box<CommandNode>, Box<CommandNode>),
    /// `until`
    Until(Box<CommandNode>, Box<CommandNode>),
    /// `for` and `select`; without words, over `"$@"`.
    For { head: LoopKeyword, name: String, words: Option<Vec<RawText>>, body: Box<CommandNode> },
    /// `for ((…))`, with the three expressions in one.
    Count(RawText, Box<CommandNode>),
    /// `case`
    Case(RawText, Vec<CaseArm>),
    /// A definition; the body carries its redirections.
    Function(String, Rc<CommandNode>),
    /// `coproc`, with the name of the array for its descriptors.
    Coproc(String, Box<CommandNode>),
    /// `((…))`
    Arithmetic(RawText),
    /// `[[ … ]]`: its words, without the operators.
    Test(Vec<RawText>),
    /// The possible bodies of a function that was defined in more than one way, the last first.
    AnyOf(Vec<Rc<CommandNode>>),
}

impl CommandNode {
    /// Makes a body that is either of two.
    pub(crate) fn either_body(one: &Rc<Self>, other: &Rc<Self>) -> Self {
        let mut bodies = Vec::new();
        for body in [one, other] {
            match &body.kind {
                CommandKind::AnyOf(several) => bodies.extend(several.iter().cloned()),
                _ => bodies.push(Rc::clone(body)),
            }
        }
        let mut seen = Vec::new();
        bodies.retain(|body| {
            let own = Rc::as_ptr(body);
            let is_new = !seen.contains(&own);
            seen.push(own);
            is_new
        });
        Self { kind: CommandKind::AnyOf(bodies), redirects: Vec::new(), span: 0..0 }
    }

    /// Whether it is a set of possible bodies that includes another.
    pub(crate) fn has_body(&self, other: &Rc<Self>) -> bool {
        matches!(&self.kind, CommandKind::AnyOf(bodies) if bodies.iter().any(|body| Rc::ptr_eq(body, other)))
    }
}

/// The keyword of a loop over words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LoopKeyword {
    For,
    Select,
}

/// The operator between two commands of a chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ChainOperator {
    And,
    Or,
}

/// A command of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ListItem {
    pub node: CommandNode,
    pub wait: ItemMode,
}

/// Whether the next command waits for this one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ItemMode {
    Foreground,
    Background,
}

/// `pattern | pattern) list ;;`
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CaseArm {
    pub patterns: Vec<RawText>,
    pub body: Option<CommandNode>,
    /// `;&`, `;;&`: the next arm may run after it.
    pub falls_through: bool,
}

/// `2> file`
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Redirection {
    /// The descriptor before the operator.
    pub descriptor: DescriptorName,
    pub operator: RedirectOperator,
    pub target: RedirectTarget,
}

/// The descriptor that a redirection names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum DescriptorName {
    /// Not given: the default of the operator.
    Implied,
    Number(u32),
    /// `{name}`: a new one, whose number is assigned to the variable.
    New(String),
}

/// The operators of redirections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RedirectOperator {
    /// `<`
    Read,
    /// `>`
    Write,
    /// `>|`
    Clobber,
    /// `>>`
    Append,
    /// `<>`
    ReadWrite,
    /// `<&`
    DuplicateInput,
    /// `>&`
    DuplicateOutput,
    /// `&>`
    WriteBoth,
    /// `&>>`
    AppendBoth,
    /// `<<<`
    HereString,
    /// `<<`, `<<-`
    HereDocument,
}

impl RedirectOperator {
    /// Whether it is for output only.
    pub(crate) fn is_output(self) -> bool {
        matches!(
            self,
            Self::Write | Self::Clobber | Self::Append | Self::DuplicateOutput | Self::WriteBoth | Self::AppendBoth
        )
    }
}

/// The target of a redirection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum RedirectTarget {
    Word(RawText),
    /// A here-document that is expanded.
    Expanded(String),
    /// A here-document that is taken literally.
    Literal(String),
    /// A here-document whose body is yet to be read, by its index in the line.
    Pending(usize),
}
