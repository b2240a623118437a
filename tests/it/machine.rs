//! A separate machine for each test: project, account, administrator and state in one temporary directory.
//!
//! Every spawned process sees only these directories, and every answer of the hook is checked against the host's
//! contract before a test examines it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value as Json, json};
use tempfile::TempDir;

use crate::source::{self, read};
use crate::system;

/// The directories of one machine.
pub(crate) struct Machine {
    root: TempDir,
}

/// An answer of `rules hook`.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) exit: i32,
    pub(crate) stderr: String,
    /// The one object on standard output; null if there is none.
    pub(crate) json: Json,
    /// Messages to the user that are deferred to a later event.
    pub(crate) held: Vec<String>,
}

/// The output of any other command.
#[derive(Debug)]
pub(crate) struct Printed {
    pub(crate) exit: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Machine {
    pub(crate) fn new() -> Self {
        let machine = Self { root: tempfile::tempdir().unwrap() };
        for directory in ["project", "user", "managed", "state", "home"] {
            fs::create_dir(machine.path(directory)).unwrap();
        }
        machine.write("project/.git/HEAD", "ref: refs/heads/main\n");
        machine
    }

    /// Creates a machine with one policy in its project.
    pub(crate) fn with(policy: &str) -> Self {
        let machine = Self::new();
        machine.write("project/.rules/project.rules", policy);
        machine
    }

    /// Returns a path below the machine's root, with links resolved.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        hookrules_shell::path::join(&system::resolved(self.root.path()), path.as_ref())
    }

    /// Returns the path escaped for shell text, wherever temporary directories are.
    pub(crate) fn in_shell(&self, path: &str) -> String {
        let path = self.path(path);
        let is_plain = |c: char| c.is_alphanumeric() || "/._-".contains(c);
        let escaped =
            path.to_str().unwrap().chars().map(|c| if is_plain(c) { c.to_string() } else { format!("\\{c}") });
        escaped.collect()
    }

    pub(crate) fn write(&self, path: &str, text: &str) -> &Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// Registers the hook in the project's settings, like `rules install`.
    pub(crate) fn register(&self) -> &Self {
        let handler = json!({
            "type": "command", "command": system::program(), "args": ["hook", "claude-code"], "timeout": 60,
            "onFailure": "block",
        });
        let settings = json!({ "hooks": { "PreToolUse": [{ "matcher": "*", "hooks": [handler] }] } });
        self.write("project/.claude/settings.json", &settings.to_string())
    }

    pub(crate) fn read(&self, path: &str) -> String {
        let path = self.path(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    pub(crate) fn exists(&self, path: &str) -> bool {
        self.path(path).symlink_metadata().is_ok()
    }

    pub(crate) fn mode(&self, path: &str, mode: u32) -> &Self {
        system::set_mode(self.path(path), mode);
        self
    }

    /// Creates a pipe without a writer: opening it blocks forever.
    pub(crate) fn fifo(&self, path: &str) -> &Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        system::make_fifo(&path);
        self
    }

    pub(crate) fn link(&self, target: impl AsRef<Path>, path: &str) -> &Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        system::link(target, path);
        self
    }

    /// Returns a payload captured from a real host, moved into this machine's project.
    #[track_caller]
    pub(crate) fn captured(&self, name: &str) -> Json {
        let text = read(format!("tests/fixtures/payloads/claude-code/{name}.json"));
        let project = self.path("project");
        serde_json::from_str(&text.replace("/home/dev/proj", project.to_str().unwrap())).unwrap()
    }

    /// Returns every captured payload whose name has this prefix, with its name.
    pub(crate) fn all_captured(&self, prefix: &str) -> Vec<(String, Json)> {
        let root = "tests/fixtures/payloads/claude-code";
        let (version, begins) = prefix.split_once('/').unwrap();
        let names = std::fs::read_dir(source::root().join(root).join(version)).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let names = names.filter_map(|name| name.strip_suffix(".json").map(str::to_owned));
        let mut names: Vec<String> = names.filter(|name| name.starts_with(begins)).collect();
        names.sort();
        names.into_iter().map(|name| (name.clone(), self.captured(&format!("{version}/{name}")))).collect()
    }

    /// Returns a call of the shell tool, as sent by the host.
    pub(crate) fn bash(&self, command: &str) -> Json {
        let mut payload = self.captured("2.1.330/PreToolUse.Bash");
        payload["tool_input"]["command"] = json!(command);
        payload
    }

