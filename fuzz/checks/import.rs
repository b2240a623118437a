//! Any text is a configuration that is imported as a policy without findings, or reported with its errors.

use hookrules::diagnostic::Code;
use hookrules::import::from_conclaude;
use hookrules::span::Sources;

/// Panics if this does not hold.
pub fn check(text: &str) {
    let mut sources = Sources::default();
    let id = sources.add(".conclaude.yaml", None, text);
    let Some(source) = sources.file_by_id(id) else { return };
    let Err(found) = from_conclaude(source) else { return };
    assert!(!found.is_empty());
    for finding in found {
        assert!(*finding.code != *Code::INTERNAL, "{finding:?}");
        for label in finding.labels {
            assert!(text.get(label.span.range()).is_some(), "{:?}", label.span);
        }
    }
}
