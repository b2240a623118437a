//! Glob characters whose meaning is only known at the end of the word: a `[` whose bracket contains quotes, expansions
//! or backslashes (`.["e"]nv`, `.[\e]nv`, `.[$x]nv`), and a backslash that comes from a value.
//!
//! A bracket with uncertain members or an uncertain end matches anything, rather than nothing.

use super::fields::ExpansionMode;
use crate::word::{Cause, Unknown, UnknownPart, Word, WordPart};

/// Returns a word with its pending characters resolved to bracket expressions or to text.
pub(super) fn resolve_brackets(word: &Word, way: ExpansionMode) -> Word {
    let mut resolved = Word { span: word.span.clone(), ..Word::default() };
    let mut rest = word.parts.as_slice();
    while let [part, behind @ ..] = rest {
        rest = behind;
        match part {
            WordPart::Glob(sign) if sign == "[" => match Bracket::read(behind) {
                Some(bracket) => {
                    rest = behind.get(bracket.length..).unwrap_or_default();
                    resolved.push(bracket.part(behind, way));
                }
                None => resolved.push(WordPart::Text(sign.clone())),
            },
            WordPart::Glob(sign) if sign == "]" => resolved.push(WordPart::Text(sign.clone())),
            // In a glob, the backslash escapes the next character; otherwise it is literal.
            WordPart::Glob(sign) if sign == "\\" && is_glob(word) => {}
            WordPart::Glob(sign) if sign == "\\" => resolved.push(WordPart::Text(sign.clone())),
            part => resolved.push(part.clone()),
        }
    }
    resolved
}

/// Whether a word has glob characters other than a backslash.
fn is_glob(word: &Word) -> bool {
    let brackets = |sign: &str| word.parts.iter().any(|part| matches!(part, WordPart::Glob(glob) if glob == sign));
    let is_other = |part: &WordPart| matches!(part, WordPart::Glob(glob) if !matches!(&**glob, "[" | "]" | "\\"));
    word.parts.iter().any(is_other) || brackets("[") && brackets("]")
}

/// The parts after a `[`, up to where the bracket may end.
struct Bracket {
    /// The number of parts that belong to it.
    length: usize,
    /// Its members, if they are certain.
    members: Option<String>,
}

impl Bracket {
    /// Parses the parts after a `[`; `None` if they are not a bracket.
    fn read(parts: &[WordPart]) -> Option<Self> {
        let mut members = String::new();
        let mut is_certain = true;
        let mut last_end = None;
        for (at, part) in parts.iter().enumerate() {
            match part {
                // A slash ends the name, and with it the bracket.
                WordPart::Text(text) if text.contains('/') => break,
                WordPart::Text(text) => members.push_str(text),
                WordPart::Glob(sign) if sign == "]" && is_certain && is_plain(&members) => {
                    return Some(Self { length: at + 1, members: Some(members) });
                }
                WordPart::Glob(sign) if sign.ends_with(']') => {
                    is_certain = false;
                    last_end = Some(at);
                }
                WordPart::Glob(sign) if sign == "\\" => is_certain = false,
                WordPart::Glob(sign) => members.push_str(sign),
                // The unknown part may contain the closing bracket.
                WordPart::Unknown(_) => {
                    is_certain = false;
                    last_end = Some(at);
                }
            }
        }
        last_end.map(|at| Self { length: at + 1, members: None })
    }

    /// Returns the part that replaces the bracket; `parts` are those that it was parsed from.
    fn part(self, parts: &[WordPart], way: ExpansionMode) -> WordPart {
        if let Some(members) = self.members {
            return WordPart::Glob(format!("[{members}]"));
        }
        let own = parts.get(..self.length).unwrap_or_default();
        let mut among =
            own.iter().filter_map(|part| if let WordPart::Unknown(unknown) = part { Some(unknown) } else { None });
        let unknown = |why, splits| WordPart::Unknown(UnknownPart { reason: why, may_split: splits });
        match among.next() {
            // Between brackets, the kind of a value is lost: its source is dropped.
            Some(found) => unknown(Unknown::new(found.reason.cause, found.reason.word.clone()), found.may_split),
            None if way == ExpansionMode::Pattern => unknown(Unknown::new(Cause::Glob, "[…]"), false),
            None => WordPart::Glob("*".to_owned()),
        }
    }
}

/// Whether characters in a bracket match exactly themselves.
fn is_plain(members: &str) -> bool {
    !members.is_empty() && !members.starts_with(['!', '^']) && !members.contains(['-', '[', ']', '\\'])
}
