//! The members of the tools' inputs. A member is required if the host refuses the call without it.

use super::super::{Field, Type, optional, required};

const ISOLATION: Type = Type::Enum(&["worktree", "remote"]);
const AGENT_MODES: Type = Type::Enum(&["acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan"]);
const TASK_STATES: Type = Type::Enum(&["pending", "in_progress", "completed", "deleted"]);

/// The members of inputs that are in milliseconds.
const MILLISECONDS: &[&str] = &["timeout", "timeout_ms"];

/// Whether a member of the input of a built-in tool is in milliseconds.
#[must_use]
pub fn is_milliseconds(member: &str) -> bool {
    MILLISECONDS.contains(&member)
}

pub(super) const SHELL: &[Field] = &[
    required("command", Type::String, "The text for the shell."),
    optional("timeout", Type::Number, "The time limit, in milliseconds."),
    optional("description", Type::String, "The agent's description of it."),
    optional("run_in_background", Type::Boolean, "Whether the agent goes on without waiting for it."),
    optional("dangerouslyDisableSandbox", Type::Boolean, "Whether it runs outside the host's sandbox."),
];

pub(super) const MONITOR: &[Field] = &[
    required("description", Type::String, "The agent's description of what it watches."),
    optional("timeout_ms", Type::Number, "The duration of the watch, in milliseconds."),
    optional("command", Type::String, "The text for the shell; each line of its output is an event."),
    optional(
        "ws",
        Type::Object(&[
            required("url", Type::String, "The address."),
            optional("protocols", Type::List(&Type::String), "The sub-protocols."),
        ]),
        "The web socket to watch instead of a command.",
    ),
];

pub(super) const READ: &[Field] = &[
    required("file_path", Type::Path, "The file; the host makes it absolute."),
    optional("offset", Type::Number, "The first line."),
    optional("limit", Type::Number, "The number of lines."),
    optional("pages", Type::String, "The pages of a PDF, such as `1-5`."),
    optional("allow_large", Type::Boolean, "Whether a large file is read whole."),
];

pub(super) const WRITE: &[Field] = &[
    required("file_path", Type::Path, "The file; the host makes it absolute."),
    required("content", Type::String, "Its whole new content."),
];

const FILE: Field = required("file_path", Type::Path, "The file; the host makes it absolute.");
const OLD_STRING: Field = required("old_string", Type::String, "The text that is replaced.");
const NEW_STRING: Field = required("new_string", Type::String, "The text that replaces it.");
const REPLACE_ALL: Field = optional("replace_all", Type::Boolean, "Whether every occurrence is replaced.");

pub(super) const EDIT: &[Field] = &[FILE, OLD_STRING, NEW_STRING, REPLACE_ALL];

pub(super) const MULTI_EDIT: &[Field] = &[
    FILE,
    required("edits", Type::List(&Type::Object(&[OLD_STRING, NEW_STRING, REPLACE_ALL])), "The edits, in order."),
];

pub(super) const NOTEBOOK_EDIT: &[Field] = &[
    required("notebook_path", Type::Path, "The notebook; the host makes it absolute."),
    optional("cell_id", Type::String, "The cell."),
    required("new_source", Type::String, "The cell's new source."),
    optional("cell_type", Type::Enum(&["code", "markdown"]), "The kind of cell."),
    optional("edit_mode", Type::Enum(&["replace", "insert", "delete"]), "The change to the cell."),
];

pub(super) const GLOB: &[Field] = &[
    required("pattern", Type::String, "The glob; only names are listed."),
    optional("path", Type::Path, "The directory to look in; without it the current one."),
];

pub(super) const GREP: &[Field] = &[
    required("pattern", Type::String, "The regular expression."),
    optional("path", Type::Path, "The file or directory to look in; without it the current one."),
    optional("glob", Type::String, "Only files that match."),
    optional(
        "output_mode",
        Type::Enum(&["content", "files_with_matches", "count"]),
        "Whether lines, names or counts are returned.",
    ),
    optional("-A", Type::Number, "Lines after a match."),
    optional("-B", Type::Number, "Lines before a match."),
    optional("-C", Type::Number, "Lines around a match."),
    optional("context", Type::Number, "Lines around a match."),
    optional("-n", Type::Boolean, "Whether lines are numbered."),
    optional("-i", Type::Boolean, "Whether case is ignored."),
    optional("-o", Type::Boolean, "Whether only the matching part is returned."),
    optional("type", Type::String, "Only files of this type, such as `rust`."),
    optional("head_limit", Type::Number, "The maximum number of results."),
    optional("offset", Type::Number, "The number of results to skip."),
    optional("multiline", Type::Boolean, "Whether a match may span lines."),
];

