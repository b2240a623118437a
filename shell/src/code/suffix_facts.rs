//! Suffixes of names that a condition implies: after `if f.endswith(".py"):` an unknown name ends with `.py`.

use std::rc::Rc;

use tree_sitter::Node as Syntax;

use super::evaluate::Evaluator;
use super::reader::TreeReader;
use super::tree::{AssignmentTarget, CallArgument, CodeNode, CodeNodeId, CodeTree, TextPiece};
use super::value::{Closure, CodeValue};
use crate::word::{Cause, Word, WordPart};

/// The name of a variable, and the possible suffixes of its value.
pub(super) type SuffixFact = (Rc<str>, Rc<[String]>);

/// A fact about the value of a variable, and the outcome of a condition that implies it.
pub(super) enum ConditionFact {
    /// The fact holds if the condition is true: `f.endswith(".py")`.
    Met(SuffixFact),
    /// The fact holds if the condition is false: `not f.endswith(".py")`.
    Unmet(SuffixFact),
}

impl CodeTree {
    /// Returns the suffixes that a call tests: `f.endswith(".py")`, `f.name.endswith((".py", ".pyi"))`; `None` for
    /// any other node.
    fn suffix_call_fact(&self, condition: CodeNodeId) -> Option<SuffixFact> {
        let CodeNode::Call { callee, arguments } = self.node(condition) else { return None };
        let CodeNode::Member(object, method) = self.node(*callee) else { return None };
        let ([CallArgument::Positional(end)], "endswith" | "endsWith" | "end_with?") =
            (arguments.as_slice(), &**method)
        else {
            return None;
        };
        Some((self.file_variable(*object)?, self.texts(*end)?))
    }

