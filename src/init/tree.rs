//! What was read of a project: names and some texts, as plain data.

use std::collections::{BTreeMap, BTreeSet};

/// A project as far as it was looked at. Paths are relative to it, with `/` between their names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tree {
    /// The regular files.
    pub files: BTreeSet<String>,
    /// The directories, those that were not looked into included.
    pub directories: BTreeSet<String>,
    /// The texts of files that say something about the project.
    pub texts: BTreeMap<String, String>,
    /// How some sources begin.
    pub heads: BTreeMap<String, String>,
    /// The branches in files of their own, as `refs/heads/topic`; the directory of some ends in `/`.
    pub refs: BTreeSet<String>,
    /// Whether git knows it.
    pub repository: Repository,
    /// What was not looked at, and why: for people.
    pub passed_over: Vec<String>,
}

/// Where the repository is that a project belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Repository {
    /// Nowhere.
    #[default]
    None,
    /// The project is its root.
    Here,
    /// In a directory above, or in another one that `.git` names.
    Elsewhere,
}

impl Tree {
    /// Tells whether there is a file of this path.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        self.files.contains(path)
    }

    /// Returns the text of a file that was read.
    #[must_use]
    pub fn text(&self, path: &str) -> Option<&str> {
        self.texts.get(path).map(String::as_str)
    }

    /// Returns the texts of all files of a name, with their paths.
    pub(super) fn texts_named<'t>(&'t self, wanted: &str) -> impl Iterator<Item = (&'t str, &'t str)> {
        let texts = self.texts.iter().filter(move |(path, _)| name(path) == wanted);
        texts.map(|(path, text)| (path.as_str(), text.as_str()))
    }
}

/// Returns the last name of a path.
pub(super) fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Returns the directory of a path; empty for the project itself.
pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// Returns a path below a directory; the empty one is the project itself.
pub(super) fn join(directory: &str, name: &str) -> String {
    if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") }
}
