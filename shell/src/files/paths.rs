//! Paths made of words that may be unknown.

use crate::path::{Class, leaving_out, taking_in};
use crate::word::{Cause, Directory, Part, Unknown, UnknownPart, Word};

/// Joins a path to a directory. Returns the path itself if it is absolute, or may be because its beginning is unknown.
pub(super) fn join(directory: &Word, path: &Word) -> Word {
    let is_open =
        matches!(path.parts.first(), Some(part @ Part::Unknown(_)) if !part.is_each() && part.matched().is_none());
    let is_here = matches!(directory.known(), Some("" | "." | "./"));
    if is_open || is_here || path.prefix().starts_with('/') {
        return path.clone();
    }
    let mut joined = Word { span: None, ..directory.clone() };
    if !ends_in_slash(directory) {
        joined.push(Part::Text("/".to_owned()));
    }
    extend(&mut joined, path);
    joined
}

/// Appends the parts of one word to another.
pub(super) fn extend(word: &mut Word, by: &Word) {
    for part in &by.parts {
        word.push(part.clone());
    }
}

/// Returns a word with a text appended.
pub(super) fn with(word: &Word, text: &str) -> Word {
    let mut longer = Word { span: None, ..word.clone() };
    longer.push(Part::Text(text.to_owned()));
    longer
}

/// Returns the word without a known ending.
pub(super) fn without(word: &Word, ending: &str) -> Option<Word> {
    let (last, before) = word.parts.split_last()?;
    let Part::Text(text) = last else { return None };
    let mut shorter = Word { parts: before.into(), span: None };
    shorter.push(Part::Text(text.strip_suffix(ending)?.to_owned()));
    Some(shorter)
}

pub(super) fn ends_in_slash(word: &Word) -> bool {
    matches!(word.parts.last(), Some(Part::Text(text)) if text.ends_with('/'))
}

/// Whether a path is a directory by its spelling.
pub(super) fn is_directory(word: &Word) -> bool {
    let is_dots = |text: &str| matches!(text.rsplit('/').next(), Some("" | "." | ".."));
    matches!(word.parts.last(), Some(Part::Text(text)) if is_dots(text) && (word.parts.len() == 1 || text.contains('/')))
}

/// Returns a path's last name; `None` if it has no name of its own (`.`, `..`, `/`).
///
/// An unknown part may hold a whole path, so only one name of it is left: any.
pub(super) fn base_name(path: &Word) -> Option<Word> {
    let mut parts = path.as_globs().into_owned().parts;
    if let Some(Part::Text(text)) = parts.last_mut() {
        *text = text.trim_end_matches('/').to_owned();
    }
    let mut name: Vec<Part> = Vec::new();
    for part in parts.0.into_iter().rev() {
        match part {
            Part::Text(text) => {
                let (is_over, text) = match text.rsplit_once('/') {
                    Some((_, last)) => (true, last.to_owned()),
                    None => (false, text),
                };
                if !text.is_empty() {
                    name.push(Part::Text(text));
                }
                if is_over {
                    break;
                }
            }
            Part::Glob(glob) => name.push(Part::Glob(glob)),
            Part::Unknown(unknown) if unknown.is_each() => name.push(Part::Unknown(unknown)),
            Part::Unknown(_) => {
                name.push(any());
                break;
            }
        }
    }
    name.reverse();
    let mut word = Word::default();
    name.into_iter().for_each(|part| word.push(part));
    (!matches!(word.known(), Some("" | "." | ".."))).then_some(word)
}

/// Returns the directory of a path; `None` if it is not known.
pub(super) fn parent(path: &Word) -> Option<Word> {
    let (last, before) = path.parts.split_last()?;
    match last {
        // The last part is the path of each of several files.
        each if each.is_each() => match before {
            [] => Some(Word::text(".")),
            [.., Part::Text(_)] => parent(&with(&Word { parts: before.into(), span: None }, "x")),
            _ => None,
        },
        Part::Text(text) => match text.trim_end_matches('/').rsplit_once('/') {
            Some((directory, _)) => {
                let mut parent = Word { parts: before.into(), span: None };
                parent.push(Part::Text(
                    if directory.is_empty() && before.is_empty() { "/" } else { directory }.to_owned(),
                ));
                Some(parent)
            }
            None if before.is_empty() => Some(Word::text(".")),
            None => None,
        },
        Part::Glob(_) | Part::Unknown(_) => None,
    }
}

/// Any single name.
pub(super) fn any() -> Part {
    Part::Glob("*".to_owned())
}

/// Returns a glob that matches at least what the word matches for a program that expands globs; `None` if it is not
/// known.
pub(super) fn as_glob(word: &Word) -> Option<String> {
    let glob: String = word.parts.iter().map(Part::written).collect::<Option<_>>()?;
    Some(if glob.contains('[') { taking_in(&glob) } else { glob })
}

/// Returns a glob of what the word certainly excludes for a program that expands globs; `None` if that is not certain.
pub(super) fn as_exclusion(word: &Word) -> Option<String> {
    let glob: String = word.parts.iter().map(Part::written).collect::<Option<_>>()?;
    leaving_out(&glob).map(str::to_owned)
}

