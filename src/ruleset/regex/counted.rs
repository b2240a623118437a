//! Regexes that only count: any characters, or whole lines.

use regex_syntax::hir::{Class, Hir, HirKind, Look, Repetition};

/// The least number of repetitions that is meant as a count.
const LEAST: u32 = 20;

/// What a regex counts that describes nothing but the length of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountedText {
    /// Characters of any kind: at least `min`, and at most `max` if it has an upper limit that is anchored.
    Characters {
        /// The least number.
        min: u32,
        /// The greatest number.
        max: Option<u32>,
    },
    /// Whole lines of any content.
    Lines,
}

impl CountedText {
    /// Returns what a regex counts; `None` if it describes more than a number, or cannot be parsed.
    #[must_use]
    pub fn of(pattern: &str) -> Option<Self> {
        let hir = regex_syntax::parse(pattern).ok()?;
        let single = std::slice::from_ref(&hir);
        let parts = if let HirKind::Concat(parts) = hir.kind() { parts.as_slice() } else { single };
        let parts: Vec<&Hir> = parts.iter().map(without_group).collect();
        let is_anchor = |part: &&Hir| matches!(part.kind(), HirKind::Look(_));
        let repeated = |part: &&Hir| match part.kind() {
            HirKind::Repetition(it) if it.min >= LEAST || it.max.is_some_and(|max| max >= LEAST) => Some(it.clone()),
            _ => None,
        };
        let lines = |part: &Repetition| is_line(without_group(&part.sub));
        if parts.iter().filter_map(repeated).any(|part| lines(&part)) {
            let is_free =
                |part: &&Hir| is_anchor(part) || is_anything(part) || repeated(part).is_some_and(|it| lines(&it));
            return parts.iter().all(is_free).then_some(Self::Lines);
        }
        let rest: Vec<&Hir> = parts.iter().copied().filter(|part| !is_anchor(part)).collect();
        let [single] = rest.as_slice() else { return None };
        let counted = repeated(single).filter(|it| is_any(without_group(&it.sub)))?;
        let starts = parts.first().is_some_and(|part| matches!(part.kind(), HirKind::Look(Look::Start)));
        let ends = parts.last().is_some_and(|part| matches!(part.kind(), HirKind::Look(Look::End)));
        let max = counted.max.filter(|_| starts && ends);
        (counted.min > 0 || max.is_some()).then_some(Self::Characters { min: counted.min, max })
    }

    /// Returns the advice on what to write instead of the regex.
    #[must_use]
    pub fn help(self) -> String {
        match self {
            Self::Lines => "no test counts lines: compare the number of bytes, `length content > 10000`".to_owned(),
            Self::Characters { min: 0, max: Some(max) } => {
                format!("compare the number of bytes: `length command <= {max}`, or of another field")
            }
            Self::Characters { min, max: Some(max) } => format!(
                "compare the number of bytes: `length command >= {min} and length command <= {max}`, or of another field"
            ),
            Self::Characters { min, max: None } => {
                format!("compare the number of bytes: `length command >= {min}`, or of another field")
            }
        }
    }
}

/// Returns what is in groups.
fn without_group(hir: &Hir) -> &Hir {
    let mut inner = hir;
    while let HirKind::Capture(group) = inner.kind() {
        inner = &group.sub;
    }
    inner
}

/// Whether a part matches every character, or every one except for the end of a line.
fn is_any(hir: &Hir) -> bool {
    let HirKind::Class(Class::Unicode(class)) = hir.kind() else { return false };
    let missing: u32 = {
        let mut rest = class.clone();
        rest.negate();
        rest.iter().map(|range| u32::from(range.end()).saturating_sub(u32::from(range.start())) + 1).sum()
    };
    missing <= 2
}

/// Whether a part matches any text, or any character.
fn is_anything(hir: &&Hir) -> bool {
    match hir.kind() {
        HirKind::Repetition(part) => is_any(without_group(&part.sub)),
        _ => is_any(hir),
    }
}

/// Whether a part matches a line of any content with its end: `.*\n`.
fn is_line(hir: &Hir) -> bool {
    let HirKind::Concat(parts) = hir.kind() else { return false };
    let Some((last, content)) = parts.split_last() else { return false };
    let is_end = matches!(last.kind(), HirKind::Literal(text) if &*text.0 == b"\n" || &*text.0 == b"\r\n");
    is_end && content.iter().all(|part| is_anything(&part) && matches!(part.kind(), HirKind::Repetition(_)))
}

#[cfg(test)]
mod tests {
    use super::CountedText;

    #[test]
    fn only_a_regex_that_describes_nothing_else_counts() {
        let characters = |min, max| Some(CountedText::Characters { min, max });
        let cases = [
            ("[\\s\\S]{1001}", characters(1001, None)),
            (".{50,}", characters(50, None)),
            ("\\A(?s:.){0,400}\\z", characters(0, Some(400))),
            (".{0,400}", None),
            ("\\A(.*\\n){300}[\\s\\S]", Some(CountedText::Lines)),
            ("([^\\n]*\\n){40,}", Some(CountedText::Lines)),
            ("x.{50,}", None),
            ("[a-z]{50,}", None),
            (".{3}", None),
            ("(a.*\\n){30}", None),
            ("(", None),
        ];
        for (pattern, expected) in cases {
            assert_eq!(CountedText::of(pattern), expected, "{pattern}");
        }
    }

    #[test]
    fn the_help_has_the_number() {
        assert!(CountedText::of(".{50,}").unwrap().help().contains("length command >= 50"));
    }
}
