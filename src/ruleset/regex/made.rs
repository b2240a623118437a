//! What was found out of the packs' regexes when the program was built.
//!
//! To compile a regex takes more than all else that a hook does, and to read one a good part of what it takes to compile
//! a policy; nearly every policy uses packs. Such a regex is used where it lies in the program, and nothing is made of it.

use std::borrow::Cow;

use super::alphabet::{Automaton, Part};

/// Texts that lie in the program, or were made.
pub(super) type Texts = Cow<'static, [Cow<'static, str>]>;

/// What is known of a regex.
pub(super) struct Made {
    /// Its pattern, the flags inline: it can be read, and does not nest too deep.
    pattern: &'static str,
    /// What [`super::size::regex_size`] says of it.
    pub(super) size: u64,
    /// What [`super::pattern::beginnings`] says of it.
    pub(super) beginnings: &'static [&'static str],
    /// What [`super::literals::required`] says of it.
    pub(super) required: Option<Texts>,
    /// Its parts, which match where it does; nothing where they would be too big.
    pub(super) parts: Option<&'static [Part]>,
}

include!(concat!(env!("OUT_DIR"), "/regexes.rs"));

/// Returns what is known of a pattern, if it is one of a pack's.
pub(super) fn of_pattern(pattern: &str) -> Option<&'static Made> {
    MADE.binary_search_by_key(&pattern, |made| made.pattern).ok().and_then(|at| MADE.get(at))
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::{pattern, size};
    use super::*;
    use crate::ruleset::index::literals;

    /// Returns all patterns.
    pub(in crate::ruleset::regex) fn patterns() -> impl Iterator<Item = &'static str> {
        MADE.iter().map(|made| made.pattern)
    }

    #[test]
    fn what_is_known_of_a_regex_is_what_reading_it_tells() {
        for Made { pattern: text, size, beginnings, required, .. } in MADE {
            let parsed = pattern::parse(text).unwrap();
            assert_eq!(*size, size::regex_size(&parsed), "{text}");
            assert_eq!(**beginnings, pattern::beginnings(&parsed, pattern::LITERAL_LIMIT), "{text}");
            let expected = literals::required(&parsed);
            let required = required.as_ref().map(|texts| texts.iter().map(|text| text.to_string()).collect::<Vec<_>>());
            assert_eq!(required, expected, "{text}");
        }
    }
}
