//! References to values that a condition tests or a text contains: a member of the payload, a derived field, a fact,
//! a property of a command.

use std::sync::Arc;

use crate::config::PolicyBase;
use crate::schema::FieldType;
use crate::syntax::ast::{FileFact, FileVerb, OperandPosition};
use crate::wire::to_bytes;
use hookrules_shell::analysis::CommandScope;
use hookrules_shell::path::is_relative;

use super::{JsonPath, LazyRegex, PastTest, PolicyValue};

/// A reference to one or more values that a condition tests, or that replace a placeholder in a text.
#[derive(Clone, Debug)]
pub enum ValueReference {
    /// A member of the payload, by its path. If the path goes through a list, it refers to the member of each item.
    Raw {
        /// The names from the top level down.
        path: Vec<String>,
        /// The type of the member in the schema.
        ty: FieldType,
    },
    /// A JSONPath on the payload.
    JsonPath(JsonPath),
    /// A field that is derived from the payload, such as `path`.
    Derived(DerivedField),
    /// A fact about the machine, such as `git.branch`.
    Fact(FactName),
    /// A property of the command that `where` tests, such as `program`.
    Where(WhereField),
    /// The text that a `let` defines, which is the same for every call.
    Constant(Arc<str>),
    /// A number about other values or about files, such as `length command`.
    Measured(Measure),
    /// The texts that a named group of a regex captured in other values.
    Capture(Box<CaptureReference>),
}

/// The texts that a named group of a regex in a condition captures in other values.
#[derive(Clone, Debug)]
pub struct CaptureReference {
    /// The values in which the regex is searched.
    pub values: ValueReference,
    /// The regex with the group.
    pub regex: LazyRegex,
    /// The name of the group.
    pub group: String,
}

/// A number about other values or about files.
#[derive(Clone, Debug)]
pub enum Measure {
    /// `length F`: the number of bytes of each value.
    Length(Box<ValueReference>),
    /// `count F`: the number of values.
    Count(Box<ValueReference>),
    /// `count deletes` and the like: the number of files.
    Files(FileVerb),
    /// `count M`: the number of past events.
    Past(Box<PastTest>),
}

impl ValueReference {
    /// Whether another reference always has the same values.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        to_bytes(self) == to_bytes(other)
    }

    /// Whether the values are paths. These are absolute and without `..`, and are compared as paths, not as texts.
    #[must_use]
    pub fn is_path(&self) -> bool {
        match self {
            Self::Where(field) => *field == WhereField::Cwd,
            Self::Raw { ty, .. } => matches!(ty, FieldType::Path | FieldType::List(FieldType::Path)),
            Self::Derived(derived) => {
                matches!(derived, DerivedField::Path | DerivedField::Project | DerivedField::Home | DerivedField::Tmp)
            }
            Self::Fact(fact) => matches!(fact, FactName::GitRoot),
            Self::JsonPath(_) | Self::Constant(_) | Self::Measured(_) | Self::Capture(_) => false,
        }
    }

    /// Returns the reference whose values are measured, or searched by a regex with a group; else the reference itself.
    #[must_use]
    pub fn measured_values(&self) -> &Self {
        match self {
            Self::Measured(Measure::Length(values) | Measure::Count(values)) => values.measured_values(),
            Self::Capture(capture) => capture.values.measured_values(),
            _ => self,
        }
    }

    /// Whether commands of the call may change the value: git's state, or the existence or size of a file.
    #[must_use]
    pub fn is_of_surroundings(&self) -> bool {
        self.is_of_git() || matches!(self.measured_values(), Self::Fact(FactName::File(..) | FactName::OwnFile(..)))
    }

    /// Whether it refers to a file by a name that is relative to the policy's directory.
    #[must_use]
    pub fn is_of_relative_file(&self) -> bool {
        matches!(self.measured_values(), Self::Fact(fact) if fact.is_of_relative_file())
    }

    /// Whether it is about git's state.
    #[must_use]
    pub fn is_of_git(&self) -> bool {
        use FactName::{GitBranch, GitRemote, GitRoot, GitWorktree};
        matches!(self.measured_values(), Self::Fact(GitBranch | GitRemote | GitRoot | GitWorktree))
    }
}

/// The fields that are derived from the payload, by their names in the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DerivedField {
    /// `event`
    Event,
    /// `agent`
    Agent,
    /// `agent_type`, under either of its names.
    AgentType,
    /// `host`
    Host,
    /// `project`, the directory of the project.
    Project,
    /// `tmp`, the directories for temporary files.
    Tmp,
    /// `home`, the home directory of the account.
    Home,
    /// `tool_name`, with `Task` read as `Agent`.
    ToolName,
    /// `path`
    Path,
    /// `content`
    Content,
    /// `command`
    Command,
    /// `url`
    Url,
    /// `domain`
    Domain,
    /// `match`
    Match,
    /// `place` in a text: where the command that matches runs, such as `container`.
    Place,
    /// `now`
    Now,
}

