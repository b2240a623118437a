//! Parses text to a syntax tree, and prints it again. pest is not visible outside of this module.
//!
//! The grammar reads a correct file in one pass. A file with a mistake is cut into items and clauses, and each piece is
//! parsed separately, so that every mistake is reported and everything else is in the tree.

pub mod ast;
mod build;
mod chunks;
mod counted_events;
mod diagnose;
#[cfg(test)]
mod example_clauses;
mod examples;
mod format;
mod grammar;
mod language;
mod layout;
mod limits;
mod mistakes;
mod print;
mod quantity;
mod quote;
mod recover;
mod regex_selector;
mod scan;
mod text;
mod token;
mod token_parts;
mod words;

pub use examples::{ExampleParsing, Outline};
pub use format::format;
pub use layout::{WIDTH, format_list, format_one_or_list, wrap_text, wrap_text_within};
pub use mistakes::clock::{meant_part_of_day, time_in_another_notation};
pub use mistakes::elsewhere::{
    annotation_meant, bare_value, compared_with_null, foreign_constant, option_meant, payload_path, variable_for,
};
pub use mistakes::foreign_values;
pub use mistakes::path_after_variable;
pub use mistakes::unresolved::{NamePlace, UnresolvedName, field_meant, part_of_pattern};
// Only tests and fuzz targets print a tree without its source, to verify what the parser has read.
#[cfg(feature = "internals")]
pub use print::print;
pub use print::{print_case, print_example};
pub use quantity::quantity_with_unit;
pub use quote::{escape_double_quoted, filling_content, string_literal};
pub use regex_selector::{RegexSelector, selector_text};

use std::borrow::Cow;

use pest::Parser;

use crate::diagnostic::Diagnostic;
use crate::span::{SourceFile, Span};
use build::AstBuilder;
use grammar::{Grammar, Rule};
use limits::{MAX_DEPTH, MAX_DIAGNOSTICS, MAX_NOTS};
use mistakes::SyntaxMistake;
use token::Token;

/// Parses a file. The tree contains everything that can be parsed, and the diagnostics report everything else (law
/// 9). A file that is too large or too deeply nested is reported, and its tree is empty.
#[must_use]
pub fn parse(source: &SourceFile) -> (ast::AstFile, Vec<Diagnostic>) {
    parse_with_limit(source, u64::MAX)
}

/// Parses a file of at most `max_parts` parts, the unit of [`LayerLimits::parts`](crate::limits::LayerLimits::parts). A
/// file with more is neither parsed nor reported: its tree has no items, only their number in `parts`.
#[must_use]
pub fn parse_with_limit(source: &SourceFile, max_parts: u64) -> (ast::AstFile, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let Some(text) = scan::checked_text(source.id, &source.text, &mut diagnostics) else {
        return (ast::AstFile::default(), diagnostics);
    };
    let scan::TokenScan { parts, too_deep } = scan::scan_tokens(&text);
    if parts > max_parts {
        return (ast::AstFile { parts, ..ast::AstFile::default() }, diagnostics);
    }
    if let Some((what, token)) = too_deep {
        let place = Span::new(source.id, token.start, token.end);
        diagnostics.push(match what {
            scan::NestingKind::Brackets => SyntaxMistake::TooManyBrackets { most: &MAX_DEPTH.to_string() }.at(place),
            scan::NestingKind::Nots => SyntaxMistake::TooManyNots { most: &MAX_NOTS.to_string() }.at(place),
        });
        return (ast::AstFile::default(), diagnostics);
    }
    (ast::AstFile { parts, ..parse_text(source, &text, &mut diagnostics) }, diagnostics)
}

