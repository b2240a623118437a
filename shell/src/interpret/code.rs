//! Evaluates programs in other languages that a command runs: `python -c '…'`, a script on standard input.

use std::rc::Rc;

use super::flow::Flow;
use super::simple::{ExpandedCommand, directory};
use super::{Frame, WalkContext};
use crate::analysis::CodeSummary;
use crate::argv::base_name;
use crate::code::{self, CodeEffect, CodeEffects, CodeLanguage, ExecutionMode, ProgramEnvironment};
use crate::evaluated::EvaluatorKind;
use crate::expand::ExpansionContext;
use crate::nested::CodeSource;
use crate::programs;
use crate::state::{VariableLookup, WriteMode};
use crate::stream::{InputStream, ShellValue, StreamContent, Writer};
use crate::word::{Cause, Unknown, UnknownPart, Word, WordPart};

/// The nesting levels that evaluating a program takes: roughly in proportion to its use of the stack.
const CODE_LEVELS: usize = 24;

/// The environment of a program in another language, as far as the shell knows it.
struct FrameEnvironment<'f, 'w> {
    frame: &'f Frame<'w>,
    arguments: Vec<Word>,
    input: Option<Word>,
}

impl ProgramEnvironment for FrameEnvironment<'_, '_> {
    fn variable(&self, name: &str) -> Word {
        match self.frame.state.find(name) {
            VariableLookup::One(value) => Word { span: None, ..value.into_one_word().word },
            VariableLookup::Unset | VariableLookup::List(_) | VariableLookup::Unknown => {
                ShellValue::variable(name).word
            }
        }
    }

    fn home(&self) -> Option<String> {
        match self.frame.state.find("HOME") {
            VariableLookup::One(value) => value.word.known_text().map(str::to_owned),
            _ => None,
        }
    }

    fn directory(&self) -> Option<String> {
        directory(&self.frame.state.cwd).map(str::to_owned)
    }

    fn arguments(&self) -> Vec<Word> {
        self.arguments.clone()
    }

    fn input(&self) -> Option<Word> {
        self.input.clone()
    }

    fn follows_values(&self) -> bool {
        self.frame.interpreter.watch.is_some()
    }

    fn file(&self, path: &Word) -> Option<Word> {
        match &self.frame.written_file(path)?.content {
            StreamContent::Known(value) => Some(value.word.clone()),
            _ => None,
        }
    }
}

/// The maximum number of written files that a piece of code may name.
const MAX_NAMED_FILES: usize = 16;

