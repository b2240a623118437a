//! Finds a `cwd` of a `run` that is a value, but never a directory: `cwd: "{match}"` next to `runs`.

use super::comparison::visit_tests;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{ConditionExpr, DerivedField, Effect, Rule, TemplatePart, ValueReference};

pub(super) const LINT: Lint = Lint { codes: &[Code::RUN_DIRECTORY], check };

/// Reports each such `run`.
fn check(_: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    for (effect, span) in rule.effects.iter().zip(rule.effect_spans.iter()) {
        let Effect::Run(run) = effect else { continue };
        let Some(cwd) = &run.cwd else { continue };
        let values = cwd.parts.iter().filter_map(|part| match part {
            TemplatePart::Value(ValueReference::Derived(derived)) => Some(*derived),
            _ => None,
        });
        let Some((name, is)) = values.into_iter().find_map(|value| never_directory(value, rule)) else { continue };
        findings.push(
            Diagnostic::new(Code::RUN_DIRECTORY, format!("`{{{name}}}` is no directory"))
                .label(*span, format!("{is}: the command cannot start"))
                .help(
                    "write `cwd: \"{path}\"` for the directory of the call's file, or leave it out for the project's",
                ),
        );
    }
}

/// Returns the name of a value that is never a directory, and what it is.
fn never_directory(value: DerivedField, rule: &Rule) -> Option<(&'static str, &'static str)> {
    match value {
        DerivedField::Command => Some(("command", "the text of the call's command")),
        DerivedField::Content => Some(("content", "what the call writes")),
        DerivedField::ToolName => Some(("tool_name", "the name of the tool")),
        DerivedField::Url => Some(("url", "an address")),
        DerivedField::Match if !tests_files(rule) => Some(("match", "the command that matched")),
        _ => None,
    }
}

/// Whether a rule tests files, so that `{match}` may be one.
fn tests_files(rule: &Rule) -> bool {
    let mut found = false;
    visit_tests(rule, &mut |seen| {
        found |= match &seen.test.kind {
            ConditionExpr::Compare { source, .. } => source.is_path(),
            kind => kind.file_verb().is_some(),
        };
    });
    found
}
