//! Entries about other tools: `WebFetch(domain:example.com)`, `mcp__server__tool`, `Agent(reviewer)`, `WebSearch`.

use super::Entry;
use crate::import::calls::CallRule;
use crate::import::commands::ImportedDecision;
use crate::import::mapping_reader::ImportFindings;
use crate::import::names::slug;
use crate::schema::{ToolShell, current_tool_name, tool_spec};
use crate::syntax::string_literal;

/// Converts an entry; `None` if there is no equivalent, which is noted.
pub(super) fn read(entry: &Entry, findings: &mut ImportFindings<'_>) -> Option<CallRule> {
    let tool = current_tool_name(&entry.tool);
    match (tool, entry.specifier.as_deref()) {
        (tool, None) if entry.decision == ImportedDecision::Allow && can_do_anything(tool) => {
            let text =
                format!("`{}`: no rule here allows every command; name those that are meant; left out", entry.text);
            findings.leave_out(entry.span, text);
            None
        }
        (tool, None) if entry.decision == ImportedDecision::Allow && has_open_server(tool) => {
            let text = format!(
                "`{}`: Claude Code allows nothing by a `*` without a whole `mcp__SERVER__` in front; left out",
                entry.text
            );
            findings.leave_out(entry.span, text);
            None
        }
        (tool, None) => Some(whole_tool(entry, tool)),
        ("WebFetch", Some(specifier)) if specifier.starts_with("domain:") => {
            let host = specifier.trim_start_matches("domain:").trim();
            let test = if host.contains('*') { "like" } else { "==" };
            let when = format!("domain {test} {}", string_literal(host, "  "));
            let url = format!("https://{}/", host.replace('*', "www"));
            let fires = vec![format!("WebFetch {}", string_literal(&url, "  "))];
            let quiet = vec!["WebFetch \"https://other.example/\"".to_owned()];
            Some(CallRule { when: Some(when), fires, quiet, ..rule_about_tool(entry, tool, host) })
        }
        ("Agent", Some(name)) => Some(rule_with_member(entry, "Agent", "subagent_type", name)),
        ("Skill", Some(name)) => {
            let name = name.trim_end_matches(":*").trim_end_matches(" *");
            Some(rule_with_member(entry, "Skill", "skill", name))
        }
        (_, Some(_)) => {
            let text = format!("`{}`: what is in the parentheses has no equivalent; left out", entry.text);
            findings.leave_out(entry.span, text);
            None
        }
    }
}

/// Whether a tool runs commands, or is a glob that also selects tools outside MCP servers.
fn can_do_anything(tool: &str) -> bool {
    let is_shell = tool_spec(tool).is_some_and(|spec| spec.shell != ToolShell::None);
    is_shell || tool.contains('*') && !tool.starts_with("mcp__")
}

/// Whether a glob of tools does not name the server in full. Claude Code skips such an entry of `allow`.
fn has_open_server(tool: &str) -> bool {
    let Some(rest) = tool.strip_prefix("mcp__").filter(|rest| rest.contains('*')) else { return false };
    rest.split_once("__").is_none_or(|(server, _)| server.contains('*'))
}

/// Returns a rule about every call of a tool, or of the tools of a server.
fn whole_tool(entry: &Entry, tool: &str) -> CallRule {
    let is_server = tool.strip_prefix("mcp__").is_some_and(|rest| !rest.contains("__") && !rest.contains('*'));
    let (tools, example) = match tool {
        "Edit" if entry.decision != ImportedDecision::Allow => {
            ("Edit|Write|MultiEdit|NotebookEdit".to_owned(), "Write \"a\"".to_owned())
        }
        "Bash" => (tool.to_owned(), "Bash \"ls\"".to_owned()),
        "Read" | "Write" | "Edit" => (tool.to_owned(), format!("{tool} \"a\"")),
        tool if is_server => (format!("{tool}__*"), format!("{tool}__tool")),
        "*" => (String::new(), "Bash \"ls\"".to_owned()),
        tool => (tool.to_owned(), tool.replace('*', "x")),
    };
    let quiet = vec!["Read \"a\"".to_owned()];
    let base = rule_about_tool(entry, tool, "");
    let message = base.message.replace(" like this", "");
    CallRule { tools, fires: vec![example], quiet, message, ..base }
}

/// Returns a rule about calls in which a member of the tool's input has this value.
fn rule_with_member(entry: &Entry, tool: &str, member: &str, value: &str) -> CallRule {
    let literal = string_literal(value, "  ");
    let test = if value.contains('*') { "like" } else { "==" };
    let when = format!("tool_input.{member} {test} {literal}");
    let call = |value: &str| format!("{tool} {{ tool_input.{member}: {} }}", string_literal(value, "  "));
    let (fires, quiet) = (vec![call(&value.replace('*', "x"))], vec![call("another")]);
    CallRule { when: Some(when), fires, quiet, ..rule_about_tool(entry, tool, value) }
}

/// Returns a rule about a tool, without a condition and examples; `what` becomes part of its name.
fn rule_about_tool(entry: &Entry, tool: &str, what: &str) -> CallRule {
    let message = match entry.decision {
        ImportedDecision::Ask => "\"Use `{tool_name}`?\"",
        ImportedDecision::Deny | ImportedDecision::Allow => "\"`{tool_name}` must not be used like this here.\"",
    };
    CallRule {
        source: entry.span,
        decision: entry.decision,
        name: format!("{}-{}", entry.decision.verb(), slug(&format!("{tool} {what}"), "tools")),
        tools: tool.to_owned(),
        by: None,
        when: None,
        unless: None,
        message: message.to_owned(),
        fires: Vec::new(),
        quiet: Vec::new(),
    }
}