pub(super) const LSP: &[Field] = &[
    required("operation", Type::String, "The operation, such as `goToDefinition`."),
    optional("filePath", Type::Path, "The file, absolute or from the current directory."),
    optional("line", Type::Number, "The line, from 1."),
    optional("character", Type::Number, "The character in the line, from 1."),
    optional("query", Type::String, "The symbol to search for."),
];

pub(super) const AGENT: &[Field] = &[
    required("description", Type::String, "The task in a few words."),
    required("prompt", Type::String, "The prompt for the subagent."),
    optional("subagent_type", Type::String, "The type as the model writes it; the host reads it loosely."),
    optional("model", Type::String, "The model, such as `haiku`."),
    optional("effort", Type::Enum(&["low", "medium", "high", "xhigh", "max"]), "Its reasoning effort."),
    optional("run_in_background", Type::Boolean, "Whether the agent goes on without waiting for it."),
    optional("name", Type::String, "The name by which others address it."),
    optional("isolation", ISOLATION, "Whether it works in a worktree of its own, or on another machine."),
    optional("team_name", Type::String, "The team's name; the host is about to drop it."),
    optional("mode", AGENT_MODES, "Its permission mode; the host is about to drop it."),
];

pub(super) const WEB_FETCH: &[Field] = &[
    required("url", Type::String, "The address."),
    required("prompt", Type::String, "The question about the page."),
    optional("offset", Type::Number, "The position in a long page at which to continue."),
];

pub(super) const WEB_SEARCH: &[Field] = &[
    required("query", Type::String, "The search query."),
    optional("allowed_domains", Type::List(&Type::String), "Only results from these."),
    optional("blocked_domains", Type::List(&Type::String), "No results from these."),
];

pub(super) const TODO_WRITE: &[Field] = &[required(
    "todos",
    Type::List(&Type::Object(&[
        required("content", Type::String, "The task."),
        required("status", Type::Enum(&["pending", "in_progress", "completed"]), "Its status."),
        required("activeForm", Type::String, "The text to show while it is in progress."),
    ])),
    "The whole list.",
)];

pub(super) const TASK_CREATE: &[Field] = &[
    required("subject", Type::String, "The task in one line."),
    required("description", Type::String, "The full description of the task."),
    optional("activeForm", Type::String, "The text to show while it is in progress."),
    optional("metadata", Type::Any, "Other data that the agent attaches."),
];

pub(super) const TASK_GET: &[Field] = &[required("taskId", Type::String, "The task.")];

pub(super) const TASK_STOP: &[Field] = &[
    optional("task_id", Type::String, "The background task."),
    optional("shell_id", Type::String, "The background task, by its old name."),
];

pub(super) const TASK_UPDATE: &[Field] = &[
    required("taskId", Type::String, "The task."),
    optional("subject", Type::String, "The task in one line."),
    optional("description", Type::String, "The full description of the task."),
    optional("activeForm", Type::String, "The text to show while it is in progress."),
    optional("status", TASK_STATES, "Its status."),
    optional("addBlocks", Type::List(&Type::String), "The tasks that it blocks."),
    optional("addBlockedBy", Type::List(&Type::String), "The tasks that block it."),
    optional("owner", Type::String, "The agent to which it is assigned."),
    optional("metadata", Type::Any, "Other data that the agent attaches."),
];

pub(super) const ASK_USER_QUESTION: &[Field] = &[
    required(
        "questions",
        Type::List(&Type::Object(&[
            required("question", Type::String, "The question."),
            required("header", Type::String, "Its heading."),
            required(
                "options",
                Type::List(&Type::Object(&[
                    required("label", Type::String, "The answer."),
                    required("description", Type::String, "The meaning of the answer."),
                    optional("preview", Type::String, "A preview of the answer."),
                ])),
                "The answers to choose from.",
            ),
            optional("multiSelect", Type::Boolean, "Whether several may be chosen."),
        ])),
        "The questions.",
    ),
    optional("answers", Type::Any, "The answers, by question; a rewrite may give them."),
    optional("annotations", Type::Any, "The user's notes on the answers."),
    optional("metadata", Type::Any, "Other data that the agent attaches."),
];

pub(super) const EXIT_PLAN_MODE: &[Field] = &[
    optional("plan", Type::String, "The plan, inserted by the host."),
    optional("planFilePath", Type::Path, "The plan's file, inserted by the host."),
    optional(
        "allowedPrompts",
        Type::Any,
        "The permissions that the plan requested; the host is about to drop the member.",
    ),
];

pub(super) const ENTER_WORKTREE: &[Field] = &[
    optional("name", Type::String, "The name of a new worktree."),
    optional("path", Type::Path, "An existing worktree."),
];

