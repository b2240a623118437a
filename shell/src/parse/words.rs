//! Words, assignments, redirections, and the simple commands made of them.

use std::rc::Rc;

use crate::dialect::{Feature, Reading};

use super::heredoc::Tabs;
use super::quotes::{Inside, Whole};
use super::{Descriptor, Extglob, Fault, Kind, Node, Operator, Parser, Raw, Redirection, Result, Target, is_meta};

/// The position of a word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Spot {
    /// Where a command may begin: it may be `name[a b]=value`, and its value `(a b)`.
    Assignment,
    /// After a declaring builtin: its value may be `(a b)`.
    Declared,
    /// Between the parentheses of a list: it may begin with `[a b]`.
    Element,
    Argument,
    /// In `[[ … ]]`, where `@(…)` is always a pattern.
    Test,
}

/// The builtins whose arguments may be assignments of lists.
const DECLARERS: &[&str] = &["declare", "typeset", "local", "export", "readonly", "eval", "alias"];

impl Parser<'_> {
    /// Parses a simple command, or the definition of a function.
    pub(super) fn simple(&mut self) -> Result<Node> {
        let start = self.at;
        let (mut assignments, mut words, mut redirects) = (Vec::new(), Vec::new(), Vec::new());
        let mut end = start;
        loop {
            self.blanks();
            if let Some(redirect) = self.redirection()? {
                redirects.push(redirect);
            } else if end > start && self.closes_braces() {
                break;
            } else if self.starts_word() {
                let spot = match words.first() {
                    None => Spot::Assignment,
                    Some(word) if DECLARERS.contains(&self.text_of(word)) => Spot::Declared,
                    Some(_) => Spot::Argument,
                };
                let word = self.word(spot)?;
                match words.is_empty() && assigned_name(self.text_of(&word), self.reading).is_some() {
                    true => assignments.push(word),
                    false => words.push(word),
                }
            } else if !words.is_empty() && self.begins_group() {
                words.push(self.word(Spot::Argument)?);
            } else if self.peek() == Some(b'(') && words.len() == 1 && assignments.is_empty() && redirects.is_empty() {
                return self.short_function(start, &words);
            } else {
                break;
            }
            end = self.at;
        }
        if end == start {
            return Err(Fault::Syntax);
        }
        Ok(Node { kind: Kind::Simple { assignments, words }, redirects, span: start..end })
    }

    /// Whether a group of a zsh glob begins here: `(a|b).rs`.
    fn begins_group(&self) -> bool {
        self.peek() == Some(b'(') && self.sees("()").is_none() && self.reading.has(Feature::OfZsh)
    }

    /// Whether a `}` is next that needs no preceding `;`.
    fn closes_braces(&self) -> bool {
        self.peek() == Some(b'}') && self.sees_word("}").is_some() && self.reading.has(Feature::OfZsh)
    }

    /// Parses `name() body`, from its parenthesis on.
    fn short_function(&mut self, start: usize, words: &[Raw]) -> Result<Node> {
        // Bash only detects an invalid name when it runs the definition, and continues after it.
        let name = words.first().map(|word| self.text_of(word).to_owned()).ok_or(Fault::Syntax)?;
        self.takes("(");
        self.blanks();
        if !self.takes(")") {
            return Err(Fault::Syntax);
        }
        self.newlines();
        let body = self.function_body()?;
        Ok(self.node(Kind::Function(name, Rc::new(body)), start))
    }

    pub(super) fn starts_word(&self) -> bool {
        match self.peek() {
            None => false,
            Some(b'<' | b'>') => self.peek_at(self.joined(self.at + 1)) == Some(b'('),
            Some(byte) => !is_meta(byte),
        }
    }

    /// Reads a word up to the first character that ends it.
    pub(super) fn word(&mut self, spot: Spot) -> Result<Raw> {
        let start = self.at;
        loop {
            match self.peek() {
                None => break,
                Some(b'<' | b'>') if self.peek_at(self.joined(self.at + 1)) == Some(b'(') => {
                    self.needs(Feature::Processes)?;
                    self.substitution(Inside::Nothing)?;
                }
                // `=(…)` is the name of a file with the output of the script.
                Some(b'(') if self.slice(start..self.at) == "=" && self.is_group_of_zsh(spot) => {
                    self.script()?;
                }
                Some(b'(') if self.is_pattern_group(start, spot) || self.is_group_of_zsh(spot) => {
                    self.at += 1;
                    self.deeper(|parser| parser.closing(b'(', b')', Whole::Quotes))?;
                }
                Some(b'(') if matches!(spot, Spot::Assignment | Spot::Declared) && self.is_list(start) => {
                    self.needs(Feature::Lists)?;
                    self.at += 1;
                    self.deeper(|parser| parser.elements())?;
                }
                Some(b'[') if self.is_subscript(start, spot) => {
                    self.at += 1;
                    self.deeper(|parser| parser.closing(b'[', b']', Whole::Substitutions))?;
                }
                Some(byte) if is_meta(byte) => break,
                Some(_) => self.quoted()?,
            }
        }
        if self.at == start { Err(Fault::Syntax) } else { Ok(self.raw(start..self.at)) }
    }

    /// `@(`, `?(`, `*(`, `+(`, `!(`
    fn is_pattern_group(&self, start: usize, spot: Spot) -> bool {
        let is_on = self.extglob == Extglob::On || spot == Spot::Test;
        let before = self.slice(start..self.at);
        is_on && before.ends_with(['@', '?', '*', '+', '!']) && !before.ends_with("\\@")
    }

    fn is_group_of_zsh(&self, spot: Spot) -> bool {
        matches!(spot, Spot::Argument | Spot::Element) && self.begins_group()
    }

    fn is_list(&self, start: usize) -> bool {
        let before = self.slice(start..self.at);
        before.ends_with('=') && assigned_name(before, self.reading).is_some_and(|(_, value)| value.is_empty())
    }

    /// Reads the elements of a list up to its `)`.
    fn elements(&mut self) -> Result<()> {
        loop {
            self.newlines();
            if self.takes(")") {
                return Ok(());
            }
            self.word(Spot::Element)?;
        }
    }

    /// Whether a `[` includes everything up to its `]`, even blanks and operators, regardless of whether an assignment
    /// follows.
    fn is_subscript(&self, start: usize, spot: Spot) -> bool {
        match spot {
            Spot::Assignment => is_name(self.slice(start..self.at)) && self.reading.has(Feature::Lists),
            Spot::Element => self.at == start,
            Spot::Declared | Spot::Argument | Spot::Test => false,
        }
    }

    pub(super) fn redirections(&mut self) -> Result<Vec<Redirection>> {
        let mut redirects = Vec::new();
        loop {
            self.blanks();
            match self.redirection()? {
                Some(redirect) => redirects.push(redirect),
                None => return Ok(redirects),
            }
        }
    }

    fn redirection(&mut self) -> Result<Option<Redirection>> {
        let start = self.at;
        let descriptor = self.descriptor();
        let operator = match self.peek() {
            Some(b'<') => self.input_operator(),
            Some(b'>') => self.output_operator(),
            Some(b'&') if descriptor == Descriptor::Own && self.sees_both_outputs() => {
                let appends = self.takes("&>>").then_some(Operator::BothAppend);
                let operator = appends.or_else(|| self.takes("&>").then_some(Operator::Both));
                operator.map(|operator| (operator, Tabs::Kept))
            }
            _ => None,
        };
        let Some((operator, tabs)) = operator else {
            self.at = start;
            return Ok(None);
        };
        if operator == Operator::Text {
            self.needs(Feature::OtherSigns)?;
        }
        if operator.is_output() {
            self.forced();
        }
        self.blanks();
        // The descriptor of another redirection is not a target.
        if !self.starts_word() || self.descriptor() != Descriptor::Own {
            return Err(Fault::Syntax);
        }
        let word = self.word(Spot::Argument)?;
        let target = match operator {
            Operator::Here => self.heredoc(&word, tabs)?,
            _ => Target::Word(word),
        };
        Ok(Some(Redirection { descriptor, operator, target }))
    }

    /// Reads the `2` or `{name}` directly before an operator.
    fn descriptor(&mut self) -> Descriptor {
        let rest = self.slice(self.at..self.text.len());
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        // Only as far as the name goes: each word of a text may begin with a brace.
        let name = rest.strip_prefix('{').and_then(|rest| {
            let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
            rest.get(..length).filter(|name| is_name(name) && rest.as_bytes().get(length) == Some(&b'}'))
        });
        let (descriptor, length) = match (digits, name) {
            (0, Some(name)) => (Descriptor::New(name.to_owned()), name.len() + 2),
            (0, None) => return Descriptor::Own,
            _ => match rest.get(..digits).and_then(|digits| digits.parse().ok()) {
                Some(number) => (Descriptor::Number(number), digits),
                None => return Descriptor::Own,
            },
        };
        let end = self.joined(self.at + length);
        // `2>(…)` is a word, like `<(…)`.
        let is_operator = matches!(self.peek_at(end), Some(b'<' | b'>')) && self.peek_at(end + 1) != Some(b'(');
        let is_named = matches!(descriptor, Descriptor::New(_));
        if !is_operator || is_named && !self.reading.has(Feature::NamedDescriptors) {
            return Descriptor::Own;
        }
        self.at = end;
        descriptor
    }

    fn input_operator(&mut self) -> Option<(Operator, Tabs)> {
        if self.sees("<(").is_some() {
            return None;
        }
        let found = match () {
            () if self.takes("<<<") => (Operator::Text, Tabs::Kept),
            () if self.takes("<<-") => (Operator::Here, Tabs::Stripped),
            () if self.takes("<<") => (Operator::Here, Tabs::Kept),
            () if self.takes("<>") => (Operator::InOut, Tabs::Kept),
            () if self.takes("<&") => (Operator::InFrom, Tabs::Kept),
            () if self.takes("<") => (Operator::In, Tabs::Kept),
            () => return None,
        };
        Some(found)
    }

    /// Consumes the rest of `>!`, `>>|` and the like, which overwrite a file that zsh would otherwise keep.
    fn forced(&mut self) {
        if matches!(self.peek(), Some(b'!' | b'|')) && self.reading.has(Feature::OfZsh) {
            self.at += 1;
        }
    }

    fn output_operator(&mut self) -> Option<(Operator, Tabs)> {
        if self.sees(">(").is_some() {
            return None;
        }
        let operator = match () {
            () if self.takes(">>") => Operator::Append,
            () if self.takes(">&") => Operator::OutTo,
            () if self.takes(">|") => Operator::Over,
            () if self.takes(">") => Operator::Out,
            () => return None,
        };
        Some((operator, Tabs::Kept))
    }
}

/// Whether a text is a valid name of a variable.
pub(crate) fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Splits `name=value`, `name+=value`, `name[…]=value`; the first half includes the `+` and the subscript.
pub(crate) fn assigned_name<'w>(word: &'w str, reading: &Reading) -> Option<(&'w str, &'w str)> {
    let end = word.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    if !is_name(word.get(..end)?) {
        return None;
    }
    let rest = word.get(end..)?;
    let subscript = if rest.starts_with('[') {
        let mut parser = Parser::new(rest, Extglob::On, reading);
        parser.at = 1;
        parser.closing(b'[', b']', Whole::Substitutions).ok()?;
        parser.at
    } else {
        0
    };
    let behind = rest.get(subscript..)?;
    let sign = if behind.starts_with("+=") { 2 } else { usize::from(behind.starts_with('=')) };
    let value = behind.get(sign..).filter(|_| sign > 0)?;
    if subscript > 0 && !reading.has(Feature::Lists) || sign > 1 && !reading.has(Feature::Appends) {
        return None;
    }
    Some((word.get(..word.len() - value.len() - 1)?, value))
}
