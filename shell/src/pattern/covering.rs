//! How far a wildcard inside of a word reaches in a strict test: `build/*` says "below this directory", and
//! `http://localhost:*` says "on this host".

use std::borrow::Cow;

use crate::glob::{Fit, Glob, GlobToken};
use crate::word::{ValueSource, Word, WordPart};

/// The character that represents an unknown text in the outline of a word.
const UNKNOWN: char = '\u{1}';

/// The character that represents a name that a glob matches.
const NAME: char = '\u{2}';

/// The characters that end a path in a value: `-v ./data:/d`, `--mount type=bind,src=./data`.
const SEPARATORS: &[char] = &['/', '\\', ':', '=', ',', ';', '{', '}', '?', '#'];

/// What separates the scheme of a URL from its host.
const SCHEME_END: &str = "://";

/// Tests strictly whether a glob of a pattern covers a word. Its wildcards cover no way out of the directory, and none
/// to another host, that the text in front of them names. `is_url` says so of a URL without a scheme.
pub(super) fn covers(glob: &Glob, word: &Word, is_url: impl Fn() -> bool) -> Fit {
    let fit = glob.test(word);
    if fit == Fit::No || glob.is_literal() || glob.is_any() {
        return fit;
    }
    let tokens = glob.tokens();
    let outline = outline(word);
    let reach = stays_below(&tokens, &outline).and(stays_on_host(&tokens, &outline, is_url));
    match reach {
        Reach::Within => fit,
        Reach::Beyond => Fit::No,
        Reach::Unknown => word.unknown_reason().map_or(Fit::No, Fit::Maybe),
    }
}

/// How far a wildcard has to reach to cover a word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// The word stays where the pattern says.
    Within,
    /// An unknown part of the word decides.
    Unknown,
    /// The word leads elsewhere.
    Beyond,
}

impl Reach {
    /// Returns the farther of two reaches.
    fn and(self, other: Self) -> Self {
        self.max(other)
    }
}

/// Returns the text of a word with one character for each unknown part.
fn outline(word: &Word) -> Cow<'_, str> {
    if let Some(text) = word.known_text() {
        return Cow::Borrowed(text);
    }
    let part = |part: &WordPart| match part {
        WordPart::Text(text) => text.clone(),
        WordPart::Glob(_) => NAME.to_string(),
        WordPart::Unknown(unknown) => match &unknown.reason.source {
            ValueSource::Number => "0".to_owned(),
            ValueSource::GlobMatch(_) | ValueSource::SearchResult => NAME.to_string(),
            _ => UNKNOWN.to_string(),
        },
    };
    Cow::Owned(word.parts.iter().map(part).collect())
}

/// Whether a word stays below the directory that the pattern names in front of its first wildcard. A pattern without a
/// slash names none.
fn stays_below(tokens: &[GlobToken], outline: &str) -> Reach {
    if !tokens.iter().any(|token| token.char() == Some('/')) {
        return Reach::Within;
    }
    let literal = literal_prefix(tokens);
    let directory = literal.rfind('/').and_then(|at| literal.get(..=at)).unwrap_or_default();
    // Nothing is above the root of a host.
    if directory.split_once(SCHEME_END).is_some_and(|(_, rest)| rest.find('/') == Some(rest.len().wrapping_sub(1))) {
        return Reach::Within;
    }
    let rest = outline.strip_prefix(directory).unwrap_or(outline);
    let rest = if outline.contains(SCHEME_END) { Cow::Owned(with_dots(rest)) } else { Cow::Borrowed(rest) };
    rest.split(SEPARATORS).map(part_reach).max().unwrap_or(Reach::Within)
}

/// Returns the text of a URL with its dots, which may be encoded.
fn with_dots(text: &str) -> String {
    text.replace("%2e", ".").replace("%2E", ".")
}

/// Returns how far one name of a path leads.
fn part_reach(name: &str) -> Reach {
    match name {
        ".." => Reach::Beyond,
        _ if name.contains(UNKNOWN) => Reach::Unknown,
        // An older shell also expands `.*` to `..`.
        _ if name.starts_with('.') && name.chars().all(|c| c == '.' || c == NAME) && name.contains(NAME) => {
            Reach::Unknown
        }
        _ => Reach::Within,
    }
}

