//! Reads PHP's functions and assignment targets.

use std::rc::Rc;

use tree_sitter::Node as Syntax;

use super::super::reader::{TreeReader, children};
use super::super::tree::{AssignmentTarget, CodeNode, FunctionDefinition, FunctionId};

impl TreeReader<'_> {
    /// Reads a function, a method, a closure or an arrow function.
    pub(super) fn php_function(&mut self, syntax: Syntax<'_>) -> FunctionId {
        let is_arrow = syntax.kind() == "arrow_function";
        let mut parts = Vec::new();
        let captured = self.php_used(syntax);
        // An arrow function has no variables of its own: it shares those around it.
        let outer = (!is_arrow).then(|| self.scopes.open_function());
        for (name, outer_name, is_by_reference) in captured {
            if is_by_reference {
                self.scopes.alias(&name, outer_name);
                continue;
            }
            let value = self.add_node(CodeNode::Name(outer_name), syntax);
            let target = AssignmentTarget::Name(self.scopes.variable(&name));
            parts.push(self.add_node(CodeNode::Assign(Rc::new(target), value), syntax));
        }
        let mut parameters = Vec::new();
        if let Some(list) = syntax.child_by_field_name("parameters") {
            let mut cursor = list.walk();
            let all: Vec<Syntax<'_>> = list.named_children(&mut cursor).filter(|it| it.kind() != "comment").collect();
            for parameter in all {
                let name = parameter.child_by_field_name("name");
                let target = name.map_or(AssignmentTarget::Nothing, |name| self.php_target(name));
                // `function __construct(private $x)` also sets `$this->x`.
                if let ("property_promotion_parameter", Some(name)) = (parameter.kind(), name) {
                    let this = self.add_node(CodeNode::Name("this".into()), parameter);
                    let property = AssignmentTarget::Member(this, self.text(name).trim_start_matches('$').into());
                    let value = self.read_php(name);
                    parts.push(self.add_node(CodeNode::Assign(Rc::new(property), value), parameter));
                }
                parameters.push(match (parameter.kind(), parameter.child_by_field_name("default_value")) {
                    ("variadic_parameter", _) => AssignmentTarget::Rest(Box::new(target)),
                    (_, Some(value)) => AssignmentTarget::Default(Box::new(target), self.read_php(value)),
                    (_, None) => target,
                });
            }
        }
        parts.push(self.field(syntax, "body", Self::read_php));
        let body = self.add_node(CodeNode::Sequence(parts), syntax);
        let body = if is_arrow { self.add_node(CodeNode::Return(body), syntax) } else { body };
        if let Some(outer) = outer {
            self.scopes.close_function(outer);
        }
        self.tree.add_function(FunctionDefinition { parameters, body })
    }

    /// Returns the variables that a closure captures with `use`: for each, its name, its unique name in the surrounding
    /// scope, and whether it is captured by reference.
    fn php_used(&mut self, syntax: Syntax<'_>) -> Vec<(String, Rc<str>, bool)> {
        let mut cursor = syntax.walk();
        let clause = syntax.named_children(&mut cursor).find(|it| it.kind() == "anonymous_function_use_clause");
        let Some(clause) = clause else { return Vec::new() };
        let variables = children(clause);
        let name = |variable: Syntax<'_>| {
            let is_by_reference = variable.kind() == "by_ref";
            let variable = if is_by_reference { variable.named_child(0)? } else { variable };
            let name = self.text(variable).to_owned();
            let outer_name = self.scopes.variable(&name);
            Some((name, outer_name, is_by_reference))
        };
        variables.into_iter().filter_map(name).collect()
    }

    /// Reads an assignment target; `AssignmentTarget::Nothing` if it is nested too deeply or is not one.
    pub(super) fn php_target(&mut self, syntax: Syntax<'_>) -> AssignmentTarget {
        if !self.enter() {
            return AssignmentTarget::Nothing;
        }
        let target = match syntax.kind() {
            "list_literal" | "array_creation_expression" => self.php_list_target(syntax),
            "by_ref" => syntax.named_child(0).map_or(AssignmentTarget::Nothing, |it| self.php_target(it)),
            _ => {
                let id = self.read_php(syntax);
                self.assignment_target(id)
            }
        };
        self.leave();
        target
    }

    /// Reads a pattern: `[$a, , $b]`, `['key' => $a]`.
    fn php_list_target(&mut self, syntax: Syntax<'_>) -> AssignmentTarget {
        let mut targets: Vec<AssignmentTarget> = Vec::new();
        let mut keys: Vec<(Rc<str>, AssignmentTarget)> = Vec::new();
        let mut key: Option<Rc<str>> = None;
        let mut has_arrow = false;
        let mut is_empty = true;
        let mut cursor = syntax.walk();
        let children: Vec<Syntax<'_>> = syntax.children(&mut cursor).collect();
        for child in children {
            match (child.kind(), child.is_named()) {
                ("=>", _) => has_arrow = true,
                (",", _) => {
                    // Nothing is between two commas: the value is skipped.
                    if is_empty {
                        targets.push(AssignmentTarget::Nothing);
                    }
                    is_empty = true;
                }
                ("string" | "encapsed_string" | "integer", true) if !has_arrow => {
                    key = Some(self.text(child).trim_matches(['"', '\'']).into());
                }
                (_, true) => {
                    is_empty = false;
                    let inner =
                        if child.kind() == "array_element_initializer" { child.named_child(0) } else { Some(child) };
                    let target = inner.map_or(AssignmentTarget::Nothing, |it| self.php_target(it));
                    match (has_arrow, key.take()) {
                        (true, Some(key)) => keys.push((key, target)),
                        // The key is not a literal.
                        (true, None) => {}
                        (false, _) => targets.push(target),
                    }
                    has_arrow = false;
                }
                _ => {}
            }
        }
        if keys.is_empty() { AssignmentTarget::List(targets) } else { AssignmentTarget::Keys(keys) }
    }
}
