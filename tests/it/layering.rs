//! The layering tables of ARCHITECTURE.md are correct: a module uses only modules in its row, which are above it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::source::{code, files, is_left_out, is_test_file, read};

/// A crate with a table of modules.
struct Crate {
    /// The mark of its table after `layering`.
    mark: &'static str,
    /// The directory of its sources.
    root: &'static str,
    /// The crate of this workspace that it uses.
    other: Option<&'static Other>,
}

/// A crate that another one uses.
struct Other {
    name: &'static str,
    /// Its modules with rows of their own, by name.
    modules: &'static [&'static str],
    /// The row of all its other modules.
    row: &'static str,
}

const SHELL: Other = Other { name: "hookrules_shell", modules: &["path"], row: "shell" };

const CRATES: &[Crate] =
    &[Crate { mark: "", root: "src", other: Some(&SHELL) }, Crate { mark: ": shell", root: "shell/src", other: None }];

/// A row of the table.
#[derive(Debug)]
struct Row {
    module: String,
    may_use: BTreeSet<String>,
}

/// Module → the other top-level modules that its code names.
type Uses = BTreeMap<String, BTreeSet<String>>;

#[test]
fn every_module_has_a_row_and_every_row_a_module() {
    for one in crates() {
        let rows: Vec<String> = one.table().into_iter().map(|row| row.module).collect();
        let listed: BTreeSet<&String> = rows.iter().collect();
        assert_eq!(listed.len(), rows.len(), "a module stands twice in the table: {rows:?}");
        let uses = one.uses();
        let present: BTreeSet<&String> = uses.keys().collect();
        let unlisted: Vec<_> = present.difference(&listed).collect();
        let stale: Vec<_> = listed.difference(&present).collect();
        assert!(
            unlisted.is_empty() && stale.is_empty(),
            "ARCHITECTURE.md, layering of {}: no row for {unlisted:?}, no module for the rows {stale:?}\n{}",
            one.root,
            as_rows(&uses)
        );
    }
}

#[test]
fn modules_use_only_what_their_row_names() {
    for one in crates() {
        let uses = one.uses();
        let rows: BTreeMap<String, BTreeSet<String>> =
            one.table().into_iter().map(|row| (row.module, row.may_use)).collect();
        let mut wrong = Vec::new();
        for (module, used) in &uses {
            let may_use = rows.get(module).cloned().unwrap_or_default();
            wrong.extend(used.difference(&may_use).map(|other| format!("`{module}` uses `{other}`")));
            wrong.extend(may_use.difference(used).map(|other| format!("`{module}` no longer uses `{other}`")));
        }
        assert!(wrong.is_empty(), "ARCHITECTURE.md, layering of {}: {wrong:#?}\n{}", one.root, as_rows(&uses));
    }
}

#[test]
fn rows_use_only_rows_above_them() {
    for one in crates() {
        let mut above = BTreeSet::new();
        for row in one.table() {
            let below: Vec<_> = row.may_use.difference(&above).collect();
            assert!(below.is_empty(), "{}: `{}` may use {below:?}, which do not stand above it", one.root, row.module);
            above.insert(row.module);
        }
    }
}

/// The picture at the top names functions and types as `module::item`.
#[test]
fn the_picture_names_what_there_is() {
    let text = read("ARCHITECTURE.md");
    let picture = text.split("```").nth(1).expect("the first block is the picture");
    let words = picture.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
    let names: Vec<(&str, &str)> = words.filter_map(|word| word.trim_end_matches(':').split_once("::")).collect();
    assert!(names.len() > 12, "{names:?}");
    for (module, path) in names {
        let name = path.rsplit("::").next().expect("a path has a last part");
        let is_of_module = |path: &&PathBuf| {
            let part = path.iter().nth(1).and_then(|part| part.to_str()).unwrap_or_default();
            part.strip_suffix(".rs").unwrap_or(part) == module
        };
        let defines = |path: &PathBuf| {
            let code = code(&read(path));
            let words: Vec<&str> = code.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
            words.windows(3).any(|w| w[0] == "pub" && matches!(w[1], "fn" | "struct" | "enum") && w[2] == name)
        };
        assert!(files("src", &["rs"]).iter().filter(is_of_module).any(defines), "nothing public is `{module}::{path}`");
    }
}

/// Returns the crates that are present.
fn crates() -> impl Iterator<Item = &'static Crate> {
    CRATES.iter().filter(|one| !is_left_out(Path::new(one.root)))
}

impl Crate {
    /// Parses the table between its marks.
    #[track_caller]
    fn table(&self) -> Vec<Row> {
        let text = read("ARCHITECTURE.md");
        let mark = format!("<!-- layering{} -->", self.mark);
        let (_, after) = text.split_once(&mark).unwrap_or_else(|| panic!("ARCHITECTURE.md has no {mark}"));
        let (region, _) = after.split_once("<!-- end -->").expect("the layering table has an end");
        let rows: Vec<Row> = region
            .lines()
            .filter(|line| line.starts_with("| `"))
            .map(|line| {
                let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
                assert_eq!(cells.len(), 3, "module, what it owns, what it may use: {line}");
                let module = names(cells[0]).into_iter().next().unwrap_or_else(|| panic!("no module: {line}"));
                Row { module, may_use: names(cells[2]).into_iter().collect() }
            })
            .collect();
        assert!(!rows.is_empty(), "the layering table is empty");
        rows
    }

