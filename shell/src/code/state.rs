//! The state of a program at one point: its variables, lists, directory and environment.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::value::{CodeValue, CodeVariables, HeapAddress, HeapCell};
use crate::analysis::Assignment;
use crate::word::{Word, WordPart};

/// The state of a program. A copy shares its variables and lists with the original until one of the two changes them.
#[derive(Clone, Debug)]
pub(super) struct ProgramState {
    /// The variables of the program itself, then two maps for each function being called (captured variables, its
    /// own) and one for each class being defined. The innermost is last.
    scopes: Vec<Rc<CodeVariables>>,
    /// The names that functions declare as global.
    global: Rc<Vec<Rc<str>>>,
    /// The contents of lists, dictionaries, classes and instances, to which values refer by address.
    heap: Rc<BTreeMap<HeapAddress, HeapCell>>,
    next_address: u32,
    /// The directory that the program changed to, absolute or relative to the directory in which the program started;
    /// `None` before the first change.
    pub directory: Option<Word>,
    /// The environment variables that the program set.
    pub environment: Vec<Assignment>,
    /// The modules whose names are available without a prefix: `from os import *`.
    pub imported_modules: Rc<Vec<Rc<str>>>,
}

impl ProgramState {
    pub(super) fn new() -> Self {
        Self {
            scopes: vec![Rc::default()],
            global: Rc::default(),
            heap: Rc::default(),
            next_address: 0,
            directory: None,
            environment: Vec::new(),
            imported_modules: Rc::default(),
        }
    }

    /// Returns the cost of copying the state, as the number of its variables, lists and objects.
    pub(super) fn size(&self) -> usize {
        self.scopes.iter().map(|scope| scope.len()).sum::<usize>() + self.heap.len()
    }

    /// Returns the value of a variable in the innermost scope that has it.
    pub(super) fn find(&self, name: &str) -> Option<&CodeValue> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    /// Sets a variable in the current scope, or in the program's scope if its name was declared as global.
    pub(super) fn set(&mut self, name: &Rc<str>, value: CodeValue) {
        let is_global = self.global.contains(name);
        let scope = if is_global { self.scopes.first_mut() } else { self.scopes.last_mut() };
        if let Some(scope) = scope {
            Rc::make_mut(scope).insert(Rc::clone(name), value);
        }
    }

    /// Sets a variable in the innermost scope that has it, else in the current scope, for languages whose functions
    /// change outer variables.
    pub(super) fn set_existing(&mut self, name: &Rc<str>, value: CodeValue) {
        let scope = self.scopes.iter_mut().rev().find(|scope| scope.contains_key(name));
        match scope {
            Some(scope) => {
                Rc::make_mut(scope).insert(Rc::clone(name), value);
            }
            None => self.set(name, value),
        }
    }

    /// Sets a variable of the program itself.
    pub(super) fn set_global(&mut self, name: &Rc<str>, value: CodeValue) {
        if let Some(scope) = self.scopes.first_mut() {
            Rc::make_mut(scope).insert(Rc::clone(name), value);
        }
    }

    /// Makes later assignments to these names, in any function, change the program's own variables.
    pub(super) fn declare_global(&mut self, names: &[Rc<str>]) {
        Rc::make_mut(&mut self.global).extend(names.iter().cloned());
    }

    pub(super) fn open_scope(&mut self, variables: Rc<CodeVariables>) {
        self.scopes.push(variables);
    }

    /// Closes the current scope and returns its variables. The program's own scope stays open.
    pub(super) fn close_scope(&mut self) -> Rc<CodeVariables> {
        if self.scopes.len() > 1 { self.scopes.pop().unwrap_or_default() } else { Rc::default() }
    }

    /// Returns the variables of the innermost function that is being called; `None` outside of functions.
    pub(super) fn function_variables(&self) -> Option<Rc<CodeVariables>> {
        (self.scopes.len() > 1).then(|| self.scopes.last().cloned()).flatten()
    }

    /// Stores the contents of a list, a dictionary or an object, and returns their address.
    pub(super) fn allocate(&mut self, held: HeapCell) -> HeapAddress {
        let place = HeapAddress(self.next_address);
        self.next_address += 1;
        Rc::make_mut(&mut self.heap).insert(place, held);
        place
    }

    pub(super) fn cell(&self, place: HeapAddress) -> Option<&HeapCell> {
        self.heap.get(&place)
    }

    pub(super) fn cell_mut(&mut self, place: HeapAddress) -> Option<&mut HeapCell> {
        Rc::make_mut(&mut self.heap).get_mut(&place)
    }

    /// Replaces the contents at an address by an unknown number of elements: each is one of the old elements or
    /// `more`, and may have been changed.
    pub(super) fn forget_cell(&mut self, place: HeapAddress, more: &CodeValue) {
        if let Some(held) = self.cell_mut(place) {
            let values: Vec<CodeValue> = match held {
                HeapCell::List(values) => std::mem::take(values),
                HeapCell::Dictionary(keys) => std::mem::take(keys).into_values().collect(),
                HeapCell::SomeElement(value) => vec![value.clone()],
            };
            let any = values.into_iter().fold(more.after_change(), |any, value| any.either(value.after_change()));
            *held = HeapCell::SomeElement(any);
        }
    }

