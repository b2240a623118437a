//! Guarded files that the input of a tool without a table names, whatever the member is called.
//!
//! All of the input is looked at, and every look is charged: where the account does not suffice, the caller is told by
//! [`Context::whole`], and asks.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::context::{Context, Form};
use crate::eval::{self, Extent, Guarded};
use crate::schema::tool;
use crate::types::Payload;

use super::files::GuardedFiles;

/// The members that hold text for a file, in which a path is only spoken of.
const CONTENT: &[&str] = &["content", "text", "new_text", "old_string", "new_string", "body", "data"];

/// The longest path that leads anywhere, in bytes: the system opens no longer one.
const LONGEST: usize = 4096;

/// What looking at one value takes.
const VALUE: u64 = 2;

/// How often a text is gone through to find out whether it can be a path, and which guarded file such a path may be.
const TIMES_READ: usize = 1;
const TIMES_FILTERED: usize = 4;
const TIMES_TESTED: usize = 64;

/// Returns a guarded file that the call of a tool without a table names, by its kind and for people.
pub(super) fn find(payload: &Payload, context: &Context<'_>, files: &GuardedFiles<'_>) -> Option<(usize, String)> {
    payload.tool_name().filter(|name| tool(name).is_none())?;
    let mut seen = BTreeSet::new();
    let mut left = vec![payload.tool_input()?];
    while let Some(value) = left.pop() {
        context.charge(VALUE).ok()?;
        match value {
            Json::String(text) => {
                if let Some(found) = guarded(text, context, files, &mut seen) {
                    return Some(found);
                }
            }
            Json::Array(values) => left.extend(values.iter().rev()),
            Json::Object(members) => {
                for (name, _) in members {
                    // A table of files has their names here.
                    if let Some(found) = guarded(name, context, files, &mut seen) {
                        return Some(found);
                    }
                }
                let members = members.iter().filter(|(name, _)| !CONTENT.contains(&name.as_str()));
                let first = left.len();
                left.extend(members.map(|(_, value)| value));
                left.get_mut(first..).unwrap_or_default().reverse();
            }
            Json::Null | Json::Bool(_) | Json::Number(_) => {}
        }
    }
    None
}

/// Returns the guarded file that a text names, in either form of paths.
fn guarded<'j>(
    text: &'j str,
    context: &Context<'_>,
    files: &GuardedFiles<'_>,
    seen: &mut BTreeSet<&'j str>,
) -> Option<(usize, String)> {
    context.look_at(text.len(), TIMES_READ).ok()?;
    let text = path_of(text)?;
    if !seen.insert(text) {
        return None;
    }
    context.look_at(text.len(), TIMES_FILTERED).ok()?;
    let lexical = context.absolute(text, Form::Lexical);
    let is_opened = lexical.as_os_str().len() <= LONGEST;
    // No link is followed on a path that nobody can open.
    let physical = is_opened.then(|| context.in_form(lexical.clone(), Form::Physical));
    let physical = physical.filter(|physical| *physical != lexical);
    std::iter::once(lexical).chain(physical).find_map(|path| {
        if !files.may_be(&path, Extent::Alone) {
            return None;
        }
        context.look_at(path.as_os_str().len(), TIMES_TESTED).ok()?;
        let kind = eval::kind(context, &path, Extent::Alone, files)?;
        Some((kind, context.shown(&path.to_string_lossy())))
    })
}

/// Returns what a text names if it can be a path: a bare word such as `config` is a name of anything.
fn path_of(text: &str) -> Option<&str> {
    let text = text.strip_prefix("file://").unwrap_or(text).trim();
    let is_line = !text.contains(['\n', '\0']);
    (is_line && (text.contains('/') || text.starts_with('.')) && !text.contains("://")).then_some(text)
}
