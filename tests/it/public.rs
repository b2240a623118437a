//! What the library makes public without `internals`: tests/fixtures/public.txt lists it, so that no change of it goes
//! unnoticed. `RULES_BLESS=1` writes the list.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

use crate::generated::is_current_page;
use crate::source::{code, files, is_test_file, read};

const PAGE: &str = "tests/fixtures/public.txt";

/// A name that `lib.rs` re-exports.
#[derive(Debug)]
struct Export {
    /// Its path for users: `hookrules::payloads::ToolCall`.
    path: String,
    /// The module that defines it.
    module: String,
    name: String,
}

#[test]
fn the_list_of_what_is_public_is_current() {
    let exports = exports(&read("src/lib.rs"));
    assert!(exports.len() > 60, "{exports:?}");
    let mut page = String::new();
    for export in &exports {
        let parts = parts(export);
        writeln!(page, "{}{}", export.path, parts.as_ref().map(|(head, _)| format!(": {head}")).unwrap_or_default())
            .unwrap();
        for member in parts.into_iter().flat_map(|(_, members)| members) {
            writeln!(page, "    {member}").unwrap();
        }
    }
    is_current_page(PAGE, &page);
}

/// Returns the re-exports of a root, in its order.
fn exports(root: &str) -> Vec<Export> {
    let text = code(root);
    let (listed, _) = text.split_once("cfg_if::cfg_if!").unwrap();
    let mut exports = Vec::new();
    let mut module = "hookrules".to_owned();
    let mut rest = listed;
    while let Some((_, behind)) = rest.split_once("pub ") {
        rest = behind;
        if let Some(name) = rest.strip_prefix("mod ").and_then(|rest| rest.split_once(" {")) {
            module = format!("hookrules::{}", name.0);
            rest = name.1;
        } else if let Some((path, after)) = rest.strip_prefix("use ").and_then(|rest| rest.split_once(';')) {
            let (from, names) = path.split_once("::{").or_else(|| path.rsplit_once("::")).unwrap();
            let from = from.trim_start_matches("crate::").split("::").next().unwrap();
            for name in names.split([',', '{', '}']).map(str::trim).filter(|name| !name.is_empty()) {
                exports.push(Export {
                    path: format!("{module}::{name}"),
                    module: from.to_owned(),
                    name: name.to_owned(),
                });
            }
            rest = after;
        }
        // A module's end is a brace at the beginning of a line.
        let next = rest.split("pub ").next().unwrap_or_default();
        if next.lines().any(|line| line == "}") {
            module = "hookrules".to_owned();
        }
    }
    exports
}

/// Returns the kind of an item and its public members; `None` if a macro defines it.
fn parts(export: &Export) -> Option<(String, BTreeSet<String>)> {
    let is_of_module = |path: &&PathBuf| {
        let module = path.iter().nth(1).and_then(|part| part.to_str()).unwrap_or_default();
        module.strip_suffix(".rs").unwrap_or(module) == export.module && !is_test_file(path)
    };
    let texts: Vec<String> = files("src", &["rs"]).iter().filter(is_of_module).map(|path| code(&read(path))).collect();
    let mut head = None;
    let mut members = BTreeSet::new();
    for text in &texts {
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let defined = ["struct", "enum", "trait", "type", "fn", "const"].into_iter().find(|kind| {
                let rest = line.strip_prefix("pub ").and_then(|rest| rest.strip_prefix(kind)?.strip_prefix(' '));
                rest.is_some_and(|rest| word(rest) == export.name)
            });
            let is_impl = line.starts_with("impl") && !line.contains(" for ") && {
                let rest = line.trim_start_matches("impl");
                let rest =
                    if rest.starts_with('<') { rest.split_once("> ").map_or("", |(_, rest)| rest) } else { rest };
                word(rest.trim()) == export.name
            };
            if let Some(kind) = defined {
                let attributes =
                    lines[..at].iter().rev().take_while(|line| line.starts_with("#[") || line.trim().is_empty());
                let is_open = attributes.into_iter().any(|line| line.contains("non_exhaustive"));
                head = Some(format!("{kind}{}", if is_open { ", non-exhaustive" } else { "" }));
            }
            if (defined.is_some() || is_impl) && line.ends_with('{') {
                let body: Vec<&str> = lines[at + 1..].iter().copied().take_while(|line| *line != "}").collect();
                let is_trait_or_enum = matches!(defined, Some("trait" | "enum"));
                members.extend(public_in(&body, is_trait_or_enum));
            }
        }
    }
    head.map(|head| (head, members))
}

/// Returns the public members among the lines of a body; all of a trait's and an enum's are.
fn public_in(body: &[&str], all: bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut is_hidden = false;
    for (at, line) in body.iter().enumerate() {
        let Some(rest) = line.strip_prefix("    ").filter(|rest| !rest.starts_with([' ', '}', ')'])) else { continue };
        if rest.starts_with("#[") {
            is_hidden |= rest.starts_with("#[cfg(feature");
            continue;
        }
        let is_public = rest.starts_with("pub ") || (all && !rest.trim().is_empty());
        if is_public && !is_hidden {
            let mut whole = String::new();
            for line in &body[at..] {
                whole.push_str(line.trim());
                whole.push(' ');
                if line.trim_end().ends_with(['{', ';', ',']) && !is_inside(&whole) {
                    break;
                }
            }
            let whole = whole.trim().trim_end_matches(['{', ';', ',']).trim().trim_start_matches("pub ");
            found.push(without_attributes(whole).replace("( ", "(").replace(", )", ")").replace("(mut self", "(self"));
        }
        if !rest.trim().is_empty() {
            is_hidden = false;
        }
    }
    found
}

/// Returns a member without the attributes of its parts.
fn without_attributes(member: &str) -> String {
    let mut text = member.to_owned();
    while let Some((before, (_, after))) = text.split_once("#[").and_then(|(a, b)| Some((a, b.split_once(']')?))) {
        text = format!("{before}{}", after.trim_start());
    }
    text
}

/// Whether a text ends within parentheses.
fn is_inside(text: &str) -> bool {
    text.matches('(').count() > text.matches(')').count()
}

/// Returns the identifier that a text begins with.
fn word(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}
