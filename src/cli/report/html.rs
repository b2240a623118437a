//! Escapes foreign text for the page: for text between tags or in quotes, and for data in a script element.
//!
//! It is pure.

use serde_json::Value as Json;

use crate::escape::line;

/// The maximum number of characters of one text that a page shows.
const MAX_CHARS: usize = 20_000;

/// Escapes a text for use between tags and in quotes, on one line. Invisible characters and those that change the
/// direction of text are shown as escapes.
pub(super) fn escape_html(foreign: &str) -> String {
    lines(&line(foreign, MAX_CHARS))
}

/// Escapes a text like [`escape_html`], but keeps its line ends.
pub(super) fn lines(foreign: &str) -> String {
    let mut out = String::with_capacity(foreign.len());
    for c in crate::escape::multiline_text(foreign, MAX_CHARS).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// Serialises data for a script element. The characters that could end the element or begin a comment are escaped.
pub(super) fn data(value: &Json) -> String {
    let mut out = String::new();
    for c in value.to_string().chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn no_text_is_a_tag_or_ends_its_quotes() {
        assert_eq!(
            escape_html("<b a=\"1\" b='2'>&\n\u{202e}"),
            "&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;\\n\\u{202e}"
        );
        assert_eq!(lines("a\n<\u{1b}"), "a\n&lt;\\u{1b}");
    }

    #[test]
    fn no_data_ends_its_element_and_all_of_it_comes_back() {
        let value = json!({ "</script><!--": ["<script>", "]]>", "&lt;", "\u{2028}", "\\u003c", "é\"\\"] });
        let written = data(&value);
        assert!(!written.contains(['<', '>', '&', '\u{2028}']), "{written}");
        assert_eq!(serde_json::from_str::<Json>(&written).unwrap(), value);
    }
}
