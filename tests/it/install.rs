//! The registration in a host's settings: written, undone byte for byte, reviewed, and tried out.

use std::process::Command;

use serde_json::{Value as Json, json};

use hookrules::host_settings::{IgnoredPart, ROWS};

use crate::machine::{Machine, Printed, Reply, send};

const POLICY: &str = "rule no-force-push {\n  on PreToolUse\n  when runs \"git push --force\"\n  deny \"Push without --force.\"\n}\n\nrule \
                      tests-pass {\n  on Stop\n  run \"true\" { timeout: 90s }\n}\n";

/// Settings as found in practice: other hooks, odd numbers, strings that look like comments, a lone surrogate.
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

    /// Runs a command with the given version of Claude Code on the PATH.
    #[track_caller]
    fn with_host(&self, version: &str, args: &[&str]) -> Printed {
        self.write("bin/claude", &format!("#!/bin/sh\necho '{version} (Claude Code)'\n")).mode("bin/claude", 0o755);
        let mut command = self.command(args);
        command.env("PATH", format!("{}:{}", self.path("bin").display(), std::env::var("PATH").unwrap()));
        Printed::of(&send(command, b""))
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
            // Where a line wraps depends on the directory's name.
            let said = again.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(said.contains("registered already"), "{again:?}");
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
    // The user's settings may be a symbolic link.
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
    for expected in [
        "no host that rules knows",
        "looked up where",
        "timeout` must be a number above 0, so the host ignores the whole file",
        "no hook is registered for Stop",
    ] {
        assert!(printed.stdout.contains(expected), "{expected}: {}", printed.stdout);
    }
    // A policy that is named on the command line is checked on its own.
    let printed = machine.rules(&["check", ".rules", "--format", "short"], "");
    assert!(printed.exit == 0 && !printed.stdout.contains("registered"), "{printed:?}");
    // The settings that `install` writes have no findings.
    machine.write("project/.claude/settings.json", "{}").install(&[]);
    let printed = machine.rules(&["check"], "");
    assert!(printed.exit == 0 && printed.stdout.starts_with("no findings"), "{printed:?}");
    // The policy gains a rule for another event.
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
    let program = &*crate::system::program();
    machine.write(LOCAL, &settings.replace(program, "/nowhere/rules"));
    assert!(says(&doctor(1), "deny", "is not there"));
    let fixed = machine.rules(&["doctor", "--fix", "--yes"], "");
    assert_eq!(fixed.exit, 0, "{fixed:?}");
    assert_eq!(machine.read(LOCAL), settings);
    assert_eq!(doctor(0)["guards"], true);
}

/// The log is about sessions: a call that doctor makes up is no decision of one.
#[test]
fn a_trial_of_doctor_is_not_logged() {
    let machine = Machine::with("rule no-tools {\n  on PreToolUse\n  deny \"No.\"\n}\n");
    machine.write("project/.rules/rules.toml", "[log]\nlevel = \"all\"\n").install(&[]);
    let printed = machine.rules(&["doctor", "--json"], "");
    assert!(printed.stdout.contains("answered a harmless call"), "{printed:?}");
    assert!(!machine.exists("state/log"));
    let call = json!({
        "hook_event_name": "PreToolUse", "session_id": "rules-doctor", "cwd": machine.path("project"),
        "tool_name": "Bash", "tool_input": {"command": "ls"},
    });
    machine.hook(&call).denies("No.");
    assert_eq!(machine.decisions().lines().count(), 1);
}

/// The sentence names the policy, also where its directory is the current one, whose relative path is empty.
#[test]
fn doctor_names_the_policy_that_is_not_trusted() {
    let machine = Machine::with(POLICY);
    machine.install(&["--user"]);
    let doctor = machine.rules(&["doctor"], "").stdout;
    assert!(doctor.contains("the policy of this project is not trusted"), "{doctor}");
    assert!(!doctor.contains("of  "), "{doctor}");
    machine.write("project/deep/a.txt", "");
    let mut below = machine.command(&["doctor"]);
    below.current_dir(machine.path("project/deep"));
    let below = Printed::of(&send(below, b"")).stdout;
    assert!(below.contains("not trusted") && !below.contains("the policy of is") && !below.contains("of  "), "{below}");
}

