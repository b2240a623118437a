//! The typed payload of every event: a struct for each, generated from the table below, and an enum of them.
//!
//! The table repeats the names in `schema`, because a macro needs them to declare members. The schema documents their
//! meaning, and a test compares the two. A text for which the schema has a fixed set of values is still a `String`
//! here, because new versions of hosts add values.

use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::{Map, Number, Value as Json};

use crate::escape::quote_word;
use crate::schema::Event;

use super::members::OwnMembers;
use super::{BasePayload, not_empty, validate_base_payload};

/// The maximum length of an unknown event's name in an error, in characters.
const MAX_NAME_CHARS: usize = 200;

/// A type of members that an event always has.
trait Required {
    /// Rejects an empty value: a text without visible characters, or null.
    fn check(&self, _name: &str) -> Result<(), String> {
        Ok(())
    }
}

impl Required for String {
    fn check(&self, name: &str) -> Result<(), String> {
        not_empty(name, self)
    }
}

impl Required for Json {
    fn check(&self, name: &str) -> Result<(), String> {
        if self.is_null() { Err(format!("{name} cannot be empty")) } else { Ok(()) }
    }
}

impl Required for bool {}
impl Required for Number {}
impl<T> Required for Vec<T> {}

/// Declares the structs of objects inside payloads: first the members that are always present, then, after `may`, the
/// members that may be missing.
macro_rules! objects {
    ($(
        $(#[$attribute:meta])*
        $object:ident { $($required:ident: $ty:ty),* } may { $($optional:ident: $of:ty),* }
    )*) => {
        $(
            #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
            $(#[$attribute])*
            #[expect(missing_docs, reason = "each member is documented in the schema's table")]
            #[cfg_attr(not(feature = "internals"), non_exhaustive)]
            pub struct $object {
                $(pub $required: $ty,)*
                $(
                    #[serde(skip_serializing_if = "Option::is_none")]
                    pub $optional: Option<$of>,
                )*
            }
        )*
    };
}

/// Declares the structs of payloads, which all contain `BasePayload`: first the members that are always present,
/// then, after `may`, the members that may be missing.
macro_rules! payloads {
    ($(
        $event:ident => $payload:ident { $($required:ident: $ty:ty),* } may { $($optional:ident: $of:ty),* }
    )*) => {
        $(
            #[doc = concat!("The payload of ", stringify!($event), ".")]
            #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
            #[expect(missing_docs, reason = "each member is documented in the schema's table")]
            #[cfg_attr(not(feature = "internals"), non_exhaustive)]
            pub struct $payload {
                #[serde(flatten)]
                pub base: BasePayload,
                $(pub $required: $ty,)*
                $(
                    #[serde(skip_serializing_if = "Option::is_none")]
                    pub $optional: Option<$of>,
                )*
            }

            impl $payload {
                /// Checks that no required member is empty.
                ///
                /// # Errors
                ///
                /// The message names the first empty member. The members that every event has are checked first.
                pub fn validate(&self) -> Result<(), String> {
                    validate_base_payload(&self.base)?;
                    $(self.$required.check(stringify!($required))?;)*
                    Ok(())
                }
            }
        )*

        /// The typed payload of any event, with the members of the schema other than `prompt_id` and `effort`.
        ///
        /// It is for programs that handle one event and want to rely on its members. Policies are judged by the whole
        /// payload, `Payload`.
        #[derive(Clone, PartialEq, Debug, Serialize)]
        #[serde(untagged)]
        #[expect(missing_docs, reason = "each event is documented in the schema's table")]
        #[cfg_attr(not(feature = "internals"), non_exhaustive)]
        pub enum HookPayload {
            $($event($payload),)*
        }

        impl HookPayload {
            /// Reads the members of an event from JSON; all other members are ignored.
            ///
            /// # Errors
            ///
            /// The message names the member that is missing or has a wrong type.
            pub fn from_json(event: Event, json: &Map<String, Json>) -> Result<Self, serde_json::Error> {
                match event {
                    $(Event::$event => $payload::deserialize(json).map(Self::$event),)*
                }
                .map_err(|error| members(event).first_mistake(event, json).map_or(error, de::Error::custom))
            }

            /// Checks that no required member is empty; a missing one is accepted.
            ///
            /// # Errors
            ///
            /// The message names the first empty member. The members that every event has are checked first.
            pub(crate) fn refuse_empty(event: Event, json: &Map<String, Json>) -> Result<(), String> {
                members(event).refuse_empty(event, json)
            }

            /// Returns the event.
            #[must_use]
            pub fn event(&self) -> Event {
                match self {
                    $(Self::$event(_) => Event::$event,)*
                }
            }

            /// Returns the members that every event carries.
            #[must_use]
            pub fn base(&self) -> &BasePayload {
                match self {
                    $(Self::$event(payload) => &payload.base,)*
                }
            }

            /// Checks that no required member is empty.
            ///
            /// # Errors
            ///
            /// The message names the first empty member. The members that every event has are checked first.
            pub fn validate(&self) -> Result<(), String> {
                match self {
                    $(Self::$event(payload) => payload.validate(),)*
                }
            }
        }

        /// Returns the names of a payload's members other than those of the base.
        pub(super) const fn members(event: Event) -> OwnMembers {
            match event {
                $(Event::$event => OwnMembers {
                    required: &[$(stringify!($required)),*],
                    optional: &[$(stringify!($optional)),*],
                },)*
            }
        }
    };
}

payloads! {
    PreToolUse => PreToolUsePayload { tool_name: String, tool_input: Json, tool_use_id: String }
        may { mcp_server: McpServer, agent_id: String, agent_type: String }
    PostToolUse => PostToolUsePayload { tool_name: String, tool_input: Json, tool_response: Json, tool_use_id: String }
        may { duration_ms: Number, mcp_server: McpServer, agent_id: String, agent_type: String }
    PostToolUseFailure => PostToolUseFailurePayload {
        tool_name: String, tool_input: Json, tool_use_id: String, error: String
    } may { is_interrupt: bool, duration_ms: Number, mcp_server: McpServer, agent_id: String, agent_type: String }
    PostToolBatch => PostToolBatchPayload { tool_calls: Vec<ToolCall> } may { agent_id: String, agent_type: String }
    Notification => NotificationPayload { message: String, notification_type: String } may { title: String }
    UserPromptSubmit => UserPromptSubmitPayload { prompt: String } may { source: String, session_title: String }
    UserPromptExpansion => UserPromptExpansionPayload { expansion_type: String, command_name: String, prompt: String }
        may { command_args: String, command_source: String }
    SessionStart => SessionStartPayload { source: String } may {
        model: String, session_title: String, seconds_since_last_response: Number, context_tokens: Number,
        prompt_cache_likely_expired: bool, estimated_cache_write_usd: Number
    }
    SessionEnd => SessionEndPayload { reason: String } may {}
    Stop => StopPayload { stop_hook_active: bool } may {
        last_assistant_message: String, background_tasks: Vec<BackgroundTask>, session_crons: Vec<SessionCron>
    }
    StopFailure => StopFailurePayload { error: String } may { error_details: String, last_assistant_message: String }
    SubagentStart => SubagentStartPayload { agent_id: String, subagent_type: String, agent_transcript_path: String }
        may {}
    SubagentStop => SubagentStopPayload { stop_hook_active: bool, agent_id: String, agent_transcript_path: String }
        may {
            subagent_type: String, last_assistant_message: String, background_tasks: Vec<BackgroundTask>,
            session_crons: Vec<SessionCron>
        }
    PreCompact => PreCompactPayload { trigger: String } may { custom_instructions: String }
    PostCompact => PostCompactPayload { trigger: String, compact_summary: String } may {}
    PreModelSwitch => PreModelSwitchPayload {
        from_model: String, to_model: String, source: String, context_tokens: Number, prompt_cache_warm: bool,
        cache_ttl: String, estimated_cache_write_usd: Number, pricing: String
    } may { requested_model: String }
    PostModelSwitch => PostModelSwitchPayload {
        from_model: String, to_model: String, source: String, context_tokens: Number, prompt_cache_warm: bool,
        cache_ttl: String, estimated_cache_write_usd: Number, pricing: String
    } may { requested_model: String }
    PermissionRequest => PermissionRequestPayload { tool_name: String, tool_input: Json } may {
        permission_suggestions: Vec<PermissionSuggestion>, mcp_server: McpServer, agent_id: String, agent_type: String
    }
    PermissionDenied => PermissionDeniedPayload {
        tool_name: String, tool_input: Json, tool_use_id: String, reason: String
    } may { mcp_server: McpServer, agent_id: String, agent_type: String }
    PreSkillShellCommand => PreSkillShellCommandPayload {
        tool_name: String, tool_input: Json, tool_use_id: String, command_name: String
    } may { command_source: String, invoked_by: String, agent_id: String, agent_type: String }
    Setup => SetupPayload { trigger: String } may {}
    TeammateIdle => TeammateIdlePayload { teammate_name: String } may { team_name: String }
    TaskCreated => TaskCreatedPayload { task_id: String, task_subject: String }
        may { task_description: String, teammate_name: String, team_name: String }
    TaskCompleted => TaskCompletedPayload { task_id: String, task_subject: String }
        may { task_description: String, teammate_name: String, team_name: String }
    Elicitation => ElicitationPayload { mcp_server_name: String, message: String }
        may { mode: String, url: String, elicitation_id: String, requested_schema: Json }
    ElicitationResult => ElicitationResultPayload { mcp_server_name: String, action: String }
        may { elicitation_id: String, mode: String, content: Json }
    ConfigChange => ConfigChangePayload { source: String } may { file_path: String }
    WorktreeCreate => WorktreeCreatePayload { name: String } may {}
    WorktreeRemove => WorktreeRemovePayload { worktree_path: String } may {}
    InstructionsLoaded => InstructionsLoadedPayload { file_path: String, memory_type: String, load_reason: String }
        may { globs: Vec<String>, trigger_file_path: String, parent_file_path: String }
    CwdChanged => CwdChangedPayload { old_cwd: String, new_cwd: String } may {}
    FileChanged => FileChangedPayload { file_path: String, event: String } may {}
    DirectoryAdded => DirectoryAddedPayload { directory: String, source: String } may {}
    MessageDisplay => MessageDisplayPayload { turn_id: String, message_id: String, index: Number, r#final: bool }
        may { delta: String }
}

objects! {
    /// The MCP server that offers a tool.
    McpServer { name: String, source: String } may {}
    /// One of the tool calls in a reply of the model.
    ToolCall { tool_name: String, tool_input: Json, tool_use_id: String } may { tool_response: Json }
    /// A permanent permission that the host's dialog offers to the user.
    PermissionSuggestion { r#type: String, destination: String }
        may { rules: Vec<PermissionRule>, behavior: String, mode: String, directories: Vec<String> }
    /// A permission rule of the host: a tool, and a pattern for its input.
    #[serde(rename_all = "camelCase")]
    PermissionRule { tool_name: String } may { rule_content: String }
    /// A task of a session that runs in the background, such as a shell or a subagent.
    BackgroundTask { id: String, r#type: String, status: String } may {
        description: String, command: String, agent_type: String, server: String, tool: String, name: String
    }
    /// A prompt that a session has scheduled.
    SessionCron { id: String, schedule: String, recurring: bool, prompt: String } may {}
}

impl HookPayload {
    /// Returns the session's id.
    #[must_use]
    pub fn session_id(&self) -> &str {
        &self.base().session_id
    }

    /// Returns the path of the file with the main conversation.
    #[must_use]
    pub fn transcript_path(&self) -> &str {
        &self.base().transcript_path
    }

    /// Returns the event's name as it is in the payload.
    #[must_use]
    pub fn hook_event_name(&self) -> &str {
        &self.base().hook_event_name
    }

    /// Returns the session's current directory.
    #[must_use]
    pub fn cwd(&self) -> &str {
        &self.base().cwd
    }

    /// Returns the session's permission mode, such as `plan`; `None` if the event does not have it.
    #[must_use]
    pub fn permission_mode(&self) -> Option<&str> {
        self.base().permission_mode.as_deref()
    }
}

// Not derived, because `#[serde(tag = "hook_event_name")]` would remove the name from the base, which needs it too.
impl<'de> Deserialize<'de> for HookPayload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const NAME: &str = "hook_event_name";
        let json = Map::<String, Json>::deserialize(deserializer)?;
        let name = json.get(NAME).ok_or_else(|| de::Error::missing_field(NAME))?;
        let name = name.as_str().ok_or_else(|| de::Error::custom(format_args!("`{NAME}` is not a text")))?;
        let event = Event::from_name(name);
        let event = event
            .ok_or_else(|| de::Error::custom(format_args!("there is no event {}", quote_word(name, MAX_NAME_CHARS))))?;
        Self::from_json(event, &json).map_err(de::Error::custom)
    }
}
