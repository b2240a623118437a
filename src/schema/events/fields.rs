//! The fields of the events: their types, whether the host always sends a value, and a description in one sentence.
//!
//! A field is required only if every version of the host from 2.1.197 on sends it, and never as null or empty.

use super::super::{Field, FieldType, optional, required};

/// The levels of the model's reasoning effort.
const EFFORT_LEVELS: &[&str] = &["low", "medium", "high", "xhigh", "max"];

/// The fields that every event may have.
pub(in crate::schema) const BASE_FIELDS: &[Field] = &[
    required("hook_event_name", FieldType::String, "The event's name."),
    required("session_id", FieldType::String, "The session's id; resuming keeps it."),
    required("transcript_path", FieldType::Path, "The file with the main conversation so far, one JSON object a line."),
    required("cwd", FieldType::Path, "The session's current directory, which follows `cd`."),
    optional("prompt_id", FieldType::String, "The id of the current prompt; absent before the first one."),
    optional("permission_mode", PERMISSION_MODE, "The host's current permission mode."),
    optional("agent_id", FieldType::String, "The id of the acting subagent; absent on the main thread."),
    optional(
        "agent_type",
        FieldType::String,
        "The type of the acting subagent, or the type that the session was started as.",
    ),
    optional(
        "effort",
        FieldType::Object(&[required("level", FieldType::Enum(EFFORT_LEVELS), "The level.")]),
        "The model's reasoning effort.",
    ),
];

const PERMISSION_MODE: FieldType =
    FieldType::Enum(&["default", "acceptEdits", "bypassPermissions", "plan", "dontAsk", "auto"]);

const TOOL_NAME: Field =
    required("tool_name", FieldType::String, "The tool's name; an MCP tool is `mcp__SERVER__TOOL`.");
const TOOL_INPUT: Field = required("tool_input", FieldType::Any, "The tool's input, with the members of that tool.");
const TOOL_USE_ID: Field =
    required("tool_use_id", FieldType::String, "The id of this call, the same before and after it.");
const DURATION: Field = optional("duration_ms", FieldType::Number, "The duration of the call, in milliseconds.");
const MCP_SERVER: Field = optional(
    "mcp_server",
    FieldType::Object(&[
        required("name", FieldType::String, "The server's name."),
        required("source", FieldType::String, "The origin of its registration, such as `project` or `plugin`."),
    ]),
    "The MCP server that offers the tool.",
);

pub(super) const PRE_TOOL_USE: &[Field] = &[TOOL_NAME, TOOL_INPUT, TOOL_USE_ID, MCP_SERVER];

pub(super) const POST_TOOL_USE: &[Field] = &[
    TOOL_NAME,
    TOOL_INPUT,
    required("tool_response", FieldType::Any, "The tool's result, in that tool's own format."),
    TOOL_USE_ID,
    DURATION,
    MCP_SERVER,
];

pub(super) const POST_TOOL_USE_FAILURE: &[Field] = &[
    TOOL_NAME,
    TOOL_INPUT,
    TOOL_USE_ID,
    required("error", FieldType::String, "The error; for a shell command the first line is `Exit code N`."),
    optional("is_interrupt", FieldType::Boolean, "Whether the user interrupted the call."),
    DURATION,
    MCP_SERVER,
];

pub(super) const POST_TOOL_BATCH: &[Field] = &[required(
    "tool_calls",
    FieldType::List(&FieldType::Object(&[
        TOOL_NAME,
        TOOL_INPUT,
        TOOL_USE_ID,
        optional("tool_response", FieldType::Any, "The result as the model sees it: a text or a list of blocks."),
    ])),
    "The calls of the reply.",
)];

pub(super) const PERMISSION_REQUEST: &[Field] = &[
    TOOL_NAME,
    TOOL_INPUT,
    optional(
        "permission_suggestions",
        FieldType::List(&FieldType::Object(&[
            required("type", FieldType::String, "The kind of change, such as `addRules` or `setMode`."),
            optional(
                "rules",
                FieldType::List(&FieldType::Object(&[
                    required("toolName", FieldType::String, "The tool."),
                    optional("ruleContent", FieldType::String, "The rule's pattern for the tool's input."),
                ])),
                "The permission rules.",
            ),
            optional("behavior", FieldType::Enum(&["allow", "deny", "ask"]), "The decision of the rules."),
            optional("mode", FieldType::String, "The permission mode to change to."),
            optional("directories", FieldType::List(&FieldType::Path), "The directories to add or remove."),
            required(
                "destination",
                FieldType::String,
                "The place where it is stored, such as `session` or `localSettings`.",
            ),
        ])),
        "The permanent permissions that the dialog offers; absent if a rule or a hook asked.",
    ),
    MCP_SERVER,
];

