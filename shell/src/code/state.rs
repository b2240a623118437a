//! The state of a program at one point: its variables, lists, directory and environment.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::value::{CodeValue, CodeVariables, HeapAddress, HeapCell};
use crate::analysis::Assignment;
use crate::word::{Word, WordPart};

/// The state of a program. A copy is cheap until either is changed.
#[derive(Clone, Debug)]
pub(super) struct ProgramState {
    /// The variables of the program, and of each function that is being called, the innermost last.
    scopes: Vec<Rc<CodeVariables>>,
    /// Names that a function declares as global.
    global: Rc<Vec<Rc<str>>>,
    heap: Rc<BTreeMap<HeapAddress, HeapCell>>,
    next_address: u32,
    /// The directory that it changed to: absolute, or relative to where it began; `None` while it stays there.
    pub directory: Option<Word>,
    /// The environment variables that it set.
    pub environment: Vec<Assignment>,
    /// Modules whose names are available without a prefix.
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

    /// Returns the cost of a copy, in values.
    pub(super) fn size(&self) -> usize {
        self.scopes.iter().map(|scope| scope.len()).sum::<usize>() + self.heap.len()
    }

    pub(super) fn find(&self, name: &str) -> Option<&CodeValue> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    pub(super) fn set(&mut self, name: &Rc<str>, value: CodeValue) {
        let is_global = self.global.contains(name);
        let scope = if is_global { self.scopes.first_mut() } else { self.scopes.last_mut() };
        if let Some(scope) = scope {
            Rc::make_mut(scope).insert(Rc::clone(name), value);
        }
    }

    /// Sets a variable where it is already defined, else in the current scope: for languages whose functions change
    /// outer variables.
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

    pub(super) fn declare_global(&mut self, names: &[Rc<str>]) {
        Rc::make_mut(&mut self.global).extend(names.iter().cloned());
    }

    pub(super) fn open_scope(&mut self, variables: Rc<CodeVariables>) {
        self.scopes.push(variables);
    }

    pub(super) fn close_scope(&mut self) -> Rc<CodeVariables> {
        if self.scopes.len() > 1 { self.scopes.pop().unwrap_or_default() } else { Rc::default() }
    }

    /// Returns the variables of the function that is being called; `None` in the program itself.
    pub(super) fn function_variables(&self) -> Option<Rc<CodeVariables>> {
        (self.scopes.len() > 1).then(|| self.scopes.last().cloned()).flatten()
    }

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

    /// Forgets the contents of a place.
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

    /// Forgets the values of all variables.
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

    /// Merges the states of two branches, keeping what holds in either. A name that only one of them sets may also
    /// still be the library's.
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

    /// Returns a path relative to where the program began.
    pub(super) fn path_from_start(&self, path: &Word) -> Word {
        match &self.directory {
            Some(directory) => join_paths(directory, path),
            None => path.clone(),
        }
    }
}

/// Merges two lists: if their lengths differ, only the possible elements are known.
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

/// Joins two paths: an absolute path replaces the directory.
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
