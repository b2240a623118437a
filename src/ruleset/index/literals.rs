//! Finds texts such that every match of a regex contains one of them: `api_key` and `access_key` for
//! `(api|access)_key`. The build script also uses this for the regexes of packs.

use std::collections::BTreeSet;

use regex_syntax::hir::{Class, Hir, HirKind, Repetition};

use super::atom::{GRAM, normalize_char};

/// The maximum number of texts. For a regex that would need more, no texts are known, so it searches every text of a
/// call; a test in `ruleset::regex::made` lists such regexes of packs.
const MAX_REQUIRED_TEXTS: usize = 512;

/// The maximum number of texts that are extended by their neighbours in the regex. More texts are kept as they are.
const MAX_EXTENDED_TEXTS: usize = 64;

/// Known facts about the texts that a part of a regex matches. All texts are in the normal form of
/// [`super::atom::normalize_text`].
#[derive(Clone, Default)]
struct KnownTexts {
    /// Every matched text is equal to one of these; `None` if that is not known.
    exact: Option<Vec<String>>,
    /// Every matched text contains one of these; `None` if that is not known.
    one_of: Option<Vec<String>>,
}

/// Returns texts such that every match of a regex contains one of them; `None` if there are too many, or one is shorter
/// than a gram.
pub(crate) fn required_texts(parsed: &Hir) -> Option<Vec<String>> {
    known_texts(parsed)
        .most_selective()
        .filter(|texts| texts.len() <= MAX_REQUIRED_TEXTS && texts.iter().all(|text| text.len() >= GRAM))
}

impl KnownTexts {
    /// Creates the facts about a regex that matches exactly one text.
    fn exact(text: impl Into<String>) -> Self {
        Self { exact: Some(vec![text.into()]), one_of: None }
    }

    /// Returns the set of the two that fewer texts satisfy; `None` if neither is known.
    fn most_selective(self) -> Option<Vec<String>> {
        more_selective(self.exact, self.one_of)
    }
}

/// Returns the set that selects fewer texts: first, the set whose shortest text is longer (up to the length of a
/// gram); among equal ones, the set with fewer texts; then again the one whose shortest text is longer.
fn more_selective(one: Option<Vec<String>>, other: Option<Vec<String>>) -> Option<Vec<String>> {
    let selectivity = |texts: &Vec<String>| {
        let shortest = texts.iter().map(String::len).min().unwrap_or(0);
        (shortest.min(GRAM), std::cmp::Reverse(texts.len()), shortest)
    };
    match (one, other) {
        (Some(one), Some(other)) => Some(if selectivity(&other) > selectivity(&one) { other } else { one }),
        (one, other) => one.or(other),
    }
}

