//! Returned files, and what is read from a file or from standard input.

use super::super::Language;
use super::super::arguments::LibraryCall;
use super::super::commands::{is_url, origin_of};
use super::super::evaluate::{Elements, Evaluator};
use super::super::library::At as Place;
use super::super::library::returned::ReturnedStream;
use super::super::value::{Origin, Value};
use crate::word::Word;

impl Evaluator<'_> {
    pub(super) fn returned_stream(&mut self, call: LibraryCall<'_>, stream: ReturnedStream) -> Value {
        match stream {
            ReturnedStream::File(place) => self.file(call, place),
            ReturnedStream::PathOf(file) => match call.argument(file) {
                Some(Value::File(path)) => Value::Text(path, Origin::Computed),
                _ => Value::COMPUTED,
            },
            ReturnedStream::Contents(place) => self.contents(call.argument(place)),
            ReturnedStream::Input => self.input(),
            ReturnedStream::Line => self.input_line(),
            ReturnedStream::Lines => Value::each(Value::Data(Origin::File)),
            ReturnedStream::OfArguments => self.contents_of_arguments(),
            ReturnedStream::Opened => self.handle_of_text(call.at, call.given),
            ReturnedStream::OpenedMode => self.handle_of_mode(call.at, call.given),
        }
    }

    /// Returns an opened file.
    fn file(&self, call: LibraryCall<'_>, place: Place) -> Value {
        let value = match call.argument(place) {
            Some(Value::Number(_)) | None => return Value::Data(Origin::File),
            Some(value) => value,
        };
        let path = self.word(&value, call.at);
        match self.language {
            // In these languages opening takes only files.
            Language::Python | Language::JavaScript => Value::File(path),
            Language::Ruby | Language::Php | Language::Perl => opened(path),
        }
    }

    /// Returns the contents of a file.
    fn contents(&self, file: Option<Value>) -> Value {
        match file {
            Some(Value::Text(url, _)) if is_url(url.prefix()) => Value::Data(origin_of(&url)),
            Some(Value::Text(name, _)) if name.known() == Some("php://stdin") => self.input(),
            Some(Value::Library(name)) if &*name == "STDIN" => self.input_line(),
            Some(Value::File(path) | Value::Path(path) | Value::Text(path, _)) => {
                let text = self.outside.file(&self.state.anchored(&path));
                text.map_or(Value::Data(Origin::File), |text| Value::Text(text, Origin::File))
            }
            Some(value) => Value::Data(value.origin().max(Origin::File)),
            None => Value::Data(Origin::File),
        }
    }

    /// Returns the standard input.
    fn input(&self) -> Value {
        self.outside.input().map_or(Value::Data(Origin::Input), |word| Value::Text(word, Origin::Input))
    }

    /// Returns a line of standard input: known if it is the only one.
    fn input_line(&self) -> Value {
        match self.outside.input() {
            Some(word) if word.known().is_some_and(|text| text.trim_end_matches('\n').lines().count() == 1) => {
                let line = word.known().unwrap_or_default().trim_end_matches('\n').to_owned();
                Value::Text(Word::text(line), Origin::Input)
            }
            _ => Value::Data(Origin::Input),
        }
    }

    fn contents_of_arguments(&mut self) -> Value {
        let words = self.words_of_program();
        let is_input = matches!(self.elements(&words), Elements::Known(values) if values.is_empty());
        match self.outside.input().filter(|_| is_input) {
            Some(word) if word.known().is_some() => lines_of(&word),
            _ => Value::each(Value::Data(if is_input { Origin::Input } else { Origin::File })),
        }
    }

    /// Returns the arguments of the program, including its changes to them.
    pub(in super::super) fn words_of_program(&mut self) -> Value {
        self.named(if self.language == Language::Perl { "@ARGV" } else { "ARGV" })
    }
}

/// Returns the lines of a text. A text with a single line is that line.
fn lines_of(text: &Word) -> Value {
    let known = text.known().unwrap_or_default();
    match known.trim_end_matches('\n') {
        line if line.contains('\n') => Value::each(Value::Data(Origin::Input)),
        line => Value::Text(Word::text(line), Origin::Input),
    }
}

/// Returns an opened file, or the data of a command or URL.
fn opened(path: Word) -> Value {
    match path.prefix().trim_start() {
        start if start.starts_with('|') => Value::COMPUTED,
        start if is_url(start) => Value::Data(origin_of(&path)),
        _ => Value::File(path),
    }
}
