//! Here-documents: their bodies begin on the line after their operators.

use std::ops::Range;

use super::{
    CommandKind, CommandNode, DollarConstruct, EnclosingQuotes, ParseError, ParseResult, Parser, RawText,
    RedirectTarget, Redirection, TextEnd, dollar,
};
use crate::dialect::DialectReading;
use crate::escapes::ansi;

/// A here-document whose operator is parsed and whose body is not read yet.
#[derive(Clone, Debug)]
pub(super) struct PendingHeredoc {
    /// The index of the here-document among those of its line.
    index: usize,
    /// The line that ends the body, without quotes.
    delimiter: String,
    /// Whether the delimiter is quoted in the source, so that the body is not expanded.
    is_quoted: bool,
    /// Whether leading tabs are removed from the lines: `<<-`.
    strips_tabs: bool,
}

/// Whether the leading tabs of each line of a body are removed: `<<-`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TabHandling {
    Kept,
    Stripped,
}

impl Parser<'_> {
    /// Registers a here-document whose body is read later, and returns a placeholder for the body.
    pub(super) fn register_heredoc(&mut self, delimiter: &RawText, tabs: TabHandling) -> ParseResult<RedirectTarget> {
        let (delimiter, is_quoted) = unquote_delimiter(self.text_of(delimiter), self.reading)?;
        let index = self.bodies.len();
        self.bodies.push(None);
        self.pending.push(PendingHeredoc { index, delimiter, is_quoted, strips_tabs: tabs == TabHandling::Stripped });
        Ok(RedirectTarget::Pending(index))
    }

    /// Reads the bodies of the pending here-documents, which begin here.
    pub(super) fn read_heredoc_bodies(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            let body = self.heredoc_body(&pending);
            if let Some(slot) = self.bodies.get_mut(pending.index) {
                *slot = Some(body);
            }
        }
    }

    /// Reads the body of a here-document, up to its delimiter or the end of the text.
    fn heredoc_body(&mut self, pending: &PendingHeredoc) -> RedirectTarget {
        let mut body = String::new();
        while !self.is_over() {
            let start = self.at;
            let source_line = self.logical_line(pending);
            let line = if pending.strips_tabs { source_line.trim_start_matches('\t') } else { &source_line };
            if line.strip_suffix('\n').unwrap_or(line) == pending.delimiter {
                break;
            }
            if line.strip_prefix(&pending.delimiter).is_some_and(|rest| self.may_close(rest)) {
                let length = source_line.len() - line.len() + pending.delimiter.len();
                self.at = if pending.is_quoted { start + length } else { self.offset_after(start, length) };
                break;
            }
            body.push_str(line);
        }
        if pending.is_quoted { RedirectTarget::Literal(body) } else { RedirectTarget::Expanded(body) }
    }

    /// Whether the substitution around a here-document may end on the line of the delimiter, as in `EOF)`. Bash
    /// accepts a line that only begins with the delimiter if a `)` follows on it, and continues after the delimiter.
    fn may_close(&self, rest: &str) -> bool {
        match self.close {
            TextEnd::Parenthesis => rest.contains(')') || !rest.ends_with('\n'),
            TextEnd::End => self.is_skimming && rest.contains(')'),
        }
    }

    /// Returns the offset in the source after the first `length` bytes of a logical line that begins at `start`. The
    /// source is longer if it has line continuations, which the logical line lacks.
    fn offset_after(&self, start: usize, length: usize) -> usize {
        (0..length).fold(start, |at, _| self.skip_continuations(at) + 1)
    }

    /// Reads a line of the body, including its newline. Unless the delimiter is quoted, a backslash at the end of a
    /// line joins it with the next one.
    fn logical_line(&mut self, pending: &PendingHeredoc) -> String {
        let mut line = String::new();
        loop {
            let rest = self.slice(self.at..self.text.len());
            let end = rest.find('\n').map_or(rest.len(), |at| at + 1);
            let part = rest.get(..end).unwrap_or_default();
            self.at += end;
            let backslashes = part.trim_end_matches('\n').bytes().rev().take_while(|byte| *byte == b'\\').count();
            if pending.is_quoted || backslashes % 2 == 0 || !part.ends_with('\n') || self.is_over() {
                line.push_str(part);
                return line;
            }
            line.push_str(part.get(..part.len() - 2).unwrap_or_default());
        }
    }
}