    /// Puts the program on the `PATH` of a command, as `rules` in the directory `bin` of the machine.
    pub(crate) fn put_on_path(&self, command: &mut Command) {
        if !self.exists("bin/rules") {
            fs::create_dir_all(self.path("bin")).unwrap();
            self.link(system::program(), "bin/rules");
        }
        command.env("PATH", format!("{}:/usr/bin:/bin", self.path("bin").display()));
    }

    /// Returns a call of a file tool; the path is relative to the machine's root.
    pub(crate) fn file(&self, tool: &str, path: &str) -> Json {
        let mut payload = self.captured("2.1.330/PreToolUse.Read");
        payload["tool_name"] = json!(tool);
        payload["tool_input"] = json!({ "file_path": self.path(path) });
        if tool == "Write" {
            payload["tool_input"]["content"] = json!("text\n");
        }
        payload
    }

    /// Returns an event with only the members that every event has.
    pub(crate) fn event(&self, name: &str) -> Json {
        json!({ "session_id": "s", "cwd": self.path("project"), "hook_event_name": name })
    }

    /// Returns the command for the program in this machine's environment.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(system::program());
        command.args(args).env("HOME", self.path("home")).current_dir(self.path("project"));
        const UNSET: &[&str] = &[
            "AI_AGENT",
            "CLAUDE_PROJECT_DIR",
            "CLAUDE_CONFIG_DIR",
            "WAVE_PROJECT_DIR",
            "GITHUB_ACTIONS",
            "NO_COLOR",
            "RUST_BACKTRACE",
            "COLUMNS",
            "TERM",
        ];
        for name in UNSET {
            command.env_remove(name);
        }
        command.env("LC_ALL", "C.UTF-8");
        command
    }

    /// Returns `rules hook` with this machine's directories.
    pub(crate) fn hook_command(&self, args: &[&str]) -> Command {
        self.host_command("hook", args)
    }

    /// Returns a command that hosts call, `hook` or the name of an event, with this machine's directories. It is
    /// registered by the project, so its policy needs no trust.
    pub(crate) fn host_command(&self, name: &str, args: &[&str]) -> Command {
        self.registered(name, "project", args)
    }

    /// Returns a command that hosts call, registered in this scope.
    pub(crate) fn registered(&self, name: &str, scope: &str, args: &[&str]) -> Command {
        let mut command = self.command(&[name]);
        command.args(args).args(["--scope", scope]);
        for (option, directory) in [("--config-dir", "user"), ("--managed-dir", "managed"), ("--state-dir", "state")] {
            command.arg(option).arg(self.path(directory));
        }
        command.env("CLAUDE_PROJECT_DIR", self.path("project"));
        command
    }

    /// Answers an event.
    #[track_caller]
    pub(crate) fn hook(&self, payload: &Json) -> Reply {
        self.hook_bytes(payload.to_string().as_bytes())
    }

    /// Answers arbitrary bytes.
    #[track_caller]
    pub(crate) fn hook_bytes(&self, bytes: &[u8]) -> Reply {
        self.forget_claims();
        let reply = Reply::of(&send(self.hook_command(&["claude-code"]), bytes));
        Reply { held: self.held(), ..reply }
    }

    /// Answers an event like a hook in the user's settings, which requires trust.
    #[track_caller]
    pub(crate) fn user_hook(&self, payload: &Json) -> Reply {
        self.forget_claims();
        let reply = Reply::of(&send(self.registered("hook", "user", &[]), payload.to_string().as_bytes()));
        Reply { held: self.held(), ..reply }
    }

    /// Runs `rules trust` or `rules untrust` with this machine's directories, in the project.
    #[track_caller]
    pub(crate) fn trust(&self, args: &[&str]) -> Printed {
        let mut command = self.command(args);
        for (option, directory) in [("--config-dir", "user"), ("--managed-dir", "managed"), ("--state-dir", "state")] {
            command.arg(option).arg(self.path(directory));
        }
        Printed::of(&send(command, b""))
    }

    /// Takes the messages to the user that are deferred to a later event, without the event's name.
    #[track_caller]
    pub(crate) fn held(&self) -> Vec<String> {
        let Ok(files) = fs::read_dir(self.path("state/held")) else { return Vec::new() };
        let mut texts = Vec::new();
        for file in files.map(|file| file.unwrap().path()) {
            for line in fs::read_to_string(&file).unwrap().lines() {
                let text: String = serde_json::from_str(line).unwrap();
                texts.push(text.split_once(": ").expect("an event").1.to_owned());
            }
            fs::remove_file(file).unwrap();
        }
        texts
    }

    /// Lets the next event count as a new one even if the same bytes were answered before: two processes with different
    /// arguments count as two registrations for one event.
    pub(crate) fn forget_claims(&self) {
        let _none = fs::remove_dir_all(self.path("state/claims"));
    }

    /// Handles an event by the command of its name.
    #[track_caller]
    pub(crate) fn handle(&self, event: &str, payload: &Json) -> Printed {
        self.forget_claims();
        Printed::of(&send(self.host_command(event, &[]), payload.to_string().as_bytes()))
    }

    /// Returns the text of the one decision log; empty if there is none.
    #[track_caller]
    pub(crate) fn decisions(&self) -> String {
        let directories: Vec<_> = fs::read_dir(self.path("state/log")).unwrap().collect();
        assert_eq!(directories.len(), 1, "one project, one log");
        let name = directories.into_iter().next().unwrap().unwrap().file_name().into_string().unwrap();
        let path = format!("state/log/{name}/decisions.jsonl");
        if self.exists(&path) { self.read(&path) } else { String::new() }
    }

    /// Runs any other command.
    #[track_caller]
    pub(crate) fn rules(&self, args: &[&str], stdin: &str) -> Printed {
        Printed::of(&send(self.command(args), stdin.as_bytes()))
    }
}

