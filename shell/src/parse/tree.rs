//! The syntax tree of a text, before any word is expanded.

use std::ops::Range;
use std::rc::Rc;

/// A piece of the text, including quotes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Raw {
    /// As written.
    pub text: String,
    /// Its byte range.
    pub span: Range<usize>,
}

/// A command with its redirections.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Node {
    /// The kind of command.
    pub kind: Kind,
    /// Its redirections, in order.
    pub redirects: Vec<Redirection>,
    /// Its byte range.
    pub span: Range<usize>,
}

/// The kinds of commands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// An empty command (`time` alone, `$()`).
    Empty,
    /// Assignments, then a program and its arguments.
    Simple { assignments: Vec<Raw>, words: Vec<Raw> },
    /// Two or more commands, joined by `|` or `|&`.
    Pipeline(Vec<Node>),
    /// A command, and those that follow after `&&` or `||`.
    Chain(Box<Node>, Vec<(Link, Node)>),
    /// Commands in sequence.
    List(Vec<Item>),
    /// `( … )`
    Subshell(Box<Node>),
    /// `{ …; }`
    Group(Box<Node>),
    /// Conditions with their bodies, then `else`.
    If(Vec<(Node, Node)>, Option<Box<Node>>),
    /// `while`
    While(Box<Node>, Box<Node>),
    /// `until`
    Until(Box<Node>, Box<Node>),
    /// `for` and `select`; without words, over `"$@"`.
    For { head: Head, name: String, words: Option<Vec<Raw>>, body: Box<Node> },
    /// `for ((…))`, with the three expressions in one.
    Count(Raw, Box<Node>),
    /// `case`
    Case(Raw, Vec<Arm>),
    /// A definition; the body carries its redirections.
    Function(String, Rc<Node>),
    /// `coproc`, with the name of the array for its descriptors.
    Coproc(String, Box<Node>),
    /// `((…))`
    Arithmetic(Raw),
    /// `[[ … ]]`: its words, without the operators.
    Test(Vec<Raw>),
    /// The possible bodies of a function that was defined in more than one way, the last first.
    Either(Vec<Rc<Node>>),
}

impl Node {
    /// Makes a body that is either of two.
    pub(crate) fn either(one: &Rc<Self>, other: &Rc<Self>) -> Self {
        let mut bodies = Vec::new();
        for body in [one, other] {
            match &body.kind {
                Kind::Either(several) => bodies.extend(several.iter().cloned()),
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
        Self { kind: Kind::Either(bodies), redirects: Vec::new(), span: 0..0 }
    }

    /// Whether it is a set of possible bodies that includes another.
    pub(crate) fn has_body(&self, other: &Rc<Self>) -> bool {
        matches!(&self.kind, Kind::Either(bodies) if bodies.iter().any(|body| Rc::ptr_eq(body, other)))
    }
}

/// The keyword of a loop over words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Head {
    For,
    Select,
}

/// The operator between two commands of a chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Link {
    And,
    Or,
}

/// A command of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Item {
    pub node: Node,
    pub wait: Wait,
}

/// Whether the next command waits for this one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wait {
    Waited,
    Background,
}

/// `pattern | pattern) list ;;`
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Arm {
    pub patterns: Vec<Raw>,
    pub body: Option<Node>,
    /// `;&`, `;;&`: the next arm may run after it.
    pub falls_through: bool,
}

/// `2> file`
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Redirection {
    /// The descriptor before the operator.
    pub descriptor: Descriptor,
    pub operator: Operator,
    pub target: Target,
}

/// The descriptor that a redirection names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Descriptor {
    /// Not given: the default of the operator.
    Own,
    Number(u32),
    /// `{name}`: a new one, whose number is assigned to the variable.
    New(String),
}

/// The operators of redirections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operator {
    /// `<`
    In,
    /// `>`
    Out,
    /// `>|`
    Over,
    /// `>>`
    Append,
    /// `<>`
    InOut,
    /// `<&`
    InFrom,
    /// `>&`
    OutTo,
    /// `&>`
    Both,
    /// `&>>`
    BothAppend,
    /// `<<<`
    Text,
    /// `<<`, `<<-`
    Here,
}

impl Operator {
    /// Whether it is for output only.
    pub(crate) fn is_output(self) -> bool {
        matches!(self, Self::Out | Self::Over | Self::Append | Self::OutTo | Self::Both | Self::BothAppend)
    }
}

/// The target of a redirection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    Word(Raw),
    /// A here-document that is expanded.
    Expanded(String),
    /// A here-document that is taken literally.
    Literal(String),
    /// A here-document whose body is yet to be read, by its index in the line.
    Awaited(usize),
}
