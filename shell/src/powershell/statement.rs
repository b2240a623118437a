//! Translates statements: conditions, loops, functions, assignments.

use super::strings::{VariableTranslation, variable};
use super::value::{PowerShellValue, PowerShellValueKind, ValuePiece, WildcardMode, paths};
use super::{LimitedTranslator, PowerShellTranslator, ReturnScope, TranslationError, TranslationResult, UNKNOWN};

/// A statement of PowerShell, translated into bash. An expression stays a value, because its use decides how bash
/// writes it.
pub(super) enum Statement {
    /// An expression, whose value is the output.
    Value(PowerShellValue),
    /// Commands in bash, and the files that they output, if these are known.
    Commands { text: String, files: Option<PowerShellValue> },
}

impl Statement {
    pub(super) fn commands(text: String) -> Self {
        Self::Commands { text, files: None }
    }
}

pub(super) use super::script::{
    body_or_no_op, loop_over_words, loop_words, make_unknown, name_word, optional_body, output_command, repeat_body,
};

impl PowerShellTranslator {
    /// Translates a statement.
    pub(super) fn statement(&mut self) -> TranslationResult<String> {
        let text = match self.read_statement()? {
            Statement::Value(value) => output_command(&value),
            Statement::Commands { text, .. } => text,
        };
        self.charge(&text)?;
        Ok(text)
    }

    /// Translates statements up to and including a closing bracket.
    pub(super) fn statements(&mut self, close: char) -> TranslationResult<String> {
        let mut script = String::new();
        loop {
            self.cursor.skip_separators();
            if self.cursor.peek() == Some(close) {
                self.cursor.next();
                return Ok(script);
            }
            if self.cursor.is_at_end()? {
                return Err(TranslationError::Syntax);
            }
            self.next_statement(&mut script)?;
        }
    }

    /// Translates statements up to the end of the text.
    pub(super) fn statements_to_end(&mut self) -> TranslationResult<String> {
        let mut script = String::new();
        loop {
            self.cursor.skip_separators();
            if self.cursor.is_at_end()? {
                return Ok(script);
            }
            self.next_statement(&mut script)?;
        }
    }

    /// Translates a statement and appends it; fails if nothing was read.
    fn next_statement(&mut self, script: &mut String) -> TranslationResult<()> {
        let from = self.cursor.position();
        let text = self.statement()?;
        script.push_str(&text);
        script.push('\n');
        if self.cursor.position() == from { Err(TranslationError::Syntax) } else { Ok(()) }
    }

    /// Translates a statement. An expression stays a value.
    pub(super) fn read_statement(&mut self) -> TranslationResult<Statement> {
        self.read_deeper(|translator| {
            translator.cursor.skip_lines();
            let outer = std::mem::take(&mut translator.annotations);
            let statement = match translator.keyword()? {
                Some(text) => Statement::commands(text),
                None => translator.plain_statement()?,
            };
            let annotations = std::mem::replace(&mut translator.annotations, outer);
            Ok(match statement {
                statement if annotations.is_empty() => statement,
                Statement::Value(value) => Statement::commands(format!("{annotations}{}", output_command(&value))),
                Statement::Commands { text, files } => {
                    Statement::Commands { text: format!("{annotations}{text}"), files }
                }
            })
        })
    }

