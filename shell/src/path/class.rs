//! A class of characters in a glob: `[…]`, `[!…]`. A backslash in it is a character.

use crate::bytes::{Bytes, Input, put_all, take_all};

/// The characters that a class stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Class {
    negated: bool,
    folds: bool,
    /// First and last of each; one that runs backwards holds none.
    ranges: Vec<(char, char)>,
}

impl Class {
    /// Returns the length in bytes of the class that a text begins with.
    pub(crate) fn length(text: &str) -> Option<usize> {
        let body = text.strip_prefix('[')?;
        let body = body.strip_prefix(['!', '^']).unwrap_or(body);
        // A `]` that comes first is a member.
        let rest = body.strip_prefix(']').unwrap_or(body);
        let end = rest.find(']')?;
        Some(text.len() - rest.len() + end + 1)
    }

    /// Reads the class that a text begins with, and returns its length in bytes.
    pub(crate) fn read(text: &str) -> Option<(Self, usize)> {
        let length = Self::length(text)?;
        let body = text.get(1..length - 1)?;
        let members = body.strip_prefix(['!', '^']);
        let negated = members.is_some();
        let mut chars = members.unwrap_or(body).chars();
        let mut ranges = Vec::new();
        while let Some(low) = chars.next() {
            let mut ahead = chars.clone();
            match (ahead.next(), ahead.next()) {
                (Some('-'), Some(high)) => {
                    ranges.push((low, high));
                    chars = ahead;
                }
                _ => ranges.push((low, low)),
            }
        }
        Some((Self { negated, folds: false, ranges }, length))
    }

    /// Makes the class of all characters but one.
    pub(crate) fn any_but(c: char) -> Self {
        Self { negated: true, folds: false, ranges: vec![(c, c)] }
    }

    /// Returns the range that runs backwards, if there is one.
    pub(crate) fn backwards(&self) -> Option<(char, char)> {
        self.ranges.iter().copied().find(|(low, high)| low > high)
    }

    /// Returns the class for texts in any case.
    pub(crate) fn folded(self) -> Self {
        Self { folds: true, ..self }
    }

    /// Tells whether a character is in it.
    pub(crate) fn holds(&self, c: char) -> bool {
        let within = |c: char| self.ranges.iter().any(|(low, high)| (*low..=*high).contains(&c));
        let found = within(c) || (self.folds && (c.to_uppercase().any(within) || c.to_lowercase().any(within)));
        found != self.negated
    }

    /// Returns the letters of the other case that belong to its ASCII letters, as members of a class.
    fn other_case(&self) -> String {
        let mut members = String::new();
        for (low, high) in &self.ranges {
            for (first, last) in [('a', 'z'), ('A', 'Z')] {
                let (low, high) = (first.max(*low), last.min(*high));
                if low <= high {
                    let swapped =
                        |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
                    members.extend([swapped(low), '-', swapped(high)]);
                }
            }
        }
        members
    }
}

impl Bytes for Class {
    fn put(&self, out: &mut Vec<u8>) {
        let Self { negated, folds, ranges } = self;
        negated.put(out);
        folds.put(out);
        put_all(ranges, out);
    }

    fn take(input: &mut Input<'_>) -> Option<Self> {
        Some(Self { negated: bool::take(input)?, folds: bool::take(input)?, ranges: take_all(input)? })
    }
}

/// Returns a glob that matches in any case of ASCII letters what a glob matches.
pub(crate) fn in_any_case(glob: &str) -> String {
    // Where nothing closes, each of many brackets would look for its end in vain.
    let last_end = glob.rfind(']').unwrap_or(0);
    let mut folded = String::new();
    let mut rest = glob;
    while let Some(first) = rest.chars().next() {
        let mut length = first.len_utf8();
        let (lower, upper) = (first.to_ascii_lowercase(), first.to_ascii_uppercase());
        if first == '\\' {
            length += rest.chars().nth(1).map_or(0, char::len_utf8);
            folded.push_str(rest.get(..length).unwrap_or_default());
        } else if first == '['
            && glob.len() - rest.len() < last_end
            && let Some((class, end)) = Class::read(rest)
        {
            length = end;
            // A dash at the end is a member, and would make a range with what follows it.
            let (body, dash) = match (rest.get(..end - 1).unwrap_or_default(), class.ranges.last()) {
                (body, Some(('-', '-'))) => (body.strip_suffix('-').unwrap_or(body), "-"),
                (body, _) => (body, ""),
            };
            folded.extend([body, &class.other_case(), dash, "]"]);
        } else if first == '[' {
            // Nothing closes it: it is a character.
            folded.push_str("\\[");
        } else if lower == upper {
            folded.push(first);
        } else {
            folded.extend(['[', lower, upper, ']']);
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::glob_matches;

    #[test]
    fn a_class_ends_at_its_bracket() {
        let rows = [("[a]b", 3), ("[]]b", 3), ("[!]]", 4), ("[^]a]", 5), ("[a-]", 4), ("[]", 0), ("[!]", 0), ("a]", 0)];
        for (text, length) in rows {
            assert_eq!(Class::length(text).unwrap_or(0), length, "{text}");
            assert_eq!(Class::read(text).map_or(0, |(_, length)| length), length, "{text}");
        }
    }

    #[test]
    fn a_glob_in_any_case_matches_what_the_glob_matches_in_any_case() {
        let globs =
            ["*.Ab", "[s]rc", "[!s]rc", "[a-f]x", "[]s]rc", "[s-]rc", "[-s]rc", "[A-z]x", "a[", "[+--s]x", "\\[a]"];
        let texts =
            ["x.ab", "src", "SRC", "Src", "-rc", "]rc", "_x", "Bx", "bx", "a[", "A[", "-x", "Sx", ".x", "[a]", "[A]"];
        for glob in globs {
            for text in texts {
                let expected = glob_matches(&glob.to_ascii_lowercase(), &text.to_ascii_lowercase())
                    || glob_matches(&glob.to_ascii_uppercase(), &text.to_ascii_uppercase());
                let is_special = glob == "[A-z]x" || glob.starts_with("[!");
                if !is_special {
                    assert_eq!(glob_matches(&in_any_case(glob), text), expected, "{glob} {} {text}", in_any_case(glob));
                }
            }
        }
        for (glob, text, expected) in [("[A-z]x", "_x", true), ("[!s]rc", "src", false), ("[!s]rc", "Src", false)] {
            assert_eq!(glob_matches(&in_any_case(glob), text), expected, "{glob} {text}");
        }
    }
}
