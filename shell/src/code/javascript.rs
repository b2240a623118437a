//! Reads JavaScript: turns nodes of tree-sitter's grammar into nodes of the common tree.

mod blocks;

use std::rc::Rc;

use tree_sitter::Node as Syntax;

use super::literal::{self, UnknownEscape};
use super::reader::{TreeReader, children};
use super::suffix_facts::ConditionFact;
use super::tree::{AssignmentTarget, CallArgument, CodeNode, CodeNodeId, TextPiece};

/// The variables to which a script assigns a URL to make its page load it.
const LOCATIONS: &[&str] = &[
    "location",
    "location.href",
    "window.location",
    "window.location.href",
    "document.location",
    "document.location.href",
    "top.location",
    "self.location",
];

/// Nodes without a value and without an effect.
const WITHOUT_VALUE: &[&str] = &[
    "null",
    "undefined",
    "comment",
    "empty_statement",
    "break_statement",
    "continue_statement",
    "debugger_statement",
    "hash_bang_line",
];

/// Kinds of nodes that are read as their child, if they have exactly one.
const WRAPPERS: &[&str] = &["parenthesized_expression", "await_expression", "expression_statement", "yield_expression"];

/// Kinds of nodes that only group others: their children run in sequence.
const SEQUENCES: &[&str] = &[
    "program",
    "lexical_declaration",
    "variable_declaration",
    "expression_statement",
    "try_statement",
    "finally_clause",
    "else_clause",
    "sequence_expression",
    "labeled_statement",
    "export_statement",
    "class_body",
    "switch_case",
    "switch_default",
    "class_static_block",
];

