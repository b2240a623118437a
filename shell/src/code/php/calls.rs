//! Reads PHP's calls: of functions, methods and classes.

use std::rc::Rc;

use tree_sitter::Node as Syntax;

use super::SETTERS;
use crate::code::CodeLanguage;
use crate::code::library;
use crate::code::reader::TreeReader;
use crate::code::tree::{AssignmentTarget, CallArgument, CodeNode, CodeNodeId, FunctionDefinition, TextPiece};

impl TreeReader<'_> {
    /// Whether a call sets the file to which PHP writes its messages: `ini_set("error_log", FILE)`.
    fn sets_log(&self, name: Option<&str>, arguments: &[CallArgument]) -> bool {
        let names_log = |setting: &CallArgument| match self.tree.node(setting.id()) {
            CodeNode::Text(pieces) => matches!(pieces.as_slice(), [TextPiece::Text(text)] if text == "error_log"),
            _ => false,
        };
        name == Some("ini_set") && arguments.first().is_some_and(names_log)
    }

    /// Reads a call of a function. `define("X", value)` becomes an assignment to `X`. If the function may take a
    /// variable by reference, the variable may have any value afterwards.
    pub(super) fn php_call(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let function = syntax.child_by_field_name("function");
        let name = function
            .filter(|it| matches!(it.kind(), "name" | "qualified_name" | "relative_name"))
            .map(|it| self.php_last_name(it).to_ascii_lowercase());
        let arguments = self.php_arguments(syntax);
        if let Some("define") = name.as_deref()
            && let [CallArgument::Positional(constant), CallArgument::Positional(value), ..] = arguments.as_slice()
            && let CodeNode::Text(pieces) = self.tree.node(*constant)
            && let [TextPiece::Text(constant)] = pieces.as_slice()
        {
            return CodeNode::Assign(Rc::new(AssignmentTarget::Name(constant.as_str().into())), *value);
        }
        let name = if self.sets_log(name.as_deref(), &arguments) { Some("ini_set.log".to_owned()) } else { name };
        // `\unlink` is PHP's own function, even if the namespace defines one.
        let is_built_in =
            function.is_some_and(|it| self.text(it).starts_with('\\') && self.text(it).matches('\\').count() == 1);
        let callee = match (&name, function) {
            (Some(name), Some(function)) if is_built_in => {
                self.add_node(CodeNode::Name(format!("\\{name}").into()), function)
            }
            (Some(name), Some(function)) => self.add_node(CodeNode::Name(name.as_str().into()), function),
            (None, Some(function)) => self.read_php(function),
            _ => self.add_node(CodeNode::Nothing, syntax),
        };
        // Only these functions, and functions of the program if there is a parameter `&$x`, change their arguments.
        let may_set_arguments = match &name {
            Some(name) if library::find_row(CodeLanguage::Php, name).is_some() => SETTERS.contains(&name.as_str()),
            Some(name) => SETTERS.contains(&name.as_str()) || self.tree.text.contains("&$"),
            None => self.tree.text.contains("&$"),
        };
        let mut assignments = Vec::new();
        if may_set_arguments {
            // The first argument of all of them but `settype` is only read.
            let skipped = usize::from(name.as_deref().is_some_and(|name| SETTERS.contains(&name) && name != "settype"));
            for argument in arguments.iter().skip(skipped) {
                if let CodeNode::Name(variable) = self.tree.node(argument.id()).clone() {
                    let other = self.add_node(CodeNode::Computed(Vec::new()), syntax);
                    let either = self.add_node(CodeNode::AnyOf(vec![argument.id(), other]), syntax);
                    assignments.push(
                        self.add_node(CodeNode::Assign(Rc::new(AssignmentTarget::Name(variable)), either), syntax),
                    );
                }
            }
        }
        let call = CodeNode::Call { callee, arguments };
        if assignments.is_empty() {
            return call;
        }
        assignments.push(self.add_node(call, syntax));
        CodeNode::Sequence(assignments)
    }

    /// Reads a call of a method of `object`: `object->name(…)`, `Class::name(…)`.
    pub(super) fn php_method_call(&mut self, object: CodeNodeId, syntax: Syntax<'_>) -> CodeNode {
        let name = syntax.child_by_field_name("name");
        let callee = match name {
            Some(name) if name.kind() == "name" => {
                let method = self.text(name).to_ascii_lowercase();
                self.add_node(CodeNode::Member(object, method.into()), syntax)
            }
            Some(name) => {
                let key = self.read_php(name);
                self.add_node(CodeNode::Index(object, key), syntax)
            }
            None => object,
        };
        CodeNode::Call { callee, arguments: self.php_arguments(syntax) }
    }

    /// Reads the arguments of a call: positional, named and spread ones.
    pub(super) fn php_arguments(&mut self, syntax: Syntax<'_>) -> Vec<CallArgument> {
        let list = syntax.child_by_field_name("arguments").or_else(|| {
            let mut cursor = syntax.walk();
            syntax.named_children(&mut cursor).find(|it| it.kind() == "arguments")
        });
        let Some(list) = list else { return Vec::new() };
        let mut cursor = list.walk();
        let all: Vec<Syntax<'_>> = list.named_children(&mut cursor).filter(|it| it.kind() == "argument").collect();
        let mut arguments = Vec::new();
        for argument in all {
            let name = argument.child_by_field_name("name").map(|name| self.name(name));
            let count = u32::try_from(argument.named_child_count()).unwrap_or_default();
            let Some(value) = argument.named_child(count.saturating_sub(1)) else { continue };
            arguments.push(match (name, value.kind()) {
                (Some(name), _) => CallArgument::Named(name, self.read_php(value)),
                (None, "variadic_unpacking") => CallArgument::Spread(self.read_only_child(value, Self::read_php)),
                (None, _) => CallArgument::Positional(self.read_php(value)),
            });
        }
        arguments
    }

    /// Reads `new Class(…)`, also of an anonymous class.
    pub(super) fn php_creation(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let Some(class) = syntax.named_child(0) else { return CodeNode::Nothing };
        let callee = match class.kind() {
            "anonymous_class" => {
                let body = self.field(class, "body", Self::read_php);
                let class_id = self.tree.add_function(FunctionDefinition { parameters: Vec::new(), body });
                self.add_node(CodeNode::Class(class_id), class)
            }
            _ => self.php_class_name(class),
        };
        CodeNode::Call { callee, arguments: self.php_arguments(syntax) }
    }
}
