//! A class of characters in a glob: `[…]`, `[!…]`, with POSIX's classes in it: `[[:alpha:]]`. A backslash in it is a
//! character.

use crate::bytes::{Bytes, Input, put_all, take_all};

/// The characters that a class stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Class {
    negated: bool,
    folds: bool,
    open: Open,
    /// First and last of each; one that runs backwards holds none.
    ranges: Vec<(char, char)>,
}

/// Of which characters it is not known whether they are members.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Open {
    /// Of none.
    Nothing,
    /// Of those beyond ASCII: the locale says which of them are letters.
    Foreign,
    /// Of all: a member is one that is not known here.
    Everything,
}

/// POSIX's classes, and bash's `word`: which of ASCII's characters are in them.
const NAMED: &[(&str, &[(char, char)])] = &[
    ("alnum", &[('0', '9'), ('A', 'Z'), ('a', 'z')]),
    ("alpha", &[('A', 'Z'), ('a', 'z')]),
    ("ascii", &[('\0', '\x7f')]),
    ("blank", &[(' ', ' '), ('\t', '\t')]),
    ("cntrl", &[('\0', '\x1f'), ('\x7f', '\x7f')]),
    ("digit", &[('0', '9')]),
    ("graph", &[('!', '~')]),
    ("lower", &[('a', 'z')]),
    ("print", &[(' ', '~')]),
    ("punct", &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')]),
    ("space", &[(' ', ' '), ('\t', '\r')]),
    ("upper", &[('A', 'Z')]),
    ("word", &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')]),
    ("xdigit", &[('0', '9'), ('A', 'F'), ('a', 'f')]),
];

/// How long what stands between `[:` and `:]` may be, in bytes: no name is longer, and none has to be looked for in vain.
const LONGEST_NAME: usize = 32;

/// What stands in a class.
enum Member<'t> {
    Char(char),
    /// `[:alpha:]`
    Named(&'t str),
    /// `[=e=]`, `[.e.]`: what sorts like it, which the locale says.
    Sorted,
}

impl<'t> Member<'t> {
    /// Reads the member that a text begins with, and returns its length in bytes.
    fn read(text: &'t str) -> Option<(Self, usize)> {
        let first = text.chars().next()?;
        let inner = text.strip_prefix('[').and_then(|rest| {
            let (sign, end) =
                [(":", ":]"), ("=", "=]"), (".", ".]")].into_iter().find(|(sign, _)| rest.starts_with(sign))?;
            let rest = rest.get(sign.len()..)?;
            // What a sign names is one character at least: `[.].]`.
            let from = rest.chars().next().map(char::len_utf8)?;
            let near = rest.char_indices().map(|(at, _)| at).take_while(|at| *at <= LONGEST_NAME);
            let at = near
                .skip_while(|at| *at < from)
                .find(|at| rest.get(*at..).is_some_and(|rest| rest.starts_with(end)))?;
            Some((sign, rest.get(..at)?))
        });
        Some(match inner {
            Some((":", name)) => (Self::Named(name), name.len() + 4),
            Some((_, name)) => (Self::Sorted, name.len() + 4),
            None => (Self::Char(first), first.len_utf8()),
        })
    }
}

impl Class {
    /// Returns the length in bytes of the class that a text begins with.
    pub(crate) fn length(text: &str) -> Option<usize> {
        let body = text.strip_prefix('[')?;
        let body = body.strip_prefix(['!', '^']).unwrap_or(body);
        // A `]` that comes first is a member.
        let mut rest = body.strip_prefix(']').unwrap_or(body);
        loop {
            rest = rest.get(rest.find(['[', ']'])?..)?;
            if let Some(behind) = rest.strip_prefix(']') {
                return Some(text.len() - behind.len());
            }
            let (_, length) = Member::read(rest)?;
            rest = rest.get(length..)?;
        }
    }

    /// Reads the class that a text begins with, and returns its length in bytes.
    pub(crate) fn read(text: &str) -> Option<(Self, usize)> {
        let length = Self::length(text)?;
        let body = text.get(1..length - 1)?;
        let members = body.strip_prefix(['!', '^']);
        let mut class = Self { negated: members.is_some(), folds: false, open: Open::Nothing, ranges: Vec::new() };
        let mut rest = members.unwrap_or(body);
        while let Some((member, taken)) = Member::read(rest) {
            rest = rest.get(taken..).unwrap_or_default();
            let to = rest.strip_prefix('-').and_then(Member::read);
            match (member, to) {
                (Member::Char(low), Some((Member::Char(high), taken))) => {
                    class.ranges.push((low, high));
                    rest = rest.get(1 + taken..).unwrap_or_default();
                }
                (Member::Char(c), None) => class.ranges.push((c, c)),
                (Member::Named(name), None) => class.add_named(name),
                // A range from or to what is no character.
                (_, Some((_, taken))) => {
                    class.open = Open::Everything;
                    rest = rest.get(1 + taken..).unwrap_or_default();
                }
                (Member::Sorted, None) => class.open = Open::Everything,
            }
        }
        Some((class, length))
    }

    fn add_named(&mut self, name: &str) {
        let Some((_, ranges)) = NAMED.iter().find(|(known, _)| *known == name) else {
            self.open = Open::Everything;
            return;
        };
        self.ranges.extend(*ranges);
        if !matches!(name, "ascii" | "digit" | "xdigit") {
            self.open = self.open.max(Open::Foreign);
        }
    }

    /// Makes the class of all characters but one.
    pub(crate) fn any_but(c: char) -> Self {
        Self { negated: true, folds: false, open: Open::Nothing, ranges: vec![(c, c)] }
    }

    /// Returns the range that runs backwards, if there is one.
    pub(crate) fn backwards(&self) -> Option<(char, char)> {
        self.ranges.iter().copied().find(|(low, high)| low > high)
    }

    /// Returns the class for texts in any case.
    pub(crate) fn folded(self) -> Self {
        Self { folds: true, ..self }
    }

    /// Tells whether it is known of every character whether it is in it, of those beyond ASCII too.
    pub(crate) fn is_closed(&self) -> bool {
        self.open == Open::Nothing
    }

    /// Tells whether a member is one that is not known here, so that any character may be in it.
    pub(crate) fn is_strange(&self) -> bool {
        self.open == Open::Everything
    }

    /// Tells whether a character may be in it, in one locale or another.
    pub(crate) fn may_hold(&self, c: char) -> bool {
        self.holds(c) || (self.open == Open::Foreign && !c.is_ascii())
    }

    /// Tells whether a character is in it. POSIX's classes hold nothing beyond ASCII; one that is not understood holds
    /// every character.
    pub(crate) fn holds(&self, c: char) -> bool {
        if self.open == Open::Everything {
            return true;
        }
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
        let Self { negated, folds, open, ranges } = self;
        negated.put(out);
        folds.put(out);
        open.put(out);
        put_all(ranges, out);
    }

    fn take(input: &mut Input<'_>) -> Option<Self> {
        Some(Self {
            negated: bool::take(input)?,
            folds: bool::take(input)?,
            open: Open::take(input)?,
            ranges: take_all(input)?,
        })
    }
}

impl Bytes for Open {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(*self as u8);
    }

    fn take(input: &mut Input<'_>) -> Option<Self> {
        let all = [Self::Nothing, Self::Foreign, Self::Everything];
        all.get(usize::from(input.byte()?)).copied()
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
