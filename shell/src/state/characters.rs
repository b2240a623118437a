//! Keeps track of texts whose characters depend on the locale, so that the result of counting or comparing them is not
//! certain.

use super::ShellState;
use crate::characters;
use crate::escapes::has_locale_escapes;
use crate::stream::ShellValue;
use crate::word::WordPart;

impl ShellState {
    /// Records that a text has an escape such as `\u00e9`, which expands to another text in some locales.
    pub(crate) fn note_escape(&self, text: &str) {
        if has_locale_escapes(text) {
            self.has_escaped_characters.set(true);
        }
    }

    /// Like [`Self::note_escape`], for the arguments of `echo` and `printf`.
    pub(crate) fn note_escapes(&self, values: &[ShellValue]) {
        values
            .iter()
            .flat_map(|value| &value.word.parts)
            .filter_map(WordPart::text)
            .for_each(|text| self.note_escape(text));
    }

    /// Whether a text consists of the same characters in every locale.
    pub(crate) fn is_same_in_locales(&self, text: &str) -> bool {
        text.is_ascii() || !self.has_escaped_characters.get() && !characters::has_lost_bytes(text)
    }
}
