//! The table of events with their subjects, fields, types and possible answers, and of tools with their inputs.
//!
//! Checking, evaluation, encoding, completion and the book's reference pages all use it. It has Claude Code's
//! vocabulary, into which other hosts are translated, and does not know the JSON of any host.

mod elsewhere;
mod events;
mod host_version;
mod lookup;
mod numbers;
mod tools;

use std::time::Duration;

pub use elsewhere::{
    HostEventMeaning, event_by_foreign_name, events_named_by_hosts, field_named_by_hosts, normalised_mcp_name,
    tool_by_foreign_name, tool_named_by_hosts, tools_named_by_hosts, visit_names_without_plugin,
};
pub use events::{EVENTS, Event};
pub use host_version::{HostVersion, NEWEST_KNOWN};
pub use lookup::{FieldLookup, field_type};
pub use tools::{
    AGENT, FORMER_AGENT, OTHER_TOOLS, OUTPUT, TOOLS, WRITTEN_TEXTS, current_tool_name, is_milliseconds, is_tool_name,
    is_word_of_output, tool_spec,
};

/// The type of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldType {
    /// Any text.
    String,
    /// A text that names a file or directory.
    Path,
    /// One of these texts. A version of the host that is newer than the table may also send other texts.
    Enum(&'static [&'static str]),
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// Several values, each of the inner type.
    List(&'static FieldType),
    /// An object with these members.
    Object(&'static [Field]),
    /// Any value that the tool or host sends.
    Any,
}

/// A field of an event or of a tool's input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// The name in the payload.
    pub name: &'static str,
    /// The type of its value.
    pub ty: FieldType,
    /// Whether the host always sends the field, with a value; for a member of a tool's input, whether the host
    /// refuses a call without it.
    pub required: bool,
    /// The description in one sentence, for the book and completion.
    pub doc: &'static str,
}

/// Creates a field that always has a value, or a member without which the host refuses the call.
const fn required(name: &'static str, ty: FieldType, doc: &'static str) -> Field {
    Field { name, ty, required: true, doc }
}

/// Creates a field that may be absent, null or empty.
const fn optional(name: &'static str, ty: FieldType, doc: &'static str) -> Field {
    Field { name, ty, required: false, doc }
}

/// The value with which the selectors of an event are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The event takes no selector.
    None,
    /// The tool's name; `Task` is treated as `Agent`.
    Tool,
    /// The value of the field with this name.
    Field(&'static str),
    /// The last component of the path in the field with this name.
    BaseName(&'static str),
}

/// The effects that an event can carry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capabilities {
    /// Whether `deny` is possible, and `exit 2` as a denial.
    pub deny: bool,
    /// Whether `ask` is possible.
    pub ask: bool,
    /// Whether `allow` is possible.
    pub allow: bool,
    /// Whether `halt` is possible.
    pub halt: bool,
    /// Whether `context` is possible.
    pub context: bool,
    /// Whether `rewrite` is possible.
    pub rewrite: bool,
    /// Whether `warn` is possible, and any `exit` that is not a denial.
    pub warn: bool,
    /// Whether the plain text that a successful `run` prints becomes context.
    pub stdout_is_context: bool,
}

impl Capabilities {
    /// The capabilities of an event that can only show notes to the user.
    pub const NOTES: Self = Self {
        deny: false,
        ask: false,
        allow: false,
        halt: false,
        context: false,
        rewrite: false,
        warn: true,
        stdout_is_context: false,
    };

    /// Whether the event can carry an effect.
    #[must_use]
    pub const fn has_capability(&self, answer: Capability) -> bool {
        match answer {
            Capability::Deny => self.deny,
            Capability::Ask => self.ask,
            Capability::Allow => self.allow,
            Capability::Halt => self.halt,
            Capability::Context => self.context,
            Capability::Rewrite => self.rewrite,
            Capability::Warn => self.warn,
        }
    }

    /// Returns the keywords of the effects in [`Capability`] that the event can carry.
    pub fn keywords(&self) -> impl Iterator<Item = &'static str> {
        Capability::ALL.iter().filter(|answer| self.has_capability(**answer)).map(|answer| answer.keyword())
    }
}

/// An effect of the policy language that only some events can carry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Capability {
    /// `deny`, and `exit 2` on events where it denies.
    Deny,
    /// `ask`.
    Ask,
    /// `allow`.
    Allow,
    /// `halt`.
    Halt,
    /// `context`.
    Context,
    /// `rewrite`.
    Rewrite,
    /// `warn`, and any `exit` that is not a denial.
    Warn,
}

impl Capability {
    /// All of these effects, in the order of the tables.
    pub const ALL: &'static [Self] =
        &[Self::Deny, Self::Ask, Self::Allow, Self::Halt, Self::Context, Self::Rewrite, Self::Warn];

    /// Returns the effect's keyword in a policy.
    #[must_use]
    pub const fn keyword(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Allow => "allow",
            Self::Halt => "halt",
            Self::Context => "context",
            Self::Rewrite => "rewrite",
            Self::Warn => "warn",
        }
    }
}

/// The row of an event in the table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EventSpec {
    /// The event that the row describes.
    pub event: Event,
    /// The event's name, in policies and payloads.
    pub name: &'static str,
    /// The description in one sentence.
    pub doc: &'static str,
    /// The value with which selectors are compared.
    pub subject: Subject,
    /// The event's own fields, in addition to [`BASE_FIELDS`].
    pub fields: &'static [Field],
    /// The effects that the event can carry.
    pub answers: Capabilities,
    /// Whether the payload identifies the acting agent, so that `by` is possible.
    pub has_agent: bool,
    /// Whether `on *` selects the event.
    pub in_wildcard: bool,
    /// The timeout of a command whose rule sets none; `None` means that the command may run as long as the host waits.
    pub run_timeout: Option<Duration>,
    /// The field that the text of an example fills, such as `prompt`. On an event of a tool it is `None`, and
    /// [`ToolSpec::example_text`] is used.
    pub example_text: Option<&'static str>,
}

/// The row of a built-in tool in the table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ToolSpec {
    /// The tool's name.
    pub name: &'static str,
    /// The members of `tool_input`.
    pub input: &'static [Field],
    /// The input member that is a shell command.
    pub command: Option<&'static str>,
    /// The language of the member [`ToolSpec::command`]; only bash is parsed.
    pub shell: ToolShell,
    /// The input member that is a URL.
    pub url: Option<&'static str>,
    /// Whether the tool queries a search engine, whose host is in no member.
    pub searches: bool,
    /// The input members that are paths of files, with the access to each.
    pub files: &'static [FileInput],
    /// The input member that the text of an example fills: `command` for Bash. `None` if an example has no text.
    pub example_text: Option<&'static str>,
}

/// The language of a shell tool's command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(clippy::enum_variant_names, reason = "that is its name")]
pub enum ToolShell {
    /// The tool has no shell command.
    None,
    /// bash, sh or zsh.
    Bash,
    /// PowerShell, which is not parsed.
    PowerShell,
}

/// An input member of a tool that is the path of a file, and the tool's access to the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileInput {
    /// The name of the member, which is a text or a list of texts.
    pub member: &'static str,
    /// Whether the tool reads the file.
    pub reads: bool,
    /// Whether the tool creates or changes the file.
    pub writes: bool,
    /// Whether the access includes everything below a directory, or everything that matches a glob (Grep, Glob).
    pub recursive: bool,
    /// Whether the member is a glob and not a path (Glob's `pattern`, Grep's `glob`).
    pub glob: bool,
}

/// The fields that every event may carry.
pub const BASE_FIELDS: &[Field] = events::BASE_FIELDS;
