//! Child processes and their groups, and the ancestors of this process.

use std::ffi::OsString;
use std::fs::Metadata;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use crate::platform::{LinkPolicy, read_bytes};

pub use super::ancestors::ancestors;
pub use super::signals::{hold_signals_of_limits, on_termination};

/// How often it is checked, once every [`CHECK_INTERVAL`], whether the process groups have ended after SIGTERM, before
/// SIGKILL follows.
const MAX_CHECKS: u8 = 20;

/// The time between two of these checks.
const CHECK_INTERVAL: Duration = Duration::from_millis(10);

/// A process group that this process has started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProcessGroup(Pid);

impl ProcessGroup {
    /// Returns the group whose leader has this id.
    #[must_use]
    pub fn of_leader(pid: u32) -> Option<Self> {
        i32::try_from(pid).ok().map(|pid| Self(Pid::from_raw(pid)))
    }

    /// Asks all processes of the group to end. An error means that the group is already gone, which is the goal.
    pub fn terminate(self) {
        let _ = killpg(self.0, Signal::SIGTERM);
    }

    /// Ends all processes of the group at once.
    pub fn kill(self) {
        let _ = killpg(self.0, Signal::SIGKILL);
    }

    /// Whether a process of the group exists.
    fn exists(self) -> bool {
        killpg(self.0, None).is_ok()
    }
}

/// Ends process groups: SIGTERM, a short grace period, SIGKILL.
pub fn end_groups(groups: &[ProcessGroup]) {
    groups.iter().for_each(|group| group.terminate());
    for _ in 0..MAX_CHECKS {
        if !groups.iter().any(|group| group.exists()) {
            break;
        }
        std::thread::sleep(CHECK_INTERVAL);
    }
    groups.iter().for_each(|group| group.kill());
}

/// Puts a command into a process group of its own.
pub fn in_own_group(command: &mut Command) {
    command.process_group(0);
}

/// Adds arguments to a command.
pub fn add_arguments(command: &mut Command, arguments: &[OsString]) {
    command.args(arguments);
}

/// Lets the ends of children be reported until the result is dropped. If the parent process has set SIGCHLD to be
/// ignored, they are not; a handler changes that.
///
/// # Errors
/// The handler cannot be installed.
pub fn expect_children() -> io::Result<impl Sized> {
    sigchld::Waiter::new()
}

/// Returns the signal that killed a process; `None` if it exited.
#[must_use]
pub fn killed_by(status: ExitStatus) -> Option<i32> {
    status.signal()
}

/// Returns the name of the parent process, the host or a shell; empty if the system does not tell it.
#[must_use]
pub fn parent_name() -> Vec<u8> {
    let parent = format!("/proc/{}/comm", std::os::unix::process::parent_id());
    read_bytes(Path::new(&parent), LinkPolicy::Refuse, 64).unwrap_or_default()
}

/// Returns the metadata of the file of this program.
///
/// # Errors
/// The system does not tell which file it is.
#[expect(clippy::disallowed_methods, reason = "the file of the program identifies it")]
pub fn own_metadata() -> io::Result<Metadata> {
    std::fs::metadata("/proc/self/exe").or_else(|_| std::env::current_exe().and_then(std::fs::metadata))
}
