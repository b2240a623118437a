//! What a path must hold for a glob to match it.

use crate::path::Required;

use super::{Entry, Segment};

impl Entry<'_> {
    /// Returns what every path has that matches, in lower case: one of it is enough to look for. Only what is ASCII is
    /// told, so that names that fold alike are told alike.
    pub(in crate::path::globs) fn required(&self) -> Vec<Required> {
        let mut required = Vec::new();
        for (at, segment) in self.segments.iter().enumerate() {
            let Segment::One(wild) = segment else { continue };
            let wild = self.wilds.get(*wild);
            if let Some(name) = wild.literal() {
                required.push(Required::Name(name.to_ascii_lowercase()));
                continue;
            }
            let is_last = at + 1 == self.segments.len();
            let extension = wild.last_text().and_then(|text| Some(text.rsplit_once('.')?.1));
            if let Some(extension) = extension.filter(|extension| is_last && !extension.is_empty()) {
                required.push(Required::Extension(extension.to_ascii_lowercase()));
            }
            required.extend(wild.longest_text().map(|text| Required::Part(text.to_ascii_lowercase())));
        }
        let text = |required: &Required| match required {
            Required::Whole(text) | Required::Part(text) | Required::Name(text) | Required::Extension(text) => {
                text.is_ascii() && !text.is_empty()
            }
        };
        required.retain(text);
        required
    }
}
