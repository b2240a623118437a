//! Script blocks passed to a command or method that may run them: `Register-ObjectEvent … -Action { … }`, `.Where({ …
//! })`.
//!
//! The receiver may run a block at once, later or never; its commands count.

use super::arguments::{Argument, Arguments};
use super::cmdlets::canonical_name;
use super::pipeline::{Flow, has_commands};
use super::statement::{perhaps, written_out};
use super::value::{Kind, Piece, Value};
use super::{Bounded, Outcome, Translator};

/// Cmdlets with known handling of their blocks.
const FOLLOWED: &[&str] = &[
    "ForEach-Object",
    "Where-Object",
    "Invoke-Command",
    "Start-Job",
    "Start-ThreadJob",
    "Measure-Command",
    "Invoke-Expression",
];

impl Translator {
    /// Adds the commands that the blocks in the arguments of a command may run.
    pub(super) fn with_blocks(&mut self, flow: Flow, name: &str, arguments: &Arguments) -> Outcome<Flow> {
        let blocks = blocks(arguments);
        if blocks.is_empty() || canonical_name(name).is_some_and(|name| FOLLOWED.contains(&name)) {
            return Ok(flow);
        }
        let bodies = self.bodies(&blocks);
        if bodies.is_empty() {
            return Ok(flow);
        }
        let before = flow.value.as_ref().map_or_else(|| flow.text.clone(), written_out);
        let text = format!("{before}\n{bodies}");
        self.wrote(&bodies)?;
        Ok(Flow { text, is_compound: true, value: None, objects: flow.objects })
    }

    /// Adds the commands that the blocks in the arguments of a call may run to its result.
    pub(super) fn called_with(&mut self, mut value: Value, arguments: &[Value]) -> Value {
        let blocks: Vec<Value> = arguments.iter().filter(|value| is_block(value)).cloned().collect();
        let bodies = self.bodies(&blocks);
        if !bodies.is_empty() {
            value.items.push(vec![Piece::Output(bodies)]);
        }
        value
    }

    /// Writes what some blocks may run. Unreadable blocks are reported as unread.
    fn bodies(&mut self, blocks: &[Value]) -> String {
        let mut text = String::new();
        for block in blocks {
            match self.in_block(block) {
                Ok(body) if has_commands(&body) => text.push_str(&perhaps(&body)),
                Ok(_) => {}
                Err(_) => self.unread.extend(block.known()),
            }
        }
        text
    }
}

/// Returns the blocks among the arguments.
pub(super) fn blocks(arguments: &Arguments) -> Vec<Value> {
    arguments.all.iter().filter_map(Argument::value).filter(is_block).collect()
}

/// Whether a value is a block.
pub(super) fn is_block(value: &Value) -> bool {
    value.kind == Kind::Code && value.known().is_some_and(|text| text.starts_with('{'))
}
