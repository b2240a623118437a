//! The directory that a policy is about.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::wire::wire_enum;

/// The directory of a project that a policy is about: the one that holds its `.rules`. The relative names in the policy
/// are relative to it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum PolicyBase {
    /// The project directory of the session. Policies that no directory of a project holds have it, too.
    #[default]
    Project,
    /// An ancestor of the project directory, this many levels above it.
    Above(u32),
    /// A directory that is no ancestor of the project directory: one above the place of a link that leads to the project,
    /// or above a project directory that no longer exists.
    At(PathBuf),
    /// A directory that the session is not in, which a call works in. Its rules see only what is below it.
    Nested(PathBuf),
}

wire_enum!(PolicyBase { 0 = Project, 1 = Above(levels), 2 = At(path), 3 = Nested(path) });

impl PolicyBase {
    /// Returns the base of the policy that a directory holds, in a session with this project directory.
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
            Self::Above(own) => Self::at_level(own.saturating_sub(levels)),
            other => other.clone(),
        }
    }

    /// Returns a path, which a policy with this base names, as one that is relative to the project directory or absolute.
    #[must_use]
    pub fn in_session<'p>(&self, path: &'p str) -> Cow<'p, str> {
        let prefix = self.prefix();
        match prefix.is_empty() || path.starts_with(['/', '~']) {
            true => Cow::Borrowed(path),
            false => Cow::Owned(prefix + path),
        }
    }

    /// Returns the text that makes a relative path in a policy with this base relative to the project directory: `../../`;
    /// empty if it is so already.
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
