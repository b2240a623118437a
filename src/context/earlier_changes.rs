//! Files that an earlier command of the same text may create, change or remove before the selected command runs.

use std::path::Path;

use super::touched::{TouchLocation, TouchReach, TouchedFile};
use super::{Context, PathForm, Reason};
use hookrules_shell::Unknown;
use hookrules_shell::analysis::{CommandScope, OpaqueCode};
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
        let Some(selected) = self.commands.locating_command() else { return Ok(None) };
        let Some(command) = selected.shell.analysis.command(selected.id) else { return Ok(None) };
        let real = self.machine.resolve(file);
        for (form, file) in [(PathForm::Lexical, file), (PathForm::Physical, real.as_path())] {
            let effects = self.machine.effects(selected.shell, form);
            // Each of many commands may examine the effects of all others, so each effect is charged.
            self.machine.charge_each(EFFECT, effects.len())?;
            let changes = effects.iter().filter(|(verb, _)| *verb != Verb::Reads);
            for (id, touched) in changes.filter_map(|(_, touched)| Some((touched.command?, touched))) {
                let Some(other) = selected.shell.analysis.command(id) else { continue };
                // The number of a command in a substitution may be higher, and a loop runs its earlier commands
                // again.
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

/// Whether the effect of a command may include a file.
fn is_possibly_included(touched: &TouchedFile, file: &Path) -> bool {
    let is_alone = touched.reach == TouchReach::PathOnly;
    match &touched.location {
        TouchLocation::Path(path) => path == file || !is_alone && file.starts_with(path),
        TouchLocation::OneOf { shape, .. } => shape.holds(file) || !is_alone && shape.with_descendants().holds(file),
    }
}
