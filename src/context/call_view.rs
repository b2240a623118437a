//! A call: its payload, and what can be found out about it without reading the machine.

use std::cell::OnceCell;

use serde_json::{Map, Value as Json};

use super::derived::CallFiles;
use super::foreign_shape::InputShape;
use super::probable_commands;
use super::tool_record_facts::ToolRecordFacts;
use crate::config::{LayerKind, ShellTools};
use crate::schema::{Event, ToolShell, tool_spec};
use crate::types::Payload;

/// The payload of a call, or of another event, as the rules of one layer see it. Layers differ in which members of
/// the input they declare as commands, and which records of tools they have.
pub struct CallView<'a> {
    pub(super) payload: &'a Payload,
    /// The name of the tool, cached, since most lookups need it.
    pub(super) tool_name: Option<&'a str>,
    /// The input of the tool, cached like the name.
    pub(super) tool_input: Option<&'a Json>,
    pub(super) host: &'a str,
    pub(super) shell_tools: &'a ShellTools,
    /// The layer whose rules see the event like this.
    pub(super) seen_by: LayerKind,
    /// The members of the input that are commands according to the `[shell]` of this layer and those above it.
    pub(super) declared_commands: Vec<&'a str>,
    /// The tool records that match the call, as the rules of this layer see them.
    pub(super) recorded: ToolRecordFacts,
    /// Whether the call may run a command that cannot be read, cached.
    pub(super) has_unreadable_command: OnceCell<bool>,
    /// How a built-in tool's input differs from the schema, cached, since every derived field needs it.
    pub(super) input_shape: OnceCell<InputShape>,
    /// The names of files in the input, up to the limits, cached.
    pub(super) files: OnceCell<CallFiles>,
    /// The payload in the form in which JSONPaths query it, cached.
    pub(super) json: OnceCell<Json>,
    /// The number of values in the payload, counted for the first JSONPath.
    pub(super) json_values: OnceCell<u64>,
    /// Whether the event is a permission request that is seen as PreToolUse.
    pub(super) is_permission_request: bool,
}

impl<'a> CallView<'a> {
    /// Makes the view of a payload for the rules of one layer.
    pub(super) fn new(payload: &'a Payload, host: &'a str, shell_tools: &'a ShellTools, seen_by: LayerKind) -> Self {
        let (tool_name, tool_input) = (payload.tool_name(), payload.tool_input());
        Self {
            payload,
            tool_name,
            tool_input,
            host,
            shell_tools,
            seen_by,
            declared_commands: shell_tools.shell_members(tool_name, tool_input, seen_by),
            recorded: ToolRecordFacts::default(),
            has_unreadable_command: OnceCell::new(),
            input_shape: OnceCell::new(),
            files: OnceCell::new(),
            json: OnceCell::new(),
            json_values: OnceCell::new(),
            is_permission_request: false,
        }
    }