    /// Returns the suffix that a comparison tests: `p.suffix == ".py"`; `None` for any other node.
    fn suffix_comparison_fact(&self, condition: CodeNodeId) -> Option<SuffixFact> {
        let CodeNode::Computed(parts) = self.node(condition) else { return None };
        let [left, right] = parts.as_slice() else { return None };
        match self.node(*left) {
            CodeNode::Member(object, member) if &**member == "suffix" => {
                Some((self.file_variable(*object)?, self.texts(*right)?))
            }
            // `File.extname(f) == ".rb"`
            CodeNode::Call { callee, arguments } => match (self.node(*callee), arguments.as_slice()) {
                (CodeNode::Member(_, method), [CallArgument::Positional(name)]) if &**method == "extname" => {
                    Some((self.file_variable(*name)?, self.texts(*right)?))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the whole names with which a comparison compares a variable: `f == "build"`, `p.name in ("a", "b")`;
    /// `None` for any other node. The operator is not checked.
    fn name_comparison_fact(&self, condition: CodeNodeId) -> Option<SuffixFact> {
        let CodeNode::Computed(parts) = self.node(condition) else { return None };
        let [left, right] = parts.as_slice() else { return None };
        Some((self.file_variable(*left)?, self.texts(*right)?))
    }

    /// Returns the variable `f` of the nodes `f` and `f.name`; `None` for any other node.
    fn file_variable(&self, object: CodeNodeId) -> Option<Rc<str>> {
        match self.node(object) {
            CodeNode::Name(name) => Some(Rc::clone(name)),
            CodeNode::Member(inner, member) if &**member == "name" => match self.node(*inner) {
                CodeNode::Name(name) => Some(Rc::clone(name)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the texts of a literal, or of a list of literals; `None` if a part is not a literal or contains a slash.
    fn texts(&self, id: CodeNodeId) -> Option<Rc<[String]>> {
        let text = |id: &CodeNodeId| match self.node(*id) {
            CodeNode::Text(pieces) => match pieces.as_slice() {
                [TextPiece::Text(text)] if !text.contains('/') => Some(text.clone()),
                _ => None,
            },
            _ => None,
        };
        match self.node(id) {
            CodeNode::List(parts) => parts.iter().map(text).collect(),
            _ => text(&id).map(|text| Rc::from([text])),
        }
    }
}

impl TreeReader<'_> {
    /// Returns the operators of an expression, without those of its operands, separated by blanks: `not in`.
    fn operators(&self, syntax: Syntax<'_>) -> String {
        let mut cursor = syntax.walk();
        let symbols = syntax.children(&mut cursor).filter(|child| !child.is_named());
        symbols.filter_map(|child| self.tree.text.get(child.byte_range())).collect::<Vec<&str>>().join(" ")
    }

    /// Returns what a condition in Python implies about a variable; `None` if it implies no suffix.
    pub(super) fn python_condition_fact(&self, syntax: Syntax<'_>, condition: CodeNodeId) -> Option<ConditionFact> {
        match (syntax.kind(), self.tree.node(condition)) {
            ("call", _) => self.tree.suffix_call_fact(condition).map(ConditionFact::Met),
            ("boolean_operator", CodeNode::AnyOf(parts)) if self.operators(syntax) == "and" => {
                parts.iter().find_map(|part| self.tree.suffix_call_fact(*part)).map(ConditionFact::Met)
            }
            ("comparison_operator", _) => match self.operators(syntax).as_str() {
                "==" | "in" => self
                    .tree
                    .suffix_comparison_fact(condition)
                    .or_else(|| self.tree.name_comparison_fact(condition))
                    .map(ConditionFact::Met),
                "!=" | "not in" => self
                    .tree
                    .suffix_comparison_fact(condition)
                    .or_else(|| self.tree.name_comparison_fact(condition))
                    .map(ConditionFact::Unmet),
                _ => None,
            },
            ("not_operator", CodeNode::Computed(parts)) => {
                parts.iter().find_map(|part| self.tree.suffix_call_fact(*part)).map(ConditionFact::Unmet)
            }
            _ => None,
        }
    }

    /// Returns what a condition in JavaScript implies about a variable; `None` if it implies no suffix.
    pub(super) fn javascript_condition_fact(&self, syntax: Syntax<'_>, condition: CodeNodeId) -> Option<ConditionFact> {
        let inner = match syntax.kind() {
            "parenthesized_expression" => syntax.named_child(0)?,
            _ => syntax,
        };
        match (inner.kind(), self.tree.node(condition)) {
            ("call_expression", _) => self.tree.suffix_call_fact(condition).map(ConditionFact::Met),
            ("binary_expression", _) if matches!(self.operators(inner).as_str(), "==" | "===") => {
                self.tree.name_comparison_fact(condition).map(ConditionFact::Met)
            }
            ("unary_expression", CodeNode::Computed(parts)) if self.operators(inner) == "!" => {
                parts.iter().find_map(|part| self.tree.suffix_call_fact(*part)).map(ConditionFact::Unmet)
            }
            _ => None,
        }
    }

    /// Returns what a condition in Ruby implies about a variable; `None` if it implies no suffix.
    pub(super) fn ruby_condition_fact(&self, syntax: Syntax<'_>, condition: CodeNodeId) -> Option<ConditionFact> {
        match (syntax.kind(), self.tree.node(condition)) {
            ("call", _) => self.tree.suffix_call_fact(condition).map(ConditionFact::Met),
            ("binary", _) if self.operators(syntax) == "==" => self
                .tree
                .suffix_comparison_fact(condition)
                .or_else(|| self.tree.name_comparison_fact(condition))
                .map(ConditionFact::Met),
            ("binary", _) if self.operators(syntax) == "!=" => self
                .tree
                .suffix_comparison_fact(condition)
                .or_else(|| self.tree.name_comparison_fact(condition))
                .map(ConditionFact::Unmet),
            ("unary", CodeNode::Computed(parts)) if matches!(self.operators(syntax).as_str(), "!" | "not") => {
                parts.iter().find_map(|part| self.tree.suffix_call_fact(*part)).map(ConditionFact::Unmet)
            }
            _ => None,
        }
    }

    /// Adds a node that applies a fact about a variable, and then evaluates the body, if any.
    pub(super) fn with_fact(&mut self, fact: SuffixFact, body: Option<CodeNodeId>, syntax: Syntax<'_>) -> CodeNodeId {
        let fact = self.add_node(CodeNode::KnownSuffix(fact), syntax);
        self.add_node(CodeNode::Sequence(std::iter::once(fact).chain(body).collect()), syntax)
    }

    /// Whether the last statement of a body jumps away, so that the code after the body is not reached: `continue`,
    /// `return`, `raise`.
    pub(super) fn is_leaving(&self, body: Syntax<'_>) -> bool {
        let last = match body.kind() {
            "block" | "statement_block" | "then" => {
                let mut cursor = body.walk();
                body.named_children(&mut cursor).filter(|child| child.kind() != "comment").last()
            }
            _ => Some(body),
        };
        last.is_some_and(|last| {
            matches!(
                last.kind(),
                "continue_statement"
                    | "return_statement"
                    | "raise_statement"
                    | "break_statement"
                    | "throw_statement"
                    | "next"
                    | "break"
                    | "return"
            )
        })
    }
}

impl Evaluator<'_> {
    /// Appends the suffixes of a fact to the value of its variable, if that ends in an unknown file name.
    pub(super) fn apply_fact(&mut self, tree: usize, (name, suffixes): &SuffixFact) {
        let value = self.value_named(name);
        if let Some(value) = name_with_suffix(&value, suffixes) {
            self.bind(tree, &AssignmentTarget::Name(Rc::clone(name)), value);
        }
    }

    /// Appends the suffix that a filter function tests to unknown values: `files.filter(f => f.endsWith(".ts"))`.
    pub(super) fn filter_by_suffix(&self, function: &CodeValue, values: CodeValue) -> CodeValue {
        let CodeValue::Function(closure) = function else { return values };
        match self.implied_fact(closure) {
            Some((_, suffixes)) => match &values {
                CodeValue::Several(inner) => name_with_suffix(inner, &suffixes).map_or(values, CodeValue::several),
                _ => values,
            },
            None => values,
        }
    }

    /// Returns the fact about its first parameter that holds if a function returns true: `f => f.endsWith(".ts")`.
    fn implied_fact(&self, closure: &Closure) -> Option<SuffixFact> {
        let tree = self.trees.get(closure.tree)?;
        let function = tree.function(closure.function)?;
        let CodeNode::Return(value) = tree.node(function.body) else { return None };
        let fact = tree.suffix_call_fact(*value)?;
        matches!(function.parameters.first(), Some(AssignmentTarget::Name(name)) if *name == fact.0).then_some(fact)
    }
}

/// Appends each of the suffixes to a value that ends in an unknown file name; `None` for any other value.
fn name_with_suffix(value: &CodeValue, suffixes: &[String]) -> Option<CodeValue> {
    let with_suffixes = |word: &Word| -> Option<Vec<Word>> {
        let ends_in_file_name =
            matches!(word.parts.last(), Some(WordPart::Unknown(unknown)) if unknown.reason.cause == Cause::Glob);
        let with_suffix = |suffix: &String| {
            let mut word = word.clone();
            word.push(WordPart::Text(suffix.clone()));
            word
        };
        ends_in_file_name.then(|| suffixes.iter().map(with_suffix).collect())
    };
    match value {
        CodeValue::Text(text, origin) => {
            let texts = with_suffixes(text)?.into_iter().map(|word| CodeValue::Text(word, *origin));
            texts.reduce(CodeValue::either)
        }
        CodeValue::Path(path) => with_suffixes(path)?.into_iter().map(CodeValue::Path).reduce(CodeValue::either),
        CodeValue::AnyOf(values) => values
            .iter()
            .map(|value| name_with_suffix(value, suffixes).unwrap_or_else(|| value.clone()))
            .reduce(CodeValue::either),
        _ => None,
    }
}
