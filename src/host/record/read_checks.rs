//! Checks of a host's record that its types do not make: the names of the schema, and what a record needs so that a
//! denial can be sent.

use toml::Spanned;
use toml::de::DeTable;

use super::kinds::{AnswerForm, HostEncoding, HostEvent, HostRecord};
use super::read::{RecordReader, TomlValue};

/// The event on which a call can be denied.
const GUARDED: &str = "PreToolUse";

impl<'d> RecordReader<'d> {
    /// Reads a list of fields of the schema.
    pub(super) fn fields(&mut self, value: &'d TomlValue<'d>) -> &'static [&'static str] {
        for item in self.list(value) {
            if let Some(name) = item.get_ref().as_str().filter(|name| !(self.vocabulary.has_field)(name)) {
                self.mistake(item, &format!("no event has a field `{name}`; `rules help payloads` lists them"));
            }
        }
        self.texts(value)
    }

    /// Checks that the key of a table is an event of the schema.
    pub(super) fn check_event(&mut self, key: &Spanned<std::borrow::Cow<'_, str>>) {
        let name = key.get_ref();
        if !(self.vocabulary.has_event)(name) {
            let message =
                format!("unknown event `{name}`; `rules help payloads` lists them, and `names` has those of the host");
            self.mistake_at(key.span(), &message);
        }
    }

    /// Checks that the key of a table is a tool of the schema.
    pub(super) fn check_tool(&mut self, key: &Spanned<std::borrow::Cow<'_, str>>) {
        let name = key.get_ref();
        if !(self.vocabulary.has_tool)(name) {
            let message =
                format!("unknown tool `{name}`; `rules help payloads` lists them, and `names` has those of the host");
            self.mistake_at(key.span(), &message);
        }
    }

    /// Checks what is about several keys of a record.
    pub(super) fn check_whole(&mut self, record: &HostRecord, table: &'d DeTable<'d>) {
        if record.title.is_empty() {
            self.mistake_at(0..0, "a record needs a `title`");
        }
        let Some(events) = table.get("events") else {
            if record.not_called.is_none() {
                self.mistake_at(0..0, "a record needs `[events]`, or `not_called` with the reason why it has none");
            }
            return;
        };
        let guarded = || record.events.iter().filter(|row| row.event == GUARDED);
        if guarded().any(|row| row.deny.is_none()) {
            self.mistake(events, "a row of `PreToolUse` has no `deny`, so no call could be denied");
        }
        let forms = record.events.iter().flat_map(answer_forms);
        if record.encoding == HostEncoding::Streams && forms.flatten().any(|form| form != AnswerForm::EMPTY) {
            let message = "with `encoding = \"streams\"`, each answer is `{}`: exit codes and streams are fixed";
            self.mistake(events, message);
        }
    }
}

/// Returns the forms of all answers to an event.
fn answer_forms(row: &HostEvent) -> [Option<AnswerForm>; 10] {
    let HostEvent { deny, ask, allow, halt, context, rewrite, output, warn, exit_2, interrupt, .. } = *row;
    [deny, ask, allow, halt, context, rewrite, output, warn, exit_2, interrupt]
}
