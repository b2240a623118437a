//! Reads the arguments of a command: parameters, values, redirections.

use super::strings::VariableTranslation;
use super::value::{PowerShellObject, PowerShellValue, PowerShellValueKind, ValuePiece, WildcardMode, paths};
use super::{LimitedTranslator, PowerShellTranslator, TranslationError, TranslationResult};

/// An argument of a command. A `Value` has no parameter name.
#[derive(Clone, Debug)]
pub(super) enum CommandArgument {
    /// `-Name` or `-Name:value`, with its source text.
    Parameter {
        written: PowerShellObject,
        name: String,
        value: Option<PowerShellValue>,
    },
    Value(PowerShellValue),
    /// `@name`: as many words as the variable has elements.
    Splat,
    /// `--`, after which nothing is a parameter.
    Dashes,
    /// `--%` and the words after it, which are split at blanks and not parsed otherwise.
    Rest(Vec<String>),
}

impl CommandArgument {
    /// Returns the value of the argument; `None` if it has none.
    pub(super) fn value(&self) -> Option<PowerShellValue> {
        match self {
            Self::Value(value) => Some(value.clone()),
            Self::Parameter { value, .. } => value.clone(),
            Self::Rest(words) => Some(PowerShellValue::text(words.join(" "))),
            Self::Splat | Self::Dashes => None,
        }
    }
}

/// The arguments and redirections of a command.
#[derive(Clone, Debug, Default)]
pub(super) struct CommandArguments {
    /// The arguments, in order.
    pub(super) items: Vec<CommandArgument>,
    /// The redirections, in bash.
    pub(super) redirects: String,
}

impl PowerShellTranslator {
    /// Reads the arguments of a command, up to its end.
    pub(super) fn arguments(&mut self) -> TranslationResult<CommandArguments> {
        let mut arguments = CommandArguments::default();
        loop {
            self.cursor.skip_blanks();
            if self.ends_command() {
                return Ok(arguments);
            }
            if let Some(redirect) = self.redirect()? {
                arguments.redirects.push_str(&redirect);
                continue;
            }
            if self.cursor.is_at_text("--%") {
                self.cursor.take_text("--%");
                let rest = self.cursor.take_while(|c| !matches!(c, '\n' | '\r' | '|'));
                arguments.items.push(CommandArgument::Rest(split_words(&rest)));
                continue;
            }
            let argument = self.read_deeper(Self::one_argument)?;
            arguments.items.push(argument);
        }
    }

    /// Whether a command ends here.
    pub(super) fn ends_command(&self) -> bool {
        matches!(self.cursor.peek(), None | Some('\n' | '\r' | ';' | '|' | '&' | ')' | '}'))
    }

