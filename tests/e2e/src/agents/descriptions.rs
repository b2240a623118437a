//! The agents, and how each is configured and started so that it runs offline and asks nobody.

use serde_json::json;

use super::cases::Outcome;
use super::{Agent, Call, Dialect, File, Outcomes, Program, Scope};

/// The agents that are played.
pub(crate) const AGENTS: &[Agent] = &[CODEX, COPILOT, COPILOT_CAMEL, QWEN, GEMINI, OPENCODE, CLINE];

const CODEX: Agent = Agent {
    name: "codex",
    version: "0.171.0",
    variant: "",
    plays_by_default: true,
    program: Program::Linked("codex"),
    dialect: Dialect::Responses,
    scope: Scope::Project,
    files: &[
        file(
            "home/.codex/config.toml",
            r#"model = "gpt-5.5"
model_provider = "loop"

[model_providers.loop]
name = "loop"
base_url = "{url}/v1"
env_key = "LOOP_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[projects."{project}"]
trust_level = "trusted"
"#,
        ),
        file(
            "project/.codex/hooks.json",
            r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "{hook}"}]}], "Stop": [{"hooks": [{"type": "command", "command": "{hook}"}]}]}}"#,
        ),
    ],
    setup: &[],
    words: &[
        "exec",
        "--skip-git-repo-check",
        // Nobody can approve the hook in a headless run.
        "--dangerously-bypass-hook-trust",
        "--dangerously-bypass-approvals-and-sandbox",
        "{prompt}",
    ],
    again: &[
        "exec",
        "--skip-git-repo-check",
        "--dangerously-bypass-hook-trust",
        "--dangerously-bypass-approvals-and-sandbox",
        "resume",
        "--last",
        "{prompt}",
    ],
    environment: &[("LOOP_KEY", "dummy")],
    shell: |command| Call { tool: "exec_command", input: json!({ "cmd": command }) },
    write: |path| Call {
        tool: "apply_patch",
        input: json!(format!("*** Begin Patch\n*** Add File: {path}\n+text\n*** End Patch\n")),
    },
    outcomes: Outcomes {
        denied_file: Outcome::Denied,
        missing: Outcome::Runs,
        killed: Outcome::Runs,
        warned: Outcome::Runs,
    },
};

const COPILOT: Agent = Agent {
    name: "copilot",
    version: "1.0.102",
    variant: "",
    plays_by_default: false,
    program: Program::Linked("copilot"),
    dialect: Dialect::ChatCompletions,
    scope: Scope::User,
    files: &[file(
        "home/.copilot/hooks/rules.json",
        r#"{"version": 1, "hooks": {"PreToolUse": [{"type": "command", "bash": "{hook}"}], "Stop": [{"type": "command", "bash": "{hook}"}]}}"#,
    )],
    setup: &[],
    words: &["--allow-all-tools", "--allow-all-paths", "-p", "{prompt}"],
    again: &["--allow-all-tools", "--allow-all-paths", "--continue", "-p", "{prompt}"],
    environment: &[
        ("COPILOT_PROVIDER_BASE_URL", "{url}/v1"),
        ("COPILOT_PROVIDER_API_KEY", "dummy"),
        ("COPILOT_MODEL", "gpt-4.1"),
        ("COPILOT_OFFLINE", "true"),
        ("COPILOT_AUTO_UPDATE", "false"),
    ],
    shell: |command| Call { tool: "bash", input: json!({ "command": command, "description": "Do it" }) },
    write: |path| Call { tool: "create", input: json!({ "path": path, "file_text": "text" }) },
    outcomes: Outcomes {
        denied_file: Outcome::Denied,
        missing: Outcome::DeniedUntold,
        killed: Outcome::DeniedUntold,
        warned: Outcome::Runs,
    },
};

/// The other dialect of its hooks, which the spelling of the event chooses.
const COPILOT_CAMEL: Agent = Agent {
    variant: "preToolUse",
    files: &[file(
        "home/.copilot/hooks/rules.json",
        r#"{"version": 1, "hooks": {"preToolUse": [{"type": "command", "bash": "{hook}"}], "agentStop": [{"type": "command", "bash": "{hook}"}]}}"#,
    )],
    ..COPILOT
};

const QWEN: Agent = Agent {
    name: "qwen",
    version: "0.24.4",
    variant: "",
    plays_by_default: false,
    program: Program::Linked("qwen"),
    dialect: Dialect::ChatCompletions,
    scope: Scope::Project,
    files: &[
        file(
            "home/.qwen/settings.json",
            r#"{"security": {"auth": {"selectedType": "openai"}}, "general": {"enableAutoUpdate": false}, "privacy": {"usageStatisticsEnabled": false}}"#,
        ),
        file(
            "project/.qwen/settings.json",
            r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "{hook}"}]}], "PostToolUse": [{"hooks": [{"type": "command", "command": "{hook}"}]}], "PostToolUseFailure": [{"hooks": [{"type": "command", "command": "{hook}"}]}], "Stop": [{"hooks": [{"type": "command", "command": "{hook}"}]}]}}"#,
        ),
    ],
    setup: &[],
    words: &["--auth-type", "openai", "--yolo", "-o", "text", "-p", "{prompt}"],
    again: &["--auth-type", "openai", "--yolo", "-o", "text", "--continue", "-p", "{prompt}"],
    environment: &[("OPENAI_API_KEY", "dummy"), ("OPENAI_BASE_URL", "{url}/v1"), ("OPENAI_MODEL", "fake")],
    shell: |command| Call {
        tool: "run_shell_command",
        input: json!({ "command": command, "description": "Do it", "is_background": false }),
    },
    write: |path| Call { tool: "write_file", input: json!({ "file_path": path, "content": "text" }) },
    outcomes: Outcomes {
        denied_file: Outcome::Denied,
        missing: Outcome::Runs,
        killed: Outcome::Runs,
        warned: Outcome::RunsShown,
    },
};

