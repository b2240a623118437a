//! **The** table: events with their subjects, fields, types and possible answers, and tools with their inputs.
//!
//! It drives checking, evaluation, encoding, completion and the book's reference pages. It uses Claude Code's
//! vocabulary, into which other hosts are translated, and knows nothing of a host's JSON.

mod elsewhere;
mod events;
mod host_version;
mod lookup;
mod numbers;
mod tools;

use std::time::Duration;

pub use elsewhere::{event_by_foreign_name, normalised_mcp_name, tool_by_foreign_name};
pub use events::{EVENTS, Event};
pub use host_version::{HostVersion, NEWEST_KNOWN};
pub use lookup::{FieldLookup, field_type};
pub use tools::{
    AGENT, FORMER_AGENT, OTHER_TOOLS, OUTPUT, TOOLS, WRITTEN_TEXTS, current_tool_name, is_milliseconds,
    is_word_of_output, tool_spec,
};

/// The type of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldType {
    /// Any text.
    String,
    /// A text that names a file or directory.
    Path,
    /// One of these texts. Hosts add to some of the sets, so another text is possible, but not from any version that
    /// the table knows.
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
    /// Its name in the payload.
    pub name: &'static str,
    /// Its type.
    pub ty: FieldType,
    /// Whether the host always sends it.
    pub required: bool,
    /// One sentence, for the book and completion.
    pub doc: &'static str,
}

/// A field with a value on every event, or a member without which the host refuses the call.
const fn required(name: &'static str, ty: FieldType, doc: &'static str) -> Field {
    Field { name, ty, required: true, doc }
}

/// A field that may be absent, null or empty.
const fn optional(name: &'static str, ty: FieldType, doc: &'static str) -> Field {
    Field { name, ty, required: false, doc }
}

/// The value that a selector is matched against.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// Takes no selector.
    None,
    /// The tool's name; `Task` reads `Agent`.
    Tool,
    /// This field.
    Field(&'static str),
    /// The last component of this path field.
    BaseName(&'static str),
}

/// The answers that an event accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capabilities {
    /// `deny`, `exit 2` as a denial.
    pub deny: bool,
    /// `ask`.
    pub ask: bool,
    /// `allow`.
    pub allow: bool,
    /// `halt`.
    pub halt: bool,
    /// `context`.
    pub context: bool,
    /// `rewrite`.
    pub rewrite: bool,
    /// `warn` and `exit`.
    pub warn: bool,
    /// Whether the plain text that a successful `run` prints becomes context.
    pub stdout_is_context: bool,
}

impl Capabilities {
    /// Only notes to the user: nothing that the event announces can be changed.
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

    /// Whether an answer can be given.
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

    /// Returns the effects of the policy language that not every event can carry, but this one can.
    pub fn keywords(&self) -> impl Iterator<Item = &'static str> {
        Capability::ALL.iter().filter(|answer| self.has_capability(**answer)).map(|answer| answer.keyword())
    }
}

/// An effect of the policy language that not every event can carry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Capability {
    /// `deny`, and `exit 2` as a denial.
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
    /// `warn`, and any other `exit`.
    Warn,
}

impl Capability {
    /// Every one of them, in the order of the tables.
    pub const ALL: &'static [Self] =
        &[Self::Deny, Self::Ask, Self::Allow, Self::Halt, Self::Context, Self::Rewrite, Self::Warn];

    /// Returns its word in the policy.
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

/// One event of the table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EventSpec {
    /// The event.
    pub event: Event,
    /// Its name, in the policy and on the wire.
    pub name: &'static str,
    /// One sentence.
    pub doc: &'static str,
    /// The subject of selectors.
    pub subject: Subject,
    /// Its own fields, in addition to [`BASE_FIELDS`].
    pub fields: &'static [Field],
    /// The answers that it accepts.
    pub answers: Capabilities,
    /// Whether the payload identifies the acting agent, so that `by` makes sense.
    pub has_agent: bool,
    /// Whether `on *` selects it.
    pub in_wildcard: bool,
    /// The timeout of a command whose rule sets none; `None` is as long as the host waits.
    pub run_timeout: Option<Duration>,
    /// The field that an example's text fills, as a dotted path into the payload: `prompt`, `message`, …. Tool events
    /// take it from the tool.
    pub example_text: Option<&'static str>,
}

/// One built-in tool of the table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ToolSpec {
    /// Its name.
    pub name: &'static str,
    /// The members of `tool_input`.
    pub input: &'static [Field],
    /// The input member that is a shell command.
    pub command: Option<&'static str>,
    /// The shell of [`ToolSpec::command`]; only bash is parsed.
    pub shell: ToolShell,
    /// The input member that holds a URL.
    pub url: Option<&'static str>,
    /// Whether it queries a search engine, whose host no member names.
    pub searches: bool,
    /// The input members that name files, with their access.
    pub files: &'static [FileInput],
    /// The input member that an example's text fills.
    pub example_text: Option<&'static str>,
}

/// The language of a shell tool's command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(clippy::enum_variant_names, reason = "that is its name")]
pub enum ToolShell {
    /// Not a shell tool.
    None,
    /// bash, sh, zsh.
    Bash,
    /// A language that we do not parse.
    PowerShell,
}

/// A tool's input member that names a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileInput {
    /// The member: a text, or a list of texts.
    pub member: &'static str,
    /// Whether its contents are read.
    pub reads: bool,
    /// Whether it is created or changed.
    pub writes: bool,
    /// Whether it is a directory or pattern that covers everything below or matching (Grep, Glob).
    pub recursive: bool,
    /// Whether it is a glob rather than a path (Glob's `pattern`, Grep's `glob`).
    pub glob: bool,
}

/// The fields that every event may carry.
pub const BASE_FIELDS: &[Field] = events::BASE_FIELDS;
