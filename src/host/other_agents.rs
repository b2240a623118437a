//! Translates payloads of other agents, which read Claude Code's settings or were configured to call its hook.
//!
//! Only payloads that announce a call are translated. They are recognised by their members, and judged as PreToolUse
//! or PermissionRequest in the schema's terms. The tables are from captured payloads of Cline CLI 3.0.65, Codex CLI
//! 0.171, Copilot CLI 1.0.102, Gemini CLI 0.61, OpenCode 1.18 and Qwen Code 0.24.

mod answer;
mod apply_patch;

use hookrules_shell::quote;
use serde_json::{Map, Value as Json};

use super::decode::nonempty_text;
use crate::schema::Event;
use crate::types::OtherAgent;

pub(super) use answer::{encode, refusal};
pub(super) use apply_patch::translate as translate_apply_patch;

/// The members of a payload.
type PayloadMembers = Map<String, Json>;

/// The events of Gemini CLI that no other agent has.
const GEMINI_EVENTS: &[&str] = &[
    "BeforeTool",
    "AfterTool",
    "BeforeAgent",
    "AfterAgent",
    "BeforeModel",
    "AfterModel",
    "BeforeToolSelection",
    "PreCompress",
];

/// The names of other agents' tools, each with the equivalent tool of the schema.
const TOOLS: &[(&str, &str)] = &[
    ("bash", "Bash"),
    ("run_shell_command", "Bash"),
    ("run_commands", "Bash"),
    ("powershell", "PowerShell"),
    ("read", "Read"),
    ("read_file", "Read"),
    ("read_files", "Read"),
    ("view", "Read"),
    ("view_image", "Read"),
    ("write", "Write"),
    ("write_file", "Write"),
    ("create", "Write"),
    ("edit", "Edit"),
    ("editor", "Edit"),
    ("replace", "Edit"),
    ("glob", "Glob"),
    ("grep", "Grep"),
    ("search_codebase", "Grep"),
    ("agent", "Agent"),
    ("invoke_agent", "Agent"),
    ("spawn_agent", "Agent"),
    ("task", "Agent"),
];

/// The names of members in the inputs of other agents' tools, each with the equivalent member of the schema.
const MEMBERS: &[(&str, &str)] = &[
    ("path", "file_path"),
    ("filePath", "file_path"),
    ("absolute_path", "file_path"),
    ("files", "file_path"),
    ("file_text", "content"),
    ("old_str", "old_string"),
    ("oldString", "old_string"),
    ("old_text", "old_string"),
    ("new_str", "new_string"),
    ("newString", "new_string"),
    ("new_text", "new_string"),
];

/// The tools of the schema in whose inputs `MEMBERS` are renamed.
const FILE_TOOLS: &[&str] = &["Read", "Write", "Edit"];

/// What a payload of another agent is about.
pub(super) enum Announcement {
    /// A call, translated to the schema's terms: the event as which it is judged, and the agent's own name for that,
    /// if the payload has one.
    Call(Event, Option<String>),
    /// No call. The agent's own name for the event.
    Other(String),
}

/// Returns the agent that sent a payload, recognised by its members; `None` if it may be the host itself.
pub(super) fn sender(json: &PayloadMembers) -> Option<OtherAgent> {
    let has = |member: &str| json.contains_key(member);
    let Some(event) = nonempty_text(json, "hook_event_name") else {
        return if has("clineVersion") || has("hookName") && has("taskId") {
            Some(OtherAgent::Cline)
        } else if json.get("hook").is_some_and(Json::is_string) && json.get("input").is_some_and(Json::is_object) {
            Some(OtherAgent::OpenCode)
        } else if has("sessionId") && has("timestamp") {
            Some(OtherAgent::Copilot)
        } else {
            None
        };
    };
    if GEMINI_EVENTS.contains(&event) {
        Some(OtherAgent::Gemini)
    } else if has("tool_call_id") && has("timestamp") {
        Some(OtherAgent::Qwen)
    } else if has("turn_id") && has("model") && !has("prompt_id") {
        Some(OtherAgent::Codex)
    } else if has("timestamp") && !has("transcript_path") {
        Some(OtherAgent::Copilot)
    } else {
        None
    }
}

