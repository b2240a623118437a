//! The results of expansion operators on known texts and on globs.

use super::braces;
use super::parameter::Meant;
use crate::dialect::Reading;
use crate::stream::Value;
use crate::word::{Cause, Part, Source, Unknown, UnknownPart, Word};

/// Removes a suffix or the leading directories from the names that a glob matches: `${f%.txt}`, `${f%.*}`, `${f##*/}`.
///
/// The glob becomes an unknown part: the resulting names are not those that match it.
pub(super) fn of_glob(value: &Value, sign: char, rest: &str, whole: &str) -> Option<Meant> {
    let word = value.word.as_globs();
    let parts = &word.parts;
    let is_name = |glob: &str| !glob.contains(['/', '(']) && !glob.contains("**");
    let mut before_is_glob = false;
    for part in parts {
        let is_glob = match part {
            Part::Text(_) => false,
            Part::Glob(glob) if is_name(glob) && !before_is_glob => true,
            Part::Glob(_) | Part::Unknown(_) => return None,
        };
        before_is_glob = is_glob;
    }
    if !parts.iter().any(|part| matches!(part, Part::Glob(_))) {
        return None;
    }
    let mut kept = parts.clone();
    match (sign, rest) {
        ('#', "#*/") => {
            let is_cut = |part: &Part| matches!(part, Part::Text(text) if text.contains('/'));
            if let Some(at) = kept.iter().rposition(is_cut) {
                kept.0.drain(..at);
                if let Some(Part::Text(text)) = kept.first_mut() {
                    *text = text.rsplit('/').next().unwrap_or_default().to_owned();
                }
            }
        }
        ('%', "/" | "%/") => {
            let Some(Part::Text(text)) = kept.last_mut() else { return None };
            text.truncate(text.strip_suffix('/').unwrap_or(text).len());
            // The names stay the same; an empty text after them is dropped.
            kept.0.retain(|part| part.text() != Some(""));
            return Some(Meant::One(Value { word: Word { parts: kept, span: None }, from: value.from.clone() }));
        }
        ('%', end) => {
            let Some(Part::Text(text)) = kept.last_mut() else { return None };
            let is_literal =
                |end: &str| !end.is_empty() && end.chars().all(|c| c.is_alphanumeric() || "._-".contains(c));
            let cut = match end.strip_suffix('*') {
                Some(start) if is_literal(start) => text.rfind(start)?,
                None if is_literal(end) => text.len().checked_sub(end.len()).filter(|_| text.ends_with(end))?,
                _ => return None,
            };
            text.truncate(cut);
        }
        _ => return None,
    }
    let mut word = Word::default();
    for part in kept {
        word.push(match part {
            Part::Glob(_) => {
                Part::Unknown(UnknownPart { why: Unknown::of(Cause::Glob, whole, Source::Name), splits: false })
            }
            part => part,
        });
    }
    Some(Meant::One(Value { word, from: value.from.clone() }))
}

/// Splits `pattern/replacement` at the first slash from an offset on that is not escaped, quoted or in a substitution.
pub(super) fn split_pattern<'t>(text: &'t str, from: usize, reading: &Reading) -> (&'t str, &'t str) {
    let mut at = from;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        if c == '/' {
            return text.split_at_checked(at).map_or((text, ""), |(from, to)| (from, to.get(1..).unwrap_or_default()));
        }
        at += braces::step(text, at, c, reading);
    }
    (text, "")
}

/// `${x^^}`, `${x,,}`; `None` if the result depends on the locale.
pub(super) fn cased(text: &str, sign: char) -> Option<String> {
    let is_upper = sign == '^';
    text.is_ascii().then(|| if is_upper { text.to_ascii_uppercase() } else { text.to_ascii_lowercase() })
}

/// `${x^}`, `${x,}`; `None` if the result depends on the locale.
pub(super) fn cased_first(text: &str, sign: char) -> Option<String> {
    let first = text.chars().next().map_or(0, char::len_utf8);
    let (first, rest) = text.split_at_checked(first).unwrap_or((text, ""));
    Some(format!("{}{rest}", cased(first, sign)?))
}

/// Returns the function of `${x@U}`, `${x@u}`, `${x@L}` or `${x@Q}`; `None` for operators that need more than the
/// value.
pub(super) fn transformed(letter: &str) -> Option<fn(&str) -> Option<String>> {
    Some(match letter {
        "U" => |text| cased(text, '^'),
        "u" => |text| cased_first(text, '^'),
        "L" => |text| cased(text, ','),
        // Non-printing characters are quoted in another way.
        "Q" => |text| {
            (!text.chars().any(|c| c.is_control() || !c.is_ascii()))
                .then(|| format!("'{}'", text.replace('\'', "'\\''")))
        },
        _ => return None,
    })
}