    /// Makes the view of another payload of the same event.
    pub(super) fn with_payload<'b>(&self, payload: &'b Payload) -> CallView<'b>
    where
        'a: 'b,
    {
        CallView::new(payload, self.host, self.shell_tools, self.seen_by)
    }

    /// Returns the call's shell command and its language. `None` if the tool runs no shell command, or if the command
    /// is not a string.
    #[must_use]
    pub fn shell_command(&self) -> Option<(&'a str, ToolShell)> {
        let name = self.tool_name?;
        let shell = tool_spec(name).map_or(ToolShell::Bash, |tool| tool.shell);
        let command = self.tool_input?.get(self.command_member()?)?.as_str()?;
        Some((command, shell))
    }

    /// Returns the name of the member in the tool's input that contains the shell command: one that a layer declares,
    /// else the one in the schema.
    #[must_use]
    pub fn command_member(&self) -> Option<&str> {
        let name = self.tool_name?;
        let input = self.tool_input?;
        let is_present = |member: &&str| input.get(*member).is_some_and(|value| !value.is_null());
        self.declared_commands.iter().copied().find(is_present).or_else(|| tool_spec(name)?.command)
    }

    /// Whether the call may run a command that is not a plain string in the expected member. It may be a list or an
    /// object, there may be several commands, or it may be nested in the input of an unlisted tool.
    #[must_use]
    pub fn has_unreadable_command(&self) -> bool {
        *self.has_unreadable_command.get_or_init(|| self.is_command_unreadable())
    }

    /// Computes [`Self::has_unreadable_command`].
    fn is_command_unreadable(&self) -> bool {
        let Some(name) = self.tool_name else { return false };
        let spec = tool_spec(name);
        let is_declared = !self.declared_commands.is_empty();
        if !is_declared && spec.is_some_and(|tool| tool.command.is_none()) {
            return false;
        }
        if !is_declared && spec.is_some() {
            // A required command that is missing may be in any other member. If there is a second command, the two
            // cannot be combined.
            let lacks_command = self.missing_member(|spec, name| spec.command == Some(name)).is_some();
            if lacks_command && self.command_of_unknown_members().is_none() || self.has_possible_command() {
                return true;
            }
        }
        let Some(input) = self.tool_input else { return false };
        let Some(members) = input.as_object() else { return !input.is_null() };
        if is_declared || spec.is_some() {
            return self.is_known_command_unreadable(spec.and_then(|tool| tool.command), members);
        }
        let is_recorded = |member: &str| self.is_recorded(member);
        let parsed = probable_commands::parse_json_strings(members, &is_recorded);
        self.commands_of_records().is_err()
            || probable_commands::has_odd_command(parsed.as_ref().unwrap_or(members), &is_recorded)
    }

    /// Whether a command in a known member is unreadable. Known are the members that layers declare as commands, and
    /// `built_in`, the one in the schema.
    fn is_known_command_unreadable(&self, built_in: Option<&str>, members: &Map<String, Json>) -> bool {
        let is_present = |value: &Json| !value.is_null();
        let built_in = built_in.filter(|member| !self.declared_commands.contains(member));
        let command_members = self.declared_commands.iter().copied().chain(built_in);
        let present = command_members.filter(|member| members.get(*member).is_some_and(is_present));
        let command = self.command_member().and_then(|member| members.get(member));
        let is_no_string = command.is_some_and(|command| is_present(command) && !command.is_string());
        // A declaration does not say whether arguments in another member belong to the command.
        let is_declared = !self.declared_commands.is_empty();
        let may_be_program =
            is_declared && command.is_some_and(is_present) && probable_commands::has_arguments(members);
        present.count() > 1 || is_no_string || may_be_program
    }

    /// Whether a path names a field about the acting agent (`agent_id`, `agent_type`), and the payload does not
    /// determine which agent acts.
    pub(super) fn is_agent_ambiguous(&self, path: &[String]) -> bool {
        matches!(path, [name, ..] if name == "agent_id" || name == "agent_type") && self.payload.is_actor_unclear()
    }

    /// Returns the fields that PreToolUse has and that this permission request, seen as PreToolUse, lacks; none for
    /// another event.
    pub(super) fn lacking_fields(&self) -> impl Iterator<Item = &'static str> {
        let fields = self.is_permission_request.then(|| Event::PreToolUse.fields()).into_iter().flatten();
        let carries = |name: &str| Event::PermissionRequest.fields().any(|field| field.name == name);
        let names = fields.map(|field| field.name).filter(move |name| !carries(name));
        names.filter(|name| !self.payload.json.contains_key(*name))
    }

    /// Returns the value at a path of member names in the payload; `None` if the path leads through a list.
    pub(super) fn member(&self, path: &[String]) -> Option<&Json> {
        let (first, rest) = path.split_first()?;
        rest.iter().try_fold(self.payload.member(first)?, |json, name| json.as_object()?.get(name))
    }
}
