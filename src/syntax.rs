//! Text to tree and back. pest stays in here.
//!
//! A good file is read by the grammar in one pass. A file with a mistake is cut into items and clauses, and each
//! piece is read alone, so that every mistake is reported and everything else is in the tree.

pub mod ast;
mod build;
mod cut;
mod diagnose;
mod grammar;
mod layout;
mod limits;
mod mistakes;
// Trees are printed to hold the parser to what it read, by tests and fuzz targets alone.
#[cfg(feature = "internals")]
mod print;
mod quantity;
mod quote;
mod recover;
mod scan;
mod text;
mod token;
mod words;

pub use layout::{WIDTH, list, one_or_list, wrapped, wrapped_within};
#[cfg(feature = "internals")]
pub use print::print;
pub use quote::{escaped, literal};

use pest::Parser;

use crate::diagnostic::Diagnostic;
use crate::span::{SourceFile, Span};
use build::Builder;
use grammar::{Grammar, Rule};
use limits::{MAX_DEPTH, MAX_DIAGNOSTICS, MAX_NOTS};
use mistakes::Mistake;

/// Parses a file. What could be parsed is in the tree, everything else is reported: law 9.
#[must_use]
pub fn parse(source: &SourceFile) -> (ast::File, Vec<Diagnostic>) {
    parse_within(source, u64::MAX)
}

/// Parses a file of at most so many parts. One that has more is not read: its tree says how many, and nothing else.
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
    let mut file = match Grammar::parse(Rule::file, &text) {
        Ok(pairs) => {
            let mut builder = Builder::new(source.id, &text, 0);
            let file = builder.file(pairs);
            diagnostics.append(&mut builder.diagnostics);
            file
        }
        Err(_) => recover::file(source.id, &text, &mut diagnostics),
    };
    file.parts = parts;
    diagnostics.sort_by_key(Diagnostic::order);
    cap(&mut diagnostics);
    (file, diagnostics)
}

/// Keeps a list of diagnostics readable.
fn cap(diagnostics: &mut Vec<Diagnostic>) {
    let more = diagnostics.len().saturating_sub(MAX_DIAGNOSTICS);
    if more == 0 {
        return;
    }
    diagnostics.truncate(MAX_DIAGNOSTICS);
    if let Some(last) = diagnostics.last_mut() {
        // Where reading stopped for it, how many there are is not known.
        let note = mistakes::not_shown(more);
        last.help = Some(last.help.take().map_or_else(|| note.clone(), |help| format!("{help}; {note}")));
    }
}

#[cfg(test)]
mod tests;
