//! What a text must have in it for a regex to match it.

use regex_syntax::hir::{Class, Hir, HirKind};

use super::atom::{GRAM, plain_char};
use crate::ruleset::LazyRegex;

/// The most alternatives that are looked for.
const ALTERNATIVES: usize = 32;

/// What is known of the texts that a part of a regex matches; all in the form of [`super::atom::plain`].
#[derive(Clone, Default)]
struct Known {
    /// Each is this.
    exact: Option<String>,
    /// Each has one of these in it.
    one_of: Option<Vec<String>>,
}

/// Returns texts of which every match of a regex has one in it; nothing where there are none that tell enough.
pub(super) fn required(pattern: &str) -> Option<Vec<String>> {
    let parsed = LazyRegex::parse(pattern).ok()?;
    known(&parsed).best().filter(|texts| texts.iter().all(|text| text.len() >= GRAM))
}

impl Known {
    fn exactly(text: impl Into<String>) -> Self {
        Self { exact: Some(text.into()), one_of: None }
    }

    fn best(self) -> Option<Vec<String>> {
        better(self.exact.map(|text| vec![text]), self.one_of)
    }
}

/// Returns the one that tells more: whose shortest text is longer.
fn better(one: Option<Vec<String>>, other: Option<Vec<String>>) -> Option<Vec<String>> {
    let tells = |texts: &Vec<String>| texts.iter().map(String::len).min().unwrap_or(0);
    match (one, other) {
        (Some(one), Some(other)) => Some(if tells(&other) > tells(&one) { other } else { one }),
        (one, other) => one.or(other),
    }
}

/// The parser bounds how deep a regex nests.
fn known(parsed: &Hir) -> Known {
    match parsed.kind() {
        HirKind::Empty | HirKind::Look(_) => Known::exactly(""),
        HirKind::Literal(literal) => match std::str::from_utf8(&literal.0) {
            Ok(text) => Known::exactly(text.chars().map(plain_char).collect::<String>()),
            Err(_) => Known::default(),
        },
        HirKind::Class(class) => single(class).map(Known::exactly).unwrap_or_default(),
        HirKind::Capture(capture) => known(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min == 0 => Known::default(),
        HirKind::Repetition(repetition) => match (repetition.min, repetition.max) {
            (1, Some(1)) => known(&repetition.sub),
            _ => Known { exact: None, one_of: known(&repetition.sub).best() },
        },
        HirKind::Concat(parts) => concat(parts),
        HirKind::Alternation(parts) => {
            let mut all = Vec::new();
            for part in parts {
                match known(part).best() {
                    Some(texts) if all.len() + texts.len() <= ALTERNATIVES => all.extend(texts),
                    _ => return Known::default(),
                }
            }
            Known { exact: None, one_of: Some(all) }
        }
    }
}

fn concat(parts: &[Hir]) -> Known {
    let (mut run, mut best, mut is_exact) = (String::new(), None, true);
    for part in parts {
        let Known { exact, one_of } = known(part);
        match exact {
            Some(text) => run.push_str(&text),
            None => {
                best = better(best, Some(vec![std::mem::take(&mut run)]));
                best = better(best, one_of);
                is_exact = false;
            }
        }
    }
    if is_exact {
        return Known::exactly(run);
    }
    Known { exact: None, one_of: better(best, Some(vec![run])) }
}

/// Returns the one character that all of a class are alike to.
fn single(class: &Class) -> Option<String> {
    let Class::Unicode(class) = class else { return None };
    let mut alike = None;
    for range in class.ranges() {
        // More than a letter in its forms is no single one.
        if range.len() > 2 {
            return None;
        }
        for c in range.start()..=range.end() {
            let c = plain_char(c);
            if alike.is_some_and(|other| other != c) {
                return None;
            }
            alike = Some(c);
        }
    }
    alike.map(String::from)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ruleset::index::atom::plain;

    #[test]
    fn the_longest_text_is_told() {
        let cases: &[(&str, Option<&[&str]>)] = &[
            (r"\bticket-5\d{2,4}\b", Some(&["ticket-5"])),
            ("(?i)Secret", Some(&["secret"])),
            ("(?i)task", Some(&["task"])),
            (".*password", Some(&["password"])),
            ("(api|access)_key", Some(&["_key"])),
            ("(AKIA|ASIA)[A-Z0-9]{16}", Some(&["akia", "asia"])),
            ("(alpha|be)", None),
            ("abc", None),
            (r"curl.+\| *(ba)?sh", Some(&["curl"])),
            ("[a-z]+", None),
            ("(?:word)?", None),
            ("(?:word)+x", Some(&["word"])),
            ("^From: ", Some(&["from: "])),
        ];
        for (pattern, expected) in cases {
            let found = required(pattern);
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
            if let (Some(texts), Ok(regex)) = (required(&pattern), regex::Regex::new(&pattern)) {
                let has = texts.iter().any(|part| plain(&text).contains(part.as_str()));
                prop_assert!(has || !regex.is_match(&text), "{pattern} needs {texts:?}, and matches {text:?}");
            }
        }
    }
}
