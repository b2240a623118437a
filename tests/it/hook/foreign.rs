//! Payloads of other agents, sent to the hook that is registered for Claude Code, and known tools with input in their
//! format.

use std::path::Path;

use serde_json::{Value as Json, json};

use crate::machine::{Machine, Reply, send};
use crate::source::read;
use hookrules::schema::{Field, FieldType, TOOLS, ToolSpec};

const ROOT: &str = "tests/fixtures/payloads/others";

/// Returns every captured payload in which another agent announces a call, with the agent and the name of the file.
fn captured(machine: &Machine) -> Vec<(String, String, Json)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join(ROOT);
    let project = machine.path("project");
    let mut found = Vec::new();
    for agent in std::fs::read_dir(directory).unwrap() {
        let agent = agent.unwrap();
        for file in std::fs::read_dir(agent.path()).unwrap() {
            let (agent, file) = (agent.file_name().into_string().unwrap(), file.unwrap().file_name());
            let name = file.into_string().unwrap();
            let text = read(format!("{ROOT}/{agent}/{name}"));
            let text = text.replace("/home/dev/proj", project.to_str().unwrap());
            let text = text.replace("/home/u/proj", project.to_str().unwrap());
            found.push((agent, name, serde_json::from_str(&text).unwrap()));
        }
    }
    found.sort_by(|one, other| (&one.0, &one.1).cmp(&(&other.0, &other.1)));
    found
}

/// The form in which an agent expects a refusal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stop {
    /// Exit 2, the reason on standard error, and nothing on standard output.
    ExitTwo,
    /// JSON with a denial at exit 0, and no text on standard error.
    Json,
    /// JSON with a `behavior` at exit 0.
    Dialog,
    /// JSON that cancels the call, at exit 0.
    Cancel,
}

fn stop_of(agent: &str, name: &str) -> Stop {
    match agent.split('-').next().unwrap() {
        "cline" => Stop::Cancel,
        "copilot" if name.to_lowercase().starts_with("permission") => Stop::Dialog,
        "copilot" => Stop::Json,
        _ => Stop::ExitTwo,
    }
}

/// Reads an answer as the agent does. Returns the reason if the call does not run.
#[track_caller]
fn stopped(stop: Stop, machine: &Machine, payload: &Json) -> Option<String> {
    let output = send(machine.hook_command(&["claude-code"]), payload.to_string().as_bytes());
    machine.forget_claims();
    let Reply { exit, stderr, json, .. } = Reply::of(&output);
    match stop {
        Stop::ExitTwo if exit == 2 => {
            assert!(json.is_null() && !stderr.trim().is_empty(), "{output:?}");
            Some(stderr)
        }
        Stop::ExitTwo => None,
        Stop::Json => {
            assert!(exit == 0 && stderr.is_empty(), "{output:?}");
            let specific = &json["hookSpecificOutput"];
            let reason = specific["permissionDecisionReason"].as_str().map(str::to_owned);
            reason.filter(|_| specific["permissionDecision"] == "deny")
        }
        Stop::Dialog => {
            assert!(exit == 0 && stderr.is_empty(), "{output:?}");
            json["message"].as_str().map(str::to_owned).filter(|_| json["behavior"] == "deny")
        }
        Stop::Cancel => {
            assert_eq!(exit, 0, "{output:?}");
            json["errorMessage"].as_str().map(str::to_owned).filter(|_| json["cancel"] == json!(true))
        }
    }
}

/// What a captured call does, derived from the name of its file.
fn does(name: &str) -> Option<&'static str> {
    const WORDS: &[(&str, &str)] = &[
        ("apply_patch", "writes"),
        ("run_commands", "runs"),
        ("run_shell_command", "runs"),
        ("bash", "runs"),
        ("search_codebase", "reads"),
        ("view", "reads"),
        ("read", "reads"),
        ("write", "writes"),
        ("create", "writes"),
        ("edit", "writes"),
        ("replace", "writes"),
    ];
    WORDS.iter().find(|(word, _)| name.contains(word)).map(|(_, does)| *does)
}

