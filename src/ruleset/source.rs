//! References to values that a condition tests or a text contains: a member of the payload, a derived field, a fact,
//! a property of a command.

use std::sync::Arc;

use crate::config::PolicyBase;
use crate::schema::FieldType;
use crate::syntax::ast::FileFact;

use super::{JsonPath, PolicyValue};

/// A reference to one or more values that a condition tests, or that replace a placeholder in a text.
#[derive(Clone, Debug)]
pub enum ValueReference {
    /// A member of the payload, by its path. If the path passes a list, the member of each of its items is meant.
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
    /// The text of a `let`.
    Constant(Arc<str>),
}

impl ValueReference {
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
            Self::JsonPath(_) | Self::Constant(_) => false,
        }
    }

    /// Whether the value may be changed by commands of the call: git's state, and the existence or size of files.
    #[must_use]
    pub fn is_of_surroundings(&self) -> bool {
        self.is_of_git() || matches!(self, Self::Fact(FactName::File(..) | FactName::OwnFile(..)))
    }

    /// Whether it is a fact of git.
    #[must_use]
    pub fn is_of_git(&self) -> bool {
        use FactName::{GitBranch, GitRemote, GitRoot, GitWorktree};
        matches!(self, Self::Fact(GitBranch | GitRemote | GitRoot | GitWorktree))
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
    /// Returns the field's name if some event also has a member of that name in its payload, which the derived field
    /// hides; else `None`.
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
    /// `host_pids`
    HostPids,
    /// `file_exists V`, `file_size V`
    File(FileFact, Box<PolicyValue>),
    /// `env.NAME` in a policy that is not trusted. The value is never disclosed to the policy.
    Withheld(String),
    /// `file_exists V`, `file_size V` in a policy that is not trusted. The fact is known only for files in the
    /// directory that holds the policy.
    OwnFile(FileFact, PolicyBase, Box<PolicyValue>),
}

/// The properties of a command that `where` can test, by their names in the language.
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
    /// `env.NAME` in a policy that is not trusted. Only a variable is known that the command's text itself sets:
    /// `A=1 make`.
    SetEnv(String),
}

/// A text with placeholders, such as `"{path} is protected."`
#[derive(Clone, Debug, Default)]
pub struct Template {
    /// The literal texts and the placeholders, in order.
    pub parts: Vec<TemplatePart>,
}

/// A part of a template.
#[derive(Clone, Debug)]
pub enum TemplatePart {
    /// Literal text.
    Text(String),
    /// A placeholder, which is replaced by the values of this reference, joined with `, `.
    Value(ValueReference),
}
