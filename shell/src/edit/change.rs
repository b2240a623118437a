//! The change of one command: each word stays, is removed or is replaced, and new words are inserted between them.

use crate::argv::{Argv, GivenOption, parse_argv_with};
use crate::glob::Fit;
use crate::pattern::NamedWords;
use crate::programs::{OptionEffect, WordSyntax};
use crate::word::Word;

use super::align::align;
use super::{Edit, Obstacle, command_without_context, display_words, flags};

/// The change of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct CommandChange {
    /// A slot for each word of the command, in order.
    pub(super) slots: Vec<WordSlot>,
}

/// The change at one word: what becomes of it, and which words are inserted before and after it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct WordSlot {
    pub(super) before: Vec<String>,
    pub(super) change: WordChange,
    pub(super) after: Vec<String>,
}

/// The change of a word itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) enum WordChange {
    /// The word stays.
    #[default]
    Keep,
    /// The word is removed.
    Remove,
    /// This text replaces the word.
    Replace(String),
}

impl WordSlot {
    /// Whether the word stays, and nothing is inserted at it.
    pub(super) fn is_unchanged(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the words that result from the slot of a word.
    pub(super) fn words(&self, word: &Word) -> Vec<Word> {
        let own = match &self.change {
            WordChange::Keep => Some(word.clone()),
            WordChange::Remove => None,
            WordChange::Replace(text) => Some(Word::text(text.clone())),
        };
        let before = self.before.iter().map(Word::text);
        before.chain(own).chain(self.after.iter().map(Word::text)).collect()
    }
}

impl CommandChange {
    /// Makes a change of a command with `count` words in which every word stays.
    pub(super) fn new(count: usize) -> Self {
        Self { slots: vec![WordSlot::default(); count] }
    }

    pub(super) fn slot_mut(&mut self, at: usize) -> Option<&mut WordSlot> {
        self.slots.get_mut(at)
    }

    /// Sets the change of the word at an index.
    pub(super) fn set_change(&mut self, at: usize, change: WordChange) {
        if let Some(slot) = self.slot_mut(at) {
            slot.change = change;
        }
    }

    /// Returns the words of the command after the change.
    fn words(&self, words: &[Word]) -> Vec<Word> {
        words.iter().zip(&self.slots).flat_map(|(word, slot)| slot.words(word)).collect()
    }

    /// Returns, for each word that stays, its old and its new index.
    fn kept_words(&self) -> Vec<(usize, usize)> {
        let mut kept = Vec::new();
        let mut new_index = 0;
        for (old_index, slot) in self.slots.iter().enumerate() {
            new_index += slot.before.len();
            match slot.change {
                WordChange::Keep => kept.push((old_index, new_index)),
                WordChange::Remove => {}
                WordChange::Replace(_) => {}
            }
            new_index += usize::from(slot.change != WordChange::Remove) + slot.after.len();
        }
        kept
    }
}

/// Returns the change of a command that certainly matches; `None` if it already is the new command.
pub(super) fn change(edit: &Edit, words: &[Word]) -> Result<Option<CommandChange>, Obstacle> {
    let argv = parse_argv_with(words, &edit.programs);
    let new = parse_argv_with(&edit.words, &edit.programs);
    let mut change = CommandChange::new(words.len());
    let plain = operand_indices(&new);
    let anchors = replace(edit, &argv, &plain, &mut change)?;
    let without_flags = change.words(words);
    flags::add_missing(&new, &plain, &anchors, &parse_argv_with(&without_flags, &edit.programs), &mut change)?;
    let result = change.words(words);
    check_result(edit, words, &result)?;
    let after = parse_argv_with(&result, &edit.programs);
    check_option_values(&argv, &after, &change)?;
    check_flags(&argv, &after, &change)?;
    Ok((result != words).then_some(change))
}

/// Returns the indices of the new words that are neither flags nor values of flags.
fn operand_indices(new: &Argv<'_>) -> Vec<usize> {
    let flag_words: Vec<usize> =
        new.options.iter().flat_map(|given| [Some(given.word_index), new.value_index(given)]).flatten().collect();
    (0..new.words.len()).filter(|at| !flag_words.contains(at)).collect()
}

/// Where a new word is inserted: before or after the word at an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum InsertionPoint {
    Before(usize),
    After(usize),
}

/// The words of a command that match the pattern, each paired with the new word that replaces it.
struct Alignment<'a> {
    /// The command, parsed.
    argv: &'a Argv<'a>,
    /// The words of the command that match words of the pattern.
    named: NamedWords<'a>,
    /// The new words that are neither flags nor values of flags.
    texts: Vec<&'a str>,
    /// For each new word in `texts`, the index in `named` of the word that it replaces; `None` if it is inserted.
    replaced: Vec<Option<usize>>,
    /// Whether the name of the program stays, with the subcommand in it, if there is one: `git-push`.
    keeps_program: bool,
}

