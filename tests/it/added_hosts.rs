//! Hosts that the records of the user and the administrator add, as the program uses them.

use std::process::Command;

use serde_json::{Value as Json, json};

use crate::install_agents::unwrapped;
use crate::machine::{Machine, Printed, send};
use crate::source::read;

/// A policy with a rule for each answer.
const POLICY: &str = r#"
rule no-force-push {
  on PreToolUse
  when runs "git push --force"
  deny "Push without --force."
}

rule ask-about-releases {
  on PreToolUse
  when runs "make release"
  ask "Release?"
}

rule prefer-uv {
  on PreToolUse
  when runs "pip install"
  rewrite runs "pip" to "uv pip"
}

rule tell {
  on SessionStart
  context "Read GUIDE.md."
}

rule no-env-files {
  on PreToolUse
  when reads like ".env"
  deny "Not that file."
}
"#;

/// The record in the book.
fn record() -> String {
    let page = read("book/src/reference/hosts.md");
    let (_, rest) = page.split_once("```toml,host\n").unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

impl Machine {
    /// Creates a machine with the policy, and with the record of the book in the user's directory.
    fn with_acme() -> Self {
        let machine = Self::with(POLICY);
        machine.write("user/hosts/acme.toml", &record());
        machine
    }

    /// Answers bytes as the hook of a host in the project.
    fn added_hook(&self, host: &str, bytes: &str) -> Printed {
        self.forget_claims();
        let mut command = self.hook_command(&[host]);
        command.env_remove("CLAUDE_PROJECT_DIR").env("ACME_PROJECT", self.path("project"));
        Printed::of(&send(command, bytes.as_bytes()))
    }

    /// Returns a payload of the host about a call.
    fn acme_call(&self, tool: &str, input: Json) -> String {
        let call = json!({ "tool": tool, "arguments": input });
        json!({ "event": "before_tool", "session": { "id": "s" }, "workspace": self.path("project"), "call": call })
            .to_string()
    }

    fn acme_shell(&self, command: &str) -> String {
        self.acme_call("run_shell", json!({ "cmd": command, "background": false }))
    }

    /// Returns a command that people run, with the directories of this machine in the user's registration.
    fn acme_command(&self, args: &[&str]) -> Command {
        let directories = ["user", "managed"].map(|name| self.path(name).display().to_string());
        let [user, managed] = directories;
        let args_of_hook = ["hook", "claude-code", "--config-dir", &user, "--managed-dir", &managed];
        let handler = json!({ "type": "command", "command": crate::system::program(), "args": args_of_hook });
        let settings = json!({ "hooks": { "PreToolUse": [{ "matcher": "*", "hooks": [handler] }] } });
        self.write("home/.claude/settings.json", &settings.to_string());
        let mut command = self.command(args);
        self.put_on_path(&mut command);
        command
    }

    #[track_caller]
    fn acme_rules(&self, args: &[&str]) -> Printed {
        Printed::of(&send(self.acme_command(args), b""))
    }
}

/// Returns the one object on standard output.
#[track_caller]
fn object(printed: &Printed) -> Json {
    serde_json::from_str(&printed.stdout).unwrap_or_else(|error| panic!("{error}: {printed:?}"))
}

#[test]
fn a_hook_answers_in_the_form_of_the_record() {
    let machine = Machine::with_acme();
    let denied = machine.added_hook("acme", &machine.acme_shell("git push -f"));
    assert_eq!(object(&denied), json!({ "verdict": "block", "why": "Push without --force." }));
    assert_eq!(denied.exit, 2);
    let asked = machine.added_hook("acme", &machine.acme_shell("make release"));
    assert_eq!((object(&asked), asked.exit), (json!({ "verdict": "confirm", "why": "Release?" }), 0));
    let rewritten = machine.added_hook("acme", &machine.acme_shell("pip install x"));
    assert_eq!(
        object(&rewritten),
        json!({ "verdict": "go", "arguments": { "cmd": "uv pip install x", "background": false } })
    );
    let read = machine.added_hook("acme", &machine.acme_call("open_file", json!({ "path": ".env" })));
    assert_eq!(object(&read)["why"], "Not that file.");
    let silent = machine.added_hook("acme", &machine.acme_shell("ls"));
    assert_eq!((silent.stdout.as_str(), silent.exit), ("", 0));
    let start = json!({ "event": "session_start", "session": { "id": "s" }, "workspace": machine.path("project") });
    let told = machine.added_hook("acme", &start.to_string());
    assert_eq!(object(&told), json!({ "notes": "Read GUIDE.md." }));
}

#[test]
fn the_administrators_record_counts() {
    let machine = Machine::with_acme();
    machine.write("managed/hosts/acme.toml", &record().replace("verdict = \"block\"", "verdict = \"refuse\""));
    let denied = machine.added_hook("acme", &machine.acme_shell("git push -f"));
    assert_eq!(object(&denied)["verdict"], "refuse");
}

#[test]
fn an_unusable_record_blocks_every_event() {
    let machine = Machine::with_acme();
    let call = machine.acme_shell("ls");
    let blocks = |host: &str, part: &str| {
        let printed = machine.added_hook(host, &call);
        assert!(printed.exit == 2 && printed.stdout.is_empty() && printed.stderr.contains(part), "{printed:?}");
    };
    blocks("acne", "no host has this name");
    blocks("acne", &machine.path("user/hosts/acne.toml").display().to_string());
    blocks("Acme", "no host has this name");
    let with = |text: &str| {
        machine.write("user/hosts/acme.toml", text);
    };
    with(&record().replace("\n[tools]", "size = 1\n[tools]"));
    let line = record().lines().position(|line| line == "[tools]").unwrap();
    blocks("acme", &format!("{}:{line}: unknown key `size`", machine.path("user/hosts/acme.toml").display()));
    with(&record().replace("deny = ", "denied = "));
    blocks("acme", "unknown key `denied`");
    with("");
    blocks("acme", "a record needs a `title`");
    with(&format!("{}\n#{}", record(), "x".repeat(70_000)));
    blocks("acme", "larger than 64 KiB");
    with(&record());
    machine.mode("user/hosts/acme.toml", 0o666);
    blocks("acme", "world-writable");
    machine.mode("user/hosts/acme.toml", 0o644).write("elsewhere.toml", &record());
    std::fs::remove_file(machine.path("user/hosts/acme.toml")).unwrap();
    machine.link(machine.path("elsewhere.toml"), "user/hosts/acme.toml");
    blocks("acme", "a symbolic link");
    std::fs::remove_file(machine.path("user/hosts/acme.toml")).unwrap();
    for number in 0..51 {
        machine.write(&format!("user/hosts/a{number}.toml"), &record());
    }
    blocks("a1", "more than 50 files");
    // Other hosts are not affected.
    machine.hook(&machine.bash("ls")).is_silent();
}

#[test]
fn the_end_of_a_turn_is_not_blocked_by_a_missing_record() {
    let machine = Machine::with_acme();
    let printed = machine.added_hook("acne", &machine.event("Stop").to_string());
    assert!(printed.exit == 0 && printed.stderr.contains("not judged, because the host `acne`"), "{printed:?}");
    // The words of a record with a mistake count, too.
    machine.write("user/hosts/acme.toml", &(record() + "\n[events.Stop]\nnames = [\"turn_end\"]\nwrong = 1\n"));
    let printed = machine.added_hook("acme", "{\"event\": \"turn_end\"}");
    assert!(printed.exit == 0 && printed.stderr.contains("unknown key"), "{printed:?}");
    let printed = machine.added_hook("acme", "{\"event\": \"before_tool\"}");
    assert!(printed.exit == 2 && printed.stderr.contains("unknown key"), "{printed:?}");
}

#[test]
fn a_record_whose_answers_would_let_everything_run_is_a_mistake() {
    let machine = Machine::with_acme();
    let denies = "deny = { json = { verdict = \"block\", why = \"$reason\" }, exit = 2 }";
    let rewrites = "rewrite = { json = { verdict = \"go\", arguments = \"$input\" } }";
    let asks = "ask = { json = { verdict = \"confirm\", why = \"$reason\" } }";
    for (from, to, message) in [
        (denies, "deny = {}", "the `deny` of `PreToolUse` sends nothing"),
        (denies, "deny = { stderr = \"$reason\" }", "the `deny` of `PreToolUse` sends nothing"),
        (denies, "deny = { json = { verdict = \"go\" } }\nallow = { json = { verdict = \"go\" } }", "are the same"),
        (asks, "ask = {}", "the `ask` of `PreToolUse` sends nothing"),
        (rewrites, "rewrite = { json = { verdict = \"go\" } }", "has no place for what is new"),
        ("wait = 55_000", "wait = 55_000\nclosed = {}", "`closed` sends nothing"),
        ("wait = 55_000", "wait = 55_000\nignores_exit_codes = true", "`closed` sends nothing"),
    ] {
        let changed = record().replace(from, to);
        assert_ne!(changed, record(), "{from}");
        machine.write("user/hosts/acme.toml", &changed);
        let printed = machine.added_hook("acme", "{\"event\": \"before_tool\"}");
        assert!(printed.exit == 2 && printed.stderr.contains(message), "{to}: {printed:?}");
    }
}

#[test]
fn a_command_that_names_a_host_with_a_mistake_says_where_it_is() {
    let machine = Machine::with_acme();
    machine.write("user/hosts/acme.toml", &record().replace("[events.PreToolUse]", "[events.PreTool]"));
    let user = machine.path("user");
    let pass = format!("--pass=--config-dir={}", user.display());
    let printed = machine.rules(&["install", "acme", &pass], "");
    assert_eq!(printed.exit, 2, "{printed:?}");
    assert!(
        printed.stderr.contains("the host `acme` cannot be used") && printed.stderr.contains("acme.toml:"),
        "{printed:?}"
    );
}

#[test]
fn a_record_does_not_replace_a_built_in_host() {
    let machine = Machine::with_acme();
    for name in ["claude-code", "codex", "Codex", "all", "acme_2"] {
        machine.write(&format!("user/hosts/{name}.toml"), &record());
    }
    machine.hook(&machine.bash("git push -f")).denies("Push without --force.");
    let checked = machine.acme_rules(&["check", "--format", "short"]);
    assert_eq!(checked.exit, 1, "{checked:?}");
    for part in [
        "`claude-code` is a built-in host",
        "hosts/codex.toml:1:1: error R0705 bad-host-record: `codex` is a built-in host",
        "hosts/Codex.toml:1:1: error R0705 bad-host-record: `codex` is a built-in host",
        "`all` cannot be the name of a host",
        "`acme_2` cannot be the name of a host",
    ] {
        assert!(unwrapped(&checked.stdout).contains(part), "{part}: {checked:?}");
    }
    assert!(!checked.stdout.contains("acme.toml"), "{checked:?}");
}

#[test]
fn a_record_in_a_repository_is_never_used() {
    let machine = Machine::with(POLICY);
    machine.write("project/.rules/hosts/acme.toml", &record());
    let printed = machine.added_hook("acme", &machine.acme_shell("ls"));
    assert!(printed.exit == 2 && printed.stderr.contains("no host has this name"), "{printed:?}");
    let unknown = machine.acme_rules(&["check", "--host", "acme"]);
    assert_eq!(unknown.exit, 2, "{unknown:?}");
    for args in [&["check"][..], &["doctor"]] {
        let printed = machine.acme_rules(args);
        let text = printed.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("never from a repository"), "{args:?}: {printed:?}");
    }
}

