//! Any text is parsed or rejected with findings at places inside the text, without panics or hangs.

use hookrules::span::Sources;
use hookrules::syntax;

/// Panics if this does not hold.
pub fn check(text: &str) {
    let mut sources = Sources::default();
    let id = sources.add("fuzz.rules", None, text);
    let Some(source) = sources.file_by_id(id) else { return };
    let (_, findings) = syntax::parse(source);
    for finding in findings {
        for label in finding.labels {
            assert!(label.span.start <= label.span.end && label.span.end as usize <= text.len());
        }
    }
}
