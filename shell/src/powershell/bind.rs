//! Binds the arguments of a cmdlet to its parameters: by name or unique prefix, and by position.

use super::arguments::Argument;
use super::cmdlets::{COMMON_SWITCHES, COMMON_VALUES, Cmdlet, Piped, Takes, cmdlet};
use super::pipeline::Flow;
use super::quoted;
use super::value::{Item, Value, Wildcards, paths, with_slashes, written};
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
pub(super) struct Bound {
    /// The parameters by full name, in order, without those that are operands.
    pub(super) options: Vec<(String, Option<Value>)>,
    /// The operands, each with whether its wildcards are expanded.
    pub(super) operands: Vec<(Value, Wildcards)>,
    takes: Takes,
    /// An unknown parameter was given: as a cmdlet it would be rejected.
    pub(super) is_refused: bool,
}

/// The meaning of a parameter name.
enum Parameter {
    Switch(String),
    Valued(String),
    Common(Arity),
    Unlisted,
}

/// Binds the arguments of a command.
pub(super) fn bind(name: &str, arguments: &[Argument], flow: &Flow) -> Bound {
    let row = cmdlet(name);
    let table = program(name);
    let takes = row.map_or(Takes::Texts, |row| row.takes);
    let mut bound = Bound { options: Vec::new(), operands: Vec::new(), takes, is_refused: false };
    let mut positional = Vec::new();
    let mut words = arguments.iter().peekable();
    while let Some(argument) = words.next() {
        match argument {
            Argument::Parameter { name, value, .. } => {
                let meaning = parameter(table, name);
                let needs_value = matches!(meaning, Parameter::Common(Arity::Value) | Parameter::Valued(_));
                let takes = |next: &&Argument| needs_value && value.is_none() && matches!(next, Argument::Value(_));
                let value = words.next_if(takes).and_then(Argument::value).or_else(|| value.clone());
                bound.give_parameter(row, name, meaning, value);
            }
            Argument::Value(value) => positional.push(value.clone()),
            Argument::Splat => bound.options.push((String::new(), None)),
            Argument::Dashes => {}
            Argument::Rest(rest) => positional.extend(rest.iter().map(Value::text)),
        }
    }
    bound.place(row, positional);
    let is_piped = !flow.text.is_empty() || flow.value.is_some();
    if row.is_some_and(|row| row.piped == Piped::Operands) && bound.operands.is_empty() && is_piped {
        let value = flow.objects.clone().filter(|value| !value.items.is_empty()).unwrap_or_else(Value::unknown);
        let wildcards = if value.kind == super::value::Kind::Files { Wildcards::Count } else { Wildcards::AreText };
        bound.operands.push((value, wildcards));
    }
    bound
}

/// Returns the meaning of a parameter name: a full name or a unique prefix.
fn parameter(table: Option<&Program>, name: &str) -> Parameter {
    let is = |own: &&str| own.eq_ignore_ascii_case(name);
    let begins = |own: &&str| own.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    let options = || table.into_iter().flat_map(Program::all_options);
    let names =
        || options().flat_map(|option| option.names.iter().map(move |name| (option, name.trim_start_matches('-'))));
    let exact = names().find(|(_, own)| is(own)).map(|(option, _)| option);
    let mut beginning = names().filter(|(_, own)| begins(own)).map(|(option, _)| option);
    let found = exact.or_else(|| {
        let first = beginning.next()?;
        beginning.all(|other| other == first).then_some(first)
    });
    if let Some(option) = found {
        let full = option.name().trim_start_matches('-').to_owned();
        return if option.arity == Arity::Value { Parameter::Valued(full) } else { Parameter::Switch(full) };
    }
    let common = |list: &[&str]| list.iter().any(is) || name.len() > 2 && list.iter().any(begins);
    if common(COMMON_VALUES) {
        Parameter::Common(Arity::Value)
    } else if common(COMMON_SWITCHES) {
        Parameter::Common(Arity::None)
    } else {
        Parameter::Unlisted
    }
}

impl Bound {
    fn give_parameter(&mut self, row: Option<&Cmdlet>, name: &str, meaning: Parameter, value: Option<Value>) {
        match meaning {
            Parameter::Common(_) => {}
            Parameter::Switch(full) => {
                let is_off = value.as_ref().and_then(Value::known).is_some_and(|text| text == "False");
                if !is_off {
                    self.options.push((full, None));
                }
            }
            Parameter::Valued(full) => self.give(row, full, value.unwrap_or_default()),
            Parameter::Unlisted => {
                self.is_refused = true;
                self.options.push((name.to_owned(), value));
            }
        }
    }

    fn give(&mut self, row: Option<&Cmdlet>, full: String, value: Value) {
        let is_operand = row.is_some_and(|row| row.operands.contains(&full.as_str()));
        if is_operand {
            let wildcards = if full == "LiteralPath" { Wildcards::AreText } else { Wildcards::Count };
            self.operands.push((value, wildcards));
        } else {
            self.options.push((full, Some(value)));
        }
    }

    /// Assigns positional arguments to the remaining positional parameters, in order.
    fn place(&mut self, row: Option<&Cmdlet>, values: Vec<Value>) {
        let positions = row.map_or(&[][..], |row| row.positions);
        let is_operand = |name: &&str| row.is_some_and(|row| row.operands.contains(name));
        let has_operand = !self.operands.is_empty();
        let is_free =
            |name: &&&str| !(self.options.iter().any(|(own, _)| own == **name) || is_operand(name) && has_operand);
        let free: Vec<&str> = positions.iter().filter(is_free).copied().collect();
        let mut free = free.into_iter();
        for value in values {
            match free.next() {
                Some(name) => self.give(row, name.to_owned(), value),
                None => self.operands.push((value, Wildcards::Count)),
            }
        }
    }

    /// Returns the value of a parameter.
    pub(super) fn value(&self, name: &str) -> Option<&Value> {
        self.options.iter().find(|(own, _)| own == name)?.1.as_ref()
    }

    /// Whether a parameter is given.
    pub(super) fn has(&self, name: &str) -> bool {
        self.options.iter().any(|(own, _)| own == name)
    }

    /// Removes a parameter and returns its value.
    pub(super) fn take(&mut self, name: &str) -> Option<Value> {
        let at = self.options.iter().position(|(own, _)| own == name)?;
        self.options.remove(at).1
    }

    /// Returns the operands as objects.
    pub(super) fn items(&self) -> impl Iterator<Item = (&Item, Wildcards)> {
        self.operands.iter().flat_map(|(value, wildcards)| value.items.iter().map(|item| (item, *wildcards)))
    }

    /// Writes the operands as words.
    pub(super) fn operand_words(&self) -> Vec<String> {
        match self.takes {
            Takes::Texts => self.operands.iter().flat_map(|(value, _)| value.words()).collect(),
            Takes::Paths => self.items().flat_map(|(item, wildcards)| paths(item, wildcards)).collect(),
        }
    }

    /// Writes all arguments as words.
    pub(super) fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        for (name, value) in &self.options {
            if name.is_empty() {
                // As many words as a variable contains.
                words.push(format!("${{{}}}", super::UNKNOWN));
                continue;
            }
            let Some(value) = value else {
                words.push(parameter_word(name));
                continue;
            };
            let is_path = PATHS.contains(&name.as_str());
            let values: Vec<String> = match is_path {
                true => value.items.iter().map(|item| written(&with_slashes(item))).collect(),
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

fn parameter_word(name: &str) -> String {
    let word = format!("-{name}");
    if name.chars().all(|c| c.is_ascii_alphanumeric()) { word } else { quoted(&word) }
}
