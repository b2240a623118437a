//! Binds the arguments of a cmdlet to its parameters: by full name, by a unique prefix of a name, or by position.

use super::arguments::CommandArgument;
use super::cmdlets::{COMMON_SWITCHES, COMMON_VALUES, Cmdlet, OperandKind, PipedInput, cmdlet};
use super::pipeline::PowerShellPipeline;
use super::quoted;
use super::value::{PowerShellObject, PowerShellValue, WildcardMode, paths, with_slashes, write_word};
use crate::programs::{Arity, Program, program};

/// Parameters whose values are paths.
const PATHS: &[&str] = &[
    "Path",
    "LiteralPath",
    "FilePath",
    "Destination",
    "DestinationPath",
    "OutFile",
    "InFile",
    "WorkingDirectory",
    "RedirectStandardOutput",
    "RedirectStandardError",
    "RedirectStandardInput",
];

/// The bound arguments of a cmdlet.
pub(super) struct BoundArguments {
    /// The parameters by full name with their values, in order, except those that are operands. An empty name
    /// stands for `@name`, any number of parameters.
    pub(super) options: Vec<(String, Option<PowerShellValue>)>,
    /// The operands, each with the mode of its wildcards.
    pub(super) operands: Vec<(PowerShellValue, WildcardMode)>,
    /// What the operands are.
    operand_kind: OperandKind,
    /// Whether an argument names a parameter that the cmdlet lacks and would reject. The command may be a program
    /// instead.
    pub(super) has_unknown_parameter: bool,
}

/// The meaning of the name of a parameter.
enum ParameterKind {
    /// A switch with this full name, which takes no value.
    Switch(String),
    /// A parameter with this full name, which takes a value.
    Valued(String),
    /// A parameter that every cmdlet has.
    Common(Arity),
    /// An unknown parameter.
    Unlisted,
}

/// Binds the arguments of a cmdlet. If the cmdlet takes operands from the pipeline and no argument is one, the objects
/// of the pipeline are its operands.
pub(super) fn bind(name: &str, arguments: &[CommandArgument], flow: &PowerShellPipeline) -> BoundArguments {
    let row = cmdlet(name);
    let record = program(name);
    let operand_kind = row.map_or(OperandKind::Texts, |row| row.operand_kind);
    let mut bound =
        BoundArguments { options: Vec::new(), operands: Vec::new(), operand_kind, has_unknown_parameter: false };
    let mut positional = Vec::new();
    let mut words = arguments.iter().peekable();
    while let Some(argument) = words.next() {
        match argument {
            CommandArgument::Parameter { name, value, .. } => {
                let kind = parameter(record, name);
                let needs_value = matches!(kind, ParameterKind::Common(Arity::Value) | ParameterKind::Valued(_));
                let is_value = |next: &&CommandArgument| {
                    needs_value && value.is_none() && matches!(next, CommandArgument::Value(_))
                };
                let value = words.next_if(is_value).and_then(CommandArgument::value).or_else(|| value.clone());
                bound.give_parameter(row, name, kind, value);
            }
            CommandArgument::Value(value) => positional.push(value.clone()),
            CommandArgument::Splat => bound.options.push((String::new(), None)),
            CommandArgument::Dashes => {}
            CommandArgument::Rest(rest) => positional.extend(rest.iter().map(PowerShellValue::text)),
        }
    }
    bound.bind_positional(row, positional);
    let is_piped = !flow.text.is_empty() || flow.value.is_some();
    let takes_objects = row.is_some_and(|row| match row.piped {
        PipedInput::Operands => true,
        PipedInput::FilesOrInput => flow.may_be_files,
        PipedInput::Input => false,
    });
    if takes_objects && bound.operands.is_empty() && is_piped {
        let value =
            flow.objects.clone().filter(|value| !value.items.is_empty()).unwrap_or_else(PowerShellValue::unknown);
        let wildcards = if value.kind == super::value::PowerShellValueKind::Files {
            WildcardMode::Expanded
        } else {
            WildcardMode::Literal
        };
        bound.operands.push((value, wildcards));
    }
    bound
}

/// Returns the meaning of the name of a parameter, which may be a unique prefix of the full name.
fn parameter(record: Option<&Program>, name: &str) -> ParameterKind {
    let is_exact = |full_name: &&str| full_name.eq_ignore_ascii_case(name);
    let has_prefix =
        |full_name: &&str| full_name.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    let options = || record.into_iter().flat_map(Program::all_options);
    let names =
        || options().flat_map(|option| option.names.iter().map(move |name| (option, name.trim_start_matches('-'))));
    let exact = names().find(|(_, full_name)| is_exact(full_name)).map(|(option, _)| option);
    let mut with_prefix = names().filter(|(_, full_name)| has_prefix(full_name)).map(|(option, _)| option);
    let unique = exact.or_else(|| {
        let first = with_prefix.next()?;
        with_prefix.all(|other| other == first).then_some(first)
    });
    if let Some(option) = unique {
        let full = option.name().trim_start_matches('-').to_owned();
        return if option.arity == Arity::Value { ParameterKind::Valued(full) } else { ParameterKind::Switch(full) };
    }
    let common = |list: &[&str]| list.iter().any(is_exact) || name.len() > 2 && list.iter().any(has_prefix);
    if common(COMMON_VALUES) {
        ParameterKind::Common(Arity::Value)
    } else if common(COMMON_SWITCHES) {
        ParameterKind::Common(Arity::None)
    } else {
        ParameterKind::Unlisted
    }
}

