//! The registration with agents other than Claude Code: written, undone byte for byte, reviewed, and tried out.

use std::process::Command;

use hookrules::host::Host;
use serde_json::{Value as Json, json};

use crate::machine::{Machine, Printed, send};

const POLICY: &str =
    "rule no-force-push {\n  on PreToolUse\n  when runs \"git push --force\"\n  deny \"Push without --force.\"\n}\n";

impl Machine {
    /// Returns a command in which no variable moves the settings of an agent, with `rules` on the PATH.
    fn agent_command(&self, args: &[&str]) -> Command {
        let mut command = self.command(args);
        for name in ["CODEX_HOME", "COPILOT_HOME", "QWEN_HOME"] {
            command.env_remove(name);
        }
        self.put_on_path(&mut command);
        command
    }

    #[track_caller]
    fn agent_rules(&self, args: &[&str]) -> Printed {
        Printed::of(&send(self.agent_command(args), b""))
    }

    #[track_caller]
    fn install_with(&self, args: &[&str]) -> Printed {
        let printed = self.agent_rules(&[&["install"], args, &["--yes"]].concat());
        assert_eq!(printed.exit, 0, "{args:?}: {printed:?}");
        printed
    }

    /// Returns the messages of `rules doctor` with a status.
    fn doctor_says(&self, status: &str) -> Vec<String> {
        let printed = self.agent_rules(&["doctor", "--json"]);
        let found: Json = serde_json::from_str(&printed.stdout).unwrap_or_else(|error| panic!("{error}: {printed:?}"));
        let checks = found["checks"].as_array().unwrap().iter().filter(|check| check["status"] == status);
        checks.map(|check| check["message"].as_str().unwrap().to_owned()).collect()
    }
}

/// Joins the words of a text, because where a line wraps depends on the directory's name.
pub(crate) fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Every path below the project and the home, with the text of files.
fn files(machine: &Machine) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open = vec![machine.path("project"), machine.path("home")];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                found.push((path.display().to_string(), text));
            }
        }
    }
    found.sort();
    found
}

/// The agents with settings that are written, each with the options that it has.
const INSTALLED: &[(&str, &[&str])] = &[
    ("antigravity", &["--project", "--user"]),
    ("auggie", &["--project", "--user"]),
    ("cline", &["--project", "--user"]),
    ("codex", &["--project", "--user"]),
    ("copilot", &["--project", "--user"]),
    ("cursor", &["--project", "--user"]),
    ("droid", &["--project", "--user"]),
    ("gemini", &["--project", "--user"]),
    ("kimi", &["--user"]),
    ("opencode", &["--project", "--user"]),
    ("qwen", &["--project", "--user"]),
    ("wave", &["--project", "--user"]),
    ("windsurf", &["--project", "--user"]),
];

#[test]
fn every_agent_is_installed_tried_and_removed_without_a_trace() {
    let machine = Machine::with(POLICY);
    let before = files(&machine);
    for (name, options) in INSTALLED {
        let title = Host::from_name(name).unwrap().title();
        for option in *options {
            let printed = machine.install_with(&[name, option]);
            assert!(printed.stdout.contains("registered"), "{printed:?}");
            assert_ne!(files(&machine), before, "{name} {option}");
            let again = machine.install_with(&[name, option]);
            assert!(unwrapped(&again.stdout).contains("registered already"), "{again:?}");
            let found = machine.doctor_says("ok");
            assert!(
                found.iter().any(|message| message.starts_with(&format!("with {title} for "))),
                "{name}: {found:?}"
            );
            let denied = found.iter().any(|message| message.contains("ms, and denied one without a tool"));
            assert!(denied, "{name}: {found:?}");
            assert_eq!(machine.doctor_says("deny"), [""; 0], "{name} {option}");
            let gone = machine.agent_rules(&["uninstall", name, option, "--yes"]);
            assert_eq!(gone.exit, 0, "{gone:?}");
            assert_eq!(files(&machine), before, "{name} {option}");
        }
    }
    let all = Host::all().filter(|host| !INSTALLED.iter().any(|(name, _)| *name == host.name()));
    for host in all.filter(|host| *host != Host::CLAUDE_CODE) {
        let printed = machine.agent_rules(&["install", host.name(), "--yes"]);
        let why = host.not_called().or_else(|| host.not_installable()).unwrap();
        assert!(printed.exit == 1 && printed.stderr.contains(why.trim_end_matches('.')), "{printed:?}");
        assert_eq!(files(&machine), before, "{host:?}");
    }
}

