//! Finds the keywords `project`, `home` and `tmp` in quotes, where they name directories in the project: `writes
//! outside "project"`.

use super::comparison::visit_tests;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{ConditionExpr, DirOperand, Rule, TouchTest, ValueTest};

pub(super) const LINT: Lint = Lint { codes: &[Code::PLACE_AS_TEXT], check };

/// Reports quoted keywords after `under` and `outside`.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    visit_tests(rule, &mut |seen| {
        let (dirs, is_outside) = match &seen.test.kind {
            ConditionExpr::Compare { test: ValueTest::Under(dirs), .. }
            | ConditionExpr::Touches { test: TouchTest::Under(dirs), .. } => (dirs, false),
            ConditionExpr::Compare { test: ValueTest::Outside(dirs), .. }
            | ConditionExpr::Touches { test: TouchTest::Outside(dirs), .. } => (dirs, true),
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
