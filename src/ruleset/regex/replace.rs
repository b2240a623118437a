//! Replaces every match of a regex in a text. The cost of each match is charged before the next is searched.

use super::{LazyRegex, MAX_STATES, SearchFailure, pattern, search};
use crate::budget::{Budget, Exhaustion};

/// The charge for each inserted byte, which stays in memory.
const CHARGE_PER_INSERTED_BYTE: u64 = 8;

impl LazyRegex {
    /// Returns the text with every match replaced, where `$1` is a group; `None` without a match.
    ///
    /// # Errors
    /// As [`LazyRegex::is_match`]; nothing is replaced in that case.
    pub fn replace_all(&self, text: &str, with: &str, budget: &Budget) -> Result<Option<String>, SearchFailure> {
        if !self.is_match(text, budget)? {
            return Ok(None);
        }
        // A built-in automaton may have found the match, but replacing needs the compiled regex, which is charged
        // like the lazy DFA.
        let search = self.searcher(budget)?;
        let states = search.map_or(MAX_STATES, |search| search.states());
        budget.charge(search.map_or(0, |search| search.price()))?;
        let regex = self.compiled().map_err(|reason| SearchFailure::Regex(reason.to_owned()))?;
        // If the length of matches is bounded, the search for one does not look further than that after its end.
        let reach = pattern::parse(&self.pattern).ok().and_then(|parsed| parsed.properties().maximum_len());
        let groups = with.bytes().filter(|byte| *byte == b'$').count();
        let mut out = String::new();
        let mut done = 0;
        let mut matches = regex.find_iter(text);
        while self.first_match_end(text, done, budget)?.is_some() {
            let Some(found) = matches.next() else { break };
            let remaining = text.len().saturating_sub(done);
            let to_end = found.end().saturating_sub(done);
            budget.charge(1)?;
            budget.charge_bytes(reach.map_or(remaining, |reach| remaining.min(to_end.saturating_add(reach))), 2)?;
            // Each `$` in `with` inserts at most the whole match.
            let most = found.len().saturating_mul(groups).saturating_add(with.len());
            budget.charge_each(CHARGE_PER_INSERTED_BYTE, most)?;
            out.push_str(text.get(done..found.start()).unwrap_or_default());
            if groups == 0 {
                out.push_str(with);
            } else {
                search::charge_slow(states, found.as_str(), budget)?;
                match regex.captures_at(text, found.start()) {
                    Some(captures) => captures.expand(with, &mut out),
                    // INVARIANT: the same match was found here a moment ago.
                    None => return Err(Exhaustion::Work.into()),
                }
            }
            done = found.end();
        }
        out.push_str(text.get(done..).unwrap_or_default());
        Ok(Some(out))
    }
}

/// The maximum number of different texts that a group may capture in one text.
const MAX_CAPTURES: usize = 1_000;

impl LazyRegex {
    /// Returns the different texts that a named group captures in a text, in the order of the matches.
    ///
    /// # Errors
    /// As [`LazyRegex::is_match`]; also if there are more than a thousand captures.
    pub fn captured(&self, text: &str, group: &str, budget: &Budget) -> Result<Vec<String>, SearchFailure> {
        let mut captured = Vec::new();
        if !self.is_match(text, budget)? {
            return Ok(captured);
        }
        let search = self.searcher(budget)?;
        let states = search.map_or(MAX_STATES, |search| search.states());
        budget.charge(search.map_or(0, |search| search.price()))?;
        let regex = self.compiled().map_err(|reason| SearchFailure::Regex(reason.to_owned()))?;
        let mut at = 0;
        while let Some(found) = regex.captures_at(text, at) {
            let (Some(whole), group_match) = (found.get(0), found.name(group)) else { break };
            // Groups are found by a slower search, which ends with the match.
            search::charge_slow(states, text.get(at..whole.end()).unwrap_or_default(), budget)?;
            if let Some(group_match) = group_match
                && !captured.iter().any(|known| known == group_match.as_str())
            {
                captured.push(group_match.as_str().to_owned());
            }
            if captured.len() > MAX_CAPTURES {
                return Err(Exhaustion::Work.into());
            }
            // An empty match is followed by the next character.
            let next = text.get(whole.end()..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
            at = if whole.is_empty() { whole.end() + next } else { whole.end() };
            if at > text.len() {
                break;
            }
        }
        search::charge_slow(states, text.get(at..).unwrap_or_default(), budget)?;
        Ok(captured)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::made;
    use super::super::tests::lazy;
    use super::*;

    #[test]
    fn a_text_with_many_matches_of_a_bounded_length_takes_as_much_as_it_is_long() {
        let text = "ghp_0123456789 ".repeat(20_000);
        let budget = Budget::default();
        let replaced = lazy("ghp_[0-9]{10}").replace_all(&text, "[key]", &budget).unwrap().unwrap();
        assert_eq!(replaced, "[key] ".repeat(20_000));
        assert!(budget.units_spent() < 5_000_000, "{budget:?}");
    }

    #[test]
    fn what_would_take_the_square_of_the_text_is_refused() {
        let text = "a".repeat(1 << 20);
        let replaced = lazy("a(?:[^b]*b)?").replace_all(&text, "", &Budget::default());
        assert_eq!(replaced, Err(SearchFailure::Budget(Exhaustion::Work)));
    }

    #[test]
    fn a_replacement_that_would_make_too_much_is_refused() {
        let text = "a".repeat(1 << 20);
        let with = "$0".repeat(1 << 10);
        assert_eq!(
            lazy("a+").replace_all(&text, &with, &Budget::default()),
            Err(SearchFailure::Budget(Exhaustion::Work))
        );
    }

    #[test]
    fn a_regex_of_a_pack_takes_what_any_other_takes() {
        let text = "production and prod ".repeat(1_000);
        let spent = |pattern: &str| {
            let budget = Budget::default();
            let replaced = lazy(pattern).replace_all(&text, "<$1>", &budget).unwrap().unwrap();
            assert_eq!(replaced, "<uction> and <> ".repeat(1_000));
            budget.units_spent()
        };
        let pack = r"\bprod(uction)?\b";
        assert!(made::facts_of_pattern(pack).is_some());
        let (own, other) = (spent(pack), spent(r"\b(?:prod)(uction)?\b"));
        assert!(own <= other + other / 10, "{own} and {other}");
    }

    proptest! {
        #[test]
        fn it_replaces_what_the_engine_itself_would(
            pattern in prop::sample::select(vec!["a+", "a|ab", "(a)(b)?", "a*", r"\bb", "^a", "b$", "(?s).", "é|a", ""]),
            text in "[abé \n]{0,30}",
            with in prop::sample::select(vec!["", "x", "<$0>", "$1$2", "$$"]),
        ) {
            let expected = regex::Regex::new(pattern).unwrap().replace_all(&text, with).into_owned();
            let replaced = lazy(pattern).replace_all(&text, with, &Budget::default()).unwrap();
            prop_assert_eq!(replaced.unwrap_or(text), expected);
        }
    }
}
