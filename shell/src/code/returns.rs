//! Return values of library calls.

mod code;
mod dictionaries;
mod files;
mod lists;
mod paths;
mod streams;
mod texts;

use super::arguments::LibraryCall;
use super::call::any_of;
use super::evaluate::Evaluator;
use super::library::{At as Place, Gives};
use super::value::{Origin, Value};
pub(super) use paths::{last_word, parent, parent_word};
pub(super) use texts::{replaced, stripped};

impl Evaluator<'_> {
    /// Evaluates the return value of a call.
    pub(super) fn gives(&mut self, call: LibraryCall<'_>, gives: Gives) -> Value {
        match gives {
            Gives::Data => Value::Data(origin_of_all(call)),
            Gives::Object => Value::Object,
            Gives::Nothing => Value::Nothing,
            Gives::Network => Value::Data(Origin::Network),
            Gives::Archive => Value::Archive,
            Gives::Same(place) => call.argument(place).unwrap_or(Value::COMPUTED),
            Gives::AsText(place) => call.argument(place).map_or(Value::COMPUTED, Value::into_text),
            Gives::Arguments => Value::each(any_of(self.arguments())),
            Gives::Variable(name, default) => self.environment_variable(call, name, default),
            Gives::Path(path) => self.returned_path(call, path),
            Gives::Found(files) => self.found_files(call, files),
            Gives::Text(text) => self.returned_text(call, text),
            Gives::Decoded(text) => self.decoded_text(call, text),
            Gives::List(list) => self.returned_list(call, list),
            Gives::Dictionary(dictionary) => self.returned_dictionary(call, dictionary),
            Gives::Stream(stream) => self.returned_stream(call, stream),
            Gives::Code(code) => self.returned_code(call, code),
        }
    }

    fn environment_variable(&self, call: LibraryCall<'_>, name: Place, default: Place) -> Value {
        let Some(name) = call.known(name) else { return Value::COMPUTED };
        let word = self.outside.variable(&name);
        match (word.why(), call.argument(default)) {
            (Some(_), Some(default)) => Value::Text(word, Origin::Computed).or(default),
            _ => Value::Text(word, Origin::Computed),
        }
    }
}

/// Returns the origin of the receiver and the arguments.
fn origin_of_all(call: LibraryCall<'_>) -> Origin {
    call.given.plain.iter().chain(call.this).map(Value::origin).max().unwrap_or(Origin::Computed)
}
