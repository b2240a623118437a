//! Programs in other languages, given to an interpreter: they are parsed and evaluated.

use std::rc::Rc;

use super::simple::{Made, directory};
use super::{Frame, Setting};
use crate::analysis::CodeRead;
use crate::code::{self, Effect, Effects, Form, Language, Outside};
use crate::evaluated::Evaluates;
use crate::expand::Shell;
use crate::nested::Code;
use crate::programs;
use crate::state::{Found, Mode};
use crate::stream::{Content, Input, Value, Writer};
use crate::word::{Cause, Part, Unknown, UnknownPart, Word};

/// The nesting levels that evaluating a program takes: roughly in proportion to its use of the stack.
const CODE_LEVELS: usize = 24;

/// What the shell knows about the environment of a program.
struct Around<'f, 'w> {
    frame: &'f Frame<'w>,
    arguments: Vec<Word>,
    input: Option<Word>,
}

impl Outside for Around<'_, '_> {
    fn variable(&self, name: &str) -> Word {
        match self.frame.state.find(name) {
            Found::One(value) => Word { span: None, ..value.whole().word },
            Found::Unset | Found::List(_) | Found::Unknown => Value::variable(name).word,
        }
    }

    fn home(&self) -> Option<String> {
        match self.frame.state.find("HOME") {
            Found::One(value) => value.word.known().map(str::to_owned),
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
        match &self.frame.written(path)?.content {
            Content::Known(value) => Some(value.word.clone()),
            _ => None,
        }
    }
}

impl Frame<'_> {
    /// Evaluates a program. Returns `false` if its language is not supported.
    pub(super) fn read_code(&mut self, made: &Made<'_>, setting: &Setting, code: &Code, text: &Value) -> bool {
        let Some(language) = self.language(made) else { return false };
        if !self.interpreter.enter(CODE_LEVELS) {
            self.within(setting).opaque(Cause::Deep, super::shortened(&text.word.shown()), None);
            return true;
        }
        let input = match (&made.input.content, code) {
            (Content::Known(value), Code::Text(_) | Code::File(_)) => Some(value.clone().whole().word),
            _ => None,
        };
        let form = self.form(made, language, code);
        let around = Around { frame: self, arguments: self.arguments_of(made, language, code), input };
        let effects = code::read(language, form, &text.word, &around, self.interpreter.steps);
        self.interpreter.leave(CODE_LEVELS);
        self.interpreter.spend(effects.steps);
        self.follow(made, setting, effects);
        true
    }

    /// Records that one of the programs of a command is not seen.
    pub(super) fn note_unread(&mut self, made: &Made<'_>) {
        if let Some(command) = self.interpreter.command_mut(made.id)
            && let Some(code) = &mut command.code
        {
            Rc::make_mut(code).is_whole = false;
        }
    }

    fn language(&self, made: &Made<'_>) -> Option<Language> {
        let command = self.interpreter.commands.get(made.id.0)?;
        match command.argv().tables.first()?.language? {
            programs::Language::Python => Some(Language::Python),
            programs::Language::JavaScript => Some(Language::JavaScript),
            programs::Language::Ruby => Some(Language::Ruby),
            programs::Language::Php => Some(Language::Php),
            programs::Language::Perl => Some(Language::Perl),
            programs::Language::AppleScript
            | programs::Language::Awk
            | programs::Language::Julia
            | programs::Language::Lua
            | programs::Language::R => None,
        }
    }

    /// Returns how the interpreter runs its program.
    fn form(&self, made: &Made<'_>, language: Language, code: &Code) -> Form {
        let Some(command) = self.interpreter.commands.get(made.id.0) else { return Form::Whole };
        let argv = command.argv();
        let has = |names: &[&str]| argv.options.iter().any(|given| given.is_named(names));
        match language {
            Language::Ruby | Language::Perl if has(&["-n", "-p"]) => Form::EachLine,
            Language::Php if !matches!(code, Code::Text(_)) => Form::Page,
            Language::Php if has(&["-R"]) => Form::EachLine,
            _ => Form::Whole,
        }
    }

