//! The English of comments and the names of types, as CONTRIBUTING.md wants them.

use crate::source::{code, read, sources};

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
