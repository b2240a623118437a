//! Brace expansion, which precedes all other expansions: `a{b,c}` is two words, `{1..3}` three.

use std::borrow::Cow;
use std::ops::Range;

use crate::dialect::{DialectFeature, DialectReading};
use crate::parse::{EnclosingQuotes, dollar};

/// The maximum number of words that one word may expand to.
const MAX_WORDS: usize = 256;

/// The maximum number of bytes of these words together.
const MAX_BYTES: usize = 1 << 16;

/// The maximum number of opening braces in a word that are examined; further ones are literal.
const MAX_TRIED_BRACES: usize = 64;

/// Returns the brace expansions of a word: the word alone if it has no braces; `None` if there are too many.
pub(super) fn expand(word: &str, reading: &DialectReading) -> Option<Vec<String>> {
    if !word.contains('{') || !reading.has(DialectFeature::Braces) {
        return Some(vec![word.to_owned()]);
    }
    let mut done: Vec<String> = Vec::new();
    // A stack of the texts still to be expanded, the first on top. The text before the offset has no more braces.
    let mut pending = vec![(word.to_owned(), 0)];
    while let Some((text, from)) = pending.pop() {
        let Some(BraceGroup { span: Range { start: at, end }, parts }) = first_group(&text, from, reading) else {
            done.push(text);
            continue;
        };
        let parts = parts?;
        let count = done.len() + pending.len() + parts.len();
        if count > MAX_WORDS || count * text.len() > MAX_BYTES {
            return None;
        }
        let (before, after) = (text.get(..at).unwrap_or_default(), text.get(end..).unwrap_or_default());
        pending.extend(parts.iter().rev().map(|part| (format!("{before}{part}{after}"), at)));
    }
    Some(done)
}

/// The alternatives of a brace group, not yet expanded themselves; `None` if there are too many.
type BraceAlternatives = Option<Vec<String>>;

/// A brace group in a text.
struct BraceGroup {
    span: Range<usize>,
    parts: BraceAlternatives,
}

/// Finds the first brace group at or after the offset `from`.
fn first_group(text: &str, from: usize, reading: &DialectReading) -> Option<BraceGroup> {
    let mut at = from;
    let mut tried = 0;
    loop {
        let c = text.get(at..)?.chars().next()?;
        if c == '{' && tried < MAX_TRIED_BRACES {
            if let Some((end, parts)) = alternatives(text, at + 1, reading) {
                return Some(BraceGroup { span: at..end, parts });
            }
            tried += 1;
        }
        at += step_length(text, at, c, reading);
    }
}

/// Parses the content of braces, which begins at the offset `from`. Returns the offset after `}` and the alternatives;
/// `None` if the content is neither a list nor a range.
fn alternatives(text: &str, from: usize, reading: &DialectReading) -> Option<(usize, BraceAlternatives)> {
    let mut depth = 0_usize;
    let mut commas = Vec::new();
    let mut at = from;
    let end = loop {
        let c = text.get(at..)?.chars().next()?;
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break at,
            '}' => depth -= 1,
            ',' if depth == 0 => commas.push(at),
            _ => {}
        }
        at += step_length(text, at, c, reading);
    };
    // Without a comma, the content may be a range.
    if commas.is_empty() {
        return range(text.get(from..end)?, reading).map(|parts| (end + 1, parts));
    }
    let starts = std::iter::once(from).chain(commas.iter().map(|at| at + 1));
    let ends = commas.iter().copied().chain([end]);
    let parts = starts.zip(ends).map(|(start, end)| text.get(start..end).map(str::to_owned));
    Some((end + 1, parts.collect()))
}

/// Returns the values of a range, `1..3` or `a..e..2`; `None` if the text is not a range.
fn range(text: &str, reading: &DialectReading) -> Option<BraceAlternatives> {
    let mut parts = text.split("..");
    let (first, last, step) = (parts.next()?, parts.next()?, parts.next());
    if parts.next().is_some() {
        return None;
    }
    let number = |text: &str| text.parse::<i64>().ok();
    let has_step = step.is_some();
    let step = step.map_or(Some(1), number)?;
    // Zsh accepts a step only in a range of numbers, and no `+`; a negative step reverses the range, and a step of 0
    // makes it literal.
    let is_rejected_by_zsh = text.contains('+') || has_step && number(first).is_none();
    let differs_in_zsh = (is_rejected_by_zsh || step <= 0) && reading.has(DialectFeature::ZshSyntax);
    if differs_in_zsh && is_rejected_by_zsh {
        return None;
    }
    if differs_in_zsh && step == 0 {
        return Some(Some(vec![text.to_owned()]));
    }
    let step = step.unsigned_abs().max(1);
    let letter = |text: &str| text.chars().next().filter(|c| text.len() == 1 && c.is_ascii_alphabetic());
    if let (Some(first), Some(last)) = (letter(first), letter(last)) {
        let values = numbers(i64::from(u32::from(first)), i64::from(u32::from(last)), step);
        let letter = |value| u8::try_from(value).ok().map(|c| char::from(c).to_string());
        return Some(values.and_then(|values| values.into_iter().map(letter).collect()));
    }
    // A number with a leading zero gives all numbers of the range its width: `{01..10}`.
    let is_padded =
        |text: &str| text.trim_start_matches('-').starts_with('0') && text.trim_start_matches('-').len() > 1;
    let width = if is_padded(first) || is_padded(last) { first.len().max(last.len()) } else { 0 };
    let mut values = numbers(number(first)?, number(last)?, step);
    if differs_in_zsh {
        values.iter_mut().for_each(|values| values.reverse());
    }
    Some(values.map(|values| values.into_iter().map(|value| format!("{value:0width$}")).collect()))
}

