//! Finds rewrites of a command's text where `rewrite runs` could change the command itself: `rewrite command = "pnpm
//! install"`.

use super::comparison::visit_tests;
use super::glob_as_text::shortened;
use super::sources::constant_text;
use super::{FindingSink, Lint, SourceTexts, as_pattern};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{
    CommandTest, ConditionExpr, DerivedField, Effect, Rewrite, RewriteTarget, RewriteValue, Rule, Template,
    TemplatePart, ValueReference,
};
use crate::span::Span;
use crate::syntax::string_literal;
use hookrules_shell::Edit;

pub(super) const LINT: Lint = Lint { codes: &[Code::COMMAND_AS_TEXT], check };

/// Reports rewrites of a command's text: to a constant text, by words around `{command}`, and by a regex.
fn check(_: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    for (effect, span) in rule.effects.iter().zip(rule.effect_spans.iter()) {
        let (message, label, edit) = match effect {
            Effect::Rewrite(Rewrite::Set(RewriteTarget::Command, RewriteValue::Text(text))) => {
                let patterns = command_patterns(rule);
                if let Some((before, after)) = text_around_command(text) {
                    findings.extend(added_words_finding(&patterns, before, after, *span));
                    continue;
                }
                let Some(text) = constant_text(text) else { continue };
                // Without a pattern of commands in the condition, the author compares the whole text, and may well
                // replace it.
                let Some(first) = patterns.first() else { continue };
                let edit = (patterns.len() == 1).then(|| (first.clone(), text));
                let message = shortened("the whole command becomes `", text, "`");
                (message, "its other words and commands are thrown away", edit)
            }
            Effect::Rewrite(Rewrite::Replace(RewriteTarget::Command, regex, text)) => {
                let Some(text) = constant_text(text) else { continue };
                let Some(from) = as_pattern::command_pattern(regex.pattern()) else { continue };
                let message = shortened("every `", &from, "` in the text of a command is replaced");
                (message, "in quoted texts and in names that have it in them, too", Some((from, text.trim())))
            }
            _ => continue,
        };
        let edit = edit.filter(|(from, to)| Edit::new(from, to).is_ok());
        let help = match edit {
            Some((from, to)) => format!(
                "write `rewrite runs {} to {}`: it edits the command, and the rest stays as it is",
                string_literal(&from, ""),
                string_literal(to, "")
            ),
            None => "write `rewrite runs \"…\" to \"…\"`: it edits the command, and the rest stays as it is".to_owned(),
        };
        findings.push(Diagnostic::new(Code::COMMAND_AS_TEXT, message).label(*span, label).help(help));
    }
}

/// Returns the texts before and after `{command}` in a rewrite such as `"timeout 600 {command}"`; `None` if the text
/// does not contain the command exactly once.
fn text_around_command(text: &Template) -> Option<(&str, &str)> {
    let is_command = |source: &ValueReference| match source {
        ValueReference::Derived(DerivedField::Command) => true,
        ValueReference::Raw { path, .. } => path.iter().map(String::as_str).eq(["tool_input", "command"]),
        _ => false,
    };
    match text.parts.as_slice() {
        [TemplatePart::Value(source), TemplatePart::Text(after)] if is_command(source) => Some(("", after)),
        [TemplatePart::Text(before), TemplatePart::Value(source)] if is_command(source) => Some((before, "")),
        [TemplatePart::Text(before), TemplatePart::Value(source), TemplatePart::Text(after)] if is_command(source) => {
            Some((before, after))
        }
        _ => None,
    }
}

/// Returns the finding about words that are added to the text of a command: if the text has several commands, they
/// affect only the first or the last one.
fn added_words_finding(patterns: &[String], before: &str, after: &str, span: Span) -> Option<Diagnostic> {
    let is_words = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" -_./=:,+".contains(&byte));
    // A text with other characters, such as `; make`, adds commands and not words.
    if !is_words(before) || !is_words(after) {
        return None;
    }
    let (added, affected_command) = match after.trim() {
        "" => (before.trim(), "first"),
        added => (added, "last"),
    };
    let pattern = patterns.first().filter(|pattern| patterns.len() == 1 && !pattern.contains(['*', '|', '!']));
    let edit = pattern.map(|from| {
        let to =
            [before.trim(), from, after.trim()].iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>();
        (from, to.join(" "))
    });
    let edit = edit.filter(|(from, to)| Edit::new(from, to).is_ok());
    let help = match edit {
        Some((from, to)) => {
            format!(
                "write `rewrite runs {} to {}`, which edits that command",
                string_literal(from, ""),
                string_literal(&to, "")
            )
        }
        None => "write `rewrite runs \"…\" to \"…\"`, which edits each command that is meant".to_owned(),
    };
    Some(
        Diagnostic::new(Code::COMMAND_AS_TEXT, shortened("`", added, "` is added to the text of the command"))
            .label(span, format!("of several commands it becomes a part of the {affected_command} one"))
            .help(help),
    )
}

/// Returns the patterns of the commands for which a rule matches, without exceptions.
fn command_patterns(rule: &Rule) -> Vec<String> {
    let mut patterns: Vec<String> = Vec::new();
    visit_tests(rule, &mut |seen| {
        if let ConditionExpr::Command(CommandTest::Runs { patterns: list, .. }) = &seen.test.kind
            && !seen.is_exception
        {
            patterns.extend(list.iter().map(|pattern| pattern.text().to_owned()));
        }
    });
    patterns
}
