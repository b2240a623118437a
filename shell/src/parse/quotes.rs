//! Where quotes and substitutions end.

use std::ops::Range;

use super::{Extglob, Fault, Parser, Result};
use crate::dialect::{Feature, Reading};

/// What stands behind a `$`, or between backticks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Dollar {
    /// `$(…)`: the script.
    Command(Range<usize>),
    /// `` `…` ``: the script, its backslashes still in it.
    Backticks(Range<usize>),
    /// `$((…))`, `$[…]`: the expression.
    Arithmetic(Range<usize>),
    /// `${…}`: what stands between the braces.
    Braces(Range<usize>),
    /// `$'…'`: what stands between the quotes.
    Escaped(Range<usize>),
    /// `$"…"`: what stands between the quotes.
    Translated(Range<usize>),
    /// `<(…)`, `>(…)`: the script.
    Process(Range<usize>),
}

/// In which quotes a substitution stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Inside {
    Nothing,
    DoubleQuotes,
}

/// Within which pairs a sign that closes does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Whole {
    /// In subscripts: quotes and all substitutions.
    Substitutions,
    /// In arithmetic: quotes and `$(…)`; the `)` of `${x:-)}` is one.
    Commands,
    /// In patterns: quotes alone.
    Quotes,
}

/// Finds out what stands at a place of a word that begins with `$`, a backtick, `<(` or `>(`, and where it ends.
///
/// `None` for a name (`$x`), and for a `$` that is itself; a fault where it does not end, or nests too deep.
pub(crate) fn dollar(text: &str, at: usize, inside: Inside, reading: &Reading) -> Result<Option<(Dollar, usize)>> {
    let mut parser = Parser::new(text, Extglob::On, reading);
    parser.at = at;
    let found = parser.substitution(inside)?;
    Ok(found.map(|found| (found, parser.at)))
}

