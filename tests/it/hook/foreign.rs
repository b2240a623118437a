//! Payloads of other agents, sent to the hook that is registered for Claude Code, and known tools with input in their
//! format.

use serde_json::{Value as Json, json};

use crate::machine::{Machine, Reply, send};
use crate::source::read;
use hookrules::host::{DecodedPayload, Host, decode};
use hookrules::packs::PACKS;
use hookrules::schema::{Event, Field, FieldType, TOOLS, ToolSpec};

const ROOT: &str = "tests/fixtures/payloads/others";

/// Returns every captured payload of another agent, with the agent and the name of the file.
fn captured(machine: &Machine) -> Vec<(String, String, Json)> {
    let directory = crate::source::root().join(ROOT);
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

/// Returns those of [`captured`] in which an agent announces a call.
fn captured_calls(machine: &Machine) -> Vec<(String, String, Json)> {
    const BEGINNINGS: &[&str] = &[
        "PreToolUse",
        "preToolUse",
        "preMcpToolCall",
        "BeforeTool.",
        "PermissionRequest",
        "permissionRequest",
        "tool.execute.before",
    ];
    let is_call = |name: &str| BEGINNINGS.iter().any(|beginning| name.starts_with(beginning));
    captured(machine).into_iter().filter(|(_, name, _)| is_call(name)).collect()
}

/// Returns the host that an agent of the captured payloads is: `codex` for `codex-0.171.0`.
fn host_of(agent: &str) -> &str {
    agent.split('-').next().unwrap()
}

/// How an agent takes an answer to a call, as it was measured.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Taken {
    /// The call runs as it is, or the agent's own permissions decide.
    Runs,
    /// The call does not run. The reason reaches the agent, except in Cline, whose run ends.
    Stopped(String),
    /// The user is asked.
    Asked,
    /// The call runs with this input.
    Changed(Json),
}

/// Reads an answer as the agent does.
#[track_caller]
fn taken(agent: &str, name: &str, reply: &Reply) -> Taken {
    let Reply { exit, stderr, json, .. } = reply;
    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
    let stopped = |is: bool, reason: &Json| is.then(|| Taken::Stopped(text(reason)));
    let changed = |value: &Json| value.is_object().then(|| Taken::Changed(value.clone()));
    let specific = &json["hookSpecificOutput"];
    let permission = |values: &Json| match values["permissionDecision"].as_str() {
        Some("deny") => Some(Taken::Stopped(text(&values["permissionDecisionReason"]))),
        Some("ask") => Some(Taken::Asked),
        _ => None,
    };
    let is_dialog = name.to_lowercase().starts_with("permission");
    let by_code = || (*exit == 2 && !stderr.trim().is_empty()).then(|| Taken::Stopped(stderr.clone()));
    let read = match host_of(agent) {
        "codex" | "qwen" if is_dialog => {
            stopped(specific["decision"]["behavior"] == "deny", &specific["decision"]["message"])
        }
        "codex" => {
            // One unknown member makes the agent ignore the answer.
            let known = ["hookSpecificOutput", "systemMessage", "decision", "reason", "continue", "stopReason"];
            assert!(json.as_object().is_none_or(|members| members.keys().all(|key| known.contains(&key.as_str()))));
            assert_ne!(specific["permissionDecision"], "ask");
            let is_allowed = specific["permissionDecision"] == "allow";
            permission(specific).or_else(|| changed(&specific["updatedInput"]).filter(|_| is_allowed)).or_else(by_code)
        }
        "qwen" => permission(specific).or_else(by_code),
        "copilot" if is_dialog => stopped(json["behavior"] == "deny", &json["message"]),
        "copilot" => {
            assert!(*exit == 0, "the reason would be lost: {reply:?}");
            permission(json).or_else(|| changed(&json["modifiedArgs"]))
        }
        "gemini" => {
            assert_ne!(json["decision"], "ask", "it would wait for ever");
            stopped(json["decision"] == "deny", &json["reason"]).or_else(|| changed(&specific["tool_input"]))
        }
        "cline" => {
            // A command that only prints the reason and fails.
            let command = json["overrideInput"]["commands"][0].as_str().unwrap_or_default();
            let is_refused = command.starts_with("printf '%s\\n' '") && command.ends_with("' >&2; exit 1");
            stopped(json["cancel"] == json!(true), &json["errorMessage"])
                .or_else(|| stopped(is_refused, &json["context"]))
                .or_else(|| changed(&json["overrideInput"]))
        }
        "opencode" => by_code().or_else(|| changed(&json["args"])),
        other => panic!("{other}"),
    };
    read.unwrap_or(Taken::Runs)
}

