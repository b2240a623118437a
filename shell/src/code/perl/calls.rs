//! Reads Perl's calls: of functions, methods and code references, with file handles and default arguments.

use std::rc::Rc;

use tree_sitter::Node as Syntax;

use super::super::reader::{TreeReader, children};
use super::super::tree::{AssignmentTarget, CallArgument, CodeNode, CodeNodeId, FunctionDefinition, TextPiece};

/// Functions whose default argument is `$_`.
const TOPIC_FUNCTIONS: &[&str] = &[
    "unlink",
    "rmdir",
    "mkdir",
    "lc",
    "uc",
    "chomp",
    "chop",
    "chr",
    "ord",
    "quotemeta",
    "readlink",
    "stat",
    "lstat",
    "glob",
    "evalbytes",
    "chroot",
];

/// Functions that take an array or a hash itself instead of its elements.
const CONTAINER_FUNCTIONS: &[&str] = &[
    "push",
    "unshift",
    "pop",
    "shift",
    "splice",
    "keys",
    "values",
    "each",
    "delete",
    "exists",
    "defined",
    "scalar",
    "tie",
    "bless",
    "ref",
    "undef",
    "local",
    "lock",
    "wantarray",
];

/// Returns the name of a function as the tables use it: without `&`, `CORE::` and `main::`.
pub(super) fn function_name(name: &str) -> &str {
    let name = name.trim_start_matches(['&', '*']);
    ["CORE::GLOBAL::", "CORE::", "main::", "::"].iter().find_map(|start| name.strip_prefix(start)).unwrap_or(name)
}

