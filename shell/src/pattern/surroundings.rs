//! Names that another command may give to a command without changing what it does: `ls | xargs grep x`.

use crate::word::{Cause, ValueSource, Word, WordPart};

/// Whether a part of a word is a name that another command finds or reads: `find`, `xargs`, `read`.
pub(super) fn is_given_name(word: &Word) -> bool {
    word.parts.iter().any(|part| match part {
        WordPart::Unknown(unknown) => {
            let source = &unknown.reason.source;
            unknown.reason.cause == Cause::Input
                || matches!(source, ValueSource::SearchResult | ValueSource::ReadVariable(_))
        }
        WordPart::Text(_) | WordPart::Glob(_) => false,
    })
}
