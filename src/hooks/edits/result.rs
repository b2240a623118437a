//! The text of a file after an edit.
//!
//! The edits of the host's own tools are known. For any other tool the input is examined for a text of the whole
//! file, or for pairs of an old and a new text. If the input also selects a part of the file, such as a range of
//! lines, the result is unknown.

use std::path::Path;

use serde_json::{Map, Value as Json};

use crate::context::Context;
use crate::files;
use crate::tool_records::comparable_name;

/// The largest file, in bytes, on which an edit is tried; a policy file is smaller.
const LIMIT: u64 = 1 << 20;

/// The number of passes over a text for which one replacement is charged.
const TIMES_REPLACED: usize = 4;

/// The members that hold the whole text of a file. In all these lists, names are in lower case and without
/// separators, as they are compared: `filetext` also matches `file_text` and `fileText`.
const WHOLE: &[&str] = &["content", "contents", "filecontent", "filetext", "text"];

/// The members that hold the old text, each with the one that holds the new text.
const PAIRS: &[(&str, &str)] = &[("oldstring", "newstring"), ("oldstr", "newstr"), ("oldtext", "newtext")];

/// The words in the name of a member that selects a part of a file, or a manner of editing it.
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

/// The text of a file after an edit.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum EditedText {
    /// The whole text.
    Text(String),
    /// The budget does not suffice to compute the text.
    TooMuch,
}

/// Returns the text of a file after a call of one of the host's tools; `None` if the tool edits no text, or the edit
/// cannot be applied.
pub(super) fn after_built_in_edit(name: &str, input: &Json, path: &Path, context: &Context<'_>) -> Option<EditedText> {
    match name {
        "Write" => Some(EditedText::Text(input.get("content")?.as_str()?.to_owned())),
        "Edit" => apply_edits(path, std::slice::from_ref(input), context),
        "MultiEdit" => apply_edits(path, input.get("edits")?.as_array()?, context),
        _ => None,
    }
}

/// Returns the text of a file after a call of any other tool; `None` if the input does not determine it.
pub(super) fn after_other_edit(input: &Json, path: &Path, context: &Context<'_>) -> Option<EditedText> {
    let input = input.as_object()?;
    if PAIRS.iter().any(|(old, _)| member(input, old).is_some()) {
        return apply_edits(path, &[Json::Object(input.clone())], context);
    }
    if let Some(Json::Array(edits)) = member(input, "edits") {
        return apply_edits(path, edits, context);
    }
    let is_part = |name: &String| {
        let name: String = comparable_name(name).collect();
        PARTIAL.iter().any(|word| name.contains(word))
    };
    let text = WHOLE.iter().find_map(|name| member(input, name)?.as_str())?;
    (!input.keys().any(is_part)).then(|| EditedText::Text(text.to_owned()))
}

/// Returns the member with a name, in any letter case and with any separators.
fn member<'j>(input: &'j Map<String, Json>, name: &str) -> Option<&'j Json> {
    input.iter().find(|(own, _)| comparable_name(own).eq(name.chars())).map(|(_, value)| value)
}

/// Applies the edits to the text of a file, one after the other; `None` if the file cannot be read, or an edit is not
/// a pair of texts.
fn apply_edits(path: &Path, edits: &[Json], context: &Context<'_>) -> Option<EditedText> {
    let mut text = String::from_utf8(files::read(path, LIMIT).ok()?).ok()?;
    for edit in edits {
        if edits.len() > 1 && context.machine().charge_text(text.len(), TIMES_REPLACED).is_err() {
            return Some(EditedText::TooMuch);
        }
        text = replace_like_edit(&text, edit.as_object()?)?;
    }
    Some(EditedText::Text(text))
}

/// Replaces a text as the host's Edit does: its first occurrence, or all with `replace_all`. An empty old text
/// replaces everything. `None` if the edit has no pair of texts.
fn replace_like_edit(text: &str, edit: &Map<String, Json>) -> Option<String> {
    let pair = |(old, new): &(&str, &str)| Some((member(edit, old)?.as_str()?, member(edit, new)?.as_str()?));
    let (old, new) = PAIRS.iter().find_map(pair)?;
    if old.is_empty() {
        return Some(new.to_owned());
    }
    let times = if member(edit, "replaceall").and_then(Json::as_bool) == Some(true) { usize::MAX } else { 1 };
    // If the result is too large for a policy file, only its size counts: blanks take its place.
    let found = text.matches(old).take(times).count();
    if found.saturating_mul(new.len()) > usize::try_from(LIMIT).unwrap_or(usize::MAX) {
        return Some(" ".repeat(usize::try_from(LIMIT).unwrap_or_default() + 1));
    }
    Some(text.replacen(old, new, times))
}
