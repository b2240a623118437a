//! What was read of a project: names and some texts, as plain data.

use std::collections::{BTreeMap, BTreeSet};

/// A project, as far as it was read. Paths are relative to it, with `/` as separator.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProjectTree {
    /// The regular files.
    pub files: BTreeSet<String>,
    /// The directories, including those that were not entered.
    pub directories: BTreeSet<String>,
    /// The texts of relevant files.
    pub texts: BTreeMap<String, String>,
    /// The first bytes of some sources.
    pub heads: BTreeMap<String, String>,
    /// The branches with files of their own, as `refs/heads/topic`; a directory of branches ends in `/`.
    pub refs: BTreeSet<String>,
    /// The location of its repository.
    pub repository: RepositoryLocation,
    /// What was omitted, with the reason, for display.
    pub not_examined: Vec<String>,
}

/// The location of a project's repository.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RepositoryLocation {
    /// There is none.
    #[default]
    None,
    /// The project is its root.
    Root,
    /// In a directory above, or in another one that `.git` refers to.
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

    /// Returns the texts of all files with a name, with their paths.
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

/// Returns a path in a directory; an empty directory is the project itself.
pub(super) fn join(directory: &str, name: &str) -> String {
    if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") }
}
