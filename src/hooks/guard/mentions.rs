//! Finds paths within longer texts, and reads the forms in which a text can spell a path.
//!
//! A path between the words of a sentence is only mentioned. A path on which a tool acts is delimited in some other
//! way: it is alone on its line, in quotes in code, or after `key=`, after `@` or in a tag.

use std::borrow::Cow;

use crate::context::file_uri;

/// The characters that end a path in a text.
const ENDS: &str = "\"'`()[]{}<>,;|&=@";

/// The characters that may directly precede an unquoted path on which a tool acts: `key=`.
const BEFORE: &str = "=@>|,[{";
/// The characters that may directly follow an unquoted path on which a tool acts: `</file>`.
const AFTER: &str = ")]}<,;|&";

/// The characters that may precede the quotes around a path on which a tool acts: `path: "…"`.
const BEFORE_QUOTES: &str = "=:>|,[{";
/// The characters that may follow the quotes around a path on which a tool acts.
const AFTER_QUOTES: &str = ")]}<,;|&:";

/// Returns every word of a text that may be a path. For code and arguments, in which any word can name a file.
pub(super) fn pieces_of_code(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || ENDS.contains(c)).filter(|piece| is_possible_path(piece))
}

/// Returns the pieces of a text that may be a path and are delimited, as in `key=.rules/a`. A path in a sentence is not
/// returned.
pub(super) fn delimited_pieces(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(pieces_of_line)
}

/// Returns the delimited pieces of one line.
fn pieces_of_line(line: &str) -> Vec<&str> {
    let is_end = |c: char| c.is_whitespace() || ENDS.contains(c);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
        let skipped = rest.find(|c| !is_end(c)).unwrap_or(rest.len());
        let Some(rest) = rest.get(skipped..) else { break };
        let length = rest.find(is_end).unwrap_or(rest.len());
        let start = at + skipped;
        at = start + length.max(1);
        let Some(piece) = rest.get(..length).filter(|piece| is_possible_path(piece)) else { continue };
        let (before, after) = (line.get(..start).unwrap_or_default(), line.get(start + length..).unwrap_or_default());
        if is_delimited(before, after) {
            found.push(piece);
        }
    }
    found
}

/// Whether a piece is delimited as described above, given the text before and after it on its line.
fn is_delimited(before: &str, after: &str) -> bool {
    if before.trim().is_empty() && after.trim().is_empty() {
        return true;
    }
    let quote = before.chars().next_back().filter(|c| matches!(c, '"' | '\''));
    if let Some((before, after)) =
        quote.and_then(|quote| Some((before.strip_suffix(quote)?, after.strip_prefix(quote)?)))
    {
        let (before, after) = (before.trim_end(), after.trim_start());
        let begins = before.is_empty() || before.ends_with(|c| BEFORE_QUOTES.contains(c)) || is_call(before);
        return begins && (after.is_empty() || after.starts_with(|c| AFTER_QUOTES.contains(c)));
    }
    // In a mail address, `@` follows a name: `me@.rules/a`.
    let is_address = before.strip_suffix('@').is_some_and(|name| name.ends_with(|c: char| c.is_alphanumeric()));
    let begins = before.ends_with(|c| BEFORE.contains(c)) && !is_address || is_call(before);
    let is_followed = after.starts_with([',', ';', '|']) && !after.get(1..).unwrap_or_default().starts_with(' ');
    let ends = after.is_empty() || after.starts_with(char::is_whitespace) || after.starts_with(|c| AFTER.contains(c));
    // The second alternative is a list at the beginning of a line: `.rules/a,b`.
    begins && ends || before.trim().is_empty() && is_followed && after.len() > 1
}

/// Whether a text ends with the beginning of a function call, such as `open(`.
fn is_call(before: &str) -> bool {
    before.strip_suffix('(').is_some_and(|name| name.ends_with(|c: char| c.is_alphanumeric() || "_.$".contains(c)))
}

/// Whether a piece of a text looks like a path: it contains a slash or begins with a dot. A bare word such as `config`
/// does not count, since it may mean anything.
fn is_possible_path(piece: &str) -> bool {
    piece.contains(['/', '\\']) || piece.trim_start_matches(is_mark).starts_with('.')
}

/// Whether a character is an invisible mark that editors put before a text, such as a byte order mark.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{feff}' | '\u{200b}' | '\u{2060}')
}