impl TreeReader<'_> {
    /// Reads a statement or an expression of JavaScript.
    pub(super) fn read_javascript(&mut self, syntax: Syntax<'_>) -> CodeNodeId {
        self.read_node(syntax, WRAPPERS, Self::read_javascript, Self::javascript_node)
    }

    /// Converts a node with the first family that accepts it, or else by its children.
    fn javascript_node(&mut self, syntax: Syntax<'_>) -> CodeNode {
        self.read_by_family(
            syntax,
            WITHOUT_VALUE,
            &[
                Self::javascript_value,
                Self::javascript_expression,
                Self::javascript_definition,
                Self::javascript_statement,
            ],
        )
        .unwrap_or_else(|| self.read_other(syntax, SEQUENCES, Self::read_javascript))
    }

    /// Reads a name or a literal.
    fn javascript_value(&mut self, syntax: Syntax<'_>) -> Option<CodeNode> {
        Some(match syntax.kind() {
            "identifier" | "shorthand_property_identifier" => CodeNode::Name(self.variable(syntax)),
            "this" | "super" | "import" => CodeNode::Name(self.name(syntax)),
            "string" | "template_string" => CodeNode::Text(self.javascript_text(syntax)),
            "number" => self.number(syntax),
            "true" => CodeNode::Number(1),
            "false" => CodeNode::Number(0),
            "array" => CodeNode::List(self.read_all(syntax, Self::read_javascript)),
            "spread_element" => CodeNode::Spread(self.read_only_child(syntax, Self::read_javascript)),
            "object" => self.javascript_keys(syntax),
            "regex" | "statement_identifier" | "property_identifier" | "meta_property" => {
                CodeNode::Computed(Vec::new())
            }
            _ => return None,
        })
    }

    /// Reads an access, a call, an operator or an assignment.
    fn javascript_expression(&mut self, syntax: Syntax<'_>) -> Option<CodeNode> {
        Some(match syntax.kind() {
            "member_expression" => self.member(syntax, "object", "property", Self::read_javascript),
            "subscript_expression" => self.index(syntax, "object", "index", Self::read_javascript),
            "call_expression" => self.javascript_call(syntax, "function"),
            "new_expression" => self.javascript_call(syntax, "constructor"),
            "binary_expression" => self.read_binary(syntax, Self::read_javascript),
            "ternary_expression" => {
                self.read_choice(syntax, ["condition", "consequence", "alternative"], Self::read_javascript)
            }
            "assignment_expression" => self.javascript_assignment(syntax, CodeNode::Assign),
            "augmented_assignment_expression" => self.javascript_assignment(syntax, CodeNode::Append),
            "update_expression" => {
                let target = self.target_field(syntax, "argument", Self::read_javascript);
                self.read_update(syntax, target)
            }
            _ => return None,
        })
    }

    /// Reads a definition of a variable, a function or a class.
    fn javascript_definition(&mut self, syntax: Syntax<'_>) -> Option<CodeNode> {
        let definition = match syntax.kind() {
            "variable_declarator" => return Some(self.assignment(syntax, "name", "value", Self::read_javascript)),
            "field_definition" => return Some(self.assignment(syntax, "property", "value", Self::read_javascript)),
            "arrow_function"
            | "function_expression"
            | "generator_function"
            | "function_declaration"
            | "generator_function_declaration"
            | "method_definition" => self.javascript_function(syntax),
            "class_declaration" | "class" => self.read_class(syntax, Self::read_javascript),
            _ => return None,
        };
        let is_named = syntax.child_by_field_name("name").is_some();
        Some(if is_named { self.assign_definition(syntax, definition) } else { definition })
    }

    /// Reads a control structure, an import, a block or a `return`.
    fn javascript_statement(&mut self, syntax: Syntax<'_>) -> Option<CodeNode> {
        Some(match syntax.kind() {
            "return_statement" => CodeNode::Return(self.read_only_child(syntax, Self::read_javascript)),
            "import_statement" => self.javascript_import(syntax),
            "if_statement" | "switch_statement" => self.javascript_branches(syntax),
            "for_in_statement" => self.javascript_loop(syntax, Self::javascript_each),
            "for_statement" => self.javascript_loop(syntax, |reader, syntax| {
                reader.read_counting_loop(
                    syntax,
                    "initializer",
                    ["condition", "body", "increment"],
                    Self::read_javascript,
                )
            }),
            "while_statement" | "do_statement" => {
                let parts = self.read_all(syntax, Self::read_javascript);
                CodeNode::Repeat(self.add_node(CodeNode::Sequence(parts), syntax))
            }
            "catch_clause" => CodeNode::Branches(vec![self.field(syntax, "body", Self::read_javascript)]),
            "statement_block" | "switch_body" => self.javascript_block(syntax),
            _ => return None,
        })
    }

    /// Reads an assignment. `node` creates the node from the target and the value. An assignment to a page's location
    /// becomes a call of `fetch`.
    fn javascript_assignment(
        &mut self,
        syntax: Syntax<'_>,
        node: fn(Rc<AssignmentTarget>, CodeNodeId) -> CodeNode,
    ) -> CodeNode {
        let value = self.field(syntax, "right", Self::read_javascript);
        if syntax.child_by_field_name("left").is_some_and(|left| LOCATIONS.contains(&self.text(left))) {
            let callee = self.add_node(CodeNode::Name("fetch".into()), syntax);
            return CodeNode::Call { callee, arguments: vec![CallArgument::Positional(value)] };
        }
        node(Rc::new(self.target_field(syntax, "left", Self::read_javascript)), value)
    }

    /// Reads `for (x of list)`. In `for (x in object)`, the keys are unknown.
    fn javascript_each(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let over = self.field(syntax, "right", Self::read_javascript);
        let is_over_keys = syntax.child_by_field_name("operator").is_some_and(|it| self.text(it) == "in");
        let over = if is_over_keys { self.add_node(CodeNode::Computed(vec![over]), syntax) } else { over };
        let target = Rc::new(self.target_field(syntax, "left", Self::read_javascript));
        let body = self.field(syntax, "body", Self::read_javascript);
        CodeNode::ForEach { target, over, body }
    }

    /// Reads a call or `new`, given the grammar's field for the callee. In `` f`text` ``, the text is the argument.
    fn javascript_call(&mut self, syntax: Syntax<'_>, callee: &str) -> CodeNode {
        let callee = self.field(syntax, callee, Self::read_javascript);
        let mut arguments = Vec::new();
        match syntax.child_by_field_name("arguments") {
            Some(list) if list.kind() == "template_string" => {
                arguments.push(CallArgument::Positional(self.read_javascript(list)))
            }
            Some(list) => {
                let mut cursor = list.walk();
                for argument in list.named_children(&mut cursor).filter(|it| it.kind() != "comment") {
                    arguments.push(match argument.kind() {
                        "spread_element" => CallArgument::Spread(self.read_only_child(argument, Self::read_javascript)),
                        _ => CallArgument::Positional(self.read_javascript(argument)),
                    });
                }
            }
            None => {}
        }
        CodeNode::Call { callee, arguments }
    }

    /// Returns the pieces of a text literal or a template. A `${…}` becomes a value.
    fn javascript_text(&mut self, syntax: Syntax<'_>) -> Vec<TextPiece> {
        let mut pieces = Vec::new();
        let range = syntax.byte_range();
        let (mut start, end) = (range.start + 1, range.end.saturating_sub(1));
        let mut cursor = syntax.walk();
        for child in syntax.named_children(&mut cursor).filter(|it| it.kind() == "template_substitution") {
            let text = self.tree.text.get(start..child.start_byte()).unwrap_or_default().to_owned();
            literal::push_decoded(&text, UnknownEscape::Dropped, &mut pieces);
            pieces.push(TextPiece::Value(self.read_only_child(child, Self::read_javascript)));
            start = child.end_byte();
        }
        let text = self.tree.text.get(start..end).unwrap_or_default().to_owned();
        literal::push_decoded(&text, UnknownEscape::Dropped, &mut pieces);
        pieces
    }

    /// Reads an object literal, including shorthand properties, methods and spread objects.
    fn javascript_keys(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let mut pairs = Vec::new();
        let mut cursor = syntax.walk();
        for child in syntax.named_children(&mut cursor) {
            match child.kind() {
                "pair" => {
                    let key = child.child_by_field_name("key").map(|key| match key.kind() {
                        "property_identifier" => {
                            let name = self.text(key).to_owned();
                            self.add_node(CodeNode::Text(vec![TextPiece::Text(name)]), key)
                        }
                        "computed_property_name" => self.read_only_child(key, Self::read_javascript),
                        _ => self.read_javascript(key),
                    });
                    let value = self.field(child, "value", Self::read_javascript);
                    pairs.push((key, value));
                }
                "shorthand_property_identifier" => {
                    let name = self.text(child).to_owned();
                    let key = self.add_node(CodeNode::Text(vec![TextPiece::Text(name)]), child);
                    pairs.push((Some(key), self.read_javascript(child)));
                }
                "method_definition" => {
                    let name = child.child_by_field_name("name").map(|it| self.text(it).to_owned());
                    let key = self.add_node(CodeNode::Text(vec![TextPiece::Text(name.unwrap_or_default())]), child);
                    let function = self.javascript_function(child);
                    pairs.push((Some(key), self.add_node(function, child)));
                }
                "spread_element" => pairs.push((None, self.read_only_child(child, Self::read_javascript))),
                _ => {}
            }
        }
        CodeNode::Dictionary(pairs)
    }

    /// Reads an import as assignments of library items to names. A module from a `data:` URL or a file is also
    /// loaded.
    fn javascript_import(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let module = syntax.child_by_field_name("source").map(|it| self.text(it).trim_matches(['"', '\'']).to_owned());
        let module = module.unwrap_or_default();
        let mut parts = Vec::new();
        // The URL contains the code itself, or the file may be one that the program wrote.
        if module.starts_with("data:") || module.starts_with(['.', '/']) {
            let callee = self.add_node(CodeNode::Library("import".into()), syntax);
            let name = self.add_node(CodeNode::Text(vec![TextPiece::Text(module.clone())]), syntax);
            parts.push(
                self.add_node(CodeNode::Call { callee, arguments: vec![CallArgument::Positional(name)] }, syntax),
            );
        }
        let module = library(&module);
        let mut pending = children(syntax);
        while let Some(child) = pending.pop() {
            let (name, bound) = match child.kind() {
                "import_clause" | "named_imports" => {
                    let mut cursor = child.walk();
                    pending.extend(child.named_children(&mut cursor));
                    continue;
                }
                "identifier" => (module.clone(), Some(child)),
                "namespace_import" => (module.clone(), child.named_child(0)),
                "import_specifier" => {
                    let name = child.child_by_field_name("name");
                    let path = name.map(|it| self.text(it).to_owned()).unwrap_or_default();
                    let path = if path == "default" { module.clone() } else { format!("{module}.{path}") };
                    (path, child.child_by_field_name("alias").or(name))
                }
                _ => continue,
            };
            let Some(bound) = bound.map(|it| self.variable(it)) else { continue };
            let value = self.add_node(CodeNode::Library(name.into()), child);
            parts.push(self.add_node(CodeNode::Assign(Rc::new(AssignmentTarget::Name(bound)), value), child));
        }
        CodeNode::Sequence(parts)
    }

    /// Reads `if` or `switch`. The fact that the condition of an `if` implies about a name holds in the body; the fact
    /// that its negation implies holds after a body that jumps away.
    fn javascript_branches(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let condition = syntax.child_by_field_name("condition").or_else(|| syntax.child_by_field_name("value"));
        let mut parts: Vec<CodeNodeId> = condition.map(|it| self.read_javascript(it)).into_iter().collect();
        let mut fact =
            condition.zip(parts.first()).and_then(|(it, condition)| self.javascript_condition_fact(it, *condition));
        // After `if (!f.endsWith(".ts")) continue;`, the suffix of `f` is known.
        let mut fact_after = None;
        let mut bodies = Vec::new();
        for field in ["consequence", "alternative"] {
            let Some(inner) = syntax.child_by_field_name(field) else { continue };
            let body = self.read_javascript(inner);
            bodies.push(match fact.take() {
                Some(ConditionFact::Met(fact)) => self.with_fact(fact, Some(body), inner),
                Some(ConditionFact::Unmet(fact)) if self.is_leaving(inner) => {
                    fact_after = Some(fact);
                    body
                }
                _ => body,
            });
        }
        let fact_after = fact_after.filter(|_| bodies.len() == 1);
        if let Some(body) = syntax.child_by_field_name("body") {
            bodies.extend(self.read_all(body, Self::read_javascript));
        }
        parts.push(self.add_node(CodeNode::Branches(bodies), syntax));
        parts.extend(fact_after.map(|fact| self.with_fact(fact, None, syntax)));
        CodeNode::Sequence(parts)
    }
}

/// Returns the name of a module as the tables use it: `node:fs/promises` is `fs.promises`.
pub(super) fn library(name: &str) -> String {
    let name = name.strip_prefix("node:").unwrap_or(name);
    name.replace('/', ".")
}
