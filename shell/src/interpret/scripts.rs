//! Files with code that an interpreter runs: each is a program too, whatever reads it.

use super::simple::{Made, place};
use super::{Frame, Setting};
use crate::analysis::Simple;
use crate::argv::{Memo, base_name};
use crate::nested::Nested;
use crate::stream::CommandId;
use crate::word::{Directory, Unknown, Word};

/// A file with code that a command runs.
pub(super) struct Script {
    /// The command.
    pub(super) by: CommandId,
    /// The file, and the words that it finds behind it.
    words: Vec<Word>,
    doubt: Option<Unknown>,
    /// Where it runs, unless that is where the command does.
    cwd: Option<Directory>,
}

impl Script {
    /// Makes a command of it: it runs in the process of its interpreter.
    pub(super) fn made(self, commands: &[Simple]) -> Option<Simple> {
        let by = commands.get(self.by.0)?;
        let mut via = by.via.clone();
        via.push(self.by);
        Some(Simple {
            span: by.span.as_ref().and_then(|_| place(&self.words)),
            words: self.words,
            via,
            doubt: self.doubt.or_else(|| by.doubt.clone()),
            cwd: self.cwd.unwrap_or_else(|| by.cwd.clone()),
            is_script: true,
            code: None,
            memo: Memo::default(),
            ..by.clone()
        })
    }
}

impl Frame<'_> {
    /// Notes a file that a command runs and that one of its words names, with the words behind that.
    pub(super) fn note_script(&mut self, made: &Made<'_>, inner: &Nested, setting: &Setting, file: &Word) {
        // What a shell reads into itself is no program: `. env` is not `env`.
        if inner.setting.in_this_shell {
            return;
        }
        // `.` and `..` are directories with a program, and a command of the shell.
        if file.known().is_some_and(|path| matches!(base_name(path), "" | "." | "..")) {
            return;
        }
        let at = made.values.iter().skip(1).position(|value| names(&value.word, file));
        let Some(behind) = at.and_then(|at| made.values.get(at + 2..)) else { return };
        let words = std::iter::once(file.clone()).chain(behind.iter().map(|value| value.word.clone()));
        self.note_script_with(made, inner, setting, words.collect());
    }

    /// Notes a file that a command runs, with the words that it finds behind it.
    pub(super) fn note_script_with(&mut self, made: &Made<'_>, inner: &Nested, setting: &Setting, words: Vec<Word>) {
        let cwd = inner.setting.directory.as_ref().map(|directory| self.state.place_of(directory));
        let script = Script { by: made.id, words, doubt: setting.doubt.clone(), cwd };
        self.interpreter.spend(super::simple::RECORD);
        self.interpreter.scripts.push(script);
    }
}

/// Tells whether a word names a file: itself, as a module (`src.train` is `src/train.py`), or without its ending.
fn names(word: &Word, file: &Word) -> bool {
    if word.parts == file.parts {
        return true;
    }
    let (Some(text), Some(file)) = (word.known(), file.known()) else { return false };
    let is_rest = |rest: &str| rest.starts_with(['.', '/']);
    !text.is_empty()
        && (file.strip_prefix(text).is_some_and(is_rest)
            || file.strip_prefix(text.replace('.', "/").as_str()).is_some_and(is_rest))
}
