use super::*;
use crate::span::Sources;

#[test]
fn the_overview_parses_clean() {
    let mut sources = Sources::default();
    let id = sources.add("overview.rules", None, include_str!("../../tests/fixtures/language/overview.rules"));
    let (file, diagnostics) = parse(sources.get(id).unwrap());
    assert_eq!(crate::diagnostic::render_all(&diagnostics, &sources, crate::diagnostic::Format::Plain), "");
    assert_eq!(file.items.len(), 20);
}
