//! Suffixes of names that a condition implies: after `if f.endswith(".py"):` an unknown name ends with `.py`.

use std::rc::Rc;

use tree_sitter::Node as Syntax;

use super::evaluate::Evaluator;
use super::reader::Reader;
use super::tree::{Argument, Id, Node, Piece, Target, Tree};
use super::value::{Closure, Value};
use crate::word::{Cause, Part, Word};

/// A name, and the possible suffixes of its value.
pub(super) type Ends = (Rc<str>, Rc<[String]>);

/// What a condition implies about a name, if it is met or if it is not.
pub(super) enum Says {
    Met(Ends),
    Unmet(Ends),
}

impl Tree {
    /// Returns the suffix that a call tests: `f.endswith(".py")`, `f.name.endswith((".py", ".pyi"))`.
    fn ends(&self, condition: Id) -> Option<Ends> {
        let Node::Call { callee, arguments } = self.node(condition) else { return None };
        let Node::Member(object, method) = self.node(*callee) else { return None };
        let ([Argument::Plain(end)], "endswith" | "endsWith" | "end_with?") = (arguments.as_slice(), &**method) else {
            return None;
        };
        Some((self.file_name(*object)?, self.texts(*end)?))
    }

    /// Returns the suffix that a comparison tests: `p.suffix == ".py"`.
    fn suffix(&self, condition: Id) -> Option<Ends> {
        let Node::Plain(parts) = self.node(condition) else { return None };
        let [left, right] = parts.as_slice() else { return None };
        match self.node(*left) {
            Node::Member(object, member) if &**member == "suffix" => {
                Some((self.file_name(*object)?, self.texts(*right)?))
            }
            // `File.extname(f) == ".rb"`
            Node::Call { callee, arguments } => match (self.node(*callee), arguments.as_slice()) {
                (Node::Member(_, method), [Argument::Plain(name)]) if &**method == "extname" => {
                    Some((self.file_name(*name)?, self.texts(*right)?))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the whole names that a comparison tests: `f == "build"`, `p.name in ("a", "b")`.
    fn whole(&self, condition: Id) -> Option<Ends> {
        let Node::Plain(parts) = self.node(condition) else { return None };
        let [left, right] = parts.as_slice() else { return None };
        Some((self.file_name(*left)?, self.texts(*right)?))
    }

    /// A variable, or the variable of whose path this is the last component.
    fn file_name(&self, object: Id) -> Option<Rc<str>> {
        match self.node(object) {
            Node::Name(name) => Some(Rc::clone(name)),
            Node::Member(inner, member) if &**member == "name" => match self.node(*inner) {
                Node::Name(name) => Some(Rc::clone(name)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns literal texts: one, or a list of them.
    fn texts(&self, id: Id) -> Option<Rc<[String]>> {
        let text = |id: &Id| match self.node(*id) {
            Node::Text(pieces) => match pieces.as_slice() {
                [Piece::Text(text)] if !text.contains('/') => Some(text.clone()),
                _ => None,
            },
            _ => None,
        };
        match self.node(id) {
            Node::List(parts) => parts.iter().map(text).collect(),
            _ => text(&id).map(|text| Rc::from([text])),
        }
    }
}

impl Reader<'_> {
    /// Returns the operators of an expression, without those of its parts.
    fn operators(&self, syntax: Syntax<'_>) -> String {
        let mut cursor = syntax.walk();
        let found = syntax.children(&mut cursor).filter(|child| !child.is_named());
        found.filter_map(|child| self.tree.text.get(child.byte_range())).collect::<Vec<&str>>().join(" ")
    }

    /// Returns what a Python condition implies.
    pub(super) fn python_says(&self, syntax: Syntax<'_>, condition: Id) -> Option<Says> {
        match (syntax.kind(), self.tree.node(condition)) {
            ("call", _) => self.tree.ends(condition).map(Says::Met),
            ("boolean_operator", Node::Either(parts)) if self.operators(syntax) == "and" => {
                parts.iter().find_map(|part| self.tree.ends(*part)).map(Says::Met)
            }
            ("comparison_operator", _) => match self.operators(syntax).as_str() {
                "==" | "in" => self.tree.suffix(condition).or_else(|| self.tree.whole(condition)).map(Says::Met),
                "!=" | "not in" => self.tree.suffix(condition).or_else(|| self.tree.whole(condition)).map(Says::Unmet),
                _ => None,
            },
            ("not_operator", Node::Plain(parts)) => {
                parts.iter().find_map(|part| self.tree.ends(*part)).map(Says::Unmet)
            }
            _ => None,
        }
    }

    /// Returns what a JavaScript condition implies.
    pub(super) fn javascript_says(&self, syntax: Syntax<'_>, condition: Id) -> Option<Says> {
        let inner = match syntax.kind() {
            "parenthesized_expression" => syntax.named_child(0)?,
            _ => syntax,
        };
        match (inner.kind(), self.tree.node(condition)) {
            ("call_expression", _) => self.tree.ends(condition).map(Says::Met),
            ("binary_expression", _) if matches!(self.operators(inner).as_str(), "==" | "===") => {
                self.tree.whole(condition).map(Says::Met)
            }
            ("unary_expression", Node::Plain(parts)) if self.operators(inner) == "!" => {
                parts.iter().find_map(|part| self.tree.ends(*part)).map(Says::Unmet)
            }
            _ => None,
        }
    }

    /// Returns what a Ruby condition implies.
    pub(super) fn ruby_says(&self, syntax: Syntax<'_>, condition: Id) -> Option<Says> {
        match (syntax.kind(), self.tree.node(condition)) {
            ("call", _) => self.tree.ends(condition).map(Says::Met),
            ("binary", _) if self.operators(syntax) == "==" => {
                self.tree.suffix(condition).or_else(|| self.tree.whole(condition)).map(Says::Met)
            }
            ("binary", _) if self.operators(syntax) == "!=" => {
                self.tree.suffix(condition).or_else(|| self.tree.whole(condition)).map(Says::Unmet)
            }
            ("unary", Node::Plain(parts)) => parts.iter().find_map(|part| self.tree.ends(*part)).map(Says::Unmet),
            _ => None,
        }
    }

    /// Prepends the known suffix of a name to a body.
    pub(super) fn knowing(&mut self, ends: Ends, body: Option<Id>, syntax: Syntax<'_>) -> Id {
        let known = self.make(Node::Ends(ends), syntax);
        self.make(Node::Sequence(std::iter::once(known).chain(body).collect()), syntax)
    }

    /// Whether a body ends by leaving, so that the code after it is not reached: `continue`, `return`.
    pub(super) fn leaves(&self, body: Syntax<'_>) -> bool {
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
    /// Applies the known suffix of a name.
    pub(super) fn know(&mut self, tree: usize, (name, ends): &Ends) {
        let value = self.named(name);
        if let Some(value) = ending(&value, ends) {
            self.bind(tree, &Target::Name(Rc::clone(name)), value);
        }
    }

    /// Narrows values by the suffix that a filter function tests.
    pub(super) fn chosen(&self, function: &Value, values: Value) -> Value {
        let Value::Function(closure) = function else { return values };
        match self.says(closure) {
            Some((_, ends)) => match &values {
                Value::Each(inner) => ending(inner, &ends).map_or(values, Value::each),
                _ => values,
            },
            None => values,
        }
    }

    /// Returns what a function implies about its argument: `f => f.endsWith(".ts")`.
    fn says(&self, closure: &Closure) -> Option<Ends> {
        let tree = self.trees.get(closure.tree)?;
        let function = tree.function(closure.function)?;
        let Node::Return(value) = tree.node(function.body) else { return None };
        let ends = tree.ends(*value)?;
        matches!(function.parameters.first(), Some(Target::Name(name)) if *name == ends.0).then_some(ends)
    }
}

/// Returns an unknown name with one of these suffixes.
fn ending(value: &Value, ends: &[String]) -> Option<Value> {
    let word = |word: &Word| -> Option<Vec<Word>> {
        let is_found = matches!(word.parts.last(), Some(Part::Unknown(unknown)) if unknown.why.cause == Cause::Glob);
        let with_end = |end: &String| {
            let mut word = word.clone();
            word.push(Part::Text(end.clone()));
            word
        };
        is_found.then(|| ends.iter().map(with_end).collect())
    };
    match value {
        Value::Text(text, origin) => {
            let all = word(text)?.into_iter().map(|word| Value::Text(word, *origin));
            all.reduce(Value::or)
        }
        Value::Path(path) => word(path)?.into_iter().map(Value::Path).reduce(Value::or),
        Value::Either(values) => {
            values.iter().map(|value| ending(value, ends).unwrap_or_else(|| value.clone())).reduce(Value::or)
        }
        _ => None,
    }
}