    /// Reads one argument.
    fn one_argument(&mut self) -> TranslationResult<CommandArgument> {
        let (first, second) = (self.cursor.peek(), self.cursor.peek_at(1));
        match (first, second) {
            (Some('-'), Some('-')) if self.cursor.peek_at(2).is_none_or(char::is_whitespace) => {
                self.cursor.take_text("--");
                Ok(CommandArgument::Dashes)
            }
            (Some('-'), Some(c)) if c.is_alphabetic() || matches!(c, '_' | '?') => self.parameter(),
            (Some('@'), Some(c)) if c.is_alphabetic() || c == '_' => {
                self.cursor.next();
                self.cursor.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | ':'));
                Ok(CommandArgument::Splat)
            }
            _ => self.argument().map(CommandArgument::Value),
        }
    }

    /// Reads a parameter: `-Name`, `-Name:value`, or `-Name` with a text directly after it.
    fn parameter(&mut self) -> TranslationResult<CommandArgument> {
        self.cursor.next();
        let name = self.cursor.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '?' | '-'));
        let mut written = vec![ValuePiece::Text(format!("-{name}"))];
        if self.cursor.peek() == Some(':') {
            self.cursor.next();
            let blanks = self.cursor.take_while(|c| matches!(c, ' ' | '\t'));
            if self.ends_command() {
                written.push(ValuePiece::Text(":".to_owned()));
                return Ok(CommandArgument::Parameter { written, name, value: None });
            }
            let value = self.argument()?;
            written.push(ValuePiece::Text(format!(":{blanks}")));
            written.extend(value.join_items(","));
            return Ok(CommandArgument::Parameter { written, name, value: Some(value) });
        }
        if !self.ends_word() {
            // A program takes a text directly after the name as a part of the word: `-DX=y`, `-f"$x"`.
            let rest = self.unquoted_word()?;
            written.extend(rest.clone());
            return Ok(CommandArgument::Parameter { written, name, value: Some(PowerShellValue::single(rest)) });
        }
        Ok(CommandArgument::Parameter { written, name, value: None })
    }

    /// Whether an unquoted word ends here.
    fn ends_word(&self) -> bool {
        self.cursor
            .peek()
            .is_none_or(|c| c.is_whitespace() || matches!(c, ';' | '|' | '&' | '(' | ')' | '{' | '}' | ',' | '<' | '>'))
    }

    /// Reads the value of an argument: words with commas between them are a list.
    pub(super) fn argument(&mut self) -> TranslationResult<PowerShellValue> {
        let mut value = self.argument_item()?;
        loop {
            let item_end = self.cursor.position();
            self.cursor.skip_blanks();
            if self.cursor.peek() != Some(',') {
                self.cursor.seek(item_end);
                return Ok(value);
            }
            self.cursor.next();
            self.cursor.skip_lines();
            let next = self.argument_item()?;
            value.items.extend(next.items);
            value.kind = PowerShellValueKind::Plain;
        }
    }

    /// Reads one element of an argument's value.
    fn argument_item(&mut self) -> TranslationResult<PowerShellValue> {
        let from = self.cursor.position();
        match (self.cursor.peek(), self.cursor.peek_at(1)) {
            (Some('\'' | '"'), _) | (Some('@'), Some('\'' | '"')) => self.string().map(PowerShellValue::single),
            (Some('('), _) | (Some('{'), _) | (Some('@'), Some('(' | '{')) => self.value_with_members(from),
            (Some('$'), _) => {
                let Some(value) = self.variable_or_output()? else {
                    return self.unquoted_word().map(PowerShellValue::single);
                };
                let value = self.members(value, from)?;
                if self.ends_word() {
                    return Ok(value);
                }
                let mut item = value.join_items(" ");
                item.extend(self.unquoted_word()?);
                Ok(PowerShellValue::single(item))
            }
            (Some(','), _) => Err(TranslationError::Syntax),
            _ => {
                let item = self.unquoted_word()?;
                if item.is_empty() { Err(TranslationError::Syntax) } else { Ok(PowerShellValue::single(item)) }
            }
        }
    }

    /// Reads a value in parentheses or braces, with its members and indexes. `from` is its position.
    fn value_with_members(&mut self, from: usize) -> TranslationResult<PowerShellValue> {
        let value = self.read_deeper(Self::primary)?;
        self.members(value, from)
    }

    /// Reads an unquoted word, which may contain strings and variables.
    pub(super) fn unquoted_word(&mut self) -> TranslationResult<PowerShellObject> {
        let mut item: PowerShellObject = Vec::new();
        let mut text = String::new();
        while !self.ends_word() {
            match self.cursor.peek() {
                Some('`') => {
                    self.cursor.next();
                    text.extend(self.escaped());
                }
                Some('\'' | '"') => {
                    let string = self.string()?;
                    flush_text(&mut item, &mut text);
                    item.extend(string);
                }
                Some('$') => match self.variable_or_output()? {
                    Some(value) => {
                        flush_text(&mut item, &mut text);
                        item.extend(value.join_items(" "));
                    }
                    None => {
                        self.cursor.next();
                        text.push('$');
                    }
                },
                Some(c) => {
                    self.cursor.next();
                    text.push(c);
                }
                None => break,
            }
        }
        flush_text(&mut item, &mut text);
        Ok(item)
    }

    /// Translates a redirection: `> file`, `2>> file`, `*>&1`; `None` if none begins here.
    pub(super) fn redirect(&mut self) -> TranslationResult<Option<String>> {
        let from = self.cursor.position();
        let stream = match self.cursor.peek() {
            Some(c @ ('1'..='6' | '*')) if self.cursor.peek_at(1) == Some('>') => {
                self.cursor.next();
                Some(c)
            }
            Some('>') => None,
            _ => return Ok(None),
        };
        self.cursor.next();
        let appends = self.cursor.take_text(">");
        if !appends && self.cursor.peek() == Some('&') {
            self.cursor.next();
            let Some(target_stream) = self.cursor.next().filter(char::is_ascii_digit) else {
                self.cursor.seek(from);
                return Err(TranslationError::Syntax);
            };
            return Ok(Some(match stream {
                Some('*' | '2'..='6') => format!(" 2>&{target_stream}"),
                _ => format!(" >&{target_stream}"),
            }));
        }
        self.cursor.skip_blanks();
        let target = self.argument_item()?;
        let operator = if appends { ">>" } else { ">" };
        let stream = match stream {
            None | Some('1') => String::new(),
            Some('*') => "&".to_owned(),
            Some(number) => number.to_string(),
        };
        let target = match target.items.as_slice() {
            // The target is `$null`.
            [] => vec!["/dev/null".to_owned()],
            _ => paths(&target.join_items(" "), WildcardMode::Literal),
        };
        Ok(Some(format!(" {stream}{operator} {}", target.concat())))
    }

    /// Returns the name in bash of the variable that a cmdlet names (`Set-Variable x`); `None` if bash has no such
    /// variable.
    pub(super) fn variable_named(name: &str) -> Option<String> {
        match super::strings::variable(name) {
            VariableTranslation::Variable(name) => Some(name),
            _ => None,
        }
    }
}

