//! The text of a file after an edit.
//!
//! The edits of the host's own tools are known. For any other tool the input decides: a text for the whole file, or
//! pairs of an old and a new text. If it says anything else, such as a range of lines, no conclusion is drawn.

use std::path::Path;

use serde_json::{Map, Value as Json};

use crate::context::Context;
use crate::files;
use crate::tool_records::comparable_name;

/// The largest file, in bytes, on which an edit is tried; a policy file is smaller.
const LIMIT: u64 = 1 << 20;

/// The passes over a text that one replacement takes.
const TIMES_REPLACED: usize = 4;

/// The members that hold the whole text of a file. Here and below, one spelling covers all spellings of a name.
const WHOLE: &[&str] = &["content", "contents", "filecontent", "filetext", "text"];

/// The members that hold the old text, each with the one that holds the new text.
const PAIRS: &[(&str, &str)] = &[("oldstring", "newstring"), ("oldstr", "newstr"), ("oldtext", "newtext")];

/// The words in the name of a member that selects a part of a file, or a way to edit it.
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

/// The result of an edit.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum EditedText {
    /// The text of the file.
    Text(String),
    /// More than the budget allows to compute.
    TooMuch,
}

/// Returns the text of a file after a call of one of the host's tools; `None` if the tool edits no text.
pub(super) fn after_built_in_edit(name: &str, input: &Json, path: &Path, context: &Context<'_>) -> Option<EditedText> {
    match name {
        "Write" => Some(EditedText::Text(input.get("content")?.as_str()?.to_owned())),
        "Edit" => apply_edits(path, std::slice::from_ref(input), context),
        "MultiEdit" => apply_edits(path, input.get("edits")?.as_array()?, context),
        _ => None,
    }
}

/// Returns the text of a file after a call of any other tool, if its input gives it.
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

/// Returns the member with any spelling of a name.
fn member<'j>(input: &'j Map<String, Json>, name: &str) -> Option<&'j Json> {
    input.iter().find(|(own, _)| comparable_name(own).eq(name.chars())).map(|(_, value)| value)
}

/// Applies the edits to a file in turn.
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

/// Replaces like the host's Edit: the first occurrence, or all of them.
fn replace_like_edit(text: &str, edit: &Map<String, Json>) -> Option<String> {
    let pair = |(old, new): &(&str, &str)| Some((member(edit, old)?.as_str()?, member(edit, new)?.as_str()?));
    let (old, new) = PAIRS.iter().find_map(pair)?;
    if old.is_empty() {
        return Some(new.to_owned());
    }
    let times = if member(edit, "replaceall").and_then(Json::as_bool) == Some(true) { usize::MAX } else { 1 };
    // A text that is too large for a policy file needs no content, only its size; any other is computed.
    let found = text.matches(old).take(times).count();
    if found.saturating_mul(new.len()) > usize::try_from(LIMIT).unwrap_or(usize::MAX) {
        return Some(" ".repeat(usize::try_from(LIMIT).unwrap_or_default() + 1));
    }
    Some(text.replacen(old, new, times))
}
