//! Finds tests of `tool_name` by the name of an MCP server, `tool_name == "mcp__linear__create_issue"`: the server of a
//! plugin has a longer name, which a selector also matches.

use super::comparison::{MatchEffect, visit_tests};
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{ConditionExpr, DerivedField, Rule, ValueReference, ValueTest};

pub(super) const LINT: Lint = Lint { codes: &[Code::PLUGIN_TOOL], check };

/// What the names of all tools of servers begin with.
const SERVER: &str = "mcp__";

/// Reports each such test, unless a tool that it misses would only be judged more strictly.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    visit_tests(rule, &mut |seen| {
        let ConditionExpr::Compare { source: ValueReference::Derived(DerivedField::ToolName), negated, test, .. } =
            &seen.test.kind
        else {
            return;
        };
        if seen.is_exception != *negated || seen.match_effect(rule) == Some(MatchEffect::LetsThrough) {
            return;
        }
        let Some(comparison) = written.comparison(seen.test) else { return };
        let texts: Vec<String> = match (&comparison.texts, &comparison.regex) {
            (Some(texts), _) => texts.iter().map(|text| text.text.clone()).collect(),
            (None, Some(regex)) => {
                let name = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
                vec![regex.pattern.trim_start_matches('^').chars().take_while(name).collect()]
            }
            _ => return,
        };
        // Other lints report an asterisk that is no wildcard, and a server without a tool.
        let is_whole = matches!(test, ValueTest::Equal(_) | ValueTest::In(_) | ValueTest::LikeText(_));
        let is_other_mistake = |text: &String| {
            let is_equality = matches!(test, ValueTest::Equal(_) | ValueTest::In(_));
            is_equality && text.contains('*') || is_whole && text.matches("__").count() < 2
        };
        if texts.iter().any(is_other_mistake) {
            return;
        }
        let selectors: Option<Vec<String>> = texts.iter().map(|text| selector(text)).collect();
        let Some(selectors) = selectors.filter(|selectors| !selectors.is_empty()) else { return };
        let event = rule.head.event_set().into_iter().next().map_or("PreToolUse", |event| event.name());
        findings.push(
            Diagnostic::new(Code::PLUGIN_TOOL, "a test of the name of an MCP server's tool")
                .label(seen.test.span, "the server of a plugin has another name: `mcp__plugin_NAME_SERVER__…`")
                .help(format!("select it, which finds both: `on {event}({})`", selectors.join("|"))),
        );
    });
}

/// Returns the selector for a server's tools that a text names, as a whole or by its beginning; `None` for any other
/// text.
fn selector(text: &str) -> Option<String> {
    let rest = text.strip_prefix(SERVER).filter(|rest| !rest.starts_with("plugin_"))?;
    let (server, tool) = rest.split_once("__").unwrap_or((rest, ""));
    let is_server = !server.is_empty() && !server.contains(['*', '?', '[', '{']);
    let tool = if tool.is_empty() { "*" } else { tool };
    is_server.then(|| format!("{SERVER}{server}__{tool}"))
}
