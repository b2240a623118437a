//! The inputs of both versions: one JSON object a line, either a policy to judge by or a case.
//!
//! | kind | members | what is dumped |
//! |---|---|---|
//! | `policy` | `name`, `text` or `paths` | nothing: cases of the kind `judge` refer to it |
//! | `check` | `file`, `text`, or `paths` | the findings about a policy, and its text after all fixes |
//! | `import` | `file`, `text` | the policy that a configuration of conclaude is converted to |
//! | `judge` | `policy`, `host`, `payload`, `facts` | the judgement of an event, without effects |
//! | `answer` | `project`, `host`, `payload` | the bytes that a hook answers in a project on disk |
//! | `shell` | `reader`, `text` | the analysis of a shell text |
//!
//! Each has a unique `case`, which says where it is from. A payload that is not UTF-8 is in `payload_hex`. Paths are
//! relative to the working directory of both versions, the root of the present tree.

use serde_json::{Map, Value as Json, json};

/// A line of the inputs.
#[derive(Clone, Debug)]
pub struct Case(pub Map<String, Json>);

impl Case {
    pub fn new(kind: &str, name: &str, members: Json) -> Self {
        let mut all = Map::new();
        all.insert("case".to_owned(), json!(name));
        all.insert("kind".to_owned(), json!(kind));
        if let Json::Object(members) = members {
            all.extend(members);
        }
        Self(all)
    }

    /// Reads a line.
    pub fn read(line: &str) -> Result<Self, String> {
        match serde_json::from_str(line) {
            Ok(Json::Object(members)) => Ok(Self(members)),
            Ok(_) => Err(format!("no object: {line}")),
            Err(error) => Err(format!("{error}: {line}")),
        }
    }

    pub fn text(&self, name: &str) -> &str {
        self.0.get(name).and_then(Json::as_str).unwrap_or_default()
    }

    pub fn texts(&self, name: &str) -> Vec<&str> {
        self.0.get(name).and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str).collect()
    }

    pub fn is(&self, kind: &str) -> bool {
        self.text("kind") == kind
    }

    pub fn name(&self) -> &str {
        self.text("case")
    }

    /// Returns the bytes of its payload.
    pub fn payload(&self) -> Vec<u8> {
        match self.0.get("payload_hex").and_then(Json::as_str) {
            Some(hex) => bytes_of_hex(hex),
            None => self.text("payload").as_bytes().to_vec(),
        }
    }

    /// Sets the payload.
    pub fn with_payload(mut self, payload: &[u8]) -> Self {
        match std::str::from_utf8(payload) {
            Ok(text) => self.0.insert("payload".to_owned(), json!(text)),
            Err(_) => self.0.insert("payload_hex".to_owned(), json!(hex(payload))),
        };
        self
    }

    pub fn line(&self) -> String {
        Json::Object(self.0.clone()).to_string()
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes_of_hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> =
        text.chars().filter_map(|c| c.to_digit(16)).filter_map(|digit| digit.try_into().ok()).collect();
    digits.chunks_exact(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payload_is_the_same_bytes_on_both_sides() {
        for payload in [b"{}".as_slice(), b"\xff\x00a", b""] {
            let line = Case::new("judge", "x", json!({})).with_payload(payload).line();
            assert_eq!(Case::read(&line).unwrap().payload(), payload);
        }
    }
}
