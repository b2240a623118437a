//! Standard input, which is waited for, standard output, and pipes.

use std::io::{self, PipeReader, StdinLock};
use std::os::fd::AsFd;
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::stat::{SFlag, fstat, stat};

use crate::platform::WaitReadable;

impl<T: AsFd> WaitReadable for T {
    fn wait_readable(&mut self, timeout: Duration) -> io::Result<bool> {
        let timeout = PollTimeout::try_from(timeout).unwrap_or(PollTimeout::ZERO);
        Ok(poll(&mut [PollFd::new(self.as_fd(), PollFlags::POLLIN)], timeout)? != 0)
    }
}

/// Returns standard input.
pub fn stdin() -> StdinLock<'static> {
    io::stdin().lock()
}

/// Whether a pipe has unread data, or has reached its end.
#[must_use]
pub fn is_any_readable(pipes: &[PipeReader; 2]) -> bool {
    let mut pipes = pipes.each_ref().map(|pipe| PollFd::new(pipe.as_fd(), PollFlags::POLLIN));
    poll(&mut pipes, PollTimeout::ZERO).is_ok_and(|ready| ready > 0)
}

/// Writes to standard output with plain system calls, because `std::io::Stdout` hides a closed standard output:
/// writes to it succeed, and at startup it is replaced by `/dev/null`.
///
/// # Errors
/// Standard output is closed, or the system refuses.
pub fn write_out(mut bytes: &[u8]) -> io::Result<()> {
    let stdout = io::stdout();
    if !bytes.is_empty() && is_discarded(&stdout) {
        return Err(io::Error::other("standard output is closed"));
    }
    while !bytes.is_empty() {
        match nix::unistd::write(&stdout, bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
            Err(Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Whether standard output is `/dev/null`, which discards what is written to it.
fn is_discarded(stdout: &io::Stdout) -> bool {
    let null = stat("/dev/null").map(|null| null.st_rdev);
    fstat(stdout)
        .is_ok_and(|out| SFlag::from_bits_truncate(out.st_mode).contains(SFlag::S_IFCHR) && Ok(out.st_rdev) == null)
}
