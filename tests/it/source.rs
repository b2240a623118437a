//! Reads source files for the tests of style: code without comments, literals and tests.
//!
//! It is a scanner, not a parser; it knows just enough Rust to distinguish code from text.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the repository's root.
pub(crate) fn root() -> PathBuf {
    crate::system::built(env!("CARGO_MANIFEST_DIR"))
}

/// Paths that the published package excludes: other packages, and files about the repository.
const LEFT_OUT: &[&str] = &[
    "shell",
    "benches",
    "fuzz",
    "tests/differential",
    "tests/e2e",
    "tests/gate",
    "plugin",
    ".ci",
    ".claude-plugin",
    ".github",
    ".pre-commit-hooks.yaml",
    "action.yml",
    "packaging",
];

/// Whether a path from the root is absent because this is the published package.
pub(crate) fn is_left_out(path: &Path) -> bool {
    let is_package = root().join("Cargo.toml.orig").exists();
    is_package && LEFT_OUT.iter().any(|other| path.starts_with(other))
}

/// Reads a file of the repository by its path from the root.
#[track_caller]
pub(crate) fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A bound: the file that contains it, the code that sets it, and a document's words for it.
pub(crate) type Bound = (&'static str, &'static str, &'static str);

/// Checks that a document states the bounds.
#[track_caller]
pub(crate) fn says_bounds(document: &str, bounds: &[Bound]) {
    let told = read(document);
    for (file, constant, words) in bounds.iter().filter(|(file, ..)| !is_left_out(Path::new(file))) {
        assert!(read(file).contains(constant), "{file} has no `{constant}`");
        assert!(told.contains(words), "{document} does not say `{words}`");
    }
}

/// Returns every file below a directory of the repository with one of the extensions, sorted, as paths from the root;
/// build output is left out.
#[track_caller]
pub(crate) fn files(directory: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![PathBuf::from(directory)];
    while let Some(directory) = open.pop() {
        let entries =
            fs::read_dir(root().join(&directory)).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
        for entry in entries {
            let entry = entry.unwrap();
            let path = hookrules_shell::path::join(&directory, entry.file_name().as_ref());
            if entry.file_type().unwrap().is_dir() {
                if entry.file_name() != "target" {
                    open.push(path);
                }
            } else if path.extension().is_some_and(|extension| extensions.iter().any(|one| extension == *one)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Returns the sources of the program and of its crates.
#[track_caller]
pub(crate) fn sources() -> Vec<PathBuf> {
    ["src", "shell/src"]
        .into_iter()
        .filter(|path| !is_left_out(Path::new(path)))
        .flat_map(|path| files(path, &["rs"]))
        .collect()
}

/// Whether a file contains only tests: `foo/tests.rs` and files below `foo/tests/`.
pub(crate) fn is_test_file(path: &Path) -> bool {
    path.iter().any(|part| part == "tests.rs" || part == "tests")
}

/// Blanks comments and literals, and the items after `#[cfg(test)]`; line numbers stay the same.
pub(crate) fn code(text: &str) -> String {
    without_tests(&without_text(text))
}

/// Blanks comments, strings and characters.
fn without_text(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = match text_at(&chars, at) {
            Some(end) => end,
            None => {
                out.push(chars[at]);
                at += 1;
                continue;
            }
        };
        out.extend(chars[at..end].iter().map(|&c| if c == '\n' { '\n' } else { ' ' }));
        at = end;
    }
    out
}

/// Returns the end of the comment or literal that begins here, if any.
fn text_at(chars: &[char], at: usize) -> Option<usize> {
    let rest = &chars[at..];
    let inside_word = at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_');
    match rest {
        ['/', '/', ..] => Some(at + rest.iter().position(|&c| c == '\n').unwrap_or(rest.len())),
        ['/', '*', ..] => {
            let mut depth = 0;
            let mut i = 0;
            while i < rest.len() {
                match &rest[i..] {
                    ['/', '*', ..] => (depth, i) = (depth + 1, i + 2),
                    ['*', '/', ..] => (depth, i) = (depth - 1, i + 2),
                    _ => i += 1,
                }
                if depth == 0 {
                    break;
                }
            }
            Some(at + i)
        }
        ['"', ..] => Some(at + quoted(rest, '"')),
        ['r', '#' | '"', ..] if !inside_word || chars[at - 1] == 'b' => {
            let hashes = rest[1..].iter().take_while(|&&c| c == '#').count();
            if rest.get(1 + hashes) != Some(&'"') {
                return None;
            }
            let close: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
            let body = 2 + hashes;
            let length = rest[body..].windows(close.len()).position(|window| window == close)?;
            Some(at + body + length + close.len())
        }
        // A lifetime has no closing quote after its first character.
        ['\'', '\\', ..] | ['\'', _, '\'', ..] => Some(at + quoted(rest, '\'')),
        _ => None,
    }
}

/// Returns the length of a literal with escapes.
fn quoted(rest: &[char], quote: char) -> usize {
    let mut i = 1;
    while i < rest.len() && rest[i] != quote {
        i += if rest[i] == '\\' { 2 } else { 1 };
    }
    (i + 1).min(rest.len())
}

/// Returns the strings of the code before its tests, as written, with their lines.
pub(crate) fn strings(text: &str) -> Vec<(usize, String)> {
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    let chars: Vec<char> = text.chars().collect();
    let (mut found, mut at, mut line) = (Vec::new(), 0, 1);
    while at < chars.len() {
        let end = text_at(&chars, at).unwrap_or(at + 1);
        let literal = &chars[at..end];
        if literal.len() > 1 && (literal.starts_with(&['"']) || literal.starts_with(&['r'])) {
            found.push((line, literal.iter().collect()));
        }
        line += literal.iter().filter(|&&c| c == '\n').count();
        at = end;
    }
    found
}

/// Blanks each item after a `#[cfg(test)]`, up to its `;` or its closing brace.
fn without_tests(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut out = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(start) = rest.find(MARK) {
        let (before, item) = rest.split_at(start);
        out.push_str(before);
        let mut depth = 0_u32;
        let mut end = item.len();
        for (at, c) in item.char_indices().skip(MARK.len()) {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 && (c == ';' || c == '}') {
                end = at + 1;
                break;
            }
        }
        let (item, after) = item.split_at(end);
        out.extend(item.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        rest = after;
    }
    out.push_str(rest);
    out
}

#[test]
fn comments_and_literals_are_no_code() {
    let text = "a // b\n/* c /* d */ e */ f \"g \\\" h\" i 'j' 'k r#\"l \" m\"# br\"n\" o '\\'' p";
    let words: Vec<_> = without_text(text).split_whitespace().map(str::to_owned).collect();
    assert_eq!(words, ["a", "f", "i", "'k", "b", "o", "p"]);
}

#[test]
fn strings_are_found_with_their_lines() {
    let text = "a // \"b\"\n'\"' \"c d\"\n r#\"e \" f\"#\n#[cfg(test)] \"g\"";
    assert_eq!(strings(text), [(2, "\"c d\"".to_owned()), (3, "r#\"e \" f\"#".to_owned())]);
}

#[test]
fn tests_are_blanked_and_lines_stay() {
    let text = "one();\n#[cfg(test)]\nmod tests;\ntwo();\n#[cfg(test)]\nmod t {\n  fn x() { \"}\" }\n}\nthree();\n";
    let code = code(text);
    assert_eq!(code.lines().count(), text.lines().count());
    let words: Vec<_> = code.split_whitespace().collect();
    assert_eq!(words, ["one();", "two();", "three();"]);
}
