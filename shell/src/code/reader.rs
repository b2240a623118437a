//! The parts that the readers of all languages share: they turn nodes of tree-sitter's grammars into nodes of the
//! common tree.

use std::rc::Rc;

use tree_sitter::Node as Syntax;

use super::scopes::VariableScopes;
use super::tree::{AssignmentTarget, CodeNode, CodeNodeId, CodeTree, FunctionDefinition};

/// The maximum depth to which nested code is read; deeper code is unknown.
pub(super) const LEVELS: usize = 48;

/// Builds a `CodeTree` from the syntax nodes of one text.
pub(super) struct TreeReader<'t> {
    pub tree: &'t mut CodeTree,
    /// The variable scopes at the reader's position.
    pub scopes: VariableScopes,
    /// The number of nodes that are being read, each within the other.
    depth: usize,
}

/// A function that reads any statement or expression of one language, such as `TreeReader::read_python`.
pub(super) type NodeReader<'t> = fn(&mut TreeReader<'t>, Syntax<'_>) -> CodeNodeId;

/// A function that reads the nodes of one family of a language, such as calls. It returns `None` for any other node.
pub(super) type ReadFamily<'t> = fn(&mut TreeReader<'t>, Syntax<'_>) -> Option<CodeNode>;

impl<'t> TreeReader<'t> {
    pub(super) fn new(tree: &'t mut CodeTree) -> Self {
        Self { tree, scopes: VariableScopes::default(), depth: 0 }
    }

