//! Calls: the callee and its arguments.

use std::rc::Rc;

use super::arguments::{Given, LibraryCall};
use super::evaluate::{At, CALL_LEVELS, Elements, Evaluator, computed};
use super::library::{self, Row};
use super::ruby::BLOCK;
use super::scopes::bare;
use super::tree::{Argument, Id, Target};
use super::value::{Closure, Held, Origin, Value};
use super::{Language, shortened};
use crate::word::{Cause, Unknown};

/// How often a recursive function is followed; after that its arguments are unknown.
const AGAIN: usize = 2;

impl Evaluator<'_> {
    pub(super) fn call_node(&mut self, at: At, callee: Id, arguments: &[Argument]) -> Value {
        let callee = self.inner(at, callee);
        let given = self.given(at, arguments);
        let mut result: Option<Value> = None;
        for callee in callee.alternatives() {
            for given in given.alternatives() {
                let one = self.call(at, &callee, &given);
                result = Some(result.map_or(one.clone(), |before| before.or(one)));
            }
        }
        result.unwrap_or(Value::Nothing)
    }

    /// Evaluates the arguments of a call.
    fn given(&mut self, at: At, arguments: &[Argument]) -> Given {
        let mut given = Given::default();
        for argument in arguments {
            let value = self.inner(at, argument.id());
            match argument {
                Argument::Named(name, _) => given.named.push((Rc::clone(name), value)),
                Argument::Names(_) => self.add_names(&value, &mut given),
                Argument::Spread(_) => self.add_elements(&value, &mut given),
                Argument::Flat(_) if value.is_several() => self.add_elements(&value, &mut given),
                Argument::Plain(_) | Argument::Flat(_) => given.plain.push(value),
            }
        }
        if self.language == Language::JavaScript {
            for keys in given.plain.clone().iter().filter(|value| matches!(value, Value::Keys(_))) {
                self.add_names(keys, &mut given);
            }
        }
        given
    }

    fn add_elements(&mut self, list: &Value, given: &mut Given) {
        match self.elements(list) {
            Elements::Known(values) => given.plain.extend(values),
            Elements::Some(value) => {
                given.plain.push(Value::each(value));
                given.is_open = true;
            }
        }
    }

    fn add_names(&mut self, value: &Value, given: &mut Given) {
        if let Value::Keys(place) = value
            && let Some(Held::Keys(keys)) = self.state.held(*place)
        {
            given.named.extend(keys.iter().map(|(name, value)| (Rc::clone(name), value.clone())));
        } else {
            given.is_open = true;
        }
    }

    /// Calls a value.
    pub(super) fn call(&mut self, at: At, callee: &Value, given: &Given) -> Value {
        self.spend(16);
        match callee {
            Value::Library(name) => self.call_library(at, name, None, given),
            Value::Method(name, function)
                if matches!(&**name, "function.call" | "function.apply" | "function.bind") =>
            {
                let given = self.bound(name, given);
                let result = self.call(at, function, &given);
                // A bound function is called later with more arguments; its result is unknown.
                if &**name == "function.bind" { Value::COMPUTED } else { result }
            }
            Value::Method(name, receiver) => match &**receiver {
                Value::Object => self.unlisted(at, given),
                receiver => self.call_library(at, name, Some(receiver), given),
            },
            Value::Function(closure) => self.call_function(at, closure, given),
            Value::Class(place) => self.instantiate(at, *place, given),
            Value::Instance(_) => {
                let called = self.member(callee, "__call__");
                if let Value::Function(closure) = called {
                    self.call_function(at, &closure, given)
                } else {
                    Value::Object
                }
            }
            Value::Each(inner) => {
                let inner = (**inner).clone();
                if inner.may_act() { self.unknown_call(at) } else { Value::Data(inner.origin()) }
            }
            Value::Object => self.unlisted(at, given),
            Value::Text(..) | Value::List(_) | Value::Data(_)
                if matches!(self.language, Language::Php | Language::Perl) =>
            {
                self.call_named(at, callee, given)
            }
            Value::Dynamic | Value::Either(_) => self.unknown_call(at),
            other => {
                self.called_back(at, given, None);
                Value::Data(other.origin())
            }
        }
    }

    /// A call of something that may be anything.
    pub(super) fn unknown_call(&mut self, at: At) -> Value {
        let source = self.source(at);
        self.unseen(computed(&source), None);
        Value::Dynamic
    }

    /// Calls a function that no table has: it may affect what its text names.
    fn unlisted(&mut self, at: At, given: &Given) -> Value {
        let source = self.source(at);
        let mut text = source.clone();
        for value in given.plain.iter().chain(given.named.iter().map(|(_, value)| value)) {
            if let Some(known) = value.known() {
                text.push_str(&format!("\n{known:?}"));
            }
        }
        let is_own = self.own_modules.iter().any(|own| source.contains(&**own));
        self.unseen(Unknown::new(Cause::Library, shortened(&source)), Some(text).filter(|_| !is_own));
        self.called_back(at, given, None);
        Value::Object
    }

    /// Calls a PHP function by its name, or by a list: `["class", "method"]`.
    fn call_named(&mut self, at: At, callee: &Value, given: &Given) -> Value {
        let callee = match callee {
            Value::Text(name, _) => name.known().map(str::to_owned).map(|name| match self.language {
                Language::Perl => self.named(name.trim_start_matches("CORE::").trim_start_matches("main::")),
                _ => self.php_callable(&name.to_ascii_lowercase()),
            }),
            Value::List(_) => match self.listed(callee).as_slice() {
                [object, name] => name.known().map(str::to_ascii_lowercase).map(|name| {
                    let object = match object.known().map(str::to_ascii_lowercase) {
                        Some(class) => self.named(&class),
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

    /// Returns the PHP function of this name.
    fn php_callable(&mut self, name: &str) -> Value {
        let name = name.trim_start_matches('\\');
        match name.split_once("::") {
            Some((class, method)) => {
                let class = self.named(class);
                self.member(&class, method)
            }
            None => self.named(name),
        }
    }

    fn call_library(&mut self, at: At, name: &str, this: Option<&Value>, given: &Given) -> Value {
        if let Some(value) = self.called_as_method(at, name, given) {
            return value;
        }
        let call = LibraryCall { at, this, given };
        if let Some(row) = library::row(self.language, name) {
            if given.named(BLOCK).is_some() && !row.gives.calls_argument() {
                return self.with_block(call, row);
            }
            self.do_row(call, row);
            return self.gives(call, row.gives);
        }
        if let Some(this) = this.filter(|_| self.language == Language::Ruby)
            && let Some(value) = self.called_of(at, name, this, given)
        {
            return value;
        }
        if let Some(value) = self.reflected(at, name, given) {
            return value;
        }
        if this.is_some() || library::is_plain(self.language, name) {
            return self.plain(at, given, this);
        }
        self.unlisted(at, given)
    }

    /// Returns the arguments of a call through a function's method: `f.call(this, x)`, `f.apply(this, [x])`.
    fn bound(&mut self, name: &str, given: &Given) -> Given {
        let plain = match (name, given.plain.get(1)) {
            ("function.apply", Some(list)) => self.listed(list),
            _ => given.plain.iter().skip(1).cloned().collect(),
        };
        Given { plain, named: given.named.clone(), is_open: true }
    }

    pub(super) fn listed(&mut self, list: &Value) -> Vec<Value> {
        match self.elements(list) {
            Elements::Known(values) => values,
            Elements::Some(value) => vec![Value::each(value)],
        }
    }

    /// Returns one of the elements of a list.
    pub(super) fn any_element(&mut self, list: &Value) -> Value {
        match self.elements(list) {
            Elements::Known(values) => any_of(values),
            Elements::Some(value) => value,
        }
    }

    /// Evaluates calls that call or set something through their arguments.
    fn reflected(&mut self, at: At, name: &str, given: &Given) -> Option<Value> {
        if self.language == Language::Ruby
            && let Some(value) = self.reflected_by_name(at, name, given)
        {
            return Some(value);
        }
        match (name, given.plain.as_slice()) {
            ("Reflect.apply", [function, _, list]) => {
                let plain = self.listed(list);
                Some(self.call(at, function, &Given { plain, ..Given::default() }))
            }
            ("setattr" | "Reflect.set", [object, key, value]) => match self.key(key) {
                Some(key) => {
                    self.set_member(object, &key, value.clone());
                    Some(Value::Nothing)
                }
                None => Some(self.unknown_call(at)),
            },
            // A method of a class, called with its object.
            (name, [object, rest @ ..]) => {
                let method = name.strip_prefix("pathlib.Path.")?;
                let object = match object {
                    Value::Each(inner) => (**inner).clone(),
                    object => object.clone(),
                };
                let object = Value::Path(self.word(&object, at));
                let given = Given { plain: rest.to_vec(), ..given.clone() };
                Some(self.call_library(at, &format!("path.{method}"), Some(&object), &given))
            }
            _ => None,
        }
    }

    fn do_row(&mut self, call: LibraryCall<'_>, row: &'static Row) {
        for does in row.does {
            match call.this {
                None => self.act(call, *does),
                Some(this) => {
                    for this in &this.alternatives() {
                        self.act(LibraryCall { this: Some(this), ..call }, *does);
                    }
                }
            }
        }
        if !row.gives.calls_argument() && call.given.named(BLOCK).is_none() {
            self.called_back(call.at, call.given, None);
        }
    }

    /// Applies a row's effects, and calls the block with the result.
    fn with_block(&mut self, call: LibraryCall<'_>, row: &'static Row) -> Value {
        let directory = self.state.directory.clone();
        self.do_row(call, row);
        let value = self.gives(call, row.gives);
        let block = call.given.named(BLOCK).cloned().unwrap_or(Value::Nothing);
        let value = self.call_block(call.at, &block, &value);
        // `Dir.chdir("x") { … }`
        self.state.directory = directory;
        value
    }

    /// Calls the block of a call with the result of the call, or with each element of it.
    fn call_block(&mut self, at: At, block: &Value, value: &Value) -> Value {
        let values = match value.is_several().then(|| self.elements(value)) {
            Some(Elements::Known(values)) => values,
            Some(Elements::Some(value)) => vec![value],
            None => vec![value.clone()],
        };
        let element = any_of(values);
        let result = self.call(at, block, &Given { plain: vec![element], is_open: true, ..Given::default() });
        if value.is_several() { value.clone() } else { result }
    }

    /// Calls a function without effects; it may call the functions that it is passed.
    fn plain(&mut self, at: At, given: &Given, this: Option<&Value>) -> Value {
        let several = this.filter(|this| matches!(this, Value::List(_) | Value::Each(_) | Value::Keys(_)));
        let element = several.map(|this| self.any_element(this));
        self.called_back(at, given, element.as_ref());
        let all = || given.plain.iter().chain(given.named.iter().map(|(_, value)| value)).chain(this);
        // `vars(os)["system"]`
        if all().any(has_effects) {
            return Value::Dynamic;
        }
        let origin = all().map(Value::origin).max().unwrap_or(Origin::Computed);
        match all().any(|value| *value == Value::Object) {
            true => Value::Object,
            false => Value::Data(origin),
        }
    }

    /// Calls the callbacks that a call is passed; of a library's functions, only those with effects.
    fn called_back(&mut self, at: At, given: &Given, element: Option<&Value>) {
        let arguments = given.named("args").cloned();
        for (place, value) in given.plain.iter().chain(given.named.iter().map(|(_, value)| value)).enumerate() {
            let inner = match value {
                Value::Each(inner) => (**inner).clone(),
                value => value.clone(),
            };
            let is_called = match &inner {
                Value::Function(_) => true,
                Value::Library(name) => library::row(self.language, name).is_some_and(|row| !row.does.is_empty()),
                Value::Method(name, receiver) => {
                    **receiver != Value::Object
                        && library::row(self.language, name).is_some_and(|row| !row.does.is_empty())
                }
                _ => false,
            };
            if !is_called {
                continue;
            }
            // The delay is between a timer's callback and its arguments.
            let source = self.source(at);
            let is_timer = source.starts_with("setTimeout") || source.starts_with("setInterval");
            let behind: Vec<Value> = given.plain.iter().skip(place + 1 + usize::from(is_timer)).cloned().collect();
            let with = match (&arguments, element) {
                (Some(arguments), _) => match self.elements(arguments) {
                    Elements::Known(values) => values,
                    Elements::Some(value) => vec![value],
                },
                (None, Some(element)) => vec![element.clone()],
                // `atexit.register(os.system, "x")`, `executor.submit(f, x)`, `map(f, x)`
                (None, None) if !behind.is_empty() => behind,
                (None, None) => vec![Value::COMPUTED; 2],
            };
            if self.depth + CALL_LEVELS < super::evaluate::LEVELS {
                self.depth += CALL_LEVELS;
                self.call(at, &inner, &Given { plain: with, named: Vec::new(), is_open: true });
                self.depth -= CALL_LEVELS;
            } else {
                self.too_deep(at);
            }
        }
    }

    pub(super) fn call_function(&mut self, at: At, closure: &Closure, given: &Given) -> Value {
        let key = (closure.tree, closure.function);
        self.called.insert(key);
        let again = self.calls.iter().filter(|one| **one == key).count();
        if again > AGAIN {
            // It was already followed with arguments that may be anything.
            return Value::COMPUTED;
        }
        let Some(function) = self.trees.get(closure.tree).and_then(|tree| tree.function(closure.function)) else {
            return Value::Dynamic;
        };
        if self.depth + CALL_LEVELS >= super::evaluate::LEVELS {
            return self.too_deep(at);
        }
        self.depth += CALL_LEVELS;
        self.calls.push(key);
        self.returned.push(None);
        self.state.open(closure.around.clone().unwrap_or_default());
        self.state.open(Rc::default());
        let is_python = self.language == Language::Python;
        let mut plain: Vec<Value> = closure.receiver.iter().filter(|_| is_python).cloned().collect();
        if let Some(receiver) = closure.receiver.as_ref().filter(|_| !is_python) {
            self.state.set(&"this".into(), receiver.clone());
        }
        let forget = |value: &Value| if again == AGAIN { value.forgotten() } else { value.clone() };
        plain.extend(given.plain.iter().map(forget));
        if self.language == Language::Perl {
            let list = self.new_list(plain.clone());
            self.state.set(&"@_".into(), list);
        }
        if self.language == Language::Ruby {
            self.blocks(&function.parameters, &mut plain, given);
        }
        self.parameters(closure.tree, &function.parameters, plain, given);
        self.value(At { tree: closure.tree, id: function.body });
        self.state.close();
        self.state.close();
        self.calls.pop();
        self.depth -= CALL_LEVELS;
        self.returned.pop().flatten().unwrap_or(Value::Nothing)
    }

    /// Binds the block of a function, and destructures the list that a block is passed.
    fn blocks(&mut self, parameters: &[Target], plain: &mut Vec<Value>, given: &Given) {
        if let Some(block) = given.named(BLOCK) {
            self.state.set(&BLOCK.into(), block.clone());
        }
        if let ([list @ Value::List(_)], true) = (plain.as_slice(), parameters.len() > 1) {
            *plain = self.listed(&list.clone());
        }
    }

    fn parameters(&mut self, tree: usize, parameters: &[Target], plain: Vec<Value>, given: &Given) {
        let mut plain = plain.into_iter();
        for parameter in parameters {
            let name = match parameter {
                Target::Name(name) => Some(name),
                Target::Default(inner, _) => match &**inner {
                    Target::Name(name) => Some(name),
                    _ => None,
                },
                _ => None,
            };
            let value = match parameter {
                Target::Rest(_) => {
                    let rest: Vec<Value> = plain.by_ref().collect();
                    self.new_list(rest)
                }
                _ => match plain.next() {
                    Some(Value::Each(inner)) if given.is_open => (*inner).clone(),
                    Some(value) => value,
                    None => match name.and_then(|name| given.named(bare(name).trim_start_matches('$'))) {
                        Some(value) if self.language != Language::JavaScript => value.clone(),
                        _ if given.is_open => Value::COMPUTED,
                        _ => Value::Nothing,
                    },
                },
            };
            match (name, self.language) {
                // A parameter shadows outer variables.
                (Some(name), Language::JavaScript) if matches!(parameter, Target::Name(_)) => {
                    self.state.set(name, value);
                }
                (name, _) => {
                    if let Some(name) = name {
                        self.state.set(name, Value::Nothing);
                    }
                    self.bind(tree, parameter, value);
                }
            }
        }
    }

    fn instantiate(&mut self, at: At, class: super::value::Place, given: &Given) -> Value {
        let Some(Held::Keys(members)) = self.state.held(class).cloned() else { return Value::Object };
        let instance = Value::Instance(self.state.hold(Held::Keys(members)));
        let made = match self.language {
            Language::Python => "__init__",
            Language::JavaScript => "constructor",
            Language::Ruby => "initialize",
            Language::Php => "__construct",
            Language::Perl => "new",
        };
        let of_class = match self.state.held(class) {
            Some(Held::Keys(keys)) => keys.get(made).cloned(),
            _ => None,
        };
        if let Some(Value::Function(closure)) = of_class {
            self.call_function(at, &closure.of(instance.clone()), given);
        }
        instance
    }
}

/// Returns one of several values.
pub(super) fn any_of(values: Vec<Value>) -> Value {
    let each = values.into_iter().map(|value| match value {
        Value::Each(inner) => (*inner).clone(),
        value => value,
    });
    each.reduce(Value::or).unwrap_or(Value::COMPUTED)
}

/// Whether a value is, or may be, a module whose functions have effects.
fn has_effects(value: &Value) -> bool {
    const MODULES: &[&str] =
        &["os", "subprocess", "shutil", "pathlib", "fs", "child_process", "process", "globalThis", "Bun", "Deno"];
    match value {
        Value::Library(name) => MODULES.contains(&&**name),
        value => *value == Value::Dynamic,
    }
}
