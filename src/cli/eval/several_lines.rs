//! Recognises a JSON value on several lines in JSON Lines.

use serde::de::IgnoredAny;

/// A JSON value that is no payload on one line: it spans several lines, or is a list.
pub(super) struct SeveralLines {
    /// Its length in bytes.
    pub(super) length: usize,
    is_list: bool,
}

impl SeveralLines {
    /// Returns the message for the line on which it begins.
    pub(super) fn problem(&self) -> String {
        match self.is_list {
            true => "a list of payloads: `jq -c '.[]'` writes each on a line of its own",
            false => "a payload on several lines, and each has to be on one: `jq -c .` writes it so",
        }
        .to_owned()
    }
}

/// Returns the value that begins with this line and ends on a later one; `None` if the line is a whole value, or is
/// damaged. A list is never a payload, so it is returned even if it is on one line. `rest` is the input from this line
/// on.
pub(super) fn several_lines(rest: &[u8], line: &[u8]) -> Option<SeveralLines> {
    let line = line.trim_ascii();
    let is_list = line.starts_with(b"[");
    // Most lines are whole objects, and are parsed only once.
    if !is_list && (!line.starts_with(b"{") || line.ends_with(b"}")) {
        return None;
    }
    let mut values = serde_json::Deserializer::from_slice(rest).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    let length = values.byte_offset();
    let is_longer = rest.get(..length).is_some_and(|value| value.trim_ascii().contains(&b'\n'));
    (is_longer || is_list).then_some(SeveralLines { length, is_list })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_value_on_several_lines_and_a_list_are_found() {
        let length = |text: &str| {
            let line = text.lines().next().unwrap_or_default();
            several_lines(text.as_bytes(), line.as_bytes()).map(|found| found.length)
        };
        for (text, expected) in [
            ("{\n  \"a\": 1\n}\n{}\n", Some(12)),
            ("{\"a\": [\n1]\n}\n", Some(12)),
            ("[{},\n{}]\n", Some(8)),
            ("[{}]\n{}\n", Some(4)),
            ("{}\n{}\n", None),
            ("{} \n{\n}\n", None),
            ("{\"a\": 1\n{}\n", None),
            ("{\"cut\n", None),
            ("nonsense\n", None),
        ] {
            assert_eq!(length(text), expected, "{text:?}");
        }
    }
}
