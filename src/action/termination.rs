//! Terminates the commands that a hook runs if a signal terminates the hook.
//!
//! Signal handlers are installed before the first command starts, so a hook without commands does not pay for them.
//! Once the signal has arrived, the hook gives no answer, and in the end dies of the signal as it would without a
//! handler.

use std::io;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use duct::{Expression, Handle};

use crate::platform::process::{ProcessGroup, end_groups, on_termination};

use super::process::groups;

/// The process groups of the running commands. The thread that handles a signal keeps this locked until the process
/// ends.
static RUNNING: Mutex<Vec<ProcessGroup>> = Mutex::new(Vec::new());

static HANDLERS: Once = Once::new();

/// The process groups of one command. A signal to the hook terminates them until this value is dropped.
#[derive(Debug)]
pub(super) struct Terminable(Vec<ProcessGroup>);

/// Starts a command that is terminated when a signal terminates the hook.
pub(super) fn start_terminable(expression: &Expression) -> io::Result<(Handle, Terminable)> {
    // The commands run even if the handlers cannot be installed, because there are no threads or pipes left.
    HANDLERS.call_once(|| drop(on_termination(end_running)));
    let mut running = running();
    let handle = expression.start()?;
    let groups: Vec<ProcessGroup> = groups(&handle).collect();
    running.extend(&groups);
    Ok((handle, Terminable(groups)))
}

impl Drop for Terminable {
    /// If a signal is terminating the process, this blocks until the process ends, so that no answer follows.
    fn drop(&mut self) {
        running().retain(|group| !self.0.contains(group));
    }
}

fn running() -> MutexGuard<'static, Vec<ProcessGroup>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends all running commands, and returns the lock, which stays locked until the process ends.
fn end_running() -> MutexGuard<'static, Vec<ProcessGroup>> {
    let running = running();
    end_groups(&running);
    running
}
