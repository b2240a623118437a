//! Performs the effects of a verdict: commands before the answer, records and notifications after it.
//!
//! No other module starts processes or writes files because of an event. `eval` has already filled in the values of all
//! placeholders, so this code depends neither on rules nor on a host's JSON.

mod attempts;
mod background;
mod capture;
mod claim;
mod environment;
mod held;
mod hook_answer;
mod hook_log;
mod judge;
mod keep;
mod log;
mod log_chain;
mod log_file;
mod notify;
mod once;
mod process;
mod record;
mod redact;
mod remember;
mod settle;
mod sweep;
mod termination;

use std::path::Path;
use std::time::Instant;

use crate::config::NotificationChannel;
use crate::place;
use crate::schema::Capabilities;
use crate::types::Payload;
use crate::verdict::{Decision, Note, Run, Verdict};

use attempts::Attempts;
use judge::CommandResult;

pub use crate::names::digest;
pub use crate::place::state_problem;
pub use claim::{Claim, DecisionRight, ProcessRole, RegisteredEvent, claim_event};
pub use held::{defer_text, take_deferred_texts};
pub use hook_log::{log_hook, processing};
pub use log::{PayloadDetail, end_of_ask, log, remember_ask};
pub use once::{is_first_in_session, is_remembered};
pub use remember::{JournalAdditions, has_journal, remember};
pub use settle::settle;

/// Everything that the effects of one event need, except the verdict.
#[derive(Clone, Copy, Debug)]
pub struct EffectEnvironment<'a> {
    /// The payload.
    pub payload: &'a Payload,
    /// The payload as JSON, with the verdict's rewrites, for the standard input of commands.
    pub stdin: &'a [u8],
    /// The answers that the event allows: `event.spec().answers`.
    pub answers: Capabilities,
    /// The root of the project: commands run in it, and records are written to its `.rules/log/`.
    pub project: Option<&'a Path>,
    /// The user's state directory. Without it, nothing is counted, and no record is written that belongs there.
    pub state_dir: Option<&'a Path>,
    /// The name of the subagent that acts, starts or has stopped, if it is known.
    pub agent_name: Option<&'a str>,
    /// Whether the event is a UserPromptSubmit with a prompt that a person wrote.
    pub is_prompt_of_user: bool,
    /// The time at which the host stops waiting, minus the time for the answer itself. Commands that still run then are
    /// stopped.
    pub deadline: Option<Instant>,
    /// Whether the user is notified of every command that fails, not only of those with `notify`.
    pub announces_failures: bool,
    /// Whether the user is notified of every command that succeeds.
    pub announces_successes: bool,
    /// The means of notifying the person at the machine.
    pub channel: &'a NotificationChannel,
}

/// A verdict after its commands have run, including their votes and texts.
#[derive(Debug)]
pub struct PerformedVerdict {
    verdict: Verdict,
    /// The commands that failed, one sentence each, for the log.
    failures: Vec<Note>,
}

impl PerformedVerdict {
    /// Keeps only the votes of a verdict: another registration performs all effects and shows the texts.
    #[must_use]
    pub fn for_other_registration(verdict: Verdict) -> Self {
        let mut performed = Self::for_caller(verdict);
        performed.verdict.contexts.clear();
        performed.verdict.warnings.clear();
        performed.verdict.exits.clear();
        performed
    }

    /// Keeps the votes and the texts of a verdict: commands, records and notifications are left to the caller.
    #[must_use]
    pub fn for_caller(mut verdict: Verdict) -> Self {
        if !verdict.runs.is_empty() {
            // A command that is not run here could deny, so no `allow` may be returned.
            verdict.votes.retain(|vote| vote.decision != Decision::Allow);
        }
        verdict.runs.clear();
        verdict.records.clear();
        verdict.notifications.clear();
        Self { verdict, failures: Vec::new() }
    }

    /// Returns the verdict.
    #[must_use]
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// Returns the verdict, and a sentence for each command that failed.
    #[must_use]
    pub fn into_parts(self) -> (Verdict, Vec<Note>) {
        (self.verdict, self.failures)
    }

    /// Adds the votes, the texts and the other results of a command.
    fn add_command_result(self, result: CommandResult) -> Self {
        let Self { verdict, mut failures } = self;
        let mut verdict = verdict.with_additions(result.added);
        verdict.notifications.extend(result.notification);
        verdict.worktree_path = result.worktree_path.or(verdict.worktree_path);
        failures.extend(result.failure);
        Self { verdict, failures }
    }
}

/// Runs the verdict's commands in order, and adds their votes and texts to the verdict.
///
/// After a denial, by a rule or by a command, only the commands of the rules that deny run. On SubagentStart and
/// SubagentStop all commands run. A problem with a command becomes a vote, a context or a warning of its rule.
#[must_use]
pub fn perform(mut verdict: Verdict, environment: &EffectEnvironment<'_>) -> PerformedVerdict {
    let mut attempts = Attempts::open_for_stop(environment);
    let runs = std::mem::take(&mut verdict.runs);
    let mut performed = PerformedVerdict { verdict, failures: Vec::new() };
    let mut remaining = runs.as_slice();
    while let Some((run, rest)) = remaining.split_first() {
        remaining = rest;
        if is_skipped(run, &performed.verdict) {
            continue;
        }
        performed = performed.add_command_result(if run.options.background {
            background::start_in_background(run, environment)
        } else {
            judge::judge(run, &process::run(run, rest, environment), environment, &mut attempts)
        });
    }
    attempts.reset_after_stop(&performed.verdict);
    performed.verdict.runs = runs;
    performed
}

/// Whether a command is skipped because the event is denied, but not by the rule of the command (law 7). On the start
/// and the stop of a subagent, all commands run.
fn is_skipped(run: &Run, verdict: &Verdict) -> bool {
    if run.denies || verdict.event.is_about_subagent() {
        return false;
    }
    let mut denials = verdict.votes.iter().filter(|vote| vote.decision >= Decision::Deny).peekable();
    denials.peek().is_some() && !denials.any(|vote| vote.author.is_rule(&run.rule))
}

#[cfg(test)]
mod tests;