const STOPS: &str = "rule writes {\n  on PreToolUse\n  when writes like \"**\"\n  deny \"It writes.\"\n}\n\
                     rule reads {\n  on PreToolUse\n  when reads like \"**\"\n  deny \"It reads.\"\n}\n\
                     rule runs {\n  on PreToolUse(Bash)\n  deny \"It runs.\"\n}\n";

#[test]
fn no_call_of_another_agent_passes_that_the_policy_stops() {
    let machine = Machine::with(STOPS);
    let mut count = 0;
    for (agent, name, payload) in captured(&machine) {
        let reason = stopped(stop_of(&agent, &name), &machine, &payload);
        match (does(&name), reason) {
            (Some(does), Some(reason)) => assert!(reason.contains(&format!("It {does}.")), "{agent} {name}: {reason}"),
            (None, None) => {}
            (does, reason) => panic!("{agent} {name}: {does:?} {reason:?}"),
        }
        count += 1;
    }
    assert_eq!(count, 76);
}

#[test]
fn a_call_of_another_agent_passes_in_silence_where_the_policy_does_not_stop_it() {
    let machine = Machine::with(
        "rule no {\n  on PreToolUse\n  when runs \"nono\" or writes like \"**/.env\" or reads like \"**/.env\"\n  deny \"No.\"\n}\n",
    );
    for (agent, name, payload) in captured(&machine) {
        // It is unknown which files a search reads.
        if !name.contains("search_codebase") {
            let output = send(machine.hook_command(&["claude-code"]), payload.to_string().as_bytes());
            let silent = output.status.code() == Some(0) && output.stdout.is_empty() && output.stderr.is_empty();
            assert!(silent, "{agent} {name}: {output:?}");
        }
    }
}

#[test]
fn an_ask_is_a_denial_where_an_agent_cannot_ask() {
    let machine = Machine::with("rule ask {\n  on PreToolUse(Bash)\n  ask \"Sure?\"\n}\n");
    for (agent, name, payload) in captured(&machine).into_iter().filter(|(_, name, _)| name.contains(".bash.json")) {
        let stop = stop_of(&agent, &name);
        let reason = stopped(stop, &machine, &payload);
        match (stop, name.starts_with("Permission")) {
            // The agent shows its own dialog.
            (Stop::Dialog, _) | (_, true) => assert_eq!(reason, None, "{agent} {name}"),
            (Stop::Json, _) => {
                machine.hook(&payload).asks("Sure?");
            }
            _ => assert!(reason.unwrap().contains("Sure?\nNobody can be asked"), "{agent} {name}"),
        }
    }
}

#[test]
fn a_rewrite_is_a_denial_that_names_the_other_command() {
    let machine = Machine::with("rule other {\n  on PreToolUse(Bash)\n  rewrite tool_input.command = \"true\"\n}\n");
    let calls =
        captured(&machine).into_iter().filter(|(_, name, _)| name.contains(".run_") || name.contains("e.bash.json"));
    for (agent, name, payload) in calls {
        let reason = stopped(stop_of(&agent, &name), &machine, &payload).unwrap();
        assert!(reason.contains("The policy changes it to:\n"), "{agent} {name}: {reason}");
    }
}

#[test]
fn a_context_reaches_the_agents_that_take_one() {
    let machine = Machine::with("rule tell {\n  on PreToolUse(Bash)\n  context \"Note.\"\n}\n");
    for (agent, name, payload) in captured(&machine).into_iter().filter(|(_, name, _)| name.contains("Tool")) {
        if does(&name) != Some("runs") || name.contains("exit3") {
            continue;
        }
        let output = send(machine.hook_command(&["claude-code"]), payload.to_string().as_bytes());
        machine.forget_claims();
        let takes = ["codex", "copilot", "cline", "qwen"].contains(&agent.split('-').next().unwrap());
        let told = String::from_utf8_lossy(&output.stdout).contains("Note.");
        assert_eq!((output.status.code(), told), (Some(0), takes), "{agent} {name}: {output:?}");
    }
}

