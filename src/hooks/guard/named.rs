//! Guarded files that the input of a tool without a table names, whatever the member is called.

use serde_json::Value as Json;

use crate::context::{Context, Form};
use crate::eval::{self, Extent};
use crate::schema::tool;
use crate::types::Payload;

use super::files::GuardedFiles;

/// The members that hold text for a file, in which a path is only spoken of.
const CONTENT: &[&str] = &["content", "text", "new_text", "old_string", "new_string", "body", "data"];

/// How many values are looked at, how deep, and how long one may be.
const MOST: usize = 2000;
const DEEPEST: usize = 16;
const LONGEST: usize = 4096;

/// Returns a guarded file that the call of a tool without a table names, by its kind and for people.
pub(super) fn find(payload: &Payload, context: &Context<'_>, files: &GuardedFiles<'_>) -> Option<(usize, String)> {
    payload.tool_name().filter(|name| tool(name).is_none())?;
    let mut texts = Vec::new();
    let mut left = vec![(payload.tool_input()?, 0)];
    let mut seen = 0;
    while let Some((value, depth)) = left.pop() {
        seen += 1;
        if seen > MOST {
            break;
        }
        match value {
            Json::String(text) => texts.push(text.as_str()),
            Json::Array(values) if depth < DEEPEST => left.extend(values.iter().map(|value| (value, depth + 1))),
            Json::Object(members) if depth < DEEPEST => {
                let members = members.iter().filter(|(name, _)| !CONTENT.contains(&name.as_str()));
                left.extend(members.map(|(_, value)| (value, depth + 1)));
            }
            _ => {}
        }
    }
    texts.into_iter().filter_map(path_of).find_map(|text| {
        let forms = [Form::Lexical, Form::Physical].into_iter();
        let mut found = forms.filter_map(|form| {
            let path = context.absolute(text, form);
            eval::kind(context, &path, Extent::Alone, files).map(|kind| (kind, path))
        });
        let (kind, path) = found.next()?;
        Some((kind, context.shown(&path.to_string_lossy())))
    })
}

/// Returns what a text names if it can be a path: a bare word such as `config` is a name of anything.
fn path_of(text: &str) -> Option<&str> {
    let text = text.strip_prefix("file://").unwrap_or(text).trim();
    let is_line = text.len() <= LONGEST && !text.contains(['\n', '\0']);
    (is_line && (text.contains('/') || text.starts_with('.')) && !text.contains("://")).then_some(text)
}
