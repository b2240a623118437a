//! The failure policy: the answer to an event when the policy, the payload or the registration is wrong.

use serde_json::json;

use hookrules::hooks::FailurePolicy;
use hookrules::schema::Event;
use hookrules::verdict::Verdict;

use crate::kit::one_file;
use crate::machine::{Machine, Reply, send};

const BROKEN: &str = "rule broken {\n  on PreToolUse\n  deny \"never closed\n}\n";
const GUARD: &str =
    "rule guard {\n  on PreToolUse(Bash)\n  when tool_input.command contains \"rm\"\n  deny \"No rm.\"\n}\n";
const FREE: &str = "rule free {\n  on PermissionRequest(Bash), PreToolUse(Bash)\n  allow\n}\n";

#[test]
fn a_call_is_asked_about_while_the_policy_is_broken() {
    let machine = Machine::with(BROKEN);
    let reply = machine.hook(&machine.bash("ls"));
    reply.asks("The project policy does not load");
    reply.asks(".rules/project.rules:3:8: error R0002 unterminated");
    reply.asks("`rules check` shows everything");
}

#[test]
fn another_layers_denial_stands_while_the_project_is_broken() {
    let machine = Machine::with(BROKEN);
    machine.write("user/guard.rules", GUARD);
    let reply = machine.hook(&machine.bash("rm a"));
    reply.denies("No rm.");
    assert!(!reply.reason().contains("does not load"), "the reason is the denial's alone: {reply:?}");
    machine.hook(&machine.bash("ls")).asks("does not load");
}

#[test]
fn no_layer_allows_a_permission_request_while_one_is_broken() {
    let machine = Machine::with(BROKEN);
    machine.write("user/free.rules", FREE);
    let mut request = machine.captured("2.1.330/PermissionRequest.Bash");
    request["tool_input"]["command"] = json!("ls");
    assert_eq!(machine.hook(&request).decision(), "");
    for on_error in ["allow", "deny"] {
        machine.write("user/rules.toml", &format!("edition = 1\non_error = \"{on_error}\"\n"));
        assert_eq!(machine.hook(&request).decision(), "", "{on_error}");
    }
    machine.write("project/.rules/project.rules", "\n");
    assert_eq!(machine.hook(&request).decision(), "allow");
}

#[test]
fn on_error_says_what_a_broken_policy_does() {
    let machine = Machine::with(BROKEN);
    for (on_error, decision) in [("ask", "ask"), ("deny", "deny"), ("allow", "")] {
        machine.write("project/.rules/rules.toml", &format!("edition = 1\non_error = \"{on_error}\"\n"));
        let reply = machine.hook(&machine.bash("ls"));
        assert_eq!(reply.decision(), decision, "{on_error}: {reply:?}");
    }
}

#[test]
fn the_strictest_layer_says_it() {
    let settings = |on_error: &str| format!("edition = 1\non_error = \"{on_error}\"\n");
    for (managed, user, project, decision) in
        [("allow", "deny", "allow", "deny"), ("deny", "allow", "allow", "deny"), ("allow", "ask", "allow", "ask")]
    {
        let machine = Machine::with(BROKEN);
        machine.write("managed/rules.toml", &settings(managed));
        machine.write("user/rules.toml", &settings(user));
        machine.write("project/.rules/rules.toml", &settings(project));
        assert_eq!(machine.hook(&machine.bash("ls")).decision(), decision, "{managed} {user} {project}");
    }
}

#[test]
fn other_events_are_warned_once_a_session_and_go_on() {
    let machine = Machine::with(BROKEN);
    // At the first hook of an account there is no state directory.
    std::fs::remove_dir(machine.path("state")).unwrap();
    let stop = machine.captured("2.1.330/Stop");
    let first = machine.hook(&stop);
    assert_eq!(first.exit, 0);
    assert!(first.warning().contains("The project policy does not load"), "{first:?}");
    machine.hook(&stop).is_silent();
    let mut other = stop;
    other["session_id"] = json!("another");
    assert!(machine.hook(&other).warning().contains("does not load"));
}