#[test]
fn the_registration_of_an_added_host_is_guarded_in_every_session() {
    let machine = Machine::with_acme();
    let asks = |call: &Json| machine.hook(call).asks("in which hooks of an agent are registered");
    for command in ["echo x > .acme/hooks.json", "rm -r .acme", "cp a ~/.acme/hooks.json"] {
        asks(&machine.bash(command));
    }
    asks(&machine.file("Write", "project/.acme/hooks.json"));
    let mut unknown_tool = machine.bash("ls");
    unknown_tool["tool_name"] = json!("mcp__disk__delete");
    unknown_tool["tool_input"] = json!({ "where": ".ac*/hooks.json" });
    asks(&unknown_tool);
    machine.hook(&machine.bash("echo x > .acme/notes")).is_silent();
    machine.hook(&machine.bash("cat .acme/hooks.json")).is_silent();
    let printed = machine.added_hook("acme", &machine.acme_shell("rm .acme/hooks.json"));
    assert_eq!(object(&printed)["verdict"], "confirm", "{printed:?}");
    let printed =
        machine.added_hook("acme", &machine.acme_shell(&format!("rm {}", machine.in_shell("user/hosts/acme.toml"))));
    assert_eq!(object(&printed)["verdict"], "confirm", "{printed:?}");
    // A record with a mistake guards what it states, because a session may go on while somebody writes it.
    machine.write("user/hosts/acme.toml", &format!("size = 1\n{}", record()));
    asks(&machine.bash("rm .acme/hooks.json"));
    machine.write("user/hosts/acme.toml", "title = \"Acme\"\n");
    machine.hook(&machine.bash("rm .acme/hooks.json")).is_silent();
}

