//! The text that an edit leaves in a file.
//!
//! Of the host's own tools it is known how they edit. Of any other the input says it: a text for the whole file, or
//! pairs of an old and a new one. Where it says something else besides, as which lines are meant, nothing is concluded.

use std::path::Path;

use serde_json::{Map, Value as Json};

use crate::context::Context;
use crate::files;
use crate::tool_records::folded;

/// The most bytes of a file that an edit is tried on; a policy file is smaller.
const LIMIT: u64 = 1 << 20;

/// How often a text is gone through to replace something in it once.
const TIMES_REPLACED: usize = 4;

/// The members that hold the whole text of a file. Here and below the spellings of one name are one.
const WHOLE: &[&str] = &["content", "contents", "filecontent", "filetext", "text"];

/// The members that hold what is replaced, and beside each the one that holds what takes its place.
const PAIRS: &[(&str, &str)] = &[("oldstring", "newstring"), ("oldstr", "newstr"), ("oldtext", "newtext")];

/// What a member is called that says which part of a file is meant, or how.
const PARTIAL: &[&str] = &[
    "after",
    "anchor",
    "append",
    "before",
    "end",
    "insert",
    "line",
    "mode",
    "occurrence",
    "offset",
    "old",
    "pattern",
    "position",
    "range",
    "regex",
    "search",
    "section",
    "start",
    "symbol",
];

/// What an edit leaves.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Left {
    /// This text.
    Text(String),
    /// More than is made for a look at it.
    TooMuch,
}

/// Returns what a call of one of the host's tools leaves in a file; nothing of one that edits no text.
pub(super) fn of_built_in(name: &str, input: &Json, path: &Path, context: &Context<'_>) -> Option<Left> {
    match name {
        "Write" => Some(Left::Text(input.get("content")?.as_str()?.to_owned())),
        "Edit" => edited(path, std::slice::from_ref(input), context),
        "MultiEdit" => edited(path, input.get("edits")?.as_array()?, context),
        _ => None,
    }
}

/// Returns what a call of any other tool leaves in a file, where its input says so.
pub(super) fn of_other(input: &Json, path: &Path, context: &Context<'_>) -> Option<Left> {
    let input = input.as_object()?;
    if PAIRS.iter().any(|(old, _)| member(input, old).is_some()) {
        return edited(path, &[Json::Object(input.clone())], context);
    }
    if let Some(Json::Array(edits)) = member(input, "edits") {
        return edited(path, edits, context);
    }
    let is_part = |name: &String| {
        let name: String = folded(name).collect();
        PARTIAL.iter().any(|word| name.contains(word))
    };
    let text = WHOLE.iter().find_map(|name| member(input, name)?.as_str())?;
    (!input.keys().any(is_part)).then(|| Left::Text(text.to_owned()))
}

/// Returns a member by any spelling of its name.
fn member<'j>(input: &'j Map<String, Json>, name: &str) -> Option<&'j Json> {
    input.iter().find(|(own, _)| folded(own).eq(name.chars())).map(|(_, value)| value)
}

/// Replaces in a file what each edit says, in turn.
fn edited(path: &Path, edits: &[Json], context: &Context<'_>) -> Option<Left> {
    let mut text = String::from_utf8(files::read(path, LIMIT).ok()?).ok()?;
    for edit in edits {
        if edits.len() > 1 && context.look_at(text.len(), TIMES_REPLACED).is_err() {
            return Some(Left::TooMuch);
        }
        text = replaced(&text, edit.as_object()?)?;
    }
    Some(Left::Text(text))
}

/// Replaces as the host's Edit does: the first occurrence, or all of them.
fn replaced(text: &str, edit: &Map<String, Json>) -> Option<String> {
    let pair = |(old, new): &(&str, &str)| Some((member(edit, old)?.as_str()?, member(edit, new)?.as_str()?));
    let (old, new) = PAIRS.iter().find_map(pair)?;
    if old.is_empty() {
        return Some(new.to_owned());
    }
    let times = if member(edit, "replaceall").and_then(Json::as_bool) == Some(true) { usize::MAX } else { 1 };
    // Of a text that no policy file can hold only that matters; any other may be made.
    let found = text.matches(old).take(times).count();
    if found.saturating_mul(new.len()) > usize::try_from(LIMIT).unwrap_or(usize::MAX) {
        return Some(" ".repeat(usize::try_from(LIMIT).unwrap_or_default() + 1));
    }
    Some(text.replacen(old, new, times))
}
