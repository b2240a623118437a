//! Tools of which the layers say that a member of their input is a shell command.

use std::collections::BTreeMap;

use super::LayerKind;
use crate::wire::wire_struct;

/// Shell tools beside those of the schema, as the layers state them.
///
/// What a layer states holds for its own rules and those of the layers below: how a call is read by the rules of a
/// higher layer is not for a lower one to say, or it could turn their eyes from the member that matters.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ShellTools {
    by_tool: BTreeMap<String, Vec<Statement>>,
}

/// That a member of a tool's input is a shell command.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Statement {
    layer: LayerKind,
    member: String,
}

wire_struct!(ShellTools { by_tool });
wire_struct!(Statement { layer, member });

impl ShellTools {
    /// Adds what a layer states.
    pub fn state(&mut self, layer: LayerKind, tool: &str, member: &str) {
        let statement = Statement { layer, member: member.to_owned() };
        self.by_tool.entry(tool.to_owned()).or_default().push(statement);
    }

    /// Returns the members that the rules of a layer take for commands of a tool, each once, the highest layer's first.
    #[must_use]
    pub fn members(&self, tool: &str, layer: LayerKind) -> Vec<&str> {
        let mut members = Vec::new();
        for statement in self.by_tool.get(tool).into_iter().flatten().filter(|statement| statement.layer <= layer) {
            if !members.contains(&statement.member.as_str()) {
                members.push(&statement.member);
            }
        }
        members
    }

    /// Returns the layers whose rules read a tool's calls otherwise than those of the lowest layer do.
    #[must_use]
    pub fn reading_apart(&self, tool: &str) -> Vec<LayerKind> {
        if !self.by_tool.contains_key(tool) {
            return Vec::new();
        }
        let all = self.members(tool, LayerKind::Local);
        LayerKind::ALL.into_iter().filter(|layer| self.members(tool, *layer) != all).collect()
    }
}