/// Returns which members of Cline occur as `"name"` in bytes that cannot be parsed, without their values. [`sender`]
/// then recognises Cline, the only agent that ignores a refusal by the exit code.
pub(super) fn named_members(bytes: &[u8]) -> PayloadMembers {
    let is_named = |name: &&str| {
        let quoted = format!("\"{name}\"");
        bytes.windows(quoted.len()).any(|window| window == quoted.as_bytes())
    };
    let named = ["clineVersion", "hookName", "taskId"].into_iter().filter(is_named);
    named.map(|name| (name.to_owned(), Json::Null)).collect()
}

/// Translates a payload whose event is not in `hook_event_name` but in a member of the agent.
pub(super) fn translate_announcement(agent: OtherAgent, json: &mut PayloadMembers) -> Announcement {
    match agent {
        OtherAgent::Cline => cline(json),
        OtherAgent::OpenCode => opencode(json),
        OtherAgent::Copilot => copilot(json),
        // Their payloads have `hook_event_name`, so this function is not called for them.
        OtherAgent::Codex | OtherAgent::Gemini | OtherAgent::Qwen => Announcement::Other(String::new()),
    }
}

/// Whether an event of another agent always announces a call, even if the payload lacks the tool.
pub(super) fn is_before_call(event: &str) -> bool {
    event == "BeforeTool"
}

/// Translates the tool of a call and its input to the schema's. Returns further names by which the heads of rules
/// select the tool.
pub(super) fn translate_call(agent: OtherAgent, json: &mut PayloadMembers) -> Vec<String> {
    let other_names = rename_mcp_tool(agent, json);
    translate_input(json);
    other_names
}

/// Renames the tool to the equivalent one of the schema, and the members of its input. Does nothing for an unknown
/// tool.
fn translate_input(json: &mut PayloadMembers) {
    let Some(name) = nonempty_text(json, "tool_name") else { return };
    let ours = TOOLS.iter().find(|(theirs, ours)| *theirs == name || *ours == name).map(|(_, ours)| *ours);
    let Some(mut ours) = ours else { return };
    let Some(Json::Object(input)) = json.get_mut("tool_input") else {
        json.insert("tool_name".to_owned(), ours.into());
        return;
    };
    if FILE_TOOLS.contains(&ours) {
        for (theirs, member) in MEMBERS {
            rename(input, theirs, member);
        }
        // An edit without a text to replace writes the whole file.
        if ours == "Edit" && !input.contains_key("old_string") && !input.contains_key("diff") {
            rename(input, "new_string", "content");
            ours = "Write";
        }
    }
    match ours {
        "Bash" if !input.contains_key("command") => match input.get("commands").and_then(join_commands) {
            Some(command) => {
                input.remove("commands");
                input.insert("command".to_owned(), command.into());
            }
            // Without a list of texts, the tool keeps the agent's name.
            None => return,
        },
        "Agent" => {
            for (theirs, member) in [
                ("agent_name", "subagent_type"),
                ("agent_type", "subagent_type"),
                ("task", "prompt"),
                ("message", "prompt"),
            ] {
                rename(input, theirs, member);
            }
        }
        _ => {}
    }
    json.insert("tool_name".to_owned(), ours.into());
}

/// Renames a tool of an MCP server to the schema's form, `mcp__SERVER__TOOL`. Returns the other names that the tool
/// may have, if the agent's name is ambiguous.
fn rename_mcp_tool(agent: OtherAgent, json: &mut PayloadMembers) -> Vec<String> {
    let named = json.get("mcp_context").and_then(|context| {
        Some(format!("mcp__{}__{}", context.get("server_name")?.as_str()?, context.get("tool_name")?.as_str()?))
    });
    let slashed = || {
        let (server, tool) = nonempty_text(json, "tool_name")?.split_once('/')?;
        Some(format!("mcp__{server}__{tool}"))
    };
    let dashed = || if agent == OtherAgent::Copilot { dashed_names(nonempty_text(json, "tool_name")?) } else { None };
    let mut names = match named.or_else(slashed) {
        Some(name) => vec![name],
        None => dashed().unwrap_or_default(),
    };
    if names.is_empty() {
        return names;
    }
    json.insert("tool_name".to_owned(), names.remove(0).into());
    names
}

