//! Reads expressions: operators, lists, types, members.

use super::assign::PropertyAccess;
use super::blocks::is_block;
use super::pipeline::runs;
use super::statement::Statement;
use super::types::{self, CallResult};
use super::value::{PowerShellValue, PowerShellValueKind, ValuePiece};
use super::{LimitedTranslator, PowerShellTranslator, TranslationError, TranslationResult, fold};

/// The binary operators by precedence, the lowest first.
const OPERATORS: [&[&str]; 6] = [
    &["-and", "-or", "-xor", "-band", "-bor", "-bxor", "??"],
    &[
        "-eq",
        "-ne",
        "-gt",
        "-ge",
        "-lt",
        "-le",
        "-like",
        "-notlike",
        "-match",
        "-notmatch",
        "-contains",
        "-notcontains",
        "-in",
        "-notin",
        "-replace",
        "-split",
        "-join",
        "-is",
        "-isnot",
        "-as",
        "-shl",
        "-shr",
        "-ceq",
        "-cne",
        "-cgt",
        "-cge",
        "-clt",
        "-cle",
        "-clike",
        "-cnotlike",
        "-cmatch",
        "-cnotmatch",
        "-ccontains",
        "-cnotcontains",
        "-cin",
        "-cnotin",
        "-creplace",
        "-csplit",
        "-ieq",
        "-ine",
        "-igt",
        "-ige",
        "-ilt",
        "-ile",
        "-ilike",
        "-inotlike",
        "-imatch",
        "-inotmatch",
        "-icontains",
        "-inotcontains",
        "-iin",
        "-inotin",
        "-ireplace",
        "-isplit",
    ],
    &["+", "-"],
    &["*", "/", "%"],
    &["-f"],
    &[".."],
];

/// The prefix operators that are words.
const UNARY: &[&str] = &["-not", "-bnot", "-join", "-split", "-isplit", "-csplit"];

impl PowerShellTranslator {
    /// Reads an expression and returns its value.
    pub(super) fn expression(&mut self) -> TranslationResult<PowerShellValue> {
        self.read_deeper(|translator| {
            let value = translator.binary(0)?;
            translator.cursor.skip_blanks();
            // `$a ? $b : $c`: the value is one of two.
            if translator.cursor.peek() == Some('?') && translator.cursor.peek_at(1).is_some_and(char::is_whitespace) {
                translator.cursor.next();
                let then_value = translator.expression()?;
                translator.cursor.skip_lines();
                if !translator.cursor.take_text(":") {
                    return Err(TranslationError::Syntax);
                }
                let else_value = translator.expression()?;
                return Ok(PowerShellValue::unknown_from([&value, &then_value, &else_value]));
            }
            Ok(value)
        })
    }

    /// Reads operands and binary operators of this level of precedence and above.
    fn binary(&mut self, level: usize) -> TranslationResult<PowerShellValue> {
        let Some(operators) = OPERATORS.get(level) else {
            return self.list();
        };
        let mut left = self.binary(level + 1)?;
        loop {
            self.cursor.skip_blanks();
            let Some(operator) = self.operator(operators) else { return Ok(left) };
            self.cursor.skip_lines();
            let right = self.binary(level + 1)?;
            left = fold::binary(operator, &left, &right);
        }
    }

