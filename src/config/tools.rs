//! The tools whose input contains a shell command, and the records of tools, according to the layers.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::LayerKind;
use crate::tool_records::{ToolRecord, applicable_records, built_in, built_in_for};
use crate::wire::wire_struct;

/// The shell tools that the schema does not have, and the tool records, as the layers configure them.
///
/// The configuration of a layer applies to its rules and to those of lower layers. A lower layer must not change how
/// the rules of a higher layer read a call: it could hide the command from them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ShellTools {
    /// For each tool, the members of its input that a layer declares to be shell commands.
    by_tool: BTreeMap<String, Vec<ShellMemberSetting>>,
    /// The records of each layer that has any, the highest layer first.
    records: Vec<LayerToolRecords>,
}

/// The tool records that a layer adds.
#[derive(Clone, PartialEq, Eq, Debug)]
struct LayerToolRecords {
    layer: LayerKind,
    records: Vec<ToolRecord>,
}

/// Identifies a tool record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordId {
    /// The index of the layer among those with records; `None` if the record is built into the program.
    layer: Option<usize>,
    /// The index of the record in its layer, or among the built-in ones.
    number: usize,
}

/// A setting of a layer: a member of a tool's input is a shell command.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ShellMemberSetting {
    layer: LayerKind,
    /// The name of the member, directly in the tool's input: `command`.
    member: String,
}

wire_struct!(ShellTools { by_tool, records });
wire_struct!(LayerToolRecords { layer, records });
wire_struct!(ShellMemberSetting { layer, member });

impl ShellTools {
    /// Adds the setting of a layer that a member of a tool's input is a shell command.
    pub fn add_shell_member(&mut self, layer: LayerKind, tool: &str, member: &str) {
        let statement = ShellMemberSetting { layer, member: member.to_owned() };
        self.by_tool.entry(tool.to_owned()).or_default().push(statement);
    }

    /// Adds the tool records of a layer.
    pub fn add_records(&mut self, layer: LayerKind, records: &[ToolRecord]) {
        if !records.is_empty() {
            self.records.push(LayerToolRecords { layer, records: records.to_vec() });
            self.records.sort_by_key(|added| added.layer);
        }
    }

    /// Returns the records that describe a call for the rules of a layer. They are those of the highest layer with a
    /// record for this tool and input, without layers below the given one, else the built-in ones.
    #[must_use]
    pub fn records(&self, tool: &str, input: &Json, layer: LayerKind) -> Vec<RecordId> {
        for (index, added) in self.records.iter().enumerate().filter(|(_, added)| added.layer <= layer) {
            let chosen = applicable_records(added.records.iter().enumerate(), tool, input);
            if !chosen.is_empty() {
                return chosen.into_iter().map(|number| RecordId { layer: Some(index), number }).collect();
            }
        }
        built_in_for(tool, input).into_iter().map(|number| RecordId { layer: None, number }).collect()
    }

    /// Returns the record that an id identifies; `None` if there is none.
    #[must_use]
    pub fn record(&self, id: RecordId) -> Option<&ToolRecord> {
        match id.layer {
            Some(layer) => self.records.get(layer)?.records.get(id.number),
            None => built_in().get(id.number),
        }
    }

    /// Returns the members of a tool's input that the rules of a layer read as shell commands, without duplicates,
    /// those of the highest layer first.
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

    /// Returns the members from [`Self::members`] that the input of a call has. If the result is empty, the caller
    /// finds the command by the shape of the input: the setting refers to another version of the tool, and must not
    /// hide the command.
    #[must_use]
    pub fn shell_members(&self, tool: Option<&str>, input: Option<&Json>, layer: LayerKind) -> Vec<&str> {
        let (Some(tool), Some(input)) = (tool, input) else { return Vec::new() };
        let is_given = |member: &&str| input.get(*member).is_some_and(|value| !value.is_null());
        self.members(tool, layer).into_iter().filter(is_given).collect()
    }

    /// Returns the layers whose rules read a call of a tool differently than the rules of the local layer, to which
    /// the settings of all layers apply.
    #[must_use]
    pub fn layers_reading_differently(&self, tool: &str) -> Vec<LayerKind> {
        let has_record = |added: &LayerToolRecords| added.records.iter().any(|record| record.is_named(tool));
        let recorded: Vec<LayerKind> =
            self.records.iter().filter(|added| has_record(added)).map(|added| added.layer).collect();
        if !self.by_tool.contains_key(tool) && recorded.is_empty() {
            return Vec::new();
        }
        // Compares the number of applicable layers with records, not the records: each layer that adds one may change
        // the reading.
        let reading = |layer: LayerKind| {
            (self.members(tool, layer), recorded.iter().filter(|recorded| **recorded <= layer).count())
        };
        let complete_reading = reading(LayerKind::Local);
        LayerKind::ALL.into_iter().filter(|layer| reading(*layer) != complete_reading).collect()
    }
}
