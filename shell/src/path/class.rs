//! A character class of a glob, `[…]` or `[!…]`, perhaps with POSIX classes in it: `[[:alpha:]]`. A backslash in a
//! class is an ordinary character.

use crate::bytes::{ByteReader, Encodable, decode_all, encode_all};

/// A set of characters: a class of a glob.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CharClass {
    /// Whether the class contains all characters except those in `ranges`: `[!a-z]`.
    negated: bool,
    /// Whether the case of characters is ignored.
    folds: bool,
    /// The characters of which it is not certain whether they are members.
    uncertain: UncertainMembers,
    /// The first and last character of each range of members; a reversed range is empty.
    ranges: Vec<(char, char)>,
}

/// The characters of which it is not certain whether they are members of a class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum UncertainMembers {
    /// Every membership is certain.
    Nothing,
    /// The characters beyond ASCII: which of them are letters depends on the locale.
    Foreign,
    /// All characters: the class has a member that this module does not understand.
    Everything,
}

/// The POSIX classes, and bash's `word`, each with the ranges of its ASCII members.
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

/// The maximum length of a name between `[:` and `:]` that is recognised, in bytes.
const MAX_NAME_BYTES: usize = 32;

/// A member in the source of a class.
enum ClassMember<'t> {
    /// A character.
    Char(char),
    /// The name of a POSIX class: `[:alpha:]`.
    Named(&'t str),
    /// `[=e=]` or `[.e.]`: the characters that the locale sorts like this one.
    CollatingElement,
}

impl<'t> ClassMember<'t> {
    /// Parses the member at the start of a text. Returns it with its length in bytes; `None` at the end of the text.
    fn read(text: &'t str) -> Option<(Self, usize)> {
        let first = text.chars().next()?;
        let inner = text.strip_prefix('[').and_then(|rest| {
            let (sign, end) =
                [(":", ":]"), ("=", "=]"), (".", ".]")].into_iter().find(|(sign, _)| rest.starts_with(sign))?;
            let rest = rest.get(sign.len()..)?;
            // The name has at least one character, so that `[.].]` is the class of `]`.
            let from = rest.chars().next().map(char::len_utf8)?;
            let near = rest.char_indices().map(|(at, _)| at).take_while(|at| *at <= MAX_NAME_BYTES);
            let at = near
                .skip_while(|at| *at < from)
                .find(|at| rest.get(*at..).is_some_and(|rest| rest.starts_with(end)))?;
            Some((sign, rest.get(..at)?))
        });
        Some(match inner {
            Some((":", name)) => (Self::Named(name), name.len() + 4),
            Some((_, name)) => (Self::CollatingElement, name.len() + 4),
            None => (Self::Char(first), first.len_utf8()),
        })
    }
}

impl CharClass {
    /// Returns the length in bytes of the class at the start of a text; `None` if there is no complete class.
    pub(crate) fn length(text: &str) -> Option<usize> {
        let body = text.strip_prefix('[')?;
        let body = body.strip_prefix(['!', '^']).unwrap_or(body);
        // A `]` at the start is a member.
        let mut rest = body.strip_prefix(']').unwrap_or(body);
        loop {
            rest = rest.get(rest.find(['[', ']'])?..)?;
            if let Some(after) = rest.strip_prefix(']') {
                return Some(text.len() - after.len());
            }
            let (_, length) = ClassMember::read(rest)?;
            rest = rest.get(length..)?;
        }
    }

    /// Parses the class at the start of a text. Returns it with its length in bytes; `None` if there is no complete
    /// class.
    pub(crate) fn read(text: &str) -> Option<(Self, usize)> {
        let length = Self::length(text)?;
        let body = text.get(1..length - 1)?;
        let members = body.strip_prefix(['!', '^']);
        let mut class =
            Self { negated: members.is_some(), folds: false, uncertain: UncertainMembers::Nothing, ranges: Vec::new() };
        let mut rest = members.unwrap_or(body);
        while let Some((member, member_length)) = ClassMember::read(rest) {
            rest = rest.get(member_length..).unwrap_or_default();
            let range_end = rest.strip_prefix('-').and_then(ClassMember::read);
            match (member, range_end) {
                (ClassMember::Char(low), Some((ClassMember::Char(high), member_length))) => {
                    class.ranges.push((low, high));
                    rest = rest.get(1 + member_length..).unwrap_or_default();
                }
                (ClassMember::Char(c), None) => class.ranges.push((c, c)),
                (ClassMember::Named(name), None) => class.add_named(name),
                // The start or the end of the range is not a single character.
                (_, Some((_, member_length))) => {
                    class.uncertain = UncertainMembers::Everything;
                    rest = rest.get(1 + member_length..).unwrap_or_default();
                }
                (ClassMember::CollatingElement, None) => class.uncertain = UncertainMembers::Everything,
            }
        }
        Some((class, length))
    }