#[test]
fn an_edit_whose_result_would_not_load_is_denied_with_the_diagnostics() {
    let machine = Machine::with(GUARD);
    let path = machine.path("project/.rules/project.rules");
    let edit = |tool: &str, input: serde_json::Value| {
        let mut payload = machine.file(tool, "project/.rules/project.rules");
        payload["tool_input"] = input;
        payload["tool_input"]["file_path"] = json!(path);
        machine.hook(&payload)
    };
    let broken = "project.rules:4:3: error R0001 syntax";
    let write = edit("Write", json!({ "content": GUARD.replace("  deny", "  dney") }));
    write.denies("With this edit the policy would not load:\n");
    write.denies(broken);
    edit("Edit", json!({ "old_string": "deny", "new_string": "dney" })).denies(broken);
    let twice = json!([
        { "old_string": "deny", "new_string": "dxny" },
        { "old_string": "dxny", "new_string": "dney" },
    ]);
    edit("MultiEdit", json!({ "edits": twice })).denies(broken);
    // An edit whose result still loads is left to the user.
    edit("Edit", json!({ "old_string": "No rm.", "new_string": "Never." })).asks("The edit changes no rule.");
    edit("Write", json!({ "content": "# nothing yet\n" })).asks("The edit removes `");
}

#[test]
fn a_rule_named_rules_starts_no_command_for_an_edit_that_the_program_denies() {
    let policy = "rule rules {\n  on PreToolUse(Write)\n  run \"touch ran\"\n}\n";
    let machine = Machine::with(policy);
    let mut payload = machine.file("Write", "project/.rules/project.rules");
    payload["tool_input"]["content"] = json!(BROKEN);
    machine.hook(&payload).denies("would not load");
    assert!(!machine.exists("project/ran"));
    payload["tool_input"]["content"] = json!(policy);
    machine.hook(&payload).asks("which says what agents may do");
    assert!(machine.exists("project/ran"));
}

#[test]
fn an_edit_of_the_settings_that_would_not_load_is_denied() {
    let machine = Machine::with(GUARD);
    let mut payload = machine.file("Write", "project/.rules/rules.toml");
    payload["tool_input"]["content"] = json!("on_eror = \"deny\"\n");
    machine.hook(&payload).denies("rules.toml:1:1: error R0117 unknown-key");
}

#[test]
fn an_edit_by_another_spelling_of_the_path_is_denied_too() {
    let machine = Machine::with(GUARD);
    machine.link(machine.path("project/.rules"), "project/elsewhere");
    for path in [".rules/project.rules", "./x/../.rules/project.rules", "elsewhere/project.rules"] {
        let mut payload = machine.file("Write", "project/a");
        payload["tool_input"] = json!({ "file_path": path, "content": BROKEN });
        machine.hook(&payload).denies("would not load");
    }
    machine.write("user/guard.rules", GUARD);
    let mut payload = machine.file("Write", "user/guard.rules");
    payload["tool_input"]["content"] = json!(BROKEN);
    machine.hook(&payload).denies("would not load");
}

