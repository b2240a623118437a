//! Finds names of agents that are not defined: names that authors use for another agent, or that resemble the name of
//! an existing one.

use super::SourceTexts;
use super::comparison::visit_tests;
use super::findings::{FindingSink, LintFinding, each_rule};
use super::selectors::{compared_names, split_exclusion};
use crate::diagnostic::{Code, Diagnostic, nearest_name};
use crate::policy::Policy;
use crate::ruleset::{ConditionExpr, DerivedField, Rule, ValueReference};
use crate::schema::{Event, Subject};
use crate::span::Span;
use crate::syntax::string_literal;

/// The name of the main thread: the agent that the user talks to.
pub(super) const MAIN: &str = "main";

/// The agents that are built into Claude Code.
const BUILT_IN: &[&str] =
    &["general-purpose", "Explore", "Plan", "statusline-setup", "output-style-setup", "claude-code-guide"];

/// Names that authors use for the main thread.
const FOREIGN_NAMES_OF_MAIN: &[&str] = &["assistant", "claude", "human", "parent", "root", "user"];

/// Names that authors use for all subagents.
const NAMES_OF_SUBAGENTS: &[&str] = &["child", "subagent", "subagents"];

/// Names that authors use for every agent, which is what a rule without `by` applies to.
const NAMES_OF_ANY_AGENT: &[&str] =
    &["agent", "agents", "all", "any", "anybody", "anyone", "anything", "everybody", "everyone", "none", "nobody"];

/// The names of the agents that the project and the user's account define. Agents of plugins are unknown here.
#[derive(Clone, Copy)]
struct DefinedAgents<'d> {
    /// The names of the agents in the project's `.claude/agents`.
    by_project: &'d [String],
    /// The names of the agents that the user's account defines.
    by_account: &'d [String],
}

/// Returns the findings about the agents that rules name, given the names of those that the project and the user's
/// account define.
#[must_use]
pub fn agent_findings<'p>(policy: &'p Policy, by_project: &[String], by_account: &[String]) -> Vec<LintFinding<'p>> {
    let defined = DefinedAgents { by_project, by_account };
    let written = SourceTexts::new(&policy.sources);
    each_rule(policy.rules.rules(), |rule, findings| {
        for (name, span) in rule.head.agents.iter().flat_map(|agents| agents.0.written.iter()) {
            let exclusion = exclusion_mark(&written, *span);
            findings.extend(
                intended_agent(name, defined).map(|intended| selector_finding(name, exclusion, *span, intended)),
            );
        }
        check_subjects(&written, rule, defined, findings);
        check_tests(&written, rule, defined, findings);
    })
}