/// Replaces the placeholders in a tree by the bodies of the here-documents.
pub(super) fn fill_placeholders(node: &mut CommandNode, bodies: &mut [Option<RedirectTarget>]) {
    if bodies.is_empty() {
        return;
    }
    fill_redirects(&mut node.redirects, bodies);
    match &mut node.kind {
        CommandKind::Pipeline(nodes) => nodes.iter_mut().for_each(|node| fill_placeholders(node, bodies)),
        CommandKind::Chain(first, rest) => {
            fill_placeholders(first, bodies);
            rest.iter_mut().for_each(|(_, node)| fill_placeholders(node, bodies));
        }
        CommandKind::List(items) => items.iter_mut().for_each(|item| fill_placeholders(&mut item.node, bodies)),
        CommandKind::If(arms, otherwise) => {
            for (condition, body) in arms {
                fill_placeholders(condition, bodies);
                fill_placeholders(body, bodies);
            }
            if let Some(node) = otherwise {
                fill_placeholders(node, bodies);
            }
        }
        CommandKind::While(condition, body) | CommandKind::Until(condition, body) => {
            fill_placeholders(condition, bodies);
            fill_placeholders(body, bodies);
        }
        CommandKind::Case(_, arms) => {
            arms.iter_mut().filter_map(|arm| arm.body.as_mut()).for_each(|node| fill_placeholders(node, bodies));
        }
        CommandKind::Function(_, body) => {
            if let Some(body) = std::rc::Rc::get_mut(body) {
                fill_placeholders(body, bodies);
            }
        }
        CommandKind::Subshell(body)
        | CommandKind::Group(body)
        | CommandKind::Coproc(_, body)
        | CommandKind::Count(_, body)
        | CommandKind::For { body, .. } => fill_placeholders(body, bodies),
        CommandKind::Empty
        | CommandKind::Simple { .. }
        | CommandKind::Arithmetic(_)
        | CommandKind::Test(_)
        | CommandKind::AnyOf(_) => {}
    }
}

/// Replaces the placeholders in redirections by their bodies. Each body is used once.
fn fill_redirects(redirects: &mut [Redirection], bodies: &mut [Option<RedirectTarget>]) {
    for redirect in redirects {
        let RedirectTarget::Pending(index) = redirect.target else { continue };
        let body = bodies.get_mut(index).and_then(Option::take);
        // A here-document at the end of the text may have no body: it is empty.
        redirect.target = body.unwrap_or_else(|| RedirectTarget::Expanded(String::new()));
    }
}

/// Removes the quotes of a delimiter, and returns whether there were any. Bash does not expand a delimiter, so a
/// substitution in it is text, including its quotes.
fn unquote_delimiter(delimiter: &str, reading: &DialectReading) -> ParseResult<(String, bool)> {
    let (mut text, mut is_quoted) = (String::new(), false);
    let mut inside = EnclosingQuotes::Nothing;
    let mut at = 0;
    while let Some(c) = delimiter.get(at..).and_then(|rest| rest.chars().next()) {
        let start = at;
        at += c.len_utf8();
        let next = delimiter.get(at..).and_then(|rest| rest.chars().next());
        match (inside, c, next) {
            (_, '"', _) => {
                is_quoted = true;
                inside = if inside == EnclosingQuotes::Nothing {
                    EnclosingQuotes::DoubleQuotes
                } else {
                    EnclosingQuotes::Nothing
                };
            }
            (EnclosingQuotes::Nothing, '\'', _) => {
                is_quoted = true;
                let quoted = delimiter.get(at..).and_then(|rest| rest.split_once('\'')).ok_or(ParseError::Syntax)?.0;
                text.push_str(quoted);
                at += quoted.len() + 1;
            }
            (_, '\\', Some('\n')) => at += 1,
            (EnclosingQuotes::Nothing, '\\', Some(escaped)) | (_, '\\', Some(escaped @ ('"' | '\\' | '$' | '`'))) => {
                is_quoted = true;
                text.push(escaped);
                at += escaped.len_utf8();
            }
            (_, '$' | '`', _) | (EnclosingQuotes::Nothing, '<' | '>', Some('(')) => {
                let (quotes, end) = push_substitution_text(delimiter, start, (inside, reading), &mut text)?;
                is_quoted |= quotes;
                at = end;
            }
            _ => text.push(c),
        }
    }
    Ok((text, is_quoted))
}

/// Appends the text of the `$` construct at an offset of a delimiter. Returns whether it was quoted, and the offset
/// after it.
fn push_substitution_text(
    delimiter: &str,
    at: usize,
    (inside, reading): (EnclosingQuotes, &DialectReading),
    text: &mut String,
) -> ParseResult<(bool, usize)> {
    let source = |span: Range<usize>| delimiter.get(span).unwrap_or_default();
    // An unterminated construct is text as well.
    match dollar(delimiter, at, inside, reading).ok().flatten() {
        Some((DollarConstruct::Escaped(span), end)) => {
            text.push_str(&ansi(source(span)));
            Ok((true, end))
        }
        // The quotes after the sign are removed like other quotes.
        Some((DollarConstruct::Translated(_), _)) => Ok((false, at + 1)),
        // Bash decodes these quotes before it compares lines with the delimiter, which is not supported here.
        Some((_, end)) if source(at..end).contains("$'") || source(at..end).contains("$\"") => Err(ParseError::Syntax),
        Some((_, end)) => {
            text.push_str(source(at..end));
            Ok((false, end))
        }
        None => {
            // `$$` is a unit: a bracket after it belongs to neither sign.
            let end = at + if source(at..at + 2) == "$$" { 2 } else { 1 };
            text.push_str(source(at..end));
            Ok((false, end))
        }
    }
}
