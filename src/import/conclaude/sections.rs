//! The sections with commands for an event, a row for each.

use crate::schema::Event;

/// A section.
#[derive(Debug)]
pub(in crate::import) struct Section {
    /// Its top-level key.
    pub(in crate::import) key: &'static str,
    pub(in crate::import) event: Event,
    pub(super) shape: Shape,
    /// What the patterns match.
    pub(in crate::import) subject: Subject,
    /// The noun in the name of a rule for everything, and the verb after the name of any rule: `any-task` `completes`.
    pub(in crate::import) name: (&'static str, &'static str),
    pub(in crate::import) failing: Failing,
    /// The variables that its commands get, besides those of every command here, with the field for the value.
    pub(in crate::import) variables: &'static [(&'static str, &'static str)],
}

/// How the commands are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::import) enum Shape {
    /// A mapping from patterns to lists.
    ByPattern,
    /// One list.
    List,
    /// One list, for the last fragment of a reply unless `onlyFinal` is false.
    ListOfFragments,
}

/// What a pattern is matched against.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::import) enum Subject {
    /// The subject of the event's selector.
    Selector,
    /// A text.
    Text(&'static str),
    /// A name in a field without a selector.
    Name(&'static str),
    /// A path.
    Path(&'static str),
}

/// The effect of a failing command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::import) enum Failing {
    /// The failure is reported, and nothing stops.
    IsTold,
    /// Exit code 2 blocks; any other is reported.
    BlocksWith2,
}

/// `userPromptSubmit.slashCommands`, whose patterns may begin with the slash.
pub(super) const SLASH_COMMANDS: Section = Section {
    key: "slashCommands",
    event: Event::UserPromptExpansion,
    shape: Shape::ByPattern,
    subject: Subject::Selector,
    name: ("command", "is-called"),
    failing: Failing::BlocksWith2,
    variables: &[
        ("CONCLAUDE_SLASH_COMMAND", "command_name"),
        ("CONCLAUDE_SLASH_COMMAND_ARGS", "command_args"),
        ("CONCLAUDE_USER_PROMPT", "prompt"),
    ],
};

const fn section(
    key: &'static str,
    event: Event,
    name: (&'static str, &'static str),
    variables: &'static [(&'static str, &'static str)],
) -> Section {
    let (shape, subject, failing) = (Shape::ByPattern, Subject::Selector, Failing::IsTold);
    Section { key, event, shape, subject, name, failing, variables }
}

/// The variables about a task.
const TASK: &[(&str, &str)] = &[
    ("CONCLAUDE_TASK_ID", "task_id"),
    ("CONCLAUDE_TASK_SUBJECT", "task_subject"),
    ("CONCLAUDE_TASK_DESCRIPTION", "task_description"),
];

/// Every other section, in the order in which its rules are written.
pub(in crate::import) const SECTIONS: &[Section] = &[
    Section {
        shape: Shape::List,
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
    Section { shape: Shape::List, ..section("postToolBatch", Event::PostToolBatch, ("tool-batch", "is-done"), &[]) },
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
    Section {
        subject: Subject::Name("teammate_name"),
        failing: Failing::BlocksWith2,
        ..section(
            "teammateIdle",
            Event::TeammateIdle,
            ("teammate", "idles"),
            &[("CONCLAUDE_TEAMMATE_NAME", "teammate_name"), ("CONCLAUDE_TEAM_NAME", "team_name")],
        )
    },
    Section {
        subject: Subject::Text("task_subject"),
        ..section("taskCreated", Event::TaskCreated, ("task", "is-created"), TASK)
    },
    Section {
        subject: Subject::Text("task_subject"),
        failing: Failing::BlocksWith2,
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
    Section {
        failing: Failing::BlocksWith2,
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
    Section {
        subject: Subject::Path("new_cwd"),
        ..section(
            "cwdChanged",
            Event::CwdChanged,
            ("directory", "is-entered"),
            &[("CONCLAUDE_OLD_CWD", "old_cwd"), ("CONCLAUDE_NEW_CWD", "new_cwd")],
        )
    },
    Section {
        subject: Subject::Path("file_path"),
        ..section(
            "fileChanged",
            Event::FileChanged,
            ("file", "changed"),
            &[("CONCLAUDE_FILE_PATH", "file_path"), ("CONCLAUDE_FILE_EVENT", "event")],
        )
    },
    Section {
        subject: Subject::Name("memory_type"),
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
    Section {
        shape: Shape::ListOfFragments,
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
    Section {
        shape: Shape::List,
        ..section("stopFailure", Event::StopFailure, ("stop", "fails"), &[("CONCLAUDE_STOP_ERROR", "error")])
    },
];
