//! The edits of a text, by the byte ranges of the words that change.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::analysis::{Analysis, SimpleCommand};
use crate::quote::quote_unless;
use crate::stream::CommandId;
use crate::word::Word;

use super::Obstacle;
use super::change::{CommandChange, WordChange, WordSlot};

/// The edit at the byte range of a word.
pub(super) struct SpanEdit {
    /// The end of the byte range.
    end: usize,
    slot: WordSlot,
    /// Whether the word is the program of its command.
    is_program: bool,
    /// The outer commands of the commands that change here.
    outer_commands: BTreeSet<CommandId>,
}

/// The edits, by the start of the byte ranges.
pub(super) type SpanEdits = BTreeMap<usize, SpanEdit>;

/// Returns the edits that the changes of all commands require. Fails if a word is part of several commands and does not
/// change in the same way in all of them, or if a word is not in the text itself.
pub(super) fn edits(text: &str, analysis: &Analysis, changes: &[Option<CommandChange>]) -> Result<SpanEdits, Obstacle> {
    let mut edits = SpanEdits::new();
    for (command, change) in analysis.commands.iter().zip(changes) {
        let Some(change) = change else { continue };
        for (at, (word, slot)) in command.words.iter().zip(&change.slots).enumerate() {
            if slot.is_unchanged() {
                continue;
            }
            let Range { start, end } = source_span(text, word).ok_or_else(|| {
                Obstacle::new("a word that would change is not in the command itself", word.display_text())
                    .help("write the command itself, not in another text or a variable")
            })?;
            let new = || SpanEdit { end, slot: slot.clone(), is_program: at == 0, outer_commands: BTreeSet::new() };
            let existing = edits.entry(start).or_insert_with(new);
            if existing.slot != *slot || existing.end != end || existing.is_program != (at == 0) {
                return Err(Obstacle::new("the word is part of several commands", word.display_text())
                    .help("write the commands one by one"));
            }
            existing.outer_commands.extend(&command.outer_commands);
        }
    }
    let overlaps = edits.values().zip(edits.keys().skip(1)).any(|(edit, next)| *next < edit.end);
    if overlaps { Err(Obstacle::new("words that would change overlap", "")) } else { Ok(edits) }
}

/// Returns the byte range of a word in the text; `None` if the word comes from an expansion or another text.
fn source_span(text: &str, word: &Word) -> Option<Range<usize>> {
    word.span.clone().filter(|span| !span.is_empty() && text.get(span.clone()).is_some())
}

/// Returns the text with the edits applied.
pub(super) fn apply(text: &str, edits: &SpanEdits) -> String {
    let mut out = String::new();
    let mut copied = 0;
    for (start, edit) in edits {
        let after = text.get(edit.end..).unwrap_or_default();
        let mut between = text.get(copied..*start).unwrap_or_default();
        let mut words: Vec<String> = Vec::new();
        let written = text.get(*start..edit.end).unwrap_or_default();
        let quoted_at = |new: &str, before: &[String]| match edit.is_program && before.is_empty() {
            true => quoted_program(new),
            false => quoted(new),
        };
        for new in &edit.slot.before {
            words.push(quoted_at(new, &words));
        }
        match &edit.slot.change {
            WordChange::Keep => words.push(written.to_owned()),
            WordChange::Remove => {}
            WordChange::Replace(new) => words.push(quoted_at(new, &words)),
        }
        words.extend(edit.slot.after.iter().map(|new| quoted(new)));
        if words.is_empty() && after.chars().next().is_none_or(|c| " \t\n;&|)".contains(c)) {
            // The removed word leaves no blanks at the end of its command.
            between = between.trim_end_matches([' ', '\t']);
        }
        out.push_str(between);
        out.push_str(&words.join(" "));
        // A space is needed after a digit, which would otherwise be the descriptor of the redirection.
        if after.starts_with(['<', '>']) && ends_in_digit(&words) {
            out.push(' ');
        }
        copied = edit.end;
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    out
}

/// Whether the last of some words ends in a digit.
fn ends_in_digit(words: &[String]) -> bool {
    words.last().is_some_and(|word| word.ends_with(|c: char| c.is_ascii_digit()))
}

/// The reserved words of shells, which are quoted as names of programs.
const RESERVED: &[&str] = &[
    "if", "then", "elif", "else", "fi", "while", "until", "for", "select", "do", "done", "case", "esac", "function",
    "coproc", "time", "in", "{", "}",
];

/// Returns a word for the text, in quotes if necessary.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./,+%@:^=".contains(c);
    let is_special = word.starts_with(['#', '~', '=']);
    quote_unless(word, |c| is_plain(c) && !is_special)
}

/// Like [`quoted`], for the first word of a command: `A=1` and `if` need quotes there.
fn quoted_program(word: &str) -> String {
    match word.contains('=') || RESERVED.contains(&word) {
        true => quote_unless(word, |_| false),
        false => quoted(word),
    }
}

/// Returns the words that each command should have in the edited text. The words of a command that runs another one
/// include the other one's words, so they may change as well.
pub(super) fn expected_words(
    analysis: &Analysis,
    changes: &[Option<CommandChange>],
    edits: &SpanEdits,
) -> Vec<Vec<Word>> {
    let words = |((id, command), change): ((CommandId, &SimpleCommand), &Option<CommandChange>)| {
        let slots = change.as_ref().map(|change| &change.slots);
        let mut words = Vec::new();
        for (at, word) in command.words.iter().enumerate() {
            let own_slot = slots.and_then(|slots| slots.get(at)).filter(|slot| !slot.is_unchanged());
            let edit = || word.span.as_ref().and_then(|span| edits.get(&span.start));
            let edit_inside = || edit().filter(|edit| edit.outer_commands.contains(&id));
            match own_slot.or_else(|| edit_inside().map(|edit| &edit.slot)) {
                Some(slot) => words.extend(slot.words(word)),
                None => words.push(word.clone()),
            }
        }
        words
    };
    analysis.iter().zip(changes).map(words).collect()
}
