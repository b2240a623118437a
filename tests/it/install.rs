//! The registration in a host's settings: written, taken back to the byte, reviewed, and tried.

use std::process::Command;

use serde_json::{Value as Json, json};

use crate::machine::{Machine, Printed, Reply, send};

const POLICY: &str = "rule no-force-push {\n  on PreToolUse\n  when runs \"git push --force\"\n  deny \"Push without --force.\"\n}\n\nrule \
                      tests-pass {\n  on Stop\n  run \"true\" { timeout: 90s }\n}\n";

/// Settings as people have them: other hooks, odd numbers, strings that look like comments, a lone surrogate.
const ODD: &str = "{\r\n\t\"$schema\": \"https:\\/\\/x\\/y.json\",\r\n\t\"env\": {\"A\": \"// no /* comment */ \\ud83d\"},\r\n\t\"zero\": -0.0, \"big\": \
                   123456789012345678901234567890, \"exp\": 1.50E+02,\r\n\t\"hooks\": {\"PreToolUse\": [ {\"matcher\":\"Bash\",\"hooks\":[{\"type\":\"command\",\"command\":\"guard.sh\"}]} \
                   ],\r\n\t\t\"Stop\": [ ] },\r\n\t\"aaa\": null, \"permissions\": {\"allow\": [ ]}\r\n}\r\n\r\n";

const LOCAL: &str = "project/.claude/settings.local.json";

impl Machine {
    #[track_caller]
    fn install(&self, args: &[&str]) -> Printed {
        let printed = self.rules(&[&["install", "claude-code", "--yes"], args].concat(), "");
        assert_eq!(printed.exit, 0, "{printed:?}");
        printed
    }

    fn hooks(&self, path: &str) -> Json {
        serde_json::from_str::<Json>(&self.read(path)).unwrap()["hooks"].clone()
    }
}

#[test]
fn an_installation_registers_what_the_policy_uses_and_what_any_needs() {
    let machine = Machine::with(POLICY);
    machine.install(&[]);
    let hooks = machine.hooks(LOCAL);
    let mut events: Vec<&str> = hooks.as_object().unwrap().keys().map(String::as_str).collect();
    events.sort_unstable();
    let expected = ["ConfigChange", "PermissionRequest", "PreSkillShellCommand", "PreToolUse", "SessionStart", "Stop"];
    assert_eq!(events, expected);
    assert_eq!(hooks["PreToolUse"][0]["matcher"], "*");
    assert_eq!(hooks["PreToolUse"][0]["hooks"][0]["timeout"], 60);
    assert_eq!(hooks["Stop"][0]["hooks"][0]["timeout"], 150, "its command and a minute");
}

#[test]
fn worktree_create_is_registered_only_where_a_rule_names_it() {
    let machine = Machine::with("rule own {\n  on WorktreeCreate\n  run \"./w.sh\"\n}\n");
    machine.install(&[]);
    assert!(machine.hooks(LOCAL)["WorktreeCreate"].is_array());
    machine.install(&["--user"]);
    assert!(
        machine.hooks("home/.claude/settings.json")["WorktreeCreate"].is_null(),
        "it would fail in every other project"
    );
    machine.write("project/.rules/project.rules", "rule all {\n  on *\n  warn \"Seen.\"\n}\n").install(&[]);
    assert!(machine.hooks(LOCAL)["WorktreeCreate"].is_null());
}

#[test]
fn an_audit_registers_how_calls_end_and_stays_chosen() {
    let machine = Machine::with(POLICY);
    machine.install(&["--audit"]);
    for _ in 0..2 {
        let hooks = machine.hooks(LOCAL);
        let is_there = |event: &str| hooks[event].is_array();
        assert!(
            ["PostToolUse", "PostToolUseFailure", "PermissionDenied"].iter().all(|event| is_there(event)),
            "{hooks}"
        );
        machine.install(&[]);
    }
}

