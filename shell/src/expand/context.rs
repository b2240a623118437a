//! What expansion asks of the shell that it expands for: its state, its substitutions, and its limits.

use crate::evaluated::EvaluatorKind;
use crate::stand_ins::StandInMeaning;
use crate::state::ShellState;
use crate::stream::ShellValue;
use crate::word::Unknown;

/// What expansion needs from the shell.
pub(in super::super) trait ExpansionContext {
    fn state(&mut self) -> &mut ShellState;
    /// Runs the script of `$(…)` and returns its output, or an unknown part that is displayed as `word`.
    fn output(&mut self, script: &str, bounds: SubstitutionDelimiters, word: &str) -> ShellValue;
    /// Runs the script of `<(…)` or `>(…)` and returns the name of its file.
    fn process(&mut self, script: &str, way: ProcessDirection, word: &str) -> ShellValue;
    /// Expands a value as a prompt: substitutions in it run.
    fn prompt(&mut self, value: &ShellValue);
    /// Records a value that is evaluated, if the caller of the analysis follows it.
    fn note_evaluation(&mut self, _how: EvaluatorKind, _value: &ShellValue) {}
    /// Records an expression that is evaluated, if the caller of the analysis follows a value in it.
    fn note_evaluated_expression(&mut self, _text: &str) {}
    /// Records a value that is compared with a pattern, if the caller of the analysis follows it.
    fn note_comparison(&mut self, _pattern: &str, _value: &ShellValue) {}
    /// Returns the number of evaluated texts so far.
    fn evaluation_count(&self) -> usize {
        0
    }
    /// Drops the evaluated expressions from an index on if they are the subscript of an associative array.
    fn drop_keys(&mut self, _array: &str, _from: usize) {}
    /// Returns what a stand-in character of a script means; `None` for any other character.
    fn stand_in_meaning(&self, c: char) -> Option<StandInMeaning>;
    /// Returns a text as source text; `None`, with a record, if that is not possible.
    fn source(&mut self, text: &str) -> Option<String>;
    /// Records text that bash takes for a pattern, or rejects, and that another shell which gets the text may run:
    /// `code`, or any code if it is `None`.
    fn note_other_dialect(&mut self, why: Unknown, code: Option<&str>);
    /// Records that the shell may end here with an error message.
    fn note_possible_exit(&mut self);
    /// Spends steps. Returns `false` once the budget is spent.
    fn spend(&mut self, steps: usize) -> bool;
    /// Enters a text nested in another, or reached through another. Returns `false` if that is too deep; every `true`
    /// needs a [`Self::leave`].
    fn enter(&mut self) -> bool;
    fn leave(&mut self);
    /// Records a text as too deeply nested to expand.
    fn note_too_deep(&mut self, text: &str);
}

/// The delimiters of a substitution's script.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum SubstitutionDelimiters {
    Parentheses,
    Backticks,
}

/// The direction of a process substitution.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum ProcessDirection {
    /// `<(…)`: the command reads what the script writes.
    Out,
    /// `>(…)`: the script reads what the command writes.
    In,
}