pub(super) const EXIT_WORKTREE: &[Field] = &[
    required("action", Type::Enum(&["keep", "remove"]), "The action on the worktree."),
    optional("discard_changes", Type::Boolean, "Whether uncommitted work may be lost."),
];

pub(super) const SCHEDULE_WAKEUP: &[Field] = &[
    optional("delaySeconds", Type::Number, "The waiting time, in seconds."),
    optional("reason", Type::String, "The reason."),
    optional("prompt", Type::String, "The prompt that is sent then."),
    optional("stop", Type::Boolean, "Whether the loop ends."),
    optional("noop", Type::Boolean, "Whether there was nothing to do this time."),
];

pub(super) const CRON_CREATE: &[Field] = &[
    required("cron", Type::String, "Its schedule, as a cron expression."),
    required("prompt", Type::String, "The prompt that is sent then."),
    optional("recurring", Type::Boolean, "Whether it recurs."),
    optional("durable", Type::Boolean, "Whether it survives the session."),
];

pub(super) const CRON_DELETE: &[Field] = &[required("id", Type::String, "The schedule.")];

pub(super) const SKILL: &[Field] =
    &[required("skill", Type::String, "The skill's name."), optional("args", Type::String, "Its arguments.")];

pub(super) const TOOL_SEARCH: &[Field] = &[
    required("query", Type::String, "The search query."),
    optional("max_results", Type::Number, "The maximum number of results."),
];

pub(super) const MCP_SERVER: &[Field] = &[optional("server", Type::String, "Only resources of this server.")];

pub(super) const MCP_RESOURCE: &[Field] =
    &[required("server", Type::String, "The server."), required("uri", Type::String, "The resource.")];

pub(super) const PUSH_NOTIFICATION: &[Field] = &[
    required("message", Type::String, "The text for the user."),
    optional("status", Type::String, "The reason for the notification, such as `proactive`."),
];

pub(super) const REMOTE_TRIGGER: &[Field] = &[
    required("action", Type::String, "The action, such as `create` or `run`."),
    optional("trigger_id", Type::String, "The trigger."),
    optional("session_id", Type::String, "The remote session."),
    optional("cursor", Type::String, "The position at which a listing continues."),
    optional("body", Type::Any, "The trigger's settings."),
];

pub(super) const WORKFLOW: &[Field] = &[
    optional("script", Type::String, "The workflow's own script."),
    optional("name", Type::String, "The name of a workflow that exists."),
    optional("description", Type::String, "Ignored by the host."),
    optional("title", Type::String, "Ignored by the host."),
    optional("args", Type::Any, "The arguments of the script."),
    optional("scriptPath", Type::Path, "The file with the script; it takes precedence over `script` and `name`."),
    optional("resumeFromRunId", Type::String, "The earlier run whose results are used again."),
];

pub(super) const PROJECTS: &[Field] = &[
    required("method", Type::String, "The action, such as `project_write`."),
    optional("path", Type::String, "The document's place in the hosted project, which is not a file on this machine."),
    optional("content", Type::String, "The document's text."),
    optional("local_path", Type::Path, "The file that is uploaded."),
    optional("present_to_user", Type::Boolean, "Whether the user is notified of it."),
    optional("query", Type::String, "The search query."),
    optional("n", Type::Number, "The maximum number of results."),
];

pub(super) const ARTIFACT: &[Field] = &[
    optional("action", Type::String, "The action, such as `publish` or `read_asset`; `publish` if absent."),
    optional("file_path", Type::Path, "The file that is published or uploaded."),
    optional("file_paths", Type::List(&Type::Path), "The files that are uploaded."),
    optional("url", Type::String, "The artifact."),
    optional("title", Type::String, "Its title."),
    optional("description", Type::String, "A description in one sentence."),
    optional("label", Type::String, "A name for this version."),
    optional("favicon", Type::String, "Its icon, by an old name."),
    optional("icon", Type::String, "Its icon."),
    optional("prompt", Type::String, "The question about the artifact."),
    optional("force", Type::Boolean, "Whether a newer version is overwritten."),
    optional("pin", Type::Boolean, "Whether it is pinned."),
    optional("out_dir", Type::Path, "The directory that an asset is saved in."),
    optional("asset_id", Type::String, "The asset."),
    optional("scope", Type::String, "The owners whose artifacts are listed."),
    optional("limit", Type::Number, "The maximum number that is listed."),
    optional("page_token", Type::String, "The position at which a listing continues."),
    optional("after", Type::String, "The position at which a listing of assets continues."),
    optional("capabilities", Type::Any, "The capabilities that the page may use when it runs."),
    optional("contract", Type::String, "The version of the interface that the page may rely on."),
];
