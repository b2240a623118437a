//! Effects of calls on files: each is recorded as the command that has the same effect.

use super::super::arguments::{CallArguments, LibraryCall};
use super::super::commands::wrapped_file;
use super::super::evaluate::{Evaluator, IterationElements, NodeRef};
use super::super::library::{ArgumentRef, EquivalentWord};
use super::super::value::CodeValue;
use super::super::{CodeEffect, CodeLanguage, ExecutionMode};
use crate::word::Word;

impl Evaluator<'_> {
    /// Returns an argument as a path, relative to the directory in which the program started. Returns `None` if the
    /// argument is missing or is not the name of a file.
    fn path(&self, call: LibraryCall<'_>, argument: ArgumentRef) -> Option<Word> {
        match call.argument(argument)? {
            // A number is a descriptor of a file that is already open.
            CodeValue::Number(_) | CodeValue::Nothing => None,
            value => {
                let word = self.word(&value, call.at);
                let word = if self.language == CodeLanguage::Php { wrapped_file(word)? } else { word };
                Some(self.state.path_from_start(&word))
            }
        }
    }

    /// Returns an argument as the content of a file; `None` if a part of it is unknown.
    fn content(&self, call: LibraryCall<'_>, argument: ArgumentRef) -> Option<Word> {
        let content = call.argument(argument).map(|text| self.word(&text, call.at));
        content.filter(|word| word.unknown_reason().is_none())
    }

    /// Records that a call replaces the content of a file by a text.
    pub(super) fn write(&mut self, call: LibraryCall<'_>, path: ArgumentRef, text: ArgumentRef) {
        let Some(path) = self.path(call, path) else { return };
        let content = self.content(call, text);
        self.overwrite(path, content);
    }

    /// Records that a call replaces the content of a file by unknown content.
    pub(super) fn write_anything(&mut self, call: LibraryCall<'_>, path: ArgumentRef) {
        if let Some(path) = self.path(call, path) {
            self.overwrite(path, None);
        }
    }

    /// Records that a file is written, as by `tee`, and its new content.
    fn overwrite(&mut self, path: Word, content: Option<Word>) {
        self.add_effect(CodeEffect::LikeCommand(command(&["tee", "--"], &path)));
        self.add_effect(CodeEffect::Overwrite(path, content));
    }

    /// Records that a call appends a text to a file.
    pub(super) fn append_to(&mut self, call: LibraryCall<'_>, path: ArgumentRef, text: ArgumentRef) {
        let content = self.content(call, text);
        if let Some(path) = self.path(call, path) {
            self.add_effect(CodeEffect::Append(path, content));
        }
    }

    /// Records the command that has the same effect on files as the call. If one of its words is missing from the call,
    /// such as the file, nothing is recorded.
    pub(super) fn record_equivalent(&mut self, call: LibraryCall<'_>, parts: &[EquivalentWord]) {
        let mut words = Vec::new();
        for part in parts {
            let part_words = match part {
                EquivalentWord::Literal(text) => vec![Word::text(*text)],
                EquivalentWord::RemainingArguments(from) => self.remaining_paths(call.at, *from, call.given),
                EquivalentWord::ProgramFiles => self.argument_files(call.at),
                EquivalentWord::Argument(argument) => self.path_or_default(call, *argument).into_iter().collect(),
            };
            if part_words.is_empty() {
                return;
            }
            words.extend(part_words);
        }
        self.add_effect(CodeEffect::LikeCommand(words));
    }

    /// Returns an argument as a path. If it is the first argument and is missing, this is the working directory:
    /// `os.listdir()`.
    fn path_or_default(&self, call: LibraryCall<'_>, argument: ArgumentRef) -> Option<Word> {
        self.path(call, argument).or_else(|| {
            let is_default = matches!(argument, ArgumentRef::Argument(0, _)) && call.argument(argument).is_none();
            is_default.then(|| self.state.path_from_start(&Word::text(".")))
        })
    }

    /// Returns all arguments from an index on as paths, including the elements of lists. Numbers, functions and
    /// dictionaries are left out.
    fn remaining_paths(&mut self, at: NodeRef, from: usize, given: &CallArguments) -> Vec<Word> {
        let mut paths = Vec::new();
        for value in given.positional.iter().skip(from) {
            let values = match value.is_collection().then(|| self.elements(value)) {
                Some(IterationElements::Known(values)) => values,
                Some(IterationElements::Several(value)) => value.alternatives(),
                None => vec![value.clone()],
            };
            for value in values.iter().flat_map(CodeValue::alternatives) {
                if !matches!(
                    value,
                    CodeValue::Number(_) | CodeValue::Nothing | CodeValue::Dictionary(_) | CodeValue::Function(_)
                ) {
                    paths.push(self.state.path_from_start(&self.word(&value, at)));
                }
            }
        }
        paths
    }

    /// Returns the files that the program's own arguments name, for a function that reads all of them, such as Perl's
    /// `<>`. An argument of a Perl program such as `ls|` is run as a command.
    fn argument_files(&mut self, at: NodeRef) -> Vec<Word> {
        let list = self.words_of_program();
        let values = match self.elements(&list) {
            IterationElements::Known(values) => values,
            IterationElements::Several(value) => vec![value],
        };
        // The interpreter's own record already covers its file arguments: `-n`, `-p`.
        let recorded_elsewhere =
            if self.mode == ExecutionMode::EachLine { self.environment.arguments() } else { Vec::new() };
        let mut paths = Vec::new();
        for value in values.iter().flat_map(CodeValue::alternatives) {
            match value.known_text().map(str::trim) {
                // To Perl, a name with a `|` at either end is a command.
                Some(name) if self.language == CodeLanguage::Perl && (name.starts_with('|') || name.ends_with('|')) => {
                    let command = CodeValue::text(name.trim_matches('|'));
                    self.script(at, &command, &CallArguments::default());
                }
                _ => {
                    let word = self.word(&value, at);
                    if !recorded_elsewhere.contains(&word) {
                        paths.push(self.state.path_from_start(&word));
                    }
                }
            }
        }
        paths
    }

    /// Records that a call opens a file with a mode: it is read, written or both. An unknown mode allows both.
    pub(in super::super) fn open_file(&mut self, call: LibraryCall<'_>, path: ArgumentRef, mode: ArgumentRef) {
        // In a call such as `path.open("w")`, `path` is the receiver and `mode` the first argument.
        let Some(path) = self.path(call, path) else { return };
        let mode = call.argument(mode);
        let known_mode = match &mode {
            None | Some(CodeValue::Nothing) => Some("r"),
            Some(value) => value.known_text(),
        };
        let source = self.source(call.at);
        let (reads, writes) = match known_mode {
            Some(mode) => (mode.contains(['r', '+', '<']), mode.contains(['w', 'a', 'x', '+', '>'])),
            // The mode is a number. Its flags are those in the source text: `os.O_RDONLY | …`, `File::RDONLY`.
            None if source.contains("O_") || source.contains("File::") => {
                let changes = ["WRONLY", "RDWR", "CREAT", "TRUNC", "APPEND"];
                (!source.contains("WRONLY"), changes.iter().any(|flag| source.contains(flag)))
            }
            None => (true, true),
        };
        if reads {
            self.add_effect(CodeEffect::LikeCommand(command(&["cat", "--"], &path)));
        }
        if writes {
            self.add_effect(CodeEffect::LikeCommand(command(&["tee", "--"], &path)));
            // A file that is opened for writing is empty at first. With `+`, it may keep its content.
            let content = known_mode.filter(|mode| !mode.contains('+')).map(|_| Word::default());
            match known_mode.is_some_and(|mode| mode.contains('a')) {
                true => self.add_effect(CodeEffect::Append(path, content)),
                false => self.add_effect(CodeEffect::Overwrite(path, content)),
            }
        }
    }
}

/// Returns the words of a command that ends in a path.
pub(in super::super) fn command(words: &[&str], path: &Word) -> Vec<Word> {
    words.iter().map(|word| Word::text(*word)).chain([path.clone()]).collect()
}