#[test]
fn events_that_only_newer_hosts_have_are_registered_where_the_host_has_them() {
    const ALL: &str = "rule all {\n  on *\n  warn \"Seen.\"\n}\n";
    const NAMED: &str = "rule one {\n  on PreModelSwitch\n  ask \"Sure?\"\n}\n";
    const NEWER: [&str; 3] = ["PreModelSwitch", "PostModelSwitch", "DirectoryAdded"];
    let (none, one, all) = (&NEWER[..0], &NEWER[..1], &NEWER[..]);
    for (policy, host, args, expected) in [
        (ALL, Some("2.1.330"), &[][..], all),
        (ALL, Some("2.1.251"), &["--user"], all),
        (ALL, Some("2.1.250"), &[], none),
        (ALL, Some("2.1.330"), &["--any-version"], none),
        (ALL, Some("2.1.330"), &["--project"], none),
        (ALL, None, &[], none),
        (NAMED, Some("2.1.330"), &["--project"], one),
        (NAMED, Some("2.1.197"), &[], none),
        (NAMED, None, &[], one),
    ] {
        let machine = Machine::with(policy);
        let version = host.map_or_else(|| "exit 127".to_owned(), |version| format!("echo '{version} (Claude Code)'"));
        machine.write("bin/claude", &format!("#!/bin/sh\n{version}\n")).mode("bin/claude", 0o755);
        let path = format!("{}:{}", machine.path("bin").display(), std::env::var("PATH").unwrap());
        let args = [&["install", "claude-code", "--yes"], args].concat();
        let mut command = machine.command(&args);
        command.env("PATH", path);
        let printed = Printed::of(&send(command, b""));
        assert_eq!(printed.exit, 0, "{printed:?}");
        let file = match args.last() {
            Some(&"--user") => "home/.claude/settings.json",
            Some(&"--project") => "project/.claude/settings.json",
            _ => LOCAL,
        };
        let hooks = machine.hooks(file);
        let found: Vec<&str> = NEWER.into_iter().filter(|event| hooks[*event].is_array()).collect();
        assert_eq!(found, expected, "{policy} {host:?} {args:?}");
        let is_told = printed.stderr.contains("has no such event");
        assert_eq!(is_told, policy == NAMED && host == Some("2.1.197"), "{printed:?}");
    }
}

#[test]
fn the_commands_of_skills_are_guarded_unless_the_host_is_known_to_be_older() {
    for (host, args, expected) in [
        (Some("2.1.332"), &[][..], true),
        (Some("2.1.331"), &[], false),
        (Some("2.1.331"), &["--project"], true),
        (Some("2.1.197"), &["--project"], false),
        (None, &[], true),
    ] {
        let machine = Machine::with(POLICY);
        let version = host.map_or_else(|| "exit 127".to_owned(), |version| format!("echo '{version} (Claude Code)'"));
        machine.write("bin/claude", &format!("#!/bin/sh\n{version}\n")).mode("bin/claude", 0o755);
        let path = format!("{}:{}", machine.path("bin").display(), std::env::var("PATH").unwrap());
        let mut command = machine.command(&[&["install", "claude-code", "--yes"], args].concat());
        command.env("PATH", &path);
        assert_eq!(Printed::of(&send(command, b"")).exit, 0);
        let file = if args.is_empty() { LOCAL } else { "project/.claude/settings.json" };
        assert_eq!(machine.hooks(file)["PreSkillShellCommand"].is_array(), expected, "{host:?} {args:?}");

        let start = machine.captured("2.1.330/SessionStart.startup").to_string();
        for (agent, is_told) in [("claude-code_2.1.332_harness", !expected), ("claude-code_2.1.331_harness", false)] {
            let mut command = machine.hook_command(&["claude-code"]);
            command.env("AI_AGENT", agent);
            let reply = Reply::of(&send(command, start.as_bytes()));
            machine.forget_claims();
            assert_eq!(reply.warning().contains("PreSkillShellCommand"), is_told, "{host:?} {agent}: {reply:?}");
        }
        let mut command = machine.command(&["doctor"]);
        command.env("PATH", &path);
        let shown = Printed::of(&send(command, b"")).stdout;
        assert!(!shown.contains("registered for PreSkillShellCommand"), "{shown}");
        let is_older = host.is_some_and(|version| version != "2.1.332");
        assert_eq!(shown.contains("asks no hook about the shell commands"), is_older, "{shown}");
    }
}

