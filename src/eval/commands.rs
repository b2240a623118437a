//! Tests of the commands that a call runs: `runs`, `only runs`, `pipes … into …`.

use crate::context::{PathForm, Reason, ShellRole, ShellText};
use crate::ruleset::{CommandTest, Patterns, WhereFilter};
use hookrules_shell::Unknown;
use hookrules_shell::analysis::{CommandId, SimpleCommand};
use hookrules_shell::argv::WordBits;
use hookrules_shell::glob::Fit;
use hookrules_shell::pattern::TestedCommand;
use hookrules_shell::word::Cause;

use super::condition::{ConditionJudge, kleene_and, kleene_or};
use super::message::quote;
use super::once::CommandTestResult;
use super::{ConditionTrace, TraceDetail, Truth, opaque};

/// The cost of comparing one command with one pattern, as a number of bytes of text.
pub(super) const BYTES_PER_MATCH: usize = 320;

/// The maximum number of commands that a note lists.
const NOTED: usize = 3;

impl ConditionJudge<'_> {
    /// Judges a test of the call's commands, from the cache if possible. Also returns a note on the command that
    /// decided.
    pub(super) fn command(&mut self, test: &CommandTest, parts: &mut Vec<ConditionTrace>) -> (Truth, Option<String>) {
        let Some(once) = self.known.commands.filter(|_| test.is_of_commands_alone()) else {
            return self.judge_command_test(test, parts);
        };
        if let Some(CommandTestResult { truth, note, matched }) = once.cached_result(test) {
            self.matched = self.matched.take().or(matched);
            return (truth, note);
        }
        let before = self.matched.take();
        let refused = self.context.machine().budget().refused();
        let (truth, note) = self.judge_command_test(test, parts);
        let matched = self.matched.take();
        // A result that the budget may have cut short is not cached.
        if self.context.machine().budget().refused() == refused {
            once.store(test, CommandTestResult { truth: truth.clone(), note: note.clone(), matched: matched.clone() });
        }
        self.matched = before.or(matched);
        (truth, note)
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
        // The command of an unlisted tool is only probable, so it can only count against the call. An allow must not
        // depend on it, not even through a `not`.
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

    /// Whether a command matches one of some patterns, with unknown parts of the command counting as a possible
    /// match.
    fn pattern_fit(
        &self,
        patterns: &Patterns,
        command: (CommandId, &SimpleCommand),
        filter: Option<&WhereFilter>,
    ) -> Fit {
        // A test without a filter is repeated only for the places of commands.
        let once = self.known.commands.filter(|_| filter.is_some() || self.rule.has_places());
        once.map_or_else(|| lenient_fit(patterns, command.1), |once| once.pattern_fit(patterns, command))
    }

    /// Judges `runs P where C`: some command matches a pattern, and the filter holds for it.
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
        for (id, command) in shell.analysis.iter().chain(shell.analysis.scripts()) {
            let fit = self.pattern_fit(patterns, (id, command), filter);
            let fit = self.weaken_for_script(fit, shell, command);
            if fit == Fit::No {
                continue;
            }
            let mut looked_at = Vec::new();
            let filtered =
                filter.map_or(Truth::True, |filter| self.filter(shell, (id, patterns), filter, &mut looked_at));
            let truth = kleene_and(Truth::from(fit), filtered);
            if truth == Truth::True {
                *parts = looked_at;
                let shown = shell.display_command(command);
                let note = self.note(|| format!("{} matches", quote(&shown)));
                self.matched.get_or_insert(shown);
                return (truth, note);
            }
            // Without a match, the note and the parts are about the first command that may match, else about the last
            // that was compared.
            if result == Truth::False {
                *parts = looked_at;
                decisive = Some(command);
            }
            result = kleene_or(result, truth);
        }
        // The variables of commands matter only for texts that are compared with the filter.
        let has_text = shell.analysis.opaque.iter().any(|opaque| opaque.text.is_some());
        let seen =
            filter.filter(|_| has_text).map(|filter| opaque::needed_variables(filter, self.context, self.form, shell));
        for opaque in &shell.analysis.opaque {
            let is_meant = |text: &String| {
                patterns.is_any_named_in(text)
                    && filter
                        .zip(seen.as_ref())
                        .is_none_or(|(filter, seen)| opaque::is_possibly_satisfied(filter, text, seen))
            };
            if opaque.text.as_ref().is_none_or(is_meant) {
                result = kleene_or(result, Truth::unknown(opaque.reason.clone().into()));
            }
        }
        let note = self.note(|| match (&result, decisive) {
            (Truth::Unknown(reason), _) => reason.sentence(),
            (_, Some(command)) => format!("{} does not match", quote(&shell.display_command(command))),
            (_, None) => no_match_note(shell),
        });
        (result, note)
    }

    /// Returns the fit of a command. If the command is a script that another program runs, and the rule can allow, a
    /// match is only possible: an allow must not depend on the script, not even through a `not`.
    fn weaken_for_script(&self, fit: Fit, shell: &ShellText, script: &SimpleCommand) -> Fit {
        match script.is_script && self.rule.can_allow {
            true if fit != Fit::No => Fit::Maybe(Unknown::new(Cause::ScriptFile, shell.display_command(script))),
            _ => fit,
        }
    }

    /// Judges `only runs P`: there is a command, and every command certainly matches a pattern.
    fn judge_only_runs(&mut self, shell: &ShellText, patterns: &Patterns) -> (Truth, Option<String>) {
        let commands = &shell.analysis.commands;
        let mut result = Truth::from(!commands.is_empty() || !shell.analysis.opaque.is_empty());
        for command in commands {
            // A command that may not run is no certain match, but it may be absent.
            let fit = match &command.doubt {
                Some(why) => Fit::Maybe(why.clone()),
                None => self.exact_fit(patterns, command).and(code_fit(command)),
            };
            if fit == Fit::No {
                return (
                    Truth::False,
                    self.note(|| format!("{} is something else", quote(&shell.display_command(command)))),
                );
            }
            result = kleene_and(result, Truth::from(fit));
        }
        let opaque = shell.analysis.opaque.first().map(|opaque| Truth::unknown(opaque.reason.clone().into()));
        result = opaque.map_or(result.clone(), |unknown| kleene_and(result, unknown));
        if result == Truth::True
            && let Some(first) = commands.first()
        {
            self.matched.get_or_insert_with(|| shell.display_command(first));
        }
        let note = self.note(|| match &result {
            Truth::Unknown(reason) => reason.sentence(),
            Truth::True => "every command matches".to_owned(),
            Truth::False => "it runs no command".to_owned(),
        });
        (result, note)
    }

    /// Whether a command certainly matches a pattern of `only runs`, which is stricter than `runs`.
    fn exact_fit(&self, patterns: &Patterns, command: &SimpleCommand) -> Fit {
        let asked = TestedCommand::new(command);
        let fit = |form| {
            let roots = || self.context.machine().roots_in(form);
            patterns.fit(command.exact_program(), WordBits::ANY, |pattern| pattern.runs_only_in(&asked, roots))
        };
        let lexical = fit(PathForm::Lexical);
        // A program given by a path may be in the project through a symbolic link, and then it is not the installed
        // program.
        let is_path = command.words.first().is_some_and(|program| program.prefix().contains('/'));
        if is_path { lexical.and(fit(PathForm::Physical)) } else { lexical }
    }

    /// Judges `pipes P into Q`: the output of a command that matches P is the input or the code of one that matches
    /// Q.
    fn judge_pipes(&mut self, shell: &ShellText, from: &Patterns, into: &Patterns) -> (Truth, Option<String>) {
        let analysis = &shell.analysis;
        let mut sources: Vec<Fit> = analysis.commands.iter().map(|command| lenient_fit(from, command)).collect();
        // The output of a script is the output of the process that runs it.
        for (id, script) in analysis.scripts() {
            if let Some(source) = sources.get_mut(analysis.process(id).index()) {
                *source = source.clone().or(self.weaken_for_script(lenient_fit(from, script), shell, script));
            }
        }
        let source = |id: &CommandId| sources.get(id.index()).cloned().unwrap_or(Fit::No);
        let mut result = Truth::False;
        for (_, command) in analysis.iter().chain(analysis.scripts()) {
            let fit = lenient_fit(into, command);
            let fit = self.weaken_for_script(fit, shell, command);
            if fit == Fit::No {
                continue;
            }
            let reached = command.code_from.iter().chain(command.input_from());
            let reached = reached.fold(Fit::No, |fit, id| fit.or(source(id)));
            let downloads = command.downloads_that_run();
            let reached = downloads.iter().fold(reached, |fit, one| fit.or(lenient_fit(from, one)));
            let truth = Truth::from(fit.and(reached));
            if truth == Truth::True {
                let shown = shell.display_command(command);
                let note = self.note(|| format!("the output reaches {}", quote(&shown)));
                self.matched.get_or_insert(shown);
                return (truth, note);
            }
            result = kleene_or(result, truth);
        }
        for opaque in &analysis.opaque {
            if opaque.text.as_ref().is_none_or(|text| from.is_any_named_in(text) && into.is_any_named_in(text)) {
                result = kleene_or(result, Truth::unknown(opaque.reason.clone().into()));
            }
        }
        let note = self.note(|| match &result {
            Truth::Unknown(reason) => reason.sentence(),
            _ => "there is no such output".to_owned(),
        });
        (result, note)
    }

    /// Returns a note on a test, if the trace keeps notes; else `None`.
    pub(super) fn note(&self, note: impl FnOnce() -> String) -> Option<String> {
        (self.detail == TraceDetail::Conditions).then(note)
    }
}

