//! The schema's names for the tools and events of other agents, whose names authors of policies may know.

use std::cmp::Ordering;

use super::{Event, tool_spec};
use crate::phrases::{self, PhrasePlace};

/// The names that hosts have, and what they mean in the schema, sorted. The build script takes them from `hosts/*.toml`.
mod table {
    /// Rows that are sorted by their keys, each with its values.
    pub(super) type Table<K, V> = &'static [(K, &'static [V])];

    include!(concat!(env!("OUT_DIR"), "/host_names.rs"));
}

/// What an event's name means that a host has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HostEventMeaning {
    /// The event of the schema.
    pub event: Event,
    /// The only tools whose calls are announced under this name; empty if all tools are.
    pub tools: &'static [&'static str],
}

impl HostEventMeaning {
    /// Returns the meaning as it is written after `on`: `PreToolUse(Bash)`.
    #[must_use]
    pub fn head(&self) -> String {
        match self.tools {
            [] => self.event.name().to_owned(),
            tools => format!("{}({})", self.event.name(), tools.join("|")),
        }
    }
}

/// Returns the meanings of a name that hosts have for events, in their spelling; empty if no host has it.
#[must_use]
pub fn events_named_by_hosts(name: &str) -> Vec<HostEventMeaning> {
    let meaning = |(event, tools): &(&str, &'static [&'static str])| {
        Event::from_name(event).map(|event| HostEventMeaning { event, tools })
    };
    values(table::EVENTS, |key| (*key).cmp(name)).iter().filter_map(meaning).collect()
}

/// Returns the schema's names of the tools that hosts call by this name, in their spelling: `Bash` for
/// `run_shell_command`. Empty if no host has it, if it is a name of the schema, or if the schema lacks the tool.
#[must_use]
pub fn tools_named_by_hosts(name: &str) -> &'static [&'static str] {
    if tool_spec(name).is_some() {
        return &[];
    }
    let tools = values(table::TOOLS, |key| (*key).cmp(name));
    if tools.iter().all(|tool| tool_spec(tool).is_some()) { tools } else { &[] }
}

/// Returns the schema's name of the tool that hosts call by this name; `None` if it is not a single one.
#[must_use]
pub fn tool_named_by_hosts(name: &str) -> Option<&'static str> {
    match tools_named_by_hosts(name) {
        [tool] => Some(tool),
        _ => None,
    }
}

/// Returns the path of a field in the schema, given its path in the payloads of hosts: `tool_name` for `toolName`,
/// `tool_input.file_path` for `toolInput.filePath`. Members of the input are those of `tools`. `None` if no host has
/// the path, or if it means several fields.
#[must_use]
pub fn field_named_by_hosts(path: &[&str], tools: &[&str]) -> Option<Vec<String>> {
    // A single word, such as `input`, may as well be from another language.
    let is_certain = path.first()?.contains(|c: char| c == '_' || c.is_ascii_uppercase());
    let lengths = if is_certain { path.len() } else { 0 };
    let of_hosts = (1..=lengths).rev().find_map(|length| {
        let (first, rest) = path.split_at_checked(length)?;
        let first = first.join(".");
        let [field] = values(table::FIELDS, |key| (*key).cmp(first.as_str())) else { return None };
        Some((*field, rest))
    });
    let in_schema = || Some(("tool_input", path.strip_prefix(&["tool_input"])?));
    let (field, rest) = of_hosts.or_else(in_schema)?;
    let mut found = vec![field];
    found.extend_from_slice(rest);
    if let ("tool_input", Some(member)) = (field, found.get_mut(1)) {
        *member = member_named_by_hosts(member, tools)?;
    }
    (found != path).then(|| found.into_iter().map(str::to_owned).collect())
}

/// Returns the schema's name of a member of the input of one of the tools, given the name that hosts have for it; the
/// name itself if no host has it. `None` if it means several members.
fn member_named_by_hosts<'n>(name: &'n str, tools: &[&str]) -> Option<&'n str> {
    let of_tool = |tool: &&str| values(table::MEMBERS, |key| key.cmp(&(*tool, name)));
    let mut meanings: Vec<&'static str> = tools.iter().flat_map(of_tool).copied().collect();
    meanings.sort_unstable();
    meanings.dedup();
    match meanings.as_slice() {
        [] => Some(name),
        [meaning] => Some(meaning),
        _ => None,
    }
}

/// Returns the values of a row in a sorted table; empty if the table does not have it. `order` compares the key of a row
/// with the wanted one.
fn values<K, V>(rows: table::Table<K, V>, order: impl Fn(&K) -> Ordering) -> &'static [V] {
    let found = rows.binary_search_by(|(key, _)| order(key)).ok();
    found.and_then(|at| rows.get(at)).map_or(&[], |(_, values)| *values)
}

