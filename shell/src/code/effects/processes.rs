//! Effects of calls that run something: a program, a shell script, a new process of the interpreter.

use super::super::arguments::{CallArguments, LibraryCall};
use super::super::evaluate::{Evaluator, IterationElements, NodeRef, computed_reason};
use super::super::library::ArgumentRef;
use super::super::value::{CodeValue, HeapCell};
use super::super::{CodeEffect, CodeLanguage};
use crate::analysis::{Assignment, CommandScope};
use crate::dialect::DialectSet;
use crate::nested::{NestedCommand, NestedSetting, Runnable, called_as};
use crate::word::{Cause, Unknown, Word, WordPart};

impl Evaluator<'_> {
    /// Runs an argument: a list of words as a command, or a text in a shell. The named arguments `executable` and
    /// `shell` mean what they mean to Python's `subprocess.run`.
    pub(super) fn run(&mut self, call: LibraryCall<'_>, argument: ArgumentRef) {
        let LibraryCall { at, given, .. } = call;
        let Some(value) = call.argument(argument) else { return };
        match &value {
            CodeValue::List(_) | CodeValue::Several(_) => {
                let mut words = self.words(at, &value);
                if let (Some(program), Some(name)) = (given.named_value("executable"), words.first().cloned()) {
                    if let Some(first) = words.first_mut() {
                        *first = self.word(program, at);
                    }
                    words = called_as(&name, &words);
                }
                if self.is_shell(given) {
                    // The first word is the text; the rest are `$0` and the positional parameters.
                    if let Some(text) = words.first().cloned() {
                        self.record_run(script(text), given, at);
                    }
                    return;
                }
                self.record_run_origin(value.origin());
                self.record_run(Runnable::Argv(words), given, at);
            }
            // With `shell=True` the text is a script, and without it the name of a program. A name without blanks means
            // the same as a script, so that all texts are read as scripts.
            CodeValue::Text(..) | CodeValue::Path(_) => self.script(at, &value, given),
            value if value.may_have_effects() || self.is_shell(given) => self.script(at, value, given),
            value => {
                self.record_run_origin(value.origin());
                self.record_run(
                    Runnable::Argv(vec![Word::unknown_words(computed_reason(&self.source(at)))]),
                    given,
                    at,
                );
            }
        }
    }

    /// Whether the call asks for a shell: `shell=True`. Also true if the value is unknown.
    fn is_shell(&self, given: &CallArguments) -> bool {
        !matches!(given.named_value("shell"), None | Some(CodeValue::Number(0) | CodeValue::Nothing))
    }

    /// Runs an argument in a shell.
    pub(super) fn shell(&mut self, call: LibraryCall<'_>, text: ArgumentRef) {
        if let Some(text) = call.argument(text) {
            self.script(call.at, &text, call.given);
        }
    }

    /// Runs an argument as a text in a shell of another machine.
    pub(super) fn remote_shell(&mut self, call: LibraryCall<'_>, text: ArgumentRef) {
        let Some(text) = call.argument(text) else { return };
        self.record_run_origin(text.origin());
        let setting = NestedSetting {
            scope: Some(CommandScope::Remote),
            directory: Some(Word::unknown(Unknown::new(Cause::Directory, self.source(call.at)))),
            reader: DialectSet::SH,
            ..NestedSetting::default()
        };
        let runnable = script(self.word(&text, call.at));
        self.add_effect(CodeEffect::Run(Box::new(NestedCommand { runnable, setting, doubt: None }), None));
    }

    /// Runs a text in a shell.
    pub(in super::super) fn script(&mut self, at: NodeRef, text: &CodeValue, given: &CallArguments) {
        self.record_run_origin(text.origin());
        let word = self.word(text, at);
        self.record_run(script(word), given, at);
    }

    /// Runs the command of `popen(command, mode)`. If the mode allows writing to the command, or is unknown, its
    /// standard input is unknown.
    pub(super) fn pipe(&mut self, call: LibraryCall<'_>, command: ArgumentRef, mode: ArgumentRef) {
        let mode = call.argument(mode).filter(|mode| !matches!(mode, CodeValue::Dictionary(_)));
        let writes = mode.is_some_and(|mode| mode.known_text().is_none_or(|mode| mode.contains(['w', '+', 'a'])));
        if let Some(command) = call.argument(command) {
            let given =
                CallArguments { positional: vec![command], named: call.given.named.clone(), may_have_more: false };
            self.run_command(call.at, 0, &if writes { with_unknown_input(&given) } else { given });
        }
    }

    /// Runs the command of `proc_open(command, …, directory, environment)`, with an unknown standard input.
    pub(super) fn process(&mut self, call: LibraryCall<'_>, command: ArgumentRef, options: [(&str, ArgumentRef); 2]) {
        let Some(command) = call.argument(command) else { return };
        let mut process_arguments = CallArguments::from_values(vec![command]);
        for (name, argument) in options {
            process_arguments.named.extend(call.argument(argument).map(|value| (name.into(), value)));
        }
        self.run_command(call.at, 0, &with_unknown_input(&process_arguments));
    }

    /// Runs a file in a new process of the same interpreter, or of the program that the option `execPath` names.
    pub(super) fn fork(&mut self, call: LibraryCall<'_>, file: ArgumentRef) {
        if let Some(file) = call.argument(file) {
            let program = match call.given.named_value("execPath") {
                Some(program) => self.word(program, call.at),
                None => Word::text(interpreter(self.language)),
            };
            let mut words = vec![program, self.word(&file, call.at)];
            if let Some(list @ (CodeValue::List(_) | CodeValue::Several(_))) = call.given.positional.get(1) {
                words.extend(self.words(call.at, &list.clone()));
            }
            self.record_run(Runnable::Argv(words), call.given, call.at);
        }
    }

    /// Runs a program whose arguments begin at the index `from`, as for `execl(program, argv0, argument, …)`. If the
    /// value before that index is a list, its elements are `argv[0]` and the arguments:
    /// `execv(program, [argv0, argument])`.
    pub(super) fn replace_process(&mut self, call: LibraryCall<'_>, program: ArgumentRef, from: usize) {
        let LibraryCall { at, given, .. } = call;
        let Some(program) = call.argument(program) else { return };
        let mut words = vec![self.word(&program, at)];
        let arguments: Vec<CodeValue> = given.positional.iter().skip(from).cloned().collect();
        let list = from.checked_sub(1).and_then(|at| given.positional.get(at));
        match list {
            Some(list @ (CodeValue::List(_) | CodeValue::Several(_))) => {
                // The first element of a known list is `argv[0]`.
                let skipped = usize::from(matches!(list, CodeValue::List(_)));
                let list = self.words(at, &list.clone());
                words.extend(list.iter().skip(skipped).cloned());
                if let Some(name) = list.first().filter(|_| skipped > 0) {
                    words = called_as(name, &words);
                }
            }
            _ => {
                for value in arguments {
                    if !matches!(value, CodeValue::Dictionary(_)) {
                        words.push(self.argument_word(at, &value));
                    }
                }
                if let Some(name) = list.filter(|_| from > 1) {
                    words = called_as(&self.word(&name.clone(), at), &words);
                }
            }
        }
        self.record_run(Runnable::Argv(words), given, at);
    }

    /// Runs the program of `spawn(program, [arguments], {shell: true})`. With `shell`, the words are joined by blanks
    /// and run in a shell.
    pub(super) fn program_with(&mut self, call: LibraryCall<'_>, program: ArgumentRef, arguments: ArgumentRef) {
        let LibraryCall { at, given, .. } = call;
        let Some(program) = call.argument(program) else { return };
        self.record_run_origin(program.origin());
        let mut words = vec![self.word(&program, at)];
        match call.argument(arguments) {
            Some(list @ (CodeValue::List(_) | CodeValue::Several(_))) => words.extend(self.words(at, &list)),
            Some(CodeValue::Dictionary(_) | CodeValue::Function(_) | CodeValue::Nothing) | None => {}
            Some(_) => words.push(Word::unknown_words(computed_reason(&self.source(at)))),
        }
        if self.is_shell(given) {
            let mut text = Word::default();
            for (index, word) in words.into_iter().enumerate() {
                if index > 0 {
                    text.push(WordPart::Text(" ".to_owned()));
                }
                word.parts.into_iter().for_each(|part| text.push(part));
            }
            self.record_run(script(text), given, at);
            return;
        }
        if let Some(name) = given.named_value("argv0") {
            words = called_as(&self.word(name, at), &words);
        }
        self.record_run(Runnable::Argv(words), given, at);
    }

    /// Returns an argument of a command as a word. An unknown number of values is an unknown number of words.
    pub(in super::super) fn argument_word(&self, at: NodeRef, value: &CodeValue) -> Word {
        match value {
            CodeValue::Several(_) => Word::unknown_words(computed_reason(&self.source(at))),
            value => self.word(value, at),
        }
    }

    /// Returns the elements of a list as words of a command.
    pub(in super::super) fn words(&mut self, at: NodeRef, list: &CodeValue) -> Vec<Word> {
        match self.elements(list) {
            IterationElements::Known(values) => values.iter().map(|value| self.argument_word(at, value)).collect(),
            IterationElements::Several(_) => vec![Word::unknown_words(computed_reason(&self.source(at)))],
        }
    }

    /// Records that the program runs something, with the directory (`cwd`), the environment (`env`) and the standard
    /// input (`input`) that named arguments set.
    pub(in super::super) fn record_run(&mut self, runnable: Runnable, given: &CallArguments, at: NodeRef) {
        let mut setting = NestedSetting { environment: self.state.environment.clone(), ..NestedSetting::default() };
        if let Runnable::Script(..) = runnable {
            setting.reader = DialectSet::SH;
        }
        let directory = given
            .named_value("cwd")
            .or_else(|| given.named_value("chdir"))
            .filter(|value| **value != CodeValue::Nothing)
            .cloned();
        let directory = directory.map(|value| self.state.path_from_start(&self.word(&value, at)));
        setting.directory = directory.or_else(|| self.state.directory.clone());
        if let Some(CodeValue::Dictionary(address)) = given.named_value("env")
            && let Some(HeapCell::Dictionary(keys)) = self.state.cell(*address).cloned()
        {
            for (name, value) in keys {
                setting.environment.push(Assignment { name: name.to_string(), value: Some(self.word(&value, at)) });
            }
        }
        let input = given
            .named_value("input")
            .or_else(|| given.named_value("stdin_data"))
            .map(|value| (self.word(value, at), value.origin()));
        if let Some((_, origin)) = &input {
            self.record_run_origin(*origin);
        }
        let input = input.map(|(word, _)| word).or_else(|| self.piped_input(given, at));
        self.add_effect(CodeEffect::Run(Box::new(NestedCommand { runnable, setting, doubt: None }), input));
    }

    /// Returns an unknown standard input, if the program may write to the process that it runs: what it writes is not
    /// analysed. `None` if it does not write.
    fn piped_input(&self, given: &CallArguments, at: NodeRef) -> Option<Word> {
        let is_piped = given
            .named_value("stdin")
            .or_else(|| given.named_value("in"))
            .is_some_and(|value| !matches!(value, CodeValue::Nothing))
            && !self.source(at).contains("DEVNULL");
        // A program in JavaScript may write to the process afterwards: `child.stdin.write(…)`.
        let may_write_later = || self.trees.get(at.tree).is_some_and(|tree| tree.count_name("stdin.") > 0);
        let is_piped = is_piped || self.language == CodeLanguage::JavaScript && may_write_later();
        is_piped.then(|| Word::unknown(computed_reason(&self.source(at))))
    }
}

/// Returns the name of the interpreter of a language.
fn interpreter(language: CodeLanguage) -> &'static str {
    match language {
        CodeLanguage::Python => "python3",
        CodeLanguage::JavaScript => "node",
        CodeLanguage::Ruby => "ruby",
        CodeLanguage::Php => "php",
        CodeLanguage::Perl => "perl",
    }
}

/// Returns the arguments with an unknown standard input added, for a process that the program writes to.
pub(in super::super) fn with_unknown_input(given: &CallArguments) -> CallArguments {
    let mut piped = given.clone();
    piped.named.push(("stdin".into(), CodeValue::Number(1)));
    piped
}

/// Returns a text as a shell script without arguments.
fn script(text: Word) -> Runnable {
    Runnable::Script(text, Vec::new())
}
