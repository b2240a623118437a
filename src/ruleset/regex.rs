//! The regexes of a policy. A regex is checked when the policy is compiled, but compiled only when a text may match
//! it. The regexes of packs are almost never compiled, because automata for them are built into the program.

mod alphabet;
mod automaton;
mod counted;
#[cfg(test)]
mod determinize;
mod made;
mod pattern;
mod replace;
mod search;
mod size;

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use regex::Regex;
use regex_syntax::hir::Hir;

use super::index::literals;
use crate::budget::{Budget, Exhaustion};

pub use counted::CountedText;
use made::RequiredTexts;
use search::{RegexSearch, SearchAttempt};

/// The maximum memory of a compiled regex, in bytes.
const SIZE_LIMIT: usize = 4 << 20;

/// The maximum size of a regex in a policy: small enough to be certainly below [`SIZE_LIMIT`].
pub const MAX_REGEX: u64 = 100_000;

/// The maximum size of a regex in a JSONPath, which is compiled again for each node of a payload.
const MAX_LIGHT_REGEX: u64 = 1_000;

/// An upper bound of the number of states of a compiled regex. It is charged if the number is unknown.
const MAX_STATES: usize = 1 << 16;

/// A regex of a policy.
#[derive(Clone, Debug)]
pub struct LazyRegex {
    /// The pattern, with flags inline: `(?i)secret`.
    pattern: String,
    /// Texts such that every match begins with one of them; empty if none are known.
    beginnings: Vec<String>,
    /// Texts such that every match contains one of them; `None` if none are known. Computed when first used, unless
    /// they were known at creation.
    required: OnceLock<Option<RequiredTexts>>,
    /// The size, as [`LazyRegex::parse`] returns it. Computed when first used, unless it was known at creation.
    size: OnceLock<u64>,
    /// The compiled regex, or the reason why it cannot be compiled.
    compiled: OnceLock<Result<Regex, String>>,
    /// The lazy DFA; `None` if it cannot be built.
    search: OnceLock<Option<Arc<RegexSearch>>>,
}

/// The reason why it is unknown whether a regex matches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SearchFailure {
    /// The regex cannot be compiled, for this reason.
    Regex(String),
    /// The budget is exhausted.
    Budget(Exhaustion),
}

impl From<Exhaustion> for SearchFailure {
    fn from(spent: Exhaustion) -> Self {
        Self::Budget(spent)
    }
}

/// What is before or after the known part of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextEdge {
    /// Nothing: the part is at the beginning or the end of the whole text.
    Boundary,
    /// Text that is unknown, if there is any.
    UnknownText,
}

impl LazyRegex {
    /// Parses a pattern with inline flags. Also returns the size of the regex, an upper bound of the states and
    /// transitions of its automaton. A regex of a pack is looked up instead of being parsed.
    ///
    /// # Errors
    /// The pattern is invalid, or nested too deeply.
    pub fn parse(pattern: String) -> Result<(Self, u64), Box<regex_syntax::Error>> {
        if let Some(facts) = made::facts_of_pattern(&pattern) {
            let beginnings = facts.beginnings.iter().map(|text| (*text).to_owned()).collect();
            let required = OnceLock::from(facts.required.clone());
            let size = OnceLock::from(facts.size);
            return Ok((Self { required, size, ..Self::from_checked(pattern, beginnings) }, facts.size));
        }
        let parsed = pattern::parse(&pattern)?;
        let beginnings = pattern::literal_beginnings(&parsed, pattern::LITERAL_LIMIT);
        let required = OnceLock::from(required_texts_of(&parsed));
        let size = size::regex_size(&parsed);
        Ok((Self { required, size: OnceLock::from(size), ..Self::from_checked(pattern, beginnings) }, size))
    }

    /// Returns the pattern of a literal `/…/flags` with its flags inline, given the text between the slashes.
    #[must_use]
    pub fn inline_flags(literal: &str, flags: &str) -> String {
        pattern::inline_flags(literal, flags)
    }

    /// Creates a regex from a pattern and its [`beginnings`](Self::beginnings), which come from an earlier
    /// [`parse`](Self::parse).
    #[must_use]
    pub fn from_checked(pattern: String, beginnings: Vec<String>) -> Self {
        Self {
            pattern,
            beginnings,
            required: OnceLock::new(),
            size: OnceLock::new(),
            compiled: OnceLock::new(),
            search: OnceLock::new(),
        }
    }