/// Sends a payload to the hook that is registered for Claude Code, and to the one of its own host, which answer alike.
#[track_caller]
fn answered(agent: &str, name: &str, machine: &Machine, payload: &Json) -> (Taken, Reply) {
    let hook = |host: &str| {
        let output = send(machine.hook_command(&[host]), payload.to_string().as_bytes());
        machine.forget_claims();
        Reply::of(&output)
    };
    let (own, read) = (hook(host_of(agent)), hook("claude-code"));
    assert_eq!((own.exit, &own.json, &own.stderr), (read.exit, &read.json, &read.stderr), "{agent} {name}");
    (taken(agent, name, &own), own)
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
    let calls = captured_calls(&machine);
    assert_eq!(calls.len(), 79);
    for (agent, name, payload) in calls {
        match (does(&name), answered(&agent, &name, &machine, &payload).0) {
            (Some(does), Taken::Stopped(reason)) => {
                assert!(reason.contains(&format!("It {does}.")), "{agent} {name}: {reason}");
            }
            (None, Taken::Runs) => {}
            (does, taken) => panic!("{agent} {name}: {does:?} {taken:?}"),
        }
    }
}

#[test]
fn a_call_of_another_agent_passes_in_silence_where_the_policy_does_not_stop_it() {
    let machine = Machine::with(
        "rule no {\n  on PreToolUse\n  when runs \"nono\" or writes like \"**/.env\" or reads like \"**/.env\"\n  deny \"No.\"\n}\n",
    );
    for (agent, name, payload) in captured_calls(&machine) {
        // It is unknown which files a search reads.
        if !name.contains("search_codebase") {
            answered(&agent, &name, &machine, &payload).1.is_silent();
        }
    }
}

#[test]
fn an_ask_is_a_denial_where_an_agent_cannot_ask() {
    let machine = Machine::with("rule ask {\n  on PreToolUse(Bash)\n  ask \"Sure?\"\n}\n");
    for (agent, name, payload) in captured_calls(&machine).into_iter().filter(|(_, name, _)| does(name) == Some("runs"))
    {
        let (taken, _) = answered(&agent, &name, &machine, &payload);
        let is_dialog = name.to_lowercase().starts_with("permission");
        match (host_of(&agent), is_dialog) {
            // The agent shows its own dialog.
            (_, true) => assert_eq!(taken, Taken::Runs, "{agent} {name}"),
            ("copilot" | "qwen", _) => assert_eq!(taken, Taken::Asked, "{agent} {name}"),
            _ => {
                let Taken::Stopped(reason) = taken else { panic!("{agent} {name}: {taken:?}") };
                assert!(reason.contains("Sure?\nNobody can be asked"), "{agent} {name}: {reason}");
            }
        }
    }
}

#[test]
fn a_rewrite_goes_back_in_the_agents_own_members_or_is_a_denial() {
    let machine = Machine::with("rule other {\n  on PreToolUse(Bash)\n  rewrite tool_input.command = \"true\"\n}\n");
    for (agent, name, payload) in captured_calls(&machine).into_iter().filter(|(_, name, _)| does(name) == Some("runs"))
    {
        if name.to_lowercase().starts_with("permission") {
            continue;
        }
        let (taken, _) = answered(&agent, &name, &machine, &payload);
        match (host_of(&agent), taken) {
            ("cline", Taken::Changed(input)) => assert_eq!(input["commands"], json!(["true"]), "{agent} {name}"),
            ("codex" | "copilot" | "gemini" | "opencode", Taken::Changed(input)) => {
                assert_eq!(input["command"], "true", "{agent} {name}");
            }
            ("qwen", Taken::Stopped(reason)) => {
                assert!(reason.contains("The policy changes it to:\n"), "{agent} {name}: {reason}");
            }
            (_, taken) => panic!("{agent} {name}: {taken:?}"),
        }
    }
}

