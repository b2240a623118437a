//! Texts that something evaluates again, and that a marked value reaches: there the value would become code.
//!
//! Only an analysis with a mark records them.

use std::collections::BTreeSet;

use crate::stream::{CommandId, ShellValue, Writer};
use crate::word::Word;

/// The most texts that one analysis records.
const MOST: usize = 256;

/// What evaluates a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EvaluatorKind {
    /// A shell, as an arithmetic expression, as the name of a variable or as a prompt: it runs the substitutions in it.
    Expression,
    /// A shell, as a script.
    Script,
    /// An interpreter, as code in its own language.
    Code,
    /// A shell, as the name of a program.
    Program,
    /// A shell, which only compares it with this pattern.
    Test(String),
}

/// A text that something evaluates.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct EvaluatedText {
    /// What evaluates it.
    pub evaluator: EvaluatorKind,
    /// The text, before the evaluation.
    pub text: Word,
    /// The commands whose output, changed or not, is in it.
    pub writers: Vec<CommandId>,
    /// The commands that run the command that evaluates it, outermost first.
    pub outer_commands: Vec<CommandId>,
}

/// A mark that some values contain, and the evaluated texts that those values reach.
#[derive(Debug)]
pub(super) struct MarkTracker {
    mark: String,
    found: Vec<EvaluatedText>,
    /// The associative arrays, whose subscripts are keys.
    tables: BTreeSet<String>,
}

impl MarkTracker {
    pub(super) fn new(mark: &str) -> Self {
        Self { mark: mark.to_owned(), found: Vec::new(), tables: BTreeSet::new() }
    }

    /// Records a text that contains the mark, or that another command's output is in.
    pub(super) fn note(&mut self, how: EvaluatorKind, value: &ShellValue, via: &[CommandId]) {
        let has_output = value.word.known_text().is_none() && !value.writers.is_empty();
        if self.found.len() >= MOST || !has_output && !value.word.has_known_text(&self.mark) {
            return;
        }
        let text = Word { span: None, ..value.word.clone() };
        let from = value.writers.iter().copied().filter_map(Writer::command).collect();
        let one = EvaluatedText { evaluator: how, text, writers: from, outer_commands: via.to_vec() };
        if !self.found.contains(&one) {
            self.found.push(one);
        }
    }

    /// Returns the number of texts so far.
    pub(super) fn len(&self) -> usize {
        self.found.len()
    }

    /// Records an associative array.
    pub(super) fn note_table(&mut self, name: &str) {
        self.tables.insert(name.to_owned());
    }

    /// Drops the expressions from an index on if they are the subscript of an associative array.
    pub(super) fn drop_keys(&mut self, array: &str, from: usize) {
        if self.tables.contains(array) {
            let mut at = 0..;
            self.found.retain(|one| at.next().is_none_or(|at| at < from) || one.evaluator != EvaluatorKind::Expression);
        }
    }

    /// Returns the texts; `count` is the number of commands.
    pub(super) fn into_found(self, count: usize) -> Vec<EvaluatedText> {
        let mut found = self.found;
        // A body that was walked again may have had more commands the first time.
        for one in &mut found {
            one.writers.retain(|id| id.0 < count);
            one.outer_commands.retain(|id| id.0 < count);
        }
        found
    }
}
