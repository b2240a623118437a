//! Exceptions of a `use` for some files of a rule whose files are a list: the list itself has its exceptions.

use super::exceptions::RuleConditions;
use crate::compile::names::{LayerNames, NameDefinition};
use crate::diagnostic::{Code, Diagnostic};
use crate::span::Span;
use crate::syntax::ast::{AstCondition, ConditionKind, Name, Operator, ValueKind};
use crate::syntax::string_literal;

/// A rule to which a `use` makes an exception.
#[derive(Clone, Copy)]
pub(in crate::compile) struct ExceptedRule<'a> {
    /// Its name, where the rule is.
    pub(in crate::compile) name: &'a Name,
    /// The `let` with the files of the rule, if a `with` can change it.
    pub(in crate::compile) files: Option<&'a str>,
}

/// Returns the name of the `let` whose globs the files of a condition are compared with.
pub(in crate::compile) fn let_of_files<'a>(
    names: &LayerNames<'a>,
    file: usize,
    condition: &'a AstCondition,
) -> Option<&'a str> {
    let list = match &condition.kind {
        ConditionKind::And(parts) | ConditionKind::Or(parts) => {
            return parts.iter().find_map(|part| let_of_files(names, file, part));
        }
        ConditionKind::Touches(touches) if touches.operator == Operator::Like => &touches.value,
        ConditionKind::Compare(compare)
            if compare.operator == Operator::Like && super::operand_text(&compare.operand) == "path" =>
        {
            &compare.value
        }
        _ => return None,
    };
    let ValueKind::Name(name) = &list.kind else { return None };
    let name = &name.as_single_name()?.text;
    matches!(names.definition(file, name), Some(NameDefinition::Let(_))).then_some(name.as_str())
}

/// Returns the finding about an exception for some files of a rule whose files are a list; `None` if the rule has no
/// such list, or finds its files by a command, which an exception can be about.
pub(super) fn excepted_files(
    condition: &AstCondition,
    rule: ExceptedRule<'_>,
    conditions: &RuleConditions,
) -> Option<Diagnostic> {
    let list = rule.files?;
    if conditions.when.as_ref().is_some_and(super::exceptions::has_one_command) {
        return None;
    }
    let (span, globs) = files_of(condition)?;
    let shown: Vec<String> = globs.iter().map(|glob| string_literal(&format!("!{glob}"), "")).collect();
    let shown = match shown.is_empty() || shown.len() > 3 {
        true => "\"!…\"".to_owned(),
        false => shown.join(", "),
    };
    Some(
        Diagnostic::new(Code::BAD_USE, format!("an exception for files of the list `{list}`"))
            .label(span, "the list itself has its exceptions")
            .label(rule.name.span, "the rule")
            .help(format!("write `with {{ {list}: [...{list}, {shown}] }}` in place of the exception")),
    )
}

/// Returns the first test of files in an exception, with its globs as far as they are literal.
fn files_of(condition: &AstCondition) -> Option<(Span, Vec<String>)> {
    match &condition.kind {
        ConditionKind::And(parts) | ConditionKind::Or(parts) => parts.iter().find_map(files_of),
        ConditionKind::Not(inner) => files_of(inner).map(|(span, _)| (span, Vec::new())),
        ConditionKind::Touches(touches) => Some((condition.span, globs(touches.operator, touches.value.texts()))),
        ConditionKind::Compare(compare) => {
            let is_path = super::operand_text(&compare.operand) == "path";
            is_path.then(|| (condition.span, globs(compare.operator, compare.value.texts())))
        }
        _ => None,
    }
}

/// Returns the globs of a test of files; none if it has other values.
fn globs(operator: Operator, texts: Option<Vec<&str>>) -> Vec<String> {
    let texts = texts.unwrap_or_default().into_iter().filter(|text| !text.starts_with('!'));
    match operator {
        Operator::Like | Operator::Equal | Operator::In => texts.map(str::to_owned).collect(),
        Operator::Under => texts.map(|text| format!("{}/**", text.trim_end_matches('/'))).collect(),
        _ => Vec::new(),
    }
}