    /// Finds which modules name which in the code.
    fn uses(&self) -> Uses {
        let sources = files(self.root, &["rs"]);
        let owned = |name: &str| (name.to_owned(), BTreeSet::new());
        let mut uses: Uses = sources.iter().filter_map(|path| self.module_of(path)).map(|name| owned(&name)).collect();
        let modules: BTreeSet<String> = uses.keys().cloned().collect();
        uses.extend(self.other.into_iter().flat_map(Other::rows).map(owned));
        for path in &sources {
            let Some(module) = self.module_of(path) else { continue };
            if is_test_file(path) {
                continue;
            }
            let code = code(&read(path));
            for name in named(&code, self.within(path).components().count()) {
                assert!(
                    modules.contains(&name),
                    "{}: `crate::{name}` is no module; name the module that defines it",
                    path.display()
                );
                if name != module {
                    uses.get_mut(&module).expect("every source's module is a key").insert(name);
                }
            }
            if let Some(other) = self.other {
                for name in crate_paths(&code, &format!("{}::", other.name)) {
                    let row = if other.modules.contains(&&*name) { name } else { other.row.to_owned() };
                    uses.get_mut(&module).expect("every source's module is a key").insert(row);
                }
            }
        }
        uses
    }

    /// Returns the top-level module that a file belongs to; `None` for the crate's root.
    fn module_of(&self, path: &Path) -> Option<String> {
        let within = self.within(path);
        let first = within.iter().next()?.to_str()?;
        let module = first.strip_suffix(".rs").unwrap_or(first);
        (!["lib", "tests"].contains(&module)).then(|| module.to_owned())
    }

    /// Returns the path of a file within the crate.
    fn within(&self, path: &Path) -> PathBuf {
        path.strip_prefix(self.root).expect("a file of the crate").to_owned()
    }
}

impl Other {
    fn rows(&self) -> impl Iterator<Item = &'static str> {
        self.modules.iter().copied().chain([self.row])
    }
}

/// Returns the words in backticks.
fn names(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Returns the names below the crate's root that code at a depth uses; `src/a.rs` is at depth 1.
fn named(code: &str, depth: usize) -> BTreeSet<String> {
    let mut found = crate_paths(code, "crate::");
    found.extend(crate_paths(code, &"super::".repeat(depth)));
    found
}

/// Returns the first names of all paths after a prefix, including those in groups.
fn crate_paths(code: &str, prefix: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices(prefix) {
        let (before, path) = code.split_at(at);
        let before = before.chars().next_back();
        // A longer chain, `super::super::`, or another word with this ending.
        if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | ':')) {
            continue;
        }
        let rest = path.strip_prefix(prefix).unwrap_or(path).trim_start();
        match rest.strip_prefix('{') {
            Some(group) => found.extend(group_heads(group)),
            None => found.extend(word(rest)),
        }
    }
    found
}

/// Returns the first name of each member of a group `{a::B, c::{D, E}}`, after its opening brace.
fn group_heads(group: &str) -> Vec<String> {
    let mut heads = Vec::new();
    let mut depth = 0_u32;
    let mut at_head = true;
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => at_head = true,
            _ if at_head && !c.is_whitespace() => {
                heads.extend(word(group.split_at(at).1));
                at_head = false;
            }
            _ => {}
        }
    }
    heads
}

/// Returns the name at the beginning of a text.
fn word(text: &str) -> Option<String> {
    let word: String = text.chars().take_while(|&c| c.is_alphanumeric() || c == '_').collect();
    (!word.is_empty()).then_some(word)
}

/// Writes the uses in the code as rows to paste into the table.
fn as_rows(uses: &Uses) -> String {
    let mut out = "The code as it is:\n".to_owned();
    for (module, used) in uses {
        let used: Vec<String> = used.iter().map(|name| format!("`{name}`")).collect();
        out.push_str(&format!("| `{module}` | … | {} |\n", used.join(", ")));
    }
    out
}

#[test]
fn paths_and_groups_are_read() {
    let text = "use crate::{span::Span, syntax::{ast, parse}, verdict};\nlet x = crate::path::Glob;\n$crate::types::X";
    assert_eq!(named(text, 2).into_iter().collect::<Vec<_>>(), ["path", "span", "syntax", "types", "verdict"]);
}

#[test]
fn paths_through_super_are_read() {
    let text = "use super::super::files;\nuse super::sibling;";
    assert_eq!(named(text, 2).into_iter().collect::<Vec<_>>(), ["files"]);
    assert_eq!(named("use super::files;", 1).into_iter().collect::<Vec<_>>(), ["files"]);
}
