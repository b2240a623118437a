//! The table of events: one row for each, in the order of [`Event`].
//!
//! The facts are from Claude Code, versions 2.1.197 to 2.1.332. The effects of an event are those that the host obeys
//! in practice, which are fewer than it documents.

mod fields;

use std::time::Duration;

use super::{Capabilities, EventSpec, Subject};

pub(super) use fields::BASE_FIELDS;

/// Declares the events from their names: the enum, the list of all events, and the conversions from and to a name.
macro_rules! events {
    ($($event:ident)*) => {
        /// An event that a host calls hooks for.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[expect(missing_docs, reason = "each is documented in its row of the table")]
        #[cfg_attr(not(feature = "internals"), non_exhaustive)]
        pub enum Event {
            $($event,)*
        }

        impl Event {
            /// Every event, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$event,)*];

            /// Returns the event with a name, which must be spelled as in the host; `None` for any other name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $(stringify!($event) => Some(Self::$event),)*
                    _ => None,
                }
            }

            /// Returns the event's name, in policies and payloads.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$event => stringify!($event),)*
                }
            }
        }
    };
}

events! {
    PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit UserPromptExpansion
    SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact PreModelSwitch
    PostModelSwitch PermissionRequest PermissionDenied PreSkillShellCommand Setup TeammateIdle TaskCreated TaskCompleted Elicitation
    ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged
    DirectoryAdded MessageDisplay
}

impl Event {
    /// Returns the event's row of the table.
    #[cfg(feature = "internals")]
    #[must_use]
    pub const fn spec(self) -> &'static EventSpec {
        self.row()
    }

    /// Returns the event's row of the table, which is not part of the API.
    #[cfg(not(feature = "internals"))]
    pub(crate) const fn spec(self) -> &'static EventSpec {
        self.row()
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "the table has one row an event, in order, checked when it is compiled"
    )]
    const fn row(self) -> &'static EventSpec {
        &EVENTS[self as usize]
    }
}

// INVARIANT: row N describes event N. The crate does not compile if the table has another order.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, which would report it")]
const _: () = {
    assert!(EVENTS.len() == Event::ALL.len());
    let mut row = 0;
    while row < EVENTS.len() {
        assert!(EVENTS[row].event as usize == row);
        row += 1;
    }
};

/// The effects of an event that can only show notes to the user.
const NOTES: Capabilities = Capabilities::NOTES;

/// The effects of an event that can be denied, by exit code 2 or by `decision: block`.
const DENY: Capabilities = Capabilities { deny: true, ..NOTES };

/// The effects of an event that can add a text to the model's next request.
const CONTEXT: Capabilities = Capabilities { context: true, ..NOTES };

/// Creates a row for the usual case: `on *` selects the event, and the payload does not identify the acting agent.
const fn row(
    event: Event,
    subject: Subject,
    fields: &'static [super::Field],
    answers: Capabilities,
    example_text: Option<&'static str>,
    doc: &'static str,
) -> EventSpec {
    EventSpec {
        event,
        name: event.name(),
        doc,
        subject,
        fields,
        answers,
        has_agent: false,
        in_wildcard: true,
        run_timeout: run_timeout(event),
        example_text,
    }
}

/// The timeout of a command if somebody waits for the event.
const INTERACTIVE_TIMEOUT: Duration = Duration::from_secs(60);

/// Returns the timeout of a command whose rule sets none; `None` for an event for which neither the user nor the main
/// agent waits.
const fn run_timeout(event: Event) -> Option<Duration> {
    match event {
        Event::Notification
        | Event::SessionEnd
        | Event::StopFailure
        | Event::SubagentStart
        | Event::SubagentStop
        | Event::TeammateIdle
        | Event::InstructionsLoaded
        | Event::FileChanged => None,
        _ => Some(INTERACTIVE_TIMEOUT),
    }
}

/// Changes a row to that of an event whose payload has `agent_id` and `agent_type` when a subagent acts.
///
/// Stop and UserPromptSubmit are raised for the main thread only, so `by` would be meaningless there; on SubagentStart
/// and SubagentStop the agent type is the subject.
const fn with_agent(spec: EventSpec) -> EventSpec {
    EventSpec { has_agent: true, ..spec }
}

/// Changes a row to that of an event that `on *` does not select: a hook without a purpose there does harm
/// (WorktreeCreate), or is called too often (MessageDisplay).
const fn without_wildcard(spec: EventSpec) -> EventSpec {
    EventSpec { in_wildcard: false, ..spec }
}