impl Parser<'_> {
    /// Goes over what `$`, a backtick, `<` or `>` begins; over the sign alone, or `$$`, if it begins nothing.
    pub(super) fn substitution(&mut self, inside: Inside) -> Result<Option<Dollar>> {
        let start = self.at;
        let sign = self.peek();
        self.at += 1;
        if sign == Some(b'`') {
            let script = self.backticks()?;
            return Ok(Some(Dollar::Backticks(script)));
        }
        self.at = self.joined(self.at);
        match (sign, self.peek()) {
            (Some(b'$'), Some(b'(')) => {
                if let Some(expression) = self.double_parens()? {
                    self.at = expression.end + 2;
                    return Ok(Some(Dollar::Arithmetic(expression)));
                }
                self.script().map(Dollar::Command).map(Some)
            }
            (Some(b'<' | b'>'), Some(b'(')) => self.script().map(Dollar::Process).map(Some),
            (Some(b'$'), Some(b'{')) => {
                self.at += 1;
                self.deeper(|parser| parser.braces(inside)).map(Dollar::Braces).map(Some)
            }
            (Some(b'$'), Some(b'[')) if self.reading.has(Feature::Brackets) => {
                self.at += 1;
                self.deeper(|parser| parser.brackets()).map(Dollar::Arithmetic).map(Some)
            }
            (Some(b'$'), Some(b'\'')) if inside == Inside::Nothing && self.reading.has(Feature::EscapedQuotes) => {
                self.at += 1;
                let from = self.at;
                while self.peek() != Some(b'\'') {
                    self.at += if self.peek() == Some(b'\\') { 2 } else { 1 };
                    if self.at >= self.text.len() {
                        return Err(Fault::Syntax);
                    }
                }
                self.at += 1;
                Ok(Some(Dollar::Escaped(from..self.at - 1)))
            }
            (Some(b'$'), Some(b'"')) if inside == Inside::Nothing && self.reading.has(Feature::TranslatedQuotes) => {
                self.at += 1;
                let from = self.at;
                self.deeper(|parser| parser.double_quotes())?;
                Ok(Some(Dollar::Translated(from..self.at - 1)))
            }
            // What follows `$$` is not its own.
            (Some(b'$'), Some(b'$')) => {
                self.at += 1;
                Ok(None)
            }
            _ => {
                self.at = start + 1;
                Ok(None)
            }
        }
    }

    /// Goes over quotes, an escape or a substitution, or one character.
    pub(super) fn quoted(&mut self) -> Result<()> {
        match self.peek() {
            Some(b'\\') => self.at = (self.at + 2).min(self.text.len()),
            Some(b'\'') => self.single_quotes()?,
            Some(b'"') => {
                self.at += 1;
                self.deeper(|parser| parser.double_quotes())?;
            }
            Some(b'$' | b'`') => {
                self.substitution(Inside::Nothing)?;
            }
            _ => self.at += 1,
        }
        Ok(())
    }

    fn single_quotes(&mut self) -> Result<()> {
        let rest = self.slice(self.at + 1..self.text.len());
        self.at += rest.find('\'').ok_or(Fault::Syntax)? + 2;
        Ok(())
    }

    /// Goes to behind the closing quote.
    fn double_quotes(&mut self) -> Result<()> {
        loop {
            match self.peek().ok_or(Fault::Syntax)? {
                b'"' => break,
                b'\\' => self.at += 2,
                b'$' | b'`' => {
                    self.substitution(Inside::DoubleQuotes)?;
                }
                _ => self.at += 1,
            }
        }
        self.at += 1;
        Ok(())
    }

    fn backticks(&mut self) -> Result<Range<usize>> {
        let from = self.at;
        while self.peek() != Some(b'`') {
            self.at += if self.peek() == Some(b'\\') { 2 } else { 1 };
            if self.at >= self.text.len() {
                return Err(Fault::Syntax);
            }
        }
        self.at += 1;
        Ok(from..self.at - 1)
    }

    /// Reads a script from its `(` to its `)`: only the grammar knows which one that is.
    pub(super) fn script(&mut self) -> Result<Range<usize>> {
        let from = self.at + 1;
        if let Some(inner) = self.sees("((") {
            // It might have been arithmetic: bash counts parentheses here, and knows neither comments nor
            // here-documents.
            self.at = self.behind_inner(inner)?;
            self.deeper(|parser| parser.closing(b'(', b')', Whole::Commands))?;
            return Ok(from..self.at - 1);
        }
        self.at = from;
        self.deeper(|parser| {
            let pending = std::mem::take(&mut parser.pending);
            let bodies = std::mem::take(&mut parser.bodies);
            let outer = std::mem::replace(&mut parser.is_skimming, true);
            parser.list_or_nothing()?;
            // Bash takes the lines behind the whole command for one that is still open, which is nobody's meaning.
            if !parser.pending.is_empty() {
                return Err(Fault::Syntax);
            }
            parser.is_skimming = outer;
            parser.pending = pending;
            parser.bodies = bodies;
            Ok(())
        })?;
        self.blanks();
        if self.peek() != Some(b')') {
            return Err(Fault::Syntax);
        }
        self.at += 1;
        Ok(from..self.at - 1)
    }

    /// Finds what stands in `((…))`; `None` if none begins here, or if they are two of `(…)`.
    pub(super) fn double_parens(&mut self) -> Result<Option<Range<usize>>> {
        let Some(from) = self.sees("((") else { return Ok(None) };
        let at = self.behind_inner(from)?;
        Ok((self.peek_at(at) == Some(b')')).then(|| from..at - 1))
    }

    /// Finds the place behind the `)` that closes the inner of two parentheses, from the place behind them.
    fn behind_inner(&mut self, from: usize) -> Result<usize> {
        if let Some(known) = self.doubles.get(&from) {
            return Ok(*known);
        }
        let start = std::mem::replace(&mut self.at, from);
        self.deeper(|parser| parser.closing(b'(', b')', Whole::Commands))?;
        let behind = std::mem::replace(&mut self.at, start);
        self.doubles.insert(from, behind);
        Ok(behind)
    }

    fn brackets(&mut self) -> Result<Range<usize>> {
        let from = self.at;
        self.closing(b'[', b']', Whole::Commands)?;
        Ok(from..self.at - 1)
    }

    /// Goes to behind the sign that closes, over pairs of the same kind, quotes, and those substitutions that bash goes
    /// over there.
    pub(super) fn closing(&mut self, open: u8, close: u8, whole: Whole) -> Result<()> {
        let mut depth = 0_usize;
        loop {
            match self.peek().ok_or(Fault::Syntax)? {
                byte if byte == open => depth += 1,
                byte if byte == close && depth == 0 => {
                    self.at += 1;
                    return Ok(());
                }
                byte if byte == close => depth -= 1,
                b'$' if self.peek_at(self.joined(self.at + 1)) == Some(b'$') => self.at = self.joined(self.at + 1),
                b'$' if !self.is_whole(whole) => {}
                _ => {
                    self.quoted()?;
                    continue;
                }
            }
            self.at += 1;
        }
    }

    fn is_whole(&self, whole: Whole) -> bool {
        match (whole, self.peek_at(self.joined(self.at + 1))) {
            (Whole::Substitutions, _) => true,
            (_, Some(b'\'')) => self.reading.has(Feature::EscapedQuotes),
            (Whole::Commands, behind) => behind == Some(b'('),
            (Whole::Quotes, _) => false,
        }
    }

    /// Reads `${…}` from behind its brace.
    fn braces(&mut self, inside: Inside) -> Result<Range<usize>> {
        let from = self.at;
        // In bash single quotes count in double quotes too, whatever they come to.
        loop {
            match self.peek().ok_or(Fault::Syntax)? {
                b'}' => break,
                b'\'' if inside == Inside::DoubleQuotes && !self.reading.has(Feature::QuotesInOperands) => self.at += 1,
                b'$' | b'`' => {
                    self.substitution(inside)?;
                }
                _ => self.quoted()?,
            }
        }
        self.at += 1;
        Ok(from..self.at - 1)
    }
}
