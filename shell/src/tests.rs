//! Words and commands from short texts, for tests of what comes behind the shell.

mod properties;

use std::path::PathBuf;

use crate::analysis::SimpleCommand;
use crate::word::{Cause, Directory, Unknown, UnknownPart, Word, WordPart};

/// Makes a word: `$X` is an unquoted unknown part and `%X` a quoted one, up to the next character that is no capital;
/// `*` and `?` are globs; a `~` in front takes all that away.
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
                WordPart::Unknown(UnknownPart { reason: Unknown::new(Cause::Variable, name), may_split: c == '$' })
            }
            '*' | '?' => WordPart::Glob(c.to_string()),
            other => WordPart::Text(other.to_string()),
        });
    }
    word
}

#[test]
fn what_outlives_an_analysis_is_shared_between_threads() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<crate::Edit>();
    is_shared::<crate::Pattern>();
    is_shared::<crate::Programs>();
    is_shared::<crate::Word>();
    is_shared::<crate::files::FileAccess>();
    is_shared::<crate::glob::Fit>();
    is_shared::<crate::nested::NestedCommand>();
    is_shared::<crate::network::Connection>();
    is_shared::<crate::path::PathGlobs>();
    is_shared::<crate::path::TextGlobs>();
}

/// Makes a plain command of words with blanks between them.
pub(super) fn simple(text: &str) -> SimpleCommand {
    let words = text.split(' ').filter(|text| !text.is_empty()).map(word).collect();
    SimpleCommand::without_context(words, Directory::Known(PathBuf::from("/home/dev/proj")))
}

/// Texts of two commands, `{1}` and `{2}`, which both run.
pub(super) const JOINED: &[&str] = &[
    "{1}; {2}",
    "{1} && {2}",
    "{1} || {2}",
    "{1} | {2}",
    "{1} |& {2}",
    "{1} & {2}",
    "{1}\n{2}",
    "{1} \\\n && {2}",
    "{1} # git push -f\n{2}",
    "# git push -f\n{1}\n{2}",
    "set -e\n\n{1}\n\n{2}",
    "( {1} ); {2}",
    "{ {1}; }; {2}",
    "{ ! {1}\n}; {2}",
    "if {1}; then {2}; fi",
    "if {1}; then :; else {2}; fi",
    "if :; then {1}; elif {2}; then :; fi",
    "while {1}; do {2}; done",
    "until {1}; do {2}; done",
    "for i in 1 2; do {1}; done; {2}",
    "for i in *; do {1}; {2}; done",
    "for ((i = 0; i < 2; i++)); do {1}; {2}; done",
    "case $X in git) {1} ;; *) {2} ;; esac",
    "{ f1() { {1}\n}; f1; f1; }; {2}",
    "{ function f2 { {1}\n}; f2 a; }; {2}",
    "coproc { {1}; }; {2}",
];
