//! The machine as one event sees it: each fact is charged to the budget of the event and cached.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::charge::CachedLookup;
use super::walk::WalkCache;
use super::{PathForm, UnreadCause};
use crate::budget::{Budget, Exhaustion};
use crate::facts::{DirectoryEntry, Facts, GitState, SessionPast};
use hookrules_shell::path::Roots;

/// The cost of one query to the system about a file.
const LOOK: u64 = 200;

/// The cost of one name in a directory listing.
const ENTRY: u64 = 100;

/// The cost of reading the git state of one directory.
const GIT: u64 = 5_000;

/// The cost of searching the end of a transcript.
const TRANSCRIPT: u64 = 4_000_000;

/// The cost of reading one ignore file, without its globs.
const LIST: u64 = 5_000;

/// The number of passes over the text of an ignore file until its globs are compiled.
const LIST_TIMES: usize = 64;

/// A fact of the machine; `None` if it has no value, or the cause why it was not read.
pub(super) type MachineFact<T> = Result<Option<T>, UnreadCause>;

/// The machine as one event sees it.
pub struct Machine<'a> {
    pub(super) facts: &'a dyn Facts,
    pub(super) budget: Rc<Budget>,
    /// The directories, shared with the contexts of the call's commands.
    directories: Rc<MachineDirectories>,
    pub(super) walk_cache: Rc<WalkCache>,
}

/// The directories that paths are resolved against, each cached when it is first needed.
#[derive(Default)]
struct MachineDirectories {
    roots: OnceCell<Roots>,
    /// The root that every call with a file needs, like `home`; the other roots take longer to find.
    project: OnceCell<Option<PathBuf>>,
    home: OnceCell<Option<PathBuf>>,
    /// The roots with symbolic links resolved.
    physical_roots: OnceCell<CachedLookup<Roots>>,
    /// Whether file names that differ only in case are the same.
    folds_names: OnceCell<bool>,
}

impl<'a> Machine<'a> {
    pub(super) fn new(facts: &'a dyn Facts) -> Self {
        Self { facts, budget: Rc::default(), directories: Rc::default(), walk_cache: Rc::default() }
    }

    /// Makes this machine charge its work to `budget`.
    pub(super) fn with_budget(self, budget: Rc<Budget>) -> Self {
        Self { budget, ..self }
    }

    /// Copies the machine for another payload. Only the budget and the listings are shared.
    pub(super) fn for_other_payload(&self) -> Self {
        Self { directories: Rc::default(), ..self.share() }
    }

    /// Copies the machine. Everything is shared.
    pub(super) fn share(&self) -> Self {
        Self {
            facts: self.facts,
            budget: Rc::clone(&self.budget),
            directories: Rc::clone(&self.directories),
            walk_cache: Rc::clone(&self.walk_cache),
        }
    }

    /// Returns the directories that paths are resolved against.
    pub fn roots(&self) -> &Roots {
        self.directories.roots.get_or_init(|| Roots {
            project: self.project().map(Path::to_path_buf),
            worktrees: self.facts.worktrees(),
            home: self.home().map(Path::to_path_buf),
            tmp: self.facts.tmp(),
        })
    }

    /// Returns the directory of the project, if it is known.
    pub fn project(&self) -> Option<&Path> {
        self.directories.project.get_or_init(|| self.facts.project()).as_deref()
    }

    /// Returns what marks tell of the session before the event.
    ///
    /// # Errors
    /// Returns why that is not known.
    pub fn session_past(&self) -> Result<SessionPast, String> {
        self.facts.session_past()
    }

    /// Returns the home directory of the account, if it is known.
    pub fn home(&self) -> Option<&Path> {
        self.directories.home.get_or_init(|| self.facts.home()).as_deref()
    }

    /// Returns the directories that globs are relative to, in the form in which paths are compared. With
    /// [`PathForm::Physical`], links are resolved: a project that is reached through a symbolic link is the same
    /// project.
    pub fn roots_in(&self, form: PathForm) -> &Roots {
        if form == PathForm::Lexical {
            return self.roots();
        }
        self.cached(&self.directories.physical_roots, || {
            let lexical = self.roots();
            let resolve = |path: &PathBuf| self.resolve(path);
            Roots {
                project: lexical.project.as_ref().map(resolve),
                worktrees: lexical.worktrees.iter().map(resolve).collect(),
                home: lexical.home.as_ref().map(resolve),
                tmp: lexical.tmp.iter().map(resolve).collect(),
            }
        })
    }

    /// Whether file names that differ only in case or in Unicode normal form are the same on this machine.
    #[must_use]
    pub fn is_case_folding(&self) -> bool {
        *self.directories.folds_names.get_or_init(|| matches!(self.facts.os(), Ok(Some(os)) if os != "linux"))
    }
}

/// The facts of the machine, each charged before it is read. If the budget refuses a charge, nothing is read;
/// [`Machine::complete_lookup`] reports that.
impl Machine<'_> {
    /// Returns a path with its symbolic links resolved; the path itself if the budget refuses.
    pub(super) fn resolve(&self, path: &Path) -> PathBuf {
        // Each name in the path may be a link. A name is assumed to have four characters.
        let names = path.as_os_str().len() / 4;
        match self.budget.charge_each(LOOK / 4, names) {
            Ok(()) => self.facts.resolve(path),
            Err(_) => path.to_path_buf(),
        }
    }

    pub(super) fn file_exists(&self, path: &Path) -> MachineFact<bool> {
        self.charge_look()?;
        Ok(self.facts.file_exists(path)?)
    }

    pub(super) fn file_size(&self, path: &Path) -> MachineFact<u64> {
        self.charge_look()?;
        Ok(self.facts.file_size(path)?)
    }

    pub(super) fn directory_exists(&self, path: &Path) -> MachineFact<bool> {
        self.charge_look()?;
        Ok(self.facts.is_directory(path)?)
    }

    pub(super) fn list_directory(&self, directory: &Path) -> MachineFact<Vec<DirectoryEntry>> {
        self.charge_look()?;
        let entries = self.facts.entries(directory)?;
        let count = entries.as_ref().map_or(0, Vec::len);
        self.budget.charge_each(ENTRY, count)?;
        Ok(entries)
    }

    pub(super) fn list_links(&self, directory: &Path) -> MachineFact<Vec<String>> {
        self.charge_look()?;
        let names = self.facts.links(directory)?;
        let count = names.as_ref().map_or(0, Vec::len);
        self.budget.charge_each(ENTRY, count)?;
        Ok(names)
    }

    pub(super) fn git_of_directory(&self, directory: &Path) -> MachineFact<GitState> {
        self.budget.charge(GIT)?;
        if let Some(known) = self.walk_cache.git.borrow().get(directory) {
            return Ok(known.clone()?);
        }
        let state = self.facts.git(directory);
        self.walk_cache.git.borrow_mut().insert(directory.to_owned(), state.clone());
        Ok(state?)
    }

    pub(super) fn ignores(&self, file: &Path) -> MachineFact<String> {
        self.budget.charge(LIST)?;
        let text = self.facts.ignores(file)?;
        let length = text.as_ref().map_or(0, String::len);
        self.budget.charge_bytes(length, LIST_TIMES)?;
        Ok(text)
    }

    pub(super) fn agent_called_in(&self, transcript: &Path) -> MachineFact<String> {
        self.budget.charge(TRANSCRIPT)?;
        Ok(self.facts.called_agent(transcript)?)
    }

    /// Charges one query about a file.
    fn charge_look(&self) -> Result<(), Exhaustion> {
        self.budget.charge(LOOK)
    }
}