/// Returns the value of a parameter, given its full name; `None` if no argument names it.
pub(super) fn named_value(arguments: &[CommandArgument], full_name: &str) -> Option<PowerShellValue> {
    let is_start = |name: &str| full_name.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    let at = arguments.iter().position(
        |argument| matches!(argument, CommandArgument::Parameter { name, .. } if !name.is_empty() && is_start(name)),
    )?;
    let next = || match arguments.get(at + 1) {
        Some(CommandArgument::Value(value)) => Some(value.clone()),
        _ => None,
    };
    arguments.get(at)?.value().or_else(next)
}

/// Switches of cmdlets that define something: a value after them is not theirs.
const SWITCHES: &[&str] = &["Force", "PassThru", "WhatIf", "Confirm"];

/// Returns the values that come after no parameter but a switch.
pub(super) fn unnamed_values(arguments: &[CommandArgument]) -> Vec<PowerShellValue> {
    let mut values = Vec::new();
    let mut is_after_name = false;
    for argument in arguments {
        match argument {
            CommandArgument::Value(value) if !is_after_name => values.push(value.clone()),
            _ => {}
        }
        is_after_name = matches!(argument, CommandArgument::Parameter { name, value: None, .. }
            if !SWITCHES.iter().any(|switch| switch.eq_ignore_ascii_case(name)));
    }
    values
}

/// Moves a text to the end of an object, unless it is empty.
fn flush_text(item: &mut PowerShellObject, text: &mut String) {
    if !text.is_empty() {
        item.push(ValuePiece::Text(std::mem::take(text)));
    }
}

/// Splits a text at blanks as Windows does: quotes keep a word together, and are removed.
pub(super) fn split_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut is_quoted = false;
    for c in text.chars() {
        match c {
            '"' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && !is_quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}