impl TreeReader<'_> {
    /// Reads a call without parentheses and arguments: `f`, `&$f`.
    pub(super) fn perl_bare_call(&mut self, syntax: Syntax<'_>) -> CodeNode {
        if let Some(inner) = syntax.named_child(0) {
            return self.perl_code_call(inner, Vec::new());
        }
        let name = function_name(self.text(syntax)).to_owned();
        self.perl_named_call(&name, Vec::new(), syntax)
    }

    /// Reads a call with arguments. There are separate readers for functions whose arguments are not plain values, such
    /// as `open`, `print` and `push`.
    pub(super) fn perl_call(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let Some(function) = syntax.child_by_field_name("function") else {
            return CodeNode::Computed(self.read_all(syntax, Self::read_perl));
        };
        let given = self.perl_given(syntax);
        // `&$f(…)`, `&{…}(…)`, `&f(…)`
        if let Some(inner) = function.named_child(0).filter(|_| function.kind() == "function") {
            let arguments = given.into_iter().map(|part| self.perl_argument(part)).collect();
            return self.perl_code_call(inner, arguments);
        }
        let name = function_name(self.text(function)).to_owned();
        // A file test has no effects: `-e "x"`.
        if name.starts_with('-') {
            return CodeNode::Computed(given.into_iter().map(|part| self.read_perl(part)).collect());
        }
        let mut cursor = syntax.walk();
        let indirect = syntax.named_children(&mut cursor).find(|it| it.kind() == "indirect_object");
        match (name.as_str(), indirect) {
            ("open", _) => self.perl_open(&given, syntax),
            ("opendir" | "sysopen", _) => {
                let rest = given.iter().skip(1).map(|part| self.perl_argument(*part)).collect();
                let call = self.perl_library_call(&name, rest, syntax);
                self.perl_handle_assignment(&given, call, syntax)
            }
            ("print" | "printf" | "say", indirect) => self.perl_print(indirect, &given, syntax),
            ("system" | "exec", Some(program)) => self.perl_program_call(program, &given, syntax),
            ("chomp", _) if given.len() == 1 => {
                given.first().map_or(CodeNode::Nothing, |part| self.perl_chomp(*part, syntax))
            }
            ("push" | "unshift" | "pop" | "shift" | "splice", _) => self.perl_list_call(&name, &given, syntax),
            (_, Some(block)) if block.named_child(0).is_some_and(|it| it.kind() == "block") => {
                self.perl_block_call(block, &given, syntax)
            }
            _ => {
                let takes_container = CONTAINER_FUNCTIONS.contains(&name.as_str());
                let arguments = given.into_iter().map(|part| match takes_container {
                    true => CallArgument::Positional(self.read_perl(part)),
                    false => self.perl_argument(part),
                });
                let arguments = arguments.collect();
                self.perl_named_call(&name, arguments, syntax)
            }
        }
    }

    /// Reads `system { program } words`, which runs the program with `words` as its `argv[0]` and arguments.
    fn perl_program_call(&mut self, program: Syntax<'_>, given: &[Syntax<'_>], syntax: Syntax<'_>) -> CodeNode {
        let program = self.perl_indirect(program);
        let words = given.iter().map(|part| self.perl_part(*part)).collect();
        let words = self.add_node(CodeNode::List(words), syntax);
        self.perl_library_call(
            "system.program",
            vec![CallArgument::Positional(program), CallArgument::Positional(words)],
            syntax,
        )
    }

    /// Reads `chomp value`, after which a variable has the stripped value.
    fn perl_chomp(&mut self, part: Syntax<'_>, syntax: Syntax<'_>) -> CodeNode {
        let value = self.read_perl(part);
        let target = match part.kind() {
            "assignment_expression" => part
                .child_by_field_name("left")
                .map_or(AssignmentTarget::Nothing, |left| self.perl_declared_target(left)),
            "scalar" | "array_element_expression" | "hash_element_expression" => self.perl_target(part),
            _ => AssignmentTarget::Nothing,
        };
        let callee = self.add_node(CodeNode::Member(value, "chomp".into()), syntax);
        let call = self.add_node(CodeNode::Call { callee, arguments: Vec::new() }, syntax);
        CodeNode::Assign(Rc::new(target), call)
    }

    /// Reads a call of a function with a block, such as `first { … } @list`, as a `map`.
    fn perl_block_call(&mut self, block: Syntax<'_>, given: &[Syntax<'_>], syntax: Syntax<'_>) -> CodeNode {
        let body = self.perl_indirect(block);
        let body = self.add_node(CodeNode::Return(body), block);
        let function =
            self.tree.add_function(FunctionDefinition { parameters: vec![AssignmentTarget::Name("$_".into())], body });
        let function = self.add_node(CodeNode::Function(function), block);
        let parts = given.iter().map(|part| self.perl_part(*part)).collect();
        let list = self.add_node(CodeNode::List(parts), syntax);
        self.perl_library_call(
            "perl.map",
            vec![CallArgument::Positional(list), CallArgument::Positional(function)],
            syntax,
        )
    }

    /// Returns a call of a function by its name. Without arguments, `shift` and `pop` take an element of `@_` or
    /// `@ARGV`, and the functions of `TOPIC_FUNCTIONS` take `$_`.
    fn perl_named_call(&mut self, name: &str, mut arguments: Vec<CallArgument>, syntax: Syntax<'_>) -> CodeNode {
        if matches!(name, "shift" | "pop") && arguments.is_empty() {
            return self.perl_list_call(name, &[], syntax);
        }
        if arguments.is_empty() && TOPIC_FUNCTIONS.contains(&name) {
            let topic = self.add_node(CodeNode::Name("$_".into()), syntax);
            arguments.push(CallArgument::Positional(topic));
        }
        let callee = self.add_node(CodeNode::Name(name.into()), syntax);
        CodeNode::Call { callee, arguments }
    }

    /// Returns the nodes of a call's arguments. Nested lists, and parentheses around the first argument, are replaced
    /// by their elements.
    fn perl_given<'s>(&self, syntax: Syntax<'s>) -> Vec<Syntax<'s>> {
        let list = match syntax.child_by_field_name("arguments") {
            Some(list) => Some(list),
            // The grammar has no field for this argument. It is the only child if the name of the function is not a
            // node.
            None if syntax.kind() == "func1op_call_expression" => syntax.named_child(1).or_else(|| {
                syntax
                    .named_child(0)
                    .filter(|it| syntax.child_by_field_name("function").is_none_or(|name| name.id() != it.id()))
            }),
            None => None,
        };
        let mut pending: Vec<Syntax<'s>> = list.into_iter().collect();
        let mut arguments = Vec::new();
        while let Some(node) = pending.pop() {
            if matches!(node.kind(), "list_expression")
                || node.kind() == "parenthesized_expression" && arguments.is_empty()
            {
                let mut cursor = node.walk();
                let inner: Vec<Syntax<'s>> =
                    node.named_children(&mut cursor).filter(|it| it.kind() != "comment").collect();
                pending.extend(inner.into_iter().rev());
            } else {
                arguments.push(node);
            }
        }
        arguments
    }

    /// Reads an argument. An array becomes several arguments.
    fn perl_argument(&mut self, part: Syntax<'_>) -> CallArgument {
        let id = self.perl_part(part);
        match *self.tree.node(id) {
            CodeNode::Flattened(inner) => CallArgument::Flattened(inner),
            _ => CallArgument::Positional(id),
        }
    }

    /// Returns a call through a code reference, or by a name after `&`: `&$f(…)`, `&f(…)`.
    fn perl_code_call(&mut self, code: Syntax<'_>, arguments: Vec<CallArgument>) -> CodeNode {
        let callee = match code.kind() {
            "varname" if code.named_child_count() == 0 => {
                let name = function_name(self.text(code)).to_owned();
                self.add_node(CodeNode::Name(name.into()), code)
            }
            "varname" | "code_deref_expression" => self.read_only_child(code, Self::read_perl),
            _ => self.read_perl(code),
        };
        let callee = match self.tree.node(callee) {
            // `&{ $f }(…)` calls the value of the block in braces.
            CodeNode::Sequence(parts) if parts.len() == 1 => parts.first().copied().unwrap_or(callee),
            _ => callee,
        };
        CodeNode::Call { callee, arguments }
    }

    /// Reads a call through a code reference: `$f->(…)`.
    pub(super) fn perl_reference_call(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let callee = self.perl_first(syntax);
        let arguments = self.perl_given(syntax).into_iter().map(|part| self.perl_argument(part)).collect();
        CodeNode::Call { callee, arguments }
    }

    /// Reads a method call: `object->method(…)`. If the program defines a function of that name, it becomes a call of
    /// the function with the object as the first argument.
    pub(super) fn perl_method_call(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let (Some(invocant), Some(method)) =
            (syntax.child_by_field_name("invocant"), syntax.child_by_field_name("method"))
        else {
            return CodeNode::Computed(self.read_all(syntax, Self::read_perl));
        };
        let object = match invocant.kind() {
            "bareword" => {
                let name = self.perl_bareword(invocant);
                self.add_node(CodeNode::Library(name), invocant)
            }
            _ => self.read_perl(invocant),
        };
        let mut arguments: Vec<CallArgument> =
            self.perl_given(syntax).into_iter().map(|part| self.perl_argument(part)).collect();
        if let Some(name) = method.named_child(0) {
            // The name of the method is computed: `$object->$method(…)`.
            let name = self.read_perl(name);
            arguments.insert(0, CallArgument::Positional(object));
            return CodeNode::Call { callee: name, arguments };
        }
        let name = self.text(method).rsplit("::").next().unwrap_or_default().to_owned();
        if self.tree.text.contains(&format!("sub {name}")) {
            // The program's own method: the object is its first argument.
            arguments.insert(0, CallArgument::Positional(object));
            let callee = self.add_node(CodeNode::Name(name.into()), syntax);
            return CodeNode::Call { callee, arguments };
        }
        let callee = self.add_node(CodeNode::Member(object, name.into()), syntax);
        CodeNode::Call { callee, arguments }
    }

    /// Reads the block or the handle before the arguments: `print {$handle} "x"`.
    fn perl_indirect(&mut self, syntax: Syntax<'_>) -> CodeNodeId {
        match syntax.named_child(0) {
            Some(inner) => self.read_perl(inner),
            None => {
                let name = self.perl_bareword(syntax);
                self.add_node(CodeNode::Name(format!("*{name}").into()), syntax)
            }
        }
    }

    /// Reads `print`, `printf` or `say`: as a method of the file handle if there is one, else as the function.
    fn perl_print(&mut self, indirect: Option<Syntax<'_>>, given: &[Syntax<'_>], syntax: Syntax<'_>) -> CodeNode {
        let handle = match (indirect, given) {
            (Some(handle), _) => match handle.named_child(0) {
                Some(name) if matches!(name.kind(), "filehandle" | "bareword") => {
                    let name = format!("*{}", self.perl_bareword(name));
                    Some(self.add_node(CodeNode::Name(name.into()), handle))
                }
                _ => Some(self.perl_indirect(handle)),
            },
            // The grammar reads `print F $x` as a call of `F`.
            (None, [call])
                if matches!(call.kind(), "ambiguous_function_call_expression" | "function_call_expression") =>
            {
                let name = call.child_by_field_name("function").map(|it| self.text(it).to_owned()).unwrap_or_default();
                // The name of a handle is in capitals.
                let is_handle =
                    !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
                is_handle.then(|| self.add_node(CodeNode::Name(format!("*{name}").into()), *call))
            }
            _ => None,
        };
        let given: Vec<Syntax<'_>> = match (handle, indirect, given) {
            (Some(_), None, [call]) => self.perl_given(*call),
            _ => given.to_vec(),
        };
        let arguments: Vec<CallArgument> = given.into_iter().map(|part| self.perl_argument(part)).collect();
        let callee = match handle {
            Some(handle) => self.add_node(CodeNode::Member(handle, "print".into()), syntax),
            None => self.add_node(CodeNode::Library("print".into()), syntax),
        };
        CodeNode::Call { callee, arguments }
    }

    /// Reads `push @list, …` or `shift` as a method of the list. The default list is `@_` in a function and `@ARGV`
    /// elsewhere.
    fn perl_list_call(&mut self, name: &str, given: &[Syntax<'_>], syntax: Syntax<'_>) -> CodeNode {
        let list = match given.first() {
            Some(list) => self.read_perl(*list),
            None => {
                let name = if self.scopes.is_in_function() { "@_" } else { "@ARGV" };
                self.add_node(CodeNode::Name(name.into()), syntax)
            }
        };
        let arguments = given.iter().skip(1).map(|part| self.perl_argument(*part)).collect();
        let callee = self.add_node(CodeNode::Member(list, name.into()), syntax);
        CodeNode::Call { callee, arguments }
    }

    /// Reads `open`, and assigns the handle that it opens to the first argument.
    fn perl_open(&mut self, given: &[Syntax<'_>], syntax: Syntax<'_>) -> CodeNode {
        let rest: Vec<CallArgument> = given.iter().skip(1).map(|part| self.perl_argument(*part)).collect();
        let name = if rest.len() > 1 { "open.mode" } else { "open.text" };
        let call = self.perl_library_call(name, rest, syntax);
        self.perl_handle_assignment(given, call, syntax)
    }

    /// Returns the assignment of the handle that a call opens to the first argument: to `*F` for the bare name `F`,
    /// or to a variable.
    fn perl_handle_assignment(&mut self, given: &[Syntax<'_>], call: CodeNode, syntax: Syntax<'_>) -> CodeNode {
        let target = match given.first() {
            Some(handle) => match handle.kind() {
                "bareword" | "filehandle" | "function" => {
                    AssignmentTarget::Name(format!("*{}", self.perl_bareword(*handle)).into())
                }
                "ambiguous_function_call_expression" | "function_call_expression" => AssignmentTarget::Nothing,
                "glob" => match handle.named_child(0) {
                    Some(name) => AssignmentTarget::Name(format!("*{}", self.text(name)).into()),
                    None => AssignmentTarget::Nothing,
                },
                "localization_expression" => match handle.named_child(0).and_then(|glob| glob.named_child(0)) {
                    Some(name) => AssignmentTarget::Name(format!("*{}", self.text(name)).into()),
                    None => AssignmentTarget::Nothing,
                },
                _ => self.perl_target(*handle),
            },
            None => AssignmentTarget::Nothing,
        };
        let value = self.add_node(call, syntax);
        CodeNode::Assign(Rc::new(target), value)
    }

    /// Reads `<F>`, which reads from a handle, or `<>`, which reads the files that the program's arguments name.
    pub(super) fn perl_readline(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let handle = syntax.named_child(0).filter(|it| it.kind() == "filehandle").or_else(|| syntax.named_child(1));
        let mut cursor = syntax.walk();
        let handle = handle.or_else(|| syntax.named_children(&mut cursor).find(|it| it.kind() == "filehandle"));
        let Some(handle) = handle else { return self.perl_library_call("perl.files", Vec::new(), syntax) };
        match (self.text(handle), handle.named_child(0)) {
            ("STDIN", _) => self.perl_library_call("perl.input", Vec::new(), syntax),
            ("ARGV", _) => self.perl_library_call("perl.files", Vec::new(), syntax),
            (_, Some(name)) => {
                let name = self.scopes.declared_name(&format!("${}", self.text(name)));
                let object = self.add_node(CodeNode::Name(name), handle);
                let callee = self.add_node(CodeNode::Member(object, "readline".into()), syntax);
                CodeNode::Call { callee, arguments: Vec::new() }
            }
            (name, None) => {
                let name = format!("*{name}");
                let object = self.add_node(CodeNode::Name(name.into()), handle);
                let callee = self.add_node(CodeNode::Member(object, "readline".into()), syntax);
                CodeNode::Call { callee, arguments: Vec::new() }
            }
        }
    }

    /// Reads `eval` or `do`: `eval { … }` runs the block, `eval "…"` evaluates the text, and `do "x"` runs the file.
    pub(super) fn perl_eval(&mut self, syntax: Syntax<'_>) -> CodeNode {
        match syntax.named_child(0) {
            Some(block) if block.kind() == "block" => {
                let block = self.read_perl(block);
                CodeNode::Sequence(vec![block])
            }
            Some(name) if name.kind() == "filename" => {
                let name = self.read_only_child(name, Self::read_perl);
                self.perl_library_call("perl.do", vec![CallArgument::Positional(name)], syntax)
            }
            Some(text) => {
                let text = self.read_perl(text);
                self.perl_library_call("eval", vec![CallArgument::Positional(text)], syntax)
            }
            None => {
                let topic = self.add_node(CodeNode::Name("$_".into()), syntax);
                self.perl_library_call("eval", vec![CallArgument::Positional(topic)], syntax)
            }
        }
    }

    /// Reads `require`: of a module by its name, or of a file.
    pub(super) fn perl_require(&mut self, syntax: Syntax<'_>) -> CodeNode {
        match syntax.named_child(0) {
            Some(name) if name.kind() == "bareword" => self.perl_module(name, syntax),
            Some(name) => {
                let name = self.read_perl(name);
                self.perl_library_call("perl.do", vec![CallArgument::Positional(name)], syntax)
            }
            None => CodeNode::Nothing,
        }
    }

    /// Returns the call that loads a module by its name: `A::B` is the file `A/B.pm`.
    fn perl_module(&mut self, name: Syntax<'_>, syntax: Syntax<'_>) -> CodeNode {
        let file = format!("{}.pm", self.text(name).replace("::", "/"));
        let file = self.add_node(CodeNode::Text(vec![TextPiece::Text(file)]), name);
        self.perl_library_call("perl.use", vec![CallArgument::Positional(file)], syntax)
    }

    /// Reads `use`: `use constant X => …` defines names, and `use Module` loads a file.
    pub(super) fn perl_use(&mut self, syntax: Syntax<'_>) -> CodeNode {
        let Some(module) = syntax.child_by_field_name("module") else { return CodeNode::Nothing };
        let list = syntax.named_child(1);
        if self.text(module) != "constant" {
            let mut parts: Vec<CodeNodeId> = list.map(|list| self.read_perl(list)).into_iter().collect();
            let call = self.perl_module(module, syntax);
            parts.push(self.add_node(call, syntax));
            return CodeNode::Sequence(parts);
        }
        let pairs = match list {
            Some(list) if list.kind() == "anonymous_hash_expression" => list.named_child(0),
            list => list,
        };
        let Some(pairs) = pairs.filter(|it| it.kind() == "list_expression") else { return CodeNode::Nothing };
        let all = children(pairs);
        let mut parts = Vec::new();
        for pair in all.chunks(2) {
            if let [name, value] = pair {
                let name: Rc<str> = self.text(*name).trim_matches(['"', '\'']).into();
                let value = self.read_perl(*value);
                parts.push(self.add_node(CodeNode::Assign(Rc::new(AssignmentTarget::Name(name)), value), syntax));
            }
        }
        CodeNode::Sequence(parts)
    }
}
