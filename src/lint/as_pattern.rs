//! Converts regexes that consist only of words and alternatives to command patterns, or to lists of words.

/// Returns the command pattern for what a regex on a command line is meant to match: `^git\s+(push|fetch)\b` becomes
/// `git (push|fetch)`. `None` if the regex contains anything but words, white space and groups.
pub(super) fn command_pattern(regex: &str) -> Option<String> {
    let regex = regex.strip_prefix("(?i)").unwrap_or(regex);
    let regex = regex.trim_start_matches('^').trim_start_matches(".*").trim_end_matches('$');
    let regex = regex.trim_end_matches(".*").trim_end_matches(".+");
    let mut text = regex.to_owned();
    for (construct, replacement) in
        [("\\s+", " "), ("\\s*", " "), ("\\s", " "), (" +", " "), ("\\b", ""), ("(?:", "("), ("^(", "("), ("\\-", "-")]
    {
        text = text.replace(construct, replacement);
    }
    let text = text.split_whitespace().collect::<Vec<&str>>().join(" ");
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'-' | b'_' | b'(' | b')' | b'|');
    let has_group_for_each_bar = !text.contains('|') || text.contains('(');
    (!text.is_empty() && text.bytes().all(is_plain) && has_group_for_each_bar).then_some(text)
}

/// Returns the words that a regex matches: `apply` and `destroy` for `^(apply|destroy)$`. `None` if the regex contains
/// anything but alternative words.
pub(super) fn word_alternatives(regex: &str) -> Option<Vec<String>> {
    let regex = regex.strip_prefix("(?i)").unwrap_or(regex);
    let bare = regex.trim_start_matches('^').trim_end_matches('$').replace("\\b", "");
    let inner = bare.strip_prefix("(?:").or_else(|| bare.strip_prefix('(')).and_then(|rest| rest.strip_suffix(')'));
    let words: Vec<String> = inner.unwrap_or(&bare).split('|').map(str::to_owned).collect();
    let is_word =
        |word: &String| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    words.iter().all(is_word).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regex_of_words_is_a_pattern() {
        for (regex, expected) in [
            ("^git\\s+(push|fetch)\\b", Some("git (push|fetch)")),
            ("terraform ^(apply|destroy)", Some("terraform (apply|destroy)")),
            ("(?i)^npm publish.*", Some("npm publish")),
            ("git push$", Some("git push")),
            ("a|b", None),
            ("git [a-z]+", None),
        ] {
            assert_eq!(command_pattern(regex).as_deref(), expected, "{regex}");
        }
        assert_eq!(word_alternatives("^(apply|destroy)$"), Some(vec!["apply".to_owned(), "destroy".to_owned()]));
        assert_eq!(word_alternatives("^v[0-9]+$"), None);
    }
}
