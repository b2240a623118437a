//! The built-in tools.

use super::ToolSpec;

/// Every built-in tool.
pub const TOOLS: &[ToolSpec] = &[];

/// Returns the row of a tool; `Task`, the old name, is `Agent`.
#[must_use]
pub fn tool(name: &str) -> Option<&'static ToolSpec> {
    let name = if name == "Task" { "Agent" } else { name };
    TOOLS.iter().find(|tool| tool.name == name)
}
