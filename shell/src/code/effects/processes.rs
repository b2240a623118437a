//! What a call runs: programs, shell scripts, new processes of the interpreter.

use super::super::arguments::{Given, LibraryCall};
use super::super::evaluate::{At, Elements, Evaluator, computed};
use super::super::library::At as Place;
use super::super::value::{Held, Value};
use super::super::{Effect, Language};
use crate::analysis::Assignment;
use crate::dialect::Dialects;
use crate::nested::{Nested, Setting, What};
use crate::word::{Part, Word};

impl Evaluator<'_> {
    /// Runs a list of words or a text.
    pub(super) fn run(&mut self, call: LibraryCall<'_>, place: Place) {
        let LibraryCall { at, given, .. } = call;
        let Some(value) = call.argument(place) else { return };
        match &value {
            Value::List(_) | Value::Each(_) => {
                let mut words = self.words(at, &value);
                if let (Some(program), Some(first)) = (given.named("executable"), words.first_mut()) {
                    *first = self.word(program, at);
                }
                if self.is_shell(given) {
                    // The first word is the text; the rest are `$0` and the positional parameters.
                    if let Some(text) = words.first().cloned() {
                        self.nested(script(text), given, at);
                    }
                    return;
                }
                self.runs_what_came(value.origin());
                self.nested(What::Argv(words), given, at);
            }
            // Without a shell it is the name of a program, with one a script. Both are the same if it has no blanks.
            Value::Text(..) | Value::Path(_) => self.script(at, &value, given),
            value if value.may_act() || self.is_shell(given) => self.script(at, value, given),
            value => {
                self.runs_what_came(value.origin());
                self.nested(What::Argv(vec![Word::several(computed(&self.source(at)))]), given, at);
            }
        }
    }

    fn is_shell(&self, given: &Given) -> bool {
        !matches!(given.named("shell"), None | Some(Value::Number(0) | Value::Nothing))
    }

    /// Runs an argument in a shell.
    pub(super) fn shell(&mut self, call: LibraryCall<'_>, text: Place) {
        if let Some(text) = call.argument(text) {
            self.script(call.at, &text, call.given);
        }
    }

    /// Runs a text in a shell.
    pub(in super::super) fn script(&mut self, at: At, text: &Value, given: &Given) {
        self.runs_what_came(text.origin());
        let word = self.word(text, at);
        self.nested(script(word), given, at);
    }

    /// `popen(command, mode)`
    pub(super) fn pipe(&mut self, call: LibraryCall<'_>, command: Place, mode: Place) {
        let mode = call.argument(mode).filter(|mode| !matches!(mode, Value::Keys(_)));
        let writes = mode.is_some_and(|mode| mode.known().is_none_or(|mode| mode.contains(['w', '+', 'a'])));
        if let Some(command) = call.argument(command) {
            let given = Given { plain: vec![command], named: call.given.named.clone(), is_open: false };
            self.command(call.at, 0, &if writes { piped(&given) } else { given });
        }
    }

    /// `proc_open(command, …, directory, environment)`
    pub(super) fn process(&mut self, call: LibraryCall<'_>, command: Place, options: [(&str, Place); 2]) {
        let Some(command) = call.argument(command) else { return };
        let mut with = Given::of(vec![command]);
        for (name, place) in options {
            with.named.extend(call.argument(place).map(|value| (name.into(), value)));
        }
        self.command(call.at, 0, &piped(&with));
    }

    /// Runs a file in a new process of the same interpreter.
    pub(super) fn fork(&mut self, call: LibraryCall<'_>, file: Place) {
        if let Some(file) = call.argument(file) {
            let words = vec![Word::text(interpreter(self.language)), self.word(&file, call.at)];
            self.nested(What::Argv(words), call.given, call.at);
        }
    }

    pub(super) fn become_program(&mut self, call: LibraryCall<'_>, program: Place, from: usize) {
        let LibraryCall { at, given, .. } = call;
        let Some(program) = call.argument(program) else { return };
        let mut words = vec![self.word(&program, at)];
        let arguments: Vec<Value> = given.plain.iter().skip(from).cloned().collect();
        let list = from.checked_sub(1).and_then(|at| given.plain.get(at));
        match list {
            // The first element of a list is `argv[0]`.
            Some(list @ (Value::List(_) | Value::Each(_))) => {
                let skipped = usize::from(matches!(list, Value::List(_)));
                words.extend(self.words(at, &list.clone()).into_iter().skip(skipped));
            }
            _ => {
                for value in arguments {
                    if !matches!(value, Value::Keys(_)) {
                        words.push(self.argument_word(at, &value));
                    }
                }
            }
        }
        self.nested(What::Argv(words), given, at);
    }

    /// `spawn(program, [arguments], {shell: true})`
    pub(super) fn program_with(&mut self, call: LibraryCall<'_>, program: Place, arguments: Place) {
        let LibraryCall { at, given, .. } = call;
        let Some(program) = call.argument(program) else { return };
        self.runs_what_came(program.origin());
        let mut words = vec![self.word(&program, at)];
        match call.argument(arguments) {
            Some(list @ (Value::List(_) | Value::Each(_))) => words.extend(self.words(at, &list)),
            Some(Value::Keys(_) | Value::Function(_) | Value::Nothing) | None => {}
            Some(_) => words.push(Word::several(computed(&self.source(at)))),
        }
        if self.is_shell(given) {
            let mut text = Word::default();
            for (count, word) in words.into_iter().enumerate() {
                if count > 0 {
                    text.push(Part::Text(" ".to_owned()));
                }
                word.parts.into_iter().for_each(|part| text.push(part));
            }
            self.nested(script(text), given, at);
            return;
        }
        self.nested(What::Argv(words), given, at);
    }

    /// Returns an argument of a program as a word; an unknown number of values is an unknown number of words.
    pub(in super::super) fn argument_word(&self, at: At, value: &Value) -> Word {
        match value {
            Value::Each(_) => Word::several(computed(&self.source(at))),
            value => self.word(value, at),
        }
    }

    /// Returns the words of a list.
    pub(in super::super) fn words(&mut self, at: At, list: &Value) -> Vec<Word> {
        match self.elements(list) {
            Elements::Known(values) => values.iter().map(|value| self.argument_word(at, value)).collect(),
            Elements::Some(_) => vec![Word::several(computed(&self.source(at)))],
        }
    }

    /// Records a nested command, with the directory, environment and input of the arguments.
    pub(in super::super) fn nested(&mut self, what: What, given: &Given, at: At) {
        let mut setting = Setting { environment: self.state.environment.clone(), ..Setting::default() };
        if let What::Script(..) = what {
            setting.reader = Dialects::SH;
        }
        let directory =
            given.named("cwd").or_else(|| given.named("chdir")).filter(|value| **value != Value::Nothing).cloned();
        let directory = directory.map(|value| self.state.anchored(&self.word(&value, at)));
        setting.directory = directory.or_else(|| self.state.directory.clone());
        if let Some(Value::Keys(place)) = given.named("env")
            && let Some(Held::Keys(keys)) = self.state.held(*place).cloned()
        {
            for (name, value) in keys {
                setting.environment.push(Assignment { name: name.to_string(), value: Some(self.word(&value, at)) });
            }
        }
        let input = given
            .named("input")
            .or_else(|| given.named("stdin_data"))
            .map(|value| (self.word(value, at), value.origin()));
        if let Some((_, origin)) = &input {
            self.runs_what_came(*origin);
        }
        let input = input.map(|(word, _)| word).or_else(|| {
            let is_piped = given
                .named("stdin")
                .or_else(|| given.named("in"))
                .is_some_and(|value| !matches!(value, Value::Nothing))
                && !self.source(at).contains("DEVNULL");
            // `child.stdin.write(…)`
            let writes = || self.trees.get(at.tree).is_some_and(|tree| tree.mentions("stdin.") > 0);
            let is_piped = is_piped || self.language == Language::JavaScript && writes();
            is_piped.then(|| Word::unknown(computed(&self.source(at))))
        });
        self.done(Effect::Run(Box::new(Nested { what, setting, doubt: None }), input));
    }
}

/// Returns the program that runs a language.
fn interpreter(language: Language) -> &'static str {
    match language {
        Language::Python => "python3",
        Language::JavaScript => "node",
        Language::Ruby => "ruby",
        Language::Php => "php",
        Language::Perl => "perl",
    }
}

/// Adds an unknown standard input, for a program that is written to.
pub(in super::super) fn piped(given: &Given) -> Given {
    let mut piped = given.clone();
    piped.named.push(("stdin".into(), Value::Number(1)));
    piped
}

fn script(text: Word) -> What {
    What::Script(text, Vec::new())
}
