//! Script files that commands run: each is also recorded as a program, regardless of its interpreter.

use super::simple::{ExpandedCommand, words_span};
use super::{Frame, WalkContext};
use crate::analysis::SimpleCommand;
use crate::argv::{ArgvCache, base_name};
use crate::nested::{CodeSource, NestedCommand};
use crate::stream::{CommandId, StreamContent};
use crate::word::{Directory, Unknown, Word, WordPart};

/// A script file that a command runs, as a program with arguments: in `python -u train.py x`, `train.py x`.
pub(super) struct ScriptRun {
    /// The command that runs it.
    pub(super) by: CommandId,
    /// The file and its arguments.
    words: Vec<Word>,
    /// Why the script may not run.
    doubt: Option<Unknown>,
    /// The directory of the script, if it differs from the command's.
    cwd: Option<Directory>,
}

impl ScriptRun {
    /// Returns the script as a command that runs in the process of its interpreter; `None` if the interpreter's
    /// command no longer exists.
    pub(super) fn into_command(self, commands: &[SimpleCommand]) -> Option<SimpleCommand> {
        let by = commands.get(self.by.0)?;
        let mut via = by.outer_commands.clone();
        via.push(self.by);
        Some(SimpleCommand {
            span: by.span.as_ref().and_then(|_| words_span(&self.words)),
            words: self.words,
            outer_commands: via,
            doubt: self.doubt.or_else(|| by.doubt.clone()),
            cwd: self.cwd.unwrap_or_else(|| by.cwd.clone()),
            is_script: true,
            code: None,
            memo: ArgvCache::default(),
            ..by.clone()
        })
    }
}

impl Frame<'_> {
    /// Records a script file that a command runs, if one of the command's words names the file; the words after it
    /// are its arguments.
    pub(super) fn note_script(
        &mut self,
        made: &ExpandedCommand<'_>,
        inner: &NestedCommand,
        setting: &WalkContext,
        file: &Word,
    ) {
        // A file that a shell sources is not a program: `. env` does not run `env`.
        if inner.setting.in_this_shell {
            return;
        }
        // These names refer to directories that contain a program; `.` is also a builtin.
        // A package is loaded before its program, and is none itself.
        if file.known_text().is_some_and(|path| matches!(base_name(path), "" | "." | ".." | "__init__.py")) {
            return;
        }
        if leaves_name_open(file) {
            return;
        }
        let at = made.values.iter().skip(1).position(|value| names(&value.word, file));
        let Some(behind) = at.and_then(|at| made.values.get(at + 2..)) else { return };
        let words = std::iter::once(file.clone()).chain(behind.iter().map(|value| value.word.clone()));
        self.note_script_with(made, inner, setting, words.collect());
    }

    /// Records the file that code in another language is in, as an operand or as the input.
    pub(super) fn note_code_file(
        &mut self,
        made: &ExpandedCommand<'_>,
        inner: &NestedCommand,
        setting: &WalkContext,
        code: &CodeSource,
    ) {
        match (code, &made.input.content) {
            (CodeSource::File(file), _) => self.note_script(made, inner, setting, file),
            (CodeSource::Input, StreamContent::File(file)) => {
                self.note_script_with(made, inner, setting, vec![file.clone()]);
            }
            _ => {}
        }
    }

    /// Records a script file that a command runs; `words` are the file and its arguments.
    pub(super) fn note_script_with(
        &mut self,
        made: &ExpandedCommand<'_>,
        inner: &NestedCommand,
        setting: &WalkContext,
        words: Vec<Word>,
    ) {
        let cwd = inner.setting.directory.as_ref().map(|directory| self.state.directory_at(directory));
        let script = ScriptRun { by: made.id, words, doubt: setting.doubt.clone(), cwd };
        self.interpreter.spend(super::simple::RECORD);
        self.interpreter.scripts.push(script);
    }
}

/// Whether a glob leaves the name of a file open but for its extension: `tests/*.py`. Such a word names files of the
/// project, and none of the programs that a rule names.
fn leaves_name_open(file: &Word) -> bool {
    let glob = match file.parts.as_slice() {
        [part] => part.matched_glob().unwrap_or(file),
        _ => file,
    };
    let before = match glob.parts.as_slice() {
        [before @ .., WordPart::Glob(_)] => before,
        [before @ .., WordPart::Glob(_), WordPart::Text(extension)] if extension.starts_with('.') => before,
        _ => return false,
    };
    before.last().is_none_or(|part| matches!(part, WordPart::Text(directory) if directory.ends_with('/')))
}

/// Whether a word names a file: by its path, as a Python module (`src.train` for `src/train.py`), or without its
/// extension.
fn names(word: &Word, file: &Word) -> bool {
    if word.parts == file.parts {
        return true;
    }
    let (Some(text), Some(file)) = (word.known_text(), file.known_text()) else { return false };
    let is_rest = |rest: &str| rest.starts_with(['.', '/']);
    !text.is_empty()
        && (file.strip_prefix(text).is_some_and(is_rest)
            || file.strip_prefix(text.replace('.', "/").as_str()).is_some_and(is_rest))
}
