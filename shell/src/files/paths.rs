//! Operations on paths that are words, which may be partly unknown.

pub(crate) use crate::glob::{any_name, glob_word};
use crate::path::{excluding_glob, including_glob};
use crate::word::{Cause, Directory, Unknown, UnknownPart, Word, WordPart};

/// Joins a path to a directory. A path that is absolute, or may be because its beginning is unknown, is returned
/// unchanged.
pub(super) fn join(directory: &Word, path: &Word) -> Word {
    let may_be_absolute = matches!(path.parts.first(), Some(part @ WordPart::Unknown(_)) if !part.is_one_of_files() && part.matched_glob().is_none());
    let is_here = matches!(directory.known_text(), Some("" | "." | "./"));
    if may_be_absolute || is_here || path.prefix().starts_with('/') {
        return path.clone();
    }
    let mut joined = Word { span: None, ..directory.clone() };
    if !ends_in_slash(directory) {
        joined.push(WordPart::Text("/".to_owned()));
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
pub(super) fn append_text(word: &Word, text: &str) -> Word {
    let mut longer = Word { span: None, ..word.clone() };
    longer.push(WordPart::Text(text.to_owned()));
    longer
}

/// Returns a word without an ending; `None` if the word does not end in it, or its end is unknown.
pub(super) fn strip_ending(word: &Word, ending: &str) -> Option<Word> {
    let (last, before) = word.parts.split_last()?;
    let WordPart::Text(text) = last else { return None };
    let mut shorter = Word { parts: before.into(), span: None };
    shorter.push(WordPart::Text(text.strip_suffix(ending)?.to_owned()));
    Some(shorter)
}

pub(super) fn ends_in_slash(word: &Word) -> bool {
    matches!(word.parts.last(), Some(WordPart::Text(text)) if text.ends_with('/'))
}

/// Whether the spelling of a path shows that it is a directory: it ends in `/`, `.` or `..`.
pub(super) fn is_directory(word: &Word) -> bool {
    let is_dots = |text: &str| matches!(text.rsplit('/').next(), Some("" | "." | ".."));
    matches!(word.parts.last(), Some(WordPart::Text(text)) if is_dots(text) && (word.parts.len() == 1 || text.contains('/')))
}

/// Returns the last name of a path; `None` if the path has none (`.`, `..`, `/`).
///
/// An unknown part may contain slashes, so the name has a glob for any name in its place.
pub(super) fn base_name(path: &Word) -> Option<Word> {
    let mut parts = path.as_globs().into_owned().parts;
    if let Some(WordPart::Text(text)) = parts.last_mut() {
        *text = text.trim_end_matches('/').to_owned();
    }
    let mut name: Vec<WordPart> = Vec::new();
    for part in parts.0.into_iter().rev() {
        match part {
            WordPart::Text(text) => {
                let (is_first_component, text) = match text.rsplit_once('/') {
                    Some((_, last)) => (true, last.to_owned()),
                    None => (false, text),
                };
                if !text.is_empty() {
                    name.push(WordPart::Text(text));
                }
                if is_first_component {
                    break;
                }
            }
            WordPart::Glob(glob) => name.push(WordPart::Glob(glob)),
            WordPart::Unknown(unknown) if unknown.is_one_of_files() => name.push(WordPart::Unknown(unknown)),
            WordPart::Unknown(_) => {
                name.push(any_name());
                break;
            }
        }
    }
    name.reverse();
    let mut word = Word::default();
    name.into_iter().for_each(|part| word.push(part));
    (!matches!(word.known_text(), Some("" | "." | ".."))).then_some(word)
}

/// Returns the directory that contains a path; `None` if it is not known.
pub(super) fn parent(path: &Word) -> Option<Word> {
    let (last, before) = path.parts.split_last()?;
    match last {
        // This part is the whole path of one of several files.
        part if part.is_one_of_files() => match before {
            [] => Some(Word::text(".")),
            [.., WordPart::Text(_)] => parent(&append_text(&Word { parts: before.into(), span: None }, "x")),
            _ => None,
        },
        WordPart::Text(text) => match text.trim_end_matches('/').rsplit_once('/') {
            Some((directory, _)) => {
                let mut parent = Word { parts: before.into(), span: None };
                parent.push(WordPart::Text(
                    if directory.is_empty() && before.is_empty() { "/" } else { directory }.to_owned(),
                ));
                Some(parent)
            }
            None if before.is_empty() => Some(Word::text(".")),
            None => None,
        },
        WordPart::Glob(_) | WordPart::Unknown(_) => None,
    }
}

/// Returns a glob that matches at least everything that the word matches in a program that expands it. `None` if the
/// word is not known.
pub(super) fn as_glob(word: &Word) -> Option<String> {
    let glob: String = word.parts.iter().map(WordPart::literal_text).collect::<Option<_>>()?;
    Some(if glob.contains('[') { including_glob(&glob) } else { glob })
}

/// Returns a glob that matches only what the word certainly excludes in a program that takes it for an exclusion.
/// `None` if there is no such glob.
pub(super) fn as_exclusion(word: &Word) -> Option<String> {
    let glob: String = word.parts.iter().map(WordPart::literal_text).collect::<Option<_>>()?;
    excluding_glob(&glob).map(str::to_owned)
}

/// Returns the path in a `file:` URL of this machine; `None` for any other word.
pub(super) fn file_url_path(word: &Word) -> Option<Word> {
    let rest = word
        .strip_prefix("file://localhost")
        .or_else(|| word.strip_prefix("file://"))
        .or_else(|| word.strip_prefix("file:"))?;
    rest.prefix().starts_with('/').then_some(rest)
}

/// Whether a word names a path on another machine, by the syntax of `scp` and `rsync`: `host:path`, `rsync://…`.
pub(crate) fn is_remote(word: &Word) -> bool {
    for (at, part) in word.parts.iter().enumerate() {
        let Some(text) = part.literal_text() else { continue };
        if let Some(end) = text.find([':', '/']) {
            return (at > 0 || end > 0) && text.get(end..).is_some_and(|rest| rest.starts_with(':'));
        }
    }
    false
}

/// Prefixes a path that is relative to `from` with `from`, unless `to` is the same directory. The result can be used in
/// `to`. A path with an unknown beginning may be absolute, so it is returned unchanged.
pub(crate) fn rebase_path(path: &Word, from: &Directory, to: &Directory) -> Word {
    let has_unknown_beginning = matches!(path.parts.first(), Some(WordPart::Unknown(_)));
    if has_unknown_beginning || path.prefix().starts_with('/') || from == to {
        return path.clone();
    }
    let mut prefixed = match from {
        Directory::Known(directory) => Word::text(format!("{}/", directory.display())),
        Directory::Unknown(why) => {
            let why = Unknown { cause: Cause::Directory, ..why.clone() };
            let mut word = Word::default();
            word.push(WordPart::Unknown(UnknownPart { reason: why, may_split: false }));
            word.push(WordPart::Text("/".to_owned()));
            word
        }
    };
    path.parts.iter().for_each(|part| prefixed.push(part.clone()));
    prefixed
}

/// Whether `*`, `?` and `[` in a text are globs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum GlobSigns {
    Active,
    Literal,
}

/// Replaces each letter of a text by a class with both of its cases: `a` by `[aA]`. A class in the text becomes a `?`,
/// which matches more.
pub(super) fn in_any_case(text: &str, signs: GlobSigns) -> Word {
    let mut word = Word::default();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let class = rest.strip_prefix('[').filter(|_| signs == GlobSigns::Active).and_then(|class| class.find(']'));
        rest = rest.get(class.map_or(c.len_utf8(), |end| end + 2)..).unwrap_or_default();
        let (lower, upper) = (c.to_ascii_lowercase(), c.to_ascii_uppercase());
        word.push(match class {
            Some(_) => WordPart::Glob("?".to_owned()),
            None if lower == upper => WordPart::Text(c.to_string()),
            None => WordPart::Glob(format!("[{lower}{upper}]")),
        });
    }
    word
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
            assert_eq!(join(&word(directory), &word(path)).display_text(), expected, "{path} in {directory}");
        }
    }

    #[test]
    fn the_last_name_of_a_path_may_be_any() {
        let name = |path: &str| base_name(&word(path)).map(|name| name.display_text());
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
        let of = |path: &str| parent(&word(path)).map(|parent| parent.display_text());
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
