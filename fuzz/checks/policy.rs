//! Any text is parsed or answered with findings whose places lie in it; nothing panics, nothing hangs.

use hookrules::span::Sources;
use hookrules::syntax;

/// Panics where that is not so.
pub fn check(text: &str) {
    let mut sources = Sources::default();
    let id = sources.add("fuzz.rules", None, text);
    let Some(source) = sources.get(id) else { return };
    let (_, findings) = syntax::parse(source);
    for finding in findings {
        for label in finding.labels {
            assert!(label.span.start <= label.span.end && label.span.end as usize <= text.len());
        }
    }
}