/// Runs a command to its end.
#[track_caller]
pub(crate) fn send(mut command: Command, stdin: &[u8]) -> Output {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("rules starts");
    let mut pipe = child.stdin.take().unwrap();
    let bytes = stdin.to_vec();
    // It may answer without reading all of its input.
    let writer = std::thread::spawn(move || drop(pipe.write_all(&bytes)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

impl Printed {
    #[track_caller]
    pub(crate) fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Self {
            exit: output.status.code().expect("it ended by itself"),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }
}

impl Reply {
    /// Checks an answer against the contract: exit code 0 or 2, and nothing or exactly one object.
    #[track_caller]
    pub(crate) fn of(output: &Output) -> Self {
        let exit = output.status.code().expect("it ended by itself");
        assert!(exit == 0 || exit == 2, "exit {exit}: {output:?}");
        let json = match output.stdout.as_slice() {
            [] => Json::Null,
            bytes => serde_json::from_slice(bytes).unwrap_or_else(|error| panic!("{error}: {output:?}")),
        };
        assert!(json.is_null() || json.is_object(), "{output:?}");
        Self { exit, stderr: String::from_utf8_lossy(&output.stderr).into_owned(), json, held: Vec::new() }
    }

    /// Returns the decision about a call: `allow`, `ask`, `deny`, or empty.
    pub(crate) fn decision(&self) -> &str {
        let specific = &self.json["hookSpecificOutput"];
        let word = [&specific["permissionDecision"], &specific["decision"]["behavior"], &self.json["decision"]];
        word.into_iter().find_map(Json::as_str).unwrap_or("")
    }

    /// Returns the reason.
    pub(crate) fn reason(&self) -> &str {
        let specific = &self.json["hookSpecificOutput"];
        let text = [&specific["permissionDecisionReason"], &specific["decision"]["message"], &self.json["reason"]];
        text.into_iter().find_map(Json::as_str).unwrap_or("")
    }

    /// Returns the message to the user, immediate or deferred.
    pub(crate) fn warning(&self) -> &str {
        self.json["systemMessage"].as_str().or(self.held.first().map(String::as_str)).unwrap_or("")
    }

    /// Returns the message to the agent.
    pub(crate) fn context(&self) -> &str {
        self.json["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or("")
    }

    #[track_caller]
    pub(crate) fn is_silent(&self) {
        assert!(self.exit == 0 && self.json.is_null() && self.stderr.is_empty(), "{self:?}");
    }

    /// Checks that the answer is only a one-time message to the user.
    #[track_caller]
    pub(crate) fn is_silent_but_told(&self) {
        assert!(self.exit == 0 && self.decision().is_empty() && self.stderr.is_empty(), "{self:?}");
    }

    #[track_caller]
    pub(crate) fn denies(&self, part: &str) {
        assert!(matches!(self.decision(), "deny" | "block") && self.reason().contains(part), "{self:?}");
    }

    #[track_caller]
    pub(crate) fn asks(&self, part: &str) {
        assert!(self.exit == 0 && self.decision() == "ask" && self.reason().contains(part), "{self:?}");
    }
}
