//! What conditions may know beside the payload, as a trait, so that tests can state it.
//!
//! No fact that a policy asks for starts a process. A fact without a value is absent; one that cannot be read is
//! unknown.

mod counted;
mod machine;
mod stated;
mod transcript;

pub use counted::{Asked, CountedFacts};
pub use machine::{MachineFacts, account_home, resolve};
pub use stated::StatedFacts;

use std::path::{Path, PathBuf};

/// A fact: a value, no value, or a reason why it cannot be known.
pub type Fact<T> = Result<Option<T>, String>;

/// What the git directory of a working tree says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Git {
    /// The branch; `None` when detached.
    pub branch: Option<String>,
    /// origin's URL, without user info.
    pub remote: Option<String>,
    /// Whether this is a linked worktree.
    pub worktree: bool,
    /// The root of the working tree.
    pub root: Option<PathBuf>,
}

/// What a directory holds under one name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Entry {
    /// The name; bytes that are not UTF-8 are U+FFFD.
    pub name: String,
    /// It is a directory itself, and no link to one.
    pub is_directory: bool,
}

/// The facts of section 5 of the language.
pub trait Facts {
    /// The host's project directory, absolute and normalised.
    fn project(&self) -> Option<PathBuf>;
    /// The linked worktrees of the project's repository, each confirmed from both sides.
    fn worktrees(&self) -> Vec<PathBuf>;
    /// The home directory of the account, not `$HOME`.
    fn home(&self) -> Option<PathBuf>;
    /// `/tmp`, `/var/tmp`, and a `TMPDIR` below `/tmp`, `/var/folders` or `/run/user`.
    fn tmp(&self) -> Vec<PathBuf>;
    /// `linux`, `macos` or `windows`.
    fn os(&self) -> Fact<String>;
    /// The processes that this one runs below, nearest first: the host, and what it was started from.
    fn host_pids(&self) -> Fact<Vec<u32>>;
    /// An environment variable of the hook.
    fn env(&self, name: &str) -> Fact<String>;
    /// What git says at a directory, read from files; `None` outside of a repository.
    fn git(&self, cwd: &Path) -> Fact<Git>;
    /// Whether a file exists, by its absolute path.
    fn file_exists(&self, path: &Path) -> Fact<bool>;
    /// A regular file's size in bytes, by its absolute path; `None` where there is none.
    fn file_size(&self, path: &Path) -> Fact<u64>;
    /// What a directory holds, by its absolute path, in no order that means anything; `None` where there is no such
    /// directory, or it is a link to one.
    fn entries(&self, directory: &Path) -> Fact<Vec<Entry>>;
    /// Whether a path is a directory, or leads to one.
    fn is_directory(&self, path: &Path) -> Fact<bool>;
    /// The text of a list that git or a search reads (`.gitignore`), by its absolute path; `None` where there is none.
    fn ignores(&self, file: &Path) -> Fact<String>;
    /// The type of subagent that the last call of `Task` or `Agent` in a transcript asks for, by the transcript's
    /// absolute path; `None` where no call asks for one.
    fn called_agent(&self, transcript: &Path) -> Fact<String>;
    /// The names in a directory that are symbolic links, by its absolute path; `None` where there is no such directory.
    fn links(&self, directory: &Path) -> Fact<Vec<String>>;
    /// The path with all symbolic links resolved, as far as it exists.
    fn resolve(&self, path: &Path) -> PathBuf;
}
