//! Translates commands: cmdlets under their canonical names, functions of the text, programs; and the operators `&`
//! and `.`.

use super::arguments::{CommandArgument, CommandArguments, named_value, split_words, unnamed_values};
use super::assign::FILE_CMDLETS;
use super::bind::{BoundArguments, bind};
use super::cmdlets::{canonical_name, may_be_program};
use super::cursor::function_name;
use super::native::{program_name, program_words};
use super::pipeline::PowerShellPipeline;
use super::statement::{make_unknown, name_word};
use super::types::{join_path, new_object};
use super::value::{
    PowerShellValue, PowerShellValueKind, ValuePiece, WildcardMode, known_object_text, paths, with_slashes, write_word,
};
use super::{LimitedTranslator, PowerShellTranslator, TranslationError, TranslationResult, UNKNOWN, quoted};
use crate::programs::program;

/// The operator before a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CallOperator {
    None,
    /// `&`: calls a command, in its own scope.
    Call,
    /// `.`: calls a command in this scope.
    Source,
}

impl PowerShellTranslator {
    /// Translates a command. The pipeline so far, `flow`, is piped into it.
    pub(super) fn command(&mut self, mut flow: PowerShellPipeline) -> TranslationResult<PowerShellPipeline> {
        flow.may_be_files = self.may_pass_files(&flow);
        let operator = self.call_operator();
        let from = self.cursor.position();
        let name = match self.cursor.peek() {
            Some('$' | '\'' | '"' | '(' | '{' | '@') => self.call_target()?,
            _ => {
                let item = self.unquoted_word()?;
                if item.is_empty() {
                    return Err(TranslationError::Syntax);
                }
                PowerShellValue::single(item)
            }
        };
        if operator == CallOperator::None && name.kind == PowerShellValueKind::Code {
            return Err(TranslationError::Syntax);
        }
        let arguments = self.arguments()?;
        match name.known_text() {
            Some(text) if name.kind == PowerShellValueKind::Code => self.call_block(flow, operator, &text, arguments),
            Some(text) if !text.is_empty() => {
                let called = self.named_command(flow, operator, &text, &arguments);
                let called = called.and_then(|called| self.with_blocks(called, &text, &arguments));
                let called = called.map(|called| called.with_commands_of(&arguments));
                let end = self.cursor.position();
                self.note_unread(&text, from, end);
                called
            }
            _ if name.kind == PowerShellValueKind::Code => {
                Ok(single_command(flow, &format!("Invoke-Expression {}", name.word()), &arguments))
            }
            _ => {
                let mut words = vec!["call-operator".to_owned(), name.word()];
                words.extend(program_words(&arguments));
                Ok(single_command(flow, &words.join(" "), &arguments))
            }
        }
    }

    /// Reads the operand of `&` or `.`: a name, a block or an expression.
    fn call_target(&mut self) -> TranslationResult<PowerShellValue> {
        let from = self.cursor.position();
        let value = self.primary()?;
        let value = self.members(value, from)?;
        match self.cursor.peek() {
            // A path that begins with a variable: `& $dir\tool`.
            Some(c) if !c.is_whitespace() && !self.ends_command() && c != '>' && c != '{' => {
                let mut item = value.join_items(" ");
                item.extend(self.unquoted_word()?);
                Ok(PowerShellValue::single(item))
            }
            _ => Ok(value),
        }
    }

    /// Consumes the operator `&` or `.` before a command, if there is one.
    fn call_operator(&mut self) -> CallOperator {
        let next = self.cursor.peek_at(1);
        let operator = match self.cursor.peek() {
            Some('&') => CallOperator::Call,
            Some('.') if next.is_some_and(|c| c.is_whitespace() || matches!(c, '$' | '\'' | '"' | '(' | '{')) => {
                CallOperator::Source
            }
            _ => return CallOperator::None,
        };
        self.cursor.next();
        self.cursor.skip_blanks();
        operator
    }

