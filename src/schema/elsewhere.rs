//! Names that other agents and their guards use for tools and events: authors of policies may know these.
//!
//! Names are compared without regard to case and to separators. A name that is similar to ours in spelling needs no
//! row. Taken from the documentation of Cline, Codex, Copilot, Cursor, Gemini CLI and opencode.

/// Our names of tools, each with foreign names.
const TOOLS: &[(&str, &[&str])] = &[
    (
        "Bash",
        &[
            "bashtool",
            "cmd",
            "command",
            "console",
            "exec",
            "execcommand",
            "execute",
            "executebash",
            "executecommand",
            "localshell",
            "runcommand",
            "runinterminal",
            "runshellcommand",
            "runterminalcmd",
            "runterminalcommand",
            "sh",
            "shell",
            "shellcommand",
            "terminal",
            "zsh",
        ],
    ),
    (
        "Read",
        &[
            "cat",
            "fileread",
            "fsread",
            "getfile",
            "notebookread",
            "openfile",
            "readfile",
            "readmanyfiles",
            "readtextfile",
            "view",
            "viewfile",
        ],
    ),
    (
        "Write",
        &[
            "create",
            "createfile",
            "filecreate",
            "filewrite",
            "fswrite",
            "newfile",
            "savefile",
            "writefile",
            "writetofile",
        ],
    ),
    (
        "Edit",
        &[
            "applydiff",
            "applypatch",
            "editfile",
            "fileedit",
            "inserteditintofile",
            "modify",
            "patch",
            "replace",
            "replaceinfile",
            "replacestringinfile",
            "searchandreplace",
            "searchreplace",
            "strreplace",
            "strreplacebasededittool",
            "strreplaceeditor",
            "texteditor",
            "update",
        ],
    ),
    ("NotebookEdit", &["editnotebook", "editnotebookfile", "notebook"]),
    (
        "Grep",
        &["codebasesearch", "grepsearch", "rg", "ripgrep", "search", "searchfilecontent", "searchfiles", "textsearch"],
    ),
    (
        "Glob",
        &[
            "fileglob",
            "filesearch",
            "find",
            "findbyname",
            "findfiles",
            "globfilesearch",
            "listdir",
            "listdirectory",
            "listfiles",
            "ls",
        ],
    ),
    ("WebFetch", &["browse", "browser", "fetch", "fetchurl", "fetchwebpage", "http", "readurlcontent", "urlfetch"]),
    ("WebSearch", &["googlewebsearch", "searchweb", "webquery"]),
    ("Agent", &["delegate", "launchagent", "newtask", "runsubagent", "spawnagent", "spawnsubagent", "subagent"]),
    ("TodoWrite", &["todo", "todos", "updateplan", "updatetodolist", "writetodos"]),
    ("AskUserQuestion", &["askfollowupquestion", "askquestion", "askuser"]),
];

/// Our events, some with a selector, as written after `on`; each with foreign names.
const EVENTS: &[(&str, &[&str])] = &[
    (
        "PreToolUse",
        &[
            "beforetool",
            "beforetoolcall",
            "beforetooluse",
            "ontool",
            "ontoolcall",
            "ontooluse",
            "pretool",
            "pretoolcall",
            "pretoolexecution",
            "tool",
            "toolcall",
            "toolexecutebefore",
            "tooluse",
        ],
    ),
    (
        "PreToolUse(Bash)",
        &[
            "beforebash",
            "beforecommand",
            "beforeshell",
            "beforeshellexecution",
            "command",
            "onbash",
            "oncommand",
            "prebash",
            "prebashuse",
            "precommand",
            "preruncommand",
            "shellexecution",
        ],
    ),
    ("PreToolUse(mcp__*)", &["beforemcp", "beforemcpexecution", "premcp", "premcptooluse"]),
    ("PreToolUse(Read)", &["beforefileread", "beforeread", "beforereadfile", "onread", "preread", "prereadcode"]),
    (
        "PreToolUse(Edit|Write)",
        &[
            "beforeedit",
            "beforefileedit",
            "beforefilewrite",
            "beforewrite",
            "onedit",
            "onfilewrite",
            "onwrite",
            "preedit",
            "prefilewrite",
            "presave",
            "prewrite",
            "prewritecode",
        ],
    ),
    (
        "PostToolUse",
        &["aftertool", "aftertoolcall", "aftertooluse", "posttool", "posttoolcall", "toolexecuteafter", "toolresult"],
    ),
    (
        "PostToolUse(Bash)",
        &["afterbash", "aftercommand", "aftershellexecution", "postbash", "postcommand", "postruncommand"],
    ),
    ("PostToolUse(mcp__*)", &["aftermcpexecution"]),
    (
        "PostToolUse(Edit|Write)",
        &[
            "afteredit",
            "afterfileedit",
            "aftersave",
            "afterwrite",
            "fileedited",
            "onsave",
            "postedit",
            "postsave",
            "postwrite",
            "postwritecode",
        ],
    ),
    (
        "UserPromptSubmit",
        &[
            "beforeagent",
            "beforesubmitprompt",
            "chatmessage",
            "onprompt",
            "preuserprompt",
            "prompt",
            "promptsubmit",
            "submitprompt",
            "userinput",
            "usermessage",
            "userprompt",
        ],
    ),
    (
        "Stop",
        &[
            "afteragent",
            "afteragentresponse",
            "agentend",
            "agentfinish",
            "agentstop",
            "agentturncomplete",
            "complete",
            "done",
            "end",
            "finish",
            "beforestop",
            "onstop",
            "prestop",
            "poststop",
            "sessionidle",
            "taskcomplete",
            "turnend",
        ],
    ),
    ("SubagentStop", &["subagentdone", "subagentend", "subagentfinish", "subagentfinished"]),
    ("SessionStart", &["onstart", "sessionbegin", "sessioncreated", "start", "startup", "taskstart"]),
    ("SessionEnd", &["exit", "onexit", "sessionclose", "sessiondeleted", "sessionstop"]),
    ("PreCompact", &["beforecompact", "compact", "compaction", "precompress", "sessioncompacting"]),
    (
        "PermissionRequest",
        &["approval", "approvalrequest", "onpermission", "permission", "permissionask", "permissionasked"],
    ),
    ("Notification", &["notify", "onnotification"]),
];

