//! Texts that something evaluates as code, and that a marked value reaches: there, the value would become code. They
//! are only recorded for [`crate::interpret::analyse_marked`].

use std::collections::BTreeSet;

use crate::stream::{CommandId, ShellValue, Writer};
use crate::word::Word;

/// The maximum number of texts that one analysis records.
const MOST: usize = 256;

/// What evaluates a text, and as what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EvaluatorKind {
    /// A shell, as an arithmetic expression, the name of a variable or a prompt: it runs the substitutions in the
    /// text.
    Expression,
    /// A shell, as a script: `eval`, `sh -c`.
    Script,
    /// An interpreter, as code in its own language: `python -c`.
    Code,
    /// A shell, as the name of a program.
    Program,
    /// A shell, which only compares the text with this pattern: `case`, `[[ … == … ]]`.
    Test(String),
}

/// A text that something evaluates.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct EvaluatedText {
    /// What evaluates the text.
    pub evaluator: EvaluatorKind,
    /// The text before its evaluation.
    pub text: Word,
    /// The commands whose output, changed or not, is in the text.
    pub writers: Vec<CommandId>,
    /// The commands that run the command that evaluates the text, outermost first.
    pub outer_commands: Vec<CommandId>,
}

/// The mark that some values contain, and the evaluated texts that may contain such values.
#[derive(Debug)]
pub(super) struct MarkTracker {
    /// The text that marks a value.
    mark: String,
    /// The texts recorded so far.
    found: Vec<EvaluatedText>,
    /// The names of the associative arrays. A subscript of one is a key and is not evaluated.
    tables: BTreeSet<String>,
}

impl MarkTracker {
    pub(super) fn new(mark: &str) -> Self {
        Self { mark: mark.to_owned(), found: Vec::new(), tables: BTreeSet::new() }
    }

    /// Records an evaluated text that contains the mark, or an unknown part with the output of a command. `via` are
    /// the commands that run the evaluating one.
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

    /// Returns the number of texts recorded so far.
    pub(super) fn len(&self) -> usize {
        self.found.len()
    }

    /// Records that a name is an associative array.
    pub(super) fn note_table(&mut self, name: &str) {
        self.tables.insert(name.to_owned());
    }

    /// Drops the expressions from the index `from` on, if `array` is associative: its subscripts are keys.
    pub(super) fn drop_keys(&mut self, array: &str, from: usize) {
        if self.tables.contains(array) {
            let mut at = 0..;
            self.found.retain(|one| at.next().is_none_or(|at| at < from) || one.evaluator != EvaluatorKind::Expression);
        }
    }

    /// Returns the recorded texts; `count` is the number of commands in the analysis.
    pub(super) fn into_texts(self, count: usize) -> Vec<EvaluatedText> {
        let mut found = self.found;
        // A loop body that was walked several times may have had more commands in an earlier pass.
        for one in &mut found {
            one.writers.retain(|id| id.0 < count);
            one.outer_commands.retain(|id| id.0 < count);
        }
        found
    }
}
