//! Code of any language as one kind of tree: names, calls and assignments, and of the rest only what it evaluates.
//!
//! The nodes of a tree lie in one list and name each other by their places, so that no tree needs recursion to be
//! dropped. What a construct means is decided by whoever makes the tree; who evaluates it knows no language's grammar.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use super::ends::Ends;

/// A node of a tree, by its place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) struct Id(u32);

/// A text that was read.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<(Node, Range<usize>)>,
    functions: Vec<Rc<Function>>,
    /// The text itself, with its stand-ins.
    pub text: String,
    /// Where it begins.
    pub root: Option<Id>,
    /// What of it is no code of the language, if anything.
    pub fault: Option<Range<usize>>,
}

/// A function or a class, by its place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct FunctionId(u32);

/// What evaluates to a value or does something.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Node {
    /// A text, of pieces that are put together.
    Text(Vec<Piece>),
    Number(i64),
    /// `None`, `undefined`, `pass`.
    Nothing,
    /// What no effect comes from, whatever it is: a comparison, arithmetic. Its parts are evaluated.
    Plain(Vec<Id>),
    Name(Rc<str>),
    /// A module or what is in one: `shutil.rmtree`.
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
    /// A list within a list, whose values are the outer one's.
    Flat(Id),
    /// Keys and values; without a key all of another one.
    Keys(Vec<(Option<Id>, Id)>),
    Add(Id, Id),
    Divide(Id, Id),
    Remainder(Id, Id),
    /// One of these, or all of them.
    Either(Vec<Id>),
    Function(FunctionId),
    Class(FunctionId),
    /// One after the other; the value is that of the last.
    Sequence(Vec<Id>),
    Assign(Rc<Target>, Id),
    /// `name += value`
    Append(Rc<Target>, Id),
    /// Something for each of several values, while a list is made of the results or not.
    Each {
        target: Rc<Target>,
        over: Id,
        body: Id,
    },
    /// What is repeated until something holds.
    Repeat(Id),
    /// What may run or not, one of several.
    Branches(Vec<Id>),
    Return(Id),
    Global(Vec<Rc<str>>),
    /// A name ends like this from here on.
    Ends(Ends),
    /// All names of a module: `from os import *`.
    Star(Rc<str>),
    /// It is not read: nested too deeply.
    Deep,
}

/// An argument of a call.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Argument {
    Plain(Id),
    Named(Rc<str>, Id),
    /// All values of a list.
    Spread(Id),
    /// All values of what is a list, and anything else as it is.
    Flat(Id),
    /// All pairs, by their names.
    Names(Id),
}

impl Argument {
    /// Returns the value that is given.
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
    /// What is not known of the code itself, by its place among the stand-ins.
    Hole(usize),
}

/// What gets a value.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Target {
    Name(Rc<str>),
    List(Vec<Target>),
    /// What the members of a value are called here.
    Keys(Vec<(Rc<str>, Target)>),
    Member(Id, Rc<str>),
    Index(Id, Id),
    /// It gets this where there is nothing.
    Default(Box<Target>, Id),
    /// All that is left.
    Rest(Box<Target>),
    Nothing,
}

/// A function, or a class, whose body defines what it has.
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

    /// Returns how often the text has a name.
    pub(super) fn mentions(&self, name: &str) -> usize {
        self.text.match_indices(name).count()
    }

    /// Returns the functions with the names that they are defined under.
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

    /// Returns a node and all that stand in it: they were made before it, and stand in its place in the text.
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
