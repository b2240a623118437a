//! Patterns of a runner with the command that it runs: `uv run pytest *`.

use crate::analysis::{Analysis, CommandId, SimpleCommand};
use crate::argv::ArgvCache;
use crate::glob::{Fit, Glob};
use crate::path::Roots;

use super::parse::words;
use super::{Pattern, TestedCommand};

/// Which part of a runner's command line a strict test judges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallPart {
    /// The words of the outermost runner itself. Its context is tested too.
    Runner,
    /// A command that a runner runs. Its context, such as the machine or the variables, is not tested, since the words
    /// of the runner determine it.
    Inner,
}

/// The result of a strict test of a runner together with the commands that it runs.
pub struct RunnerFit {
    /// Whether the pattern names the runner and those commands.
    pub fit: Fit,
    /// The commands that the runner runs, from the outermost.
    pub inner: Vec<CommandId>,
}

impl Default for RunnerFit {
    fn default() -> Self {
        Self { fit: Fit::No, inner: Vec::new() }
    }
}

/// A command that runs its own last words as another command: `uv run pytest -x`.
pub struct RunnerCall {
    /// The words of the runner itself, as a command: `uv run` of `uv run pytest -x`.
    front: SimpleCommand,
    /// The command that it runs.
    inner: CommandId,
}

impl RunnerCall {
    /// Returns a command as a runner; `None` if it runs no command, or if the first one does not consist of its last
    /// words.
    #[must_use]
    pub fn new(analysis: &Analysis, id: CommandId) -> Option<Self> {
        let outer = analysis.command(id)?;
        let inner = CommandId(id.0 + 1);
        let command = analysis.commands.get(inner.0).filter(|next| next.outer_commands.last() == Some(&id))?;
        let front = outer.words.len().checked_sub(command.words.len()).filter(|front| *front > 0)?;
        let (runner_words, rest) = outer.words.split_at_checked(front)?;
        let is_same = rest.iter().zip(&command.words).all(|(word, other)| word.parts == other.parts);
        is_same.then(|| Self {
            front: SimpleCommand { words: runner_words.to_vec(), memo: ArgvCache::default(), ..outer.clone() },
            inner,
        })
    }
}

impl Pattern {
    /// Tests a runner strictly. The first words of the pattern must name the runner's own words, and the other words
    /// the command that it runs, which may be a runner itself.
    ///
    /// `test` tests a command by a part of the pattern, with [`Pattern::runs_only_part`].
    #[must_use]
    pub fn runs_only_through(
        &self,
        analysis: &Analysis,
        call: &RunnerCall,
        test: &dyn Fn(&Self, &TestedCommand<'_>, CallPart) -> Fit,
    ) -> RunnerFit {
        self.test_through(analysis, call, CallPart::Runner, test).unwrap_or_default()
    }

    /// Like [`Self::runs_only_through`], for a given part of a call. Returns `None` if the pattern cannot be split into
    /// words, or if the analysis lacks the inner command.
    fn test_through(
        &self,
        analysis: &Analysis,
        call: &RunnerCall,
        part: CallPart,
        test: &dyn Fn(&Self, &TestedCommand<'_>, CallPart) -> Fit,
    ) -> Option<RunnerFit> {
        let front = TestedCommand::new(&call.front);
        let inner = TestedCommand::new(analysis.command(call.inner)?);
        let words = words(&self.text).ok()?;
        let parse = |words: &[&str]| Self::with_programs(&words.join(" "), &self.added).ok();
        let next = RunnerCall::new(analysis, call.inner);
        let mut best = RunnerFit::default();
        for (runner_words, inner_words) in (1..words.len()).filter_map(|at| words.split_at_checked(at)) {
            let Some((runner_pattern, inner_pattern)) = parse(runner_words).zip(parse(inner_words)) else {
                continue;
            };
            // A pattern of any program would approve whatever the runner runs.
            if inner_pattern.programs.iter().any(Glob::is_any) {
                continue;
            }
            let runner = test(&runner_pattern, &front, part);
            if runner == Fit::No {
                continue;
            }
            let deeper =
                next.as_ref().and_then(|next| inner_pattern.test_through(analysis, next, CallPart::Inner, test));
            let deeper = deeper
                .filter(|deeper| deeper.fit != Fit::No)
                .unwrap_or_else(|| RunnerFit { fit: test(&inner_pattern, &inner, CallPart::Inner), inner: Vec::new() });
            let fit = runner.and(deeper.fit);
            if fit != Fit::No && best.fit != Fit::Yes {
                best = RunnerFit { fit, inner: [vec![call.inner], deeper.inner].concat() };
            }
        }
        Some(best)
    }

    /// Like [`Pattern::runs_only_in`], for a part of a call.
    #[must_use]
    pub fn runs_only_part<'r>(&self, asked: &TestedCommand<'_>, part: CallPart, roots: impl Fn() -> &'r Roots) -> Fit {
        let command = asked.command;
        let is_plain = command.assignments.is_empty() && command.code_from.is_empty() && !command.is_shadowed;
        match part {
            CallPart::Runner => self.runs_only_in(asked, roots),
            CallPart::Inner if is_plain => self.test_words_strictly(asked, roots),
            CallPart::Inner => Fit::No,
        }
    }
}
