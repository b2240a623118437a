//! Text to tree and back. pest stays in here.
//!
//! A good file is read by the grammar in one pass. A file with a mistake is cut into items and clauses, and each
//! piece is read alone, so that every mistake is reported and everything else is in the tree.

pub mod ast;
mod build;
mod grammar;
mod limits;
mod quantity;
mod text;
mod words;

use pest::Parser;

use crate::diagnostic::{Code, Diagnostic};
use crate::span::{SourceFile, Span};
use build::Builder;
use grammar::{Grammar, Rule};

/// Parses a file. What could be parsed is in the tree, everything else is reported: law 9.
#[must_use]
pub fn parse(source: &SourceFile) -> (ast::File, Vec<Diagnostic>) {
    match Grammar::parse(Rule::file, &source.text) {
        Ok(pairs) => {
            let mut builder = Builder::new(source.id, &source.text, 0);
            let file = builder.file(pairs);
            (file, builder.diagnostics)
        }
        Err(error) => {
            let at = match error.location {
                pest::error::InputLocation::Pos(at) | pest::error::InputLocation::Span((at, _)) => at,
            };
            let diagnostic =
                Diagnostic::new(Code::SYNTAX, "not a policy").label(Span::new(source.id, at, at), format!("{error}"));
            (ast::File::default(), vec![diagnostic])
        }
    }
}

#[cfg(test)]
mod tests;
