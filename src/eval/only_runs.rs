//! Judges `only runs P`: there is a command, and every command certainly matches a pattern.

use crate::context::{PathForm, ShellText};
use crate::ruleset::Patterns;
use hookrules_shell::analysis::{Analysis, CommandId, SimpleCommand};
use hookrules_shell::argv::WordBits;
use hookrules_shell::glob::Fit;
use hookrules_shell::path::Roots;
use hookrules_shell::pattern::{CallPart, RunnerCall, TestedCommand, UncoveredReason, UncoveredWord};

use super::condition::{ConditionJudge, kleene_and, kleene_or};
use super::exact::{CoveredCommands, code_fit, exact_fit};
use super::message::quote;
use super::runners::as_run_alone;
use super::{Matched, Truth};

/// A part of a command that its words do not show: its name, and the function that removes it.
type CommandPart = (&'static str, fn(&mut SimpleCommand));

/// The name of the part of a command that its variables are.
const VARIABLES: &str = "the variables in front of it";

impl ConditionJudge<'_> {
    /// Judges `only runs P`. Also returns a note on the command that decided.
    pub(super) fn judge_only_runs(&mut self, shell: &ShellText, patterns: &Patterns) -> (Truth, Option<String>) {
        let mut opaque = shell.analysis.opaque.iter().filter(|opaque| self.is_possibly_seen(shell, opaque)).peekable();
        let mut has_command = Truth::from(opaque.peek().is_some());
        let mut result = Truth::True;
        let mut covered = CoveredCommands::default();
        for (id, command) in shell.analysis.iter() {
            let visibility = Truth::from(self.visibility(shell, (id, command)));
            if visibility == Truth::False {
                continue;
            }
            has_command = kleene_or(has_command, visibility.clone());
            // A command that may not run is not certain to match, but it may as well be absent.
            let fit = match &command.doubt {
                Some(why) => Fit::Maybe(why.clone()),
                None if covered.has(id, command) => Fit::Yes,
                None => match self.exact_fit(patterns, &shell.analysis, id, &mut covered) {
                    Fit::Yes => Fit::Yes,
                    fit => {
                        if self.is_incidental(shell, command) {
                            Fit::Yes
                        } else {
                            fit
                        }
                    }
                },
            };
            let truth = kleene_or(visibility.negated(), Truth::from(fit.and(code_fit(command))));
            if truth == Truth::False {
                return (Truth::False, self.note(|| self.misfit_note(shell, (id, command), patterns)));
            }
            result = kleene_and(result, truth);
        }
        if result == Truth::True && !shell.analysis.commands.is_empty() && !covered.is_any_named {
            let first = shell.analysis.iter().find(|command| self.visibility(shell, *command) != Fit::No);
            return (Truth::False, first.and_then(|first| self.note(|| self.misfit_note(shell, first, patterns))));
        }
        result = kleene_and(has_command, result);
        let project = self.context.machine().roots_in(PathForm::Lexical).project.as_deref();
        let unnamed = opaque.find(|opaque| !covered.names_script(opaque, &shell.analysis, project));
        let opaque = unnamed.map(|opaque| Truth::unknown(opaque.reason.clone().into()));
        result = opaque.map_or(result.clone(), |unknown| kleene_and(result, unknown));
        if result == Truth::True
            && let Some((_, first)) = shell.analysis.iter().find(|command| self.visibility(shell, *command) != Fit::No)
        {
            self.matched.get_or_insert_with(|| Matched::command(shell.display_command(first), first));
        }
        let note = self.note(|| match &result {
            Truth::Unknown(reason) => reason.sentence(),
            Truth::True => "every command matches".to_owned(),
            Truth::False => "it runs no command".to_owned(),
        });
        (result, note)
    }

    /// Returns a note on a command that matches no pattern: what keeps it from matching, if its words alone would
    /// match.
    fn misfit_note(
        &self,
        shell: &ShellText,
        (id, command): (CommandId, &SimpleCommand),
        patterns: &Patterns,
    ) -> String {
        let shown = quote(&shell.display_command(command));
        let parts: [CommandPart; 3] = [
            ("its redirection", |command| command.redirects.clear()),
            (VARIABLES, |command| {
                command.assignments.clear();
                command.environment.clear();
            }),
            ("the `&` behind it", |command| command.in_background = false),
        ];
        let fits = |command: &SimpleCommand| {
            let alone = as_run_alone(&shell.analysis, command);
            let tested = TestedCommand::new(&alone);
            let fit = patterns.fit(alone.exact_program(), WordBits::ANY, |pattern| {
                self.in_all_path_forms(tested.command(), |roots| {
                    pattern.runs_only_part(&tested, CallPart::Runner, || roots)
                })
            });
            fit == Fit::Yes
        };
        for (what, remove) in parts {
            let mut bare = command.clone();
            remove(&mut bare);
            if fits(&bare) {
                let variable = command.telling_variable().filter(|_| what == VARIABLES);
                return match variable {
                    Some(name) => format!(
                        "{shown} would match without `{name}`: nobody knows that this variable names no code, no file \
                         and no server"
                    ),
                    None => format!("{shown} would match without {what}"),
                };
            }
        }
        let outermost = command.outer_commands.first().copied().unwrap_or(id);
        let through = || self.uncovered_word_of_call(shell, outermost, patterns);
        let own = self.uncovered_word(shell, command, patterns);
        match own.map(|word| (CallPart::Inner, word)).or_else(through) {
            Some((part, UncoveredWord { name, why })) => {
                let runner = shell.analysis.command(outermost).filter(|_| part == CallPart::Runner);
                let shown = runner.map_or(shown, |runner| quote(&shell.display_command(runner)));
                format!("{shown} has {}, {}", quote(&name), uncovered_clause(why))
            }
            None => format!("{shown} is something else"),
        }
    }

    /// Like [`Self::uncovered_word`], for patterns that name the outermost runner and the command that it runs.
    fn uncovered_word_of_call(
        &self,
        shell: &ShellText,
        outermost: CommandId,
        patterns: &Patterns,
    ) -> Option<(CallPart, UncoveredWord)> {
        let call = RunnerCall::new(&shell.analysis, outermost)?;
        let runner = shell.analysis.command(outermost)?;
        let roots = self.context.machine().roots_in(PathForm::Lexical);
        let mut found = None;
        patterns.visit_candidates(runner.exact_program(), |pattern| {
            found = found.take().or_else(|| pattern.uncovered_word_through(&shell.analysis, &call, roots));
        });
        found
    }

    /// Returns the word without which a command might match one of some patterns.
    fn uncovered_word(&self, shell: &ShellText, command: &SimpleCommand, patterns: &Patterns) -> Option<UncoveredWord> {
        let alone = as_run_alone(&shell.analysis, command);
        let tested = TestedCommand::new(&alone);
        let roots = self.context.machine().roots_in(PathForm::Lexical);
        let mut found = None;
        patterns.visit_candidates(alone.exact_program(), |pattern| {
            found = found.take().or_else(|| pattern.uncovered_word(&tested, roots));
        });
        found
    }

    /// Whether a command certainly matches one of some patterns exactly, without further words.
    pub(super) fn is_exactly(&self, patterns: &Patterns, analysis: &Analysis, id: CommandId) -> bool {
        self.exact_fit(patterns, analysis, id, &mut CoveredCommands::default()) == Fit::Yes
    }

    /// Like [`exact_fit`], with the roots of this machine.
    fn exact_fit(&self, patterns: &Patterns, analysis: &Analysis, id: CommandId, covered: &mut CoveredCommands) -> Fit {
        exact_fit(patterns, analysis, id, covered, &|pattern, tested, part| {
            self.in_all_path_forms(tested.command(), |roots| pattern.runs_only_part(tested, part, || roots))
        })
    }

    /// Whether a command needs no pattern if another one has one, with the project's directory in either form of its
    /// path.
    fn is_incidental(&self, shell: &ShellText, command: &SimpleCommand) -> bool {
        let mut forms = [PathForm::Lexical, PathForm::Physical].into_iter();
        forms.any(|form| shell.analysis.is_incidental(command, || self.context.machine().roots_in(form)))
    }

    /// Tests a command with the roots of this machine, in both forms of paths if its program is given by a path. Such
    /// a program may be in the project through a symbolic link, and then it is not the installed one.
    fn in_all_path_forms(&self, command: &SimpleCommand, test: impl Fn(&Roots) -> Fit) -> Fit {
        let lexical = test(self.context.machine().roots_in(PathForm::Lexical));
        let is_path = command.words.first().is_some_and(|program| program.prefix().contains('/'));
        match is_path && lexical != Fit::No {
            true => lexical.and(test(self.context.machine().roots_in(PathForm::Physical))),
            false => lexical,
        }
    }
}

