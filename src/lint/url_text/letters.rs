//! Extracts the literal text of regexes on URLs, and finds the hosts in this text.

use super::HostCertainty;

/// The character that stands for a class in the literal text of a regex.
const CLASS: char = '\u{1}';

/// The character that stands for any sequence of characters.
pub(super) const ANYTHING: char = '\u{2}';

/// Returns the literal text of a regex: escapes become their characters, classes such as `\d` become `CLASS`, and `.*`
/// and the like become `ANYTHING`.
pub(super) fn literal_letters(pattern: &str) -> String {
    let mut out = String::new();
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        out.push(match c {
            '\\' => match chars.next() {
                Some(class) if class.is_ascii_alphanumeric() => CLASS,
                Some(escaped) => escaped,
                None => break,
            },
            '.' if matches!(chars.peek(), Some('*' | '+' | '?' | '{')) => ANYTHING,
            other => other,
        });
    }
    out
}

/// Returns the hosts in the literal text of a regex, each with its start and end in the text.
pub(super) fn hosts_in_letters(letters: &str, reading: HostCertainty) -> Vec<(String, usize, usize)> {
    let is_name_char = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    let mut hosts = Vec::new();
    let mut at = 0;
    while let Some(start) = letters.get(at..).and_then(|rest| rest.find(is_name_char)).map(|start| start + at) {
        let rest = letters.get(start..).unwrap_or_default();
        let length = rest.find(|c| !is_name_char(c)).unwrap_or(rest.len());
        let run = rest.get(..length).unwrap_or_default();
        let leading = run.len() - run.trim_start_matches(['.', '-']).len();
        let name = run.trim_matches(['.', '-']);
        if reading.is_accepted(name) {
            hosts.push((name.to_ascii_lowercase(), start + leading, start + leading + name.len()));
        }
        at = start + length;
    }
    hosts
}

/// Whether the name of a host begins right after `between`, the part of a regex between the scheme and the host.
pub(super) fn is_name_start(between: &str) -> bool {
    let inner = between.trim_end_matches(['(', ')', '?', '*', '+', ':']);
    inner.is_empty() || inner.ends_with(['.', '|', '@'])
}

/// Whether the name of a host ends where the rest of a regex begins.
pub(super) fn is_host_end(rest: &str) -> bool {
    // Skips the other alternatives of the group that contains the host.
    let rest = match rest.strip_prefix('|') {
        Some(others) => others.split_once(')').map_or("", |(_, rest)| rest),
        None => rest.trim_start_matches(')'),
    };
    // An optional slash ends no name, so what follows it must end the name.
    let rest = rest.strip_prefix("/?").unwrap_or(rest);
    ["/", "$", "(/", "(?:/", "[/", "([/", "(:", "(?::", "($", "(?:$"].iter().any(|end| rest.starts_with(end))
        && !rest.starts_with("/?")
}

/// Whether the given rest of a regex, after a host, contains a path that is more than a slash.
pub(super) fn has_path(rest: &str) -> bool {
    let path = rest.trim_start_matches(')').strip_prefix('/');
    path.is_some_and(|path| path.starts_with(|c: char| c.is_ascii_alphanumeric()))
}