/// Returns the schema's name of a tool that other agents call by this name: `Bash` for `run_shell_command`; `None` if
/// it is unknown. Case and separators do not count.
#[must_use]
pub fn tool_by_foreign_name(name: &str) -> Option<&'static str> {
    if tool_spec(name).is_some() {
        return None;
    }
    let names = similar_names(PhrasePlace::Tool, name, table::TOOLS.iter().map(|(name, _)| *name));
    let of_hosts = names.flat_map(tools_named_by_hosts).copied();
    only(of_hosts).or_else(|| phrases::meaning(PhrasePlace::Tool, name))
}

/// Returns the schema's event for an event of other agents, in the form after `on`, which may include a selector:
/// `PreToolUse(Bash)`. `None` if it is unknown or means every event. Case and separators do not count.
#[must_use]
pub fn event_by_foreign_name(name: &str) -> Option<String> {
    if Event::from_name(name).is_some() {
        return None;
    }
    let names = similar_names(PhrasePlace::Event, name, table::EVENTS.iter().map(|(name, _)| *name));
    let of_hosts = names.flat_map(events_named_by_hosts).map(|meaning| meaning.head());
    let meaning = || phrases::meaning(PhrasePlace::Event, name).filter(|event| *event != "*").map(str::to_owned);
    only(of_hosts).or_else(meaning)
}

/// Returns those of the names that are the same as another one without regard to case and separators.
fn similar_names(
    place: PhrasePlace,
    name: &str,
    known: impl Iterator<Item = &'static str>,
) -> impl Iterator<Item = &'static str> {
    let folded = place.folded(name);
    known.filter(move |known| place.folded(known) == folded)
}

/// Returns the only value; `None` if there is none, or several that differ.
fn only<T: PartialEq>(mut values: impl Iterator<Item = T>) -> Option<T> {
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
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
    use crate::schema::Subject;

    #[test]
    fn names_of_hosts_are_sorted_and_lead_to_the_schema() {
        assert!(table::EVENTS.is_sorted_by(|one, other| one.0 < other.0));
        assert!(table::TOOLS.is_sorted_by(|one, other| one.0 < other.0));
        assert!(table::FIELDS.is_sorted_by(|one, other| one.0 < other.0));
        assert!(table::MEMBERS.is_sorted_by(|one, other| one.0 < other.0));
        let has_meaning = |(name, meanings): &(&str, &[(&str, &[&str])])| {
            let known = events_named_by_hosts(name);
            known.len() == meanings.len()
                && known.iter().all(|it| it.tools.is_empty() || it.event.spec().subject == Subject::Tool)
        };
        assert!(table::EVENTS.iter().all(has_meaning));
        let is_tool = |name: &&str| tool_spec(name).is_some() || *name == "apply_patch";
        assert!(table::TOOLS.iter().all(|(_, meanings)| !meanings.is_empty() && meanings.iter().all(is_tool)));
    }

    #[test]
    fn a_name_of_a_host_is_exact_and_a_similar_one_is_foreign() {
        assert_eq!(tool_named_by_hosts("run_shell_command"), Some("Bash"));
        assert_eq!(tool_named_by_hosts("runShellCommand"), None);
        assert_eq!(tool_by_foreign_name("runShellCommand"), Some("Bash"));
        // A tool of Qwen Code and one of Kiro, and a tool that writes whole files as well.
        assert_eq!(tools_named_by_hosts("write"), ["Edit", "Write"]);
        assert_eq!(tools_named_by_hosts("editor"), ["Edit", "Write"]);
        assert_eq!(tool_named_by_hosts("Task"), None, "a name of the schema");
        let heads = |name: &str| events_named_by_hosts(name).iter().map(HostEventMeaning::head).collect::<Vec<_>>();
        assert_eq!(heads("BeforeTool"), ["PreToolUse"]);
        assert_eq!(heads("beforeMCPExecution"), ["PreToolUse(mcp__*)"]);
        assert_eq!(heads("pre_write_code"), ["PreToolUse(Edit|Write)"]);
        assert!(heads("beforetool").is_empty());
        assert_eq!(event_by_foreign_name("before-tool").as_deref(), Some("PreToolUse"));
        // `agent.start` of Amp is a prompt, `agent_start` of Cline CLI the start of a session.
        assert_eq!(event_by_foreign_name("agentStart"), None);
    }

    #[test]
    fn a_field_of_a_host_is_found_by_its_path() {
        let field = |path: &str, tools: &[&str]| {
            let path: Vec<&str> = path.split('.').collect();
            field_named_by_hosts(&path, tools).map(|found| found.join("."))
        };
        for (path, tools, expected) in [
            ("toolName", &[][..], Some("tool_name")),
            ("toolInput.command", &["Bash"], Some("tool_input.command")),
            ("tool_input.absolute_path", &["Read"], Some("tool_input.file_path")),
            ("tool_input.absolute_path", &["Bash"], None),
            ("tool_call.input.commands", &["Bash"], Some("tool_input.command")),
            ("tool_input.new_str", &["Edit", "Write"], Some("tool_input.new_string")),
            ("tool_input.file_path", &["Read"], None),
            ("tool_name", &[], None),
            ("nothing", &["Read"], None),
            ("input.tool", &[], None),
        ] {
            assert_eq!(field(path, tools).as_deref(), expected, "{path}");
        }
    }

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
