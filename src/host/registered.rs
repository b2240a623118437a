//! The parts of a host's record that are about registering the hook: in which files, under which names of events, and a
//! sample call with which `rules doctor` tries the hook.

use serde_json::{Map, Value as Json, json};

use super::record::{AnswerValue, HostEncoding, HostEvent, HostSettings, SETTINGS_DIRECTORIES};
use super::{Host, HostOutput};
use crate::schema::Event;

/// The tool of the sample call. No host has it, so only rules about every tool apply.
const SAMPLE_TOOL: &str = "RulesDoctor";

/// The value of the members by which the host of a payload is recognised.
const SAMPLE_TEXT: &str = "rules-doctor";

/// Returns the first components of the paths that [`Host::registration_paths`] returns for the built-in hosts: `.codex`.
#[must_use]
pub const fn settings_directories() -> &'static [&'static str] {
    SETTINGS_DIRECTORIES
}

impl Host {
    /// Returns the paths of the files and directories in which the hook is registered for this host:
    /// `.codex/hooks.json` in a project or, with `~/`, in the user's home. Changing one of these may end the
    /// registration.
    #[must_use]
    pub fn registration_paths(self) -> Vec<String> {
        self.0.registration_paths()
    }

    /// Returns the settings in which the hook is registered; `None` if `rules install` does not write them.
    pub(crate) const fn settings(self) -> Option<&'static HostSettings> {
        self.0.settings.as_ref()
    }

    /// Returns a sentence with the reason why `rules install` does not write the host's settings; `None` if it does.
    #[must_use]
    pub const fn not_installable(self) -> Option<&'static str> {
        self.0.not_installable
    }

    /// Returns the programs whose presence in `PATH` shows that the host is installed.
    #[must_use]
    pub const fn programs(self) -> &'static [&'static str] {
        self.0.programs
    }

    /// Returns the directories whose presence in a home or a project shows that the host is used there.
    #[must_use]
    pub const fn directories(self) -> &'static [&'static str] {
        self.0.directories
    }

    /// Returns the schema's name of a tool, given the host's name; `None` if the host has no name of its own for a tool
    /// of that name.
    #[must_use]
    pub fn tool_here(self, name: &str) -> Option<&'static str> {
        self.0.tool(name).map(|tool| tool.tool)
    }

    /// Whether the host also calls the hooks in the settings of Claude Code of this scope.
    #[must_use]
    pub fn reads_others(self, scope: &str) -> bool {
        self.0.reads_others.contains(&scope)
    }

    /// Whether the host ever sends an event.
    #[must_use]
    pub fn sends(self, event: Event) -> bool {
        self.event(event).is_some()
    }

    /// Whether the registration of an event may set a timeout. It may not if the host has a special time limit for the
    /// event.
    pub(crate) fn takes_timeout(self, event: Event) -> bool {
        self.event(event).is_some_and(|row| row.wait.is_none())
    }

    /// Returns the names under which an event is registered in the host's settings. Unless the settings use special
    /// names, these are the first name of each row of the event.
    #[must_use]
    pub fn registered_names(self, event: Event) -> Vec<&'static str> {
        let special_names = self.0.settings.iter().flat_map(|settings| settings.event_names);
        match special_names.into_iter().find(|(event_name, _)| *event_name == event.name()) {
            Some((_, names)) => names.to_vec(),
            None => self.rows(event).filter_map(|row| row.names.first().copied()).collect(),
        }
    }

    /// Returns the event that a name in the host's settings means; `None` if the host has no such event.
    #[must_use]
    pub fn event_registered_as(self, name: &str) -> Option<Event> {
        let special_name = self.0.settings.iter().flat_map(|settings| settings.event_names);
        let special_name = special_name.into_iter().find(|(_, names)| names.contains(&name)).map(|(event, _)| *event);
        let event = special_name.or_else(|| self.0.named_event(name).map(|row| row.event))?;
        Event::from_name(event)
    }

    fn rows(self, event: Event) -> impl Iterator<Item = &'static HostEvent> {
        self.0.events.iter().filter(move |row| row.event == event.name())
    }

    /// Returns a payload of PreToolUse as the host sends it, for a tool that does not exist. `None` if the host does
    /// not have the event. If the event of the host has a fixed tool, it is a call of that tool with an empty input.
    #[must_use]
    pub fn sample_call(self, directory: &str) -> Option<Json> {
        self.rows(Event::PreToolUse).next().map(|row| self.sample_payload(row, directory, Some(SAMPLE_TOOL)))
    }

    /// Returns a payload of PreToolUse as the host would send it for a call without the name of its tool, which every
    /// policy with a rule denies. `None` if all calls of the host have a fixed tool.
    #[must_use]
    pub fn nameless_call(self, directory: &str) -> Option<Json> {
        self.deniable_row().map(|row| self.sample_payload(row, directory, None))
    }

    /// Whether a decoded payload is one of [`Self::sample_call`] or [`Self::nameless_call`]: a call of this program's
    /// own session, without input.
    #[must_use]
    pub fn is_sample(payload: &Map<String, Json>) -> bool {
        let is_empty = |input: &Json| input.as_object().is_some_and(|members| members.values().all(|text| text == ""));
        let is_of_session = payload.get("session_id").is_some_and(|id| id == SAMPLE_TEXT);
        is_of_session && payload.get("tool_input").is_none_or(|input| input.is_null() || is_empty(input))
    }

    /// Whether an output denies the call that [`Self::nameless_call`] returns.
    #[must_use]
    pub fn is_denial(self, output: &HostOutput) -> bool {
        let Some(form) = self.deniable_row().and_then(|row| row.deny) else { return false };
        if self.0.encoding == HostEncoding::Streams {
            return output.exit == 2 && !output.stderr.trim().is_empty();
        }
        let answer = serde_json::from_str(&output.stdout).unwrap_or_else(|_| json!({}));
        output.exit == form.exit
            && has_members(&answer, form.json)
            && (form.stderr.is_none() || !output.stderr.trim().is_empty())
    }

    /// Returns the first row of a call whose tool the payload names.
    fn deniable_row(self) -> Option<&'static HostEvent> {
        self.rows(Event::PreToolUse).find(|row| row.tools.is_empty())
    }

    fn sample_payload(self, row: &HostEvent, directory: &str, tool: Option<&str>) -> Json {
        let mut payload = json!({});
        for sign in self.0.signs.iter().take(1).chain(row.sign.iter()) {
            for member in sign.has {
                put(&mut payload, member, json!(SAMPLE_TEXT));
            }
        }
        if let (Some(member), Some(name)) = (self.0.event_members.first(), row.names.first()) {
            put(&mut payload, member, json!(name));
        }
        let values = [
            ("session_id", json!(SAMPLE_TEXT)),
            ("cwd", json!(directory)),
            ("tool_name", json!(tool)),
            ("tool_input", json!({})),
        ];
        for (member, value) in values {
            let sources = row.members.iter().chain(self.0.members);
            let source = sources.into_iter().find(|source| source.member == member);
            let has_tool = row.tools.is_empty() || member != "tool_name";
            if has_tool && (member != "tool_input" || row.input.is_empty()) {
                put(&mut payload, source.and_then(|source| source.from.first()).unwrap_or(&member), value);
            }
        }
        for member in row.input {
            put(&mut payload, member, json!(""));
        }
        payload
    }
}

