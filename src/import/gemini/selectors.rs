//! The tools of a rule, by the names that Gemini CLI and MCP servers use.

use crate::host::Host;
use crate::import::draft::format_selectors;

/// The tools that a rule is about, as globs on their names in policies; empty for every tool.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct ToolSelection(Vec<String>);

impl ToolSelection {
    /// Returns the selection of the tools with these names, of this server if there is one.
    pub(super) fn new(names: &[String], server: Option<&str>) -> Self {
        let mut globs: Vec<String> = match (names, server) {
            ([], Some(server)) => vec![format!("mcp__{server}__*")],
            (names, Some(server)) => names.iter().map(|name| format!("mcp__{server}__{name}")).collect(),
            (names, None) => names.iter().map(|name| name_here(name)).collect(),
        };
        globs.iter_mut().filter(|glob| glob.as_str() == "mcp__*__*").for_each(|glob| *glob = "mcp__*".to_owned());
        if globs.iter().any(|glob| glob == "*") { Self::default() } else { Self(globs) }
    }

    /// Whether every tool is selected.
    pub(super) fn is_every(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the globs on the names of tools.
    pub(super) fn names(&self) -> &[String] {
        &self.0
    }

    /// Whether the tool is selected by exactly this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|glob| glob == name)
    }

    /// Whether a tool may be in both selections.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let is_both =
            |a: &str, b: &str| hookrules_shell::path::glob_matches(a, b) || hookrules_shell::path::glob_matches(b, a);
        self.is_every() || other.is_every() || self.0.iter().any(|a| other.0.iter().any(|b| is_both(a, b)))
    }

    /// Returns the selectors of `on PreToolUse(…)`; empty for every tool.
    pub(super) fn selectors(&self) -> String {
        format_selectors(&self.0, "")
    }

    /// Returns the names as words, for the name of a rule.
    pub(super) fn words(&self) -> String {
        if self.is_every() { "tools".to_owned() } else { self.0.join(" ") }
    }

    /// Returns an example of a call for each selected tool.
    pub(super) fn example_calls(&self) -> Vec<String> {
        let call = |glob: &String| match glob.as_str() {
            "Bash" => "Bash \"make\"".to_owned(),
            "Read" | "Write" | "Edit" => format!("{glob} \"src/a.rs\""),
            glob => glob.replace('*', "x"),
        };
        if self.is_every() { vec!["Write \"src/a.rs\"".to_owned()] } else { self.0.iter().map(call).collect() }
    }

    /// Returns calls of tools that are probably not selected.
    pub(super) fn other_calls(&self) -> Vec<String> {
        vec!["Read \"README.md\"".to_owned(), "Bash \"ls\"".to_owned()]
    }
}

/// Returns the name of a tool in policies: `run_shell_command` is Bash, `mcp_server_tool` is `mcp__server__tool`.
fn name_here(name: &str) -> String {
    if let Some(known) = Host::from_name("gemini").and_then(|host| host.tool_here(name)) {
        return known.to_owned();
    }
    if name.contains("__") {
        return if name.starts_with("mcp__") { name.to_owned() } else { format!("mcp__{name}") };
    }
    match name.strip_prefix("mcp_") {
        Some("*") => "mcp__*".to_owned(),
        Some(rest) => match rest.split_once('_') {
            Some((server, tool)) => format!("mcp__{server}__{tool}"),
            None => format!("mcp__{rest}"),
        },
        None => name.to_owned(),
    }
}