impl Frame<'_> {
    /// Evaluates code in another language that a command runs. If it is unknown, or if there is no evaluator for its
    /// language, it is recorded as opaque.
    pub(super) fn walk_foreign(
        &mut self,
        command: &ExpandedCommand<'_>,
        context: &WalkContext,
        code: &CodeSource,
    ) -> Flow {
        let (content, from) = match code {
            CodeSource::Text(text) => {
                let text = self.inherit(&command.words_with_output(), command, text);
                let from = text.writers.clone();
                (StreamContent::Known(text), from)
            }
            CodeSource::Input => (command.input.content.clone(), command.input.writers.clone()),
            CodeSource::File(file) => {
                let written = self.possible_written_file(file).map(|(path, _)| path);
                let file = written.as_ref().unwrap_or(file);
                let InputStream { content, writers: from, .. } = self.read_file(command, file);
                (content, from)
            }
        };
        self.add_code_writers(command.id, &from);
        if command.name().and_then(|name| programs::language(base_name(name)))
            == Some(programs::InterpreterLanguage::Awk)
        {
            // An Awk program may build the commands that it runs from its input.
            self.add_code_writers(command.id, &command.input.writers);
        }
        match content {
            // A file that the text did not write is not recorded as opaque: like the program that runs it, it exists
            // already.
            StreamContent::Unset | StreamContent::File(_) => self.note_unevaluated_code(command),
            StreamContent::Program(literals) => self.record_program(context, &literals),
            StreamContent::Known(text) => self.walk_foreign_text(command, context, code, &text),
            StreamContent::Unknown => self.with_context(context).add_opaque(Cause::Decoded, "", None),
        }
        Flow::unknown()
    }

    /// Records a compiled program as opaque. The literals in its sources show which files and programs it may name.
    pub(super) fn record_program(&mut self, context: &WalkContext, literals: &str) {
        let text = Some(literals.to_owned());
        self.with_context(context).add_opaque(Cause::Foreign, super::excerpt(literals), text);
    }

    /// Evaluates a known text in another language, or records it as opaque.
    fn walk_foreign_text(
        &mut self,
        command: &ExpandedCommand<'_>,
        context: &WalkContext,
        code: &CodeSource,
        text: &ShellValue,
    ) {
        if context.doubt == self.context.doubt && self.read_code(command, context, code, text) {
            return;
        }
        let has_known_text = text.word.known_text().is_some() || self.script_source(text).is_some();
        let literal = has_known_text.then(|| text.word.literal());
        let program = command.name().unwrap_or_default();
        let literal = literal.filter(|text| !crate::foreign::runs_computed(program, text));
        let named_files = literal.as_deref().map(|text| self.files_named_in(text)).unwrap_or_default();
        let mut frame = self.with_context(context);
        frame.add_opaque(Cause::Foreign, super::excerpt(&text.word.display_text()), literal);
        // Code that names a file which the text wrote may load it: `source q`, `include(q)`, `.read q`.
        for text in named_files {
            frame.add_opaque(Cause::Foreign, super::excerpt(&text), Some(text));
        }
    }

    /// Returns the known contents of the written files that a word of some code names.
    fn files_named_in(&mut self, code: &str) -> Vec<String> {
        let file_count = self.interpreter.written.len();
        if file_count == 0 || !self.interpreter.spend(code.len() / 8 + file_count) {
            return Vec::new();
        }
        let is_separator = |c: char| c.is_whitespace() || "\"'`(){}[]<>,;|&=!@".contains(c);
        let mut words: Vec<&str> = code.split(is_separator).filter(|word| !word.is_empty()).collect();
        words.sort_unstable();
        words.dedup();
        self.interpreter.spend(8 * words.len());
        let contents = words.into_iter().filter_map(|word| match &self.written_file(&Word::text(word))?.content {
            StreamContent::Known(value) => Some(value.word.literal()),
            StreamContent::Program(literals) => Some(literals.clone()),
            StreamContent::Unset | StreamContent::File(_) | StreamContent::Unknown => None,
        });
        contents.take(MAX_NAMED_FILES).collect()
    }

    /// Evaluates the code of a program and records its effects. Returns `false` if there is no evaluator for its
    /// language.
    pub(super) fn read_code(
        &mut self,
        command: &ExpandedCommand<'_>,
        context: &WalkContext,
        code: &CodeSource,
        text: &ShellValue,
    ) -> bool {
        let Some(language) = self.language(command).or_else(|| language_of_file(code)) else { return false };
        if !self.interpreter.enter(CODE_LEVELS) {
            self.with_context(context).add_opaque(Cause::TooDeep, super::excerpt(&text.word.display_text()), None);
            return true;
        }
        let input = match (&command.input.content, code) {
            (StreamContent::Known(value), CodeSource::Text(_) | CodeSource::File(_)) => {
                Some(value.clone().into_one_word().word)
            }
            _ => None,
        };
        let mode = self.execution_mode(command, language, code);
        // With another separator than a newline, the records of the input are not known.
        let input = input.filter(|_| mode != ExecutionMode::EachLine || !self.has_separator(command));
        let environment =
            FrameEnvironment { frame: self, arguments: self.arguments_of(command, language, code), input };
        let effects = code::read(language, mode, &text.word, &environment, self.interpreter.steps);
        self.interpreter.leave(CODE_LEVELS);
        self.interpreter.spend(effects.steps);
        self.apply_code_effects(command, context, effects);
        true
    }

    /// Records that the code that a command runs is not completely evaluated.
    pub(super) fn note_unevaluated_code(&mut self, command: &ExpandedCommand<'_>) {
        if let Some(recorded) = self.interpreter.command_mut(command.id)
            && let Some(code) = &mut recorded.code
        {
            Rc::make_mut(code).is_whole = false;
        }
    }

    /// Returns the language that a command's program interprets; `None` if there is no evaluator for it.
    fn language(&self, command: &ExpandedCommand<'_>) -> Option<CodeLanguage> {
        let recorded = self.interpreter.commands.get(command.id.0)?;
        match recorded.argv().records.first()?.language? {
            programs::InterpreterLanguage::Python => Some(CodeLanguage::Python),
            programs::InterpreterLanguage::JavaScript => Some(CodeLanguage::JavaScript),
            programs::InterpreterLanguage::Ruby => Some(CodeLanguage::Ruby),
            programs::InterpreterLanguage::Php => Some(CodeLanguage::Php),
            programs::InterpreterLanguage::Perl => Some(CodeLanguage::Perl),
            programs::InterpreterLanguage::AppleScript
            | programs::InterpreterLanguage::Awk
            | programs::InterpreterLanguage::Julia
            | programs::InterpreterLanguage::Lua
            | programs::InterpreterLanguage::R => None,
        }
    }

    /// Returns how the interpreter runs its program: once, or once for each line (`perl -n`).
    fn execution_mode(
        &self,
        command: &ExpandedCommand<'_>,
        language: CodeLanguage,
        code: &CodeSource,
    ) -> ExecutionMode {
        let Some(recorded) = self.interpreter.commands.get(command.id.0) else { return ExecutionMode::Whole };
        let argv = recorded.argv();
        let has = |names: &[&str]| argv.options.iter().any(|given| given.has_spelling(names));
        match language {
            CodeLanguage::Ruby | CodeLanguage::Perl if has(&["-n", "-p"]) => ExecutionMode::EachLine,
            // An interactive PHP reads code without tags.
            CodeLanguage::Php if has(&["-a"]) && *code == CodeSource::Input => ExecutionMode::Whole,
            CodeLanguage::Php if !matches!(code, CodeSource::Text(_)) => ExecutionMode::Page,
            CodeLanguage::Php if has(&["-R"]) => ExecutionMode::EachLine,
            _ => ExecutionMode::Whole,
        }
    }

    /// Whether an interpreter reads its input in records that do not end at a newline: `perl -0`.
    fn has_separator(&self, command: &ExpandedCommand<'_>) -> bool {
        let recorded = self.interpreter.commands.get(command.id.0);
        recorded.is_some_and(|recorded| recorded.argv().options.iter().any(|given| given.has_spelling(&["-0"])))
    }

    /// Returns the arguments as the interpreted program sees them. The first is the program's name, except for
    /// `node -e`.
    fn arguments_of(&self, command: &ExpandedCommand<'_>, language: CodeLanguage, code: &CodeSource) -> Vec<Word> {
        if matches!(language, CodeLanguage::Python | CodeLanguage::JavaScript) {
            return arguments(command, language, code);
        }
        let Some(recorded) = self.interpreter.commands.get(command.id.0) else { return Vec::new() };
        let argv = recorded.argv();
        let operands = argv.operands.iter().map(|word| unknown_search_result(word));
        match code {
            CodeSource::File(_) => operands.collect(),
            CodeSource::Text(_) => std::iter::once(Word::text("-e")).chain(operands).collect(),
            CodeSource::Input => {
                std::iter::once(Word::text("-")).chain(operands.filter(|word| word.known_text() != Some("-"))).collect()
            }
        }
    }

    /// Applies the effects of an evaluated program: walks the commands that it runs, records the files that it writes,
    /// and adds the rest to the recorded command.
    fn apply_code_effects(&mut self, command: &ExpandedCommand<'_>, context: &WalkContext, effects: CodeEffects) {
        for word in effects.evaluated {
            self.with_context(context).note_evaluation(EvaluatorKind::Code, &ShellValue { word, writers: Vec::new() });
        }
        let mut equivalent_commands = Vec::new();
        for effect in effects.effects {
            match effect {
                CodeEffect::LikeCommand(words) => equivalent_commands.push(words),
                CodeEffect::Run(nested, input) => {
                    let input = input.map_or_else(|| Rc::clone(&command.input), |word| piped_input(command, word));
                    let mut redirected = command.redirected.clone();
                    if !equivalent_commands.is_empty() {
                        redirected.descriptors.files.may_be_handed(0);
                    }
                    let command = ExpandedCommand { input, redirected: &redirected, ..*command };
                    self.walk_nested(&command, &nested);
                }
                CodeEffect::Overwrite(path, content) => {
                    self.record_code_write(command, &path, WriteMode::Overwrite, content)
                }
                CodeEffect::Append(path, content) => self.record_code_write(command, &path, WriteMode::Append, content),
            }
        }
        if effects.runs_input {
            self.add_code_writers(command.id, &command.input.writers);
        }
        let is_parsed = !effects.unanalysed.iter().any(|part| part.reason.cause == Cause::Foreign);
        let is_whole = effects.unanalysed.is_empty();
        for part in effects.unanalysed {
            let runner = Some(command.id);
            // A function of a library may load a file that the text wrote: `site.addpackage(".", "a.pth", set())`.
            let library_text = part.text.as_ref().filter(|_| part.reason.cause == Cause::Library);
            for text in library_text.map(|text| self.files_named_in(text.as_str())).unwrap_or_default() {
                self.interpreter.add_opaque(part.reason.clone(), Some(text.into()), runner, context.scope);
            }
            self.interpreter.add_opaque(part.reason, part.text, runner, context.scope);
        }
        let download = |url: Word| vec![Word::text("curl"), url];
        let summary = CodeSummary {
            equivalent_commands,
            fetched_urls: effects.fetched,
            downloads: effects.runs_downloads.into_iter().map(download).collect(),
            is_whole,
            is_parsed,
        };
        if let Some(recorded) = self.interpreter.command_mut(command.id) {
            recorded.code = Some(Rc::new(match recorded.code.take() {
                Some(before) => Rc::unwrap_or_clone(before).merged_with(summary),
                None => summary,
            }));
        }
    }

    /// Records that the code of a command writes a file; the content may be unknown.
    fn record_code_write(
        &mut self,
        command: &ExpandedCommand<'_>,
        path: &Word,
        mode: WriteMode,
        content: Option<Word>,
    ) {
        let content = match content {
            Some(word) => StreamContent::Known(ShellValue { word, writers: Vec::new() }),
            None => StreamContent::Unknown,
        };
        self.record_write(path, mode, &[Writer::Command(command.id)], &content);
    }
}

