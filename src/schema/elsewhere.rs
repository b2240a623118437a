//! The schema's names for the tools and events of other agents, whose names authors of policies may know.

use crate::phrases::{self, PhrasePlace};

/// Returns the schema's name of a tool that other agents call by this name: `Bash` for `run_shell_command`; `None` if
/// it is unknown.
#[must_use]
pub fn tool_by_foreign_name(name: &str) -> Option<&'static str> {
    phrases::meaning(PhrasePlace::Tool, name)
}

/// Returns the schema's event for an event of other agents, in the form after `on`, which may include a selector:
/// `PreToolUse(Bash)`. `None` if it is unknown or means every event.
#[must_use]
pub fn event_by_foreign_name(name: &str) -> Option<&'static str> {
    phrases::meaning(PhrasePlace::Event, name).filter(|event| *event != "*")
}

/// Converts the name of an MCP tool with other separators to the host's form: `mcp__github__create_issue` for
/// `mcp.github.create_issue`, `mcp__github__*` for `mcp_github`. `None` for any other name, and for one that is
/// already in that form.
#[must_use]
pub fn normalised_mcp_name(name: &str) -> Option<String> {
    const MARKS: &[char] = &['_', '-', '.', ':', '/'];
    let (prefix, rest) = name.split_at_checked(3)?;
    if !prefix.eq_ignore_ascii_case("mcp") || !rest.starts_with(MARKS) || name.starts_with("mcp__") {
        return None;
    }
    let rest = rest.trim_start_matches(MARKS);
    let (server, tool) = match rest.split_once(MARKS) {
        Some((server, tool)) => (server, tool.trim_start_matches(MARKS)),
        None => (rest, ""),
    };
    let tool = if tool.is_empty() { "*" } else { tool };
    (!server.is_empty()).then(|| format!("mcp__{server}__{tool}"))
}

/// Calls `see` with the names that a tool of a plugin's server would have if the server were not of a plugin:
/// `mcp__linear__list` for `mcp__plugin_linear_linear__list`. Both the plugin and the server may have a `_` in their
/// names.
pub fn visit_names_without_plugin(tool: &str, mut see: impl FnMut(&str)) {
    let Some((names, tool)) = tool.strip_prefix("mcp__plugin_").and_then(|rest| rest.split_once("__")) else { return };
    for (at, _) in names.match_indices('_') {
        let server = names.get(at + 1..).unwrap_or_default();
        if !server.is_empty() {
            see(&format!("mcp__{server}__{tool}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Event, tool_spec};

    #[test]
    fn every_row_leads_to_a_tool_or_an_event_of_ours() {
        for row in phrases::phrases_of_place(PhrasePlace::Tool) {
            assert!(tool_spec(row.means).is_some(), "{}", row.means);
        }
        for row in phrases::phrases_of_place(PhrasePlace::Event).iter().filter(|row| !matches!(row.means, "" | "*")) {
            let (event, selector) = row.means.split_once('(').unwrap_or((row.means, ")"));
            assert!(Event::from_name(event).is_some() && selector.ends_with(')'), "{}", row.means);
        }
    }

    #[test]
    fn no_word_of_others_is_a_name_of_ours() {
        for tool in crate::schema::TOOLS {
            assert!(tool_by_foreign_name(tool.name).is_none(), "{}", tool.name);
        }
        for event in Event::ALL {
            assert!(event_by_foreign_name(event.name()).is_none(), "{}", event.name());
        }
    }

    #[test]
    fn a_tool_of_a_plugin_has_the_names_of_its_server() {
        let names = |tool| {
            let mut names = Vec::new();
            visit_names_without_plugin(tool, |name| names.push(name.to_owned()));
            names
        };
        assert_eq!(names("mcp__plugin_linear_linear__list_issues"), ["mcp__linear__list_issues"]);
        assert_eq!(names("mcp__plugin_a_b_c__x"), ["mcp__b_c__x", "mcp__c__x"]);
        assert!(names("mcp__linear__list_issues").is_empty());
        assert!(names("mcp__plugin_linear").is_empty());
    }

    #[test]
    fn a_tool_of_a_server_has_two_underscores_twice() {
        assert_eq!(normalised_mcp_name("mcp_github_*").as_deref(), Some("mcp__github__*"));
        assert_eq!(normalised_mcp_name("mcp.github.create_issue").as_deref(), Some("mcp__github__create_issue"));
        assert_eq!(normalised_mcp_name("MCP__github__*").as_deref(), Some("mcp__github__*"));
        assert_eq!(normalised_mcp_name("mcp_github").as_deref(), Some("mcp__github__*"));
        assert_eq!(normalised_mcp_name("mcp__github__*"), None);
        assert_eq!(normalised_mcp_name("mcpfoo"), None);
    }
}
