//! Applies the effects of a call on files, on the network and on the program's own state, and records what it runs.

mod code;
mod files;
mod network;
mod processes;

use std::rc::Rc;

use super::CodeLanguage;
use super::arguments::LibraryCall;
use super::evaluate::{Evaluator, computed_reason};
use super::library::{ArgumentRef, CallEffect};
use super::state::join_paths;
use super::value::{CodeValue, DataOrigin};
use crate::analysis::Assignment;
use crate::word::{Cause, Unknown, ValueSource, Word};
pub(super) use files::command;
pub(super) use processes::with_unknown_input;

/// The maximum number of texts that are evaluated as code, including the program itself.
const MAX_TREES: usize = 8;

/// The maximum number of different URLs and hosts that a program may connect to.
const MAX_FETCHED: usize = 8;

impl Evaluator<'_> {
    /// Applies one effect of a row of the library's tables.
    pub(super) fn apply_effect(&mut self, call: LibraryCall<'_>, effect: CallEffect) {
        match effect {
            CallEffect::LikeCommand(parts) => self.record_equivalent(call, parts),
            // Without an argument for the mode, the name begins with the mode: `IO::File->new(">x")`.
            CallEffect::Open(path, mode) if self.language == CodeLanguage::Perl && call.argument(mode).is_none() => {
                self.open_text(call, path);
            }
            CallEffect::Open(path, mode) => self.open_file(call, path, mode),
            CallEffect::OpenAny(path, mode) => self.open_any(call, path, mode),
            CallEffect::OpenPerl(text) => self.open_text(call, text),
            CallEffect::OpenPerlMode(mode) => self.open_mode(call, mode),
            CallEffect::Find => self.find(call.at, call.given),
            CallEffect::Write(path, text) => self.write(call, path, text),
            CallEffect::Append(path, text) => self.append_to(call, path, text),
            CallEffect::Run(words) => self.run(call, words),
            CallEffect::Shell(text) => self.shell(call, text),
            CallEffect::RemoteShell(text) => self.remote_shell(call, text),
            CallEffect::Command(from) => self.run_command(call.at, from, call.given),
            CallEffect::CommandInput(from) => self.run_command(call.at, from, &with_unknown_input(call.given)),
            CallEffect::Pipe(command, mode) => self.pipe(call, command, mode),
            CallEffect::Process(command, directory, environment) => {
                self.process(call, command, [("cwd", directory), ("env", environment)]);
            }
            CallEffect::ReplaceProcess(program, from) => self.replace_process(call, program, from),
            CallEffect::Program(program, arguments) => self.program_with(call, program, arguments),
            CallEffect::Fork(file) => self.fork(call, file),
            CallEffect::Evaluate(text) => self.code_of_argument(call, text),
            CallEffect::EvaluateLast => self.code_of_last_argument(call),
            CallEffect::Require(file) => self.require(call, file),
            CallEffect::Load(file) => self.load_argument(call, file),
            CallEffect::RunUnseen => self.add_unanalysed(computed_reason(&self.source(call.at)), None),
            CallEffect::RunNamed => self.add_named_effects(call.at, None, call.given),
            CallEffect::Fetch(url) => self.fetch_argument(call, url),
            CallEffect::FetchIf(word, url) => {
                if self.source(call.at).contains(word) {
                    self.fetch_argument(call, url);
                }
            }
            CallEffect::FetchUrl(url) => self.fetch_if_url(call, url),
            CallEffect::Connect(host, port) => self.connect(call, host, port),
            CallEffect::ConnectNamed => self.connect_named(call.at, call.given),
            CallEffect::Download(url, path) => self.download(call, url, path),
            CallEffect::ChangeDirectory(path) => self.change_directory(call, path),
            CallEffect::SetVariable(name, value) => self.set_variable_of(call, name, value),
            CallEffect::PutVariable(text) => self.put_variable(call, text),
            CallEffect::SetUnknownVariable => self.state.forget_all(),
        }
    }

    /// Changes the program's directory. It becomes unknown if the argument is missing or not fully known.
    fn change_directory(&mut self, call: LibraryCall<'_>, path: ArgumentRef) {
        let path = call.argument(path).map(|path| self.word(&path, call.at));
        self.state.directory = match path {
            Some(path) if path.unknown_reason().is_none() => Some(self.state.path_from_start(&path)),
            _ => Some(Word::unknown(computed_reason(&self.source(call.at)))),
        };
    }

    /// Sets the environment variable that an argument names. An unknown name has no effect.
    fn set_variable_of(&mut self, call: LibraryCall<'_>, name: ArgumentRef, value: ArgumentRef) {
        let name = call.argument(name).and_then(|name| self.key(&name));
        if let (Some(name), Some(value)) = (name, call.argument(value)) {
            let value = CodeValue::Text(self.word(&value, call.at), DataOrigin::Computed);
            self.set_variable(&name, &value);
        }
    }

    /// Sets an environment variable as `putenv("name=value")` does. If the text is unknown, the name that is set is
    /// empty.
    fn put_variable(&mut self, call: LibraryCall<'_>, text: ArgumentRef) {
        match call.known(text).as_deref().and_then(|text| text.split_once('=')) {
            Some((name, value)) => self.set_variable(&name.into(), &CodeValue::text(value)),
            None => self.set_variable(&"".into(), &CodeValue::COMPUTED),
        }
    }

    /// Sets an environment variable for the commands that the program runs. If there are too many variables, the rest
    /// is recorded as not analysed.
    pub(super) fn set_variable(&mut self, name: &Rc<str>, value: &CodeValue) {
        const MAX_VARIABLES: usize = 64;
        if self.state.environment.len() < MAX_VARIABLES {
            let word = match value {
                CodeValue::Text(word, _) | CodeValue::Path(word) => word.clone(),
                CodeValue::Number(number) => Word::text(number.to_string()),
                _ => Word::unknown(computed_reason(name)),
            };
            self.state.environment.push(Assignment { name: name.to_string(), value: Some(word) });
        } else {
            self.add_unanalysed(Unknown::new(Cause::TooLong, ""), None);
        }
    }

    /// Records that the program runs data from standard input or from the network; other origins are not recorded.
    pub(super) fn record_run_origin(&mut self, origin: DataOrigin) {
        match origin {
            DataOrigin::Input => self.effects.runs_input = true,
            DataOrigin::Network => self.effects.runs_downloads = self.fetched.clone(),
            DataOrigin::Computed | DataOrigin::File => {}
        }
    }

    /// Returns an unknown path below a directory. `source` is the source text of the call, for display.
    pub(super) fn path_below(&self, directory: &Word, source: &str) -> Word {
        let why = Unknown::with_source(Cause::Glob, super::excerpt(source), ValueSource::BelowDirectory);
        join_paths(directory, &Word::unknown(why))
    }
}
