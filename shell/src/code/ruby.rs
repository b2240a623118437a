//! Reads Ruby: turns nodes of tree-sitter's grammar into nodes of the common tree.
//!
//! A local variable has a name that no method can have: `=name`, and within a method the unique name `=NUMBER name`.
//! So a name is unambiguous at every position: `system = 1; system("ls")` still calls the method.

pub(super) mod texts;

use std::rc::Rc;

use tree_sitter::Node as Syntax;

use super::reader::{TreeReader, children};
use super::suffix_facts::ConditionFact;
use super::tree::{AssignmentTarget, CallArgument, CodeNode, CodeNodeId, FunctionDefinition, TextPiece};
use texts::heredocs;

/// The name of the variable and of the named argument that contain the block of a call.
pub(super) const BLOCK: &str = "&";

/// The first parameter of a block that declares none, also known as `it`.
const FIRST_PARAMETER: &str = "_1";

/// Methods that change the text or list on which they are called.
const CHANGING: &[&str] =
    &["insert", "prepend", "clear", "setbyte", "unshift", "fill", "delete", "delete_at", "slice!"];

/// Kinds of nodes without a value and without an effect.
const WITHOUT_VALUE: &[&str] = &[
    "false",
    "nil",
    "comment",
    "heredoc_body",
    "uninterpreted",
    "empty_statement",
    "break",
    "redo",
    "retry",
    "alias",
    "undef",
];

/// Kinds of nodes that group statements or wrap an expression: their children run in sequence.
const SEQUENCES: &[&str] = &[
    "program",
    "body_statement",
    "block_body",
    "then",
    "else",
    "do",
    "ensure",
    "begin",
    "parenthesized_statements",
    "begin_block",
    "end_block",
    "interpolation",
    "exceptions",
    "argument_list",
];