#[test]
fn an_edit_through_a_link_or_by_another_tool_is_denied_too() {
    let machine = Machine::with(GUARD);
    machine.link(machine.path("project/.rules/project.rules"), "project/notes.md");
    let link = machine.path("project/notes.md");
    let mut payload = machine.file("Write", "project/notes.md");
    payload["tool_input"] = json!({ "file_path": link, "content": "rule {" });
    machine.hook(&payload).denies("would not load");
    payload["tool_input"] = json!({ "file_path": link, "old_string": "deny", "new_string": "dney" });
    payload["tool_name"] = json!("Edit");
    machine.hook(&payload).denies("would not load");
    payload["tool_name"] = json!("mcp__files__write_file");
    for text in ["content", "contents", "text", "file_text"] {
        payload["tool_input"] = json!({ "path": ".rules/project.rules", text: "rule {" });
        machine.hook(&payload).denies("would not load");
    }
    for path in ["relativePath", "target_file", "uri"] {
        payload["tool_input"] = json!({ path: ".rules/project.rules", "content": "rule {" });
        machine.hook(&payload).denies("would not load");
    }
    for edit in [
        json!({ "old_text": "deny", "new_text": "dney" }),
        json!({ "edits": [{ "oldText": "deny", "newText": "dney" }] }),
    ] {
        payload["tool_input"] = edit;
        payload["tool_input"]["path"] = json!(".rules/project.rules");
        machine.hook(&payload).denies("would not load");
    }
    // A part of a file need not load on its own.
    payload["tool_input"] = json!({ "path": ".rules/project.rules", "text": "  # note", "insert_line": 2 });
    machine.hook(&payload).asks("which says what agents may do");
    payload["tool_input"] = json!({ "path": ".rules/project.rules", "content": GUARD });
    machine.hook(&payload).asks("which says what agents may do");
}

#[test]
fn an_edit_that_mends_a_broken_policy_is_not_denied() {
    let machine = Machine::with(BROKEN);
    let mut payload = machine.file("Write", "project/.rules/project.rules");
    payload["tool_input"]["content"] = json!(GUARD);
    // The failure policy asks about every call, and this one is no exception.
    machine.hook(&payload).asks("does not load");
    machine.write("project/.rules/rules.toml", "on_error = \"allow\"\n");
    machine.hook(&payload).asks("which says what agents may do");
}

#[test]
fn no_policy_is_silent() {
    let machine = Machine::new();
    for payload in ["PreToolUse.Bash", "Stop", "SessionStart.startup", "PermissionRequest.Bash"] {
        machine.hook(&machine.captured(&format!("2.1.330/{payload}"))).is_silent();
    }
}

#[test]
fn a_registration_can_require_a_policy() {
    let machine = Machine::new();
    let hook = |name: &str| {
        let payload = machine.captured(&format!("2.1.330/{name}")).to_string();
        Reply::of(&send(machine.hook_command(&["--require-policy"]), payload.as_bytes()))
    };
    hook("PreToolUse.Bash").asks("No policy was found");
    assert!(hook("Stop").warning().contains("No policy was found"));
    // Settings guard nothing, and cannot replace a policy.
    machine.write("project/.rules/rules.toml", "edition = 1\non_error = \"allow\"\n");
    machine.write("project/.rules/a.rules", "\n");
    hook("PreToolUse.Bash").asks("No policy was found");
    machine.write("project/.rules/a.rules", BROKEN);
    hook("PreToolUse.Bash").asks("does not load");
    machine.write("project/.rules/a.rules", GUARD);
    hook("PreToolUse.Bash").is_silent();
}

#[test]
fn a_project_cannot_answer_for_the_broken_policy_of_another_layer() {
    for broken in ["managed/m.rules", "user/u.rules"] {
        let machine = Machine::with("\n");
        machine.write("project/.rules/rules.toml", "edition = 1\non_error = \"allow\"\n").write(broken, BROKEN);
        machine.hook(&machine.bash("ls")).asks("does not load");
    }
}

/// A program that rewrites a file truncates it first.
#[test]
fn a_source_without_a_byte_is_no_policy_that_guards_nothing() {
    let machine = Machine::with("");
    machine.write("project/.rules/guard.rules", GUARD);
    machine.hook(&machine.bash("ls")).asks("`.rules/project.rules` is empty, or is being written");
    machine.write("project/.rules/project.rules", "# Nothing yet.\n");
    machine.hook(&machine.bash("ls")).is_silent();
}

