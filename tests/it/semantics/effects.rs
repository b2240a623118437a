//! Effects: rewrites of every target and form, records, commands with values, notifications.

use serde_json::json;

use crate::kit::*;
use hookrules::facts::StatedFacts;

/// Checks the input that a rewrite produces, as JSON; empty if it is unchanged.
#[track_caller]
fn becomes(rewrite: &str, given: &Given, expected: &str) {
    let policy = policy(&format!(
        "let word = \"w\"\nlet number = 7\nlet list = [\"a\", 1]\nrule r {{\n  on PreToolUse\n  when exists tool_name\n  {rewrite}\n}}\n"
    ));
    let verdict = judge(&policy, given).verdict;
    assert_eq!(verdict.updated_input.map(|input| input.to_string()).unwrap_or_default(), expected);
}

#[test]
fn every_target_is_the_member_that_the_tool_has_it_in() {
    becomes("rewrite command = \"y\"", &bash("x"), r#"{"command":"y"}"#);
    becomes("rewrite command = \"y\"", &read("x"), "");
    becomes("rewrite path = \"y\"", &read("x"), r#"{"file_path":"y"}"#);
    becomes("rewrite path = \"y\"", &call("NotebookEdit", json!({"notebook_path": "x"})), r#"{"notebook_path":"y"}"#);
    becomes("rewrite path = \"y\"", &call("mcp__a__b", json!({"path": "x", "z": 1})), r#"{"path":"y","z":1}"#);
    becomes("rewrite path = \"y\"", &bash("x"), "");
    becomes("rewrite content = \"y\"", &write("a", "x"), r#"{"file_path":"a","content":"y"}"#);
    becomes(
        "rewrite content = \"y\"",
        &call("Edit", json!({"old_string": "o", "new_string": "n"})),
        r#"{"old_string":"o","new_string":"y"}"#,
    );
    becomes(
        "rewrite content replace /[ab]/ with \"<$0>\"",
        &call("MultiEdit", json!({"edits": [{"new_string": "a"}, {"new_string": "b"}, {"new_string": "c"}]})),
        r#"{"edits":[{"new_string":"<a>"},{"new_string":"<b>"},{"new_string":"c"}]}"#,
    );
    becomes(
        "rewrite url = \"https://y\"",
        &call("WebFetch", json!({"url": "http://x", "prompt": "p"})),
        r#"{"url":"https://y","prompt":"p"}"#,
    );
    becomes(
        "rewrite url replace /^http:/ with \"https:\"",
        &call("WebFetch", json!({"url": "http://x"})),
        r#"{"url":"https://x"}"#,
    );
    becomes("rewrite tool_input.timeout = 5", &bash("x"), r#"{"command":"x","timeout":5}"#);
}

#[test]
fn every_form_of_a_new_value() {
    let given = || call("mcp__a__b", json!({"a": 1, "o": {"k": "v", "l": 2}, "t": "text"}));
    becomes(
        "rewrite tool_input.a = \"<{tool_input.t}>\"",
        &given(),
        r#"{"a":"<text>","o":{"k":"v","l":2},"t":"text"}"#,
    );
    becomes("rewrite tool_input.a = 2.5", &given(), r#"{"a":2.5,"o":{"k":"v","l":2},"t":"text"}"#);
    becomes("rewrite tool_input.a = -3", &given(), r#"{"a":-3,"o":{"k":"v","l":2},"t":"text"}"#);
    becomes("rewrite tool_input.a = true", &given(), r#"{"a":true,"o":{"k":"v","l":2},"t":"text"}"#);
    becomes("rewrite tool_input.a = 30s", &given(), r#"{"a":30000,"o":{"k":"v","l":2},"t":"text"}"#);
    becomes(
        "rewrite tool_input.a = [1, \"{tool_input.t}\", true]",
        &given(),
        r#"{"a":[1,"text",true],"o":{"k":"v","l":2},"t":"text"}"#,
    );
    becomes("rewrite tool_input.a = [...list, 2]", &given(), r#"{"a":["a",1,2],"o":{"k":"v","l":2},"t":"text"}"#);
    becomes("rewrite tool_input.a = list", &given(), r#"{"a":["a",1],"o":{"k":"v","l":2},"t":"text"}"#);
    becomes("rewrite tool_input.a = word", &given(), r#"{"a":"w","o":{"k":"v","l":2},"t":"text"}"#);
    becomes("rewrite tool_input.a = number", &given(), r#"{"a":7,"o":{"k":"v","l":2},"t":"text"}"#);
    becomes("rewrite tool_input.a = tool_input.o", &given(), r#"{"a":{"k":"v","l":2},"o":{"k":"v","l":2},"t":"text"}"#);
    becomes("rewrite tool_input.a = null", &given(), r#"{"o":{"k":"v","l":2},"t":"text"}"#);
    becomes("rewrite tool_input.o.k = null", &given(), r#"{"a":1,"o":{"l":2},"t":"text"}"#);
    becomes("rewrite tool_input.o.k = \"n\"", &given(), r#"{"a":1,"o":{"k":"n","l":2},"t":"text"}"#);
    becomes("rewrite tool_input.new.deep = 1", &given(), r#"{"a":1,"o":{"k":"v","l":2},"t":"text","new":{"deep":1}}"#);
    becomes("rewrite tool_input.gone = null", &given(), "");
    becomes("rewrite tool_input.new.deep = null", &given(), "");
    becomes("rewrite tool_input.t.deep = 1", &given(), "");
    // A field without a value does not remove the member.
    becomes("rewrite tool_input.a = tool_input.gone", &given(), "");
}

#[test]
fn replace_fills_in_groups_but_never_those_of_a_value() {
    becomes("rewrite command replace /(\\w+) (\\w+)/ with \"$2 $1\"", &bash("a b"), r#"{"command":"b a"}"#);
    becomes("rewrite command replace /a/ with \"b\"", &bash("aaa"), r#"{"command":"bbb"}"#);
    becomes("rewrite command replace /x/ with \"$$\"", &bash("x"), r#"{"command":"$"}"#);
    let given = bash("x").set(json!({"session_id": "$0$1"}));
    becomes("rewrite command replace /(x)/ with \"{session_id}\"", &given, r#"{"command":"$0$1"}"#);
    becomes("rewrite tool_input.n replace /1/ with \"2\"", &call("mcp__a__b", json!({"n": 1})), "");
}

#[test]
fn a_rewrite_that_cannot_be_is_an_error() {
    let rule = |head: &str, rewrite: &str| format!("rule r {{\n  on {head}\n  {rewrite}\n}}\n");
    rejects(
        &rule("PreToolUse(Bash)", "rewrite tool_input.command = null"),
        "R0510 `tool_input.command` cannot be removed",
    );
    rejects(&rule("PreToolUse", "rewrite command = null"), "R0510 `command` cannot be removed");
    rejects(&rule("PreToolUse", "rewrite tool_name = \"x\""), "R0510 `tool_name` cannot be rewritten");
    rejects(&rule("PreToolUse", "rewrite cwd = \"x\""), "R0510 `cwd` cannot be rewritten");
    rejects(&rule("PreToolUse(Bash)", "rewrite tool_input.comand = \"x\""), "R0510 the selected tools take no");
    rejects(&rule("PostToolUse", "rewrite command = \"x\""), "R0510 `PostToolUse` cannot change the input of a call");
    rejects(&rule("PreToolUse", "rewrite command replace /(/ with \"x\""), "R0401");
    rejects(&rule("PreToolUse", "rewrite tool_input.a = unheard_of"), "R0103");
    rejects(
        &format!("def d = exists cwd\n{}", rule("PreToolUse", "rewrite tool_input.a = d")),
        "R0119 a member cannot become a condition",
    );
    rejects(
        &format!("let re = /x/\n{}", rule("PreToolUse", "rewrite tool_input.a = re")),
        "R0119 a member cannot become a regex",
    );
}

#[test]
fn a_record_keeps_values_as_they_are() {
    let record = |fields: &str| {
        format!("let word = \"w\"\nrule r {{\n  on SubagentStop\n  record \"f.jsonl\" {{ {fields} }}\n}}\n")
    };
    let stop = || {
        event(
            "SubagentStop",
            json!({"agent_id": "a7", "agent_type": "coder", "agent_transcript_path": "/t", "stop_hook_active": false}),
        )
    };
    for (fields, expected) in [
        ("agent_id", r#"{"agent_id":"a7"}"#),
        ("agent_id, transcript_path: agent_transcript_path", r#"{"agent_id":"a7","transcript_path":"/t"}"#),
        ("git.branch", r#"{"branch":"main"}"#),
        ("stop_hook_active", r#"{"stop_hook_active":false}"#),
        ("a: 5, b: \"<{agent_id}>\", c: true, d: null, e: word", r#"{"a":5,"b":"<a7>","c":true,"d":null,"e":"w"}"#),
        ("gone: env.GONE", r#"{"gone":null}"#),
        ("\"a key\": agent_type", r#"{"a key":"coder"}"#),
        ("x: `$.agent_id`", r#"{"x":"a7"}"#),
    ] {
        let given = stop().with(StatedFacts::for_examples().with_git_branch("main"));
        check(&record(fields), &given, &format!("pass + record \"f.jsonl\" {expected}"));
    }
    let timed = judge(&policy(&record("agent_id, stopped_at: now, now")), &stop()).verdict;
    assert_eq!(timed.records[0].times, ["stopped_at", "now"]);
    rejects(&record("agent_id, x: 1, x: 2"), "R0511 `x` appears twice");
    rejects(&record("agent_idd"), "R0103");
    rejects(&format!("let list = [1]\n{}", record("list")), "R0119 a record cannot hold a list");
    rejects(&format!("def d = exists cwd\n{}", record("x: d")), "R0119 a record cannot hold a condition");
}

#[test]
fn a_value_in_a_records_file_name_is_one_safe_component() {
    for (value, expected) in [
        ("abc", "log-abc.jsonl"),
        ("../../etc/x", "log-_.._etc_x.jsonl"),
        ("a/b", "log-a_b.jsonl"),
        ("", "log-_.jsonl"),
        ("..", "log-_.jsonl"),
        ("a b\u{0}é", "log-a_b__.jsonl"),
    ] {
        let given = bash("x").set(json!({"session_id": value}));
        let verdict =
            judge(&policy("rule r {\n  on PreToolUse\n  record \"log-{session_id}.jsonl\" { cwd }\n}\n"), &given)
                .verdict;
        assert_eq!(verdict.records[0].file, expected, "{value:?}");
    }
    for file in [
        "/abs",
        "../up",
        "a/../b",
        "~/x",
        "",
        "dir/",
        "a\\\\b",
        ".rules/x.jsonl",
        "log/{session_id}.jsonl",
        ".rules/log/{session_id}.side-1.jsonl",
        ".rules/log/.gitignore",
        ".a.json.lock",
    ] {
        rejects(&format!("rule r {{\n  on Stop\n  record \"{file}\" {{ cwd }}\n}}\n"), "R0515");
    }
}

#[test]
fn a_value_in_a_command_is_a_word_and_never_text() {
    let run = |run: &str| format!("rule r {{\n  on PreToolUse\n  run {run}\n}}\n");
    let evil = || write("a b; rm -rf ~", "");
    check(&run("\"fmt -- {path}\""), &evil(), "pass + run \"fmt -- \\\"${1}\\\"\" [\"/project/a b; rm -rf ~\"]");
    check(&run("[\"fmt\", \"--\", \"{path}\"]"), &evil(), "pass + run [\"fmt\", \"--\", \"/project/a b; rm -rf ~\"]");
    check(&run("[\"fmt\", \"--\", \"{env.GONE}\", \"x{env.GONE}\"]"), &evil(), "pass + run [\"fmt\", \"--\", \"x\"]");
    let several = call("mcp__a__b", json!({"paths": ["x", "y"]}));
    check(&run("[\"fmt\", \"{path}\"]"), &several, "pass + run [\"fmt\", \"/project/x\", \"/project/y\"]");
    rejects(&run("\"fmt '{path}'\""), "R0512");
    rejects(&run("\"sh -c {command}\""), "R0512");
    rejects(&run("[\"fmt\", \"{session_id}\"]"), "R0513");
    rejects(&run("\"fmt {session_id}\""), "R0513");
}

#[test]
fn options_are_known_each_with_its_kind() {
    let run = |options: &str| format!("rule r {{\n  on PreToolUse\n  run \"x\" {{ {options} }}\n}}\n");
    let spec = judge(&policy(&run("timeout: 5m, max_output_lines: 3, show_stdout: true, env: { A: \"{tool_name}\" }, cwd: \"sub\", message: \"m {command}\", attempts: 2")
        .replace(", attempts: 2", "")), &bash("ls")).verdict.runs.remove(0);
    assert_eq!(spec.timeout.as_secs(), 300);
    assert_eq!(
        (spec.options.max_output_lines, spec.options.show_stdout, spec.options.show_stderr),
        (Some(3), true, false)
    );
    assert_eq!(
        (spec.env["A"].as_str(), spec.cwd.as_deref(), spec.message.as_deref()),
        ("Bash", Some("sub"), Some("m ls"))
    );
    for (options, expected) in [
        ("timeout: 5", "R0119 `timeout` is a duration"),
        ("timeout: 0s", "R0119"),
        ("max_output_lines: 0", "R0119"),
        ("on_fail: maybe", "R0119 `on_fail` is never `maybe`"),
        ("timout: 5s", "R0115 `run` has no option `timout`"),
        ("show_stdout: \"yes\"", "R0119"),
        ("attempts: 2", "R0502 `attempts`"),
        ("env: { CONCLAUDE_CWD: \"x\" }", "R0119"),
        ("max_output_lines: 9999999999.5", "R0119 `max_output_lines` is a whole number of at least 1"),
        ("background: true, on_fail: deny", "R0506"),
        ("background: true, show_stdout: true", "R0506"),
        ("background: true, show_stderr: true", "R0506"),
        ("background: true, max_output_lines: 3", "R0506"),
        ("timeout: 5s, timeout: 6s", "R0511"),
    ] {
        rejects(&run(options), expected);
    }
    rejects("rule r {\n  on Stop\n  run \"make\" { background: true, attempts: 2 }\n}\n", "R0506");
    let quiet = "background: true, show_stdout: false, on_fail: ignore, message: \"m\", notify: true";
    policy(&run(quiet));
    // A number above the maximum is the maximum.
    let many = policy(&run("max_output_lines: 9999999999"));
    assert_eq!(judge(&many, &bash("ls")).verdict.runs.remove(0).options.max_output_lines, Some(4_294_967_295));
}

#[test]
fn a_command_runs_in_the_directory_of_the_files() {
    let cwd = |option: &str, given: &Given| {
        let text = format!("rule r {{\n  on PreToolUse\n  run \"x\" {{ cwd: {option} }}\n}}\n");
        judge(&policy(&text), given).verdict.runs.remove(0).cwd
    };
    let several = |paths: &[&str]| call("mcp__a__b", json!({ "paths": paths }));
    for (option, given, expected) in [
        ("\"{path}\"", write("api/src/a.ts", ""), "/project/api/src"),
        ("\"{tool_input.file_path}\"", write("api/src/a.ts", ""), "/project/api/src"),
        ("\"{path}\"", several(&["api/src/a.ts", "api/test/b.ts"]), "/project/api"),
        ("\"{path}\"", several(&["api/src/a.ts", "api/src/b/c.ts"]), "/project/api/src"),
        ("\"{path}\"", several(&["apis/a", "api/a"]), "/project"),
        // Only paths of files: a text around one, and a directory, stay what they are.
        ("\"{path}/..\"", write("api/a.ts", ""), "/project/api/a.ts/.."),
        ("\"{cwd}\"", write("api/a.ts", ""), "/project"),
        ("\"api\"", write("api/a.ts", ""), "api"),
    ] {
        assert_eq!(cwd(option, &given).as_deref(), Some(expected), "{option}: {:?}", given.payload.json);
    }
}

#[test]
fn messages_are_required() {
    for effect in ["deny", "ask", "halt", "exit 2", "warn", "context", "deny \"\"", "warn \"  \""] {
        rejects(&format!("rule r {{\n  on PreToolUse\n  {effect}\n}}\n"), "R0503");
    }
    policy("rule r {\n  on PreToolUse\n  allow\n}\n");
    rejects("rule r {\n  on PreToolUse\n  deny \"x\" { interrupt: true }\n}\n", "R0502 `interrupt`");
    let denied = "rule r {\n  on PermissionRequest\n  deny \"x\" { interrupt: true }\n}\n";
    assert!(
        judge(&policy(denied), &event("PermissionRequest", json!({"tool_name": "Bash"}))).verdict.is_interrupting()
    );
}