/// Every event, in the order of [`Event`].
pub const EVENTS: &[EventSpec] = &[
    with_agent(row(
        Event::PreToolUse,
        Subject::Tool,
        fields::PRE_TOOL_USE,
        Capabilities { ask: true, allow: true, halt: true, context: true, rewrite: true, ..DENY },
        None,
        "Before a tool call runs: the one place where a call can be stopped, asked about or rewritten.",
    )),
    // A block comes too late to undo the call, so the host adds its reason as a context; `continue: false` ends the
    // session. A rewrite changes the output.
    with_agent(row(
        Event::PostToolUse,
        Subject::Tool,
        fields::POST_TOOL_USE,
        Capabilities { halt: true, rewrite: true, ..CONTEXT },
        None,
        "After a tool call succeeded: its output can be rewritten before the model reads it.",
    )),
    with_agent(row(
        Event::PostToolUseFailure,
        Subject::Tool,
        fields::POST_TOOL_USE_FAILURE,
        CONTEXT,
        None,
        "After a tool call failed; a shell command that exits with a code other than 0 counts as failed.",
    )),
    // A block ends the session without a word to the model, so only `halt` may do it.
    with_agent(row(
        Event::PostToolBatch,
        Subject::None,
        fields::POST_TOOL_BATCH,
        Capabilities { halt: true, ..CONTEXT },
        None,
        "After all tool calls of one reply, denied ones included, before the model is asked again.",
    )),
    row(
        Event::Notification,
        Subject::Field("notification_type"),
        fields::NOTIFICATION,
        NOTES,
        Some("message"),
        "When the host notifies the user: it needs permission, it is waiting, a background agent is done.",
    ),
    row(
        Event::UserPromptSubmit,
        Subject::None,
        fields::USER_PROMPT_SUBMIT,
        Capabilities { halt: true, context: true, stdout_is_context: true, ..DENY },
        Some("prompt"),
        "When the user sends a prompt, before the model sees it; a denied prompt is erased.",
    ),
    row(
        Event::UserPromptExpansion,
        Subject::Field("command_name"),
        fields::USER_PROMPT_EXPANSION,
        Capabilities { context: true, ..DENY },
        Some("prompt"),
        "When a slash command or an MCP prompt is expanded into the text for the model.",
    ),
    row(
        Event::SessionStart,
        Subject::Field("source"),
        fields::SESSION_START,
        Capabilities { stdout_is_context: true, ..CONTEXT },
        Some("source"),
        "When a session starts, resumes, is cleared or was compacted.",
    ),
    row(
        Event::SessionEnd,
        Subject::Field("reason"),
        fields::SESSION_END,
        NOTES,
        Some("reason"),
        "When a session ends; the host gives all hooks together one and a half seconds.",
    ),
    // A context makes the agent go on like a denial does, so it is not offered.
    row(
        Event::Stop,
        Subject::None,
        fields::STOP,
        Capabilities { halt: true, ..DENY },
        Some("last_assistant_message"),
        "When the main agent is about to finish its turn; if denied, it continues, with the reason as its next task.",
    ),
    row(
        Event::StopFailure,
        Subject::Field("error"),
        fields::STOP_FAILURE,
        NOTES,
        Some("error"),
        "When a turn ended because the model could not be reached or refused the request.",
    ),
    row(
        Event::SubagentStart,
        Subject::Field("agent_type"),
        fields::SUBAGENT_START,
        CONTEXT,
        Some("agent_type"),
        "When a subagent starts: it cannot be stopped here, but gets a context.",
    ),
    row(
        Event::SubagentStop,
        Subject::Field("agent_type"),
        fields::SUBAGENT_STOP,
        DENY,
        Some("last_assistant_message"),
        "When a subagent is about to finish; if denied, it continues, with the reason as its next task.",
    ),
    row(
        Event::PreCompact,
        Subject::Field("trigger"),
        fields::PRE_COMPACT,
        // A context is an instruction to the model that writes the summary.
        Capabilities { context: true, ..DENY },
        Some("trigger"),
        "Before the conversation is compacted: a context is an instruction to the model that writes the summary.",
    ),
    row(
        Event::PostCompact,
        Subject::Field("trigger"),
        fields::POST_COMPACT,
        NOTES,
        Some("trigger"),
        "After the conversation was compacted.",
    ),
    row(
        Event::PreModelSwitch,
        Subject::Field("to_model"),
        fields::PRE_MODEL_SWITCH,
        Capabilities { ask: true, allow: true, ..DENY },
        Some("to_model"),
        "Before the session changes its model.",
    ),
    row(
        Event::PostModelSwitch,
        Subject::Field("to_model"),
        fields::POST_MODEL_SWITCH,
        CONTEXT,
        Some("to_model"),
        "After the session changed its model.",
    ),
    // Exit 2 and `continue: false` are ignored here; `halt` is a denial with `interrupt`.
    with_agent(row(
        Event::PermissionRequest,
        Subject::Tool,
        fields::PERMISSION_REQUEST,
        Capabilities { ask: true, allow: true, halt: true, rewrite: true, ..DENY },
        None,
        "When the host is about to ask the user for permission: the same call that PreToolUse announced.",
    )),
    with_agent(row(
        Event::PermissionDenied,
        Subject::Tool,
        fields::PERMISSION_DENIED,
        NOTES,
        None,
        "After the host's own classifier refused a call in auto mode.",
    )),
    // The host offers only to run the command or not: an ask and a rewrite are denials.
    with_agent(row(
        Event::PreSkillShellCommand,
        Subject::Tool,
        fields::PRE_SKILL_SHELL_COMMAND,
        Capabilities { ask: true, halt: true, rewrite: true, ..DENY },
        None,
        "Before a shell command in the text of a skill or a slash command runs, which raises no PreToolUse.",
    )),
    row(
        Event::Setup,
        Subject::Field("trigger"),
        fields::SETUP,
        NOTES,
        Some("trigger"),
        "When the host is started to prepare or maintain a repository.",
    ),
    row(
        Event::TeammateIdle,
        Subject::None,
        fields::TEAMMATE_IDLE,
        DENY,
        Some("teammate_name"),
        "When a teammate of an agent team is about to go idle; if denied, it keeps working.",
    ),
    row(
        Event::TaskCreated,
        Subject::None,
        fields::TASK,
        DENY,
        Some("task_subject"),
        "When a task is added to the list; if denied, it is removed again.",
    ),
    row(
        Event::TaskCompleted,
        Subject::None,
        fields::TASK,
        DENY,
        Some("task_subject"),
        "When a task is marked as done; if denied, it stays open.",
    ),
    row(
        Event::Elicitation,
        Subject::Field("mcp_server_name"),
        fields::ELICITATION,
        DENY,
        Some("message"),
        "When an MCP server asks the user for input; if denied, the request is declined.",
    ),
    row(
        Event::ElicitationResult,
        Subject::Field("mcp_server_name"),
        fields::ELICITATION_RESULT,
        DENY,
        Some("mcp_server_name"),
        "When the user has answered an MCP server, before the server gets the answer; if denied, it gets a refusal.",
    ),
    row(
        Event::ConfigChange,
        Subject::Field("source"),
        fields::CONFIG_CHANGE,
        DENY,
        Some("file_path"),
        "When a settings file changed; if denied, this session keeps the old settings, and the file stays changed.",
    ),
    without_wildcard(row(
        Event::WorktreeCreate,
        Subject::None,
        fields::WORKTREE_CREATE,
        Capabilities { warn: false, ..DENY },
        Some("name"),
        "When the host requests a worktree: a hook here creates it; if it prints no path, the creation fails.",
    )),
    row(
        Event::WorktreeRemove,
        Subject::None,
        fields::WORKTREE_REMOVE,
        NOTES,
        Some("worktree_path"),
        "When the host no longer needs a worktree that a hook created.",
    ),
    row(
        Event::InstructionsLoaded,
        Subject::Field("load_reason"),
        fields::INSTRUCTIONS_LOADED,
        NOTES,
        Some("file_path"),
        "When an instructions file such as CLAUDE.md was added to the conversation.",
    ),
    row(
        Event::CwdChanged,
        Subject::None,
        fields::CWD_CHANGED,
        NOTES,
        Some("new_cwd"),
        "When the session's directory changed.",
    ),
    row(
        Event::FileChanged,
        Subject::BaseName("file_path"),
        fields::FILE_CHANGED,
        NOTES,
        Some("file_path"),
        "When a watched file was changed, added or removed.",
    ),
    row(
        Event::DirectoryAdded,
        Subject::Field("source"),
        fields::DIRECTORY_ADDED,
        NOTES,
        Some("directory"),
        "When a directory was added to the session's working directories.",
    ),
    without_wildcard(row(
        Event::MessageDisplay,
        Subject::None,
        fields::MESSAGE_DISPLAY,
        NOTES,
        Some("delta"),
        "For every fragment of a reply that is shown while it streams.",
    )),
];
