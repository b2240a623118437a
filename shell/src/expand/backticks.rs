//! Scripts between backticks.

use super::fields::Quoting;

/// Returns the script between backticks without the backslashes that escape a backslash, a backtick or a `$` in it, or
/// a double quote if the backticks are in double quotes themselves.
pub(super) fn backticks(text: &str, quoting: Quoting) -> String {
    let mut script = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let is_escape = c == '\\'
            && chars
                .peek()
                .is_some_and(|next| matches!(next, '\\' | '`' | '$') || *next == '"' && quoting == Quoting::Quoted);
        match chars.next_if(|_| is_escape) {
            Some(next) => script.push(next),
            None => script.push(c),
        }
    }
    script
}