#[test]
fn other_events_of_other_agents_pass() {
    let machine = Machine::with("rule no {\n  on *\n  deny \"No.\"\n}\n");
    for payload in [
        json!({ "clineVersion": "", "taskId": "t", "hookName": "agent_start", "taskStart": {} }),
        json!({ "hook": "tool.execute.after", "input": { "tool": "bash", "args": { "command": "x" } }, "output": {} }),
        json!({ "sessionId": "s", "timestamp": 1, "toolName": "bash", "toolArgs": {}, "toolResult": {} }),
        json!({ "sessionId": "s", "timestamp": 1, "cwd": "/", "source": "new" }),
        json!({ "hook_event_name": "AfterTool", "tool_name": "x", "tool_input": {}, "tool_response": {} }),
    ] {
        machine.hook(&payload).is_silent();
    }
    // A payload that no known agent sends is blocked.
    let reply = machine.hook(&json!({ "tool_name": "Bash", "tool_input": { "command": "ls" } }));
    assert!(reply.exit == 2 && reply.stderr.contains("does not name its event"), "{reply:?}");
}

/// Returns a call of a tool with this input.
fn call(machine: &Machine, tool: &str, input: Json) -> Json {
    let mut payload = machine.bash("");
    payload["tool_name"] = json!(tool);
    payload["tool_input"] = input;
    payload
}

#[test]
fn a_known_tool_in_a_foreign_shape_touches_what_its_members_name() {
    let machine = Machine::with(
        "rule w {\n  on PreToolUse\n  when writes like \"**/.env*\"\n  deny \"Writes.\"\n}\n\
         rule r {\n  on PreToolUse\n  when reads like \"**/.env*\"\n  deny \"Reads.\"\n}\n\
         rule x {\n  on PreToolUse\n  when runs \"rm\"\n  deny \"Runs.\"\n}\n",
    );
    for (tool, input, expected) in [
        ("Write", json!({ "path": ".env", "file_text": "x" }), "deny Writes."),
        ("Edit", json!({ "target_file": ".env" }), "deny Writes."),
        ("MultiEdit", json!({ "filePath": ".env", "edits": [] }), "deny Writes."),
        ("NotebookEdit", json!({ "path": ".env", "new_source": "x" }), "deny Writes."),
        ("Read", json!({ "path": ".env" }), "deny Reads."),
        ("Read", json!({ "files": [{ "path": ".env" }] }), "deny Reads."),
        ("Read", json!(".env"), "deny Reads."),
        ("Write", json!({ "file_path": "a", "content": "x", "also": { "path": ".env" } }), "deny Writes."),
        ("Bash", json!({ "cmd": "rm x" }), "deny Runs."),
        ("Bash", json!({ "commands": ["ls", "rm x"] }), "deny Runs."),
        ("Bash", json!({ "command": "ls", "script": "rm x" }), "ask not a plain text"),
        // The member's name is unknown, and therefore the file, too.
        ("Write", json!({ "where": "x", "content": "x" }), "ask lacks a member that its tool requires: `file_path`"),
        ("Write", json!({ "path": "a", "file_text": "x" }), "ask lacks a member that its tool requires: `file_path`"),
        ("Bash", json!({ "line": "ls" }), "ask not a plain text"),
        // A tool that only reads writes nothing, whichever member names the file.
        ("Read", json!({ "path": ".envrc/../a", "file_path": "a" }), " "),
        ("Write", json!({ "file_path": "a", "content": ".env" }), " "),
        (
            "MultiEdit",
            json!({ "edits": [{ "file_path": ".env", "old_string": "a", "new_string": "b" }] }),
            "deny Writes.",
        ),
        // What is required is missing, or has another form.
        ("Write", json!({ "content": "x" }), "ask lacks a member that its tool requires: `file_path`"),
        ("Write", json!({}), "ask lacks a member that its tool requires: `file_path`"),
        ("Write", json!(null), "ask lacks a member that its tool requires: `file_path`"),
        ("Write", json!({ "file_path": { "p": "x" } }), "ask in a form that is not known: `file_path`"),
        ("Read", json!({}), "ask lacks a member that its tool requires: `file_path`"),
        ("Read", json!({ "file_path": ["a", { "p": ".env" }] }), "ask in a form that is not known: `file_path`"),
        ("Grep", json!({ "pattern": "x", "path": { "p": ".env" } }), "ask in a form that is not known: `path`"),
        ("Grep", json!({ "pattern": "x", "path": "src" }), " "),
        ("Bash", json!({}), "ask not a plain text"),
        ("Bash", json!({ "command": null }), "ask not a plain text"),
        ("Bash", json!(null), "ask not a plain text"),
        // Members that may hold another command.
        ("Bash", json!({ "command": "", "code": "rm x" }), "ask not a plain text"),
        ("Bash", json!({ "command": "ls", "code": "rm x" }), "ask not a plain text"),
        ("Bash", json!({ "command": "ls", "setupScript": "rm x" }), "ask not a plain text"),
        ("Bash", json!({ "command": "ls", "args": ["-l"] }), "ask not a plain text"),
        ("Bash", json!({ "command": "ls", "steps": [{ "run": "rm x" }] }), "ask not a plain text"),
        ("Bash", json!({ "command": "ls", "shell": "zsh", "exit_code": "0", "newDescription": "rm is fine" }), " "),
    ] {
        let reply = machine.hook(&call(&machine, tool, input.clone()));
        let (decision, reason) = expected.split_once(' ').unwrap();
        assert!(reply.decision() == decision && reply.reason().contains(reason), "{tool} {input}: {reply:?}");
    }
}

