//! Parses conditions: `[[ … ]]`.

use super::quotes::SkippedConstructs;
use super::words::WordPosition;
use super::{CommandKind, Extglob, ParseError, ParseResult, Parser, RawText, is_meta};

/// The letters of the unary operators of `[[ … ]]`, as in `-f file`.
const UNARY: &str = "abcdefghknoprstuvwxzGLNORS";

/// The binary operators of `[[ … ]]` between words. `<` and `>` are handled separately, because they end a word
/// elsewhere.
const BINARY: &[&str] = &["=", "==", "!=", "=~", "-nt", "-ot", "-ef", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

impl Parser<'_> {
    /// Parses `[[ … ]]`, from after the opening bracket. Parentheses are counted, so that they need no recursion.
    pub(super) fn parse_test(&mut self) -> ParseResult<CommandKind> {
        let mut words = Vec::new();
        let mut parentheses = 0_usize;
        loop {
            self.skip_newlines();
            if self.take_negation() {
                words.push(self.make_raw(self.at - 1..self.at));
                continue;
            }
            if self.take_token("(") {
                parentheses += 1;
                continue;
            }
            self.operands(&mut words)?;
            while self.take_token(")") {
                parentheses = parentheses.checked_sub(1).ok_or(ParseError::Syntax)?;
                self.skip_newlines();
            }
            if let (0, Some(end)) = (parentheses, self.word_end("]]")) {
                self.at = end;
                return Ok(CommandKind::Test(words));
            }
            if !self.take_token("&&") && !self.take_token("||") {
                return Err(ParseError::Syntax);
            }
        }
    }

    /// Consumes a `!` that negates, and not one that begins the pattern `!(…)`. Returns whether it was next.
    fn take_negation(&mut self) -> bool {
        let is_pattern = self.extglob == Extglob::On && self.token_end("!(").is_some();
        match self.word_end("!") {
            Some(end) if !is_pattern => {
                self.at = end;
                true
            }
            _ => false,
        }
    }

    /// Parses one test and appends its words: `-f a`, `a == b`, or `a`.
    fn operands(&mut self, words: &mut Vec<RawText>) -> ParseResult<()> {
        let first = self.operand(WordPosition::Argument)?;
        let is_unary = self.text_of(&first).strip_prefix('-').is_some_and(is_unary);
        words.push(first);
        self.skip_blanks();
        if is_unary {
            words.push(self.operand(WordPosition::Argument)?);
            self.skip_newlines();
            return Ok(());
        }
        if self.word_end("]]").is_some() || matches!(self.peek(), Some(b')' | b'&' | b'|')) {
            return Ok(());
        }
        if matches!(self.peek(), Some(b'<' | b'>')) && !self.starts_word() {
            self.at += 1;
            self.skip_blanks();
            words.push(self.operand(WordPosition::Argument)?);
            self.skip_newlines();
            return Ok(());
        }
        let operator = self.operand(WordPosition::Argument)?;
        self.skip_blanks();
        match self.text_of(&operator) {
            "=~" => {
                words.push(operator);
                words.push(self.regex()?);
            }
            sign if BINARY.contains(&sign) => {
                words.push(operator);
                words.push(self.operand(WordPosition::Test)?);
            }
            _ => return Err(ParseError::Syntax),
        }
        self.skip_newlines();
        Ok(())
    }

    /// Reads a word; fails at `]]`.
    fn operand(&mut self, position: WordPosition) -> ParseResult<RawText> {
        if self.word_end("]]").is_some() {
            return Err(ParseError::Syntax);
        }
        self.word(position)
    }

    /// Reads the regular expression after `=~`, in which parentheses and `|` are unquoted.
    fn regex(&mut self) -> ParseResult<RawText> {
        let start = self.at;
        if self.word_end("]]").is_some() {
            return Err(ParseError::Syntax);
        }
        loop {
            match self.peek() {
                Some(b'(') => {
                    self.at += 1;
                    self.parse_deeper(|parser| parser.skip_to_closing(b'(', b')', SkippedConstructs::Quotes))?;
                }
                Some(b'|') => self.at += 1,
                Some(byte) if !is_meta(byte) => self.skip_quoted()?,
                _ => break,
            }
        }
        if self.at == start { Err(ParseError::Syntax) } else { Ok(self.make_raw(start..self.at)) }
    }
}

fn is_unary(letter: &str) -> bool {
    letter.len() == 1 && UNARY.contains(letter)
}