    /// Returns literals such that every match begins with one of them; empty if none are known.
    #[must_use]
    pub fn beginnings(&self) -> &[String] {
        &self.beginnings
    }

    /// Returns texts such that every match contains one of them, in the normal form of the index; `None` if none are
    /// selective enough.
    pub(super) fn required_texts(&self) -> Option<&[Cow<'static, str>]> {
        let find = || pattern::parse(&self.pattern).ok().and_then(|parsed| required_texts_of(&parsed));
        self.required.get_or_init(find).as_deref()
    }

    /// Returns the size of the regex; the largest number if the pattern cannot be parsed.
    #[must_use]
    pub fn size(&self) -> u64 {
        *self.size.get_or_init(|| regex_size(&self.pattern).unwrap_or(u64::MAX))
    }

    /// Returns the pattern.
    #[must_use]
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// Whether an automaton for the regex is built into the program, as for the regexes of packs.
    #[must_use]
    pub fn is_built_in(&self) -> bool {
        made::facts_of_pattern(&self.pattern).is_some_and(|facts| facts.parts.is_some())
    }

    /// Whether the regex matches somewhere in a text.
    ///
    /// Compiling a regex takes longer than everything else that a hook does, so a regex is compiled only for a text
    /// that contains one of its beginnings.
    ///
    /// # Errors
    /// The regex cannot be compiled, or the budget is exhausted.
    pub fn is_match(&self, text: &str, budget: &Budget) -> Result<bool, SearchFailure> {
        budget.charge_bytes(text.len(), self.beginnings.len().max(1))?;
        if !self.beginnings.is_empty() && !self.beginnings.iter().any(|beginning| text.contains(beginning.as_str())) {
            return Ok(false);
        }
        Ok(self.first_match_end(text, 0, budget)?.is_some())
    }

    /// Returns the earliest end of a match that begins at or after `from`; `None` without a match.
    ///
    /// Tries the built-in automata first, then the lazy DFA, then the compiled regex.
    fn first_match_end(&self, text: &str, from: usize, budget: &Budget) -> Result<Option<usize>, SearchFailure> {
        if let Some(parts) = made::facts_of_pattern(&self.pattern).and_then(|facts| facts.parts) {
            // One automaton makes a single pass over the text, as any engine does; each further one may make another.
            budget.charge_bytes(text.len().saturating_sub(from), parts.len().saturating_sub(1))?;
            if let Ok(end) = automaton::first_match_end(parts, text, from) {
                return Ok(end);
            }
        }
        let search = self.searcher(budget)?;
        if let Some(search) = search
            && let SearchAttempt::End(end) = search.find(text, from, budget)?
        {
            return Ok(end);
        }
        let regex = self.compiled().map_err(|reason| SearchFailure::Regex(reason.to_owned()))?;
        if search.is_none() {
            search::charge_slow(MAX_STATES, text, budget)?;
        }
        Ok(regex.shortest_match_at(text, from))
    }

    /// Returns the lazy DFA, which is compiled and charged on first use; `None` if it cannot be built.
    fn searcher(&self, budget: &Budget) -> Result<Option<&RegexSearch>, Exhaustion> {
        let mut is_new = false;
        let compile = || {
            is_new = true;
            RegexSearch::new(&self.pattern).map(Arc::new)
        };
        let search = self.search.get_or_init(compile).as_deref();
        if let Some(search) = search.filter(|_| is_new) {
            budget.charge(search.price())?;
        }
        Ok(search)
    }

    /// Whether the regex certainly matches within a known part of a text, whatever the text around it is. `start` and
    /// `end` are what precedes and follows the part.
    ///
    /// # Errors
    /// As [`LazyRegex::is_match`].
    pub fn is_match_within(
        &self,
        part: &str,
        start: TextEdge,
        end: TextEdge,
        budget: &Budget,
    ) -> Result<bool, SearchFailure> {
        if !self.is_match(part, budget)? {
            return Ok(false);
        }
        // An assertion such as `\b` looks at one character before and after its position. So a match must not include
        // the first or last character of the part if unknown text is next to it.
        let from = match (start, part.chars().next()) {
            (TextEdge::Boundary, _) => 0,
            (TextEdge::UnknownText, Some(first)) => first.len_utf8(),
            (TextEdge::UnknownText, None) => return Ok(false),
        };
        budget.charge_bytes(part.len(), 1)?;
        let matched = self.first_match_end(part, from, budget)?;
        Ok(matched.is_some_and(|match_end| end == TextEdge::Boundary || match_end < part.len()))
    }

