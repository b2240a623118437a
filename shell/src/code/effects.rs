//! The effects of a call: on files, on the network, on the program's own state, and what it runs.

mod code;
mod files;
mod network;
mod processes;

use std::rc::Rc;

use super::arguments::LibraryCall;
use super::evaluate::{Evaluator, computed};
use super::library::{At as Place, Does};
use super::state::joined;
use super::value::{Origin, Value};
use crate::analysis::Assignment;
use crate::word::{Cause, Source, Unknown, Word};
pub(super) use files::command;
pub(super) use processes::piped;

/// The maximum number of trees: code may evaluate further code.
const TREES: usize = 8;

impl Evaluator<'_> {
    /// Applies one effect of a row.
    pub(super) fn act(&mut self, call: LibraryCall<'_>, does: Does) {
        match does {
            Does::As(parts) => self.act_as(call, parts),
            Does::Open(path, mode) => self.open(call, path, mode),
            Does::OpenAny(path, mode) => self.open_any(call, path, mode),
            Does::OpenText(text) => self.open_text(call, text),
            Does::OpenMode(mode) => self.open_mode(call, mode),
            Does::Find => self.find(call.at, call.given),
            Does::Write(path, text) => self.write(call, path, text),
            Does::Append(path, text) => self.append_to(call, path, text),
            Does::Run(words) => self.run(call, words),
            Does::Shell(text) => self.shell(call, text),
            Does::Command(from) => self.command(call.at, from, call.given),
            Does::Piped(from) => self.command(call.at, from, &piped(call.given)),
            Does::Pipe(command, mode) => self.pipe(call, command, mode),
            Does::Process(command, directory, environment) => {
                self.process(call, command, [("cwd", directory), ("env", environment)]);
            }
            Does::Become(program, from) => self.become_program(call, program, from),
            Does::Program(program, arguments) => self.program_with(call, program, arguments),
            Does::Fork(file) => self.fork(call, file),
            Does::Code(text) => self.code_of_argument(call, text),
            Does::CodeOf => self.code_of_last_argument(call),
            Does::Require(file) => self.require(call, file),
            Does::Load(file) => self.load_argument(call, file),
            Does::Unseen => self.unseen(computed(&self.source(call.at)), None),
            Does::Fetch(url) => self.fetch_argument(call, url),
            Does::FetchIf(word, url) => {
                if self.source(call.at).contains(word) {
                    self.fetch_argument(call, url);
                }
            }
            Does::FetchUrl(url) => self.fetch_if_url(call, url),
            Does::Connect(host, port) => self.connect(call, host, port),
            Does::ConnectNamed => self.connect_named(call.at, call.given),
            Does::Download(url, path) => self.download(call, url, path),
            Does::ChangeDirectory(path) => self.change_directory(call, path),
            Does::SetVariable(name, value) => self.set_variable_of(call, name, value),
            Does::PutVariable(text) => self.put_variable(call, text),
            Does::Forget => self.state.forget_all(),
        }
    }

    fn change_directory(&mut self, call: LibraryCall<'_>, path: Place) {
        let path = call.argument(path).map(|path| self.word(&path, call.at));
        self.state.directory = match path {
            Some(path) if path.why().is_none() => Some(self.state.anchored(&path)),
            _ => Some(Word::unknown(computed(&self.source(call.at)))),
        };
    }

    fn set_variable_of(&mut self, call: LibraryCall<'_>, name: Place, value: Place) {
        let name = call.argument(name).and_then(|name| self.key(&name));
        if let (Some(name), Some(value)) = (name, call.argument(value)) {
            let value = Value::Text(self.word(&value, call.at), Origin::Computed);
            self.set_variable(&name, &value);
        }
    }

    /// `putenv("name=value")`
    fn put_variable(&mut self, call: LibraryCall<'_>, text: Place) {
        match call.known(text).as_deref().and_then(|text| text.split_once('=')) {
            Some((name, value)) => self.set_variable(&name.into(), &Value::text(value)),
            None => self.set_variable(&"".into(), &Value::COMPUTED),
        }
    }

    pub(super) fn set_variable(&mut self, name: &Rc<str>, value: &Value) {
        const MOST: usize = 64;
        if self.state.environment.len() < MOST {
            let word = match value {
                Value::Text(word, _) | Value::Path(word) => word.clone(),
                Value::Number(number) => Word::text(number.to_string()),
                _ => Word::unknown(computed(name)),
            };
            self.state.environment.push(Assignment { name: name.to_string(), value: Some(word) });
        }
    }

    /// Records that something from elsewhere is run.
    pub(super) fn runs_what_came(&mut self, origin: Origin) {
        match origin {
            Origin::Input => self.effects.runs_input = true,
            Origin::Network => self.effects.runs_downloads = self.fetched.clone(),
            Origin::Computed | Origin::File => {}
        }
    }

    /// Returns a path below a directory; the rest of it is unknown.
    pub(super) fn below(&self, directory: &Word, source: &str) -> Word {
        let why = Unknown::of(Cause::Glob, super::shortened(source), Source::Below);
        joined(directory, &Word::unknown(why))
    }
}
