//! Whether a command in a text that is not parsed could satisfy a `where`: only possible contents of the text count.

use crate::context::{Context, Form, ShellText};
use crate::ruleset::{Condition, Kind, Source, WhereField};
use hookrules_shell::Programs;

/// Whether a command in such a text could satisfy the filter of a pattern whose words the text contains: each variable
/// that must have a value is named in the text, or visible to a command of the call.
pub(super) fn may_hold(filter: &Condition, text: &str, seen: &[&str]) -> bool {
    match &filter.kind {
        Kind::And(parts) => parts.iter().all(|part| may_hold(part, text, seen)),
        Kind::Or(parts) => parts.iter().any(|part| may_hold(part, text, seen)),
        kind => needed(kind).is_none_or(|name| text.contains(name) || seen.contains(&name)),
    }
}

/// Returns the variables that a filter needs and that some command of the call has, or may have.
pub(super) fn seen<'f>(filter: &'f Condition, context: &Context<'_>, form: Form, shell: &ShellText) -> Vec<&'f str> {
    let mut named = Vec::new();
    variables(filter, &mut named);
    // Variables do not depend on how a program's words are read.
    let programs = Programs::new();
    let has = |source: &Source| {
        let lookup =
            |(id, _)| context.of_command(shell, id, &programs).lookup(source, form).map_or(true, |it| !it.is_empty());
        shell.analysis.commands.is_empty() || shell.analysis.iter().any(lookup)
    };
    named.into_iter().filter(|(source, _)| has(source)).map(|(_, name)| name).collect()
}

fn variables<'f>(filter: &'f Condition, named: &mut Vec<(&'f Source, &'f str)>) {
    match &filter.kind {
        Kind::And(parts) | Kind::Or(parts) => parts.iter().for_each(|part| variables(part, named)),
        Kind::Exists(source) | Kind::Compare { source, .. } => {
            named.extend(needed(&filter.kind).map(|name| (source, name)));
        }
        _ => {}
    }
}

/// Returns the variable without which a test is false.
fn needed(kind: &Kind) -> Option<&str> {
    match kind {
        Kind::Exists(Source::Where(WhereField::Env(name) | WhereField::SetEnv(name)))
        | Kind::Compare {
            source: Source::Where(WhereField::Env(name) | WhereField::SetEnv(name)), all: true, ..
        }
        | Kind::Compare {
            source: Source::Where(WhereField::Env(name) | WhereField::SetEnv(name)),
            negated: false,
            ..
        } => Some(name),
        _ => None,
    }
}
