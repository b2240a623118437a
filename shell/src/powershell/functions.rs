//! Translates functions and their parameters.

use super::cursor::function_name;
use super::statement::body_or_no_op;
use super::strings::{VariableTranslation, variable};
use super::{LimitedTranslator, PowerShellTranslator, ReturnScope, TranslationError, TranslationResult, UNKNOWN};

impl PowerShellTranslator {
    /// Translates `function name($a, $b) { … }`, from its name on.
    pub(super) fn function(&mut self) -> TranslationResult<String> {
        self.cursor.skip_lines();
        let name = self.cursor.take_while(|c| !c.is_whitespace() && !matches!(c, '{' | '(' | '}' | ')' | ';'));
        let name = function_name(&name);
        let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
        if name.is_empty() || !is_plain {
            return Err(TranslationError::Syntax);
        }
        self.functions.insert(name.clone(), Vec::new());
        self.cursor.skip_lines();
        self.return_scopes.push(ReturnScope::Function);
        let body = self.function_body(&name);
        self.return_scopes.pop();
        Ok(format!("function {name} {{\n{}\n}}", body?))
    }

    /// Translates the parameters and the body of a function.
    fn function_body(&mut self, name: &str) -> TranslationResult<String> {
        let outer = std::mem::take(&mut self.assigned);
        let bound = match self.cursor.peek() {
            Some('(') => self.parameter_list(name)?,
            _ => String::new(),
        };
        self.cursor.skip_lines();
        if !self.cursor.take_text("{") {
            return Err(TranslationError::Syntax);
        }
        let body = self.read_deeper(|translator| {
            translator.cursor.skip_separators();
            translator.skip_attributes()?;
            let mut text = String::new();
            if translator.cursor.take_keyword("param") {
                translator.cursor.skip_lines();
                text = translator.parameter_list(name)?;
            }
            text.push_str(&translator.statements('}')?);
            Ok(text)
        });
        self.assigned = outer;
        let body = format!("{bound}{}", body?);
        Ok(body_or_no_op(&body).to_owned())
    }

    /// Skips attributes such as `[CmdletBinding()]` before `param`.
    fn skip_attributes(&mut self) -> TranslationResult<()> {
        loop {
            let from = self.cursor.position();
            if self.cursor.peek() != Some('[') {
                return Ok(());
            }
            self.type_name()?;
            self.cursor.skip_separators();
            if !matches!(self.cursor.peek(), Some('[')) && !self.cursor.is_at_text("param") {
                self.cursor.seek(from);
                return Ok(());
            }
        }
    }

    /// Translates the `param(…)` of a script: its parameters become unknown variables.
    pub(super) fn parameters(&mut self) -> TranslationResult<String> {
        self.cursor.skip_lines();
        let text = self.parameter_list("")?;
        let names: Vec<String> = self.functions.remove("").unwrap_or_default();
        let unknown = names.into_iter().map(|name| format!("{name}=\"${{{UNKNOWN}}}\"\n"));
        Ok(format!("{}{text}", unknown.collect::<String>()))
    }

    /// Reads `($a, [int]$b = 1)`, records these parameters of a function, and returns the commands of bash that assign
    /// its arguments to them. For the parameters of a script, `function` is empty and there are no commands.
    fn parameter_list(&mut self, function: &str) -> TranslationResult<String> {
        if !self.cursor.take_text("(") {
            return Err(TranslationError::Syntax);
        }
        let mut text = String::new();
        let mut names = Vec::new();
        loop {
            self.cursor.skip_lines();
            match self.cursor.peek() {
                Some(')') => {
                    self.cursor.next();
                    break;
                }
                Some(',') => {
                    self.cursor.next();
                }
                Some('[') => {
                    self.type_name()?;
                }
                Some('$') => {
                    let name = self.target_name().ok_or(TranslationError::Syntax)?;
                    let VariableTranslation::Variable(name) = variable(&name) else {
                        return Err(TranslationError::Syntax);
                    };
                    self.cursor.skip_lines();
                    let default = match self.cursor.take_text("=") {
                        true => Some(self.default_value()?),
                        false => None,
                    };
                    names.push(name.clone());
                    let number = names.len();
                    match (function.is_empty(), default) {
                        (true, Some(default)) if default.contains("$(") => {
                            text.push_str(&format!("{name}=\"${{{UNKNOWN}}}{default}\"\n"));
                        }
                        (true, _) => {}
                        (false, Some(default)) => {
                            text.push_str(&format!("local {name}=\"${{{number}-{default}}}\"\n"));
                        }
                        (false, None) => text.push_str(&format!("local {name}=\"${{{number}}}\"\n")),
                    }
                }
                _ => return Err(TranslationError::Syntax),
            }
        }
        self.functions.insert(function.to_owned(), names);
        Ok(text)
    }

    /// Reads the default value of a parameter, and returns it in the form that it has in bash's `"${1-…}"`.
    fn default_value(&mut self) -> TranslationResult<String> {
        self.cursor.skip_lines();
        let value = self.argument_expression()?;
        let is_plain =
            |text: &String| text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ' '));
        if let Some(text) = value.known_text().filter(is_plain) {
            return Ok(text);
        }
        let outputs: String = value.scripts().map(|script| format!("$({script}\n)")).collect();
        Ok(format!("${{{UNKNOWN}}}{outputs}"))
    }
}
