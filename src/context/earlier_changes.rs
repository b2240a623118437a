//! Files that an earlier command of the same text may create, change or remove.

use std::path::Path;

use super::touched::{TouchLocation, TouchReach, TouchedFile};
use super::{Context, PathForm, Reason};
use hookrules_shell::Unknown;
use hookrules_shell::analysis::{CommandScope, OpaqueCode};
use hookrules_shell::files::Verb;
use hookrules_shell::word::Cause;

/// The cost of examining one effect of a command.
const EFFECT: u64 = 4;

impl Context<'_> {
    /// Returns why a file may have changed, appeared or gone by the time the selected command runs: a command that may
    /// run before it changes the file, or cannot be analysed.
    ///
    /// # Errors
    /// There are too many effects to examine.
    pub(super) fn earlier_change(&self, file: &Path) -> Result<Option<Unknown>, Reason> {
        let Some(selected) = self.commands.locating_command() else { return Ok(None) };
        let Some(command) = selected.shell.analysis.command(selected.id) else { return Ok(None) };
        let real = self.machine.resolve(file);
        for (form, file) in [(PathForm::Lexical, file), (PathForm::Physical, real.as_path())] {
            let effects = self.machine.effects(selected.shell, form);
            // Each of many commands may ask this about the effects of all the others.
            self.machine.charge_each(EFFECT, effects.len())?;
            let changes = effects.iter().filter(|(verb, _)| *verb != Verb::Reads);
            for (id, touched) in changes.filter_map(|(_, touched)| Some((touched.command?, touched))) {
                let Some(other) = selected.shell.analysis.command(id) else { continue };
                // A substitution may run before the command that contains it, and a loop runs again.
                let is_earlier = id < selected.id || other.in_substitution || other.in_loop && command.in_loop;
                if id != selected.id && is_earlier && is_possibly_included(touched, file) {
                    return Ok(Some(Unknown::new(Cause::EarlierCommand, selected.shell.display_command(other))));
                }
            }
        }
        let is_unseen = |opaque: &&OpaqueCode| {
            let is_earlier = opaque.runner.is_none_or(|by| by < selected.id);
            opaque.text.is_none() && opaque.scope == CommandScope::Local && is_earlier
        };
        Ok(selected.shell.analysis.opaque.iter().find(is_unseen).map(|opaque| opaque.reason.clone()))
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
