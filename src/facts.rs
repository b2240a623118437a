//! The facts that conditions can use besides the payload, as a trait, so that tests can state them.
//!
//! No fact that a policy uses starts a process. A fact without a value is absent; one that cannot be read is unknown.

mod counted;
mod machine;
mod partly;
mod stated;
mod transcript;

pub use counted::{CountedFacts, FactKind};
pub use machine::{MachineFacts, account_home, resolve};
pub use partly::PartlyStatedFacts;
pub use stated::{FactsError, StatedFacts};

use std::path::{Path, PathBuf};

/// A fact: a value, no value, or the reason why it is unknown.
pub type Fact<T> = Result<Option<T>, String>;

/// The contents of a working tree's git directory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GitState {
    /// The branch; `None` when detached.
    pub branch: Option<String>,
    /// origin's URL, without user info.
    pub remote: Option<String>,
    /// Whether this is a linked worktree.
    pub worktree: bool,
    /// The root of the working tree.
    pub root: Option<PathBuf>,
}

/// An entry of a directory.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DirectoryEntry {
    /// The name; bytes that are not UTF-8 are U+FFFD.
    pub name: String,
    /// Whether it is a directory itself, not a link to one.
    pub is_directory: bool,
}

/// A source of facts: what conditions can use besides the event.
///
/// A source may state some facts itself and leave the others to a [`base`](Facts::base): a program whose agent works in
/// a container knows the branch there, and takes the rest from [`StatedFacts`]. A fact that neither states is unknown,
/// so that a guard that needs it does not let the call pass.
///
/// ```
/// use hookrules::{Fact, Facts, GitState, StatedFacts};
/// use std::path::Path;
///
/// struct OnBranch(String, StatedFacts);
///
/// impl Facts for OnBranch {
///     fn base(&self) -> Option<&dyn Facts> {
///         Some(&self.1)
///     }
///     fn git(&self, _cwd: &Path) -> Fact<GitState> {
///         Ok(Some(GitState { branch: Some(self.0.clone()), ..GitState::default() }))
///     }
/// }
/// ```
pub trait Facts {
    /// The source of the facts that this one does not state itself.
    fn base(&self) -> Option<&dyn Facts> {
        None
    }

    /// The host's project directory, absolute and normalised.
    fn project(&self) -> Option<PathBuf> {
        self.base().and_then(|base| base.project())
    }

    /// The linked worktrees of the project's repository, each confirmed from both sides.
    fn worktrees(&self) -> Vec<PathBuf> {
        self.base().map(|base| base.worktrees()).unwrap_or_default()
    }

    /// The home directory of the account, not `$HOME`.
    fn home(&self) -> Option<PathBuf> {
        self.base().and_then(|base| base.home())
    }

    /// `/tmp`, `/var/tmp`, and a `TMPDIR` below `/tmp`, `/var/folders` or `/run/user`.
    fn tmp(&self) -> Vec<PathBuf> {
        self.base().map(|base| base.tmp()).unwrap_or_default()
    }

    /// `linux`, `macos` or `windows`.
    fn os(&self) -> Fact<String> {
        self.base().map_or_else(absent_fact, |base| base.os())
    }

    /// The ancestor processes, the nearest first: the host, and what it was started from.
    fn host_pids(&self) -> Fact<Vec<u32>> {
        self.base().map_or_else(absent_fact, |base| base.host_pids())
    }

    /// An environment variable of the hook.
    fn env(&self, name: &str) -> Fact<String> {
        self.base().map_or_else(absent_fact, |base| base.env(name))
    }

    /// The git state of a directory, read from files; `None` outside of a repository.
    fn git(&self, cwd: &Path) -> Fact<GitState> {
        self.base().map_or_else(absent_fact, |base| base.git(cwd))
    }

    /// Whether there is a file at an absolute path.
    fn file_exists(&self, path: &Path) -> Fact<bool> {
        self.base().map_or_else(absent_fact, |base| base.file_exists(path))
    }

    /// The size of the regular file at an absolute path, in bytes; `None` if there is none.
    fn file_size(&self, path: &Path) -> Fact<u64> {
        self.base().map_or_else(absent_fact, |base| base.file_size(path))
    }

    /// The entries of the directory at an absolute path, in no particular order; `None` if there is no directory, or
    /// only a link to one.
    fn entries(&self, directory: &Path) -> Fact<Vec<DirectoryEntry>> {
        self.base().map_or_else(absent_fact, |base| base.entries(directory))
    }

    /// Whether a path is a directory, or a link to one.
    fn is_directory(&self, path: &Path) -> Fact<bool> {
        self.base().map_or_else(absent_fact, |base| base.is_directory(path))
    }

    /// The text of an ignore list of git or a search tool (`.gitignore`), by its absolute path; `None` if there is
    /// none.
    fn ignores(&self, file: &Path) -> Fact<String> {
        self.base().map_or_else(absent_fact, |base| base.ignores(file))
    }

    /// The subagent type in the last call of `Task` or `Agent` in a transcript, by the transcript's absolute path;
    /// `None` if there is no such call.
    fn called_agent(&self, transcript: &Path) -> Fact<String> {
        self.base().map_or_else(absent_fact, |base| base.called_agent(transcript))
    }

    /// The names of the symbolic links in the directory at an absolute path; `None` if there is no directory.
    fn links(&self, directory: &Path) -> Fact<Vec<String>> {
        self.base().map_or_else(absent_fact, |base| base.links(directory))
    }

    /// The path with all symbolic links resolved, as far as it exists.
    fn resolve(&self, path: &Path) -> PathBuf {
        self.base().map_or_else(|| path.to_path_buf(), |base| base.resolve(path))
    }
}

/// The answer of a source that neither states a fact nor has a base.
fn absent_fact<T>() -> Fact<T> {
    Err("no source states it".to_owned())
}