    /// Returns the compiled regex.
    ///
    /// # Errors
    /// The regex is too big once compiled. A test that uses it is then unknown, never false.
    pub fn compiled(&self) -> Result<&Regex, &str> {
        let compile = || {
            let mut builder = regex::RegexBuilder::new(&self.pattern);
            builder.size_limit(SIZE_LIMIT).nest_limit(pattern::NEST_LIMIT).build().map_err(|error| match error {
                regex::Error::CompiledTooBig(_) => "the regex is too big once compiled".to_owned(),
                other => other.to_string(),
            })
        };
        self.compiled.get_or_init(compile).as_ref().map_err(String::as_str)
    }
}

/// Returns the size of a pattern's regex, like [`LazyRegex::parse`].
///
/// # Errors
/// The pattern is invalid, or nested too deeply.
pub fn regex_size(pattern: &str) -> Result<u64, Box<regex_syntax::Error>> {
    pattern::parse(pattern).map(|parsed| size::regex_size(&parsed))
}

/// Whether a pattern is valid and small enough to be compiled for each node of a payload.
#[must_use]
pub fn is_light_pattern(pattern: &str) -> bool {
    regex_size(pattern).is_ok_and(|size| size <= MAX_LIGHT_REGEX)
}

/// Returns texts such that every match of a parsed regex contains one of them.
fn required_texts_of(parsed: &Hir) -> Option<RequiredTexts> {
    literals::required_texts(parsed).map(|texts| texts.into_iter().map(Cow::Owned).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    pub(super) fn lazy(pattern: &str) -> LazyRegex {
        LazyRegex::parse(pattern.to_owned()).unwrap().0
    }

    #[test]
    fn beginnings_are_those_of_every_match() {
        let cases: &[(&str, &[&str])] = &[
            (r"\bticket-5\d{2,4}\b", &["ticket-5"]),
            ("^rm|sudo", &["rm", "sudo"]),
            ("(?:a|b)c", &["ac", "bc"]),
            (".*x", &[]),
            ("x?y", &["xy", "y"]),
            ("", &[]),
        ];
        for (pattern, expected) in cases {
            assert_eq!(lazy(pattern).beginnings, *expected, "{pattern}");
        }
    }

    #[test]
    fn a_text_without_a_beginning_compiles_nothing() {
        let regex = lazy(r"\bticket-5\d+");
        assert_eq!(regex.is_match("a plain description", &Budget::default()), Ok(false));
        assert!(regex.search.get().is_none());
        assert_eq!(regex.is_match("see ticket-51", &Budget::default()), Ok(true));
        assert!(regex.search.get().is_some());
    }

    #[test]
    fn a_regex_that_is_too_big_is_an_error_and_not_false() {
        let regex = lazy(r"x\w{1000}\w{1000}");
        assert!(regex.is_match("x", &Budget::default()).is_err());
    }

    #[test]
    fn a_match_within_a_part_holds_whatever_is_around_it() {
        let cases: &[(&str, &str, TextEdge, TextEdge, bool)] = &[
            ("drop table", "; drop table ", TextEdge::UnknownText, TextEdge::UnknownText, true),
            ("drop table", "drop table ", TextEdge::Boundary, TextEdge::UnknownText, true),
            (r"\bdrop table", "drop table ", TextEdge::UnknownText, TextEdge::UnknownText, false),
            (r"drop table\b", " drop table", TextEdge::UnknownText, TextEdge::UnknownText, false),
            (r"\bdrop table\b", " drop table ", TextEdge::UnknownText, TextEdge::UnknownText, true),
            ("^drop", "drop it", TextEdge::UnknownText, TextEdge::UnknownText, false),
            ("^drop", "drop it", TextEdge::Boundary, TextEdge::UnknownText, true),
            ("(?m)^drop", "x\ndrop it", TextEdge::UnknownText, TextEdge::UnknownText, true),
            ("it$", "drop it", TextEdge::Boundary, TextEdge::UnknownText, false),
            ("it$", "drop it", TextEdge::UnknownText, TextEdge::Boundary, true),
            ("drop.*", "x drop table", TextEdge::UnknownText, TextEdge::UnknownText, true),
            ("drop", "", TextEdge::UnknownText, TextEdge::UnknownText, false),
            ("", "", TextEdge::UnknownText, TextEdge::UnknownText, false),
            ("", "é", TextEdge::UnknownText, TextEdge::Boundary, true),
            ("^$", "", TextEdge::UnknownText, TextEdge::Boundary, false),
        ];
        for (pattern, part, start, end, expected) in cases {
            assert_eq!(
                lazy(pattern).is_match_within(part, *start, *end, &Budget::default()),
                Ok(*expected),
                "{pattern} {part:?}"
            );
        }
    }

    #[test]
    fn a_regex_of_the_largest_size_compiles() {
        let letters = ["a", "é", r"\w", r"\s", r"\pL", r"\PL", "[a-z]", "[a-cx-z0-9]", "[α-ω]", "[^é]", ".", "(?s:.)"];
        for atom in letters.into_iter().chain(["(?i:k)", "(ab|cd)", "a?"]) {
            let size = |pattern: &str| regex_size(pattern).unwrap();
            let one = size(&format!("(?:{atom}){{101}}")) - size(&format!("(?:{atom}){{100}}"));
            let pattern = format!("(?:{atom}){{{}}}", (MAX_REGEX - 100) / one);
            assert!(size(&pattern) <= MAX_REGEX && size(&pattern) > MAX_REGEX / 2, "{pattern}: {}", size(&pattern));
            assert!(lazy(&pattern).compiled().is_ok(), "{pattern}");
        }
    }

    #[test]
    fn a_search_that_would_take_long_is_refused_before_it_begins() {
        let regex = lazy("((a{1,50}){1,50}){1,20}0");
        let budget = Budget::default();
        assert_eq!(regex.is_match(&"a".repeat(5_000), &budget), Err(SearchFailure::Budget(Exhaustion::Work)));
        assert!(budget.units_spent() < crate::budget::EVENT / 5, "{budget:?}");
        assert_eq!(regex.is_match("a0", &Budget::default()), Ok(true));
    }

    #[test]
    fn an_ordinary_search_takes_little() {
        let text = "let token = load(\"secret-0123\"); // café\n".repeat(2_000);
        for pattern in [r"(?i)secret-\d+x", r"\b[A-Z]{20}\b", r"[a-z0-9]{40}", r"(a|b|c)+=.*;$", "token.*missing"] {
            let regex = lazy(pattern);
            let budget = Budget::default();
            assert_eq!(regex.is_match(&text, &budget), Ok(false), "{pattern}");
            assert!(budget.units_spent() < crate::budget::EVENT / 10, "{pattern}: {budget:?}");
        }
    }

    proptest! {
        /// A match within a part is a match in every text that contains it.
        #[test]
        fn what_a_part_decides_stands(
            pattern in "(\\^|\\$|\\\\b|\\\\B|\\(\\?m:\\^\\)|a|b|\\.|[ab]\\*|(?:ab|)|\n){1,5}",
            before in "[ab \n]{0,3}",
            part in "[ab \n]{0,4}",
            behind in "[ab \n]{0,3}",
        ) {
            if let (Ok(plain), Ok((lazy, _))) = (Regex::new(&pattern), LazyRegex::parse(pattern)) {
                let is_match = |text: &str| plain.is_match(text);
                if lazy.is_match_within(&part, TextEdge::UnknownText, TextEdge::UnknownText, &Budget::default()).unwrap() {
                    let text = format!("{before}{part}{behind}");
                    prop_assert!(is_match(&text));
                }
                if lazy.is_match_within(&part, TextEdge::Boundary, TextEdge::UnknownText, &Budget::default()).unwrap() {
                    let text = format!("{part}{behind}");
                    prop_assert!(is_match(&text));
                }
                if lazy.is_match_within(&part, TextEdge::UnknownText, TextEdge::Boundary, &Budget::default()).unwrap() {
                    let text = format!("{before}{part}");
                    prop_assert!(is_match(&text));
                }
            }
        }

        #[test]
        fn the_look_ahead_changes_no_answer(
            pattern in "(\\^|\\\\b)?[abX]{0,3}(\\((a|b[0-9]|\\.)\\|[ab]{1,2}\\)|[ab]\\*|(?:a|bb)\\?)?[ab]{0,2}\\$?",
            insensitive: bool,
            text in "[abxX09 ]{0,12}",
        ) {
            let pattern = if insensitive { format!("(?i){pattern}") } else { pattern };
            if let (Ok(plain), Ok((lazy, _))) = (Regex::new(&pattern), LazyRegex::parse(pattern)) {
                prop_assert_eq!(lazy.is_match(&text, &Budget::default()), Ok(plain.is_match(&text)));
            }
        }
    }
}
