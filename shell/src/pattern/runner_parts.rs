//! Patterns of a runner with the command that it runs: `uv run pytest *`.

use crate::analysis::{Analysis, CommandId, SimpleCommand};
use crate::argv::ArgvCache;
use crate::glob::{Fit, Glob};
use crate::path::Roots;

use super::parse::words;
use super::{Pattern, TestedCommand};

/// Which part of a call a command is for a strict test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallPart {
    /// The own words of the outermost runner: its context is tested too.
    Runner,
    /// A command that a runner runs: what the runner's own words determine, such as the machine or the variables, is
    /// not tested.
    Inner,
}

/// A pattern of a runner that also names the commands that it runs.
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

/// A command that runs another one, whose words are its own last words.
pub struct RunnerCall {
    /// The words of the runner itself, as a command: `uv run` of `uv run pytest -x`.
    front: SimpleCommand,
    /// The command that it runs.
    inner: CommandId,
}

impl RunnerCall {
    /// Returns a command as a runner; `None` if the first command that it runs does not consist of its last words.
    #[must_use]
    pub fn new(analysis: &Analysis, id: CommandId) -> Option<Self> {
        let outer = analysis.command(id)?;
        let inner = CommandId(id.0 + 1);
        let command = analysis.commands.get(inner.0).filter(|next| next.outer_commands.last() == Some(&id))?;
        let front = outer.words.len().checked_sub(command.words.len()).filter(|front| *front > 0)?;
        let (own, rest) = outer.words.split_at_checked(front)?;
        let is_same = rest.iter().zip(&command.words).all(|(word, other)| word.parts == other.parts);
        is_same.then(|| Self {
            front: SimpleCommand { words: own.to_vec(), memo: ArgvCache::default(), ..outer.clone() },
            inner,
        })
    }
}

impl Pattern {
    /// Tests a runner strictly. The first words of the pattern must name the runner's own words, and the other words the
    /// command that it runs, which may be a runner itself.
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

    /// The same for the given part of a call; `None` if the pattern or the analysis is not a whole one.
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
        let mut found = RunnerFit::default();
        for (own, rest) in (1..words.len()).filter_map(|at| words.split_at_checked(at)) {
            let Some((own, rest)) = parse(own).zip(parse(rest)) else { continue };
            // A pattern of any program would approve whatever the runner runs.
            if rest.programs.iter().any(Glob::is_any) {
                continue;
            }
            let runner = test(&own, &front, part);
            if runner == Fit::No {
                continue;
            }
            let deeper = next.as_ref().and_then(|next| rest.test_through(analysis, next, CallPart::Inner, test));
            let deeper = deeper
                .filter(|deeper| deeper.fit != Fit::No)
                .unwrap_or_else(|| RunnerFit { fit: test(&rest, &inner, CallPart::Inner), inner: Vec::new() });
            let fit = runner.and(deeper.fit);
            if fit != Fit::No && found.fit != Fit::Yes {
                found = RunnerFit { fit, inner: [vec![call.inner], deeper.inner].concat() };
            }
        }
        Some(found)
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
