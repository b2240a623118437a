//! The flags of a rewrite: the flags to remove, in any spelling, and the flags to add.

use crate::argv::{Argv, GivenOption};
use crate::programs::Arity;
use crate::word::Word;

use super::Obstacle;
use super::change::{CommandChange, InsertionPoint, WordChange, insert_word};

/// Whether the new command has a given flag too, so that it stays. If the new command gives it a value, the values must
/// be equal.
pub(super) fn is_wanted(given: &GivenOption, new: &Argv<'_>) -> bool {
    let has_value = |wanted: &GivenOption| match (&wanted.value, &given.value) {
        (Some(wanted), Some(given)) => wanted.known_text().is_some() && wanted.known_text() == given.known_text(),
        (wanted, _) => wanted.is_none(),
    };
    new.options.iter().any(|wanted| is_same_flag(given, wanted) && has_value(wanted))
}

/// Whether two flags are the same option, in any spelling.
fn is_same_flag(one: &GivenOption, other: &GivenOption) -> bool {
    one.option.is_some() && one.option == other.option || one.name == other.name
}

/// Removes flags and their values from a command. A cluster of letters keeps its other letters.
pub(super) fn remove(argv: &Argv<'_>, removed: &[&GivenOption], change: &mut CommandChange) -> Result<(), Obstacle> {
    let is_removed = |given: &GivenOption| removed.iter().any(|other| std::ptr::eq(*other, given));
    for given in removed {
        let written = || argv.words.get(given.word_index).map(Word::display_text).unwrap_or_default();
        // A letter that is short for several options can only be removed if all of them are.
        let mut same_letter =
            argv.options.iter().filter(|other| other.word_index == given.word_index && other.letter == given.letter);
        if !same_letter.all(is_removed) {
            return Err(Obstacle::new("the flag also sets others", written()).help("write them one by one"));
        }
        if given.option.is_some_and(|option| option.arity == Arity::Command) {
            return Err(Obstacle::new("a command follows the flag", written()));
        }
        match given.letter {
            None => change.set_change(given.word_index, WordChange::Remove),
            Some(_) => {
                let letters: Vec<char> = removed
                    .iter()
                    .filter(|other| other.word_index == given.word_index)
                    .filter_map(|other| other.letter)
                    .collect();
                let cluster_change = cluster_without(argv, given.word_index, &letters)?;
                change.set_change(given.word_index, cluster_change);
            }
        }
        if let Some(value) = argv.value_index(given) {
            change.set_change(value, WordChange::Remove);
        }
    }
    Ok(())
}

/// Returns the change of a cluster from which some letters are removed: `-rf` without `f` is `-r`.
fn cluster_without(argv: &Argv<'_>, at: usize, removed: &[char]) -> Result<WordChange, Obstacle> {
    let Some(word) = argv.words.get(at) else { return Ok(WordChange::Keep) };
    let text = word
        .known_text()
        .ok_or_else(|| word.unknown_reason().map_or_else(|| Obstacle::new("it is not known", ""), Obstacle::from))?;
    let (mut kept, letters) = match text.strip_prefix('-') {
        Some(letters) => ("-".to_owned(), letters),
        None => (String::new(), text),
    };
    let dashes = kept.len();
    let mut rest = letters.chars();
    while let Some(letter) = rest.next() {
        if letter == '=' {
            return Err(Obstacle::new("the flag takes no value", text));
        }
        let is_removed = removed.contains(&letter);
        let arity = argv.letter(letter).map(|option| option.arity);
        if dashes == 0 && is_removed && arity == Some(Arity::Value) {
            // The value is one of the next words; which one depends on the other letters:
            // `tar xfC ARCHIVE DIRECTORY`.
            return Err(Obstacle::new("the value of the flag is a later word", text).help("write the flag with a dash"));
        }
        if !is_removed {
            kept.push(letter);
        }
        if dashes > 0 && matches!(arity, Some(Arity::Value | Arity::Attached | Arity::Number)) {
            if !is_removed {
                kept.push_str(rest.as_str());
            }
            break;
        }
    }
    Ok(if kept.len() == dashes { WordChange::Remove } else { WordChange::Replace(kept) })
}

/// Inserts the flags of the new command that the command lacks, each after the new word that precedes it. `plain` has
/// the indices of the new words that are not flags, and `anchors` where words that come after each of these are
/// inserted.
pub(super) fn add_missing(
    new: &Argv<'_>,
    plain: &[usize],
    anchors: &[InsertionPoint],
    argv: &Argv<'_>,
    change: &mut CommandChange,
) -> Result<(), Obstacle> {
    // The letters of a cluster are options in the same word, so only the first of them is kept.
    let mut wanted: Vec<&GivenOption> = new.options.iter().collect();
    wanted.dedup_by_key(|given| given.word_index);
    for first in wanted {
        let in_same_word: Vec<&GivenOption> =
            new.options.iter().filter(|given| given.word_index == first.word_index).collect();
        let mut missing = Vec::new();
        for given in &in_same_word {
            if !has_flag(given, argv)? {
                missing.push(*given);
            }
        }
        let Some(word) = new.words.get(first.word_index).and_then(Word::known_text) else { continue };
        let preceding = plain.iter().filter(|at| **at < first.word_index).count();
        let anchor =
            preceding.checked_sub(1).and_then(|at| anchors.get(at)).copied().unwrap_or(InsertionPoint::After(0));
        if missing.len() == in_same_word.len() {
            insert_word(change, anchor, word);
        } else {
            // Only some letters of a cluster are missing.
            let letters: String = missing.iter().filter_map(|given| given.letter).collect();
            if !letters.is_empty() {
                insert_word(change, anchor, &format!("-{letters}"));
            }
        }
        let value = missing.iter().find_map(|given| new.value_index(given)).and_then(|at| new.words.get(at));
        if let Some(value) = value.and_then(Word::known_text) {
            insert_word(change, anchor, value);
        }
    }
    Ok(())
}

/// Whether a command already has a flag of the new command. Another value for it is an obstacle.
fn has_flag(wanted: &GivenOption, argv: &Argv<'_>) -> Result<bool, Obstacle> {
    let mut given =
        argv.options.iter().filter(|given| is_same_flag(given, wanted) && argv.is_effective(given)).peekable();
    let Some(value) = &wanted.value else { return Ok(given.peek().is_some()) };
    let Some(first) = given.peek().map(|given| given.word_index) else { return Ok(false) };
    if given.any(|given| given.value.as_ref().and_then(Word::known_text) == value.known_text()) {
        return Ok(true);
    }
    let written = argv.words.get(first).map(Word::display_text).unwrap_or_default();
    Err(Obstacle::new("the flag has another value", written).help("name the flag in the pattern"))
}
