//! Converts a command's result into votes, contexts and warnings.
//!
//! It interprets exit codes, `on_fail` and `output`, and decides who gets the result. It does not start or signal
//! processes.

use std::borrow::Cow;
use std::time::Duration;

use crate::excerpt::{Excerpt, READER_LIMIT, join};
use crate::schema::Event;
use crate::verdict::{Additions, Author, Decision, Message, Note, Notification, OnFail, OutputKind, Run, Vote};

use super::EffectEnvironment;
use super::attempts::{Attempts, StopRefusal};
use super::capture::{Capture, shown};
use super::hook_answer::{self, HookDecision};
use super::process::{ProcessEnd, ProcessOutcome};

/// What the end of a command means for the event.
enum CommandFinding {
    /// The command succeeded.
    Success,
    /// The command refuses, for this reason.
    Denial(Excerpt),
    /// The command wants the user to decide, for this reason.
    Question(Excerpt),
    /// The command failed, as this sentence describes.
    Failure(String),
    /// The command ended without a judgement, for example because of a timeout, as this sentence describes.
    NoJudgement(String),
}

/// The output of a command, cut for display.
struct RunOutput {
    stdout: Excerpt,
    stderr: Excerpt,
}

impl RunOutput {
    fn streams(&self) -> [&Excerpt; 2] {
        [&self.stdout, &self.stderr]
    }
}

/// What a command adds to the verdict.
#[derive(Debug, Default)]
pub(super) struct CommandResult {
    /// The votes of the command, and its texts for the agent and the user.
    pub(super) added: Additions,
    /// The notification about the command, if one is wanted.
    pub(super) notification: Option<Notification>,
    /// A sentence for the log, if the command failed.
    pub(super) failure: Option<Note>,
    /// The path of the worktree, which the command printed on WorktreeCreate.
    pub(super) worktree_path: Option<String>,
}

/// Converts the outcome of a command into votes, texts and a notification.
pub(super) fn judge(
    run: &Run,
    outcome: &ProcessOutcome,
    environment: &EffectEnvironment<'_>,
    attempts: &mut Attempts,
) -> CommandResult {
    let raw_stdout = outcome.stdout.clone().into_text();
    let stderr = outcome.stderr.clone().into_text();
    let written = RunOutput {
        stdout: shown(&raw_stdout, run.options.max_output_lines),
        stderr: shown(&stderr, run.options.max_output_lines),
    };
    let finding = command_finding(run, outcome, &raw_stdout, &written, environment.payload.event);
    let failure = match &finding {
        CommandFinding::Failure(sentence) | CommandFinding::NoJudgement(sentence) => Some(sentence.clone()),
        _ => None,
    };
    let mut reporter = ResultReporter { run, world: environment, attempts, result: CommandResult::default() };
    reporter.result.failure = failure.clone().map(|sentence| note(run, sentence));
    if is_worktree_path_needed(environment) {
        reporter.worktree(finding, &raw_stdout, &written);
    } else {
        reporter.report_finding(finding, &written);
    }
    reporter.show(&written);
    let mut result = reporter.result;
    let is_announced = if failure.is_some() { environment.announces_failures } else { environment.announces_successes };
    if run.options.notify || is_announced {
        let body = failure.unwrap_or_else(|| format!("`{}` is done", run.source_text));
        result.notification = Some(notification(run, body));
    }
    result
}

/// Converts the start of a background command into votes, texts and a notification. `failed` is its outcome if it could
/// not be started.
pub(super) fn judge_start(
    run: &Run,
    failed: Option<&ProcessOutcome>,
    environment: &EffectEnvironment<'_>,
) -> CommandResult {
    let mut result = CommandResult::default();
    let Some(outcome) = failed else {
        if run.options.notify {
            let body = format!("`{}` runs in the background", run.source_text);
            result.notification = Some(notification(run, body));
        }
        return result;
    };
    let sentence = describe_end(run, &outcome.end);
    let text = failure_text(run, &sentence, &[]);
    result.failure = Some(note(run, sentence));
    let vote = Vote::from_rule(&run.rule, Decision::Deny, text.clone());
    // A background command judges nothing, so if it cannot be started, a warning is enough unless `on_fail` demands
    // more.
    match run.options.on_fail {
        Some(OnFail::Ignore) => {}
        Some(OnFail::Deny) if environment.answers.deny => result.added.votes.push(vote),
        Some(OnFail::Context) if environment.answers.context => result.added.contexts.push(note(run, text)),
        _ => result.added.warnings.push(note(run, text)),
    }
    result
}

