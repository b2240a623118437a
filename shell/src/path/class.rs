//! A character class of a glob: `[…]`, `[!…]`, with POSIX classes in it: `[[:alpha:]]`. A backslash in it is an
//! ordinary character.

use crate::bytes::{ByteReader, Encodable, decode_all, encode_all};

/// A set of characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CharClass {
    negated: bool,
    folds: bool,
    open: UncertainMembers,
    /// The first and last character of each range; a reversed range is empty.
    ranges: Vec<(char, char)>,
}

/// The characters whose membership is unknown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum UncertainMembers {
    /// None.
    Nothing,
    /// Those beyond ASCII: which of them are letters depends on the locale.
    Foreign,
    /// All characters: the class has a member that is not understood.
    Everything,
}

/// The POSIX classes, and bash's `word`, with their ASCII members.
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

/// The maximum length of the name between `[:` and `:]`, in bytes: no name is longer, so the search may stop here.
const LONGEST_NAME: usize = 32;

/// A member of a class.
enum ClassMember<'t> {
    Char(char),
    /// `[:alpha:]`
    Named(&'t str),
    /// `[=e=]`, `[.e.]`: the characters that collate like it, which depends on the locale.
    Sorted,
}

impl<'t> ClassMember<'t> {
    /// Parses the member at the beginning of a text, and returns its length in bytes.
    fn read(text: &'t str) -> Option<(Self, usize)> {
        let first = text.chars().next()?;
        let inner = text.strip_prefix('[').and_then(|rest| {
            let (sign, end) =
                [(":", ":]"), ("=", "=]"), (".", ".]")].into_iter().find(|(sign, _)| rest.starts_with(sign))?;
            let rest = rest.get(sign.len()..)?;
            // The name has at least one character: `[.].]`.
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

impl CharClass {
    /// Returns the length in bytes of the class at the beginning of a text.
    pub(crate) fn length(text: &str) -> Option<usize> {
        let body = text.strip_prefix('[')?;
        let body = body.strip_prefix(['!', '^']).unwrap_or(body);
        // A leading `]` is a member.
        let mut rest = body.strip_prefix(']').unwrap_or(body);
        loop {
            rest = rest.get(rest.find(['[', ']'])?..)?;
            if let Some(behind) = rest.strip_prefix(']') {
                return Some(text.len() - behind.len());
            }
            let (_, length) = ClassMember::read(rest)?;
            rest = rest.get(length..)?;
        }
    }

    /// Parses the class at the beginning of a text, and returns its length in bytes.
    pub(crate) fn read(text: &str) -> Option<(Self, usize)> {
        let length = Self::length(text)?;
        let body = text.get(1..length - 1)?;
        let members = body.strip_prefix(['!', '^']);
        let mut class =
            Self { negated: members.is_some(), folds: false, open: UncertainMembers::Nothing, ranges: Vec::new() };
        let mut rest = members.unwrap_or(body);
        while let Some((member, taken)) = ClassMember::read(rest) {
            rest = rest.get(taken..).unwrap_or_default();
            let to = rest.strip_prefix('-').and_then(ClassMember::read);
            match (member, to) {
                (ClassMember::Char(low), Some((ClassMember::Char(high), taken))) => {
                    class.ranges.push((low, high));
                    rest = rest.get(1 + taken..).unwrap_or_default();
                }
                (ClassMember::Char(c), None) => class.ranges.push((c, c)),
                (ClassMember::Named(name), None) => class.add_named(name),
                // A range whose start or end is not a character.
                (_, Some((_, taken))) => {
                    class.open = UncertainMembers::Everything;
                    rest = rest.get(1 + taken..).unwrap_or_default();
                }
                (ClassMember::Sorted, None) => class.open = UncertainMembers::Everything,
            }
        }
        Some((class, length))
    }

    fn add_named(&mut self, name: &str) {
        let Some((_, ranges)) = NAMED.iter().find(|(known, _)| *known == name) else {
            self.open = UncertainMembers::Everything;
            return;
        };
        self.ranges.extend(*ranges);
        if !matches!(name, "ascii" | "digit" | "xdigit") {
            self.open = self.open.max(UncertainMembers::Foreign);
        }
    }

    /// Returns the class of all characters but one.
    pub(crate) fn all_except(c: char) -> Self {
        Self { negated: true, folds: false, open: UncertainMembers::Nothing, ranges: vec![(c, c)] }
    }

    /// Returns the reversed range, if there is one.
    pub(crate) fn reversed_range(&self) -> Option<(char, char)> {
        self.ranges.iter().copied().find(|(low, high)| low > high)
    }

    /// Returns the case-insensitive class.
    pub(crate) fn fold_case(self) -> Self {
        Self { folds: true, ..self }
    }

    /// Whether the membership of every character is known, including those beyond ASCII.
    pub(crate) fn is_closed(&self) -> bool {
        self.open == UncertainMembers::Nothing
    }

    /// Whether the class has a member that is not understood, so that it may contain any character.
    pub(crate) fn is_strange(&self) -> bool {
        self.open == UncertainMembers::Everything
    }

    /// Whether a character may be in the class in some locale.
    pub(crate) fn may_hold(&self, c: char) -> bool {
        self.holds(c) || (self.open == UncertainMembers::Foreign && !c.is_ascii())
    }

    /// Whether a character is in the class. POSIX classes contain nothing beyond ASCII; a class that is not understood
    /// contains every character.
    pub(crate) fn holds(&self, c: char) -> bool {
        if self.open == UncertainMembers::Everything {
            return true;
        }
        let within = |c: char| self.ranges.iter().any(|(low, high)| (*low..=*high).contains(&c));
        let found = within(c) || (self.folds && (c.to_uppercase().any(within) || c.to_lowercase().any(within)));
        found != self.negated
    }

    /// Returns the other case of the ASCII letters of the class, as members of a class.
    fn opposite_case(&self) -> String {
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

impl Encodable for CharClass {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { negated, folds, open, ranges } = self;
        negated.encode(out);
        folds.encode(out);
        open.encode(out);
        encode_all(ranges, out);
    }

    fn decode(input: &mut ByteReader<'_>) -> Option<Self> {
        Some(Self {
            negated: bool::decode(input)?,
            folds: bool::decode(input)?,
            open: UncertainMembers::decode(input)?,
            ranges: decode_all(input)?,
        })
    }
}

impl Encodable for UncertainMembers {
    fn encode(&self, out: &mut Vec<u8>) {
        out.push(*self as u8);
    }

    fn decode(input: &mut ByteReader<'_>) -> Option<Self> {
        let all = [Self::Nothing, Self::Foreign, Self::Everything];
        all.get(usize::from(input.take_byte()?)).copied()
    }
}

/// Returns a glob that matches what a glob matches, regardless of the case of ASCII letters.
pub(crate) fn case_insensitive(glob: &str) -> String {
    // Without a closing bracket, the search for the end of each of many brackets would be in vain.
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
            && let Some((class, end)) = CharClass::read(rest)
        {
            length = end;
            // A dash at the end is a member, and would form a range with the text after it.
            let (body, dash) = match (rest.get(..end - 1).unwrap_or_default(), class.ranges.last()) {
                (body, Some(('-', '-'))) => (body.strip_suffix('-').unwrap_or(body), "-"),
                (body, _) => (body, ""),
            };
            folded.extend([body, &class.opposite_case(), dash, "]"]);
        } else if first == '[' {
            // An unclosed bracket is an ordinary character.
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
            assert_eq!(CharClass::length(text).unwrap_or(0), length, "{text}");
            assert_eq!(CharClass::read(text).map_or(0, |(_, length)| length), length, "{text}");
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
                    assert_eq!(
                        glob_matches(&case_insensitive(glob), text),
                        expected,
                        "{glob} {} {text}",
                        case_insensitive(glob)
                    );
                }
            }
        }
        for (glob, text, expected) in [("[A-z]x", "_x", true), ("[!s]rc", "src", false), ("[!s]rc", "Src", false)] {
            assert_eq!(glob_matches(&case_insensitive(glob), text), expected, "{glob} {text}");
        }
    }
}
