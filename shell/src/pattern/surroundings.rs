//! Names that another command finds, and may give to a command without changing what it does: `ls | xargs grep x`.

use crate::word::{Cause, PrintedValue, ValueSource, Word, WordPart};

/// Whether a word that may be several ones is certainly no option: paths below a known directory, which a search found,
/// and names of commits or branches.
pub(super) fn is_no_option(word: &Word) -> bool {
    let is_path = !word.prefix().is_empty() && !word.prefix().starts_with('-');
    word.parts.iter().enumerate().all(|(at, part)| match part {
        WordPart::Unknown(unknown) => match &unknown.reason.source {
            ValueSource::SearchResult => is_path,
            ValueSource::Output(output) => at == 0 && output.prints.as_ref().is_some_and(PrintedValue::is_identifier),
            _ => false,
        },
        WordPart::Text(_) => true,
        WordPart::Glob(_) => false,
    })
}

/// Whether a part of a word is a name that another command finds or reads: `find`, `xargs`, `read`.
pub(super) fn is_given_name(word: &Word) -> bool {
    word.parts.iter().any(|part| match part {
        WordPart::Unknown(unknown) => {
            let source = &unknown.reason.source;
            unknown.reason.cause == Cause::Input
                || match source {
                    ValueSource::SearchResult | ValueSource::ReadVariable(_) => true,
                    ValueSource::Output(output) => output.prints.is_some() || output.is_listing(),
                    _ => false,
                }
        }
        WordPart::Text(_) | WordPart::Glob(_) => false,
    })
}
