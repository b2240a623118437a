//! Any text is a configuration that is imported as a policy without findings, or reported with its errors.

use hookrules::diagnostic::Code;
use hookrules::import::{ImportFormat, import};
use hookrules::span::Sources;

/// The formats that are tried on each text.
const FORMATS: [&str; 5] = ["claude-permissions", "codex-rules", "conclaude", "gemini-policy", "hookify"];

/// Panics if this does not hold.
pub fn check(text: &str) {
    FORMATS.iter().filter_map(|name| ImportFormat::by_name(name)).for_each(|format| check_format(format, text));
}

/// Panics if this does not hold for one format.
fn check_format(format: &ImportFormat, text: &str) {
    let mut sources = Sources::default();
    sources.add("configuration", None, text);
    let Err(found) = import(format, &sources) else { return };
    assert!(!found.is_empty());
    for finding in found {
        assert!(*finding.code != *Code::INTERNAL, "{finding:?}");
        for label in finding.labels {
            assert!(text.get(label.span.range()).is_some(), "{:?}", label.span);
        }
    }
}