#[test]
fn text_and_addresses_in_a_foreign_shape_are_unknown() {
    let machine = Machine::with(
        "rule c {\n  on PreToolUse\n  when content contains \"secret\"\n  deny \"Content.\"\n}\n\
         rule u {\n  on PreToolUse\n  when connects like \"evil.example\"\n  deny \"Connects.\"\n}\n",
    );
    for (tool, input, decision) in [
        ("Write", json!({ "file_path": "a", "file_text": "secret" }), "ask"),
        ("Write", json!({ "file_path": "a", "content": "fine", "file_text": "secret" }), ""),
        ("Edit", json!({ "file_path": "a", "old_str": "x", "new_str": "secret" }), "ask"),
        ("WebFetch", json!({ "link": "https://evil.example/", "prompt": "x" }), "deny"),
        ("WebFetch", json!({ "address": "evil", "prompt": "x" }), "ask"),
        ("WebFetch", json!({ "url": "https://good.example/", "prompt": "x", "new": 1 }), ""),
    ] {
        let reply = machine.hook(&call(&machine, tool, input.clone()));
        assert_eq!(reply.decision(), decision, "{tool} {input}: {reply:?}");
    }
}

#[test]
fn a_member_that_may_hold_a_command_withdraws_an_allow() {
    let machine = Machine::with(
        "use \"std/read-only\"\nrule c {\n  on PreToolUse(Bash)\n  when command == \"make\"\n  allow\n}\n",
    );
    for (input, decision) in [
        (json!({ "command": "ls" }), "allow"),
        (json!({ "command": "ls", "newFlag": true, "newDescription": "list the files", "newTimeout": 5 }), "allow"),
        (json!({ "command": "ls", "code": "git push -f" }), ""),
        (json!({ "command": "ls", "commands": ["git push -f"] }), ""),
        (json!({ "command": "ls", "cmd": "git push -f" }), ""),
        (json!({ "command": "make" }), "allow"),
        (json!({ "command": "make", "script": "git push -f" }), ""),
    ] {
        let reply = machine.hook(&call(&machine, "Bash", input.clone()));
        assert_eq!(reply.decision(), decision, "{input}: {reply:?}");
    }
}

