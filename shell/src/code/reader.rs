//! The parts that the readers of all languages share: nodes, targets, numbers, depth.

use std::rc::Rc;

use tree_sitter::Node as Syntax;

use super::scopes::Scopes;
use super::tree::{Function, Id, Node, Target, Tree};

/// The maximum depth to which a text is read; deeper nodes are unknown.
pub(super) const LEVELS: usize = 48;

/// Builds a tree.
pub(super) struct Reader<'t> {
    pub tree: &'t mut Tree,
    /// The names of the variables at the reader's position.
    pub scopes: Scopes,
    depth: usize,
}

/// A reader of a statement or expression of a language.
pub(super) type Read<'t> = fn(&mut Reader<'t>, Syntax<'_>) -> Id;

/// A reader of the nodes of one family, such as calls: `None` for a node of another.
pub(super) type ReadFamily<'t> = fn(&mut Reader<'t>, Syntax<'_>) -> Option<Node>;

impl<'t> Reader<'t> {
    pub(super) fn new(tree: &'t mut Tree) -> Self {
        Self { tree, scopes: Scopes::default(), depth: 0 }
    }

    /// Reads a node, unless it is too deep. A wrapper around a single node is that node.
    pub(super) fn node(
        &mut self,
        syntax: Syntax<'_>,
        wrappers: &[&str],
        read: Read<'t>,
        node: fn(&mut Self, Syntax<'_>) -> Node,
    ) -> Id {
        if !self.enter() {
            return self.make(Node::Deep, syntax);
        }
        if wrappers.contains(&syntax.kind()) && syntax.named_child_count() == 1 {
            let id = self.only(syntax, read);
            self.leave();
            return id;
        }
        let node = node(self, syntax);
        self.leave();
        self.make(node, syntax)
    }

    /// Reads a node by the first family that has its kind; `None` if none has it.
    pub(super) fn of_families(
        &mut self,
        syntax: Syntax<'_>,
        without_value: &[&str],
        families: &[ReadFamily<'t>],
    ) -> Option<Node> {
        if without_value.contains(&syntax.kind()) {
            return Some(Node::Nothing);
        }
        families.iter().find_map(|read| read(self, syntax))
    }

    /// Reads the pairs of a dictionary, including those that are spread into it.
    pub(super) fn keys(&mut self, syntax: Syntax<'_>, spread: &str, read: Read<'t>) -> Node {
        let mut pairs = Vec::new();
        let mut cursor = syntax.walk();
        for child in syntax.named_children(&mut cursor) {
            if child.kind() == "pair" {
                let key = self.field(child, "key", read);
                pairs.push((Some(key), self.field(child, "value", read)));
            } else if child.kind() == spread {
                pairs.push((None, self.only(child, read)));
            }
        }
        Node::Keys(pairs)
    }

    pub(super) fn enter(&mut self) -> bool {
        let is_entered = self.depth < LEVELS;
        self.depth += usize::from(is_entered);
        is_entered
    }

    pub(super) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    pub(super) fn make(&mut self, node: Node, syntax: Syntax<'_>) -> Id {
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
        self.scopes.declared(self.text(syntax))
    }

    pub(super) fn number(&self, syntax: Syntax<'_>) -> Node {
        let text = self.text(syntax).replace('_', "").to_ascii_lowercase();
        let number = match text.split_at_checked(2) {
            Some(("0x", digits)) => i64::from_str_radix(digits, 16),
            Some(("0o", digits)) => i64::from_str_radix(digits, 8),
            Some(("0b", digits)) => i64::from_str_radix(digits, 2),
            // In every language that has such numbers they are octal, except for JavaScript's `08`.
            Some((_, _)) if text.starts_with('0') => i64::from_str_radix(&text, 8),
            _ => text.parse(),
        };
        number.map_or_else(|_| Node::Plain(Vec::new()), Node::Number)
    }

    /// Reads all children of a node.
    pub(super) fn all(&mut self, syntax: Syntax<'_>, read: Read<'t>) -> Vec<Id> {
        let mut cursor = syntax.walk();
        syntax.named_children(&mut cursor).filter(|it| it.kind() != "comment").map(|it| read(self, it)).collect()
    }

    /// Reads all children of a node, with its definitions first: they take effect before anything runs.
    pub(super) fn hoisted(&mut self, syntax: Syntax<'_>, definitions: &[&str], read: Read<'t>) -> Vec<Id> {
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

    pub(super) fn all_of(&mut self, syntax: Syntax<'_>, field: &str, read: Read<'t>) -> Vec<Id> {
        syntax.child_by_field_name(field).map(|it| self.all(it, read)).unwrap_or_default()
    }

    /// Reads the only child of a node.
    pub(super) fn only(&mut self, syntax: Syntax<'_>, read: Read<'t>) -> Id {
        let mut all = self.all(syntax, read);
        match (all.pop(), all.is_empty()) {
            (Some(only), true) => only,
            (Some(last), false) => {
                all.push(last);
                self.make(Node::Sequence(all), syntax)
            }
            (None, _) => self.make(Node::Nothing, syntax),
        }
    }

    pub(super) fn field(&mut self, syntax: Syntax<'_>, field: &str, read: Read<'t>) -> Id {
        match syntax.child_by_field_name(field) {
            Some(inner) => read(self, inner),
            None => self.make(Node::Nothing, syntax),
        }
    }

    pub(super) fn member(&mut self, syntax: Syntax<'_>, object: &str, name: &str, read: Read<'t>) -> Node {
        let object = self.field(syntax, object, read);
        let name = syntax.child_by_field_name(name).map(|name| self.name(name)).unwrap_or_default();
        Node::Member(object, name)
    }

    pub(super) fn index(&mut self, syntax: Syntax<'_>, object: &str, key: &str, read: Read<'t>) -> Node {
        let object = self.field(syntax, object, read);
        let key = self.field(syntax, key, read);
        Node::Index(object, key)
    }

    pub(super) fn binary(&mut self, syntax: Syntax<'_>, read: Read<'t>) -> Node {
        let operator = syntax.child_by_field_name("operator").map(|it| self.text(it).to_owned()).unwrap_or_default();
        let left = self.field(syntax, "left", read);
        let right = self.field(syntax, "right", read);
        self.operation(&operator, left, right)
    }

    /// Returns the node for a binary operator.
    pub(super) fn operation(&self, operator: &str, left: Id, right: Id) -> Node {
        match operator {
            "+" => Node::Add(left, right),
            "/" => Node::Divide(left, right),
            "%" => Node::Remainder(left, right),
            "||" | "&&" | "??" => Node::Either(vec![left, right]),
            _ => Node::Plain(vec![left, right]),
        }
    }

    /// Reads `condition ? one : other`.
    pub(super) fn choice(&mut self, syntax: Syntax<'_>, fields: [&str; 3], read: Read<'t>) -> Node {
        let [condition, one, other] = fields.map(|field| self.field(syntax, field, read));
        let either = self.make(Node::Either(vec![one, other]), syntax);
        Node::Sequence(vec![condition, either])
    }

    /// Reads a loop whose parts are repeated in this order.
    pub(super) fn repeated(&mut self, syntax: Syntax<'_>, fields: &[&str], read: Read<'t>) -> Node {
        let parts = fields.iter().map(|field| self.field(syntax, field, read)).collect();
        Node::Repeat(self.make(Node::Sequence(parts), syntax))
    }

    /// Reads `for (first; …; …) …`: the first part runs once, the rest is repeated.
    pub(super) fn counted(&mut self, syntax: Syntax<'_>, first: &str, rest: [&str; 3], read: Read<'t>) -> Node {
        let first = self.field(syntax, first, read);
        let repeated = self.repeated(syntax, &rest, read);
        Node::Sequence(vec![first, self.make(repeated, syntax)])
    }

    /// Reads a change of a variable to an unknown value: `x++`.
    pub(super) fn updated(&mut self, syntax: Syntax<'_>, target: Target) -> Node {
        let value = self.make(Node::Plain(Vec::new()), syntax);
        Node::Assign(Rc::new(target), value)
    }

    /// Reads the body of a class.
    pub(super) fn class(&mut self, syntax: Syntax<'_>, read: Read<'t>) -> Node {
        let body = self.field(syntax, "body", read);
        Node::Class(self.tree.add_function(Function { parameters: Vec::new(), body }))
    }

    /// Reads a node of no particular meaning: its parts run in sequence, or are evaluated without one.
    pub(super) fn parts(&mut self, syntax: Syntax<'_>, sequences: &[&str], read: Read<'t>) -> Node {
        let parts = self.all(syntax, read);
        if sequences.contains(&syntax.kind()) { Node::Sequence(parts) } else { Node::Plain(parts) }
    }

    pub(super) fn assignment(&mut self, syntax: Syntax<'_>, target: &str, value: &str, read: Read<'t>) -> Node {
        let value = self.field(syntax, value, read);
        let target = self.target_field(syntax, target, read);
        Node::Assign(Rc::new(target), value)
    }

    /// Assigns a definition to its name.
    pub(super) fn defined(&mut self, syntax: Syntax<'_>, node: Node) -> Node {
        let value = self.make(node, syntax);
        let name = syntax.child_by_field_name("name").map(|name| match name.kind() {
            "identifier" => self.variable(name),
            _ => self.name(name),
        });
        Node::Assign(Rc::new(Target::Name(name.unwrap_or_default())), value)
    }

    pub(super) fn target_field(&mut self, syntax: Syntax<'_>, field: &str, read: Read<'t>) -> Target {
        match syntax.child_by_field_name(field) {
            Some(inner) => self.target(inner, read),
            None => Target::Nothing,
        }
    }

    /// Reads an assignment target.
    pub(super) fn target(&mut self, syntax: Syntax<'_>, read: Read<'t>) -> Target {
        if !self.enter() {
            return Target::Nothing;
        }
        let target = match syntax.kind() {
            "identifier" | "shorthand_property_identifier_pattern" => Target::Name(self.variable(syntax)),
            "pattern_list" | "tuple_pattern" | "list_pattern" | "tuple" | "list" | "array_pattern" | "array" => {
                let inner = children(syntax);
                Target::List(inner.into_iter().map(|it| self.target(it, read)).collect())
            }
            "object_pattern" => {
                let inner = children(syntax);
                Target::Keys(inner.into_iter().map(|it| self.key_target(it, read)).collect())
            }
            "assignment_pattern" | "object_assignment_pattern" => {
                let target = self.target_field(syntax, "left", read);
                Target::Default(Box::new(target), self.field(syntax, "right", read))
            }
            "list_splat_pattern" | "list_splat" | "rest_pattern" => {
                let inner = syntax.named_child(0).map_or(Target::Nothing, |it| self.target(it, read));
                Target::Rest(Box::new(inner))
            }
            "parenthesized_expression" | "lexical_declaration" | "variable_declaration" => {
                syntax.named_child(0).map_or(Target::Nothing, |it| self.target(it, read))
            }
            "variable_declarator" => self.target_field(syntax, "name", read),
            _ => {
                let id = read(self, syntax);
                match self.tree.node(id).clone() {
                    Node::Member(object, name) => Target::Member(object, name),
                    Node::Index(object, key) => Target::Index(object, key),
                    _ => Target::Nothing,
                }
            }
        };
        self.leave();
        target
    }

    /// Returns the assignment target that an expression denotes.
    pub(super) fn target_of(&self, id: Id) -> Target {
        match self.tree.node(id).clone() {
            Node::Name(name) => Target::Name(name),
            Node::Member(object, name) => Target::Member(object, name),
            Node::Index(object, key) => Target::Index(object, key),
            _ => Target::Nothing,
        }
    }

    fn key_target(&mut self, syntax: Syntax<'_>, read: Read<'t>) -> (Rc<str>, Target) {
        match syntax.kind() {
            "pair_pattern" => {
                let key = syntax.child_by_field_name("key").map(|key| self.name(key)).unwrap_or_default();
                (key, self.target_field(syntax, "value", read))
            }
            _ => {
                let target = self.target(syntax, read);
                let name = match &target {
                    Target::Name(_) => self.name(syntax),
                    Target::Default(inner, _) if matches!(**inner, Target::Name(_)) => {
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
