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
        let callee = self.part_value(at, callee);
        let given = self.evaluate_arguments(at, arguments);
        let mut result: Option<CodeValue> = None;
        for callee in callee.alternatives() {
            for given in given.alternatives() {
                let value = self.call(at, &callee, &given);
                result = Some(result.map_or(value.clone(), |before| before.either(value)));
            }
        }
        result.unwrap_or(CodeValue::Nothing)
    }

    /// Evaluates the arguments of a call: positional, named and spread ones (`f(*list)`).
    fn evaluate_arguments(&mut self, at: NodeRef, arguments: &[CallArgument]) -> CallArguments {
        let mut given = CallArguments::default();
        for argument in arguments {
            let value = self.part_value(at, argument.id());
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
                given.may_have_more = true;
            }
        }
    }

    /// Adds the entries of a dictionary as named arguments. If they are unknown, there may be further arguments.
    fn add_names(&mut self, value: &CodeValue, given: &mut CallArguments) {
        if let CodeValue::Dictionary(address) = value
            && let Some(HeapCell::Dictionary(keys)) = self.state.cell(*address)
        {
            given.named.extend(keys.iter().map(|(name, value)| (Rc::clone(name), value.clone())));
        } else {
            given.may_have_more = true;
        }
    }

    /// Calls a value with arguments, and returns the result.
    ///
    /// A call of a value that cannot be a function has no effect, except that the functions among the arguments are
    /// called.
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
            CodeValue::Class(address) => self.instantiate(at, *address, given),
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

    /// Records that the program calls a value of which nothing is known. Returns an unknown value.
    pub(super) fn unknown_call(&mut self, at: NodeRef) -> CodeValue {
        let source = self.source(at);
        self.add_unanalysed(computed_reason(&source), None);
        CodeValue::Dynamic
    }

    /// Calls a library function that no table lists, by its full name if it has one. Returns an object without known
    /// methods.
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
        let is_of_own_module = self.own_modules.iter().any(|module| source.contains(&**module));
        self.add_unanalysed(Unknown::new(Cause::Library, excerpt(&source)), Some(text).filter(|_| !is_of_own_module));
    }

    /// Calls the function that a value names: a text is the name of a function of PHP or Perl, and PHP's list
    /// `["class", "method"]` names a method of a class or of an object.
    fn call_named(&mut self, at: NodeRef, callee: &CodeValue, given: &CallArguments) -> CodeValue {
        match self.named_callee(callee) {
            // The name is that of a variable, too, whose value may again be its own name.
            Some(CodeValue::Text(..) | CodeValue::List(_) | CodeValue::Data(_)) | None => self.unknown_call(at),
            Some(callee) => self.call(at, &callee, given),
        }
    }

    /// Returns the function that `call_named` calls; `None` if its name is unknown.
    fn named_callee(&mut self, callee: &CodeValue) -> Option<CodeValue> {
        match callee {
            CodeValue::Text(name, _) => {
                let name = name.known_text()?;
                Some(match self.language {
                    CodeLanguage::Perl => {
                        self.value_named(name.trim_start_matches("CORE::").trim_start_matches("main::"))
                    }
                    _ => self.php_callable(&name.to_ascii_lowercase()),
                })
            }
            CodeValue::List(_) => {
                let values = self.list_values(callee);
                let [object, method] = values.as_slice() else { return None };
                let method = method.known_text()?.to_ascii_lowercase();
                // A text is the name of a class.
                let object = match object.known_text().map(str::to_ascii_lowercase) {
                    Some(class) => self.value_named(&class),
                    None => object.clone(),
                };
                Some(self.member(&object, &method))
            }
            _ => None,
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

    /// Calls a library function, or a method of `this`, by its full name in the tables. If no row lists it, it is a
    /// function without effects or an unlisted one.
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
        let positional = match (name, given.positional.get(1)) {
            ("function.apply", Some(list)) => self.list_values(list),
            _ => given.positional.iter().skip(1).cloned().collect(),
        };
        CallArguments { positional, named: given.named.clone(), may_have_more: true }
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

    /// Evaluates a library function that calls or sets what an argument names or is: `Reflect.apply(f, …)`,
    /// `setattr(o, "x", v)`, `pathlib.Path.unlink(p)`, or Ruby's `send(:f)`. Returns `None` for any other function.
    fn call_reflected(&mut self, at: NodeRef, name: &str, given: &CallArguments) -> Option<CodeValue> {
        if self.language == CodeLanguage::Ruby
            && let Some(value) = self.call_by_name(at, name, given)
        {
            return Some(value);
        }
        match (name, given.positional.as_slice()) {
            ("Reflect.apply", [function, _, list]) => {
                let positional = self.list_values(list);
                Some(self.call(at, function, &CallArguments { positional, ..CallArguments::default() }))
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
    /// The functions among the arguments are also called, unless evaluating the row's return value does so, or the call
    /// has a Ruby block.
    fn apply_row(&mut self, call: LibraryCall<'_>, row: &'static LibraryRow) {
        for effect in row.effects {
            match call.this {
                None => self.apply_effect(call, *effect),
                Some(this) => {
                    for this in &this.alternatives() {
                        self.apply_effect(LibraryCall { this: Some(this), ..call }, *effect);
                    }
                }
            }
        }
        if !row.returns.calls_argument() && call.given.named_value(BLOCK).is_none() {
            self.call_callbacks(call.at, call.given, None);
        }
    }

    /// Applies the effects of a row, and calls the Ruby block of the call with the call's result. Returns the value of
    /// the block, or the result itself if it is a list.
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

    /// Calls the Ruby block of a call once with the call's result, or if that is a list, with a value that may be any
    /// of its elements. Returns the list, or else the value of the block.
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
            &CallArguments { positional: vec![element], may_have_more: true, ..CallArguments::default() },
        );
        if value.is_collection() { value.clone() } else { result }
    }

    /// Calls a function that has no effects of its own; the functions among its arguments are called.
    ///
    /// Returns unknown data; an object if the function is passed one; and `Dynamic` if it is passed a module whose
    /// functions have effects, since the result may contain these: `vars(os)["system"]`.
    fn call_plain(&mut self, at: NodeRef, given: &CallArguments, this: Option<&CodeValue>) -> CodeValue {
        let collection =
            this.filter(|this| matches!(this, CodeValue::List(_) | CodeValue::Several(_) | CodeValue::Dictionary(_)));
        let element = collection.map(|this| self.any_element(this));
        self.call_callbacks(at, given, element.as_ref());
        let inputs = || given.positional.iter().chain(given.named.iter().map(|(_, value)| value)).chain(this);
        if inputs().any(has_effects) {
            return CodeValue::Dynamic;
        }
        let origin = inputs().map(CodeValue::origin).max().unwrap_or(DataOrigin::Computed);
        match inputs().any(|value| *value == CodeValue::Object) {
            true => CodeValue::Object,
            false => CodeValue::Data(origin),
        }
    }

    /// Calls the functions among the arguments of a call: those of the program, and those of the library that have
    /// effects.
    ///
    /// Each is passed the elements of the named argument `args`. If there is none, it is passed `element`, else the
    /// arguments after the function, else two unknown values.
    fn call_callbacks(&mut self, at: NodeRef, given: &CallArguments, element: Option<&CodeValue>) {
        let language = self.language;
        let has_listed_effects =
            |name: &str| library::find_row(language, name).is_some_and(|row| !row.effects.is_empty());
        // `Thread(target=f, args=[x])`
        let arguments = given.named_value("args").cloned();
        for (index, value) in given.positional.iter().chain(given.named.iter().map(|(_, value)| value)).enumerate() {
            let callback = match value {
                CodeValue::Several(callback) => (**callback).clone(),
                value => value.clone(),
            };
            let is_called = match &callback {
                CodeValue::Function(_) => true,
                CodeValue::Library(name) => has_listed_effects(name),
                CodeValue::Method(name, receiver) => **receiver != CodeValue::Object && has_listed_effects(name),
                _ => false,
            };
            if !is_called {
                continue;
            }
            // In `setTimeout(f, delay, x)`, the delay is between the callback and its arguments.
            let source = self.source(at);
            let is_timer = source.starts_with("setTimeout") || source.starts_with("setInterval");
            let following: Vec<CodeValue> =
                given.positional.iter().skip(index + 1 + usize::from(is_timer)).cloned().collect();
            let passed = match (&arguments, element) {
                (Some(arguments), _) => match self.elements(arguments) {
                    IterationElements::Known(values) => values,
                    IterationElements::Several(value) => vec![value],
                },
                (None, Some(element)) => vec![element.clone()],
                // `atexit.register(os.system, "x")`, `executor.submit(f, x)`, `map(f, x)`
                (None, None) if !following.is_empty() => following,
                (None, None) => vec![CodeValue::COMPUTED; 2],
            };
            if self.depth + CALL_LEVELS < super::evaluate::LEVELS {
                self.depth += CALL_LEVELS;
                self.call(at, &callback, &CallArguments { positional: passed, named: Vec::new(), may_have_more: true });
                self.depth -= CALL_LEVELS;
            } else {
                self.too_deep_value(at);
            }
        }
    }

    /// Calls a function of the program, and returns its return value.
    ///
    /// [`MAX_RECURSION`] limits recursion. A call that is nested too deeply is recorded as not analysed.
    pub(super) fn call_function(&mut self, at: NodeRef, closure: &Closure, given: &CallArguments) -> CodeValue {
        let key = (closure.tree, closure.function);
        self.called.insert(key);
        let calls_in_progress = self.calls.iter().filter(|call| **call == key).count();
        if calls_in_progress > MAX_RECURSION {
            // An outer call was evaluated with unknown arguments, which covers this one.
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
        let mut positional: Vec<CodeValue> = closure.receiver.iter().filter(|_| is_python).cloned().collect();
        if let Some(receiver) = closure.receiver.as_ref().filter(|_| !is_python) {
            self.state.set(&"this".into(), receiver.clone());
        }
        // The last call of a recursion covers all deeper ones, whose arguments may have any value.
        let forget =
            |value: &CodeValue| if calls_in_progress == MAX_RECURSION { value.after_change() } else { value.clone() };
        positional.extend(given.positional.iter().map(forget));
        if self.language == CodeLanguage::Perl {
            let list = self.new_list(positional.clone());
            self.state.set(&"@_".into(), list);
        }
        if self.language == CodeLanguage::Ruby {
            self.bind_block(&function.parameters, &mut positional, given);
        }
        self.bind_parameters(closure.tree, &function.parameters, positional, given);
        self.value(NodeRef { tree: closure.tree, id: function.body });
        self.state.close_scope();
        self.state.close_scope();
        self.calls.pop();
        self.depth -= CALL_LEVELS;
        self.returned.pop().flatten().unwrap_or(CodeValue::Nothing)
    }

    /// Binds the block that is passed to a Ruby function. If the only argument is a list and there are several
    /// parameters, the list's elements become the arguments: `each { |key, value| … }`.
    fn bind_block(&mut self, parameters: &[AssignmentTarget], positional: &mut Vec<CodeValue>, given: &CallArguments) {
        if let Some(block) = given.named_value(BLOCK) {
            self.state.set(&BLOCK.into(), block.clone());
        }
        if let ([list @ CodeValue::List(_)], true) = (positional.as_slice(), parameters.len() > 1) {
            *positional = self.list_values(&list.clone());
        }
    }

    /// Binds the parameters of a function: each to the next positional argument, else to the argument of its name,
    /// else to its default. `positional` replaces the positional arguments of `given`.
    fn bind_parameters(
        &mut self,
        tree: usize,
        parameters: &[AssignmentTarget],
        positional: Vec<CodeValue>,
        given: &CallArguments,
    ) {
        let mut positional = positional.into_iter();
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
                    let rest: Vec<CodeValue> = positional.by_ref().collect();
                    self.new_list(rest)
                }
                _ => match positional.next() {
                    Some(CodeValue::Several(inner)) if given.may_have_more => (*inner).clone(),
                    Some(value) => value,
                    None => match name.and_then(|name| given.named_value(source_name(name).trim_start_matches('$'))) {
                        // In JavaScript, `named` has the members of object arguments, which are not bound to
                        // parameters.
                        Some(value) if self.language != CodeLanguage::JavaScript => value.clone(),
                        _ if given.may_have_more => CodeValue::COMPUTED,
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
        let constructor = match self.language {
            CodeLanguage::Python => "__init__",
            CodeLanguage::JavaScript => "constructor",
            CodeLanguage::Ruby => "initialize",
            CodeLanguage::Php => "__construct",
            CodeLanguage::Perl => "new",
        };
        let definition = match self.state.cell(class) {
            Some(HeapCell::Dictionary(keys)) => keys.get(constructor).cloned(),
            _ => None,
        };
        if let Some(CodeValue::Function(closure)) = definition {
            self.call_function(at, &closure.bound_to(instance.clone()), given);
        }
        instance
    }
}

/// Returns a value that may be any of these; unknown data if there are none. A `Several` is treated as one of its
/// values.
pub(super) fn either_of(values: Vec<CodeValue>) -> CodeValue {
    let each = values.into_iter().map(|value| match value {
        CodeValue::Several(inner) => (*inner).clone(),
        value => value,
    });
    each.reduce(CodeValue::either).unwrap_or(CodeValue::COMPUTED)
}

/// Whether a value is a module whose functions have effects, or is completely unknown.
fn has_effects(value: &CodeValue) -> bool {
    const MODULES: &[&str] =
        &["os", "subprocess", "shutil", "pathlib", "fs", "child_process", "process", "globalThis", "Bun", "Deno"];
    match value {
        CodeValue::Library(name) => MODULES.contains(&&**name),
        value => *value == CodeValue::Dynamic,
    }
}

/// Whether the functions of the callee's module run the programs of the same names: `sh.git("push")`.
fn names_programs(callee: Option<&str>) -> bool {
    const MODULES: [&str; 3] = ["sh", "plumbum", "shelljs"];
    callee.and_then(|name| name.split('.').next()).is_some_and(|module| MODULES.contains(&module))
}

/// Returns the text of the node `at`, followed by the known arguments of the call. In Python and JavaScript, it also
/// says which parts of that text are literals.
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
