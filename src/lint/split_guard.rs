//! A guard in two halves, one for the tools that write a file and one for the commands that do: other tools pass both.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::calls::{Call, all_but, selected, selects};
use super::comparison::{Aim, each_test};
use super::findings::{Finding, FindingSink};
use crate::diagnostic::{Code, Diagnostic};
use crate::policy::PolicyLayer;
use crate::ruleset::{Derived, Dir, EventSelector, Globs, Kind, Mode, Rule, SelectorList, Source, Test, TouchTest};
use crate::schema::{Event, TOOLS, ToolSpec};
use crate::syntax::ast::FileVerb;

/// The files that a test is about, in their source form.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum GuardedFiles {
    Like(Vec<String>),
    Under(Vec<PathBuf>),
}

/// Reports each half for commands that has a counterpart for tools.
pub(super) fn check<'r>(layer: &'r PolicyLayer, findings: &mut FindingSink<Finding<'r>>) {
    let mut of_tools: BTreeMap<GuardedFiles, Vec<(&Rule, Vec<&'static ToolSpec>)>> = BTreeMap::new();
    for rule in guards(layer) {
        let Some(tools) = selected(rule).filter(|tools| tools.iter().all(|tool| tool.command.is_none())) else {
            continue;
        };
        each_test(rule, &mut |seen| {
            if let Kind::Compare { source: Source::Derived(Derived::Path), test, .. } = &seen.test.kind
                && seen.aim(rule) == Some(Aim::Stops)
                && let Some(files) = compared(test)
            {
                of_tools.entry(files).or_default().push((rule, tools.clone()));
            }
        });
    }
    if of_tools.is_empty() {
        return;
    }
    for rule in guards(layer) {
        let Some(list) = of_commands(rule) else { continue };
        let mut half = None;
        each_test(rule, &mut |seen| {
            if let Kind::Touches { verb: verb @ (FileVerb::Writes | FileVerb::Reads), test } = &seen.test.kind
                && !seen.is_exception
                && let Some(halves) = touched(test).and_then(|files| of_tools.get(&files))
            {
                half = half.or(Some((*verb, halves)));
            }
        });
        let finding = half.and_then(|(verb, others)| finding((rule, list), verb, others));
        findings.extend(finding.map(|finding| Finding::about(rule, finding)));
    }
}

/// Returns the rules of a layer that stop tool calls.
fn guards(layer: &PolicyLayer) -> impl Iterator<Item = &Rule> {
    let rules = layer.rules.iter().map(|rule| &**rule);
    rules.filter(|rule| rule.can_block && rule.traits.mode == Mode::Active && !rule.name.contains('/'))
}

/// Returns the selectors of a rule that only selects tools which run commands.
fn of_commands(rule: &Rule) -> Option<&SelectorList> {
    let [EventSelector { event: Event::PreToolUse, subjects: Some(list), .. }] = rule.head.events.as_slice() else {
        return None;
    };
    selected(rule)?.iter().all(|tool| tool.command.is_some()).then_some(list)
}

fn compared(test: &Test) -> Option<GuardedFiles> {
    match test {
        Test::LikePath(globs) => Some(like(globs)),
        Test::Under(dirs) => under(dirs),
        _ => None,
    }
}

fn touched(test: &TouchTest) -> Option<GuardedFiles> {
    match test {
        TouchTest::Like(globs) => Some(like(globs)),
        TouchTest::Under(dirs) => under(dirs),
        TouchTest::Outside(_) => None,
    }
}

fn like(globs: &Globs) -> GuardedFiles {
    GuardedFiles::Like(globs.patterns().map(str::to_owned).collect())
}

/// Returns the directories, if all are literal.
fn under(dirs: &[Dir]) -> Option<GuardedFiles> {
    let written = |dir: &Dir| match dir {
        Dir::Literal(path) => Some(path.clone()),
        _ => None,
    };
    dirs.iter().map(written).collect::<Option<_>>().map(GuardedFiles::Under)
}

/// Reports the tools that are covered neither by a rule for commands nor by the rules for tools about the same files.
fn finding(
    (rule, list): (&Rule, &SelectorList),
    verb: FileVerb,
    halves: &[(&Rule, Vec<&'static ToolSpec>)],
) -> Option<Diagnostic> {
    let (other, _) = halves.first()?;
    let mut others: Vec<&ToolSpec> = Vec::new();
    for tool in halves.iter().flat_map(|(_, tools)| tools) {
        if !others.contains(tool) {
            others.push(tool);
        }
    }
    let (first, last) = (list.written.first()?.1, list.written.last()?.1);
    let is_looked_at = |tool: &&ToolSpec| others.contains(tool) || selects(list, tool);
    let does_it = |tool: &&'static ToolSpec| Call { event: Event::PreToolUse, tool: Some(tool) }.touches(verb);
    let left = TOOLS.iter().filter(does_it).filter(|tool| !is_looked_at(tool));
    let left = match left.clone().next_back() {
        Some(one) => format!("`{}`, {} others and tools of servers", one.name, left.count().saturating_sub(1)),
        None => "tools of servers".to_owned(),
    };
    let instead = all_but(&others);
    let message = format!("`{}` and `{}` leave tools between them", other.name, rule.name);
    Some(
        Diagnostic::new(Code::GUARD_IN_HALVES, message)
            .label(first.to(last), format!("{left} pass both"))
            .help(format!("write `on PreToolUse({instead})`: whatever `{}` does not look at", other.name))
            .fix_that_changes(first.to(last), instead),
    )
}
