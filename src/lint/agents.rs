//! Names of undefined agents that certainly mean another, or that are similar to the name of an existing one.

use super::SourceTexts;
use super::comparison::each_test;
use super::findings::{Finding, FindingSink, each_rule};
use super::selectors::{excluding, names};
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::policy::Policy;
use crate::ruleset::{Derived, Kind, Rule, Source};
use crate::schema::{Event, Subject};
use crate::span::Span;
use crate::syntax::literal;

/// The selector for the main thread, the agent that the user talks to.
pub(super) const MAIN: &str = "main";

/// The agents that are built into the host.
const BUILT_IN: &[&str] =
    &["general-purpose", "Explore", "Plan", "statusline-setup", "output-style-setup", "claude-code-guide"];

/// Common names for the main thread.
const MAIN_ELSEWHERE: &[&str] = &["assistant", "claude", "human", "parent", "root", "user"];

/// Common names for all other agents.
const SUBAGENTS: &[&str] = &["child", "subagent", "subagents"];

/// Common names for any agent at all, for which `by` is not needed.
const ANYBODY: &[&str] =
    &["agent", "agents", "all", "any", "anybody", "anyone", "anything", "everybody", "everyone", "none", "nobody"];

/// The defined agents besides the host's own. Plugins may define others, which are unknown.
#[derive(Clone, Copy)]
struct Defined<'d> {
    by_project: &'d [String],
    by_account: &'d [String],
}

/// Returns the findings about the agents that rules name, given those that the project and the user's account define.
#[must_use]
pub fn agents<'p>(policy: &'p Policy, by_project: &[String], by_account: &[String]) -> Vec<Finding<'p>> {
    let defined = Defined { by_project, by_account };
    let written = SourceTexts::new(&policy.sources);
    each_rule(policy.rules.rules(), |rule, findings| {
        for (name, span) in rule.head.agents.iter().flat_map(|agents| agents.0.written.iter()) {
            let not = is_excluded(&written, *span);
            findings.extend(wrong(name, defined).map(|meant| at_selector(name, not, *span, meant)));
        }
        of_subjects(&written, rule, defined, findings);
        of_tests(&written, rule, defined, findings);
    })
}