    /// Translates `& { … }` and `. { … }`. After `&`, the variables that the block assigns are unknown.
    fn call_block(
        &mut self,
        flow: PowerShellPipeline,
        operator: CallOperator,
        text: &str,
        arguments: CommandArguments,
    ) -> TranslationResult<PowerShellPipeline> {
        let outer = std::mem::take(&mut self.assigned);
        let body =
            self.block_statements(&PowerShellValue { kind: PowerShellValueKind::Code, ..PowerShellValue::text(text) });
        let inner = std::mem::replace(&mut self.assigned, outer);
        let mut body = body?;
        for argument in &arguments.items {
            if let CommandArgument::Value(value) = argument {
                body = format!("{}{body}", value.commands());
            }
        }
        if body.trim().is_empty() {
            body = "psloop=".to_owned();
        }
        let group = format!("{{\n{body}\n}}{}", arguments.redirects);
        let mut text = flow.into_command(&group);
        if operator == CallOperator::Call {
            text.push('\n');
            inner.iter().filter(|name| *name != "cd").for_each(|name| text.push_str(&make_unknown(name)));
        }
        self.assigned.extend(inner);
        Ok(PowerShellPipeline { text, is_compound: true, ..PowerShellPipeline::default() })
    }

    /// Translates a command with a known name: a function, a script, a cmdlet or a program. `ls` and other names may
    /// be a cmdlet or a program, so both are translated.
    fn named_command(
        &mut self,
        flow: PowerShellPipeline,
        operator: CallOperator,
        name: &str,
        arguments: &CommandArguments,
    ) -> TranslationResult<PowerShellPipeline> {
        let alias = self.aliases.get(&function_name(name)).cloned();
        let Some(name) = alias.as_ref().map_or(Some(name), Option::as_deref) else {
            // An alias of an unknown command.
            let words: Vec<String> = std::iter::once(unknown_word()).chain(program_words(arguments)).collect();
            return Ok(single_command(flow, &format!("call-operator {}", words.join(" ")), arguments));
        };
        let function_key = function_name(name);
        if self.functions.contains_key(&function_key) {
            // What a function returns may be anything.
            let called = self.function_call(flow, &function_key, arguments);
            return Ok(PowerShellPipeline { may_be_files: true, ..called });
        }
        // The name may contain a module: `Microsoft.PowerShell.Management\Remove-Item`.
        let unqualified = name.rsplit('\\').next().filter(|unqualified| unqualified.contains('-')).unwrap_or(name);
        if is_script(name) {
            let runner = if operator == CallOperator::Source { "pwsh -NoExit -File" } else { "pwsh -File" };
            let words = paths(&[ValuePiece::Text(name.to_owned())], WildcardMode::Literal).into_iter();
            let words: Vec<String> = words.chain(program_words(arguments)).collect();
            return Ok(single_command(flow, &format!("{runner} {}", words.join(" ")), arguments));
        }
        let Some(cmdlet) = canonical_name(unqualified) else {
            return Ok(self.call_program(flow, name, arguments));
        };
        let may_be_either = may_be_program(name);
        if may_be_either {
            let bound = bind(cmdlet, &arguments.items, &flow);
            if bound.has_unknown_parameter {
                return Ok(self.call_program(flow, name, arguments));
            }
        }
        let as_program = may_be_either.then(|| self.call_program(PowerShellPipeline::default(), name, arguments).text);
        let before = flow.clone();
        let translated = self.cmdlet(flow, cmdlet, arguments)?;
        match as_program {
            // Outside Windows, the name is that of a program: either may run.
            Some(as_program) if translated.value.is_none() => {
                let as_cmdlet = format!("{{\n{}\n}}", translated.text);
                let as_program = before.into_command(&as_program);
                self.charge(&as_program)?;
                let text = format!("case \"${{{UNKNOWN}}}\" in\n1)\n{as_cmdlet}\n;;\n*)\n{as_program}\n;;\nesac");
                Ok(PowerShellPipeline { text, is_compound: true, ..translated })
            }
            _ => Ok(translated),
        }
    }

    /// Records the source of `Add-Type` as unread, from `from` to `to`: its argument is code in C#.
    fn note_unread(&mut self, name: &str, from: usize, to: usize) {
        let is_code = canonical_name(name) == Some("Add-Type");
        let text = self.cursor.slice(from, to);
        let lower = text.to_lowercase();
        if is_code && !lower.contains("-assemblyname") && !lower.contains("-assembly ") {
            self.unread.push(text);
        }
    }