pub(super) const PERMISSION_DENIED: &[Field] = &[
    TOOL_NAME,
    TOOL_INPUT,
    TOOL_USE_ID,
    required("reason", FieldType::String, "The classifier's reason for refusing."),
    MCP_SERVER,
];

pub(super) const PRE_SKILL_SHELL_COMMAND: &[Field] = &[
    TOOL_NAME,
    TOOL_INPUT,
    required("tool_use_id", FieldType::String, "The id of this command, which no other event of the call has."),
    required("command_name", FieldType::String, "The skill or the slash command, without the slash."),
    optional("command_source", FieldType::String, "The place of its definition, such as `projectSettings`."),
    optional("invoked_by", FieldType::Enum(&["user", "claude", "other"]), "The caller."),
];

pub(super) const NOTIFICATION: &[Field] = &[
    required("message", FieldType::String, "The text of the notification."),
    optional("title", FieldType::String, "Its heading."),
    required(
        "notification_type",
        FieldType::Enum(&[
            "permission_prompt",
            "idle_prompt",
            "auth_success",
            "elicitation_dialog",
            "elicitation_url_dialog",
            "elicitation_complete",
            "elicitation_response",
            "agent_needs_input",
            "agent_completed",
            "quota_auto_resume_fired",
            "quota_auto_resume_stale",
            "quota_auto_resume_disabled",
        ]),
        "The topic of the notification.",
    ),
];

pub(super) const USER_PROMPT_SUBMIT: &[Field] = &[
    required("prompt", FieldType::String, "The user's text."),
    optional(
        "source",
        FieldType::Enum(&["user", "sdk", "system", "loop_wakeup", "schedule_wakeup", "poll_event"]),
        "The sender of the prompt.",
    ),
    optional("session_title", FieldType::String, "The session's title."),
];

pub(super) const USER_PROMPT_EXPANSION: &[Field] = &[
    required("expansion_type", FieldType::Enum(&["slash_command", "mcp_prompt"]), "The kind of expansion."),
    required("command_name", FieldType::String, "The command's name, without the slash."),
    optional("command_args", FieldType::String, "The user's text after the command."),
    optional("command_source", FieldType::String, "The place of the command's definition."),
    required("prompt", FieldType::String, "The user's text, unexpanded."),
];

pub(super) const SESSION_START: &[Field] = &[
    required(
        "source",
        FieldType::Enum(&["startup", "resume", "clear", "compact", "fork"]),
        "The reason for the start.",
    ),
    optional("model", FieldType::String, "The model's id."),
    optional("session_title", FieldType::String, "The session's title."),
    optional("seconds_since_last_response", FieldType::Number, "On resume, the time since the last reply, in seconds."),
    optional("context_tokens", FieldType::Number, "On resume, the number of tokens that the next request sends again."),
    optional("prompt_cache_likely_expired", FieldType::Boolean, "On resume, whether the prompt cache is likely lost."),
    optional("estimated_cache_write_usd", FieldType::Number, "On resume, the cost of filling the cache again."),
];

pub(super) const SESSION_END: &[Field] = &[required(
    "reason",
    FieldType::Enum(&["clear", "resume", "logout", "prompt_input_exit", "other", "bypass_permissions_disabled"]),
    "The reason for the end.",
)];

const STOP_HOOK_ACTIVE: Field = required(
    "stop_hook_active",
    FieldType::Boolean,
    "Whether the agent is working only because a stop was denied earlier in this turn.",
);
const LAST_MESSAGE: Field = optional("last_assistant_message", FieldType::String, "The text of the last reply.");
const BACKGROUND_TASKS: Field = optional(
    "background_tasks",
    FieldType::List(&FieldType::Object(&[
        required("id", FieldType::String, "Its id."),
        required("type", FieldType::String, "Its kind: `shell`, `subagent`, `monitor`, `workflow`."),
        required("status", FieldType::String, "Its status."),
        optional("description", FieldType::String, "A description of it."),
        optional("command", FieldType::String, "The command of a shell."),
        optional("agent_type", FieldType::String, "The type of a subagent."),
        optional("server", FieldType::String, "The MCP server of a monitor."),
        optional("tool", FieldType::String, "The tool of a monitor."),
        optional("name", FieldType::String, "The name of a workflow."),
    ])),
    "The session's background tasks.",
);
const SESSION_CRONS: Field = optional(
    "session_crons",
    FieldType::List(&FieldType::Object(&[
        required("id", FieldType::String, "Its id."),
        required("schedule", FieldType::String, "Its schedule, as a cron expression."),
        required("recurring", FieldType::Boolean, "Whether it recurs."),
        required("prompt", FieldType::String, "The prompt that is sent when it is due."),
    ])),
    "The prompts that the session has scheduled.",
);

