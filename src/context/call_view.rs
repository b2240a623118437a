//! A call: its payload, and what is known of it without reading the machine.

use std::cell::OnceCell;

use serde_json::Value as Json;

use super::derived::CallFiles;
use super::foreign_shape::InputShape;
use super::probable_commands;
use super::tool_record_facts::ToolRecordFacts;
use crate::config::{LayerKind, ShellTools};
use crate::schema::{Event, ToolShell, tool_spec};
use crate::types::Payload;

/// A call, or another event, as the rules of one layer see its payload.
pub struct CallView<'a> {
    pub(super) payload: &'a Payload,
    /// The name of the tool, cached, since most lookups need it.
    pub(super) tool_name: Option<&'a str>,
    /// The input of the tool, cached like the name.
    pub(super) tool_input: Option<&'a Json>,
    pub(super) host: &'a str,
    pub(super) shell_tools: &'a ShellTools,
    /// The layer of the rules that see the event like this.
    pub(super) seen_by: LayerKind,
    /// The members of the input that are commands according to the `[shell]` of this layer and those above it.
    pub(super) declared_commands: Vec<&'a str>,
    /// The tool records that match the call, as the rules of this layer see them.
    pub(super) recorded: ToolRecordFacts,
    /// Whether the call may run a command that cannot be read, cached.
    pub(super) has_unreadable_command: OnceCell<bool>,
    /// The shape of a built-in tool's input, cached, since every derived field needs it.
    pub(super) input_shape: OnceCell<InputShape>,
    /// The names of files in the input that conditions see, cached.
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

    /// Returns the call's shell command and its language; `None` if the tool runs none or the command is not a
    /// string.
    #[must_use]
    pub fn shell_command(&self) -> Option<(&'a str, ToolShell)> {
        let name = self.tool_name?;
        let shell = tool_spec(name).map_or(ToolShell::Bash, |tool| tool.shell);
        let command = self.tool_input?.get(self.command_member()?)?.as_str()?;
        Some((command, shell))
    }

    /// Returns the name of the member in the tool's input that is the shell command.
    #[must_use]
    pub fn command_member(&self) -> Option<&str> {
        let name = self.tool_name?;
        let input = self.tool_input?;
        let holds = |member: &&str| input.get(*member).is_some_and(|value| !value.is_null());
        self.declared_commands.iter().copied().find(holds).or_else(|| tool_spec(name)?.command)
    }

    /// Whether the call may run a command that is not a plain string in the expected member: a list, an object, one
    /// of several members, or a nested member in the input of an unlisted tool.
    #[must_use]
    pub fn has_unreadable_command(&self) -> bool {
        *self.has_unreadable_command.get_or_init(|| self.is_command_unreadable())
    }

    /// Computes [`Self::has_unreadable_command`].
    fn is_command_unreadable(&self) -> bool {
        let Some(name) = self.tool_name else { return false };
        let is_said = |value: &Json| !value.is_null();
        let known = tool_spec(name);
        let is_stated = !self.declared_commands.is_empty();
        if !is_stated && known.is_some_and(|tool| tool.command.is_none()) {
            return false;
        }
        if !is_stated && known.is_some() {
            // A required command that is missing may be in any other member. If there is a second command, the two
            // cannot be combined.
            let is_missing = self.missing_member(|spec, name| spec.command == Some(name)).is_some();
            if is_missing && self.command_of_unknown_members().is_none() || self.has_possible_command() {
                return true;
            }
        }
        let Some(input) = self.tool_input else { return false };
        let Some(members) = input.as_object() else { return is_said(input) };
        if is_stated || known.is_some() {
            let own = known.and_then(|tool| tool.command).filter(|own| !self.declared_commands.contains(own));
            let named = self.declared_commands.iter().copied().chain(own);
            let several = named.filter(|member| members.get(*member).is_some_and(is_said));
            let command = self.command_member().and_then(|member| members.get(member));
            let is_odd = command.is_some_and(|command| is_said(command) && !command.is_string());
            // No declaration determines whether separate arguments belong to the command.
            let is_part = is_stated && command.is_some_and(is_said) && probable_commands::has_arguments(members);
            return several.count() > 1 || is_odd || is_part;
        }
        let is_known = |member: &str| self.is_recorded(member);
        let unfolded = probable_commands::parse_json_strings(members, &is_known);
        self.commands_of_records().is_err()
            || probable_commands::is_odd(unfolded.as_ref().unwrap_or(members), &is_known)
    }

    /// Whether a path is that of a field about the acting agent, and the payload does not determine which agent acts.
    pub(super) fn is_agent_ambiguous(&self, path: &[String]) -> bool {
        matches!(path, [name, ..] if name == "agent_id" || name == "agent_type") && self.payload.is_actor_unclear()
    }

    /// Returns the fields that the PreToolUse of the same call had and that this permission request lacks; none for
    /// another event.
    pub(super) fn lacking_fields(&self) -> impl Iterator<Item = &'static str> {
        let fields = self.is_permission_request.then(|| Event::PreToolUse.fields()).into_iter().flatten();
        let carries = |name: &str| Event::PermissionRequest.fields().any(|field| field.name == name);
        let names = fields.map(|field| field.name).filter(move |name| !carries(name));
        names.filter(|name| !self.payload.json.contains_key(*name))
    }

    /// Returns the value at a path that leads through objects only; `None` if it leads through a list.
    pub(super) fn member(&self, path: &[String]) -> Option<&Json> {
        let (first, rest) = path.split_first()?;
        rest.iter().try_fold(self.payload.member(first)?, |json, name| json.as_object()?.get(name))
    }
}