impl ProcessOutcome {
    /// Creates the outcome of a command without output.
    pub(super) fn from_end(end: ProcessEnd) -> Self {
        Self { end, stdout: Capture::default(), stderr: Capture::default() }
    }
}

/// Whether the event is answered by a path that a command prints.
fn is_worktree_path_needed(world: &EffectEnvironment<'_>) -> bool {
    world.payload.event == Event::WorktreeCreate
}

/// Returns what the outcome of a command means, judging by its exit code and the kind of its output.
fn command_finding(
    run: &Run,
    outcome: &ProcessOutcome,
    stdout: &str,
    written: &RunOutput,
    event: Event,
) -> CommandFinding {
    let sentence = describe_end(run, &outcome.end);
    let code = match outcome.end {
        // By the shell's convention, 126 and 127 mean that the program could not be started, and 128 plus a number that
        // this signal ended it.
        ProcessEnd::Exited(126 | 127 | 129..=192) => return CommandFinding::NoJudgement(sentence),
        ProcessEnd::Exited(code) => code,
        ProcessEnd::Killed(_) | ProcessEnd::TimedOut(_) | ProcessEnd::NotStarted(_) => {
            return CommandFinding::NoJudgement(sentence);
        }
    };
    let refused = || CommandFinding::Denial(written.stderr.clone());
    let reason = |reason: String| shown(&reason.into(), None);
    match (run.options.output, code) {
        (OutputKind::Hook, 0) => match hook_answer::read(stdout) {
            Ok(HookDecision::Nothing) => CommandFinding::Success,
            Ok(HookDecision::Deny(text)) => CommandFinding::Denial(reason(text)),
            Ok(HookDecision::Ask(text)) => CommandFinding::Question(reason(text)),
            Err(why) => CommandFinding::NoJudgement(format!("the result of `{}` is unusable: {why}", run.source_text)),
        },
        (OutputKind::Hook, 2) => refused(),
        (OutputKind::Hook, _) => CommandFinding::NoJudgement(sentence),
        (_, 0) => CommandFinding::Success,
        // On SubagentStop no exit code blocks anything, and standard error is not the reason of a denial.
        (_, 2) if event == Event::SubagentStop => CommandFinding::Failure(sentence),
        (_, 2) if run.options.on_fail.is_none() => refused(),
        (..) => CommandFinding::Failure(sentence),
    }
}

/// Describes how a command ended.
fn describe_end(run: &Run, end: &ProcessEnd) -> String {
    let shown = first_line(&run.source_text);
    match end {
        ProcessEnd::Exited(code @ 126) => format!("`{shown}` could not be started (exit code {code})"),
        ProcessEnd::Exited(code @ 127) => {
            format!("`{shown}` could not be started: program not found (exit code {code})")
        }
        ProcessEnd::Exited(code @ 129..=192) => {
            format!("`{shown}` was ended by signal {} (exit code {code})", code - 128)
        }
        ProcessEnd::Exited(code) => format!("`{shown}` failed with exit code {code}"),
        ProcessEnd::Killed(signal) => format!("`{shown}` was ended by signal {signal}"),
        ProcessEnd::TimedOut(after) => format!("`{shown}` did not end within {}", duration(*after)),
        ProcessEnd::NotStarted(why) => format!("`{shown}` could not be started: {why}"),
    }
}

/// Returns a command for display. Of a script with several lines, only the first one is shown, followed by `…`.
fn first_line(text: &str) -> Cow<'_, str> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    match (lines.next(), lines.next()) {
        (Some(first), Some(_)) => format!("{first} …").into(),
        _ => text.into(),
    }
}

/// Formats a time: `2m`, `90s`, `250ms`.
fn duration(time: Duration) -> String {
    match (time.as_secs(), time.subsec_millis()) {
        (seconds, 0) if seconds > 0 && seconds.is_multiple_of(60) => format!("{}m", seconds / 60),
        (seconds, 0) if seconds > 0 => format!("{seconds}s"),
        _ => format!("{}ms", time.as_millis()),
    }
}

fn note(run: &Run, text: impl Into<Excerpt>) -> Note {
    Note::from_rule(&run.rule, text)
}

fn notification(run: &Run, body: String) -> Notification {
    Notification { author: Author::Rule(run.rule.clone()), title: run.rule.clone(), body }
}

/// Joins the texts that are not empty by newlines, cut to the length that a reader accepts.
fn paragraphs<'a>(texts: impl IntoIterator<Item = &'a Excerpt>) -> Excerpt {
    join(texts, "\n", READER_LIMIT)
}

