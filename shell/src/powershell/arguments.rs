//! The arguments of a command, as written: parameters, values, redirections.

use super::strings::Named;
use super::value::{Item, Kind, Piece, Value, Wildcards, paths};
use super::{Bounded, Fault, Outcome, Translator};

/// An argument of a command.
#[derive(Clone, Debug)]
pub(super) enum Argument {
    /// `-Name` or `-Name:value`, with its source text.
    Parameter {
        written: Item,
        name: String,
        value: Option<Value>,
    },
    Value(Value),
    /// `@name`: as many words as the variable contains.
    Splat,
    /// `--`
    Dashes,
    /// `--%`, and the words after it, which only blanks separate.
    Rest(Vec<String>),
}

impl Argument {
    /// Returns the value of the argument.
    pub(super) fn value(&self) -> Option<Value> {
        match self {
            Self::Value(value) => Some(value.clone()),
            Self::Parameter { value, .. } => value.clone(),
            Self::Rest(words) => Some(Value::text(words.join(" "))),
            Self::Splat | Self::Dashes => None,
        }
    }
}

/// The words and redirections of a command.
#[derive(Clone, Debug, Default)]
pub(super) struct Arguments {
    pub(super) all: Vec<Argument>,
    /// In bash syntax.
    pub(super) redirects: String,
}

impl Translator {
    /// Reads the arguments of a command up to its end.
    pub(super) fn arguments(&mut self) -> Outcome<Arguments> {
        let mut found = Arguments::default();
        loop {
            self.cursor.skip_blanks();
            if self.ends_command() {
                return Ok(found);
            }
            if let Some(redirect) = self.redirect()? {
                found.redirects.push_str(&redirect);
                continue;
            }
            if self.cursor.is_here("--%") {
                self.cursor.take("--%");
                let rest = self.cursor.take_while(|c| !matches!(c, '\n' | '\r' | '|'));
                found.all.push(Argument::Rest(split(&rest)));
                continue;
            }
            let argument = self.deeper(Self::one_argument)?;
            found.all.push(argument);
        }
    }

    /// Whether a command ends here.
    pub(super) fn ends_command(&self) -> bool {
        matches!(self.cursor.peek(), None | Some('\n' | '\r' | ';' | '|' | '&' | ')' | '}'))
    }

