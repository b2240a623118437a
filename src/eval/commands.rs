//! Tests of the commands that a call runs: `runs`, `pipes … into …`; `only runs` is in `only_runs`.

use crate::context::{Reason, ShellRole, ShellText};
use crate::ruleset::{CommandTest, Patterns, WhereFilter};
use hookrules_shell::analysis::{CommandId, OpaqueCode, SimpleCommand};
use hookrules_shell::glob::Fit;
use hookrules_shell::pattern::TestedCommand;
use hookrules_shell::word::Cause;
use hookrules_shell::{Unknown, UnseenText};

use super::condition::{ConditionJudge, kleene_and, kleene_or};
use super::message::quote;
use super::once::CommandTestResult;
use super::{ConditionTrace, Matched, TraceDetail, Truth, opaque, scope};

/// The cost of comparing one command with one pattern, as a number of bytes of text.
pub(super) const BYTES_PER_MATCH: usize = 320;

/// The maximum number of commands that a note lists.
const MAX_NOTED: usize = 3;

impl ConditionJudge<'_> {
    /// Judges a test of the call's commands, from the cache if possible. Also returns a note on the command that
    /// decided.
    pub(super) fn judge_command(
        &mut self,
        test: &CommandTest,
        parts: &mut Vec<ConditionTrace>,
    ) -> (Truth, Option<String>) {
        let Some(cache) = self.known.commands.filter(|_| test.is_of_commands_alone()) else {
            return self.judge_command_test(test, parts);
        };
        if let Some(CommandTestResult { truth, note, matched }) = cache.cached_result(test) {
            self.matched = self.matched.take().or_else(|| self.match_in_place(test).or(matched));
            return (truth, note);
        }
        let earlier_match = self.matched.take();
        let refused = self.context.machine().budget().refused();
        let (truth, note) = self.judge_command_test(test, parts);
        let matched = self.matched.take();
        // A result that the budget may have cut short is not cached.
        if self.context.machine().budget().refused() == refused {
            cache.store(test, CommandTestResult { truth: truth.clone(), note: note.clone(), matched: matched.clone() });
        }
        self.matched = earlier_match.or_else(|| matched.map(|first| self.match_in_place(test).unwrap_or(first)));
        (truth, note)
    }

    /// Returns the command for whose place the rule is judged, if a `runs` without a filter matches it. The texts of
    /// the rule are about this command, even if another one matches first.
    fn match_in_place(&self, test: &CommandTest) -> Option<Matched> {
        let CommandTest::Runs { patterns, filter: None } = test else { return None };
        let id = self.context.command_of_place()?;
        let shell = self.context.shell_text()?;
        let command = shell.analysis.command(id)?;
        let fit = self.pattern_fit(patterns, (id, command), None).and(self.visibility(shell, (id, command)));
        (fit == Fit::Yes).then(|| Matched::command(shell.display_command(command), command))
    }

    /// Judges a test of the call's commands. Unknown if the commands are unknown, or for an allow if they are
    /// uncertain.
    fn judge_command_test(&mut self, test: &CommandTest, parts: &mut Vec<ConditionTrace>) -> (Truth, Option<String>) {
        let context = self.context;
        if context.call().has_unreadable_command() {
            return (Truth::unknown(Reason::unreadable_command()), None);
        }
        let Some(shell) = context.shell_text() else {
            return (Truth::False, self.note(|| "there is no shell command".to_owned()));
        };
        // It is only probable that an unlisted tool runs a command, so this can only count against the call. An allow
        // must not depend on it, not even through a `not`.
        if shell.role == ShellRole::Likely {
            if self.rule.can_allow {
                let tool = context.payload().tool_name().unwrap_or_default();
                return (Truth::unknown(Reason::likely_command(tool)), None);
            }
            if let CommandTest::OnlyRuns { .. } = test {
                return (Truth::False, None);
            }
        }
        let patterns = match test {
            CommandTest::Runs { patterns, .. } | CommandTest::OnlyRuns { patterns } => patterns.count(),
            CommandTest::Pipes { from, into } => from.count() + into.count(),
        };
        let texts = shell.analysis.scripts().count() + shell.analysis.opaque.len();
        let matches = (shell.analysis.commands.len() + texts).saturating_mul(patterns);
        if let Err(reason) = context.machine().charge_text(BYTES_PER_MATCH, matches) {
            return (Truth::unknown(reason), None);
        }
        match test {
            CommandTest::Runs { patterns, filter } => self.judge_runs(shell, patterns, filter.as_ref(), parts),
            CommandTest::OnlyRuns { patterns } => self.judge_only_runs(shell, patterns),
            CommandTest::Pipes { from, into } => self.judge_pipes(shell, from, into),
        }
    }

    /// Whether a command matches one of some patterns. Unknown parts of the command make the match possible.
    fn pattern_fit(
        &self,
        patterns: &Patterns,
        command: (CommandId, &SimpleCommand),
        filter: Option<&WhereFilter>,
    ) -> Fit {
        // A test without a filter is repeated only if the rule is judged for several places.
        let cache = self.known.commands.filter(|_| filter.is_some() || self.rule.has_places());
        cache.map_or_else(|| lenient_fit(patterns, command.1), |cache| cache.pattern_fit(patterns, command))
    }

    /// Judges `runs P where C`: there is a command that matches a pattern and for which the filter holds.
    ///
    /// Texts that are not parsed, such as scripts in other languages, make the result unknown if they may contain
    /// such a command.
    fn judge_runs(
        &mut self,
        shell: &ShellText,
        patterns: &Patterns,
        filter: Option<&WhereFilter>,
        parts: &mut Vec<ConditionTrace>,
    ) -> (Truth, Option<String>) {
        let mut result = Truth::False;
        let mut decisive = None;
        let mut first_match = None;
        // Without a filter, all places share the result, and `match_in_place` selects the command.
        let place_command = filter.and_then(|_| self.context.command_of_place());
        for (id, command) in shell.analysis.iter().chain(shell.analysis.scripts()) {
            let fit = self.pattern_fit(patterns, (id, command), filter);
            let fit = self.fit_of_program(fit, shell, command).and(self.visibility(shell, (id, command)));
            if fit == Fit::No {
                continue;
            }
            let mut filter_parts = Vec::new();
            let filtered = filter
                .map_or(Truth::True, |filter| self.judge_filter(shell, (id, patterns), filter, &mut filter_parts));
            let truth = kleene_and(Truth::from(fit), filtered);
            if truth == Truth::True {
                let is_of_place = place_command.is_none_or(|expected| expected == shell.analysis.process(id));
                if is_of_place || first_match.is_none() {
                    first_match = Some((command, filter_parts));
                }
                if is_of_place {
                    break;
                }
                continue;
            }
            // Without a match, the note and the parts are about the first command that may match, else about the last
            // one that was compared.
            if result == Truth::False {
                *parts = filter_parts;
                decisive = Some(command);
            }
            result = kleene_or(result, truth);
        }
        if let Some((command, filter_parts)) = first_match {
            *parts = filter_parts;
            let shown = shell.display_command(command);
            let note = self.note(|| format!("{} matches", quote(&shown)));
            self.matched.get_or_insert(Matched::command(shown, command));
            return (Truth::True, note);
        }
        result = kleene_or(result, self.unread_code(shell, patterns, filter));
        let note = self.note(|| match (&result, decisive) {
            (Truth::Unknown(reason), _) => reason.sentence(),
            (_, Some(command)) => format!("{} does not match", quote(&shell.display_command(command))),
            (_, None) => no_match_note(shell),
        });
        (result, note)
    }

    /// Whether code that cannot be read may run a command that `runs` matches.
    fn unread_code(&self, shell: &ShellText, patterns: &Patterns, filter: Option<&WhereFilter>) -> Truth {
        let mut result = Truth::False;
        // The variables of the commands matter only if a text is compared with the filter.
        let has_text = shell.analysis.opaque.iter().any(|opaque| opaque.text.is_some());
        let known_variables =
            filter.filter(|_| has_text).map(|filter| opaque::needed_variables(filter, self.context, self.form, shell));
        for opaque in &shell.analysis.opaque {
            let may_match = |text: &UnseenText| {
                patterns.is_any_named_in(text)
                    && filter
                        .zip(known_variables.as_ref())
                        .is_none_or(|(filter, known)| opaque::is_possibly_satisfied(filter, text.as_str(), known))
            };
            if opaque.text.as_ref().is_none_or(may_match) && self.is_possibly_seen(shell, opaque) {
                result = kleene_or(result, Truth::unknown(opaque.reason.clone().into()));
            }
        }
        result
    }

    /// Weakens the fit of a command for a rule that can allow. If the command is a script that another program runs,
    /// or the project may define a task of its name that runs instead, a match is only possible: an allow must not
    /// depend on it, not even through a `not`.
    fn weaken_for_script(&self, fit: Fit, shell: &ShellText, command: &SimpleCommand) -> Fit {
        if !self.rule.can_allow || fit == Fit::No {
            return fit;
        }
        match (command.is_script, command.may_be_task) {
            (true, _) => Fit::Maybe(Unknown::new(Cause::ScriptFile, shell.display_command(command))),
            (_, true) => Fit::Maybe(Unknown::new(Cause::Task, shell.display_command(command))),
            (false, false) => fit,
        }
    }

    /// Adapts the fit of a command that a package manager runs unless the project defines a script of its name. If it
    /// defines one, the command does not run; if it is not known to, the command counts for a rule that can block only.
    fn fit_of_program(&self, fit: Fit, shell: &ShellText, command: &SimpleCommand) -> Fit {
        if fit == Fit::No || !command.may_be_task {
            return self.weaken_for_script(fit, shell, command);
        }
        match self.context.is_script_of_project(shell, command) {
            Some(true) => Fit::No,
            Some(false) => fit,
            None => self.weaken_for_script(fit, shell, command),
        }
    }

    /// Judges `pipes P into Q`: the output of a command that matches P is the input, or the code, of a command that
    /// matches Q.
    fn judge_pipes(&mut self, shell: &ShellText, from: &Patterns, into: &Patterns) -> (Truth, Option<String>) {
        let analysis = &shell.analysis;
        let mut sources: Vec<Fit> = analysis.commands.iter().map(|command| lenient_fit(from, command)).collect();
        // The output of a script is the output of the process that runs it.
        for (id, script) in analysis.scripts() {
            if let Some(source) = sources.get_mut(analysis.process(id).index()) {
                *source = source.clone().or(self.weaken_for_script(lenient_fit(from, script), shell, script));
            }
        }
        let source_visibility = |id: &CommandId| scope::visibility_of(self.rule, self.context, shell, Some(*id));
        let source_fit = |id: &CommandId, visibility: &Fit| {
            let fit = sources.get(id.index()).cloned().unwrap_or(Fit::No);
            if fit == Fit::No { fit } else { fit.and(source_visibility(id).or(visibility.clone())) }
        };
        let mut result = Truth::False;
        for (id, command) in analysis.iter().chain(analysis.scripts()) {
            let fit = lenient_fit(into, command);
            let fit = self.weaken_for_script(fit, shell, command);
            if fit == Fit::No {
                continue;
            }
            let visibility = self.visibility(shell, (id, command));
            let reached = command.code_from.iter().chain(command.input_from());
            let reached = reached.fold(Fit::No, |fit, id| fit.or(source_fit(id, &visibility)));
            let downloads = command.downloads_that_run();
            let downloaded = downloads.iter().fold(Fit::No, |fit, one| fit.or(lenient_fit(from, one)));
            let reached = reached.or(downloaded.and(visibility));
            let truth = Truth::from(fit.and(reached));
            if truth == Truth::True {
                let shown = shell.display_command(command);
                let note = self.note(|| format!("the output reaches {}", quote(&shown)));
                self.matched.get_or_insert(Matched::command(shown, command));
                return (truth, note);
            }
            result = kleene_or(result, truth);
        }
        for opaque in &analysis.opaque {
            if opaque.text.as_ref().is_none_or(|text| from.is_any_named_in(text) && into.is_any_named_in(text))
                && self.is_possibly_seen(shell, opaque)
            {
                result = kleene_or(result, Truth::unknown(opaque.reason.clone().into()));
            }
        }
        let note = self.note(|| match &result {
            Truth::Unknown(reason) => reason.sentence(),
            _ => "there is no such output".to_owned(),
        });
        (result, note)
    }

    /// Whether the rule sees a command: a policy of a directory sees only what is below it.
    pub(super) fn visibility(&self, shell: &ShellText, command: (CommandId, &SimpleCommand)) -> Fit {
        scope::command_visibility(self.rule, self.context, shell, command)
    }

    /// Whether the rule may see what some unreadable code does.
    pub(super) fn is_possibly_seen(&self, shell: &ShellText, opaque: &OpaqueCode) -> bool {
        scope::is_possibly_seen(self.rule, self.context, shell, opaque)
    }

    /// Returns a note on a test, if the trace keeps notes; else `None`.
    pub(super) fn note(&self, note: impl FnOnce() -> String) -> Option<String> {
        (self.detail == TraceDetail::Conditions).then(note)
    }
}

