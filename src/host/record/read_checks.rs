//! Checks of a host's record that its types do not make: the names of the schema, and what a record needs so that a
//! denial can be sent.

use toml::Spanned;
use toml::de::DeTable;

use super::kinds::{AnswerForm, AnswerSlot, AnswerValue, HostEncoding, HostEvent, HostRecord};
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
        self.check_name(key, "event", self.vocabulary.has_event);
    }

    /// Checks that the key of a table is a tool of the schema.
    pub(super) fn check_tool(&mut self, key: &Spanned<std::borrow::Cow<'_, str>>) {
        self.check_name(key, "tool", self.vocabulary.has_tool);
    }

    fn check_name(&mut self, key: &Spanned<std::borrow::Cow<'_, str>>, noun: &str, is_known: fn(&str) -> bool) {
        let name = key.get_ref();
        if !is_known(name) {
            let message =
                format!("unknown {noun} `{name}`; `rules help payloads` lists them, and `names` has those of the host");
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
        if record.encoding == HostEncoding::Forms {
            let ignores_exit_codes = record.is_deaf_to_exit_codes;
            for row in guarded() {
                self.check_guard(events, row, ignores_exit_codes);
            }
            if is_silent(record.closed, ignores_exit_codes) {
                self.mistake(
                    events,
                    "`closed` sends nothing that the host reads, so a payload that cannot be read would pass",
                );
            }
        }
        let forms = record.events.iter().flat_map(answer_forms);
        if record.encoding == HostEncoding::Streams && forms.flatten().any(|form| form != AnswerForm::EMPTY) {
            let message = "with `encoding = \"streams\"`, each answer is `{}`: exit codes and streams are fixed";
            self.mistake(events, message);
        }
    }
}

impl<'d> RecordReader<'d> {
    /// Checks that the answers to a call do what their names say.
    fn check_guard(&mut self, events: &'d TomlValue<'d>, row: &HostEvent, ignores_exit_codes: bool) {
        for (name, form) in [("deny", row.deny), ("ask", row.ask)] {
            let Some(form) = form else { continue };
            if is_silent(form, ignores_exit_codes) {
                self.mistake(
                    events,
                    &format!("the `{name}` of `PreToolUse` sends nothing that the host reads, so the call would run"),
                );
            } else if row.allow == Some(form) {
                self.mistake(events, &format!("the `{name}` and the `allow` of `PreToolUse` are the same"));
            }
        }
        for (name, form, slot) in
            [("rewrite", row.rewrite, AnswerSlot::Input), ("output", row.output, AnswerSlot::Output)]
        {
            if form.is_some_and(|form| !has_slot(form.json, slot)) {
                self.mistake(events, &format!("the `{name}` of `PreToolUse` has no place for what is new"));
            }
        }
    }
}

/// Whether an answer is the same to the host as none.
fn is_silent(form: AnswerForm, ignores_exit_codes: bool) -> bool {
    form.json.is_empty() && form.stdout.is_none() && (form.exit == 0 || ignores_exit_codes)
}

/// Whether members of an answer have this placeholder, at any depth.
fn has_slot(members: &[(&str, AnswerValue)], slot: AnswerSlot) -> bool {
    members.iter().any(|(_, value)| match value {
        AnswerValue::Slot(found) => *found == slot,
        AnswerValue::Members(inner) => has_slot(inner, slot),
        AnswerValue::Text(_) | AnswerValue::Flag(_) => false,
    })
}

/// Returns the forms of all answers to an event.
fn answer_forms(row: &HostEvent) -> [Option<AnswerForm>; 10] {
    let HostEvent { deny, ask, allow, halt, context, rewrite, output, warn, exit_2, interrupt, .. } = *row;
    [deny, ask, allow, halt, context, rewrite, output, warn, exit_2, interrupt]
}
