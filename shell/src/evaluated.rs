//! Texts that something evaluates as code, and that a marked value reaches: there, the value would become code. They
//! are only recorded for [`crate::interpret::analyse_marked`].

use std::collections::BTreeSet;

use crate::stream::{CommandId, ShellValue, Writer};
use crate::word::Word;

/// The maximum number of texts that one analysis records.
const MAX_TEXTS: usize = 256;

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
    /// The names of the associative arrays, whose subscripts are keys and are not evaluated.
    associative_arrays: BTreeSet<String>,
}

impl MarkTracker {
    pub(super) fn new(mark: &str) -> Self {
        Self { mark: mark.to_owned(), found: Vec::new(), associative_arrays: BTreeSet::new() }
    }

    /// Records an evaluated text, if it contains the mark or an unknown part with the output of a command.
    /// `outer_commands` are the commands that run the evaluating one.
    pub(super) fn note(&mut self, evaluator: EvaluatorKind, value: &ShellValue, outer_commands: &[CommandId]) {
        let has_output = value.word.known_text().is_none() && !value.writers.is_empty();
        if self.found.len() >= MAX_TEXTS || !has_output && !value.word.has_known_text(&self.mark) {
            return;
        }
        let text = Word { span: None, ..value.word.clone() };
        let writers = value.writers.iter().copied().filter_map(Writer::command).collect();
        let evaluated = EvaluatedText { evaluator, text, writers, outer_commands: outer_commands.to_vec() };
        if !self.found.contains(&evaluated) {
            self.found.push(evaluated);
        }
    }

    /// Returns the number of texts recorded so far.
    pub(super) fn len(&self) -> usize {
        self.found.len()
    }

    /// Records that a name is an associative array.
    pub(super) fn note_table(&mut self, name: &str) {
        self.associative_arrays.insert(name.to_owned());
    }

    /// Drops the expressions from the index `from` on, if `array` is associative: its subscripts are keys.
    pub(super) fn drop_keys(&mut self, array: &str, from: usize) {
        if self.associative_arrays.contains(array) {
            let mut indices = 0..;
            self.found.retain(|evaluated| {
                indices.next().is_none_or(|index| index < from) || evaluated.evaluator != EvaluatorKind::Expression
            });
        }
    }

    /// Returns the recorded texts; `count` is the number of commands in the analysis.
    pub(super) fn into_texts(self, count: usize) -> Vec<EvaluatedText> {
        let mut found = self.found;
        // An earlier pass over a loop body may have had more commands than the last one, so drop ids beyond the end.
        for evaluated in &mut found {
            evaluated.writers.retain(|id| id.0 < count);
            evaluated.outer_commands.retain(|id| id.0 < count);
        }
        found
    }
}
