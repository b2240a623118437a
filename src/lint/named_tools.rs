//! Finds guards on files that can be evaded: by tools that they do not name, or by an access that they do not test.

use super::calls::{SelectedCall, selected_tools, selector_without};
use super::comparison::{MatchEffect, RuleTest, visit_tests};
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{ConditionExpr, DerivedField, Rule, ValueReference, ValueTest};
use crate::schema::Event;
use crate::syntax::ast::FileVerb;

pub(super) const LINT: Lint = Lint { codes: &[Code::OTHER_WAY_TO_FILE], check };

/// Reports a denial on PreToolUse that tests only the path of named tools, or only writing and not deleting.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    if !rule.can_deny || !rule.head.events.iter().all(|selector| selector.event == Event::PreToolUse) {
        return;
    }
    let mut path_test: Option<RuleTest<'_>> = None;
    let mut writing_test: Option<RuleTest<'_>> = None;
    let (mut has_content, mut has_other_test, mut deletes) = (false, false, false);
    visit_tests(rule, &mut |seen| match &seen.test.kind {
        ConditionExpr::Compare { source: ValueReference::Derived(DerivedField::Path), all: false, test, .. }
            if seen.match_effect(rule) == Some(MatchEffect::Stops) && can_name_files(test) =>
        {
            path_test = path_test.or(Some(seen));
        }
        ConditionExpr::Touches { verb: FileVerb::Writes, .. }
        | ConditionExpr::TouchesFilled { verb: FileVerb::Writes, .. }
            if !seen.is_exception && seen.filtered_patterns.is_none() =>
        {
            writing_test = writing_test.or(Some(seen));
        }
        kind if kind.file_verb() == Some(FileVerb::Deletes) => deletes = true,
        ConditionExpr::Compare { source: ValueReference::Derived(DerivedField::Content), .. } if !seen.is_exception => {
            has_content = true
        }
        // Any other test suggests that only one particular tool is meant.
        _ => has_other_test = true,
    });
    if has_other_test {
        return;
    }
    if let Some(seen) = path_test {
        findings.extend(if has_content {
            content_gap_finding(written, rule, seen)
        } else {
            command_gap_finding(written, rule, seen)
        });
    } else if let Some(seen) = writing_test.filter(|_| !deletes && !has_content) {
        let test = written.text(seen.test.span);
        let help = match test.strip_prefix("writes ").filter(|test| !test.contains('\n') && test.len() < 40) {
            Some(test) => format!("add `or deletes {test}`, if it must not be removed either"),
            None => "add `deletes` with the same files, if they must not be removed either".to_owned(),
        };
        findings.push(
            Diagnostic::new(Code::OTHER_WAY_TO_FILE, format!("`{}` lets its files be deleted", rule.name))
                .label(seen.test.span, "a file that is removed, or moved away, is not written")
                .help(help),
        );
    }
}

/// Whether a test of a path describes files by a glob, a directory or names.
fn can_name_files(test: &ValueTest) -> bool {
    matches!(
        test,
        ValueTest::LikePath(_) | ValueTest::Under(_) | ValueTest::Outside(_) | ValueTest::Equal(_) | ValueTest::In(_)
    )
}

/// Returns how all tools of a rule access the file that they name. `None` if the tools are unknown, access it in
/// different ways, or run commands.
fn common_verb(rule: &Rule) -> Option<FileVerb> {
    let calls: Vec<SelectedCall> = selected_tools(rule)?
        .into_iter()
        .map(|tool| SelectedCall { event: Event::PreToolUse, tool: Some(tool) })
        .collect();
    let touch = |verb| !calls.is_empty() && calls.iter().all(|call| !call.can_run_commands() && call.can_touch(verb));
    [FileVerb::Writes, FileVerb::Reads].into_iter().find(|verb| touch(*verb))
}

/// Returns a test of a path without its operand, such as `under "src"`. `None` if it is long, or if a test of files
/// cannot have the same form.
fn path_test_without_operand<'w>(written: &SourceTexts<'w>, seen: RuleTest<'_>) -> Option<&'w str> {
    let is_of_files = matches!(
        &seen.test.kind,
        ConditionExpr::Compare {
            test: ValueTest::LikePath(_) | ValueTest::Under(_) | ValueTest::Outside(_),
            negated: false,
            ..
        }
    );
    let test =
        written.comparison(seen.test).filter(|_| is_of_files).map(|it| written.text(it.operator_and_value_span()));
    test.filter(|test| test.len() < 40 && !test.contains('\n'))
}

/// Returns the finding about a guard on the path of some tools: a command can access the same file.
fn command_gap_finding(written: &SourceTexts<'_>, rule: &Rule, seen: RuleTest<'_>) -> Option<Diagnostic> {
    let verb = common_verb(rule)?;
    let (word, other) = match verb {
        FileVerb::Reads => (verb.keyword(), "cat"),
        _ => (verb.keyword(), "tee"),
    };
    let finding =
        Diagnostic::new(Code::OTHER_WAY_TO_FILE, format!("`{}` does not see the files of commands", rule.name))
            .label(seen.test.span, format!("`{other} FILE` does the same, and passes this"));
    Some(finding.help(match path_test_without_operand(written, seen) {
        Some(test) => format!("write `on PreToolUse` and `when {word} {test}`, if the file is meant and not the tool"),
        None => format!("write `on PreToolUse` and `{word} like …`, if the file is meant and not the tool"),
    }))
}

/// Returns the finding about a guard on the text that some tools write: a command that writes a file has no
/// `content`.
fn content_gap_finding(written: &SourceTexts<'_>, rule: &Rule, seen: RuleTest<'_>) -> Option<Diagnostic> {
    common_verb(rule).filter(|verb| *verb == FileVerb::Writes)?;
    let test = path_test_without_operand(written, seen).unwrap_or("like …");
    let others = selector_without(&selected_tools(rule)?);
    Some(
        Diagnostic::new(Code::OTHER_WAY_TO_FILE, format!("`{}` does not see what commands write", rule.name))
            .label(seen.test.span, "`tee FILE` writes as well, and passes this")
            .help(format!(
                "leave these files to the tools, by a second rule: `on PreToolUse({others})` and `when writes {test}`"
            )),
    )
}
