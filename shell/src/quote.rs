//! Quoting of texts for a shell.
//!
//! ```
//! use hookrules_shell::quote::{quote, quote_unless};
//!
//! assert_eq!(quote("it's"), r"'it'\''s'");
//! assert_eq!(quote_unless("plain", char::is_alphanumeric), "plain");
//! ```

/// The beginning of a command that runs the shell text in the next word.
const RUN_SCRIPT: &str = "bash -c ";

/// Returns a text in single quotes, so that a shell reads it literally.
#[must_use]
pub fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Quotes a word, unless it is not empty and all of its characters are plain in its context.
#[must_use]
pub fn quote_unless(word: &str, is_plain: impl Fn(char) -> bool) -> String {
    if !word.is_empty() && word.chars().all(is_plain) { word.to_owned() } else { quote(word) }
}

/// Joins several shell texts into one that runs each in a separate `bash -c`. A single text remains as it is.
#[must_use]
pub fn join_scripts(scripts: &[String]) -> String {
    match scripts {
        [only] => only.clone(),
        scripts => {
            let lines = scripts.iter().map(|script| format!("{RUN_SCRIPT}{}", quote(script)));
            lines.collect::<Vec<_>>().join("\n")
        }
    }
}

/// Splits a text into the `count` shell texts of which [`join_scripts`] made it. `None` for any other text.
#[must_use]
pub fn split_scripts(text: &str, count: usize) -> Option<Vec<String>> {
    if count == 1 {
        return Some(vec![text.to_owned()]);
    }
    let (mut scripts, mut rest) = (Vec::new(), text);
    loop {
        let (script, after) = quoted_word(rest.strip_prefix(RUN_SCRIPT)?)?;
        scripts.push(script);
        if after.is_empty() {
            break;
        }
        rest = after.strip_prefix('\n')?;
    }
    (scripts.len() == count && join_scripts(&scripts) == text).then_some(scripts)
}

/// Reads the word in single quotes with which a text begins, as [`quote`] writes it. Also returns the text after it.
fn quoted_word(text: &str) -> Option<(String, &str)> {
    let mut word = String::new();
    let mut rest = text.strip_prefix('\'')?;
    loop {
        let (part, after) = rest.split_once('\'')?;
        word.push_str(part);
        let Some(more) = after.strip_prefix(r"\''") else { return Some((word, after)) };
        word.push('\'');
        rest = more;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn joined_scripts_are_split_again(scripts in proptest::collection::vec("[a'\\\\\n\" $-]{0,6}", 1..4)) {
            let joined = join_scripts(&scripts);
            prop_assert_eq!(split_scripts(&joined, scripts.len()), Some(scripts.clone()));
            if scripts.len() > 1 {
                prop_assert_eq!(split_scripts(&joined, scripts.len() + 1), None);
            }
        }
    }

    #[test]
    fn other_texts_are_not_split() {
        for text in [
            "",
            "ls",
            "bash -c 'a'",
            "bash -c 'a'\nls",
            "bash -c 'a'\nbash -c b",
            "bash -c 'a' ; bash -c 'b'",
            "bash -c 'a'\n\nbash -c 'b'",
            "bash -c 'a'\nbash -c 'b'\n",
            "bash -c 'a'\nbash -c 'b",
            "bash -c 'a'x\nbash -c 'b'",
            "bash -c 'a'\nbash -c 'b' # c",
        ] {
            assert_eq!(split_scripts(text, 2), None, "{text}");
        }
    }

    #[test]
    fn a_word_is_quoted_where_it_is_not_plain() {
        let quoted = |word| quote_unless(word, |c| c.is_alphanumeric());
        assert_eq!(["a1", "", "a b", "it's"].map(quoted), ["a1", "''", "'a b'", r"'it'\''s'"]);
    }
}
