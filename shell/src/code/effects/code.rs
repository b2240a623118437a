//! Code of the program's own language that a call runs: a text, a file, a module.

use super::super::arguments::{Given, LibraryCall};
use super::super::commands::is_url;
use super::super::evaluate::{At, Evaluator, computed};
use super::super::library::At as Place;
use super::super::value::{Held, Origin, Value};
use super::super::{Effect, Form, Language, framed, parsed, parsing, shortened};
use super::{TREES, command};
use crate::nested::{Code, Nested, Setting, What};
use crate::word::{Cause, Unknown, Word};

impl Evaluator<'_> {
    pub(super) fn code_of_argument(&mut self, call: LibraryCall<'_>, text: Place) {
        self.name_plain(call.given);
        if let Some(text) = call.argument(text) {
            self.code(call.at, &text);
        }
    }

    /// Evaluates the last argument; the parameters' names precede it.
    pub(super) fn code_of_last_argument(&mut self, call: LibraryCall<'_>) {
        if let Some(text) = call.given.plain.last() {
            self.code(call.at, text);
        }
    }

    /// Sets the variables for evaluated code that is passed a dictionary: `exec(text, {"f": f})`.
    fn name_plain(&mut self, given: &Given) {
        for value in &given.plain {
            if let Value::Keys(place) = value
                && let Some(Held::Keys(keys)) = self.state.held(*place).cloned()
            {
                keys.into_iter().for_each(|(name, value)| self.state.set(&name, value));
            }
        }
    }

    /// Runs a text in the program's own language.
    pub(in super::super) fn code(&mut self, at: At, text: &Value) {
        let origin = text.origin();
        self.runs_what_came(origin);
        let source = self.source(at);
        self.evaluated = None;
        if self.outside.follows_values() {
            let word = self.word(text, at);
            self.effects.evaluated.push(word);
        }
        match text {
            Value::Text(word, _) => {
                let known = word.known().map(str::to_owned);
                let whole = known.as_deref().map(|text| text.trim_start().to_owned());
                match whole {
                    Some(text) if self.trees.len() < TREES && self.spend(parsing(self.language, &text)) => {
                        match parsed(self.language, framed(self.language, Form::Whole, &text)) {
                            Some(tree) if tree.fault.is_none() => {
                                let value = self.program(tree);
                                self.evaluated = Some(value);
                            }
                            _ => self.unseen(Unknown::new(Cause::Foreign, shortened(&text)), Some(text)),
                        }
                    }
                    Some(text) => self.unseen(Unknown::new(Cause::Deep, shortened(&text)), None),
                    None if origin == Origin::File => {
                        let why = Unknown::new(Cause::ScriptFile, shortened(&source));
                        self.unseen(why, Some(source));
                    }
                    None => self.unseen(computed(&source), None),
                }
            }
            Value::Nothing | Value::Number(_) | Value::Function(_) => {}
            Value::Data(Origin::File) => {
                let why = Unknown::new(Cause::ScriptFile, shortened(&source));
                self.unseen(why, Some(source));
            }
            _ => self.unseen(computed(&source), None),
        }
    }

    /// Loads a file of the same language: a file that the program wrote is followed, any other is unseen.
    pub(super) fn require(&mut self, call: LibraryCall<'_>, file: Place) {
        let Some(file) = call.argument(file) else { return };
        self.runs_what_came(file.origin());
        let source = self.source(call.at);
        let word = self.word(&file, call.at);
        if is_url(word.prefix()) {
            self.fetch(word);
            self.runs_what_came(Origin::Network);
            return self.unseen(computed(&source), None);
        }
        let Some(name) = word.known() else { return self.unseen(computed(&source), None) };
        let end = match self.language {
            Language::Ruby => ".rb",
            Language::Python | Language::JavaScript | Language::Php | Language::Perl => "",
        };
        // A name without a path is a library.
        let is_file = matches!(self.language, Language::Php | Language::Perl)
            || name.starts_with(['.', '/', '~'])
            || !end.is_empty() && name.ends_with(end)
            || source.starts_with("require_relative")
            || source.starts_with("load");
        if !self.load(&[name.to_owned(), format!("{name}{end}")]) && is_file {
            let path = self.state.anchored(&word);
            self.done(Effect::Act(command(&["cat", "--"], &path)));
            self.unseen(Unknown::new(Cause::ScriptFile, shortened(&source)), Some(source));
        }
    }

    /// Loads a module; this only has an effect if the program wrote that file.
    pub(super) fn load_argument(&mut self, call: LibraryCall<'_>, file: Place) {
        if let Some(file) = call.known(file) {
            self.load(&[file.clone(), format!("lib/{file}")]);
        }
    }

    /// Runs a module if it is a file that was written earlier.
    pub(in super::super) fn load(&mut self, names: &[String]) -> bool {
        for name in names {
            let path = self.state.anchored(&Word::text(name.strip_prefix("./").unwrap_or(name)));
            let is_own = self.effects.done.iter().any(|effect| match effect {
                Effect::Over(own, _) | Effect::Behind(own, _) => *own == path || own.known() == Some(name.as_str()),
                _ => false,
            });
            if is_own || self.outside.file(&path).is_some() {
                let what = What::Foreign(Code::File(path));
                let setting = Setting { environment: self.state.environment.clone(), ..Setting::default() };
                self.done(Effect::Run(Box::new(Nested { what, setting, doubt: None }), None));
                return true;
            }
        }
        false
    }
}
