//! Script files that commands run. Each is also recorded as a command of its own: in `python -u train.py x`,
//! `train.py x`.

use super::simple::{ExpandedCommand, words_span};
use super::{Frame, WalkContext};
use crate::analysis::SimpleCommand;
use crate::argv::{ArgvCache, base_name};
use crate::nested::{CodeSource, NestedCommand};
use crate::stream::{CommandId, StreamContent};
use crate::word::{Directory, Unknown, Word, WordPart};

/// A script file that a command runs, as a program with arguments: in `python -u train.py x`, `train.py x`.
pub(super) struct ScriptRun {
    /// The command of the interpreter, which runs the script.
    pub(super) interpreter: CommandId,
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
        let interpreter = commands.get(self.interpreter.0)?;
        let mut outer_commands = interpreter.outer_commands.clone();
        outer_commands.push(self.interpreter);
        Some(SimpleCommand {
            span: interpreter.span.as_ref().and_then(|_| words_span(&self.words)),
            words: self.words,
            outer_commands,
            doubt: self.doubt.or_else(|| interpreter.doubt.clone()),
            cwd: self.cwd.unwrap_or_else(|| interpreter.cwd.clone()),
            is_script: true,
            code: None,
            memo: ArgvCache::default(),
            ..interpreter.clone()
        })
    }
}

impl Frame<'_> {
    /// Records a script file that a command runs, if one of the command's words names the file; the words after it
    /// are its arguments.
    pub(super) fn note_script(
        &mut self,
        command: &ExpandedCommand<'_>,
        inner: &NestedCommand,
        context: &WalkContext,
        file: &Word,
    ) {
        // A file that a shell sources is not a program: `. env` does not run `env`.
        if inner.setting.in_this_shell {
            return;
        }
        // A directory contains a program but is none, and `.` is also a builtin. `__init__.py` is loaded before the
        // program of its package.
        if file.known_text().is_some_and(|path| matches!(base_name(path), "" | "." | ".." | "__init__.py")) {
            return;
        }
        if leaves_name_open(file) {
            return;
        }
        let index = command.values.iter().skip(1).position(|value| names(&value.word, file));
        let Some(arguments) = index.and_then(|index| command.values.get(index + 2..)) else { return };
        let words = std::iter::once(file.clone()).chain(arguments.iter().map(|value| value.word.clone()));
        self.note_script_with(command, inner, context, words.collect());
    }

    /// Records the file that contains code in another language, which is an operand or the input of the command.
    pub(super) fn note_code_file(
        &mut self,
        command: &ExpandedCommand<'_>,
        inner: &NestedCommand,
        context: &WalkContext,
        code: &CodeSource,
    ) {
        match (code, &command.input.content) {
            (CodeSource::File(file), _) => self.note_script(command, inner, context, file),
            (CodeSource::Input, StreamContent::File(file)) => {
                self.note_script_with(command, inner, context, vec![file.clone()]);
            }
            _ => {}
        }
    }

    /// Records a script file that a command runs; `words` are the file and its arguments.
    pub(super) fn note_script_with(
        &mut self,
        command: &ExpandedCommand<'_>,
        inner: &NestedCommand,
        context: &WalkContext,
        words: Vec<Word>,
    ) {
        let cwd = inner.setting.directory.as_ref().map(|directory| self.state.directory_at(directory));
        let script = ScriptRun { interpreter: command.id, words, doubt: context.doubt.clone(), cwd };
        self.interpreter.spend(super::simple::RECORD_COST);
        self.interpreter.scripts.push(script);
    }
}

/// Whether only the directory and the extension of a file are known: `tests/*.py`. Such a word means files of the
/// project, and never a program that a rule names.
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

/// Whether a word names a file by its path, without the extension, or as a Python module: `src.train` for
/// `src/train.py`.
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
