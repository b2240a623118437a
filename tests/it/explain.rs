//! `rules explain`, `rules list` and `rules help` as a user sees them: width, signs and colours, and agreement with the
//! hook.

use std::process::Command;

use serde_json::{Value as Json, json};

use crate::machine::{Machine, Printed, send};

const POLICY: &str = r#"use "std/git"

let secrets = [".env", "!.env.example", "**/*.pem", "a.txt"]

## What an agent has read it can repeat, and what it repeats goes to places where nobody looks after it any more.
@severity(high)
rule secrets-stay-secret {
  on PreToolUse(Read|Write|Edit|Grep)
  when path like secrets and tool_name != "Glob"
  deny "`{match}` holds secrets. Ask the user to handle it, and leave it where it is until the user has answered."

  fires on Read "/project/.env"
  quiet on Read ".env.example"
}

rule commands-in-the-shell-of-everybody {
  on PreToolUse(Bash)
  when not runs "make" and (env.NOWHERE_AT_ALL == "1" or tool_input.timeout > 1000 or command contains "MARK1; echo ran-ok")
  ask "Is this really what you want to run here, where everybody else's processes run too?"
}

rule reviewers-read {
  on PreToolUse(Write|Edit)
  by reviewer
  deny "A reviewer only reads."
}

rule under-source {
  on PreToolUse(Write|Read)
  when path starts_with "src/"
  warn "Source."
}

rule pages-of-this-machine {
  on PreToolUse(WebFetch)
  when domain in ["127.0.0.1", "localhost"]
  rewrite url replace /^http:/ with "https:"
  context "Fetched over https."
}

rule prompts {
  on UserPromptSubmit
  context "Read CONTRIBUTING.md before you begin."
}

rule stops {
  on Stop
  warn "It stops."
  record "stops.jsonl" { session_id }
}

@observe
rule later {
  on PreToolUse(Bash)
  deny "Not yet."
}
"#;

/// Ten payloads from a real host, with every kind of answer.
const CAPTURED: [&str; 10] = [
    "PreToolUse.Bash",
    "PreToolUse.Read",
    "PreToolUse.Write",
    "PreToolUse.Edit",
    "PreToolUse.Agent",
    "PreToolUse.WebFetch",
    "PermissionRequest.Bash",
    "PostToolUse.Bash",
    "UserPromptSubmit",
    "Stop",
];

fn machine() -> Machine {
    Machine::with(POLICY)
}

/// A terminal in which no line is wrapped, however long the paths of this machine are.
const WIDE: &[(&str, &str)] = &[("COLUMNS", "1000")];

/// Runs a command with environment variables.
fn with(machine: &Machine, args: &[&str], variables: &[(&str, &str)], stdin: &str) -> Printed {
    let mut command: Command = machine.command(args);
    command.envs(variables.iter().copied());
    Printed::of(&send(command, stdin.as_bytes()))
}

fn payload(machine: &Machine, name: &str) -> String {
    machine.captured(&format!("2.1.330/{name}")).to_string()
}

/// Replaces the directory of the machine.
fn shown(machine: &Machine, text: &str) -> String {
    let root = machine.path("");
    text.replace(root.to_str().unwrap().trim_end_matches('/'), "/m").replace('\u{1b}', "␛")
}

macro_rules! snapshot {
    ($name:expr, $text:expr) => {
        insta::with_settings!({
            snapshot_path => concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/explain"),
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!($name, $text);
        });
    };
}