#[test]
fn a_hook_is_installed_tried_and_removed_without_a_trace() {
    for (option, file) in [("--project", "project/.acme/hooks.json"), ("--user", "home/.acme/hooks.json")] {
        let machine = Machine::with_acme();
        machine.write(file, "{\n  \"other\": [1,  2]\n}\n");
        let before = machine.read(file);
        let pass = ["user", "state", "managed"].map(|name| {
            let option = if name == "user" { "config" } else { name };
            format!("--pass=--{option}-dir={}", machine.path(name).display())
        });
        let pass: Vec<&str> = pass.iter().map(String::as_str).collect();
        let installed = machine.acme_rules(&[&["install", "acme", option, "--yes"], &*pass].concat());
        assert_eq!(installed.exit, 0, "{installed:?}");
        assert_eq!(installed.stdout.contains("acme trust"), option == "--project", "{installed:?}");
        let settings: Json = serde_json::from_str(&machine.read(file)).unwrap();
        let line = settings.pointer("/hooks/before_tool/0/run").unwrap().as_str().unwrap().to_owned();
        assert!(line.contains("hook acme"), "{line}");
        let again = machine.acme_rules(&["install", "acme", option, "--yes"]);
        assert!(unwrapped(&again.stdout).contains("registered already"), "{again:?}");

        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &line]).current_dir(machine.path("project"));
        shell.env("PATH", format!("{}:/usr/bin:/bin", machine.path("bin").display()));
        shell.env("ACME_PROJECT", machine.path("project")).env_remove("CLAUDE_PROJECT_DIR");
        let denied = Printed::of(&send(shell, machine.acme_shell("git push -f").as_bytes()));
        assert_eq!((&object(&denied)["verdict"], denied.exit), (&json!("block"), 2), "{denied:?}");
        assert!(object(&denied)["why"].as_str().unwrap().ends_with("Push without --force."), "{denied:?}");

        let doctor: Json = serde_json::from_str(&machine.acme_rules(&["doctor", "--json"]).stdout).unwrap();
        let checks = doctor["checks"].as_array().unwrap();
        let has = |status: &str, part: &str| {
            checks.iter().any(|check| check["status"] == status && check["message"].as_str().unwrap().contains(part))
        };
        assert!(has("ok", "adds Acme Agent"), "{doctor}");
        assert!(has("ok", "with Acme Agent for before_tool, session_start"), "{doctor}");
        assert!(has("ok", "hook acme") && has("ok", "answered a harmless call"), "{doctor}");
        assert!(!checks.iter().any(|check| check["message"].as_str().unwrap().contains("cannot be used")), "{doctor}");

        let gone = machine.acme_rules(&["uninstall", "acme", option, "--yes"]);
        assert_eq!((gone.exit, machine.read(file)), (0, before), "{gone:?}");
    }
}

