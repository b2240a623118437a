//! The machine as the judgement of one event sees it: each fact is charged to the event's budget, and some are
//! cached.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::charge::CachedLookup;
use super::walk::WalkCache;
use super::{PathForm, UnreadCause};
use crate::budget::{Budget, Exhaustion};
use crate::facts::{DirectoryEntry, Fact, Facts, GitState, SessionPast};
use hookrules_shell::path::{Roots, drive_of, normalise, text_on_drive};

/// The cost of one query to the system about a file, in units of the budget, like all costs below.
const LOOK_UNITS: u64 = 200;

/// The cost of one name in a directory listing.
const ENTRY_UNITS: u64 = 100;

/// The cost of reading the git state of one directory.
const GIT_UNITS: u64 = 5_000;

/// The cost of searching the end of a transcript.
const TRANSCRIPT_UNITS: u64 = 4_000_000;

/// The cost of reading one ignore file, without its globs.
const IGNORE_FILE_UNITS: u64 = 5_000;

/// How many passes over the text of an ignore file it takes to compile its globs.
const IGNORE_FILE_PASSES: usize = 64;

/// A fact of the machine: `None` if it has no value (no such file, not in a repository), `Err` with the cause if it
/// was not read.
pub(super) type MachineFact<T> = Result<Option<T>, UnreadCause>;

/// The machine as the judgement of one event sees it.
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
    /// The directory of the project. It and `home` are cached apart from `roots`, since every call with a file needs
    /// them and the other roots take longer to find.
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

    /// Makes lookups through this machine charge `budget`.
    pub(super) fn with_budget(self, budget: Rc<Budget>) -> Self {
        Self { budget, ..self }
    }

    /// Copies the machine for another payload. The budget and the listings are shared, the directories are looked up
    /// anew.
    pub(super) fn for_other_payload(&self) -> Self {
        Self { directories: Rc::default(), ..self.share() }
    }

    /// Copies the machine. The copies share their caches and the budget.
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

    /// Whether a test states that the project is one of Windows.
    pub(super) fn is_on_drive(&self) -> bool {
        self.project().and_then(drive_of).is_some()
    }

    /// Returns a text as a path of this machine: of one of Windows, if a test states that the project is there.
    pub(super) fn portable_text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.project().and_then(drive_of) {
            Some(drive) => text_on_drive(text, drive),
            None => Cow::Borrowed(text),
        }
    }

    /// Returns the absolute path that a text denotes, as [`normalise`] does.
    pub(super) fn normal_path(&self, text: &str, base: &Path, home: Option<&Path>) -> PathBuf {
        if !self.is_on_drive() {
            return normalise(text, base, home);
        }
        // The analysis of a command joins `C:/proj` to the directory before it.
        let base = base.to_string_lossy();
        normalise(&self.portable_text(text), Path::new(&*self.portable_text(&base)), home)
    }

    /// Returns the past of the session before the event, as its marks recorded it.
    ///
    /// # Errors
    /// The error explains why the past is not known.
    pub fn session_past(&self) -> Result<SessionPast, String> {
        self.facts.session_past()
    }

    /// Returns the home directory of the account, if it is known.
    pub fn home(&self) -> Option<&Path> {
        self.directories.home.get_or_init(|| self.facts.home()).as_deref()
    }

    /// Returns the directories that globs are relative to, in the given form. With [`PathForm::Physical`], links are
    /// resolved: a project that is reached through a symbolic link is the same project.
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
        match self.budget.charge_each(LOOK_UNITS / 4, names) {
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

    pub(super) fn scripts(&self, directory: &Path) -> MachineFact<Vec<String>> {
        self.charge_look()?;
        Ok(self.facts.scripts(directory)?)
    }

    pub(super) fn directory_exists(&self, path: &Path) -> MachineFact<bool> {
        self.charge_look()?;
        Ok(self.facts.is_directory(path)?)
    }

    pub(super) fn list_directory(&self, directory: &Path) -> MachineFact<Vec<DirectoryEntry>> {
        self.list(|facts| facts.entries(directory))
    }

    pub(super) fn list_links(&self, directory: &Path) -> MachineFact<Vec<String>> {
        self.list(|facts| facts.links(directory))
    }

    /// Returns a listing of a directory, whose length is charged once it is known.
    fn list<T>(&self, listing: impl FnOnce(&dyn Facts) -> Fact<Vec<T>>) -> MachineFact<Vec<T>> {
        self.charge_look()?;
        let entries = listing(self.facts)?;
        let count = entries.as_ref().map_or(0, Vec::len);
        self.budget.charge_each(ENTRY_UNITS, count)?;
        Ok(entries)
    }

    pub(super) fn git_of_directory(&self, directory: &Path) -> MachineFact<GitState> {
        self.budget.charge(GIT_UNITS)?;
        if let Some(known) = self.walk_cache.git.borrow().get(directory) {
            return Ok(known.clone()?);
        }
        let state = self.facts.git(directory);
        self.walk_cache.git.borrow_mut().insert(directory.to_owned(), state.clone());
        Ok(state?)
    }

    pub(super) fn ignores(&self, file: &Path) -> MachineFact<String> {
        self.budget.charge(IGNORE_FILE_UNITS)?;
        let text = self.facts.ignores(file)?;
        let length = text.as_ref().map_or(0, String::len);
        self.budget.charge_bytes(length, IGNORE_FILE_PASSES)?;
        Ok(text)
    }

    pub(super) fn agent_called_in(&self, transcript: &Path) -> MachineFact<String> {
        self.budget.charge(TRANSCRIPT_UNITS)?;
        Ok(self.facts.called_agent(transcript)?)
    }

    /// Charges the budget for one query about a file.
    fn charge_look(&self) -> Result<(), Exhaustion> {
        self.budget.charge(LOOK_UNITS)
    }
}
