//! The facts that conditions can use in addition to the payload. They are behind a trait, so that a test can provide
//! other facts than the machine.
//!
//! Reading a fact for a policy starts no process. A fact may have no value; a fact that cannot be read is unknown.

mod counted;
mod machine;
mod partly;
mod stated;
mod transcript;
mod zone;

pub use counted::{CountedFacts, FactKind};
pub use machine::{MachineFacts, account_home, main_worktree, resolve};
pub use partly::PartlyStatedFacts;
pub(crate) use stated::StatedClock;
pub use stated::{FactsError, StatedFacts};
pub use zone::is_zone_known;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::history::{CallDigest, EventDigest, History, InputDigest, MarkId, Moment, NestedMarks, PastQuery};
use crate::journal::{Journal, JournalEnd};
use crate::time::{TimeOfDay, Weekday};

/// What is known of the session before an event: which events happened that the policy's marks remember.
///
/// A hook reads it from the session's journal.
#[derive(Clone, Debug, Default)]
pub struct SessionPast(Arc<KnownPast>);

#[derive(Debug, Default)]
struct KnownPast {
    history: Mutex<Arc<History>>,
    /// The journal from which the events are read when they are needed; `None` if `history` already has them.
    journal: Option<Journal>,
    /// The marks that conditions asked about although the session has not watched them yet.
    unwatched: Mutex<BTreeSet<MarkId>>,
}

/// Makes the past of a session from a history that has its events.
#[must_use]
pub fn known_past(history: impl Into<Arc<History>>) -> SessionPast {
    SessionPast(Arc::new(KnownPast { history: Mutex::new(history.into()), ..KnownPast::default() }))
}

impl SessionPast {
    /// Makes the past of a session from its journal. `now` is the time of the event, in milliseconds since 1970, if
    /// it is known.
    pub(crate) fn of_journal(journal: Journal, now: Option<u64>) -> Self {
        let history = History { now, ..journal.stated().clone() };
        let history = Mutex::new(Arc::new(history));
        Self(Arc::new(KnownPast { history, journal: Some(journal), unwatched: Mutex::default() }))
    }

    /// Returns the history with those events on which the answer to a question depends.
    pub(crate) fn history_for(&self, query: &PastQuery<'_>) -> Arc<History> {
        let mut history = self.history();
        if let Some(journal) = &self.0.journal {
            journal.add_events(query, Arc::make_mut(&mut history));
        }
        history
    }

    /// Returns the last event before a call with this tool and input.
    pub(crate) fn last_before_call(&self, input: InputDigest) -> Option<EventDigest> {
        let noted = || self.history().last_before_call(input);
        self.0.journal.as_ref().map_or_else(noted, |journal| journal.last_before_call(input))
    }

    /// Returns the directory in which a call began; `None` if that is not known.
    pub(crate) fn directory(&self, call: CallDigest) -> Option<String> {
        let noted = || self.history().directories.get(&call).cloned();
        self.0.journal.as_ref().map_or_else(noted, |journal| journal.directory(call))
    }

    /// Returns the number of past events.
    pub(crate) fn size(&self) -> usize {
        self.0.journal.as_ref().map_or_else(|| self.history().events.len(), Journal::size)
    }

    /// Returns the end of the journal; `None` if no journal was read.
    pub(crate) fn journal_end(&self) -> Option<JournalEnd> {
        self.0.journal.as_ref().map(Journal::end)
    }

