//! Layers of policy and what was read of them: plain data between `project` and `compile`.

use crate::config::Settings;
use crate::diagnostic::Diagnostic;
use crate::span::FileId;
use crate::syntax::ast;

/// A layer. The order is that of evaluation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LayerKind {
    /// `/etc/rules/`: the administrator's.
    Managed,
    /// `~/.config/rules/`: the account's.
    User,
    /// `.rules/`: the project's, from its directory up to the repository root.
    Project,
    /// `.rules/local/`: this working copy's.
    Local,
}

impl LayerKind {
    /// Every layer, in evaluation order.
    pub const ALL: [Self; 4] = [Self::Managed, Self::User, Self::Project, Self::Local];

    /// Returns what stands before the names of its rules where layers meet; nothing for the project's.
    #[must_use]
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Managed => "managed/",
            Self::User => "user/",
            Self::Project => "",
            Self::Local => "local/",
        }
    }

    /// Returns its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
        }
    }
}

/// A layer as it was read.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Which one.
    pub kind: LayerKind,
    /// Its files in load order: a file that is used stands before the one that uses it first.
    pub files: Vec<LoadedFile>,
    /// Its rules.toml.
    pub settings: Settings,
    /// What went wrong while reading and parsing.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether there is such a layer at all.
    pub found: bool,
}

/// A file of a layer, parsed.
#[derive(Clone, Debug)]
pub struct LoadedFile {
    /// Its text.
    pub id: FileId,
    /// Its tree, as far as it could be parsed.
    pub ast: ast::File,
    /// The pack that it is, if it is one.
    pub pack: Option<String>,
    /// For each `use` item in order, the file it names; `None` where that failed.
    pub uses: Vec<Option<usize>>,
}