/// Whether a text contains these lines as whole lines.
fn has_lines(text: &str, lines: &str) -> bool {
    format!("\n{text}\n").contains(&format!("\n{lines}\n"))
}

/// Returns the rule's message, or `sentence` if it has none, followed by the output.
fn failure_text(run: &Run, sentence: &str, output: &[&Excerpt]) -> Excerpt {
    let first = run.message.as_deref().unwrap_or(sentence).into();
    paragraphs([&first].into_iter().chain(output.iter().copied()))
}

/// Converts the finding about a command into votes, and into texts for the agent or the user.
struct ResultReporter<'a, 'w> {
    run: &'a Run,
    world: &'a EffectEnvironment<'w>,
    attempts: &'a mut Attempts,
    result: CommandResult,
}

impl ResultReporter<'_, '_> {
    /// Adds the votes and texts for a finding.
    fn report_finding(&mut self, finding: CommandFinding, written: &RunOutput) {
        match finding {
            CommandFinding::Success => self.report_success(written),
            CommandFinding::Denial(reason) => {
                let text = self.prefix_rule_message([&reason]);
                self.report_refusal(if text.is_empty() { self.wordless_refusal().into() } else { text });
            }
            CommandFinding::Question(reason) => {
                let default_text = format!("`{}` asks", self.run.source_text);
                let text = self.prefix_rule_message([&reason]);
                self.add_question(if text.is_empty() { default_text.into() } else { text });
            }
            CommandFinding::Failure(sentence) => self.report_failure(&sentence, written),
            CommandFinding::NoJudgement(sentence) => self.report_no_judgement(&sentence, written),
        }
    }

