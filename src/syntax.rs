//! Parses text to a syntax tree, and prints it again. pest is not visible outside of this module.
//!
//! The grammar reads a correct file in one pass. A file with a mistake is cut into items and clauses, and each piece is
//! parsed separately, so that every mistake is reported and everything else is in the tree.

pub mod ast;
mod build;
#[cfg(test)]
mod claims;
mod cut;
mod diagnose;
mod examples;
mod format;
mod grammar;
mod language;
mod layout;
mod limits;
mod mistakes;
mod parts;
mod print;
mod quantity;
mod quote;
mod recover;
mod regex_selector;
mod scan;
mod text;
mod token;
mod words;

pub use examples::{Examples, Outline};
pub use format::format;
pub use layout::{WIDTH, list, one_or_list, wrapped, wrapped_within};
pub use mistakes::behind_variable;
// Trees are printed on their own by tests and fuzz targets, to verify what the parser has read.
pub use mistakes::unresolved::{NamePlace, UnresolvedName, field_meant, part_of_pattern};
#[cfg(feature = "internals")]
pub use print::print;
pub use print::print_example;
pub use quantity::with_unit;
pub use quote::{escaped, literal};
pub use regex_selector::{RegexSelector, selector_text};

use std::borrow::Cow;

use pest::Parser;

use crate::diagnostic::Diagnostic;
use crate::span::{FileId, SourceFile, Span};
use build::Builder;
use grammar::{Grammar, Rule};
use limits::{MAX_DEPTH, MAX_DIAGNOSTICS, MAX_NOTS};
use mistakes::Mistake;
use token::Token;

/// Parses a file. Everything that can be parsed is in the tree, and everything else is reported (law 9).
#[must_use]
pub fn parse(source: &SourceFile) -> (ast::File, Vec<Diagnostic>) {
    parse_within(source, u64::MAX)
}

/// Parses a file with at most `most` parts. A file with more is not parsed: its tree contains only the number of parts.
#[must_use]
pub fn parse_within(source: &SourceFile, most: u64) -> (ast::File, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let Some(text) = scan::check(source.id, &source.text, &mut diagnostics) else {
        return (ast::File::default(), diagnostics);
    };
    let scan::Scan { parts, too_deep } = scan::look(&text);
    if parts > most {
        return (ast::File { parts, ..ast::File::default() }, diagnostics);
    }
    if let Some((what, token)) = too_deep {
        let place = Span::new(source.id, token.start, token.end);
        diagnostics.push(match what {
            scan::TooDeep::Brackets => Mistake::TooManyBrackets { most: &MAX_DEPTH.to_string() }.at(place),
            scan::TooDeep::Nots => Mistake::TooManyNots { most: &MAX_NOTS.to_string() }.at(place),
        });
        return (ast::File::default(), diagnostics);
    }
    (ast::File { parts, ..read(source.id, &text, &mut diagnostics) }, diagnostics)
}

/// Parses a file like [`parse_within`], given the outline of a file that is known to be correct. Examples count as
/// parts whether they are parsed or not.
#[must_use]
pub fn parse_known(
    source: &SourceFile,
    outline: &Outline,
    examples: Examples,
    most: u64,
) -> (ast::File, Vec<Diagnostic>) {
    let parts = outline.parts;
    if parts > most {
        return (ast::File { parts, ..ast::File::default() }, Vec::new());
    }
    let text: Cow<'_, str> = match examples {
        Examples::Read => (&*source.text).into(),
        Examples::LeftOut => examples::commented(&source.text, outline.examples).into(),
    };
    let mut diagnostics = Vec::new();
    (ast::File { parts, ..read(source.id, &text, &mut diagnostics) }, diagnostics)
}

/// Parses a text by the grammar, or piece by piece if it has mistakes.
fn read(id: FileId, text: &str, diagnostics: &mut Vec<Diagnostic>) -> ast::File {
    let file = match Grammar::parse(Rule::file, text) {
        Ok(pairs) => {
            let mut builder = Builder::new(id, text, 0);
            let file = builder.file(pairs);
            diagnostics.append(&mut builder.diagnostics);
            file
        }
        Err(_) => recover::file(id, text, diagnostics),
    };
    diagnostics.sort_by_key(Diagnostic::order);
    cap(diagnostics);
    file
}

/// Parses a single example: `Bash "git push -f" by "reviewer"`.
///
/// # Errors
/// The text is not an example; the diagnostics show why.
pub fn example(source: &SourceFile) -> Result<ast::Example, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    let Some(text) = scan::check(source.id, &source.text, &mut diagnostics) else { return Err(diagnostics) };
    if let Some((_, token)) = scan::look(&text).too_deep {
        let place = Span::new(source.id, token.start, token.end);
        return Err(vec![Mistake::TooManyBrackets { most: &MAX_DEPTH.to_string() }.at(place)]);
    }
    let mut pairs = match Grammar::parse(Rule::lone_example, &text) {
        Ok(pairs) => pairs,
        Err(error) => {
            let tokens: Vec<Token> = token::tokens(&text).filter(|token| !token.is_trivia()).collect();
            let mut cursor = diagnose::Cursor::new(source.id, &text, &tokens);
            diagnose::example(&mut cursor);
            let found = cursor.found;
            let stopped_at = || vec![recover::unexpected(source.id, &text, 0, &error)];
            return Err(if found.is_empty() { stopped_at() } else { found });
        }
    };
    let mut builder = Builder::new(source.id, &text, 0);
    let pair = pairs.next().and_then(|lone| lone.into_inner().next());
    let example = pair.and_then(|pair| builder.example(pair));
    if example.is_none() {
        builder.disagreement(Span::new(source.id, 0, text.len()));
    }
    diagnostics.append(&mut builder.diagnostics);
    example.filter(|_| diagnostics.is_empty()).ok_or(diagnostics)
}

/// Limits the number of diagnostics.
fn cap(diagnostics: &mut Vec<Diagnostic>) {
    let more = diagnostics.len().saturating_sub(MAX_DIAGNOSTICS);
    if more == 0 {
        return;
    }
    diagnostics.truncate(MAX_DIAGNOSTICS);
    if let Some(last) = diagnostics.last_mut() {
        // If reading stopped because of the limit, the total number is unknown.
        let note = mistakes::not_shown(more);
        last.help = Some(last.help.take().map_or_else(|| note.clone(), |help| format!("{help}; {note}")));
    }
}

#[cfg(test)]
mod tests;