/// Returns a clause that explains why no pattern covers an option.
fn uncovered_clause(why: UncoveredReason) -> &'static str {
    match why {
        UncoveredReason::NoStar => "which no pattern names",
        UncoveredReason::Unrecorded => "which is not in the record of the program: a `*` does not cover it",
        UncoveredReason::Abbreviated => "which is abbreviated: a `*` does not cover it",
        UncoveredReason::Reads => "which reads a file: a `*` does not cover it, so the pattern has to name it",
        UncoveredReason::Writes => "which writes a file: a `*` does not cover it, so the pattern has to name it",
        UncoveredReason::Runs => "which runs something: a `*` does not cover it, so the pattern has to name it",
        UncoveredReason::Enters => {
            "which changes the directory: a `*` does not cover it, so the pattern has to name it"
        }
        UncoveredReason::Elsewhere => "which names where the program does its work: a `*` does not cover it",
        UncoveredReason::HandedOver => "which another program reads: a `*` does not cover it",
        UncoveredReason::Sends => "which names a file to send: a `*` does not cover it, so the pattern has to name it",
        UncoveredReason::OutsideProject => "which is out of the project, whose code the program runs",
        UncoveredReason::Changes => "which changes what an option of the pattern says: a `*` does not cover it",
        UncoveredReason::Value => "whose value may be another option: a `*` does not cover it",
    }
}
