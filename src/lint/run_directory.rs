//! Finds a `cwd` of a `run` that is a value, but never a directory: `cwd: "{match}"` next to `runs`.

use super::calls::selected_tools;
use super::comparison::visit_tests;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{ConditionExpr, DerivedField, Effect, Rule, TemplatePart, ValueReference};
use crate::schema::ToolSpec;
use crate::span::Span;
use crate::syntax::string_literal;

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
        if let Some(finding) = text_finding(rule, &cwd.parts, *span) {
            findings.push(finding);
            continue;
        }
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

/// Returns the finding about a directory in the notation of a shell, or one behind the name of a file: `$PWD/web`,
/// `{path}/..`.
fn text_finding(rule: &Rule, parts: &[TemplatePart], span: Span) -> Option<Diagnostic> {
    let shell = |part: &TemplatePart| match part {
        TemplatePart::Text(text) => shell_notation(text),
        TemplatePart::Value(_) | TemplatePart::Component(_) => None,
    };
    if let Some(notation) = parts.iter().find_map(shell) {
        let help = match parts {
            [TemplatePart::Text(text)] => match text.strip_prefix("$PWD/").or_else(|| text.strip_prefix("${PWD}/")) {
                Some(rest) => format!("write `cwd: {}`: it begins in the project", string_literal(rest, "")),
                None => "write a path that begins in the project, such as `cwd: \"web\"`".to_owned(),
            },
            _ => "write `cwd: \"{path}\"` for the directory of the call's file".to_owned(),
        };
        return Some(
            Diagnostic::new(Code::RUN_DIRECTORY, format!("`{notation}` in a `cwd`, which no shell reads"))
                .label(span, "no directory has this name: the command cannot start")
                .help(help),
        );
    }
    let is_of_file = |tool: &&ToolSpec| tool.files.iter().all(|file| !file.recursive && !file.glob);
    let names_files = selected_tools(rule).is_some_and(|tools| tools.iter().all(is_of_file));
    match parts {
        [TemplatePart::Value(ValueReference::Derived(DerivedField::Path)), TemplatePart::Text(rest), ..]
            if names_files && rest.starts_with('/') =>
        {
            Some(
                Diagnostic::new(Code::RUN_DIRECTORY, "a directory below `{path}`, which is a file")
                    .label(span, "no such directory: the command cannot start")
                    .help("write `cwd: \"{path}\"`, which is the directory of the file"),
            )
        }
        _ => None,
    }
}

/// Returns the first notation in a text that only a shell would replace.
fn shell_notation(text: &str) -> Option<&'static str> {
    if text.contains("$(") {
        return Some("$(…)");
    }
    if text.contains('`') {
        return Some("a backtick");
    }
    let is_name = |rest: &str| rest.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '{'));
    text.match_indices('$').any(|(at, _)| text.get(at + 1..).is_some_and(is_name)).then_some("$")
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
