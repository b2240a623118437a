//! Derived fields: the value of each on each tool and event.

use serde_json::json;

use crate::kit::Comes::{F, T, U};
use crate::kit::*;
use hookrules::facts::StatedFacts;

/// Checks how a field's values are formatted in a message.
#[track_caller]
fn shows(field: &str, given: &Given, expected: &str) {
    let name = given.payload.event.name();
    let text = format!("rule r {{\n  on {name}\n  warn \"<{{{field}}}>\"\n}}\n");
    check(&text, given, &format!("pass + warn {:?}", format!("<{expected}>")));
}

#[test]
fn path_is_every_file_that_a_file_tool_acts_on() {
    for (tool, input, expected) in [
        ("Read", json!({"file_path": "a"}), "/project/a"),
        ("Write", json!({"file_path": "/x/a", "content": ""}), "/x/a"),
        ("Edit", json!({"file_path": "~/a"}), "/home/user/a"),
        ("MultiEdit", json!({"file_path": "a"}), "/project/a"),
        ("NotebookEdit", json!({"notebook_path": "n.ipynb"}), "/project/n.ipynb"),
        ("Grep", json!({"pattern": "x", "path": "src"}), "/project/src"),
        ("Grep", json!({"pattern": "x"}), ""),
        ("Glob", json!({"pattern": "*.rs", "path": "src"}), "/project/src"),
        ("LSP", json!({"filePath": "a"}), "/project/a"),
        ("Bash", json!({"command": "cat a"}), ""),
        ("WebFetch", json!({"url": "https://x"}), ""),
        ("mcp__fs__read", json!({"path": "a"}), "/project/a"),
        ("mcp__fs__read", json!({"paths": ["a", "/b"]}), "/project/a, /b"),
        ("mcp__fs__read", json!({"files": [{"path": "a"}, {"path": "b"}]}), "/project/a, /project/b"),
        ("mcp__fs__move", json!({"source": "a", "destination": "b"}), "/project/a, /project/b"),
        ("mcp__fs__get", json!({"uri": "file:///etc/x"}), "/etc/x"),
        ("mcp__fs__get", json!({"uri": "https://example.com/x"}), ""),
        ("mcp__fs__get", json!({"path": 5, "file": null}), ""),
    ] {
        shows("path", &call(tool, input), expected);
    }
}

#[test]
fn content_is_a_value_for_each_edit() {
    let edits =
        json!([{"old_string": "a", "new_string": "x"}, {"old_string": "b", "new_string": "y"}, {"old_string": "c"}]);
    for (tool, input, expected) in [
        ("Write", json!({"file_path": "a", "content": "text"}), "text"),
        ("Edit", json!({"file_path": "a", "old_string": "o", "new_string": "n"}), "n"),
        ("MultiEdit", json!({"file_path": "a", "edits": edits}), "x, y"),
        ("NotebookEdit", json!({"notebook_path": "a", "new_source": "cell"}), "cell"),
        ("Read", json!({"file_path": "a"}), ""),
        ("mcp__fs__write", json!({"path": "a", "content": "m"}), "m"),
    ] {
        shows("content", &call(tool, input), expected);
    }
}

#[test]
fn command_is_the_text_of_a_shell_tool() {
    for (tool, input, expected) in [
        ("Bash", json!({"command": "ls"}), "ls"),
        ("Monitor", json!({"description": "d", "command": "tail -f x"}), "tail -f x"),
        ("PowerShell", json!({"command": "dir"}), "dir"),
        ("Read", json!({"file_path": "a"}), ""),
        ("Bash", json!({}), ""),
        ("Bash", json!({"command": 5}), ""),
    ] {
        shows("command", &call(tool, input), expected);
    }
}

#[test]
fn url_and_domain_are_those_of_a_web_tool() {
    let fetch = |url: &str| call("WebFetch", json!({"url": url, "prompt": "p"}));
    shows("url", &fetch("https://Docs.Example.com:8443/a?b"), "https://Docs.Example.com:8443/a?b");
    shows("domain", &fetch("https://Docs.Example.com:8443/a?b"), "docs.example.com");
    shows("domain", &fetch("https://user@evil.org@example.com/"), "example.com");
    shows("domain", &fetch("not a url"), "");
    shows("url", &call("mcp__web__get", json!({"url": "http://x"})), "http://x");
    conditions(
        &fetch("https://api.example.com"),
        &[
            ("domain like \"*.example.com\"", T),
            ("domain == \"example.com\"", F),
            ("domain in [\"api.example.com\"]", T),
        ],
    );
}

