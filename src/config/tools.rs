//! Tools with an input member that is a shell command, according to the layers.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::LayerKind;
use crate::tool_records::{ToolRecord, applicable_records, built_in, built_in_for};
use crate::wire::wire_struct;

/// Shell tools in addition to those of the schema, and tool records, as configured by the layers.
///
/// The configuration of a layer applies to its own rules and those of the layers below: a lower layer must not change
/// how the rules of a higher one read a call, or it could divert them from the relevant member.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ShellTools {
    by_tool: BTreeMap<String, Vec<Statement>>,
    /// Those of the highest layer first.
    records: Vec<LayerToolRecords>,
}

/// The tool records that a layer adds.
#[derive(Clone, PartialEq, Eq, Debug)]
struct LayerToolRecords {
    layer: LayerKind,
    records: Vec<ToolRecord>,
}

/// A tool record, built in or added by a layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordId {
    /// The index of the layer among those with records; `None` if it is built in.
    layer: Option<usize>,
    number: usize,
}

/// A member of a tool's input that is a shell command, according to a layer.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Statement {
    layer: LayerKind,
    member: String,
}

wire_struct!(ShellTools { by_tool, records });
wire_struct!(LayerToolRecords { layer, records });
wire_struct!(Statement { layer, member });

impl ShellTools {
    /// Adds a statement of a layer.
    pub fn add_statement(&mut self, layer: LayerKind, tool: &str, member: &str) {
        let statement = Statement { layer, member: member.to_owned() };
        self.by_tool.entry(tool.to_owned()).or_default().push(statement);
    }

    /// Adds the records of a layer.
    pub fn add_records(&mut self, layer: LayerKind, records: &[ToolRecord]) {
        if !records.is_empty() {
            self.records.push(LayerToolRecords { layer, records: records.to_vec() });
            self.records.sort_by_key(|added| added.layer);
        }
    }

    /// Returns the records with which the rules of a layer read a call of a tool that the schema lacks: those of the
    /// highest layer that has any for the call, else the built-in ones.
    #[must_use]
    pub fn records(&self, tool: &str, input: &Json, layer: LayerKind) -> Vec<RecordId> {
        for (place, added) in self.records.iter().enumerate().filter(|(_, added)| added.layer <= layer) {
            let chosen = applicable_records(added.records.iter().enumerate(), tool, input);
            if !chosen.is_empty() {
                return chosen.into_iter().map(|number| RecordId { layer: Some(place), number }).collect();
            }
        }
        built_in_for(tool, input).into_iter().map(|number| RecordId { layer: None, number }).collect()
    }

    /// Returns a record.
    #[must_use]
    pub fn record(&self, id: RecordId) -> Option<&ToolRecord> {
        match id.layer {
            Some(layer) => self.records.get(layer)?.records.get(id.number),
            None => built_in().get(id.number),
        }
    }

    /// Returns the members of a tool that the rules of a layer take as commands, each once, those of the highest layer
    /// first.
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

    /// Returns those of these members that a call has. If there are none, the call is read by its shape: the statement
    /// refers to another member or another version of the tool, and must not hide the command.
    #[must_use]
    pub fn shell_members(&self, tool: Option<&str>, input: Option<&Json>, layer: LayerKind) -> Vec<&str> {
        let (Some(tool), Some(input)) = (tool, input) else { return Vec::new() };
        let is_said = |member: &&str| input.get(*member).is_some_and(|value| !value.is_null());
        self.members(tool, layer).into_iter().filter(is_said).collect()
    }

    /// Returns the layers whose rules read a tool's calls differently from those of the lowest layer.
    #[must_use]
    pub fn layers_reading_differently(&self, tool: &str) -> Vec<LayerKind> {
        let has_record = |added: &LayerToolRecords| added.records.iter().any(|record| record.is_named(tool));
        let recorded: Vec<LayerKind> =
            self.records.iter().filter(|added| has_record(added)).map(|added| added.layer).collect();
        if !self.by_tool.contains_key(tool) && recorded.is_empty() {
            return Vec::new();
        }
        let reading = |layer: LayerKind| {
            (self.members(tool, layer), recorded.iter().filter(|recorded| **recorded <= layer).count())
        };
        let all = reading(LayerKind::Local);
        LayerKind::ALL.into_iter().filter(|layer| reading(*layer) != all).collect()
    }
}
