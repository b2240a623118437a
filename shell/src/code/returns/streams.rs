//! Computes returned files, and the data that is read from a file or from standard input.

use super::super::CodeLanguage;
use super::super::arguments::LibraryCall;
use super::super::commands::{data_origin, is_url};
use super::super::evaluate::{Evaluator, IterationElements};
use super::super::library::ArgumentRef;
use super::super::library::returned::ReturnedStream;
use super::super::value::{CodeValue, DataOrigin};
use crate::word::Word;

impl Evaluator<'_> {
    /// Returns an open file, or the data that is read from a file or from standard input.
    pub(super) fn returned_stream(&mut self, call: LibraryCall<'_>, stream: ReturnedStream) -> CodeValue {
        match stream {
            ReturnedStream::File(argument) => self.file(call, argument),
            ReturnedStream::PathOf(file) => match call.argument(file) {
                Some(CodeValue::File(path)) => CodeValue::Text(path, DataOrigin::Computed),
                _ => CodeValue::COMPUTED,
            },
            ReturnedStream::Contents(argument) => self.contents(call.argument(argument)),
            ReturnedStream::Input => self.input(),
            ReturnedStream::Line => self.input_line(),
            ReturnedStream::Lines => CodeValue::several(CodeValue::Data(DataOrigin::File)),
            ReturnedStream::OfArguments => self.contents_of_arguments(),
            ReturnedStream::OpenedByText => self.handle_of_text(call.at, call.given),
            ReturnedStream::OpenedByMode => self.handle_of_mode(call.at, call.given),
        }
    }

    /// Returns the file that a call opens. It is unknown data of a file if the argument is a descriptor or missing.
    fn file(&self, call: LibraryCall<'_>, argument: ArgumentRef) -> CodeValue {
        let value = match call.argument(argument) {
            Some(CodeValue::Number(_)) | None => return CodeValue::Data(DataOrigin::File),
            Some(value) => value,
        };
        let path = self.word(&value, call.at);
        match self.language {
            // In these languages, a file name is neither a command nor a URL.
            CodeLanguage::Python | CodeLanguage::JavaScript => CodeValue::File(path),
            CodeLanguage::Ruby | CodeLanguage::Php | CodeLanguage::Perl => opened_stream(path),
        }
    }

    /// Returns the contents of a file or of the response of a URL, as far as they are known.
    fn contents(&self, file: Option<CodeValue>) -> CodeValue {
        match file {
            Some(CodeValue::Text(url, _)) if is_url(url.prefix()) => CodeValue::Data(data_origin(&url)),
            Some(CodeValue::Text(name, _)) if name.known_text() == Some("php://stdin") => self.input(),
            Some(CodeValue::Library(name)) if &*name == "STDIN" => self.input_line(),
            Some(CodeValue::File(path) | CodeValue::Path(path) | CodeValue::Text(path, _)) => {
                let text = self.environment.file(&self.state.path_from_start(&path));
                text.map_or(CodeValue::Data(DataOrigin::File), |text| CodeValue::Text(text, DataOrigin::File))
            }
            Some(value) => CodeValue::Data(value.origin().max(DataOrigin::File)),
            None => CodeValue::Data(DataOrigin::File),
        }
    }

    /// Returns the text on standard input; unknown data if it is not known.
    fn input(&self) -> CodeValue {
        self.environment
            .input()
            .map_or(CodeValue::Data(DataOrigin::Input), |word| CodeValue::Text(word, DataOrigin::Input))
    }

    /// Returns a line of standard input. It is known if the input consists of one line.
    fn input_line(&self) -> CodeValue {
        match self.environment.input() {
            Some(word) if word.known_text().is_some_and(|text| text.trim_end_matches('\n').lines().count() == 1) => {
                let line = word.known_text().unwrap_or_default().trim_end_matches('\n').to_owned();
                CodeValue::Text(Word::text(line), DataOrigin::Input)
            }
            _ => CodeValue::Data(DataOrigin::Input),
        }
    }

    /// Returns what Perl's `<>` or Ruby's `ARGF` reads: the files that the program's arguments name, or standard
    /// input if there are none.
    fn contents_of_arguments(&mut self) -> CodeValue {
        let words = self.words_of_program();
        let is_input = matches!(self.elements(&words), IterationElements::Known(values) if values.is_empty());
        match self.environment.input().filter(|_| is_input) {
            Some(word) if word.known_text().is_some() => lines_of(&word),
            _ => CodeValue::several(CodeValue::Data(if is_input { DataOrigin::Input } else { DataOrigin::File })),
        }
    }

    /// Returns the list of the program's arguments, with the changes that the program made to it.
    pub(in super::super) fn words_of_program(&mut self) -> CodeValue {
        self.value_named(if self.language == CodeLanguage::Perl { "@ARGV" } else { "ARGV" })
    }
}

/// Returns the lines of a text as an unknown number of values, or the line itself if there is only one.
fn lines_of(text: &Word) -> CodeValue {
    let known = text.known_text().unwrap_or_default();
    match known.trim_end_matches('\n') {
        line if line.contains('\n') => CodeValue::several(CodeValue::Data(DataOrigin::Input)),
        line => CodeValue::Text(Word::text(line), DataOrigin::Input),
    }
}

/// Returns the file that an `open` of Ruby, PHP or Perl opens, or unknown data if the name is that of a command or a
/// URL.
fn opened_stream(path: Word) -> CodeValue {
    match path.prefix().trim_start() {
        start if start.starts_with('|') => CodeValue::COMPUTED,
        start if is_url(start) => CodeValue::Data(data_origin(&path)),
        _ => CodeValue::File(path),
    }
}