#[test]
fn a_project_directory_that_does_not_exist_does_not_lose_the_policy() {
    let machine = Machine::with(GUARD);
    let payload = machine.bash("rm a");
    let mut command = machine.hook_command(&[]);
    command.env("CLAUDE_PROJECT_DIR", machine.path("nowhere"));
    Reply::of(&send(command, payload.to_string().as_bytes())).denies("No rm.");
}

#[test]
fn a_payload_without_an_event_blocks_with_the_reason() {
    let machine = Machine::with(GUARD);
    for bytes in [
        &b""[..],
        b"   \n",
        b"garbage",
        b"[]",
        b"null",
        b"\"PreToolUse\"",
        b"{\"session_id\":\"s\"",
        b"{}",
        b"{\"hook_event_name\":7}",
        b"{\"hook_event_name\":\"\"}",
        b"{\"hook_event_name\":null}",
        b"\xff\xfe",
        b"\0\0\0",
    ] {
        let reply = machine.hook_bytes(bytes);
        assert_eq!(reply.exit, 2, "{reply:?}");
        assert!(reply.json.is_null(), "{reply:?}");
        assert!(reply.stderr.starts_with("rules: this event cannot be read, so it is blocked: "), "{reply:?}");
    }
}

#[test]
fn a_payload_of_which_something_is_lost_is_asked_about() {
    let machine = Machine::with(FREE);
    let whole = machine.bash("ls").to_string();
    // Here the event precedes the call, and the rest is cut off.
    let order = "{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls";
    machine.hook_bytes(order.as_bytes()).asks("This event is damaged");
    assert_eq!(machine.hook_bytes(whole.as_bytes()).decision(), "allow");
}

#[test]
fn an_unknown_event_passes() {
    let machine = Machine::with(BROKEN);
    machine.hook(&machine.event("SomethingNew")).is_silent();
}

#[test]
fn a_usage_error_is_answered_as_a_policy_that_does_not_load() {
    for args in [
        &["--bogus"][..],
        &["claude-code", "more"],
        &["--log-dir", "x"],
        &["--require-policy=yes"],
        &["--color", "sometimes"],
    ] {
        let machine = Machine::with(FREE);
        let call = |payload: &str| {
            let payload = machine.captured(payload).to_string();
            let mut command = machine.hook_command(&[]);
            command.args(args);
            Reply::of(&send(command, payload.as_bytes()))
        };
        call("2.1.330/PreToolUse.Bash").asks("The hook is registered with arguments that rules does not know");
        let request = call("2.1.330/PermissionRequest.Bash");
        assert_eq!(request.decision(), "", "{args:?}");
        let stop = call("2.1.330/Stop");
        assert_eq!(stop.exit, 0);
        assert!(stop.warning().contains("arguments that rules does not know"), "{stop:?}");
    }
}

#[test]
fn a_usage_error_before_an_unreadable_event_blocks() {
    let machine = Machine::new();
    let reply = Reply::of(&send(machine.hook_command(&["--bogus"]), b"nonsense"));
    assert!(reply.exit == 2 && reply.json.is_null() && reply.stderr.contains("--bogus"), "{reply:?}");
}

#[test]
fn a_denial_stands_whatever_the_arguments() {
    let machine = Machine::with(GUARD);
    machine.write("user/guard.rules", &GUARD.replace("\"rm\"", "\"dd\""));
    for command in ["rm a", "dd a"] {
        let payload = machine.bash(command).to_string();
        Reply::of(&send(machine.hook_command(&["--bogus"]), payload.as_bytes())).denies("No rm.");
        let reply = Reply::of(&send(machine.hook_command(&["nohost"]), payload.as_bytes()));
        assert!(reply.exit == 2 && reply.stderr.contains("no host has this name"), "{reply:?}");
    }
}

