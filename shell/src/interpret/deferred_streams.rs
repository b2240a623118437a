//! Streams that commands may read before the text writes them: a file that is read in a loop or in the background, a
//! `coproc`, `>(…)`.
//!
//! The input of such a reader has a mark in place of the writers. At the end of the walk, the mark is replaced by all
//! writers of the stream.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use super::CommandSources;
use crate::analysis::{CommandScope, OpaqueCode, SimpleCommand};
use crate::stream::{CommandId, DeferredId, Writer, insert_ids};
use crate::word::{Cause, StreamId, Unknown};

/// The maximum number of marks.
const MAX_MARKS: usize = 256;

/// The maximum length of a chain of streams, each of which leads into the next, that is followed.
const MAX_CHAIN: usize = 4;

/// The maximum number of writers that replace marks, in all commands together.
const MAX_ADDED: usize = 100_000;

/// The name of a stream that may be read before it is written.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum StreamName {
    File(PathBuf),
    Stream(StreamId),
}

/// The marks so far, and the writers of all streams.
#[derive(Clone, Debug, Default)]
pub(super) struct DeferredStreams {
    marks: BTreeMap<StreamName, DeferredId>,
    /// The stream of each mark, by the number of the mark.
    names: Vec<StreamName>,
    writers: Rc<BTreeMap<StreamName, Vec<Writer>>>,
    /// Whether a mark was needed when there were already [`MAX_MARKS`].
    is_full: bool,
}

impl DeferredStreams {
    /// Returns the mark that represents all writers of a stream, earlier and later ones; `None` if there are too many
    /// marks.
    pub(super) fn mark_for(&mut self, name: &StreamName) -> Option<DeferredId> {
        let count = self.names.len();
        match self.marks.get(name) {
            Some(mark) => Some(*mark),
            None if count >= MAX_MARKS => {
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

    /// Replaces the marks by commands: fills in `stdin_from`, `code_from` and `words_from` of each command. Returns, as
    /// opaque code, the code that commands execute from files that the text writes later.
    pub(super) fn resolve_marks(&self, commands: &mut [SimpleCommand], sources: &[CommandSources]) -> Vec<OpaqueCode> {
        let mut opaque = Vec::new();
        if self.is_full {
            opaque.push(OpaqueCode::beyond_limits());
        }
        let mut remaining = MAX_ADDED;
        for (index, (command, sources)) in commands.iter_mut().zip(sources).enumerate() {
            let input = Rc::clone(&command.input);
            (command.stdin_from, _) = self.commands(&input.writers, &mut remaining, &mut opaque);
            let (code, streams) = self.commands(&sources.code, &mut remaining, &mut opaque);
            command.code_from = code;
            if !sources.words.is_empty() {
                (command.words_from, _) = self.commands(&sources.words, &mut remaining, &mut opaque);
            }
            // The walk did not see the content that is written to the file later.
            for path in streams {
                let shown = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
                let why = Unknown::new(Cause::EarlierCommand, shown);
                opaque.push(OpaqueCode {
                    reason: why,
                    text: None,
                    runner: Some(CommandId(index)),
                    scope: CommandScope::Local,
                });
            }
        }
        opaque
    }

    /// Returns the commands among some writers, including those that replace marks, and the files whose marks were
    /// replaced. `remaining` is the number of writers that may still be added.
    fn commands(
        &self,
        writers: &[Writer],
        remaining: &mut usize,
        opaque: &mut Vec<OpaqueCode>,
    ) -> (Vec<CommandId>, Vec<&PathBuf>) {
        // The writers are sorted, and so are the ids taken from them.
        let mut ids: Vec<CommandId> = writers.iter().filter_map(|writer| writer.command()).collect();
        let mut files = Vec::new();
        let mut marks = Vec::new();
        if ids.len() < writers.len() {
            add_sorted(writers, &mut ids, &mut marks);
        }
        for _ in 0..MAX_CHAIN {
            for mark in std::mem::take(&mut marks) {
                if *remaining == 0 {
                    break;
                }
                let name = self.names.get(mark.0);
                let writers = name.and_then(|name| self.writers.get(name)).map_or(&[][..], Vec::as_slice);
                *remaining = remaining.saturating_sub(writers.len() + 1);
                if *remaining == 0 {
                    opaque.push(OpaqueCode::beyond_limits());
                    break;
                }
                add_sorted(writers, &mut ids, &mut marks);
                if let Some(StreamName::File(path)) = name.filter(|_| !writers.is_empty()) {
                    files.push(path);
                }
            }
        }
        (ids, files)
    }
}

/// Adds each writer to `ids`, if it is a command, or to `marks`. Both stay sorted.
fn add_sorted(writers: &[Writer], ids: &mut Vec<CommandId>, marks: &mut Vec<DeferredId>) {
    for writer in writers {
        match writer {
            Writer::Command(id) => insert_ids(ids, &[*id]),
            Writer::Deferred(mark) => insert_ids(marks, &[*mark]),
        }
    }
}
