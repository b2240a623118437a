//! The parts that a path must contain for a glob to match it.

use std::borrow::Cow;

use crate::path::RequiredPart;

use super::{GlobEntry, GlobSegment};

impl<'t> GlobEntry<'t> {
    /// Returns the parts that every matching path has, in lower case; looking for one of them is enough. Only ASCII
    /// parts are returned, because names that fold alike must have the same parts.
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
        let text = |required: &RequiredPart<'_>| match required {
            RequiredPart::ExactText(text)
            | RequiredPart::Substring(text)
            | RequiredPart::Name(text)
            | RequiredPart::Extension(text) => text.is_ascii() && !text.is_empty(),
        };
        required.retain(text);
        required
    }
}

/// Returns a text in ASCII lower case: most are already.
fn ascii_lowercase(text: &str) -> Cow<'_, str> {
    match text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => Cow::Owned(text.to_ascii_lowercase()),
        false => Cow::Borrowed(text),
    }
}
