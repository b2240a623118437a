//! Guarded files that the input of a tool without a table names, in members of any name.
//!
//! The whole input is searched, and every step is charged: if the budget does not suffice, the caller learns it from
//! [`Context::whole`] and asks.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::context::{Context, Form};
use crate::eval::{self, Extent, Guarded};
use crate::schema::tool;
use crate::types::Payload;

use super::files::GuardedFiles;

/// The members that usually hold text for a file: a list of paths in one may be the lines of a `.gitignore`.
const CONTENT: &[&str] = &["content", "text", "new_text", "old_string", "new_string", "body", "data"];

/// The longest path that the system opens, in bytes.
const LONGEST: usize = 4096;

/// The cost of one value.
const VALUE: u64 = 2;

/// The passes over a text: to find the paths that it names, and to parse it as JSON; and over a path, to find out which
/// guarded file it may be.
const TIMES_READ: usize = 2;
const TIMES_PARSED: usize = 8;
const TIMES_FILTERED: usize = 4;
const TIMES_TESTED: usize = 64;

/// The beginnings of those lines of a patch that name a changed file: of a unified or context diff, of git's additions,
/// and of the input of agents' `apply_patch`.
const HEADERS: &[&str] = &[
    "--- ",
    "+++ ",
    "*** ",
    "Index: ",
    "diff --git ",
    "rename from ",
    "rename to ",
    "copy to ",
    "*** Add File: ",
    "*** Update File: ",
    "*** Delete File: ",
    "*** Move to: ",
];

/// Returns a guarded file that the call of a tool without a table names: its kind, and its path for people.
///
/// A text names a file as a whole, in each line of a list of paths, in the headers of a patch, and in its values if it
/// is JSON. A sentence names nothing, nor does a member that a record calls content.
pub(super) fn find(payload: &Payload, context: &Context<'_>, files: &GuardedFiles<'_>) -> Option<(usize, String)> {
    payload.tool_name().filter(|name| tool(name).is_none())?;
    let mut search = Search { context, files, contents: context.call().recorded_contents(), seen: BTreeSet::new() };
    let mut texts = Vec::new();
    if let Some(found) = search.value(payload.tool_input()?, &mut texts) {
        return Some(found);
    }
    // Each text is shorter than the one that contains it, so this ends.
    while let Some(text) = texts.pop() {
        context.machine().look_at(text.len(), TIMES_PARSED).ok()?;
        // Several values may follow each other.
        let values = serde_json::Deserializer::from_str(&text).into_iter::<Json>();
        for value in values.map_while(Result::ok) {
            if let Some(found) = search.value(&value, &mut texts) {
                return Some(found);
            }
        }
    }
    None
}

/// A search for guarded files in the input of one call.
struct Search<'s> {
    context: &'s Context<'s>,
    files: &'s GuardedFiles<'s>,
    /// The values that records call content.
    contents: Vec<&'s Json>,
    /// The paths that were tested.
    seen: BTreeSet<String>,
}

/// The meaning of a member's name for its texts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    /// They may be the content of a file.
    Content,
    /// Nothing.
    Anything,
}

impl Search<'_> {
    /// Returns the guarded file that a value names, and collects the JSON texts in it.
    fn value(&mut self, value: &Json, texts: &mut Vec<String>) -> Option<(usize, String)> {
        let mut left = vec![(Named::Anything, value)];
        while let Some((named, value)) = left.pop() {
            self.context.machine().charge(VALUE).ok()?;
            if self.contents.iter().any(|content| std::ptr::eq(*content, value)) {
                continue;
            }
            match value {
                Json::String(text) => {
                    if let Some(found) = self.text(text, named) {
                        return Some(found);
                    }
                    if text.trim_start().starts_with(['{', '[', '"']) {
                        texts.push(text.clone());
                    }
                }
                Json::Array(values) => left.extend(values.iter().rev().map(|value| (named, value))),
                Json::Object(members) => {
                    for name in members.keys() {
                        // A map of files has their names as keys.
                        if let Some(found) = self.text(name, Named::Anything) {
                            return Some(found);
                        }
                    }
                    let named = |name: &str| if CONTENT.contains(&name) { Named::Content } else { Named::Anything };
                    left.extend(members.iter().rev().map(|(name, value)| (named(name), value)));
                }
                Json::Null | Json::Bool(_) | Json::Number(_) => {}
            }
        }
        None
    }

    /// Returns the guarded file that a text names.
    fn text(&mut self, text: &str, named: Named) -> Option<(usize, String)> {
        self.context.machine().look_at(text.len(), TIMES_READ).ok()?;
        if let Some(found) = path_of(text).and_then(|path| self.path(path)) {
            return Some(found);
        }
        let in_headers = text.lines().flat_map(header_paths).find_map(|path| self.path(path));
        in_headers.or_else(|| {
            let rows = (named == Named::Anything).then(|| row(text)).flatten()?;
            rows.into_iter().find_map(|path| self.path(path))
        })
    }

    /// Returns the guarded file that a path is, in either form of paths.
    fn path(&mut self, text: &str) -> Option<(usize, String)> {
        let (context, files) = (self.context, self.files);
        if !self.seen.insert(text.to_owned()) {
            return None;
        }
        context.machine().look_at(text.len(), TIMES_FILTERED).ok()?;
        let lexical = context.absolute(text, Form::Lexical);
        let is_opened = lexical.as_os_str().len() <= LONGEST;
        // Links are not resolved on a path that is too long to be opened.
        let physical = is_opened.then(|| context.machine().in_form(lexical.clone(), Form::Physical));
        let physical = physical.filter(|physical| *physical != lexical);
        std::iter::once(lexical).chain(physical).find_map(|path| {
            if !files.may_be(&path, Extent::Alone) {
                return None;
            }
            context.machine().look_at(path.as_os_str().len(), TIMES_TESTED).ok()?;
            let kind = eval::kind(context, &path, Extent::Alone, files)?;
            Some((kind, context.machine().shown(&path.to_string_lossy())))
        })
    }
}

/// Returns the path that a text is, if it can be one: a bare word such as `config` may name anything.
fn path_of(text: &str) -> Option<&str> {
    let text = text.strip_prefix("file://").unwrap_or(text).trim();
    let is_line = !text.contains(['\n', '\0']);
    (is_line && (text.contains('/') || text.starts_with('.')) && !text.contains("://")).then_some(text)
}

/// Returns the paths of a list separated by newlines, NUL or commas; `None` if one of them cannot be a path, or
/// contains blanks like a sentence.
fn row(text: &str) -> Option<Vec<&str>> {
    let items = text.split(['\n', '\0', ',']).map(str::trim).filter(|item| !item.is_empty());
    items.map(|item| path_of(item).filter(|path| !path.contains(char::is_whitespace))).collect()
}

/// Returns the paths in a header of a patch: each as written, and without its first component, which most tools strip.
fn header_paths(line: &str) -> impl Iterator<Item = &str> {
    let named = HEADERS.iter().filter_map(move |start| line.trim_start().strip_prefix(start));
    // In `diff --git a/x b/x` the second path is the new one.
    let named = named.flat_map(|named| [named, named.rsplit(' ').next().unwrap_or(named)]);
    let named = named.map(|named| named.split('\t').next().unwrap_or(named).trim().trim_matches('"'));
    named.flat_map(|path| [Some(path), path.split_once('/').map(|(_, rest)| rest)]).flatten()
}
