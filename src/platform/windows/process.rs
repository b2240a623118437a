//! Child processes with all that they start, and the ancestors of this process.

use std::ffi::OsString;
use std::fs::Metadata;
use std::io;
use std::os::windows::process::CommandExt;
use std::process::{Command, ExitStatus, Stdio};

use super::shell::{CMD_OPTIONS, system_program};

/// The flag for a process without a window of its own (`CREATE_NO_WINDOW`).
const NO_WINDOW: u32 = 0x0800_0000;

/// A process that this process has started, with the processes that it has started in turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProcessGroup(u32);

impl ProcessGroup {
    /// Returns the processes that begin with this one.
    #[must_use]
    pub fn of_leader(pid: u32) -> Option<Self> {
        Some(Self(pid))
    }

    /// Does nothing: a program without a window cannot be asked to end.
    pub fn terminate(self) {}

    /// Ends the processes at once, by the system's own program: a job object has no interface without `unsafe`.
    #[expect(clippy::disallowed_methods, reason = "it has an absolute name, and ends only what was started here")]
    pub fn kill(self) {
        let Some(program) = system_program("taskkill.exe") else { return };
        let mut command = Command::new(program);
        command.args(["/F", "/T", "/PID", &self.0.to_string()]).creation_flags(NO_WINDOW);
        // An error means that the process is already gone, which is the goal.
        let _ = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
}

/// Ends processes.
pub fn end_groups(groups: &[ProcessGroup]) {
    groups.iter().for_each(|group| group.kill());
}

/// Does nothing: a command in the console's group ends by Ctrl-C together with the hook.
pub fn in_own_group(_command: &mut Command) {}

/// Adds arguments to a command. The shell `cmd` takes its script as it is, without the quotes and backslashes that
/// other programs expect.
pub fn add_arguments(command: &mut Command, arguments: &[OsString]) {
    match arguments.split_last() {
        Some((script, options)) if options == CMD_OPTIONS => {
            let mut quoted = OsString::from("\"");
            quoted.push(script);
            quoted.push("\"");
            command.args(options).raw_arg(quoted);
        }
        _ => {
            command.args(arguments);
        }
    }
}

/// Does nothing: the system reports the end of every child.
///
/// # Errors
/// Never.
pub fn expect_children() -> io::Result<impl Sized> {
    Ok(())
}

/// Returns the signal that killed a process: none, since there are no signals.
#[must_use]
pub fn killed_by(_status: ExitStatus) -> Option<i32> {
    None
}

/// Returns the name of the parent process: empty, since the system tells it only to callers with `unsafe`. Two
/// registrations with the same arguments then count as one.
#[must_use]
pub fn parent_name() -> Vec<u8> {
    Vec::new()
}

/// Returns the ids of the ancestors of this process.
///
/// # Errors
/// Always: the system tells them only to callers with `unsafe`.
pub fn ancestors() -> Result<Vec<u32>, String> {
    Err("the processes above the hook are not known on Windows".to_owned())
}

/// Returns the metadata of the file of this program.
///
/// # Errors
/// The system does not tell which file it is.
#[expect(clippy::disallowed_methods, reason = "the file of the program identifies it")]
pub fn own_metadata() -> io::Result<Metadata> {
    std::env::current_exe().and_then(std::fs::metadata)
}

/// Does nothing: there are no signals.
pub fn hold_signals_of_limits() {}

/// Does nothing: the end of this process cannot be prepared for.
///
/// # Errors
/// Never.
pub fn on_termination<T>(_prepare: impl FnOnce() -> T + Send + 'static) -> io::Result<()> {
    Ok(())
}
