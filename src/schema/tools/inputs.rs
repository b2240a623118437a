//! The members of the built-in tools' inputs. A member is required if the host refuses a call without it.

use super::super::{Field, FieldType, optional, required};

const ISOLATION: FieldType = FieldType::Enum(&["worktree", "remote"]);
const AGENT_MODES: FieldType =
    FieldType::Enum(&["acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan"]);
const TASK_STATES: FieldType = FieldType::Enum(&["pending", "in_progress", "completed", "deleted"]);

/// The input members that are a number of milliseconds.
const MILLISECONDS: &[&str] = &["timeout", "timeout_ms"];

/// Whether an input member of a built-in tool is a number of milliseconds.
#[must_use]
pub fn is_milliseconds(member: &str) -> bool {
    MILLISECONDS.contains(&member)
}

pub(super) const SHELL: &[Field] = &[
    required("command", FieldType::String, "The text for the shell."),
    optional("timeout", FieldType::Number, "The time limit, in milliseconds."),
    optional("description", FieldType::String, "The agent's description of it."),
    optional("run_in_background", FieldType::Boolean, "Whether the agent goes on without waiting for it."),
    optional("dangerouslyDisableSandbox", FieldType::Boolean, "Whether it runs outside the host's sandbox."),
];

pub(super) const MONITOR: &[Field] = &[
    required("description", FieldType::String, "The agent's description of what it watches."),
    optional("timeout_ms", FieldType::Number, "The duration of the watch, in milliseconds."),
    optional("command", FieldType::String, "The text for the shell; each line of its output is an event."),
    optional(
        "ws",
        FieldType::Object(&[
            required("url", FieldType::String, "The address."),
            optional("protocols", FieldType::List(&FieldType::String), "The sub-protocols."),
        ]),
        "The web socket to watch instead of a command.",
    ),
];

pub(super) const READ: &[Field] = &[
    required("file_path", FieldType::Path, "The file; the host makes it absolute."),
    optional("offset", FieldType::Number, "The first line."),
    optional("limit", FieldType::Number, "The number of lines."),
    optional("pages", FieldType::String, "The pages of a PDF, such as `1-5`."),
    optional("allow_large", FieldType::Boolean, "Whether a large file is read whole."),
];

pub(super) const WRITE: &[Field] = &[
    required("file_path", FieldType::Path, "The file; the host makes it absolute."),
    required("content", FieldType::String, "Its whole new content."),
];

const FILE: Field = required("file_path", FieldType::Path, "The file; the host makes it absolute.");
const OLD_STRING: Field = required("old_string", FieldType::String, "The text that is replaced.");
const NEW_STRING: Field = required("new_string", FieldType::String, "The text that replaces it.");
const REPLACE_ALL: Field = optional("replace_all", FieldType::Boolean, "Whether every occurrence is replaced.");

pub(super) const EDIT: &[Field] = &[FILE, OLD_STRING, NEW_STRING, REPLACE_ALL];

pub(super) const MULTI_EDIT: &[Field] = &[
    FILE,
    required(
        "edits",
        FieldType::List(&FieldType::Object(&[OLD_STRING, NEW_STRING, REPLACE_ALL])),
        "The edits, in order.",
    ),
];

pub(super) const NOTEBOOK_EDIT: &[Field] = &[
    required("notebook_path", FieldType::Path, "The notebook; the host makes it absolute."),
    optional("cell_id", FieldType::String, "The cell."),
    required("new_source", FieldType::String, "The cell's new source."),
    optional("cell_type", FieldType::Enum(&["code", "markdown"]), "The kind of cell."),
    optional("edit_mode", FieldType::Enum(&["replace", "insert", "delete"]), "The change to the cell."),
];

pub(super) const GLOB: &[Field] = &[
    required("pattern", FieldType::String, "The glob; only names are listed."),
    optional("path", FieldType::Path, "The directory to look in; without it the current one."),
];

pub(super) const GREP: &[Field] = &[
    required("pattern", FieldType::String, "The regular expression."),
    optional("path", FieldType::Path, "The file or directory to look in; without it the current one."),
    optional("glob", FieldType::String, "Only files that match."),
    optional(
        "output_mode",
        FieldType::Enum(&["content", "files_with_matches", "count"]),
        "Whether lines, names or counts are returned.",
    ),
    optional("-A", FieldType::Number, "Lines after a match."),
    optional("-B", FieldType::Number, "Lines before a match."),
    optional("-C", FieldType::Number, "Lines around a match."),
    optional("context", FieldType::Number, "Lines around a match."),
    optional("-n", FieldType::Boolean, "Whether lines are numbered."),
    optional("-i", FieldType::Boolean, "Whether case is ignored."),
    optional("-o", FieldType::Boolean, "Whether only the matching part is returned."),
    optional("type", FieldType::String, "Only files of this type, such as `rust`."),
    optional("head_limit", FieldType::Number, "The maximum number of results."),
    optional("offset", FieldType::Number, "The number of results to skip."),
    optional("multiline", FieldType::Boolean, "Whether a match may span lines."),
];

