//! What a rule sees of a call if its policy is that of a directory in which the session is not: only commands and
//! files that are, or may be, below that directory.

use crate::context::{Context, Scalar, ScalarValues, ShellText};
use crate::ruleset::{DerivedField, DirOperand, Rule, ValueReference};
use hookrules_shell::Programs;
use hookrules_shell::analysis::{CommandId, OpaqueCode, SimpleCommand};
use hookrules_shell::glob::Fit;
use hookrules_shell::word::Directory;

/// Whether a rule sees a command: it runs below the directory of the rule's policy, works below it, or touches a file
/// there.
pub(super) fn command_visibility(
    rule: &Rule,
    context: &Context<'_>,
    shell: &ShellText,
    (id, command): (CommandId, &SimpleCommand),
) -> Fit {
    let Some(scope) = rule.base.scope() else { return Fit::Yes };
    let is_below = |directory: &Directory| match context.located_directory(directory) {
        Ok(path) if context.machine().is_in_directory(scope, &path) => Fit::Yes,
        // A link that an earlier command creates may lead there.
        Ok(path) => context.earlier_link(shell, id, &path).map_or(Fit::No, Fit::Maybe),
        Err(why) => Fit::Maybe(why.clone()),
    };
    let visibility = is_below(&command.cwd).or(is_below(&command.working_directory(&Programs::new())));
    // A command that selects packages of a workspace works in their directories.
    let visibility = match visibility {
        Fit::No => context.selected_package(shell, id, scope).map_or(Fit::No, Fit::Maybe),
        visible => visible,
    };
    match visibility != Fit::Yes && context.touches_below(shell, shell.analysis.process(id), scope) {
        true => Fit::Yes,
        false => visibility,
    }
}

/// Whether a rule sees a command that is given by its id. Without a command (the tool itself acts), the rule sees the
/// effect.
pub(super) fn visibility_of(rule: &Rule, context: &Context<'_>, shell: &ShellText, id: Option<CommandId>) -> Fit {
    let command = id.and_then(|id| Some((id, shell.analysis.command(id)?)));
    command.map_or(Fit::Yes, |command| command_visibility(rule, context, shell, command))
}

/// Whether a rule may see what some unreadable code does.
pub(super) fn is_possibly_seen(rule: &Rule, context: &Context<'_>, shell: &ShellText, opaque: &OpaqueCode) -> bool {
    visibility_of(rule, context, shell, opaque.runner) != Fit::No
}

/// Returns the directories in which a rule sees files; empty if it sees all files.
pub(super) fn visible_directories(rule: &Rule) -> Vec<DirOperand> {
    rule.base.scope().map(|scope| DirOperand::Literal(scope.to_owned())).into_iter().collect()
}

/// Removes the files that a rule does not see from the values of a reference.
pub(super) fn retain_visible_files(
    rule: &Rule,
    context: &Context<'_>,
    source: &ValueReference,
    values: &mut ScalarValues<'_>,
) {
    let Some(scope) = rule.base.scope().filter(|_| names_files_of_call(source)) else { return };
    let is_visible = |value: &Scalar<'_>| match value {
        Scalar::PartlyKnown(_) => true,
        value => value.as_text().is_none_or(|path| context.machine().is_in_directory(scope, path.as_ref())),
    };
    values.retain(is_visible);
}

/// Whether the values of a reference are files that the call names.
fn names_files_of_call(source: &ValueReference) -> bool {
    match source {
        ValueReference::Derived(field) => *field == DerivedField::Path,
        ValueReference::Raw { path, .. } => source.is_path() && path.first().is_some_and(|first| first == "tool_input"),
        _ => false,
    }
}
