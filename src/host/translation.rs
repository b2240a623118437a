//! Translates what a payload calls otherwise to the schema's names, and a rewritten input back to the host's.

use hookrules_shell::quote;
use serde_json::{Map, Value as Json};

use super::decode::nonempty_text;
use super::record::{HostEvent, HostRecord, MemberSource};
use crate::types::{InputChange, PayloadOrigin};

/// The members of a payload.
type PayloadMembers = Map<String, Json>;

/// The members of the input of an edit that has a text to replace.
const REPLACED_TEXTS: &[&str] = &["old_string", "edits", "diff"];

/// Returns the value at a path of a payload, `tool_call.name` or `workspaceRoots.0`; `None` if it is absent, null or an
/// empty text.
pub(super) fn member_at<'j>(json: &'j PayloadMembers, path: &str) -> Option<&'j Json> {
    let mut steps = path.split('.');
    let mut value = json.get(steps.next()?)?;
    for step in steps {
        value = match value {
            Json::Object(members) => members.get(step)?,
            Json::Array(items) => items.get(step.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    (!value.is_null() && value != "").then_some(value)
}

/// Adds the schema's members that the payload has elsewhere, unless they have a value, and translates their words.
pub(super) fn adopt_members(sources: &[MemberSource], json: &mut PayloadMembers) {
    for source in sources {
        if member_at(json, source.member).is_none()
            && let Some(value) = source.from.iter().find_map(|path| member_at(json, path)).cloned()
        {
            json.insert(source.member.to_owned(), value);
        }
        let word = nonempty_text(json, source.member);
        if let Some((_, ours)) = source.words.iter().find(|(theirs, _)| word == Some(theirs)) {
            json.insert(source.member.to_owned(), (*ours).into());
        }
    }
}

/// Adds the tool and the input of a call of which the payload has no members of their own. Returns further names by
/// which the heads of rules select the tool.
pub(super) fn adopt_call(row: &HostEvent, json: &mut PayloadMembers) -> Vec<String> {
    if let Some(prefix) = row.tool_prefix
        && let Some(name) = nonempty_text(json, "tool_name").filter(|name| !name.starts_with(prefix))
    {
        let name = format!("{prefix}{name}");
        json.insert("tool_name".to_owned(), name.into());
    }
    if !row.input.is_empty() && member_at(json, "tool_input").is_none() {
        let sent = |member: &&str| Some(((*member).to_owned(), json.get(*member)?.clone()));
        let input: PayloadMembers = row.input.iter().filter_map(sent).collect();
        json.insert("tool_input".to_owned(), Json::Object(input));
    }
    match row.tools {
        [tool, others @ ..] if nonempty_text(json, "tool_name").is_none() => {
            json.insert("tool_name".to_owned(), (*tool).into());
            others.iter().map(|name| (*name).to_owned()).collect()
        }
        _ => Vec::new(),
    }
}

/// Translates the tool of a call and its input to the schema's. Returns further names by which the heads of rules
/// select the tool, and notes in the origin how the input goes back.
pub(super) fn translate_tool(
    record: &HostRecord,
    json: &mut PayloadMembers,
    origin: &mut PayloadOrigin,
) -> Vec<String> {
    let other_names = rename_mcp_tool(record, json);
    if !record.tools.is_empty() {
        read_input_text(json);
        translate_input(record, json, origin);
    }
    other_names
}

/// Replaces an input that is the text of an object with that object.
fn read_input_text(json: &mut PayloadMembers) {
    if let Some(Json::String(text)) = json.get("tool_input")
        && text.trim_start().starts_with('{')
        && let Ok(input) = super::parse_json(text.as_bytes())
    {
        json.insert("tool_input".to_owned(), Json::Object(input.members));
    }
}

/// Renames the tool to the equivalent one of the schema, and the members of its input. Does nothing for an unknown
/// tool.
fn translate_input(record: &HostRecord, json: &mut PayloadMembers, origin: &mut PayloadOrigin) {
    let Some(tool) = nonempty_text(json, "tool_name").and_then(|name| record.tool(name)) else { return };
    let mut ours = tool.tool;
    let Some(Json::Object(input)) = json.get_mut("tool_input") else {
        json.insert("tool_name".to_owned(), ours.into());
        return;
    };
    let mut changes = Vec::new();
    for (theirs, member) in tool.members {
        rename(input, theirs, member, &mut changes);
    }
    match ours {
        // An edit without a text to replace writes the whole file.
        "Edit" if !REPLACED_TEXTS.iter().any(|member| input.contains_key(*member)) => {
            rename(input, "new_string", "content", &mut changes);
            ours = "Write";
        }
        "Bash" => {
            if let Some(commands @ Json::Array(_)) = input.get("command") {
                // Without a list of texts, the tool keeps the host's name.
                let Some((command, count)) = join_commands(commands) else {
                    undo(&changes, input);
                    return;
                };
                input.insert("command".to_owned(), command.into());
                changes.push(InputChange::Joined { member: "command".to_owned(), count });
            }
        }
        _ => {}
    }
    origin.input_changes = changes;
    origin.refusal_member = tool.refusal;
    json.insert("tool_name".to_owned(), ours.into());
}

/// Returns an input of the schema in the host's terms; `None` if it cannot be told in them.
pub(super) fn to_host(origin: &PayloadOrigin, input: &Json) -> Option<PayloadMembers> {
    let mut input = input.as_object().filter(|_| !origin.is_input_final)?.clone();
    undo(&origin.input_changes, &mut input).then_some(input)
}

/// Undoes the changes to an input, the last one first; `false` if that is impossible.
fn undo(changes: &[InputChange], input: &mut PayloadMembers) -> bool {
    changes.iter().rev().all(|change| match change {
        InputChange::Renamed { from, to } => {
            if let Some(value) = input.remove(to) {
                input.insert(from.clone(), value);
            }
            true
        }
        InputChange::Joined { member, count } => {
            let command = input.get(member).filter(|_| *count == 1).cloned();
            command.map(|command| input.insert(member.clone(), Json::Array(vec![command]))).is_some()
        }
    })
}

/// Renames a member, unless a member with the new name exists.
fn rename(members: &mut PayloadMembers, from: &str, to: &str, changes: &mut Vec<InputChange>) {
    if !members.contains_key(to)
        && let Some(value) = members.remove(from)
    {
        members.insert(to.to_owned(), value);
        changes.push(InputChange::Renamed { from: from.to_owned(), to: to.to_owned() });
    }
}

/// Joins several commands to one shell text, in which each runs in a separate `bash -c`. `None` if the value is not a
/// list of texts.
fn join_commands(commands: &Json) -> Option<(String, usize)> {
    let commands: Vec<&str> = commands.as_array()?.iter().map(Json::as_str).collect::<Option<_>>()?;
    let joined = match commands.as_slice() {
        [only] => (*only).to_owned(),
        several => {
            let lines = several.iter().map(|command| format!("bash -c {}", quote(command)));
            lines.collect::<Vec<_>>().join("\n")
        }
    };
    Some((joined, commands.len()))
}

/// Renames a tool of an MCP server to the schema's form, `mcp__SERVER__TOOL`. Returns the other names that the tool
/// may have, if the host's name is ambiguous.
fn rename_mcp_tool(record: &HostRecord, json: &mut PayloadMembers) -> Vec<String> {
    let text = |path| member_at(json, path).and_then(Json::as_str);
    let named = record
        .mcp_members
        .iter()
        .find_map(|(server, tool)| Some(vec![format!("mcp__{}__{}", text(server)?, text(tool)?)]));
    let joined = || {
        let name = nonempty_text(json, "tool_name")?;
        record.mcp_joints.iter().find_map(|joint| match *joint {
            "-" => dashed_names(record, name),
            joint => name.split_once(joint).map(|(server, tool)| {
                // `@` marks the name of a server.
                vec![format!("mcp__{}__{tool}", server.strip_prefix('@').unwrap_or(server))]
            }),
        })
    };
    let mut names = named.or_else(joined).unwrap_or_default();
    if !names.is_empty() {
        json.insert("tool_name".to_owned(), names.remove(0).into());
    }
    names
}

/// Returns the possible names of a tool that a host calls `SERVER-TOOL`, the most probable one first: both parts may
/// contain dashes. `None` for a tool that is not of a server.
fn dashed_names(record: &HostRecord, joined: &str) -> Option<Vec<String>> {
    let is_name = joined.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if !is_name || joined.starts_with("mcp__") || record.tool(joined).is_some() {
        return None;
    }
    let splits = joined.match_indices('-').map(|(at, _)| joined.split_at(at));
    let splits = splits.filter_map(|(server, tool)| Some((server, tool.strip_prefix('-')?)));
    let mut splits: Vec<(&str, &str)> =
        splits.filter(|(server, tool)| !server.is_empty() && !tool.is_empty()).collect();
    // Tool names mostly join their words by `_`, and server names by `-`; so a last part with `_` is probably the
    // whole tool.
    if splits.last()?.1.contains('_') {
        splits.reverse();
    }
    Some(splits.into_iter().map(|(server, tool)| format!("mcp__{server}__{tool}")).collect())
}
