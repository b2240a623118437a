//! One line of a transcript: the call of a subagent in it, if there is one.
//!
//! The members of a call are extracted while the line is parsed, and all others are skipped: a prompt may contain
//! something that is not valid text (a lone surrogate), and a line can be megabytes long.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::schema::{AGENT, current_tool_name};

/// The member that every relevant call has. JSON writers do not escape its letters.
const ASKED: &str = "subagent_type";

/// The maximum length of a type's name, in bytes; commands receive it in their environment, which is bounded.
const LONGEST_NAME: usize = 1_024;

/// Returns the type that the last call in a line requests; `None` for a line of any other kind, or without text.
///
/// # Errors
/// The problem with the line, as the end of a sentence.
pub(super) fn last_call_in_line(line: &[u8]) -> Result<Option<String>, &'static str> {
    const NOT_JSON: &str = "is not JSON";
    let text = std::str::from_utf8(line.trim_ascii()).map_err(|_| NOT_JSON)?;
    if text.is_empty() {
        return Ok(None);
    }
    if !text.contains(ASKED) {
        return serde_json::from_str::<IgnoredAny>(text).map(|_| None).map_err(|_| NOT_JSON);
    }
    let mut json = serde_json::Deserializer::from_str(text);
    let found = TranscriptPosition::Line.deserialize(&mut json).and_then(|found| json.end().map(|()| found));
    match found.map_err(|_| NOT_JSON)?.called {
        Some(name) if name.len() > LONGEST_NAME => Err("asks for a subagent with too long a name"),
        called => Ok(called),
    }
}

/// A position in a line where a call, or a part of one, may be.
#[derive(Clone, Copy)]
enum TranscriptPosition {
    /// The whole line: a message, in its envelope or bare, or a block of one.
    Line,
    /// `message`
    Message,
    /// `content`
    Content,
    /// An element of `content`.
    Block,
    /// The `input` of a block.
    Input,
    /// A member whose text matters.
    Word,
}

/// The result for a position.
#[derive(Default)]
struct FoundCall {
    /// Its text; for an `input`, the type that it requests.
    word: Option<String>,
    /// The type that the last call in it requests.
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

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<FoundCall, A::Error> {
        let (mut kind, mut name, mut input) = (FoundCall::default(), FoundCall::default(), FoundCall::default());
        let mut found = FoundCall::default();
        while let Some(key) = members.next_key::<String>()? {
            match (self, key.as_str()) {
                (Self::Line | Self::Block, "type") => kind = members.next_value_seed(Self::Word)?,
                (Self::Line | Self::Block, "name") => name = members.next_value_seed(Self::Word)?,
                (Self::Line | Self::Block, "input") => input = members.next_value_seed(Self::Input)?,
                (Self::Input, ASKED) => found.word = members.next_value_seed(Self::Word)?.word,
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
