//! Computes the return values of library calls.

mod code;
mod dictionaries;
mod files;
mod lists;
mod paths;
mod streams;
mod texts;

use super::arguments::LibraryCall;
use super::call::either_of;
use super::evaluate::Evaluator;
use super::library::{ArgumentRef, ReturnValue};
use super::value::{CodeValue, DataOrigin};
pub(super) use paths::{last_word, parent, parent_word};
pub(super) use texts::{replace_text, strip_text, unknown_parts};

impl Evaluator<'_> {
    /// Returns the value of a library call, as the row of the function describes it.
    pub(super) fn return_value(&mut self, call: LibraryCall<'_>, described: ReturnValue) -> CodeValue {
        match described {
            ReturnValue::Data => CodeValue::Data(origin_of_all(call)),
            ReturnValue::Object => CodeValue::Object,
            ReturnValue::Nothing => CodeValue::Nothing,
            ReturnValue::NetworkData => CodeValue::Data(DataOrigin::Network),
            ReturnValue::Archive => CodeValue::Archive,
            ReturnValue::SameArgument(argument) => call.argument(argument).unwrap_or(CodeValue::COMPUTED),
            ReturnValue::AsText(argument) => call.argument(argument).map_or(CodeValue::COMPUTED, CodeValue::into_text),
            ReturnValue::ProgramArguments => CodeValue::several(either_of(self.arguments())),
            ReturnValue::EnvironmentVariable(name, default) => self.environment_variable(call, name, default),
            ReturnValue::PathObject(path) => self.returned_path(call, path),
            ReturnValue::Found(files) => self.found_files(call, files),
            ReturnValue::ArgumentText(text) => self.returned_text(call, text),
            ReturnValue::Decoded(text) => self.decoded_text(call, text),
            ReturnValue::ArgumentList(list) => self.returned_list(call, list),
            ReturnValue::Dictionary(dictionary) => self.returned_dictionary(call, dictionary),
            ReturnValue::Stream(stream) => self.returned_stream(call, stream),
            ReturnValue::Code(code) => self.returned_code(call, code),
        }
    }

    /// Returns the environment variable that the argument `name` names. If it is unknown, the value may also be the
    /// argument `default`.
    fn environment_variable(&self, call: LibraryCall<'_>, name: ArgumentRef, default: ArgumentRef) -> CodeValue {
        let Some(name) = call.known(name) else { return CodeValue::COMPUTED };
        let word = self.environment.variable(&name);
        match (word.unknown_reason(), call.argument(default)) {
            (Some(_), Some(default)) => CodeValue::Text(word, DataOrigin::Computed).either(default),
            _ => CodeValue::Text(word, DataOrigin::Computed),
        }
    }
}

/// Returns the greatest origin of the receiver and the positional arguments.
fn origin_of_all(call: LibraryCall<'_>) -> DataOrigin {
    call.given.positional.iter().chain(call.this).map(CodeValue::origin).max().unwrap_or(DataOrigin::Computed)
}