/// Returns `!` if the selector at a span excludes, else an empty text.
fn exclusion_mark(written: &SourceTexts<'_>, span: Span) -> &'static str {
    if written.text(span).starts_with('!') { "!" } else { "" }
}

/// Checks the selectors of events whose subject is an agent: `SubagentStop(…)`.
fn check_subjects(written: &SourceTexts<'_>, rule: &Rule, defined: DefinedAgents<'_>, findings: &mut FindingSink) {
    let is_agent = |subject| matches!(subject, Subject::Field("agent_type"));
    for selector in rule.head.events.iter().filter(|selector| is_agent(selector.event.spec().subject)) {
        for (name, span) in selector.subjects.iter().flat_map(|list| list.written.iter()) {
            let exclusion = exclusion_mark(written, *span);
            if name == MAIN {
                findings.push(main_selector_finding(selector.event, exclusion, *span));
            } else if let Some(IntendedAgent::Agent(near)) = intended_agent(name, defined) {
                findings.push(selector_finding(name, exclusion, *span, IntendedAgent::Agent(near)));
            }
        }
    }
}

/// Returns the finding about `main` as the selector of an event that is only about subagents.
fn main_selector_finding(event: Event, exclusion: &str, span: Span) -> Diagnostic {
    let name = event.name();
    let found = Diagnostic::new(Code::UNKNOWN_AGENT, format!("`{name}` is never about `{MAIN}`"))
        .label(span, "the main thread is no subagent");
    match event {
        _ if !exclusion.is_empty() => found.help("leave it out: it excludes nothing"),
        Event::SubagentStop => found.help("write `Stop`, the end of the main thread's turn"),
        _ => found.help("name a subagent, or leave the parentheses out"),
    }
}

/// Checks the names that `agent` and `agent_type` are compared with in conditions.
fn check_tests(written: &SourceTexts<'_>, rule: &Rule, defined: DefinedAgents<'_>, findings: &mut FindingSink) {
    visit_tests(rule, &mut |seen| {
        let ConditionExpr::Compare { source, test, .. } = &seen.test.kind else { return };
        let derived = match source {
            ValueReference::Derived(derived @ (DerivedField::Agent | DerivedField::AgentType)) => Some(*derived),
            // The agent that a call of the tool `Agent` starts.
            ValueReference::Raw { path, .. } if path.as_slice() == ["tool_input", "subagent_type"] => None,
            _ => return,
        };
        for text in compared_names(test) {
            let (exclusion, name) = split_exclusion(text, test);
            let text_span = written.comparison(seen.test).and_then(|it| it.text_span(text));
            let span = text_span.unwrap_or(seen.test.span);
            let is_main = name.eq_ignore_ascii_case(MAIN);
            let finding = match intended_agent(name, defined) {
                _ if is_main && derived == Some(DerivedField::AgentType) => {
                    Diagnostic::new(Code::UNKNOWN_AGENT, "the main thread has no `agent_type`")
                        .label(span, "no agent is of this type")
                        .help("write `agent == \"main\"`")
                }
                // No call starts the main thread, nor one of any other name that stands for several agents.
                Some(IntendedAgent::Agent(near)) if derived.is_none() && near == MAIN => continue,
                Some(IntendedAgent::Subagents | IntendedAgent::Anybody) if derived.is_none() => continue,
                Some(IntendedAgent::Agent(near)) => {
                    let finding = unknown_agent(name, span).help(help_with(name, &near));
                    match text_span {
                        Some(text_span) => {
                            finding.fix_that_changes(text_span, string_literal(&format!("{exclusion}{near}"), ""))
                        }
                        None => finding,
                    }
                }
                Some(IntendedAgent::Subagents) => {
                    unknown_agent(name, span).help("write `agent != \"main\"`: every agent but the main thread")
                }
                Some(IntendedAgent::Anybody) => {
                    unknown_agent(name, span).help("leave the test out: a rule is about every agent")
                }
                None => continue,
            };
            findings.push(finding);
        }
    });
}

/// What the author means by the name of an agent that does not exist.
enum IntendedAgent {
    /// The agent with this name.
    Agent(String),
    /// Every agent except the main thread.
    Subagents,
    /// Every agent.
    Anybody,
}

/// Returns what the author means by the name of an agent that does not exist; `None` if the agent may exist.
fn intended_agent(name: &str, defined: DefinedAgents<'_>) -> Option<IntendedAgent> {
    let defined_names = || defined.by_project.iter().chain(defined.by_account).map(String::as_str);
    let known = || defined_names().chain([MAIN]).chain(BUILT_IN.iter().copied());
    // Plugins define agents as `plugin:agent`, and globs match agents that are not known.
    let may_be_elsewhere = name.contains(['*', '?', '[', '\\', ':']);
    if may_be_elsewhere || known().any(|known| known == name) {
        return None;
    }
    if let Some(known) = known().find(|known| known.eq_ignore_ascii_case(name)) {
        return Some(IntendedAgent::Agent(known.to_owned()));
    }
    let folded = name.to_ascii_lowercase().replace(['-', '_'], "");
    if FOREIGN_NAMES_OF_MAIN.contains(&folded.as_str()) || folded == "mainagent" || folded == "mainthread" {
        return Some(IntendedAgent::Agent(MAIN.to_owned()));
    }
    if NAMES_OF_SUBAGENTS.contains(&folded.as_str()) {
        return Some(IntendedAgent::Subagents);
    }
    if NAMES_OF_ANY_AGENT.contains(&folded.as_str()) {
        return Some(IntendedAgent::Anybody);
    }
    // A project without agents may define some soon, so only a name similar to a built-in agent is reported there.
    let near = nearest_name(name, known()).filter(|near| !defined.by_project.is_empty() || BUILT_IN.contains(near))?;
    Some(IntendedAgent::Agent(near.to_owned()))
}

fn unknown_agent(name: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::UNKNOWN_AGENT, format!("no agent is called `{name}`"))
        .label(span, "neither in `.claude/agents` nor one of the host's own")
}

/// Returns the help for a name that does not exist, with the right one.
fn help_with(name: &str, near: &str) -> String {
    match near {
        MAIN => "write `main`: the agent that the user talks to".to_owned(),
        near if near.eq_ignore_ascii_case(name) => format!("names are case-sensitive: write `{near}`"),
        near => format!("an agent named `{near}` exists"),
    }
}

/// Returns the finding about a name after `by` or in a selector, with the replacement. `exclusion` is `!` if the
/// selector excludes, else empty.
fn selector_finding(name: &str, exclusion: &str, span: Span, intended: IntendedAgent) -> Diagnostic {
    match intended {
        IntendedAgent::Agent(near) => {
            unknown_agent(name, span).help(help_with(name, &near)).fix_that_changes(span, format!("{exclusion}{near}"))
        }
        IntendedAgent::Anybody => unknown_agent(name, span).help("leave `by` out: a rule is about every agent"),
        IntendedAgent::Subagents => {
            let right = if exclusion.is_empty() { "!main" } else { MAIN };
            let who = if exclusion.is_empty() {
                "every agent but the one that the user talks to"
            } else {
                "the agent that the user talks to"
            };
            unknown_agent(name, span).help(format!("write `{right}`: {who}")).fix_that_changes(span, right)
        }
    }
}
