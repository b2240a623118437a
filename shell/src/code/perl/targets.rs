//! Assignment targets of Perl: variables, lists of them, and dereferenced values.

use std::rc::Rc;

use tree_sitter::Node as Syntax;

use super::calls;
use crate::code::reader::{Reader, children};
use crate::code::tree::{Argument, Node, Piece, Target};

impl Reader<'_> {
    pub(super) fn perl_assignment(&mut self, syntax: Syntax<'_>) -> Node {
        let operator = syntax.child_by_field_name("operator").map_or("", |it| self.text(it)).to_owned();
        let (Some(left), Some(right)) = (syntax.child_by_field_name("left"), syntax.child_by_field_name("right"))
        else {
            return Node::Plain(self.all(syntax, Self::perl));
        };
        let value = match operator.as_str() {
            "=" => match self.perl_shape(left) {
                Shape::Keys => {
                    let inner =
                        if right.kind() == "parenthesized_expression" { right.named_child(0) } else { Some(right) };
                    let node = match inner {
                        Some(list) => self.perl_pairs(list),
                        None => Node::Keys(Vec::new()),
                    };
                    self.make(node, right)
                }
                Shape::List => {
                    let parts = self.perl_list(right);
                    self.make(Node::List(parts), right)
                }
                // In scalar context a list is its length.
                Shape::One if matches!(right.kind(), "array" | "hash" | "array_deref_expression") => {
                    let value = self.perl(right);
                    self.make(Node::Plain(vec![value]), right)
                }
                Shape::One => self.perl(right),
            },
            operator => {
                let before = self.perl(left);
                let value = self.perl(right);
                let node = match operator {
                    ".=" => Node::Text(vec![Piece::Value(before), Piece::Value(value)]),
                    "||=" | "//=" | "&&=" => Node::Either(vec![before, value]),
                    _ => Node::Plain(vec![before, value]),
                };
                self.make(node, syntax)
            }
        };
        // `$$name = value`, `*{$name} = value`: the assignment may affect any variable.
        let is_dynamic = match left.kind() {
            "scalar" => {
                left.named_child(0).is_some_and(|name| name.kind() != "varname" || name.named_child_count() > 0)
            }
            "glob" => left.named_child(0).is_some_and(|name| name.kind() != "varname"),
            _ => false,
        };
        if is_dynamic {
            return self.perl_library_call("perl.forget", vec![Argument::Plain(value)], syntax);
        }
        Node::Assign(Rc::new(self.perl_target(left)), value)
    }

    /// Returns the context that the left side of an assignment imposes.
    pub(super) fn perl_shape(&self, left: Syntax<'_>) -> Shape {
        match left.kind() {
            "array"
            | "array_deref_expression"
            | "slice_expression"
            | "parenthesized_expression"
            | "list_expression" => Shape::List,
            "hash" | "hash_deref_expression" => Shape::Keys,
            "localization_expression" => left.named_child(0).map_or(Shape::One, |inner| self.perl_shape(inner)),
            "variable_declaration" => match left.child_by_field_name("variable") {
                Some(one) => self.perl_shape(one),
                None => Shape::List,
            },
            _ => Shape::One,
        }
    }

    /// Reads an assignment target.
    pub(super) fn perl_target(&mut self, syntax: Syntax<'_>) -> Target {
        if !self.enter() {
            return Target::Nothing;
        }
        let target = match syntax.kind() {
            "variable_declaration" => self.perl_declared(syntax),
            "localization_expression" => syntax.named_child(0).map_or(Target::Nothing, |it| self.perl_target(it)),
            "parenthesized_expression" | "list_expression" => {
                let list = match syntax.named_child(0) {
                    Some(inner) if inner.kind() == "list_expression" => inner,
                    _ => syntax,
                };
                let parts = children(list);
                match (syntax.kind(), parts.as_slice()) {
                    // `(my $x = $y) =~ s/…//`
                    ("parenthesized_expression", [one]) if one.kind() == "assignment_expression" => {
                        one.child_by_field_name("left").map_or(Target::Nothing, |left| self.perl_known(left))
                    }
                    _ => Target::List(parts.into_iter().map(|part| self.perl_rest(part)).collect()),
                }
            }
            "glob" => match syntax.named_child(0) {
                Some(name) if name.kind() == "varname" => Target::Name(calls::function_name(self.text(name)).into()),
                _ => Target::Nothing,
            },
            _ => {
                let id = self.perl(syntax);
                self.target_of(id)
            }
        };
        self.leave();
        target
    }

    /// Reads a target of a list: an array takes all remaining values.
    pub(super) fn perl_rest(&mut self, syntax: Syntax<'_>) -> Target {
        let target = self.perl_target(syntax);
        match syntax.kind() {
            "array" | "hash" => Target::Rest(Box::new(target)),
            _ => target,
        }
    }

    /// Returns the target for a variable whose declaration was already read.
    pub(super) fn perl_known(&mut self, left: Syntax<'_>) -> Target {
        match left.child_by_field_name("variable") {
            Some(variable) => self.perl_target(variable),
            None => self.perl_target(left),
        }
    }

    pub(super) fn perl_declared(&mut self, syntax: Syntax<'_>) -> Target {
        let is_own = self.text(syntax).starts_with("my") || self.text(syntax).starts_with("state");
        let mut cursor = syntax.walk();
        let variables: Vec<Syntax<'_>> =
            syntax.named_children(&mut cursor).filter(|it| it.kind() != "comment").collect();
        let is_one = syntax.child_by_field_name("variable").is_some();
        let mut targets = Vec::new();
        for variable in variables {
            if !matches!(variable.kind(), "scalar" | "array" | "hash") {
                // `undef` in a list skips a value.
                targets.push(Target::Nothing);
                continue;
            }
            let name = self.text(variable).replace(' ', "");
            let name = if is_own { self.scopes.declare(&name) } else { name.into() };
            targets.push(match variable.kind() {
                "scalar" => Target::Name(name),
                _ if is_one => Target::Name(name),
                _ => Target::Rest(Box::new(Target::Name(name))),
            });
        }
        match (is_one, targets.len()) {
            (true, 1) => targets.pop().unwrap_or(Target::Nothing),
            _ => Target::List(targets),
        }
    }

    /// Reads `my @list;`: the variable is empty.
    pub(super) fn perl_declaration(&mut self, syntax: Syntax<'_>) -> Node {
        let empty = match syntax.child_by_field_name("variable").map(|variable| variable.kind()) {
            Some("array") => Node::List(Vec::new()),
            Some("hash") => Node::Keys(Vec::new()),
            _ => Node::Nothing,
        };
        let empty = self.make(empty, syntax);
        Node::Assign(Rc::new(self.perl_target(syntax)), empty)
    }
}

/// The context of an assignment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    One,
    List,
    Keys,
}
