//! The place of a judgement: where and when the facts of git, and the existence of files, are looked up.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::command::SelectedCommand;
use super::{Context, Machine, Reason, TouchLocation, TouchReach, TouchedFile};
use crate::facts::GitState;
use hookrules_shell::analysis::{CommandId, CommandScope};
use hookrules_shell::repository::RepositoryFact;
use hookrules_shell::word::{Directory, PrintedValue};

/// Where and when a judgement looks up facts: git's in a directory, and all of them before a command runs.
#[derive(Clone, PartialEq, Debug)]
pub struct LookupPlace {
    /// The absolute directory in which git is asked; the reason if it is unknown.
    pub directory: Result<PathBuf, Reason>,
    /// The command before which facts are looked up; without one, before any command runs.
    pub before: Option<CommandId>,
    /// Why nothing may happen there: code that cannot be read may run a command that the rule is about.
    pub doubt: Option<Reason>,
}

impl LookupPlace {
    /// Returns the same place before any command runs.
    #[must_use]
    pub fn before_all(&self) -> Self {
        Self { before: None, ..self.clone() }
    }
}

/// A [`LookupPlace`], with the command that it names.
#[derive(Clone)]
pub(super) struct LocatedPlace<'a> {
    pub(super) directory: Result<PathBuf, Reason>,
    pub(super) command: Option<SelectedCommand<'a>>,
}

impl<'a> Context<'a> {
    /// Creates the context in which facts are looked up in a place; all else, such as the selected command, is
    /// unchanged.
    #[must_use]
    pub fn at_place<'b>(&'b self, place: &LookupPlace) -> Context<'b> {
        let mut context = self.without_place();
        context.commands.place = Some(self.located(place));
        context
    }

    /// Creates the context in which facts are looked up where the selected command, or else the session, works.
    pub(super) fn without_place(&self) -> Context<'_> {
        let mut context = self.share();
        context.commands.selected = self.commands.selected;
        context
    }

    /// Whether a touched file may be in the working tree in which the judgement has its place; true without a place.
    #[must_use]
    pub fn is_possibly_in_place(&self, file: &TouchedFile) -> bool {
        let Some(place) = &self.commands.place else { return true };
        let (Ok(there), Ok(directory)) = (&place.directory, self.directory_of(file)) else { return true };
        *there == directory || self.machine.tree_root(there) == self.machine.tree_root(&directory)
    }

    /// Returns the command before which the judgement looks up facts, if it has a place.
    #[must_use]
    pub fn command_of_place(&self) -> Option<CommandId> {
        self.commands.place.as_ref()?.command.as_ref().map(|command| command.id)
    }

    /// Returns the root of the working tree of a place before any command runs, if it is not that of the session.
    #[must_use]
    pub fn other_tree(&self, place: &LookupPlace) -> Option<PathBuf> {
        let there = self.machine.tree_root(place.directory.as_ref().ok()?)?;
        (self.machine.tree_root(self.cwd()).as_ref() != Some(&there)).then_some(there)
    }

    fn located(&self, place: &LookupPlace) -> LocatedPlace<'_> {
        let command = place.before.and_then(|id| SelectedCommand::built_in(self.shell_text()?, id));
        LocatedPlace { directory: place.directory.clone(), command }
    }
}

