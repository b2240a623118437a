//! The state of a program at one point: its variables, lists, directory and environment.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::value::{Held, Place, Value, Variables};
use crate::analysis::Assignment;
use crate::word::{Part, Word};

/// The state of a program. A copy is cheap until either is changed.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// The variables of the program, and of each function that is being called, the innermost last.
    scopes: Vec<Rc<Variables>>,
    /// Names that a function declares as global.
    global: Rc<Vec<Rc<str>>>,
    held: Rc<BTreeMap<Place, Held>>,
    next: u32,
    /// The directory that it changed to: absolute, or relative to where it began; `None` while it stays there.
    pub directory: Option<Word>,
    /// The environment variables that it set.
    pub environment: Vec<Assignment>,
    /// Modules whose names are available without a prefix.
    pub stars: Rc<Vec<Rc<str>>>,
}

impl State {
    pub(super) fn new() -> Self {
        Self {
            scopes: vec![Rc::default()],
            global: Rc::default(),
            held: Rc::default(),
            next: 0,
            directory: None,
            environment: Vec::new(),
            stars: Rc::default(),
        }
    }

    /// Returns the cost of a copy, in values.
    pub(super) fn size(&self) -> usize {
        self.scopes.iter().map(|scope| scope.len()).sum::<usize>() + self.held.len()
    }

    pub(super) fn find(&self, name: &str) -> Option<&Value> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    pub(super) fn set(&mut self, name: &Rc<str>, value: Value) {
        let is_global = self.global.contains(name);
        let scope = if is_global { self.scopes.first_mut() } else { self.scopes.last_mut() };
        if let Some(scope) = scope {
            Rc::make_mut(scope).insert(Rc::clone(name), value);
        }
    }

    /// Sets a variable where it is already defined, else in the current scope: for languages whose functions change
    /// outer variables.
    pub(super) fn set_around(&mut self, name: &Rc<str>, value: Value) {
        let scope = self.scopes.iter_mut().rev().find(|scope| scope.contains_key(name));
        match scope {
            Some(scope) => {
                Rc::make_mut(scope).insert(Rc::clone(name), value);
            }
            None => self.set(name, value),
        }
    }

    /// Sets a variable of the program itself.
    pub(super) fn set_outermost(&mut self, name: &Rc<str>, value: Value) {
        if let Some(scope) = self.scopes.first_mut() {
            Rc::make_mut(scope).insert(Rc::clone(name), value);
        }
    }

    pub(super) fn say_global(&mut self, names: &[Rc<str>]) {
        Rc::make_mut(&mut self.global).extend(names.iter().cloned());
    }

    pub(super) fn open(&mut self, variables: Rc<Variables>) {
        self.scopes.push(variables);
    }

    pub(super) fn close(&mut self) -> Rc<Variables> {
        if self.scopes.len() > 1 { self.scopes.pop().unwrap_or_default() } else { Rc::default() }
    }

    /// Returns the variables of the function that is being called; `None` in the program itself.
    pub(super) fn around(&self) -> Option<Rc<Variables>> {
        (self.scopes.len() > 1).then(|| self.scopes.last().cloned()).flatten()
    }

    pub(super) fn hold(&mut self, held: Held) -> Place {
        let place = Place(self.next);
        self.next += 1;
        Rc::make_mut(&mut self.held).insert(place, held);
        place
    }

    pub(super) fn held(&self, place: Place) -> Option<&Held> {
        self.held.get(&place)
    }

    pub(super) fn held_mut(&mut self, place: Place) -> Option<&mut Held> {
        Rc::make_mut(&mut self.held).get_mut(&place)
    }

    /// Forgets the contents of a place.
    pub(super) fn forget_held(&mut self, place: Place, more: &Value) {
        if let Some(held) = self.held_mut(place) {
            let values: Vec<Value> = match held {
                Held::List(values) => std::mem::take(values),
                Held::Keys(keys) => std::mem::take(keys).into_values().collect(),
                Held::Any(value) => vec![value.clone()],
            };
            let any = values.into_iter().fold(more.forgotten(), |any, value| any.or(value.forgotten()));
            *held = Held::Any(any);
        }
    }

