//! Terminates the commands that a hook runs if a signal terminates the hook.
//!
//! Signal handlers are installed before the first command starts, so a hook without commands does not pay for them.
//! Once the signal has arrived, the hook gives no answer, and in the end dies of the signal as it would without a
//! handler.

use std::io::{self, PipeReader, Read};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::thread::Builder;

use duct::{Expression, Handle};
use nix::poll::{PollTimeout, poll};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use signal_hook::flag;
use signal_hook::low_level::{emulate_default_handler, pipe};

use crate::files;

/// The signals by which hosts, terminals and service managers terminate a hook.
const TERMINATING: [Signal; 3] = [Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP];

/// How often it is checked, once every [`CHECK_INTERVAL`], whether the process groups have ended after SIGTERM, before
/// SIGKILL follows.
const MAX_CHECKS: u8 = 20;

/// The time between two of these checks, in milliseconds.
const CHECK_INTERVAL: u8 = 10;

/// The process groups of the running commands. The thread that handles a signal keeps this locked until the process
/// ends.
static RUNNING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

static HANDLERS: Once = Once::new();

/// The process groups of one command. A signal to the hook terminates them until this value is dropped.
#[derive(Debug)]
pub(super) struct Terminable(Vec<Pid>);

/// Starts a command that is terminated when a signal terminates the hook.
pub(super) fn start_terminable(expression: &Expression) -> io::Result<(Handle, Terminable)> {
    // The commands run even if the handlers cannot be installed, because there are no threads or pipes left.
    HANDLERS.call_once(|| drop(install_handlers()));
    let mut running = running();
    let handle = expression.start()?;
    let pids = handle.pids().into_iter().filter_map(|pid| i32::try_from(pid).ok());
    let groups: Vec<Pid> = pids.map(Pid::from_raw).collect();
    running.extend(&groups);
    Ok((handle, Terminable(groups)))
}

impl Drop for Terminable {
    /// If a signal is terminating the process, this blocks until the process ends, so that no answer follows.
    fn drop(&mut self) {
        running().retain(|group| !self.0.contains(group));
    }
}

fn running() -> MutexGuard<'static, Vec<Pid>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Installs handlers for the signals in [`TERMINATING`], and starts the thread that waits for one of them.
fn install_handlers() -> io::Result<()> {
    let (reader, writer) = io::pipe()?;
    let arrived = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&arrived);
    Builder::new().spawn(move || terminate_on_wakeup(reader, &seen))?;
    let ignored = ignored_signals();
    for signal in TERMINATING {
        let number = signal as i32;
        // A signal that is ignored, as with `nohup` or in a shell without job control, stays ignored.
        if ignored & (1 << (number - 1)) == 0 {
            flag::register_usize(number, Arc::clone(&arrived), usize::try_from(number).unwrap_or_default())?;
            pipe::register(number, writer.try_clone()?)?;
        }
    }
    Ok(())
}

/// Returns the mask of ignored signals, read from `/proc`; zero on a system without it.
fn ignored_signals() -> u64 {
    let status = files::read(Path::new("/proc/self/status"), 64 << 10).unwrap_or_default();
    let status = String::from_utf8_lossy(&status);
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}

/// Waits for a signal, terminates all running commands, and then terminates this process by the same signal.
fn terminate_on_wakeup(mut wakeup: PipeReader, arrived: &AtomicUsize) {
    if wakeup.read_exact(&mut [0]).is_err() {
        return;
    }
    let running = running();
    signal_all(&running, Some(Signal::SIGTERM));
    for _ in 0..MAX_CHECKS {
        if !signal_all(&running, None) {
            break;
        }
        let _ = poll(&mut [], PollTimeout::from(CHECK_INTERVAL));
    }
    signal_all(&running, Some(Signal::SIGKILL));
    let signal = i32::try_from(arrived.load(Ordering::SeqCst)).unwrap_or(Signal::SIGTERM as i32);
    // This does not return, so `running` stays locked until the process ends.
    let _ = emulate_default_handler(signal);
}

/// Sends a signal to process groups, or with `None` only checks them. Returns whether any of the groups still exists.
fn signal_all(groups: &[Pid], signal: Option<Signal>) -> bool {
    groups.iter().filter(|group| killpg(**group, signal).is_ok()).count() > 0
}
