//! Finds the keywords `project`, `home` and `tmp` in quotes, where they name directories in the project: `writes
//! outside "project"`.

use super::comparison::visit_tests;
use super::glob_as_text::shortened;
use super::project_globs::PROJECT_DIRECTORIES;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Condition, ConditionExpr, DirOperand, Rule, TouchTest, ValueTest};
use crate::syntax::string_literal;

pub(super) const LINT: Lint = Lint { codes: &[Code::PLACE_AS_TEXT], check };

/// Reports quoted keywords after `under` and `outside`.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    visit_tests(rule, &mut |seen| {
        let (dirs, is_outside) = match &seen.test.kind {
            ConditionExpr::Compare { test: ValueTest::Under(dirs), .. }
            | ConditionExpr::Touches { test: TouchTest::Under(dirs), .. } => (dirs, false),
            ConditionExpr::Compare { test: ValueTest::Outside(dirs), .. }
            | ConditionExpr::Touches { test: TouchTest::Outside(dirs), .. } => (dirs, true),
            ConditionExpr::Compare { test: ValueTest::LikePath(globs), .. }
            | ConditionExpr::Touches { test: TouchTest::Like(globs), .. } => {
                return findings.extend(globs.patterns().filter_map(|glob| glob_finding(written, seen.test, glob)));
            }
            _ => return,
        };
        for dir in dirs.iter() {
            let DirOperand::Literal(path) = dir else { continue };
            // A project may well have a directory `tmp`, but nobody keeps all of its files in it: `tmp` counts only
            // after `outside`.
            let name = match path.to_str() {
                Some(name @ ("project" | "home")) => name,
                Some("tmp") if is_outside => "tmp",
                _ => continue,
            };
            let literal_span = written.comparison(seen.test).and_then(|it| it.text_span(name));
            let finding = Diagnostic::new(Code::PLACE_AS_TEXT, format!("`\"{name}\"` is a directory of the project"))
                .label(literal_span.unwrap_or(seen.test.span), "in quotes it is a name, not the place")
                .help(format!("write `{name}` without quotes, or `\"{name}/\"` for the directory"));
            findings.push(match literal_span {
                Some(literal_span) => finding.fix_that_changes(literal_span, name),
                None => finding,
            });
        }
    });
}

/// Returns the finding about the project's directory in a glob, `project/src/**`: a glob begins there anyway. A directory
/// that projects usually have must follow, because some projects have one named `project`.
fn glob_finding(written: &SourceTexts<'_>, test: &Condition, glob: &str) -> Option<Diagnostic> {
    let (exclusion, plain) = glob.strip_prefix('!').map_or(("", glob), |plain| ("!", plain));
    let rest = plain.strip_prefix("project/")?;
    let first = rest.split('/').next().filter(|first| PROJECT_DIRECTORIES.contains(first))?;
    let literal_span = written.comparison(test).and_then(|it| it.text_span(glob));
    let right = string_literal(&format!("{exclusion}{rest}"), "");
    let finding = Diagnostic::new(Code::PLACE_AS_TEXT, shortened("`", plain, "` is about a directory `project`"))
        .label(literal_span.unwrap_or(test.span), format!("a glob begins in the project: `{first}` is in it"))
        .help(format!("write `{right}`"));
    Some(match literal_span {
        Some(literal_span) => finding.fix_that_changes(literal_span, right),
        None => finding,
    })
}
