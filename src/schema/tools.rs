//! The table of built-in tools: the members of their input, and which of these are a command, a file or a URL.
//!
//! Old names are kept, so that a policy for an older host keeps its meaning.

mod inputs;
mod outputs;

pub use inputs::is_milliseconds;
pub use outputs::{OUTPUT, is_word_of_output};

use super::{FileInput, ToolShell, ToolSpec};

/// The input members, of any tool, with the text that the tool writes to a file. For several edits, the texts are in
/// the `new_string`s of the member `edits`.
pub const WRITTEN_TEXTS: &[&str] = &["content", "new_string", "new_source"];

/// The name of the tool that starts a subagent.
pub const AGENT: &str = "Agent";

/// The former name of the tool [`AGENT`].
pub const FORMER_AGENT: &str = "Task";

/// The row of a tool without a command, file or URL, from which the other rows are made.
const TOOL_WITHOUT_FILES: ToolSpec = ToolSpec {
    name: "",
    input: &[],
    command: None,
    shell: ToolShell::None,
    url: None,
    searches: false,
    files: &[],
    example_text: None,
};

/// The input member that the functions below copy and change.
const FILE_WITHOUT_ACCESS: FileInput =
    FileInput { member: "", reads: false, writes: false, recursive: false, glob: false };

/// Creates an input member with the path of a file that the tool reads.
const fn reads(member: &'static str) -> FileInput {
    FileInput { member, reads: true, ..FILE_WITHOUT_ACCESS }
}

/// Creates an input member with a path below which the tool reads files.
const fn reads_below(member: &'static str) -> FileInput {
    FileInput { member, reads: true, recursive: true, ..FILE_WITHOUT_ACCESS }
}

/// Creates an input member with a glob whose matching files the tool reads.
const fn reads_matching(member: &'static str) -> FileInput {
    FileInput { member, reads: true, recursive: true, glob: true, ..FILE_WITHOUT_ACCESS }
}

/// Creates an input member with the path of a file that the tool writes.
const fn writes(member: &'static str) -> FileInput {
    FileInput { member, writes: true, ..FILE_WITHOUT_ACCESS }
}

/// Creates an input member with the path of a directory below which the tool writes files.
const fn writes_below(member: &'static str) -> FileInput {
    FileInput { member, writes: true, recursive: true, ..FILE_WITHOUT_ACCESS }
}

const BASH: ToolSpec = ToolSpec {
    name: "Bash",
    input: inputs::SHELL,
    command: Some("command"),
    shell: ToolShell::Bash,
    example_text: Some("command"),
    ..TOOL_WITHOUT_FILES
};

const EDIT: ToolSpec = ToolSpec {
    name: "Edit",
    input: inputs::EDIT,
    files: &[writes("file_path")],
    example_text: Some("file_path"),
    ..TOOL_WITHOUT_FILES
};

