//! Finds guards on files that are split into two rules, one for file tools and one for commands: other tools pass both.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::calls::{SelectedCall, is_tool_selected, selected_tools, selector_without};
use super::comparison::{MatchEffect, visit_tests};
use super::findings::{FindingSink, LintFinding};
use crate::diagnostic::{Code, Diagnostic};
use crate::policy::PolicyLayer;
use crate::ruleset::{
    ConditionExpr, DerivedField, DirOperand, EventSelector, Globs, Rule, RuleMode, SelectorList, TouchTest,
    ValueReference, ValueTest,
};
use crate::schema::{Event, TOOLS, ToolSpec};
use crate::syntax::ast::FileVerb;

/// The files that a guard is about, in a form that can be compared between rules.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum GuardedFiles {
    /// The files that these globs match.
    Like(Vec<String>),
    /// The files below these directories.
    Under(Vec<PathBuf>),
}

/// Reports each rule about commands for which there is a rule about file tools with the same files.
pub(super) fn check<'r>(layer: &'r PolicyLayer, findings: &mut FindingSink<LintFinding<'r>>) {
    let mut file_tool_rules: BTreeMap<GuardedFiles, Vec<(&Rule, Vec<&'static ToolSpec>)>> = BTreeMap::new();
    for rule in guard_rules(layer) {
        let Some(tools) = selected_tools(rule).filter(|tools| tools.iter().all(|tool| tool.command.is_none())) else {
            continue;
        };
        visit_tests(rule, &mut |seen| {
            if let ConditionExpr::Compare { source: ValueReference::Derived(DerivedField::Path), test, .. } =
                &seen.test.kind
                && seen.match_effect(rule) == Some(MatchEffect::Stops)
                && let Some(files) = compared_files(test)
            {
                file_tool_rules.entry(files).or_default().push((rule, tools.clone()));
            }
        });
    }
    if file_tool_rules.is_empty() {
        return;
    }
    for rule in guard_rules(layer) {
        let Some(list) = command_tool_selectors(rule) else { continue };
        let mut counterpart = None;
        visit_tests(rule, &mut |seen| {
            if let ConditionExpr::Touches { verb: verb @ (FileVerb::Writes | FileVerb::Reads), test } = &seen.test.kind
                && !seen.is_exception
                && let Some(rules_for_files) = touched_files(test).and_then(|files| file_tool_rules.get(&files))
            {
                counterpart = counterpart.or(Some((*verb, rules_for_files)));
            }
        });
        let finding = counterpart.and_then(|(verb, others)| finding((rule, list), verb, others));
        findings.extend(finding.map(|finding| LintFinding::for_rule(rule, finding)));
    }
}

/// Returns the active rules that are written in a layer itself and can block.
fn guard_rules(layer: &PolicyLayer) -> impl Iterator<Item = &Rule> {
    let rules = layer.rules.iter().map(|rule| &**rule);
    rules.filter(|rule| rule.can_block && rule.traits.mode == RuleMode::Active && !rule.name.contains('/'))
}

/// Returns the selectors of a rule that selects only tools with commands; `None` for any other rule.
fn command_tool_selectors(rule: &Rule) -> Option<&SelectorList> {
    let [EventSelector { event: Event::PreToolUse, subjects: Some(list), .. }] = rule.head.events.as_slice() else {
        return None;
    };
    selected_tools(rule)?.iter().all(|tool| tool.command.is_some()).then_some(list)
}

/// Returns the files that a comparison of a path is about; `None` unless it compares with globs or directories.
fn compared_files(test: &ValueTest) -> Option<GuardedFiles> {
    match test {
        ValueTest::LikePath(globs) => Some(glob_files(globs)),
        ValueTest::Under(dirs) => directory_files(dirs),
        _ => None,
    }
}

/// Returns the files that a test of accesses is about; `None` for `outside`.
fn touched_files(test: &TouchTest) -> Option<GuardedFiles> {
    match test {
        TouchTest::Like(globs) => Some(glob_files(globs)),
        TouchTest::Under(dirs) => directory_files(dirs),
        TouchTest::Outside(_) => None,
    }
}

fn glob_files(globs: &Globs) -> GuardedFiles {
    GuardedFiles::Like(globs.patterns().map(str::to_owned).collect())
}

/// Returns the directories of a test; `None` if one of them is not a literal.
fn directory_files(dirs: &[DirOperand]) -> Option<GuardedFiles> {
    let written = |dir: &DirOperand| match dir {
        DirOperand::Literal(path) => Some(path.clone()),
        _ => None,
    };
    dirs.iter().map(written).collect::<Option<_>>().map(GuardedFiles::Under)
}

/// Returns the finding about the tools that neither the rule for commands nor the rules for file tools select.
fn finding(
    (rule, list): (&Rule, &SelectorList),
    verb: FileVerb,
    file_tool_rules: &[(&Rule, Vec<&'static ToolSpec>)],
) -> Option<Diagnostic> {
    let (other, _) = file_tool_rules.first()?;
    let mut file_tools: Vec<&ToolSpec> = Vec::new();
    for tool in file_tool_rules.iter().flat_map(|(_, tools)| tools) {
        if !file_tools.contains(tool) {
            file_tools.push(tool);
        }
    }
    let (first, last) = (list.written.first()?.1, list.written.last()?.1);
    let is_covered = |tool: &&ToolSpec| file_tools.contains(tool) || is_tool_selected(list, tool);
    let has_access =
        |tool: &&'static ToolSpec| SelectedCall { event: Event::PreToolUse, tool: Some(tool) }.can_touch(verb);
    let uncovered = TOOLS.iter().filter(has_access).filter(|tool| !is_covered(tool));
    let uncovered = match uncovered.clone().next_back() {
        Some(one) => format!("`{}`, {} others and tools of servers", one.name, uncovered.count().saturating_sub(1)),
        None => "tools of servers".to_owned(),
    };
    let instead = selector_without(&file_tools);
    let message = format!("`{}` and `{}` leave tools between them", other.name, rule.name);
    Some(
        Diagnostic::new(Code::GUARD_IN_HALVES, message)
            .label(first.joined_with(last), format!("{uncovered} pass both"))
            .help(format!("write `on PreToolUse({instead})`: whatever `{}` does not look at", other.name))
            .fix_that_changes(first.joined_with(last), instead),
    )
}
