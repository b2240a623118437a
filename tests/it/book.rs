//! The book is consistent: every page is listed, and every link has a target.
//!
//! [`blocks`] collects the policies that the book and README.md show, for the test that checks each of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use crate::source::{files, is_left_out, read, root, strings};

/// Documents outside the book whose links and policies are checked too.
const DOCUMENTS: &[&str] = &[
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "benches/README.md",
    "examples/README.md",
    "examples/monorepo/README.md",
    "examples/quickstart/README.md",
];

/// A fenced `rules` block.
#[derive(Debug)]
pub(crate) struct Block {
    /// The path of the page, from the root.
    pub(crate) page: PathBuf,
    /// The line of its opening fence, from 1.
    pub(crate) line: usize,
    /// Its text.
    pub(crate) text: String,
}

/// Returns every ````
/// ```rules ```` block of the book and README.md, which must be complete policies; ```` ```rules,fragment ```` blocks
/// and the blocks on the pages of codes are left out: [`crate::codes`] checks those.
#[track_caller]
pub(crate) fn blocks() -> Vec<Block> {
    let mut found = Vec::new();
    for page in documents() {
        for (line, info, text) in fences(&read(&page)) {
            match info.as_str() {
                "rules" => found.push(Block { page: page.clone(), line, text }),
                "rules,fragment" => {}
                "rules,fires" | "rules,quiet" if page.starts_with("book/src/codes") => {}
                other => assert!(
                    !other.starts_with("rules"),
                    "{}:{line}: write `rules`, `rules,fragment`, `rules,fires` or `rules,quiet`, not `{other}`",
                    page.display()
                ),
            }
        }
    }
    found
}

/// Returns the texts of the fenced blocks of one kind on a page.
#[track_caller]
pub(crate) fn fenced(page: &str, kind: &str) -> Vec<String> {
    fences(&read(page)).into_iter().filter(|(_, info, _)| info == kind).map(|(_, _, text)| text).collect()
}

#[test]
fn the_book_shows_policies() {
    let blocks = blocks();
    assert!(blocks.len() > 20, "only {} blocks found", blocks.len());
    for block in &blocks {
        let place = format!("{}:{}", block.page.display(), block.line);
        assert!(block.text.lines().any(|line| line.starts_with("rule ")), "{place}: no rule in column 0");
        assert!(!block.text.contains('\t'), "{place}: indent with spaces");
    }
}

#[test]
fn the_summary_lists_every_page_once() {
    let listed: Vec<PathBuf> =
        links(&read("book/src/SUMMARY.md")).into_iter().map(|(_, target)| Path::new("book/src").join(target)).collect();
    let once: BTreeSet<&PathBuf> = listed.iter().collect();
    assert_eq!(once.len(), listed.len(), "a page stands twice in SUMMARY.md");
    let pages = files("book/src", &["md"]);
    let pages: BTreeSet<&PathBuf> = pages.iter().filter(|page| !page.ends_with("SUMMARY.md")).collect();
    assert_eq!(once, pages, "SUMMARY.md on the left, the pages that exist on the right");
}