#[test]
fn commands_know_an_added_host_by_its_name() {
    let machine = Machine::with_acme();
    machine.write(
        "project/.rules/tests.rules",
        "test \"acme\" {\n  given Bash \"git push -f\" on acme\n  expect deny sends deny\n}\n",
    );
    let tested = machine.acme_rules(&["test"]);
    assert_eq!(tested.exit, 0, "{tested:?}");
    let tested = machine.acme_rules(&["test", "--host", "acme"]);
    assert_eq!(tested.exit, 0, "{tested:?}");
    let listed = machine.acme_rules(&["list", "--hosts"]);
    assert!(listed.stdout.contains("\nacme         5 rules as written\n"), "{listed:?}");
    let explained = machine.acme_rules(&["explain", "--host", "acme", "git push -f"]);
    assert!(explained.stdout.contains("\"verdict\":\"block\""), "{explained:?}");
    let checked = machine.acme_rules(&["check", "--host", "acme"]);
    assert!(
        unwrapped(&checked.stdout).contains("findings in 5 rules") && !unwrapped(&checked.stdout).contains("`acme`"),
        "{checked:?}"
    );
    machine.write("project/.rules/halt.rules", "rule end {\n  on Stop\n  halt \"Enough.\"\n}\n");
    for host in ["acme", "all"] {
        let checked = machine.acme_rules(&["check", "--host", host, "--format", "short"]);
        assert!(unwrapped(&checked.stdout).contains("`acme` this rule never fires"), "{host}: {checked:?}");
    }
    let user = format!("--config-dir={}", machine.path("user").display());
    let help = machine.acme_rules(&["hook", &user, "--help"]);
    assert!(help.stdout.contains("acme"), "{help:?}");
    let completions = machine.acme_rules(&["completions", "bash"]);
    assert!(completions.stdout.contains("acme"), "{completions:?}");
    // Without the record, the name is unknown.
    std::fs::remove_file(machine.path("user/hosts/acme.toml")).unwrap();
    let tested = machine.acme_rules(&["test"]);
    assert!(tested.exit != 0 && format!("{tested:?}").contains("unknown host `acme`"), "{tested:?}");
}