/// Returns our name of a tool with this foreign name.
#[must_use]
pub fn tool_elsewhere(name: &str) -> Option<&'static str> {
    of(TOOLS, name)
}

/// Returns our event with this foreign name, perhaps with a selector, as written after `on`.
#[must_use]
pub fn event_elsewhere(name: &str) -> Option<&'static str> {
    of(EVENTS, name)
}

fn of(table: &[(&'static str, &[&str])], name: &str) -> Option<&'static str> {
    let folded: String = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    table.iter().find(|(_, theirs)| theirs.contains(&folded.as_str())).map(|(ours, _)| *ours)
}

/// Converts the name of an MCP tool with other separators to the host's form: `mcp_github_*`,
/// `mcp.github.create_issue`, `MCP__github`.
#[must_use]
pub fn mcp_name(name: &str) -> Option<String> {
    const MARKS: &[char] = &['_', '-', '.', ':', '/'];
    let (prefix, rest) = name.split_at_checked(3)?;
    if !prefix.eq_ignore_ascii_case("mcp") || !rest.starts_with(MARKS) || name.starts_with("mcp__") {
        return None;
    }
    let rest = rest.trim_start_matches(MARKS);
    let (server, tool) = match rest.split_once(MARKS) {
        Some((server, tool)) => (server, tool.trim_start_matches(MARKS)),
        None => (rest, ""),
    };
    let tool = if tool.is_empty() { "*" } else { tool };
    (!server.is_empty()).then(|| format!("mcp__{server}__{tool}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Event, tool};

    #[test]
    fn every_row_leads_to_a_tool_or_an_event_of_ours() {
        for (ours, _) in TOOLS {
            assert!(tool(ours).is_some(), "{ours}");
        }
        for (ours, _) in EVENTS {
            let (event, selector) = ours.split_once('(').unwrap_or((ours, ")"));
            assert!(Event::from_name(event).is_some() && selector.ends_with(')'), "{ours}");
        }
    }

    #[test]
    fn no_word_of_others_is_a_name_of_ours_or_stands_twice() {
        let folded = |name: &str| name.to_ascii_lowercase();
        let of_tools = TOOLS.iter().flat_map(|(_, theirs)| theirs.iter());
        let of_events = EVENTS.iter().flat_map(|(_, theirs)| theirs.iter());
        let mut seen: Vec<&str> = Vec::new();
        for word in of_tools {
            assert!(crate::schema::TOOLS.iter().all(|tool| folded(tool.name) != *word), "{word}");
            assert!(!seen.contains(word), "{word}");
            seen.push(word);
        }
        seen.clear();
        for word in of_events {
            assert!(Event::ALL.iter().all(|event| folded(event.name()) != *word), "{word}");
            assert!(!seen.contains(word), "{word}");
            seen.push(word);
        }
    }

    #[test]
    fn names_are_found_however_their_words_are_joined() {
        assert_eq!(tool_elsewhere("run_shell_command"), Some("Bash"));
        assert_eq!(tool_elsewhere("LS"), Some("Glob"));
        assert_eq!(event_elsewhere("BeforeToolUse"), Some("PreToolUse"));
        assert_eq!(event_elsewhere("tool.execute.before"), Some("PreToolUse"));
        assert_eq!(event_elsewhere("WhenItRains"), None);
    }

    #[test]
    fn a_tool_of_a_server_has_two_underscores_twice() {
        assert_eq!(mcp_name("mcp_github_*").as_deref(), Some("mcp__github__*"));
        assert_eq!(mcp_name("mcp.github.create_issue").as_deref(), Some("mcp__github__create_issue"));
        assert_eq!(mcp_name("MCP__github__*").as_deref(), Some("mcp__github__*"));
        assert_eq!(mcp_name("mcp_github").as_deref(), Some("mcp__github__*"));
        assert_eq!(mcp_name("mcp__github__*"), None);
        assert_eq!(mcp_name("mcpfoo"), None);
    }
}