fn is_excluded(written: &SourceTexts<'_>, span: Span) -> &'static str {
    if written.text(span).starts_with('!') { "!" } else { "" }
}

/// Checks the selectors of events that match an agent.
fn of_subjects(written: &SourceTexts<'_>, rule: &Rule, defined: Defined<'_>, findings: &mut FindingSink) {
    let of_agents = |subject| matches!(subject, Subject::Field("agent_type"));
    for selector in rule.head.events.iter().filter(|selector| of_agents(selector.event.spec().subject)) {
        for (name, span) in selector.subjects.iter().flat_map(|list| list.written.iter()) {
            let not = is_excluded(written, *span);
            if name == MAIN {
                findings.push(of_main(selector.event, not, *span));
            } else if let Some(IntendedAgent::Agent(near)) = wrong(name, defined) {
                findings.push(at_selector(name, not, *span, IntendedAgent::Agent(near)));
            }
        }
    }
}

/// Reports the main thread as a selector of an event that never concerns it.
fn of_main(event: Event, not: &str, span: Span) -> Diagnostic {
    let name = event.name();
    let found = Diagnostic::new(Code::UNKNOWN_AGENT, format!("`{name}` is never about `{MAIN}`"))
        .label(span, "the main thread is no subagent");
    match event {
        _ if !not.is_empty() => found.help("leave it out: it excludes nothing"),
        Event::SubagentStop => found.help("write `Stop`, the end of the main thread's turn"),
        _ => found.help("name a subagent, or leave the parentheses out"),
    }
}

/// Checks the values that `agent` and `agent_type` are compared with.
fn of_tests(written: &SourceTexts<'_>, rule: &Rule, defined: Defined<'_>, findings: &mut FindingSink) {
    each_test(rule, &mut |seen| {
        let Kind::Compare { source: Source::Derived(derived @ (Derived::Agent | Derived::AgentType)), test, .. } =
            &seen.test.kind
        else {
            return;
        };
        for text in names(test) {
            let (not, name) = excluding(text, test);
            let place = written.comparison(seen.test).and_then(|it| it.place_of(text));
            let at = place.unwrap_or(seen.test.span);
            let is_main = name.eq_ignore_ascii_case(MAIN);
            let finding = match wrong(name, defined) {
                _ if is_main && *derived == Derived::AgentType => {
                    Diagnostic::new(Code::UNKNOWN_AGENT, "the main thread has no `agent_type`")
                        .label(at, "no agent is of this type")
                        .help("write `agent == \"main\"`")
                }
                Some(IntendedAgent::Agent(near)) => {
                    let finding = unknown(name, at).help(help_with(name, &near));
                    match place {
                        Some(place) => finding.fix_that_changes(place, literal(&format!("{not}{near}"), "")),
                        None => finding,
                    }
                }
                Some(IntendedAgent::Subagents) => {
                    unknown(name, at).help("write `agent != \"main\"`: every agent but the main thread")
                }
                Some(IntendedAgent::Anybody) => {
                    unknown(name, at).help("leave the test out: a rule is about every agent")
                }
                None => continue,
            };
            findings.push(finding);
        }
    });
}

/// What the author means by a name that no agent has.
enum IntendedAgent {
    Agent(String),
    Subagents,
    Anybody,
}

/// Returns what the author means by the name of an agent that does not exist; `None` if it may exist.
fn wrong(name: &str, defined: Defined<'_>) -> Option<IntendedAgent> {
    let own = || defined.by_project.iter().chain(defined.by_account).map(String::as_str);
    let known = || own().chain([MAIN]).chain(BUILT_IN.iter().copied());
    // An agent of a plugin is prefixed with the plugin's name.
    let is_open = name.contains(['*', '?', '[', '\\', ':']);
    if is_open || known().any(|known| known == name) {
        return None;
    }
    if let Some(known) = known().find(|known| known.eq_ignore_ascii_case(name)) {
        return Some(IntendedAgent::Agent(known.to_owned()));
    }
    let folded = name.to_ascii_lowercase().replace(['-', '_'], "");
    if MAIN_ELSEWHERE.contains(&folded.as_str()) || folded == "mainagent" || folded == "mainthread" {
        return Some(IntendedAgent::Agent(MAIN.to_owned()));
    }
    if SUBAGENTS.contains(&folded.as_str()) {
        return Some(IntendedAgent::Subagents);
    }
    if ANYBODY.contains(&folded.as_str()) {
        return Some(IntendedAgent::Anybody);
    }
    // A project without agents may define some soon; the host's own exist in every project.
    let near = nearest(name, known()).filter(|near| !defined.by_project.is_empty() || BUILT_IN.contains(near))?;
    Some(IntendedAgent::Agent(near.to_owned()))
}

fn unknown(name: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::UNKNOWN_AGENT, format!("no agent is called `{name}`"))
        .label(span, "neither in `.claude/agents` nor one of the host's own")
}

fn help_with(name: &str, near: &str) -> String {
    match near {
        MAIN => "write `main`: the agent that the user talks to".to_owned(),
        near if near.eq_ignore_ascii_case(name) => format!("names are case-sensitive: write `{near}`"),
        near => format!("an agent named `{near}` exists"),
    }
}

fn at_selector(name: &str, not: &str, span: Span, meant: IntendedAgent) -> Diagnostic {
    match meant {
        IntendedAgent::Agent(near) => {
            unknown(name, span).help(help_with(name, &near)).fix_that_changes(span, format!("{not}{near}"))
        }
        IntendedAgent::Anybody => unknown(name, span).help("leave `by` out: a rule is about every agent"),
        IntendedAgent::Subagents => {
            let right = if not.is_empty() { "!main" } else { MAIN };
            let who = if not.is_empty() {
                "every agent but the one that the user talks to"
            } else {
                "the agent that the user talks to"
            };
            unknown(name, span).help(format!("write `{right}`: {who}")).fix_that_changes(span, right)
        }
    }
}
