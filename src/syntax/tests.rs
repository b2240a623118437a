//! The reader as a whole: good files, and what is said about bad ones.

mod limits;
mod mistakes;
mod properties;

use super::*;
use crate::diagnostic::{Format, render_all};
use crate::span::Sources;

/// Parses a text; diagnostics come rendered.
fn parse_text(text: &str, format: Format) -> (ast::File, String) {
    let mut sources = Sources::default();
    let id = sources.add("a.rules", None, text);
    let (file, diagnostics) = parse(sources.get(id).unwrap());
    (file, render_all(&diagnostics, &sources, format))
}

#[test]
fn the_overview_parses_clean() {
    let (file, diagnostics) = parse_text(include_str!("../../tests/fixtures/language/overview.rules"), Format::Plain);
    assert_eq!(diagnostics, "");
    assert_eq!(file.items.len(), 20);
    assert_eq!(file.items[5].docs, ["Rewriting shared history loses other people's work."]);
    assert_eq!(file.items[5].annotations.len(), 2);
}
