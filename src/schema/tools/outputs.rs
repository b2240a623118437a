//! The words by which the host recognises the shape of an output: from the type definitions of 2.1.330, from what
//! 2.1.197 requires, and the content kinds of MCP.
//!
//! With another word in such a place, an output is no longer one of the tool: the host discards it and shows the
//! original.

/// The field that is the output of a tool.
pub const OUTPUT: &str = "tool_response";

/// The members that hold such words, each with its words.
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

/// Whether a member of an output only identifies its shape.
#[must_use]
pub fn is_word_of_output(member: &str, text: &str) -> bool {
    WORDS.iter().any(|(name, words)| *name == member && words.contains(&text))
}
