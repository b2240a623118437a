//! The commands of a call: their analysis, and the command that a condition is about.

use std::cell::OnceCell;
use std::rc::Rc;

use super::command::SelectedCommand;
use super::lookup_place::LocatedPlace;
use super::{Analyses, ShellText};

/// The commands of a call, and which of them a condition is about.
#[derive(Default)]
pub struct CallCommands<'a> {
    /// The analysed shell text, cached and shared by the contexts of the same call.
    pub(super) shell: Rc<OnceCell<Option<ShellText>>>,
    /// A cache of analyses of earlier calls, if the caller has one.
    pub(super) analyses: Option<&'a Analyses>,
    /// The command whose fields a `where` tests.
    pub(super) selected: Option<SelectedCommand<'a>>,
    /// Where and when facts are looked up, if the rule is judged for a certain place.
    pub(super) place: Option<LocatedPlace<'a>>,
}

impl<'a> CallCommands<'a> {
    /// Makes the commands of another call, with the same cache of analyses.
    pub(super) fn for_other_call(&self) -> Self {
        Self { analyses: self.analyses, ..Self::default() }
    }

    /// Copies the commands, with the same analysis and no command selected.
    pub(super) fn unselected(&self) -> Self {
        Self { shell: Rc::clone(&self.shell), ..self.for_other_call() }
    }

    /// Returns the command just before which facts of git and files are looked up.
    pub(super) fn located_command(&self) -> Option<&SelectedCommand<'a>> {
        self.selected.as_ref().or(self.place.as_ref().and_then(|place| place.command.as_ref()))
    }

    /// Whether the shell text of the call has been analysed yet. This happens once, when a condition needs it.
    #[must_use]
    pub fn has_analysed_shell(&self) -> bool {
        self.shell.get().is_some_and(Option::is_some)
    }
}
