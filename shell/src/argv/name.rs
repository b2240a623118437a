//! The names of programs in the first word of a command.

use crate::word::{Word, WordPart};

/// Returns the base name of the program in a word, without `.exe`; `None` if it is not known.
///
/// An unknown directory before a known name does not matter: the name in `"$DIR"/git` is `git`.
pub(crate) fn program_name(word: &Word) -> Option<&str> {
    let name = match word.known_text() {
        Some(path) => base_name(path),
        None if word.may_split() => return None,
        None => match word.parts.last() {
            Some(WordPart::Text(end)) => end.rsplit_once('/')?.1,
            _ => return None,
        },
    };
    // The name without its last four bytes, and these.
    let stem = name.len().checked_sub(4).and_then(|at| name.split_at_checked(at));
    Some(match stem {
        Some((stem, ".exe" | ".EXE")) if !stem.is_empty() => stem,
        _ => name,
    })
}

/// Returns the last component of a program's path. It scans the bytes, because it is called often and paths are
/// short.
pub(crate) fn base_name(path: &str) -> &str {
    let last = path.as_bytes().iter().rposition(|byte| *byte == b'/');
    last.and_then(|at| path.get(at + 1..)).unwrap_or(path)
}