pub(super) const STOP: &[Field] = &[STOP_HOOK_ACTIVE, LAST_MESSAGE, BACKGROUND_TASKS, SESSION_CRONS];

pub(super) const STOP_FAILURE: &[Field] = &[
    required(
        "error",
        FieldType::Enum(&[
            "authentication_failed",
            "oauth_org_not_allowed",
            "account_on_hold",
            "verification_required",
            "billing_error",
            "rate_limit",
            "overloaded",
            "invalid_request",
            "model_not_found",
            "server_error",
            "unknown",
            "max_output_tokens",
            "cloud_credential_error",
        ]),
        "The kind of error.",
    ),
    optional("error_details", FieldType::String, "Details of the error."),
    LAST_MESSAGE,
];

pub(super) const SUBAGENT_START: &[Field] = &[
    required("agent_id", FieldType::String, "The subagent's id."),
    required("agent_type", FieldType::String, "The subagent's type."),
    optional(
        "agent_transcript_path",
        FieldType::Path,
        "The file for the subagent's conversation; derived from the transcript's path if the host does not send it.",
    ),
];

pub(super) const SUBAGENT_STOP: &[Field] = &[
    STOP_HOOK_ACTIVE,
    required("agent_id", FieldType::String, "The subagent's id."),
    optional(
        "agent_type",
        FieldType::String,
        "The subagent's type; empty for a fork of the host's own, as in compaction.",
    ),
    required(
        "agent_transcript_path",
        FieldType::Path,
        "The file with the subagent's conversation, one JSON object a line; it may not exist.",
    ),
    LAST_MESSAGE,
    BACKGROUND_TASKS,
    SESSION_CRONS,
];

const COMPACT_TRIGGER: Field =
    required("trigger", FieldType::Enum(&["manual", "auto"]), "Whether the user asked for it or the context was full.");

pub(super) const PRE_COMPACT: &[Field] =
    &[COMPACT_TRIGGER, optional("custom_instructions", FieldType::String, "The user's text after `/compact`.")];

pub(super) const POST_COMPACT: &[Field] =
    &[COMPACT_TRIGGER, required("compact_summary", FieldType::String, "The summary that replaces the conversation.")];

const FROM_MODEL: Field = required("from_model", FieldType::String, "The id of the model before.");
const TO_MODEL: Field = required("to_model", FieldType::String, "The id of the model after.");
const REQUESTED_MODEL: Field =
    optional("requested_model", FieldType::String, "The requested model; absent for the default model.");
const CONTEXT_TOKENS: Field =
    required("context_tokens", FieldType::Number, "The number of tokens that the next request sends again.");
const CACHE_WARM: Field = required("prompt_cache_warm", FieldType::Boolean, "Whether a prompt cache would be lost.");
const CACHE_TTL: Field = required("cache_ttl", FieldType::Enum(&["5m", "1h"]), "The lifetime of the prompt cache.");
const CACHE_COST: Field =
    required("estimated_cache_write_usd", FieldType::Number, "The cost of filling the new model's cache.");
const PRICING: Field =
    required("pricing", FieldType::Enum(&["configured", "catalog", "default"]), "The source of the price.");

pub(super) const PRE_MODEL_SWITCH: &[Field] = &[
    FROM_MODEL,
    TO_MODEL,
    REQUESTED_MODEL,
    required("source", FieldType::Enum(&["command", "picker", "sdk"]), "The cause of the change."),
    CONTEXT_TOKENS,
    CACHE_WARM,
    CACHE_TTL,
    CACHE_COST,
    PRICING,
];

