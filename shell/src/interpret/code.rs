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

/// The maximum number of files that code in a language without an evaluator loads.
const LOADED: usize = 16;

impl Frame<'_> {
    /// Evaluates code in another language that a command runs, or records it as opaque if it is unknown or its
    /// language is not supported.
    pub(super) fn walk_foreign(
        &mut self,
        made: &ExpandedCommand<'_>,
        setting: &WalkContext,
        code: &CodeSource,
    ) -> Flow {
        let (content, from) = match code {
            CodeSource::Text(text) => {
                let text = self.inherit(&made.sources(), made, text);
                let from = text.writers.clone();
                (StreamContent::Known(text), from)
            }
            CodeSource::Input => (made.input.content.clone(), made.input.writers.clone()),
            CodeSource::File(file) => {
                let possible = self.possible_written_file(file).map(|(path, _)| path);
                let file = possible.as_ref().unwrap_or(file);
                let InputStream { content, writers: from, .. } = self.read_file(made, file);
                (content, from)
            }
        };
        self.add_code_writers(made.id, &from);
        if made.name().and_then(|name| programs::language(base_name(name))) == Some(programs::InterpreterLanguage::Awk)
        {
            // An Awk program may build the commands that it runs from its input.
            self.add_code_writers(made.id, &made.input.writers);
        }
        match content {
            // The content of a file that belongs to the program is as unknown as the program itself.
            StreamContent::Unset | StreamContent::File(_) => self.note_unread(made),
            StreamContent::Program(literals) => self.record_program(setting, &literals),
            StreamContent::Known(text) => self.walk_foreign_text(made, setting, code, &text),
            StreamContent::Unknown => self.with_context(setting).add_opaque(Cause::Decoded, "", None),
        }
        Flow::unknown()
    }

    /// Records a compiled program as opaque: it may name files and programs by the literals in its sources.
    pub(super) fn record_program(&mut self, setting: &WalkContext, literals: &str) {
        let text = Some(literals.to_owned());
        self.with_context(setting).add_opaque(Cause::Foreign, super::excerpt(literals), text);
    }

    /// Evaluates a known text in another language, or records it as opaque.
    fn walk_foreign_text(
        &mut self,
        made: &ExpandedCommand<'_>,
        setting: &WalkContext,
        code: &CodeSource,
        text: &ShellValue,
    ) {
        if setting.doubt == self.context.doubt && self.read_code(made, setting, code, text) {
            return;
        }
        let is_known = text.word.known_text().is_some() || self.nested(text).is_some();
        let literal = is_known.then(|| text.word.literal());
        let program = made.name().unwrap_or_default();
        let literal = literal.filter(|text| !crate::foreign::runs_computed(program, text));
        let loaded = literal.as_deref().map(|text| self.files_named_in(text)).unwrap_or_default();
        let mut frame = self.with_context(setting);
        frame.add_opaque(Cause::Foreign, super::excerpt(&text.word.display_text()), literal);
        // Code that names a file which the text wrote may load it: `source q`, `include(q)`, `.read q`.
        for text in loaded {
            frame.add_opaque(Cause::Foreign, super::excerpt(&text), Some(text));
        }
    }

    /// Returns the known contents of the files that the text wrote and that the words of some code name.
    fn files_named_in(&mut self, code: &str) -> Vec<String> {
        let files = self.interpreter.written.len();
        if files == 0 || !self.interpreter.spend(code.len() / 8 + files) {
            return Vec::new();
        }
        let between = |c: char| c.is_whitespace() || "\"'`(){}[]<>,;|&=!@".contains(c);
        let mut words: Vec<&str> = code.split(between).filter(|word| !word.is_empty()).collect();
        words.sort_unstable();
        words.dedup();
        self.interpreter.spend(8 * words.len());
        let written = words.into_iter().filter_map(|word| match &self.written_file(&Word::text(word))?.content {
            StreamContent::Known(value) => Some(value.word.literal()),
            StreamContent::Program(literals) => Some(literals.clone()),
            StreamContent::Unset | StreamContent::File(_) | StreamContent::Unknown => None,
        });
        written.take(LOADED).collect()
    }

    /// Evaluates the code of a program and records its effects. Returns `false` if the language is not supported.
    pub(super) fn read_code(
        &mut self,
        made: &ExpandedCommand<'_>,
        setting: &WalkContext,
        code: &CodeSource,
        text: &ShellValue,
    ) -> bool {
        let Some(language) = self.language(made).or_else(|| language_of_file(code)) else { return false };
        if !self.interpreter.enter(CODE_LEVELS) {
            self.with_context(setting).add_opaque(Cause::TooDeep, super::excerpt(&text.word.display_text()), None);
            return true;
        }
        let input = match (&made.input.content, code) {
            (StreamContent::Known(value), CodeSource::Text(_) | CodeSource::File(_)) => {
                Some(value.clone().into_one_word().word)
            }
            _ => None,
        };
        let form = self.execution_mode(made, language, code);
        // With another separator than a newline, the records of the input are not known.
        let input = input.filter(|_| form != ExecutionMode::EachLine || !self.has_separator(made));
        let around = FrameEnvironment { frame: self, arguments: self.arguments_of(made, language, code), input };
        let effects = code::read(language, form, &text.word, &around, self.interpreter.steps);
        self.interpreter.leave(CODE_LEVELS);
        self.interpreter.spend(effects.steps);
        self.apply_code_effects(made, setting, effects);
        true
    }

    /// Records that a part of the code that a command runs is not evaluated.
    pub(super) fn note_unread(&mut self, made: &ExpandedCommand<'_>) {
        if let Some(command) = self.interpreter.command_mut(made.id)
            && let Some(code) = &mut command.code
        {
            Rc::make_mut(code).is_whole = false;
        }
    }

    /// Returns the language that a command interprets; `None` if there is no evaluator for it.
    fn language(&self, made: &ExpandedCommand<'_>) -> Option<CodeLanguage> {
        let command = self.interpreter.commands.get(made.id.0)?;
        match command.argv().records.first()?.language? {
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
    fn execution_mode(&self, made: &ExpandedCommand<'_>, language: CodeLanguage, code: &CodeSource) -> ExecutionMode {
        let Some(command) = self.interpreter.commands.get(made.id.0) else { return ExecutionMode::Whole };
        let argv = command.argv();
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
    fn has_separator(&self, made: &ExpandedCommand<'_>) -> bool {
        let command = self.interpreter.commands.get(made.id.0);
        command.is_some_and(|command| command.argv().options.iter().any(|given| given.has_spelling(&["-0"])))
    }

    /// Returns the arguments as the program sees them. In Python and JavaScript, they begin with the name of the
    /// program.
    fn arguments_of(&self, made: &ExpandedCommand<'_>, language: CodeLanguage, code: &CodeSource) -> Vec<Word> {
        if matches!(language, CodeLanguage::Python | CodeLanguage::JavaScript) {
            return arguments(made, language, code);
        }
        let Some(command) = self.interpreter.commands.get(made.id.0) else { return Vec::new() };
        let argv = command.argv();
        let operands = argv.operands.iter().map(|word| unknown_search_result(word));
        match code {
            CodeSource::File(_) => operands.collect(),
            CodeSource::Text(_) => std::iter::once(Word::text("-e")).chain(operands).collect(),
            CodeSource::Input => {
                std::iter::once(Word::text("-")).chain(operands.filter(|word| word.known_text() != Some("-"))).collect()
            }
        }
    }

    /// Applies the effects of a program: walks the commands that it runs, records the files that it writes, and adds
    /// the rest to the record of the command.
    fn apply_code_effects(&mut self, made: &ExpandedCommand<'_>, setting: &WalkContext, effects: CodeEffects) {
        for word in effects.evaluated {
            self.with_context(setting).note_evaluation(EvaluatorKind::Code, &ShellValue { word, writers: Vec::new() });
        }
        let mut acts = Vec::new();
        for effect in effects.effects {
            match effect {
                CodeEffect::LikeCommand(words) => acts.push(words),
                CodeEffect::Run(nested, input) => {
                    let input = input.map_or_else(|| Rc::clone(&made.input), |word| piped_input(made, word));
                    let mut redirected = made.redirected.clone();
                    if !acts.is_empty() {
                        redirected.descriptors.files.may_be_handed(0);
                    }
                    let made = ExpandedCommand { input, redirected: &redirected, ..*made };
                    self.walk_nested(&made, &nested);
                }
                CodeEffect::Overwrite(path, content) => {
                    self.record_code_write(made, &path, WriteMode::Overwrite, content)
                }
                CodeEffect::Append(path, content) => self.record_code_write(made, &path, WriteMode::Append, content),
            }
        }
        if effects.runs_input {
            self.add_code_writers(made.id, &made.input.writers);
        }
        let is_parsed = !effects.unanalysed.iter().any(|one| one.reason.cause == Cause::Foreign);
        let is_whole = effects.unanalysed.is_empty();
        for one in effects.unanalysed {
            let by = Some(made.id);
            // A function of a library may load a file that the text wrote: `site.addpackage(".", "a.pth", set())`.
            let named = one.text.as_ref().filter(|_| one.reason.cause == Cause::Library);
            for text in named.map(|text| self.files_named_in(text.as_str())).unwrap_or_default() {
                self.interpreter.add_opaque(one.reason.clone(), Some(text.into()), by, setting.scope);
            }
            self.interpreter.add_opaque(one.reason, one.text, by, setting.scope);
        }
        let download = |url: Word| vec![Word::text("curl"), url];
        let read = CodeSummary {
            equivalent_commands: acts,
            fetched_urls: effects.fetched,
            downloads: effects.runs_downloads.into_iter().map(download).collect(),
            is_whole,
            is_parsed,
        };
        if let Some(command) = self.interpreter.command_mut(made.id) {
            command.code = Some(Rc::new(match command.code.take() {
                Some(before) => Rc::unwrap_or_clone(before).merged_with(read),
                None => read,
            }));
        }
    }

    /// Records that the code of a command writes a file; the content may be unknown.
    fn record_code_write(&mut self, made: &ExpandedCommand<'_>, path: &Word, mode: WriteMode, content: Option<Word>) {
        let content = match content {
            Some(word) => StreamContent::Known(ShellValue { word, writers: Vec::new() }),
            None => StreamContent::Unknown,
        };
        self.record_write(path, mode, &[Writer::Command(made.id)], &content);
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

/// Returns the input of a command to which a program writes a text. The text may contain the program's own input.
fn piped_input(made: &ExpandedCommand<'_>, text: Word) -> Rc<InputStream> {
    let from = made.input.writers.clone();
    let value = ShellValue { word: text, writers: from.clone() };
    Rc::new(InputStream { writers: from, content: StreamContent::Known(value), ..InputStream::default() })
}

/// Returns the arguments as a Python or JavaScript program sees them: `sys.argv`, `process.argv` after the
/// interpreter.
fn arguments(made: &ExpandedCommand<'_>, language: CodeLanguage, code: &CodeSource) -> Vec<Word> {
    let words = || made.values.iter().map(|value| unknown_search_result(&value.word));
    let behind = |word: &Word| made.values.iter().position(|value| value.word == *word).map_or(usize::MAX, |at| at + 1);
    match (code, language) {
        (CodeSource::Text(text), CodeLanguage::Python) => {
            std::iter::once(Word::text("-c")).chain(words().skip(behind(text))).collect()
        }
        (CodeSource::Text(text), _) => {
            // `--` ends the options of the interpreter, and the program does not see it.
            let first = behind(text);
            let is_dashes = made.values.get(first).is_some_and(|value| value.word.known_text() == Some("--"));
            words().skip(first.saturating_add(usize::from(is_dashes))).collect()
        }
        (CodeSource::File(file), _) => std::iter::once(file.clone()).chain(words().skip(behind(file))).collect(),
        (CodeSource::Input, _) => {
            let dash = made.values.iter().position(|value| value.word.known_text() == Some("-"));
            words().skip(dash.unwrap_or(made.values.len())).collect()
        }
    }
}

/// Returns a word with each `{}` replaced by an unknown value: `find` and `xargs` replace it before the program
/// starts.
fn unknown_search_result(word: &Word) -> Word {
    let mut found = Word::default();
    for part in &word.parts {
        found.push(match part {
            WordPart::Glob(text) if text == "{}" => {
                WordPart::Unknown(UnknownPart { reason: Unknown::new(Cause::Glob, "{}"), may_split: false })
            }
            part => part.clone(),
        });
    }
    found
}
