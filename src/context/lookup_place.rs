//! The place for which a rule is judged: the directory and the time at which it looks up facts of git and the
//! existence of files.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::command::SelectedCommand;
use super::{Context, Machine, Reason, ShellText, TouchLocation, TouchReach, TouchedFile};
use crate::facts::GitState;
use hookrules_shell::Word;
use hookrules_shell::analysis::{CommandId, CommandScope, SimpleCommand};
use hookrules_shell::repository::RepositoryFact;
use hookrules_shell::word::{Directory, PrintedValue};

/// The directory and the time at which a rule looks up facts, such as those of the working tree in which a file is
/// written.
#[derive(Clone, PartialEq, Debug)]
pub struct LookupPlace {
    /// The absolute directory whose git state is looked up, or the reason why it is unknown.
    pub directory: Result<PathBuf, Reason>,
    /// The command just before which facts are looked up; `None` stands for the time before any command runs.
    pub before: Option<CommandId>,
    /// Why the rule may not apply to this place: only code that cannot be read may run a command there that the rule
    /// is about.
    pub doubt: Option<Reason>,
}

impl LookupPlace {
    /// Returns the same place before any command runs.
    #[must_use]
    pub fn before_all(&self) -> Self {
        Self { before: None, ..self.clone() }
    }
}

/// A [`LookupPlace`] whose command has been looked up.
#[derive(Clone)]
pub(super) struct LocatedPlace<'a> {
    pub(super) directory: Result<PathBuf, Reason>,
    pub(super) command: Option<SelectedCommand<'a>>,
}

impl<'a> Context<'a> {
    /// Makes the context in which facts are looked up in a place. All else, such as the selected command, is
    /// unchanged.
    #[must_use]
    pub fn at_place<'b>(&'b self, place: &LookupPlace) -> Context<'b> {
        let mut context = self.without_place();
        context.commands.place = Some(self.located(place));
        context
    }

    /// Makes the context in which facts are looked up where the selected command works or, without one, where the
    /// session does.
    pub(super) fn without_place(&self) -> Context<'_> {
        let mut context = self.share();
        context.commands.selected = self.commands.selected;
        context
    }

    /// Whether a touched file may be in the same working tree as the place for which the rule is judged; true if
    /// there is no such place.
    #[must_use]
    pub fn is_possibly_in_place(&self, file: &TouchedFile) -> bool {
        let Some(place) = &self.commands.place else { return true };
        let (Ok(there), Ok(directory)) = (&place.directory, self.directory_of(file)) else { return true };
        *there == directory || self.machine.tree_root(there) == self.machine.tree_root(&directory)
    }

    /// Returns the command just before which the rule looks up facts, if it is judged for a place.
    #[must_use]
    pub fn command_of_place(&self) -> Option<CommandId> {
        self.commands.place.as_ref()?.command.as_ref().map(|command| command.id)
    }

    /// Returns the root of the working tree that contains a place before any command runs; `None` if it is the
    /// session's working tree, or is unknown.
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
    /// Returns a directory in the same working tree as a touched file.
    ///
    /// # Errors
    /// Fails if it cannot be known.
    pub fn directory_of(&self, file: &TouchedFile) -> Result<PathBuf, Reason> {
        match &file.location {
            // `git -C ../topic commit` changes the working tree whose root it names.
            TouchLocation::Path(path) if self.machine.is_tree_root(path) => Ok(path.clone()),
            // The file itself may not exist, or not be a directory.
            TouchLocation::Path(path) if file.reach == TouchReach::PathOnly => {
                Ok(path.parent().unwrap_or(path).to_owned())
            }
            TouchLocation::Path(path) => Ok(path.clone()),
            // With files below it, each possible path may be a working tree of its own.
            TouchLocation::OneOf { shape, why, .. } if file.reach == TouchReach::PathOnly => {
                shape.known_directory().ok_or_else(|| why.clone())
            }
            TouchLocation::OneOf { why, .. } => Err(why.clone()),
        }
    }

    /// Returns the git state of the place for which the rule is judged, else of the directory in which the selected
    /// command works, else of the session's directory. Only the member that `fact` names is reliable.
    pub(super) fn git(&self, fact: RepositoryFact) -> Result<Option<GitState>, Reason> {
        match (&self.commands.place, &self.commands.selected) {
            (Some(place), _) => self.git_before(place.directory.as_deref(), place.command.as_ref(), fact),
            (None, Some(command)) => self.command_git_state(command, fact),
            (None, None) => self.machine.git_state_at(self.cwd()),
        }
    }

    /// Returns the directory to which names of files in the policy are relative: the project or, if the rule is
    /// judged for a place in a linked worktree, the project's directory in that worktree.
    ///
    /// # Errors
    /// Fails if the place is unknown and the project has linked worktrees.
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

    /// Returns a directory in the repository in which a command works. For the root that git prints, as in `cd "$(git
    /// rev-parse --show-toplevel)"`, it is the directory in which that `git` runs.
    ///
    /// # Errors
    /// Fails if it cannot be known.
    pub fn repository_directory(&self, directory: Directory) -> Result<PathBuf, Reason> {
        let why = match directory {
            Directory::Known(path) => return Ok(path),
            Directory::Unknown(why) => why,
        };
        match why.source.printed_value() {
            Some(PrintedValue::Root(git_cwd)) if self.machine.tree_root(git_cwd).is_some() => Ok(git_cwd.clone()),
            _ => Err(why.into()),
        }
    }

    /// Returns the git state of the directory in which a command works, when it runs.
    pub(super) fn command_git_state(
        &self,
        command: &SelectedCommand<'_>,
        fact: RepositoryFact,
    ) -> Result<Option<GitState>, Reason> {
        let directory = self.repository_directory(command.directory());
        self.git_before(directory.as_deref(), Some(command), fact)
    }

    /// Returns the git state of a directory when a command runs; `None` outside of a repository. If an earlier
    /// command certainly checks out a branch, that is its branch.
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
        let (Ok(command_directory), Ok(other)) = (self.repository_directory(command.directory()), directory) else {
            return false;
        };
        command_directory == other
            || self
                .machine
                .tree_root(&command_directory)
                .is_some_and(|root| self.machine.tree_root(other) == Some(root))
    }
}

