//! Reads JSON as hosts write it: one line without a control character, most of it the texts of long values.
//!
//! It reads what it is sure of, as serde_json does and in a third of the instructions, and leaves everything else to that.

use serde_json::{Map, Value as Json};

/// How many containers may lie in one another here; serde_json takes more.
const DEPTH: usize = 64;

/// The most digits of a number that is read here: every one of so many fits.
const DIGITS: usize = 18;

/// A word of quotes, and one of backslashes.
const QUOTES: u64 = u64::from_ne_bytes([b'"'; 8]);
const BACKSLASHES: u64 = u64::from_ne_bytes([b'\\'; 8]);

/// Returns the members of an object; nothing where the text is not of this kind, whatever it is.
pub(super) fn read(bytes: &[u8], room: usize) -> Option<Map<String, Json>> {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    let first = bytes.iter().position(|byte| !is_space(byte))?;
    let last = bytes.iter().rposition(|byte| !is_space(byte))?;
    let bytes = bytes.get(first..=last)?;
    // Of all bytes, without a branch: that compares many at once.
    let controls = bytes.iter().fold(false, |any, byte| any | (*byte < b' '));
    if controls {
        return None;
    }
    let mut reader = Compact { bytes, at: 0 };
    let members = reader.take(b'{').then(|| reader.members(Map::with_capacity(room), DEPTH)).flatten()?;
    (reader.at == bytes.len()).then_some(members)
}

/// A text, read up to a place.
struct Compact<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl Compact<'_> {
    fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Returns the next byte that is no space, and stays in front of it.
    fn next(&mut self) -> Option<u8> {
        loop {
            match self.rest().first()? {
                b' ' => self.at += 1,
                byte => return Some(*byte),
            }
        }
    }

    /// Goes past a byte, if it comes next.
    fn take(&mut self, byte: u8) -> bool {
        let is_next = self.next() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// Reads a value; so many containers may lie in one another.
    fn value(&mut self, depth: usize) -> Option<Json> {
        let depth = depth.checked_sub(1)?;
        match self.next()? {
            b'"' => {
                self.at += 1;
                self.string().map(Json::String)
            }
            b'{' => {
                self.at += 1;
                self.members(Map::new(), depth).map(Json::Object)
            }
            b'[' => {
                self.at += 1;
                self.items(depth).map(Json::Array)
            }
            b't' => self.word("true", Json::Bool(true)),
            b'f' => self.word("false", Json::Bool(false)),
            b'n' => self.word("null", Json::Null),
            _ => self.number(),
        }
    }

    fn word(&mut self, word: &str, value: Json) -> Option<Json> {
        let is_next = self.rest().starts_with(word.as_bytes());
        self.at += word.len();
        is_next.then_some(value)
    }

    /// Reads the members of an object, behind its brace.
    fn members(&mut self, mut members: Map<String, Json>, depth: usize) -> Option<Map<String, Json>> {
        if self.take(b'}') {
            return Some(members);
        }
        loop {
            let name = self.take(b'"').then(|| self.string()).flatten()?;
            let value = self.take(b':').then(|| self.value(depth)).flatten()?;
            members.insert(name, value);
            if !self.take(b',') {
                return self.take(b'}').then_some(members);
            }
        }
    }

    /// Reads the elements of a list, behind its bracket.
    fn items(&mut self, depth: usize) -> Option<Vec<Json>> {
        let mut items = Vec::new();
        if self.take(b']') {
            return Some(items);
        }
        loop {
            items.push(self.value(depth)?);
            if !self.take(b',') {
                return self.take(b']').then_some(items);
            }
        }
    }

    fn number(&mut self) -> Option<Json> {
        let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let length = self.rest().iter().position(|byte| !is_part(byte))?;
        let text = std::str::from_utf8(self.rest().get(..length)?).ok()?;
        let is_plain = length <= DIGITS && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = match text.parse::<u64>() {
            Ok(number) if is_plain && (length == 1 || !text.starts_with('0')) => Some(number.into()),
            _ => serde_json::from_str(text).ok(),
        };
        self.at += length;
        number
    }

    /// Reads a text, behind its quote.
    fn string(&mut self) -> Option<String> {
        let length = stop(self.rest())?;
        let mut text = self.rest().get(..length)?.to_vec();
        self.at += length;
        while !self.take_quote() {
            self.at += 1;
            self.escaped(&mut text)?;
            self.run(&mut text)?;
        }
        String::from_utf8(text).ok()
    }

    /// Goes past a quote, if it comes next.
    fn take_quote(&mut self) -> bool {
        let is_next = self.rest().first() == Some(&b'"');
        self.at += usize::from(is_next);
        is_next
    }

    /// Copies what stands in front of the next quote or backslash. It is short in texts with many lines: eight bytes are
    /// copied before it is known that all of them count.
    fn run(&mut self, text: &mut Vec<u8>) -> Option<()> {
        let (words, rest) = self.bytes.get(self.at..)?.as_chunks::<8>();
        for word in words {
            text.extend_from_slice(word);
            if let Some(at) = stop_in(*word) {
                text.truncate(text.len() - 8 + at);
                self.at += at;
                return Some(());
            }
            self.at += 8;
        }
        let at = rest.iter().position(is_stop)?;
        text.extend_from_slice(rest.get(..at)?);
        self.at += at;
        Some(())
    }

    /// Reads what stands behind a backslash. Half a pair of surrogates is for others to read.
    fn escaped(&mut self, text: &mut Vec<u8>) -> Option<()> {
        let kind = *self.rest().first()?;
        self.at += 1;
        text.push(match kind {
            b'n' => b'\n',
            b'"' | b'\\' | b'/' => kind,
            b't' => b'\t',
            b'r' => b'\r',
            b'b' => 8,
            b'f' => 12,
            b'u' => {
                let digits = self.rest().first_chunk::<4>()?;
                let number =
                    digits.iter().try_fold(0, |number, digit| Some(number * 16 + char::from(*digit).to_digit(16)?));
                self.at += 4;
                let char = char::from_u32(number?)?;
                text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
                return Some(());
            }
            _ => return None,
        });
        Some(())
    }
}