/// Returns the path that a text spells; `None` if the text cannot be a path. `file:` URIs are decoded, `\` becomes `/`,
/// and both `$PWD/x` and `/proc/self/cwd/x` become `./x`.
pub(super) fn as_path(text: &str) -> Option<Cow<'_, str>> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || is_mark(c));
    if text.contains(['\n', '\0']) || !is_possible_path(text) {
        return None;
    }
    let path = match text.split_once("://") {
        // A URI that opens a file in an editor: `vscode://file/home/x`.
        Some((scheme, rest)) if !scheme.eq_ignore_ascii_case("file") => {
            let path = rest.strip_prefix("file/")?;
            Cow::Owned(file_uri(&format!("file:///{path}"))?.into_owned())
        }
        _ => file_uri(text)?,
    };
    let path = if path.contains('\\') { Cow::Owned(path.replace('\\', "/")) } else { path };
    let below = |rest: &str| format!("./{}", rest.trim_start_matches('/'));
    if path.starts_with(['$', '%'])
        && let Some((_, rest)) = path.split_once('/')
    {
        return Some(Cow::Owned(below(rest)));
    }
    // The working and root directory of a process: `/proc/1/cwd/x`.
    if let Some((_, rest)) = path.strip_prefix("/proc/").and_then(|path| path.split_once('/')) {
        if let Some(rest) = rest.strip_prefix("cwd/") {
            return Some(Cow::Owned(below(rest)));
        }
        if let Some(rest) = rest.strip_prefix("root/") {
            return Some(Cow::Owned(format!("/{rest}")));
        }
    }
    Some(path)
}

/// Returns the paths that a glob may match, if its first wildcard is in a hidden name: one for each of `names` that the
/// hidden name matches. `.rul*/a` becomes `.rules/a`. Each path ends before the next wildcard.
pub(super) fn expand_hidden_glob<'n>(path: &str, names: impl FnOnce() -> Vec<&'n str>) -> Vec<String> {
    let is_wild = |part: &str| part.contains(['*', '?', '[', '{']);
    let parts: Vec<&str> = path.split('/').collect();
    let Some(at) = parts.iter().position(|part| is_wild(part)) else { return Vec::new() };
    let Some((components_before, [glob, components_after @ ..])) = parts.split_at_checked(at) else {
        return Vec::new();
    };
    if !glob.starts_with('.') {
        return Vec::new();
    }
    let matching = names().into_iter().filter(|name| hookrules_shell::path::glob_matches(glob, name));
    let path_with = |name: &str| {
        let rest = components_after.iter().take_while(|part| !is_wild(part)).copied();
        components_before.iter().copied().chain([name]).chain(rest).collect::<Vec<_>>().join("/")
    };
    matching.map(path_with).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_is_passed_on_is_delimited_by_signs() {
        for text in [
            "x\n.rules/a\ny",
            "x=.rules/a",
            "--file=.rules/a next",
            "@.rules/a",
            "a,.rules/a",
            ".rules/a,b",
            "<file>.rules/a</file>",
            "open(\".rules/a\", 'w')",
            "open('x', '.rules/a')",
            "{\"path\": \".rules/a\",",
            "cp(.rules/a)",
            "[.rules/a]",
            "path: '.rules/a'",
        ] {
            assert_eq!(delimited_pieces(text).collect::<Vec<_>>(), [".rules/a"], "{text}");
        }
        for text in [
            "see .rules/a",
            ".rules/a says so",
            "see `.rules/a`.",
            "see \".rules/a\" for more",
            "(see .rules/a)",
            "the policy (.rules/a) says",
            "- .rules/a",
            "[the policy](.rules/a)",
            "x, .rules/a",
            "mail me@.rules/a",
            "{ not json: .rules/a }",
            "It is '.rules/a'.",
            "rules",
        ] {
            assert_eq!(delimited_pieces(text).count(), 0, "{text}");
        }
    }

    #[test]
    fn a_path_has_many_forms() {
        for (text, expected) in [
            (" .rules/a\n", ".rules/a"),
            ("\u{feff}.rules/a", ".rules/a"),
            (".rules\\a", ".rules/a"),
            ("file:///p/.rules/a", "/p/.rules/a"),
            ("file:///p/%2Erules/a", "/p/.rules/a"),
            ("vscode://file/p/.rules/a", "/p/.rules/a"),
            ("${PWD}/.rules/a", "./.rules/a"),
            ("$(pwd)/.rules/a", "./.rules/a"),
            ("/proc/self/cwd/.rules/a", "./.rules/a"),
            ("/proc/1/root/p/.rules/a", "/p/.rules/a"),
        ] {
            assert_eq!(as_path(text).as_deref(), Some(expected), "{text}");
        }
        for text in ["rules", "https://example.com/.rules/a", "a/b\nc"] {
            assert_eq!(as_path(text), None, "{text}");
        }
    }

    #[test]
    fn a_glob_of_hidden_names_means_each_of_them() {
        let names = [".rules", ".claude"];
        assert_eq!(expand_hidden_glob(".rul*/**", || names.to_vec()), [".rules"]);
        assert_eq!(expand_hidden_glob("/p/.*/a", || names.to_vec()), ["/p/.rules/a", "/p/.claude/a"]);
        assert_eq!(expand_hidden_glob("**/*.rs", || names.to_vec()), Vec::<String>::new());
        assert_eq!(expand_hidden_glob(".rules/a", || names.to_vec()), Vec::<String>::new());
    }
}