    /// Translates a statement that begins with a keyword; `None` if none begins here.
    fn keyword(&mut self) -> TranslationResult<Option<String>> {
        let text = match self.take_statement_keyword() {
            None => return Ok(None),
            Some("if") => self.conditional()?,
            Some("foreach") => self.for_each()?,
            Some("for") => self.for_statement()?,
            Some("while") => {
                let condition = self.condition()?;
                let body = self.braced_block()?;
                repeat_body(&format!("{condition}{body}"))
            }
            Some("do") => self.do_loop()?,
            Some("switch") => self.switch()?,
            Some("function" | "filter") => self.function()?,
            Some("try") => self.try_statement()?,
            Some("trap") => self.trap()?,
            Some("param") => self.parameters()?,
            Some("begin" | "process" | "end" | "clean") => self.braced_block()?,
            Some(keyword @ ("break" | "continue")) => {
                self.cursor.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | ' '));
                keyword.to_owned()
            }
            Some("return") => {
                let value = self.jump_operand()?;
                let jump = match self.return_scopes.last() {
                    Some(ReturnScope::Function) => "return",
                    Some(ReturnScope::Each) => "continue",
                    None => "exit",
                };
                format!("{value}\n{jump}")
            }
            Some("exit") => {
                let value = self.jump_operand()?;
                // The exit code is a number and is not written to the output.
                let commands = if value.starts_with("Write-Output") { String::new() } else { value };
                format!("{commands}\nexit")
            }
            Some("throw") => self.jump_operand()?,
            // `using`, `class`, `enum`, `data`, `workflow`, `configuration` and `dynamicparam` are not supported.
            Some(_) => return Err(TranslationError::Syntax),
        };
        Ok(Some(text))
    }

    /// Translates `do { … } while (…)`, from its block on.
    fn do_loop(&mut self) -> TranslationResult<String> {
        let body = self.braced_block()?;
        self.cursor.skip_lines();
        if !self.cursor.take_keyword("while") && !self.cursor.take_keyword("until") {
            return Err(TranslationError::Syntax);
        }
        let condition = self.condition()?;
        Ok(repeat_body(&format!("{body}{condition}")))
    }

    /// Translates `trap [type] { … }`, from its type on: the block may run or not.
    fn trap(&mut self) -> TranslationResult<String> {
        self.cursor.skip_lines();
        if self.cursor.peek() == Some('[') {
            self.type_name()?;
        }
        let body = self.braced_block()?;
        Ok(optional_body(&body))
    }

    /// Consumes the label of a loop and a keyword that begins a statement; `None` if there is no keyword.
    fn take_statement_keyword(&mut self) -> Option<&'static str> {
        const KEYWORDS: &[&str] = &[
            "if",
            "foreach",
            "for",
            "while",
            "do",
            "switch",
            "function",
            "filter",
            "try",
            "trap",
            "param",
            "begin",
            "process",
            "end",
            "clean",
            "break",
            "continue",
            "return",
            "exit",
            "throw",
            "using",
            "class",
            "enum",
            "data",
            "workflow",
            "configuration",
            "dynamicparam",
        ];
        if self.cursor.peek() == Some(':') && self.cursor.peek_at(1).is_some_and(char::is_alphabetic) {
            // The label of a loop.
            self.cursor.next();
            self.cursor.take_while(char::is_alphanumeric);
            self.cursor.skip_lines();
        }
        let from = self.cursor.position();
        let keyword = KEYWORDS.iter().find(|keyword| self.cursor.take_keyword(keyword))?;
        // As names of commands, these words have no block after them.
        let is_block = matches!(*keyword, "process" | "begin" | "end" | "clean" | "data");
        self.cursor.skip_lines();
        if is_block && self.cursor.peek() != Some('{') {
            self.cursor.seek(from);
            return None;
        }
        if matches!(*keyword, "break" | "continue" | "return" | "exit" | "throw") {
            // The operand of these keywords must be on the same line.
            self.cursor.seek(from);
            self.cursor.take_keyword(keyword);
            self.cursor.skip_blanks();
        }
        Some(keyword)
    }

    /// Translates the operand of `return`, `exit` or `throw`. Returns an empty text if there is none.
    fn jump_operand(&mut self) -> TranslationResult<String> {
        self.cursor.skip_blanks();
        match self.cursor.peek() {
            None | Some(';' | '}' | ')' | '\n' | '\r') => Ok(String::new()),
            _ => self.statement(),
        }
    }

    /// Translates `{ … }`.
    fn braced_block(&mut self) -> TranslationResult<String> {
        self.cursor.skip_lines();
        if !self.cursor.take_text("{") {
            return Err(TranslationError::Syntax);
        }
        self.read_deeper(|translator| translator.statements('}'))
    }

    /// Reads `(…)` and returns the commands that it runs, in bash.
    fn condition(&mut self) -> TranslationResult<String> {
        let value = self.parenthesized()?;
        Ok(value.commands())
    }

    /// Reads `(…)` and returns its value.
    fn parenthesized(&mut self) -> TranslationResult<PowerShellValue> {
        self.cursor.skip_lines();
        if self.cursor.peek() != Some('(') {
            return Err(TranslationError::Syntax);
        }
        self.cursor.next();
        let value = match self.read_statement()? {
            Statement::Value(value) => value,
            Statement::Commands { text, files } => files.unwrap_or_else(|| PowerShellValue::output(text)),
        };
        self.cursor.skip_lines();
        if self.cursor.take_text(")") { Ok(value) } else { Err(TranslationError::Syntax) }
    }

    /// Translates `if`, from its condition on: into a `case` of which either branch may run.
    fn conditional(&mut self) -> TranslationResult<String> {
        let condition = self.condition()?;
        let body = self.braced_block()?;
        let body_end = self.cursor.position();
        self.cursor.skip_lines();
        let other = if self.cursor.take_keyword("elseif") {
            self.read_deeper(Self::conditional)?
        } else if self.cursor.take_keyword("else") {
            self.braced_block()?
        } else {
            self.cursor.seek(body_end);
            String::new()
        };
        Ok(format!("{condition}case \"${{{UNKNOWN}}}\" in\n1)\n{body}\n;;\n*)\n{other}\n;;\nesac"))
    }

    /// Translates `foreach ($x in $list) { … }`, from its parenthesis on.
    fn for_each(&mut self) -> TranslationResult<String> {
        if self.cursor.take_text("-parallel") {
            self.cursor.skip_lines();
        }
        if !self.cursor.take_text("(") {
            return Err(TranslationError::Syntax);
        }
        self.cursor.skip_lines();
        let target = self.loop_variable()?;
        self.cursor.skip_lines();
        if !self.cursor.take_keyword("in") {
            return Err(TranslationError::Syntax);
        }
        let list = match self.read_statement()? {
            Statement::Value(value) => value,
            Statement::Commands { text, files } => files.unwrap_or_else(|| PowerShellValue::output(text)),
        };
        self.cursor.skip_lines();
        if !self.cursor.take_text(")") {
            return Err(TranslationError::Syntax);
        }
        let name = match target {
            VariableTranslation::Variable(name) => name,
            _ => return Err(TranslationError::Syntax),
        };
        self.note_files(&name, self.may_hold_files(&list));
        let body = self.braced_block()?;
        self.assigned.insert(name.clone());
        Ok(loop_over_words(&name, &loop_words(&list), &body))
    }

    /// Reads the variable of a `foreach`, and returns its translation.
    fn loop_variable(&mut self) -> TranslationResult<VariableTranslation> {
        match self.target_name() {
            Some(name) => Ok(variable(&name)),
            None => Err(TranslationError::Syntax),
        }
    }

    /// Translates `for (…; …; …) { … }`, from its parenthesis on: the condition, the step and the body may run any
    /// number of times.
    fn for_statement(&mut self) -> TranslationResult<String> {
        if !self.cursor.take_text("(") {
            return Err(TranslationError::Syntax);
        }
        let mut parts = Vec::new();
        loop {
            self.cursor.skip_lines();
            match self.cursor.peek() {
                Some(';') => {
                    self.cursor.next();
                    if parts.len() < 2 {
                        parts.push(String::new());
                    }
                    continue;
                }
                Some(')') => {
                    self.cursor.next();
                    break;
                }
                _ => {}
            }
            let text = match self.read_statement()? {
                Statement::Value(value) => value.commands(),
                Statement::Commands { text, .. } => text,
            };
            parts.push(text);
            self.cursor.skip_lines();
            if self.cursor.peek() == Some(';') {
                self.cursor.next();
            }
        }
        let body = self.braced_block()?;
        let mut parts = parts.into_iter();
        let start = parts.next().unwrap_or_default();
        let rest: Vec<String> = parts.collect();
        Ok(format!("{start}\n{}", repeat_body(&format!("{}\n{body}\n{}", rest.join("\n"), rest.join("\n")))))
    }

    /// Translates `switch`, from its options on: each body may run or not.
    fn switch(&mut self) -> TranslationResult<String> {
        self.cursor.skip_lines();
        let mut reads_file = false;
        while self.cursor.peek() == Some('-') {
            self.cursor.next();
            let option = self.cursor.take_while(char::is_alphanumeric);
            reads_file |= option.eq_ignore_ascii_case("reads_file");
            self.cursor.skip_lines();
        }
        let value = match reads_file {
            true => {
                let file = self.argument()?;
                let words = paths(&file.join_items(" "), WildcardMode::Literal);
                PowerShellValue::output(format!("Get-Content {}", words.join(" ")))
            }
            false => self.parenthesized()?,
        };
        self.cursor.skip_lines();
        if !self.cursor.take_text("{") {
            return Err(TranslationError::Syntax);
        }
        let mut text = format!("psitem={}", value.word());
        self.assigned.insert("psitem".to_owned());
        loop {
            self.cursor.skip_separators();
            if self.cursor.take_text("}") {
                return Ok(text);
            }
            if self.cursor.is_at_end()? {
                return Err(TranslationError::Syntax);
            }
            let pattern = self.argument()?;
            let body = self.braced_block()?;
            let checked = match pattern.kind {
                PowerShellValueKind::Code => self.block_statements(&pattern)?,
                _ => pattern.commands(),
            };
            text.push('\n');
            text.push_str(&checked);
            text.push_str(&optional_body(&body));
        }
    }

    /// Translates the statements of a block, given as a value whose text is its source.
    pub(super) fn block_statements(&mut self, block: &PowerShellValue) -> TranslationResult<String> {
        let text = block.known_text().ok_or(TranslationError::Syntax)?;
        let text = text.trim();
        let text = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(text).to_owned();
        self.translate_nested(&text, Self::statements_to_end)
    }

    /// Translates `try { … } catch { … } finally { … }`, from the first block on.
    fn try_statement(&mut self) -> TranslationResult<String> {
        let mut text = self.braced_block()?;
        loop {
            let block_end = self.cursor.position();
            self.cursor.skip_lines();
            if self.cursor.take_keyword("catch") {
                self.cursor.skip_lines();
                while self.cursor.peek() == Some('[') {
                    self.type_name()?;
                    self.cursor.skip_lines();
                    self.cursor.take_text(",");
                    self.cursor.skip_lines();
                }
                let body = self.braced_block()?;
                text.push('\n');
                text.push_str(&optional_body(&body));
            } else if self.cursor.take_keyword("finally") {
                let body = self.braced_block()?;
                text.push('\n');
                text.push_str(&body);
            } else {
                self.cursor.seek(block_end);
                return Ok(text);
            }
        }
    }

    /// Translates an assignment or a pipeline. Variables that an expression changes are unknown after it.
    fn plain_statement(&mut self) -> TranslationResult<Statement> {
        let from = self.cursor.position();
        if let Some(targets) = self.assignment_targets()? {
            return self.assignment(&targets, from);
        }
        self.cursor.seek(from);
        self.annotations.clear();
        let outer = std::mem::take(&mut self.changed);
        let statement = self.chain_or_member_assignment(from);
        let changed = std::mem::replace(&mut self.changed, outer);
        Ok(match statement? {
            statement if changed.is_empty() => statement,
            Statement::Value(value) => {
                let mut text = value.commands();
                changed.iter().for_each(|name| text.push_str(&make_unknown(name)));
                Statement::commands(text)
            }
            Statement::Commands { mut text, files } => {
                text.push('\n');
                changed.iter().for_each(|name| text.push_str(&make_unknown(name)));
                Statement::Commands { text, files }
            }
        })
    }

    /// Translates a pipeline, or an assignment whose target is an expression. The statement begins at `from`.
    fn chain_or_member_assignment(&mut self, from: usize) -> TranslationResult<Statement> {
        self.property = None;
        let statement = self.chain()?;
        self.cursor.skip_blanks();
        let property = self.property.take();
        match (statement, self.take_assignment_operator()) {
            (Statement::Value(target), Some(_)) => self.member_assignment(&target, property, from),
            (statement, None) => Ok(statement),
            _ => Err(TranslationError::Syntax),
        }
    }

    /// Records that the current expression changes the variables in a value.
    pub(super) fn forget(&mut self, value: &PowerShellValue) {
        for piece in value.items.iter().flatten() {
            if let ValuePiece::Variable(name) = piece {
                self.assigned.insert(name.clone());
                self.changed.push(name.clone());
            }
        }
    }
}
