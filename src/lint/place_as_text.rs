//! A place keyword of the language in quotes, which makes it the name of a directory: `writes outside "project"`.

use super::comparison::each_test;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Dir, Kind, Rule, Test, TouchTest};

pub(super) const LINT: Lint = Lint { codes: &[Code::PLACE_AS_TEXT], check };

fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    each_test(rule, &mut |seen| {
        let (dirs, is_outside) = match &seen.test.kind {
            Kind::Compare { test: Test::Under(dirs), .. } | Kind::Touches { test: TouchTest::Under(dirs), .. } => {
                (dirs, false)
            }
            Kind::Compare { test: Test::Outside(dirs), .. } | Kind::Touches { test: TouchTest::Outside(dirs), .. } => {
                (dirs, true)
            }
            _ => return,
        };
        for dir in dirs.iter() {
            let Dir::Literal(path) = dir else { continue };
            // Projects have directories with these names, but nobody keeps everything within a `tmp` of the project.
            let name = match path.to_str() {
                Some(name @ ("project" | "home")) => name,
                Some("tmp") if is_outside => "tmp",
                _ => continue,
            };
            let place = written.comparison(seen.test).and_then(|it| it.place_of(name));
            let finding = Diagnostic::new(Code::PLACE_AS_TEXT, format!("`\"{name}\"` is a directory of the project"))
                .label(place.unwrap_or(seen.test.span), "in quotes it is a name, not the place")
                .help(format!("write `{name}` without quotes, or `\"{name}/\"` for the directory"));
            findings.push(match place {
                Some(place) => finding.fix_that_changes(place, name),
                None => finding,
            });
        }
    });
}
