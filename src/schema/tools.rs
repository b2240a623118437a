//! The built-in tools: the members of their input, and which of them is a command, a file or a URL.
//!
//! Old names stay, so that a policy for an older host keeps its meaning.

mod inputs;
mod outputs;

pub use inputs::is_milliseconds;
pub use outputs::{OUTPUT, is_word_of_output};

use super::{FileInput, Shell, ToolSpec};

/// The members of any tool's input that hold the written text; the texts of several edits are in `edits`, each in a
/// `new_string`.
pub const WRITTEN_TEXTS: &[&str] = &["content", "new_string", "new_source"];

/// The tool that starts a subagent.
pub const AGENT: &str = "Agent";

/// Its former name.
pub const FORMER_AGENT: &str = "Task";

/// A tool that takes no command, file or URL.
const PLAIN: ToolSpec = ToolSpec {
    name: "",
    input: &[],
    command: None,
    shell: Shell::None,
    url: None,
    searches: false,
    files: &[],
    example_text: None,
};

const UNTOUCHED: FileInput = FileInput { member: "", reads: false, writes: false, recursive: false, glob: false };

const fn reads(member: &'static str) -> FileInput {
    FileInput { member, reads: true, ..UNTOUCHED }
}

const fn reads_below(member: &'static str) -> FileInput {
    FileInput { member, reads: true, recursive: true, ..UNTOUCHED }
}

const fn reads_matching(member: &'static str) -> FileInput {
    FileInput { member, reads: true, recursive: true, glob: true, ..UNTOUCHED }
}

const fn writes(member: &'static str) -> FileInput {
    FileInput { member, writes: true, ..UNTOUCHED }
}

const fn writes_below(member: &'static str) -> FileInput {
    FileInput { member, writes: true, recursive: true, ..UNTOUCHED }
}

const BASH: ToolSpec = ToolSpec {
    name: "Bash",
    input: inputs::SHELL,
    command: Some("command"),
    shell: Shell::Bash,
    example_text: Some("command"),
    ..PLAIN
};

const EDIT: ToolSpec = ToolSpec {
    name: "Edit",
    input: inputs::EDIT,
    files: &[writes("file_path")],
    example_text: Some("file_path"),
    ..PLAIN
};