/// Returns the language of a file with code, by its name; `None` if the name does not show it.
fn language_of_file(code: &CodeSource) -> Option<CodeLanguage> {
    let CodeSource::File(file) = code else { return None };
    let name = base_name(file.known_text()?);
    match name.rsplit_once('.').map_or(name, |(_, extension)| extension) {
        "py" | "SConstruct" | "SConscript" => Some(CodeLanguage::Python),
        "js" | "mjs" | "cjs" => Some(CodeLanguage::JavaScript),
        "rb" | "Rakefile" | "rakefile" | "Gemfile" | "Vagrantfile" | "gemspec" => Some(CodeLanguage::Ruby),
        "php" => Some(CodeLanguage::Php),
        "pl" | "pm" | "t" => Some(CodeLanguage::Perl),
        _ => None,
    }
}

/// Returns the input of a command to which a program writes a text. Since the text may contain the program's own input,
/// it has the writers of that.
fn piped_input(command: &ExpandedCommand<'_>, text: Word) -> Rc<InputStream> {
    let from = command.input.writers.clone();
    let value = ShellValue { word: text, writers: from.clone() };
    Rc::new(InputStream { writers: from, content: StreamContent::Known(value), ..InputStream::default() })
}

/// Returns the arguments as a Python or JavaScript program sees them: `sys.argv`, `process.argv` after the
/// interpreter.
fn arguments(command: &ExpandedCommand<'_>, language: CodeLanguage, code: &CodeSource) -> Vec<Word> {
    let words = || command.values.iter().map(|value| unknown_search_result(&value.word));
    let index_after =
        |word: &Word| command.values.iter().position(|value| value.word == *word).map_or(usize::MAX, |at| at + 1);
    match (code, language) {
        (CodeSource::Text(text), CodeLanguage::Python) => {
            std::iter::once(Word::text("-c")).chain(words().skip(index_after(text))).collect()
        }
        (CodeSource::Text(text), _) => {
            // `--` ends the options of the interpreter, and the program does not see it.
            let from = index_after(text);
            let skips_dashes = command.values.get(from).is_some_and(|value| value.word.known_text() == Some("--"));
            words().skip(from.saturating_add(usize::from(skips_dashes))).collect()
        }
        (CodeSource::File(file), _) => std::iter::once(file.clone()).chain(words().skip(index_after(file))).collect(),
        (CodeSource::Input, _) => {
            let dash = command.values.iter().position(|value| value.word.known_text() == Some("-"));
            words().skip(dash.unwrap_or(command.values.len())).collect()
        }
    }
}

/// Returns a word with each `{}` replaced by an unknown value, because `find` and `xargs` replace it before the program
/// starts.
fn unknown_search_result(word: &Word) -> Word {
    let mut replaced = Word::default();
    for part in &word.parts {
        replaced.push(match part {
            WordPart::Glob(text) if text == "{}" => {
                WordPart::Unknown(UnknownPart { reason: Unknown::new(Cause::Glob, "{}"), may_split: false })
            }
            part => part.clone(),
        });
    }
    replaced
}
