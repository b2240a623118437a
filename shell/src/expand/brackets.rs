//! Signs of a word of which only its end says what they are: a `[` whose bracket holds quotes, expansions or backslashes
//! (`.["e"]nv`, `.[\e]nv`, `.[$x]nv`), and a backslash that a value brings.
//!
//! A bracket of which it is not certain what it holds or where it ends matches anything, never nothing.

use super::fields::Way;
use crate::word::{Cause, Part, Unknown, UnknownPart, Word};

/// Returns a word with what the signs in it are: brackets, or text.
pub(super) fn resolved(word: &Word, way: Way) -> Word {
    let mut resolved = Word { span: word.span.clone(), ..Word::default() };
    let mut rest = word.parts.as_slice();
    while let [part, behind @ ..] = rest {
        rest = behind;
        match part {
            Part::Glob(sign) if sign == "[" => match Bracket::read(behind) {
                Some(bracket) => {
                    rest = behind.get(bracket.length..).unwrap_or_default();
                    resolved.push(bracket.part(behind, way));
                }
                None => resolved.push(Part::Text(sign.clone())),
            },
            Part::Glob(sign) if sign == "]" => resolved.push(Part::Text(sign.clone())),
            // Among the signs of a glob it stands for what follows it, and is a character elsewhere.
            Part::Glob(sign) if sign == "\\" && is_glob(word) => {}
            Part::Glob(sign) if sign == "\\" => resolved.push(Part::Text(sign.clone())),
            part => resolved.push(part.clone()),
        }
    }
    resolved
}

/// Tells whether a word is a glob by more than a backslash.
fn is_glob(word: &Word) -> bool {
    let brackets = |sign: &str| word.parts.iter().any(|part| matches!(part, Part::Glob(glob) if glob == sign));
    let is_other = |part: &Part| matches!(part, Part::Glob(glob) if !matches!(&**glob, "[" | "]" | "\\"));
    word.parts.iter().any(is_other) || brackets("[") && brackets("]")
}

/// What follows a `[` up to where it may end.
struct Bracket {
    /// How many parts belong to it.
    length: usize,
    /// What it holds, where that is certain.
    members: Option<String>,
}

impl Bracket {
    /// Reads what follows a `[`; nothing where no bracket begins there.
    fn read(parts: &[Part]) -> Option<Self> {
        let mut members = String::new();
        let mut is_certain = true;
        let mut last_end = None;
        for (at, part) in parts.iter().enumerate() {
            match part {
                // A name ends there, and so does what begins in it.
                Part::Text(text) if text.contains('/') => break,
                Part::Text(text) => members.push_str(text),
                Part::Glob(sign) if sign == "]" && is_certain && is_plain(&members) => {
                    return Some(Self { length: at + 1, members: Some(members) });
                }
                Part::Glob(sign) if sign.ends_with(']') => {
                    is_certain = false;
                    last_end = Some(at);
                }
                Part::Glob(sign) if sign == "\\" => is_certain = false,
                Part::Glob(sign) => members.push_str(sign),
                // It may hold the end.
                Part::Unknown(_) => {
                    is_certain = false;
                    last_end = Some(at);
                }
            }
        }
        last_end.map(|at| Self { length: at + 1, members: None })
    }

    /// Returns what stands for it among the parts that it was read from.
    fn part(self, parts: &[Part], way: Way) -> Part {
        if let Some(members) = self.members {
            return Part::Glob(format!("[{members}]"));
        }
        let own = parts.get(..self.length).unwrap_or_default();
        let mut among =
            own.iter().filter_map(|part| if let Part::Unknown(unknown) = part { Some(unknown) } else { None });
        let unknown = |why, splits| Part::Unknown(UnknownPart { why, splits });
        match among.next() {
            // A value of a certain kind is none between brackets.
            Some(found) => unknown(Unknown::new(found.why.cause, found.why.word.clone()), found.splits),
            None if way == Way::Pattern => unknown(Unknown::new(Cause::Glob, "[…]"), false),
            None => Part::Glob("*".to_owned()),
        }
    }
}

/// Tells whether each of some characters is a member of a bracket that holds them, and nothing else is.
fn is_plain(members: &str) -> bool {
    !members.is_empty() && !members.starts_with(['!', '^']) && !members.contains(['-', '[', ']', '\\'])
}
