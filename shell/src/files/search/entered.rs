//! Finds the directories that a command enters. Its words name them, or another command prints their names.

use super::find::search_of_command;
use super::listed::names_in_words;
use crate::access::AccessExtent;
use crate::analysis::{Analysis, SimpleCommand};
use crate::programs::OptionEffect;
use crate::word::{ValueSource, Word, WordPart};

/// A directory that a command enters, or works in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnteredDirectory {
    /// The path, relative to the directory in which the command runs. It may have unknown parts.
    pub path: Word,
    /// Whether the command enters the directory at the path, or possibly one below it.
    pub depth: EnteredDepth,
}

/// Which directory a command enters, relative to a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EnteredDepth {
    /// The one at the path.
    Itself,
    /// The one at the path, or one below it.
    Below,
}

/// Returns the directories that a command enters: the operands of a command that only changes the directory (`cd x`),
/// the values of options such as `make -C x`, or the directories in which a search runs another command (`find x
/// -execdir …`). If another command prints the name, as in `echo x | xargs -I{} make -C {}`, it is replaced by the
/// names that this command may print.
#[must_use]
pub fn entered_directories(analysis: &Analysis, command: &SimpleCommand) -> Vec<EnteredDirectory> {
    if runs_in_place(command) {
        let starts = search_of_command(&command.words).map(|search| search.starts).unwrap_or_default();
        return starts.into_iter().map(|path| EnteredDirectory { path, depth: EnteredDepth::Below }).collect();
    }
    let words: Vec<Word> = if command.only_moves() {
        let operands = command.words.iter().skip(1).filter(|word| !word.prefix().starts_with('-'));
        operands.cloned().collect()
    } else {
        let argv = command.argv();
        let options = argv.options.iter();
        let entering = options.filter(|given| given.option.is_some_and(|option| option.does == OptionEffect::Enters));
        entering.filter_map(|given| given.value.clone()).collect()
    };
    words.iter().flat_map(|word| possible_directories(analysis, command, word)).collect()
}

/// Whether a command is a `find` that runs another command in the directory of each result.
fn runs_in_place(command: &SimpleCommand) -> bool {
    command.words.iter().any(|word| matches!(word.known_text(), Some("-execdir" | "-okdir")))
}

/// Returns the directories that a word may name.
fn possible_directories(analysis: &Analysis, command: &SimpleCommand, word: &Word) -> Vec<EnteredDirectory> {
    let itself = EnteredDirectory { path: word.clone(), depth: EnteredDepth::Itself };
    if word.known_text().is_some() {
        return vec![itself];
    }
    let below_here = || EnteredDirectory { path: Word::text("."), depth: EnteredDepth::Below };
    let is_result =
        |part: &WordPart| matches!(part, WordPart::Unknown(it) if it.reason.source == ValueSource::SearchResult);
    if word.parts.first().is_some_and(is_result) {
        return vec![below_here()];
    }
    let Some((searches, _)) = names_in_words(analysis, command, std::iter::once(word)) else { return vec![itself] };
    let mut found = Vec::new();
    for search in searches {
        // Names of entries of another directory (`ls dir`) are only right with the path of that directory before them.
        // Without it, they are in the working directory.
        if search.path_prefix.as_deref().is_some_and(|prefix| !word.prefix().starts_with(prefix)) {
            found.push(below_here());
        }
        let depth = if search.extent == AccessExtent::PathOnly { EnteredDepth::Itself } else { EnteredDepth::Below };
        found.extend(search.starts.into_iter().map(|path| EnteredDirectory { path, depth }));
    }
    found
}
