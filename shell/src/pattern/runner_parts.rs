//! Patterns of a runner with the command that it runs: `uv run pytest *`, `sail artisan test *`.

use std::path::Path;

use crate::analysis::{Analysis, CommandId, SimpleCommand, StartDirectories};
use crate::argv::ArgvCache;
use crate::glob::{Fit, Glob};
use crate::interpret::analyse;
use crate::path::Roots;
use crate::quote::quote;
use crate::word::{Directory, Word};

use super::parse::words;
use super::{Pattern, TestedCommand, UncoveredWord};

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

/// A command that runs another one, whose last words are its own last words: `uv run pytest -x`. The first words of the
/// other command may be implied: `php artisan` of `sail artisan test`.
pub struct RunnerCall {
    /// The words of the runner itself, as a command: `uv run` of `uv run pytest -x`.
    front: SimpleCommand,
    /// The first words of the command that it runs, where they are not words of the runner.
    implied: Vec<String>,
    /// The command that it runs.
    inner: CommandId,
}

impl RunnerCall {
    /// Returns a command as a runner; `None` if it runs no command, or if it is not known which words that one has in
    /// front of those that it takes from the runner.
    #[must_use]
    pub fn new(analysis: &Analysis, id: CommandId) -> Option<Self> {
        let outer = analysis.command(id)?;
        let inner = CommandId(id.0 + 1);
        let command = analysis.commands.get(inner.0).filter(|next| next.outer_commands.last() == Some(&id))?;
        let pairs = outer.words.iter().skip(1).rev().zip(command.words.iter().rev());
        let shared = pairs.take_while(|(word, other)| word.parts == other.parts).count();
        let (runner_words, _) = outer.words.split_at_checked(outer.words.len().checked_sub(shared)?)?;
        let (implied, _) = command.words.split_at_checked(command.words.len().checked_sub(shared)?)?;
        let implied = implied.iter().map(|word| word.known_text().filter(|text| is_plain(text)).map(str::to_owned));
        let implied = implied.collect::<Option<_>>()?;
        Some(Self {
            front: SimpleCommand { words: runner_words.to_vec(), memo: ArgvCache::default(), ..outer.clone() },
            implied,
            inner,
        })
    }
}