    /// Returns the arguments as the program sees them; in some languages its own name is first.
    fn arguments_of(&self, made: &Made<'_>, language: Language, code: &Code) -> Vec<Word> {
        if matches!(language, Language::Python | Language::JavaScript) {
            return arguments(made, language, code);
        }
        let Some(command) = self.interpreter.commands.get(made.id.0) else { return Vec::new() };
        let argv = command.argv();
        let operands = argv.operands.iter().map(|word| found(word));
        match code {
            Code::File(_) => operands.collect(),
            Code::Text(_) => std::iter::once(Word::text("-e")).chain(operands).collect(),
            Code::Input => {
                std::iter::once(Word::text("-")).chain(operands.filter(|word| word.known() != Some("-"))).collect()
            }
        }
    }

    fn follow(&mut self, made: &Made<'_>, setting: &Setting, effects: Effects) {
        for word in effects.evaluated {
            self.within(setting).evaluates(Evaluates::Code, &Value { word, from: Vec::new() });
        }
        let mut acts = Vec::new();
        for effect in effects.done {
            match effect {
                Effect::Act(words) => acts.push(words),
                Effect::Run(nested, input) => {
                    let input = input.map_or_else(|| Rc::clone(&made.input), |word| given(made, word));
                    let mut redirected = made.redirected.clone();
                    if !acts.is_empty() {
                        redirected.descriptors.files.may_be_handed(0);
                    }
                    let made = Made { input, redirected: &redirected, ..*made };
                    self.one(&made, &nested);
                }
                Effect::Over(path, content) => self.wrote(made, &path, Mode::Over, content),
                Effect::Behind(path, content) => self.wrote(made, &path, Mode::Behind, content),
            }
        }
        if effects.runs_input {
            self.code_from(made.id, &made.input.from);
        }
        let is_parsed = !effects.unseen.iter().any(|one| one.why.cause == Cause::Foreign);
        let is_whole = effects.unseen.is_empty();
        for one in effects.unseen {
            let by = Some(made.id);
            self.interpreter.opaque(one.why, one.text, by, setting.scope);
        }
        let download = |url: Word| vec![Word::text("curl"), url];
        let read = CodeRead {
            acts,
            fetched: effects.fetched,
            downloads: effects.runs_downloads.into_iter().map(download).collect(),
            is_whole,
            is_parsed,
        };
        if let Some(command) = self.interpreter.command_mut(made.id) {
            command.code = Some(Rc::new(match command.code.take() {
                Some(before) => Rc::unwrap_or_clone(before).and(read),
                None => read,
            }));
        }
    }

    fn wrote(&mut self, made: &Made<'_>, path: &Word, mode: Mode, content: Option<Word>) {
        let content = match content {
            Some(word) => Content::Known(Value { word, from: Vec::new() }),
            None => Content::Unknown,
        };
        self.write(path, mode, &[Writer::Command(made.id)], &content);
    }
}

/// Returns the input of a command that a program runs and writes a text to.
fn given(made: &Made<'_>, text: Word) -> Rc<Input> {
    let from = made.input.from.clone();
    let value = Value { word: text, from: from.clone() };
    Rc::new(Input { from, content: Content::Known(value), ..Input::default() })
}

/// Returns the arguments as the program sees them.
fn arguments(made: &Made<'_>, language: Language, code: &Code) -> Vec<Word> {
    let words = || made.values.iter().map(|value| found(&value.word));
    let behind = |word: &Word| made.values.iter().position(|value| value.word == *word).map_or(usize::MAX, |at| at + 1);
    match (code, language) {
        (Code::Text(text), Language::Python) => {
            std::iter::once(Word::text("-c")).chain(words().skip(behind(text))).collect()
        }
        (Code::Text(text), _) => {
            // `--` ends the options, and is not passed on.
            let first = behind(text);
            let is_dashes = made.values.get(first).is_some_and(|value| value.word.known() == Some("--"));
            words().skip(first.saturating_add(usize::from(is_dashes))).collect()
        }
        (Code::File(file), _) => std::iter::once(file.clone()).chain(words().skip(behind(file))).collect(),
        (Code::Input, _) => {
            let dash = made.values.iter().position(|value| value.word.known() == Some("-"));
            words().skip(dash.unwrap_or(made.values.len())).collect()
        }
    }
}

/// Returns a word as the program receives it: a `{}` becomes an unknown value.
fn found(word: &Word) -> Word {
    let mut found = Word::default();
    for part in &word.parts {
        found.push(match part {
            Part::Glob(text) if text == "{}" => {
                Part::Unknown(UnknownPart { why: Unknown::new(Cause::Glob, "{}"), splits: false })
            }
            part => part.clone(),
        });
    }
    found
}
