//! The values of names, members (`object.name`) and elements (`object[key]`), and assignments to members and
//! elements.

mod javascript;
mod ruby;

use std::rc::Rc;

use super::CodeLanguage;
use super::call::either_of;
use super::evaluate::{Evaluator, NodeRef};
use super::library::returned::ReturnedList;
use super::library::{self, ReturnValue};
use super::returns::{last_word, parent, parent_word};
use super::value::{CodeValue, DataOrigin, HeapAddress, HeapCell};
use crate::word::{Cause, Unknown, UnknownPart, Word, WordPart};

impl Evaluator<'_> {
    /// Returns the value of a name: that of the variable, of the item of a module that was imported with `*`, or of the
    /// current object's Ruby method; or else the library item of that name.
    pub(super) fn value_named(&mut self, name: &str) -> CodeValue {
        if let Some(value) = self.state.find(name) {
            return value.clone();
        }
        for module in Rc::clone(&self.state.imported_modules).iter().rev() {
            let qualified = library::canonical(self.language, &format!("{module}.{name}"));
            if library::find_row(self.language, &qualified).is_some() {
                return CodeValue::Library(qualified.into());
            }
        }
        // `\name` is PHP's own function, even if the program defines one of that name.
        if let Some(built_in) = name.strip_prefix('\\').filter(|_| self.language == CodeLanguage::Php) {
            return CodeValue::Library(built_in.into());
        }
        let is_variable = match self.language {
            CodeLanguage::Php => name.starts_with('='),
            CodeLanguage::Perl => name.starts_with(['$', '@', '%', '*']) && !matches!(name, "%ENV" | "$0" | "$^X"),
            CodeLanguage::Python | CodeLanguage::JavaScript | CodeLanguage::Ruby => false,
        };
        // A variable that the program never sets has no effects.
        if is_variable {
            return CodeValue::COMPUTED;
        }
        // A Ruby method may call another method of its object by the bare name.
        if self.language == CodeLanguage::Ruby
            && name != "this"
            && let Some(this @ (CodeValue::Instance(address) | CodeValue::Class(address))) =
                self.state.find("this").cloned()
            && let Some(HeapCell::Dictionary(keys)) = self.state.cell(address)
            && keys.contains_key(name)
        {
            return self.member(&this, name);
        }
        self.library(name)
    }

    /// Returns the library item with this qualified name, or the value that the program assigned to it. A constant
    /// such as `os.sep` is its text.
    pub(super) fn library(&mut self, name: &str) -> CodeValue {
        let name = library::canonical(self.language, name);
        // The program may have replaced it.
        if let Some(value) = self.state.find(&name) {
            return value.clone();
        }
        if let Some(text) = library::constant(self.language, &name) {
            return CodeValue::text(text);
        }
        match name.as_str() {
            "undefined" => CodeValue::Nothing,
            "__file__" | "__filename" | "__FILE__" | "$0" | "$PROGRAM_NAME" => {
                match self.environment.arguments().into_iter().next() {
                    Some(word) => CodeValue::Text(word, DataOrigin::Computed),
                    None => CodeValue::COMPUTED,
                }
            }
            "__dirname" | "__dir__" | "__DIR__" => match self.environment.arguments().into_iter().next() {
                Some(word) => parent(&word),
                None => CodeValue::COMPUTED,
            },
            _ => CodeValue::Library(name.into()),
        }
    }

    /// Runs the file of a Python module, if the program wrote it or its contents are known. What the module defines
    /// remains unknown.
    pub(super) fn import(&mut self, name: &str) {
        if self.language != CodeLanguage::Python {
            return;
        }
        let module = name.split('.').next().unwrap_or_default();
        if module.is_empty() || self.own_modules.iter().any(|loaded| **loaded == *module) {
            return;
        }
        if self.load(&[format!("{module}.py"), format!("{module}/__init__.py")]) {
            self.own_modules.push(module.into());
        }
    }

    /// Returns `object.name`, by the rules of the language, or else by those that all languages share.
    pub(super) fn member(&mut self, object: &CodeValue, name: &str) -> CodeValue {
        if let CodeValue::Library(library) = object
            && let Some(value) = self.process_member(library, name)
        {
            return value;
        }
        let by_language = match self.language {
            CodeLanguage::JavaScript => self.javascript_member(object, name),
            CodeLanguage::Ruby => self.ruby_member(object, name),
            CodeLanguage::Python | CodeLanguage::Php | CodeLanguage::Perl => None,
        };
        by_language.unwrap_or_else(|| self.common_member(object, name))
    }

    /// Returns a member of a library item that represents a part of the process: an environment variable
    /// (`process.env.HOME`), or a method that changes the program's arguments (`sys.argv.append`). Returns `None` for
    /// any other member.
    fn process_member(&mut self, library: &Rc<str>, name: &str) -> Option<CodeValue> {
        match &**library {
            _ if name == "__dict__" => Some(CodeValue::Library(Rc::clone(library))),
            "process.env" | "Bun.env" | "import.meta.env" => {
                Some(CodeValue::Text(self.environment.variable(name), DataOrigin::Computed))
            }
            "sys.argv" | "process.argv" => {
                let row = library::find_row(self.language, &format!("list.{name}"))?;
                if !matches!(row.returns, ReturnValue::ArgumentList(ReturnedList::ChangedReceiver)) {
                    return None;
                }
                let words = either_of(self.arguments()).either(CodeValue::COMPUTED);
                let list = CodeValue::List(self.state.allocate(HeapCell::SomeElement(words)));
                self.state.set_global(library, list.clone());
                Some(self.method(&list, name))
            }
            _ => None,
        }
    }

    /// Returns a member by the rules that all languages share.
    fn common_member(&mut self, object: &CodeValue, name: &str) -> CodeValue {
        // The variables of a function or a frame contain modules and their functions.
        const GLOBALS: &[&str] = &["__globals__", "__builtins__", "f_globals", "f_builtins", "gi_frame", "tb_frame"];
        match object {
            _ if self.language == CodeLanguage::Python && GLOBALS.contains(&name) => CodeValue::Dynamic,
            CodeValue::Library(_) if name == "default" => object.clone(),
            CodeValue::Library(library) => self.library(&format!("{library}.{name}")),
            CodeValue::Instance(address) | CodeValue::Class(address) => self.member_of_object(object, *address, name),
            CodeValue::Path(path) => match name {
                "parent" | "parents" => CodeValue::Path(parent_word(path)),
                "name" => CodeValue::Text(last_word(path), DataOrigin::Computed),
                // The member `path` of an entry that `os.scandir` returns.
                "path" if self.language == CodeLanguage::Python => object.clone(),
                _ => self.method(object, name),
            },
            CodeValue::File(path) if name == "name" && self.language == CodeLanguage::Python => {
                CodeValue::Text(path.clone(), DataOrigin::Computed)
            }
            CodeValue::AnyOf(values) => self.each_alternative(values, |this, value| this.member(value, name)),
            CodeValue::Object => CodeValue::Method(name.into(), Rc::new(CodeValue::Object)),
            CodeValue::Method(method, receiver) if **receiver == CodeValue::Object => {
                CodeValue::Method(format!("{method}.{name}").into(), Rc::clone(receiver))
            }
            CodeValue::Dynamic => CodeValue::Dynamic,
            object => self.method(object, name),
        }
    }

    /// Returns a member of a class or an instance. A function of an instance is bound to the instance; a member that
    /// is missing is an object without known methods.
    fn member_of_object(&self, object: &CodeValue, address: HeapAddress, name: &str) -> CodeValue {
        let Some(HeapCell::Dictionary(keys)) = self.state.cell(address) else { return CodeValue::Object };
        match keys.get(name) {
            Some(CodeValue::Function(closure)) if matches!(object, CodeValue::Instance(_)) => {
                CodeValue::Function(Rc::new(closure.bound_to(object.clone())))
            }
            Some(value) => value.clone(),
            None => CodeValue::Object,
        }
    }

    /// Applies `read` to each of several alternatives, and returns a value that may be any of the results. An
    /// alternative that has alternatives itself becomes unknown.
    fn each_alternative(
        &mut self,
        values: &[CodeValue],
        read: impl Fn(&mut Self, &CodeValue) -> CodeValue,
    ) -> CodeValue {
        let all = values.iter().map(|value| match value {
            CodeValue::AnyOf(_) => value.after_change(),
            value => read(self, value),
        });
        all.reduce(CodeValue::either).unwrap_or(CodeValue::Nothing)
    }

    /// Returns a method of a value, by its name in the library tables: `text.strip`, `path.unlink`, `list.append`.
    fn method(&self, object: &CodeValue, name: &str) -> CodeValue {
        let kind = match object {
            CodeValue::Text(..) => "text",
            CodeValue::Path(_) => "path",
            CodeValue::File(_) => "file",
            CodeValue::Archive => "archive",
            CodeValue::List(_) | CodeValue::Several(_) => "list",
            CodeValue::Dictionary(_) => "keys",
            // An `unlink` of such data concerns a file that the response names: `data.unlink`.
            CodeValue::Data(DataOrigin::Network) if name != "unlink" => "network",
            _ => "data",
        };
        CodeValue::Method(format!("{kind}.{name}").into(), Rc::new(object.clone()))
    }

    /// Returns `object[key]`.
    pub(super) fn index(&mut self, object: &CodeValue, key: &CodeValue) -> CodeValue {
        match object {
            CodeValue::Library(name) => self.library_element(object, name, key),
            CodeValue::List(address)
            | CodeValue::Dictionary(address)
            | CodeValue::Instance(address)
            | CodeValue::Class(address) => self.element_of_key(*address, key),
            CodeValue::Several(inner) => one_element(inner),
            CodeValue::Dynamic => CodeValue::Dynamic,
            // The path in the pair that `mkstemp()` returns: `mkstemp()[1]`.
            CodeValue::Path(_) => object.clone(),
            CodeValue::AnyOf(values) => self.each_alternative(values, |this, value| this.index(value, key)),
            CodeValue::Method(_, receiver) if **receiver == CodeValue::Object => object.clone(),
            CodeValue::Object => CodeValue::Object,
            object => match key.known_text() {
                Some(name) if self.language == CodeLanguage::JavaScript => self.member(object, name),
                _ => CodeValue::Data(object.origin()),
            },
        }
    }

    /// Returns an element of a library item: an environment variable, an argument of the program, or a member of a
    /// module.
    fn library_element(&mut self, object: &CodeValue, library: &str, key: &CodeValue) -> CodeValue {
        match (library, key.known_text()) {
            ("os.environ" | "ENV" | "%ENV" | "$_ENV" | "$_SERVER", Some(key)) => {
                CodeValue::Text(self.environment.variable(key), DataOrigin::Computed)
            }
            ("os.environ" | "process.env" | "ENV" | "%ENV" | "$_ENV" | "$_SERVER", None) => CodeValue::COMPUTED,
            ("sys.argv" | "process.argv", _) => self.argument(key),
            (_, Some(key)) => self.member(object, key),
            (_, None) => CodeValue::Dynamic,
        }
    }

    /// Returns the element of a list, a dictionary or an object for a key. If the key is unknown, it is any of the
    /// elements; if the key is missing, it is unknown data.
    fn element_of_key(&self, address: HeapAddress, key: &CodeValue) -> CodeValue {
        match (self.state.cell(address), key) {
            (Some(HeapCell::List(values)), CodeValue::Number(index)) => element_at(values, *index),
            (Some(HeapCell::List(values)), _) => {
                let any = either_of(values.clone());
                // `list[1:]`: the key is not known as a value, and the result is one element or several.
                let is_slice = matches!(key, CodeValue::Data(_)) && self.language == CodeLanguage::Python;
                if is_slice { any.clone().either(CodeValue::several(any)) } else { any }
            }
            (Some(HeapCell::Dictionary(keys)), key) => match self.key(key) {
                Some(name) => keys.get(&name).cloned().unwrap_or(CodeValue::COMPUTED),
                None => either_of(keys.values().cloned().collect()),
            },
            (Some(HeapCell::SomeElement(any)), _) => any.clone(),
            (None, _) => CodeValue::Dynamic,
        }
    }

    /// Returns the argument of the program at an index of `sys.argv` or `process.argv`; any of the arguments if the
    /// index is unknown.
    fn argument(&mut self, key: &CodeValue) -> CodeValue {
        let arguments = self.arguments();
        match key {
            CodeValue::Number(index) => {
                let index = usize::try_from(*index).ok();
                let index = match self.language {
                    // In Node.js, the path of the interpreter comes first, which `arguments` does not contain.
                    CodeLanguage::JavaScript => index.and_then(|index| index.checked_sub(1)),
                    _ => index,
                };
                index.and_then(|index| arguments.get(index)).cloned().unwrap_or(CodeValue::COMPUTED)
            }
            _ => CodeValue::several(either_of(arguments)),
        }
    }

    /// Assigns to `object.name`. A library item has either the new or its original value from then on.
    pub(super) fn set_member(&mut self, object: &CodeValue, name: &Rc<str>, value: CodeValue) {
        match object {
            CodeValue::Instance(address) | CodeValue::Dictionary(address) | CodeValue::Class(address) => {
                if let Some(HeapCell::Dictionary(keys)) = self.state.cell_mut(*address) {
                    keys.insert(Rc::clone(name), value);
                }
            }
            CodeValue::Library(library) if &**library == "process.env" => self.set_variable(name, &value),
            CodeValue::Library(library) => {
                let name = library::canonical(self.language, &format!("{library}.{name}"));
                let value = value.either(CodeValue::Library(name.as_str().into()));
                self.state.set_global(&name.into(), value);
            }
            _ => {}
        }
    }

    /// Assigns to `object[key]`. If the key or the index is unknown, so are the contents of the object from then on.
    pub(super) fn set_index(&mut self, object: &CodeValue, key: &CodeValue, value: CodeValue, at: NodeRef) {
        match (object, self.key(key)) {
            (CodeValue::Library(library), Some(key))
                if matches!(&**library, "os.environ" | "process.env" | "ENV" | "%ENV" | "$_ENV") =>
            {
                let value = CodeValue::Text(self.word(&value, at), value.origin());
                self.set_variable(&key, &value);
            }
            (CodeValue::Library(library), _) if matches!(&**library, "sys.argv" | "process.argv") => {
                let words = either_of(self.arguments()).either(CodeValue::COMPUTED).either(value);
                let list = CodeValue::List(self.state.allocate(HeapCell::SomeElement(words)));
                self.state.set_global(library, list);
            }
            (CodeValue::Dictionary(_) | CodeValue::Instance(_) | CodeValue::Library(_), Some(key)) => {
                self.set_member(object, &key, value)
            }
            (CodeValue::List(address), Some(key)) => {
                let index: Option<usize> = key.parse().ok();
                match self.state.cell_mut(*address) {
                    Some(HeapCell::List(values)) if index.is_some_and(|index| index < values.len()) => {
                        if let Some(old) = index.and_then(|index| values.get_mut(index)) {
                            *old = value;
                        }
                    }
                    _ => self.state.forget_cell(*address, &value),
                }
            }
            (CodeValue::Dictionary(address) | CodeValue::List(address), None) => {
                self.state.forget_cell(*address, &value)
            }
            _ => {}
        }
    }
}

