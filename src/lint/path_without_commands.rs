//! A guard on `path` for every tool: a command has no `path`, but accesses the file all the same.

use super::calls::{Call, Calls};
use super::comparison::{Aim, RuleTest, each_test};
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Derived, EventSelector, Kind, Rule, Source, Test};
use crate::schema::{Event, TOOLS};

pub(super) const LINT: Lint = Lint { codes: &[Code::PATH_WITHOUT_COMMANDS], check };

fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    let events = &rule.head.events;
    let is_before = |selector: &EventSelector| matches!(selector.event, Event::PreToolUse | Event::PermissionRequest);
    if !rule.can_block || rule.head.every_event || !events.iter().all(is_before) {
        return;
    }
    // An author who excludes a tool that runs commands knows about them.
    let excludes_commands = |selector: &EventSelector| {
        let list = selector.subjects.as_ref();
        list.is_some_and(|list| TOOLS.iter().any(|tool| tool.command.is_some() && list.excludes(tool.name)))
    };
    if events.iter().any(excludes_commands) {
        return;
    }
    // The rule must select both tools that name a file and tools that run commands.
    let calls = Calls::of(rule).known;
    let names_file = |call: &Call| !call.runs() && !call.lacks(&Source::Derived(Derived::Path));
    if !calls.iter().any(names_file) || !calls.iter().any(Call::runs) {
        return;
    }
    let mut of_path: Option<RuleTest<'_>> = None;
    let mut looks_further = false;
    each_test(rule, &mut |seen| match &seen.test.kind {
        Kind::Compare { source: Source::Derived(Derived::Path), test, .. } => {
            let finds = matches!(
                test,
                Test::LikePath(_)
                    | Test::Under(_)
                    | Test::Outside(_)
                    | Test::Matches(_)
                    | Test::Contains(_)
                    | Test::StartsWith(_)
                    | Test::EndsWith(_)
                    | Test::Equal(_)
                    | Test::In(_)
            );
            if finds && seen.aim(rule) == Some(Aim::Stops) {
                of_path = of_path.or(Some(seen));
            }
        }
        // The rule tests commands too, or concerns only calls without them.
        Kind::Command(_) | Kind::Touches { .. } => looks_further = true,
        Kind::Compare { source, .. } | Kind::Exists(source) | Kind::Truth(source) => {
            looks_further |= is_of_call(source);
        }
        _ => {}
    });
    if let Some(seen) = of_path.filter(|_| !looks_further) {
        findings.push(finding(written, rule, seen));
    }
}

/// Whether a source is the tool, or a value that only some tools have.
fn is_of_call(source: &Source) -> bool {
    match source {
        Source::Derived(derived) => {
            matches!(derived, Derived::ToolName | Derived::Command | Derived::Content | Derived::Url | Derived::Domain)
        }
        Source::Raw { path, .. } => path.first().is_some_and(|name| name == "tool_input" || name == "tool_name"),
        Source::JsonPath(path) => path.text.starts_with("$.tool_"),
        _ => false,
    }
}

fn finding(written: &SourceTexts<'_>, rule: &Rule, seen: RuleTest<'_>) -> Diagnostic {
    let finding =
        Diagnostic::new(Code::PATH_WITHOUT_COMMANDS, format!("`{}` does not see the files of commands", rule.name))
            .label(seen.test.span, "a command has no `path`: `cat .env` passes this");
    let of_files = matches!(
        &seen.test.kind,
        Kind::Compare { all: false, negated: false, test: Test::LikePath(_) | Test::Under(_) | Test::Outside(_), .. }
    );
    let test = written.comparison(seen.test).filter(|_| of_files).map(|it| written.text(it.behind_operand()));
    let help = match test.filter(|test| test.len() < 40 && !test.contains('\n')) {
        Some(test) => format!("write `reads {test}`, `writes {test}` or `deletes {test}`"),
        None => "write `reads`, `writes` or `deletes` with `like` or `under`".to_owned(),
    };
    finding.help(format!("{help}; or select tools: `on PreToolUse(Read)`"))
}
