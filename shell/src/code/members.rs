//! Names, members and elements.

use std::rc::Rc;

use super::Language;
use super::call::any_of;
use super::evaluate::{At, Evaluator};
use super::library;
use super::value::{Closure, Held, Origin, Value};
use crate::word::{Cause, Part, Unknown, UnknownPart, Word};

impl Evaluator<'_> {
    /// Returns the value of a name.
    pub(super) fn named(&mut self, name: &str) -> Value {
        if let Some(value) = self.state.find(name) {
            return value.clone();
        }
        for star in Rc::clone(&self.state.stars).iter().rev() {
            let whole = library::canonical(self.language, &format!("{star}.{name}"));
            if library::row(self.language, &whole).is_some() {
                return Value::Library(whole.into());
            }
        }
        // PHP's own function, even if the program defines one of that name.
        if let Some(own) = name.strip_prefix('\\').filter(|_| self.language == Language::Php) {
            return Value::Library(own.into());
        }
        // A variable that is never set has no effects.
        let is_variable = match self.language {
            Language::Php => name.starts_with('='),
            Language::Perl => name.starts_with(['$', '@', '%', '*']) && !matches!(name, "%ENV" | "$0" | "$^X"),
            Language::Python | Language::JavaScript | Language::Ruby => false,
        };
        if is_variable {
            return Value::Data(Origin::Computed);
        }
        // A method that calls another method of the same object.
        if self.language == Language::Ruby
            && name != "this"
            && let Some(this @ (Value::Instance(place) | Value::Class(place))) = self.state.find("this").cloned()
            && let Some(Held::Keys(keys)) = self.state.held(place)
            && keys.contains_key(name)
        {
            return self.member(&this, name);
        }
        self.library(name)
    }

    /// Returns the library item with this qualified name.
    pub(super) fn library(&mut self, name: &str) -> Value {
        let name = library::canonical(self.language, name);
        // The program may have replaced it.
        if let Some(value) = self.state.find(&name) {
            return value.clone();
        }
        if let Some(text) = library::constant(self.language, &name) {
            return Value::text(text);
        }
        match name.as_str() {
            "undefined" => Value::Nothing,
            "__file__" | "__filename" | "__FILE__" | "$0" | "$PROGRAM_NAME" => {
                match self.outside.arguments().into_iter().next() {
                    Some(word) => Value::Text(word, Origin::Computed),
                    None => Value::Data(Origin::Computed),
                }
            }
            "__dirname" | "__dir__" | "__DIR__" => match self.outside.arguments().into_iter().next() {
                Some(word) => super::returns::parent(&word),
                None => Value::Data(Origin::Computed),
            },
            _ => Value::Library(name.into()),
        }
    }

    /// Runs a module of the program, if the program wrote it. Its definitions are not followed.
    pub(super) fn import(&mut self, name: &str) {
        if self.language != Language::Python {
            return;
        }
        let first = name.split('.').next().unwrap_or_default();
        if first.is_empty() || self.own_modules.iter().any(|own| **own == *first) {
            return;
        }
        if self.load(&[format!("{first}.py"), format!("{first}/__init__.py")]) {
            self.own_modules.push(first.into());
        }
    }

    /// Returns a member of a value.
    pub(super) fn member(&mut self, object: &Value, name: &str) -> Value {
        match object {
            Value::Library(library) if name == "__dict__" => Value::Library(Rc::clone(library)),
            Value::Library(library) if matches!(&**library, "process.env" | "Bun.env" | "import.meta.env") => {
                Value::Text(self.outside.variable(name), Origin::Computed)
            }
            // A promise is represented by the value that it resolves to.
            object if self.language == Language::JavaScript && name == "then" => {
                Value::Method("promise.then".into(), Rc::new(object.clone()))
            }
            // The program's arguments, once it modifies them.
            Value::Library(library)
                if matches!(&**library, "sys.argv" | "process.argv")
                    && library::row(self.language, &format!("list.{name}"))
                        .is_some_and(|row| matches!(row.gives, library::Gives::Pushed)) =>
            {
                let words = any_of(self.arguments()).or(Value::Data(Origin::Computed));
                let list = Value::List(self.state.hold(Held::Any(words)));
                self.state.set_outermost(library, list.clone());
                self.method(&list, name)
            }
            Value::Library(library) if &**library == "Reflect" => {
                let name = format!("Reflect.{name}");
                self.library(&name)
            }
            Value::Library(_) | Value::Function(_)
                if self.language == Language::JavaScript && matches!(name, "call" | "apply" | "bind") =>
            {
                Value::Method(format!("function.{name}").into(), Rc::new(object.clone()))
            }
            Value::Method(..) if self.language == Language::JavaScript && matches!(name, "call" | "apply" | "bind") => {
                Value::Method(format!("function.{name}").into(), Rc::new(object.clone()))
            }
            Value::Function(_) | Value::Method(..) if self.language == Language::Ruby && is_callers(name) => {
                object.clone()
            }
            Value::Library(library)
                if self.language == Language::Ruby
                    && is_callers(name)
                    && library::row(self.language, library).is_some() =>
            {
                object.clone()
            }
            // A converted function is still the same function.
            Value::Function(_) | Value::Method(..) | Value::Library(_)
                if self.language == Language::Ruby
                    && matches!(name, "to_proc" | "unbind" | "curry" | "bind" | "bind_call")
                    && !matches!(object, Value::Method(_, receiver) if **receiver == Value::Object) =>
            {
                let name = if name == "bind_call" { "function.call" } else { "function.same" };
                Value::Method(name.into(), Rc::new(object.clone()))
            }
            Value::Class(_) if self.language == Language::Ruby && name == "new" => object.clone(),
            Value::Library(library)
                if self.language == Language::Ruby
                    && &**library == "ENV"
                    && library::row(self.language, &format!("ENV.{name}")).is_none() =>
            {
                self.method(&Value::Data(Origin::Computed), name)
            }
            Value::Library(library) if name == "default" => Value::Library(Rc::clone(library)),
            // `constructor.constructor` of any value is `Function`.
            _ if self.language == Language::JavaScript && name == "constructor" => Value::Library("Function".into()),
            Value::Library(library) => {
                let name = format!("{library}.{name}");
                self.library(&name)
            }
            Value::Instance(place) | Value::Class(place) => match self.state.held(*place) {
                Some(Held::Keys(keys)) => match keys.get(name).cloned() {
                    Some(Value::Function(closure)) if matches!(object, Value::Instance(_)) => {
                        Value::Function(Rc::new(Closure {
                            tree: closure.tree,
                            function: closure.function,
                            around: closure.around.clone(),
                            receiver: Some(object.clone()),
                            depth: closure.depth,
                        }))
                    }
                    Some(value) => value,
                    None => Value::Object,
                },
                _ => Value::Object,
            },
            Value::Keys(place) if self.language == Language::JavaScript => match self.state.held(*place) {
                Some(Held::Keys(keys)) => keys.get(name).cloned().unwrap_or(Value::Nothing),
                Some(Held::Any(any)) => any.clone(),
                _ => Value::Dynamic,
            },
            Value::Path(path) => match name {
                "parent" | "parents" => Value::Path(super::returns::parent_word(path)),
                "name" => Value::Text(super::returns::last_word(path), Origin::Computed),
                // An entry of `os.scandir`.
                "path" if self.language == Language::Python => Value::Path(path.clone()),
                _ => self.method(object, name),
            },
            Value::Either(values) => {
                let all: Vec<Value> = values.iter().map(|value| self.member_once(value, name)).collect();
                all.into_iter().reduce(Value::or).unwrap_or(Value::Nothing)
            }
            Value::Object => Value::Method(name.into(), Rc::new(Value::Object)),
            Value::Method(method, receiver) if **receiver == Value::Object => {
                Value::Method(format!("{method}.{name}").into(), Rc::clone(receiver))
            }
            Value::Dynamic => Value::Dynamic,
            object => self.method(object, name),
        }
    }

    /// Returns a member of one alternative. Alternatives do not nest.
    fn member_once(&mut self, object: &Value, name: &str) -> Value {
        match object {
            Value::Either(_) => object.forgotten(),
            object => self.member(object, name),
        }
    }

    fn method(&self, object: &Value, name: &str) -> Value {
        let kind = match object {
            Value::Text(..) => "text",
            Value::Path(_) => "path",
            Value::File(_) => "file",
            Value::Archive => "archive",
            Value::List(_) | Value::Each(_) => "list",
            Value::Keys(_) => "keys",
            Value::Data(Origin::Network) if name != "unlink" => "network",
            _ => "data",
        };
        Value::Method(format!("{kind}.{name}").into(), Rc::new(object.clone()))
    }

    /// Returns the element with a key.
    pub(super) fn index(&mut self, object: &Value, key: &Value) -> Value {
        match object {
            Value::Library(name) => match (&**name, key.known().map(str::to_owned)) {
                ("os.environ" | "ENV" | "%ENV" | "$_ENV" | "$_SERVER", Some(key)) => {
                    Value::Text(self.outside.variable(&key), Origin::Computed)
                }
                ("os.environ" | "process.env" | "ENV" | "%ENV" | "$_ENV" | "$_SERVER", None) => {
                    Value::Data(Origin::Computed)
                }
                ("sys.argv" | "process.argv", _) => self.argument(key),
                (_, Some(key)) => self.member(object, &key),
                (_, None) => Value::Dynamic,
            },
            Value::List(place) | Value::Keys(place) | Value::Instance(place) | Value::Class(place) => {
                let held = self.state.held(*place).cloned();
                match (held, key) {
                    (Some(Held::List(values)), Value::Number(at)) => {
                        let at = if *at < 0 { i64::try_from(values.len()).unwrap_or_default() + at } else { *at };
                        match usize::try_from(at).ok().and_then(|at| values.get(at)) {
                            _ if values.iter().any(|it| matches!(it, Value::Each(_))) => any_of(values),
                            Some(value) => value.clone(),
                            None => Value::Data(Origin::Computed),
                        }
                    }
                    (Some(Held::List(values)), _) => {
                        let is_slice = matches!(key, Value::Data(_)) && self.language == Language::Python;
                        let any = any_of(values);
                        if is_slice { any.clone().or(Value::each(any)) } else { any }
                    }
                    (Some(Held::Keys(_)), key) if self.key(key).is_some() => {
                        let name = self.key(key).unwrap_or_default();
                        match self.state.held(*place) {
                            Some(Held::Keys(keys)) => keys.get(&name).cloned().unwrap_or(Value::Data(Origin::Computed)),
                            _ => Value::Dynamic,
                        }
                    }
                    (Some(Held::Keys(keys)), _) => any_of(keys.into_values().collect()),
                    (Some(Held::Any(any)), _) => any,
                    (None, _) => Value::Dynamic,
                }
            }
            Value::Each(inner) => one_of(inner),
            Value::Dynamic => Value::Dynamic,
            // `mkstemp()[1]`
            Value::Path(_) => object.clone(),
            Value::Either(values) => {
                let all: Vec<Value> = values
                    .iter()
                    .map(|value| match value {
                        Value::Either(_) => value.forgotten(),
                        value => self.index(value, key),
                    })
                    .collect();
                all.into_iter().reduce(Value::or).unwrap_or(Value::Nothing)
            }
            Value::Method(name, receiver) if **receiver == Value::Object => {
                Value::Method(Rc::clone(name), Rc::clone(receiver))
            }
            Value::Object => Value::Object,
            object if self.language == Language::JavaScript && key.known().is_some() => {
                let name = key.known().unwrap_or_default().to_owned();
                self.member(object, &name)
            }
            object => Value::Data(object.origin()),
        }
    }

    fn argument(&mut self, key: &Value) -> Value {
        let arguments = self.arguments();
        match key {
            Value::Number(at) => {
                let at = usize::try_from(*at).ok();
                let at = match self.language {
                    // The paths of Node.js and of the script come first.
                    Language::JavaScript => at.and_then(|at| at.checked_sub(1)),
                    _ => at,
                };
                at.and_then(|at| arguments.get(at)).cloned().unwrap_or(Value::Data(Origin::Computed))
            }
            _ => Value::each(any_of(arguments)),
        }
    }

    pub(super) fn set_member(&mut self, object: &Value, name: &Rc<str>, value: Value) {
        match object {
            Value::Instance(place) | Value::Keys(place) | Value::Class(place) => {
                if let Some(Held::Keys(keys)) = self.state.held_mut(*place) {
                    keys.insert(Rc::clone(name), value);
                }
            }
            Value::Library(library) if &**library == "process.env" => self.set_variable(name, &value),
            Value::Library(library) => {
                let name = library::canonical(self.language, &format!("{library}.{name}"));
                let value = value.or(Value::Library(name.as_str().into()));
                self.state.set_outermost(&name.into(), value);
            }
            _ => {}
        }
    }

    pub(super) fn set_index(&mut self, object: &Value, key: &Value, value: Value, at: At) {
        match (object, self.key(key)) {
            (Value::Library(library), Some(key))
                if matches!(&**library, "os.environ" | "process.env" | "ENV" | "%ENV" | "$_ENV") =>
            {
                let value = Value::Text(self.word(&value, at), value.origin());
                self.set_variable(&key, &value);
            }
            (Value::Library(library), _) if matches!(&**library, "sys.argv" | "process.argv") => {
                let words = any_of(self.arguments()).or(Value::Data(Origin::Computed)).or(value);
                let list = Value::List(self.state.hold(Held::Any(words)));
                self.state.set_outermost(library, list);
            }
            (Value::Keys(_) | Value::Instance(_) | Value::Library(_), Some(key)) => {
                self.set_member(object, &key, value)
            }
            (Value::List(place), Some(key)) => {
                let at: Option<usize> = key.parse().ok();
                match self.state.held_mut(*place) {
                    Some(Held::List(values)) if at.is_some_and(|at| at < values.len()) => {
                        if let Some(old) = at.and_then(|at| values.get_mut(at)) {
                            *old = value;
                        }
                    }
                    _ => self.state.forget_held(*place, &value),
                }
            }
            (Value::Keys(place) | Value::List(place), None) => self.state.forget_held(*place, &value),
            _ => {}
        }
    }
}

/// Whether this method of a function calls it.
fn is_callers(name: &str) -> bool {
    matches!(name, "call" | "()" | "yield" | "[]" | "===")
}

/// Returns one of several values. Which of the files that match a pattern it is remains unknown.
fn one_of(inner: &Value) -> Value {
    match inner {
        Value::Text(word, origin) => Value::Text(unmatched(word), *origin),
        Value::Path(word) => Value::Path(unmatched(word)),
        value => value.clone(),
    }
}

fn unmatched(word: &Word) -> Word {
    let mut one = Word { span: None, ..Word::default() };
    for part in &word.parts {
        one.push(match part {
            Part::Glob(_) => {
                Part::Unknown(UnknownPart { why: Unknown::new(Cause::Computed, word.shown()), splits: false })
            }
            part => part.clone(),
        });
    }
    one
}
