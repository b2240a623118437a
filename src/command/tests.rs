//! Words and commands from short texts, for tests of what comes behind the shell.

use std::path::PathBuf;

use super::{Cause, Hole, Part, Place, Simple, Why, Word};

/// Makes a word: `$X` is an unquoted hole and `%X` a quoted one, up to the next character that is no capital; `*` and
/// `?` are globs; a `~` in front takes all that away.
pub(super) fn word(text: &str) -> Word {
    if let Some(literal) = text.strip_prefix('~') {
        return Word::text(literal);
    }
    let mut word = Word::default();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        word.push(match c {
            '$' | '%' => {
                let mut name = String::from(c);
                while let Some(letter) = chars.next_if(char::is_ascii_uppercase) {
                    name.push(letter);
                }
                Part::Hole(Hole { why: Why::new(Cause::Variable, name), splits: c == '$' })
            }
            '*' | '?' => Part::Glob(c.to_string()),
            other => Part::Text(other.to_string()),
        });
    }
    word
}

/// Makes a plain command of words with blanks between them.
pub(super) fn simple(text: &str) -> Simple {
    let words = text.split(' ').filter(|text| !text.is_empty()).map(word).collect();
    Simple::alone(words, Place::Known(PathBuf::from("/home/dev/proj")))
}
