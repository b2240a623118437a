//! Reads Perl: turns nodes of tree-sitter's grammar into nodes of the common tree.
//!
//! A variable's sigil is part of its name, so that `$x`, `@x` and `%x` are three variables. A variable that a block
//! declares gets a unique name. The name of a function has no sigil: a name without one is never a variable.

mod calls;
mod targets;
mod texts;

use std::rc::Rc;

use tree_sitter::Node as Syntax;

use super::reader::{TreeReader, children};
use super::ruby::texts::heredocs;
use super::tree::{AssignmentTarget, CallArgument, CodeNode, CodeNodeId, FunctionDefinition, FunctionId, TextPiece};

/// Kinds of nodes that only group others: their children run in sequence.
const SEQUENCES: &[&str] =
    &["source_file", "expression_statement", "phaser_statement", "do_expression", "localization_expression", "else"];

/// Kinds of nodes without a value and without an effect.
const WITHOUT_VALUE: &[&str] = &["comment", "pod", "heredoc_content", "data_section", "loopex_expression"];

/// Kinds of definitions that take effect before anything runs.
const DEFINITIONS: &[&str] = &["subroutine_declaration_statement", "use_statement"];

impl TreeReader<'_> {
    /// Reads a whole program of Perl, for which it first assigns the bodies of here-documents to their marks.
    pub(super) fn perl_program(&mut self, root: Syntax<'_>) -> CodeNodeId {
        if self.tree.text.contains("<<") {
            self.scopes.heredocs = heredocs(root, &["heredoc_token", "command_heredoc_token"], "heredoc_content");
        }
        self.read_perl(root)
    }

    /// Reads a statement or an expression of Perl.
    pub(super) fn read_perl(&mut self, syntax: Syntax<'_>) -> CodeNodeId {
        let wrappers = if syntax.kind() == "phaser_statement" { &[][..] } else { SEQUENCES };
        self.read_node(syntax, wrappers, Self::read_perl, Self::perl_node)
    }

    /// Converts a node with the first family that accepts it, or else by its children.
    fn perl_node(&mut self, syntax: Syntax<'_>) -> CodeNode {
        self.read_by_family(
            syntax,
            WITHOUT_VALUE,
            &[
                Self::perl_variable,
                Self::perl_literal,
                Self::perl_call_expression,
                Self::perl_operation,
                Self::perl_statement,
            ],
        )
        .unwrap_or_else(|| self.read_other(syntax, SEQUENCES, Self::read_perl))
    }

    /// Reads a variable, an element or a slice of one, a reference or a declaration.
    fn perl_variable(&mut self, syntax: Syntax<'_>) -> Option<CodeNode> {
        Some(match syntax.kind() {
            "scalar" => self.perl_scalar(syntax),
            "array" | "array_deref_expression" => self.perl_container(syntax, '@'),
            "hash" | "hash_deref_expression" => self.perl_container(syntax, '%'),
            "container_variable" | "slice_container_variable" | "arraylen" => CodeNode::Computed(Vec::new()),
            "array_element_expression" => self.perl_element(syntax, '@', "index"),
            "hash_element_expression" => self.perl_element(syntax, '%', "key"),
            "slice_expression" | "keyval_expression" => self.perl_slice(syntax),
            "anonymous_slice_expression" => {
                let list = self.field(syntax, "list", Self::read_perl);
                let key = match syntax.named_child(1) {
                    Some(key) => self.read_perl(key),
                    None => self.add_node(CodeNode::Computed(Vec::new()), syntax),
                };
                CodeNode::Index(list, key)
            }
            "refgen_expression" => self.perl_reference(syntax),
            "variable_declaration" => self.perl_declaration(syntax),
            _ => return None,
        })
    }

    /// Reads a text, a number, a list, a dictionary or a function.
    fn perl_literal(&mut self, syntax: Syntax<'_>) -> Option<CodeNode> {
        Some(match syntax.kind() {
            "string_literal" | "interpolated_string_literal" | "heredoc_token" => self.perl_text(syntax),
            "autoquoted_bareword" | "package" => CodeNode::Text(vec![TextPiece::Text(self.text(syntax).to_owned())]),
            "bareword" | "filehandle" => CodeNode::Name(self.perl_bareword(syntax)),
            "number" => self.number(syntax),
            "quoted_word_list" => self.perl_words(syntax),
            "list_expression" => CodeNode::List(self.perl_parts(syntax)),
            "parenthesized_expression" => match syntax.named_child(0) {
                Some(one) if one.kind() != "list_expression" => CodeNode::Sequence(vec![self.read_perl(one)]),
                _ => CodeNode::List(self.perl_list(syntax)),
            },
            "anonymous_array_expression" => {
                let parts = syntax.named_child(0).map(|list| match list.kind() {
                    "list_expression" => self.perl_parts(list),
                    _ => vec![self.perl_part(list)],
                });
                CodeNode::List(parts.unwrap_or_default())
            }
            "anonymous_hash_expression" => match syntax.named_child(0) {
                Some(list) => self.perl_pairs(list),
                None => CodeNode::Dictionary(Vec::new()),
            },
            "anonymous_subroutine_expression" => CodeNode::Function(self.perl_function(syntax)),
            _ => return None,
        })
    }

    /// Reads a call: of a function or a method, of a command in backticks, `<F>`, `eval`, `use`, `map`.
    fn perl_call_expression(&mut self, syntax: Syntax<'_>) -> Option<CodeNode> {
        Some(match syntax.kind() {
            "command_string" | "command_heredoc_token" => self.perl_text_call("`", syntax),
            "fileglob_expression" => self.perl_text_call("glob", syntax),
            "readline_expression" => self.perl_readline(syntax),
            "function" => self.perl_bare_call(syntax),
            "function_call_expression"
            | "ambiguous_function_call_expression"
            | "func1op_call_expression"
            | "func0op_call_expression" => self.perl_call(syntax),
            "coderef_call_expression" => self.perl_reference_call(syntax),
            "method_call_expression" => self.perl_method_call(syntax),
            "eval_expression" => self.perl_eval(syntax),
            "require_expression" => self.perl_require(syntax),
            "use_statement" => self.perl_use(syntax),
            "map_grep_expression" | "sort_expression" => self.perl_map(syntax),
            _ => return None,
        })
    }

    /// Reads an operator, an assignment, a regex, or a choice between values.
    fn perl_operation(&mut self, syntax: Syntax<'_>) -> Option<CodeNode> {
        Some(match syntax.kind() {
            "assignment_expression" => self.perl_assignment(syntax),
            "binary_expression" | "lowprec_logical_expression" | "relational_expression" | "equality_expression" => {
                self.perl_binary(syntax)
            }
            "substitution_regexp" | "transliteration_expression" | "match_regexp" | "quoted_regexp" => {
                let subject = self.add_node(CodeNode::Name("$_".into()), syntax);
                self.perl_regex(syntax, subject, Some(AssignmentTarget::Name("$_".into())))
            }
            "preinc_expression" | "postinc_expression" => {
                let target =
                    syntax.child_by_field_name("operand").map_or(AssignmentTarget::Nothing, |it| self.perl_target(it));
                self.read_update(syntax, target)
            }
            "conditional_expression" => {
                self.read_choice(syntax, ["condition", "consequent", "alternative"], Self::read_perl)
            }
            _ => return None,
        })
    }

    /// Reads a definition, a control structure, a block or a `return`.
    fn perl_statement(&mut self, syntax: Syntax<'_>) -> Option<CodeNode> {
        Some(match syntax.kind() {
            "package_statement" => CodeNode::Sequence(self.read_all(syntax, Self::read_perl)),
            "subroutine_declaration_statement" => self.perl_definition(syntax),
            "conditional_statement" | "elsif" => self.perl_branches(syntax),
            "postfix_conditional_expression" => {
                let condition = self.field(syntax, "condition", Self::read_perl);
                let body = self.perl_first(syntax);
                CodeNode::Sequence(vec![condition, self.add_node(CodeNode::Branches(vec![body]), syntax)])
            }
            "loop_statement" | "postfix_loop_expression" => self.perl_loop(syntax),
            "cstyle_for_statement" => {
                self.scopes.open_block();
                let counted =
                    self.read_counting_loop(syntax, "initialiser", ["condition", "block", "iterator"], Self::read_perl);
                self.scopes.close_block();
                counted
            }
            "for_statement" | "postfix_for_expression" => self.perl_each(syntax),
            "block" | "block_statement" => {
                self.scopes.open_block();
                let parts = self.read_hoisted(syntax, DEFINITIONS, Self::read_perl);
                self.scopes.close_block();
                CodeNode::Sequence(parts)
            }
            "source_file" => CodeNode::Sequence(self.read_hoisted(syntax, DEFINITIONS, Self::read_perl)),
            "return_expression" => CodeNode::Return(match syntax.named_child(0) {
                Some(value) => self.perl_part(value),
                None => self.add_node(CodeNode::Nothing, syntax),
            }),
            _ => return None,
        })
    }

    /// Reads a text as the argument of a library function: `` `ls` `` runs it, and `<*.c>` is a call of `glob`.
    fn perl_text_call(&mut self, name: &str, syntax: Syntax<'_>) -> CodeNode {
        let text = self.perl_text(syntax);
        let text = self.add_node(text, syntax);
        self.perl_library_call(name, vec![CallArgument::Positional(text)], syntax)
    }

    /// Reads a list of quoted words: `qw(a b)`.
    fn perl_words(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let content = syntax.child_by_field_name("content").map(|it| self.text(it).to_owned()).unwrap_or_default();
        let words = content.split_whitespace();
        CodeNode::List(
            words.map(|word| self.add_node(CodeNode::Text(vec![TextPiece::Text(word.to_owned())]), syntax)).collect(),
        )
    }

    /// Reads a `while` or `until` loop, also as a modifier: `f() while x`.
    fn perl_loop(&mut self, syntax: Syntax<'_>) -> CodeNode {
        self.scopes.open_block();
        let condition = self.perl_condition(syntax);
        let body = match syntax.kind() {
            "loop_statement" => self.field(syntax, "block", Self::read_perl),
            _ => self.perl_first(syntax),
        };
        self.scopes.close_block();
        CodeNode::Repeat(self.add_node(CodeNode::Sequence(vec![condition, body]), syntax))
    }

    /// Reads the first child of a node; `Nothing` if it has none.
    fn perl_first(&mut self, syntax: Syntax<'_>) -> CodeNodeId {
        match syntax.named_child(0) {
            Some(body) => self.read_perl(body),
            None => self.add_node(CodeNode::Nothing, syntax),
        }
    }

    /// Reads the condition of a loop. `while (<F>)` assigns what it reads to `$_`.
    fn perl_condition(&mut self, syntax: Syntax<'_>) -> CodeNodeId {
        let Some(condition) = syntax.child_by_field_name("condition") else {
            return self.add_node(CodeNode::Nothing, syntax);
        };
        let value = self.read_perl(condition);
        if !matches!(condition.kind(), "readline_expression" | "fileglob_expression") {
            return value;
        }
        self.add_node(CodeNode::Assign(Rc::new(AssignmentTarget::Name("$_".into())), value), condition)
    }

    /// Reads `if` or `unless` with its `elsif` and `else`.
    fn perl_branches(&mut self, syntax: Syntax<'_>) -> CodeNode {
        self.scopes.open_block();
        let condition = self.field(syntax, "condition", Self::read_perl);
        let mut bodies = vec![self.field(syntax, "block", Self::read_perl)];
        let mut cursor = syntax.walk();
        let others: Vec<Syntax<'_>> =
            syntax.named_children(&mut cursor).filter(|it| matches!(it.kind(), "elsif" | "else")).collect();
        for other in others {
            bodies.push(match other.kind() {
                "else" => self.field(other, "block", Self::read_perl),
                _ => self.read_perl(other),
            });
        }
        self.scopes.close_block();
        let branches = self.add_node(CodeNode::Branches(bodies), syntax);
        CodeNode::Sequence(vec![condition, branches])
    }

    /// Reads a `for` loop over a list, also as a modifier: `f() for @x`. If the body changes the loop variable, the
    /// elements of the array are unknown afterwards.
    fn perl_each(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let over = match syntax.child_by_field_name("list") {
            Some(list) => {
                let parts = self.perl_list(list);
                self.add_node(CodeNode::List(parts), list)
            }
            None => self.add_node(CodeNode::Nothing, syntax),
        };
        self.scopes.open_block();
        let target = match syntax.child_by_field_name("variable") {
            Some(variable) => {
                let name = self.text(variable).to_owned();
                AssignmentTarget::Name(self.scopes.declare(&name))
            }
            None => AssignmentTarget::Name("$_".into()),
        };
        let body = match syntax.kind() {
            "for_statement" => self.field(syntax, "block", Self::read_perl),
            _ => self.perl_first(syntax),
        };
        self.scopes.close_block();
        let changes = self.perl_changes(body, &target);
        let each = CodeNode::ForEach { target: Rc::new(target), over, body };
        match syntax.child_by_field_name("list") {
            // The loop variable is an alias of each element, so that a change of the variable changes the list.
            Some(list) if changes && list.kind() == "array" => {
                let each = self.add_node(each, syntax);
                let list = self.read_perl(list);
                let callee = self.add_node(CodeNode::Member(list, "forget".into()), syntax);
                let forget = self.add_node(CodeNode::Call { callee, arguments: Vec::new() }, syntax);
                CodeNode::Sequence(vec![each, forget])
            }
            _ => each,
        }
    }

    /// Whether a body assigns to a target.
    fn perl_changes(&self, body: CodeNodeId, target: &AssignmentTarget) -> bool {
        self.tree.subtree(body).any(|node| match node {
            CodeNode::Assign(assigned, _) => **assigned == *target,
            _ => false,
        })
    }

    /// Reads an expression in list context, and returns its elements.
    fn perl_list(&mut self, syntax: Syntax<'_>) -> Vec<CodeNodeId> {
        match syntax.kind() {
            "list_expression" => self.perl_parts(syntax),
            "parenthesized_expression" => match syntax.named_child(0) {
                Some(inner) if inner.kind() == "list_expression" => self.perl_parts(inner),
                Some(inner) => vec![self.perl_part(inner)],
                None => Vec::new(),
            },
            _ => vec![self.perl_part(syntax)],
        }
    }

    /// Reads the elements of a list expression.
    fn perl_parts(&mut self, list: Syntax<'_>) -> Vec<CodeNodeId> {
        let mut cursor = list.walk();
        let parts: Vec<Syntax<'_>> = list.named_children(&mut cursor).filter(|it| it.kind() != "comment").collect();
        parts.into_iter().map(|part| self.perl_part(part)).collect()
    }

    /// Reads an element of a list. The elements of an array or a hash in it belong to the outer list.
    fn perl_part(&mut self, syntax: Syntax<'_>) -> CodeNodeId {
        let id = self.read_perl(syntax);
        match syntax.kind() {
            "hash" | "hash_deref_expression" => {
                let flat = self.perl_library_call("perl.flat", vec![CallArgument::Positional(id)], syntax);
                let flat = self.add_node(flat, syntax);
                self.add_node(CodeNode::Flattened(flat), syntax)
            }
            kind if is_list_kind(kind) => self.add_node(CodeNode::Flattened(id), syntax),
            _ => id,
        }
    }

    /// Reads the pairs of a hash: `key => value, …`. If an element may be a list, it is unknown which elements are
    /// keys, so the evaluator forms the pairs: the list becomes the argument of a call of `perl.keys`.
    fn perl_pairs(&mut self, list: Syntax<'_>) -> CodeNode {
        let mut cursor = list.walk();
        let parts: Vec<Syntax<'_>> = list.named_children(&mut cursor).filter(|it| it.kind() != "comment").collect();
        if list.kind() != "list_expression"
            || parts.iter().any(|it| is_list_kind(it.kind()) && it.kind() != "conditional_expression")
        {
            let parts = self.perl_list(list);
            let whole_list = self.add_node(CodeNode::List(parts), list);
            return self.perl_library_call("perl.keys", vec![CallArgument::Positional(whole_list)], list);
        }
        let mut pairs = Vec::new();
        for pair in parts.chunks(2) {
            if let [key, value] = pair {
                let key = self.read_perl(*key);
                pairs.push((Some(key), self.read_perl(*value)));
            }
        }
        CodeNode::Dictionary(pairs)
    }

    /// Returns a call of a library function.
    fn perl_library_call(&mut self, name: &str, arguments: Vec<CallArgument>, syntax: Syntax<'_>) -> CodeNode {
        let callee = self.add_node(CodeNode::Library(name.into()), syntax);
        CodeNode::Call { callee, arguments }
    }

    /// Reads a scalar variable, or a dereferenced scalar: `$$x`, `${\ value}`.
    fn perl_scalar(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let inner = match syntax.child_by_field_name("varname").or_else(|| syntax.named_child(0)) {
            Some(inner) if inner.kind() == "varname" && inner.named_child_count() == 0 => None,
            Some(inner) if inner.kind() == "varname" => inner.named_child(0),
            inner => inner,
        };
        let Some(inner) = inner else {
            let name: String = self.text(syntax).chars().filter(|c| !matches!(c, '{' | '}' | ' ')).collect();
            let name = name.replace("$main::", "$").replace("$::", "$");
            return CodeNode::Name(self.scopes.declared_name(&name));
        };
        // A reference is represented by the value to which it refers, so that `${\ value}` is `value`.
        let value = self.read_perl(inner);
        CodeNode::Sequence(vec![value])
    }

    /// Reads an array or a hash with a sigil, or a dereferenced one: `@x`, `%x`, `@$x`, `%{$x}`.
    fn perl_container(&mut self, syntax: Syntax<'_>, sigil: char) -> CodeNode {
        let inner = syntax.named_child(0);
        match inner {
            Some(name) if name.kind() == "varname" && name.named_child_count() == 0 => {
                let name = format!("{sigil}{}", self.text(name).trim_start_matches("main::").trim_start_matches("::"));
                CodeNode::Name(self.scopes.declared_name(&name))
            }
            Some(reference) => {
                let reference = match reference.kind() {
                    "varname" => reference.named_child(0).unwrap_or(reference),
                    _ => reference,
                };
                let value = self.read_perl(reference);
                CodeNode::Sequence(vec![value])
            }
            None => CodeNode::Computed(Vec::new()),
        }
    }

    /// Reads an element of a container that has a sigil: `$x[0]`, `$x{key}`, `$x->[0]`, `$$x[0]`. The key is in the
    /// grammar's field `field`.
    fn perl_element(&mut self, syntax: Syntax<'_>, sigil: char, field: &str) -> CodeNode {
        let container = syntax.named_child(0);
        let object = match container {
            Some(container) if container.kind() == "container_variable" => {
                let node = self.perl_container(container, sigil);
                self.add_node(node, container)
            }
            Some(container) => self.read_perl(container),
            None => self.add_node(CodeNode::Nothing, syntax),
        };
        let key = self.field(syntax, field, Self::read_perl);
        CodeNode::Index(object, key)
    }

    /// Reads a slice of an array or a hash as an element with an unknown key: `@x[0, 1]`, `@x{"a", "b"}`.
    fn perl_slice(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let sigil = if syntax.child_by_field_name("hash").is_some() { '%' } else { '@' };
        let object = match syntax.named_child(0) {
            Some(container) if container.kind() == "slice_container_variable" => {
                let node = self.perl_container(container, sigil);
                self.add_node(node, container)
            }
            Some(container) => self.read_perl(container),
            None => self.add_node(CodeNode::Nothing, syntax),
        };
        let key = self.add_node(CodeNode::Computed(Vec::new()), syntax);
        CodeNode::Index(object, key)
    }

    /// Reads a reference: `\@x` is the list itself, and `\&f` the function. The value of `\$x` is `Nothing`, and `$x`
    /// may have any value afterwards.
    fn perl_reference(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let Some(inner) = syntax.named_child(0) else { return CodeNode::Nothing };
        match inner.kind() {
            "function" => {
                let name = self.text(inner).trim_start_matches('&').to_owned();
                match inner.named_child(0) {
                    Some(name) if name.kind() != "varname" => CodeNode::Computed(self.read_all(inner, Self::read_perl)),
                    _ => CodeNode::Name(calls::function_name(&name).into()),
                }
            }
            "scalar" | "variable_declaration" => {
                // Code that has the reference may change the variable.
                let target = self.perl_target(inner);
                let before = self.read_perl(inner);
                let other = self.add_node(CodeNode::Computed(Vec::new()), syntax);
                let either = self.add_node(CodeNode::AnyOf(vec![before, other]), syntax);
                let change = self.add_node(CodeNode::Assign(Rc::new(target), either), syntax);
                let nothing = self.add_node(CodeNode::Nothing, syntax);
                CodeNode::Sequence(vec![change, nothing])
            }
            _ => {
                let value = self.read_perl(inner);
                CodeNode::Sequence(vec![value])
            }
        }
    }

    /// Reads a binary operation. `=~` with a regex may change its left side.
    fn perl_binary(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let operator = syntax.child_by_field_name("operator").map_or("", |it| self.text(it)).to_owned();
        let left = self.field(syntax, "left", Self::read_perl);
        if matches!(operator.as_str(), "=~" | "!~")
            && let Some(right) = syntax.child_by_field_name("right")
        {
            let target = syntax.child_by_field_name("left").map(|it| match it.kind() {
                "variable_declaration" => AssignmentTarget::Nothing,
                _ => self.perl_target(it),
            });
            return match right.kind() {
                "substitution_regexp" | "transliteration_expression" | "match_regexp" => {
                    self.perl_regex(right, left, target)
                }
                _ => {
                    let right = self.read_perl(right);
                    CodeNode::Computed(vec![left, right])
                }
            };
        }
        let right = self.field(syntax, "right", Self::read_perl);
        // If the left side is a function that takes a list, as in `shift / 2; …; 3 /`, Perl reads the beginning of a
        // text where the grammar reads an operator. The text may contain code.
        let is_ambiguous = matches!(operator.as_str(), "/" | "<" | "<<" | "?" | "%" | "&" | "*" | "-")
            && syntax.child_by_field_name("left").is_some_and(|it| matches!(it.kind(), "function" | "bareword"));
        if is_ambiguous {
            return self.perl_library_call("perl.code", Vec::new(), syntax);
        }
        match operator.as_str() {
            "." => CodeNode::Text(vec![TextPiece::Value(left), TextPiece::Value(right)]),
            "||" | "&&" | "//" | "or" | "and" | "xor" => CodeNode::AnyOf(vec![left, right]),
            _ => CodeNode::Computed(vec![left, right]),
        }
    }

    /// Reads a function with the parameters of its signature. The value of its last statement is returned, too.
    fn perl_function(&mut self, syntax: Syntax<'_>) -> FunctionId {
        self.scopes.open_block();
        let outer = self.scopes.open_function();
        let mut parameters = Vec::new();
        let mut cursor = syntax.walk();
        let signature = syntax.named_children(&mut cursor).find(|it| it.kind() == "signature");
        if let Some(signature) = signature {
            for parameter in children(signature) {
                let name = parameter.named_child(0).map(|it| self.text(it).to_owned()).unwrap_or_default();
                let target = AssignmentTarget::Name(self.scopes.declare(&name));
                parameters.push(match (parameter.kind(), parameter.child_by_field_name("default")) {
                    (_, Some(value)) => AssignmentTarget::Default(Box::new(target), self.read_perl(value)),
                    ("slurpy_parameter", _) => AssignmentTarget::Rest(Box::new(target)),
                    _ => target,
                });
            }
        }
        let body = self.field(syntax, "body", Self::read_perl);
        let body = self.add_node(CodeNode::Return(body), syntax);
        self.scopes.close_function(outer);
        self.scopes.close_block();
        self.tree.add_function(FunctionDefinition { parameters, body })
    }

    /// Reads `sub name { … }` as an assignment to the bare name: a function is found by its name, also as a method,
    /// regardless of its package.
    fn perl_definition(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let function = self.perl_function(syntax);
        let name = syntax.child_by_field_name("name").map(|name| self.text(name).to_owned()).unwrap_or_default();
        let name = calls::function_name(&name);
        let value = self.add_node(CodeNode::Function(function), syntax);
        CodeNode::Assign(Rc::new(AssignmentTarget::Name(name.into())), value)
    }

    /// Reads `map`, `grep` or `sort` as a library call with the list and a function of `$_`.
    fn perl_map(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let name = match self.text(syntax) {
            text if text.starts_with("grep") => "perl.grep",
            text if text.starts_with("sort") => "perl.sort",
            _ => "perl.map",
        };
        let mut arguments = Vec::new();
        let function = match syntax.child_by_field_name("callback") {
            Some(callback) => {
                let body = match callback.kind() {
                    "block" => self.read_perl(callback),
                    _ => self.perl_part(callback),
                };
                let body = self.add_node(CodeNode::Return(body), callback);
                let parameters = vec![AssignmentTarget::Name("$_".into())];
                let function = self.tree.add_function(FunctionDefinition { parameters, body });
                self.add_node(CodeNode::Function(function), callback)
            }
            None => self.add_node(CodeNode::Nothing, syntax),
        };
        let list = match syntax.child_by_field_name("list") {
            Some(list) => self.perl_list(list),
            None => Vec::new(),
        };
        arguments.push(CallArgument::Positional(self.add_node(CodeNode::List(list), syntax)));
        arguments.push(CallArgument::Positional(function));
        self.perl_library_call(name, arguments, syntax)
    }

    /// Returns a bare name as the tables use it.
    fn perl_bareword(&self, syntax: Syntax<'_>) -> Rc<str> {
        calls::function_name(self.text(syntax)).into()
    }
}

/// Whether an expression of this kind may have several values in list context.
fn is_list_kind(kind: &str) -> bool {
    matches!(
        kind,
        "array"
            | "hash"
            | "array_deref_expression"
            | "hash_deref_expression"
            | "slice_expression"
            | "keyval_expression"
            | "anonymous_slice_expression"
            | "quoted_word_list"
            | "fileglob_expression"
            | "readline_expression"
            | "map_grep_expression"
            | "sort_expression"
            | "parenthesized_expression"
            | "list_expression"
            | "function_call_expression"
            | "ambiguous_function_call_expression"
            | "func1op_call_expression"
            | "method_call_expression"
            | "coderef_call_expression"
            | "conditional_expression"
            | "do_expression"
            | "function"
            | "bareword"
    )
}
