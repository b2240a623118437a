//! Perl's `open`, whose mode may be a part of the name and which may run commands, and other functions for handles.

use super::arguments::{CallArguments, LibraryCall};
use super::call::either_of;
use super::effects::{command, with_unknown_input};
use super::evaluate::{Evaluator, NodeRef, computed_reason};
use super::library::ArgumentRef;
use super::value::{CodeValue, DataOrigin};
use super::{CodeEffect, UnanalysedCode};
use crate::nested::Runnable;
use crate::word::{Cause, Unknown, Word, WordPart};

/// What the arguments of Perl's `open` name.
enum OpenTarget {
    /// A file, after its mode: `>x`.
    File(&'static str, Word),
    /// A command whose output is read: `ls|`.
    ReadCommand(Word),
    /// A command to whose standard input the program writes: `|sh`.
    WriteCommand(Word),
    /// A handle that is already open (`<&F`), or standard input (`-`).
    Handle,
}

impl Evaluator<'_> {
    /// Records the effects of an `open` with two arguments, whose second is a text with the mode: `>x`, `<x`, `ls|`,
    /// `|sh`.
    pub(super) fn open_text(&mut self, call: LibraryCall<'_>, text: ArgumentRef) {
        let at = call.at;
        let Some(value) = call.argument(text) else { return };
        let word = self.word(&value, at);
        match parse_open_target(&word) {
            OpenTarget::File(mode, path) => {
                // If the end of the text is unknown, it may be a `|` that makes the text a command.
                let may_end_in_pipe = path.parts.last().is_some_and(|part| match part {
                    WordPart::Unknown(part) => part.reason.cause != Cause::Glob,
                    _ => false,
                });
                if may_end_in_pipe && mode == "<" {
                    let source = self.source(at);
                    // If the beginning is known, the command can only be one that the source text names.
                    let text = (!word.prefix().is_empty()).then(|| source.clone().into());
                    let why = if text.is_some() {
                        Unknown::new(Cause::Library, super::excerpt(&source))
                    } else {
                        computed_reason(&source)
                    };
                    self.effects.unanalysed.push(UnanalysedCode { reason: why, text });
                }
                self.open_as(mode, &path);
                // If the beginning is unknown as well, it may be a `>`.
                if word.prefix().is_empty() && may_end_in_pipe {
                    self.open_as(">", &path);
                }
            }
            OpenTarget::ReadCommand(text) => {
                self.script(at, &CodeValue::Text(text, value.origin()), &CallArguments::default())
            }
            OpenTarget::WriteCommand(text) => {
                self.script(at, &CodeValue::Text(text, value.origin()), &with_unknown_input(&CallArguments::default()))
            }
            OpenTarget::Handle => {}
        }
    }

    /// Records the effects of an `open` with a separate mode: `open F, ">", "x"`, `open F, "-|", "ls", "-l"`.
    pub(super) fn open_mode(&mut self, call: LibraryCall<'_>, mode: ArgumentRef) {
        let LibraryCall { at, given, .. } = call;
        let Some(mode) = call.argument(mode) else { return };
        let Some(path) = given.positional.get(1).cloned() else { return };
        let command_words: Vec<CodeValue> = given.positional.iter().skip(1).cloned().collect();
        let word = self.word(&path, at);
        match mode.known_text().map(|mode| mode.trim().to_owned()) {
            Some(mode) if mode.contains('|') => {
                let process_arguments = if mode.starts_with('|') {
                    with_unknown_input(&CallArguments::default())
                } else {
                    CallArguments::default()
                };
                match command_words.len() {
                    1 => self.script(at, &path, &process_arguments),
                    _ => {
                        self.record_run_origin(path.origin());
                        let list = self.new_list(command_words);
                        let words = self.words(at, &list);
                        self.record_run(Runnable::Argv(words), &process_arguments, at);
                    }
                }
            }
            // A copy of a handle, or a temporary file without a name.
            Some(mode) if mode.contains('&') || path == CodeValue::Nothing => {}
            Some(mode) => self.open_as(&mode, &word),
            // An unknown mode may open a file for reading and writing, or run a command.
            None => {
                self.open_as("+<", &word);
                let source = self.source(at);
                self.add_unanalysed(computed_reason(&source), None);
            }
        }
    }

    /// Records that a file is opened with a mode of Perl: `<`, `>`, `>>`, `+<`.
    fn open_as(&mut self, mode: &str, path: &Word) {
        let path = self.state.path_from_start(path);
        if mode.contains('<') {
            self.add_effect(CodeEffect::LikeCommand(command(&["cat", "--"], &path)));
        }
        if mode.contains(['>', '+']) {
            self.add_effect(CodeEffect::LikeCommand(command(&["tee", "--"], &path)));
            let content = (!mode.contains('+')).then(Word::default);
            match mode.contains(">>") {
                true => self.add_effect(CodeEffect::Append(path, content)),
                false => self.add_effect(CodeEffect::Overwrite(path, content)),
            }
        }
    }