#[test]
fn ten_captured_payloads_are_explained_in_terminals_of_every_kind() {
    type Kind = (&'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);
    let kinds: [Kind; 5] = [
        ("60", &[("COLUMNS", "60")], &[]),
        ("80", &[], &[]),
        ("160", &[("COLUMNS", "160")], &[]),
        ("ascii", &[("TERM", "dumb")], &[]),
        ("color", &[], &["--color", "always"]),
    ];
    let machine = machine();
    for (kind, variables, words) in kinds {
        let mut text = String::new();
        for name in CAPTURED {
            let args: Vec<&str> = std::iter::once("explain").chain(words.iter().copied()).collect();
            let printed = with(&machine, &args, variables, &payload(&machine, name));
            assert_eq!((printed.exit, printed.stderr.as_str()), (0, ""), "{name}");
            text.push_str(&format!("$ {name}\n{}\n", shown(&machine, &printed.stdout)));
        }
        assert!(kind != "ascii" || text.is_ascii(), "{text}");
        snapshot!(kind, text);
    }
}

/// Whether a line has a word of a policy or a call that is longer than any line; such words stay whole.
fn has_long_word(line: &str, width: usize) -> bool {
    line.split_whitespace().any(|word| word.chars().count() > width / 2)
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let machine = machine();
    for width in [60, 80, 100, 160] {
        let columns = width.to_string();
        let variables = [("COLUMNS", columns.as_str())];
        let mut texts: Vec<String> = Vec::new();
        for name in CAPTURED {
            for args in [&["explain"][..], &["explain", "--cost"]] {
                texts.push(with(&machine, args, &variables, &payload(&machine, name)).stdout);
            }
        }
        for args in [
            &["explain", "eval \"$X\""][..],
            &["explain", "git push -f", "--why-not", "secrets-stay-secret"],
            &["explain", "git push", "--rule", "commands-in-the-shell-of-everybody"],
            &["explain", "R0103"],
            &["list"],
            &["list", "std/cloud"],
            &["list", "--packs"],
            &["list", "--events"],
            &["help"],
        ] {
            let printed = with(&machine, args, &variables, "");
            assert_eq!((printed.exit, printed.stderr.as_str()), (0, ""), "{args:?}");
            texts.push(printed.stdout);
        }
        for text in texts {
            let wide = text.lines().find(|line| {
                line.chars().count() > width && !has_long_word(line, width) && !line.starts_with("judged in")
            });
            assert_eq!(wide, None, "at {width}: {text}");
        }
    }
}

#[test]
fn what_is_said_to_be_sent_is_what_the_hook_sends() {
    let machine = machine();
    let mut differ = 0;
    // One payload of each event and tool.
    let captured = machine.all_captured("2.1.330/");
    let kind = |name: &str| {
        name.split('.').take(2).collect::<Vec<_>>().join(".").trim_end_matches(|c: char| c.is_ascii_digit()).to_owned()
    };
    let mut kinds = std::collections::BTreeSet::new();
    for (name, payload) in captured.into_iter().filter(|(name, _)| kinds.insert(kind(name))) {
        let text = payload.to_string();
        let explained = machine.rules(&["explain", "--format", "json"], &text);
        assert_eq!((explained.exit, explained.stderr.as_str()), (0, ""), "{name}");
        let explained: Json = serde_json::from_str(&explained.stdout).unwrap();
        machine.forget_claims();
        let output = send(machine.hook_command(&["claude-code"]), text.as_bytes());
        let sent = &explained["sent"];
        let hook = (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        );
        let said = (
            sent["exit"].as_i64().map(|exit| i32::try_from(exit).unwrap()),
            sent["stdout"].as_str().unwrap().to_owned(),
            sent["stderr"].as_str().unwrap().to_owned(),
        );
        // Messages deferred from an earlier event, and the note at the start of a session that no hook is registered
        // here, are not explained.
        let held = machine.held();
        if name.starts_with("SessionStart") || name.starts_with("Setup") {
            continue;
        }
        assert_eq!(said, hook, "{name}: {held:?}");
        differ += usize::from(!said.1.is_empty());
    }
    assert!(differ > 5, "some payloads are answered: {differ}");
}

/// Returns the payload of a command as another host sends it.
fn payload_of_host(host: &str, machine: &Machine, command: &str) -> Json {
    let cwd = machine.path("project");
    match host {
        "codex" => json!({"hook_event_name": "PreToolUse", "session_id": "s", "turn_id": "t", "model": "m", "cwd": cwd,
            "tool_name": "Bash", "tool_input": {"command": command}}),
        "gemini" => {
            json!({"hook_event_name": "BeforeTool", "session_id": "s", "timestamp": "t", "transcript_path": "/t",
            "cwd": cwd, "tool_name": "run_shell_command", "tool_input": {"command": command}})
        }
        "opencode" => json!({"hook": "tool.execute.before", "directory": cwd,
            "input": {"tool": "bash", "sessionID": "s", "callID": "c"}, "output": {"args": {"command": command}}}),
        _ => json!({"clineVersion": "3", "taskId": "s", "workspaceRoots": [cwd], "hookName": "tool_call",
            "tool_call": {"id": "c", "name": "run_commands", "input": {"commands": [command]}}}),
    }
}

#[test]
fn a_rule_and_an_example_in_the_names_of_an_agent_are_explained_as_ours() {
    let machine = Machine::with(
        "rule shell {\n  on BeforeTool(run_shell_command)\n  when runs \"rm\"\n  deny \"No rm.\"\n\n  \
         fires on run_shell_command \"rm a\"\n  quiet on run_shell_command \"ls\"\n}\n",
    );
    let explained = machine.rules(&["explain", "rm a"], "");
    assert!(explained.stdout.contains("PreToolUse(Bash) → deny"), "{explained:?}");
    let tested = machine.rules(&["test"], "");
    assert_eq!(tested.exit, 0, "{tested:?}");
    let checked = machine.rules(&["check"], "");
    assert_eq!(checked.stdout.matches("host-name").count(), 4, "{checked:?}");
    let fixed = machine.rules(&["check", "--fix"], "");
    let text = machine.read("project/.rules/project.rules");
    assert!(text.contains("on PreToolUse(Bash)") && text.contains("fires on Bash \"rm a\""), "{text} {fixed:?}");
}

#[test]
fn what_is_said_to_be_sent_to_another_host_is_what_its_hook_sends() {
    let machine = machine();
    let mut answered = 0;
    for host in ["codex", "gemini", "opencode", "cline"] {
        for command in ["git push -f", "echo MARK1; echo ran-ok", "ls"] {
            let explained = machine.rules(&["explain", "--format", "json", "--host", host, command], "");
            assert_eq!((explained.exit, explained.stderr.as_str()), (0, ""), "{host}: {command}");
            let sent = &serde_json::from_str::<Json>(&explained.stdout).unwrap()["sent"];
            let payload = payload_of_host(host, &machine, command).to_string();
            let hook = Printed::of(&send(machine.hook_command(&[host]), payload.as_bytes()));
            let said = (sent["exit"].as_i64().unwrap(), sent["stdout"].as_str(), sent["stderr"].as_str());
            let is = (i64::from(hook.exit), Some(hook.stdout.as_str()), Some(hook.stderr.as_str()));
            assert_eq!(said, is, "{host}: {command}");
            answered += usize::from(hook.stdout.len() + hook.stderr.len() > 0);
        }
    }
    assert_eq!(answered, 8);
}

#[test]
fn a_stated_host_shows_every_byte_and_why_it_is_sent_something_else() {
    let machine = machine();
    let explain = |args: &[&str]| {
        let args: Vec<&str> = ["explain"].iter().chain(args).copied().collect();
        with(&machine, &args, WIDE, "").stdout
    };
    let ask = "echo MARK1; echo ran-ok";
    let shown = explain(&["--host", "codex", ask]);
    assert!(shown.contains("PreToolUse(Bash) → ask"), "{shown}");
    assert!(
        shown.contains("\n  Codex CLI cannot ask on PreToolUse, so it is sent a denial\n  {\"hookSpecific"),
        "{shown}"
    );
    let stated = explain(&["Bash", ask, "on", "codex"]);
    assert_eq!(stated, shown);
    let stated = explain(&[&format!("Bash \"{ask}\" on codex"), "--host", "gemini"]);
    assert_eq!(stated, shown);
    assert!(!explain(&[ask]).contains("cannot ask"));
    let never = machine.rules(&["explain", "--host", "codex", "Notification"], "");
    assert_eq!((never.exit, never.stdout.as_str()), (2, ""), "{never:?}");
    assert!(never.stderr.contains("`codex` never sends `Notification`"), "{never:?}");
}

#[test]
fn a_call_is_typed_as_in_an_example_or_as_a_command() {
    let machine = machine();
    let decision = |args: &[&str]| {
        let args: Vec<&str> = ["explain", "-q"].iter().chain(args).copied().collect();
        let printed = machine.rules(&args, "");
        assert_eq!((printed.exit, printed.stderr.as_str()), (0, ""), "{args:?}");
        printed.stdout.trim_end().to_owned()
    };
    assert_eq!(decision(&["git push -f"]), "deny");
    assert_eq!(decision(&["Bash \"git push -f\""]), "deny");
    assert_eq!(decision(&["git", "status"]), "pass");
    assert_eq!(decision(&["git", "push", "-f"]), "deny");
    assert_eq!(decision(&["cd", "x", "&&", "git", "push", "--force", "--project", "."]), "deny");
    assert_eq!(decision(&["Read \".env\""]), "deny");
    assert_eq!(decision(&["Read", ".env"]), "deny");
    assert_eq!(decision(&["Read \".env.example\""]), "pass");
    assert_eq!(decision(&["Write \"a.rs\" by \"reviewer\" { content: \"x\" }"]), "deny");
    assert_eq!(decision(&["Write \"a.rs\" { tool_input.content: \"x\" }"]), "pass");
    assert_eq!(decision(&["Stop"]), "pass");
    // The branch is the machine's, unless it is stated.
    assert_eq!(decision(&["git push origin HEAD"]), "deny");
    assert_eq!(decision(&["Bash \"git push origin HEAD\" with { git.branch: \"topic\" }"]), "pass");
}

#[test]
fn a_typed_call_states_its_agent_its_host_its_facts_and_what_came_before() {
    let machine = Machine::with(
        "mark edited {\n  on PostToolUse(Edit)\n}\nmark tested {\n  on PostToolUse(Bash)\n  when runs \"npm test\"\n}\n\
         rule tests-first {\n  on Stop\n  when happened edited since tested\n  deny \"Test.\"\n}\n\
         rule not-on-codex {\n  on PreToolUse(Bash)\n  when host == \"codex\" and runs \"make\"\n  deny \"No.\"\n}\n\
         rule reviewers-read {\n  on PreToolUse(Write)\n  by review*\n  deny \"Read.\"\n}\n\
         rule generated {\n  on PreToolUse\n  when writes under \"generated\" or deletes under \"generated\"\n  deny \"No.\"\n}\n",
    );
    for (call, expected) in [
        ("Stop", "pass"),
        ("Stop after [Edit \"src/a.ts\" done]", "deny"),
        ("Stop after [Read \"src/a.ts\" done]", "pass"),
        ("Stop after [Edit \"src/a.ts\" done, Bash \"npm test\" done]", "pass"),
        ("Stop after [Bash \"npm test\" done, wait 5m, 2 Edit \"src/a.ts\" done]", "deny"),
        ("Bash \"make\"", "pass"),
        ("Bash \"make\" on codex", "deny"),
        ("Write \"a\" by \"reviewer\"", "deny"),
        ("Write \"a\" by \"coder\"", "pass"),
        ("Write \"generated\\\\a\" with { project: \"C:/proj\" }", "deny"),
        ("PowerShell \"Remove-Item C:\\\\proj\\\\generated\\\\a\" with { project: \"C:/proj\" }", "deny"),
        ("PowerShell \"Remove-Item D:\\\\proj\\\\generated\\\\a\" with { project: \"C:/proj\" }", "pass"),
    ] {
        let printed = machine.rules(&["explain", "-q", call], "");
        assert_eq!((printed.stdout.trim_end(), printed.stderr.as_str()), (expected, ""), "{call}");
    }
}

#[test]
fn a_call_that_is_typed_wrong_says_what_to_type() {
    let machine = machine();
    for (call, told) in [
        ("Bsh \"ls\"", "unknown event or tool `Bsh`"),
        ("Bash git push", "put the text in quotes: `Bash \"git push\"`"),
        ("Stop \"x\" { nonsense: 1 }", "nonsense"),
        ("Bash \"ls\" with { git.brnch: \"x\" }", "git.branch"),
    ] {
        let printed = machine.rules(&["explain", call], "");
        assert_eq!((printed.exit, printed.stdout.as_str()), (2, ""), "{call}");
        assert!(printed.stderr.contains(told), "{call}: {}", printed.stderr);
    }
    let nothing = machine.rules(&["explain"], "");
    assert_eq!(nothing.exit, 1, "an empty payload is none: {nothing:?}");
    let two = machine.rules(&["explain", "ls", "--last"], "");
    assert_eq!(two.exit, 2);
    let unknown = machine.rules(&["explain", "ls", "--rule", "secrets-stay-secrt"], "");
    assert_eq!((unknown.exit, unknown.stdout.as_str()), (2, ""));
    assert_eq!(unknown.stderr, "rules: unknown rule `secrets-stay-secrt`; `secrets-stay-secret` exists\n");
}

#[test]
fn a_line_of_the_log_is_explained_again() {
    let machine = machine();
    let state = machine.path("state");
    let state = state.to_str().unwrap();
    machine.hook(&machine.file("Read", "project/.env"));
    machine.hook(&machine.bash("git push -f"));
    let explain = |args: &[&str]| {
        let args: Vec<&str> = ["explain"].iter().chain(args).chain(&["--state-dir", state]).copied().collect();
        machine.rules(&args, "")
    };
    let last = explain(&["--last"]);
    assert!(last.stdout.contains("PreToolUse(Bash) → deny\n  by std/git/no-force-push and "), "{last:?}");
    assert!(last.stdout.contains("where it was `deny`"), "{last:?}");
    assert!(explain(&["--last", "2"]).stdout.contains("PreToolUse(Read) → deny, by secrets-stay-secret"));
    assert!(explain(&["--id", "1"]).stdout.contains("PreToolUse(Read) → deny"));
    let call = machine.bash("x")["tool_use_id"].as_str().unwrap().to_owned();
    assert!(explain(&["--id", &call]).stdout.contains("→ deny"));
    let none = explain(&["--id", "77"]);
    assert_eq!((none.exit, none.stdout.as_str()), (1, ""));
    assert!(none.stderr.contains("no line of the log has the number or the call `77`"), "{none:?}");
    assert_eq!(explain(&["--last", "77"]).exit, 1);
}

#[test]
fn a_rule_that_does_not_match_says_why_not() {
    let machine = machine();
    let text = |args: &[&str]| {
        let args: Vec<&str> = ["explain"].iter().chain(args).copied().collect();
        let printed = with(&machine, &args, WIDE, "");
        assert_eq!((printed.exit, printed.stderr.as_str()), (0, ""), "{args:?}");
        format!("$ {}\n{}\n", args.join(" "), shown(&machine, &printed.stdout))
    };
    let mut all = String::new();
    for args in [
        &["Read \"a\"", "--why-not", "secrets-stay-secret"][..],
        &["ls", "--why-not", "secrets-stay-secret"],
        &["Stop", "--why-not", "secrets-stay-secret"],
        &["Read \".env\"", "--why-not", "secrets-stay-secret"],
        &["git push origin topic", "--why-not", "no-force-push"],
        &["git push origin topic", "--why-not", "std/git/no-push-to-protected"],
        &["Write \"a\"", "--why-not", "reviewers-read"],
        &["Write \"src/a\"", "--why-not", "under-source"],
        &["ls", "--why-not", "commands-in-the-shell-of-everybody"],
        &["make", "--why-not", "commands-in-the-shell-of-everybody"],
        &["ls", "--why-not", "later"],
    ] {
        all.push_str(&text(args));
    }
    snapshot!("why-not", all);
}

#[test]
fn a_note_names_the_uncovered_word_behind_a_runner() {
    for (pattern, call, expected) in [
        ("uv run pytest *", "uv run pytest --evil", "`pytest --evil` has `--evil`, which is not in the record"),
        ("uv run pytest", "uv run pytest -x", "`uv run pytest -x` has `-x`, which no pattern names"),
        ("npx tsc *", "npx tsc --x", "`tsc --x` has `--x`, which is not in the record"),
        ("docker compose exec web pytest *", "docker compose exec web pytest --evil", "`pytest --evil` has `--evil`"),
        ("docker compose exec web pytest *", "docker compose exec -u root web pytest", "web pytest` has `-u`"),
        ("uv run pytest *", "uv run --with x pytest", "`uv run --with x pytest` has `--with`, which no pattern"),
        ("timeout 60 uv run pytest *", "timeout 60 uv run pytest --evil", "`pytest --evil` has `--evil`"),
        ("uv run ruff *", "uv run pytest", "`uv run pytest` is something else"),
    ] {
        let rule = format!("rule run {{\n  on PreToolUse(Bash)\n  when only runs \"{pattern}\"\n  allow\n}}\n");
        let shown = Machine::with(&rule).rules(&["explain", call, "--all"], "").stdout;
        let words: Vec<&str> = shown.split_whitespace().filter(|word| *word != "│").collect();
        assert!(words.join(" ").contains(expected), "{shown}");
    }
}

/// A command without the command that it was to run is another call, not a change of this one.
#[test]
fn no_change_is_proposed_that_drops_a_command() {
    let machine = Machine::with(
        "rule remote {\n  on PreToolUse(Bash)\n  when only runs [\"ssh *\", \"docker run *\", \"npm test\"]\n  allow\n\n  fires on \"ssh\"\n}\n",
    );
    let why_not = |call: &str| machine.rules(&["explain", call, "--why-not", "remote"], "").stdout;
    for call in ["ssh h ls", "docker run --rm a x"] {
        let shown = why_not(call);
        assert!(shown.contains("is something else") && !shown.contains("it would match"), "{shown}");
    }
    let shown = why_not("npm test x");
    assert!(shown.contains("\"npm test x\" → \"npm test\""), "{shown}");
}

#[test]
fn a_change_that_is_proposed_makes_the_rule_match() {
    let machine = Machine::new();
    let uses: String = hookrules::packs::PACKS.iter().map(|(name, _)| format!("use \"{name}\"\n")).collect();
    machine.write("project/.rules/a.rules", &uses);
    let listed = machine.rules(&["list", "--quiet", "--event", "PreToolUse"], "").stdout;
    let (mut tried, mut found) = (0, 0);
    for rule in listed.lines().step_by(9) {
        tried += 1;
        let printed = machine.rules(&["explain", "true", "--why-not", rule, "--format", "json"], "");
        let explained: Json = serde_json::from_str(&printed.stdout).unwrap_or_else(|_| panic!("{rule}: {printed:?}"));
        let Some(change) = explained["why_not"]["change"].as_array() else { continue };
        let mut payload = json!({
            "hook_event_name": "PreToolUse", "cwd": machine.path("project"), "permission_mode": "default",
            "session_id": "example", "tool_name": "Bash", "tool_input": { "command": "true" },
        });
        let mut is_of_payload = true;
        for difference in change {
            let what = difference["what"].as_str().unwrap();
            if what.starts_with("git.") || what.starts_with("env.") || what.starts_with("file_") || what == "os" {
                is_of_payload = false;
                continue;
            }
            // What is below `/` is the machine's, and may be more than may be examined for one event.
            is_of_payload &= !difference["to"].as_str().is_some_and(|to| to.split_whitespace().any(|word| word == "/"));
            let (parent, member) = what.split_once('.').map_or((None, what), |(parent, name)| (Some(parent), name));
            let place = if let Some(parent) = parent { &mut payload[parent] } else { &mut payload };
            match &difference["to"] {
                Json::Null => drop(place.as_object_mut().unwrap().remove(member)),
                value => place[member] = value.clone(),
            }
        }
        found += 1;
        if is_of_payload {
            let again = machine.rules(&["explain", "--rule", rule, "--format", "json"], &payload.to_string());
            let again: Json = serde_json::from_str(&again.stdout).unwrap();
            assert_eq!(again["rules"][0]["outcome"], "match", "{rule}: {change:?}");
        }
    }
    assert!(found * 10 >= tried * 8, "{found} of {tried}");
}

#[test]
fn one_rule_is_shown_whether_or_not_it_matches() {
    let machine = machine();
    let shown = machine.rules(&["explain", "ls", "--rule", "secrets-stay-secret"], "").stdout;
    assert!(
        shown.contains("secrets-stay-secret is not asked") && shown.contains("`on` does not select `Bash`"),
        "{shown}"
    );
    assert!(shown.contains("on PreToolUse(Read|Write|Edit|Grep)"), "{shown}");
    let shown = machine.rules(&["explain", "Write \"x\"", "--rule", "reviewers-read"], "").stdout;
    assert!(shown.contains("`by` does not select `main`") && shown.contains("by reviewer"), "{shown}");
    let shown = with(&machine, &["explain", "Write \"src/x\"", "--rule", "under-source"], WIDE, "").stdout;
    let compared = machine.path("project/src/x");
    assert!(shown.contains(compared.to_str().unwrap()), "the value as it is compared: {shown}");
}

#[test]
fn an_explanation_is_one_object_for_a_program() {
    let machine = machine();
    let printed = machine.rules(&["explain", "Read \".env\"", "--format", "json"], "");
    assert_eq!((printed.exit, printed.stdout.lines().count()), (0, 1));
    let object: Json = serde_json::from_str(&printed.stdout).unwrap();
    assert_eq!(object["decision"], "deny");
    assert_eq!(object["decided_by"], json!(["secrets-stay-secret"]));
    assert_eq!((&object["event"], &object["subject"]), (&json!("PreToolUse"), &json!("Read")));
    let rules = object["rules"].as_array().unwrap();
    let rule = rules.iter().find(|rule| rule["rule"] == "secrets-stay-secret").unwrap();
    assert_eq!((&rule["outcome"], &rule["effects"]), (&json!("match"), &json!(["deny"])));
    let part = &rule["parts"][0]["parts"][0];
    assert_eq!((&part["text"], &part["truth"]), (&json!("path like secrets"), &json!("true")));
    assert_eq!(part["value"], json!(machine.path("project/.env")));
    assert_eq!(part["place"], ".rules/project.rules:9:8");
    assert!(rules.iter().any(|rule| rule["outcome"] == "no-match"), "every selected rule is there");
    assert_eq!(object["sent"]["exit"], 2);
    let unknown = machine.rules(&["explain", "--format", "json"], r#"{"hook_event_name":"Brand"}"#);
    assert_eq!(serde_json::from_str::<Json>(&unknown.stdout).unwrap()["event"], "Brand");
}

#[test]
fn rules_are_listed_by_what_is_asked_about() {
    let machine = machine();
    let names = |args: &[&str]| {
        let args: Vec<&str> = ["list", "--quiet"].iter().chain(args).copied().collect();
        let printed = machine.rules(&args, "");
        assert_eq!((printed.exit, printed.stderr.as_str()), (0, ""), "{args:?}");
        printed.stdout.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(names(&["--event", "Stop"]), ["stops"]);
    assert!(names(&["--tool", "Write"]).contains(&"reviewers-read".to_owned()));
    assert!(!names(&["--tool", "Bash"]).contains(&"reviewers-read".to_owned()));
    assert_eq!(names(&["--event", "Stop", "--tool", "Write"]), [""; 0]);
    assert_eq!(names(&["--layer", "user"]), [""; 0]);
    let git = names(&["std/git"]);
    assert!(git.len() > 5 && git.iter().all(|name| name.starts_with("std/git/")), "{git:?}");
    assert_eq!(names(&["git"]), git);
    assert_eq!(names(&["no-force-push"]), ["std/git/no-force-push"]);
    assert!(names(&["std/network"]).iter().all(|name| name.starts_with("std/network/")));
    assert_eq!(names(&[".rules/project.rules"]).len(), names(&[]).len());
    for (args, told) in [
        (&["list", "no-fcre-push"][..], "no file, pack or rule `no-fcre-push`; `no-force-push` exists"),
        (&["list", "--event", "PreTolUse"], "`PreToolUse` exists"),
    ] {
        let printed = machine.rules(args, "");
        assert!(printed.exit == 2 && printed.stderr.contains(told), "{printed:?}");
    }
    let json: Json = serde_json::from_str(&machine.rules(&["list", "--format", "json"], "").stdout).unwrap();
    let rules = json["rules"].as_array().unwrap();
    assert_eq!(rules.len(), names(&[]).len());
    let secrets = rules.iter().find(|rule| rule["rule"] == "secrets-stay-secret").unwrap();
    assert_eq!((&secrets["layer"], &secrets["severity"]), (&json!("project"), &json!("high")));
    assert_eq!((&secrets["events"], &secrets["examples"]), (&json!(["PreToolUse"]), &json!(2)));
}

#[test]
fn what_a_command_decides_is_not_said_to_pass() {
    let headline = |event: &str, options: &str, call: &str| {
        let policy = format!("rule gate {{\n  on {event}\n  run \"cargo test\" {{ {options} }}\n}}\n");
        let printed = with(&Machine::with(&policy), &["explain", call], WIDE, "");
        printed.stdout.lines().next().unwrap_or_default().to_owned()
    };
    let bare = "PreToolUse(Bash) → pass: no rule votes, the host decides";
    let gated = format!("{bare}, unless a command of gate refuses");
    assert_eq!(headline("PreToolUse(Bash)", "on_fail: deny", "ls"), gated);
    assert_eq!(headline("PreToolUse(Bash)", "output: hook", "ls"), gated);
    assert_eq!(headline("PreToolUse(Bash)", "timeout: 5s", "ls"), gated);
    let named = "PreToolUse(Bash) → pass: a command to run, and no rule votes, so the host decides";
    assert_eq!(headline("PreToolUse(Bash)", "on_fail: warn", "ls"), named);
    assert_eq!(headline("PreToolUse(Bash)", "background: true", "ls"), named);
    assert_eq!(
        headline("Stop", "on_fail: deny", "Stop"),
        "Stop → pass: no rule votes, the host decides, unless a command of gate refuses"
    );
    assert_eq!(
        headline("SessionStart", "timeout: 5s", "SessionStart(startup)"),
        "SessionStart(startup) → pass: no rule votes, the host decides"
    );
}

#[test]
fn a_pack_is_listed_where_there_is_no_policy() {
    let machine = Machine::new();
    let printed = machine.rules(&["list", "std/git", "--quiet"], "");
    assert!(printed.exit == 0 && printed.stdout.lines().count() > 5, "{printed:?}");
}

#[test]
fn help_knows_pages_codes_commands_and_events() {
    let machine = Machine::new();
    let printed = |topic: &[&str]| {
        let args: Vec<&str> = ["help"].iter().chain(topic).copied().collect();
        machine.rules(&args, "")
    };
    let list = printed(&[]);
    for topic in ["conditions", "decisions", "effects", "examples", "fields", "items", "laws", "lexical", "limits"] {
        assert!(list.stdout.contains(&format!("  {topic} ")), "{list:?}");
        assert_eq!(printed(&[topic]).exit, 0, "{topic}");
    }
    assert!(printed(&["conditions"]).stdout.starts_with("Conditions\n"));
    assert!(printed(&["R0103"]).stdout.contains("unknown-field"));
    assert_eq!(printed(&["unknown-field"]).stdout, machine.rules(&["explain", "r0103"], "").stdout);
    assert_eq!(printed(&["check"]).stdout, machine.rules(&["check", "--help"], "").stdout);
    assert_eq!(printed(&["log", "verify"]).stdout, machine.rules(&["log", "verify", "--help"], "").stdout);
    let stop = printed(&["Stop"]).stdout;
    assert!(stop.contains("stop_hook_active") && stop.contains("rules Stop --help"), "{stop}");
    assert!(printed(&["language"]).stderr.ends_with("`rules help overview` exists\n"));
    for (word, told) in
        [("runs", "some command of the call"), ("only runs", "only runs P"), ("std/git", "rules list --pack std/git")]
    {
        let words: Vec<&str> = word.split(' ').collect();
        let shown = printed(&words);
        assert!(shown.exit == 0 && shown.stdout.contains(told), "{word}: {shown:?}");
    }
    let unknown = printed(&["conditon"]);
    assert_eq!((unknown.exit, unknown.stdout.as_str()), (2, ""));
    assert_eq!(unknown.stderr, "rules: nothing is called `conditon`; `rules help conditions` exists\n");
    assert_eq!(machine.rules(&["explain", "R9999"], "").exit, 2);
}

#[test]
fn no_help_of_a_command_is_wider_than_the_terminal() {
    let machine = Machine::new();
    let list = machine.rules(&["--help"], "").stdout;
    let commands = list.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = commands.filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    let names: Vec<&str> = names.filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase())).collect();
    assert!(names.len() > 15, "{names:?}");
    for width in [60, 80] {
        for name in &names {
            let help = with(&machine, &[name, "--help"], &[("COLUMNS", &width.to_string())], "").stdout;
            let wide = help.lines().find(|line| line.trim_end().chars().count() > width);
            assert_eq!(wide, None, "{name} at {width}");
            // A line ends early only at the end of a paragraph, not where the text was broken for 80 columns.
            let lines: Vec<&str> = help.lines().collect();
            let early = lines.windows(2).find(|pair| {
                let is_prose = |line: &str| line.starts_with(|c: char| c.is_alphanumeric());
                let next_word = pair[1].split(' ').next().unwrap_or_default();
                is_prose(pair[0])
                    && is_prose(pair[1])
                    && pair[0].chars().count() + 1 + next_word.chars().count() < width
            });
            assert!(width == 80 || early.is_none(), "{name} at {width}: {early:?}");
        }
    }
}

#[test]
fn members_of_the_input_of_any_tool_are_typed_without_its_name() {
    let machine = Machine::with(
        "rule titles {\n  on PreToolUse(mcp__github__*)\n  when tool_input.title == \"x\"\n  deny \"No.\"\n}\n",
    );
    let decided = |call: &str| machine.rules(&["explain", "-q", call], "").stdout;
    assert_eq!(decided("mcp__github__create_pr { title: \"x\" }"), "deny\n");
    assert_eq!(decided("mcp__github__create_pr { title: \"y\" }"), "pass\n");
    // A field of the event stays one, and a misspelled one is not a member.
    assert_eq!(decided("mcp__github__create_pr { title: \"x\", permission_mode: \"plan\" }"), "deny\n");
    let wrong = machine.rules(&["explain", "mcp__github__create_pr { permision_mode: \"plan\" }"], "");
    assert!(wrong.exit != 0 && wrong.stderr.contains("`permission_mode` exists"), "{wrong:?}");
}
