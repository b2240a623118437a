//! The effects of a verdict: commands before the answer, records and notifications after it.
//!
//! No other module starts processes or writes files because of an event. `eval` has already filled in every value, so
//! this code depends neither on rules nor on a host's JSON.

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
use crate::schema::{Capabilities, Event};
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

/// The inputs of the effects of one event, besides the verdict.
#[derive(Clone, Copy, Debug)]
pub struct EffectEnvironment<'a> {
    /// The payload.
    pub payload: &'a Payload,
    /// The payload as JSON, with the verdict's rewrites, for the standard input of commands.
    pub stdin: &'a [u8],
    /// The answers that the event allows: `event.spec().answers`.
    pub answers: Capabilities,
    /// The project root: commands run in it, and records are written to its `.rules/log/`.
    pub project: Option<&'a Path>,
    /// The user's state directory; without it, nothing is counted or recorded there.
    pub state_dir: Option<&'a Path>,
    /// The name of the subagent that acts, starts or has stopped, if it is known.
    pub agent_name: Option<&'a str>,
    /// Whether the event is a UserPromptSubmit with a prompt that a person wrote.
    pub is_prompt_of_user: bool,
    /// The time at which the host stops waiting, minus the time for the answer itself; no command runs past it.
    pub deadline: Option<Instant>,
    /// Whether every failing command is announced, not only that of a rule with `notify`.
    pub announces_failures: bool,
    /// Whether every succeeding command is announced.
    pub announces_successes: bool,
    /// The means of notifying the person at the machine.
    pub channel: &'a NotificationChannel,
}

/// A verdict after its commands have run, with their votes and texts.
#[derive(Debug)]
pub struct PerformedVerdict {
    verdict: Verdict,
    /// The commands that failed, one sentence each, for the log.
    failures: Vec<Note>,
}

impl PerformedVerdict {
    /// Keeps only the decision of a verdict: another registration performs all effects and shows the texts.
    #[must_use]
    pub fn for_other_registration(verdict: Verdict) -> Self {
        let mut performed = Self::for_caller(verdict);
        performed.verdict.contexts.clear();
        performed.verdict.warnings.clear();
        performed.verdict.exits.clear();
        performed
    }

    /// Keeps the decision and the texts of a verdict: commands, records and notifications are left to the caller.
    #[must_use]
    pub fn for_caller(mut verdict: Verdict) -> Self {
        if !verdict.runs.is_empty() {
            // The commands are not run here, and one of them may deny: so no allow is returned.
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

/// Runs the verdict's commands in order and adds their votes and messages.
///
/// After a denial, by a rule or by a command, only the commands of the denying rules run. On SubagentStart and
/// SubagentStop all commands run. Never fails: a problem becomes a vote, a context or a warning of the rule.
#[must_use]
pub fn perform(mut verdict: Verdict, world: &EffectEnvironment<'_>) -> PerformedVerdict {
    let mut attempts = Attempts::open_for_stop(world);
    let runs = std::mem::take(&mut verdict.runs);
    let mut performed = PerformedVerdict { verdict, failures: Vec::new() };
    let mut later = runs.as_slice();
    while let Some((run, rest)) = later.split_first() {
        later = rest;
        if is_skipped(run, &performed.verdict) {
            continue;
        }
        performed = performed.add_command_result(if run.options.background {
            background::start_in_background(run, world)
        } else {
            judge::judge(run, &process::run(run, rest, world), world, &mut attempts)
        });
    }
    attempts.reset_after_stop(&performed.verdict);
    performed.verdict.runs = runs;
    performed
}

/// Whether a command does not run because the event is denied and its rule is not among those that deny it (law 7).
fn is_skipped(run: &Run, verdict: &Verdict) -> bool {
    if run.denies || is_subagent_event(verdict.event) {
        return false;
    }
    let mut denials = verdict.votes.iter().filter(|vote| vote.decision >= Decision::Deny).peekable();
    denials.peek().is_some() && !denials.any(|vote| vote.author.is_rule(&run.rule))
}

/// Whether an event is one on which every command runs and a failure is only reported.
fn is_subagent_event(event: Event) -> bool {
    matches!(event, Event::SubagentStart | Event::SubagentStop)
}

#[cfg(test)]
mod tests;