#[test]
fn a_file_of_a_rewritten_input_has_the_agents_name() {
    let machine = Machine::with(
        "rule elsewhere {\n  on PreToolUse(Write|Edit)\n  rewrite tool_input.file_path = \"/elsewhere\"\n}\n",
    );
    let names: &[(&str, &str)] =
        &[("cline", "path"), ("copilot", "path"), ("opencode", "filePath"), ("gemini", "file_path")];
    let mut count = 0;
    for (agent, name, payload) in captured_calls(&machine) {
        let Some((_, member)) = names.iter().find(|(host, _)| *host == host_of(&agent)) else { continue };
        if does(&name) != Some("writes") || name.to_lowercase().starts_with("permission") {
            continue;
        }
        let (taken, _) = answered(&agent, &name, &machine, &payload);
        let Taken::Changed(input) = taken else { panic!("{agent} {name}: {taken:?}") };
        let sent = payload.pointer("/tool_call/input").or(payload.pointer("/output/args"));
        let sent = sent.or(payload.get("tool_input")).or(payload.get("toolArgs")).unwrap();
        let mut expected = sent.clone();
        expected[*member] = json!("/elsewhere");
        assert_eq!(input, expected, "{agent} {name}");
        count += 1;
    }
    assert!(count >= 9, "{count}");
}

#[test]
fn several_commands_of_one_call_are_one_call() {
    let machine = Machine::with(
        "rule rm {\n  on PreToolUse\n  when runs \"rm\"\n  deny \"No rm.\"\n}\n\
         rule other {\n  on PreToolUse\n  when runs \"git push --force\"\n  rewrite runs \"git push --force\" to \"git push --force-with-lease\"\n}\n",
    );
    let call = |commands: Json| {
        json!({
            "clineVersion": "", "hookName": "tool_call", "taskId": "t", "workspaceRoots": [machine.path("project")],
            "tool_call": { "id": "x", "name": "run_commands", "input": { "commands": commands } },
        })
    };
    let taken = |commands: Json| answered("cline", "", &machine, &call(commands)).0;
    assert_eq!(taken(json!(["pwd", "rm -rf x"])), Taken::Stopped("No rm.".to_owned()));
    assert_eq!(
        taken(json!(["git push --force"])),
        Taken::Changed(json!({ "commands": ["git push --force-with-lease"] }))
    );
    assert_eq!(taken(json!(["pwd", "date"])), Taken::Runs);
}

/// The captured call of Cline with these commands, and another member in its input.
fn commands_of_cline(machine: &Machine, commands: &[&str]) -> Json {
    let calls = captured_calls(machine).into_iter();
    let mut calls =
        calls.filter(|(agent, name, _)| host_of(agent) == "cline" && name == "PreToolUse.run_commands.json");
    let mut payload = calls.next().unwrap().2;
    payload["tool_call"]["input"] = json!({ "note": { "a": [1, "x"] }, "commands": commands, "timeout": 1.50 });
    payload
}

