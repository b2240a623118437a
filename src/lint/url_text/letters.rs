//! The literal text of regexes on URLs, and the hosts in this text.

use super::HostCertainty;

/// The character that stands for a class in the literal text of a regex.
const CLASS: char = '\u{1}';

/// The character that stands for any sequence of characters.
pub(super) const ANYTHING: char = '\u{2}';

/// Returns the text of a regex with literal characters for escapes, `CLASS` for classes such as `\d`, and `ANYTHING`
/// for `.*` and the like.
pub(super) fn literal_letters(pattern: &str) -> String {
    let mut out = String::new();
    let mut signs = pattern.chars().peekable();
    while let Some(sign) = signs.next() {
        out.push(match sign {
            '\\' => match signs.next() {
                Some(class) if class.is_ascii_alphanumeric() => CLASS,
                Some(escaped) => escaped,
                None => break,
            },
            '.' if matches!(signs.peek(), Some('*' | '+' | '?' | '{')) => ANYTHING,
            other => other,
        });
    }
    out
}

/// Returns the hosts in the literal text of a regex, each with its start and end in the text.
pub(super) fn hosts_in_letters(letters: &str, reading: HostCertainty) -> Vec<(String, usize, usize)> {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = letters.get(at..).and_then(|rest| rest.find(is_of_name)).map(|start| start + at) {
        let rest = letters.get(start..).unwrap_or_default();
        let length = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
        let run = rest.get(..length).unwrap_or_default();
        let front = run.len() - run.trim_start_matches(['.', '-']).len();
        let name = run.trim_matches(['.', '-']);
        if reading.is_accepted(name) {
            found.push((name.to_ascii_lowercase(), start + front, start + front + name.len()));
        }
        at = start + length;
    }
    found
}

/// Whether the name of a host begins at the end of a text, which is the part of a regex between the scheme and the
/// host.
pub(super) fn is_name_start(between: &str) -> bool {
    let inner = between.trim_end_matches(['(', ')', '?', '*', '+', ':']);
    inner.is_empty() || inner.ends_with(['.', '|', '@'])
}

/// Whether the name of a host ends before the given rest of a regex.
pub(super) fn is_host_end(behind: &str) -> bool {
    // Skips the other alternatives of the group that contains the host.
    let behind = match behind.strip_prefix('|') {
        Some(others) => others.split_once(')').map_or("", |(_, rest)| rest),
        None => behind.trim_start_matches(')'),
    };
    // An optional slash ends no name, so what follows it must end the name.
    let behind = behind.strip_prefix("/?").unwrap_or(behind);
    ["/", "$", "(/", "(?:/", "[/", "([/", "(:", "(?::", "($", "(?:$"].iter().any(|end| behind.starts_with(end))
        && !behind.starts_with("/?")
}

/// Whether the given rest of a regex, after a host, contains a path that is more than a slash.
pub(super) fn has_path(behind: &str) -> bool {
    let path = behind.trim_start_matches(')').strip_prefix('/');
    path.is_some_and(|path| path.starts_with(|c: char| c.is_ascii_alphanumeric()))
}
