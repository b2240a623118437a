//! The records of hosts, `hosts/*.toml`: what each host sends, and which answers it obeys.

mod kinds;
mod read;
mod read_checks;
mod read_settings;

pub(super) use kinds::{
    AnswerForm, AnswerSlot, AnswerValue, HostEncoding, HostEvent, HostRecord, HostTool, MemberSource, PayloadSign,
};
pub(crate) use kinds::{EntryHole, EntryValue, HostSettings, SettingsForm, SettingsPlace, TimeUnit};
pub(super) use read::{HostRecordMistake, RecordVocabulary, read_record};
pub(super) use table::{RECORDS, SETTINGS_DIRECTORIES, SIGN_MEMBERS, SIGN_PATHS};

use super::fate::Audience;
use crate::schema::{Capabilities, Event};
use crate::types::PayloadOrigin;

/// The records as statics, which the build script has written.
mod table {
    use super::kinds::AnswerSlot::{Context, Event, Input, Message, Output, Reason};
    use super::kinds::AnswerValue::{Flag, Members, Slot, Text};
    use super::kinds::EntryHole::{Closes, CommandLine, EventName, TimeLimit};
    use super::kinds::EntryValue::{Count, Fixed, Hole, List, Object};
    use super::kinds::HostEncoding::{Forms, Streams};
    use super::kinds::SettingsForm::{Bridge, Executables, JsonLists, TomlTables};
    use super::kinds::TimeUnit::{Milliseconds, Seconds};
    use super::kinds::{
        AnswerForm, HostEvent, HostRecord, HostSettings, HostTool, MemberSource, PayloadSign, SettingsPlace,
    };

    include!(concat!(env!("OUT_DIR"), "/hosts.rs"));
}

impl HostRecord {
    /// Returns what no payload of the host says.
    pub(super) fn silences(&self) -> PayloadOrigin {
        PayloadOrigin {
            hides_agents: self.unsent.contains(&"agent_id"),
            hides_failures: !self.tells_failures,
            ..PayloadOrigin::default()
        }
    }

    /// Returns the first row of an event of the schema; `None` for an event that the host never sends.
    pub(super) fn event(&self, event: Event) -> Option<&'static HostEvent> {
        self.events.iter().find(|row| row.event == event.name())
    }

    /// Returns the row of an event of the schema that the host calls by this name; `None` if the host never sends the
    /// event under it.
    pub(super) fn event_by_name(&self, event: Event, name: &str) -> Option<&'static HostEvent> {
        self.events.iter().find(|row| row.event == event.name() && row.names.contains(&name))
    }

    /// Returns the first row that has this name of an event, in the host's words.
    pub(super) fn named_event(&self, name: &str) -> Option<&'static HostEvent> {
        let found = self.event_names.binary_search_by_key(&name, |(name, _)| name).ok()?;
        self.events.get(self.event_names.get(found)?.1)
    }

    /// Returns the entry of a tool by its name, either the host's or the schema's.
    pub(super) fn tool(&self, name: &str) -> Option<&'static HostTool> {
        self.tools.iter().find(|tool| tool.names.contains(&name) || tool.tool == name)
    }
}

impl HostEvent {
    /// Returns the answers that the host carries out on this event.
    pub(super) const fn capabilities(&self) -> Capabilities {
        Capabilities {
            deny: self.deny.is_some(),
            ask: self.ask.is_some(),
            allow: self.allow.is_some(),
            halt: self.halt.is_some(),
            context: self.context.is_some(),
            rewrite: self.rewrite.is_some() || self.output.is_some(),
            warn: self.warn.is_some(),
            stdout_is_context: self.is_stdout_context,
        }
    }

    /// Returns who reads the reason of a denial.
    pub(super) const fn reason_reader(&self) -> Audience {
        if self.is_reason_for_user { Audience::User } else { Audience::Agent }
    }
}
