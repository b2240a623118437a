//! Judges whether a command in a text that is not parsed, such as a script in another language, may satisfy a
//! `where`. Only the variables that the `where` requires are taken into account.

use crate::context::{Context, PathForm, ShellText};
use crate::ruleset::{Condition, ConditionExpr, ValueReference, WhereField};
use hookrules_shell::Programs;

/// Whether a command in `text` may satisfy the filter: each variable that must have a value is mentioned in the text,
/// or is in `seen`, the variables that a command of the call may have.
pub(super) fn is_possibly_satisfied(filter: &Condition, text: &str, seen: &[&str]) -> bool {
    match &filter.kind {
        ConditionExpr::And(parts) => parts.iter().all(|part| is_possibly_satisfied(part, text, seen)),
        ConditionExpr::Or(parts) => parts.iter().any(|part| is_possibly_satisfied(part, text, seen)),
        kind => required_variable(kind).is_none_or(|name| text.contains(name) || seen.contains(&name)),
    }
}

/// Returns the variables that the filter requires to have a value, and that some command of the call has or may have.
pub(super) fn needed_variables<'f>(
    filter: &'f Condition,
    context: &Context<'_>,
    form: PathForm,
    shell: &ShellText,
) -> Vec<&'f str> {
    let mut named = Vec::new();
    variables(filter, &mut named);
    // The records of programs do not matter for variables.
    let programs = Programs::new();
    let has = |source: &ValueReference| {
        let lookup =
            |(id, _)| context.for_command(shell, id, &programs).lookup(source, form).map_or(true, |it| !it.is_empty());
        shell.analysis.commands.is_empty() || shell.analysis.iter().any(lookup)
    };
    named.into_iter().filter(|(source, _)| has(source)).map(|(_, name)| name).collect()
}

/// Adds the variables that parts of a filter require to have a value.
fn variables<'f>(filter: &'f Condition, named: &mut Vec<(&'f ValueReference, &'f str)>) {
    match &filter.kind {
        ConditionExpr::And(parts) | ConditionExpr::Or(parts) => parts.iter().for_each(|part| variables(part, named)),
        ConditionExpr::Exists(source) | ConditionExpr::Compare { source, .. } => {
            named.extend(required_variable(&filter.kind).map(|name| (source, name)));
        }
        _ => {}
    }
}

/// Returns the variable without which a test is false; `None` if the test needs none.
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