#[test]
fn explain_judges_as_the_hook_that_is_registered() {
    let machine = Machine::with(POLICY);
    let call = machine.bash("git push --force").to_string();
    let explain = || machine.rules(&["explain", "--as-hook"], &call).stdout;
    assert!(explain().contains("no hook is registered here"), "{}", explain());
    machine.install(&[]);
    let shown = explain();
    assert!(shown.contains("settings.local.json:7 registers") && !shown.contains("not trusted"), "{shown}");
    machine.rules(&["uninstall", "claude-code", "--yes"], "");
    machine.install(&["--user"]);
    assert!(explain().contains("not trusted"), "{}", explain());
}

#[test]
fn settings_come_back_to_the_byte() {
    for scope in [&["--local"][..], &["--project"], &["--user"]] {
        for text in [ODD, "{}", "{\"hooks\": {}}\n", "\u{feff}{ \"a\" : 1 }"] {
            let machine = Machine::with(POLICY);
            let path = match scope {
                ["--user"] => "home/.claude/settings.json",
                ["--project"] => "project/.claude/settings.json",
                _ => LOCAL,
            };
            machine.write(path, text).install(scope);
            let with = machine.read(path);
            assert_ne!(with, text);
            let again = machine.install(scope);
            assert!(again.stdout.contains("registered already"), "{again:?}");
            assert_eq!(machine.read(path), with, "a second time");
            let gone = machine.rules(&[&["uninstall", "claude-code", "--yes"], scope].concat(), "");
            assert_eq!((gone.exit, machine.read(path).as_str()), (0, text));
        }
    }
    let machine = Machine::with(POLICY);
    machine.install(&[]);
    machine.rules(&["uninstall", "claude-code", "--yes"], "");
    assert!(!machine.exists(LOCAL), "nothing else was in it");
}

#[test]
fn nothing_is_written_without_a_nod() {
    let machine = Machine::with(POLICY);
    machine.write(LOCAL, ODD);
    for (args, exit) in [(&["install", "claude-code"][..], 1), (&["install", "claude-code", "--dry-run"], 0)] {
        let printed = machine.rules(args, "y\n");
        assert_eq!(printed.exit, exit, "{printed:?}");
        assert!(printed.stdout.contains("+ "), "the difference is shown: {printed:?}");
        assert_eq!(machine.read(LOCAL), ODD);
    }
}

#[test]
fn what_cannot_be_edited_is_left_alone_and_said() {
    for (text, expected) in [
        ("{\n  // mine\n}", "settings.local.json:2:3: comments are not allowed"),
        ("{\"hooks\": []}", "`hooks` must be an object"),
        ("{\"hooks\": {\"PreToolUse\": 1}}", "`hooks.PreToolUse` must be a list"),
        ("[]", "expected an object"),
        ("{\"a\": 1,}", "1:8"),
    ] {
        let machine = Machine::with(POLICY);
        machine.write(LOCAL, text);
        let printed = machine.rules(&["install", "claude-code", "--yes"], "");
        assert!(printed.exit == 1 && printed.stderr.contains(expected), "{text}: {printed:?}");
        assert_eq!(machine.read(LOCAL), text);
    }
    for (machine, expected) in [(Machine::with("rule a {\n"), "does not load"), (Machine::new(), "`rules init`")] {
        let printed = machine.rules(&["install", "claude-code", "--yes"], "");
        assert!(printed.exit == 1 && printed.stderr.contains(expected), "{printed:?}");
    }
    let machine = Machine::with(POLICY);
    machine.write(LOCAL, "{}").mode(LOCAL, 0o444);
    let printed = machine.rules(&["install", "claude-code", "--yes"], "");
    assert!(printed.exit == 1 && printed.stderr.contains("read-only"), "{printed:?}");
}