#[test]
fn a_patch_is_an_edit_or_a_write_of_the_files_that_it_names() {
    let machine = Machine::with(
        "rule e {\n  on PreToolUse(Edit|Write)\n  when path like \"secret/**\"\n  deny \"Path.\"\n}\n\
         rule f {\n  on PreToolUse(Write)\n  when tool_input.file_path like \"fixed/**\"\n  deny \"File.\"\n}\n\
         rule d {\n  on PreToolUse\n  when deletes like \"gone/**\"\n  deny \"Deletes.\"\n}\n\
         rule c {\n  on PreToolUse(Edit)\n  when content contains \"AKIA\"\n  deny \"Content.\"\n}\n",
    );
    let patch = |steps: &str| format!("*** Begin Patch\n{steps}*** End Patch\n");
    for (input, expected) in [
        (json!({ "command": patch("*** Add File: secret/a\n+x\n") }), "Path."),
        (json!({ "input": patch("*** Update File: secret/a\n@@\n-x\n+y\n") }), "Path."),
        (json!({ "patch": patch("*** Update File: a\n*** Move to: secret/a\n") }), "Path."),
        (
            json!({ "command": patch("*** Update File: a\n@@\n-x\n+y\n*** Update File: fixed/a\n@@\n-x\n+y\n") }),
            "File.",
        ),
        (json!({ "command": patch("*** Delete File: gone/a\n") }), "Deletes."),
        (json!({ "command": patch("*** Add File: a\n+AKIA\n") }), "Content."),
        (json!({ "command": "--- a/secret/a\n+++ b/secret/a\n@@ -1 +1 @@\n-a\n+b\n" }), "Path."),
        (json!({ "changes": { "secret/a": { "add": { "content": "x" } } } }), "Path."),
        (json!({ "changes": { "gone/a": { "type": "delete" } } }), "Deletes."),
        (json!({ "changes": [{ "path": "gone/a", "kind": { "type": "delete" } }] }), "Deletes."),
        (
            json!({ "changes": { "a": { "update": { "unified_diff": "@@\n-a\n+b", "move_path": "secret/a" } } } }),
            "Path.",
        ),
        (json!(patch("*** Add File: secret/a\n+x\n")), "Path."),
        // The files of what cannot be read may be any.
        (json!({ "command": "nonsense" }), "lacks a member that its tool requires"),
        (json!({}), "lacks a member that its tool requires"),
        (json!({ "command": patch("*** Add File: a\n+x\n") }), ""),
        (json!({ "command": patch("*** Update File: a\n@@\n-AKIA\n+x\n") }), ""),
    ] {
        let payload = json!({
            "session_id": "s", "turn_id": "t", "model": "m", "cwd": machine.path("project"), "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": "apply_patch", "tool_input": input,
        });
        let reply = machine.hook(&payload);
        let is_as_expected = match expected {
            "" => reply.exit == 0 && reply.stderr.is_empty(),
            expected => reply.exit == 2 && reply.stderr.contains(expected),
        };
        assert!(is_as_expected, "{payload}: {reply:?}");
    }
}

#[test]
fn a_tool_of_a_server_is_selected_where_a_dash_joins_its_names() {
    let machine = Machine::with(
        "rule m {\n  on PreToolUse(mcp__memo__put_*)\n  deny \"No.\"\n}\n\
         rule g {\n  on PreToolUse(mcp__github-mcp-server__get_file)\n  deny \"No.\"\n}\n\
         rule c {\n  on PreToolUse(mcp__context7__resolve-library-id)\n  deny \"No.\"\n}\n\
         rule i {\n  on PreToolUse(mcp__my-server__a-b)\n  deny \"No.\"\n}\n",
    );
    for (name, is_denied) in [
        ("memo-put_note", true),
        ("github-mcp-server-get_file", true),
        ("context7-resolve-library-id", true),
        ("my-server-a-b", true),
        ("memo-get_note", false),
        ("report_intent", false),
    ] {
        let payload = json!({
            "hook_event_name": "PreToolUse", "session_id": "s", "timestamp": "2026-11-21T21:08:39.347Z",
            "cwd": machine.path("project"), "tool_name": name, "tool_input": { "text": "a" },
        });
        let decision = if is_denied { "deny" } else { "" };
        assert_eq!(machine.hook(&payload).decision(), decision, "{name}");
    }
}

