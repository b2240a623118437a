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
    /// The names that functions declare as variables of the program: `global x`.
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

    /// Sets a variable in the innermost scope that has it, else in the current scope: in most languages, a function can
    /// change the variables of the functions around it.
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

    /// Makes all later assignments to these names change the variables of the program, in whichever function they are.
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
    pub(super) fn allocate(&mut self, cell: HeapCell) -> HeapAddress {
        let address = HeapAddress(self.next_address);
        self.next_address += 1;
        Rc::make_mut(&mut self.heap).insert(address, cell);
        address
    }

    pub(super) fn cell(&self, address: HeapAddress) -> Option<&HeapCell> {
        self.heap.get(&address)
    }

    pub(super) fn cell_mut(&mut self, address: HeapAddress) -> Option<&mut HeapCell> {
        Rc::make_mut(&mut self.heap).get_mut(&address)
    }

    /// Replaces the contents at an address by an unknown number of elements: each is one of the old elements or
    /// `more`, and may have been changed.
    pub(super) fn forget_cell(&mut self, address: HeapAddress, more: &CodeValue) {
        if let Some(cell) = self.cell_mut(address) {
            let values: Vec<CodeValue> = match cell {
                HeapCell::List(values) => std::mem::take(values),
                HeapCell::Dictionary(keys) => std::mem::take(keys).into_values().collect(),
                HeapCell::SomeElement(value) => vec![value.clone()],
            };
            let any = values.into_iter().fold(more.after_change(), |any, value| any.either(value.after_change()));
            *cell = HeapCell::SomeElement(any);
        }
    }

    /// Forgets the values of all variables, except for functions and classes.
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
    /// If only one branch sets a variable, its name may also still mean the library function that has this name.
    /// `is_library` returns whether there is one.
    pub(super) fn join(&mut self, other: &Self, is_library: impl Fn(&str) -> bool) {
        let set_in_one_branch = |name: &Rc<str>, value: &CodeValue| match is_library(name) {
            true => value.clone().either(CodeValue::Library(Rc::clone(name))),
            false => value.clone(),
        };
        for (variables, other_variables) in self.scopes.iter_mut().zip(&other.scopes) {
            if Rc::ptr_eq(variables, other_variables) {
                continue;
            }
            let variables = Rc::make_mut(variables);
            for (name, value) in other_variables.iter() {
                match variables.get_mut(name) {
                    Some(before) if before == value => {}
                    Some(before) => *before = std::mem::replace(before, CodeValue::Nothing).either(value.clone()),
                    None => {
                        variables.insert(Rc::clone(name), set_in_one_branch(name, value));
                    }
                }
            }
            for (name, value) in variables.iter_mut().filter(|(name, _)| !other_variables.contains_key(*name)) {
                *value = set_in_one_branch(name, value);
            }
        }
        if !Rc::ptr_eq(&self.heap, &other.heap) {
            let heap = Rc::make_mut(&mut self.heap);
            for (address, cell) in other.heap.iter() {
                match heap.get_mut(address) {
                    Some(before) if before == cell => {}
                    Some(before) => *before = merge_cells(before, cell),
                    None => {
                        heap.insert(*address, cell.clone());
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

/// Merges the contents of one address after two branches: dictionaries by key, lists of equal length by index. Any
/// other two are reduced to the elements that either may have.
fn merge_cells(one: &HeapCell, other: &HeapCell) -> HeapCell {
    let elements_of = |cell: &HeapCell| -> Vec<CodeValue> {
        match cell {
            HeapCell::List(values) => values.clone(),
            HeapCell::Dictionary(keys) => keys.values().cloned().collect(),
            HeapCell::SomeElement(value) => vec![value.clone()],
        }
    };
    match (one, other) {
        (HeapCell::Dictionary(one), HeapCell::Dictionary(other)) => {
            let mut merged = one.clone();
            for (name, value) in other {
                let value = match merged.remove(name) {
                    Some(before) => before.either(value.clone()),
                    None => value.clone(),
                };
                merged.insert(Rc::clone(name), value);
            }
            HeapCell::Dictionary(merged)
        }
        (HeapCell::List(one), HeapCell::List(other)) if one.len() == other.len() => {
            HeapCell::List(one.iter().zip(other).map(|(one, other)| one.clone().either(other.clone())).collect())
        }
        _ => {
            let elements = elements_of(one).into_iter().chain(elements_of(other));
            HeapCell::SomeElement(elements.reduce(CodeValue::either).unwrap_or(CodeValue::Nothing))
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
