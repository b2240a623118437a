//! Effects of calls that run code of the program's own language: a text, a file, a module.

use super::super::arguments::{CallArguments, LibraryCall};
use super::super::commands::is_url;
use super::super::evaluate::{Evaluator, NodeRef, computed_reason};
use super::super::library::ArgumentRef;
use super::super::value::{CodeValue, DataOrigin, HeapCell};
use super::super::{CodeEffect, CodeLanguage, ExecutionMode, compiled_text, excerpt, parse_code, parsing_cost};
use super::{MAX_TREES, command};
use crate::nested::{CodeSource, NestedCommand, NestedSetting, Runnable};
use crate::word::{Cause, Unknown, Word};

impl Evaluator<'_> {
    /// Evaluates an argument as code, with the variables in a dictionary among the arguments: `exec(text, {"f": f})`.
    pub(super) fn code_of_argument(&mut self, call: LibraryCall<'_>, text: ArgumentRef) {
        self.set_passed_variables(call.given);
        if let Some(text) = call.argument(text) {
            self.evaluate_code(call.at, &text);
        }
    }

    /// Evaluates the last argument as code: `new Function("a", code)`.
    pub(super) fn code_of_last_argument(&mut self, call: LibraryCall<'_>) {
        if let Some(text) = call.given.positional.last() {
            self.evaluate_code(call.at, text);
        }
    }

    /// Sets a variable for each entry of the dictionaries that a call passes: `exec(text, {"f": f})`.
    fn set_passed_variables(&mut self, given: &CallArguments) {
        for value in &given.positional {
            if let CodeValue::Dictionary(address) = value
                && let Some(HeapCell::Dictionary(keys)) = self.state.cell(*address).cloned()
            {
                keys.into_iter().for_each(|(name, value)| self.state.set(&name, value));
            }
        }
    }

    /// Evaluates a text as code of the program's own language. Sets `self.evaluated` to its value, or to `None` if the
    /// text was not analysed.
    pub(in super::super) fn evaluate_code(&mut self, at: NodeRef, text: &CodeValue) {
        let origin = text.origin();
        self.record_run_origin(origin);
        let source = self.source(at);
        self.evaluated = None;
        if self.environment.follows_values() {
            let word = self.word(text, at);
            self.effects.evaluated.push(word);
        }
        match text {
            CodeValue::Text(word, _) => {
                let known = word.known_text().map(str::to_owned);
                let trimmed = known.as_deref().map(|text| text.trim_start().to_owned());
                match trimmed {
                    // The text is parsed as code, unless too many texts were already or the budget is spent.
                    Some(text) if self.trees.len() < MAX_TREES && self.spend(parsing_cost(self.language, &text)) => {
                        match parse_code(self.language, compiled_text(self.language, ExecutionMode::Whole, &text)) {
                            Some(tree) if tree.fault.is_none() => {
                                let value = self.program(tree);
                                self.evaluated = Some(value);
                            }
                            _ => self.add_unanalysed(Unknown::new(Cause::Foreign, excerpt(&text)), Some(text.into())),
                        }
                    }
                    Some(text) => self.add_unanalysed(Unknown::new(Cause::TooDeep, excerpt(&text)), None),
                    None if origin == DataOrigin::File => {
                        let why = Unknown::new(Cause::ScriptFile, excerpt(&source));
                        self.add_unanalysed(why, Some(source.into()));
                    }
                    None => self.add_unanalysed(computed_reason(&source), None),
                }
            }
            CodeValue::Nothing | CodeValue::Number(_) | CodeValue::Function(_) => {}
            CodeValue::Data(DataOrigin::File) => {
                let why = Unknown::new(Cause::ScriptFile, excerpt(&source));
                self.add_unanalysed(why, Some(source.into()));
            }
            _ => self.add_unanalysed(computed_reason(&source), None),
        }
    }

    /// Runs a file of the same language: one that the program wrote, or whose contents are known. Any other file is
    /// recorded as read and not analysed. In Ruby, a name without a path is a library, and nothing is recorded.
    pub(super) fn require(&mut self, call: LibraryCall<'_>, file: ArgumentRef) {
        let Some(file) = call.argument(file) else { return };
        self.record_run_origin(file.origin());
        let source = self.source(call.at);
        let word = self.word(&file, call.at);
        if is_url(word.prefix()) {
            self.fetch(word);
            self.record_run_origin(DataOrigin::Network);
            return self.add_unanalysed(computed_reason(&source), None);
        }
        let Some(name) = word.known_text() else { return self.add_unanalysed(computed_reason(&source), None) };
        let extension = match self.language {
            CodeLanguage::Ruby => ".rb",
            CodeLanguage::Python | CodeLanguage::JavaScript | CodeLanguage::Php | CodeLanguage::Perl => "",
        };
        // In Ruby, a name without a path is that of a library: `require "json"`.
        let is_file = matches!(self.language, CodeLanguage::Php | CodeLanguage::Perl)
            || name.starts_with(['.', '/', '~'])
            || !extension.is_empty() && name.ends_with(extension)
            || source.starts_with("require_relative")
            || source.starts_with("load");
        if !self.load(&[name.to_owned(), format!("{name}{extension}")]) && is_file {
            let path = self.state.path_from_start(&word);
            self.add_effect(CodeEffect::LikeCommand(command(&["cat", "--"], &path)));
            self.add_unanalysed(Unknown::new(Cause::ScriptFile, excerpt(&source)), Some(source.into()));
        }
    }

    /// Runs the file of a module, if the program wrote it or its contents are known. If not, nothing is recorded.
    pub(super) fn load_argument(&mut self, call: LibraryCall<'_>, file: ArgumentRef) {
        if let Some(file) = call.known(file) {
            self.load(&[file.clone(), format!("lib/{file}")]);
        }
    }

    /// Runs the first of these files that the program wrote or whose contents are known. Returns whether there is
    /// one.
    pub(in super::super) fn load(&mut self, names: &[String]) -> bool {
        for name in names {
            let path = self.state.path_from_start(&Word::text(name.strip_prefix("./").unwrap_or(name)));
            let is_written = self.effects.effects.iter().any(|effect| match effect {
                CodeEffect::Overwrite(written, _) | CodeEffect::Append(written, _) => {
                    *written == path || written.known_text() == Some(name.as_str())
                }
                _ => false,
            });
            if is_written || self.environment.file(&path).is_some() {
                let runnable = Runnable::Foreign(CodeSource::File(path));
                let setting = NestedSetting { environment: self.state.environment.clone(), ..NestedSetting::default() };
                self.add_effect(CodeEffect::Run(Box::new(NestedCommand { runnable, setting, doubt: None }), None));
                return true;
            }
        }
        false
    }
}
