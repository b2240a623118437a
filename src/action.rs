//! The effects of a verdict: commands before the answer, records and notifications after it.
//!
//! The only place that starts processes or writes files because of an event. `eval` has already filled in every value;
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
mod settle;
mod sweep;
mod termination;

use std::path::Path;
use std::time::Instant;

use crate::config::Channel;
use crate::place;
use crate::schema::{Capabilities, Event};
use crate::types::Payload;
use crate::verdict::{Decision, Run, Verdict};

use attempts::Attempts;

pub use crate::names::digest;
pub use crate::place::state_problem;
pub use claim::{Claim, Deciding, Part, Seen, claim};
pub use held::{hold, take_held};
pub use hook_log::{log_hook, processing};
pub use log::{Keep, end_of_ask, log, remember_ask};
pub use once::{first_time, was_said};
pub use settle::settle;

/// The surroundings that the effects of one event may use.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    /// The payload.
    pub payload: &'a Payload,
    /// The payload's bytes, after the rewrites.
    pub stdin: &'a [u8],
    /// What the event can answer: `event.spec().answers`.
    pub answers: Capabilities,
    /// The project root: where commands run, and above `.rules/log/`.
    pub project: Option<&'a Path>,
    /// The user's own state directory; without one, nothing is counted or recorded there.
    pub state_dir: Option<&'a Path>,
    /// The name of the subagent that acts, starts or has stopped, if it is known.
    pub agent_name: Option<&'a str>,
    /// Whether the event is a UserPromptSubmit with a prompt that a person wrote.
    pub is_prompt_of_user: bool,
    /// When the host stops waiting, minus the time for the answer itself; no command runs past it.
    pub deadline: Option<Instant>,
    /// Whether every failing command is announced, not only that of a rule with `notify`.
    pub announces_failures: bool,
    /// Whether every succeeding command is announced.
    pub announces_successes: bool,
    /// How the person at the machine is notified.
    pub channel: &'a Channel,
}

/// Runs the verdict's commands in order and adds their votes and messages.
///
/// A denial, by a rule or by a command, skips the commands of every rule that did not vote for it. On SubagentStart and
/// SubagentStop all of them run. Never fails: a problem becomes a vote, a context or a warning of the rule.
pub fn perform(verdict: &mut Verdict, world: &World<'_>) {
    let mut attempts = Attempts::begin(world);
    let runs = std::mem::take(&mut verdict.runs);
    let mut later = runs.as_slice();
    while let Some((run, rest)) = later.split_first() {
        later = rest;
        if is_skipped(run, verdict) {
            continue;
        }
        if run.options.background {
            background::start(run, world, verdict);
        } else {
            let outcome = process::run(run, rest, world);
            judge::judge(run, &outcome, world, &mut attempts, verdict);
        }
    }
    attempts.end(verdict);
    verdict.runs = runs;
}

/// Law 7: a denied call prepares nothing.
fn is_skipped(run: &Run, verdict: &Verdict) -> bool {
    if run.denies || is_subagent_event(verdict.event) {
        return false;
    }
    let mut denials = verdict.votes.iter().filter(|vote| vote.decision >= Decision::Deny).peekable();
    denials.peek().is_some() && !denials.any(|vote| vote.by.is_rule(&run.rule))
}

/// Whether it is an event on which every command runs and a failure is only reported.
fn is_subagent_event(event: Event) -> bool {
    matches!(event, Event::SubagentStart | Event::SubagentStop)
}

#[cfg(test)]
mod tests;