#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    for page in documents() {
        for (line, target) in links(&read(&page)) {
            if target.starts_with("https://") || target.starts_with("http://") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let file = match file {
                "" => page.clone(),
                file => normal(&page.parent().unwrap_or(Path::new("")).join(file)),
            };
            if is_left_out(&file) {
                continue;
            }
            if !root().join(&file).exists() {
                broken.push(format!("{}:{line}: {target}: no such file", page.display()));
            } else if !anchor.is_empty() && !headings(&read(&file)).contains(anchor) {
                broken.push(format!("{}:{line}: {target}: no such heading", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

/// The overview mentions every reserved word, with the page that explains it.
#[test]
fn the_overview_names_every_word() {
    let overview = read("book/src/reference/overview.md");
    let words: BTreeSet<&str> = overview.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    let values = BTreeSet::from(["true", "false", "null"].map(str::to_owned));
    let missing: Vec<String> = highlighted("RESERVED")
        .into_iter()
        .chain(highlighted("BESIDE"))
        .filter(|word| !words.contains(word.as_str()) && !values.contains(word))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Returns the words in a constant of the script that highlights policies.
#[track_caller]
fn highlighted(constant: &str) -> BTreeSet<String> {
    let script = read("book/theme/rules.js");
    let (_, rest) = script.split_once(&format!("const {constant} = ")).expect("the constant");
    let strings = rest.split(';').next().unwrap().split('"').skip(1).step_by(2);
    strings.flat_map(str::split_whitespace).map(str::to_owned).collect()
}

#[test]
fn the_words_of_the_language_are_highlighted_and_no_others() {
    let reserved: BTreeSet<String> =
        strings(&read("src/syntax/words.rs")).into_iter().map(|(_, word)| word.trim_matches('"').to_owned()).collect();
    assert!(reserved.len() > 40, "{reserved:?}");
    assert_eq!(highlighted("RESERVED"), reserved);
    let grammar = read("grammar/rules.pest") + &read("grammar/lexical.pest");
    for word in highlighted("BESIDE") {
        assert!(!reserved.contains(&word) && grammar.contains(&format!("\"{word}\"")), "{word}");
    }
    let names: BTreeSet<String> = ["project", "tmp", "home", "main", "now"].map(str::to_owned).into();
    assert_eq!(highlighted("PLACES"), names);
    assert!(highlighted("CONSTANTS").is_subset(&reserved));
}

/// Returns the pages of the book and the other documents.
fn documents() -> Vec<PathBuf> {
    let mut pages = files("book/src", &["md"]);
    pages.extend(DOCUMENTS.iter().map(PathBuf::from).filter(|page| !is_left_out(page)));
    pages
}

/// Returns the line, info string and text of every fenced block.
#[track_caller]
pub(crate) fn fences(text: &str) -> Vec<(usize, String, String)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, String, String)> = None;
    for (number, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => open = Some((number + 1, info.to_owned(), String::new())),
            (Some(_), Some("")) => found.extend(open.take()),
            (Some((_, _, text)), _) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is not closed: {open:?}");
    found
}

/// Returns the line and target of every link outside of code.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in prose(text) {
        // Text in backticks is not a link.
        let outside: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        for part in outside.split("](").skip(1) {
            if let Some((target, _)) = part.split_once(')') {
                found.push((number, target.to_owned()));
            }
        }
    }
    found
}

/// Returns the anchor of a heading, as mdBook computes it.
pub(crate) fn anchor(title: &str) -> String {
    let letter = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c.to_ascii_lowercase()),
        c if c.is_whitespace() => Some('-'),
        _ => None,
    };
    title.trim().chars().filter_map(letter).collect()
}

/// Returns the anchors of a page's headings, as mdBook computes them.
fn headings(text: &str) -> BTreeSet<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut found = BTreeSet::new();
    for (_, line) in prose(text) {
        let title = line.trim_start_matches('#');
        if title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let anchor = anchor(title);
        let count = seen.entry(anchor.clone()).or_default();
        found.insert(if *count == 0 { anchor } else { format!("{anchor}-{count}") });
        *count += 1;
    }
    found
}

/// Returns the numbered lines outside of fenced blocks.
fn prose(text: &str) -> Vec<(usize, &str)> {
    let mut inside = false;
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            inside = !inside;
        } else if !inside {
            found.push((number + 1, line));
        }
    }
    found
}

/// Resolves `.` and `..` lexically.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(out.pop()),
            Component::CurDir => {}
            part => out.push(part),
        }
    }
    out
}

#[test]
fn blocks_links_and_headings_are_read() {
    let text = "# A `b` c\n[x](y.md#z) `[no](link)`\n```rules\nrule a {}\n[no](link)\n```\n## A b c\n";
    assert_eq!(fences(text), [(3, "rules".to_owned(), "rule a {}\n[no](link)\n".to_owned())]);
    assert_eq!(links(text), [(2, "y.md#z".to_owned())]);
    assert_eq!(headings(text).into_iter().collect::<Vec<_>>(), ["a-b-c", "a-b-c-1"]);
    assert_eq!(normal(Path::new("book/src/../../README.md")), Path::new("README.md"));
}
