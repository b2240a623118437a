//! The book holds together: every page is listed, every link leads somewhere, generated parts are current.
//!
//! [`blocks`] collects the policies that the book and README.md show, for the test that checks each of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::{env, fs};

use hookrules::diagnostic::CODES;
use hookrules::schema::{BASE_FIELDS, EVENTS, EventSpec, Field, FileInput, Shell, Subject, TOOLS, ToolSpec, Type};

use crate::source::{files, read, root};

/// Documents beside the book whose links and policies are checked too.
const DOCUMENTS: &[&str] = &[
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "benches/README.md",
    "examples/README.md",
    "examples/quickstart/README.md",
];

/// A fenced `rules` block.
#[derive(Debug)]
pub(crate) struct Block {
    /// The page, from the root.
    pub(crate) page: PathBuf,
    /// The line of its opening fence, from 1.
    pub(crate) line: usize,
    /// Its text.
    pub(crate) text: String,
}

/// Returns every ```` ```rules ```` block of the book and README.md, which must be complete policies;
/// ```` ```rules,fragment ```` is left out.
#[track_caller]
pub(crate) fn blocks() -> Vec<Block> {
    let mut found = Vec::new();
    for page in documents() {
        for (line, info, text) in fences(&read(&page)) {
            match info.as_str() {
                "rules" => found.push(Block { page: page.clone(), line, text }),
                "rules,fragment" => {}
                other => assert!(
                    !other.starts_with("rules"),
                    "{}:{line}: write `rules` or `rules,fragment`, not `{other}`",
                    page.display()
                ),
            }
        }
    }
    found
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
            if !root().join(&file).exists() {
                broken.push(format!("{}:{line}: {target}: no such file", page.display()));
            } else if !anchor.is_empty() && !headings(&read(&file)).contains(anchor) {
                broken.push(format!("{}:{line}: {target}: no such heading", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn the_page_of_codes_is_current() {
    let mut table = "| code | name | severity | means |\n|---|---|---|---|\n".to_owned();
    for (code, doc) in CODES {
        table.push_str(&format!("| {} | `{}` | {} | {} |\n", code.id, code.name, code.severity.word(), cell(doc)));
    }
    is_current("book/src/codes.md", "codes", &table);
}

#[test]
fn the_table_of_events_is_current() {
    let mut table = "| event | selectors look at | it can carry | `by` |\n|---|---|---|---|\n".to_owned();
    for spec in EVENTS {
        table.push_str(&format!(
            "| `{}` | {} | {} | {} |\n",
            spec.name,
            subject(spec),
            answers(spec),
            if spec.has_agent { "yes" } else { "" }
        ));
    }
    is_current("book/src/claude-code.md", "events", &table);
}

#[test]
fn the_pages_of_fields_are_current() {
    let page = "book/src/reference/payloads.md";
    is_current(page, "base", &field_table(BASE_FIELDS));
    let mut events = String::new();
    for spec in EVENTS {
        events.push_str(&format!("### {}\n\n{}\n\n", spec.name, spec.doc));
        if spec.fields.is_empty() {
            events.push_str("It has no fields of its own.\n\n");
        } else {
            events.push_str(&format!("{}\n", field_table(spec.fields)));
        }
    }
    is_current(page, "fields", events.trim_end_matches('\n'));
    let mut tools = "| tool | input | files, commands, URLs |\n|---|---|---|\n".to_owned();
    for tool in TOOLS {
        let input: Vec<String> = tool
            .input
            .iter()
            .map(|field| format!("`{}`{}", field.name, if field.required { "" } else { "?" }))
            .collect();
        tools.push_str(&format!("| `{}` | {} | {} |\n", tool.name, input.join(", "), acts(tool)));
    }
    is_current(page, "tools", &tools);
}

/// Writes fields as a table, members of objects behind dots.
fn field_table(fields: &[Field]) -> String {
    let mut out = "| field | type | is |\n|---|---|---|\n".to_owned();
    let mut open: Vec<(String, Field)> = fields.iter().rev().map(|field| (field.name.to_owned(), *field)).collect();
    while let Some((name, field)) = open.pop() {
        let mark = if field.required { "" } else { "?" };
        out.push_str(&format!("| `{name}`{mark} | {} | {} |\n", type_words(&field.ty), cell(field.doc)));
        if let Type::Object(members) = field.ty {
            open.extend(members.iter().rev().map(|member| (format!("{name}.{}", member.name), *member)));
        }
    }
    out
}

fn type_words(ty: &Type) -> String {
    match ty {
        Type::String => "string".to_owned(),
        Type::Path => "path".to_owned(),
        Type::Enum(values) => values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(", "),
        Type::Number => "number".to_owned(),
        Type::Boolean => "boolean".to_owned(),
        Type::List(inner) => format!("list: {}", type_words(inner)),
        Type::Object(_) => "object".to_owned(),
        Type::Any => "any".to_owned(),
    }
}

/// Says what a tool does to files, and what of it is a command or a URL.
fn acts(tool: &ToolSpec) -> String {
    let mut acts: Vec<String> = tool.files.iter().map(file_words).collect();
    acts.extend(tool.command.map(|member| match tool.shell {
        Shell::Bash => format!("`{member}` is a shell command"),
        Shell::PowerShell => format!("`{member}` is a PowerShell command"),
        Shell::None => format!("`{member}` is a command"),
    }));
    acts.extend(tool.url.map(|member| format!("`{member}` is a URL")));
    acts.join("; ")
}

fn file_words(file: &FileInput) -> String {
    let does = match (file.reads, file.writes) {
        (true, true) => "reads and writes",
        (true, false) => "reads",
        (false, true) => "writes",
        (false, false) => "names",
    };
    let what = match (file.glob, file.recursive) {
        (true, _) => "what matches ",
        (false, true) => "what lies below ",
        (false, false) => "",
    };
    format!("{does} {what}`{}`", file.member)
}

fn subject(spec: &EventSpec) -> String {
    match spec.subject {
        Subject::None => String::new(),
        Subject::Tool => "the tool's name".to_owned(),
        Subject::Field(field) => format!("`{field}`"),
        Subject::BaseName(field) => format!("the last part of `{field}`"),
    }
}

/// Lists what not every event can carry.
fn answers(spec: &EventSpec) -> String {
    let answers = spec.answers;
    [
        (answers.deny, "deny"),
        (answers.ask, "ask"),
        (answers.allow, "allow"),
        (answers.halt, "halt"),
        (answers.context, "context"),
        (answers.rewrite, "rewrite"),
        (answers.warn, "warn"),
    ]
    .into_iter()
    .filter_map(|(can, word)| can.then_some(word))
    .collect::<Vec<_>>()
    .join(", ")
}

/// Escapes what would end a cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// Compares a generated region with what it should hold, or writes it under `RULES_BLESS`.
#[track_caller]
fn is_current(page: &str, name: &str, expected: &str) {
    let text = read(page);
    let (open, close) = (format!("<!-- generated: {name} -->\n"), "<!-- end -->");
    let (before, rest) = text.split_once(&open).unwrap_or_else(|| panic!("{page} marks no region {name}"));
    let (region, after) = rest.split_once(close).unwrap_or_else(|| panic!("{page}: the region {name} has no end"));
    let expected = format!("\n{}\n\n", expected.trim_end());
    if region != expected && env::var_os("RULES_BLESS").is_some() {
        fs::write(root().join(page), format!("{before}{open}{expected}{close}{after}")).unwrap();
        return;
    }
    assert!(region == expected, "{page} is not current; `RULES_BLESS=1 cargo test --test it` writes this:\n{expected}");
}

/// Returns the pages of the book and the documents beside it.
fn documents() -> Vec<PathBuf> {
    let mut pages = files("book/src", &["md"]);
    pages.extend(DOCUMENTS.iter().map(PathBuf::from));
    pages
}

/// Returns line, info and text of every fenced block.
#[track_caller]
fn fences(text: &str) -> Vec<(usize, String, String)> {
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

/// Returns line and target of every link outside of code.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in prose(text) {
        // What stands between backticks is no link.
        let outside: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        for part in outside.split("](").skip(1) {
            if let Some((target, _)) = part.split_once(')') {
                found.push((number, target.to_owned()));
            }
        }
    }
    found
}

/// Returns the anchors of a page's headings, as mdBook makes them.
fn headings(text: &str) -> BTreeSet<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut found = BTreeSet::new();
    for (_, line) in prose(text) {
        let title = line.trim_start_matches('#');
        if title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let anchor: String = title
            .trim()
            .chars()
            .filter_map(|c| match c {
                c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c.to_ascii_lowercase()),
                c if c.is_whitespace() => Some('-'),
                _ => None,
            })
            .collect();
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

/// Resolves `.` and `..` by the words of a path.
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