#[test]
fn what_is_registered_denies_as_the_agent_starts_it() {
    let payloads = [
        ("codex", ".codex/hooks.json", "/hooks/PreToolUse/0/hooks/0/command"),
        ("gemini", ".gemini/settings.json", "/hooks/BeforeTool/0/hooks/0/command"),
        ("qwen", ".qwen/settings.json", "/hooks/PreToolUse/0/hooks/0/command"),
        ("copilot", ".github/hooks/rules.json", "/hooks/PreToolUse/0/bash"),
        ("cursor", ".cursor/hooks.json", "/hooks/preToolUse/0/command"),
    ];
    for (name, file, pointer) in payloads {
        let machine = Machine::with(POLICY);
        machine.install_with(&[name]);
        let settings: Json = serde_json::from_str(&machine.read(&format!("project/{file}"))).unwrap();
        let line = settings.pointer(pointer).unwrap().as_str().unwrap().to_owned();
        let host = Host::from_name(name).unwrap();
        let project = machine.path("project");
        let mut call = host.sample_call(&project.display().to_string()).unwrap();
        let (tool, input) = match name {
            "gemini" | "qwen" => ("run_shell_command", "tool_input"),
            "cursor" => ("Shell", "tool_input"),
            "copilot" => ("bash", if call.get("toolName").is_some() { "toolArgs" } else { "tool_input" }),
            _ => ("Bash", "tool_input"),
        };
        let name_of_tool = if call.get("toolName").is_some() { "toolName" } else { "tool_name" };
        call[name_of_tool] = json!(tool);
        call[input] = json!({ "command": "git push --force" });
        let path = format!("{}:/usr/bin:/bin", machine.path("bin").display());
        let mut command = Command::new("sh");
        command.args(["-c", &line]).current_dir(&project).env("HOME", machine.path("home")).env("PATH", path);
        if let Some(variable) = host.project_variable() {
            command.env(variable, &project);
        }
        let printed = Printed::of(&send(command, call.to_string().as_bytes()));
        let told = format!("{}{}", printed.stdout, printed.stderr);
        assert!(told.contains("Push without --force."), "{name}: {call} {printed:?}");
    }
}

#[test]
fn what_the_user_must_trust_is_said_and_never_written() {
    let machine = Machine::with(POLICY);
    let printed = machine.install_with(&["codex"]);
    assert!(unwrapped(&printed.stdout).contains("approved it in `/hooks`"), "{printed:?}");
    assert!(machine.exists("project/.codex/hooks.json") && !machine.exists("home/.codex"));
    let printed = machine.install_with(&["gemini"]);
    assert!(unwrapped(&printed.stdout).contains("a folder that you have trusted"), "{printed:?}");
    assert!(!machine.exists("home/.gemini"));
    let notes = machine.doctor_says("info").join("\n");
    assert!(notes.contains("approved it in `/hooks`") && notes.contains("trusted"), "{notes}");
}

#[test]
fn a_refused_installation_changes_nothing() {
    let machine = Machine::with(POLICY);
    machine.write("project/.codex/hooks.json", "{\"hooks\": {}, \"version\": 1}");
    machine.write("project/.cline/hooks/PreToolUse", "#!/bin/sh\n./guard.sh\n");
    machine.write("project/.gemini/settings.json", "{\n  // mine\n  \"a\": 1,\n}");
    machine.write("project/.factory/settings.json", "{\n  // mine\n}");
    let before = files(&machine);
    for (args, expected) in [
        (&["codex", "--yes"][..], "because of the member `version`, Codex CLI ignores the whole file"),
        (&["cline", "--yes"], "there is another hook for PreToolUse"),
        (&["droid", "--yes"], "2:3: comments are not allowed; nothing was changed"),
        (&["gemini", "--yes"], "3:9: trailing commas are not allowed; nothing was changed"),
        (&["qwen"], "there is no terminal to ask at"),
        (&["codex", "--local", "--yes"], "`--local` is about Claude Code"),
        (&["codex", "--any-version", "--yes"], "`--any-version` is about Claude Code"),
        (&["kimi", "--project", "--yes"], "has no settings of a project"),
    ] {
        let printed = machine.agent_rules(&[&["install"], args].concat());
        assert!(printed.exit == 1 && unwrapped(&printed.stderr).contains(expected), "{args:?}: {printed:?}");
        assert_eq!(files(&machine), before, "{args:?}");
    }
    let shown = machine.agent_rules(&["install", "qwen", "--dry-run"]);
    assert!(shown.exit == 0 && shown.stdout.contains("+ "), "{shown:?}");
    assert_eq!(files(&machine), before);
    // Nothing is written through a link of the project, at any level.
    std::fs::create_dir(machine.path("home/elsewhere")).unwrap();
    machine.link(machine.path("home/elsewhere"), "project/.github");
    let printed = machine.agent_rules(&["install", "copilot", "--yes"]);
    assert!(printed.exit == 1 && printed.stderr.contains("link"), "{printed:?}");
}

