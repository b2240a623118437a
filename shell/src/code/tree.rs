//! Code of any language as one kind of tree: names, calls and assignments; other constructs are reduced to what they
//! evaluate.
//!
//! The nodes of a tree are in one list and refer to each other by index, so that dropping a tree needs no recursion.
//! The reader decides what a construct means; the evaluator knows no language's grammar.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use super::suffix_facts::SuffixFact;

/// A node of a tree, by its index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) struct CodeNodeId(u32);

/// A parsed text.
#[derive(Debug, Default)]
pub(super) struct CodeTree {
    nodes: Vec<(CodeNode, Range<usize>)>,
    functions: Vec<Rc<FunctionDefinition>>,
    /// The text itself, with its stand-in characters.
    pub text: String,
    /// The root node.
    pub root: Option<CodeNodeId>,
    /// The range that is not valid code of the language, if any.
    pub fault: Option<Range<usize>>,
}

/// A function or a class, by its index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct FunctionId(u32);

/// A node that evaluates to a value or has an effect.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum CodeNode {
    /// A text concatenated from pieces.
    Text(Vec<TextPiece>),
    Number(i64),
    /// `None`, `undefined`, `pass`.
    Nothing,
    /// A value without effects: a comparison, arithmetic. Its parts are evaluated.
    Computed(Vec<CodeNodeId>),
    Name(Rc<str>),
    /// A module or an item of one: `shutil.rmtree`.
    Library(Rc<str>),
    /// `object.name`
    Member(CodeNodeId, Rc<str>),
    /// `object[key]`
    Index(CodeNodeId, CodeNodeId),
    Call {
        callee: CodeNodeId,
        arguments: Vec<CallArgument>,
    },
    List(Vec<CodeNodeId>),
    /// `*list`, `...list`
    Spread(CodeNodeId),
    /// A nested list whose elements belong to the outer one.
    Flattened(CodeNodeId),
    /// A dictionary; a value without a key is another dictionary to merge.
    Dictionary(Vec<(Option<CodeNodeId>, CodeNodeId)>),
    Add(CodeNodeId, CodeNodeId),
    Divide(CodeNodeId, CodeNodeId),
    Remainder(CodeNodeId, CodeNodeId),
    /// One of these values, or all of them.
    AnyOf(Vec<CodeNodeId>),
    Function(FunctionId),
    Class(FunctionId),
    /// Nodes in sequence; the value is that of the last.
    Sequence(Vec<CodeNodeId>),
    Assign(Rc<AssignmentTarget>, CodeNodeId),
    /// `name += value`
    Append(Rc<AssignmentTarget>, CodeNodeId),
    /// A body for each of several values; the results may form a list.
    ForEach {
        target: Rc<AssignmentTarget>,
        over: CodeNodeId,
        body: CodeNodeId,
    },
    /// A body that is repeated until a condition holds.
    Repeat(CodeNodeId),
    /// Alternative bodies: at most one of them runs.
    Branches(Vec<CodeNodeId>),
    Return(CodeNodeId),
    Global(Vec<Rc<str>>),
    /// From here on the name's value ends like this.
    KnownSuffix(SuffixFact),
    /// All names of a module: `from os import *`.
    ImportAll(Rc<str>),
    /// A node that is not read: nested too deeply.
    TooDeep,
}

/// An argument of a call.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum CallArgument {
    Positional(CodeNodeId),
    Named(Rc<str>, CodeNodeId),
    /// All elements of a list.
    Spread(CodeNodeId),
    /// All elements of a list, and any other value unchanged.
    Flattened(CodeNodeId),
    /// All pairs of a dictionary, as named arguments.
    NamedPairs(CodeNodeId),
}

impl CallArgument {
    /// Returns the node of the argument's value.
    pub(super) fn id(&self) -> CodeNodeId {
        match self {
            Self::Positional(id)
            | Self::Named(_, id)
            | Self::Spread(id)
            | Self::Flattened(id)
            | Self::NamedPairs(id) => *id,
        }
    }
}

/// A piece of a text.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum TextPiece {
    Text(String),
    Value(CodeNodeId),
    /// An unknown part of the code itself, by the index of its stand-in.
    Hole(usize),
}

/// An assignment target.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum AssignmentTarget {
    Name(Rc<str>),
    List(Vec<AssignmentTarget>),
    /// Variables for members of a value: destructuring by key.
    Keys(Vec<(Rc<str>, AssignmentTarget)>),
    Member(CodeNodeId, Rc<str>),
    Index(CodeNodeId, CodeNodeId),
    /// A target with a default value.
    Default(Box<AssignmentTarget>, CodeNodeId),
    /// All remaining values.
    Rest(Box<AssignmentTarget>),
    Nothing,
}

/// A function, or a class, whose body defines its members.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct FunctionDefinition {
    pub parameters: Vec<AssignmentTarget>,
    pub body: CodeNodeId,
}

impl CodeTree {
    pub(super) fn new(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    pub(super) fn add(&mut self, node: CodeNode, place: Range<usize>) -> CodeNodeId {
        let id = CodeNodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push((node, place));
        id
    }

    pub(super) fn add_function(&mut self, function: FunctionDefinition) -> FunctionId {
        let id = FunctionId(u32::try_from(self.functions.len()).unwrap_or(u32::MAX));
        self.functions.push(Rc::new(function));
        id
    }

    pub(super) fn node(&self, id: CodeNodeId) -> &CodeNode {
        self.nodes.get(node_index(id.0)).map_or(&CodeNode::Nothing, |(node, _)| node)
    }

    pub(super) fn function(&self, id: FunctionId) -> Option<Rc<FunctionDefinition>> {
        self.functions.get(node_index(id.0)).cloned()
    }

    /// Returns the number of occurrences of a name in the text.
    pub(super) fn count_name(&self, name: &str) -> usize {
        self.text.match_indices(name).count()
    }

    /// Returns the functions with the names under which they are defined.
    pub(super) fn functions(&self) -> Vec<(FunctionId, Option<Rc<str>>)> {
        let mut names: BTreeMap<u32, Rc<str>> = BTreeMap::new();
        for (node, _) in &self.nodes {
            if let CodeNode::Assign(target, value) = node
                && let AssignmentTarget::Name(name) = &**target
                && let CodeNode::Function(function) | CodeNode::Class(function) = self.node(*value)
            {
                names.insert(function.0, Rc::clone(name));
            }
        }
        let ids = (0..self.functions.len()).filter_map(|at| u32::try_from(at).ok());
        ids.map(|id| (FunctionId(id), names.get(&id).cloned())).collect()
    }

    /// Returns a node and its descendants: they were added before it, and are within its range of the text.
    pub(super) fn subtree(&self, id: CodeNodeId) -> impl Iterator<Item = &CodeNode> {
        let at = node_index(id.0);
        let start = self.nodes.get(at).map_or(0, |(_, place)| place.start);
        let all = self.nodes.get(..=at).unwrap_or_default().iter().rev();
        all.take_while(move |(_, place)| place.start >= start).map(|(node, _)| node)
    }

    /// Returns the text of a node.
    pub(super) fn text_of(&self, id: CodeNodeId) -> &str {
        let place = self.nodes.get(node_index(id.0)).map(|(_, place)| place.clone());
        place.and_then(|place| self.text.get(place)).unwrap_or_default()
    }
}

fn node_index(id: u32) -> usize {
    usize::try_from(id).unwrap_or(usize::MAX)
}
