//! Formats a file canonically: prints its tree, with its comments.
//!
//! The result is parsed again, and returned only if it has the same tree and the same comments.

use super::ast::AstFile;
use super::mistakes::SyntaxMistake;
use super::parse;
use super::print::{print, print_with_comments};
use super::token::{TokenKind, tokenise};
use crate::diagnostic::Diagnostic;
use crate::span::{SourceFile, Sources, Span};

/// Formats a file like `rules fmt`, and preserves its kind of line end.
///
/// # Errors
/// The diagnostics of a file with an error, or an internal error if the result would have another tree or other
/// comments.
pub fn format(source: &SourceFile) -> Result<String, Vec<Diagnostic>> {
    let (_, found) = parse(source);
    if found.iter().any(Diagnostic::is_error) {
        return Err(found);
    }
    // The first line determines the kind of line end of the whole file.
    let line_feeds = source.text.replace("\r\n", "\n");
    let has_returns = source.text.split('\n').next().is_some_and(|line| line.ends_with('\r'));
    let tree = parse_again(&line_feeds);
    let formatted = print_with_comments(&tree, &line_feeds);
    let again = parse_again(&formatted);
    if print(&tree) != print(&again) || !comments(&line_feeds).eq(comments(&formatted)) {
        return Err(vec![SyntaxMistake::Unformatted {}.at(Span::new(source.id, 0, 0))]);
    }
    Ok(if has_returns { formatted.replace('\n', "\r\n") } else { formatted })
}

/// Parses a text that is known to be correct.
fn parse_again(text: &str) -> AstFile {
    let mut sources = Sources::default();
    let id = sources.add("", None, text);
    sources.file_by_id(id).map(|source| parse(source).0).unwrap_or_default()
}

/// Returns the comments of a text, in order.
fn comments(text: &str) -> impl Iterator<Item = &str> {
    tokenise(text).filter(|token| token.kind == TokenKind::Comment).map(|token| token.text(text))
}
