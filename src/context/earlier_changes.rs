//! Files that an earlier command of the same text may create, change or remove before the selected command runs.

use std::path::Path;

use super::command::SelectedCommand;
use super::touched::{TouchLocation, TouchReach, TouchedFile};
use super::{Context, PathForm, Reason};
use hookrules_shell::Unknown;
use hookrules_shell::analysis::{CommandScope, OpaqueCode, SimpleCommand};
use hookrules_shell::files::Verb;
use hookrules_shell::word::Cause;

/// The cost of examining one effect of a command on a file.
const EFFECT: u64 = 4;

impl Context<'_> {
    /// Returns why a file may be changed, created or removed before the selected command runs: an earlier command
    /// does that, or cannot be analysed. `None` if no command does, or none is selected.
    ///
    /// # Errors
    /// The budget does not allow examining all effects.
    pub(super) fn earlier_change(&self, file: &Path) -> Result<Option<Unknown>, Reason> {
        let Some(selected) = self.commands.located_command() else { return Ok(None) };
        let real = self.machine.resolve(file);
        for (form, file) in [(PathForm::Lexical, file), (PathForm::Physical, real.as_path())] {
            let effects = self.machine.effects(selected.shell, form);
            // Each of many commands may examine the effects of all others, so each effect is charged.
            self.machine.charge_each(EFFECT, effects.len())?;
            let changes = effects.iter().filter(|(verb, _)| *verb != Verb::Reads);
            for (id, touched) in changes.filter_map(|(_, touched)| Some((touched.command?, touched))) {
                let Some(other) = selected.shell.analysis.command(id) else { continue };
                if is_possibly_included(touched, file) && selected.shell.analysis.may_run_before(id, selected.id) {
                    return Ok(Some(Unknown::new(Cause::EarlierCommand, selected.shell.display_command(other))));
                }
            }
        }
        let is_unseen = |opaque: &&OpaqueCode| {
            let is_earlier = opaque.runner.is_none_or(|by| selected.shell.analysis.may_run_before(by, selected.id));
            opaque.text.is_none() && opaque.scope == CommandScope::Local && is_earlier
        };
        Ok(selected.shell.analysis.opaque.iter().find(is_unseen).map(|opaque| opaque.reason.clone()))
    }
}

impl Context<'_> {
    /// Returns why a directory may be another one when a command runs: a command that may run before it copies, unpacks
    /// or links something there, below the root of the working tree that the directory is in now.
    ///
    /// # Errors
    /// There are too many effects to examine.
    pub(super) fn earlier_replacement(
        &self,
        selected: &SelectedCommand<'_>,
        directory: &Path,
        root: Option<&Path>,
    ) -> Result<Option<Unknown>, Reason> {
        // Nobody moves into the session's directory or above it.
        if self.cwd().starts_with(directory) {
            return Ok(None);
        }
        let shell = selected.shell;
        let effects = self.machine.effects(shell, PathForm::Lexical);
        self.machine.charge_each(EFFECT, effects.len())?;
        let is_inner = |path: &Path| directory.starts_with(path) && root.is_none_or(|root| path != root);
        let replaces = |touched: &TouchedFile, command: &SimpleCommand| match &touched.location {
            TouchLocation::Path(path) => {
                let makes = touched.reach != TouchReach::PathOnly || command.argv().name == Some("ln");
                makes && is_inner(path) && !root.is_some_and(|root| root.starts_with(path))
            }
            TouchLocation::OneOf { shape, .. } => touched.reach != TouchReach::PathOnly && shape.holds(directory),
        };
        let writes = effects.iter().filter(|(verb, _)| *verb == Verb::Writes);
        for (id, touched) in writes.filter_map(|(_, touched)| Some((touched.command?, touched))) {
            let Some(other) = shell.analysis.command(id) else { continue };
            if shell.analysis.may_run_before(id, selected.id) && replaces(touched, other) {
                return Ok(Some(Unknown::new(Cause::EarlierCommand, shell.display_command(other))));
            }
        }
        Ok(None)
    }
}

/// Whether an effect may include a file.
fn is_possibly_included(touched: &TouchedFile, file: &Path) -> bool {
    let is_alone = touched.reach == TouchReach::PathOnly;
    match &touched.location {
        TouchLocation::Path(path) => path == file || !is_alone && file.starts_with(path),
        TouchLocation::OneOf { shape, .. } => shape.holds(file) || !is_alone && shape.with_descendants().holds(file),
    }
}
