//! Texts whose characters an operation counts or compares.

use super::State;
use crate::characters;
use crate::escapes::are_of_locale;
use crate::stream::Value;
use crate::word::Part;

impl State {
    /// Notes an escape for a character that not every locale has. In other locales, it expands to another text.
    pub(crate) fn note_escape(&self, text: &str) {
        if are_of_locale(text) {
            self.has_escaped_characters.set(true);
        }
    }

    /// Notes such escapes in the arguments of `echo` and `printf`.
    pub(crate) fn note_escapes(&self, values: &[Value]) {
        values
            .iter()
            .flat_map(|value| &value.word.parts)
            .filter_map(Part::text)
            .for_each(|text| self.note_escape(text));
    }

    /// Whether a text is the same one, character by character, in every locale.
    pub(crate) fn is_of_every_locale(&self, text: &str) -> bool {
        text.is_ascii() || !self.has_escaped_characters.get() && !characters::has_lost_bytes(text)
    }
}
