//! The parts that a path must contain for a glob to match it.

use std::borrow::Cow;

use crate::path::RequiredPart;

use super::{GlobEntry, GlobSegment};

impl<'t> GlobEntry<'t> {
    /// Returns parts, in lower case, that a path must contain for the glob to match it. An index may look for any one
    /// of them. All are ASCII: two names that are equal without case can differ in their other characters.
    pub(in crate::path::globs) fn required_parts(&self) -> Vec<RequiredPart<'t>> {
        let mut required = Vec::new();
        for (at, segment) in self.segments.iter().enumerate() {
            let GlobSegment::One(wild) = segment else { continue };
            let wild = self.wilds.get(*wild);
            if let Some(name) = wild.literal() {
                required.push(RequiredPart::Name(ascii_lowercase(name)));
                continue;
            }
            let is_last = at + 1 == self.segments.len();
            let extension = wild.last_text().and_then(|text| Some(text.rsplit_once('.')?.1));
            if let Some(extension) = extension.filter(|extension| is_last && !extension.is_empty()) {
                required.push(RequiredPart::Extension(ascii_lowercase(extension)));
            }
            required.extend(wild.longest_text().map(|text| RequiredPart::Substring(ascii_lowercase(text))));
        }
        let is_usable = |required: &RequiredPart<'_>| match required {
            RequiredPart::ExactText(text)
            | RequiredPart::Substring(text)
            | RequiredPart::Name(text)
            | RequiredPart::Extension(text) => text.is_ascii() && !text.is_empty(),
        };
        required.retain(is_usable);
        required
    }
}

/// Returns a text in ASCII lower case, without a copy if it already is.
fn ascii_lowercase(text: &str) -> Cow<'_, str> {
    match text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => Cow::Owned(text.to_ascii_lowercase()),
        false => Cow::Borrowed(text),
    }
}