#[test]
fn comments_that_an_agent_reads_stay_to_the_byte() {
    let machine = Machine::with(POLICY);
    let gemini = "// The team's settings.\r\n{\r\n  \"ui\": {\"theme\": \"a // b\"}, // not \"dark\"\r\n  \"hooks\": {\r\n    \
                  \"BeforeTool\": [ /* none yet */ ] /* later: [ */\r\n  }\r\n  // \"mcpServers\": {}\r\n}\r\n";
    let auggie = "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"./guard.sh\"},]}, // ours\n    ],\n  },\n}\n";
    machine.write("project/.gemini/settings.json", gemini);
    machine.write("project/.augment/settings.json", auggie);
    let before = files(&machine);
    for (name, title, path, kept) in [
        ("gemini", "Gemini CLI", "project/.gemini/settings.json", "{\"theme\": \"a // b\"}, // not \"dark\"\r\n"),
        ("auggie", "Auggie", "project/.augment/settings.json", "\"./guard.sh\"},]}, // ours\n"),
    ] {
        machine.install_with(&[name, "--project"]);
        let text = machine.read(path);
        assert!(text.contains(kept) && text.contains(&format!("rules hook {name}")), "{text}");
        let again = machine.install_with(&[name, "--project"]);
        assert!(unwrapped(&again.stdout).contains("registered already"), "{again:?}");
        assert_eq!(machine.read(path), text);
        let found = machine.doctor_says("ok");
        assert!(found.iter().any(|message| message.starts_with(&format!("with {title} for "))), "{found:?}");
        assert!(found.iter().any(|message| message.contains("answered a harmless call")), "{found:?}");
        assert_eq!(machine.doctor_says("deny"), [""; 0], "{name}");
        let gone = machine.agent_rules(&["uninstall", name, "--project", "--yes"]);
        assert_eq!(gone.exit, 0, "{gone:?}");
        assert_eq!(files(&machine), before, "{name}");
    }
}

#[test]
fn a_variable_moves_the_settings_of_the_user_and_pass_stays_chosen() {
    let machine = Machine::with(POLICY);
    let elsewhere = machine.path("home/elsewhere");
    for args in [
        &["install", "codex", "--user", "--yes", "--pass=--state-dir=/s"][..],
        &["install", "codex", "--user", "--yes"],
    ] {
        let mut command = machine.agent_command(args);
        command.env("CODEX_HOME", &elsewhere);
        let printed = Printed::of(&send(command, b""));
        assert_eq!(printed.exit, 0, "{printed:?}");
        let text = machine.read("home/elsewhere/hooks.json");
        assert!(text.contains("--scope user") && text.contains("--state-dir=/s"), "{text}");
    }
    assert!(!machine.exists("home/.codex"));
}

#[test]
fn an_executable_is_one_and_is_started_as_one() {
    let machine = Machine::with(POLICY);
    machine.install_with(&["cline"]);
    let path = "project/.cline/hooks/PreToolUse";
    assert!(machine.read(path).starts_with("#!/bin/sh\nexec rules hook cline --scope project --require-policy\n"));
    let mode = crate::system::mode(machine.path(path));
    assert_eq!(mode & 0o777, 0o755);
    machine.mode(path, 0o644);
    let found = machine.doctor_says("deny").join("\n");
    assert!(found.contains("cannot be started"), "{found}");
}

