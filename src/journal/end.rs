//! The end of a journal when an event was judged, which a line of the decision log holds: a later reader then sees the
//! past that the event had.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

use super::lines::{BLOCK, check};

/// The end of a journal at some moment. Its text is `4096-1a2b3c4d`: the length in bytes, and a checksum of the last
/// bytes, which shows whether the journal was shortened since.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct JournalEnd {
    length: usize,
    check: u32,
}

impl JournalEnd {
    /// Returns the end of a journal with this text.
    pub(super) fn of(text: &[u8]) -> Self {
        let last = text.get(text.len().saturating_sub(BLOCK)..).unwrap_or(text);
        Self { length: text.len(), check: check(last) }
    }

    /// Returns the text of the journal up to this end; `None` if the journal was shortened since.
    pub(super) fn cut(self, mut text: Vec<u8>) -> Option<Vec<u8>> {
        if text.len() < self.length {
            return None;
        }
        text.truncate(self.length);
        (Self::of(&text) == self).then_some(text)
    }
}

impl fmt::Display for JournalEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:08x}", self.length, self.check)
    }
}

impl Serialize for JournalEnd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl TryFrom<String> for JournalEnd {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let parsed = text.split_once('-').and_then(|(length, check)| {
            Some(Self { length: length.parse().ok()?, check: u32::from_str_radix(check, 16).ok()? })
        });
        parsed.ok_or_else(|| format!("`{text}` is no end of a journal, such as \"4096-1a2b3c4d\""))
    }
}