impl BoundArguments {
    /// Records a parameter with its value; a switch with the value `$false` counts as absent.
    fn give_parameter(
        &mut self,
        row: Option<&Cmdlet>,
        name: &str,
        meaning: ParameterKind,
        value: Option<PowerShellValue>,
    ) {
        match meaning {
            ParameterKind::Common(_) => {}
            ParameterKind::Switch(full) => {
                let is_off = value.as_ref().and_then(PowerShellValue::known_text).is_some_and(|text| text == "False");
                if !is_off {
                    self.options.push((full, None));
                }
            }
            ParameterKind::Valued(full) => self.bind_value(row, full, value.unwrap_or_default()),
            ParameterKind::Unlisted => {
                self.has_unknown_parameter = true;
                self.options.push((name.to_owned(), value));
            }
        }
    }

    /// Records the value of a parameter, as an operand or as an option.
    fn bind_value(&mut self, row: Option<&Cmdlet>, full: String, value: PowerShellValue) {
        let is_operand = row.is_some_and(|row| row.operands.contains(&full.as_str()));
        if is_operand {
            let wildcards = if full == "LiteralPath" { WildcardMode::Literal } else { WildcardMode::Expanded };
            self.operands.push((value, wildcards));
        } else {
            self.options.push((full, Some(value)));
        }
    }

    /// Assigns positional arguments to the positional parameters that are not given by name, in order. The rest are
    /// operands.
    fn bind_positional(&mut self, row: Option<&Cmdlet>, values: Vec<PowerShellValue>) {
        let positions = row.map_or(&[][..], |row| row.positions);
        let is_operand = |name: &&str| row.is_some_and(|row| row.operands.contains(name));
        let has_operand = !self.operands.is_empty();
        let is_free =
            |name: &&&str| !(self.options.iter().any(|(own, _)| own == **name) || is_operand(name) && has_operand);
        let free: Vec<&str> = positions.iter().filter(is_free).copied().collect();
        let mut free = free.into_iter();
        for value in values {
            match free.next() {
                Some(name) => self.bind_value(row, name.to_owned(), value),
                None => self.operands.push((value, WildcardMode::Expanded)),
            }
        }
    }

    /// Returns the value of a parameter, given its full name.
    pub(super) fn value(&self, name: &str) -> Option<&PowerShellValue> {
        self.options.iter().find(|(own, _)| own == name)?.1.as_ref()
    }

    /// Whether a parameter is given, by its full name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.options.iter().any(|(own, _)| own == name)
    }

    /// Removes a parameter and returns its value.
    pub(super) fn take(&mut self, name: &str) -> Option<PowerShellValue> {
        let at = self.options.iter().position(|(own, _)| own == name)?;
        self.options.remove(at).1
    }

    /// Returns the objects of all operands, each with the mode of its wildcards.
    pub(super) fn items(&self) -> impl Iterator<Item = (&PowerShellObject, WildcardMode)> {
        self.operands.iter().flat_map(|(value, wildcards)| value.items.iter().map(|item| (item, *wildcards)))
    }

    /// Returns the operands as words of bash.
    pub(super) fn operand_words(&self) -> Vec<String> {
        match self.operand_kind {
            OperandKind::Texts => self.operands.iter().flat_map(|(value, _)| value.words()).collect(),
            OperandKind::Paths => self.items().flat_map(|(item, wildcards)| paths(item, wildcards)).collect(),
        }
    }

    /// Returns all parameters, then all operands, as words of bash.
    pub(super) fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        for (name, value) in &self.options {
            if name.is_empty() {
                // `@name` has as many words as the variable has elements.
                words.push(format!("${{{}}}", super::UNKNOWN));
                continue;
            }
            let Some(value) = value else {
                words.push(parameter_word(name));
                continue;
            };
            let is_path = PATHS.contains(&name.as_str());
            let values: Vec<String> = match is_path {
                true => value.items.iter().map(|item| write_word(&with_slashes(item))).collect(),
                false => value.words(),
            };
            for value in values {
                words.push(parameter_word(name));
                words.push(value);
            }
        }
        words.extend(self.operand_words());
        words
    }
}

/// Returns the name of a parameter as a word of bash.
fn parameter_word(name: &str) -> String {
    let word = format!("-{name}");
    if name.chars().all(|c| c.is_ascii_alphanumeric()) { word } else { quoted(&word) }
}