/// Returns the known facts about the matches of a regex. Recursion is bounded, because the parser limits the nesting
/// of a regex.
fn known_texts(parsed: &Hir) -> KnownTexts {
    match parsed.kind() {
        HirKind::Empty | HirKind::Look(_) => KnownTexts::exact(""),
        HirKind::Literal(literal) => match std::str::from_utf8(&literal.0) {
            Ok(text) => KnownTexts::exact(text.chars().map(normalize_char).collect::<String>()),
            Err(_) => KnownTexts::default(),
        },
        HirKind::Class(class) => KnownTexts { exact: members(class), one_of: None },
        HirKind::Capture(capture) => known_texts(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min == 0 => {
            match (repetition.max, known_texts(&repetition.sub).exact) {
                (Some(1), Some(mut exact)) if exact.len() < MAX_EXTENDED_TEXTS => {
                    exact.push(String::new());
                    KnownTexts { exact: Some(exact), one_of: None }
                }
                _ => KnownTexts::default(),
            }
        }
        HirKind::Repetition(repetition) => match (repetition.min, repetition.max) {
            (1, Some(1)) => known_texts(&repetition.sub),
            // The matched text begins with the minimum number of repetitions; up to `GRAM` of them are tried.
            (min, max) => {
                let KnownTexts { exact, one_of } = known_texts(&repetition.sub);
                let once = exact.clone().unwrap_or_default();
                let times = usize::try_from(min).unwrap_or(usize::MAX);
                let append_once = |texts: &Vec<String>| concatenations(texts, &once);
                let repetitions: Vec<Vec<String>> =
                    std::iter::successors(exact, append_once).take(times.min(GRAM)).collect();
                let is_all = max == Some(min) && repetitions.len() == times;
                let texts = repetitions.into_iter().next_back();
                if is_all {
                    KnownTexts { exact: texts, one_of }
                } else {
                    KnownTexts { exact: None, one_of: more_selective(texts, one_of) }
                }
            }
        },
        HirKind::Concat(parts) => known_of_concatenation(parts),
        HirKind::Alternation(parts) => {
            let all: Vec<KnownTexts> = parts.iter().map(known_texts).collect();
            let exact: Option<Vec<Vec<String>>> = all.iter().map(|known| known.exact.clone()).collect();
            let exact = exact.map(|all| all.concat()).filter(|texts| texts.len() <= MAX_EXTENDED_TEXTS);
            let one_of: Option<Vec<Vec<String>>> = all.into_iter().map(KnownTexts::most_selective).collect();
            KnownTexts { exact, one_of: one_of.map(|all| all.concat()) }
        }
    }
}

/// Returns every concatenation of a text from `texts` and one from `others`; `None` if there would be more than
/// `MAX_EXTENDED_TEXTS`.
fn concatenations(texts: &[String], others: &[String]) -> Option<Vec<String>> {
    (texts.len().saturating_mul(others.len()) <= MAX_EXTENDED_TEXTS)
        .then(|| texts.iter().flat_map(|text| others.iter().map(move |other| format!("{text}{other}"))).collect())
}

/// Returns the known facts about a sequence of regexes.
fn known_of_concatenation(parts: &[Hir]) -> KnownTexts {
    // `run` has the possible texts of the adjacent parts so far whose texts are exactly known.
    let (mut run, mut best, mut is_exact) = (vec![String::new()], None, true);
    for part in parts {
        let KnownTexts { exact, one_of } = known_texts(part);
        best = more_selective(best, one_of);
        // A text that is long enough is not made more selective by several alternatives after it.
        let is_enough = run.iter().all(|text| text.len() >= GRAM);
        let exactly = exact.as_ref().filter(|exact| exact.len() == 1 || !is_enough);
        if let Some(longer) = exactly.and_then(|exact| concatenations(&run, exact)) {
            run = longer;
            continue;
        }
        is_exact = false;
        // A repeated part occurs at least once next to the text before it, and at least once next to the text after it.
        let once = match part.kind() {
            HirKind::Repetition(Repetition { min: 1.., sub, .. }) => known_texts(sub).exact,
            _ => None,
        };
        best = more_selective(best, once.as_ref().and_then(|once| concatenations(&run, once)));
        best = more_selective(
            best,
            Some(std::mem::replace(&mut run, exact.or(once).unwrap_or_else(|| vec![String::new()]))),
        );
    }
    if is_exact {
        return KnownTexts { exact: Some(run), one_of: best };
    }
    KnownTexts { exact: None, one_of: more_selective(best, Some(run)) }
}

/// Returns the characters of a class, normalised and without duplicates; `None` if there are too many.
fn members(class: &Class) -> Option<Vec<String>> {
    let Class::Unicode(class) = class else { return None };
    // Normalisation makes one character of a letter's two or three forms, so twice as many are counted before.
    let mut remaining = 2 * MAX_EXTENDED_TEXTS;
    for range in class.ranges() {
        remaining = remaining.checked_sub(range.len())?;
    }
    let ranges = class.ranges().iter().flat_map(|range| range.start()..=range.end());
    let all: BTreeSet<char> = ranges.map(normalize_char).collect();
    (all.len() <= MAX_EXTENDED_TEXTS).then(|| all.into_iter().map(String::from).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ruleset::index::atom::normalize_text;

    #[test]
    fn the_longest_text_is_told() {
        let cases: &[(&str, Option<&[&str]>)] = &[
            (r"\bticket-5\d{2,4}\b", Some(&["ticket-5"])),
            ("(?i)Secret", Some(&["secret"])),
            ("(?i)task", Some(&["task"])),
            (".*password", Some(&["password"])),
            ("(api|access)_key", Some(&["api_key", "access_key"])),
            ("(AKIA|ASIA)[A-Z0-9]{16}", Some(&["akia", "asia"])),
            ("(alpha|be)", None),
            (r"\bgh[pous]_\w+|SG\.[abc]{16,}", Some(&["gho_", "ghp_", "ghs_", "ghu_", "sg.a", "sg.b", "sg.c"])),
            ("(foo|ba)r?[12]", None),
            ("(foo|bar)s?[12]", Some(&["foos1", "foos2", "foo1", "foo2", "bars1", "bars2", "bar1", "bar2"])),
            ("[a-c]{4,}", None),
            ("x*[ab]+://y*", Some(&["a://", "b://"])),
            ("x[ab]{3}", Some(&["xaaa", "xaab", "xaba", "xabb", "xbaa", "xbab", "xbba", "xbbb"])),
            ("abc", None),
            (r"curl.+\| *(ba)?sh", Some(&["curl"])),
            ("[a-z]+", None),
            ("(?:word)?", None),
            ("(?:word)+x", Some(&["wordx"])),
            ("^From: ", Some(&["from: "])),
        ];
        for (pattern, expected) in cases {
            let found = required_texts(&regex_syntax::parse(pattern).unwrap());
            let found: Option<Vec<&str>> = found.as_ref().map(|texts| texts.iter().map(String::as_str).collect());
            assert_eq!(found.as_deref(), *expected, "{pattern}");
        }
    }

    proptest! {
        #[test]
        fn every_match_has_one_of_them(
            pattern in "(\\^|\\\\b)?[abkS]{0,5}(\\((aaaa|bbbb[0-9]|abab)\\|[abk]{4,5}\\)|[ab]\\*|(?:a|bb)\\?|[kK][sS]|a\\{2\\})?[abk]{0,5}\\$?",
            insensitive: bool,
            text in "[abkKsSſ\u{212a}09 ]{0,20}",
        ) {
            let pattern = if insensitive { format!("(?i){pattern}") } else { pattern };
            let texts = regex_syntax::parse(&pattern).ok().and_then(|parsed| required_texts(&parsed));
            if let (Some(texts), Ok(regex)) = (texts, regex::Regex::new(&pattern)) {
                let has = texts.iter().any(|part| normalize_text(&text).contains(part.as_str()));
                prop_assert!(has || !regex.is_match(&text), "{pattern} needs {texts:?}, and matches {text:?}");
            }
        }
    }
}