impl Context<'_> {
    /// Returns the directory whose working tree a touched file is in.
    ///
    /// # Errors
    /// It cannot be known.
    pub fn directory_of(&self, file: &TouchedFile) -> Result<PathBuf, Reason> {
        match &file.location {
            // `git -C ../topic commit` changes the working tree whose root it names.
            TouchLocation::Path(path) if self.machine.is_tree_root(path) => Ok(path.clone()),
            // The file itself may not exist, or not be a directory.
            TouchLocation::Path(path) if file.reach == TouchReach::PathOnly => {
                Ok(path.parent().unwrap_or(path).to_owned())
            }
            TouchLocation::Path(path) => Ok(path.clone()),
            // Each file that is meant with all below it may be a working tree of its own.
            TouchLocation::OneOf { shape, why, .. } if file.reach == TouchReach::PathOnly => {
                shape.known_directory().ok_or_else(|| why.clone())
            }
            TouchLocation::OneOf { why, .. } => Err(why.clone()),
        }
    }

    /// Returns the git state in the place of the judgement, else where the selected command works, else where the
    /// session does. Only the fact that is asked for is certain.
    pub(super) fn git(&self, fact: RepositoryFact) -> Result<Option<GitState>, Reason> {
        match (&self.commands.place, &self.commands.selected) {
            (Some(place), _) => self.git_before(place.directory.as_deref(), place.command.as_ref(), fact),
            (None, Some(command)) => self.command_git_state(command, fact),
            (None, None) => self.machine.git_state_at(self.cwd()),
        }
    }

    /// Returns the directory that relative names of files in the policy are relative to: the project, or the same
    /// directory in the linked worktree in which the judgement has its place.
    ///
    /// # Errors
    /// The place cannot be known, and the project has linked worktrees.
    pub(super) fn policy_directory(&self) -> Result<&Path, Reason> {
        let project = self.machine.project().unwrap_or_else(|| self.cwd());
        if !self.machine.has_worktrees() {
            return Ok(project);
        }
        let place = match (&self.commands.place, &self.commands.selected) {
            (Some(place), _) => Cow::Borrowed(place.directory.as_deref().map_err(Reason::clone)?),
            (None, Some(command)) => Cow::Owned(self.repository_directory(command.directory())?),
            (None, None) => Cow::Borrowed(self.cwd()),
        };
        Ok(self.machine.worktree_around(&place).unwrap_or(project))
    }

    /// Returns the directory in whose repository a command works. Of the root that git prints, as in
    /// `cd "$(git rev-parse --show-toplevel)"`, it is the directory in which git is asked.
    ///
    /// # Errors
    /// It cannot be known.
    pub fn repository_directory(&self, directory: Directory) -> Result<PathBuf, Reason> {
        let why = match directory {
            Directory::Known(path) => return Ok(path),
            Directory::Unknown(why) => why,
        };
        match why.source.printed_value() {
            Some(PrintedValue::Root(asked)) if self.machine.tree_root(asked).is_some() => Ok(asked.clone()),
            _ => Err(why.into()),
        }
    }

    /// Returns the git state where and when a command runs.
    pub(super) fn command_git_state(
        &self,
        command: &SelectedCommand<'_>,
        fact: RepositoryFact,
    ) -> Result<Option<GitState>, Reason> {
        let directory = self.repository_directory(command.directory());
        self.git_before(directory.as_deref(), Some(command), fact)
    }

    /// Returns the git state of a directory when a command runs.
    fn git_before(
        &self,
        directory: Result<&Path, &Reason>,
        command: Option<&SelectedCommand<'_>>,
        fact: RepositoryFact,
    ) -> Result<Option<GitState>, Reason> {
        let changed = command.and_then(|command| Some((command, command.changed_before(fact)?)));
        let branch = changed.and_then(|(command, _)| {
            command.checked_out().filter(|_| fact == RepositoryFact::Branch && self.is_in_tree_of(command, directory))
        });
        if let Some((_, why)) = changed.filter(|_| branch.is_none()) {
            return Err(Reason::changed_fact("git", why.clone()));
        }
        if command.is_some_and(|command| command.scope() != CommandScope::Local) {
            return Err(Reason::foreign_repository());
        }
        let directory = directory.map_err(Reason::clone)?;
        let git = self.machine.git_state_at(directory)?;
        if let Some(command) = command {
            let root = git.as_ref().and_then(|git| git.root.as_deref());
            if let Some(why) = self.earlier_replacement(command, directory, root)? {
                return Err(Reason::changed_fact("git", why));
            }
        }
        Ok(git.map(|git| match branch {
            Some(branch) => GitState { branch: Some(branch), ..git },
            None => git,
        }))
    }

    /// Whether a command certainly works in the working tree of a directory.
    fn is_in_tree_of(&self, command: &SelectedCommand<'_>, directory: Result<&Path, &Reason>) -> bool {
        let (Ok(own), Ok(other)) = (self.repository_directory(command.directory()), directory) else { return false };
        own == other || self.machine.tree_root(&own).is_some_and(|root| self.machine.tree_root(other) == Some(root))
    }
}

impl Machine<'_> {
    /// Returns the git state of a directory; `None` outside of a repository.
    ///
    /// # Errors
    /// It cannot be read, or the event's budget is spent.
    pub fn git_state_at(&self, directory: &Path) -> Result<Option<GitState>, Reason> {
        self.git_of_directory(directory).map_err(|reason| Reason::fact("git", reason))
    }

    /// Whether the project has linked worktrees.
    #[must_use]
    pub fn has_worktrees(&self) -> bool {
        !self.roots().worktrees.is_empty()
    }

    /// Returns the directory of the project in the linked worktree that a directory is in; `None` if it is in none.
    fn worktree_around(&self, directory: &Path) -> Option<&Path> {
        let roots = self.roots();
        let around = roots.project.iter().chain(&roots.worktrees).filter(|root| directory.starts_with(root));
        if let Some(innermost) = around.max_by_key(|root| root.as_os_str().len()) {
            return Some(innermost);
        }
        let tree = self.tree_root(directory)?;
        let is_same = |worktree: &&PathBuf| self.tree_root(worktree).as_ref() == Some(&tree);
        roots.worktrees.iter().find(is_same).map(PathBuf::as_path)
    }

    /// Whether a path is the root of a working tree: a linked worktree of the project, a clone or a submodule.
    fn is_tree_root(&self, path: &Path) -> bool {
        self.roots().worktrees.iter().any(|root| root == path)
            || matches!(self.file_exists(&path.join(".git")), Ok(Some(true)))
    }

    /// Returns the root of the working tree that a directory is in; `None` if it is in none, or that is unknown.
    pub(super) fn tree_root(&self, directory: &Path) -> Option<PathBuf> {
        self.git_of_directory(directory).ok().flatten().and_then(|git| git.root)
    }
}
