//! The grammar of conditions, `[[ … ]]`.

use super::quotes::Whole;
use super::words::Spot;
use super::{Extglob, Fault, Kind, Parser, Raw, Result, is_meta};

/// The unary operators.
const UNARY: &str = "abcdefghknoprstuvwxzGLNORS";

/// The binary operators on words.
const BINARY: &[&str] = &["=", "==", "!=", "=~", "-nt", "-ot", "-ef", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

impl Parser<'_> {
    /// Parses `[[ … ]]` after its opening. Parentheses are counted, so they do not cause recursion.
    pub(super) fn test(&mut self) -> Result<Kind> {
        let mut words = Vec::new();
        let mut parentheses = 0_usize;
        loop {
            self.newlines();
            if self.takes_not() {
                words.push(self.raw(self.at - 1..self.at));
                continue;
            }
            if self.takes("(") {
                parentheses += 1;
                continue;
            }
            self.operands(&mut words)?;
            while self.takes(")") {
                parentheses = parentheses.checked_sub(1).ok_or(Fault::Syntax)?;
                self.newlines();
            }
            if let (0, Some(end)) = (parentheses, self.sees_word("]]")) {
                self.at = end;
                return Ok(Kind::Test(words));
            }
            if !self.takes("&&") && !self.takes("||") {
                return Err(Fault::Syntax);
            }
        }
    }

    /// Consumes a lone `!` that does not begin a pattern in parentheses.
    fn takes_not(&mut self) -> bool {
        let is_pattern = self.extglob == Extglob::On && self.sees("!(").is_some();
        match self.sees_word("!") {
            Some(end) if !is_pattern => {
                self.at = end;
                true
            }
            _ => false,
        }
    }

    /// Parses `-f a`, `a == b`, or `a`.
    fn operands(&mut self, words: &mut Vec<Raw>) -> Result<()> {
        let first = self.operand(Spot::Argument)?;
        let is_unary = self.text_of(&first).strip_prefix('-').is_some_and(is_unary);
        words.push(first);
        self.blanks();
        if is_unary {
            words.push(self.operand(Spot::Argument)?);
            self.newlines();
            return Ok(());
        }
        if self.sees_word("]]").is_some() || matches!(self.peek(), Some(b')' | b'&' | b'|')) {
            return Ok(());
        }
        if matches!(self.peek(), Some(b'<' | b'>')) && !self.starts_word() {
            self.at += 1;
            self.blanks();
            words.push(self.operand(Spot::Argument)?);
            self.newlines();
            return Ok(());
        }
        let operator = self.operand(Spot::Argument)?;
        self.blanks();
        match self.text_of(&operator) {
            "=~" => {
                words.push(operator);
                words.push(self.regex()?);
            }
            sign if BINARY.contains(&sign) => {
                words.push(operator);
                words.push(self.operand(Spot::Test)?);
            }
            _ => return Err(Fault::Syntax),
        }
        self.newlines();
        Ok(())
    }

    /// Reads a word other than the end.
    fn operand(&mut self, spot: Spot) -> Result<Raw> {
        if self.sees_word("]]").is_some() {
            return Err(Fault::Syntax);
        }
        self.word(spot)
    }

    /// Reads a regular expression, including its parentheses and bars.
    fn regex(&mut self) -> Result<Raw> {
        let start = self.at;
        if self.sees_word("]]").is_some() {
            return Err(Fault::Syntax);
        }
        loop {
            match self.peek() {
                Some(b'(') => {
                    self.at += 1;
                    self.deeper(|parser| parser.closing(b'(', b')', Whole::Quotes))?;
                }
                Some(b'|') => self.at += 1,
                Some(byte) if !is_meta(byte) => self.quoted()?,
                _ => break,
            }
        }
        if self.at == start { Err(Fault::Syntax) } else { Ok(self.raw(start..self.at)) }
    }
}

fn is_unary(letter: &str) -> bool {
    letter.len() == 1 && UNARY.contains(letter)
}