impl<'a> Alignment<'a> {
    /// Finds the words of the command that match the pattern, and pairs them with those new words whose indices are in
    /// `plain`.
    fn new(edit: &'a Edit, argv: &'a Argv<'a>, plain: &[usize]) -> Result<Self, Obstacle> {
        let unclear = || {
            Obstacle::new(
                "it is not clear which of its words are meant",
                display_words(&command_without_context(argv.words.to_vec())),
            )
        };
        let named = edit.pattern.named_words(argv).ok_or_else(unclear)?;
        let text = |at: &usize| edit.words.get(*at).and_then(Word::known_text).unwrap_or_default();
        let texts: Vec<&str> = plain.iter().map(text).collect();
        let replaced = align(&named.words, &texts);
        // A name that contains the subcommand stays only if the program and the subcommand both do.
        let keeps_program = named.words.get(1).is_none_or(|word| word.word_index != 0)
            || replaced.starts_with(&[Some(0), Some(1)])
                && named.words.iter().zip(&texts).take(2).all(|(word, text)| word.has_exact(text));
        Ok(Self { argv, named, texts, replaced, keeps_program })
    }

    /// Whether the word at an index of `named` is a subcommand that is part of the program's name: `git-push`.
    fn is_in_program_name(&self, index: usize) -> bool {
        index > 0 && self.named.words.get(index).is_some_and(|word| word.word_index == 0)
    }

    /// Removes the words that match the pattern and that no new word replaces.
    fn remove_unpaired(&self, change: &mut CommandChange) {
        for (index, word) in self.named.words.iter().enumerate() {
            if !self.replaced.contains(&Some(index)) && !word.is_glob() && !self.is_in_program_name(index) {
                change.set_change(word.word_index, WordChange::Remove);
            }
        }
    }

    /// Whether the word at an index of the command already is the new word `text`.
    fn already_is(&self, at: usize, text: &str) -> bool {
        let is_same = |at: usize| self.argv.words.get(at).is_some_and(|word| word.known_text() == Some(text));
        match at {
            0 if self.is_in_program_name(1) => self.keeps_program,
            0 => self.argv.name == Some(text) || is_same(0),
            at => is_same(at),
        }
    }

    /// Adds the new words to the change. Returns, for each of them, where words that come after it are inserted.
    fn write_new_words(&self, change: &mut CommandChange) -> Vec<InsertionPoint> {
        let mut anchors = Vec::new();
        let mut anchor = None;
        for (text, replaced) in self.texts.iter().zip(&self.replaced) {
            let is_in_name = replaced.is_some_and(|index| self.is_in_program_name(index));
            match replaced.and_then(|index| self.named.words.get(index)) {
                // The name of the program already contains the word.
                Some(_) if is_in_name && self.keeps_program => {}
                Some(word) if !is_in_name => {
                    if !self.already_is(word.word_index, text) {
                        change.set_change(word.word_index, WordChange::Replace((*text).to_owned()));
                    }
                    anchor = Some(InsertionPoint::After(word.word_index));
                }
                // No word is replaced, or the name of the program is replaced as a whole: the word is inserted.
                _ => {
                    let first = || self.replaced.iter().flatten().next().and_then(|index| self.named.words.get(*index));
                    let point =
                        anchor.unwrap_or_else(|| InsertionPoint::Before(first().map_or(0, |word| word.word_index)));
                    insert_word(change, point, text);
                    anchors.push(point);
                    continue;
                }
            }
            anchors.push(anchor.unwrap_or(InsertionPoint::After(0)));
        }
        anchors
    }
}

/// Replaces the words that match the pattern by the new words, and removes the flags that the pattern names. Returns,
/// for each new word, where words that come after it are inserted.
fn replace(
    edit: &Edit,
    argv: &Argv<'_>,
    plain: &[usize],
    change: &mut CommandChange,
) -> Result<Vec<InsertionPoint>, Obstacle> {
    let alignment = Alignment::new(edit, argv, plain)?;
    alignment.remove_unpaired(change);
    let anchors = alignment.write_new_words(change);
    let mut removed = Vec::new();
    for at in &alignment.named.options {
        let Some(given) = argv.options.get(*at) else { continue };
        if !flags::is_wanted(given, &parse_argv_with(&edit.words, &edit.programs)) {
            removed.push(given);
        }
    }
    flags::remove(argv, &removed, change)?;
    Ok(anchors)
}