#[test]
fn on_error_counts_for_a_usage_error_too() {
    let machine = Machine::with(FREE);
    let payload = machine.bash("ls").to_string();
    for (on_error, decision) in [("deny", "deny"), ("allow", "allow")] {
        machine.write("project/.rules/rules.toml", &format!("on_error = \"{on_error}\"\n"));
        let reply = Reply::of(&send(machine.hook_command(&["--bogus"]), payload.as_bytes()));
        assert_eq!(reply.decision(), decision, "{reply:?}");
    }
}

#[test]
fn words_before_the_word_hook_do_not_switch_it_off() {
    let machine = Machine::with(GUARD);
    let hook = |words: &[&str], call: &str| {
        let mut command = machine.command(words);
        for (option, directory) in [("--config-dir", "user"), ("--managed-dir", "managed"), ("--state-dir", "state")] {
            command.arg(option).arg(machine.path(directory));
        }
        Reply::of(&send(command, machine.bash(call).to_string().as_bytes()))
    };
    hook(&["--color", "never", "hook"], "rm a").denies("No rm.");
    hook(&["--color", "never", "hook"], "ls").is_silent();
    hook(&["--bogus", "hook"], "rm a").denies("No rm.");
    hook(&["--bogus", "hook"], "ls").asks("arguments that rules does not know");
}

#[test]
fn a_directory_that_others_can_write_is_refused() {
    for mode in [0o777, 0o757] {
        let machine = Machine::with(FREE);
        machine.mode("project/.rules", mode);
        machine.hook(&machine.bash("ls")).asks("world-writable");
    }
    let machine = Machine::with(FREE);
    machine.write("user/free.rules", FREE).mode("user", 0o777);
    machine.hook(&machine.bash("ls")).asks("world-writable");
}

#[test]
fn a_source_that_cannot_be_read_is_refused() {
    let machine = Machine::with(GUARD);
    machine.fifo("project/.rules/pipe.rules");
    machine.hook(&machine.bash("rm a")).asks("pipe.rules");

    let machine = Machine::with(GUARD);
    machine.link("/dev/zero", "project/.rules/endless.rules");
    machine.hook(&machine.bash("rm a")).asks("endless.rules");

    let machine = Machine::with(GUARD);
    machine.write("user/real.rules", FREE).link(machine.path("user/real.rules"), "project/.rules/link.rules");
    machine.hook(&machine.bash("rm a")).asks("a symbolic link");

    let machine = Machine::with(GUARD);
    machine.fifo("project/.rules/rules.toml");
    machine.hook(&machine.bash("rm a")).asks("rules.toml");
}

#[test]
fn a_policy_that_links_out_of_the_project_is_refused() {
    let machine = Machine::new();
    machine.write("elsewhere/free.rules", FREE).link(machine.path("elsewhere"), "project/.rules");
    machine.hook(&machine.bash("ls")).asks("a link to outside the project");
}

#[test]
fn a_file_that_only_its_owner_could_read_is_not_passed_over() {
    let machine = Machine::with(GUARD);
    machine.mode("project/.rules/project.rules", 0o000);
    let readable = std::fs::File::open(machine.path("project/.rules/project.rules")).is_ok();
    let reply = machine.hook(&machine.bash("rm a"));
    // The superuser can read it nevertheless.
    if readable {
        reply.denies("No rm.")
    } else {
        reply.asks("permission denied")
    }
    let mode = crate::system::mode(machine.path("project/.rules/project.rules"));
    assert_eq!(mode & 0o777, 0);
}

#[test]
fn what_cannot_be_read_is_told_before_what_follows_from_it() {
    let machine = Machine::with(
        "rule a {\n  on PreToolUse\n  when xyz == 1\n  deny \"No.\"\n}\n\nrule b {\n  on PreToolUse\n  deny “No.”\n}\n",
    );
    let reply = machine.hook(&machine.bash("ls"));
    reply.asks("typographic quotes");
    assert!(reply.reason().contains("(1 more)"), "{reply:?}");
}