    /// Returns the history, without the events that are still only in the journal.
    pub(crate) fn history(&self) -> Arc<History> {
        Arc::clone(&self.0.history.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Records which marks the policy of a directory, in which the session is not, watches. This happens before that
    /// policy judges the event.
    pub(crate) fn note_nested(&self, policy: &NestedMarks) {
        self.update(|history| {
            let directory = history.key(&policy.directory);
            history.note_nested(directory, &policy.marks, policy.age, Moment::MAX);
        });
    }

    /// Changes the history with `change`.
    pub(crate) fn update(&self, change: impl FnOnce(&mut History)) {
        let mut history = self.0.history.lock().unwrap_or_else(PoisonError::into_inner);
        change(Arc::make_mut(&mut history));
    }

    /// Records that a condition asks about a mark.
    pub(crate) fn note_question(&self, mark: MarkId) {
        if !self.history().known_from.contains_key(&mark) {
            self.0.unwatched.lock().unwrap_or_else(PoisonError::into_inner).insert(mark);
        }
    }

    /// Returns the marks that conditions asked about although the session has not watched them yet.
    pub(crate) fn unknown_marks(&self) -> BTreeSet<MarkId> {
        self.0.unwatched.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl PartialEq for SessionPast {
    fn eq(&self, other: &Self) -> bool {
        self.history() == other.history()
    }
}

impl Eq for SessionPast {}

/// A fact: its value, `None` if it has no value, or the reason why it is unknown.
pub type Fact<T> = Result<Option<T>, String>;

/// The state of git in a working tree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GitState {
    /// The branch that is checked out; `None` if HEAD is detached.
    pub branch: Option<String>,
    /// The URL of the remote `origin`, without user and password.
    pub remote: Option<String>,
    /// Whether the working tree is a linked worktree.
    pub worktree: bool,
    /// The root of the working tree; `None` in a bare repository.
    pub root: Option<PathBuf>,
}

/// One entry of a directory listing.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DirectoryEntry {
    /// The name of the entry. Bytes that are not UTF-8 are U+FFFD.
    pub name: String,
    /// Whether the entry is a directory itself, not a link to one.
    pub is_directory: bool,
}

/// A source of the facts that conditions can use in addition to the event.
///
/// A source may provide only some facts and leave the others to a [`base`](Facts::base): a program whose agent works
/// in a container knows the branch there, and takes the other facts from [`StatedFacts`]. A fact that neither
/// provides is unknown, so a guard that needs it does not let the call pass.
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
    /// Returns the source of the facts that this source does not provide; `None` if there is none.
    fn base(&self) -> Option<&dyn Facts> {
        None
    }

    /// Returns the project directory that the host reports, absolute and normalised.
    fn project(&self) -> Option<PathBuf> {
        self.base().and_then(|base| base.project())
    }

    /// Returns the linked worktrees of the project's repository. A worktree counts only if its files and those of the
    /// repository refer to each other.
    fn worktrees(&self) -> Vec<PathBuf> {
        self.base().map(|base| base.worktrees()).unwrap_or_default()
    }

    /// Returns the home directory of the account, which may differ from `$HOME`.
    fn home(&self) -> Option<PathBuf> {
        self.base().and_then(|base| base.home())
    }

    /// Returns the directories for temporary files: `/tmp`, `/var/tmp`, and `TMPDIR` if it is below `/tmp`,
    /// `/var/folders` or `/run/user`.
    fn tmp(&self) -> Vec<PathBuf> {
        self.base().map(|base| base.tmp()).unwrap_or_default()
    }

    /// Returns the operating system: `linux`, `macos` or `windows`.
    fn os(&self) -> Fact<String> {
        self.base().map_or_else(absent_fact, |base| base.os())
    }

    /// Returns the time of the event in a time zone. The zone is given by its name in the IANA database; UTC has the
    /// empty name.
    fn time(&self, zone: &str) -> Fact<TimeOfDay> {
        self.base().map_or_else(absent_fact, |base| base.time(zone))
    }

    /// Returns the weekday of the event in a time zone, given as for [`Facts::time`].
    fn weekday(&self, zone: &str) -> Fact<Weekday> {
        self.base().map_or_else(absent_fact, |base| base.weekday(zone))
    }

    /// Returns the ancestors of this process, the nearest first: the host, and the processes that started it.
    fn host_pids(&self) -> Fact<Vec<u32>> {
        self.base().map_or_else(absent_fact, |base| base.host_pids())
    }

    /// Returns the value of an environment variable of the hook.
    fn env(&self, name: &str) -> Fact<String> {
        self.base().map_or_else(absent_fact, |base| base.env(name))
    }

    /// Returns the state of git in a directory, read from files; `None` outside a repository.
    fn git(&self, cwd: &Path) -> Fact<GitState> {
        self.base().map_or_else(absent_fact, |base| base.git(cwd))
    }

    /// Whether a file or directory exists at an absolute path.
    fn file_exists(&self, path: &Path) -> Fact<bool> {
        self.base().map_or_else(absent_fact, |base| base.file_exists(path))
    }

    /// Returns the size in bytes of the regular file at an absolute path; `None` if there is no such file.
    fn file_size(&self, path: &Path) -> Fact<u64> {
        self.base().map_or_else(absent_fact, |base| base.file_size(path))
    }

    /// Returns the entries of the directory at an absolute path, in no particular order; `None` if there is no
    /// directory, or only a link to one.
    fn entries(&self, directory: &Path) -> Fact<Vec<DirectoryEntry>> {
        self.base().map_or_else(absent_fact, |base| base.entries(directory))
    }

    /// Whether a path is a directory, or a link to one.
    fn is_directory(&self, path: &Path) -> Fact<bool> {
        self.base().map_or_else(absent_fact, |base| base.is_directory(path))
    }

    /// Returns the text of an ignore file of git or of a search tool, such as `.gitignore`, at an absolute path;
    /// `None` if there is no such file.
    fn ignores(&self, file: &Path) -> Fact<String> {
        self.base().map_or_else(absent_fact, |base| base.ignores(file))
    }

    /// Returns the names of the scripts in the nearest `package.json` in a directory or above it; `None` if there is no
    /// such file.
    fn scripts(&self, directory: &Path) -> Fact<Vec<String>> {
        self.base().map_or_else(absent_fact, |base| base.scripts(directory))
    }

    /// Returns the subagent type in the last call of `Task` or `Agent` in the transcript at an absolute path; `None`
    /// if there is no such call.
    fn called_agent(&self, transcript: &Path) -> Fact<String> {
        self.base().map_or_else(absent_fact, |base| base.called_agent(transcript))
    }

    /// Returns the names of the symbolic links in the directory at an absolute path; `None` if there is no directory.
    fn links(&self, directory: &Path) -> Fact<Vec<String>> {
        self.base().map_or_else(absent_fact, |base| base.links(directory))
    }

    /// Returns the past of the session before the event, as its marks recorded it.
    ///
    /// # Errors
    /// The error explains why the past is not known.
    fn session_past(&self) -> Result<SessionPast, String> {
        self.base().map_or_else(|| Err("no source states it".to_owned()), |base| base.session_past())
    }

    /// Returns a path with its symbolic links resolved. Names that do not exist are kept.
    fn resolve(&self, path: &Path) -> PathBuf {
        self.base().map_or_else(|| path.to_path_buf(), |base| base.resolve(path))
    }
}

/// Returns the fact of a source that neither provides it nor has a base: unknown.
fn absent_fact<T>() -> Fact<T> {
    Err("no source states it".to_owned())
}
