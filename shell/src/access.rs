//! The access of a command to a file: its kind, its extent, and its certainty.

use std::sync::Arc;

use crate::word::{Unknown, Word};

/// An access of a command to a file.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FileAccess {
    /// The kind of access.
    pub verb: Verb,
    /// The path, relative to [`Simple::cwd`](crate::analysis::SimpleCommand::cwd) unless it begins with a `/`. A `~` in
    /// it is an ordinary character.
    pub path: Word,
    /// Its extent.
    pub extent: AccessExtent,
    /// Whether it happens at all.
    pub certainty: AccessCertainty,
}

/// What happens to a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verb {
    /// Its contents are read, or it gets another name under which they can be read.
    Reads,
    /// It is created or changed; this includes its mode and owner.
    Writes,
    /// It is removed or renamed.
    Deletes,
    /// Its contents are sent over the network.
    Sends,
}

impl Verb {
    /// Returns its keyword in policies.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Reads => "reads",
            Self::Writes => "writes",
            Self::Deletes => "deletes",
            Self::Sends => "sends",
        }
    }
}

/// How far an access reaches beyond the path itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AccessExtent {
    /// The path only.
    PathOnly,
    /// All existing files below that pass the filter. With a filter, the path itself must pass it, too.
    Below(FileFilter),
    /// Everything below, existing or not: a deletion leaves nothing.
    Everything,
    /// The names that exist below this other path and pass the filter, moved below the path: a copied or moved
    /// directory.
    Mirror(Word, FileFilter),
    /// An unknown part of what is or could be below.
    UnknownPart(Unknown),
}

/// The files that a program selects automatically. All filters of a program share the globs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileFilter {
    /// Globs of names, one of which must match; empty: every name matches.
    pub only: Arc<[String]>,
    /// Globs of names, none of which may match the name of the file or of a directory above it.
    pub except: Arc<[String]>,
    /// Whether it skips hidden names.
    pub hidden: FileSkipping,
    /// Whether it skips files that git ignores.
    pub ignored: FileSkipping,
    /// Whether it skips files that git does not track. Which these are is not seen, so they count as files that may be
    /// selected.
    pub untracked: FileSkipping,
    /// Whether it skips directories: if so, a path that is a directory is not selected itself.
    pub directories: FileSkipping,
}

/// Whether a program skips files of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FileSkipping {
    /// It treats them like any others.
    #[default]
    No,
    /// It skips them, unless they are named.
    Yes,
}

/// Whether an access happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AccessCertainty {
    /// Certainly.
    Certain,
    /// Perhaps.
    Maybe(Unknown),
    /// Only if the directory that contains the path exists: the path is the target of a file that is copied there.
    IfDirectoryExists,
    /// Only if such a file exists: git takes a word for a file then, and rejects it if it is also the name of a
    /// revision. Otherwise it is unknown.
    IfFileExists(Unknown),
}

impl AccessCertainty {
    /// Whether it certainly happens, at once or if such a file exists.
    pub(super) fn is_certain_if_present(&self) -> bool {
        matches!(self, Self::Certain | Self::IfFileExists(_))
    }
}
