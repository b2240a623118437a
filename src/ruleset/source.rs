//! Where a value comes from: a member of the payload, a derived field, a fact, a command's record.

use std::sync::Arc;

use crate::schema::Type;
use crate::syntax::ast::FileFact;

use super::{JsonPath, Value};

/// What a test or a placeholder looks at.
#[derive(Clone, Debug)]
pub enum Source {
    /// A member of the payload, by its path; lists on the way are gone through.
    Raw {
        /// The names from the top.
        path: Vec<String>,
        /// The schema's type of it.
        ty: Type,
    },
    /// A JSONPath on the payload.
    JsonPath(JsonPath),
    /// A field that the engine derives.
    Derived(Derived),
    /// A fact.
    Fact(FactName),
    /// A word about the command that `where` looks at.
    Where(WhereField),
    /// A `let` in a text.
    Constant(Arc<str>),
}

impl Source {
    /// Tells whether its values are paths: absolute, without `..`, and compared with what is a path too.
    #[must_use]
    pub fn is_path(&self) -> bool {
        match self {
            Self::Where(field) => *field == WhereField::Cwd,
            Self::Raw { ty, .. } => matches!(ty, Type::Path | Type::List(Type::Path)),
            Self::Derived(derived) => {
                matches!(derived, Derived::Path | Derived::Project | Derived::Home | Derived::Tmp)
            }
            Self::Fact(fact) => matches!(fact, FactName::GitRoot),
            Self::JsonPath(_) | Self::Constant(_) => false,
        }
    }

    /// Tells whether commands may change it: what git says, and which files there are.
    #[must_use]
    pub fn is_of_surroundings(&self) -> bool {
        use FactName::{File, GitBranch, GitRemote, GitRoot, GitWorktree, OwnFile};
        matches!(self, Self::Fact(GitBranch | GitRemote | GitRoot | GitWorktree | File(..) | OwnFile(..)))
    }
}

/// The derived fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Derived {
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
    /// `tool_name`, where `Task` reads `Agent`.
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

impl Derived {
    /// Returns the name under which some event has a raw field of its own.
    #[must_use]
    pub fn shadowed(self) -> Option<&'static str> {
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
    File(FileFact, Box<Value>),
    /// `env.NAME`, of a policy that is not trusted: it is not told.
    Withheld(String),
    /// `file_exists V`, `file_size V`, of a policy that is not trusted: it is told of files in the project alone.
    OwnFile(FileFact, Box<Value>),
}

/// What `where` can look at.
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
    /// `env.NAME`, of a policy that is not trusted: it is told what the text itself sets.
    SetEnv(String),
}

/// A text with placeholders.
#[derive(Clone, Debug, Default)]
pub struct Template {
    /// In order.
    pub parts: Vec<Part>,
}

/// A piece of a template.
#[derive(Clone, Debug)]
pub enum Part {
    /// As it stands.
    Text(String),
    /// Replaced by the values, joined by `, `.
    Value(Source),
}