    /// Returns the handle that an `open` with two arguments sets: a file, standard input, or unknown data for a
    /// command.
    pub(super) fn handle_of_text(&self, at: NodeRef, given: &CallArguments) -> CodeValue {
        let text =
            given.positional.first().map_or_else(|| self.word(&CodeValue::Nothing, at), |text| self.word(text, at));
        match parse_open_target(&text) {
            OpenTarget::File(_, path) => CodeValue::File(path),
            OpenTarget::Handle => CodeValue::Data(DataOrigin::Input),
            OpenTarget::ReadCommand(_) | OpenTarget::WriteCommand(_) => CodeValue::COMPUTED,
        }
    }

    /// Returns the handle that an `open` with a separate mode sets: a file, or unknown data for a command or another
    /// handle.
    pub(super) fn handle_of_mode(&self, at: NodeRef, given: &CallArguments) -> CodeValue {
        let mode = given.positional.first().and_then(CodeValue::known_text);
        match (mode.map(|mode| mode.contains(['|', '&'])), given.positional.get(1)) {
            (Some(false), Some(path)) if *path != CodeValue::Nothing => CodeValue::File(self.word(path, at)),
            _ => CodeValue::COMPUTED,
        }
    }

    /// Evaluates Perl's `find(function, directories)`: calls the function, with `$_` set to an unknown path below one
    /// of the directories.
    pub(super) fn find(&mut self, at: NodeRef, given: &CallArguments) {
        let directories: Vec<CodeValue> = given.positional.iter().skip(1).cloned().collect();
        let directory = match directories.is_empty() {
            true => Word::text("."),
            false => {
                let directory = either_of(directories);
                self.word(&directory, at)
            }
        };
        let below = CodeValue::Text(self.path_below(&directory, &self.source(at)), DataOrigin::Computed);
        self.state.set_global(&"$_".into(), below.clone());
        self.state.set_global(&"$File::Find::name".into(), below);
        let function = match given.positional.first() {
            Some(keys @ CodeValue::Dictionary(_)) => self.index(&keys.clone(), &CodeValue::text("wanted")),
            Some(function) => function.clone(),
            None => return,
        };
        self.call(at, &function, &CallArguments::default());
    }

    /// Records the connection of a Perl socket: `PeerAddr => "host", PeerPort => 80`, or `"host:80"` as the only
    /// argument. A socket that listens connects to no host.
    pub(super) fn connect_named(&mut self, at: NodeRef, given: &CallArguments) {
        let value_of = |keys: &[&str]| {
            let mut pairs = given.positional.chunks(2);
            let pair = pairs
                .find(|pair| pair.first().and_then(CodeValue::known_text).is_some_and(|name| keys.contains(&name)));
            pair.and_then(|pair| pair.get(1)).cloned()
        };
        let host = value_of(&["PeerAddr", "PeerHost", "Host"]).or_else(|| given.positional.first().cloned());
        let is_listening =
            given.positional.iter().any(|value| matches!(value.known_text(), Some("Listen" | "LocalPort")));
        let Some(host) = host.filter(|_| !is_listening) else { return };
        self.connect_to(at, &host, value_of(&["PeerPort", "Port"]).as_ref());
    }
}

/// Parses the text of an `open` with two arguments into its mode and the file or command.
fn parse_open_target(word: &Word) -> OpenTarget {
    let start = word.prefix().trim_start();
    let blanks = word.prefix().len() - start.len();
    // The rest of the text after a mode and blanks, with its unknown parts.
    let after = |sign: &str| {
        let blanks_and_sign = format!("{}{sign}", word.prefix().get(..blanks).unwrap_or_default());
        let rest = word.strip_prefix(&blanks_and_sign).unwrap_or_default();
        let blanks: String = rest.prefix().chars().take_while(|c| c.is_whitespace()).collect();
        rest.strip_prefix(&blanks).unwrap_or(rest)
    };
    if start.starts_with('|') {
        return OpenTarget::WriteCommand(after("|"));
    }
    if let Some(text) = word.known_text().map(str::trim_end).and_then(|text| text.strip_suffix('|')) {
        return OpenTarget::ReadCommand(Word::text(text));
    }
    // A partly unknown text with a known end: `$command|`.
    if let Some(WordPart::Text(end)) = word.parts.last()
        && let Some(end) = end.trim_end().strip_suffix('|')
    {
        let mut command = Word { span: None, ..word.clone() };
        command.parts.pop();
        command.push(WordPart::Text(end.to_owned()));
        return OpenTarget::ReadCommand(command);
    }
    for (sign, mode) in [("+<", "+<"), ("+>", "+>"), (">>", ">>"), (">", ">"), ("<", "<")] {
        if start.starts_with(sign) {
            let path = after(sign);
            let is_handle = path.prefix().starts_with(['&', '=']) || path.known_text() == Some("-");
            return if is_handle { OpenTarget::Handle } else { OpenTarget::File(mode, path) };
        }
    }
    match word.known_text() {
        Some("-") => OpenTarget::Handle,
        _ => OpenTarget::File("<", word.clone()),
    }
}
