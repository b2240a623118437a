//! Calls: evaluates the callee and the arguments, and applies the effects of a library function or runs a function of
//! the program.

use std::rc::Rc;

use super::arguments::{CallArguments, LibraryCall};
use super::evaluate::{CALL_LEVELS, Evaluator, IterationElements, NodeRef, computed_reason};
use super::library::{self, LibraryRow};
use super::ruby::BLOCK;
use super::scopes::source_name;
use super::tree::{AssignmentTarget, CallArgument, CodeNode, CodeNodeId, CodeTree, TextPiece};
use super::value::{Closure, CodeValue, DataOrigin, HeapCell};
use super::{CodeLanguage, excerpt};
use crate::unseen::UnseenText;
use crate::word::{Cause, Unknown};

/// The number of calls of one function, each within the other, that are evaluated with their arguments. One more is
/// evaluated with unknown arguments; further ones are not evaluated.
const MAX_RECURSION: usize = 2;

impl Evaluator<'_> {
    /// Evaluates a call node: calls each alternative of the callee with each combination of the arguments'
    /// alternatives.
    pub(super) fn call_node(&mut self, at: NodeRef, callee: CodeNodeId, arguments: &[CallArgument]) -> CodeValue {
        let callee = self.inner(at, callee);
        let given = self.argument_value(at, arguments);
        let mut result: Option<CodeValue> = None;
        for callee in callee.alternatives() {
            for given in given.alternatives() {
                let one = self.call(at, &callee, &given);
                result = Some(result.map_or(one.clone(), |before| before.either(one)));
            }
        }
        result.unwrap_or(CodeValue::Nothing)
    }

    /// Evaluates the arguments of a call: positional, named and spread ones.
    fn argument_value(&mut self, at: NodeRef, arguments: &[CallArgument]) -> CallArguments {
        let mut given = CallArguments::default();
        for argument in arguments {
            let value = self.inner(at, argument.id());
            match argument {
                CallArgument::Named(name, _) => given.named.push((Rc::clone(name), value)),
                CallArgument::NamedPairs(_) => self.add_names(&value, &mut given),
                CallArgument::Spread(_) => self.add_elements(&value, &mut given),
                CallArgument::Flattened(_) if value.is_collection() => self.add_elements(&value, &mut given),
                CallArgument::Positional(_) | CallArgument::Flattened(_) => given.positional.push(value),
            }
        }
        // JavaScript has no named arguments. The members of an object argument count as such:
        // `spawn(c, { shell: true })`.
        if self.language == CodeLanguage::JavaScript {
            for keys in given.positional.clone().iter().filter(|value| matches!(value, CodeValue::Dictionary(_))) {
                self.add_names(keys, &mut given);
            }
        }
        given
    }

    /// Adds the elements of a list as positional arguments. If their number is unknown, there may be further
    /// arguments.
    fn add_elements(&mut self, list: &CodeValue, given: &mut CallArguments) {
        match self.elements(list) {
            IterationElements::Known(values) => given.positional.extend(values),
            IterationElements::Several(value) => {
                given.positional.push(CodeValue::several(value));
                given.is_open = true;
            }
        }
    }

    /// Adds the entries of a dictionary as named arguments. If they are unknown, there may be further arguments.
    fn add_names(&mut self, value: &CodeValue, given: &mut CallArguments) {
        if let CodeValue::Dictionary(place) = value
            && let Some(HeapCell::Dictionary(keys)) = self.state.cell(*place)
        {
            given.named.extend(keys.iter().map(|(name, value)| (Rc::clone(name), value.clone())));
        } else {
            given.is_open = true;
        }
    }

    /// Calls a value with arguments, and returns the result.
    ///
    /// A value that cannot be a function has no effects of its own, but the functions among its arguments are called.
    pub(super) fn call(&mut self, at: NodeRef, callee: &CodeValue, given: &CallArguments) -> CodeValue {
        self.spend(16);
        match callee {
            CodeValue::Library(name) => self.call_library(at, name, None, given),
            CodeValue::Method(name, function)
                if matches!(&**name, "function.call" | "function.apply" | "function.bind") =>
            {
                let given = self.bound_arguments(name, given);
                let result = self.call(at, function, &given);
                // A bound function is called later with more arguments; its result is unknown.
                if &**name == "function.bind" { CodeValue::COMPUTED } else { result }
            }
            CodeValue::Method(name, receiver) => match &**receiver {
                CodeValue::Object => self.call_unlisted(at, None, given),
                receiver => self.call_library(at, name, Some(receiver), given),
            },
            CodeValue::Function(closure) => self.call_function(at, closure, given),
            CodeValue::Class(place) => self.instantiate(at, *place, given),
            // Python calls an object by its method `__call__`.
            CodeValue::Instance(_) => {
                let called = self.member(callee, "__call__");
                if let CodeValue::Function(closure) = called {
                    self.call_function(at, &closure, given)
                } else {
                    CodeValue::Object
                }
            }
            CodeValue::Several(inner) => {
                let inner = (**inner).clone();
                if inner.may_have_effects() { self.unknown_call(at) } else { CodeValue::Data(inner.origin()) }
            }
            CodeValue::Object => self.call_unlisted(at, None, given),
            CodeValue::Text(..) | CodeValue::List(_) | CodeValue::Data(_)
                if matches!(self.language, CodeLanguage::Php | CodeLanguage::Perl) =>
            {
                self.call_named(at, callee, given)
            }
            CodeValue::Dynamic | CodeValue::AnyOf(_) => self.unknown_call(at),
            other => {
                self.call_callbacks(at, given, None);
                CodeValue::Data(other.origin())
            }
        }
    }

    /// Records that a value of which nothing is known is called, and returns an unknown value.
    pub(super) fn unknown_call(&mut self, at: NodeRef) -> CodeValue {
        let source = self.source(at);
        self.add_unanalysed(computed_reason(&source), None);
        CodeValue::Dynamic
    }

    /// Calls a library function that no table lists. `callee` is its full name, if it has one. Returns an object without
    /// known methods.
    fn call_unlisted(&mut self, at: NodeRef, callee: Option<&str>, given: &CallArguments) -> CodeValue {
        self.add_named_effects(at, callee, given);
        self.call_callbacks(at, given, None);
        CodeValue::Object
    }

    /// Records that a call may affect all files and programs that its source text and its known arguments name.
    pub(super) fn add_named_effects(&mut self, at: NodeRef, callee: Option<&str>, given: &CallArguments) {
        let source = self.source(at);
        let mut arguments = String::new();
        for value in given.positional.iter().chain(given.named.iter().map(|(_, value)| value)) {
            if let Some(known) = value.known_text() {
                arguments.push_str(&format!("\n{known:?}"));
            }
        }
        let text = match self.trees.get(at.tree) {
            Some(tree) if !names_programs(callee) => unseen_text(self.language, tree, at.id, &arguments),
            _ => UnseenText::from(source.clone() + &arguments),
        };
        // A module that the program wrote may affect anything, not only what the call names.
        let is_own = self.own_modules.iter().any(|own| source.contains(&**own));
        self.add_unanalysed(Unknown::new(Cause::Library, excerpt(&source)), Some(text).filter(|_| !is_own));
    }

    /// Calls a function of PHP or Perl by a text that is its name, or by PHP's list of an object or a class and a
    /// method: `["class", "method"]`.
    fn call_named(&mut self, at: NodeRef, callee: &CodeValue, given: &CallArguments) -> CodeValue {
        let callee = match callee {
            CodeValue::Text(name, _) => name.known_text().map(str::to_owned).map(|name| match self.language {
                CodeLanguage::Perl => self.value_named(name.trim_start_matches("CORE::").trim_start_matches("main::")),
                _ => self.php_callable(&name.to_ascii_lowercase()),
            }),
            CodeValue::List(_) => match self.list_values(callee).as_slice() {
                [object, name] => name.known_text().map(str::to_ascii_lowercase).map(|name| {
                    let object = match object.known_text().map(str::to_ascii_lowercase) {
                        Some(class) => self.value_named(&class),
                        None => object.clone(),
                    };
                    self.member(&object, &name)
                }),
                _ => None,
            },
            _ => None,
        };
        match callee {
            Some(callee) => self.call(at, &callee, given),
            None => self.unknown_call(at),
        }
    }

    /// Returns the PHP function with this name, or the static method for `class::method`.
    fn php_callable(&mut self, name: &str) -> CodeValue {
        let name = name.trim_start_matches('\\');
        match name.split_once("::") {
            Some((class, method)) => {
                let class = self.value_named(class);
                self.member(&class, method)
            }
            None => self.value_named(name),
        }
    }

    /// Calls a library function, or a method of `this`, by its full name in the tables: by its row if there is one,
    /// else as a call without effects or as an unlisted one.
    fn call_library(&mut self, at: NodeRef, name: &str, this: Option<&CodeValue>, given: &CallArguments) -> CodeValue {
        if let Some(value) = self.call_function_as_method(at, name, given) {
            return value;
        }
        let call = LibraryCall { at, this, given };
        if let Some(row) = library::find_row(self.language, name) {
            if given.named_value(BLOCK).is_some() && !row.returns.calls_argument() {
                return self.with_block(call, row);
            }
            self.apply_row(call, row);
            return self.return_value(call, row.returns);
        }
        if let Some(this) = this.filter(|_| self.language == CodeLanguage::Ruby)
            && let Some(value) = self.call_object_method(at, name, this, given)
        {
            return value;
        }
        if let Some(value) = self.call_reflected(at, name, given) {
            return value;
        }
        if this.is_some() || library::is_without_effect(self.language, name) {
            return self.call_plain(at, given, this);
        }
        self.call_unlisted(at, Some(name), given)
    }

    /// Returns the arguments that a function receives through its own method: `x` for `f.call(this, x)` and
    /// `f.apply(this, [x])`.
    fn bound_arguments(&mut self, name: &str, given: &CallArguments) -> CallArguments {
        let plain = match (name, given.positional.get(1)) {
            ("function.apply", Some(list)) => self.list_values(list),
            _ => given.positional.iter().skip(1).cloned().collect(),
        };
        CallArguments { positional: plain, named: given.named.clone(), is_open: true }
    }

    /// Returns the elements of a list. An unknown number of elements is a single `Several`.
    pub(super) fn list_values(&mut self, list: &CodeValue) -> Vec<CodeValue> {
        match self.elements(list) {
            IterationElements::Known(values) => values,
            IterationElements::Several(value) => vec![CodeValue::several(value)],
        }
    }

    /// Returns a value that is one of the elements of a list.
    pub(super) fn any_element(&mut self, list: &CodeValue) -> CodeValue {
        match self.elements(list) {
            IterationElements::Known(values) => either_of(values),
            IterationElements::Several(value) => value,
        }
    }

    /// Evaluates a library function that calls or sets what its arguments name: `Reflect.apply(f, …)`,
    /// `setattr(o, "x", v)`, `pathlib.Path.unlink(p)`, or Ruby's `send(:f)`. Returns `None` for any other function.
    fn call_reflected(&mut self, at: NodeRef, name: &str, given: &CallArguments) -> Option<CodeValue> {
        if self.language == CodeLanguage::Ruby
            && let Some(value) = self.call_by_name(at, name, given)
        {
            return Some(value);
        }
        match (name, given.positional.as_slice()) {
            ("Reflect.apply", [function, _, list]) => {
                let plain = self.list_values(list);
                Some(self.call(at, function, &CallArguments { positional: plain, ..CallArguments::default() }))
            }
            ("setattr" | "Reflect.set", [object, key, value]) => match self.key(key) {
                Some(key) => {
                    self.set_member(object, &key, value.clone());
                    Some(CodeValue::Nothing)
                }
                None => Some(self.unknown_call(at)),
            },
            // `pathlib.Path.unlink(path)` is `path.unlink()`.
            (name, [object, rest @ ..]) => {
                let method = name.strip_prefix("pathlib.Path.")?;
                let object = match object {
                    CodeValue::Several(inner) => (**inner).clone(),
                    object => object.clone(),
                };
                let object = CodeValue::Path(self.word(&object, at));
                let given = CallArguments { positional: rest.to_vec(), ..given.clone() };
                Some(self.call_library(at, &format!("path.{method}"), Some(&object), &given))
            }
            _ => None,
        }
    }

    /// Applies the effects of a row of the tables, once for each alternative of the receiver.
    ///
    /// The functions among the arguments are also called, unless the row's return value or a Ruby block accounts for
    /// them.
    fn apply_row(&mut self, call: LibraryCall<'_>, row: &'static LibraryRow) {
        for does in row.effects {
            match call.this {
                None => self.apply_effect(call, *does),
                Some(this) => {
                    for this in &this.alternatives() {
                        self.apply_effect(LibraryCall { this: Some(this), ..call }, *does);
                    }
                }
            }
        }
        if !row.returns.calls_argument() && call.given.named_value(BLOCK).is_none() {
            self.call_callbacks(call.at, call.given, None);
        }
    }

    /// Applies the effects of a row, and calls the Ruby block of the call with the result. Returns what `call_block`
    /// returns.
    fn with_block(&mut self, call: LibraryCall<'_>, row: &'static LibraryRow) -> CodeValue {
        let directory = self.state.directory.clone();
        self.apply_row(call, row);
        let value = self.return_value(call, row.returns);
        let block = call.given.named_value(BLOCK).cloned().unwrap_or(CodeValue::Nothing);
        let value = self.call_block(call.at, &block, &value);
        // `Dir.chdir("x") { … }` changes the directory for the block only.
        self.state.directory = directory;
        value
    }

    /// Calls the block of a call once, with the result of the call; if that is a list, with a value that is any of
    /// its elements. Returns the list, or for any other result what the block returns.
    fn call_block(&mut self, at: NodeRef, block: &CodeValue, value: &CodeValue) -> CodeValue {
        let values = match value.is_collection().then(|| self.elements(value)) {
            Some(IterationElements::Known(values)) => values,
            Some(IterationElements::Several(value)) => vec![value],
            None => vec![value.clone()],
        };
        let element = either_of(values);
        let result = self.call(
            at,
            block,
            &CallArguments { positional: vec![element], is_open: true, ..CallArguments::default() },
        );
        if value.is_collection() { value.clone() } else { result }
    }

    /// Calls a function that has no effects of its own; the functions among its arguments are called.
    ///
    /// Returns `Dynamic` if the function is passed a module whose functions have effects, an object if it is passed
    /// one, and else unknown data.
    fn call_plain(&mut self, at: NodeRef, given: &CallArguments, this: Option<&CodeValue>) -> CodeValue {
        let several =
            this.filter(|this| matches!(this, CodeValue::List(_) | CodeValue::Several(_) | CodeValue::Dictionary(_)));
        let element = several.map(|this| self.any_element(this));
        self.call_callbacks(at, given, element.as_ref());
        let all = || given.positional.iter().chain(given.named.iter().map(|(_, value)| value)).chain(this);
        // The result may contain the module's functions: `vars(os)["system"]`.
        if all().any(has_effects) {
            return CodeValue::Dynamic;
        }
        let origin = all().map(CodeValue::origin).max().unwrap_or(DataOrigin::Computed);
        match all().any(|value| *value == CodeValue::Object) {
            true => CodeValue::Object,
            false => CodeValue::Data(origin),
        }
    }

    /// Calls the functions among the arguments of a call: those of the program, and those of the library that have
    /// effects.
    ///
    /// Each receives the elements of the named argument `args`, else `element`, else the arguments after it, else two
    /// unknown values.
    fn call_callbacks(&mut self, at: NodeRef, given: &CallArguments, element: Option<&CodeValue>) {
        // `Thread(target=f, args=[x])`
        let arguments = given.named_value("args").cloned();
        for (place, value) in given.positional.iter().chain(given.named.iter().map(|(_, value)| value)).enumerate() {
            let inner = match value {
                CodeValue::Several(inner) => (**inner).clone(),
                value => value.clone(),
            };
            let is_called = match &inner {
                CodeValue::Function(_) => true,
                CodeValue::Library(name) => {
                    library::find_row(self.language, name).is_some_and(|row| !row.effects.is_empty())
                }
                CodeValue::Method(name, receiver) => {
                    **receiver != CodeValue::Object
                        && library::find_row(self.language, name).is_some_and(|row| !row.effects.is_empty())
                }
                _ => false,
            };
            if !is_called {
                continue;
            }
            // `setTimeout(f, delay, x)`: the delay is between the callback and its arguments.
            let source = self.source(at);
            let is_timer = source.starts_with("setTimeout") || source.starts_with("setInterval");
            let behind: Vec<CodeValue> =
                given.positional.iter().skip(place + 1 + usize::from(is_timer)).cloned().collect();
            let with = match (&arguments, element) {
                (Some(arguments), _) => match self.elements(arguments) {
                    IterationElements::Known(values) => values,
                    IterationElements::Several(value) => vec![value],
                },
                (None, Some(element)) => vec![element.clone()],
                // `atexit.register(os.system, "x")`, `executor.submit(f, x)`, `map(f, x)`
                (None, None) if !behind.is_empty() => behind,
                (None, None) => vec![CodeValue::COMPUTED; 2],
            };
            if self.depth + CALL_LEVELS < super::evaluate::LEVELS {
                self.depth += CALL_LEVELS;
                self.call(at, &inner, &CallArguments { positional: with, named: Vec::new(), is_open: true });
                self.depth -= CALL_LEVELS;
            } else {
                self.too_deep_value(at);
            }
        }
    }

    /// Calls a function of the program, and returns its return value.
    ///
    /// A recursion is limited by `MAX_RECURSION`. A call that is nested too deeply is recorded as not analysed.
    pub(super) fn call_function(&mut self, at: NodeRef, closure: &Closure, given: &CallArguments) -> CodeValue {
        let key = (closure.tree, closure.function);
        self.called.insert(key);
        let again = self.calls.iter().filter(|one| **one == key).count();
        if again > MAX_RECURSION {
            // A call around this one was evaluated with unknown arguments, which covers this one.
            return CodeValue::COMPUTED;
        }
        let Some(function) = self.trees.get(closure.tree).and_then(|tree| tree.function(closure.function)) else {
            return CodeValue::Dynamic;
        };
        if self.depth + CALL_LEVELS >= super::evaluate::LEVELS {
            return self.too_deep_value(at);
        }
        self.depth += CALL_LEVELS;
        self.calls.push(key);
        self.returned.push(None);
        // One scope for the captured variables, and one for those of the function itself.
        self.state.open_scope(closure.variables.clone().unwrap_or_default());
        self.state.open_scope(Rc::default());
        let is_python = self.language == CodeLanguage::Python;
        let mut plain: Vec<CodeValue> = closure.receiver.iter().filter(|_| is_python).cloned().collect();
        if let Some(receiver) = closure.receiver.as_ref().filter(|_| !is_python) {
            self.state.set(&"this".into(), receiver.clone());
        }
        // Beyond the limit of a recursion, the arguments may have any value.
        let forget = |value: &CodeValue| if again == MAX_RECURSION { value.after_change() } else { value.clone() };
        plain.extend(given.positional.iter().map(forget));
        if self.language == CodeLanguage::Perl {
            let list = self.new_list(plain.clone());
            self.state.set(&"@_".into(), list);
        }
        if self.language == CodeLanguage::Ruby {
            self.bind_block(&function.parameters, &mut plain, given);
        }
        self.bind_parameters(closure.tree, &function.parameters, plain, given);
        self.value(NodeRef { tree: closure.tree, id: function.body });
        self.state.close_scope();
        self.state.close_scope();
        self.calls.pop();
        self.depth -= CALL_LEVELS;
        self.returned.pop().flatten().unwrap_or(CodeValue::Nothing)
    }

    /// Binds the block that a Ruby function is passed. If several parameters receive one list, its elements are the
    /// arguments: `each { |key, value| … }`.
    fn bind_block(&mut self, parameters: &[AssignmentTarget], plain: &mut Vec<CodeValue>, given: &CallArguments) {
        if let Some(block) = given.named_value(BLOCK) {
            self.state.set(&BLOCK.into(), block.clone());
        }
        if let ([list @ CodeValue::List(_)], true) = (plain.as_slice(), parameters.len() > 1) {
            *plain = self.list_values(&list.clone());
        }
    }

    /// Binds the parameters of a function: each to the next positional argument, else to the argument of its name,
    /// else to its default.
    fn bind_parameters(
        &mut self,
        tree: usize,
        parameters: &[AssignmentTarget],
        plain: Vec<CodeValue>,
        given: &CallArguments,
    ) {
        let mut plain = plain.into_iter();
        for parameter in parameters {
            let name = match parameter {
                AssignmentTarget::Name(name) => Some(name),
                AssignmentTarget::Default(inner, _) => match &**inner {
                    AssignmentTarget::Name(name) => Some(name),
                    _ => None,
                },
                _ => None,
            };
            let value = match parameter {
                AssignmentTarget::Rest(_) => {
                    let rest: Vec<CodeValue> = plain.by_ref().collect();
                    self.new_list(rest)
                }
                _ => match plain.next() {
                    Some(CodeValue::Several(inner)) if given.is_open => (*inner).clone(),
                    Some(value) => value,
                    None => match name.and_then(|name| given.named_value(source_name(name).trim_start_matches('$'))) {
                        // In JavaScript, `named` has the members of object arguments, which are not bound to
                        // parameters.
                        Some(value) if self.language != CodeLanguage::JavaScript => value.clone(),
                        _ if given.is_open => CodeValue::COMPUTED,
                        _ => CodeValue::Nothing,
                    },
                },
            };
            match (name, self.language) {
                // A parameter shadows outer variables.
                (Some(name), CodeLanguage::JavaScript) if matches!(parameter, AssignmentTarget::Name(_)) => {
                    self.state.set(name, value);
                }
                (name, _) => {
                    if let Some(name) = name {
                        self.state.set(name, CodeValue::Nothing);
                    }
                    self.bind(tree, parameter, value);
                }
            }
        }
    }

    /// Creates an instance of a class, and calls the constructor that the class defines, if any.
    fn instantiate(&mut self, at: NodeRef, class: super::value::HeapAddress, given: &CallArguments) -> CodeValue {
        let Some(HeapCell::Dictionary(members)) = self.state.cell(class).cloned() else { return CodeValue::Object };
        let instance = CodeValue::Instance(self.state.allocate(HeapCell::Dictionary(members)));
        let made = match self.language {
            CodeLanguage::Python => "__init__",
            CodeLanguage::JavaScript => "constructor",
            CodeLanguage::Ruby => "initialize",
            CodeLanguage::Php => "__construct",
            CodeLanguage::Perl => "new",
        };
        let of_class = match self.state.cell(class) {
            Some(HeapCell::Dictionary(keys)) => keys.get(made).cloned(),
            _ => None,
        };
        if let Some(CodeValue::Function(closure)) = of_class {
            self.call_function(at, &closure.of(instance.clone()), given);
        }
        instance
    }
}