impl DerivedField {
    /// Whether the field is about the files, texts, commands or URLs of a call.
    #[must_use]
    pub fn is_of_contents(self) -> bool {
        matches!(self, Self::Path | Self::Content | Self::Command | Self::Url | Self::Domain)
    }

    /// Whether a call has a value for each file or URL that it is about.
    #[must_use]
    pub fn is_of_targets(self) -> bool {
        matches!(self, Self::Path | Self::Url | Self::Domain)
    }

    /// Returns the field's name if, on some event, it hides a member of the payload with the same name; else `None`.
    #[must_use]
    pub fn shadowed_field(self) -> Option<&'static str> {
        match self {
            Self::Event => Some("event"),
            Self::Content => Some("content"),
            Self::Command => Some("command"),
            Self::Url => Some("url"),
            _ => None,
        }
    }
}

/// The facts that a condition can test, by their names in the language.
#[derive(Clone, Debug)]
pub enum FactName {
    /// `env.NAME`
    Env(String),
    /// `git.branch`
    GitBranch,
    /// `git.remote`
    GitRemote,
    /// `git.worktree`
    GitWorktree,
    /// `git.root`
    GitRoot,
    /// `os`
    Os,
    /// `time`, in the zone of the layer's settings; empty for UTC.
    Time(String),
    /// `weekday`, in the zone of the layer's settings.
    Weekday(String),
    /// `host_pids`
    HostPids,
    /// `file_exists V`, `file_size V`
    File(FileFact, Box<PolicyValue>),
    /// `env.NAME` in a policy that is not trusted. The value is never disclosed to the policy.
    Withheld(String),
    /// `file_exists V`, `file_size V` in a policy that is not trusted. The fact is known only for files in the
    /// directory of the policy.
    OwnFile(FileFact, PolicyBase, Box<PolicyValue>),
}

impl FactName {
    /// Whether it is about a file whose name is relative to the policy's directory.
    #[must_use]
    pub fn is_of_relative_file(&self) -> bool {
        let (Self::File(_, value) | Self::OwnFile(_, _, value)) = self else { return false };
        match &**value {
            // A value becomes one component, so only a text at the beginning makes the name absolute.
            PolicyValue::FileName(name) => {
                !matches!(name.parts.first(), Some(TemplatePart::Text(text)) if !is_relative(text))
            }
            value => value.as_text().is_some_and(is_relative),
        }
    }
}

/// The properties of a command that `where` can test, by their names in the language.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "internals", expect(missing_docs, reason = "the names are the language's own"))]
pub enum WhereField {
    Program,
    Args,
    Operands,
    Operand(OperandPosition),
    Option(String),
    Via,
    InLoop,
    InBackground,
    Input,
    PipedFrom,
    PipedTo,
    Remote,
    Place,
    /// `writes_there`: the files that the command writes where it runs, if that is not this machine.
    WritesThere,
    /// `deletes_there`: the files that the command deletes where it runs, if that is not this machine.
    DeletesThere,
    Cwd,
    PushTarget,
    Variables,
    Domain,
    Env(String),
    /// `env.NAME` in a policy that is not trusted. Its value is known only if the command's text itself sets the
    /// variable: `A=1 make`.
    SetEnv(String),
}

/// The values of `place` in a `where`, from this machine to the furthest.
pub const PLACES: &[&str] = &[
    place_word(CommandScope::Local),
    place_word(CommandScope::Container),
    place_word(CommandScope::Cluster),
    place_word(CommandScope::Remote),
];

/// Returns the word of the language for where a command runs, such as `container`.
#[must_use]
pub const fn place_word(scope: CommandScope) -> &'static str {
    match scope {
        CommandScope::Local => "here",
        CommandScope::Container => "container",
        CommandScope::Cluster => "cluster",
        CommandScope::Remote => "remote",
    }
}

/// A text with placeholders, such as `"{path} is protected."`
#[derive(Clone, Debug, Default)]
pub struct Template {
    /// The literal texts and the placeholders, in order.
    pub parts: Vec<TemplatePart>,
}

impl Template {
    /// Returns the references of its placeholders.
    pub fn references(&self) -> impl Iterator<Item = &ValueReference> {
        self.parts.iter().filter_map(|part| match part {
            TemplatePart::Value(source) | TemplatePart::Component(source) => Some(source),
            TemplatePart::Text(_) => None,
        })
    }
}

/// A part of a template.
#[derive(Clone, Debug)]
pub enum TemplatePart {
    /// Literal text.
    Text(String),
    /// A placeholder, which is replaced by the values of this reference, joined with `, `.
    Value(ValueReference),
    /// A placeholder in the name of a file that the rule tests. Each value is shown as the component that is tested.
    Component(ValueReference),
}
