//! Parses the JSON that hosts and agents really send: as much of it as possible, with a description of what was lost.
//!
//! The agent chooses the texts in a payload. If it could write one that the hook fails to parse, the call would proceed
//! unjudged. So a payload that `serde_json` rejects is parsed again by a reader that repairs invalid tokens, in one
//! linear pass and without recursion. Nothing here has side effects or depends on the host.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value as Json};

/// The maximum nesting of containers; a container that is nested deeper becomes null. The limit exists because copying,
/// serializing and dropping a value recurse.
pub const MAX_DEPTH: usize = 200;

/// The maximum length of a text, in bytes, that `serde_json` parses without a limit on memory. The values of such a
/// text cannot take much.
const SMALL: usize = 256 << 10;

/// The memory for the values of a longer text, in bytes. Values for which there is no room are lost.
const MEMORY: usize = 16 << 20;

/// The additional memory that is available once `MEMORY` is used up, but only for texts and numbers of the outermost
/// object: the name of the event may be among them.
const RESERVE: usize = 1 << 20;

/// The approximate memory of an element of a list, in bytes.
const ELEMENT: usize = 150;
/// The approximate memory of a member of an object without its name, in bytes.
const MEMBER: usize = 230;
/// The approximate memory of a nonempty container with its first values, in bytes.
const CONTAINER: usize = 500;
/// The approximate memory of a text without its bytes, in bytes.
const TEXT: usize = 16;

/// A JSON object, as far as it could be read.
#[derive(Clone, PartialEq, Debug)]
pub struct LenientObject {
    /// The members that were read completely; of several with the same name, the last one.
    pub members: Map<String, Json>,
    /// A description of what was lost; `None` if nothing was. The repair of a string, such as of invalid UTF-8, is no
    /// damage.
    pub damage: Option<String>,
}

/// The reason why a text could not be read as an object at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecodeFailure(
    /// The reason as a lowercase phrase: "not a JSON object".
    pub String,
);

impl fmt::Display for DecodeFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DecodeFailure {}

/// Parses a JSON object, in linear time and with limited memory.
///
/// In strings, lone surrogates, invalid UTF-8 and control characters are repaired. A number that is too large for a
/// double becomes null, and a byte order mark is dropped. If the text ends early or stops being JSON, the result has
/// the members before that position, and damage. If the values need too much memory, the member that reaches the limit
/// keeps what fits, and of the members after it only texts and numbers are kept.
///
/// # Errors
/// Fails if the text does not begin with an object.
pub fn parse_json(bytes: &[u8]) -> Result<LenientObject, DecodeFailure> {
    if bytes.len() <= SMALL
        && let Ok(ObjectMembers(members)) = serde_json::from_slice(bytes)
    {
        return Ok(LenientObject { members, damage: None });
    }
    let mut input = bytes;
    while let Some(without_mark) = input.strip_prefix("\u{feff}".as_bytes()) {
        input = without_mark;
    }
    let input = input.trim_ascii_start();
    match input.first() {
        Some(b'{') => {}
        Some(_) => return Err(DecodeFailure("not a JSON object".to_owned())),
        None => return Err(DecodeFailure("no input".to_owned())),
    }
    let mut reader = ValueReader::new(input);
    let read = reader.run();
    let too_deep = reader.too_deep.then(|| format!("values nested deeper than {MAX_DEPTH} levels"));
    let too_much = reader.is_full.then(|| format!("values that take more than {} MiB of memory", MEMORY >> 20));
    let stopped = match read {
        Ok(_) if reader.is_at_end() => None,
        Err(InvalidJson) if reader.left == 0 => None,
        Err(InvalidJson) if reader.is_at_end() => Some("the text ends early".to_owned()),
        _ => Some(format!("not JSON from byte {} on", reader.at)),
    };
    let members = match read {
        Ok(members) => members,
        Err(InvalidJson) => match reader.open.into_iter().next() {
            Some(OpenContainer::Object { members, .. }) => members,
            _ => Map::new(),
        },
    };
    let damage: Vec<String> = [too_deep, too_much, stopped].into_iter().flatten().collect();
    Ok(LenientObject { members, damage: (!damage.is_empty()).then(|| damage.join("; ")) })
}

/// The members of an object, in a map whose capacity suits a payload.
struct ObjectMembers(Map<String, Json>);

/// The initial capacity for members: payloads have 8 to 16, and growing a map is slow.
const MEMBERS: usize = 16;

