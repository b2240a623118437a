//! Any text parses or is rejected with findings; a parsed text prints to one that parses and prints the same, and has
//! one layout.

use hookrules::span::Sources;
use hookrules::syntax;

/// Panics if this does not hold.
pub fn check(text: &str) {
    let mut sources = Sources::default();
    let id = sources.add("fuzz.rules", None, text);
    let Some(source) = sources.file_by_id(id) else { return };
    let (file, diagnostics) = syntax::parse(source);
    for diagnostic in &diagnostics {
        for label in &diagnostic.labels {
            assert!(text.get(label.span.range()).is_some(), "{diagnostic:?}");
        }
    }
    if diagnostics.iter().any(hookrules::diagnostic::Diagnostic::is_error) {
        return;
    }
    // Formatting parses the result again; formatting it once more changes nothing.
    let formatted = syntax::format(source).unwrap_or_else(|found| panic!("{found:?}"));
    let id = sources.add("formatted.rules", None, formatted.as_str());
    let Some(source) = sources.file_by_id(id) else { return };
    assert_eq!(syntax::format(source).unwrap_or_else(|found| panic!("{found:?}")), formatted);
    let printed = syntax::print(&file);
    let id = sources.add("printed.rules", None, printed.as_str());
    let Some(source) = sources.file_by_id(id) else { return };
    let (again, diagnostics) = syntax::parse(source);
    assert!(diagnostics.is_empty(), "{printed}\n{diagnostics:?}");
    assert_eq!(syntax::print(&again), printed);
}
