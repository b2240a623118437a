//! Commands in the background, which are not waited for.
//!
//! Their output goes to the null device, and they read the payload from an unnamed file, so they need no pipe and can
//! outlive this process. They cannot vote.

use std::io;

use crate::verdict::{Run, Stdin};

use super::EffectEnvironment;
use super::judge::{self, CommandResult};
use super::process::{self, ProcessEnd, ProcessOutcome};

/// Starts a command without waiting for its end. A failure to start is reported like any other failure.
pub(super) fn start_in_background(run: &Run, world: &EffectEnvironment<'_>) -> CommandResult {
    let end = match spawn(run, world) {
        Ok(()) => None,
        Err(error) => Some(ProcessEnd::NotStarted(process::reason(run, world, &error))),
    };
    judge::judge_start(run, end.map(ProcessOutcome::from_end).as_ref(), world)
}

/// Starts a command and connects its streams, without keeping a handle on it.
fn spawn(run: &Run, world: &EffectEnvironment<'_>) -> io::Result<()> {
    let expression = process::expression(run, world)?.stdout_null().stderr_null().unchecked();
    let expression = match run.options.stdin {
        Stdin::None => expression.stdin_null(),
        Stdin::Payload => expression.stdin_file(process::payload_file(world)?),
    };
    // The handle is dropped: once this process has ended, the process that inherits the child reaps it.
    expression.start().map(drop)
}
