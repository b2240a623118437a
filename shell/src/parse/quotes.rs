//! Finds the ends of quotes and substitutions.

use std::ops::Range;

use super::{Extglob, ParseError, ParseResult, Parser};
use crate::dialect::{DialectFeature, DialectReading};

/// A construct that begins with `$`, a backtick, `<(` or `>(`, with the byte range of its content.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum DollarConstruct {
    /// `$(…)`: the script.
    Command(Range<usize>),
    /// `` `…` ``: the script, including its backslashes.
    Backticks(Range<usize>),
    /// `$((…))`, `$[…]`: the expression.
    Arithmetic(Range<usize>),
    /// `${…}`: the text between the braces.
    Braces(Range<usize>),
    /// `$'…'`: the text between the quotes.
    Escaped(Range<usize>),
    /// `$"…"`: the text between the quotes.
    Translated(Range<usize>),
    /// `<(…)`, `>(…)`: the script.
    Process(Range<usize>),
}

/// Whether a substitution is within double quotes, where `$'…'` is literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EnclosingQuotes {
    Nothing,
    DoubleQuotes,
}

/// The constructs that are skipped as a whole in the search for a closing character: a closing character within them
/// does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SkippedConstructs {
    /// Quotes and all substitutions are skipped, in subscripts.
    Substitutions,
    /// Quotes and `$(…)` are skipped, in arithmetic. `${…}` is not: the `)` in `${x:-)}` counts.
    Commands,
    /// Only quotes are skipped, in patterns.
    Quotes,
}

/// Finds the construct that begins at an offset of a word with `$`, a backtick, `<(` or `>(`, and the offset after
/// it.
///
/// `None` for a name (`$x`) and for a literal `$`; an error if the construct is unterminated or nested too deeply.
pub(crate) fn dollar(
    text: &str,
    at: usize,
    inside: EnclosingQuotes,
    reading: &DialectReading,
) -> ParseResult<Option<(DollarConstruct, usize)>> {
    let mut parser = Parser::new(text, Extglob::On, reading);
    parser.at = at;
    let found = parser.substitution(inside)?;
    Ok(found.map(|found| (found, parser.at)))
}

