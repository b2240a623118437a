//! The helps and fixes of findings, followed to the letter, and judged by calls that the author of a policy means.
//!
//! An entry of `tests/fixtures/helps.cases` names a case of `tests/fixtures/check`. The case is mended by its fix, or
//! else as the entry says behind `--- followed`, and the examples and tests of the entry must hold then, and not before.

use std::collections::BTreeSet;

use hookrules::diagnostic::{CODES, Code, Diagnostic};

use crate::mistakes::{ALL, Case, Cases, ITEMS, NOT_BY_TEXT, gap, mended};
use crate::source::read;

/// A finding whose help is followed.
struct Entry {
    cases: Cases,
    case: Case,
    /// The text after its help was followed, if no fix does it.
    followed: Option<String>,
    /// What must hold.
    meant: Meant,
}

/// What shows that a help leads to what its reader means.
enum Meant {
    /// Examples of the last rule, and tests.
    Holds(String),
    /// Examples and tests that hold before as well, for the reason in the entry: the finding is about something that no
    /// verdict shows.
    HoldsBefore(String),
    /// Nothing, for the reason in the entry.
    Nothing,
}

impl Entry {
    fn all() -> Vec<Self> {
        let text = read("tests/fixtures/helps.cases");
        text.strip_prefix("=== ").unwrap().split("\n=== ").map(Self::parse).collect()
    }

    fn parse(text: &str) -> Self {
        let (title, body) = text.split_once('\n').unwrap();
        let (file, name) = title.split_once(": ").unwrap_or_else(|| panic!("{title}: no `FILE: NAME`"));
        let cases = ALL.into_iter().find(|cases| cases.name == file).unwrap_or_else(|| panic!("no file {file}"));
        let case = cases.read().into_iter().find(|case| case.name == name).unwrap_or_else(|| panic!("no case {title}"));
        let (followed, meant) = match body.strip_prefix("--- followed\n") {
            Some(rest) => {
                let (followed, meant) =
                    rest.split_once("\n--- meant\n").unwrap_or_else(|| panic!("{title}: nothing meant"));
                // An annotation is above the rule, so such a text has its own frame.
                let has_frame = followed.starts_with('@');
                (Some(if has_frame { format!("{followed}\n") } else { cases.framed(followed) }), meant)
            }
            None => (None, body),
        };
        let meant = match meant.split_once('\n') {
            Some((first, rest)) if first.starts_with("alike: ") => Meant::HoldsBefore(rest.to_owned()),
            _ if meant.starts_with("none: ") => Meant::Nothing,
            _ => Meant::Holds(meant.to_owned()),
        };
        Self { cases, case, followed, meant }
    }

    fn title(&self) -> String {
        format!("{}: {}", self.cases.name, self.case.name)
    }

    /// Returns the text after the help was followed, or what is wrong with the entry.
    fn followed(&self) -> Result<String, String> {
        let mended = mended(self.cases, &self.case.wrong);
        match &self.followed {
            Some(followed) => Ok(followed.clone()),
            None if mended == self.case.wrong => Err("no fix changes it: write what the help says".to_owned()),
            None => Ok(mended),
        }
    }

    /// Returns what a help, followed to the letter, does not bring about.
    fn problems(&self) -> Vec<String> {
        let (Meant::Holds(meant) | Meant::HoldsBefore(meant)) = &self.meant else { return Vec::new() };
        let codes = codes_of(&self.cases.check(&self.case.wrong).0);
        let followed = match self.followed() {
            Ok(followed) => followed,
            Err(problem) => return vec![problem],
        };
        let mut problems = Vec::new();
        let (found, printed) = self.cases.check(&with_examples(&followed, meant));
        if found.iter().any(|found| found.is_error() || codes.contains(found.code.id)) {
            problems.push(format!("what follows the help does not hold:\n{printed}"));
        }
        let before = self.cases.check(&with_examples(&self.case.wrong, meant)).0;
        let is_told_apart = before.iter().any(Diagnostic::is_error);
        match &self.meant {
            Meant::Holds(_) if !is_told_apart => problems.push("the mistake passes the same examples".to_owned()),
            Meant::HoldsBefore(_) if is_told_apart => problems.push("the examples tell it from the mistake".to_owned()),
            _ => {}
        }
        problems
    }
}

fn codes_of(found: &[Diagnostic]) -> BTreeSet<&'static str> {
    found.iter().map(|found| found.code.id).collect()
}

