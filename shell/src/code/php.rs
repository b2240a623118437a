//! Reads PHP: turns nodes of tree-sitter's grammar into nodes of the common tree.
//!
//! A variable has the name `=$name`, and within a function the unique name `=NUMBER $name`. The names of functions
//! and classes are in lower case, because PHP ignores their case.

mod calls;
mod functions;

use std::rc::Rc;

use tree_sitter::Node as Syntax;

use super::literal::{self, UnknownEscape};
use super::reader::{TreeReader, children};
use super::ruby::texts::remove_margin;
use super::scopes::VariableScopes;
use super::tree::{AssignmentTarget, CallArgument, CodeNode, CodeNodeId, TextPiece};

/// Functions that set a variable among their arguments, which they take by reference.
const SETTERS: &[&str] = &[
    "preg_match",
    "preg_match_all",
    "exec",
    "system",
    "passthru",
    "parse_str",
    "sscanf",
    "settype",
    "str_replace",
    "str_ireplace",
    "similar_text",
    "proc_open",
    "fsockopen",
    "array_multisort",
    "openssl_sign",
    "getopt",
];

/// Variables that exist in every function.
const GLOBAL: &[&str] = &["$_ENV", "$_SERVER", "$_GET", "$_POST", "$_REQUEST", "$_COOKIE", "$_FILES", "$GLOBALS"];

/// Kinds of definitions that take effect before anything runs.
const DEFINITIONS: &[&str] = &["function_definition", "class_declaration", "trait_declaration"];

/// Kinds of nodes without a value and without an effect.
const WITHOUT_VALUE: &[&str] = &[
    "null",
    "comment",
    "text",
    "php_tag",
    "php_end_tag",
    "text_interpolation",
    "break_statement",
    "continue_statement",
    "empty_statement",
    "variadic_placeholder",
    "use_declaration",
    "declare_statement",
];

/// Kinds of nodes that only group others: their children run in sequence.
const SEQUENCES: &[&str] = &[
    "program",
    "compound_statement",
    "colon_block",
    "expression_statement",
    "parenthesized_expression",
    "sequence_expression",
    "else_clause",
    "finally_clause",
    "try_statement",
    "declaration_list",
    "property_declaration",
    "const_declaration",
    "case_statement",
    "default_statement",
    "namespace_definition",
    "error_suppression_expression",
    "argument",
    "function_static_declaration",
    "else_if_clause",
];

