//! Code of any language as one kind of tree: names, calls and assignments; other constructs are reduced to what they
//! evaluate.
//!
//! The nodes of a tree are in one list and refer to each other by index, so that dropping a tree needs no recursion.
//! The reader decides what a construct means; the evaluator knows no language's grammar.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use super::suffix_facts::Ends;

/// A node of a tree, by its index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) struct Id(u32);

/// A parsed text.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<(Node, Range<usize>)>,
    functions: Vec<Rc<Function>>,
    /// The text itself, with its stand-in characters.
    pub text: String,
    /// The root node.
    pub root: Option<Id>,
    /// The range that is not valid code of the language, if any.
    pub fault: Option<Range<usize>>,
}

/// A function or a class, by its index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct FunctionId(u32);

/// A node that evaluates to a value or has an effect.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Node {
    /// A text concatenated from pieces.
    Text(Vec<Piece>),
    Number(i64),
    /// `None`, `undefined`, `pass`.
    Nothing,
    /// A value without effects: a comparison, arithmetic. Its parts are evaluated.
    Plain(Vec<Id>),
    Name(Rc<str>),
    /// A module or an item of one: `shutil.rmtree`.
    Library(Rc<str>),
    /// `object.name`
    Member(Id, Rc<str>),
    /// `object[key]`
    Index(Id, Id),
    Call {
        callee: Id,
        arguments: Vec<Argument>,
    },
    List(Vec<Id>),
    /// `*list`, `...list`
    Spread(Id),
    /// A nested list whose elements belong to the outer one.
    Flat(Id),
    /// A dictionary; a value without a key is another dictionary to merge.
    Keys(Vec<(Option<Id>, Id)>),
    Add(Id, Id),
    Divide(Id, Id),
    Remainder(Id, Id),
    /// One of these values, or all of them.
    Either(Vec<Id>),
    Function(FunctionId),
    Class(FunctionId),
    /// Nodes in sequence; the value is that of the last.
    Sequence(Vec<Id>),
    Assign(Rc<Target>, Id),
    /// `name += value`
    Append(Rc<Target>, Id),
    /// A body for each of several values; the results may form a list.
    Each {
        target: Rc<Target>,
        over: Id,
        body: Id,
    },
    /// A body that is repeated until a condition holds.
    Repeat(Id),
    /// Alternative bodies: at most one of them runs.
    Branches(Vec<Id>),
    Return(Id),
    Global(Vec<Rc<str>>),
    /// From here on the name's value ends like this.
    Ends(Ends),
    /// All names of a module: `from os import *`.
    Star(Rc<str>),
    /// A node that is not read: nested too deeply.
    Deep,
}

/// An argument of a call.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Argument {
    Plain(Id),
    Named(Rc<str>, Id),
    /// All elements of a list.
    Spread(Id),
    /// All elements of a list, and any other value unchanged.
    Flat(Id),
    /// All pairs of a dictionary, as named arguments.
    Names(Id),
}

impl Argument {
    /// Returns the node of the argument's value.
    pub(super) fn id(&self) -> Id {
        match self {
            Self::Plain(id) | Self::Named(_, id) | Self::Spread(id) | Self::Flat(id) | Self::Names(id) => *id,
        }
    }
}

/// A piece of a text.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Piece {
    Text(String),
    Value(Id),
    /// An unknown part of the code itself, by the index of its stand-in.
    Hole(usize),
}

/// An assignment target.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Target {
    Name(Rc<str>),
    List(Vec<Target>),
    /// Variables for members of a value: destructuring by key.
    Keys(Vec<(Rc<str>, Target)>),
    Member(Id, Rc<str>),
    Index(Id, Id),
    /// A target with a default value.
    Default(Box<Target>, Id),
    /// All remaining values.
    Rest(Box<Target>),
    Nothing,
}

/// A function, or a class, whose body defines its members.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Function {
    pub parameters: Vec<Target>,
    pub body: Id,
}

impl Tree {
    pub(super) fn new(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    pub(super) fn add(&mut self, node: Node, place: Range<usize>) -> Id {
        let id = Id(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push((node, place));
        id
    }

    pub(super) fn add_function(&mut self, function: Function) -> FunctionId {
        let id = FunctionId(u32::try_from(self.functions.len()).unwrap_or(u32::MAX));
        self.functions.push(Rc::new(function));
        id
    }

    pub(super) fn node(&self, id: Id) -> &Node {
        self.nodes.get(place(id.0)).map_or(&Node::Nothing, |(node, _)| node)
    }

    pub(super) fn function(&self, id: FunctionId) -> Option<Rc<Function>> {
        self.functions.get(place(id.0)).cloned()
    }

    /// Returns the number of occurrences of a name in the text.
    pub(super) fn mentions(&self, name: &str) -> usize {
        self.text.match_indices(name).count()
    }

    /// Returns the functions with the names under which they are defined.
    pub(super) fn functions(&self) -> Vec<(FunctionId, Option<Rc<str>>)> {
        let mut names: BTreeMap<u32, Rc<str>> = BTreeMap::new();
        for (node, _) in &self.nodes {
            if let Node::Assign(target, value) = node
                && let Target::Name(name) = &**target
                && let Node::Function(function) | Node::Class(function) = self.node(*value)
            {
                names.insert(function.0, Rc::clone(name));
            }
        }
        let ids = (0..self.functions.len()).filter_map(|at| u32::try_from(at).ok());
        ids.map(|id| (FunctionId(id), names.get(&id).cloned())).collect()
    }

    /// Returns a node and its descendants: they were added before it, and are within its range of the text.
    pub(super) fn within(&self, id: Id) -> impl Iterator<Item = &Node> {
        let at = place(id.0);
        let start = self.nodes.get(at).map_or(0, |(_, place)| place.start);
        let all = self.nodes.get(..=at).unwrap_or_default().iter().rev();
        all.take_while(move |(_, place)| place.start >= start).map(|(node, _)| node)
    }

    /// Returns the text of a node.
    pub(super) fn text_of(&self, id: Id) -> &str {
        let place = self.nodes.get(place(id.0)).map(|(_, place)| place.clone());
        place.and_then(|place| self.text.get(place)).unwrap_or_default()
    }
}

fn place(id: u32) -> usize {
    usize::try_from(id).unwrap_or(usize::MAX)
}