/// Every built-in tool whose input is documented, sorted by name.
pub const TOOLS: &[ToolSpec] = &[
    ToolSpec { name: AGENT, input: inputs::AGENT, example_text: Some("prompt"), ..TOOL_WITHOUT_FILES },
    ToolSpec {
        name: "Artifact",
        input: inputs::ARTIFACT,
        url: Some("url"),
        files: &[reads("file_path"), reads("file_paths"), writes_below("out_dir")],
        example_text: Some("file_path"),
        ..TOOL_WITHOUT_FILES
    },
    ToolSpec { name: "AskUserQuestion", input: inputs::ASK_USER_QUESTION, ..TOOL_WITHOUT_FILES },
    BASH,
    ToolSpec { name: "CronCreate", input: inputs::CRON_CREATE, example_text: Some("prompt"), ..TOOL_WITHOUT_FILES },
    ToolSpec { name: "CronDelete", input: inputs::CRON_DELETE, example_text: Some("id"), ..TOOL_WITHOUT_FILES },
    ToolSpec { name: "CronList", ..TOOL_WITHOUT_FILES },
    EDIT,
    ToolSpec { name: "EnterPlanMode", ..TOOL_WITHOUT_FILES },
    ToolSpec { name: "EnterWorktree", input: inputs::ENTER_WORKTREE, example_text: Some("path"), ..TOOL_WITHOUT_FILES },
    ToolSpec { name: "ExitPlanMode", input: inputs::EXIT_PLAN_MODE, example_text: Some("plan"), ..TOOL_WITHOUT_FILES },
    ToolSpec { name: "ExitWorktree", input: inputs::EXIT_WORKTREE, example_text: Some("action"), ..TOOL_WITHOUT_FILES },
    ToolSpec {
        name: "Glob",
        input: inputs::GLOB,
        files: &[reads_below("path"), reads_matching("pattern")],
        example_text: Some("pattern"),
        ..TOOL_WITHOUT_FILES
    },
    ToolSpec {
        name: "Grep",
        input: inputs::GREP,
        files: &[reads_below("path"), reads_matching("glob")],
        example_text: Some("path"),
        ..TOOL_WITHOUT_FILES
    },
    ToolSpec {
        name: "LSP",
        input: inputs::LSP,
        files: &[reads("filePath")],
        example_text: Some("filePath"),
        ..TOOL_WITHOUT_FILES
    },
    ToolSpec {
        name: "ListMcpResourcesTool",
        input: inputs::MCP_SERVER,
        example_text: Some("server"),
        ..TOOL_WITHOUT_FILES
    },
    ToolSpec {
        name: "Monitor",
        input: inputs::MONITOR,
        command: Some("command"),
        shell: ToolShell::Bash,
        example_text: Some("command"),
        ..TOOL_WITHOUT_FILES
    },
    ToolSpec { name: "MultiEdit", input: inputs::MULTI_EDIT, ..EDIT },
    ToolSpec {
        name: "NotebookEdit",
        input: inputs::NOTEBOOK_EDIT,
        files: &[writes("notebook_path")],
        example_text: Some("notebook_path"),
        ..TOOL_WITHOUT_FILES
    },
    ToolSpec { name: "PowerShell", shell: ToolShell::PowerShell, ..BASH },
    ToolSpec {
        name: "Projects",
        input: inputs::PROJECTS,
        files: &[reads("local_path")],
        example_text: Some("local_path"),
        ..TOOL_WITHOUT_FILES
    },
    ToolSpec {
        name: "PushNotification",
        input: inputs::PUSH_NOTIFICATION,
        example_text: Some("message"),
        ..TOOL_WITHOUT_FILES
    },
    ToolSpec {
        name: "Read",
        input: inputs::READ,
        files: &[reads("file_path")],
        example_text: Some("file_path"),
        ..TOOL_WITHOUT_FILES
    },
    ToolSpec {
        name: "ReadMcpResourceDirTool",
        input: inputs::MCP_RESOURCE,
        files: &[reads_below("uri")],
        example_text: Some("uri"),
        ..TOOL_WITHOUT_FILES
    },
    ToolSpec {
        name: "ReadMcpResourceTool",
        input: inputs::MCP_RESOURCE,
        files: &[reads("uri")],
        example_text: Some("uri"),
        ..TOOL_WITHOUT_FILES
    },
    ToolSpec {
        name: "RemoteTrigger",
        input: inputs::REMOTE_TRIGGER,
        example_text: Some("action"),
        ..TOOL_WITHOUT_FILES
    },
    ToolSpec {
        name: "ScheduleWakeup",
        input: inputs::SCHEDULE_WAKEUP,
        example_text: Some("prompt"),
        ..TOOL_WITHOUT_FILES
    },
    ToolSpec { name: "Skill", input: inputs::SKILL, example_text: Some("skill"), ..TOOL_WITHOUT_FILES },
    ToolSpec { name: "TaskCreate", input: inputs::TASK_CREATE, example_text: Some("subject"), ..TOOL_WITHOUT_FILES },
    ToolSpec { name: "TaskGet", input: inputs::TASK_GET, example_text: Some("taskId"), ..TOOL_WITHOUT_FILES },
    ToolSpec { name: "TaskList", ..TOOL_WITHOUT_FILES },
    ToolSpec { name: "TaskStop", input: inputs::TASK_STOP, example_text: Some("task_id"), ..TOOL_WITHOUT_FILES },
    ToolSpec { name: "TaskUpdate", input: inputs::TASK_UPDATE, example_text: Some("taskId"), ..TOOL_WITHOUT_FILES },
    ToolSpec { name: "TodoWrite", input: inputs::TODO_WRITE, ..TOOL_WITHOUT_FILES },
    ToolSpec { name: "ToolSearch", input: inputs::TOOL_SEARCH, example_text: Some("query"), ..TOOL_WITHOUT_FILES },
    ToolSpec {
        name: "WebFetch",
        input: inputs::WEB_FETCH,
        url: Some("url"),
        example_text: Some("url"),
        ..TOOL_WITHOUT_FILES
    },
    ToolSpec {
        name: "WebSearch",
        input: inputs::WEB_SEARCH,
        example_text: Some("query"),
        searches: true,
        ..TOOL_WITHOUT_FILES
    },
    ToolSpec {
        name: "Workflow",
        input: inputs::WORKFLOW,
        files: &[reads("scriptPath")],
        example_text: Some("scriptPath"),
        ..TOOL_WITHOUT_FILES
    },
    ToolSpec {
        name: "Write",
        input: inputs::WRITE,
        files: &[writes("file_path")],
        example_text: Some("file_path"),
        ..TOOL_WITHOUT_FILES
    },
];

/// Built-in tools whose input is not documented, and former tools of older hosts: any member is possible in their
/// input.
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

/// Whether a text is the name of a built-in tool, or begins as the names of MCP servers' tools do.
#[must_use]
pub fn is_tool_name(text: &str) -> bool {
    text.starts_with("mcp__") || TOOLS.iter().any(|tool| tool.name == text)
}

/// Returns the current name of a tool: `Agent` for `Task`, which older hosts still send. Any other name is returned
/// unchanged.
#[must_use]
pub fn current_tool_name(name: &str) -> &str {
    if name == FORMER_AGENT { AGENT } else { name }
}

/// Returns the row of a tool, by its current or its former name; `None` if the tool has no row.
#[must_use]
pub fn tool_spec(name: &str) -> Option<&'static ToolSpec> {
    let name = current_tool_name(name);
    TOOLS.iter().find(|tool| tool.name == name)
}
