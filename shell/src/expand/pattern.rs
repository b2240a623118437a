//! Patterns in parameter expansions: `${x#p}`, `${x%p}`, `${x/p/r}`, `${x^p}`.

use super::ExpansionContext;
use crate::characters::{byte_characters, locale_independent};
use crate::glob::Glob;
use crate::path::CharClass;
use crate::stream::ShellValue;
use crate::word::WordPart;

/// The maximum length of a bracket expression that is recognised, in characters.
const MAX_CLASS_CHARS: usize = 256;

/// The maximum number of offsets of a value at which a pattern is compared, one more than its characters. The work
/// grows with the square.
pub(super) const MAX_OFFSETS: usize = 256;

/// Returns the length of the bracket expression `[…]` at the start of a text; 0 if there is none, or if it contains a
/// slash, a quote, a `$`, a backtick or a backslash.
pub(super) fn class_length(text: &str) -> usize {
    // Each `[` may begin a bracket expression, so the search for its end has a limit.
    let near = text.char_indices().nth(MAX_CLASS_CHARS).map_or(text, |(at, _)| text.get(..at).unwrap_or_default());
    let length = CharClass::length(near).unwrap_or(0);
    let is_plain = near.get(..length).is_some_and(|class| !class.contains(['/', '"', '\'', '$', '`', '\\']));
    if is_plain { length } else { 0 }
}

/// Expands and parses a pattern; `None` if an unknown part or `shopt -s nocasematch` leaves open what the pattern
/// matches.
pub(super) fn read(shell: &mut dyn ExpansionContext, text: &str) -> Option<ExpansionPattern> {
    let pattern = super::pattern(shell, text);
    if shell.state().options.nocasematch { None } else { glob(&pattern) }
}

/// Expands and parses the pattern of `${x/p/r}`. Also returns `None` if the value of a leading expansion begins with
/// `#` or `%`, which some shells take for an anchor.
pub(super) fn read_unanchored(shell: &mut dyn ExpansionContext, text: &str) -> Option<ExpansionPattern> {
    let pattern = super::pattern(shell, text);
    let is_anchored = text.starts_with(['$', '`']) && pattern.word.prefix().starts_with(['#', '%']);
    if is_anchored || shell.state().options.nocasematch { None } else { glob(&pattern) }
}

/// A pattern in two forms: for shells that process characters, and for shells that process bytes.
pub(super) struct ExpansionPattern {
    characters: Glob,
    bytes: Glob,
}

impl ExpansionPattern {
    fn new(glob: &str) -> Self {
        Self { characters: Glob::new(glob), bytes: Glob::new(&byte_characters(glob)) }
    }

    /// Applies a change to a text, in characters and in bytes; `None` if the two results differ, so that the result
    /// depends on the locale.
    pub(super) fn change(
        &self,
        text: &str,
        of_characters: impl FnOnce(&str, &Glob) -> Option<String>,
        of_bytes: impl FnOnce(&str, &Glob) -> Option<String>,
    ) -> Option<String> {
        locale_independent(text, |text| of_characters(text, &self.characters), |bytes| of_bytes(bytes, &self.bytes))
    }
}

/// Turns an expanded pattern into a glob; `None` if a part is unknown.
fn glob(pattern: &ShellValue) -> Option<ExpansionPattern> {
    let mut text = String::new();
    for part in &pattern.word.parts {
        match part {
            WordPart::Text(literal) => {
                for c in literal.chars() {
                    if matches!(c, '*' | '?' | '[' | '\\') {
                        text.push('\\');
                    }
                    text.push(c);
                }
            }
            WordPart::Glob(glob) => text.push_str(glob),
            WordPart::Unknown(_) => return None,
        }
    }
    Some(ExpansionPattern::new(&text))
}

/// Which of several possible matches is removed: `#` removes the shortest, `##` the longest.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MatchLength {
    Shortest,
    Longest,
}

/// Which matches `${x/p/r}` replaces.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ReplacedMatches {
    First,
    All,
    AtStart,
    AtEnd,
}

/// Returns the value of `${text#glob}` or `${text##glob}`; `None` if it depends on the locale or the text is too
/// long.
pub(super) fn strip_start(text: &str, glob: &Glob, length: MatchLength) -> Option<String> {
    let offsets = boundaries(text, glob)?;
    let fits = |at: &usize| text.get(..*at).is_some_and(|start| glob.matches(start));
    let cut = match length {
        MatchLength::Shortest => offsets.into_iter().find(fits),
        MatchLength::Longest => offsets.into_iter().rev().find(fits),
    };
    text.get(cut.unwrap_or(0)..).map(str::to_owned)
}

/// Returns the value of `${text%glob}` or `${text%%glob}`; `None` if it depends on the locale or the text is too
/// long.
pub(super) fn strip_end(text: &str, glob: &Glob, length: MatchLength) -> Option<String> {
    let offsets = boundaries(text, glob)?;
    let fits = |at: &usize| text.get(*at..).is_some_and(|end| glob.matches(end));
    let cut = match length {
        MatchLength::Shortest => offsets.into_iter().rev().find(fits),
        MatchLength::Longest => offsets.into_iter().find(fits),
    };
    text.get(..cut.unwrap_or(text.len())).map(str::to_owned)
}

/// Returns the value of `${text/glob/with}` with the longest match at each offset; `None` as for [`strip_start`]. An
/// empty glob must have an anchor, at whose end it matches: without one the text does not change, and callers must
/// not call this.
pub(super) fn replace_matches(text: &str, glob: &Glob, with: &str, which: ReplacedMatches) -> Option<String> {
    // Every substring is tried, so the work grows with the square of the length.
    let offsets = boundaries(text, glob).filter(|offsets| offsets.len() <= MAX_OFFSETS / 4)?;
    let mut result = String::new();
    let mut at = 0;
    let mut is_done = false;
    loop {
        let is_over = at == text.len();
        // A match may be empty before a character, and at the end if it is anchored there or the text is empty.
        let ends = || offsets.iter().rev().copied().filter(|end| *end >= at);
        let match_end = match which {
            _ if is_done => None,
            ReplacedMatches::AtStart if at > 0 => None,
            ReplacedMatches::First | ReplacedMatches::All if is_over && at > 0 => None,
            ReplacedMatches::AtEnd => text.get(at..).filter(|end| glob.matches(end)).map(|_| text.len()),
            _ => ends().find(|end| text.get(at..*end).is_some_and(|piece| glob.matches(piece))),
        };
        let end = match_end.unwrap_or(at);
        if match_end.is_some() {
            result.push_str(with);
            is_done = which != ReplacedMatches::All;
        }
        if is_over {
            return Some(result);
        }
        if end == at {
            let c = text.get(at..).and_then(|rest| rest.chars().next())?;
            result.push(c);
            at += c.len_utf8();
        } else {
            at = end;
        }
    }
}

/// Returns the offsets between the characters of a text, including its start and end; `None` if there are too many,
/// or if the matches of the glob depend on the locale.
fn boundaries(text: &str, glob: &Glob) -> Option<Vec<usize>> {
    if !glob.is_certain_for(text) {
        return None;
    }
    let offsets: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    (offsets.len() <= MAX_OFFSETS).then_some(offsets)
}