    fn one_argument(&mut self) -> Outcome<Argument> {
        let (first, second) = (self.cursor.peek(), self.cursor.peek_at(1));
        match (first, second) {
            (Some('-'), Some('-')) if self.cursor.peek_at(2).is_none_or(char::is_whitespace) => {
                self.cursor.take("--");
                Ok(Argument::Dashes)
            }
            (Some('-'), Some(c)) if c.is_alphabetic() || matches!(c, '_' | '?') => self.parameter(),
            (Some('@'), Some(c)) if c.is_alphabetic() || c == '_' => {
                self.cursor.next();
                self.cursor.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | ':'));
                Ok(Argument::Splat)
            }
            _ => self.argument().map(Argument::Value),
        }
    }

    /// `-Name`, `-Name:value`
    fn parameter(&mut self) -> Outcome<Argument> {
        self.cursor.next();
        let name = self.cursor.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '?' | '-'));
        let mut written = vec![Piece::Text(format!("-{name}"))];
        if self.cursor.peek() == Some(':') {
            self.cursor.next();
            let blanks = self.cursor.take_while(|c| matches!(c, ' ' | '\t'));
            if self.ends_command() {
                written.push(Piece::Text(":".to_owned()));
                return Ok(Argument::Parameter { written, name, value: None });
            }
            let value = self.argument()?;
            written.push(Piece::Text(format!(":{blanks}")));
            written.extend(value.joined(","));
            return Ok(Argument::Parameter { written, name, value: Some(value) });
        }
        if !self.ends_word() {
            // What an external program takes as one word: `-DX=y`, `-f"$x"`.
            let rest = self.generic()?;
            written.extend(rest.clone());
            return Ok(Argument::Parameter { written, name, value: Some(Value::one(rest)) });
        }
        Ok(Argument::Parameter { written, name, value: None })
    }

    /// Whether a word ends here.
    fn ends_word(&self) -> bool {
        self.cursor
            .peek()
            .is_none_or(|c| c.is_whitespace() || matches!(c, ';' | '|' | '&' | '(' | ')' | '{' | '}' | ',' | '<' | '>'))
    }

    /// Reads the value of an argument: words with commas between them form a list.
    pub(super) fn argument(&mut self) -> Outcome<Value> {
        let mut value = self.argument_item()?;
        loop {
            let behind = self.cursor.at();
            self.cursor.skip_blanks();
            if self.cursor.peek() != Some(',') {
                self.cursor.return_to(behind);
                return Ok(value);
            }
            self.cursor.next();
            self.cursor.skip_lines();
            let next = self.argument_item()?;
            value.items.extend(next.items);
            value.kind = Kind::Plain;
        }
    }

    fn argument_item(&mut self) -> Outcome<Value> {
        let from = self.cursor.at();
        match (self.cursor.peek(), self.cursor.peek_at(1)) {
            (Some('\'' | '"'), _) | (Some('@'), Some('\'' | '"')) => self.string().map(Value::one),
            (Some('('), _) | (Some('{'), _) | (Some('@'), Some('(' | '{')) => self.value_with_members(from),
            (Some('$'), _) => {
                let Some(value) = self.variable_or_output()? else {
                    return self.generic().map(Value::one);
                };
                let value = self.members(value, from)?;
                if self.ends_word() {
                    return Ok(value);
                }
                let mut item = value.joined(" ");
                item.extend(self.generic()?);
                Ok(Value::one(item))
            }
            (Some(','), _) => Err(Fault::Syntax),
            _ => {
                let item = self.generic()?;
                if item.is_empty() { Err(Fault::Syntax) } else { Ok(Value::one(item)) }
            }
        }
    }

    fn value_with_members(&mut self, from: usize) -> Outcome<Value> {
        let value = self.deeper(Self::primary)?;
        self.members(value, from)
    }

    /// Reads an unquoted word.
    pub(super) fn generic(&mut self) -> Outcome<Item> {
        let mut item: Item = Vec::new();
        let mut text = String::new();
        while !self.ends_word() {
            match self.cursor.peek() {
                Some('`') => {
                    self.cursor.next();
                    text.extend(self.escaped());
                }
                Some('\'' | '"') => {
                    let string = self.string()?;
                    flush(&mut item, &mut text);
                    item.extend(string);
                }
                Some('$') => match self.variable_or_output()? {
                    Some(value) => {
                        flush(&mut item, &mut text);
                        item.extend(value.joined(" "));
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
        flush(&mut item, &mut text);
        Ok(item)
    }

    /// `> file`, `2>> file`, `*>&1`
    pub(super) fn redirect(&mut self) -> Outcome<Option<String>> {
        let from = self.cursor.at();
        let stream = match self.cursor.peek() {
            Some(c @ ('1'..='6' | '*')) if self.cursor.peek_at(1) == Some('>') => {
                self.cursor.next();
                Some(c)
            }
            Some('>') => None,
            _ => return Ok(None),
        };
        self.cursor.next();
        let appends = self.cursor.take(">");
        if !appends && self.cursor.peek() == Some('&') {
            self.cursor.next();
            let Some(to) = self.cursor.next().filter(char::is_ascii_digit) else {
                self.cursor.return_to(from);
                return Err(Fault::Syntax);
            };
            return Ok(Some(match stream {
                Some('*' | '2'..='6') => format!(" 2>&{to}"),
                _ => format!(" >&{to}"),
            }));
        }
        self.cursor.skip_blanks();
        let target = self.argument_item()?;
        let sign = if appends { ">>" } else { ">" };
        let stream = match stream {
            None | Some('1') => String::new(),
            Some('*') => "&".to_owned(),
            Some(number) => number.to_string(),
        };
        let target = match target.items.as_slice() {
            // `$null`
            [] => vec!["/dev/null".to_owned()],
            _ => paths(&target.joined(" "), Wildcards::AreText),
        };
        Ok(Some(format!(" {stream}{sign} {}", target.concat())))
    }

    /// Returns the variable that a command names (`Set-Variable x`).
    pub(super) fn named_variable(name: &str) -> Option<String> {
        match super::strings::variable(name) {
            Named::Variable(name) => Some(name),
            _ => None,
        }
    }
}

fn flush(item: &mut Item, text: &mut String) {
    if !text.is_empty() {
        item.push(Piece::Text(std::mem::take(text)));
    }
}

/// Splits at blanks as Windows does: quotes keep a word together.
pub(super) fn split(text: &str) -> Vec<String> {
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