    /// Makes the values of all variables unknown, except for functions and classes.
    pub(super) fn forget_all(&mut self) {
        for scope in &mut self.scopes {
            let forget = |value: &mut CodeValue| {
                if !matches!(value, CodeValue::Function(_) | CodeValue::Class(_)) {
                    *value = value.after_change();
                }
            };
            Rc::make_mut(scope).values_mut().for_each(forget);
        }
    }

    /// Merges the state after another branch into this one: a variable that differs has either value.
    ///
    /// A name that only one branch sets may also still be the library function of that name, if `is_library` returns
    /// true.
    pub(super) fn join(&mut self, other: &Self, is_library: impl Fn(&str) -> bool) {
        let only = |name: &Rc<str>, value: &CodeValue| match is_library(name) {
            true => value.clone().either(CodeValue::Library(Rc::clone(name))),
            false => value.clone(),
        };
        for (own, other) in self.scopes.iter_mut().zip(&other.scopes) {
            if Rc::ptr_eq(own, other) {
                continue;
            }
            let own = Rc::make_mut(own);
            for (name, value) in other.iter() {
                match own.get_mut(name) {
                    Some(before) if before == value => {}
                    Some(before) => *before = std::mem::replace(before, CodeValue::Nothing).either(value.clone()),
                    None => {
                        own.insert(Rc::clone(name), only(name, value));
                    }
                }
            }
            for (name, value) in own.iter_mut().filter(|(name, _)| !other.contains_key(*name)) {
                *value = only(name, value);
            }
        }
        if !Rc::ptr_eq(&self.heap, &other.heap) {
            let own = Rc::make_mut(&mut self.heap);
            for (place, held) in other.heap.iter() {
                match own.get_mut(place) {
                    Some(before) if before == held => {}
                    Some(before) => *before = merge_cells(before, held),
                    None => {
                        own.insert(*place, held.clone());
                    }
                }
            }
        }
        self.next_address = self.next_address.max(other.next_address);
        if self.directory != other.directory {
            self.directory = Some(Word::unknown(super::evaluate::computed_reason("chdir")));
        }
        let missing: Vec<Assignment> =
            other.environment.iter().filter(|one| !self.environment.contains(one)).cloned().collect();
        self.environment.extend(missing);
        if !Rc::ptr_eq(&self.imported_modules, &other.imported_modules) {
            Rc::make_mut(&mut self.imported_modules).extend(other.imported_modules.iter().cloned());
        }
    }

    /// Returns a path relative to the directory in which the program started, by joining it to the directory that the
    /// program changed to.
    pub(super) fn path_from_start(&self, path: &Word) -> Word {
        match &self.directory {
            Some(directory) => join_paths(directory, path),
            None => path.clone(),
        }
    }
}

/// Merges the contents of one address in two branches: dictionaries by key, lists of equal length by index. Of any
/// other pair, only the possible elements are known.
fn merge_cells(one: &HeapCell, other: &HeapCell) -> HeapCell {
    let values = |held: &HeapCell| -> Vec<CodeValue> {
        match held {
            HeapCell::List(values) => values.clone(),
            HeapCell::Dictionary(keys) => keys.values().cloned().collect(),
            HeapCell::SomeElement(value) => vec![value.clone()],
        }
    };
    match (one, other) {
        (HeapCell::Dictionary(own), HeapCell::Dictionary(others)) => {
            let mut all = own.clone();
            for (name, value) in others {
                let both = match all.remove(name) {
                    Some(before) => before.either(value.clone()),
                    None => value.clone(),
                };
                all.insert(Rc::clone(name), both);
            }
            HeapCell::Dictionary(all)
        }
        (HeapCell::List(own), HeapCell::List(others)) if own.len() == others.len() => {
            HeapCell::List(own.iter().zip(others).map(|(own, other)| own.clone().either(other.clone())).collect())
        }
        _ => {
            let all = values(one).into_iter().chain(values(other));
            HeapCell::SomeElement(all.reduce(CodeValue::either).unwrap_or(CodeValue::Nothing))
        }
    }
}

/// Joins a path to a directory. An absolute path is returned unchanged, and so is any path if the directory is empty.
pub(super) fn join_paths(directory: &Word, path: &Word) -> Word {
    if path.prefix().starts_with('/') || directory.parts.is_empty() {
        return path.clone();
    }
    let mut word = Word { span: None, ..directory.clone() };
    if directory.last_char() != Some('/') {
        word.push(WordPart::Text("/".to_owned()));
    }
    path.parts.iter().for_each(|part| word.push(part.clone()));
    word
}
