//! Script blocks as arguments of a command or a method that may run them: `Register-ObjectEvent … -Action { … }`,
//! `.Where({ … })`.
//!
//! The block may run at once, later or never, so its commands are translated as commands that may run.

use super::arguments::{CommandArgument, CommandArguments};
use super::cmdlets::canonical_name;
use super::pipeline::{PowerShellPipeline, has_commands};
use super::statement::{optional_body, output_command};
use super::value::{PowerShellValue, PowerShellValueKind, ValuePiece};
use super::{LimitedTranslator, PowerShellTranslator, TranslationResult};

/// Cmdlets whose blocks other code translates or analyses.
const HANDLED_ELSEWHERE: &[&str] = &[
    "ForEach-Object",
    "Where-Object",
    "Invoke-Command",
    "Start-Job",
    "Start-ThreadJob",
    "Measure-Command",
    "Invoke-Expression",
];

impl PowerShellTranslator {
    /// Appends the commands that the blocks in the arguments of a command may run.
    pub(super) fn with_blocks(
        &mut self,
        flow: PowerShellPipeline,
        name: &str,
        arguments: &CommandArguments,
    ) -> TranslationResult<PowerShellPipeline> {
        let blocks = blocks(arguments);
        if blocks.is_empty() || canonical_name(name).is_some_and(|name| HANDLED_ELSEWHERE.contains(&name)) {
            return Ok(flow);
        }
        let bodies = self.bodies(&blocks);
        if bodies.is_empty() {
            return Ok(flow);
        }
        let before = flow.value.as_ref().map_or_else(|| flow.text.clone(), output_command);
        let text = format!("{before}\n{bodies}");
        self.charge(&bodies)?;
        Ok(PowerShellPipeline { text, is_compound: true, value: None, ..flow })
    }

    /// Adds the commands that the blocks in the arguments of a call may run to the value of the call.
    pub(super) fn with_block_commands(
        &mut self,
        mut value: PowerShellValue,
        arguments: &[PowerShellValue],
    ) -> PowerShellValue {
        let blocks: Vec<PowerShellValue> = arguments.iter().filter(|value| is_block(value)).cloned().collect();
        let bodies = self.bodies(&blocks);
        if !bodies.is_empty() {
            value.items.push(vec![ValuePiece::Output(bodies)]);
        }
        value
    }

    /// Records the commands that the block of an annotation may run: `[ValidateScript({ … })]`.
    pub(super) fn note_annotation(&mut self, text: &str) {
        let block = text.find('{').zip(text.rfind('}')).and_then(|(from, to)| text.get(from..=to));
        if let Some(block) = block {
            let block = PowerShellValue { kind: PowerShellValueKind::Code, ..PowerShellValue::text(block) };
            let bodies = self.bodies(&[block]);
            self.annotations.push_str(&bodies);
        }
    }

    /// Returns the commands that some blocks may run, in bash. A block that cannot be translated is recorded as
    /// unread.
    fn bodies(&mut self, blocks: &[PowerShellValue]) -> String {
        let mut text = String::new();
        for block in blocks {
            match self.block_statements(block) {
                Ok(body) if has_commands(&body) => text.push_str(&optional_body(&body)),
                Ok(_) => {}
                Err(_) => self.unread.extend(block.known_text()),
            }
        }
        text
    }
}

/// Returns the blocks among the arguments.
pub(super) fn blocks(arguments: &CommandArguments) -> Vec<PowerShellValue> {
    arguments.items.iter().filter_map(CommandArgument::value).filter(is_block).collect()
}

/// Whether a value is a block in braces.
pub(super) fn is_block(value: &PowerShellValue) -> bool {
    value.kind == PowerShellValueKind::Code && value.known_text().is_some_and(|text| text.starts_with('{'))
}