/// Returns the possible names of a tool that Copilot calls `SERVER-TOOL`, the most probable one first: both parts may
/// contain dashes. `None` for a tool that is not of a server.
fn dashed_names(joined: &str) -> Option<Vec<String>> {
    let is_name = joined.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if !is_name || joined.starts_with("mcp__") || TOOLS.iter().any(|(theirs, _)| *theirs == joined) {
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

/// Joins several commands to one shell text, in which each runs in a separate `bash -c`. `None` if the value is not a
/// list of texts.
fn join_commands(commands: &Json) -> Option<String> {
    let commands: Vec<&str> = commands.as_array()?.iter().map(Json::as_str).collect::<Option<_>>()?;
    match commands.as_slice() {
        [only] => Some((*only).to_owned()),
        several => {
            let lines = several.iter().map(|command| format!("bash -c {}", quote(command)));
            Some(lines.collect::<Vec<_>>().join("\n"))
        }
    }
}

/// Renames a member, unless a member with the new name exists.
fn rename(members: &mut PayloadMembers, from: &str, to: &str) {
    if !members.contains_key(to)
        && let Some(value) = members.remove(from)
    {
        members.insert(to.to_owned(), value);
    }
}

/// Copies the member of an object in the payload to the top level, under the name `to`.
fn lift_member(json: &mut PayloadMembers, object: &str, member: &str, to: &str) {
    if let Some(value) = json.get(object).and_then(|object| object.get(member)).cloned() {
        json.insert(to.to_owned(), value);
    }
}

/// Translates a payload of Cline.
fn cline(json: &mut PayloadMembers) -> Announcement {
    let name = nonempty_text(json, "hookName").unwrap_or_default().to_owned();
    // A damaged payload may have the call without its name.
    if name != "tool_call" && !(name.is_empty() && json.contains_key("tool_call")) {
        return Announcement::Other(name);
    }
    for (member, to) in [("name", "tool_name"), ("input", "tool_input"), ("id", "tool_use_id")] {
        lift_member(json, "tool_call", member, to);
    }
    rename(json, "taskId", "session_id");
    if let Some(root) = json.get("workspaceRoots").and_then(|roots| roots.get(0)).cloned() {
        json.insert("cwd".to_owned(), root);
    }
    // The main agent has an id too, but no parent.
    if json.get("parent_agent_id").is_none_or(Json::is_null) {
        json.remove("agent_id");
    }
    Announcement::Call(Event::PreToolUse, Some("tool_call".to_owned()))
}

/// Translates a payload of OpenCode.
fn opencode(json: &mut PayloadMembers) -> Announcement {
    let name = nonempty_text(json, "hook").unwrap_or_default().to_owned();
    if name != "tool.execute.before" {
        return Announcement::Other(name);
    }
    lift_member(json, "input", "tool", "tool_name");
    lift_member(json, "output", "args", "tool_input");
    lift_member(json, "input", "sessionID", "session_id");
    lift_member(json, "input", "callID", "tool_use_id");
    rename(json, "directory", "cwd");
    Announcement::Call(Event::PreToolUse, Some(name))
}

/// Translates a payload of Copilot CLI.
fn copilot(json: &mut PayloadMembers) -> Announcement {
    let name = nonempty_text(json, "hookName").map(str::to_owned);
    let is_done = json.contains_key("toolResult") || json.contains_key("error");
    let is_call = ["toolName", "toolInput", "toolArgs"].iter().any(|member| json.contains_key(*member));
    if !is_call || is_done {
        return Announcement::Other(name.unwrap_or_else(|| "an event of Copilot CLI".to_owned()));
    }
    if let (Some(server), Some(tool)) = (nonempty_text(json, "serverName"), nonempty_text(json, "toolName")) {
        let tool = format!("mcp__{server}__{tool}");
        json.insert("toolName".to_owned(), tool.into());
    }
    // Newer versions send the arguments as an object, older ones as text.
    if let Some(Json::String(arguments)) = json.get("toolArgs")
        && let Ok(arguments) = super::parse_json(arguments.as_bytes())
    {
        json.insert("toolArgs".to_owned(), Json::Object(arguments.members));
    }
    rename(json, "toolName", "tool_name");
    for input in ["toolInput", "toolArgs", "arguments"] {
        rename(json, input, "tool_input");
    }
    rename(json, "sessionId", "session_id");
    let event = if name.as_deref() == Some("permissionRequest") { Event::PermissionRequest } else { Event::PreToolUse };
    Announcement::Call(event, name)
}