/// Whether a command matches one of some patterns; at most `Maybe` for a command that may not run.
pub(super) fn lenient_fit(patterns: &Patterns, command: &SimpleCommand) -> Fit {
    let tested = TestedCommand::new(command);
    let fit = patterns.fit(command.possible_program(), command.word_bits(), |pattern| pattern.runs_in(&tested));
    if fit == Fit::No {
        return fit;
    }
    fit.and(command.doubt.clone().map_or(Fit::Yes, Fit::Maybe))
}

/// Returns the number of the first pattern in a list that a command may match.
pub(super) fn first_fitting(patterns: &Patterns, command: &SimpleCommand) -> Option<usize> {
    let tested = TestedCommand::new(command);
    let mut fitting = None;
    patterns.fit(command.possible_program(), command.word_bits(), |pattern| {
        let fit = pattern.runs_in(&tested);
        if fit == Fit::No {
            return fit;
        }
        fitting = Some(pattern.text().to_owned());
        Fit::Yes
    });
    let fitting = fitting?;
    patterns.iter().position(|pattern| pattern.text() == fitting)
}

/// Returns the note of a test that no command satisfies: ``it runs `ls` ``.
fn no_match_note(shell: &ShellText) -> String {
    let commands = &shell.analysis.commands;
    let shown: Vec<String> =
        commands.iter().take(MAX_NOTED).map(|command| quote(&shell.display_command(command))).collect();
    match commands.len().checked_sub(shown.len()) {
        _ if shown.is_empty() => "it runs no known command".to_owned(),
        None | Some(0) => format!("it runs {}", shown.join(", ")),
        Some(more) => format!("it runs {} and {more} more", shown.join(", ")),
    }
}
