//! Which commands of a text the patterns of `only runs` name exactly.

use std::cell::LazyCell;
use std::path::Path;

use hookrules_shell::analysis::{Analysis, CommandId, OpaqueCode, SimpleCommand};
use hookrules_shell::argv::WordBits;
use hookrules_shell::glob::Fit;
use hookrules_shell::path::Roots;
use hookrules_shell::pattern::{CallPart, RunnerCall, TestedCommand};
use hookrules_shell::word::{Cause, Directory};
use hookrules_shell::{Pattern, Unknown};

use super::runners::as_run_alone;
use crate::ruleset::Patterns;

/// A strict test of a part of a call by a pattern.
pub(super) type PatternTest<'t> = dyn Fn(&Pattern, &TestedCommand<'_>, CallPart) -> Fit + 't;

/// The commands of a call that need no pattern of their own.
#[derive(Default)]
pub(super) struct CoveredCommands {
    /// The commands that the pattern of the runner that runs them covers: `make` for a pattern `timeout 5 make`.
    inner: Vec<CommandId>,
    /// The commands that certainly match a pattern themselves.
    matched: Vec<CommandId>,
    /// Those of them whose pattern spells out every word, and the commands that their words run.
    spelled_out: Vec<CommandId>,
    /// Whether a pattern names a command, perhaps. What only accompanies others is not enough.
    pub(super) is_any_named: bool,
}

impl CoveredCommands {
    /// Whether a command needs no pattern of its own: the pattern of its runner includes it, or it is the program of
    /// a task that a pattern matches.
    pub(super) fn has(&self, id: CommandId, command: &SimpleCommand) -> bool {
        let is_task = || command.outer_commands.last().is_some_and(|outer| self.matched.contains(outer));
        self.inner.contains(&id) || command.may_be_task && is_task()
    }

    /// Whether code that is not seen is a script file that a pattern names with every word of its command, in the
    /// project's directory: `source .venv/bin/activate`. Elsewhere it is another file.
    pub(super) fn names_script(&self, opaque: &OpaqueCode, analysis: &Analysis, project: Option<&Path>) -> bool {
        let command = opaque.runner.filter(|id| self.spelled_out.contains(id)).and_then(|id| analysis.command(id));
        // If an earlier command may have written the script, there is more code that is not seen.
        let is_alone = analysis.opaque.iter().filter(|other| other.runner == opaque.runner).count() == 1;
        let is_in_project = |command: &SimpleCommand| match &command.cwd {
            Directory::Known(cwd) => project == Some(cwd.as_path()),
            Directory::Unknown(_) => false,
        };
        opaque.reason.cause == Cause::ScriptFile && is_alone && command.is_some_and(is_in_project)
    }
}

/// Tests whether a command certainly matches a pattern exactly, which is stricter than for `runs`. A pattern of a
/// runner also covers the command that it runs, and one that spells out every word all commands that these words run.
pub(super) fn exact_fit(
    patterns: &Patterns,
    analysis: &Analysis,
    id: CommandId,
    covered: &mut CoveredCommands,
    test: &PatternTest<'_>,
) -> Fit {
    let Some(command) = analysis.command(id).map(|command| as_run_alone(analysis, command)) else { return Fit::No };
    let tested = TestedCommand::new(&command);
    let call = LazyCell::new(|| RunnerCall::new(analysis, id));
    let mut is_spelled_out = false;
    let fit = patterns.fit(command.exact_program(), WordBits::ANY, |pattern| {
        let direct = test(pattern, &tested, CallPart::Runner);
        let through = (*call).as_ref().map(|call| pattern.runs_only_through(analysis, call, test));
        // If the pattern may match both ways, a certain match counts.
        match through {
            Some(through) if through.fit == Fit::Yes || through.fit != Fit::No && direct != Fit::Yes => {
                covered.inner.extend(through.inner);
                through.fit
            }
            _ => {
                is_spelled_out |= direct == Fit::Yes && pattern.is_spelled_out();
                direct
            }
        }
    });
    covered.is_any_named |= fit != Fit::No;
    if fit == Fit::Yes {
        covered.matched.push(id);
        if is_spelled_out {
            let inner: Vec<CommandId> = analysis.commands_of_words(id).into_iter().flatten().collect();
            covered.inner.extend(&inner);
            covered.spelled_out.push(id);
            covered.spelled_out.extend(inner);
        }
    }
    fit
}

/// Returns `Maybe` for a command whose words contain code with its own effects (`python -c …`), else `Yes`.
pub(super) fn code_fit(command: &SimpleCommand) -> Fit {
    match command.has_acting_code() {
        true => Fit::Maybe(Unknown::new(Cause::Foreign, command.argv().name.unwrap_or_default())),
        false => Fit::Yes,
    }
}

/// How patterns of `only runs` fit a text, apart from what the machine and the policy's place decide, and the first
/// command that keeps them from it.
pub(crate) struct TextFit {
    pub(crate) fit: Fit,
    /// The first command that no pattern names.
    pub(crate) misfit: Option<CommandId>,
}

/// Tests a whole text by patterns of `only runs`, for a project at these roots.
pub(crate) fn text_fit(patterns: &Patterns, analysis: &Analysis, roots: &Roots) -> TextFit {
    let mut covered = CoveredCommands::default();
    let mut result = TextFit { fit: (!analysis.commands.is_empty()).into(), misfit: None };
    for (id, command) in analysis.iter() {
        let fit = match &command.doubt {
            Some(why) => Fit::Maybe(why.clone()),
            None if covered.has(id, command) => Fit::Yes,
            None => {
                let fit = exact_fit(patterns, analysis, id, &mut covered, &|pattern, tested, part| {
                    pattern.runs_only_part(tested, part, || roots)
                });
                if fit != Fit::Yes && analysis.is_incidental(command, || roots) { Fit::Yes } else { fit }
            }
        };
        let fit = fit.and(code_fit(command));
        if fit != Fit::Yes && result.misfit.is_none() {
            result.misfit = Some(id);
        }
        result.fit = result.fit.and(fit);
    }
    if result.fit == Fit::Yes && !covered.is_any_named {
        result = TextFit { fit: Fit::No, misfit: analysis.iter().next().map(|(id, _)| id) };
    }
    let mut opaque = analysis.opaque.iter();
    if let Some(opaque) = opaque.find(|opaque| !covered.names_script(opaque, analysis, roots.project.as_deref())) {
        result.fit = result.fit.and(Fit::Maybe(opaque.reason.clone()));
    }
    result
}
