//! What variables are called where they stand: names of their own for those of a function, or of a block.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// Where a reader is.
#[derive(Default)]
pub(super) struct Scopes {
    /// The function that is read, by its number; none: the program itself.
    function: Option<usize>,
    count: usize,
    pub is_in_class: bool,
    /// Other names for variables, by the function that has them.
    aliases: BTreeMap<(Option<usize>, Rc<str>), Rc<str>>,
    /// The variables that blocks declare, the innermost last: what each is called.
    blocks: Vec<BTreeMap<Rc<str>, Rc<str>>>,
    /// The texts that follow on further lines: where the mark of each stands, and where its lines are.
    pub heredocs: Vec<(usize, Range<usize>)>,
}

impl Scopes {
    /// Enters a function, and returns the one around it.
    pub(super) fn open_function(&mut self) -> Option<usize> {
        self.count += 1;
        self.function.replace(self.count)
    }

    pub(super) fn close_function(&mut self, outer: Option<usize>) {
        self.function = outer;
    }

    /// Tells whether a function is read.
    pub(super) fn is_in_function(&self) -> bool {
        self.function.is_some()
    }

    /// Returns the name of a variable of a function's own: no method and no function has such a name.
    pub(super) fn local(&self, name: &str) -> Rc<str> {
        Self::local_of(self.function, name)
    }

    /// The same of a function that is known.
    pub(super) fn local_of(function: Option<usize>, name: &str) -> Rc<str> {
        match function {
            Some(number) => format!("={number} {name}").into(),
            None => format!("={name}").into(),
        }
    }

    /// Has a name mean another variable in the function that is read.
    pub(super) fn alias(&mut self, name: &str, other: Rc<str>) {
        self.aliases.insert((self.function, name.into()), other);
    }

    /// Returns what a variable is called here.
    pub(super) fn variable(&self, name: &str) -> Rc<str> {
        self.aliases.get(&(self.function, name.into())).map_or_else(|| self.local(name), Rc::clone)
    }

    pub(super) fn open_block(&mut self) {
        self.blocks.push(BTreeMap::new());
    }

    pub(super) fn close_block(&mut self) {
        self.blocks.pop();
    }

    /// Declares a variable in the block that is read, and returns what it is called.
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

    /// Returns what a variable is called that blocks declare.
    pub(super) fn declared(&self, name: &str) -> Rc<str> {
        let own = self.blocks.iter().rev().find_map(|block| block.get(name));
        own.map_or_else(|| name.into(), Rc::clone)
    }
}

/// Returns the name of a variable as the text has it.
pub(super) fn bare(name: &str) -> &str {
    match name.strip_prefix('=') {
        Some(own) => own.rsplit(' ').next().unwrap_or_default(),
        None => name,
    }
}