/// Puts examples into the last rule of a text, and tests behind it.
fn with_examples(text: &str, meant: &str) -> String {
    let (examples, tests) = match meant.find("test \"") {
        Some(at) => meant.split_at(at),
        None => (meant, ""),
    };
    let lines: String = examples.lines().map(|line| format!("  {line}\n")).collect();
    let text = text.trim_end();
    let text = match text.strip_suffix('}').filter(|_| !lines.is_empty()) {
        Some(rule) => format!("{rule}{lines}}}"),
        None => text.to_owned(),
    };
    format!("{text}\n\n{tests}\n")
}

#[test]
fn a_help_followed_to_the_letter_leads_to_what_its_reader_means() {
    let entries = Entry::all();
    let of =
        |entry: &Entry| entry.problems().into_iter().map(|it| format!("{}: {it}", entry.title())).collect::<Vec<_>>();
    let problems: Vec<String> = entries.iter().flat_map(of).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_code_has_a_help_that_is_followed() {
    let followed: BTreeSet<&str> =
        Entry::all().iter().flat_map(|entry| codes_of(&entry.cases.check(&entry.case.wrong).0)).collect();
    let is_excepted = |code: &Code| NOT_BY_TEXT.iter().any(|(other, _)| other.id == code.id);
    let missing: Vec<&Code> =
        CODES.iter().map(|(code, _)| *code).filter(|code| code.is_on && !is_excepted(code)).collect();
    let missing: Vec<&str> =
        missing.into_iter().filter(|code| !followed.contains(code.id)).map(|code| code.name).collect();
    assert!(missing.is_empty(), "no help is followed for {missing:?}");
}

/// The frames of the cases in `tests/fixtures/syntax`.
const SYNTAX: &[(&str, &str)] = &[
    ("conditions", "rule a {\n  on PreToolUse\n{}\n  deny \"No.\"\n}\n"),
    ("clauses", "rule a {\n{}\n}\n"),
    ("items", "{}\n"),
    ("languages", "{}\n"),
];

/// What a case of `tests/fixtures/syntax` lacks besides its mistake: it is part of a rule, and uses names, files and
/// calls that are not there.
const INCOMPLETE: &[&Code] = &[
    Code::INCOMPLETE_RULE,
    Code::UNKNOWN_FIELD,
    Code::FIELD_NOT_CARRIED,
    Code::UNKNOWN_NAME,
    Code::BAD_USE,
    Code::WRONG_EXAMPLE,
    // A file of one mark that nothing asks about is empty without it.
    Code::LAYER_REFUSED,
];

/// Returns the texts of all cases, each with its name and what may be wrong with it after its fixes.
fn texts() -> Vec<(String, Cases, String, &'static [&'static Code])> {
    let mut texts: Vec<(String, Cases, String, &[&Code])> = Vec::new();
    for (name, frame) in SYNTAX {
        let file = read(format!("tests/fixtures/syntax/{name}.cases"));
        for case in file.strip_prefix("=== ").unwrap().split("\n=== ") {
            let (case, text) = case.split_once('\n').unwrap();
            let cases = Cases { frame, ..ITEMS };
            texts.push((format!("{name}: {case}"), cases, cases.framed(text), INCOMPLETE));
        }
    }
    for cases in ALL {
        let of_file = cases.read().into_iter();
        texts
            .extend(of_file.map(|case| (format!("{}: {}", cases.name, case.name), cases, case.wrong, &[] as &[&Code])));
    }
    texts
}

/// Also where some of the findings have no fix.
#[test]
fn a_fix_takes_its_finding_away_and_brings_no_error() {
    let (mut problems, mut tried) = (Vec::new(), 0);
    for (name, cases, text, incomplete) in texts() {
        let before = cases.check(&text).0;
        let fixed: BTreeSet<&str> =
            before.iter().filter(|found| found.fix.is_some()).map(|found| found.message.as_str()).collect();
        if fixed.is_empty() {
            continue;
        }
        tried += 1;
        let after = mended(cases, &text);
        problems.extend(gap(&text, &after).map(|gap| format!("{name}: {gap}")));
        let (left, printed) = cases.check(&after);
        let stays = left.iter().any(|found| fixed.contains(found.message.as_str()));
        let known: BTreeSet<&str> = before.iter().map(|found| found.message.as_str()).collect();
        let is_new = |found: &&Diagnostic| found.is_error() && !known.contains(found.message.as_str());
        let brings = left.iter().filter(is_new).any(|found| !incomplete.contains(&found.code));
        if stays || brings {
            problems.push(format!("{name}:\n{after}\n{printed}"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(tried > 700, "only {tried}");
}