impl Context<'_> {
    /// Whether the project defines a script with the name of the program that a package manager runs unless there is
    /// such a script: `prisma` in `pnpm prisma`. `None` if that is not known.
    #[must_use]
    pub fn is_script_of_project(&self, shell: &ShellText, command: &SimpleCommand) -> Option<bool> {
        // These change the directory, and nothing else that matters here.
        const HARMLESS: &[&str] = &["cd", "pushd", "set", "export"];
        let runner_id = *command.outer_commands.last().filter(|_| command.scope == CommandScope::Local)?;
        let runner = shell.analysis.command(runner_id)?;
        let name = command.words.first()?.known_text()?;
        let mut words = runner.words.iter().skip(1).map(Word::known_text);
        // An option may select another package.
        let is_named = match words.next()?? {
            "run" => words.next()?? == name,
            first => first == name,
        };
        let is_harmless = |(id, earlier): (CommandId, &SimpleCommand)| {
            id.index() >= runner_id.index()
                || earlier.words.first().and_then(Word::known_text).is_some_and(|name| HARMLESS.contains(&name))
        };
        let Directory::Known(directory) = &command.cwd else { return None };
        if !is_named || !shell.analysis.iter().all(is_harmless) {
            return None;
        }
        let names = self.machine.scripts(directory).ok()??;
        Some(names.iter().any(|script| script == name))
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

    /// Returns the project's directory in the working tree, the project's own or a linked one, that contains a
    /// directory; `None` if none does.
    fn worktree_around(&self, directory: &Path) -> Option<&Path> {
        let roots = self.roots();
        let containing = roots.project.iter().chain(&roots.worktrees).filter(|root| directory.starts_with(root));
        if let Some(innermost) = containing.max_by_key(|root| root.as_os_str().len()) {
            return Some(innermost);
        }
        let tree = self.tree_root(directory)?;
        let is_same_tree = |worktree: &&PathBuf| self.tree_root(worktree).as_ref() == Some(&tree);
        roots.worktrees.iter().find(is_same_tree).map(PathBuf::as_path)
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