pub(super) const POST_MODEL_SWITCH: &[Field] = &[
    FROM_MODEL,
    TO_MODEL,
    REQUESTED_MODEL,
    required("source", FieldType::Enum(&["command", "picker", "sdk", "auto", "resume"]), "The cause of the change."),
    CONTEXT_TOKENS,
    CACHE_WARM,
    CACHE_TTL,
    CACHE_COST,
    PRICING,
];

pub(super) const SETUP: &[Field] =
    &[required("trigger", FieldType::Enum(&["init", "maintenance"]), "The purpose of the host's start.")];

pub(super) const TEAMMATE_IDLE: &[Field] = &[
    required("teammate_name", FieldType::String, "The teammate's name."),
    optional("team_name", FieldType::String, "The team's name; the host is about to drop it."),
];

pub(super) const TASK: &[Field] = &[
    required("task_id", FieldType::String, "The task's id."),
    required("task_subject", FieldType::String, "The task in one line."),
    optional("task_description", FieldType::String, "The full description of the task."),
    optional("teammate_name", FieldType::String, "The teammate to which the task is assigned."),
    optional("team_name", FieldType::String, "The team's name; the host is about to drop it."),
];

const ELICITATION_MODE: FieldType = FieldType::Enum(&["form", "url"]);

pub(super) const ELICITATION: &[Field] = &[
    required("mcp_server_name", FieldType::String, "The server that asks."),
    required("message", FieldType::String, "The server's message."),
    optional("mode", ELICITATION_MODE, "Whether the server asks for a form or for a visit to a page."),
    optional("url", FieldType::String, "The page."),
    optional("elicitation_id", FieldType::String, "The id of the request."),
    optional("requested_schema", FieldType::Any, "The form, as a JSON schema."),
];

pub(super) const ELICITATION_RESULT: &[Field] = &[
    required("mcp_server_name", FieldType::String, "The server that asked."),
    optional("elicitation_id", FieldType::String, "The id of the request."),
    optional("mode", ELICITATION_MODE, "Whether the server asked for a form or for a visit to a page."),
    required("action", FieldType::Enum(&["accept", "decline", "cancel"]), "The user's answer."),
    optional("content", FieldType::Any, "The content of the form."),
];

pub(super) const CONFIG_CHANGE: &[Field] = &[
    required(
        "source",
        FieldType::Enum(&["user_settings", "project_settings", "local_settings", "policy_settings", "skills"]),
        "The settings that changed; those of `policy_settings` apply regardless of hooks.",
    ),
    optional("file_path", FieldType::Path, "The file that changed."),
];

pub(super) const INSTRUCTIONS_LOADED: &[Field] = &[
    required("file_path", FieldType::Path, "The instructions file."),
    required(
        "memory_type",
        FieldType::Enum(&["User", "Project", "Local", "Managed"]),
        "The owner of the instructions.",
    ),
    required(
        "load_reason",
        FieldType::Enum(&["session_start", "nested_traversal", "path_glob_match", "include", "compact"]),
        "The reason for loading them.",
    ),
    optional("globs", FieldType::List(&FieldType::String), "The globs of the files that the instructions apply to."),
    optional("trigger_file_path", FieldType::Path, "The file whose access loaded them."),
    optional("parent_file_path", FieldType::Path, "The file that includes them."),
];

pub(super) const CWD_CHANGED: &[Field] = &[
    required("old_cwd", FieldType::Path, "The directory before."),
    required("new_cwd", FieldType::Path, "The directory after."),
];

pub(super) const FILE_CHANGED: &[Field] = &[
    required("file_path", FieldType::Path, "The file."),
    required("event", FieldType::Enum(&["change", "add", "unlink"]), "The kind of change."),
];

pub(super) const DIRECTORY_ADDED: &[Field] = &[
    required("directory", FieldType::Path, "The directory."),
    required("source", FieldType::Enum(&["slash_command", "register_repo_root"]), "The cause of the addition."),
];

pub(super) const WORKTREE_CREATE: &[Field] =
    &[required("name", FieldType::String, "The requested name of the worktree.")];

pub(super) const WORKTREE_REMOVE: &[Field] = &[required("worktree_path", FieldType::Path, "The worktree's directory.")];

pub(super) const MESSAGE_DISPLAY: &[Field] = &[
    required("turn_id", FieldType::String, "The turn's id."),
    required("message_id", FieldType::String, "The reply's id."),
    required("index", FieldType::Number, "The fragment's position, from 0."),
    required("final", FieldType::Boolean, "Whether it is the last fragment."),
    optional("delta", FieldType::String, "The fragment's text."),
];