    /// Translates a call of a function of the text. Its arguments are bound to the function's parameters by name and
    /// position; if that is not possible, all of them are unknown.
    fn function_call(
        &mut self,
        flow: PowerShellPipeline,
        name: &str,
        arguments: &CommandArguments,
    ) -> PowerShellPipeline {
        let names = self.functions.get(name).map(Vec::as_slice).unwrap_or_default();
        let mut words = vec![quoted(name)];
        if let Some(bound) = bind_to_names(names, &arguments.items) {
            words.extend(bound);
            return single_command(flow, &words.join(" "), arguments);
        }
        let count = names.len().max(arguments.items.len());
        words.extend(std::iter::repeat_n(unknown_word(), count));
        let values = arguments.items.iter().filter_map(|argument| match argument {
            CommandArgument::Value(value) => Some(value.commands()),
            _ => None,
        });
        let commands: String = values.collect();
        if commands.is_empty() {
            return single_command(flow, &words.join(" "), arguments);
        }
        let text = format!("{{\n{commands}{}\n}}", words.join(" "));
        PowerShellPipeline { is_compound: true, ..single_command(flow, &text, arguments) }
    }

    /// Translates a cmdlet, given its canonical name.
    fn cmdlet(
        &mut self,
        flow: PowerShellPipeline,
        name: &'static str,
        arguments: &CommandArguments,
    ) -> TranslationResult<PowerShellPipeline> {
        let mut bound = bind(name, &arguments.items, &flow);
        if let Some(text) = environment_command(name, &bound) {
            return Ok(single_command(flow, &text, arguments));
        }
        if let Some(returned) = computed_value(&flow, name, arguments) {
            return Ok(returned);
        }
        match name {
            "ForEach-Object" => return self.for_each_object(flow, arguments),
            "Where-Object" => return self.where_object(flow, arguments),
            "Set-Location" | "Push-Location" | "Pop-Location" => {
                return Ok(self.change_location(flow, name, &bound, arguments));
            }
            "Set-Variable" | "New-Variable" | "Remove-Variable" | "Clear-Variable" => {
                return Ok(self.assign_variable(name, arguments));
            }
            "Set-Alias" | "New-Alias" => self.define_alias(arguments),
            "Get-Location" if arguments.items.is_empty() => {
                let here = PowerShellValue { kind: PowerShellValueKind::Files, ..PowerShellValue::variable("PWD") };
                let flow = single_command(flow, name, arguments);
                return Ok(PowerShellPipeline { objects: Some(here), ..flow });
            }
            "Get-Item" | "Get-ChildItem" => {
                let objects = found_files(name, &bound);
                let flow = single_command(flow, &command_text(name, &bound), arguments);
                return Ok(PowerShellPipeline { objects: Some(objects), ..flow });
            }
            "Sort-Object" | "Select-Object" | "Tee-Object" => {
                let objects = flow.objects.clone();
                let may_be_files = flow.may_be_files;
                let flow = single_command(flow, &command_text(name, &bound), arguments);
                return Ok(PowerShellPipeline { objects, may_be_files, ..flow });
            }
            "Start-Process" | "Invoke-Item" => return Ok(start_process(flow, &bound, arguments)),
            "Copy-Item" | "Move-Item" | "Rename-Item" => move_destination_last(name, &mut bound),
            "New-Item" => join_new_item_path(&mut bound),
            _ => {}
        }
        if program(name).is_none() {
            // A cmdlet without a record: which of the words are its parameters is unknown.
            let words = std::iter::once(name_word(name)).chain(program_words(arguments));
            let text = words.collect::<Vec<_>>().join(" ");
            return Ok(single_command(flow, &text, arguments));
        }
        let may_be_files = FILE_CMDLETS.contains(&name);
        Ok(PowerShellPipeline { may_be_files, ..single_command(flow, &command_text(name, &bound), arguments) })
    }

    /// Translates `Set-Location`, `Push-Location` or `Pop-Location` into `cd`, `pushd` or `popd`.
    fn change_location(
        &mut self,
        flow: PowerShellPipeline,
        name: &str,
        bound: &BoundArguments,
        arguments: &CommandArguments,
    ) -> PowerShellPipeline {
        self.assigned.insert("cd".to_owned());
        let words = bound.operand_words();
        let text = match name {
            "Set-Location" if words.is_empty() => format!("cd {}", unknown_word()),
            "Set-Location" => format!("cd {}", words.join(" ")),
            "Push-Location" => format!("pushd {}", words.join(" ")),
            _ => format!("popd {}", words.join(" ")),
        };
        single_command(flow, &text, arguments)
    }