/// Returns a value that is one of these; unknown data if there are none. A `Several` counts as one of its values.
pub(super) fn either_of(values: Vec<CodeValue>) -> CodeValue {
    let each = values.into_iter().map(|value| match value {
        CodeValue::Several(inner) => (*inner).clone(),
        value => value,
    });
    each.reduce(CodeValue::either).unwrap_or(CodeValue::COMPUTED)
}

/// Whether a value is a module whose functions have effects, or may be anything.
fn has_effects(value: &CodeValue) -> bool {
    const MODULES: &[&str] =
        &["os", "subprocess", "shutil", "pathlib", "fs", "child_process", "process", "globalThis", "Bun", "Deno"];
    match value {
        CodeValue::Library(name) => MODULES.contains(&&**name),
        value => *value == CodeValue::Dynamic,
    }
}

/// Whether the functions of a library are programs by their own names: `sh.git("push")`.
fn names_programs(callee: Option<&str>) -> bool {
    const MODULES: [&str; 3] = ["sh", "plumbum", "shelljs"];
    callee.and_then(|name| name.split('.').next()).is_some_and(|module| MODULES.contains(&module))
}

/// Returns the text of a part of a program, followed by what is known of its arguments.
pub(super) fn unseen_text(language: CodeLanguage, tree: &CodeTree, at: CodeNodeId, arguments: &str) -> UnseenText {
    let whole = tree.text_of(at).to_owned() + arguments;
    // In the other languages, a word without quotes may be a text, too.
    if !matches!(language, CodeLanguage::Python | CodeLanguage::JavaScript) {
        return whole.into();
    }
    let mut literals = arguments.to_owned();
    for node in tree.subtree(at) {
        let CodeNode::Text(pieces) = node else { continue };
        for piece in pieces {
            if let TextPiece::Text(text) = piece {
                literals.push('\n');
                literals.push_str(text);
            }
        }
    }
    UnseenText::with_literals(whole, literals)
}
