//! Finds several texts joined with `|`, or a regex in quotes, with an operator that compares them literally: `prompt
//! contains "deploy|release"`, `prompt contains "^deploy"`.

use super::comparison::visit_tests;
use super::glob_as_text::shortened;
use super::sources::compared_texts;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Condition, ConditionExpr, DerivedField, FactName, Rule, ValueReference, ValueTest, WhereField};
use crate::schema::is_tool_name;
use crate::syntax::format_one_or_list;

pub(super) const LINT: Lint = Lint { codes: &[Code::GLOB_AS_TEXT], check };

/// Reports joined texts and quoted regexes in comparisons of values that never contain `|`.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    visit_tests(rule, &mut |seen| {
        let ConditionExpr::Compare { source, test, .. } = &seen.test.kind else { return };
        if never_has_bar(source) {
            let is_tool = matches!(source, ValueReference::Derived(DerivedField::ToolName));
            let joined = text_with_bar(test)
                .or_else(|| compared_texts(test).into_iter().find(|text| is_tool && names_of_tools(text).is_some()));
            let joined = joined.or_else(|| text_with_comma(source, test));
            let several = joined.and_then(|text| finding(written, seen.test, test, text));
            findings.extend(several.or_else(|| quoted_regex_finding(written, seen.test, test)));
        } else if matches!(source, ValueReference::Where(WhereField::Option(_))) {
            findings.extend(quoted_regex_finding(written, seen.test, test));
        }
    });
}

/// Whether the values of a source never contain `|`: names of branches, agents and programs, hosts, and prompts.
fn never_has_bar(source: &ValueReference) -> bool {
    use WhereField::{PipedFrom, PipedTo, Program, PushTarget, Variables, Via};
    match source {
        ValueReference::Where(PipedFrom | PipedTo | Program | PushTarget | Variables | Via)
        | ValueReference::Fact(FactName::GitBranch) => true,
        ValueReference::Derived(derived) => {
            use DerivedField::{Agent, AgentType, Domain, Event, Host, ToolName};
            matches!(derived, Agent | AgentType | Domain | Event | Host | ToolName)
        }
        ValueReference::Raw { path, .. } => path.iter().map(String::as_str).eq(["prompt"]),
        _ => false,
    }
}