/// Returns `Maybe` for a command with code in its words (`python -c …`) that has effects of its own; else `Yes`.
fn code_fit(command: &SimpleCommand) -> Fit {
    match command.has_acting_code() {
        true => Fit::Maybe(Unknown::new(Cause::Foreign, command.argv().name.unwrap_or_default())),
        false => Fit::Yes,
    }
}

/// Whether a command matches one of some patterns. `Maybe` at most for a command that may not run.
pub(super) fn lenient_fit(patterns: &Patterns, command: &SimpleCommand) -> Fit {
    let asked = TestedCommand::new(command);
    let fit = patterns.fit(command.possible_program(), command.word_bits(), |pattern| pattern.runs_in(&asked));
    if fit == Fit::No {
        return fit;
    }
    fit.and(command.doubt.clone().map_or(Fit::Yes, Fit::Maybe))
}

/// Returns the note of a test that no command satisfies: `it runs …`.
fn no_match_note(shell: &ShellText) -> String {
    let commands = &shell.analysis.commands;
    let shown: Vec<String> =
        commands.iter().take(NOTED).map(|command| quote(&shell.display_command(command))).collect();
    match commands.len().checked_sub(shown.len()) {
        _ if shown.is_empty() => "it runs no known command".to_owned(),
        None | Some(0) => format!("it runs {}", shown.join(", ")),
        Some(more) => format!("it runs {} and {more} more", shown.join(", ")),
    }
}