#[test]
fn a_damaged_payload_of_an_agent_that_reads_no_exit_code_is_cancelled() {
    let machine = Machine::with(STOPS);
    let whole = json!({
        "clineVersion": "3.0", "hookName": "tool_call", "taskId": "t", "workspaceRoots": [machine.path("project")],
        "tool_call": { "id": "x", "name": "read_files", "input": { "files": [{ "path": "a" }] } },
    });
    let text = whole.to_string();
    let mut nameless = whole.clone();
    nameless["hookName"] = json!(5);
    let cut = (1..=4).map(|quarter| text.chars().take(text.len() * quarter / 4).collect::<String>());
    let damaged = [format!("[{text}]"), nameless.to_string(), format!("{text} x"), text.replace('}', "")];
    let mut count = 0;
    for text in cut.chain(damaged).filter(|text| text.contains("clineVersion") || text.contains("hookName")) {
        let output = send(machine.hook_command(&["claude-code"]), text.as_bytes());
        machine.forget_claims();
        let answer: Json = serde_json::from_slice(&output.stdout).unwrap_or_default();
        assert!(answer["cancel"] == json!(true) && answer["errorMessage"].is_string(), "{text}: {output:?}");
        count += 1;
    }
    assert!(count >= 7);
}

/// Returns an input with a value of the right type in each member that the tool requires.
fn input_of(tool: &ToolSpec) -> serde_json::Map<String, Json> {
    let value = |field: &Field| match field.ty {
        FieldType::Path => json!("src/a.rs"),
        FieldType::Number => json!(1),
        FieldType::Boolean => json!(true),
        FieldType::List(_) => json!([]),
        FieldType::Enum(words) => json!(words[0]),
        _ => json!("text"),
    };
    tool.input.iter().filter(|field| field.required).map(|field| (field.name.to_owned(), value(field))).collect()
}

#[test]
fn a_member_that_the_schema_does_not_know_changes_no_verdict() {
    const USES: &str = "use \"std/git\"\nuse \"std/secrets\"\nuse \"std/filesystem\"\nuse \"std/network\"\n\
                        use \"std/self-protection\"\nuse \"std/edits\"\nuse \"std/machine\"\n";
    let machine = Machine::with(&format!("{USES}{STOPS}"));
    let new = json!({
        "new_text": "some words", "newFlag": true, "newCount": 3, "newList": ["a", "b"], "newObject": { "a": 1, "b": "c" },
        "newNothing": null,
    });
    let mut lines = Vec::new();
    for tool in TOOLS {
        let plain = input_of(tool);
        let mut more = plain.clone();
        more.extend(new.as_object().unwrap().clone());
        lines.extend([plain, more].map(|input| call(&machine, tool.name, Json::Object(input)).to_string() + "\n"));
    }
    let policy = machine.path("project/.rules");
    let printed = machine.rules(&["eval", "--policy", policy.to_str().unwrap()], &lines.concat());
    let answers: Vec<&str> = printed.stdout.lines().collect();
    assert_eq!(answers.len(), 2 * TOOLS.len(), "{printed:?}");
    for (pair, tool) in answers.chunks(2).zip(TOOLS) {
        assert_eq!(pair[0], pair[1], "{}", tool.name);
    }
    assert!(printed.stdout.contains("It reads.") && printed.stdout.contains("It writes."), "{printed:?}");
}

#[test]
fn a_call_that_does_not_name_its_tool_does_not_pass() {
    let machine = Machine::with("rule no {\n  on PreToolUse(Bash)\n  when runs \"rm\"\n  deny \"No.\"\n}\n");
    let nameless = |event: &str, name: Option<Json>| {
        let mut payload = machine.bash("rm -rf /");
        payload["hook_event_name"] = json!(event);
        match name {
            Some(name) => payload["tool_name"] = name,
            None => drop(payload.as_object_mut().unwrap().remove("tool_name")),
        }
        machine.hook(&payload)
    };
    for settings in ["edition = 1\n", "edition = 1\non_error = \"allow\"\n"] {
        machine.write("project/.rules/rules.toml", settings);
        for name in [None, Some(Json::Null), Some(json!(7)), Some(json!(["Bash"])), Some(json!({})), Some(json!(""))] {
            nameless("PreToolUse", name.clone()).denies("does not name its tool");
            nameless("PermissionRequest", name).is_silent();
        }
    }
    nameless("PreToolUse", Some(json!("Bash"))).denies("No.");
    Machine::new().hook(&json!({ "hook_event_name": "PreToolUse", "session_id": "s" })).is_silent();
}