    /// Puts the rule's message, if it has one, before these texts.
    fn prefix_rule_message<'t>(&self, texts: impl IntoIterator<Item = &'t Excerpt>) -> Excerpt {
        let message = self.run.message.as_deref().map(Excerpt::from);
        let texts: Vec<&Excerpt> = texts.into_iter().collect();
        paragraphs(message.iter().chain(texts))
    }

    /// Returns the text about a failure, as [`failure_text`] does for the rule of this command.
    fn failure_text(&self, sentence: &str, output: &[&Excerpt]) -> Excerpt {
        failure_text(self.run, sentence, output)
    }

    /// Gives the output of a successful command to the agent, if the rule or the event makes it context.
    fn report_success(&mut self, written: &RunOutput) {
        let is_context = match self.run.options.output {
            OutputKind::Text => self.world.answers.stdout_is_context,
            OutputKind::Context => true,
            OutputKind::Hook => false,
        };
        if is_context && !written.stdout.is_empty() {
            self.inform_agent(written.stdout.clone());
        }
    }

    /// Handles a refusal, by exit code 2 or in a hook script's JSON: it becomes a denial, or a text for the agent if
    /// the event cannot be denied.
    fn report_refusal(&mut self, text: Excerpt) {
        if self.can_refuse() {
            self.add_denial(text);
        } else {
            self.inform_agent(text);
        }
    }

    /// Whether a refusal denies the event. On events about subagents, it does so only with `on_fail deny`.
    fn can_refuse(&self) -> bool {
        let reported_only =
            self.world.payload.event.is_about_subagent() && self.run.options.on_fail != Some(OnFail::Deny);
        self.world.answers.deny && !reported_only
    }

    /// Returns the text for a refusal without a reason. If the event cannot be denied, the text describes exit code 2
    /// like any other failure, unless the refusal was in JSON, which has no exit code.
    fn wordless_refusal(&self) -> String {
        if self.can_refuse() || self.run.options.output == OutputKind::Hook {
            format!("`{}` refused", self.run.source_text)
        } else {
            describe_end(self.run, &ProcessEnd::Exited(2))
        }
    }

    /// Handles a failure, such as exit code 1.
    fn report_failure(&mut self, sentence: &str, written: &RunOutput) {
        match self.run.options.on_fail {
            Some(on_fail) => self.report_by_on_fail(on_fail, self.failure_text(sentence, &written.streams())),
            // On events about subagents, output is shown only if the rule asks for it.
            None if self.world.payload.event.is_about_subagent() => self.inform_user(self.failure_text(sentence, &[])),
            None => {
                let text = self.prefix_rule_message([&written.stderr]);
                self.inform_user(if text.is_empty() { sentence.into() } else { text });
            }
        }
    }

    /// Handles a command that ended without a judgement. That must not count as consent, so if the rule has no
    /// `on_fail`, the user is asked where the event allows it.
    fn report_no_judgement(&mut self, sentence: &str, written: &RunOutput) {
        let sentence = &sentence.into();
        if let Some(on_fail) = self.run.options.on_fail {
            let [stdout, stderr] = written.streams();
            return self.report_by_on_fail(on_fail, self.prefix_rule_message([sentence, stdout, stderr]));
        }
        let text = self.prefix_rule_message([sentence, &written.stderr]);
        if self.world.payload.event.is_about_subagent() {
            self.inform_user(self.prefix_rule_message([sentence]));
        } else if self.world.answers.deny {
            self.add_question(text);
        } else {
            self.inform_user(text);
        }
    }

    /// Adds the vote or the text that `on_fail` demands.
    fn report_by_on_fail(&mut self, on_fail: OnFail, text: Excerpt) {
        match on_fail {
            OnFail::Ignore => {}
            OnFail::Warn => self.inform_user(text),
            OnFail::Context => self.inform_agent(text),
            OnFail::Ask => self.add_question(text),
            OnFail::Deny if self.world.answers.deny => self.add_denial(text),
            OnFail::Deny => self.inform_agent(text),
        }
    }

    /// Adds a denial. If the rule has used up its attempts to refuse a stop, the user is informed instead.
    fn add_denial(&mut self, text: Excerpt) {
        match self.attempts.refuse(self.run) {
            StopRefusal::Allowed => self.vote(Decision::Deny, text),
            StopRefusal::Exhausted => {
                let after = self.run.options.attempts;
                let times = if after == 1 { "refusal" } else { "refusals" };
                let mut unmet = Excerpt::from(format!("{}: not met after {after} {times}\n", self.run.rule));
                unmet.push(&text);
                self.inform_user(unmet);
            }
        }
    }

    /// Adds a question, or informs the user if the event allows none.
    fn add_question(&mut self, text: Excerpt) {
        if self.world.answers.ask { self.vote(Decision::Ask, text) } else { self.inform_user(text) }
    }

    fn vote(&mut self, decision: Decision, message: impl Into<Message>) {
        self.result.added.votes.push(Vote::from_rule(&self.run.rule, decision, message));
    }

    /// Adds a context, or informs the user if the event allows none.
    fn inform_agent(&mut self, text: Excerpt) {
        if self.world.answers.context {
            self.result.added.contexts.push(note(self.run, text));
        } else {
            self.inform_user(text);
        }
    }

    fn inform_user(&mut self, text: Excerpt) {
        self.result.added.warnings.push(note(self.run, text));
    }

    /// Applies `show_stdout` and `show_stderr`, except for text that a warning already shows to the user.
    fn show(&mut self, written: &RunOutput) {
        let streams =
            [(self.run.options.show_stdout, &written.stdout), (self.run.options.show_stderr, &written.stderr)];
        let shown_warnings = &self.result.added.warnings;
        let is_new =
            |text: &&Excerpt| !text.is_empty() && !shown_warnings.iter().any(|note| has_lines(&note.text, text));
        let texts = streams.into_iter().filter(|(show, _)| *show).map(|(_, text)| text).filter(is_new);
        let notes: Vec<Note> = texts.map(|text| note(self.run, text.clone())).collect();
        self.result.added.warnings.extend(notes);
    }

    /// Handles WorktreeCreate, whose answer is the last line that the command prints: the path of the worktree. Without
    /// a path the event is denied, with the reason why the path is missing.
    fn worktree(&mut self, finding: CommandFinding, raw_stdout: &str, written: &RunOutput) {
        let path = raw_stdout.lines().rev().map(str::trim).find(|line| !line.is_empty());
        match (finding, path) {
            (CommandFinding::Success, Some(path)) => self.result.worktree_path = Some(path.to_owned()),
            (CommandFinding::Success, None) => {
                self.vote(Decision::Deny, format!("`{}` printed no path", self.run.source_text));
            }
            (CommandFinding::Denial(reason) | CommandFinding::Question(reason), _) => {
                let reason =
                    if reason.is_empty() { format!("`{}` refused", self.run.source_text).into() } else { reason };
                self.vote(Decision::Deny, self.failure_text(&reason, &[]));
            }
            (CommandFinding::Failure(sentence) | CommandFinding::NoJudgement(sentence), _) => {
                if self.run.options.on_fail != Some(OnFail::Ignore) {
                    self.vote(Decision::Deny, self.failure_text(&sentence, &[&written.stderr]));
                }
            }
        }
    }
}
