//! Expressions: operators, lists, types, members.

use super::blocks::is_block;
use super::statement::Statement;
use super::types::{self, Called};
use super::value::{Kind, Piece, Value};
use super::{Bounded, Fault, Outcome, Translator, fold};

/// The binary operators, in order of precedence.
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

/// The unary prefix operators.
const UNARY: &[&str] = &["-not", "-bnot", "-join", "-split", "-isplit", "-csplit"];

impl Translator {
    /// Reads an expression.
    pub(super) fn expression(&mut self) -> Outcome<Value> {
        self.deeper(|translator| {
            let value = translator.binary(0)?;
            translator.cursor.skip_blanks();
            // `$a ? $b : $c`
            if translator.cursor.peek() == Some('?') && translator.cursor.peek_at(1).is_some_and(char::is_whitespace) {
                translator.cursor.next();
                let one = translator.expression()?;
                translator.cursor.skip_lines();
                if !translator.cursor.take(":") {
                    return Err(Fault::Syntax);
                }
                let other = translator.expression()?;
                return Ok(Value::made_of([&value, &one, &other]));
            }
            Ok(value)
        })
    }

    fn binary(&mut self, level: usize) -> Outcome<Value> {
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

    /// Consumes one of these operators.
    fn operator(&mut self, operators: &[&'static str]) -> Option<&'static str> {
        for operator in operators {
            if !self.cursor.is_here(operator) {
                continue;
            }
            let behind = self.cursor.peek_at(operator.len());
            let is_word = operator.len() > 1 && operator.starts_with('-');
            let is_whole = match is_word {
                true => !behind.is_some_and(|c| c.is_alphanumeric() || c == '_'),
                // `+=`, `--`: these are not binary operators.
                // `-eq` is an operator of its own.
                false if *operator == "-" && behind.is_some_and(char::is_alphabetic) => false,
                false => behind != Some('=') && !(matches!(*operator, "+" | "-") && behind == operator.chars().next()),
            };
            if is_whole {
                self.cursor.take(operator);
                return Some(operator);
            }
        }
        None
    }

    /// `a, b, c`
    fn list(&mut self) -> Outcome<Value> {
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
            value.kind = if value.kind == Kind::Files { Kind::Files } else { Kind::Plain };
            value.items.extend(next.items);
        }
    }

    fn unary(&mut self) -> Outcome<Value> {
        self.cursor.skip_blanks();
        if let Some(operator) = self.operator(UNARY) {
            let value = self.deeper(Self::unary)?;
            return Ok(match operator {
                "-join" => Value::one(value.joined("")),
                _ => Value::made_of([&value]),
            });
        }
        match self.cursor.peek() {
            Some('!') => {
                self.cursor.next();
                let value = self.deeper(Self::unary)?;
                Ok(Value::made_of([&value]))
            }
            Some(',') => {
                self.cursor.next();
                self.deeper(Self::unary)
            }
            Some(sign @ ('+' | '-')) => {
                self.cursor.next();
                let is_change = self.cursor.take(if sign == '+' { "+" } else { "-" });
                let value = self.deeper(Self::unary)?;
                if is_change {
                    self.forget(&value);
                }
                Ok(match (sign, value.known()) {
                    ('-', Some(text)) => Value::text(format!("-{text}")),
                    _ => Value::made_of([&value]),
                })
            }
            _ => self.postfix(),
        }
    }

    fn postfix(&mut self) -> Outcome<Value> {
        let from = self.cursor.at();
        let value = self.primary()?;
        self.members(value, from)
    }

    /// Reads the postfix parts of a value: members, calls of them, indexes.
    pub(super) fn members(&mut self, mut value: Value, from: usize) -> Outcome<Value> {
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
                    if !self.cursor.take("]") {
                        return Err(Fault::Syntax);
                    }
                    value = element(&value, &index);
                }
                (Some('+'), Some('+')) | (Some('-'), Some('-')) => {
                    self.cursor.next();
                    self.cursor.next();
                    self.forget(&value);
                    value = Value::made_of([&value]);
                }
                _ => return Ok(value),
            }
        }
    }

    /// Reads the name of a member; `None` if it is unknown.
    fn member_name(&mut self) -> Outcome<Option<String>> {
        match self.cursor.peek() {
            Some('$') => self.variable_or_output().map(|value| value.and_then(|value| value.known())),
            Some('\'' | '"') => Ok(super::value::known(&self.string()?)),
            _ => Ok(Some(self.cursor.take_while(|c| c.is_alphanumeric() || c == '_'))),
        }
    }

    fn member(&mut self, value: Value, name: Option<String>, from: usize) -> Outcome<Value> {
        if self.cursor.peek() != Some('(') {
            return Ok(property(&value, &name.unwrap_or_default()));
        }
        let arguments = self.call_arguments()?;
        let called = name.map(|name| types::member_call(&value, &name, &arguments));
        let value = match called {
            Some(Called::Value(value)) => value,
            _ => self.unread_call(from, std::iter::once(&value).chain(&arguments)),
        };
        Ok(self.called_with(value, &arguments))
    }

    /// Reports a call as unread, and returns an unknown value made of its operands.
    fn unread_call<'v>(&mut self, from: usize, values: impl IntoIterator<Item = &'v Value>) -> Value {
        let text = self.cursor.slice(from, self.cursor.at());
        self.unread.push(text);
        Value::made_of(values)
    }

    /// `(a, b)`
    fn call_arguments(&mut self) -> Outcome<Vec<Value>> {
        self.cursor.next();
        let mut arguments = Vec::new();
        loop {
            self.cursor.skip_lines();
            if self.cursor.take(")") {
                return Ok(arguments);
            }
            let argument = self.deeper(Self::argument_expression)?;
            arguments.push(argument);
            self.cursor.skip_lines();
            if !self.cursor.take(",") && self.cursor.peek() != Some(')') {
                return Err(Fault::Syntax);
            }
        }
    }

    /// Reads an expression that ends at a comma.
    pub(super) fn argument_expression(&mut self) -> Outcome<Value> {
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

    pub(super) fn primary(&mut self) -> Outcome<Value> {
        match (self.cursor.peek(), self.cursor.peek_at(1)) {
            (Some('\'' | '"'), _) | (Some('@'), Some('\'' | '"')) => Ok(Value::one(self.string()?)),
            (Some('$'), _) => self.variable_or_output()?.ok_or(Fault::Syntax),
            (Some('('), _) => {
                self.cursor.next();
                self.deeper(Self::in_parentheses)
            }
            (Some('@'), Some('(')) => {
                self.cursor.next();
                self.cursor.next();
                self.deeper(|translator| translator.several())
            }
            (Some('@'), Some('{')) => {
                self.cursor.next();
                self.cursor.next();
                self.deeper(Self::table)
            }
            (Some('{'), _) => self.block().map(|text| code(&text)),
            (Some('['), _) => self.deeper(Self::typed),
            (Some(c), _) if c.is_ascii_digit() => {
                let number = self.cursor.take_while(|c| c.is_ascii_alphanumeric());
                // `1.5`, but `1..3` is a range.
                if self.cursor.peek() == Some('.') && self.cursor.peek_at(1).is_some_and(|c| c.is_ascii_digit()) {
                    self.cursor.next();
                    let rest = self.cursor.take_while(|c| c.is_ascii_alphanumeric());
                    return Ok(Value::text(format!("{number}.{rest}")));
                }
                Ok(Value::text(number))
            }
            _ => Err(Fault::Syntax),
        }
    }

    /// `(…)`: one statement.
    fn in_parentheses(&mut self) -> Outcome<Value> {
        self.cursor.skip_lines();
        let statement = self.part()?;
        self.cursor.skip_lines();
        if !self.cursor.take(")") {
            return Err(Fault::Syntax);
        }
        Ok(match statement {
            Statement::Value(value) => value,
            Statement::Commands { text, found } => found.unwrap_or_else(|| Value::output(text)),
        })
    }

    /// `@(…)`: any number of statements.
    fn several(&mut self) -> Outcome<Value> {
        let mut all = Value::default();
        let mut has_commands = false;
        loop {
            self.cursor.skip_separators();
            if self.cursor.take(")") {
                if !has_commands {
                    all.kind = Kind::Plain;
                }
                return Ok(all);
            }
            if self.cursor.ends()? {
                return Err(Fault::Syntax);
            }
            let from = self.cursor.at();
            match self.part()? {
                Statement::Value(value) => all.items.extend(value.items),
                Statement::Commands { text, found } => {
                    has_commands = true;
                    all.items.extend(found.unwrap_or_else(|| Value::output(text)).items);
                }
            }
            if self.cursor.at() == from {
                return Err(Fault::Syntax);
            }
        }
    }

    /// `@{ name = value }`
    fn table(&mut self) -> Outcome<Value> {
        let mut values = Vec::new();
        loop {
            self.cursor.skip_separators();
            if self.cursor.take("}") {
                return Ok(Value::made_of(&values));
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
            if !self.cursor.take("=") {
                return Err(Fault::Syntax);
            }
            self.cursor.skip_lines();
            match self.part()? {
                Statement::Value(value) if is_block(&value) => {
                    values.push(self.called_with(Value::default(), std::slice::from_ref(&value)));
                }
                Statement::Value(value) => values.push(value),
                Statement::Commands { text, .. } => values.push(Value::output(text)),
            }
        }
    }

    /// `[Type]`, with the member or the value after it.
    fn typed(&mut self) -> Outcome<Value> {
        let from = self.cursor.at();
        let name = self.type_name()?;
        if self.cursor.peek() == Some(':') && self.cursor.peek_at(1) == Some(':') {
            self.cursor.next();
            self.cursor.next();
            let member = self.member_name()?;
            if self.cursor.peek() != Some('(') {
                let kind = match (name.to_lowercase().trim_start_matches("system."), member.unwrap_or_default()) {
                    ("text.encoding", member) if member.eq_ignore_ascii_case("unicode") => Kind::Utf16,
                    ("text.encoding", _) => Kind::Utf8,
                    _ => Kind::Plain,
                };
                return Ok(Value { kind, ..Value::unknown() });
            }
            let arguments = self.call_arguments()?;
            let called = member.map(|member| types::static_call(&name, &member, &arguments));
            let value = match called {
                Some(Called::Value(value)) => value,
                _ => self.unread_call(from, &arguments),
            };
            return Ok(self.called_with(value, &arguments));
        }
        self.cursor.skip_blanks();
        let starts = self
            .cursor
            .peek()
            .is_some_and(|c| matches!(c, '$' | '\'' | '"' | '@' | '(' | '[' | '{' | '-') || c.is_ascii_digit());
        if !starts {
            // The value is the type itself.
            return Ok(Value::unknown());
        }
        let value = self.unary()?;
        let name = name.to_lowercase();
        Ok(match name.strip_prefix("system.").unwrap_or(&name) {
            "char" => fold::character(&value).unwrap_or_else(|| Value::made_of([&value])),
            "char[]" => characters(&value).unwrap_or_else(|| Value::made_of([&value])),
            "scriptblock" => Value { kind: Kind::Code, ..value },
            "string" | "string[]" | "array" | "object" | "object[]" | "io.fileinfo" | "io.directoryinfo" | "uri"
            | "void" | "psobject" | "bool" | "switch" => value,
            "int" | "int32" | "int64" | "long" | "double" | "byte" | "decimal" if value.known().is_some() => value,
            _ => Value::made_of([&value]),
        })
    }

    /// `[Name]`, `[Name[]]`, `[Name[Other]]`
    pub(super) fn type_name(&mut self) -> Outcome<String> {
        self.cursor.next();
        let mut open = 1_usize;
        let mut name = String::new();
        while let Some(c) = self.cursor.next() {
            match c {
                '[' => open += 1,
                ']' => open -= 1,
                c if c.is_alphanumeric() || matches!(c, '.' | '_' | ',' | ' ' | '`' | '+') => {}
                // `[Parameter(Mandatory = $true)]` annotates what follows it.
                '(' if open == 1 => {
                    self.cursor.skip_to(')');
                    continue;
                }
                _ => return Err(Fault::Syntax),
            }
            if open == 0 {
                return Ok(name.trim().to_owned());
            }
            name.push(c);
        }
        Err(Fault::Syntax)
    }

    /// Returns the source text of `{ … }`.
    pub(super) fn block(&mut self) -> Outcome<String> {
        let from = self.cursor.at();
        self.cursor.next();
        if !self.cursor.skip_to('}') {
            return Err(Fault::Syntax);
        }
        Ok(self.cursor.slice(from, self.cursor.at()))
    }
}

/// Returns a block as a value.
fn code(text: &str) -> Value {
    Value { kind: Kind::Code, ..Value::text(text) }
}

/// Returns the element at an index.
fn element(value: &Value, index: &Value) -> Value {
    let number = index.known().and_then(|text| text.parse::<usize>().ok());
    match number.filter(|_| value.items.len() > 1).and_then(|at| value.items.get(at)) {
        Some(item) => Value::one(item.clone()),
        None => Value::made_of([value, index]),
    }
}

/// `[char[]](114, 109)`
fn characters(value: &Value) -> Option<Value> {
    let all = value.items.iter().map(|item| fold::character(&Value::one(item.clone())));
    let all: Vec<Value> = all.collect::<Option<_>>()?;
    Some(Value { items: all.into_iter().flat_map(|value| value.items).collect(), kind: Kind::Plain })
}

/// Returns a property of a value.
fn property(value: &Value, name: &str) -> Value {
    let is_object = value.kind == Kind::Files
        || matches!(value.items.as_slice(), [item] if matches!(item.as_slice(), [Piece::Variable(name)] if name == "psitem"));
    match name.to_ascii_lowercase().as_str() {
        "fullname" | "pspath" | "path" | "providerpath" if is_object => value.clone(),
        "path" if value.known().is_some() => value.clone(),
        _ => Value::made_of([value]),
    }
}
