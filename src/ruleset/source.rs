//! The source of a value: a member of the payload, a derived field, a fact, a command's record.

use std::sync::Arc;

use crate::schema::FieldType;
use crate::syntax::ast::FileFact;

use super::{JsonPath, PolicyValue};

/// A reference to the values of a test or a placeholder.
#[derive(Clone, Debug)]
pub enum ValueReference {
    /// A member of the payload, by its path, which descends into lists on the way.
    Raw {
        /// The names from the top level down.
        path: Vec<String>,
        /// Its type in the schema.
        ty: FieldType,
    },
    /// A JSONPath on the payload.
    JsonPath(JsonPath),
    /// A field that the engine derives.
    Derived(DerivedField),
    /// A fact.
    Fact(FactName),
    /// A property of the command that `where` tests.
    Where(WhereField),
    /// A `let` used in a text.
    Constant(Arc<str>),
}

impl ValueReference {
    /// Whether its values are paths: absolute, without `..`, and compared as paths.
    #[must_use]
    pub fn is_path(&self) -> bool {
        match self {
            Self::Where(field) => *field == WhereField::Cwd,
            Self::Raw { ty, .. } => matches!(ty, FieldType::Path | FieldType::List(FieldType::Path)),
            Self::Derived(derived) => {
                matches!(derived, DerivedField::Path | DerivedField::Project | DerivedField::Home | DerivedField::Tmp)
            }
            Self::Fact(fact) => matches!(fact, FactName::GitRoot),
            Self::JsonPath(_) | Self::Constant(_) => false,
        }
    }

    /// Whether commands may change its value: git's state, and the existence of files.
    #[must_use]
    pub fn is_of_surroundings(&self) -> bool {
        use FactName::{File, GitBranch, GitRemote, GitRoot, GitWorktree, OwnFile};
        matches!(self, Self::Fact(GitBranch | GitRemote | GitRoot | GitWorktree | File(..) | OwnFile(..)))
    }
}

/// The derived fields.
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
    /// `project`
    Project,
    /// `tmp`
    Tmp,
    /// `home`
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
    /// `now`
    Now,
}

impl DerivedField {
    /// Returns its name if some event has a raw field of that name.
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

/// The facts.
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
    /// `host_pids`
    HostPids,
    /// `file_exists V`, `file_size V`
    File(FileFact, Box<PolicyValue>),
    /// `env.NAME` in a policy that is not trusted: its value is withheld.
    Withheld(String),
    /// `file_exists V`, `file_size V` in a policy that is not trusted: answered only for files in the project.
    OwnFile(FileFact, Box<PolicyValue>),
}

/// The properties that `where` can test.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "internals", expect(missing_docs, reason = "the names are the language's own"))]
pub enum WhereField {
    Program,
    Args,
    Operands,
    Option(String),
    Via,
    InLoop,
    InBackground,
    Input,
    PipedFrom,
    PipedTo,
    Remote,
    Cwd,
    PushTarget,
    Variables,
    Domain,
    Env(String),
    /// `env.NAME` in a policy that is not trusted: only what the command text itself sets.
    SetEnv(String),
}

/// A text with placeholders.
#[derive(Clone, Debug, Default)]
pub struct Template {
    /// In order.
    pub parts: Vec<TemplatePart>,
}

/// A piece of a template.
#[derive(Clone, Debug)]
pub enum TemplatePart {
    /// Literal text.
    Text(String),
    /// Replaced by the values, joined with `, `.
    Value(ValueReference),
}