#[test]
fn nothing_is_written_through_a_link_of_the_project() {
    let machine = Machine::with(POLICY);
    machine.write("home/victim.json", "{}").link(machine.path("home/victim.json"), LOCAL);
    let printed = machine.rules(&["install", "claude-code", "--yes"], "");
    assert!(printed.exit == 1 && printed.stderr.contains("link"), "{printed:?}");
    assert_eq!(machine.read("home/victim.json"), "{}");
    let machine = Machine::with(POLICY);
    std::fs::create_dir(machine.path("home/elsewhere")).unwrap();
    machine.link(machine.path("home/elsewhere"), "project/.claude");
    assert_eq!(machine.rules(&["install", "claude-code", "--yes"], "").exit, 1);
    assert!(!machine.exists("home/elsewhere/settings.local.json"));
    // The user's own settings may be a link of his own.
    machine
        .write("home/dotfiles/claude.json", "{}")
        .link(machine.path("home/dotfiles/claude.json"), "home/.claude/settings.json");
    machine.install(&["--user"]);
    assert!(machine.read("home/dotfiles/claude.json").contains("--scope"));
}

#[test]
fn check_finds_a_registration_that_lets_calls_through() {
    let machine = Machine::with(POLICY);
    let settings = json!({ "hooks": { "PreToolUse": [{ "matcher": "*", "hooks": [
        { "type": "command", "command": "bin/rules", "args": ["hook", "claud-code"], "timeout": 0, "onFailure": "block" },
    ] }] } });
    machine.write("project/.claude/settings.json", &settings.to_string());
    let printed = machine.rules(&["check", "--format", "short"], "");
    assert_eq!(printed.exit, 1);
    for expected in
        ["no host that rules knows", "looked up where", "no such `timeout`", "no hook is registered for Stop"]
    {
        assert!(printed.stdout.contains(expected), "{expected}: {}", printed.stdout);
    }
    // A policy that is named is checked by itself.
    let printed = machine.rules(&["check", ".rules", "--format", "short"], "");
    assert!(printed.exit == 0 && !printed.stdout.contains("registered"), "{printed:?}");
    // What install writes has no findings.
    machine.write("project/.claude/settings.json", "{}").install(&[]);
    let printed = machine.rules(&["check"], "");
    assert!(printed.exit == 0 && printed.stdout.starts_with("no findings"), "{printed:?}");
    // The policy moves on.
    machine.write("project/.rules/more.rules", "rule bye {\n  on SessionEnd\n  notify \"Bye\"\n}\n");
    let printed = machine.rules(&["check", "--format", "short"], "");
    assert!(
        printed.exit == 0
            && printed
                .stdout
                .contains("more.rules:1:6: warning R0703 event-not-registered: no hook is registered for SessionEnd"),
        "{printed:?}"
    );
    machine.install(&[]);
    assert!(machine.rules(&["check"], "").stdout.starts_with("no findings"));
}

#[test]
fn a_session_is_told_which_rules_cannot_fire() {
    let machine = Machine::with(POLICY);
    machine.install(&[]);
    let start = machine.captured("2.1.330/SessionStart.startup");
    assert_eq!(machine.hook(&start).warning(), "");
    machine.write("project/.rules/more.rules", "rule bye {\n  on SessionEnd\n  notify \"Bye\"\n}\n");
    let reply = machine.hook(&start);
    assert!(reply.warning().contains("No hook is registered for SessionEnd"), "{reply:?}");
    machine.write("project/.claude/settings.json", "{\"disableAllHooks\": true}");
    assert!(machine.hook(&start).warning().contains("disableAllHooks"));
}