/// Every built-in tool whose input is known, by name.
pub const TOOLS: &[ToolSpec] = &[
    ToolSpec { name: AGENT, input: inputs::AGENT, example_text: Some("prompt"), ..PLAIN },
    ToolSpec {
        name: "Artifact",
        input: inputs::ARTIFACT,
        url: Some("url"),
        files: &[reads("file_path"), reads("file_paths"), writes_below("out_dir")],
        example_text: Some("file_path"),
        ..PLAIN
    },
    ToolSpec { name: "AskUserQuestion", input: inputs::ASK_USER_QUESTION, ..PLAIN },
    BASH,
    ToolSpec { name: "CronCreate", input: inputs::CRON_CREATE, example_text: Some("prompt"), ..PLAIN },
    ToolSpec { name: "CronDelete", input: inputs::CRON_DELETE, example_text: Some("id"), ..PLAIN },
    ToolSpec { name: "CronList", ..PLAIN },
    EDIT,
    ToolSpec { name: "EnterPlanMode", ..PLAIN },
    ToolSpec { name: "EnterWorktree", input: inputs::ENTER_WORKTREE, example_text: Some("path"), ..PLAIN },
    ToolSpec { name: "ExitPlanMode", input: inputs::EXIT_PLAN_MODE, example_text: Some("plan"), ..PLAIN },
    ToolSpec { name: "ExitWorktree", input: inputs::EXIT_WORKTREE, example_text: Some("action"), ..PLAIN },
    ToolSpec {
        name: "Glob",
        input: inputs::GLOB,
        files: &[reads_below("path"), reads_matching("pattern")],
        example_text: Some("pattern"),
        ..PLAIN
    },
    ToolSpec {
        name: "Grep",
        input: inputs::GREP,
        files: &[reads_below("path"), reads_matching("glob")],
        example_text: Some("path"),
        ..PLAIN
    },
    ToolSpec { name: "LSP", input: inputs::LSP, files: &[reads("filePath")], example_text: Some("filePath"), ..PLAIN },
    ToolSpec { name: "ListMcpResourcesTool", input: inputs::MCP_SERVER, example_text: Some("server"), ..PLAIN },
    ToolSpec {
        name: "Monitor",
        input: inputs::MONITOR,
        command: Some("command"),
        shell: Shell::Bash,
        example_text: Some("command"),
        ..PLAIN
    },
    ToolSpec { name: "MultiEdit", input: inputs::MULTI_EDIT, ..EDIT },
    ToolSpec {
        name: "NotebookEdit",
        input: inputs::NOTEBOOK_EDIT,
        files: &[writes("notebook_path")],
        example_text: Some("notebook_path"),
        ..PLAIN
    },
    ToolSpec { name: "PowerShell", shell: Shell::PowerShell, ..BASH },
    ToolSpec {
        name: "Projects",
        input: inputs::PROJECTS,
        files: &[reads("local_path")],
        example_text: Some("local_path"),
        ..PLAIN
    },
    ToolSpec { name: "PushNotification", input: inputs::PUSH_NOTIFICATION, example_text: Some("message"), ..PLAIN },
    ToolSpec {
        name: "Read",
        input: inputs::READ,
        files: &[reads("file_path")],
        example_text: Some("file_path"),
        ..PLAIN
    },
    ToolSpec {
        name: "ReadMcpResourceDirTool",
        input: inputs::MCP_RESOURCE,
        files: &[reads_below("uri")],
        example_text: Some("uri"),
        ..PLAIN
    },
    ToolSpec {
        name: "ReadMcpResourceTool",
        input: inputs::MCP_RESOURCE,
        files: &[reads("uri")],
        example_text: Some("uri"),
        ..PLAIN
    },
    ToolSpec { name: "RemoteTrigger", input: inputs::REMOTE_TRIGGER, example_text: Some("action"), ..PLAIN },
    ToolSpec { name: "ScheduleWakeup", input: inputs::SCHEDULE_WAKEUP, example_text: Some("prompt"), ..PLAIN },
    ToolSpec { name: "Skill", input: inputs::SKILL, example_text: Some("skill"), ..PLAIN },
    ToolSpec { name: "TaskCreate", input: inputs::TASK_CREATE, example_text: Some("subject"), ..PLAIN },
    ToolSpec { name: "TaskGet", input: inputs::TASK_GET, example_text: Some("taskId"), ..PLAIN },
    ToolSpec { name: "TaskList", ..PLAIN },
    ToolSpec { name: "TaskStop", input: inputs::TASK_STOP, example_text: Some("task_id"), ..PLAIN },
    ToolSpec { name: "TaskUpdate", input: inputs::TASK_UPDATE, example_text: Some("taskId"), ..PLAIN },
    ToolSpec { name: "TodoWrite", input: inputs::TODO_WRITE, ..PLAIN },
    ToolSpec { name: "ToolSearch", input: inputs::TOOL_SEARCH, example_text: Some("query"), ..PLAIN },
    ToolSpec { name: "WebFetch", input: inputs::WEB_FETCH, url: Some("url"), example_text: Some("url"), ..PLAIN },
    ToolSpec { name: "WebSearch", input: inputs::WEB_SEARCH, example_text: Some("query"), searches: true, ..PLAIN },
    ToolSpec {
        name: "Workflow",
        input: inputs::WORKFLOW,
        files: &[reads("scriptPath")],
        example_text: Some("scriptPath"),
        ..PLAIN
    },
    ToolSpec {
        name: "Write",
        input: inputs::WRITE,
        files: &[writes("file_path")],
        example_text: Some("file_path"),
        ..PLAIN
    },
];

/// Built-in tools whose input is undocumented, and those of older hosts: their members are open.
pub const OTHER_TOOLS: &[&str] = &[
    "BashOutput",
    "ClaudeDesign",
    "EndConversation",
    "KillShell",
    "ListAgents",
    "OfferChromeSetup",
    "ReadNotifications",
    "ReportFindings",
    "SendFeedback",
    "SendMessage",
    "SendUserFile",
    "SendUserMessage",
    "SetGoal",
    "ShareOnboardingGuide",
    "ShowOnboardingRolePicker",
    "SubagentHandback",
    "TaskOutput",
    "WaitForMcpServers",
    "propose_skills",
];

/// Returns the current name of a tool: `Task` became `Agent`, and hosts of either age are in use. Any other name is
/// unchanged.
#[must_use]
pub fn current_tool_name(name: &str) -> &str {
    if name == FORMER_AGENT { AGENT } else { name }
}

/// Returns the row of a tool, by its current or its former name.
#[must_use]
pub fn tool(name: &str) -> Option<&'static ToolSpec> {
    let name = current_tool_name(name);
    TOOLS.iter().find(|tool| tool.name == name)
}
