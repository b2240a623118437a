//! A project on disk, in which hooks answer: files, a repository, and a policy of every pack and of every effect.

use std::fs;
use std::path::Path;

use hookrules::Engine;
use hookrules::packs::PACKS;

use super::policies::without_commands;
use super::write;

const FILES: &[(&str, &str)] = &[
    (".git/HEAD", "ref: refs/heads/main\n"),
    (".git/config", "[remote \"origin\"]\n\turl = https://example.com/x.git\n[branch \"main\"]\n\tremote = origin\n"),
    (".gitignore", ".env\n/target\nnode_modules/\n"),
    (".env", "TOKEN=1\n"),
    ("Cargo.toml", "[package]\nname = \"x\"\n"),
    ("README.md", "# x\n"),
    ("src/main.rs", "fn main() {}\n"),
    ("x.sh", "rm -rf \"$1\"\ngit push --force\n"),
    ("scripts/clean.sh", "#!/bin/sh\ncd build && rm -rf *\n. ./x.sh\n"),
    ("package.json", "{\"scripts\": {\"test\": \"rm -rf dist && jest\"}}\n"),
    ("Makefile", "clean:\n\trm -rf build\n"),
];

/// What rules do, each found by a command `gate-N`: every effect, and commands with every kind of result.
const EFFECTS: &[&str] = &[
    "warn \"Look at this.\"",
    "context \"Read this.\"",
    "ask \"Sure?\"",
    "deny \"No.\"",
    "halt \"Stop.\"",
    "allow",
    "exit 2 \"Blocked.\"",
    "exit 1 \"Told.\"",
    "rewrite runs \"gate-*\" to \"gate-rewritten\"",
    "rewrite tool_input.description = \"Other.\"",
    "run \"echo fine\" { show_stdout: true }",
    "run \"echo bad >&2; exit 1\"",
    "run \"echo bad >&2; exit 2\"",
    "run \"echo out; exit 3\" { on_fail: deny, message: \"It fails.\" }",
    "run \"exit 3\" { on_fail: warn, message: \"It fails.\" }",
    "run \"echo why; exit 3\" { on_fail: context }",
    "run \"exit 3\" { on_fail: ignore }",
    "run \"echo known\" { output: context }",
    "run [\"cat\"] { output: context }",
    "run [\"gate-no-such-program\"] { on_fail: deny }",
];

/// Payloads that are damaged, or that no event of the schema is about.
pub const PAYLOADS: &[(&str, &str)] = &[
    ("nothing", ""),
    ("no object", "[]"),
    ("cut", r#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"#),
    ("another event", r#"{"hook_event_name": "Another", "tool_name": "Bash", "tool_input": {"command": "rm -rf /"}}"#),
    ("no tool", r#"{"hook_event_name": "PreToolUse", "tool_input": {"command": "ls"}}"#),
    ("no input", r#"{"hook_event_name": "PreToolUse", "tool_name": "Bash"}"#),
    ("no text", r#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": 5}}"#),
    ("start", r#"{"hook_event_name": "SessionStart", "session_id": "s", "source": "startup"}"#),
];

/// Returns the commands that have an effect each, and some that have several.
pub fn effects() -> impl Iterator<Item = String> {
    let all = 0..EFFECTS.len();
    let pairs = all.clone().map(|at| format!("gate-{at}; gate-{}", (at * 7 + 3) % EFFECTS.len()));
    all.map(|at| format!("gate-{at}")).chain(pairs)
}

/// Writes the project, and returns its path.
pub fn make(root: &Path) -> Result<String, String> {
    let _absent = fs::remove_dir_all(root);
    let project = root.join("project");
    for (path, text) in FILES {
        write(&project.join(path), text)?;
    }
    let packs: String = PACKS.iter().map(|(name, text)| without_commands(name, text)).collect();
    let rule = |(at, effect): (usize, &&str)| {
        format!("\nrule gate-{at} {{\n  on PreToolUse\n  when runs \"gate-{at}\"\n  {effect}\n}}\n")
    };
    let policy = packs + &EFFECTS.iter().enumerate().map(rule).collect::<String>();
    write(&project.join(".rules/project.rules"), &policy)?;
    // A policy that does not load would be answered by the failure policy alone.
    match Engine::load([&project]) {
        Ok(_) => Ok(project.to_string_lossy().into_owned()),
        Err(error) => Err(format!("the policy of hooks does not load: {error:#}")),
    }
}