#[test]
fn a_rewrite_of_one_of_several_commands_leaves_the_others() {
    let machine = Machine::with(
        "rule lease {\n  on PreToolUse(Bash)\n  when runs \"git push --force\"\n  \
         rewrite runs \"git push --force\" to \"git push --force-with-lease\"\n}\n\
         rule pnpm {\n  on PreToolUse(Bash)\n  when runs \"npm\"\n  rewrite command replace /^npm (\\w+)/ with \"pnpm $1\"\n}\n\
         rule whole {\n  on PreToolUse(Bash)\n  when runs \"make\"\n  rewrite command = \"just\"\n}\n",
    );
    // Quotes, line ends and comments are in the commands as they are.
    let odd = "printf '%s' \"it's\"  # npm 'x'\ncat <<'E'\nnpm ci\nE\n";
    for (commands, expected) in [
        (&["git push -f origin"][..], Some(&["git push --force-with-lease origin"][..])),
        (&[odd, "cd a && git push --force # '", odd], Some(&[odd, "cd a && git push --force-with-lease # '", odd])),
        (&["npm ci", "echo npm ci", "npm  test"], Some(&["pnpm ci", "echo npm ci", "npm  test"])),
        (&["npm it", "git push --force", ""], Some(&["pnpm it", "git push --force-with-lease", ""])),
        // What cannot be changed in its place, or replaces all commands, changes none.
        (&["pwd", "bash -c 'git push --force'"], None),
        (&["bash -c 'pwd'", "git push --force-with-lease"], None),
    ] {
        let payload = commands_of_cline(&machine, commands);
        let (taken, reply) = answered("cline", "PreToolUse.run_commands", &machine, &payload);
        let Some(expected) = expected else {
            assert_eq!(taken, Taken::Runs, "{commands:?}: {reply:?}");
            continue;
        };
        let mut input = payload["tool_call"]["input"].clone();
        input["commands"] = json!(expected);
        assert_eq!(taken, Taken::Changed(input), "{commands:?}: {reply:?}");
    }
    let payload = commands_of_cline(&machine, &["pwd", "make"]);
    let (taken, reply) = answered("cline", "PreToolUse.run_commands", &machine, &payload);
    assert!(matches!(&taken, Taken::Stopped(why) if why.contains("just")), "{reply:?}");
}

#[test]
fn one_of_several_files_is_enough_for_a_denial_and_not_for_an_allow() {
    let machine = Machine::with(
        "rule env {\n  on PreToolUse(Read)\n  when path like \".env\" or reads like \"secret/**\"\n  deny \"Not this.\"\n}\n\
         rule docs {\n  on PreToolUse(Read)\n  when path under \"docs\"\n  allow\n}\n",
    );
    let calls = captured_calls(&machine).into_iter();
    let mut calls = calls.filter(|(agent, name, _)| host_of(agent) == "cline" && name == "PreToolUse.read_files.json");
    let captured = calls.next().unwrap().2;
    for (paths, is_denied) in [
        (&["docs/a", "docs/b"][..], false),
        (&["docs/a", ".env"], true),
        (&[".env", "docs/a"], true),
        (&["docs/a", "secret/x", "docs/b"], true),
    ] {
        let mut payload = captured.clone();
        payload["tool_call"]["input"]["files"] = paths.iter().map(|path| json!({ "path": path })).collect();
        let (taken, reply) = answered("cline", "PreToolUse.read_files", &machine, &payload);
        assert_eq!(
            matches!(&taken, Taken::Stopped(why) if why.contains("Not this.")),
            is_denied,
            "{paths:?}: {reply:?}"
        );
    }
}

