//! The machine as one event sees it: each fact is charged to the budget of the event and cached.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::PathForm;
use super::charge::CachedLookup;
use super::walk::WalkCache;
use crate::budget::Budget;
use crate::facts::{Facts, SessionPast};
use hookrules_shell::path::Roots;

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
