//! Words, assignments, redirections, and the simple commands that consist of them.

use std::rc::Rc;

use crate::dialect::{DialectFeature, DialectReading};

use super::heredoc::TabHandling;
use super::quotes::{EnclosingQuotes, SkippedConstructs};
use super::{
    CommandKind, CommandNode, DescriptorName, Extglob, ParseError, ParseResult, Parser, RawText, RedirectOperator,
    RedirectTarget, Redirection, is_meta,
};

/// The position of a word, which determines where parentheses and brackets belong to the word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WordPosition {
    /// At the beginning of a command: the word may be `name[a b]=value`, and the value may be `(a b)`.
    Assignment,
    /// After a declaring builtin (`declare`): the value of an assignment may be `(a b)`.
    Declared,
    /// Between the parentheses of a list, `(a b)`: the word may begin with a key in brackets, `[a b]=`.
    Element,
    /// Anywhere else.
    Argument,
    /// In `[[ … ]]`: `@(…)` is a pattern even without `extglob`.
    Test,
}

/// The builtins whose arguments may be assignments of lists. Bash's grammar includes `eval` and `alias`.
const DECLARERS: &[&str] = &["declare", "typeset", "local", "export", "readonly", "eval", "alias"];

impl Parser<'_> {
    /// Parses a simple command, or the definition of a function.
    pub(super) fn parse_simple(&mut self) -> ParseResult<CommandNode> {
        let start = self.at;
        let (mut assignments, mut words, mut redirects) = (Vec::new(), Vec::new(), Vec::new());
        let mut end = start;
        loop {
            self.skip_blanks();
            if let Some(redirect) = self.redirection()? {
                redirects.push(redirect);
            } else if end > start && self.closes_braces() {
                break;
            } else if self.starts_word() {
                let position = match words.first() {
                    None => WordPosition::Assignment,
                    Some(word) if DECLARERS.contains(&self.text_of(word)) => WordPosition::Declared,
                    Some(_) => WordPosition::Argument,
                };
                let word = self.word(position)?;
                match words.is_empty() && assigned_name(self.text_of(&word), self.reading).is_some() {
                    true => assignments.push(word),
                    false => words.push(word),
                }
            } else if !words.is_empty() && self.begins_group() {
                words.push(self.word(WordPosition::Argument)?);
            } else if self.peek() == Some(b'(') && words.len() == 1 && assignments.is_empty() && redirects.is_empty() {
                return self.short_function(start, &words);
            } else {
                break;
            }
            end = self.at;
        }
        if end == start {
            return Err(ParseError::Syntax);
        }
        Ok(CommandNode { kind: CommandKind::Simple { assignments, words }, redirects, span: start..end })
    }

    /// Whether a group of a zsh glob begins here: `(a|b).rs`.
    fn begins_group(&self) -> bool {
        self.peek() == Some(b'(') && self.token_end("()").is_none() && self.reading.has(DialectFeature::ZshSyntax)
    }

    /// Whether a `}` is next that closes a group without a preceding `;`, as zsh permits.
    fn closes_braces(&self) -> bool {
        self.peek() == Some(b'}') && self.word_end("}").is_some() && self.reading.has(DialectFeature::ZshSyntax)
    }

    /// Parses `name() body`, from the opening parenthesis on.
    fn short_function(&mut self, start: usize, words: &[RawText]) -> ParseResult<CommandNode> {
        // Bash detects an invalid name only when it runs the definition, and continues after it.
        let name = words.first().map(|word| self.text_of(word).to_owned()).ok_or(ParseError::Syntax)?;
        self.take_token("(");
        self.skip_blanks();
        if !self.take_token(")") {
            return Err(ParseError::Syntax);
        }
        self.skip_newlines();
        let body = self.function_body()?;
        Ok(self.make_node(CommandKind::Function(name, Rc::new(body)), start))
    }

    /// Whether a word begins here, including `<(…)` and `>(…)`.
    pub(super) fn starts_word(&self) -> bool {
        match self.peek() {
            None => false,
            Some(b'<' | b'>') => self.peek_at(self.skip_continuations(self.at + 1)) == Some(b'('),
            Some(byte) => !is_meta(byte),
        }
    }

    /// Reads a word, up to the first byte that ends it.
    pub(super) fn word(&mut self, position: WordPosition) -> ParseResult<RawText> {
        let start = self.at;
        loop {
            match self.peek() {
                None => break,
                Some(b'<' | b'>') if self.peek_at(self.skip_continuations(self.at + 1)) == Some(b'(') => {
                    self.require_feature(DialectFeature::Processes)?;
                    self.skip_substitution(EnclosingQuotes::Nothing)?;
                }
                // In zsh, `=(…)` is the name of a temporary file with the output of the script.
                Some(b'(') if self.slice(start..self.at) == "=" && self.begins_zsh_group(position) => {
                    self.skip_script()?;
                }
                Some(b'(') if self.is_pattern_group(start, position) || self.begins_zsh_group(position) => {
                    self.at += 1;
                    self.parse_deeper(|parser| parser.skip_to_closing(b'(', b')', SkippedConstructs::Quotes))?;
                }
                Some(b'(')
                    if matches!(position, WordPosition::Assignment | WordPosition::Declared)
                        && self.begins_list(start) =>
                {
                    self.require_feature(DialectFeature::Lists)?;
                    self.at += 1;
                    self.parse_deeper(|parser| parser.skip_elements())?;
                }
                Some(b'[') if self.is_subscript(start, position) => {
                    self.at += 1;
                    self.parse_deeper(|parser| parser.skip_to_closing(b'[', b']', SkippedConstructs::Substitutions))?;
                }
                Some(byte) if is_meta(byte) => break,
                Some(_) => self.skip_quoted()?,
            }
        }
        if self.at == start { Err(ParseError::Syntax) } else { Ok(self.make_raw(start..self.at)) }
    }

    /// Whether the `(` that is next continues an extended glob, since `@`, `?`, `*`, `+` or `!` precedes it.
    fn is_pattern_group(&self, start: usize, position: WordPosition) -> bool {
        let is_enabled = self.extglob == Extglob::On || position == WordPosition::Test;
        let before = self.slice(start..self.at);
        is_enabled && before.ends_with(['@', '?', '*', '+', '!']) && !before.ends_with("\\@")
    }

    /// Whether the `(` that is next begins a group of a zsh glob, in a word at `position`.
    fn begins_zsh_group(&self, position: WordPosition) -> bool {
        matches!(position, WordPosition::Argument | WordPosition::Element) && self.begins_group()
    }

    /// Whether the word that begins at `start` is `name=` so far, so that a `(` begins a list.
    fn begins_list(&self, start: usize) -> bool {
        let before = self.slice(start..self.at);
        before.ends_with('=') && assigned_name(before, self.reading).is_some_and(|(_, value)| value.is_empty())
    }

    /// Skips the elements of a list, up to its `)`.
    fn skip_elements(&mut self) -> ParseResult<()> {
        loop {
            self.skip_newlines();
            if self.take_token(")") {
                return Ok(());
            }
            self.word(WordPosition::Element)?;
        }
    }

    /// Whether the `[` that is next starts a subscript, which extends to its `]` even over blanks and operators, and
    /// even if no assignment follows.
    fn is_subscript(&self, start: usize, position: WordPosition) -> bool {
        match position {
            WordPosition::Assignment => is_name(self.slice(start..self.at)) && self.reading.has(DialectFeature::Lists),
            WordPosition::Element => self.at == start,
            WordPosition::Declared | WordPosition::Argument | WordPosition::Test => false,
        }
    }

    /// Parses the redirections that are next; usually there are none.
    pub(super) fn redirections(&mut self) -> ParseResult<Vec<Redirection>> {
        let mut redirects = Vec::new();
        loop {
            self.skip_blanks();
            match self.redirection()? {
                Some(redirect) => redirects.push(redirect),
                None => return Ok(redirects),
            }
        }
    }

    /// Parses one redirection; `None` if none begins here.
    fn redirection(&mut self) -> ParseResult<Option<Redirection>> {
        let start = self.at;
        let descriptor = self.descriptor();
        let operator = match self.peek() {
            Some(b'<') => self.input_operator(),
            Some(b'>') => self.output_operator(),
            Some(b'&') if descriptor == DescriptorName::Implied && self.is_at_both_outputs() => {
                let append = self.take_token("&>>").then_some(RedirectOperator::AppendBoth);
                let operator = append.or_else(|| self.take_token("&>").then_some(RedirectOperator::WriteBoth));
                operator.map(|operator| (operator, TabHandling::Kept))
            }
            _ => None,
        };
        let Some((operator, tabs)) = operator else {
            self.at = start;
            return Ok(None);
        };
        if operator == RedirectOperator::HereString {
            self.require_feature(DialectFeature::OtherSigns)?;
        }
        if operator.is_output() {
            self.skip_force_sign();
        }
        self.skip_blanks();
        // The number before another operator is not a target: in `> 2>x`, the first redirection lacks one.
        if !self.starts_word() || self.descriptor() != DescriptorName::Implied {
            return Err(ParseError::Syntax);
        }
        let word = self.word(WordPosition::Argument)?;
        let target = match operator {
            RedirectOperator::HereDocument => self.register_heredoc(&word, tabs)?,
            _ => RedirectTarget::Word(word),
        };
        Ok(Some(Redirection { descriptor, operator, target }))
    }

    /// Consumes the `2` or `{name}` directly before an operator. If there is none, consumes nothing.
    fn descriptor(&mut self) -> DescriptorName {
        let rest = self.slice(self.at..self.text.len());
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        // Look only as far as the name goes: each word of a text may begin with a brace, so a longer search would be
        // quadratic.
        let name = rest.strip_prefix('{').and_then(|rest| {
            let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
            rest.get(..length).filter(|name| is_name(name) && rest.as_bytes().get(length) == Some(&b'}'))
        });
        let (descriptor, length) = match (digits, name) {
            (0, Some(name)) => (DescriptorName::New(name.to_owned()), name.len() + 2),
            (0, None) => return DescriptorName::Implied,
            _ => match rest.get(..digits).and_then(|digits| digits.parse().ok()) {
                Some(number) => (DescriptorName::Number(number), digits),
                None => return DescriptorName::Implied,
            },
        };
        let end = self.skip_continuations(self.at + length);
        // `2>(…)` is a word, like `<(…)`.
        let is_operator = matches!(self.peek_at(end), Some(b'<' | b'>')) && self.peek_at(end + 1) != Some(b'(');
        let is_named = matches!(descriptor, DescriptorName::New(_));
        if !is_operator || is_named && !self.reading.has(DialectFeature::NamedDescriptors) {
            return DescriptorName::Implied;
        }
        self.at = end;
        descriptor
    }

    /// Consumes an operator that begins with `<`; `None` if a `<(…)` is next.
    fn input_operator(&mut self) -> Option<(RedirectOperator, TabHandling)> {
        if self.token_end("<(").is_some() {
            return None;
        }
        let operator = match () {
            () if self.take_token("<<<") => (RedirectOperator::HereString, TabHandling::Kept),
            () if self.take_token("<<-") => (RedirectOperator::HereDocument, TabHandling::Stripped),
            () if self.take_token("<<") => (RedirectOperator::HereDocument, TabHandling::Kept),
            () if self.take_token("<>") => (RedirectOperator::ReadWrite, TabHandling::Kept),
            () if self.take_token("<&") => (RedirectOperator::DuplicateInput, TabHandling::Kept),
            () if self.take_token("<") => (RedirectOperator::Read, TabHandling::Kept),
            () => return None,
        };
        Some(operator)
    }

    /// Consumes the sign after `>` in `>!` or `>>|`, with which zsh overwrites a file despite `noclobber`.
    fn skip_force_sign(&mut self) {
        if matches!(self.peek(), Some(b'!' | b'|')) && self.reading.has(DialectFeature::ZshSyntax) {
            self.at += 1;
        }
    }

    /// Consumes an operator that begins with `>`; `None` if a `>(…)` is next.
    fn output_operator(&mut self) -> Option<(RedirectOperator, TabHandling)> {
        if self.token_end(">(").is_some() {
            return None;
        }
        let operator = match () {
            () if self.take_token(">>") => RedirectOperator::Append,
            () if self.take_token(">&") => RedirectOperator::DuplicateOutput,
            () if self.take_token(">|") => RedirectOperator::Clobber,
            () if self.take_token(">") => RedirectOperator::Write,
            () => return None,
        };
        Some((operator, TabHandling::Kept))
    }
}

/// Whether a text is a valid name of a variable.
pub(crate) fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Splits `name=value`, `name+=value` or `name[…]=value` after the name; the first half includes the `+` and the
/// subscript. `None` if the word is not an assignment in this dialect.
pub(crate) fn assigned_name<'w>(word: &'w str, reading: &DialectReading) -> Option<(&'w str, &'w str)> {
    let end = word.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    if !is_name(word.get(..end)?) {
        return None;
    }
    let rest = word.get(end..)?;
    let subscript_length = if rest.starts_with('[') {
        let mut parser = Parser::new(rest, Extglob::On, reading);
        parser.at = 1;
        parser.skip_to_closing(b'[', b']', SkippedConstructs::Substitutions).ok()?;
        parser.at
    } else {
        0
    };
    let after_name = rest.get(subscript_length..)?;
    let operator_length = if after_name.starts_with("+=") { 2 } else { usize::from(after_name.starts_with('=')) };
    let value = after_name.get(operator_length..).filter(|_| operator_length > 0)?;
    if subscript_length > 0 && !reading.has(DialectFeature::Lists)
        || operator_length > 1 && !reading.has(DialectFeature::Appends)
    {
        return None;
    }
    Some((word.get(..word.len() - value.len() - 1)?, value))
}
