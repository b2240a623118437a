//! Names of files in messages: `not file_exists "notes/{git.branch}.md"` tests one component for each value, so a
//! message that repeats this name shows the same component.

use crate::ruleset::{
    CommandTest, Condition, ConditionExpr, Effect, FactName, Measure, PolicyValue, Template, TemplatePart,
    ValueReference,
};

/// Fills in the names of files that the conditions test as components, wherever a message repeats them. `base` is
/// what precedes a relative name in a policy of a directory below the session's.
pub(super) fn fill_as_tested(conditions: [Option<&Condition>; 2], base: &str, effects: &mut [Effect]) {
    let mut names = Vec::new();
    conditions.into_iter().flatten().for_each(|condition| collect_names(condition, &mut names));
    for name in names {
        let name = without_base(name, base);
        effects.iter_mut().flat_map(shown_text).for_each(|text| fill(text, &name));
    }
}

/// Collects the names with placeholders that a condition tests.
fn collect_names<'c>(condition: &'c Condition, names: &mut Vec<&'c Template>) {
    condition.visit_tests(&mut |test, _| match &test.kind {
        ConditionExpr::Truth(source) | ConditionExpr::Exists(source) | ConditionExpr::Compare { source, .. } => {
            names.extend(file_name(source));
        }
        ConditionExpr::Command(CommandTest::Runs { filter: Some(filter), .. }) => collect_names(filter, names),
        _ => {}
    });
}

/// Returns the name of the file that a fact is about, if it has placeholders.
fn file_name(source: &ValueReference) -> Option<&Template> {
    match source {
        ValueReference::Fact(FactName::File(_, value)) => match &**value {
            PolicyValue::FileName(name) => Some(name),
            PolicyValue::Literal(_) | PolicyValue::Source(_) => None,
        },
        ValueReference::Measured(Measure::Length(source) | Measure::Count(source)) => file_name(source),
        _ => None,
    }
}

/// Returns a name as its author wrote it, without the directory of the policy.
fn without_base(name: &Template, base: &str) -> Template {
    let mut parts = name.parts.clone();
    if let Some(TemplatePart::Text(first)) = parts.first_mut()
        && let Some(rest) = first.strip_prefix(base)
    {
        *first = rest.trim_start_matches('/').to_owned();
    }
    parts.retain(|part| !matches!(part, TemplatePart::Text(text) if text.is_empty()));
    Template { parts }
}

/// Returns the text of an effect that a person or an agent reads.
fn shown_text(effect: &mut Effect) -> Option<&mut Template> {
    match effect {
        Effect::Vote { message, .. } | Effect::Exit { message, .. } => Some(message),
        Effect::Context(text) | Effect::Warn(text) => Some(text),
        Effect::Notify { body, .. } => Some(body),
        Effect::Run(run) => run.message.as_mut(),
        Effect::Rewrite(_) | Effect::Record(_) | Effect::Mark(_) => None,
    }
}

/// Replaces the placeholders of a text in each place where it repeats a name.
fn fill(text: &mut Template, name: &Template) {
    let length = name.parts.len();
    for start in 0..text.parts.len() {
        let Some(window) = text.parts.get_mut(start..start.saturating_add(length)) else { return };
        let last = length.saturating_sub(1);
        let is_repeated = window.iter().zip(&name.parts).enumerate().all(|(at, parts)| match parts {
            (TemplatePart::Text(shown), TemplatePart::Text(tested)) => match (at == 0, at == last) {
                (true, _) => shown.ends_with(tested),
                (false, true) => shown.starts_with(tested),
                (false, false) => shown == tested,
            },
            (TemplatePart::Value(shown), TemplatePart::Value(tested)) => shown.is_same(tested),
            _ => false,
        });
        if is_repeated {
            for part in window {
                if let TemplatePart::Value(source) = part {
                    *part = TemplatePart::Component(source.clone());
                }
            }
        }
    }
}
