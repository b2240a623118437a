//! The patterns that a pattern with alternatives stands for, each of which approves something of its own.

use hookrules_shell::Pattern;
use hookrules_shell::pattern::words;

/// The maximum number of combinations. With more of them, the alternatives of one word at a time are tried.
const MAX_COMBINATIONS: usize = 32;

/// Returns a pattern once for each combination of the alternatives of its program and operands: `git log *` and
/// `git diff *` for `git (log|diff) *`. Alternatives of a flag stay together, because they are spellings of it.
pub(super) fn single_patterns(pattern: &Pattern) -> Vec<Pattern> {
    let written = words(pattern.text()).unwrap_or_default();
    let choices: Vec<Vec<String>> = written.iter().map(|word| alternatives(word)).collect();
    if choices.iter().zip(&written).all(|(own, word)| own.as_slice() == [*word]) {
        return vec![pattern.clone()];
    }
    let parsed = combinations(&choices).into_iter().map(|text| Pattern::with_programs(&text, pattern.programs()));
    parsed.filter_map(Result::ok).collect()
}

/// Returns the patterns for which `is_dead` holds, one for each alternative that is in no pattern that lives: for
/// `(git|gh) (status|pr) *`, the alternative `pr` lives in `gh pr *`.
pub(super) fn dead_patterns(pattern: &Pattern, is_dead: impl Fn(&Pattern) -> bool) -> Vec<Pattern> {
    let (dead, alive): (Vec<Pattern>, Vec<Pattern>) = single_patterns(pattern).into_iter().partition(is_dead);
    let word_at = |pattern: &Pattern, at: usize| pattern.text().split(' ').nth(at).map(str::to_owned);
    let mut reported: Vec<(usize, String)> = Vec::new();
    let mut found = Vec::new();
    for single in dead {
        let words = single.text().split(' ').map(str::to_owned).enumerate();
        let lives = |at: usize, word: &str| alive.iter().any(|other| word_at(other, at).as_deref() == Some(word));
        let own: Vec<(usize, String)> = words.filter(|(at, word)| !lives(*at, word)).collect();
        // Without a living pattern, each word is dead, and the first combination shows it.
        let is_new = if alive.is_empty() { found.is_empty() } else { own.iter().any(|word| !reported.contains(word)) };
        if is_new {
            reported.extend(own);
            found.push(single);
        }
    }
    found
}

/// Splits a word of a pattern into what is in front of its group of alternatives, the group, and what follows it. A word
/// without a group is one.
pub(super) fn split_group(word: &str) -> (&str, &str, &str) {
    let group = word.split_once('(').and_then(|(before, rest)| Some((before, rest.split_once(')')?)));
    group.map_or(("", word, ""), |(before, (inner, after))| (before, inner, after))
}

/// Returns the alternatives of a word: `test:a` and `test:b` of `test:(a|b)`. A flag has itself. An alternative with a
/// blank is left out: it matches no word, as another lint says.
fn alternatives(word: &str) -> Vec<String> {
    if !word.contains('|') || word.trim_start_matches('(').starts_with(['-', '!']) {
        return vec![word.to_owned()];
    }
    let (before, inner, after) = split_group(word);
    let is_word = |alternative: &&str| !alternative.contains(char::is_whitespace);
    let alternatives = inner.split('|').map(str::trim).filter(is_word);
    alternatives.map(|alternative| [before, alternative, after].concat()).collect()
}

/// Returns the texts with one alternative of each word: all of them, or if there are too many, those that differ from
/// the first in one word.
fn combinations(words: &[Vec<String>]) -> Vec<String> {
    let count = words.iter().try_fold(1_usize, |count, word| count.checked_mul(word.len()));
    let join = |words: Vec<&String>| words.into_iter().map(String::as_str).collect::<Vec<_>>().join(" ");
    if count.is_some_and(|count| count <= MAX_COMBINATIONS) {
        let start = vec![Vec::new()];
        let all = words.iter().fold(start, |texts: Vec<Vec<&String>>, word| {
            texts.iter().flat_map(|text| word.iter().map(|own| [text.as_slice(), &[own]].concat())).collect()
        });
        return all.into_iter().map(join).collect();
    }
    let first = |words: &[Vec<String>]| words.iter().filter_map(|word| word.first().cloned()).collect::<Vec<_>>();
    let mut texts = vec![first(words).join(" ")];
    for (at, word) in words.iter().enumerate() {
        for own in word.iter().skip(1) {
            let mut text = first(words);
            if let Some(place) = text.get_mut(at) {
                place.clone_from(own);
            }
            texts.push(text.join(" "));
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(patterns: &[Pattern]) -> Vec<&str> {
        patterns.iter().map(Pattern::text).collect()
    }

    #[test]
    fn each_combination_is_a_pattern() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(texts(&single_patterns(&Pattern::new(text).unwrap())), expected, "{text}");
        };
        check("ls *", &["ls *"]);
        check("(cat|rg) *", &["cat *", "rg *"]);
        check("npm run test:( a | b )", &["npm run test:a", "npm run test:b"]);
        check("(npm|pnpm) (test|lint)", &["npm test", "npm lint", "pnpm test", "pnpm lint"]);
        check("npm (test|run lint) *", &["npm test *"]);
        check("git branch (-d|--delete) *", &["git branch (-d|--delete) *"]);
    }

    #[test]
    fn too_many_combinations_differ_in_one_word() {
        let text = "(a|b|c|d) (e|f|g|h) (i|j|k|l)";
        let found = single_patterns(&Pattern::new(text).unwrap());
        assert_eq!(found.len(), 10);
        assert!(texts(&found).contains(&"a e l"));
    }

    #[test]
    fn an_alternative_is_dead_if_all_its_combinations_are() {
        let dead = |text: &str, alive: &[&str]| {
            let found = dead_patterns(&Pattern::new(text).unwrap(), |single| !alive.contains(&single.text()));
            texts(&found).iter().map(|text| (*text).to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(dead("(git|gh) (status|pr)", &["git status", "gh pr"]), Vec::<String>::new());
        assert_eq!(dead("(git|gh) (status|pr)", &["git status"]), ["git pr", "gh status"]);
        assert_eq!(dead("(git|gh) (status|pr)", &[]), ["git status"]);
    }
}
