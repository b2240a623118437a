//! Tests of a field that none of the selected tools fills in: such a test comes out the same for every call.

use super::comparison::each_test;
use super::{Lint, Written};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Derived, EventSelector, Kind, Rule, Source};
use crate::schema::{Subject, ToolSpec, tool};

pub(super) const LINT: Lint = Lint { codes: &[Code::NO_VALUE], check };

fn check(_: &Written<'_>, rule: &Rule, found: &mut Vec<Diagnostic>) {
    let Some(tools) = selected(rule) else { return };
    each_test(rule, &mut |seen| {
        // A definition may well be made for other tools too.
        if seen.is_shared {
            return;
        }
        let (source, negated) = match &seen.test.kind {
            Kind::Compare { source, negated, all, .. } => (source, *negated && !all),
            Kind::Exists(source) => (source, false),
            _ => return,
        };
        let Source::Derived(derived) = source else { return };
        let Some(name) = name_of(*derived) else { return };
        if tools.iter().any(|tool| fills(tool, *derived)) {
            return;
        }
        let names: Vec<String> = tools.iter().map(|tool| format!("`{}`", tool.name)).collect();
        let of = if names.len() > 3 { "the selected tools".to_owned() } else { names.join(" and ") };
        let always = if negated { "true" } else { "false" };
        found.push(
            Diagnostic::new(Code::NO_VALUE, format!("`{name}` has no value on {of}"))
                .label(seen.test.span, format!("always {always}"))
                .help(instead(*derived, &tools)),
        );
    });
}

/// Returns the tools of a rule that selects nothing but built-in tools, by their names, and is about no other event.
pub(super) fn selected(rule: &Rule) -> Option<Vec<&'static ToolSpec>> {
    let of_selector = |selector: &EventSelector| {
        let is_tool = matches!(selector.event.spec().subject, Subject::Tool);
        let names = selector.subjects.as_ref().map(|list| list.includes.as_slice()).filter(|_| is_tool)?;
        names.iter().map(|name| tool(name)).collect::<Option<Vec<_>>>().filter(|tools| !tools.is_empty())
    };
    let tools: Vec<&ToolSpec> = rule.head.events.iter().map(of_selector).collect::<Option<Vec<_>>>()?.concat();
    let mut once: Vec<&ToolSpec> = Vec::new();
    tools.into_iter().for_each(|tool| {
        if !once.contains(&tool) {
            once.push(tool)
        }
    });
    (!once.is_empty()).then_some(once)
}

/// Returns the name of a field that tools fill in.
fn name_of(derived: Derived) -> Option<&'static str> {
    Some(match derived {
        Derived::Path => "path",
        Derived::Command => "command",
        Derived::Url => "url",
        Derived::Domain => "domain",
        Derived::Content => "content",
        _ => return None,
    })
}

/// Tells whether a tool fills in a field.
fn fills(tool: &ToolSpec, derived: Derived) -> bool {
    match derived {
        Derived::Path => tool.files.iter().any(|file| !file.glob),
        Derived::Command => tool.command.is_some(),
        Derived::Url | Derived::Domain => has_url(tool),
        Derived::Content => CONTENTS.iter().any(|member| has(tool, member)),
        _ => true,
    }
}

/// The members that hold the text which is written.
const CONTENTS: &[&str] = &["content", "new_string", "new_source", "edits"];

fn has_url(tool: &ToolSpec) -> bool {
    tool.url.is_some() || has(tool, "url")
}

fn has(tool: &ToolSpec, member: &str) -> bool {
    tool.input.iter().any(|field| field.name == member)
}

fn instead(derived: Derived, tools: &[&ToolSpec]) -> &'static str {
    let run = tools.iter().any(|tool| tool.command.is_some());
    match derived {
        Derived::Path if run => "write `reads`, `writes` or `deletes`, which look at the files of commands too",
        Derived::Content if run => "write `runs \"…\" where input …`, or `on PreToolUse(Edit|Write)`",
        Derived::Url | Derived::Domain if run => {
            "select `PreToolUse(WebFetch)`, or write `runs \"curl|wget\" where operands like \"https://example.com/*\"`"
        }
        Derived::Path => "select tools that name a file: `on PreToolUse(Read|Edit|Write)`",
        Derived::Content => "select tools that write: `on PreToolUse(Edit|Write)`",
        Derived::Command => "select tools that run commands: `on PreToolUse`, with `runs \"…\"`",
        _ => "select a tool with a URL: `on PreToolUse(WebFetch)`",
    }
}
