//! The tree of a text: what bash's grammar makes of it before any word is expanded.

use std::ops::Range;
use std::rc::Rc;

/// A piece of the text, quotes and all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Raw {
    /// As written.
    pub text: String,
    /// Where, in bytes.
    pub span: Range<usize>,
}

/// A command with the redirections behind it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Node {
    /// What it is.
    pub kind: Kind,
    /// Its redirections, in order.
    pub redirects: Vec<Redirection>,
    /// Where it stands, in bytes.
    pub span: Range<usize>,
}

/// The kinds of commands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Nothing (`time` alone, `$()`).
    Empty,
    /// Assignments, then a program and its arguments.
    Simple { assignments: Vec<Raw>, words: Vec<Raw> },
    /// Two or more, joined by `|` or `|&`.
    Pipeline(Vec<Node>),
    /// One, and what follows a `&&` or a `||`.
    Chain(Box<Node>, Vec<(Link, Node)>),
    /// One after the other.
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
    /// `for ((…))`, the three expressions in one.
    Count(Raw, Box<Node>),
    /// `case`
    Case(Raw, Vec<Arm>),
    /// A definition; the body carries its redirections.
    Function(String, Rc<Node>),
    /// `coproc`, with the name of the array that has its descriptors.
    Coproc(String, Box<Node>),
    /// `((…))`
    Arithmetic(Raw),
    /// `[[ … ]]`, its words without the operators.
    Test(Vec<Raw>),
    /// The bodies of a function that was defined in more than one way, the last first.
    Either(Vec<Rc<Node>>),
}

impl Node {
    /// Makes a body that is one or the other.
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

    /// Tells whether it is one of several bodies that have another among them.
    pub(crate) fn has_body(&self, other: &Rc<Self>) -> bool {
        matches!(&self.kind, Kind::Either(bodies) if bodies.iter().any(|body| Rc::ptr_eq(body, other)))
    }
}

/// Which loop over words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Head {
    For,
    Select,
}

/// What joins two commands of a chain.
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

/// Whether the next command waits for one.
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
    /// `;&`, `;;&`: the next one may run behind it.
    pub falls_through: bool,
}

/// `2> file`
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Redirection {
    /// The descriptor in front of the operator.
    pub descriptor: Descriptor,
    pub operator: Operator,
    pub target: Target,
}

/// The descriptor that a redirection names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Descriptor {
    /// None: the operator's own.
    Own,
    Number(u32),
    /// `{name}`: a new one, whose number the variable gets.
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
    /// Tells whether it is one for writing alone.
    pub(crate) fn is_output(self) -> bool {
        matches!(self, Self::Out | Self::Over | Self::Append | Self::OutTo | Self::Both | Self::BothAppend)
    }
}

/// What a redirection leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    Word(Raw),
    /// A here-document that is expanded.
    Expanded(String),
    /// A here-document that is taken as it is.
    Literal(String),
    /// A here-document whose body was not read yet, by its number in the line.
    Awaited(usize),
}
