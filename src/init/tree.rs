//! The names and texts that were read of a project, as plain data.

use std::collections::{BTreeMap, BTreeSet};

/// A project, as far as it was read. Paths are relative to the project, with `/` as separator.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProjectTree {
    /// The paths of regular files.
    pub files: BTreeSet<String>,
    /// The paths of directories, including those whose entries were not listed.
    pub directories: BTreeSet<String>,
    /// The texts of manifests and settings, by path.
    pub texts: BTreeMap<String, String>,
    /// The first bytes of sources, by path.
    pub heads: BTreeMap<String, String>,
    /// The loose refs of branches: `refs/heads/topic`; a directory of branches ends with `/`.
    pub refs: BTreeSet<String>,
    /// Where the git repository of the project is.
    pub repository: RepositoryLocation,
    /// The directories above the project that are in its repository, the nearest first.
    pub above: Vec<DirectoryAbove>,
    /// Sentences about what was not examined, with the reason.
    pub not_examined: Vec<String>,
}

/// A directory above a project. The project may be a package of a workspace there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DirectoryAbove {
    /// The names of its files that belong to a package manager.
    pub files: BTreeSet<String>,
    /// The text of its `package.json`.
    pub package_json: Option<String>,
}

/// Where the git repository of a project is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RepositoryLocation {
    /// There is no repository.
    #[default]
    None,
    /// The root of the repository is the project.
    Root,
    /// The repository is in a directory above the project, or in another one that `.git` refers to.
    Outside,
}

impl ProjectTree {
    /// Whether there is a file with this path.
    #[must_use]
    pub fn has_file(&self, path: &str) -> bool {
        self.files.contains(path)
    }

    /// Returns the text of a file, if it was read.
    #[must_use]
    pub fn text(&self, path: &str) -> Option<&str> {
        self.texts.get(path).map(String::as_str)
    }

    /// Returns the path and the text of each file with this name that was read, in any directory.
    pub(super) fn texts_named<'t>(&'t self, wanted: &str) -> impl Iterator<Item = (&'t str, &'t str)> {
        let texts = self.texts.iter().filter(move |(path, _)| name(path) == wanted);
        texts.map(|(path, text)| (path.as_str(), text.as_str()))
    }
}

/// Returns the last component of a path.
pub(super) fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Returns the parent directory of a path; empty for the project itself.
pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// Joins a directory and a name; an empty directory is the project itself.
pub(super) fn join(directory: &str, name: &str) -> String {
    if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") }
}