/// Returns the first text of a test that consists of words joined with `|`, perhaps in parentheses.
fn text_with_bar(test: &ValueTest) -> Option<&str> {
    let is_word = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./* ".contains(&byte))
    };
    compared_texts(test)
        .into_iter()
        .find(|text| text.contains('|') && without_parentheses(text).split('|').all(is_word))
}

/// Returns the first text of a test that consists of words joined with a comma and a space, for a name that has no
/// spaces.
fn text_with_comma<'t>(source: &ValueReference, test: &'t ValueTest) -> Option<&'t str> {
    let is_prose = matches!(source, ValueReference::Raw { .. });
    let is_word = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./*".contains(&byte))
    };
    let is_list = |text: &&str| text.contains(", ") && text.split(", ").all(is_word);
    compared_texts(test).into_iter().find(is_list).filter(|_| !is_prose)
}

/// Returns a text without the parentheses around it.
fn without_parentheses(text: &str) -> &str {
    text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(text)
}

/// Returns the names of several tools in one text, which a comma, a space, `or` or `and` separates; `None` for any
/// other text.
pub(super) fn names_of_tools(text: &str) -> Option<Vec<String>> {
    let words = without_parentheses(text).split([',', ' ']).filter(|word| !matches!(*word, "" | "or" | "and"));
    let names: Vec<String> = words.map(str::to_owned).collect();
    (names.len() > 1 && names.iter().all(|name| is_tool_name(name))).then_some(names)
}

/// Returns the finding about words joined with `|`, with a list or a regex to write instead.
fn finding(written: &SourceTexts<'_>, condition: &Condition, test: &ValueTest, text: &str) -> Option<Diagnostic> {
    let comparison = written.comparison(condition)?;
    let by_bar = || {
        let separator = if text.contains('|') { '|' } else { ',' };
        without_parentheses(text).split(separator).map(|part| part.trim().to_owned()).collect()
    };
    let parts: Vec<String> = names_of_tools(text).unwrap_or_else(by_bar);
    let is_alone = comparison.texts.as_ref().is_some_and(|texts| texts.len() == 1);
    let negation = comparison.negation_prefix();
    let instead = match test {
        ValueTest::Equal(_) => format!("{negation}in {}", format_one_or_list(&parts)),
        ValueTest::LikeText(_) => format!("{negation}like {}", format_one_or_list(&parts)),
        ValueTest::Contains(_) => format!("{negation}matches /{}/", any_of_regex(&parts)),
        ValueTest::StartsWith(_) => format!("{negation}matches /^({})/", any_of_regex(&parts)),
        ValueTest::EndsWith(_) => format!("{negation}matches /({})$/", any_of_regex(&parts)),
        _ => format!("{negation}in {}", format_one_or_list(&parts)),
    };
    let finding = Diagnostic::new(Code::GLOB_AS_TEXT, shortened("`", text, "` is one text here"))
        .label(
            comparison.text_span(text).unwrap_or(condition.span),
            match text.contains('|') {
                true => "`|` parts nothing: it is compared as it stands",
                false if names_of_tools(text).is_none() => "a comma parts nothing: it is compared as it stands",
                false => "no tool has this name: it is compared as it stands",
            },
        )
        .help(match comparison.texts {
            // The text is an element of a list, or the value of a `let`.
            None => format!("write the parts as elements of a list: `{}`", format_one_or_list(&parts)),
            Some(_) if !is_alone => format!("write them as elements: `{}`", format_one_or_list(&parts)),
            Some(_) => format!("write `{} {instead}`", comparison.operand),
        });
    Some(if is_alone { finding.fix_that_changes(comparison.operator_and_value_span(), instead) } else { finding })
}

/// Returns the finding about a regex in quotes.
fn quoted_regex_finding(written: &SourceTexts<'_>, condition: &Condition, test: &ValueTest) -> Option<Diagnostic> {
    let (start, end) = match test {
        ValueTest::Equal(_) => ("^", "$"),
        ValueTest::StartsWith(_) => ("^", ""),
        ValueTest::EndsWith(_) => ("", "$"),
        ValueTest::Contains(_) | ValueTest::LikeText(_) => ("", ""),
        _ => return None,
    };
    // In a glob, `.*` is a dot and a wildcard.
    let is_glob = matches!(test, ValueTest::LikeText(_));
    let text = compared_texts(test).into_iter().find(|text| is_regex(text) && (!is_glob || text.starts_with('^')))?;
    let comparison = written.comparison(condition)?;
    let literal_span = comparison.text_span(text)?;
    let inner = text.trim_start_matches('^').trim_end_matches('$');
    let (start, end) = (if text.starts_with('^') { "^" } else { start }, if text.ends_with('$') { "$" } else { end });
    let regex = format!("/{start}{}{end}/", inner.replace('/', "\\/"));
    let instead = format!("{}matches {regex}", comparison.negation_prefix());
    let finding = Diagnostic::new(Code::GLOB_AS_TEXT, shortened("`", text, "` is compared letter by letter"))
        .label(literal_span, "a regex stands between slashes: in quotes its signs are letters")
        .help(format!("write `{} {instead}`", comparison.operand));
    Some(finding.fix_that_changes(comparison.operator_and_value_span(), instead))
}

/// Whether a text contains syntax that only regexes have: `^deploy`, `.*`, `\d`.
fn is_regex(text: &str) -> bool {
    let is_anchored = |name: &str| name.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '(' | '[' | '\\'));
    let has_regex_syntax = text.strip_prefix('^').is_some_and(is_anchored)
        || ["\\b", "\\d", "\\s", "\\w", ".*", ".+"].iter().any(|sign| text.contains(sign));
    has_regex_syntax && regex_syntax::parse(text).is_ok()
}

/// Returns a regex that matches any of these texts, in which `*` is a wildcard.
fn any_of_regex(parts: &[String]) -> String {
    let escaped = parts.iter().map(|part| part.replace('.', "\\.").replace('/', "\\/").replace('*', ".*"));
    escaped.collect::<Vec<_>>().join("|")
}