/// A policy with every kind of opening and closing delimiter.
const SOUND: &str = r#"rule a {
  on PreToolUse(Bash|Write)
  when (command matches /ab+c/ or command in ["x", "y"]) and `$.tool_input.a` == "z"
  unless command contains 'q'
  run ["echo", "--", "{command}"] { timeout: 5s, env: { A: "b" } }
  deny """
    A long reason.
    """
}

def d = (command == "x")

test "t" {
  given Bash "ls"
  expect pass
}

rule b { on Stop
  warn "Done." }
"#;

/// Returns the line of the finding that a hook reports to the model, and the whole message.
fn first_told(text: &str) -> Option<(usize, String)> {
    let policy = one_file(text);
    policy.broken_layers().next()?;
    let mut failures = FailurePolicy::new(Event::PreToolUse, (&policy.settings, false), None, None);
    failures.vote_for_broken_layers(&policy, None);
    let message = Verdict::pass(Event::PreToolUse).with_additions(failures.take_additions()).message();
    let (_, place) = message.split_once(".rules:").unwrap();
    Some((place.split(':').next().unwrap().parse().unwrap(), message))
}

/// Whichever delimiter is left out, the finding that the model reads first is at its place.
#[test]
fn the_cause_of_a_broken_policy_is_told_first() {
    assert_eq!(first_told(SOUND), None);
    let parts = |at: usize| SOUND.split_at(at);
    let line = |at: usize| parts(at).0.matches('\n').count() + 1;
    let mut open: Vec<(char, usize)> = Vec::new();
    let (mut tried, mut misled) = (0, Vec::new());
    for (at, c) in SOUND.char_indices() {
        let opener = match c {
            '(' | '[' | '{' => {
                open.push((c, at));
                None
            }
            ')' | ']' | '}' => open.pop(),
            '"' | '\'' | '/' | '`' if open.last().is_some_and(|(last, _)| *last == c) => open.pop(),
            '"' | '\'' | '/' | '`' => {
                open.push((c, at));
                None
            }
            _ => continue,
        };
        let (before, behind) = parts(at);
        let is_block = behind.starts_with("\"\"\"") && !before.ends_with('"');
        let length = if is_block { 3 } else { 1 };
        let broken = format!("{before}{}", parts(at + length).1);
        // `deny ""` before the end of the block is complete; so is a word that needs no quotes.
        let Some((told, message)) = first_told(&broken) else { continue };
        let opened = opener.map_or(line(at), |(_, at)| line(at));
        // Without the quotes of a block, every line of it is an error.
        let is_in_block = (6..=8).contains(&line(at)) && (6..=8).contains(&told);
        if told != line(at) && told != opened && !is_in_block {
            misled.push(format!("without `{c}` in line {}: {message}", line(at)));
        }
        tried += 1;
    }
    assert!(misled.is_empty() && tried > 40, "{tried} {misled:#?}");
}

#[test]
fn an_open_string_that_hides_the_closing_brace_is_told_before_the_brace() {
    let machine = Machine::with("rule a { on PreToolUse\n  deny \"never closed }\n");
    let reply = machine.hook(&machine.bash("ls"));
    reply.asks(".rules/project.rules:2:8: error R0002 unterminated: a string is not closed");
    reply.asks("(1 more)");
}

#[test]
fn settings_that_do_not_parse_let_no_call_go_ahead() {
    let machine = Machine::with(GUARD);
    for (settings, decision) in [
        ("on_error = \"allow\"\n[lints\n", "ask"),
        ("on_error = \"deny\"\n[lints\n", "deny"),
        ("[lints\non_error = \"allow\"\n", "ask"),
        // A setting in valid TOML counts, even next to an unknown one.
        ("on_error = \"allow\"\nunknown = 1\n", ""),
    ] {
        machine.write("project/.rules/rules.toml", settings);
        assert_eq!(machine.hook(&machine.bash("ls")).decision(), decision, "{settings}");
    }
}