/// The entries of all events have one shape, so the first is shown, and the rest only if it is asked for.
#[test]
fn an_installation_is_summed_up_before_the_question() {
    let machine = Machine::with(POLICY);
    let asked = machine.rules(&["install", "claude-code", "--project"], "");
    assert!(asked.exit == 1 && asked.stderr.contains("nothing was changed"), "{asked:?}");
    let shown = &asked.stdout;
    assert!(shown.starts_with("6 entries to add, for PreToolUse, "), "{shown}");
    assert!(shown.lines().count() < 30 && shown.matches("\"hooks\": [").count() == 1, "{shown}");
    let flat = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let (_, rest) = flat.split_once("`rules install claude-code --project --dry-run` shows the other ").unwrap();
    let hidden: usize = rest.split(' ').next().unwrap().parse().unwrap();
    let whole = machine.rules(&["install", "claude-code", "--project", "--dry-run"], "").stdout;
    let added = |text: &str| text.lines().filter(|line| line.starts_with("+ ")).count();
    assert_eq!(added(&whole), added(shown) + hidden, "{whole}");
    assert_eq!(whole.matches("\"hooks\": [").count(), 6);
}

#[test]
fn an_installation_under_a_switch_says_that_hooks_are_off() {
    let machine = Machine::with(POLICY);
    let on = machine.install(&[]).stdout;
    assert!(on.contains("takes the hook up at once") && !on.contains("Hooks are off"), "{on}");
    machine.rules(&["uninstall", "claude-code", "--yes"], "");
    for file in ["project/.claude/settings.json", "home/.claude/settings.json", LOCAL] {
        machine.write(file, "{\n  \"disableAllHooks\": true\n}\n");
        let off = machine.install(&[]).stdout;
        assert!(off.contains("Hooks are off") && off.contains("`disableAllHooks`"), "{file}: {off}");
        assert!(off.contains(&format!("{}:2:", file.rsplit('/').next().unwrap())), "{file}: {off}");
        assert!(!off.contains("at once"), "{file}: {off}");
        machine.rules(&["uninstall", "claude-code", "--yes"], "");
        machine.write(file, "{}\n");
    }
}