    /// Reads a statement or an expression with `convert`. Past the maximum depth, it becomes `CodeNode::TooDeep`.
    ///
    /// A node whose kind is one of `wrappers` and that has one child, such as `(x)`, is replaced by that child, which
    /// `read` reads.
    pub(super) fn read_node(
        &mut self,
        syntax: Syntax<'_>,
        wrappers: &[&str],
        read: NodeReader<'t>,
        convert: fn(&mut Self, Syntax<'_>) -> CodeNode,
    ) -> CodeNodeId {
        if !self.enter() {
            return self.add_node(CodeNode::TooDeep, syntax);
        }
        if wrappers.contains(&syntax.kind()) && syntax.named_child_count() == 1 {
            let id = self.read_only_child(syntax, read);
            self.leave();
            return id;
        }
        let node = convert(self, syntax);
        self.leave();
        self.add_node(node, syntax)
    }

    /// Reads a node with the first of the `families` that accepts it; `None` if none does.
    ///
    /// A node whose kind is one of `without_value` becomes `CodeNode::Nothing`.
    pub(super) fn read_by_family(
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

    /// Reads the pairs of a dictionary literal. A child of the kind `spread`, such as `**other`, is a pair without a
    /// key.
    pub(super) fn read_dictionary(&mut self, syntax: Syntax<'_>, spread: &str, read: NodeReader<'t>) -> CodeNode {
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

    /// Enters a nested node; returns false if it is too deep. After true, the caller has to call `leave`.
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

    /// Returns the unique name of a variable that a block declares, or the name in the source for any other variable.
    pub(super) fn variable(&self, syntax: Syntax<'_>) -> Rc<str> {
        self.scopes.declared_name(self.text(syntax))
    }

    /// Reads an integer: decimal, or with the prefix `0x`, `0o`, `0b` or `0`. A fraction or a number that is too
    /// large is an unknown value.
    pub(super) fn number(&self, syntax: Syntax<'_>) -> CodeNode {
        let text = self.text(syntax).replace('_', "").to_ascii_lowercase();
        let number = match text.split_at_checked(2) {
            Some(("0x", digits)) => i64::from_str_radix(digits, 16),
            Some(("0o", digits)) => i64::from_str_radix(digits, 8),
            Some(("0b", digits)) => i64::from_str_radix(digits, 2),
            // In every language that has numbers with a leading zero they are octal, except for JavaScript's `08`.
            Some((_, _)) if text.starts_with('0') => i64::from_str_radix(&text, 8),
            _ => text.parse(),
        };
        number.map_or_else(|_| CodeNode::Computed(Vec::new()), CodeNode::Number)
    }

    /// Reads all named children of a node, except for comments.
    pub(super) fn read_all(&mut self, syntax: Syntax<'_>, read: NodeReader<'t>) -> Vec<CodeNodeId> {
        let mut cursor = syntax.walk();
        syntax.named_children(&mut cursor).filter(|it| it.kind() != "comment").map(|it| read(self, it)).collect()
    }

    /// Reads all children of a node. Those whose kind is one of `definitions` come first in the result, because they
    /// take effect before anything runs.
    pub(super) fn read_hoisted(
        &mut self,
        syntax: Syntax<'_>,
        definitions: &[&str],
        read: NodeReader<'t>,
    ) -> Vec<CodeNodeId> {
        let mut cursor = syntax.walk();
        let (mut hoisted, mut rest) = (Vec::new(), Vec::new());
        for child in syntax.named_children(&mut cursor).filter(|it| it.kind() != "comment") {
            let id = read(self, child);
            let is_definition = definitions.contains(&child.kind());
            if is_definition { hoisted.push(id) } else { rest.push(id) }
        }
        hoisted.extend(rest);
        hoisted
    }

    /// Reads the children of the node in a field; empty if the field is missing.
    pub(super) fn read_field(&mut self, syntax: Syntax<'_>, field: &str, read: NodeReader<'t>) -> Vec<CodeNodeId> {
        syntax.child_by_field_name(field).map(|it| self.read_all(it, read)).unwrap_or_default()
    }

    /// Reads the only child of a node. Several children become a sequence, and a node without children is `Nothing`.
    pub(super) fn read_only_child(&mut self, syntax: Syntax<'_>, read: NodeReader<'t>) -> CodeNodeId {
        let mut nodes = self.read_all(syntax, read);
        match (nodes.pop(), nodes.is_empty()) {
            (Some(only), true) => only,
            (Some(last), false) => {
                nodes.push(last);
                self.add_node(CodeNode::Sequence(nodes), syntax)
            }
            (None, _) => self.add_node(CodeNode::Nothing, syntax),
        }
    }

    /// Reads the node in a field; `Nothing` if the field is missing.
    pub(super) fn field(&mut self, syntax: Syntax<'_>, field: &str, read: NodeReader<'t>) -> CodeNodeId {
        match syntax.child_by_field_name(field) {
            Some(inner) => read(self, inner),
            None => self.add_node(CodeNode::Nothing, syntax),
        }
    }

    /// Reads `object.name`, given the grammar's fields for the object and the name.
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

    /// Reads `object[key]`, given the grammar's fields for the object and the key.
    pub(super) fn index(&mut self, syntax: Syntax<'_>, object: &str, key: &str, read: NodeReader<'t>) -> CodeNode {
        let object = self.field(syntax, object, read);
        let key = self.field(syntax, key, read);
        CodeNode::Index(object, key)
    }

    /// Reads a binary operation from the fields `left`, `operator` and `right`.
    pub(super) fn read_binary(&mut self, syntax: Syntax<'_>, read: NodeReader<'t>) -> CodeNode {
        let operator = syntax.child_by_field_name("operator").map(|it| self.text(it).to_owned()).unwrap_or_default();
        let left = self.field(syntax, "left", read);
        let right = self.field(syntax, "right", read);
        self.operation(&operator, left, right)
    }

    /// Returns the node for a binary operator; `CodeNode::Computed` for an operator that has no node of its own.
    pub(super) fn operation(&self, operator: &str, left: CodeNodeId, right: CodeNodeId) -> CodeNode {
        match operator {
            "+" => CodeNode::Add(left, right),
            "/" => CodeNode::Divide(left, right),
            "%" => CodeNode::Remainder(left, right),
            "||" | "&&" | "??" => CodeNode::AnyOf(vec![left, right]),
            _ => CodeNode::Computed(vec![left, right]),
        }
    }

    /// Reads `condition ? one : other`, given the grammar's fields for the three.
    pub(super) fn read_choice(&mut self, syntax: Syntax<'_>, fields: [&str; 3], read: NodeReader<'t>) -> CodeNode {
        let [condition, one, other] = fields.map(|field| self.field(syntax, field, read));
        let either = self.add_node(CodeNode::AnyOf(vec![one, other]), syntax);
        CodeNode::Sequence(vec![condition, either])
    }

    /// Reads a loop from its fields, which are evaluated repeatedly in the given order.
    pub(super) fn read_loop(&mut self, syntax: Syntax<'_>, fields: &[&str], read: NodeReader<'t>) -> CodeNode {
        let parts = fields.iter().map(|field| self.field(syntax, field, read)).collect();
        CodeNode::Repeat(self.add_node(CodeNode::Sequence(parts), syntax))
    }

    /// Reads `for (first; …; …) …`: the first part runs once, the rest is repeated.
    pub(super) fn read_counting_loop(
        &mut self,
        syntax: Syntax<'_>,
        first: &str,
        rest: [&str; 3],
        read: NodeReader<'t>,
    ) -> CodeNode {
        let first = self.field(syntax, first, read);
        let repeated = self.read_loop(syntax, &rest, read);
        CodeNode::Sequence(vec![first, self.add_node(repeated, syntax)])
    }

    /// Returns an assignment of an unknown value to a variable, for `x++`.
    pub(super) fn read_update(&mut self, syntax: Syntax<'_>, target: AssignmentTarget) -> CodeNode {
        let value = self.add_node(CodeNode::Computed(Vec::new()), syntax);
        CodeNode::Assign(Rc::new(target), value)
    }

    /// Reads a class, whose members are in the field `body`.
    pub(super) fn read_class(&mut self, syntax: Syntax<'_>, read: NodeReader<'t>) -> CodeNode {
        let body = self.field(syntax, "body", read);
        CodeNode::Class(self.tree.add_function(FunctionDefinition { parameters: Vec::new(), body }))
    }

    /// Reads a node of any other kind, of which only the children matter: as a sequence if the kind is one of
    /// `sequences`, and otherwise as parts of an unknown value.
    pub(super) fn read_other(&mut self, syntax: Syntax<'_>, sequences: &[&str], read: NodeReader<'t>) -> CodeNode {
        let parts = self.read_all(syntax, read);
        if sequences.contains(&syntax.kind()) { CodeNode::Sequence(parts) } else { CodeNode::Computed(parts) }
    }

    /// Reads an assignment, given the grammar's fields for the target and the value.
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

    /// Returns an assignment of a definition, such as a function, to the name in the field `name`.
    pub(super) fn assign_definition(&mut self, syntax: Syntax<'_>, node: CodeNode) -> CodeNode {
        let value = self.add_node(node, syntax);
        let name = syntax.child_by_field_name("name").map(|name| match name.kind() {
            "identifier" => self.variable(name),
            _ => self.name(name),
        });
        CodeNode::Assign(Rc::new(AssignmentTarget::Name(name.unwrap_or_default())), value)
    }

    /// Reads the assignment target in a field; `AssignmentTarget::Nothing` if the field is missing.
    pub(super) fn target_field(&mut self, syntax: Syntax<'_>, field: &str, read: NodeReader<'t>) -> AssignmentTarget {
        match syntax.child_by_field_name(field) {
            Some(inner) => self.target(inner, read),
            None => AssignmentTarget::Nothing,
        }
    }

    /// Reads an assignment target of Python or JavaScript: a name, a pattern such as `[a, ...rest]`, a member or an
    /// element. Any other node, and one that is nested too deeply, is `AssignmentTarget::Nothing`.
    pub(super) fn target(&mut self, syntax: Syntax<'_>, read: NodeReader<'t>) -> AssignmentTarget {
        if !self.enter() {
            return AssignmentTarget::Nothing;
        }
        let target = match syntax.kind() {
            "identifier" | "shorthand_property_identifier_pattern" => AssignmentTarget::Name(self.variable(syntax)),
            "array_pattern" => {
                // `[, x]` skips an element.
                let elements = pattern_elements(syntax).into_iter();
                let target =
                    |element: Option<Syntax<'_>>| element.map_or(AssignmentTarget::Nothing, |it| self.target(it, read));
                AssignmentTarget::List(elements.map(target).collect())
            }
            "pattern_list" | "tuple_pattern" | "list_pattern" | "tuple" | "list" | "array" => {
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

    /// Converts a node to an assignment target: a name, a member or an element; `AssignmentTarget::Nothing` for any
    /// other node.
    pub(super) fn assignment_target(&self, id: CodeNodeId) -> AssignmentTarget {
        match self.tree.node(id).clone() {
            CodeNode::Name(name) => AssignmentTarget::Name(name),
            CodeNode::Member(object, name) => AssignmentTarget::Member(object, name),
            CodeNode::Index(object, key) => AssignmentTarget::Index(object, key),
            _ => AssignmentTarget::Nothing,
        }
    }

    /// Reads an entry of an object pattern: `a`, `a: b`, `a = 1`. Returns the name of the member, and the target to
    /// which the member is assigned. The name is empty for a nested pattern and for a rest pattern (`...rest`).
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

/// Returns the elements of an array pattern; `None` for one that is skipped, as the first of `[, x]`.
fn pattern_elements(syntax: Syntax<'_>) -> Vec<Option<Syntax<'_>>> {
    let mut cursor = syntax.walk();
    let mut elements = vec![None];
    for part in syntax.children(&mut cursor) {
        match part.kind() {
            "," => elements.push(None),
            _ if part.is_named() && part.kind() != "comment" => {
                elements.last_mut().into_iter().for_each(|element| *element = Some(part))
            }
            _ => {}
        }
    }
    elements
}