/// Parses a file that is known to be correct, such as a pack of the program, without the checks before the grammar: the
/// outline has the number of parts and the positions of the examples. Examples count as parts even if they are not
/// parsed. If the file has more than `max_parts` parts, its tree contains only their number.
#[must_use]
pub fn parse_with_outline(
    source: &SourceFile,
    outline: &Outline,
    examples: ExampleParsing,
    max_parts: u64,
) -> (ast::AstFile, Vec<Diagnostic>) {
    let parts = outline.parts;
    if parts > max_parts {
        return (ast::AstFile { parts, ..ast::AstFile::default() }, Vec::new());
    }
    let text: Cow<'_, str> = match examples {
        ExampleParsing::Enabled => (&*source.text).into(),
        ExampleParsing::Disabled => examples::comment_out_examples(&source.text, outline.examples).into(),
    };
    let mut diagnostics = Vec::new();
    (ast::AstFile { parts, ..parse_text(source, &text, &mut diagnostics) }, diagnostics)
}

/// Parses a text by the grammar, or piece by piece if the grammar rejects it. Sorts the diagnostics by position and
/// limits their number.
fn parse_text(source: &SourceFile, text: &str, diagnostics: &mut Vec<Diagnostic>) -> ast::AstFile {
    let file = match Grammar::parse(Rule::file, text) {
        Ok(pairs) => {
            let mut builder = AstBuilder::new(source.id, text, 0);
            let file = builder.file(pairs);
            diagnostics.append(&mut builder.diagnostics);
            file
        }
        Err(_) => recover::recover_file(source, text, diagnostics),
    };
    diagnostics.sort_by_key(Diagnostic::order);
    limit_diagnostics(diagnostics);
    file
}

/// Parses a single example: `Bash "git push -f" by "reviewer"`.
///
/// # Errors
/// The text is not an example; the diagnostics show why.
pub fn parse_example(source: &SourceFile) -> Result<ast::Example, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    let Some(text) = scan::checked_text(source.id, &source.text, &mut diagnostics) else { return Err(diagnostics) };
    if let Some((_, token)) = scan::scan_tokens(&text).too_deep {
        let place = Span::new(source.id, token.start, token.end);
        return Err(vec![SyntaxMistake::TooManyBrackets { most: &MAX_DEPTH.to_string() }.at(place)]);
    }
    let mut pairs = match Grammar::parse(Rule::lone_example, &text) {
        Ok(pairs) => pairs,
        Err(error) => {
            let tokens: Vec<Token> = token::tokenise(&text).filter(|token| !token.is_trivia()).collect();
            let mut cursor = diagnose::ClauseCursor::new(source.id, &text, &tokens);
            diagnose::example(&mut cursor);
            let mistakes = cursor.found;
            let grammar_error = || vec![recover::grammar_error(source.id, &text, 0, &error)];
            return Err(if mistakes.is_empty() { grammar_error() } else { mistakes });
        }
    };
    let mut builder = AstBuilder::new(source.id, &text, 0);
    let pair = pairs.next().and_then(|lone| lone.into_inner().next());
    let example = pair.and_then(|pair| builder.example(pair));
    if example.is_none() {
        builder.report_disagreement(Span::new(source.id, 0, text.len()));
    }
    diagnostics.append(&mut builder.diagnostics);
    example.filter(|_| diagnostics.is_empty()).ok_or(diagnostics)
}

/// Keeps the first `MAX_DIAGNOSTICS` diagnostics, and adds a note to the last of them if there are more.
fn limit_diagnostics(diagnostics: &mut Vec<Diagnostic>) {
    let omitted = diagnostics.len().saturating_sub(MAX_DIAGNOSTICS);
    if omitted == 0 {
        return;
    }
    diagnostics.truncate(MAX_DIAGNOSTICS);
    if let Some(last) = diagnostics.last_mut() {
        // The parser stops after the first mistake beyond the limit, so `omitted` is often 1 although there are further
        // mistakes; the note then has no number.
        let note = mistakes::omitted_mistakes_note(omitted);
        last.help = Some(last.help.take().map_or_else(|| note.clone(), |help| format!("{help}; {note}")));
    }
}

#[cfg(test)]
mod tests;