#[test]
fn mistakes_are_reported_by_check_and_doctor() {
    let machine = Machine::with_acme();
    machine.write("user/hosts/acme.toml", &record().replace("names = [\"before_tool\"]", "name = [\"before_tool\"]"));
    machine.write("user/hosts/other.toml", &record()).write("managed/hosts/other.toml", &record());
    let checked = machine.acme_rules(&["check", "--format", "short"]);
    assert_eq!(checked.exit, 1, "{checked:?}");
    for part in ["hosts/acme.toml:", "R0705 bad-host-record: unknown key `name`", "other.toml` does not count, because"]
    {
        assert!(unwrapped(&checked.stdout).contains(part), "{part}: {checked:?}");
    }
    let doctor = machine.acme_rules(&["doctor", "--json"]);
    for part in ["the host cannot be used: unknown key `name`", "the host cannot be used: does not count"] {
        assert!(unwrapped(&doctor.stdout).contains(part), "{part}: {doctor:?}");
    }
    // A file or directory that the user names, in no project.
    let path = |path: &str| machine.path(path).display().to_string();
    for named in ["user/hosts/acme.toml", "user/hosts", "user"] {
        let checked = machine.acme_rules(&["check", "--format", "short", &path(named)]);
        assert_eq!(checked.exit, 1, "{named}: {checked:?}");
        assert!(unwrapped(&checked.stdout).contains("unknown key `name`"), "{named}: {checked:?}");
    }
    let checked = machine.acme_rules(&["check", &path("user/hosts/other.toml")]);
    assert_eq!(checked.exit, 0, "{checked:?}");
}

#[test]
fn the_log_has_the_name_of_the_host() {
    let machine = Machine::with_acme();
    machine.added_hook("acme", &machine.acme_shell("git push -f"));
    assert!(machine.decisions().contains("\"host\":\"acme\""), "{}", machine.decisions());
}
