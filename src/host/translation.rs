//! Translates a host's names in a payload into those of the schema, and the names in a rewritten input back into the
//! host's.

use hookrules_shell::{join_scripts, split_scripts};
use serde_json::{Map, Value as Json};

use super::decode::nonempty_text;
use super::record::{HostEvent, HostRecord, MemberSource};
use crate::types::{InputChange, PayloadOrigin};

/// The members of a payload.
type PayloadMembers = Map<String, Json>;

/// The members of an edit's input that show that it replaces a text in a file, rather than the whole file.
const REPLACED_TEXTS: &[&str] = &["old_string", "edits", "diff"];

/// Returns the value at a path of a payload, such as `tool_call.name` or `workspaceRoots.0`. `None` if it is absent,
/// null or an empty text.
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

/// Copies members that the payload has under other names or paths to the schema's names, unless they have a value
/// there, and translates the host's words in them.
pub(super) fn adopt_members(sources: &[MemberSource], json: &mut PayloadMembers) {
    for source in sources {
        if member_at(json, source.member).is_none()
            && let Some(value) = source.from.iter().find_map(|path| member_at(json, path)).cloned()
        {
            json.insert(source.member.to_owned(), value);
        }
        let word = nonempty_text(json, source.member);
        if let Some((_, schema_word)) = source.words.iter().find(|(host_word, _)| word == Some(host_word)) {
            json.insert(source.member.to_owned(), (*schema_word).into());
        }
    }
}

/// Adds the tool and the input of a call to a payload that lacks these members, as the row of the event states. Returns
/// further names by which the heads of rules can select the tool.
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

/// Translates the tool of a call and the members of its input into the schema's. Returns further names by which the
/// heads of rules can select the tool. Notes in `origin` how the input can be translated back.
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

/// If the input of the call is a text that contains a JSON object, replaces it with that object.
fn read_input_text(json: &mut PayloadMembers) {
    if let Some(Json::String(text)) = json.get("tool_input")
        && text.trim_start().starts_with('{')
        && let Ok(input) = super::parse_json(text.as_bytes())
    {
        json.insert("tool_input".to_owned(), Json::Object(input.members));
    }
}

/// Renames the tool, and the members of its input, to the equivalents in the schema. Does nothing for a tool that the
/// host's record does not have.
fn translate_input(record: &HostRecord, json: &mut PayloadMembers, origin: &mut PayloadOrigin) {
    let Some(tool) = nonempty_text(json, "tool_name").and_then(|name| record.tool(name)) else { return };
    let mut schema_tool = tool.tool;
    let Some(Json::Object(input)) = json.get_mut("tool_input") else {
        json.insert("tool_name".to_owned(), schema_tool.into());
        return;
    };
    let mut changes = Vec::new();
    for (host_name, member) in tool.members {
        rename(input, host_name, member, &mut changes);
    }
    match schema_tool {
        // An edit without a text to replace writes the whole file.
        "Edit" if !REPLACED_TEXTS.iter().any(|member| input.contains_key(*member)) => {
            rename(input, "new_string", "content", &mut changes);
            schema_tool = "Write";
        }
        "Bash" => {
            if let Some(commands @ Json::Array(_)) = input.get("command") {
                // If the commands are not a list of texts, the call is not translated at all.
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
    json.insert("tool_name".to_owned(), schema_tool.into());
}

/// Translates an input in the schema's words into the host's. `None` if that is impossible.
pub(super) fn to_host(origin: &PayloadOrigin, input: &Json) -> Option<PayloadMembers> {
    let mut input = input.as_object().filter(|_| !origin.is_input_final)?.clone();
    undo(&origin.input_changes, &mut input).then_some(input)
}

/// Undoes the changes to an input, the last one first. Returns `false` if that is impossible.
fn undo(changes: &[InputChange], input: &mut PayloadMembers) -> bool {
    changes.iter().rev().all(|change| match change {
        InputChange::Renamed { from, to } => {
            if let Some(value) = input.remove(to) {
                input.insert(from.clone(), value);
            }
            true
        }
        InputChange::Joined { member, count } => {
            let commands = input.get(member).and_then(Json::as_str).and_then(|text| split_scripts(text, *count));
            commands.map(|commands| input.insert(member.clone(), commands.into())).is_some()
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

/// Joins several commands into one shell text that runs each in a separate `bash -c`. Also returns their number. `None`
/// if the value is not a list of texts.
fn join_commands(commands: &Json) -> Option<(String, usize)> {
    let text = |command: &Json| command.as_str().map(str::to_owned);
    let commands: Vec<String> = commands.as_array()?.iter().map(text).collect::<Option<_>>()?;
    Some((join_scripts(&commands), commands.len()))
}

/// Renames a tool of an MCP server to the schema's form, `mcp__SERVER__TOOL`. If the host's name is ambiguous, returns
/// the other names that the tool may have.
fn rename_mcp_tool(record: &HostRecord, json: &mut PayloadMembers) -> Vec<String> {
    let text = |path| member_at(json, path).and_then(Json::as_str);
    let names_in_members = record
        .mcp_members
        .iter()
        .find_map(|(server, tool)| Some(vec![format!("mcp__{}__{}", text(server)?, text(tool)?)]));
    let names_in_tool_name = || {
        let name = nonempty_text(json, "tool_name")?;
        record.mcp_joints.iter().find_map(|joint| match *joint {
            "-" => dashed_names(record, name),
            joint => name.split_once(joint).map(|(server, tool)| {
                // `@` marks the name of a server.
                vec![format!("mcp__{}__{tool}", server.strip_prefix('@').unwrap_or(server))]
            }),
        })
    };
    let mut names = names_in_members.or_else(names_in_tool_name).unwrap_or_default();
    if !names.is_empty() {
        json.insert("tool_name".to_owned(), names.remove(0).into());
    }
    names
}

/// Returns the possible names of a tool that a host calls `SERVER-TOOL`, the most probable one first. There are
/// several, because both parts may contain dashes. `None` if the name is not that of a server's tool.
fn dashed_names(record: &HostRecord, joined: &str) -> Option<Vec<String>> {
    let is_name = joined.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if !is_name || joined.starts_with("mcp__") || record.tool(joined).is_some() {
        return None;
    }
    let splits = joined.match_indices('-').map(|(at, _)| joined.split_at(at));
    let splits = splits.filter_map(|(server, tool)| Some((server, tool.strip_prefix('-')?)));
    let mut splits: Vec<(&str, &str)> =
        splits.filter(|(server, tool)| !server.is_empty() && !tool.is_empty()).collect();
    // In most names of tools the words are joined by `_`, and in those of servers by `-`. So if the last part contains
    // `_`, it is probably the whole name of the tool.
    if splits.last()?.1.contains('_') {
        splits.reverse();
    }
    Some(splits.into_iter().map(|(server, tool)| format!("mcp__{server}__{tool}")).collect())
}