fn is_stop(byte: &u8) -> bool {
    matches!(byte, b'"' | b'\\')
}

/// Returns where the first quote or backslash is.
fn stop(bytes: &[u8]) -> Option<usize> {
    let (words, rest) = bytes.as_chunks::<8>();
    let in_words = || words.iter().enumerate().find_map(|(number, word)| Some(8 * number + stop_in(*word)?));
    in_words().or_else(|| rest.iter().position(is_stop).map(|at| bytes.len() - rest.len() + at))
}

/// As [`stop`], of eight bytes at once.
fn stop_in(word: [u8; 8]) -> Option<usize> {
    let word = u64::from_le_bytes(word);
    let found = zeros(word ^ QUOTES) | zeros(word ^ BACKSLASHES);
    if found == 0 { None } else { usize::try_from(found.trailing_zeros() / 8).ok() }
}

/// Marks the lowest byte that is zero, and perhaps some above it.
const fn zeros(word: u64) -> u64 {
    word.wrapping_sub(0x0101_0101_0101_0101) & !word & 0x8080_8080_8080_8080
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn by_serde(text: &[u8]) -> Option<Map<String, Json>> {
        serde_json::from_slice(text).ok()
    }

    /// Compares with serde_json, and tells whether it was read here.
    #[track_caller]
    fn check(text: &str) -> bool {
        let own = read(text.as_bytes(), 4);
        if let Some(own) = &own {
            let expected = by_serde(text.as_bytes());
            assert_eq!(Some(own), expected.as_ref(), "{text}");
            let names = |members: &Map<String, Json>| members.keys().cloned().collect::<Vec<_>>();
            assert_eq!(names(own), names(&expected.unwrap_or_default()), "{text}");
        }
        own.is_some()
    }

    #[test]
    fn what_a_host_writes_is_read_here() {
        for text in [
            "{}",
            " { } \n",
            r#"{"a":1,"b":[true,false,null,-1,1.5e3,0,123456789012345678901234567890],"c":{"d":{}},"e":[]}"#,
            r#"{"a": "x", "b" : [ 1 , "2" ] }"#,
            r#"{"command":"echo \"a\\b\" \/ \t\r\n\b\f \u00e9 \u0000 \u20AC ü €","a":"","":0,"long":"0123456789abcdef"}"#,
            r#"{"a":1,"b":2,"a":3}"#,
            r#"{"a":-0,"b":18446744073709551615,"c":18446744073709551616,"d":0.0,"e":1E5,"f":999999999999999999}"#,
        ] {
            assert!(check(text), "{text}");
        }
    }

    #[test]
    fn what_is_odd_is_left_to_others() {
        for text in [
            "",
            "[]",
            "{",
            "}",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{,}",
            "{\"a\":[1,]}",
            "{\"a\":01}",
            "{\"a\":+1}",
            "{\"a\":1}}",
            "{\"a\":1} x",
            "{\"a\":tru}",
            "{\"a\":truex}",
            "{\"a\":\"\\x\"}",
            "{\"a\":\"\\u12\"}",
            "{\"a\":\"\\u+123\"}",
            "{\"a\":\"\\ud83d\\ude00\"}",
            "{\"a\":\"\\ud83d\"}",
            "{\"a\":\"b\tc\"}",
            "{\n\"a\":1}",
            "{\"a\":\"b",
            "{\"a\":\"b\\",
            "\u{feff}{}",
            "{\"a\":1\u{c}}",
            "{'a':1}",
            "{\"a\":nul",
            "{\"a\":1",
        ] {
            assert!(!check(text), "{text:?}");
        }
        assert!(read(b"{\"a\":\"\xff\"}", 4).is_none());
        let nested = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
        assert!(check(&nested(DEPTH)) && !check(&nested(DEPTH + 1)));
    }

    #[test]
    fn a_stop_is_found_wherever_it_is() {
        for length in 0..40 {
            for at in 0..length {
                for found in [b'"', b'\\'] {
                    let mut bytes = vec![b'x'; length];
                    bytes[at..].fill(0x23);
                    bytes[at] = found;
                    assert_eq!(stop(&bytes), Some(at));
                }
            }
            assert_eq!(stop(&vec![0x21; length]), None);
            assert_eq!(stop(&vec![0x5d; length]), None);
        }
    }

    fn value() -> impl Strategy<Value = Json> {
        let leaf = prop_oneof![
            Just(Json::Null),
            any::<bool>().prop_map(Json::from),
            any::<i64>().prop_map(Json::from),
            any::<f64>().prop_map(Json::from),
            "\\PC*".prop_map(Json::from),
            "[a-z\"\\\\\n\t\u{1f}é€😀]{0,30}".prop_map(Json::from),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Json::from),
                prop::collection::vec(("[a-c\"\n]{0,3}", inner), 0..6)
                    .prop_map(|all| Json::Object(all.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn it_reads_as_serde_json_does(value in value()) {
            let text = json!({"a": value}).to_string();
            let has_pair = text.contains("\\ud");
            prop_assert!(check(&text) || has_pair, "{}", text);
        }

        #[test]
        fn what_is_damaged_is_read_as_serde_json_does(value in value(), at in any::<prop::sample::Index>(), by in "[{}\\[\\]\",:\\\\u0-9eE.+ \n-]") {
            let text = json!({"a": value, "b": 1}).to_string();
            let places: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
            let place = *at.get(&places);
            let (before, behind) = text.split_at(place);
            check(&format!("{before}{by}{behind}"));
            check(before);
            let mut rest = behind.chars();
            rest.next();
            check(&format!("{before}{}", rest.as_str()));
            check(&format!("{before}{by}{}", rest.as_str()));
        }
    }
}
