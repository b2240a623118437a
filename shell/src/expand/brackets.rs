//! Glob characters whose meaning is known only at the end of the word: a `[` whose bracket expression contains
//! quotes, expansions or backslashes (`.["e"]nv`, `.[\e]nv`, `.[$x]nv`), and a backslash in the value of a variable.
//!
//! A bracket expression with uncertain members or an uncertain end matches any text: matching too little would be
//! unsafe.

use super::fields::ExpansionMode;
use crate::word::{Cause, Unknown, UnknownPart, Word, WordPart};

/// Returns a word in which each `[`, `]` and backslash whose meaning was open is part of a bracket expression or is
/// text.
pub(super) fn resolve_brackets(word: &Word, mode: ExpansionMode) -> Word {
    let mut resolved = Word { span: word.span.clone(), ..Word::default() };
    let mut rest = word.parts.as_slice();
    while let [part, after @ ..] = rest {
        rest = after;
        match part {
            WordPart::Glob(sign) if sign == "[" => match Bracket::read(after) {
                Some(bracket) => {
                    rest = after.get(bracket.length..).unwrap_or_default();
                    resolved.push(bracket.part(after, mode));
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

/// Whether a word has a glob character other than a backslash, or both brackets.
fn is_glob(word: &Word) -> bool {
    let has_bracket = |sign: &str| word.parts.iter().any(|part| matches!(part, WordPart::Glob(glob) if glob == sign));
    let is_active_glob = |part: &WordPart| matches!(part, WordPart::Glob(glob) if !matches!(&**glob, "[" | "]" | "\\"));
    word.parts.iter().any(is_active_glob) || has_bracket("[") && has_bracket("]")
}

/// A bracket expression, read from the parts of a word after its `[`.
struct Bracket {
    /// The number of parts after the `[` that belong to the expression.
    length: usize,
    /// The characters between the brackets; `None` if they are uncertain.
    members: Option<String>,
}

impl Bracket {
    /// Parses the parts after a `[`; `None` if no later part may close the bracket.
    fn read(parts: &[WordPart]) -> Option<Self> {
        let mut members = String::new();
        let mut is_certain = true;
        let mut last_end = None;
        for (at, part) in parts.iter().enumerate() {
            match part {
                // A slash ends the file name, and a bracket expression cannot contain a slash.
                WordPart::Text(text) if text.contains('/') => break,
                WordPart::Text(text) => members.push_str(text),
                WordPart::Glob(sign) if sign == "]" && is_certain && are_plain_members(&members) => {
                    return Some(Self { length: at + 1, members: Some(members) });
                }
                // The bracket may end here, but its members are not certain.
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

    /// Returns the part that replaces the bracket expression; `parts` are the parts that [`Self::read`] parsed.
    fn part(self, parts: &[WordPart], mode: ExpansionMode) -> WordPart {
        if let Some(members) = self.members {
            return WordPart::Glob(format!("[{members}]"));
        }
        let bracket_parts = parts.get(..self.length).unwrap_or_default();
        let mut unknown_parts = bracket_parts
            .iter()
            .filter_map(|part| if let WordPart::Unknown(unknown) = part { Some(unknown) } else { None });
        let unknown = |why, splits| WordPart::Unknown(UnknownPart { reason: why, may_split: splits });
        match unknown_parts.next() {
            // A bracket expression changes the value, so the source of the value is dropped.
            Some(first) => unknown(Unknown::new(first.reason.cause, first.reason.word.clone()), first.may_split),
            None if mode == ExpansionMode::Pattern => unknown(Unknown::new(Cause::Glob, "[…]"), false),
            None => WordPart::Glob("*".to_owned()),
        }
    }
}

/// Whether the characters between brackets match exactly themselves: no range, negation or class.
fn are_plain_members(members: &str) -> bool {
    !members.is_empty() && !members.starts_with(['!', '^']) && !members.contains(['-', '[', ']', '\\'])
}