#[test]
fn doctor_finds_what_is_in_the_way_of_other_agents() {
    let codex = |command: &str, event: &str, timeout: u32| {
        json!({ "hooks": { event: [{ "hooks": [{ "type": "command", "command": command, "timeout": timeout }] }] } })
            .to_string()
    };
    let gemini = codex("rules hook gemini --scope project", "BeforeTool", 60);
    let copilot =
        json!({ "version": 1, "hooks": { "PreToolUse": [{ "type": "command", "bash": "rules hook copilot" }] } });
    let line = "rules hook codex --scope project";
    for (file, text, status, expected) in [
        (".codex/hooks.json", codex(line, "PreToolUse", 60), "ok", "with Codex CLI for PreToolUse"),
        (".codex/hooks.json", codex(line, "PreToolUse", 60), "info", "no hook is registered with Claude Code"),
        (".codex/hooks.json", codex(line, "BeforeTool", 60), "deny", "Codex CLI has no event `BeforeTool`"),
        (
            ".codex/hooks.json",
            codex(line, "BeforeTool", 60),
            "deny",
            "no hook is registered with Codex CLI for PreToolUse",
        ),
        (
            ".codex/hooks.json",
            codex(line, "PreToolUse", 60_000),
            "warning",
            "a timeout of 60000 is 60000 s for Codex CLI",
        ),
        (".codex/hooks.json", codex("/nowhere/rules hook codex", "PreToolUse", 60), "deny", "its program is not there"),
        (".codex/hooks.json", codex("rules hook codex --bogus", "PreToolUse", 60), "deny", "--bogus"),
        (".codex/hooks.json", codex("rules hook gemini", "PreToolUse", 60), "warning", "is not `rules hook codex`"),
        (
            ".codex/hooks.json",
            codex(line, "PreToolUse", 60).replacen('{', "{\"x\": 1,", 1),
            "deny",
            "because of the member `x`",
        ),
        (".codex/hooks.json", format!("{{ {line}"), "deny", "Codex CLI cannot read the file"),
        (".gemini/settings.json", gemini.clone(), "deny", "a timeout of 60 is 0.06 s for Gemini CLI"),
        (".github/hooks/rules.json", copilot.to_string(), "ok", "with Copilot CLI for PreToolUse"),
    ] {
        let machine = Machine::with(POLICY);
        machine.write(&format!("project/{file}"), &text);
        let found = machine.doctor_says(status);
        assert!(found.iter().any(|message| message.contains(expected)), "{text}: {expected}: {found:#?}");
    }
    // Copilot CLI also runs the hooks of Claude Code's project settings.
    let machine = Machine::with(POLICY);
    machine.install_with(&["claude-code", "--project"]);
    let printed = machine.install_with(&["copilot"]);
    assert!(unwrapped(&printed.stdout).contains("so it calls the hook twice"), "{printed:?}");
    assert!(machine.doctor_says("info").iter().any(|message| message.contains("so it calls the hook twice")));
    machine.install_with(&["copilot", "--user"]);
    let found = machine.doctor_says("info");
    assert!(found.iter().any(|message| message.contains("for the user and the project, so Copilot CLI")), "{found:?}");
}

#[test]
fn agents_that_are_found_are_listed_and_installed_together() {
    let machine = Machine::with(POLICY);
    let nothing = machine.agent_rules(&["install", "--yes"]);
    assert!(nothing.exit == 1 && nothing.stderr.contains("no coding agent was found here"), "{nothing:?}");
    std::fs::create_dir_all(machine.path("home/.codex")).unwrap();
    std::fs::create_dir_all(machine.path("project/.opencode")).unwrap();
    std::fs::create_dir_all(machine.path("project/.amp")).unwrap();
    machine.write("bin/qwen", "#!/bin/sh\n").mode("bin/qwen", 0o755);
    machine.write("bin/claude", "#!/bin/sh\nexit 1\n").mode("bin/claude", 0o755);
    let before = files(&machine);
    let asked = machine.agent_rules(&["install"]);
    assert!(asked.exit == 1 && asked.stderr.contains("add `--yes`"), "{asked:?}");
    let listed = unwrapped(&asked.stdout);
    for expected in [
        "/home/.codex obeys deny, rewrite, context; not as written: ask, allow writes .codex/hooks.json trust Codex CLI",
        "Qwen Code found `qwen` on the PATH",
        "Claude Code found `claude` on the PATH obeys deny, ask, allow, rewrite, context writes .claude/settings.local.json",
        "OpenCode found .opencode obeys deny, rewrite, context; not as written: ask, allow writes .opencode/plugins/rules.js",
        "Amp found .amp obeys deny, rewrite; not as written: ask, allow, context writes nothing: Amp calls no programs",
    ] {
        assert!(listed.contains(expected), "{expected}: {listed}");
    }
    assert!(asked.stdout.lines().all(|line| line.chars().count() <= 80), "{}", asked.stdout);
    assert!(machine.agent_rules(&["install", "--dry-run"]).stdout.contains("+ "));
    assert_eq!(files(&machine), before);
    machine.install_with(&[]);
    for file in
        [".codex/hooks.json", ".qwen/settings.json", ".claude/settings.local.json", ".opencode/plugins/rules.js"]
    {
        assert!(machine.exists(&format!("project/{file}")), "{file}");
    }
    assert!(!machine.exists("home/.qwen"));
    let installed =
        [("codex", "--project"), ("qwen", "--project"), ("claude-code", "--local"), ("opencode", "--project")];
    for (host, option) in installed {
        assert_eq!(machine.agent_rules(&["uninstall", host, option, "--yes"]).exit, 0);
    }
    assert_eq!(files(&machine), before);
}
