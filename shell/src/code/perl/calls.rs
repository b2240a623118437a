//! Perl's calls: functions with a default argument, methods, file handles.

use std::rc::Rc;

use tree_sitter::Node as Syntax;

use super::super::reader::{Reader, children};
use super::super::tree::{Argument, Function, Id, Node, Piece, Target};

/// Functions whose default argument is `$_`.
const OF_TOPIC: &[&str] = &[
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

/// Functions that take an array or a hash itself.
const OF_CONTAINER: &[&str] = &[
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

/// Returns the name of a function as used in the table.
pub(super) fn function_name(name: &str) -> &str {
    let name = name.trim_start_matches(['&', '*']);
    ["CORE::GLOBAL::", "CORE::", "main::", "::"].iter().find_map(|start| name.strip_prefix(start)).unwrap_or(name)
}

impl Reader<'_> {
    /// Reads a call without arguments.
    pub(super) fn perl_bare_call(&mut self, syntax: Syntax<'_>) -> Node {
        if let Some(inner) = syntax.named_child(0) {
            return self.perl_code_call(inner, Vec::new());
        }
        let name = function_name(self.text(syntax)).to_owned();
        self.perl_named_call(&name, Vec::new(), syntax)
    }

    pub(super) fn perl_call(&mut self, syntax: Syntax<'_>) -> Node {
        let Some(function) = syntax.child_by_field_name("function") else {
            return Node::Plain(self.all(syntax, Self::perl));
        };
        let given = self.perl_given(syntax);
        // `&$f(…)`, `&{…}(…)`, `&f(…)`
        if let Some(inner) = function.named_child(0).filter(|_| function.kind() == "function") {
            let arguments = given.into_iter().map(|part| self.perl_argument(part)).collect();
            return self.perl_code_call(inner, arguments);
        }
        let name = function_name(self.text(function)).to_owned();
        if name.starts_with('-') {
            // A file test.
            return Node::Plain(given.into_iter().map(|part| self.perl(part)).collect());
        }
        let mut cursor = syntax.walk();
        let indirect = syntax.named_children(&mut cursor).find(|it| it.kind() == "indirect_object");
        match (name.as_str(), indirect) {
            ("open", _) => self.perl_open(&given, syntax),
            ("opendir" | "sysopen", _) => {
                let rest = given.iter().skip(1).map(|part| self.perl_argument(*part)).collect();
                let call = self.perl_library_call(&name, rest, syntax);
                self.perl_opened(&given, call, syntax)
            }
            ("print" | "printf" | "say", indirect) => self.perl_print(indirect, &given, syntax),
            ("system" | "exec", Some(program)) => self.perl_program_call(program, &given, syntax),
            ("chomp", _) if given.len() == 1 => {
                given.first().map_or(Node::Nothing, |part| self.perl_chomp(*part, syntax))
            }
            ("push" | "unshift" | "pop" | "shift" | "splice", _) => self.perl_list_call(&name, &given, syntax),
            (_, Some(block)) if block.named_child(0).is_some_and(|it| it.kind() == "block") => {
                self.perl_block_call(block, &given, syntax)
            }
            _ => {
                let is_whole = OF_CONTAINER.contains(&name.as_str());
                let arguments = given.into_iter().map(|part| match is_whole {
                    true => Argument::Plain(self.perl(part)),
                    false => self.perl_argument(part),
                });
                let arguments = arguments.collect();
                self.perl_named_call(&name, arguments, syntax)
            }
        }
    }

    /// `system { program } words`
    fn perl_program_call(&mut self, program: Syntax<'_>, given: &[Syntax<'_>], syntax: Syntax<'_>) -> Node {
        let program = self.perl_indirect(program);
        let words = given.iter().map(|part| self.perl_part(*part)).collect();
        let words = self.make(Node::List(words), syntax);
        self.perl_library_call("system.program", vec![Argument::Plain(program), Argument::Plain(words)], syntax)
    }

    /// Reads `chomp value`, which changes the variable.
    fn perl_chomp(&mut self, part: Syntax<'_>, syntax: Syntax<'_>) -> Node {
        let value = self.perl(part);
        let target = match part.kind() {
            "assignment_expression" => {
                part.child_by_field_name("left").map_or(Target::Nothing, |left| self.perl_known(left))
            }
            "scalar" | "array_element_expression" | "hash_element_expression" => self.perl_target(part),
            _ => Target::Nothing,
        };
        let callee = self.make(Node::Member(value, "chomp".into()), syntax);
        let call = self.make(Node::Call { callee, arguments: Vec::new() }, syntax);
        Node::Assign(Rc::new(target), call)
    }

    /// `first { … } @list`
    fn perl_block_call(&mut self, block: Syntax<'_>, given: &[Syntax<'_>], syntax: Syntax<'_>) -> Node {
        let body = self.perl_indirect(block);
        let body = self.make(Node::Return(body), block);
        let function = self.tree.add_function(Function { parameters: vec![Target::Name("$_".into())], body });
        let function = self.make(Node::Function(function), block);
        let parts = given.iter().map(|part| self.perl_part(*part)).collect();
        let list = self.make(Node::List(parts), syntax);
        self.perl_library_call("perl.map", vec![Argument::Plain(list), Argument::Plain(function)], syntax)
    }

    fn perl_named_call(&mut self, name: &str, mut arguments: Vec<Argument>, syntax: Syntax<'_>) -> Node {
        if matches!(name, "shift" | "pop") && arguments.is_empty() {
            return self.perl_list_call(name, &[], syntax);
        }
        if arguments.is_empty() && OF_TOPIC.contains(&name) {
            let topic = self.make(Node::Name("$_".into()), syntax);
            arguments.push(Argument::Plain(topic));
        }
        let callee = self.make(Node::Name(name.into()), syntax);
        Node::Call { callee, arguments }
    }

    /// Returns the arguments of a call, one by one.
    fn perl_given<'s>(&self, syntax: Syntax<'s>) -> Vec<Syntax<'s>> {
        let list = match syntax.child_by_field_name("arguments") {
            Some(list) => Some(list),
            None if syntax.kind() == "func1op_call_expression" => syntax.named_child(1).or_else(|| {
                // The name of the function is not a node of its own.
                syntax
                    .named_child(0)
                    .filter(|it| syntax.child_by_field_name("function").is_none_or(|name| name.id() != it.id()))
            }),
            None => None,
        };
        let mut pending: Vec<Syntax<'s>> = list.into_iter().collect();
        let mut found = Vec::new();
        while let Some(one) = pending.pop() {
            if matches!(one.kind(), "list_expression") || one.kind() == "parenthesized_expression" && found.is_empty() {
                let mut cursor = one.walk();
                let inner: Vec<Syntax<'s>> =
                    one.named_children(&mut cursor).filter(|it| it.kind() != "comment").collect();
                pending.extend(inner.into_iter().rev());
            } else {
                found.push(one);
            }
        }
        found
    }

    fn perl_argument(&mut self, part: Syntax<'_>) -> Argument {
        let id = self.perl_part(part);
        match *self.tree.node(id) {
            Node::Flat(inner) => Argument::Flat(inner),
            _ => Argument::Plain(id),
        }
    }

    /// Reads a call through a code reference, or with `&`: `&$f(…)`, `&f(…)`.
    fn perl_code_call(&mut self, code: Syntax<'_>, arguments: Vec<Argument>) -> Node {
        let callee = match code.kind() {
            "varname" if code.named_child_count() == 0 => {
                let name = function_name(self.text(code)).to_owned();
                self.make(Node::Name(name.into()), code)
            }
            "varname" | "code_deref_expression" => self.only(code, Self::perl),
            _ => self.perl(code),
        };
        let callee = match self.tree.node(callee) {
            // The value of a block in braces is its last value.
            Node::Sequence(parts) if parts.len() == 1 => parts.first().copied().unwrap_or(callee),
            _ => callee,
        };
        Node::Call { callee, arguments }
    }

    /// `$f->(…)`
    pub(super) fn perl_reference_call(&mut self, syntax: Syntax<'_>) -> Node {
        let callee = self.perl_first(syntax);
        let arguments = self.perl_given(syntax).into_iter().map(|part| self.perl_argument(part)).collect();
        Node::Call { callee, arguments }
    }

    pub(super) fn perl_method_call(&mut self, syntax: Syntax<'_>) -> Node {
        let (Some(invocant), Some(method)) =
            (syntax.child_by_field_name("invocant"), syntax.child_by_field_name("method"))
        else {
            return Node::Plain(self.all(syntax, Self::perl));
        };
        let object = match invocant.kind() {
            "bareword" => {
                let name = self.perl_bareword(invocant);
                self.make(Node::Library(name), invocant)
            }
            _ => self.perl(invocant),
        };
        let mut arguments: Vec<Argument> =
            self.perl_given(syntax).into_iter().map(|part| self.perl_argument(part)).collect();
        if let Some(name) = method.named_child(0) {
            // `$object->$method(…)`
            let name = self.perl(name);
            arguments.insert(0, Argument::Plain(object));
            return Node::Call { callee: name, arguments };
        }
        let name = self.text(method).rsplit("::").next().unwrap_or_default().to_owned();
        if self.tree.text.contains(&format!("sub {name}")) {
            // The program's own method: the object is its first argument.
            arguments.insert(0, Argument::Plain(object));
            let callee = self.make(Node::Name(name.into()), syntax);
            return Node::Call { callee, arguments };
        }
        let callee = self.make(Node::Member(object, name.into()), syntax);
        Node::Call { callee, arguments }
    }

    /// Reads the block or handle before the arguments.
    fn perl_indirect(&mut self, syntax: Syntax<'_>) -> Id {
        match syntax.named_child(0) {
            Some(inner) => self.perl(inner),
            None => {
                let name = self.perl_bareword(syntax);
                self.make(Node::Name(format!("*{name}").into()), syntax)
            }
        }
    }

    fn perl_print(&mut self, indirect: Option<Syntax<'_>>, given: &[Syntax<'_>], syntax: Syntax<'_>) -> Node {
        let handle = match (indirect, given) {
            (Some(handle), _) => match handle.named_child(0) {
                Some(name) if matches!(name.kind(), "filehandle" | "bareword") => {
                    let name = format!("*{}", self.perl_bareword(name));
                    Some(self.make(Node::Name(name.into()), handle))
                }
                _ => Some(self.perl_indirect(handle)),
            },
            // The grammar reads `print F $x` as a call of `F`.
            (None, [call])
                if matches!(call.kind(), "ambiguous_function_call_expression" | "function_call_expression") =>
            {
                let name = call.child_by_field_name("function").map(|it| self.text(it).to_owned()).unwrap_or_default();
                let is_handle =
                    !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
                is_handle.then(|| self.make(Node::Name(format!("*{name}").into()), *call))
            }
            _ => None,
        };
        let given: Vec<Syntax<'_>> = match (handle, indirect, given) {
            (Some(_), None, [call]) => self.perl_given(*call),
            _ => given.to_vec(),
        };
        let arguments: Vec<Argument> = given.into_iter().map(|part| self.perl_argument(part)).collect();
        let callee = match handle {
            Some(handle) => self.make(Node::Member(handle, "print".into()), syntax),
            None => self.make(Node::Library("print".into()), syntax),
        };
        Node::Call { callee, arguments }
    }

    /// Reads `push @list, …` or `shift` as a method of the list; the default list is that of the function or of the
    /// program.
    fn perl_list_call(&mut self, name: &str, given: &[Syntax<'_>], syntax: Syntax<'_>) -> Node {
        let list = match given.first() {
            Some(list) => self.perl(*list),
            None => {
                let name = if self.scopes.is_in_function() { "@_" } else { "@ARGV" };
                self.make(Node::Name(name.into()), syntax)
            }
        };
        let arguments = given.iter().skip(1).map(|part| self.perl_argument(*part)).collect();
        let callee = self.make(Node::Member(list, name.into()), syntax);
        Node::Call { callee, arguments }
    }

    /// Opens a file or a command, and assigns its handle to the first argument.
    fn perl_open(&mut self, given: &[Syntax<'_>], syntax: Syntax<'_>) -> Node {
        let rest: Vec<Argument> = given.iter().skip(1).map(|part| self.perl_argument(*part)).collect();
        let name = if rest.len() > 1 { "open.mode" } else { "open.text" };
        let call = self.perl_library_call(name, rest, syntax);
        self.perl_opened(given, call, syntax)
    }

    fn perl_opened(&mut self, given: &[Syntax<'_>], call: Node, syntax: Syntax<'_>) -> Node {
        let target = match given.first() {
            Some(handle) => match handle.kind() {
                "bareword" | "filehandle" | "function" => {
                    Target::Name(format!("*{}", self.perl_bareword(*handle)).into())
                }
                "ambiguous_function_call_expression" | "function_call_expression" => Target::Nothing,
                "glob" => match handle.named_child(0) {
                    Some(name) => Target::Name(format!("*{}", self.text(name)).into()),
                    None => Target::Nothing,
                },
                "localization_expression" => match handle.named_child(0).and_then(|glob| glob.named_child(0)) {
                    Some(name) => Target::Name(format!("*{}", self.text(name)).into()),
                    None => Target::Nothing,
                },
                _ => self.perl_target(*handle),
            },
            None => Target::Nothing,
        };
        let value = self.make(call, syntax);
        Node::Assign(Rc::new(target), value)
    }

    /// `<>` reads the files in the program's arguments, `<F>` from a handle.
    pub(super) fn perl_readline(&mut self, syntax: Syntax<'_>) -> Node {
        let handle = syntax.named_child(0).filter(|it| it.kind() == "filehandle").or_else(|| syntax.named_child(1));
        let mut cursor = syntax.walk();
        let handle = handle.or_else(|| syntax.named_children(&mut cursor).find(|it| it.kind() == "filehandle"));
        let Some(handle) = handle else { return self.perl_library_call("perl.files", Vec::new(), syntax) };
        match (self.text(handle), handle.named_child(0)) {
            ("STDIN", _) => self.perl_library_call("perl.input", Vec::new(), syntax),
            ("ARGV", _) => self.perl_library_call("perl.files", Vec::new(), syntax),
            (_, Some(name)) => {
                let name = self.scopes.declared(&format!("${}", self.text(name)));
                let object = self.make(Node::Name(name), handle);
                let callee = self.make(Node::Member(object, "readline".into()), syntax);
                Node::Call { callee, arguments: Vec::new() }
            }
            (name, None) => {
                let name = format!("*{name}");
                let object = self.make(Node::Name(name.into()), handle);
                let callee = self.make(Node::Member(object, "readline".into()), syntax);
                Node::Call { callee, arguments: Vec::new() }
            }
        }
    }

    /// `eval` of a block runs it, of a text evaluates the code; `do` of a name runs that file.
    pub(super) fn perl_eval(&mut self, syntax: Syntax<'_>) -> Node {
        match syntax.named_child(0) {
            Some(block) if block.kind() == "block" => {
                let block = self.perl(block);
                Node::Sequence(vec![block])
            }
            Some(name) if name.kind() == "filename" => {
                let name = self.only(name, Self::perl);
                self.perl_library_call("perl.do", vec![Argument::Plain(name)], syntax)
            }
            Some(text) => {
                let text = self.perl(text);
                self.perl_library_call("eval", vec![Argument::Plain(text)], syntax)
            }
            None => {
                let topic = self.make(Node::Name("$_".into()), syntax);
                self.perl_library_call("eval", vec![Argument::Plain(topic)], syntax)
            }
        }
    }

    pub(super) fn perl_require(&mut self, syntax: Syntax<'_>) -> Node {
        match syntax.named_child(0) {
            Some(name) if name.kind() == "bareword" => self.perl_module(name, syntax),
            Some(name) => {
                let name = self.perl(name);
                self.perl_library_call("perl.do", vec![Argument::Plain(name)], syntax)
            }
            None => Node::Nothing,
        }
    }

    fn perl_module(&mut self, name: Syntax<'_>, syntax: Syntax<'_>) -> Node {
        let file = format!("{}.pm", self.text(name).replace("::", "/"));
        let file = self.make(Node::Text(vec![Piece::Text(file)]), name);
        self.perl_library_call("perl.use", vec![Argument::Plain(file)], syntax)
    }

    /// `use constant X => …` defines a name, `use Module` loads a file.
    pub(super) fn perl_use(&mut self, syntax: Syntax<'_>) -> Node {
        let Some(module) = syntax.child_by_field_name("module") else { return Node::Nothing };
        let list = syntax.named_child(1);
        if self.text(module) != "constant" {
            let mut parts: Vec<Id> = list.map(|list| self.perl(list)).into_iter().collect();
            let call = self.perl_module(module, syntax);
            parts.push(self.make(call, syntax));
            return Node::Sequence(parts);
        }
        let pairs = match list {
            Some(list) if list.kind() == "anonymous_hash_expression" => list.named_child(0),
            list => list,
        };
        let Some(pairs) = pairs.filter(|it| it.kind() == "list_expression") else { return Node::Nothing };
        let all = children(pairs);
        let mut parts = Vec::new();
        for pair in all.chunks(2) {
            if let [name, value] = pair {
                let name: Rc<str> = self.text(*name).trim_matches(['"', '\'']).into();
                let value = self.perl(*value);
                parts.push(self.make(Node::Assign(Rc::new(Target::Name(name)), value), syntax));
            }
        }
        Node::Sequence(parts)
    }
}
