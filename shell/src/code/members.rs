//! Names, members and elements.

mod javascript;
mod ruby;

use std::rc::Rc;

use super::Language;
use super::call::any_of;
use super::evaluate::{At, Evaluator};
use super::library::returned::ReturnedList;
use super::library::{self, Gives};
use super::returns::{last_word, parent, parent_word};
use super::value::{Held, Origin, Place, Value};
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
            return Value::COMPUTED;
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
                    None => Value::COMPUTED,
                }
            }
            "__dirname" | "__dir__" | "__DIR__" => match self.outside.arguments().into_iter().next() {
                Some(word) => parent(&word),
                None => Value::COMPUTED,
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
        if let Value::Library(library) = object
            && let Some(value) = self.member_of_process(library, name)
        {
            return value;
        }
        let of_language = match self.language {
            Language::JavaScript => self.javascript_member(object, name),
            Language::Ruby => self.ruby_member(object, name),
            Language::Python | Language::Php | Language::Perl => None,
        };
        of_language.unwrap_or_else(|| self.common_member(object, name))
    }

    /// Returns an environment variable, or the program's arguments once it modifies them.
    fn member_of_process(&mut self, library: &Rc<str>, name: &str) -> Option<Value> {
        match &**library {
            _ if name == "__dict__" => Some(Value::Library(Rc::clone(library))),
            "process.env" | "Bun.env" | "import.meta.env" => {
                Some(Value::Text(self.outside.variable(name), Origin::Computed))
            }
            "sys.argv" | "process.argv" => {
                let row = library::row(self.language, &format!("list.{name}"))?;
                if !matches!(row.gives, Gives::List(ReturnedList::Pushed)) {
                    return None;
                }
                let words = any_of(self.arguments()).or(Value::COMPUTED);
                let list = Value::List(self.state.hold(Held::Any(words)));
                self.state.set_outermost(library, list.clone());
                Some(self.method(&list, name))
            }
            _ => None,
        }
    }

    /// Returns a member that values of all languages have.
    fn common_member(&mut self, object: &Value, name: &str) -> Value {
        match object {
            Value::Library(_) if name == "default" => object.clone(),
            Value::Library(library) => self.library(&format!("{library}.{name}")),
            Value::Instance(place) | Value::Class(place) => self.member_of_object(object, *place, name),
            Value::Path(path) => match name {
                "parent" | "parents" => Value::Path(parent_word(path)),
                "name" => Value::Text(last_word(path), Origin::Computed),
                // An entry of `os.scandir`.
                "path" if self.language == Language::Python => object.clone(),
                _ => self.method(object, name),
            },
            Value::Either(values) => self.each_alternative(values, |this, value| this.member(value, name)),
            Value::Object => Value::Method(name.into(), Rc::new(Value::Object)),
            Value::Method(method, receiver) if **receiver == Value::Object => {
                Value::Method(format!("{method}.{name}").into(), Rc::clone(receiver))
            }
            Value::Dynamic => Value::Dynamic,
            object => self.method(object, name),
        }
    }

    /// Returns a member of a class or of an instance, whose functions are its methods.
    fn member_of_object(&self, object: &Value, place: Place, name: &str) -> Value {
        let Some(Held::Keys(keys)) = self.state.held(place) else { return Value::Object };
        match keys.get(name) {
            Some(Value::Function(closure)) if matches!(object, Value::Instance(_)) => {
                Value::Function(Rc::new(closure.of(object.clone())))
            }
            Some(value) => value.clone(),
            None => Value::Object,
        }
    }

    /// Reads something from each alternative. Alternatives do not nest.
    fn each_alternative(&mut self, values: &[Value], read: impl Fn(&mut Self, &Value) -> Value) -> Value {
        let all = values.iter().map(|value| match value {
            Value::Either(_) => value.forgotten(),
            value => read(self, value),
        });
        all.reduce(Value::or).unwrap_or(Value::Nothing)
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
            Value::Library(name) => self.library_element(object, name, key),
            Value::List(place) | Value::Keys(place) | Value::Instance(place) | Value::Class(place) => {
                self.held_element(*place, key)
            }
            Value::Each(inner) => one_of(inner),
            Value::Dynamic => Value::Dynamic,
            // `mkstemp()[1]`
            Value::Path(_) => object.clone(),
            Value::Either(values) => self.each_alternative(values, |this, value| this.index(value, key)),
            Value::Method(_, receiver) if **receiver == Value::Object => object.clone(),
            Value::Object => Value::Object,
            object => match key.known() {
                Some(name) if self.language == Language::JavaScript => self.member(object, name),
                _ => Value::Data(object.origin()),
            },
        }
    }

    /// Returns an environment variable, an argument of the program, or a member of a module.
    fn library_element(&mut self, object: &Value, library: &str, key: &Value) -> Value {
        match (library, key.known()) {
            ("os.environ" | "ENV" | "%ENV" | "$_ENV" | "$_SERVER", Some(key)) => {
                Value::Text(self.outside.variable(key), Origin::Computed)
            }
            ("os.environ" | "process.env" | "ENV" | "%ENV" | "$_ENV" | "$_SERVER", None) => Value::COMPUTED,
            ("sys.argv" | "process.argv", _) => self.argument(key),
            (_, Some(key)) => self.member(object, key),
            (_, None) => Value::Dynamic,
        }
    }

    /// Returns an element of a list, a dictionary or an object.
    fn held_element(&self, place: Place, key: &Value) -> Value {
        match (self.state.held(place), key) {
            (Some(Held::List(values)), Value::Number(at)) => element_at(values, *at),
            (Some(Held::List(values)), _) => {
                let any = any_of(values.clone());
                let is_slice = matches!(key, Value::Data(_)) && self.language == Language::Python;
                if is_slice { any.clone().or(Value::each(any)) } else { any }
            }
            (Some(Held::Keys(keys)), key) => match self.key(key) {
                Some(name) => keys.get(&name).cloned().unwrap_or(Value::COMPUTED),
                None => any_of(keys.values().cloned().collect()),
            },
            (Some(Held::Any(any)), _) => any.clone(),
            (None, _) => Value::Dynamic,
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
                at.and_then(|at| arguments.get(at)).cloned().unwrap_or(Value::COMPUTED)
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
                let words = any_of(self.arguments()).or(Value::COMPUTED).or(value);
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

/// Returns the element of a list with an index, which counts from the end if it is negative.
fn element_at(values: &[Value], at: i64) -> Value {
    if values.iter().any(|value| matches!(value, Value::Each(_))) {
        return any_of(values.to_vec());
    }
    let at = if at < 0 { i64::try_from(values.len()).unwrap_or_default() + at } else { at };
    usize::try_from(at).ok().and_then(|at| values.get(at)).cloned().unwrap_or(Value::COMPUTED)
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