/// Parses a text that a program treats as a glob.
pub(super) fn glob_word(text: &str) -> Word {
    let mut word = Word::default();
    let mut rest = text;
    while let Some(at) = rest.find(['*', '?', '[', '\\']) {
        let (plain, sign) = rest.split_at_checked(at).unwrap_or((rest, ""));
        word.push(Part::Text(plain.to_owned()));
        let mut chars = sign.chars();
        match (chars.next(), chars.clone().next()) {
            (Some('\\'), Some(escaped)) => {
                chars.next();
                word.push(Part::Text(escaped.to_string()));
                rest = chars.as_str();
            }
            (Some('['), _) => match Class::read(sign).and_then(|(_, length)| sign.split_at_checked(length)) {
                Some((class, behind)) if !class.contains('\\') => {
                    word.push(Part::Glob(class.to_owned()));
                    rest = behind;
                }
                // Its end is uncertain, and so is what it matches.
                _ => {
                    word.push(any());
                    return word;
                }
            },
            (sign, _) => {
                word.push(sign.map_or(Part::Text(String::new()), |sign| Part::Glob(sign.to_string())));
                rest = chars.as_str();
            }
        }
    }
    word.push(Part::Text(rest.to_owned()));
    word
}

/// Returns the path of a `file:` URL.
pub(super) fn of_file_url(word: &Word) -> Option<Word> {
    let rest = word.after("file://localhost").or_else(|| word.after("file://")).or_else(|| word.after("file:"))?;
    rest.prefix().starts_with('/').then_some(rest)
}

/// Whether a word names a path on another machine, as `scp` and `rsync` parse it: `host:path`, `rsync://…`.
pub(crate) fn is_remote(word: &Word) -> bool {
    for (at, part) in word.parts.iter().enumerate() {
        let Some(text) = part.written() else { continue };
        if let Some(end) = text.find([':', '/']) {
            return (at > 0 || end > 0) && text.get(end..).is_some_and(|rest| rest.starts_with(':'));
        }
    }
    false
}

/// Rebases a path from one directory to another. One with an unknown beginning may be absolute, and stays as it is.
pub(crate) fn from_there(path: &Word, from: &Directory, to: &Directory) -> Word {
    let is_open = matches!(path.parts.first(), Some(Part::Unknown(_)));
    if is_open || path.prefix().starts_with('/') || from == to {
        return path.clone();
    }
    let mut whole = match from {
        Directory::Known(directory) => Word::text(format!("{}/", directory.display())),
        Directory::Unknown(why) => {
            let why = Unknown { cause: Cause::Directory, ..why.clone() };
            let mut word = Word::default();
            word.push(Part::Unknown(UnknownPart { why, splits: false }));
            word.push(Part::Text("/".to_owned()));
            word
        }
    };
    path.parts.iter().for_each(|part| whole.push(part.clone()));
    whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::word;

    #[test]
    fn a_path_begins_in_its_directory_unless_it_may_be_absolute() {
        let cases = [
            ("sub", "f", "sub/f"),
            ("sub/", "f", "sub/f"),
            (".", "f", "f"),
            ("sub", "/f", "/f"),
            ("sub", "$", "$"),
            ("sub", "*.c", "sub/*.c"),
            ("$", "f", "$/f"),
            ("sub", "a/$", "sub/a/$"),
        ];
        for (directory, path, expected) in cases {
            assert_eq!(join(&word(directory), &word(path)).shown(), expected, "{path} in {directory}");
        }
    }

    #[test]
    fn the_last_name_of_a_path_may_be_any() {
        let name = |path: &str| base_name(&word(path)).map(|name| name.shown());
        let cases =
            [("a/b", "b"), ("a/b//", "b"), ("b", "b"), ("$", "*"), ("a/$.c", "*.c"), ("$/b", "b"), ("a/*.c", "*.c")];
        for (path, expected) in cases {
            assert_eq!(name(path).as_deref(), Some(expected), "{path}");
        }
        for path in [".", "..", "/", "a/..", "a/."] {
            assert_eq!(name(path), None, "{path}");
        }
    }

    #[test]
    fn a_parent_is_known_by_what_is_written() {
        let of = |path: &str| parent(&word(path)).map(|parent| parent.shown());
        let cases = [("a/b", "a"), ("/b", "/"), ("b", "."), ("a/b/", "a"), ("$/b", "$")];
        for (path, expected) in cases {
            assert_eq!(of(path).as_deref(), Some(expected), "{path}");
        }
        assert_eq!(of("a/$"), None);
    }

    #[test]
    fn a_directory_shows_in_its_writing() {
        for path in [".", "..", "a/", "a/.", "/", "$/"] {
            assert!(is_directory(&word(path)), "{path}");
        }
        for path in ["a", "a/b", "$", "$.", "a..", ""] {
            assert!(!is_directory(&word(path)), "{path}");
        }
    }
}
