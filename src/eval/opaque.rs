//! Judges whether a command in a text that is not parsed, such as a script in another language, may satisfy a
//! `where`. Only the environment variables that the `where` requires are considered.

use crate::context::{Context, PathForm, ShellText};
use crate::ruleset::{Condition, ConditionExpr, ValueReference, WhereField};
use hookrules_shell::Programs;

/// Whether a command in `text` may satisfy the filter: each variable that the filter requires is mentioned in the
/// text, or is among the variables that the commands of the call may have.
pub(super) fn is_possibly_satisfied(filter: &Condition, text: &str, call_variables: &[&str]) -> bool {
    match &filter.kind {
        ConditionExpr::And(parts) => parts.iter().all(|part| is_possibly_satisfied(part, text, call_variables)),
        ConditionExpr::Or(parts) => parts.iter().any(|part| is_possibly_satisfied(part, text, call_variables)),
        kind => required_variable(kind).is_none_or(|name| text.contains(name) || call_variables.contains(&name)),
    }
}

/// Returns those of the variables that the filter requires which some command of the call has or may have.
pub(super) fn needed_variables<'f>(
    filter: &'f Condition,
    context: &Context<'_>,
    form: PathForm,
    shell: &ShellText,
) -> Vec<&'f str> {
    let mut required = Vec::new();
    variables(filter, &mut required);
    // The records of programs do not matter for variables.
    let programs = Programs::new();
    let may_have_value = |source: &ValueReference| {
        let lookup =
            |(id, _)| context.for_command(shell, id, &programs).lookup(source, form).map_or(true, |it| !it.is_empty());
        shell.analysis.commands.is_empty() || shell.analysis.iter().any(lookup)
    };
    required.into_iter().filter(|(source, _)| may_have_value(source)).map(|(_, name)| name).collect()
}

/// Adds the variables that parts of a filter require to have a value.
fn variables<'f>(filter: &'f Condition, required: &mut Vec<(&'f ValueReference, &'f str)>) {
    match &filter.kind {
        ConditionExpr::And(parts) | ConditionExpr::Or(parts) => parts.iter().for_each(|part| variables(part, required)),
        ConditionExpr::Exists(source) | ConditionExpr::Compare { source, .. } => {
            required.extend(required_variable(&filter.kind).map(|name| (source, name)));
        }
        _ => {}
    }
}

/// Returns the environment variable without which a test is false; `None` if the test needs none.
fn required_variable(kind: &ConditionExpr) -> Option<&str> {
    match kind {
        ConditionExpr::Exists(ValueReference::Where(WhereField::Env(name) | WhereField::SetEnv(name)))
        | ConditionExpr::Compare {
            source: ValueReference::Where(WhereField::Env(name) | WhereField::SetEnv(name)),
            all: true,
            ..
        }
        | ConditionExpr::Compare {
            source: ValueReference::Where(WhereField::Env(name) | WhereField::SetEnv(name)),
            negated: false,
            ..
        } => Some(name),
        _ => None,
    }
}