impl<'de> Deserialize<'de> for ObjectMembers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;

        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = ObjectMembers;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<ObjectMembers, A::Error> {
                let mut members = Map::with_capacity(MEMBERS);
                while let Some((key, value)) = access.next_entry()? {
                    members.insert(key, value);
                }
                Ok(ObjectMembers(members))
            }
        }

        deserializer.deserialize_map(MembersVisitor)
    }
}

/// The error that the text is not JSON from the current position on, or that reading it has to end there.
struct InvalidJson;

/// A container that is not closed yet.
enum OpenContainer {
    /// An object with its complete members, and the name of the member that is being read.
    Object { members: Map<String, Json>, key: String },
    /// A list with its complete elements.
    List(Vec<Json>),
}

impl OpenContainer {
    /// Creates an empty object.
    fn object() -> Self {
        Self::Object { members: Map::new(), key: String::new() }
    }
}

/// The tokens that may come next.
#[derive(Clone, Copy)]
enum NextToken {
    /// The name of a member, after a comma.
    Key,
    /// The name of a member or `}`, after `{`.
    KeyOrEnd,
    /// The colon after the name of a member.
    Colon,
    /// A value, after a colon, or after a comma in a list.
    Value,
    /// A value or `]`, after `[`.
    ValueOrEnd,
    /// A comma or the closing bracket, after a value.
    CommaOrEnd,
}

/// Whether a value is nested deeper than [`MAX_DEPTH`]. Works without recursion.
#[must_use]
pub fn is_too_deep(value: &Json) -> bool {
    let mut open = vec![(value, 0)];
    while let Some((value, above)) = open.pop() {
        let children: Box<dyn Iterator<Item = &Json>> = match value {
            Json::Array(_) | Json::Object(_) if above >= MAX_DEPTH => return true,
            Json::Array(items) => Box::new(items.iter()),
            Json::Object(members) => Box::new(members.values()),
            _ => continue,
        };
        open.extend(children.map(|child| (child, above + 1)));
    }
    false
}

/// A reader that repairs invalid tokens. It keeps the open containers in a list instead of recursing. So deep nesting
/// cannot overflow the call stack, and after an error the complete values are still there.
struct ValueReader<'a> {
    /// The whole text.
    input: &'a [u8],
    /// The position of the next byte.
    at: usize,
    /// The open containers, outermost first.
    open: Vec<OpenContainer>,
    /// Whether a container was nested too deeply, so that it was read as null.
    too_deep: bool,
    /// The remaining memory for values, in bytes.
    left: usize,
    /// Whether a value did not fit into the memory.
    is_full: bool,
}

impl<'a> ValueReader<'a> {
    /// Creates a reader of a text that begins with `{`.
    fn new(input: &'a [u8]) -> Self {
        Self { input, at: 1, open: vec![OpenContainer::object()], too_deep: false, left: MEMORY, is_full: false }
    }

    /// Reads the outermost object, from just after its opening brace to its closing one.
    fn run(&mut self) -> Result<Map<String, Json>, InvalidJson> {
        let mut next = NextToken::KeyOrEnd;
        loop {
            self.skip_white_space();
            next = match (next, self.peek_byte().ok_or(InvalidJson)?) {
                (NextToken::Key | NextToken::KeyOrEnd, b'"') => self.key()?,
                (NextToken::Colon, b':') => {
                    self.at += 1;
                    NextToken::Value
                }
                (NextToken::ValueOrEnd | NextToken::CommaOrEnd, b']')
                | (NextToken::KeyOrEnd | NextToken::CommaOrEnd, b'}') => match self.pop_container()? {
                    OpenContainer::Object { members, .. } if self.open.is_empty() => {
                        self.skip_white_space();
                        return Ok(members);
                    }
                    OpenContainer::Object { members, .. } => self.add(Json::Object(members))?,
                    OpenContainer::List(values) => self.add(Json::Array(values))?,
                },
                (NextToken::Value | NextToken::ValueOrEnd, first) => self.value(first)?,
                (NextToken::CommaOrEnd, b',') => {
                    self.at += 1;
                    if matches!(self.open.last(), Some(OpenContainer::List(_))) {
                        NextToken::Value
                    } else {
                        NextToken::Key
                    }
                }
                _ => return Err(InvalidJson),
            };
        }
    }

    /// Reads the name of a member. If there is no memory for the name, reading ends.
    fn key(&mut self) -> Result<NextToken, InvalidJson> {
        let Some(name) = self.string()? else {
            self.left = 0;
            self.is_full = true;
            return Err(InvalidJson);
        };
        match self.open.last_mut() {
            Some(OpenContainer::Object { key, .. }) => *key = name,
            _ => return Err(InvalidJson),
        }
        Ok(NextToken::Colon)
    }