    /// Translates `Set-Variable` and the like into an assignment; without a known name, into a call of the cmdlet.
    fn assign_variable(&mut self, name: &str, arguments: &CommandArguments) -> PowerShellPipeline {
        let bound = bind(name, &arguments.items, &PowerShellPipeline::default());
        let mut values = single_values(arguments);
        let variable = values.next().and_then(|value| value.known_text()).and_then(|name| Self::variable_named(&name));
        let Some(variable) = variable else {
            return PowerShellPipeline { text: command_text(name, &bound), ..PowerShellPipeline::default() };
        };
        self.assigned.insert(variable.clone());
        let value = match (name, values.next()) {
            ("Set-Variable" | "New-Variable", Some(value)) => value,
            _ => PowerShellValue::unknown(),
        };
        let right = match value.words().as_slice() {
            [word] => word.clone(),
            words => format!("({})", words.join(" ")),
        };
        PowerShellPipeline {
            text: format!("{variable}={}", self.replacement_value(&variable, right)),
            ..PowerShellPipeline::default()
        }
    }

    /// Records the alias that `Set-Alias` defines, if its name is known.
    fn define_alias(&mut self, arguments: &CommandArguments) {
        let named = |name: &str| named_value(&arguments.items, name);
        let (alias, target) = (named("Name"), named("Value"));
        let mut unnamed = unnamed_values(&arguments.items).into_iter();
        let alias = alias.or_else(|| unnamed.next()).and_then(|value| value.known_text());
        let target = target.or_else(|| unnamed.next()).and_then(|value| value.known_text());
        if let Some(alias) = alias {
            self.aliases.insert(alias.to_lowercase(), target);
        }
    }
}

/// Returns a word of bash whose text is unknown.
fn unknown_word() -> String {
    format!("\"${{{UNKNOWN}}}\"")
}

/// Binds the arguments of a call to the parameters `names` of a function, and returns them in that order, as words of
/// bash. Returns `None` if the arguments contain `@name`, or name an unknown parameter.
fn bind_to_names(names: &[String], arguments: &[CommandArgument]) -> Option<Vec<String>> {
    let mut given: Vec<Option<String>> = vec![None; names.len()];
    let mut unnamed = Vec::new();
    let mut iter = arguments.iter().peekable();
    while let Some(argument) = iter.next() {
        match argument {
            CommandArgument::Parameter { name, value, .. } => {
                let lower = name.to_lowercase();
                let at = names.iter().position(|parameter| *parameter == lower);
                let at = at.or_else(|| names.iter().position(|parameter| parameter.starts_with(&lower)))?;
                let next =
                    || iter.next_if(|next| matches!(next, CommandArgument::Value(_))).and_then(CommandArgument::value);
                let value = value.clone().or_else(next);
                *given.get_mut(at)? = Some(value.map_or_else(|| quoted("True"), |value| value.word()));
            }
            CommandArgument::Value(value) => unnamed.push(value.word()),
            CommandArgument::Splat => return None,
            CommandArgument::Dashes => {}
            CommandArgument::Rest(words) => unnamed.extend(words.iter().map(|word| quoted(word))),
        }
    }
    let mut unnamed = unnamed.into_iter();
    let mut words = Vec::new();
    let named_end = given.iter().rposition(Option::is_some).map_or(0, |at| at + 1);
    for (at, word) in given.into_iter().enumerate() {
        match word.or_else(|| unnamed.next()) {
            Some(word) => words.push(word),
            // The parameter has its default value, or none.
            None if at < named_end => words.push(unknown_word()),
            None => {}
        }
    }
    words.extend(unnamed);
    Some(words)
}

