//! What flows from where the text has it later: a file that is read in a loop or in the background before a command
//! writes it, a `coproc`, `>(…)`.
//!
//! A reader gets a mark in place of the writers. When all is walked, the writers take the mark's place.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use super::super::{Cause, CommandId, Opaque, Scope, Simple, StreamId, Why};
use super::add;

/// How many marks there may be.
const MARKS: usize = 256;

/// How many streams may lead into each other.
const ROUNDS: usize = 4;

/// How many writers are put in the place of marks.
const ADDED: usize = 100_000;

/// What is written before or after it is read.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Name {
    File(PathBuf),
    Stream(StreamId),
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Late {
    marks: BTreeMap<Name, CommandId>,
    writers: Rc<BTreeMap<Name, Vec<CommandId>>>,
}

impl Late {
    /// Returns the mark for those who write to a stream of this name, before or later.
    pub(super) fn mark(&mut self, name: &Name) -> Option<CommandId> {
        let count = self.marks.len();
        match self.marks.get(name) {
            Some(mark) => Some(*mark),
            None if count >= MARKS => None,
            None => {
                // No command will ever have it.
                let mark = CommandId(usize::MAX - count);
                self.marks.insert(name.clone(), mark);
                Some(mark)
            }
        }
    }

    /// Notes who writes to a stream.
    pub(super) fn write(&mut self, name: Name, from: &[CommandId]) {
        if !from.is_empty() {
            add(Rc::make_mut(&mut self.writers).entry(name).or_default(), from);
        }
    }

    /// Tells whether a stream of this name is known.
    pub(super) fn knows(&self, name: &Name) -> bool {
        self.marks.contains_key(name)
    }

    /// Returns who wrote so far, to come back to.
    pub(super) fn writers(&self) -> Rc<BTreeMap<Name, Vec<CommandId>>> {
        Rc::clone(&self.writers)
    }

    pub(super) fn back_to(&mut self, writers: &Rc<BTreeMap<Name, Vec<CommandId>>>) {
        self.writers = Rc::clone(writers);
    }

    /// Puts the writers in the place of the marks, and returns what is executed without being seen.
    pub(super) fn settle(&self, commands: &mut [Simple]) -> Vec<Opaque> {
        let mut opaque = Vec::new();
        if self.marks.is_empty() {
            return opaque;
        }
        let none = Vec::new();
        let writers = |mark: &CommandId| {
            let name = self.marks.iter().find_map(|(name, own)| (own == mark).then_some(name));
            name.map_or((None, &none), |name| (Some(name), self.writers.get(name).unwrap_or(&none)))
        };
        let count = commands.len();
        let mut left = ADDED;
        for (at, command) in commands.iter_mut().enumerate() {
            for (ids, is_code) in [(&mut command.stdin_from, false), (&mut command.code_from, true)] {
                for _ in 0..ROUNDS {
                    let marks: Vec<CommandId> = ids.iter().filter(|id| id.0 >= count).copied().collect();
                    if marks.is_empty() || left == 0 {
                        break;
                    }
                    ids.retain(|id| id.0 < count);
                    for mark in &marks {
                        let (name, writers) = writers(mark);
                        left = left.saturating_sub(writers.len() + 1);
                        if left == 0 {
                            let why = Why::new(Cause::Long, "");
                            opaque.push(Opaque { why, text: None, by: None, scope: Scope::Local });
                            break;
                        }
                        add(ids, writers);
                        // A file's content was taken for that of another program's.
                        if let Some(Name::File(path)) = name.filter(|_| is_code && !writers.is_empty()) {
                            let shown = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
                            let why = Why::new(Cause::Earlier, shown);
                            opaque.push(Opaque { why, text: None, by: Some(CommandId(at)), scope: Scope::Local });
                        }
                    }
                }
            }
        }
        // What is left of the marks is nobody's.
        for command in commands {
            command.stdin_from.retain(|id| id.0 < count);
            command.code_from.retain(|id| id.0 < count);
        }
        opaque
    }
}
