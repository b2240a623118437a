//! Finds regexes that a plain comparison should replace.

use regex_syntax::hir::{Hir, HirKind, Look};

use crate::diagnostic::{Code, Diagnostic};
use crate::lint::command_text::is_command;
use crate::lint::comparison::{MatchEffect, RuleTest, SourceTexts};
use crate::ruleset::{DerivedField, FactName, ValueReference, WhereField};
use crate::schema::{OTHER_TOOLS, TOOLS};
use crate::syntax::{format_one_or_list, string_literal};

/// Names of branches that are often a part of the names of other branches.
const BRANCHES: &[&str] = &["main", "master", "develop", "dev", "trunk", "prod", "production", "release", "staging"];

/// Returns the finding about a regex on names of tools or branches that also matches parts of other names.
pub(super) fn unanchored_regex_finding(
    written: &SourceTexts<'_>,
    seen: RuleTest<'_>,
    source: &ValueReference,
    hir: &Hir,
    effect: Option<MatchEffect>,
) -> Option<Diagnostic> {
    let names = literal_alternatives(hir)?;
    let other_match = match source {
        ValueReference::Derived(DerivedField::ToolName) => {
            let tools = || TOOLS.iter().map(|tool| tool.name).chain(OTHER_TOOLS.iter().copied());
            let are_tools = names.iter().all(|name| tools().any(|tool| tool == name));
            // Whoever writes a server can choose the names of its tools.
            let is_exempt = effect == Some(MatchEffect::LetsThrough);
            let other = tools().find(|tool| names.iter().any(|name| tool != name && tool.contains(name.as_str())));
            match other.filter(|_| are_tools) {
                Some(other) => other.to_owned(),
                None if is_exempt && are_tools => format!("mcp__any__{}", names.first()?),
                None => return None,
            }
        }
        ValueReference::Fact(FactName::GitBranch) | ValueReference::Where(WhereField::PushTarget) => {
            let is_branch = |name: &String| BRANCHES.contains(&name.as_str());
            if !names.iter().all(is_branch) {
                return None;
            }
            format!("fix-{}", names.first()?)
        }
        _ => return None,
    };
    let finding = Diagnostic::new(Code::REGEX_UNANCHORED, format!("this regex matches `{other_match}` too"))
        .label(seen.test.span, "matches anywhere in the name");
    let Some(comparison) = written.comparison(seen.test).filter(|it| it.regex.is_some()) else {
        return Some(finding.help("write `in [...]`, or `^(…)$` around it"));
    };
    let list = match names.as_slice() {
        [only] => format!("== {}", string_literal(only, "")),
        several => format!("in {}", format_one_or_list(several)),
    };
    let list = match (comparison.negated, names.len()) {
        (true, 1) => list.replacen("==", "!=", 1),
        (true, _) => format!("not {list}"),
        (false, _) => list,
    };
    let help = format!("write `{} {list}`", comparison.operand);
    Some(finding.help(help).fix_that_changes(comparison.operator_and_value_span(), list))
}

/// Returns all texts that a regex matches; `None` unless it consists only of literals and alternatives.
fn literal_alternatives(hir: &Hir) -> Option<Vec<String>> {
    match hir.kind() {
        HirKind::Literal(text) => Some(vec![std::str::from_utf8(&text.0).ok()?.to_owned()]),
        HirKind::Capture(capture) => literal_alternatives(&capture.sub),
        HirKind::Alternation(parts) => {
            parts.iter().map(literal_alternatives).collect::<Option<Vec<_>>>().map(|texts| texts.concat())
        }
        // The regex parser may move common parts out of alternatives: `Edit|MultiEdit` becomes `(Multi)?Edit`.
        HirKind::Concat(parts) => {
            let mut texts = vec![String::new()];
            for part in parts {
                let more = literal_alternatives(part)?;
                if texts.len().saturating_mul(more.len()) > 64 {
                    return None;
                }
                texts = texts.iter().flat_map(|start| more.iter().map(move |end| format!("{start}{end}"))).collect();
            }
            Some(texts)
        }
        HirKind::Repetition(repetition) if repetition.min == 0 && repetition.max == Some(1) => {
            let mut texts = literal_alternatives(&repetition.sub)?;
            texts.push(String::new());
            Some(texts)
        }
        _ => None,
    }
}

/// Returns the finding about a regex that is a single text, possibly with `^` or `$`, for which there is an operator.
pub(super) fn plain_text_finding(
    written: &SourceTexts<'_>,
    seen: RuleTest<'_>,
    source: &ValueReference,
    hir: &Hir,
) -> Option<Diagnostic> {
    // Other operators compare paths, and words that are only partly known, differently from a regex.
    if seen.filtered_patterns.is_some() || source.is_path() || is_command(source) {
        return None;
    }
    let parts: Vec<&HirKind> = match hir.kind() {
        HirKind::Concat(parts) => parts.iter().map(Hir::kind).collect(),
        kind => vec![kind],
    };
    let (operator, text) = match parts.as_slice() {
        [HirKind::Literal(text)] => ("contains", text),
        [HirKind::Look(Look::Start), HirKind::Literal(text)] => ("starts_with", text),
        [HirKind::Literal(text), HirKind::Look(Look::End)] => ("ends_with", text),
        [HirKind::Look(Look::Start), HirKind::Literal(text), HirKind::Look(Look::End)] => ("==", text),
        _ => return None,
    };
    let text = string_literal(std::str::from_utf8(&text.0).ok()?, "");
    let comparison = written.comparison(seen.test).filter(|it| it.regex.is_some())?;
    let instead = match (comparison.negated, operator) {
        (true, "==") => format!("!= {text}"),
        (true, _) => format!("not {operator} {text}"),
        (false, _) => format!("{operator} {text}"),
    };
    let finding = Diagnostic::new(Code::REGEX_LITERAL, "a regex that is one text")
        .label(comparison.value, "there is nothing in it but this text")
        .help(format!("write `{} {instead}`", comparison.operand));
    Some(finding.fix(comparison.operator_and_value_span(), instead))
}
