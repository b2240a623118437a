//! The rules of CONTRIBUTING.md that a machine can check.

use std::path::{Path, PathBuf};

use crate::source::{code, files, is_left_out, is_test_file, read, sources, strings};

/// The most non-blank lines: code and comments, without tests.
const MAX_LINES: usize = 600;

/// Untracked deferred work; spelled so that this file does not match.
const FORBIDDEN: &[&str] = &[concat!("TO", "DO"), concat!("XX", "X"), concat!("#[ign", "ore")];
/// Allowed with the code of the behaviour that a test pins: `(R0999)`.
const NEEDS_CODE: &str = concat!("FIX", "ME");

/// Specification 002: AC-7 one idea a file, typed, documented
#[test]
fn files_are_short() {
    let long: Vec<_> = sources()
        .into_iter()
        .filter(|path| !is_test_file(path))
        .map(|path| (lines_without_tests(&read(&path)), path))
        .filter(|(lines, _)| *lines > MAX_LINES)
        .collect();
    assert!(long.is_empty(), "over {MAX_LINES} lines: {long:?}");
}

#[test]
fn modules_are_not_called_mod() {
    let wrong: Vec<_> =
        rust_files().into_iter().filter(|path| path.file_name().is_some_and(|name| name == "mod.rs")).collect();
    assert!(wrong.is_empty(), "write `foo.rs` beside `foo/`: {wrong:?}");
}

/// Specification 002: AC-7 one idea a file, typed, documented
#[test]
fn sources_begin_by_saying_what_they_own() {
    let silent: Vec<_> = rust_files().into_iter().filter(|path| !read(path).starts_with("//!")).collect();
    assert!(silent.is_empty(), "no `//!` on the first line: {silent:?}");
}