pub(super) const LSP: &[Field] = &[
    required("operation", FieldType::String, "The operation, such as `goToDefinition`."),
    optional("filePath", FieldType::Path, "The file, absolute or from the current directory."),
    optional("line", FieldType::Number, "The line, from 1."),
    optional("character", FieldType::Number, "The character in the line, from 1."),
    optional("query", FieldType::String, "The symbol to search for."),
];

pub(super) const AGENT: &[Field] = &[
    required("description", FieldType::String, "The task in a few words."),
    required("prompt", FieldType::String, "The prompt for the subagent."),
    optional("subagent_type", FieldType::String, "The type as the model writes it; the host reads it loosely."),
    optional("model", FieldType::String, "The model, such as `haiku`."),
    optional("effort", FieldType::Enum(&["low", "medium", "high", "xhigh", "max"]), "Its reasoning effort."),
    optional("run_in_background", FieldType::Boolean, "Whether the agent goes on without waiting for it."),
    optional("name", FieldType::String, "The name by which others address it."),
    optional("isolation", ISOLATION, "Whether it works in a worktree of its own, or on another machine."),
    optional("team_name", FieldType::String, "The team's name; the host is about to drop it."),
    optional("mode", AGENT_MODES, "Its permission mode; the host is about to drop it."),
];

pub(super) const WEB_FETCH: &[Field] = &[
    required("url", FieldType::String, "The address."),
    required("prompt", FieldType::String, "The question about the page."),
    optional("offset", FieldType::Number, "The position in a long page at which to continue."),
];

pub(super) const WEB_SEARCH: &[Field] = &[
    required("query", FieldType::String, "The search query."),
    optional("allowed_domains", FieldType::List(&FieldType::String), "Only results from these."),
    optional("blocked_domains", FieldType::List(&FieldType::String), "No results from these."),
];

pub(super) const TODO_WRITE: &[Field] = &[required(
    "todos",
    FieldType::List(&FieldType::Object(&[
        required("content", FieldType::String, "The task."),
        required("status", FieldType::Enum(&["pending", "in_progress", "completed"]), "Its status."),
        required("activeForm", FieldType::String, "The text to show while it is in progress."),
    ])),
    "The whole list.",
)];

pub(super) const TASK_CREATE: &[Field] = &[
    required("subject", FieldType::String, "The task in one line."),
    required("description", FieldType::String, "The full description of the task."),
    optional("activeForm", FieldType::String, "The text to show while it is in progress."),
    optional("metadata", FieldType::Any, "Other data that the agent attaches."),
];

pub(super) const TASK_GET: &[Field] = &[required("taskId", FieldType::String, "The task.")];

pub(super) const TASK_STOP: &[Field] = &[
    optional("task_id", FieldType::String, "The background task."),
    optional("shell_id", FieldType::String, "The background task, by its old name."),
];

pub(super) const TASK_UPDATE: &[Field] = &[
    required("taskId", FieldType::String, "The task."),
    optional("subject", FieldType::String, "The task in one line."),
    optional("description", FieldType::String, "The full description of the task."),
    optional("activeForm", FieldType::String, "The text to show while it is in progress."),
    optional("status", TASK_STATES, "Its status."),
    optional("addBlocks", FieldType::List(&FieldType::String), "The tasks that it blocks."),
    optional("addBlockedBy", FieldType::List(&FieldType::String), "The tasks that block it."),
    optional("owner", FieldType::String, "The agent to which it is assigned."),
    optional("metadata", FieldType::Any, "Other data that the agent attaches."),
];

pub(super) const ASK_USER_QUESTION: &[Field] = &[
    required(
        "questions",
        FieldType::List(&FieldType::Object(&[
            required("question", FieldType::String, "The question."),
            required("header", FieldType::String, "Its heading."),
            required(
                "options",
                FieldType::List(&FieldType::Object(&[
                    required("label", FieldType::String, "The answer."),
                    required("description", FieldType::String, "The meaning of the answer."),
                    optional("preview", FieldType::String, "A preview of the answer."),
                ])),
                "The answers to choose from.",
            ),
            optional("multiSelect", FieldType::Boolean, "Whether several may be chosen."),
        ])),
        "The questions.",
    ),
    optional("answers", FieldType::Any, "The answers, by question; a rewrite may give them."),
    optional("annotations", FieldType::Any, "The user's notes on the answers."),
    optional("metadata", FieldType::Any, "Other data that the agent attaches."),
];

pub(super) const EXIT_PLAN_MODE: &[Field] = &[
    optional("plan", FieldType::String, "The plan, inserted by the host."),
    optional("planFilePath", FieldType::Path, "The plan's file, inserted by the host."),
    optional(
        "allowedPrompts",
        FieldType::Any,
        "The permissions that the plan requested; the host is about to drop the member.",
    ),
];

pub(super) const ENTER_WORKTREE: &[Field] = &[
    optional("name", FieldType::String, "The name of a new worktree."),
    optional("path", FieldType::Path, "An existing worktree."),
];