/// Returns the element of a list at an index, which counts from the end if it is negative. If the list has an unknown
/// number of values, the result is any of them.
fn element_at(values: &[CodeValue], index: i64) -> CodeValue {
    if values.iter().any(|value| matches!(value, CodeValue::Several(_))) {
        return either_of(values.to_vec());
    }
    let index = if index < 0 { i64::try_from(values.len()).unwrap_or_default() + index } else { index };
    usize::try_from(index).ok().and_then(|index| values.get(index)).cloned().unwrap_or(CodeValue::COMPUTED)
}

/// Returns one of an unknown number of values. If the values are paths that match a glob, the matching name is unknown.
fn one_element(inner: &CodeValue) -> CodeValue {
    match inner {
        CodeValue::Text(word, origin) => CodeValue::Text(unknown_match(word), *origin),
        CodeValue::Path(word) => CodeValue::Path(unknown_match(word)),
        value => value.clone(),
    }
}

/// Returns a word in which each glob is replaced by an unknown part.
fn unknown_match(word: &Word) -> Word {
    let mut unglobbed = Word { span: None, ..Word::default() };
    for part in &word.parts {
        unglobbed.push(match part {
            WordPart::Glob(_) => WordPart::Unknown(UnknownPart {
                reason: Unknown::new(Cause::Computed, word.display_text()),
                may_split: false,
            }),
            part => part.clone(),
        });
    }
    unglobbed
}