impl TreeReader<'_> {
    /// Reads a whole program of Ruby, for which it first assigns the bodies of here-documents to their marks.
    pub(super) fn ruby_program(&mut self, root: Syntax<'_>) -> CodeNodeId {
        if self.tree.text.contains("<<") {
            self.scopes.heredocs = heredocs(root, &["heredoc_beginning"], "heredoc_body");
        }
        self.read_ruby(root)
    }

    /// Reads a statement or an expression of Ruby.
    pub(super) fn read_ruby(&mut self, syntax: Syntax<'_>) -> CodeNodeId {
        self.read_node(syntax, SEQUENCES, Self::read_ruby, Self::ruby_node)
    }

    /// Converts a node with the first family that accepts it, or else by its children.
    fn ruby_node(&mut self, syntax: Syntax<'_>) -> CodeNode {
        self.read_by_family(syntax, WITHOUT_VALUE, &[Self::ruby_value, Self::ruby_expression, Self::ruby_statement])
            .unwrap_or_else(|| self.read_other(syntax, SEQUENCES, Self::read_ruby))
    }

    /// Reads a name or a literal.
    fn ruby_value(&mut self, syntax: Syntax<'_>) -> Option<CodeNode> {
        Some(match syntax.kind() {
            "identifier" => CodeNode::Name(self.ruby_local(syntax)),
            "constant" | "global_variable" | "class_variable" => CodeNode::Name(self.name(syntax)),
            "instance_variable" => self.ruby_instance_variable(syntax),
            "self" => CodeNode::Name("this".into()),
            "scope_resolution" => {
                let name = syntax.child_by_field_name("name").map(|name| self.name(name)).unwrap_or_default();
                match syntax.child_by_field_name("scope") {
                    Some(scope) => CodeNode::Member(self.read_ruby(scope), name),
                    None => CodeNode::Name(name),
                }
            }
            "string" | "bare_string" | "simple_symbol" | "bare_symbol" | "delimited_symbol" | "hash_key_symbol"
            | "character" => self.ruby_text(syntax),
            "chained_string" => {
                let parts = self.read_all(syntax, Self::read_ruby);
                CodeNode::Text(parts.into_iter().map(TextPiece::Value).collect())
            }
            "heredoc_beginning" => self.ruby_heredoc(syntax),
            "integer" => self.number(syntax),
            "true" => CodeNode::Number(1),
            "array" | "string_array" | "symbol_array" | "right_assignment_list" => {
                CodeNode::List(self.read_all(syntax, Self::read_ruby))
            }
            "splat_argument" => CodeNode::Spread(self.read_only_child(syntax, Self::read_ruby)),
            "hash" => self.read_dictionary(syntax, "hash_splat_argument", Self::read_ruby),
            "lambda" => CodeNode::Function(self.ruby_block(syntax.child_by_field_name("body"), syntax)),
            "block" | "do_block" => CodeNode::Function(self.ruby_block(Some(syntax), syntax)),
            "block_argument" => self.ruby_block_argument(syntax),
            _ => return None,
        })
    }

    /// Reads a call, an operator or an assignment.
    fn ruby_expression(&mut self, syntax: Syntax<'_>) -> Option<CodeNode> {
        Some(match syntax.kind() {
            "element_reference" => self.ruby_index(syntax),
            "call" => self.ruby_call(syntax),
            "subshell" => {
                let text = self.ruby_text(syntax);
                let text = self.add_node(text, syntax);
                self.library_call("`", vec![CallArgument::Positional(text)], syntax)
            }
            "super" => CodeNode::Computed(Vec::new()),
            "yield" => {
                let arguments = self.ruby_arguments(syntax.named_child(0));
                let callee = self.add_node(CodeNode::Name(BLOCK.into()), syntax);
                CodeNode::Call { callee, arguments }
            }
            "binary" => self.ruby_binary(syntax),
            "rescue_modifier" => CodeNode::AnyOf(self.read_all(syntax, Self::read_ruby)),
            "assignment" if self.is_in_place(syntax) => self.library_call("ruby.in_place", Vec::new(), syntax),
            "assignment" => {
                let value = self.field(syntax, "right", Self::read_ruby);
                CodeNode::Assign(Rc::new(self.ruby_target_field(syntax, "left")), value)
            }
            "operator_assignment" => self.ruby_operator_assignment(syntax),
            _ => return None,
        })
    }

    /// Whether an assignment makes the program change the files of its arguments in place, as the option `-i` does.
    fn is_in_place(&self, syntax: Syntax<'_>) -> bool {
        let target = syntax.child_by_field_name("left").map(|left| self.text(left));
        target.is_some_and(|target| target == "$-i" || target.ends_with(".inplace_mode"))
    }

    /// Reads a branch, a loop, a definition or a jump.
    fn ruby_statement(&mut self, syntax: Syntax<'_>) -> Option<CodeNode> {
        Some(match syntax.kind() {
            "conditional" | "if" | "unless" | "elsif" => self.ruby_branches(syntax, &["consequence", "alternative"]),
            "if_modifier" | "unless_modifier" => self.ruby_branches(syntax, &["body"]),
            "case" | "case_match" => self.ruby_case(syntax),
            "while" | "until" | "while_modifier" | "until_modifier" => {
                self.read_loop(syntax, &["condition", "body"], Self::read_ruby)
            }
            "for" => {
                let over = match syntax.child_by_field_name("value") {
                    Some(over) => self.read_only_child(over, Self::read_ruby),
                    None => self.add_node(CodeNode::Nothing, syntax),
                };
                let target = Rc::new(self.ruby_target_field(syntax, "pattern"));
                CodeNode::ForEach { target, over, body: self.field(syntax, "body", Self::read_ruby) }
            }
            "rescue" => self.ruby_rescue(syntax),
            "method" | "singleton_method" => self.ruby_method(syntax),
            "class" | "module" | "singleton_class" => self.ruby_class(syntax),
            "return" | "next" => CodeNode::Return(match syntax.named_child(0) {
                Some(list) => self.read_only_child(list, Self::read_ruby),
                None => self.add_node(CodeNode::Nothing, syntax),
            }),
            _ => return None,
        })
    }

    /// Reads an assignment by another operator than `=`: `name += value`, `name ||= value`.
    fn ruby_operator_assignment(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let value = self.field(syntax, "right", Self::read_ruby);
        let operator = syntax.child_by_field_name("operator").map_or("", |it| self.text(it)).to_owned();
        let before = self.field(syntax, "left", Self::read_ruby);
        let target = Rc::new(self.ruby_target_field(syntax, "left"));
        let computed = match operator.as_str() {
            "+=" | "<<=" => return CodeNode::Append(target, value),
            "||=" | "&&=" => CodeNode::AnyOf(vec![before, value]),
            _ => CodeNode::Computed(vec![before, value]),
        };
        CodeNode::Assign(target, self.add_node(computed, syntax))
    }

    /// Returns the unique name of a local variable.
    fn ruby_local(&self, syntax: Syntax<'_>) -> Rc<str> {
        let name = self.text(syntax);
        let name = if name == "it" { FIRST_PARAMETER } else { name };
        self.scopes.local_name(name)
    }

    /// Reads an instance variable: a member of the current object, or outside of classes a variable of the program.
    fn ruby_instance_variable(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let name = self.name(syntax);
        if !self.scopes.is_in_class {
            return CodeNode::Name(name);
        }
        let this = self.add_node(CodeNode::Name("this".into()), syntax);
        CodeNode::Member(this, name)
    }

    /// Returns a call of a library function.
    fn library_call(&mut self, name: &str, arguments: Vec<CallArgument>, syntax: Syntax<'_>) -> CodeNode {
        let callee = self.add_node(CodeNode::Library(name.into()), syntax);
        CodeNode::Call { callee, arguments }
    }

    /// Reads `object[key]`: an element of a variable or another value, and for a class a call of its method `[]`, as
    /// in `Dir["*"]`.
    fn ruby_index(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let object = self.field(syntax, "object", Self::read_ruby);
        let mut cursor = syntax.walk();
        let keys: Vec<Syntax<'_>> = syntax.named_children(&mut cursor).skip(1).collect();
        let is_method = syntax.child_by_field_name("object").is_some_and(|it| {
            matches!(it.kind(), "constant" | "scope_resolution") && !matches!(self.text(it), "ENV" | "ARGV")
        });
        match (keys.as_slice(), is_method) {
            ([key], false) if !matches!(key.kind(), "range" | "splat_argument") => {
                let key = self.read_ruby(*key);
                CodeNode::Index(object, key)
            }
            _ => {
                let callee = self.add_node(CodeNode::Member(object, "[]".into()), syntax);
                let arguments = keys.into_iter().map(|key| self.ruby_argument(key)).collect();
                CodeNode::Call { callee, arguments }
            }
        }
    }

    /// Reads a call of a method, with its block as a named argument. A method that changes its receiver, such as `<<`
    /// or `gsub!`, is also an assignment to the variable on which it is called.
    fn ruby_call(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let name = syntax.child_by_field_name("method");
        let name: Rc<str> = name.map_or_else(|| "call".into(), |name| self.name(name));
        let mut arguments = self.ruby_arguments(syntax.child_by_field_name("arguments"));
        if let Some(block) = syntax.child_by_field_name("block") {
            arguments.push(CallArgument::Named(BLOCK.into(), self.read_ruby(block)));
        }
        let Some(receiver) = syntax.child_by_field_name("receiver") else {
            // If the name is a variable, the text that is read as the argument is code, which may do anything.
            if self.ruby_may_be_variable(&name, syntax) {
                return self.library_call("syscall", Vec::new(), syntax);
            }
            // Without a receiver, it is a method of the program or of the library.
            let callee = self.add_node(CodeNode::Name(name), syntax);
            return CodeNode::Call { callee, arguments };
        };
        let object = self.read_ruby(receiver);
        let is_variable = self.ruby_is_variable(receiver);
        // `name.gsub!(…)` is read as `name = name.gsub(…)`.
        let changed_by_method = name.strip_suffix('!').filter(|_| is_variable);
        let method: Rc<str> = changed_by_method.map_or_else(|| Rc::clone(&name), Into::into);
        let callee = self.add_node(CodeNode::Member(object, method), syntax);
        let argument_ids: Vec<CodeNodeId> = arguments.iter().map(CallArgument::id).collect();
        let call = CodeNode::Call { callee, arguments };
        // The variable that has the changed value after the call.
        let target = Rc::new(if is_variable { self.ruby_target(receiver) } else { AssignmentTarget::Nothing });
        match (changed_by_method, &*name) {
            (Some(_), _) => {
                let value = self.add_node(call, syntax);
                CodeNode::Assign(target, value)
            }
            (None, "concat" | "<<") if is_variable && argument_ids.len() == 1 => {
                CodeNode::Append(target, argument_ids.first().copied().unwrap_or_default())
            }
            (None, "replace") if is_variable && argument_ids.len() == 1 => {
                CodeNode::Assign(target, argument_ids.first().copied().unwrap_or_default())
            }
            (None, method) if is_variable && CHANGING.contains(&method) => {
                let call = self.add_node(call, syntax);
                let other = self.add_node(CodeNode::Computed(argument_ids), syntax);
                let either = self.add_node(CodeNode::AnyOf(vec![object, other]), syntax);
                let change = self.add_node(CodeNode::Assign(target, either), syntax);
                CodeNode::Sequence(vec![change, call])
            }
            _ => call,
        }
    }

    /// Whether the name of a call with a text as its argument may also be a variable. If so, Ruby reads an operator
    /// where the grammar reads the beginning of the text: `x /2; …; y /3`.
    fn ruby_may_be_variable(&self, name: &str, syntax: Syntax<'_>) -> bool {
        let list = syntax.child_by_field_name("arguments").filter(|list| !self.text(*list).starts_with('('));
        let Some(first_argument) = list.and_then(|list| list.named_child(0)) else { return false };
        let is_text = matches!(
            first_argument.kind(),
            "regex" | "heredoc_beginning" | "string_array" | "symbol_array" | "subshell"
        ) || self.text(first_argument).starts_with('%')
            || matches!(first_argument.kind(), "call" | "binary")
                && self.text(first_argument).starts_with(['/', '%', '<']);
        is_text && {
            let text = &self.tree.text;
            text.match_indices(name).any(|(start, _)| {
                // Somewhere in the program, the name is assigned to (`x = 1`) or is a parameter (`|x|`).
                let after_name = text.get(start + name.len()..).unwrap_or_default().trim_start();
                after_name.starts_with([',', '|', '='])
                    && !after_name.starts_with("==")
                    && !after_name.starts_with("=~")
            })
        }
    }

    /// Whether a receiver is a variable. A constant in capitals counts as one, since it is not a class.
    fn ruby_is_variable(&self, syntax: Syntax<'_>) -> bool {
        match syntax.kind() {
            "identifier" | "instance_variable" | "global_variable" => true,
            "constant" => !self.text(syntax).contains(char::is_lowercase) && self.text(syntax) != "ENV",
            _ => false,
        }
    }

    /// Reads the arguments of a call.
    fn ruby_arguments(&mut self, list: Option<Syntax<'_>>) -> Vec<CallArgument> {
        let Some(list) = list else { return Vec::new() };
        let mut cursor = list.walk();
        let all: Vec<Syntax<'_>> = list.named_children(&mut cursor).filter(|it| it.kind() != "comment").collect();
        all.into_iter().map(|argument| self.ruby_argument(argument)).collect()
    }

    /// Reads an argument: a positional, named or spread one, or a block.
    fn ruby_argument(&mut self, argument: Syntax<'_>) -> CallArgument {
        match argument.kind() {
            "pair" => {
                let key = argument.child_by_field_name("key");
                let name: Rc<str> = match key {
                    Some(key) if matches!(key.kind(), "hash_key_symbol" | "simple_symbol") => {
                        self.text(key).trim_start_matches(':').into()
                    }
                    // `[:out, :err] => …`
                    Some(key) => self
                        .text(key)
                        .trim_matches(['"', '\'', ':', '[', ']'])
                        .split(',')
                        .next()
                        .unwrap_or_default()
                        .into(),
                    None => "".into(),
                };
                let value = match argument.child_by_field_name("value") {
                    Some(value) => self.read_ruby(value),
                    // `f(name:)` passes the local variable of that name.
                    None => {
                        let local = self.scopes.local_name(&name);
                        self.add_node(CodeNode::Name(local), argument)
                    }
                };
                CallArgument::Named(name, value)
            }
            "splat_argument" => CallArgument::Spread(self.read_only_child(argument, Self::read_ruby)),
            "hash_splat_argument" => CallArgument::NamedPairs(self.read_only_child(argument, Self::read_ruby)),
            "block_argument" => CallArgument::Named(BLOCK.into(), self.read_ruby(argument)),
            _ => CallArgument::Positional(self.read_ruby(argument)),
        }
    }

    /// Reads `&value`, where the value is the block, or `&:name`, a block that calls the method `name` of its
    /// parameter.
    fn ruby_block_argument(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let Some(inner) = syntax.named_child(0) else { return CodeNode::Name(BLOCK.into()) };
        if inner.kind() != "simple_symbol" {
            let value = self.read_ruby(inner);
            return CodeNode::Sequence(vec![value]);
        }
        let name: Rc<str> = self.text(inner).trim_start_matches(':').into();
        let parameter = self.scopes.local_name(FIRST_PARAMETER);
        let object = self.add_node(CodeNode::Name(Rc::clone(&parameter)), syntax);
        let callee = self.add_node(CodeNode::Member(object, name), syntax);
        let call = self.add_node(CodeNode::Call { callee, arguments: Vec::new() }, syntax);
        let body = self.add_node(CodeNode::Return(call), syntax);
        CodeNode::Function(
            self.tree.add_function(FunctionDefinition { parameters: vec![AssignmentTarget::Name(parameter)], body }),
        )
    }

    /// Reads a binary operation. `variable << value` appends.
    fn ruby_binary(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let operator = syntax.child_by_field_name("operator").map_or("", |it| self.text(it)).to_owned();
        let left = self.field(syntax, "left", Self::read_ruby);
        let right = self.field(syntax, "right", Self::read_ruby);
        match operator.as_str() {
            "and" | "or" => CodeNode::AnyOf(vec![left, right]),
            "<<" => match syntax.child_by_field_name("left") {
                Some(variable) if self.ruby_is_variable(variable) => {
                    CodeNode::Append(Rc::new(self.ruby_target(variable)), right)
                }
                _ => {
                    let callee = self.add_node(CodeNode::Member(left, "<<".into()), syntax);
                    CodeNode::Call { callee, arguments: vec![CallArgument::Positional(right)] }
                }
            },
            _ => self.operation(&operator, left, right),
        }
    }

    /// Reads `if` or `unless`, also as a modifier, given the grammar's fields for the bodies. A fact that the condition
    /// implies about a name holds in the body, or after a body that jumps away.
    fn ruby_branches(&mut self, syntax: Syntax<'_>, bodies: &[&str]) -> CodeNode {
        let condition = self.field(syntax, "condition", Self::read_ruby);
        let body_nodes: Vec<Syntax<'_>> = bodies.iter().filter_map(|field| syntax.child_by_field_name(field)).collect();
        let leaves = body_nodes.first().is_some_and(|body| self.is_leaving(*body));
        let mut fact = syntax.child_by_field_name("condition").and_then(|it| self.ruby_condition_fact(it, condition));
        let is_if = !syntax.kind().starts_with("unless");
        // After `next unless f.end_with?(".rb")`, the suffix of `f` is known.
        let mut fact_after = None;
        let mut branches = Vec::new();
        for body in body_nodes {
            let id = self.read_ruby(body);
            branches.push(match (fact.take(), is_if) {
                (Some(ConditionFact::Met(fact)), true) | (Some(ConditionFact::Unmet(fact)), false) => {
                    self.with_fact(fact, Some(id), body)
                }
                (Some(ConditionFact::Unmet(fact)), true) | (Some(ConditionFact::Met(fact)), false) if leaves => {
                    fact_after = Some(fact);
                    id
                }
                _ => id,
            });
        }
        let fact_after = fact_after.filter(|_| branches.len() == 1);
        let mut parts = vec![condition, self.add_node(CodeNode::Branches(branches), syntax)];
        parts.extend(fact_after.map(|fact| self.with_fact(fact, None, syntax)));
        CodeNode::Sequence(parts)
    }

    /// Reads `case`: its value and patterns, and then at most one of the bodies.
    fn ruby_case(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let mut parts = vec![self.field(syntax, "value", Self::read_ruby)];
        let mut bodies = Vec::new();
        for child in children(syntax) {
            match child.kind() {
                "when" | "in_clause" => {
                    if child.kind() == "when" {
                        parts.extend(
                            child.child_by_field_name("pattern").map(|it| self.read_only_child(it, Self::read_ruby)),
                        );
                    }
                    bodies.push(self.field(child, "body", Self::read_ruby));
                }
                "else" => bodies.push(self.read_ruby(child)),
                _ => {}
            }
        }
        parts.push(self.add_node(CodeNode::Branches(bodies), syntax));
        CodeNode::Sequence(parts)
    }

    /// Reads `rescue`. Its body may run, and its variable is then an unknown exception.
    fn ruby_rescue(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let mut parts = Vec::new();
        if let Some(variable) = syntax.child_by_field_name("variable").and_then(|it| it.named_child(0)) {
            let target = self.ruby_target(variable);
            let caught = self.add_node(CodeNode::Computed(Vec::new()), variable);
            parts.push(self.add_node(CodeNode::Assign(Rc::new(target), caught), variable));
        }
        parts.push(self.field(syntax, "body", Self::read_ruby));
        let body = self.add_node(CodeNode::Sequence(parts), syntax);
        CodeNode::Branches(vec![body])
    }

    /// Reads a block or a lambda as a function. Without parameters, it has the implicit parameters `_1` and `_2`.
    fn ruby_block(&mut self, block: Option<Syntax<'_>>, whole: Syntax<'_>) -> super::tree::FunctionId {
        let list = whole.child_by_field_name("parameters").or_else(|| block?.child_by_field_name("parameters"));
        let mut parameters = list.map(|list| self.ruby_parameters(list).0).unwrap_or_default();
        if parameters.is_empty() {
            parameters.extend([FIRST_PARAMETER, "_2"].map(|name| AssignmentTarget::Name(self.scopes.local_name(name))));
        }
        let body = match block {
            Some(block) => self.field(block, "body", Self::read_ruby),
            None => self.add_node(CodeNode::Nothing, whole),
        };
        let body = self.add_node(CodeNode::Return(body), whole);
        self.tree.add_function(FunctionDefinition { parameters, body })
    }

    /// Reads parameters. Also returns the name of the block parameter, if there is one: `&block`.
    fn ruby_parameters(&mut self, list: Syntax<'_>) -> (Vec<AssignmentTarget>, Option<Rc<str>>) {
        let mut parameters = Vec::new();
        let mut block = None;
        for parameter in children(list) {
            let name = parameter.child_by_field_name("name").map(|name| self.ruby_local(name));
            match parameter.kind() {
                "block_parameter" => block = name,
                "optional_parameter" | "keyword_parameter" => {
                    let target = name.map_or(AssignmentTarget::Nothing, AssignmentTarget::Name);
                    parameters.push(match parameter.child_by_field_name("value") {
                        Some(value) => AssignmentTarget::Default(Box::new(target), self.read_ruby(value)),
                        None => target,
                    });
                }
                "splat_parameter" | "hash_splat_parameter" => {
                    parameters.push(AssignmentTarget::Rest(Box::new(
                        name.map_or(AssignmentTarget::Nothing, AssignmentTarget::Name),
                    )));
                }
                _ => parameters.push(self.ruby_target(parameter)),
            }
        }
        (parameters, block)
    }

    /// Reads `def`. A block parameter (`&block`) is a variable that contains the block of the call.
    fn ruby_method(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let outer = self.scopes.open_function();
        let list = syntax.child_by_field_name("parameters");
        let (parameters, block) = list.map(|list| self.ruby_parameters(list)).unwrap_or_default();
        let mut parts = Vec::new();
        if let Some(name) = block {
            let passed = self.add_node(CodeNode::Name(BLOCK.into()), syntax);
            parts.push(self.add_node(CodeNode::Assign(Rc::new(AssignmentTarget::Name(name)), passed), syntax));
        }
        parts.push(self.field(syntax, "body", Self::read_ruby));
        let body = self.add_node(CodeNode::Sequence(parts), syntax);
        let body = self.add_node(CodeNode::Return(body), syntax);
        self.scopes.close_function(outer);
        let function = self.tree.add_function(FunctionDefinition { parameters, body });
        self.assign_definition(syntax, CodeNode::Function(function))
    }

    /// Reads a class or a module.
    fn ruby_class(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let was_in_class = std::mem::replace(&mut self.scopes.is_in_class, true);
        let body = self.field(syntax, "body", Self::read_ruby);
        self.scopes.is_in_class = was_in_class;
        let class = CodeNode::Class(self.tree.add_function(FunctionDefinition { parameters: Vec::new(), body }));
        match syntax.kind() {
            // `class << self` defines methods of the class around it.
            "singleton_class" => CodeNode::Sequence(vec![body]),
            _ => self.assign_definition(syntax, class),
        }
    }

    fn ruby_target_field(&mut self, syntax: Syntax<'_>, field: &str) -> AssignmentTarget {
        syntax.child_by_field_name(field).map_or(AssignmentTarget::Nothing, |it| self.ruby_target(it))
    }

    /// Reads an assignment target; `AssignmentTarget::Nothing` if it is nested too deeply or is not one.
    fn ruby_target(&mut self, syntax: Syntax<'_>) -> AssignmentTarget {
        if !self.enter() {
            return AssignmentTarget::Nothing;
        }
        let target = match syntax.kind() {
            "identifier" => AssignmentTarget::Name(self.ruby_local(syntax)),
            "constant" | "global_variable" | "class_variable" => AssignmentTarget::Name(self.name(syntax)),
            "left_assignment_list" | "destructured_left_assignment" | "destructured_parameter" => {
                let inner = children(syntax);
                AssignmentTarget::List(inner.into_iter().map(|it| self.ruby_target(it)).collect())
            }
            "rest_assignment" | "splat_parameter" => {
                let inner = syntax.named_child(0).map_or(AssignmentTarget::Nothing, |it| self.ruby_target(it));
                AssignmentTarget::Rest(Box::new(inner))
            }
            _ => {
                let id = self.read_ruby(syntax);
                match self.tree.node(id).clone() {
                    // `object.name = value`
                    CodeNode::Call { callee, .. } => match self.tree.node(callee).clone() {
                        CodeNode::Member(object, name) => AssignmentTarget::Member(object, name),
                        _ => AssignmentTarget::Nothing,
                    },
                    _ => self.assignment_target(id),
                }
            }
        };
        self.leave();
        target
    }
}