#[test]
fn a_head_in_the_names_of_one_agent_holds_in_every_agent() {
    let machine = Machine::with(
        "rule shell {\n  on BeforeTool(run_shell_command)\n  when runs \"rm\"\n  deny \"No rm.\"\n}\n\
         rule files {\n  on beforeReadFile\n  when toolInput.absolute_path like \"*.pem\"\n  deny \"No keys.\"\n}\n\
         rule not-the-shell {\n  on PreToolUse(!run_shell_command)\n  when runs \"reboot\"\n  deny \"No reboot.\"\n}\n",
    );
    let cwd = machine.path("project");
    let gemini = |tool: &str, input: Json| {
        json!({"hook_event_name": "BeforeTool", "session_id": "s", "timestamp": "t", "transcript_path": "/t", "cwd": cwd,
            "tool_name": tool, "tool_input": input})
    };
    let qwen = |tool: &str, input: Json| {
        json!({"hook_event_name": "PreToolUse", "session_id": "s", "timestamp": "t", "transcript_path": "/t", "cwd": cwd,
            "permission_mode": "default", "tool_call_id": "c", "tool_name": tool, "tool_input": input})
    };
    let claude = |tool: &str, input: Json| {
        json!({"hook_event_name": "PreToolUse", "session_id": "s", "transcript_path": "/t", "cwd": cwd,
            "permission_mode": "default", "tool_name": tool, "tool_input": input})
    };
    for (host, payload, told) in [
        ("gemini", gemini("run_shell_command", json!({"command": "rm a"})), "No rm."),
        ("gemini", gemini("run_shell_command", json!({"command": "ls"})), ""),
        ("gemini", gemini("read_file", json!({"absolute_path": "/a.pem"})), "No keys."),
        ("gemini", gemini("read_file", json!({"absolute_path": "/a.txt"})), ""),
        ("qwen", qwen("run_shell_command", json!({"command": "rm a"})), "No rm."),
        ("qwen", qwen("read_file", json!({"absolute_path": "/a.pem"})), "No keys."),
        ("claude-code", claude("Bash", json!({"command": "rm a"})), "No rm."),
        ("claude-code", claude("Read", json!({"file_path": "/a.pem"})), "No keys."),
        ("claude-code", claude("Write", json!({"file_path": "/a.pem", "content": ""})), ""),
        // A tool of exactly this name, as before.
        ("claude-code", claude("run_shell_command", json!({"command": "rm a"})), "No rm."),
        // An exclusion has only the name that is written, so that it never lets more through.
        ("claude-code", claude("Bash", json!({"command": "reboot"})), "No reboot."),
        ("claude-code", claude("run_shell_command", json!({"command": "reboot"})), ""),
    ] {
        let output = send(machine.hook_command(&[host]), payload.to_string().as_bytes());
        machine.forget_claims();
        let reply = Reply::of(&output);
        let text = format!("{}{}", reply.json, reply.stderr);
        assert_eq!(text.contains("No "), !told.is_empty(), "{host} {payload}: {reply:?}");
        assert!(text.contains(told), "{host} {payload}: {reply:?}");
    }
}

#[test]
fn a_call_of_several_files_is_blocked_for_one_and_allowed_for_all() {
    let patch = |files: &[&str]| {
        let parts: String = files.iter().map(|file| format!("*** Add File: {file}\n+text\n")).collect();
        json!({
            "hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "apply_patch", "tool_use_id": "t",
            "tool_input": { "command": format!("*** Begin Patch\n{parts}*** End Patch") },
        })
    };
    // The condition, the effect, the files, and whether the rule decides.
    let rows: &[(&str, &str, &[&str], bool)] = &[
        ("path under \"docs\"", "deny", &["docs/a", "src/b"], true),
        ("path under \"docs\"", "deny", &["src/a", "src/b"], false),
        ("path outside \"docs\"", "deny", &["docs/a", "src/b"], true),
        // The exact opposite of `path under "docs"`.
        ("not path under \"docs\"", "deny", &["docs/a", "src/b"], false),
        ("path not like \"docs/**\"", "deny", &["docs/a", "src/b"], false),
        ("path not like \"docs/**\"", "deny", &["src/a", "src/b"], true),
        ("session_id == \"s\"\n  unless path under \"docs\"", "deny", &["docs/a", "src/b"], true),
        ("session_id == \"s\"\n  unless path under \"docs\"", "deny", &["docs/a", "docs/b"], false),
        ("session_id == \"s\"\n  unless not path under \"docs\"", "deny", &["docs/a", "src/b"], true),
        ("session_id == \"s\"\n  unless not path under \"docs\"", "deny", &["src/a", "src/b"], false),
        ("session_id == \"s\"\n  unless path under \"docs\"", "allow", &["docs/a", "src/b"], false),
        ("session_id == \"s\"\n  unless path under \"docs\"", "allow", &["src/a", "src/b"], true),
        ("session_id == \"s\"\n  unless path not under \"docs\"", "allow", &["docs/a", "src/b"], false),
        ("session_id == \"s\"\n  unless path not under \"docs\"", "allow", &["docs/a", "docs/b"], true),
        ("session_id == \"s\"\n  unless path not under \"docs\"", "deny", &["docs/a", "src/b"], true),
        ("not path not under \"docs\"", "allow", &["docs/a", "src/b"], false),
        ("path under \"docs\"", "allow", &["docs/a", "src/b"], false),
        ("path under \"docs\"", "allow", &["docs/a", "docs/b"], true),
        ("not path under \"docs\"", "allow", &["docs/a", "src/b"], false),
        ("path not like \"docs/**\"", "allow", &["src/a", "src/b"], true),
        ("all path under \"docs\"", "deny", &["docs/a", "src/b"], false),
        ("not all path under \"docs\"", "deny", &["docs/a", "src/b"], true),
    ];
    for (condition, effect, files, decides) in rows {
        let machine = Machine::with(&format!(
            "rule r {{\n  on PreToolUse(Write|apply_patch)\n  when {condition}\n  {effect} \"Decided.\"\n}}\n"
        ));
        let policy = machine.path("project/.rules");
        let payload = patch(files).to_string() + "\n";
        let printed = machine.rules(&["eval", "--policy", policy.to_str().unwrap()], &payload);
        let answer: Json = serde_json::from_str(printed.stdout.trim()).unwrap_or_else(|_| panic!("{printed:?}"));
        let expected = if *decides { *effect } else { "pass" };
        assert_eq!(answer["decision"], expected, "{condition} {effect} {files:?}: {answer}");
    }
}