/// Returns the numbers from `first` to `last`, also downwards; `None` if there are too many.
fn numbers(first: i64, last: i64, step: u64) -> Option<Vec<i64>> {
    if first.abs_diff(last) / step >= MAX_WORDS as u64 {
        return None;
    }
    let step = i64::try_from(step).ok()?;
    let mut values = vec![first];
    let mut value = first;
    loop {
        value = if first <= last { value.checked_add(step)? } else { value.checked_sub(step)? };
        if (first <= last && value > last) || (first > last && value < last) {
            return Some(values);
        }
        values.push(value);
    }
}

/// Removes each backslash before a newline together with the newline, which joins the lines before any other expansion:
/// `$a\⏎b` is `$ab`.
pub(super) fn joined_lines<'t>(text: &'t str, reading: &DialectReading) -> Cow<'t, str> {
    if !text.contains("\\\n") {
        return Cow::Borrowed(text);
    }
    let mut joined = String::with_capacity(text.len());
    let mut at = 0;
    let mut is_quoted = false;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let length = match c {
            '"' => {
                is_quoted = !is_quoted;
                1
            }
            '\'' if is_quoted => 1,
            _ => step_length(text, at, c, reading),
        };
        let piece = text.get(at..at + length).unwrap_or_default();
        if piece != "\\\n" {
            joined.push_str(piece);
        }
        at += length;
    }
    Cow::Owned(joined)
}

/// Returns the length of the text at the offset `at` that the search for a sign skips as a whole: a quoted text, an
/// escape, a substitution, or else the single character `c` that is there.
pub(super) fn step_length(text: &str, at: usize, c: char, reading: &DialectReading) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let after = rest.get(c.len_utf8()..).unwrap_or_default();
    match c {
        '\\' => 1 + after.chars().next().map_or(0, char::len_utf8),
        '\'' => 2 + after.find('\'').unwrap_or(after.len()),
        '"' => double_quotes_length(rest, reading),
        '$' | '`' => substitution_length(text, at, EnclosingQuotes::Nothing, reading),
        '<' | '>' if after.starts_with('(') => substitution_length(text, at, EnclosingQuotes::Nothing, reading),
        _ => c.len_utf8(),
    }
}

/// Returns the length of the substitution at an offset, or 1, the length of its sign, if there is none.
fn substitution_length(text: &str, at: usize, inside: EnclosingQuotes, reading: &DialectReading) -> usize {
    dollar(text, at, inside, reading).ok().flatten().map_or(1, |(_, end)| end - at)
}

/// Returns the length of the double-quoted text at the start of `text`.
fn double_quotes_length(text: &str, reading: &DialectReading) -> usize {
    let mut at = 1;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        at += match c {
            '"' => return at + 1,
            '\\' => 1 + text.get(at + 1..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8),
            '$' | '`' => substitution_length(text, at, EnclosingQuotes::DoubleQuotes, reading),
            _ => c.len_utf8(),
        };
    }
    text.len()
}

/// Returns the length of the `(…)` at the start of `text`, with its parentheses.
pub(super) fn parens_length(text: &str, reading: &DialectReading) -> usize {
    balanced_length(text, ('(', ')'), reading)
}

/// Returns the length of the `[…]` at the start of `text`, with its brackets.
pub(super) fn brackets_length(text: &str, reading: &DialectReading) -> usize {
    balanced_length(text, ('[', ']'), reading)
}

/// Returns the length from the opening delimiter, at the start, up to and including the matching closing one; the whole
/// length if it is never closed.
fn balanced_length(text: &str, (open, close): (char, char), reading: &DialectReading) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        match c {
            c if c == open => depth += 1,
            c if c == close && depth <= 1 => return at + 1,
            c if c == close => depth -= 1,
            _ => {}
        }
        at += step_length(text, at, c, reading);
    }
    text.len()
}