    /// Consumes one of these operators, and returns it; `None` if none is next.
    fn operator(&mut self, operators: &[&'static str]) -> Option<&'static str> {
        for operator in operators {
            if !self.cursor.is_at_text(operator) {
                continue;
            }
            let next = self.cursor.peek_at(operator.len());
            let is_word = operator.len() > 1 && operator.starts_with('-');
            let is_whole = match is_word {
                true => !next.is_some_and(|c| c.is_alphanumeric() || c == '_'),
                // `+=` and `--` are other operators, and a `-` before a letter begins `-eq` or a parameter.
                false if *operator == "-" && next.is_some_and(char::is_alphabetic) => false,
                false => next != Some('=') && !(matches!(*operator, "+" | "-") && next == operator.chars().next()),
            };
            if is_whole {
                self.cursor.take_text(operator);
                return Some(operator);
            }
        }
        None
    }

    /// Reads a list: `a, b, c`.
    fn list(&mut self) -> TranslationResult<PowerShellValue> {
        let first = self.unary()?;
        let mut value = first;
        loop {
            self.cursor.skip_blanks();
            if self.cursor.peek() != Some(',') {
                return Ok(value);
            }
            self.cursor.next();
            self.cursor.skip_lines();
            let next = self.unary()?;
            value.kind = if value.kind == PowerShellValueKind::Files {
                PowerShellValueKind::Files
            } else {
                PowerShellValueKind::Plain
            };
            value.items.extend(next.items);
        }
    }

    /// Reads an operand with its prefix operators.
    fn unary(&mut self) -> TranslationResult<PowerShellValue> {
        self.cursor.skip_blanks();
        if let Some(operator) = self.operator(UNARY) {
            let value = self.read_deeper(Self::unary)?;
            return Ok(match operator {
                "-join" => PowerShellValue::single(value.join_items("")),
                _ => PowerShellValue::unknown_from([&value]),
            });
        }
        match self.cursor.peek() {
            Some('!') => {
                self.cursor.next();
                let value = self.read_deeper(Self::unary)?;
                Ok(PowerShellValue::unknown_from([&value]))
            }
            Some(',') => {
                self.cursor.next();
                self.read_deeper(Self::unary)
            }
            Some(sign @ ('+' | '-')) => {
                self.cursor.next();
                let is_change = self.cursor.take_text(if sign == '+' { "+" } else { "-" });
                let value = self.read_deeper(Self::unary)?;
                if is_change {
                    self.forget(&value);
                }
                Ok(match (sign, value.known_text()) {
                    ('-', Some(text)) => PowerShellValue::text(format!("-{text}")),
                    _ => PowerShellValue::unknown_from([&value]),
                })
            }
            _ => self.postfix(),
        }
    }

    /// Reads an operand with its members and indexes.
    fn postfix(&mut self) -> TranslationResult<PowerShellValue> {
        let from = self.cursor.position();
        let value = self.primary()?;
        self.members(value, from)
    }

    /// Reads the members, calls and indexes after a value. `from` is the position of the value.
    pub(super) fn members(&mut self, mut value: PowerShellValue, from: usize) -> TranslationResult<PowerShellValue> {
        loop {
            match (self.cursor.peek(), self.cursor.peek_at(1)) {
                (Some('?'), Some('.')) => {
                    self.cursor.next();
                }
                (Some('.'), Some(c)) if c.is_alphabetic() || matches!(c, '_' | '$' | '\'' | '"') => {
                    self.cursor.next();
                    let name = self.member_name()?;
                    value = self.member(value, name, from)?;
                }
                (Some(':'), Some(':')) => {
                    self.cursor.next();
                    self.cursor.next();
                    let name = self.member_name()?;
                    value = self.member(value, name, from)?;
                }
                (Some('['), _) => {
                    self.cursor.next();
                    let index = self.expression()?;
                    self.cursor.skip_lines();
                    if !self.cursor.take_text("]") {
                        return Err(TranslationError::Syntax);
                    }
                    self.property = None;
                    value = element(&value, &index);
                }
                (Some('+'), Some('+')) | (Some('-'), Some('-')) => {
                    self.cursor.next();
                    self.cursor.next();
                    self.forget(&value);
                    value = PowerShellValue::unknown_from([&value]);
                }
                _ => return Ok(value),
            }
        }
    }

    /// Reads the name of a member. Returns `None` if the name is an expression with an unknown value.
    fn member_name(&mut self) -> TranslationResult<Option<String>> {
        match self.cursor.peek() {
            Some('$') => self.variable_or_output().map(|value| value.and_then(|value| value.known_text())),
            Some('\'' | '"') => Ok(super::value::known_object_text(&self.string()?)),
            _ => Ok(Some(self.cursor.take_while(|c| c.is_alphanumeric() || c == '_'))),
        }
    }

    /// Returns the value of a member whose name has been read. If arguments follow, it is a call, which is recorded as
    /// unread if its effect is unknown. `from` is the position of `value`.
    fn member(
        &mut self,
        value: PowerShellValue,
        name: Option<String>,
        from: usize,
    ) -> TranslationResult<PowerShellValue> {
        if self.cursor.peek() != Some('(') {
            let name = name.unwrap_or_default();
            let result = self.property_value(&value, &name);
            self.property = Some(PropertyAccess { owner: value, name });
            return Ok(result);
        }
        let arguments = self.call_arguments()?;
        let called = name.map(|name| types::member_call(&value, &name, &arguments));
        let value = match called {
            Some(CallResult::Value(result)) => with_scripts(result, std::iter::once(&value).chain(&arguments)),
            _ => self.report_unread_call(from, std::iter::once(&value).chain(&arguments)),
        };
        Ok(self.with_block_commands(value, &arguments))
    }

    /// Records a call from a position on as unread, and returns an unknown value that refers to the values in it.
    fn report_unread_call<'v>(
        &mut self,
        from: usize,
        values: impl IntoIterator<Item = &'v PowerShellValue>,
    ) -> PowerShellValue {
        let text = self.cursor.slice(from, self.cursor.position());
        self.unread.push(text);
        PowerShellValue::unknown_from(values)
    }

    /// Reads `(a, b)`.
    fn call_arguments(&mut self) -> TranslationResult<Vec<PowerShellValue>> {
        self.cursor.next();
        let mut arguments = Vec::new();
        loop {
            self.cursor.skip_lines();
            if self.cursor.take_text(")") {
                return Ok(arguments);
            }
            let argument = self.read_deeper(Self::argument_expression)?;
            arguments.push(argument);
            self.cursor.skip_lines();
            if !self.cursor.take_text(",") && self.cursor.peek() != Some(')') {
                return Err(TranslationError::Syntax);
            }
        }
    }

    /// Reads an expression that ends at a comma, evaluating its operators from left to right, without precedence.
    pub(super) fn argument_expression(&mut self) -> TranslationResult<PowerShellValue> {
        let mut left = self.unary()?;
        loop {
            self.cursor.skip_lines();
            let Some(operator) = OPERATORS.iter().rev().find_map(|operators| self.operator(operators)) else {
                return Ok(left);
            };
            self.cursor.skip_lines();
            let right = self.unary()?;
            left = fold::binary(operator, &left, &right);
        }
    }

    /// Reads a string, a variable, a number, a type, or an expression in brackets.
    pub(super) fn primary(&mut self) -> TranslationResult<PowerShellValue> {
        match (self.cursor.peek(), self.cursor.peek_at(1)) {
            (Some('\'' | '"'), _) | (Some('@'), Some('\'' | '"')) => Ok(PowerShellValue::single(self.string()?)),
            (Some('$'), _) => self.variable_or_output()?.ok_or(TranslationError::Syntax),
            (Some('('), _) => {
                self.cursor.next();
                self.read_deeper(Self::parenthesized_value)
            }
            (Some('@'), Some('(')) => {
                self.cursor.next();
                self.cursor.next();
                self.read_deeper(|translator| translator.array_subexpression())
            }
            (Some('@'), Some('{')) => {
                self.cursor.next();
                self.cursor.next();
                self.read_deeper(Self::table)
            }
            (Some('{'), _) => self.block().map(|text| code_value(&text)),
            (Some('['), _) => self.read_deeper(Self::type_expression),
            (Some(c), _) if c.is_ascii_digit() => {
                let number = self.cursor.take_while(|c| c.is_ascii_alphanumeric());
                // `1.5` is a number, but `1..3` is a range.
                if self.cursor.peek() == Some('.') && self.cursor.peek_at(1).is_some_and(|c| c.is_ascii_digit()) {
                    self.cursor.next();
                    let rest = self.cursor.take_while(|c| c.is_ascii_alphanumeric());
                    return Ok(PowerShellValue::text(format!("{number}.{rest}")));
                }
                Ok(PowerShellValue::text(number))
            }
            _ => Err(TranslationError::Syntax),
        }
    }

    /// Reads `(…)` from after its bracket: a single statement.
    fn parenthesized_value(&mut self) -> TranslationResult<PowerShellValue> {
        self.cursor.skip_lines();
        let statement = self.read_statement()?;
        self.cursor.skip_lines();
        if !self.cursor.take_text(")") {
            return Err(TranslationError::Syntax);
        }
        Ok(match statement {
            Statement::Value(value) => value,
            Statement::Commands { text, files } => files.unwrap_or_else(|| PowerShellValue::output(text)),
        })
    }

    /// Reads `@(…)` from after its bracket: any number of statements, whose values are joined into a list.
    fn array_subexpression(&mut self) -> TranslationResult<PowerShellValue> {
        let mut list = PowerShellValue::default();
        let mut has_commands = false;
        loop {
            self.cursor.skip_separators();
            if self.cursor.take_text(")") {
                if !has_commands {
                    list.kind = PowerShellValueKind::Plain;
                }
                return Ok(list);
            }
            if self.cursor.is_at_end()? {
                return Err(TranslationError::Syntax);
            }
            let from = self.cursor.position();
            match self.read_statement()? {
                Statement::Value(value) => list.items.extend(value.items),
                Statement::Commands { text, files } => {
                    has_commands = true;
                    list.items.extend(files.unwrap_or_else(|| PowerShellValue::output(text)).items);
                }
            }
            if self.cursor.position() == from {
                return Err(TranslationError::Syntax);
            }
        }
    }

    /// Reads `@{ name = value }` from after its bracket. The value is unknown, and refers to the values in it.
    fn table(&mut self) -> TranslationResult<PowerShellValue> {
        let mut values = Vec::new();
        loop {
            self.cursor.skip_separators();
            if self.cursor.take_text("}") {
                return Ok(PowerShellValue::unknown_from(&values));
            }
            match self.cursor.peek() {
                Some(c) if c.is_alphanumeric() || c == '_' => {
                    self.cursor.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
                }
                _ => {
                    let key = self.unary()?;
                    values.push(key);
                }
            }
            self.cursor.skip_lines();
            if !self.cursor.take_text("=") {
                return Err(TranslationError::Syntax);
            }
            self.cursor.skip_lines();
            match self.read_statement()? {
                Statement::Value(value) if is_block(&value) => {
                    values.push(self.with_block_commands(PowerShellValue::default(), std::slice::from_ref(&value)));
                }
                Statement::Value(value) => values.push(value),
                Statement::Commands { text, .. } => values.push(PowerShellValue::output(text)),
            }
        }
    }

    /// Reads a type literal: the type alone, `[Type]`, a static member, `[Type]::Member` or `[Type]::Method(…)`, or a
    /// cast, `[Type]value`.
    fn type_expression(&mut self) -> TranslationResult<PowerShellValue> {
        let from = self.cursor.position();
        let name = self.type_name()?;
        if self.cursor.peek() == Some(':') && self.cursor.peek_at(1) == Some(':') {
            return self.static_member(&name, from);
        }
        self.cursor.skip_blanks();
        let has_operand = self
            .cursor
            .peek()
            .is_some_and(|c| matches!(c, '$' | '\'' | '"' | '@' | '(' | '[' | '{' | '-') || c.is_ascii_digit());
        if !has_operand {
            // The type itself is the value.
            return Ok(PowerShellValue::unknown());
        }
        self.cast(&name)
    }

    /// Reads `::Member` or `::Method(…)` after a type, which is at the position `from`.
    fn static_member(&mut self, type_name: &str, from: usize) -> TranslationResult<PowerShellValue> {
        self.cursor.next();
        self.cursor.next();
        let member = self.member_name()?;
        if self.cursor.peek() != Some('(') {
            let is_enumeration = ["FileMode", "FileAccess"]
                .iter()
                .any(|own| type_name.rsplit('.').next().is_some_and(|name| name.eq_ignore_ascii_case(own)));
            if let Some(member) = member.as_ref().filter(|_| is_enumeration) {
                return Ok(PowerShellValue::text(member));
            }
            let kind = match (type_name.to_lowercase().trim_start_matches("system."), member.unwrap_or_default()) {
                ("text.encoding", member) if member.eq_ignore_ascii_case("unicode") => {
                    PowerShellValueKind::Utf16Encoding
                }
                ("text.encoding", _) => PowerShellValueKind::Utf8Encoding,
                _ => PowerShellValueKind::Plain,
            };
            return Ok(PowerShellValue { kind, ..PowerShellValue::unknown() });
        }
        let arguments = self.call_arguments()?;
        let called = member.map(|member| types::static_call(type_name, &member, &arguments));
        let value = match called {
            Some(CallResult::Value(result)) => with_scripts(result, &arguments),
            _ => self.report_unread_call(from, &arguments),
        };
        Ok(self.with_block_commands(value, &arguments))
    }

    /// Reads the operand of a cast, and returns its value converted to the type.
    fn cast(&mut self, type_name: &str) -> TranslationResult<PowerShellValue> {
        let value = self.unary()?;
        let name = type_name.to_lowercase();
        Ok(match name.strip_prefix("system.").unwrap_or(&name) {
            "char" => fold::character(&value).unwrap_or_else(|| PowerShellValue::unknown_from([&value])),
            "char[]" => characters(&value).unwrap_or_else(|| PowerShellValue::unknown_from([&value])),
            "scriptblock" => types::code_of(&value),
            "string" | "string[]" | "array" | "object" | "object[]" | "io.fileinfo" | "io.directoryinfo" | "uri"
            | "void" | "psobject" | "bool" | "switch" => value,
            "int" | "int32" | "int64" | "long" | "double" | "byte" | "decimal" if value.known_text().is_some() => value,
            _ => PowerShellValue::unknown_from([&value]),
        })
    }

    /// Reads `[Name]`, `[Name[]]` or `[Name[Other]]`, and returns the text in the brackets.
    pub(super) fn type_name(&mut self) -> TranslationResult<String> {
        self.cursor.next();
        let mut open = 1_usize;
        let mut name = String::new();
        while let Some(c) = self.cursor.next() {
            match c {
                '[' => open += 1,
                ']' => open -= 1,
                c if c.is_alphanumeric() || matches!(c, '.' | '_' | ',' | ' ' | '`' | '+') => {}
                // `[Parameter(Mandatory = $true)]` is an annotation: of its arguments, only a block runs.
                '(' if open == 1 => {
                    let from = self.cursor.position();
                    self.cursor.skip_to_closing(')');
                    self.note_annotation(&self.cursor.slice(from, self.cursor.position()));
                    continue;
                }
                _ => return Err(TranslationError::Syntax),
            }
            if open == 0 {
                return Ok(name.trim().to_owned());
            }
            name.push(c);
        }
        Err(TranslationError::Syntax)
    }

    /// Returns a property of a value. The path of a file is the file itself; most other properties are unknown.
    fn property_value(&self, value: &PowerShellValue, name: &str) -> PowerShellValue {
        let is_file_variable = |name: &String| {
            matches!(name.as_str(), "psitem" | "PWD") || self.file_variables.get(name).copied().unwrap_or(false)
        };
        let is_object = value.kind == PowerShellValueKind::Files
            || matches!(value.items.as_slice(), [item] if matches!(item.as_slice(), [ValuePiece::Variable(name)] if is_file_variable(name)));
        match name.to_ascii_lowercase().as_str() {
            "fullname" | "pspath" | "path" | "providerpath" if is_object => value.clone(),
            "path" if value.known_text().is_some() => value.clone(),
            _ => PowerShellValue::unknown_from([value]),
        }
    }

    /// Reads `{ … }` without translating it, and returns its source with the brackets.
    pub(super) fn block(&mut self) -> TranslationResult<String> {
        let from = self.cursor.position();
        self.cursor.next();
        if !self.cursor.skip_to_closing('}') {
            return Err(TranslationError::Syntax);
        }
        Ok(self.cursor.slice(from, self.cursor.position()))
    }
}

/// Returns a block as a value, given its source.
fn code_value(text: &str) -> PowerShellValue {
    PowerShellValue { kind: PowerShellValueKind::Code, ..PowerShellValue::text(text) }
}

/// Adds the scripts of the operands of a call that its value has left out.
fn with_scripts<'v>(
    mut value: PowerShellValue,
    operands: impl IntoIterator<Item = &'v PowerShellValue>,
) -> PowerShellValue {
    for script in operands.into_iter().flat_map(PowerShellValue::scripts) {
        if !value.scripts().any(|own| runs(&format!("{own}\n"), script)) {
            value.items.push(vec![ValuePiece::Output(script.to_owned())]);
        }
    }
    value
}

/// Returns the element of a list at an index; an unknown value unless both are known.
fn element(value: &PowerShellValue, index: &PowerShellValue) -> PowerShellValue {
    // The commands of the other elements run as well.
    let is_pure = value.scripts().next().is_none();
    let number = index.known_text().filter(|_| is_pure).and_then(|text| text.parse::<usize>().ok());
    match number.filter(|_| value.items.len() > 1).and_then(|at| value.items.get(at)) {
        Some(item) => PowerShellValue::single(item.clone()),
        None => PowerShellValue::unknown_from([value, index]),
    }
}

/// Returns the characters with the codes in a list, as in `[char[]](114, 109)`; `None` if a code is unknown.
fn characters(value: &PowerShellValue) -> Option<PowerShellValue> {
    let decoded = value.items.iter().map(|item| fold::character(&PowerShellValue::single(item.clone())));
    let decoded: Vec<PowerShellValue> = decoded.collect::<Option<_>>()?;
    Some(PowerShellValue {
        items: decoded.into_iter().flat_map(|value| value.items).collect(),
        kind: PowerShellValueKind::Plain,
    })
}
