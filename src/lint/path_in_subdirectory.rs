//! Finds relative paths that name nothing in the directory of their policy, but something in a directory below it: they
//! are probably meant to be relative to where a session starts.

use std::path::Path;

use super::comparison::visit_tests;
use super::findings::{LintFinding, each_rule};
use super::{FindingSink, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::policy::{Policy, PolicyLayer};
use crate::ruleset::{Condition, ConditionExpr, DirOperand, Rule, TouchTest, ValueTest};
use crate::syntax::string_literal;

/// Returns the findings about relative paths that begin with the name of a file or directory in a subdirectory.
///
/// `subdirectory_with` returns the name of a subdirectory that contains this name, if the directory itself does not;
/// else `None`.
#[must_use]
pub fn path_in_subdirectory_findings<'p>(
    policy: &'p Policy,
    subdirectory_with: &dyn Fn(&Path, &str) -> Option<String>,
) -> Vec<LintFinding<'p>> {
    let written = SourceTexts::new(&policy.sources);
    let of_layer = |layer: &'p PolicyLayer| {
        each_rule(&layer.rules, |rule, findings| {
            let directory = layer.directories.iter().find(|directory| directory.base == rule.base);
            let directory = directory.and_then(|directory| directory.path.as_deref());
            // A pack names paths that projects often have, not those of this one.
            if let Some(directory) = directory.filter(|_| !rule.name.contains('/')) {
                check_rule(&written, rule, &|name| subdirectory_with(directory, name), findings);
            }
        })
    };
    policy.layers.iter().filter(|layer| layer.kind.is_of_project()).flat_map(of_layer).collect()
}

fn check_rule(
    written: &SourceTexts<'_>,
    rule: &Rule,
    subdirectory_with: &dyn Fn(&str) -> Option<String>,
    findings: &mut FindingSink,
) {
    visit_tests(rule, &mut |seen| {
        let mut check = |path: &str| {
            let below = first_name(path).and_then(|name| Some((name, subdirectory_with(name)?)));
            findings.extend(below.map(|(name, below)| finding(written, seen.test, (path, name), &below)));
        };
        match &seen.test.kind {
            ConditionExpr::Compare { test: ValueTest::LikePath(globs), .. }
            | ConditionExpr::Touches { test: TouchTest::Like(globs), .. } => globs.patterns().for_each(check),
            ConditionExpr::Compare { test: ValueTest::Under(dirs) | ValueTest::Outside(dirs), .. }
            | ConditionExpr::Touches { test: TouchTest::Under(dirs) | TouchTest::Outside(dirs), .. } => {
                for dir in dirs.iter() {
                    if let DirOperand::Literal(path) = dir {
                        path.to_str().into_iter().for_each(&mut check);
                    }
                }
            }
            _ => {}
        }
    });
}

/// Returns the first name of a relative path or glob. `None` if it contains wildcards, or is not a name in the project,
/// such as the `..` with which a path of a policy further up begins.
fn first_name(path: &str) -> Option<&str> {
    let (first, rest) = path.split_once('/')?;
    let is_name = !first.is_empty() && !first.starts_with(['~', '!', '$', '.']);
    (is_name && !rest.is_empty() && !first.contains(['*', '?', '[', '{', '\\'])).then_some(first)
}

fn finding(written: &SourceTexts<'_>, test: &Condition, (path, name): (&str, &str), below: &str) -> Diagnostic {
    let literal_span = written.comparison(test).and_then(|it| it.text_span(path));
    let (path_below, path_at_any_depth) =
        (string_literal(&format!("{below}/{path}"), ""), string_literal(&format!("**/{path}"), ""));
    Diagnostic::new(Code::PATH_IN_SUBDIRECTORY, format!("there is no `{name}` in the directory of this policy"))
        .label(literal_span.unwrap_or(test.span), format!("`{below}/{name}` exists, and is not meant by this"))
        .help(format!(
            "a path is relative to the directory that holds the `.rules`, wherever a session starts: write `{path_below}`, or \
             `{path_at_any_depth}` for every directory"
        ))
}
