//! A tree for code of any language: names, calls and assignments. Any other construct is reduced to the parts that it
//! evaluates.
//!
//! The nodes of a tree are in one list and refer to each other by index, so that dropping a tree needs no recursion.
//! The reader decides what a construct means; the evaluator knows no language's grammar.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use super::suffix_facts::SuffixFact;

/// The index of a node in its [`CodeTree`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) struct CodeNodeId(u32);

/// The tree of a parsed text.
#[derive(Debug, Default)]
pub(super) struct CodeTree {
    /// The nodes, each with its range of the text. The descendants of a node come before it.
    nodes: Vec<(CodeNode, Range<usize>)>,
    functions: Vec<Rc<FunctionDefinition>>,
    /// The text itself, with a stand-in character for each unknown part.
    pub text: String,
    /// The root node.
    pub root: Option<CodeNodeId>,
    /// The range that is not valid code of the language, if any.
    pub fault: Option<Range<usize>>,
}

/// The index of the definition of a function or a class in its [`CodeTree`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct FunctionId(u32);

/// A node that evaluates to a value or has an effect.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum CodeNode {
    /// A text concatenated from pieces: a literal, an f-string.
    Text(Vec<TextPiece>),
    Number(i64),
    /// `None`, `undefined`, `pass`.
    Nothing,
    /// An operation without effects, such as a comparison or arithmetic: its parts are evaluated, and the result is
    /// unknown data.
    Computed(Vec<CodeNodeId>),
    /// A variable, or any other name that is not qualified.
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
    /// A list whose elements belong to the outer list: `*list`, `...list`.
    Spread(CodeNodeId),
    /// A value in an outer list: if it is a list itself, its elements belong to the outer one, as in Perl's
    /// `(@x, 1)`.
    Flattened(CodeNodeId),
    /// A dictionary literal. An entry without a key is another dictionary whose entries are added: `{**other}`.
    Dictionary(Vec<(Option<CodeNodeId>, CodeNodeId)>),
    /// `left + right`
    Add(CodeNodeId, CodeNodeId),
    /// `left / right`: a joined path, or arithmetic.
    Divide(CodeNodeId, CodeNodeId),
    /// `left % right`: a text with its placeholders filled in, or arithmetic.
    Remainder(CodeNodeId, CodeNodeId),
    /// One of several values, all of which are evaluated: `a or b`, `c ? a : b`.
    AnyOf(Vec<CodeNodeId>),
    Function(FunctionId),
    Class(FunctionId),
    /// Nodes that are evaluated one after the other; the value is that of the last.
    Sequence(Vec<CodeNodeId>),
    /// `target = value`
    Assign(Rc<AssignmentTarget>, CodeNodeId),
    /// `target += value`
    Append(Rc<AssignmentTarget>, CodeNodeId),
    /// A body that is evaluated for each element of `over`, as in a loop or a comprehension. The value is the list of
    /// the results.
    ForEach {
        target: Rc<AssignmentTarget>,
        over: CodeNodeId,
        body: CodeNodeId,
    },
    /// The condition and the body of a loop that runs an unknown number of times: `while`.
    Repeat(CodeNodeId),
    /// Alternative bodies: at most one of them runs.
    Branches(Vec<CodeNodeId>),
    Return(CodeNodeId),
    /// A declaration that names in a function mean variables of the program: `global x`.
    Global(Vec<Rc<str>>),
    /// A fact that a condition implies: from here on, the value of a variable ends in one of these suffixes.
    KnownSuffix(SuffixFact),
    /// All names of a module: `from os import *`.
    ImportAll(Rc<str>),
    /// Code that is not read because it is nested too deeply.
    TooDeep,
}

/// An argument of a call.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum CallArgument {
    Positional(CodeNodeId),
    Named(Rc<str>, CodeNodeId),
    /// All elements of a list: `f(*list)`.
    Spread(CodeNodeId),
    /// All elements of a list, or any other value as a single argument: `f(@list)` in Perl.
    Flattened(CodeNodeId),
    /// All entries of a dictionary, as named arguments: `f(**dictionary)`.
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
    /// The text of a value: `{x}` in an f-string.
    Value(CodeNodeId),
    /// An unknown part of the source text itself (`$X` in `python -c "print('$X')"`), by the index of its stand-in
    /// character.
    Hole(usize),
}

/// What an assignment assigns to.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum AssignmentTarget {
    Name(Rc<str>),
    /// The elements of a list: `a, b = value`.
    List(Vec<AssignmentTarget>),
    /// Members of a value by name, each with its target: `const { a, b: c } = value`.
    Keys(Vec<(Rc<str>, AssignmentTarget)>),
    Member(CodeNodeId, Rc<str>),
    Index(CodeNodeId, CodeNodeId),
    /// A target, and the default value that is assigned to it if there is no other: `b = 1` in `def f(a, b=1)`.
    Default(Box<AssignmentTarget>, CodeNodeId),
    /// All remaining values, as a list: `*rest`.
    Rest(Box<AssignmentTarget>),
    /// The value is discarded.
    Nothing,
}

/// A function; or a class, which has no parameters, and whose body defines its members.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct FunctionDefinition {
    pub parameters: Vec<AssignmentTarget>,
    pub body: CodeNodeId,
}

impl CodeTree {
    pub(super) fn new(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    /// Adds a node with its range of the text. Its descendants must have been added before.
    pub(super) fn add(&mut self, node: CodeNode, range: Range<usize>) -> CodeNodeId {
        let id = CodeNodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push((node, range));
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

    /// Returns how often a name occurs in the text, including as a part of longer names.
    pub(super) fn count_name(&self, name: &str) -> usize {
        self.text.match_indices(name).count()
    }

    /// Returns the source text from its beginning up to a node.
    pub(super) fn text_before(&self, id: CodeNodeId) -> &str {
        let start = self.nodes.get(node_index(id.0)).map_or(0, |(_, range)| range.start);
        self.text.get(..start).unwrap_or_default()
    }

    /// Returns all functions and classes, each with the variable that it is assigned to; `None` for one without a
    /// name, such as a lambda.
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

    /// Returns a node and then its descendants, which were added before it and are within its range of the text.
    pub(super) fn subtree(&self, id: CodeNodeId) -> impl Iterator<Item = &CodeNode> {
        let index = node_index(id.0);
        let start = self.nodes.get(index).map_or(0, |(_, range)| range.start);
        let backwards = self.nodes.get(..=index).unwrap_or_default().iter().rev();
        backwards.take_while(move |(_, range)| range.start >= start).map(|(node, _)| node)
    }

    /// Returns the source text of a node; empty if there is no such node.
    pub(super) fn text_of(&self, id: CodeNodeId) -> &str {
        let range = self.nodes.get(node_index(id.0)).map(|(_, range)| range.clone());
        range.and_then(|range| self.text.get(range)).unwrap_or_default()
    }
}

fn node_index(id: u32) -> usize {
    usize::try_from(id).unwrap_or(usize::MAX)
}
