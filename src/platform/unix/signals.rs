//! Signals to this process.

use std::io::{self, PipeReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::Builder;

use nix::sys::signal::{SigSet, Signal};
use signal_hook::flag;
use signal_hook::low_level::{emulate_default_handler, pipe};

use crate::platform::{LinkPolicy, read_bytes};

/// The signals by which hosts, terminals and service managers terminate a hook.
const TERMINATING: [Signal; 3] = [Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP];

/// Blocks the signals for the limits on file size and CPU time (`SIGXFSZ`, `SIGXCPU`), so that exceeding a limit does
/// not end the process without an answer. Unblocks all other signals: a parent may have blocked `SIGCHLD`, which
/// reports the end of a command. Child processes start with an empty mask.
pub fn hold_signals_of_limits() {
    let held: SigSet = [Signal::SIGXFSZ, Signal::SIGXCPU].into_iter().collect();
    // The call fails only for an invalid mask, which this is not.
    let _set = held.thread_set_mask();
}

/// Installs handlers for the signals in [`TERMINATING`], and starts a thread that waits for one of them. The thread
/// then runs `prepare`, and terminates this process by the same signal; the result of `prepare` is never dropped.
///
/// # Errors
/// There are no threads or pipes left.
pub fn on_termination<T>(prepare: impl FnOnce() -> T + Send + 'static) -> io::Result<()> {
    let (reader, writer) = io::pipe()?;
    let arrived = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&arrived);
    Builder::new().spawn(move || terminate_on_wakeup(reader, &seen, prepare))?;
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
    let status = read_bytes(Path::new("/proc/self/status"), LinkPolicy::Refuse, 64 << 10).unwrap_or_default();
    let status = String::from_utf8_lossy(&status);
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}

/// Waits for a signal, prepares the end, and terminates this process by the same signal.
fn terminate_on_wakeup<T>(mut wakeup: PipeReader, arrived: &AtomicUsize, prepare: impl FnOnce() -> T) {
    if wakeup.read_exact(&mut [0]).is_err() {
        return;
    }
    let _held = prepare();
    let signal = i32::try_from(arrived.load(Ordering::SeqCst)).unwrap_or(Signal::SIGTERM as i32);
    // This does not return.
    let _ = emulate_default_handler(signal);
}
