//! Reads one line of a transcript: the call of a subagent in the line, if there is one.
//!
//! The members of a call are extracted while the line is parsed, and all others are skipped. A prompt may contain
//! text that is not valid (a lone surrogate), and a line can have megabytes.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::schema::{AGENT, current_tool_name};

/// The name of the member that every call of a subagent has. A line without this text has no call, since JSON writers
/// do not escape these letters.
const SUBAGENT_TYPE: &str = "subagent_type";

/// The maximum length of the name of a subagent type, in bytes. Commands of a policy get the name in their
/// environment, whose size is limited.
const MAX_NAME_BYTES: usize = 1_024;

/// Returns the subagent type that the last call in a line requests; `None` for a line without such a call.
///
/// # Errors
/// The error says what is wrong with the line, as the end of a sentence: "is not JSON".
pub(super) fn last_call_in_line(line: &[u8]) -> Result<Option<String>, &'static str> {
    const NOT_JSON: &str = "is not JSON";
    let text = std::str::from_utf8(line.trim_ascii()).map_err(|_| NOT_JSON)?;
    if text.is_empty() {
        return Ok(None);
    }
    if !text.contains(SUBAGENT_TYPE) {
        return serde_json::from_str::<IgnoredAny>(text).map(|_| None).map_err(|_| NOT_JSON);
    }
    let mut json = serde_json::Deserializer::from_str(text);
    let found = TranscriptPosition::Line.deserialize(&mut json).and_then(|found| json.end().map(|()| found));
    match found.map_err(|_| NOT_JSON)?.called {
        Some(name) if name.len() > MAX_NAME_BYTES => Err("asks for a subagent with too long a name"),
        called => Ok(called),
    }
}

/// A position in the JSON of a line at which a call, or a part of one, may be.
#[derive(Clone, Copy)]
enum TranscriptPosition {
    /// The whole line: a message, with or without an envelope, or one block of a message.
    Line,
    /// The member `message` of the line.
    Message,
    /// The member `content` of the line or of a message.
    Content,
    /// An element of `content`.
    Block,
    /// The member `input` of a block.
    Input,
    /// A member whose text is needed: `type`, `name` or `subagent_type`.
    Word,
}

/// What was found in the JSON at a position.
#[derive(Default)]
struct FoundCall {
    /// The text at the position; for an `input`, the subagent type that it requests.
    word: Option<String>,
    /// The subagent type that the last call at the position requests.
    called: Option<String>,
}

impl<'de> DeserializeSeed<'de> for TranscriptPosition {
    type Value = FoundCall;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<FoundCall, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for TranscriptPosition {
    type Value = FoundCall;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<FoundCall, E> {
        Ok(FoundCall::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<FoundCall, E> {
        Ok(FoundCall::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<FoundCall, E> {
        Ok(FoundCall::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<FoundCall, E> {
        Ok(FoundCall::default())
    }

    fn visit_unit<E>(self) -> Result<FoundCall, E> {
        Ok(FoundCall::default())
    }

    fn visit_str<E>(self, text: &str) -> Result<FoundCall, E> {
        let word = matches!(self, Self::Word).then(|| text.to_owned());
        Ok(FoundCall { word, called: None })
    }

    /// Reads a list: the last call in its elements if it is a `content`, else nothing.
    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<FoundCall, A::Error> {
        let mut last = FoundCall::default();
        if !matches!(self, Self::Content) {
            while elements.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(last);
        }
        while let Some(block) = elements.next_element_seed(Self::Block)? {
            if block.called.is_some() {
                last.called = block.called;
            }
        }
        Ok(last)
    }

    /// Reads an object: the call that the object is, or else the last call in it.
    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<FoundCall, A::Error> {
        let (mut kind, mut name, mut input) = (FoundCall::default(), FoundCall::default(), FoundCall::default());
        let mut found = FoundCall::default();
        while let Some(key) = members.next_key::<String>()? {
            match (self, key.as_str()) {
                (Self::Line | Self::Block, "type") => kind = members.next_value_seed(Self::Word)?,
                (Self::Line | Self::Block, "name") => name = members.next_value_seed(Self::Word)?,
                (Self::Line | Self::Block, "input") => input = members.next_value_seed(Self::Input)?,
                (Self::Input, SUBAGENT_TYPE) => found.word = members.next_value_seed(Self::Word)?.word,
                (Self::Line, "message") => found.called = members.next_value_seed(Self::Message)?.called,
                (Self::Line | Self::Message, "content") => {
                    found.called = members.next_value_seed(Self::Content)?.called;
                }
                _ => drop(members.next_value::<IgnoredAny>()?),
            }
        }
        let is_call = kind.word.is_some_and(|kind| kind == "tool_use")
            && name.word.is_some_and(|name| current_tool_name(name.as_str()) == AGENT);
        if is_call {
            found.called = input.word.filter(|name| !name.trim().is_empty());
        }
        Ok(found)
    }
}
