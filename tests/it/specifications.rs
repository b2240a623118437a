//! The specifications on which this program is based, scenario by scenario.
//!
//! The doc comment of a test names the scenario that it covers: `/// Specification 000: TITLE`. The outline of the
//! documents is `tests/fixtures/specifications.toml`.

mod exit_codes;
mod lifecycle;
mod outputs;
mod start;
mod stop;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;

use crate::generated::is_current;
use crate::source::{files, read, sources};

/// The start of a line of a doc comment that names a scenario.
const MARK: &str = concat!("/// Specif", "ication ");

#[derive(Deserialize)]
struct Outline {
    document: Vec<Document>,
}

#[derive(Deserialize)]
struct Document {
    id: String,
    title: String,
    requirement: Vec<Requirement>,
}

#[derive(Deserialize)]
struct Requirement {
    title: String,
    /// The places of the code that satisfies it.
    held: String,
    /// An intended difference of the implementation, and its reason.
    differs: Option<String>,
    scenarios: Vec<String>,
}

fn outline() -> Outline {
    toml::from_str(&read("tests/fixtures/specifications.toml")).unwrap()
}

/// Returns the tests by document and title, each as its module and name.
fn held() -> BTreeMap<(String, String), Vec<String>> {
    let mut held: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for path in files("tests/it", &["rs"]).iter().chain(&sources()) {
        let text = read(path);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (at, line) in lines.iter().enumerate() {
            let Some((document, title)) = line.strip_prefix(MARK).and_then(|rest| rest.split_once(": ")) else {
                continue;
            };
            // One test may name several scenarios.
            let below = lines[at..].iter().position(|line| !line.starts_with("///")).unwrap();
            let name = lines[at + below + 1].strip_prefix("fn ").and_then(|rest| rest.split_once('('));
            let (Some((name, _)), "#[test]") = (name, lines[at + below]) else {
                panic!("{}:{}: no test follows", path.display(), at + 1);
            };
            let place = format!("{}::{name}", module(path));
            held.entry((document.to_owned(), title.to_owned())).or_default().push(place);
        }
    }
    held
}

/// Returns the path of a module as the test runner prints it.
fn module(path: &Path) -> String {
    let path = path.with_extension("");
    let inside = path.strip_prefix("tests/it").or_else(|_| path.strip_prefix("src")).unwrap();
    inside.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("::")
}

#[test]
fn every_test_names_a_scenario_that_there_is() {
    let documents = outline().document;
    let known: Vec<(&str, &str)> = documents
        .iter()
        .flat_map(|document| document.requirement.iter().map(move |requirement| (document, requirement)))
        .flat_map(|(document, requirement)| requirement.scenarios.iter().map(|title| (&*document.id, &**title)))
        .collect();
    let held = held();
    let strange: Vec<_> = held.keys().filter(|(id, title)| !known.contains(&(id, title))).collect();
    assert!(strange.is_empty(), "{strange:#?}");
}

#[test]
fn every_scenario_has_a_test() {
    let held = held();
    let mut lacking = Vec::new();
    for document in outline().document {
        for title in document.requirement.into_iter().flat_map(|requirement| requirement.scenarios) {
            let key = (document.id.clone(), title);
            if !held.contains_key(&key) {
                lacking.push(key);
            }
        }
    }
    assert!(lacking.is_empty(), "{} scenarios have no test: {lacking:#?}", lacking.len());
}

/// Returns the files that a place names, each with the identifiers before it.
fn places(held: &str) -> Vec<(Vec<&str>, &str)> {
    let mut places = Vec::new();
    for place in held.split(';') {
        let mut identifiers = Vec::new();
        for (at, part) in place.split('`').enumerate() {
            if at % 2 == 1 {
                identifiers.extend(Some(part).filter(|code| code.chars().all(is_of_identifier)));
                continue;
            }
            let words = part.split([' ', ',', ':']).filter(|word| word.contains('/'));
            places.extend(words.map(|word| (identifiers.clone(), word)));
        }
    }
    places
}

fn is_of_identifier(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[test]
fn every_place_is_a_file_that_holds_what_is_named() {
    assert_eq!(
        places("`A`, src/a.rs, by src/b.rs; `x y` of src/c.rs: d"),
        [(vec!["A"], "src/a.rs"), (vec!["A"], "src/b.rs"), (vec![], "src/c.rs"),]
    );
    let mut wrong = Vec::new();
    for requirement in outline().document.iter().flat_map(|document| &document.requirement) {
        let places = places(&requirement.held);
        if places.is_empty() {
            wrong.push(format!("{}: no file is named", requirement.title));
        }
        for (identifiers, path) in places {
            if !Path::new(path).is_file() {
                wrong.push(format!("{}: there is no {path}", requirement.title));
                continue;
            }
            let text = read(path);
            let words: BTreeSet<&str> = text.split(|c| !is_of_identifier(c)).collect();
            let lacking = identifiers.iter().filter(|identifier| !words.contains(*identifier));
            wrong.extend(lacking.map(|identifier| format!("{}: no {identifier} in {path}", requirement.title)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_page_of_specifications_is_current() {
    let held = held();
    let documents = outline().document;
    let scenarios: usize =
        documents.iter().flat_map(|document| &document.requirement).map(|it| it.scenarios.len()).sum();
    let tests: BTreeSet<&String> = held.values().flatten().collect();
    let mut page = format!("{scenarios} scenarios, held by {} tests.\n", tests.len());
    for document in &documents {
        page.push_str(&format!("\n## {}: {}\n", document.id, document.title));
        for requirement in &document.requirement {
            page.push_str(&format!("\n### {}\n\nIn {}.\n", requirement.title, requirement.held));
            if let Some(differs) = &requirement.differs {
                page.push_str(&format!("{}\n", differs.trim()));
            }
            page.push_str("\n| scenario | test |\n|---|---|\n");
            for title in &requirement.scenarios {
                let tests = held.get(&(document.id.clone(), title.clone())).map(Vec::as_slice).unwrap_or_default();
                let tests: Vec<String> = tests.iter().map(|test| format!("`{test}`")).collect();
                page.push_str(&format!("| {title} | {} |\n", tests.join("<br>")));
            }
        }
    }
    is_current("book/src/specifications.md", "specifications", &page);
}