/// Returns the pipeline for a cmdlet that only computes a value from its arguments, such as `Join-Path`; `None` for a
/// cmdlet that must run as a command.
fn computed_value(flow: &PowerShellPipeline, name: &str, arguments: &CommandArguments) -> Option<PowerShellPipeline> {
    if !flow.text.is_empty() {
        return None;
    }
    let values = || arguments.items.iter().filter_map(CommandArgument::value);
    let is_redirected = !arguments.redirects.is_empty();
    let value = match name {
        "Write-Output" if !is_redirected && flow.value.is_none() => {
            let items = single_values(arguments).flat_map(|value| value.items).collect();
            PowerShellValue { items, kind: PowerShellValueKind::Plain }
        }
        "Join-Path" => join_path(&values().collect::<Vec<_>>()),
        "Get-Command" | "Resolve-Path" | "Convert-Path" if !is_redirected => {
            let kind = if name == "Get-Command" { PowerShellValueKind::Plain } else { PowerShellValueKind::Files };
            PowerShellValue { kind, ..values().next().unwrap_or_else(PowerShellValue::unknown) }
        }
        "New-Object" => {
            let mut unnamed = unnamed_values(&arguments.items).into_iter();
            let name = named_value(&arguments.items, "TypeName").or_else(|| unnamed.next()).unwrap_or_default();
            let given: Vec<PowerShellValue> = unnamed.chain(named_value(&arguments.items, "ArgumentList")).collect();
            let value = new_object(&name.known_text().unwrap_or_default(), &given);
            return Some(PowerShellPipeline { value: Some(value), ..PowerShellPipeline::default() });
        }
        "Split-Path" => {
            let value = PowerShellValue::unknown_from(&values().collect::<Vec<_>>());
            return Some(PowerShellPipeline { value: Some(value), ..PowerShellPipeline::default() });
        }
        _ => return None,
    };
    Some(PowerShellPipeline { objects: Some(value.clone()), value: Some(value), ..PowerShellPipeline::default() })
}

/// Returns the values of the arguments, except those after `--%`.
fn single_values(arguments: &CommandArguments) -> impl Iterator<Item = PowerShellValue> {
    let is_single = |argument: &&CommandArgument| !matches!(argument, CommandArgument::Rest(_));
    arguments.items.iter().filter(is_single).filter_map(CommandArgument::value)
}

/// Returns the pipeline with its output piped into a command, which has the redirections of `arguments`.
pub(super) fn single_command(
    flow: PowerShellPipeline,
    command: &str,
    arguments: &CommandArguments,
) -> PowerShellPipeline {
    let command = format!("{command}{}", arguments.redirects);
    let is_compound = flow.is_compound;
    let text = flow.into_command(&command);
    PowerShellPipeline {
        is_compound: is_compound && text.starts_with('{') && !text.contains(" | "),
        text,
        ..PowerShellPipeline::default()
    }
}

/// Returns a call of a cmdlet in bash.
fn command_text(name: &str, bound: &BoundArguments) -> String {
    let mut text = name_word(name);
    for word in bound.words() {
        text.push(' ');
        text.push_str(&word);
    }
    text
}

/// Whether a name is the file of a PowerShell script.
fn is_script(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with(".ps1") || name.ends_with(".psm1")
}

/// Translates `Start-Process`: the program, its arguments and its redirections.
fn start_process(flow: PowerShellPipeline, bound: &BoundArguments, arguments: &CommandArguments) -> PowerShellPipeline {
    let mut words = vec!["Start-Process".to_owned()];
    for item in bound.items().map(|(item, _)| item) {
        words.push(match known_object_text(item) {
            Some(name) => quoted(program_name(&name)),
            None => write_word(item),
        });
    }
    for value in bound.value("ArgumentList").into_iter().flat_map(|value| &value.items) {
        match known_object_text(value) {
            Some(text) => words.extend(split_words(&text).iter().map(|word| quoted(word))),
            None => words.push(write_word(value)),
        }
    }
    let mut text = words.join(" ");
    for (name, sign) in
        [("RedirectStandardOutput", ">"), ("RedirectStandardError", "2>"), ("RedirectStandardInput", "<")]
    {
        if let Some(file) = bound.value(name) {
            text.push_str(&format!(" {sign} {}", write_word(&with_slashes(&file.join_items(" ")))));
        }
    }
    single_command(flow, &text, arguments)
}