impl RunnerCall {
    /// Returns each way to split the words of a pattern into those of the runner and those of the command that it runs,
    /// of which the implied ones are missing.
    fn splits<'w>(&self, words: &'w [&'w str]) -> impl Iterator<Item = (&'w [&'w str], &'w [&'w str])> {
        // The runner may take all words if the command has implied ones.
        let most = words.len() + usize::from(!self.implied.is_empty());
        (1..most).filter_map(|at| words.split_at_checked(at))
    }

    /// Returns the words of the command that it runs, with the implied ones in front.
    fn with_implied<'w>(&'w self, words: &[&'w str]) -> Vec<&'w str> {
        self.implied.iter().map(String::as_str).chain(words.iter().copied()).collect()
    }

    /// Whether the words of the runner alone say that it runs this command, and no stream, file or variable does.
    fn is_said_by_words(&self, analysis: &Analysis) -> bool {
        let outer = self.inner.0.checked_sub(1).map(CommandId);
        outer.and_then(|outer| analysis.commands_of_words(outer)).is_some()
    }
}

/// Whether a word means itself in a pattern.
fn is_plain(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "._-+@/:=,".contains(c))
}

/// Whether two commands have the same words, each of which is known.
fn has_same_words(one: &SimpleCommand, other: &SimpleCommand) -> bool {
    let is_same = |(one, other): (&Word, &Word)| one.known_text().is_some() && one.known_text() == other.known_text();
    one.words.len() == other.words.len() && one.words.iter().zip(&other.words).all(is_same)
}

impl Analysis {
    /// Returns the commands that a command runs, if these are exactly the ones that its own words alone say: none comes
    /// from a stream, a file or a variable, and each of their words is known.
    #[must_use]
    pub fn commands_of_words(&self, id: CommandId) -> Option<Vec<CommandId>> {
        let outer = self.command(id)?;
        let inner: Vec<(CommandId, &SimpleCommand)> =
            self.iter().filter(|(_, command)| command.outer_commands.contains(&id)).collect();
        let words: Vec<String> = outer.words.iter().map(|word| word.known_text().map(quote)).collect::<Option<_>>()?;
        let cwd = match &outer.cwd {
            Directory::Known(cwd) => cwd.as_path(),
            Directory::Unknown(_) => Path::new("/"),
        };
        let alone = analyse(&words.join(" "), &StartDirectories { cwd, home: None });
        let mut expected = alone.commands.iter();
        let is_outer = expected.next().is_some_and(|command| has_same_words(outer, command));
        let is_same = |(found, expected): (&(CommandId, &SimpleCommand), &SimpleCommand)| {
            has_same_words(found.1, expected) && found.1.assignments == expected.assignments
        };
        let are_same = inner.len() == expected.len() && inner.iter().zip(expected).all(is_same);
        (is_outer && are_same).then(|| inner.into_iter().map(|(id, _)| id).collect())
    }
}

impl Pattern {
    /// Parses a part of the words of the pattern; `None` if these are no pattern.
    fn part(&self, words: &[&str]) -> Option<Self> {
        Self::with_programs(&words.join(" "), &self.added).ok()
    }

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
        let next = RunnerCall::new(analysis, call.inner);
        let mut best = RunnerFit::default();
        for (runner_words, inner_words) in call.splits(&words) {
            if best.fit == Fit::Yes {
                break;
            }
            let Some(runner_pattern) = self.part(runner_words) else { continue };
            // The words of the runner decide what is implied, so the pattern has to spell them out.
            if !call.implied.is_empty() && !runner_pattern.is_spelled_out() {
                continue;
            }
            let runner = test(&runner_pattern, &front, part);
            if runner == Fit::No {
                continue;
            }
            // A pattern of any program would approve whatever the runner runs.
            let is_narrow = |inner: &Self| !inner.programs.iter().any(Glob::is_any);
            let Some(inner_pattern) = self.part(&call.with_implied(inner_words)).filter(is_narrow) else { continue };
            if !call.implied.is_empty() && !call.is_said_by_words(analysis) {
                continue;
            }
            let deeper =
                next.as_ref().and_then(|next| inner_pattern.test_through(analysis, next, CallPart::Inner, test));
            let deeper = deeper
                .filter(|deeper| deeper.fit != Fit::No)
                .unwrap_or_else(|| RunnerFit { fit: test(&inner_pattern, &inner, CallPart::Inner), inner: Vec::new() });
            let fit = runner.and(deeper.fit);
            if fit != Fit::No {
                best = RunnerFit { fit, inner: [vec![call.inner], deeper.inner].concat() };
            }
        }
        Some(best)
    }

    /// Returns the first word that keeps the pattern from matching a runner together with the command that it runs, and
    /// the part of the call that has the word, as [`Pattern::uncovered_word`] does for a single command.
    #[must_use]
    pub fn uncovered_word_through(
        &self,
        analysis: &Analysis,
        call: &RunnerCall,
        roots: &Roots,
    ) -> Option<(CallPart, UncoveredWord)> {
        self.uncovered_through(analysis, call, CallPart::Runner, roots)
    }

    /// Like [`Self::uncovered_word_through`], for a given part of a call.
    fn uncovered_through(
        &self,
        analysis: &Analysis,
        call: &RunnerCall,
        part: CallPart,
        roots: &Roots,
    ) -> Option<(CallPart, UncoveredWord)> {
        let front = TestedCommand::new(&call.front);
        let inner = TestedCommand::new(analysis.command(call.inner)?);
        let words = words(&self.text).ok()?;
        let next = RunnerCall::new(analysis, call.inner);
        call.splits(&words).find_map(|(runner, rest)| {
            let (runner, rest) = self.part(runner).zip(self.part(&call.with_implied(rest)))?;
            let fits_runner = runner.runs_only_part(&front, part, || roots) != Fit::No;
            let fits_inner = rest.runs_only_part(&inner, CallPart::Inner, || roots) != Fit::No;
            let deeper = || Some(rest.uncovered_through(analysis, next.as_ref()?, CallPart::Inner, roots)?.1);
            match (fits_runner, fits_inner) {
                (true, false) => {
                    let word = rest.uncovered_word(&inner, roots).or_else(deeper);
                    word.map(|word| (CallPart::Inner, word))
                }
                (false, true) => runner.uncovered_word(&front, roots).map(|word| (CallPart::Runner, word)),
                // What a runner behind this one runs may be the reason.
                (true, true) => deeper().map(|word| (CallPart::Inner, word)),
                (false, false) => None,
            }
        })
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