#[test]
fn a_context_reaches_the_agents_that_take_one() {
    let machine = Machine::with("rule tell {\n  on PreToolUse(Bash)\n  context \"Note.\"\n}\n");
    for (agent, name, payload) in captured_calls(&machine).into_iter().filter(|(_, name, _)| does(name) == Some("runs"))
    {
        if name.to_lowercase().starts_with("permission") {
            continue;
        }
        let (_, reply) = answered(&agent, &name, &machine, &payload);
        let specific = &reply.json["hookSpecificOutput"]["additionalContext"];
        let told = [specific, &reply.json["additionalContext"], &reply.json["context"]]
            .into_iter()
            .any(|text| text == "Note.");
        assert_eq!(
            (reply.exit, told),
            (0, ["codex", "copilot", "cline", "opencode"].contains(&host_of(&agent))),
            "{agent} {name}: {reply:?}"
        );
    }
}

/// The events of the schema, by the beginning of a captured payload's name; those that are in no row are of none.
const EVENTS: &[(&str, &str)] = &[
    ("UserPromptSubmit", "UserPromptSubmit"),
    ("userPromptSubmitted", "UserPromptSubmit"),
    ("BeforeAgent", "UserPromptSubmit"),
    ("chat.message", "UserPromptSubmit"),
    ("AfterAgent", "Stop"),
    ("agentStop", "Stop"),
    ("TaskComplete", "Stop"),
    ("TaskStart", "SessionStart"),
    ("AfterTool", "PostToolUse"),
    ("tool.execute.after", "PostToolUse"),
    ("postToolUseFailure", "PostToolUseFailure"),
    ("postToolUse", "PostToolUse"),
    ("sessionStart", "SessionStart"),
    ("sessionEnd", "SessionEnd"),
    ("subagentStart", "SubagentStart"),
    ("subagentStop", "SubagentStop"),
    ("ErrorOccurred", "StopFailure"),
    ("preToolUse", "PreToolUse"),
    ("preMcpToolCall", "PreToolUse"),
    ("BeforeTool.", "PreToolUse"),
    ("tool.execute.before", "PreToolUse"),
    ("tool.execute.failed", "PostToolUseFailure"),
    ("session.start", "SessionStart"),
    ("session.idle", "Stop"),
    ("subagent.start", "SubagentStart"),
    ("subagent.idle", "SubagentStop"),
    ("permission.asked", "Notification"),
    ("permissionRequest", "PermissionRequest"),
];