    /// Reads a value that begins with the byte `first`: a scalar completely, but of a container only the opening
    /// bracket. A container that is nested too deeply, or for which there is no memory, is skipped and read as null.
    fn value(&mut self, first: u8) -> Result<NextToken, InvalidJson> {
        match first {
            b'{' | b'[' if self.open.len() >= MAX_DEPTH => {
                self.too_deep = true;
                self.skip_containers(0)?;
                self.add(Json::Null)
            }
            // Once the memory was used up, containers are skipped.
            b'{' | b'[' if self.is_full => {
                self.skip_containers(0)?;
                self.add(Json::Null)
            }
            b'{' => {
                self.at += 1;
                self.open.push(OpenContainer::object());
                Ok(NextToken::KeyOrEnd)
            }
            b'[' => {
                self.at += 1;
                self.open.push(OpenContainer::List(Vec::new()));
                Ok(NextToken::ValueOrEnd)
            }
            b'"' => match self.string()? {
                Some(text) => self.add(Json::String(text)),
                None => self.skip_rest(),
            },
            _ => {
                let scalar = self.scalar()?;
                self.add(scalar)
            }
        }
    }

    /// Returns the next byte without reading it.
    fn peek_byte(&self) -> Option<u8> {
        self.input.get(self.at).copied()
    }

    /// Whether all bytes have been read.
    fn is_at_end(&self) -> bool {
        self.at >= self.input.len()
    }

    fn skip_white_space(&mut self) {
        while matches!(self.peek_byte(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    /// Adds a value to the innermost container, and charges its memory. If the memory is used up, skips the rest of the
    /// current member of the outermost object.
    fn add(&mut self, value: Json) -> Result<NextToken, InvalidJson> {
        let needed = match self.open.last() {
            Some(OpenContainer::Object { members, .. }) => next_value_memory(members.len(), MEMBER),
            Some(OpenContainer::List(values)) => next_value_memory(values.len(), ELEMENT),
            None => 0,
        };
        let fits = self.charge_memory(needed);
        self.add_value(value);
        if fits { Ok(NextToken::CommaOrEnd) } else { self.skip_rest() }
    }

    /// Adds a value to the innermost container; to an object, under the current name.
    fn add_value(&mut self, value: Json) {
        match self.open.last_mut() {
            Some(OpenContainer::Object { members, key }) => {
                members.insert(std::mem::take(key), value);
            }
            Some(OpenContainer::List(values)) => values.push(value),
            None => {}
        }
    }

    /// Takes memory from the rest. Returns `false` and takes nothing if the rest is not enough.
    fn charge_memory(&mut self, bytes: usize) -> bool {
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }

    /// Called when a value does not fit: skips the rest of the current member of the outermost object, closes the
    /// containers in it, and makes [`RESERVE`] available. The second time, reading ends.
    fn skip_rest(&mut self) -> Result<NextToken, InvalidJson> {
        if self.is_full {
            self.left = 0;
            return Err(InvalidJson);
        }
        self.is_full = true;
        self.left = RESERVE;
        let inner = self.open.len().saturating_sub(1);
        self.skip_containers(inner)?;
        while self.open.len() > 1 {
            match self.open.pop() {
                Some(OpenContainer::Object { members, .. }) => self.add_value(Json::Object(members)),
                Some(OpenContainer::List(values)) => self.add_value(Json::Array(values)),
                None => {}
            }
        }
        Ok(NextToken::CommaOrEnd)
    }

    /// Closes the innermost container and returns it. Fails if the next byte is not its closing bracket.
    fn pop_container(&mut self) -> Result<OpenContainer, InvalidJson> {
        match (self.peek_byte(), self.open.last()) {
            (Some(b'}'), Some(OpenContainer::Object { .. })) | (Some(b']'), Some(OpenContainer::List(_))) => {}
            _ => return Err(InvalidJson),
        }
        self.at += 1;
        self.open.pop().ok_or(InvalidJson)
    }

    /// Reads `true`, `false`, `null` or a number. A number that is too large for a double becomes null.
    fn scalar(&mut self) -> Result<Json, InvalidJson> {
        let rest = self.input.get(self.at..).unwrap_or_default();
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte)).count();
        let token = rest.get(..length).unwrap_or_default();
        let value = match serde_json::from_slice(token) {
            Ok(value) => value,
            Err(_) if is_out_of_range(token) => Json::Null,
            Err(_) => return Err(InvalidJson),
        };
        self.at += length;
        Ok(value)
    }

    /// Reads a string from its opening to its closing quote. If there is no memory for the string, it is skipped, and
    /// the result is `None`.
    fn string(&mut self) -> Result<Option<String>, InvalidJson> {
        let mut at = self.at + 1;
        let mut bytes = Vec::new();
        loop {
            let rest = self.input.get(at..).unwrap_or_default();
            let length = rest.iter().position(|byte| matches!(byte, b'"' | b'\\')).unwrap_or(rest.len());
            if bytes.len().saturating_add(length).saturating_add(TEXT) > self.left {
                self.at = at;
                self.skip_string();
                return if self.is_at_end() { Err(InvalidJson) } else { Ok(None) };
            }
            bytes.extend_from_slice(rest.get(..length).unwrap_or_default());
            at += length;
            match self.input.get(at) {
                Some(b'"') => break,
                Some(_) => at += self.escape(at + 1, &mut bytes) + 1,
                None => {
                    self.at = self.input.len();
                    return Err(InvalidJson);
                }
            }
        }
        self.at = at + 1;
        if !self.charge_memory(bytes.len() + TEXT) {
            return Ok(None);
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            // Each byte that is not UTF-8 becomes U+FFFD, which takes two more bytes.
            Err(error) if self.charge_memory(2 * error.as_bytes().len()) => {
                Ok(Some(String::from_utf8_lossy(error.as_bytes()).into_owned()))
            }
            Err(_) => Ok(None),
        }
    }

    /// Skips the rest of a string, including its closing quote.
    fn skip_string(&mut self) {
        while let Some(byte) = self.peek_byte() {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'"' => return,
                _ => {}
            }
        }
    }