impl TreeReader<'_> {
    /// Reads a statement or an expression of PHP.
    pub(super) fn read_php(&mut self, syntax: Syntax<'_>) -> CodeNodeId {
        self.read_node(syntax, SEQUENCES, Self::read_php, Self::php_node)
    }

    /// Converts a node with the first family that accepts it, or else by its children.
    fn php_node(&mut self, syntax: Syntax<'_>) -> CodeNode {
        self.read_by_family(
            syntax,
            WITHOUT_VALUE,
            &[
                Self::php_value,
                Self::php_call_expression,
                Self::php_operation,
                Self::php_definition,
                Self::php_statement,
            ],
        )
        .unwrap_or_else(|| self.read_other(syntax, SEQUENCES, Self::read_php))
    }

    /// Reads a name, a literal, or an access to a member or an element.
    fn php_value(&mut self, syntax: Syntax<'_>) -> Option<CodeNode> {
        Some(match syntax.kind() {
            "variable_name" => CodeNode::Name(self.php_variable(syntax)),
            "dynamic_variable_name" => self.php_dynamic_variable(syntax),
            "name" | "qualified_name" | "relative_name" | "namespace_name" => {
                CodeNode::Name(self.php_last_name(syntax).into())
            }
            "relative_scope" => CodeNode::Name("this".into()),
            "string" | "encapsed_string" | "heredoc" | "nowdoc" => CodeNode::Text(self.php_text(syntax)),
            "integer" => self.number(syntax),
            "boolean" => CodeNode::Number(i64::from(self.text(syntax).eq_ignore_ascii_case("true"))),
            "member_access_expression" | "nullsafe_member_access_expression" => {
                let object = self.field(syntax, "object", Self::read_php);
                self.php_member(object, syntax)
            }
            "scoped_property_access_expression" => {
                let object = self.php_scope(syntax);
                self.php_member(object, syntax)
            }
            "class_constant_access_expression" => {
                let class = syntax.named_child(0).map(|it| self.php_class_name(it));
                let name = syntax.named_child(1).map(|it| self.name(it)).unwrap_or_default();
                class.map_or(CodeNode::Computed(Vec::new()), |class| CodeNode::Member(class, name))
            }
            "subscript_expression" => self.php_index(syntax),
            "array_creation_expression" => self.php_array(syntax),
            _ => return None,
        })
    }

    /// Reads a call: of a function or a method, of a command in backticks, `new`, `include`.
    fn php_call_expression(&mut self, syntax: Syntax<'_>) -> Option<CodeNode> {
        Some(match syntax.kind() {
            "shell_command_expression" => {
                let text = CodeNode::Text(self.php_text(syntax));
                let text = self.add_node(text, syntax);
                self.php_library_call("shell_exec", text, syntax)
            }
            "function_call_expression" => self.php_call(syntax),
            "member_call_expression" | "nullsafe_member_call_expression" => {
                let object = self.field(syntax, "object", Self::read_php);
                self.php_method_call(object, syntax)
            }
            "scoped_call_expression" => {
                let object = self.php_scope(syntax);
                self.php_method_call(object, syntax)
            }
            "object_creation_expression" => self.php_creation(syntax),
            "include_expression" | "include_once_expression" | "require_expression" | "require_once_expression" => {
                let file = self.read_only_child(syntax, Self::read_php);
                self.php_library_call("include", file, syntax)
            }
            _ => return None,
        })
    }

    /// Reads an operator, an assignment, or a choice between values.
    fn php_operation(&mut self, syntax: Syntax<'_>) -> Option<CodeNode> {
        Some(match syntax.kind() {
            "assignment_expression" => self.php_assignment(syntax),
            "reference_assignment_expression" => self.php_reference(syntax),
            "augmented_assignment_expression" => self.php_augmented(syntax),
            "binary_expression" => self.php_binary(syntax),
            "cast_expression" => {
                let value = self.field(syntax, "value", Self::read_php);
                let is_text = syntax.child_by_field_name("type").is_some_and(|it| self.text(it) == "string");
                if is_text { CodeNode::Text(vec![TextPiece::Value(value)]) } else { CodeNode::Computed(vec![value]) }
            }
            "conditional_expression" => {
                let condition = self.field(syntax, "condition", Self::read_php);
                let one = syntax.child_by_field_name("body").map_or(condition, |body| self.read_php(body));
                let other = self.field(syntax, "alternative", Self::read_php);
                let either = self.add_node(CodeNode::AnyOf(vec![one, other]), syntax);
                CodeNode::Sequence(vec![condition, either])
            }
            "match_expression" => self.php_cases(syntax, CodeNode::AnyOf),
            "match_conditional_expression" | "match_default_expression" => {
                let value = self.field(syntax, "return_expression", Self::read_php);
                CodeNode::Sequence(vec![value])
            }
            "update_expression" => {
                let target = self.php_target_field(syntax, "argument");
                self.read_update(syntax, target)
            }
            _ => return None,
        })
    }

    /// Reads a definition of a function, a class, a property, a constant or a static variable.
    fn php_definition(&mut self, syntax: Syntax<'_>) -> Option<CodeNode> {
        Some(match syntax.kind() {
            "function_definition" | "method_declaration" => {
                let function = self.php_function(syntax);
                self.php_define(syntax, CodeNode::Function(function))
            }
            "anonymous_function" | "arrow_function" => CodeNode::Function(self.php_function(syntax)),
            "class_declaration" | "trait_declaration" | "interface_declaration" | "enum_declaration" => {
                let class = self.read_class(syntax, Self::read_php);
                self.php_define(syntax, class)
            }
            "property_element" => {
                let name = syntax.child_by_field_name("name").map(|it| self.text(it).trim_start_matches('$').into());
                let value = self.field(syntax, "default_value", Self::read_php);
                CodeNode::Assign(Rc::new(AssignmentTarget::Name(name.unwrap_or_default())), value)
            }
            "const_element" => {
                let name = syntax.named_child(0).map(|it| self.name(it)).unwrap_or_default();
                let value = syntax.named_child(1).map(|it| self.read_php(it));
                value.map_or(CodeNode::Nothing, |value| CodeNode::Assign(Rc::new(AssignmentTarget::Name(name)), value))
            }
            "static_variable_declaration" => {
                let value = self.field(syntax, "value", Self::read_php);
                let other = self.add_node(CodeNode::Computed(vec![value]), syntax);
                let either = self.add_node(CodeNode::AnyOf(vec![value, other]), syntax);
                CodeNode::Assign(Rc::new(self.php_target_field(syntax, "name")), either)
            }
            _ => return None,
        })
    }

    /// Reads a control structure, a `use`, a `return`, or a list of statements.
    fn php_statement(&mut self, syntax: Syntax<'_>) -> Option<CodeNode> {
        Some(match syntax.kind() {
            "namespace_use_declaration" => self.php_use(syntax),
            "if_statement" => self.php_branches(syntax),
            "switch_statement" => self.php_cases(syntax, CodeNode::Branches),
            "while_statement" | "do_statement" => self.read_loop(syntax, &["condition", "body"], Self::read_php),
            "for_statement" => {
                self.read_counting_loop(syntax, "initialize", ["condition", "body", "update"], Self::read_php)
            }
            "foreach_statement" => self.php_each(syntax),
            "catch_clause" => CodeNode::Branches(vec![self.field(syntax, "body", Self::read_php)]),
            "unset_statement" => self.php_unset(syntax),
            "global_declaration" => self.php_global(syntax),
            "return_statement" => CodeNode::Return(self.read_only_child(syntax, Self::read_php)),
            "yield_expression" => {
                let value = self.read_only_child(syntax, Self::read_php);
                CodeNode::Return(self.add_node(CodeNode::List(vec![value]), syntax))
            }
            "program" | "compound_statement" => {
                CodeNode::Sequence(self.read_hoisted(syntax, DEFINITIONS, Self::read_php))
            }
            _ => return None,
        })
    }

    /// Reads a `switch` or `match`: its condition, and then its cases, for which `node` creates one node.
    fn php_cases(&mut self, syntax: Syntax<'_>, node: fn(Vec<CodeNodeId>) -> CodeNode) -> CodeNode {
        let condition = self.field(syntax, "condition", Self::read_php);
        let cases = self.read_field(syntax, "body", Self::read_php);
        CodeNode::Sequence(vec![condition, self.add_node(node(cases), syntax)])
    }

    /// Returns an assignment of a function or a class to its name in lower case.
    fn php_define(&mut self, syntax: Syntax<'_>, node: CodeNode) -> CodeNode {
        let value = self.add_node(node, syntax);
        let name = syntax.child_by_field_name("name").map(|name| self.text(name).to_ascii_lowercase());
        CodeNode::Assign(Rc::new(AssignmentTarget::Name(name.unwrap_or_default().into())), value)
    }

    /// Reads `${name}` within a text, which is the variable `$name`, or `$$name`, whose value is unknown.
    fn php_dynamic_variable(&mut self, syntax: Syntax<'_>) -> CodeNode {
        match syntax.named_child(0) {
            Some(name) if name.kind() == "name" => {
                let name = format!("${}", self.text(name));
                CodeNode::Name(self.scopes.variable(&name))
            }
            _ => CodeNode::Computed(self.read_all(syntax, Self::read_php)),
        }
    }

    /// Reads `unset($x)`: the variables have no value afterwards.
    fn php_unset(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let unset = children(syntax);
        let parts = unset.into_iter().map(|variable| {
            let target = self.php_target(variable);
            let nothing = self.add_node(CodeNode::Nothing, variable);
            self.add_node(CodeNode::Assign(Rc::new(target), nothing), variable)
        });
        CodeNode::Sequence(parts.collect())
    }

    /// Reads `global $x`: in the current function, the name refers to the program's variable from then on.
    fn php_global(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let mut cursor = syntax.walk();
        for name in syntax.named_children(&mut cursor) {
            let text = self.text(name).to_owned();
            self.scopes.alias(&text, VariableScopes::local_name_in(None, &text));
        }
        CodeNode::Nothing
    }

    fn php_target_field(&mut self, syntax: Syntax<'_>, field: &str) -> AssignmentTarget {
        syntax.child_by_field_name(field).map_or(AssignmentTarget::Nothing, |it| self.php_target(it))
    }

    /// Returns the unique name of a variable; `$this` and the variables of `GLOBAL` have the same name everywhere.
    fn php_variable(&self, syntax: Syntax<'_>) -> Rc<str> {
        let name = self.text(syntax);
        match name {
            "$this" => "this".into(),
            name if GLOBAL.contains(&name) => name.into(),
            name => self.scopes.variable(name),
        }
    }

    /// Returns the last part of a qualified name: `C` for `A\B\C`.
    fn php_last_name(&self, syntax: Syntax<'_>) -> String {
        self.text(syntax).rsplit('\\').next().unwrap_or_default().trim().to_owned()
    }

    /// Reads the aliases that `use function unlink as u;` or `use A\B as C;` defines.
    fn php_use(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let mut parts = Vec::new();
        let mut cursor = syntax.walk();
        let clauses: Vec<Syntax<'_>> =
            syntax.named_children(&mut cursor).filter(|it| it.kind() == "namespace_use_clause").collect();
        for clause in clauses {
            let Some(alias) = clause.child_by_field_name("alias") else { continue };
            let Some(original) = clause.named_child(0) else { continue };
            let original = self.php_last_name(original).to_ascii_lowercase();
            let alias = self.php_last_name(alias).to_ascii_lowercase();
            let value = self.add_node(CodeNode::Name(original.into()), clause);
            parts.push(self.add_node(CodeNode::Assign(Rc::new(AssignmentTarget::Name(alias.into())), value), clause));
        }
        CodeNode::Sequence(parts)
    }

    /// Reads the name of a class, in lower case, or an expression whose value is a class.
    fn php_class_name(&mut self, syntax: Syntax<'_>) -> CodeNodeId {
        match syntax.kind() {
            "name" | "qualified_name" | "relative_name" => {
                let name = self.php_last_name(syntax).to_ascii_lowercase();
                self.add_node(CodeNode::Name(name.into()), syntax)
            }
            _ => self.read_php(syntax),
        }
    }

    /// Reads the class before `::`; `Nothing` if there is none.
    fn php_scope(&mut self, syntax: Syntax<'_>) -> CodeNodeId {
        match syntax.child_by_field_name("scope") {
            Some(scope) => self.php_class_name(scope),
            None => self.add_node(CodeNode::Nothing, syntax),
        }
    }

    /// Returns a call of a library function with one argument.
    fn php_library_call(&mut self, name: &str, argument: CodeNodeId, syntax: Syntax<'_>) -> CodeNode {
        let callee = self.add_node(CodeNode::Library(name.into()), syntax);
        CodeNode::Call { callee, arguments: vec![CallArgument::Positional(argument)] }
    }

    /// Returns the pieces of a text literal, a here-document or a nowdoc. An interpolated variable becomes a value.
    fn php_text(&mut self, syntax: Syntax<'_>) -> Vec<TextPiece> {
        let mut pieces = Vec::new();
        let body = syntax.child_by_field_name("value").unwrap_or(syntax);
        let is_raw = matches!(syntax.kind(), "string" | "nowdoc");
        for child in children(body) {
            match child.kind() {
                "string_content" | "nowdoc_string" | "escape_sequence" => {
                    let text = self.text(child).to_owned();
                    match () {
                        // In single quotes, the only escapes are `\\` and `\'`.
                        () if is_raw && child.kind() == "escape_sequence" => {
                            literal::push_raw(text.get(1..).unwrap_or_default(), &mut pieces);
                        }
                        () if is_raw => literal::push_raw(&text, &mut pieces),
                        () if text == "\\$" => literal::push_raw("$", &mut pieces),
                        // Escapes that only other languages have are plain text: `\a`, `\b`.
                        () if matches!(text.as_str(), "\\a" | "\\b") => literal::push_raw(&text, &mut pieces),
                        () => literal::push_decoded(&text, UnknownEscape::Kept, &mut pieces),
                    }
                }
                "php_tag" | "comment" => {}
                // Within a text, a key has no quotes: `"$list[key]"`.
                "subscript_expression" if child.named_child(1).is_some_and(|key| key.kind() == "name") => {
                    let object = child.named_child(0).map(|it| self.read_php(it)).unwrap_or_default();
                    let key = child.named_child(1).map(|it| self.text(it).to_owned()).unwrap_or_default();
                    let key = self.add_node(CodeNode::Text(vec![TextPiece::Text(key)]), child);
                    let index = self.add_node(CodeNode::Index(object, key), child);
                    pieces.push(TextPiece::Value(index));
                }
                _ => pieces.push(TextPiece::Value(self.read_php(child))),
            }
        }
        if let Some(end) = syntax.child_by_field_name("end_tag") {
            // Each line is indented at least as far as the end mark, and that indentation is not part of the text.
            remove_margin(&mut pieces, end.start_position().column);
        }
        pieces
    }

    /// Reads `object->name` or `Class::$name`. A computed name, as in `object->{$x}`, is an element with that key.
    fn php_member(&mut self, object: CodeNodeId, syntax: Syntax<'_>) -> CodeNode {
        match syntax.child_by_field_name("name") {
            Some(name)
                if matches!(name.kind(), "name" | "variable_name") && syntax.kind() != "member_access_expression"
                    || name.kind() == "name" =>
            {
                CodeNode::Member(object, self.text(name).trim_start_matches('$').into())
            }
            Some(name) => {
                let key = self.read_php(name);
                CodeNode::Index(object, key)
            }
            None => CodeNode::Computed(vec![object]),
        }
    }

    /// Reads `$x[key]`. `$x[]` without a key is an unknown value.
    fn php_index(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let object = syntax.named_child(0).map(|it| self.read_php(it));
        let key = syntax.named_child(1).map(|it| self.read_php(it));
        match (object, key) {
            (Some(object), Some(key)) => CodeNode::Index(object, key),
            (Some(object), None) => CodeNode::Computed(vec![object]),
            _ => CodeNode::Nothing,
        }
    }

    /// Reads an array literal: a list, or a dictionary if an element has a key.
    fn php_array(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let elements = children(syntax);
        let has_keys =
            elements.iter().any(|it| it.kind() == "array_element_initializer" && it.named_child_count() == 2);
        if !has_keys {
            let parts =
                elements.into_iter().filter(|it| it.kind() != "comment").map(|element| match element.named_child(0) {
                    Some(spread) if spread.kind() == "variadic_unpacking" => {
                        let list = self.read_only_child(spread, Self::read_php);
                        self.add_node(CodeNode::Spread(list), element)
                    }
                    _ => self.read_only_child(element, Self::read_php),
                });
            return CodeNode::List(parts.collect());
        }
        let mut pairs = Vec::new();
        for (index, element) in elements.into_iter().enumerate() {
            match (element.named_child(0), element.named_child(1)) {
                (Some(key), Some(value)) => {
                    let key = self.read_php(key);
                    pairs.push((Some(key), self.read_php(value)));
                }
                (Some(spread), None) if spread.kind() == "variadic_unpacking" => {
                    pairs.push((None, self.read_only_child(spread, Self::read_php)));
                }
                (Some(value), None) => {
                    let key = i64::try_from(index).unwrap_or(i64::MAX);
                    let key = self.add_node(CodeNode::Number(key), element);
                    pairs.push((Some(key), self.read_php(value)));
                }
                _ => {}
            }
        }
        CodeNode::Dictionary(pairs)
    }

    /// Reads an assignment. `$list[] = value` appends, and `$$name = value` makes all variables unknown, as `extract`
    /// does.
    fn php_assignment(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let value = self.field(syntax, "right", Self::read_php);
        let Some(left) = syntax.child_by_field_name("left") else { return CodeNode::Sequence(vec![value]) };
        match left.kind() {
            // `$list[] = value`
            "subscript_expression" if left.named_child_count() == 1 => {
                let target = left.named_child(0).map_or(AssignmentTarget::Nothing, |it| self.php_target(it));
                let appended = self.add_node(CodeNode::List(vec![value]), syntax);
                CodeNode::Append(Rc::new(target), appended)
            }
            "dynamic_variable_name" => {
                let callee = self.add_node(CodeNode::Library("extract".into()), syntax);
                CodeNode::Call { callee, arguments: vec![CallArgument::Positional(value)] }
            }
            _ => CodeNode::Assign(Rc::new(self.php_target(left)), value),
        }
    }

    /// Reads `$a = &$b`: from here on both names refer to one variable.
    fn php_reference(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let value = self.field(syntax, "right", Self::read_php);
        let Some(left) = syntax.child_by_field_name("left") else { return CodeNode::Nothing };
        let same_variable = match self.tree.node(value) {
            CodeNode::Name(name) => Some(Rc::clone(name)),
            _ => None,
        };
        match (left.kind(), same_variable) {
            ("variable_name", Some(same_variable)) => {
                let name = self.text(left).to_owned();
                self.scopes.alias(&name, same_variable);
                CodeNode::Nothing
            }
            _ => CodeNode::Assign(Rc::new(self.php_target(left)), value),
        }
    }

    /// Reads an assignment by another operator than `=`: `.=`, `??=`, `+=`.
    fn php_augmented(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let before = self.field(syntax, "left", Self::read_php);
        let value = self.field(syntax, "right", Self::read_php);
        let operator = syntax.child_by_field_name("operator").map_or("", |it| self.text(it)).to_owned();
        let node = match operator.as_str() {
            ".=" => CodeNode::Text(vec![TextPiece::Value(before), TextPiece::Value(value)]),
            "??=" => CodeNode::AnyOf(vec![before, value]),
            _ => CodeNode::Computed(vec![before, value]),
        };
        let value = self.add_node(node, syntax);
        let target = self.php_target_field(syntax, "left");
        CodeNode::Assign(Rc::new(target), value)
    }

    /// Reads a binary operation.
    fn php_binary(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let operator = syntax.child_by_field_name("operator").map_or("", |it| self.text(it)).to_ascii_lowercase();
        let left = self.field(syntax, "left", Self::read_php);
        let right = self.field(syntax, "right", Self::read_php);
        match operator.as_str() {
            "." => CodeNode::Text(vec![TextPiece::Value(left), TextPiece::Value(right)]),
            "??" | "||" | "&&" | "or" | "and" => CodeNode::AnyOf(vec![left, right]),
            _ => CodeNode::Computed(vec![left, right]),
        }
    }

    /// Reads `if` with its `elseif` and `else`.
    fn php_branches(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let mut parts = vec![self.field(syntax, "condition", Self::read_php)];
        let mut bodies = vec![self.field(syntax, "body", Self::read_php)];
        let mut cursor = syntax.walk();
        let others: Vec<Syntax<'_>> = syntax.children_by_field_name("alternative", &mut cursor).collect();
        for other in others {
            parts.extend(other.child_by_field_name("condition").map(|it| self.read_php(it)));
            bodies.push(self.field(other, "body", Self::read_php));
        }
        parts.push(self.add_node(CodeNode::Branches(bodies), syntax));
        CodeNode::Sequence(parts)
    }

    /// Reads `foreach`, over the values of an array or over its keys and values.
    fn php_each(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let over = syntax.named_child(0).map(|it| self.read_php(it)).unwrap_or_default();
        let (function, target) = match syntax.named_child(1) {
            Some(pair) if pair.kind() == "pair" => {
                let key = pair.named_child(0).map_or(AssignmentTarget::Nothing, |it| self.php_target(it));
                let value = pair.named_child(1).map_or(AssignmentTarget::Nothing, |it| self.php_target(it));
                ("foreach.items", AssignmentTarget::List(vec![key, value]))
            }
            Some(value) => ("array_values", self.php_target(value)),
            None => ("array_values", AssignmentTarget::Nothing),
        };
        let over = self.php_library_call(function, over, syntax);
        let over = self.add_node(over, syntax);
        let body = self.field(syntax, "body", Self::read_php);
        CodeNode::ForEach { target: Rc::new(target), over, body }
    }
}