#[test]
fn agent_is_main_without_an_id_whatever_the_session_was_started_as() {
    shows("agent", &bash("x"), "main");
    shows("agent", &bash("x").set(json!({"agent_type": "reviewer"})), "main");
    shows("agent", &bash("x").by("coder"), "coder");
    shows("agent", &bash("x").set(json!({"agent_id": "a", "subagent_type": "coder"})), "coder");
    shows("agent", &bash("x").set(json!({"agent_id": ""})), "main");
    shows("agent_type", &bash("x").set(json!({"agent_type": "reviewer"})), "reviewer");
    shows("subagent_type", &bash("x").by("coder"), "coder");
    let sent = decoded(&json!({"hook_event_name": "SubagentStop", "agent_id": "a", "subagent_type": "coder"}));
    shows("agent_type", &sent, "coder");
    conditions(&sent, &[("subagent_type == \"coder\"", T), ("agent_type == \"coder\"", T), ("agent == \"coder\"", T)]);
}

#[test]
fn event_host_and_project() {
    shows("event", &bash("x"), "PreToolUse");
    shows("event", &event("Stop", json!({})), "Stop");
    shows("host", &bash("x"), "claude-code");
    shows("project", &bash("x"), "/project");
    shows("home", &bash("x"), "/home/user");
    conditions(
        &bash("x"),
        &[("event == \"PreToolUse\"", T), ("host == \"claude-code\"", T), ("project == \"/project\"", T)],
    );
}

#[test]
fn a_raw_field_of_a_derived_fields_name_is_meant() {
    let changed = event("FileChanged", json!({"file_path": "/project/a", "event": "unlink"}));
    shows("event", &changed, "unlink");
    conditions(&changed, &[("event == \"unlink\"", T), ("event == \"FileChanged\"", F)]);
    let asked = event("Elicitation", json!({"mcp_server_name": "s", "message": "m", "url": "https://x/y"}));
    shows("url", &asked, "https://x/y");
    conditions(&asked, &[("url starts_with \"https://x\"", T)]);
    // With several events, each has its own.
    let both = "rule r {\n  on FileChanged, Stop\n  warn \"{event}\"\n}\n";
    check(both, &changed, "pass + warn \"unlink\"");
    check(both, &event("Stop", json!({})), "pass + warn \"Stop\"");
}

#[test]
fn fields_of_the_input_that_name_files_are_paths_on_any_tool() {
    for head in ["PreToolUse", "PreToolUse(Write)", "PreToolUse(Write|Edit)", "PreToolUse(mcp__*|Write)"] {
        let text = format!("rule r {{\n  on {head}\n  when tool_input.file_path like \"src/**\"\n  deny \"no\"\n}}\n");
        check(&text, &write("/project/src/a/b.rs", ""), "deny by r: no");
        check(&text, &write("/src/a/b.rs", ""), "pass");
    }
}

#[test]
fn members_of_any_depth_and_of_lists_are_reached_by_dots() {
    let given = call("mcp__db__q", json!({"items": [{"env": "dev"}, {"env": "prod"}], "o": {"on": {"all": 1}}}));
    conditions(
        &given,
        &[
            ("tool_input.items.env == \"prod\"", T),
            ("tool_input.o.on.all == 1", T),
            ("exists tool_input.o.on", T),
            ("exists tool_input.o.off", F),
            ("all tool_input.items.env == \"prod\"", F),
        ],
    );
    let policy = "rule r {\n  on PreToolUse\n  when `$.tool_input.items[*].env` == \"prod\"\n  deny \"{match} of {tool_input.o}\"\n}\n";
    check(policy, &given, "deny by r: prod of {\"on\":{\"all\":1}}");
}

#[test]
fn what_a_call_without_its_input_does_is_unknown() {
    // The input of a built-in tool that is missing may be any; a call that names no tool has none.
    for (given, [command, reads, writes]) in [
        (event("PreToolUse", json!({"tool_name": "Bash"})), [U, U, U]),
        (event("PreToolUse", json!({"tool_name": "Write", "tool_input": null})), [F, F, U]),
        (event("PreToolUse", json!({})), [F, F, F]),
    ] {
        conditions(
            &given,
            &[
                ("exists command", command),
                ("exists url", F),
                ("reads like \"*\"", reads),
                ("writes outside tmp", writes),
            ],
        );
    }
    let mac = event("PreToolUse", json!({})).with(StatedFacts::default().with_os("macos"));
    conditions(&mac, &[("path under tmp", F), ("path outside tmp", F)]);
}

#[test]
fn an_input_that_is_no_object_names_what_its_shape_names_and_leaves_the_rest_unknown() {
    for (input, file) in [(json!("text"), T), (json!([1]), U)] {
        conditions(
            &event("PreToolUse", json!({"tool_name": "Write", "tool_input": input})),
            &[
                ("exists path", file),
                ("exists content", U),
                ("exists command", F),
                ("exists url", F),
                ("reads like \"*\"", F),
                ("writes outside tmp", file),
            ],
        );
    }
}