    /// Decodes an escape and appends it to `bytes`; `at` is the position after the backslash. Returns how many bytes
    /// the escape has after the backslash. The backslash of an invalid escape is literal text.
    fn escape(&self, at: usize, bytes: &mut Vec<u8>) -> usize {
        let plain = match self.input.get(at) {
            Some(byte @ (b'"' | b'\\' | b'/')) => *byte,
            Some(b'b') => 0x08,
            Some(b'f') => 0x0c,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => {
                if let Some((character, length)) = self.code_point(at) {
                    bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                    return length;
                }
                bytes.push(b'\\');
                return 0;
            }
            _ => {
                bytes.push(b'\\');
                return 0;
            }
        };
        bytes.push(plain);
        1
    }

    /// Decodes `uXXXX`, or a pair of surrogates of that form. Returns the character and the number of bytes read;
    /// `None` if there are not four digits. A lone surrogate becomes U+FFFD.
    fn code_point(&self, at: usize) -> Option<(char, usize)> {
        let unit = self.code_unit(at + 1)?;
        if (0xd800..0xdc00).contains(&unit)
            && self.input.get(at + 5..at + 7) == Some(b"\\u")
            && let Some(low @ 0xdc00..0xe000) = self.code_unit(at + 7)
        {
            let code = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
            return Some((char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 11));
        }
        Some((char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER), 5))
    }

    /// Parses four hexadecimal digits; `None` if there are fewer.
    fn code_unit(&self, at: usize) -> Option<u32> {
        let digits = self.input.get(at..at + 4)?;
        digits.iter().try_fold(0, |unit, digit| Some(unit * 16 + char::from(*digit).to_digit(16)?))
    }

    /// Skips to the end of the `depth` innermost containers, without parsing. For 0, skips the container that begins
    /// here.
    fn skip_containers(&mut self, mut depth: usize) -> Result<(), InvalidJson> {
        if depth == 0 && !matches!(self.peek_byte(), Some(b'{' | b'[')) {
            return Ok(());
        }
        while let Some(byte) = self.peek_byte() {
            self.at += 1;
            match byte {
                b'"' => self.skip_string(),
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return Ok(());
            }
        }
        Err(InvalidJson)
    }
}

/// Returns how much memory one more value takes in a container with `count` values. The first one allocates room for
/// four, so the next three take nothing.
fn next_value_memory(count: usize, each: usize) -> usize {
    match count {
        0 => CONTAINER,
        1..4 => 0,
        _ => each,
    }
}

/// Whether a token is a number that is too large for a double: `1e999`.
fn is_out_of_range(token: &[u8]) -> bool {
    token.iter().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte))
        && std::str::from_utf8(token).ok().and_then(|token| token.parse::<f64>().ok()).is_some_and(f64::is_infinite)
}

#[cfg(test)]
mod tests;
