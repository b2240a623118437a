//! Streams that are read before the text writes them: a file that is read in a loop or in the background, a `coproc`,
//! `>(…)`.
//!
//! A reader gets a mark in place of the writers. At the end of the walk, each mark is replaced by the writers that
//! the stream then has.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use super::CommandSources;
use crate::analysis::{CommandScope, OpaqueCode, SimpleCommand};
use crate::stream::{CommandId, DeferredId, Writer, insert_ids};
use crate::word::{Cause, StreamId, Unknown};

/// The maximum number of marks.
const MARKS: usize = 256;

/// How often marks are replaced in the writers of other marks: the longest chain of streams that lead into each
/// other.
const ROUNDS: usize = 4;

/// The maximum number of writers that replace marks, over all commands.
const ADDED: usize = 100_000;

/// The name of a stream that may be read before it is written.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum StreamName {
    File(PathBuf),
    Stream(StreamId),
}

/// The marks given out, and the writers of all streams so far.
#[derive(Clone, Debug, Default)]
pub(super) struct DeferredStreams {
    marks: BTreeMap<StreamName, DeferredId>,
    /// The stream of each mark.
    names: Vec<StreamName>,
    writers: Rc<BTreeMap<StreamName, Vec<Writer>>>,
    /// Whether there were more streams than marks.
    is_full: bool,
}

impl DeferredStreams {
    /// Returns the mark that represents all writers of a stream, earlier and later ones; `None` if there are too many
    /// marks.
    pub(super) fn mark_for(&mut self, name: &StreamName) -> Option<DeferredId> {
        let count = self.names.len();
        match self.marks.get(name) {
            Some(mark) => Some(*mark),
            None if count >= MARKS => {
                self.is_full = true;
                None
            }
            None => {
                self.names.push(name.clone());
                self.marks.insert(name.clone(), DeferredId(count));
                Some(DeferredId(count))
            }
        }
    }

    /// Records writers of a stream.
    pub(super) fn add_writers(&mut self, name: StreamName, from: &[Writer]) {
        if !from.is_empty() {
            insert_ids(Rc::make_mut(&mut self.writers).entry(name).or_default(), from);
        }
    }

    /// Whether a stream has a mark.
    pub(super) fn has_mark(&self, name: &StreamName) -> bool {
        self.marks.contains_key(name)
    }

    /// Returns the writers so far, for a checkpoint.
    pub(super) fn writers(&self) -> Rc<BTreeMap<StreamName, Vec<Writer>>> {
        Rc::clone(&self.writers)
    }

    pub(super) fn restore_writers(&mut self, writers: &Rc<BTreeMap<StreamName, Vec<Writer>>>) {
        self.writers = Rc::clone(writers);
    }

    /// Replaces the marks by commands: fills in `stdin_from`, `code_from` and `words_from` of each command. Returns
    /// the code that commands execute from files that are written later, as opaque.
    pub(super) fn resolve_marks(&self, commands: &mut [SimpleCommand], sources: &[CommandSources]) -> Vec<OpaqueCode> {
        let mut opaque = Vec::new();
        if self.is_full {
            opaque.push(OpaqueCode::beyond_limits());
        }
        let mut left = ADDED;
        for (at, (command, sources)) in commands.iter_mut().zip(sources).enumerate() {
            let input = Rc::clone(&command.input);
            (command.stdin_from, _) = self.commands(&input.writers, &mut left, &mut opaque);
            let (code, streams) = self.commands(&sources.code, &mut left, &mut opaque);
            command.code_from = code;
            if !sources.words.is_empty() {
                (command.words_from, _) = self.commands(&sources.words, &mut left, &mut opaque);
            }
            // The walk did not see the content that is written to the file later.
            for path in streams {
                let shown = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
                let why = Unknown::new(Cause::EarlierCommand, shown);
                opaque.push(OpaqueCode {
                    reason: why,
                    text: None,
                    runner: Some(CommandId(at)),
                    scope: CommandScope::Local,
                });
            }
        }
        opaque
    }

    /// Returns the commands among some writers, with marks resolved, and the files among the resolved marks. `left`
    /// is the number of writers that may still be added.
    fn commands(
        &self,
        writers: &[Writer],
        left: &mut usize,
        opaque: &mut Vec<OpaqueCode>,
    ) -> (Vec<CommandId>, Vec<&PathBuf>) {
        // The writers are sorted, and so are the ids taken from them.
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
                    opaque.push(OpaqueCode::beyond_limits());
                    break;
                }
                sort(writers, &mut ids, &mut open);
                if let Some(StreamName::File(path)) = name.filter(|_| !writers.is_empty()) {
                    files.push(path);
                }
            }
        }
        (ids, files)
    }
}

/// Adds commands to `ids` and marks to `open`.
fn sort(writers: &[Writer], ids: &mut Vec<CommandId>, open: &mut Vec<DeferredId>) {
    for writer in writers {
        match writer {
            Writer::Command(id) => insert_ids(ids, &[*id]),
            Writer::Deferred(mark) => insert_ids(open, &[*mark]),
        }
    }
}
