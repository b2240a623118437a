//! Reads Python: turns nodes of tree-sitter's grammar into nodes of the common tree.

use std::rc::Rc;

use tree_sitter::Node as Syntax;

use super::literal::{self, UnknownEscape};
use super::reader::{TreeReader, children};
use super::suffix_facts::ConditionFact;
use super::tree::{AssignmentTarget, CallArgument, CodeNode, CodeNodeId, FunctionDefinition, TextPiece};

/// Kinds of nodes without a value and without an effect.
const WITHOUT_VALUE: &[&str] = &[
    "none",
    "ellipsis",
    "pass_statement",
    "break_statement",
    "continue_statement",
    "comment",
    "type",
    "type_alias_statement",
];

/// Kinds of nodes that are read as their child, if they have exactly one.
const WRAPPERS: &[&str] =
    &["parenthesized_expression", "await", "expression_statement", "as_pattern_target", "interpolation"];

/// Kinds of nodes that only group others: their children run in sequence.
const SEQUENCES: &[&str] = &[
    "module",
    "block",
    "with_statement",
    "with_clause",
    "with_item",
    "else_clause",
    "finally_clause",
    "except_clause",
    "except_group_clause",
    "expression_statement",
];

/// Readers of statements and expressions. A construct without an effect of its own is reduced to its parts, in order.
impl TreeReader<'_> {
    /// Reads a statement or an expression of Python.
    pub(super) fn read_python(&mut self, syntax: Syntax<'_>) -> CodeNodeId {
        if !self.enter() {
            return self.add_node(CodeNode::TooDeep, syntax);
        }
        let id = match syntax.kind() {
            "list_comprehension" | "set_comprehension" | "generator_expression" | "dictionary_comprehension" => {
                self.python_comprehension(syntax)
            }
            kind if WRAPPERS.contains(&kind) && syntax.named_child_count() == 1 => {
                self.read_only_child(syntax, Self::read_python)
            }
            _ => {
                let node = self.python_node(syntax);
                self.add_node(node, syntax)
            }
        };
        self.leave();
        id
    }

    /// Converts a node with the first family that accepts it, or else by its children.
    fn python_node(&mut self, syntax: Syntax<'_>) -> CodeNode {
        self.read_by_family(
            syntax,
            WITHOUT_VALUE,
            &[Self::python_value, Self::python_expression, Self::python_statement, Self::python_definition],
        )
        .unwrap_or_else(|| self.read_other(syntax, SEQUENCES, Self::read_python))
    }

    /// Reads a name or a literal.
    fn python_value(&mut self, syntax: Syntax<'_>) -> Option<CodeNode> {
        Some(match syntax.kind() {
            "identifier" => CodeNode::Name(self.name(syntax)),
            "string" | "concatenated_string" => {
                let mut pieces = Vec::new();
                self.python_text(syntax, &mut pieces);
                CodeNode::Text(pieces)
            }
            "integer" => self.number(syntax),
            "true" => CodeNode::Number(1),
            "false" => CodeNode::Number(0),
            "list" | "tuple" | "set" | "expression_list" | "pattern_list" | "pair" => {
                CodeNode::List(self.read_all(syntax, Self::read_python))
            }
            "list_splat" | "dictionary_splat" => CodeNode::Spread(self.read_only_child(syntax, Self::read_python)),
            "dictionary" => self.read_dictionary(syntax, "dictionary_splat", Self::read_python),
            _ => return None,
        })
    }

    /// Reads an access, a call, an operator or an assignment.
    fn python_expression(&mut self, syntax: Syntax<'_>) -> Option<CodeNode> {
        Some(match syntax.kind() {
            "attribute" => self.member(syntax, "object", "attribute", Self::read_python),
            "subscript" => self.index(syntax, "value", "subscript", Self::read_python),
            "call" => self.python_call(syntax),
            "binary_operator" => self.read_binary(syntax, Self::read_python),
            "boolean_operator" => CodeNode::AnyOf(self.read_all(syntax, Self::read_python)),
            "conditional_expression" => {
                let parts = self.read_all(syntax, Self::read_python);
                match parts.as_slice() {
                    [one, condition, other] => {
                        let either = self.add_node(CodeNode::AnyOf(vec![*one, *other]), syntax);
                        CodeNode::Sequence(vec![*condition, either])
                    }
                    _ => CodeNode::AnyOf(parts),
                }
            }
            "named_expression" => self.assignment(syntax, "name", "value", Self::read_python),
            // The value of `x = yield` is the one that a caller sends to the generator.
            "assignment" if syntax.child_by_field_name("right").is_some_and(|right| right.kind() == "yield") => {
                let target = self.target_field(syntax, "left", Self::read_python);
                let yielded = self.field(syntax, "right", Self::read_python);
                let sent = self.add_node(CodeNode::Computed(vec![yielded]), syntax);
                CodeNode::Assign(Rc::new(target), sent)
            }
            "assignment" if syntax.child_by_field_name("right").is_some() => {
                self.assignment(syntax, "left", "right", Self::read_python)
            }
            "augmented_assignment" => {
                let target = self.target_field(syntax, "left", Self::read_python);
                let value = self.field(syntax, "right", Self::read_python);
                CodeNode::Append(Rc::new(target), value)
            }
            "as_pattern" => self.python_as(syntax),
            _ => return None,
        })
    }

    /// Reads a control structure, a `return` or `yield`, or a declaration of names as global.
    fn python_statement(&mut self, syntax: Syntax<'_>) -> Option<CodeNode> {
        Some(match syntax.kind() {
            "return_statement" => CodeNode::Return(self.read_only_child(syntax, Self::read_python)),
            "yield" => {
                let yields_each = self.text(syntax).starts_with("yield from");
                let value = self.read_only_child(syntax, Self::read_python);
                CodeNode::Return(if yields_each { value } else { self.add_node(CodeNode::List(vec![value]), syntax) })
            }
            "if_statement" | "match_statement" => self.python_branches(syntax),
            "while_statement" => {
                let parts = self.read_all(syntax, Self::read_python);
                CodeNode::Repeat(self.add_node(CodeNode::Sequence(parts), syntax))
            }
            "for_statement" => {
                let target = Rc::new(self.target_field(syntax, "left", Self::read_python));
                let over = self.field(syntax, "right", Self::read_python);
                let body = self.field(syntax, "body", Self::read_python);
                let each = self.add_node(CodeNode::ForEach { target, over, body }, syntax);
                let other = syntax.child_by_field_name("alternative").map(|other| self.read_python(other));
                CodeNode::Sequence([each].into_iter().chain(other).collect())
            }
            "try_statement" => self.python_try(syntax),
            "global_statement" | "nonlocal_statement" => {
                let mut cursor = syntax.walk();
                CodeNode::Global(syntax.named_children(&mut cursor).map(|name| self.name(name)).collect())
            }
            "exec_statement" => {
                let callee = self.add_node(CodeNode::Name("exec".into()), syntax);
                let arguments =
                    self.read_all(syntax, Self::read_python).into_iter().map(CallArgument::Positional).collect();
                CodeNode::Call { callee, arguments }
            }
            _ => return None,
        })
    }

    /// Reads a function, a class or an import.
    fn python_definition(&mut self, syntax: Syntax<'_>) -> Option<CodeNode> {
        Some(match syntax.kind() {
            "lambda" => self.python_function(syntax),
            "function_definition" => {
                let function = self.python_function(syntax);
                self.assign_definition(syntax, function)
            }
            "class_definition" => {
                let mut parts = self.read_field(syntax, "superclasses", Self::read_python);
                let class = self.read_class(syntax, Self::read_python);
                let class = self.assign_definition(syntax, class);
                parts.push(self.add_node(class, syntax));
                CodeNode::Sequence(parts)
            }
            "decorated_definition" => self.python_decorated(syntax),
            "import_statement" | "import_from_statement" | "future_import_statement" => self.python_import(syntax),
            _ => return None,
        })
    }

    /// Reads a call. A call that is spread into a list, as in `[*f(x)]`, becomes a `CodeNode::Spread`.
    fn python_call(&mut self, syntax: Syntax<'_>) -> CodeNode {
        // In `[*f(x)]`, the grammar makes the star a part of the function's name.
        let function = syntax.child_by_field_name("function");
        let is_splat = function.is_some_and(|function| matches!(function.kind(), "list_splat" | "dictionary_splat"));
        if is_splat && let Some(function) = function {
            let callee = self.read_only_child(function, Self::read_python);
            let call = self.python_call_of(syntax, callee);
            return CodeNode::Spread(self.add_node(call, syntax));
        }
        let callee = self.field(syntax, "function", Self::read_python);
        self.python_call_of(syntax, callee)
    }

    /// Returns a call of a callee that was already read, with the arguments of the node.
    fn python_call_of(&mut self, syntax: Syntax<'_>, callee: CodeNodeId) -> CodeNode {
        let mut arguments = Vec::new();
        if let Some(list) = syntax.child_by_field_name("arguments") {
            if list.kind() == "generator_expression" {
                arguments.push(CallArgument::Positional(self.read_python(list)));
            } else {
                let mut cursor = list.walk();
                for argument in list.named_children(&mut cursor) {
                    arguments.push(match argument.kind() {
                        "comment" => continue,
                        "keyword_argument" => {
                            let name = argument.child_by_field_name("name").map(|name| self.name(name));
                            CallArgument::Named(
                                name.unwrap_or_default(),
                                self.field(argument, "value", Self::read_python),
                            )
                        }
                        "list_splat" => CallArgument::Spread(self.read_only_child(argument, Self::read_python)),
                        "dictionary_splat" => {
                            CallArgument::NamedPairs(self.read_only_child(argument, Self::read_python))
                        }
                        _ => CallArgument::Positional(self.read_python(argument)),
                    });
                }
            }
        }
        CodeNode::Call { callee, arguments }
    }

    /// Appends the pieces of a text literal. The fields of an f-string become values: `{x}`.
    fn python_text(&mut self, syntax: Syntax<'_>, pieces: &mut Vec<TextPiece>) {
        let children = children(syntax);
        if syntax.kind() == "concatenated_string" {
            return children.into_iter().filter(|it| it.kind() == "string").for_each(|it| self.python_text(it, pieces));
        }
        let start = children.first().filter(|it| it.kind() == "string_start").map_or("", |it| self.text(*it));
        let is_raw = start.contains(['r', 'R']);
        let is_format = start.contains(['f', 'F', 't', 'T']);
        for child in children {
            match child.kind() {
                "string_content" => {
                    let text = self.text(child).to_owned();
                    let text = if is_format { text.replace("{{", "{").replace("}}", "}") } else { text };
                    if is_raw {
                        literal::push_raw(&text, pieces)
                    } else {
                        literal::push_decoded(&text, UnknownEscape::Kept, pieces)
                    }
                }
                "interpolation" => {
                    let value = self.field(child, "expression", Self::read_python);
                    // With a conversion or a format, the text is not that of the value: `f"{x!r}"`, `f"{x:>8}"`.
                    let is_formatted = child.child_by_field_name("format_specifier").is_some()
                        || child.child_by_field_name("type_conversion").is_some();
                    let value =
                        if is_formatted { self.add_node(CodeNode::Computed(vec![value]), child) } else { value };
                    pieces.push(TextPiece::Value(value));
                }
                _ => {}
            }
        }
    }

    /// Reads a comprehension, `[f(x) for x in y if z]`, as nested loops and conditions around its element.
    fn python_comprehension(&mut self, syntax: Syntax<'_>) -> CodeNodeId {
        let mut id = self.field(syntax, "body", Self::read_python);
        let mut cursor = syntax.walk();
        let clauses: Vec<Syntax<'_>> = syntax.named_children(&mut cursor).skip(1).collect();
        for clause in clauses.into_iter().rev() {
            let node = match clause.kind() {
                "for_in_clause" => {
                    let target = Rc::new(self.target_field(clause, "left", Self::read_python));
                    let over = self.field(clause, "right", Self::read_python);
                    CodeNode::ForEach { target, over, body: id }
                }
                "if_clause" => {
                    let condition = self.read_only_child(clause, Self::read_python);
                    let fact = clause.named_child(0).and_then(|it| self.python_condition_fact(it, condition));
                    let body = match fact {
                        Some(ConditionFact::Met(fact)) => self.with_fact(fact, Some(id), clause),
                        _ => id,
                    };
                    CodeNode::Sequence(vec![condition, body])
                }
                _ => continue,
            };
            id = self.add_node(node, syntax);
        }
        id
    }

    /// Reads a `def` or a `lambda`.
    fn python_function(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let mut parameters = Vec::new();
        if let Some(list) = syntax.child_by_field_name("parameters") {
            let mut cursor = list.walk();
            for parameter in list.named_children(&mut cursor) {
                parameters.push(self.python_parameter(parameter));
            }
        }
        let body = self.field(syntax, "body", Self::read_python);
        let body = match syntax.kind() {
            "lambda" => self.add_node(CodeNode::Return(body), syntax),
            _ => body,
        };
        CodeNode::Function(self.tree.add_function(FunctionDefinition { parameters, body }))
    }

    /// Reads a parameter of a function, with its default value or star.
    fn python_parameter(&mut self, parameter: Syntax<'_>) -> AssignmentTarget {
        let name = |reader: &Self, syntax: Option<Syntax<'_>>| {
            syntax.map_or(AssignmentTarget::Nothing, |name| AssignmentTarget::Name(reader.name(name)))
        };
        match parameter.kind() {
            "identifier" => AssignmentTarget::Name(self.name(parameter)),
            "typed_parameter" => match parameter.named_child(0) {
                Some(inner) if inner.kind() != "type" => self.python_parameter(inner),
                _ => AssignmentTarget::Nothing,
            },
            "default_parameter" | "typed_default_parameter" => {
                let target = name(self, parameter.child_by_field_name("name"));
                AssignmentTarget::Default(Box::new(target), self.field(parameter, "value", Self::read_python))
            }
            "list_splat_pattern" | "dictionary_splat_pattern" => {
                AssignmentTarget::Rest(Box::new(name(self, parameter.named_child(0))))
            }
            _ => AssignmentTarget::Nothing,
        }
    }

    /// Reads a decorated definition, and a call of each decorator with the function: a decorator may call it.
    fn python_decorated(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let mut parts = vec![self.field(syntax, "definition", Self::read_python)];
        let definition = syntax.child_by_field_name("definition");
        let name = definition.and_then(|it| it.child_by_field_name("name")).map(|name| self.name(name));
        let mut cursor = syntax.walk();
        for decorator in syntax.named_children(&mut cursor).filter(|it| it.kind() == "decorator") {
            let callee = self.read_only_child(decorator, Self::read_python);
            let argument = self.add_node(CodeNode::Name(name.clone().unwrap_or_default()), syntax);
            parts.push(
                self.add_node(
                    CodeNode::Call { callee, arguments: vec![CallArgument::Positional(argument)] },
                    decorator,
                ),
            );
        }
        CodeNode::Sequence(parts)
    }

    /// Reads an import as assignments of library items to names: `import a.b` assigns the module to `a`, and
    /// `from a import b as c` assigns the item to `c`.
    fn python_import(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let module = syntax.child_by_field_name("module_name").map(|name| self.text(name).replace(' ', ""));
        let mut parts = Vec::new();
        let mut cursor = syntax.walk();
        for child in syntax.named_children(&mut cursor).skip(usize::from(module.is_some())) {
            // The qualified name of the imported item, and the name to which it is assigned.
            let (path, name_bound) = match child.kind() {
                "aliased_import" => {
                    let path = child.child_by_field_name("name").map(|it| self.text(it).to_owned());
                    (path, child.child_by_field_name("alias").map(|it| self.name(it)))
                }
                "dotted_name" => (Some(self.text(child).to_owned()), None),
                "wildcard_import" => {
                    parts.push(self.add_node(CodeNode::ImportAll(module.clone().unwrap_or_default().into()), child));
                    continue;
                }
                _ => continue,
            };
            let path = path.unwrap_or_default();
            let first = path.split('.').next().unwrap_or_default().to_owned();
            let (library, name_bound) = match (&module, name_bound) {
                (Some(module), name_bound) => {
                    (format!("{module}.{path}"), name_bound.unwrap_or_else(|| path.as_str().into()))
                }
                (None, Some(name_bound)) => (path, name_bound),
                (None, None) => (first.clone(), first.into()),
            };
            let value = self.add_node(CodeNode::Library(library.into()), child);
            parts.push(self.add_node(CodeNode::Assign(Rc::new(AssignmentTarget::Name(name_bound)), value), child));
        }
        CodeNode::Sequence(parts)
    }

    /// Reads `if` or `match`: all conditions are evaluated, and then at most one of the bodies.
    fn python_branches(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let mut conditions = Vec::new();
        let mut bodies = Vec::new();
        // The fact that the condition before a body implies, and the fact that holds after the whole statement: after
        // `if not f.endswith(".py"): continue`, the suffix of `f` is known.
        let mut fact = None;
        let mut fact_after = None;
        let mut pending = children(syntax);
        pending.reverse();
        while let Some(child) = pending.pop() {
            match child.kind() {
                "block" if syntax.kind() == "match_statement" => {
                    let mut cases = children(child);
                    cases.reverse();
                    pending.extend(cases);
                }
                "elif_clause" => {
                    conditions.push(self.field(child, "condition", Self::read_python));
                    bodies.push(self.field(child, "consequence", Self::read_python));
                }
                "case_clause" => {
                    conditions.extend(
                        child.child_by_field_name("guard").map(|guard| self.read_only_child(guard, Self::read_python)),
                    );
                    bodies.push(self.field(child, "consequence", Self::read_python));
                }
                "block" | "else_clause" => {
                    let body = self.read_python(child);
                    bodies.push(match fact.take() {
                        Some(ConditionFact::Met(fact)) => self.with_fact(fact, Some(body), child),
                        Some(ConditionFact::Unmet(fact)) if self.is_leaving(child) => {
                            fact_after = Some(fact);
                            body
                        }
                        _ => body,
                    });
                }
                _ => {
                    let condition = self.read_python(child);
                    fact = self.python_condition_fact(child, condition);
                    conditions.push(condition);
                }
            }
        }
        let fact_after = fact_after.filter(|_| bodies.len() == 1);
        let branches = self.add_node(CodeNode::Branches(bodies), syntax);
        conditions.push(branches);
        conditions.extend(fact_after.map(|fact| self.with_fact(fact, None, syntax)));
        CodeNode::Sequence(conditions)
    }

    /// Reads `try`: its body, its `except` clauses, each of which may run, and its other clauses.
    fn python_try(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let mut parts = Vec::new();
        let mut cursor = syntax.walk();
        for child in syntax.named_children(&mut cursor) {
            let part = self.read_python(child);
            parts.push(match child.kind() {
                "except_clause" | "except_group_clause" => self.add_node(CodeNode::Branches(vec![part]), child),
                _ => part,
            });
        }
        CodeNode::Sequence(parts)
    }

    /// Reads `value as name` in `with`, where `name` is the result of `__enter__`, or in `except`, where it is the
    /// exception.
    fn python_as(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let parts = children(syntax);
        let [value, name, ..] = parts.as_slice() else {
            return CodeNode::Computed(self.read_all(syntax, Self::read_python));
        };
        let target = if name.kind() == "as_pattern_target" { name.named_child(0).unwrap_or(*name) } else { *name };
        let value = self.read_python(*value);
        let target = self.target(target, Self::read_python);
        if syntax.parent().is_none_or(|it| it.kind() != "with_item") {
            // The exception is an unknown value.
            let caught = self.add_node(CodeNode::Computed(vec![value]), syntax);
            return CodeNode::Assign(Rc::new(target), caught);
        }
        let callee = self.add_node(CodeNode::Member(value, "__enter__".into()), syntax);
        let entered = self.add_node(CodeNode::Call { callee, arguments: Vec::new() }, syntax);
        CodeNode::Assign(Rc::new(target), entered)
    }
}