impl Parser<'_> {
    /// Skips the construct that begins with the `$`, backtick, `<` or `>` here. If there is none, skips only the
    /// sign, or `$$`.
    pub(super) fn substitution(&mut self, inside: EnclosingQuotes) -> ParseResult<Option<DollarConstruct>> {
        let start = self.at;
        let sign = self.peek();
        self.at += 1;
        if sign == Some(b'`') {
            let script = self.escaped_until(b'`')?;
            return Ok(Some(DollarConstruct::Backticks(script)));
        }
        self.at = self.skip_continuations(self.at);
        match (sign, self.peek()) {
            (Some(b'$'), Some(b'(')) => {
                if let Some(expression) = self.double_parens()? {
                    self.at = expression.end + 2;
                    return Ok(Some(DollarConstruct::Arithmetic(expression)));
                }
                self.script().map(DollarConstruct::Command).map(Some)
            }
            (Some(b'<' | b'>'), Some(b'(')) => self.script().map(DollarConstruct::Process).map(Some),
            (Some(b'$'), Some(b'{')) => {
                self.at += 1;
                self.parse_deeper(|parser| parser.braces(inside)).map(DollarConstruct::Braces).map(Some)
            }
            (Some(b'$'), Some(b'[')) if self.reading.has(DialectFeature::Brackets) => {
                self.at += 1;
                self.parse_deeper(|parser| parser.brackets()).map(DollarConstruct::Arithmetic).map(Some)
            }
            (Some(b'$'), Some(b'\''))
                if inside == EnclosingQuotes::Nothing && self.reading.has(DialectFeature::EscapedQuotes) =>
            {
                self.at += 1;
                self.escaped_until(b'\'').map(DollarConstruct::Escaped).map(Some)
            }
            (Some(b'$'), Some(b'"'))
                if inside == EnclosingQuotes::Nothing && self.reading.has(DialectFeature::TranslatedQuotes) =>
            {
                self.at += 1;
                let from = self.at;
                self.parse_deeper(|parser| parser.double_quotes())?;
                Ok(Some(DollarConstruct::Translated(from..self.at - 1)))
            }
            // The text after `$$` is not part of a construct: `$$(x)` is the process ID and a parenthesis.
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

    /// Skips a quoted text, an escaped character or a substitution; if none begins here, one character.
    pub(super) fn quoted(&mut self) -> ParseResult<()> {
        match self.peek() {
            Some(b'\\') => self.at = (self.at + 2).min(self.text.len()),
            Some(b'\'') => self.single_quotes()?,
            Some(b'"') => {
                self.at += 1;
                self.parse_deeper(|parser| parser.double_quotes())?;
            }
            Some(b'$' | b'`') => {
                self.substitution(EnclosingQuotes::Nothing)?;
            }
            _ => self.at += 1,
        }
        Ok(())
    }

    /// Skips the rest of `$'…'` or `` `…` ``, in which a backslash escapes the next character, and returns the range
    /// of its content.
    fn escaped_until(&mut self, quote: u8) -> ParseResult<Range<usize>> {
        let from = self.at;
        while self.peek() != Some(quote) {
            self.at += if self.peek() == Some(b'\\') { 2 } else { 1 };
            if self.at >= self.text.len() {
                return Err(ParseError::Syntax);
            }
        }
        self.at += 1;
        Ok(from..self.at - 1)
    }

    /// Skips `'…'`.
    fn single_quotes(&mut self) -> ParseResult<()> {
        let rest = self.slice(self.at + 1..self.text.len());
        self.at += rest.find('\'').ok_or(ParseError::Syntax)? + 2;
        Ok(())
    }

    /// Skips the rest of `"…"`, from after the opening quote.
    fn double_quotes(&mut self) -> ParseResult<()> {
        loop {
            match self.peek().ok_or(ParseError::Syntax)? {
                b'"' => break,
                b'\\' => self.at += 2,
                b'$' | b'`' => {
                    self.substitution(EnclosingQuotes::DoubleQuotes)?;
                }
                _ => self.at += 1,
            }
        }
        self.at += 1;
        Ok(())
    }

    /// Skips a script from its `(` to its `)`, and returns the range of its content. Only the grammar determines
    /// which `)` closes it: `$(case x in x) ;; esac)`.
    pub(super) fn script(&mut self) -> ParseResult<Range<usize>> {
        let from = self.at + 1;
        if let Some(inner) = self.token_end("((") {
            // Bash first tries to read arithmetic here: it counts parentheses, and recognises neither comments nor
            // here-documents.
            self.at = self.inner_end(inner)?;
            self.parse_deeper(|parser| parser.skip_to_closing(b'(', b')', SkippedConstructs::Commands))?;
            return Ok(from..self.at - 1);
        }
        self.at = from;
        self.parse_deeper(|parser| {
            let pending = std::mem::take(&mut parser.pending);
            let bodies = std::mem::take(&mut parser.bodies);
            let outer = std::mem::replace(&mut parser.is_skimming, true);
            parser.list_or_nothing()?;
            // Bash would take the lines after the whole command as the body of this here-document. Nobody intends
            // that, so it counts as an error.
            if !parser.pending.is_empty() {
                return Err(ParseError::Syntax);
            }
            parser.is_skimming = outer;
            parser.pending = pending;
            parser.bodies = bodies;
            Ok(())
        })?;
        self.blanks();
        if self.peek() != Some(b')') {
            return Err(ParseError::Syntax);
        }
        self.at += 1;
        Ok(from..self.at - 1)
    }

    /// Returns the range of the text in `((…))`; `None` if no `((` is next, or if they are two nested `(…)`.
    pub(super) fn double_parens(&mut self) -> ParseResult<Option<Range<usize>>> {
        let Some(from) = self.token_end("((") else { return Ok(None) };
        let at = self.inner_end(from)?;
        Ok((self.peek_at(at) == Some(b')')).then(|| from..at - 1))
    }

    /// Returns the offset after the `)` that closes the inner parenthesis of a `((`; `from` is the offset after the
    /// `((`.
    fn inner_end(&mut self, from: usize) -> ParseResult<usize> {
        if let Some(known) = self.inner_ends.get(&from) {
            return Ok(*known);
        }
        let start = std::mem::replace(&mut self.at, from);
        self.parse_deeper(|parser| parser.skip_to_closing(b'(', b')', SkippedConstructs::Commands))?;
        let behind = std::mem::replace(&mut self.at, start);
        self.inner_ends.insert(from, behind);
        Ok(behind)
    }

    /// Skips the rest of `$[…]`, and returns the range of its content.
    fn brackets(&mut self) -> ParseResult<Range<usize>> {
        let from = self.at;
        self.skip_to_closing(b'[', b']', SkippedConstructs::Commands)?;
        Ok(from..self.at - 1)
    }

    /// Skips up to and including the closing character that matches. Nested pairs of the same characters, quotes, and
    /// the constructs in `whole` are skipped as a whole.
    pub(super) fn skip_to_closing(&mut self, open: u8, close: u8, whole: SkippedConstructs) -> ParseResult<()> {
        let mut depth = 0_usize;
        loop {
            match self.peek().ok_or(ParseError::Syntax)? {
                byte if byte == open => depth += 1,
                byte if byte == close && depth == 0 => {
                    self.at += 1;
                    return Ok(());
                }
                byte if byte == close => depth -= 1,
                b'$' if self.peek_at(self.skip_continuations(self.at + 1)) == Some(b'$') => {
                    self.at = self.skip_continuations(self.at + 1)
                }
                b'$' if !self.is_whole(whole) => {}
                _ => {
                    self.quoted()?;
                    continue;
                }
            }
            self.at += 1;
        }
    }

    /// Whether the construct at a `$` is skipped as a whole.
    fn is_whole(&self, whole: SkippedConstructs) -> bool {
        match (whole, self.peek_at(self.skip_continuations(self.at + 1))) {
            (SkippedConstructs::Substitutions, _) => true,
            (_, Some(b'\'')) => self.reading.has(DialectFeature::EscapedQuotes),
            (SkippedConstructs::Commands, behind) => behind == Some(b'('),
            (SkippedConstructs::Quotes, _) => false,
        }
    }

    /// Skips the rest of `${…}`, from after the brace, and returns the range of its content.
    fn braces(&mut self, inside: EnclosingQuotes) -> ParseResult<Range<usize>> {
        let from = self.at;
        // In bash, single quotes in `"${x:-'}'}"` pair up, although they are literal there.
        loop {
            match self.peek().ok_or(ParseError::Syntax)? {
                b'}' => break,
                b'\''
                    if inside == EnclosingQuotes::DoubleQuotes
                        && !self.reading.has(DialectFeature::QuotesInOperands) =>
                {
                    self.at += 1
                }
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
