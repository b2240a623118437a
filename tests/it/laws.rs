//! The ten laws, with every clause: the book states them, each with the tests that verify it.

use std::collections::{BTreeMap, BTreeSet};

use crate::generated::is_current;
use crate::source::{files, is_left_out, read};

mod decide;
pub(crate) mod generate;
pub(crate) mod hold;
mod index;
mod layers;
mod negate;
mod order;
mod past;
mod properties;
mod rewrite;
mod truth;

const PAGE: &str = "book/src/reference/laws.md";

#[test]
fn the_book_lists_the_tests_of_each_law() {
    let tests = tests_of_laws();
    let stated = stated();
    assert_eq!(stated, (1..=stated.len()).collect::<Vec<_>>(), "{PAGE}: the laws are numbered from 1");
    let of_no_law: Vec<_> = tests.keys().filter(|law| !stated.contains(law)).collect();
    assert!(of_no_law.is_empty(), "tests are named after laws that {PAGE} does not state: {of_no_law:?}");
    for law in stated {
        let held_by = tests.get(&law).unwrap_or_else(|| panic!("no test is named `law_{law}_…`"));
        let list: String = held_by.iter().map(|test| format!("- `{test}`\n")).collect();
        is_current(PAGE, &format!("law {law}"), &list);
    }
}

#[test]
fn every_law_that_is_cited_stands_in_the_book() {
    let stated = stated();
    let directories = ["src", "tests", "benches", "fuzz"].into_iter().filter(|one| !is_left_out(one.as_ref()));
    let mut cited = 0;
    let mut wrong = Vec::new();
    for path in directories.flat_map(|directory| files(directory, &["rs"])) {
        for (number, line) in read(&path).lines().enumerate() {
            let laws = citations(line);
            cited += laws.len();
            let unknown = laws.into_iter().filter(|law| !stated.contains(law));
            wrong.extend(unknown.map(|law| format!("{}:{}: law {law}", path.display(), number + 1)));
        }
    }
    assert!(wrong.is_empty(), "not in {PAGE}: {wrong:#?}");
    assert!(cited > 20, "{cited} citations: are they still written `law N`?");
}

#[test]
fn citations_are_read() {
    let (one, many) = (concat!("// As la", "w 4 says."), concat!("//! La", "ws 1, 2 and 7 hold."));
    assert_eq!(citations(one), [4]);
    assert_eq!(citations(many), [1, 2, 7]);
    assert!(citations("// The index's law, and 3 others.").is_empty());
}

/// Returns the numbers of the laws that the book states.
fn stated() -> Vec<usize> {
    let page = read(PAGE);
    let numbers = page.lines().filter_map(|line| line.strip_prefix("## Law ")?.split_once(": "));
    numbers.map(|(number, _)| number.parse().unwrap()).collect()
}

/// Returns the tests that are named after a law, by its number.
fn tests_of_laws() -> BTreeMap<usize, BTreeSet<String>> {
    let mut found: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    for path in files("tests/it", &["rs"]) {
        for line in read(&path).lines() {
            let name = line.trim_start().strip_prefix("fn ").and_then(|rest| rest.split('(').next());
            let named = name.and_then(|name| Some((name, name.strip_prefix("law_")?.split_once('_')?.0)));
            if let Some((name, law)) = named {
                found.entry(law.parse().unwrap()).or_default().insert(name.to_owned());
            }
        }
    }
    found
}

/// Returns the laws that a line cites: `law 4`, `laws 1, 2 and 7`.
fn citations(line: &str) -> Vec<usize> {
    let line = line.to_lowercase();
    let mut found = Vec::new();
    for mark in ["law ", "laws "] {
        for (_, rest) in line.match_indices(mark).map(|(at, _)| line.split_at(at + mark.len())) {
            let words = rest.split([' ', ',', ')', '.', ';', ':']).filter(|word| !word.is_empty());
            found.extend(
                words
                    .take_while(|word| *word == "and" || is_number(word))
                    .filter_map(|word| word.parse::<usize>().ok()),
            );
        }
    }
    found
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}
