//! The access of a command to a file: the kind of access, its extent and its certainty.

use std::sync::Arc;

use crate::word::{Unknown, Word};

/// An access of a command to a file.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FileAccess {
    /// The kind of access.
    pub verb: Verb,
    /// The path, relative to [`SimpleCommand::cwd`](crate::analysis::SimpleCommand::cwd) unless it begins with a `/`.
    /// A `~` in it is an ordinary character.
    pub path: Word,
    /// How far it reaches beyond the path.
    pub extent: AccessExtent,
    /// Whether it happens at all.
    pub certainty: AccessCertainty,
}

/// What happens to a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verb {
    /// Its content is read, or the file gets another name under which the content can be read.
    Reads,
    /// It is created, or its content, mode or owner is changed.
    Writes,
    /// It is removed or renamed.
    Deletes,
    /// Its content is sent over the network.
    Sends,
}

impl Verb {
    /// Returns the keyword for the access in policies.
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
    /// The access affects the path only.
    PathOnly,
    /// The access affects all existing files below the path that pass the filter. The path itself must pass the
    /// filter, too, if there is one.
    Below(FileFilter),
    /// The access affects everything below the path, existing or not: a deletion leaves nothing.
    Everything,
    /// The access affects a copied or moved tree: below the path, all names that exist below this other path and pass
    /// the filter.
    Mirror(Word, FileFilter),
    /// The access affects an unknown part of what is or could be below the path.
    UnknownPart(Unknown),
}

/// The files that a program selects when it walks a directory. All filters of a program share the globs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileFilter {
    /// Globs of names, one of which must match; empty if any name is selected.
    pub only: Arc<[String]>,
    /// Globs of names, none of which may match the name of the file, or of a directory above it.
    pub except: Arc<[String]>,
    /// Whether it skips hidden names.
    pub hidden: FileSkipping,
    /// Whether it skips files that git ignores.
    pub ignored: FileSkipping,
    /// Whether it skips files that git does not track. Which files git tracks is not known here, so files count as
    /// possibly selected.
    pub untracked: FileSkipping,
    /// Whether it skips directories. If so, a path that is a directory is not selected itself.
    pub directories: FileSkipping,
}

/// Whether a program skips the files of some kind when it walks a directory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FileSkipping {
    /// It does not skip them.
    #[default]
    No,
    /// It skips them, unless they are named in the command.
    Yes,
}

/// Whether an access happens when the command runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AccessCertainty {
    /// It certainly happens.
    Certain,
    /// It may happen or not.
    Maybe(Unknown),
    /// It happens only if the directory that contains the path exists: the path is what a copied file would be called
    /// there.
    IfDirectoryExists,
    /// It happens only if such a file exists: git then takes the word for a file, and rejects it if it is also the
    /// name of a revision. If the file does not exist, it is unknown whether there is an access.
    IfFileExists(Unknown),
}

impl AccessCertainty {
    /// Whether the access certainly happens, provided that such a file exists.
    pub(super) fn is_certain_if_present(&self) -> bool {
        matches!(self, Self::Certain | Self::IfFileExists(_))
    }
}
