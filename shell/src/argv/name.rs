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
    let stem_and_end = name.len().checked_sub(".exe".len()).and_then(|length| name.split_at_checked(length));
    Some(match stem_and_end {
        Some((stem, end)) if !stem.is_empty() && end.eq_ignore_ascii_case(".exe") => stem,
        _ => name,
    })
}

/// Returns the last component of a program's path. It scans the bytes, because it is called often and paths are
/// short.
pub(crate) fn base_name(path: &str) -> &str {
    let bytes = path.as_bytes();
    // A path with a drive is one of Windows: `C:\git\bin\git.exe`.
    let has_drive = bytes.get(1) == Some(&b':') && bytes.get(2) == Some(&b'\\');
    let last_separator = bytes.iter().rposition(|byte| *byte == b'/' || has_drive && *byte == b'\\');
    last_separator.and_then(|index| path.get(index + 1..)).unwrap_or(path)
}
