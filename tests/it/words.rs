//! The English of comments and the names of types, as CONTRIBUTING.md wants them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::source::{code, files, is_left_out, is_test_file, read, sources};

/// Phrases that no comment uses, each with what to write instead.
const PHRASES: &[(&str, &str)] = &[
    ("tells whether", "`Whether …`"),
    ("comes to", "`results in`, `the value of`"),
    ("come to", "`result in`, `the value of`"),
    ("nothing where", "`None` if …"),
    ("beside", "`next to`, `besides`, `in addition to`"),
    ("by itself", "`on its own`, `alone`"),
    ("lies", "`is in`, `is at`"),
    ("stands", "`is`, `is at`; a symbol may stand for something"),
    ("otherwise than", "`other than`"),
];

/// Names of std's prelude and of the traits that everybody knows.
const PRELUDE: &[&str] = &[
    "Box", "Clone", "Copy", "Debug", "Default", "Display", "Drop", "Fn", "From", "Into", "Iterator", "Option", "Send",
    "String", "Sync", "Vec",
];

#[test]
fn comments_use_the_words_of_the_field() {
    let mut found = Vec::new();
    for path in sources() {
        for (number, line) in read(&path).lines().enumerate() {
            if let Some((phrase, instead)) = phrase_in(line) {
                found.push(format!("{}:{}: `{phrase}`: write {instead}", path.display(), number + 1));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn no_type_takes_a_name_of_the_prelude() {
    let mut taken = Vec::new();
    for path in sources() {
        let code = code(&read(&path));
        let words: Vec<&str> =
            code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()).collect();
        for pair in words.windows(2) {
            if matches!(pair[0], "struct" | "enum" | "trait" | "union") && PRELUDE.contains(&pair[1]) {
                taken.push(format!("{}: {}", path.display(), pair[1]));
            }
        }
    }
    assert!(taken.is_empty(), "{taken:#?}");
}

/// A reader who knows one of two types would read the other's name wrongly. What a file keeps to itself may share one,
/// and so may the two implementations of a system, of which only one is compiled.
#[test]
fn no_two_types_of_a_crate_share_a_name() {
    let mut shared = Vec::new();
    for root in ["src", "shell/src"].into_iter().filter(|root| !is_left_out(Path::new(root))) {
        let mut definitions: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
        let is_read = |path: &PathBuf| !is_test_file(path) && !path.starts_with("src/platform/windows");
        for path in files(root, &["rs"]).into_iter().filter(is_read) {
            for name in code(&read(&path)).lines().filter_map(visible_type) {
                definitions.entry(name.to_owned()).or_default().push(path.clone());
            }
        }
        assert!(definitions.len() > 200, "{root}: {definitions:?}");
        shared.extend(definitions.into_iter().filter(|(_, paths)| paths.len() > 1));
    }
    assert!(shared.is_empty(), "{shared:#?}");
}

/// The type that a line of code defines for other files.
fn visible_type(line: &str) -> Option<&str> {
    let item = line.trim_start().strip_prefix("pub")?;
    let item = item.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(item, |(_, item)| item);
    let (keyword, rest) = item.trim_start().split_once(' ')?;
    matches!(keyword, "struct" | "enum" | "trait" | "union" | "type")
        .then(|| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next())
        .flatten()
        .filter(|name| !name.is_empty())
}

#[test]
fn a_visible_type_is_one_that_other_files_can_name() {
    assert_eq!(visible_type("pub struct Word {"), Some("Word"));
    assert_eq!(visible_type("    pub(in crate::path) enum Fit<'a> {"), Some("Fit"));
    assert_eq!(visible_type("pub(crate) type Rows = Vec<Row>;"), Some("Rows"));
    assert_eq!(visible_type("struct Word {"), None);
    assert_eq!(visible_type("pub fn type_of(x: u8) {"), None);
}

/// The first phrase in a line of a comment, and what to write instead.
fn phrase_in(line: &str) -> Option<(&'static str, &'static str)> {
    let comment = line.trim_start().strip_prefix("//")?.to_lowercase().replace("stands for", "");
    let words: Vec<&str> =
        comment.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|w| !w.is_empty()).collect();
    PHRASES.iter().copied().find(|(phrase, _)| {
        let phrase: Vec<&str> = phrase.split(' ').collect();
        words.windows(phrase.len()).any(|window| window == phrase)
    })
}

#[test]
fn a_phrase_is_whole_words_of_a_comment() {
    assert!(phrase_in("    /// Tells whether it is so.").is_some());
    assert!(phrase_in("// What lies below.").is_some());
    assert!(phrase_in("//! What stands here.").is_some());
    assert_eq!(phrase_in("/// `-` stands for standard input."), None);
    assert_eq!(phrase_in("let lies = beside;"), None);
    assert_eq!(phrase_in("/// Besides, it implies and relies on nothing."), None);
}
