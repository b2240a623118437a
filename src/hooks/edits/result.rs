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

/// The size, in bytes, above which a file is not read to compute the result of an edit. Policy files are smaller.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// One replacement in a text is charged to the budget like this many passes over the text.
const TIMES_REPLACED: usize = 4;

/// The members of a tool's input that hold the whole text of a file. Here and below, names are in lower case and
/// without separators, because they are compared in that form: `filetext` also matches `file_text` and `fileText`.
const WHOLE_TEXT_MEMBERS: &[&str] = &["content", "contents", "filecontent", "filetext", "text"];

/// The members that hold the old text, each with the one that holds the new text.
const OLD_NEW_MEMBERS: &[(&str, &str)] = &[("oldstring", "newstring"), ("oldstr", "newstr"), ("oldtext", "newtext")];

/// Words in the name of a member whose presence means that the text is not the whole file: the member selects a part of
/// the file (`start_line`), or a way to edit it (`append`).
const PARTIAL_EDIT_WORDS: &[&str] = &[
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
    /// The text is unknown, because computing it would exceed the budget.
    TooMuch,
}

/// Returns the text of a file after a call of one of the host's own tools; `None` if the tool edits no text, or the
/// edit cannot be applied.
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
    if OLD_NEW_MEMBERS.iter().any(|(old, _)| member(input, old).is_some()) {
        return apply_edits(path, &[Json::Object(input.clone())], context);
    }
    if let Some(Json::Array(edits)) = member(input, "edits") {
        return apply_edits(path, edits, context);
    }
    let is_part = |name: &String| {
        let name: String = comparable_name(name).collect();
        PARTIAL_EDIT_WORDS.iter().any(|word| name.contains(word))
    };
    let text = WHOLE_TEXT_MEMBERS.iter().find_map(|name| member(input, name)?.as_str())?;
    (!input.keys().any(is_part)).then(|| EditedText::Text(text.to_owned()))
}

/// Returns the member with this name, ignoring letter case and separators.
fn member<'j>(input: &'j Map<String, Json>, name: &str) -> Option<&'j Json> {
    input.iter().find(|(key, _)| comparable_name(key).eq(name.chars())).map(|(_, value)| value)
}

/// Applies the edits to the text of a file, one after the other; `None` if the file cannot be read, or an edit is not
/// a pair of texts.
fn apply_edits(path: &Path, edits: &[Json], context: &Context<'_>) -> Option<EditedText> {
    let mut text = String::from_utf8(files::read(path, MAX_FILE_BYTES).ok()?).ok()?;
    for edit in edits {
        if edits.len() > 1 && context.machine().charge_text(text.len(), TIMES_REPLACED).is_err() {
            return Some(EditedText::TooMuch);
        }
        text = replace_like_edit(&text, edit.as_object()?)?;
    }
    Some(EditedText::Text(text))
}

/// Applies one edit like the host's tool `Edit`: it replaces the first occurrence of the old text by the new one, or
/// all occurrences with `replace_all`. An empty old text means the whole file. `None` if the edit has no old and new
/// text.
fn replace_like_edit(text: &str, edit: &Map<String, Json>) -> Option<String> {
    let pair = |(old, new): &(&str, &str)| Some((member(edit, old)?.as_str()?, member(edit, new)?.as_str()?));
    let (old, new) = OLD_NEW_MEMBERS.iter().find_map(pair)?;
    if old.is_empty() {
        return Some(new.to_owned());
    }
    let max_replacements =
        if member(edit, "replaceall").and_then(Json::as_bool) == Some(true) { usize::MAX } else { 1 };
    // A result that is too large for a policy file is not computed: a text of blanks that is too large as well is
    // rejected in the same way.
    let replacements = text.matches(old).take(max_replacements).count();
    if replacements.saturating_mul(new.len()) > usize::try_from(MAX_FILE_BYTES).unwrap_or(usize::MAX) {
        return Some(" ".repeat(usize::try_from(MAX_FILE_BYTES).unwrap_or_default() + 1));
    }
    Some(text.replacen(old, new, max_replacements))
}
