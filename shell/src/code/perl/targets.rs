//! Reads Perl's assignments and their targets: variables, lists of them, and dereferenced values.

use std::rc::Rc;

use tree_sitter::Node as Syntax;

use super::calls;
use crate::code::reader::{TreeReader, children};
use crate::code::tree::{AssignmentTarget, CallArgument, CodeNode, TextPiece};

impl TreeReader<'_> {
    /// Reads an assignment by any operator: `=`, `.=`, `||=`. One through a computed name (`$$name = 1`) makes all
    /// variables unknown.
    pub(super) fn perl_assignment(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let operator = syntax.child_by_field_name("operator").map_or("", |it| self.text(it)).to_owned();
        let (Some(left), Some(right)) = (syntax.child_by_field_name("left"), syntax.child_by_field_name("right"))
        else {
            return CodeNode::Computed(self.read_all(syntax, Self::read_perl));
        };
        let value = match operator.as_str() {
            "=" => match self.perl_assignment_context(left) {
                AssignmentContext::Keys => {
                    let in_parentheses = right.kind() == "parenthesized_expression";
                    let node = match if in_parentheses { right.named_child(0) } else { Some(right) } {
                        Some(list) => self.perl_pairs(list),
                        None => CodeNode::Dictionary(Vec::new()),
                    };
                    self.add_node(node, right)
                }
                AssignmentContext::List => {
                    let parts = self.perl_list(right);
                    self.add_node(CodeNode::List(parts), right)
                }
                // In scalar context, the value of a list is its length, which is unknown.
                AssignmentContext::One if matches!(right.kind(), "array" | "hash" | "array_deref_expression") => {
                    let value = self.read_perl(right);
                    self.add_node(CodeNode::Computed(vec![value]), right)
                }
                AssignmentContext::One => self.read_perl(right),
            },
            operator => {
                let before = self.read_perl(left);
                let value = self.read_perl(right);
                let node = match operator {
                    ".=" => CodeNode::Text(vec![TextPiece::Value(before), TextPiece::Value(value)]),
                    "||=" | "//=" | "&&=" => CodeNode::AnyOf(vec![before, value]),
                    _ => CodeNode::Computed(vec![before, value]),
                };
                self.add_node(node, syntax)
            }
        };
        // The program then changes the files of its arguments in place, as with the option `-i`.
        if self.text(left) == "$^I" {
            return self.perl_library_call("perl.in_place", vec![CallArgument::Positional(value)], syntax);
        }
        // `$$name = value`, `*{$name} = value`: the assignment may affect any variable.
        let is_dynamic = match left.kind() {
            "scalar" => {
                left.named_child(0).is_some_and(|name| name.kind() != "varname" || name.named_child_count() > 0)
            }
            "glob" => left.named_child(0).is_some_and(|name| name.kind() != "varname"),
            _ => false,
        };
        if is_dynamic {
            return self.perl_library_call("perl.forget", vec![CallArgument::Positional(value)], syntax);
        }
        CodeNode::Assign(Rc::new(self.perl_target(left)), value)
    }

    /// Returns the context in which the right side of an assignment is evaluated, given its left side.
    pub(super) fn perl_assignment_context(&self, left: Syntax<'_>) -> AssignmentContext {
        match left.kind() {
            "array"
            | "array_deref_expression"
            | "slice_expression"
            | "parenthesized_expression"
            | "list_expression" => AssignmentContext::List,
            "hash" | "hash_deref_expression" => AssignmentContext::Keys,
            "localization_expression" => {
                left.named_child(0).map_or(AssignmentContext::One, |inner| self.perl_assignment_context(inner))
            }
            "variable_declaration" => match left.child_by_field_name("variable") {
                Some(one) => self.perl_assignment_context(one),
                None => AssignmentContext::List,
            },
            _ => AssignmentContext::One,
        }
    }

    /// Reads an assignment target; `AssignmentTarget::Nothing` if it is nested too deeply or is not one.
    pub(super) fn perl_target(&mut self, syntax: Syntax<'_>) -> AssignmentTarget {
        if !self.enter() {
            return AssignmentTarget::Nothing;
        }
        let target = match syntax.kind() {
            "variable_declaration" => self.perl_declared(syntax),
            "localization_expression" => {
                syntax.named_child(0).map_or(AssignmentTarget::Nothing, |it| self.perl_target(it))
            }
            "parenthesized_expression" | "list_expression" => {
                let list = match syntax.named_child(0) {
                    Some(inner) if inner.kind() == "list_expression" => inner,
                    _ => syntax,
                };
                let parts = children(list);
                match (syntax.kind(), parts.as_slice()) {
                    // The variable that an assignment in parentheses sets: `(my $x = $y) =~ s/…//`.
                    ("parenthesized_expression", [one]) if one.kind() == "assignment_expression" => one
                        .child_by_field_name("left")
                        .map_or(AssignmentTarget::Nothing, |left| self.perl_declared_target(left)),
                    _ => AssignmentTarget::List(parts.into_iter().map(|part| self.perl_rest(part)).collect()),
                }
            }
            "glob" => match syntax.named_child(0) {
                Some(name) if name.kind() == "varname" => {
                    AssignmentTarget::Name(calls::function_name(self.text(name)).into())
                }
                _ => AssignmentTarget::Nothing,
            },
            _ => {
                let id = self.read_perl(syntax);
                self.assignment_target(id)
            }
        };
        self.leave();
        target
    }

    /// Reads a target in a list of targets. An array or a hash takes all remaining values.
    pub(super) fn perl_rest(&mut self, syntax: Syntax<'_>) -> AssignmentTarget {
        let target = self.perl_target(syntax);
        match syntax.kind() {
            "array" | "hash" => AssignmentTarget::Rest(Box::new(target)),
            _ => target,
        }
    }

    /// Reads the target of a `my` whose declaration was already read, without declaring the variable again.
    pub(super) fn perl_declared_target(&mut self, left: Syntax<'_>) -> AssignmentTarget {
        match left.child_by_field_name("variable") {
            Some(variable) => self.perl_target(variable),
            None => self.perl_target(left),
        }
    }

    /// Declares the variables of a `my`, `our` or `state`, and returns them as a target.
    pub(super) fn perl_declared(&mut self, syntax: Syntax<'_>) -> AssignmentTarget {
        // `our $x` refers to the variable of the package, whose name is not unique to a block.
        let is_local = self.text(syntax).starts_with("my") || self.text(syntax).starts_with("state");
        let mut cursor = syntax.walk();
        let variables: Vec<Syntax<'_>> =
            syntax.named_children(&mut cursor).filter(|it| it.kind() != "comment").collect();
        let is_single = syntax.child_by_field_name("variable").is_some();
        let mut targets = Vec::new();
        for variable in variables {
            if !matches!(variable.kind(), "scalar" | "array" | "hash") {
                // `undef` in a list skips a value.
                targets.push(AssignmentTarget::Nothing);
                continue;
            }
            let name = self.text(variable).replace(' ', "");
            let name = if is_local { self.scopes.declare(&name) } else { name.into() };
            targets.push(match variable.kind() {
                "scalar" => AssignmentTarget::Name(name),
                _ if is_single => AssignmentTarget::Name(name),
                _ => AssignmentTarget::Rest(Box::new(AssignmentTarget::Name(name))),
            });
        }
        match (is_single, targets.len()) {
            (true, 1) => targets.pop().unwrap_or(AssignmentTarget::Nothing),
            _ => AssignmentTarget::List(targets),
        }
    }

    /// Reads a declaration without a value: the variable is empty, as after `my @list;`.
    pub(super) fn perl_declaration(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let empty = match syntax.child_by_field_name("variable").map(|variable| variable.kind()) {
            Some("array") => CodeNode::List(Vec::new()),
            Some("hash") => CodeNode::Dictionary(Vec::new()),
            _ => CodeNode::Nothing,
        };
        let empty = self.add_node(empty, syntax);
        CodeNode::Assign(Rc::new(self.perl_target(syntax)), empty)
    }
}

/// The context in which the right side of an assignment is evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AssignmentContext {
    /// Scalar context: `$x = …`.
    One,
    /// List context: `@x = …`, `($x, $y) = …`.
    List,
    /// List context whose values are keys and values: `%x = …`.
    Keys,
}
