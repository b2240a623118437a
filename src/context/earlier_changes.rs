//! Files that an earlier command of the same text may create, change or remove before the selected command runs.

use std::path::Path;

use super::command::SelectedCommand;
use super::touched::{TouchLocation, TouchReach, TouchedFile};
use super::{Context, PathForm, Reason};
use hookrules_shell::Unknown;
use hookrules_shell::analysis::{CommandScope, OpaqueCode, SimpleCommand};
use hookrules_shell::files::Verb;
use hookrules_shell::word::Cause;

/// The cost of examining one effect of a command on a file, in units of the budget.
const EFFECT_UNITS: u64 = 4;

impl Context<'_> {
    /// Returns why a file may be changed, created or removed before the selected command runs: an earlier command
    /// does so, or cannot be analysed. `None` if no command does, or no command is selected.
    ///
    /// # Errors
    /// The budget does not allow examining all effects.
    pub(super) fn earlier_change(&self, file: &Path) -> Result<Option<Unknown>, Reason> {
        let Some(selected) = self.commands.located_command() else { return Ok(None) };
        let real = self.machine.resolve(file);
        for (form, file) in [(PathForm::Lexical, file), (PathForm::Physical, real.as_path())] {
            let changes = |verb, touched: &TouchedFile| verb != Verb::Reads && is_possibly_included(touched, file);
            if let Some(why) = self.earlier_effect(selected, form, changes)? {
                return Ok(Some(why));
            }
        }
        let is_unseen = |opaque: &&OpaqueCode| {
            let is_earlier = opaque.runner.is_none_or(|by| selected.shell.analysis.may_run_before(by, selected.id));
            opaque.text.is_none() && opaque.scope == CommandScope::Local && is_earlier
        };
        Ok(selected.shell.analysis.opaque.iter().find(is_unseen).map(|opaque| opaque.reason.clone()))
    }

    /// Returns why a path may lead to another directory when a command runs. An earlier command may copy, unpack or
    /// link something there, below `root`, the root of the working tree that contains the directory now, or may
    /// remove or move that working tree or its `.git`.
    ///
    /// # Errors
    /// There are too many effects to examine.
    pub(super) fn earlier_replacement(
        &self,
        selected: &SelectedCommand<'_>,
        directory: &Path,
        root: Option<&Path>,
    ) -> Result<Option<Unknown>, Reason> {
        if let Some(root) = root
            && let Some(why) = self.earlier_removal(selected, &root.join(".git"))?
        {
            return Ok(Some(why));
        }
        // A copy or move does not replace the session's directory, or one that contains it.
        if self.cwd().starts_with(directory) {
            return Ok(None);
        }
        let command_of = |touched: &TouchedFile| selected.shell.analysis.command(touched.command?);
        let is_link = |touched: &TouchedFile| command_of(touched).is_some_and(|it| it.argv().name == Some("ln"));
        let replaces = |touched: &TouchedFile| match &touched.location {
            TouchLocation::Path(path) => {
                let is_inner = directory.starts_with(path) && !root.is_some_and(|root| root.starts_with(path));
                is_inner && (touched.reach != TouchReach::PathOnly || is_link(touched))
            }
            TouchLocation::OneOf { shape, .. } => touched.reach != TouchReach::PathOnly && shape.holds(directory),
        };
        self.earlier_effect(selected, PathForm::Lexical, |verb, touched| verb == Verb::Writes && replaces(touched))
    }

    /// Returns why the `.git` of a working tree may be gone when a command runs: an earlier `rm` or `mv` includes it.
    fn earlier_removal(&self, selected: &SelectedCommand<'_>, git: &Path) -> Result<Option<Unknown>, Reason> {
        let analysis = &selected.shell.analysis;
        let is_removing = |command: &SimpleCommand| matches!(command.argv().name, Some("rm" | "mv"));
        // Most texts have no such command, and then no effects need to be examined.
        if !analysis.commands.iter().any(is_removing) {
            return Ok(None);
        }
        let removes = |verb, touched: &TouchedFile| {
            let by = touched.command.and_then(|by| analysis.command(by));
            verb == Verb::Deletes && by.is_some_and(is_removing) && is_possibly_included(touched, git)
        };
        for form in [PathForm::Lexical, PathForm::Physical] {
            if let Some(why) = self.earlier_effect(selected, form, removes)? {
                return Ok(Some(why));
            }
        }
        Ok(None)
    }

    /// Returns the first command that may run before the selected one and has an effect for which `is_meant` holds.
    fn earlier_effect(
        &self,
        selected: &SelectedCommand<'_>,
        form: PathForm,
        is_meant: impl Fn(Verb, &TouchedFile) -> bool,
    ) -> Result<Option<Unknown>, Reason> {
        let shell = selected.shell;
        let effects = self.machine.effects(shell, form);
        // Each command of a long text may examine the effects of all others, so each effect is charged.
        self.machine.charge_each(EFFECT_UNITS, effects.len())?;
        let mut earlier = effects.iter().filter_map(|(verb, touched)| {
            let id = touched.command?;
            let other = shell.analysis.command(id)?;
            (is_meant(*verb, touched) && shell.analysis.may_run_before(id, selected.id)).then_some(other)
        });
        Ok(earlier.next().map(|other| Unknown::new(Cause::EarlierCommand, shell.display_command(other))))
    }
}

/// Whether a touched file, or what is touched along with it, may be this file.
fn is_possibly_included(touched: &TouchedFile, file: &Path) -> bool {
    let is_path_only = touched.reach == TouchReach::PathOnly;
    match &touched.location {
        TouchLocation::Path(path) => path == file || !is_path_only && file.starts_with(path),
        TouchLocation::OneOf { shape, .. } => {
            shape.holds(file) || !is_path_only && shape.with_descendants().holds(file)
        }
    }
}
