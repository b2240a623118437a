//! Parses compound commands: `if`, loops, `case`, functions, groups.

use std::rc::Rc;

use crate::dialect::DialectFeature;

use super::words::WordPosition;
use super::{
    CaseArm, CommandKind, CommandNode, ItemMode, ListItem, LoopKeyword, ParseError, ParseResult, Parser, RawText,
};

/// The name under which an anonymous function of zsh is defined and called.
const NAMELESS: &str = "(anonymous)";

impl Parser<'_> {
    /// Parses a compound or simple command with its redirections.
    pub(super) fn command(&mut self) -> ParseResult<CommandNode> {
        self.skip_blanks();
        match self.compound()? {
            Some(node) => Ok(node),
            None => self.parse_simple(),
        }
    }

    /// Parses a compound command with its redirections; `None` if none begins here.
    pub(super) fn compound(&mut self) -> ParseResult<Option<CommandNode>> {
        let start = self.at;
        let Some(kind) = self.parse_deeper(Self::compound_kind)? else { return Ok(None) };
        let redirects = match kind {
            // The redirections of a definition belong to its body.
            CommandKind::Function(..) | CommandKind::Coproc(..) => Vec::new(),
            _ => self.redirections()?,
        };
        let node = self.make_node(kind, start);
        Ok(Some(CommandNode { redirects, ..node }))
    }

    /// Parses the compound command that a parenthesis or a reserved word begins; `None` if there is neither.
    fn compound_kind(&mut self) -> ParseResult<Option<CommandKind>> {
        if self.peek() == Some(b'(') {
            if self.token_end("()").is_some() && self.reading.has(DialectFeature::ZshSyntax) {
                self.take_token("()");
                return self.nameless_function().map(Some);
            }
            return self.subshell_or_arithmetic().map(Some);
        }
        let Some((word, end)) = self.reserved_word() else { return Ok(None) };
        let start = std::mem::replace(&mut self.at, end);
        let kind = match word {
            "{" => {
                let body = self.list()?;
                self.expect("}")?;
                self.parse_always(body)?
            }
            "if" => self.branches()?,
            "while" | "until" => {
                let condition = Box::new(self.list()?);
                let body = Box::new(self.loop_body()?);
                if word == "while" { CommandKind::While(condition, body) } else { CommandKind::Until(condition, body) }
            }
            "for" => self.parse_for(LoopKeyword::For)?,
            "select" => self.parse_for(LoopKeyword::Select)?,
            "case" => self.case()?,
            "function" => self.function_definition()?,
            "coproc" => self.coproc()?,
            "[[" => self.parse_test()?,
            // Only at the start of a pipeline is `time` a keyword; after a `|` it is a program.
            "time" => {
                self.at = start;
                return Ok(None);
            }
            _ => return Err(ParseError::Syntax),
        };
        Ok(Some(kind))
    }

    /// Parses `((…))`, or `(…)` if the parentheses are not arithmetic.
    fn subshell_or_arithmetic(&mut self) -> ParseResult<CommandKind> {
        if self.token_end("((").is_some()
            && self.reading.has(DialectFeature::Arithmetic)
            && let Some(expression) = self.arithmetic_range()?
        {
            self.at = expression.end + 2;
            return Ok(CommandKind::Arithmetic(self.make_raw(expression)));
        }
        self.take_token("(");
        let body = self.list()?;
        if !self.take_token(")") {
            return Err(ParseError::Syntax);
        }
        Ok(CommandKind::Subshell(Box::new(body)))
    }

    /// Parses the rest of `{ … } always { … }` after the first group, if this is zsh: the second group runs after the
    /// first, regardless of its status.
    fn parse_always(&mut self, body: CommandNode) -> ParseResult<CommandKind> {
        self.skip_blanks();
        let Some(end) = self.word_end("always").filter(|_| self.reading.has(DialectFeature::ZshSyntax)) else {
            return Ok(CommandKind::Group(Box::new(body)));
        };
        self.at = end;
        self.expect("{")?;
        let last = self.list()?;
        self.expect("}")?;
        Ok(CommandKind::List([body, last].map(|node| ListItem { node, wait: ItemMode::Foreground }).into()))
    }

    /// Parses `() { … } arguments`, from the body on, as the definition of a function and a call of it.
    fn nameless_function(&mut self) -> ParseResult<CommandKind> {
        let start = self.at;
        self.skip_newlines();
        let body = Rc::new(self.function_body()?);
        let name = RawText { text: format!("'{NAMELESS}'"), span: start..start };
        let words = std::iter::once(name).chain(self.words()?).collect();
        let call = self.make_node(CommandKind::Simple { assignments: Vec::new(), words }, start);
        let definition = self.make_node(CommandKind::Function(NAMELESS.to_owned(), body), start);
        Ok(CommandKind::List([definition, call].map(|node| ListItem { node, wait: ItemMode::Foreground }).into()))
    }

    /// Parses the rest of `if`, from its first condition on.
    fn branches(&mut self) -> ParseResult<CommandKind> {
        let mut arms = Vec::new();
        loop {
            let condition = self.list()?;
            self.expect("then")?;
            arms.push((condition, self.list()?));
            match self.reserved_word() {
                Some(("elif", end)) => self.at = end,
                Some(("else", end)) => {
                    self.at = end;
                    let otherwise = self.list()?;
                    self.expect("fi")?;
                    return Ok(CommandKind::If(arms, Some(Box::new(otherwise))));
                }
                Some(("fi", end)) => {
                    self.at = end;
                    return Ok(CommandKind::If(arms, None));
                }
                _ => return Err(ParseError::Syntax),
            }
        }
    }

    /// Parses `do … done`.
    fn loop_body(&mut self) -> ParseResult<CommandNode> {
        self.skip_newlines();
        self.expect("do")?;
        let body = self.list()?;
        self.expect("done")?;
        Ok(body)
    }

    /// Parses the body of a `for`: `do … done` or, as bash permits, `{ … }`.
    fn loop_body_or_braces(&mut self) -> ParseResult<CommandNode> {
        self.skip_newlines();
        let Some(("{", end)) = self.reserved_word() else { return self.loop_body() };
        self.require_feature(DialectFeature::OtherSigns)?;
        self.at = end;
        let body = self.list()?;
        self.expect("}")?;
        Ok(body)
    }

    /// Parses `for` or `select`, from after the keyword.
    fn parse_for(&mut self, head: LoopKeyword) -> ParseResult<CommandKind> {
        self.skip_blanks();
        if head == LoopKeyword::For && self.token_end("((").is_some() {
            self.require_feature(DialectFeature::OtherSigns)?;
            let header = self.arithmetic_range()?.ok_or(ParseError::Syntax)?;
            self.at = header.end + 2;
            if !has_three_expressions(self.slice(header.clone())) {
                return Err(ParseError::Syntax);
            }
            let header = self.make_raw(header);
            self.skip_separator();
            return Ok(CommandKind::Count(header, Box::new(self.loop_body_or_braces()?)));
        }
        // Bash detects an invalid name only when the loop begins, and continues after it.
        let name = self.word(WordPosition::Argument)?;
        let name = self.text_of(&name).replace("\\\n", "");
        self.skip_newlines();
        let words = match self.word_end("in") {
            Some(end) => {
                self.at = end;
                Some(self.words()?)
            }
            None => None,
        };
        self.skip_separator();
        let body = Box::new(self.loop_body_or_braces()?);
        Ok(CommandKind::For { head, name, words, body })
    }

    /// Parses the words after `in`, up to the first byte that begins no word.
    fn words(&mut self) -> ParseResult<Vec<RawText>> {
        let mut words = Vec::new();
        loop {
            self.skip_blanks();
            if !self.starts_word() {
                return Ok(words);
            }
            words.push(self.word(WordPosition::Argument)?);
        }
    }

    /// Consumes the `;` between the header of a loop and its body, if there is one.
    fn skip_separator(&mut self) {
        self.skip_blanks();
        if self.is_separator() {
            self.take_token(";");
        }
    }

    /// Parses `case`, from its subject on.
    fn case(&mut self) -> ParseResult<CommandKind> {
        self.skip_blanks();
        let word = self.word(WordPosition::Argument)?;
        self.skip_newlines();
        self.at = self.word_end("in").ok_or(ParseError::Syntax)?;
        let mut arms = Vec::new();
        loop {
            self.skip_newlines();
            if let Some(("esac", end)) = self.reserved_word() {
                self.at = end;
                return Ok(CommandKind::Case(word, arms));
            }
            self.take_token("(");
            let patterns = self.patterns()?;
            let body = self.list_or_nothing()?;
            let falls_through = self.take_token(";;&") || self.token_end(";;").is_none() && self.take_token(";&");
            if falls_through {
                self.require_feature(DialectFeature::OtherSigns)?;
            }
            let is_ended = falls_through || self.take_token(";;");
            let body = Some(body).filter(|body| body.kind != CommandKind::Empty);
            arms.push(CaseArm { patterns, body, falls_through });
            if !is_ended && !matches!(self.reserved_word(), Some(("esac", _))) {
                return Err(ParseError::Syntax);
            }
        }
    }

    /// Parses the patterns of an arm, up to its `)`.
    fn patterns(&mut self) -> ParseResult<Vec<RawText>> {
        let mut patterns = Vec::new();
        loop {
            self.skip_blanks();
            patterns.push(self.word(WordPosition::Argument)?);
            self.skip_blanks();
            if self.take_token(")") {
                return Ok(patterns);
            }
            if !self.take_token("|") {
                return Err(ParseError::Syntax);
            }
        }
    }

    /// Parses `function name body`, from after the keyword. In zsh there may be several names.
    fn function_definition(&mut self) -> ParseResult<CommandKind> {
        self.skip_blanks();
        if self.begins_nameless_function() {
            return self.nameless_function();
        }
        let start = self.at;
        let name = self.word(WordPosition::Argument)?;
        let name = self.text_of(&name).to_owned();
        self.skip_blanks();
        let mut names = vec![name];
        while self.starts_word() && self.reserved_word().is_none() && self.reading.has(DialectFeature::ZshSyntax) {
            let name = self.word(WordPosition::Argument)?;
            names.push(self.text_of(&name).to_owned());
            self.skip_blanks();
        }
        if self.take_token("(") {
            self.skip_blanks();
            if !self.take_token(")") {
                return Err(ParseError::Syntax);
            }
        }
        self.skip_newlines();
        let body = Rc::new(self.function_body()?);
        // Several names are a list of definitions with the same body.
        let mut definitions: Vec<CommandKind> =
            names.into_iter().map(|name| CommandKind::Function(name, Rc::clone(&body))).collect();
        match definitions.pop() {
            Some(definition) if definitions.is_empty() => Ok(definition),
            last => {
                let kinds = definitions.into_iter().chain(last);
                Ok(CommandKind::List(
                    kinds
                        .map(|kind| ListItem { node: self.make_node(kind, start), wait: ItemMode::Foreground })
                        .collect(),
                ))
            }
        }
    }

    /// Whether the body of an anonymous function is next: zsh permits `function { … }`.
    fn begins_nameless_function(&self) -> bool {
        let is_body = matches!(self.reserved_word(), Some(("{", _))) || self.peek() == Some(b'(');
        is_body && self.reading.has(DialectFeature::ZshSyntax)
    }

    /// Parses the body of a function: a compound command that is neither a definition nor a coprocess; in some
    /// dialects also a simple command.
    pub(super) fn function_body(&mut self) -> ParseResult<CommandNode> {
        match self.compound()? {
            Some(body) if !matches!(body.kind, CommandKind::Function(..) | CommandKind::Coproc(..)) => Ok(body),
            None if self.reading.has(DialectFeature::AnyBody) => self.parse_deeper(Self::parse_simple),
            _ => Err(ParseError::Syntax),
        }
    }

    /// Parses `coproc NAME compound`, `coproc compound`, or `coproc simple`.
    fn coproc(&mut self) -> ParseResult<CommandKind> {
        self.skip_blanks();
        let start = self.at;
        let mut name = "COPROC".to_owned();
        if self.reserved_word().is_none() && self.starts_word() {
            let word = self.word(WordPosition::Argument)?;
            self.skip_blanks();
            if self.peek() == Some(b'(') || self.reserved_word().is_some() {
                self.text_of(&word).clone_into(&mut name);
            } else {
                self.at = start;
            }
        }
        Ok(CommandKind::Coproc(name, Box::new(self.command()?)))
    }

    /// Consumes a reserved word; fails if another token is next.
    fn expect(&mut self, word: &str) -> ParseResult<()> {
        self.skip_blanks();
        match self.reserved_word() {
            Some((reserved, end)) if reserved == word => {
                self.at = end;
                Ok(())
            }
            _ => Err(ParseError::Syntax),
        }
    }
}

/// Whether the header of a `for ((…))` has three expressions. With quotes or substitutions, some semicolons may not
/// be separators, so more than two are accepted.
fn has_three_expressions(header: &str) -> bool {
    let divisions = header.bytes().filter(|byte| *byte == b';').count();
    divisions == 2 || divisions > 2 && header.contains(['\'', '"', '\\', '$', '`'])
}
