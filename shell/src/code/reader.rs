//! The parts that the readers of all languages share: nodes, targets, numbers, depth.

use std::rc::Rc;

use tree_sitter::Node as Syntax;

use super::scopes::VariableScopes;
use super::tree::{AssignmentTarget, CodeNode, CodeNodeId, CodeTree, FunctionDefinition};

/// The maximum depth to which a text is read; deeper nodes are unknown.
pub(super) const LEVELS: usize = 48;

/// Builds a tree.
pub(super) struct TreeReader<'t> {
    pub tree: &'t mut CodeTree,
    /// The names of the variables at the reader's position.
    pub scopes: VariableScopes,
    depth: usize,
}

/// A reader of a statement or expression of a language.
pub(super) type NodeReader<'t> = fn(&mut TreeReader<'t>, Syntax<'_>) -> CodeNodeId;

/// A reader of the nodes of one family, such as calls: `None` for a node of another.
pub(super) type ReadFamily<'t> = fn(&mut TreeReader<'t>, Syntax<'_>) -> Option<CodeNode>;

impl<'t> TreeReader<'t> {
    pub(super) fn new(tree: &'t mut CodeTree) -> Self {
        Self { tree, scopes: VariableScopes::default(), depth: 0 }
    }

    /// Reads a node, unless it is too deep. A wrapper around a single node is that node.
    pub(super) fn read_node(
        &mut self,
        syntax: Syntax<'_>,
        wrappers: &[&str],
        read: NodeReader<'t>,
        node: fn(&mut Self, Syntax<'_>) -> CodeNode,
    ) -> CodeNodeId {
        if !self.enter() {
            return self.add_node(CodeNode::TooDeep, syntax);
        }
        if wrappers.contains(&syntax.kind()) && syntax.named_child_count() == 1 {
            let id = self.read_only_child(syntax, read);
            self.leave();
            return id;
        }
        let node = node(self, syntax);
        self.leave();
        self.add_node(node, syntax)
    }

    /// Reads a node by the first family that has its kind; `None` if none has it.
    pub(super) fn of_families(
        &mut self,
        syntax: Syntax<'_>,
        without_value: &[&str],
        families: &[ReadFamily<'t>],
    ) -> Option<CodeNode> {
        if without_value.contains(&syntax.kind()) {
            return Some(CodeNode::Nothing);
        }
        families.iter().find_map(|read| read(self, syntax))
    }

    /// Reads the pairs of a dictionary, including those that are spread into it.
    pub(super) fn keys(&mut self, syntax: Syntax<'_>, spread: &str, read: NodeReader<'t>) -> CodeNode {
        let mut pairs = Vec::new();
        let mut cursor = syntax.walk();
        for child in syntax.named_children(&mut cursor) {
            if child.kind() == "pair" {
                let key = self.field(child, "key", read);
                pairs.push((Some(key), self.field(child, "value", read)));
            } else if child.kind() == spread {
                pairs.push((None, self.read_only_child(child, read)));
            }
        }
        CodeNode::Dictionary(pairs)
    }

    pub(super) fn enter(&mut self) -> bool {
        let is_entered = self.depth < LEVELS;
        self.depth += usize::from(is_entered);
        is_entered
    }

    pub(super) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    pub(super) fn add_node(&mut self, node: CodeNode, syntax: Syntax<'_>) -> CodeNodeId {
        self.tree.add(node, syntax.byte_range())
    }

    pub(super) fn text(&self, syntax: Syntax<'_>) -> &str {
        self.tree.text.get(syntax.byte_range()).unwrap_or_default()
    }

    pub(super) fn name(&self, syntax: Syntax<'_>) -> Rc<str> {
        self.text(syntax).into()
    }

    /// Returns the name of a variable in its scope.
    pub(super) fn variable(&self, syntax: Syntax<'_>) -> Rc<str> {
        self.scopes.declared_name(self.text(syntax))
    }

    pub(super) fn number(&self, syntax: Syntax<'_>) -> CodeNode {
        let text = self.text(syntax).replace('_', "").to_ascii_lowercase();
        let number = match text.split_at_checked(2) {
            Some(("0x", digits)) => i64::from_str_radix(digits, 16),
            Some(("0o", digits)) => i64::from_str_radix(digits, 8),
            Some(("0b", digits)) => i64::from_str_radix(digits, 2),
            // In every language that has such numbers they are octal, except for JavaScript's `08`.
            Some((_, _)) if text.starts_with('0') => i64::from_str_radix(&text, 8),
            _ => text.parse(),
        };
        number.map_or_else(|_| CodeNode::Computed(Vec::new()), CodeNode::Number)
    }

    /// Reads all children of a node.
    pub(super) fn read_all(&mut self, syntax: Syntax<'_>, read: NodeReader<'t>) -> Vec<CodeNodeId> {
        let mut cursor = syntax.walk();
        syntax.named_children(&mut cursor).filter(|it| it.kind() != "comment").map(|it| read(self, it)).collect()
    }

    /// Reads all children of a node, with its definitions first: they take effect before anything runs.
    pub(super) fn read_hoisted(
        &mut self,
        syntax: Syntax<'_>,
        definitions: &[&str],
        read: NodeReader<'t>,
    ) -> Vec<CodeNodeId> {
        let mut cursor = syntax.walk();
        let (mut first, mut rest) = (Vec::new(), Vec::new());
        for child in syntax.named_children(&mut cursor).filter(|it| it.kind() != "comment") {
            let id = read(self, child);
            let is_definition = definitions.contains(&child.kind());
            if is_definition { first.push(id) } else { rest.push(id) }
        }
        first.extend(rest);
        first
    }

    pub(super) fn read_field(&mut self, syntax: Syntax<'_>, field: &str, read: NodeReader<'t>) -> Vec<CodeNodeId> {
        syntax.child_by_field_name(field).map(|it| self.read_all(it, read)).unwrap_or_default()
    }

    /// Reads the only child of a node.
    pub(super) fn read_only_child(&mut self, syntax: Syntax<'_>, read: NodeReader<'t>) -> CodeNodeId {
        let mut all = self.read_all(syntax, read);
        match (all.pop(), all.is_empty()) {
            (Some(only), true) => only,
            (Some(last), false) => {
                all.push(last);
                self.add_node(CodeNode::Sequence(all), syntax)
            }
            (None, _) => self.add_node(CodeNode::Nothing, syntax),
        }
    }

    pub(super) fn field(&mut self, syntax: Syntax<'_>, field: &str, read: NodeReader<'t>) -> CodeNodeId {
        match syntax.child_by_field_name(field) {
            Some(inner) => read(self, inner),
            None => self.add_node(CodeNode::Nothing, syntax),
        }
    }

    /// Reads an access to a member, given the names of the grammar's fields for the object and the member.
    pub(super) fn member(
        &mut self,
        syntax: Syntax<'_>,
        object_field: &str,
        name_field: &str,
        read: NodeReader<'t>,
    ) -> CodeNode {
        let object = self.field(syntax, object_field, read);
        let name = syntax.child_by_field_name(name_field).map(|name| self.name(name)).unwrap_or_default();
        CodeNode::Member(object, name)
    }

    pub(super) fn index(&mut self, syntax: Syntax<'_>, object: &str, key: &str, read: NodeReader<'t>) -> CodeNode {
        let object = self.field(syntax, object, read);
        let key = self.field(syntax, key, read);
        CodeNode::Index(object, key)
    }

    pub(super) fn binary(&mut self, syntax: Syntax<'_>, read: NodeReader<'t>) -> CodeNode {
        let operator = syntax.child_by_field_name("operator").map(|it| self.text(it).to_owned()).unwrap_or_default();
        let left = self.field(syntax, "left", read);
        let right = self.field(syntax, "right", read);
        self.operation(&operator, left, right)
    }

    /// Returns the node for a binary operator.
    pub(super) fn operation(&self, operator: &str, left: CodeNodeId, right: CodeNodeId) -> CodeNode {
        match operator {
            "+" => CodeNode::Add(left, right),
            "/" => CodeNode::Divide(left, right),
            "%" => CodeNode::Remainder(left, right),
            "||" | "&&" | "??" => CodeNode::AnyOf(vec![left, right]),
            _ => CodeNode::Computed(vec![left, right]),
        }
    }

    /// Reads `condition ? one : other`.
    pub(super) fn choice(&mut self, syntax: Syntax<'_>, fields: [&str; 3], read: NodeReader<'t>) -> CodeNode {
        let [condition, one, other] = fields.map(|field| self.field(syntax, field, read));
        let either = self.add_node(CodeNode::AnyOf(vec![one, other]), syntax);
        CodeNode::Sequence(vec![condition, either])
    }

    /// Reads a loop whose parts are repeated in this order.
    pub(super) fn repeated(&mut self, syntax: Syntax<'_>, fields: &[&str], read: NodeReader<'t>) -> CodeNode {
        let parts = fields.iter().map(|field| self.field(syntax, field, read)).collect();
        CodeNode::Repeat(self.add_node(CodeNode::Sequence(parts), syntax))
    }

    /// Reads `for (first; …; …) …`: the first part runs once, the rest is repeated.
    pub(super) fn counted(
        &mut self,
        syntax: Syntax<'_>,
        first: &str,
        rest: [&str; 3],
        read: NodeReader<'t>,
    ) -> CodeNode {
        let first = self.field(syntax, first, read);
        let repeated = self.repeated(syntax, &rest, read);
        CodeNode::Sequence(vec![first, self.add_node(repeated, syntax)])
    }

    /// Reads a change of a variable to an unknown value: `x++`.
    pub(super) fn updated(&mut self, syntax: Syntax<'_>, target: AssignmentTarget) -> CodeNode {
        let value = self.add_node(CodeNode::Computed(Vec::new()), syntax);
        CodeNode::Assign(Rc::new(target), value)
    }

    /// Reads the body of a class.
    pub(super) fn class(&mut self, syntax: Syntax<'_>, read: NodeReader<'t>) -> CodeNode {
        let body = self.field(syntax, "body", read);
        CodeNode::Class(self.tree.add_function(FunctionDefinition { parameters: Vec::new(), body }))
    }

    /// Reads a node of no particular meaning: its parts run in sequence, or are evaluated without one.
    pub(super) fn parts(&mut self, syntax: Syntax<'_>, sequences: &[&str], read: NodeReader<'t>) -> CodeNode {
        let parts = self.read_all(syntax, read);
        if sequences.contains(&syntax.kind()) { CodeNode::Sequence(parts) } else { CodeNode::Computed(parts) }
    }

    pub(super) fn assignment(
        &mut self,
        syntax: Syntax<'_>,
        target: &str,
        value: &str,
        read: NodeReader<'t>,
    ) -> CodeNode {
        let value = self.field(syntax, value, read);
        let target = self.target_field(syntax, target, read);
        CodeNode::Assign(Rc::new(target), value)
    }

    /// Assigns a definition to its name.
    pub(super) fn assign_definition(&mut self, syntax: Syntax<'_>, node: CodeNode) -> CodeNode {
        let value = self.add_node(node, syntax);
        let name = syntax.child_by_field_name("name").map(|name| match name.kind() {
            "identifier" => self.variable(name),
            _ => self.name(name),
        });
        CodeNode::Assign(Rc::new(AssignmentTarget::Name(name.unwrap_or_default())), value)
    }

    pub(super) fn target_field(&mut self, syntax: Syntax<'_>, field: &str, read: NodeReader<'t>) -> AssignmentTarget {
        match syntax.child_by_field_name(field) {
            Some(inner) => self.target(inner, read),
            None => AssignmentTarget::Nothing,
        }
    }

    /// Reads an assignment target.
    pub(super) fn target(&mut self, syntax: Syntax<'_>, read: NodeReader<'t>) -> AssignmentTarget {
        if !self.enter() {
            return AssignmentTarget::Nothing;
        }
        let target = match syntax.kind() {
            "identifier" | "shorthand_property_identifier_pattern" => AssignmentTarget::Name(self.variable(syntax)),
            "pattern_list" | "tuple_pattern" | "list_pattern" | "tuple" | "list" | "array_pattern" | "array" => {
                let inner = children(syntax);
                AssignmentTarget::List(inner.into_iter().map(|it| self.target(it, read)).collect())
            }
            "object_pattern" => {
                let inner = children(syntax);
                AssignmentTarget::Keys(inner.into_iter().map(|it| self.key_target(it, read)).collect())
            }
            "assignment_pattern" | "object_assignment_pattern" => {
                let target = self.target_field(syntax, "left", read);
                AssignmentTarget::Default(Box::new(target), self.field(syntax, "right", read))
            }
            "list_splat_pattern" | "list_splat" | "rest_pattern" => {
                let inner = syntax.named_child(0).map_or(AssignmentTarget::Nothing, |it| self.target(it, read));
                AssignmentTarget::Rest(Box::new(inner))
            }
            "parenthesized_expression" | "lexical_declaration" | "variable_declaration" => {
                syntax.named_child(0).map_or(AssignmentTarget::Nothing, |it| self.target(it, read))
            }
            "variable_declarator" => self.target_field(syntax, "name", read),
            _ => {
                let id = read(self, syntax);
                match self.tree.node(id).clone() {
                    CodeNode::Member(object, name) => AssignmentTarget::Member(object, name),
                    CodeNode::Index(object, key) => AssignmentTarget::Index(object, key),
                    _ => AssignmentTarget::Nothing,
                }
            }
        };
        self.leave();
        target
    }

    /// Returns the assignment target that an expression denotes.
    pub(super) fn assignment_target(&self, id: CodeNodeId) -> AssignmentTarget {
        match self.tree.node(id).clone() {
            CodeNode::Name(name) => AssignmentTarget::Name(name),
            CodeNode::Member(object, name) => AssignmentTarget::Member(object, name),
            CodeNode::Index(object, key) => AssignmentTarget::Index(object, key),
            _ => AssignmentTarget::Nothing,
        }
    }

    fn key_target(&mut self, syntax: Syntax<'_>, read: NodeReader<'t>) -> (Rc<str>, AssignmentTarget) {
        match syntax.kind() {
            "pair_pattern" => {
                let key = syntax.child_by_field_name("key").map(|key| self.name(key)).unwrap_or_default();
                (key, self.target_field(syntax, "value", read))
            }
            _ => {
                let target = self.target(syntax, read);
                let name = match &target {
                    AssignmentTarget::Name(_) => self.name(syntax),
                    AssignmentTarget::Default(inner, _) if matches!(**inner, AssignmentTarget::Name(_)) => {
                        syntax.child_by_field_name("left").map(|left| self.name(left)).unwrap_or_default()
                    }
                    _ => "".into(),
                };
                (name, target)
            }
        }
    }
}

/// Returns the named children of a node.
pub(super) fn children(syntax: Syntax<'_>) -> Vec<Syntax<'_>> {
    let mut cursor = syntax.walk();
    syntax.named_children(&mut cursor).collect()
}