/// Moves the destination of a copy after the sources, where the records of `Copy-Item` and `Move-Item` expect it.
fn move_destination_last(name: &str, bound: &mut BoundArguments) {
    let parameter = if name == "Rename-Item" { "NewName" } else { "Destination" };
    let Some(value) = bound.take(parameter) else {
        bound.operands.push((PowerShellValue::text("."), WildcardMode::Literal));
        return;
    };
    let value = match (name, bound.items().next()) {
        // The new name is relative to the directory of the old one.
        ("Rename-Item", Some((item, _))) => {
            let mut item = with_slashes(item);
            let directory = match item.pop() {
                Some(ValuePiece::Text(text)) => text.rsplit_once('/').map(|(before, _)| format!("{before}/")),
                _ => None,
            };
            item.extend(directory.map(ValuePiece::Text));
            item.extend(value.join_items(" "));
            PowerShellValue::single(item)
        }
        _ => value,
    };
    bound.operands.push((value, WildcardMode::Literal));
}

/// Joins the two parts of the path of `New-Item -Path directory -Name name`.
fn join_new_item_path(bound: &mut BoundArguments) {
    let Some(name) = bound.take("Name") else { return };
    let directory = bound.operands.first().map_or_else(|| PowerShellValue::text("."), |(value, _)| value.clone());
    bound.operands = vec![(join_path(&[directory, name]), WildcardMode::Literal)];
}

/// Translates a cmdlet on the drive `env:` into a command on environment variables: `Remove-Item env:X` into `unset X`.
/// Returns `None` if the first operand is on another drive.
fn environment_command(name: &str, bound: &BoundArguments) -> Option<String> {
    let (item, _) = bound.items().next()?;
    let text = known_object_text(item)?;
    let drive = text.get(..4).filter(|drive| drive.eq_ignore_ascii_case("env:"))?;
    let variable = text.strip_prefix(drive)?.trim_start_matches(['\\', '/']);
    let PowerShellValue { items, .. } = super::strings::variable_value(&format!("env:{variable}"));
    let variable_name = match items.first()?.as_slice() {
        [ValuePiece::Variable(name)] => Some(name.clone()),
        _ => None,
    };
    Some(match (name, variable_name) {
        ("Remove-Item" | "Clear-Item", Some(variable)) => format!("unset {variable}"),
        ("Set-Item" | "New-Item" | "Set-Content", Some(variable)) => {
            let value = bound.value("Value").map_or_else(|| format!("\"${{{UNKNOWN}}}\""), PowerShellValue::word);
            format!("export {variable}={value}")
        }
        (_, Some(variable)) => format!("printenv {variable}"),
        (_, None) => "printenv".to_owned(),
    })
}

/// Returns the files that `Get-Item` or `Get-ChildItem` finds, as globs.
fn found_files(name: &str, bound: &BoundArguments) -> PowerShellValue {
    let filters: Vec<String> = ["Filter", "Include"]
        .iter()
        .filter_map(|name| bound.value(name))
        .filter_map(PowerShellValue::known_texts)
        .flatten()
        .collect();
    let mut items = Vec::new();
    let current_directory = vec![ValuePiece::Text(".".to_owned())];
    let operands: Vec<_> = bound.items().map(|(item, _)| item.clone()).collect();
    let operands = if operands.is_empty() { vec![current_directory] } else { operands };
    for item in operands {
        let item = with_slashes(&item);
        let end = match item.last() {
            Some(ValuePiece::Text(text)) => text.as_str(),
            _ => "",
        };
        if name == "Get-Item" || end.contains(['*', '?']) {
            items.push(item);
            continue;
        }
        let entry_named = |name: &str| {
            let mut item = item.clone();
            let between = if end.ends_with('/') { "" } else { "/" };
            item.push(ValuePiece::Text(format!("{between}{name}")));
            item
        };
        if filters.is_empty() {
            items.push(entry_named("*"));
            let is_directory = matches!(end, "." | ".." | "~") || end.ends_with(['/', '.']) || end.is_empty();
            if !is_directory {
                // The operand may be a file.
                items.push(item.clone());
            }
        }
        for filter in &filters {
            items.push(entry_named(filter));
            if bound.has("Recurse") {
                items.push(entry_named(&format!("*/{filter}")));
            }
        }
    }
    PowerShellValue { items, kind: PowerShellValueKind::Files }
}
