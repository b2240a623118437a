//! The commands of a call: their analysis, and the one that a condition is about.

use std::cell::OnceCell;
use std::rc::Rc;

use super::command::SelectedCommand;
use super::{Analyses, ShellText};

/// The commands of a call.
#[derive(Default)]
pub struct CallCommands<'a> {
    /// The analysed shell command, cached. Contexts of the same call share it.
    pub(super) shell: Rc<OnceCell<Option<ShellText>>>,
    /// Analyses of earlier calls, if they are kept.
    pub(super) analyses: Option<&'a Analyses>,
    /// The command that a `where` tests.
    pub(super) selected: Option<SelectedCommand<'a>>,
    /// The command for which git and files are looked up: in its directory, at its time.
    pub(super) locating_only: Option<SelectedCommand<'a>>,
}

impl<'a> CallCommands<'a> {
    /// Creates those of another call, with the same analyses of earlier calls.
    pub(super) fn for_other_call(&self) -> Self {
        Self { analyses: self.analyses, ..Self::default() }
    }

    /// Copies them, sharing the analysis, with no command selected.
    pub(super) fn unselected(&self) -> Self {
        Self { shell: Rc::clone(&self.shell), ..self.for_other_call() }
    }

    /// Returns the command for which git and files are looked up.
    pub(super) fn locating_command(&self) -> Option<&SelectedCommand<'a>> {
        self.selected.as_ref().or(self.locating_only.as_ref())
    }

    /// Whether a shell command has been analysed: that happens once, and only if a condition needs it.
    #[must_use]
    pub fn has_analysed_shell(&self) -> bool {
        self.shell.get().is_some_and(Option::is_some)
    }
}
