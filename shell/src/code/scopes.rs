//! Scopes of variables: gives the variables of functions and blocks unique names.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// The functions and blocks around the reader's position, and the names of their variables.
#[derive(Default)]
pub(super) struct VariableScopes {
    /// The number of the current function; `None` outside of functions.
    function: Option<usize>,
    /// The last number that was used in a unique name.
    count: usize,
    /// Whether the position is in a class.
    pub is_in_class: bool,
    /// Names that mean another variable within a function, by the number of the function and the name; each has the
    /// unique name of that variable.
    aliases: BTreeMap<(Option<usize>, Rc<str>), Rc<str>>,
    /// The variables that the open blocks declare, with their unique names; the innermost block is last.
    blocks: Vec<BTreeMap<Rc<str>, Rc<str>>>,
    /// The here-documents of the text: the position of the `<<NAME` of each, and the range of its body.
    pub heredocs: Vec<(usize, Range<usize>)>,
}

impl VariableScopes {
    /// Enters a function. Returns the number of the function around it, to be passed to `close_function`.
    pub(super) fn open_function(&mut self) -> Option<usize> {
        self.count += 1;
        self.function.replace(self.count)
    }

    pub(super) fn close_function(&mut self, outer: Option<usize>) {
        self.function = outer;
    }

    /// Whether the reader is inside a function.
    pub(super) fn is_in_function(&self) -> bool {
        self.function.is_some()
    }

    /// Returns the unique name of a local variable of the current function: `=name`, or `=NUMBER name` in a function.
    /// No method or function has such a name.
    pub(super) fn local_name(&self, name: &str) -> Rc<str> {
        Self::local_name_in(self.function, name)
    }

    /// Returns the unique name of a local variable of the function that has a number; `None` is the program itself.
    pub(super) fn local_name_in(function: Option<usize>, name: &str) -> Rc<str> {
        match function {
            Some(number) => format!("={number} {name}").into(),
            None => format!("={name}").into(),
        }
    }

    /// Makes a name in the current function mean the variable with the unique name `other`.
    pub(super) fn alias(&mut self, name: &str, other: Rc<str>) {
        self.aliases.insert((self.function, name.into()), other);
    }

    /// Returns the unique name of the variable that a name means in the current function, following aliases.
    pub(super) fn variable(&self, name: &str) -> Rc<str> {
        self.aliases.get(&(self.function, name.into())).map_or_else(|| self.local_name(name), Rc::clone)
    }

    pub(super) fn open_block(&mut self) {
        self.blocks.push(BTreeMap::new());
    }

    pub(super) fn close_block(&mut self) {
        self.blocks.pop();
    }

    /// Declares a variable in the innermost block, and returns its unique name. Outside of blocks, the name is returned
    /// unchanged.
    pub(super) fn declare(&mut self, name: &str) -> Rc<str> {
        self.count += 1;
        let unique: Rc<str> = format!("{name} {}", self.count).into();
        match self.blocks.last_mut() {
            Some(block) => {
                block.insert(name.into(), Rc::clone(&unique));
                unique
            }
            None => name.into(),
        }
    }

    /// Returns the unique name of a variable that an open block declares, or the name itself for any other variable.
    pub(super) fn declared_name(&self, name: &str) -> Rc<str> {
        let unique = self.blocks.iter().rev().find_map(|block| block.get(name));
        unique.map_or_else(|| name.into(), Rc::clone)
    }
}

/// Converts a unique name from `local_name` back to the name in the source; any other name is returned unchanged.
pub(super) fn source_name(name: &str) -> &str {
    match name.strip_prefix('=') {
        Some(unique) => unique.rsplit(' ').next().unwrap_or_default(),
        None => name,
    }
}