/// Adds the insertion of a word to a change.
pub(super) fn insert_word(change: &mut CommandChange, anchor: InsertionPoint, text: &str) {
    match anchor {
        InsertionPoint::Before(at) => change.slot_mut(at).map(|slot| slot.before.push(text.to_owned())),
        InsertionPoint::After(at) => change.slot_mut(at).map(|slot| slot.after.push(text.to_owned())),
    };
}

/// Checks that the words after the change are the new command, and no longer match the pattern.
fn check_result(edit: &Edit, words: &[Word], result: &[Word]) -> Result<(), Obstacle> {
    let obstacle = |text| Obstacle::new(text, display_words(&command_without_context(words.to_vec())));
    let program = result.first().and_then(super::program_name);
    match edit.result.runs(&command_without_context(result.to_vec())) {
        Fit::Yes if program.is_some() => {}
        Fit::Maybe(why) => return Err(why.into()),
        _ => return Err(obstacle("the result would not be the new command")),
    }
    // A word that is unknown and stays may be a flag of the pattern, as before the change, so `Maybe` is no obstacle.
    match edit.pattern.runs(&command_without_context(result.to_vec())) {
        Fit::Yes if edit.is_final => Err(obstacle("the result would have to be rewritten again")),
        _ => Ok(()),
    }
}

/// Checks that no word that stays turns from the value of a flag into an operand, or the reverse.
fn check_option_values(before: &Argv<'_>, after: &Argv<'_>, change: &CommandChange) -> Result<(), Obstacle> {
    for (old_index, new_index) in change.kept_words() {
        let (old, new) = (option_with_value(before, old_index), option_with_value(after, new_index));
        let is_recorded = |argv: &Argv<'_>, flag: usize| {
            argv.options
                .iter()
                .find(|given| given.word_index == flag)
                .map_or(argv.table().is_some(), |given| given.option.is_some())
        };
        let differs = match (old, new) {
            (None, Some(_)) => old_index > 0 && is_recorded(before, old_index - 1),
            (Some(_), None) => new_index > 0 && is_recorded(after, new_index - 1),
            _ => false,
        };
        if differs {
            let flag = before.words.get(old_index.saturating_sub(1)).map(Word::display_text).unwrap_or_default();
            return Err(Obstacle::new("the new program reads a flag differently", flag));
        }
    }
    Ok(())
}

/// Checks that each flag that stays has the same meaning for the new program: the same letter may be another option,
/// or an option that only one of the programs has. Programs with subcommands are not checked, since their records
/// lack some flags.
fn check_flags(before: &Argv<'_>, after: &Argv<'_>, change: &CommandChange) -> Result<(), Obstacle> {
    let (Some(old), Some(new)) = (before.table(), after.table()) else { return Ok(()) };
    let is_single =
        |argv: &Argv<'_>| argv.records.len() == 1 && argv.records.iter().all(|table| table.commands.is_empty());
    if std::ptr::eq(old, new) || old.names == new.names || !is_single(before) || !is_single(after) {
        return Ok(());
    }
    let mut olds = before.options.iter().peekable();
    let mut news = after.options.iter().peekable();
    for (old_index, new_index) in change.kept_words() {
        while olds.next_if(|given| given.word_index < old_index).is_some() {}
        while news.next_if(|given| given.word_index < new_index).is_some() {}
        loop {
            let same = match (
                olds.next_if(|given| given.word_index == old_index),
                news.next_if(|given| given.word_index == new_index),
            ) {
                (None, None) => break,
                // The flag may be an operand for the new program, or belong to the command that the new program
                // runs.
                (Some(_), None) => new.reading == WordSyntax::Leading,
                (None, Some(_)) => false,
                (Some(one), Some(other)) => is_same_option(one, other),
            };
            if !same {
                let flag = before.words.get(old_index).map(Word::display_text).unwrap_or_default();
                return Err(Obstacle::new("the new program reads a flag differently", flag)
                    .help("write the new command itself"));
            }
        }
    }
    Ok(())
}

/// Whether two options, of the old and the new program, have the same meaning.
fn is_same_option(one: &GivenOption, other: &GivenOption) -> bool {
    let (Some(old), Some(new)) = (one.option, other.option) else {
        return one.option.is_none() && other.option.is_none() && one.name == other.name;
    };
    let is_named = |name: &&str| name.starts_with("--") && new.names.contains(name);
    let is_same = old.names.iter().any(is_named)
        || old.names == new.names
        || old.does != OptionEffect::Nothing && old.does == new.does;
    is_same && (one.value.is_some() == other.value.is_some())
}

/// Returns the option whose value is the word at an index.
fn option_with_value<'a>(argv: &'a Argv<'_>, at: usize) -> Option<&'a GivenOption> {
    argv.options.iter().find(|given| argv.value_index(given) == Some(at))
}