pub(super) const EXIT_WORKTREE: &[Field] = &[
    required("action", FieldType::Enum(&["keep", "remove"]), "The action on the worktree."),
    optional("discard_changes", FieldType::Boolean, "Whether uncommitted work may be lost."),
];

pub(super) const SCHEDULE_WAKEUP: &[Field] = &[
    optional("delaySeconds", FieldType::Number, "The waiting time, in seconds."),
    optional("reason", FieldType::String, "The reason."),
    optional("prompt", FieldType::String, "The prompt that is sent then."),
    optional("stop", FieldType::Boolean, "Whether the loop ends."),
    optional("noop", FieldType::Boolean, "Whether there was nothing to do this time."),
];

pub(super) const CRON_CREATE: &[Field] = &[
    required("cron", FieldType::String, "Its schedule, as a cron expression."),
    required("prompt", FieldType::String, "The prompt that is sent then."),
    optional("recurring", FieldType::Boolean, "Whether it recurs."),
    optional("durable", FieldType::Boolean, "Whether it survives the session."),
];

pub(super) const CRON_DELETE: &[Field] = &[required("id", FieldType::String, "The schedule.")];

pub(super) const SKILL: &[Field] =
    &[required("skill", FieldType::String, "The skill's name."), optional("args", FieldType::String, "Its arguments.")];

pub(super) const TOOL_SEARCH: &[Field] = &[
    required("query", FieldType::String, "The search query."),
    optional("max_results", FieldType::Number, "The maximum number of results."),
];

pub(super) const MCP_SERVER: &[Field] = &[optional("server", FieldType::String, "Only resources of this server.")];

pub(super) const MCP_RESOURCE: &[Field] =
    &[required("server", FieldType::String, "The server."), required("uri", FieldType::String, "The resource.")];

pub(super) const PUSH_NOTIFICATION: &[Field] = &[
    required("message", FieldType::String, "The text for the user."),
    optional("status", FieldType::String, "The reason for the notification, such as `proactive`."),
];

pub(super) const REMOTE_TRIGGER: &[Field] = &[
    required("action", FieldType::String, "The action, such as `create` or `run`."),
    optional("trigger_id", FieldType::String, "The trigger."),
    optional("session_id", FieldType::String, "The remote session."),
    optional("cursor", FieldType::String, "The position at which a listing continues."),
    optional("body", FieldType::Any, "The trigger's settings."),
];

pub(super) const WORKFLOW: &[Field] = &[
    optional("script", FieldType::String, "The workflow's own script."),
    optional("name", FieldType::String, "The name of a workflow that exists."),
    optional("description", FieldType::String, "Ignored by the host."),
    optional("title", FieldType::String, "Ignored by the host."),
    optional("args", FieldType::Any, "The arguments of the script."),
    optional("scriptPath", FieldType::Path, "The file with the script; it takes precedence over `script` and `name`."),
    optional("resumeFromRunId", FieldType::String, "The earlier run whose results are used again."),
];

pub(super) const PROJECTS: &[Field] = &[
    required("method", FieldType::String, "The action, such as `project_write`."),
    optional(
        "path",
        FieldType::String,
        "The document's place in the hosted project, which is not a file on this machine.",
    ),
    optional("content", FieldType::String, "The document's text."),
    optional("local_path", FieldType::Path, "The file that is uploaded."),
    optional("present_to_user", FieldType::Boolean, "Whether the user is notified of it."),
    optional("query", FieldType::String, "The search query."),
    optional("n", FieldType::Number, "The maximum number of results."),
];

pub(super) const ARTIFACT: &[Field] = &[
    optional("action", FieldType::String, "The action, such as `publish` or `read_asset`; `publish` if absent."),
    optional("file_path", FieldType::Path, "The file that is published or uploaded."),
    optional("file_paths", FieldType::List(&FieldType::Path), "The files that are uploaded."),
    optional("url", FieldType::String, "The artifact."),
    optional("title", FieldType::String, "Its title."),
    optional("description", FieldType::String, "A description in one sentence."),
    optional("label", FieldType::String, "A name for this version."),
    optional("favicon", FieldType::String, "Its icon, by an old name."),
    optional("icon", FieldType::String, "Its icon."),
    optional("prompt", FieldType::String, "The question about the artifact."),
    optional("force", FieldType::Boolean, "Whether a newer version is overwritten."),
    optional("pin", FieldType::Boolean, "Whether it is pinned."),
    optional("out_dir", FieldType::Path, "The directory that an asset is saved in."),
    optional("asset_id", FieldType::String, "The asset."),
    optional("scope", FieldType::String, "The owners whose artifacts are listed."),
    optional("limit", FieldType::Number, "The maximum number that is listed."),
    optional("page_token", FieldType::String, "The position at which a listing continues."),
    optional("after", FieldType::String, "The position at which a listing of assets continues."),
    optional("capabilities", FieldType::Any, "The capabilities that the page may use when it runs."),
    optional("contract", FieldType::String, "The version of the interface that the page may rely on."),
];