    /// Forgets the values of all variables.
    pub(super) fn forget_all(&mut self) {
        for scope in &mut self.scopes {
            let forget = |value: &mut Value| {
                if !matches!(value, Value::Function(_) | Value::Class(_)) {
                    *value = value.forgotten();
                }
            };
            Rc::make_mut(scope).values_mut().for_each(forget);
        }
    }

    /// Merges the states of two branches, keeping what holds in either. A name that only one of them sets may also
    /// still be the library's.
    pub(super) fn join(&mut self, other: &Self, is_library: impl Fn(&str) -> bool) {
        let only = |name: &Rc<str>, value: &Value| match is_library(name) {
            true => value.clone().or(Value::Library(Rc::clone(name))),
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
                    Some(before) => *before = std::mem::replace(before, Value::Nothing).or(value.clone()),
                    None => {
                        own.insert(Rc::clone(name), only(name, value));
                    }
                }
            }
            for (name, value) in own.iter_mut().filter(|(name, _)| !other.contains_key(*name)) {
                *value = only(name, value);
            }
        }
        if !Rc::ptr_eq(&self.held, &other.held) {
            let own = Rc::make_mut(&mut self.held);
            for (place, held) in other.held.iter() {
                match own.get_mut(place) {
                    Some(before) if before == held => {}
                    Some(before) => *before = either(before, held),
                    None => {
                        own.insert(*place, held.clone());
                    }
                }
            }
        }
        self.next = self.next.max(other.next);
        if self.directory != other.directory {
            self.directory = Some(Word::unknown(super::evaluate::computed("chdir")));
        }
        let missing: Vec<Assignment> =
            other.environment.iter().filter(|one| !self.environment.contains(one)).cloned().collect();
        self.environment.extend(missing);
        if !Rc::ptr_eq(&self.stars, &other.stars) {
            Rc::make_mut(&mut self.stars).extend(other.stars.iter().cloned());
        }
    }

    /// Returns a path relative to where the program began.
    pub(super) fn anchored(&self, path: &Word) -> Word {
        match &self.directory {
            Some(directory) => joined(directory, path),
            None => path.clone(),
        }
    }
}

/// Merges two lists: if their lengths differ, only the possible elements are known.
fn either(one: &Held, other: &Held) -> Held {
    let values = |held: &Held| -> Vec<Value> {
        match held {
            Held::List(values) => values.clone(),
            Held::Keys(keys) => keys.values().cloned().collect(),
            Held::Any(value) => vec![value.clone()],
        }
    };
    match (one, other) {
        (Held::Keys(own), Held::Keys(others)) => {
            let mut all = own.clone();
            for (name, value) in others {
                let both = match all.remove(name) {
                    Some(before) => before.or(value.clone()),
                    None => value.clone(),
                };
                all.insert(Rc::clone(name), both);
            }
            Held::Keys(all)
        }
        (Held::List(own), Held::List(others)) if own.len() == others.len() => {
            Held::List(own.iter().zip(others).map(|(own, other)| own.clone().or(other.clone())).collect())
        }
        _ => {
            let all = values(one).into_iter().chain(values(other));
            Held::Any(all.reduce(Value::or).unwrap_or(Value::Nothing))
        }
    }
}

/// Joins two paths: an absolute path replaces the directory.
pub(super) fn joined(directory: &Word, path: &Word) -> Word {
    if path.prefix().starts_with('/') || directory.parts.is_empty() {
        return path.clone();
    }
    let mut word = Word { span: None, ..directory.clone() };
    if directory.last_char() != Some('/') {
        word.push(Part::Text("/".to_owned()));
    }
    path.parts.iter().for_each(|part| word.push(part.clone()));
    word
}
