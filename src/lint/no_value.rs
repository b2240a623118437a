//! Tests of a field that none of the selected tools fills in: such a test comes out the same for every call.

use super::calls::{fills, name_of, selected};
use super::comparison::each_test;
use super::{Lint, Written};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Derived, Kind, Rule, Source};
use crate::schema::ToolSpec;

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
