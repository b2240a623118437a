//! The texts in a tool's output by which the host recognises the structure of the output, such as `"type": "text"`.
//! They are from the type definitions of version 2.1.330, from what version 2.1.197 requires, and from the kinds of
//! content of MCP.
//!
//! If a rewrite changes such a text, the host no longer accepts the output as one of the tool: it discards the
//! rewritten output and shows the original.

/// The name of the field with a tool's output.
pub const OUTPUT: &str = "tool_response";

/// The output members whose values identify a structure, each with these values.
const WORDS: &[(&str, &[&str])] = &[
    (
        "type",
        &[
            "text",
            "image",
            "audio",
            "resource",
            "resource_link",
            "document",
            "search_result",
            "tool_use",
            "tool_result",
            "tool_reference",
            "base64",
            "url",
            "pdf",
            "parts",
            "notebook",
            "create",
            "update",
            "image/jpeg",
            "image/png",
            "image/gif",
            "image/webp",
        ],
    ),
    ("mediaType", &["image/jpeg", "image/png", "image/gif", "image/webp"]),
    ("media_type", &["image/jpeg", "image/png", "image/gif", "image/webp", "application/pdf"]),
    (
        "status",
        &[
            "pending",
            "in_progress",
            "completed",
            "uploaded",
            "modified",
            "added",
            "failed",
            "not_attempted",
            "remote_launched",
            "refreshed",
            "error",
            "not_connected",
            "async_launched",
        ],
    ),
    (
        "mode",
        &[
            "content",
            "files_with_matches",
            "count",
            "acceptEdits",
            "auto",
            "bypassPermissions",
            "default",
            "dontAsk",
            "plan",
        ],
    ),
    (
        "method",
        &[
            "project_write",
            "project_search",
            "project_read",
            "project_memory_read",
            "project_memory_list",
            "project_info",
            "project_delete",
        ],
    ),
    (
        "action",
        &[
            "pin",
            "unpin",
            "merged",
            "rebased",
            "keep",
            "remove",
            "auto-merge-disabled",
            "auto-merge-enabled",
            "closed",
            "commented",
            "created",
            "draft",
            "edited",
            "ready",
            "reopened",
        ],
    ),
    ("kind", &["committed", "amended", "cherry-picked"]),
    ("service_tier", &["standard", "priority", "batch"]),
    ("speed", &["standard", "fast"]),
    ("edit_mode", &["replace", "insert", "delete"]),
    ("cell_type", &["code", "markdown"]),
    ("outcome", &["fixed", "skipped", "no_change_needed", "connected", "not_now", "no_attempt_yet"]),
    ("verdict", &["CONFIRMED", "PLAUSIBLE"]),
    ("unanswered", &["skipped", "replied_in_chat", "dismissed"]),
    ("taskType", &["local_workflow", "remote_agent"]),
    ("severity", &["important", "pre_existing", "nit"]),
    ("scope", &["shared", "all"]),
    ("role", &["editor", "commenter", "reader", "viewer", "user", "assistant"]),
    ("rel", &["mine", "shared"]),
    ("rail", &["live_stopped", "durable_wake"]),
    ("model", &["sonnet", "opus", "haiku", "fable"]),
    ("level", &["low", "medium", "high", "xhigh", "max"]),
    ("effort", &["low", "medium", "high", "xhigh", "max"]),
    ("isolation", &["worktree", "remote"]),
    ("folder_audience", &["others", "unknown"]),
    ("disabledReason", &["config_off", "user_present", "no_transport"]),
];

/// Whether a text, as the value of an output member, identifies the structure of the output. A rewrite must not change
/// it.
#[must_use]
pub fn is_word_of_output(member: &str, text: &str) -> bool {
    WORDS.iter().any(|(name, words)| *name == member && words.contains(&text))
}
