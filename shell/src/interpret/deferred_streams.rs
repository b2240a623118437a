//! Flows whose writer comes later in the text: a file that is read in a loop or in the background before a command
//! writes it, a `coproc`, `>(…)`.
//!
//! A reader gets a mark instead of the writers. At the end of the walk, marks are replaced by writers.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use super::Sources;
use crate::analysis::{Opaque, Scope, Simple};
use crate::stream::{CommandId, LateId, Writer, add};
use crate::word::{Cause, StreamId, Unknown};

/// The most marks.
const MARKS: usize = 256;

/// The longest chain of streams that lead into each other.
const ROUNDS: usize = 4;

/// The most writers that replace marks.
const ADDED: usize = 100_000;

/// The name of a stream that may be read before it is written.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Name {
    File(PathBuf),
    Stream(StreamId),
}

/// All marks, and the writers of the streams.
#[derive(Clone, Debug, Default)]
pub(super) struct Late {
    marks: BTreeMap<Name, LateId>,
    /// The stream of each mark.
    names: Vec<Name>,
    writers: Rc<BTreeMap<Name, Vec<Writer>>>,
    /// Whether there were more streams than marks.
    is_full: bool,
}

impl Late {
    /// Returns the mark for all writers of a stream, earlier and later ones.
    pub(super) fn mark(&mut self, name: &Name) -> Option<LateId> {
        let count = self.names.len();
        match self.marks.get(name) {
            Some(mark) => Some(*mark),
            None if count >= MARKS => {
                self.is_full = true;
                None
            }
            None => {
                self.names.push(name.clone());
                self.marks.insert(name.clone(), LateId(count));
                Some(LateId(count))
            }
        }
    }

    /// Records writers of a stream.
    pub(super) fn write(&mut self, name: Name, from: &[Writer]) {
        if !from.is_empty() {
            add(Rc::make_mut(&mut self.writers).entry(name).or_default(), from);
        }
    }

    /// Whether a stream has a mark.
    pub(super) fn knows(&self, name: &Name) -> bool {
        self.marks.contains_key(name)
    }

    /// Returns the writers so far, to go back to.
    pub(super) fn writers(&self) -> Rc<BTreeMap<Name, Vec<Writer>>> {
        Rc::clone(&self.writers)
    }

    pub(super) fn back_to(&mut self, writers: &Rc<BTreeMap<Name, Vec<Writer>>>) {
        self.writers = Rc::clone(writers);
    }

    /// Resolves the marks: fills `stdin_from`, `code_from` and `words_from` of the commands, and returns what they
    /// execute without it having been seen.
    pub(super) fn take_charges(&self, commands: &mut [Simple], sources: &[Sources]) -> Vec<Opaque> {
        let mut opaque = Vec::new();
        if self.is_full {
            opaque.push(Opaque::too_long());
        }
        let mut left = ADDED;
        for (at, (command, sources)) in commands.iter_mut().zip(sources).enumerate() {
            let input = Rc::clone(&command.input);
            (command.stdin_from, _) = self.commands(&input.from, &mut left, &mut opaque);
            let (code, streams) = self.commands(&sources.code, &mut left, &mut opaque);
            command.code_from = code;
            if !sources.words.is_empty() {
                (command.words_from, _) = self.commands(&sources.words, &mut left, &mut opaque);
            }
            // The walk assumed that the content of the file came from another program.
            for path in streams {
                let shown = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
                let why = Unknown::new(Cause::Earlier, shown);
                opaque.push(Opaque { why, text: None, by: Some(CommandId(at)), scope: Scope::Local });
            }
        }
        opaque
    }

    /// Returns the commands among some writers, and the files that were written after they were read.
    fn commands(
        &self,
        writers: &[Writer],
        left: &mut usize,
        opaque: &mut Vec<Opaque>,
    ) -> (Vec<CommandId>, Vec<&PathBuf>) {
        // They are sorted.
        let mut ids: Vec<CommandId> = writers.iter().filter_map(|writer| writer.command()).collect();
        let mut files = Vec::new();
        let mut open = Vec::new();
        if ids.len() < writers.len() {
            sort(writers, &mut ids, &mut open);
        }
        for _ in 0..ROUNDS {
            for mark in std::mem::take(&mut open) {
                if *left == 0 {
                    break;
                }
                let name = self.names.get(mark.0);
                let writers = name.and_then(|name| self.writers.get(name)).map_or(&[][..], Vec::as_slice);
                *left = left.saturating_sub(writers.len() + 1);
                if *left == 0 {
                    opaque.push(Opaque::too_long());
                    break;
                }
                sort(writers, &mut ids, &mut open);
                if let Some(Name::File(path)) = name.filter(|_| !writers.is_empty()) {
                    files.push(path);
                }
            }
        }
        (ids, files)
    }
}

/// Adds writers to the commands or to the unresolved marks.
fn sort(writers: &[Writer], ids: &mut Vec<CommandId>, open: &mut Vec<LateId>) {
    for writer in writers {
        match writer {
            Writer::Command(id) => add(ids, &[*id]),
            Writer::Late(mark) => add(open, &[*mark]),
        }
    }
}