#[test]
fn the_host_s_absolute_path_is_a_path_under_every_name_and_head() {
    for head in ["PreToolUse", "PreToolUse(*)", "PreToolUse(Read)", "PreToolUse(Read|mcp__fs__*)", "*"] {
        for field in ["tool_input.file_path", "`$.tool_input.file_path`", "path"] {
            let text = format!("rule r {{\n  on {head}\n  when {field} like \".env\"\n  warn \"no\"\n}}\n");
            check(&text, &read("/project/.env"), "pass + warn \"no\"");
        }
    }
}

#[test]
fn an_example_shows_a_built_in_tool_s_file_as_the_host_sends_it() {
    let text = "rule r {\n  on PreToolUse(Read)\n  when tool_input.file_path matches /^\\/project\\/a$/\n  deny \"no\"\n\n  \
                fires on \"a\", \"./b/../a\"\n}\n";
    let policy = policy(text);
    let failed: Vec<_> =
        policy.layers.iter().flat_map(|layer| hookrules::examples::judge_layer(layer).failed).collect();
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn an_allow_on_a_domain_is_given_to_that_host_alone() {
    let text = "rule r {\n  on PreToolUse(WebFetch)\n  when domain == \"good.com\"\n  allow\n}\n";
    let fetch = |url: &str| call("WebFetch", json!({"url": url, "prompt": "p"}));
    check(text, &fetch("https:/Good.com/x"), "allow by r");
    for url in ["https://[good.com]", "xhttps://good.com", "file://good.com/etc/passwd", "https://good.com@evil.com"] {
        check(text, &fetch(url), "pass");
    }
    conditions(&fetch("https://[good.com]"), &[("domain == \"good.com\"", U), ("not exists domain", U)]);
    conditions(&fetch("file://good.com/x"), &[("domain == \"good.com\"", F), ("not exists domain", T)]);
}

#[test]
fn texts_are_seen_inside_of_lists_and_content_blocks() {
    let secret = [("content contains \"SECRET\"", T)];
    conditions(&call("Edit", json!({"file_path": "a", "new_string": ["SECRET"]})), &secret);
    conditions(&call("Write", json!({"file_path": "a", "content": {"x": ["SECRET"]}})), &secret);
    conditions(&call("MultiEdit", json!({"file_path": "a", "edits": {"new_string": ["SECRET"]}})), &secret);
    let block = json!([{"type": "text", "text": "sk-1"}]);
    conditions(&call("Agent", json!({"prompt": block})), &[("tool_input.prompt contains \"sk-1\"", T)]);
    check(
        "rule r {\n  on UserPromptSubmit\n  when prompt contains \"sk-1\"\n  deny \"no\"\n}\n",
        &event("UserPromptSubmit", json!({"prompt": block})),
        "deny by r: no",
    );
    conditions(&call("Bash", json!({"command": ["rm"]})), &[("command contains \"rm\"", T)]);
    conditions(&call("WebFetch", json!({"url": ["https://evil.com"]})), &[("domain == \"evil.com\"", T)]);
}

#[test]
fn a_command_that_is_no_text_is_not_known() {
    for input in [json!({"command": ["rm -rf ~"]}), json!({"command": {"a": "rm"}}), json!(["rm"]), json!("rm")] {
        allowing(
            &call("Bash", input),
            &[("not runs \"rm\"", U), ("only runs \"ls\"", U), ("not deletes like \"x\"", U)],
        );
    }
    for input in [json!({"cmd": "rm -rf ~"}), json!({"cmd": ["rm"]}), json!({"input": {"command": "rm"}})] {
        allowing(&call("mcp__sh__run", input), &[("not runs \"rm\"", U)]);
    }
    allowing(&call("Bash", json!({"command": null})), &[("not runs \"rm\"", U)]);
    allowing(&call("mcp__db__query", json!({"args": {"text": "rm"}})), &[("not runs \"rm\"", T)]);
    check(
        "rule r {\n  on PreToolUse\n  unless runs \"rm\"\n  allow\n}\n",
        &call("mcp__sh__run", json!({"cmd": "rm -rf ~"})),
        "pass",
    );
}

#[test]
fn an_agent_id_of_any_kind_is_a_subagent_s() {
    for id in [json!(5), json!({}), json!([]), json!(false), json!("a")] {
        let given = bash("x").set(json!({"agent_id": id, "agent_type": "coder"}));
        check("rule r {\n  on PreToolUse\n  by main\n  allow\n}\n", &given, "pass");
        check("rule r {\n  on PreToolUse\n  by coder\n  deny \"no\"\n}\n", &given, "deny by r: no");
    }
    check("rule r {\n  on PreToolUse\n  by main\n  allow\n}\n", &bash("x").set(json!({"agent_id": ""})), "allow by r");
}
