//! The names of programs.

use crate::word::{Word, WordPart};

/// Returns the base name of a program, if it is known: a quoted, unknown directory does not change it.
pub(crate) fn program_name(word: &Word) -> Option<&str> {
    let name = match word.known_text() {
        Some(path) => base_name(path),
        None if word.may_split() => return None,
        None => match word.parts.last() {
            Some(WordPart::Text(end)) => end.rsplit_once('/')?.1,
            _ => return None,
        },
    };
    let stem = name.len().checked_sub(4).and_then(|at| name.split_at_checked(at));
    Some(match stem {
        Some((stem, ".exe" | ".EXE")) if !stem.is_empty() => stem,
        _ => name,
    })
}

/// Returns the last component of a program's path. Paths are short and this is called often, so it scans the bytes.
pub(crate) fn base_name(path: &str) -> &str {
    let last = path.as_bytes().iter().rposition(|byte| *byte == b'/');
    last.and_then(|at| path.get(at + 1..)).unwrap_or(path)
}
