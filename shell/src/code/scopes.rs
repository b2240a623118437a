//! Variable scopes: unique names for the variables of functions and blocks.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// The scopes at the reader's position.
#[derive(Default)]
pub(super) struct VariableScopes {
    /// The number of the current function; `None` in the program itself.
    function: Option<usize>,
    count: usize,
    pub is_in_class: bool,
    /// Aliases of variables, by the function that has them.
    aliases: BTreeMap<(Option<usize>, Rc<str>), Rc<str>>,
    /// The variables that blocks declare, the innermost last, with their unique names.
    blocks: Vec<BTreeMap<Rc<str>, Rc<str>>>,
    /// The here-documents: the position of each mark, and the range of its body.
    pub heredocs: Vec<(usize, Range<usize>)>,
}

impl VariableScopes {
    /// Enters a function, and returns the outer one.
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

    /// Returns the name of a local variable: no method or function has such a name.
    pub(super) fn local_name(&self, name: &str) -> Rc<str> {
        Self::local_name_in(self.function, name)
    }

    /// Returns the name of a local variable of the given function.
    pub(super) fn local_name_in(function: Option<usize>, name: &str) -> Rc<str> {
        match function {
            Some(number) => format!("={number} {name}").into(),
            None => format!("={name}").into(),
        }
    }

    /// Makes a name an alias of another variable in the current function.
    pub(super) fn alias(&mut self, name: &str, other: Rc<str>) {
        self.aliases.insert((self.function, name.into()), other);
    }

    /// Returns the name of a variable in the current function.
    pub(super) fn variable(&self, name: &str) -> Rc<str> {
        self.aliases.get(&(self.function, name.into())).map_or_else(|| self.local_name(name), Rc::clone)
    }

    pub(super) fn open_block(&mut self) {
        self.blocks.push(BTreeMap::new());
    }

    pub(super) fn close_block(&mut self) {
        self.blocks.pop();
    }

    /// Declares a variable in the current block, and returns its unique name.
    pub(super) fn declare(&mut self, name: &str) -> Rc<str> {
        self.count += 1;
        let own: Rc<str> = format!("{name} {}", self.count).into();
        match self.blocks.last_mut() {
            Some(block) => {
                block.insert(name.into(), Rc::clone(&own));
                own
            }
            None => name.into(),
        }
    }

    /// Returns the unique name of a variable that a block declares.
    pub(super) fn declared_name(&self, name: &str) -> Rc<str> {
        let own = self.blocks.iter().rev().find_map(|block| block.get(name));
        own.map_or_else(|| name.into(), Rc::clone)
    }
}

/// Returns the name of a variable as written.
pub(super) fn source_name(name: &str) -> &str {
    match name.strip_prefix('=') {
        Some(own) => own.rsplit(' ').next().unwrap_or_default(),
        None => name,
    }
}