    /// Adds the members of a POSIX class, or every character if its name is unknown.
    fn add_named(&mut self, name: &str) {
        let Some((_, ranges)) = NAMED.iter().find(|(known, _)| *known == name) else {
            self.uncertain = UncertainMembers::Everything;
            return;
        };
        self.ranges.extend(*ranges);
        if !matches!(name, "ascii" | "digit" | "xdigit") {
            self.uncertain = self.uncertain.max(UncertainMembers::Foreign);
        }
    }

    /// Returns the class of all characters but one.
    pub(crate) fn all_except(c: char) -> Self {
        Self { negated: true, folds: false, uncertain: UncertainMembers::Nothing, ranges: vec![(c, c)] }
    }

    /// Returns a range whose start is greater than its end, if there is one.
    pub(crate) fn reversed_range(&self) -> Option<(char, char)> {
        self.ranges.iter().copied().find(|(low, high)| low > high)
    }

    /// Returns the class with case ignored.
    pub(crate) fn fold_case(self) -> Self {
        Self { folds: true, ..self }
    }

    /// Whether the members are certain, even beyond ASCII: for each character it is known whether the class contains
    /// it.
    pub(crate) fn is_closed(&self) -> bool {
        self.uncertain == UncertainMembers::Nothing
    }

    /// Whether the class has a member that this module does not understand, so that it may contain any character.
    pub(crate) fn is_strange(&self) -> bool {
        self.uncertain == UncertainMembers::Everything
    }

    /// Whether the class contains a character in some locale.
    pub(crate) fn may_hold(&self, c: char) -> bool {
        self.holds(c) || (self.uncertain == UncertainMembers::Foreign && !c.is_ascii())
    }

    /// Whether the class contains a character. The POSIX classes contain nothing beyond ASCII here, and a class that
    /// is not understood contains every character.
    pub(crate) fn holds(&self, c: char) -> bool {
        if self.uncertain == UncertainMembers::Everything {
            return true;
        }
        let is_in_range = |c: char| self.ranges.iter().any(|(low, high)| (*low..=*high).contains(&c));
        let is_listed =
            is_in_range(c) || (self.folds && (c.to_uppercase().any(is_in_range) || c.to_lowercase().any(is_in_range)));
        is_listed != self.negated
    }

    /// Returns the ASCII letters of the class in the other case, as the source of class members: `A-C` for `a-c`.
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
        let Self { negated, folds, uncertain, ranges } = self;
        negated.encode(out);
        folds.encode(out);
        uncertain.encode(out);
        encode_all(ranges, out);
    }

    fn decode(input: &mut ByteReader<'_>) -> Option<Self> {
        Some(Self {
            negated: bool::decode(input)?,
            folds: bool::decode(input)?,
            uncertain: UncertainMembers::decode(input)?,
            ranges: decode_all(input)?,
        })
    }
}

impl Encodable for UncertainMembers {
    fn encode(&self, out: &mut Vec<u8>) {
        out.push(*self as u8);
    }

    fn decode(input: &mut ByteReader<'_>) -> Option<Self> {
        let kinds = [Self::Nothing, Self::Foreign, Self::Everything];
        kinds.get(usize::from(input.take_byte()?)).copied()
    }
}

/// Returns a glob that matches the same texts as `glob`, in any case of ASCII letters: `[aA]*` for `a*`.
pub(crate) fn case_insensitive(glob: &str) -> String {
    // After the last `]`, no bracket begins a class, and a search for its end would be in vain.
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
            // A dash at the end is a member, but would make a range with the letters that are appended.
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