/// Whether an object has the members of an answer: the fixed ones, and a text in each placeholder.
fn has_members(object: &Json, members: &[(&str, AnswerValue)]) -> bool {
    members.iter().all(|(name, value)| match (value, object.get(name)) {
        (AnswerValue::Text(text), Some(found)) => found == text,
        (AnswerValue::Flag(flag), Some(found)) => found == flag,
        (AnswerValue::Members(inner), Some(found)) => has_members(found, inner),
        (AnswerValue::Slot(_), Some(found)) => found.as_str().is_some_and(|text| !text.trim().is_empty()),
        (_, None) => false,
    })
}

/// Puts a value at a path of an object, such as `tool_call.name` or `workspaceRoots.0`. Values on the path that are no
/// objects are replaced by objects.
fn put(object: &mut Json, path: &str, value: Json) {
    let Some((name, rest)) = path.split_once('.') else {
        if name_is_index(path) {
            *object = json!([value]);
        } else if let Some(members) = members_of(object) {
            members.insert(path.to_owned(), value);
        }
        return;
    };
    if let Some(members) = members_of(object) {
        put(members.entry(name).or_insert(Json::Null), rest, value);
    }
}

fn name_is_index(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the members of an object. Any other value is first replaced by an empty object.
fn members_of(value: &mut Json) -> Option<&mut Map<String, Json>> {
    if !value.is_object() {
        *value = json!({});
    }
    value.as_object_mut()
}
