//! The directory that a policy is about.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::wire::wire_enum;
use hookrules_shell::path::is_relative;

/// The directory that a policy is about: the one that contains its `.rules`. Relative names in the policy are relative
/// to it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum PolicyBase {
    /// The project directory of the session. It is also the base of policies outside of any project, such as the
    /// user's.
    #[default]
    Project,
    /// An ancestor of the project directory, this many levels above it.
    Above(u32),
    /// A directory that is not an ancestor of the project directory: one above a link that leads to the project, or
    /// above a project directory that no longer exists.
    At(PathBuf),
    /// A directory in which a call works, but not the session. Its rules see only what is below it.
    Nested(PathBuf),
}

wire_enum!(PolicyBase { 0 = Project, 1 = Above(levels), 2 = At(path), 3 = Nested(path) });

impl PolicyBase {
    /// Returns the base of the policy in a directory, for a session with this project directory.
    #[must_use]
    pub fn of_directory(directory: &Path, project: &Path) -> Self {
        match project.ancestors().position(|above| above == directory).map(u32::try_from) {
            Some(Ok(levels)) => Self::at_level(levels),
            _ => Self::At(directory.to_path_buf()),
        }
    }

    /// Returns the base of the project directory's ancestor this many levels above it; 0 is the project directory.
    #[must_use]
    pub fn at_level(levels: u32) -> Self {
        if levels == 0 { Self::Project } else { Self::Above(levels) }
    }

    /// Returns the base in a session whose project directory is `levels` levels further up, but not above the base.
    #[must_use]
    pub fn seen_from_above(&self, levels: u32) -> Self {
        match self {
            Self::Above(above) => Self::at_level(above.saturating_sub(levels)),
            other => other.clone(),
        }
    }

    /// Returns a path in a policy with this base as an absolute path, or relative to the project directory.
    #[must_use]
    pub fn in_session<'p>(&self, path: &'p str) -> Cow<'p, str> {
        let prefix = self.prefix();
        match prefix.is_empty() || !is_relative(path) {
            true => Cow::Borrowed(path),
            false => Cow::Owned(prefix + path),
        }
    }

    /// Returns the prefix that makes a relative path in a policy with this base relative to the project directory, such
    /// as `../../`; empty if none is needed.
    #[must_use]
    pub fn prefix(&self) -> String {
        match self {
            Self::Project => String::new(),
            Self::Above(levels) => "../".repeat(usize::try_from(*levels).unwrap_or(usize::MAX)),
            Self::At(directory) | Self::Nested(directory) => {
                format!("{}/", directory.to_string_lossy().trim_end_matches('/'))
            }
        }
    }

    /// Returns the directory below which a call must work for the rules of the policy to see it; `None` if they see
    /// every call.
    #[must_use]
    pub fn scope(&self) -> Option<&Path> {
        match self {
            Self::Nested(directory) => Some(directory),
            Self::Project | Self::Above(_) | Self::At(_) => None,
        }
    }
}