const GEMINI: Agent = Agent {
    name: "gemini",
    version: "0.61.0",
    variant: "",
    plays_by_default: false,
    program: Program::Linked("gemini"),
    dialect: Dialect::Gemini,
    scope: Scope::User,
    files: &[file(
        "home/.gemini/settings.json",
        r#"{
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "general": {"enableAutoUpdate": false},
  "privacy": {"usageStatisticsEnabled": false},
  "hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "{hook}"}]}], "AfterAgent": [{"hooks": [{"type": "command", "command": "{hook}"}]}]}
}
"#,
    )],
    setup: &[],
    words: &["-m", "gemini-2.5-flash", "-o", "text", "--yolo", "--skip-trust", "-p", "{prompt}"],
    again: &["-m", "gemini-2.5-flash", "-o", "text", "--yolo", "--skip-trust", "--resume", "latest", "-p", "{prompt}"],
    environment: &[("GEMINI_API_KEY", "dummy"), ("GOOGLE_GEMINI_BASE_URL", "{url}")],
    shell: |command| Call { tool: "run_shell_command", input: json!({ "command": command, "description": "Do it" }) },
    write: |path| Call { tool: "write_file", input: json!({ "file_path": path, "content": "text" }) },
    outcomes: Outcomes {
        denied_file: Outcome::Denied,
        missing: Outcome::Denied,
        killed: Outcome::Runs,
        warned: Outcome::RunsShown,
    },
};

const OPENCODE: Agent = Agent {
    name: "opencode",
    version: "1.18.33",
    variant: "",
    plays_by_default: false,
    program: Program::Packaged("opencode-", "bin/opencode"),
    dialect: Dialect::ChatCompletions,
    scope: Scope::Project,
    files: &[
        file(
            "home/.config/opencode/opencode.json",
            r#"{
  "$schema": "https://opencode.ai/config.json", "autoupdate": false, "share": "disabled",
  "model": "loop/fake", "small_model": "loop/fake",
  "provider": {"loop": {
    "npm": "@ai-sdk/openai-compatible", "name": "loop", "options": {"baseURL": "{url}/v1", "apiKey": "dummy"},
    "models": {"fake": {"name": "fake", "tool_call": true, "limit": {"context": 100000, "output": 4000}}}
  }}
}
"#,
        ),
        file("project/.opencode/plugins/rules.js", "{bridge}"),
        // The bridge finds the program by its name.
        script("bin/rules", "#!/bin/sh\nexec '{program}' \"$@\"{directories}\n"),
    ],
    setup: &[],
    words: &["run", "--format", "json", "--auto", "{prompt}"],
    again: &["run", "--format", "json", "--auto", "--continue", "{prompt}"],
    environment: &[("npm_config_fetch_retries", "0")],
    shell: |command| Call { tool: "bash", input: json!({ "command": command, "description": "Do it" }) },
    write: |path| Call { tool: "write", input: json!({ "filePath": path, "content": "text" }) },
    outcomes: Outcomes {
        denied_file: Outcome::Denied,
        missing: Outcome::Denied,
        killed: Outcome::Denied,
        warned: Outcome::Runs,
    },
};

const CLINE: Agent = Agent {
    name: "cline",
    version: "3.0.65",
    variant: "",
    plays_by_default: false,
    program: Program::Linked("cline"),
    dialect: Dialect::ChatCompletions,
    scope: Scope::Project,
    files: &[script("project/.cline/hooks/PreToolUse", "#!/bin/sh\nexec {hook}\n")],
    setup: &["auth", "openai-compatible", "--apikey", "dummy", "--modelid", "fake", "--baseurl", "{url}/v1"],
    words: &["--json", "-P", "openai-compatible", "-m", "fake", "{prompt}"],
    again: &[],
    // Without this, a session leaves a process behind that all sessions share.
    environment: &[("CLINE_SESSION_BACKEND_MODE", "local")],
    shell: |command| Call { tool: "run_commands", input: json!({ "commands": [command] }) },
    write: |path| Call { tool: "editor", input: json!({ "path": path, "new_text": "text" }) },
    outcomes: Outcomes {
        denied_file: Outcome::Ends,
        missing: Outcome::Runs,
        killed: Outcome::Runs,
        warned: Outcome::Runs,
    },
};

const fn file(at: &'static str, text: &'static str) -> File {
    File { at, text, is_executable: false }
}

const fn script(at: &'static str, text: &'static str) -> File {
    File { at, text, is_executable: true }
}
