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

/// The constructs that the search for a closing character skips as a whole, with the closing characters in them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SkippedConstructs {
    /// In subscripts: quotes and all substitutions are skipped.
    Substitutions,
    /// In arithmetic: quotes and `$(…)` are skipped, but not `${…}`, so the `)` in `${x:-)}` is a closing one.
    Commands,
    /// In patterns: only quotes are skipped.
    Quotes,
}

/// Finds the construct that begins with `$`, a backtick, `<(` or `>(` at the offset `at` of a word, and the offset
/// after it.
///
/// Returns `None` for a name (`$x`) and for a literal `$`. Fails if the construct is unterminated or nested too deeply.
pub(crate) fn dollar(
    text: &str,
    at: usize,
    inside: EnclosingQuotes,
    reading: &DialectReading,
) -> ParseResult<Option<(DollarConstruct, usize)>> {
    let mut parser = Parser::new(text, Extglob::On, reading);
    parser.at = at;
    let construct = parser.skip_substitution(inside)?;
    Ok(construct.map(|construct| (construct, parser.at)))
}

impl Parser<'_> {
    /// Skips the construct that begins with the `$`, backtick, `<` or `>` at the current position, and returns it. If
    /// the sign begins no construct, skips only the sign, or `$$`, and returns `None`.
    pub(super) fn skip_substitution(&mut self, inside: EnclosingQuotes) -> ParseResult<Option<DollarConstruct>> {
        let start = self.at;
        let sign = self.peek();
        self.at += 1;
        if sign == Some(b'`') {
            let script = self.skip_escaped_until(b'`')?;
            return Ok(Some(DollarConstruct::Backticks(script)));
        }
        self.at = self.skip_continuations(self.at);
        match (sign, self.peek()) {
            (Some(b'$'), Some(b'(')) => {
                if let Some(expression) = self.arithmetic_range()? {
                    self.at = expression.end + 2;
                    return Ok(Some(DollarConstruct::Arithmetic(expression)));
                }
                self.skip_script().map(DollarConstruct::Command).map(Some)
            }
            (Some(b'<' | b'>'), Some(b'(')) => self.skip_script().map(DollarConstruct::Process).map(Some),
            (Some(b'$'), Some(b'{')) => {
                self.at += 1;
                self.parse_deeper(|parser| parser.skip_braces(inside)).map(DollarConstruct::Braces).map(Some)
            }
            (Some(b'$'), Some(b'[')) if self.reading.has(DialectFeature::Brackets) => {
                self.at += 1;
                self.parse_deeper(|parser| parser.skip_brackets()).map(DollarConstruct::Arithmetic).map(Some)
            }
            (Some(b'$'), Some(b'\''))
                if inside == EnclosingQuotes::Nothing && self.reading.has(DialectFeature::EscapedQuotes) =>
            {
                self.at += 1;
                self.skip_escaped_until(b'\'').map(DollarConstruct::Escaped).map(Some)
            }
            (Some(b'$'), Some(b'"'))
                if inside == EnclosingQuotes::Nothing && self.reading.has(DialectFeature::TranslatedQuotes) =>
            {
                self.at += 1;
                let from = self.at;
                self.parse_deeper(|parser| parser.skip_double_quotes())?;
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

    /// Skips the quoted text, escaped character or substitution that is next, or else one byte.
    pub(super) fn skip_quoted(&mut self) -> ParseResult<()> {
        match self.peek() {
            Some(b'\\') => self.at = (self.at + 2).min(self.text.len()),
            Some(b'\'') => self.skip_single_quotes()?,
            Some(b'"') => {
                self.at += 1;
                self.parse_deeper(|parser| parser.skip_double_quotes())?;
            }
            Some(b'$' | b'`') => {
                self.skip_substitution(EnclosingQuotes::Nothing)?;
            }
            _ => self.at += 1,
        }
        Ok(())
    }

    /// Skips the rest of `$'…'` or `` `…` ``, in which a backslash escapes the next character, and returns the range
    /// of its content.
    fn skip_escaped_until(&mut self, quote: u8) -> ParseResult<Range<usize>> {
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
    fn skip_single_quotes(&mut self) -> ParseResult<()> {
        let rest = self.slice(self.at + 1..self.text.len());
        self.at += rest.find('\'').ok_or(ParseError::Syntax)? + 2;
        Ok(())
    }

    /// Skips the rest of `"…"`, from after the opening quote.
    fn skip_double_quotes(&mut self) -> ParseResult<()> {
        loop {
            match self.peek().ok_or(ParseError::Syntax)? {
                b'"' => break,
                b'\\' => self.at += 2,
                b'$' | b'`' => {
                    self.skip_substitution(EnclosingQuotes::DoubleQuotes)?;
                }
                _ => self.at += 1,
            }
        }
        self.at += 1;
        Ok(())
    }

    /// Skips a script from its `(` to its `)`, and returns the range of its content. Only the grammar determines
    /// which `)` closes it: `$(case x in x) ;; esac)`.
    pub(super) fn skip_script(&mut self) -> ParseResult<Range<usize>> {
        let from = self.at + 1;
        if let Some(inner) = self.token_end("((") {
            // Bash first tries to read arithmetic here: it counts parentheses, and recognises neither comments nor
            // here-documents.
            self.at = self.inner_parenthesis_end(inner)?;
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
        self.skip_blanks();
        if self.peek() != Some(b')') {
            return Err(ParseError::Syntax);
        }
        self.at += 1;
        Ok(from..self.at - 1)
    }

    /// Returns the range of the expression in `((…))`; `None` if no `((` is next, or if the parentheses are two nested
    /// subshells, `((a) b)`.
    pub(super) fn arithmetic_range(&mut self) -> ParseResult<Option<Range<usize>>> {
        let Some(from) = self.token_end("((") else { return Ok(None) };
        let at = self.inner_parenthesis_end(from)?;
        Ok((self.peek_at(at) == Some(b')')).then(|| from..at - 1))
    }

    /// Returns the offset after the `)` that closes the inner parenthesis of a `((`, without moving there. `from` is
    /// the offset after the `((`.
    fn inner_parenthesis_end(&mut self, from: usize) -> ParseResult<usize> {
        if let Some(end) = self.inner_ends.get(&from) {
            return Ok(*end);
        }
        let start = std::mem::replace(&mut self.at, from);
        self.parse_deeper(|parser| parser.skip_to_closing(b'(', b')', SkippedConstructs::Commands))?;
        let end = std::mem::replace(&mut self.at, start);
        self.inner_ends.insert(from, end);
        Ok(end)
    }

    /// Skips the rest of `$[…]`, and returns the range of its content.
    fn skip_brackets(&mut self) -> ParseResult<Range<usize>> {
        let from = self.at;
        self.skip_to_closing(b'[', b']', SkippedConstructs::Commands)?;
        Ok(from..self.at - 1)
    }

    /// Skips up to and including the closing character that matches, from after the opening one. A closing character
    /// does not match if it is in a nested pair, in quotes, or in one of the constructs in `skipped`.
    pub(super) fn skip_to_closing(&mut self, open: u8, close: u8, skipped: SkippedConstructs) -> ParseResult<()> {
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
                b'$' if !self.skips_construct(skipped) => {}
                _ => {
                    self.skip_quoted()?;
                    continue;
                }
            }
            self.at += 1;
        }
    }

    /// Whether the construct at a `$` is among those to skip as a whole.
    fn skips_construct(&self, skipped: SkippedConstructs) -> bool {
        match (skipped, self.peek_at(self.skip_continuations(self.at + 1))) {
            (SkippedConstructs::Substitutions, _) => true,
            (_, Some(b'\'')) => self.reading.has(DialectFeature::EscapedQuotes),
            (SkippedConstructs::Commands, next) => next == Some(b'('),
            (SkippedConstructs::Quotes, _) => false,
        }
    }

    /// Skips the rest of `${…}`, from after the opening brace, and returns the range of its content.
    fn skip_braces(&mut self, inside: EnclosingQuotes) -> ParseResult<Range<usize>> {
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
                    self.skip_substitution(inside)?;
                }
                _ => self.skip_quoted()?,
            }
        }
        self.at += 1;
        Ok(from..self.at - 1)
    }
}
