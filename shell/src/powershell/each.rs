//! Translates `ForEach-Object` and `Where-Object`: what runs for each object of a pipeline.

use super::arguments::{CommandArgument, CommandArguments, named_value, unnamed_values};
use super::blocks::{blocks, is_block};
use super::pipeline::{PowerShellPipeline, has_commands};
use super::statement::loop_over_words;
use super::types::{CallResult, member_call};
use super::value::{PowerShellValue, PowerShellValueKind};
use super::{PowerShellTranslator, ReturnScope, TranslationResult};

/// The parameters of `ForEach-Object` whose values run.
const EACH_SCRIPTS: &[&str] = &["Begin", "Process", "End", "RemainingScripts", "Parallel"];

impl PowerShellTranslator {
    /// Translates `ForEach-Object` with blocks, or with the name of a member of each object.
    pub(super) fn for_each_object(
        &mut self,
        flow: PowerShellPipeline,
        arguments: &CommandArguments,
    ) -> TranslationResult<PowerShellPipeline> {
        let mut found = blocks(arguments);
        found.dedup();
        let named = EACH_SCRIPTS.iter().filter_map(|name| named_value(&arguments.items, name));
        let mut text: String = named.filter_map(|script| script_call(&script)).collect();
        let mut unnamed = unnamed_values(&arguments.items).into_iter();
        if found.is_empty() && text.is_empty() {
            let member = named_value(&arguments.items, "MemberName").or_else(|| unnamed.next()).unwrap_or_default();
            match member.known_text().filter(|_| member.kind != PowerShellValueKind::Code) {
                // `% Delete` calls this member of each object.
                Some(member) => {
                    let given: Vec<PowerShellValue> =
                        unnamed.chain(named_value(&arguments.items, "ArgumentList")).collect();
                    match member_call(&PowerShellValue::variable("psitem"), &member, &given) {
                        CallResult::Value(value) => text.push_str(&value.commands()),
                        CallResult::Unread => {}
                    }
                }
                None => text.extend(script_call(&member)),
            }
            return Ok(self.loop_over_objects(flow, &text));
        }
        text.extend(unnamed.filter_map(|script| script_call(&script)));
        self.each_object(flow, &found, &text)
    }

    /// Translates `… | ForEach-Object { … }` into a loop over the objects; `others` also runs for each of them.
    fn each_object(
        &mut self,
        flow: PowerShellPipeline,
        blocks: &[PowerShellValue],
        others: &str,
    ) -> TranslationResult<PowerShellPipeline> {
        let bodies = self.bodies_for_each(&flow, blocks)?;
        Ok(self.loop_over_objects(flow, &format!("{others}{}", bodies.join("\n"))))
    }

    /// Translates blocks that run for each object of a pipeline.
    fn bodies_for_each(
        &mut self,
        flow: &PowerShellPipeline,
        blocks: &[PowerShellValue],
    ) -> TranslationResult<Vec<String>> {
        let may_hold = self.may_pass_files(flow);
        let outer = self.file_variables.insert("psitem".to_owned(), may_hold);
        self.return_scopes.push(ReturnScope::Each);
        let bodies: TranslationResult<Vec<String>> = blocks.iter().map(|block| self.block_statements(block)).collect();
        self.return_scopes.pop();
        match outer {
            Some(outer) => self.file_variables.insert("psitem".to_owned(), outer),
            None => self.file_variables.remove("psitem"),
        };
        bodies
    }

    /// Whether the objects of a pipeline may be files.
    pub(super) fn may_pass_files(&self, flow: &PowerShellPipeline) -> bool {
        match flow.objects.as_ref().or(flow.value.as_ref()) {
            Some(objects) => self.may_hold_files(objects),
            None => flow.may_be_files || flow.text.is_empty(),
        }
    }

    /// Returns a loop over the objects of a pipeline. `body` is text in bash, in which `psitem` is the object.
    fn loop_over_objects(&mut self, flow: PowerShellPipeline, body: &str) -> PowerShellPipeline {
        self.assigned.insert("psitem".to_owned());
        let may_be_files = self.may_pass_files(&flow) || self.outputs_files(body);
        let object_words = flow.object_words();
        let text = match (&object_words, flow.value.is_some()) {
            // The value has no other effect than to yield the objects.
            (Some(words), true) => loop_over_words("psitem", words, body),
            (Some(words), false) => format!("{}\n{}", flow.text, loop_over_words("psitem", words, body)),
            (None, _) => {
                let text = flow.into_group();
                let from = if text.is_empty() { PowerShellValue::unknown() } else { PowerShellValue::output(text) };
                loop_over_words("psitem", &from.word(), body)
            }
        };
        PowerShellPipeline { text, is_compound: true, may_be_files, ..PowerShellPipeline::default() }
    }

    /// Translates `… | Where-Object { … }`: the block runs for each object, and the objects stay the same.
    pub(super) fn where_object(
        &mut self,
        flow: PowerShellPipeline,
        arguments: &CommandArguments,
    ) -> TranslationResult<PowerShellPipeline> {
        let outer = std::mem::take(&mut self.assigned);
        let bodies = self.bodies_for_each(&flow, &blocks(arguments));
        let mut body: String = bodies?.iter().filter(|body| has_commands(body)).cloned().collect();
        self.assigned.extend(outer);
        body.extend(filter_script(arguments).and_then(|script| script_call(&script)));
        let objects = flow.objects.clone();
        if body.is_empty() {
            // The block only tests the objects, and runs no command.
            return Ok(PowerShellPipeline { objects, ..flow });
        }
        let may_be_files = flow.may_be_files;
        let words = PowerShellValue::unknown().word();
        let text = format!("{}\n{}", flow.into_group(), loop_over_words("psitem", &words, &body));
        Ok(PowerShellPipeline { text, is_compound: true, value: None, objects, may_be_files })
    }
}

/// Returns the script of `Where-Object`; `None` if the arguments compare a property: `Name -eq 'x'`.
fn filter_script(arguments: &CommandArguments) -> Option<PowerShellValue> {
    let is_of_script = |name: &str| {
        ["FilterScript", "InputObject"]
            .iter()
            .any(|own| own.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name)))
    };
    let compares = arguments
        .items
        .iter()
        .any(|argument| matches!(argument, CommandArgument::Parameter { name, .. } if !is_of_script(name)));
    let unnamed = || unnamed_values(&arguments.items).into_iter().next().filter(|_| !compares);
    named_value(&arguments.items, "FilterScript").or_else(unnamed)
}

/// Returns a call of a script that is no block in braces; `None` for such a block and for a text, which is no script.
fn script_call(script: &PowerShellValue) -> Option<String> {
    match script.kind {
        _ if is_block(script) || script.items.is_empty() => None,
        PowerShellValueKind::Code => Some(format!("Invoke-Expression {}\n", script.word())),
        _ if script.known_text().is_some() => None,
        _ => Some(format!("call-operator {}\n", script.word())),
    }
}