#[test]
fn nothing_is_put_off() {
    let mut found = Vec::new();
    for path in rust_files().into_iter().chain(optional("grammar", &["pest"])) {
        for (number, line) in read(&path).lines().enumerate() {
            if FORBIDDEN.iter().any(|word| has_word(line, word)) || lacks_code(line) {
                found.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn the_program_of_the_guide_is_its_record() {
    if is_left_out(Path::new("shell")) {
        return;
    }
    let guide = read("CONTRIBUTING.md");
    let block = guide.split("```toml\n").nth(1).and_then(|block| block.split("```").next()).unwrap();
    let shown: String = block.lines().map(|line| line.trim_start().to_owned() + "\n").collect();
    assert_eq!(shown.trim_end(), read("shell/programs/truncate.toml").trim_end());
}

/// The files of the syntax layer that contain sentences: the table of mistakes.
const SENTENCES: &str = "src/syntax/mistakes";
/// Phrases of the language with a blank between words.
const LANGUAGE: &[&str] = &["not in", "not matches", "only runs"];

#[test]
fn what_is_said_about_a_policys_text_stands_in_the_table_of_mistakes() {
    let mut wrong = Vec::new();
    // Printers write policies, and translations are tests of this and other languages: these are not sentences.
    let policies =
        ["src/syntax/print", "src/syntax/diagnose/translate", "src/syntax/language.rs", "src/syntax/language/draft"];
    let printed = |path: &Path| {
        policies.iter().any(|start| path.starts_with(start))
            || path.ends_with("print.rs")
            || path.ends_with("draft.rs")
            || path.ends_with("translate.rs")
    };
    let elsewhere =
        |path: &PathBuf| !is_test_file(path) && !printed(path) && !path.to_string_lossy().starts_with(SENTENCES);
    for path in files("src/syntax", &["rs"]).into_iter().filter(elsewhere) {
        let text = read(&path);
        wrong.extend(code(&text).contains("Diagnostic::new").then(|| format!("{}: Diagnostic::new", path.display())));
        let lint = |line: usize| text.lines().nth(line - 1).is_some_and(|line| line.contains("reason = "));
        let sentences = strings(&text).into_iter().filter(|(line, text)| is_sentence(text) && !lint(*line));
        wrong.extend(sentences.map(|(line, text)| format!("{}:{line}: {text}", path.display())));
    }
    assert!(wrong.is_empty(), "{SENTENCES}/sentences.rs or effects.rs is the place for what is said: {wrong:#?}");
}

/// Whether a string has two words with a blank between them.
fn is_sentence(literal: &str) -> bool {
    let text = literal.trim_matches('"');
    let chars: Vec<char> = text.chars().collect();
    let joins = |c: char| c.is_alphabetic() || c == '`' || c == ',';
    !LANGUAGE.contains(&text) && chars.windows(3).any(|three| joins(three[0]) && three[1] == ' ' && joins(three[2]))
}

/// Whether a line has a word that is not a part of a longer one.
fn has_word(line: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line.get(..at).unwrap_or_default();
        let after = line.get(at + word.len()..).unwrap_or_default();
        !before.ends_with(is_part) && !after.starts_with(is_part)
    })
}

/// Whether a line names a known defect without the code that a test pins.
fn lacks_code(line: &str) -> bool {
    line.split_once(NEEDS_CODE).is_some_and(|(_, rest)| !rest.starts_with("(R"))
}

/// Counts the non-blank lines that do not belong to tests.
fn lines_without_tests(text: &str) -> usize {
    let mut inside = false;
    let code = code(text);
    let lines = text.lines().zip(code.lines()).filter(|(line, code)| {
        // `code` blanks comments too, so a test ends only where code comes back.
        if !code.trim().is_empty() {
            inside = false;
        } else if line.trim_start().starts_with("#[cfg(test)]") {
            inside = true;
        }
        !inside && !line.trim().is_empty()
    });
    lines.count()
}

fn rust_files() -> Vec<PathBuf> {
    let mut found = sources();
    found.extend(files("tests", &["rs"]));
    found.extend(optional("benches", &["rs"]));
    found.extend(optional("fuzz", &["rs"]));
    found
}

/// Returns the files of a directory that the published package excludes.
fn optional(directory: &str, extensions: &[&str]) -> Vec<PathBuf> {
    if is_left_out(Path::new(directory)) { Vec::new() } else { files(directory, extensions) }
}

#[test]
fn tests_do_not_count_as_lines() {
    let text = "//! x\nfn a() {}\n\n#[cfg(test)]\nmod tests {\n    // why\n    fn b() {}\n}\n";
    assert_eq!(lines_without_tests(text), 2);
    assert_eq!(lines_without_tests("fn a() {}\n#[cfg(test)]\nmod tests;\nfn b() {}\n"), 2);
}

#[test]
fn two_words_are_a_sentence() {
    assert!(["\"no item\"", "\"write `{right}`\"", "\"a, b\""].iter().all(|text| is_sentence(text)));
    assert!(!["\" on\"", "\"not in\"", "\"exists {field}\"", "\"{\""].iter().any(|text| is_sentence(text)));
}

#[test]
fn a_word_inside_a_name_is_no_word() {
    let word = FORBIDDEN[0];
    assert!(has_word(&format!("// {word}: later"), word));
    assert!(!has_word(&format!("const {word}_WRITE: u8 = 0;"), word));
}

#[test]
fn a_known_defect_needs_its_code() {
    assert!(lacks_code(&format!("// {NEEDS_CODE}: later")));
    assert!(!lacks_code(&format!("// {NEEDS_CODE}(R0999): why")));
}

/// Examples for users of the library only use its API: the feature that makes every module public is on here.
#[test]
fn examples_name_nothing_that_is_internal() {
    let modules: Vec<String> = files("src", &["rs"])
        .iter()
        .filter(|path| path.components().count() == 2)
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    let mut wrong = Vec::new();
    for path in files("examples", &["rs"]) {
        wrong.extend(internal(&modules, &read(&path)).map(|name| format!("{}: {name}", path.display())));
    }
    for path in files("src", &["rs"]) {
        let text = read(&path);
        let docs: String = text
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix("///").or_else(|| line.trim_start().strip_prefix("//!")))
            .collect();
        wrong.extend(internal(&modules, &docs).map(|name| format!("{}: {name}", path.display())));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(internal(&modules, "use hookrules::{Engine, facts::X}; hookrules::verdict::Y").count(), 2);
}

/// Returns the internal modules of the library that a text names.
fn internal<'t>(modules: &'t [String], text: &'t str) -> impl Iterator<Item = &'t str> {
    let paths = text.split("hookrules::").skip(1).flat_map(|rest| {
        let end = if rest.starts_with('{') { rest.find('}') } else { rest.find([';', ' ', '(']) };
        rest.get(..end.unwrap_or(rest.len())).unwrap_or_default().trim_start_matches('{').split(',')
    });
    paths
        .filter_map(|path| path.trim().split_once("::"))
        .map(|(head, _)| head)
        .filter(|head| modules.iter().any(|module| module == head))
}