#[test]
fn doctor_finds_what_is_in_the_way() {
    let machine = Machine::with(POLICY);
    let doctor = |expected: i32| {
        let printed = machine.rules(&["doctor", "--json"], "");
        assert_eq!(printed.exit, expected, "{printed:?}");
        serde_json::from_str::<Json>(&printed.stdout).unwrap()
    };
    let says = |found: &Json, status: &str, part: &str| {
        let checks = found["checks"].as_array().unwrap();
        checks.iter().any(|check| check["status"] == status && check["message"].as_str().unwrap().contains(part))
    };
    assert!(says(&doctor(1), "deny", "no hook is registered here"));
    machine.install(&[]);
    let found = doctor(0);
    assert!(found["guards"] == true && says(&found, "ok", "answered a harmless call"), "{found:#}");
    for (file, text, status, part) in [
        ("project/.claude/settings.json", "{\"disableAllHooks\": true}", "deny", "switches every hook off"),
        ("home/.claude/settings.json", "{\"disableAllHooks\": true}", "deny", "switches every hook off"),
        ("project/.claude/settings.json", "{\"env\": {\"LD_PRELOAD\": \"x\"}}", "warning", "LD_PRELOAD"),
        ("project/.claude/settings.json", "{ nonsense", "deny", "ignores the whole file"),
        ("project/.claude/settings.json", "{\"permissions\": {\"deny\": [\"WebFetch\"]}}", "info", "denies `WebFetch`"),
    ] {
        machine.write(file, text);
        let found = doctor(i32::from(status == "deny"));
        assert!(says(&found, status, part), "{text}: {found:#}");
        machine.write(file, "{}");
    }
    let settings = machine.read(LOCAL);
    let program = env!("CARGO_BIN_EXE_rules");
    machine.write(LOCAL, &settings.replace(program, "/nowhere/rules"));
    assert!(says(&doctor(1), "deny", "is not there"));
    let fixed = machine.rules(&["doctor", "--fix", "--yes"], "");
    assert_eq!(fixed.exit, 0, "{fixed:?}");
    assert_eq!(machine.read(LOCAL), settings);
    assert_eq!(doctor(0)["guards"], true);
}

#[test]
fn doctor_starts_nothing_but_itself() {
    let machine = Machine::with(POLICY);
    let entry = |command: &str| json!({ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": command }] }] } });
    machine.write("project/rules", "#!/bin/sh\ntouch \"$HOME/ran\"\n").mode("project/rules", 0o755);
    let own = machine.path("project/rules");
    for command in [
        format!("'{}' hook claude-code", own.display()),
        format!("'{}' hook claude-code; touch \"$HOME/ran\"", env!("CARGO_BIN_EXE_rules")),
        format!("touch \"$HOME/ran\" && '{}' hook claude-code", env!("CARGO_BIN_EXE_rules")),
    ] {
        machine.write("project/.claude/settings.json", &entry(&command).to_string());
        let printed = machine.rules(&["doctor"], "");
        // Where a line ends depends on where the program is.
        let said = printed.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("was not tried"), "{command}: {printed:?}");
        assert!(!machine.exists("home/ran"), "{command}");
    }
}

#[test]
fn what_is_registered_denies() {
    let machine = Machine::with(POLICY);
    for scope in ["--local", "--user"] {
        let directories: Vec<String> = [("config", "user"), ("state", "state"), ("managed", "managed")]
            .map(|(option, directory)| format!("--pass=--{option}-dir={}", machine.path(directory).display()))
            .to_vec();
        let mut args = vec![scope, "--any-version"];
        args.extend(directories.iter().map(String::as_str));
        machine.install(&args);
        let path = if scope == "--user" { "home/.claude/settings.json" } else { LOCAL };
        let line = machine.hooks(path)["PreToolUse"][0]["hooks"][0]["command"].as_str().unwrap().to_owned();
        assert!(line.ends_with(" || exit 2"), "{line}");
        let run = |line: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", line]).env("CLAUDE_PROJECT_DIR", machine.path("project"));
            machine.forget_claims();
            Printed::of(&send(command, machine.bash("git push --force").to_string().as_bytes()))
        };
        let printed = run(&line);
        assert!(printed.exit == 2 && printed.stdout.contains("Push without --force."), "{printed:?}");
        // A binary that is gone blocks.
        assert_eq!(run(&line.replace(env!("CARGO_BIN_EXE_rules"), "/nowhere/rules")).exit, 2);
    }
}
