//! The sections of a configuration that have commands for an event, one row for each.

use crate::schema::Event;

/// A section of the configuration that has commands for an event.
#[derive(Debug)]
pub(in crate::import) struct EventSection {
    /// The key of the section: `postToolUse`.
    pub(in crate::import) key: &'static str,
    pub(in crate::import) event: Event,
    pub(super) listing: CommandListing,
    /// What the patterns of the section are matched against.
    pub(in crate::import) subject: PatternSubject,
    /// The parts of the names of its rules: a noun and a verb, such as `task` and `is-completed` in
    /// `any-task-is-completed`.
    pub(in crate::import) name: (&'static str, &'static str),
    /// What a failing command does.
    pub(in crate::import) failure_effect: FailureEffect,
    /// The environment variables that conclaude sets for the section's commands, each with the field that has its
    /// value.
    pub(in crate::import) variables: &'static [(&'static str, &'static str)],
}

/// The form of `commands` in a section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::import) enum CommandListing {
    /// A mapping from patterns to lists.
    ByPattern,
    /// One list, for every event.
    List,
    /// One list, for the last fragment of a displayed reply, or for each fragment if `onlyFinal` is false.
    ListOfFragments,
}

/// What a pattern is matched against.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::import) enum PatternSubject {
    /// The subject that the selector after `on` is matched against: `SubagentStop(coder)`.
    Selector,
    /// The text in this field.
    Text(&'static str),
    /// The name in this field, which no selector is matched against.
    Name(&'static str),
    /// The path in this field.
    Path(&'static str),
}

/// What a failing command does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::import) enum FailureEffect {
    /// The failure is reported, and the event proceeds.
    Reported,
    /// Exit code 2 blocks the event; any other failure is reported.
    ExitCode2Blocks,
}

/// `userPromptSubmit.slashCommands`, whose patterns may begin with a slash.
pub(super) const SLASH_COMMANDS: EventSection = EventSection {
    key: "slashCommands",
    event: Event::UserPromptExpansion,
    listing: CommandListing::ByPattern,
    subject: PatternSubject::Selector,
    name: ("command", "is-called"),
    failure_effect: FailureEffect::ExitCode2Blocks,
    variables: &[
        ("CONCLAUDE_SLASH_COMMAND", "command_name"),
        ("CONCLAUDE_SLASH_COMMAND_ARGS", "command_args"),
        ("CONCLAUDE_USER_PROMPT", "prompt"),
    ],
};

/// Returns a section with patterns for the event's selector, whose failures are only reported.
const fn section(
    key: &'static str,
    event: Event,
    name: (&'static str, &'static str),
    variables: &'static [(&'static str, &'static str)],
) -> EventSection {
    let (shape, subject, failing) = (CommandListing::ByPattern, PatternSubject::Selector, FailureEffect::Reported);
    EventSection { key, event, listing: shape, subject, name, failure_effect: failing, variables }
}

/// The variables about a task, and their fields.
const TASK: &[(&str, &str)] = &[
    ("CONCLAUDE_TASK_ID", "task_id"),
    ("CONCLAUDE_TASK_SUBJECT", "task_subject"),
    ("CONCLAUDE_TASK_DESCRIPTION", "task_description"),
];

/// Every section except `slashCommands`, in the order in which its rules are written.
pub(in crate::import) const SECTIONS: &[EventSection] = &[
    EventSection {
        listing: CommandListing::List,
        ..section(
            "postToolUse",
            Event::PostToolUse,
            ("tool", "is-done"),
            &[
                ("CONCLAUDE_TOOL_NAME", "tool_name"),
                ("CONCLAUDE_TOOL_INPUT", "tool_input"),
                ("CONCLAUDE_TOOL_OUTPUT", "tool_response"),
                ("CONCLAUDE_TOOL_USE_ID", "tool_use_id"),
            ],
        )
    },
    EventSection {
        listing: CommandListing::List,
        ..section("postToolBatch", Event::PostToolBatch, ("tool-batch", "is-done"), &[])
    },
    section(
        "permissionDenied",
        Event::PermissionDenied,
        ("tool", "is-refused"),
        &[
            ("CONCLAUDE_TOOL_NAME", "tool_name"),
            ("CONCLAUDE_DENY_REASON", "reason"),
            ("CONCLAUDE_TOOL_USE_ID", "tool_use_id"),
        ],
    ),
    section("skillStart", Event::SubagentStart, ("subagent", "starts"), &[("CONCLAUDE_SKILL_NAME", "agent_type")]),
    section("subagentStop", Event::SubagentStop, ("subagent", "stops"), &[("CONCLAUDE_AGENT_NAME", "agent_type")]),
    EventSection {
        subject: PatternSubject::Name("teammate_name"),
        failure_effect: FailureEffect::ExitCode2Blocks,
        ..section(
            "teammateIdle",
            Event::TeammateIdle,
            ("teammate", "idles"),
            &[("CONCLAUDE_TEAMMATE_NAME", "teammate_name"), ("CONCLAUDE_TEAM_NAME", "team_name")],
        )
    },
    EventSection {
        subject: PatternSubject::Text("task_subject"),
        ..section("taskCreated", Event::TaskCreated, ("task", "is-created"), TASK)
    },
    EventSection {
        subject: PatternSubject::Text("task_subject"),
        failure_effect: FailureEffect::ExitCode2Blocks,
        ..section("taskCompleted", Event::TaskCompleted, ("task", "is-completed"), TASK)
    },
    section(
        "userPromptExpansion",
        Event::UserPromptExpansion,
        ("command", "is-expanded"),
        &[
            ("CONCLAUDE_EXPANSION_TYPE", "expansion_type"),
            ("CONCLAUDE_COMMAND_NAME", "command_name"),
            ("CONCLAUDE_COMMAND_ARGS", "command_args"),
            ("CONCLAUDE_COMMAND_SOURCE", "command_source"),
            ("CONCLAUDE_EXPANDED_PROMPT", "prompt"),
        ],
    ),
    section(
        "elicitation",
        Event::Elicitation,
        ("server", "asks"),
        &[
            ("CONCLAUDE_MCP_SERVER_NAME", "mcp_server_name"),
            ("CONCLAUDE_ELICITATION_MESSAGE", "message"),
            ("CONCLAUDE_ELICITATION_MODE", "mode"),
            ("CONCLAUDE_ELICITATION_ID", "elicitation_id"),
        ],
    ),
    section(
        "elicitationResult",
        Event::ElicitationResult,
        ("server", "is-answered"),
        &[
            ("CONCLAUDE_MCP_SERVER_NAME", "mcp_server_name"),
            ("CONCLAUDE_ELICITATION_ACTION", "action"),
            ("CONCLAUDE_ELICITATION_MODE", "mode"),
            ("CONCLAUDE_ELICITATION_ID", "elicitation_id"),
        ],
    ),
    EventSection {
        failure_effect: FailureEffect::ExitCode2Blocks,
        ..section(
            "configChange",
            Event::ConfigChange,
            ("settings", "change"),
            &[("CONCLAUDE_CONFIG_SOURCE", "source"), ("CONCLAUDE_CONFIG_FILE_PATH", "file_path")],
        )
    },
    section("setup", Event::Setup, ("setup", "runs"), &[("CONCLAUDE_SETUP_TRIGGER", "trigger")]),
    section(
        "postCompact",
        Event::PostCompact,
        ("compaction", "is-done"),
        &[("CONCLAUDE_COMPACT_TRIGGER", "trigger"), ("CONCLAUDE_COMPACT_SUMMARY", "compact_summary")],
    ),
    EventSection {
        subject: PatternSubject::Path("new_cwd"),
        ..section(
            "cwdChanged",
            Event::CwdChanged,
            ("directory", "is-entered"),
            &[("CONCLAUDE_OLD_CWD", "old_cwd"), ("CONCLAUDE_NEW_CWD", "new_cwd")],
        )
    },
    EventSection {
        subject: PatternSubject::Path("file_path"),
        ..section(
            "fileChanged",
            Event::FileChanged,
            ("file", "changed"),
            &[("CONCLAUDE_FILE_PATH", "file_path"), ("CONCLAUDE_FILE_EVENT", "event")],
        )
    },
    EventSection {
        subject: PatternSubject::Name("memory_type"),
        ..section(
            "instructionsLoaded",
            Event::InstructionsLoaded,
            ("instructions", "are-loaded"),
            &[
                ("CONCLAUDE_INSTRUCTIONS_FILE_PATH", "file_path"),
                ("CONCLAUDE_MEMORY_TYPE", "memory_type"),
                ("CONCLAUDE_LOAD_REASON", "load_reason"),
            ],
        )
    },
    EventSection {
        listing: CommandListing::ListOfFragments,
        ..section(
            "messageDisplay",
            Event::MessageDisplay,
            ("message", "is-shown"),
            &[
                ("CONCLAUDE_MESSAGE_ID", "message_id"),
                ("CONCLAUDE_TURN_ID", "turn_id"),
                ("CONCLAUDE_MESSAGE_INDEX", "index"),
                ("CONCLAUDE_MESSAGE_FINAL", "final"),
                ("CONCLAUDE_MESSAGE_DELTA", "delta"),
            ],
        )
    },
    EventSection {
        listing: CommandListing::List,
        ..section("stopFailure", Event::StopFailure, ("stop", "fails"), &[("CONCLAUDE_STOP_ERROR", "error")])
    },
];
