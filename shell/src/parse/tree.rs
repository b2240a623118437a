//! The syntax tree of a text, before any word is expanded.

use std::ops::Range;
use std::rc::Rc;

/// A piece of the source, with its quotes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RawText {
    /// The source; empty while skimming.
    pub text: String,
    /// Its byte range in the parsed text.
    pub span: Range<usize>,
}

/// A command with its redirections.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CommandNode {
    /// What the command is, with its parts.
    pub kind: CommandKind,
    /// The redirections after it, in order. A function definition has none: they belong to its body.
    pub redirects: Vec<Redirection>,
    /// The byte range of the command in the parsed text.
    pub span: Range<usize>,
}

/// The kinds of commands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CommandKind {
    /// No command: `time` alone, the script of `$()`.
    Empty,
    /// Assignments, then a program with its arguments: `A=1 make all`.
    Simple { assignments: Vec<RawText>, words: Vec<RawText> },
    /// Two or more commands, joined by `|` or `|&`.
    Pipeline(Vec<CommandNode>),
    /// A command, and the commands after it with their operators: `a && b || c`.
    Chain(Box<CommandNode>, Vec<(ChainOperator, CommandNode)>),
    /// Commands in sequence, separated by `;`, `&` or newlines.
    List(Vec<ListItem>),
    /// `( … )`: a subshell.
    Subshell(Box<CommandNode>),
    /// `{ …; }`, or a single command after `!` or `time`.
    Group(Box<CommandNode>),
    /// `if`: the conditions with their bodies, and the body of `else`.
    If(Vec<(CommandNode, CommandNode)>, Option<Box<CommandNode>>),
    /// `while`, with its condition and its body.
    While(Box<CommandNode>, Box<CommandNode>),
    /// `until`, with its condition and its body.
    Until(Box<CommandNode>, Box<CommandNode>),
    /// `for` or `select`. Without words, it loops over `"$@"`.
    For { head: LoopKeyword, name: String, words: Option<Vec<RawText>>, body: Box<CommandNode> },
    /// `for ((…; …; …))`, with the source of its three expressions.
    Count(RawText, Box<CommandNode>),
    /// `case`, with its subject and its arms.
    Case(RawText, Vec<CaseArm>),
    /// The definition of a function: its name and its body.
    Function(String, Rc<CommandNode>),
    /// `coproc`, with the name of the array for its descriptors, and the command.
    Coproc(String, Box<CommandNode>),
    /// `((…))`, with the source of its expression.
    Arithmetic(RawText),
    /// `[[ … ]]`: its words, including `!` and operators such as `-f` and `==`, but not `<`, `>`, `&&`, `||` and
    /// parentheses.
    Test(Vec<RawText>),
    /// The possible bodies of a function, if different branches have defined it differently. The interpreter makes this
    /// kind, not the parser.
    AnyOf(Vec<Rc<CommandNode>>),
}

impl CommandNode {
    /// Returns the body of a function that may have either of two bodies. A body that is already a set of possible ones
    /// adds all of these.
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
            let address = Rc::as_ptr(body);
            let is_new = !seen.contains(&address);
            seen.push(address);
            is_new
        });
        Self { kind: CommandKind::AnyOf(bodies), redirects: Vec::new(), span: 0..0 }
    }

    /// Whether the node is a set of possible bodies that includes `other`.
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

/// Whether the shell waits for the command before it continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ItemMode {
    /// It waits: the command is followed by `;` or a newline.
    Foreground,
    /// It does not wait: the command is followed by `&`.
    Background,
}

/// An arm of a `case`: `pattern | pattern) list ;;`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CaseArm {
    pub patterns: Vec<RawText>,
    /// The commands of the arm; `None` if it is empty.
    pub body: Option<CommandNode>,
    /// Whether the next arm may run after this one: it ends in `;&` or `;;&`.
    pub falls_through: bool,
}

/// A redirection: `2> file`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Redirection {
    /// The descriptor before the operator.
    pub descriptor: DescriptorName,
    pub operator: RedirectOperator,
    pub target: RedirectTarget,
}

/// The descriptor before the operator of a redirection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum DescriptorName {
    /// No descriptor is written: the operator's default, 0 or 1.
    Implied,
    /// A number: `2>file`.
    Number(u32),
    /// `{name}>file`: the shell allocates a descriptor, and assigns its number to the variable.
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
    /// Whether the operator opens or duplicates its target for output only.
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
    /// The name of a file or a descriptor, or the text of a here-string.
    Word(RawText),
    /// The body of a here-document in which variables and substitutions are expanded.
    Expanded(String),
    /// The body of a here-document with a quoted delimiter, which is not expanded.
    Literal(String),
    /// A here-document whose body is not read yet: its index among the here-documents of the line.
    Pending(usize),
}
