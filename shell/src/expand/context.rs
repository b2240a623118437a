//! The interface through which expansion uses the shell: its state, its substitutions, and its limits.

use crate::evaluated::EvaluatorKind;
use crate::stand_ins::StandInMeaning;
use crate::state::ShellState;
use crate::stream::ShellValue;
use crate::word::Unknown;

/// The shell whose words are expanded, as expansion sees it.
pub(in super::super) trait ExpansionContext {
    /// Returns the state of the shell at this point of the text.
    fn state(&mut self) -> &mut ShellState;
    /// Runs the script of `$(…)` and returns its output, or an unknown part that messages show as `word`.
    fn output(&mut self, script: &str, bounds: SubstitutionDelimiters, word: &str) -> ShellValue;
    /// Runs the script of `<(…)` or `>(…)` and returns the path of the pipe, an unknown part that messages show as
    /// `word`.
    fn process(&mut self, script: &str, way: ProcessDirection, word: &str) -> ShellValue;
    /// Expands a value as a prompt (`PS1`): substitutions in the value run.
    fn prompt(&mut self, value: &ShellValue);
    /// Records that a value is evaluated as code, if the caller of the analysis tracks evaluated values.
    fn note_evaluation(&mut self, _how: EvaluatorKind, _value: &ShellValue) {}
    /// Records that an arithmetic expression is evaluated, if the caller of the analysis tracks evaluated values.
    fn note_evaluated_expression(&mut self, _text: &str) {}
    /// Records that a value is compared with a pattern, if the caller of the analysis tracks evaluated values.
    fn note_comparison(&mut self, _pattern: &str, _value: &ShellValue) {}
    /// Returns the number of evaluated texts recorded so far.
    fn evaluation_count(&self) -> usize {
        0
    }
    /// Drops the evaluated expressions recorded from the index `from` on, if `array` is associative: its subscripts are
    /// keys.
    fn drop_keys(&mut self, _array: &str, _from: usize) {}
    /// Returns the meaning of a stand-in character of a script; `None` for any other character.
    fn stand_in_meaning(&self, c: char) -> Option<StandInMeaning>;
    /// Returns a text, in which stand-in characters may represent unknown parts, as the source text of a script. If
    /// that is not possible, records the text as unanalysed and returns `None`.
    fn source(&mut self, text: &str) -> Option<String>;
    /// Records a text that bash reads as a pattern or rejects, and that another shell may run as code: `code`, or any
    /// code if it is `None`.
    fn note_other_dialect(&mut self, why: Unknown, code: Option<&str>);
    /// Records that the shell may end here with an error.
    fn note_possible_exit(&mut self);
    /// Charges steps to the budget. Returns `false` once the budget is spent.
    fn spend(&mut self, steps: usize) -> bool;
    /// Enters a text that is nested in another or referred to by another. Returns `false` if that is too deep; a call
    /// of [`Self::leave`] must follow each `true`.
    fn enter(&mut self) -> bool;
    /// Leaves the text that the last successful [`Self::enter`] entered.
    fn leave(&mut self);
    /// Records that a text is nested too deeply to be expanded.
    fn note_too_deep(&mut self, text: &str);
}

/// The delimiters around the script of a substitution.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum SubstitutionDelimiters {
    /// `$(…)`
    Parentheses,
    /// A pair of backticks, in which some backslashes are escapes.
    Backticks,
}

/// The direction in which data flows through a process substitution.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum ProcessDirection {
    /// `<(…)`: the command reads what the script writes.
    Out,
    /// `>(…)`: the script reads what the command writes.
    In,
}
