//! Several texts joined with `|`, and a regex in quotes, neither of which a text comparison understands:
//! `prompt contains "deploy|release"`, `prompt contains "^deploy"`.

use super::comparison::each_test;
use super::glob_as_text::shortened;
use super::sources::texts_in;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Condition, Derived, FactName, Kind, Rule, Source, Test, WhereField};
use crate::syntax::one_or_list;

pub(super) const LINT: Lint = Lint { codes: &[Code::GLOB_AS_TEXT], check };

fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    each_test(rule, &mut |seen| {
        let Kind::Compare { source, test, .. } = &seen.test.kind else { return };
        if has_no_bar(source) {
            let several = with_bar(test).and_then(|text| finding(written, seen.test, test, text));
            findings.extend(several.or_else(|| of_regex(written, seen.test, test)));
        }
    });
}

/// Whether values never contain `|`: names of branches, agents and programs, and prompts.
fn has_no_bar(source: &Source) -> bool {
    use WhereField::{PipedFrom, PipedTo, Program, PushTarget, Variables, Via};
    match source {
        Source::Where(PipedFrom | PipedTo | Program | PushTarget | Variables | Via)
        | Source::Fact(FactName::GitBranch) => true,
        Source::Derived(derived) => matches!(derived, Derived::Agent | Derived::AgentType | Derived::Domain),
        Source::Raw { path, .. } => path.iter().map(String::as_str).eq(["prompt"]),
        _ => false,
    }
}

/// Returns the first text of a test that consists of words joined with `|`.
fn with_bar(test: &Test) -> Option<&str> {
    let is_word = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./* ".contains(&byte))
    };
    texts_in(test).into_iter().find(|text| text.contains('|') && text.split('|').all(is_word))
}

fn finding(written: &SourceTexts<'_>, at: &Condition, test: &Test, text: &str) -> Option<Diagnostic> {
    let comparison = written.comparison(at)?;
    let parts: Vec<String> = text.split('|').map(|part| part.trim().to_owned()).collect();
    let is_alone = comparison.texts.as_ref().is_some_and(|texts| texts.len() == 1);
    let not = comparison.not();
    let instead = match test {
        Test::Equal(_) => format!("{not}in {}", one_or_list(&parts)),
        Test::LikeText(_) => format!("{not}like {}", one_or_list(&parts)),
        Test::Contains(_) => format!("{not}matches /{}/", pattern(&parts)),
        Test::StartsWith(_) => format!("{not}matches /^({})/", pattern(&parts)),
        Test::EndsWith(_) => format!("{not}matches /({})$/", pattern(&parts)),
        _ => format!("{not}in {}", one_or_list(&parts)),
    };
    let finding = Diagnostic::new(Code::GLOB_AS_TEXT, shortened("`", text, "` is one text here"))
        .label(comparison.place_of(text).unwrap_or(at.span), "`|` parts nothing: it is compared as it stands")
        .help(format!("write `{} {instead}`", comparison.operand));
    Some(if is_alone { finding.fix_that_changes(comparison.behind_operand(), instead) } else { finding })
}

/// Reports a regex in quotes.
fn of_regex(written: &SourceTexts<'_>, at: &Condition, test: &Test) -> Option<Diagnostic> {
    let (start, end) = match test {
        Test::Equal(_) => ("^", "$"),
        Test::StartsWith(_) => ("^", ""),
        Test::EndsWith(_) => ("", "$"),
        Test::Contains(_) => ("", ""),
        _ => return None,
    };
    let text = texts_in(test).into_iter().find(|text| is_regex(text))?;
    let comparison = written.comparison(at)?;
    let place = comparison.place_of(text)?;
    let inner = text.trim_start_matches('^').trim_end_matches('$');
    let (start, end) = (if text.starts_with('^') { "^" } else { start }, if text.ends_with('$') { "$" } else { end });
    let regex = format!("/{start}{}{end}/", inner.replace('/', "\\/"));
    let instead = format!("{}matches {regex}", comparison.not());
    let finding = Diagnostic::new(Code::GLOB_AS_TEXT, shortened("`", text, "` is compared letter by letter"))
        .label(place, "a regex stands between slashes: in quotes its signs are letters")
        .help(format!("write `{} {instead}`", comparison.operand));
    Some(finding.fix_that_changes(comparison.behind_operand(), instead))
}

/// Whether a text has a notation that only regexes have: nobody writes `^deploy` or `.*` as text.
fn is_regex(text: &str) -> bool {
    let is_anchored = |name: &str| name.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '(' | '[' | '\\'));
    let is_meant = text.strip_prefix('^').is_some_and(is_anchored)
        || ["\\b", "\\d", "\\s", "\\w", ".*", ".+"].iter().any(|sign| text.contains(sign));
    is_meant && regex_syntax::parse(text).is_ok()
}

/// Returns a regex that matches any of some texts.
fn pattern(parts: &[String]) -> String {
    let escaped = parts.iter().map(|part| part.replace('.', "\\.").replace('/', "\\/").replace('*', ".*"));
    escaped.collect::<Vec<_>>().join("|")
}
