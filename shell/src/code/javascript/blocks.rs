//! Block and function scopes of JavaScript: a declared variable shadows outer ones of the same name.

use tree_sitter::Node as Syntax;

use super::TreeReader;
use crate::code::tree::{CodeNode, FunctionDefinition};

/// Kinds of nodes whose `var` declarations are not visible outside of them.
const FUNCTIONS: &[&str] = &[
    "arrow_function",
    "class_body",
    "function_declaration",
    "function_expression",
    "generator_function",
    "generator_function_declaration",
    "method_definition",
];

impl TreeReader<'_> {
    /// Reads the statements of a block. A variable that the block declares exists in the whole block, also before its
    /// declaration.
    pub(super) fn javascript_block(&mut self, syntax: Syntax<'_>) -> CodeNode {
        self.scopes.open_block();
        let mut cursor = syntax.walk();
        for declaration in syntax.named_children(&mut cursor).filter(|it| it.kind() == "lexical_declaration") {
            self.declare_all(declaration);
        }
        let parts = self.read_all(syntax, Self::read_javascript);
        self.scopes.close_block();
        CodeNode::Sequence(parts)
    }

    /// Reads a loop with `read`, in a scope for the variables that the head of the loop declares.
    pub(super) fn javascript_loop(
        &mut self,
        syntax: Syntax<'_>,
        read: impl FnOnce(&mut Self, Syntax<'_>) -> CodeNode,
    ) -> CodeNode {
        self.scopes.open_block();
        let is_declared = syntax.child_by_field_name("kind").is_some_and(|kind| self.text(kind) != "var");
        let head = syntax.child_by_field_name("left").filter(|_| is_declared);
        let first = syntax.child_by_field_name("initializer").filter(|it| it.kind() == "lexical_declaration");
        head.or(first).into_iter().for_each(|it| self.declare_all(it));
        let node = read(self, syntax);
        self.scopes.close_block();
        node
    }

    /// Reads a function. Its parameters, and every `var` in it outside of inner functions, are local.
    pub(super) fn javascript_function(&mut self, syntax: Syntax<'_>) -> CodeNode {
        self.scopes.open_block();
        let lists = ["parameter", "parameters"].into_iter().filter_map(|field| syntax.child_by_field_name(field));
        let lists: Vec<Syntax<'_>> = lists.collect();
        lists.iter().for_each(|list| self.declare_all(*list));
        let body = syntax.child_by_field_name("body");
        let mut pending: Vec<Syntax<'_>> = body.into_iter().collect();
        while let Some(inner) = pending.pop() {
            if inner.kind() == "variable_declaration" {
                self.declare_all(inner);
            }
            let mut cursor = inner.walk();
            pending.extend(inner.named_children(&mut cursor).filter(|it| !FUNCTIONS.contains(&it.kind())));
        }
        let mut parameters = Vec::new();
        for list in lists {
            if list.kind() != "formal_parameters" {
                parameters.push(self.target(list, Self::read_javascript));
                continue;
            }
            let mut cursor = list.walk();
            let inner: Vec<Syntax<'_>> = list.named_children(&mut cursor).filter(|it| it.kind() != "comment").collect();
            parameters.extend(inner.into_iter().map(|it| self.target(it, Self::read_javascript)).collect::<Vec<_>>());
        }
        let is_block = body.is_some_and(|it| it.kind() == "statement_block");
        let body = self.field(syntax, "body", Self::read_javascript);
        self.scopes.close_block();
        // The body of `x => x + 1` is the value that the function returns.
        let body = if is_block { body } else { self.add_node(CodeNode::Return(body), syntax) };
        CodeNode::Function(self.tree.add_function(FunctionDefinition { parameters, body }))
    }

    /// Declares the names that a declaration, a parameter list or a pattern binds.
    fn declare_all(&mut self, syntax: Syntax<'_>) {
        let mut pending = vec![syntax];
        while let Some(inner) = pending.pop() {
            match inner.kind() {
                "identifier" | "shorthand_property_identifier_pattern" => {
                    let name = self.name(inner);
                    self.scopes.declare(&name);
                }
                "variable_declarator" => pending.extend(inner.child_by_field_name("name")),
                "assignment_pattern" | "object_assignment_pattern" => pending.extend(inner.child_by_field_name("left")),
                "pair_pattern" => pending.extend(inner.child_by_field_name("value")),
                "lexical_declaration"
                | "variable_declaration"
                | "formal_parameters"
                | "array_pattern"
                | "object_pattern"
                | "rest_pattern" => {
                    let mut cursor = inner.walk();
                    pending.extend(inner.named_children(&mut cursor));
                }
                _ => {}
            }
        }
    }
}