#[test]
fn doctor_starts_nothing_but_itself() {
    let machine = Machine::with(POLICY);
    let entry = |command: &str| json!({ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": command }] }] } });
    machine.write("project/rules", "#!/bin/sh\ntouch \"$HOME/ran\"\n").mode("project/rules", 0o755);
    let own = machine.path("project/rules");
    for command in [
        format!("'{}' hook claude-code", own.display()),
        format!("'{}' hook claude-code; touch \"$HOME/ran\"", crate::system::program()),
        format!("touch \"$HOME/ran\" && '{}' hook claude-code", crate::system::program()),
    ] {
        machine.write("project/.claude/settings.json", &entry(&command).to_string());
        let printed = machine.rules(&["doctor"], "");
        // Where a line wraps depends on the program's path.
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
        // A missing binary blocks the call.
        assert_eq!(run(&line.replace(&crate::system::program(), "/nowhere/rules")).exit, 2);
    }
}

/// Returns the JSON of `rules doctor`, and whether the command failed.
fn doctor(printed: &Printed) -> (Json, bool) {
    (serde_json::from_str(&printed.stdout).unwrap_or_else(|error| panic!("{error}: {printed:?}")), printed.exit == 1)
}

/// Returns the messages of the checks with a status.
fn messages(found: &Json, status: &str) -> Vec<String> {
    let checks = found["checks"].as_array().unwrap().iter().filter(|check| check["status"] == status);
    checks.map(|check| check["message"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_file_that_the_host_drops_fails_and_what_it_tolerates_is_noted() {
    let machine = Machine::with("rule no {\n  on PreToolUse\n  deny \"No.\"\n}\n");
    machine.install(&["--user"]);
    let hooks = machine.hooks("home/.claude/settings.json");
    machine.write("home/.claude/settings.json", &json!({ "hooks": hooks }).to_string());
    let good = &hooks["PreToolUse"][0]["hooks"][0];
    let good = good.to_string().replace("\"user\"", "\"project\"");
    let program = json!(crate::system::program()).to_string();
    // Project settings refer to the program by its name.
    let good = good.replace(&program, "\"rules\"");
    let mut seen = [0, 0, 0];
    for row in ROWS {
        machine.write("project/.claude/settings.json", &row.settings_with(&good));
        let (found, fails) = doctor(&machine.with_host("2.1.332", &["doctor", "--json"]));
        let says = |status: &str, part: &str| messages(&found, status).iter().any(|message| message.contains(part));
        let is_dropped = says("deny", "ignores the whole file") || says("deny", "ignores every hook of the file");
        let is_noted = says("info", ": the host ignores it");
        let expected = row.ignored[2];
        assert_eq!(is_dropped, expected >= IgnoredPart::Hooks, "{}: {found:#}", row.name);
        assert!(!is_dropped || fails, "{}: {found:#}", row.name);
        if expected <= IgnoredPart::Entry {
            assert_eq!(is_noted, expected == IgnoredPart::Entry, "{}: {found:#}", row.name);
        }
        seen[usize::from(is_dropped) + usize::from(is_dropped || is_noted)] += 1;
    }
    assert!(seen.iter().all(|count| *count > 5), "{seen:?}");
    // `rules check` reports the same.
    for (name, expected) in [("no command", true), ("no command on Stop", false)] {
        let row = ROWS.iter().find(|row| row.name == name).unwrap();
        machine.write("project/.claude/settings.json", &row.settings_with(&good));
        let printed = machine.rules(&["check", "--format", "short"], "");
        assert_eq!(printed.stdout.contains("the host ignores the whole file"), expected, "{name}: {printed:?}");
        assert_eq!(printed.stdout.contains("has no `command`"), expected, "{name}: {printed:?}");
    }
}

#[test]
fn a_version_without_on_failure_is_told() {
    let machine = Machine::with(POLICY);
    let printed = machine.with_host("2.1.330", &["install", "claude-code", "--yes"]);
    assert!(printed.exit == 0 && !printed.stderr.contains("onFailure"), "{printed:?}");
    let (found, fails) = doctor(&machine.with_host("2.1.330", &["doctor", "--json"]));
    assert!(!fails, "{found:#}");
    // Another Node may bring another version of the host.
    let (found, fails) = doctor(&machine.with_host("2.1.197", &["doctor", "--json"]));
    assert!(fails && found["guards"] == false, "{found:#}");
    let expected = "Claude Code 2.1.197 does not know `onFailure`, so a hook that fails lets the call pass";
    assert!(messages(&found, "deny").iter().any(|message| message == expected), "{found:#}");
    assert!(messages(&found, "info").iter().any(|message| message.contains("which does not know `onFailure`")));
    let printed = machine.with_host("2.1.197", &["install", "claude-code", "--yes"]);
    assert!(printed.exit == 0 && printed.stderr.contains("2.1.197 does not know `onFailure`"), "{printed:?}");
    let (found, fails) = doctor(&machine.with_host("2.1.197", &["doctor", "--json"]));
    assert!(!fails, "{found:#}");
}

#[test]
fn a_registration_waits_ten_minutes_at_most() {
    let machine = Machine::with(
        "rule ends {\n  on SubagentStop, SessionEnd, Notification, StopFailure\n  run \"true\"\n}\n\nrule a {\n  on Stop\n  run \
         \"true\" { timeout: 10m }\n}\n\nrule b {\n  on Stop\n  run \"true\" { timeout: 10m }\n}\n\nrule c {\n  on \
         SessionStart\n  run \"true\" { timeout: 90s }\n}\n",
    );
    machine.install(&[]);
    let hooks = machine.hooks(LOCAL);
    for (event, seconds) in [
        ("SubagentStop", 600),
        ("SessionEnd", 600),
        ("Notification", 600),
        ("StopFailure", 600),
        ("Stop", 600),
        ("SessionStart", 150),
        ("PreToolUse", 60),
    ] {
        let handler = &hooks[event][0]["hooks"][0];
        assert_eq!(handler["timeout"], seconds, "{event}");
        assert!(handler.to_string().contains(&format!("--timeout {seconds}")), "{handler}");
    }
    let (found, _) = doctor(&machine.rules(&["doctor", "--json"], ""));
    assert!(!messages(&found, "warning").iter().any(|message| message.contains("the host waits")), "{found:#}");
}

#[test]
fn a_recorder_never_blocks_and_a_gate_does() {
    const RECORDER: &str = "rule seen {\n  on SubagentStop, Stop, UserPromptSubmit, SessionStart\n  record \"seen.jsonl\" { cwd \
                            }\n}\n\nrule tells {\n  on SubagentStop\n  run \"true\" { timeout: 10m, stdin: none }\n}\n";
    const RULE: &str = "\nrule more {\n  on EVENT\n  EFFECT\n}\n";
    let of =
        |event: &str, effect: &str| format!("{RECORDER}{}", RULE.replace("EVENT", event).replace("EFFECT", effect));
    let closed = |machine: &Machine, event: &str| {
        let handler = machine.hooks(LOCAL)[event][0]["hooks"][0].clone();
        let is_guarded = handler["command"].as_str().unwrap().ends_with(" || exit 2");
        assert_eq!(is_guarded, handler["onFailure"] == "block", "{handler}");
        is_guarded
    };
    let machine = Machine::with(RECORDER);
    machine.install(&[]);
    for event in ["SubagentStop", "Stop", "UserPromptSubmit", "SessionStart"] {
        assert!(!closed(&machine, event), "{event}");
    }
    for event in ["PreToolUse", "PermissionRequest", "ConfigChange"] {
        assert!(closed(&machine, event), "{event}");
    }
    assert!(machine.rules(&["check"], "").stdout.starts_with("no findings"));
    for (event, effect, closes) in [
        ("SubagentStop", "deny \"Not yet.\"", true),
        ("SubagentStop", "run \"true\" { on_fail: deny }", true),
        ("SubagentStop", "run \"false\"", false),
        ("Stop", "run \"true\"", true),
        ("Stop", "run \"true\" { on_fail: warn }", false),
        ("Stop", "notify \"Done\"", false),
        ("UserPromptSubmit", "context \"Mind the law.\"", false),
        ("UserPromptSubmit", "halt \"Enough.\"", true),
    ] {
        machine.write("project/.rules/project.rules", RECORDER).install(&[]);
        machine.write("project/.rules/project.rules", &of(event, effect));
        let message = format!("a rule can stop {event}, and a hook that fails there lets it pass");
        let check = || machine.rules(&["check", "--format", "short"], "").stdout.contains(&message);
        let warned = || messages(&doctor(&machine.rules(&["doctor", "--json"], "")).0, "warning").contains(&message);
        assert_eq!((check(), warned()), (closes, closes), "{event}: {effect}");
        machine.install(&[]);
        assert_eq!(closed(&machine, event), closes, "{event}: {effect}");
        assert!(!check() && !warned(), "{event}: {effect}");
    }
    // A blocking entry for an event without a blocking rule, as older versions of this program registered it, is noted,
    // and opened by the next installation.
    machine.write("project/.rules/project.rules", &of("SubagentStop", "deny \"Not yet.\"")).install(&[]);
    machine.write("project/.rules/project.rules", RECORDER);
    let (found, fails) = doctor(&machine.rules(&["doctor", "--json"], ""));
    assert!(
        !fails && messages(&found, "info").iter().any(|message| message.contains("that no rule can stop")),
        "{found:#}"
    );
    machine.install(&[]);
    assert!(!closed(&machine, "SubagentStop"));
}

#[test]
fn other_agents_that_read_the_file_are_named() {
    for (version, args, file, expected, drops_args) in [
        ("2.1.330", &[][..], LOCAL, "Copilot CLI and Continue CLI also read this file, without `args`", true),
        ("2.1.330", &["--any-version"], LOCAL, "Copilot CLI and Continue CLI also read this file", false),
        ("2.1.330", &["--project"], "project/.claude/settings.json", "Copilot CLI and Continue CLI also read", false),
        (
            "2.1.330",
            &["--user"],
            "home/.claude/settings.json",
            "Continue CLI also reads this file, without `args`",
            true,
        ),
    ] {
        let machine = Machine::with(POLICY);
        let printed = machine.with_host(version, &[&["install", "claude-code", "--yes"], args].concat());
        let said = printed.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(expected), "{printed:?}");
        assert_eq!(said.contains("--any-version"), drops_args, "{printed:?}");
        let (found, _) = doctor(&machine.with_host(version, &["doctor", "--json"]));
        let note = found["checks"].as_array().unwrap().iter().find(|check| check["check"] == "agents").unwrap();
        assert!(note["message"].as_str().unwrap().contains(expected) && note["status"] == "info", "{note}");
        assert!(note["file"].as_str().unwrap().ends_with(file.split('/').next_back().unwrap()), "{note}");
        assert_eq!(note["help"].is_string(), drops_args, "{note}");
    }
}

#[test]
fn the_program_alone_judges_and_blocks_nothing() {
    let machine = Machine::with("rule no {\n  on PreToolUse\n  deny \"No.\"\n}\n");
    let run = |environment: &[(&str, &str)], text: &str| {
        let mut command = machine.command(&[]);
        for name in ["CLAUDECODE", "COPILOT_CLI"] {
            command.env_remove(name);
        }
        command.envs(environment.iter().copied());
        Printed::of(&send(command, text.as_bytes()))
    };
    let call = machine.bash("git push --force").to_string();
    let big = json!({ "tool_name": "Write", "tool_input": { "content": "x".repeat(1 << 20) } }).to_string();
    let (claude, copilot) = (("CLAUDECODE", "1"), ("COPILOT_CLI", "1"));
    for (environment, text, exit) in [
        (&[][..], call.as_str(), 0),
        (&[copilot], "\u{feff}  {\"hookName\": \"permissionRequest\", \"toolName\": \"bash\"}", 0),
        (&[copilot, claude], &call, 0),
        (&[claude], &call, 1),
        (&[], &big, 0),
        (&[], "{", 0),
    ] {
        let printed = run(environment, text);
        assert_eq!((printed.exit, printed.stdout.as_str()), (exit, ""), "{environment:?}: {printed:?}");
        assert!(printed.stderr.contains("`rules hook claude-code`") && printed.stderr.len() < 300, "{printed:?}");
    }
    for text in ["", "git push", "[1]"] {
        let printed = run(&[], text);
        assert!(printed.exit == 2 && printed.stderr.contains("Usage"), "{text}: {printed:?}");
    }
}
