//! The parts that a path must contain for a glob to match it.

use std::borrow::Cow;

use crate::path::Required;

use super::{Entry, Segment};

impl<'t> Entry<'t> {
    /// Returns the parts that every matching path has, in lower case; looking for one of them is enough. Only ASCII
    /// parts are returned, because names that fold alike must have the same parts.
    pub(in crate::path::globs) fn required(&self) -> Vec<Required<'t>> {
        let mut required = Vec::new();
        for (at, segment) in self.segments.iter().enumerate() {
            let Segment::One(wild) = segment else { continue };
            let wild = self.wilds.get(*wild);
            if let Some(name) = wild.literal() {
                required.push(Required::Name(lower(name)));
                continue;
            }
            let is_last = at + 1 == self.segments.len();
            let extension = wild.last_text().and_then(|text| Some(text.rsplit_once('.')?.1));
            if let Some(extension) = extension.filter(|extension| is_last && !extension.is_empty()) {
                required.push(Required::Extension(lower(extension)));
            }
            required.extend(wild.longest_text().map(|text| Required::Part(lower(text))));
        }
        let text = |required: &Required<'_>| match required {
            Required::Whole(text) | Required::Part(text) | Required::Name(text) | Required::Extension(text) => {
                text.is_ascii() && !text.is_empty()
            }
        };
        required.retain(text);
        required
    }
}

/// Returns a text in ASCII lower case: most are already.
fn lower(text: &str) -> Cow<'_, str> {
    match text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => Cow::Owned(text.to_ascii_lowercase()),
        false => Cow::Borrowed(text),
    }
}