#[test]
fn every_captured_payload_is_its_event_in_either_hook() {
    let machine = Machine::new();
    for (agent, name, payload) in captured(&machine) {
        let beginning = EVENTS.iter().find(|(beginning, _)| name.starts_with(beginning)).map(|(_, event)| *event);
        let own = name.split('.').next().and_then(Event::from_name).map(Event::name);
        let expected = beginning.or(own).filter(|_| !name.contains("tool_turn_empty"));
        for host in [host_of(&agent), "claude-code"] {
            // Without a member of its own, the start of a session looks like that of the registered host.
            let decoded = match decode(Host::from_name(host).unwrap(), payload.to_string().as_bytes()) {
                DecodedPayload::Event { payload, damage: None } => Some(payload),
                DecodedPayload::UnknownEvent(_) => None,
                other => panic!("{agent} {name}: {other:?}"),
            };
            assert_eq!(decoded.as_ref().map(|payload| payload.event.name()), expected, "{host} {agent} {name}");
            if let Some(payload) = decoded.filter(|payload| payload.event.name() == "PostToolUse") {
                assert!(
                    payload.member("tool_response").is_some() && payload.tool_input().is_some(),
                    "{host} {agent} {name}"
                );
            }
        }
    }
}

#[test]
fn all_packs_decide_a_call_alike_whichever_agent_makes_it() {
    let uses: String = PACKS.iter().map(|(name, _)| format!("use \"{name}\"\n")).collect();
    let machine = Machine::with(&uses);
    let mut calls: Vec<(String, Json, Json)> = Vec::new();
    for (agent, name, payload) in captured_calls(&machine) {
        let decoded = decode(Host::from_name(host_of(&agent)).unwrap(), payload.to_string().as_bytes());
        let DecodedPayload::Event { payload: translated, .. } = decoded else { panic!("{agent} {name}") };
        // What Claude Code would send for the same call.
        let told = ["hook_event_name", "session_id", "cwd", "tool_name", "tool_input", "agent_id", "agent_type"];
        let mut same = translated.json.clone();
        same.retain(|member, _| told.contains(&member.as_str()));
        calls.push((format!("{} {agent} {name}", host_of(&agent)), payload, Json::Object(same)));
    }
    let policy = machine.path("project/.rules");
    let decisions = |host: &str, lines: Vec<&Json>| -> Vec<Json> {
        let input: String = lines.into_iter().map(|line| format!("{line}\n")).collect();
        let printed = machine.rules(&["eval", "--policy", policy.to_str().unwrap(), "--host", host], &input);
        printed.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let as_claude_code = decisions("claude-code", calls.iter().map(|(_, _, same)| same).collect());
    let mut compared = 0;
    for host in Host::names().filter(|name| calls.iter().any(|(call, ..)| call.starts_with(name))) {
        let of_host =
            || calls.iter().zip(&as_claude_code).filter(|((call, ..), _)| call.split(' ').next() == Some(host));
        let own = decisions(host, of_host().map(|((_, payload, _), _)| payload).collect());
        for (((call, ..), same), own) in of_host().zip(&own) {
            // A patch is an Edit and a Write at once, which no call of Claude Code is.
            let is_patch = call.contains("apply_patch") && own["decided_by"][0] == "std/edits/root-stays-tidy";
            assert!(own["decision"] == same["decision"] || is_patch, "{call}: {own} and {same}");
            compared += 1;
        }
    }
    assert_eq!(compared, 79);
}

#[test]
fn agents_that_work_in_one_project_at_once_share_a_policy_and_a_log() {
    const AGENTS: &[&str] = &["codex", "gemini", "qwen", "copilot", "opencode", "cline"];
    let machine = Machine::with(STOPS);
    let calls = captured_calls(&machine);
    let of = |host: &str| calls.iter().find(|(agent, name, _)| host_of(agent) == host && does(name) == Some("runs"));
    std::thread::scope(|scope| {
        for (_, _, payload) in AGENTS.iter().cycle().take(4 * AGENTS.len()).filter_map(|host| of(host)) {
            // The payload alone says which agent calls.
            let machine = &machine;
            scope.spawn(move || send(machine.hook_command(&["claude-code"]), payload.to_string().as_bytes()));
        }
    });
    let state = machine.path("state");
    let log = |options: &[&str]| {
        machine.rules(&[&["log", "-n", "100", "--state-dir", state.to_str().unwrap()], options].concat(), "").stdout
    };
    let lines = log(&["--json"]);
    for host in AGENTS {
        let of_host = lines.lines().filter(|line| line.contains(&format!("\"host\":\"{host}\""))).count();
        assert_eq!(of_host, 4, "{host}: {lines}");
        let shown = log(&["--host", host]);
        let title = Host::from_name(host).unwrap().title();
        assert!(shown.lines().next().unwrap().ends_with(title), "{host}: {shown}");
        assert_eq!(shown.matches("It runs.").count(), 4, "{host}: {shown}");
    }
}

#[test]
fn a_gate_opens_in_the_agents_that_tell_a_failed_command() {
    const GATE: &str = "mark tested {\n  on PostToolUse(Bash)\n  when runs \"npm test\"\n}\n\
                        rule gate {\n  on PreToolUse(Bash)\n  when runs \"git push\" and not happened tested\n  \
                        deny \"Test first.\"\n  unknown deny\n}\n";
    // The agents whose payloads have a directory, with where a call has its command, and whether they tell a failure.
    let agents = [
        ("qwen", "PreToolUse.run_shell_command.json", "PostToolUse.run_shell_command.json", true),
        ("opencode", "tool.execute.before.bash.bridge.json", "tool.execute.after.bash.bridge.json", true),
        ("gemini", "BeforeTool.run_shell_command.json", "AfterTool.run_shell_command.json", false),
        ("codex", "PreToolUse.bash.json", "PostToolUse.bash.json", false),
    ];
    for ((host, before, after, tells), command) in
        agents.into_iter().flat_map(|agent| ["npm test", "npm test | tail"].map(|command| (agent, command)))
    {
        let machine = Machine::with(GATE);
        let calls = captured(&machine);
        let of = |file: &str| calls.iter().find(|(agent, name, _)| host_of(agent) == host && name == file).unwrap();
        let sent = |file: &str, command: &str| {
            let (agent, name, mut payload) = of(file).clone();
            for pointer in ["/tool_input/command", "/input/args/command", "/output/args/command"] {
                if let Some(place) = payload.pointer_mut(pointer) {
                    *place = json!(command);
                }
            }
            payload["cwd"] = json!(machine.path("project"));
            let output = send(machine.hook_command(&[host]), payload.to_string().as_bytes());
            machine.forget_claims();
            taken(&agent, &name, &Reply::of(&output))
        };
        sent(before, command);
        sent(after, command);
        let is_open = sent(before, "git push") == Taken::Runs;
        assert_eq!(is_open, tells && command == "npm test", "{host} {command}");
    }
}

#[test]
fn who_acts_and_where_is_told_by_every_agent() {
    let machine = Machine::new();
    for (agent, name, payload) in captured_calls(&machine) {
        let DecodedPayload::Event { payload, .. } =
            decode(Host::from_name(host_of(&agent)).unwrap(), payload.to_string().as_bytes())
        else {
            panic!("{agent} {name}")
        };
        assert!(payload.nonempty_text("session_id").is_some(), "{agent} {name}");
        assert_eq!(payload.is_by_subagent(), name.contains("subagent"), "{agent} {name}");
        let tells_directory = host_of(&agent) != "opencode" || name.contains("bridge");
        assert_eq!(payload.nonempty_text("cwd").is_some(), tells_directory, "{agent} {name}");
    }
}

#[test]
fn a_payload_that_no_known_agent_sends_is_blocked() {
    let machine = Machine::with(STOPS);
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
        match (expected, taken("codex", "", &reply)) {
            ("", taken) => assert_eq!(taken, Taken::Runs, "{payload}"),
            (expected, Taken::Stopped(reason)) => assert!(reason.contains(expected), "{payload}: {reason}"),
            (_, taken) => panic!("{payload}: {taken:?}"),
        }
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
        let expected = if is_denied { Taken::Stopped("No.".to_owned()) } else { Taken::Runs };
        assert_eq!(taken("copilot", "", &machine.hook(&payload)), expected, "{name}");
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
        // The name may have been in the part that was lost.
        let mut cut = machine.bash("rm -rf /").to_string();
        cut.truncate(cut.find("\"tool_name\"").unwrap());
        machine.hook_bytes(cut.as_bytes()).denies("does not name its tool");
    }
    nameless("PreToolUse", Some(json!("Bash"))).denies("No.");
    Machine::new().hook(&json!({ "hook_event_name": "PreToolUse", "session_id": "s" })).is_silent();
}