/// Whether a URL stays on the host that the pattern names.
fn stays_on_host(tokens: &[GlobToken], outline: &str, is_url: impl Fn() -> bool) -> Reach {
    let end: Vec<Option<char>> = SCHEME_END.chars().map(Some).collect();
    let chars: Vec<Option<char>> = tokens.iter().map(GlobToken::char).collect();
    let scheme_end = chars.windows(end.len()).position(|window| window == end);
    let written = outline.split_once(SCHEME_END);
    let (pattern, rest) = match (scheme_end, written) {
        (Some(at), Some((scheme, rest))) => {
            let (pattern_scheme, pattern) = tokens.split_at(at);
            if !Glob::from_tokens(pattern_scheme.to_vec()).matches(scheme) {
                return unless_unknown(scheme);
            }
            (pattern.get(end.len()..).unwrap_or_default(), rest)
        }
        (Some(_), None) => return unless_unknown(outline),
        (None, _) if !is_url() => return Reach::Within,
        (None, Some((scheme, _)))
            if scheme.starts_with(&literal_prefix(tokens)) && !literal_prefix(tokens).is_empty() =>
        {
            // The wildcard covers the whole host.
            return Reach::Within;
        }
        (None, written) => (tokens, written.map_or(outline, |(_, rest)| rest)),
    };
    let pattern = pattern.split(|token| token.char() == Some('/')).next().unwrap_or_default();
    let authority = rest.split('/').next().unwrap_or_default();
    if pattern.iter().all(|token| token.char().is_some()) || *pattern == [GlobToken::Many] {
        return Reach::Within;
    }
    if authority.contains([UNKNOWN, NAME]) {
        return Reach::Unknown;
    }
    if is_same_host(pattern, authority) { Reach::Within } else { Reach::Beyond }
}

/// Returns the reach of a text that differs from what the pattern names.
fn unless_unknown(text: &str) -> Reach {
    if text.contains(UNKNOWN) { Reach::Unknown } else { Reach::Beyond }
}

/// Whether the host in a URL, with its port, is one that a pattern names.
fn is_same_host(pattern: &[GlobToken], authority: &str) -> bool {
    let count = pattern.iter().filter(|token| token.char() == Some('@')).count();
    if authority.matches('@').count() != count || !Glob::from_tokens(pattern.to_vec()).matches(authority) {
        return false;
    }
    let chars: Vec<Option<char>> = pattern.iter().map(GlobToken::char).collect();
    let host_at = chars.iter().rposition(|c| *c == Some('@')).map_or(0, |at| at + 1);
    let pattern = pattern.get(host_at..).unwrap_or_default();
    let port_at = port_position(chars.get(host_at..).unwrap_or_default());
    let (host_pattern, port_pattern) = match port_at {
        Some(at) => (pattern.get(..at).unwrap_or_default(), pattern.get(at + 1..)),
        None => (pattern, None),
    };
    let place = authority.rsplit('@').next().unwrap_or_default();
    let place = place.split(['?', '#']).next().unwrap_or_default();
    let (host, port) = match place.rsplit_once(':').filter(|(_, port)| !port.contains(']')) {
        Some((host, port)) => (host, Some(port)),
        None => (place, None),
    };
    let is_number = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let is_host_char = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '[' | ']' | ':' | '%');
    port_pattern.is_some() <= port.is_some()
        && port.is_none_or(is_number)
        && host.chars().all(is_host_char)
        && is_covered_host(host_pattern, host)
}

/// Returns the index of the `:` in front of a port. Those of an address are in brackets.
fn port_position(chars: &[Option<char>]) -> Option<usize> {
    let at = chars.iter().rposition(|c| *c == Some(':'))?;
    let is_bracketed = chars.get(at..).unwrap_or_default().contains(&Some(']'));
    (!is_bracketed).then_some(at)
}

/// Whether a wildcard at the end of a host covers no more than the rest of a number, or of a name without dots.
fn is_covered_host(pattern: &[GlobToken], host: &str) -> bool {
    if !Glob::from_tokens(pattern.to_vec()).matches(host) {
        return false;
    }
    let literal = literal_prefix(pattern);
    let is_open = pattern.last().is_some_and(|token| token.char().is_none());
    if literal.is_empty() || !is_open {
        return true;
    }
    let is_address = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let without_end = pattern.get(..pattern.len().saturating_sub(1)).unwrap_or_default();
    if is_address(&literal) {
        is_address(host)
    } else if !literal.contains('.') {
        !host.contains('.')
    } else {
        Glob::from_tokens(without_end.to_vec()).matches(host)
    }
}

/// Returns the text of a glob in front of its first wildcard.
fn literal_prefix(tokens: &[GlobToken]) -> String {
    tokens.iter().map_while(GlobToken::char).collect()
}
