//! `rules` without a command, as a hook: an agent that ignores `args` starts it like that, with a payload on standard
//! input.
//!
//! It reports that nothing was judged, and blocks nothing.
#![expect(clippy::disallowed_methods, reason = "it looks at the caller's environment and waits for standard input")]

use std::io::{self, IsTerminal, Read, Write};
use std::os::fd::AsFd;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use crate::hooks::PAYLOAD_LIMIT;

/// How long a payload may take to arrive.
const PATIENCE: Duration = Duration::from_secs(1);

const MESSAGE: &str = "rules: nothing was judged: a hook has to call `rules hook claude-code`. Where an agent ignores \
                       `args`, register the shell line that `rules install claude-code --any-version` writes.\n";

/// Answers a payload on standard input; `None` if there is none, so that the caller prints help.
pub(super) fn run() -> Option<ExitCode> {
    let mut stdin = io::stdin().lock();
    if stdin.is_terminal() || !is_payload(&mut stdin) {
        return None;
    }
    let _nobody_reads = io::stderr().write_all(MESSAGE.as_bytes());
    // If a hook fails with 1, Claude Code shows its message to the user and goes on. Copilot CLI treats any failure as
    // a denial.
    let is_set = |name| std::env::var_os(name).is_some();
    Some(ExitCode::from(u8::from(is_set("CLAUDECODE") && !is_set("COPILOT_CLI"))))
}

/// Whether a JSON object begins on standard input. The rest is read too: an agent may wait until all is read.
fn is_payload(input: &mut (impl Read + AsFd)) -> bool {
    let deadline = Instant::now().checked_add(PATIENCE);
    let (mut piece, mut first, mut count) = ([0; 16 << 10], None, 0_usize);
    while count < PAYLOAD_LIMIT && is_ready(input, deadline) {
        let Ok(read) = input.read(&mut piece) else { break };
        let bytes = piece.get(..read).unwrap_or_default();
        first = first.or_else(|| bytes.iter().find(|byte| !is_before(**byte)).copied());
        count = count.saturating_add(read);
        if read == 0 || first.is_some_and(|first| first != b'{') {
            break;
        }
    }
    first == Some(b'{')
}

/// Whether a byte may precede a JSON text: white space, or part of a byte order mark.
fn is_before(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, 0xef | 0xbb | 0xbf)
}

/// Waits for input, until the deadline at most.
fn is_ready(input: &impl AsFd, deadline: Option<Instant>) -> bool {
    loop {
        let left = deadline.map_or(Duration::ZERO, |deadline| deadline.saturating_duration_since(Instant::now()));
        let wait = PollTimeout::try_from(left).unwrap_or(PollTimeout::ZERO);
        match poll(&mut [PollFd::new(input.as_fd(), PollFlags::POLLIN)], wait) {
            Err(Errno::EINTR) => {}
            // If the input cannot be polled, it is read.
            waited => return !left.is_zero() && waited != Ok(0),
        }
    }
}
